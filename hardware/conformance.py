"""Tests a table or bridge at the other end of a port against docs/table-line.md, and says what to mend.

`run` plays a host that makes every mistake a line can make and some a host can; it never starts a motor: SHUFFLE is
sent only to a table that does not offer it, to see it refused.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Collection
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

from hardware import protocol
from hardware.link import Port, PortError, new_boot
from hardware.protocol import ANSWER_TYPES, Ack, Line, Message, Nak, Noise, Ping, Pong, Replay, Subscribe, TableHello

ANSWER_MS = 300
"""A table has to answer within so many milliseconds (section 4)."""
_WAIT = 1.0
_START = 6.0
_MOST_LISTED = 12
_FOUNDATION = ("hello", "subscribe")


@dataclass(frozen=True, slots=True)
class Check:
    """One check: `result` is "pass", "fail" or "skip"; `found` what was seen, `advice` what to do, `exchange` the last
    lines that passed, ">" to the table and "<" from it; `section` of the document."""

    name: str
    section: int
    title: str
    result: str
    found: str = ""
    advice: str = ""
    exchange: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """What a test found; it passed where no check failed."""

    url: str
    table: dict[str, Any] | None
    checks: tuple[Check, ...]

    @property
    def passed(self) -> bool:
        """Whether no check failed and the table answered at all."""
        return self.table is not None and all(check.result != "fail" for check in self.checks)

    def plain(self) -> dict[str, Any]:
        """As JSON-able data."""
        checks = [asdict(check) | {"exchange": list(check.exchange)} for check in self.checks]
        return {"url": self.url, "passed": self.passed, "table": self.table, "checks": checks}


class _Failed(Exception):
    def __init__(self, found: str, advice: str) -> None:
        super().__init__(found)
        self.found = found
        self.advice = advice


class _Skipped(Exception):
    pass


M = TypeVar("M", bound=Message)


class _Tester:
    """A port, what went over it, and the means to ask."""

    def __init__(self, port: Port) -> None:
        self.port = port
        self.parser = protocol.Parser()
        self.seq = 0
        self.raw = b""
        self.exchange: list[str] = []
        self.slowest = 0.0
        self.hello: TableHello | None = None
        self.last = 0
        self._began = time.monotonic()

    @property
    def table(self) -> TableHello:
        if self.hello is None:
            raise _Skipped("the table has not said who it is")
        return self.hello

    def put(self, data: bytes) -> None:
        self.exchange.append("> " + _shown(data))
        self.port.write(data)

    def bytes_of(self, message: Message, seq: int | None = None) -> bytes:
        if seq is None:
            self.seq += 1
        ms = int((time.monotonic() - self._began) * 1000)
        return protocol.encode(message, self.seq if seq is None else seq, ms)

    def listen(self, seconds: float, enough: Callable[[Line], bool] = lambda line: False) -> list[Line]:
        """Undamaged lines that come within the time, up to and including the first that is enough."""
        lines: list[Line] = []
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            data = self.port.read(min(left, 0.05))
            self.raw += data
            done = False
            for item in self.parser.feed(data):
                self.exchange.append("< " + (_text(item) if isinstance(item, Line) else "(noise) " + _shown(item.data)))
                if isinstance(item, Line):
                    self.last = max(self.last, item.seq)
                    lines.append(item)
                    done = done or enough(item)
            if done:
                break
        return lines

    def answer(
        self, data: bytes, seq: int, enough: Callable[[Line], bool] = lambda line: True
    ) -> tuple[Message | None, list[Line]]:
        """What the table answers to the request with this number, and every line that came: up to the answer, where it
        is a refusal; else up to the first line from the answer on that is enough."""
        sent = time.monotonic()
        found: list[Line] = []

        def over(line: Line) -> bool:
            if not found and line.type in ANSWER_TYPES and line.get("id") == str(seq):
                found.append(line)
                self.slowest = max(self.slowest, time.monotonic() - sent)
            return bool(found) and (found[0].type == "NAK" or enough(line))

        self.put(data)
        lines = self.listen(_WAIT, over)
        return protocol.from_table(found[0]) if found else None, lines

    def ask(self, message: Message) -> Message | None:
        data = self.bytes_of(message)
        return self.answer(data, self.seq)[0]

    def expect(self, message: Message, kind: type[M], advice: str) -> M:
        answer = self.ask(message)
        if not isinstance(answer, kind):
            raise _Failed(f"{message.TYPE} was answered by {_told(answer)}, {kind.TYPE} expected", advice)
        return answer

    def refused(self, message: Message, code: str, advice: str) -> None:
        answer = self.ask(message)
        if not isinstance(answer, Nak) or answer.code != code:
            raise _Failed(f"{message.TYPE} was answered by {_told(answer)}, NAK code={code} expected", advice)

    def alive(self, advice: str) -> None:
        self.expect(Ping(), Pong, advice)


def _shown(data: bytes) -> str:
    return "".join(chr(byte) if 0x20 <= byte < 0x7F else f"\\x{byte:02x}" for byte in data)[:300]


def _text(line: Line) -> str:
    return _shown(protocol.line_bytes(line.type, line.seq, line.ms, line.fields).rstrip())


def _told(message: Message | None) -> str:
    match message:
        case None:
            return "nothing"
        case Nak(code=code):
            return f"NAK code={code}"
        case protocol.Malformed(type=type, why=why):
            return f"a {type} that does not fit: {why}"
    return message.TYPE


# The checks, in the order they are made -------------------------------------------------------------------------------

_Step = Callable[[_Tester], None]
_CHECKS: list[tuple[str, int, str, _Step]] = []


def _check(name: str, section: int, title: str) -> Callable[[_Step], _Step]:
    def add(step: _Step) -> _Step:
        _CHECKS.append((name, section, title, step))
        return step

    return add


@_check("hello", 4, "answers HELLO and says who it is")
def _hello(t: _Tester) -> None:
    t.put(b"\r\n")
    until = time.monotonic() + _START
    answer: Message | None = None
    while answer is None and time.monotonic() < until:
        answer = t.ask(protocol.HostHello(protocol.PROTO, new_boot()))
    if not isinstance(answer, TableHello):
        advice = "Send $HELLO,<last event>,<ms>,id=<number of the request>,proto=1.0,boot=<8 hex digits>... in answer."
        if t.raw and not answer:
            advice += " Bytes came in, but no answer: check the baud rate (115200) and the CRC (section 2)."
        raise _Failed(f"HELLO was answered by {_told(answer)} within {_START:g} s", advice)
    t.hello = answer


@_check("identity", 5, "names its protocol version, maker, model and capabilities")
def _identity(t: _Tester) -> None:
    hello = t.table
    if hello.proto.split(".")[0] != "1":
        raise _Failed(f"proto={hello.proto}", "This test knows protocol 1; send proto=1.0.")
    if not hello.caps:
        raise _Failed("no capabilities", "Name what the table can do in caps=; what is not named counts as unknown.")
    bad = [cap for cap in hello.caps if not re.fullmatch(r"[a-z][a-z0-9.]*(:[a-z0-9+]+)?", cap)]
    if bad:
        raise _Failed(f"capabilities not understood: {' '.join(bad)}", "Write name or name:detail in lower case.")
    missing = [key for key, value in (("vendor", hello.vendor), ("model", hello.model)) if not value]
    if missing:
        raise _Failed(f"{' and '.join(missing)} left out", "People are told which table it is; name it.")
    if hello.tiles is None and (hello.can("wall.count") or hello.can("handin")):
        raise _Failed("tiles left out", "A table that counts tiles has to say how many its set has: tiles=136.")


@_check("unheard", 4, "greets once a second and sends no events while nobody is subscribed")
def _unheard(t: _Tester) -> None:
    lines = t.listen(2.3)
    events = [line for line in lines if line.type not in ANSWER_TYPES]
    if events:
        advice = "Keep events back until SUB: a host that does not know your boot id would count them wrongly."
        raise _Failed(f"{events[0].type} was sent before SUB", advice)
    if not any(line.type == "HELLO" and line.get("id") == "0" for line in lines):
        advice = "Send HELLO with id=0 every second until a host subscribes, so that a restart is noticed at once."
        raise _Failed("no HELLO of its own in 2.3 s", advice)


@_check("version", 10, "refuses a protocol it does not speak")
def _version(t: _Tester) -> None:
    t.refused(protocol.HostHello("9.0", new_boot()), "proto", "Compare the number before the dot with your own.")


@_check("boot", 6, "refuses a subscription meant for another start")
def _boot(t: _Tester) -> None:
    other = "00000000" if t.table.boot != "00000000" else "00000001"
    t.refused(Subscribe(other, 1), "boot", "Compare SUB's boot with your own.")


@_check("unsub", 7, "refuses REPLAY before SUB")
def _unsub(t: _Tester) -> None:
    t.refused(Replay(1, 1), "unsub", "Answer REPLAY with NAK code=unsub until SUB was accepted.")


@_check("range", 6, "refuses a subscription from an event that was never made")
def _range(t: _Tester) -> None:
    t.refused(Subscribe(t.table.boot, t.last + 1000000), "range", "SUB from may be at most the last event plus one.")


@_check("subscribe", 6, "accepts a subscription")
def _subscribe(t: _Tester) -> None:
    t.expect(Subscribe(t.table.boot, t.last + 1), Ack, "Answer SUB with ACK,id=<its number>, then send events.")


@_check("ping", 4, "answers PING, with a clock that runs")
def _ping(t: _Tester) -> None:
    ticks: list[tuple[float, int]] = []
    for _ in range(4):
        data = t.bytes_of(Ping(t.last))
        answer, lines = t.answer(data, t.seq)
        if not isinstance(answer, Pong):
            raise _Failed(f"PING was answered by {_told(answer)}", "Answer PONG,id=<number of the PING>,boot=<yours>.")
        if answer.boot != t.table.boot:
            raise _Failed(f"PONG says boot={answer.boot}, HELLO {t.table.boot}", "The boot id stays until a restart.")
        ticks.append((time.monotonic(), lines[-1].ms))
        t.listen(0.3)
    took = ticks[-1][0] - ticks[0][0]
    ran = ((ticks[-1][1] - ticks[0][1]) & protocol.MAX_NUMBER) / 1000
    if abs(ran - took) > 0.05 * took + 0.05:
        raise _Failed(
            f"its clock ran {ran:.3f} s in {took:.3f} s", "The third field is milliseconds of a running clock."
        )


@_check("snapshot", 8, "gives a snapshot")
def _snapshot(t: _Tester) -> None:
    data = t.bytes_of(protocol.Ask())
    t.put(data)
    own = str(t.seq)
    lines = t.listen(_WAIT, lambda line: line.type in ("SNAPEND", "NAK") and line.get("id") == own)
    messages = [protocol.from_table(line) for line in lines if line.get("id") == own]
    advice = "Answer SNAP? with SNAP lines and SNAPEND,id=..,n=<how many>, all with the number of the request."
    if not messages or not isinstance(messages[-1], protocol.SnapEnd):
        raise _Failed(f"SNAP? was answered by {_told(messages[-1] if messages else None)}", advice)
    for message in messages[:-1]:
        if not isinstance(message, protocol.Snap):
            raise _Failed(_told(message), advice)
        if message.state is not None and message.state not in protocol.STATES:
            raise _Failed(f"state={message.state}", f"One of {' '.join(protocol.STATES)}.")
    if messages[-1].lines != len(messages) - 1:
        raise _Failed(f"SNAPEND says n={messages[-1].lines}, {len(messages) - 1} SNAP lines came", advice)


@_check("crc", 2, "ignores a damaged line")
def _crc(t: _Tester) -> None:
    good = t.bytes_of(Ping())
    flipped = good.replace(b"PING", b"PINH", 1)
    for bad in (flipped, good[:-6] + b"0000\r\n", good[:-7] + b"\r\n"):
        if bad == good:
            continue
        t.put(bad)
        if any(line.type in ("ACK", "NAK", "PONG") for line in t.listen(0.25)):
            raise _Failed("it answered a line whose CRC is wrong", "Check CRC-16/MODBUS before anything else.")
    t.alive("After a damaged line the next good one has to be answered.")
    lower = t.bytes_of(Ping())
    answer, _ = t.answer(lower[:-6] + lower[-6:].lower(), t.seq)
    if not isinstance(answer, Pong):
        raise _Failed("a CRC in lower-case digits was not accepted", "Accept both; send upper case.")


@_check("resync", 3, "finds its place again after noise, torn and overlong lines")
def _resync(t: _Tester) -> None:
    ping = protocol.encode(Ping(), 1, 1)
    for what, junk in (
        ("noise", bytes(range(1, 256)).replace(b"$", b"") * 2),
        ("a torn line", ping[:9]),
        ("a line of 1000 bytes", b"$PING,1,1,x=" + b"a" * 1000),
        ("many dollar signs", b"$$$$$"),
        ("a line that ends in LF alone and is damaged", ping[:-7] + b"0000\n"),
    ):
        data = t.bytes_of(Ping())
        answer, _ = t.answer(junk + data, t.seq)
        if not isinstance(answer, Pong):
            advice = "Begin a new line at every $, wherever it comes; drop a line that grows beyond 240 bytes."
            raise _Failed(f"a PING right after {what} was answered by {_told(answer)}", advice)


@_check("pieces", 3, "takes a line in pieces, and one that ends in a line feed alone")
def _pieces(t: _Tester) -> None:
    data = t.bytes_of(Ping())
    for at in range(len(data) - 2):
        t.port.write(data[at : at + 1])
        time.sleep(0.001)
    answer, _ = t.answer(data[-2:], t.seq)
    if not isinstance(answer, Pong):
        raise _Failed("a PING sent byte by byte was not answered", "Collect bytes until CR or LF.")
    data = t.bytes_of(Ping())
    answer, _ = t.answer(data.rstrip() + b"\n", t.seq)
    if not isinstance(answer, Pong):
        raise _Failed("a PING that ends in LF alone was not answered", "A line is over at the first CR or LF.")


@_check("unknown", 10, "refuses types and ignores keys it does not know")
def _unknown(t: _Tester) -> None:
    t.refused(protocol.Unknown("XYZZY", (("a", "1"),)), "unknown", "Answer NAK,id=..,code=unknown.")
    t.seq += 1
    data = protocol.line_bytes("PING", t.seq, 1, (("zz9", "%24x"), ("got", "0"), ("y", "")))
    answer, _ = t.answer(data, t.seq)
    if not isinstance(answer, Pong):
        raise _Failed(f"a PING with keys unknown to it was answered by {_told(answer)}", "Skip keys you do not know.")


@_check("value", 9, "refuses a request whose keys are missing or wrong")
def _value(t: _Tester) -> None:
    for line_type, fields in (("SUB", ()), ("REPLAY", (("from", "x"), ("to", "1"))), ("DISP", (("seat", "7"),))):
        t.seq += 1
        data = protocol.line_bytes(line_type, t.seq, 1, fields)
        answer, _ = t.answer(data, t.seq)
        if not isinstance(answer, Nak) or answer.code != "value":
            advice = "A key that is missing or no number, or a seat beyond 3, is answered NAK code=value."
            raise _Failed(f"{_shown(data.rstrip())} was answered by {_told(answer)}", advice)


@_check("commands", 9, "carries out the commands it offers and refuses the others")
def _commands(t: _Tester) -> None:
    wanted: tuple[protocol.Command, ...] = (
        protocol.Display(0, -1200),
        protocol.Light("green", 1),
        protocol.Light("off", None, 500),
        protocol.Beep(20, 2000),
    )
    for command in wanted:
        if t.table.can(command.NEEDS):
            t.expect(command, Ack, f"It names {command.NEEDS} and has to carry out {command.TYPE}.")
        else:
            t.refused(command, "off", f"Without {command.NEEDS} in caps, {command.TYPE} is answered NAK code=off.")
    if t.table.can("light"):
        t.refused(protocol.Light("mauve"), "value", f"Colours are {' '.join(protocol.LIGHT_COLOURS)}.")


@_check("motor", 9, "does not start the motor unless that was allowed at the table")
def _motor(t: _Tester) -> None:
    if t.table.can("shuffle"):
        raise _Skipped("it offers shuffle; SHUFFLE is not sent to a table that would obey")
    t.refused(protocol.Shuffle(), "off", "Only a switch at the table may allow SHUFFLE; until then NAK code=off.")


@_check("once", 9, "carries out a repeated command once and answers it again")
def _once(t: _Tester) -> None:
    able = next(
        (c for c in (protocol.Display(0, 1), protocol.Light("off"), protocol.Beep(1)) if t.table.can(c.NEEDS)), None
    )
    if able is None:
        raise _Skipped("it offers no command to repeat")
    data = t.bytes_of(able)
    for turn in ("", " when repeated"):
        answer, _ = t.answer(data, t.seq)
        if not isinstance(answer, Ack):
            advice = "Remember the number of the last command carried out; answer the same number with ACK again."
            raise _Failed(f"{able.TYPE} was answered by {_told(answer)}{turn}", advice)
    t.put(t.bytes_of(able, t.seq - 1))
    if any(line.get("id") == str(t.seq - 1) for line in t.listen(0.25)):
        raise _Failed("a command older than the last was answered", "It was delayed on the way: say and do nothing.")


@_check("events", 6, "numbers its events one after the other")
def _events(t: _Tester) -> None:
    _probes(t, 5)


def _probes(t: _Tester, count: int) -> list[Line]:
    if not t.table.can("test"):
        raise _Skipped("without the capability test no events can be had on request")
    before = t.last
    data = t.bytes_of(protocol.Test(count))
    answer, lines = t.answer(data, t.seq, lambda line: line.type == "PROBE" and line.get("i") == str(count))
    if not isinstance(answer, Ack):
        raise _Failed(f"TEST was answered by {_told(answer)}", "It names test and has to make PROBE events.")
    probes = [line for line in lines if line.type == "PROBE"]
    numbers = [line.seq for line in lines if line.type not in ANSWER_TYPES]
    if [line.get("i") for line in probes] != [str(index) for index in range(1, count + 1)]:
        raise _Failed(f"{len(probes)} PROBE events came of {count}", "Make PROBE,i=1 to i=n after the ACK.")
    if numbers != list(range(before + 1, before + 1 + len(numbers))):
        advice = "Events count up by one; answers (HELLO ACK NAK PONG SNAP SNAPEND) carry the last number and add none."
        raise _Failed(f"after event {before} came {numbers}", advice)
    again, more = t.answer(data, t.seq)
    extra = [line for line in more + t.listen(0.25) if line.type == "PROBE"]
    if not isinstance(again, Ack) or extra:
        raise _Failed("a repeated TEST made events again", "A command is carried out once (section 9).")
    return probes


@_check("replay", 7, "sends events again exactly as they were")
def _replay(t: _Tester) -> None:
    probes = _probes(t, 4)
    first, last = probes[1].seq, probes[-1].seq
    data = t.bytes_of(Replay(first, last))
    answer, again = t.answer(data, t.seq, lambda line: line.seq == last and line.type == "PROBE")
    if not isinstance(answer, Ack):
        raise _Failed(f"REPLAY was answered by {_told(answer)}", "Keep the last events (32 at least) for REPLAY.")
    if [line for line in again if line.type == "PROBE"] != probes[1:]:
        raise _Failed("what came again is not what was sent", "Send the same number, clock and keys as the first time.")
    t.refused(Replay(t.last + 5, t.last + 9), "range", "Events that were never made cannot be sent again.")
    answer = t.ask(Replay(1, 1))
    t.listen(0.1)
    if not isinstance(answer, Ack) and not (isinstance(answer, Nak) and answer.code == "gone" and answer.first):
        advice = "What is no longer kept is refused: NAK,id=..,code=gone,first=<oldest kept>."
        raise _Failed(f"REPLAY of the first event was answered by {_told(answer)}", advice)


@_check("resume", 6, "resumes where a host left off")
def _resume(t: _Tester) -> None:
    probes = _probes(t, 3)
    data = t.bytes_of(Subscribe(t.table.boot, probes[0].seq))
    answer, again = t.answer(data, t.seq, lambda line: line.seq == probes[-1].seq and line.type == "PROBE")
    if not isinstance(answer, Ack) or [line for line in again if line.type == "PROBE"] != probes:
        advice = "SUB from=n is answered with ACK and every event from n on."
        raise _Failed(f"SUB was answered by {_told(answer)}, {len(again)} lines came again", advice)


@_check("greeting", 4, "keeps a host's subscription when its HELLO comes twice, ends it for a new host")
def _greeting(t: _Tester) -> None:
    boot = new_boot()
    t.expect(protocol.HostHello(protocol.PROTO, boot), TableHello, "Answer every HELLO.")
    t.refused(Replay(1, 1), "unsub", "A HELLO with another boot id is a new host, which has to subscribe first.")
    t.expect(Subscribe(t.table.boot, t.last + 1), Ack, "Accept a new host's SUB.")
    t.expect(protocol.HostHello(protocol.PROTO, boot), TableHello, "Answer every HELLO.")
    answer = t.ask(Replay(t.last + 1, t.last + 1))
    if isinstance(answer, Nak) and answer.code == "unsub":
        raise _Failed("a HELLO that came twice ended the subscription", "Compare the host's boot id with the last.")


@_check("timely", 4, f"answers within {ANSWER_MS} ms")
def _timely(t: _Tester) -> None:
    if t.slowest * 1000 > ANSWER_MS:
        advice = "Do not wait for sensors or motors in the loop that reads the line."
        raise _Failed(f"the slowest answer took {t.slowest * 1000:.0f} ms", advice)


@_check("form", 2, "sends lines in the form of the document, undamaged")
def _form(t: _Tester) -> None:
    t.listen(0.1)
    lines = t.raw[max(0, t.raw.find(b"$")) :].split(b"\n")[:-1]
    parser = protocol.Parser()
    for raw in lines:
        if not raw.endswith(b"\r"):
            raise _Failed(f"{_shown(raw)} does not end in CR LF", "End every line in CR LF.")
        items = parser.feed(raw + b"\n")
        noise = next((item for item in items if isinstance(item, Noise)), None)
        if noise is not None:
            raise _Failed(f"{_shown(noise.data)}: {noise.why}", "Check length (240 bytes at most), CRC and characters.")
        if raw[-5:-1] != raw[-5:-1].upper():
            raise _Failed(f"{_shown(raw)}", "Send the CRC in upper-case digits.")
        for item in items:
            message = protocol.from_table(item) if isinstance(item, Line) else None
            if isinstance(message, protocol.Malformed):
                raise _Failed(f"{_shown(raw)}: {message.why}", "Compare with the message's keys in the document.")
            if isinstance(message, protocol.Unknown) and not message.type.startswith("X"):
                raise _Failed(f"{_shown(raw)}: unknown type", "Types of your own begin with X (section 10).")


# Running them ---------------------------------------------------------------------------------------------------------


def run(
    url: str,
    wait: float = 0.0,
    progress: Callable[[Check], None] = lambda check: None,
    only: Collection[str] = (),
) -> Report:
    """Tests what answers at a pyserial URL. `wait`: seconds to listen for events made by hand (dice, buttons);
    `progress` is told each check as it is done; `only`: the names of the checks to make besides what they rest on.
    `link.PortError` where the port cannot be opened or is lost, ValueError: a check of that name is not known."""
    unknown = set(only) - {name for name, *_ in _CHECKS}
    if unknown:
        known = ", ".join(name for name, *_ in _CHECKS)
        raise ValueError(f"no check is named {', '.join(sorted(unknown))}; known: {known}")
    port = Port(url)
    try:
        tester = _Tester(port)
        checks = []
        for name, section, title, step in _CHECKS:
            if only and name not in only and name not in _FOUNDATION:
                continue
            if name == "timely" and wait > 0:
                checks.append(
                    _one(tester, "by hand", 6, f"events made by hand in {wait:g} s", lambda t: _by_hand(t, wait))
                )
                progress(checks[-1])
            checks.append(_one(tester, name, section, title, step))
            progress(checks[-1])
            if tester.hello is None:
                break
        table = protocol.plain(tester.hello) if tester.hello is not None else None
        return Report(url, table, tuple(checks))
    except PortError as error:
        raise PortError(f"{url}: lost during the test: {error}") from None
    finally:
        port.close()


def _one(t: _Tester, name: str, section: int, title: str, step: _Step) -> Check:
    t.exchange.clear()
    try:
        step(t)
    except _Failed as failed:
        lines = tuple(t.exchange[-_MOST_LISTED:])
        return Check(name, section, title, "fail", failed.found, failed.advice, lines)
    except _Skipped as skipped:
        return Check(name, section, title, "skip", str(skipped))
    return Check(name, section, title, "pass")


def _by_hand(t: _Tester, wait: float) -> None:
    first = t.last
    events = [line for line in t.listen(wait) if line.type not in ANSWER_TYPES]
    if not events:
        raise _Skipped("nothing happened at the table")
    if [line.seq for line in events] != list(range(first + 1, first + 1 + len(events))):
        raise _Failed(f"after event {first} came {[line.seq for line in events]}", "Events count up by one.")
