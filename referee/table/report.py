"""The report of a game: the JSON value of docs/formats/event-log.md, and the same told for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from referee.rules import tiles as t
from referee.rules.record import Meld
from referee.rules.ritual import Next
from referee.rules.settle import as_json
from referee.rules.tiles import Tile
from referee.table import events as ev
from referee.table.faults import Fault
from referee.table.game import Game, Hand, Told
from referee.table.hand import Seat
from referee.table.state import State
from referee.table.wins import record_json

# --- JSON --------------------------------------------------------------------------------------------------------


def report(game: Game) -> dict[str, Any]:
    """The report object of a game."""
    state = game.hands[-1].state if game.hands else None
    return {
        "hands": [hand_json(hand, game.book) for hand in game.hands],
        "faults": [fault_json(fault, hand, rule_of(game.hands[hand], game.book)) for hand, fault in game.faults],
        "scores": game.scores,
        "next": next_json(game.following),
        "names": list(game.names),
        "over": game.over or None,
        "state": None if state is None else state_json(state),
    }


def hand_json(hand: Hand, book: str = "") -> dict[str, Any]:
    """One hand: record, settlement (None with a ``problem`` where nothing can be settled), faults, penalties."""
    out: dict[str, Any] = {
        "record": record_json(hand.record),
        "settlement": as_json(hand.settlement, hand.number) if hand.settlement else None,
        "faults": [fault_json(fault, hand.number, rule_of(hand, book)) for fault in hand.faults],
        "complete": hand.complete,
    }
    if hand.problem:
        out["problem"] = hand.problem
    if hand.penalties:
        out["penalties"] = [ev.write_event(penalty) for penalty in hand.penalties]
    return out


def rule_of(hand: Hand, book: str = "") -> str:
    """Whose rule the effect of a fault is."""
    return book or f"{hand.state.rules.id}: irregularities"


def fault_json(fault: Fault, hand: int, rule: str) -> dict[str, Any]:
    out: dict[str, Any] = {
        "n": fault.n, "hand": hand, "seat": fault.seat, "kind": fault.kind, "why": fault.why, "effect": fault.effect,
        "rule": rule, "certain": fault.certain,
    }  # fmt: skip
    if fault.about is not None:
        out["about"] = fault.about
    return out


def next_json(following: Next | None) -> dict[str, Any] | None:
    if following is None:
        return None
    wind = t.NAMES[following.round_wind]
    return {"dealer": following.dealer, "repeat": following.repeat, "round_wind": wind}


def state_json(state: State) -> dict[str, Any]:
    """The table as it stands. ``unknown`` concealed tiles are beside those in ``hand``; ``left`` counts the whole wall,
    ``stay`` the tiles of it that may not be drawn."""
    return {
        "rules": state.rules.id,
        "options": dict(state.options),
        "phase": state.phase,
        "dealer": state.dealer,
        "repeat": state.repeat,
        "round_wind": t.NAMES[state.round_wind],
        "turn": state.turn,
        "indicator": None if state.indicator is None else t.NAMES[state.indicator],
        "wild": t.write(sorted(state.wild)),
        "left": state.left,
        "stay": state.reserve,
        "offer": None if state.offer is None else {"seat": state.offer.seat, "tile": _tile(state.offer.tile)},
        "seats": [seat_json(seat) for seat in state.seats],
    }


def seat_json(seat: Seat) -> dict[str, Any]:
    out: dict[str, Any] = {
        "hand": t.write(seat.known), "unknown": seat.unknown, "melds": [meld_json(meld) for meld in seat.melds],
        "bonus": t.write(seat.bonus), "discards": [_tile(d.tile) for d in seat.discards],
        "to_discard": seat.extra, "to_draw": seat.owed,
    }  # fmt: skip
    if seat.dead:
        out["dead"] = list(seat.dead)
    if seat.ready:
        out["ready"] = seat.ready
    for name in ("stake", "side_stake", "chips"):
        if getattr(seat, name) is not None:
            out[name] = getattr(seat, name)
    return out


def meld_json(meld: Meld) -> dict[str, Any]:
    out: dict[str, Any] = {"kind": meld.kind, "tiles": t.write(meld.tiles)}
    if meld.source is not None:
        out |= {"claimed": _tile(meld.claimed), "from": meld.source}
    return out


def _tile(tile: Tile | None) -> str | None:
    return None if tile is None else t.NAMES[tile]


# --- for people --------------------------------------------------------------------------------------------------


def told_lines(game: Game, told: Iterable[Told]) -> Iterator[str]:
    """The story of a game, a line an event, faults where they happened, a settlement after every hand."""
    for item in told:
        hand = game.hands[item.hand]
        if isinstance(item.event, ev.Start):
            yield from ("", *heading(game, hand))
            continue
        text = sentence(game, item)
        if text:
            yield f"{item.event.n:>5}  {text}"
        for fault in item.faults:
            yield f"       {fault_line(game, fault)}"
        if isinstance(item.event, ev.End):
            yield from settlement_lines(game, hand)


def heading(game: Game, hand: Hand) -> Iterator[str]:
    state = hand.state
    options = ", ".join(f"{name} {value}" for name, value in state.options.items())
    yield f"Hand {hand.number + 1}: {state.rules.english} ({state.rules.native}){', ' + options if options else ''}"
    repeat = f", {state.repeat} in a row" if state.repeat else ""
    wind = f", {WIND_WORDS[state.round_wind]} round" if state.ritual.deal.round_wind else ""
    yield f"       {who(game, state.dealer)} deals{repeat}{wind}"


WIND_WORDS = dict(zip(t.WINDS, ("east", "south", "west", "north"), strict=True))


def who(game: Game, seat: int) -> str:
    """A player's name, or his seat."""
    return game.names[seat] if seat < len(game.names) and game.names[seat] else f"seat {seat}"


def sentence(game: Game, told: Told) -> str:
    """One event in words; an empty text where there is nothing to tell."""
    event = told.event
    name = who(game, event.seat) if hasattr(event, "seat") else ""
    match event:
        case ev.Deal():
            return "the hands are dealt"
        case ev.Dice():
            return f"{name} throws {' '.join(map(str, event.values))}{f' for the {event.purpose}' if event.purpose else ''}"
        case ev.Indicator():
            return f"{tiles_text(event.tile)} is turned up"
        case ev.Stake():
            return f"{name} stakes {event.stake if event.stake is not None else event.side_stake}"
        case ev.Bonus():
            return f"{name} sets {tiles_text(event.tile)} aside"
        case ev.Draw():
            return f"{name} draws {tiles_text(event.tile)}{' from the tail' if event.end == 'tail' else ''}"
        case ev.Discard():
            return f"{name} discards {tiles_text(event.tile)}"
        case ev.Claim():
            source = "" if event.source is None else f" from {who(game, event.source)}"
            return f"{name}: {event.type} {t.write(event.tiles)}{source}"
        case ev.OwnKong():
            return f"{name}: {event.type.replace('_', ' ')} {t.write(event.tiles or ())}".rstrip()
        case ev.Ready():
            return f"{name} declares ready{'' if event.kind == 'ready' else f' ({event.kind})'}"
        case ev.Pass():
            return f"{name} refuses {tiles_text(event.tile) if event.tile is not None else 'the last tile'}"
        case ev.Count():
            return f"{name} holds {event.tiles} tiles"
        case ev.Reveal():
            return f"{name} shows {t.write(event.hand)}"
        case ev.Win():
            how = event.flower_win or event.wild_win or event.special or event.source.replace("_", " ")
            source = "" if event.source_seat is None else f" from {who(game, event.source_seat)}"
            return f"{name} declares a win on {tiles_text(event.tile)} ({how}{source})"
        case ev.Birds():
            return f"birds: {t.write(event.tiles)}"
        case ev.Penalty():
            to = event.to if isinstance(event.to, str) else who(game, event.to)
            return f"{name} pays {event.points:g} to {to}{f': {event.why}' if event.why else ''}"
        case ev.End():
            how = ENDS.get(event.why, "the hand is stopped")
            return how if event.handed_in is None else f"{how}; {event.handed_in} tiles are handed in"
    return ""


ENDS = {"win": "the hand is won", "exhausted": "a drawn hand", "false_win": "a false win ends the hand"}


def tiles_text(tile: Tile | None) -> str:
    return "a tile" if tile is None else t.NAMES[tile]


def fault_line(game: Game, fault: Fault) -> str:
    sure = "" if fault.certain else ", perhaps"
    effect = "" if fault.effect == "ask" else f" [{fault.effect.replace('_', ' ')}]"
    return f"!! {who(game, fault.seat)}: {fault.kind.replace('_', ' ')}{sure}: {fault.why}{effect}"


def settlement_lines(game: Game, hand: Hand) -> Iterator[str]:
    """What a hand paid, and the score after it."""
    if hand.settlement is None:
        yield f"       not settled: {hand.problem or 'nothing to settle'}"
    else:
        for win in as_json(hand.settlement)["wins"]:
            patterns = ", ".join(f"{p['name']} {p['value']}" for p in win["patterns"])
            reading = " ".join(win["reading"])
            judged = f"{reading}  {patterns}" if win["legal"] else f"no win, {win['reason']}"
            yield f"       {who(game, win['seat'])}: {judged}"
        for payment in hand.settlement.payments:
            yield f"       {who(game, payment.payer)} pays {payment.amount:g} to {who(game, payment.to)} ({payment.why})"
    if hand.following is not None:
        repeat = f", {hand.following.repeat} in a row" if hand.following.repeat else ""
        yield f"       next: {who(game, hand.following.dealer)} deals{repeat}"


def score_sheet(game: Game) -> list[str]:
    """A table of the hands' results and the running scores."""
    players = max((hand.state.players for hand in game.hands), default=0)
    rows = [["hand", *(who(game, seat) for seat in range(players))]]
    for hand in game.hands:
        cells = [f"{delta:+g}" if delta else "0" for delta in hand.deltas] if hand.complete else ["..."] * players
        rows.append([str(hand.number + 1), *cells])
    rows.append(["total", *(f"{score:g}" for score in game.scores)])
    widths = [max(len(row[column]) for row in rows) for column in range(players + 1)]
    return ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
