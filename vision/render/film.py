"""Films of a hand of mahjong from its event log: video, stills' truth, the log with times, the calibration.

    render_game(events, "out", seed=1)

`out` then holds table.mp4, annotations.jsonl (the tiles of every few frames), log.jsonl (the events with `t`) and
calibration.json. The same seed gives the same film.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.render.draw import Mover, Renderer, Truth, expose
from vision.render.faces import Style
from vision.render.layout import Layout
from vision.render.scene import Camera, Hand, Prop, Scene, Sensor, Shade, Table, Tile, look_at
from vision.render.scenes import SKINS, random_lights, random_sensor, random_table
from vision.render.script import Customs, Key, Motion, Reach, Script, choreograph
from vision.render.stage import Stage
from vision.render.styles import random_style

EXPOSED = 15.0  # pictures a second from which the shutter is open for the longer the fewer there are
FIELD_CORNERS = ((-1, -1), (1, -1), (1, 1), (-1, 1))


@dataclass(frozen=True)
class Look:
    """How a film looks: everything that is not the game. `random_look` invents one."""

    camera: Camera
    table: Table
    style: Style
    lights: tuple[Any, ...]
    ambient: float
    gloss: float
    sensor: Sensor
    skins: tuple[tuple[int, int, int], ...]
    sleeves: tuple[tuple[int, int, int], ...]
    scales: tuple[float, ...]
    props: tuple[Prop, ...] = ()
    shades: tuple[Shade, ...] = ()
    shutter: float = 0.4
    readout: float = 0.012


@dataclass(frozen=True)
class Frame:
    """One frame: its number, time, picture (BGR) and truth; `smears` how far moving tiles (by track) are blurred, pixels."""

    number: int
    t: float
    picture: np.ndarray
    tiles: tuple[Truth, ...]
    smears: Mapping[int, float]


def overhead_camera(rng: np.random.Generator, reach: float, size: tuple[int, int], oblique: float = 12.0) -> Camera:
    """A camera on a boom over the table that has `reach` millimetres round the middle in the picture."""
    w, h = size
    focal = float(rng.uniform(0.6, 0.95))
    tilt = np.deg2rad(abs(rng.normal(0, oblique)))
    turn = float(rng.normal(0, 2.5))
    bend = float(rng.normal(-0.05, 0.04))
    corners = np.array([[x * reach, y * reach, 0.0] for x, y in FIELD_CORNERS])
    target = (float(rng.normal(0, 10)), float(rng.normal(0, 10)), 0.0)
    distance = 500.0
    while True:
        eye = (target[0] + float(rng.normal(0, 3)), -float(np.sin(tilt)) * distance, float(np.cos(tilt)) * distance)
        camera = look_at(eye, target, w, h, focal, turn, distortion=(bend, -bend * 0.2, 0.0, 0.0, 0.0))
        pixels = camera.project(corners)
        if np.isfinite(pixels).all() and (pixels > 6).all() and (pixels < np.array(size) - 6).all():
            return camera
        distance *= 1.03


def random_look(
    rng: np.random.Generator, layout: Layout, size: tuple[int, int], *, oblique: float = 12.0, markers: bool = True
) -> Look:
    """An invented table, tile set, camera and light."""
    table = random_table(rng, layout.half)
    table = replace(table, rail=max(table.rail, 50.0) if markers else table.rail)
    reach = layout.half + (table.rail if markers else 0.06 * layout.half)
    camera = overhead_camera(rng, reach, size, oblique)
    lights, ambient = random_lights(rng)
    if layout.river == "centre":
        table = replace(table, centre="none" if rng.random() < 0.6 else table.centre)
    sensor = replace(random_sensor(rng, jpeg=False), smear=0.0, vignette=0.0)
    n = layout.seats
    props = _marker_props(layout.half, table.rail) if markers else ()
    return Look(
        camera=camera,
        table=table,
        style=random_style(rng),
        lights=lights,
        ambient=ambient,
        gloss=float(rng.choice([0.0, 0.1, 0.3])),
        sensor=sensor,
        skins=tuple(SKINS[int(rng.integers(len(SKINS)))] for _ in range(n)),
        sleeves=tuple((int(a), int(b), int(c)) for a, b, c in rng.integers(20, 220, (n, 3))),
        scales=tuple(float(v) for v in rng.uniform(0.9, 1.08, n)),
        props=props,
        shutter=float(rng.uniform(0.1, 0.7)),
        readout=float(rng.choice([0.0, 0.008, 0.02])),
    )


def _marker_props(half: float, rail: float) -> tuple[Prop, ...]:
    """Printed markers 0-3 on the rails' corners, in the order of FIELD_CORNERS."""
    at, side = half + rail / 2, min(rail * 0.7, 42.0)
    return tuple(
        Prop("marker", x * at, y * at, 0.0, side, (255, 255, 255), number)
        for number, (x, y) in enumerate(FIELD_CORNERS)
    )


# ---------------------------------------------------------------- tiles and hands at a time


def _ease(s: float) -> float:
    return s * s * (3 - 2 * s)


def _between(a: float, b: float, k: float) -> float:
    """An angle on the short way between two."""
    return a + ((b - a + 180.0) % 360.0 - 180.0) * k


def moving_tile(motion: Motion, t: float) -> Tile:
    """The tile of a motion at time t."""
    s = float(np.clip((t - motion.t0) / max(motion.t1 - motion.t0, 1e-6), 0, 1))
    k = _ease(s)
    a, b = motion.start, motion.end
    arch = 4 * s * (1 - s) * motion.lift
    end = b if k > 0.5 else a
    return replace(
        b,
        x=a.x + (b.x - a.x) * k,
        y=a.y + (b.y - a.y) * k,
        z=a.z + (b.z - a.z) * k + arch,
        yaw=_between(a.yaw, b.yaw, k),
        pitch=_between(a.pitch, b.pitch, k),
        roll=_between(a.roll, b.roll, k),
        zone=end.zone,
        seat=end.seat,
    )


def _key_point(keys: Sequence[Key], t: float) -> tuple[np.ndarray, str, float]:
    for before, after in zip(keys[:-1], keys[1:], strict=True):
        if t <= after.t:
            k = _ease(float(np.clip((t - before.t) / max(after.t - before.t, 1e-6), 0, 1)))
            point = np.array(before.point) * (1 - k) + np.array(after.point) * k
            return point, before.grip, before.shut * (1 - k) + after.shut * k
    return np.array(keys[-1].point), keys[-1].grip, keys[-1].shut


def _reaching_hand(reach: Reach, t: float, look: Look, layout: Layout) -> Hand:
    point, grip, shut = _key_point(reach.keys, t)
    a = np.deg2rad(90.0 * reach.seat)
    side = -140.0 if reach.left else 140.0
    shoulder = np.array([side, -layout.half - 420.0])
    shoulder = np.array(
        [shoulder[0] * np.cos(a) - shoulder[1] * np.sin(a), shoulder[0] * np.sin(a) + shoulder[1] * np.cos(a)]
    )
    d = point[:2] - shoulder
    yaw = float(np.rad2deg(np.arctan2(d[1], d[0])) - 90.0)
    return Hand(
        float(point[0]), float(point[1]), float(point[2]), yaw, grip, look.skins[reach.seat], look.sleeves[reach.seat],
        look.scales[reach.seat], 60.0, reach.left, shut,
    )  # fmt: skip


def _dice(script: Script, t: float, layout: Layout, seed: int) -> tuple[tuple[Prop, ...], tuple[Prop, ...]]:
    """Dice lying still and dice rolling at time t."""
    throw = next((x for x in reversed(script.throws) if t >= x.t0), None)
    values = throw.values if throw else (1, 4)
    still, rolling = [], []
    number = script.throws.index(throw) if throw else -1
    rng = np.random.default_rng([seed, 31, number + 1])
    for i, value in enumerate(values[:3]):
        spot = rng.normal(0, 14, 2) + (i * 26 - 13, 0)
        yaw = float(rng.uniform(0, 90))
        if throw and t < throw.t1:
            s = (t - throw.t0) / (throw.t1 - throw.t0)
            a = np.deg2rad(90.0 * throw.seat)
            start = np.array([np.sin(a), -np.cos(a)]) * layout.half * 0.42
            at = start + (spot - start) * (1 - (1 - s) ** 2)
            hop = abs(np.sin(s * 9.0)) * 40 * (1 - s)
            face = int(1 + (int(s * 14) * 5 + i * 2) % 6)
            rolling.append(
                Prop("die", float(at[0]), float(at[1]), yaw + s * 700, 15.0, (242, 242, 238), face, float(hop))
            )
        else:
            still.append(Prop("die", float(spot[0]), float(spot[1]), yaw, 15.0, (242, 242, 238), value))
    return tuple(still), tuple(rolling)


# ---------------------------------------------------------------- frames


class Film:
    """The frames of a script, one after the other.

    Only what changes from one to the next is drawn. The truth of every `every`th frame is worked out; that of the others is
    left empty.
    """

    def __init__(
        self, script: Script, layout: Layout, look: Look, seed: int, fps: float = 15.0, *,
        every: int = 1, renderer: Renderer | None = None,
    ) -> None:  # fmt: skip
        self.script, self.layout, self.look = script, layout, look
        self.seed, self.fps, self.every = seed, fps, every
        self.renderer = renderer or Renderer()

    def __len__(self) -> int:
        return int(np.ceil(self.script.length * self.fps))

    def __iter__(self) -> Iterator[Frame]:
        rest = {t.track: t for t in self.script.tiles}
        waiting = list(self.script.motions)
        active: list[Motion] = []
        stage = Stage(self.renderer, self._scene(0, ()))
        shown: tuple[Prop, ...] | None = None
        for number in range(len(self)):
            t = number / self.fps
            changed = shown is None
            while waiting and waiting[0].t0 <= t:
                motion = waiting.pop(0)
                active = [m for m in active if m.track != motion.track] + [motion]
                changed = True
            for motion in [m for m in active if m.t1 <= t]:
                active.remove(motion)
                rest[motion.track] = motion.end
                changed = True
            dice, rolling = _dice(self.script, t, self.layout, self.seed)
            if changed or dice != shown:
                moving = {m.track for m in active}
                stage.lay((tile for track, tile in rest.items() if track not in moving), dice)
                shown = dice
            picture = stage.take(self._movers(active, rolling, t), self._scene(number, dice).seed)
            truths = stage.truths() if number % self.every == 0 else []
            yield Frame(number, t, picture, tuple(truths), self._smears(active, t))

    def lying(self, t: float) -> dict[int, Tile]:
        """Where every tile that does not move at time t lies, by track."""
        rest = {tile.track: tile for tile in self.script.tiles}
        for motion in self.script.motions:
            if motion.t1 <= t:
                rest[motion.track] = motion.end
        for motion in self._moving(t):
            rest.pop(motion.track)
        return rest

    def at(self, t: float) -> Frame:
        """The one frame at time t, drawn by itself, with its truth."""
        dice, rolling = _dice(self.script, t, self.layout, self.seed)
        scene = self._scene(0, dice)
        lying = tuple(tile for _, tile in sorted(self.lying(t).items()))
        canvas, ids, boxes = self.renderer.still(replace(scene, tiles=lying))
        active = self._moving(t)
        numbers: dict[int, int] = {}

        def number(track: int) -> int:
            return numbers.setdefault(track, len(boxes) + len(numbers))

        moved, _ = self.renderer.overlay(canvas, ids, scene, self._movers(active, rolling, t), number)
        truths = self.renderer.truths([*boxes, *moved], ids)
        return Frame(0, t, expose(canvas, self.look.sensor, scene.seed), tuple(truths), self._smears(active, t))

    def _moving(self, t: float) -> list[Motion]:
        """The motions under way: of those of one tile the last begun."""
        latest = {motion.track: motion for motion in self.script.motions if motion.t0 <= t}
        return [motion for motion in latest.values() if motion.t1 > t]

    def _scene(self, number: int, dice: tuple[Prop, ...]) -> Scene:
        look = self.look
        return Scene(
            look.camera, look.table, self.layout.size, look.style, (), (*look.props, *dice), (), look.lights, look.ambient,
            look.gloss, look.sensor, self.seed * 100003 + number, look.shades,
        )  # fmt: skip

    @property
    def _open(self) -> float:
        """Seconds the shutter is open: a camera that gives few pictures a second does not expose each the longer."""
        return self.look.shutter / max(self.fps, EXPOSED)

    def _smears(self, active: Sequence[Motion], t: float) -> dict[int, float]:
        half = self._open / 2
        ways = {m.track: _way(lambda u, m=m: moving_tile(m, u), t, half, self.look) for m in active}
        return {track: float(np.hypot(*way)) for track, way in ways.items()}

    def _movers(self, active: Sequence[Motion], rolling: tuple[Prop, ...], t: float) -> list[Mover]:
        """Hands, and tiles by the movement they share, each with its way on the picture while the shutter is open."""
        half, look, layout = self._open / 2, self.look, self.layout
        movers = [Mover(props=rolling)] if rolling else []
        groups: dict[tuple[float, float], list[Motion]] = {}
        for motion in active:
            groups.setdefault((motion.t0, motion.t1), []).append(motion)
        for motions in groups.values():
            tiles = tuple(_rolled(lambda u, m=m: moving_tile(m, u), t, look) for m in motions)
            # A hand that carries takes all its tiles one way; one that sorts moves them little.
            first = motions[0]
            movers.append(Mover(tiles, smear=_way(lambda u, m=first: moving_tile(m, u), t, half, look)))
        for reach in self.script.reaches:
            if not reach.keys[0].t <= t <= reach.keys[-1].t:
                continue
            hand = _rolled(lambda u, r=reach: _reaching_hand(r, u, look, layout), t, look)
            smear = _way(lambda u, r=reach: _reaching_hand(r, u, look, layout), t, half, look)
            movers.append(Mover(hands=(hand,), smear=smear))
        return movers


def _rolled(thing: Callable[[float], Any], t: float, look: Look) -> Any:
    """A moving thing as a rolling shutter catches it: later the lower it is in the picture."""
    now = thing(t)
    if not look.readout:
        return now
    pixel = look.camera.project(np.array([now.x, now.y, now.z]))
    row = float(np.clip(np.nan_to_num(pixel[1]) / look.camera.height, 0, 1))
    return thing(t + (row - 0.5) * look.readout)


def _way(thing: Callable[[float], Any], t: float, half: float, look: Look) -> tuple[float, float]:
    a, b = (look.camera.project(np.array([v.x, v.y, v.z])) for v in (thing(t - half), thing(t + half)))
    d = np.clip(np.nan_to_num(b - a), -120, 120)
    return float(d[0]), float(d[1])


# ---------------------------------------------------------------- files


def calibration(look: Look, layout: Layout) -> dict[str, Any]:
    """The truth of the camera: field corners in pixels and millimetres (seat 0's left, then round), the camera itself."""
    half = layout.half
    corners = [[x * half, y * half] for x, y in FIELD_CORNERS]
    pixels = look.camera.project(np.array([[x, y, 0.0] for x, y in corners]))
    camera = look.camera
    return {
        "width": camera.width,
        "height": camera.height,
        "corners": [[round(float(x), 2), round(float(y), 2)] for x, y in pixels],
        "corners_mm": corners,
        "seats": layout.seats,
        "tile_mm": [layout.size.width, layout.size.height, layout.size.depth],
        "markers": [
            {"id": p.value, "centre_mm": [p.x, p.y], "side_mm": p.size} for p in look.props if p.kind == "marker"
        ],
        "camera": {
            "fx": camera.fx, "fy": camera.fy, "cx": camera.cx, "cy": camera.cy,
            "distortion": list(camera.distortion),
            "rotation": [list(row) for row in camera.rotation],
            "position_mm": list(camera.position),
        },
    }  # fmt: skip


def render_game(
    events: Sequence[Mapping[str, Any]],
    out_dir: str | Path,
    seed: int,
    fps: float = 15.0,
    size: tuple[int, int] = (1920, 1080),
    *,
    layout: Layout | None = None,
    look: Look | None = None,
    pace: float = 1.0,
    deck: Sequence[str] | None = None,
    every: int | None = None,
    seconds: float | None = None,
    oblique: float = 12.0,
    customs: Customs | None = None,
) -> Path:
    """Films one hand into `out_dir` and returns the video's path.

    `events` are objects of the event log; tiles that are null get faces that fit. `layout` says how the table is
    played at (walls, river, melds), `look` how it looks (default: invented from the seed). Truth is written for every
    `every`th frame (default: twice a second); `seconds` cuts the film short; `customs` says how the players behave.
    Raises ValueError for a log that cannot be played, OSError where the video cannot be written.
    """
    layout = layout or Layout()
    script = choreograph(events, layout, seed, pace, deck, customs)
    look = look or random_look(np.random.default_rng([seed, 17]), layout, size, oblique=oblique)
    if seconds is not None:
        script = replace(script, length=min(script.length, seconds))
    out = Path(out_dir)
    out.mkdir(parents=True, exist_ok=True)
    _write_log(out / "log.jsonl", events, script)
    (out / "calibration.json").write_text(json.dumps(calibration(look, layout), indent=1) + "\n", encoding="utf-8")
    every = every or max(1, round(fps / 2))
    video = cv2.VideoWriter(
        str(out / "table.mp4"), cv2.VideoWriter_fourcc(*"mp4v"), fps, (look.camera.width, look.camera.height)
    )
    if not video.isOpened():
        raise OSError(f"cannot write {out / 'table.mp4'}: no MPEG-4 encoder")
    with (out / "annotations.jsonl").open("w", encoding="utf-8") as lines:
        for frame in Film(script, layout, look, seed, fps, every=every):
            video.write(frame.picture)
            if frame.number % every == 0:
                lines.write(json.dumps(annotation(frame, look)) + "\n")
    video.release()
    return out / "table.mp4"


def annotation(frame: Frame, look: Look) -> dict[str, Any]:
    """The truth of a frame as a JSON object."""
    return {
        "frame": frame.number,
        "t": round(frame.t, 3),
        "width": look.camera.width,
        "height": look.camera.height,
        "tiles": [t.as_dict() | {"moving": t.track in frame.smears} for t in frame.tiles],
    }


def _write_log(path: Path, events: Sequence[Mapping[str, Any]], script: Script) -> None:
    with path.open("w", encoding="utf-8") as lines:
        for number, (event, t) in enumerate(zip(events, script.times, strict=True), 1):
            row = {"n": event.get("n", number), "type": event["type"], "t": round(t, 3)}
            lines.write(json.dumps(row | {k: v for k, v in event.items() if k != "t"}, ensure_ascii=False) + "\n")
