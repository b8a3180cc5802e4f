"""Tile faces of our own: 42 faces, three red fives and backs, in as many styles as there are tile sets.

`Style` is plain data that says how one tile set is made (`vision.render.styles` invents them). `draw_face` returns the
ink alone on a transparent ground, so that the tile's body and light show through. Drawings are deterministic for a style.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from vision.render.designs import DOTS, ONE_DOTS, STICKS, Stick, petals
from vision.render.pen import HEIGHT, WIDTH, Colour, Pen
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
    dots: `dot` and `one_dot` name designs, `dot_inks` the first and second colour, `dot_reds` whether red is used,
        `dot_fill` how far they are grown until they touch (0 to 1).
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
    suit_gap: float = 4.0
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
    dot_fill: float = 0.0
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

# Radii at which the dots all but touch each other or the face's edge.
_FULL_RADIUS = {2: 25.0, 3: 20.0, 4: 20.5, 5: 17.5, 6: 18.0, 7: 13.8, 8: 16.0, 9: 14.2}


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
    radius += style.dot_fill * (_FULL_RADIUS[n] - radius)
    colours = ["red"] * n if all_red else _dot_colours(n, first, second, style.dot_reds)
    for (x, y), name in zip(places, colours, strict=True):
        centre = np.array([50 + (x - 0.5) * WIDTH * style.dot_spread, 66.5 + (y - 0.5) * HEIGHT * style.dot_spread])
        heart = style.inks.red if style.dot_reds else _ink(style, name)
        DOTS[style.dot](pen, centre, radius * style.dot_scale, _ink(style, name), heart)


# ---------------------------------------------------------------- bamboo

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
        STICKS[style.stick](Stick(pen, centre, turn), width, length * HEIGHT * 0.96, colour)


# ---------------------------------------------------------------- characters, honours


def _draw_character(pen: Pen, n: int, style: Style, all_red: bool) -> None:
    number = style.five if n == 5 else _CHINESE[n - 1]
    upper = "red" if all_red else style.number_ink
    w, h = style.suit_size
    shrink = {1: 0.9, 2: 0.84, 3: 0.94}.get(n, 1.0)
    total = h + style.wan_size[1] + style.suit_gap
    top = (HEIGHT - total) / 2
    pen.glyph(number, (50, top + h / 2), (w, h * shrink), _ink(style, upper), style.suit_hand)
    pen.glyph(
        style.wan,
        (50, top + h + style.suit_gap + style.wan_size[1] / 2),
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
        petals(pen, c, 15, 8, 7, ink)
        _frame(pen, 9, 1.6, ink, 6)
