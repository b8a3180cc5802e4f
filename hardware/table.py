"""The table's end of the line: what a bridge has to do, without ports or sensors.

The simulator is built on it, and the C++ bridge under hardware/bridge/ does the same, byte for byte (sections 4 to 8
of docs/table-line.md). Bytes and the table's clock go in, bytes come out of `take`; the commands that a device has to
carry out are returned.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace

from hardware import protocol
from hardware.protocol import Command, Light, Line, Message, Noise, Test

HELLO_EVERY = 1000
"""Milliseconds between greetings while nobody listens."""
MOST_PROBES = 16
CARRIED_ROOM = len(",was=00000000;4294967295")
_REMEMBERED = ("state", "dice", "wall", "left", "count")


@dataclass(frozen=True, slots=True)
class Identity:
    """What a table says of itself in its HELLO. `tiles`: size of the set in use; `caps`: capabilities (section 5)."""

    vendor: str = "open"
    model: str = "simulator"
    firmware: str = "1.0"
    serial: str = "0"
    tiles: int = 136
    caps: tuple[str, ...] = (
        "dice:2", "wall.count", "wall.head", "wall.tail", "deal", "turn", "handin", "btn:4+1",
        "stick", "score:4x6", "light", "beep", "keep", "test",
    )  # fmt: skip

    def can(self, capability: str) -> bool:
        """Whether the capability is named, whatever its parameters."""
        return any(cap.split(":")[0] == capability for cap in self.caps)


@dataclass(frozen=True, slots=True)
class _Kept:
    """An event as it is kept for being sent again; `was` its (boot, number) before a restart."""

    seq: int
    ms: int
    type: str
    fields: tuple[tuple[str, str], ...]
    was: tuple[str, int] | None = None

    def line(self) -> bytes:
        was = (("was", f"{self.was[0]};{self.was[1]}"),) if self.was else ()
        return protocol.line_bytes(self.type, self.seq, self.ms, self.fields + was)


class TableEnd:
    """One table. `capacity`: events kept for being sent again; `boot`: eight hexadecimal digits, new at every start."""

    def __init__(self, identity: Identity, boot: str, capacity: int = 256) -> None:
        self.identity = identity
        self.boot = boot
        self._kept: deque[_Kept] = deque(maxlen=capacity)
        self._parser = protocol.Parser()
        self._out = bytearray()
        self._begin()

    def _begin(self) -> None:
        self._last = 0
        self._got = 0
        self._host = ""
        self._subscribed = False
        self._executed = 0
        self._greeted: int | None = None
        self._snap: dict[str, str] = {}

    @property
    def last(self) -> int:
        """Number of the last event."""
        return self._last

    @property
    def confirmed(self) -> int:
        """Number of the last event that the host said it has received, with all before it."""
        return self._got

    @property
    def subscribed(self) -> bool:
        """Whether a host listens."""
        return self._subscribed

    def take(self) -> bytes:
        """The bytes to send since the last call."""
        data = bytes(self._out)
        self._out.clear()
        return data

    def restart(self, boot: str) -> None:
        """As after power loss or reset. Events the host has not confirmed survive only with the capability `keep`."""
        snap = self._snap
        kept = [event for event in self._kept if event.seq > self._got] if self.identity.can("keep") else []
        old, unconfirmed = self.boot, self._last - self._got
        self.boot = boot
        self._kept.clear()
        self._parser.reset()
        self._out.clear()
        self._begin()
        if not self.identity.can("keep"):
            return
        self._snap = snap
        self._last = unconfirmed - len(kept)  # those there was no room for leave a gap that SUB will tell of
        for event in kept:
            self._last += 1
            self._kept.append(replace(event, seq=self._last, was=event.was or (old, event.seq)))

    def emit(self, message: Message, ms: int) -> int:
        """Numbers an event, keeps it, sends it if somebody listens; gives its number. ValueError: it fits no line."""
        event = _Kept(self._last + 1, ms, protocol.line_type(message), protocol.to_fields(message))
        line = event.line()
        if len(line) + CARRIED_ROOM > protocol.MAX_LINE:
            raise ValueError(f"{event.type} event too long: {len(line)} bytes, {protocol.MAX_LINE - CARRIED_ROOM} fit")
        self._last = event.seq
        self._kept.append(event)
        self._remember(event)
        if self._subscribed:
            self._out += line
        return event.seq

    def tick(self, ms: int) -> None:
        """Greets once a second while nobody listens."""
        if self._subscribed:
            return
        if self._greeted is None or (ms - self._greeted) & protocol.MAX_NUMBER >= HELLO_EVERY:
            self._greeted = ms
            self._hello(0, ms)

    def received(self, data: bytes, ms: int) -> list[Command]:
        """Answers a host's bytes; gives the commands newly to be carried out."""
        commands: list[Command] = []
        for item in self._parser.feed(data):
            if isinstance(item, Noise):
                continue
            command = self._answer(item, ms)
            if command is not None:
                commands.append(command)
        return commands

    def _answer(self, line: Line, ms: int) -> Command | None:
        message = protocol.from_host(line)
        match message:
            case protocol.Unknown():
                self._nak(line, "unknown", ms)
            case protocol.Malformed():
                self._nak(line, "value", ms)
            case protocol.HostHello():
                self._greeting(line, message, ms)
            case protocol.Ping():
                if self._subscribed and message.got is not None and self._got < message.got <= self._last:
                    self._got = message.got
                self._send(protocol.Pong(line.seq, self.boot), ms)
            case protocol.Subscribe():
                self._subscribe(line, message, ms)
            case protocol.Ask():
                self._snapshot(line, ms)
            case protocol.Replay():
                self._replay(line, message, ms)
            case Command():
                return self._command(line, message, ms)
        return None

    def _send(self, message: Message, ms: int) -> None:
        self._out += protocol.encode(message, self._last, ms)

    def _nak(self, line: Line, code: str, ms: int, first: int | None = None) -> None:
        self._send(protocol.Nak(line.seq, code, first), ms)

    def _hello(self, id: int, ms: int) -> None:
        me = self.identity
        hello = protocol.TableHello(
            id, protocol.PROTO, self.boot, me.vendor, me.model, me.firmware, me.serial, me.tiles, me.caps
        )
        self._send(hello, ms)

    def _greeting(self, line: Line, hello: protocol.HostHello, ms: int) -> None:
        if hello.proto.split(".")[0] != str(protocol.PROTO_MAJOR):
            self._nak(line, "proto", ms)
            return
        if hello.boot != self._host:
            self._host = hello.boot
            self._subscribed = False
            self._executed = 0
        self._hello(line.seq, ms)

    def _oldest(self) -> int:
        return self._kept[0].seq if self._kept else self._last + 1

    def _subscribe(self, line: Line, wish: protocol.Subscribe, ms: int) -> None:
        if wish.boot != self.boot:
            self._nak(line, "boot", ms)
        elif not 1 <= wish.first <= self._last + 1:
            self._nak(line, "range", ms)
        elif wish.first < self._oldest():
            self._nak(line, "gone", ms, self._oldest())
        else:
            self._subscribed = True
            self._got = max(self._got, wish.first - 1)
            self._send(protocol.Ack(line.seq), ms)
            self._again(wish.first, self._last)

    def _replay(self, line: Line, wish: protocol.Replay, ms: int) -> None:
        if not self._subscribed:
            self._nak(line, "unsub", ms)
        elif not 1 <= wish.first <= min(wish.last, self._last):
            self._nak(line, "range", ms)
        elif wish.first < self._oldest():
            self._nak(line, "gone", ms, self._oldest())
        else:
            self._send(protocol.Ack(line.seq), ms)
            self._again(wish.first, wish.last)

    def _again(self, first: int, last: int) -> None:
        for event in self._kept:
            if first <= event.seq <= last:
                self._out += event.line()

    def _snapshot(self, line: Line, ms: int) -> None:
        known = tuple((key, self._snap[key]) for key in _REMEMBERED if key in self._snap)
        self._out += protocol.line_bytes("SNAP", self._last, ms, (("id", str(line.seq)), *known))
        self._send(protocol.SnapEnd(line.seq, 1), ms)

    def _command(self, line: Line, command: Command, ms: int) -> Command | None:
        if line.seq < self._executed:
            return None
        if line.seq == self._executed:
            self._send(protocol.Ack(line.seq), ms)
            return None
        if not self.identity.can(command.NEEDS):
            self._nak(line, "off", ms)
            return None
        if not _sensible(command):
            self._nak(line, "value", ms)
            return None
        self._executed = line.seq
        self._send(protocol.Ack(line.seq), ms)
        if isinstance(command, Test):
            for index in range(1, command.count + 1):
                self.emit(protocol.Probe(index), ms)
        return command

    def _remember(self, event: _Kept) -> None:
        """Keeps the snapshot: the latest state, dice, wall, tiles left and hand-in count since the last shuffle."""
        values = dict(event.fields)
        if event.type == "STATE":
            if values.get("s") == "shuffling":
                self._snap.clear()
            self._keep("state", values.get("s"))
        elif event.type == "DICE":
            self._keep("dice", values.get("v"))
        elif event.type == "WALL":
            self._keep("wall", values.get("n"))
            self._keep("left", values.get("left"))
        elif event.type == "DRAW":
            self._keep("left", values.get("left"))
        elif event.type == "HANDIN":
            self._keep("count", values.get("count"))

    def _keep(self, key: str, value: str | None) -> None:
        if value is not None:
            self._snap[key] = value


def _sensible(command: Command) -> bool:
    match command:
        case Light():
            return command.colour in protocol.LIGHT_COLOURS
        case Test():
            return 1 <= command.count <= MOST_PROBES
    return True
