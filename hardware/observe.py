"""What the table's messages mean for a game: plain observations, and the event-log entries they can become.

A pure function over plain data: `observe` takes what was seen so far and one item of a link, and gives what is seen now
and the observations. It judges the table against itself only (a wall of the wrong size, tiles that left the wall
unannounced, a set that came back incomplete); what the rules make of an observation is the referee's to say. After a
gap in the line nothing is concluded from what was counted before it.

Seats here are the game's: `Seating` says which of the table's sides seat 0 sits at. `entry` gives the fields of an
event-log entry that an observation can supply; the referee fills in the rest (section 11 of docs/table-line.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from hardware import protocol
from hardware.host import Answer, Event, Notice, Snapshot, TableEvent
from hardware.protocol import Message

# Observations; `at` is always the host's time in seconds ---------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DiceThrown:
    """Dice came to rest; `seat` None where the table cannot tell whose throw it was."""

    at: float
    values: tuple[int, ...]
    seat: int | None


@dataclass(frozen=True, slots=True)
class WallCounted:
    """The wall counted: stacks before each seat in the order of the table's sides, and tiles in all."""

    at: float
    stacks: tuple[int, ...] | None
    left: int | None


@dataclass(frozen=True, slots=True)
class WallOpened:
    """Whose wall was opened and how many stacks were left at its right end."""

    at: float
    wall: int
    stacks: int


@dataclass(frozen=True, slots=True)
class TileTurned:
    """Where the indicator was turned: the stack counted from the right and, where the wall was counted, the left end
    of its player's wall, each from 1."""

    at: float
    wall: int
    from_right: int
    from_left: int | None


@dataclass(frozen=True, slots=True)
class TilesDrawn:
    """Tiles left the wall at its "head" or "tail"; `left` tiles still stand in it (a turned indicator among them)."""

    at: float
    end: str
    count: int
    left: int | None
    seat: int | None


@dataclass(frozen=True, slots=True)
class StateChanged:
    """What the table is doing (`protocol.STATES`): "raised" begins a hand, "handin" ends it."""

    at: float
    state: str


@dataclass(frozen=True, slots=True)
class TilesHandedIn:
    """Tiles that fell into the table after the hand; `expected`: the set's, where known."""

    at: float
    count: int
    expected: int | None


@dataclass(frozen=True, slots=True)
class ButtonPressed:
    """A declaration by button: `word` of `protocol.BUTTON_WORDS` (or the table's own name); no seat: the centre's."""

    at: float
    word: str
    seat: int | None
    held: bool = False


@dataclass(frozen=True, slots=True)
class SticksCounted:
    """A seat's drawer holds so many points."""

    at: float
    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class TableTrouble:
    """Something is wrong with the table itself."""

    at: float
    code: str
    text: str


@dataclass(frozen=True, slots=True)
class TableStands:
    """The table as it stands, after connecting or a gap; what is None is not known."""

    at: float
    state: str | None
    dice: tuple[int, ...] | None
    stacks: tuple[int, ...] | None
    left: int | None
    handed_in: int | None


@dataclass(frozen=True, slots=True)
class LineChanged:
    """The line itself (`host.Notice`): people are to be told, and nothing unseen is to be concluded from."""

    at: float
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Doubt:
    """The table contradicts itself or its set. `kind`: "wall_size" (tiles built), "left" (tiles in the wall) or
    "set_size" (tiles handed in); `expected` and `found` in tiles."""

    at: float
    kind: str
    expected: int
    found: int
    text: str


Observation = (
    DiceThrown
    | WallCounted
    | WallOpened
    | TileTurned
    | TilesDrawn
    | StateChanged
    | TilesHandedIn
    | ButtonPressed
    | SticksCounted
    | TableTrouble
    | TableStands
    | LineChanged
    | Doubt
)


# What is kept between them --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Seating:
    """Where the players sit: the table's side at which the game's seat 0 sits, and how many play (3 or 4). With three
    players the side before seat 0's is empty."""

    side: int = 0
    players: int = 4

    def seat(self, side: int | None) -> int | None:
        """The game's seat at one of the table's sides; None where nobody sits there or no side is named."""
        if side is None:
            return None
        seat = (side - self.side) % 4
        return seat if seat < self.players else None

    def side_of(self, seat: int) -> int:
        """The table's side at which a seat of the game sits; for displays and lights."""
        return (self.side + seat) % 4


@dataclass(frozen=True, slots=True)
class Seen:
    """What is known of the table between two observations. `tiles`: size of the set (a TableHello's `tiles`);
    `buttons`: the table's own button names -> words of `protocol.BUTTON_WORDS`."""

    tiles: int | None = None
    seating: Seating = Seating()
    buttons: Mapping[str, str] = field(default_factory=dict)
    stacks: tuple[int, ...] | None = None
    left: int | None = None


_HARMLESS = ("opened", "connected", "input", "unrecorded", "malformed")


def observe(seen: Seen, event: Event) -> tuple[Seen, tuple[Observation, ...]]:
    """What one item of a link adds."""
    match event:
        case TableEvent():
            return _message(seen, event.message, event.at)
        case Snapshot(snap=snap, at=at):
            stands = TableStands(at, snap.state, snap.dice, snap.wall, snap.left, snap.count)
            return replace(seen, stacks=snap.wall, left=snap.left), (stands,)
        case Notice(kind=kind, text=text, at=at):
            known = seen if kind in _HARMLESS else replace(seen, stacks=None, left=None)
            return known, (LineChanged(at, kind, text),)
        case Answer():
            return seen, ()


def _message(seen: Seen, message: Message, at: float) -> tuple[Seen, tuple[Observation, ...]]:
    seat = seen.seating.seat
    match message:
        case protocol.State(state=state):
            known = replace(seen, stacks=None, left=None) if state == "shuffling" else seen
            return known, (StateChanged(at, state),)
        case protocol.Dice(values=values, seat=side):
            return seen, (DiceThrown(at, values, seat(side)),)
        case protocol.Wall():
            return _wall(seen, message, at)
        case protocol.Deal(wall=side, stacks=stacks):
            wall = seat(side)
            return seen, () if wall is None else (WallOpened(at, wall, stacks),)
        case protocol.Turn():
            return seen, _turned(seen, message, at)
        case protocol.Draw():
            return _drawn(seen, message, at)
        case protocol.HandIn(count=count):
            doubts = _compared(at, "set_size", seen.tiles, count, "tiles handed in")
            return seen, (TilesHandedIn(at, count, seen.tiles), *doubts)
        case protocol.Button(id=id, act=act, seat=side) if act in ("press", "hold"):
            return seen, (ButtonPressed(at, seen.buttons.get(id, id), seat(side), act == "hold"),)
        case protocol.Stick(seat=side, value=value):
            owner = seat(side)
            return seen, () if owner is None else (SticksCounted(at, owner, value),)
        case protocol.Error(code=code, text=text):
            return seen, (TableTrouble(at, code, text or ""),)
    return seen, ()


def _wall(seen: Seen, wall: protocol.Wall, at: float) -> tuple[Seen, tuple[Observation, ...]]:
    built = 2 * sum(wall.stacks) if wall.stacks is not None else None
    expected = seen.tiles if built is not None else None
    doubts = _compared(at, "wall_size", expected, built or 0, "tiles built into the wall")
    left = wall.left if wall.left is not None else built
    if built is None and left is not None:
        doubts = _compared(at, "left", seen.left, left, "tiles left in the wall")
    stacks = wall.stacks if wall.stacks is not None else seen.stacks
    return replace(seen, stacks=stacks, left=left), (WallCounted(at, wall.stacks, wall.left), *doubts)


def _turned(seen: Seen, turn: protocol.Turn, at: float) -> tuple[Observation, ...]:
    wall = seen.seating.seat(turn.wall)
    if wall is None:
        return ()
    known = seen.stacks is not None and turn.wall < len(seen.stacks)
    from_left = seen.stacks[turn.wall] - turn.stack + 1 if known and seen.stacks is not None else None
    return (TileTurned(at, wall, turn.stack, from_left),)


def _drawn(seen: Seen, draw: protocol.Draw, at: float) -> tuple[Seen, tuple[Observation, ...]]:
    expected = seen.left - draw.count if seen.left is not None else None
    doubts: tuple[Doubt, ...] = ()
    if draw.left is not None:
        doubts = _compared(at, "left", expected, draw.left, "tiles left in the wall")
    left = draw.left if draw.left is not None else expected
    drawn = TilesDrawn(at, draw.end, draw.count, draw.left, seen.seating.seat(draw.seat))
    return replace(seen, left=left), (drawn, *doubts)


def _compared(at: float, kind: str, expected: int | None, found: int, what: str) -> tuple[Doubt, ...]:
    if expected is None or expected == found:
        return ()
    return (Doubt(at, kind, expected, found, f"{found} {what}, {expected} expected"),)


# The event log --------------------------------------------------------------------------------------------------------

_DECLARATIONS = ("chow", "pung", "kong", "ready", "win", "pass", "bonus")


def entry(observation: Observation) -> dict[str, Any] | None:
    """The fields an observation supplies to an entry of the event log; None where it supplies none.

    They are what the table can know: a draw without its tile, a deal without the hands, a declaration without its tiles.
    `t` is the host's time and is to be brought to the log's beginning; a field that is not known is left out.
    """
    found = _fields(observation)
    if found is None:
        return None
    return {key: value for key, value in found.items() if value is not None} | {"t": observation.at, "by": "table"}


def _fields(observation: Observation) -> dict[str, Any] | None:
    match observation:
        case DiceThrown(values=values, seat=seat):
            return {"type": "dice", "values": list(values), "seat": seat}
        case WallOpened(wall=wall, stacks=stacks):
            return {"type": "deal", "wall": wall, "stacks": stacks}
        case TileTurned(wall=wall, from_right=stack):
            return {"type": "indicator", "wall": wall, "stack": stack}
        case TilesDrawn(end=end, count=1, seat=seat):
            return {"type": "draw", "end": end, "seat": seat}
        case ButtonPressed(word=word, seat=seat) if word in _DECLARATIONS and seat is not None:
            return {"type": word, "seat": seat}
        case StateChanged(state="raised"):
            return {"type": "start"}
        case StateChanged(state="handin"):
            return {"type": "end"}
        case TilesHandedIn(count=count):
            return {"type": "end", "handed_in": count}
    return None
