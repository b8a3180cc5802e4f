"""Hands laid open: wins and hands that are only shown, each read as the likeliest that makes sense."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

from referee.rules import tiles as t
from referee.table import events as ev
from referee.table.faults import in_view
from referee.table.moves import draw_source
from referee.table.state import apply
from referee.table.wins import can_win
from vision.dealing import Dealing
from vision.drawing import LENGTHS, Drawing
from vision.story import ASK, STEADY, Question, Quiet
from vision.zones import Scene, Spot, set_apart

LEAST = 0.01  # in a hand laid open, tiles are tried as what they may be with this chance
TRIED = 60  # readings of a hand that are tried
SHORT = 2  # tiles that may be missing in a hand that is shown
INCOMPLETE = 3.0  # seconds a hand laid open with tiles missing is waited for
HARDLY_ANY = 2  # standing tiles that may seem to be seen where a hand has been laid open
KEPT = 1.2  # seconds after which a tile drawn to an open hand is not thrown away any more
SHOWING = 10.0  # seconds after a win in which the others may still show their hands


class Showdown(Dealing, Drawing):
    """Hands laid open."""

    def _see_open_hands(self, scene: Scene, present: dict[int, Spot], quiet: Quiet) -> bool:
        for step in range(self.state.players):
            seat = (self.state.turn + step) % self.state.players
            shown = self._fresh(scene.at("open", seat))
            held = self._hand_size(seat)
            if not max(1, held - SHORT) <= len(shown) <= held + SHORT or not quiet(seat) or not self._steady(seat, scene):
                continue
            most = 0 if held == 1 else HARDLY_ANY
            if self.standing(scene, seat).surely > most:
                continue
            if self._whole(seat, shown, scene):
                self._half_open = None
                return self._laid_open(seat, shown, present)
            self._half_open = seat, shown, present
        return False

    def _whole(self, seat: int, shown: Sequence[Spot], scene: Scene) -> bool:
        """Whether all of a hand has been seen, the drawn tile of the player in turn included, or nothing more comes."""
        expected = self._hand_size(seat) + (seat == self.state.turn)
        whole = len(shown) >= expected and not self._forming(scene.at("open", seat))
        return whole or self._waited(shown) > INCOMPLETE

    def _see_wins_of_open_hands(self, scene: Scene, present: dict[int, Spot], quiet: Quiet) -> bool:
        """Who has laid his hand open already wins by what comes to lie with it: the discard, or a drawn tile that stays."""
        for seat in range(self.state.players):
            open_ = [s for s in scene.at("open", seat) if self.accounts.open.get(s.track.id) == seat]
            fresh = self._fresh(scene.at("open", seat))
            if len(fresh) != 1 or len(open_) != self._hand_size(seat) or not quiet(seat):
                continue
            if seat != self.state.turn and self._offered(seat) != t.parse_one(fresh[0].face) and self._waited(fresh) > STEADY:
                self._unseen_won(seat, fresh[0])
            drawn = seat == self.state.turn and self._waited(fresh) > KEPT
            taken = self._offered(seat) == t.parse_one(fresh[0].face) and self._last_discard not in present
            win = self._won(seat, [*open_, *fresh], present) if drawn or taken else None
            if win is not None and self._can_win(win):
                self.accounts.open[fresh[0].track.id] = seat
                self._declare(win, [*open_, *fresh], self._ids(fresh))
                return True
        return False

    def _unseen_won(self, seat: int, spot: Spot) -> None:
        """The player in turn discarded what an open hand wins by before it was believed to lie there."""
        giver, tile = self.state.turn, t.parse_one(spot.face)
        glimpsed = any(k.tile == spot.face for _, k in self._fleeting)
        if not glimpsed or giver == seat:
            return
        self._draw_before(giver)
        self._last_discard = None
        self._commit(ev.Discard(seat=giver, tile=tile), [spot.track.id], spot.confidence)

    def _read_half_open(self) -> None:
        """The tiles are taken away: a hand laid open of which more was waited for is taken as it lay."""
        half, self._half_open = self._half_open, None
        if half is not None and self._won_at is None and self.state.phase == "play":
            self._laid_open(*half)

    def _steady(self, seat: int, scene: Scene) -> bool:
        """Whether the hand has lain so for a while."""
        ids = frozenset(s.track.id for s in self._new(scene.at("open", seat)))
        before, since = self._open.get(seat, (frozenset(), self._now))
        if ids != before:
            self._open[seat] = ids, self._now
            return False
        return self._now - since >= STEADY

    def _laid_open(self, seat: int, shown: list[Spot], present: dict[int, Spot]) -> bool:
        """A win on the tile on offer, which lies with the hand or still where it lay, or on the own draw; else a hand
        that is only shown."""
        ids = self._ids(shown)
        win = self._won(seat, shown, present)
        if win is None or not self._can_win(win):
            other = next((r for r in self._readings(shown) if self._wins_so(seat, r, present)), None)
            if other is not None:
                shown, win = other, self._won(seat, other, present)
        if win is None and len(shown) > self._hand_size(seat):
            if self._now - self._latest < STEADY + 0.5:
                return False  # its turn may not have been noticed yet
            win = self._on_unseen(seat, shown)
        if win is None and self._one_unseen(seat, shown, present, ids):
            return True
        for spot in shown:
            self.accounts.open[spot.track.id] = seat
        if win is None:
            self._reveal(seat, shown, ids)
        else:
            self._declare(win, shown, ids)
        return True

    def _reveal(self, seat: int, shown: list[Spot], ids: Sequence[int]) -> None:
        """A hand that is only shown, read so that no tile is one too many where that may well be."""
        for reading in itertools.chain([shown], self._readings(shown)):
            event = ev.Reveal(seat=seat, hand=tuple(sorted(t.parse_one(s.face) for s in reading)))
            if not self._foul(event):
                break
        else:
            event = ev.Reveal(seat=seat, hand=tuple(sorted(t.parse_one(s.face) for s in shown)))
        open_ready = "open" in self.state.ritual.ready and self._won_at is None and self.state.phase == "play"
        if open_ready and not self.state.seats[seat].ready:
            self._commit(ev.Ready(seat=seat, kind="open"))
        self._commit(event, ids)

    def _one_unseen(self, seat: int, shown: list[Spot], present: dict[int, Spot], ids: Sequence[int]) -> bool:
        """The discard was taken into the hand, of which one tile is not seen: it is one with which the hand wins."""
        offer = self.state.offer
        tiles = sorted(t.parse_one(s.face) for s in shown)
        if offer is None or offer.kind != "discard" or offer.tile not in tiles or len(tiles) != self._hand_size(seat):
            return False
        if self._last_discard is None or self._last_discard in present or offer.seat == seat:
            return False
        tiles.remove(offer.tile)
        kinds = [k for k, n in enumerate(self.state.rules.tiles) if in_view(self.state, k) + tiles.count(k) < n]
        wins = [
            ev.Win(seat=seat, tile=offer.tile, source="discard", source_seat=offer.seat, hand=tuple(sorted([*tiles, k])))
            for k in kinds
        ]  # fmt: skip
        legal = [(k, win) for k, win in zip(kinds, wins, strict=True) if self._can_win(win)]
        if not legal:
            return False
        for spot in shown:
            self.accounts.open[spot.track.id] = seat
        written = self._commit(legal[0][1], ids, 0.5)
        answers = (None, *((win,) for _, win in legal[1:]))
        text = f"seat {seat} won, but one tile of the hand is not seen: which?"
        self._ask(Question(text, tuple(t.NAMES[k] for k, _ in legal), self._now, written.n, tuple(ids), answers))
        self._won_at = self._now
        return True

    def _can_win(self, win: ev.Win) -> bool:
        """Whether a win is legal, the draw before it taken as made."""
        seat = win.seat
        state = self._presumed(self.state, seat)
        if win.source not in ("discard", "robbed_kong"):
            for _ in range(state.seats[seat].owed):
                state = apply(state, ev.Draw(seat=seat, tile=None, end="tail"))
            if state.phase == "play" and state.turn == seat and not state.seats[seat].extra:
                state = apply(state, ev.Draw(seat=seat, tile=None, end="head"))
        return can_win(state, win)

    def _wins_so(self, seat: int, shown: list[Spot], present: dict[int, Spot]) -> bool:
        win = self._won(seat, shown, present)
        return win is not None and self._can_win(win)

    def _readings(self, shown: list[Spot]) -> Iterator[list[Spot]]:
        """Other readings of a hand laid open, one or two tiles otherwise than they look, the likeliest first."""
        others = [
            (p / s.confidence, k, name)
            for k, s in enumerate(shown)
            for name, p in s.probabilities.items()
            if name != s.face and name in t.NAMES and p >= LEAST
        ]
        single = [(ratio, ((k, name),)) for ratio, k, name in others]
        double = [(a * b, ((k, x), (m, y))) for (a, k, x), (b, m, y) in itertools.combinations(others, 2) if k != m]
        for _, changed in sorted(single + double, reverse=True)[:TRIED]:
            reading = list(shown)
            for k, name in changed:
                reading[k] = replace(reading[k], read=name)
            yield reading

    def _won(self, seat: int, shown: list[Spot], present: dict[int, Spot]) -> ev.Win | None:
        """The win that a hand laid open declares: on the tile on offer, which lies with the hand or still where it lay, or on
        the own draw."""
        tiles = sorted(t.parse_one(s.face) for s in shown)
        offer, held = self.state.offer, self._hand_size(seat)
        offered = offer.tile if offer is not None and offer.seat != seat else None
        if offer is not None and offered is not None:
            source = "discard" if offer.kind == "discard" else "robbed_kong"
            lifted = self._last_discard is not None and self._last_discard not in present
            if len(shown) > held and offered in tiles and lifted:
                tiles.remove(offered)  # the discard was taken and laid beside the hand
                return ev.Win(seat=seat, tile=offered, source=source, source_seat=offer.seat, hand=tuple(tiles))
            if len(shown) == held:
                on_it = ev.Win(seat=seat, tile=offered, source=source, source_seat=offer.seat, hand=tuple(tiles))
                return on_it if self._can_win(on_it) else None
        if len(shown) > held and self.state.turn == seat:
            return self._self_drawn(seat, shown)
        return None

    def _on_unseen(self, seat: int, shown: list[Spot]) -> ev.Win:
        """A win on a discard that nobody saw lie: the tile that lies apart."""
        apart = set_apart(shown, self.width) or max(shown, key=lambda s: s.x)
        tile = t.parse_one(apart.face)
        giver = self.state.turn
        self._draw_before(giver)
        self._last_discard = None
        self._commit(ev.Discard(seat=giver, tile=tile), [apart.track.id], 0.6)
        rest = tuple(sorted(t.parse_one(s.face) for s in shown if s is not apart))
        return ev.Win(seat=seat, tile=tile, source="discard", source_seat=giver, hand=rest)

    def _self_drawn(self, seat: int, shown: list[Spot]) -> ev.Win:
        """The winning tile lies apart; where none does, any tile the rest wins with."""
        apart = set_apart(shown, self.width)
        player = self.state.seats[seat]
        source = "deal" if self.state.phase == "dealt" else player.owed_for if player.owed else "wall"
        source = draw_source(self.state, seat) if player.extra and not player.owed and source == "wall" else source
        wins = []
        for spot in [apart] if apart else sorted(shown, key=lambda s: -s.x):
            rest = tuple(sorted(t.parse_one(s.face) for s in shown if s is not spot))
            wins.append(ev.Win(seat=seat, tile=t.parse_one(spot.face), source=source, hand=rest))
        return next((w for w in wins if self._can_win(w)), wins[0])

    def _declare(self, win: ev.Win, shown: list[Spot], ids: Sequence[int]) -> None:
        if win.source not in ("discard", "robbed_kong"):
            self._draw_before(win.seat)
        self._name_kongs(win)
        legal = self._can_win(win)
        if legal and set(self.state.seats[win.seat].dead) & LENGTHS:
            self._acquit(win.seat)  # his hand is whole
        worst = min(s.confidence for s in shown)
        written = self._commit(win, ids, worst)
        if not legal or worst < ASK:
            doubt = "it is no legal win" if not legal else "a tile is read with doubt"
            choices = ("it stands", "no win was declared")
            hand = (*(win.hand or ()), *(() if win.source in ("discard", "robbed_kong") or win.tile is None else (win.tile,)))
            answers = (None, (ev.Reveal(seat=win.seat, hand=tuple(sorted(hand))),))
            text = f"seat {win.seat} laid the hand open: {doubt}"
            self._ask(Question(text, choices, self._now, written.n, tuple(ids), answers))
        if legal:
            self._won_at = self._now

    def _name_kongs(self, win: ev.Win) -> None:
        """A winner's kong that lies face down is taken to be of a kind of which nothing is in view, and asked about."""
        unknown = [
            told.event for told in self.ledger.told
            if isinstance(told.event, ev.ConcealedKong) and told.event.seat == win.seat and told.event.tiles is None
            and told.hand == len(self.ledger.game.hands) - 1
        ]  # fmt: skip
        shown = {*(win.hand or ()), win.tile}
        for kong in unknown:
            rules = self.state.rules
            kinds = [k for k, n in enumerate(rules.tiles) if n == 4 and k not in rules.bonus and k not in shown]
            kinds = [k for k in kinds if not in_view(self.state, k)]
            if not kinds:
                return
            named = [(replace(kong, n=0, tiles=(kind,) * 4, evidence=()),) for kind in kinds]
            self._correct(kong.n, named[0], ())
            text = f"seat {win.seat} won with a kong face down: which tile is it?"
            names = tuple(t.NAMES[kind] for kind in kinds)
            self._ask(Question(text, names, self._now, kong.n, (), (None, *named[1:])))

    def _after_win(self, scene: Scene, quiet: Quiet) -> None:
        """Others win on the same tile or show their hands; then the hand is over."""
        self._see_birds(scene)
        winners = {win.event.seat for win in self.state.wins}
        for seat in range(self.state.players):
            shown = self._fresh(scene.at("open", seat))
            held = self._hand_size(seat)
            if seat in winners or len(shown) < held - SHORT or not quiet(seat) or not self._steady(seat, scene):
                continue
            self._another(seat, shown)
        if self._won_at is not None and self._now - self._won_at > SHOWING:
            self._end("win")

    def _see_birds(self, scene: Scene) -> None:
        """Tiles turned up after a win, where the rules have them decide who pays more."""
        turned = self._fresh(scene.at("river")) if self.state.ritual.deal.bird else []
        for spot in sorted(turned, key=lambda s: s.track.born):
            self.accounts.river[spot.track.id] = spot.seat, 0
            self._commit(ev.Birds(tiles=(t.parse_one(spot.face),)), [spot.track.id], spot.confidence)

    def _another(self, seat: int, shown: list[Spot]) -> None:
        """A further winner on the same tile where the rules have several, or a hand that is only shown."""
        hand = tuple(sorted(t.parse_one(s.face) for s in shown))
        for spot in shown:
            self.accounts.open[spot.track.id] = seat
        first, rules = self.state.wins[-1].event, self.state.rules
        several = rules.winners == "many" and first.source in ("discard", "robbed_kong")
        if several and len(shown) == self._hand_size(seat):
            win = replace(first, n=0, seat=seat, hand=hand, evidence=(), confidence=None)
            if seat != first.source_seat and self._can_win(win):
                self._declare(win, shown, self._ids(shown))
                return
        self._reveal(seat, shown, self._ids(shown))

    def _end(self, why: str) -> None:
        self._won_at = None
        self._ask_about_bonus()
        self._commit(ev.End(why=why))
