"""The evidence: every raw line of a table as it came over the wire, and reading it back.

A trace is text, one record a line: seconds since the trace began, a mark, and the raw bytes with everything but
printable ASCII (and ``%``) written %XX:

    #table-line-trace 1 2026-03-01T18:30:00+00:00 /dev/ttyUSB0
    0.412 > $HELLO,1,412,proto=1.0,boot=5B0C11D2*6748
    0.430 < $HELLO,0,81234,id=1,proto=1.0,boot=9F21A07C*AA0F
    61.007 ! unplugged: the port hung up

``<`` came from the table, ``>`` was sent to it, ``!`` says what became of the line itself.
"""

from __future__ import annotations

import datetime
import os
import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from hardware import protocol
from hardware.protocol import ANSWER_TYPES, Line, Message

_HEAD = "#table-line-trace 1"
_MOST_PARTIAL = 512
_RECORD = re.compile(r"(\d+(?:\.\d+)?) ([<>!]) ?(.*)")
_KEPT = frozenset(range(0x20, 0x7F)) - {ord("%")}
_ESCAPED = re.compile(rb"%([0-9A-Fa-f]{2})")


class TraceError(ValueError):
    """A file that is no trace; the text says which file, where and why."""


class Recorder:
    """Writes a trace; at most `files` files of about `most_bytes` each, the older ones named `path`.1, .2 and so on.

    Every line is flushed as it is written, so that a power cut loses none but the last; a trace that is there already
    is kept as an older one.
    """

    def __init__(self, path: Path, source: str, most_bytes: int = 16 << 20, files: int = 4) -> None:
        self._path = path
        self._source = source
        self._most_bytes = most_bytes
        self._files = files
        self._began = time.monotonic()
        self._partial = {"<": b"", ">": b""}
        self._shift()
        self._file: TextIO = self._open()

    def data(self, mark: str, data: bytes) -> None:
        """Bytes that came (mark "<") or were sent (">"); a record is written at each line feed."""
        *lines, rest = (self._partial[mark] + data).split(b"\n")
        for line in lines:
            self._write(mark, line.removesuffix(b"\r"))
        while len(rest) > _MOST_PARTIAL:
            self._write(mark, rest[:_MOST_PARTIAL])
            rest = rest[_MOST_PARTIAL:]
        self._partial[mark] = rest

    def note(self, text: str) -> None:
        """A remark on the line itself."""
        self._write("!", text.encode())

    def close(self) -> None:
        """Writes what is unfinished and closes the file."""
        for mark, rest in self._partial.items():
            if rest:
                self._write(mark, rest)
        self._partial = {"<": b"", ">": b""}
        self._file.close()

    def _open(self) -> TextIO:
        file = self._path.open("w", encoding="ascii")
        began = datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")
        file.write(f"{_HEAD} {began} {_escape(self._source.encode())}\n")
        file.flush()
        return file

    def _write(self, mark: str, data: bytes) -> None:
        if self._file.tell() > self._most_bytes:
            self._file.close()
            self._shift()
            self._file = self._open()
        self._file.write(f"{time.monotonic() - self._began:.3f} {mark} {_escape(data)}\n")
        self._file.flush()

    def _shift(self) -> None:
        for number in range(self._files - 2, -1, -1):
            newer = self._named(number)
            if newer.exists():
                os.replace(newer, self._named(number + 1))

    def _named(self, number: int) -> Path:
        return self._path.with_name(f"{self._path.name}.{number}") if number else self._path


def _escape(data: bytes) -> str:
    return "".join(chr(byte) if byte in _KEPT else f"%{byte:02X}" for byte in data)


@dataclass(frozen=True, slots=True)
class Record:
    """One record of a trace: seconds since it began, "<", ">" or "!", and the raw bytes without their line end."""

    at: float
    mark: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Recorded:
    """An event of a table out of a trace: seconds since the trace began, the table's boot and number, its own clock."""

    at: float
    boot: str
    seq: int
    ms: int
    message: Message


def read(path: Path) -> Iterator[Record]:
    """The records of a trace. TraceError where the file is none; a torn last line is left out."""
    try:
        file = path.open("rb")
    except OSError as error:
        raise TraceError(f"{path}: {error.strerror}") from None
    with file:
        if not file.readline().startswith(_HEAD.encode()):
            raise TraceError(f'{path}, line 1: not a table trace, "{_HEAD}" expected')
        for number, raw in enumerate(file, 2):
            if not raw.endswith(b"\n"):
                return
            match = _RECORD.fullmatch(raw.decode("ascii", "replace").rstrip("\r\n"))
            if match is None:
                raise TraceError(f"{path}, line {number}: no record (seconds, a mark, bytes)")
            data = _ESCAPED.sub(lambda found: bytes([int(found[1], 16)]), match[3].encode())
            yield Record(float(match[1]), match[2], data)


def events(records: Iterable[Record]) -> list[Recorded]:
    """The events of a trace, each once and in the order they happened, those that only a replay brought included.

    An event's time is the table's clock brought to the trace's: their least difference seen is taken to be no delay.
    """
    boot = ""
    heard: dict[str, dict[int, tuple[int, Message]]] = {}
    offsets: dict[str, float] = {}
    for record in records:
        for line in _lines(record):
            if line.type == "HELLO":
                hello = protocol.from_table(line)
                if isinstance(hello, protocol.TableHello):
                    boot = hello.boot
            if line.get("was") is None:
                delay = record.at - line.ms / 1000
                offsets[boot] = min(offsets.get(boot, delay), delay)
            if line.type not in ANSWER_TYPES:
                home, seq = protocol.origin(line) or (boot, line.seq)
                heard.setdefault(home, {}).setdefault(seq, (line.ms, protocol.from_table(line)))
    return [
        Recorded(max(0.0, offsets.get(home, 0.0) + ms / 1000), home, seq, ms, message)
        for home, kept in heard.items()
        for seq, (ms, message) in sorted(kept.items())
    ]


def _lines(record: Record) -> Iterator[Line]:
    if record.mark == "<":
        yield from (item for item in protocol.Parser().feed(record.data + b"\n") if isinstance(item, Line))


def write(path: Path, timed: Iterable[tuple[float, Message]], hello: protocol.TableHello, ms: int = 0) -> None:
    """Writes events (seconds since the beginning, message) as the trace a table would have left."""
    with path.open("w", encoding="ascii") as file:
        file.write(f"{_HEAD} 1970-01-01T00:00:00.000+00:00 simulated\n")
        _put(file, 0.0, protocol.encode(hello, 0, ms))
        for seq, (at, message) in enumerate(timed, 1):
            _put(file, at, protocol.encode(message, seq, ms + int(at * 1000)))


def _put(file: TextIO, at: float, line: bytes) -> None:
    file.write(f"{at:.3f} < {_escape(line.removesuffix(bytes([13, 10])))}\n")
