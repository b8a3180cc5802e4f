"""The settlement of a whole hand: wins, side payments, kong and bonus money, penalties, chips.

``settle`` works on values; ``settle_record`` goes from the public JSON form of a record to that of a settlement
(docs/formats/hand-record.md). Deltas always add up to zero, since they are nothing but the payments added up.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from referee.rules import tiles as t
from referee.rules.checks import refuse_malformed
from referee.rules.claim import Case
from referee.rules.judge import Verdict, in_turn, judge_all
from referee.rules.readings import Group
from referee.rules.record import Record, parse_record
from referee.rules.ruleset import Entry, Payment, Ruleset, load


class Outcome(NamedTuple):
    """A judged hand: what the functions for money beside the win look at."""

    record: Record
    rules: Ruleset
    verdicts: tuple[Verdict, ...]

    @property
    def winners(self) -> tuple[Verdict, ...]:
        """The legal wins."""
        return tuple(v for v in self.verdicts if v.legal)


class Settlement(NamedTuple):
    """A settled hand: what was judged, and every payment of it."""

    record: Record
    rules: Ruleset
    verdicts: tuple[Verdict, ...]
    payments: tuple[Payment, ...]

    @property
    def deltas(self) -> tuple[float, ...]:
        """What each seat gains, in seat order; the sum is zero."""
        sums = [0.0] * self.rules.players
        for payment in self.payments:
            sums[payment.payer] -= payment.amount
            sums[payment.to] += payment.amount
        return tuple(_whole(s) for s in sums)


def settle(record: Record) -> Settlement:
    """Settle one hand. Raises RecordError for a malformed record."""
    rules = load(record.rules, record.options)
    refuse_malformed(record, rules)
    verdicts = tuple(judge_all(record, rules))
    outcome = Outcome(record, rules, verdicts)
    payments: list[Payment] = []
    for money in rules.outside:
        payments += money(outcome)
    for verdict in in_turn(rules, verdicts):
        payments += verdict.payments
    for incident in record.incidents:
        if incident.kind == "false_win":
            payments += rules.false_win(outcome, incident)
    payments = [p for p in payments if p.amount and p.payer != p.to]
    if rules.chips:
        payments = limit_to_chips(record, payments)
    return Settlement(record, rules, verdicts, tuple(payments))


def limit_to_chips(record: Record, payments: list[Payment]) -> list[Payment]:
    """Nobody pays more than the chips held; what is missing is not owed. Payments are met in their order."""
    left = {seat: player.chips for seat, player in enumerate(record.players)}
    out = []
    for payment in payments:
        held = left[payment.payer]
        if held is None:
            out.append(payment)
            continue
        amount = min(payment.amount, held)
        left[payment.payer] = int(held - amount)
        if amount:
            out.append(payment._replace(amount=amount))
    return out


def _whole(amount: float) -> float:
    return int(amount) if amount == int(amount) else amount


# --- the public form ---------------------------------------------------------------------------------------------


def settle_record(data: Mapping[str, Any], number: int = 0) -> dict[str, Any]:
    """Settle one record given as JSON value. Raises RecordError for a malformed one."""
    return as_json(settle(parse_record(data)), number)


def as_json(settlement: Settlement, number: int = 0) -> dict[str, Any]:
    """The settlement as the contract's JSON value."""
    return {
        "record": number,
        "rules": settlement.rules.id,
        "wins": [win_json(verdict) for verdict in settlement.verdicts],
        "payments": [
            {"from": p.payer, "to": p.to, "amount": _whole(p.amount), "why": p.why} for p in settlement.payments
        ],
        "deltas": list(settlement.deltas),
    }


def win_json(verdict: Verdict) -> dict[str, Any]:
    """One win: seat, legal, reason, and of the reading that counts the groups, patterns and points received."""
    patterns = verdict.tally.entries if verdict.tally else ()
    return {
        "seat": verdict.win.seat,
        "legal": verdict.legal,
        "reason": verdict.reason,
        "reading": [group_text(group, verdict.case) for group in verdict.case.groups] if verdict.case else [],
        "patterns": [
            {"id": e.pattern.id, "name": e.pattern.native, "english": e.pattern.english, "value": value_text(e)}
            for e in patterns
        ],
        "points": _whole(sum(p.amount for p in verdict.payments if p.to == verdict.win.seat)),
    }


def value_text(entry: Entry) -> str:
    """The worth of a counted pattern as a player reads it: ``"3 faan"``, ``"x2"``."""
    unit, worth, times = entry.pattern.unit, entry.worth, entry.times
    if unit == "times":
        return f"x{worth**times}"
    if unit == "double":
        return f"x{2 ** (worth * times)}"
    return unit if unit == "limit" else f"{worth * times} {unit}"


def group_text(group: Group, case: Case | None) -> str:
    """A group as text, wild tiles marked: ``"123m"``, ``"77s+2s(wild)"``."""
    if not group.wilds or case is None:
        return t.write(group.faces)
    natural = t.write(f for slot, f in enumerate(group.faces) if not group.wilds >> slot & 1)
    kinds = sorted(case.wild_kinds)
    wild = t.NAMES[kinds[0]] if len(kinds) == 1 else "wild"
    stands = "".join(f"+{wild}(wild {t.NAMES[face]})" for face in group.wild_faces)
    return natural + stands if natural else stands[1:]
