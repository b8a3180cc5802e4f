"""Discards: who threw a new tile in the river, those that nobody saw, and what a tile may be.

In rows a tile is his before whom it lies; in the centre his whose turn it is, unless the standing tiles tell of another. A
discard before another player's turn means, as a rule, that one was missed: it is put down as unseen and filled in when it
comes to light.
"""

import math
from collections import Counter
from collections.abc import Sequence

from referee.rules import tiles as t
from referee.table import events as ev
from vision.conserve import FIFTH, Conserving
from vision.drawing import Drawing
from vision.story import OUT_OF_TURN, PLAIN, Question, Quiet
from vision.zones import Scene, Spot

REACHING = 1.8  # seconds before a discard is believed in which whoever threw it moved
SORTED = 0.5  # seconds after a discard in which its player still closes up his hand
CLEARLY = 1.5  # times as much must have moved on another player's side than on that of the player in turn
CLEARLY_NEXT = 3.0  # and of him who comes next, who draws as soon as the tile lies
SUSPECT = 1.2  # seconds for which a hand one short must be seen before a discard is laid to it
MANY = 2  # so many discards in a row are not missed: rather, somebody discarded out of turn
MISSED = 2.5  # seconds a discard before another player waits for those that should have come before it


class Discards(Conserving, Drawing):
    """Tiles new in the river."""

    def _see_discards(self, scene: Scene, present: dict[int, Spot], quiet: Quiet) -> bool:
        fresh = self._fresh(scene.at("river"))
        if not fresh or self._turned_up_after_win(scene):
            return False
        spot = self._next_thrown(fresh)
        if any(s.track.born < spot.track.born for s in self._forming(scene.at("river"))):
            return False
        if self._laid_back(spot, present) or self._fills(spot):
            return True
        turn, seat = self.state.turn, self._discarder(spot, scene, quiet)
        if seat is None:
            return False
        early = seat != turn and self._out_of_turn(seat, spot, scene)
        if seat != turn and not early:
            self._skip_to(seat, spot)
        elif early and self._drawn_since(spot):
            self._commit(ev.Draw(seat=seat, tile=None, end="head"))
        self._draw_before(seat)
        self._now_on_offer(spot, seat)
        first, *others = [p for name, p in spot.probabilities.items() if name in t.NAMES] or [1.0]
        self._make_room(ev.Discard(seat=seat, tile=t.parse_one(spot.face)), max(FIFTH, max(others, default=0.0) / first))
        likely = self._likely(spot, lambda tile: ev.Discard(seat=seat, tile=tile))
        (name, sure), *_ = likely
        written = self._commit(ev.Discard(seat=seat, tile=t.parse_one(name)), [spot.track.id], sure)
        self.accounts.river[spot.track.id] = (seat, written.n)
        self._read_as[written.n] = spot
        if early and self.state.seats[seat].off and isinstance(written, ev.Discard):
            self._undo.setdefault(seat, []).append((written.n, (ev.Draw(seat=seat, tile=None, end="head"), written)))
        self._doubt_face(spot, f"seat {seat}'s discard", written, likely)
        self._turn_made(written, seat, spot)
        return True

    def _now_on_offer(self, spot: Spot, seat: int) -> None:
        """A tile is the latest discard."""
        self.accounts.river[spot.track.id] = (seat, 0)
        self._last_discard, self._before_claim = spot.track.id, None
        self._offered_as, self._offered_at = spot.probabilities, self._now
        self._offer_at, self._thrown_at = (spot.track.x, spot.track.y), spot.track.born

    def _turned_up_after_win(self, scene: Scene) -> bool:
        """Whether what is new in the middle may be the birds of a win that is not told yet."""
        return bool(self.state.ritual.deal.bird) and any(self._opening(scene, seat) for seat in range(self.state.players))

    def _fills(self, spot: Spot) -> bool:
        """A discard that nobody saw at first comes to light; or its player makes it only now, so that whoever discarded before
        him was out of turn."""
        if not self.rows:
            return self._fills_in_heap(spot)
        missing = self._skipped.get(spot.seat, []) if spot.seat != self.state.turn else []
        if not missing:
            return False
        number = missing.pop(0)
        if self._moved(spot.seat, spot.track.born) and spot.track.born > self._passed_over.get(number, 0.0):
            self._correct(number, (), [spot.track.id])
            return True
        self._fill(spot, spot.seat, number)
        return True

    def _fills_in_heap(self, spot: Spot) -> bool:
        """The one discard that nobody saw, where nobody has moved since the last one: nothing can have been thrown."""
        missing = [(number, seat) for seat, numbers in self._skipped.items() for number in numbers]
        since = self._thrown_at + SORTED
        if len(missing) != 1 or not self._watched(since) or any(since <= at <= spot.track.born for at, _ in self._stirs):
            return False
        number, seat = missing[0]
        self._skipped[seat].remove(number)
        self._fill(spot, seat, number)
        return True

    def _fill(self, spot: Spot, seat: int, number: int) -> None:
        """A tile is the discard that had been put down as missed."""
        self.accounts.river[spot.track.id] = (seat, number)
        self._correct(number, (ev.Discard(seat=seat, tile=t.parse_one(spot.face), by="camera"),), [spot.track.id])

    def _moved(self, seat: int, at: float) -> bool:
        """Whether something moved on a player's side just before."""
        return any(who == seat and at - REACHING <= t <= at for t, who in self._stirs)

    def _out_of_turn(self, seat: int, spot: Spot, scene: Scene) -> bool:
        """Whether a player discarded before it was his turn, rather than that a discard was missed: the walls tell, had those
        before him drawn; else his hand, or what is the likelier."""
        drawn = self._drawn_since(spot)
        if drawn is not None:
            return drawn < self._ahead(seat) + 1 - min(self.state.seats[self.state.turn].extra, 1)
        fresh = self._fresh(scene.at("river"))
        return self._is_short(seat, scene) or self._ahead(seat) >= MANY or spot in self._overtaken(fresh)

    def _ahead(self, seat: int) -> int:
        """How many players should have discarded before."""
        return (seat - self.state.turn) % self.state.players

    def _is_short(self, seat: int, scene: Scene) -> bool:
        """Whether the standing tiles show that a player discarded without having drawn."""
        return self.counts.reliable and self.standing(scene, seat).likely == self.state.seats[seat].held - 1

    def _skip_to(self, seat: int, spot: Spot) -> None:
        """The discards of those before him who discarded ``spot`` were missed: that happens more often than a discard out of
        turn."""
        first = self.state.turn
        numbers = []
        for _ in range(self.state.players):
            turn = self.state.turn
            if turn == seat:
                break
            self._draw_before(turn)
            numbers.append(self._commit(ev.Discard(seat=turn, tile=None), (), 0.5).n)
            self._skipped.setdefault(turn, []).append(numbers[-1])
            self._passed_over[numbers[-1]] = spot.track.born
        text = f"seat {seat} discarded, but no discard of seat {first} was seen: was it missed?"
        answers: tuple[tuple[ev.Event, ...] | None, ...] = (None, () if len(numbers) == 1 else None)
        self._ask(Question(text, ("it was missed", f"seat {seat} was out of turn"), self._now, numbers[0], (), answers))

    def _next_thrown(self, fresh: Sequence[Spot]) -> Spot:
        """Which of several new tiles came first: as a rule his whose turn comes first, but not where he is seen to throw his
        only after another has lain."""
        overtaken = self._overtaken(fresh)
        return min(overtaken or fresh, key=self._discard_order)

    def _overtaken(self, fresh: Sequence[Spot]) -> list[Spot]:
        """Tiles thrown out of turn: after each the player whose turn it is threw his."""
        if not self.rows:
            return []
        proper = [s for s in fresh if s.seat == self.state.turn and self._moved(s.seat, s.track.born)]
        return [s for s in fresh if any(s.track.born < later.track.born - REACHING / 2 for later in proper)]

    def _discard_order(self, spot: Spot) -> tuple[int, float]:
        """In turn order from whose turn it is, where the place tells the player; then by age."""
        ahead = (spot.seat - self.state.turn) % self.state.players if self.rows else 0
        return ahead, spot.track.born

    def _laid_back(self, spot: Spot, present: dict[int, Spot]) -> bool:
        """A claimed tile that comes back to the river because another's claim goes before: no new discard."""
        offer = self.state.offer
        if self._before_claim is None or offer is None or offer.tile is None or t.NAMES[offer.tile] != spot.face:
            return False
        number, claimed = self._before_claim
        left = [i for i in claimed if i not in present and self.accounts.places.get(i, (0, 0, spot.face))[2] == spot.face]
        x, y = self._offer_at
        there = math.hypot(spot.track.x - x, spot.track.y - y) < 0.8 * self.width
        if offer.n != number or not (left or there):
            return False
        for track_id in claimed:
            self.accounts.melds.pop(track_id, None)
        self.accounts.river[spot.track.id] = (offer.seat, number)
        self._last_discard, self._before_claim = spot.track.id, None
        return True

    def _discarder(self, spot: Spot, scene: Scene, quiet: Quiet) -> int | None:
        """Whose discard a new tile is: in rows his before whom it lies, in the centre his whose turn it is, unless the
        standing tiles tell of another. None: wait."""
        turn = self.state.turn
        if self.rows and spot.seat != turn:
            if self._plainly_early(spot, scene):
                return spot.seat
            if spot in self._overtaken(self._fresh(scene.at("river"))):
                return spot.seat
            longest = MISSED if not self._unexplained_sets(scene) else 2 * MISSED
            return spot.seat if self._waited([spot]) > longest and spot.confidence >= PLAIN else None
        if self._waited([spot]) < OUT_OF_TURN and self._unexplained_sets(scene):
            return None
        if self.rows:
            return turn
        mover = self._mover(spot, turn)
        return self._by_counts(spot, turn, scene, quiet) if mover is None else mover

    def _plainly_early(self, spot: Spot, scene: Scene) -> bool:
        """Whether the walls tell that those before him have not drawn, so that no discard of theirs is waited for."""
        told = self.walls_tell and not self._unexplained_sets(scene) and spot.confidence >= PLAIN
        return told and self._out_of_turn(spot.seat, spot, scene)

    def _mover(self, spot: Spot, turn: int) -> int | None:
        """Who discarded a tile, by where something moved since the discard before had been made: the player in turn, unless on
        another's side much more did; of several the next in turn. None where nobody knows."""
        since = max(spot.track.born - REACHING, self._thrown_at + SORTED)
        moved = Counter(seat for t, seat in self._stirs if since <= t <= spot.track.born)
        if not moved or not self._watched(spot.track.born - REACHING):
            return None
        order = [(turn + step) % self.state.players for step in range(self.state.players)]
        drawn = self._drawn_since(spot)
        stirred = any(who == turn and self._thrown_at + SORTED <= t <= spot.track.born for t, who in self._stirs)
        if stirred and drawn == 1 and not self.state.seats[turn].extra:
            return turn  # one tile has been drawn, and it was his to draw
        most = max(order, key=lambda seat: moved[seat])
        clearly = CLEARLY_NEXT if most == order[1] else CLEARLY
        return most if moved[most] > clearly * moved[turn] else turn

    def _watched(self, since: float) -> bool:
        """Whether movements were noted from a time on."""
        return bool(self._stirs) and self._stirs[0][0] <= since

    def _by_counts(self, spot: Spot, turn: int, scene: Scene, quiet: Quiet) -> int | None:
        """Somebody else discarded where he has a tile less than before and the player in turn, who has not been seen to
        draw, has all of his. None: wait and look again."""
        held = self.state.seats[turn].held
        if not quiet(turn) or self.standing(scene, turn).likely < held or self.counts.last(turn) == held + 1:
            return turn
        if not self.counts.reliable:
            return turn
        for seat in range(self.state.players):
            held = self.state.seats[seat].held
            if seat != turn and quiet(seat) and self.standing(scene, seat).likely == held - 1 and self.counts.last(seat) == held:
                return seat if self._waited([spot]) > SUSPECT else None
        return turn
