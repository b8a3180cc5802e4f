"""廈門麻將 Xiamen: (base + water) x multiplier, always paid by all three. Sheet: docs/sheets/xiamen.md."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from referee.rules import patterns as p
from referee.rules import shapes
from referee.rules import tiles as t
from referee.rules.claim import Case, Claim, Held
from referee.rules.payments import everyone
from referee.rules.readings import PAIR, PUNG, SINGLE, Group, Reading, Seen
from referee.rules.record import Record
from referee.rules.restrictions import COMMON, claim_bar, no_wild_discard, reading_bar, self_draw_only, whole_hand_dealt
from referee.rules.ritual import (
    CLAIMS,
    WRONG_CLAIMS,
    WRONG_DRAWS,
    Break,
    Customs,
    DeadWall,
    Discards,
    FalseWin,
    Floats,
    Indicator,
    Ritual,
    effects,
    with_ritual,
)
from referee.rules.ruleset import TILES_144, Bool, Int, OneOf, Option, Pattern, Payment, Ruleset, Tally
from referee.rules.wilds import WildRule, same_tile

GOLD = WildRule(
    same_tile,
    white="always",
    lone_faces=lambda claim: (t.EAST,),  # only the water of a pung depends on the face, and an honour has most
    text="the indicator's three twins (gold, 金), any tile, concealed only; white is the indicator's tile",
)
RITUAL = Ritual(
    stacks=(20, 20, 20, 20),
    layout="inner_outer",
    opening=Break(two_throws=True, figure="second", of="second"),
    indicator=Indicator("tail", thrower="broken", when="after_bonus"),
    bonus_order="rounds",
    dead_wall=DeadWall(15),
    floats=Floats("straight", bars=CLAIMS | {"discard"}, bars_floater=CLAIMS | {"discard"}, always=True),
    discards=Discards(forced="follow"),
    false_win=FalseWin(deal="unchanged"),
    effects=effects(WRONG_CLAIMS + WRONG_DRAWS, false_win="penalty"),
    customs=Customs("middle", giver=False),
)


# --- shapes and water (chapter Scoring) ---------------------------------------------------------------------------


def loose_hand(claim: Claim, held: Held, name: str) -> Reading:
    """A win without a shape: declared sets, concealed natural triplets, every other tile by itself (decision 5)."""
    groups = list(claim.meld_groups)
    for kind, count in enumerate(held.naturals):
        triplet = count >= 3
        groups += [Group(PUNG, kind)] * triplet + [Group(SINGLE, kind)] * (count - 3 * triplet)
    return Reading((*groups, *(Group(SINGLE, tile, 1) for tile in claim.wild_tiles)), name)


def three_golds(claim: Claim, held: Held) -> Iterator[Reading]:
    """三金倒: right after the deal or on the last turn, never in mid-hand."""
    if claim.win.wild_win in ("three_dealt", "three_last") and claim.wild_count >= 3 and claim.self_drawn:
        yield loose_hand(claim, held, "three_golds")


def made(case: Case, index: int, group: Group) -> str:
    """How a pung or kong was made. The set a winning discard went into is open; a robbed tile is no discard."""
    if group.meld:
        return group.meld
    return "pung" if case.by_discard and index == case.reading.at else "closed"


def water(ways: tuple[str, ...], suit: int, honour: int) -> Callable[[Case], int]:
    """The water of all pungs or kongs made in these ways."""

    def count(case: Case) -> int:
        return sum(
            honour if group.tile >= t.EAST else suit
            for index, group in enumerate(case.groups)
            if group.is_pung and made(case, index, group) in ways
        )

    return count


def alike(group: Group, wild: frozenset[t.Tile]) -> Seen:
    """What this game sees of a set: pung or not, suit or honour; of the pair where its golds are."""
    return Seen((group.shape, group.is_pung and group.tile >= t.EAST, group.shape == PAIR and group.wilds))


def bonus_tiles(case: Case) -> int:
    """Bonus tiles laid out, and one that is the winning tile itself."""
    return len(case.player.bonus) + (case.win.tile in t.BONUS)


def series_complete(series: tuple[int, ...]) -> Callable[[Case], bool]:
    return lambda case: all(tile in case.player.bonus for tile in series)


# --- the multiplier ------------------------------------------------------------------------------------------------


def gold_float(case: Case, floats: int = 0) -> bool:
    """游金: five sets and a gold stood before the draw, the drawn tile pairs the gold; so many golds went before."""
    return p.is_standard(case) and p.lone_wild_paired(case) and case.win.floats >= floats


def heavenly(case: Case) -> bool:
    return p.is_standard(case) and case.dealt and case.is_dealer


def pay(case: Case, tally: Tally) -> list[Payment]:
    """(base + water) x multiplier from each, base 2 x 2^repeat between dealer and others (chapter Payments)."""
    factor = case.rules.option("base_factor")

    def share(payer: int) -> int:
        base = 2 * 2**case.record.repeat if case.dealer_between(payer) else 1
        return int((base * factor + tally.total("water")) * tally.factor())

    return everyone(case, share)


# --- restrictions --------------------------------------------------------------------------------------------------


def float_round(claim: Claim) -> bool:
    """No win on a discard while a discarded gold bars the table, the discarder's own round included (Play)."""
    by = claim.record.float_by
    if not claim.by_discard or by is None:
        return False
    return not claim.rules.option("float_round_discard_win") or by == claim.seat


def false_float(claim: Claim) -> bool:
    """Option false_float_forfeit: a gold was discarded and no gold float followed."""
    if not claim.rules.option("false_float_forfeit"):
        return False
    golds = sum(1 for tile in claim.player.discards or () if claim.is_wild(tile))
    floated = claim.self_drawn and claim.lone_wild()
    return golds > claim.win.floats or (claim.win.floats > 0 and not floated)


def not_as_float(case: Case, tally: Tally) -> bool:
    """A hand that stood as five sets and a gold is read as a gold float, whatever else it may be (decision 4)."""
    return p.is_standard(case) and case.self_drawn and not case.dealt and case.lone_wild() and not gold_float(case)


def too_low_for_three_golds(case: Case, tally: Tally) -> bool:
    return bool(case.rules.option("required_float")) and case.wild_count >= 3 and tally.factor() < 3


def too_many_floats(record: Record, rules: Ruleset) -> str | None:
    if any(win.floats > 2 for win in record.wins):
        return "wins.floats: 0, 1 or 2, since one of the three golds must stay in hand"
    return None


def claim_order(case: Case, tally: Tally) -> tuple[int, ...]:
    """Dealt hand, three golds, robbing the gold by a non-dealer, by the dealer; else the nearest (decision 8)."""
    after = case.win.source_seat
    if after is None:
        after = case.record.dealer
    near = (case.seat - after) % 4 or 4 * (case.source == "indicator")
    return (0 if heavenly(case) else 1 if case.win.wild_win == "three_dealt" else 2, near)


RESTRICTIONS = (
    *COMMON,
    no_wild_discard,
    whole_hand_dealt,
    self_draw_only("gold_float_wait", "five sets and a gold (游金) win by self-draw only"),
    claim_bar("float_round", "no win on a discard in the round after a gold was discarded", float_round),
    claim_bar("floating", "who has just discarded a gold wins by self-draw only", lambda c: c.by_discard and c.win.floats > 0),
    claim_bar(
        "gold_in_hand", "a player holding a gold may not win on a discard",
        lambda c: c.rules.option("gold_no_discard_win") and c.by_discard and c.wild_count > 0,
    ),
    claim_bar("false_float", "a gold was discarded and no float followed", false_float),
    reading_bar("not_as_float", "the hand is a gold float", not_as_float),
    reading_bar("required_float", "with three golds only a x3 or better way wins", too_low_for_three_golds),
)  # fmt: skip
WATER = (
    Pattern("hua_pai", "花牌", "bonus tile", 1, bonus_tiles),
    Pattern("jin_pai", "金牌", "gold in hand", 1, lambda c: c.wild_count),
    Pattern("ming_ke", "明刻", "open pung", 1, water(("pung",), 0, 1), note="suit 0, honour 1"),
    Pattern("an_ke", "暗刻", "closed pung", 1, water(("closed",), 1, 2), note="suit 1, honour 2"),
    Pattern("ming_gang", "明槓", "open kong", 1, water(("kong", "added_kong"), 2, 3), note="suit 2, honour 3"),
    Pattern("an_gang", "暗槓", "closed kong", 1, water(("concealed_kong",), 3, 4), note="suit 3, honour 4"),
    Pattern("si_ji", "四季", "four seasons", 4, series_complete(t.SEASONS), note="8 in all"),
    Pattern("si_hua", "四花", "four flowers", 4, series_complete(t.FLOWERS), note="8 in all"),
)
MULTIPLIERS = p.ladder(
    Pattern("ping_hu", "平胡", "common win", 1, lambda c: c.by_discard),
    Pattern("zi_mo", "自摸", "wall win", 2, lambda c: c.self_drawn),
    Pattern("qiang_gang", "搶槓", "robbing a kong", 2, lambda c: c.robbed),
    Pattern(
        "san_jin_dao", "三金倒", "three golds", lambda c: 4 if c.win.wild_win == "three_dealt" else 3,
        lambda c: c.shape == "three_golds", note="after the deal x4, on the last turn x3",
    ),
    Pattern("you_jin", "游金", "gold float", 4, gold_float, note="from the wall only"),
    Pattern("qiang_jin", "搶金", "robbing the gold", 4, lambda c: c.source == "indicator"),
    Pattern("tian_hu", "天胡", "heavenly win", 4, heavenly),
    Pattern("di_hu", "地胡", "earthly win", 4, p.earthly),
    Pattern("shuang_you", "双游", "double float", 8, lambda c: gold_float(c, 1)),
    Pattern("san_you", "三游", "triple float", 12, lambda c: gold_float(c, 2)),
)  # fmt: skip


OPTIONS = (
    Option("base_factor", Int(1), 1, "multiplies both bases; water is not multiplied"),
    Option("gold_no_discard_win", Bool(), False, "a player holding any gold may not win on a discard"),
    Option(
        "missed_win", Bool(), False, "a passed win, pung or kong may not be taken on that tile before the own turn",
        lambda r, on: with_ritual(r, claims={"missed_win": "tile", "missed_pung": True}) if on else r,
    ),
    Option("required_float", Bool(), False, "holding three golds, only a x3 or better way wins"),
    Option("false_float_forfeit", Bool(), False, "discarding a gold without a float win following forfeits the win"),
    Option(
        "float_round_discard_win", Bool(), False, "in the round after a gold discard the three others may win on discards",
        lambda r, on: with_ritual(r, floats={"bars": CLAIMS}) if on else r,
    ),
    Option(
        "earthly_win", Bool(), True, "false: a win on the dealer's first discard is x1",
        lambda r, on: r if on else r.with_patterns(di_hu=None),
    ),
    Option(
        "gold_choice", OneOf(("dice", "tail")), "dice", "tail: the dealer turns up the tail tile as gold",
        lambda r, how: r if how == "dice" else with_ritual(r, indicator=Indicator("replacement", when="after_bonus")),
    ),
)  # fmt: skip

RULES = Ruleset(
    id="xiamen",
    native="廈門麻將",
    english="Xiamen (Amoy)",
    region="Xiamen, Fujian",
    summary="Sixteen tiles; (base + water) x one multiplier from all three, also on a discard. A lone gold (游金) is the aim.",
    hand_size=16,
    tiles=TILES_144,
    bonus=frozenset(t.BONUS),
    wild=GOLD,
    ritual=RITUAL,
    rank=claim_order,
    alike=alike,
    shapes=(shapes.standard, three_golds),
    restrictions=RESTRICTIONS,
    checks=(too_many_floats,),
    patterns=(*p.in_unit("water", WATER), *p.in_unit("times", MULTIPLIERS)),
    pay=pay,
    payments_text="Each of the three pays (base + water) x multiplier; base 2 x 2^repeat between dealer and another, else 1.",
    options=OPTIONS,
)
