"""陝西 Shaanxi: no patterns at all, a stake declared on seeing the hand decides the price. Sheet: docs/sheets/shaanxi.md."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from referee.rules import shapes
from referee.rules.claim import Case
from referee.rules.payments import everyone, kong_money
from referee.rules.record import Meld, Record
from referee.rules.restrictions import COMMON
from referee.rules.ritual import Break, Customs, DeadWall, Ritual, effects, with_ritual
from referee.rules.ruleset import Bool, Option, Pattern, Payment, Ruleset, Shape, Tally

MOST_STAKE = 4
KONG_PRICES = {"concealed_kong": 2, "added_kong": 1, "kong": 2}


def pay(case: Case, tally: Tally) -> list[Payment]:
    """All three pay (1, with the dealer 2, + both stakes) x 2 unless won on a discard (chapter Payments)."""
    return everyone(
        case,
        lambda payer: (
            ((2 if case.dealer_between(payer) else 1) + case.player.stake + case.record.players[payer].stake)
            * tally.factor()
        ),
    )


def kong_price(kong: Meld) -> int:
    """A claimed kong is paid by its discarder alone, the others by everybody."""
    return KONG_PRICES[kong.kind]


def stakes(record: Record, rules: Ruleset) -> str | None:
    """A stake outside 0 to 4 is an error in the record (decision 4)."""
    for seat, player in enumerate(record.players):
        if player.stake > MOST_STAKE:
            return f"players[{seat}].stake: 0 to {MOST_STAKE} may be staked, not {player.stake}"
    return None


def also(shape: Shape) -> Callable[[Ruleset, Any], Ruleset]:
    """An option that lets another shape win, without value of its own."""
    return lambda rules, on: replace(rules, shapes=(*rules.shapes, shape)) if on else rules


RULES = Ruleset(
    id="shaanxi",
    native="陝西麻將",
    english="Shaanxi",
    region="Shaanxi",
    summary="Four sets and a pair and nothing else; stakes (炮子) of 0 to 4 decide what a win is worth.",
    ritual=Ritual(
        stacks=(17,) * 4, opening=Break(two_throws=True, figure="both"), replacement="by_kong", stakes="hand",
        dead_wall=DeadWall(by_kongs=(26, 14, 16, 26)), effects=effects(false_win="penalty"),
        customs=Customs("middle", giver=False),
    ),
    shapes=(shapes.standard,),
    restrictions=COMMON,
    checks=(stakes,),
    patterns=(
        Pattern("fangpao", "振込", "discard win", 1, lambda c: c.by_discard, "times"),
        Pattern("zimo", "自摸", "self-draw", 2, lambda c: c.self_drawn and c.source != "kong", "times"),
        Pattern("gangkai", "槓開", "kong bloom", 2, lambda c: c.source == "kong", "times", note="as a self-draw, any chain"),
        Pattern("qianggang", "搶槓", "robbing a kong", 2, lambda c: c.robbed, "times", note="as a self-draw"),
    ),
    pay=pay,
    outside=(lambda outcome: kong_money(outcome.record, kong_price),),
    payments_text="All three pay (1, or 2 where payer or winner is the dealer, + both stakes), x2 unless won on a discard. Kongs "
    "at once: closed 2 and added 1 from each, claimed 2 from its discarder.",
    options=(
        Option("seven_pairs", Bool(), False, "seven pairs win too, without extra value", also(shapes.seven_pairs)),
        Option("thirteen_orphans", Bool(), False, "thirteen orphans win too, without extra value", also(shapes.thirteen_orphans)),
        Option(
            "missed_win", Bool(), False, "漏胡: a passed winning tile cannot be won on before the own turn",
            lambda r, on: with_ritual(r, claims={"missed_win": "tile", "missed_skip": False}) if on else r,
        ),
    ),
)  # fmt: skip
