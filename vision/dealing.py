"""The beginning of a hand: the deal, who deals, the indicator, and bonus tiles, then and later."""

import math
from collections.abc import Sequence
from dataclasses import replace

from referee.rules import tiles as t
from referee.table import events as ev
from vision.story import OUT_OF_TURN, Happening, Quiet, Story
from vision.zones import Scene, Spot

DEALT = 2.5  # seconds in which the hands must stand unchanged where not every tile of them is seen
ON_WALL = 1.3  # of a tile's width: an indicator is no further than this from the wall it was turned up from


class Dealing(Story):
    """The beginning of a hand."""

    def turned_up(self, wall: int, stack: int, now: float) -> list[Happening]:
        """The table's line says at whose wall and which stack from its right the indicator was turned up."""
        self._happened, self._now, self._turned = [], now, (wall, stack)
        hand = len(self.ledger.game.hands) - 1
        for told in reversed(self.ledger.told):
            seen = told.event
            if told.hand == hand and isinstance(seen, ev.Indicator) and seen.wall is None:
                self._correct(seen.n, (replace(seen, n=0, wall=wall, stack=stack, by="table"),), ())
                break
        return self._happened

    def _see_deal(self, scene: Scene, quiet: Quiet) -> None:
        """The hands stand: everybody has his tiles and nothing moves."""
        size, seats = self.state.size, range(self.state.players)
        counts = tuple(scene.standing(seat) + len(scene.at("open", seat)) for seat in seats)
        if counts != self._dealt[0]:
            self._dealt = counts, self._now
        quietly = all(quiet(s) for s in seats)
        whole = min(counts) >= size and max(counts) > size and quietly
        begun = quietly and min(counts) >= size - 3 and self._now - self._dealt[1] > DEALT
        if whole or begun:
            self._find_dealer(counts)
            self._walls = [(s.track.x, s.track.y) for s in scene.at("wall")]
            wall, stacks = self.opened or (None, None)
            self._commit(ev.Deal(hands=(None,) * self.state.players, wall=wall, stacks=stacks))

    def _find_dealer(self, counts: Sequence[int]) -> None:
        """Where nobody has said who deals, the one with a tile more does."""
        first = len(self.ledger.game.hands) == 1 and self.start.dealer is None
        more = [seat for seat, count in enumerate(counts) if count == self.state.size + 1]
        rest = sum(count == self.state.size for count in counts)
        if first and len(more) == 1 and rest == self.state.players - 1 and more[0] != self.state.dealer:
            number = next(told.event.n for told in self.ledger.told if isinstance(told.event, ev.Start))
            self._correct(number, (replace(self.start, dealer=more[0], by="camera"),), ())

    def _see_indicator(self, scene: Scene) -> None:
        rule = self.state.ritual.indicator
        if rule is None or self.state.indicator is not None:
            return
        walls = scene.at("wall")
        for spot in self._fresh(scene.at("river")) + self._fresh(scene.at("bonus")):
            reach = min((math.hypot(w.track.x - spot.track.x, w.track.y - spot.track.y) for w in walls), default=math.inf)
            if reach < ON_WALL * self.width:
                self._draws_owed()
                self.accounts.indicator = spot.track.id
                wall, stack = self._turned or (None, None)
                event = ev.Indicator(tile=t.parse_one(spot.face), wall=wall, stack=stack)
                written = self._commit(event, [spot.track.id], spot.track.confidence)
                self._doubt_face(spot.track, "the indicator", written)
                return

    def _see_bonus(self, scene: Scene, present: dict[int, Spot], quiet: Quiet) -> bool:
        fresh = self._fresh(scene.at("bonus"))
        if self.state.phase == "play":
            in_turn = None if self._unexplained_sets(scene) else self.state.turn
            fresh = [s for s in fresh if s.seat == in_turn or self._waiting_long(s)]
        if not fresh:
            return False
        order = [(self.state.turn + i) % self.state.players for i in range(self.state.players)]
        spot = min(fresh, key=lambda s: (s.track.born, order.index(s.seat), s.x))
        if self.state.phase == "play":
            self._draw_before(spot.seat)
        elif self.state.ritual.bonus_order == "each":
            for seat in range(self.state.players):
                if seat != spot.seat:
                    self._draws_owed(seat)
        self.accounts.bonus[spot.track.id] = spot.seat
        event = ev.Bonus(seat=spot.seat, tile=t.parse_one(spot.face))
        written = self._commit(event, [spot.track.id], spot.track.confidence)
        self._doubt_face(spot.track, f"seat {spot.seat}'s bonus tile", written)
        return True

    def _waiting_long(self, spot: Spot) -> bool:
        return self._waited([spot]) > OUT_OF_TURN
