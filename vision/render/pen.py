"""A small vector canvas: shapes in face units, drawn supersampled, returned as RGBA."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np

from vision.render.strokes import Hand, curve, glyph_pieces

Colour = tuple[int, int, int]
CLEAR: Colour | None = None
WIDTH, HEIGHT = 100.0, 133.0
_SHIFT = 4


class Pen:
    """Draws in a box of 100 x 133 units (y down) on a transparent ground; colour None rubs out."""

    def __init__(self, size: tuple[int, int], supersample: int = 4) -> None:
        self.size = size
        w, h = size[0] * supersample, size[1] * supersample
        self.image = np.zeros((h, w, 4), np.uint8)
        self._whole = np.array([w / WIDTH, h / HEIGHT])
        self.inset(0.0)

    def inset(self, margin: float) -> None:
        """Draws from now on within a margin, a share of the size left free on every side."""
        self.scale = self._whole * (1 - 2 * margin)
        self.origin = self._whole * (WIDTH, HEIGHT) * margin

    def _colour(self, colour: Colour | None) -> tuple[int, ...]:
        return (0, 0, 0, 0) if colour is None else (*(int(c) for c in colour), 255)

    def _fixed(self, points: np.ndarray) -> np.ndarray:
        return np.round((np.asarray(points, float) * self.scale + self.origin) * (1 << _SHIFT)).astype(np.int32)

    def fill(self, points: Sequence[Sequence[float]] | np.ndarray, colour: Colour | None) -> None:
        """Fills a polygon, (n, 2) units."""
        cv2.fillPoly(self.image, [self._fixed(np.asarray(points))], self._colour(colour), cv2.LINE_8, _SHIFT)

    def pieces(self, shapes: Iterable[np.ndarray], colour: Colour | None) -> None:
        """Fills convex polygons."""
        value = self._colour(colour)
        for shape in shapes:
            cv2.fillConvexPoly(self.image, self._fixed(shape), value, cv2.LINE_8, _SHIFT)

    def ellipse(
        self, centre: Sequence[float], radii: Sequence[float], colour: Colour | None, turn: float = 0.0
    ) -> None:
        """Fills an ellipse; `turn` in degrees, clockwise on the picture."""
        a = np.linspace(0, 2 * np.pi, 48, endpoint=False)
        self.fill(turned(np.stack([np.cos(a) * radii[0], np.sin(a) * radii[1]], 1), turn) + np.asarray(centre), colour)

    def disc(self, centre: Sequence[float], radius: float, colour: Colour | None) -> None:
        """Fills a circle."""
        self.ellipse(centre, (radius, radius), colour)

    def ring(self, centre: Sequence[float], radius: float, width: float, colour: Colour | None) -> None:
        """A circle line: `radius` to the outside, `width` inwards."""
        a = np.linspace(0, 2 * np.pi, 49)
        circle = np.stack([np.cos(a), np.sin(a)], 1)
        self.stroke(circle * (radius - width / 2) + np.asarray(centre), width, colour)

    def stroke(
        self, points: Sequence[Sequence[float]] | np.ndarray, width: float | Sequence[float], colour: Colour | None
    ) -> None:
        """A line through points, of one width or of widths given along its length."""
        path = np.asarray(points, float)
        widths = (
            np.broadcast_to(np.asarray(width, float), (len(path),))
            if np.ndim(width) == 0
            else np.interp(np.linspace(0, 1, len(path)), np.linspace(0, 1, len(width)), width)
        )
        a = np.linspace(0, 2 * np.pi, 10, endpoint=False)
        nib = np.stack([np.cos(a), np.sin(a)], 1) / 2
        shapes = path[:, None] + nib[None] * widths[:, None, None]
        value = self._colour(colour)
        for s, t in zip(shapes[:-1], shapes[1:], strict=True):
            hull = cv2.convexHull(np.vstack([s, t]).astype(np.float32))[:, 0]
            cv2.fillConvexPoly(self.image, self._fixed(hull), value, cv2.LINE_8, _SHIFT)

    def outline(self, points: np.ndarray, width: float, colour: Colour | None) -> None:
        """A closed line."""
        path = np.asarray(points, float)
        self.stroke(np.vstack([path, path[:1]]), width, colour)

    def glyph(
        self, name: str, centre: Sequence[float], size: Sequence[float], colour: Colour | None, hand: Hand
    ) -> None:
        """Writes a character, numeral or letter into a box of `size` round `centre`."""
        pieces = glyph_pieces(name, hand, (float(size[0]), float(size[1])))
        self.pieces((p + np.asarray(centre) for p in pieces), colour)

    def finish(self) -> np.ndarray:
        """The picture at its size: (h, w, 4) uint8 RGBA, colour not premultiplied."""
        small = cv2.resize(self.image, self.size, interpolation=cv2.INTER_AREA).astype(np.float32)
        alpha = small[..., 3:]
        rgb = small[..., :3] * (255.0 / np.maximum(alpha, 1e-3))
        return np.concatenate([np.clip(rgb, 0, 255), alpha], 2).round().astype(np.uint8)


def turned(points: np.ndarray, degrees: float) -> np.ndarray:
    """Points turned about the origin, clockwise on the picture."""
    a = np.deg2rad(degrees)
    return np.asarray(points, float) @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])


def bent(points: Sequence[Sequence[float]], steps: int = 10) -> np.ndarray:
    """A smooth curve through points (Catmull-Rom)."""
    return curve(np.asarray(points, float), steps)


def leaf(base: Sequence[float], tip: Sequence[float], width: float, bow: float = 0.0) -> np.ndarray:
    """A leaf-shaped outline from base to tip; `bow` bends it sideways, in shares of its length."""
    base_, tip_ = np.asarray(base, float), np.asarray(tip, float)
    along = tip_ - base_
    across = np.array([-along[1], along[0]]) / max(float(np.hypot(*along)), 1e-6)
    t = np.linspace(0, 1, 12)[:, None]
    spine = base_ + along * t + across * (np.sin(np.pi * t) * bow * np.hypot(*along))
    half = across * (np.sin(np.pi * t**0.8) * width / 2)
    return np.vstack([spine + half, (spine - half)[::-1]])
