"""Narrowed and merged readings against all of them: hands of as many wild tiles as a rule set has.

A rule set may say which groups it cannot tell apart (``Ruleset.alike``) and which faces are worth trying for groups of wild
tiles alone (``WildRule.lone_faces``). Both only save time, so without them every settlement must be the same. Truth: the
readings enumerated in full.
"""

import random
from dataclasses import replace

import pytest

from referee.rules.judge import judge
from referee.rules.record import parse_record
from referee.rules.ruleset import Ruleset, load
from tests.bench.settle import DEALS, Deal, wild_record


def in_full(rules: Ruleset) -> Ruleset:
    """The rule set with nothing merged and every face tried."""
    assert rules.wild is not None
    return replace(rules, alike=None, wild=replace(rules.wild, lone_faces=None))


def agree(deal: Deal, hands: int) -> None:
    rng = random.Random(f"in full {deal}")
    rules = load(deal.rules)
    legal = 0
    for _ in range(hands):
        record = parse_record(wild_record(rng, deal))
        short, full = judge(record, rules, record.wins[0]), judge(record, in_full(rules), record.wins[0])
        assert short.legal == full.legal, record
        legal += full.legal
        if full.legal:
            won = [sum(p.amount for p in verdict.payments) for verdict in (short, full)]
            assert won[0] == pytest.approx(won[1]), record
    assert legal, "no winning hand among them"


THREE = [deal for deal in DEALS if deal.wilds <= 4]


@pytest.mark.parametrize("deal", THREE, ids=lambda deal: deal.rules)
def test_readings_left_out_change_nothing(deal: Deal) -> None:
    agree(replace(deal, wilds=2), 20)


@pytest.mark.slow
@pytest.mark.parametrize("deal", THREE, ids=lambda deal: deal.rules)
def test_readings_left_out_change_nothing_in_many_hands(deal: Deal) -> None:
    agree(deal, 100)
