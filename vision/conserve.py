"""What a discard may be, and what it turns out to have been: no kind has more copies than the set.

Where a copy too many comes into view, and a discard that was taken for that kind may as well have been another, it was: that
is told anew, never silently, and asked about unless it was asked already.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from referee.rules import tiles as t
from referee.table import events as ev
from referee.table.faults import brought, in_view
from referee.table.game import step as played
from vision.story import ASK, Question, Story
from vision.zones import Spot

FOUL = 0.05  # how much less likely a reading is for being foul play,
THROWN_BONUS = 0.002  # and for being a bonus tile
FIFTH = 0.0025  # and for showing a copy too many: were one in every fifth set, it would still be one kind of 34, and one tile of
# 80 to come where an honest kind has four of 136; so another reading of any of the copies may be as much less likely
FEWEST = 0.001  # readings less likely than this, ten times what a look gives any face, are not weighed against foul play


class Conserving(Story):
    """Discards read with doubt, weighed against what else comes into view."""

    def _clear(self) -> None:
        super()._clear()
        self._read_as: dict[int, Spot] = {}  # discards by the numbers of their events

    def _commit(self, event: ev.Event, tracks: Sequence[int] = (), confidence: float | None = None) -> ev.Event:
        if self.ledger.game.hands:
            self._make_room(event)
        return super()._commit(event, tracks, confidence)

    def _likely(self, spot: Spot, make: Callable[[int], ev.Event]) -> list[tuple[str, float]]:
        """What a tile may be, the likeliest first, where a reading that would be foul play has to be so much clearer."""
        names = [(name, p) for name, p in spot.probabilities.items() if name in t.NAMES and p >= FEWEST]
        names = names or [(spot.face, spot.confidence)]
        if len(names) == 1:
            return names
        weights = [(name, p * self._prior(t.parse_one(name), make)) for name, p in names]
        total = sum(p for _, p in weights)
        return sorted(((name, p / total) for name, p in weights), key=lambda item: -item[1])

    def _prior(self, tile: int, make: Callable[[int], ev.Event]) -> float:
        """How much less likely a tile is thrown for being foul play, or a bonus tile, which is set aside instead."""
        if tile in self.state.rules.bonus:
            return THROWN_BONUS
        event = make(tile)
        if self._too_many(event):
            return FIFTH
        return FOUL if self._foul(event) else 1.0

    def _make_room(self, event: ev.Event, doubt: float = FIFTH) -> None:
        """Before an event that would show a copy too many: tell anew the discard that is most likely to be another, if one is
        likelier so than ``doubt`` (as a share of how likely it is what it was told as)."""
        for kind in self._too_many(event):
            ratio, number, name = max(self._others(kind), default=(0.0, 0, ""))
            if ratio > doubt:
                self._tell_anew(number, kind, name)

    def _too_many(self, event: ev.Event) -> list[int]:
        """The kinds of which an event would show a copy too many."""
        kinds = brought(event)
        if not kinds or self.state.phase == "over":
            return []
        after, faults, _ = played(self.state, event)
        if not any(fault.kind == "extra_tile" for fault in faults):
            return []
        return [k for k in kinds if in_view(after, k) > max(in_view(self.state, k), after.rules.tiles[k])]

    def _others(self, kind: int) -> Iterator[tuple[float, int, str]]:
        """Discards of a kind that may be another of which not all are in view, as they look by now: how likely that is beside
        what it was told as, the number of the event, the other."""
        state, told = self.state, t.NAMES[kind]
        for side in state.seats:
            for thrown in side.discards:
                read = self._looks_now(thrown.n) if thrown.tile == kind and not thrown.taken else {}
                for name, p in read.items():
                    other = t.parse_one(name) if name in t.NAMES else kind
                    if other != kind and in_view(state, other) < state.rules.tiles[other]:
                        yield p / max(read.get(told, 0.0), p * 1e-3), thrown.n, name

    def _looks_now(self, number: int) -> Mapping[str, float]:
        """What a discard is read as by now, further looks included."""
        return self._read_as[number].probabilities if number in self._read_as else {}

    def _tell_anew(self, number: int, kind: int, name: str) -> None:
        """A discard was another tile."""
        told = next(told.event for told in self.ledger.told if told.event.n == number)
        if not isinstance(told, ev.Discard):
            return
        fixed = replace(told, n=0, tile=t.parse_one(name), by="camera", evidence=(), confidence=None)
        self._correct(number, (fixed,), ())
        if self._looks_now(number).get(t.NAMES[kind], 0.0) >= ASK:
            names = (name, t.NAMES[kind])
            text = f"seat {told.seat}'s discard may be {' or '.join(names)}"
            self._ask(Question(text, names, self._now, number, (), (None, (replace(told, n=0),))))
