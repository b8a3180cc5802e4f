"""Turns that nobody saw: the table was hidden, and what was played meanwhile comes to light in one look.

Three discards or sets take three turns, which nobody plays within a second: what comes to light together is not explained
tile by tile. It is put in an order in which everything that lies there was played: each river in the order of its row, every
set made of a discard of somebody's turn. How many turns went by, and who is next, follow from the tiles; the order across
players is a reconstruction, told with so much doubt and one question. Where no order accounts for all of it the thread is lost,
and what is told is the order that leaves out least.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from referee.rules import tiles as t
from referee.table import events as ev
from vision.dealing import Dealing
from vision.discards import Discards
from vision.sets import A_KONG, A_PUNG, CLAIMS, Sets
from vision.story import AGAIN, ASK, LOST, READABLE, UNREAD, Question, Quiet
from vision.zones import HEIGHT, SURELY, Scene, Spot, blocks, is_sideways

TOGETHER = 1.0  # seconds within which no three turns are played
AT_ONCE = 3  # discards and sets that come to light so near to one another
ORDERS = 50  # orders that are told apart
STEPS = 20_000  # steps in which they are sought
UNSEEN = 6  # discards of which nothing is seen that an order may take for granted once the thread is lost
DOUBTED = ASK - 0.05  # confidence of what was read well but not seen to happen
NEXT_MOVE = 4.0  # seconds for which the next discard is waited for where orders differ in whose turn it is


@dataclass(frozen=True, eq=False)
class Laid:
    """A set that has come to lie: whose it is, its tiles, the tile that was claimed and who gave it, as far as one lies aside."""

    seat: int
    kind: str
    tiles: tuple[int, ...]
    block: tuple[Spot, ...]
    claimed: frozenset[int]
    giver: int | None

    @property
    def born(self) -> float:
        return max(s.track.born for s in self.block)


@dataclass(frozen=True)
class Turn:
    """A discard: whose, the tile that lies in the river or the set that was made with it, or neither: it was not seen."""

    seat: int
    spot: Spot | None = None
    laid: Laid | None = None


@dataclass(frozen=True)
class Found:
    """What has come to light: new tiles of each river in the order of its row (one for all where there is one heap), sets, and
    the tile on offer before, where it lies no more: its seat and kind."""

    rivers: tuple[tuple[Spot, ...], ...]
    sets: tuple[Laid, ...]
    offered: tuple[int, int] | None = None


class Orders:
    """The orders in which all that was found can have been played from a seat's turn on; ``plain``: what came to light first was
    played first, and a set's giver is the one that the tile turned aside shows."""

    def __init__(self, found: Found, players: int, plain: bool = True) -> None:
        self.found, self.players, self.plain = found, players, plain
        self.steps = 0

    def of(self, turn: int, unseen: int = 0) -> list[list[Turn]]:
        """At most ``ORDERS`` of them, with so many discards that nobody saw."""
        orders: list[list[Turn]] = []
        none = (0,) * len(self.found.rivers)
        for order in self._first(turn, none, tuple(range(len(self.found.sets))), unseen):
            orders.append(order)
            if len(orders) >= ORDERS:
                break
        return orders

    def _first(self, turn: int, thrown: tuple[int, ...], sets: tuple[int, ...], unseen: int) -> Iterator[list[Turn]]:
        """With the tile that was on offer: where it lies no more it was claimed, or nobody saw what became of it."""
        if self.found.offered is None:
            yield from self._rest(turn, thrown, sets, unseen, 0.0)
            return
        giver, tile = self.found.offered
        for k in sets:
            laid = self.found.sets[k]
            if tile in laid.claimed and self._may_claim(laid, giver):
                left = tuple(other for other in sets if other != k)
                for order in self._rest(laid.seat, thrown, left, unseen, laid.born):
                    yield [Turn(giver, None, laid), *order]
        if unseen:
            yield from self._rest(turn, thrown, sets, unseen - 1, 0.0)

    def _rest(
        self, turn: int, thrown: tuple[int, ...], sets: tuple[int, ...], unseen: int, born: float
    ) -> Iterator[list[Turn]]:  # fmt: skip
        """Orders of what is left. ``thrown``: how many tiles of each river have been; ``born``: when the latest of what was
        played so far came to light."""
        self.steps += 1
        if not sets and not unseen and all(n == len(river) for n, river in zip(thrown, self.found.rivers, strict=True)):
            yield []
            return
        if self.steps > STEPS:
            return
        after = (turn + 1) % self.players
        at = turn % len(self.found.rivers)
        river, number = self.found.rivers[at], thrown[at]
        if number < len(river) and self._follows(river[number].track.born, born):
            more = tuple(n + (k == at) for k, n in enumerate(thrown))
            for order in self._rest(after, more, sets, unseen, max(born, river[number].track.born)):
                yield [Turn(turn, river[number]), *order]
        for k in sets:
            laid = self.found.sets[k]
            if self._may_claim(laid, turn) and self._follows(laid.born, born):
                left = tuple(other for other in sets if other != k)
                for order in self._rest(laid.seat, thrown, left, unseen, max(born, laid.born)):
                    yield [Turn(turn, None, laid), *order]
        if unseen:
            for order in self._rest(after, thrown, sets, unseen - 1, born):
                yield [Turn(turn), *order]

    def _follows(self, born: float, latest: float) -> bool:
        """Whether what came to light at a time may have been played after what came to light last so far."""
        return not self.plain or born >= latest - TOGETHER

    def _may_claim(self, laid: Laid, giver: int) -> bool:
        """Whether a set can be made with a player's discard: a run with that of the player before alone."""
        if laid.seat == giver or (self.plain and laid.giver not in (None, giver)):
            return False
        return laid.kind != "chow" or laid.seat == (giver + 1) % self.players


class Absence(Sets, Dealing, Discards):
    """What was played while nobody saw the table."""

    def _clear(self) -> None:
        super()._clear()
        self._at_most = 1.0  # the confidence of what is being told
        self._meanwhile: frozenset[int] = frozenset()  # tiles that came to lie while nobody saw the table
        self._seen_again: float | None = None  # since when more lies there than can have been played before anybody's eyes

    def _commit(self, event: ev.Event, tracks: Sequence[int] = (), confidence: float | None = None) -> ev.Event:
        at_most = DOUBTED if self._meanwhile.intersection(tracks) else 1.0
        if min(at_most, self._at_most) < 1.0:
            confidence = min(at_most, self._at_most, 1.0 if confidence is None else confidence)
        return super()._commit(event, tracks, confidence)

    def _catch_up(self, scene: Scene, present: dict[int, Spot], quiet: Quiet) -> bool:
        """Tell what was played while nobody saw the table; whether that is so, or waited for."""
        if self._turned_up_after_win(scene):
            return False
        found = self._found_at_once(scene, present)
        if found is None:
            self._seen_again = None
            return False
        self._seen_again = self._now if self._seen_again is None else self._seen_again
        waited = self._now - self._seen_again
        lost = waited > LOST
        if not lost:
            orders = [] if waited < AGAIN or self._still_coming(scene) else self._fitting(found, scene)
            whose = {_next(order, self.state.players) for order in orders}
            if not orders or (len(whose) > 1 and waited < NEXT_MOVE):
                return True  # more may come to light
        else:
            tries = ((unseen, plain) for unseen in range(UNSEEN + 1) for plain in (True, False))
            orders = next(filter(None, (self._fitting(found, scene, *how) for how in tries)), [])
        if orders:
            self._seen_again, self.lost = None, self.lost or lost
            self._tell_order(orders, lost, scene, present, quiet)
        return bool(orders)

    def _found_at_once(self, scene: Scene, present: dict[int, Spot]) -> Found | None:
        """What has come to light, where more has at once than can be played."""
        new = [s for s in self._new(scene.at("river")) if s.confidence >= READABLE]
        sets = tuple(laid for seat in range(self.state.players) for laid in self._sets_laid(seat, scene))
        births = sorted([*(s.track.born for s in new), *(laid.born for laid in sets)])
        if not any(b - a <= TOGETHER for a, b in zip(births, births[AT_ONCE - 1 :], strict=False)):
            return None
        fresh = self._fresh(scene.at("river"))
        rivers = [self._in_row(seat, fresh, scene) for seat in range(self.state.players)] if self.rows else [_by_age(fresh)]
        return Found(tuple(rivers), sets, self._offered_and_gone(present)) if fresh or sets else None

    def _offered_and_gone(self, present: dict[int, Spot]) -> tuple[int, int] | None:
        """Seat and kind of the tile on offer before, where it is not seen to lie where it lay."""
        offer = self.state.offer
        if offer is None or offer.tile is None or self._last_discard is None:
            return None
        spot = self._on_offer(present)
        return (offer.seat, offer.tile) if spot is None or spot.track.missed else None

    def _in_row(self, seat: int, fresh: Sequence[Spot], scene: Scene) -> tuple[Spot, ...]:
        """New discards of a player in the order of the rows: the first is the farthest from him, each begins at his left."""
        first = max((s.y for s in scene.at("river", seat)), default=0.0)
        return tuple(sorted((s for s in fresh if s.seat == seat), key=lambda s: (self._row_of(s, first), s.x)))

    def _row_of(self, spot: Spot, first: float) -> int:
        return round((first - spot.y) / (HEIGHT * self.width))

    def _sets_laid(self, seat: int, scene: Scene) -> list[Laid]:
        """The sets that are new in a player's corner; of a hand laid open only those with a tile turned aside."""
        fresh = self._fresh(scene.at("open", seat))
        if len(fresh) < A_PUNG:
            return []
        found = [self._as_laid(seat, part) for block in blocks(fresh, self.width) for part in self._parted(block)]
        turned = self.state.ritual.customs.giver and self.standing(scene, seat).likely <= 1
        return [laid for laid in found if not turned or any(is_sideways(s) for s in laid.block)]

    def _parted(self, block: list[Spot]) -> list[list[Spot]]:
        """A block taken apart into sets; none where it cannot be."""
        if len(block) < A_PUNG:
            return []
        for size in (A_PUNG, A_KONG):
            first, rest = block[:size], block[size:]
            if len(first) < size or self._set_kind(tuple(sorted(t.parse_one(s.face) for s in first))) is None:
                continue
            parts = self._parted(rest)
            if parts or not rest:
                return [first, *parts]
        return []

    def _as_laid(self, seat: int, block: list[Spot]) -> Laid:
        tiles = tuple(sorted(t.parse_one(s.face) for s in block))
        aside = [k for k, s in enumerate(block) if is_sideways(s)]
        whole = len(aside) == 1
        claimed = frozenset([t.parse_one(block[aside[0]].face)] if whole else tiles)
        giver = self._giver(seat, aside[0], len(block)) if whole and self.state.ritual.customs.giver else None
        return Laid(seat, self._set_kind(tiles) or "", tiles, tuple(block), claimed, giver)

    def _giver(self, seat: int, place: int, size: int) -> int:
        """Whose discard a tile turned aside was: it lies at the side of the set on which he sits."""
        players = self.state.players
        away = players - 1 if place == 0 else 1 if place == size - 1 else players // 2
        return (seat + away) % players

    def _still_coming(self, scene: Scene) -> bool:
        """Whether more of what was played meanwhile will be read before long."""
        forming = self._forming(scene.at("river")) + self._forming(scene.at("open"))
        doubtful = [s for s in self._new(scene.at("river")) if s.track.sure >= SURELY and not self._believable(s)]
        since = (self._seen_again or 0.0) + TOGETHER
        return any(s.track.born <= since and self._now - s.track.born < UNREAD for s in forming + doubtful)

    def _fitting(self, found: Found, scene: Scene, unseen: int = 0, plain: bool = True) -> list[list[Turn]]:
        """The orders that fit best the standing hands: all are as long as they should be, but for his whose turn it is."""
        players = self.state.players
        orders = Orders(found, players, plain).of(self.state.turn, unseen)
        longer = frozenset(seat for seat in range(players) if self._has_drawn(seat, found, scene))
        strange = [_strange(order, longer, players) for order in orders]
        return [order for order, odd in zip(orders, strange, strict=True) if odd == min(strange)]

    def _has_drawn(self, seat: int, found: Found, scene: Scene) -> bool:
        """Whether a player is seen to hold a tile more than a hand has."""
        sets = sum(laid.seat == seat for laid in found.sets)
        return self.standing(scene, seat).surely == self._hand_size(seat) - 3 * sets + 1

    def _tell_order(
        self, orders: list[list[Turn]], lost: bool, scene: Scene, present: dict[int, Spot], quiet: Quiet
    ) -> None:  # fmt: skip
        """Tell the turns in the first of some orders, none of them surely, and ask once."""
        order, turns = orders[0], len(orders[0])
        self._meanwhile = frozenset(s.track.id for s in self._new(scene.spots))
        heap = 1 if self.rows else max(1, sum(turn.spot is not None for turn in order))
        told = len(self._happened)
        self._at_most = min(DOUBTED, 1.0 / len(orders), 1.0 / heap)
        for turn in order:
            self._tell_turn(turn, scene, present, quiet)
        self._at_most = 1.0
        self._given_up = True  # stacks that went unseen may have gone upper or lower tile first: the walls tell nothing any more
        first = next((h.event for h in self._happened[told:] if h.event is not None), None)
        about, tracks = first.n if first else None, tuple(i for h in self._happened[told:] for i in h.tracks)
        if lost:
            text = f"the thread is lost: {turns} turns or more were not seen, and what lies there does not add up"
            self._ask(Question(text, ("recount", "add the missed events"), self._now, about, tracks))
        else:
            text = f"{turns} turns were not seen and are told in an order that fits what lies there: is it right?"
            self._ask(Question(text, ("yes", "recount"), self._now, about, tracks))

    def _tell_turn(self, turn: Turn, scene: Scene, present: dict[int, Spot], quiet: Quiet) -> None:
        offer, seat, laid = self.state.offer, turn.seat, turn.laid
        if laid is not None and offer is not None and offer.seat == seat and self.state.turn != seat:
            self._tell_claim(laid, offer.tile, seat, present)
            return
        self._tell_aside(seat, scene, quiet)
        self._draw_before(seat)
        if laid is not None:
            claimed = self._taken(list(laid.block))[0]
            self._last_discard = None
            self._commit(ev.Discard(seat=seat, tile=claimed), self._ids(laid.block))
            self._tell_claim(laid, claimed, seat, present)
        elif turn.spot is None:
            self._skipped.setdefault(seat, []).append(self._commit(ev.Discard(seat=seat, tile=None)).n)
            self._last_discard = None
        else:
            self._put_down(turn.spot, seat)

    def _put_down(self, spot: Spot, seat: int) -> None:
        self._now_on_offer(spot, seat)
        (name, sure), *_ = self._likely(spot, lambda tile: ev.Discard(seat=seat, tile=tile))
        written = self._commit(ev.Discard(seat=seat, tile=t.parse_one(name)), [spot.track.id], sure)
        self.accounts.river[spot.track.id] = (seat, written.n)
        self._read_as[written.n] = spot

    def _tell_claim(self, laid: Laid, tile: int | None, giver: int, present: dict[int, Spot]) -> None:
        event = CLAIMS[laid.kind](seat=laid.seat, tiles=laid.tiles, claimed=tile, source=giver)
        self._before_claim = None
        self._commit_meld(event, laid.seat, list(laid.block), present)

    def _tell_aside(self, seat: int, scene: Scene, quiet: Quiet) -> None:
        """What a player has set aside, and kongs of his own hand: he did that in a turn of his."""
        for spot in sorted(self._fresh(scene.at("bonus", seat)), key=lambda s: s.x):
            self._draw_before(seat)
            self.accounts.bonus[spot.track.id] = seat
            self._tell_bonus(seat, spot.probabilities, [spot.track.id])
        parts = [self._parted(block) for block in blocks(self._fresh(scene.at("open", seat)), self.width)]
        sets = {s.track.id for part in parts for block in part for s in block}
        fresh = [s for s in self._fresh(scene.at("open", seat)) if s.track.id not in sets]
        if not self._added_kong(seat, fresh, scene, still=True):
            self._concealed_kong(seat, fresh, scene, quiet(seat))


def _by_age(spots: Sequence[Spot]) -> tuple[Spot, ...]:
    """Tiles of a heap as they came to light."""
    return tuple(sorted(spots, key=lambda s: (s.track.born, s.track.id)))


def _strange(order: Sequence[Turn], longer: frozenset[int], players: int) -> int:
    """How many hands are not as long as they should be after some turns: ``longer`` by a tile may be that of him who is next, and
    must be where he has claimed and not discarded yet."""
    seat = _next(order, players)
    return len(longer - {seat}) + (order[-1].laid is not None and seat not in longer)


def _next(order: Sequence[Turn], players: int) -> int:
    """Whose turn it is after some turns."""
    last = order[-1]
    return (last.seat + 1) % players if last.laid is None else last.laid.seat
