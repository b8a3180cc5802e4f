"""Decomposition solver: every way to read concealed tiles as sets and pairs, wild tiles included.

The solver works on counts of natural tiles (a list of ``tiles.KINDS`` numbers) and a number of wild tiles that may
stand for anything. It always takes the lowest natural tile left and tries every group that tile can belong to, in a
fixed order, so each reading comes out exactly once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from referee.rules.tiles import HONOURS, KINDS, Tile

CHOW, PUNG, KONG, PAIR, SINGLE = "chow", "pung", "kong", "pair", "single"
SIZES = {CHOW: 3, PUNG: 3, KONG: 4, PAIR: 2, SINGLE: 1}


class Group(NamedTuple):
    """A set, the pair or a lone tile of a reading.

    ``tile`` is the face (of a chow the lowest; -1 while a group of wild tiles alone has no face yet), ``wilds`` a bit
    mask of the slots that wild tiles fill (slot 0 the lowest), ``meld`` how it was declared: ``"chow"``, ``"pung"``,
    ``"kong"``, ``"added_kong"``, ``"concealed_kong"``, or ``""`` while it is part of the concealed hand.
    """

    shape: str
    tile: Tile
    wilds: int = 0
    meld: str = ""

    @property
    def faces(self) -> tuple[Tile, ...]:
        if self.shape == CHOW:
            return chow_faces(self.tile)
        return (self.tile,) * SIZES[self.shape]

    @property
    def is_pung(self) -> bool:
        """A pung or a kong of any kind."""
        return self.shape in (PUNG, KONG)

    @property
    def claimed(self) -> bool:
        """Made with another player's discard."""
        return self.meld not in ("", "concealed_kong")

    @property
    def wild_faces(self) -> tuple[Tile, ...]:
        """What the wild tiles in this group stand for."""
        return tuple(face for slot, face in enumerate(self.faces) if self.wilds >> slot & 1)


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a whole hand: declared sets first, then the concealed groups.

    ``shape`` names the winning shape (``"standard"``, ``"seven_pairs"``, ...). The winning tile stands in group ``at``,
    slot ``slot``; ``at`` is -1 where no tile is the last one (a dealt hand, a shape without groups).
    """

    groups: tuple[Group, ...]
    shape: str = "standard"
    at: int = -1
    slot: int = 0


_RINGS: dict[Tile, tuple[Tile, ...]] = {}


def chow_faces(base: Tile) -> tuple[Tile, ...]:
    """The three faces of a chow: base, base + 1, base + 2 in a suit; see ``honour_chow`` for runs of honours."""
    return _RINGS.get(base) or (base, base + 1, base + 2)


def honour_chows() -> tuple[tuple[Tile, ...], ...]:
    """Runs of honours where they are played (Nanchang): any three different winds, and C F P."""
    e, s, w, n, c, f, p = HONOURS
    return ((e, s, w), (e, s, n), (e, w, n), (s, w, n), (c, f, p))


# A run of honours needs a base of its own, since two runs can begin with the same wind: 100 and up.
for _number, _run in enumerate(honour_chows()):
    _RINGS[100 + _number] = _run
HONOUR_CHOW_BASES = tuple(_RINGS)


@lru_cache(maxsize=1)
def _chows_by_member() -> tuple[tuple[Tile, ...], ...]:
    """For each kind the bases of the suit chows it can stand in, lowest base first."""
    return tuple(
        tuple(b for b in (k - 2, k - 1, k) if k < 27 and b >= k // 9 * 9 and b + 2 < k // 9 * 9 + 9)
        for k in range(KINDS)
    )


@lru_cache(maxsize=1)
def _honour_chows_by_member() -> tuple[tuple[Tile, ...], ...]:
    return tuple(tuple(b for b in HONOUR_CHOW_BASES if k in _RINGS[b]) for k in range(KINDS))


def decompose(
    naturals: Sequence[int],
    wilds: int,
    sets: int,
    pairs: int = 1,
    *,
    chows: bool = True,
    with_honour_chows: bool = False,
) -> list[tuple[Group, ...]]:
    """Every reading of the tiles as ``sets`` sets and ``pairs`` pairs, each once; groups of wild tiles alone have tile -1.

    ``naturals``: counts by kind. Wild tiles may stand for a fifth copy of a tile. A reading is a tuple of groups in the
    order found. Returns an empty list where the number of tiles does not fit.
    """
    if sum(naturals) + wilds != 3 * sets + 2 * pairs:
        return []
    return list(_decompose(tuple(naturals), wilds, sets, pairs, chows, with_honour_chows))


@lru_cache(maxsize=4096)
def _decompose(
    naturals: tuple[int, ...], wilds: int, sets: int, pairs: int, chows: bool, honour_runs: bool
) -> tuple[tuple[Group, ...], ...]:
    counts = list(naturals)
    runs = _chows_by_member() if chows else ((),) * KINDS
    if honour_runs:
        runs = tuple(a + b for a, b in zip(runs, _honour_chows_by_member(), strict=True))
    out: list[tuple[Group, ...]] = []
    _search(counts, wilds, sets, pairs, runs, 0, 0, [], out)
    return tuple(out)


def _search(
    counts: list[int],
    wilds: int,
    sets: int,
    pairs: int,
    runs: Sequence[Sequence[Tile]],
    kind: int,
    least: int,
    groups: list[Group],
    out: list[tuple[Group, ...]],
) -> None:
    """Depth-first search; ``least`` keeps the groups that one kind starts in a fixed order, so none comes twice."""
    while kind < KINDS and not counts[kind]:
        kind, least = kind + 1, 0
    if kind == KINDS:
        blanks = [Group(PUNG, -1, 7)] * sets + [Group(PAIR, -1, 3)] * pairs
        out.append((*groups, *blanks))
        return
    for order, (group, taken, jokers) in enumerate(_choices(counts, wilds, sets, pairs, runs, kind)):
        if order < least:
            continue
        for tile in taken:
            counts[tile] -= 1
        if all(counts[tile] >= 0 for tile in taken) and jokers <= wilds:
            groups.append(group)
            is_pair = group.shape == PAIR
            _search(counts, wilds - jokers, sets - (not is_pair), pairs - is_pair, runs, kind, order, groups, out)
            groups.pop()
        for tile in taken:
            counts[tile] += 1


def _choices(
    counts: list[int], wilds: int, sets: int, pairs: int, runs: Sequence[Sequence[Tile]], kind: int
) -> Iterator[tuple[Group, tuple[Tile, ...], int]]:
    """The groups that the lowest tile left can start: the group, the natural tiles it takes, the wild tiles it needs.

    All choices come in the same order whatever is left, so that an index means the same choice further down.
    """
    yield from _same_tile_choices(kind, bool(sets), bool(pairs))
    if sets:
        for base in runs[kind]:
            yield from _chow_choices(kind, base)


@lru_cache(maxsize=512)
def _same_tile_choices(kind: Tile, sets: bool, pairs: bool) -> tuple[tuple[Group, tuple[Tile, ...], int], ...]:
    blocked = ((), (), 99)
    out = []
    for shape, size, allowed in ((PUNG, 3, sets), (PAIR, 2, pairs)):
        for natural in range(size, 0, -1):
            jokers = size - natural
            group = Group(shape, kind, (1 << size) - (1 << natural))
            out.append((group, (kind,) * natural, jokers) if allowed else (group, blocked[1], blocked[2]))
    return tuple(out)


@lru_cache(maxsize=512)
def _chow_choices(kind: Tile, base: Tile) -> tuple[tuple[Group, tuple[Tile, ...], int], ...]:
    faces = chow_faces(base)
    place = faces.index(kind)
    later = [slot for slot in range(3) if slot > place]
    out = []
    for natural_slots in _subsets(later):
        natural = (place, *natural_slots)
        mask = sum(1 << slot for slot in range(3) if slot not in natural)
        out.append((Group(CHOW, base, mask), tuple(faces[slot] for slot in natural), 3 - len(natural)))
    return tuple(out)


def _subsets(slots: list[int]) -> Iterator[tuple[int, ...]]:
    for bits in range((1 << len(slots)) - 1, -1, -1):
        yield tuple(slot for index, slot in enumerate(slots) if bits >> index & 1)


def give_faces(
    groups: tuple[Group, ...], faces: Sequence[Tile], chow_bases: Sequence[Tile], pung_faces: Sequence[Tile]
) -> Iterator[tuple[Group, ...]]:
    """Give the groups of wild tiles alone every face they may take, each combination once.

    ``faces``: for pairs; ``pung_faces`` and ``chow_bases``: for sets.
    """
    blank = [index for index, group in enumerate(groups) if group.tile == -1]
    if not blank:
        yield groups
        return
    options: list[Group] = [Group(PUNG, face, 7) for face in pung_faces] + [Group(CHOW, base, 7) for base in chow_bases]
    pair_options = [Group(PAIR, face, 3) for face in faces]
    known = groups[: blank[0]]
    yield from _filled(known, groups[blank[0] :], options, pair_options, 0, 0)


def _filled(
    known: tuple[Group, ...],
    blanks: tuple[Group, ...],
    sets: list[Group],
    pairs: list[Group],
    set_from: int,
    pair_from: int,
) -> Iterator[tuple[Group, ...]]:
    if not blanks:
        yield known
    elif blanks[0].shape == PUNG:
        for index in range(set_from, len(sets)):
            yield from _filled((*known, sets[index]), blanks[1:], sets, pairs, index, pair_from)
    else:
        for index in range(pair_from, len(pairs)):
            yield from _filled((*known, pairs[index]), blanks[1:], sets, pairs, set_from, index)


def can_form(
    naturals: Sequence[int], wilds: int, sets: int, pairs: int, *, chows: bool = True, with_honour_chows: bool = False
) -> bool:
    """Whether the tiles can be read as so many sets and pairs at all."""
    return bool(decompose(naturals, wilds, sets, pairs, chows=chows, with_honour_chows=with_honour_chows))
