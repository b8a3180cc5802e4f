"""What can happen at a table: one frozen value an event (docs/formats/event-log.md).

``read_event`` turns the JSON object of one line into an event and refuses what cannot be understood; ``write_event`` is
its inverse. Whether an event was allowed is not asked here: see ``faults``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple

from referee.rules import tiles as t
from referee.rules.record import SOURCES
from referee.rules.tiles import Tile

MOST_SEATS = 4
MOST_TILES = 144
COMMON = ("n", "t", "by", "confidence", "evidence")


class EventError(ValueError):
    """An event that cannot be understood: the message names the field and the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """``n`` is the event's number in the log, ``t`` seconds since it began, ``by`` who said so (camera, table, person,
    player), ``evidence`` file names, ``extra`` fields nobody here knows, kept as they were."""

    type: ClassVar[str] = ""
    n: int = 0
    t: float | None = None
    by: str | None = None
    confidence: float | None = None
    evidence: tuple[str, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Start(Event):
    """A hand begins; what is None carries over from the hand before."""

    type = "start"
    rules: str | None = None
    options: Mapping[str, Any] | None = None
    dealer: int | None = None
    repeat: int | None = None
    round_wind: Tile | None = None
    draw_streak: int | None = None
    dealer_base: int | None = None
    double_next: bool | None = None
    names: tuple[str, ...] | None = None
    chips: tuple[int | None, ...] | None = None
    book: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stake(Event):
    type = "stake"
    seat: int
    stake: int | None = None
    side_stake: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Dice(Event):
    type = "dice"
    seat: int
    values: tuple[int, ...]
    purpose: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal(Event):
    """``hands``: a hand a seat, None where nobody saw it; ``wall`` broken, ``stacks`` left at its right end."""

    type = "deal"
    hands: tuple[tuple[Tile, ...] | None, ...] = ()
    wall: int | None = None
    stacks: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Indicator(Event):
    type = "indicator"
    tile: Tile | None
    wall: int | None = None
    stack: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bonus(Event):
    type = "bonus"
    seat: int
    tile: Tile | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw(Event):
    type = "draw"
    seat: int
    tile: Tile | None = None
    end: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Discard(Event):
    type = "discard"
    seat: int
    tile: Tile | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim(Event):
    """A set made with another's discard; ``source`` is whose discard it was (``from`` in the log). What is left out is
    taken to be the last discard's."""

    seat: int
    tiles: tuple[Tile, ...]
    claimed: Tile | None = None
    source: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chow(Claim):
    type = "chow"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pung(Claim):
    type = "pung"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kong(Claim):
    type = "kong"


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnKong(Event):
    """A kong declared in turn; ``tiles`` is None where a concealed one lies face down."""

    seat: int
    tiles: tuple[Tile, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedKong(OwnKong):
    type = "added_kong"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConcealedKong(OwnKong):
    type = "concealed_kong"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready(Event):
    type = "ready"
    seat: int
    kind: str = "ready"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass(Event):
    """An offered win (``tile``) or the last tile of the wall (None) openly refused."""

    type = "pass"
    seat: int
    tile: Tile | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Count(Event):
    type = "count"
    seat: int
    tiles: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reveal(Event):
    type = "reveal"
    seat: int
    hand: tuple[Tile, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Win(Event):
    """A declared win; ``source_seat`` is ``from`` in the log, ``claimed`` what each seat was told to pay."""

    type = "win"
    seat: int
    tile: Tile | None = None
    source: str = "wall"
    source_seat: int | None = None
    hand: tuple[Tile, ...] | None = None
    flower_win: str | None = None
    wild_win: str | None = None
    special: str | None = None
    claimed: tuple[float, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Birds(Event):
    type = "birds"
    tiles: tuple[Tile, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class End(Event):
    """``handed_in``: the tiles an automatic table counted as they came back."""

    type = "end"
    why: str = "win"
    handed_in: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalty(Event):
    type = "penalty"
    seat: int
    kind: str | None = None
    points: float = 0
    to: str | int = "table"
    why: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Correct(Event):
    """The event numbered ``event`` is replaced by ``events`` (none: struck out)."""

    type = "correct"
    event: int
    events: tuple[Event, ...]


# --- reading fields ----------------------------------------------------------------------------------------------


def _tile(value: Any) -> Tile:
    return t.parse_one(_text(value))


def _tiles(value: Any) -> tuple[Tile, ...]:
    if isinstance(value, list):
        return tuple(_tile(item) for item in value)
    tiles = t.parse(_text(value))
    if len(tiles) > MOST_TILES:
        raise EventError(f"{len(tiles)} tiles are more than any set has")
    return tiles


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise EventError(f"text is expected, not {_shown(value)}")
    return value


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise EventError(f"a whole number is expected, not {_shown(value)}")
    return value


def _count(value: Any) -> int:
    if not 0 <= _whole(value) <= 10**9:
        raise EventError(f"a whole number from 0 is expected, not {_shown(value)}")
    return int(value)


def _few(value: Any) -> int:
    """A count that cannot be large at any table."""
    if _count(value) > 999:
        raise EventError(f"a whole number up to 999 is expected, not {_shown(value)}")
    return int(value)


def _dice(value: Any) -> tuple[int, ...]:
    values: tuple[int, ...] = _many(_count)(value)
    if not 1 <= len(values) <= 4 or not all(1 <= number <= 6 for number in values):
        raise EventError(f"one to four dice from 1 to 6 are expected, not {_shown(value)}")
    return values


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or abs(value) > 1e12 or math.isnan(value):
        raise EventError(f"a number is expected, not {_shown(value)}")
    return value


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise EventError(f"true or false is expected, not {_shown(value)}")
    return value


def _seat(value: Any) -> int:
    if not 0 <= _whole(value) < MOST_SEATS:
        raise EventError(f"there is no seat {_shown(value)}")
    return int(value)


def _object(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise EventError(f"an object is expected, not {_shown(value)}")
    return value


def _many(read: Callable[[Any], Any]) -> Callable[[Any], tuple[Any, ...]]:
    def reader(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise EventError(f"a list is expected, not {_shown(value)}")
        return tuple(read(item) for item in value)

    return reader


def _or_none(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None else read(value)


def _one_of(*values: str) -> Callable[[Any], str]:
    def reader(value: Any) -> str:
        if value not in values:
            raise EventError(f"one of {', '.join(values)} is expected, not {_shown(value)}")
        return str(value)

    return reader


def _payee(value: Any) -> str | int:
    return value if value in ("table", "tournament") else _seat(value)


def _corrected(value: Any) -> tuple[Event, ...]:
    """The ``with`` of a correction: an event, a list of events, or null."""
    items = value if isinstance(value, list) else [value]
    if any(_object(item).get("type") == "correct" for item in items):
        raise EventError("a correction puts in no correction: correct the event itself, or strike the correction out")
    return tuple(read_event(item) for item in items)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


# --- the form of each event ---------------------------------------------------------------------------------------


class Field(NamedTuple):
    """A field of an event's JSON object: attribute, reader, whether it must be there; null counts as left out."""

    name: str
    read: Callable[[Any], Any]
    required: bool = False
    json: str = ""

    @property
    def key(self) -> str:
        return self.json or self.name


SEAT = Field("seat", _seat, True)
TILE = Field("tile", _tile)
TILES = Field("tiles", _tiles, True)
CLAIM = (SEAT, TILES, Field("claimed", _tile), Field("source", _seat, False, "from"))

FORMS: dict[str, tuple[type[Event], tuple[Field, ...]]] = {
    "start": (
        Start,
        (
            Field("rules", _text), Field("options", _object), Field("dealer", _seat), Field("repeat", _few),
            Field("round_wind", _tile), Field("draw_streak", _few), Field("dealer_base", _count),
            Field("double_next", _flag), Field("names", _many(_text)), Field("chips", _many(_or_none(_count))),
            Field("book", _text),
        ),
    ),
    "stake": (Stake, (SEAT, Field("stake", _few), Field("side_stake", _few))),
    "dice": (
        Dice,
        (
            SEAT, Field("values", _dice, True),
            Field("purpose", _one_of("seats", "dealer", "wall", "indicator", "kong", "birds"), False, "for"),
        ),
    ),
    "deal": (Deal, (Field("hands", _many(_or_none(_tiles))), Field("wall", _seat), Field("stacks", _few))),
    "indicator": (Indicator, (TILE, Field("wall", _seat), Field("stack", _few))),
    "bonus": (Bonus, (SEAT, TILE)),
    "draw": (Draw, (SEAT, TILE, Field("end", _one_of("head", "tail")))),
    "discard": (Discard, (SEAT, TILE)),
    "chow": (Chow, CLAIM),
    "pung": (Pung, CLAIM),
    "kong": (Kong, CLAIM),
    "added_kong": (AddedKong, (SEAT, TILES)),
    "concealed_kong": (ConcealedKong, (SEAT, Field("tiles", _tiles))),
    "ready": (Ready, (SEAT, Field("kind", _one_of("ready", "first", "dealt", "open")))),
    "pass": (Pass, (SEAT, TILE)),
    "count": (Count, (SEAT, Field("tiles", _few, True))),
    "reveal": (Reveal, (SEAT, Field("hand", _tiles, True))),
    "win": (
        Win,
        (
            SEAT, TILE, Field("source", _one_of(*SOURCES)), Field("source_seat", _seat, False, "from"),
            Field("hand", _tiles), Field("flower_win", _one_of("eight", "seven", "seven_rob")),
            Field("wild_win", _one_of("three_dealt", "three_last", "three")), Field("special", _text),
            Field("claimed", _many(_number)),
        ),
    ),
    "birds": (Birds, (TILES,)),
    "end": (End, (Field("why", _one_of("win", "exhausted", "false_win", "stopped")), Field("handed_in", _few))),
    "penalty": (
        Penalty, (SEAT, Field("kind", _text), Field("points", _number), Field("to", _payee), Field("why", _text)),
    ),
    "correct": (Correct, (Field("event", _count, True), Field("events", _corrected, False, "with"))),
}  # fmt: skip
NULLABLE = {"tile", "tiles", "events"}
SHARED = (
    Field("n", _count), Field("t", _number), Field("by", _text), Field("confidence", _number),
    Field("evidence", _many(_text)),
)  # fmt: skip


def read_event(data: Mapping[str, Any]) -> Event:
    """The event of one line's JSON object. Raises EventError with field and reason."""
    kind = data.get("type")
    if not isinstance(kind, str) or kind not in FORMS:
        raise EventError(f"type: there is no event {_shown(kind)}")
    cls, form = FORMS[kind]
    values: dict[str, Any] = {}
    for item in (*SHARED, *form):
        given = data.get(item.key)
        if given is None:
            if item.required:
                raise EventError(f"{item.key}: missing in {kind}")
            continue
        try:
            values[item.name] = item.read(given)
        except ValueError as problem:
            raise EventError(f"{item.key}: {problem}") from None
    for item in form:
        if item.name in NULLABLE and item.name not in values:
            if item.name == "events" and "with" not in data:
                raise EventError("with: missing in correct")
            values[item.name] = () if item.name == "events" else None
    known = {"type", *COMMON, *(item.key for item in form)}
    extra = {key: value for key, value in data.items() if key not in known}
    if extra:
        values["extra"] = extra
    return cls(**values)


# --- writing -----------------------------------------------------------------------------------------------------


def write_event(event: Event) -> dict[str, Any]:
    """The JSON object of an event; what is unknown or left out of ``start`` is not written, unseen tiles are null."""
    _, form = FORMS[event.type]
    out: dict[str, Any] = {"n": event.n} if event.n else {}
    out["type"] = event.type
    for item in form:
        value = getattr(event, item.name)
        if value is not None or (item.name in NULLABLE and item.name != "events"):
            out[item.key] = _json(item, value)
    for name in COMMON[1:]:
        value = getattr(event, name)
        if value is not None and value != ():
            out[name] = list(value) if isinstance(value, tuple) else value
    return out | dict(event.extra)


def _json(item: Field, value: Any) -> Any:
    if value is None:
        return None
    if item.read is _tile:
        return t.NAMES[value]
    if item.read is _tiles:
        return t.write(value)
    if item.name == "hands":
        return [None if hand is None else t.write(hand) for hand in value]
    if item.name == "events":
        written = [write_event(event) for event in value]
        return written[0] if len(written) == 1 else written or None
    return list(value) if isinstance(value, tuple) else dict(value) if isinstance(value, Mapping) else value


def numbered(event: Event, n: int) -> Event:
    """The same event with another number."""
    return event if event.n == n else replace(event, n=n)


def tiles_of(event: Event) -> list[Tile]:
    """Every tile the event names."""
    named: list[Tile | None] = [getattr(event, "tile", None)]
    if isinstance(event, Deal):
        named += [tile for hand in event.hands for tile in hand or ()]
    if isinstance(event, Claim):
        named.append(event.claimed)
    for name in ("tiles", "hand"):
        value = getattr(event, name, None)
        if isinstance(value, tuple):
            named += value
    return [tile for tile in named if tile is not None]


SEAT_NAMES = ("seat", "source", "source_seat", "dealer", "wall", "to")


def seats_of(event: Event) -> list[tuple[str, int]]:
    """Every seat the event names, with its field: a rule set may have fewer seats than four."""
    named = [(name, getattr(event, name, None)) for name in SEAT_NAMES]
    return [(name, value) for name, value in named if isinstance(value, int)]
