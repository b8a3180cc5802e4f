"""What the functions of a rule set look at, so that each is asked no more often than need be.

Patterns, restrictions and payments are functions of a case, but many look at the claim alone, or at the reading and not at
where in it the winning tile stands. Which do need not be written down, since it shows: asked about something that lacks
what it looks at, a function fails with an AttributeError. So each is first asked about the claim, and moved up a level
once it is found to look at more. Where it answers it has seen nothing else, so the answer holds for every reading (place).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from referee.rules.ruleset import Pattern, Tally

CLAIM, READING, PLACE = range(3)


class Question:
    """A function of a case and its tally, and the least that it was found to look at."""

    __slots__ = ("ask", "level")

    def __init__(self, ask: Callable[..., Any]) -> None:
        self.ask, self.level = ask, CLAIM


class Asking:
    """What is asked of a win under one rule set: ``patterns``, numbered, by the level they are asked at, and ``questions``, the
    restrictions in their order, then the payments."""

    __slots__ = ("of_places", "patterns", "questions")

    def __init__(self, patterns: Iterable[Pattern], questions: Iterable[Callable[..., Any]]) -> None:
        self.patterns: list[tuple[tuple[int, Pattern], ...]] = [tuple(enumerate(patterns)), (), ()]
        self.questions = tuple(map(Question, questions))
        self.of_places = False  # whether anything was found to look at the winning tile's place

    def count(self, level: int, subject: Any) -> tuple[tuple[int, int, int], ...]:
        """Of the patterns asked at this level those that the subject has: number, how often, worth of one."""
        found, late = [], []
        for number, pattern in self.patterns[level]:
            try:
                times = pattern.when(subject)
                if times:
                    worth = pattern.worth
                    found.append((number, int(times), worth if isinstance(worth, int) else worth(subject)))
            except AttributeError:
                if level == PLACE:
                    raise
                late.append(number)
        if late:
            moved = tuple(asked for asked in self.patterns[level] if asked[0] in late)
            self.patterns[level] = tuple(asked for asked in self.patterns[level] if asked[0] not in late)
            self.patterns[level + 1] += moved
            self.of_places |= level + 1 == PLACE
        return tuple(found)

    def put(self, question: Question, tally: Tally, subjects: Sequence[Any]) -> tuple[Any, int]:
        """The answer to a question, asked of the first of claim, case without a place, and case that it can be asked of; and
        which that was."""
        for level in range(question.level, PLACE):
            try:
                return question.ask(subjects[level], tally), level
            except AttributeError:
                question.level = level + 1
        self.of_places = True
        return question.ask(subjects[PLACE], tally), PLACE
