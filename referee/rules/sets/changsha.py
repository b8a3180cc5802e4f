"""湖南長沙 Changsha: small and big wins, wins on the dealt hand, kongs by dice, birds. Sheet: docs/sheets/changsha.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from referee.rules import patterns as p
from referee.rules import shapes
from referee.rules import tiles as t
from referee.rules.claim import Case, Claim, Held
from referee.rules.judge import count_patterns, judge
from referee.rules.payments import everyone, giver
from referee.rules.readings import Reading
from referee.rules.restrictions import COMMON, reading_bar
from referee.rules.ritual import ALL_UP, Break, Claims, Customs, DeadWall, FalseWin, Ritual, Succession, with_ritual
from referee.rules.ruleset import TILES_108, Bool, Option, Pattern, Payment, Ruleset, Tally, pay_nothing

TWO_FIVE_EIGHT = frozenset(filter(p.two_five_eight, t.SUITED))
COMPLETE = (shapes.standard, shapes.seven_pairs, shapes.all_of("all_258", TWO_FIVE_EIGHT))
FREE_PAIR = ("pengpenghu", "qixiaodui", "jiangjianghu", "qingyise")


def dealt_tiles(claim: Claim, held: Held) -> Iterator[Reading]:
    """The dealt hand as it is: 13 tiles, the dealer's 14; what matters is which tiles it holds.

    A heavenly win is big and nothing else (last decision).
    """
    size = 14 if claim.is_dealer else 13
    if claim.dealt and not claim.player.melds and held.size == size and not heavenly(claim, held):
        yield Reading((), "dealt")


def heavenly(claim: Claim, held: Held) -> bool:
    """Whether the dealt tiles are a complete hand that may win."""
    cases = (Case.of(claim, reading) for shape in COMPLETE for reading in shape(claim, held))
    return any(not pair_not_258(case, count_patterns(case)) for case in cases)


def dealt(case: Case) -> Counter[int]:
    """Kinds of the dealt tiles; empty for any other win."""
    return Counter(case.concealed) if case.shape == "dealt" else Counter()


def missing_suit(case: Case) -> bool:
    return case.shape == "dealt" and len({t.suit(tile) for tile in dealt(case)}) < 3


def complete(case: Case) -> bool:
    """A hand with a winning shape, as against a small win on the dealt tiles."""
    return case.shape != "dealt"


def all_258(case: Case) -> bool:
    return complete(case) and all(map(p.two_five_eight, case.faces))


def melded_hand(case: Case) -> bool:
    """全求人: four chows, pungs or open kongs, by discard or self-draw."""
    return len(case.open_sets) == 4 and not case.robbed


def last_draw(case: Case) -> bool:
    return case.win.last_tile and case.source == "wall"


def last_discard(case: Case) -> bool:
    return case.win.last_tile and case.by_discard


def big(tally: Tally) -> int:
    """How many big patterns."""
    return tally.total("big")


def pair_not_258(case: Case, tally: Tally) -> bool:
    """Four sets need a pair of 2, 5 or 8 unless all pungs, all 2-5-8, pure suit or an option frees it."""
    if case.pair is None or p.two_five_eight(case.pair.tile) or tally.has(*FREE_PAIR):
        return False
    if case.rules.option("quanqiuren_free_pair") and tally.has("quanqiuren"):
        return False
    return not (case.rules.option("all_dahu_free_pair") and big(tally))


def both_tiles_win(case: Case) -> bool:
    """双槓: the other tile of the stack that the dice gave would make a legal win too."""
    win = case.win
    if not case.rules.option("double_kong") or not win.dice_kong or win.second_tile is None:
        return False
    return judge(case.record, case.rules, replace(win, tile=win.second_tile, second_tile=None)).legal


def birds(case: Case) -> tuple[int, ...]:
    """Tiles that choose birds: those turned; for the wall's last tile that tile itself, as a kong's replacement none."""
    wanted = 2 if case.rules.option("double_birds") else 1
    if case.win.last_tile and case.source == "kong":
        return ()
    if (last_draw(case) or last_discard(case)) and case.win.tile is not None:
        return (case.win.tile,) * wanted
    return case.win.birds[:wanted]


def bird_factor(case: Case, payer: int) -> int:
    """扎鳥: counted from the dealer as 1; one bird on payer or winner doubles, two (option double_birds) treble."""
    hits = [(case.record.dealer + t.rank(tile) - 1) % 4 for tile in birds(case)]
    return 1 + sum(1 for seat in hits if seat in (payer, case.seat))


def pay(case: Case, tally: Tally) -> list[Payment]:
    """Per pattern: small 1, big 3 by self-draw and 6 by discard; 1 more between dealer and others (chapter Payments)."""
    count, rate = big(tally), 3 if case.self_drawn else 6
    if case.rules.option("liuqipian"):
        count, rate = min(count, 1), 6
    twice = 2 if both_tiles_win(case) else 1

    def amount(payer: int) -> int:
        dealer = case.dealer_between(payer)
        points = count * (rate + dealer) if count else tally.total("small") * (1 + dealer)
        return points * twice * bird_factor(case, payer)

    if case.self_drawn or case.win.source_seat is None:
        return everyone(case, amount)
    return giver(case, amount(case.win.source_seat))


SMALL = (
    Pattern("pinghu", "平胡", "plain win", 1, complete, alone=True, note="four sets, 2/5/8 pair, no big pattern"),
    Pattern("sixi", "四喜", "four alike", 1, lambda c: 4 in dealt(c).values(), note="dealt tiles"),
    Pattern(
        "banbanhu", "板板胡", "no 2-5-8", 1,
        lambda c: c.shape == "dealt" and not TWO_FIVE_EIGHT & set(dealt(c)), note="dealt tiles",
    ),
    Pattern("queyise", "欠一色", "missing suit", 1, missing_suit, note="dealt tiles"),
    Pattern(
        "liuliushun", "六六順", "two triplets", 1, lambda c: sum(1 for n in dealt(c).values() if n >= 3) >= 2, note="dealt tiles"
    ),
)  # fmt: skip
BIG = (
    Pattern("pengpenghu", "碰碰胡", "all pungs", 1, p.all_pungs, note="free pair"),
    Pattern("qixiaodui", "七小対", "seven pairs", 1, lambda c: c.shape == "seven_pairs", note="concealed, free pair"),
    Pattern(
        "haohua", "豪華七小対", "luxury seven pairs", 1,
        lambda c: c.shape == "seven_pairs" and p.fours_in_pairs(c) > 0, note="on top of seven pairs, once",
    ),
    Pattern("jiangjianghu", "将将胡", "all 2-5-8", 1, all_258, note="no shape needed"),
    Pattern("qingyise", "清一色", "pure suit", 1, lambda c: complete(c) and p.one_suit(c), note="free pair"),
    Pattern("quanqiuren", "全求人", "melded hand", 1, melded_hand, note="by discard or self-draw"),
    Pattern("haidilaoyue", "海底撈月", "last-tile self-draw", 1, last_draw),
    Pattern("haidipao", "海底炮", "last-tile discard", 1, last_discard),
    Pattern("gangshangkaihua", "槓上開花", "kong win", 1, lambda c: c.source == "kong" and c.win.dice_kong, note="by dice"),
    Pattern(
        "gangshangpao", "槓上炮", "discard after kong", 1, lambda c: c.by_discard and c.win.dice_kong,
        note="on the discarded replacement chosen by dice",
    ),
    Pattern("qiangganghu", "搶槓胡", "robbing a kong", 1, lambda c: c.robbed),
    Pattern("tianhu", "天胡", "heavenly win", 1, lambda c: complete(c) and c.dealt, note="as a self-draw"),
    Pattern("dihu", "地胡", "earthly win", 1, p.earthly),
)  # fmt: skip

RULES = Ruleset(
    id="changsha",
    native="長沙麻將",
    english="Changsha",
    region="Changsha, Hunan",
    summary="Small wins and big wins with fixed points, small wins on the dealt hand, and birds that double payments.",
    tiles=TILES_108,
    ritual=Ritual(
        stacks=(14, 14, 13, 13), opening=Break(figure="smaller"), dice_tiles=1, dead_wall=DeadWall(refusal=True),
        claims=Claims(missed_win="tile", missed_skip=False),
        deal=Succession(winner="winner", several="discarder", bird=True, drawn="last"), false_win=FalseWin("nothing"),
        customs=Customs(closed_kong=ALL_UP),
    ),
    winners="many",
    shapes=(*COMPLETE, dealt_tiles),
    restrictions=(
        *COMMON,
        reading_bar("pair_not_258", "the pair must be 2, 5 or 8", pair_not_258),
        reading_bar(
            "no_dealt_pattern", "the dealt tiles have no pattern", lambda c, tally: c.shape == "dealt" and not tally.entries
        ),
    ),
    patterns=(*p.in_unit("small", SMALL), *p.in_unit("big", BIG)),
    pay=pay,
    false_win=pay_nothing,
    payments_text="Small patterns 1 each, with the dealer 2; big ones 3 by self-draw (dealer 4) from all, 6 (7) from the "
    "discarder or robbed player. With a big pattern the small ones do not count. A bird on payer or winner doubles.",
    options=(
        Option("all_dahu_free_pair", Bool(), False, "any big pattern frees the pair"),
        Option("quanqiuren_free_pair", Bool(), False, "the melded hand frees its pair"),
        Option(
            "double_kong", Bool(), False, "双槓: both tiles of the stack are drawn; points double where both win",
            lambda r, on: with_ritual(r, dice_tiles=2 if on else 1),
        ),
        Option("double_birds", Bool(), False, "双鳥: two birds; one on payer or winner x2, two x3"),
        Option("liuqipian", Bool(), False, "六七片: 6/7 for a big self-draw too, any number of big patterns counts once"),
    ),
)  # fmt: skip
