"""What is asked once a claim or once a reading gives the same tallies as asking every pattern about every case.

Truth: ``judge.count_patterns``, which knows nothing of levels.
"""

import random
from dataclasses import replace

import pytest

from referee.rules import judge
from referee.rules.asking import CLAIM, PLACE, READING, STANDING, Asking
from referee.rules.claim import Claim, Coming, Standing
from referee.rules.record import parse_record
from referee.rules.restrictions import claim_bar
from referee.rules.ruleset import Pattern, load
from tests.bench.settle import DEALS, Deal, wild_record


def pattern(name: str, when: object) -> Pattern:
    return Pattern(name, "", "", 1, when)  # type: ignore[arg-type]


def a_claim() -> Claim:
    record = parse_record(
        {
            "rules": "hongkong",
            "players": [{}, {"hand": "123456m234789p5s"}, {}, {}],
            "wins": [{"seat": 1, "tile": "5s", "source": "wall"}],
        }
    )
    return Claim(record, load("hongkong"), record.wins[0])


def asking_of(claim: Claim, *patterns: Pattern) -> Asking:
    return Asking(Coming(claim.rules, claim.source), patterns, (), lambda case, tally: [])


def test_a_pattern_moves_to_the_level_it_looks_at() -> None:
    claim = a_claim()
    case = next(judge.readings(claim))
    asking = asking_of(
        claim,
        pattern("drawn", lambda c: c.self_drawn),
        pattern("robbed", lambda c: c.robbed),
        pattern("no kongs", lambda c: not c.kongs),
        pattern("runs", lambda c: len(c.chows)),
        pattern("single", lambda c: c.wait == "pair"),
        pattern("hidden", lambda c: len(c.chows) == 4 and c.wait == "pair"),
    )
    assert asking.always == ((0, 1, 1),)
    assert asking.counted(CLAIM, claim) == ((2, 1, 1),)
    assert asking.counted(READING, case.unplaced) == ((3, 4, 1),)
    assert asking.counted(STANDING, Standing(claim, case.win_group, case.reading.slot)) == ((4, 1, 1),)
    assert asking.counted(PLACE, case) == ((5, 1, 1),)
    assert asking.deepest == PLACE


def test_an_error_of_the_pattern_itself_is_not_hidden() -> None:
    claim = a_claim()
    case = next(judge.readings(claim))
    asking = asking_of(claim, pattern("wrong", lambda c: c.no_such_thing))
    assert asking.counted(CLAIM, claim) == asking.counted(READING, case.unplaced) == ()
    assert asking.counted(STANDING, Standing(claim, None, 0)) == ()
    with pytest.raises(AttributeError):
        asking.counted(PLACE, case)


def test_a_bar_that_does_not_concern_a_win_that_came_so_is_not_asked() -> None:
    claim = a_claim()
    bars = (claim_bar("robbed", "", lambda c: c.robbed), claim_bar("dealer", "", lambda c: c.is_dealer))
    asking = Asking(Coming(claim.rules, claim.source), (), bars, lambda case, tally: [])
    assert [bar.code for bar in asking.bars] == ["dealer"]


def test_what_is_kept_of_a_group_is_asked_again_once_more_is_asked_of_groups() -> None:
    """Fenghua's open bomb (sheet, group A): 22p 22p won on 2p. It is first found to look at the winning tile in a reading late
    in this hand, after the same pair had been asked about."""
    rules = replace(load("fenghua"))  # nothing learned yet
    players = [{}, {"hand": "7m423p7m237p7m6288p"}, {}, {}]
    wins = [{"seat": 1, "tile": "2p", "source": "wall"}]
    record = parse_record({"rules": "fenghua", "indicator": "7m", "players": players, "wins": wins})
    for played in (rules, replace(rules, alike=None)):
        verdict = judge.judge(record, replace(played), record.wins[0])
        assert verdict.tally is not None and verdict.tally.has("mingzha", "qidui_youda")
        assert verdict.tally.times("mingzha") == 1


@pytest.mark.parametrize("deal", DEALS, ids=lambda deal: f"{deal.rules}-{deal.wilds}")
def test_levels_change_no_tally(deal: Deal) -> None:
    rng = random.Random(f"levels {deal}")
    few = replace(deal, wilds=min(deal.wilds, 2))
    rules = load(deal.rules)
    seen = 0
    for _ in range(8):
        record = parse_record(wild_record(rng, few))
        claim = Claim(record, rules, record.wins[0])
        judging = judge._Judge(claim, judge._asking(rules, claim.source))
        for unplaced in judge._readings(claim):
            for place, score, _ in judging.outcomes(unplaced):
                assert score.tally == judge.count_patterns(unplaced.placed(place or next(unplaced.places()))), record
                seen += 1
    assert seen, "no reading among them"
