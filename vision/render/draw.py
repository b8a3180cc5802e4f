"""Renders a `Scene` in software: numpy and OpenCV, exact truth beside the picture.

Tiles are rounded two-layer boxes in correct perspective, drawn from back to front; a second buffer of numbers tells
how much of each tile's face can be seen. Everything is deterministic for a scene. `Renderer` keeps what scenes of
one table have in common (background, face textures), so that frames of a film cost little.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import cv2
import numpy as np

from vision.render.faces import RED_FIVES, Style, draw_back, draw_face
from vision.render.scene import Camera, Hand, Light, Prop, Scene, Sensor, Shade, Table, Tile, TileSize, rotation
from vision.render.surfaces import floor_texture, table_texture, wall_texture

Rect = tuple[int, int, int, int]  # left, top, right, bottom in pixels, the last two beyond
_SHIFT = 3
_ONE = 1 << _SHIFT
_FACE_TEXTURE = (120, 160)
_CIRCLE = np.stack([np.cos(np.arange(8) * np.pi / 4), np.sin(np.arange(8) * np.pi / 4)], 1)
_SIGNS = np.array([[x, y] for x in (-1, 1) for y in (-1, 1)], float)
SEEN_COSINE = 0.30
COVERED = 0.12
_SHARP = 2.5  # pixels of way while the shutter is open below which nothing is blurred
_RIM = 4  # pixels beyond a polygon's corners that its smooth or soft rim may reach
_LEAST = 7.5  # pixels of the half-size buffer below which a side tells nothing


def _fixed(points: np.ndarray) -> np.ndarray:
    return np.round(points * _ONE).astype(np.int32)


def clipped(rect: Rect, size: tuple[int, int]) -> Rect | None:
    """The part of a rectangle that lies in a picture of `size` (width, height); None: no part of it."""
    x0, y0, x1, y1 = max(0, rect[0]), max(0, rect[1]), min(size[0], rect[2]), min(size[1], rect[3])
    return (x0, y0, x1, y1) if x0 < x1 and y0 < y1 else None


def _bgr(colour: Any) -> np.ndarray:
    return np.asarray(colour, np.float32)[::-1]


def _value(colour: np.ndarray) -> tuple[float, ...]:
    return tuple(float(v) for v in np.clip(colour, 0, 255))


@dataclass(frozen=True)
class Mover:
    """Things that move together: tiles, thrown dice, hands; `smear` is their way on the picture while the shutter is open."""

    tiles: tuple[Tile, ...] = ()
    hands: tuple[Hand, ...] = ()
    props: tuple[Prop, ...] = ()
    smear: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class Numbers:
    """Whose pixel is whose, at half size (0: nobody's, 7 n + 1: tile n, 7 n + 2 + k: its side k, in the order of
    _SIDE_CORNERS), and, where a layer of its own is drawn, what that layer covers, at full size. `drawn`: bounds of the
    polygons drawn, in pixels, for who wants to know."""

    half: np.ndarray
    cover: np.ndarray | None = None
    drawn: list[tuple[float, float, float, float]] = field(default_factory=list)

    def bounds(self, margin: int) -> Rect | None:
        """The part of the picture that was drawn on, with a margin; None where it is empty."""
        if not self.drawn:
            return None
        x0, y0 = np.min([d[:2] for d in self.drawn], axis=0)
        x1, y1 = np.max([d[2:] for d in self.drawn], axis=0)
        size = (2 * self.half.shape[1], 2 * self.half.shape[0])
        return clipped((int(x0) - margin, int(y0) - margin, int(x1) + margin + 1, int(y1) + margin + 1), size)


@dataclass(frozen=True)
class Truth:
    """What a picture shows of one tile.

    Of its six sides one is told: the face where the cosine between its normal and the line of sight is SEEN_COSINE or
    more, else the back where that is so, else the edge that shows most; a face or back of which no more than COVERED is
    visible (the lower tile of a stack) gives way to the edge that shows most, where one shows at all.

    `quad`: four corners (x, y), clockwise on the picture; for a face or back from the tile's top left as it is read
    or looked at; for an edge along the face first, then back along the back. `tile`: a face code, "back" or "edge".
    `facing`: "up", "down" or "standing". `visibility`: share of the quad that is in the picture and uncovered. `cosine`:
    of that side.
    """

    track: int
    tile: str
    face: str
    red: bool
    facing: str
    quad: tuple[tuple[float, float], ...]
    visibility: float
    zone: str
    seat: int | None
    cosine: float = 1.0

    def as_dict(self) -> dict[str, Any]:
        """As a JSON object (lists, not tuples)."""
        return {
            "tile": self.tile,
            "quad": [[round(x, 2), round(y, 2)] for x, y in self.quad],
            "facing": self.facing,
            "visibility": round(self.visibility, 3),
            "zone": self.zone,
            "seat": self.seat,
            "track": self.track,
            "face": self.face,
            "red": self.red,
        }


def _enlarged(camera: Camera, k: int) -> Camera:
    """The same view with k x k pixels for each; pixel middles lie at whole numbers."""
    return replace(
        camera, width=camera.width * k, height=camera.height * k, fx=camera.fx * k, fy=camera.fy * k,
        cx=(camera.cx + 0.5) * k - 0.5, cy=(camera.cy + 0.5) * k - 0.5,
    )  # fmt: skip


def _shrunk(x: float, y: float, k: int) -> tuple[float, float]:
    return (x + 0.5) / k - 0.5, (y + 0.5) / k - 0.5


@lru_cache(maxsize=8)
def _table_texture(table: Table) -> tuple[np.ndarray, float]:
    rgb, scale = table_texture(table)
    return np.ascontiguousarray(rgb[..., ::-1]).astype(np.uint8), scale


@lru_cache(maxsize=8)
def _background(
    camera: Camera, table: Table, lights: tuple[Light, ...], ambient: float, shades: tuple[Shade, ...] = ()
) -> np.ndarray:
    """The empty table and room as this camera sees them: (h, w, 3) uint8 BGR. Cached: never written to."""
    texture, scale = _table_texture(table)
    step = 8
    w, h = camera.width, camera.height
    xs, ys = np.meshgrid(np.arange(0, w + step, step, np.float32), np.arange(0, h + step, step, np.float32))
    grid = np.stack([xs, ys], -1)
    plane = camera.on_plane(grid)
    outer = table.half + table.rail
    u = (plane[..., 0] + outer) * scale - 0.5
    v = (outer - plane[..., 1]) * scale - 0.5
    lit = _plane_light(plane, lights, ambient) * _shaded(plane, shades)
    size = (grid.shape[1] * step, grid.shape[0] * step)

    def full(a: np.ndarray) -> np.ndarray:
        a = np.nan_to_num(a.astype(np.float32), nan=-1e4)
        # Grid values sit at multiples of `step`; resize places them at cell middles, hence the shift back.
        big = cv2.resize(a, size, interpolation=cv2.INTER_LINEAR)
        shift = np.float32([[1, 0, -(step - 1) / 2], [0, 1, -(step - 1) / 2]])
        return cv2.warpAffine(big, shift, (w, h), borderMode=cv2.BORDER_REPLICATE)

    mapx, mapy = cv2.convertMaps(full(u), full(v), cv2.CV_16SC2)
    img = cv2.remap(texture, mapx, mapy, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    level = np.clip(full(lit) * 128, 0, 255).astype(np.uint8)
    img = cv2.multiply(img, cv2.merge([level] * 3), scale=1 / 128)
    inside = cv2.remap(np.full(texture.shape[:2], 255, np.uint8), mapx, mapy, cv2.INTER_LINEAR)
    room = _room(camera, table, grid, size)
    share = inside.astype(np.float32) / 255
    return cv2.blendLinear(img, room, share, 1 - share)


def background_of(scene: Scene) -> np.ndarray:
    """The empty table and room, never to be written to."""
    return _background(scene.camera, scene.table, scene.lights, scene.ambient, scene.shades)


FLOOR, WALL = -700.0, 2000.0  # how far the floor is below the table, and how far the room's walls are from its middle


@lru_cache(maxsize=8)
def _room_textures(table: Table) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    floor = floor_texture(table)
    return floor, cv2.GaussianBlur(floor, (0, 0), 8), wall_texture(table)


def _room(camera: Camera, table: Table, grid: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """Floor and walls round the table."""
    floor, blurred, wall = _room_textures(table)
    plane = camera.on_plane(grid, FLOOR)
    far = ~(np.hypot(plane[..., 0], plane[..., 1]) < WALL)
    plane = np.where(far[..., None], 0.0, plane)
    u, v = (plane[..., 0] / 2600 + 0.5) * 256, (0.5 - plane[..., 1] / 2600) * 256

    def full(a: np.ndarray) -> np.ndarray:
        big = cv2.resize(a.astype(np.float32), size, interpolation=cv2.INTER_LINEAR)
        return np.ascontiguousarray(big[: camera.height, : camera.width])

    mapx, mapy = full(u), full(v)
    picture = cv2.remap(floor, mapx, mapy, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    # Towards the walls the floor is seen so flatly that its grain runs together.
    flat = full(np.clip((np.hypot(plane[..., 0], plane[..., 1]) - 900) / 700, 0, 1))
    distant = cv2.remap(blurred, mapx, mapy, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    picture = cv2.blendLinear(picture, distant, 1 - flat, flat)
    if far.any():
        rays = camera.rays(grid)
        ahead = WALL / np.maximum(np.hypot(rays[..., 0], rays[..., 1]), 1e-6)
        height = camera.position[2] + rays[..., 2] * ahead
        across = full(np.unwrap(np.arctan2(rays[..., 1], rays[..., 0]), axis=1) * WALL)
        texels = 512 / 1800
        behind = cv2.remap(
            wall, across * texels, full((1100 - height) * texels), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
        )
        mask = full(far.astype(np.float32))
        picture = cv2.blendLinear(picture, behind, 1 - mask, mask)
    return picture[..., ::-1].astype(np.uint8)


def _shaded(points: np.ndarray, shades: tuple[Shade, ...]) -> np.ndarray:
    """Share of the light (...) that large soft shadows leave at points (..., 2 or 3)."""
    left = np.ones(points.shape[:-1])
    for shade in shades:
        a = np.deg2rad(shade.yaw)
        x, y = points[..., 0] - shade.x, points[..., 1] - shade.y
        along, across = (x * np.cos(a) + y * np.sin(a)) / shade.long, (y * np.cos(a) - x * np.sin(a)) / shade.wide
        inside = np.clip((1 + shade.soft - np.hypot(along, across)) / max(2 * shade.soft, 1e-3), 0, 1)
        left = left * (1 - shade.depth * inside * inside * (3 - 2 * inside))
    return left


def _plane_light(plane: np.ndarray, lights: tuple[Light, ...], ambient: float) -> np.ndarray:
    points = np.concatenate([plane, np.zeros_like(plane[..., :1])], -1)
    return _light(points, np.broadcast_to([0.0, 0.0, 1.0], points.shape), lights, ambient)


def _light(points: np.ndarray, normals: np.ndarray, lights: tuple[Light, ...], ambient: float) -> np.ndarray:
    """Light on points (..., 3) with normals (..., 3): ambient, mostly from above, and lamps that fade with distance.

    Scaled so that the middle of the table, looking up, gets 1.
    """
    return _raw_light(points, normals, lights, ambient) / _middle_light(lights, ambient)


@lru_cache(maxsize=64)
def _middle_light(lights: tuple[Light, ...], ambient: float) -> float:
    return float(_raw_light(np.zeros((1, 3)), np.array([[0.0, 0.0, 1.0]]), lights, ambient)[0])


def _raw_light(points: np.ndarray, normals: np.ndarray, lights: tuple[Light, ...], ambient: float) -> np.ndarray:
    # What faces sideways gets the light that the table throws back as well.
    total = ambient * (0.92 + 0.08 * normals[..., 2])
    for light in lights:
        to = np.array(light.position) - points
        far = np.sqrt((to * to).sum(-1))
        cosine = np.clip((to * normals).sum(-1) / far, 0, 1)
        reach = float(np.linalg.norm(light.position))
        total = total + light.strength * cosine * np.clip((reach / far) ** 2, 0, 2.5)
    return total


class Faces:
    """Face and back textures of one tile set at several sizes, premultiplied RGBA (BGRA order) with rounded corners."""

    def __init__(self, style: Style, size: TileSize) -> None:
        self.style, self.size = style, size
        self._cache: dict[tuple[str, int], np.ndarray] = {}

    def at(self, face: str, height: float) -> np.ndarray:
        """The texture whose height is next above `height` pixels; `face` may be "back"."""
        level = 0
        while level < 4 and _FACE_TEXTURE[1] / 2 ** (level + 1) >= height * 0.95:
            level += 1
        key = (face, level)
        if key not in self._cache:
            if level:
                self._cache[key] = cv2.resize(
                    self._base(face), None, fx=0.5**level, fy=0.5**level, interpolation=cv2.INTER_AREA
                )
            else:
                self._cache[key] = self._base(face)
        return self._cache[key]

    def _base(self, face: str) -> np.ndarray:
        key = (face, 0)
        if key not in self._cache:
            self._cache[key] = self._draw(face)
        return self._cache[key]

    def _draw(self, face: str) -> np.ndarray:
        w, h = _FACE_TEXTURE
        if face == "back":
            rgb = draw_back(self.style, (w, h))[..., :3].astype(np.float32)
        else:
            ink = draw_face(face, self.style, (w, h)).astype(np.float32)
            a = ink[..., 3:] / 255
            rgb = ink[..., :3] * a + np.array(self.style.body, np.float32) * (1 - a)
        r = int(max(1, self.size.radius / self.size.width * w * 1.1))
        mask = np.zeros((h, w), np.uint8)
        cv2.rectangle(mask, (r, 1), (w - 1 - r, h - 2), 255, -1)
        cv2.rectangle(mask, (1, r), (w - 2, h - 1 - r), 255, -1)
        for x in (r, w - 1 - r):
            for y in (r, h - 1 - r):
                cv2.circle(mask, (x, y), r - 1, 255, -1, cv2.LINE_AA)
        alpha = mask[..., None].astype(np.float32) / 255
        # The rounding turns away from the light: faces darken towards their rim.
        inside = cv2.distanceTransform((mask > 127).astype(np.uint8), cv2.DIST_L2, 3) / w * self.size.width
        rgb *= (1 - 0.2 * np.exp(-((inside / (0.5 * self.size.radius)) ** 2)))[..., None]
        return np.dstack([rgb[..., ::-1] * alpha, alpha * 255]).round().astype(np.uint8)


@dataclass(frozen=True)
class Box:
    """A tile's geometry and light on the picture; pixels (…, 2) unless said otherwise."""

    tile: Tile
    turn: np.ndarray
    centre: np.ndarray
    corners: np.ndarray  # (8, 3) table
    image: np.ndarray  # (8, 2)
    depth: float
    scale: float  # pixels a millimetre
    eye: np.ndarray  # the camera in tile axes, millimetres
    layers: np.ndarray  # (2 materials, 8, 2): middles of the rounding, back and front material
    sides: np.ndarray  # (2 materials, 4 sides, 4, 2): the flat part of each side
    areas: np.ndarray  # (6,): signed areas of face, back, top, bottom, right, left; positive where seen
    cosines: np.ndarray  # (6,): between the same sides' normals and the line of sight
    light: np.ndarray  # (6,): light on the same sides
    shine: tuple[float, float]  # grey levels of reflected lamps on face and back


_CORNERS = np.array([[x, y, z] for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)], float)
_SIDE_CORNERS = np.array([[6, 7, 5, 4], [3, 2, 0, 1], [7, 6, 2, 3], [4, 5, 1, 0], [5, 7, 3, 1], [6, 4, 0, 2]])
_NORMALS = np.array([[0, 0, 1], [0, 0, -1], [0, 1, 0], [0, -1, 0], [1, 0, 0], [-1, 0, 0]], float)


def _areas(quads: np.ndarray) -> np.ndarray:
    """Signed areas of polygons (..., n, 2): positive when clockwise on the picture."""
    x, y = quads[..., 0], quads[..., 1]
    xn, yn = np.concatenate([x[..., 1:], x[..., :1]], -1), np.concatenate([y[..., 1:], y[..., :1]], -1)
    return 0.5 * (x * yn - xn * y).sum(-1)


def _layer_points(size: TileSize, above: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rounding middles (n, 2, 8, 3) and flat sides (n, 2, 4, 4, 3) in tile axes; `above`: the front material is nearer.

    Each material is rounded at the tile's own end and flat where the two meet; the nearer one hides the seam.
    """
    r, q = size.radius, 0.62 * size.radius
    hx, hy, hz = size.width / 2, size.height / 2, size.depth / 2
    split = -hz + size.back
    n = len(above)
    middles = np.empty((n, 2, 8, 3))
    sides = np.empty((n, 2, 4, 4, 3))
    for m, (z0, z1) in enumerate(((-hz, split), (split, hz))):
        near = above if m == 1 else ~above
        a = np.full(n, z0 + r) if m == 0 else z0 + np.where(near, r, 0.0)
        b = np.full(n, z1 - r) if m == 1 else z1 - np.where(near, r, 0.0)
        middles[:, m, :4, :2] = middles[:, m, 4:, :2] = _SIGNS * (hx - r, hy - r)
        middles[:, m, :4, 2], middles[:, m, 4:, 2] = a[:, None], b[:, None]
        za, zb = (z0 + q, z1) if m == 0 else (z0, z1 - q)
        for k, (axis, out) in enumerate(((1, 1), (1, -1), (0, 1), (0, -1))):
            along = (hx if axis else hy) - q
            for c, (s, z) in enumerate(((-1, za), (1, za), (1, zb), (-1, zb))):
                point = (s * along, out * hy, z) if axis else (out * hx, s * along, z)
                sides[:, m, k, c] = point
    return middles, sides


def boxes_of(scene: Scene) -> list[Box]:
    """Tiles on the table, in front of the camera and not wholly outside the picture, with all their points worked out at once."""
    camera, size = scene.camera, scene.size
    if not scene.tiles:
        return []
    half = np.array([size.width, size.height, size.depth]) / 2
    turns = np.stack([rotation(t.yaw, t.pitch, t.roll, t.lean) for t in scene.tiles])
    centres = np.array([[t.x, t.y, t.z] for t in scene.tiles], float)
    corners = np.einsum("nij,kj->nki", turns, _CORNERS * half) + centres[:, None]
    image = camera.project(corners)
    with np.errstate(invalid="ignore"):
        keep = np.isfinite(image).all((1, 2)) & (image.max(1) >= 0).all(-1)
        keep &= (image.min(1) <= (camera.width, camera.height)).all(-1)
    keep &= corners[..., 2].max(1) > 0.5  # what is under the table cannot be seen
    index = np.nonzero(keep)[0]
    turns, centres, corners, image = turns[index], centres[index], corners[index], image[index]
    eyes = np.einsum("nji,nj->ni", turns, np.array(camera.position) - centres)
    middles, sides = _layer_points(size, eyes[:, 2] > -size.depth / 2 + size.back)
    layers = camera.project(np.einsum("nij,nmkj->nmki", turns, middles) + centres[:, None, None])
    flats = camera.project(np.einsum("nij,nmskj->nmski", turns, sides) + centres[:, None, None, None])
    areas = _areas(image[:, _SIDE_CORNERS])
    sight = eyes[:, None] - _NORMALS * half
    cosines = (sight * _NORMALS).sum(-1) / np.linalg.norm(sight, axis=-1)
    normals = np.einsum("nij,kj->nki", turns, _NORMALS)
    light = _light(np.broadcast_to(centres[:, None], normals.shape), normals, scene.lights, scene.ambient)
    light *= _shaded(centres, scene.shades)[:, None]
    low = corners[..., 2].min(1) < 3
    light *= np.where(low[:, None] & (normals[..., 2] < 0.5), 0.94, 1.0)
    shine = _shine(centres, turns[:, :, 2], scene)
    depths = camera.depth(centres)
    return [
        Box(scene.tiles[t], turns[i], centres[i], corners[i], image[i], float(depths[i]), camera.fx / float(depths[i]),
             eyes[i], layers[i], flats[i], areas[i], cosines[i], light[i], (float(shine[i, 0]), float(shine[i, 1])))
        for i, t in enumerate(index)
    ]  # fmt: skip


def in_order(scene: Scene, boxes: list[Box]) -> list[Box]:
    """Tiles from back to front."""
    half = np.array([scene.size.width, scene.size.height, scene.size.depth]) / 2
    return [boxes[i] for i in _order(boxes, np.array(scene.camera.position), half)]


def _order(boxes: list[Box], eye: np.ndarray, half: np.ndarray) -> list[int]:
    """Back-to-front order: of two boxes that overlap on the picture, one that lies wholly behind a side of the other."""
    n = len(boxes)
    if n < 2:
        return list(range(n))
    lo = np.array([b.image.min(0) for b in boxes])
    hi = np.array([b.image.max(0) for b in boxes])
    near = ((lo[:, None] <= hi[None]) & (lo[None] <= hi[:, None])).all(-1)
    np.fill_diagonal(near, False)
    turns = np.stack([b.turn for b in boxes])
    centres = np.stack([b.centre for b in boxes])
    corners = np.stack([b.corners for b in boxes])
    local_eye = np.einsum("nji,nj->ni", turns, eye - centres)
    a, b = np.nonzero(near)
    # Corners of b in the axes of a: b is in front of a when all of them lie beyond a side that faces the camera.
    local = np.einsum("nji,nkj->nki", turns[a], corners[b] - centres[a][:, None])
    slack = 0.3
    beyond_hi = (local > half - slack).all(1) & (local_eye[a] > half)
    beyond_lo = (local < -half + slack).all(1) & (local_eye[a] < -half)
    before = (beyond_hi | beyond_lo).any(1)
    under: list[list[int]] = [[] for _ in range(n)]
    waiting = np.zeros(n, int)
    for i, j, front in zip(a, b, before, strict=True):
        if front:
            under[i].append(int(j))
            waiting[j] += 1
    far_first = np.argsort([-box.depth for box in boxes], kind="stable")
    done = np.zeros(n, bool)
    out: list[int] = []
    while len(out) < n:
        free = [int(i) for i in far_first if not done[i] and waiting[i] == 0]
        if not free:
            free = [next(int(i) for i in far_first if not done[i])]
        for i in free:
            done[i] = True
            out.append(i)
            for j in under[i]:
                waiting[j] -= 1
    return out


class Renderer:
    """Draws scenes; keeps backgrounds and face textures between calls."""

    def __init__(self) -> None:
        self._faces: dict[tuple[Style, TileSize], Faces] = {}
        self._sheets: tuple[np.ndarray, np.ndarray] | None = None

    def render(self, scene: Scene, fine: int = 1) -> tuple[np.ndarray, list[Truth]]:
        """The picture, (h, w, 3) uint8 BGR, and the truth of every tile in it, back to front.

        `fine` 2 or 3 draws at twice or three times the size and takes means: smoother, slower by its square.
        """
        if fine > 1:
            large = replace(scene, camera=_enlarged(scene.camera, fine))
            canvas, ids, boxes = self.compose(large)
            canvas = cv2.resize(canvas, (scene.camera.width, scene.camera.height), interpolation=cv2.INTER_AREA)
            truths = [
                replace(t, quad=tuple(_shrunk(x, y, fine) for x, y in t.quad)) for t in self.truths(boxes, ids)
            ]
            return expose(canvas, scene.sensor, scene.seed), truths
        canvas, ids, boxes = self.compose(scene)
        truths = self.truths(boxes, ids)
        return expose(canvas, scene.sensor, scene.seed), truths

    def compose(self, scene: Scene) -> tuple[np.ndarray, np.ndarray, list[Box]]:
        """The picture before the sensor, the numbers buffer at half size, and the boxes drawn, back to front."""
        canvas, ids, ordered = self.still(scene)
        self.overlay(canvas, ids, scene, [Mover(hands=(hand,)) for hand in scene.hands], lambda track: 0)
        return canvas, ids, ordered

    def still(self, scene: Scene) -> tuple[np.ndarray, np.ndarray, list[Box]]:
        """Table, things and tiles without hands, as `compose`."""
        boxes = boxes_of(scene)
        shade = shade_of(scene, shadows_of(scene, boxes))
        whole = (0, 0, scene.camera.width, scene.camera.height)
        canvas = darkened(background_of(scene), shade, coarse(scene.camera), whole)
        ids = Numbers(np.zeros(((scene.camera.height + 1) // 2, (scene.camera.width + 1) // 2), np.uint16))
        for prop in scene.props:
            draw_prop(canvas, ids, prop, scene)
        ordered = in_order(scene, boxes)
        faces = self.faces(scene.style, scene.size)
        for number, box in enumerate(ordered):
            draw_tile(canvas, ids, box, number, scene, faces)
        return canvas, ids.half, ordered

    def overlay(
        self, canvas: np.ndarray, ids: np.ndarray, scene: Scene, movers: Sequence[Mover], numbers: Callable[[int], int]
    ) -> tuple[list[Box], list[Rect]]:
        """Draws moving things over a still; `numbers` gives a tile's number by its track. Returns the tiles' boxes and which
        parts of the picture were drawn on."""
        groups = [boxes_of(replace(scene, tiles=m.tiles)) for m in movers]
        solids = [c for m in movers for h in m.hands for c in _hand_solids(h)] + [b.corners for g in groups for b in g]
        solids += [prop_corners(p) for m in movers for p in m.props]
        touched = _cast_over(canvas, ids, scene, solids) if solids else []
        for mover, boxes in zip(movers, groups, strict=True):
            boxes.sort(key=lambda b: -b.depth)
            part = self._draw_mover(canvas, ids, scene, mover, boxes, numbers)
            touched += [part] if part else []
        return [box for boxes in groups for box in boxes], touched

    def _draw_mover(
        self, canvas: np.ndarray, ids: np.ndarray, scene: Scene, mover: Mover, boxes: list[Box],
        numbers: Callable[[int], int],
    ) -> Rect | None:  # fmt: skip
        """Draws what moves together, blurred along its way; the part of the picture drawn on."""
        length = float(np.hypot(*mover.smear))
        if length < _SHARP:
            direct = Numbers(ids)
            self._draw_things(canvas, direct, scene, mover, boxes, numbers)
            return direct.bounds(_RIM)
        layer, cover = self._layer(canvas.shape)
        numbered = Numbers(ids, cover)
        self._draw_things(layer, numbered, scene, mover, boxes, numbers)
        drawn = numbered.bounds(_RIM)
        if drawn is None:
            return None
        x, y, w, h = cv2.boundingRect(cover[drawn[1] : drawn[3], drawn[0] : drawn[2]])
        pad, x, y = int(length / 2) + 3, x + drawn[0], y + drawn[1]
        wide = clipped((x - pad, y - pad, x + w + pad, y + h + pad), (canvas.shape[1], canvas.shape[0])) if w else None
        if wide is not None:
            x0, y0, x1, y1 = wide
            patch = _smeared(cv2.merge([layer[y0:y1, x0:x1], cover[y0:y1, x0:x1]]), mover.smear)
            _lay_over(canvas[y0:y1, x0:x1], patch)
        for sheet in (layer, cover):
            sheet[drawn[1] : drawn[3], drawn[0] : drawn[2]] = 0
        return wide

    def _layer(self, shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
        """An empty picture and an empty cover to draw on, to be left empty again."""
        if self._sheets is None or self._sheets[0].shape != shape:
            self._sheets = np.zeros(shape, np.uint8), np.zeros(shape[:2], np.uint8)
        return self._sheets

    def _draw_things(
        self, canvas: np.ndarray, ids: Numbers, scene: Scene, mover: Mover, boxes: list[Box],
        numbers: Callable[[int], int],
    ) -> None:  # fmt: skip
        for prop in mover.props:
            draw_prop(canvas, ids, prop, scene)
        faces = self.faces(scene.style, scene.size)
        for box in boxes:
            draw_tile(canvas, ids, box, numbers(box.tile.track), scene, faces)
        for hand in mover.hands:
            _draw_hand(canvas, ids, hand, scene)

    def truths(self, boxes: Sequence[Box | None], ids: np.ndarray) -> list[Truth]:
        """What the buffer of `still` and `overlay` says of the boxes, in the order of their numbers (None: no such tile)."""
        shown = np.bincount(ids.ravel(), minlength=7 * len(boxes) + 1)[1 : 7 * len(boxes) + 1].reshape(-1, 7)[:, 1:]
        return [_truth(box, pixels) for box, pixels in zip(boxes, shown, strict=True) if box is not None]

    def faces(self, style: Style, size: TileSize) -> Faces:
        """The textures of a tile set, drawn once."""
        key = (style, size)
        if key not in self._faces:
            if len(self._faces) > 6:
                self._faces.pop(next(iter(self._faces)))
            self._faces[key] = Faces(style, size)
        return self._faces[key]


def _truth(box: Box, pixels: np.ndarray) -> Truth:
    """What a picture shows of a tile; `pixels` (6,): how many of the half-size buffer are each side's."""
    side = _told(box, pixels)
    face, red = box.tile.face, box.tile.face in RED_FIVES
    plain = "5" + face[1] if red else face
    label, facing = ((plain, "up"), ("back", "down"), ("edge", "standing"))[min(side, 2)]
    quad = box.image[_SIDE_CORNERS[side]]
    return Truth(
        box.tile.track, label, plain, red, facing, tuple((float(x), float(y)) for x, y in quad),
        _share(quad, int(pixels[side])), box.tile.zone, box.tile.seat, float(box.cosines[side]),
    )  # fmt: skip


def _share(quad: np.ndarray, pixels: int) -> float:
    """Share of a side's quad (full size) that `pixels` of the half-size buffer are."""
    half = (quad / 2).astype(np.float32)
    # Filling counts the pixels on the outline as well: half of them too many.
    area = cv2.contourArea(half) + 0.45 * cv2.arcLength(half, True)
    return min(1.0, pixels / max(area, 1e-6))


def _told(box: Box, pixels: np.ndarray) -> int:
    """The side of a tile that a picture is about, by `Truth`'s rule: an index into _SIDE_CORNERS."""
    edge = 2 + int(np.argmax(pixels[2:]))
    turned = [k for k in (0, 1) if box.cosines[k] >= SEEN_COSINE]
    for k in turned:
        if pixels[edge] < _LEAST or _share(box.image[_SIDE_CORNERS[k]], int(pixels[k])) > COVERED:
            return k
    return edge if pixels[edge] > 0 else 2 + int(np.argmax(box.areas[2:]))


def _lay_over(part: np.ndarray, patch: np.ndarray) -> None:
    """Lays a picture (h, w, 4), its colours multiplied by its cover, over part of another (h, w, 3)."""
    colours = patch.astype(np.float32)
    part[:] = np.clip(part * (1 - colours[..., 3:] / 255) + colours[..., :3], 0, 255)


def _smeared(patch: np.ndarray, way: tuple[float, float]) -> np.ndarray:
    """The mean of a picture moved along `way` (pixels), its own place in the middle; 16 places by four halvings."""
    h, w = patch.shape[:2]
    out = patch
    for k in range(4):
        dx, dy = (v / 2 ** (k + 2) for v in way)
        a, b = (
            cv2.warpAffine(
                out, np.array([[1, 0, s * dx], [0, 1, s * dy]], np.float32), (w, h), borderMode=cv2.BORDER_REPLICATE
            )
            for s in (-1, 1)
        )
        out = cv2.addWeighted(a, 0.5, b, 0.5, 0)
    return out


# ---------------------------------------------------------------- shadows


@dataclass(frozen=True)
class Shadow:
    """Where one thing's shadows fall on the table: outlines in the fixed-point pixels of the small picture shadows are drawn
    in, by lamp, and of where it touches the table; its height, millimetres."""

    casts: tuple[np.ndarray | None, ...]
    foot: np.ndarray | None
    height: float


def coarse(camera: Camera) -> int:
    """Shadows are soft: a quarter of the picture's size will do for them, in small pictures a half."""
    return 4 if camera.width >= 1000 else 2


def _lamps(scene: Scene) -> list[Light]:
    return [light for light in scene.lights if light.strength >= 0.05]


def shadow_of(corners: np.ndarray, scene: Scene, stands: bool) -> Shadow:
    """The shadows of a convex thing with corners (n, 3); `stands`: it darkens the table where it touches it."""
    casts = tuple(_outline(_cast(corners, np.array(light.position)), scene.camera) for light in _lamps(scene))
    flat = corners * (1.0, 1.0, 0.0)
    touches = stands and corners[:, 2].min() < 3
    return Shadow(casts, _outline(flat, scene.camera) if touches else None, float(corners[:, 2].max()))


def _outline(points: np.ndarray, camera: Camera) -> np.ndarray | None:
    pixels = camera.project(points) / coarse(camera)
    return _fixed(cv2.convexHull(pixels.astype(np.float32))[:, 0]) if np.isfinite(pixels).all() else None


def shadows_of(scene: Scene, boxes: list[Box]) -> list[Shadow]:
    """The shadows of tiles and props."""
    props = [shadow_of(prop_corners(prop), scene, False) for prop in scene.props if prop.kind != "card"]
    return [*(shadow_of(box.corners, scene, True) for box in boxes), *props]


def shade_of(scene: Scene, shadows: Sequence[Shadow]) -> np.ndarray:
    """The share of the light, of 255, that soft shadows and the dark line where tiles touch the table leave: a small picture."""
    camera = scene.camera
    k = coarse(camera)
    size = (camera.height // k + 1, camera.width // k + 1)
    height = float(np.mean([shadow.height for shadow in shadows])) if shadows else 20.0
    near = camera.fx / camera_height(camera) / k
    shade = np.full(size, 1.0, np.float32)
    for number, light in enumerate(_lamps(scene)):
        mask = _filled(size, [shadow.casts[number] for shadow in shadows])
        sigma = max(0.8, light.size / max(light.position[2], 1) * height * near * 0.6)
        soft = cv2.GaussianBlur(mask, (0, 0), min(sigma, 12)).astype(np.float32) / 255
        part = light.strength / (scene.ambient + sum(x.strength for x in scene.lights))
        shade *= 1 - soft * part * 0.9
    contact = _filled(size, [shadow.foot for shadow in shadows])
    shade *= 1 - 0.5 * cv2.GaussianBlur(contact, (0, 0), max(0.8, 5 * near)).astype(np.float32) / 255
    return (shade * 255).astype(np.uint8)


def _filled(size: tuple[int, int], outlines: Sequence[np.ndarray | None]) -> np.ndarray:
    mask = np.zeros(size, np.uint8)
    for outline in outlines:
        if outline is not None:
            cv2.fillConvexPoly(mask, outline, 255, cv2.LINE_AA, _SHIFT)
    return mask


def darkened(background: np.ndarray, shade: np.ndarray, k: int, rect: Rect) -> np.ndarray:
    """A part of the background in the small picture of shade, which is `k` times smaller."""
    x0, y0, x1, y1 = rect
    left, top = max(0, x0 // k - 1), max(0, y0 // k - 1)
    small = shade[top : -(-y1 // k) + 1, left : -(-x1 // k) + 1]
    large = cv2.resize(small, None, fx=k, fy=k, interpolation=cv2.INTER_LINEAR)
    part = np.ascontiguousarray(large[y0 - top * k : y1 - top * k, x0 - left * k : x1 - left * k])
    return cv2.multiply(background[y0:y1, x0:x1], cv2.merge([part, part, part]), scale=1 / 255)


def camera_height(camera: Camera) -> float:
    """Distance from the camera to the middle of the table, millimetres."""
    return float(np.linalg.norm(camera.position))


def _cast(corners: np.ndarray, lamp: np.ndarray, level: float = 0.0) -> np.ndarray:
    """Where the shadows of points fall on the plane at height `level`."""
    z = np.clip(corners[:, 2:] - level, 0, (lamp[2] - level) * 0.8)
    fall = corners + (corners - lamp) * (z / (lamp[2] - level - z))
    fall[:, 2] = level
    return fall


def _cast_over(canvas: np.ndarray, ids: np.ndarray, scene: Scene, solids: list[np.ndarray]) -> list[Rect]:
    """Shadows of hands and moving tiles on the table and, a tile's thickness higher, on the tiles; where they fall."""
    touched = []
    for light in scene.lights:
        if light.strength < 0.1:
            continue
        found = _cast_mask(ids, scene, solids, light)
        if found is None:
            continue
        mask, (x0, y0, x1, y1) = found
        sigma = max(0.8, light.size / light.position[2] * 30 * scene.camera.fx / camera_height(scene.camera) / 2)
        weight = light.strength / (scene.ambient + sum(v.strength for v in scene.lights)) * 0.9
        soft = cv2.GaussianBlur(mask, (0, 0), min(sigma, 8))
        target = canvas[2 * y0 : 2 * y1, 2 * x0 : 2 * x1]
        gains = (255 - np.arange(256, dtype=np.float32) * weight).astype(np.uint8)
        gain = cv2.LUT(cv2.resize(soft, target.shape[1::-1], interpolation=cv2.INTER_LINEAR), gains)
        target[:] = cv2.multiply(target, cv2.merge([gain, gain, gain]), scale=1 / 255)
        touched.append((2 * x0, 2 * y0, 2 * x1, 2 * y1))
    return touched


def _cast_mask(
    ids: np.ndarray, scene: Scene, solids: list[np.ndarray], light: Light
) -> tuple[np.ndarray, Rect] | None:
    """The shadow of things held over the table, sharp, and which part of the half-size buffer it is of; None: there is none."""
    size, pad = (ids.shape[1], ids.shape[0]), 12  # a margin lets the shadow's soft rim run out
    levels = [(hulls, on) for hulls, on in ((_cast_hulls(scene, solids, light, 0.0), False),
                                            (_cast_hulls(scene, solids, light, scene.size.depth), True)) if hulls]  # fmt: skip
    if not levels:
        return None
    cloud = np.vstack([hull for hulls, _ in levels for hull in hulls])
    (left, top), (right, bottom) = np.floor(cloud.min(0)).astype(int), np.ceil(cloud.max(0)).astype(int)
    room = clipped((left - pad - 2, top - pad - 2, right + pad + 3, bottom + pad + 3), size)
    if room is None:
        return None
    x0, y0, x1, y1 = room
    tiles = ids[y0:y1, x0:x1] > 0
    mask = np.zeros(tiles.shape, np.uint8)
    for hulls, on_tiles in levels:
        part = np.zeros_like(mask)
        for hull in hulls:
            cv2.fillConvexPoly(part, _fixed(hull - (x0, y0)), 255, cv2.LINE_AA, _SHIFT)
        part[tiles != on_tiles] = 0
        mask |= part
    x, y, w, h = cv2.boundingRect(mask)
    near = clipped((x0 + x - pad, y0 + y - pad, x0 + x + w + pad, y0 + y + h + pad), size) if w else None
    if near is None:
        return None
    return mask[near[1] - y0 : near[3] - y0, near[0] - x0 : near[2] - x0], near


def _cast_hulls(scene: Scene, solids: list[np.ndarray], light: Light, level: float) -> list[np.ndarray]:
    """Outlines of things' shadows on the plane at height `level`, in pixels of the half-size buffer."""
    points = scene.camera.project(_cast(np.vstack(solids), np.array(light.position), level)) / 2
    parts = np.split(points, np.cumsum([len(solid) for solid in solids])[:-1])
    return [cv2.convexHull(part.astype(np.float32))[:, 0] for part in parts if np.isfinite(part).all()]


# ---------------------------------------------------------------- tiles


def draw_tile(canvas: np.ndarray, ids: Numbers, box: Box, number: int, scene: Scene, faces: Faces) -> None:
    """Draws a tile and numbers its pixels."""
    size = scene.size
    tint = 1 + 0.03 * ((box.tile.track * 2654435761 % 997) / 997 - 0.5)
    colours = (_bgr(scene.style.back) * tint, _bgr(scene.style.body) * tint)
    above = box.eye[2] > -size.depth / 2 + size.back
    seen = [k for k in range(4) if box.areas[2 + k] > 0]
    hulls = [_draw_layer(canvas, box, size, m, colours[m], seen) for m in ((0, 1) if above else (1, 0))]
    _fill_ids(ids, cv2.convexHull(np.vstack(hulls))[:, 0], 7 * number + 1)
    # The larger sides last: neighbours share the pixels of their common outline.
    for k in np.argsort(box.areas):
        if box.areas[k] > 0:
            _fill_ids(ids, box.image[_SIDE_CORNERS[k]], 7 * number + 2 + int(k))
    if box.eye[2] > size.depth / 2:
        _draw_surface(canvas, box, faces, box.tile.face, 0, tint)
    elif box.eye[2] < -size.depth / 2:
        _draw_surface(canvas, box, faces, "back", 1, tint)


def _fill_ids(ids: Numbers, polygon: np.ndarray, value: int) -> None:
    # Pixel middles of the half-size buffer lie at odd half pixels of the picture.
    points = np.asarray(polygon, float)
    cv2.fillConvexPoly(ids.half, _fixed((points - 0.5) / 2), value, cv2.LINE_8, _SHIFT)
    if ids.cover is not None:
        cv2.fillConvexPoly(ids.cover, _fixed(points), 255, cv2.LINE_AA, _SHIFT)
    ids.drawn.append((*points.min(0).tolist(), *points.max(0).tolist()))


def _draw_layer(
    canvas: np.ndarray, box: Box, size: TileSize, material: int, colour: np.ndarray, seen: list[int]
) -> np.ndarray:
    """One of the two materials: its rounded outline in the light of its edges, then its flat sides. Returns the outline."""
    cloud = (box.layers[material][:, None] + _CIRCLE[None] * (size.radius * box.scale)).reshape(-1, 2)
    hull = cv2.convexHull(cloud.astype(np.float32))[:, 0]
    end = 0 if material == 1 else 1
    levels = [float(box.light[2 + k]) for k in seen] + [float(box.light[end])]
    cv2.fillConvexPoly(
        canvas, _fixed(hull), _value(colour * (0.35 * min(levels) + 0.65 * max(levels))), cv2.LINE_AA, _SHIFT
    )
    for k in seen:
        shade = colour * float(box.light[2 + k])
        # A flat side's corners would stick out of the rounded outline.
        _, side = cv2.intersectConvexConvex(hull, box.sides[material][k].astype(np.float32))
        if side is not None and len(side) > 2:
            cv2.fillConvexPoly(canvas, _fixed(side[:, 0]), _value(shade), cv2.LINE_AA, _SHIFT)
    return hull


def _draw_surface(canvas: np.ndarray, box: Box, faces: Faces, face: str, which: int, tint: float) -> None:
    """Warps the face (0) or back (1) into its place, shaded, with the lamps' reflections."""
    quad = box.image[_SIDE_CORNERS[which]]
    lo = np.maximum(np.floor(quad.min(0)).astype(int) - 1, 0)
    hi = np.minimum(np.ceil(quad.max(0)).astype(int) + 2, (canvas.shape[1], canvas.shape[0]))
    if (hi - lo <= 1).any():
        return
    tall = max(np.hypot(*(quad[0] - quad[3])), np.hypot(*(quad[1] - quad[2])))
    texture = faces.at(face, float(tall))
    h, w = texture.shape[:2]
    corners = np.array([[-0.5, -0.5], [w - 0.5, -0.5], [w - 0.5, h - 0.5], [-0.5, h - 0.5]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, (quad - lo).astype(np.float32))
    patch = cv2.warpPerspective(texture, matrix, (int(hi[0] - lo[0]), int(hi[1] - lo[1])), flags=cv2.INTER_LINEAR)
    part = canvas[lo[1] : hi[1], lo[0] : hi[0]]
    cover = patch[..., 3:].astype(np.float32) * (1 / 255)
    mixed = part * (1 - cover) + patch[..., :3] * (float(box.light[which]) * tint)
    if box.shine[which] > 1:
        mixed += cover * box.shine[which]
    np.clip(mixed, 0, 255, out=mixed)
    part[:] = mixed


def _shine(centres: np.ndarray, normals: np.ndarray, scene: Scene) -> np.ndarray:
    """Mirror images of the lamps in polished tiles (Blinn's half-way vector), grey levels (n, 2) on face and back."""
    view = np.array(scene.camera.position) - centres
    view /= np.linalg.norm(view, axis=-1, keepdims=True)
    total = np.zeros((len(centres), 2))
    for light in scene.lights:
        to = np.array(light.position) - centres
        to /= np.linalg.norm(to, axis=-1, keepdims=True)
        middle = to + view
        middle /= np.linalg.norm(middle, axis=-1, keepdims=True)
        cosine = (middle * normals).sum(-1)
        total += light.strength * np.clip(np.stack([cosine, -cosine], 1), 0, 1) ** 120
    return 255 * scene.gloss * total


# ---------------------------------------------------------------- other things


def prop_corners(prop: Prop) -> np.ndarray:
    """Corners (8, 3) of the box it fills, table millimetres."""
    w, d, h = _prop_size(prop)
    turn = rotation(prop.yaw)
    return (_CORNERS * np.array([w, d, h]) / 2 + np.array([0, 0, h / 2])) @ turn.T + np.array([prop.x, prop.y, prop.z])


def _prop_size(prop: Prop) -> tuple[float, float, float]:
    s = prop.size
    return {
        "die": (s, s, s),
        "phone": (s * 0.48, s, s * 0.06),
        "chip": (s, s, s * 0.12),
        "cup": (s, s, s * 1.1),
        "ashtray": (s, s, s * 0.25),
        "rack": (s, s * 0.05, s * 0.03),
        "card": (s, s * 0.6, 0.5),
        "marker": (s, s, 0.2),
        "tray": (s, prop.depth, 14.0),
        "book": (s, s * 1.4, s * 0.12),
    }[prop.kind]


def draw_prop(canvas: np.ndarray, ids: Numbers, prop: Prop, scene: Scene) -> None:
    """Draws something else than a tile, which is nobody's pixels."""
    if prop.kind in ("cup", "chip", "ashtray"):
        _draw_round(canvas, ids, prop, scene)
    elif prop.kind == "marker":
        _draw_marker(canvas, prop, scene)
    elif prop.kind == "tray":
        _draw_tray(canvas, prop, scene)
    else:
        _draw_block(canvas, ids, prop, scene)


def _draw_round(canvas: np.ndarray, ids: Numbers, prop: Prop, scene: Scene) -> None:
    w, _, h = _prop_size(prop)
    a = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    circle = np.stack([np.cos(a), np.sin(a), np.zeros(40)], 1) * w / 2
    at = np.array([prop.x, prop.y, prop.z])
    foot, rim = (
        scene.camera.project(circle * k + at + (0, 0, z))
        for k, z in ((0.86 if prop.kind == "cup" else 1.0, 0.0), (1.0, h))
    )
    if not (np.isfinite(foot).all() and np.isfinite(rim).all()):
        return
    colour = _bgr(prop.colour)
    level = 0.96
    body = cv2.convexHull(np.vstack([foot, rim]).astype(np.float32))[:, 0]
    cv2.fillConvexPoly(canvas, _fixed(body), _value(colour * level * 0.72), cv2.LINE_AA, _SHIFT)
    cv2.fillConvexPoly(canvas, _fixed(rim), _value(colour * level), cv2.LINE_AA, _SHIFT)
    middle = rim.mean(0)
    if prop.kind == "cup":
        tea = _bgr((120, 84, 40) if prop.value % 2 else (230, 232, 228))
        cv2.fillConvexPoly(
            canvas, _fixed(middle + (rim - middle) * 0.88), _value(tea * level * 0.7), cv2.LINE_AA, _SHIFT
        )
        cv2.fillConvexPoly(
            canvas, _fixed(middle + (rim - middle) * 0.8 + 1), _value(tea * level * 0.9), cv2.LINE_AA, _SHIFT
        )
    elif prop.kind == "ashtray":
        cv2.fillConvexPoly(
            canvas, _fixed(middle + (rim - middle) * 0.8), _value(colour * level * 0.6), cv2.LINE_AA, _SHIFT
        )
    else:
        cv2.polylines(
            canvas,
            [_fixed(middle + (rim - middle) * 0.72)],
            True,
            _value(_bgr((235, 235, 235)) * level),
            1,
            cv2.LINE_AA,
            _SHIFT,
        )
    _fill_ids(ids, body, 0)


_PIPS = {
    1: [(0, 0)], 2: [(-1, -1), (1, 1)], 3: [(-1, -1), (0, 0), (1, 1)], 4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    5: [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)], 6: [(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
}  # fmt: skip


def _draw_block(canvas: np.ndarray, ids: Numbers, prop: Prop, scene: Scene) -> None:
    corners = prop_corners(prop)
    image = scene.camera.project(corners)
    if not np.isfinite(image).all():
        return
    colour = _bgr(prop.colour)
    level = 0.96
    hull = cv2.convexHull(image.astype(np.float32))[:, 0]
    cv2.fillConvexPoly(canvas, _fixed(hull), _value(colour * level * 0.66), cv2.LINE_AA, _SHIFT)
    top = image[[4, 5, 7, 6]]
    cv2.fillConvexPoly(canvas, _fixed(top), _value(colour * level), cv2.LINE_AA, _SHIFT)
    middle = top.mean(0)
    if prop.kind in ("phone", "book"):
        inside = (24, 26, 30) if prop.kind == "phone" else tuple(255 - c for c in prop.colour)
        share = 0.92 if prop.kind == "phone" else 0.6
        cv2.fillConvexPoly(
            canvas, _fixed(middle + (top - middle) * share), _value(_bgr(inside) * level), cv2.LINE_AA, _SHIFT
        )
    elif prop.kind == "die":
        w, _, h = _prop_size(prop)
        turn = rotation(prop.yaw)
        a = np.linspace(0, 2 * np.pi, 10, endpoint=False)
        red = prop.value in (1, 4)
        r = w * (0.16 if prop.value == 1 else 0.09)
        for x, y in _PIPS[prop.value]:
            ring = np.stack([np.cos(a) * r + x * w * 0.26, np.sin(a) * r + y * w * 0.26, np.full(10, h)], 1)
            pip = scene.camera.project(ring @ turn.T + np.array([prop.x, prop.y, prop.z]))
            cv2.fillConvexPoly(
                canvas, _fixed(pip), _value(_bgr((190, 24, 30) if red else (20, 20, 24)) * level), cv2.LINE_AA, _SHIFT
            )
    _fill_ids(ids, hull, 0)


def _draw_tray(canvas: np.ndarray, prop: Prop, scene: Scene) -> None:
    """A shallow box, its rim higher than its bottom; tiles are drawn over it afterwards."""
    w, d, h = _prop_size(prop)
    turn, at = rotation(prop.yaw), np.array([prop.x, prop.y, prop.z])
    square, colour = np.array([[-0.5, 0.5], [0.5, 0.5], [0.5, -0.5], [-0.5, -0.5]]), _bgr(prop.colour)

    def outline(inset: float, z: float) -> np.ndarray:
        flat = square * (w - 2 * inset, d - 2 * inset)
        return scene.camera.project(np.column_stack([flat, np.full(4, z)]) @ turn.T + at)

    foot, rim, inner, bottom = outline(2.0, 0.0), outline(0.0, h), outline(3.0, h), outline(3.0, 1.0)
    if not (np.isfinite(foot).all() and np.isfinite(rim).all()):
        return
    body = cv2.convexHull(np.vstack([foot, rim]).astype(np.float32))[:, 0]
    for shape, gain in ((body, 0.75), (rim, 1.25), (inner, 0.6), (bottom, 0.9)):
        # The bottom shows only as far as the rim's opening lets it.
        if gain == 0.9:
            _, visible = cv2.intersectConvexConvex(inner.astype(np.float32), shape.astype(np.float32))
            shape = visible[:, 0] if visible is not None and len(visible) > 2 else shape
        cv2.fillConvexPoly(canvas, _fixed(shape), _value(colour * gain + 4 * gain), cv2.LINE_AA, _SHIFT)


def _draw_marker(canvas: np.ndarray, prop: Prop, scene: Scene) -> None:
    """A printed square marker (OpenCV's ArUco 4x4 dictionary, number `value`) on white paper, flat on the table."""
    s = prop.size / 2
    square = np.array([[-s, s, 0.5], [s, s, 0.5], [s, -s, 0.5], [-s, -s, 0.5]])
    at = np.array([prop.x, prop.y, prop.z])
    paper = scene.camera.project((square * (1.3, 1.3, 1.0)) @ rotation(prop.yaw).T + at)
    quad = scene.camera.project(square @ rotation(prop.yaw).T + at)
    if not np.isfinite(paper).all():
        return
    level = 0.96
    cv2.fillConvexPoly(canvas, _fixed(paper), _value(_bgr((238, 238, 236)) * level), cv2.LINE_AA, _SHIFT)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    cells = cv2.aruco.generateImageMarker(dictionary, prop.value, 96)
    source = np.array([[0, 0], [96, 0], [96, 96], [0, 96]], np.float32)
    lo = np.maximum(np.floor(quad.min(0)).astype(int) - 1, 0)
    hi = np.minimum(np.ceil(quad.max(0)).astype(int) + 2, (canvas.shape[1], canvas.shape[0]))
    if (hi - lo <= 1).any():
        return
    size = (int(hi[0] - lo[0]), int(hi[1] - lo[1]))
    matrix = cv2.getPerspectiveTransform(source, (quad - lo).astype(np.float32))
    warped = cv2.warpPerspective(cells, matrix, size, flags=cv2.INTER_AREA, borderValue=255)
    mask = np.zeros(size[::-1], np.uint8)
    cv2.fillConvexPoly(mask, _fixed(quad - lo), 255, cv2.LINE_AA, _SHIFT)
    part = canvas[lo[1] : hi[1], lo[0] : hi[0]]
    cover = mask[..., None].astype(np.float32) / 255
    part[:] = part * (1 - cover) + (warped[..., None] * (level * 0.92) + 12) * cover


# ---------------------------------------------------------------- hands

# A right hand pointing along +y: finger tips near the origin, wrist at about y = -175; millimetres: x, y, z, radius.
_FINGERS = {
    "pinch": [
        [(-14, -86, 18, 11), (-12, -52, 26, 10), (-4, -22, 16, 8.5), (2, -2, 2, 7)],
        [(6, -88, 20, 11), (10, -46, 30, 10), (12, -14, 20, 9), (10, 2, 4, 7)],
        [(26, -92, 18, 10.5), (34, -54, 26, 9.5), (34, -28, 14, 8.5), (28, -20, 2, 7)],
        [(42, -98, 14, 9), (52, -70, 20, 8), (52, -50, 10, 7.5), (46, -44, 0, 6.5)],
        [(-36, -120, 8, 13), (-44, -78, 6, 11), (-26, -36, 4, 9.5), (-12, -10, 2, 8)],
    ],
    "flat": [
        [(-20, -84, 14, 11), (-24, -42, 14, 9.5), (-26, 0, 10, 7.5)],
        [(2, -82, 14, 11), (4, -34, 14, 9.5), (6, 10, 10, 7.5)],
        [(24, -86, 13, 10.5), (32, -42, 13, 9), (38, -4, 9, 7.5)],
        [(42, -96, 11, 9.5), (56, -62, 11, 8), (64, -34, 8, 7)],
        [(-40, -120, 6, 13), (-62, -88, 6, 11), (-72, -58, 5, 9)],
    ],
    "push": [
        [(-20, -70, 16, 11), (-22, -30, 12, 9.5), (-20, 0, 8, 8)],
        [(2, -68, 16, 11), (2, -26, 12, 9.5), (3, 4, 8, 8)],
        [(24, -72, 15, 10.5), (25, -32, 12, 9), (26, 0, 8, 7.5)],
        [(42, -84, 13, 9.5), (46, -50, 11, 8.5), (48, -20, 7, 7)],
        [(-38, -110, 8, 13), (-50, -74, 8, 11), (-44, -44, 6, 9)],
    ],
}  # fmt: skip
_PALM = [
    (-34, -150, 14, 22),
    (-26, -96, 14, 18),
    (8, -92, 16, 18),
    (38, -104, 13, 16),
    (30, -152, 12, 20),
    (0, -128, 16, 26),
]
_WRIST = (0.0, -176.0, 16.0, 27.0)


def _fingers(hand: Hand) -> list[list[tuple[float, float, float, float]]]:
    """The fingers' joints (x, y, z, radius), between those of the open hand and those of the grip."""
    if hand.shut >= 1 or hand.grip == "flat":
        return _FINGERS[hand.grip]
    pairs = zip(_FINGERS["flat"], _FINGERS[hand.grip], strict=True)
    mixed = [_joints(a) * (1 - hand.shut) + _joints(b) * hand.shut for a, b in pairs]
    return [[(float(x), float(y), float(z), float(r)) for x, y, z, r in finger] for finger in mixed]


def _joints(finger: list[tuple[float, float, float, float]]) -> np.ndarray:
    """A finger's joints, one put in between where there are but three."""
    p = np.array(finger)
    return p if len(p) == 4 else np.vstack([p[0], (p[0] + p[1]) / 2, p[1], p[2]])


def _hand_spheres(hand: Hand, points: list[tuple[float, float, float, float]]) -> tuple[np.ndarray, np.ndarray]:
    p = np.array(points, float) * hand.scale
    xyz = p[:, :3] * ((-1 if hand.left else 1), 1, 1)
    return xyz @ rotation(hand.yaw).T + np.array([hand.x, hand.y, hand.z]), p[:, 3]


def _hand_solids(hand: Hand) -> list[np.ndarray]:
    palm, _ = _hand_spheres(hand, _PALM)
    arm, _ = _hand_spheres(hand, [_WRIST, (0, -560, 60, 44)])
    wide = np.array([np.cos(np.deg2rad(hand.yaw)), np.sin(np.deg2rad(hand.yaw)), 0.0]) * 36 * hand.scale
    solids = [palm, np.vstack([arm + wide, arm - wide])]
    for finger in _fingers(hand):
        xyz, r = _hand_spheres(hand, finger)
        solids.append(np.vstack([xyz + wide * 0.22, xyz - wide * 0.22]))
    return solids


def _draw_hand(canvas: np.ndarray, ids: Numbers, hand: Hand, scene: Scene) -> None:
    """Sleeve, arm, palm, fingers: each a run of discs, rounded by light that follows the distance from its edge."""
    level = 0.98
    skin = np.array(hand.skin, np.float32) * level
    sleeve = np.array(hand.sleeve, np.float32) * level
    cuff = -176.0 - hand.bare
    _draw_limb(canvas, ids, hand, scene, [_WRIST, (0, cuff * 0.5 - 88, 22, 30), (0, cuff - 30, 34, 36)], skin, 0.9)
    _draw_limb(
        canvas,
        ids,
        hand,
        scene,
        [(0, cuff, 34, 42), (0, cuff - 190, 60, 54), (0, cuff - 560, 110, 66)],
        sleeve,
        1.0,
        folds=True,
    )
    _draw_limb(canvas, ids, hand, scene, [_PALM[0], _PALM[5], _WRIST], skin, 0.95)
    fingers = _fingers(hand)
    _draw_palm(canvas, ids, hand, scene, skin)
    for finger in [fingers[4], fingers[3], fingers[2], fingers[1], fingers[0]]:
        _draw_limb(canvas, ids, hand, scene, finger, skin, 1.0, nail=True)


def _draw_palm(canvas: np.ndarray, ids: Numbers, hand: Hand, scene: Scene, skin: np.ndarray) -> None:
    xyz, r = _hand_spheres(hand, _PALM)
    points = scene.camera.project(xyz)
    if not np.isfinite(points).all():
        return
    px = r * scene.camera.fx / scene.camera.depth(xyz)
    hull = cv2.convexHull((points[:, None] + _CIRCLE * px[:, None, None]).reshape(-1, 2).astype(np.float32))[:, 0]
    _shade_shape(canvas, ids, [hull], skin, float(px.mean()) * 1.6, scene, soft=True)


def _draw_limb(
    canvas: np.ndarray,
    ids: Numbers,
    hand: Hand,
    scene: Scene,
    points: list[tuple[float, float, float, float]],
    colour: np.ndarray,
    gain: float,
    folds: bool = False,
    nail: bool = False,
) -> None:
    xyz, r = _hand_spheres(hand, points)
    image = scene.camera.project(xyz)
    if not np.isfinite(image).all():
        return
    px = r * scene.camera.fx / scene.camera.depth(xyz)
    a = np.arange(20) * np.pi / 10
    circle = np.stack([np.cos(a), np.sin(a)], 1)
    discs = image[:, None] + circle * px[:, None, None]
    hulls = [
        cv2.convexHull(np.vstack(pair).astype(np.float32))[:, 0] for pair in zip(discs[:-1], discs[1:], strict=True)
    ]
    _shade_shape(canvas, ids, hulls, colour * gain, float(px.max()), scene, folds=folds)
    if nail:
        along = image[-1] - image[-2]
        at = image[-1] + along / max(float(np.hypot(*along)), 1e-6) * px[-1] * 0.25
        axes = (max(1, int(px[-1] * 0.6 * _ONE)), max(1, int(px[-1] * 0.5 * _ONE)))
        angle = float(np.rad2deg(np.arctan2(along[1], along[0])))
        centre = tuple(int(v) for v in _fixed(at))
        cv2.ellipse(canvas, centre, axes, angle, 0, 360, _value(_bgr(colour * 1.08 + 8)), -1, cv2.LINE_AA, _SHIFT)


def _shade_shape(
    canvas: np.ndarray,
    ids: Numbers,
    hulls: list[np.ndarray],
    colour: np.ndarray,
    radius: float,
    scene: Scene,
    folds: bool = False,
    soft: bool = False,
) -> None:
    cloud = np.vstack(hulls)
    lo = np.maximum(np.floor(cloud.min(0)).astype(int) - 2, 0)
    hi = np.minimum(np.ceil(cloud.max(0)).astype(int) + 3, (canvas.shape[1], canvas.shape[0]))
    if (hi - lo <= 2).any():
        return
    mask = np.zeros((hi[1] - lo[1], hi[0] - lo[0]), np.uint8)
    for hull in hulls:
        cv2.fillConvexPoly(mask, _fixed(hull - lo), 255, cv2.LINE_AA, _SHIFT)
        _fill_ids(ids, hull, 0)
    shade = _round_shade(mask, radius, lo, hi, canvas.shape, cloud.mean(0), scene)
    if folds:
        rng = np.random.default_rng([scene.table.seed, int(colour.sum())])
        small = rng.normal(0, 1, (7, 7)).astype(np.float32)
        shade = shade + 0.07 * cv2.resize(small, mask.shape[::-1], interpolation=cv2.INTER_CUBIC)
    part = canvas[lo[1] : hi[1], lo[0] : hi[0]]
    if soft:
        mask = cv2.GaussianBlur(mask, (0, 0), max(0.5, radius * 0.06))
    # Only the rim shows what is below.
    shade, inside = np.clip(shade, 0.3, 1.12), cv2.compare(mask, 255, cv2.CMP_EQ)
    rim = np.nonzero((mask > 0) & (inside == 0))
    cover = mask[rim].astype(np.float32)[:, None] / 255
    edge = np.clip(shade[rim][:, None] * _bgr(colour), 0, 255)
    part[rim] = part[rim] * (1 - cover) + edge * cover
    solid = cv2.merge([np.clip(shade * level, 0, 255).astype(np.uint8) for level in _bgr(colour)])
    cv2.copyTo(solid, inside, part)


def _round_shade(
    mask: np.ndarray,
    radius: float,
    lo: np.ndarray,
    hi: np.ndarray,
    frame: tuple[int, ...],
    middle: np.ndarray,
    scene: Scene,
) -> np.ndarray:
    """Light and shade (h, w) of a mask seen as a round body: its height follows the distance from its edge.

    Large bodies are worked out at half size: their shade is smooth.
    """
    k = 2 if radius > 10 else 1
    small = cv2.resize(mask, None, fx=1 / k, fy=1 / k, interpolation=cv2.INTER_AREA) if k > 1 else mask
    radius = radius / k
    # A pad keeps the picture's border from looking like the edge of the body.
    pad = int(radius) + 2
    top, bottom, left, right = (int(lo[1] == 0), int(hi[1] == frame[0]), int(lo[0] == 0), int(hi[0] == frame[1]))
    solid = cv2.copyMakeBorder(small, pad * top, pad * bottom, pad * left, pad * right, cv2.BORDER_REPLICATE)
    far = cv2.distanceTransform((solid > 127).astype(np.uint8), cv2.DIST_L2, 3)
    far = far[pad * top : far.shape[0] - pad * bottom, pad * left : far.shape[1] - pad * right]
    t = np.clip(far / max(radius, 1.0), 0, 1)
    smooth = cv2.GaussianBlur(np.sqrt(1 - (1 - t) ** 2), (0, 0), max(0.6, radius * 0.22))
    gx, gy = (cv2.Sobel(smooth, cv2.CV_32F, dx, 1 - dx, scale=radius / 8) for dx in (1, 0))
    lamp = scene.camera.project(np.array([scene.lights[0].position])) if scene.lights else np.array([[0.0, 0.0]])
    side = np.nan_to_num(lamp[0], nan=0.0) - middle
    side = (side / max(float(np.hypot(*side)), 1e-6)).astype(np.float32)
    shade = 0.62 + 0.36 * smooth - 0.16 * (gx * side[0] + gy * side[1])
    return cv2.resize(shade, mask.shape[::-1], interpolation=cv2.INTER_LINEAR) if k > 1 else shade


# ---------------------------------------------------------------- the sensor


@lru_cache(maxsize=4)
def _grain(shape: tuple[int, int], key: int) -> np.ndarray:
    rng = np.random.default_rng(key)
    fine = rng.normal(0, 1, (*shape, 3)).astype(np.float32)
    coarse = cv2.GaussianBlur(fine, (0, 0), 0.8)
    return (0.5 * fine + 1.2 * coarse) * 16


def expose(canvas: np.ndarray, sensor: Sensor, seed: int) -> np.ndarray:
    """What the sensor and its file make of the picture; deterministic for `seed`."""
    img = canvas
    if sensor.smear > 0.7:
        img = cv2.filter2D(img, -1, _smear_kernel(sensor.smear, sensor.smear_angle))
    if sensor.blur > 0.25:
        img = cv2.GaussianBlur(img, (0, 0), sensor.blur)
    if sensor.sharpen:
        soft = cv2.GaussianBlur(img, (0, 0), 1.2)
        img = cv2.addWeighted(img, 1 + sensor.sharpen, soft, -sensor.sharpen, 0)
    img = cv2.LUT(img, _curves(sensor))
    if sensor.saturation != 1.0:
        grey = cv2.cvtColor(cv2.cvtColor(img, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        img = cv2.addWeighted(img, sensor.saturation, grey, 1 - sensor.saturation, 0)
    if sensor.vignette > 0.02:
        v = _vignette(img.shape[:2], sensor.vignette)
        img = cv2.multiply(img, v, scale=1 / 255)
    if sensor.noise > 0.2:
        img = noisy(img, sensor.noise, seed)
    if sensor.jpeg:
        img = cv2.imdecode(cv2.imencode(".jpg", img, [cv2.IMWRITE_JPEG_QUALITY, sensor.jpeg])[1], cv2.IMREAD_COLOR)
    return img


def _smear_kernel(length: float, angle: float) -> np.ndarray:
    k = int(np.ceil(length)) | 1
    kernel = np.zeros((k, k), np.float32)
    c = k / 2 - 0.5
    d = np.array([np.cos(np.deg2rad(angle)), np.sin(np.deg2rad(angle))]) * (length - 1) / 2
    a, b = (tuple(int(round(v)) for v in (np.array([c, c]) + s * d) * _ONE) for s in (-1, 1))
    cv2.line(kernel, a, b, 1.0, 1, cv2.LINE_AA, _SHIFT)
    return kernel / max(float(kernel.sum()), 1e-6)


def _curves(sensor: Sensor) -> np.ndarray:
    x = np.arange(256) / 255.0
    out = []
    for gain in sensor.white[::-1]:
        y = np.clip(x * sensor.exposure * gain, 0, None)
        y = np.where(y > 0.85, 0.85 + 0.15 * np.tanh((y - 0.85) / 0.15), y)
        out.append(np.clip(y, 0, 1) ** sensor.gamma * 255)
    return np.stack(out, -1).round().astype(np.uint8)[None]


@lru_cache(maxsize=4)
def _vignette(shape: tuple[int, int], share: float) -> np.ndarray:
    y = np.linspace(-1, 1, shape[0])[:, None]
    x = np.linspace(-1, 1, shape[1])[None]
    v = (255 * (1 - share * (x * x + y * y) / 2)).astype(np.uint8)
    return cv2.merge([v, v, v])


def noisy(img: np.ndarray, level: float, seed: int) -> np.ndarray:
    """A picture with the sensor's noise of `level` grey levels; deterministic for `seed`."""
    more, less = _signed_grain(img.shape[:2], round(level * 2) / 2)
    rng = np.random.default_rng([seed, 5])
    dy, dx = (int(v) for v in rng.integers(0, 64, 2))
    h, w = img.shape[:2]
    brighter = cv2.add(img, more[dy : dy + h, dx : dx + w])
    return cv2.subtract(brighter, less[dy : dy + h, dx : dx + w], dst=brighter)


@lru_cache(maxsize=6)
def _signed_grain(shape: tuple[int, int], level: float) -> tuple[np.ndarray, np.ndarray]:
    """What the grain adds, and what it takes: two pictures of bytes, which are added much faster than one of signed numbers."""
    grain = _grain((512, 512), 9) / 16 * level
    full = np.tile(grain, (shape[0] // 512 + 2, shape[1] // 512 + 2, 1))[: shape[0] + 64, : shape[1] + 64]
    return tuple(np.clip(sign * full, 0, 127).round().astype(np.uint8) for sign in (1, -1))


def render(scene: Scene) -> tuple[np.ndarray, list[Truth]]:
    """One picture with a renderer of its own."""
    return Renderer().render(scene)


__all__ = ["Faces", "Mover", "Renderer", "Truth", "expose", "render"]
