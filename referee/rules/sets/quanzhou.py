"""泉州麻將 Quanzhou: Xiamen's game with lower floats and a slower dealer. Sheet: docs/sheets/quanzhou.md."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.rules import patterns as p
from referee.rules import shapes
from referee.rules.claim import Case, Claim, Held
from referee.rules.payments import everyone
from referee.rules.readings import Reading
from referee.rules.record import Record
from referee.rules.restrictions import claim_bar
from referee.rules.ritual import with_ritual
from referee.rules.ruleset import Bool, OneOf, Option, Pattern, Payment, Ruleset, Tally
from referee.rules.sets import xiamen
from referee.rules.sets.xiamen import bonus_tiles, loose_hand, water


def eight_bonus_tiles(claim: Claim, held: Held) -> Iterator[Reading]:
    """八花: all eight bonus tiles win at once, whatever the hand; the last of them may be given as the winning tile."""
    if shapes.all_bonus_shown(claim):
        yield loose_hand(claim, held, "eight_bonus_tiles")


def gold_float(case: Case, floats: int = 0) -> bool:
    """游金; of a dealt hand any tile may be the last, so it is one where a gold stands in the pair (decision 2)."""
    if case.dealt and floats == 0:
        return case.pair is not None and case.pair.wilds > 0
    return xiamen.gold_float(case, floats)


def dealer_base(record: Record) -> int:
    return 2 if record.dealer_base is None else record.dealer_base


def pay(case: Case, tally: Tally) -> list[Payment]:
    """(base + water) x multiplier from each; the dealer's base is 2 + repeat, or what it has grown to."""
    factor = case.rules.option("base_factor")
    grown = case.rules.option("base_step") == "multiplier"
    dealer = dealer_base(case.record) if grown else 2 + case.record.repeat

    def share(payer: int) -> int:
        base = dealer if case.dealer_between(payer) else 1
        return int((base * factor + tally.total("water")) * tally.factor())

    return everyone(case, share)


def base_unknown(record: Record, rules: Ruleset) -> str | None:
    if rules.option("base_step") == "multiplier" and record.dealer_base is None and record.repeat > 0:
        return "dealer_base: required with base_step multiplier after the dealer's first hand"
    return None


WATER = (
    Pattern("hua_pai", "花牌", "bonus tile", 1, bonus_tiles),
    Pattern("jin_pai", "金牌", "gold in hand", 1, lambda c: c.wild_count),
    Pattern("ming_ke", "明刻", "open pung", 1, water(("pung",), 0, 1), note="suit 0, honour 1"),
    Pattern("an_ke", "暗刻", "closed pung", 1, water(("closed",), 1, 2), note="suit 1, honour 2"),
    Pattern("jia_gang", "加槓", "added kong", 1, water(("added_kong",), 1, 2), note="suit 1, honour 2"),
    Pattern("ming_gang", "明槓", "claimed kong", 1, water(("kong",), 2, 3), note="suit 2, honour 3"),
    Pattern("an_gang", "暗槓", "closed kong", 1, water(("concealed_kong",), 3, 4), note="suit 3, honour 4"),
)
MULTIPLIERS = p.ladder(
    Pattern("ping_hu", "平胡", "common win", 1, lambda c: c.by_discard),
    Pattern("zi_mo", "自摸", "wall win", 2, lambda c: c.self_drawn, note="complete as dealt too"),
    Pattern("qiang_gang", "搶槓", "robbing a kong", 2, lambda c: c.robbed),
    Pattern("you_jin", "游金", "gold float", 3, gold_float, note="from the wall only"),
    Pattern("san_jin_dao", "三金倒", "three golds", 3, lambda c: c.shape == "three_golds"),
    Pattern("ba_hua", "八花", "eight bonus tiles", 3, lambda c: c.shape == "eight_bonus_tiles", note="ends the hand"),
    Pattern("shuang_you", "双游", "double float", 6, lambda c: gold_float(c, 1)),
    Pattern("san_you", "三游", "triple float", 9, lambda c: gold_float(c, 2)),
)

RULES = replace(
    xiamen.RULES,
    id="quanzhou",
    native="泉州麻將",
    english="Quanzhou",
    region="Quanzhou, Fujian",
    summary="Xiamen's game: (base + water) x multiplier with floats x3, x6, x9 and a dealer's base that grows by one a hand.",
    shapes=(shapes.standard, xiamen.three_golds, eight_bonus_tiles),
    restrictions=(
        *xiamen.RESTRICTIONS,
        claim_bar("no_robbing_the_gold", "robbing the gold is not played", lambda c: c.source == "indicator"),
    ),
    checks=(*xiamen.RULES.checks, base_unknown),
    patterns=(*p.in_unit("water", WATER), *p.in_unit("times", MULTIPLIERS)),
    pay=pay,
    payments_text="Each of the three pays (base + water) x multiplier; base 2 + repeat between dealer and another, else 1.",
    options=(
        *(option for option in xiamen.OPTIONS if option.name != "earthly_win"),
        Option(
            "base_step", OneOf(("one", "multiplier")), "one",
            "multiplier: a dealer's win raises his base by its multiplier (record: dealer_base)",
            lambda r, step: with_ritual(r, deal={"base_grows": step == "multiplier"}),
        ),
        Option(
            "open_pung_as_closed", Bool(), False, "an open pung has a closed pung's water",
            lambda r, on: r.with_patterns(ming_ke={"when": water(("pung",), 1, 2)}) if on else r,
        ),
    ),
)  # fmt: skip
