"""What the functions of a rule set look at, so that each is asked no more often than need be.

Patterns, restrictions and payments are functions of a case, but many look at no more than how the winning tile came, or at
the claim, or at the reading and not at where in it that tile stands, or at the group alone that it stands in. Which do need
not be written down, since it shows: asked about something that lacks what it looks at, a function fails with an AttributeError.
So each is first asked about the least of these, and moved up a level once it is found to look at more. Where it answers it has
seen nothing else, so the answer holds for every claim (reading, place) that has this in common.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from referee.rules.ruleset import Entry, Tally

if TYPE_CHECKING:
    from referee.rules.claim import Case, Claim, Coming
    from referee.rules.ruleset import Pattern, Restriction

CLAIM, READING, STANDING, PLACE = range(4)

Counted = tuple[tuple[int, int, int], ...]  # of patterns found: number, how often, worth of one
_Asked = tuple[int, Callable[[Any], int], int | Callable[[Any], int]]  # a pattern's number, when, worth


class Question:
    """A function of a case and its tally, and the least that it was found to look at."""

    __slots__ = ("ask", "level")

    def __init__(self, ask: Callable[..., Any]) -> None:
        self.ask, self.level = ask, CLAIM

    def put(self, tally: Tally, claim: Claim, case: Case, placed: Case | None) -> tuple[Any, int]:
        """The answer, of the first of these that it can be given for; and which that was. ``placed``: the case with the winning
        tile in a place, None for any."""
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
        return self.ask(placed or case.placed(next(case.places())), tally), PLACE


_MOST_TALLIES = 4096


class Asking:
    """What is asked of a win that came this way, under its rule set: ``bars``, its claim's restrictions; ``patterns``, numbered,
    by the level they are asked at; and ``questions``, the restrictions of a reading in their order, then the payments
    ``pay``.

    Bars that do not concern a win that came so are left out, and patterns too; those it has in any case are in ``always``.
    """

    __slots__ = ("_all", "_tallies", "always", "bars", "deepest", "patterns", "questions")

    def __init__(
        self,
        coming: Coming,
        patterns: tuple[Pattern, ...],
        restrictions: tuple[Restriction, ...],
        pay: Callable[..., Any],
    ) -> None:
        self._all = patterns
        self.always: Counted = ()
        self.patterns: list[tuple[_Asked, ...]] = [(), (), (), ()]
        for number, pattern in enumerate(patterns):
            self._place(coming, (number, pattern.when, pattern.worth))
        self.bars = tuple([bar for bar in restrictions if not bar.of_reading and _may_bar(bar, coming)])
        self.questions = tuple(map(Question, [*(bar.objection for bar in restrictions if bar.of_reading), pay]))
        self.deepest = READING  # the level of what was found to look at most, READING or more
        self._tallies: dict[Counted, tuple[Tally, int]] = {}

    def _place(self, coming: Coming, asked: _Asked) -> None:
        number, when, worth = asked
        try:
            if times := int(when(coming)):
                self.always += ((number, times, worth if isinstance(worth, int) else worth(coming)),)
        except AttributeError:
            self.patterns[CLAIM] += (asked,)

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
        self.deepest = max(self.deepest, level + 1)
        return bool(move)

    def tally(self, counted: Counted) -> tuple[Tally, int]:
        """Of these patterns, those taken out that another one present excludes; and what they are worth together. The same few
        come together in most hands, so this is kept."""
        found = self._tallies.get(counted)
        if found is None:
            if len(self._tallies) >= _MOST_TALLIES:
                self._tallies.clear()
            tally = tally_of([Entry(self._all[number], times, worth) for number, times, worth in sorted({*counted})])
            found = self._tallies[counted] = tally, sum([entry.worth * entry.times for entry in tally.entries])
        return found

    def forget(self) -> None:
        """Empty the table of tallies (for the bench)."""
        self._tallies.clear()


def _may_bar(bar: Restriction, coming: Coming) -> bool:
    try:
        return bool(bar.forbids(coming))
    except AttributeError:
        return True


def tally_of(found: list[Entry]) -> Tally:
    """The patterns found, plain ones beside others and those inside another one left out."""
    if len(found) > 1:
        found = [entry for entry in found if not entry.pattern.alone] or found
    inside = {name for entry in found for name in entry.pattern.excludes}
    return Tally(tuple([entry for entry in found if entry.pattern.id not in inside]))
