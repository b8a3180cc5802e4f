"""The host's end of the line, without ports or clocks of its own: bytes and the time go in, events and bytes come out.

It greets and subscribes, keeps asking for what was lost until nothing is missing, notices a table that is silent or was
restarted, estimates the table's clock, and sees to it that every event comes out once and in order
(docs/table-line.md, sections 4 to 8). `hardware.link` gives it a port and a thread.
"""

from __future__ import annotations

import math
from collections import OrderedDict, deque
from dataclasses import asdict, dataclass, replace

from hardware import protocol
from hardware.protocol import ANSWER_TYPES, Command, Line, Message, Noise, TableHello

_MOST_PENDING = 512
_MOST_BOOTS = 8
_MOST_COMMANDS = 64
_MOST_PINGS = 16
_SNAP_KEYS = ("state", "dice", "wall", "left", "count")


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds (`tries` and `batch` are counts): `ping` between two PINGs; `dead` without a whole line until the table
    is taken for silent; `answer` until a request is sent again, a command at most `tries` times; `batch` the most
    events asked for again at once."""

    ping: float = 1.0
    dead: float = 3.0
    answer: float = 0.35
    tries: int = 12
    batch: int = 32

    def faster(self, factor: float) -> Timing:
        """The same with every wait divided by the factor."""
        return replace(self, ping=self.ping / factor, dead=self.dead / factor, answer=self.answer / factor)


# What comes out -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TableEvent:
    """An event of the table. `at`: when it happened, in the host's seconds, as well as the table's clock can be told;
    `boot` and `seq` name it for good; `replayed`: it was missed at first; `ms`: the table's own clock."""

    message: Message
    boot: str
    seq: int
    ms: int
    at: float
    replayed: bool = False


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The table as it stood after event `seq`; what is None is not known."""

    snap: protocol.Snap
    boot: str
    seq: int
    at: float


@dataclass(frozen=True, slots=True)
class Notice:
    """Something about the line itself that people are to be told. `kind`: "opened", "connected", "silent",
    "unplugged", "restarted", "lost" (events `first` to `last` will never come; `last` None: nobody knows how many),
    "refused", "malformed", "unrecorded" (the trace cannot be written any more) or "input" (a key pad's line that was
    not understood)."""

    kind: str
    text: str
    at: float
    first: int | None = None
    last: int | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a command: `code` is empty where it was carried out, else the table's (`protocol.NAK_CODES`),
    "offline" (nobody there), "silent" (no answer) or "full" (too many commands waiting)."""

    ticket: int
    ok: bool
    code: str
    text: str
    at: float


Event = TableEvent | Snapshot | Notice | Answer


@dataclass(slots=True)
class Counts:
    """Figures of a line since it was made."""

    lines: int = 0
    events: int = 0
    noise: int = 0
    noise_bytes: int = 0
    doubles: int = 0
    replays: int = 0
    replayed: int = 0
    lost: int = 0
    connects: int = 0
    restarts: int = 0
    silences: int = 0

    def plain(self) -> dict[str, int]:
        """As JSON-able data."""
        return asdict(self)


# The table's clock ----------------------------------------------------------------------------------------------------


class Clock:
    """A table's milliseconds in the host's seconds.

    Of the last sixteen measurements the one with the shortest way there and back is believed (as NTP's clock filter
    does): its error is at most half that way. The wrap of the 32-bit counter after 49.7 days is followed.
    """

    def __init__(self) -> None:
        self._samples: deque[tuple[float, float]] = deque(maxlen=16)
        self._reference: tuple[int, int] | None = None

    def _unwrapped(self, ms: int) -> int:
        if self._reference is None:
            return ms
        seen, whole = self._reference
        return whole + (ms - seen + 0x80000000) % 0x100000000 - 0x80000000

    def heard(self, ms: int, sent: float, received: float) -> None:
        """An answer that carried `ms` to a request sent and answered at these host's seconds."""
        whole = self._unwrapped(ms)
        self._reference = (ms, whole)
        self._samples.append((received - sent, (sent + received) / 2 - whole / 1000))

    def guess(self, ms: int, now: float) -> None:
        """A line that carried `ms` came in: good enough until the first measurement."""
        if not self._samples:
            whole = self._unwrapped(ms)
            self._reference = (ms, whole)
            self._samples.append((math.inf, now - whole / 1000))

    def at(self, ms: int, now: float) -> float:
        """When the table's clock showed `ms`, never later than `now`; `now` where nothing is known."""
        if not self._samples:
            return now
        return min(now, min(self._samples)[1] + self._unwrapped(ms) / 1000)

    @property
    def error(self) -> float | None:
        """Bound of the error in seconds; None where nothing is known."""
        way = min(self._samples)[0] if self._samples else math.inf
        return way / 2 if way < math.inf else None


# The host -------------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Request:
    seq: int
    line: bytes
    due: float
    tries: int = 1


class HostEnd:
    """One host. `boot`: eight hexadecimal digits, new for every host; `started`: when its own milliseconds begin."""

    def __init__(self, boot: str, timing: Timing | None = None, started: float = 0.0) -> None:
        self.timing = timing or Timing()
        self.counts = Counts()
        self.table: TableHello | None = None
        self._boot = boot
        self._started = started
        self._phase = "closed"
        self._seq = 0
        self._parser = protocol.Parser()
        self._out = bytearray()
        self._events: deque[Event] = deque()
        self._requests: dict[str, _Request] = {}
        self._offer: TableHello | None = None
        self._last: OrderedDict[str, int] = OrderedDict()
        self._clocks: OrderedDict[str, Clock] = OrderedDict()
        self._pending: dict[int, Line] = {}
        self._known = 0
        self._replay_to = 0
        self._heard = started
        self._pings: OrderedDict[int, float] = OrderedDict()
        self._ping_due = started
        self._snap: dict[str, str] = {}
        self._snap_lines = 0
        self._commands: deque[tuple[int, int, bytes]] = deque()
        self._ticket = 0
        self._current = 0
        self._outputs: dict[tuple[str, int | None], Command] = {}
        self._refused = False

    # Calls from outside

    @property
    def live(self) -> bool:
        """Whether the table is subscribed to and answering."""
        return self._phase == "live"

    @property
    def clock_error(self) -> float | None:
        """Bound in seconds of the error of `TableEvent.at`; None where it is not known."""
        clock = self._clocks.get(self.table.boot) if self.table else None
        return clock.error if clock else None

    def take(self) -> bytes:
        """The bytes to send since the last call."""
        data = bytes(self._out)
        self._out.clear()
        return data

    def events(self) -> list[Event]:
        """What happened since the last call, in order."""
        events = list(self._events)
        self._events.clear()
        return events

    def opened(self, now: float) -> None:
        """The port is open."""
        self._parser.reset()
        self._notice("opened", "the port is open", now)
        self._heard = now
        self._greet(now)

    def closed(self, now: float, why: str) -> None:
        """The port was lost."""
        if self._phase == "closed":
            return
        self._notice("unplugged", why, now)
        self._offline(now)
        self._phase = "closed"
        self._requests.clear()
        self._out.clear()

    def command(self, command: Command, now: float) -> int:
        """Has a command carried out; an `Answer` with the ticket given here follows. What displays and lights show is
        remembered and shown again after a restart or reconnection. ValueError: the command fits no line."""
        self._ticket += 1
        data = self._numbered(command, now)
        if isinstance(command, protocol.Display | protocol.Light):
            self._outputs[(command.TYPE, command.seat)] = command
        if not self.live or self.table is None:
            self._answered(self._ticket, "offline", "no table is connected", now)
        elif self.table.caps is not None and not self.table.can(command.NEEDS):
            self._answered(self._ticket, "off", f"the table has no {command.NEEDS}", now)
        elif len(self._commands) >= _MOST_COMMANDS:
            self._answered(self._ticket, "full", "too many commands are waiting", now)
        else:
            self._commands.append((self._ticket, *data))
            self._next_command(now)
        return self._ticket

    def received(self, data: bytes, now: float) -> None:
        """Takes in bytes of the table."""
        for item in self._parser.feed(data):
            if isinstance(item, Noise):
                self.counts.noise += 1
                self.counts.noise_bytes += len(item.data)
            elif self._phase != "closed":
                self.counts.lines += 1
                self._heard = now
                self._line(item, now)

    def tick(self, now: float) -> None:
        """Sends what is due; to be called several times within `timing.answer`."""
        if self._phase == "closed":
            return
        if self._phase != "greeting" and now - self._heard > self.timing.dead:
            self.counts.silences += 1
            self._notice("silent", f"no word of the table for {self.timing.dead:g} s", now)
            self._greet(now)
        for slot, request in list(self._requests.items()):
            if now >= request.due:
                self._again(slot, request, now)
        if self.live and now >= self._ping_due:
            self._ping(now)

    # Requests

    def _numbered(self, message: Message, now: float) -> tuple[int, bytes]:
        self._seq += 1
        ms = int((now - self._started) * 1000) & protocol.MAX_NUMBER
        return self._seq, protocol.encode(message, self._seq, ms)

    def _request(self, slot: str, message: Message, now: float) -> None:
        seq, line = self._numbered(message, now)
        self._requests[slot] = _Request(seq, line, now + self.timing.answer)
        self._out += line

    def _again(self, slot: str, request: _Request, now: float) -> None:
        if slot == "replay":
            self._ask_replay(now)
            return
        if slot == "command" and request.tries >= self.timing.tries:
            del self._requests[slot]
            self._answered(self._current, "silent", "no answer", now)
            self._next_command(now)
            return
        if slot == "sub" and request.tries >= self.timing.tries:
            self._greet(now)
            return
        if slot == "snap":
            self._ask_snapshot(now)
            return
        request.tries += 1
        request.due = now + self.timing.answer
        self._out += request.line

    def _greet(self, now: float) -> None:
        self._offline(now)
        self._phase = "greeting"
        self._offer = None
        self._requests.clear()
        self._pings.clear()
        self._request("hello", protocol.HostHello(protocol.PROTO, self._boot), now)

    def _subscribe(self, now: float) -> None:
        if self._offer is None:
            return
        self._offline(now)
        self._phase = "subscribing"
        self._requests.clear()
        self._request("sub", protocol.Subscribe(self._offer.boot, self._last.get(self._offer.boot, 0) + 1), now)

    def _ping(self, now: float) -> None:
        got = self._last.get(self.table.boot, 0) if self.table else None
        seq, line = self._numbered(protocol.Ping(got), now)
        self._pings[seq] = now
        while len(self._pings) > _MOST_PINGS:
            self._pings.popitem(last=False)
        self._out += line
        # One that is not answered soon is followed by another, so that noise is not mistaken for death.
        self._ping_due = now + min(self.timing.answer, self.timing.ping)

    def _ask_replay(self, now: float) -> None:
        last = self._last_here()
        if self._known <= last:
            self._requests.pop("replay", None)
            return
        self.counts.replays += 1
        self._replay_to = min(self._known, last + self.timing.batch)
        self._request("replay", protocol.Replay(last + 1, self._replay_to), now)

    def _ask_snapshot(self, now: float) -> None:
        self._snap.clear()
        self._snap_lines = 0
        self._request("snap", protocol.Ask(), now)

    def _next_command(self, now: float) -> None:
        if "command" in self._requests or not self._commands or not self.live:
            return
        self._current, seq, line = self._commands.popleft()
        self._requests["command"] = _Request(seq, line, now + self.timing.answer)
        self._out += line

    # Lines

    def _line(self, line: Line, now: float) -> None:
        if line.type not in ANSWER_TYPES:
            self._event(line, now)
            return
        message = protocol.from_table(line)
        match message:
            case TableHello():
                self._hello(line, message, now)
            case protocol.Ack() | protocol.Nak():
                self._verdict(line, message, now)
            case protocol.Pong():
                self._pong(line, message, now)
            case protocol.Snap() if self._asked("snap", message.id):
                self._snap |= {key: value for key, value in line.fields if key in _SNAP_KEYS}
                self._snap_lines += 1
            case protocol.SnapEnd() if self._asked("snap", message.id):
                self._snapshot(line, message, now)
            case protocol.Malformed():
                self._notice("malformed", f"{line.type}: {message.why}", now)

    def _asked(self, slot: str, id: int) -> bool:
        request = self._requests.get(slot)
        return request is not None and request.seq == id

    def _hello(self, line: Line, hello: TableHello, now: float) -> None:
        if hello.proto.split(".")[0] != str(protocol.PROTO_MAJOR):
            if not self._refused:
                self._notice("refused", f"the table speaks protocol {hello.proto}, this is {protocol.PROTO}", now)
            self._refused = True
            return
        self._refused = False
        if self._phase == "subscribing" and self._offer is not None and self._offer.boot == hello.boot:
            return
        # An answer to a greeting that was repeated says nothing new; one unasked means that nobody is subscribed.
        if self.live and self.table is not None and self.table.boot == hello.boot and hello.id != 0:
            return
        self._clock(hello.boot).guess(line.ms, now)
        self._offer = hello
        self._subscribe(now)

    def _verdict(self, line: Line, verdict: protocol.Ack | protocol.Nak, now: float) -> None:
        code = verdict.code if isinstance(verdict, protocol.Nak) else ""
        if self._asked("hello", verdict.id):
            if code == "proto" and not self._refused:
                self._refused = True
                self._notice("refused", f"the table does not speak protocol {protocol.PROTO}", now)
        elif self._asked("sub", verdict.id):
            self._subscription(line, verdict, code, now)
        elif self._asked("replay", verdict.id):
            self._replay_verdict(line, verdict, code, now)
        elif self._asked("snap", verdict.id):
            del self._requests["snap"]
        elif self._asked("command", verdict.id):
            del self._requests["command"]
            text = (verdict.text or "") if isinstance(verdict, protocol.Nak) else ""
            self._answered(self._current, code, text, now)
            self._next_command(now)
        self._learn(line.seq, now)

    def _subscription(self, line: Line, verdict: protocol.Ack | protocol.Nak, code: str, now: float) -> None:
        offer = self._offer
        if offer is None:
            return
        if isinstance(verdict, protocol.Ack):
            self._subscribed(now)
        elif code == "gone" and verdict.first is not None and verdict.first > self._last.get(offer.boot, 0) + 1:
            self._gap(offer.boot, verdict.first - 1, now)
            self._subscribe(now)
        elif code == "range" and self._last.get(offer.boot):
            # Fewer events than were received: a table that was restarted and kept its boot id.
            self._last[offer.boot] = 0
            self.counts.restarts += 1
            self._notice("restarted", "the table was restarted and begins to count again with the same boot id", now)
            self._subscribe(now)
        else:
            self._greet(now)

    def _subscribed(self, now: float) -> None:
        offer, before = self._offer, self.table
        if offer is None:
            return
        self._phase = "live"
        self._requests.clear()
        self._offer = None
        self.table = offer
        self._last.setdefault(offer.boot, 0)
        self._last.move_to_end(offer.boot)
        while len(self._last) > _MOST_BOOTS:
            self._last.popitem(last=False)
        if before is None or before.boot != offer.boot:
            self._pending.clear()
            self._known = 0
        if before is not None and before.boot != offer.boot:
            self._restarted(before, offer, now)
        self.counts.connects += 1
        self._notice("connected", f"{offer.vendor or 'a table'} {offer.model or ''}".strip(), now)
        self._ping_due = now
        for command in self._outputs.values():
            if offer.caps is not None and not offer.can(command.NEEDS):
                continue
            self._commands.append((0, *self._numbered(command, now)))
        self._next_command(now)
        self._ask_snapshot(now)
        self._ask_replay(now)

    def _restarted(self, before: TableHello, offer: TableHello, now: float) -> None:
        self.counts.restarts += 1
        if offer.can("keep"):
            self._notice("restarted", "the table was restarted; it kept what was not yet sent", now)
            return
        first = self._last.get(before.boot, 0) + 1
        self._notice("restarted", "the table was restarted; what it had not yet sent is lost", now, first)

    def _replay_verdict(self, line: Line, verdict: protocol.Ack | protocol.Nak, code: str, now: float) -> None:
        if code == "unsub":
            self._greet(now)
            return
        # The table's own count is the truth: an event numbered beyond it was a damaged line that slipped through.
        for seq in [seq for seq in self._pending if seq > line.seq]:
            del self._pending[seq]
        self._known = min(self._known, line.seq)
        if isinstance(verdict, protocol.Nak):
            del self._requests["replay"]
            if code == "gone" and self.table is not None and verdict.first is not None:
                self._gap(self.table.boot, verdict.first - 1, now)
                self._flush(now)
                self._ask_snapshot(now)
                self._ask_replay(now)

    def _gap(self, boot: str, last: int, now: float) -> None:
        first = self._last.get(boot, 0) + 1
        if last < first:
            return
        self.counts.lost += last - first + 1
        self._last[boot] = last
        if self.table is not None and self.table.boot == boot:
            for seq in [seq for seq in self._pending if seq <= last]:
                del self._pending[seq]
        self._notice("lost", f"the table no longer has its events {first} to {last}", now, first, last)

    def _pong(self, line: Line, pong: protocol.Pong, now: float) -> None:
        if not self.live or self.table is None:
            return
        if pong.boot != self.table.boot:
            self._greet(now)
            return
        sent = self._pings.pop(pong.id, None)
        if sent is not None:
            self._clock(pong.boot).heard(line.ms, sent, now)
            self._pings.clear()
            self._ping_due = now + self.timing.ping
        self._learn(line.seq, now)

    def _snapshot(self, line: Line, end: protocol.SnapEnd, now: float) -> None:
        if end.lines != self._snap_lines or self.table is None:
            return
        del self._requests["snap"]
        snap = protocol.from_table(Line("SNAP", line.seq, line.ms, (("id", str(end.id)), *self._snap.items())))
        if isinstance(snap, protocol.Snap):
            at = self._clock(self.table.boot).at(line.ms, now)
            self._events.append(Snapshot(snap, self.table.boot, line.seq, at))
        else:
            self._notice("malformed", f"SNAP: {snap.why if isinstance(snap, protocol.Malformed) else ''}", now)

    # Events

    def _last_here(self) -> int:
        return self._last.get(self.table.boot, 0) if self.table else 0

    def _learn(self, seq: int, now: float) -> None:
        """Every answer says how many events there are: so a lost last event is missed within one PING."""
        if not self.live:
            return
        self._known = max(self._known, seq)
        if self._known > self._last_here() and "replay" not in self._requests:
            self._ask_replay(now)

    def _event(self, line: Line, now: float) -> None:
        if self._phase == "subscribing" and self.table and self._offer and self.table.boot == self._offer.boot:
            self._subscribed(now)  # Events flow again, so it was accepted, though the answer was lost.
        if not self.live:
            return
        if line.seq <= self._last_here():
            self.counts.doubles += 1
            return
        self._pending[line.seq] = line
        if len(self._pending) > _MOST_PENDING:  # those needed first stay, or nothing would ever fill the gap
            del self._pending[max(self._pending)]
        self._flush(now)
        self._learn(line.seq, now)
        if "replay" in self._requests and self._last_here() >= self._replay_to:
            self._ask_replay(now)

    def _flush(self, now: float) -> None:
        if self.table is None:
            return
        boot = self.table.boot
        while (line := self._pending.pop(self._last_here() + 1, None)) is not None:
            self._last[boot] = line.seq
            self._deliver(line, boot, now)

    def _deliver(self, line: Line, boot: str, now: float) -> None:
        replayed = "replay" in self._requests and line.seq <= self._replay_to
        seq = line.seq
        was = protocol.origin(line)
        if was is not None:
            boot, seq = was
            if seq <= self._last.get(boot, 0):
                self.counts.doubles += 1
                return
            self._last[boot] = seq
        message = protocol.from_table(line)
        if isinstance(message, protocol.Malformed):
            self._notice("malformed", f"{line.type}: {message.why}", now)
        self.counts.events += 1
        self.counts.replayed += replayed
        self._events.append(TableEvent(message, boot, seq, line.ms, self._clock(boot).at(line.ms, now), replayed))

    # The rest

    def _clock(self, boot: str) -> Clock:
        clock = self._clocks.setdefault(boot, Clock())
        while len(self._clocks) > _MOST_BOOTS:
            self._clocks.popitem(last=False)
        return clock

    def _offline(self, now: float) -> None:
        """Commands that wait are given up; what displays and lights show comes back with the table."""
        if "command" in self._requests:
            self._answered(self._current, "offline", "the table was lost", now)
            del self._requests["command"]
        for ticket, _, _ in self._commands:
            self._answered(ticket, "offline", "the table was lost", now)
        self._commands.clear()

    def _answered(self, ticket: int, code: str, text: str, now: float) -> None:
        if ticket:
            self._events.append(Answer(ticket, not code, code, text, now))

    def _notice(self, kind: str, text: str, now: float, first: int | None = None, last: int | None = None) -> None:
        self._events.append(Notice(kind, text, now, first, last))
