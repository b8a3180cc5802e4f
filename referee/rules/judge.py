"""From a declared win to a verdict: legal or why not, the best reading, its patterns and payments.

Every reading of the hand is scored under the rule set's restrictions; the one that pays the winner most counts
(the rule of all 27 sheets). Nothing here knows a rule set by name.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from referee.rules.asking import CLAIM, PLACE, READING, STANDING, Asking, Counted, tally_of
from referee.rules.claim import Case, Claim, Coming, Standing, placements
from referee.rules.readings import Group, Reading
from referee.rules.record import Record, Win
from referee.rules.ruleset import Entry, Payment, Ruleset, Tally
from referee.rules.shapes import merging


class Verdict(NamedTuple):
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
    asking = _asking(rules, win.source)
    for bar in asking.bars:
        if objection := bar.objection(claim):
            return Verdict(win, False, objection)
    problem = _wrong_tiles(claim)
    if problem:
        return Verdict(win, False, problem)
    return _best_reading(claim, asking)


def judge_all(record: Record, rules: Ruleset) -> list[Verdict]:
    """Judge every declared win; where only one may win, the rest are refused with ``head_bump``."""
    verdicts = [judge(record, rules, win) for win in record.wins]
    if rules.winners == "many" or len(verdicts) < 2:
        return verdicts
    legal = [i for i, v in enumerate(verdicts) if v.legal]
    if len(legal) < 2:
        return verdicts
    first = min(legal, key=lambda i: _rank(rules, verdicts[i]))
    bumped = "head_bump: another player's win goes first"
    return [v.refused(bumped) if i in legal and i != first else v for i, v in enumerate(verdicts)]


def in_turn(rules: Ruleset, verdicts: Sequence[Verdict]) -> list[Verdict]:
    """The legal wins in the order they are paid in: who goes first among claimants comes first."""
    legal = [verdict for verdict in verdicts if verdict.legal]
    return sorted(legal, key=lambda verdict: _rank(rules, verdict)) if len(legal) > 1 else legal


def _rank(rules: Ruleset, verdict: Verdict) -> tuple[int, ...]:
    assert verdict.case is not None and verdict.tally is not None
    return rules.rank(verdict.case, verdict.tally)


def shapeless(win: Win) -> bool:
    """A win declared on bonus tiles, wild tiles or honours alone: the hand need not be complete, nor be given."""
    return bool(win.flower_win or win.wild_win or win.special)


def _wrong_tiles(claim: Claim) -> str | None:
    if claim.player.hand is None and not shapeless(claim.win):
        return "no_hand: the winner's hand is not given"
    if claim.player.melds and claim.meld_problem:
        return f"invalid_meld: {claim.meld_problem}"
    if claim.win.flower_win or claim.win.special:
        return None
    aside, concealed = claim.rules.set_aside(claim.record), claim.concealed
    if not aside.isdisjoint(concealed) and not aside.intersection(concealed) <= claim.wild_kinds:
        return "bonus_in_hand: a bonus tile in the concealed hand"
    at_the_deal = claim.dealt or claim.win.wild_win == "three_dealt"
    drawn = claim.is_dealer or not at_the_deal  # on the deal nobody but the dealer holds a tile more
    expected = claim.rules.hand_size + drawn - 3 * len(claim.player.melds)
    if len(concealed) != expected:
        return f"wrong_count: holds {len(concealed)} concealed tiles with the winning tile, {expected} expected"
    return None


def readings(claim: Claim) -> Iterator[Case]:
    """Every reading of the claim's tiles in every shape, the winning tile in every place it can have."""
    for case in _readings(claim):
        yield from map(case.placed, case.places())


def _readings(claim: Claim) -> Iterator[Case]:
    """The readings, the winning tile not yet in its place; those passed over that the rule set cannot tell from one before."""
    for held in claim.complete:
        merge = merging(claim, held)
        told: set[Hashable] = set()
        for shape in claim.rules.shapes:
            for reading in shape(claim, held):
                if merge:
                    key = (reading.shape, *merge.sees(reading.groups))
                    if key in told:
                        continue
                    told.add(key)
                case = Case.without_place(claim, reading)
                case.places = partial(placements, held, reading, merge)
                yield case


def count_patterns(case: Case) -> Tally:
    """The patterns a reading has, those taken out that another one present excludes."""
    counted = [(pattern, int(pattern.when(case))) for pattern in case.rules.patterns]
    return tally_of([Entry(pattern, times, pattern.worth_in(case)) for pattern, times in counted if times])


class _Score:
    """A tally, and what the claim alone answers with it: to each question of the rule set in turn, None while not asked;
    ``outcome`` once that is all."""

    __slots__ = ("answers", "outcome", "tally", "worth")

    def __init__(self, tally: Tally, worth: int, questions: int) -> None:
        self.tally, self.worth = tally, worth
        self.answers: list[Any] = [None] * questions
        self.outcome: _Outcome | None = None


class _Judge:
    """Judges the readings of one claim. What does not hang on the reading, or the place of the winning tile in it, is asked
    once, not for each of hundreds (see ``asking``)."""

    def __init__(self, claim: Claim, asking: Asking) -> None:
        self.claim, self.asking = claim, asking
        self.of_claim = self.asking.always + self.asking.counted(CLAIM, claim)
        self.scores: dict[Counted, dict[Counted, _Score]] = {}  # by what was counted of the reading, then of the place
        self.standings: dict[tuple[Group, int] | None, Counted] = {}  # what was counted of a place's group alone
        self.of_standings = self.asking.patterns[STANDING]  # the patterns asked for that

    def outcomes(self, case: Case) -> Iterator[tuple[Reading | None, _Score, _Outcome]]:
        """What comes of a reading with the winning tile in each place, or in the first of those of which the same is seen.
        None for the place where nothing looks at it."""
        asking = self.asking
        of_reading = asking.counted(READING, case)
        scores = self.scores.setdefault(of_reading, {})
        if asking.deepest == READING:
            score = scores.get(()) or self.score(scores, of_reading, ())
            outcome = score.outcome or self.outcome(score, case)
            if asking.deepest == READING:
                yield None, score, outcome
                return
        told: list[Counted] = []
        for place in case.places():
            of_place = self.standing(place) if asking.patterns[STANDING] else ()
            if asking.deepest < PLACE and of_place in told:
                continue
            told.append(of_place)
            placed = case.placed(place) if asking.deepest == PLACE else None
            if placed and asking.patterns[PLACE]:
                of_place += asking.counted(PLACE, placed)
            score = scores.get(of_place) or self.score(scores, of_reading, of_place)
            yield place, score, score.outcome or self.outcome(score, case, placed or case.placed(place))

    def score(self, scores: dict[Counted, _Score], of_reading: Counted, of_place: Counted) -> _Score:
        asking = self.asking
        tally, worth = asking.tally(self.of_claim + of_reading + of_place)
        score = scores[of_place] = _Score(tally, worth, len(asking.questions))
        return score

    def standing(self, place: Reading) -> Counted:
        if self.of_standings is not self.asking.patterns[STANDING]:
            self.of_standings = self.asking.patterns[STANDING]
            self.standings.clear()
        key = (place.groups[place.at], place.slot) if place.at >= 0 else None
        found = self.standings.get(key)
        if found is None:
            group, slot = key or (None, 0)
            found = self.standings[key] = self.asking.counted(STANDING, Standing(self.claim, group, slot))
        return found

    def outcome(self, score: _Score, case: Case, placed: Case | None = None) -> _Outcome:
        of_claim = True
        bars = len(self.asking.questions) - 1
        outcome: _Outcome | None = None
        for passed, question in enumerate(self.asking.questions):
            answer = score.answers[passed]
            if answer is None:
                answer, level = question.put(score.tally, self.claim, case, placed)
                if level == CLAIM:
                    score.answers[passed] = answer
                else:
                    of_claim = False
                    self.asking.deepest = max(self.asking.deepest, level)
            if passed == bars:
                outcome = bars, "", answer
            elif answer:
                outcome = passed, answer, _NO_PAYMENTS
                break
        assert outcome is not None
        if of_claim:
            score.outcome = outcome
        return outcome


_NO_PAYMENTS: tuple[list[Payment], float] = ([], 0)

#: How many bars a reading passes; the objection of the one that it does not; or else its payments and what the winner gets.
_Outcome = tuple[int, str, tuple[list[Payment], float]]


def _asking(rules: Ruleset, source: str) -> Asking:
    asking = rules.asking.get(source)
    if asking is None:
        asking = rules.asking[source] = Asking(Coming(rules, source), rules.patterns, rules.restrictions, _payments)
    return asking


def _payments(case: Case, tally: Tally) -> tuple[list[Payment], float]:
    assert case.rules.pay is not None
    payments, seat = with_liability(case, tally, case.rules.pay(case, tally)), case.seat
    return payments, sum([p.amount for p in payments if p.to == seat])


def _best_reading(claim: Claim, asking: Asking) -> Verdict:
    best: tuple[Case, Reading | None, _Score, list[Payment]] | None = None
    most = 0.0
    refused: tuple[Case, Reading | None, _Score, str] | None = None
    nearest = (-1, False)  # of the readings refused, the one that passes most bars is explained
    judging = _Judge(claim, asking)
    for case in _readings(claim):
        for place, score, (passed, objection, (payments, won)) in judging.outcomes(case):
            if objection:
                if (passed, bool(score.tally.entries)) > nearest:
                    nearest = (passed, bool(score.tally.entries))
                    refused = case, place, score, objection
            # of readings that pay alike (at a cap, say) the one with most to its name counts
            elif best is None or won > most or (won == most and score.worth > best[2].worth):
                best, most = (case, place, score, payments), won
    if best:
        case, place, score, payments = best
        return Verdict(claim.win, True, None, case.settled(place), score.tally, tuple(payments))
    if refused:
        case, place, score, objection = refused
        return Verdict(claim.win, False, objection, case.settled(place), score.tally)
    return Verdict(claim.win, False, "no_shape: the tiles form no winning shape")


def with_liability(case: Case, tally: Tally, payments: list[Payment]) -> list[Payment]:
    """Payments after the first liability that changes them (``Ruleset.liability`` stands in order of precedence)."""
    for liability in case.rules.liability:
        changed = liability(case, tally, payments)
        if changed is not payments and changed != payments:
            return changed
    return payments
