"""How dots and bamboo are drawn, one function a design.

A dot is drawn about `c` with radius `r` in an ink and a heart's colour; a stick in its own axes, `w` wide and `h` long.
Units are those of `vision.render.pen`; the colour None rubs out.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from vision.render.pen import Colour, Pen, turned


def petals(pen: Pen, c: np.ndarray, r: float, n: int, size: float, colour: Colour | None) -> None:
    for i in range(n):
        a = 2 * np.pi * i / n
        pen.ellipse(c + r * np.array([np.cos(a), np.sin(a)]), (size, size * 0.62), colour, np.rad2deg(a))


def _dot_rings(pen: Pen, c: np.ndarray, r: float, ink: Colour, heart: Colour) -> None:
    pen.ring(c, r, r * 0.24, ink)
    pen.ring(c, r * 0.58, r * 0.2, ink)
    pen.disc(c, r * 0.2, heart)


def _dot_thin_rings(pen: Pen, c: np.ndarray, r: float, ink: Colour, heart: Colour) -> None:
    for k in (1.0, 0.7, 0.4):
        pen.ring(c, r * k, r * 0.13, ink)
    pen.disc(c, r * 0.1, heart)


def _dot_solid(pen: Pen, c: np.ndarray, r: float, ink: Colour, heart: Colour) -> None:
    pen.disc(c, r, ink)
    pen.ring(c, r * 0.72, r * 0.13, None)
    pen.disc(c, r * 0.2, None)


def _dot_plain(pen: Pen, c: np.ndarray, r: float, ink: Colour, heart: Colour) -> None:
    pen.disc(c, r, ink)


def _dot_wheel(pen: Pen, c: np.ndarray, r: float, ink: Colour, heart: Colour) -> None:
    pen.disc(c, r, ink)
    petals(pen, c, r * 0.56, 6, r * 0.22, None)
    pen.disc(c, r * 0.14, None)


def _dot_cross(pen: Pen, c: np.ndarray, r: float, ink: Colour, heart: Colour) -> None:
    pen.disc(c, r, ink)
    pen.disc(c, r * 0.78, None)
    pen.disc(c, r * 0.66, ink)
    for a in (45, 135):
        d = turned(np.array([[r * 0.6, 0.0]]), a)[0]
        pen.stroke([c - d, c + d], r * 0.2, None)


def _dot_flower(pen: Pen, c: np.ndarray, r: float, ink: Colour, heart: Colour) -> None:
    petals(pen, c, r * 0.74, 12, r * 0.24, ink)
    pen.disc(c, r * 0.66, ink)
    petals(pen, c, r * 0.72, 12, r * 0.12, None)
    pen.disc(c, r * 0.42, None)
    pen.ring(c, r * 0.42, r * 0.1, ink)
    pen.disc(c, r * 0.2, heart)


def _dot_five(pen: Pen, c: np.ndarray, r: float, ink: Colour, heart: Colour) -> None:
    pen.ring(c, r, r * 0.2, ink)
    petals(pen, c, r * 0.42, 5, r * 0.24, ink)
    pen.disc(c, r * 0.14, heart)


def _dot_coin(pen: Pen, c: np.ndarray, r: float, ink: Colour, heart: Colour) -> None:
    pen.ring(c, r, r * 0.2, ink)
    pen.disc(c, r * 0.62, ink)
    q = r * 0.24
    pen.fill(c + np.array([[-q, -q], [q, -q], [q, q], [-q, q]]), None)


def _dot_bead(pen: Pen, c: np.ndarray, r: float, ink: Colour, heart: Colour) -> None:
    pen.ring(c, r, r * 0.14, ink)
    petals(pen, c, r * 0.66, 9, r * 0.15, ink)
    pen.ring(c, r * 0.4, r * 0.14, ink)
    pen.disc(c, r * 0.16, heart)


def _dot_petal(pen: Pen, c: np.ndarray, r: float, ink: Colour, heart: Colour) -> None:
    """A chrysanthemum cut into a dark disc."""
    pen.disc(c, r, ink)
    pen.ring(c, r * 0.93, r * 0.06, None)
    for a in np.arange(0, 360, 24):
        pen.stroke(c + turned(np.array([[r * 0.34, 0.0], [r * 0.78, 0.0]]), a), (r * 0.06, r * 0.15), None)
    pen.disc(c, r * 0.26, None)
    pen.disc(c, r * 0.18, heart)


def _dot_cup(pen: Pen, c: np.ndarray, r: float, ink: Colour, heart: Colour) -> None:
    """Two dark rings with an open flower between them."""
    pen.ring(c, r, r * 0.2, ink)
    petals(pen, c, r * 0.5, 8, r * 0.2, ink)
    petals(pen, c, r * 0.5, 8, r * 0.09, None)
    pen.ring(c, r * 0.32, r * 0.12, ink)
    pen.disc(c, r * 0.13, heart)


DOTS: dict[str, Callable[[Pen, np.ndarray, float, Colour, Colour], None]] = {
    "rings": _dot_rings, "thin": _dot_thin_rings, "solid": _dot_solid, "plain": _dot_plain, "wheel": _dot_wheel,
    "cross": _dot_cross, "flower": _dot_flower, "five": _dot_five, "coin": _dot_coin, "bead": _dot_bead,
    "petal": _dot_petal, "cup": _dot_cup,
}  # fmt: skip


def _one_flower(pen: Pen, c: np.ndarray, r: float, inks: tuple[Colour, Colour, Colour]) -> None:
    first, second, red = inks
    petals(pen, c, r * 0.84, 16, r * 0.17, first)
    petals(pen, c, r * 0.84, 16, r * 0.09, None)
    pen.disc(c, r * 0.74, first)
    pen.disc(c, r * 0.66, None)
    pen.ring(c, r * 0.6, r * 0.08, second)
    petals(pen, c, r * 0.3, 8, r * 0.16, red)
    pen.disc(c, r * 0.16, None)
    pen.disc(c, r * 0.1, red)


def _one_rings(pen: Pen, c: np.ndarray, r: float, inks: tuple[Colour, Colour, Colour]) -> None:
    first, second, red = inks
    pen.ring(c, r, r * 0.12, first)
    pen.ring(c, r * 0.8, r * 0.08, second)
    pen.ring(c, r * 0.62, r * 0.14, first)
    pen.disc(c, r * 0.3, red)
    pen.disc(c, r * 0.12, None)


def _one_disc(pen: Pen, c: np.ndarray, r: float, inks: tuple[Colour, Colour, Colour]) -> None:
    first, second, red = inks
    pen.disc(c, r, first)
    pen.ring(c, r * 0.92, r * 0.06, None)
    petals(pen, c, r * 0.68, 14, r * 0.12, None)
    pen.disc(c, r * 0.46, None)
    _dot_five(pen, c, r * 0.4, red, red)


def _one_lace(pen: Pen, c: np.ndarray, r: float, inks: tuple[Colour, Colour, Colour]) -> None:
    first, second, red = inks
    petals(pen, c, r * 0.86, 20, r * 0.14, first)
    pen.disc(c, r * 0.82, first)
    for a in np.arange(0, 360, 360 / 20):
        d = turned(np.array([[r * 0.5, 0.0], [r * 0.74, 0.0]]), a)
        pen.stroke(c + d, r * 0.08, None)
    pen.disc(c, r * 0.44, None)
    for a in np.arange(0, 360, 60):
        pen.stroke(c + turned(np.array([[r * 0.1, 0.0], [r * 0.34, 0.0]]), a), r * 0.1, red)
    pen.ring(c, r * 0.42, r * 0.06, red)


def _one_square(pen: Pen, c: np.ndarray, r: float, inks: tuple[Colour, Colour, Colour]) -> None:
    first, second, red = inks
    petals(pen, c, r * 0.8, 12, r * 0.22, first)
    petals(pen, c, r * 0.8, 12, r * 0.13, None)
    pen.disc(c, r * 0.62, None)
    pen.ring(c, r * 0.6, r * 0.07, second)
    q = r * 0.3
    box = np.array([[-q, -q], [q, -q], [q, q], [-q, q]])
    pen.outline(c + box, r * 0.08, red)
    pen.stroke(c + box[[0, 2]], r * 0.07, red)
    pen.stroke(c + box[[1, 3]], r * 0.07, red)


def _one_sun(pen: Pen, c: np.ndarray, r: float, inks: tuple[Colour, Colour, Colour]) -> None:
    first, second, red = inks
    pen.ring(c, r, r * 0.1, first)
    for i in range(24):
        a = i * 15
        pen.stroke(c + turned(np.array([[r * 0.62, 0.0], [r * 0.86, 0.0]]), a), (r * 0.05, r * 0.12), second)
    pen.ring(c, r * 0.56, r * 0.09, first)
    petals(pen, c, r * 0.26, 6, r * 0.17, red)


ONE_DOTS = {
    "flower": _one_flower, "rings": _one_rings, "disc": _one_disc, "lace": _one_lace, "square": _one_square,
    "sun": _one_sun,
}  # fmt: skip


def _capsule(length: float, width: float) -> np.ndarray:
    a = np.linspace(0, np.pi, 9)
    r = width / 2
    bottom = np.stack([np.cos(a) * r, np.sin(a) * r + length / 2 - r], 1)
    return np.vstack([bottom, -bottom])


def _bar(length: float, width: float) -> np.ndarray:
    return np.array([[-width, -length], [width, -length], [width, length], [-width, length]]) / 2


class Stick:
    """One bamboo stick in its own axes: origin in its middle, y along it."""

    def __init__(self, pen: Pen, centre: np.ndarray, turn: float) -> None:
        self.pen, self.centre, self.turn = pen, centre, turn

    def fill(self, shape: np.ndarray, colour: Colour | None, dy: float = 0.0) -> None:
        self.pen.fill(turned(shape + np.array([0.0, dy]), self.turn) + self.centre, colour)

    def line(self, points: list[tuple[float, float]], width: float, colour: Colour | None) -> None:
        self.pen.stroke(turned(np.array(points), self.turn) + self.centre, width, colour)


def _stick_double(s: Stick, w: float, h: float, ink: Colour) -> None:
    for y in (-h / 4, h / 4):
        s.fill(_capsule(h * 0.52, w), ink, y)
        s.line([(0, y - h * 0.13), (0, y + h * 0.13)], w * 0.2, None)


def _stick_outline(s: Stick, w: float, h: float, ink: Colour) -> None:
    for y in (-h / 4, h / 4):
        s.fill(_capsule(h * 0.53, w), ink, y)
        s.fill(_capsule(h * 0.53 - w * 0.5, w * 0.5), None, y)


def _stick_bone(s: Stick, w: float, h: float, ink: Colour) -> None:
    s.fill(_bar(h * 0.9, w * 0.72), ink)
    for y in (-h * 0.46, 0.0, h * 0.46):
        s.fill(turned(_capsule(w * 1.1, w * 0.42), 90), ink, y)
    for y in (-h * 0.23, h * 0.23):
        s.line([(0, y - h * 0.1), (0, y + h * 0.1)], w * 0.2, None)


def _stick_beam(s: Stick, w: float, h: float, ink: Colour) -> None:
    for x in (-w * 0.2, w * 0.2):
        s.line([(x, -h * 0.44), (x, h * 0.44)], w * 0.18, ink)
    for y in (-h * 0.45, 0.0, h * 0.45):
        s.fill(_bar(w * 0.3, w * 1.05), ink, y)


def _stick_plain(s: Stick, w: float, h: float, ink: Colour) -> None:
    s.fill(_bar(h, w * 0.78), ink)
    s.line([(-w, 0), (w, 0)], w * 0.2, None)


def _stick_chain(s: Stick, w: float, h: float, ink: Colour) -> None:
    for y in (-h / 3, 0.0, h / 3):
        s.fill(_capsule(h * 0.36, w), ink, y)
        s.fill(_capsule(h * 0.36 - w * 0.46, w * 0.46), None, y)


def _stick_knots(s: Stick, w: float, h: float, ink: Colour) -> None:
    s.fill(_capsule(h, w * 0.6), ink)
    for y in (-h * 0.3, 0.0, h * 0.3):
        s.fill(turned(_capsule(w, w * 0.3), 90), ink, y)


def _stick_slit(s: Stick, w: float, h: float, ink: Colour) -> None:
    s.fill(_capsule(h, w), ink)
    for y in (-h / 4, h / 4):
        for x in (-w * 0.17, w * 0.17):
            s.line([(x, y - h * 0.14), (x, y + h * 0.14)], w * 0.12, None)
    s.line([(-w * 0.6, 0), (w * 0.6, 0)], w * 0.14, None)


def _stick_jointed(s: Stick, w: float, h: float, ink: Colour) -> None:
    """A dark cane with flared ends and a joint, a light line along each half."""
    for y in (-h / 4, h / 4):
        s.fill(_bar(h * 0.46, w * 0.62), ink, y)
        for end in (-1, 1):
            flare = np.array(
                [[-w * 0.31, 0.0], [w * 0.31, 0.0], [w * 0.52, end * h * 0.07], [-w * 0.52, end * h * 0.07]]
            )
            s.fill(flare, ink, y + end * h * 0.175)
        s.line([(0, y - h * 0.15), (0, y + h * 0.15)], w * 0.2, None)
    s.line([(-w * 0.4, 0), (w * 0.4, 0)], h * 0.03, None)


def _stick_hollow(s: Stick, w: float, h: float, ink: Colour) -> None:
    """Drawn in outline, knobs at the ends and in the middle."""
    s.fill(_bar(h * 0.92, w * 0.8), ink)
    for y in (-h * 0.46, 0.0, h * 0.46):
        s.fill(turned(_capsule(w * 1.12, w * 0.4), 90), ink, y)
    for y in (-h * 0.23, h * 0.23):
        s.fill(_bar(h * 0.3, w * 0.42), None, y)
    for y in (-h * 0.46, 0.0, h * 0.46):
        s.fill(turned(_capsule(w * 0.7, w * 0.13), 90), None, y)


STICKS = {
    "double": _stick_double, "outline": _stick_outline, "bone": _stick_bone, "beam": _stick_beam,
    "plain": _stick_plain, "chain": _stick_chain, "knots": _stick_knots, "slit": _stick_slit,
    "jointed": _stick_jointed, "hollow": _stick_hollow,
}  # fmt: skip
