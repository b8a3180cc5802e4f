"""The table line: bytes to messages and back, without any input or output.

The wire format is described in docs/table-line.md; section numbers in the docstrings below are its sections. A line is

    $TYPE,seq,ms[,key=value...]*CCCC\\r\\n

with a CRC-16/MODBUS over everything between ``$`` and ``*``. `Parser` turns any bytes whatever into `Line` and `Noise`
items and never raises; `decode` turns a line into one of the frozen message types below, and never raises either: what
it does not know becomes `Unknown`, what does not fit its type becomes `Malformed`.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

PROTO = "1.0"
PROTO_MAJOR = 1
MAX_LINE = 240
"""Longest line in bytes, from ``$`` to the line feed, both included (section 2)."""
MAX_BODY = MAX_LINE - 8
"""Longest body: what stands between ``$`` and ``*``; the rest is ``$``, ``*``, four digits, CR and LF."""
MAX_NUMBER = 0xFFFFFFFF
MAX_SIGNED = 0x7FFFFFFF
BAUD = 115200

STATES = ("idle", "shuffling", "ready", "raised", "playing", "handin")
ENDS = ("head", "tail")
BUTTON_ACTS = ("press", "hold", "release")
BUTTON_WORDS = ("dice", "raise", "chow", "pung", "kong", "ready", "win", "pass", "bonus", "yes", "no", "call")
LIGHT_COLOURS = ("off", "red", "green", "blue", "white", "amber")
NAK_CODES = ("proto", "boot", "unsub", "unknown", "value", "gone", "range", "off", "busy")


def _crc_table() -> tuple[int, ...]:
    table = []
    for value in range(256):
        for _ in range(8):
            value = (value >> 1) ^ 0xA001 if value & 1 else value >> 1
        table.append(value)
    return tuple(table)


_CRC = _crc_table()


def crc16(data: bytes) -> int:
    """CRC-16/MODBUS: polynomial 0x8005 reflected, start 0xFFFF, no final inversion; of b"123456789" it is 0x4B37."""
    table, crc = _CRC, 0xFFFF
    for byte in data:
        crc = table[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return crc


# Values ---------------------------------------------------------------------------------------------------------------

_RESERVED = frozenset(b"$*,=;%")
_ESCAPED = re.compile(r"(?:%[0-9A-Fa-f]{2})+")


def escape(text: str) -> str:
    """Text as it may stand in a value: reserved and non-printing bytes of its UTF-8 form as %XX (section 2)."""
    return "".join(
        chr(byte) if 0x20 <= byte <= 0x7E and byte not in _RESERVED else f"%{byte:02X}"
        for byte in text.encode("utf-8", "replace")
    )


def unescape(value: str) -> str:
    """The text of a value; a ``%`` that begins no escape stands for itself, bytes that are no UTF-8 become U+FFFD."""
    if "%" not in value:
        return value
    return _ESCAPED.sub(lambda match: bytes.fromhex(match[0].replace("%", "")).decode("utf-8", "replace"), value)


# Lines ----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Line:
    """One undamaged line. `seq` and `ms` are 32-bit, `ms` milliseconds of the sender's clock; values still escaped."""

    type: str
    seq: int
    ms: int
    fields: tuple[tuple[str, str], ...] = ()

    def get(self, key: str) -> str | None:
        """The (still escaped) value of a key; of a key given twice the first; None where it is missing."""
        for name, value in self.fields:
            if name == key:
                return value
        return None


@dataclass(frozen=True, slots=True)
class Noise:
    """Bytes (at most `MAX_LINE` at a time) that make no line, and why: "stray", "long", "damaged" or "malformed"."""

    data: bytes
    why: str


_BODY = re.compile(r"([A-Z][A-Z0-9]{0,11}\??),(\d{1,10}),(\d{1,10})((?:,[a-z][a-z0-9]{0,15}=[^,=]*)*)", re.ASCII)
_PRINTABLE = re.compile(rb"[ -~]*")
_LINE_END = re.compile(rb"[\r\n]")


def parse_body(body: str) -> Line | None:
    """A line from what stands between ``$`` and ``*``; None where it does not follow the grammar of section 2."""
    match = _BODY.fullmatch(body)
    if match is None:
        return None
    seq, ms = int(match[2]), int(match[3])
    if seq > MAX_NUMBER or ms > MAX_NUMBER:
        return None
    pairs = (part.partition("=") for part in match[4].split(",")[1:])
    return Line(match[1], seq, ms, tuple((name, value) for name, _, value in pairs))


def line_bytes(type: str, seq: int, ms: int, fields: Iterable[tuple[str, str]] = ()) -> bytes:
    """A line ready to send, values given already escaped. Raises ValueError where it would be too long."""
    body = f"{type},{seq},{ms}" + "".join(f",{key}={value}" for key, value in fields)
    data = body.encode("ascii", "replace")
    if len(data) > MAX_BODY:
        raise ValueError(f"{type} line of {len(data) + 8} bytes, at most {MAX_LINE} fit")
    return b"$%s*%04X\r\n" % (data, crc16(data))


class Parser:
    """Cuts a stream of bytes into lines and noise. Holds at most one unfinished line (`MAX_LINE` bytes), never raises.

    A line begins at a ``$``, wherever it stands, and is over at the first CR or LF; ``$`` appears nowhere else in one,
    so a reader that has lost its place finds it again at the next ``$`` (section 3).
    """

    def __init__(self) -> None:
        self._rest = b""

    @property
    def waiting(self) -> int:
        """Bytes of the unfinished line held back."""
        return len(self._rest)

    def feed(self, data: bytes) -> list[Line | Noise]:
        """What the bytes finish, in order."""
        out: list[Line | Noise] = []
        *finished, rest = _LINE_END.split(self._rest + data)
        for segment in finished:
            if segment:
                self._finish(segment, out)
        start = rest.rfind(b"$")
        if start < 0:
            _noise(rest, "stray", out)
            rest = b""
        elif start > 0:
            _noise(rest[:start], "stray", out)
            rest = rest[start:]
        if len(rest) > MAX_LINE - 2:
            _noise(rest, "long", out)
            rest = b""
        self._rest = rest
        return out

    def reset(self) -> None:
        """Forgets the unfinished line, as after a hang-up."""
        self._rest = b""

    def _finish(self, segment: bytes, out: list[Line | Noise]) -> None:
        start = segment.rfind(b"$")
        if start < 0:
            _noise(segment, "stray", out)
            return
        if start > 0:
            _noise(segment[:start], "stray", out)
        line, why = _check(segment[start:])
        if line is None:
            _noise(segment[start:], why, out)
        else:
            out.append(line)


def _check(framed: bytes) -> tuple[Line | None, str]:
    if len(framed) > MAX_LINE - 2:
        return None, "long"
    if len(framed) < 6 or framed[-5:-4] != b"*" or not _PRINTABLE.fullmatch(framed):
        return None, "damaged"
    body = framed[1:-5]
    try:
        claimed = int.from_bytes(bytes.fromhex(framed[-4:].decode("ascii")), "big")
    except ValueError:
        return None, "damaged"
    if b" " in framed[-4:] or b"*" in body or claimed != crc16(body):
        return None, "damaged"
    line = parse_body(body.decode("ascii"))
    return (line, "") if line is not None else (None, "malformed")


def _noise(data: bytes, why: str, out: list[Line | Noise]) -> None:
    out.extend(Noise(data[at : at + MAX_LINE], why) for at in range(0, len(data), MAX_LINE))


# Messages -------------------------------------------------------------------------------------------------------------


class Kind(NamedTuple):
    """How a value is read from and written to a line; `read` raises ValueError on what does not fit."""

    read: Callable[[str], Any]
    write: Callable[[Any], str]
    words: str


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 10 and int(text) <= MAX_NUMBER):
        raise ValueError("a number from 0 to 4294967295")
    return int(text)


def _signed(text: str) -> int:
    size = _number(text.removeprefix("-"))
    if size > MAX_SIGNED:
        raise ValueError("a number from -2147483647 to 2147483647")
    return -size if text.startswith("-") else size


def _seat(text: str) -> int:
    if text not in ("0", "1", "2", "3"):
        raise ValueError("a seat, 0 to 3")
    return int(text)


def _list_of(read: Callable[[str], Any], least: int, most: int, words: str) -> Callable[[str], tuple[Any, ...]]:
    def parse(text: str) -> tuple[Any, ...]:
        parts = text.split(";")
        if not least <= len(parts) <= most:
            raise ValueError(words)
        return tuple(read(part) for part in parts)

    return parse


def _die(text: str) -> int:
    if text not in ("1", "2", "3", "4", "5", "6"):
        raise ValueError("one to four dice of 1 to 6")
    return int(text)


def _end(text: str) -> str:
    if text not in ENDS:
        raise ValueError("head or tail")
    return text


def _word(text: str) -> str:
    if not text:
        raise ValueError("a word")
    return unescape(text)


def _boot(text: str) -> str:
    if not re.fullmatch(r"[0-9A-F]{8}", text):
        raise ValueError("eight digits of 0-9 and A-F")
    return text


def _joined(values: Iterable[object]) -> str:
    return ";".join(str(value) for value in values)


NUMBER = Kind(_number, str, "a number")
SIGNED = Kind(_signed, str, "a number, may be negative")
SEAT = Kind(_seat, str, "a seat, 0 to 3")
TEXT = Kind(unescape, escape, "text")
WORD = Kind(_word, escape, "a word")
BOOT = Kind(_boot, str, "eight digits of 0-9 and A-F")
END = Kind(_end, str, "head or tail")
DICE = Kind(_list_of(_die, 1, 4, "one to four dice of 1 to 6"), _joined, "one to four dice of 1 to 6")
SIDES = Kind(_list_of(_number, 1, 4, "one to four numbers"), _joined, "one to four numbers")
SCORES = Kind(_list_of(_signed, 1, 4, "one to four numbers"), _joined, "one to four numbers")
WORDS = Kind(
    lambda text: tuple(unescape(part) for part in text.split(";") if part),
    lambda values: ";".join(escape(value) for value in values),
    "words",
)


def _key(kind: Kind, key: str, needed: bool = True) -> Any:
    """A message's field: how its value is written and under which key; a key not `needed` may be left out (None)."""
    metadata = {"kind": kind, "key": key}
    return dataclasses.field(metadata=metadata) if needed else dataclasses.field(default=None, metadata=metadata)


class Message:
    """What one line says. Every subclass is frozen plain data and names its line type in `TYPE`."""

    TYPE: ClassVar[str] = ""


# From the table: answers. They carry the number of the last event in `seq` and are not numbered themselves.


@dataclass(frozen=True, slots=True)
class TableHello(Message):
    """Who the table is. `id` is the number of the HELLO answered, 0 unasked; `tiles` the size of the set in use."""

    TYPE: ClassVar[str] = "HELLO"
    id: int = _key(NUMBER, "id")
    proto: str = _key(WORD, "proto")
    boot: str = _key(BOOT, "boot")
    vendor: str | None = _key(TEXT, "vendor", needed=False)
    model: str | None = _key(TEXT, "model", needed=False)
    firmware: str | None = _key(TEXT, "fw", needed=False)
    serial: str | None = _key(TEXT, "sn", needed=False)
    tiles: int | None = _key(NUMBER, "tiles", needed=False)
    caps: tuple[str, ...] | None = _key(WORDS, "caps", needed=False)

    def can(self, capability: str) -> bool:
        """Whether a capability is named, whatever its parameters: ``can("dice")`` for ``dice:2``."""
        return any(cap.split(":")[0] == capability for cap in self.caps or ())


@dataclass(frozen=True, slots=True)
class Ack(Message):
    """The request with this number was carried out."""

    TYPE: ClassVar[str] = "ACK"
    id: int = _key(NUMBER, "id")


@dataclass(frozen=True, slots=True)
class Nak(Message):
    """The request with this number was refused: `code` is one of `NAK_CODES`; `first` the oldest event still kept."""

    TYPE: ClassVar[str] = "NAK"
    id: int = _key(NUMBER, "id")
    code: str = _key(WORD, "code")
    first: int | None = _key(NUMBER, "first", needed=False)
    text: str | None = _key(TEXT, "text", needed=False)


@dataclass(frozen=True, slots=True)
class Pong(Message):
    """The table is alive, and since when: a new `boot` means that it was restarted."""

    TYPE: ClassVar[str] = "PONG"
    id: int = _key(NUMBER, "id")
    boot: str = _key(BOOT, "boot")


@dataclass(frozen=True, slots=True)
class Snap(Message):
    """The table as it stands, as far as it knows; a key left out is not known. `wall` in stacks, `left` in tiles."""

    TYPE: ClassVar[str] = "SNAP"
    id: int = _key(NUMBER, "id")
    state: str | None = _key(WORD, "state", needed=False)
    dice: tuple[int, ...] | None = _key(DICE, "dice", needed=False)
    wall: tuple[int, ...] | None = _key(SIDES, "wall", needed=False)
    left: int | None = _key(NUMBER, "left", needed=False)
    count: int | None = _key(NUMBER, "count", needed=False)


@dataclass(frozen=True, slots=True)
class SnapEnd(Message):
    """The snapshot is complete; it was `lines` SNAP lines long."""

    TYPE: ClassVar[str] = "SNAPEND"
    id: int = _key(NUMBER, "id")
    lines: int = _key(NUMBER, "n")


# From the table: events, numbered from 1 after each start.


@dataclass(frozen=True, slots=True)
class State(Message):
    """What the table is doing, one of `STATES` (a newer table may use more words)."""

    TYPE: ClassVar[str] = "STATE"
    state: str = _key(WORD, "s")


@dataclass(frozen=True, slots=True)
class Dice(Message):
    """Dice came to rest. `seat`: whose button threw them, where the table can tell."""

    TYPE: ClassVar[str] = "DICE"
    values: tuple[int, ...] = _key(DICE, "v")
    seat: int | None = _key(SEAT, "seat", needed=False)


@dataclass(frozen=True, slots=True)
class Wall(Message):
    """The wall counted: `stacks` (of two tiles) before each seat, from seat 0 on; `left` tiles in all of it."""

    TYPE: ClassVar[str] = "WALL"
    stacks: tuple[int, ...] | None = _key(SIDES, "n", needed=False)
    left: int | None = _key(NUMBER, "left", needed=False)


@dataclass(frozen=True, slots=True)
class Deal(Message):
    """The wall was opened: before which seat, and how many stacks were left standing at its right end."""

    TYPE: ClassVar[str] = "DEAL"
    wall: int = _key(SEAT, "wall")
    stacks: int = _key(NUMBER, "stacks")


@dataclass(frozen=True, slots=True)
class Turn(Message):
    """A tile of the wall was turned up: before which seat, and in which stack from that wall's right end, from 1."""

    TYPE: ClassVar[str] = "TURN"
    wall: int = _key(SEAT, "wall")
    stack: int = _key(NUMBER, "stack")


@dataclass(frozen=True, slots=True)
class Draw(Message):
    """`count` tiles left the wall at its `end`; `left` tiles still stand in it, a turned indicator among them."""

    TYPE: ClassVar[str] = "DRAW"
    end: str = _key(END, "end")
    count: int = _key(NUMBER, "n")
    left: int | None = _key(NUMBER, "left", needed=False)
    seat: int | None = _key(SEAT, "seat", needed=False)


@dataclass(frozen=True, slots=True)
class HandIn(Message):
    """The tiles dropped into the table after a hand, counted when the last had fallen."""

    TYPE: ClassVar[str] = "HANDIN"
    count: int = _key(NUMBER, "count")


@dataclass(frozen=True, slots=True)
class Button(Message):
    """A button: `id` of `BUTTON_WORDS` or a name of its own, `act` of `BUTTON_ACTS`; without a seat the centre's."""

    TYPE: ClassVar[str] = "BTN"
    id: str = _key(WORD, "id")
    act: str = _key(WORD, "act")
    seat: int | None = _key(SEAT, "seat", needed=False)


@dataclass(frozen=True, slots=True)
class Stick(Message):
    """The point sticks in a seat's drawer, in points."""

    TYPE: ClassVar[str] = "STICK"
    seat: int = _key(SEAT, "seat")
    value: int = _key(SIGNED, "v")


@dataclass(frozen=True, slots=True)
class Error(Message):
    """Something is wrong with the table itself, say `code` jam, motor, lid, sensor or full; nobody's foul."""

    TYPE: ClassVar[str] = "ERR"
    code: str = _key(WORD, "code")
    text: str | None = _key(TEXT, "text", needed=False)


@dataclass(frozen=True, slots=True)
class Probe(Message):
    """An event without meaning, made on request so that a line can be tested without touching the table."""

    TYPE: ClassVar[str] = "PROBE"
    index: int = _key(NUMBER, "i")


# From the host. Each carries a number of the host's own; a request sent again keeps its number.


@dataclass(frozen=True, slots=True)
class HostHello(Message):
    """A host begins; `boot` is drawn at random each time it does, so that a repeated greeting is known as one."""

    TYPE: ClassVar[str] = "HELLO"
    proto: str = _key(WORD, "proto")
    boot: str = _key(BOOT, "boot")


@dataclass(frozen=True, slots=True)
class Subscribe(Message):
    """Send events from number `first` on; `boot` is the table's, as its HELLO gave it."""

    TYPE: ClassVar[str] = "SUB"
    boot: str = _key(BOOT, "boot")
    first: int = _key(NUMBER, "from")


@dataclass(frozen=True, slots=True)
class Ask(Message):
    """Send a snapshot."""

    TYPE: ClassVar[str] = "SNAP?"


@dataclass(frozen=True, slots=True)
class Ping(Message):
    """Are you there? `got` is the last event received with none missing before it."""

    TYPE: ClassVar[str] = "PING"
    got: int | None = _key(NUMBER, "got", needed=False)


@dataclass(frozen=True, slots=True)
class Replay(Message):
    """Send the events `first` to `last` again."""

    TYPE: ClassVar[str] = "REPLAY"
    first: int = _key(NUMBER, "from")
    last: int = _key(NUMBER, "to")


class Command(Message):
    """A message that makes the table do something; carried out once, however often it is sent."""

    NEEDS: ClassVar[str] = ""
    """The capability without which the table answers NAK code=off."""


@dataclass(frozen=True, slots=True)
class Display(Command):
    """Show a number (a score, in points) at a seat."""

    TYPE: ClassVar[str] = "DISP"
    NEEDS: ClassVar[str] = "score"
    seat: int = _key(SEAT, "seat")
    value: int = _key(SIGNED, "value")


@dataclass(frozen=True, slots=True)
class Light(Command):
    """Light a seat's lamp (no seat: the centre's) in one of `LIGHT_COLOURS`; `blink` is the period in ms."""

    TYPE: ClassVar[str] = "LIGHT"
    NEEDS: ClassVar[str] = "light"
    colour: str = _key(WORD, "c")
    seat: int | None = _key(SEAT, "seat", needed=False)
    blink: int | None = _key(NUMBER, "blink", needed=False)


@dataclass(frozen=True, slots=True)
class Beep(Command):
    """Sound `ms` milliseconds of a tone of `hz` hertz."""

    TYPE: ClassVar[str] = "BEEP"
    NEEDS: ClassVar[str] = "beep"
    ms: int = _key(NUMBER, "ms")
    hz: int | None = _key(NUMBER, "hz", needed=False)


@dataclass(frozen=True, slots=True)
class Shuffle(Command):
    """Start the motor. A table names the capability only where somebody has switched it on at the table."""

    TYPE: ClassVar[str] = "SHUFFLE"
    NEEDS: ClassVar[str] = "shuffle"


@dataclass(frozen=True, slots=True)
class Test(Command):
    """Make `count` (1 to 16) PROBE events."""

    __test__: ClassVar[bool] = False
    TYPE: ClassVar[str] = "TEST"
    NEEDS: ClassVar[str] = "test"
    count: int = _key(NUMBER, "n")


# What is not known, or does not fit.


@dataclass(frozen=True, slots=True)
class Unknown(Message):
    """A line of a type this side does not know; numbered like any event where it comes from the table."""

    TYPE: ClassVar[str] = "?"
    type: str
    fields: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Malformed(Message):
    """A line of a known type with a key missing or a value that does not fit; `why` says which."""

    TYPE: ClassVar[str] = "!"
    type: str
    fields: tuple[tuple[str, str], ...]
    why: str


_ANSWERS: tuple[type[Message], ...] = (TableHello, Ack, Nak, Pong, Snap, SnapEnd)
_EVENTS: tuple[type[Message], ...] = (State, Dice, Wall, Deal, Turn, Draw, HandIn, Button, Stick, Error, Probe)
COMMANDS: tuple[type[Command], ...] = (Display, Light, Beep, Shuffle, Test)
_REQUESTS: tuple[type[Message], ...] = (HostHello, Subscribe, Ask, Ping, Replay)

ANSWER_TYPES = frozenset(cls.TYPE for cls in _ANSWERS)
"""Types of the table's lines that are not numbered; every other line of a table is an event, known or not."""
FROM_TABLE: dict[str, type[Message]] = {cls.TYPE: cls for cls in _ANSWERS + _EVENTS}
FROM_HOST: dict[str, type[Message]] = {cls.TYPE: cls for cls in _REQUESTS + COMMANDS}

_Spec = tuple[tuple[str, str, Kind, bool], ...]


def _spec(cls: type[Message]) -> _Spec:
    return tuple(
        (f.name, f.metadata["key"], f.metadata["kind"], f.default is dataclasses.MISSING)
        for f in dataclasses.fields(cls)  # type: ignore[arg-type]
    )


_SPECS: dict[type[Message], _Spec] = {cls: _spec(cls) for cls in _ANSWERS + _EVENTS + _REQUESTS + COMMANDS}


def _decode(line: Line, known: dict[str, type[Message]]) -> Message:
    cls = known.get(line.type)
    if cls is None:
        return Unknown(line.type, line.fields)
    values: dict[str, Any] = {}
    for name, key, kind, needed in _SPECS[cls]:
        text = line.get(key)
        if text is None:
            if needed:
                return Malformed(line.type, line.fields, f"{key} is missing")
            continue
        try:
            values[name] = kind.read(text)
        except ValueError:
            return Malformed(line.type, line.fields, f"{key}={text} is not {kind.words}")
    return cls(**values)


def from_table(line: Line) -> Message:
    """What a table's line says; never raises."""
    return _decode(line, FROM_TABLE)


def from_host(line: Line) -> Message:
    """What a host's line says; never raises."""
    return _decode(line, FROM_HOST)


def origin(line: Line) -> tuple[str, int] | None:
    """Boot and number an event had before the table was restarted (key ``was``, section 7); None for a new one."""
    boot, _, seq = (line.get("was") or "").partition(";")
    return (boot, int(seq)) if boot and seq.isascii() and seq.isdigit() and len(seq) <= 10 else None


def to_fields(message: Message) -> tuple[tuple[str, str], ...]:
    """A message's keys and escaped values in the order of its fields, those that are None left out."""
    if isinstance(message, Unknown | Malformed):
        return message.fields
    spec = _SPECS[type(message)]
    values = ((key, kind, getattr(message, name)) for name, key, kind, _ in spec)
    return tuple((key, kind.write(value)) for key, kind, value in values if value is not None)


def line_type(message: Message) -> str:
    """The type of the line that carries a message."""
    return message.type if isinstance(message, Unknown | Malformed) else message.TYPE


def encode(message: Message, seq: int, ms: int) -> bytes:
    """The line that carries a message. Raises ValueError where it would be longer than `MAX_LINE`."""
    return line_bytes(line_type(message), seq, ms, to_fields(message))


def plain(message: Message) -> dict[str, Any]:
    """A message as JSON-able data: its `type` and its keys, those not known left out."""
    if isinstance(message, Unknown | Malformed):
        return {"type": message.type} | {key: unescape(value) for key, value in message.fields}
    spec = _SPECS[type(message)]
    values = ((key, getattr(message, name)) for name, key, _, _ in spec)
    return {"type": message.TYPE} | {
        key: list(value) if isinstance(value, tuple) else value for key, value in values if value is not None
    }
