"""Photographs of finished hands, as a player takes them, with the truth beside each.

A hand is an object {"hand", "melds", "bonus", "win"} in the notation and with the melds of the hand record; what a
photo cannot show (seat, source) is not in it. The row stands towards the camera or lies, melds lie beside it with the
claimed tile turned towards its giver, a concealed kong shows backs, bonus tiles lie apart, the winning tile is set off.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from referee.rules.tiles import NAMES, parse, write
from vision.render.draw import Renderer, Truth
from vision.render.faces import Style
from vision.render.layout import Layout, meld_shape, meld_width, place
from vision.render.scene import Camera, Scene, Tile, TileSize, look_at
from vision.render.scenes import random_lights, random_props, random_sensor, random_shades, random_size, random_table
from vision.render.styles import random_style

IN_A_ROW = 9  # tiles of a set laid out


@dataclass(frozen=True)
class Arrangement:
    """How a player lays a finished hand out.

    `row` "standing" or "lying"; `melds` "right", "left", "behind" or "before" the row (before: nearer the player);
    `bonus` the same; `win` "right" of the row or "above" it; `gap` between groups and `loose` carelessness, in shares
    of a tile's width; `turned` whether a claimed tile shows its giver; `closed_kong` which of a concealed kong's tiles lie
    face down.
    """

    row: str = "lying"
    melds: str = "right"
    bonus: str = "behind"
    win: str = "right"
    gap: float = 0.7
    loose: float = 0.02
    turned: bool = True
    closed_kong: tuple[bool, ...] = (True, False, False, True)


@dataclass(frozen=True)
class Photo:
    """A rendered photograph and everything that is true of it."""

    picture: np.ndarray
    tiles: tuple[Truth, ...]
    hand: Mapping[str, Any]
    arrangement: Arrangement


def _faces(text: str) -> list[str]:
    return [NAMES[t] for t in parse(text)]


def random_hand(rng: np.random.Generator, size: int = 13) -> dict[str, Any]:
    """A finished hand of four sets (five with `size` 16) and a pair, or of seven pairs now and then, bonus tiles aside."""
    left = np.full(34, 4)
    if size == 13 and rng.random() < 0.08:
        pairs = [int(v) for v in rng.choice(34, 7, replace=False)]
        tiles = [t for t in pairs for _ in range(2)]
        rng.shuffle(tiles)
        return _hand_object(tiles[:-1], [], _random_bonus(rng), tiles[-1])
    melds: list[dict[str, Any]] = []
    concealed: list[int] = []
    for _ in range((size - 1) // 3):
        exposed = rng.random() < 0.35
        kind, tiles = _random_set(rng, left, exposed)
        if not exposed and kind != "concealed_kong":
            concealed += tiles
            continue
        melds.append(_random_meld(rng, kind, tiles))
    pair = int(rng.choice(np.nonzero(left >= 2)[0]))
    concealed += [pair, pair]
    win = concealed.pop(int(rng.integers(len(concealed))))
    return _hand_object(concealed, melds, _random_bonus(rng), win)


def _random_bonus(rng: np.random.Generator) -> list[int]:
    count = int(rng.choice([0, 1, 2, 3, 4], p=[0.45, 0.25, 0.15, 0.1, 0.05]))
    return sorted(int(v) for v in rng.choice(np.arange(34, 42), count, replace=False))


def _random_set(rng: np.random.Generator, left: np.ndarray, exposed: bool) -> tuple[str, list[int]]:
    while True:
        if rng.random() < 0.5:
            low = int(rng.integers(3)) * 9 + int(rng.integers(7))
            tiles = [low, low + 1, low + 2]
            kind = "chow"
        else:
            t = int(rng.integers(34))
            four = rng.random() < 0.16
            kind = (
                str(rng.choice(["kong", "added_kong"])) if four and exposed else ("concealed_kong" if four else "pung")
            )
            tiles = [t] * (4 if four else 3)
        need = np.bincount(tiles, minlength=34)
        if (left >= need).all():
            left -= need
            return kind, tiles


def _random_meld(rng: np.random.Generator, kind: str, tiles: list[int]) -> dict[str, Any]:
    meld: dict[str, Any] = {"kind": kind, "tiles": write(tiles)}
    if kind != "concealed_kong":
        claimed = tiles[int(rng.integers(3))]
        meld |= {"claimed": NAMES[claimed], "from": 3 if kind == "chow" else int(rng.integers(1, 4))}
    return meld


def _hand_object(concealed: list[int], melds: list[dict[str, Any]], bonus: list[int], win: int) -> dict[str, Any]:
    return {"hand": write(sorted(concealed)), "melds": melds, "bonus": write(bonus), "win": NAMES[win]}


def arranged(chosen: Mapping[str, Any]) -> Mapping[str, Any]:
    """What is settled of an arrangement, checked. Raises ValueError for a name or value that `Arrangement` does not know."""
    sides = ("right", "left", "behind", "before")
    known: dict[str, tuple[Any, ...]] = {
        "row": ("standing", "lying"), "melds": sides, "bonus": sides, "win": ("right", "above"), "turned": (True, False),
    }  # fmt: skip
    for name, value in chosen.items():
        if name not in known:
            raise ValueError(f"no custom {name!r}; known: {', '.join(known)}")
        if value not in known[name]:
            raise ValueError(
                f"{name}: one of {', '.join(str(v).lower() for v in known[name])} is expected, not {value!r}"
            )
    return chosen


def random_arrangement(rng: np.random.Generator) -> Arrangement:
    """One of the ways players lay hands out."""
    return Arrangement(
        row="standing" if rng.random() < 0.35 else "lying",
        melds=str(rng.choice(["right", "left", "behind", "before"], p=[0.45, 0.1, 0.25, 0.2])),
        bonus=str(rng.choice(["right", "left", "behind", "before"], p=[0.15, 0.2, 0.45, 0.2])),
        win=str(rng.choice(["right", "above"], p=[0.85, 0.15])),
        gap=float(rng.uniform(0.55, 1.4)),
        loose=float(rng.choice([0.01, 0.03, 0.08])),
    )


class _Ground:
    """Lays tiles and remembers the space they take, in millimetres before the player (x right, y away)."""

    def __init__(self, rng: np.random.Generator, layout: Layout, loose: float) -> None:
        self.rng, self.layout, self.loose = rng, layout, loose
        self.tiles: list[Tile] = []

    def lay(
        self, face: str, x: float, y: float, zone: str, facing: str = "up", turn: float = 0.0, level: int = 0
    ) -> None:
        w = self.layout.size.width
        dx, dy = self.rng.normal(0, self.loose * w, 2) * (0.35, 1.0)
        crooked = 0.0 if facing == "standing" else float(self.rng.normal(0, self.loose * 20))
        tile = place(
            self.layout, 0, x + float(dx), y + float(dy), level, track=len(self.tiles), face=face, zone=zone,
            turn=turn + crooked, facing=facing,
        )  # fmt: skip
        self.tiles.append(replace(tile, zone=zone))

    def row(self, faces: Sequence[str], x: float, y: float, zone: str, facing: str = "up") -> float:
        """Lays a row from x to the right; returns its right end."""
        pitch = self.layout.pitch
        for i, face in enumerate(faces):
            self.lay(face, x + (i + 0.5) * pitch, y, zone, facing)
        return x + len(faces) * pitch

    def meld(self, meld: Mapping[str, Any], x: float, y: float, turned: bool) -> float:
        faces = _faces(meld["tiles"])
        kind, giver = meld["kind"], meld.get("from") if turned else None
        if meld.get("claimed"):
            faces.remove(meld["claimed"])
            faces.insert(0, meld["claimed"])
        shape = meld_shape(self.layout, kind, giver, 0, len(faces))
        for face, spot in zip(faces, shape, strict=True):
            side = 90.0 if spot.turned else 0.0
            self.lay(face, x + spot.x, y + spot.y, "meld", "down" if spot.down else "up", side, spot.level)
        return x + meld_width(self.layout, shape)


def lay_out(
    rng: np.random.Generator,
    hand: Mapping[str, Any],
    layout: Layout,
    arrangement: Arrangement,
    drawn_apart: bool = True,
) -> list[Tile]:
    """The tiles of a hand, laid out before the player at the bottom; zones "hand", "win", "meld", "bonus"."""
    ground = _Ground(rng, layout, arrangement.loose)
    gap = arrangement.gap * layout.size.width
    facing = "standing" if arrangement.row == "standing" else "up"
    concealed = _faces(hand["hand"])
    right = ground.row(concealed, 0.0, 0.0, "hand", facing)
    if hand.get("win"):
        win = _faces(hand["win"])[0]
        if arrangement.win == "above" and facing == "up":
            ground.lay(win, right / 2, layout.size.height + gap, "win")
        else:
            spot = right + (gap if drawn_apart else 0.0)
            lying = facing == "up" or rng.random() < 0.3
            ground.lay(win, spot + layout.pitch / 2, 0.0, "win", "up" if lying else "standing")
            right = spot + layout.pitch
    _groups(ground, hand, arrangement, right, gap, facing)
    return ground.tiles


def _groups(
    ground: _Ground, hand: Mapping[str, Any], arrangement: Arrangement, right: float, gap: float, facing: str
) -> None:
    """Melds and bonus tiles round the row."""
    layout = ground.layout
    step = layout.size.height * (2.0 if facing == "standing" else 1.0) + gap
    above = 1.0 if arrangement.win == "above" and facing == "up" and hand.get("win") else 0.0
    levels = {"behind": step + above * (layout.size.height + gap), "before": -step}
    ends = {"right": right + gap, "left": -gap, "behind": 0.0, "before": 0.0}

    def start(where: str, width: float) -> tuple[float, float]:
        if where == "left":
            ends["left"] -= width
            x = ends["left"]
            ends["left"] -= gap
            return x, 0.0
        x = ends[where]
        ends[where] += width + gap
        return x, levels.get(where, 0.0)

    for meld in hand.get("melds", ()):
        giver = meld.get("from") if arrangement.turned else None
        width = meld_width(layout, meld_shape(layout, meld["kind"], giver, 0, len(_faces(meld["tiles"]))))
        x, y = start(arrangement.melds, width)
        ground.meld(meld, x, y, arrangement.turned)
    bonus = _faces(hand.get("bonus", ""))
    if bonus:
        x, y = start(arrangement.bonus, len(bonus) * layout.pitch)
        ground.row(bonus, x, y, "bonus")


def player_camera(rng: np.random.Generator, tiles: Iterable[Tile], layout: Layout, size: tuple[int, int]) -> Camera:
    """A phone before the player that has all tiles in the picture, more from the front where the row stands."""
    tiles = list(tiles)
    standing = any(t.pitch == 90 for t in tiles)
    points = np.array([[t.x, t.y, t.z] for t in tiles])
    low, high = points.min(0), points.max(0)
    middle = (low + high) / 2
    tilt = np.deg2rad(rng.uniform(38, 76) if standing else min(60.0, abs(rng.normal(0, 26))))
    yaw = np.deg2rad(rng.normal(0, 9))
    focal = float(rng.uniform(0.68, 1.1))
    ahead = np.array([np.sin(tilt) * np.sin(yaw), -np.sin(tilt) * np.cos(yaw), np.cos(tilt)])
    roll = float(rng.normal(0, 3))
    margin = rng.uniform(0.03, 0.12)
    reach = np.array([layout.size.height, layout.size.height, layout.size.depth]) / 2
    cloud = np.concatenate([points + reach * s for s in ((-1, -1, -1), (1, -1, 1), (-1, 1, 1), (1, 1, -1))])
    bend = float(rng.normal(-0.03, 0.03))
    distance = 150.0
    for _ in range(60):
        eye = middle + ahead * distance
        camera = look_at(
            (float(eye[0]), float(eye[1]), float(eye[2])), (float(middle[0]), float(middle[1]), 0.0), *size, focal, roll,
            up=(0.0, 1.0, 0.15), distortion=(bend, 0.0, 0.0, 0.0, 0.0),
        )  # fmt: skip
        pixels = camera.project(cloud)
        room = np.array(size) * margin
        if np.isfinite(pixels).all() and (pixels > room).all() and (pixels < np.array(size) - room).all():
            return camera
        distance *= 1.06
    return camera


def photograph(
    rng: np.random.Generator,
    hand: Mapping[str, Any],
    *,
    size: tuple[int, int] = (1600, 1200),
    style: Style | None = None,
    arrangement: Arrangement | None = None,
    renderer: Renderer | None = None,
    clutter: bool = False,
) -> Photo:
    """One photograph of a hand; everything not handed in is invented by `rng`.

    `clutter` adds tiles of the table that are not the hand's, further off, in the zone "other".
    """
    arrangement = arrangement or random_arrangement(rng)
    scene = photo_scene(rng, hand, arrangement, size=size, style=style, clutter=clutter)
    picture, truths = (renderer or Renderer()).render(scene)
    return Photo(picture, tuple(truths), _visible_truth(hand, arrangement), arrangement)


def photo_scene(
    rng: np.random.Generator,
    hand: Mapping[str, Any],
    arrangement: Arrangement,
    *,
    size: tuple[int, int] = (1600, 1200),
    style: Style | None = None,
    clutter: bool = False,
) -> Scene:
    """What `photograph` takes its picture of."""
    tile = random_size(rng)
    layout = Layout(size=tile, half=tile.width * 13.5, closed_kong=arrangement.closed_kong)
    tiles = lay_out(rng, hand, layout, arrangement)
    return _on_a_table(rng, tiles, layout, size, style, clutter)


def write_set_photo(
    path: Path, seed: int, faces: Sequence[str], tile: TileSize, style: Style, size: tuple[int, int] = (1600, 1200)
) -> None:
    """Writes a photograph of a tile set's `faces`, once each in rows of nine, as somebody takes it to enrol the set.

    Raises OSError where it cannot be written.
    """
    rng = np.random.default_rng([seed, 31])
    layout = Layout(size=tile, half=tile.width * 13.5)
    ground = _Ground(rng, layout, loose=0.01)
    for row, first in enumerate(range(0, len(faces), IN_A_ROW)):
        ground.row(faces[first : first + IN_A_ROW], 0.0, -1.35 * row * tile.height, "hand")
    picture, _ = Renderer().render(_on_a_table(rng, ground.tiles, layout, size, style))
    if not cv2.imwrite(str(path), picture):
        raise OSError(f"{path}: cannot be written")


def _on_a_table(
    rng: np.random.Generator,
    tiles: list[Tile],
    layout: Layout,
    size: tuple[int, int],
    style: Style | None,
    clutter: bool = False,
) -> Scene:
    """The tiles on some table, a phone over them."""
    xy = np.array([[t.x, t.y] for t in tiles])
    shift = (xy.min(0) + xy.max(0)) / 2
    spot = np.array([rng.normal(0, 0.1 * layout.half), -rng.uniform(0.0, 0.5) * layout.half])
    tiles = [replace(t, x=float(t.x + spot[0] - shift[0]), y=float(t.y + spot[1] - shift[1])) for t in tiles]
    camera = player_camera(rng, tiles, layout, size)
    if clutter:
        tiles += _strangers(rng, layout, tiles)
    lights, ambient = random_lights(rng)
    table = replace(random_table(rng, layout.half), centre="none")
    return Scene(
        camera=camera,
        table=table,
        size=layout.size,
        style=style or random_style(rng),
        tiles=tuple(tiles),
        props=tuple(p for p in random_props(rng, layout.half) if p.kind != "die" and abs(p.y) > 0.9 * layout.half),
        lights=lights,
        shades=random_shades(rng, layout.half),
        ambient=ambient,
        gloss=float(rng.choice([0.0, 0.15, 0.4])),
        sensor=random_sensor(rng, jpeg=False),
        seed=int(rng.integers(1 << 30)),
    )


def _strangers(rng: np.random.Generator, layout: Layout, tiles: Sequence[Tile]) -> list[Tile]:
    """Discards beyond the hand and perhaps a piece of the wall."""
    far = max(t.y for t in tiles) + 2.2 * layout.size.height
    left, right = min(t.x for t in tiles), max(t.x for t in tiles)
    out: list[Tile] = []
    if rng.random() < 0.5:
        for i in range(int(rng.integers(3, 12))):
            for level in (0, 1):
                spot = place(
                    layout, 0, left + i * layout.pitch, far, level, track=0, face="1m", zone="other", facing="down"
                )
                out.append(spot)
        far += 1.6 * layout.size.height
    for _ in range(int(rng.integers(2, 16))):
        x, y = float(rng.uniform(left, right)), far + float(rng.uniform(0, 6)) * layout.size.height
        if all((x - t.x) ** 2 + (y - t.y) ** 2 > (1.4 * layout.size.height) ** 2 for t in out):
            face = NAMES[int(rng.integers(34))]
            out.append(place(layout, 0, x, y, track=0, face=face, zone="other", turn=float(rng.uniform(0, 360))))
    return [replace(t, track=1000 + i, zone="other", seat=None) for i, t in enumerate(out)]


def _visible_truth(hand: Mapping[str, Any], arrangement: Arrangement) -> dict[str, Any]:
    """The hand as it can be told from the photo: without givers where the custom does not show them."""
    melds = [dict(m) for m in hand.get("melds", ())]
    if not arrangement.turned:
        for meld in melds:
            meld.pop("from", None)
            meld.pop("claimed", None)
    return {"hand": hand["hand"], "melds": melds, "bonus": hand.get("bonus", ""), "win": hand.get("win")}


def render_photos(
    out_dir: str | Path,
    seed: int,
    count: int,
    hands: Sequence[Mapping[str, Any]] | None = None,
    *,
    size: tuple[int, int] = (1600, 1200),
    hand_size: int = 13,
    clutter: bool = False,
    customs: Mapping[str, Any] | None = None,
) -> list[Path]:
    """Writes `count` photographs and annotations.jsonl into `out_dir`; returns the pictures' paths.

    `hands` are used in turn where given, else invented; `customs` are fields of every `Arrangement`, the others being
    invented. A line of the annotations is {"image", "width", "height",
    "tiles": [as `referee see` writes them, with "visibility", "zone", "face" and "red" besides], "hand": {...}}.
    """
    out = Path(out_dir)
    out.mkdir(parents=True, exist_ok=True)
    paths = []
    with (out / "annotations.jsonl").open("w", encoding="utf-8") as lines:
        for i in range(count):
            rng = np.random.default_rng([seed, i])
            hand = hands[i % len(hands)] if hands else random_hand(rng, hand_size)
            arrangement = replace(random_arrangement(rng), **(customs or {}))
            photo = photograph(rng, hand, size=size, clutter=clutter, arrangement=arrangement)
            path = out / f"photo-{i:04d}.jpg"
            cv2.imwrite(str(path), photo.picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(80, 96))])
            row = {
                "image": path.name, "width": size[0], "height": size[1],
                "tiles": [t.as_dict() for t in photo.tiles], "hand": photo.hand,
            }  # fmt: skip
            lines.write(json.dumps(row, ensure_ascii=False) + "\n")
            paths.append(path)
    return paths
