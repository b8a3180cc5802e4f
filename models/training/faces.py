"""Face pictures for the bank: free drawings, characters in many fonts, dots, sticks and frames of our own.

Every picture is FACE_H x FACE_W x 3 BGR uint8, upright, the whole of a tile's face.
"""

import math
import random

import cv2
import numpy as np

from models.training.dragons import dragon_mask
from models.training.drawings import drawings
from models.training.glyphs import LATIN, any_glyph
from vision.classes import CLASSES, FIVES

FACE_W, FACE_H = 96, 128
NUMERALS = "一二三四五六七八九"
BONUS_CHARACTERS = {"f": "梅蘭菊竹", "q": "春夏秋冬"}
#: Each face's characters, as often as sets cut them: the green dragon has forms with another lower half.
HONOUR_CHARACTERS = {"E": "東", "S": "南", "W": "西", "N": "北", "C": "中", "F": "發發發彂彂発"}

Colour = tuple[float, float, float]
_PALETTES: dict[str, tuple[Colour, ...]] = {
    "blue": ((150, 60, 20), (120, 40, 30), (180, 70, 30), (90, 30, 20)),
    "black": ((25, 25, 25), (40, 35, 30)),
    "red": ((40, 30, 190), (30, 20, 160), (60, 60, 210), (50, 50, 150)),
    "green": ((60, 110, 20), (50, 80, 10), (70, 140, 40), (40, 60, 20)),
}
#: Where the dots of each number stand (0 to 1 across and down the face).
DOTS: dict[int, tuple[tuple[float, float], ...]] = {
    2: ((0.5, 0.27), (0.5, 0.73)),
    3: ((0.24, 0.2), (0.5, 0.5), (0.76, 0.8)),
    4: ((0.27, 0.25), (0.73, 0.25), (0.27, 0.75), (0.73, 0.75)),
    5: ((0.25, 0.2), (0.75, 0.2), (0.5, 0.5), (0.25, 0.8), (0.75, 0.8)),
    6: ((0.3, 0.2), (0.7, 0.2), (0.3, 0.56), (0.7, 0.56), (0.3, 0.83), (0.7, 0.83)),
    7: ((0.22, 0.13), (0.5, 0.23), (0.78, 0.33), (0.3, 0.6), (0.7, 0.6), (0.3, 0.84), (0.7, 0.84)),
    8: tuple((x, y) for y in (0.14, 0.38, 0.62, 0.86) for x in (0.3, 0.7)),
    9: tuple((x, y) for y in (0.18, 0.5, 0.82) for x in (0.2, 0.5, 0.8)),
}
#: Sets for export print the season's name, its beginning or its letter instead of the character.
SEASON_WORDS = ("SPRING SPR SP", "SUMMER SUM SU", "AUTUMN AUT AU", "WINTER WIN WI")
ABROAD = 0.12  # of the faces: a large index in a corner, or letters for the season, the face small beside it
DRAGONS = 0.2  # of the red and green dragons in no free drawing: beasts instead of characters
DOT_SIZE = {2: 42, 3: 34, 4: 38, 5: 32, 6: 32, 7: 27, 8: 30, 9: 27}


def jittered(colour: Colour, rng: random.Random, spread: float = 25) -> Colour:
    b, g, r = (float(np.clip(v + rng.uniform(-spread, spread), 0, 255)) for v in colour)
    return b, g, r


def palette(rng: random.Random) -> dict[str, Colour]:
    return {name: jittered(rng.choice(shades), rng) for name, shades in _PALETTES.items()}


def blank(rng: random.Random) -> np.ndarray:
    """The bare material of a face, float32."""
    shades = ((245, 248, 250), (225, 238, 245), (205, 225, 240), (235, 240, 235), (215, 220, 225), (190, 215, 235))
    face = np.empty((FACE_H, FACE_W, 3), np.float32)
    face[:] = jittered(rng.choice(shades), rng, 12)
    slope = np.linspace(-rng.uniform(0, 18), rng.uniform(0, 18), FACE_H, dtype=np.float32)[:, None, None]
    return face + (slope if rng.random() < 0.5 else slope[::-1])


class Canvas:
    """Ink on a transparent face: colour (h, w, 3) and cover (h, w, 0 to 1)."""

    def __init__(self) -> None:
        self.ink = np.zeros((FACE_H, FACE_W, 3), np.float32)
        self.cover = np.zeros((FACE_H, FACE_W), np.float32)

    def put(self, mask: np.ndarray | None, centre: tuple[float, float], size: tuple[float, float], colour: Colour,
            angle: float = 0) -> bool:  # fmt: skip
        """Print a mask scaled to `size` (w, h) about `centre`, turned by `angle` degrees; False for no mask."""
        if mask is None:
            return False
        w, h = max(2, int(size[0])), max(2, int(size[1]))
        shape = cv2.resize(mask, (w, h), interpolation=cv2.INTER_AREA)
        if angle:
            side = int(math.hypot(w, h)) + 2
            padded = np.zeros((side, side), np.uint8)
            padded[(side - h) // 2 : (side - h) // 2 + h, (side - w) // 2 : (side - w) // 2 + w] = shape
            shape = cv2.warpAffine(padded, cv2.getRotationMatrix2D((side / 2, side / 2), angle, 1), (side, side))
            w = h = side
        self._print(shape.astype(np.float32)[..., None] / 255, np.array(colour, np.float32), centre)
        return True

    def paste(self, picture: np.ndarray, centre: tuple[float, float], size: tuple[float, float]) -> None:
        """Print a BGRA picture."""
        w, h = max(2, int(size[0])), max(2, int(size[1]))
        scaled = cv2.resize(picture, (w, h), interpolation=cv2.INTER_AREA).astype(np.float32)
        self._print(scaled[..., 3:] / 255, scaled[..., :3], centre)

    def _print(self, alpha: np.ndarray, colour: np.ndarray, centre: tuple[float, float]) -> None:
        h, w = alpha.shape[:2]
        x, y = int(centre[0] - w / 2), int(centre[1] - h / 2)
        x0, y0, x1, y1 = max(0, x), max(0, y), min(FACE_W, x + w), min(FACE_H, y + h)
        if x1 <= x0 or y1 <= y0:
            return
        part = (slice(y0 - y, y1 - y), slice(x0 - x, x1 - x))
        alpha = alpha[part]
        colour = colour[part] if colour.ndim == 3 else colour
        region = (slice(y0, y1), slice(x0, x1))
        self.ink[region] = self.ink[region] * (1 - alpha) + colour * alpha
        self.cover[region] = np.maximum(self.cover[region], alpha[..., 0])

    def shrunk(self, scale: float, x: float, y: float) -> "Canvas":
        """The same ink `scale` times as large with its middle at x, y (pixels)."""
        to = np.array([[scale, 0, x - scale * FACE_W / 2], [0, scale, y - scale * FACE_H / 2]], np.float32)
        small, cover = Canvas(), self.cover[..., None]
        # a colour without cover is none: mixed with what lies beside it, it would darken the edges
        inked = cv2.warpAffine(np.dstack([self.ink * cover, cover]), to, (FACE_W, FACE_H), flags=cv2.INTER_AREA)
        small.cover = inked[..., 3]
        small.ink = inked[..., :3] / np.maximum(small.cover, 1e-3)[..., None]
        return small

    def on(self, base: np.ndarray) -> np.ndarray:
        cover = self.cover[..., None]
        return np.clip(base * (1 - cover) + self.ink * cover, 0, 255).astype(np.uint8)


def _brushed(text: str, rng: random.Random) -> np.ndarray | None:
    """A character in some font, half the time bent as a brush or an engraver's hand would: no set prints a font."""
    mask = any_glyph(text, rng)
    if mask is None or rng.random() < 0.5:
        return mask
    h, w = mask.shape
    noise = np.random.default_rng(rng.getrandbits(32))
    bend = rng.uniform(0.01, 0.05) * max(h, w)
    dx, dy = (cv2.resize(noise.normal(0, bend, (4, 4)).astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC)
              for _ in range(2))  # fmt: skip
    yy, xx = np.mgrid[0:h, 0:w].astype(np.float32)
    slant = rng.gauss(0, 0.12)
    return cv2.remap(mask, xx + dx + slant * (yy - h / 2), yy + dy, cv2.INTER_LINEAR)


def _corner(canvas: Canvas, rng: random.Random, text: str, colour: Colour) -> None:
    """The small index that many sets print in a corner."""
    mask = any_glyph(text, rng, LATIN)
    if mask is not None:
        height = rng.uniform(12, 28)
        centre = (rng.choice((12, 84)) + rng.uniform(-3, 3), rng.choice((13, 13, 114)))
        canvas.put(mask, centre, (height * mask.shape[1] / mask.shape[0], height), colour)


def _indexed(canvas: Canvas, rng: random.Random, text: str, corner: float) -> Canvas:
    """The face as sets for export print it, or, that often, with a small index in a corner, or as it is."""
    if rng.random() < ABROAD:
        return _abroad(canvas, rng, text)
    if rng.random() < corner:
        _corner(canvas, rng, text, palette(rng)[rng.choice(("red", "blue", "black"))])
    return canvas


def _abroad(canvas: Canvas, rng: random.Random, text: str) -> Canvas:
    """The face as sets for export print it: small beside a large index in an upper corner, a wind below its letter."""
    across = rng.choice((-1, 1))
    scale = rng.uniform(0.6, 0.85)
    free_x, free_y = FACE_W * (1 - scale) / 2, FACE_H * (1 - scale) / 2
    small = canvas.shrunk(scale, FACE_W / 2 - across * free_x * rng.uniform(0.2, 1), FACE_H / 2 + free_y * rng.uniform(0.3, 1))
    mask = any_glyph(text, rng, LATIN)
    if mask is not None:
        height = rng.uniform(24, 46)
        width = min(0.5 * FACE_W, height * mask.shape[1] / mask.shape[0])
        edge = width / 2 + rng.uniform(3, 10)
        place = (edge if across < 0 else FACE_W - edge, height / 2 + rng.uniform(2, 8))
        small.put(mask, place, (width, height), palette(rng)[rng.choice(("red", "red", "blue", "black"))])
    return small


def dot_mask(style: int, n: int = 48) -> np.ndarray:
    m, c = np.zeros((n, n), np.uint8), n // 2
    line = cv2.LINE_AA
    if style == 0:
        cv2.circle(m, (c, c), c - 1, 255, -1, line)
    elif style == 1:
        cv2.circle(m, (c, c), c - 3, 255, 4, line)
        cv2.circle(m, (c, c), c // 2, 255, 3, line)
        cv2.circle(m, (c, c), 3, 255, -1, line)
    elif style == 2:
        cv2.circle(m, (c, c), c - 1, 255, -1, line)
        cv2.circle(m, (c, c), c - 6, 0, 2, line)
        for k in range(6):
            angle = k * math.pi / 3
            cv2.circle(m, (int(c + 9 * math.cos(angle)), int(c + 9 * math.sin(angle))), 3, 0, -1, line)
    elif style == 3:
        cv2.circle(m, (c, c), c - 1, 255, -1, line)
        cv2.circle(m, (c, c), c - 7, 0, 3, line)
        cv2.circle(m, (c, c), 5, 0, -1, line)
    else:
        cv2.circle(m, (c, c), c - 2, 255, 3, line)
        cv2.circle(m, (c, c), c - 9, 255, -1, line)
        cv2.line(m, (c - 8, c), (c + 8, c), 0, 3)
        cv2.line(m, (c, c - 8), (c, c + 8), 0, 3)
    return m


def stick_mask(style: int, w: int = 20, h: int = 56) -> np.ndarray:
    m, c = np.zeros((h, w), np.uint8), w // 2
    if style == 0:
        cv2.rectangle(m, (c - 6, 1), (c + 6, h - 2), 255, -1)
        cv2.line(m, (c, 6), (c, h // 2 - 5), 0, 2)
        cv2.line(m, (c, h // 2 + 5), (c, h - 7), 0, 2)
        cv2.line(m, (c - 7, h // 2), (c + 7, h // 2), 0, 3)
    elif style == 1:
        for y in (5, h // 2, h - 6):
            cv2.ellipse(m, (c, y), (9, 5), 0, 0, 360, 255, -1)
        cv2.rectangle(m, (c - 5, 5), (c + 5, h - 6), 255, -1)
        cv2.line(m, (c, 10), (c, h // 2 - 7), 0, 2)
        cv2.line(m, (c, h // 2 + 7), (c, h - 11), 0, 2)
    elif style == 2:
        cv2.rectangle(m, (c - 5, 2), (c + 5, h - 3), 255, 3)
        cv2.line(m, (c - 6, h // 2), (c + 6, h // 2), 255, 3)
    elif style == 3:
        cv2.rectangle(m, (c - 5, 1), (c + 5, h // 2 - 2), 255, -1)
        cv2.rectangle(m, (c - 5, h // 2 + 2), (c + 5, h - 2), 255, -1)
        cv2.circle(m, (c, h // 4), 3, 0, -1)
        cv2.circle(m, (c, 3 * h // 4), 3, 0, -1)
    else:
        cv2.rectangle(m, (c - 4, 1), (c + 4, h - 2), 255, -1)
    return m


def _characters(canvas: Canvas, number: int, red: bool, rng: random.Random) -> bool:
    inks = palette(rng)
    numeral = "伍" if number == 5 and rng.random() < 0.6 else NUMERALS[number - 1]
    height = rng.uniform(34, 54)
    tall = {1: rng.uniform(9, 20), 2: height * rng.uniform(0.55, 0.9), 3: height * rng.uniform(0.55, 0.95)}
    ink = inks["red"] if red else inks[rng.choice(("blue", "blue", "black", "black", "green"))]
    done = canvas.put(_brushed(numeral, rng), (48 + rng.uniform(-4, 4), rng.uniform(28, 36)),
                      (rng.uniform(50, 80), tall.get(number, height)), ink)  # fmt: skip
    suit = inks["red"] if red or rng.random() < 0.9 else inks["black"]
    done &= canvas.put(_brushed(rng.choice("萬萬萬萬万"), rng), (48 + rng.uniform(-4, 4), rng.uniform(86, 94)),
                       (rng.uniform(48, 80), rng.uniform(44, 60)), suit)  # fmt: skip
    return done


def _one_dot(canvas: Canvas, rng: random.Random) -> None:
    inks, size, style, petals = palette(rng), rng.uniform(56, 84), rng.randrange(4), rng.randrange(8, 17)
    big = np.zeros((96, 96), np.uint8)
    turns = [k * 2 * math.pi / petals for k in range(petals)]
    if style == 0:
        for a in turns:
            centre = (int(48 + 34 * math.cos(a)), int(48 + 34 * math.sin(a)))
            cv2.ellipse(big, centre, (12, 6), math.degrees(a), 0, 360, 255, -1)
        cv2.circle(big, (48, 48), 24, 255, 3)
    elif style == 1:
        for radius, width in ((45, 4), (36, 3), (26, 6)):
            cv2.circle(big, (48, 48), radius, 255, width)
    elif style == 2:
        cv2.circle(big, (48, 48), 46, 255, -1)
        cv2.circle(big, (48, 48), 40, 0, 2)
        for a in turns:
            cv2.circle(big, (int(48 + 30 * math.cos(a)), int(48 + 30 * math.sin(a))), 4, 0, -1)
    else:
        big = dot_mask(rng.randrange(5))
    canvas.put(big, (48, 64), (size, size * rng.uniform(0.95, 1.15)), inks[rng.choice(("blue", "green", "black"))])
    canvas.put(dot_mask(rng.randrange(5)), (48, 64), (size * 0.45, size * 0.45), inks["red"])


def _dots(canvas: Canvas, number: int, red: bool, rng: random.Random) -> bool:
    if number == 1:
        _one_dot(canvas, rng)
        return True
    inks, mask, scale, spread = (
        palette(rng),
        dot_mask(rng.randrange(5)),
        rng.uniform(0.82, 1.1),
        rng.uniform(0.88, 1.04),
    )
    places = DOTS[number]
    if number == 3 and rng.random() < 0.3:  # both diagonals occur, by set
        places = tuple((1 - x, y) for x, y in places)
    if number == 6 and rng.random() < 0.4:
        places = tuple((x, y) for y in (0.18, 0.5, 0.82) for x in (0.3, 0.7))
    a, b = rng.choice((("blue", "green"), ("green", "blue"), ("blue", "blue"), ("black", "black"), ("green", "green")))
    colours = {
        2: [a, b], 3: [a, "red", b], 4: [a, b, b, a], 5: [b, a, "red", a, b], 6: [b] * 2 + ["red"] * 4,
        7: [b] * 3 + ["red"] * 4, 8: [a] * 8, 9: [b] * 3 + ["red"] * 3 + [a] * 3,
    }[number]  # fmt: skip
    if red:
        colours = ["red"] * 9
    elif rng.random() < 0.15:
        colours = [a] * 9
    size = DOT_SIZE[number] * scale
    for (x, y), ink in zip(places, colours, strict=False):
        centre = (48 + (x - 0.5) * FACE_W * spread, 64 + (y - 0.5) * FACE_H * spread)
        canvas.put(mask, centre, (size, size * rng.uniform(0.97, 1.03)), inks[ink])
    return True


def _sticks(canvas: Canvas, number: int, red: bool, rng: random.Random) -> bool:
    if number == 1:
        return False  # the bird: drawings only
    inks, mask, width, spread = palette(rng), stick_mask(rng.randrange(5)), rng.uniform(13, 20), rng.uniform(0.88, 1.02)
    a, b = rng.choice(
        (("green", "blue"), ("green", "green"), ("green", "green"), ("blue", "green"), ("black", "black"))
    )
    accent = "red"
    if red:
        a = b = "red"

    def stick(x: float, y: float, height: float, ink: str, angle: float = 0) -> None:
        canvas.put(mask, (48 + (x - 0.5) * FACE_W * spread, 64 + (y - 0.5) * FACE_H * spread), (width, height),
                   inks[ink], angle)  # fmt: skip

    thirds = (0.22, 0.5, 0.78)
    if number == 2:
        stick(0.5, 0.27, 54, a)
        stick(0.5, 0.75, 54, b)
    elif number == 3:
        for x, y in ((0.5, 0.27), (0.27, 0.75), (0.73, 0.75)):
            stick(x, y, 52, a)
    elif number in (4, 5):
        for x in (0.25, 0.75):
            for y in (0.27, 0.75):
                stick(x, y, 52, a if (y < 0.5) ^ (x < 0.5) else b)
        if number == 5:
            stick(0.5, 0.51, 52, accent)
    elif number == 6:
        for x in thirds:
            stick(x, 0.27, 52, a)
            stick(x, 0.75, 52, b)
    elif number == 7:
        stick(0.5, 0.15, 34, accent)
        for x in thirds:
            stick(x, 0.5, 36, a)
            stick(x, 0.83, 36, b)
    elif number == 8:
        slant = rng.uniform(30, 48)
        for y, sign, ink in ((0.27, 1, a), (0.75, -1, b)):
            stick(0.16, y, 50, ink)
            stick(0.84, y, 50, ink)
            stick(0.38, y, 44, ink, slant * sign)
            stick(0.62, y, 44, ink, -slant * sign)
    else:
        for i, x in enumerate(thirds):
            for y in (0.18, 0.5, 0.82):
                stick(x, y, 36, accent if i == 1 else a)
    return True


def _honour(canvas: Canvas, face: str, rng: random.Random) -> bool:
    inks = palette(rng)
    if face == "P":
        return _frame(canvas, rng)
    # the shape must tell: many sets cut the green dragon in black or blue, winds in green, and paint wears off
    shades = {"C": ("red",) * 9 + ("black",), "F": ("green", "green", "green", "black", "blue")}
    ink = rng.choice(shades.get(face, ("blue", "blue", "black", "black", "green")))
    if face in ("C", "F") and rng.random() < DRAGONS:  # the colour alone tells which
        ink = {"C": "red", "F": "green"}[face]
        return canvas.put(dragon_mask(rng), (48, 64), (rng.uniform(58, 90), rng.uniform(84, 122)), inks[ink])
    character = _brushed(rng.choice(HONOUR_CHARACTERS[face]), rng)
    return canvas.put(character, (48 + rng.uniform(-4, 4), 64 + rng.uniform(-6, 6)),
                      (rng.uniform(44, 82), rng.uniform(64, 110)), inks[ink])  # fmt: skip


def _frame(canvas: Canvas, rng: random.Random) -> bool:
    """The white dragon's frame, plain, double or broken; nothing at all in three of ten."""
    if rng.random() < 0.3:
        return True
    ink = palette(rng)[rng.choice(("blue", "blue", "blue", "black", "black", "red"))]
    mask = np.zeros((FACE_H, FACE_W), np.uint8)
    x, y, width = int(rng.uniform(6, 22)), int(rng.uniform(8, 26)), int(rng.uniform(2, 9))
    cv2.rectangle(mask, (x, y), (FACE_W - x, FACE_H - y), 255, width)
    if rng.random() < 0.6:
        d = width + int(rng.uniform(3, 9))
        cv2.rectangle(mask, (x + d, y + d), (FACE_W - x - d, FACE_H - y - d), 255, max(1, width // 2))
    if rng.random() < 0.35:
        for q in np.linspace(y, FACE_H - y, 5):
            cv2.line(mask, (x - 3, int(q)), (x + 8, int(q)), 0, 2)
            cv2.line(mask, (FACE_W - x - 8, int(q)), (FACE_W - x + 3, int(q)), 0, 2)
        for q in np.linspace(x, FACE_W - x, 5):
            cv2.line(mask, (int(q), y - 3), (int(q), y + 8), 0, 2)
            cv2.line(mask, (int(q), FACE_H - y - 8), (int(q), FACE_H - y + 3), 0, 2)
    return canvas.put(mask, (48, 64), (FACE_W, FACE_H), ink)


def _bonus(canvas: Canvas, face: str, rng: random.Random) -> bool:
    """A plant of the right kind with character and number as sets print them."""
    inks, number, top = palette(rng), int(face[0]), rng.random() < 0.75
    plants = drawings().get((face, False), [])
    if plants and rng.random() < 0.9:
        canvas.paste(rng.choice(plants), (48, 82 if top else 46), (rng.uniform(60, 84), rng.uniform(72, 84)))
    character = _brushed(BONUS_CHARACTERS[face[1]][number - 1], rng)
    y, left, right = (22 if top else 106), rng.uniform(20, 34), rng.uniform(62, 76)
    if rng.random() < 0.5:
        left, right = right, left
    ink = inks[rng.choice(("red", "blue", "black"))]
    style = rng.random()
    if face[1] == "q" and rng.random() < ABROAD:
        word = any_glyph(rng.choice(SEASON_WORDS[number - 1].split()), rng, LATIN)
        place = ((right if right > 48 else left) - 8, y)
        return canvas.put(word, place, (rng.uniform(34, 52), rng.uniform(14, 22)), ink) and canvas.put(
            any_glyph(str(number), rng, LATIN), (rng.uniform(12, 20), y), (rng.uniform(11, 18), rng.uniform(18, 26)), ink)
    if style < 0.85:
        with_character = style < 0.7
        if with_character and not canvas.put(character, (left, y), (rng.uniform(22, 34), rng.uniform(24, 36)), ink):
            return False
        if not with_character or rng.random() < 0.8:
            latin = rng.random() < 0.75 if with_character else face[1] == "f"
            mask = any_glyph(str(number), rng, LATIN) if latin else any_glyph(NUMERALS[number - 1], rng)
            size = (rng.uniform(13, 20), rng.uniform(18, 28) if latin else rng.uniform(12, 22))
            canvas.put(mask, (right, y), size, inks[rng.choice(("red", "blue", "black"))])
        return True
    return canvas.put(character, (48, 64), (rng.uniform(50, 70), rng.uniform(60, 90)), ink)


def composed(face: str, red: bool, rng: random.Random) -> Canvas | None:
    """A face put together from characters, dots, sticks and frames; None when a font lacks a character."""
    canvas = Canvas()
    if face in ("E", "S", "W", "N", "C", "F", "P"):
        done = _honour(canvas, face, rng)
        index = {"C": "C", "F": "F", "P": rng.choice("PB")}.get(face, face)
    elif face[1] in "fq":
        return canvas if _bonus(canvas, face, rng) else None
    else:
        draw = {"m": _characters, "p": _dots, "s": _sticks}[face[1]]
        done = draw(canvas, int(face[0]), red, rng)
        index = face[0]
    return _indexed(canvas, rng, index, 0.3) if done else None


def from_drawing(face: str, red: bool, rng: random.Random) -> Canvas | None:
    """A free drawing, its size and colours varied; None when there is none of this face."""
    choice = drawings().get((face, red), [])
    if not choice:
        return None
    picture = rng.choice(choice)
    if face in "ESWNF" and rng.random() < 0.4:  # cut in one ink, by set in any of these
        ink = palette(rng)[rng.choice(("black", "blue", "green"))]
        picture = np.dstack([np.full_like(picture[..., :3], ink), picture[..., 3]])
    elif rng.random() < 0.35:
        hsv = cv2.cvtColor(picture[..., :3], cv2.COLOR_BGR2HSV).astype(np.float32)
        if not red:
            hsv[..., 0] = (hsv[..., 0] + rng.uniform(-12, 12)) % 180
        hsv[..., 1:] = np.clip(hsv[..., 1:] * [rng.uniform(0.6, 1.3), rng.uniform(0.6, 1.3)], 0, 255)
        picture = np.dstack([cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2BGR), picture[..., 3]])
    h, w = picture.shape[:2]
    width, height = rng.uniform(0.72, 0.98) * FACE_W, rng.uniform(0.72, 0.97) * FACE_H
    if face in ("1m", "C") or not 0.4 < w / h < 1.1 or rng.random() < 0.7:
        scale = min(width / w, height / h)
        width, height = w * scale * rng.uniform(0.92, 1), h * scale * rng.uniform(0.92, 1)
    canvas = Canvas()
    canvas.paste(picture, (48 + rng.uniform(-3, 3), 64 + rng.uniform(-4, 4)), (width, height))
    return _indexed(canvas, rng, face[0], 0.12 if face[-1] in "mps" else 0)


def drawn_face(face: str, rng: random.Random, red: bool = False) -> np.ndarray:
    """A picture of `face` in a style drawn by lot; `red` is for the fives."""
    assert not red or face in FIVES
    for _ in range(20):
        source = from_drawing if rng.random() < (1 if face == "1s" else 0.4) else composed
        canvas = source(face, red, rng)
        if canvas is not None:
            return canvas.on(blank(rng))
    raise RuntimeError(f"no way to draw {face}: are the fonts and drawings of README.md there?")


def sheet(rows: int = 10, seed: int = 3) -> np.ndarray:
    """A contact sheet, one column a face, to look at."""
    rng = random.Random(seed)
    return np.vstack([np.hstack([drawn_face(f, rng) for f in CLASSES[:42]]) for _ in range(rows)])
