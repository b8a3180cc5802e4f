"""The picture of one table from frame to frame: only what changes is drawn anew.

    stage = Stage(renderer, scene)      # the table without tiles
    stage.lay(tiles, props)             # whenever what lies still is no longer the same
    picture = stage.take(movers, seed)  # a frame: that, what moves over it, and what the sensor makes of both

A frame is what `Renderer` draws as a whole, but for a grey level or two where soft shadows run out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import cv2
import numpy as np

from vision.render.draw import (
    Box,
    Mover,
    Numbers,
    Rect,
    Renderer,
    Shadow,
    Truth,
    background_of,
    boxes_of,
    clipped,
    coarse,
    darkened,
    draw_prop,
    draw_tile,
    expose,
    in_order,
    noisy,
    prop_corners,
    shade_of,
    shadow_of,
)  # fmt: skip
from vision.render.scene import Prop, Scene, Tile

_STEP = 8  # parts drawn anew begin and end on multiples of it: numbers are kept at half the size, shadows at a quarter
_REACH = 8  # pixels beyond a change that the sensor's blur and sharpening reach
_RIM = 4  # pixels beyond a thing's corners that its smooth rim may reach
_SHADED = 1  # of 255: shade that differs by no more is left as it was drawn


class Stage:
    """What a fixed camera sees of one table. `scene` has no tiles and no hands; its `props` stay where they are."""

    def __init__(self, renderer: Renderer, scene: Scene) -> None:
        self.renderer, self.scene = renderer, scene
        self.size = (scene.camera.width, scene.camera.height)
        self._background = background_of(scene)
        self._boxes: dict[int, Box] = {}  # by track, of the tiles that lie still and are in the picture
        self._tiles: dict[int, Tile] = {}
        self._props: tuple[Prop, ...] = ()
        self._shadows: dict[Tile | Prop, Shadow] = {}
        self._numbers: dict[int, int] = {}
        self._shade: np.ndarray | None = None  # as it was drawn
        w, h = self.size
        self._still, self._still_ids = np.zeros((h, w, 3), np.uint8), np.zeros(((h + 1) // 2, (w + 1) // 2), np.uint16)
        self._work, self._work_ids = self._still.copy(), self._still_ids.copy()
        self._shown, self._ids = self._still.copy(), self._still_ids.copy()
        self._moved: list[Box] = []
        self._seen = self._still.copy()  # what the sensor makes of it, without noise
        self._stale: list[Rect] = []  # parts in which what is shown is no longer what lies still

    def lay(self, tiles: Iterable[Tile], props: tuple[Prop, ...]) -> None:
        """What lies still from now on; `props` besides those of the scene."""
        now = {tile.track: tile for tile in tiles}
        before, self._tiles = self._tiles, now
        gone = [track for track, tile in before.items() if now.get(track) != tile]
        changed = [self._boxes.pop(track) for track in gone if track in self._boxes]
        come = boxes_of(replace(self.scene, tiles=tuple(t for track, t in now.items() if before.get(track) != t)))
        for box in come:
            self._boxes[box.tile.track] = box
            self._numbers.setdefault(box.tile.track, len(self._numbers))
        parts = [_bounds(box.image) for box in (*changed, *come)]
        parts += [self._prop_bounds(prop) for prop in set(self._props) ^ set(props)]
        self._props = props
        self._draw(self._changed(parts))

    def take(self, movers: Sequence[Mover], seed: int) -> np.ndarray:
        """The next frame, (h, w, 3) uint8 BGR: what lies still with moving things over it; deterministic for `seed`."""
        anew = self._stale
        for part in anew:
            _copy(self._still, self._shown, part)
            _copy(self._still_ids, self._ids, _half(part))
        self._moved, self._stale = [], []
        if movers:
            self._moved, self._stale = self.renderer.overlay(self._shown, self._ids, self.scene, movers, self._number)
        return self._exposed([*anew, *self._stale], seed)

    def truths(self) -> list[Truth]:
        """What the last frame shows of every tile."""
        boxes: list[Box | None] = [None] * len(self._numbers)
        for box in (*self._boxes.values(), *self._moved):
            boxes[self._number(box.tile.track)] = box
        return self.renderer.truths(boxes, self._ids)

    def _number(self, track: int) -> int:
        return self._numbers.setdefault(track, len(self._numbers))

    # --- what lies still ---------------------------------------------------------------------------------------------

    def _changed(self, parts: list[Rect]) -> list[Rect]:
        """Which parts of the picture to draw anew where things were put or taken away, and their shadows with them."""
        k = coarse(self.scene.camera)
        shade = shade_of(self.scene, self._all_shadows())
        if self._shade is None:
            self._shade = shade
            return [(0, 0, *self.size)]
        differs = (cv2.absdiff(shade, self._shade) > _SHADED).astype(np.uint8)
        for x0, y0, x1, y1 in parts:
            differs[max(0, y0 // k) : y1 // k + 1, max(0, x0 // k) : x1 // k + 1] = 1
        # A shade between two small pixels is a mean of both.
        joined = cv2.dilate(differs, np.ones((5, 5), np.uint8))
        count, _, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
        rects = [(x * k, y * k, (x + w) * k, (y + h) * k) for x, y, w, h, _ in stats[1:count].tolist()]
        found = [rect for rect in (clipped(_aligned(rect), self.size) for rect in rects) if rect is not None]
        for x0, y0, x1, y1 in found:
            at = np.s_[y0 // k : -(-y1 // k) + 1, x0 // k : -(-x1 // k) + 1]
            self._shade[at] = shade[at]
        return found

    def _all_shadows(self) -> list[Shadow]:
        props = [prop for prop in (*self.scene.props, *self._props) if prop.kind != "card"]
        things: list[Tile | Prop] = [*(box.tile for box in self._boxes.values()), *props]
        kept = {thing: self._shadows.get(thing) for thing in things}
        self._shadows = {thing: found or self._shadow(thing) for thing, found in kept.items()}
        return list(self._shadows.values())

    def _shadow(self, thing: Tile | Prop) -> Shadow:
        if isinstance(thing, Prop):
            return shadow_of(prop_corners(thing), self.scene, False)
        return shadow_of(self._boxes[thing.track].corners, self.scene, True)

    def _draw(self, parts: list[Rect]) -> None:
        """Draws parts of what lies still anew: everything that reaches into them, on a sheet of its own."""
        assert self._shade is not None
        ordered = in_order(self.scene, [self._boxes[track] for track in sorted(self._boxes)])
        bounds = [_bounds(box.image) for box in ordered]
        faces = self.renderer.faces(self.scene.style, self.scene.size)
        for part in parts:
            x0, y0, x1, y1 = part
            self._work[y0:y1, x0:x1] = darkened(self._background, self._shade, coarse(self.scene.camera), part)
            self._work_ids[y0 // 2 : (y1 + 1) // 2, x0 // 2 : (x1 + 1) // 2] = 0
            ids = Numbers(self._work_ids)
            for prop in (*self.scene.props, *self._props):
                if _meet(self._prop_bounds(prop), part):
                    draw_prop(self._work, ids, prop, self.scene)
            for box, reach in zip(ordered, bounds, strict=True):
                if _meet(reach, part):
                    draw_tile(self._work, ids, box, self._number(box.tile.track), self.scene, faces)
            _copy(self._work, self._still, part)
            _copy(self._work_ids, self._still_ids, (x0 // 2, y0 // 2, (x1 + 1) // 2, (y1 + 1) // 2))
        self._stale += parts

    def _prop_bounds(self, prop: Prop) -> Rect:
        corners = prop_corners(prop)
        middle = corners.mean(0)
        # A marker's paper is wider than the marker.
        return _bounds(self.scene.camera.project(middle + (corners - middle) * (1.4, 1.4, 1.0)))

    # --- the sensor ----------------------------------------------------------------------------------------------------

    def _exposed(self, changed: list[Rect], seed: int) -> np.ndarray:
        sensor = self.scene.sensor
        if sensor.jpeg or sensor.smear > 0 or sensor.vignette > 0:
            return expose(self._shown, sensor, seed)  # what depends on the place in the picture, or spreads over it
        for x0, y0, x1, y1 in _joined([_grown(rect, _REACH, self.size) for rect in changed]):
            left, top, right, bottom = _grown((x0, y0, x1, y1), _REACH, self.size)
            part = expose(self._shown[top:bottom, left:right], replace(sensor, noise=0.0), seed)
            self._seen[y0:y1, x0:x1] = part[y0 - top : y1 - top, x0 - left : x1 - left]
        return noisy(self._seen, sensor.noise, seed)


def _bounds(points: np.ndarray) -> Rect:
    """The rectangle round points (n, 2) with the rim of what is drawn there; an empty one round points not in the picture."""
    if not np.isfinite(points).all():
        return 0, 0, 0, 0
    (x0, y0), (x1, y1) = points.min(0), points.max(0)
    return int(x0) - _RIM, int(y0) - _RIM, int(x1) + _RIM + 1, int(y1) + _RIM + 1


def _aligned(rect: Rect) -> Rect:
    x0, y0, x1, y1 = rect
    return x0 // _STEP * _STEP, y0 // _STEP * _STEP, -(-x1 // _STEP) * _STEP, -(-y1 // _STEP) * _STEP


def _half(rect: Rect) -> Rect:
    """The same part of a buffer of half the size, and a pixel more."""
    return max(0, rect[0] // 2 - 1), max(0, rect[1] // 2 - 1), rect[2] // 2 + 2, rect[3] // 2 + 2


def _grown(rect: Rect, by: int, size: tuple[int, int]) -> Rect:
    return max(0, rect[0] - by), max(0, rect[1] - by), min(size[0], rect[2] + by), min(size[1], rect[3] + by)


def _meet(a: Rect, b: Rect) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _joined(rects: list[Rect]) -> list[Rect]:
    """Rectangles, those that meet made one."""
    out: list[Rect] = []
    for rect in rects:
        while meeting := next((other for other in out if _meet(rect, other)), None):
            out.remove(meeting)
            rect = min(rect[0], meeting[0]), min(rect[1], meeting[1]), max(rect[2], meeting[2]), max(rect[3], meeting[3])
        out.append(rect)
    return out


def _copy(source: np.ndarray, target: np.ndarray, rect: Rect) -> None:
    x0, y0, x1, y1 = rect
    target[y0:y1, x0:x1] = source[y0:y1, x0:x1]
