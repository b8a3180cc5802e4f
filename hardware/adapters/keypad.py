"""A poor man's table: a numeric key pad, or a text console, on which somebody types what the table would tell.

One entry a line, in keys of a numeric key pad or in words; `HELP` lists them. Seats are the table's sides, 0 to 3.
"""

from __future__ import annotations

import sys
import threading
import time
from collections import deque
from pathlib import Path
from typing import TextIO

from hardware import protocol
from hardware.host import Answer, Event, Notice, TableEvent
from hardware.link import PortError, new_boot
from hardware.protocol import (
    Button,
    Command,
    Deal,
    Dice,
    Display,
    Draw,
    HandIn,
    Light,
    Message,
    State,
    TableHello,
    Wall,
)

HELP = """\
keys    words                meaning
*35     dice 3 5             dice thrown (one to four)
/3.8    open 3 8             the wall before seat 3 opened, 8 stacks left at its right end
-84     left 84              84 tiles left in the wall
9       draw tail [SEAT]     a tile drawn from the tail (words: head as well)
+2      win 2                seat 2 declares a win (words: chow pung kong ready pass bonus call yes no as well)
0       raise                a hand begins
00      over                 a hand is over
.136    handin 136           136 tiles handed in
"""
_DECLARED = tuple(word for word in protocol.BUTTON_WORDS if word not in ("dice", "raise"))
CAPS = ("dice:4", "wall.count", "wall.head", "wall.tail", "deal", "handin", "btn:4", "score:4", "light", "beep")


def understand(entry: str) -> Message:
    """What one typed line says. ValueError, with one line on what was expected, where it is not understood."""
    text = entry.strip().lower()
    words = _as_words(text)
    try:
        message = _read(words)
    except (ValueError, IndexError):
        message = None
    if message is None:
        raise ValueError(f'"{text}" is not understood; "help" lists what can be typed')
    return message


def _as_words(text: str) -> list[str]:
    """The words for which keys stand."""
    if not text:
        return []
    if text == "0":
        return ["raise"]
    if text == "00":
        return ["over"]
    if text == "9":
        return ["draw", "tail"]
    key, rest = text[0], text[1:]
    if key == "*":
        return ["dice", *rest]
    if key == "/":
        return ["open", *rest.split(".")]
    if key in "-+.":
        return [{"-": "left", "+": "win", ".": "handin"}[key], rest]
    return text.split()


def _read(words: list[str]) -> Message | None:
    match words:
        case ["dice", *values]:
            return Dice(protocol.DICE.read(";".join(values)))
        case ["open", wall, stacks]:
            return Deal(protocol.SEAT.read(wall), protocol.NUMBER.read(stacks))
        case ["left", left]:
            return Wall(None, protocol.NUMBER.read(left))
        case ["draw", end, *seat] if len(seat) <= 1:
            return Draw(protocol.END.read(end), 1, None, protocol.SEAT.read(seat[0]) if seat else None)
        case ["raise"]:
            return State("raised")
        case ["over"]:
            return State("handin")
        case ["handin", count]:
            return HandIn(protocol.NUMBER.read(count))
        case [word, seat] if word in _DECLARED:
            return Button(word, "press", protocol.SEAT.read(seat))
    return None


class Keypad:
    """Reads entries from a file (a terminal, a named pipe), from standard input where none is given; says what the
    table would show on `out` (standard error where none is given)."""

    def __init__(self, path: Path | None = None, source: TextIO | None = None, out: TextIO | None = None) -> None:
        self._path = path
        self._source = source
        self._out = out if out is not None else sys.stderr
        self._boot = new_boot()
        self._began = time.monotonic()
        self._seq = 0
        self._ticket = 0
        self._ready = threading.Condition()
        self._events: deque[Event] = deque()
        self._ended = False

    @property
    def finished(self) -> bool:
        with self._ready:
            return self._ended and not self._events

    @property
    def table(self) -> TableHello | None:
        return TableHello(0, protocol.PROTO, self._boot, "keypad", None, None, None, None, CAPS)

    def start(self) -> None:
        source = self._source
        if source is None and self._path is not None:
            try:
                source = self._path.open(encoding="utf-8", errors="replace")
            except OSError as error:
                raise PortError(f"{self._path}: {error.strerror}") from None
        self._began = time.monotonic()
        self._put(Notice("connected", "key pad", self._began))
        threading.Thread(target=self._run, args=(source or sys.stdin,), name="key pad", daemon=True).start()

    def events(self, timeout: float = 0.0) -> list[Event]:
        with self._ready:
            self._ready.wait_for(lambda: self._events or self._ended, timeout)
            events = list(self._events)
            self._events.clear()
        return events

    def send(self, command: Command) -> int:
        self._ticket += 1
        match command:
            case Display(seat=seat, value=value):
                print(f"seat {seat}: {value}", file=self._out)
            case Light(seat=light, colour=colour):
                print(f"light {'centre' if light is None else light}: {colour}", file=self._out)
            case protocol.Beep():
                print("\a", end="", file=self._out)
        self._put(Answer(self._ticket, True, "", "", time.monotonic()))
        return self._ticket

    def close(self) -> None:
        with self._ready:
            self._ended = True
            self._ready.notify_all()

    def _run(self, source: TextIO) -> None:
        for entry in source:
            if entry.strip() in ("", "help", "?"):
                print(HELP, end="", file=self._out)
                continue
            now = time.monotonic()
            try:
                message = understand(entry)
            except ValueError as error:
                self._put(Notice("input", str(error), now))
                continue
            self._seq += 1
            self._put(TableEvent(message, self._boot, self._seq, int((now - self._began) * 1000), now))
        self.close()

    def _put(self, event: Event) -> None:
        with self._ready:
            self._events.append(event)
            self._ready.notify_all()
