"""Decomposition solver: every way to read concealed tiles as sets and pairs, wild tiles included.

The solver works on counts of natural tiles (a list of ``tiles.KINDS`` numbers) and a number of wild tiles that may
stand for anything. It always takes the lowest natural tile left and tries every group that tile can belong to, in a
fixed order, so each reading comes out exactly once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
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


@lru_cache(maxsize=8)
def _runs(chows: bool, honour_runs: bool) -> tuple[tuple[Tile, ...], ...]:
    """For each kind the bases of the chows it can stand in, lowest base first."""
    out = []
    for k in range(KINDS):
        suit = k // 9 * 9
        own = [b for b in (k - 2, k - 1, k) if chows and k < 27 and suit <= b <= suit + 6]
        out.append(tuple(own + [b for b in HONOUR_CHOW_BASES if honour_runs and k in _RINGS[b]]))
    return tuple(out)


def decompose(
    naturals: Sequence[int],
    wilds: int,
    sets: int,
    pairs: int = 1,
    *,
    chows: bool = True,
    with_honour_chows: bool = False,
    merge: Merge | None = None,
) -> tuple[tuple[Group, ...], ...]:
    """Every reading of the tiles as ``sets`` sets and ``pairs`` pairs, each once; groups of wild tiles alone have tile -1.

    ``naturals``: counts by kind. Wild tiles may stand for a fifth copy of a tile. A reading is a tuple of groups in the
    order of their tiles. Empty where the number of tiles does not fit. With ``merge`` only one is given of readings whose
    groups it finds alike.
    """
    if sum(naturals) + wilds != 3 * sets + 2 * pairs:
        return ()
    return _decompose(tuple(naturals), wilds, sets, pairs, chows, with_honour_chows, merge)


#: Where one suit ends and the next begins, then the honours and the flowers: no chow crosses these.
_BLOCKS = ((0, 9), (9, 18), (18, 27), (27, KINDS))


Alike = Callable[[Group, frozenset[Tile]], Hashable]


class Merge(NamedTuple):
    """What a rule set cannot tell apart: ``alike`` gives groups with the same value where exchanging them, in a hand with
    these wild kinds, changes neither the score nor what is legal. ``win``: the winning tile's faces; groups that could
    hold it differ from those that could not, which ``alike`` need not see to."""

    alike: Alike
    wild_kinds: frozenset[Tile]
    win: tuple[Tile, ...]

    def key(self, group: Group) -> tuple[str, int]:
        """What the rule set sees of a group: equal for groups that need not be told apart."""
        return _seen_of(self, group)


@lru_cache(maxsize=65536)
def _seen_of(merge: Merge, group: Group) -> tuple[str, int]:
    places = sum(1 << i for i, f in enumerate(group.faces) if f in merge.win and not group.wilds >> i & 1)
    return repr(merge.alike(group, merge.wild_kinds)), places


class _Part(NamedTuple):
    """One way to read a block: its groups, how many sets and pairs they are, the wild tiles they need, and (merging)
    what the rule set sees of the groups."""

    groups: tuple[Group, ...]
    sets: int
    pairs: int
    wilds: int
    seen: tuple[tuple[str, int], ...] = ()

    def beside(self, other: _Part) -> _Part:
        return _Part(
            self.groups + other.groups,
            self.sets + other.sets,
            self.pairs + other.pairs,
            self.wilds + other.wilds,
            tuple(sorted(self.seen + other.seen)) if self.seen or other.seen else (),
        )


def _merged(parts: Iterable[_Part]) -> list[_Part]:
    """One part of each kind of those that the rule set cannot tell apart."""
    return list({part[1:]: part for part in parts}.values())


@lru_cache(maxsize=4096)
def _decompose(
    naturals: tuple[int, ...], wilds: int, sets: int, pairs: int, chows: bool, honour_runs: bool, merge: Merge | None
) -> tuple[tuple[Group, ...], ...]:
    """Read each suit by itself and put the parts together: groups never cross suits."""
    found = [_Part((), 0, 0, 0)]
    for first, last in _BLOCKS:
        counts = naturals[first:last]
        if any(counts):
            parts = _parts(counts, 0, wilds, sets, pairs, _Block(first, last, chows, honour_runs, merge))
            found = [
                a.beside(b)
                for a in found
                for b in parts
                if a.sets + b.sets <= sets and a.pairs + b.pairs <= pairs and a.wilds + b.wilds <= wilds
            ]
            if not found:
                return ()
            if merge:
                found = _merged(found)
    return tuple(
        part.groups + (Group(PUNG, -1, 7),) * (sets - part.sets) + (Group(PAIR, -1, 3),) * (pairs - part.pairs)
        for part in found
        if 3 * (sets - part.sets) + 2 * (pairs - part.pairs) == wilds - part.wilds
    )


class _Block(NamedTuple):
    """What reading a block hangs on beside its tiles: the kinds it begins with and ends before, the chows played, merging."""

    first: Tile
    last: Tile
    chows: bool
    honour_runs: bool
    merge: Merge | None


_DONE = (_Part((), 0, 0, 0),)


@lru_cache(maxsize=131072)
def _parts(
    counts: tuple[int, ...], least: int, wilds: int, sets: int, pairs: int, block: _Block
) -> tuple[_Part, ...]:
    """Every way to read one block's natural tiles with at most so many wild tiles, sets and pairs.

    The lowest tile left starts each group it can, and what is left then is read in turn (and remembered). ``least`` keeps
    the groups that one kind starts in a fixed order, so that no reading comes twice.
    """
    low = next((i for i, n in enumerate(counts) if n), None)
    if low is None:
        return _DONE
    if sum(counts) > 3 * sets + 2 * pairs:
        return ()
    merge, first = block.merge, block.first
    choices = _choices(first + low, _runs(block.chows, block.honour_runs)[first + low])
    out: list[_Part] = []
    for order, (group, taken, jokers) in enumerate(choices):
        pair = group.shape == PAIR
        if order < least or jokers > wilds or not (pairs if pair else sets):
            continue
        if not (counts[low] >= len(taken) if taken[0] == taken[-1] else all(counts[tile - first] for tile in taken)):
            continue
        rest = list(counts)
        for tile in taken:
            rest[tile - first] -= 1
        further = _parts(tuple(rest), order if rest[low] else 0, wilds - jokers, sets - (not pair), pairs - pair, block)
        key = (merge.key(group),) if merge else ()
        out += [
            _Part(
                (group, *p.groups),
                p.sets + (not pair),
                p.pairs + pair,
                p.wilds + jokers,
                tuple(sorted(key + p.seen)) if key else (),
            )
            for p in further
        ]
    return tuple(_merged(out)) if merge else tuple(out)


@lru_cache(maxsize=512)
def _choices(kind: Tile, bases: tuple[Tile, ...]) -> tuple[tuple[Group, tuple[Tile, ...], int], ...]:
    """The groups that the lowest tile left can start: the group, the natural tiles it takes, the wild tiles it needs."""
    out: list[tuple[Group, tuple[Tile, ...], int]] = []
    for shape, size in ((PUNG, 3), (PAIR, 2)):
        for natural in range(size, 0, -1):
            out.append((Group(shape, kind, (1 << size) - (1 << natural)), (kind,) * natural, size - natural))
    for base in bases:
        out.extend(_chow_choices(kind, base))
    return tuple(out)


def _chow_choices(kind: Tile, base: Tile) -> Iterator[tuple[Group, tuple[Tile, ...], int]]:
    faces = chow_faces(base)
    place = faces.index(kind)
    for natural_slots in _subsets([slot for slot in range(3) if slot > place]):
        natural = (place, *natural_slots)
        mask = sum(1 << slot for slot in range(3) if slot not in natural)
        yield Group(CHOW, base, mask), tuple(faces[slot] for slot in natural), 3 - len(natural)


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


_ANY = Merge(lambda group, wild_kinds: 0, frozenset(), ())


def can_form(
    naturals: Sequence[int], wilds: int, sets: int, pairs: int, *, chows: bool = True, with_honour_chows: bool = False
) -> bool:
    """Whether the tiles can be read as so many sets and pairs at all: any reading is as good as another."""
    return bool(decompose(naturals, wilds, sets, pairs, chows=chows, with_honour_chows=with_honour_chows, merge=_ANY))
