"""Hands laid open: wins and hands that are only shown, each read as the likeliest that makes sense."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

from referee.rules import tiles as t
from referee.table import events as ev
from referee.table.faults import in_view
from vision.drawing import LENGTHS
from vision.hands import GIVEN, Hands, Laid
from vision.story import ASK, PLAIN, STEADY, Question, Quiet
from vision.track import WHITE
from vision.zones import Scene, Spot

SHORT = 2  # tiles that may be missing in a hand that is shown
INCOMPLETE = 3.0  # seconds a hand laid open with tiles missing is waited for
AT_ONCE = 0.2  # seconds a hand lies unchanged that is whole and plain
HARDLY_ANY = 2  # standing tiles that may seem to be seen where a hand has been laid open
KEPT = 1.2  # seconds after which a tile drawn to an open hand is not thrown away any more
SHOWING = 10.0  # seconds after a win in which the others may still show their hands


class Showdown(Hands):
    """Hands laid open."""

    def _see_open_hands(self, scene: Scene, present: dict[int, Spot], quiet: Quiet) -> bool:
        for step in range(self.state.players):
            seat = (self.state.turn + step) % self.state.players
            shown = self._fresh(scene.at("open", seat))
            held = self._hand_size(seat)
            if not max(1, held - SHORT) <= len(shown) <= held + SHORT or not quiet(seat):
                continue
            lain = self._lain_so(seat, scene)
            if lain < STEADY and (lain < AT_ONCE or not self._plainly_won(seat, shown, scene, present)):
                continue
            most = 0 if held == 1 else HARDLY_ANY
            if self.standing(scene, seat).surely > most:
                continue
            if not self._whole(seat, shown, scene):
                self._half_open[seat] = shown, present
                continue
            won = self._won_half_open(seat, shown, present)
            if won is not None:
                return self._laid_open(won, *self._half_open.pop(won))
            self._half_open.pop(seat, None)
            return self._laid_open(seat, shown, present)
        return False

    def _won_half_open(self, seat: int, shown: list[Spot], present: dict[int, Spot]) -> int | None:
        """Whose hand, not all of which is seen, must have won, now that another player shows his, which does not."""
        others = [other for other in self._half_open if other != seat]
        if not others or self._read_hand(seat, shown, present).win is not None:
            return None
        return next((other for other in others if self._read_hand(other, *self._half_open[other]).win is not None), None)

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
            if open_:
                self._half_open.pop(seat, None)
            if len(fresh) != 1 or not open_ or not quiet(seat):
                continue
            doubtful = [s for s in self._new(scene.at("open", seat)) if s not in fresh]  # of the hand, and not read well
            if len(open_) + len(doubtful) != self._hand_size(seat):
                continue
            if seat != self.state.turn and self._offered(seat) != t.parse_one(fresh[0].face) and self._waited(fresh) > STEADY:
                self._unseen_won(seat, fresh[0])
            shown = [*open_, *doubtful, *fresh]
            taken = self._offered(seat) == t.parse_one(fresh[0].face) and self._last_discard not in present
            drawn = seat == self.state.turn and not taken
            laid = self._read_hand(seat, shown, present) if drawn or taken else None
            if laid is None or laid.win is None or laid.unseen or not self._can_win(laid.win):
                continue
            if drawn and self._waited(fresh) <= KEPT:
                self._half_open[seat] = shown, present  # it may be thrown away yet
                continue
            for spot in shown:
                self.accounts.open[spot.track.id] = seat
            self._declare(laid, self._ids(fresh))
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
        """The tiles are taken away: hands laid open of which more was waited for are taken as they lay, one that wins first."""
        half, self._half_open = self._half_open, {}
        wins = {seat: self._read_hand(seat, *lay).win is not None for seat, lay in half.items()}
        for seat in sorted(half, key=lambda seat: not wins[seat]):
            told = any(s.track.id in self.accounts.open for s in half[seat][0])
            if self._won_at is None and self.state.phase == "play" and (wins[seat] or not told):
                self._laid_open(seat, *half[seat])

    def _lain_so(self, seat: int, scene: Scene) -> float:
        """For how long the hand has lain unchanged, seconds."""
        ids = frozenset(s.track.id for s in self._new(scene.at("open", seat)))
        before, since = self._open.get(seat, (frozenset(), self._now))
        if ids != before:
            self._open[seat] = ids, self._now
            return 0.0
        return self._now - since

    def _plainly_read(self, seat: int, shown: Sequence[Spot], scene: Scene) -> bool:
        """Whether nothing about a hand that lies open is in doubt, and no more of it is coming to light."""
        return min(s.confidence for s in shown) >= PLAIN and not self._forming(scene.at("open", seat))

    def _plainly_won(self, seat: int, shown: list[Spot], scene: Scene, present: dict[int, Spot]) -> bool:
        """Whether a hand lies whole and wins as it is read."""
        if not self._plainly_read(seat, shown, scene) or not self._whole(seat, shown, scene):
            return False
        win = self._won(seat, shown, present)
        return win is not None and self._can_win(win)

    def _laid_open(self, seat: int, shown: list[Spot], present: dict[int, Spot]) -> bool:
        """A win on the tile on offer, which lies with the hand or still where it lay, or on the own draw; else a hand
        that is only shown."""
        ids = self._ids(shown)
        laid = self._read_hand(seat, shown, present)
        if laid.win is None and len(shown) > self._hand_size(seat):
            if self._now - self._latest < STEADY + 0.5:
                return False  # its turn may not have been noticed yet
            laid = Laid(shown, self._on_unseen(seat, shown))
        for spot in shown:
            self.accounts.open[spot.track.id] = seat
        if laid.win is None:
            self._reveal(seat, laid.shown, ids)
        else:
            self._declare(laid, ids)
        return True

    def _reveal(self, seat: int, shown: list[Spot], ids: Sequence[int]) -> None:
        """A hand that is only shown, read so that no tile is one too many where that may well be."""
        for reading in itertools.chain([shown], self._without_white(seat, shown), self._readings(shown)):
            event = ev.Reveal(seat=seat, hand=tuple(sorted(t.parse_one(s.face) for s in reading)))
            if not self._foul(event):
                break
        else:
            event = ev.Reveal(seat=seat, hand=tuple(sorted(t.parse_one(s.face) for s in shown)))
        open_ready = "open" in self.state.ritual.ready and self._won_at is None and self.state.phase == "play"
        if open_ready and not self.state.seats[seat].ready:
            self._commit(ev.Ready(seat=seat, kind="open"))
        self._commit(event, ids)

    def _without_white(self, seat: int, shown: list[Spot]) -> Iterator[list[Spot]]:
        """A hand a tile too long without one of its white dragons, where that is a copy too many as well: it was a blank thing
        beside the hand."""
        whites, white = [s for s in shown if s.face == WHITE], t.parse_one(WHITE)
        too_many = in_view(self.state, white) + len(whites) > self.state.rules.tiles[white]
        if whites and too_many and len(shown) > self._hand_size(seat):
            yield [s for s in shown if s is not whites[-1]]

    def _declare(self, laid: Laid, ids: Sequence[int]) -> None:
        win = laid.win
        assert win is not None
        if win.source not in GIVEN:
            self._draw_before(win.seat)
        self._name_kongs(win)
        legal = self._can_win(win)
        if legal and set(self.state.seats[win.seat].dead) & LENGTHS:
            self._acquit(win.seat)  # his hand is whole
        worst = min(s.confidence for s in laid.shown)
        written = self._commit(win, ids, 0.5 if laid.unseen else worst)
        if laid.unseen:
            text = f"seat {win.seat} won, but one tile of the hand is not seen: which?"
            names = tuple(t.NAMES[kind] for kind, _ in laid.unseen)
            answers = (None, *((other,) for _, other in laid.unseen[1:]))
            self._ask(Question(text, names, self._now, written.n, tuple(ids), answers))
        elif not legal or worst < ASK:
            self._doubt_win(win, written, ids, "a tile is read with doubt" if legal else "it is no legal win")
        if legal:
            self._won_at = self._now

    def _doubt_win(self, win: ev.Win, written: ev.Event, ids: Sequence[int], doubt: str) -> None:
        hand = (*(win.hand or ()), *(() if win.source in GIVEN or win.tile is None else (win.tile,)))
        answers = (None, (ev.Reveal(seat=win.seat, hand=tuple(sorted(hand))),))
        text = f"seat {win.seat} laid the hand open: {doubt}"
        self._ask(Question(text, ("it stands", "no win was declared"), self._now, written.n, tuple(ids), answers))

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
            if seat in winners or not shown or len(shown) < held - SHORT or not quiet(seat):
                continue
            whole = len(shown) == held and self._plainly_read(seat, shown, scene)
            if self._lain_so(seat, scene) < (AT_ONCE if whole else STEADY):
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
                self._declare(Laid(shown, win), self._ids(shown))
                return
        self._reveal(seat, shown, self._ids(shown))

    def _end(self, why: str) -> None:
        self._won_at = None
        self._ask_about_bonus()
        self._commit(ev.End(why=why))
