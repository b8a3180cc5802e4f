"""上海 老式 Old style Shanghai: fu x 2^tai from all three, and the losers settle their differences. Sheet:
docs/sheets/shanghai_laoshi.md."""

from __future__ import annotations

from dataclasses import replace

from referee.rules import fu, shapes
from referee.rules import patterns as p
from referee.rules import tiles as t
from referee.rules.claim import Case
from referee.rules.fu import Item
from referee.rules.payments import everyone
from referee.rules.restrictions import COMMON
from referee.rules.ritual import Succession
from referee.rules.ruleset import OneOf, Option, Pattern, Payment, Ruleset, Tally, pay_nothing, tile_set
from referee.rules.sets.shanghai_liuxing import SHANGHAI
from referee.rules.settle import Outcome

EVERYBODY = (
    *fu.SEASON_ITEMS,
    Item("duizi", "対子", "valued pair", 4, fu.valued_pairs, loser_worth=2, note="dragons, own wind; others 2 each"),
    *fu.PUNG_ITEMS,
    fu.DRAGONS,
    fu.own_wind("zifeng", "自分の風"),
    fu.four_seasons("sizhihua", "四只花"),
)


def flat_hand(case: Case) -> bool:
    """平和: four chows, a pair neither of dragons nor of the own wind, a two-sided wait (a dealt hand has any)."""
    pair = case.pair
    plain = pair is not None and pair.tile not in (*t.DRAGONS, case.seat_wind)
    return p.all_chows(case) and plain and case.wait in ("open", "")


def pay(case: Case, tally: Tally) -> list[Payment]:
    """Each of the three pays the points, twice where he or the winner is the dealer."""
    points = tally.total("fu") * 2 ** tally.total("tai")
    return everyone(case, lambda payer: 2 * points if case.dealer_between(payer) else points)


def between_losers(outcome: Outcome) -> list[Payment]:
    """The lower pays the higher the difference, twice where one of the two is the dealer."""
    record = outcome.record
    return fu.side_payments(
        outcome,
        lambda seat: fu.points(EVERYBODY, fu.of_loser(record, outcome.rules, seat)),
        lambda a, b, difference: 2 * difference if record.dealer in (a, b) else difference,
    )


RULES = Ruleset(
    id="shanghai_laoshi",
    native="上海 老式",
    english="Shanghai, old style",
    region="Shanghai, until the 1950s",
    summary="Fu x 2^tai, no limit. All three pay the winner, discard or not, and one another the differences; the dealer's "
    "payments are doubled.",
    tiles=tile_set(bonus=t.SEASONS),
    bonus=frozenset(t.SEASONS),
    ritual=replace(SHANGHAI, stacks=(18, 18, 17, 17), deal=Succession(drawn="right")),
    shapes=(shapes.standard,),
    restrictions=COMMON,
    patterns=(
        Pattern("di", "底", "base", lambda c: c.rules.option("base_fu"), lambda c: 1, "fu"),
        *fu.patterns(*EVERYBODY),
        Pattern("bian_kan_diao", "辺・嵌・単釣", "edge, closed or single wait", 2, p.closed_wait, "fu"),
        Pattern("zimo", "自摸", "self-draw", 2, lambda c: c.self_drawn, "fu"),
        *p.in_unit("tai", (
            Pattern("pinghu", "平和", "flat hand", 1, flat_hand, note="two-sided wait; claims allowed"),
            Pattern("duiduihu", "対対和", "all pungs", 1, p.all_pungs),
            Pattern("hunyise", "混一色", "half flush", 1, p.half_flush, note="honours alone too"),
            Pattern("qingyise", "清一色", "full flush", 3, p.one_suit, excludes=("hunyise",)),
            Pattern("gangtou_kaihua", "槓頭開花", "win on replacement", 1, p.on_replacement, note="of a kong or a season"),
            Pattern("qianggang", "搶槓", "robbing a kong", 1, lambda c: c.robbed),
        )),
    ),
    unit="points",
    pay=pay,
    outside=(between_losers,),
    false_win=pay_nothing,
    payments_text="Points = fu x 2^tai from each of the three, twice between dealer and others, whoever discarded. Between the "
    "losers the lower pays the higher the difference, twice with the dealer.",
    options=(Option("base_fu", OneOf((0, 10, 20)), 10, "fu that every win carries"),),
)  # fmt: skip
