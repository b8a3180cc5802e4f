"""上海 流行式 Popular style Shanghai: a fixed amount doubled once a tai; the discarder pays double. Sheet:
docs/sheets/shanghai_liuxing.md."""

from __future__ import annotations

from referee.rules import patterns as p
from referee.rules import shapes
from referee.rules import tiles as t
from referee.rules.claim import Case
from referee.rules.payments import alone, everyone
from referee.rules.restrictions import COMMON
from referee.rules.ritual import Break, FalseWin, Ritual, Succession
from referee.rules.ruleset import TILES_144, Int, Option, Pattern, Payment, Ruleset, Tally, pay_nothing

# What the five Shanghai rule sets share: no table custom is described, a false win moves nothing.
SHANGHAI = Ritual(
    opening=Break(stated=False), false_win=FalseWin("nothing"), deal=Succession(drawn="right", round_wind=True)
)


def pay(case: Case, tally: Tally) -> list[Payment]:
    """The discarder (or robbed player) 2P, the others P; on a self-draw each 2P."""
    worth = case.rules.option("base_points") * 2 ** tally.total("tai")
    return everyone(case, lambda payer: 2 * worth if case.self_drawn or payer == case.win.source_seat else worth)


def bao_qingyise(case: Case, tally: Tally, payments: list[Payment]) -> list[Payment]:
    """Three claimed sets of one suit shown and a full flush on a discard: the discarder pays all shares."""
    giver = case.win.source_seat
    shown = [group for group in case.meld_groups if group.claimed]
    if case.self_drawn or giver is None or not tally.has("qingyise") or len(shown) < 3:
        return payments
    return alone(case, giver, payments, "full flush behind three claimed sets")


PATTERNS = p.in_unit("tai", (
    Pattern("sanyuan", "中發白", "dragon pung", 1, p.dragon_pungs, note="each"),
    Pattern("zuofeng", "坐風", "seat wind", 1, lambda c: p.has_pung(c, c.seat_wind)),
    Pattern("quanfeng", "圏風", "round wind", 1, lambda c: p.has_pung(c, c.round_wind), note="besides the seat wind's"),
    Pattern("pinghu", "平和", "flat hand", 1, p.plain_runs, note="pair without worth, any wait"),
    Pattern("duiduihu", "対対胡", "all pungs", 2, p.all_pungs),
    Pattern("hunyise", "混一色", "half flush", 2, p.half_flush, note="honours alone too"),
    Pattern("qingyise", "清一色", "full flush", 4, p.one_suit, excludes=("hunyise",)),
    Pattern("bian_kan_diao", "辺嵌張・単釣", "edge, closed or single wait", 1, p.closed_wait, note="in the reading counted"),
    Pattern("zuohua", "坐花", "own flower or season", 1, p.own_flowers_alone, note="each; not of a complete four"),
    Pattern("sizhihua", "四只花", "four of a set", 2, p.full_series, note="each set"),
    Pattern("gangtou_kaihua", "槓頭開花", "win on replacement", 1, p.on_replacement, note="of a kong or a bonus tile"),
    Pattern("qianggang", "搶槓和", "robbing a kong", 1, lambda c: c.robbed),
))  # fmt: skip

RULES = Ruleset(
    id="shanghai_liuxing",
    native="上海 流行式",
    english="Shanghai, popular style",
    region="Shanghai",
    summary="No fu: a fixed amount doubled once a tai. All three pay, the discarder double; on a self-draw all pay double.",
    tiles=TILES_144,
    bonus=frozenset(t.BONUS),
    ritual=SHANGHAI,
    shapes=(shapes.standard,),
    restrictions=COMMON,
    patterns=PATTERNS,
    unit="tai",
    pay=pay,
    liability=(bao_qingyise,),
    false_win=pay_nothing,
    payments_text="P = fixed amount x 2^tai. Discard or robbed kong: the giver 2P, the two others P. Self-draw: each 2P. "
    "The dealer makes no difference; no limit.",
    options=(Option("base_points", Int(0), 1, "the fixed amount of a win"),),
)  # fmt: skip
