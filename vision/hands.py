"""What a hand laid open is: the win it declares, if any, read as the likeliest that makes sense.

A tile may be misread, or not seen at all: then other readings are tried, and what the one unseen tile may be.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from referee.rules import tiles as t
from referee.table import events as ev
from referee.table.faults import in_view
from referee.table.moves import draw_source
from referee.table.state import apply
from referee.table.wins import can_win
from vision.dealing import Dealing
from vision.drawing import Drawing
from vision.story import NEARLY
from vision.track import WHITE
from vision.zones import Spot, set_apart, spacing

LEAST = 0.01  # in a hand laid open, tiles are tried as what they may be with this chance
TRIED = 60  # readings of a hand that are tried
RATHER = 0.05  # so much less likely a reading may be than the plainest and still be tried before a tile is taken to be unseen
GIVEN = ("discard", "robbed_kong", "indicator")  # wins on a tile that the winner has not drawn
ROOM = 1.75  # times as far apart as neighbours in the row are two between which one may lie unseen


@dataclass(frozen=True)
class Laid:
    """A hand laid open as it is read: the tiles, the win they declare (None: none), and where one tile is not seen what it
    may be besides, the likeliest first, with the win that would be."""

    shown: list[Spot]
    win: ev.Win | None = None
    unseen: tuple[tuple[int, ev.Win], ...] = ()


class Hands(Dealing, Drawing):
    """Reading hands laid open."""

    def _read_hand(self, seat: int, shown: list[Spot], present: dict[int, Spot]) -> Laid:
        """A legal win where the tiles, read as they may well be, make one; else one with a tile that is not seen; else what
        the plainest reading declares."""
        win = self._won(seat, shown, present)
        if win is not None and self._can_win(win):
            return Laid(shown, win)
        likely = self._legal_reading(seat, shown, present, RATHER)
        if likely is not None:
            return likely
        unseen = self._completed(seat, shown, present)
        if unseen:
            return Laid(shown, unseen[0][1], tuple(unseen))
        return self._legal_reading(seat, shown, present) or Laid(shown, win)

    def _legal_reading(self, seat: int, shown: list[Spot], present: dict[int, Spot], least: float = 0.0) -> Laid | None:
        """The likeliest other reading that is a legal win."""
        for reading in self._readings(shown, least):
            win = self._won(seat, reading, present)
            if win is not None and self._can_win(win):
                return Laid(reading, win)
        return None

    def _readings(self, shown: Sequence[Spot], least: float = 0.0) -> Iterator[list[Spot]]:
        """Other readings of a hand laid open, one or two tiles otherwise than they look, the likeliest first, none less
        likely than ``least`` times the plainest."""
        others = [
            (p / s.confidence, k, name)
            for k, s in enumerate(shown)
            for name, p in s.probabilities.items()
            if name != s.face and name in t.NAMES and p >= LEAST
        ]
        single = [(ratio, ((k, name),)) for ratio, k, name in others]
        double = [(a * b, ((k, x), (m, y))) for (a, k, x), (b, m, y) in itertools.combinations(others, 2) if k != m]
        for ratio, changed in sorted(single + double, reverse=True)[:TRIED]:
            if ratio < least:
                return
            reading = list(shown)
            for k, name in changed:
                reading[k] = replace(reading[k], read=name)
            yield reading

    def _can_win(self, win: ev.Win) -> bool:
        """Whether a win is legal, the draw before it taken as made."""
        seat = win.seat
        state = self._presumed(self.state, seat)
        if win.source not in GIVEN:
            for _ in range(state.seats[seat].owed):
                state = apply(state, ev.Draw(seat=seat, tile=None, end="tail"))
            if state.phase == "play" and state.turn == seat and not state.seats[seat].extra:
                state = apply(state, ev.Draw(seat=seat, tile=None, end="head"))
        return can_win(state, win)

    def _won(self, seat: int, shown: Sequence[Spot], present: dict[int, Spot]) -> ev.Win | None:
        """The win that a hand laid open declares: on the tile on offer, which lies with the hand or still where it lay, on the
        indicator, or on the own draw."""
        tiles = sorted(t.parse_one(s.face) for s in shown)
        offer, held = self.state.offer, self._hand_size(seat)
        offered = offer.tile if offer is not None and offer.seat != seat else None
        if offer is not None and offered is not None:
            source = "discard" if offer.kind == "discard" else "robbed_kong"
            if len(shown) > held and offered in tiles and self._taken_up(present):
                tiles.remove(offered)  # the discard was taken and laid beside the hand
                return ev.Win(seat=seat, tile=offered, source=source, source_seat=offer.seat, hand=tuple(tiles))
            if len(shown) == held:
                on_it = ev.Win(seat=seat, tile=offered, source=source, source_seat=offer.seat, hand=tuple(tiles))
                return on_it if self._can_win(on_it) else None
        if len(shown) == held and seat != self.state.dealer and self.state.phase == "dealt":
            return self._won_on_indicator(seat, tuple(tiles))
        if len(shown) > held and self.state.turn == seat:
            return self._self_drawn(seat, shown)
        return None

    def _taken_up(self, present: dict[int, Spot]) -> bool:
        """Whether the tile on offer lies no more where it was put down, or never was seen there."""
        if self._last_discard is None:
            return self.state.offer is not None and self.state.offer.kind == "discard"
        return self._lifted(present)

    def _won_on_indicator(self, seat: int, tiles: tuple[int, ...]) -> ev.Win | None:
        """Before the dealer's first discard a hand may be won by the tile turned up, where the rules have it."""
        win = ev.Win(seat=seat, tile=self.state.indicator, source="indicator", hand=tiles)
        return win if self.state.indicator is not None and self._can_win(win) else None

    def _self_drawn(self, seat: int, shown: Sequence[Spot]) -> ev.Win:
        """The winning tile lies apart; where none does, any tile the rest wins with."""
        apart = set_apart(shown)
        source = self._drawn_from(seat)
        wins = []
        for spot in [apart] if apart else sorted(shown, key=lambda s: -s.x):
            rest = tuple(sorted(t.parse_one(s.face) for s in shown if s is not spot))
            wins.append(ev.Win(seat=seat, tile=t.parse_one(spot.face), source=source, hand=rest))
        return next((w for w in wins if self._can_win(w)), wins[0])

    def _drawn_from(self, seat: int) -> str:
        """Where the player in turn has his last tile from."""
        player = self.state.seats[seat]
        if self.state.phase == "dealt":
            return "deal"
        if player.owed:
            return player.owed_for
        return draw_source(self.state, seat) if player.extra else "wall"

    def _on_unseen(self, seat: int, shown: Sequence[Spot]) -> ev.Win:
        """A win on a discard that nobody saw lie: the tile that lies apart."""
        apart = set_apart(shown) or max(shown, key=lambda s: s.x)
        tile = t.parse_one(apart.face)
        giver = self.state.turn
        self._draw_before(giver)
        self._last_discard = None
        self._commit(ev.Discard(seat=giver, tile=tile), [apart.track.id], 0.6)
        rest = tuple(sorted(t.parse_one(s.face) for s in shown if s is not apart))
        return ev.Win(seat=seat, tile=tile, source="discard", source_seat=giver, hand=rest)

    # --- a tile that is not seen -------------------------------------------------------------------------------------

    def _completed(self, seat: int, shown: Sequence[Spot], present: dict[int, Spot]) -> list[tuple[int, ev.Win]]:
        """The legal wins of a hand of which one tile is not seen, with what that would be, the likeliest first."""
        wins = [(kind, win) for kind in self._kinds_left(shown) for win in self._with_unseen(seat, kind, shown, present)]
        legal: dict[int, ev.Win] = {}
        for kind, win in wins:
            if kind not in legal and self._can_win(win):
                legal[kind] = win
        return sorted(legal.items(), key=lambda item: self._unlikely(item[0], shown))

    def _kinds_left(self, shown: Sequence[Spot]) -> list[int]:
        """The kinds of which not all are in view, the tiles shown included."""
        tiles, rules = [t.parse_one(s.face) for s in shown], self.state.rules
        held = [kind for kind, n in enumerate(rules.tiles) if n and kind not in rules.bonus]
        return [kind for kind in held if in_view(self.state, kind) + tiles.count(kind) < rules.tiles[kind]]

    def _with_unseen(
        self, seat: int, kind: int, shown: Sequence[Spot], present: dict[int, Spot]
    ) -> Iterator[ev.Win]:
        """What a hand would declare with one tile of a kind besides what is shown."""
        tiles, held, offer = [t.parse_one(s.face) for s in shown], self._hand_size(seat), self.state.offer
        on_offer = offer is not None and offer.kind == "discard" and offer.seat != seat
        if on_offer and offer is not None and offer.tile is not None:
            taken = len(tiles) == held and offer.tile in tiles and self._taken_up(present)
            if taken:
                tiles.remove(offer.tile)
            if taken or len(tiles) == held - 1:
                hand = tuple(sorted([*tiles, kind]))
                yield ev.Win(seat=seat, tile=offer.tile, source="discard", source_seat=offer.seat, hand=hand)
                return
        far = self.state.left > self.state.reserve + NEARLY  # hands are shown without a win where the wall is used up
        if seat == self.state.turn and len(tiles) == held and far:
            apart, source = set_apart(shown), self._drawn_from(seat)
            if apart is not None:
                rest = [t.parse_one(s.face) for s in shown if s is not apart]
                yield ev.Win(seat=seat, tile=t.parse_one(apart.face), source=source, hand=tuple(sorted([*rest, kind])))
            yield ev.Win(seat=seat, tile=kind, source=source, hand=tuple(sorted(tiles)))

    def _unlikely(self, kind: int, shown: Sequence[Spot]) -> tuple[bool, bool, int]:
        """To sort by: rather what fits into a gap of a row that is laid in order, a tile that may be blank, one of which most
        are left."""
        row = sorted(shown, key=lambda s: s.x)
        wide = ROOM * spacing(row)
        gaps = [(t.parse_one(a.face), t.parse_one(b.face)) for a, b in itertools.pairwise(row) if b.x - a.x > wide]
        fits = any(a <= kind <= b for a, b in gaps)
        return not fits, t.NAMES[kind] != WHITE, in_view(self.state, kind)
