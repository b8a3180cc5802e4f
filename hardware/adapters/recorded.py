"""A recorded trace as a table: the same events, at the pace they were recorded or as fast as they can be read."""

from __future__ import annotations

import time
from collections import deque
from pathlib import Path

from hardware import protocol, trace
from hardware.host import Answer, Event, Notice, TableEvent
from hardware.protocol import Command, TableHello


class Recorded:
    """`speed`: how many times faster than recorded; None hands out everything at once, times counted from the start.

    `trace.TraceError` where the file is none.
    """

    def __init__(self, path: Path, speed: float | None = 1.0) -> None:
        self._path = path
        self._speed = speed
        records = list(trace.read(path))
        self._table = _hello(records)
        self._waiting = deque(trace.events(records))
        self._said: deque[Event] = deque()
        self._began = time.monotonic()
        self._ticket = 0

    @property
    def finished(self) -> bool:
        return not self._waiting and not self._said

    @property
    def table(self) -> TableHello | None:
        return self._table

    def start(self) -> None:
        self._began = time.monotonic()
        self._said.append(Notice("connected", f"recorded: {self._path}", self._began))

    def events(self, timeout: float = 0.0) -> list[Event]:
        out = list(self._said)
        self._said.clear()
        if not out and self._waiting and self._speed is not None:
            time.sleep(max(0.0, min(timeout, self._due(self._waiting[0]) - time.monotonic())))
        while self._waiting and self._due(self._waiting[0]) <= time.monotonic():
            event = self._waiting.popleft()
            at = self._began + event.at / (self._speed or 1.0)
            out.append(TableEvent(event.message, event.boot, event.seq, event.ms, at))
        return out

    def send(self, command: Command) -> int:
        self._ticket += 1
        self._said.append(Answer(self._ticket, False, "offline", "a recording does nothing", time.monotonic()))
        return self._ticket

    def close(self) -> None:
        self._waiting.clear()

    def _due(self, event: trace.Recorded) -> float:
        return 0.0 if self._speed is None else self._began + event.at / self._speed


def _hello(records: list[trace.Record]) -> TableHello | None:
    for record in records:
        if record.mark != "<":
            continue
        for line in protocol.Parser().feed(record.data + b"\n"):
            hello = protocol.from_table(line) if isinstance(line, protocol.Line) else None
            if isinstance(hello, TableHello):
                return hello
    return None
