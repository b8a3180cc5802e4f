"""What the referee says at the table, in words fit to be read aloud: a settled hand, a fault.

Only what everybody at the table can see is said. How many tiles a player holds is left to the referee's screen unless
``counts`` is asked for: in many rule books a bystander may not comment on it.
"""

from __future__ import annotations

from referee.rules.judge import Verdict
from referee.rules.settle import Settlement
from referee.voice.words import COUNT_FAULTS, FAULTS, LANGUAGES, PHRASES, SEATS, SOURCES


def announce(settlement: Settlement, language: str = "en") -> str:
    """A settled hand in one line: who wins how, with what, who pays how much; a refusal; a drawn hand."""
    said = [_win(settlement, verdict, language) for verdict in settlement.verdicts]
    if not said:
        said = [PHRASES[language]["drawn"]]
    gap = " " if language == "en" else ""
    return gap.join([*said, _sums(settlement, language)])


def seat_word(seat: int, dealer: int, players: int, language: str) -> str:
    """The seat by its wind, counted from the dealer."""
    return SEATS[language][(seat - dealer) % players]


def _seat(settlement: Settlement, seat: int, language: str) -> str:
    return seat_word(seat, settlement.record.dealer, settlement.rules.players, language)


def _win(settlement: Settlement, verdict: Verdict, language: str) -> str:
    phrases = PHRASES[language]
    winner = _seat(settlement, verdict.win.seat, language)
    if not verdict.legal:
        reason = (verdict.reason or "").partition(": ")[2] or verdict.reason or ""
        return phrases["no_win"].format(winner=winner, reason=reason)
    giver = "" if verdict.win.source_seat is None else _seat(settlement, verdict.win.source_seat, language)
    how = SOURCES[language][verdict.win.source].format(giver=giver)
    names = phrases["comma"].join(_names(verdict, language))
    return phrases["win" if names else "plain_win"].format(winner=winner, how=how, names=names)


def _names(verdict: Verdict, language: str) -> list[str]:
    out = []
    for entry in verdict.tally.entries if verdict.tally else ():
        name = entry.pattern.english if language == "en" else entry.pattern.native
        times = PHRASES[language]["times"]
        out.append(times.format(name=name, n=entry.times) if entry.times > 1 else name)
    return out


def _sums(settlement: Settlement, language: str) -> str:
    phrases = PHRASES[language]
    if not any(settlement.deltas):
        return phrases["nothing"]
    parts = [
        phrases["receives" if delta > 0 else "pays"].format(seat=_seat(settlement, seat, language), amount=f"{abs(delta):g}")
        for seat, delta in enumerate(settlement.deltas)
        if delta
    ]
    return phrases["stop"].format(sentence=phrases["comma"].join(parts))


def announce_fault(kind: str, seat: int, dealer: int, players: int, language: str = "en", *, counts: bool = False) -> str | None:
    """A fault as said at the table, or None where it is for the referee's screen only."""
    words = FAULTS.get(kind) or (COUNT_FAULTS.get(kind) if counts else None)
    if words is None:
        return None
    what = words[LANGUAGES.index(language)]
    return PHRASES[language]["fault"].format(seat=seat_word(seat, dealer, players, language), what=what)
