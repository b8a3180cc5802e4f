"""Tournament rule books as data: what they make of irregularities, with their ladders of repeated offences.

The program proposes, a person rules: a proposal is confirmed, changed or cancelled with a reason, and a cancelled one stays
in the record. Figures are those collected in docs/adjudication.md (MCR: Chinese Official 1998; WRC: penalty table 2025;
EMA: riichi 2016; ZJ: Zung Jung 1.03; HK: a Hong Kong club list); where a book says nothing, a person decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from referee.table.faults import Fault
from referee.table.game import Book as TableBook
from referee.table.game import GameError

Seer = Literal["camera", "table", "person"]
Payee = Literal["each", "table", "tournament", "player", "nobody"]
Bar = Literal["none", "no_win", "no_claim_or_win", "redeal"]
When = Literal["at_once", "at_discard", "at_win_or_draw"]


@dataclass(frozen=True)
class Step:
    """One step of a ladder: a warning or points, to whom they go, and what becomes of the hand."""

    points: int = 0
    to: Payee = "nobody"
    bar: Bar = "none"

    @property
    def effect(self) -> str:
        """The step in the terms of the event log's report."""
        if self.bar == "redeal":
            return "redeal"
        if self.bar != "none":
            return "dead_hand"
        return "penalty" if self.points else "warning"


WARNING = Step()


@dataclass(frozen=True)
class Penalty:
    """What a book makes of one irregularity.

    ``faults`` are the kinds of the event log it answers; none: only a person sees it. The last of ``steps`` repeats, its
    points doubled each time where ``doubling``. ``seen_by`` is who may notice it, ``when`` it is judged, ``evidence`` what
    the ruling rests on.
    """

    code: str
    text: str
    steps: tuple[Step, ...]
    faults: tuple[str, ...] = ()
    doubling: bool = False
    seen_by: Seer = "person"
    when: When = "at_once"
    evidence: str = "pictures around the event"

    def step(self, times: int) -> Step:
        """The step of a player's so-many-th offence, from 1."""
        if times <= len(self.steps):
            return self.steps[times - 1]
        last = self.steps[-1]
        return replace(last, points=last.points * 2 ** (times - len(self.steps))) if self.doubling else last


@dataclass(frozen=True)
class RuleBook:
    """A tournament's rule book. ``dead_may_claim``: a dead hand may still claim and kong."""

    id: str
    name: str
    penalties: tuple[Penalty, ...]
    dead_may_claim: bool = True

    def penalty_for(self, fault: str) -> Penalty | None:
        """The penalty that answers a fault kind, None where the book says nothing."""
        return next((p for p in self.penalties if fault in p.faults), None)

    def effect(self, fault: str, times: int) -> str | None:
        penalty = self.penalty_for(fault)
        return penalty.step(times).effect if penalty else None


DEAD = (Step(bar="no_win"),)
CHOMBO = (Step(30, "tournament", "redeal"),)
RISING = (WARNING, Step(5, "tournament"), Step(10, "tournament"), Step(20, "tournament"))
TEN = (WARNING, Step(10, "tournament"))
LONG_SHORT = ("long_hand", "short_hand")
INVALID = ("wrong_chow", "wrong_pung", "wild_in_meld", "claimed_wild")
DRAWS = ("out_of_turn", "double_draw", "wrong_end", "dead_wall")

MCR = RuleBook("MCR", "Chinese Official (1998)", (
    Penalty("hand_size", "long or short hand", DEAD, LONG_SHORT, seen_by="camera", when="at_win_or_draw"),
    Penalty("false_win", "false win: 10 to each short of the minimum or on a wrong tile, 20 to each when not ready",
            (Step(20, "each", "no_win"),), ("false_win",), seen_by="table", when="at_win_or_draw"),
    Penalty("invalid_set", "invalid set shown", DEAD, (*INVALID, "wrong_kong"), seen_by="camera", when="at_discard"),
    Penalty("claim_without_tiles", "claim without the tiles", RISING, doubling=True),
    Penalty("late_claim", "late claim (3 s)", RISING, doubling=True),
    Penalty("early_draw", "early or out-of-turn draw", RISING, DRAWS, doubling=True, seen_by="camera"),
    Penalty("own_tile_shown", "own tile shown: must be the next discard", (WARNING,)),
    Penalty("other_tile_shown", "another's tile shown: 5 to 60 to that player", (Step(5, "player"),)),
    Penalty("late", "late to the table: within 10 minutes 10, within 15 minutes 20, then forfeit",
            (WARNING, Step(10, "tournament"), Step(20, "tournament")), seen_by="person"),
))  # fmt: skip
WRC = RuleBook("WRC", "World Riichi Championship (2025)", (
    Penalty("hand_size", "long or short hand", CHOMBO, LONG_SHORT, seen_by="camera", when="at_win_or_draw"),
    Penalty("false_win", "false win", CHOMBO, ("false_win",), seen_by="table", when="at_win_or_draw"),
    Penalty("nothing_shown", "win called, nothing shown", CHOMBO),
    Penalty("invalid_kong", "invalid kong", CHOMBO, ("wrong_kong",), seen_by="camera", when="at_discard"),
    Penalty("invalid_set", "invalid set shown: put right before the discard, afterwards dead", DEAD, INVALID,
            seen_by="camera", when="at_discard"),
    Penalty("claim_without_tiles", "claim without the tiles", DEAD),
    Penalty("late_claim", "late claim: the draw stands", (WARNING,)),
    Penalty("early_draw", "early or out-of-turn draw: put back; mixed into the hand it is chombo", (WARNING,), DRAWS,
            seen_by="camera"),
    Penalty("own_tiles_shown", "own tiles shown: 1-2 warning or 5; 3-6 dead; 7 or more chombo",
            (WARNING, Step(5, "tournament"))),
    Penalty("dead_claim", "calling with a dead hand: 30, a warning if unaware", (Step(30, "tournament"),),
            seen_by="table"),
    Penalty("score_sheet", "wrong score sheet: 2 each, last hand 8", (Step(2, "each"),)),
    Penalty("late", "late to the table: 1 a minute, forfeit 30 at 10 minutes", (Step(1, "tournament"),)),
))  # fmt: skip
EMA = RuleBook("EMA", "European riichi (2016)", (
    Penalty("hand_size", "long or short hand", DEAD, LONG_SHORT, seen_by="camera", when="at_win_or_draw"),
    Penalty("false_win", "false win: chombo", (Step(20, "tournament"),), ("false_win",), seen_by="table",
            when="at_win_or_draw"),
    Penalty("nothing_shown", "win called, nothing shown", DEAD),
    Penalty("invalid_set", "invalid set shown", DEAD, (*INVALID, "wrong_kong"), seen_by="camera", when="at_discard"),
    Penalty("early_draw", "draw from the wrong part of the wall", DEAD, DRAWS, seen_by="camera"),
    Penalty("dead_claim", "calling with a dead hand: chombo", (Step(20, "tournament"),), seen_by="table"),
))  # fmt: skip
ZJ = RuleBook("ZJ", "Zung Jung 1.03", (
    Penalty("hand_size", "long or short hand: stays dead though the count returns", (Step(bar="no_claim_or_win"),),
            LONG_SHORT, seen_by="camera"),
    Penalty("invalid_set", "invalid set shown: put right at once, shown tiles become penalty tiles", (WARNING,),
            (*INVALID, "wrong_kong"), seen_by="camera"),
    Penalty("late_claim", "late claim: touching the wall ends the claim", (WARNING,)),
    Penalty("early_draw", "early or out-of-turn draw: counts as a long hand", (Step(bar="no_claim_or_win"),), DRAWS,
            seen_by="camera"),
    Penalty("own_tile_shown", "own tile shown: a penalty tile", (WARNING,)),
), dead_may_claim=False)  # fmt: skip
HK = RuleBook("HK", "Hong Kong club list", (
    Penalty("hand_size", "long or short hand", DEAD, LONG_SHORT, seen_by="camera", when="at_win_or_draw"),
    Penalty("false_win", "false win: -150 and dead", (Step(150, "tournament", "no_win"),), ("false_win",), seen_by="table",
            when="at_win_or_draw"),
    Penalty("invalid_set", "invalid set shown", TEN, (*INVALID, "wrong_kong"), seen_by="camera", when="at_discard"),
    Penalty("claim_without_tiles", "claim without the tiles", TEN),
    Penalty("early_draw", "early or out-of-turn draw", TEN, DRAWS, seen_by="camera"),
    Penalty("other_tile_shown", "another's tile shown", TEN),
    Penalty("slow", "slow play: 20 s a turn", TEN),
))  # fmt: skip

BOOKS: Mapping[str, RuleBook] = {book.id: book for book in (MCR, WRC, EMA, ZJ, HK)}


def table_book(name: str) -> TableBook:
    """The rule book as the table needs it. Raises GameError for an unknown name."""
    if name not in BOOKS:
        raise GameError(f"book: there is no rule book {name!r}, only {', '.join(BOOKS)}")
    book = BOOKS[name]
    return TableBook(book.id, book.effect, book.dead_may_claim)


# --- proposals and rulings ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ruling:
    """A proposed penalty and what a person made of it. ``fault`` is the event's number; a cancelled ruling stays."""

    fault: int
    seat: int
    code: str
    step: Step
    times: int
    status: Literal["proposed", "confirmed", "changed", "cancelled"] = "proposed"
    reason: str = ""
    by: str = ""

    def confirm(self, by: str) -> Ruling:
        return replace(self, status="confirmed", by=by)

    def change(self, step: Step, by: str, reason: str) -> Ruling:
        """Rule otherwise than proposed. Raises ValueError without a reason."""
        return replace(self, status="changed", step=step, by=by, reason=_required(reason))

    def cancel(self, by: str, reason: str) -> Ruling:
        """Rule that nothing is due; the ruling stays in the record. Raises ValueError without a reason."""
        return replace(self, status="cancelled", by=by, reason=_required(reason))

    @property
    def points(self) -> int:
        """Points due as it stands."""
        return self.step.points if self.status in ("confirmed", "changed") else 0


def _required(reason: str) -> str:
    if not reason.strip():
        raise ValueError("a reason is required")
    return reason


def propose(book: RuleBook, faults: Iterable[Fault]) -> list[Ruling]:
    """The penalties a book proposes for certain faults, in their order, repeated offences higher on the ladder."""
    times: Counter[tuple[int, str]] = Counter()
    out = []
    for fault in faults:
        penalty = book.penalty_for(fault.kind)
        if penalty is None or not fault.certain:
            continue
        times[fault.seat, penalty.code] += 1
        count = times[fault.seat, penalty.code]
        out.append(Ruling(fault.n, fault.seat, penalty.code, penalty.step(count), count))
    return out
