"""上海金山区 Jinshan: fu x 2^tai in tenths plus a base, four flower tiles as wild tiles, 20 fu to win. Sheet:
docs/sheets/shanghai_jinshan.md."""

from __future__ import annotations

from dataclasses import replace

from referee.rules import fu, shapes
from referee.rules import patterns as p
from referee.rules import tiles as t
from referee.rules.claim import Case, Claim
from referee.rules.fu import Item
from referee.rules.payments import everyone
from referee.rules.readings import PUNG, Group, Seen
from referee.rules.restrictions import COMMON, no_wild_discard, reading_bar
from referee.rules.ritual import Break, Discards, Succession, with_ritual
from referee.rules.ruleset import TILES_144, Bool, Int, OneOf, Option, Pattern, Payment, Ruleset, Tally, pay_nothing
from referee.rules.sets.shanghai_liuxing import SHANGHAI
from referee.rules.settle import Outcome
from referee.rules.wilds import WildRule, fixed

MINIMUM = 20

EVERYBODY = (
    *fu.SEASON_ITEMS,
    Item("duizi", "対子", "valued pair", 2, fu.valued_pairs, note="dragons, own wind"),
    *fu.PUNG_ITEMS,
    fu.four_seasons("sihua", "四花"),
    fu.DRAGONS,
    fu.own_wind("zuofeng", "坐風"),
)


def single_wait(case: Case) -> int:
    """単騎: 4 fu on a 1, 9 or honour, else 2."""
    if case.wait != "pair" or case.win_face is None:
        return 0
    return 2 if t.is_orphan(case.win_face) else 1


def four_concealed(case: Case) -> bool:
    """門門鑑: four concealed pungs; a discard can only have made the pair (option: a drawn single wait only)."""
    if len(case.pungs) < 4 or len(case.concealed_pungs) < 4:
        return False
    return case.rules.option("four_concealed") == "full" or (case.wait == "pair" and case.self_drawn)


def alike(group: Group, wild: frozenset[t.Tile]) -> Seen:
    """What this game sees of a group beside the usual: whether it is a pung of three wild tiles, but not what wild tiles, flowers
    all, stand for."""
    itself, (suit, _) = p.alike_by_wait(group, wild)
    return Seen((itself, group.shape == PUNG and group.wilds == 0b111), (suit,))


def best_faces(claim: Claim) -> tuple[t.Tile, ...]:
    """Of honours a dragon and the own wind, of each suit the 1: no other face of a group of wild tiles alone is worth more."""
    return (0, 9, 18, claim.seat_wind, t.RED)


def three_wilds_as_a_pung(case: Case) -> bool:
    """三百搭成凱: three wild tiles read as one pung, the other three sets chows."""
    return len(case.chows) == 3 and any(g.shape == PUNG and g.wilds == 0b111 for g in case.pungs)


def under_minimum(case: Case, tally: Tally) -> str:
    worth = tally.total("fu")
    free = tally.has("shisanyao")
    return f"worth {worth} fu, minimum {MINIMUM}" if worth < MINIMUM and not free else ""


def tenths(points: float) -> int:
    """A tenth of the points, rounded up."""
    return -int(-points // 10)


def limited(rules: Ruleset, amount: int) -> int:
    return min(int(rules.option("limit")), amount)


def pay(case: Case, tally: Tally) -> list[Payment]:
    """A tenth of the points, doubled for the discarder and on a self-draw, and the base; a limit hand the limit."""
    rules, points = case.rules, tally.total("fu") * 2 ** tally.total("tai")
    if tally.has(*LIMITS):
        return everyone(case, lambda payer: rules.option("limit"))

    def share(payer: int) -> int:
        doubled = case.self_drawn or payer == case.win.source_seat
        return limited(rules, tenths(2 * points if doubled else points) + rules.option("base_points"))

    return everyone(case, share)


def between_losers(outcome: Outcome) -> list[Payment]:
    """A tenth of the difference, doubled where one of the two is the discarder."""

    def owed(a: int, b: int, difference: float) -> int:
        doubled = any(v.win.source_seat in (a, b) for v in outcome.winners if v.case and not v.case.self_drawn)
        return limited(outcome.rules, tenths(2 * difference if doubled else difference))

    return fu.side_payments(
        outcome, lambda seat: fu.points(EVERYBODY, fu.of_loser(outcome.record, outcome.rules, seat)), owed
    )


LIMIT_PATTERNS = p.in_unit("limit", (
    Pattern("quanlaotou", "全老頭", "all terminals and honours", 1, p.orphans_only),
    Pattern(
        "menmenjian", "門門鑑", "four concealed pungs", 1, four_concealed,
        note="with a single wait, or two pairs and self-drawn",
    ),
    Pattern("dasixi", "大四喜", "big four winds", 1, p.big_winds),
    Pattern("dasanyuan", "大三元", "big three dragons", 1, p.big_dragons),
    Pattern("shisanyao", "十三么", "thirteen orphans", 1, lambda c: c.shape == "thirteen_orphans", note="no minimum"),
    Pattern("sibaida", "四百搭", "four wilds", 1, lambda c: c.wild_count == 4),
    Pattern("sanbaida_chengkai", "三百搭成凱", "three wilds as a pung", 1, three_wilds_as_a_pung, note="three chows beside"),
    Pattern("tianhu", "天胡", "heavenly hand", 1, p.heavenly),
    Pattern("dihu", "地胡", "earthly hand", 1, p.earthly),
))  # fmt: skip
LIMITS = tuple(pattern.id for pattern in LIMIT_PATTERNS)

RULES = Ruleset(
    id="shanghai_jinshan",
    native="上海金山区",
    english="Jinshan, Shanghai",
    region="Jinshan district, Shanghai",
    summary="Fu x 2^tai paid in tenths plus a base, limit 50; the flowers are four wild tiles; a win needs 20 fu.",
    tiles=TILES_144,
    bonus=frozenset(t.SEASONS),
    wild=WildRule(
        fixed(*t.FLOWERS),
        needs_indicator=False,
        lone_faces=best_faces,
        text="the four flowers 梅蘭菊竹 (百搭), any tile; never discarded",
    ),
    ritual=replace(
        SHANGHAI, opening=Break(two_throws=True, figure="both"), discards=Discards(wild="barred"),
        deal=Succession(drawn="right"),
    ),
    shapes=(shapes.standard, shapes.thirteen_orphans),
    alike=alike,
    alike_waits=p.closed_or_open,
    restrictions=(
        *COMMON,
        replace(no_wild_discard, code="discarded_wild"),
        reading_bar("under_minimum", f"at least {MINIMUM} fu before doubling", under_minimum),
    ),
    patterns=(
        Pattern("di", "底", "base", 10, lambda c: 1, "fu"),
        *fu.patterns(*EVERYBODY),
        Pattern("bian_kan", "辺張・嵌張", "edge or closed wait", 2, lambda c: c.wait in ("edge", "gap"), "fu"),
        Pattern("dandiao", "単騎", "single wait", 2, single_wait, "fu", note="2 to 8: 2 fu; 1, 9, honours: 4 fu"),
        Pattern("zimo", "自摸", "self-draw", 2, lambda c: c.self_drawn, "fu"),
        *p.in_unit("tai", (
            Pattern("gangkai", "槓開", "win on replacement", 1, p.on_replacement, note="of a kong or a season"),
            Pattern("lagang", "拉槓", "robbed kong", 1, lambda c: c.robbed),
            Pattern("duiduihu", "対対胡", "all pungs", 1, p.all_pungs),
            Pattern("meibaida", "没百搭", "no wild", 1, lambda c: not c.wild_count),
            Pattern("xiaosanyuan", "小三元", "small three dragons", 1, p.little_dragons, note="besides the pungs' tai"),
            Pattern("hunyise", "混一色", "half flush", 1, p.half_flush),
            Pattern("qingyise", "清一色", "full flush", 3, p.one_suit, excludes=("hunyise",)),
        )),
        *LIMIT_PATTERNS,
    ),
    unit="points",
    pay=pay,
    outside=(between_losers,),
    false_win=pay_nothing,
    payments_text="A tenth of the points (rounded up) + 3, at most 50: doubled points for the discarder, and for each on a "
    "self-draw. A limit hand: 50 from each. Between losers a tenth of the difference, doubled with the discarder.",
    options=(
        Option("base_points", Int(0), 3, "the base of every payment"),
        Option("limit", Int(0), 50, "the limit of every transfer"),
        Option(
            "four_concealed", OneOf(("full", "self_drawn_pair")), "full",
            "self_drawn_pair: four concealed pungs are a limit hand only with a self-drawn single wait",
        ),
        Option(
            "no_swap_discard", Bool(), False, "after a claim the tile claimed may not be discarded at once",
            lambda r, on: with_ritual(r, discards={"swap": not on}),
        ),
    ),
)  # fmt: skip
