"""Views of tables in the middle of games, with all their tiles labelled: pictures for training and tests.

    for view in views(seed=1, count=100):
        view.picture, view.labels

Rule set, game, moment, tile design, table, light and camera are invented anew from the seed: from straight above to
50 degrees aslant, from a webcam over the table to a phone held over one player's tiles. View i is the same whatever `count` is.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from referee.rules.ruleset import SET_IDS, load
from referee.rules.tiles import NAMES
from referee.table import events as ev
from referee.table.bots import Bots
from vision.render.customs import layout_of
from vision.render.draw import Renderer, Truth
from vision.render.faces import Style
from vision.render.film import Film, Look, random_look
from vision.render.layout import Layout
from vision.render.photo import photo_scene, random_arrangement, random_hand
from vision.render.scene import Camera, Tile, TileSize, look_at
from vision.render.scenes import random_lights, random_props, random_scene, random_sensor, random_shades, random_size
from vision.render.script import Customs, Script, choreograph
from vision.render.styles import random_style

HIDDEN = 0.5  # visible share below which a label is doubtful
LEAST_PIXELS = 30  # visible area below which a tile is not labelled at all
SMALLEST, LARGEST = 16.0, 120.0  # short side of the tiles looked at, pixels
GAME_VIEWS, LOOK_VIEWS = 24, 6  # views that share a game, and of them those that share a table and tile design
OBLIQUE = 50.0


@dataclass(frozen=True)
class Label:
    """A tile in a view.

    `kind`: a face code, "back" or "edge", of the one side that is told (`vision.render.draw.Truth` says which). `quad`
    (4, 2) float32 pixels, clockwise on the picture: a face's from its own top left as it is read; a back's from its
    top left as it is looked at; an edge's along the face first. `cosine` between that side's normal and the line of
    sight, `visible` its share that is in the picture and uncovered. `ignore`: hidden too much or too blurred by
    motion to be judged. `face` is what is printed on the tile whichever side is told, `red` a red five.
    """

    kind: str
    quad: np.ndarray
    facing: str
    visible: float
    cosine: float
    ignore: bool
    zone: str
    seat: int | None
    face: str
    red: bool
    track: int


@dataclass(frozen=True)
class View:
    """A picture (h, w, 3) uint8 BGR and the labels of all tiles that show in it; `rules` is the rule set played
    (empty where it is no game)."""

    picture: np.ndarray
    labels: tuple[Label, ...]
    rules: str


def views(
    seed: int, count: int, size: tuple[int, int] = (640, 640), *, crop: bool = True, start: int = 0
) -> Iterator[View]:
    """Views number `start` to `start + count - 1` of the endless row that `seed` stands for.

    `size` (width, height) of the pictures; with `crop` they are cut, pixel for pixel, from a larger picture about some
    tile of the table, else the camera's whole picture is of that size.
    """
    sitting: _Sitting | None = None
    look: Look | None = None
    renderer = Renderer()
    for number in range(start, start + count):
        if sitting is None or number % GAME_VIEWS == 0:
            sitting = _sitting(seed, number // GAME_VIEWS)
        if look is None or number % LOOK_VIEWS == 0:
            look = _look(seed, number // LOOK_VIEWS, sitting.layout)
        yield _view(np.random.default_rng([seed, 2, number]), sitting, look, size, crop, renderer)


def assorted(seed: int, count: int, size: tuple[int, int] = (640, 640), *, start: int = 0) -> Iterator[View]:
    """Crops of all that the renderer can show: half of them `views`, the others tiles in rows, piles of tiles, and hands laid
    out before their player."""
    games = views(seed, start + count, size)
    renderer = Renderer()
    for number in range(start + count):
        if number % 2 == 0:
            view = next(games)
            if number >= start:
                yield view
        elif number >= start:
            style = random_style(np.random.default_rng([seed, 4, number // (2 * LOOK_VIEWS)]))
            yield _still_life(np.random.default_rng([seed, 3, number]), size, style, renderer)


def _still_life(rng: np.random.Generator, size: tuple[int, int], style: Style, renderer: Renderer) -> View:
    """A crop of a row, a pile or a photograph of a hand, about one of its tiles."""
    whole = max(max(size), int(np.exp(rng.uniform(np.log(480), np.log(2400)))))
    whole = (whole, max(size[1], whole * 3 // 4))
    kind = str(rng.choice(["rows", "rows", "pile", "photo", "photo"]))
    if kind == "photo":
        scene = photo_scene(
            rng, random_hand(rng), random_arrangement(rng), size=whole, clutter=bool(rng.random() < 0.5)
        )
        scene = replace(scene, sensor=random_sensor(rng))
    else:
        scene = random_scene(rng, whole, kind, style)
    tile = scene.tiles[int(rng.integers(len(scene.tiles)))]
    camera = _cut(rng, scene.camera, (tile.x, tile.y, tile.z), size)
    if rng.random() < 0.3:
        # Collections of photographs are often squeezed to another aspect.
        camera = replace(camera, fy=camera.fy * float(np.exp(rng.uniform(-0.3, 0.3))))
    picture, truths = renderer.render(replace(scene, camera=camera))
    labels = (_label(truth, {}) for truth in truths)
    return View(picture, tuple(label for label in labels if label is not None), "")


@dataclass(frozen=True)
class _Sitting:
    """A hand played at a table: its script and when its parts begin."""

    rules: str
    layout: Layout
    script: Script
    dealt: float
    won: float


def _sitting(seed: int, number: int) -> _Sitting:
    """The `number`th hand of the row, played by bots."""
    rng = np.random.default_rng([seed, 0, number])
    rules = load(str(rng.choice(SET_IDS)), {})
    bots = Bots(rules, {}, random.Random(int(rng.integers(1 << 30))), fouls=float(rng.choice([0.0, 0.01])))
    bots.hand()
    events = [ev.write_event(event) for event in bots.played.events]
    events[0] |= {"dealer": bots.game.hands[0].state.dealer}
    size = random_size(rng)
    layout = layout_of(
        rules, size=size, river=str(rng.choice(["rows", "centre"])) if rng.random() < 0.4 else None,
        turned=bool(rng.random() < 0.5) if rng.random() < 0.4 else None,
    )  # fmt: skip
    customs = Customs(1.0, str(rng.choice(["standing", "shuffle"])), float(rng.choice([0.02, 0.3])))
    deck = [NAMES[kind] for kind in bots.decks[0]]
    script = choreograph(events, layout, int(rng.integers(1 << 30)), deck=deck, customs=customs)
    times = {event["type"]: t for event, t in zip(events, script.times, strict=True)}
    won = times.get("win", script.length)
    return _Sitting(rules.id, layout, _untidy(rng, script, size), times.get("deal", 0.0), min(won, script.length))


def _look(seed: int, number: int, layout: Layout) -> Look:
    rng = np.random.default_rng([seed, 1, number])
    look = random_look(rng, layout, (640, 640), markers=bool(rng.random() < 0.25))
    half, clear = layout.half, layout.half + 30.0
    props = tuple(p for p in random_props(rng, half) if p.kind != "die" and max(abs(p.x), abs(p.y)) > clear)
    return replace(look, style=random_style(rng), props=(*look.props, *props))


def _view(
    rng: np.random.Generator, sitting: _Sitting, look: Look, size: tuple[int, int], crop: bool, renderer: Renderer
) -> View:
    script, t = sitting.script, _moment(rng, sitting)
    film = Film(script, sitting.layout, look, int(rng.integers(1 << 30)), renderer=renderer)
    spot = _spot(rng, film.lying(t).values() or script.tiles, sitting.layout)
    for _ in range(20):
        camera = _camera(rng, spot, sitting.layout, size, crop)
        if np.isfinite(camera.project(np.array(spot))).all():
            break
    lights, ambient = random_lights(rng)
    film.look = replace(
        look, camera=camera, lights=lights, shades=random_shades(rng, sitting.layout.half), ambient=ambient,
        gloss=float(rng.choice([0.0, 0.1, 0.3, 0.6])), sensor=random_sensor(rng), shutter=float(rng.uniform(0.05, 0.7)),
    )  # fmt: skip
    frame = film.at(t)
    labels = (_label(truth, frame.smears) for truth in frame.tiles)
    return View(frame.picture, tuple(label for label in labels if label is not None), sitting.rules)


def _moment(rng: np.random.Generator, sitting: _Sitting) -> float:
    """Mostly in the middle of the hand, at times before all tiles are dealt or when it is over."""
    part, end = rng.random(), sitting.script.length
    if part < 0.12:
        return float(rng.uniform(0, sitting.dealt))
    if part < 0.27:
        return float(rng.uniform(sitting.won, end))
    # Later moments show more melds and discards.
    return float(sitting.dealt + (sitting.won - sitting.dealt) * rng.random() ** 0.6)


def _spot(rng: np.random.Generator, tiles: Collection[Tile], layout: Layout) -> tuple[float, float, float]:
    """The place looked at: some tile, every part of the table having its turn."""
    parts: dict[str, list[Tile]] = {}
    for tile in tiles:
        parts.setdefault(tile.zone.split(":")[0], []).append(tile)
    weights = np.array(
        [{"hand": 1.0, "wall": 1.0, "meld": 0.9, "river": 0.9, "centre": 0.9}.get(p, 0.5) for p in parts]
    )
    tiles_there = parts[str(rng.choice(list(parts), p=weights / weights.sum()))]
    tile = tiles_there[int(rng.integers(len(tiles_there)))]
    x, y = (float(v) for v in rng.normal(0, layout.size.height, 2))
    return tile.x + x, tile.y + y, tile.z


def _camera(
    rng: np.random.Generator, spot: tuple[float, float, float], layout: Layout, size: tuple[int, int], crop: bool
) -> Camera:
    """A camera that shows the spot's tiles SMALLEST to LARGEST pixels wide: over the table's middle or over the spot."""
    wanted = float(np.exp(rng.uniform(np.log(SMALLEST), np.log(LARGEST))))
    distance = float(np.exp(rng.uniform(np.log(380.0), np.log(1700.0))))
    tilt = abs(rng.normal(0, 12.0)) if rng.random() < 0.35 else rng.uniform(0, OBLIQUE)
    tilt = np.deg2rad(min(float(tilt), OBLIQUE))
    side = np.deg2rad(90.0 * rng.integers(4) + rng.normal(0, 12) if rng.random() < 0.75 else rng.uniform(0, 360))
    lens = float(rng.uniform(0.6, 1.25))
    if crop:
        focal = float(np.clip(wanted * distance / layout.size.width, 480.0, 3400.0))
        width = max(size[0], int(focal / lens))
        height = max(size[1], int(width * rng.choice([9 / 16, 3 / 4])))
        lens = focal / width
    else:
        width, height = size
        distance = lens * width * layout.size.width / wanted
    over_middle = rng.random() < 0.4 and crop
    target = np.array([0.0, 0.0, 0.0] if over_middle else spot) + rng.normal(0, 15, 3) * (1, 1, 0)
    back = np.array([np.sin(tilt) * np.sin(side), -np.sin(tilt) * np.cos(side), np.cos(tilt)])
    bend = float(rng.normal(-0.05, 0.05))
    up = (float(-np.sin(side)), float(np.cos(side)), 0.0)
    eye = tuple(float(v) for v in target + back * distance)
    camera = look_at(
        eye, tuple(float(v) for v in target), width, height, lens, float(rng.normal(0, 4)), up=up,
        distortion=(bend, -bend * 0.2, 0.0, 0.0, 0.0),
    )  # type: ignore[arg-type]  # fmt: skip
    return _cut(rng, camera, spot, size) if crop else camera


def _cut(rng: np.random.Generator, camera: Camera, spot: tuple[float, float, float], size: tuple[int, int]) -> Camera:
    """The part of a camera's picture that has a place somewhere about its middle."""
    whole = np.array([camera.width, camera.height])
    pixel = camera.project(np.array(spot)) + rng.uniform(-0.3, 0.3, 2) * size
    if not np.isfinite(pixel).all():
        pixel = whole / 2
    x, y = (float(v) for v in np.clip(pixel - np.array(size) / 2, 0, np.maximum(whole - size, 0)).round())
    return replace(camera, width=size[0], height=size[1], cx=camera.cx - x, cy=camera.cy - y)


def _untidy(rng: np.random.Generator, script: Script, size: TileSize) -> Script:
    """The same hand with tiles put down less exactly: standing rows lean, lying tiles are a little askew."""
    care = float(rng.choice([0.0, 0.5, 1.5]))
    lean = np.clip(rng.normal(0, 5.0, 8), -10, 10)

    def loose(tile: Tile) -> Tile:
        # What a tile's carelessness is follows from its place, so that it stays as it lies; tiles side by side are shifted
        # along their own length alone, lest one stand in another.
        own = np.random.default_rng([tile.track, int(abs(tile.x) * 8), int(abs(tile.y) * 8)]).normal(0, care, 2)
        a = np.deg2rad(tile.yaw)
        packed = tile.zone.startswith(("hand", "wall"))
        turn = float(own[1]) * (0.3 if packed else 1.0)
        shift = 0.7 * float(own[0])
        tile = replace(
            tile, x=tile.x - shift * float(np.sin(a)), y=tile.y + shift * float(np.cos(a)), yaw=tile.yaw + turn
        )
        if tile.pitch != 90.0:
            return tile
        pitch = 90.0 + float(lean[tile.seat or 0])
        a = np.deg2rad(pitch)
        return replace(tile, pitch=pitch, z=float(size.height * np.sin(a) + size.depth * abs(np.cos(a))) / 2)

    motions = tuple(replace(m, start=loose(m.start), end=loose(m.end)) for m in script.motions)
    return replace(script, tiles=tuple(loose(tile) for tile in script.tiles), motions=motions)


def _label(truth: Truth, smears: Mapping[int, float]) -> Label | None:
    quad = np.array(truth.quad, np.float32)
    x, y = quad[:, 0], quad[:, 1]
    area = 0.5 * abs(float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum()))
    if truth.visibility * area < LEAST_PIXELS:
        return None
    short = float(np.sqrt(((quad - np.roll(quad, -1, 0)) ** 2).sum(1)).min())
    ignore = truth.visibility < HIDDEN or smears.get(truth.track, 0.0) > 0.35 * short
    return Label(
        truth.tile, quad, truth.facing, truth.visibility, truth.cosine, ignore, truth.zone, truth.seat, truth.face, truth.red,
        truth.track,
    )  # fmt: skip


__all__ = ["Label", "View", "assorted", "views"]
