"""What an automatic table is to show of a game: the scores on its displays, turn, questions and fouls on its lamps.

The game's side of `hardware.outputs`: a look at the ledger, never at what was shown before, so that a correction of the log
corrects the table as well.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile
from typing import Protocol

from hardware.host import Answer
from hardware.observe import Seating
from hardware.outputs import Shown, commands
from hardware.protocol import Command
from referee.table import events as ev
from referee.table.game import Hand
from referee.table.ledger import Ledger
from referee.voice.words import FAULTS


class Sender(Protocol):
    """Whoever has a table do something (`hardware.adapters.Table`)."""

    def send(self, command: Command) -> int: ...


class Signals:
    """Keeps one table showing a game. What a table lost by a restart or with its cable the link shows again by itself.

    ``waiting``: the tickets of commands not yet answered.
    """

    def __init__(self, table: Sender, seating: Seating) -> None:
        self.table, self.seating = table, seating
        self.waiting: set[int] = set()
        self._before: Shown | None = None

    def show(self, ledger: Ledger, asked: Iterable[int] = ()) -> None:
        """Bring the table up to the game; ``asked``: numbers of the events that questions are open about."""
        now = shown(ledger, asked)
        for command in commands(now, self._before, self.seating):
            self.waiting.add(self.table.send(command))
        self._before = now

    def answered(self, answer: Answer) -> None:
        """A command was carried out, or will not be: a table without displays or lamps refuses them, which is no trouble."""
        self.waiting.discard(answer.ticket)


def shown(ledger: Ledger, asked: Iterable[int] = ()) -> Shown:
    """What is to be seen at the table. Lamps tell everybody: the faults that may be said aloud (`voice.words.FAULTS`) shine
    until the player's next own event, questions for the player whose event they are about."""
    game = ledger.game
    if not game.hands:
        return Shown()
    hand = game.hands[-1]
    told = [item.event for item in takewhile(lambda item: item.hand == hand.number, reversed(ledger.told))]
    seats = {event.n: seat for event in told if (seat := _seat(event)) is not None}
    return Shown(
        scores=tuple(round(score) for score in game.scores),
        turn=None if hand.complete or hand.state.phase == "deal" else hand.state.turn,
        asked=frozenset(seats[number] for number in asked if number in seats),
        fouls=_fouls(hand, seats),
        stopped=not hand.complete and any(fault.certain and fault.effect == "redeal" for fault in hand.faults),
    )


def _seat(event: ev.Event) -> int | None:
    return getattr(event, "seat", None)


def _fouls(hand: Hand, seats: dict[int, int]) -> frozenset[int]:
    """The players whose last own event is not later than a fault of theirs; ``seats``: whose each event of the hand is."""
    latest: dict[int, int] = {}
    for number, seat in seats.items():
        latest[seat] = max(number, latest.get(seat, 0))
    said = (fault for fault in hand.faults if fault.certain and fault.kind in FAULTS)
    return frozenset(fault.seat for fault in said if fault.n >= latest.get(fault.seat, 0))
