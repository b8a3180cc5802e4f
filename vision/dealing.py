"""The beginning of a hand: the deal, who deals, the indicator, and bonus tiles, then and later."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from referee.rules import tiles as t
from referee.table import events as ev
from referee.table.faults import in_view
from referee.table.game import settle_hand
from referee.table.state import State, update, with_seat
from vision.alike import likely, told_together
from vision.story import ASK, LIKELY, OUT_OF_TURN, Happening, Question, Quiet, SetAside, Story
from vision.zones import APART, SURELY, Scene, Spot, seen_from

DEALT = 2.5  # seconds for which the hands must stand where not every tile of them is seen,
ROW = 5  # tiles of a hand that must be seen
PLAYED = 0.5  # seconds a tile must have lain before the hands for the hand to have begun
PLAINLY_THERE = 0.9  # what is seen so surely is a tile, and was discarded before anybody saw that the hands stand
UNSEEN = 4  # of each no more than this missing
SEEMS = 0.5  # how likely a tile must be one of those set aside where its place does not tell
STRANGE = 0.0005  # least chance of a kind for a tile set aside,
FLOWER = 0.01  # of a flower or season: they are drawn in many ways,
LIKENESS = 0.7  # so what they look like says less (a power of the chance they are read with);
TOUCH = 0.02  # with so much of a flower a tile
PLAINLY = 0.1  # is so much less likely an honour
ON_WALL = 1.6  # of a tile's width: an indicator is no further than this from the wall it was turned up from,
IN_WALL = 1.25  # its neighbours in the wall are no further,
A_GAP, UNFILLED = 1.7, 1.2  # widths between tiles set aside in which one has room, and seconds one is waited for
IN_LINE = 0.25  # and stand no further out of line with it;
AT_PLACE = 0.6  # nearer than this to where a tile of the wall stood it lies on its stack


class Dealing(Story):
    """The beginning of a hand."""

    def turned_up(self, wall: int, stack: int, now: float) -> list[Happening]:
        """The table's line says at whose wall and which stack from its right the indicator was turned up."""
        self._happened, self._now, self._turned = [], now, (wall, stack)
        hand = len(self.ledger.game.hands) - 1
        for told in reversed(self.ledger.told):
            seen = told.event
            if told.hand == hand and isinstance(seen, ev.Indicator) and seen.wall is None:
                found = replace(seen, n=0, wall=wall, stack=stack, by="table")
                with_it = (other.event for other in self.ledger.told if other.event.n == seen.n)  # the deal, if told late
                self._correct(seen.n, tuple(found if e is seen else replace(e, n=0) for e in with_it), ())
                break
        return self._happened

    def _see_deal(self, scene: Scene, quiet: Quiet) -> None:
        """The hands stand: everybody has his tiles and nothing moves."""
        size, seats = self.state.size, range(self.state.players)
        rows = [self.standing(scene, seat) for seat in seats]
        counts = [(row.likely if row.seen >= ROW else 0) + self._standing_faces(scene, k) for k, row in enumerate(rows)]
        quietly, stand = all(quiet(s) for s in seats), min(counts) >= size - UNSEEN
        if not quietly or not stand:
            self._dealt = self._now
        whole = min(counts) >= size and max(counts) > size and quietly
        most = sorted(counts)[1] >= size - UNSEEN  # of one player the row may be hardly seen
        if whole or self._now - self._dealt > DEALT or (most and self._played(scene)):
            self._find_dealer(counts)
            self._walls = [(s.track.x, s.track.y) for s in scene.at("wall")]
            self._printed = {s.track.id: s.face for s in self._new(scene.spots) if self._lay_before(s)}
            wall, stacks = self.opened or (None, None)
            self._commit(ev.Deal(hands=(None,) * self.state.players, wall=wall, stacks=stacks))

    def _standing_faces(self, scene: Scene, seat: int) -> int:
        """Tiles of a hand told by their faces: none that seems to lie behind or before one that stands."""
        standing = scene.at("hand", seat)
        faces = self._fresh(scene.at("open", seat))
        return sum(all(abs(s.x - other.x) > APART * self.width for other in standing) for s in faces)

    def _lay_before(self, spot: Spot) -> bool:
        """Whether what is read as a face lay there before the hands had been dealt, where none is laid before play."""
        stray = spot.zone in ("open", "river") and spot.track.sure < PLAINLY_THERE
        return stray and self._now - spot.track.born > DEALT

    def _played(self, scene: Scene) -> bool:
        """Whether tiles lie on the table that come only after the deal."""
        shown = self._fresh(scene.at("river")) + self._fresh(scene.at("bonus"))
        return any(self._now - s.track.born > PLAYED for s in shown)

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
        walls = [s for s in scene.at("wall") if s.track.sure >= SURELY]
        laid = self._fresh(scene.at("river")) + self._fresh(scene.at("bonus"))
        before = [s for s in laid if self._seemed_before(s)]
        if len(before) == len(laid):
            return
        for spot in [s for s in laid if s not in before] + before:
            if spot.placed:
                continue
            reach = min((math.hypot(w.track.x - spot.track.x, w.track.y - spot.track.y) for w in walls), default=math.inf)
            before_hand = spot.zone == "bonus" and spot.face in self.aside
            if self._in_wall(spot) or (reach < ON_WALL * self.width and not before_hand):
                self._draws_owed()
                if self.accounts.indicator is not None:  # a bonus tile, which is the dealer's
                    self.accounts.bonus[self.accounts.indicator] = self.state.dealer
                self.accounts.indicator = spot.track.id
                self._printed |= {s.track.id: s.face for s in before if s is not spot}
                wall, stack = self._turned or (None, None)
                event = ev.Indicator(tile=t.parse_one(spot.face), wall=wall, stack=stack)
                self._tell_indicator(event, spot, rule.when)
                return

    def _seemed_before(self, spot: Spot) -> bool:
        """Whether what looks like a face lay there before the hands stood and is not plainly one: a tile is turned up later."""
        return spot.zone == "river" and spot.track.born < self._dealt and spot.track.sure < PLAINLY_THERE

    def _tell_indicator(self, event: ev.Indicator, spot: Spot, when: str) -> None:
        """Put down what was turned up. Where its face is read only after play has begun, it had been turned up with the deal."""
        if self.state.phase != "play" or when == "after_bonus":
            self._doubt_face(spot, "the indicator", self._commit(event, [spot.track.id], spot.confidence))
            return
        deal = next(told.event for told in reversed(self.ledger.told) if isinstance(told.event, ev.Deal))
        tiles = [t.parse_one(name) for name, p in spot.probabilities.items() if name in t.NAMES and p >= LIKELY]
        told = replace(event, by="camera", confidence=round(spot.confidence, 4))
        answers = [(replace(deal, n=0), replace(told, tile=tile)) for tile in tiles]
        self._correct(deal.n, (replace(deal, n=0), told), [spot.track.id])
        if spot.confidence < ASK:
            names = tuple(t.NAMES[tile] for tile in tiles)
            text = f"the indicator may be {' or '.join(names)}"
            self._ask(Question(text, names, self._now, deal.n, (spot.track.id,), (None, *answers[1:])))

    def _in_wall(self, spot: Spot) -> bool:
        """Whether a tile lies in the row of a wall as it stood after the deal, rather than between it and a hand."""
        stood = [seen_from(spot.seat, x, y) for x, y in self._walls]
        away = [(abs(x - spot.x) / self.width, abs(y - spot.y) / self.width) for x, y in stood]
        return any(math.hypot(x, y) < (IN_WALL if y < IN_LINE else AT_PLACE) for x, y in away)

    def _see_bonus(self, scene: Scene, present: dict[int, Spot], quiet: Quiet) -> bool:
        fresh = [s for s in self._fresh(scene.at("bonus")) if not self._of_open_hand(s, scene)]
        if self.state.phase == "play":
            laying = self.state.offer is not None and self._lifted(present) and self._fresh(scene.at("open"))
            claiming = self._unexplained_sets(scene) or laying
            in_turn = None if claiming else self.state.turn
            fresh = [s for s in fresh if s.seat == in_turn or self._waiting_long(s)]
        else:  # who has claimed the dealer's first discard sets aside only afterwards
            fresh = [s for s in fresh if not self._new_set(scene, s.seat) or self._waiting_long(s)]
        if not fresh:
            return False
        order = [(self.state.turn + i) % self.state.players for i in range(self.state.players)]
        spot = min(fresh, key=lambda s: (s.track.born, order.index(s.seat), s.x))
        if any(s.track.born < spot.track.born for s in self._forming(scene.at("bonus"))) or self._one_between(spot, scene):
            return False
        if self.state.phase == "play":
            self._draw_before(spot.seat)
        elif self.state.ritual.bonus_order == "each":
            for seat in range(self.state.players):
                if seat != spot.seat:
                    self._draws_owed(seat)
        self.accounts.bonus[spot.track.id] = spot.seat
        self._tell_bonus(spot.seat, spot.probabilities, [spot.track.id])
        return True

    def _one_between(self, spot: Spot, scene: Scene) -> bool:
        """Whether between a tile just set aside and those set aside before there is room for one that is not seen yet."""
        row = [s for s in scene.at("bonus", spot.seat) if s.track.id in self.accounts.bonus and s.x < spot.x]
        gap = min((spot.x - s.x for s in row), default=0.0) / self.width
        return A_GAP <= gap < A_GAP + 1 and self._waited([spot]) < UNFILLED

    def _of_open_hand(self, spot: Spot, scene: Scene) -> bool:
        """Whether a tile that does not look like one to set aside is of a hand that is being laid open."""
        looks = sum(spot.probabilities.get(name, 0.0) for name in self.aside)
        return looks < SEEMS and self._opening(scene, spot.seat)

    def _tell_bonus(self, seat: int, read: Mapping[str, float], tracks: Sequence[int]) -> None:
        """Put down a tile set aside by a player that was ``read`` so; those before it are told anew where all together are
        likelier otherwise."""
        looks = [*self._looks(), self._bonus_looks(read)]
        before = [t.NAMES[told.event.tile] for told in self._bonus_told]
        room = self._room()
        names = told_together(looks, room, before)
        for place, told in enumerate(self._bonus_told):
            if names[place] != before[place]:
                event = replace(told.event, tile=t.parse_one(names[place]))
                self._correct(event.n, (replace(event, n=0),), ())
                self._bonus_told[place] = replace(told, event=event)
        sure = dict(likely(len(before), looks, names, room))[names[-1]]
        written = self._commit(ev.Bonus(seat=seat, tile=t.parse_one(names[-1])), tracks, sure)
        if isinstance(written, ev.Bonus):
            self._bonus_told.append(SetAside(written, looks[-1]))

    def _looks(self) -> list[dict[str, float]]:
        return [told.looks for told in self._bonus_told]

    def _bonus_looks(self, read: Mapping[str, float]) -> dict[str, float]:
        """How much a tile that was set aside looks like each of the kinds that are: its place says that it is one of them.
        Honours are alike everywhere and read surely: what has something of a flower is rather one of an unknown design."""
        kinds = self.state.rules.bonus | self.state.aside
        chances = {k: read.get(t.NAMES[k], 0.0) for k in kinds}
        flowery = max((p for k, p in chances.items() if not t.is_honour(k)), default=0.0) >= TOUCH
        plain = PLAINLY if flowery else 1.0
        return {
            t.NAMES[k]: p * plain + STRANGE if t.is_honour(k) else p**LIKENESS + FLOWER for k, p in chances.items()
        }  # fmt: skip

    def _room(self) -> dict[str, int]:
        """How many tiles of each kind the tiles set aside may be: all but those in view elsewhere."""
        state = self.state
        told = Counter(told.event.tile for told in self._bonus_told)
        kinds = state.rules.bonus | state.aside
        return {t.NAMES[k]: state.rules.tiles[k] - in_view(state, k) + told[k] for k in kinds}

    def _ask_about_bonus(self) -> None:
        """At the end of the hand: what a bonus tile read with doubt is, where that changes what the hand comes to."""
        comes_to, looks, room = _deltas(self.state), self._looks(), self._room()
        told = [t.NAMES[told.event.tile] for told in self._bonus_told]
        for place, bonus in enumerate([told.event for told in self._bonus_told]):
            kinds = likely(place, looks, told, room)
            if kinds[0][1] >= ASK:
                continue
            names = [told[place], *(name for name, p in kinds if p >= LIKELY and name != told[place])]
            others = [(replace(bonus, n=0, tile=t.parse_one(name)),) for name in names[1:]]
            if all(_deltas(_with_bonus(self.state, bonus, other.tile)) == comes_to for (other,) in others):
                continue
            text = f"seat {bonus.seat}'s bonus tile may be {' or '.join(names)}"
            self._ask(Question(text, tuple(names), self._now, bonus.n, (), (None, *others)))
        self._bonus_told.clear()

    def _waiting_long(self, spot: Spot) -> bool:
        return self._waited([spot]) > OUT_OF_TURN


def _deltas(state: State) -> tuple[float, ...] | None:
    settlement, _ = settle_hand(state)
    return None if settlement is None else tuple(settlement.deltas)


def _with_bonus(state: State, told: ev.Bonus, tile: int) -> State:
    """The table as it would be were a bonus tile another."""
    rest = list(state.seats[told.seat].bonus)
    if told.tile in rest:
        rest[rest.index(told.tile)] = tile
    return with_seat(state, told.seat, update(state.seats[told.seat], bonus=tuple(rest)))
