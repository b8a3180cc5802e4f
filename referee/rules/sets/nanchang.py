"""江西南昌 Nanchang: seven wild fine tiles that also pay by themselves, runs of honours. Sheet: docs/sheets/nanchang.md."""

from __future__ import annotations

from dataclasses import replace

from referee.rules import patterns as p
from referee.rules import shapes
from referee.rules import tiles as t
from referee.rules.claim import Case
from referee.rules.payments import everyone, kong_money, same_discard_rounds
from referee.rules.readings import PAIR, Group, Seen
from referee.rules.record import Meld, Record
from referee.rules.restrictions import COMMON, reading_bar
from referee.rules.ritual import (
    ONE_UP,
    Break,
    Claims,
    Customs,
    DeadWall,
    Indicator,
    Ritual,
    Succession,
    effects,
    with_ritual,
)
from referee.rules.ruleset import Bool, OneOf, Option, Pattern, Payment, Ruleset, Tally
from referee.rules.settle import Outcome
from referee.rules.tiles import Tile
from referee.rules.wilds import WildRule, next_tile_two_rings

FINE_KONG, GERMAN_BONUS, BANKER_FINE, RARE = 10, 5, 5, 20


def fine_tiles(indicator: Tile | None) -> frozenset[Tile]:
    """First fine 正精: the indicator's like; second fine 副精: the tile after it."""
    return frozenset() if indicator is None else next_tile_two_rings(indicator) | {indicator}


def alike(group: Group, fines: frozenset[Tile]) -> Seen:
    """What this game sees of a set: a run or not, which fine tiles are at face value, how a pair is made up; of the hand whether
    a fine tile is changed."""
    changed = p.changed_wild(group, fines)
    shown = () if changed else tuple(sorted(group.wild_faces))
    return Seen((group.shape, shown, group.shape == PAIR and group.wilds), (changed,))


def seven_stars(case: Case) -> bool:
    """七星: independent tiles with all seven honours, each real or a fine tile at face value."""
    if case.shape != "independent" or not set(t.HONOURS) <= set(case.faces):
        return False
    return all(face in case.wild_tiles for face in case.wild_faces if t.is_honour(face))


def german(case: Case) -> bool:
    """德国: no fine tile in the finished hand, or all at face value; claimed and melded ones are."""
    return case.all_at_face


def double_german(case: Case) -> bool:
    """德中德: German, and the three losers hold no fine tile, melds included."""
    return german(case) and not any(fines_held(case.record, case.wild_kinds, seat) for seat in case.losers)


def lone_fine_wait(case: Case, tally: Tally) -> bool:
    """A hand waiting with a lone fine tile wins by own draw only, unless the finished hand is German (decision 7)."""
    return not case.self_drawn and case.lone_wild(pairs=6) and not german(case)


def pay(case: Case, tally: Tally) -> list[Payment]:
    """2^doubles from each; German + 5 undoubled, on a discard from the discarder alone (chapter Payments)."""
    if tally.has("tianhu", "dihu"):
        return everyone(case, lambda payer: RARE)
    doubled, bonus = 2 ** tally.total("double"), GERMAN_BONUS if tally.has("deguo") else 0

    def amount(payer: int) -> int:
        gave = case.by_discard and payer == case.win.source_seat
        more = 2 ** ((payer == case.record.dealer) + gave)
        return int(doubled * more + (bonus if gave or not case.by_discard else 0))

    return everyone(case, amount)


def fines_held(record: Record, fines: frozenset[Tile], seat: int) -> list[Tile]:
    """Fine tiles in hand and melds, discards not counted; a winning tile is counted where it is known to be held."""
    player = record.players[seat]
    held = [*(player.hand or ()), *(tile for meld in player.melds for tile in meld.tiles)]
    return [tile for tile in held if tile in fines]


def fine_points(tiles: list[Tile], first: Tile | None) -> int:
    """2 for each first, 1 for each second fine tile; from 5 on (冲关) t x (t - 3)."""
    points = sum(2 if tile == first else 1 for tile in tiles)
    return points * (points - 3) if points >= 5 else points


def fine_money(outcome: Outcome) -> list[Payment]:
    """Every player's fine tiles, won or drawn; the only holder's points are doubled (霸王). A drawn winning tile counts
    even where the win is refused, a claimed one only with a legal win (decision 12)."""
    record = outcome.record
    fines = outcome.rules.wild_kinds(record)
    held = [fines_held(record, fines, seat) for seat in range(4)]
    for verdict in outcome.verdicts:
        win = verdict.win
        taken = verdict.legal or win.source not in ("discard", "robbed_kong")
        if win.tile in fines and win.tile is not None and taken:
            held[win.seat].append(win.tile)
    alone = 2 if sum(1 for tiles in held if tiles) == 1 else 1
    return [
        Payment(other, seat, alone * fine_points(tiles, record.indicator), "fine tiles")
        for seat, tiles in enumerate(held)
        for other in range(4)
        if other != seat
    ]


def kongs(outcome: Outcome) -> list[Payment]:
    """Open 1, closed 2, a kong of fine tiles 10, from each, no banker double."""
    fines = outcome.rules.wild_kinds(outcome.record)

    def price(kong: Meld) -> int:
        return FINE_KONG if kong.tiles[0] in fines else 1 if kong.is_claimed else 2

    return kong_money(outcome.record, price, giver_alone=False)


def sacked_banker(outcome: Outcome) -> list[Payment]:
    """抄庄: all four first discards alike; option draw_penalty: the same once more in a drawn hand."""
    dealer = outcome.record.dealer
    times = min(same_discard_rounds(outcome.record), 1)
    times += bool(outcome.rules.option("draw_penalty")) and not outcome.record.wins
    return [Payment(dealer, seat, times * BANKER_FINE, "sacked banker") for seat in range(4) if seat != dealer]


DOUBLES = (
    Pattern(
        "zhuangjia", "庄家", "banker", 1, lambda c: c.is_dealer, note="another's win: on the banker's payment only"
    ),
    Pattern("zimo", "自摸", "own tile", 1, lambda c: c.self_drawn),
    Pattern("dianpao", "点炮", "letting off", 0, lambda c: c.by_discard, note="x2 on the discarder's payment"),
    Pattern("jingdiao", "精钓", "fine call", 1, p.lone_wild_paired, note="with own tile"),
    Pattern("gangkai", "杠开", "kong bloom", 1, lambda c: c.source == "kong", note="with own tile; once"),
    Pattern("qianggang", "抢杠", "robbing a kong", 1, lambda c: c.robbed, note="on all three payments"),
    Pattern("daqidui", "大七对", "all pungs", 1, p.all_pungs),
    Pattern("xiaoqidui", "小七对", "seven pairs", 1, lambda c: c.shape == "seven_pairs"),
    Pattern("shisanlan", "十三烂", "independent tiles", 1, lambda c: c.shape == "independent"),
    Pattern("qixing", "七星", "seven stars", 1, seven_stars, note="on top of independent tiles"),
    Pattern("deguo", "德国", "German", 1, german, note="and 5 more: from all, on a discard from the discarder"),
    Pattern("dezhongde", "德中德", "double German", 1, double_german, note="on top of German"),
)
EVERY_DOUBLE = tuple(pattern.id for pattern in DOUBLES)

RULES = Ruleset(
    id="nanchang",
    native="南昌麻将",
    english="Nanchang",
    region="Nanchang, Jiangxi",
    summary="Seven fine tiles (精) are wild and pay by themselves, in drawn hands too; hands without wilds (德国) are dear.",
    wild=WildRule(
        fine_tiles, in_melds=True, claimable=True, lone_faces=p.wild_kinds,
        text="first fine 正精: the indicator's three twins; second fine 副精: the next tile; any tile in the concealed hand, "
        "themselves where claimed or melded",
    ),
    # 17 stacks stay, the indicator's among them: 33 tiles and the indicator
    ritual=Ritual(
        stacks=(17,) * 4, opening=Break(two_throws=True, figure="both"), indicator=Indicator("tail", thrower="dealer"),
        dead_wall=DeadWall(33), claims=Claims(missed_win="tile"), same_discards="opening",
        deal=Succession(sacked_passes=True, rounds=4), effects=effects(false_win="penalty"),
        customs=Customs("middle", giver=False, closed_kong=ONE_UP),
    ),
    honour_chows=True,
    shapes=(shapes.standard, shapes.seven_pairs, shapes.independent),
    alike=alike,
    restrictions=(*COMMON, reading_bar("lone_fine_wait", "a lone fine tile wins by own draw only", lone_fine_wait)),
    losers_hands=True,
    patterns=(
        *p.in_unit("double", DOUBLES),
        Pattern("tianhu", "天胡", "heavenly win", RARE, p.heavenly_as_dealt, excludes=EVERY_DOUBLE, note="from each, flat"),
        Pattern("dihu", "地胡", "earthly win", RARE, p.earthly, excludes=EVERY_DOUBLE, note="from each, flat"),
    ),
    pay=pay,
    outside=(kongs, fine_money, sacked_banker),
    payments_text="Each loser pays 2^doubles, one more for the banker and for the discarder; German + 5 undoubled. For every "
    "player, from each: kong 1 or 2, of fine tiles 10; fine tiles 2 and 1 each, from 5 points t x (t - 3), doubled for the only "
    "holder. Sacked banker: 5 to each.",
    options=(
        Option("draw_penalty", Bool(), False, "in a drawn hand the banker pays 5 to each, besides a sacking"),
        Option(
            "indicator_drawable", Bool(), False, "the indicator is drawn when reached and is then a fourth first fine tile",
            lambda r, on: replace(r, indicator_in_play=on),
        ),
        Option(
            "dead_wall", OneOf(("17_stacks", "34_tiles", "stack_or_half")), "17_stacks", "what is never drawn",
            lambda r, value: with_ritual(r, dead_wall={"half_stack": value == "stack_or_half"}),
        ),
        Option(
            "missed_pung", Bool(), False, "a passed pung is barred until the own turn",
            lambda r, on: with_ritual(r, claims={"missed_pung": on}),
        ),
    ),
)  # fmt: skip
