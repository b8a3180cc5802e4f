"""The hand record: what lay on the table when a hand ended (docs/formats/hand-record.md).

``parse_record`` reads the public JSON form into plain frozen values and refuses what no table could have produced.
Whether a declared win is *legal* is not asked here: see ``judge``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from referee.rules import tiles as t
from referee.rules.tiles import Tile

MELD_SIZES = {"chow": 3, "pung": 3, "kong": 4, "added_kong": 4, "concealed_kong": 4}
SOURCES = ("wall", "discard", "kong", "flower", "robbed_kong", "indicator", "deal")


MOST_COUNT = 999  # of hands, tiles, kongs in a row: more is a slip of the pen, and 2 to its power no amount
MOST_POINTS = 10**9


class RecordError(ValueError):
    """A record that cannot be understood: the message names the field and the reason."""


@dataclass(frozen=True, slots=True)
class Meld:
    """A declared set. ``source`` is the seat it was claimed from, ``chain`` its place in a row of kongs (1 = alone)."""

    kind: str
    tiles: tuple[Tile, ...]
    claimed: Tile | None = None
    source: int | None = None
    chain: int = 1

    @property
    def is_kong(self) -> bool:
        return len(self.tiles) == 4

    @property
    def is_claimed(self) -> bool:
        return self.kind != "concealed_kong"


@dataclass(frozen=True, slots=True)
class Player:
    hand: tuple[Tile, ...] | None = None
    melds: tuple[Meld, ...] = ()
    bonus: tuple[Tile, ...] = ()
    discards: tuple[Tile, ...] | None = None
    stake: int = 0
    side_stake: int = 0
    revealed: bool | int = False
    ready: str | None = None
    chips: int | None = None


@dataclass(frozen=True, slots=True)
class Win:
    """A declared win; ``source_seat`` is the record's ``from``: the discarder, or whose kong was robbed."""

    seat: int
    tile: Tile | None
    source: str
    source_seat: int | None = None
    kong_chain: int = 0
    kong_from: int | None = None
    kong_tile: Tile | None = None
    robbed_kind: str = "added"
    claimed_in_float: int | None = None
    indicator_drawn: bool = False
    second_tile: Tile | None = None
    floats: int = 0
    last_tile: bool = False
    first_turn: bool = False
    after_kong: bool = False
    dice_kong: bool = False
    flower_win: str | None = None
    wild_win: str | None = None
    special: str | None = None
    birds: tuple[Tile, ...] = ()
    waiting_since_deal: bool = False


@dataclass(frozen=True, slots=True)
class Incident:
    kind: str
    seat: int | None = None
    claimed: tuple[float, ...] = ()
    why: str | None = None
    tile: Tile | None = None
    rounds: int = 1
    by: str | None = None
    floats: int = 0


@dataclass(frozen=True, slots=True)
class Record:
    rules: str
    options: Mapping[str, Any] = field(default_factory=dict)
    dealer: int = 0
    repeat: int = 0
    round_wind: Tile = t.EAST
    indicator: Tile | None = None
    wall_left: int | None = None
    draw_streak: int = 0
    double_next: bool = False
    dealer_base: int | None = None
    float_by: int | None = None
    players: tuple[Player, ...] = ()
    wins: tuple[Win, ...] = ()
    incidents: tuple[Incident, ...] = ()

    def has_incident(self, kind: str, seat: int) -> bool:
        return any(i.kind == kind and i.seat == seat for i in self.incidents)


# --- reading -----------------------------------------------------------------------------------------------------

INCIDENT_FIELDS = {
    "false_win": ("seat",),
    "dead_hand": ("seat",),
    "same_discard": (),
    "four_same_discards": ("seat",),
    "failed_float": ("seat",),
}


def parse_record(data: object) -> Record:
    """Read one record's JSON value. Raises RecordError with the field and the reason."""
    if not isinstance(data, Mapping):
        raise RecordError(f"a record is an object, not {type(data).__name__}")
    read = _Reader(data, "")
    if "rules" not in data:
        raise RecordError("rules: required")
    players_data = data.get("players")
    if not isinstance(players_data, Sequence) or isinstance(players_data, str):
        raise RecordError("players: required, a list with one object a seat")
    seats = len(players_data)
    players = tuple(_player(item, f"players[{seat}]", seats) for seat, item in enumerate(players_data))
    wins = tuple(_win(item, f"wins[{i}]", seats) for i, item in enumerate(read.list_("wins")))
    incidents = tuple(_incident(item, f"incidents[{i}]", seats) for i, item in enumerate(read.list_("incidents")))
    options = data.get("options") or {}
    if not isinstance(options, Mapping):
        raise RecordError("options: an object is expected")
    round_wind = read.tile("round_wind", t.EAST)
    if round_wind not in t.WINDS:
        raise RecordError(f"round_wind: {data.get('round_wind')!r} is no wind")
    return Record(
        rules=read.text("rules") or "",
        options=dict(options),
        dealer=read.seat("dealer", seats, 0) or 0,
        repeat=read.count("repeat"),
        round_wind=round_wind if round_wind is not None else t.EAST,
        indicator=read.tile("indicator", None),
        wall_left=read.count_or_none("wall_left"),
        draw_streak=read.count("draw_streak"),
        double_next=read.flag("double_next"),
        dealer_base=read.count_or_none("dealer_base", MOST_POINTS),
        float_by=read.seat("float_by", seats, None),
        players=players,
        wins=wins,
        incidents=incidents,
    )


def _player(data: object, where: str, seats: int) -> Player:
    if not isinstance(data, Mapping):
        raise RecordError(f"{where}: an object is expected")
    read = _Reader(data, where)
    revealed = data.get("revealed") or False
    if not isinstance(revealed, (bool, int)) or revealed < 0:
        raise RecordError(f"{where}.revealed: true, false or a number, not {revealed!r}")
    return Player(
        hand=read.tiles("hand"),
        melds=tuple(_meld(m, f"{where}.melds[{i}]", seats) for i, m in enumerate(read.list_("melds"))),
        bonus=read.tiles("bonus") or (),
        discards=read.tiles("discards"),
        stake=read.count("stake"),
        side_stake=read.count("side_stake"),
        revealed=revealed,
        ready=read.choice("ready", ("ready", "first", "dealt", "open")),
        chips=read.count_or_none("chips", MOST_POINTS),
    )


def _meld(data: object, where: str, seats: int) -> Meld:
    if not isinstance(data, Mapping):
        raise RecordError(f"{where}: an object is expected")
    read = _Reader(data, where)
    kind = read.choice("kind", tuple(MELD_SIZES), required=True)
    assert kind is not None
    found = read.tiles("tiles")
    if found is None:
        raise RecordError(f"{where}.tiles: required")
    if len(found) != MELD_SIZES[kind]:
        raise RecordError(f"{where}.tiles: a {kind} has {MELD_SIZES[kind]} tiles, not {len(found)}")
    return Meld(kind, found, read.tile("claimed", None), read.seat("from", seats, None), read.count("chain", 1))


def _win(data: object, where: str, seats: int) -> Win:
    if not isinstance(data, Mapping):
        raise RecordError(f"{where}: an object is expected")
    read = _Reader(data, where)
    for name in ("seat", "source"):
        if data.get(name) is None:
            raise RecordError(f"{where}.{name}: required")
    if "tile" not in data:
        raise RecordError(f"{where}.tile: required (null where there is none)")
    source = read.choice("source", SOURCES, required=True) or ""
    seat = read.seat("seat", seats, None)
    giver = read.seat("from", seats, None)
    assert seat is not None
    if source in ("discard", "robbed_kong") and not data.get("flower_win"):
        if giver is None:
            raise RecordError(f"{where}.from: required with source {source!r}")
        if giver == seat:
            raise RecordError(
                f"{where}.from: a player cannot win on an own {'discard' if source == 'discard' else 'kong'}"
            )
    return Win(
        seat=seat,
        tile=read.tile("tile", None),
        source=source,
        source_seat=giver,
        kong_chain=read.count("kong_chain", 1 if source == "kong" else 0),
        kong_from=read.seat("kong_from", seats, None),
        kong_tile=read.tile("kong_tile", None),
        robbed_kind=read.choice("robbed_kind", ("added", "concealed")) or "added",
        claimed_in_float=read.seat("claimed_in_float", seats, None),
        indicator_drawn=read.flag("indicator_drawn"),
        second_tile=read.tile("second_tile", None),
        floats=read.count("floats"),
        last_tile=read.flag("last_tile"),
        first_turn=read.flag("first_turn"),
        after_kong=read.flag("after_kong"),
        dice_kong=read.flag("dice_kong"),
        flower_win=read.choice("flower_win", ("eight", "seven", "seven_rob")),
        wild_win=read.choice("wild_win", ("three_dealt", "three_last", "three")),
        special=read.text("special"),
        birds=read.tiles("birds") or (),
        waiting_since_deal=read.flag("waiting_since_deal"),
    )


def _incident(data: object, where: str, seats: int) -> Incident:
    if not isinstance(data, Mapping):
        raise RecordError(f"{where}: an object is expected")
    read = _Reader(data, where)
    kind = read.choice("kind", tuple(INCIDENT_FIELDS), required=True) or ""
    for name in INCIDENT_FIELDS[kind]:
        if data.get(name) is None:
            raise RecordError(f"{where}.{name}: required for {kind}")
    claimed = data.get("claimed") or []
    if not isinstance(claimed, Sequence) or any(
        isinstance(c, bool) or not isinstance(c, (int, float)) for c in claimed
    ):
        raise RecordError(f"{where}.claimed: a list of amounts is expected")
    if claimed and len(claimed) != seats:
        raise RecordError(f"{where}.claimed: {seats} amounts expected, one a seat, not {len(claimed)}")
    return Incident(
        kind=kind,
        seat=read.seat("seat", seats, None),
        claimed=tuple(claimed),
        why=read.text("why"),
        tile=read.tile("tile", None),
        rounds=read.count("rounds", 1),
        by=read.choice("by", ("all", "one")),
        floats=read.count("floats"),
    )


class _Reader:
    """Typed access to one JSON object, with the path for error messages."""

    def __init__(self, data: Mapping[str, Any], where: str) -> None:
        self.data, self.where = data, where + "." if where else ""

    def _refuse(self, name: str, expected: str) -> RecordError:
        return RecordError(f"{self.where}{name}: {expected}, not {self.data.get(name)!r}")

    def text(self, name: str) -> str | None:
        value = self.data.get(name)
        if value is not None and not isinstance(value, str):
            raise self._refuse(name, "a text is expected")
        return value

    def choice(self, name: str, allowed: tuple[str, ...], required: bool = False) -> str | None:
        value = self.data.get(name)
        if value is None and not required:
            return None
        if value not in allowed:
            raise self._refuse(name, "one of " + ", ".join(allowed) + " is expected")
        return str(value)

    def flag(self, name: str) -> bool:
        value = self.data.get(name)
        if value is not None and not isinstance(value, bool):
            raise self._refuse(name, "true or false is expected")
        return bool(value)

    def count_or_none(self, name: str, most: int = MOST_COUNT) -> int | None:
        value = self.data.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
            raise self._refuse(name, f"a whole number from 0 to {most} is expected")
        return value

    def count(self, name: str, default: int = 0) -> int:
        value = self.count_or_none(name)
        return default if value is None else value

    def seat(self, name: str, seats: int, default: int | None) -> int | None:
        value = self.count_or_none(name)
        if value is None:
            return default
        if value >= seats:
            raise RecordError(f"{self.where}{name}: there is no seat {value}, seats are 0-{seats - 1}")
        return value

    def list_(self, name: str) -> Sequence[object]:
        value = self.data.get(name)
        if value is None:
            return ()
        if not isinstance(value, Sequence) or isinstance(value, str):
            raise self._refuse(name, "a list is expected")
        return value

    def tiles(self, name: str) -> tuple[Tile, ...] | None:
        value = self.text(name)
        return None if value is None else self._read(name, value, t.parse)

    def tile(self, name: str, default: Tile | None) -> Tile | None:
        value = self.text(name)
        return default if value is None else self._read(name, value, t.parse_one)

    def _read(self, name: str, value: str, how: Callable[[str], Any]) -> Any:
        try:
            return how(value)
        except t.TileError as problem:
            raise RecordError(f"{self.where}{name}: {problem}") from None
