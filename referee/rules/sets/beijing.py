"""北京 Beijing: open hands win by their own tile only; everything is a double. Sheet: docs/sheets/beijing.md."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from referee.rules import patterns as p
from referee.rules import shapes
from referee.rules import tiles as t
from referee.rules.claim import SELF_DRAWN, Case, Claim
from referee.rules.payments import alone, everyone, same_discard_rounds
from referee.rules.readings import CHOW, PAIR, Group, Seen
from referee.rules.record import Incident, Record
from referee.rules.restrictions import claim_bar, dead_hand, no_wild_discard, reading_bar, self_draw_only
from referee.rules.ritual import (
    ONE_UP,
    Customs,
    DeadWall,
    Discards,
    Indicator,
    Ritual,
    Succession,
    effects,
    with_ritual,
)
from referee.rules.ruleset import Bool, Int, OneOf, Option, Pattern, Payment, Ruleset, Tally, pay_claimed
from referee.rules.settle import Outcome
from referee.rules.tiles import Tile
from referee.rules.wilds import WildRule, next_tile_two_rings

FIVE = 4  # 5m
THIRDS = (0, 3, 6)  # the runs 123, 456 and 789 of a suit begin here
RARE = ("tianhu", "dihu")
DEAD_WALLS = {
    "7": DeadWall(14, half_stack=True),
    "7_8": DeadWall(by_kongs=(14, 14, 16), half_stack=True),
    "14_plus": DeadWall(14, open_kong=1, concealed_kong=1),
}


def telling_faces(claim: Claim) -> tuple[Tile, ...]:
    """Faces for sets and pairs of wilds alone: their own, and in each suit those that begin a third of a flush."""
    return tuple(sorted(claim.wild_kinds | {9 * suit + first for suit in range(3) for first in THIRDS}))


def alike(group: Group, wild: frozenset[Tile]) -> Seen:
    """What this game sees of a set: thirds of a flush and their changed wilds, four alike in natural pairs, wild pairs and
    whether they are themselves (5m may be); of the hand whether a wild is changed."""
    changed = p.changed_wild(group, wild)
    if group.shape == PAIR:
        return Seen((group.shape, group.wilds or group.tile + 4, changed), (changed,))
    third = group.shape == CHOW and group.tile % 9 in THIRDS
    return Seen((group.tile, changed) if third else "", (changed,))


def alike_in_suit(group: Group, wild: frozenset[Tile]) -> Seen:
    """The same, pungs told from runs, and with the hand's suits, for the options that look at them."""
    itself, of_hand = alike(group, wild)
    return Seen((group.shape, itself), (*of_hand, t.suit(group.tile)))


def catch_five(case: Case) -> bool:
    """捉五: a real 5m fills 4m-6m, or pairs a real 5m in seven pairs; a wild may play the 4m or 6m, not the 5m."""
    group = case.win_group
    if case.win.tile != FIVE or case.win_face != FIVE or group is None:
        return False
    if group.shape == CHOW:
        return case.reading.slot == 1
    real = not group.wilds or case.is_wild(FIVE)
    return case.shape == "seven_pairs" and group.shape == PAIR and real


def flush_runs(case: Case, suit: int) -> list[Tile]:
    return [9 * suit + first for first in THIRDS]


def native_wild_flush(case: Case) -> bool:
    """本混龙: a flush in the wild's own suit, a wild standing for another tile of the nine."""
    suits = {tile // 9 for tile in case.wild_kinds if tile < 27}
    if not suits or not p.straight(case):
        return False
    runs = flush_runs(case, suits.pop())
    if not set(runs) <= {g.tile for g in case.chows}:
        return False
    return any(not case.is_wild(face) for g in case.chows if g.tile in runs for face in g.wild_faces)


def not_closed(claim: Claim) -> str:
    """By discard or robbed kong wins only a hand without open sets and with at most two wilds (decision 6)."""
    if claim.self_drawn:
        return ""
    if claim.open_sets:
        return "a hand with an open set wins by its own tile only"
    return "a hand with more than two wilds wins by its own tile only" if claim.wild_count > 2 else ""


def robs_closed_kong(case: Case, tally: Tally) -> bool:
    """A closed kong is robbed by a flush only, with the robbed tile in one of its three runs."""
    if not case.robbed or case.win.robbed_kind != "concealed":
        return False
    group = case.win_group
    in_flush = group is not None and group.shape == CHOW and group.tile % 9 in THIRDS
    return not (
        in_flush and group is not None and set(flush_runs(case, group.tile // 9)) <= {g.tile for g in case.chows}
    )


def too_many_claims(claim: Claim) -> bool:
    """Option at_most_once: one chow or pung a hand, a filled kong counts as its pung."""
    claims = sum(1 for m in claim.player.melds if m.kind in ("chow", "pung", "added_kong"))
    return bool(claim.rules.option("at_most_once")) and claims > 1


def upstairs(record: Record, rules: Ruleset) -> int:
    """上楼: everything scored is doubled after a drawn hand, by option also from the banker's third hand on."""
    if not rules.option("upstairs"):
        return 1
    long_banker = rules.option("upstairs_long_banker") and record.repeat >= 2
    return 2 if record.draw_streak or long_banker else 1


def kong_points(case: Case, tally: Tally) -> int:
    """The winner's kongs: open 1, closed 2, doubled by kong bloom."""
    points = sum(1 if kong.is_claimed else 2 for kong in case.kongs)
    return points * 2 if tally.has("kong_bloom") else points


def pay(case: Case, tally: Tally) -> list[Payment]:
    """Each loser pays 2^doubles (or the rare amount) + kong points (chapter Payments)."""
    rare_amount = tally.total("points") if tally.has(*RARE) else None
    doubled, kongs = 2 ** tally.total("double"), kong_points(case, tally)
    banker_kongs = 2 if case.rules.option("kong_points_banker") else 1
    times = upstairs(case.record, case.rules)

    def amount(payer: int) -> int:
        more = 2 ** ((payer == case.record.dealer) + (payer == case.win.source_seat))
        won = doubled * more if rare_amount is None else rare_amount
        return int(won + kongs * (banker_kongs if case.dealer_between(payer) else 1)) * times

    return everyone(case, amount)


def big_liability(case: Case, tally: Tally, payments: list[Payment]) -> list[Payment]:
    """大包, option discarder_pays_all: the discarder (or robbed player) pays all three shares."""
    if not case.rules.option("discarder_pays_all") or case.self_drawn or case.win.source_seat is None:
        return payments
    return alone(case, case.win.source_seat, payments, "pays for all")


def wild_kong(outcome: Outcome) -> list[Payment]:
    """混杠: who holds all four wilds when the hand ends gets the rare amount from each, whoever wins (decision 3)."""
    record = outcome.record
    wilds = outcome.rules.wild_kinds(record)
    amount = outcome.rules.option("rare_points") * upstairs(record, outcome.rules)
    payments = []
    for seat, player in enumerate(record.players):
        drawn = [w.tile for w in record.wins if w.seat == seat and w.source in SELF_DRAWN]
        if sum(1 for tile in (*(player.hand or ()), *drawn) if tile in wilds) == 4:
            payments += [Payment(other, seat, amount, "wild kong") for other in range(4) if other != seat]
    return payments


def busted_banker(outcome: Outcome) -> list[Payment]:
    """烧庄, option: everybody discarded the same tile at the start and somebody wins."""
    dealer = outcome.record.dealer
    if not outcome.rules.option("busted_banker") or not outcome.winners or not same_discard_rounds(outcome.record):
        return []
    amount = outcome.rules.option("busted_points")
    return [Payment(dealer, seat, amount, "busted banker") for seat in range(4) if seat != dealer]


def false_win(outcome: Outcome, incident: Incident) -> list[Payment]:
    if not outcome.rules.option("false_win_fixed") or incident.seat is None:
        return pay_claimed(outcome, incident)
    amount = outcome.rules.option("rare_points")
    return [Payment(incident.seat, seat, amount, "false win") for seat in range(4) if seat != incident.seat]


def doubles(pattern: str) -> Callable[[Ruleset, Any], Ruleset]:
    """An option whose number is the worth of a pattern, 0: not played."""

    def apply(rules: Ruleset, value: int) -> Ruleset:
        played = rules.with_patterns(**{pattern: {"worth": value} if value else None})
        return replace(played, alike=alike_in_suit) if value else played

    return apply


def when_on(pattern: str) -> Callable[[Ruleset, Any], Ruleset]:
    return lambda rules, on: rules if on else rules.with_patterns(**{pattern: None})


DOUBLES = (
    Pattern("banker", "庄家", "banker", 1, lambda c: c.is_dealer, note="another's win: on the banker's payment only"),
    Pattern("closed", "门清", "closed", 1, lambda c: c.is_concealed),
    Pattern("own_tile", "提溜", "own tile", 1, lambda c: c.self_drawn, note="discard, robbed kong: on the giver's payment only"),
    Pattern(
        "straight", "没混", "straight", 1, lambda c: c.all_at_face, excludes=("wild_eye", "native_wild_flush"),
        note="no wild, or every wild at its face value",
    ),
    Pattern("flush", "龙", "flush", 1, p.straight, note="123, 456, 789 of one suit"),
    Pattern("seven_pairs", "七对", "seven pairs", 1, lambda c: c.shape == "seven_pairs"),
    Pattern(
        "deluxe", "豪华", "deluxe", 1,
        lambda c: p.fours_in_pairs(c, natural=True) if c.shape == "seven_pairs" else 0, note="each four alike, none a wild",
    ),
    Pattern("catch_five", "捉五魁", "catch five", 1, catch_five, note="a real 5m between 4m and 6m"),
    Pattern("kong_bloom", "杠开", "kong bloom", 1, lambda c: c.source == "kong", note="doubles the kong points too"),
    Pattern("wild_eye", "混悠", "wild eye", 1, p.lone_wild_paired, note="option wild_eye"),
    Pattern("native_wild_flush", "本混龙", "native wild flush", 1, native_wild_flush, note="option native_wild_flush"),
    Pattern("pure_one_suit", "清一色", "pure one suit", 1, p.one_suit, note="option"),
    Pattern("all_pungs", "对对胡", "all pungs", 1, p.all_pungs, note="option"),
    Pattern("single_tile_hand", "大钓", "single tile hand", 1, p.single_tile_left, note="option; four melds, one tile in hand"),
    Pattern("last_tile", "海底捞月", "last tile", 1, lambda c: c.win.last_tile and c.self_drawn, note="option"),
)  # fmt: skip
EVERY_DOUBLE = tuple(pattern.id for pattern in DOUBLES)


def rare(case: Case) -> int:
    return int(case.rules.option("rare_points"))


RULES = Ruleset(
    id="beijing",
    native="北京麻将",
    english="Beijing",
    region="Beijing",
    summary="Every item is one double; a hand with open sets wins by its own tile only.",
    wild=WildRule(
        next_tile_two_rings, lone_faces=telling_faces,
        text="the tile after the indicator (混儿), four of them, any tile, concealed only",
    ),
    ritual=Ritual(
        stacks=(17,) * 4, indicator=Indicator("head"), dead_wall=DEAD_WALLS["7"], discards=Discards(wild="forfeits"),
        same_discards="opening", deal=Succession(rounds=4), effects=effects(("wild_discarded",), false_win="penalty"),
        customs=Customs("middle", closed_kong=ONE_UP),
    ),
    shapes=(shapes.standard, shapes.seven_pairs),
    alike=alike,
    restrictions=(
        dead_hand,
        claim_bar(
            "wild_discarded", "who discards a wild may not win in this hand",
            lambda c: any(map(c.is_wild, c.player.discards or ())),
        ),
        no_wild_discard,
        claim_bar("not_closed", "no discard for a hand with open sets or more than two wilds", not_closed),
        self_draw_only("lone_wild_wait", "a hand waiting with a lone wild wins by its own tile only", pairs=6),
        reading_bar("no_robbing", "a closed kong is robbed for one of the runs of a flush only", robs_closed_kong),
        claim_bar("too_many_claims", "only one chow or pung a hand", too_many_claims),
        reading_bar(
            "void_suit", "the hand must lack one suit",
            lambda c, tally: bool(c.rules.option("void_suit")) and c.suits >= {0, 1, 2},
        ),
    ),
    patterns=(
        *p.in_unit("double", DOUBLES),
        Pattern("tianhu", "天胡", "heavenly win", rare, p.heavenly_as_dealt, excludes=EVERY_DOUBLE, note="rare_points from each"),
        Pattern("dihu", "地胡", "earthly win", rare, p.earthly, excludes=EVERY_DOUBLE, note="rare_points from each"),
    ),
    pay=pay,
    liability=(big_liability,),
    outside=(wild_kong, busted_banker),
    false_win=false_win,
    payments_text="Each loser pays 2^doubles + the winner's kong points (open 1, closed 2), one double more for the banker and "
    "for the discarder or robbed player. All four wilds in one hand (混杠): rare_points from each other player.",
    options=(
        Option("rare_points", Int(0), 20, "amount of heavenly win, earthly win and wild kong"),
        Option("wild_eye", Bool(), False, "one double for a lone wild paired by the drawn tile", when_on("wild_eye")),
        Option("native_wild_flush", Bool(), False, "one double for a flush in the wild's suit", when_on("native_wild_flush")),
        Option("kong_points_banker", Bool(), False, "kong points x2 where the banker wins or pays"),
        Option("upstairs", Bool(), False, "上楼: after a drawn hand everything scored is doubled once"),
        Option("upstairs_long_banker", Bool(), False, "with upstairs: also from the banker's third hand in a row on"),
        Option(
            "void_suit", Bool(), False, "断门: the finished hand must lack at least one suit",
            lambda r, on: replace(r, alike=alike_in_suit) if on else r,
        ),
        Option("busted_banker", Bool(), False, "烧庄: all discarded alike at the start and somebody wins: the banker pays"),
        Option("busted_points", Int(0), 10, "what the busted banker pays to each"),
        Option(
            "at_most_once", Bool(), False, "only one chow or pung a hand; direct kongs unlimited",
            lambda r, on: with_ritual(r, claims={"most": 1}) if on else r,
        ),
        Option("pure_one_suit", Int(0), 0, "doubles for 清一色", doubles("pure_one_suit")),
        Option("all_pungs", Int(0), 0, "doubles for 对对胡", doubles("all_pungs")),
        Option("single_tile_hand", Int(0), 0, "doubles for 大钓", doubles("single_tile_hand")),
        Option("last_tile", Int(0), 0, "doubles for 海底捞月", doubles("last_tile")),
        Option("discarder_pays_all", Bool(), False, "大包: the discarder pays all three shares"),
        Option(
            "false_win_fixed", Bool(), False, "a false win costs rare_points to each",
            lambda r, on: with_ritual(r, false_win={"pays": "fixed"}) if on else r,
        ),
        Option(
            "dead_wall", OneOf(tuple(DEAD_WALLS)), "7", "7 stacks; 7, with two or more kongs 8; 14 tiles + 1 a kong",
            lambda r, value: replace(r, ritual=replace(r.ritual, dead_wall=DEAD_WALLS[value])) if r.ritual else r,
        ),
        Option(
            "missed_win", Bool(), False, "a passed tile cannot be won on by discard before the own turn",
            lambda r, on: with_ritual(r, claims={"missed_win": "tile"}) if on else r,
        ),
    ),
)  # fmt: skip
