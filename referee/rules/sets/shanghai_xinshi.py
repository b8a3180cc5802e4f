"""上海 新式 New style Shanghai: the popular style with more patterns, seven pairs and thirteen unconnected tiles. Sheet:
docs/sheets/shanghai_xinshi.md."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from referee.rules import patterns as p
from referee.rules import shapes
from referee.rules import tiles as t
from referee.rules.claim import Case
from referee.rules.ruleset import Pattern
from referee.rules.sets import shanghai_liuxing


def all_simples(case: Case) -> bool:
    """断么九: 2 to 8 only."""
    return not any(t.is_orphan(face) for face in case.faces)


def ends_everywhere(case: Case) -> bool:
    """全么九: each set and the pair has a 1, 9 or honour; of seven pairs every one."""
    return all(any(t.is_orphan(face) for face in group.faces) for group in case.groups)


def identical_runs(case: Case) -> int:
    """How many times a run stands beside an identical one: 1 for AA, 2 for AAA or AABB."""
    return sum(n - 1 for n in p.chow_numbers(case).values())


def run_in_suits(case: Case, suits: int) -> int:
    """How many number-runs stand in exactly so many suits."""
    found = Counter(number for _, number in p.chow_numbers(case))
    return sum(n == suits for n in found.values())


def mixed_straight(case: Case) -> bool:
    """混龍: 123, 456 and 789, each in another suit."""
    by_number = {number: {suit for suit, n in p.chow_numbers(case) if n == number} for number in (1, 4, 7)}
    return any(
        len({a, b, c}) == 3 for a in by_number[1] for b in by_number[4] for c in by_number[7]
    )


def one_suit_missing(case: Case) -> bool:
    """欠一門: exactly two suits and no honours."""
    return len(case.suits) == 2 and 3 not in case.suits


def five_kinds(case: Case) -> bool:
    """五門全: all three suits, a wind and a dragon."""
    return len(case.suits) == 4 and any(f in t.WINDS for f in case.faces) and any(f in t.DRAGONS for f in case.faces)


def unconnected(case: Case) -> bool:
    return case.shape == "independent"


def closed_five(case: Case) -> bool:
    """嵌中心: a closed wait on a 5."""
    return case.wait == "gap" and case.win_face is not None and t.rank(case.win_face) == 5


RULES = replace(
    shanghai_liuxing.RULES,
    id="shanghai_xinshi",
    native="上海 新式",
    english="Shanghai, new style",
    summary="The popular style with more patterns, seven pairs and thirteen unconnected tiles; everything that holds adds up.",
    shapes=(shapes.standard, shapes.seven_pairs, shapes.independent),
    patterns=(
        *shanghai_liuxing.PATTERNS,
        *p.in_unit("tai", (
            Pattern("duanyaojiu", "断么九", "all simples", 1, all_simples),
            Pattern("quanyaojiu", "全么九", "ends in every set", 1, ends_everywhere),
            Pattern("yibangao", "一般高", "two identical runs", 1, lambda c: identical_runs(c) > 0, note="once only"),
            Pattern(
                "liangbangao", "両般高", "identical runs again", 2, lambda c: identical_runs(c) > 1, excludes=("yibangao",),
                note="two pairs of identical runs, or a run three times",
            ),
            Pattern("xixiangfeng", "喜相逢", "same run in two suits", 1, lambda c: run_in_suits(c, 2), note="each number"),
            Pattern("shuangxiangfeng", "双相逢", "same run in three suits", 2, lambda c: run_in_suits(c, 3)),
            Pattern("qinglong", "清龍", "pure straight", 2, p.straight),
            Pattern("hunlong", "混龍", "mixed straight", 1, mixed_straight),
            Pattern(
                "menqianqing", "門前清", "concealed hand on a discard", 1, lambda c: c.is_concealed and not c.self_drawn,
            ),
            Pattern("buqiuren", "不求人", "concealed self-draw", 2, lambda c: c.is_concealed and c.self_drawn),
            Pattern("queyimen", "欠一門", "one suit missing", 1, one_suit_missing),
            Pattern(
                "wuzi_wuhua", "無字無花", "no honours, no bonus tiles", 1,
                lambda c: 3 not in c.suits and not c.player.bonus,
            ),
            Pattern("shisanbuda", "十三不搭", "thirteen unconnected", 1, unconnected),
            Pattern(
                "qixing_juhui", "七星聚会", "seven stars", 2,
                lambda c: unconnected(c) and set(t.HONOURS) <= set(c.faces), excludes=("shisanbuda",),
            ),
            Pattern("qiduizi", "七対子", "seven pairs", 1, lambda c: c.shape == "seven_pairs"),
            Pattern("wumenqi", "五門全", "five kinds", 1, five_kinds),
            Pattern("qianzhongxin", "嵌中心", "closed five", 1, closed_five, note="besides the closed wait's tai"),
        )),
    ),
)  # fmt: skip
