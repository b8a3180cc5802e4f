"""Narrowed and merged readings against all of them: hands of as many wild tiles as a rule set has.

A rule set may say which groups it cannot tell apart (``Ruleset.alike``) and which faces are worth trying for groups of wild
tiles alone (``WildRule.lone_faces``). Both only save time, so without them every settlement must be the same. Truth: the
readings enumerated in full.
"""

import importlib
import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from referee.rules.judge import judge
from referee.rules.record import Record, RecordError, parse_record
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


def with_options(rules_id: str, count: int) -> Iterator[tuple[Record, Ruleset]]:
    """Random records of the oracle's writer, options and several winners included, with two or more wild tiles in the
    first winner's hand, where the rule set merges readings at all."""
    oracle, rng = importlib.import_module(f"tests.oracle.{rules_id}"), random.Random(f"merged {rules_id}")
    found = 0
    for _ in range(60 * count):
        try:
            record = parse_record(oracle.random_record(rng))
            rules = load(record.rules, record.options)
        except RecordError:
            continue
        if rules.alike is None or not record.wins:
            continue
        win, wild = record.wins[0], rules.wild_kinds(record)
        if sum(tile in wild for tile in (*(record.players[win.seat].hand or ()), win.tile)) < 2:
            continue
        yield record, rules
        found += 1
        if found == count:
            return


def agree_with_options(rules_id: str, count: int) -> None:
    compared = 0
    for record, rules in with_options(rules_id, count):
        for win in record.wins:
            merged, full = judge(record, rules, win), judge(record, in_full(rules), win)
            assert merged.legal == full.legal, record
            assert sorted(p[:3] for p in merged.payments) == sorted(p[:3] for p in full.payments), record
        compared += 1
    assert compared, "no hand with two wild tiles among the records"


MERGING = sorted({deal.rules for deal in DEALS if load(deal.rules).alike is not None})


@pytest.mark.parametrize("rules_id", MERGING)
def test_merged_readings_pay_alike_under_options(rules_id: str) -> None:
    agree_with_options(rules_id, 6)


@pytest.mark.slow
@pytest.mark.parametrize("rules_id", MERGING)
def test_merged_readings_pay_alike_under_options_in_many_hands(rules_id: str) -> None:
    agree_with_options(rules_id, 200)
