"""Fouls put into a game on purpose, of every kind a log can show, each written down by whoever does it.

A maker looks at the table and, where its foul can happen, plays it and notes the kind and the event that proves it; what
``faults`` thinks of that event is not asked. ``Mischief.attempt`` tries the makers in random order.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from referee.rules import tiles as t
from referee.rules.tiles import Tile
from referee.table import events as ev
from referee.table.hand import Seat
from referee.table.moves import draw_source, legal_moves, over
from referee.table.player import Done, Player
from referee.table.state import State
from referee.table.wins import judge_win

Maker = Callable[[Player], bool]


def note(player: Player, seat: int, *kinds: str) -> None:
    """Write down that the last event was foul."""
    n = player.played.events[-1].n
    player.played.fouls.extend(Done(n, seat, kind) for kind in kinds)


# --- what can be done where ----------------------------------------------------------------------------------------


def _may_draw(state: State) -> bool:
    """Play is on, the player in turn has yet to draw, and tiles are left."""
    seat = state.seats[state.turn]
    quiet = state.phase == "play" and not seat.extra and not seat.kept and not any(s.owed for s in state.seats)
    return quiet and state.left > state.reserve + 1 and not state.in_last and not state.refused


def _may_discard(state: State) -> bool:
    """The player in turn owes a discard and nothing else."""
    seat = state.seats[state.turn]
    return state.phase == "play" and bool(seat.extra) and not seat.owed and not seat.dice_drawn


def _sound(seat: Seat) -> bool:
    """A hand nothing is wrong with so far."""
    return not seat.off and not seat.bound and not seat.ready


def _singles_first(state: State, seat: Seat) -> tuple[set[Tile], set[Tile]]:
    """The faces that must go first where discards are forced: single honours, and those of them already discarded."""
    if state.ritual.discards.forced == "none":
        return set(), set()
    faces = Counter(state.face(tile) for tile in seat.known if tile not in state.wild)
    lone = {face for face, count in faces.items() if count == 1 and t.is_honour(face)}
    gone = {state.face(tile) for _, tile, _ in state.line if tile is not None}
    return lone, lone & gone


def _free(state: State, seat: Seat) -> list[Tile]:
    """Tiles that may be discarded whatever the rule set."""
    lone, first = _singles_first(state, seat)
    must = first or (lone if state.ritual.discards.forced == "lone" else set())
    return [
        tile
        for tile in sorted(set(seat.known))
        if tile not in state.wild
        and tile not in state.aside
        and (not must or state.face(tile) in must)
        and (seat.after_claim is None or state.face(tile) != state.face(seat.after_claim))
    ]


def _others(player: Player, *but: int) -> list[int]:
    seats = [at for at in range(player.state.players) if at not in but]
    player.rng.shuffle(seats)
    return seats


def _naturals(state: State, seat: Seat) -> list[Tile]:
    return [tile for tile in seat.known if tile not in state.wild and tile not in state.aside]


def _offered(state: State) -> tuple[Tile, int] | None:
    """The discard on offer that nobody has claimed, an ordinary tile, with its discarder; no float bars a claim."""
    offer = state.offer
    if offer is None or offer.kind != "discard" or offer.tile is None or state.claims or state.wins or over(state):
        return None
    ordinary = offer.tile not in state.wild and offer.tile not in state.aside
    return (offer.tile, offer.seat) if ordinary and not state.floaters and not state.in_last else None


# --- drawing -------------------------------------------------------------------------------------------------------


def _draw(player: Player, at: int, end: str) -> None:
    player.do(player._seen(ev.Draw(seat=at, end=end)))


def double_draw(player: Player) -> bool:
    """Drew again before discarding, and keeps one too many."""
    state, at = player.state, player.state.turn
    seat = state.seats[at]
    if not _may_discard(state) or not _sound(seat) or state.left <= state.reserve + 1 or state.in_last:
        return False
    _draw(player, at, "head")
    note(player, at, "double_draw")
    free = _free(player.state, player.state.seats[at])
    if free:
        player.do(ev.Discard(seat=at, tile=player.rng.choice(free)))
        note(player, at, "long_hand")
    return True


def no_draw(player: Player) -> bool:
    """Discarded without drawing."""
    state, at = player.state, player.state.turn
    seat = state.seats[at]
    free = _free(state, seat)
    if not _may_draw(state) or not _sound(seat) or not free:
        return False
    player.do(ev.Discard(seat=at, tile=player.rng.choice(free)))
    note(player, at, "no_draw", "short_hand")
    return True


def discard_out_of_turn(player: Player) -> bool:
    state = player.state
    if not _may_draw(state):
        return False
    for at in _others(player, state.turn):
        free = _free(state, state.seats[at])
        if _sound(state.seats[at]) and free:
            player.do(ev.Discard(seat=at, tile=player.rng.choice(free)))
            note(player, at, "out_of_turn", "short_hand")
            return True
    return False


def draw_out_of_turn(player: Player) -> bool:
    state = player.state
    if not _may_draw(state):
        return False
    at = _others(player, state.turn)[0]
    if not _sound(state.seats[at]):
        return False
    _draw(player, at, "head")
    note(player, at, "out_of_turn")
    return True


def wrong_end(player: Player) -> bool:
    """Drew from the tail with nothing owed."""
    state = player.state
    if not _may_draw(state):
        return False
    _draw(player, state.turn, "tail")
    note(player, state.turn, "wrong_end")
    return True


def dead_wall(player: Player) -> bool:
    """Drew although only tiles are left that must stay."""
    state = player.state
    seat = state.seats[state.turn]
    idle = state.phase == "play" and not seat.extra and not seat.owed
    if not idle or not over(state) or not state.reserve or state.ritual.dead_wall.last_draws or state.refused:
        return False
    at = state.turn
    _draw(player, at, "head")
    note(player, at, "dead_wall")
    return True


def missing_replacement(player: Player) -> bool:
    """Discarded with the replacement of a kong or bonus tile still to be drawn."""
    state, at = player.state, player.state.turn
    seat = state.seats[at]
    free = _free(state, seat)
    if state.phase != "play" or not seat.extra or seat.owed != 1 or seat.dice_left or not _sound(seat) or not free:
        return False
    player.do(ev.Discard(seat=at, tile=player.rng.choice(free)))
    note(player, at, "missing_replacement", "short_hand")
    return True


def extra_tile(player: Player) -> bool:
    """Drew a tile of a kind of which all copies are in view: one of another set has got into the wall."""
    state, at = player.state, player.state.turn
    if not _may_draw(state) or not player.wall:
        return False
    full = [k for k in t.PLAYING if state.rules.tiles[k] and _in_view(state, k) == state.rules.tiles[k]]
    full = [kind for kind in full if kind not in state.wild and kind not in state.aside]
    if not full:
        return False
    player.wall[0] = player.rng.choice(full)
    _draw(player, at, "head")
    note(player, at, "extra_tile")
    return True


def _in_view(state: State, kind: Tile) -> int:
    count = int(kind == state.indicator and not state.rules.indicator_in_play)
    for seat in state.seats:
        count += [*seat.known, *seat.bonus].count(kind) + sum(meld.tiles.count(kind) for meld in seat.melds)
        count += sum(thrown.tile == kind and not thrown.taken for thrown in seat.discards)
    return count


# --- discarding ----------------------------------------------------------------------------------------------------


def wild_discarded(player: Player) -> bool:
    """Discarded a wild tile where that is barred or costs the win."""
    state, at = player.state, player.state.turn
    seat, rule = state.seats[at], state.ritual.discards.wild
    wild = [tile for tile in seat.known if tile in state.wild]
    if rule == "free" or not _may_discard(state) or not wild or not _sound(seat):
        return False
    if rule == "last_resort" and len(wild) == seat.held:
        return False
    if rule == "forfeits_unless_float" and len(wild) > 1:
        return False
    player.do(ev.Discard(seat=at, tile=wild[0]))
    note(player, at, "wild_discarded")
    return True


def forced_discard(player: Player) -> bool:
    """Discarded another tile than one that had to go first."""
    state, at = player.state, player.state.turn
    seat = state.seats[at]
    if not _may_discard(state) or not _sound(seat):
        return False
    lone, first = _singles_first(state, seat)
    must = first or (lone if state.ritual.discards.forced == "lone" else set())
    wrong = [tile for tile in _naturals(state, seat) if state.face(tile) not in must]
    if not first:
        wrong = [tile for tile in wrong if t.is_suited(state.face(tile))]
    if not must or not wrong:
        return False
    player.do(ev.Discard(seat=at, tile=player.rng.choice(wrong)))
    note(player, at, "forced_discard")
    return True


def swap_discard(player: Player) -> bool:
    """Discarded the tile just claimed."""
    state, at = player.state, player.state.turn
    seat, rule = state.seats[at], state.ritual.discards
    if rule.swap or not _may_discard(state) or seat.after_claim is None or not _sound(seat):
        return False
    if rule.swap_free_melds is not None and len(seat.melds) >= rule.swap_free_melds:
        return False
    alike = [tile for tile in _naturals(state, seat) if state.face(tile) == state.face(seat.after_claim)]
    if not alike:
        return False
    player.do(ev.Discard(seat=at, tile=alike[0]))
    note(player, at, "swap_discard")
    return True


def changed_after_ready(player: Player) -> bool:
    """Discarded another tile than the one drawn, the hand being bound."""
    state, at = player.state, player.state.turn
    seat = state.seats[at]
    if state.phase != "play" or not seat.extra or seat.owed or not seat.bound or not seat.has_drawn or seat.off:
        return False
    drawn = seat.dice_drawn or (seat.drawn,)
    other = [tile for tile in _free(state, seat) if tile not in drawn]
    if not other:
        return False
    player.do(ev.Discard(seat=at, tile=player.rng.choice(other)))
    note(player, at, "changed_after_ready")
    return True


# --- claiming ------------------------------------------------------------------------------------------------------


def _runs(state: State, seat: Seat, tile: Tile) -> Iterator[tuple[Tile, Tile]]:
    """Two natural tiles of the hand that make a run with a suit tile."""
    face, own = state.face(tile), {state.face(x): x for x in _naturals(state, seat)}
    if not t.is_suited(face):
        return
    for first, second in ((-2, -1), (-1, 1), (1, 2)):
        kinds = (face + first, face + second)
        if min(kinds) >= 0 and all(kind // 9 == face // 9 and kind in own for kind in kinds):
            yield own[kinds[0]], own[kinds[1]]


def wrong_chow(player: Player) -> bool:
    """Took a chow from somebody else than the left neighbour, or where chows are not played."""
    state = player.state
    offered = _offered(state)
    if offered is None:
        return False
    tile, giver = offered
    left_out = (giver, state.next_seat(giver)) if state.rules.chows else (giver,)
    for at in _others(player, *left_out):
        for pair in _runs(state, state.seats[at], tile):
            if _sound(state.seats[at]):
                player.do(ev.Chow(seat=at, tiles=tuple(sorted((*pair, tile))), claimed=tile, source=giver))
                note(player, at, "wrong_chow")
                return True
    return False


def wrong_pung(player: Player) -> bool:
    """Laid down a pung with a tile of another kind in it, mistaken for the right one."""
    state = player.state
    offered = _offered(state)
    if offered is None:
        return False
    tile, giver = offered
    for at in _others(player, giver):
        own = _naturals(state, state.seats[at])
        alike = [x for x in own if state.face(x) == state.face(tile)]
        near = [x for x in own if state.face(x) != state.face(tile) and t.suit(x) == t.suit(tile)]
        if alike and near and _sound(state.seats[at]):
            player.do(ev.Pung(seat=at, tiles=(alike[0], player.rng.choice(near), tile), claimed=tile, source=giver))
            note(player, at, "wrong_pung")
            return True
    return False


def wrong_kong(player: Player) -> bool:
    """Declared a kong of three alike and one other."""
    state, at = player.state, player.state.turn
    seat = state.seats[at]
    if not _may_discard(state) or not _sound(seat) or seat.after_claim is not None or state.left <= state.reserve + 2:
        return False
    own = _naturals(state, seat)
    faces = Counter(state.face(tile) for tile in own)
    three = next((face for face, count in faces.items() if count == 3), None)
    other = [tile for tile in own if state.face(tile) != three]
    if three is None or not other or state.in_last:
        return False
    kong = (*(tile for tile in own if state.face(tile) == three), player.rng.choice(other))
    player.do(ev.ConcealedKong(seat=at, tiles=kong))
    note(player, at, "wrong_kong")
    return True


def wild_in_meld(player: Player) -> bool:
    """Filled up a pung with a wild tile."""
    state = player.state
    offered, rule = _offered(state), state.rules.wild
    if offered is None or rule is None or rule.in_melds:
        return False
    tile, giver = offered
    for at in _others(player, giver):
        seat = state.seats[at]
        alike = [x for x in _naturals(state, seat) if state.face(x) == state.face(tile)]
        wild = [x for x in seat.known if x in state.wild]
        if alike and wild and _sound(seat) and not state.ritual.claims.missed_pung:
            player.do(ev.Pung(seat=at, tiles=(alike[0], wild[0], tile), claimed=tile, source=giver))
            note(player, at, "wild_in_meld")
            return True
    return False


def claimed_wild(player: Player) -> bool:
    """A wild tile is discarded, as it may be, and the next player takes it for a chow, as he may not."""
    state, at = player.state, player.state.turn
    seat, rule = state.seats[at], state.rules.wild
    if rule is None or rule.claimable or not state.rules.chows or not _may_discard(state) or not _sound(seat):
        return False
    if state.ritual.discards.wild != "free" or _singles_first(state, seat)[0] or state.floaters:
        return False
    taker = state.next_seat(at)
    if taker == state.turn or not _sound(state.seats[taker]) or over(state):
        return False
    for tile in (x for x in seat.known if x in state.wild):
        for pair in _runs(state, state.seats[taker], tile):
            player.do(ev.Discard(seat=at, tile=tile))
            player.do(ev.Chow(seat=taker, tiles=tuple(sorted((*pair, tile))), claimed=tile, source=at))
            note(player, taker, "claimed_wild")
            return True
    return False


def barred_claim(player: Player) -> bool:
    """A pung while a float bars it. Where none is under way a player who may floats a wild tile first."""
    state = player.state
    bars = state.ritual.floats.bars
    if "pung" not in bars:
        return False
    if not state.floaters:
        return _float(player)
    offer = state.offer
    if offer is None or offer.kind != "discard" or offer.tile is None or state.claims or over(state):
        return False
    tile = offer.tile
    if tile in state.wild or tile in state.aside:
        return False
    for at in _others(player, offer.seat, *state.floaters):
        seat = state.seats[at]
        alike = [x for x in _naturals(state, seat) if state.face(x) == state.face(tile)]
        if len(alike) >= 2 and _sound(seat):
            player.do(ev.Pung(seat=at, tiles=(alike[0], alike[1], tile), claimed=tile, source=offer.seat))
            note(player, at, "barred_claim")
            return True
    return False


def _float(player: Player) -> bool:
    """Discard a wild tile as a float, which is no foul."""
    state, at = player.state, player.state.turn
    seat = state.seats[at]
    wild = [tile for tile in seat.known if tile in state.wild]
    enough = len(wild) >= (1 if state.ritual.floats.always else 2)
    free = state.ritual.discards.wild == "free" and not _singles_first(state, seat)[1]
    if not _may_discard(state) or not _sound(seat) or not enough or not free:
        return False
    player.do(ev.Discard(seat=at, tile=wild[0]))
    return True


def wrong_precedence(player: Player) -> bool:
    """Took a chow although another had already called a pung, and the chow stood."""
    state = player.state
    if _offered(state) is None:
        return False
    claims = [move.event for move in legal_moves(state, wins=False) if isinstance(move.event, ev.Claim)]
    pungs = [event for event in claims if event.type == "pung" and _sound(state.seats[event.seat])]
    chows = [event for event in claims if event.type == "chow" and _sound(state.seats[event.seat])]
    for chow in chows:
        better = [pung for pung in pungs if pung.seat != chow.seat]
        if better:
            player.do(better[0])
            player.do(chow)
            note(player, chow.seat, "wrong_precedence")
            return True
    return False


# --- winning, turning ----------------------------------------------------------------------------------------------


def false_win(player: Player) -> bool:
    """Declared a win on the tile drawn that is none; the hand ends where the rule set says so."""
    state, at = player.state, player.state.turn
    seat = state.seats[at]
    if not _may_discard(state) or not seat.has_drawn or seat.drawn is None or seat.bound or seat.dead or state.wins:
        return False
    rest = list(seat.known)
    if seat.drawn not in rest:
        return False
    rest.remove(seat.drawn)
    event = ev.Win(seat=at, tile=seat.drawn, source=draw_source(state, at), hand=tuple(rest))
    if judge_win(state, event).legal:
        return False
    player.do(event)
    note(player, at, "false_win")
    if state.ritual.false_win.ends:
        player.do(ev.End(why="false_win"))
    return True


def wrong_turned(player: Player, deal: ev.Deal) -> ev.Deal:
    """The deal begun one stack too far on."""
    state = player.state
    if not state.ritual.opening.stated or deal.wall is None or deal.stacks is None:
        return deal
    last = state.ritual.stacks[deal.wall]
    return replace(deal, stacks=deal.stacks + 1) if 1 < deal.stacks < last - 1 else deal


MAKERS: tuple[Maker, ...] = (
    double_draw, no_draw, discard_out_of_turn, draw_out_of_turn, wrong_end, dead_wall, missing_replacement, extra_tile,
    wild_discarded, forced_discard, swap_discard, changed_after_ready, wrong_chow, wrong_pung, wrong_kong, wild_in_meld,
    claimed_wild, barred_claim, wrong_precedence, false_win,
)  # fmt: skip
RARE: tuple[Maker, ...] = (
    dead_wall, missing_replacement, swap_discard, changed_after_ready, wrong_precedence, barred_claim, claimed_wild,
)  # fmt: skip


@dataclass
class Mischief:
    """How often somebody breaks a rule. ``rate``: the share of decisions; fouls that can seldom be made are tried more."""

    rate: float
    rng: random.Random

    def attempt(self, player: Player) -> bool:
        """Play a foul, if chance will have it and one can be made."""
        if self.rng.random() < self.rate:
            return self._first(player, MAKERS)
        return self.rng.random() < 3 * self.rate and self._first(player, RARE)

    def _first(self, player: Player, makers: Sequence[Maker]) -> bool:
        order = list(makers)
        self.rng.shuffle(order)
        if order[0] is false_win and self.rng.random() < 0.5:
            order.append(order.pop(0))  # it ends the hand
        return any(maker(player) for maker in order)

    def opened(self, player: Player, deal: ev.Deal) -> ev.Deal:
        """The deal as it was done."""
        return wrong_turned(player, deal) if self.rng.random() < 3 * self.rate else deal
