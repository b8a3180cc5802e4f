"""From settled changes on the table to events: what must have happened for this to lie there now.

``Follower`` keeps the game as ``referee.table`` knows it and the tiles already accounted for. Each look brings a scene;
what is new in it (a discard, a set in the corner, a hand laid open) is explained by the shortest run of events from the
state at hand, draws that nobody sees included. What fits the turn is committed; what does not is committed as the foul it
would be only where the place of the tile proves it, and is otherwise put as a question with its candidate answers.
Nothing is decided about a seat's side while something moves there.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from referee.rules import tiles as t
from referee.table import events as ev
from referee.table.game import Told
from referee.table.ledger import Ledger
from referee.table.moves import draw_source
from referee.table.state import State
from referee.table.wins import can_win
from vision.track import Track
from vision.zones import Scene, Spot, blocks, is_sideways, set_apart

SURE = 0.90  # a face below this is put as a question
RAISED = 0.12  # of a tile's width: a tile seen this much further out lies on top of another
SHOWING = 10.0  # seconds after a win in which the others may still show their hands
LIKELY = 0.03  # alternatives below this are not offered


@dataclass(frozen=True)
class Question:
    """Something the pictures do not settle. ``choices``: candidate answers in words; the first is the likeliest and what
    was recorded meanwhile as event ``about`` (a number of the log) where that is not None."""

    text: str
    choices: tuple[str, ...]
    t: float
    about: int | None = None
    tracks: tuple[int, ...] = ()
    answers: tuple[ev.Event | None, ...] = ()


@dataclass(frozen=True)
class Happening:
    """A committed event with the tracks that show it and what the game made of it, or a question."""

    event: ev.Event | None = None
    question: Question | None = None
    tracks: tuple[int, ...] = ()
    told: tuple[Told, ...] = ()


Quiet = Callable[[int], bool]  # is a seat's side of the table still?


@dataclass
class Accounts:
    """Which tracks are explained, and as what."""

    river: dict[int, tuple[int, int]] = field(default_factory=dict)  # track -> seat, event number
    melds: dict[int, int] = field(default_factory=dict)  # track -> seat
    bonus: dict[int, int] = field(default_factory=dict)
    open: dict[int, int] = field(default_factory=dict)
    indicator: int | None = None

    def all(self) -> set[int]:
        known = {*self.river, *self.melds, *self.bonus, *self.open}
        return known | ({self.indicator} if self.indicator is not None else set())


class Follower:
    """Follows one table. ``write`` is called with every event and the tracks that show it, and gives the event back
    numbered, as the log has it; the ledger then holds the game that the log tells."""

    def __init__(
        self, start: ev.Start, ledger: Ledger, write: Callable[[ev.Event, Sequence[int]], ev.Event], width: float, *,
        rows: bool = True,
    ) -> None:  # fmt: skip
        self.ledger = ledger
        self.write = write
        self.width = width
        self.rows = rows
        self.accounts = Accounts()
        self.start = start
        self.lost = False
        self._asked: set[tuple[object, ...]] = set()
        self._last_discard: int | None = None
        self._happened: list[Happening] = []
        self._now = 0.0
        self.begun = tuple(self.begin(start))

    def begin(self, start: ev.Start) -> list[Happening]:
        """A (new) hand begins."""
        self.accounts, self._last_discard, self._happened = Accounts(), None, []
        self._won_at: float | None = None
        self._commit(start)
        return self._happened

    def enter(self, event: ev.Event, now: float) -> list[Happening]:
        """An event from elsewhere: a person's word, the table's line."""
        self._happened, self._now = [], now
        self._record(replace(event, t=round(now, 3)), ())
        return self._happened

    # --- state -----------------------------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        return self.ledger.game.hands[-1].state

    def _commit(self, event: ev.Event, tracks: Sequence[int] = (), confidence: float | None = None) -> ev.Event:
        stamped = replace(event, t=round(self._now, 3), by=event.by or "camera", confidence=confidence)
        return self._record(stamped, tracks)

    def _record(self, event: ev.Event, tracks: Sequence[int]) -> ev.Event:
        written = self.write(event, tracks)
        self._happened.append(Happening(written, tracks=tuple(tracks), told=tuple(self.ledger.record(written))))
        return written

    def _ask(self, question: Question) -> None:
        key = (question.text, question.choices)
        if key not in self._asked:
            self._asked.add(key)
            self._happened.append(Happening(question=question, tracks=question.tracks))

    # --- one look ----------------------------------------------------------------------------------------------------

    def observe(self, scene: Scene, now: float, quiet: Quiet) -> list[Happening]:
        """Explain what is new in the scene. ``quiet(seat)``: nothing moves on that seat's side."""
        self._happened, self._now = [], now
        present = scene.by_id()
        if self.state.phase == "deal":
            self._see_deal(scene, quiet)
        elif self.state.phase == "over":
            return self._happened
        elif self._won_at is not None:
            self._after_win(scene, quiet)
        else:
            self._see_indicator(scene)
            for _ in range(12):
                if not self._explain_one(scene, present, quiet):
                    break
        return self._happened

    def _explain_one(self, scene: Scene, present: dict[int, Spot], quiet: Quiet) -> bool:
        """Explain one new thing, earlier kinds first; False where there is nothing (more) to explain."""
        for look in (self._see_bonus, self._see_melds, self._see_open_hands, self._see_discards):
            if look(scene, present, quiet):
                return True
        return False

    def _fresh(self, spots: Sequence[Spot]) -> list[Spot]:
        known = self.accounts.all()
        return [s for s in spots if s.track.id not in known]

    # --- the deal --------------------------------------------------------------------------------------------------

    def _see_deal(self, scene: Scene, quiet: Quiet) -> None:
        """The hands stand: everybody has his tiles and nothing moves."""
        size = self.state.size
        counts = [scene.standing(seat) + len(scene.at("open", seat)) for seat in range(self.state.players)]
        if all(c >= size - 1 for c in counts) and all(quiet(s) for s in range(self.state.players)):
            hands = (None,) * self.state.players
            self._commit(ev.Deal(hands=hands))

    def _see_indicator(self, scene: Scene) -> None:
        rule = self.state.ritual.indicator
        if rule is None or self.state.indicator is not None:
            return
        walls = scene.at("wall")
        for spot in self._fresh(scene.at("river")):
            near = [w for w in walls if abs(w.track.x - spot.track.x) + abs(w.track.y - spot.track.y) < 2.2 * self.width]
            if near:
                self.accounts.indicator = spot.track.id
                self._commit(ev.Indicator(tile=t.parse_one(spot.face)), [spot.track.id], spot.track.confidence)
                self._doubt_face(spot.track, "the indicator")
                return

    # --- draws that nobody sees ------------------------------------------------------------------------------------

    def _draw_before(self, seat: int) -> None:
        """The draw that must have come before what the seat has done, where one is due."""
        player = self.state.seats[seat]
        if player.owed:
            for _ in range(player.owed):
                self._commit(ev.Draw(seat=seat, tile=None, end="tail"))
        elif self.state.phase == "play" and self.state.turn == seat and not player.extra:
            self._commit(ev.Draw(seat=seat, tile=None, end="head"))

    # --- bonus tiles -------------------------------------------------------------------------------------------------

    def _see_bonus(self, scene: Scene, present: dict[int, Spot], quiet: Quiet) -> bool:
        fresh = self._fresh(scene.at("bonus"))
        if not fresh:
            return False
        order = [(self.state.turn + i) % self.state.players for i in range(self.state.players)]
        spot = min(fresh, key=lambda s: (order.index(s.seat), s.track.born))
        if self.state.phase == "play":
            self._draw_before(spot.seat)
        self.accounts.bonus[spot.track.id] = spot.seat
        self._commit(ev.Bonus(seat=spot.seat, tile=t.parse_one(spot.face)), [spot.track.id], spot.track.confidence)
        return True

    # --- declared sets -----------------------------------------------------------------------------------------------

    def _see_melds(self, scene: Scene, present: dict[int, Spot], quiet: Quiet) -> bool:
        for seat in range(self.state.players):
            if not quiet(seat):
                continue
            fresh = self._fresh(scene.at("open", seat))
            if self._added_kong(seat, fresh, scene):
                return True
            if fresh and len(fresh) <= 4 and self._meld_of(seat, fresh, scene, present):
                return True
        return False

    def _meld_of(self, seat: int, fresh: list[Spot], scene: Scene, present: dict[int, Spot]) -> bool:
        for block in blocks(fresh, self.width):
            if len(block) in (3, 4) and self._claim(seat, block, present):
                return True
            if len(block) == 2 and self._concealed_kong(seat, block, scene):
                return True
        return False

    def _added_kong(self, seat: int, fresh: list[Spot], scene: Scene) -> bool:
        """A fourth tile beside an own pung, or on top of one of its tiles (which then seems to lie further out)."""
        for meld in self.state.seats[seat].melds:
            if meld.kind != "pung":
                continue
            like = [s for s in scene.at("open", seat) if t.parse_one(s.face) == meld.tiles[0]]
            raised = [s for s in like if self.accounts.melds.get(s.track.id) == seat and s.track.outward > RAISED * self.width]
            beside = [s for s in fresh if s in like and len(fresh) == 1]
            if (raised and len(like) == 3) or (beside and len(like) == 4):
                self._draw_before(seat)
                for spot in like:
                    self.accounts.melds[spot.track.id] = seat
                    spot.track.home = spot.track.x, spot.track.y
                shown = [s.track.id for s in raised or beside]
                self._commit(ev.AddedKong(seat=seat, tiles=meld.tiles + meld.tiles[:1]), shown)
                return True
        return False

    def _concealed_kong(self, seat: int, block: list[Spot], scene: Scene) -> bool:
        """Two like faces between two backs in the meld corner."""
        if block[0].face != block[1].face:
            return False
        left, right = block[0].x, block[1].x
        beside = [s for s in scene.at("hand", seat) if left - 1.6 * self.width < s.x < right + 1.6 * self.width]
        if len(beside) < 2:
            return False
        self._draw_before(seat)
        for spot in block:
            self.accounts.melds[spot.track.id] = seat
        tile = t.parse_one(block[0].face)
        self._commit(ev.ConcealedKong(seat=seat, tiles=(tile,) * 4), [s.track.id for s in block])
        return True

    def _claim(self, seat: int, block: list[Spot], present: dict[int, Spot]) -> bool:
        """A set made with a discard: the last one seen, or one that was taken before it was seen to lie."""
        tiles = tuple(sorted(t.parse_one(s.face) for s in block))
        kind = self._set_kind(tiles)
        if kind is None:
            return False
        offer = self.state.offer
        on_offer = offer is not None and offer.kind == "discard" and offer.tile is not None and offer.seat != seat
        if kind == "kong" and self.state.turn == seat and not (on_offer and offer and offer.tile in tiles):
            self._draw_before(seat)
            return self._commit_meld(ev.ConcealedKong(seat=seat, tiles=tiles), seat, block)
        if on_offer and offer is not None and offer.tile in tiles:
            if self._last_discard in present:
                return False  # the discard still lies where it was thrown: the set is not finished yet
        elif not self._unseen_discard(seat, block, tiles):
            return False
        offer = self.state.offer
        assert offer is not None and offer.tile is not None
        event = {"chow": ev.Chow, "pung": ev.Pung, "kong": ev.Kong}[kind]
        return self._commit_meld(event(seat=seat, tiles=tiles, claimed=offer.tile, source=offer.seat), seat, block)

    def _unseen_discard(self, seat: int, block: list[Spot], tiles: tuple[int, ...]) -> bool:
        """The discard that must have been taken before it was seen: the turned tile, or the only one it can be."""
        giver = self.state.turn
        turned = [s for s in block if is_sideways(s)]
        taken = t.parse_one(turned[0].face) if len(turned) == 1 else tiles[0] if len(set(tiles)) == 1 else None
        if giver == seat or taken is None:
            return self._ask_claim(seat, block, tiles)
        self._discard_unseen(giver, taken, [s.track.id for s in block])
        return True

    def _discard_unseen(self, seat: int, tile: int, tracks: Sequence[int]) -> None:
        self._draw_before(seat)
        self._last_discard = None
        self._commit(ev.Discard(seat=seat, tile=tile), tracks, 0.8)

    def _commit_meld(self, event: ev.Event, seat: int, block: list[Spot]) -> bool:
        for spot in block:
            self.accounts.melds[spot.track.id] = seat
        self.accounts.river.pop(self._last_discard or -1, None)
        self._commit(event, [s.track.id for s in block], min(s.track.confidence for s in block))
        return True

    def _ask_claim(self, seat: int, block: list[Spot], tiles: tuple[int, ...]) -> bool:
        offer = self.state.offer
        said = t.NAMES[offer.tile] if offer and offer.tile is not None else "nothing"
        self._ask(
            Question(
                f"seat {seat} shows {t.write(tiles)}, but the last discard is {said}", ("misread", "wrong claim"), self._now,
                tracks=tuple(s.track.id for s in block),
            )
        )  # fmt: skip
        return False

    def _set_kind(self, tiles: tuple[int, ...]) -> str | None:
        if len(set(tiles)) == 1:
            return "pung" if len(tiles) == 3 else "kong"
        if len(tiles) == 3:
            return "chow"
        return None

    # --- hands laid open -----------------------------------------------------------------------------------------------

    def _see_open_hands(self, scene: Scene, present: dict[int, Spot], quiet: Quiet) -> bool:
        for seat in range(self.state.players):
            shown = self._fresh(scene.at("open", seat))
            player = self.state.seats[seat]
            held = self.state.size - 3 * len(player.melds)
            if len(shown) < max(1, held - 1) or not quiet(seat) or any(not s.track.settled for s in shown):
                continue
            if len(shown) < held or (held == 1 and len(shown) > 2):
                continue
            return self._win(seat, shown, present)
        return False

    def _win(self, seat: int, shown: list[Spot], present: dict[int, Spot]) -> bool:
        held = self.state.size - 3 * len(self.state.seats[seat].melds)
        tiles = [t.parse_one(s.face) for s in shown]
        offer = self.state.offer
        for spot in shown:
            self.accounts.open[spot.track.id] = seat
        ids = [s.track.id for s in shown]
        offered = offer.tile if offer is not None and offer.seat != seat else None
        if len(shown) > held and offered in tiles and self._last_discard not in present:
            tiles.remove(offered)  # the discard was taken and laid beside the hand
        elif len(shown) > held and self.state.turn == seat:
            self._self_drawn(seat, shown, ids)
            return True
        elif len(shown) > held:
            apart = set_apart(shown, self.width)
            if apart is None:
                self._self_drawn(seat, shown, ids)
                return True
            offered = t.parse_one(apart.face)
            tiles.remove(offered)
            self._discard_unseen(self.state.turn, offered, ids)
            offer = self.state.offer
        if offer is not None and offered is not None:
            source = "discard" if offer.kind == "discard" else "robbed_kong"
            win = ev.Win(seat=seat, tile=offered, source=source, source_seat=offer.seat, hand=tuple(sorted(tiles)))
            self._declare(win, shown, ids)
        else:
            self._commit(ev.Reveal(seat=seat, hand=tuple(sorted(tiles))), ids)
        return True

    def _self_drawn(self, seat: int, shown: list[Spot], ids: list[int]) -> None:
        """The winning tile lies apart; where none does, any tile the rest wins with."""
        self._draw_before(seat)
        apart = set_apart(shown, self.width)
        source = "deal" if self.state.phase == "dealt" else draw_source(self.state, seat)
        candidates = [apart] if apart else sorted(shown, key=lambda s: -s.x)
        wins = []
        for spot in candidates:
            rest = tuple(sorted(t.parse_one(s.face) for s in shown if s is not spot))
            wins.append(ev.Win(seat=seat, tile=t.parse_one(spot.face), source=source, hand=rest))
        best = next((w for w in wins if can_win(self.state, w)), wins[0])
        self._declare(best, shown, ids)

    def _declare(self, win: ev.Win, shown: list[Spot], ids: list[int]) -> None:
        legal = can_win(self.state, win)
        worst = min(s.track.confidence for s in shown)
        written = self._commit(win, ids, worst)
        if not legal or worst < SURE:
            doubt = "it is no legal win" if not legal else "a tile is read with doubt"
            choices = ("it stands", "misread: correct the tiles", "no win was declared")
            self._ask(Question(f"seat {win.seat} laid the hand open: {doubt}", choices, self._now, written.n, tuple(ids)))
        if legal:
            self._won_at = self._now

    def _after_win(self, scene: Scene, quiet: Quiet) -> None:
        """The others show their hands; then the hand is over."""
        for seat in range(self.state.players):
            shown = self._fresh(scene.at("open", seat))
            held = self.state.seats[seat].held
            if held and len(shown) >= held and quiet(seat) and not any(win.event.seat == seat for win in self.state.wins):
                for spot in shown:
                    self.accounts.open[spot.track.id] = seat
                hand = tuple(sorted(t.parse_one(s.face) for s in shown))
                self._commit(ev.Reveal(seat=seat, hand=hand), [s.track.id for s in shown])
        if self._won_at is not None and self._now - self._won_at > SHOWING:
            self.finish(self._now)

    def finish(self, now: float) -> list[Happening]:
        """The source ends, the next hand begins, or the hands have been shown long enough: close a hand that is won."""
        self._now = now
        if self._won_at is not None:
            self._won_at = None
            self._commit(ev.End(why="win"))
        return self._happened

    # --- discards ----------------------------------------------------------------------------------------------------

    def _see_discards(self, scene: Scene, present: dict[int, Spot], quiet: Quiet) -> bool:
        fresh = self._fresh(scene.at("river"))
        if not fresh:
            return False
        spot = min(fresh, key=self._discard_order)
        seat = self._discarder(spot)
        if seat is None:
            return False
        self._draw_before(seat)
        self.accounts.river[spot.track.id] = (seat, 0)
        self._last_discard = spot.track.id
        written = self._commit(ev.Discard(seat=seat, tile=t.parse_one(spot.face)), [spot.track.id], spot.track.confidence)
        self.accounts.river[spot.track.id] = (seat, written.n)
        self._doubt_face(spot.track, f"seat {seat}'s discard", written.n)
        return True

    def _discard_order(self, spot: Spot) -> tuple[int, float]:
        """In turn order from whose turn it is, where the place tells the player; then by age."""
        ahead = (spot.seat - self.state.turn) % self.state.players if self.rows else 0
        return ahead, spot.track.born

    def _discarder(self, spot: Spot) -> int | None:
        """Whose discard a new tile is: the player whose turn it is, or in rows the one before whom it lies."""
        turn = self.state.turn
        if not self.rows or spot.seat == turn:
            return turn
        self._ask(
            Question(
                f"a discard lies before seat {spot.seat}, but it is seat {turn}'s turn",
                (f"seat {spot.seat} discarded out of turn", f"seat {turn} discarded it"), self._now, tracks=(spot.track.id,),
            )
        )  # fmt: skip
        return spot.seat

    # --- doubts ------------------------------------------------------------------------------------------------------

    def _doubt_face(self, track: Track, what: str, about: int | None = None) -> None:
        if track.confidence >= SURE:
            return
        names = tuple(n for n, p in track.probabilities.items() if p >= LIKELY)
        self._ask(Question(f"{what} may be {' or '.join(names)}", names, self._now, about, (track.id,)))

    def renamed(self, tracks: Sequence[Track], now: float) -> list[Happening]:
        """Faces read anew after their events were recorded: each becomes a correction of its event."""
        self._happened, self._now = [], now
        for track in tracks:
            seat, number = self.accounts.river.get(track.id, (0, 0))
            if number and track.confidence >= SURE:
                fixed = ev.Discard(seat=seat, tile=t.parse_one(track.tile), by="camera")
                self._correct(number, (fixed,), [track.id])
        return self._happened

    def _correct(self, number: int, events: tuple[ev.Event, ...], tracks: Sequence[int]) -> None:
        correction = ev.Correct(event=number, events=events, by="camera", t=round(self._now, 3))
        self._record(correction, tracks)


def faces(spots: Sequence[Spot]) -> Counter[str]:
    return Counter(s.face for s in spots)


__all__ = ["Accounts", "Follower", "Happening", "Question", "faces", "is_sideways"]
