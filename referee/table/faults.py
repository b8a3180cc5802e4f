"""``faults(before, event, after)``: everything that was wrong with an event, under the rule set's own allowances.

The kinds are those of docs/formats/event-log.md, "The report", named at the event with which they first follow for certain.
``certain`` is false where something nobody saw could explain what looks like a fault. What a fault leads to is the rule
set's business (``Ritual.effects``) or, where one is set, that of a tournament's rule book.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from referee.rules import tiles as t
from referee.rules.ritual import break_wall, folded, indicator_place, indicator_thrower, rank, second_thrower
from referee.rules.tiles import Tile
from referee.table import events as ev
from referee.table.hand import Seat, minus
from referee.table.state import (
    Declared,
    State,
    added_tile,
    changed_hand,
    changed_shown,
    claim_of,
    draw_role,
    is_bound,
    is_float,
    is_single_kong,
    uncontested,
)

KINDS = (
    "long_hand", "short_hand", "out_of_turn", "no_draw", "double_draw", "wrong_end", "dead_wall", "missing_replacement",
    "wrong_chow", "wrong_pung", "wrong_kong", "wild_in_meld", "claimed_wild", "wild_discarded", "barred_claim",
    "wrong_precedence", "forced_discard", "swap_discard", "extra_tile", "changed_after_ready", "false_win", "wrong_turned",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fault:
    """``n``: the event that proves it; ``about``: the earlier event it is about, where that is another one."""

    n: int
    seat: int
    kind: str
    why: str
    certain: bool = True
    about: int | None = None
    effect: str = "ask"


def faults(before: State, event: ev.Event, after: State, verdict: Declared | None = None) -> list[Fault]:
    """What was wrong with ``event``, which led from ``before`` to ``after``; ``verdict`` judges a declared win."""
    found = list(CHECKS[type(event)](before, event, after)) if type(event) in CHECKS else []
    if isinstance(event, ev.Win) and verdict is not None and not verdict.legal:
        found.append(Fault(event.n, event.seat, "false_win", verdict.why))
    found += _size(before, event, after)
    found += _extra(before, event, after)
    return found


def _name(tile: Tile | None) -> str:
    return "an unseen tile" if tile is None else t.NAMES[tile]


# --- hand sizes --------------------------------------------------------------------------------------------------


def _size(before: State, event: ev.Event, after: State) -> Iterator[Fault]:
    """A hand long or short from this event on: after the own discard, by a count or by a reveal."""
    if not isinstance(event, (ev.Discard, ev.Count, ev.Reveal)):
        return
    seat, was = after.seats[event.seat], before.seats[event.seat]
    if seat.off and seat.off != was.off:
        what = {"discard": "after discarding", "count": "counted", "reveal": "shown"}[event.type]
        yield Fault(event.n, event.seat, seat.off, f"holds {seat.held} {what}, {seat.proper(after.size)} expected")


# --- the wall ----------------------------------------------------------------------------------------------------


def _draw(state: State, event: ev.Draw, after: State) -> Iterator[Fault]:
    role, n, seat = draw_role(state, event), event.n, event.seat
    if role == "second":
        yield Fault(n, seat, "double_draw", "has drawn already and owes a discard")
    elif role == "out_of_turn":
        yield Fault(n, seat, "out_of_turn", f"it is the turn of seat {state.turn}")
    if role == "replacement" and event.end == "head":
        yield Fault(n, seat, "wrong_end", "a replacement comes from the tail")
    elif role in ("own", "last", "out_of_turn") and event.end == "tail":
        yield Fault(n, seat, "wrong_end", "nothing is owed from the tail")
    if state.left <= state.reserve:
        if state.reserve:
            yield Fault(n, seat, "dead_wall", f"{state.left} tiles are left, {state.reserve} of them stay")
        else:
            yield Fault(n, seat, "dead_wall", "by the events recorded the wall is empty", certain=False)


def _dice(state: State, event: ev.Dice, after: State) -> Iterator[Fault]:
    """A throw by the wrong player: the second for the break, or the one for the indicator."""
    walls = [d.values for d in state.throws if d.purpose == "wall"]
    right: int | None = None
    if event.purpose == "wall" and len(walls) == 1:
        right = second_thrower(state.ritual, state.dealer, walls[0], state.players)
    elif event.purpose == "indicator":
        right = indicator_thrower(state.ritual, state.dealer, walls, state.players)
    if right is not None and right != event.seat:
        certain = state.ritual.opening.stated
        yield Fault(event.n, event.seat, "wrong_turned", f"the dice point at seat {right}", certain)
    if event.purpose == "wall" and not walls and event.seat != state.dealer:
        yield Fault(event.n, event.seat, "wrong_turned", f"the dealer, seat {state.dealer}, throws", certain=False)


def _deal(state: State, event: ev.Deal, after: State) -> Iterator[Fault]:
    walls = [d.values for d in state.throws if d.purpose == "wall"]
    place = break_wall(state.ritual, state.dealer, walls, state.players)
    if place is None:
        return
    rightful = [(p.wall, p.stack) for p in (place, folded(state.ritual, place, state.players))]
    fits = any(
        event.wall in (None, wall) and event.stacks in (None, stack) for wall, stack in rightful
    )
    if not fits:
        why = f"the dice break the wall of seat {place.wall} after {place.stack}"
        yield Fault(event.n, state.dealer, "wrong_turned", why, state.ritual.opening.stated)


def _indicator(state: State, event: ev.Indicator, after: State) -> Iterator[Fault]:
    walls = [d.values for d in state.throws if d.purpose == "wall"]
    own = next((d for d in reversed(state.throws) if d.purpose == "indicator"), None)
    place = indicator_place(state.ritual, state.dealer, walls, own.values if own else None, state.players)
    if place is None:
        return
    wrong_wall = event.wall is not None and place.wall is not None and event.wall != place.wall
    if wrong_wall or (event.stack is not None and event.stack != place.stack):
        where = "" if place.wall is None else f" in the wall of seat {place.wall}"
        why = f"the dice say stack {place.stack}{where}"
        yield Fault(event.n, state.dealer, "wrong_turned", why, state.ritual.opening.stated)


# --- discards ----------------------------------------------------------------------------------------------------


def _discard(state: State, event: ev.Discard, after: State) -> Iterator[Fault]:
    seat, n, at = state.seats[event.seat], event.n, event.seat
    if not seat.extra and not seat.kept:
        if at == state.turn:
            yield Fault(n, at, "no_draw", "neither drew nor claimed a tile")
        else:
            yield Fault(n, at, "out_of_turn", f"it is the turn of seat {state.turn}")
    if seat.kept and not seat.extra:
        yield Fault(n, at, "out_of_turn", "nobody discards among the last tiles", certain=False)
    if seat.owed:
        yield Fault(n, at, "missing_replacement", f"{seat.owed} replacement(s) not drawn")
    if changed_hand(state, event):
        why = f"drew {_name(seat.drawn)}, discarded {_name(event.tile)}"
        yield Fault(n, at, "changed_after_ready", why)
    if event.tile is None:
        return
    yield from _wild_discard(state, event, after)
    yield from _swap(state, event)
    if seat.exact:
        yield from forced(state, at, seat.known, event.tile, n)


def _wild_discard(state: State, event: ev.Discard, after: State) -> Iterator[Fault]:
    rule = state.ritual.discards.wild
    if event.tile not in state.wild or rule == "free":
        return
    seat, certain, why = state.seats[event.seat], True, "a wild tile may not be discarded"
    if rule == "forfeits":
        why = "who discards a wild tile may not win"
    elif rule == "last_resort":
        why = "a wild tile goes only from a hand of nothing else"
        if seat.exact and all(tile in state.wild for tile in seat.known):
            return
        certain = seat.exact or any(x not in state.wild for x in seat.known) or seat.held > _wilds_possible(state, event.seat)
    elif rule == "forfeits_unless_float":
        why = "a wild tile discarded without a float forfeits the win"
        floated = is_float(after, event.seat)
        if floated:
            return
        certain = floated is not None
    yield Fault(event.n, event.seat, "wild_discarded", why, certain)


def _wilds_possible(state: State, at: int) -> int:
    """How many wild tiles a hand can hold at most: all copies but those lying elsewhere."""
    copies = sum(state.rules.tiles[kind] for kind in state.wild)
    elsewhere = sum(in_view(state, kind) for kind in state.wild) - sum(
        state.seats[at].known.count(kind) for kind in state.wild
    )
    return copies - elsewhere


def _swap(state: State, event: ev.Discard) -> Iterator[Fault]:
    rule, seat = state.ritual.discards, state.seats[event.seat]
    if rule.swap or seat.after_claim is None or event.tile is None:
        return
    free = rule.swap_free_melds is not None and len(seat.melds) >= rule.swap_free_melds
    if not free and state.face(event.tile) == state.face(seat.after_claim):
        yield Fault(event.n, event.seat, "swap_discard", f"{_name(event.tile)} was claimed just before")


def forced(state: State, at: int, hand: tuple[Tile, ...], tile: Tile, n: int, about: int | None = None) -> Iterator[Fault]:
    """Whether another tile of ``hand`` (the discard still in it) had to go before ``tile``; ``state`` is the table then."""
    rule = state.ritual.discards.forced
    if rule == "none":
        return
    faces = [state.face(x) for x in hand if x not in state.wild]
    lone = {kind for kind, count in Counter(faces).items() if t.is_honour(kind) and count == 1}
    gone = {state.face(x) for _, x, _ in state.line if x is not None}
    first = lone & gone
    wild = tile in state.wild
    if wild and rule == "lone":
        return  # a matter of its own: wild_discarded
    mine = state.face(tile)
    if first and (wild or mine not in first):
        why = f"a single {t.write(sorted(first))} already discarded by another goes first"
        yield Fault(n, at, "forced_discard", why, not wild, about)
    elif rule == "lone" and not first and lone and t.is_suited(mine):
        yield Fault(n, at, "forced_discard", f"a single {t.write(sorted(lone))} goes before suit tiles", True, about)


# --- claims and kongs ----------------------------------------------------------------------------------------------


def _claim(state: State, event: ev.Claim, after: State) -> Iterator[Fault]:
    earlier = state.claims
    state = uncontested(state)
    claimed, _ = claim_of(state, event)
    wrong = wrong_claim(state, event)
    n, at = event.n, event.seat
    if wrong:
        yield Fault(n, at, f"wrong_{event.type}", wrong)
    else:
        yield from _wild_claim(state, event, claimed)
        barred = barred_claim(state, event, claimed)
        if barred:
            yield Fault(n, at, "barred_claim", barred)
        elif _bars(state, state.perhaps, event, claimed) is not None:
            yield Fault(n, at, "barred_claim", "a float may bar it", certain=False)
    better = [seat for best, seat, clean in earlier if clean and best > rank(event.type) and seat != at]
    if better:
        yield Fault(n, at, "wrong_precedence", f"seat {better[0]} has made a better claim")
    if not wrong and is_bound(state.seats[at]) and event.type != "kong":
        yield Fault(n, at, "changed_after_ready", "a claim changes the hand")


def wrong_claim(state: State, event: ev.Claim) -> str:
    """Why a claim is no set, not of the last discard, or unknown to the rule set; an empty text where nothing is wrong."""
    offer, (claimed, source), seat = state.offer, claim_of(state, event), state.seats[event.seat]
    if offer is None or offer.kind != "discard":
        return "no discard is open to be claimed"
    if source != offer.seat or (offer.tile is not None and claimed != offer.tile):
        return f"the last discard is {_name(offer.tile)} of seat {offer.seat}"
    if event.seat == offer.seat:
        return "the discard is the claimer's own"
    if claimed is None or claimed not in event.tiles:
        return "the claimed tile is not in the set"
    apart = [tile for tile in event.tiles if tile in state.aside and tile not in state.wild]
    if apart:
        return f"{_name(apart[0])} may stand in no set"
    if event.type == "chow" and not state.rules.chows:
        return "chows are not played"
    if event.type == "chow" and event.seat != state.next_seat(offer.seat):
        return f"a chow comes from the left neighbour only, not from seat {offer.seat}"
    own = list(event.tiles)
    own.remove(claimed)
    jokers = [tile for tile in own if tile in state.wild]
    if not is_set(state, event.type, event.tiles) and not (jokers and could_be_set(state, event.type, event.tiles, jokers)):
        return f"{t.write(event.tiles)} is no {event.type}"
    most = state.ritual.claims.most
    if most is not None and event.type != "kong":
        made = sum(meld.kind in ("chow", "pung", "added_kong") for meld in seat.melds)
        if made >= most:
            return f"no more than {most} chow or pung a hand"
    if event.type == "kong":
        return wrong_kong_time(state, event.seat)
    return ""


def is_set(state: State, kind: str, tiles: tuple[Tile, ...]) -> bool:
    """Whether tiles make the set they are declared as, wild tiles at their face."""
    faces = sorted(state.face(tile) for tile in tiles)
    if kind == "chow":
        return len(faces) == 3 and is_run(state, faces)
    return len(faces) == (3 if kind == "pung" else 4) and len(set(faces)) == 1


def is_run(state: State, faces: list[Tile]) -> bool:
    low, middle, high = sorted(faces)
    if high < 27:
        return low // 9 == high // 9 and (middle, high) == (low + 1, low + 2)
    if not state.rules.honour_chows or low < 27:
        return False
    return (low, middle, high) == t.DRAGONS or (high in t.WINDS and low < middle < high)


def could_be_set(state: State, kind: str, tiles: tuple[Tile, ...], jokers: list[Tile]) -> bool:
    """Whether tiles make the set when ``jokers`` among them may stand for any tile."""
    if len(tiles) != (4 if "kong" in kind else 3):
        return False
    faces = [state.face(tile) for tile in minus(tiles, jokers)]
    if kind != "chow":
        return len(set(faces)) <= 1
    return len(faces) < 2 or any(is_run(state, [*faces, tile]) for tile in t.PLAYING)


def _wild_claim(state: State, event: ev.Claim, claimed: Tile | None) -> Iterator[Fault]:
    rule = state.rules.wild
    if rule is None:
        return
    own = list(event.tiles)
    if claimed in own:
        own.remove(claimed)
    if claimed in state.wild and not rule.claimable:
        yield Fault(event.n, event.seat, "claimed_wild", f"{_name(claimed)} is wild and may not be claimed")
    if any(tile in state.wild for tile in own) and not rule.in_melds:
        yield Fault(event.n, event.seat, "wild_in_meld", "a wild tile may not stand in a claimed set")


def barred_claim(state: State, event: ev.Claim, claimed: Tile | None) -> str:
    """Why a claim that is a set may not be made now."""
    if state.seats[event.seat].dead and not state.dead_may_claim:
        return "a dead hand may not claim"
    seat, rule = state.seats[event.seat], state.ritual.claims
    floater = _bars(state, state.floaters, event, claimed)
    if floater is not None:
        return f"the float of seat {floater} bars it until his next turn"
    now = state.offer.n if state.offer is not None else 0
    if rule.missed_pung and claimed is not None and could_pung(state, event, claimed):
        for gone in seat.passed:
            if gone.n != now and not gone.own and gone.tile is not None and state.face(gone.tile) == state.face(claimed):
                return f"{_name(claimed)} was let go at event {gone.n} and the own turn has not come since"
    if not rule.own_discard and seat.last is not None and seat.last.tile == claimed:
        return f"the claimer has discarded {_name(claimed)} himself in this go-round"
    if rule.feed_limit != "none" and state.repeat + 1 >= rule.feed_from:
        return _fed(state, event)
    return ""


def could_pung(state: State, event: ev.Claim, claimed: Tile) -> bool:
    """Whether the claimer certainly held two tiles for a pung since his last turn: a pung that could not be made was not
    passed. Nothing was drawn since then, so what is known of the hand now was in it."""
    if event.type not in ("pung", "kong"):
        return False
    jokers = state.rules.wild is not None and state.rules.wild.in_melds

    def fits(tile: Tile) -> bool:
        return jokers if tile in state.wild else state.face(tile) == state.face(claimed)

    shown = sum(fits(tile) for tile in minus(event.tiles, (claimed,)))
    return max(shown, sum(fits(tile) for tile in state.seats[event.seat].known)) >= 2


def _bars(state: State, floaters: tuple[int, ...], event: ev.Claim | ev.OwnKong, claimed: Tile | None = None) -> int | None:
    """Which of these players' float rounds bars a claim or kong; not a claim of the floated tile itself."""
    rule = state.ritual.floats
    for floater in floaters:
        bars = rule.bars_floater if floater == event.seat else rule.bars
        opened_it = state.offer is not None and state.offer.seat == floater and claimed in state.wild
        if event.type in bars and not opened_it:
            return floater
    return None


def _fed(state: State, event: ev.Claim) -> str:
    """A third claim from one player, where that is limited."""
    mode, (_, source) = state.ritual.claims.feed_limit, claim_of(state, event)
    from_him = [meld for meld in state.seats[event.seat].melds if meld.source == source]
    if len(from_him) != 2:
        return ""
    others = state.dealer not in (event.seat, source)
    chows = event.type == "chow" and all(meld.kind == "chow" for meld in from_him)
    if mode == "nobody" or (mode == "dealer_only" and others) or (mode == "no_three_chows" and others and chows):
        return f"a third claim from seat {source} is barred"
    return ""


def wrong_kong_time(state: State, at: int) -> str:
    """Why no kong may be made now: the last tiles, or none left to replace it."""
    zone = state.ritual.dead_wall.last_draws
    if zone and state.phase == "play" and state.left < state.reserve + zone:
        return "no kongs among the last tiles"
    if state.ritual.claims.kong_needs_tile and state.left <= 0:
        return "no tile is left to replace it"
    return ""


def _own_kong(state: State, event: ev.OwnKong, after: State) -> Iterator[Fault]:
    wrong = wrong_own_kong(state, event)
    if wrong:
        yield Fault(event.n, event.seat, "wrong_kong", wrong)
        return
    rule = state.rules.wild
    if rule is not None and not rule.in_melds and any(tile in state.wild for tile in event.tiles or ()):
        yield Fault(event.n, event.seat, "wild_in_meld", "a wild tile may not stand in a kong")
    floater = _bars(state, state.floaters, event)
    if floater is not None:
        yield Fault(event.n, event.seat, "barred_claim", f"the float of seat {floater} bars it until his next turn")
    elif _bars(state, state.perhaps, event) is not None:
        yield Fault(event.n, event.seat, "barred_claim", "a float may bar it", certain=False)


def wrong_own_kong(state: State, event: ev.OwnKong) -> str:
    """Why a kong declared in turn is none or comes at a forbidden moment."""
    seat, tiles = state.seats[event.seat], event.tiles
    if not seat.extra:
        return f"it is not the turn of seat {event.seat}"
    if seat.after_claim is not None and event.type not in state.ritual.claims.kong_after_claim:
        return "no such kong between a claim and its discard"
    if tiles is not None:
        jokers = [tile for tile in tiles if tile in state.wild]
        joined = bool(jokers) and could_be_set(state, event.type, tiles, jokers)
        if not is_set(state, event.type, tiles) and not joined:
            return f"{t.write(tiles)} is no kong"
        if any(tile in state.aside and tile not in state.wild for tile in tiles):
            return "kong tiles are konged one at a time"
    if event.type == "added_kong" and tiles is not None:
        pung = next((m for m in seat.melds if m.kind == "pung" and not Counter(m.tiles) - Counter(tiles)), None)
        if pung is None:
            return "there is no such pung"
        added = added_tile(pung, tiles)
        held = added in seat.held_third or added == seat.after_claim  # nothing was drawn since
        if not state.ritual.claims.held_third and held:
            return "three were held when the pung was claimed: it may not become a kong"
    return wrong_kong_time(state, event.seat)


def _bonus(state: State, event: ev.Bonus, after: State) -> Iterator[Fault]:
    if not is_single_kong(state, event.tile):
        return
    own = state.seats[event.seat].extra or state.seats[event.seat].kept
    wrong = wrong_kong_time(state, event.seat) if own else f"it is not the turn of seat {event.seat}"
    if wrong:
        yield Fault(event.n, event.seat, "wrong_kong", wrong)


# --- what a hand laid open proves -----------------------------------------------------------------------------------


def _reveal(state: State, event: ev.Reveal, after: State) -> Iterator[Fault]:
    seat = state.seats[event.seat]
    if seat.bound and changed_shown(seat, event.hand):
        yield Fault(event.n, event.seat, "changed_after_ready", "another hand than was opened")
    if not seat.extra and not seat.kept:
        yield from _forced_before(state, event.seat, event.hand, event.n)
        yield from _barred_before(state, event.seat, event.hand, event.n)


def _won_hand(state: State, event: ev.Win, after: State) -> Iterator[Fault]:
    seat = state.seats[event.seat]
    if event.hand is None:
        return
    if seat.bound and changed_shown(seat, event.hand):
        yield Fault(event.n, event.seat, "changed_after_ready", "another hand than was opened")
    if not seat.turn_kongs:
        yield from _forced_before(state, event.seat, event.hand, event.n)
        yield from _barred_before(state, event.seat, event.hand, event.n)


def _forced_before(state: State, at: int, hand: tuple[Tile, ...], n: int) -> Iterator[Fault]:
    """The hand shown is the hand after the last discard, so it and that tile were held together: judge that discard now."""
    seat = state.seats[at]
    then = seat.unjudged
    if then is None or seat.last is None or seat.last.tile is None:
        return
    yield from forced(then, at, (*hand, seat.last.tile), seat.last.tile, n, seat.last.n)


def _barred_before(state: State, at: int, hand: tuple[Tile, ...], n: int) -> Iterator[Fault]:
    """The hand shown proves that the last discard was a float: claims made in its round were barred."""
    if state.seats[at].barred_then and is_float(state, at, hand):
        for about, claimer in state.seats[at].barred_then:
            yield Fault(n, claimer, "barred_claim", f"seat {at} had floated", True, about)


def _end(state: State, event: ev.End, after: State) -> Iterator[Fault]:
    """A set that came back incomplete, or with a tile too many. It may have lain on the floor, so nothing is certain; the
    hint is given to the one player whose hand nobody saw, else to the dealer."""
    came = event.handed_in
    if came is None or came == state.total:
        return
    hidden = [at for at, seat in enumerate(state.seats) if seat.unknown]
    kind = "short_hand" if came < state.total else "extra_tile"
    seat = hidden[0] if len(hidden) == 1 else state.dealer
    yield Fault(event.n, seat, kind, f"{came} tiles were handed in, the set has {state.total}", certain=False)


# --- copies ------------------------------------------------------------------------------------------------------


def in_view(state: State, kind: Tile) -> int:
    """Copies of a kind known to be somewhere on the table or in hands, a claimed tile counted once."""
    count = int(state.indicator == kind and not state.rules.indicator_in_play)
    for seat in state.seats:
        count += seat.known.count(kind) + seat.bonus.count(kind)
        count += sum(meld.tiles.count(kind) for meld in seat.melds)
        count += sum(thrown.tile == kind and not thrown.taken for thrown in seat.discards)
    return count


def _extra(before: State, event: ev.Event, after: State) -> Iterator[Fault]:
    """Copies too many that this event brought into view."""
    for kind in sorted(brought(event)):
        too_many = in_view(after, kind) - after.rules.tiles[kind]
        if too_many > dict(before.excess).get(kind, 0):
            seat = _owner(after, event, kind)
            yield Fault(event.n, seat, "extra_tile", f"{in_view(after, kind)} copies of {t.NAMES[kind]} in view")


def with_excess(state: State, event: ev.Event) -> tuple[tuple[Tile, int], ...]:
    """Copies too many, the named ones of this event included."""
    known = dict(state.excess)
    for kind in brought(event):
        too_many = in_view(state, kind) - state.rules.tiles[kind]
        if too_many > known.get(kind, 0):
            known[kind] = too_many
    return tuple(sorted(known.items()))


def brought(event: ev.Event) -> set[Tile]:
    """The kinds an event brings into view."""
    return set() if isinstance(event, (ev.Pass, ev.Birds)) else set(ev.tiles_of(event))


def _owner(state: State, event: ev.Event, kind: Tile) -> int:
    """Whose the copy too many is: the event's player; at the deal the last one dealt it; else the dealer."""
    if isinstance(event, ev.Deal):
        return max((at for at, seat in enumerate(state.seats) if kind in seat.known), default=state.dealer)
    return getattr(event, "seat", state.dealer)


CHECKS: dict[type[ev.Event], Callable[[State, Any, State], Iterator[Fault]]] = {
    ev.Draw: _draw, ev.Dice: _dice, ev.Deal: _deal, ev.Indicator: _indicator, ev.Discard: _discard, ev.Chow: _claim,
    ev.Pung: _claim, ev.Kong: _claim, ev.AddedKong: _own_kong, ev.ConcealedKong: _own_kong, ev.Bonus: _bonus,
    ev.Reveal: _reveal, ev.Win: _won_hand, ev.End: _end,
}  # fmt: skip
__all__ = ["Fault", "KINDS", "Seat", "faults", "in_view", "with_excess"]
