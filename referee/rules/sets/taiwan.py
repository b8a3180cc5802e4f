"""台灣十六張 Taiwanese sixteen-tile mahjong: tai add up, base and unit turn them into money. Sheet: docs/sheets/taiwan.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from referee.rules import patterns as p
from referee.rules import shapes
from referee.rules import tiles as t
from referee.rules.claim import Case, Claim, Held
from referee.rules.judge import readings
from referee.rules.payments import everyone, giver
from referee.rules.readings import Reading
from referee.rules.restrictions import COMMON, claim_bar
from referee.rules.ritual import Break, DeadWall, FalseWin, Ritual, Succession, effects, with_ritual
from referee.rules.ruleset import (
    TILES_136,
    TILES_144,
    Bool,
    Int,
    OneOf,
    Option,
    Pattern,
    Payment,
    Ruleset,
    Tally,
    Worths,
)
from referee.rules.tiles import Tile

SINGLE_SHAPES = ("edge", "gap", "pair")
FIRST_TURN = frozenset({"first_discard", "any_discard", "first_draw"})
DEAD_WALLS = {"fixed": DeadWall(16), "per_kong": DeadWall(16, open_kong=1, concealed_kong=1), "none": DeadWall()}
UNNAMED = ("buqiu", "zhuangjia")  # patterns whose value the option ``tai`` does not change
OFF_AT_ZERO = ("banqiuren", "renhu", "si_gangzi")


# --- shapes ------------------------------------------------------------------------------------------------------


def eight_immortals(claim: Claim, held: Held) -> Iterator[Reading]:
    """八仙過海: all eight bonus tiles, the last one as winning tile or laid out too."""
    if claim.win.flower_win == "eight" and len(claim.player.bonus) + (claim.win.tile is not None) == 8:
        yield Reading((), "ba_xian")


def seven_rob_one(claim: Claim, held: Held) -> Iterator[Reading]:
    """七搶一: seven bonus tiles, the eighth drawn by another; by option also when it already lies before another."""
    win, count = claim.win, len(claim.player.bonus)
    if win.flower_win != "seven_rob" or win.source_seat is None or win.tile not in t.BONUS:
        return
    exposed = bool(claim.rules.option("seven_rob_exposed")) and win.source in ("wall", "flower")
    if (
        win.source == "discard"
        and count == 7
        or exposed
        and count == 6
        and len(claim.record.players[win.source_seat].bonus) == 1
    ):
        yield Reading((), "qi_qiang_yi")


def sets(case: Case) -> bool:
    """Shape 1: five sets and a pair."""
    return case.shape == "standard"


def ligu(case: Case) -> bool:
    """Shape 2, 嚦咕嚦咕: seven pairs and a pung."""
    return case.shape == "seven_pairs_and_pung"


def hand(case: Case) -> bool:
    """A hand with a shape, as against bonus tiles alone."""
    return sets(case) or ligu(case)


# --- seats, first turn, ready ------------------------------------------------------------------------------------


def seat_wind(case: Case) -> Tile:
    """The dealer is East, or with east_seat the seat that the deal dice pointed at."""
    east = case.rules.option("east_seat")
    return t.WINDS[(case.seat - (case.record.dealer if east is None else east)) % 4]


def heavenly(case: Case) -> bool:
    drawn = case.dealt or (case.win.first_turn and case.source in ("wall", "flower"))
    return hand(case) and case.is_dealer and drawn


def earthly(case: Case) -> bool:
    """地胡: on the dealer's first discard, or on the first own draw (option earthly_win)."""
    if not hand(case) or case.is_dealer or not case.win.first_turn:
        return False
    how = case.rules.option("earthly_win")
    if case.by_discard:
        return case.win.source_seat == case.record.dealer and how != "first_draw"
    return case.source in ("wall", "flower") and how != "first_discard"


def human(case: Case) -> bool:
    """人胡: on a discard before the own first draw that is no earthly win."""
    return hand(case) and not case.is_dealer and case.win.first_turn and case.by_discard and not earthly(case)


def declared(*ready: str) -> Callable[[Case], bool]:
    """Declared ready so, with declared_ready."""
    return lambda case: hand(case) and bool(case.rules.option("declared_ready")) and case.player.ready in ready


ready_at_once = declared("first", "dealt")


def concealed(case: Case) -> bool:
    """Nothing claimed; of 嚦咕嚦咕 only with ligu_concealed."""
    return case.is_concealed and (sets(case) or (ligu(case) and bool(case.rules.option("ligu_concealed"))))


def concealed_self_draw(case: Case) -> bool:
    """門清自摸, in place of 門清 and 自摸; ready at once it counts 自摸 1 and 不求 1 instead (decision 8)."""
    return concealed(case) and case.self_drawn and not ready_at_once(case)


# --- waits -------------------------------------------------------------------------------------------------------


def wait_shapes(claim: Claim) -> dict[Tile, set[str]]:
    """Every kind that would complete the tiles held before the win, and how it can stand in a reading."""
    if "wait_shapes" not in claim.memo:
        found: dict[Tile, set[str]] = {}
        for kind in t.PLAYING:
            for case in readings(claim.with_tile(kind)):
                found.setdefault(kind, set()).add(case.wait)
        claim.memo["wait_shapes"] = found
    return dict(claim.memo["wait_shapes"])


def possible_waits(claim: Claim) -> list[Tile]:
    """Those of which the winner does not hold all four himself, melds included."""
    own = Counter(claim.player.hand or ()) + Counter(tile for m in claim.player.melds for tile in m.tiles)
    return [kind for kind in wait_shapes(claim) if own[kind] < 4]


def single_wait(case: Case) -> bool:
    """獨聽: one tile only completes the hand and fills an edge, a gap or the pair (decision 4, option single_wait)."""
    if not hand(case) or not case.wait:
        return False
    how = case.rules.option("single_wait")
    if how != "any_shape" and case.wait not in SINGLE_SHAPES:
        return False
    return len(wait_shapes(case) if how == "formal" else possible_waits(case)) == 1


def all_chows(case: Case) -> bool:
    """平胡: chows without honours or bonus tiles, on a discard, every wait two-sided (decision 5, option all_chows_wait)."""
    if not p.all_chows(case) or 3 in case.suits or case.player.bonus:
        return False
    if case.dealt or (case.self_drawn and not case.rules.option("all_chows_self_draw")):
        return False
    how = case.rules.option("all_chows_wait")
    if how == "not_single":
        return len(possible_waits(case)) > 1
    if case.wait != "open" or how == "any":
        return case.wait == "open"
    shapes_of = [wait_shapes(case)[kind] for kind in possible_waits(case)]
    return all(ways == {"open"} if how == "strict" else "open" in ways for ways in shapes_of)


# --- what a reading holds ----------------------------------------------------------------------------------------


def valued(case: Case) -> bool:
    """Pungs of dragons and winds count: in five sets, of 嚦咕嚦咕 only with ligu_pung_values."""
    return sets(case) or (ligu(case) and bool(case.rules.option("ligu_pung_values")))


def concealed_pungs(count: int) -> Callable[[Case], bool]:
    return lambda case: sets(case) and len(case.concealed_pungs) == count


def all_claimed(case: Case) -> bool:
    return sets(case) and len(case.open_sets) == 5


def own_bonus(case: Case) -> int:
    """正花: number of the seat wind; of a complete series only with flower_kong_keeps_own."""
    if not hand(case):
        return 0
    number = t.WINDS.index(seat_wind(case)) + 1
    own = sum(1 for tile in case.player.bonus if t.rank(tile) == number)
    return own if case.rules.option("flower_kong_keeps_own") else own - p.full_series(case)


def kong_replacement(case: Case) -> bool:
    bloom = case.source == "flower" and bool(case.rules.option("flower_bloom"))
    return hand(case) and (case.source == "kong" or bloom)


def flower_at_deal(case: Case) -> bool:
    return not hand(case) and case.win.first_turn and bool(case.rules.option("flower_at_deal"))


def self_drawn(case: Case) -> bool:
    """自摸; eight bonus tiles only with eight_self_draw."""
    eight = case.shape == "ba_xian" and bool(case.rules.option("eight_self_draw"))
    return eight or (hand(case) and case.self_drawn)


def streak(case: Case) -> int:
    return 1 + 2 * case.record.repeat


# --- payments ----------------------------------------------------------------------------------------------------


def pay(case: Case, tally: Tally) -> list[Payment]:
    """base + unit x (tai + 1 + 2 x repeat where the winner or this payer is the dealer) (chapter Payments)."""
    base, unit = case.rules.option("base"), case.rules.option("unit")

    def amount(payer: int) -> int:
        dealer = streak(case) if payer == case.record.dealer else 0
        return int(base + unit * (tally.total("tai") + dealer))

    alone = case.shape == "qi_qiang_yi" or (hand(case) and not case.self_drawn)
    if alone and case.win.source_seat is not None:
        return giver(case, amount(case.win.source_seat))
    return everyone(case, amount)


def from_the_dead_wall(claim: Claim) -> bool:
    """The record has fewer tiles left than are never drawn (option dead_wall)."""
    how = claim.rules.option("dead_wall")
    if claim.record.wall_left is None or how == "none":
        return False
    kongs = sum(1 for player in claim.record.players for meld in player.melds if meld.is_kong)
    return claim.record.wall_left < 16 + (kongs if how == "per_kong" else 0)


# --- options -----------------------------------------------------------------------------------------------------


def with_values(rules: Ruleset, values: dict[str, int]) -> Ruleset:
    """Other values for patterns; those that are off at 0 are taken out there."""
    changes: dict[str, Any] = {name: {"worth": worth} for name, worth in values.items()}
    changes |= {name: None for name in OFF_AT_ZERO if not values.get(name)}
    return rules.with_patterns(**changes)


def not_inside(greater: str, *lesser: str) -> Callable[[Ruleset, Any], Ruleset]:
    """An option under which the lesser patterns count beside the greater one."""

    def apply(rules: Ruleset, on: bool) -> Ruleset:
        excludes = tuple(name for name in rules.pattern(greater).excludes if name not in lesser)
        return rules.with_patterns(**{greater: {"excludes": excludes}}) if on else rules

    return apply


def without_bonus_tiles(rules: Ruleset, played: bool) -> Ruleset:
    return rules if played else with_ritual(replace(rules, tiles=TILES_136, bonus=frozenset()), stacks=(17,) * 4)


def with_all_claimed_single(rules: Ruleset, counts: bool) -> Ruleset:
    if counts:
        return rules
    claimed = {name: {"excludes": ("duting",)} for name in ("quanqiuren", "banqiuren")}
    return rules.with_patterns(**claimed)


CONCEALED = ("menqing", "zimo", "menqing_zimo", "buqiu")
WINDS = ("quanfeng", "menfeng")
PATTERNS = (
    Pattern("menqing", "門清", "concealed", 1, lambda c: concealed(c) and not c.self_drawn, note="discard or robbed kong"),
    Pattern("zimo", "自摸", "self-draw", 1, self_drawn),
    Pattern("menqing_zimo", "門清自摸", "concealed self-draw", 3, concealed_self_draw, excludes=("zimo",)),
    Pattern("sanyuan", "三元牌", "dragon pung", 1, lambda c: p.dragon_pungs(c) if valued(c) else 0, note="each"),
    Pattern("quanfeng", "圈風", "round wind", 1, lambda c: valued(c) and p.has_pung(c, c.round_wind)),
    Pattern("menfeng", "門風", "seat wind", 1, lambda c: valued(c) and p.has_pung(c, seat_wind(c))),
    Pattern("zhenghua", "正花", "own bonus tile", 1, own_bonus, note="each"),
    Pattern("huagang", "花槓", "four of a series", 2, lambda c: p.full_series(c) if hand(c) else 0, note="for its zhenghua"),
    Pattern("qianggang", "搶槓", "robbing a kong", 1, lambda c: c.robbed),
    Pattern("gangshang", "槓上開花", "kong replacement", 1, kong_replacement),
    Pattern("haidi", "海底撈月", "last tile", 1, lambda c: hand(c) and c.win.last_tile and c.self_drawn),
    Pattern("hedi", "河底撈魚", "last discard", 1, lambda c: hand(c) and c.win.last_tile and c.by_discard),
    Pattern("duting", "獨聽", "single wait", 1, single_wait),
    Pattern("pinghu", "平胡", "all chows", 2, all_chows, excludes=("duting",)),
    Pattern("quanqiuren", "全求人", "all claimed", 2, lambda c: all_claimed(c) and not c.self_drawn),
    Pattern("banqiuren", "半求人", "all claimed, self-draw", 0, lambda c: all_claimed(c) and c.self_drawn, note="off at 0"),
    Pattern("san_anke", "三暗刻", "three concealed pungs", 2, concealed_pungs(3)),
    Pattern("si_anke", "四暗刻", "four concealed pungs", 5, concealed_pungs(4)),
    Pattern("wu_anke", "五暗刻", "five concealed pungs", 8, concealed_pungs(5)),
    Pattern("pengpenghu", "碰碰胡", "all pungs", 4, p.all_pungs),
    Pattern("hunyise", "混一色", "half flush", 4, lambda c: hand(c) and p.one_suit_and_honours(c)),
    Pattern("qingyise", "清一色", "full flush", 8, lambda c: hand(c) and p.one_suit(c)),
    Pattern("xiao_sanyuan", "小三元", "little dragons", 4, p.little_dragons, excludes=("sanyuan",)),
    Pattern("da_sanyuan", "大三元", "big dragons", 8, p.big_dragons, excludes=("sanyuan",)),
    Pattern("xiao_sixi", "小四喜", "little winds", 8, p.little_winds),
    Pattern("da_sixi", "大四喜", "big winds", 16, p.big_winds, excludes=WINDS),
    Pattern(
        "ziyise", "字一色", "all honours", 16, lambda c: hand(c) and p.honours_only(c),
        excludes=("pengpenghu", "sanyuan", *WINDS),
    ),
    Pattern("ligu", "嚦咕嚦咕", "seven pairs and a pung", 8, ligu),
    Pattern("qi_qiang_yi", "七搶一", "seven rob one", 8, lambda c: c.shape == "qi_qiang_yi"),
    Pattern("ba_xian", "八仙過海", "eight immortals", 8, lambda c: c.shape == "ba_xian"),
    Pattern("dihu", "地胡", "earthly win", 16, earthly, excludes=CONCEALED),
    Pattern("tianhu", "天胡", "heavenly win", 24, heavenly, excludes=(*CONCEALED, "duting", "gangshang")),
    Pattern("renhu", "人胡", "human win", 0, human, excludes=("menqing",), note="off at 0"),
    Pattern("tingpai", "宣告聽牌", "declared ready", 1, declared("ready"), note="option declared_ready"),
    Pattern(
        "diting", "地聽", "ready on the first discard", 4, declared("first"), excludes=("menqing",),
        note="option declared_ready",
    ),
    Pattern(
        "tianting", "天聽", "ready as dealt", 4, declared("dealt"), excludes=("menqing",), note="option declared_ready",
    ),
    Pattern(
        "buqiu", "不求", "concealed self-draw, ready at once", 1,
        lambda c: ready_at_once(c) and c.is_concealed and c.self_drawn, note="beside diting, tianting and zimo",
    ),
    Pattern("peipai_huahu", "配牌花胡", "flower win at the deal", 4, flower_at_deal, note="option flower_at_deal"),
    Pattern("si_gangzi", "四槓子", "four kongs", 0, lambda c: hand(c) and len(c.kongs) >= 4, note="off at 0"),
    Pattern(
        "zhuangjia", "莊家, 連莊拉莊", "dealer, streak", streak, lambda c: c.is_dealer,
        note="1 + 2 x repeat; another's win: on the dealer's payment only",
    ),
)  # fmt: skip


RULES = Ruleset(
    id="taiwan",
    native="台灣十六張",
    english="Taiwan",
    region="Taiwan",
    summary="Sixteen tiles; tai (台) add up without cap or minimum, a discard costs the discarder alone.",
    hand_size=16,
    tiles=TILES_144,
    bonus=frozenset(t.BONUS),
    unit="tai",
    ritual=Ritual(
        opening=Break(dice=3), dead_wall=DEAD_WALLS["fixed"], first_turn=FIRST_TURN,
        deal=Succession(round_wind=True, rounds=4), false_win=FalseWin(deal="drawn"), effects=effects(false_win="penalty"),
    ),
    shapes=(shapes.standard, shapes.seven_pairs_and_pung, eight_immortals, seven_rob_one),
    restrictions=(*COMMON, claim_bar("dead_wall", "the tile came out of the dead wall", from_the_dead_wall)),
    patterns=p.in_unit("tai", PATTERNS),
    pay=pay,
    payments_text="base + unit x (tai + 1 + 2 x repeat where winner or payer is the dealer). Discard, robbed kong and seven rob "
    "one: the giver alone; self-draw, dealt hand and eight immortals: all three.",
    options=(
        Option("base", Int(0), 100, "底: base of every payment"),
        Option("unit", Int(0), 20, "worth of a tai"),
        Option("tai", Worths(tuple(x.id for x in PATTERNS if x.id not in UNNAMED)), {}, "values of patterns", with_values),
        Option("east_seat", OneOf((None, 0, 1, 2, 3)), None, "the seat that is East for seat winds and own bonus tiles"),
        Option(
            "declared_ready", Bool(), False, "tingpai, diting and tianting count",
            lambda r, on: with_ritual(r, ready=frozenset({"ready", "first", "dealt"}) if on else frozenset()),
        ),
        Option("flower_at_deal", Bool(), False, "peipai_huahu counts"),
        Option("seven_rob_exposed", Bool(), False, "seven rob one also where the eighth lies before another already"),
        Option("eight_self_draw", Bool(), False, "zimo counts with ba_xian"),
        Option("flower_kong_keeps_own", Bool(), False, "zhenghua counts besides huagang"),
        Option("flower_bloom", Bool(), False, "gangshang after a bonus replacement too"),
        Option("earthly_win", OneOf(("both", "first_discard", "first_draw")), "both", "what counts as dihu"),
        Option("single_wait", OneOf(("possible", "formal", "any_shape")), "possible", "what counts as a single wait"),
        Option("all_chows_wait", OneOf(("every", "any", "strict", "not_single")), "every", "which waits pinghu allows"),
        Option("all_chows_self_draw", Bool(), False, "pinghu on a self-draw too"),
        Option(
            "all_claimed_single", Bool(), True, "false: no duting with quanqiuren and banqiuren", with_all_claimed_single
        ),
        Option(
            "little_winds_add", Bool(), True, "false: no menfeng, quanfeng with xiao_sixi",
            lambda r, on: r if on else r.with_patterns(xiao_sixi={"excludes": WINDS}),
        ),
        Option(
            "all_honours_add", Bool(), False, "sanyuan, menfeng, quanfeng add to ziyise", not_inside("ziyise", "sanyuan", *WINDS)
        ),
        Option("ligu_concealed", Bool(), False, "menqing or menqing_zimo with ligu"),
        Option("ligu_pung_values", Bool(), False, "the pung of ligu counts as sanyuan, menfeng, quanfeng"),
        Option(
            "seven_pairs_pung", Bool(), True, "false: seven pairs and a pung are no hand",
            lambda r, on: r if on else replace(r, shapes=tuple(s for s in r.shapes if s is not shapes.seven_pairs_and_pung)),
        ),
        Option(
            "dead_wall", OneOf(tuple(DEAD_WALLS)), "fixed", "16; 16 + one for each kong; none",
            lambda r, value: with_ritual(r, dead_wall=DEAD_WALLS[value]),
        ),
        Option("bonus_tiles", Bool(), True, "false: played without flowers", without_bonus_tiles),
        Option(
            "missed_win", OneOf(("free", "until_draw")), "free", "until_draw: after a passed win no discard before the next draw",
            lambda r, how: r if how == "free" else with_ritual(r, claims={"missed_win": "any", "missed_skip": False}),
        ),
        Option(
            "kong_after_claim", Bool(), True, "false: no kong between a chow or pung and its discard",
            lambda r, on: r if on else with_ritual(r, claims={"kong_after_claim": frozenset()}),
        ),
        Option(
            "swap_discard", Bool(), True, "false: the tile just claimed may not be discarded at once",
            lambda r, on: with_ritual(r, discards={"swap": on}),
        ),
        Option(
            "same_turn_claim", Bool(), True, "false: no claim of a tile one has discarded in the same go-round",
            lambda r, on: with_ritual(r, claims={"own_discard": on}),
        ),
        Option(
            "last_tile_refusal", Bool(), False, "the last tile may be left to the next player",
            lambda r, on: with_ritual(r, dead_wall={"refusal": on}),
        ),
    ),
)  # fmt: skip
