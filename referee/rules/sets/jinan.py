"""山東済南 Jinan: (1 + flowers) x patterns, the pair always 2, 5 or 8; opened hands and drawn hands double. Sheet:
docs/sheets/jinan.md."""

from __future__ import annotations

import math
from dataclasses import replace

from referee.rules import patterns as p
from referee.rules import shapes
from referee.rules import tiles as t
from referee.rules.claim import Case, Claim
from referee.rules.payments import alone, everyone, giver, same_discard_rounds
from referee.rules.restrictions import COMMON, claim_bar, reading_bar
from referee.rules.ritual import Break, DeadWall, FalseWin, Ritual, Succession
from referee.rules.ruleset import TILES_144, Bool, Int, OneOf, Option, Pattern, Payment, Ruleset, Tally, pay_nothing
from referee.rules.settle import Outcome

MOST_STREAK = 5
SET_FLOWERS = {  # (suit, honour)
    "pung": (0, 1),
    "kong": (1, 2),
    "added_kong": (1, 2),
    "concealed_kong": (2, 3),
}


def flowers(case: Case) -> int:
    """Flower tiles, honour pungs and kongs; a pung that the winning tile completes counts nothing, self-drawn or not."""
    count = len(case.player.bonus)
    for index, group in enumerate(case.groups):
        if group.is_pung and index != case.reading.at:
            count += SET_FLOWERS[group.meld or "pung"][t.is_honour(group.tile)]
    return count


def multiplier(case: Case, tally: Tally) -> int:
    """Several patterns: their multipliers add (option combine)."""
    values = [entry.worth for entry in tally.entries]
    how = case.rules.option("combine")
    return sum(values) if how == "add" else math.prod(values) if how == "multiply" else max(values)


def points(case: Case, tally: Tally) -> int:
    """(1 + flowers) x multiplier, x2 for an opened winner, x2 for an opened giver, x2 a drawn hand before (at most 5)."""
    opened = [
        case.player,
        *(case.record.players[s] for s in (case.win.source_seat,) if s is not None and not case.self_drawn),
    ]
    doubles = sum(1 for player in opened if player.revealed) + min(case.record.draw_streak, MOST_STREAK)
    return int((1 + flowers(case)) * multiplier(case, tally) * 2**doubles)


def pay(case: Case, tally: Tally) -> list[Payment]:
    """Self-draw: each pays; discard: the discarder alone, once; robbed kong: the robbed player all three shares."""
    worth = points(case, tally)
    if case.by_discard:
        return giver(case, worth)
    return giver(case, 3 * worth) if case.robbed else everyone(case, lambda payer: worth)


def kong_burst(case: Case, tally: Tally, payments: list[Payment]) -> list[Payment]:
    """槓爆: whose discard was konged pays all shares of a win on that kong's replacement."""
    if case.source != "kong" or case.win.kong_from is None:
        return payments
    return alone(case, case.win.kong_from, payments, "konged discard")


def three_claims(case: Case, tally: Tally, payments: list[Payment]) -> list[Payment]:
    """3口: three sets claimed from one player bind the two; when one of them wins the other pays everything."""
    if case.robbed:
        return payments
    for seat in case.losers:
        if case.fed_by(seat) >= 3 or case.fed_by(case.seat, winner=seat) >= 3:
            return alone(case, seat, payments, "three claims")
    return payments


def same_first_discards(outcome: Outcome) -> list[Payment]:
    """跟荘: everybody discarded alike in the first turn: the dealer pays the agreed amount, in two turns twice that, ..."""
    rounds, dealer = same_discard_rounds(outcome.record), outcome.record.dealer
    amount = outcome.rules.option("genzhuang") * 2 ** (rounds - 1) if rounds else 0
    return [Payment(dealer, seat, amount, "dealer followed") for seat in range(4) if seat != dealer]


def opened_barred(claim: Claim) -> bool:
    return bool(claim.player.revealed) and not claim.self_drawn


RULES = Ruleset(
    id="jinan",
    native="済南麻将",
    english="Jinan",
    region="Jinan, Shandong",
    summary="Points are (1 + flowers) x patterns; an opened ready hand (明楼) and drawn hands before double them.",
    tiles=TILES_144,
    bonus=frozenset(t.BONUS),
    ritual=Ritual(
        opening=Break(figure="smaller"), dead_wall=DeadWall(12, half_stack=True), ready=frozenset({"open"}),
        same_discards="opening", deal=Succession(winner="winner", drawn="right"), false_win=FalseWin("nothing"),
    ),
    shapes=(shapes.standard,),
    restrictions=(
        *COMMON,
        claim_bar("revealed_self_draw_only", "an opened hand wins by self-draw only", opened_barred),
        reading_bar(
            "pair_not_258", "the pair must be 2, 5 or 8",
            lambda c, tally: c.pair is not None and not p.two_five_eight(c.pair.tile),
        ),
    ),
    patterns=p.in_unit("times", (
        Pattern("pinghu", "平胡", "plain win", 1, p.is_standard, alone=True),
        Pattern("pengpenghu", "碰碰胡", "all pungs", 2, p.all_pungs),
        Pattern("hunyise", "混一色", "mixed one suit", 2, p.one_suit_and_honours),
        Pattern("yitiaolong", "一条龍", "straight", 2, p.straight),
        Pattern("gangkai", "槓開", "replacement win", 2, lambda c: c.source in ("kong", "flower"), note="of a kong or a flower"),
        Pattern("qingyise", "清一色", "pure suit", 5, p.one_suit),
    )),
    pay=pay,
    liability=(kong_burst, three_claims),
    outside=(same_first_discards,),
    false_win=pay_nothing,
    payments_text="(1 + flowers) x patterns (added), x2 for an opened winner, x2 for an opened giver, x2 for each drawn hand "
    "before, at most x32. Self-draw: each pays; discard: the discarder alone; robbed kong: the robbed player three times.",
    notes=(
        "flowers: flower or season tile 1; honour pung 1; suit kong open 1, concealed 2; honour kong open 2, concealed 3; a pung "
        "completed by the winning tile 0",
    ),
    options=(
        Option(
            "multiple_winners", Bool(), False, "all who can may win on a discard",
            lambda r, on: replace(r, winners="many" if on else "one"),
        ),
        Option("genzhuang", Int(0), 1, "跟荘: agreed amount for one round of the same discards"),
        Option("combine", OneOf(("add", "multiply", "highest")), "add", "how several multipliers combine"),
    ),
)  # fmt: skip
