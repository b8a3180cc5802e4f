"""Filmed play for the live referee, and what may befall it: pictures as a camera takes them, not their truth.

A film begins as the hands stand. Its pictures are read back from the compressed file, as a recording's would be.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision import calibrate
from vision.camera import Film, Shot
from vision.render import film as render
from vision.render.film import Look
from vision.render.layout import Layout
from vision.render.script import Key, Point, Reach, Script, choreograph

FPS = 15.0
HOME = 330.0  # mm beyond the edge a hand comes from
OVER = 90.0  # mm above the table that arms lean over it


@dataclass(frozen=True, eq=False)
class Filmed:
    """A film on disk, its camera, and the events of the log with the times at which they have happened."""

    path: Path
    calibration: calibrate.Calibration
    events: list[dict[str, Any]]

    def shots(self) -> Iterator[Shot]:
        return iter(Film(str(self.path)))


def played(events: Sequence[dict[str, Any]], layout: Layout, seed: int, pace: float = 1.0) -> Script:
    """The choreography of a hand from the deal on: who deals and how is left out."""
    script = choreograph(events, layout, seed, pace)
    deal = next(t for event, t in zip(events, script.times, strict=True) if event["type"] == "deal")
    rest = {tile.track: tile for tile in script.tiles}
    rest |= {motion.track: motion.end for motion in script.motions if motion.t0 < deal}
    return Script(
        tuple(rest[track] for track in sorted(rest)),
        tuple(replace(m, t0=m.t0 - deal, t1=m.t1 - deal) for m in script.motions if m.t0 >= deal),
        tuple(_sooner(reach, deal) for reach in script.reaches if reach.keys[0].t >= deal),
        tuple(replace(throw, t0=throw.t0 - deal, t1=throw.t1 - deal) for throw in script.throws),
        tuple(max(0.0, t - deal) for t in script.times),
        script.length - deal,
    )


def _sooner(reach: Reach, seconds: float) -> Reach:
    return replace(reach, keys=tuple(replace(key, t=key.t - seconds) for key in reach.keys))


def write(folder: Path, events: Sequence[dict[str, Any]], script: Script, layout: Layout, look: Look, seed: int) -> Filmed:
    """Film it."""
    folder.mkdir(parents=True, exist_ok=True)
    told = folder / "calibration.json"
    told.write_text(json.dumps(render.calibration(look, layout)), encoding="utf-8")
    path, size = folder / "table.mp4", (look.camera.width, look.camera.height)
    video = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"mp4v"), FPS, size)
    for frame in render.Film(script, layout, look, seed, FPS, every=10**6):
        video.write(frame.picture)
    video.release()
    timed = [{**event, "t": t} for event, t in zip(events, script.times, strict=True)]
    return Filmed(path, calibrate.load(told), timed)


# --- arms over the table -------------------------------------------------------------------------------------------


def leaning(script: Script, layout: Layout, every: float, stay: float) -> Script:
    """The players lean over the table with both arms, time and again: each ``every`` seconds for ``stay`` seconds."""
    starts = np.arange(1.0, script.length - stay, every)
    arms = [_arm(layout, seat, side, float(t), stay) for t in starts for seat in range(layout.seats) for side in (-1, 1)]
    return replace(script, reaches=(*script.reaches, *arms))


def _arm(layout: Layout, seat: int, side: int, t: float, stay: float) -> Reach:
    """An arm that comes in, wanders a little above the discards, and goes."""
    half, way = layout.half, 0.4
    home = _point(seat, side * 110.0, -half - HOME)
    here, there = (_point(seat, side * x * half, -y * half) for x, y in ((0.5, 0.0), (0.3, 0.1)))
    times = (t - way, t, t + stay, t + stay + way)
    return Reach(seat, tuple(Key(a, b, "flat") for a, b in zip(times, (home, here, there, home), strict=True)), side < 0)


def _point(seat: int, x: float, y: float) -> Point:
    a = np.deg2rad(90.0 * seat)
    return float(x * np.cos(a) - y * np.sin(a)), float(x * np.sin(a) + y * np.cos(a)), OVER


def covered(bare: Filmed, hidden: Filmed) -> list[float]:
    """The share of the playing field that is covered in each picture, told by what differs between two films."""
    return [_differing(a.picture, b.picture, bare.calibration) for a, b in zip(bare.shots(), hidden.shots(), strict=True)]


def _differing(a: np.ndarray | None, b: np.ndarray | None, calibration: calibrate.Calibration, by: int = 8) -> float:
    assert a is not None and b is not None
    field = np.zeros(a.shape[:2], np.uint8)
    cv2.fillConvexPoly(field, calibration.corner_pixels().astype(np.int32), 1)
    differs = cv2.absdiff(a[::by, ::by], b[::by, ::by]).max(axis=2) > 24
    return float(differs[field[::by, ::by] > 0].mean())


# --- what may befall the pictures -----------------------------------------------------------------------------------


def changed(shots: Iterable[Shot], change: Callable[[np.ndarray, float], np.ndarray]) -> Iterator[Shot]:
    """Every picture changed by what ``change`` makes of it at its time."""
    for shot in shots:
        assert shot.picture is not None
        yield replace(shot, picture=change(shot.picture, shot.t))


def lit(picture: np.ndarray, exposure: float, warmth: float) -> np.ndarray:
    """The same picture in another light: exposure as a factor of the light, warmth one of red against blue."""
    gains = exposure * np.array([warmth**-0.5, 1.0, warmth**0.5])
    levels = (np.arange(256)[:, None] / 255.0) ** 2.2 * gains
    table = np.clip(255.0 * levels ** (1 / 2.2), 0, 255).astype(np.uint8)
    return np.dstack([cv2.LUT(picture[..., k], table[:, k]) for k in range(3)])


def away(shots: Iterable[Shot], begin: float, end: float) -> Iterator[Shot]:
    """The source is away for a while, in which play goes on."""
    for shot in shots:
        gone = begin <= shot.t < end
        yield replace(shot, picture=None, lost=True, lag=shot.t - begin) if gone else shot
