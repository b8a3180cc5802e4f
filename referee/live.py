"""The conductor: a camera (and an automatic table's line) in, events, rulings and questions out.

``Watch.shot`` takes one picture after the other, live or recorded alike, and returns what is to be told. Everything that
happens is in the event log on disk before it is told.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from hardware import observe as line
from referee.evidence import Evidence, Picture
from referee.rules.ritual import Place, Ritual, indicator_thrower, second_thrower
from referee.rules.ruleset import Ruleset, load
from referee.table import events as ev
from referee.table.ledger import Ledger
from referee.table.log import Appender
from referee.table.walls import recounted
from vision.calibrate import Calibration, drift
from vision.camera import Shot
from vision.detect import Detector
from vision.infer import Follower, Happening, Question
from vision.memory import Memory
from vision.motion import Motion, Stillness
from vision.track import Tracker
from vision.zones import HEIGHT, Custom, Scene, scene_of

LOOK = 0.12  # least seconds between two looks of the tile reader
WHOLE = 8.0  # seconds between looks at the whole table
AGAIN = 0.5  # seconds after which the table is thought about again though nothing was read anew
ONCE_MORE = 3  # looks that are asked for at a place where another look would settle what lies there
QUIET = 0.35  # seconds without motion after which a player is taken to have finished what he does
EDGE = 0.7  # of a tile: nearer to the edge of what was looked at nothing is believed
DRIFT = 5.0  # seconds between checks whether the camera was bumped


@dataclass(frozen=True)
class Notice:
    """Something people should know that is no event of the game: source lost, camera bumped, line and camera differ."""

    kind: str
    text: str
    t: float


Report = Happening | Notice


@dataclass(frozen=True)
class Settings:
    """What the referee is told before it starts. ``rows``: discards lie in rows before each player, or all in the centre;
    None: as the rule set's custom has it."""

    rules_id: str
    options: dict[str, object] = field(default_factory=dict)
    dealer: int | None = None
    names: tuple[str, ...] = ()
    rows: bool | None = None


class Watch:
    """One table under one camera."""

    def __init__(
        self, settings: Settings, calibration: Calibration, detector: Detector, log: Path, evidence: Evidence | None = None
    ) -> None:
        self.settings, self.detector, self.evidence = settings, detector, evidence
        self.rules: Ruleset = load(settings.rules_id, settings.options)
        custom = (self.rules.ritual or Ritual()).customs.discards == "rows"
        rows = custom if settings.rows is None else settings.rows
        self.custom = Custom(self.rules.players, "rows" if rows else "centre")
        self.calibration = calibration
        self.motion, self.tracker, self.memory = Motion(), Tracker(calibration), Memory()
        self.appender = Appender(log)
        self.ledger = Ledger()
        self.ledger.add(self.appender.reader.entries)
        self.questions: list[Question] = []
        self._answered: set[int] = set()
        self.line = _Line()
        self._edges: list[Picture] | None = None
        self._picture: Picture | None = None
        self._t = 0.0
        self._looked_at = -math.inf
        self._looked_again: dict[int, int] = {}  # looks that were asked for beyond what moved, by track
        self._whole_at = -math.inf
        self._understood_at = -math.inf
        self._drift_at = 0.0
        self._lost = False
        self._shaken = False
        self._scene = Scene()
        names = settings.names or None
        start = ev.Start(rules=settings.rules_id, options=dict(settings.options), dealer=settings.dealer, names=names)
        self.follower = Follower(start, self.ledger, self._write, calibration.tile_width, rows=rows)

    # --- writing -----------------------------------------------------------------------------------------------------

    def _write(self, event: ev.Event, tracks: Sequence[int]) -> ev.Event:
        """Keep the evidence, then put the event on the disk."""
        if self.evidence is not None and self._picture is not None and tracks:
            quads = [self.tracker.tracks[i].quad for i in tracks if i in self.tracker.tracks]
            number = len(self.ledger.told) + 1
            names = self.evidence.keep(f"{number:05d}-{event.type}", self._picture, self._t, quads)
            event = replace(event, evidence=names)
        return self.appender.append(event)

    # --- one picture ---------------------------------------------------------------------------------------------------

    def shot(self, shot: Shot) -> list[Report]:
        """Take the next picture."""
        self._t = shot.t
        if shot.picture is None:
            return self._source_lost(shot)
        reports: list[Report] = []
        if self._lost:
            self._lost = False
            reports.append(Notice("source", "the picture is back", shot.t))
        self._picture = shot.picture
        height, width = shot.picture.shape[:2]
        if (width, height) != (self.calibration.width, self.calibration.height):
            self._use(self.calibration.scaled(width, height))
        stillness = self.motion.update(shot.picture, shot.t)
        if self.evidence is not None:
            self.evidence.remember(shot.picture, shot.t)
        reports += self._shaking(stillness)
        if stillness.everywhere:
            return reports
        self.follower.stirred(shot.t, self._quiet)
        if shot.t - self._drift_at >= DRIFT:
            reports += self._check_drift()
        regions = self._regions(stillness)
        if regions:
            reports += self._look(regions)
        elif shot.t - self._understood_at >= (0.0 if self.follower.waiting else AGAIN):
            reports += self._understand()
        return reports

    def _source_lost(self, shot: Shot) -> list[Report]:
        if self._lost:
            return []
        self._lost = True
        return [Notice("source", "no picture comes: the camera or stream is away", shot.t)]

    def _shaking(self, stillness: Stillness) -> list[Report]:
        """The whole picture changed at once: the light, or the camera."""
        if stillness.everywhere and not self._shaken:
            self._shaken = True
            self._drift_at = -math.inf
            text = "the whole picture changed, by light or camera: nothing is decided until it is still"
            return [Notice("picture", text, self._t)]
        if not stillness.everywhere and stillness.moving_share < 0.05:
            self._shaken = False
        return []

    def _check_drift(self) -> list[Report]:
        self._drift_at = self._t
        assert self._picture is not None
        found = drift(self.calibration, self._picture)
        if found is None or not found.bumped:
            return []
        if found.recovered is None:
            text = f"the camera was moved by {found.tiles:.1f} tile widths: calibrate again"
            return [Notice("camera", text, self._t)]
        self._use(found.recovered)
        return [Notice("camera", f"the camera was moved by {found.tiles:.1f} tile widths; found again by its markers", self._t)]

    def _use(self, calibration: Calibration) -> None:
        self.calibration = calibration
        self.tracker.calibration = calibration
        self.memory.clear()
        self._edges = None

    def _regions(self, stillness: Stillness) -> list[tuple[int, int, int, int]]:
        """Where to look now, if anywhere."""
        if self._t - self._looked_at < LOOK:
            return []
        assert self._picture is not None
        height, width = self._picture.shape[:2]
        if self._t - self._whole_at >= WHOLE and stillness.moving_share < 0.02:
            self._whole_at = self._t
            return [self._table_box(width, height)]
        left, top, w, h = self._table_box(width, height)
        due = stillness.due.copy()
        cell = self.motion.cell
        for x, y in self._in_doubt():
            due[int(y) // cell, int(x) // cell] = True
        due[: top // cell] = due[-(-(top + h) // cell) :] = False
        due[:, : left // cell] = due[:, -(-(left + w) // cell) :] = False
        if not due.any():
            return []
        return self.motion.regions(due, margin=round(1.6 * self.calibration.tile_pixels()))

    def _in_doubt(self) -> list[tuple[float, float]]:
        """Pixels where another look, taken at once, settles what lies there: faces that were seen or missed but once, and what
        the follower would see again. Nothing moves there, so nothing else would bring that look before the next at all of
        the table."""
        tracks = self.tracker.tracks
        once = {i for i, track in tracks.items() if track.facing == "up" and (track.missed or not track.settled)}
        doubtful = once | (self.follower.wanted & tracks.keys())
        self._looked_again = {i: self._looked_again.get(i, 0) for i in doubtful}
        asked = [i for i in sorted(doubtful) if self._looked_again[i] < ONCE_MORE]
        if not asked:
            return []
        assert self._picture is not None
        (height, width), reach = self._picture.shape[:2], 0.5 * self.calibration.tile_pixels()
        pixels = self.calibration.to_pixels(np.array([[tracks[i].x, tracks[i].y] for i in asked]))
        places = []
        for i, (x, y) in zip(asked, pixels.tolist(), strict=True):
            if 0 <= x < width and 0 <= y < height and self.motion.is_still(x, y, reach):
                self._looked_again[i] += 1
                places.append((x, y))
        return places

    def _table_box(self, width: int, height: int) -> tuple[int, int, int, int]:
        corners = self.calibration.corner_pixels()
        margin = self.calibration.tile_pixels()
        left, top = (max(0, int(v - margin)) for v in corners.min(0))
        right, bottom = min(width, int(corners[:, 0].max() + margin)), min(height, int(corners[:, 1].max() + margin))
        return left, top, max(1, right - left), max(1, bottom - top)

    def _look(self, regions: list[tuple[int, int, int, int]]) -> list[Report]:
        assert self._picture is not None
        self._looked_at = self._t
        height, width = self._picture.shape[:2]
        pixels = self.calibration.tile_pixels()
        sightings = self.detector.read(self._picture, regions, tile_width=pixels, memory=self.memory)
        self.motion.looked(regions)

        def looked(x: float, y: float) -> bool:
            inside = any(
                (rx == 0 or x - rx > EDGE * pixels) and (ry == 0 or y - ry > EDGE * pixels)
                and (rx + w >= width or rx + w - x > EDGE * pixels) and (ry + h >= height or ry + h - y > EDGE * pixels)
                and rx <= x <= rx + w and ry <= y <= ry + h
                for rx, ry, w, h in regions
            )  # fmt: skip
            return inside and self.motion.is_still(x, y, 0.5 * pixels)

        changes = self.tracker.look(sightings, self._t, looked)
        reports: list[Report] = list(self.follower.renamed(changes.renamed, self._t))
        self.follower.glimpsed(changes.fleeting, self._t)
        return reports + self._understand()

    def _understand(self) -> list[Report]:
        """What the table as it lies means."""
        self._understood_at = self._t
        custom = self.follower.custom(self.rules.players)
        self._scene = scene_of(self.tracker.settled(), self.calibration, custom)
        happened = self.follower.observe(self._scene, self._t, self._quiet)
        self.questions += [h.question for h in happened if h.question]
        return [*happened, *self.line.put_down(self)]

    def _quiet(self, seat: int) -> bool:
        """Nothing moves along a seat's edge."""
        if self._edges is None:
            self._edges = [self._edge(number) for number in range(self.rules.players)]
        reach = self.calibration.tile_pixels()
        return all(self.motion.is_still(float(x), float(y), reach, QUIET) for x, y in self._edges[seat])

    def _edge(self, seat: int) -> Picture:
        """Pixels along a seat's edge."""
        half, depth = self.calibration.half, 2.0 * HEIGHT * self.calibration.tile_width
        points = [(x, -half + depth * y) for x in (-0.8 * half, -0.4 * half, 0.0, 0.4 * half, 0.8 * half) for y in (0.3, 0.9)]
        a = math.radians(90.0 * seat)
        turned = [(x * math.cos(a) - y * math.sin(a), x * math.sin(a) + y * math.cos(a)) for x, y in points]
        pixels: Picture = self.calibration.to_pixels(np.array(turned))
        return pixels

    # --- people and the line -------------------------------------------------------------------------------------------

    def enter(self, event: ev.Event) -> list[Report]:
        """An event a person puts in."""
        return list(self.follower.enter(replace(event, by="person"), self._t))

    def correct(self, number: int, events: Sequence[ev.Event]) -> list[Report]:
        """A person replaces an event of the log by others (none: strikes it out)."""
        return self.enter(ev.Correct(event=number, events=tuple(events)))

    def pin(self, x: float, y: float, tile: str) -> bool:
        """A person says what the tile at a pixel is; False where no tile is known there."""
        from vision.track import INDEX, MOST

        ((tx, ty),) = self.calibration.to_table(np.array([[x, y]]))
        near = min(self.tracker.tracks.values(), key=lambda k: math.hypot(k.x - tx, k.y - ty), default=None)
        if near is None or math.hypot(near.x - tx, near.y - ty) > self.calibration.tile_width or tile not in INDEX:
            return False
        near.scores[:] = -10 * MOST
        near.scores[INDEX[tile]] = 0.0
        self.follower.renamed([near], self._t)
        return True

    def recount(self) -> None:
        """Take the table as it lies: what could not be explained is let be, and the whole table is looked at anew."""
        self.follower.recount(self._scene)
        self._whole_at = -math.inf

    def answer(self, number: int, choice: int) -> list[Report]:
        """A person's answer to question ``number`` (from 0): its ``choice`` (from 1). Raises ValueError where there is no
        such question or choice."""
        if not 0 <= number < len(self.questions):
            raise ValueError(f"there is no question {number}")
        question = self.questions[number]
        if not 1 <= choice <= len(question.choices):
            raise ValueError(f"question {number} has answers 1 to {len(question.choices)}")
        self._answered.add(number)
        if question.choices[choice - 1] == "recount":
            self.recount()
        events = question.answers[choice - 1] if choice <= len(question.answers) else None
        if events is None:
            return []
        if question.about is not None:
            return self.correct(question.about, [replace(event, n=0, by="person") for event in events])
        return [report for event in events for report in self.enter(event)]

    @property
    def asked(self) -> frozenset[int]:
        """The events of the log that questions nobody has answered are about."""
        waiting = (question.about for k, question in enumerate(self.questions) if k not in self._answered)
        return frozenset(number for number in waiting if number is not None)

    def table(self, observation: line.Observation) -> list[Report]:
        """Take what the automatic table says."""
        return self.line.take(observation, self)

    def finish(self) -> list[Report]:
        """The source has ended: close a hand that was won."""
        happened = self.follower.finish(self._t)
        self.questions += [h.question for h in happened if h.question]
        return [*happened, *self.line.put_down(self)]

    def close(self) -> None:
        self.appender.close()


class _Line:
    """What the table's line says, put beside what the camera says."""

    def __init__(self) -> None:
        self.left: int | None = None
        self.broken: Place | None = None  # where the wall of this hand was opened
        self.came: tuple[int, int] | None = None  # the hand and how many tiles were handed in, while it has not ended

    def take(self, observation: line.Observation, watch: Watch) -> list[Report]:
        match observation:
            case line.DiceThrown():
                return self._dice(observation, watch)
            case line.TilesDrawn():
                return self._drawn(observation, watch)
            case line.StateChanged(state="shuffling" | "raised"):
                self.broken = None
            case line.WallOpened(wall=wall, stacks=stacks):
                self.broken = Place(wall, stacks)
                watch.follower.opened = wall, stacks
            case line.TileTurned(wall=wall, from_right=stack):
                counted = recounted(watch.rules.ritual or Ritual(), Place(wall, stack), self.broken)
                return list(watch.follower.turned_up(wall, counted, watch._t))
            case line.TilesHandedIn(count=count):
                return self._handed_in(count, watch)
            case line.ButtonPressed(word=word, seat=seat):
                who = "the centre" if seat is None else f"seat {seat}"
                return [Notice("button", f"{who} pressed {word}", watch._t), *self._declared(word, seat, watch)]
            case line.Doubt() | line.TableTrouble() | line.LineChanged():
                return [Notice("line", observation.text, watch._t)]
        return []

    def _dice(self, thrown: line.DiceThrown, watch: Watch) -> list[Report]:
        """A throw for the wall, or once that is opened for the indicator; where the table cannot tell whose, it is whoever
        has to throw."""
        state = watch.follower.state
        ritual, dealer, players = state.ritual, state.dealer, state.players
        walls = [d.values for d in state.throws if d.purpose == "wall"]
        opened = state.phase == "dealt" or (state.phase == "deal" and self.broken is not None)
        own = ritual.indicator is not None and ritual.indicator.thrower is not None and state.indicator is None
        right: int | None = None
        if state.phase == "deal" and not opened:
            purpose = "wall"
            right = second_thrower(ritual, dealer, walls[0], players) if len(walls) == 1 else None
        elif opened and own:
            purpose = "indicator"
            right = indicator_thrower(ritual, dealer, walls, players)
        else:
            return []
        seat = thrown.seat if thrown.seat is not None else dealer if right is None else right
        event = ev.Dice(seat=seat, values=thrown.values, purpose=purpose, by="table")
        return list(watch.follower.enter(event, watch._t))

    def _declared(self, word: str, seat: int | None, watch: Watch) -> list[Report]:
        """A declaration that says everything by itself: ready, or the last tile refused. Of the others the tiles are missing."""
        state = watch.follower.state
        if seat is None or state.phase not in ("dealt", "play"):
            return []
        kinds, player = state.ritual.ready, state.seats[seat]
        event: ev.Event | None = None
        if word == "ready" and kinds and not player.ready:
            event = ev.Ready(seat=seat, kind="open" if "open" in kinds else "ready" if player.discards else "first", by="table")
        elif word == "pass" and state.ritual.dead_wall.refusal and seat == state.turn and not player.extra:
            last = state.left <= state.reserve + 1
            event = ev.Pass(seat=seat, by="table") if last else None
        return [] if event is None else list(watch.follower.enter(event, watch._t))

    def _handed_in(self, count: int, watch: Watch) -> list[Report]:
        """The tiles of a hand went back; the camera may still be looking at how it ended."""
        begun = watch.follower.state.phase == "deal" and len(watch.ledger.game.hands) > 1
        self.came = len(watch.ledger.game.hands) - 1 - begun, count
        return self.put_down(watch)

    def put_down(self, watch: Watch) -> list[Report]:
        """Put a set that came back incomplete down in the end of its hand, once that is written."""
        if self.came is None:
            return []
        number, count = self.came
        hand = watch.ledger.game.hands[number]
        if not hand.complete:
            return []
        self.came = None
        ends = [told.event for told in watch.ledger.told if told.hand == number and isinstance(told.event, ev.End)]
        if count == hand.state.total or not ends:
            return []
        ended = ev.End(why=ends[-1].why, handed_in=count, by="table")
        return list(watch.follower.enter(ev.Correct(event=ends[-1].n, events=(ended,), by="table"), watch._t))

    def _drawn(self, drawn: line.TilesDrawn, watch: Watch) -> list[Report]:
        """A draw the table felt: recorded for whoever's turn it is, unless the camera has already told of it."""
        self.left = drawn.left
        state = watch.follower.state
        if state.phase not in ("dealt", "play") or drawn.count != 1:
            return []
        seat = state.turn if drawn.seat is None else drawn.seat
        player = state.seats[seat]
        if player.extra and not player.owed:
            counted = state.left + state.turned  # the line counts a turned indicator among those that stand
            if drawn.left is not None and counted != drawn.left:
                text = f"the wall holds {drawn.left} tiles, by the camera's account {counted}"
                return [Notice("disagree", text, watch._t)]
            return []
        event = ev.Draw(seat=seat, tile=None, end=drawn.end, by="table")
        return list(watch.follower.enter(event, watch._t))
