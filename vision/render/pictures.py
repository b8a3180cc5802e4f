"""Pictures on tiles: the birds of the one of bamboo, and the plants and people of flowers and seasons.

Every picture is drawn by functions of our own from curves; `rng` gives each tile set its own proportions.
Pictures fill about the box (left, top, right, bottom) given in face units.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from vision.render.pen import Colour, Pen, bent, leaf

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Inks:
    """The colours (RGB) a tile set is painted with."""

    red: Colour = (178, 32, 38)
    green: Colour = (24, 105, 52)
    blue: Colour = (32, 60, 150)
    black: Colour = (28, 28, 32)
    yellow: Colour = (214, 160, 40)


@dataclass(frozen=True)
class _Frame:
    """Maps the unit square (x right, y down) into a box."""

    box: Box
    flip: bool = False

    def __call__(self, points: object) -> np.ndarray:
        p = np.array(points, float)
        x = 1 - p[..., 0] if self.flip else p[..., 0]
        left, top, right, bottom = self.box
        return np.stack([left + x * (right - left), top + p[..., 1] * (bottom - top)], -1)

    @property
    def size(self) -> float:
        left, top, right, bottom = self.box
        return float(np.sqrt((right - left) * (bottom - top)))


def _shape(pen: Pen, outline: np.ndarray, colour: Colour | None, line: Colour, width: float, filled: bool) -> None:
    pen.fill(outline, colour if filled else None)
    pen.outline(outline, width, line)


def _stem(pen: Pen, f: _Frame, points: list[tuple[float, float]], width: float, colour: Colour) -> np.ndarray:
    path = bent(f(points), 8)
    pen.stroke(path, width, colour)
    return path


def sparrow(pen: Pen, box: Box, inks: Inks, rng: np.random.Generator) -> None:
    """A plump bird on a twig, seen from the side, wing of stripes and a straight tail down."""
    f = _Frame(box, bool(rng.integers(2)))
    lw = rng.uniform(2.2, 3.6)
    main, other = (inks.green, inks.blue) if rng.random() < 0.6 else (inks.blue, inks.green)
    body = bent(
        f([(0.2, 0.3), (0.34, 0.16), (0.52, 0.2), (0.66, 0.4), (0.72, 0.62), (0.5, 0.68), (0.3, 0.55), (0.2, 0.3)]), 5
    )
    pen.fill(body, main if rng.random() < 0.55 else None)
    pen.outline(body, lw, main)
    pen.fill(f([(0.2, 0.24), (0.04, 0.3), (0.22, 0.34)]), inks.red)
    for i in range(3):
        pen.stroke(
            bent(f([(0.62, 0.56 + 0.03 * i), (0.78, 0.74), (0.78 + 0.07 * i, 0.97 - 0.05 * i)]), 6),
            lw * 1.4,
            (inks.red, main, other)[i],
        )
    wing = f(leaf((0.4, 0.34), (0.86, 0.62), 0.3, -0.1))
    pen.fill(wing, other)
    for i in range(3):
        pen.stroke(f([(0.47 + 0.09 * i, 0.36 + 0.06 * i), (0.45 + 0.12 * i, 0.52 + 0.05 * i)]), lw * 0.6, None)
    pen.disc(f((0.33, 0.27)), 4.2, None)
    pen.disc(f((0.33, 0.27)), 2.0, inks.black)
    for i in range(3):
        pen.stroke(
            bent(f([(0.34, 0.18), (0.36 + 0.06 * i, 0.08), (0.42 + 0.1 * i, 0.02 + 0.03 * i)]), 5), lw * 0.7, inks.red
        )
    for x in (0.44, 0.56):
        pen.stroke(f([(x, 0.66), (x - 0.03, 0.8), (x - 0.1, 0.84)]), lw * 0.7, inks.red)
    pen.stroke(bent(f([(0.1, 0.88), (0.4, 0.83), (0.74, 0.86)]), 6), lw * 1.2, main)
    pen.fill(f(leaf((0.2, 0.87), (0.05, 0.74), 0.08)), main)


def peacock(pen: Pen, box: Box, inks: Inks, rng: np.random.Generator) -> None:
    """A peacock with its fan up: rows of eyes above, the bird small below."""
    f = _Frame(box, bool(rng.integers(2)))
    line = inks.black if rng.random() < 0.4 else (inks.green if rng.random() < 0.5 else inks.blue)
    eye = inks.red if rng.random() < 0.5 else line
    lw = rng.uniform(1.8, 2.8)
    fan = rng.uniform(0.36, 0.44)
    centre = np.array([0.5, 0.4])
    a = np.linspace(np.pi * 0.86, np.pi * 2.14, 34)
    rim = centre + np.stack([np.cos(a) * fan * 1.12, np.sin(a) * fan], 1)
    lobes = 1 + 0.07 * np.abs(np.sin(np.arange(34) * np.pi / 3))[:, None]
    rim = centre + (rim - centre) * lobes
    pen.fill(f(np.vstack([rim, [[0.5, 0.66]]])), line if rng.random() < 0.35 else None)
    pen.outline(f(np.vstack([rim, [[0.5, 0.66]]])), lw, line)
    for row, n in enumerate((3, 5, 7)):
        r = fan * (0.32 + 0.26 * row)
        for b in np.linspace(np.pi * 1.06, np.pi * 1.94, n):
            c = f(centre + np.array([np.cos(b) * r * 1.12, np.sin(b) * r + 0.02]))
            pen.disc(c, 0.062 * f.size, None)
            pen.ring(c, 0.062 * f.size, lw * 0.7, line)
            pen.disc(c, 0.024 * f.size, eye)
    body = bent(f([(0.3, 0.6), (0.46, 0.56), (0.66, 0.62), (0.72, 0.74), (0.52, 0.84), (0.34, 0.76), (0.3, 0.6)]), 5)
    pen.fill(body, None)
    pen.outline(body, lw, line)
    for i in range(4):
        pen.stroke(
            bent(f([(0.44 + 0.06 * i, 0.62), (0.5 + 0.06 * i, 0.68), (0.48 + 0.06 * i, 0.76)]), 5),
            lw * 0.8,
            (line, inks.blue)[i % 2],
        )
    neck = bent(f([(0.38, 0.66), (0.22, 0.6), (0.2, 0.48), (0.12, 0.5)]), 6)
    pen.stroke(neck, (lw * 3, lw * 1.6), line)
    pen.fill(f([(0.13, 0.47), (0.01, 0.53), (0.14, 0.54)]), inks.red)
    pen.fill(f(leaf((0.62, 0.7), (1.0, 0.8), 0.14, 0.1)), line)
    for x in (0.46, 0.58):
        pen.stroke(f([(x, 0.82), (x, 0.94), (x - 0.08, 0.98)]), lw, inks.red)
        pen.stroke(f([(x, 0.94), (x + 0.07, 0.98)]), lw, inks.red)


def crane(pen: Pen, box: Box, inks: Inks, rng: np.random.Generator) -> None:
    """A crane on long legs, neck in an S, red crown."""
    f = _Frame(box, bool(rng.integers(2)))
    lw = rng.uniform(2.0, 3.2)
    main = (inks.blue, inks.green, inks.black)[int(rng.integers(3))]
    body = bent(f([(0.3, 0.46), (0.5, 0.38), (0.8, 0.5), (0.95, 0.66), (0.66, 0.66), (0.42, 0.62), (0.3, 0.46)]), 6)
    pen.fill(body, main if rng.random() < 0.4 else None)
    pen.outline(body, lw, main)
    for i in range(5):
        pen.fill(
            f(leaf((0.5 + 0.06 * i, 0.46 + 0.02 * i), (0.78 + 0.05 * i, 0.72 - 0.02 * i), 0.06)),
            (main, inks.red, inks.green)[i % 3],
        )
    pen.stroke(
        bent(f([(0.36, 0.5), (0.22, 0.4), (0.3, 0.26), (0.36, 0.14), (0.24, 0.09)]), 8),
        (lw * 2.4, lw * 1.4, lw * 1.8),
        main,
    )
    pen.stroke(f([(0.22, 0.09), (0.0, 0.16)]), (lw * 1.4, lw * 0.4), inks.red)
    pen.ellipse(f((0.29, 0.06)), (0.07 * f.size, 0.035 * f.size), inks.red)
    pen.stroke(f([(0.5, 0.64), (0.46, 0.8), (0.48, 0.97), (0.38, 0.98)]), lw * 0.9, inks.red)
    pen.stroke(f([(0.62, 0.66), (0.6, 0.8), (0.66, 0.97), (0.58, 0.98)]), lw * 0.9, inks.red)
    if rng.random() < 0.5:
        pen.fill(f(leaf((0.1, 0.98), (0.02, 0.7), 0.1, 0.1)), inks.green)
        pen.fill(f(leaf((0.12, 0.98), (0.2, 0.74), 0.08, -0.1)), inks.green)


def rooster(pen: Pen, box: Box, inks: Inks, rng: np.random.Generator) -> None:
    """A cock or phoenix: high head with comb, sickle feathers streaming behind."""
    f = _Frame(box, bool(rng.integers(2)))
    lw = rng.uniform(2.2, 3.4)
    main, other = (inks.green, inks.blue) if rng.random() < 0.5 else (inks.blue, inks.red)
    n = int(rng.integers(4, 7))
    for i in range(n):
        t = i / (n - 1)
        tip = (0.98 - 0.3 * t, 0.34 + 0.6 * t)
        mid = (0.86 - 0.12 * t, 0.12 + 0.5 * t)
        path = bent(f([(0.56, 0.52), mid, tip]), 9)
        pen.stroke(path, (lw, lw * 2.6, lw * 0.7), (main, other, inks.red)[i % 3])
    body = bent(
        f([(0.24, 0.36), (0.42, 0.36), (0.64, 0.46), (0.62, 0.64), (0.42, 0.72), (0.26, 0.58), (0.24, 0.36)]), 6
    )
    pen.fill(body, main)
    neck = f([(0.2, 0.14), (0.36, 0.16), (0.46, 0.42), (0.22, 0.5)])
    pen.fill(neck, other)
    pen.disc(f((0.28, 0.17)), 0.1 * f.size, main)
    for x, y in ((0.2, 0.07), (0.28, 0.03), (0.36, 0.07)):
        pen.disc(f((x, y)), 0.05 * f.size, inks.red)
    pen.fill(f([(0.18, 0.13), (0.02, 0.19), (0.19, 0.22)]), inks.yellow if rng.random() < 0.3 else inks.red)
    pen.fill(f(leaf((0.22, 0.22), (0.2, 0.34), 0.07)), inks.red)
    pen.disc(f((0.26, 0.16)), 2.4, None)
    for i in range(4):
        pen.stroke(
            bent(f([(0.34 + 0.05 * i, 0.46), (0.42 + 0.05 * i, 0.52), (0.4 + 0.05 * i, 0.62)]), 5), lw * 0.6, None
        )
    for x in (0.38, 0.5):
        pen.stroke(f([(x, 0.7), (x - 0.02, 0.9), (x - 0.14, 0.97)]), lw, inks.red)
        pen.stroke(f([(x - 0.02, 0.9), (x + 0.1, 0.97)]), lw * 0.9, inks.red)


def swallow(pen: Pen, box: Box, inks: Inks, rng: np.random.Generator) -> None:
    """A bird in flight, wings spread, forked tail."""
    f = _Frame(box, bool(rng.integers(2)))
    lw = rng.uniform(2.0, 3.2)
    a, b, c = (
        (inks.blue, inks.red, inks.green),
        (inks.green, inks.red, inks.blue),
        (inks.black, inks.red, inks.green),
    )[int(rng.integers(3))]
    pen.fill(
        bent(f([(0.4, 0.46), (0.1, 0.36), (0.0, 0.06), (0.24, 0.2), (0.46, 0.3), (0.54, 0.46), (0.4, 0.46)]), 5), a
    )
    pen.fill(
        bent(f([(0.5, 0.36), (0.66, 0.24), (0.98, 0.12), (0.9, 0.36), (0.7, 0.52), (0.56, 0.56), (0.5, 0.36)]), 5), a
    )
    pen.fill(
        bent(f([(0.26, 0.36), (0.42, 0.34), (0.58, 0.5), (0.62, 0.68), (0.46, 0.62), (0.32, 0.5), (0.26, 0.36)]), 5), b
    )
    for i in range(4):
        pen.stroke(f([(0.08 + 0.07 * i, 0.18 + 0.03 * i), (0.16 + 0.07 * i, 0.36 + 0.02 * i)]), lw * 0.6, None)
        pen.stroke(f([(0.9 - 0.07 * i, 0.2 + 0.02 * i), (0.8 - 0.06 * i, 0.4 + 0.02 * i)]), lw * 0.6, None)
    pen.stroke(bent(f([(0.56, 0.6), (0.62, 0.8), (0.54, 0.98)]), 7), (lw * 2.6, lw * 1.6, lw * 0.4), c)
    pen.stroke(bent(f([(0.58, 0.62), (0.74, 0.78), (0.84, 0.96)]), 7), (lw * 2.6, lw * 1.6, lw * 0.4), b)
    pen.disc(f((0.28, 0.38)), 0.1 * f.size, c)
    pen.fill(f([(0.22, 0.36), (0.04, 0.5), (0.25, 0.45)]), b)
    pen.disc(f((0.27, 0.37)), 2.2, None)


def parrot(pen: Pen, box: Box, inks: Inks, rng: np.random.Generator) -> None:
    """An upright bird drawn in line, crest forward, long tail across a bamboo stalk."""
    f = _Frame(box, bool(rng.integers(2)))
    lw = rng.uniform(2.4, 3.8)
    line = inks.green if rng.random() < 0.7 else inks.black
    outline = bent(
        f(
            [
                (0.3, 0.2),
                (0.44, 0.1),
                (0.6, 0.16),
                (0.68, 0.34),
                (0.66, 0.56),
                (0.5, 0.74),
                (0.4, 0.6),
                (0.38, 0.38),
                (0.3, 0.2),
            ]
        ),
        6,
    )
    pen.outline(outline, lw, line)
    pen.stroke(bent(f([(0.32, 0.2), (0.14, 0.24), (0.2, 0.34), (0.3, 0.3)]), 6), lw, inks.red)
    for i in range(3):
        pen.stroke(
            bent(f([(0.44, 0.11), (0.38 + 0.14 * i, 0.04), (0.3 + 0.22 * i, 0.0 + 0.02 * i)]), 5),
            lw * 0.9,
            inks.red if i else line,
        )
    pen.stroke(bent(f([(0.64, 0.3), (0.52, 0.44), (0.54, 0.66)]), 7), lw * 0.9, line)
    for i in range(4):
        pen.stroke(
            f([(0.56, 0.4 + 0.06 * i), (0.65, 0.36 + 0.06 * i)]), lw * 0.8, inks.red if rng.random() < 0.5 else line
        )
    pen.stroke(bent(f([(0.52, 0.72), (0.46, 0.86), (0.3, 0.99)]), 7), (lw * 2.2, lw), line)
    pen.stroke(bent(f([(0.56, 0.68), (0.58, 0.84), (0.48, 0.99)]), 7), (lw * 1.8, lw), inks.red)
    pen.stroke(f([(0.1, 0.72), (0.4, 0.66)]), lw * 1.4, line)
    pen.stroke(f([(0.62, 0.64), (0.9, 0.58)]), lw * 1.4, line)
    pen.disc(f((0.42, 0.2)), 2.4, line)
    pen.fill(f(leaf((0.86, 0.59), (0.98, 0.44), 0.09)), line)


def stylised(pen: Pen, box: Box, inks: Inks, rng: np.random.Generator) -> None:
    """A bird reduced to signs: round head, drop-shaped body with stripes, fan tail."""
    f = _Frame(box, bool(rng.integers(2)))
    lw = rng.uniform(2.6, 4.2)
    main, other = (inks.green, inks.red) if rng.random() < 0.6 else (inks.blue, inks.red)
    for angle in np.linspace(20, 78, int(rng.integers(3, 6))):
        tip = np.array([0.5, 0.52]) + np.array([np.cos(np.deg2rad(angle)), np.sin(np.deg2rad(angle))]) * (0.5, 0.46)
        pen.fill(f(leaf((0.5, 0.52), tip, 0.13)), main)
        pen.stroke(f([np.array([0.55, 0.58]), tip]), lw * 0.4, None)
    pen.ellipse(f((0.46, 0.46)), (0.24 * f.size, 0.19 * f.size), main, 40 if not f.flip else -40)
    for i in range(3):
        pen.stroke(
            bent(
                f(
                    [
                        (0.36 + 0.09 * i, 0.36 + 0.05 * i),
                        (0.42 + 0.09 * i, 0.48 + 0.05 * i),
                        (0.38 + 0.09 * i, 0.56 + 0.04 * i),
                    ]
                ),
                5,
            ),
            lw * 0.6,
            None,
        )
    pen.disc(f((0.3, 0.22)), 0.17 * f.size, other if rng.random() < 0.5 else main)
    pen.disc(f((0.27, 0.2)), 0.055 * f.size, None)
    pen.disc(f((0.27, 0.2)), 0.025 * f.size, inks.black)
    pen.fill(f([(0.14, 0.2), (0.0, 0.28), (0.16, 0.3)]), other)
    pen.stroke(f([(0.42, 0.68), (0.38, 0.94), (0.26, 0.96)]), lw * 0.8, other)
    pen.stroke(f([(0.52, 0.68), (0.5, 0.94), (0.6, 0.97)]), lw * 0.8, other)


BIRDS: dict[str, Callable[[Pen, Box, Inks, np.random.Generator], None]] = {
    "sparrow": sparrow,
    "peacock": peacock,
    "crane": crane,
    "rooster": rooster,
    "swallow": swallow,
    "parrot": parrot,
    "stylised": stylised,
}


def _blossom(
    pen: Pen,
    centre: np.ndarray,
    radius: float,
    petals: int,
    colour: Colour,
    heart: Colour | None,
    hollow: bool,
    width: float,
) -> None:
    for i in range(petals):
        a = 2 * np.pi * i / petals - np.pi / 2
        c = centre + radius * 0.58 * np.array([np.cos(a), np.sin(a)])
        pen.disc(c, radius * 0.46, colour)
        if hollow:
            pen.disc(c, radius * 0.46 - width, None)
    pen.disc(centre, radius * 0.36, None if heart is None else heart)
    if heart is None:
        pen.ring(centre, radius * 0.3, width, colour)


def _rays(pen: Pen, centre: np.ndarray, radius: float, n: int, colour: Colour, hollow: bool, width: float) -> None:
    for i in range(n):
        a = 2 * np.pi * i / n
        tip = centre + radius * np.array([np.cos(a), np.sin(a)])
        pen.fill(leaf(centre + (tip - centre) * 0.25, tip, radius * 0.42), colour)
        if hollow:
            pen.fill(
                leaf(centre + (tip - centre) * 0.4, centre + (tip - centre) * 0.85, radius * 0.42 - 2 * width), None
            )
    pen.disc(centre, radius * 0.3, colour)


def plum(pen: Pen, box: Box, inks: Inks, rng: np.random.Generator) -> None:
    """A gnarled branch with five-petalled blossoms."""
    f = _Frame(box, bool(rng.integers(2)))
    lw = rng.uniform(2.4, 4.2)
    wood = inks.green if rng.random() < 0.5 else inks.black
    pen.stroke(
        f([(0.3, 0.98), (0.42, 0.76), (0.34, 0.6), (0.56, 0.4), (0.5, 0.24), (0.7, 0.04)]), (lw * 1.8, lw * 0.8), wood
    )
    pen.stroke(f([(0.38, 0.68), (0.16, 0.5), (0.14, 0.36)]), (lw, lw * 0.6), wood)
    pen.stroke(f([(0.52, 0.42), (0.8, 0.44), (0.92, 0.34)]), (lw, lw * 0.6), wood)
    hollow = bool(rng.random() < 0.5)
    r = rng.uniform(0.13, 0.19) * f.size
    for x, y, s in ((0.56, 0.42, 1.15), (0.2, 0.44, 0.9), (0.8, 0.42, 0.85), (0.54, 0.18, 0.8)):
        _blossom(pen, f((x, y)), r * s, 5, inks.red, inks.yellow if rng.random() < 0.3 else None, hollow, lw * 0.6)
    for x, y in ((0.72, 0.06), (0.14, 0.3), (0.36, 0.84)):
        pen.disc(f((x, y)), r * 0.3, inks.red)


def orchid(pen: Pen, box: Box, inks: Inks, rng: np.random.Generator) -> None:
    """Long arching leaves from one root, a small flower on a thin stem."""
    f = _Frame(box, bool(rng.integers(2)))
    lw = rng.uniform(2.6, 4.6)
    for mid, tip in (
        ((0.5, 0.5), (0.96, 0.34)),
        ((0.38, 0.5), (0.04, 0.5)),
        ((0.46, 0.4), (0.34, 0.04)),
        ((0.58, 0.5), (0.8, 0.1)),
        ((0.62, 0.74), (0.98, 0.68)),
        ((0.36, 0.76), (0.04, 0.78)),
    ):
        pen.stroke(
            bent(f([(0.48, 0.98), mid, tip]), 10),
            (lw * 0.9, lw * 1.5, lw * 0.5),
            inks.green if rng.random() < 0.85 else inks.blue,
        )
    x, y = rng.uniform(0.5, 0.7), rng.uniform(0.3, 0.45)
    pen.stroke(bent(f([(0.5, 0.96), (0.56, 0.7), (x, y)]), 7), lw * 0.6, inks.green)
    r = rng.uniform(0.12, 0.18) * f.size
    for a in (-150, -95, -40, 30, 150):
        tip = f((x, y)) + r * np.array([np.cos(np.deg2rad(a)), np.sin(np.deg2rad(a))])
        pen.fill(leaf(f((x, y)), tip, r * 0.55), inks.red)
    pen.fill(
        bent(f([(0.34, 0.98), (0.42, 0.9), (0.6, 0.92), (0.66, 0.99), (0.34, 0.98)]), 4),
        inks.blue if rng.random() < 0.4 else inks.green,
    )


def chrysanthemum(pen: Pen, box: Box, inks: Inks, rng: np.random.Generator) -> None:
    """A flower head of many rays over lobed leaves."""
    f = _Frame(box, bool(rng.integers(2)))
    lw = rng.uniform(2.4, 3.8)
    _stem(pen, f, [(0.5, 0.98), (0.46, 0.7), (0.52, 0.4)], lw, inks.green)
    _stem(pen, f, [(0.48, 0.8), (0.7, 0.62), (0.8, 0.5)], lw * 0.8, inks.green)
    for base, tip in (
        ((0.47, 0.84), (0.14, 0.66)),
        ((0.48, 0.9), (0.9, 0.84)),
        ((0.47, 0.72), (0.2, 0.5)),
        ((0.48, 0.94), (0.12, 0.9)),
    ):
        pen.fill(f(leaf(base, tip, rng.uniform(0.1, 0.16), rng.uniform(-0.15, 0.15))), inks.green)
    hollow = bool(rng.random() < 0.5)
    flower = inks.red if rng.random() < 0.75 else inks.yellow
    _rays(pen, f((0.5, 0.3)), 0.32 * f.size, int(rng.integers(9, 15)), flower, hollow, lw * 0.6)
    _rays(pen, f((0.82, 0.48)), 0.15 * f.size, 8, flower, hollow, lw * 0.4)


def bamboo_plant(pen: Pen, box: Box, inks: Inks, rng: np.random.Generator) -> None:
    """Jointed stems with sprays of pointed leaves."""
    f = _Frame(box, bool(rng.integers(2)))
    lw = rng.uniform(3.6, 6.0)
    stem = inks.green if rng.random() < 0.55 else inks.blue
    for x0, x1, top in ((0.34, 0.42, 0.06), (0.6, 0.62, 0.22)):
        n = 4
        for i in range(n):
            a, b = (i + 0.08) / n, (i + 0.92) / n
            y = [0.98 - (0.98 - top) * v for v in (a, b)]
            x = [x0 + (x1 - x0) * v for v in (a, b)]
            pen.stroke(f([(x[0], y[0]), (x[1], y[1])]), (lw, lw * 0.8, lw), stem)
    leaves = inks.green if rng.random() < 0.8 else inks.black
    for x, y in ((0.4, 0.3), (0.62, 0.44), (0.36, 0.62), (0.62, 0.24)):
        side = -1 if x < 0.5 else 1
        for a in (-8, 32, 72):
            tip = np.array([x, y]) + 0.3 * np.array([side * np.cos(np.deg2rad(a)), np.sin(np.deg2rad(a)) * 0.8])
            pen.fill(f(leaf((x, y), tip, 0.07)), leaves)
    if rng.random() < 0.3:
        pen.disc(f((0.76, 0.2)), 0.07 * f.size, inks.red)


def rose(pen: Pen, box: Box, inks: Inks, rng: np.random.Generator) -> None:
    """The common season flower: one stem, paired leaves, a full red bloom and a bud."""
    f = _Frame(box, bool(rng.integers(2)))
    lw = rng.uniform(2.2, 3.6)
    _stem(pen, f, [(0.5, 0.98), (0.42, 0.7), (0.5, 0.36)], lw, inks.green)
    _stem(pen, f, [(0.45, 0.78), (0.74, 0.5), (0.72, 0.3)], lw * 0.8, inks.green)
    filled = rng.random() < 0.6
    for base, tip in (
        ((0.46, 0.86), (0.1, 0.74)),
        ((0.47, 0.88), (0.94, 0.78)),
        ((0.44, 0.66), (0.1, 0.48)),
        ((0.5, 0.7), (0.92, 0.58)),
    ):
        shape = f(leaf(base, tip, rng.uniform(0.13, 0.2), rng.uniform(-0.2, 0.2)))
        pen.fill(shape, inks.green if filled else None)
        pen.outline(shape, lw * 0.7, inks.green)
    c, r = f((rng.uniform(0.4, 0.52), 0.28)), 0.3 * f.size
    _blossom(pen, c, r, int(rng.integers(5, 8)), inks.red, None, not filled or rng.random() < 0.4, lw * 0.8)
    for i in range(2):
        pen.ring(c, r * (0.5 - 0.2 * i), lw * 0.7, inks.red)
    _blossom(pen, f((0.74, 0.24)), r * 0.36, 5, inks.red, None, False, lw * 0.5)


def lotus(pen: Pen, box: Box, inks: Inks, rng: np.random.Generator) -> None:
    """A lotus over its round leaf and water."""
    f = _Frame(box, bool(rng.integers(2)))
    lw = rng.uniform(2.2, 3.4)
    _stem(pen, f, [(0.5, 0.9), (0.46, 0.66), (0.5, 0.5)], lw, inks.green)
    for a, s in ((-150, 1.0), (-30, 1.0), (-120, 1.1), (-60, 1.1), (-90, 1.2)):
        tip = np.array([0.5, 0.5]) + 0.4 * s * np.array([np.cos(np.deg2rad(a)), np.sin(np.deg2rad(a))])
        shape = f(leaf((0.5, 0.52), tip, 0.22))
        pen.fill(shape, None if rng.random() < 0.5 else inks.red)
        pen.outline(shape, lw * 0.8, inks.red)
    pen.ellipse(f((0.7, 0.76)), (0.26 * f.size, 0.1 * f.size), inks.green)
    pen.stroke(f([(0.6, 0.76), (0.84, 0.74)]), lw * 0.5, None)
    for y in (0.9, 0.97):
        pen.stroke(
            bent(f([(0.06, y), (0.28, y - 0.03), (0.5, y), (0.72, y + 0.03), (0.94, y)]), 6), lw * 0.7, inks.blue
        )


def maple(pen: Pen, box: Box, inks: Inks, rng: np.random.Generator) -> None:
    """A twig of pointed autumn leaves."""
    f = _Frame(box, bool(rng.integers(2)))
    lw = rng.uniform(2.2, 3.4)
    _stem(pen, f, [(0.2, 0.98), (0.4, 0.6), (0.7, 0.1)], lw, inks.black if rng.random() < 0.5 else inks.green)
    for x, y, s in ((0.36, 0.4, 1.0), (0.72, 0.36, 0.8), (0.5, 0.74, 0.8), (0.66, 0.1, 0.6)):
        colour = inks.red if rng.random() < 0.7 else inks.yellow
        for a in (-170, -130, -90, -50, -10):
            tip = f((x, y)) + 0.26 * s * f.size * np.array([np.cos(np.deg2rad(a)), np.sin(np.deg2rad(a))])
            pen.fill(leaf(f((x, y)), tip, 0.1 * f.size), colour)


def basket(pen: Pen, box: Box, inks: Inks, rng: np.random.Generator) -> None:
    """Flowers in a vase or basket."""
    f = _Frame(box)
    lw = rng.uniform(2.0, 3.2)
    colour = inks.blue if rng.random() < 0.6 else inks.green
    vase = f([(0.3, 0.62), (0.7, 0.62), (0.62, 0.72), (0.7, 0.96), (0.3, 0.96), (0.38, 0.72)])
    _shape(pen, vase, None, colour, lw, False)
    for y in (0.7, 0.84):
        pen.stroke(f([(0.34, y), (0.66, y)]), lw * 0.8, colour)
    for x, y, r in ((0.5, 0.24, 0.17), (0.24, 0.36, 0.13), (0.76, 0.36, 0.13), (0.42, 0.44, 0.1)):
        _stem(pen, f, [(0.5, 0.62), ((0.5 + x) / 2, 0.5), (x, y)], lw * 0.8, inks.green)
        _blossom(
            pen, f((x, y)), r * f.size, int(rng.integers(5, 7)), inks.red, None, bool(rng.random() < 0.5), lw * 0.6
        )
    for tip in ((0.1, 0.54), (0.9, 0.54), (0.62, 0.06)):
        pen.fill(f(leaf((0.5, 0.6), tip, 0.08, 0.15)), inks.green)


def figure(pen: Pen, box: Box, inks: Inks, rng: np.random.Generator) -> None:
    """A robed person with a hat and a rod, an axe, a hoe or a book."""
    f = _Frame(box, bool(rng.integers(2)))
    lw = rng.uniform(2.2, 3.4)
    robe, trim = (inks.blue, inks.red) if rng.random() < 0.5 else (inks.green, inks.red)
    body = bent(
        f([(0.4, 0.3), (0.24, 0.56), (0.16, 0.94), (0.5, 0.98), (0.78, 0.94), (0.66, 0.54), (0.56, 0.3), (0.4, 0.3)]), 5
    )
    _shape(pen, body, robe, robe, lw, rng.random() < 0.5)
    pen.stroke(bent(f([(0.48, 0.32), (0.46, 0.6), (0.52, 0.94)]), 6), lw, trim)
    pen.disc(f((0.48, 0.2)), 0.13 * f.size, None)
    pen.ring(f((0.48, 0.2)), 0.13 * f.size, lw * 0.8, inks.black)
    if rng.random() < 0.5:
        pen.fill(f([(0.24, 0.16), (0.48, 0.0), (0.72, 0.16)]), trim)
    else:
        pen.disc(f((0.48, 0.06)), 0.06 * f.size, inks.black)
    pen.stroke(bent(f([(0.6, 0.42), (0.74, 0.5), (0.84, 0.44)]), 5), lw * 1.6, robe)
    tool = int(rng.integers(4))
    if tool == 0:
        pen.stroke(bent(f([(0.8, 0.6), (0.86, 0.2), (0.98, 0.06)]), 6), lw * 0.8, inks.black)
        pen.stroke(f([(0.98, 0.06), (0.98, 0.8)]), lw * 0.4, inks.black)
    elif tool == 1:
        pen.stroke(f([(0.8, 0.84), (0.88, 0.08)]), lw, inks.black)
        pen.fill(f([(0.86, 0.08), (1.0, 0.12), (0.98, 0.26), (0.87, 0.22)]), trim)
    elif tool == 2:
        pen.stroke(f([(0.76, 0.94), (0.9, 0.06), (0.7, 0.1)]), lw, inks.black)
    else:
        _shape(pen, f([(0.72, 0.4), (0.96, 0.36), (0.98, 0.56), (0.74, 0.6)]), None, inks.black, lw * 0.8, False)


def pavilion(pen: Pen, box: Box, inks: Inks, rng: np.random.Generator) -> None:
    """A small house with a curved roof under a tree."""
    f = _Frame(box, bool(rng.integers(2)))
    lw = rng.uniform(2.2, 3.2)
    roof = bent(f([(0.02, 0.44), (0.2, 0.38), (0.36, 0.2), (0.52, 0.38), (0.72, 0.44)]), 6)
    pen.fill(roof, inks.red)
    pen.outline(roof, lw, inks.red)
    for x in (0.16, 0.36, 0.58):
        pen.stroke(f([(x, 0.44), (x, 0.82)]), lw, inks.blue)
    pen.stroke(f([(0.06, 0.82), (0.68, 0.82)]), lw * 1.4, inks.blue)
    pen.stroke(bent(f([(0.86, 0.96), (0.82, 0.6), (0.9, 0.3)]), 6), lw * 1.2, inks.black)
    for x, y in ((0.84, 0.2), (0.94, 0.34), (0.76, 0.36)):
        pen.disc(f((x, y)), 0.13 * f.size, inks.green)
    pen.stroke(bent(f([(0.04, 0.96), (0.4, 0.92), (0.96, 0.97)]), 6), lw, inks.green)


OWN_PLANTS = {
    "1f": plum, "2f": orchid, "3f": chrysanthemum, "4f": bamboo_plant,
    "1q": rose, "2q": lotus, "3q": maple, "4q": plum,
}  # fmt: skip
ANY_PICTURES = (rose, basket, figure, pavilion, plum, chrysanthemum, orchid, lotus)
__all__ = ["ANY_PICTURES", "BIRDS", "OWN_PLANTS", "Inks"]
