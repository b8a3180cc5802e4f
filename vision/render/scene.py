"""What the camera looks at, as plain data: camera, light, table, tiles with pose and face, other things, hands.

Table coordinates are millimetres, origin in the middle of the table, x to the right and y away from seat 0, z up.
A tile's own axes are x to the right and y up as its face is read, z out of the face; turning it by `yaw` about the
vertical makes it upright for a seat: seat s sits at the side that yaw s * 90 degrees turns seat 0's side to.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from vision.render.faces import Style

Vec3 = tuple[float, float, float]
Rgb = tuple[int, int, int]


@dataclass(frozen=True)
class Camera:
    """A pinhole camera with Brown-Conrady distortion (OpenCV's k1, k2, p1, p2, k3).

    `rotation` is the 3 x 3 matrix, row by row, that turns table axes into camera axes (x right, y down, z ahead);
    `position` is the camera's place in table millimetres.
    """

    width: int
    height: int
    fx: float
    fy: float
    cx: float
    cy: float
    rotation: tuple[Vec3, Vec3, Vec3]
    position: Vec3
    distortion: tuple[float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0)

    def project(self, points: np.ndarray) -> np.ndarray:
        """Pixels (..., 2) of table points (..., 3); points behind the camera come out as not-a-number."""
        p = (np.asarray(points, float) - np.array(self.position)) @ np.array(self.rotation).T
        z = np.where(p[..., 2] > 1.0, p[..., 2], np.nan)
        x, y = p[..., 0] / z, p[..., 1] / z
        if any(self.distortion):
            x, y = _distort(x, y, self.distortion)
        return np.stack([x * self.fx + self.cx, y * self.fy + self.cy], -1)

    def depth(self, points: np.ndarray) -> np.ndarray:
        """Distance ahead of the camera, millimetres."""
        return (np.asarray(points, float) - np.array(self.position)) @ np.array(self.rotation)[2]

    def rays(self, pixels: np.ndarray) -> np.ndarray:
        """Directions (..., 3) in table axes of pixels (..., 2)."""
        p = np.asarray(pixels, float)
        xd, yd = (p[..., 0] - self.cx) / self.fx, (p[..., 1] - self.cy) / self.fy
        x, y = xd, yd
        if any(self.distortion):
            for _ in range(6):
                u, v = _distort(x, y, self.distortion)
                x, y = x + xd - u, y + yd - v
        return np.stack([x, y, np.ones_like(x)], -1) @ np.array(self.rotation)

    def on_plane(self, pixels: np.ndarray, z: float = 0.0) -> np.ndarray:
        """Table points (..., 2) at height z under pixels; not-a-number where the ray does not meet the plane ahead."""
        d = self.rays(pixels)
        with np.errstate(divide="ignore", invalid="ignore"):
            t = (z - self.position[2]) / d[..., 2]
        t = np.where(t > 0, t, np.nan)
        return np.array(self.position)[:2] + d[..., :2] * t[..., None]


def _distort(x: np.ndarray, y: np.ndarray, d: tuple[float, ...]) -> tuple[np.ndarray, np.ndarray]:
    k1, k2, p1, p2, k3 = d
    r2 = np.minimum(x * x + y * y, 4.0)
    radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
    return x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x), y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y


def look_at(
    position: Vec3,
    target: Vec3,
    width: int,
    height: int,
    focal: float,
    roll: float = 0.0,
    up: Vec3 = (0.0, 1.0, 0.0),
    distortion: tuple[float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0),
) -> Camera:
    """A camera at `position` turned to `target`; `focal` in picture widths, `roll` in degrees, `up` towards the top."""
    ahead = np.array(target, float) - np.array(position, float)
    ahead /= np.linalg.norm(ahead)
    right = np.cross(ahead, np.array(up, float))
    right /= np.linalg.norm(right)
    down = np.cross(ahead, right)
    a = np.deg2rad(roll)
    right, down = right * np.cos(a) + down * np.sin(a), down * np.cos(a) - right * np.sin(a)
    rows = tuple(tuple(float(v) for v in axis) for axis in (right, down, ahead))
    f = focal * width
    return Camera(width, height, f, f, width / 2, height / 2, rows, position, distortion)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Light:
    """A lamp or window at a place; `strength` relative to ambient 1; `size` softens its shadow (millimetres)."""

    position: Vec3 = (-600.0, 300.0, 1800.0)
    strength: float = 0.7
    size: float = 300.0


@dataclass(frozen=True)
class Shade:
    """A large soft shadow on the table and what lies on it, of a person or a lamp's arm: an ellipse about (x, y) with half
    axes `long` and `wide` turned by `yaw` degrees; `depth` is the share of light it takes, `soft` how gradually (0 to 1)."""

    x: float
    y: float
    long: float
    wide: float
    yaw: float = 0.0
    depth: float = 0.3
    soft: float = 0.5


@dataclass(frozen=True)
class Table:
    """The table: half the playing field's side, its covering, rails and middle.

    `cover`: "felt", "wood", "mat", "cloth", "plastic" or "newspaper"; `centre`: "none", "unit" (an automatic table's
    dice and buttons) or "plate".
    """

    half: float = 400.0
    cover: str = "felt"
    colour: Rgb = (30, 110, 70)
    rail: float = 60.0
    rail_height: float = 18.0
    rail_colour: Rgb = (70, 46, 30)
    centre: str = "unit"
    centre_half: float = 70.0
    room: Rgb = (120, 110, 100)
    seed: int = 0


@dataclass(frozen=True)
class TileSize:
    """Width, height and thickness of a tile, the thickness of its coloured back, and the rounding, in millimetres."""

    width: float = 30.0
    height: float = 40.0
    depth: float = 22.0
    back: float = 8.0
    radius: float = 3.2


@dataclass(frozen=True)
class Tile:
    """One tile: `track` names it through a film; angles in degrees.

    `pitch` 0 lies face up, 180 face down, 90 stands with its face towards its owner; `lean` turns it in its own
    plane after that, `roll` about its long side.
    """

    track: int
    face: str
    x: float
    y: float
    z: float
    yaw: float = 0.0
    pitch: float = 0.0
    roll: float = 0.0
    lean: float = 0.0
    zone: str = "centre"
    seat: int | None = None


@dataclass(frozen=True)
class Prop:
    """Something else on the table: "die", "cup", "phone", "chip", "ashtray", "rack", "card", "marker", "tray" or "book".

    `size` is its width; its depth follows from it, but for a tray, which is `depth` deep.
    """

    kind: str
    x: float
    y: float
    yaw: float = 0.0
    size: float = 80.0
    colour: Rgb = (200, 60, 50)
    value: int = 1
    z: float = 0.0
    depth: float = 0.0


@dataclass(frozen=True)
class Hand:
    """A hand that comes in from `yaw` (as a seat's), its finger tips at (x, y, z).

    `grip`: "pinch" holds a tile, "flat" covers, "push" shoves with straight fingers; `shut` is how far the open hand (0) has
    closed to it (1).
    """

    x: float
    y: float
    z: float
    yaw: float
    grip: str = "pinch"
    skin: Rgb = (214, 168, 140)
    sleeve: Rgb = (60, 70, 110)
    scale: float = 1.0
    bare: float = 90.0
    left: bool = False
    shut: float = 1.0


@dataclass(frozen=True)
class Sensor:
    """What the camera makes of the light: all figures 0 or 1 mean no change unless said otherwise.

    `exposure` factor, `white` factors of red, green, blue, `gamma`, `saturation`, `noise` in grey levels, `blur`
    in pixels, `sharpen`, `vignette` share lost in the corners, `jpeg` quality (0: none), `smear` motion blur of the
    whole picture in pixels with its direction.
    """

    exposure: float = 1.0
    white: tuple[float, float, float] = (1.0, 1.0, 1.0)
    gamma: float = 1.0
    saturation: float = 1.0
    noise: float = 2.0
    blur: float = 0.0
    sharpen: float = 0.0
    vignette: float = 0.0
    jpeg: int = 0
    smear: float = 0.0
    smear_angle: float = 0.0


@dataclass(frozen=True)
class Scene:
    """One picture to take."""

    camera: Camera
    table: Table = field(default_factory=Table)
    size: TileSize = field(default_factory=TileSize)
    style: Style = field(default_factory=Style)
    tiles: tuple[Tile, ...] = ()
    props: tuple[Prop, ...] = ()
    hands: tuple[Hand, ...] = ()
    lights: tuple[Light, ...] = (Light(),)
    ambient: float = 0.62
    gloss: float = 0.25
    sensor: Sensor = field(default_factory=Sensor)
    seed: int = 0
    shades: tuple[Shade, ...] = ()


def rotation(yaw: float, pitch: float = 0.0, roll: float = 0.0, lean: float = 0.0) -> np.ndarray:
    """The 3 x 3 matrix from tile axes to table axes; angles in degrees as in `Tile`."""
    (cy, cp, cr, cl), (sy, sp, sr, sl) = (f(np.deg2rad([yaw, pitch, roll, lean])) for f in (np.cos, np.sin))
    about_z = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
    about_x = np.array([[1, 0, 0], [0, cp, -sp], [0, sp, cp]])
    about_y = np.array([[cr, 0, sr], [0, 1, 0], [-sr, 0, cr]])
    in_plane = np.array([[cl, -sl, 0], [sl, cl, 0], [0, 0, 1]])
    return about_z @ about_x @ about_y @ in_plane
