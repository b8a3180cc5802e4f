"""浙江台州 路橋 Taizhou (Luqiao): hu doubled once a tai, everybody's hand counts, limit 100. Sheet: docs/sheets/taizhou.md."""

from __future__ import annotations

from dataclasses import replace

from referee.rules import fu, shapes
from referee.rules import patterns as p
from referee.rules import tiles as t
from referee.rules.claim import Case, Claim, Held
from referee.rules.fu import Holding, Item
from referee.rules.judge import count_patterns, readings
from referee.rules.payments import alone, everyone
from referee.rules.readings import can_form
from referee.rules.restrictions import COMMON, claim_bar, no_wild_discard, reading_bar
from referee.rules.ritual import ONE_UP, Break, Customs, DeadWall, FalseWin, Indicator, Ritual, Succession, with_ritual
from referee.rules.ritual import Claims as ClaimRules
from referee.rules.ruleset import Bool, Int, OneOf, Option, Pattern, Payment, Ruleset, Tally, pay_nothing
from referee.rules.settle import Outcome
from referee.rules.wilds import WildRule, same_tile

# --- what counts in everybody's hand ---------------------------------------------------------------------------------


def four_winds(how: str, holding: Holding) -> bool:
    """四風会斉: pungs of all four winds, or of three with a pair of the fourth (which may have to be the own wind)."""
    missing = [wind for wind in t.WINDS if not holding.has_pung(wind)]
    if not missing or how == "big" or len(missing) > 1:
        return not missing
    return missing[0] in holding.pairs and (how == "small" or missing[0] == holding.wind)


def winds_item(how: str) -> Item:
    return Item("sifeng_huiqi", "四風会斉", "four winds together", 13, lambda h: four_winds(how, h), "tai")


ITEMS = (
    Item("zifeng_duizi", "自風対子", "pair of own wind", 2, lambda h: h.pairs.count(h.wind)),
    Item("sanyuan_duizi", "中發白対子", "pair of dragons", 2, lambda h: sum(pair in t.DRAGONS for pair in h.pairs)),
    *fu.PUNG_ITEMS,
    fu.own_wind("zifeng", "自風"),
    fu.DRAGONS,
)


def everybody(rules: Ruleset) -> tuple[Item, ...]:
    how = rules.option("four_winds")
    return ITEMS if how == "none" else (*ITEMS, winds_item(how))


# --- points and payments ---------------------------------------------------------------------------------------------


def raw_points(tally: Tally) -> int:
    """Hu x 2^tai before the cut to the limit."""
    return int(tally.total("fu") * 2 ** tally.total("tai"))


def cut(rules: Ruleset, points: int) -> int:
    """Points as they are paid: cut at the limit, then rounded up to tens where that is played."""
    points = min(points, rules.option("limit"))
    return -(-points // 10) * 10 if rules.option("round_up_tens") else points


def share(points: int, full: bool) -> float:
    return points if full else points / 2


def pay(case: Case, tally: Tally) -> list[Payment]:
    """W from each where he or the winner is the dealer, else half of it; the limit is paid in full by all."""
    raw = raw_points(tally)
    points, limit = cut(case.rules, raw), raw >= case.rules.option("limit")
    return everyone(case, lambda payer: share(points, limit or case.dealer_between(payer)))


def between_losers(outcome: Outcome) -> list[Payment]:
    """The lower pays the higher the difference, half of it where neither is the dealer."""
    record, rules = outcome.record, outcome.rules
    items = everybody(rules)
    return fu.side_payments(
        outcome,
        lambda seat: cut(rules, fu.points(items, fu.of_loser(record, rules, seat))),
        lambda a, b, difference: share(int(difference), record.dealer in (a, b)),
    )


# --- the wild pair wait ----------------------------------------------------------------------------------------------


def wild_pair_wait(claim: Claim) -> bool:
    """A wild tile over beside complete sets waits on every tile, and by nature has let winning tiles pass."""
    return not claim.self_drawn and claim.lone_wild()


def passed_points(claim: Claim) -> int:
    """What the self-draw of the own last discard would have been worth; -1 where nothing is known of one."""
    if not claim.player.discards:
        return -1
    passed = claim.with_tile(claim.player.discards[-1])
    return max((raw_points(count_patterns(case)) for case in readings(passed)), default=-1)


def not_higher(case: Case, tally: Tally) -> str:
    """Option wild_pair_wait higher: the discard must be worth more than the self-draw passed before."""
    if not wild_pair_wait(case):
        return ""
    if "passed" not in case.memo:
        case.memo["passed"] = passed_points(case)
    passed, worth = case.memo["passed"], raw_points(tally)
    return f"worth {worth}, the self-draw just passed {passed}" if worth <= passed else ""


LONE_WILD = claim_bar("wild_pair_wait", "a wild tile left over waits on every tile: self-draw only", wild_pair_wait)
HIGHER = reading_bar("wild_pair_wait", "not worth more than the self-draw just passed", not_higher)


# --- liability -------------------------------------------------------------------------------------------------------


def is_raw(claim: Claim) -> bool:
    """生牌: nobody discarded this tile before; where discards are missing nothing is known to be raw."""
    lists = [player.discards for player in claim.record.players]
    giver = claim.win.source_seat
    if giver is None or any(discards is None for discards in lists):
        return False
    before = [tile for seat, discards in enumerate(lists) for tile in (discards or ())[: -1 if seat == giver else None]]
    return claim.win.tile not in before


def risky_dragon(claim: Claim) -> bool:
    """A dragon discarded raw; with bao_raw_only false any dragon."""
    return claim.win.tile in t.DRAGONS and (is_raw(claim) or not claim.rules.option("bao_raw_only"))


def third_dragon(claim: Claim) -> bool:
    """bao_sanyuan: the winner shows two dragon pungs, the discard is the third dragon."""
    shown = {group.tile for group in claim.meld_groups if group.tile in t.DRAGONS}
    return len(shown) == 2 and claim.win.tile not in shown and risky_dragon(claim)


def full_flush_shown(claim: Claim, tally: Tally) -> bool:
    """bao_qingyise: three claimed sets of the discard's suit shown, and the win is a full flush."""
    tile = claim.win.tile
    if tile is None or not t.is_suited(tile):
        return False
    shown = [meld for meld in claim.open_sets if t.suit(meld.tiles[0]) == t.suit(tile)]
    return tally.has("qingyise") and len(shown) >= 3


def far_from_ready(hand: Held, sets: int) -> bool:
    """Neither ready nor one tile from it: no tile can be exchanged for any other to leave a hand that one tile completes."""
    if hand.wilds and can_form(hand.naturals, hand.wilds + 1, sets, 1):
        return False
    for kind, count in enumerate(hand.naturals):
        if count:
            rest = list(hand.naturals)
            rest[kind] -= 1
            if can_form(rest, hand.wilds + 2, sets, 1):
                return False
    return True


def unready_discarder(claim: Claim) -> bool:
    """bao_sheng_sanyuan: a risky dragon from a hand that is not even one tile from ready."""
    giver = claim.win.source_seat
    if giver is None or claim.record.players[giver].hand is None or not risky_dragon(claim):
        return False
    theirs = Claim(claim.record, claim.rules, replace(claim.win, seat=giver))
    return all(far_from_ready(held, theirs.sets_needed) for held in theirs.waiting)


def bao(case: Case, tally: Tally, payments: list[Payment]) -> list[Payment]:
    """The liable discarder pays what the three owe the winner."""
    giver = case.win.source_seat
    if not case.by_discard or giver is None:
        return payments
    liable = third_dragon(case) or full_flush_shown(case, tally) or unready_discarder(case)
    return alone(case, giver, payments, "liable for the discard") if liable else payments


RULES = Ruleset(
    id="taizhou",
    native="浙江台州 路橋",
    english="Taizhou (Luqiao)",
    region="Luqiao, Taizhou, Zhejiang",
    summary="Hu doubled once a tai, limit 100. All three pay the winner and settle among themselves; whites may stand in.",
    wild=WildRule(
        same_tile, white="either", lone_faces=p.one_of_each_suit(1),
        text="the indicator's three twins (財神), any tile of a winning hand; whites there as themselves or as its face",
    ),
    ritual=Ritual(
        stacks=(17,) * 4, opening=Break(two_throws=True, figure="both"), indicator=Indicator("head"), replacement="lower",
        dead_wall=DeadWall(14, replacement=1), claims=ClaimRules(missed_win="tile", missed_pung=True),
        deal=Succession(drawn="right"), false_win=FalseWin("nothing"),
        customs=Customs("middle", giver=False, closed_kong=ONE_UP),
    ),
    shapes=(shapes.standard,),
    alike=p.alike_by_wait,
    alike_waits=lambda wait: wait if wait == "gap" else "",
    restrictions=(*COMMON, replace(no_wild_discard, code="discarded_wild"), LONE_WILD),
    patterns=(
        Pattern("hudi", "胡底", "base", 10, lambda c: 1, "fu"),
        *fu.patterns(*ITEMS),
        Pattern("duiduihu", "対対胡", "all pungs", 4, p.all_pungs, "fu", note="no tai"),
        Pattern("qiandang", "嵌檔", "closed wait", 2, lambda c: c.wait == "gap", "fu", note="edge and pair waits nothing"),
        Pattern("zimo", "自摸", "self-draw", 2, lambda c: c.self_drawn, "fu"),
        Pattern("qingyise", "清一色", "full flush", 3, p.one_suit, "tai", excludes=("hunyise",)),
        Pattern("hunyise", "混一色", "half flush", 1, p.half_flush, "tai", note="honours alone too"),
    ),
    unit="points",
    pay=pay,
    liability=(bao,),
    outside=(between_losers,),
    false_win=pay_nothing,
    payments_text="Points = hu x 2^tai, at most 100: in full between dealer and others, else half; the limit in full from all. "
    "Between losers the difference of their points likewise.",
    options=(
        Option("limit", Int(0), 100, "the limit of anybody's points"),
        Option(
            "missed_win", OneOf(("same_tile", "higher")), "same_tile",
            "after a passed win: no win on the same tile, or only on a dearer hand",
            lambda r, how: with_ritual(r, claims={"missed_win": "higher"}) if how == "higher" else r,
        ),
        Option(
            "wild_pair_wait", OneOf(("self_draw_only", "higher")), "self_draw_only",
            "higher: a discard wins if worth more than the self-draw passed by the own last discard",
            lambda r, how: r if how != "higher" else replace(
                r, restrictions=tuple(HIGHER if bar is LONE_WILD else bar for bar in r.restrictions)
            ),
        ),
        Option(
            "four_winds", OneOf(("none", "big", "small", "small_own_pair")), "none",
            "13 tai for all four winds: four pungs; or three and the pair of the fourth (the own wind)",
            lambda r, how: r if how == "none" else replace(r, patterns=(*r.patterns, winds_item(how).pattern)),
        ),
        Option("bao_raw_only", Bool(), True, "false: the dragon liabilities apply whether the tile was raw or not"),
        Option("round_up_tens", Bool(), False, "points are rounded up to the next ten before all payments"),
    ),
)  # fmt: skip
