"""Invented tables: random cameras, lights, covers and tiles for training and tests.

`random_scene` gives one picture's scene; kinds are "game" (a hand in progress), "pile" (tiles being shuffled) and
"rows" (tiles packed side by side). All randomness comes from the generator handed in.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.render.faces import FACES, RED_FIVES, Style
from vision.render.layout import (
    Layout,
    bonus_place,
    centre_place,
    hand_place,
    meld_corner,
    meld_shape,
    meld_width,
    place,
    river_place,
    wall_place,
)
from vision.render.scene import Camera, Hand, Light, Prop, Rgb, Scene, Sensor, Shade, Table, Tile, TileSize, look_at
from vision.render.styles import random_style
from vision.render.surfaces import COVERS

COVER_COLOURS: tuple[Rgb, ...] = (
    (30, 110, 70), (22, 72, 52), (40, 130, 60), (24, 60, 120), (60, 130, 150), (120, 30, 40), (40, 40, 46),
    (150, 120, 84), (196, 160, 116), (110, 72, 44), (210, 206, 196), (90, 90, 96), (70, 40, 90),
)  # fmt: skip
SKINS: tuple[Rgb, ...] = (
    (228, 186, 160),
    (214, 168, 140),
    (190, 140, 110),
    (150, 104, 78),
    (236, 200, 178),
    (110, 76, 58),
)


def _rgb(values: np.ndarray) -> Rgb:
    r, g, b = np.clip(values, 0, 255).astype(int)
    return int(r), int(g), int(b)


def random_size(rng: np.random.Generator) -> TileSize:
    """Tiles from small travel sets to large table sets."""
    w = rng.uniform(22, 34)
    h = w * rng.uniform(1.28, 1.42)
    d = w * rng.uniform(0.6, 0.84)
    return TileSize(w, h, d, d * rng.uniform(0.18, 0.5), w * rng.uniform(0.07, 0.15))


def random_table(rng: np.random.Generator, half: float) -> Table:
    """A table top with its rails and middle."""
    colour = np.array(COVER_COLOURS[int(rng.integers(len(COVER_COLOURS)))]) + rng.normal(0, 14, 3)
    cover = str(rng.choice(COVERS, p=[0.42, 0.14, 0.18, 0.12, 0.1, 0.04]))
    if cover == "wood":
        colour = np.array(((150, 110, 70), (196, 160, 116), (100, 66, 42), (214, 190, 160))[int(rng.integers(4))])
    if cover == "newspaper":
        colour = np.array((214, 210, 200))
    rails = ((70, 46, 30), (30, 30, 34), (200, 200, 204), (150, 110, 70), (110, 20, 24), (222, 196, 150))
    return Table(
        half=half,
        cover=cover,
        colour=_rgb(colour),
        rail=float(rng.choice([0.0, 30.0, 60.0, 90.0], p=[0.2, 0.2, 0.4, 0.2])),
        rail_colour=_rgb(np.array(rails[int(rng.integers(len(rails)))]) + rng.normal(0, 10, 3)),
        centre=str(rng.choice(["none", "unit", "plate"], p=[0.5, 0.42, 0.08])),
        centre_half=float(half * rng.uniform(0.13, 0.2)),
        room=_rgb(rng.uniform(30, 190) + rng.normal(0, 18, 3)),
        seed=int(rng.integers(1 << 30)),
    )


def random_lights(rng: np.random.Generator) -> tuple[tuple[Light, ...], float]:
    """One to three lamps or windows, and the ambient light."""
    lights = []
    for _ in range(int(rng.choice([1, 2, 3], p=[0.5, 0.35, 0.15]))):
        a, far = rng.uniform(0, 2 * np.pi), rng.uniform(100, 1500)
        spot = (float(far * np.cos(a)), float(far * np.sin(a)), float(rng.uniform(1100, 2400)))
        lights.append(Light(spot, float(rng.uniform(0.15, 0.8)), float(rng.uniform(60, 900))))
    day = rng.spawn(1)[0]
    if day.random() < 0.5:
        # A window: low, far and large.
        a, far = day.uniform(0, 2 * np.pi), day.uniform(1200, 3000)
        spot = (float(far * np.cos(a)), float(far * np.sin(a)), float(day.uniform(500, 1400)))
        lights.append(Light(spot, float(day.uniform(0.3, 0.9)), float(day.uniform(400, 1200))))
    return tuple(lights), float(rng.uniform(0.5, 1.5))


def random_shades(rng: np.random.Generator, half: float) -> tuple[Shade, ...]:
    """Shadows of people at and over the table, of whoever takes the picture above all."""
    return tuple(
        Shade(
            *(float(v) for v in rng.normal(0, 0.7 * half, 2)), float(half * rng.uniform(0.3, 1.4)),
            float(half * rng.uniform(0.12, 0.6)), float(rng.uniform(0, 180)), float(rng.uniform(0.08, 0.4)),
            float(rng.uniform(0.06, 0.8)),
        )
        for _ in range(int(rng.choice([0, 1, 2, 4], p=[0.4, 0.25, 0.2, 0.15])))
    )  # fmt: skip


def random_sensor(rng: np.random.Generator, jpeg: bool = True) -> Sensor:
    """From a good phone in daylight to a poor webcam under a warm lamp."""
    warm = rng.normal(0, 0.09)
    poor = rng.random() < 0.3
    return Sensor(
        exposure=float(rng.uniform(0.75, 1.35)),
        white=(float(1 + warm + rng.normal(0, 0.02)), 1.0, float(1 - warm * 1.3 + rng.normal(0, 0.02))),
        gamma=float(rng.uniform(0.75, 1.25)),
        saturation=float(rng.uniform(0.6, 1.2)),
        noise=float(rng.uniform(3, 9) if poor else rng.uniform(0.4, 3)),
        blur=float(rng.uniform(0.8, 1.7) if poor else rng.uniform(0.0, 0.9)),
        sharpen=float(rng.choice([0.0, 0.0, 0.4, 0.9])),
        vignette=float(rng.choice([0.0, 0.0, 0.15, 0.35])),
        jpeg=int(rng.integers(35, 95)) if jpeg and rng.random() < 0.7 else 0,
        smear=float(rng.uniform(2, 7)) if rng.random() < 0.08 else 0.0,
        smear_angle=float(rng.uniform(0, 180)),
    )


def random_camera(
    rng: np.random.Generator, reach: float, size: tuple[int, int], oblique: float = 50.0, fill: float = 1.0
) -> Camera:
    """A camera that sees `reach` millimetres round the middle; up to `oblique` degrees from straight above."""
    tilt = np.deg2rad(min(oblique, abs(rng.normal(0, oblique * 0.5))))
    yaw = rng.uniform(0, 2 * np.pi) if rng.random() < 0.5 else rng.integers(4) * np.pi / 2 + rng.normal(0, 0.08)
    focal = rng.uniform(0.6, 1.25)
    w, h = size
    distance = 2 * reach * focal * max(1.0, w / h) / 1.0 / fill * (0.6 + 0.4 * np.cos(tilt))
    target = np.array([*rng.normal(0, 0.06 * reach, 2), 0.0])
    back = np.array([np.sin(tilt) * np.sin(yaw), -np.sin(tilt) * np.cos(yaw), np.cos(tilt)])
    eye = target + back * distance
    bend = float(rng.normal(-0.06, 0.06))
    return look_at(
        tuple(float(v) for v in eye), tuple(float(v) for v in target), w, h, float(focal), float(rng.normal(0, 4)),
        up=(float(-np.sin(yaw)), float(np.cos(yaw)), 0.0), distortion=(bend, float(-bend * 0.2), 0.0, 0.0, 0.0),
    )  # type: ignore[arg-type]  # fmt: skip


class _Bag:
    """Tiles drawn without looking: a full set, shuffled, begun again when it runs out."""

    def __init__(self, rng: np.random.Generator, bonus: bool = True) -> None:
        self._rng = rng
        self._all = [f for f in FACES[:34] for _ in range(4)] + (list(FACES[34:]) if bonus else [])
        self._left: list[str] = []
        self.track = 0
        self._red = rng.random() < 0.2

    def face(self) -> str:
        if not self._left:
            self._left = [str(f) for f in self._rng.permutation(self._all)]
        face = self._left.pop()
        if self._red and face in ("5m", "5p", "5s") and self._rng.random() < 0.25:
            return RED_FIVES["mps".index(face[1])]
        return face

    def number(self) -> int:
        self.track += 1
        return self.track


def random_props(rng: np.random.Generator, half: float) -> tuple[Prop, ...]:
    """Dice, cups, phones, chips and what else lies about."""
    props = [
        Prop("die", *(float(v) for v in rng.normal(0, half * 0.12, 2)), float(rng.uniform(0, 90)), 14.0,
             (240, 240, 236), int(rng.integers(1, 7)))
        for _ in range(int(rng.choice([0, 2, 3])))
    ]  # fmt: skip
    for _ in range(int(rng.integers(0, 4))):
        kind = str(rng.choice(["cup", "phone", "chip", "ashtray", "card", "book"]))
        side, along = int(rng.integers(4)), float(rng.uniform(-1, 1))
        a = side * np.pi / 2
        x, y = along * half, -half * rng.uniform(1.0, 1.12)
        spot = (float(x * np.cos(a) - y * np.sin(a)), float(x * np.sin(a) + y * np.cos(a)))
        length = {"cup": 75.0, "phone": 150.0, "chip": 40.0, "ashtray": 100.0, "card": 90.0, "book": 120.0}[kind]
        props.append(
            Prop(kind, *spot, float(rng.uniform(0, 360)), length, _rgb(rng.uniform(20, 240, 3)), int(rng.integers(2)))
        )
    return tuple(props)


def random_hands(rng: np.random.Generator, half: float, most: int = 2) -> tuple[Hand, ...]:
    """Hands of players reaching over the table."""
    hands = []
    for _ in range(int(rng.integers(0, most + 1))):
        seat = int(rng.integers(4))
        a = np.deg2rad(90 * seat)
        x, y = float(rng.normal(0, half * 0.4)), float(-half + rng.uniform(0.1, 1.1) * half)
        spot = (float(x * np.cos(a) - y * np.sin(a)), float(x * np.sin(a) + y * np.cos(a)))
        grip = str(rng.choice(["pinch", "flat", "push"]))
        hands.append(
            Hand(*spot, float(rng.uniform(20, 60)), 90.0 * seat + float(rng.normal(0, 18)), grip,
                 SKINS[int(rng.integers(len(SKINS)))], _rgb(rng.uniform(20, 220, 3)), float(rng.uniform(0.9, 1.1)),
                 float(rng.uniform(20, 220)), bool(rng.random() < 0.4))
        )  # fmt: skip
    return tuple(hands)


def game_tiles(rng: np.random.Generator, layout: Layout) -> list[Tile]:
    """A hand in progress: what is left of the walls, rivers or a messy centre, melds, bonus tiles, standing hands."""
    bag = _Bag(rng)
    tiles: list[Tile] = []
    messy: list[tuple[float, float]] = []
    first, last = sorted(int(v) for v in rng.integers(0, sum(layout.stacks) + 1, 2))
    count = 0
    for seat in range(layout.seats):
        for stack in range(layout.stacks[seat]):
            count += 1
            if first <= count < last:
                continue
            x, y = wall_place(layout, seat, stack)
            for level in range(1 if rng.random() < 0.02 else 2):
                tiles.append(
                    place(layout, seat, x, y, level, track=bag.number(), face=bag.face(), zone="wall", facing="down")
                )
        tiles += _melds(rng, layout, seat, bag)
        _discards(rng, layout, seat, bag, tiles, messy)
        for i in range(int(rng.choice([0, 0, 1, 2, 3]))):
            x, y = bonus_place(layout, i)
            face = FACES[34 + int(rng.integers(8))]
            tiles.append(
                place(layout, seat, x, y, track=bag.number(), face=face, zone="bonus", turn=float(rng.normal(0, 2)))
            )
    return tiles


def _melds(rng: np.random.Generator, layout: Layout, seat: int, bag: _Bag) -> list[Tile]:
    tiles: list[Tile] = []
    melds = int(rng.choice([0, 1, 2, 3, 4], p=[0.35, 0.3, 0.2, 0.1, 0.05]))
    used = 0.0
    for _ in range(melds):
        kind = str(rng.choice(["chow", "pung", "kong", "added_kong", "concealed_kong"], p=[0.4, 0.4, 0.08, 0.06, 0.06]))
        giver = None if kind == "concealed_kong" else (seat + int(rng.integers(1, layout.seats))) % layout.seats
        shape = meld_shape(layout, kind, giver, seat, 4 if "kong" in kind else 3)
        wide = meld_width(layout, shape)
        right, y = meld_corner(layout, used)
        low, suit = int(rng.integers(1, 8)), str(rng.choice(list("mps")))
        same = bag.face()
        for i, m in enumerate(shape):
            face = f"{low + i}{suit}" if kind == "chow" else same
            tiles.append(
                place(layout, seat, right - wide + m.x, y + m.y, m.level, track=bag.number(), face=face, zone="meld",
                      turn=(90.0 if m.turned else 0.0) + float(rng.normal(0, 1.2)), facing="down" if m.down else "up")
            )  # fmt: skip
        used += wide + 4
    standing = layout.hand - 3 * melds
    shown = rng.random() < 0.12
    for i in range(standing + int(rng.random() < 0.3)):
        x, y = hand_place(layout, i, standing, i == standing)
        tiles.append(
            place(layout, seat, x, y, track=bag.number(), face=bag.face(), zone="hand", turn=float(rng.normal(0, 1)),
                  facing="up" if shown else "standing")
        )  # fmt: skip
    return tiles


def _discards(
    rng: np.random.Generator, layout: Layout, seat: int, bag: _Bag, tiles: list[Tile], messy: list[tuple[float, float]]
) -> None:
    for i in range(int(rng.integers(0, 19))):
        if layout.river == "rows":
            x, y, turn = river_place(layout, i, rng)
            tiles.append(place(layout, seat, x, y, track=bag.number(), face=bag.face(), zone="river", turn=turn))
            continue
        x, y, turn = centre_place(layout, messy, seat, rng)
        messy.append((x, y))
        tile = place(layout, 0, x, y, track=bag.number(), face=bag.face(), zone="", turn=turn + 90 * seat)
        tiles.append(replace(tile, seat=seat))


def pile_tiles(rng: np.random.Generator, layout: Layout, count: int) -> list[Tile]:
    """Tiles being shuffled: face up and down at all angles, close together, some on others."""
    bag = _Bag(rng)
    size = layout.size
    spread = np.sqrt(count) * size.height * rng.uniform(0.5, 0.85)
    spots: list[tuple[float, float]] = []
    tiles = []
    down = rng.choice([0.0, 0.15, 0.5])
    for _ in range(count):
        for _ in range(25):
            x, y = (float(v) for v in rng.normal(0, spread * 0.5, 2))
            clear = all((x - a) ** 2 + (y - b) ** 2 > (size.height * 1.12) ** 2 for a, b in spots)
            if clear and max(abs(x), abs(y)) < layout.half - size.height:
                break
        else:
            continue
        spots.append((x, y))
        facing = "down" if rng.random() < down else "up"
        tile = place(
            layout,
            0,
            x,
            y,
            track=bag.number(),
            face=bag.face(),
            zone="",
            turn=float(rng.uniform(0, 360)),
            facing=facing,
        )
        tiles.append(tile)
        if rng.random() < 0.04:
            x, y = x + float(rng.normal(0, 5)), y + float(rng.normal(0, 5))
            top = place(layout, 0, x, y, 1, track=bag.number(), face=bag.face(),
                        zone="", turn=float(rng.uniform(0, 360)), facing=facing)  # fmt: skip
            tiles.append(top)
    return tiles


def row_tiles(rng: np.random.Generator, layout: Layout) -> list[Tile]:
    """Tiles packed in rows, upright or mixed, as in a box or a finished hand laid out."""
    bag = _Bag(rng)
    size = layout.size
    rows, columns = int(rng.integers(1, 6)), int(rng.integers(3, 15))
    gap = float(rng.choice([0.2, 0.6, 2.0, 6.0]))
    turn, loose = float(rng.normal(0, 8)), float(rng.choice([0.3, 1.5, 5.0]))
    mixed = rng.random() < 0.3
    a = np.deg2rad(turn)
    tiles = []
    for j in range(rows):
        for i in range(columns):
            if rng.random() < 0.04:
                continue
            x = (i - (columns - 1) / 2) * (size.width + gap)
            y = ((rows - 1) / 2 - j) * (size.height + gap)
            half_turn = 180.0 if mixed and rng.random() < 0.5 else 0.0
            tiles.append(
                place(layout, 0, float(x * np.cos(a) - y * np.sin(a)), float(x * np.sin(a) + y * np.cos(a)), track=bag.number(),
                      face=bag.face(), zone="", turn=turn + half_turn + float(rng.normal(0, loose * 0.4)),
                      facing="down" if rng.random() < 0.03 else "up")
            )  # fmt: skip
    return tiles


def _tray_about(rng: np.random.Generator, tiles: list[Tile], size: TileSize) -> Prop:
    """A tray that the rows lie in."""
    turn = np.deg2rad(float(np.median([t.yaw % 180 if t.yaw % 180 < 90 else t.yaw % 180 - 180 for t in tiles])))
    c, s = np.cos(turn), np.sin(turn)
    across = np.array([t.x * c + t.y * s for t in tiles])
    along = np.array([t.y * c - t.x * s for t in tiles])
    middle = np.array([across.min() + across.max(), along.min() + along.max()]) / 2
    room = 2 * float(rng.uniform(3, 9))
    x, y = middle[0] * c - middle[1] * s, middle[0] * s + middle[1] * c
    colour = _rgb(np.full(3, rng.uniform(15, 60)) if rng.random() < 0.6 else rng.uniform(20, 220, 3))
    return Prop("tray", float(x), float(y), float(np.rad2deg(turn)), float(np.ptp(across) + size.width + room), colour,
                depth=float(np.ptp(along) + size.height + room))  # fmt: skip


def random_scene(
    rng: np.random.Generator, size: tuple[int, int] = (1280, 960), kind: str | None = None, style: Style | None = None
) -> Scene:
    """One invented picture of `size` (width, height); a `style` handed in gives the tile set."""
    kind = kind or str(rng.choice(["game", "pile", "rows"], p=[0.55, 0.2, 0.25]))
    tile = random_size(rng)
    layout = Layout(
        river="rows" if rng.random() < 0.5 else "centre",
        turned=bool(rng.random() < 0.6),
        hand=int(rng.choice([13, 16], p=[0.8, 0.2])),
        size=tile,
        half=tile.width * 13.5,
    )
    if kind == "game":
        tiles = game_tiles(rng, layout)
        camera = random_camera(rng, layout.half * 1.05, size, fill=float(rng.choice([1.0, 1.0, 1.6, 2.6])))
    elif kind == "pile":
        tiles = pile_tiles(rng, layout, int(rng.integers(15, 110)))
        reach = max(max(abs(t.x), abs(t.y)) for t in tiles) + tile.height
        camera = random_camera(rng, reach, size, fill=float(rng.uniform(0.6, 1.3)))
    else:
        tiles = row_tiles(rng, layout)
        reach = max(max(abs(t.x), abs(t.y)) for t in tiles) + tile.height
        camera = random_camera(rng, reach, size, fill=float(rng.uniform(0.6, 1.2)))
    lights, ambient = random_lights(rng)
    props = random_props(rng, layout.half) if kind == "game" else ()
    if kind == "rows" and rng.random() < 0.4:
        props = (_tray_about(rng, tiles, tile),)
    return Scene(
        camera=camera,
        table=random_table(rng, layout.half),
        size=tile,
        style=style or random_style(rng),
        tiles=tuple(tiles),
        props=props,
        hands=random_hands(rng, layout.half),
        lights=lights,
        shades=random_shades(rng, layout.half),
        ambient=ambient,
        gloss=float(rng.choice([0.0, 0.1, 0.3, 0.7])),
        sensor=random_sensor(rng),
        seed=int(rng.integers(1 << 30)),
    )
