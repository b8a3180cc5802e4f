"""`conformance.run` passes a right table and finds each of the usual mistakes of a wrong one, with its name."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from hardware import conformance, protocol
from hardware.endpoint import PtyEndpoint
from hardware.link import PortError
from hardware.protocol import Command, Line, Message
from hardware.table import Identity, TableEnd


@contextmanager
def served(table: TableEnd, wire: Callable[[bytes], bytes] = lambda data: data) -> Iterator[str]:
    """A table on a pseudo-terminal; `wire` changes what it sends."""
    endpoint, stop = PtyEndpoint(), threading.Event()
    endpoint.open()
    began = time.monotonic()

    def run() -> None:
        while not stop.is_set():
            data = endpoint.read(0.01)
            ms = int((time.monotonic() - began) * 1000)
            table.received(data, ms)
            table.tick(ms)
            endpoint.write(wire(table.take()))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield endpoint.url
    finally:
        stop.set()
        thread.join()
        endpoint.close()


def failed(table: TableEnd, only: str, wire: Callable[[bytes], bytes] = lambda data: data) -> conformance.Report:
    with served(table, wire) as url:
        return conformance.run(url, only=(only,))


def names(report: conformance.Report) -> list[str]:
    return [check.name for check in report.checks if check.result == "fail"]


def test_a_right_table_passes_everything() -> None:
    with served(TableEnd(Identity(), "A1B2C3D4", capacity=32)) as url:
        report = conformance.run(url)
    assert report.passed and len(report.checks) == len(conformance._CHECKS)
    assert {check.result for check in report.checks} == {"pass"}
    assert report.plain()["table"]["model"] == "simulator"


def test_a_table_that_can_do_little_passes_with_checks_skipped() -> None:
    with served(TableEnd(Identity(caps=("dice:2",)), "A1B2C3D4")) as url:
        report = conformance.run(url)
    assert report.passed
    assert [c.name for c in report.checks if c.result == "skip"] == ["once", "events", "replay", "resume"]


class Wrong(TableEnd):
    """A table that makes one mistake, by name."""

    def __init__(self, mistake: str) -> None:
        super().__init__(Identity(), "A1B2C3D4", capacity=32)
        self.mistake = mistake

    def tick(self, ms: int) -> None:
        if self.mistake == "never greets" and not self._subscribed:
            return
        if self.mistake == "talks unasked" and not self._subscribed and ms % 100 < 12:
            self._out += protocol.encode(protocol.Probe(1), self._last + 1, ms)
        super().tick(ms)

    def _answer(self, line: Line, ms: int) -> Command | None:
        if self.mistake == "deaf":
            return None
        if self.mistake == "chokes on unknown keys" and line.get("zz9") is not None:
            self._nak(line, "value", ms)
            return None
        if self.mistake == "takes any subscription" and line.type == "SUB":
            line = Line(line.type, line.seq, line.ms, (("boot", self.boot), ("from", "1")))
        if self.mistake == "executes twice":
            self._executed = 0
        if self.mistake == "silent on unknown" and line.type not in protocol.FROM_HOST:
            return None
        if self.mistake == "starts the motor" and line.type == "SHUFFLE":
            self._send(protocol.Ack(line.seq), ms)
            return None
        if self.mistake == "forgets the subscription" and line.type == "HELLO":
            self._host = ""
        return super()._answer(line, ms)

    def _send(self, message: Message, ms: int) -> None:
        super()._send(message, 7 if self.mistake == "clock stands still" else ms)

    def _again(self, first: int, last: int) -> None:
        if self.mistake == "renumbers":
            first += 1
        super()._again(first, last)


@pytest.mark.parametrize(
    ("mistake", "check"),
    [
        ("deaf", "hello"), ("never greets", "unheard"), ("talks unasked", "unheard"), ("takes any subscription", "boot"),
        ("takes any subscription", "range"), ("clock stands still", "ping"), ("chokes on unknown keys", "unknown"),
        ("silent on unknown", "unknown"), ("executes twice", "events"), ("starts the motor", "motor"),
        ("forgets the subscription", "greeting"), ("renumbers", "replay"), ("renumbers", "resume"),
    ],
)  # fmt: skip
def test_mistakes_are_found_by_the_check_that_is_for_them(
    mistake: str, check: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conformance, "_WAIT", 0.4)
    monkeypatch.setattr(conformance, "_START", 1.0)
    report = failed(Wrong(mistake), check)
    assert not report.passed and check in names(report)
    found = next(c for c in report.checks if c.name == check)
    assert found.found and found.advice
    assert found.exchange or mistake == "never greets"


@pytest.mark.parametrize(
    ("wire", "check"),
    [
        (lambda data: data.replace(b"\r\n", b"\n"), "form"),
        (lambda data: data.lower().replace(b"\r\n", b"\r\n") if b"PONG" in data else data, "ping"),
        (lambda data: data.replace(b"1.0", b"1.1", 1) if b"HELLO" in data else data, "hello"),
    ],
)
def test_lines_in_the_wrong_form_are_found(
    wire: Callable[[bytes], bytes], check: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conformance, "_WAIT", 0.4)
    monkeypatch.setattr(conformance, "_START", 1.0)
    report = failed(TableEnd(Identity(), "A1B2C3D4"), check, wire)
    assert names(report) == [check]


def test_what_cannot_be_opened_or_is_not_a_check() -> None:
    with pytest.raises(PortError):
        conformance.run("/dev/there-is-none")
    with pytest.raises(ValueError, match="nonsense"):
        conformance.run("loop://", only=("nonsense",))
