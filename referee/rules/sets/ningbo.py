"""寧波麻雀 Ningbo: tai added up, four to win, wild tiles by the indicator, mutual liability. Sheet: docs/sheets/ningbo.md."""

from __future__ import annotations

from referee.rules import patterns as p
from referee.rules import shapes
from referee.rules import tiles as t
from referee.rules.claim import Case
from referee.rules.payments import bound_by_three, everyone, giver, kong_feeder
from referee.rules.restrictions import COMMON, minimum, no_wild_discard, no_wild_pair_by_discard
from referee.rules.ritual import Break, Claims, Discards, Indicator, Ritual, Succession, effects, with_ritual
from referee.rules.ruleset import TILES_144, OneOf, Option, Pattern, Payment, Ruleset, Tally
from referee.rules.wilds import WildRule, same_tile_or_series

DICE_ROLES = Option(
    "dice_roles", OneOf(("break_large", "break_small")), "break_large",
    "which die counts the stacks left at the break; the other counts to the indicator",
    lambda r, how: r if how == "break_large" else with_ritual(
        r, opening=Break(figure="smaller"), indicator=Indicator("tail", "larger")
    ),
)  # fmt: skip


def pay(case: Case, tally: Tally) -> list[Payment]:
    """Self-draw S each; discard 2S, robbed kong 5S from the giver; a claimed kong's feeder 5S beside the others' S."""
    tai, feeder = tally.total("tai"), kong_feeder(case)
    if case.self_drawn:
        return everyone(case, lambda payer: 5 * tai if payer == feeder else tai)
    return giver(case, 5 * tai if case.robbed else 2 * tai)


def bao(case: Case, tally: Tally, payments: list[Payment]) -> list[Payment]:
    """Each partner pays 5S alone on a self-draw, 2S besides the discarder's 2S; nothing on a robbed kong."""
    bound, tai = bound_by_three(case), tally.total("tai")
    if not bound or case.robbed:
        return payments
    if case.by_discard:
        return [*payments, *(Payment(seat, case.seat, 2 * tai, "three claims") for seat in bound)]
    return [Payment(seat, case.seat, 5 * tai, "three claims") for seat in bound]


RULES = Ruleset(
    id="ningbo",
    native="寧波麻雀",
    english="Ningbo",
    region="Ningbo, Zhejiang",
    summary="Tai are added, never doubled; four tai to win. Three claimed sets bind taker and giver both ways.",
    tiles=TILES_144,
    bonus=frozenset(t.BONUS),
    wild=WildRule(
        same_tile_or_series, lone_faces=p.one_of_each_suit(2),
        text="the indicator's three twins, or the other three of its four flowers (百搭): any tile but a flower, concealed only",
    ),
    ritual=Ritual(
        opening=Break(figure="larger"), indicator=Indicator("tail", "smaller"),
        claims=Claims(kong_after_claim=frozenset()), discards=Discards(swap=False, swap_free_melds=4),
        deal=Succession(round_wind=True, rounds=4), effects=effects(false_win="penalty"),
    ),
    shapes=(shapes.standard,),
    alike=p.alike_but_wild_pairs,
    alike_waits=p.closed_or_open,
    restrictions=(*COMMON, no_wild_discard, no_wild_pair_by_discard, minimum("tai", 4)),
    patterns=p.in_unit("tai", (
        Pattern("zimo", "自摸", "self-draw", 1, lambda c: c.self_drawn or c.robbed, note="a robbed kong too"),
        Pattern("bianzhang", "辺張", "edge wait", 1, lambda c: c.wait == "edge", note="waits by the reading counted"),
        Pattern("kanzhang", "嵌張", "gap wait", 1, lambda c: c.wait == "gap"),
        Pattern("dandiao", "単吊", "pair wait", 1, lambda c: c.wait == "pair"),
        Pattern("duidao", "対倒", "two-pair wait", 1, lambda c: c.wait == "pung"),
        Pattern("sanyuan", "三元牌", "dragon pung", 1, p.dragon_pungs, note="each"),
        Pattern("menfeng", "自分の風", "seat wind pung", 1, lambda c: p.has_pung(c, c.seat_wind)),
        Pattern("quanfeng", "場の風", "round wind pung", 1, lambda c: p.has_pung(c, c.round_wind)),
        Pattern("weihua", "位花", "own-seat flower", 1, p.own_flowers_alone, note="each; not of a complete four"),
        Pattern("pinghu", "平胡", "all runs", 1, p.plain_runs, note="pair without worth"),
        Pattern("dadiao", "大吊", "big hang", 1, p.single_tile_left, note="one tile in hand"),
        Pattern("gangkai", "槓上開花", "kong bloom", 1, lambda c: c.source == "kong"),
        Pattern("haidi", "海底撈月", "last tile", 1, lambda c: c.win.last_tile and c.self_drawn),
        Pattern("yinghu", "硬胡", "hard win", 1, lambda c: c.all_at_face, note="no wild, or all as the tiles they are"),
        Pattern("duiduihu", "対対胡", "all pungs", 2, p.all_pungs),
        Pattern("hunyise", "混一色", "half flush", 2, p.one_suit_and_honours),
        Pattern("sihua", "四花", "four flowers", 2, p.full_series, note="each four"),
        Pattern("sanda", "三搭", "three wilds", 3, lambda c: c.wild_count == 3, minimum=False, note="not for the minimum"),
        Pattern("qingyise", "清一色", "full flush", 4, p.one_suit),
        Pattern("ziyise", "字一色", "all honours", 4, p.honours_only),
        Pattern("bahua", "八花", "eight flowers", 6, lambda c: p.full_series(c) == 2, excludes=("sihua", "weihua")),
        Pattern("dihu", "地胡", "earthly win", 6, p.earthly),
        Pattern(
            "tianhu", "天胡", "heavenly win", 8, p.heavenly, excludes=("bianzhang", "kanzhang", "dandiao", "duidao"),
            note="no tile is the last one",
        ),
    )),
    unit="tai",
    pay=pay,
    liability=(bao,),
    payments_text="S = sum of tai. Self-draw: each S. Discard: the discarder 2S. Robbed kong: the robbed player 5S. Replacement "
    "of a claimed kong: its feeder 5S, the others S.",
    options=(DICE_ROLES,),
)  # fmt: skip
