"""浙江義烏 Yiwu: stakes bid up the points, wilds are floated, seven pairs are worth nothing extra. Sheet: docs/sheets/yiwu.md."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from referee.rules import patterns as p
from referee.rules import shapes
from referee.rules.claim import Case, Claim
from referee.rules.payments import everyone
from referee.rules.readings import PAIR, Group, Seen
from referee.rules.record import Player, Record
from referee.rules.restrictions import COMMON, claim_bar, no_wild_discard, reading_bar, self_draw_only
from referee.rules.ritual import Break, DeadWall, Floats, Indicator, Ritual, effects
from referee.rules.ruleset import Bool, Option, Pattern, Payment, Ruleset, Tally
from referee.rules.settle import Outcome
from referee.rules.tiles import Tile
from referee.rules.wilds import WildRule, same_tile

LONE_WILD_PRICE = 4


def base(record: Record, one: int, other: int) -> int:
    """Between two players: 5, with the dealer 7; + 2 for each 買子; + 2 for each 子 the non-dealer laid (下子)."""
    players = record.players
    amount = 5 + 2 * (players[one].stake + players[other].stake)
    if record.dealer not in (one, other):
        return amount
    return amount + 2 + 2 * players[other if one == record.dealer else one].side_stake


def floats_in_row(player: Player, wild: Callable[[int], bool]) -> int:
    """Most wilds in a row among a player's discards: 1 a single float, 2 or more a double one (decision 10)."""
    discards = player.discards or ()
    if any(wild(a) and wild(b) for a, b in pairwise(discards)):
        return 2
    return int(any(map(wild, discards)))


def floats_of(record: Record, wilds: frozenset[int], seat: int) -> int:
    """How far a player floated in this hand, by whatever the record says of it."""
    told = [i.floats for i in record.incidents if i.kind == "failed_float" and i.seat == seat]
    told += [win.floats for win in record.wins if win.seat == seat]
    told += [floats_in_row(record.players[seat], wilds.__contains__), int(record.float_by == seat)]
    return max(told)


def floated(claim: Claim) -> int:
    """The longest float anybody made in this hand."""
    return max(floats_of(claim.record, claim.wild_kinds, seat) for seat in range(4))


def kong_bloom(case: Case) -> bool:
    return case.source == "kong"


def alike(group: Group, wild: frozenset[Tile]) -> Seen:
    """What this game sees of a set: whether it is a pair, and which of the pair's tiles are wild."""
    return Seen(group.shape == PAIR and (group.wilds,))


def no_bloom(case: Case, tally: Tally) -> bool | str:
    """Three wilds, or a double float by anybody: only a lone wild or a kong bloom wins."""
    if tally.has("caishentou", "kaigang"):
        return False
    if case.wild_count >= 3:
        return "three wilds win by a lone wild or a kong bloom only"
    return "after a double float only a lone wild or a kong bloom wins" if floated(case) >= 2 else False


def among_non_dealers(claim: Claim) -> bool:
    """Option discard_dealer_only: the discard of one non-dealer claimed by another."""
    giver = claim.win.source_seat
    return bool(claim.rules.option("discard_dealer_only")) and claim.by_discard and not claim.dealer_between(giver or 0)


def pay(case: Case, tally: Tally) -> list[Payment]:
    """Each pays base x factor; on a discard the discarder x2, the others x1 (chapter Payments)."""
    factor = tally.factor()
    return everyone(
        case,
        lambda payer: (
            base(case.record, case.seat, payer)
            * (factor if not case.by_discard or payer == case.win.source_seat else 1)
        ),
    )


def failed_floats(outcome: Outcome) -> list[Payment]:
    """Who double-floated and did not win pays each other player the lone-wild price, stakes included."""
    record, wilds = outcome.record, outcome.rules.wild_kinds(outcome.record)
    won = {verdict.win.seat for verdict in outcome.winners}
    return [
        Payment(seat, other, LONE_WILD_PRICE * base(record, seat, other), "failed double float")
        for seat in range(4)
        if seat not in won and floats_of(record, wilds, seat) >= 2
        for other in range(4)
        if other != seat
    ]


def stakes(record: Record, rules: Ruleset) -> str | None:
    for seat, player in enumerate(record.players):
        if player.stake > 1:
            return f"players[{seat}].stake: 買子 is 0 or 1, not {player.stake}"
    return None


RULES = Ruleset(
    id="yiwu",
    native="義烏麻將",
    english="Yiwu",
    region="Yiwu, Zhejiang",
    summary="Three shapes without value of their own; stakes raise the base, lone wilds and floats multiply it.",
    wild=WildRule(
        same_tile, white="always", lone_faces=p.wild_kinds,
        text="the indicator's three twins (財神), any tile, concealed only; white is the indicator's tile",
    ),
    ritual=Ritual(
        stacks=(17,) * 4, opening=Break(two_throws=True, figure="both"),
        indicator=Indicator("right_end", when="before_deal"), dead_wall=DeadWall(by_floats=(34, 14, 6)),
        floats=Floats("lasting"), stakes="run", effects=effects(false_win="penalty"),
    ),
    shapes=(shapes.standard, shapes.seven_pairs, shapes.independent),
    alike=alike,
    restrictions=(
        *COMMON,
        no_wild_discard,
        claim_bar("two_wilds", "two or more wilds cannot win on a discard", lambda c: c.by_discard and c.wild_count > 1),
        claim_bar("float_round", "after a float nobody wins on a discard", lambda c: c.by_discard and floated(c) > 0),
        self_draw_only("lone_wild_wait", "a hand waiting with a lone wild wins by self-draw only", pairs=6),
        reading_bar("no_bloom", "only a lone wild or a kong bloom wins", no_bloom),
        claim_bar("discard_dealer_only", "a discard wins only between the dealer and another player", among_non_dealers),
    ),
    checks=(stakes,),
    patterns=(
        Pattern("pinghu", "平胡", "plain discard win", 2, lambda c: c.by_discard, "times", note="the discarder's payment only"),
        Pattern("zimo", "自摸", "self-draw", 2, lambda c: c.self_drawn, "times"),
        Pattern("qianggang", "搶槓胡", "robbing a kong", 2, lambda c: c.robbed, "times", note="from all three, as a self-draw"),
        Pattern("caishentou", "財神頭", "lone wild", 2, p.lone_wild_paired, "times", note="x4 with the self-draw"),
        Pattern("kaigang", "開槓胡", "kong bloom", 2, kong_bloom, "times", note="x4 with the self-draw; once"),
        Pattern(
            "danpiao", "単飄", "single float", 2, lambda c: c.win.floats == 1 and p.lone_wild_paired(c), "times",
            note="x8 with lone wild and self-draw",
        ),
        Pattern(
            "shuangpiao", "双飄", "double float", 4, lambda c: c.win.floats >= 2 and p.lone_wild_paired(c), "times",
            note="x16 with lone wild and self-draw",
        ),
    ),
    pay=pay,
    outside=(failed_floats,),
    payments_text="Base 5, with the dealer 7, + 2 a 買子 of winner and payer, + 2 a 子 laid against the dealer. Each pays base x "
    "factor; on a discard the discarder x2, the others x1. A failed double float costs 4 x base to each.",
    options=(
        Option("discard_dealer_only", Bool(), False, "discard wins only between dealer and non-dealer"),
        Option(
            "side_stake_doubles", Bool(), False,
            "下子 double with each further win of the dealer's run (the record's number is used as it stands)",
        ),
    ),
)  # fmt: skip
