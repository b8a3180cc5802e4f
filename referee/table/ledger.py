"""A log and the game it tells, kept in step: entries come in one by one or all at once, corrections are replayed.

This is what everybody who follows a table uses: ``referee replay``, the live referee, the board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from referee.table.events import Correct, Event
from referee.table.game import Game, GameError, Told
from referee.table.log import Entry, Problem, Reader, corrected


class Ledger:
    """``game`` is the game the corrected log tells, ``told`` its events in order with what they did, ``problems`` what
    could not be read or played, in order of line; ``rebuilt`` counts the corrections that told it anew."""

    def __init__(self, new_game: Callable[[], Game] = Game) -> None:
        self.reader = Reader()
        self.told: list[Told] = []
        self.rebuilt = 0
        self._new_game = new_game
        self.game = new_game()
        self._events: list[Event] = []
        self._lines: dict[int, int] = {}
        self._unplayed: list[Problem] = []

    def feed(self, data: bytes, end: bool = False) -> list[Told]:
        """Take in more of a log file, ``end`` when nothing follows; what the new lines told (all, after a correction)."""
        entries = self.reader.feed(data)
        if end:
            entries = [*entries, *self.reader.finish()]
        return self.add(entries)

    def add(self, entries: Iterable[Entry]) -> list[Told]:
        """New entries of the log; what they told, or the whole story again where one corrects it."""
        entries = list(entries)
        for entry in entries:
            self._events.append(entry.event)
            self._lines[entry.event.n] = entry.line
        if any(isinstance(entry.event, Correct) for entry in entries):
            self.game, self.told, self._unplayed = self._new_game(), [], []
            self.rebuilt += 1
            return self._play(corrected(self._events))
        return self._play(entry.event for entry in entries)

    def record(self, event: Event) -> list[Told]:
        """A new event that its maker has numbered and written to the log himself."""
        return self.add([Entry(len(self._events) + 1, event)])

    def _play(self, events: Iterable[Event]) -> list[Told]:
        before = len(self.told)
        for event in events:
            try:
                self.told.append(self.game.play(event))
            except GameError as problem:
                self._unplayed.append(Problem(self._lines.get(event.n, event.n), f"event {event.n}: {problem}"))
        return self.told[before:]

    @property
    def events(self) -> tuple[Event, ...]:
        """The log as it was written: what has been corrected since, and the corrections."""
        return tuple(self._events)

    @property
    def problems(self) -> list[Problem]:
        """Lines refused or dropped, and events that could not be played."""
        return sorted([*self.reader.problems, *self._unplayed], key=lambda problem: problem.line)
