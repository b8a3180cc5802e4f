"""Where a simulated table can be reached: a pseudo-terminal or a TCP port, both without blocking."""

from __future__ import annotations

import os
import select
import socket
from pathlib import Path
from typing import Protocol

_READ = 4096
_MOST_UNSENT = 64 << 10


class Endpoint(Protocol):
    """The table's side of a connection. OSError from `open` where there is none to be had."""

    @property
    def url(self) -> str:
        """What the host opens (a pyserial URL)."""
        ...

    def open(self) -> None:
        """Plugs the cable in."""
        ...

    def close(self) -> None:
        """Pulls it out."""
        ...

    def read(self, wait: float) -> bytes:
        """What the host sent, waiting up to so many seconds for the first byte; empty where nobody is there."""
        ...

    def write(self, data: bytes) -> None:
        """Sends; what nobody takes is thrown away beyond 64 KiB, as a wire without flow control does sooner."""
        ...


class PtyEndpoint:
    """A pseudo-terminal. `link`: a symbolic link kept pointing at it, so that it has the same name when plugged again."""

    def __init__(self, link: Path | None = None) -> None:
        self._link = link
        self._master: int | None = None
        self._slave: int | None = None
        self._name = ""
        self._unsent = b""

    @property
    def url(self) -> str:
        return str(self._link) if self._link is not None else self._name

    def open(self) -> None:
        try:
            import pty
            import tty
        except ImportError:
            raise OSError("this system has no pseudo-terminals; a TCP port does as well") from None
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self._name = os.ttyname(self._slave)
        if self._link is not None:
            fresh = self._link.with_name(f".{self._link.name}.new")
            fresh.unlink(missing_ok=True)
            fresh.symlink_to(self._name)
            os.replace(fresh, self._link)

    def close(self) -> None:
        for fd in (self._master, self._slave):
            if fd is not None:
                os.close(fd)
        self._master = self._slave = None
        self._unsent = b""
        if self._link is not None:
            self._link.unlink(missing_ok=True)

    def read(self, wait: float) -> bytes:
        if self._master is None:
            select.select([], [], [], wait)
            return b""
        self.write(b"")
        ready, _, _ = select.select([self._master], [], [], wait)
        if not ready:
            return b""
        try:
            return os.read(self._master, _READ)
        except OSError:
            return b""

    def write(self, data: bytes) -> None:
        if self._master is None:
            return
        self._unsent = (self._unsent + data)[:_MOST_UNSENT]
        try:
            while self._unsent:
                self._unsent = self._unsent[os.write(self._master, self._unsent) :]
        except OSError:
            return


class TcpEndpoint:
    """A TCP port for one host at a time; a new one takes the place of the old."""

    def __init__(self, host: str, port: int) -> None:
        self._address = (host, port)
        self._listener: socket.socket | None = None
        self._client: socket.socket | None = None
        self._unsent = b""

    @property
    def url(self) -> str:
        host, port = self._address
        return f"socket://{host}:{port}"

    def open(self) -> None:
        self._listener = socket.create_server(self._address)
        self._listener.setblocking(False)
        self._address = (self._address[0], self._listener.getsockname()[1])

    def close(self) -> None:
        self._hang_up()
        if self._listener is not None:
            self._listener.close()
            self._listener = None

    def _hang_up(self) -> None:
        if self._client is not None:
            self._client.close()
        self._client = None
        self._unsent = b""

    def read(self, wait: float) -> bytes:
        self.write(b"")
        ready, _, _ = select.select([item for item in (self._listener, self._client) if item], [], [], wait)
        if self._listener in ready and self._listener is not None:
            self._hang_up()
            self._client, _ = self._listener.accept()
            self._client.setblocking(False)
            self._client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        elif self._client in ready and self._client is not None:
            try:
                data = self._client.recv(_READ)
            except OSError:
                data = b""
            if not data:
                self._hang_up()
            return data
        return b""

    def write(self, data: bytes) -> None:
        if self._client is None:
            return
        self._unsent = (self._unsent + data)[:_MOST_UNSENT]
        try:
            while self._unsent:
                self._unsent = self._unsent[self._client.send(self._unsent) :]
        except BlockingIOError:
            return
        except OSError:
            self._hang_up()
