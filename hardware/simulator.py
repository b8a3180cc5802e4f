"""A simulated automatic table: plays hands from a seed, a game's event log or a recorded trace over the line.

What it plays is a sequence of `Step`s, plain data made by `play`, `from_log` or `from_trace`; `Simulator` runs them at
an endpoint. `spoil` puts irregularities in by name (`FAULTS`), for testing what the referee makes of them.
"""

from __future__ import annotations

import random
import secrets
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hardware import trace
from hardware.chaos import Chaos
from hardware.endpoint import Endpoint
from hardware.protocol import (
    PROTO,
    Button,
    Command,
    Deal,
    Dice,
    Draw,
    HandIn,
    Message,
    State,
    TableHello,
    Turn,
    Wall,
)
from hardware.table import Identity, TableEnd

FAULTS = {
    "dice": "the dice reported are not those the wall was opened by",
    "stack": "the wall is opened one stack too far",
    "turn": "the indicator is turned one stack too far",
    "wall": "a wall is built one stack too long",
    "end": "a tile is drawn from the tail instead of the head",
    "handin": "a tile too few is handed in",
    "extra": "a tile too many is handed in",
}
ACTIONS = ("unplug", "plug", "restart")
_LINGER = 10.0
_FOUL_DRAW = 10
_CLAIMS = ("chow", "pung", "kong", "added_kong", "concealed_kong", "ready", "win")


@dataclass(frozen=True, slots=True)
class Step:
    """After so many seconds, an event of the table, or one of `ACTIONS`: the cable pulled, put back, a restart."""

    after: float
    what: Message | str


# What to play ---------------------------------------------------------------------------------------------------------


def play(seed: int, hands: int = 1, tiles: int = 136, hand_size: int = 13) -> Iterator[Step]:
    """Hands of four players as an automatic table sees them.

    The ritual is the plainest: the dealer's two dice choose the wall, counted from the dealer counter-clockwise, and the
    stacks left at its right end; the indicator is turned in the next wall, as many stacks from its left end.
    ValueError: a set that is not of whole stacks or too small.
    """
    if tiles % 2 or tiles < 4 * hand_size + 30:
        raise ValueError(f"a set of {tiles} tiles makes no wall for hands of {hand_size}")
    dice = random.Random(seed)
    dealer = 0
    for _ in range(hands):
        winner = yield from _hand(dice, dealer, tiles, hand_size)
        dealer = dealer if winner == dealer else (dealer + 1) % 4


def sides(tiles: int) -> tuple[int, ...]:
    """Stacks before each seat, as even as the set allows."""
    stacks = tiles // 2
    return tuple(stacks // 4 + (seat < stacks % 4) for seat in range(4))


def _hand(dice: random.Random, dealer: int, tiles: int, hand_size: int) -> Generator[Step, None, int | None]:
    """One hand; gives the winner's seat, None where nobody won."""
    walls = sides(tiles)
    yield Step(2.0, State("shuffling"))
    yield Step(40.0, Wall(walls, tiles))
    yield Step(0.5, State("ready"))
    yield Step(3.0, State("raised"))
    thrown = (dice.randint(1, 6), dice.randint(1, 6))
    total = sum(thrown)
    yield Step(4.0, Dice(thrown, dealer))
    broken = (dealer + total - 1) % 4
    yield Step(3.0, Deal(broken, total))
    yield Step(0.5, State("playing"))
    left = tiles
    for count, seat in _dealing(dealer, hand_size):
        left -= count
        yield Step(1.0, Draw("head", count, left, seat))
    beside = (broken + 1) % 4
    yield Step(3.0, Turn(beside, walls[beside] - total + 1))
    winner = yield from _turns(dice, dealer, left)
    yield Step(3.0, State("handin"))
    yield Step(20.0, HandIn(tiles))
    return winner


def _dealing(dealer: int, hand_size: int) -> Iterator[tuple[int, int]]:
    """Two stacks at a time, then single tiles, the dealer's extra one last: (tiles, seat)."""
    for taken in range(0, hand_size, 4):
        for place in range(4):
            yield min(4, hand_size - taken), (dealer + place) % 4
    yield 1, dealer


def _turns(dice: random.Random, dealer: int, left: int) -> Generator[Step, None, int | None]:
    seat = dealer
    drawn = 0
    lasts = dice.randint(25, 75)
    while left > 20 and drawn < lasts:
        if dice.random() < 0.06:  # a kong and its replacement
            left -= 1
            yield Step(2.0, Button("kong", "press", seat))
            yield Step(2.0, Draw("tail", 1, left, seat))
        seat = (seat + (dice.randint(1, 3) if dice.random() < 0.1 else 1)) % 4
        left -= 1
        drawn += 1
        yield Step(dice.uniform(1.5, 6.0), Draw("head", 1, left, seat))
    if drawn < lasts:
        return None
    yield Step(1.0, Button("win", "press", seat))
    return seat


def from_log(
    events: Iterable[Mapping[str, Any]],
    tiles: int = 136,
    hand_size: int = 13,
    seats: int = 4,
    turned_from: str = "right",
) -> Iterator[Step]:
    """What a table would have told of a game whose event log is given (the entries as plain data, with `t` in seconds).
    ValueError, naming the event, where one has not what the event log asks of it.

    `turned_from`: the end of a wall, "left" or "right" of its player, from which the log's rule set counts the
    indicator's stack; the line always counts from the right.
    """
    at = told = 0.0
    left = tiles
    for number, event in enumerate(events, 1):
        if event.get("type") == "start":
            left = tiles
        try:
            at = max(at, float(event["t"])) if event.get("t") is not None else at + 1.0
            messages = list(_told(event, left, tiles, hand_size * seats + 1, turned_from))
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise ValueError(f"event {number} ({event.get('type')}): {type(error).__name__} at {error}") from None
        for message in messages:
            yield Step(at - told, message)
            told = at
            if isinstance(message, Draw | Wall) and message.left is not None:
                left = message.left


def _told(event: Mapping[str, Any], left: int, tiles: int, dealt: int, turned_from: str) -> Iterator[Message]:
    kind, seat = event.get("type"), event.get("seat")
    if kind == "start":
        yield from (State("shuffling"), Wall(sides(tiles), tiles), State("ready"), State("raised"))
    elif kind == "dice":
        yield Dice(tuple(event["values"]), seat)
    elif kind == "deal":
        if event.get("wall") is not None and event.get("stacks") is not None:
            yield Deal(event["wall"], event["stacks"])
        yield from (State("playing"), Draw("head", dealt, left - dealt))
    elif kind == "indicator" and event.get("wall") is not None and event.get("stack") is not None:
        wall, stack = event["wall"], event["stack"]
        yield Turn(wall, stack if turned_from == "right" else sides(tiles)[wall] - stack + 1)
    elif kind == "draw":
        end = event.get("end")
        yield Draw(end, 1, left - 1, seat) if end else Wall(None, left - 1)
    elif kind in _CLAIMS:
        yield Button("kong" if "kong" in kind else kind, "press", seat)
    elif kind == "end":
        yield from (State("handin"), HandIn(tiles))


def spoil(steps: Iterable[Step], faults: Mapping[str, int]) -> list[Step]:
    """The steps with irregularities: name (`FAULTS`) -> the hand, from 0, that it happens in. ValueError: an unknown
    name, or a hand in which there is nothing of the kind."""
    for name in faults:
        if name not in FAULTS:
            raise ValueError(f'"{name}" is no fault the table can make; known: {", ".join(FAULTS)}')
    out: list[Step] = []
    hands = _by_hand(steps)
    for number, hand in enumerate(hands):
        for name, when in faults.items():
            if when == number:
                spoilt = _spoilt(hand, name)
                if spoilt == hand:
                    raise ValueError(f'nothing happens in hand {number} that "{name}" could spoil')
                hand = spoilt
        out += hand
    missing = [f"{name}@{when}" for name, when in faults.items() if when >= len(hands)]
    if missing:
        raise ValueError(f"{', '.join(missing)}: only {len(hands)} hands are played, counted from 0")
    return out


def _by_hand(steps: Iterable[Step]) -> list[list[Step]]:
    hands: list[list[Step]] = []
    for step in steps:
        if not hands or (step.what == State("shuffling") and State("raised") in [past.what for past in hands[-1]]):
            hands.append([])
        hands[-1].append(step)
    return hands


def _spoilt(hand: list[Step], name: str) -> list[Step]:
    heads = [at for at, step in enumerate(hand) if isinstance(step.what, Draw) and _single_from_head(step.what)]
    foul = heads[min(_FOUL_DRAW, len(heads) - 1)] if heads else -1
    out = []
    for at, step in enumerate(hand):
        what = step.what
        match what:
            case Dice(values=values) if name == "dice":
                what = replace(what, values=(values[0] % 6 + 1, *values[1:]))
            case Deal(stacks=stacks) if name == "stack":
                what = replace(what, stacks=stacks + 1)
            case Turn(stack=stack) if name == "turn":
                what = replace(what, stack=stack - 1 or stack + 1)
            case Wall(stacks=stacks, left=left) if name == "wall":
                longer = (stacks[0] + 1, *stacks[1:]) if stacks else None
                what = Wall(longer, None if left is None else left + 2)
            case Draw(left=left) if name == "wall" and left is not None:
                what = replace(what, left=left + 2)
            case Draw() if name == "end" and at == foul:
                what = replace(what, end="tail")
            case HandIn(count=count) if name in ("handin", "extra"):
                what = HandIn(count + (1 if name == "extra" else -1))
        out.append(Step(step.after, what))
    return out


def _single_from_head(draw: Draw) -> bool:
    return draw.count == 1 and draw.end == "head"


def from_trace(path: Path) -> Iterator[Step]:
    """What a table told when the trace was recorded. `trace.TraceError` where the file is none."""
    clock = 0.0
    for event in trace.events(trace.read(path)):
        yield Step(max(0.0, event.at - clock), event.message)
        clock = max(clock, event.at)


def timed(steps: Iterable[Step]) -> Iterator[tuple[float, Message]]:
    """The events of steps with the seconds since the beginning at which they happen; for `trace.write`."""
    at = 0.0
    for step in steps:
        at += step.after
        if not isinstance(step.what, str):
            yield at, step.what


def hello(identity: Identity, boot: str = "00000001") -> TableHello:
    """A table's greeting; for `trace.write`."""
    me = identity
    return TableHello(0, PROTO, boot, me.vendor, me.model, me.firmware, me.serial, me.tiles, me.caps)


# Playing it -----------------------------------------------------------------------------------------------------------


class Simulator:
    """A table at an endpoint. `speed`: how many times faster than life the steps follow each other.

    `to_host` and `to_table` spoil the bytes on their way; `on_command` is told what the host has the table do.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        identity: Identity | None = None,
        *,
        speed: float = 1.0,
        capacity: int = 4096,
        boots: Callable[[], str] = lambda: f"{secrets.randbits(32):08X}",
        to_host: Chaos | None = None,
        to_table: Chaos | None = None,
        on_command: Callable[[Command], None] = lambda command: None,
    ) -> None:
        self.endpoint = endpoint
        self.sent: list[tuple[str, int, Message]] = []
        """Every event made: the boot and number it got, and what it said."""
        self._boots = boots
        self._table = TableEnd(identity or Identity(), boots(), capacity)
        self._speed = speed
        self._to_host = to_host
        self._to_table = to_table
        self._on_command = on_command
        self._began = time.monotonic()

    @property
    def listened(self) -> bool:
        """Whether a host is subscribed."""
        return self._table.subscribed

    def run(
        self, steps: Iterable[Step], stop: threading.Event, wait_for_host: bool = False, once: bool = False
    ) -> None:
        """Plays the steps, then keeps answering until told to stop. `wait_for_host`: begins when somebody listens;
        `once`: stops by itself when the host has received everything, or ten seconds after the last step."""
        while wait_for_host and not self._table.subscribed and not stop.is_set():
            self.serve(0.02)
        due = time.monotonic()
        for step in steps:
            due = max(due, time.monotonic() - 1.0) + step.after / self._speed
            while not stop.is_set() and (wait := due - time.monotonic()) > 0:
                self.serve(min(wait, 0.02))
            if stop.is_set():
                return
            self.do(step.what)
            self.serve(0.0)
        until = time.monotonic() + _LINGER
        while not stop.is_set():
            if once and (self._table.confirmed == self._table.last or time.monotonic() > until):
                return
            self.serve(0.02)

    def do(self, what: Message | str) -> None:
        """One step."""
        if what == "unplug":
            self.endpoint.close()
        elif what == "plug":
            self.endpoint.open()
        elif what == "restart":
            self._table.restart(self._boots())
        elif not isinstance(what, str):
            boot = self._table.boot
            self.sent.append((boot, self._table.emit(what, self._ms()), what))

    def serve(self, wait: float) -> None:
        """Answers what comes in within so many seconds, and greets when it is time."""
        data = self.endpoint.read(wait)
        if self._to_table is not None:
            data = self._to_table(data)
        for command in self._table.received(data, self._ms()):
            self._on_command(command)
        self._table.tick(self._ms())
        out = self._table.take()
        if self._to_host is not None:
            out = self._to_host(out)
        if out:
            self.endpoint.write(out)

    def _ms(self) -> int:
        return int((time.monotonic() - self._began) * 1000) & 0xFFFFFFFF
