"""Tile faces of our own: 42 faces, three red fives and backs, in as many styles as there are tile sets.

`Style` is plain data that says how one tile set is made; `random_style` invents one, `named_styles` gives a fixed
few. `draw_face` returns the ink alone on a transparent ground, so that the tile's body and light show through.
Drawings are deterministic for a style.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from vision.render.pen import HEIGHT, WIDTH, Colour, Pen, turned
from vision.render.pictures import ANY_PICTURES, BIRDS, OWN_PLANTS, Inks
from vision.render.strokes import Hand

SUITED = tuple(f"{n}{suit}" for suit in "mps" for n in range(1, 10))
HONOURS = ("E", "S", "W", "N", "C", "F", "P")
BONUS = tuple(f"{n}{series}" for series in "fq" for n in range(1, 5))
FACES: tuple[str, ...] = SUITED + HONOURS + BONUS
RED_FIVES = ("0m", "0p", "0s")

_CHINESE = "一二三四五六七八九"
_INDEX = {"E": "E", "S": "S", "W": "W", "N": "N", "C": "C", "F": "F", "P": "P"}


@dataclass(frozen=True)
class Style:
    """One tile set's design. Colours are RGB; ink names are "red", "green", "blue", "black", "yellow".

    characters: `suit_hand` writes 1-9 and 萬, `honour_hand` winds and dragons, `index_hand` corner numerals.
    dots: `dot` and `one_dot` name designs, `dot_inks` the first and second colour, `dot_reds` whether red is used.
    bamboo: likewise; `seven`, `eight`, `nine` name the arrangements that differ between sets.
    bonus tiles: `bonus_picture` "own" (each its plant), "any" (the set's own choice of pictures), "rose" or "none";
    `bonus_label` "both", "number" or "character"; `bonus_place` where the label stands.
    surface: `engraving` depth of the cut, `wear` share of ink lost, `bleed` softness in face units, `opacity` of ink.
    """

    name: str = "plain"
    seed: int = 0
    inks: Inks = field(default_factory=Inks)
    body: Colour = (240, 238, 228)
    back: Colour = (36, 120, 62)
    back_pattern: str = "plain"
    suit_hand: Hand = field(default_factory=Hand)
    honour_hand: Hand = field(default_factory=lambda: Hand(weight=13))
    index_hand: Hand = field(default_factory=lambda: Hand("sans", 13, 1.0, sway=0.0))
    number_ink: str = "black"
    wan_ink: str = "red"
    wind_ink: str = "black"
    wan: str = "萬"
    five: str = "伍"
    east: str = "東"
    green: str = "發"
    orchid: str = "蘭"
    centre: str = "中"
    suit_size: tuple[float, float] = (62.0, 44.0)
    wan_size: tuple[float, float] = (66.0, 50.0)
    honour_size: tuple[float, float] = (66.0, 84.0)
    index: str = "none"
    index_place: str = "left"
    index_ink: str = "black"
    index_size: float = 17.0
    white_letter: str = "P"
    dot: str = "rings"
    one_dot: str = "flower"
    one_radius: float = 36.0
    dot_inks: tuple[str, str] = ("green", "blue")
    dot_reds: bool = True
    dot_scale: float = 1.0
    dot_spread: float = 1.0
    stick: str = "double"
    stick_inks: tuple[str, str] = ("green", "green")
    stick_reds: bool = True
    stick_width: float = 13.0
    seven: str = "top"
    eight: str = "diamond"
    nine: str = "column"
    bird: str = "sparrow"
    bird_scale: float = 1.0
    white: str = "double"
    white_ink: str = "blue"
    flowers: str = "梅蘭菊竹"
    bonus_picture: str = "own"
    bonus_label: str = "both"
    bonus_place: str = "top"
    bonus_ink: tuple[str, str] = ("black", "red")
    bonus_number: tuple[str, str] = ("arabic", "arabic")
    margin: float = 0.0
    engraving: float = 0.4
    wear: float = 0.0
    bleed: float = 0.0
    opacity: float = 1.0


def _ink(style: Style, name: str) -> Colour:
    return getattr(style.inks, name)


# ---------------------------------------------------------------- dots


def _petals(pen: Pen, c: np.ndarray, r: float, n: int, size: float, colour: Colour | None) -> None:
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
    _petals(pen, c, r * 0.56, 6, r * 0.22, None)
    pen.disc(c, r * 0.14, None)


def _dot_cross(pen: Pen, c: np.ndarray, r: float, ink: Colour, heart: Colour) -> None:
    pen.disc(c, r, ink)
    pen.disc(c, r * 0.78, None)
    pen.disc(c, r * 0.66, ink)
    for a in (45, 135):
        d = turned(np.array([[r * 0.6, 0.0]]), a)[0]
        pen.stroke([c - d, c + d], r * 0.2, None)


def _dot_flower(pen: Pen, c: np.ndarray, r: float, ink: Colour, heart: Colour) -> None:
    _petals(pen, c, r * 0.74, 12, r * 0.24, ink)
    pen.disc(c, r * 0.66, ink)
    _petals(pen, c, r * 0.72, 12, r * 0.12, None)
    pen.disc(c, r * 0.42, None)
    pen.ring(c, r * 0.42, r * 0.1, ink)
    pen.disc(c, r * 0.2, heart)


def _dot_five(pen: Pen, c: np.ndarray, r: float, ink: Colour, heart: Colour) -> None:
    pen.ring(c, r, r * 0.2, ink)
    _petals(pen, c, r * 0.42, 5, r * 0.24, ink)
    pen.disc(c, r * 0.14, heart)


def _dot_coin(pen: Pen, c: np.ndarray, r: float, ink: Colour, heart: Colour) -> None:
    pen.ring(c, r, r * 0.2, ink)
    pen.disc(c, r * 0.62, ink)
    q = r * 0.24
    pen.fill(c + np.array([[-q, -q], [q, -q], [q, q], [-q, q]]), None)


def _dot_bead(pen: Pen, c: np.ndarray, r: float, ink: Colour, heart: Colour) -> None:
    pen.ring(c, r, r * 0.14, ink)
    _petals(pen, c, r * 0.66, 9, r * 0.15, ink)
    pen.ring(c, r * 0.4, r * 0.14, ink)
    pen.disc(c, r * 0.16, heart)


DOTS: dict[str, Callable[[Pen, np.ndarray, float, Colour, Colour], None]] = {
    "rings": _dot_rings, "thin": _dot_thin_rings, "solid": _dot_solid, "plain": _dot_plain, "wheel": _dot_wheel,
    "cross": _dot_cross, "flower": _dot_flower, "five": _dot_five, "coin": _dot_coin, "bead": _dot_bead,
}  # fmt: skip


def _one_flower(pen: Pen, c: np.ndarray, r: float, inks: tuple[Colour, Colour, Colour]) -> None:
    first, second, red = inks
    _petals(pen, c, r * 0.84, 16, r * 0.17, first)
    _petals(pen, c, r * 0.84, 16, r * 0.09, None)
    pen.disc(c, r * 0.74, first)
    pen.disc(c, r * 0.66, None)
    pen.ring(c, r * 0.6, r * 0.08, second)
    _petals(pen, c, r * 0.3, 8, r * 0.16, red)
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
    _petals(pen, c, r * 0.68, 14, r * 0.12, None)
    pen.disc(c, r * 0.46, None)
    _dot_five(pen, c, r * 0.4, red, red)


def _one_lace(pen: Pen, c: np.ndarray, r: float, inks: tuple[Colour, Colour, Colour]) -> None:
    first, second, red = inks
    _petals(pen, c, r * 0.86, 20, r * 0.14, first)
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
    _petals(pen, c, r * 0.8, 12, r * 0.22, first)
    _petals(pen, c, r * 0.8, 12, r * 0.13, None)
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
    _petals(pen, c, r * 0.26, 6, r * 0.17, red)


ONE_DOTS = {
    "flower": _one_flower, "rings": _one_rings, "disc": _one_disc, "lace": _one_lace, "square": _one_square,
    "sun": _one_sun,
}  # fmt: skip

# Places of dots as shares of the face, in reading order; radius in face units.
_DOT_PLACES: dict[int, tuple[list[tuple[float, float]], float]] = {
    2: ([(0.5, 0.27), (0.5, 0.73)], 18.0),
    3: ([(0.26, 0.19), (0.5, 0.5), (0.74, 0.81)], 15.0),
    4: ([(0.3, 0.25), (0.7, 0.25), (0.3, 0.75), (0.7, 0.75)], 15.5),
    5: ([(0.27, 0.21), (0.73, 0.21), (0.5, 0.5), (0.27, 0.79), (0.73, 0.79)], 14.0),
    6: ([(0.31, 0.18), (0.69, 0.18), (0.31, 0.54), (0.69, 0.54), (0.31, 0.82), (0.69, 0.82)], 14.5),
    7: ([(0.24, 0.13), (0.5, 0.22), (0.76, 0.31), (0.33, 0.59), (0.67, 0.59), (0.33, 0.84), (0.67, 0.84)], 12.5),
    8: ([(x, y) for y in (0.14, 0.38, 0.62, 0.86) for x in (0.32, 0.68)], 13.5),
    9: ([(x, y) for y in (0.19, 0.5, 0.81) for x in (0.21, 0.5, 0.79)], 12.0),
}


def _dot_colours(n: int, a: str, b: str, reds: bool) -> list[str]:
    r = "red" if reds else a
    return {
        2: [a, b],
        3: [b, r, a],
        4: [b, a, a, b],
        5: [b, a, r, a, b],
        6: [a, a, r, r, r, r],
        7: [a, a, a, r, r, r, r],
        8: [b] * 8,
        9: [a, a, a, r, r, r, b, b, b],
    }[n]


def _draw_dots(pen: Pen, n: int, style: Style, all_red: bool) -> None:
    first, second = style.dot_inks
    if n == 1:
        inks = (_ink(style, first), _ink(style, second), style.inks.red)
        ONE_DOTS[style.one_dot](pen, np.array([WIDTH / 2, HEIGHT / 2]), style.one_radius, inks)
        return
    places, radius = _DOT_PLACES[n]
    colours = ["red"] * n if all_red else _dot_colours(n, first, second, style.dot_reds)
    for (x, y), name in zip(places, colours, strict=True):
        centre = np.array([50 + (x - 0.5) * WIDTH * style.dot_spread, 66.5 + (y - 0.5) * HEIGHT * style.dot_spread])
        heart = style.inks.red if style.dot_reds else _ink(style, name)
        DOTS[style.dot](pen, centre, radius * style.dot_scale, _ink(style, name), heart)


# ---------------------------------------------------------------- bamboo


def _capsule(length: float, width: float) -> np.ndarray:
    a = np.linspace(0, np.pi, 9)
    r = width / 2
    bottom = np.stack([np.cos(a) * r, np.sin(a) * r + length / 2 - r], 1)
    return np.vstack([bottom, -bottom])


def _bar(length: float, width: float) -> np.ndarray:
    return np.array([[-width, -length], [width, -length], [width, length], [-width, length]]) / 2


class _Stick:
    """One bamboo stick in its own axes: origin in its middle, y along it."""

    def __init__(self, pen: Pen, centre: np.ndarray, turn: float) -> None:
        self.pen, self.centre, self.turn = pen, centre, turn

    def fill(self, shape: np.ndarray, colour: Colour | None, dy: float = 0.0) -> None:
        self.pen.fill(turned(shape + np.array([0.0, dy]), self.turn) + self.centre, colour)

    def line(self, points: list[tuple[float, float]], width: float, colour: Colour | None) -> None:
        self.pen.stroke(turned(np.array(points), self.turn) + self.centre, width, colour)


def _stick_double(s: _Stick, w: float, h: float, ink: Colour) -> None:
    for y in (-h / 4, h / 4):
        s.fill(_capsule(h * 0.52, w), ink, y)
        s.line([(0, y - h * 0.13), (0, y + h * 0.13)], w * 0.2, None)


def _stick_outline(s: _Stick, w: float, h: float, ink: Colour) -> None:
    for y in (-h / 4, h / 4):
        s.fill(_capsule(h * 0.53, w), ink, y)
        s.fill(_capsule(h * 0.53 - w * 0.5, w * 0.5), None, y)


def _stick_bone(s: _Stick, w: float, h: float, ink: Colour) -> None:
    s.fill(_bar(h * 0.9, w * 0.72), ink)
    for y in (-h * 0.46, 0.0, h * 0.46):
        s.fill(turned(_capsule(w * 1.1, w * 0.42), 90), ink, y)
    for y in (-h * 0.23, h * 0.23):
        s.line([(0, y - h * 0.1), (0, y + h * 0.1)], w * 0.2, None)


def _stick_beam(s: _Stick, w: float, h: float, ink: Colour) -> None:
    for x in (-w * 0.2, w * 0.2):
        s.line([(x, -h * 0.44), (x, h * 0.44)], w * 0.18, ink)
    for y in (-h * 0.45, 0.0, h * 0.45):
        s.fill(_bar(w * 0.3, w * 1.05), ink, y)


def _stick_plain(s: _Stick, w: float, h: float, ink: Colour) -> None:
    s.fill(_bar(h, w * 0.78), ink)
    s.line([(-w, 0), (w, 0)], w * 0.2, None)


def _stick_chain(s: _Stick, w: float, h: float, ink: Colour) -> None:
    for y in (-h / 3, 0.0, h / 3):
        s.fill(_capsule(h * 0.36, w), ink, y)
        s.fill(_capsule(h * 0.36 - w * 0.46, w * 0.46), None, y)


def _stick_knots(s: _Stick, w: float, h: float, ink: Colour) -> None:
    s.fill(_capsule(h, w * 0.6), ink)
    for y in (-h * 0.3, 0.0, h * 0.3):
        s.fill(turned(_capsule(w, w * 0.3), 90), ink, y)


def _stick_slit(s: _Stick, w: float, h: float, ink: Colour) -> None:
    s.fill(_capsule(h, w), ink)
    for y in (-h / 4, h / 4):
        for x in (-w * 0.17, w * 0.17):
            s.line([(x, y - h * 0.14), (x, y + h * 0.14)], w * 0.12, None)
    s.line([(-w * 0.6, 0), (w * 0.6, 0)], w * 0.14, None)


STICKS = {
    "double": _stick_double, "outline": _stick_outline, "bone": _stick_bone, "beam": _stick_beam,
    "plain": _stick_plain, "chain": _stick_chain, "knots": _stick_knots, "slit": _stick_slit,
}  # fmt: skip

Place = tuple[float, float, float, float, str]  # x, y, length (shares of the face), turn in degrees, ink name


def _two_rows(columns: tuple[float, ...], upper: list[str], lower: list[str]) -> list[Place]:
    return [
        (x, y, 0.37, 0.0, c) for y, row in ((0.29, upper), (0.71, lower)) for x, c in zip(columns, row, strict=True)
    ]


def _stick_places(n: int, style: Style) -> list[Place]:
    a, b = style.stick_inks
    r = "red" if style.stick_reds else a
    three = (0.22, 0.5, 0.78)
    if n == 2:
        return [(0.5, 0.28, 0.38, 0.0, a), (0.5, 0.72, 0.38, 0.0, b)]
    if n == 3:
        return [(0.5, 0.28, 0.37, 0.0, a), (0.27, 0.72, 0.37, 0.0, b), (0.73, 0.72, 0.37, 0.0, b)]
    if n == 4:
        return _two_rows((0.3, 0.7), [b, a], [a, b])
    if n == 5:
        return [*_two_rows((0.23, 0.77), [b, a], [a, b]), (0.5, 0.5, 0.37, 0.0, r)]
    if n == 6:
        return _two_rows(three, [a] * 3, [b] * 3)
    if n == 7:
        middle = "blue" if style.seven == "column" else b
        rows = [(x, y, 0.26, 0.0, middle if x == 0.5 else a) for y in (0.5, 0.81) for x in three]
        return [(0.5, 0.18, 0.26, 0.0, r), *rows]
    if n == 9:

        def colour(i: int, j: int) -> str:
            return r if (i if style.nine == "column" else j) == 1 else (a, a, b)[j]

        return [(x, y, 0.27, 0.0, colour(i, j)) for j, y in enumerate((0.19, 0.5, 0.81)) for i, x in enumerate(three)]
    return _eight_places(style.eight, a, b)


def _eight_places(kind: str, a: str, b: str) -> list[Place]:
    """Two letters of four sticks: W over M leaves a diamond between them, M over W a cross; "level" lies them flat."""
    upper, lower = (0.29, 0.71)
    if kind == "level":
        places: list[Place] = []
        for y, c in ((upper, a), (lower, b)):
            s = 1.0 if y < 0.5 else -1.0
            places += [(0.17, y, 0.34, 0.0, c), (0.83, y, 0.34, 0.0, c)]
            places += [(0.36, y, 0.32, -58.0 * s, c), (0.64, y, 0.32, 58.0 * s, c)]
        return places
    lean = 33.0 if kind == "diamond" else -33.0
    places = []
    for y, c, s in ((upper, a, 1.0), (lower, b, -1.0)):
        places += [(0.17, y, 0.38, 0.0, c), (0.83, y, 0.38, 0.0, c)]
        places += [(0.375, y, 0.36, lean * s, c), (0.625, y, 0.36, -lean * s, c)]
    return places


def _draw_bamboo(pen: Pen, n: int, style: Style, all_red: bool) -> None:
    if n == 1:
        rng = np.random.default_rng([style.seed, 101])
        k = style.bird_scale
        BIRDS[style.bird](pen, (50 - 42 * k, 66.5 - 58 * k, 50 + 42 * k, 66.5 + 58 * k), style.inks, rng)
        return
    for x, y, length, turn, name in _stick_places(n, style):
        centre = np.array([50 + (x - 0.5) * WIDTH * 0.96, 66.5 + (y - 0.5) * HEIGHT * 0.94])
        colour = _ink(style, "red" if all_red else name)
        width = style.stick_width * (0.9 if n >= 6 else 1.0)
        STICKS[style.stick](_Stick(pen, centre, turn), width, length * HEIGHT * 0.96, colour)


# ---------------------------------------------------------------- characters, honours


def _draw_character(pen: Pen, n: int, style: Style, all_red: bool) -> None:
    number = style.five if n == 5 else _CHINESE[n - 1]
    upper = "red" if all_red else style.number_ink
    w, h = style.suit_size
    shrink = {1: 0.9, 2: 0.84, 3: 0.94}.get(n, 1.0)
    total = h + style.wan_size[1] + 4
    top = (HEIGHT - total) / 2
    pen.glyph(number, (50, top + h / 2), (w, h * shrink), _ink(style, upper), style.suit_hand)
    pen.glyph(
        style.wan,
        (50, top + h + 4 + style.wan_size[1] / 2),
        style.wan_size,
        _ink(style, "red" if all_red else style.wan_ink),
        style.suit_hand,
    )


def _draw_white(pen: Pen, style: Style) -> None:
    ink = _ink(style, style.white_ink)
    if style.white == "blank":
        return
    if style.white == "character":
        pen.glyph("白", (50, 66), (style.honour_size[0] * 0.86, style.honour_size[1]), ink, style.honour_hand)
        return
    if style.white == "letter":
        pen.glyph(style.white_letter, (50, 66), (34, 46), ink, style.index_hand)
        return
    rng = np.random.default_rng([style.seed, 77])
    inset, w = rng.uniform(11, 20), rng.uniform(2.5, 7.5)
    _frame(pen, inset, w, ink, rng.uniform(0, 8))
    if style.white == "single":
        return
    gap = w / 2 + rng.uniform(2.5, 5)
    _frame(pen, inset + gap + w * 0.4, max(1.4, w * rng.uniform(0.25, 0.6)), ink, rng.uniform(0, 9))
    if style.white == "ornate":
        _ornaments(pen, inset, gap, w, ink, rng)


def _frame(pen: Pen, inset: float, width: float, ink: Colour, cut: float) -> None:
    x0, y0, x1, y1 = inset, inset * 1.12, WIDTH - inset, HEIGHT - inset * 1.12
    c = cut if cut > 2 else 0.0
    corners = [
        (x0 + c, y0),
        (x1 - c, y0),
        (x1, y0 + c),
        (x1, y1 - c),
        (x1 - c, y1),
        (x0 + c, y1),
        (x0, y1 - c),
        (x0, y0 + c),
    ]
    pen.outline(np.array(corners), width, ink)


def _ornaments(pen: Pen, inset: float, gap: float, w: float, ink: Colour, rng: np.random.Generator) -> None:
    bars = rng.random() < 0.5
    x0, y0 = inset, inset * 1.12
    for t in np.linspace(0.12, 0.88, 6):
        for x in (x0 + gap * 0.4, WIDTH - x0 - gap * 0.4):
            y = y0 + (HEIGHT - 2 * y0) * t
            if bars:
                pen.stroke([(x - gap, y), (x + gap, y)], w * 0.45, None)
            else:
                pen.disc((x, y), w * 0.6, ink)
        for y in (y0 + gap * 0.4, HEIGHT - y0 - gap * 0.4):
            x = x0 + (WIDTH - 2 * x0) * t
            if bars:
                pen.stroke([(x, y - gap), (x, y + gap)], w * 0.45, None)
            else:
                pen.disc((x, y), w * 0.6, ink)
    if rng.random() < 0.5:
        q = 8.0
        for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            c = np.array([50 + sx * (50 - x0 - gap - 8), 66.5 + sy * (66.5 - y0 - gap - 9)])
            pen.stroke([c - (sx * q, 0), c, c - (0, sy * q)], w * 0.4, ink)


def _draw_honour(pen: Pen, face: str, style: Style) -> None:
    if face == "P":
        _draw_white(pen, style)
        return
    glyph = {"E": style.east, "S": "南", "W": "西", "N": "北", "C": style.centre, "F": style.green}[face]
    ink = {"C": "red", "F": "green"}.get(face, style.wind_ink)
    w, h = style.honour_size
    if face == "C":
        w *= 0.86
    pen.glyph(glyph, (50, 66.5), (w, h), _ink(style, ink), style.honour_hand)


# ---------------------------------------------------------------- bonus tiles


def _bonus_character(face: str, style: Style) -> str:
    character = (style.flowers if face[1] == "f" else "春夏秋冬")[int(face[0]) - 1]
    return style.orchid if character == "蘭" else character


def _bonus_label(pen: Pen, face: str, style: Style, places: dict[str, tuple[float, float]], size: float) -> None:
    n, series = int(face[0]), face[1]
    which = 0 if series == "f" else 1
    ink = _ink(style, style.bonus_ink[which])
    if style.bonus_label in ("both", "character"):
        pen.glyph(_bonus_character(face, style), places["character"], (size * 1.2, size * 1.25), ink, style.suit_hand)
    if style.bonus_label in ("both", "number"):
        big = 1.15 if style.bonus_label == "number" else 1.0
        if style.bonus_number[which] == "arabic":
            pen.glyph(str(n), places["number"], (size * 0.66 * big, size * big), ink, style.index_hand)
        else:
            pen.glyph(_CHINESE[n - 1], places["number"], (size * big, size * 0.8 * big), ink, style.suit_hand)


def _draw_bonus(pen: Pen, face: str, style: Style) -> None:
    # Sets whose seasons are one flower repeat it; the others draw each its own way.
    which = int(face[1] == "q") * 10 + (int(face[0]) if style.bonus_picture != "rose" else 0)
    rng = np.random.default_rng([style.seed, 201, which])
    if style.bonus_picture == "none":
        places = {"character": (50.0, 66.0), "number": (17.0, 18.0)}
        which = 0 if face[1] == "f" else 1
        ink = _ink(style, style.bonus_ink[which])
        pen.glyph(_bonus_character(face, style), (50, 68), (62, 76), ink, style.honour_hand)
        _bonus_label(pen, face, replace(style, bonus_label="number"), places, 18.0)
        return
    left, right = 22.0, 80.0
    place = style.bonus_place
    if place in ("top", "top-swapped"):
        box = (10.0, 42.0, 90.0, 126.0)
        places = {"character": (left, 22.0), "number": (right, 21.0)}
    elif place in ("bottom", "bottom-swapped"):
        box = (10.0, 8.0, 90.0, 92.0)
        places = {"character": (left, 112.0), "number": (right, 113.0)}
    else:
        box = (28.0, 16.0, 94.0, 124.0)
        places = {"character": (19.0, 48.0), "number": (18.0, 20.0)}
    if place.endswith("swapped"):
        places = {"character": places["number"], "number": places["character"]}
    _bonus_art(face, style, rng)(pen, box, style.inks, rng)
    _bonus_label(pen, face, style, places, 23.0)


def _bonus_art(face: str, style: Style, rng: np.random.Generator) -> Callable[..., None]:
    if style.bonus_picture == "rose":
        return ANY_PICTURES[0]
    if style.bonus_picture == "any":
        series = np.random.default_rng([style.seed, 301 if face[1] == "f" else 302])
        first = int(series.integers(len(ANY_PICTURES)))
        return ANY_PICTURES[first if series.random() < 0.6 else int(rng.integers(len(ANY_PICTURES)))]
    return OWN_PLANTS[face]


# ---------------------------------------------------------------- a face


def _draw_index(pen: Pen, text: str, style: Style) -> None:
    size = (style.index_size * 0.62, style.index_size)
    ink = _ink(style, style.index_ink)
    x, y = 5 + size[0] / 2, 6 + size[1] / 2
    corners = {"left": [(x, y, 0)], "right": [(WIDTH - x, y, 0)], "both": [(x, y, 0), (WIDTH - x, HEIGHT - y, 180)]}
    for cx, cy, turn in corners[style.index_place]:
        if turn:
            # The second numeral stands on its head so that it reads from the other side.
            pen.image = np.ascontiguousarray(pen.image[::-1, ::-1])
            pen.glyph(text, (WIDTH - cx, HEIGHT - cy), size, ink, style.index_hand)
            pen.image = np.ascontiguousarray(pen.image[::-1, ::-1])
        else:
            pen.glyph(text, (cx, cy), size, ink, style.index_hand)


def _index_text(face: str, style: Style) -> str:
    if style.index == "none" or face in BONUS:
        return ""
    if face[0].isdigit():
        return "5" if face[0] == "0" else face[0]
    if style.index != "all":
        return ""
    return style.white_letter if face == "P" else _INDEX[face]


def draw_face(face: str, style: Style, size: tuple[int, int] = (96, 128)) -> np.ndarray:
    """The ink of one face: (h, w, 4) uint8 RGBA, transparent where there is none; `size` is (width, height).

    `face` is one of FACES or RED_FIVES; anything else raises ValueError.
    """
    if face not in FACES and face not in RED_FIVES:
        raise ValueError(f"no such tile face: {face!r}")
    pen = Pen(size)
    pen.inset(style.margin)
    if face in BONUS:
        _draw_bonus(pen, face, style)
    elif face[0].isdigit():
        red = face[0] == "0"
        n = 5 if red else int(face[0])
        {"m": _draw_character, "p": _draw_dots, "s": _draw_bamboo}[face[1]](pen, n, style, red)
    else:
        _draw_honour(pen, face, style)
    pen.inset(0.0)
    text = _index_text(face, style)
    if text:
        _draw_index(pen, text, style)
    number = (FACES + RED_FIVES).index(face)
    return _surface(pen.finish(), style, np.random.default_rng([style.seed, 11, number]))


def _surface(rgba: np.ndarray, style: Style, rng: np.random.Generator) -> np.ndarray:
    """Paint in a cut: softened, worn, darker at the edge that turns from the light and lighter at the other."""
    h, w = rgba.shape[:2]
    unit = w / WIDTH
    out = rgba.astype(np.float32)
    alpha = out[..., 3] / 255
    if style.bleed * unit > 0.2:
        pre = np.dstack([out[..., :3] * alpha[..., None], alpha])
        pre = cv2.GaussianBlur(pre, (0, 0), style.bleed * unit)
        alpha = pre[..., 3]
        out[..., :3] = pre[..., :3] / np.maximum(alpha, 1e-3)[..., None]
    if style.engraving:
        soft = cv2.GaussianBlur(alpha, (0, 0), max(0.5, 1.3 * unit))
        gy, gx = np.gradient(soft)
        slope = (gx + gy) / max(unit, 0.3)
        shade = np.clip(slope * 1.7 * style.engraving, -0.4, 0.4)
        out[..., :3] = np.clip(out[..., :3] * (1 - shade[..., None]) + 20 * np.clip(-shade, 0, 1)[..., None], 0, 255)
        pool = 1 - 0.25 * style.engraving * np.clip(soft * 2 - 1.2, 0, 1)
        out[..., :3] = 255 - (255 - out[..., :3]) * pool[..., None]
    if style.wear:
        coarse = cv2.resize(
            rng.random((max(2, h // 14), max(2, w // 14)), np.float32), (w, h), interpolation=cv2.INTER_CUBIC
        )
        fine = cv2.GaussianBlur(rng.random((h, w), np.float32), (0, 0), max(0.5, 0.8 * unit))
        fine = (fine - fine.mean()) / max(float(fine.std()), 1e-6) * 0.16 + 0.5
        alpha = alpha * np.clip((0.45 * coarse + 0.55 * fine - style.wear * 0.75 + 0.2) * 4, 0.15, 1)
    out[..., 3] = np.clip(alpha * style.opacity, 0, 1) * 255
    return np.clip(out, 0, 255).round().astype(np.uint8)


# ---------------------------------------------------------------- backs

BACKS = ("plain", "speckle", "weave", "grain", "medallion", "lattice")


def draw_back(style: Style, size: tuple[int, int] = (96, 128)) -> np.ndarray:
    """The back of a tile, opaque: (h, w, 4) uint8 RGBA."""
    w, h = size
    rng = np.random.default_rng([style.seed, 401])
    base = np.array(style.back, np.float32)
    light = np.clip(base + 45, 0, 255)
    img = np.broadcast_to(base, (h, w, 3)).copy()
    if style.back_pattern == "speckle":
        noise = cv2.GaussianBlur(rng.normal(0, 1, (h, w)).astype(np.float32), (0, 0), max(0.6, w / 90))
        img += (noise / max(float(noise.std()), 1e-6) * 9)[..., None]
    elif style.back_pattern == "grain":
        noise = cv2.resize(
            rng.normal(0, 9, (h, max(2, w // 24))).astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC
        )
        img += cv2.GaussianBlur(noise, (0, 0), 1)[..., None]
    elif style.back_pattern != "plain":
        pen = Pen(size)
        _back_pattern(pen, style.back_pattern, tuple(int(c) for c in light))
        ink = pen.finish().astype(np.float32)
        a = ink[..., 3:] / 255
        img = img * (1 - a) + ink[..., :3] * a
    return np.dstack([np.clip(img, 0, 255), np.full((h, w), 255, np.float32)]).round().astype(np.uint8)


def _back_pattern(pen: Pen, kind: str, ink: Colour) -> None:
    if kind == "weave":
        for k in range(-14, 28):
            pen.stroke([(k * 8.0, 0), (k * 8.0 + HEIGHT, HEIGHT)], 1.4, ink)
            pen.stroke([(k * 8.0, 0), (k * 8.0 - HEIGHT, HEIGHT)], 1.4, ink)
    elif kind == "lattice":
        for y in np.arange(14, HEIGHT - 8, 13):
            for x in np.arange(14, WIDTH - 8, 12):
                pen.ring((x, y), 5, 1.2, ink)
    else:
        c = np.array([50, 66.5])
        pen.ring(c, 26, 2, ink)
        _petals(pen, c, 15, 8, 7, ink)
        _frame(pen, 9, 1.6, ink, 6)


# ---------------------------------------------------------------- styles


def _near(rng: np.random.Generator, colour: Colour, spread: float = 14) -> Colour:
    r, g, b = np.clip(np.asarray(colour) + rng.normal(0, spread, 3), 0, 255).astype(int)
    return int(r), int(g), int(b)


def _pick(rng: np.random.Generator, options: dict[str, float]) -> str:
    weights = np.array(list(options.values()))
    return str(rng.choice(list(options), p=weights / weights.sum()))


def random_inks(rng: np.random.Generator) -> Inks:
    """Paints as real sets have them, from fresh to faded and dark."""
    reds = [(186, 24, 34), (150, 24, 36), (210, 48, 44), (226, 66, 58), (128, 28, 40)]
    greens = [(20, 104, 50), (14, 72, 40), (52, 138, 74), (30, 60, 48), (60, 170, 96), (24, 92, 84)]
    blues = [(30, 54, 150), (24, 36, 96), (44, 92, 176), (70, 110, 190), (34, 44, 66)]
    blacks = [(24, 24, 28), (40, 40, 46), (30, 34, 56), (60, 58, 58)]
    yellows = [(214, 160, 40), (200, 130, 30)]
    inks = [_near(rng, options[int(rng.integers(len(options)))]) for options in (reds, greens, blues, blacks, yellows)]
    if rng.random() < 0.3:
        # Dark sets paint green, blue and black in nearly one colour.
        dark = _near(rng, (30, 40, 56), 10)
        inks[1], inks[2], inks[3] = _near(rng, dark, 8), _near(rng, dark, 8), _near(rng, dark, 6)
    return Inks(*inks)


def random_hand(rng: np.random.Generator) -> Hand:
    """A hand of writing: mostly brush, sometimes printed, sans or thin."""
    family = _pick(rng, {"brush": 0.64, "song": 0.1, "sans": 0.14, "thin": 0.12})
    seed = int(rng.integers(1 << 30))
    if family == "brush":
        return Hand(
            family,
            rng.uniform(9.5, 18),
            rng.uniform(0.34, 0.85),
            rng.uniform(30, 65),
            rng.uniform(0.0, 0.14),
            rng.uniform(-0.05, 0.12),
            rng.uniform(0.6, 3.2),
            seed,
            rng.uniform(0.9, 1.7),
            bool(rng.random() < 0.45),
        )
    if family == "song":
        return Hand(family, rng.uniform(12, 18), 1.0, 45, 0.0, 0.0, rng.uniform(0, 0.6), seed, rng.uniform(0.8, 1.2))
    if family == "sans":
        return Hand(family, rng.uniform(10, 16), 1.0, 45, rng.uniform(-0.01, 0.04), 0.0, rng.uniform(0, 1.2), seed)
    return Hand(
        family,
        rng.uniform(5, 8.5),
        rng.uniform(0.7, 1),
        45,
        rng.uniform(0, 0.07),
        rng.uniform(-0.03, 0.06),
        rng.uniform(0.3, 2),
        seed,
    )


def _random_index_hand(rng: np.random.Generator) -> Hand:
    if rng.random() < 0.7:
        return Hand("sans", rng.uniform(10, 19), rng.uniform(0.7, 1), 45, 0.0, rng.choice([0.0, 0.0, 0.12]), 0.0)
    return Hand("song", rng.uniform(14, 20), 1.0, 45, 0.0, rng.choice([0.0, 0.15]), 0.0)


BODIES = ((244, 243, 238), (238, 232, 214), (228, 228, 222), (246, 246, 248), (232, 220, 190), (224, 222, 208))
BACK_COLOURS = (
    (34, 124, 66), (30, 76, 150), (226, 164, 44), (170, 44, 150), (160, 34, 40), (64, 160, 210), (40, 60, 84),
    (240, 190, 70), (110, 200, 130), (44, 44, 46), (120, 190, 200), (120, 40, 80), (20, 84, 70), (222, 120, 150),
    (110, 74, 44), (196, 170, 120),
)  # fmt: skip


def random_style(rng: np.random.Generator) -> Style:
    """An invented tile set, consistent in itself."""
    seed = int(rng.integers(1 << 30))
    hand = random_hand(rng)
    honour = hand if rng.random() < 0.6 else random_hand(rng)
    dark = _pick(rng, {"black": 0.45, "blue": 0.42, "green": 0.08, "red": 0.05})
    winds = dark if rng.random() < 0.75 and dark in ("black", "blue") else _pick(rng, {"black": 0.5, "blue": 0.5})
    series = rng.random()
    if series < 0.5:
        bonus_ink, bonus_number = (winds, "red"), ("arabic", "arabic")
    elif series < 0.75:
        bonus_ink, bonus_number = (winds, "red"), ("arabic", "chinese")
    elif series < 0.9:
        bonus_ink, bonus_number = ("red", winds), ("arabic", "arabic")
    else:
        bonus_ink, bonus_number = ("green", "red"), ("arabic", "arabic")
    index = _pick(rng, {"none": 0.55, "all": 0.3, "suits": 0.15})
    label = _pick(rng, {"both": 0.66, "number": 0.18, "character": 0.16})
    return Style(
        name=f"random-{seed}",
        seed=seed,
        inks=random_inks(rng),
        body=_near(rng, BODIES[int(rng.integers(len(BODIES)))], 4),
        back=_near(rng, BACK_COLOURS[int(rng.integers(len(BACK_COLOURS)))]),
        back_pattern=_pick(rng, dict.fromkeys(BACKS, 0.05) | {"plain": 0.62, "speckle": 0.14, "grain": 0.1}),
        suit_hand=hand,
        honour_hand=replace(honour, weight=min(honour.weight * rng.uniform(0.95, 1.3), 18.0)),
        index_hand=_random_index_hand(rng),
        number_ink=dark,
        wan_ink="red" if rng.random() < 0.93 else dark,
        wind_ink=winds,
        wan="萬" if rng.random() < 0.93 else "万",
        five="伍" if rng.random() < 0.6 else "五",
        east="東" if rng.random() < 0.95 else "东",
        green="發" if rng.random() < 0.95 else "发",
        orchid="蘭" if rng.random() < 0.6 else "兰",
        centre="中" if rng.random() < 0.6 else "中:bar",
        suit_size=(rng.uniform(52, 74), rng.uniform(36, 50)),
        wan_size=(rng.uniform(52, 74), rng.uniform(44, 56)),
        honour_size=(rng.uniform(52, 76), rng.uniform(62, 100)),
        index=index,
        index_place=_pick(rng, {"left": 0.5, "right": 0.4, "both": 0.1}),
        index_ink=_pick(rng, {"black": 0.35, "red": 0.35, "blue": 0.2, "green": 0.1}),
        index_size=rng.uniform(13, 24),
        white_letter="P" if rng.random() < 0.6 else "B",
        dot=_pick(rng, dict.fromkeys(DOTS, 1.0) | {"rings": 3.0, "wheel": 2.0, "solid": 1.6, "plain": 0.4}),
        one_dot=_pick(rng, dict.fromkeys(ONE_DOTS, 1.0)),
        one_radius=rng.uniform(28, 44),
        dot_inks=(
            ("green", "blue"), ("green", "blue"), ("green", "black"), ("black", "black"), ("blue", "green"),
            ("green", "green"), ("blue", "blue"),
        )[int(rng.integers(7))],
        dot_reds=bool(rng.random() < 0.93),
        dot_scale=rng.uniform(0.74, 1.06),
        dot_spread=rng.uniform(0.86, 1.0),
        stick=_pick(rng, dict.fromkeys(STICKS, 1.0) | {"double": 3.0, "plain": 0.5}),
        stick_inks=(
            ("green", "green"), ("green", "green"), ("green", "blue"), ("blue", "green"), ("black", "black"), ("blue", "blue"),
        )[int(rng.integers(6))],
        stick_reds=bool(rng.random() < 0.93),
        stick_width=rng.uniform(10, 16.5),
        seven=_pick(rng, {"top": 0.65, "column": 0.35}),
        eight=_pick(rng, {"diamond": 0.55, "cross": 0.3, "level": 0.15}),
        nine=_pick(rng, {"column": 0.75, "row": 0.25}),
        bird=_pick(rng, dict.fromkeys(BIRDS, 1.0)),
        bird_scale=rng.uniform(0.78, 1.08),
        white=_pick(rng, {"blank": 0.4, "single": 0.13, "double": 0.25, "ornate": 0.16, "character": 0.03, "letter": 0.03}),
        white_ink=_pick(rng, {"blue": 0.6, "black": 0.3, "green": 0.05, "red": 0.05}),
        flowers="梅蘭菊竹" if rng.random() < 0.95 else "漁樵耕讀",
        bonus_picture=_pick(rng, {"own": 0.5, "rose": 0.2, "any": 0.22, "none": 0.08}),
        bonus_label=label,
        bonus_place=_pick(rng, {"top": 0.3, "top-swapped": 0.3, "bottom": 0.08, "bottom-swapped": 0.07, "side": 0.25}),
        bonus_ink=bonus_ink,
        bonus_number=bonus_number,
        margin=rng.uniform(0, 0.07) if index == "none" else rng.uniform(0.05, 0.11),
        engraving=rng.uniform(0.1, 0.9),
        wear=0.0 if rng.random() < 0.6 else rng.uniform(0.05, 0.5),
        bleed=0.0 if rng.random() < 0.6 else rng.uniform(0.2, 1.2),
        opacity=rng.uniform(0.82, 1.0),
    )  # fmt: skip


def named_styles() -> dict[str, Style]:
    """A fixed few, for demonstrations and tests."""
    base = Style(name="hongkong", seed=1)
    return {
        "hongkong": base,
        "riichi": replace(
            base, name="riichi", seed=2, number_ink="black", dot="wheel", dot_inks=("black", "black"), bird="peacock",
            stick="bone", stick_inks=("black", "black"), white="blank", back=(226, 164, 44), five="伍",
        ),
        "family": replace(
            base, name="family", seed=3, number_ink="blue", wind_ink="blue", index="all", index_ink="red", stick="outline",
            bird="parrot", back=(30, 76, 150), bonus_number=("arabic", "chinese"), white="ornate",
        ),
        "printed": replace(
            base, name="printed", seed=4, suit_hand=Hand("sans", 13, 1.0, sway=0.2), honour_hand=Hand("sans", 15, 1.0, sway=0.2),
            dot="solid", stick="plain", bird="stylised", white="single", wan="万", five="五", engraving=0.0,
        ),
        "old": replace(
            base, name="old", seed=5, body=(230, 214, 176), wear=0.35, dot="flower", stick="beam", bird="crane",
            suit_hand=Hand(weight=10, tilt=0.06, sway=2.2, sway_seed=4, running=True), opacity=0.9, white="double",
        ),
        "swallow": replace(
            base, name="swallow", seed=6, bird="swallow", dot="cross", stick="chain", back=(170, 44, 150),
            bonus_label="number", bonus_number=("arabic", "chinese"), eight="cross", seven="column",
        ),
    }  # fmt: skip
