"""What the functions of a rule set look at, so that each is asked no more often than need be.

Patterns, restrictions and payments are functions of a case, but many look at the claim alone, or at the reading and not at
where in it the winning tile stands. Which do need not be written down, since it shows: asked about something that lacks
what it looks at, a function fails with an AttributeError. So each is first asked about the claim, and moved up a level
once it is found to look at more. Where it answers it has seen nothing else, so the answer holds for every reading (place).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from referee.rules.claim import Case, Claim
    from referee.rules.ruleset import Pattern, Tally

CLAIM, READING, PLACE = range(3)

Counted = tuple[tuple[int, int, int], ...]  # of patterns found: number, how often, worth of one
_Asked = tuple[int, Callable[[Any], int], int | Callable[[Any], int]]  # a pattern's number, when, worth


class Question:
    """A function of a case and its tally, and the least that it was found to look at."""

    __slots__ = ("ask", "level")

    def __init__(self, ask: Callable[..., Any]) -> None:
        self.ask, self.level = ask, CLAIM

    def put(self, tally: Tally, claim: Claim, case: Case, placed: Case) -> tuple[Any, int]:
        """The answer, of the first of these that it can be given for; and which that was."""
        if self.level == CLAIM:
            try:
                return self.ask(claim, tally), CLAIM
            except AttributeError:
                self.level = READING
        if self.level == READING:
            try:
                return self.ask(case, tally), READING
            except AttributeError:
                self.level = PLACE
        return self.ask(placed, tally), PLACE


class Asking:
    """What is asked of a win under one rule set: ``patterns``, numbered, by the level they are asked at, and ``questions``, the
    restrictions in their order, then the payments."""

    __slots__ = ("of_places", "patterns", "questions")

    def __init__(self, patterns: Iterable[Pattern], questions: Iterable[Callable[..., Any]]) -> None:
        asked = tuple((number, pattern.when, pattern.worth) for number, pattern in enumerate(patterns))
        self.patterns: list[tuple[_Asked, ...]] = [asked, (), ()]
        self.questions = tuple(map(Question, questions))
        self.of_places = False  # whether anything was found to look at the winning tile's place

    def counted(self, level: int, subject: Any) -> Counted:
        """Of the patterns asked at this level those that the subject has."""
        while True:
            try:
                return tuple(
                    [
                        (number, int(times), worth if isinstance(worth, int) else worth(subject))
                        for number, when, worth in self.patterns[level]
                        if (times := when(subject))
                    ]
                )
            except AttributeError:
                if level == PLACE or not self._move_up(level, subject):
                    raise

    def _move_up(self, level: int, subject: Any) -> bool:
        """Ask the patterns that look at more than this from now on a level higher; whether there were any."""
        stay, move = [], []
        for asked in self.patterns[level]:
            _, when, worth = asked
            try:
                if when(subject) and not isinstance(worth, int):
                    worth(subject)
                stay.append(asked)
            except AttributeError:
                move.append(asked)
        self.patterns[level] = tuple(stay)
        self.patterns[level + 1] += tuple(move)
        self.of_places |= level + 1 == PLACE
        return bool(move)
