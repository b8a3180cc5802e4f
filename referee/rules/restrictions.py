"""Restrictions, how to make one, and those that many rule sets share. Each is a value to put into ``Ruleset.restrictions``."""

from __future__ import annotations

from collections.abc import Callable

from referee.rules.claim import Case, Claim
from referee.rules.ruleset import Restriction, Tally


def claim_bar(code: str, text: str, forbids: Callable[[Claim], bool | str]) -> Restriction:
    """A restriction on the claim as such, whatever the reading."""
    return Restriction(code, text, forbids)


def reading_bar(code: str, text: str, forbids: Callable[[Case, Tally], bool | str]) -> Restriction:
    """A restriction on one reading: other readings of the hand may still win."""
    return Restriction(code, text, forbids, of_reading=True)


def _dead(claim: Claim) -> bool | str:
    if not claim.record.incidents:
        return False
    why = next((i.why for i in claim.record.incidents if i.kind == "dead_hand" and i.seat == claim.seat), "")
    if not claim.record.has_incident("dead_hand", claim.seat):
        return False
    return "a dead hand may not win" + (f" ({why})" if why else "")


dead_hand = claim_bar("dead_hand", "a dead hand may not win", _dead)

added_kong_only = claim_bar(
    "no_robbing",
    "only a tile being added to a pung can be robbed",
    lambda c: c.robbed and c.win.robbed_kind == "concealed",
)

whole_hand_dealt = claim_bar(
    "not_dealt",
    "only the dealer holds a whole hand at the deal",
    lambda c: c.dealt and not c.is_dealer and not c.win.wild_win,
)

no_wild_discard = claim_bar(
    "wild_discard",
    "a wild tile that another player discarded or added to a kong cannot be won on",
    lambda c: c.win.source in ("discard", "robbed_kong") and c.win.tile is not None and c.is_wild(c.win.tile),
)


def self_draw_only(code: str, text: str, pairs: int = 0, robbing: bool = True) -> Restriction:
    """A hand that waits with a lone wild tile (all sets, or ``pairs`` pairs, complete) wins by self-draw only.

    ``robbing``: the ban covers robbed kongs too. Judged on the tiles before the winning one, not on a reading.
    """
    barred = ("discard", "robbed_kong") if robbing else ("discard",)
    return claim_bar(code, text, lambda c: c.win.source in barred and c.lone_wild(pairs=pairs))


def minimum(unit: str, least: int, label: str = "") -> Restriction:
    """At least so many points of the patterns that count towards the minimum."""
    name = label or unit

    def short(case: Case, tally: Tally) -> str:
        worth = tally.for_minimum(unit)
        return f"worth {worth} {name}, minimum {least}" if worth < least else ""

    return reading_bar("below_minimum", f"at least {least} {name}", short)


def _wild_pair_by_other(case: Case, tally: Tally) -> bool:
    group = case.win_group
    return (
        case.win.source in ("discard", "robbed_kong")
        and group is not None
        and group.shape == "pair"
        and group.wilds > 0
    )


no_wild_pair_by_discard = reading_bar(
    "wild_pair_wait", "a wild tile's pair can be completed by self-draw only", _wild_pair_by_other
)

COMMON = (dead_hand, added_kong_only)
