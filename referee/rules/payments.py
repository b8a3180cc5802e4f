"""Who pays: payments put together from a few standard schemes, and liabilities that redirect them."""

from __future__ import annotations

from collections.abc import Callable

from referee.rules.claim import Case, Claim
from referee.rules.record import Meld, Record
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


def kong_feeder(case: Case) -> int | None:
    """Who discarded the tile of the claimed kong whose replacement won."""
    return case.win.kong_from if case.source == "kong" else None


def bound_by_three(claim: Claim) -> list[int]:
    """Who fed the winner three sets, or took three from him, the nearest in turn order first."""
    return [s for s in claim.losers if max(claim.fed_by(s), claim.fed_by(claim.seat, winner=s)) >= 3]


def kong_money(record: Record, amount: Callable[[Meld], float], giver_alone: bool = True) -> list[Payment]:
    """Kongs paid for by themselves, whoever wins: each other player pays ``amount(kong)``.

    ``giver_alone``: a claimed kong is paid by its discarder only. A robbed kong stands in the record as a pung.
    """
    out = []
    for seat, player in enumerate(record.players):
        for meld in player.melds:
            if not meld.is_kong:
                continue
            alone_pays = giver_alone and meld.kind == "kong" and meld.source is not None
            payers = [meld.source] if alone_pays else [s for s in range(len(record.players)) if s != seat]
            why = meld.kind.replace("_", " ")
            out += [Payment(payer, seat, amount(meld), why) for payer in payers if payer is not None]
    return out


def same_discard_rounds(record: Record) -> int:
    """In how many first rounds of the hand everybody discarded the same tile: as listed, or else read off the discards.

    A claim of one of these tiles interrupts the round.
    """
    listed = [i.rounds for i in record.incidents if i.kind == "same_discard"]
    if listed:
        return max(listed)
    claimed = {meld.claimed for player in record.players for meld in player.melds}
    rounds = 0
    for turn in zip(*(player.discards or () for player in record.players), strict=False):
        if len(set(turn)) > 1 or turn[0] in claimed:
            break
        rounds += 1
    return rounds
