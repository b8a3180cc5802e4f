"""A table without pixels: a choreographed hand told to tracker and follower as an ideal reader would see it.

What is on top and not moving is seen, with the right face; what a hand moves is not. So this measures understanding alone.
"""

from __future__ import annotations

import difflib
import itertools
import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from referee.rules import tiles as t
from referee.rules.ruleset import load
from referee.table import events as ev
from referee.table.game import Game, replay
from referee.table.ledger import Ledger
from tests.vision.noise import SEEN_WITH, Noise
from vision.calibrate import CORNERS, Calibration, from_corners
from vision.classes import BACK, EDGE
from vision.detect import SURE, Sighting
from vision.infer import Follower, Question
from vision.memory import TIMES
from vision.render.customs import aside_in
from vision.render.film import moving_tile
from vision.render.layout import Layout
from vision.render.scene import Tile
from vision.render.script import Motion, Script, choreograph
from vision.track import Tracker
from vision.zones import scene_of, side_of

Hidden = Callable[[float, float, float], bool]
PER_MM = 1.5  # pixels of the imagined picture to a millimetre
HIGH = 1300.0  # mm from the table to the camera: what lies higher seems to lie further out


def flat_calibration(layout: Layout) -> Calibration:
    """A camera straight above at infinity."""
    half = layout.half
    size = round(2.4 * half * PER_MM)
    corners = [[(x * half + 1.2 * half) * PER_MM, (1.2 * half - y * half) * PER_MM] for x, y in CORNERS]
    return from_corners(corners, size, size, half)


def seen_tile(tile: Tile, calibration: Calibration, size: Any) -> Sighting:
    standing = 45 < tile.pitch < 135
    facing = "standing" if standing else "up" if tile.pitch < 90 else "down"
    name = {"standing": "edge", "down": "back"}.get(facing, tile.face)
    deep = size.depth if standing else size.height
    a = math.radians(tile.yaw)
    right, down = np.array([math.cos(a), math.sin(a)]), np.array([math.sin(a), -math.cos(a)])
    top = tile.z + (size.height if standing else size.depth) / 2
    middle = np.array([tile.x, tile.y]) * HIGH / (HIGH - top)
    corners = [middle + right * sx * size.width / 2 + down * sy * deep / 2 for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    quad = calibration.to_pixels(np.array(corners)).astype(np.float32)
    return Sighting(quad, {name: 0.99}, 0.0, 1.0, facing, 0.99)


class Showing:
    """The choreography as a reader sees it: what rests, what moves, and which places have changed and are due for a look."""

    def __init__(self, script: Script, size: Any, looks: int = 3) -> None:
        self.size, self.looks = size, looks
        self.rest = {tile.track: tile for tile in script.tiles}
        self._starts = deque(sorted(script.motions, key=lambda m: m.t0))
        self._ends = deque(sorted(script.motions, key=lambda m: m.t1))
        self.moving: dict[int, Motion] = {}
        self.due: list[list[float]] = [[tile.x, tile.y, looks] for tile in script.tiles]

    def all_due(self) -> None:
        """The whole table is to be looked at again."""
        self.due += [[tile.x, tile.y, self.looks] for tile in self.rest.values()]

    def go_to(self, now: float) -> None:
        while self._starts and self._starts[0].t0 <= now:
            motion = self._starts.popleft()
            self.moving[motion.track] = motion
            self.due.append([motion.start.x, motion.start.y, self.looks])
        while self._ends and self._ends[0].t1 <= now:
            motion = self._ends.popleft()
            self.rest[motion.track] = motion.end
            if self.moving.get(motion.track) is motion:
                del self.moving[motion.track]
            self.due.append([motion.end.x, motion.end.y, self.looks])

    def look(self, now: float, hidden: Callable[[float, float], bool]) -> tuple[list[Tile], np.ndarray, np.ndarray]:
        """The tiles on top at the places that are due and free, those places, and the middles of what moves."""
        moving = np.array([(t.x, t.y) for t in (moving_tile(m, now) for m in self.moving.values())]).reshape(-1, 2)
        free = [d for d in self.due if _far(d[0], d[1], moving, CLEAR_OF) and not hidden(d[0], d[1])]
        for place in free:
            place[2] -= 1
        self.due = [d for d in self.due if d[2] > 0]
        places = np.array([d[:2] for d in free]).reshape(-1, 2)
        lying = [tile for track, tile in self.rest.items() if track not in self.moving]
        if len(places):
            spots = np.array([(tile.x, tile.y) for tile in lying])
            near = np.hypot(spots[:, None, 0] - places[None, :, 0], spots[:, None, 1] - places[None, :, 1]).min(axis=1)
            lying = [tile for tile, d in zip(lying, near, strict=True) if d < 2 * ROUND]
        return on_top(lying, self.size) if len(places) else [], places, moving


ROUND = 55.0  # mm round a changed place that a look takes in
CLEAR_OF = 45.0  # mm from a moving tile within which nothing can be seen


def _far(x: float, y: float, spots: np.ndarray, least: float) -> bool:
    if len(spots) > 40:
        return bool((np.hypot(spots[:, 0] - x, spots[:, 1] - y) > least).all())
    square = least * least
    return all((a - x) ** 2 + (b - y) ** 2 > square for a, b in spots.tolist())


def on_top(rest: list[Tile], size: Any) -> list[Tile]:
    """The tiles that no other lies on."""
    ordered = sorted(rest, key=lambda tile: -tile.z)
    spots = np.array([(tile.x, tile.y) for tile in ordered]).reshape(-1, 2)
    least = 0.5 * size.width
    seen: list[int] = []
    for i, tile in enumerate(ordered):
        if _far(tile.x, tile.y, spots[seen], least):
            seen.append(i)
    return [ordered[i] for i in seen]


@dataclass
class Followed:
    """What the follower made of a hand."""

    truth: list[dict[str, Any]]
    found: list[dict[str, Any]]
    questions: list[Question] = field(default_factory=list)
    deltas: tuple[tuple[float, ...] | None, ...] = ()
    faults: list[tuple[int, str]] = field(default_factory=list)  # ruled for certain and without a question about it
    doubted: list[tuple[int, str]] = field(default_factory=list)  # with one
    countable: list[tuple[int, str]] = field(default_factory=list)  # hands long or short of which the player had a turn more
    truly: list[tuple[int, str]] = field(default_factory=list)  # of the log itself, told what a bystander can see
    settled: list[bool] = field(default_factory=list)  # of each hand that settles, whether it came to the same
    exact_hands: list[bool] = field(default_factory=list)
    delays: list[tuple[str, float]] = field(default_factory=list)  # events found right: type, seconds after the table shows it
    times: list[float] = field(default_factory=list)  # of the true public events: when the table shows them

    @property
    def right(self) -> int:
        """Public events found right and in order."""
        a, b = public(self.truth), public(self.found)
        return sum(block.size for block in difflib.SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks())

    @property
    def exact(self) -> bool:
        return public(self.truth) == public(self.found)


HIDDEN = ("start", "deal", "dice", "end", "stake", "ready", "count", "birds", "pass", "draw")
TOLD = ("type", "seat", "tile", "tiles", "claimed", "from", "source")


def public(events: list[dict[str, Any]]) -> list[tuple[tuple[str, str], ...]]:
    """The events a bystander could tell of, in a form to compare; draws are hidden and follow from the rest."""
    out = []
    for event in events:
        if event["type"] not in HIDDEN:
            shown = {k: v for k, v in event.items() if k in TOLD and v is not None}
            if "tiles" in shown:
                shown["tiles"] = t.write(sorted(t.parse(shown["tiles"])))
            out.append(tuple(sorted((k, str(v)) for k, v in shown.items())))
    return out


def as_seen(events: list[dict[str, Any]], closed_kong: tuple[bool, ...]) -> list[dict[str, Any]]:
    """A log as a bystander can know it: a concealed kong is what its tiles that lie face up tell, or nobody knows what."""

    def shown(event: dict[str, Any]) -> dict[str, Any]:
        if event["type"] != "concealed_kong" or not event.get("tiles"):
            return event
        up = [tile for tile, down in zip(t.parse(event["tiles"]), closed_kong, strict=False) if not down]
        if len(set(up)) == 1:
            return {**event, "tiles": t.write([up[0]] * 4)}
        return event if up else {**event, "tiles": None}

    return [shown(event) for event in events]


def laid_open(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A log without the tiles that only their players know: those dealt and drawn. Some hands cannot be settled by what
    is laid open alone, where the losers who keep theirs closed pay each other."""
    hidden = {"deal": {"hands"}, "draw": {"tile"}}
    return [{k: v for k, v in event.items() if k != "t" and k not in hidden.get(event["type"], ())} for event in events]


def by_hand(events: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """A log's events, hand by hand."""
    hands: list[list[dict[str, Any]]] = []
    for event in events:
        if event["type"] == "start":
            hands.append([])
        hands[-1].append(event)
    return hands


def follow(
    events: list[dict[str, Any]], layout: Layout, seed: int, step: float = 0.25, pace: float = 1.0, *,
    deck: list[str] | None = None, hidden: Hidden | None = None, dark: bool = False, named: bool = True,
    noise: Noise | None = None,
) -> Followed:  # fmt: skip
    """Choreograph a log, hand by hand, and follow it. ``hidden(now, x, y)``: what a hand or arm covers, or, ``dark``, something
    that rests; ``named``: the dealer is told."""
    table = Tabletop(events, layout, named, noise, seed)
    table.dark = dark
    begin, times = 0.0, []
    for number, hand in enumerate(by_hand(events)):
        dealer = table.dealers[number]
        aside = aside_in(table.rules, [ev.read_event(event) for event in hand])
        script = choreograph([hand[0] | {"dealer": dealer}, *hand[1:]], layout, seed + number, pace, deck, aside=aside)
        table.watch(script, begin, step, hidden)
        times += [begin + at for at in script.times]
        begin += script.length
    table.questions += [happening.question for happening in table.follower.finish(begin) if happening.question]
    hands = table.ledger.game.hands
    settlements = tuple(tuple(hand.settlement.deltas) if hand.settlement else None for hand in hands)
    found = [ev.write_event(told.event) for told in table.ledger.told]
    asked = {question.about for question in table.questions}
    certain = [fault for _, fault in table.ledger.game.faults if fault.certain]
    told = Followed(as_seen(events, layout.closed_kong), as_seen(found, layout.closed_kong), table.questions, settlements)
    told.faults = [(fault.seat, fault.kind) for fault in certain if not {fault.n, fault.about} & (asked - {None})]
    told.doubted = [(fault.seat, fault.kind) for fault in certain if {fault.n, fault.about} & (asked - {None})]
    visible, _ = replay(ev.read_event({k: v for k, v in event.items() if k != "t"}) for event in told.truth)
    told.truly = [(fault.seat, fault.kind) for _, fault in visible.faults if fault.certain]
    told.delays = _delays([{**e, "t": at} for e, at in zip(told.truth, times, strict=True)], told.found)
    told.times = [at for event, at in zip(told.truth, times, strict=True) if public([event])]
    told.countable = _countable(told.truth, visible)
    bystander, _ = replay(ev.read_event(event) for event in laid_open(told.truth))
    told.settled = [
        ours < len(hands) and hand.deltas == hands[ours].deltas
        for ours, (hand, open_) in enumerate(zip(table.true_game.hands, bystander.hands, strict=False))
        if hand.settlement and open_.settlement and hand.deltas == open_.deltas
    ]  # fmt: skip
    told.exact_hands = [
        public(a) == public(b) for a, b in itertools.zip_longest(by_hand(told.truth), by_hand(told.found), fillvalue=[])
    ]
    return told


def _delays(truth: list[dict[str, Any]], found: list[dict[str, Any]]) -> list[tuple[str, float]]:
    a, b = ([e for e in events if public([e])] for events in (truth, found))
    blocks = difflib.SequenceMatcher(None, public(a), public(b), autojunk=False).get_matching_blocks()
    pairs = [(a[block.a + k], b[block.b + k]) for block in blocks for k in range(block.size)]
    return [(true["type"], ours["t"] - true["t"]) for true, ours in pairs if "t" in ours]


def _countable(events: list[dict[str, Any]], game: Game) -> list[tuple[int, str]]:
    """Hands long or short that stood for at least one more turn of their player, so that a bystander could count them."""
    hands = by_hand(events)
    found = []
    for number, fault in game.faults:
        later = (e for e in hands[number] if e["type"] == "discard" and e["n"] > fault.n and e["seat"] == fault.seat)
        if fault.certain and fault.kind in ("long_hand", "short_hand") and next(later, None):
            found.append((fault.seat, fault.kind))
    return found


class Tabletop:
    """A follower at a table without pixels."""

    def __init__(
        self, events: list[dict[str, Any]], layout: Layout, named: bool, noise: Noise | None = None, seed: int = 0
    ) -> None:
        self.true_game, _ = replay(ev.read_event({k: v for k, v in event.items() if k != "t"}) for event in events)
        self.dealers = [hand.state.dealer for hand in self.true_game.hands]
        self.noise, self.seed, self.looks = noise, seed, 0
        self.read: dict[tuple[int, int, int, float], tuple[int, float]] = {}
        first = {k: v for k, v in events[0].items() if k not in ("t", "n", "dealer")}
        start = ev.read_event(first | ({"dealer": self.dealers[0]} if named else {}))
        assert isinstance(start, ev.Start)
        self.rules = load(start.rules or "", dict(start.options or {}))
        self.layout, self.calibration = layout, flat_calibration(layout)
        self.ledger, self.tracker = Ledger(), Tracker(self.calibration)
        self.written = 0
        self.follower = Follower(start, self.ledger, self._write, self.calibration.tile_width, rows=layout.river == "rows")
        self.questions: list[Question] = []
        self.dark = False  # does what covers the table rest, so that it is looked at?

    def _write(self, event: ev.Event, tracks: Any) -> ev.Event:
        self.written += 1
        return ev.numbered(event, self.written)

    def watch(self, script: Script, begin: float, step: float, hidden: Hidden | None) -> None:
        """Look at a hand being played."""
        showing = Showing(script, self.layout.size)
        self.tracker.tracks.clear()
        idle, dark = 0, False
        for k in range(int(script.length / step) + 1):
            now = k * step
            showing.go_to(now)
            covered = (lambda x, y, now=now: hidden(now, x, y)) if hidden else (lambda x, y: False)
            dark, was_dark = self.dark and covered(0.0, 0.0), dark
            if was_dark and not dark:
                showing.all_due()
            tiles, places, moving = showing.look(now, covered)
            self.follower.stirred(begin + now, lambda seat, moving=moving: self._quiet(seat, moving))
            idle += 1
            if not len(places) and idle < 4:
                continue
            idle = 0
            self._look([tile for tile in tiles if not covered(tile.x, tile.y)], places, moving, begin + now, covered)

    def _look(
        self, tiles: list[Tile], places: np.ndarray, moving: np.ndarray, now: float, covered: Callable[[float, float], bool]
    ) -> None:
        self.looks += 1
        sightings = [seen_tile(tile, self.calibration, self.layout.size) for tile in tiles]
        if self.noise is not None:
            sightings = self._mistaken(self.noise, tiles, sightings, places)

        def looked(x: float, y: float) -> bool:
            a, b = x / PER_MM - 1.2 * self.layout.half, 1.2 * self.layout.half - y / PER_MM
            if covered(a, b):
                return self.dark
            return not _far(a, b, places, ROUND) and _far(a, b, moving, CLEAR_OF)

        changes = self.tracker.look(sightings, now, looked)
        happened = [*self.follower.renamed(changes.renamed, now)]
        self.follower.glimpsed(changes.fleeting, now)
        scene = scene_of(self.tracker.settled(), self.calibration, self.follower.custom(self.rules.players))
        happened += self.follower.observe(scene, now, lambda seat: self._quiet(seat, moving))
        self.questions += [h.question for h in happened if h.question]

    def _mistaken(self, noise: Noise, tiles: list[Tile], sightings: list[Sighting], places: np.ndarray) -> list[Sighting]:
        """What a real reader makes of the tiles; what it has read twice, or surely, it does not read again."""
        pixels = self.layout.size.width * PER_MM
        out: list[Sighting] = []
        for tile, sighting in zip(tiles, sightings, strict=True):
            at = tile.track, round(tile.x), round(tile.y), tile.pitch
            times, surest = self.read.get(at, (0, 0.0))
            seen = noise.sees(tile, sighting, self.seed, self.looks, pixels)
            out += [replace(one, known=True) for one in seen] if times >= TIMES or surest >= SURE else seen
            self.read[at] = times + bool(seen), max([surest, *(one.confidence for one in seen[:1])])
        for x, y, sure, size in noise.imagined(self.seed, self.looks, self.layout.half, places):
            half = self.layout.size.width * size / 2
            corners = np.array([[x - half, y + half], [x + half, y + half], [x + half, y - half], [x - half, y - half]])
            quad = self.calibration.to_pixels(corners).astype(np.float32)
            out.append(Sighting(quad, {BACK: sure, EDGE: 0.5 * (1 - sure)}, 0.0, 1.0, "down", sure))
        return [*out, *self._dice(noise, places)]

    def _dice(self, noise: Noise, places: np.ndarray) -> list[Sighting]:
        """Dice in the middle, read as tiles half as large."""
        out = []
        for x, y, face in ((-16.0, 5.0, "5p"), (15.0, -18.0, "3p")):
            if noise.table.dice and not _far(x, y, places, SEEN_WITH):
                corners = np.array([[x - 8, y + 8], [x + 8, y + 8], [x + 8, y - 8], [x - 8, y - 8]])
                quad = self.calibration.to_pixels(corners).astype(np.float32)
                out.append(Sighting(quad, {face: noise.table.dice}, 0.0, 1.0, "up", noise.table.dice))
        return out

    def _quiet(self, seat: int, moving: np.ndarray) -> bool:
        return all(side_of(x, y, self.rules.players) != seat for x, y in moving)
