"""温州麻將 Wenzhou: three levels, soft, hard and double; money for wild tiles held. Sheet: docs/sheets/wenzhou.md."""

from __future__ import annotations

from collections.abc import Iterator

from referee.rules import patterns as p
from referee.rules import shapes
from referee.rules import tiles as t
from referee.rules.claim import Case, Claim, Held
from referee.rules.payments import everyone
from referee.rules.readings import CHOW, Group, Reading, Seen
from referee.rules.restrictions import COMMON, no_wild_discard, reading_bar, whole_hand_dealt
from referee.rules.ritual import Break, Customs, DeadWall, Discards, Indicator, Ritual, Succession, effects, with_ritual
from referee.rules.ruleset import Bool, Digits, Int, OneOf, Option, Pattern, Payment, Ruleset, Tally
from referee.rules.settle import Outcome
from referee.rules.wilds import WildRule, same_tile

DOUBLE = 4  # 雙翻, the highest level


def three_wilds(claim: Claim, held: Held) -> Iterator[Reading]:
    """三財神爛: three wild tiles win by themselves, on the holder's own tile (decision 2)."""
    if claim.win.wild_win and claim.wild_count == 3 and claim.self_drawn:
        yield Reading(claim.meld_groups, "three_wilds")


def eight_pairs(case: Case) -> bool:
    return case.shape == "eight_pairs"


def unchanged(case: Case) -> bool:
    """No wild, or every wild used as the indicator's own tile."""
    return case.shape != "three_wilds" and case.all_at_face


def hard(case: Case) -> bool:
    """硬牌; with hard_without_white a white used as the indicator's tile spoils it (decision 4)."""
    if not p.is_standard(case) or not unchanged(case):
        return False
    return not case.rules.option("hard_without_white") or not any(stands_in(case, group) for group in case.groups)


def stands_in(case: Case, group: Group) -> bool:
    """Whether a white stands in this group as the indicator's tile: in a run, or beside a wild tile."""
    if case.white_face == t.WHITE or case.white_face not in group.faces:
        return False
    natural = any(f == case.white_face and not group.wilds >> i & 1 for i, f in enumerate(group.faces))
    return natural and (group.shape == CHOW or group.wilds > 0)


def alike(group: Group, wild: frozenset[t.Tile]) -> Seen:
    """What this game sees of a set: run, pung or pair; of the hand whether a wild is changed, whether a white stands in."""
    natural = any(face in wild and not group.wilds >> slot & 1 for slot, face in enumerate(group.faces))
    stands_in = natural and (group.shape == CHOW or group.wilds > 0)
    return Seen(group.shape, (p.changed_wild(group, wild), "white stands in" if stands_in else ""))


def heavenly(case: Case) -> bool:
    return case.dealt and case.is_dealer and case.shape != "three_wilds"


def lone_wild_taking(case: Case, tally: Tally) -> bool:
    """Five sets and a wild wait for any tile and take none from others; eight pairs may (decision 1)."""
    return p.is_standard(case) and case.win.source in ("discard", "robbed_kong") and case.lone_wild()


def pay(case: Case, tally: Tally) -> list[Payment]:
    """The figure (1, or the dealer's by his run) x the level, from each (chapter Payments)."""
    scale = case.rules.option("dealer_scale")
    dealer = int(scale[min(case.record.repeat, 3)])
    return everyone(case, lambda payer: (dealer if case.dealer_between(payer) else 1) * tally.factor())


def wild_money(outcome: Outcome) -> list[Payment]:
    """財神銭: for each wild tile held at the end, won or drawn hand, from every other player."""
    wild = outcome.rules.wild_kinds(outcome.record)
    worth = outcome.rules.option("wild_bonus")
    payments = []
    for seat, player in enumerate(outcome.record.players):
        held = [tile for tile in player.hand or () if tile in wild]
        drawn = [
            v.win.tile for v in outcome.verdicts if v.win.seat == seat and v.win.source in ("wall", "kong", "deal")
        ]
        count = len(held) + sum(1 for tile in drawn if tile in wild)
        payments += [
            Payment(other, seat, count * worth, "wild tiles held") for other in range(4) if other != seat and count
        ]
    return payments


def claim_order(case: Case, tally: Tally) -> tuple[int, ...]:
    """Double hands go before others; then the nearest after the discarder."""
    after = case.record.dealer if case.win.source_seat is None else case.win.source_seat
    return (0 if tally.factor() == DOUBLE else 1, (case.seat - after) % 4)


LEVELS = p.ladder(
    Pattern("ruan_pai", "軟牌", "soft", 1, lambda c: True, note="a discard win with a changed wild"),
    Pattern("zi_mo", "自摸", "self-draw", 2, lambda c: c.self_drawn),
    Pattern("ying_pai", "硬牌", "hard, no changed wild", 2, hard),
    Pattern("qiang_gang", "搶槓", "robbed kong", 2, lambda c: c.robbed),
    Pattern("ruan_ba_dui", "軟八対", "soft eight pairs", 2, eight_pairs),
    Pattern("san_cai_luan", "三財神爛", "three wilds, no shape", 2, lambda c: c.shape == "three_wilds"),
    Pattern("ying_ba_dui", "硬八対", "hard eight pairs", DOUBLE, lambda c: eight_pairs(c) and unchanged(c)),
    Pattern("san_cai_shen", "三財神", "three wilds complete", DOUBLE, lambda c: c.wild_count == 3 and c.shape != "three_wilds"),
    Pattern("tian_hu", "天胡", "heavenly", DOUBLE, heavenly),
    Pattern("di_hu", "地胡", "earthly", DOUBLE, p.earthly),
    Pattern("dan_diao", "単吊", "naked single", DOUBLE, p.single_tile_left, note="five sets on the table"),
    Pattern(
        "dui_dui_hu", "対対胡", "all pungs", DOUBLE,
        lambda c: p.all_pungs(c) and bool(c.rules.option("all_pungs_double")), note="option all_pungs_double",
    ),
)  # fmt: skip

RULES = Ruleset(
    id="wenzhou",
    native="温州麻將",
    english="Wenzhou",
    region="Wenzhou city, Zhejiang",
    summary="Sixteen tiles; a win is soft x1, hard or self-drawn x2, or double x4, paid by all; wild tiles held are paid too.",
    hand_size=16,
    wild=WildRule(
        same_tile,
        white="always",
        lone_faces=p.wild_kinds,  # whether they are at face is all that matters
        text="the indicator's three twins (財神), any tile, concealed only; white is the indicator's tile",
    ),
    ritual=Ritual(
        stacks=(17,) * 4,
        layout="rows",
        opening=Break(two_throws=True, figure="both"),
        indicator=Indicator("right_end"),
        dead_wall=DeadWall(15, to_indicator=True),
        discards=Discards(wild="last_resort", forced="lone"),
        deal=Succession(drawn_repeat=False, most_wins=4, kong_passes=True),
        effects=effects(false_win="penalty"),
        customs=Customs("middle", giver=False),
    ),
    rank=claim_order,
    alike=alike,
    shapes=(shapes.standard, shapes.eight_pairs_and_one, three_wilds),
    restrictions=(
        *COMMON,
        no_wild_discard,
        whole_hand_dealt,
        reading_bar("wild_single_wait", "five sets and a wild win by self-draw only", lone_wild_taking),
    ),
    patterns=p.in_unit("times", LEVELS),
    pay=pay,
    outside=(wild_money,),
    payments_text="Each of the three pays figure x level: 1, between dealer and another the dealer scale by his wins in a row.",
    options=(
        Option("dealer_scale", Digits(4), "2468", "dealer figures for repeat 0-3, e.g. 2468 or 3579"),
        Option("wild_bonus", Int(), 1, "wild money for each wild tile, from each player"),
        Option("all_pungs_double", Bool(), False, "all-pungs hands are x4"),
        Option("hard_without_white", Bool(), False, "a white used as the indicator's tile makes a regular hand soft"),
        Option(
            "missed_pung", Bool(), False, "a passed pung may not be taken in the same go-round",
            lambda r, on: with_ritual(r, claims={"missed_pung": True}) if on else r,
        ),
        Option(
            "wall_layout", OneOf(("rows", "stacked")), "rows", "two rows along a ruler, or stacks on a machine table",
            lambda r, how: with_ritual(r, layout=how),
        ),
    ),
)  # fmt: skip
