"""The append-only event log: JSON Lines in, numbered events out, corrections applied.

Reading works on bytes that somebody else has read; only ``Appender`` touches a file. A line that cannot be understood is
reported with its number and nothing of it is applied; a last line cut short by a power loss is dropped.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, NoReturn

from referee.table.events import Correct, Event, EventError, numbered, read_event, write_event


@dataclass(frozen=True)
class Problem:
    """A line that was not applied: its number in the file from 1, why, and whether it was merely cut short."""

    line: int
    why: str
    torn: bool = False

    def __str__(self) -> str:
        return f"line {self.line}: {'dropped, cut short' if self.torn else 'refused'}: {self.why}"


@dataclass(frozen=True)
class Entry:
    """An event as it stands in the log, with its line."""

    line: int
    event: Event


class Reader:
    """Reads a log piece by piece: feed bytes as they arrive, take complete lines' entries out.

    ``entries`` and ``problems`` grow; ``finish`` judges what is left without a line end.
    """

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.problems: list[Problem] = []
        self._rest = b""
        self._line = 0
        self._last = 0
        self._numbers: set[int] = set()

    def feed(self, data: bytes) -> list[Entry]:
        """Take in more of the file; the entries of the lines it completes."""
        before = len(self.entries)
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._take(line, complete=True)
        return self.entries[before:]

    def finish(self) -> list[Entry]:
        """The end of the file: a last line without line end counts if it is whole."""
        before = len(self.entries)
        line, self._rest = self._rest, b""
        if line.strip():
            self._take(line, complete=False)
        return self.entries[before:]

    def _take(self, line: bytes, complete: bool) -> None:
        self._line += 1
        if not line.strip():
            return
        try:
            data = read_json(line)
        except EventError as problem:
            self._last += 1
            self.problems.append(Problem(self._line, str(problem), torn=not complete))
            return
        number = data.get("n")
        given = isinstance(number, int) and not isinstance(number, bool) and 0 < number <= 10**9
        n = number if given else self._last + 1
        assert isinstance(n, int)
        self._last = n
        try:
            if number is not None and not given:
                raise EventError(f"n: a number from 1 is expected, not {str(number)[:40]!r}")
            if n in self._numbers:
                raise EventError(f"n: there is an event {n} already")
            event = read_event(data)
            if isinstance(event, Correct) and event.event not in self._numbers:
                raise EventError(f"event: there is no event {event.event} before this line")
        except EventError as problem:
            self.problems.append(Problem(self._line, str(problem)))
            return
        self._numbers.add(n)
        self.entries.append(Entry(self._line, numbered(event, n)))


def read_json(line: bytes) -> dict[str, Any]:
    """One line's JSON object. Raises EventError; never another error, whatever the bytes."""
    try:
        data = json.loads(line.decode(), parse_constant=_no_constant)
    except UnicodeDecodeError:
        raise EventError("not UTF-8 text") from None
    except (ValueError, RecursionError) as problem:
        raise EventError(f"not JSON: {str(problem)[:100]}") from None
    if not isinstance(data, dict):
        raise EventError("a JSON object is expected")
    return data


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def read_log(data: bytes) -> Reader:
    """A whole log at once.

    >>> read_log(b'{"type": "discard", "seat": 0, "tile": "5m"}\\n{"type": "dr').problems[0].torn
    True
    """
    reader = Reader()
    reader.feed(data)
    reader.finish()
    return reader


def corrected(events: Sequence[Event]) -> tuple[Event, ...]:
    """The log as if every corrected event had been as its last correction says.

    Replacements bear the number of the event they replace. A correction may itself be struck out or replaced.
    """
    replaced: dict[int, tuple[Event, ...]] = {}
    for event in reversed(events):
        if isinstance(event, Correct) and event.n not in replaced:
            replaced.setdefault(event.event, tuple(numbered(e, event.event) for e in event.events))
    return tuple(
        standing
        for event in events
        for standing in replaced.get(event.n, (event,))
        if not isinstance(standing, Correct)
    )


def write_line(event: Event) -> bytes:
    """The line of an event, line end included."""
    return json.dumps(write_event(event), ensure_ascii=False).encode() + b"\n"


class Appender:
    """Appends events to a log file; each is on the disk when ``append`` returns.

    Opening a log whose last line was cut short cuts that line off first, so that a crash never glues two lines together.
    """

    def __init__(self, path: Path) -> None:
        existing = path.read_bytes() if path.exists() else b""
        self.reader = read_log(existing)
        keep = len(existing)
        if self.reader.problems and self.reader.problems[-1].torn:
            keep = existing.rfind(b"\n") + 1
        self._file = path.open("ab", buffering=0)
        self._file.truncate(keep)
        if keep and existing[keep - 1 : keep] != b"\n":
            self._file.write(b"\n")
        self._next = max((entry.event.n for entry in self.reader.entries), default=0) + 1

    def append(self, event: Event) -> Event:
        """Write an event under the next number and sync it; the event as written."""
        event = numbered(event, self._next)
        self._file.write(write_line(event))
        os.fsync(self._file.fileno())
        self._next += 1
        return event

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Appender:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()
