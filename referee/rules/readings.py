"""Decomposition solver: every way to read concealed tiles as sets and pairs, wild tiles included.

The solver works on counts of natural tiles (a list of ``tiles.KINDS`` numbers) and a number of wild tiles that may
stand for anything. It always takes the lowest natural tile left and tries every group that tile can belong to, in a
fixed order, so each reading comes out exactly once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import count
from typing import NamedTuple
from weakref import WeakValueDictionary

from referee.rules.tiles import HONOURS, KINDS, Tile, suit

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
        return chow_faces(self.tile) if self.shape == CHOW else (self.tile,) * SIZES[self.shape]

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
        return _wild_faces(self) if self.wilds else ()


@lru_cache(maxsize=4096)
def _wild_faces(group: Group) -> tuple[Tile, ...]:
    return tuple([face for slot, face in enumerate(group.faces) if group.wilds >> slot & 1])


class Reading(NamedTuple):
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

#: The suit of a group by its tile: 0-2, 3 for honours and runs of them, 4 for flowers and seasons.
SUIT_OF = {**{tile: suit(tile) for tile in range(KINDS)}, **dict.fromkeys(HONOUR_CHOW_BASES, 3)}


@lru_cache(maxsize=8)
def _runs(chows: bool, honour_runs: bool) -> tuple[tuple[Tile, ...], ...]:
    """For each kind the bases of the chows it can stand in, lowest base first."""
    out = []
    for k in range(KINDS):
        one = k // 9 * 9
        own = [b for b in (k - 2, k - 1, k) if chows and k < 27 and one <= b <= one + 6]
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
    stands_for: frozenset[Tile] | None = None,
    merge: Merge | None = None,
) -> tuple[tuple[Group, ...], ...]:
    """Every reading of the tiles as ``sets`` sets and ``pairs`` pairs, each once; groups of wild tiles alone have tile -1.

    ``naturals``: counts by kind. Wild tiles may stand for a fifth copy of a tile, and beside natural tiles for the kinds
    ``stands_for`` (None: any). A reading is a tuple of groups in the order of their tiles. Empty where the number of tiles
    does not fit. With ``merge`` only one is given of readings that it finds alike.
    """
    if sum(naturals) + wilds != 3 * sets + 2 * pairs:
        return ()
    naturals = bytes(naturals)  # of which a part is quickly made, and found in the memo tables
    if not wilds:
        return _natural(naturals, sets, pairs, chows, with_honour_chows)
    blocks = _blocks(chows, with_honour_chows, stands_for, merge)
    tiles = [(block, naturals[block.first : block.last]) for block in blocks]
    tiles = [(block, counts) for block, counts in tiles if any(counts)]
    needs = [_least_wilds(counts, wilds, sets, pairs, block.runs) for block, counts in tiles]
    over = wilds - sum(needs)
    if over < 0:
        return ()
    found: Iterable[_Part] = _NOTHING
    most = over  # wild tiles that the blocks so far may take
    for (block, counts), needed in zip(tiles, needs, strict=True):
        most += needed
        limits = _limits(sum(counts), needed + over, sets, pairs)
        parts = _parts(block.number, counts, 0, *limits) if limits else ()
        if found is _NOTHING:
            found = parts
            continue
        found = [
            (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] | b[5])
            for a in found
            for b in parts
            if a[1] + b[1] <= sets and a[2] + b[2] <= pairs and a[3] + b[3] <= most
        ]
        if merge:
            found = _merged(found)
    return tuple(
        [
            (*map(_GROUPS.__getitem__, part[0]), *(_LONE_SET,) * (sets - part[1]), *(_LONE_PAIR,) * (pairs - part[2]))
            for part in found
        ]
    )


#: Where one suit ends and the next begins, then the honours and the flowers: no chow crosses these.
_BLOCKS = ((0, 9), (9, 18), (18, 27), (27, KINDS))
_BLOCK_OF = {tile: min(suit, 3) for tile, suit in SUIT_OF.items()}

_LONE_SET, _LONE_PAIR = Group(PUNG, -1, 7), Group(PAIR, -1, 3)

# One way to read a block: the numbers of its groups, how many sets and pairs they are, the wild tiles they need, and (merging)
# what the rule set sees of them. Ints in plain tuples: thousands are made in a hand of many wild tiles and remembered, and
# what holds ints alone the garbage collector need not walk through.
_Part = tuple[tuple[int, ...], int, int, int, int, int]
_NOTHING: tuple[_Part, ...] = (((), 0, 0, 0, 0, 0),)

_GROUPS: list[Group] = []  # by number
_NUMBERS: dict[Group, int] = {}


def _number_of(group: Group) -> int:
    number = _NUMBERS.setdefault(group, len(_GROUPS))
    if number == len(_GROUPS):
        _GROUPS.append(group)
    return number


class Seen(NamedTuple):
    """What a rule set sees of a group: ``itself``, group by group; ``anywhere``, only whether some group of the hand has it.

    What compares equal is one: no 0 or 1 beside False or True.
    """

    itself: Hashable
    anywhere: tuple[Hashable, ...] = ()


Alike = Callable[[Group, frozenset[Tile]], Seen]
Waits = Callable[[str], str]  # of the waits in a chow (``chow_wait``) those of which the same is seen


class Merge:
    """What a rule set cannot tell apart: ``alike`` says what it sees of a group in a hand with these wild kinds. Groups of
    which it sees the same can be exchanged without a change to the score or to what is legal. ``win``: the winning tile's
    faces; ``win_wild``: it is a wild tile that may stand for others. Groups that could hold a natural winning tile in other
    slots differ by themselves; with ``waits`` those instead in which it, or a wild one, makes a wait that this sees as another.

    Compared by identity (``Merge.of`` makes each once), so that memo tables find it quickly.
    """

    __slots__ = ("sights",)

    def __init__(
        self, alike: Alike, wild_kinds: frozenset[Tile], win: tuple[Tile, ...], win_wild: bool, waits: Waits | None
    ) -> None:
        # wild kinds and winning tiles elsewhere do not concern a block: most are the same in many hands
        self.sights = tuple(
            _sight(
                alike,
                wild_kinds.intersection(range(first, last)),
                tuple([face for face in win if first <= face < last]),
                win_wild,
                waits,
            )
            for first, last in _BLOCKS
        )

    @staticmethod
    @lru_cache(maxsize=4096)
    def of(alike: Alike, wild_kinds: frozenset[Tile], win: tuple[Tile, ...], win_wild: bool, waits: Waits | None) -> Merge:
        return Merge(alike, wild_kinds, win, win_wild, waits)

    def sees(self, groups: tuple[Group, ...]) -> tuple[int, int]:
        """What is seen of these groups together: equal for readings that need not be told apart."""
        sights = self.sights
        each = anywhere = 0
        for group in groups:
            itself, marks, _ = sights[_BLOCK_OF[group.tile]].seen[group]
            each += itself
            anywhere |= marks
        return each, anywhere

    def places(self, groups: tuple[Group, ...]) -> Iterator[tuple[int, int]]:
        """Where the winning tile can be in these groups, group and slot, each place of a kind once."""
        sights = self.sights
        told: set[int] = set()
        for at, group in enumerate(groups):
            for slot, place in sights[_BLOCK_OF[group.tile]].seen[group][2]:
                if place not in told:
                    told.add(place)
                    yield at, slot


class _Sight:
    """What is seen of the groups of one block.

    ``seen[group]`` is that as two numbers that tell readings apart when those of the groups are put together, the first ones
    added up, the others joined bit by bit; and the places in the group where the winning tile can be told apart, each as a
    slot and what is seen of it there.
    """

    __slots__ = ("alike", "seen", "waits", "wild_kinds", "win", "win_wild")

    def __init__(
        self, alike: Alike, wild_kinds: frozenset[Tile], win: tuple[Tile, ...], win_wild: bool, waits: Waits | None
    ) -> None:
        self.alike, self.wild_kinds, self.win, self.win_wild, self.waits = alike, wild_kinds, win, win_wild, waits
        self.seen = _SeenNumbers(self)

    def of_group(self, group: Group) -> tuple[Hashable, tuple[Hashable, ...], dict[Hashable, int]]:
        """What is seen of a group, itself and anywhere, and of the winning tile's places in it, each with its slot."""
        itself, anywhere = self.alike(group, self.wild_kinds)
        slots = win_slots(group, self.win, self.win_wild) if self.win or self.win_wild else ()
        if self.waits:
            waits: dict[Hashable, int]
            waits = {self.waits(chow_wait(group.tile, slot)) if group.shape == CHOW else "": slot for slot in reversed(slots)}
            return (itself, tuple(sorted(map(str, waits)))), anywhere, waits
        return (itself, () if self.win_wild else slots), anywhere, {slot: slot for slot in slots}


_sight = lru_cache(maxsize=4096)(_Sight)


class _SeenNumbers(dict[Group, tuple[int, int, tuple[tuple[int, int], ...]]]):
    """The numbers of what is seen of each group, found when first asked for."""

    def __init__(self, sight: _Sight) -> None:
        self.sight = sight

    def __missing__(self, group: Group) -> tuple[int, int, tuple[tuple[int, int], ...]]:
        kinds = _KINDS_SEEN.setdefault(self.sight.alike, {})

        itself, anywhere, places = self.sight.of_group(group)
        found = self[group] = (
            1 << _MOST_GROUPS * kinds.setdefault(itself, len(kinds)),
            sum({1 << kinds.setdefault(mark, len(kinds)) for mark in anywhere}),
            tuple([(slot, kinds.setdefault((itself, place), len(kinds))) for place, slot in places.items()]),
        )
        return found


_MOST_GROUPS = 5  # bits to count groups of one kind with: no hand has 32

#: For each rule set's ``alike`` a numbering of what it sees, one for all merges, since those of different blocks are added up.
_KINDS_SEEN: dict[Alike, dict[Hashable, int]] = {}


def chow_wait(base: Tile, slot: int) -> str:
    """How the tile in this slot completes a chow: ``"gap"``, ``"edge"`` or ``"open"``."""
    if slot == 1:
        return "gap"
    if base < 27 and ((slot == 2 and base % 9 == 0) or (slot == 0 and base % 9 == 6)):
        return "edge"
    return "open"


@lru_cache(maxsize=16384)
def win_slots(group: Group, win_faces: tuple[Tile, ...], win_wild: bool) -> tuple[int, ...]:
    """The slots of a group that the winning tile may have filled.

    Those of a pair or pung are alike: a wild slot and a natural one never compete for the same winning tile.
    """
    if group.meld:
        return ()
    slots = tuple(
        slot
        for slot, face in enumerate(group.faces)
        if (group.wilds >> slot & 1 if win_wild else not group.wilds >> slot & 1 and face in win_faces)
    )
    return slots if group.shape == CHOW else slots[:1]


def _merged(parts: Iterable[_Part]) -> Iterable[_Part]:
    """One part of each kind of those that the rule set cannot tell apart."""
    return {part[1:]: part for part in parts}.values()


class _Block:
    """A suit, or the honours: the groups its tiles can be in, and what is seen of them."""

    __slots__ = ("__weakref__", "_choices", "_seen", "_unlike", "first", "last", "number", "runs")

    def __init__(
        self, first: Tile, last: Tile, chows: bool, honour_runs: bool, faces: frozenset[Tile] | None, sight: _Sight | None
    ) -> None:
        self.first, self.last, self.runs = first, last, _windows(first, chows, honour_runs)
        self._choices = _all_choices(first, last, chows, honour_runs, faces)
        self._seen = sight.seen if sight else None
        self._unlike: dict[tuple[int, int], list[_SeenChoice]] = {}
        self.number = next(_block_numbers)
        _BLOCKS_MADE[self.number] = self

    def read(self, counts: bytes, least: int, wilds: int, sets: int, pairs: int) -> Iterable[_Part]:
        """See ``_parts``."""
        tiles = sum(counts)
        if not tiles:
            return _NOTHING
        low = _lowest(counts)
        copies = counts[low]
        out: list[_Part] = []
        for order, number, taken, others, needed, is_pair, itself, anywhere in self._starting(min(wilds, 2), low):
            if order < least or taken > copies or not (pairs if is_pair else sets):
                continue
            limits = _limits(tiles - taken - len(others), wilds - needed, sets - (not is_pair), pairs - is_pair)
            if limits is None:
                continue
            rest = list(counts)
            rest[low] -= taken
            for i in others:
                rest[i] -= 1
            if -1 in rest:
                continue
            further = _parts(self.number, bytes(rest), order if rest[low] else 0, *limits)
            if further:
                a, b = not is_pair, is_pair
                out += [
                    ((number, *groups), s + a, p + b, w + needed, each + itself, any_ | anywhere)
                    for groups, s, p, w, each, any_ in further
                ]
        return out if self._seen is None else _merged(out)

    def _starting(self, wilds: int, low: int) -> list[_SeenChoice]:
        """The groups that this kind can start with so many wild tiles (2: or more); merging, one of each kind of those that
        take the same tiles."""
        found = self._unlike.get((wilds, low))
        if found is None:
            seen = self._seen
            choices = [(*c, *((0, 0) if seen is None else seen[_GROUPS[c.group]][:2])) for c in self._choices[wilds][low]]
            if seen is not None:
                choices = list({choice[2:]: choice for choice in reversed(choices)}.values())[::-1]
            found = self._unlike[wilds, low] = choices
        return found


@lru_cache(maxsize=1024)
def _blocks(
    chows: bool, honour_runs: bool, stands_for: frozenset[Tile] | None, merge: Merge | None
) -> tuple[_Block, ...]:
    """The blocks of a hand in which these runs, faces and differences count."""
    return tuple(
        _block(
            first, last, chows, honour_runs,
            None if stands_for is None else stands_for.intersection(range(first, last)),
            None if merge is None else merge.sights[number],
        )
        for number, (first, last) in enumerate(_BLOCKS)
    )  # fmt: skip


_block = lru_cache(maxsize=4096)(_Block)
_block_numbers = count()
_BLOCKS_MADE: WeakValueDictionary[int, _Block] = WeakValueDictionary()


@lru_cache(maxsize=32768)
def _parts(block: int, counts: bytes, least: int, wilds: int, sets: int, pairs: int) -> tuple[_Part, ...]:
    """Every way to read these natural tiles of a block with at most so many wild tiles, sets and pairs (within ``_limits``).

    The lowest tile left starts each group it can, and what is left then is read in turn (and remembered). ``least`` keeps
    the groups that one kind starts in a fixed order, so that no reading comes twice. The block is given by its number, so
    that what is remembered are plain numbers alone.
    """
    return tuple(_BLOCKS_MADE[block].read(counts, least, wilds, sets, pairs))


def _lowest(counts: bytes) -> int:
    """The first place of a block with a tile."""
    return len(counts) - len(counts.lstrip(b"\0"))


@lru_cache(maxsize=4096)
def _limits(tiles: int, wilds: int, sets: int, pairs: int) -> tuple[int, int, int] | None:
    """Of these wild tiles, sets and pairs so many as natural tiles of this number can use, with one of them in every group;
    None where they fill no sets and pairs. Without what is of no use more is found remembered."""
    ways = [(s, p) for s in range(sets + 1) for p in range(pairs + 1) if 0 <= 3 * s + 2 * p - tiles <= wilds and s + p <= tiles]
    if not ways:
        return None
    return max(3 * s + 2 * p for s, p in ways) - tiles, max(s for s, _ in ways), max(p for _, p in ways)


class _Choice(NamedTuple):
    """A group (its number) that the lowest tile left can start: how many of that tile it takes, at which places of the block
    it takes one tile more, the wild tiles it needs. ``order``: its number among the groups that this tile can start."""

    order: int
    group: int
    copies: int
    others: tuple[int, ...]
    wilds: int
    is_pair: bool


@lru_cache(maxsize=64)
def _all_choices(
    first: Tile, last: Tile, chows: bool, honour_runs: bool, faces: frozenset[Tile] | None
) -> tuple[tuple[tuple[_Choice, ...], ...], ...]:
    """By the wild tiles left (2: or more) and the place of a kind in the block: the groups it can start."""
    runs = _runs(chows, honour_runs)
    allowed = [
        [c for c in _choices(first, kind, runs[kind]) if faces is None or faces.issuperset(_GROUPS[c.group].wild_faces)]
        for kind in range(first, last)
    ]
    return tuple(tuple(tuple(c for c in choices if c.wilds <= wilds) for choices in allowed) for wilds in range(3))


# A choice and what the rule set sees of its group.
_SeenChoice = tuple[int, int, int, tuple[int, ...], int, bool, int, int]


def _choices(first: Tile, kind: Tile, bases: tuple[Tile, ...]) -> tuple[_Choice, ...]:
    """The groups that ``kind``, of the block that begins with ``first``, can start as the lowest tile left."""
    out: list[tuple[Group, int, tuple[int, ...], int]] = []
    for shape, size in ((PUNG, 3), (PAIR, 2)):
        for natural in range(size, 0, -1):
            out.append((Group(shape, kind, (1 << size) - (1 << natural)), natural, (), size - natural))
    for base in bases:
        faces = chow_faces(base)
        place = faces.index(kind)
        for natural_slots in _subsets([slot for slot in range(3) if slot > place]):
            mask = sum(1 << slot for slot in range(3) if slot not in (place, *natural_slots))
            others = tuple(faces[slot] - first for slot in natural_slots)
            out.append((Group(CHOW, base, mask), 1, others, 2 - len(others)))
    return tuple(
        _Choice(order, _number_of(group), copies, others, wilds, group.shape == PAIR)
        for order, (group, copies, others, wilds) in enumerate(out)
    )


def _subsets(slots: list[int]) -> Iterator[tuple[int, ...]]:
    for bits in range((1 << len(slots)) - 1, -1, -1):
        yield tuple(slot for index, slot in enumerate(slots) if bits >> index & 1)


# --- natural tiles alone -----------------------------------------------------------------------------------------


def _natural(
    naturals: bytes, sets: int, pairs: int, chows: bool, honour_runs: bool
) -> tuple[tuple[Group, ...], ...]:
    """``decompose`` for natural tiles alone. What a suit's tiles can be read as is remembered for all three suits."""
    found: list[tuple[tuple[Group, ...], int]] = [((), 0)]
    for first, last, like, groups in _natural_blocks(chows, honour_runs):
        counts = naturals[first:last]
        if counts.strip(b"\0"):
            parts = _natural_parts(like, chows, honour_runs, counts, sets, pairs, 0)
            found = [
                (before + tuple([groups[number] for number in numbers]), so_far + paired)
                for before, so_far in found
                for numbers, paired in parts
            ]
            if not found:
                return ()
    return tuple([groups for groups, paired in found if paired == pairs])


@lru_cache(maxsize=8)
def _natural_blocks(chows: bool, honour_runs: bool) -> tuple[tuple[Tile, Tile, Tile, tuple[Group, ...]], ...]:
    """Where each block begins and ends, where the first one like it begins, and its groups by number."""
    return tuple(
        (
            first, last, first if first >= 27 else 0,
            tuple(_GROUPS[c.group] for choices in _all_choices(first, last, chows, honour_runs, None)[0] for c in choices),
        )
        for first, last in _BLOCKS
    )  # fmt: skip


@lru_cache(maxsize=8)
def _natural_choices(first: Tile, chows: bool, honour_runs: bool) -> tuple[tuple[tuple[int, tuple[int, ...], bool], ...], ...]:
    """For each place of a block the groups that its tile can start: number, the places they take a tile from, whether a pair."""
    last = next(end for begin, end in _BLOCKS if begin == first)
    numbers = count()
    return tuple(
        tuple((next(numbers), (*(place,) * c.copies, *c.others), c.is_pair) for c in choices)
        for place, choices in enumerate(_all_choices(first, last, chows, honour_runs, None)[0])
    )


@lru_cache(maxsize=16384)
def _natural_parts(
    first: Tile, chows: bool, honour_runs: bool, counts: bytes, sets: int, pairs: int, least: int
) -> tuple[tuple[tuple[int, ...], int], ...]:
    """As ``_parts``: each way as the numbers of its groups and how many of them are pairs."""
    tiles = sum(counts)
    if not tiles:
        return (((), 0),)
    if _limits(tiles, 0, sets, pairs) is None:
        return ()
    low = _lowest(counts)
    out: list[tuple[tuple[int, ...], int]] = []
    for number, taken, is_pair in _natural_choices(first, chows, honour_runs)[low]:
        if number < least or not (pairs if is_pair else sets):
            continue
        rest = list(counts)
        for place in taken:
            rest[place] -= 1
        if min(rest) < 0:
            continue
        further = _natural_parts(
            first, chows, honour_runs, bytes(rest), sets - (not is_pair), pairs - is_pair, number if rest[low] else 0
        )
        out += [((number, *numbers), paired + is_pair) for numbers, paired in further]
    return tuple(out)


# --- groups of wild tiles alone, and whether tiles form sets at all ------------------------------------------------


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
    """Whether the tiles can be read as so many sets and pairs at all.

    Far quicker than reading them: which tiles of a group are wild does not matter, only which faces it covers.
    """
    if sum(naturals) + wilds != 3 * sets + 2 * pairs:
        return False
    naturals = bytes(naturals)
    found = {(0, 0)}
    tiles = 0
    for first, last in _BLOCKS:
        counts = naturals[first:last]
        if not any(counts):
            continue
        tiles += sum(counts)
        ways = _ways(counts, wilds, sets, pairs, _windows(first, chows, with_honour_chows))
        found = {
            (a + c, b + d)
            for a, b in found
            for c, d in ways
            if a + c <= sets and b + d <= pairs and 3 * (a + c) + 2 * (b + d) - tiles <= wilds
        }
        if not found:
            return False
    return True


_Windows = tuple[tuple[tuple[int, ...], ...], ...]


@lru_cache(maxsize=32)
def _windows(first: Tile, chows: bool, honour_runs: bool) -> _Windows:
    """For each place of a block the runs it can stand in, as places of the block: the same for the three suits."""
    last = next(end for begin, end in _BLOCKS if begin == first)
    runs = _runs(chows, honour_runs)
    return tuple(
        tuple(tuple(face - first for face in chow_faces(base)) for base in runs[kind]) for kind in range(first, last)
    )


@lru_cache(maxsize=16384)
def _least_wilds(counts: bytes, wilds: int, sets: int, pairs: int, runs: _Windows) -> int:
    """The fewest wild tiles that make a block's tiles whole sets and pairs; more than ``wilds`` if these are too few."""
    ways = _ways(counts, wilds, sets, pairs, runs)
    return min([3 * s + 2 * p for s, p in ways]) - sum(counts) if ways else wilds + 1


@lru_cache(maxsize=65536)
def _ways(counts: bytes, wilds: int, sets: int, pairs: int, runs: _Windows) -> tuple[tuple[int, int], ...]:
    """How many sets and pairs can cover a block's tiles: every possible number of each, ``wilds`` filling the gaps.

    A group that covers the lowest tile left takes every natural tile it can: a wild tile in its place would only leave the
    same tile to a later group, which then needs a wild tile less.
    """
    tiles = sum(counts)
    if not tiles:
        return ((0, 0),)
    if _limits(tiles, wilds, sets, pairs) is None:
        return ()
    low = _lowest(counts)
    out: set[tuple[int, int]] = set()
    for is_pair, faces in ((False, (low,) * 3), (True, (low,) * 2), *((False, run) for run in runs[low])):
        if not (pairs if is_pair else sets):
            continue
        rest = list(counts)
        missing = 0
        for face in faces:
            if rest[face]:
                rest[face] -= 1
            else:
                missing += 1
        if missing <= wilds:
            further = _ways(bytes(rest), wilds - missing, sets - (not is_pair), pairs - is_pair, runs)
            out.update([(s + (not is_pair), p + is_pair) for s, p in further])
    return tuple(out)
