"""The port and its life, on real pseudo-terminals and sockets (docs/table-line.md, section 7)."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from serial.rfc2217 import PortManager

from hardware import soak, trace
from hardware.endpoint import Endpoint, PtyEndpoint, TcpEndpoint
from hardware.link import Answer, Event, Link, Notice, PortError, TableEvent, Timing
from hardware.protocol import Beep, Command, Dice, Draw
from hardware.simulator import Simulator
from hardware.trace import Recorder

FAST = Timing().faster(10)
PATIENCE = 20.0


class Running:
    """A simulated table served by a thread; `do` is done in that thread's turn."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.commands: list[Command] = []
        self.table = Simulator(endpoint, on_command=self.commands.append)
        self._lock = threading.Lock()

    def serve(self, stop: threading.Event) -> None:
        while not stop.is_set():
            with self._lock:
                self.table.serve(0.005)
            time.sleep(0.001)

    def do(self, *whats: object) -> None:
        with self._lock:
            for what in whats:
                self.table.do(what)  # type: ignore[arg-type]


@contextmanager
def running(endpoint: Endpoint) -> Iterator[Running]:
    endpoint.open()
    table, stop = Running(endpoint), threading.Event()
    thread = threading.Thread(target=table.serve, args=(stop,), daemon=True)
    thread.start()
    try:
        yield table
    finally:
        stop.set()
        thread.join()
        endpoint.close()


def until(link: Link, enough: Callable[[list[Event]], bool]) -> list[Event]:
    events: list[Event] = []
    end = time.monotonic() + PATIENCE
    while not enough(events):
        assert time.monotonic() < end, f"only {events}"
        events += link.events(0.1)
    return events


def dice(events: list[Event]) -> list[tuple[int, ...]]:
    return [e.message.values for e in events if isinstance(e, TableEvent) and isinstance(e.message, Dice)]


@pytest.mark.parametrize("kind", ["pty", "tcp"])
def test_events_and_commands_pass_and_pulling_the_cable_loses_nothing(kind: str, tmp_path: Path) -> None:
    endpoint = PtyEndpoint(tmp_path / "table") if kind == "pty" else TcpEndpoint("127.0.0.1", 0)
    with running(endpoint) as table, Link(endpoint.url, timing=FAST, backoff=(0.05, 0.1)) as link:
        table.do(Dice((1,)))
        assert dice(until(link, dice)) == [(1,)]
        ticket = link.send(Beep(30, 1000))
        answers = [
            e for e in until(link, lambda seen: any(isinstance(e, Answer) for e in seen)) if isinstance(e, Answer)
        ]
        assert [(a.ticket, a.ok) for a in answers] == [(ticket, True)] and table.commands == [Beep(30, 1000)]
        table.do("unplug", Dice((2,)))
        gone = until(link, lambda seen: any(isinstance(e, Notice) and e.kind == "unplugged" for e in seen))
        assert not dice(gone) and not link.live
        table.do("plug", Dice((3,)))
        assert dice(until(link, lambda seen: len(dice(seen)) == 2)) == [(2,), (3,)]


def test_every_raw_line_is_kept_and_reads_back_as_the_same_events(tmp_path: Path) -> None:
    endpoint = PtyEndpoint()
    path = tmp_path / "game.trace"
    with running(endpoint) as table, Link(endpoint.url, timing=FAST, recorder=Recorder(path, endpoint.url)) as link:
        table.do(Dice((1, 2)), Draw("tail", 1, 82))
        got = until(link, lambda seen: sum(isinstance(e, TableEvent) for e in seen) == 2)
    events = [(e.boot, e.seq, e.ms, e.message) for e in got if isinstance(e, TableEvent)]
    assert [(e.boot, e.seq, e.ms, e.message) for e in trace.events(trace.read(path))] == events
    sent = [record.data for record in trace.read(path) if record.mark == ">"]
    assert any(b"$HELLO" in line for line in sent) and any(b"$SUB" in line for line in sent)


@pytest.mark.parametrize(
    ("url", "why"),
    [("/dev/there-is-none", "No such file"), ("nosuch://x", "protocol"), ("socket://127.0.0.1:1", "refused"),
     ("socket://127.0.0.1", "host:port"), ("/dev/null", "")],
)  # fmt: skip
def test_a_port_that_cannot_be_opened_is_one_clear_line(url: str, why: str) -> None:
    with pytest.raises(PortError) as caught:
        Link(url).start()
    assert url in str(caught.value) and why in str(caught.value) and "\n" not in str(caught.value)


def test_a_port_may_be_waited_for(tmp_path: Path) -> None:
    endpoint = PtyEndpoint(tmp_path / "table")
    link = Link(str(tmp_path / "table"), timing=FAST, backoff=(0.05, 0.1))
    link.start(wait_for_port=True)
    try:
        (notice,) = until(link, lambda seen: bool(seen))
        assert isinstance(notice, Notice) and notice.kind == "unplugged"
        with running(endpoint) as table:
            table.do(Dice((4,)))
            assert dice(until(link, dice)) == [(4,)]
    finally:
        link.close()


class Modem:
    """As much of a serial port as pyserial's RFC 2217 server asks for; the bytes are the simulated table's."""

    rts = dtr = cts = dsr = ri = cd = xonxoff = rtscts = dsrdtr = False
    baudrate, bytesize, parity, stopbits = 9600, 8, "N", 1

    def reset_input_buffer(self) -> None: ...
    def reset_output_buffer(self) -> None: ...


class Rfc2217Endpoint(TcpEndpoint):
    """A TCP port that speaks RFC 2217, as a serial device server does."""

    manager: PortManager | None = None

    @property
    def url(self) -> str:
        return super().url.replace("socket:", "rfc2217:")

    def read(self, wait: float) -> bytes:
        before = self._client
        data = super().read(wait)
        if self._client is not None and self._client is not before:
            self.manager = PortManager(Modem(), self)
        return b"".join(self.manager.filter(data)) if self.manager and data else b""

    def write(self, data: bytes) -> None:
        """Called by the manager with telnet's own bytes too, which go as they are."""
        super().write(data)


@pytest.mark.filterwarnings("ignore:set:DeprecationWarning")  # of pyserial 3.5 itself
def test_a_serial_device_server() -> None:
    endpoint = Rfc2217Endpoint("127.0.0.1", 0)
    with running(endpoint) as table, Link(endpoint.url, timing=FAST) as link:
        table.do(Dice((6,)))
        assert dice(until(link, dice)) == [(6,)]


@pytest.mark.parametrize("url", ["nosuch://x", "socket://127.0.0.1", "socket://127.0.0.1:x"])
def test_a_url_that_is_none_is_not_waited_for(url: str) -> None:
    with pytest.raises(PortError):
        Link(url).start(wait_for_port=True)


def test_a_port_that_another_program_has_open_is_not_shared() -> None:
    endpoint = PtyEndpoint()
    with running(endpoint), Link(endpoint.url, timing=FAST), pytest.raises(PortError, match="another program"):
        Link(endpoint.url).start()


def test_a_trace_that_cannot_be_written_ends_the_evidence_and_not_the_game(tmp_path: Path) -> None:
    class Full(Recorder):
        def data(self, mark: str, data: bytes) -> None:
            raise OSError(28, "No space left on device")

    endpoint = PtyEndpoint()
    with running(endpoint) as table, Link(endpoint.url, timing=FAST, recorder=Full(tmp_path / "t", "x")) as link:
        table.do(Dice((1,)))
        events = until(link, dice)
    told = [e.text for e in events if isinstance(e, Notice) and e.kind == "unrecorded"]
    assert told == ["the trace ends here: No space left on device"] and dice(events) == [(1,)]


def test_a_line_that_echoes_is_not_taken_for_a_table() -> None:
    with Link("loop://", timing=FAST) as link:
        time.sleep(0.3)
        kinds = {e.kind for e in link.events() if isinstance(e, Notice)}
        assert not link.live and "connected" not in kinds


def test_ten_hands_on_a_bad_cable_lose_and_double_nothing() -> None:
    """Issue: 1% random byte errors, drops, doubled and reordered chunks, a restart in mid-hand, three pulls."""
    figures = soak.run(hands=10, seed=1)
    assert figures.clean, figures
    assert figures.sent > 500 and figures.restarts == 1 and figures.unplugged == soak.UNPLUGS
    assert figures.bytes_changed > 500
    assert min(figures.chunks_dropped, figures.chunks_doubled, figures.chunks_swapped) > 20


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 8))
@pytest.mark.parametrize("pty", [True, False])
def test_ten_hands_again(seed: int, pty: bool) -> None:
    figures = soak.run(hands=10, seed=seed, pty=pty, patience=120)
    assert figures.clean, figures
