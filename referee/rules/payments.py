"""Who pays: payments put together from a few standard schemes, and liabilities that redirect them."""

from __future__ import annotations

from collections.abc import Callable

from referee.rules.claim import Case
from referee.rules.ruleset import Payment

Amount = Callable[[int], float]


def everyone(case: Case, amount: Amount, why: str = "win") -> list[Payment]:
    """Each loser pays ``amount(payer)``."""
    return [Payment(payer, case.seat, amount(payer), why) for payer in case.losers]


def giver(case: Case, amount: float, why: str = "") -> list[Payment]:
    """The discarder, or the player whose kong was robbed, pays alone."""
    assert case.win.source_seat is not None
    return [Payment(case.win.source_seat, case.seat, amount, why or ("robbed kong" if case.robbed else "discard"))]


def alone(case: Case, payer: int, payments: list[Payment], why: str) -> list[Payment]:
    """One player pays all that was owed to the winner; other payments stay."""
    owed = sum(p.amount for p in payments if p.to == case.seat)
    others = [p for p in payments if p.to != case.seat]
    return [*others, Payment(payer, case.seat, owed, why)]


def total(case: Case, payments: list[Payment]) -> float:
    """What the winner receives."""
    return sum(p.amount for p in payments if p.to == case.seat) - sum(
        p.amount for p in payments if p.payer == case.seat
    )
