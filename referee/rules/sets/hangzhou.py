"""杭州 Hangzhou: two winning shapes, hardly any patterns; everything is doubling. Sheet: docs/sheets/hangzhou.md."""

from __future__ import annotations

from dataclasses import replace

from referee.rules import shapes
from referee.rules.claim import Case, Claim, Held
from referee.rules.patterns import fours_in_pairs, lone_wild_paired
from referee.rules.payments import everyone, giver
from referee.rules.readings import PAIR, Group, Reading, Seen
from referee.rules.restrictions import COMMON, claim_bar, no_wild_discard, self_draw_only
from referee.rules.ritual import (
    ALL_DOWN,
    CLAIMS,
    Customs,
    DeadWall,
    FalseWin,
    Floats,
    Indicator,
    Ritual,
    Succession,
    effects,
    with_ritual,
)
from referee.rules.ruleset import Bool, Int, OneOf, Option, Pattern, Payment, Ruleset, Tally
from referee.rules.tiles import EAST, WHITE, Tile
from referee.rules.wilds import WildRule, fixed, same_tile

HONOUR_WINS = {"ten_honours": 1, "eleven_honours": 2}


def lao(case: Claim) -> int:
    """牢: hands in a row the dealer has dealt, 1 to 3 (chapter Dealer and rounds)."""
    return min(case.record.repeat, 2) + 1


def ten_honours(claim: Claim, held: Held) -> list[Reading]:
    """十風: honours discarded in a row from the start, taken at its word; there is no shape to check (decision 13)."""
    played = claim.rules.option("ten_honours") != "off"
    return [Reading((), claim.win.special)] if played and claim.win.special in HONOUR_WINS else []


def alike(group: Group, wild: frozenset[Tile]) -> Seen:
    """What this game sees of a set: nothing but the pairs, where their wilds are and which tile a real pair is of."""
    return Seen(group.shape == PAIR and (group.wilds, group.wilds or group.tile))


def floats(case: Case) -> int:
    """財飄: floats count with the lone wild only (decision 4)."""
    return case.win.floats if lone_wild_paired(case) else 0


def kongs_in_a_row(case: Case) -> int:
    return case.win.kong_chain if case.self_drawn else 0


def honour_win_factor(case: Case) -> int:
    return 2 if case.rules.option("ten_honours") == "ten_baotou" else HONOUR_WINS[case.shape]


def discard_barred(claim: Claim) -> str:
    """Discards and robbed kongs win at three lao only, and only between dealer and non-dealer."""
    if claim.win.source not in ("discard", "robbed_kong") or claim.win.source_seat is None:
        return ""
    if claim.rules.option("self_draw_only"):
        return "only self-drawn wins are allowed"
    least = 2 if claim.robbed and claim.rules.option("rob_from_two") else 3
    if lao(claim) < least:
        return f"{lao(claim)} lao, a {'robbed kong' if claim.robbed else 'discard'} wins from {least} lao on"
    if not claim.dealer_between(claim.win.source_seat):
        return "a discard wins only between the dealer and another player"
    return ""


def floated_away(claim: Claim) -> bool:
    """Option wild_discard_forfeits: more wilds discarded than floats led to this win."""
    wilds = sum(1 for tile in claim.player.discards or () if claim.is_wild(tile))
    return bool(claim.rules.option("wild_discard_forfeits")) and wilds > claim.win.floats


def forbidden_claims(claim: Claim) -> str:
    """Option feed_limit: a third set that may not be claimed from one player, by the first three taken from him."""
    limit = claim.rules.option("feed_limit")
    if limit == "none" or lao(claim) < claim.rules.option("feed_limit_from"):
        return ""
    for giver_seat in claim.losers:
        taken = [meld.kind for meld in claim.open_sets if meld.source == giver_seat][:3]
        chows_only = limit == "no_three_chows" and set(taken) != {"chow"}
        if len(taken) == 3 and (limit == "nobody" or not (claim.dealer_between(giver_seat) or chows_only)):
            return f"a third set claimed from seat {giver_seat} is forbidden (feed_limit {limit})"
    return ""


def false_winner(claim: Claim) -> bool:
    """Option false_win_continues: the hand goes on after a false win, the offender dead."""
    return bool(claim.rules.option("false_win_continues")) and claim.record.has_incident("false_win", claim.seat)


def pay(case: Case, tally: Tally) -> list[Payment]:
    """Base 1 a payer, factors multiply, x2, x4, x8 by lao between dealer and others (chapter Payments)."""
    m = tally.factor()
    dealer = m * 2 ** lao(case)
    shares = everyone(case, lambda payer: dealer if case.dealer_between(payer) else m)
    if case.by_discard:
        return giver(case, m * 8)
    if case.robbed:
        return giver(case, sum(p.amount for p in shares))
    return shares


def bao(case: Case, tally: Tally, payments: list[Payment]) -> list[Payment]:
    """三攤: who fed the winner three sets pays the total, who took three from him twice that (chapter Liability)."""
    if case.robbed or (case.by_discard and not case.rules.option("bao_on_discard")):
        return payments
    owed = sum(p.amount for p in payments)
    liable = []
    for seat in case.losers:
        share = (case.fed_by(seat) >= 3) + 2 * (case.fed_by(case.seat, winner=seat) >= 3)
        if share:
            liable.append(Payment(seat, case.seat, share * owed, "three claims"))
    if not liable:
        return payments
    return [*payments, *liable] if case.by_discard else liable


def float_round_bao(case: Case, tally: Tally, payments: list[Payment]) -> list[Payment]:
    """Who was claimed from in the float round pays all that was added after the claim: half of each share (decision 11)."""
    giver_seat = case.win.claimed_in_float
    if giver_seat is None or not (case.rules.option("float_round_bao") and case.rules.option("float_claims")):
        return payments
    halves = [p._replace(amount=p.amount / 2) for p in payments]
    added = sum(p.amount for p in halves)
    return [*halves, Payment(giver_seat, case.seat, added, "claimed from in the float round")]


RULES = Ruleset(
    id="hangzhou",
    native="杭州麻將",
    english="Hangzhou",
    region="Hangzhou, Zhejiang",
    summary="Two winning shapes; everything is doubling, above all by the dealer's run (牢) and by floating wild tiles.",
    wild=WildRule(
        same_tile,
        white="always",
        lone_faces=lambda claim: (EAST,),  # what a group of wilds alone shows counts for nothing
        text="the indicator's three twins (財神), any tile, concealed only; white is the indicator's tile",
    ),
    ritual=Ritual(
        stacks=(17,) * 4, indicator=Indicator("next_wall"), replacement="lower", dead_wall=DeadWall(19),
        floats=Floats(
            "straight", bars=CLAIMS | {"added_kong", "discard", "robbed_kong"},
            bars_floater=CLAIMS | {"discard", "robbed_kong"},
        ),
        deal=Succession(winner="winner"), false_win=FalseWin(deal="drawn"), effects=effects(false_win="penalty"),
        customs=Customs(closed_kong=ALL_DOWN),
    ),
    shapes=(shapes.standard, shapes.seven_pairs, ten_honours),
    alike=alike,
    restrictions=(
        *COMMON,
        no_wild_discard,
        claim_bar("discard_barred", "discards win at three lao between dealer and others", discard_barred),
        self_draw_only("lone_wild_wait", "a hand waiting with a lone wild (爆頭) wins by self-draw only", pairs=6),
        claim_bar(
            "float_round",
            "no win by discard or robbed kong in another player's float round",
            lambda c: c.win.source in ("discard", "robbed_kong") and c.record.float_by not in (None, c.seat),
        ),
        claim_bar("floating", "a floating player wins by self-draw only", lambda c: not c.self_drawn and c.win.floats > 0),
        claim_bar("wild_discarded", "a wild was discarded without a float", floated_away),
        claim_bar("invalid_meld", "a forbidden third claim from one player", forbidden_claims),
        claim_bar("dead_hand", "a player who declared a false win may not win", false_winner),
    ),
    patterns=(
        Pattern("pinghu", "平胡", "plain", 1, lambda c: not c.win.special, "times"),
        Pattern("shifeng", "十風", "ten honours", honour_win_factor, lambda c: c.shape in HONOUR_WINS, "times"),
        Pattern("baotou", "爆頭", "lone wild", 2, lone_wild_paired, "times", note="self-draw only"),
        Pattern("caipiao", "財飄", "float", 2, floats, "times", note="needs baotou"),
        Pattern("gangkai", "槓開", "kong bloom", 2, kongs_in_a_row, "times", note="each kong of the unbroken run"),
        Pattern("qidui", "七対", "seven pairs", 2, lambda c: c.shape == "seven_pairs", "times"),
        Pattern("qingqidui", "清七対", "pure seven pairs", 2, lambda c: c.shape == "seven_pairs" and not c.wild_count, "times"),
        Pattern(
            "haohua", "豪華", "deluxe", 2,
            lambda c: fours_in_pairs(c, natural=True) if c.shape == "seven_pairs" else 0, "times", note="each real foursome",
        ),
        Pattern("lagang", "拉槓", "robbing a kong", 2, lambda c: c.robbed, "times"),
    ),
    pay=pay,
    liability=(bao, float_round_bao),
    chips=True,
    payments_text="Self-draw: each pays the product, between dealer and others x2, x4, x8 at 1, 2, 3 lao. Discard (3 lao): the "
    "discarder pays the product x8. Robbed kong: the robbed player pays all three shares. Nobody pays more than his chips.",
    options=(
        Option(
            "white_wild", Bool(), False, "no indicator: the four whites are wild and stand for nothing fixed",
            lambda r, on: with_ritual(
                replace(r, wild=WildRule(
                    fixed(WHITE), needs_indicator=False, lone_faces=lambda claim: (EAST,), text="the four whites",
                )), indicator=None,
            ) if on else r,
        ),
        Option("self_draw_only", Bool(), False, "no discard wins or robbed kongs at any lao"),
        Option("rob_from_two", Bool(), False, "robbing a kong already at 2 lao"),
        Option(
            "discard_pure_pairs", Bool(), True, "false: no extra x2 for qingqidui on a discard win",
            lambda r, on: r if on else r.with_patterns(
                qingqidui={"when": lambda c: c.shape == "seven_pairs" and not c.wild_count and not c.by_discard}
            ),
        ),
        Option("bao_on_discard", Bool(), False, "liability also on a discard win, besides the discarder's payment"),
        Option(
            "feed_limit", OneOf(("none", "dealer_only", "no_three_chows", "nobody")), "none",
            "which third claims from one player are forbidden",
            lambda r, who: with_ritual(r, claims={"feed_limit": who}),
        ),
        Option(
            "feed_limit_from", Int(1, 3), 1, "lao from which feed_limit holds",
            lambda r, least: with_ritual(r, claims={"feed_from": least}),
        ),
        Option(
            "float_claims", Bool(), False, "the floater may claim in his float round if that frees a wild to float again",
            lambda r, on: with_ritual(r, floats={"bars_floater": frozenset({"discard", "robbed_kong"})}) if on else r,
        ),
        Option("float_round_bao", Bool(), False, "with float_claims: who is claimed from pays what is added after the claim"),
        Option(
            "missed_win", Bool(), False, "a passed winning tile cannot be won on before the own turn",
            lambda r, on: with_ritual(r, claims={"missed_win": "tile"}) if on else r,
        ),
        Option("missed_pung", Bool(), False, "the same for pungs", lambda r, on: with_ritual(r, claims={"missed_pung": on})),
        Option(
            "wild_discard_forfeits", Bool(), False, "discarding a wild without floating forfeits the win",
            lambda r, on: with_ritual(
                r, discards={"wild": "forfeits_unless_float"},
                effects=effects(("wild_discarded",), false_win="penalty"),
            ) if on else r,
        ),
        Option(
            "false_win_continues", Bool(), False, "after a false win's payment the hand goes on, the offender dead",
            lambda r, on: with_ritual(r, false_win={"ends": not on}),
        ),
        Option("ten_honours", OneOf(("off", "ten_draw", "ten_baotou")), "off", "ten honours discarded in a row win"),
        Option(
            "instant_three_lao", OneOf(("off", "doublet", *range(2, 13))), "off",
            "dice that make the hand 3 lao (recorded as repeat 2)",
        ),
    ),
)  # fmt: skip
