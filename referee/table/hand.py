"""What is known of one player's tiles: concealed tiles seen or not seen, sets, bonus tiles, discards, what he owes.

A hand is a multiset of tiles known to be in it and a number of tiles nobody saw; it is known exactly when that number
is zero. Everything here is a value; functions return the changed one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from referee.rules.record import Meld
from referee.rules.tiles import Tile

if TYPE_CHECKING:
    from referee.table.state import State

KONGS = frozenset({"kong", "added_kong", "concealed_kong"})
Value = TypeVar("Value")


def update(value: Value, **fields: Any) -> Value:
    """``dataclasses.replace`` for the large values of the table, many times faster: fields are copied as they are."""
    assert fields.keys() <= value.__dict__.keys()
    new = object.__new__(type(value))
    new.__dict__.update(value.__dict__)
    new.__dict__.update(fields)
    return new


@dataclass(frozen=True, slots=True)
class Thrown:
    """A discard: the event's number, the tile (None: nobody saw it), whether it was claimed."""

    n: int
    tile: Tile | None
    taken: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Passed:
    """A discard a player let go since his last turn. ``after`` is the table just after it; ``own``: his own discard;
    ``openly``: he refused a win on it aloud."""

    n: int
    tile: Tile | None
    discarder: int
    after: State | None = field(default=None, repr=False)
    own: bool = False
    openly: bool = False


@dataclass(frozen=True)
class Seat:
    """One player's side of the table.

    ``extra``: tiles drawn or claimed for that are still to be discarded. ``owed``: replacements still to be drawn,
    the last one ``owed_for`` a kong or a flower.
    ``kept``: a tile drawn among the last ones, where nobody discards. ``off``: the hand was named long or short and
    still is. ``dead``: why the hand may not win. ``kong_run`` / ``float_run``: kongs and floats in the unbroken run
    of the two; ``turn_kongs``: kongs since the last discard; ``chain``: the place of the last kong in a row of kongs;
    ``last_kong``: its tile and from whom it was claimed.
    ``drawn``: the last tile drawn in this turn, ``drawn_as`` what it was (the ``source`` of a win on it).
    ``dice_left`` / ``dice_drawn``: tiles chosen by dice still to come, and drawn in this turn.
    ``as_dealt``: every discard was the tile just drawn. ``binding``: the rule set knows this kind of ready.
    ``bound``: the hand may not change; ``bound_hand``: what it was, where known.
    ``barred_then``: claims made since the last discard (event, seat) that were barred if it was a float.
    ``unjudged``: the table before the last discard, where the hand was not known then and may yet be shown.
    """

    known: tuple[Tile, ...] = ()
    unknown: int = 0
    melds: tuple[Meld, ...] = ()
    bonus: tuple[Tile, ...] = ()
    discards: tuple[Thrown, ...] = ()
    extra: int = 0
    owed: int = 0
    owed_for: str = "flower"
    kept: int = 0
    off: str | None = None
    dead: tuple[str, ...] = ()
    drawn: Tile | None = None
    has_drawn: bool = False
    drawn_as: str = "wall"
    had_turn: bool = False
    after_claim: Tile | None = None
    kong_run: int = 0
    float_run: int = 0
    turn_kongs: int = 0
    chain: int = 0
    last_kong: tuple[Tile | None, int | None] = (None, None)
    claimed_in_float: int | None = None
    dice_left: int = 0
    dice_drawn: tuple[Tile | None, ...] = ()
    ready: str | None = None
    ready_n: int = 0
    binding: bool = False
    opened: int = 0
    as_dealt: bool = True
    bound: bool = False
    bound_hand: tuple[Tile, ...] | None = None
    held_third: tuple[Tile, ...] = ()
    passed: tuple[Passed, ...] = ()
    barred_then: tuple[tuple[int, int], ...] = ()
    unjudged: State | None = field(default=None, repr=False, compare=False)
    stake: int | None = None
    side_stake: int | None = None
    chips: int | None = None

    @property
    def held(self) -> int:
        """Concealed tiles, by bookkeeping."""
        return len(self.known) + self.unknown

    @property
    def exact(self) -> bool:
        """Whether every concealed tile is known."""
        return self.unknown == 0

    def proper(self, hand_size: int) -> int:
        """Concealed tiles that belong there: three less a set, plus the drawn tile, less replacements not yet drawn."""
        return hand_size - 3 * len(self.melds) + self.extra + self.kept - self.owed

    @property
    def kongs(self) -> int:
        return sum(meld.kind in KONGS for meld in self.melds)

    @property
    def last(self) -> Thrown | None:
        """The last own discard."""
        return self.discards[-1] if self.discards else None


def put(seat: Seat, tile: Tile | None) -> Seat:
    """A tile comes into the hand."""
    if tile is None:
        return update(seat, unknown=seat.unknown + 1)
    return update(seat, known=tuple(sorted((*seat.known, tile))))


def take(seat: Seat, tile: Tile | None) -> Seat:
    """A tile leaves the hand.

    A known one is taken from the known tiles, otherwise it was among those nobody saw. Where it can have been
    neither, or nobody saw what left, what was known of the hand is no longer certain: only the number of tiles is kept.
    """
    if tile is not None and tile in seat.known:
        at = seat.known.index(tile)
        return update(seat, known=seat.known[:at] + seat.known[at + 1 :])
    if seat.unknown and (tile is not None or not seat.known):
        return update(seat, unknown=seat.unknown - 1)
    return update(seat, known=(), unknown=max(seat.held - 1, 0))


def take_all(seat: Seat, tiles: Iterable[Tile | None]) -> Seat:
    for tile in tiles:
        seat = take(seat, tile)
    return seat


def shown(seat: Seat, hand: Sequence[Tile]) -> Seat:
    """The hand is laid open: what is shown is what there is."""
    return update(seat, known=tuple(sorted(hand)), unknown=0)


def counted(seat: Seat, number: int) -> Seat:
    """The concealed tiles were counted; fewer than are known means that some of those are gone, nobody knows which."""
    if number >= len(seat.known):
        return update(seat, unknown=number - len(seat.known))
    return update(seat, known=(), unknown=number)


def minus(tiles: Iterable[Tile], others: Iterable[Tile]) -> tuple[Tile, ...]:
    """``tiles`` without ``others``, as multisets."""
    return tuple(sorted((Counter(tiles) - Counter(others)).elements()))


