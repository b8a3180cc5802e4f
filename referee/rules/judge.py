"""From a declared win to a verdict: legal or why not, the best reading, its patterns and payments.

Every reading of the hand is scored under the rule set's restrictions; the one that pays the winner most counts
(the rule of all 27 sheets). Nothing here knows a rule set by name.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from referee.rules.claim import Case, Claim, placements
from referee.rules.record import Record, Win
from referee.rules.ruleset import Entry, Pattern, Payment, Ruleset, Tally
from referee.rules.shapes import merging


@dataclass(frozen=True)
class Verdict:
    """The judgement of one declared win. ``case`` and ``tally`` are those of the reading that counts; of a refused win the
    best reading that was refused, or None. ``reason`` is ``"code: explanation"``."""

    win: Win
    legal: bool
    reason: str | None
    case: Case | None = None
    tally: Tally | None = None
    payments: tuple[Payment, ...] = ()

    def refused(self, reason: str) -> Verdict:
        return Verdict(self.win, False, reason, self.case, self.tally, ())


def judge(record: Record, rules: Ruleset, win: Win) -> Verdict:
    """Judge one declared win by itself; competition between several is ``judge_all``'s."""
    claim = Claim(record, rules, win)
    for restriction in rules.restrictions:
        if not restriction.of_reading and (objection := restriction.objection(claim)):
            return Verdict(win, False, objection)
    problem = _wrong_tiles(claim)
    if problem:
        return Verdict(win, False, problem)
    return _best_reading(claim)


def judge_all(record: Record, rules: Ruleset) -> list[Verdict]:
    """Judge every declared win; where only one may win, the rest are refused with ``head_bump``."""
    verdicts = [judge(record, rules, win) for win in record.wins]
    legal = [i for i, v in enumerate(verdicts) if v.legal]
    if rules.winners == "many" or len(legal) < 2:
        return verdicts
    first = min(legal, key=lambda i: _rank(rules, verdicts[i]))
    bumped = "head_bump: another player's win goes first"
    return [v.refused(bumped) if i in legal and i != first else v for i, v in enumerate(verdicts)]


def in_turn(rules: Ruleset, verdicts: Sequence[Verdict]) -> list[Verdict]:
    """The legal wins in the order they are paid in: who goes first among claimants comes first."""
    return sorted((v for v in verdicts if v.legal), key=lambda verdict: _rank(rules, verdict))


def _rank(rules: Ruleset, verdict: Verdict) -> tuple[int, ...]:
    assert verdict.case is not None and verdict.tally is not None
    return rules.rank(verdict.case, verdict.tally)


def shapeless(win: Win) -> bool:
    """A win declared on bonus tiles, wild tiles or honours alone: the hand need not be complete, nor be given."""
    return bool(win.flower_win or win.wild_win or win.special)


def _wrong_tiles(claim: Claim) -> str | None:
    if claim.player.hand is None and not shapeless(claim.win):
        return "no_hand: the winner's hand is not given"
    if claim.meld_problem:
        return f"invalid_meld: {claim.meld_problem}"
    if shapeless(claim.win):
        return None
    aside = claim.rules.set_aside(claim.record)
    if any(tile in aside and tile not in claim.wild_kinds for tile in claim.concealed):
        return "bonus_in_hand: a bonus tile in the concealed hand"
    drawn = claim.is_dealer or not claim.dealt  # on the deal nobody but the dealer holds a tile more
    expected = claim.rules.hand_size + drawn - 3 * len(claim.player.melds)
    if len(claim.concealed) != expected:
        return f"wrong_count: holds {len(claim.concealed)} concealed tiles with the winning tile, {expected} expected"
    return None


def readings(claim: Claim) -> Iterator[Case]:
    """Every reading of the claim's tiles in every shape, the winning tile in every place it can have."""
    for held in claim.complete:
        merge = merging(claim, held)
        told: set[Hashable] = set()
        for shape in claim.rules.shapes:
            for reading in shape(claim, held):
                keys = [merge.keys[group] for group in reading.groups] if merge else []
                seen = (reading.shape, *sorted(keys))
                for placed in placements(claim, held, reading):
                    if merge:  # passed over where the rule set has seen a reading like this one
                        place = (keys[placed.at], placed.slot) if placed.at >= 0 else None
                        if (seen, place) in told:
                            continue
                        told.add((seen, place))
                    yield Case.of(claim, placed)


def count_patterns(case: Case) -> Tally:
    """The patterns a reading has, those taken out that another one present excludes."""
    return _tally([_counted(pattern, case) for pattern in case.rules.patterns])


def _counted(pattern: Pattern, case: Case) -> Entry | None:
    times = int(pattern.when(case))
    if not times:
        return None
    return Entry(pattern, times, pattern.worth if isinstance(pattern.worth, int) else pattern.worth(case))


def _tally(counted: Iterable[Entry | None]) -> Tally:
    found = [entry for entry in counted if entry]
    named = [entry for entry in found if not entry.pattern.alone]
    if named and len(named) < len(found):
        found = named
    inside = {name for entry in found for name in entry.pattern.excludes}
    if inside:
        found = [entry for entry in found if entry.pattern.id not in inside]
    return Tally(tuple(found))


class _Judge:
    """Judges the readings of one claim. What does not hang on the reading is asked once, not for each of hundreds.

    Whether a function of the rule set looks at the reading is found out by asking it about the claim alone, which has none:
    it then fails with an AttributeError, and is asked about each case from then on (noted in the rule set). Where it answers,
    it has seen nothing but the claim (and the tally), so the answer holds for every reading (with that tally).
    """

    def __init__(self, claim: Claim) -> None:
        self.claim, self.rules = claim, claim.rules
        self.looking = claim.rules.look_at_reading
        self.bars = [
            (("bar", number), bar.objection) for number, bar in enumerate(claim.rules.restrictions) if bar.of_reading
        ]
        self.told: dict[Hashable, Any] = {}
        self.known: list[Entry | None] = [None] * len(self.rules.patterns)
        self.open, blind = self.rules.asked_of_readings, self.rules.asked_of_claims
        moved = []
        for number, pattern in blind:
            try:
                if pattern.when(cast(Case, claim)):
                    self.known[number] = _counted(pattern, cast(Case, claim))
            except AttributeError:
                moved.append((number, pattern))
        if moved:
            self.open += moved
            blind[:] = [asked for asked in blind if asked not in moved]

    def tally(self, case: Case) -> Tally:
        """As ``count_patterns``."""
        counted = self.known.copy()
        for number, pattern in self.open:
            times = pattern.when(case)
            if times:
                worth = pattern.worth if isinstance(pattern.worth, int) else pattern.worth(case)
                counted[number] = Entry(pattern, int(times), worth)
        return _tally(counted)

    def outcome(self, case: Case, tally: Tally) -> tuple[int, str | None, list[Payment]]:
        """How many bars the reading passes, the objection of the one that it does not, or else its payments."""
        counted = tuple([(e.pattern.id, e.times, e.worth) for e in tally.entries])
        for passed, (name, objection) in enumerate(self.bars):
            if found := self._ask(name, objection, case, tally, counted):
                return passed, found, []
        return 0, None, self._ask("payments", _payments, case, tally, counted)

    def _ask(self, name: Hashable, function: Callable[..., Any], case: Case, tally: Tally, counted: Hashable) -> Any:
        if name not in self.looking:
            try:
                return self.told[name, counted]
            except KeyError:
                pass
            try:
                answer = self.told[name, counted] = function(self.claim, tally)
                return answer
            except AttributeError:
                self.looking.add(name)
        return function(case, tally)


def _payments(case: Case, tally: Tally) -> list[Payment]:
    assert case.rules.pay is not None
    return with_liability(case, tally, case.rules.pay(case, tally))


def _best_reading(claim: Claim) -> Verdict:
    best: Verdict | None = None
    best_total = (0.0, 0)
    refused: Verdict | None = None
    nearest = (-1, False)  # of the readings refused, the one that passes most bars is explained
    judging = _Judge(claim)
    for case in readings(claim):
        tally = judging.tally(case)
        passed, objection, payments = judging.outcome(case, tally)
        if objection:
            if (passed, bool(tally.entries)) > nearest:
                nearest = (passed, bool(tally.entries))
                refused = Verdict(claim.win, False, objection, case, tally)
            continue
        # of readings that pay alike (at a cap, say) the one with most to its name counts
        total = (
            sum([p.amount for p in payments if p.to == claim.seat]),
            sum([e.worth * e.times for e in tally.entries]),
        )
        if best is None or total > best_total:
            best, best_total = Verdict(claim.win, True, None, case, tally, tuple(payments)), total
    return best or refused or Verdict(claim.win, False, "no_shape: the tiles form no winning shape")


def with_liability(case: Case, tally: Tally, payments: list[Payment]) -> list[Payment]:
    """Payments after the first liability that changes them (``Ruleset.liability`` stands in order of precedence)."""
    for liability in case.rules.liability:
        changed = liability(case, tally, payments)
        if changed != payments:
            return changed
    return payments
