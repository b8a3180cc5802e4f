"""揚州麻雀 Yangzhou: points of runs and pungs added up, thirteen to win, several winners. Sheet: docs/sheets/yangzhou.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from referee.rules import patterns as p
from referee.rules import shapes
from referee.rules import tiles as t
from referee.rules.claim import Case, Claim
from referee.rules.payments import alone, everyone, giver
from referee.rules.readings import PUNG
from referee.rules.restrictions import COMMON, claim_bar, reading_bar
from referee.rules.ritual import Break, Claims, Ritual, Succession, effects, with_ritual
from referee.rules.ruleset import Bool, Int, OneOf, Option, Pattern, Payment, Ruleset, Tally

# --- scales ----------------------------------------------------------------------------------------------------------

TIERS = {  # twin runs, mixed, double, pure; the usual minimum
    "old": {"T": 7, "M": 10, "D": 20, "Q": 40, "min": 7},
    "common": {"T": 10, "M": 15, "D": 30, "Q": 60, "min": 13},
    "new": {"T": 15, "M": 20, "D": 50, "Q": 80, "min": 18},
    "light": {"T": 3, "M": 4, "D": 8, "Q": 16, "min": 3},
}


def tier(name: str) -> Callable[[Case], int]:
    """The value of a tier on the scale that is played."""
    return lambda case: TIERS[case.rules.option("scale")][name]


def times_pure(option: str, usual: int) -> Callable[[Case], int]:
    """A multiple of tier Q: the option's, or the usual one (2 on the light scale)."""

    def worth(case: Case) -> int:
        scale, multiple = case.rules.option("scale"), case.rules.option(option)
        if multiple is None:
            multiple = 2 if scale == "light" else usual
        return int(multiple) * TIERS[scale]["Q"]

    return worth


def least(rules: Ruleset) -> int:
    own = rules.option("min")
    return int(TIERS[rules.option("scale")]["min"] if own is None else own)


# --- runs ------------------------------------------------------------------------------------------------------------

Runs = Counter[tuple[int, int]]  # (suit, lowest number) -> how many


def runs(case: Case) -> Runs:
    return p.chow_numbers(case)


def twins(case: Case) -> list[tuple[int, int]]:
    """The runs that stand at least twice."""
    return [run for run, n in runs(case).items() if n >= 2]


def most_alike(case: Case) -> int:
    return max(runs(case).values(), default=0)


def by_number(case: Case) -> dict[int, Counter[int]]:
    """For each lowest number the suits its runs stand in."""
    found: dict[int, Counter[int]] = {}
    for (suit, number), n in runs(case).items():
        found.setdefault(number, Counter())[suit] += n
    return found


def side_by_side(case: Case) -> int:
    """斉相: pairs of the same run in two suits, no run used twice."""
    counts = (suits.values() for suits in by_number(case).values())
    return sum(min(sum(n) // 2, sum(n) - max(n)) for n in map(list, counts))


def tandems(case: Case) -> int:
    """連副: pairs of runs that cover six numbers in a row, no run used twice."""
    have, total = runs(case), 0
    for suit in range(3):
        one, two, three, four, five, six, seven = (have[suit, n] for n in range(1, 8))
        total += min(four, one + seven) + min(two, five) + min(three, six)
    return total


def high_lows(case: Case) -> int:
    """老少: pairs of 123 and 789 of a suit."""
    have = runs(case)
    return sum(min(have[suit, 1], have[suit, 7]) for suit in range(3))


def suits_with(case: Case, *numbers: int) -> int:
    """In how many suits runs of all these numbers stand."""
    have = runs(case)
    return sum(all(have[suit, n] for n in numbers) for suit in range(3))


def two_tandems(case: Case) -> bool:
    """双連双喜: the same tandem in two suits."""
    return any(suits_with(case, n, n + 3) >= 2 for n in range(1, 5))


def same_in_three_suits(case: Case) -> bool:
    return any(len(suits) == 3 for suits in by_number(case).values())


def four_side_by_side(case: Case) -> bool:
    """四副同: four runs of the same numbers, in all three suits."""
    return any(len(suits) == 3 and sum(suits.values()) == 4 for suits in by_number(case).values())


def two_twins(fits: Callable[[tuple[int, int], tuple[int, int]], bool]) -> Callable[[Case], bool]:
    """Two different twins of which the lower (suit, number) and the higher stand to each other like this."""

    def when(case: Case) -> bool:
        found = sorted(twins(case))
        return len(found) == 2 and fits(found[0], found[1])

    return when


# --- other conditions ------------------------------------------------------------------------------------------------


def common_win(case: Case) -> bool:
    """平胡: four runs; option no_honours: no pair of honours."""
    pair = case.pair
    any_eyes = case.rules.option("pinghu_eyes") == "any"
    return p.all_chows(case) and pair is not None and (any_eyes or t.is_suited(pair.tile))


def suits_only(case: Case, count: int) -> bool:
    return 3 not in case.suits and len(case.suits) == count


def end_eyes(case: Case) -> bool:
    """幺頭: no honours in the hand, a pair of 1 or 9."""
    return 3 not in case.suits and case.pair is not None and t.is_terminal(case.pair.tile)


def closed_pungs(case: Case) -> int:
    """子格: pungs in the hand, not kongs."""
    return sum(group.shape == PUNG for group in case.concealed_pungs)


def must_be_pure(case: Case, tally: Tally) -> bool:
    """Three chows of one suit bind a player to a pure one-suit hand."""
    chows = Counter(t.suit(group.tile) for group in case.meld_groups if group.meld == "chow")
    return max(chows.values(), default=0) >= 3 and not tally.has("qingyise")


def below_minimum(case: Case, tally: Tally) -> str:
    points, needed = tally.total("points"), least(case.rules)
    return f"worth {points} points, minimum {needed}" if points < needed else ""


def giver_is_broke(claim: Claim) -> bool:
    """円子: no win from a player who has nothing left."""
    giver_seat = claim.win.source_seat
    if claim.self_drawn or giver_seat is None or not claim.rules.option("yuanzi"):
        return False
    return claim.record.players[giver_seat].chips == 0


# --- payments --------------------------------------------------------------------------------------------------------


def pay(case: Case, tally: Tally) -> list[Payment]:
    """Self-draw S from each; the discarder or robbed player 2S to each winner."""
    points = tally.total("points")
    return everyone(case, lambda payer: points) if case.self_drawn else giver(case, 2 * points)


def third_chow(case: Case, tally: Tally, payments: list[Payment]) -> list[Payment]:
    """包: the third claimed set of a pure one-suit hand is a chow: its feeder pays everything."""
    claimed = case.open_sets
    if not tally.has("qingyise") or len(claimed) < 3 or claimed[2].kind != "chow" or claimed[2].source is None:
        return payments
    return alone(case, claimed[2].source, payments, "fed the third set, a chow")


# --- patterns --------------------------------------------------------------------------------------------------------

MINOR = (
    Pattern("menqing", "門清", "fully closed", 1, lambda c: c.is_concealed, note="concealed kongs allowed; discard win too"),
    Pattern("pinghu", "平胡", "common win", 1, common_win, note="four runs"),
    Pattern("zimo", "自摸", "own tile", 1, lambda c: c.self_drawn),
    Pattern("dandiao", "独吊", "single call, pair", 1, p.single_call("pair"), note="no other kind completes the hand"),
    Pattern("yazi", "丫子", "single call, gap", 1, p.single_call("gap"), note="no other kind completes the hand"),
    Pattern("bianzhang", "辺張", "single call, edge", 1, p.single_call("edge"), note="no other kind completes the hand"),
    Pattern("queyi", "欠一", "void suit", 1, lambda c: suits_only(c, 2), note="no honours, exactly two suits"),
    Pattern("yaotou", "幺頭", "end eyes", 1, end_eyes),
    Pattern("duanyao", "断幺", "no terminals", 1, lambda c: not any(t.is_orphan(f) for f in c.faces)),
    Pattern("qixiang", "斉相", "side by side", 1, side_by_side, note="each"),
    Pattern("lianfu", "連副", "tandem", 1, tandems, note="each"),
    Pattern("laoshao", "老少", "high-low", 1, high_lows, note="each"),
    Pattern("zige", "子格", "closed pung", 1, closed_pungs, note="each"),
    Pattern("minggang", "明槓", "open kong", 1, lambda c: sum(m.is_claimed for m in c.kongs), note="each"),
    Pattern("angang", "暗槓", "closed kong", 2, lambda c: sum(not m.is_claimed for m in c.kongs), note="each"),
    Pattern("menfeng", "門風", "seat wind", 1, lambda c: p.has_pung(c, c.seat_wind)),
    Pattern("quanfeng", "圏風", "round wind", 1, lambda c: p.has_pung(c, c.round_wind)),
    Pattern("jian", "中發白", "dragon", 1, p.dragon_pungs, note="each"),
)  # fmt: skip
TWINS = ("yiban", "shuangbanban")
MAJOR = (
    Pattern("yiban", "一板", "twin runs", tier("T"), lambda c: bool(twins(c))),
    Pattern("hunyise", "混一色", "mixed one suit", tier("M"), p.one_suit_and_honours),
    Pattern("yitiaolong", "一条龍", "straight", tier("M"), p.straight, excludes=("lianfu", "laoshao")),
    Pattern("sanfutong", "三副同", "three runs side by side", tier("M"), same_in_three_suits, excludes=("qixiang",)),
    Pattern("duiduihu", "対対胡", "all pungs", tier("M"), p.all_pungs),
    Pattern(
        "shuangpiao", "双飄", "two high-lows side by side", tier("M"), lambda c: suits_with(c, 1, 7) >= 2,
        excludes=("laoshao", "qixiang"),
    ),
    Pattern(
        "shuanglianshuangxi", "双連双喜", "two tandems side by side", tier("M"), two_tandems, excludes=("lianfu", "qixiang"),
    ),
    Pattern(
        "shuangbanban", "双板板", "double twin runs", tier("D"), lambda c: len(twins(c)) >= 2, excludes=("yiban",),
    ),
    Pattern(
        "sifutong", "四副同", "four runs side by side", tier("D"), four_side_by_side,
        excludes=("sanfutong", "yiban", "qixiang"),
    ),
    Pattern("qingyise", "清一色", "pure one suit", tier("Q"), p.one_suit, excludes=("queyi",)),
    Pattern("tieban", "鉄板", "triplet runs", tier("Q"), lambda c: most_alike(c) >= 3, excludes=("yiban",)),
    Pattern(
        "shuangbanshuangxi", "双板双喜", "double twins side by side", tier("Q"),
        two_twins(lambda a, b: a[1] == b[1]), excludes=(*TWINS, "qixiang"),
    ),
    Pattern(
        "shuangbanshuanglian", "双板双連", "double twins in tandem", tier("Q"),
        two_twins(lambda a, b: a[0] == b[0] and b[1] - a[1] == 3), excludes=(*TWINS, "lianfu"),
    ),
    Pattern(
        "shuangbanshuanglao", "双板双飄", "double twins high-low", tier("Q"),
        two_twins(lambda a, b: a[0] == b[0] and b[1] - a[1] == 6), excludes=(*TWINS, "laoshao"),
    ),
    Pattern(
        "fengqing", "風清", "all honours", times_pure("fengqing_x", 4), p.honours_only, excludes=("duiduihu",),
    ),
    Pattern(
        "gangban", "鋼板", "quadruplet runs", times_pure("gangban_x", 8), lambda c: most_alike(c) == 4,
        excludes=("yiban", "tieban"),
    ),
)  # fmt: skip


def combined(flush: str, *parts: str) -> Callable[[Case], bool]:
    """Whether a hand has these of flush ("mixed", "pure", "" for neither), twin runs, straight and all pungs, and no more."""

    def when(case: Case) -> bool:
        colour = "pure" if p.one_suit(case) else "mixed" if p.one_suit_and_honours(case) else ""
        has = {"twins": bool(twins(case)), "straight": p.straight(case), "pungs": p.all_pungs(case)}
        return colour == flush and {name for name, true in has.items() if true} == set(parts)

    return when


# Bonuses of the scale "new", on top of the parts.
COMBINATIONS = (
    Pattern("banlong", "板龍", "straight with twins", 15, combined("", "twins", "straight")),
    Pattern("hunlong", "混龍", "mixed straight", 10, combined("mixed", "straight")),
    Pattern("hunduidui", "混対対", "mixed all pungs", 10, combined("mixed", "pungs")),
    Pattern("hunbanlong", "混板龍", "mixed straight with twins", 25, combined("mixed", "twins", "straight")),
    Pattern("qinglong", "清龍", "pure straight", 30, combined("pure", "straight")),
    Pattern("qingduidui", "清対対", "pure all pungs", 30, combined("pure", "pungs")),
    Pattern("qingbanlong", "清板龍", "pure straight with twins", 45, combined("pure", "twins", "straight")),
)  # fmt: skip

RULES = Ruleset(
    id="yangzhou",
    native="揚州麻雀",
    english="Yangzhou",
    region="Yangzhou, Jiangsu",
    summary="Points are added, never doubled; thirteen to win. The discarder pays twice, several may win on one tile.",
    winners="many",
    ritual=Ritual(
        stacks=(17,) * 4, opening=Break(figure="smaller"),
        claims=Claims(missed_win="any", missed_skip=False, missed_draw=True),
        deal=Succession(drawn="right", round_wind=True, rounds=4), effects=effects(false_win="penalty"),
    ),
    shapes=(shapes.standard,),
    restrictions=(
        *COMMON,
        claim_bar("broke_giver", "no win from a player who has nothing left (円子)", giver_is_broke),
        reading_bar("must_be_pure", "three chows of one suit win only as pure one suit", must_be_pure),
        reading_bar("below_minimum", "too few points", below_minimum),
    ),
    patterns=(*MINOR, *MAJOR),
    unit="points",
    pay=pay,
    liability=(third_chow,),
    payments_text="S = sum of points. Self-draw: each S. Discard or robbed kong: the giver 2S to each winner.",
    options=(
        Option(
            "scale", OneOf(tuple(TIERS)), "common", "values of the big patterns and the usual minimum",
            lambda r, scale: replace(r, patterns=(*r.patterns, *COMBINATIONS)) if scale == "new" else r,
        ),
        Option("min", Int(0, auto=True), None, "points needed to win; null: 7, 13, 18, 3 on the scales old, common, new, light"),
        Option("fengqing_x", OneOf((4, 2)), None, "all honours as a multiple of pure one suit; null: 4, light 2"),
        Option("gangban_x", OneOf((8, 2)), None, "quadruplet runs as a multiple of pure one suit; null: 8, light 2"),
        Option("pinghu_eyes", OneOf(("any", "no_honours")), "any", "pairs allowed for pinghu"),
        Option(
            "draw_keeps_dealer", Bool(), False, "the dealer stays after a draw",
            lambda r, on: with_ritual(r, deal={"drawn": "stay"}) if on else r,
        ),
        Option(
            "rounds", OneOf((4, 8)), 4, "rounds of dealership in a game",
            lambda r, value: with_ritual(r, deal={"rounds": value}),
        ),
        Option(
            "yuanzi", Bool(), False, "円子: losses are limited to the chips; no win from a broke player",
            lambda r, on: with_ritual(replace(r, chips=on), deal={"broke": 2 if on else None}),
        ),
    ),
)  # fmt: skip
