"""What is known and told of the table: events with the tiles that show them, questions, and what lies unexplained.

``Story`` keeps the game as ``referee.table`` knows it and the tiles already accounted for; what explains new tiles (``dealing``,
``discards``, ``sets``, ``showdown``) is built on it and put together in ``infer``. Here is also what all explanations share:
which tiles are believed, draws that nobody sees, and the doubts. A foul is ruled for certain only where a well-read face
proves it; every other one is asked about.
"""

import math
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field, replace

from referee.rules import tiles as t
from referee.table import events as ev
from referee.table.faults import Fault
from referee.table.game import Told
from referee.table.game import step as played
from referee.table.ledger import Ledger
from referee.table.state import State
from vision.counting import Counts
from vision.track import WHITE, Track
from vision.zones import SURELY, Custom, Row, Scene, Spot

READABLE = 0.5  # a face below this is not gone by at all
PLAIN = 0.75  # a face below this is gone by only once it has lain for a while,
SHARP = 0.95  # a discard's below this not before it has been looked at again,
AGAIN = 0.5  # seconds after: at first the hand that laid it may still shade it
SETTLED = 1.5  # seconds,
UNREAD = 2.5  # seconds after which a tile that surely lies there is one though its face is hardly read,
ASIDE_SETTLED = 0.6  # and before a hand, where tiles are set aside
FLAT = (0.75, 1.3)  # widths that a discard is seen as wide as at most; nearly all are within a tenth of one
PRINT = 0.4  # how surely a tile must be seen to lie where a face is read, for print on a cloth reads as faces too:
IN_A_CORNER, BEFORE_HAND = 0.2, 0.25  # less where hands and sets lie, and where tiles are set aside,
BLANK_SEEN = 0.15  # and of a blank dragon, of which a reader sees little;
HARDLY_SEEN = 0.1  # less yet of one among a player's faces, and of what looks like one of those set aside
FLOWERY = 0.3  # by so much
ASK = 0.80  # a face below this is put as a question
PROVED = 0.98  # a foul that a face proves is certain from here on, else it is put as a question
LIKELY = 0.03  # alternatives below this are not offered
PATIENCE = 0.6  # seconds a set stands before a discard that nobody saw is inferred from it
OUT_OF_TURN = 2.0  # seconds a discard out of turn waits for what may explain it
STEADY = 0.9  # seconds a hand must lie open unchanged
NEARLY = 4  # tiles that may be left by the account when the wall is used up: draws nobody saw, replacements taken twice
A_SET = 4  # tiles new in a corner at most while nobody lays his hand open
LOST = 8.0  # seconds after which what is unexplained means that the thread is lost
STALE = 5.0  # seconds after which nothing waits any more for what is new there to be explained
OPENING = 3.0  # seconds in which a hand laid open is told of
SO = ": is that so?"
BY_FACE = frozenset({
    "wild_discarded", "swap_discard", "forced_discard", "changed_after_ready", "claimed_wild", "wild_in_meld", "barred_claim",
    "wrong_pung",
})  # fouls that are proved by what a tile shows, whosever turn it is


@dataclass(frozen=True)
class SetAside:
    """A bonus tile told, and how much it looks like each of the kinds that are set aside."""

    event: ev.Bonus
    looks: dict[str, float]


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
    doubles: set[int] = field(default_factory=set)  # seen where a tile like it lies already
    places: dict[int, tuple[float, float, str]] = field(default_factory=dict)  # x, y in mm, and the face

    def all(self) -> set[int]:
        known = {*self.river, *self.melds, *self.bonus, *self.open, *self.doubles}
        return known | ({self.indicator} if self.indicator is not None else set())

    def forget(self, track: int) -> None:
        """A track is no more."""
        for table in (self.river, self.melds, self.bonus, self.open, self.places):
            table.pop(track, None)  # type: ignore[attr-defined]
        self.doubles.discard(track)
        self.indicator = None if self.indicator == track else self.indicator

    def moved(self, old: int, new: int) -> None:
        """What was known of one track is so of another."""
        for table in (self.river, self.melds, self.bonus, self.open):
            if old in table:
                table[new] = table.pop(old)  # type: ignore[attr-defined]
        if self.indicator == old:
            self.indicator = new
        self.places.pop(old, None)


class Story:
    """What is told of one table. ``write`` is called with every event and the tracks that show it, and gives the event back
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
        self.counts = Counts(self.start_players)
        self._clear()
        self._resuming = bool(ledger.game.hands) and not ledger.game.hands[-1].complete
        if not self._resuming:
            self._commit(ev.Start() if ledger.game.hands else start)
        self.begun = tuple(self._happened)

    def _clear(self) -> None:
        """Nothing is known of what lies on the table."""
        self.accounts = Accounts()
        self.counts.next_hand()
        self.lost = False
        self._asked: set[tuple[object, ...]] = set()
        self._last_discard: int | None = None
        self._offered_at = -math.inf  # since when a discard is on offer
        self._thrown_at = -math.inf  # since when the last discard lies
        self._offer_at = (math.inf, math.inf)  # where it lay (mm)
        self._offered_as: dict[str, float] = {}  # what it may be, and how likely
        self._before_claim: tuple[int, tuple[int, ...]] | None = None
        self._won_at: float | None = None
        self.opened: tuple[int, int] | None = None  # whose wall was opened at which stack, where a table's line says so
        self._turned: tuple[int, int] | None = None  # where the indicator was turned up, likewise
        self._latest = self._now  # when something was last committed
        self._lying: dict[int, float] = {}  # tiles face down in no set -> since when
        self._waiting: dict[int, float] = {}  # fresh tracks -> since when they wait for an explanation
        self.wanted: set[int] = set()  # tracks of which another look would tell at once what waiting tells
        self._waits_until = -math.inf  # until when what has come to lie is thought about again and again
        self._gone: dict[int, float] = {}  # tiles accounted for that are not seen -> since when
        self._stirs: list[tuple[float, int]] = []  # when something moved on whose side
        self._skipped: dict[int, list[int]] = {}  # discards that nobody saw, by seat: numbers of their events
        self._passed_over: dict[int, float] = {}  # when the discard came to lie from which they were inferred
        self._young: dict[int, Spot] = {}  # tiles in the river that are not believed yet
        self._walls: list[tuple[float, float]] = []  # where the walls stood
        self._printed: dict[int, str] = {}  # what lay there before the hands were dealt, and what it looks like
        self._open: dict[int, tuple[frozenset[int], float]] = {}
        self._half_open: dict[int, tuple[list[Spot], dict[int, Spot]]] = {}  # hands laid open that are not yet told, by seat
        self._dealt = self._now  # since when the hands stand
        self._bonus_told: list[SetAside] = []

    @property
    def start_players(self) -> int:
        return self.state.players if self.ledger.game.hands else 4

    @property
    def state(self) -> State:
        return self.ledger.game.hands[-1].state

    @property
    def aside(self) -> frozenset[str]:
        """The kinds that players set aside before them: bonus tiles and, once the indicator is known, single-tile kongs."""
        return frozenset(t.NAMES[k] for k in self.state.rules.bonus | self.state.aside)

    def custom(self, seats: int) -> Custom:
        """How the table is played at, as far as that is known by now."""
        white = t.parse_one(WHITE)
        turned = self.state.ritual.indicator is not None and self.state.indicator in (None, white)
        whites = self.state.rules.tiles[white] > 0
        return Custom(seats, "rows" if self.rows else "centre", self.aside, tuple(self._walls), whites, turned)

    def _commit(self, event: ev.Event, tracks: Sequence[int] = (), confidence: float | None = None) -> ev.Event:
        sure = None if confidence is None else round(confidence, 4)
        stamped = replace(event, t=round(self._now, 3), by=event.by or "camera", confidence=sure)
        turn = self.state.turn if self.ledger.game.hands else 0
        self._latest = self._now
        written = self._record(stamped, tracks)
        self._doubt_ruling(written, tuple(tracks), turn)
        return written

    def _doubt_ruling(self, written: ev.Event, tracks: tuple[int, ...], turn: int) -> None:
        """A foul is certain only where a well-read face proves it; else it is asked about, also where it follows from another
        telling of what went before. A false win is one by what reads the hand, or by a ruling on the hand before."""
        proved = (written.confidence or 0.0) >= PROVED and not isinstance(written, (ev.Count, ev.Correct))
        open_: dict[int, list[Fault]] = {}
        for told in self._happened[-1].told:
            for fault in told.faults:
                if not fault.certain or (proved and fault.kind in BY_FACE):
                    continue
                if fault.kind != "false_win":
                    open_.setdefault(fault.n, []).append(fault)
                elif self._rests_on_a_doubt(fault):
                    text = f"seat {fault.seat}, false win: {fault.why}, which is asked about itself"
                    self._ask(Question(text + SO, ("yes", "no"), self._now, fault.n, tracks, (None, None)))
        for about, faults in open_.items():
            text = "; ".join(f"seat {fault.seat}, {fault.kind.replace('_', ' ')}: {fault.why}" for fault in faults)
            theirs = isinstance(written, ev.Discard) and written.seat != turn
            no = (replace(written, n=0, seat=turn),) if theirs else ()  # type: ignore[call-arg]
            choices = "yes", f"seat {turn} did" if theirs else "no"
            answers = None, None if isinstance(written, ev.Correct) else no
            self._ask(Question(text + SO, choices, self._now, about, tracks, answers))

    def _rests_on_a_doubt(self, win: Fault) -> bool:
        """Whether a win is false only because the hand was ruled dead, and that ruling is itself asked about: it is that
        question's answer which settles this one."""
        reason = win.why.partition("dead_hand: ")[2]
        earlier = [fault for _, fault in self.ledger.game.faults if fault.seat == win.seat and fault.kind == reason]
        return any((SO, fault.n) in self._asked for fault in earlier)

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
        told = question.text.endswith(SO)
        key = (SO, question.about) if told else (question.text, question.choices)
        if key not in self._asked:
            self._asked.add(key)
            self._happened.append(Happening(question=question, tracks=question.tracks))

    def _fresh(self, spots: Sequence[Spot]) -> list[Spot]:
        return [s for s in self._new(spots) if self._believable(s)]

    def _new(self, spots: Sequence[Spot]) -> list[Spot]:
        known = self.accounts.all()
        new = [s for s in spots if s.track.id not in known and s.zone in ("river", "open", "bonus")]
        return [s for s in new if self._printed.get(s.track.id) != s.face]

    def _forming(self, spots: Sequence[Spot]) -> list[Spot]:
        """Tiles that will be believed before long, if they stay."""
        young = [s for s in self._new(spots) if self._now - s.track.born < SETTLED and s.confidence >= READABLE]
        return [s for s in young if not self._believable(s)]

    def _believable(self, spot: Spot) -> bool:
        """A face read well, or one that has lain a while and does not lie where a tile of the wall did; no print."""
        track = spot.track
        if track.sure < self._least_sure(spot) or (spot.zone == "river" and self._of_another_size(track)):
            return False
        if track.blank if spot.placed else track.confidence >= PLAIN:
            doubtful = spot.zone == "river" and not spot.placed and track.confidence < SHARP
            return not doubtful or self._now - track.born >= AGAIN
        aside = spot.zone == "bonus"  # its place tells that it is one of those set aside
        read = max(track.confidence, track.white) if spot.face == WHITE else track.confidence
        lain = self._now - track.born
        there = track.sure >= SURELY and (spot.zone == "open" or lain >= UNREAD)  # whatever it is
        if (read < READABLE and not (aside or there)) or lain < (ASIDE_SETTLED if aside else SETTLED):
            return False
        return all(math.hypot(track.x - x, track.y - y) > 0.5 * self.width for x, y in self._walls)

    def _of_another_size(self, track: Track) -> bool:
        """Whether what lies flat in the open is too narrow or too wide for a tile of this set: print on the table's cloth."""
        return not FLAT[0] < track.width / self.width < FLAT[1]

    def _least_sure(self, spot: Spot) -> float:
        """How surely a tile must be seen where a face is read for it to be no print."""
        if spot.face == WHITE:
            return HARDLY_SEEN if spot.zone == "open" else BLANK_SEEN
        if spot.zone == "open":
            return IN_A_CORNER
        if spot.zone == "river":
            return PRINT
        return HARDLY_SEEN if sum(spot.probabilities.get(name, 0.0) for name in self.aside) >= FLOWERY else BEFORE_HAND

    def _face_down(self, scene: Scene) -> set[int]:
        """Tiles that lie face down at an edge and belong to no set."""
        return {s.track.id for s in scene.at("hand") if s.track.facing == "down"} - self.accounts.melds.keys()

    def _waited(self, spots: Sequence[Spot]) -> float:
        """How long the last of some tiles has waited for an explanation."""
        since = self._lying | self._waiting
        return self._now - max(since.get(s.track.id, self._now) for s in spots)

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

    def _offered(self, seat: int) -> int | None:
        """The discard that a seat may claim."""
        offer = self.state.offer
        return offer.tile if offer is not None and offer.kind == "discard" and offer.seat != seat else None

    def _ids(self, spots: Sequence[Spot]) -> tuple[int, ...]:
        return tuple(s.track.id for s in spots)

    def _hand_size(self, seat: int) -> int:
        return self.state.size - 3 * len(self.state.seats[seat].melds)

    def _foul(self, event: ev.Event) -> bool:
        """Whether what a tile shows would make an event foul."""
        _, faults, _ = played(self.state, event)
        return any(fault.certain and fault.kind in BY_FACE | {"extra_tile"} for fault in faults)

    def _unexplained_sets(self, scene: Scene) -> bool:
        """Something new lies in a meld corner that may have come before a discard; not what nothing has explained for long."""
        return any(self._new_set(scene, seat) for seat in range(self.state.players))

    def _new_set(self, scene: Scene, seat: int) -> bool:
        """Whether something new in a player's corner may be a set; not what nothing has explained for long."""
        new = [s for s in self._fresh(scene.at("open", seat)) if self._waited([s]) < STALE]
        return 1 < len(new) <= A_SET

    def _lifted(self, present: Container[int]) -> bool:
        """Whether the last discard lies no more where it was seen to be put down."""
        return self._last_discard is not None and self._last_discard not in present

    def _opening(self, scene: Scene, seat: int) -> bool:
        """Whether a player is laying his hand open."""
        new = self._new(scene.at("open", seat))
        return len(new) > A_SET and self._now - max(s.track.born for s in new) < OPENING

    def standing(self, scene: Scene, seat: int) -> Row:
        """A player's concealed tiles that are seen: backs of a concealed kong are none."""
        return scene.standing(seat, self.width, self.accounts.melds)

    def _doubt_face(
        self, spot: Spot, what: str, written: ev.Event, likely: Sequence[tuple[str, float]] | None = None
    ) -> None:
        likely = likely or [(n, p) for n, p in spot.probabilities.items() if n in t.NAMES]
        if likely[0][1] >= ASK:
            return
        names = tuple(n for n, p in likely if p >= LIKELY)
        answers = [None if k == 0 else (replace(written, n=0, tile=t.parse_one(n)),) for k, n in enumerate(names)]  # type: ignore[call-arg]
        self._ask(Question(f"{what} may be {' or '.join(names)}", names, self._now, written.n, (spot.track.id,), tuple(answers)))

    def _correct(self, number: int, events: tuple[ev.Event, ...], tracks: Sequence[int]) -> None:
        correction = ev.Correct(event=number, events=events, by="camera", t=round(self._now, 3))
        written = self._record(correction, tracks)
        self._doubt_ruling(written, tuple(tracks), self.state.turn)
