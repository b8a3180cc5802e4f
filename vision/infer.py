"""From settled changes on the table to events: what must have happened for this to lie there now.

``Follower`` keeps the game as ``referee.table`` knows it and the tiles already accounted for. Each look brings a scene;
what is new in it (a discard, a set in the corner, a hand laid open) is explained by the shortest run of events from the
state at hand, draws that nobody sees included. What fits the turn is committed; what does not is committed as the foul it
would be only where the place of the tile proves it, and is otherwise put as a question with its candidate answers.
Nothing is decided about a seat's side while something moves there. What stays unexplained is a lost thread: it is said,
and ``recount`` takes the table as it lies.
"""

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from referee.rules import tiles as t
from referee.table import events as ev
from referee.table.faults import Fault, in_view, is_run
from referee.table.game import Told
from referee.table.game import step as played
from referee.table.ledger import Ledger
from referee.table.moves import draw_source, over
from referee.table.state import State, apply
from referee.table.wins import can_win
from vision.counting import Counts
from vision.track import Track
from vision.zones import Scene, Spot, blocks, hidden_between, is_sideways, set_apart

READABLE = 0.5  # a face below this is not gone by at all
PLAIN = 0.75  # a face below this is gone by only once it has lain for a while
SETTLED = 1.5  # seconds
SURE = 0.90  # a face below this corrects nothing that was written
ASK = 0.80  # a face below this is put as a question
PROVED = 0.97  # a foul that a face proves is certain from here on, else it is put as a question
LEAST = 0.01  # in a hand laid open, tiles are tried as what they may be with this chance
TRIED = 60  # readings of a hand that are tried
FOUL = 0.002  # how much less likely a reading is for being foul play
FEWEST = 0.004  # readings less likely than this are not weighed against foul play
RAISED = 0.12  # of a tile's width: a tile that has come this much further out than its neighbours lies on top of another
SHOWING = 10.0  # seconds after a win in which the others may still show their hands
LIKELY = 0.03  # alternatives below this are not offered
PATIENCE = 0.6  # seconds a set stands before a discard that nobody saw is inferred from it
OUT_OF_TURN = 2.0  # seconds a discard out of turn waits for what may explain it
LATER = 2.0  # seconds in which a fourth tile makes a kong of a pung just claimed
DEALT = 2.5  # seconds in which the hands must stand unchanged where not every tile of them is seen
ENDS = 20.0  # seconds without anything happening after the last tile of the wall, after which the hand is drawn
SUSPECT = 1.2  # seconds for which a hand one short must be seen before a discard is laid to it
MISSED = 2.5  # seconds a discard before another player waits for those that should have come before it
PLAUSIBLE = 3  # tiles by which a hand may be long or short and the count still be believed
STEADY = 0.9  # seconds a hand must lie open unchanged
BY_FACE = frozenset({
    "wild_discarded", "swap_discard", "forced_discard", "changed_after_ready", "claimed_wild", "wild_in_meld", "barred_claim",
    "wrong_chow", "wrong_pung", "wrong_kong",
})  # fouls that are proved by what a tile shows
LOST = 8.0  # seconds after which what is unexplained means that the thread is lost
CLEARED = 0.15  # of the tiles accounted for: fewer left means that the table was cleared
ON_WALL = 1.3  # of a tile's width: an indicator is no further than this from the wall it was turned up from
SAME_PLACE = 0.8  # of a tile's width: a tile of the same face found again this near is the same tile,
SAME_TRACE = 0.25  # this near one that is read otherwise now


@dataclass(frozen=True)
class Question:
    """Something the pictures do not settle. ``choices``: candidate answers in words; the first is the likeliest and what
    was recorded meanwhile as event ``about`` (a number of the log) where that is not None. ``answers``: for each choice the
    events that take the place of ``about`` (or come in, where nothing was recorded); None leaves the log as it is."""

    text: str
    choices: tuple[str, ...]
    t: float
    about: int | None = None
    tracks: tuple[int, ...] = ()
    answers: tuple[tuple[ev.Event, ...] | None, ...] = ()


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
    """Which tracks are explained, and as what; ``places`` is where and as what each was seen last."""

    river: dict[int, tuple[int, int]] = field(default_factory=dict)  # track -> seat, event number
    melds: dict[int, int] = field(default_factory=dict)  # track -> seat
    bonus: dict[int, int] = field(default_factory=dict)
    open: dict[int, int] = field(default_factory=dict)
    indicator: int | None = None
    places: dict[int, tuple[float, float, str]] = field(default_factory=dict)  # x, y in mm, and the face

    def all(self) -> set[int]:
        known = {*self.river, *self.melds, *self.bonus, *self.open}
        return known | ({self.indicator} if self.indicator is not None else set())

    def moved(self, old: int, new: int) -> None:
        """What was known of one track is so of another."""
        for table in (self.river, self.melds, self.bonus, self.open):
            if old in table:
                table[new] = table.pop(old)  # type: ignore[attr-defined]
        if self.indicator == old:
            self.indicator = new
        self.places.pop(old, None)


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
        self.start = start
        self._happened: list[Happening] = []
        self._now = 0.0
        self._fleeting: list[tuple[float, Track]] = []
        self._clear()
        self._resuming = bool(ledger.game.hands) and not ledger.game.hands[-1].complete
        if not self._resuming:
            self._commit(ev.Start() if ledger.game.hands else start)
        self.begun = tuple(self._happened)

    def _clear(self) -> None:
        """Nothing is known of what lies on the table."""
        self.accounts = Accounts()
        self.counts = Counts(self.start_players)
        self.lost = False
        self._asked: set[tuple[object, ...]] = set()
        self._last_discard: int | None = None
        self._offered_as: dict[str, float] = {}  # what it may be, and how likely
        self._before_claim: tuple[int, tuple[int, ...]] | None = None
        self._won_at: float | None = None
        self.opened: tuple[int, int] | None = None  # whose wall was opened at which stack, where a table's line says so
        self._turned: tuple[int, int] | None = None  # where the indicator was turned up, likewise
        self._latest = self._now  # when something was last committed
        self._lying: dict[int, float] = {}  # tiles face down in no set -> since when
        self._waiting: dict[int, float] = {}  # fresh tracks -> since when they wait for an explanation
        self._skipped: dict[int, list[int]] = {}  # discards that nobody saw, by seat: numbers of their events
        self._walls: list[tuple[float, float]] = []  # where the walls stood
        self._open: dict[int, tuple[frozenset[int], float]] = {}
        self._dealt: tuple[tuple[int, ...], float] = (), self._now

    @property
    def start_players(self) -> int:
        return self.state.players if self.ledger.game.hands else 4

    def enter(self, event: ev.Event, now: float) -> list[Happening]:
        """An event from elsewhere: a person's word, the table's line."""
        self._happened, self._now = [], now
        self._record(replace(event, t=round(now, 3)), ())
        return self._happened

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

    def recount(self, scene: Scene) -> None:
        """The way back into a lost thread: what lies on the table and is not explained is taken as it lies."""
        for spot in self._fresh(scene.spots):
            if spot.zone == "river":
                self.accounts.river[spot.track.id] = (spot.seat, 0)
            elif spot.zone == "bonus":
                self.accounts.bonus[spot.track.id] = spot.seat
            elif spot.zone == "open":
                self.accounts.melds[spot.track.id] = spot.seat
        self._waiting.clear()
        self.lost = False

    # --- state -----------------------------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        return self.ledger.game.hands[-1].state

    @property
    def aside(self) -> frozenset[str]:
        """The kinds that players set aside before them: bonus tiles and, once the indicator is known, single-tile kongs."""
        return frozenset(t.NAMES[k] for k in self.state.rules.bonus | self.state.aside)

    def _commit(self, event: ev.Event, tracks: Sequence[int] = (), confidence: float | None = None) -> ev.Event:
        sure = None if confidence is None else round(confidence, 4)
        stamped = replace(event, t=round(self._now, 3), by=event.by or "camera", confidence=sure)
        self._latest = self._now
        written = self._record(stamped, tracks)
        self._doubt_ruling(written, tuple(tracks))
        return written

    def _doubt_ruling(self, written: ev.Event, tracks: tuple[int, ...]) -> None:
        """A foul is certain only where a well-read face proves it, or standing tiles counted many times over; else it is asked
        about."""
        faults = [fault for told in self._happened[-1].told for fault in told.faults if fault.certain]
        proved = (written.confidence or 0.0) >= PROVED
        open_ = [fault for fault in faults if not (proved and fault.kind in BY_FACE)]
        if not open_ or isinstance(written, (ev.Count, ev.Correct)):
            return
        text = "; ".join(f"seat {fault.seat}, {fault.kind.replace('_', ' ')}: {fault.why}" for fault in open_)
        self._ask(Question(f"{text}: is that so?", ("yes", "no"), self._now, written.n, tracks, (None, ())))

    def _record(self, event: ev.Event, tracks: Sequence[int]) -> ev.Event:
        written = self.write(event, tracks)
        before = set(self.ledger.game.faults) if isinstance(event, ev.Correct) else set()
        told = tuple(self.ledger.record(written))
        if isinstance(event, ev.Correct):
            told = self._news(told, before)
        self._happened.append(Happening(written, tracks=tuple(tracks), told=told))
        return written

    def _news(self, told: Sequence[Told], before: set[tuple[int, Fault]]) -> tuple[Told, ...]:
        """Of the story told again after a correction, what has faults that were not known before."""
        fresh = [(item, tuple(f for f in item.faults if (item.hand, f) not in before)) for item in told]
        return tuple(replace(item, faults=faults) for item, faults in fresh if faults)

    def _ask(self, question: Question) -> None:
        key = (question.text, question.choices)
        if key not in self._asked:
            self._asked.add(key)
            self._happened.append(Happening(question=question, tracks=question.tracks))

    # --- one look ----------------------------------------------------------------------------------------------------

    def glimpsed(self, tracks: Iterable[Track], now: float) -> None:
        """Tiles that were seen but gone again before they could be believed: a discard that was claimed at once."""
        self._fleeting = [(at, track) for at, track in self._fleeting if now - at < 6.0]
        self._fleeting += [(now, track) for track in tracks]

    def observe(self, scene: Scene, now: float, quiet: Quiet) -> list[Happening]:
        """Explain what is new in the scene. ``quiet(seat)``: nothing moves on that seat's side."""
        self._happened, self._now = [], now
        present = scene.by_id()
        if self._resuming and not self._resumed(scene):
            return self._happened
        self._found_again(scene, present)
        if self._cleared(present):
            self._next_hand()
        if self.state.phase == "deal":
            self._see_deal(scene, quiet)
        if self._won_at is not None:
            self._after_win(scene, quiet)
        elif self.state.phase not in ("deal", "over"):
            self._play(scene, present, quiet)
        return self._happened

    def _play(self, scene: Scene, present: dict[int, Spot], quiet: Quiet) -> None:
        self._see_indicator(scene)
        for _ in range(16):
            if not self._explain_one(scene, present, quiet) or self._won_at is not None:
                break
        self._wait(scene)
        if self._won_at is None:
            if not self._fresh(scene.at("river")):
                self._count(scene, quiet)
            self._see_the_end(scene)

    def _explain_one(self, scene: Scene, present: dict[int, Spot], quiet: Quiet) -> bool:
        """Explain one new thing, the surest explanations first; False where there is nothing (more) to explain."""
        looks = (
            self._see_bonus, self._see_melds, self._see_open_hands, self._see_unseen_discards, self._see_discards,
        )  # fmt: skip
        return any(look(scene, present, quiet) for look in looks)

    def _fresh(self, spots: Sequence[Spot]) -> list[Spot]:
        known = self.accounts.all()
        fresh = [s for s in spots if s.track.id not in known and s.zone in ("river", "open", "bonus")]
        return [s for s in fresh if self._believable(s)]

    def _believable(self, spot: Spot) -> bool:
        """A face read well, or one that has lain a while and does not lie where a tile of the wall did."""
        track = spot.track
        if track.confidence >= PLAIN:
            return True
        if track.confidence < READABLE or self._now - track.born < SETTLED:
            return False
        return all(math.hypot(track.x - x, track.y - y) > 0.5 * self.width for x, y in self._walls)

    def _found_again(self, scene: Scene, present: dict[int, Spot]) -> None:
        """Tiles that were lost for a while and lie where they lay are the same tiles."""
        accounts = self.accounts
        missing = {i: at for i, at in accounts.places.items() if i not in present}
        for spot in self._fresh(scene.spots) if missing else ():
            old = self._same_tile(spot.track, missing)
            if old is not None:
                self._relink(old, spot)
                del missing[old]
        for track_id in accounts.all():
            if track_id in present:
                track = present[track_id].track
                accounts.places[track_id] = track.x, track.y, track.tile

    def _same_tile(self, track: Track, missing: dict[int, tuple[float, float, str]]) -> int | None:
        """Which of the tiles missing a track is: the nearest with such a face; one of another face only where it lay
        exactly there and was not on offer, so that nobody took it."""
        near = sorted((math.hypot(track.x - x, track.y - y), i, face) for i, (x, y, face) in missing.items())
        for distance, i, face in near:
            likely = face == track.tile or track.probabilities.get(face, 0.0) > LIKELY
            if distance < SAME_PLACE * self.width and likely:
                return i
            if distance < SAME_TRACE * self.width and i != self._last_discard:
                return i
        return None

    def _resumed(self, scene: Scene) -> bool:
        """After a break the tiles that the log tells of are found where they lie; what is left over is new."""
        expected = [(zone, seat, tile) for zone, seat, tile in _lying(self.state)]
        found: dict[int, tuple[str, int]] = {}
        for zone, seat, tile in expected:
            own = zone != "river" or self.rows
            spots = scene.at(zone, seat if own else None)
            spot = next((s for s in spots if s.track.id not in found and s.face == t.NAMES[tile]), None)
            if spot is not None:
                found[spot.track.id] = zone, seat
                if zone == "river" and self.state.offer is not None and self.state.offer.tile == tile:
                    self._last_discard = spot.track.id
        if len(found) < 0.8 * len(expected) and self._now - self._latest < LOST:
            return False
        for track_id, (zone, seat) in found.items():
            if zone == "river":
                self.accounts.river[track_id] = seat, 0
            else:
                (self.accounts.melds if zone == "open" else self.accounts.bonus)[track_id] = seat
        self._resuming = False
        return True

    def _relink(self, old: int, spot: Spot) -> None:
        self.accounts.moved(old, spot.track.id)
        self.accounts.places[spot.track.id] = spot.track.x, spot.track.y, spot.track.tile
        if self._last_discard == old:
            self._last_discard = spot.track.id

    def _wait(self, scene: Scene) -> None:
        """What could not be explained yet, and for how long."""
        fresh = {s.track.id for s in self._fresh(scene.spots)}
        self._lying = {i: self._lying.get(i, self._now) for i in self._face_down(scene)}
        self._waiting = {i: self._waiting.get(i, self._now) for i in fresh}
        since = min(self._waiting.values(), default=self._now)
        if self._now - since > LOST and not self.lost:
            self.lost = True
            tracks = tuple(i for i, at in self._waiting.items() if self._now - at > LOST)
            tiles = " ".join(s.face for s in scene.spots if s.track.id in tracks)
            text = f"the thread is lost: nobody's move explains {tiles}"
            self._ask(Question(text, ("recount", "add the missed events"), self._now, tracks=tracks))

    def _face_down(self, scene: Scene) -> set[int]:
        """Tiles that lie face down at an edge and belong to no set."""
        return {s.track.id for s in scene.at("hand") if s.track.facing == "down"} - self.accounts.melds.keys()

    def _waited(self, spots: Sequence[Spot]) -> float:
        """How long the last of some tiles has waited for an explanation."""
        return self._now - max(self._waiting.get(s.track.id, self._now) for s in spots)

    # --- the deal --------------------------------------------------------------------------------------------------

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

    # --- draws that nobody sees ------------------------------------------------------------------------------------

    def _draw_before(self, seat: int) -> None:
        """The draw that must have come before what the seat has done, where one is due."""
        self._draws_owed(None if self.state.phase == "dealt" else seat)
        player = self.state.seats[seat]
        if self.state.phase == "play" and self.state.turn == seat and not player.extra:
            self._commit(ev.Draw(seat=seat, tile=None, end="head"))

    def _draws_owed(self, only: int | None = None) -> None:
        """Replacements that have not been recorded yet, of all players (in order of play) or of one."""
        for step in range(self.state.players):
            seat = (self.state.dealer + step) % self.state.players
            if only in (None, seat):
                for _ in range(self.state.seats[seat].owed):
                    self._commit(ev.Draw(seat=seat, tile=None, end="tail"))

    # --- bonus tiles -------------------------------------------------------------------------------------------------

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

    # --- declared sets -----------------------------------------------------------------------------------------------

    def _see_melds(self, scene: Scene, present: dict[int, Spot], quiet: Quiet) -> bool:
        """Sets made with the tile on offer, and kongs of the player in turn."""
        for step in range(self.state.players):
            seat = (self.state.turn + step) % self.state.players
            fresh = self._fresh(scene.at("open", seat))
            still = quiet(seat)
            if still and (self._added_kong(seat, fresh, scene) or self._concealed_kong(seat, fresh, scene)):
                return True
            for block in self._set_blocks(fresh):
                lying = still or self._waited(block) >= PATIENCE
                if lying and len(block) in (3, 4) and self._claim(seat, block, present):
                    return True
        return False

    def _set_blocks(self, fresh: list[Spot]) -> list[list[Spot]]:
        return blocks(fresh, self.width) if 2 <= len(fresh) <= 4 else []

    def _added_kong(self, seat: int, fresh: list[Spot], scene: Scene) -> bool:
        """A fourth tile beside an own pung, or on top of one of its tiles (which then seems to lie further out)."""
        for meld in self.state.seats[seat].melds:
            if meld.kind != "pung" or len(set(meld.tiles)) != 1:
                continue
            like = [s for s in scene.at("open", seat) if t.parse_one(s.face) == meld.tiles[0]]
            beside = [s for s in fresh if s in like] if len(fresh) == 1 else []
            raised = self._raised(seat, like) if len(like) == 3 and not fresh else []
            if not (beside and len(like) == 4) and not raised:
                continue
            if beside and self._was_kong(seat, meld.tiles, like):
                return True
            if self.state.turn != seat or in_view(self.state, meld.tiles[0]) > 3:
                continue
            self._draw_before(seat)
            for spot in like:
                self.accounts.melds[spot.track.id] = seat
                spot.track.home = spot.track.x, spot.track.y
            shown = [s.track.id for s in raised or beside]
            self._commit(ev.AddedKong(seat=seat, tiles=meld.tiles + meld.tiles[:1]), shown)
            return True
        return False

    def _raised(self, seat: int, like: list[Spot]) -> list[Spot]:
        """The tile of a pung that has come out further than the others of it."""
        mine = [s for s in like if self.accounts.melds.get(s.track.id) == seat]
        if len(mine) != 3:
            return []
        outward = sorted(mine, key=lambda s: s.track.outward)
        rest = (outward[0].track.outward + outward[1].track.outward) / 2
        return outward[2:] if outward[2].track.outward - rest > RAISED * self.width else []

    def _was_kong(self, seat: int, tiles: tuple[int, ...], like: list[Spot]) -> bool:
        """The fourth tile of a claimed kong was seen after the other three."""
        last = self.ledger.told[-1].event
        if not isinstance(last, ev.Pung) or last.seat != seat or self._now - (last.t or 0.0) > LATER:
            return False
        for spot in like:
            self.accounts.melds[spot.track.id] = seat
        kong = ev.Kong(seat=seat, tiles=(*tiles, tiles[0]), claimed=last.claimed, source=last.source, by="camera")
        self._correct(last.n, (kong,), [s.track.id for s in like])
        return True

    def _concealed_kong(self, seat: int, fresh: list[Spot], scene: Scene) -> bool:
        """Four tiles side by side in the meld corner of the player in turn, as many face down as the custom has it. Where
        no face shows, nobody knows the tiles."""
        down = sum(self.state.ritual.customs.closed_kong)
        if self.state.turn != seat or not down:
            return False
        backs = [s for s in scene.at("hand", seat) if s.track.id not in self.accounts.melds and s.track.facing == "down"]
        for block in blocks([*fresh, *backs], self.width):
            up = [s for s in block if s.track.facing == "up"]
            if len(block) != 4 or len(up) != 4 - down or len({s.face for s in up}) > 1:
                continue
            if not up and self._now - max(self._lying.get(s.track.id, self._now) for s in block) < STEADY:
                continue
            self._draw_before(seat)
            for spot in block:
                self.accounts.melds[spot.track.id] = seat
            tiles = (t.parse_one(up[0].face),) * 4 if up else None
            self._commit(ev.ConcealedKong(seat=seat, tiles=tiles), self._ids(block))
            return True
        return False

    def _claim(self, seat: int, block: list[Spot], present: dict[int, Spot]) -> bool:
        """A set made with the discard on offer, or a kong shown whole in the own turn."""
        offered = self._offered(seat)
        tiles, doubt = self._read_set(block, offered)
        kind = self._set_kind(tiles)
        if kind == "kong" and self.state.turn == seat and offered not in tiles:
            self._draw_before(seat)
            self._commit_meld(ev.ConcealedKong(seat=seat, tiles=tiles), seat, block)
            return True
        offer = self.state.offer
        if offer is None or offered is None or offered not in tiles:
            return False
        if self._last_discard in present and self._waited(block) < OUT_OF_TURN:
            return False
        if kind is None and self._waited(block) < OUT_OF_TURN:
            return False
        make = {"chow": ev.Chow, "pung": ev.Pung, "kong": ev.Kong}[kind or ("pung" if len(set(tiles)) < 3 else "chow")]
        self._before_claim = (offer.n, tuple(s.track.id for s in block))
        event = make(seat=seat, tiles=tiles, claimed=offered, source=offer.seat)
        written = self._commit_meld(event, seat, block)
        if doubt:
            raw = tuple(sorted(t.parse_one(s.face) for s in block))
            text = f"seat {seat} claimed {t.write(tiles)}, but it looks like {t.write(raw)}"
            answers = (None, (replace(event, tiles=raw),))
            self._ask(Question(text, (t.write(tiles), t.write(raw)), self._now, written.n, self._ids(block), answers))
        return True

    def _offered(self, seat: int) -> int | None:
        """The discard that a seat may claim."""
        offer = self.state.offer
        return offer.tile if offer is not None and offer.kind == "discard" and offer.seat != seat else None

    def _ids(self, spots: Sequence[Spot]) -> tuple[int, ...]:
        return tuple(s.track.id for s in spots)

    def _read_set(self, block: list[Spot], offered: int | None) -> tuple[tuple[int, ...], bool]:
        """The tiles of a set, and whether that is doubtful: where the likeliest faces are no set, the set with the tile on
        offer that they may well be."""
        raw = tuple(sorted(t.parse_one(s.face) for s in block))
        if self._set_kind(raw) is not None or offered is None:
            return raw, False
        best, likely = raw, 0.02
        for tiles in self._sets_with(offered, len(block)):
            chance = _chance(block, tiles)
            if chance > likely:
                best, likely = tiles, chance
        return best, best != raw

    def _sets_with(self, tile: int, length: int) -> list[tuple[int, ...]]:
        sets: list[tuple[int, ...]] = [(tile,) * length]
        if length == 3 and tile < 27:
            sets += [(a, a + 1, a + 2) for a in range(tile - 2, tile + 1) if a >= 0 and a // 9 == (a + 2) // 9 == tile // 9]
        return sets

    def _set_kind(self, tiles: tuple[int, ...]) -> str | None:
        faces = [self.state.face(tile) for tile in tiles]
        if len(set(faces)) == 1 or (len(set(tiles)) == 1):
            return "pung" if len(tiles) == 3 else "kong"
        return "chow" if len(tiles) == 3 and is_run(self.state, sorted(faces)) else None

    def _commit_meld(self, event: ev.Event, seat: int, block: list[Spot]) -> ev.Event:
        for spot in block:
            self.accounts.melds[spot.track.id] = seat
        if self._last_discard is not None:
            self.accounts.river.pop(self._last_discard, None)
            self.accounts.places.pop(self._last_discard, None)
        return self._commit(event, self._ids(block), min(s.track.confidence for s in block))

    # --- discards that were taken before they were seen ---------------------------------------------------------------

    def _see_unseen_discards(self, scene: Scene, present: dict[int, Spot], quiet: Quiet) -> bool:
        """A set that nothing on offer explains: a discard was claimed before it was seen to lie."""
        for step in range(1, self.state.players):
            seat = (self.state.turn + step) % self.state.players
            fresh = self._fresh(scene.at("open", seat))
            for block in self._set_blocks(fresh):
                if len(block) in (3, 4) and self._waited(block) >= PATIENCE and self._claim_unseen(seat, block, present):
                    return True
        return False

    def _claim_unseen(self, seat: int, block: list[Spot], present: dict[int, Spot]) -> bool:
        offered = self._offered(seat)
        tiles = tuple(sorted(t.parse_one(s.face) for s in block))
        kind = self._set_kind(tiles)
        if kind is not None and offered is not None and offered not in tiles and self._misread(seat, kind, block, present):
            return True
        giver = self.state.turn
        if kind is None or (offered is not None and offered in tiles):
            return False  # no set, or one that waits for its discard to be lifted
        taken = self._taken(block)
        self._draw_before(giver)
        self._last_discard = None
        discard = self._commit(ev.Discard(seat=giver, tile=taken[0]), self._ids(block), 0.8 if len(taken) == 1 else 0.5)
        make = {"chow": ev.Chow, "pung": ev.Pung, "kong": ev.Kong}[kind]
        claim = self._commit_meld(make(seat=seat, tiles=tiles, claimed=taken[0], source=giver), seat, block)
        self._before_claim = (discard.n, self._ids(block))
        if len(taken) > 1:
            answers: list[tuple[ev.Event, ...] | None] = [None]
            for tile in taken[1:]:
                fixed = replace(discard, tile=tile, by="person"), replace(claim, claimed=tile, by="person")
                answers.append(tuple(replace(event, n=0) for event in fixed))
            names = tuple(t.NAMES[tile] for tile in taken)
            text = f"seat {seat} claimed a tile for {t.write(tiles)} before it was seen: which?"
            self._ask(Question(text, names, self._now, discard.n, self._ids(block), tuple(answers)))
        return True

    def _misread(self, seat: int, kind: str, block: list[Spot], present: dict[int, Spot]) -> bool:
        """The discard on offer has been taken, and the set made with it does not hold what it was read as: it was another."""
        offer = self.state.offer
        assert offer is not None
        mine = kind != "chow" or seat == self.state.next_seat(offer.seat)
        if not mine or self._last_discard is None or self._last_discard in present or seat == offer.seat:
            return False
        taken = max(self._taken(block), key=lambda tile: self._offered_as.get(t.NAMES[tile], 0.0))
        self._correct(offer.n, (ev.Discard(seat=offer.seat, tile=taken, by="camera"),), self._ids(block))
        return self._claim(seat, block, present)

    def _taken(self, block: list[Spot]) -> list[int]:
        """Which tile of a set was claimed, the likeliest first; one where it is known: all alike, the one turned aside, the
        one glimpsed before, the one that came to lie before the others."""
        tiles = sorted({t.parse_one(s.face) for s in block})
        if len(tiles) == 1:
            return tiles
        turned = [s for s in block if is_sideways(s)]
        if len(turned) == 1:
            return [t.parse_one(turned[0].face)]
        glimpsed = [t.parse_one(k.tile) for _, k in reversed(self._fleeting) if k.facing == "up" and k.tile in t.NAMES]
        seen = next((tile for tile in glimpsed if tile in tiles), None)
        if seen is not None:
            return [seen]
        first = sorted(block, key=lambda s: s.track.born)
        if first[0].track.born < first[1].track.born - 0.05:
            return [t.parse_one(first[0].face)]
        return [t.parse_one(s.face) for s in sorted(block, key=lambda s: s.x)]

    # --- hands laid open -----------------------------------------------------------------------------------------------

    def _see_open_hands(self, scene: Scene, present: dict[int, Spot], quiet: Quiet) -> bool:
        for step in range(self.state.players):
            seat = (self.state.turn + step) % self.state.players
            shown = self._fresh(scene.at("open", seat))
            held = self._hand_size(seat)
            if not max(1, held - 1) <= len(shown) <= held + 1 or (held == 1 and len(shown) == 1 and not self._alone(seat, scene)):
                continue
            if quiet(seat) and self._steady(seat, shown) and self.standing(scene, seat) <= 1 and len(shown) >= held:
                return self._laid_open(seat, shown, present)
        return False

    def _alone(self, seat: int, scene: Scene) -> bool:
        return self.standing(scene, seat) == 0

    def _hand_size(self, seat: int) -> int:
        return self.state.size - 3 * len(self.state.seats[seat].melds)

    def _steady(self, seat: int, shown: Sequence[Spot]) -> bool:
        """Whether the hand has lain so for a while."""
        ids = frozenset(s.track.id for s in shown)
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
        state, seat = self.state, win.seat
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
            (p / s.track.confidence, k, name)
            for k, s in enumerate(shown)
            for name, p in s.track.probabilities.items()
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
        worst = min(s.track.confidence for s in shown)
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
        winners = {win.event.seat for win in self.state.wins}
        for seat in range(self.state.players):
            shown = self._fresh(scene.at("open", seat))
            held = self._hand_size(seat)
            if seat in winners or len(shown) < held or not quiet(seat) or not self._steady(seat, shown):
                continue
            self._another(seat, shown)
        if self._won_at is not None and self._now - self._won_at > SHOWING:
            self._end("win")

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

    # --- the end of the hand -------------------------------------------------------------------------------------------

    def finish(self, now: float) -> list[Happening]:
        """The source ends: close a hand that is won or has used up the wall."""
        self._happened, self._now = [], now
        if self.state.phase == "play" and (why := self._why_over()):
            self._end(why)
        return self._happened

    def _why_over(self) -> str | None:
        if self._won_at is not None or any(win.legal for win in self.state.wins):
            return "win"
        last = self.state.in_last or over(self.state)
        return "exhausted" if last and not self.state.seats[self.state.turn].extra else None

    def _see_the_end(self, scene: Scene) -> None:
        """The wall is used up and nothing more happens."""
        if self._now - self._latest > ENDS and not self._waiting and self._why_over() == "exhausted":
            self._end("exhausted")

    def _end(self, why: str) -> None:
        self._won_at = None
        self._commit(ev.End(why=why))

    def _cleared(self, present: dict[int, Spot]) -> bool:
        """Whether what lay on the table has been swept away for the next hand."""
        known = self.accounts.all()
        if len(known) < 5 or sum(i in present for i in known) > CLEARED * len(known):
            return False
        # In the dark, or when the camera was moved, the same is missing: then no walls stand, or faces lie about.
        faces = sum(s.zone in ("river", "open", "bonus") for s in present.values())
        return faces <= CLEARED * len(known) and len(present) - faces >= self.state.size

    def _next_hand(self) -> None:
        """The table has been cleared: the hand is over, the next begins."""
        if self.state.phase != "over":
            why = self._why_over()
            self._end(why or "stopped")
            if why is None:
                choices = ("it was stopped", "the wall was used up")
                number = self.ledger.told[-1].event.n
                answers = (None, (ev.End(why="exhausted"),))
                self._ask(Question("the table was cleared before the hand had ended", choices, self._now, number, (), answers))
        happened = self._happened
        self._clear()
        self._happened = happened
        self._commit(ev.Start())

    # --- discards ----------------------------------------------------------------------------------------------------

    def _see_discards(self, scene: Scene, present: dict[int, Spot], quiet: Quiet) -> bool:
        fresh = self._fresh(scene.at("river"))
        if not fresh:
            return False
        spot = min(fresh, key=self._discard_order)
        if self._laid_back(spot, present) or self._fills(spot):
            return True
        turn, seat = self.state.turn, self._discarder(spot, scene, quiet)
        if seat is None:
            return False
        if self.rows and seat != turn and not self._is_short(seat, scene):
            self._skip_to(seat)
        self._draw_before(seat)
        self.accounts.river[spot.track.id] = (seat, 0)
        self._last_discard, self._before_claim = spot.track.id, None
        self._offered_as = spot.track.probabilities
        likely = self._likely(spot.track, lambda tile: ev.Discard(seat=seat, tile=tile))
        (name, sure), *_ = likely
        written = self._commit(ev.Discard(seat=seat, tile=t.parse_one(name)), [spot.track.id], sure)
        self.accounts.river[spot.track.id] = (seat, written.n)
        if not self.rows and seat != turn:
            self._doubt_player(written, seat, turn, spot)
        self._doubt_face(spot.track, f"seat {seat}'s discard", written, likely)
        return True

    def _doubt_player(self, written: ev.Event, seat: int, turn: int, spot: Spot) -> None:
        assert isinstance(written, ev.Discard)
        text = f"seat {seat} discarded though it was seat {turn}'s turn: is that so?"
        answers = (None, (ev.Discard(seat=turn, tile=written.tile),))
        self._ask(Question(text, ("yes", f"seat {turn} did"), self._now, written.n, (spot.track.id,), answers))

    def _likely(self, track: Track, make: Callable[[int], ev.Event]) -> list[tuple[str, float]]:
        """What a tile may be, the likeliest first, where a reading that would be foul play has to be so much clearer."""
        names = [(name, p) for name, p in track.probabilities.items() if name in t.NAMES and p >= FEWEST]
        names = names or [(track.tile, track.confidence)]
        if len(names) == 1:
            return names
        weights = [(name, p * (FOUL if self._foul(make(t.parse_one(name))) else 1.0)) for name, p in names]
        total = sum(p for _, p in weights)
        return sorted(((name, p / total) for name, p in weights), key=lambda item: -item[1])

    def _foul(self, event: ev.Event) -> bool:
        """Whether what a tile shows would make an event foul."""
        _, faults, _ = played(self.state, event)
        return any(fault.certain and fault.kind in BY_FACE | {"extra_tile"} for fault in faults)

    def _fills(self, spot: Spot) -> bool:
        """A discard that nobody saw at first comes to light."""
        missing = self._skipped.get(spot.seat, []) if self.rows and spot.seat != self.state.turn else []
        if not missing:
            return False
        number = missing.pop(0)
        self.accounts.river[spot.track.id] = (spot.seat, number)
        self._correct(number, (ev.Discard(seat=spot.seat, tile=t.parse_one(spot.face), by="camera"),), [spot.track.id])
        return True

    def _is_short(self, seat: int, scene: Scene) -> bool:
        """Whether the standing tiles show that a player discarded without having drawn."""
        return self.counts.reliable and self._room(scene, seat)[1] == self.state.seats[seat].held - 1

    def _skip_to(self, seat: int) -> None:
        """The discards of those before him were missed: that happens more often than a discard out of turn."""
        first = self.state.turn
        numbers = []
        for _ in range(self.state.players):
            turn = self.state.turn
            if turn == seat:
                break
            self._draw_before(turn)
            numbers.append(self._commit(ev.Discard(seat=turn, tile=None), (), 0.5).n)
            self._skipped.setdefault(turn, []).append(numbers[-1])
        text = f"seat {seat} discarded, but no discard of seat {first} was seen: was it missed?"
        answers: tuple[tuple[ev.Event, ...] | None, ...] = (None, () if len(numbers) == 1 else None)
        self._ask(Question(text, ("it was missed", f"seat {seat} was out of turn"), self._now, numbers[0], (), answers))

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
        if offer.n != number or sum(i in present for i in claimed) > 1:
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
            longest = MISSED if not self._unexplained_sets(scene) else 2 * MISSED
            return spot.seat if self._waited([spot]) > longest and spot.track.confidence >= PLAIN else None
        if self._waited([spot]) < PATIENCE and self._unexplained_sets(scene):
            return None
        return turn if self.rows else self._by_counts(spot, turn, scene, quiet)

    def _unexplained_sets(self, scene: Scene) -> bool:
        """Something new lies in a meld corner that may have come before a discard."""
        return any(len(self._fresh(scene.at("open", seat))) in (2, 3, 4) for seat in range(self.state.players))

    def _by_counts(self, spot: Spot, turn: int, scene: Scene, quiet: Quiet) -> int | None:
        """Somebody else discarded where he has a tile less than before and the player in turn, who has not been seen to
        draw, has all of his. None: wait and look again."""
        held = self.state.seats[turn].held
        if not quiet(turn) or self.standing(scene, turn) < held or self.counts.last(turn) == held + 1:
            return turn
        if not self.counts.reliable:
            return turn
        for seat in range(self.state.players):
            held = self.state.seats[seat].held
            if seat != turn and quiet(seat) and self._room(scene, seat)[1] == held - 1 and self.counts.last(seat) == held:
                return seat if self._waited([spot]) > SUSPECT else None
        return turn

    # --- long and short hands ------------------------------------------------------------------------------------------

    def standing(self, scene: Scene, seat: int) -> int:
        """A player's concealed tiles that are seen: backs of a concealed kong are none."""
        return sum(s.track.id not in self.accounts.melds for s in scene.at("hand", seat))

    def _room(self, scene: Scene, seat: int) -> tuple[int, int]:
        """The standing tiles that are seen, and how many there are where the gaps between them hold tiles that are not."""
        spots = [s for s in scene.at("hand", seat) if s.track.id not in self.accounts.melds]
        return len(spots), len(spots) + hidden_between(spots, self.width)

    def _count(self, scene: Scene, quiet: Quiet) -> None:
        """Standing tiles counted over several settled looks: an odd number becomes a ``count`` event."""
        state = self.state
        if state.phase != "play" or state.in_last:  # of the last tiles everybody draws one and discards none
            return
        for seat, player in enumerate(state.seats):
            shown = any(s.track.id in self.accounts.open for s in scene.at("open", seat))
            if not quiet(seat) or shown or self._fresh(scene.at("open", seat)) or player.owed:
                continue
            if state.turn == seat and not player.extra:
                self.counts.seen(seat, self.standing(scene, seat))
                continue  # he may have drawn or not
            fewest, most = self._room(scene, seat)
            off = fewest - player.held if fewest > player.held else min(most - player.held, 0)
            if abs(off) > PLAUSIBLE:
                continue  # the reader's error, not the player's
            stage = len(player.discards), len(player.melds), len(player.bonus)
            if self.counts.look(seat, self.standing(scene, seat), off, stage, self._now) is not None:
                self._commit(ev.Count(seat=seat, tiles=player.held + off))
                self.counts.settled(seat)

    # --- doubts ------------------------------------------------------------------------------------------------------

    def _doubt_face(
        self, track: Track, what: str, written: ev.Event, likely: Sequence[tuple[str, float]] | None = None
    ) -> None:
        likely = likely or [(n, p) for n, p in track.probabilities.items() if n in t.NAMES]
        if likely[0][1] >= ASK:
            return
        names = tuple(n for n, p in likely if p >= LIKELY)
        answers = [None if k == 0 else (replace(written, n=0, tile=t.parse_one(n)),) for k, n in enumerate(names)]  # type: ignore[call-arg]
        self._ask(Question(f"{what} may be {' or '.join(names)}", names, self._now, written.n, (track.id,), tuple(answers)))

    def renamed(self, tracks: Sequence[Track], now: float) -> list[Happening]:
        """Faces read anew after their events were recorded: each becomes a correction of its event."""
        self._happened, self._now = [], now
        for track in tracks:
            seat, number = self.accounts.river.get(track.id, (0, 0))
            if number and track.confidence >= SURE and track.facing == "up":
                fixed = ev.Discard(seat=seat, tile=t.parse_one(track.tile), by="camera")
                self._correct(number, (fixed,), [track.id])
        return self._happened

    def _correct(self, number: int, events: tuple[ev.Event, ...], tracks: Sequence[int]) -> None:
        correction = ev.Correct(event=number, events=events, by="camera", t=round(self._now, 3))
        self._record(correction, tracks)


def _lying(state: State) -> list[tuple[str, int, int]]:
    """The tiles that lie open by the game's account: zone, seat, tile; the latest discard last."""
    out = [("open", seat, tile) for seat, side in enumerate(state.seats) for meld in side.melds for tile in meld.tiles]
    out += [("bonus", seat, tile) for seat, side in enumerate(state.seats) for tile in side.bonus]
    river = [(k.n, seat, k.tile) for seat, side in enumerate(state.seats) for k in side.discards if not k.taken]
    return out + [("river", seat, tile) for _, seat, tile in sorted(river) if tile is not None]


def _chance(block: Sequence[Spot], tiles: tuple[int, ...]) -> float:
    """How likely it is that a block shows these tiles: the best way to give each its tile, greedily."""
    left, chance = list(block), 1.0
    for tile in tiles:
        best = max(left, key=lambda s: s.track.probabilities.get(t.NAMES[tile], 0.0))
        chance *= best.track.probabilities.get(t.NAMES[tile], 0.0)
        left.remove(best)
    return chance


__all__ = ["Accounts", "Follower", "Happening", "Question"]
