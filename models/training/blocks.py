"""Tiles as blocks under a pinhole camera: poses, projection, and layouts as they lie on tables.

Units: a tile is one wide. World axes: x right, y away from the camera, z up; the table is z = 0.
"""

import math
import random
from dataclasses import dataclass

import numpy as np

UP, DOWN, STANDING = "up", "down", "standing"


@dataclass(frozen=True)
class Shape:
    """A set's tile: length and thickness in tile widths, and how much of the thickness is the back's colour."""

    length: float
    thickness: float
    back_share: float


@dataclass(frozen=True)
class Block:
    """One tile: centre (3,), turn about the vertical in radians (0 reads upright for the camera), pose, kind."""

    centre: np.ndarray
    turn: float
    pose: str
    kind: int
    red: bool = False

    def axes(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Unit vectors of the printed face: to its right, down it, and out of it."""
        c, s = math.cos(self.turn), math.sin(self.turn)
        right, towards = np.array([c, s, 0.0]), np.array([s, -c, 0.0])
        up = np.array([0.0, 0.0, 1.0])
        if self.pose == UP:
            return right, towards, up
        if self.pose == DOWN:
            return -right, towards, -up
        return right, -up, towards


@dataclass(frozen=True)
class Camera:
    """Looks at the table's origin from `distance`, `elevation` radians above the table; then a plane affine map."""

    distance: float
    elevation: float
    focal: float
    affine: np.ndarray  # (2, 3)

    @property
    def position(self) -> np.ndarray:
        return np.array([0.0, -self.distance * math.cos(self.elevation), self.distance * math.sin(self.elevation)])

    def project(self, points: np.ndarray) -> np.ndarray:
        """(n, 3) world -> (n, 2) pixels."""
        forward = -self.position / self.distance
        right = np.array([1.0, 0.0, 0.0])
        down = np.cross(forward, right)
        d = points - self.position
        depth = np.maximum(d @ forward, 0.3)[:, None]
        plane = np.stack([d @ right, d @ down], 1) / depth * self.focal
        return (plane @ self.affine[:, :2].T + self.affine[:, 2]).astype(np.float32)


def quads(block: Block, shape: Shape) -> dict[str, np.ndarray]:
    """The six sides as (4, 3) corners. `face` and `back` start at their own top left, clockwise as seen; the others
    run along the printed face's edge first, then back along the back's."""
    right, down, out = block.axes()
    r, d, n = right / 2, down * shape.length / 2, out * shape.thickness / 2
    c = block.centre
    tl, tr, br, bl = c + n - r - d, c + n + r - d, c + n + r + d, c + n - r + d
    ktl, ktr, kbr, kbl = c - n - r - d, c - n + r - d, c - n + r + d, c - n - r + d
    return {
        "face": np.array([tl, tr, br, bl]),
        "back": np.array([ktr, ktl, kbl, kbr]),
        "top": np.array([tr, tl, ktl, ktr]),
        "bottom": np.array([bl, br, kbr, kbl]),
        "left": np.array([tl, bl, kbl, ktl]),
        "right": np.array([br, tr, ktr, kbr]),
    }


def outward(block: Block) -> dict[str, np.ndarray]:
    right, down, out = block.axes()
    return {"face": out, "back": -out, "top": -down, "bottom": down, "left": -right, "right": right}


def seen_sides(block: Block, shape: Shape, eye: np.ndarray) -> dict[str, float]:
    """Sides turned to the camera -> cosine between their normal and the line of sight."""
    sides, normals = quads(block, shape), outward(block)
    cosines = {}
    for name, corners in sides.items():
        sight = eye - corners.mean(0)
        cosine = float(normals[name] @ sight / np.linalg.norm(sight))
        if cosine > 0:
            cosines[name] = cosine
    return cosines


class Layout:
    """Blocks put on the table group by group, none through another."""

    def __init__(self, shape: Shape, rng: random.Random) -> None:
        self.shape, self.rng, self.blocks = shape, rng, []

    def add(self, group: list[Block], spacing: float = 0.9) -> bool:
        """Add a group if it keeps clear of what lies there."""
        if self.blocks and group:
            there = np.array([b.centre[:2] for b in self.blocks])
            new = np.array([b.centre[:2] for b in group])
            if np.hypot(*(there[:, None] - new[None]).transpose(2, 0, 1)).min() < spacing:
                return False
        self.blocks += group
        return True

    def height(self, pose: str) -> float:
        return (self.shape.length if pose == STANDING else self.shape.thickness) / 2

    def row(self, at: tuple[float, float], turn: float, kinds: list[tuple[int, bool]], pose: str, gap: float = 0.02,
            across: float | None = None, layers: int = 1, loose: float = 0.012) -> list[Block]:  # fmt: skip
        """Tiles side by side along the row's direction, `layers` high."""
        rng, step = self.rng, (across or 1.0) + gap
        along = np.array([math.cos(turn), math.sin(turn)])
        blocks, per_layer = [], len(kinds) // layers
        for layer in range(layers):
            for i in range(per_layer):
                kind, red = kinds[layer * per_layer + i]
                place = np.array(at) + along * (i - (per_layer - 1) / 2) * step
                place = place + np.array([rng.gauss(0, loose), rng.gauss(0, loose)])
                z = self.height(pose) * (1 + 2 * layer)
                blocks.append(Block(np.array([*place, z]), turn + rng.gauss(0, 0.012), pose, kind, red))
        return blocks

    def grid(self, at: tuple[float, float], turn: float, kinds: list[tuple[int, bool]], columns: int, pose: str,
             gap: float, row_gap: float) -> list[Block]:  # fmt: skip
        """Rows below each other, as in a tray or a river of discards."""
        down = np.array([math.sin(turn), -math.cos(turn)])
        rows = [kinds[i : i + columns] for i in range(0, len(kinds), columns)]
        blocks = []
        for j, row in enumerate(rows):
            place = np.array(at) + down * (j - (len(rows) - 1) / 2) * (self.shape.length + row_gap)
            blocks += self.row((place[0], place[1]), turn, row, pose, gap)
        return blocks

    def scatter(self, at: tuple[float, float], radius: float, kinds: list[tuple[int, bool]], down_share: float,
                spacing: float, turn: float | None) -> None:  # fmt: skip
        """A loose pool; with `turn`, only quarter turns from it."""
        rng = self.rng
        for kind, red in kinds:
            place = np.array(at) + np.array([rng.uniform(-1, 1), rng.uniform(-1, 1)]) * radius
            quarter = rng.choice((0, 0.5, 1, 1.5)) * math.pi
            angle = rng.uniform(0, 2 * math.pi) if turn is None else turn + quarter + rng.gauss(0, 0.08)
            pose = DOWN if rng.random() < down_share else UP
            self.add([Block(np.array([*place, self.height(pose)]), angle, pose, kind, red)], spacing)
