"""A table without pixels: a choreographed hand told to tracker and follower as an ideal reader would see it.

What is on top and not moving is seen, with the right face; what a hand moves is not. So this measures understanding alone.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from referee.rules import tiles as t
from referee.rules.ruleset import load
from referee.table import events as ev
from referee.table.ledger import Ledger
from vision.calibrate import CORNERS, Calibration, from_corners
from vision.detect import Sighting
from vision.infer import Follower, Question
from vision.render.film import moving_tile
from vision.render.layout import Layout
from vision.render.scene import Tile
from vision.render.script import Script, choreograph
from vision.track import Tracker
from vision.zones import Custom, scene_of, side_of

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


def states(script: Script, step: float) -> Iterator[tuple[float, dict[int, Tile], dict[int, Tile]]]:
    """Time, tiles at rest, tiles in motion, every ``step`` seconds."""
    rest = {tile.track: tile for tile in script.tiles}
    for k in range(int(script.length / step) + 1):
        now = k * step
        moving = {}
        for motion in script.motions:
            if motion.t1 <= now:
                rest[motion.track] = motion.end
            elif motion.t0 <= now:
                moving[motion.track] = moving_tile(motion, now)
        yield now, {track: tile for track, tile in rest.items() if track not in moving}, moving


def on_top(rest: dict[int, Tile], size: Any) -> list[Tile]:
    """The tiles that no other lies on."""
    ordered = sorted(rest.values(), key=lambda tile: -tile.z)
    seen: list[Tile] = []
    for tile in ordered:
        if all(math.hypot(tile.x - o.x, tile.y - o.y) > 0.5 * size.width for o in seen):
            seen.append(tile)
    return seen


@dataclass
class Followed:
    """What the follower made of a hand."""

    truth: list[dict[str, Any]]
    found: list[dict[str, Any]]
    questions: list[Question] = field(default_factory=list)
    deltas: tuple[float, ...] | None = None

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


def follow(events: list[dict[str, Any]], layout: Layout, seed: int, step: float = 0.25, pace: float = 1.0) -> Followed:
    """Choreograph a hand's log and follow it."""
    script = choreograph(events, layout, seed, pace, None)
    start = ev.read_event({k: v for k, v in events[0].items() if k not in ("t", "n")})
    assert isinstance(start, ev.Start)
    rules = load(start.rules or "", dict(start.options or {}))
    calibration = flat_calibration(layout)
    custom = Custom(rules.players, layout.river, frozenset(t.NAMES[k] for k in rules.bonus))
    written: list[ev.Event] = []

    def write(event: ev.Event, tracks: Any) -> ev.Event:
        written.append(ev.numbered(event, len(written) + 1))
        return written[-1]

    ledger = Ledger()
    follower = Follower(start, ledger, write, calibration.tile_width, rows=layout.river == "rows")
    tracker = Tracker(calibration)
    questions = []
    for now, rest, moving in states(script, step):
        spots = [(tile.x, tile.y) for tile in moving.values()]
        sightings = [seen_tile(tile, calibration, layout.size) for tile in on_top(rest, layout.size)]
        near = calibration.to_pixels(np.array(spots)) if spots else np.zeros((0, 2))

        def looked(x: float, y: float, near: np.ndarray = near) -> bool:
            return bool((np.hypot(near[:, 0] - x, near[:, 1] - y) > 45 * PER_MM).all()) if len(near) else True

        def quiet(seat: int, spots: list[tuple[float, float]] = spots) -> bool:
            return all(side_of(x, y, rules.players) != seat for x, y in spots)

        changes = tracker.look(sightings, now, looked)
        happened = [*follower.renamed(changes.renamed, now)]
        happened += follower.observe(scene_of(tracker.settled(), calibration, custom), now, quiet)
        questions += [h.question for h in happened if h.question]
    follower.finish(script.length)
    settlement = ledger.game.hands[-1].settlement
    found = [ev.write_event(event) for event in written]
    return Followed(events, found, questions, settlement.deltas if settlement else None)
