"""Hands in a row: what happens at a table in an evening, told event by event.

``Game.play(event)`` takes the next event of a corrected log; ``replay`` a whole one. Dealer, repeat, winds, lasting stakes,
chips and draws in a row carry from hand to hand; scores run. Settling is the rule engine's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from referee.rules import tiles as t
from referee.rules.record import Record, RecordError, parse_record
from referee.rules.ritual import HandResult, Next, next_dealer, rank
from referee.rules.ruleset import Ruleset, load
from referee.rules.settle import Settlement, settle
from referee.table import events as ev
from referee.table.faults import Fault, faults, with_excess
from referee.table.hand import update
from referee.table.state import Declared, State, apply, begin, shapeless, with_seat
from referee.table.wins import has_kong, judge_win, opening_rounds, record_json, record_of, standing_wins


def _silent(kind: str, times: int) -> str | None:
    return None


@dataclass(frozen=True)
class Book:
    """What a tournament's rule book makes of fouls. ``effect(kind, times)`` is the effect of a player's so-many-th fault of
    a kind, None where the book says nothing; ``dead_may_claim``: a dead hand may still claim and kong."""

    name: str = ""
    effect: Callable[[str, int], str | None] = _silent
    dead_may_claim: bool = True


@dataclass(frozen=True)
class Hand:
    """One hand: the table as it stands, its faults, and once it has ended what it settled and who deals next.

    ``settlement`` is None while nothing is to be settled or nobody can: ``problem`` says why.
    """

    state: State
    number: int
    faults: tuple[Fault, ...] = ()
    settlement: Settlement | None = None
    problem: str = ""
    following: Next | None = None
    penalties: tuple[ev.Penalty, ...] = ()

    @property
    def complete(self) -> bool:
        return self.state.phase == "over"

    @property
    def record(self) -> Record:
        return record_of(self.state)

    @property
    def deltas(self) -> tuple[float, ...]:
        return self.settlement.deltas if self.settlement else (0,) * self.state.players


@dataclass(frozen=True)
class Told:
    """What one event did, for a story told as it happens."""

    event: ev.Event
    hand: int
    faults: tuple[Fault, ...] = ()
    verdict: Declared | None = None


class GameError(ValueError):
    """An event that cannot be played here: the message says why."""


def no_book(name: str) -> Book:
    raise GameError(f"book: there is no rule book {name!r}")


class Game:
    """A game under way. ``rules_of`` loads rule sets, ``book_of`` a tournament's rule book by name."""

    def __init__(
        self,
        rules_of: Callable[[str, Mapping[str, Any]], Ruleset] = load,
        book: Book | None = None,
        book_of: Callable[[str], Book] = no_book,
    ) -> None:
        self.hands: list[Hand] = []
        self.names: tuple[str, ...] = ()
        self._rules_of, self._book, self._book_of = rules_of, book, book_of

    def play(self, event: ev.Event) -> Told:
        """The next event. Raises GameError where it cannot be played at all, and changes nothing then."""
        if isinstance(event, ev.Start):
            self._start(event)
            return Told(event, len(self.hands) - 1)
        if not self.hands:
            raise GameError(f"{event.type}: no hand has begun, a start event comes first")
        hand = self.hands[-1]
        self._check_seats(event, hand.state.players)
        for tile in ev.tiles_of(event):
            if not hand.state.rules.tiles[tile]:
                raise GameError(f"tile: {hand.state.rules.id} does not use {t.NAMES[tile]}")
        if isinstance(event, ev.Penalty):
            self.hands[-1] = replace(hand, penalties=(*hand.penalties, event))
            return Told(event, hand.number)
        after, found, verdict = step(hand.state, event, self._effect)
        ended = isinstance(event, ev.End) or (hand.complete and after is not hand.state)
        self.hands[-1] = hand = replace(hand, state=after, faults=(*hand.faults, *found))
        if ended:
            self.hands[-1] = self._settled(hand)
        return Told(event, hand.number, tuple(found), verdict)

    def _check_seats(self, event: ev.Event, players: int) -> None:
        for name, seat in ev.seats_of(event):
            if seat >= players:
                raise GameError(f"{name}: there is no seat {seat} among {players}")
        hands = event.hands if isinstance(event, ev.Deal) else ()
        if len(hands) > players:
            raise GameError(f"hands: {len(hands)} hands for {players} players")

    def _start(self, event: ev.Start) -> None:
        last = self.hands[-1] if self.hands else None
        rules_id = event.rules or (last.state.rules.id if last else None)
        if rules_id is None:
            raise GameError("rules: missing in the first start")
        same = last is not None and rules_id == last.state.rules.id
        options = event.options if event.options is not None else last.state.options if last and same else {}
        try:
            rules = self._rules_of(rules_id, options)
        except RecordError as problem:
            raise GameError(str(problem)) from None
        self._check_seats(event, rules.players)
        book = self._book_of(event.book) if event.book is not None else self._book
        last = self._close()
        state = begin(rules, options=dict(options), **self._carried(event, last, rules))
        state = update(state, dead_may_claim=book is None or book.dead_may_claim)
        for at, chips in enumerate(self._chips(event, last)[: rules.players]):
            state = with_seat(state, at, update(state.seats[at], chips=chips))
        self._book = book
        self.names = event.names if event.names is not None else self.names
        self.hands.append(Hand(_with_stakes(state, last), len(self.hands)))

    def _close(self) -> Hand | None:
        """The last hand; one that was won is over when the next begins, even if nobody wrote so."""
        if self.hands and not self.hands[-1].complete and any(won.legal for won in self.hands[-1].state.wins):
            hand = self.hands[-1]
            self.hands[-1] = self._settled(replace(hand, state=apply(hand.state, ev.End(why="win"))))
        return self.hands[-1] if self.hands else None

    def _carried(self, event: ev.Start, last: Hand | None, rules: Ruleset) -> dict[str, Any]:
        """Dealer, repeat, winds and what the hands before leave behind, each where the event does not say."""
        following = last.following if last and last.following else None
        if following is None and last is not None:
            following = Next(last.state.dealer, last.state.repeat, last.state.round_wind)
        following = following or Next(0, 0, t.EAST)
        streak = last.state.draw_streak + 1 if last and drawn(last) else 0
        base = None
        if last is not None and event.dealer in (None, following.dealer):
            base = next_dealer_base(last, following)
        return {
            "dealer": (following.dealer if event.dealer is None else event.dealer) % rules.players,
            "repeat": following.repeat if event.repeat is None else event.repeat,
            "round_wind": following.round_wind if event.round_wind is None else event.round_wind,
            "draw_streak": streak if event.draw_streak is None else event.draw_streak,
            "dealer_base": base if event.dealer_base is None else event.dealer_base,
            "double_next": doubles_next(last) if event.double_next is None else event.double_next,
        }

    def _chips(self, event: ev.Start, last: Hand | None) -> tuple[int | None, ...]:
        if event.chips is not None:
            return event.chips
        if last is None:
            return ()
        held = (seat.chips for seat in last.state.seats)
        return tuple(
            None if chips is None else max(int(chips + delta), 0) for chips, delta in zip(held, last.deltas, strict=True)
        )

    def _settled(self, hand: Hand) -> Hand:
        settlement, problem = settle_hand(hand.state)
        hand = replace(hand, settlement=settlement, problem=problem)
        state, result = hand.state, result_of(hand.state, settlement)
        following = next_dealer(state.ritual, state.dealer, state.repeat, state.round_wind, result, state.players)
        return replace(hand, following=following)

    def _effect(self, state: State, fault: Fault) -> str:
        """What the rule book in force, or else the rule set, makes of a fault."""
        times = 1 + sum(was.seat == fault.seat and was.kind == fault.kind for _, was in self.faults if was.certain)
        ruled = self._book.effect(fault.kind, times) if self._book else None
        return ruled if ruled is not None else ritual_effect(state, fault)

    # --- what came of it

    @property
    def faults(self) -> list[tuple[int, Fault]]:
        """All faults with the hand they belong to, in order of event."""
        return [(hand.number, fault) for hand in self.hands for fault in hand.faults]

    @property
    def scores(self) -> list[float]:
        """Running scores: settlements and the penalties ruled at the table."""
        players = max((hand.state.players for hand in self.hands), default=0)
        totals = [0.0] * players
        for hand in self.hands:
            for at, delta in enumerate(hand.deltas):
                totals[at] += delta
            for penalty in hand.penalties:
                if penalty.to != "tournament":
                    totals[penalty.seat] -= abs(penalty.points)
                if isinstance(penalty.to, int):
                    totals[penalty.to] += abs(penalty.points)
        return [int(total) if total == int(total) else total for total in totals]

    @property
    def book(self) -> str:
        """The name of the rule book in force, empty where the rule set's own irregularities hold."""
        return self._book.name if self._book else ""

    @property
    def following(self) -> Next | None:
        """The hand that would follow."""
        return self.hands[-1].following if self.hands else None

    @property
    def over(self) -> str:
        """Why the game has ended, or an empty text: its rounds are played, or chips have run out."""
        return game_over(self.hands)


def replay(events: Iterable[ev.Event], game: Game | None = None) -> tuple[Game, list[tuple[ev.Event, str]]]:
    """Play a corrected log; the game, and the events that could not be played with why."""
    game = game or Game()
    refused: list[tuple[ev.Event, str]] = []
    for event in events:
        try:
            game.play(event)
        except GameError as problem:
            refused.append((event, str(problem)))
    return game, refused


def ritual_effect(state: State, fault: Fault) -> str:
    """What the rule set itself makes of a fault."""
    return state.ritual.effects.get(fault.kind, "ask")


def step(
    state: State, event: ev.Event, effect: Callable[[State, Fault], str] = ritual_effect
) -> tuple[State, list[Fault], Declared | None]:
    """Apply an event and name what was wrong with it; dead hands and false wins take effect."""
    if state.phase == "over" and not isinstance(event, AFTERWARDS):
        return state, [], None
    if state.phase == "deal" and not isinstance(event, BEFORE_DEAL):
        state = apply(state, ev.Deal())
    verdict = judge_win(state, event) if isinstance(event, ev.Win) else None
    after = apply(state, event, verdict)
    found = faults(state, event, after, verdict)
    if not isinstance(event, ev.End):  # after it there is no hand left to be dead
        found = [replace(fault, effect=effect(state, fault)) for fault in found]
    for fault in found:
        if fault.effect == "dead_hand" and fault.certain:
            after = _dead(after, fault.seat, fault.kind)
    if isinstance(event, (ev.Claim, ev.OwnKong)):
        after = _perhaps_barred(state, after, event, found)
    if isinstance(event, ev.Reveal):
        after, proved = _judged_when_shown(state, after, event)
        found += [replace(fault, effect=effect(state, fault)) for fault in proved]
    if verdict is not None and not verdict.legal:
        after = _dead(after, verdict.event.seat, "false_win") if not state.ritual.false_win.ends else after
    if isinstance(event, ev.Claim):
        clean = not any(fault.certain for fault in found)
        after = update(after, claims=(*after.claims, (rank(event.type), event.seat, clean)))
    if verdict is not None and verdict.legal and after.offer is not None:
        after = update(after, claims=(*after.claims, (rank("win"), verdict.event.seat, True)))
    return update(after, excess=with_excess(after, event)), found, verdict


def _perhaps_barred(before: State, after: State, event: ev.Claim | ev.OwnKong, found: list[Fault]) -> State:
    """Remember a claim that was barred if a wild discard was a float, until the hand tells."""
    if any(fault.kind == "barred_claim" and not fault.certain for fault in found):
        for at in before.perhaps:
            seat = after.seats[at]
            after = with_seat(after, at, update(seat, barred_then=(*seat.barred_then, (event.n, event.seat))))
    return after


def _judged_when_shown(before: State, after: State, event: ev.Reveal) -> tuple[State, list[Fault]]:
    """A win taken at its word is judged when the hand is laid open."""
    found, wins = [], list(after.wins)
    for at, (was, now) in enumerate(zip(before.wins, after.wins, strict=True)):
        if was.event.hand is None and now.event.hand is not None and now.legal:
            wins[at] = judge_win(now.at, now.event)
            if not wins[at].legal:
                found.append(Fault(event.n, event.seat, "false_win", wins[at].why, about=now.event.n))
    return update(after, wins=tuple(wins)), found


AFTERWARDS = (ev.Birds, ev.Reveal, ev.Count, ev.End, ev.Win)
BEFORE_DEAL = (ev.Stake, ev.Dice, ev.Deal, ev.Indicator, ev.End)


def _dead(state: State, at: int, why: str) -> State:
    seat = state.seats[at]
    return state if why in seat.dead else with_seat(state, at, update(seat, dead=(*seat.dead, why)))


# --- the end of a hand --------------------------------------------------------------------------------------------


def settle_hand(state: State) -> tuple[Settlement | None, str]:
    """What a finished hand settles, or None and why nothing can be."""
    if state.why == "stopped":
        return None, "the hand was stopped"
    for won in standing_wins(state):
        if won.event.hand is None and not shapeless(won.event):
            return None, f"the hand of seat {won.event.seat} was not shown"
    try:
        return settle(parse_record(record_json(record_of(state)))), ""
    except RecordError as problem:
        return None, str(problem)


def result_of(state: State, settlement: Settlement | None) -> HandResult:
    """The finished hand as the succession of dealers sees it."""
    if settlement is not None:
        winners = tuple(v.win.seat for v in settlement.verdicts if v.legal)
        patterns = frozenset(
            e.pattern.id for v in settlement.verdicts if v.legal and v.tally is not None for e in v.tally.entries
        )
    else:
        winners, patterns = tuple(d.event.seat for d in state.wins if d.legal), frozenset()
    why = state.why or "stopped"
    if why in ("win", "false_win"):
        why = "win" if winners else "false_win"
    last = next((d for d in state.wins if d.legal), None)
    event = last.event if last else None
    discarder = None
    if event is not None and last is not None and event.source in ("discard", "robbed_kong"):
        discarder = event.source_seat if event.source_seat is not None else last.at.offer.seat if last.at.offer else None
    bird = None
    if state.birds and state.birds[0] < 27:
        bird = (state.dealer + t.rank(state.birds[0]) - 1) % state.players
    last_player = state.last_drawer if state.last_drawer is not None else state.first_refuser
    return HandResult(
        why="win" if why == "win" else "exhausted" if why == "exhausted" else "false_win" if why == "false_win" else "stopped",
        winners=winners,
        patterns=patterns,
        discarder=discarder,
        dealt=event is not None and event.source == "deal",
        bird_seat=bird,
        kong=has_kong(state),
        sacked=state.ritual.same_discards == "opening" and opening_rounds(state) > 0,
        last_player=last_player,
    )


def drawn(hand: Hand) -> bool:
    """Whether a finished hand was a drawn one."""
    return hand.complete and hand.state.why == "exhausted"


def _with_stakes(state: State, last: Hand | None) -> State:
    """Stakes that last through the dealer's run."""
    if last is None or state.ritual.stakes != "run" or last.state.dealer != state.dealer:
        return state
    for at, was in enumerate(last.state.seats[: state.players]):
        state = with_seat(state, at, update(state.seats[at], stake=was.stake, side_stake=was.side_stake))
    return state


def next_dealer_base(last: Hand, following: Next) -> int | None:
    """The dealer's base where it grows by what was won: + the multiplier of the dealer's win, + 1 after a drawn hand; a new
    dealer begins afresh."""
    if not last.state.ritual.deal.base_grows:
        return None
    if following.dealer != last.state.dealer:
        return None
    base = last.state.dealer_base if last.state.dealer_base is not None else 2
    if last.settlement is None:
        return base
    won = next((v for v in last.settlement.verdicts if v.legal and v.win.seat == last.state.dealer), None)
    if won is None:
        return base + 1 if drawn(last) else base
    return base + (won.tally.factor() if won.tally is not None else 1)


def doubles_next(last: Hand | None) -> bool:
    """Whether a hand had something that doubles the next (Nanjing, ``double_after``)."""
    if last is None or last.settlement is None:
        return False
    kinds = last.state.ritual.doubles_next
    patterns = result_of(last.state, last.settlement).patterns
    return bool(kinds & patterns) or any(payment.why in kinds for payment in last.settlement.payments)


def game_over(hands: list[Hand]) -> str:
    """Why the game has ended, or an empty text."""
    if not hands or not hands[-1].complete:
        return ""
    last = hands[-1]
    rule = last.state.ritual.deal
    turns = sum(1 for hand in hands if hand.following and hand.following.dealer == 0 and hand.state.dealer != 0)
    if rule.rounds is not None and turns >= rule.rounds:
        return f"{rule.rounds} rounds have been played"
    chips = [
        seat.chips + delta for seat, delta in zip(last.state.seats, last.deltas, strict=True) if seat.chips is not None
    ]
    if rule.broke is not None and sum(held <= 0 for held in chips) >= rule.broke:
        return f"{rule.broke} players have no chips left"
    return ""
