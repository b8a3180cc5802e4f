"""浙江奉化麻雀 Fenghua: tai added up and rounded to tens, five shapes, rich kongs and flowers. Sheet: docs/sheets/fenghua.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

from referee.rules import patterns as p
from referee.rules import shapes
from referee.rules import tiles as t
from referee.rules.claim import Case, Claim, Held
from referee.rules.payments import alone, everyone, giver
from referee.rules.readings import PAIR, SINGLE, Group, Reading, Seen
from referee.rules.record import Meld
from referee.rules.restrictions import COMMON, no_wild_discard, no_wild_pair_by_discard, reading_bar
from referee.rules.ritual import ALL_DOWN, Break, Customs, DeadWall, Indicator, Ritual, Succession, effects
from referee.rules.ruleset import TILES_144, Bool, Int, OneOf, Option, Pattern, Payment, Ruleset, Tally
from referee.rules.sets.ningbo import DICE_ROLES
from referee.rules.wilds import WildRule, same_tile_or_series

# --- shapes ----------------------------------------------------------------------------------------------------------


def eight_flowers(claim: Claim, held: Held) -> Iterator[Reading]:
    """八花直胡: all eight flowers melded by one player win outright, whatever the hand."""
    if shapes.all_bonus_shown(claim):
        yield Reading((), "eight_flowers")


def shaped(case: Case) -> bool:
    """Won by a hand, as against eight flowers outright."""
    return case.shape != "eight_flowers"


def in_shape(*names: str) -> Callable[[Case], bool]:
    return lambda case: case.shape in names


# --- small patterns --------------------------------------------------------------------------------------------------


def wilds(count: int) -> Callable[[Case], bool]:
    return lambda case: shaped(case) and case.wild_count == count


def tame_wilds(case: Case) -> bool:
    """還搭: at least one wild, all used at face value."""
    return shaped(case) and case.wild_count > 0 and case.all_at_face


def wind_pung(case: Case, own: bool, of_round: bool) -> bool:
    """A pung of the wind that is the seat's, the round's, or both."""
    wind = case.seat_wind if own else case.round_wind
    return (case.seat_wind == case.round_wind) == (own and of_round) and p.has_pung(case, wind)


# --- special hands ---------------------------------------------------------------------------------------------------


def seven_stars(case: Case) -> bool:
    return case.shape == "independent" and set(t.HONOURS) <= set(case.faces)


def star_won(case: Case) -> bool:
    """The winning tile is one of the seven honours."""
    return case.win_face is not None and t.is_honour(case.win_face)


def missing_suit_won(case: Case) -> bool:
    """欠色: the thirteen tiles lack one suit and the winning tile is of it."""
    face = case.win_face
    if case.shape != "independent" or face is None or not t.is_suited(face):
        return False
    return sum(t.suit(other) == t.suit(face) for other in case.faces) == 1


def with_wild(pattern: Callable[[Case], bool], wild: bool) -> Callable[[Case], bool]:
    """The pattern with a wild tile in the hand (有搭), at face value too, or without (無搭)."""
    return lambda case: pattern(case) and (case.wild_count > 0) == wild


def loner(case: Case) -> bool:
    """大吊車: one tile in hand, four open sets, in whatever shape."""
    return shaped(case) and len(case.open_sets) == 4


def bombs(case: Case, opened: bool) -> int:
    """暗炸, 明炸: four natural alike in seven pairs; open where the winning tile is the fourth."""
    if case.shape != "seven_pairs":
        return 0
    fours = [tile for tile, n in Counter(g.tile for g in case.pairs if not g.wilds).items() if n == 2]
    return sum((tile == case.win_face and not case.win_is_wild) == opened for tile in fours)


def alike(group: Group, wild: frozenset[t.Tile]) -> Seen:
    """What this game sees of a group beside the usual: the tile of natural pairs, since two of them make a bomb, and the suits
    of single tiles, of which the winning one may be the only one."""
    seen = p.alike_but_wild_pairs(group, wild)
    tile = group.tile if group.shape == PAIR and not group.wilds else -1
    return seen._replace(itself=(seen.itself, tile, t.suit(group.tile) if group.shape == SINGLE else -1))


# --- kongs and flowers -----------------------------------------------------------------------------------------------


def blooming(claim: Claim) -> Meld | None:
    """The kong whose replacement won: the one that ``kong_tile`` names, or the last."""
    if claim.source != "kong" or not claim.kongs:
        return None
    named = [meld for meld in claim.kongs if claim.win.kong_tile in meld.tiles]
    return named[-1] if named else claim.kongs[-1]


def kongs_worth(kind: str, budding: int, bloomed: int) -> Callable[[Case], int]:
    """The winner's kongs of a kind in units of the least kong: ``budding`` each, the blooming one ``bloomed``."""

    def units(case: Case) -> int:
        return sum(bloomed if meld is blooming(case) else budding for meld in case.kongs if meld.kind == kind)

    return units


def flower_wilds(case: Case) -> bool:
    return any(t.is_bonus(kind) for kind in case.wild_kinds)


def all_flowers(case: Case) -> bool:
    return p.full_series(case) == 2


# --- test, payments, liability ---------------------------------------------------------------------------------------


def below_minimum(case: Case, tally: Tally) -> str:
    """Four tai without kongs, flowers and three wilds for a discard win; a cheered hand (option celebrate) has them."""
    worth, needed = tally.for_minimum("tai"), case.rules.option("min_tai")
    if not case.by_discard or worth >= needed or tally.has("luanlaotou", "qinglaotou"):
        return ""
    return f"worth {worth} tai, a discard win needs {needed}"


def pay(case: Case, tally: Tally) -> list[Payment]:
    """S, the tai rounded up to tens: self-draw 2S each; discard 2S and S; robbed kong 6S, last tile's discard 4S alone."""
    worth = -(-tally.total("tai") // 10) * 10
    if case.robbed:
        return giver(case, 6 * worth)
    if case.by_discard and case.win.last_tile:
        return giver(case, 4 * worth, "discard of the last tile")
    return everyone(case, lambda payer: 2 * worth if case.self_drawn or payer == case.win.source_seat else worth)


def fed_sets(case: Case, tally: Tally, payments: list[Payment]) -> list[Payment]:
    """包: who fed four sets, or three of a flush or all pungs, pays for all; a robbed player or the last tile's discarder
    goes before."""
    if case.robbed or (case.by_discard and case.win.last_tile):
        return payments
    rich = tally.has("qingyise", "hunyise", "dadadui_youda", "dadadui_wuda")
    liable = next((seat for seat in case.losers if case.fed_by(seat) >= (3 if rich else 4)), None)
    return payments if liable is None else alone(case, liable, payments, "fed the sets")


# --- options ---------------------------------------------------------------------------------------------------------


def unit_thirty(rules: Ruleset, unit: int) -> Ruleset:
    """The style up to the 1990s: multiples of 50 are the same multiples of 30, the half flush 40."""
    if unit == 50:
        return rules
    worth = {q.id: q.worth // 50 * 30 for q in rules.patterns if isinstance(q.worth, int) and q.worth % 50 == 0}
    return rules.with_patterns(**{name: {"worth": value} for name, value in (worth | {"hunyise": 40}).items()})


CHEERED = ("luanlaotou", "qinglaotou", "bahua_cuohu", "bahua_zhihu")

# --- the sheet's tables ----------------------------------------------------------------------------------------------

GROUP_A = (
    Pattern("zuotai", "坐台", "base", 1, lambda c: 1),
    Pattern("penghu", "朋胡", "common win", 1, p.all_chows, note="four runs, any pair, any wait"),
    Pattern("sanyuan", "中發白", "dragon pung", 1, p.dragon_pungs, note="each"),
    Pattern("weifeng", "位風", "seat wind pung", 1, lambda c: wind_pung(c, own=True, of_round=False)),
    Pattern("quanfeng", "圏風", "round wind pung", 1, lambda c: wind_pung(c, own=False, of_round=True)),
    Pattern("zhengfeng", "正風", "right wind", 2, lambda c: wind_pung(c, own=True, of_round=True), note="seat and round wind"),
    Pattern("bian", "辺", "edge call", 1, p.single_call("edge"), note="the only call"),
    Pattern("qian", "嵌", "gap call", 1, p.single_call("gap"), note="the only call"),
    Pattern("dandiao", "単吊", "eye call", 1, p.single_call("pair"), note="the only call"),
    Pattern("duidao", "対倒", "pair call", 1, lambda c: c.wait == "pung", note="by the reading counted"),
    Pattern("zimo", "自摸", "self-draw", 1, lambda c: c.self_drawn or c.robbed or not shaped(c), note="a robbed kong too"),
    Pattern("wuda", "無搭", "no wild", 1, wilds(0)),
    Pattern("yida", "一搭", "one wild", 1, wilds(1)),
    Pattern("erda", "二搭", "two wilds", 2, wilds(2)),
    Pattern("huanda", "還搭", "tame wilds", 1, tame_wilds, note="all wilds at face value"),
    *p.ladder(
        Pattern("shisanbuda", "十三不搭", "independence", 50, in_shape("independent")),
        Pattern("mingqixing", "明七星", "open seven stars", 100, lambda c: seven_stars(c) and star_won(c)),
        Pattern("anqixing", "暗七星", "closed seven stars", 150, lambda c: seven_stars(c) and not star_won(c)),
        Pattern("quese", "欠色", "independence without a suit", 150, missing_suit_won),
    ),
    Pattern("dadadui_youda", "大対対(有搭)", "wild all pungs", 50, with_wild(p.all_pungs, True)),
    Pattern("dadadui_wuda", "大対対(無搭)", "straight all pungs", 100, with_wild(p.all_pungs, False)),
    Pattern("dadiaoche_youda", "大吊車(有搭)", "wild loner", 50, with_wild(loner, True)),
    Pattern("dadiaoche_wuda", "大吊車(無搭)", "straight loner", 100, with_wild(loner, False)),
    Pattern("qidui_youda", "七対頭(有搭)", "wild seven pairs", 50, with_wild(in_shape("seven_pairs"), True)),
    Pattern("qidui_wuda", "七対頭(無搭)", "straight seven pairs", 150, with_wild(in_shape("seven_pairs"), False)),
    Pattern("anzha", "暗炸", "closed bomb", 100, lambda c: bombs(c, opened=False), note="each, in seven pairs"),
    Pattern("mingzha", "明炸", "open bomb", 50, lambda c: bombs(c, opened=True), note="won by the fourth of them"),
    Pattern("hunyise", "混一色", "mixed one suit", 70, p.one_suit_and_honours, note="any shape"),
    Pattern("qingyise", "清一色", "pure one suit", 150, p.one_suit, note="any shape"),
    Pattern(
        "luanlaotou", "乱老頭", "uncompleted all honours", 400,
        lambda c: p.honours_only(c) and c.shape != "standard", note="in any arrangement",
    ),
    Pattern("qinglaotou", "清老頭", "completed all honours", 800, lambda c: p.honours_only(c) and p.is_standard(c)),
    Pattern(
        "qianggang", "拉槓", "robbing a kong", lambda c: c.rules.option("robbed_kong_tai"),
        lambda c: c.robbed and c.rules.option("robbed_kong_tai") > 0, note="option robbed_kong_tai",
    ),
    Pattern(
        "haidi", "海底撈月", "last tile", lambda c: c.rules.option("last_tile_tai"),
        lambda c: c.win.last_tile and c.self_drawn and c.rules.option("last_tile_tai") > 0, note="option last_tile_tai",
    ),
)  # fmt: skip
GROUP_B = (
    Pattern(
        "bahua_cuohu", "八花(搓胡)", "eight flowers, completed", 800, lambda c: shaped(c) and all_flowers(c),
        excludes=("sihua",),
    ),
    Pattern("bahua_zhihu", "八花(直胡)", "eight flowers, outright", 400, lambda c: not shaped(c)),
    Pattern("zhigang", "直槓", "direct kong", 50, kongs_worth("kong", 1, 2), note="50; 100 blooming"),
    Pattern("angang", "暗槓", "closed kong", 50, kongs_worth("concealed_kong", 2, 3), note="100; 150 blooming"),
    Pattern("fengxiangang", "風険槓", "risky kong", 50, kongs_worth("added_kong", 2, 4), note="100; 200 blooming"),
    Pattern("huagang", "花槓槓開", "blooming flower kong", 50, lambda c: shaped(c) and c.source == "flower"),
    Pattern("sanbaida", "普通三百搭", "three wilds", 150, lambda c: wilds(3)(c) and not flower_wilds(c)),
    Pattern("sanhua_sanbaida", "三花三百搭", "three flower wilds", 300, lambda c: wilds(3)(c) and flower_wilds(c)),
    Pattern(
        "zhenghua", "正花", "own flower", 2, lambda c: p.own_flowers_alone(c) if shaped(c) else 0,
        note="each; not of a complete four",
    ),
    Pattern("sihua", "四花", "four flowers", 150, lambda c: p.full_series(c) if shaped(c) else 0, note="each four"),
)  # fmt: skip

RULES = Ruleset(
    id="fenghua",
    native="浙江奉化麻雀",
    english="Fenghua",
    region="Fenghua near Ningbo, Zhejiang",
    summary="Tai are added and rounded up to tens; seven pairs, independent tiles, all honours and eight flowers win too; kongs "
    "and flowers are rich.",
    tiles=TILES_144,
    bonus=frozenset(t.BONUS),
    wild=WildRule(
        same_tile_or_series, lone_faces=p.one_of_each_suit(2),
        text="the indicator's three twins, or the other three of its four flowers (百搭): any tile but a flower, concealed only",
    ),
    ritual=Ritual(
        opening=Break(figure="larger"), indicator=Indicator("tail", "smaller"),
        dead_wall=DeadWall(to_indicator=True, refusal=True), deal=Succession(round_wind=True, rounds=4),
        effects=effects(false_win="penalty"),
        customs=Customs(closed_kong=ALL_DOWN),
    ),
    shapes=(
        shapes.standard, shapes.seven_pairs, shapes.independent, shapes.all_of("all_honours", frozenset(t.HONOURS)),
        eight_flowers,
    ),
    alike=alike,
    alike_waits=p.closed_or_open,
    restrictions=(
        *COMMON, no_wild_discard, no_wild_pair_by_discard,
        reading_bar("below_minimum", "too few tai for a discard win", below_minimum),
    ),
    patterns=p.in_unit("tai", (*GROUP_A, *(replace(pattern, minimum=False) for pattern in GROUP_B))),
    unit="tai",
    pay=pay,
    liability=(fed_sets,),
    payments_text="S = tai rounded up to tens. Self-draw: each 2S. Discard: the discarder 2S, the others S. Robbed kong: the "
    "robbed player 6S. Discard of the last tile: the discarder 4S alone.",
    options=(
        Option("min_tai", Int(0), 4, "tai that a discard win needs, kongs, flowers and three wilds aside"),
        Option("unit", OneOf((50, 30)), 50, "30: the old style, all multiples of 50 become 30s, hunyise 40", unit_thirty),
        Option(
            "celebrate", Bool(), False, "all honours and eight flowers win as usual but bring 0 tai",
            lambda r, on: r.with_patterns(**{name: {"worth": 0} for name in CHEERED}) if on else r,
        ),
        Option("robbed_kong_tai", Int(0), 0, "bonus for robbing a kong"),
        Option("last_tile_tai", Int(0), 0, "bonus for the last tile, self-drawn"),
        DICE_ROLES,
    ),
)  # fmt: skip
