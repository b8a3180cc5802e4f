"""What the referee asks of a table, whatever it speaks, and how a table is found by its URL.

A maker's own device is connected by a class with the methods of `Table`, registered for a URL scheme: from a program
with `register`, from an installed package by an entry point of the group `mahjong_referee.tables` (its name the scheme,
its value a function of the URL).
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import Protocol

from hardware.host import Event
from hardware.link import Link, Timing
from hardware.protocol import Command, TableHello
from hardware.trace import Recorder

GROUP = "mahjong_referee.tables"


class Table(Protocol):
    """A table, a stand-in for one, or a recording. Times are seconds of `time.monotonic`."""

    @property
    def finished(self) -> bool:
        """Whether nothing more can come (a recording that is over, a console that was closed)."""
        ...

    @property
    def table(self) -> TableHello | None:
        """What is known of the table; None until it has said who it is."""
        ...

    def start(self) -> None:
        """Begins. `link.PortError` where there is nothing to begin with."""
        ...

    def events(self, timeout: float = 0.0) -> list[Event]:
        """What happened since the last call, in order, waiting up to so many seconds for the first of it."""
        ...

    def send(self, command: Command) -> int:
        """Has the table show or do something; a `host.Answer` with this ticket follows."""
        ...

    def close(self) -> None:
        """Lets go of the table."""
        ...


_FACTORIES: dict[str, Callable[[str], Table]] = {}


def register(scheme: str, make: Callable[[str], Table]) -> None:
    """Has URLs that begin with ``scheme:`` opened by `make`."""
    _FACTORIES[scheme] = make


def open_table(
    url: str, *, record: Path | None = None, timing: Timing | None = None, speed: float | None = 1.0
) -> Table:
    """The table at a URL, not yet started: ``keypad:`` (or ``keypad:FILE``), a trace file, a scheme of a maker's own,
    else an open-protocol line at a pyserial URL. `record`: the trace to write, for a line; `speed` of a recorded one
    (None: as fast as it can be read). `trace.TraceError` where a file is no trace."""
    from hardware.adapters.keypad import Keypad
    from hardware.adapters.recorded import Recorded

    scheme, colon, rest = url.partition(":")
    if scheme == "keypad" and colon:
        return Keypad(Path(rest) if rest else None)
    if colon and scheme in _FACTORIES:
        return _FACTORIES[scheme](url)
    if Path(url).is_file():
        return Recorded(Path(url), speed)
    for point in entry_points(group=GROUP):
        if colon and point.name == scheme:
            made: Table = point.load()(url)
            return made
    return Link(url, timing=timing, recorder=Recorder(record, url) if record is not None else None)
