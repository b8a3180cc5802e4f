"""The port and its life: a thread that opens it, feeds `hardware.host`, and opens it again when it was unplugged.

One thread owns the port; everything else talks to it through `Link.events` and `Link.send`. Times are seconds of
`time.monotonic`. URLs are pyserial's: a device (``/dev/ttyUSB0``, ``COM3``), ``socket://host:port``,
``rfc2217://host:port``, ``loop://``.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import select
import threading
import time
from collections import deque
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

import serial

from hardware import protocol
from hardware.host import Answer, Counts, Event, HostEnd, Notice, Snapshot, TableEvent, Timing
from hardware.protocol import Command, TableHello
from hardware.trace import Recorder

__all__ = ["Answer", "Event", "Link", "Notice", "PortError", "Snapshot", "TableEvent", "Timing", "new_boot"]

_READ = 4096
_WAIT = 0.02
_WRITE_TIMEOUT = 1.0
_FAILURES = (OSError, ValueError, TypeError, AttributeError, NotImplementedError)
"""What pyserial raises when a port goes: SerialException is an OSError, the others come from its URL handlers."""


class PortError(Exception):
    """A port that cannot be opened or was lost; the text is one line that says which and why."""


def new_boot() -> str:
    """A boot id: eight hexadecimal digits drawn at random."""
    return f"{secrets.randbits(32):08X}"


class Port:
    """An open port. PortError where the URL is none or nothing opens."""

    def __init__(self, url: str, baud: int = protocol.BAUD) -> None:
        _check(url)
        options: dict[str, Any] = {}
        if not url.startswith("rfc2217:"):  # which knows neither, and says so by an exception
            options = {"write_timeout": _WRITE_TIMEOUT, "exclusive": True if os.name == "posix" else None}
        try:
            self._port = serial.serial_for_url(url, baudrate=baud, timeout=0, **options)
        except _FAILURES as error:
            raise PortError(f"{url}: {_reason(error)}") from None
        try:
            self._fileno: int | None = self._port.fileno()
            select.select([self._fileno], [], [], 0)
        except _FAILURES:
            self._fileno = None  # loop:// and rfc2217:// have none; select knows no serial ports on Windows.

    def read(self, wait: float) -> bytes:
        """What has come in, waiting up to so many seconds for the first byte. PortError where the port is gone."""
        try:
            if self._fileno is not None:
                select.select([self._fileno], [], [], wait)
                return bytes(self._port.read(_READ))
            data = bytes(self._port.read(_READ))
            if not data:
                time.sleep(min(wait, 0.005))
            return data
        except _FAILURES as error:
            raise PortError(_reason(error)) from None

    def write(self, data: bytes) -> None:
        """Sends bytes. PortError where the port is gone or takes nothing for a second."""
        try:
            self._port.write(data)
        except _FAILURES as error:
            raise PortError(_reason(error)) from None

    def close(self) -> None:
        """Closes the port, gone or not."""
        try:
            self._port.close()
        except _FAILURES:
            return


def _check(url: str) -> None:
    """PortError where a URL is none that could ever be opened."""
    try:
        if url.startswith(("socket:", "rfc2217:")) and urlsplit(url).port is None:
            raise ValueError("host:port expected after //")
        serial.serial_for_url(url, do_not_open=True)
    except _FAILURES as error:
        raise PortError(f"{url}: {_reason(error)}") from None


def _reason(error: Exception) -> str:
    """What the system says of it, without pyserial's own wording around it."""
    text = str(error).splitlines()[0] if str(error) else type(error).__name__
    if "returned no data" in text:
        return "the port hung up"
    if "exclusively lock" in text:
        return "another program has it open"
    if isinstance(error, OSError) and error.errno:
        return os.strerror(error.errno)
    return re.sub(r".*\[Errno -?\d+\] ", "", text)


class Link:
    """A connection to one table, kept up until `close`.

    `recorder` gets every raw byte both ways. `backoff`: seconds before the first and at most between later attempts to
    open the port again, doubling in between. What comes out of `events` is complete and in order; what was lost for
    good is named in a `Notice`.
    """

    finished = False

    def __init__(
        self,
        url: str,
        *,
        timing: Timing | None = None,
        recorder: Recorder | None = None,
        baud: int = protocol.BAUD,
        backoff: tuple[float, float] = (0.25, 5.0),
    ) -> None:
        self.url = url
        self._baud = baud
        self._recorder = recorder
        self._backoff = backoff
        self._host = HostEnd(new_boot(), timing, time.monotonic())
        self._ready = threading.Condition()
        self._events: deque[Event] = deque()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._failure: BaseException | None = None

    def __enter__(self) -> Link:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    def start(self, wait_for_port: bool = False) -> None:
        """Opens the port and begins. PortError where it cannot be opened or, if it may be waited for, never will."""
        if wait_for_port:
            _check(self.url)
        port = None if wait_for_port else Port(self.url, self._baud)
        self._thread = threading.Thread(target=self._run, args=(port,), name=f"table {self.url}", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Lets go of the port and ends the thread."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        if self._recorder is not None:
            with contextlib.suppress(OSError):
                self._recorder.close()
            self._recorder = None

    def events(self, timeout: float = 0.0) -> list[Event]:
        """What happened since the last call, waiting up to so many seconds for the first of it."""
        with self._ready:
            self._ready.wait_for(lambda: self._events or self._failure is not None, timeout)
            if self._failure is not None:
                raise RuntimeError("the thread of the table's line ended") from self._failure
            events = list(self._events)
            self._events.clear()
        return events

    def send(self, command: Command) -> int:
        """Has a command carried out; an `Answer` with this ticket follows. ValueError: the command fits no line."""
        with self._ready:
            ticket = self._host.command(command, time.monotonic())
            self._publish()
        return ticket

    @property
    def table(self) -> TableHello | None:
        """Who the table said it is, the last time it was greeted."""
        return self._host.table

    @property
    def live(self) -> bool:
        """Whether the table answers."""
        return self._host.live

    @property
    def counts(self) -> Counts:
        """Figures of the line."""
        return self._host.counts

    @property
    def clock_error(self) -> float | None:
        """Bound in seconds of the error of the events' times; None where it is not known."""
        return self._host.clock_error

    def _publish(self) -> None:
        """Hands on what the host has; the lock is held."""
        events = self._host.events()
        if not events:
            return
        for event in events:
            if isinstance(event, Notice):
                self._record("!", f"{event.kind}: {event.text}".encode())
        self._events.extend(events)
        self._ready.notify_all()

    def _record(self, mark: str, data: bytes) -> None:
        """Keeps the evidence; the lock is held. A full disk ends the evidence, not the game, and people are told."""
        if self._recorder is None or not data:
            return
        try:
            if mark == "!":
                self._recorder.note(data.decode())
            else:
                self._recorder.data(mark, data)
        except OSError as error:
            self._recorder = None
            self._events.append(Notice("unrecorded", f"the trace ends here: {_reason(error)}", time.monotonic()))

    def _run(self, port: Port | None) -> None:
        try:
            self._live(port)
        except BaseException as error:
            with self._ready:
                self._failure = error
                self._ready.notify_all()

    def _live(self, port: Port | None) -> None:
        first, most = self._backoff
        delay, told = first, False
        while not self._stop.is_set():
            if port is None:
                try:
                    port = Port(self.url, self._baud)
                except PortError as error:
                    if not told:
                        self._tell("unplugged", str(error))
                    told = True
                    self._stop.wait(delay)
                    delay = min(delay * 2, most)
                    continue
            try:
                why, lived = self._serve(port)
            finally:
                port.close()
            port, told = None, True
            with self._ready:
                self._host.closed(time.monotonic(), why)
                self._publish()
            delay = first if lived else min(delay * 2, most)
            self._stop.wait(delay)

    def _tell(self, kind: str, text: str) -> None:
        with self._ready:
            self._events.append(Notice(kind, text, time.monotonic()))
            self._ready.notify_all()

    def _serve(self, port: Port) -> tuple[str, bool]:
        """Serves an open port until it is lost; why, and whether a table answered meanwhile."""
        lived = False
        with self._ready:
            self._host.opened(time.monotonic())
        try:
            while not self._stop.is_set():
                self._exchange(port, port.read(_WAIT))
                lived = lived or self._host.live
        except PortError as error:
            return str(error), lived
        return "closed", lived

    def _exchange(self, port: Port, data: bytes) -> None:
        with self._ready:
            now = time.monotonic()
            if data:
                self._record("<", data)
                self._host.received(data, now)
            self._host.tick(now)
            out = self._host.take()
            self._record(">", out)
            self._publish()
        if out:
            port.write(out)
