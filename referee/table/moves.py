"""What can happen next: every legal next event of a state and, apart from them, the plausible fouls.

A candidate is legal when ``faults`` has nothing against it, so this module knows no rules of its own; it only knows what
may be tried. Each move says what it would change on the table, for whoever explains pictures by it. Tiles not known to the
state are None: a draw from the wall, and with ``hidden`` hands the tiles of every claim and discard that could be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from referee.rules.tiles import Tile
from referee.table import events as ev
from referee.table.faults import faults, in_view, is_run
from referee.table.hand import Seat, update
from referee.table.state import State, added_tile, apply, with_seat
from referee.table.wins import judge_win

Zone = Literal["hand", "river", "meld", "bonus", "head", "tail", "indicator"]


@dataclass(frozen=True, slots=True)
class Change:
    """A tile appears (+1) in or vanishes (-1) from a zone of a seat; the walls belong to nobody (seat None)."""

    zone: Zone
    seat: int | None
    tile: Tile | None
    by: int


@dataclass(frozen=True, slots=True)
class Move:
    """A possible next event; ``fouls`` are the faults it would be, none for a legal one."""

    event: ev.Event
    fouls: tuple[str, ...] = ()

    @property
    def changes(self) -> tuple[Change, ...]:
        """What the event would change on the table."""
        return tuple(changes(self.event))


def changes(event: ev.Event) -> Iterator[Change]:
    match event:
        case ev.Draw(seat=seat, tile=tile, end=end):
            yield Change("tail" if end == "tail" else "head", None, tile, -1)
            yield Change("hand", seat, tile, +1)
        case ev.Discard(seat=seat, tile=tile):
            yield Change("hand", seat, tile, -1)
            yield Change("river", seat, tile, +1)
        case ev.Bonus(seat=seat, tile=tile):
            yield Change("hand", seat, tile, -1)
            yield Change("bonus", seat, tile, +1)
        case ev.Claim(seat=seat, tiles=tiles, claimed=claimed, source=source):
            own = list(tiles)
            if claimed in own:
                own.remove(claimed)
            yield Change("river", source, claimed, -1)
            yield from (Change("hand", seat, tile, -1) for tile in own)
            yield from (Change("meld", seat, tile, +1) for tile in tiles)
        case ev.ConcealedKong(seat=seat, tiles=kong):
            yield from (Change("hand", seat, tile, -1) for tile in kong or (None,) * 4)
            yield from (Change("meld", seat, tile, +1) for tile in kong or (None,) * 4)
        case ev.AddedKong(seat=seat, tiles=kong):
            yield Change("hand", seat, kong[0] if kong else None, -1)
            yield Change("meld", seat, kong[0] if kong else None, +1)
        case ev.Indicator(tile=tile):
            yield Change("tail", None, tile, -1)
            yield Change("indicator", None, tile, +1)
        case ev.Reveal(seat=seat, hand=hand):
            yield from (Change("hand", seat, tile, +1) for tile in hand)


# --- legal moves -------------------------------------------------------------------------------------------------


def legal_moves(state: State, wins: bool = True) -> list[Move]:
    """Every legal next event. ``wins``: declared wins are looked for too (they cost a judgement each)."""
    if state.phase == "over" or any(declared.legal for declared in state.wins):
        return []
    waiting = _dealing(state)
    candidates = waiting if waiting is not None else [*_turn(state), *_claims(state)]
    moves = [Move(event) for event in candidates if not _fouls(state, event)]
    if wins and waiting is None:
        moves += [Move(event) for event in _wins(state) if judge_win(state, event).legal]
    return moves


def foul_moves(state: State) -> list[Move]:
    """Plausible fouls: what players do by mistake, each with the faults it would be."""
    if state.phase == "over":
        return []
    found = ((event, _fouls(state, event)) for event in _mistakes(state))
    return [Move(event, fouls) for event, fouls in found if fouls]


def _fouls(state: State, event: ev.Event) -> tuple[str, ...]:
    return tuple(fault.kind for fault in faults(state, event, apply(state, event)) if fault.certain)


def over(state: State) -> bool:
    """Whether the wall is used up and the discard that could still be taken is all that is left."""
    return state.phase == "play" and state.left <= state.reserve


def _dealing(state: State) -> list[ev.Event] | None:
    """What the ritual asks for before the dealer may act, in its order; None once he may."""
    if state.phase == "deal":
        return [ev.Deal()]
    if state.phase != "dealt":
        return None
    rule = state.ritual.indicator
    turned = rule is None or state.indicator is not None
    if not turned and rule is not None and rule.when != "after_bonus":
        return [ev.Indicator(tile=None)]
    order = [(state.dealer + step) % state.players for step in range(state.players)]
    if state.ritual.bonus_order == "each":
        for at in order:
            if events := _replacing(state, at):
                return events
    else:
        laid = [event for at in order for event in _showing(state, at)]
        if laid:
            return laid[:1]
        owing = [at for at in order if state.seats[at].owed]
        if owing:
            return [ev.Draw(seat=owing[0], end="tail")]
    return None if turned else [ev.Indicator(tile=None)]


def _replacing(state: State, at: int) -> list[ev.Event]:
    """The next of showing and replacing bonus tiles for one player, empty when he is done."""
    if shown := _showing(state, at):
        return shown[:1]
    return [ev.Draw(seat=at, end="tail")] if state.seats[at].owed else []


def _showing(state: State, at: int) -> list[ev.Event]:
    bonus = state.rules.bonus & state.aside
    return [ev.Bonus(seat=at, tile=tile) for tile in dict.fromkeys(state.seats[at].known) if tile in bonus]


def _turn(state: State) -> Iterator[ev.Event]:
    """What the player whose turn it is may do."""
    at = state.turn
    seat = state.seats[at]
    if seat.owed:
        if state.left > state.reserve or state.in_last:
            yield ev.Draw(seat=at, end="tail")
        return
    if seat.extra:
        if shown := _showing(state, at):
            yield shown[0]
            return
        yield from _own_kongs(state, at)
        for tile in dict.fromkeys(seat.known):
            yield ev.Discard(seat=at, tile=tile)
        if seat.unknown:
            yield from (ev.Discard(seat=at, tile=tile) for tile in unseen(state) if tile not in seat.known)
        return
    if over(state):
        yield ev.End(why="exhausted")
        return
    if state.in_last:
        owing = [other for other, side in enumerate(state.seats) if side.owed]
        if owing:
            yield ev.Draw(seat=owing[0], end="tail")
            return
    yield ev.Draw(seat=at, end="head")
    if state.ritual.dead_wall.refusal and state.left == state.reserve + 1 and state.refused < state.players:
        yield ev.Pass(seat=at)


def _own_kongs(state: State, at: int) -> Iterator[ev.Event]:
    """Kongs that can be declared in turn, single-tile ones included."""
    seat = state.seats[at]
    counts = Counter(state.face(tile) for tile in seat.known if tile not in state.wild)
    for face in (kind for kind, count in counts.items() if count == 4):
        tiles = tuple(tile for tile in seat.known if state.face(tile) == face and tile not in state.wild)
        yield ev.ConcealedKong(seat=at, tiles=tiles)
    if state.rules.wild is not None and state.rules.wild.in_melds:
        known = Counter(seat.known)
        yield from (
            ev.ConcealedKong(seat=at, tiles=(kind,) * 4) for kind in state.wild if known[kind] == 4
        )
    for meld in seat.melds:
        if meld.kind != "pung":
            continue
        for tile in dict.fromkeys(seat.known):
            if state.face(tile) == state.face(meld.tiles[0]):
                yield ev.AddedKong(seat=at, tiles=(*meld.tiles, tile))
        if seat.unknown and meld.tiles[0] not in seat.known and in_view(state, meld.tiles[0]) < 4:
            yield ev.AddedKong(seat=at, tiles=(*meld.tiles, meld.tiles[0]))
    if state.rules.kong_tiles is not None:
        single = state.aside - state.rules.bonus
        yield from (ev.Bonus(seat=at, tile=tile) for tile in dict.fromkeys(seat.known) if tile in single)


def unseen(state: State) -> list[Tile]:
    """Kinds of which a copy is still out of view."""
    return [kind for kind, copies in enumerate(state.rules.tiles) if copies and in_view(state, kind) < copies]


def _claims(state: State) -> Iterator[ev.Event]:
    """Claims of the discard on offer that have not been made yet."""
    offer = state.offer
    if offer is None or offer.kind != "discard" or offer.tile is None or state.before_claim is not None:
        return
    for at in range(state.players):
        if at != offer.seat:
            yield from _claims_of(state, at, offer.tile, offer.seat)


def _claims_of(state: State, at: int, tile: Tile, source: int) -> Iterator[ev.Event]:
    seat = state.seats[at]
    face = state.face(tile)
    alike = [x for x in seat.known if state.face(x) == face]
    if seat.unknown:
        alike = alike[:3] + [tile] * min(3 - len(alike[:3]), max(state.rules.tiles[tile] - in_view(state, tile), 0))
    for kind, number in ((ev.Pung, 2), (ev.Kong, 3)):
        for own in {tuple(alike[:number]), tuple(alike[-number:])}:
            if len(own) == number:
                yield kind(seat=at, tiles=(*own, tile), claimed=tile, source=source)
    if at != state.next_seat(source) or not state.rules.chows:
        return
    for own in _pairs_for_run(state, seat, face):
        yield ev.Chow(seat=at, tiles=tuple(sorted((*own, tile))), claimed=tile, source=source)


def _pairs_for_run(state: State, seat: Seat, face: Tile) -> Iterator[tuple[Tile, Tile]]:
    """Two tiles, known in the hand or possibly there, that make a run with ``face``."""
    held: dict[Tile, Tile] = {state.face(tile): tile for tile in seat.known if tile not in state.wild}
    if seat.unknown:
        for kind in unseen(state):
            if kind not in state.wild and kind not in state.aside:
                held.setdefault(state.face(kind), kind)
    near = [kind for kind in held if abs(kind - face) <= (2 if face < 27 else 6) and kind != face]
    for index, first in enumerate(near):
        for second in near[index + 1 :]:
            if is_run(state, [first, second, face]):
                yield held[first], held[second]


def _wins(state: State) -> Iterator[ev.Win]:
    """Wins that could be declared with hands that are known."""
    at, offer = state.turn, state.offer
    for number, seat in enumerate(state.seats):
        if not seat.exact:
            continue
        if number != at and seat.kept and number == (at - 1) % state.players:
            yield from _self_drawn(state, number, seat)
        if number == at and (seat.extra or seat.kept) and not seat.owed:
            yield from _self_drawn(state, number, seat)
        elif offer is not None and offer.tile is not None and number != offer.seat and (
            offer.kind != "discard" or state.before_claim is None
        ):
            source = "discard" if offer.kind == "discard" else "robbed_kong"
            yield ev.Win(seat=number, tile=offer.tile, source=source, source_seat=offer.seat, hand=seat.known)


def _self_drawn(state: State, at: int, seat: Seat) -> Iterator[ev.Win]:
    tile = seat.drawn if seat.has_drawn else None
    if tile is None and state.phase == "dealt" and seat.known:
        tile = seat.known[-1]
    if tile is None or tile not in seat.known:
        return
    source = draw_source(state, at)
    rest = list(seat.known)
    rest.remove(tile)
    yield ev.Win(seat=at, tile=tile, source=source, hand=tuple(rest))


def draw_source(state: State, at: int) -> str:
    """What a win on the tile just drawn is: from the wall, a kong's or a bonus tile's replacement, or as dealt."""
    seat = state.seats[at]
    if seat.dice_drawn:
        return "kong"
    return seat.drawn_as if seat.has_drawn or state.phase != "dealt" else "deal"


# --- fouls -------------------------------------------------------------------------------------------------------


def _mistakes(state: State) -> Iterator[ev.Event]:
    """What goes wrong at tables: wrong player, wrong end, nothing drawn, a claim too many, the wrong tile thrown."""
    if state.phase in ("deal", "dealt"):
        return
    at = state.turn
    for other in range(state.players):
        yield ev.Draw(seat=other, end="head")
        yield ev.Draw(seat=other, end="tail")
    seat = state.seats[at]
    yield from (ev.Discard(seat=at, tile=tile) for tile in dict.fromkeys(seat.known))
    offer = state.offer
    if offer is None or offer.tile is None or offer.kind != "discard":
        return
    for other in range(state.players):
        if other != offer.seat:
            hands = update(state.seats[other], known=(), unknown=state.seats[other].held)
            yield from _claims_of(with_seat(state, other, hands), other, offer.tile, offer.seat)


def count_lines(state: State, depth: int) -> int:
    """The number of legal event sequences of exactly ``depth`` events with a wall given by the state alone (perft): the
    draws are of unseen tiles, one branch each."""
    if depth == 0:
        return 1
    return sum(count_lines(apply(state, move.event), depth - 1) for move in legal_moves(state, wins=False))


__all__ = ["Change", "Move", "added_tile", "changes", "count_lines", "draw_source", "foul_moves", "legal_moves", "over"]
