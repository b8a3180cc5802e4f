"""What is in a picture besides tiles: table tops, clutter that looks like tiles, light, blur, noise, compression."""

import math
import random

import cv2
import numpy as np

from models.training.glyphs import CHINESE, LATIN, any_glyph
from vision.geometry import TurnedBox

_TABLES = (
    (40, 90, 30), (60, 140, 60), (120, 60, 30), (30, 30, 35), (130, 160, 190), (60, 90, 140), (200, 200, 205),
    (150, 120, 60), (90, 90, 160), (180, 170, 150), (110, 120, 125), (150, 160, 60),
)  # fmt: skip
_SPINE_CHARACTERS = "中国麻将日本語書籍電子説明用戶手冊東京大学出版第一二三四五六七八九十百千萬上下左右大小山"
_LETTERS = "ABCDEFGHIJKLMNOPRSTUVWXYZabcdefghknoprstu0123456789"
_SKIN = ((130, 170, 220), (90, 130, 190), (60, 90, 140), (150, 190, 235), (40, 60, 95))


def any_colour(rng: random.Random) -> tuple[float, float, float]:
    return rng.random() * 255, rng.random() * 255, rng.random() * 255


def table_top(rng: random.Random, size: int) -> np.ndarray:
    """Cloth, wood, blobs of colour or a plain surface; (size, size, 3) uint8."""
    noise = np.random.default_rng(rng.getrandbits(32))
    colour = np.array(rng.choice((*_TABLES, any_colour(rng))), np.float32)
    top = np.empty((size, size, 3), np.float32)
    top[:] = np.clip(colour + noise.uniform(-30, 30, 3), 0, 255)
    style = rng.random()
    if style < 0.35:
        for n in (size, size // rng.choice((2, 3, 4)), rng.choice((6, 12, 24))):
            grain = noise.normal(0, rng.uniform(1, 9), (n, n)).astype(np.float32)
            top += cv2.resize(grain, (size, size))[..., None]
    elif style < 0.65:
        streaks = noise.normal(0, rng.uniform(4, 18), (rng.choice((20, 60, 120)), rng.choice((2, 4, 8))))
        streaks = cv2.resize(streaks.astype(np.float32), (size, size), interpolation=cv2.INTER_CUBIC)
        top += (streaks.T if rng.random() < 0.5 else streaks)[..., None] * noise.uniform(0.6, 1.2, 3).astype(np.float32)
        top += noise.normal(0, 2, (size, size, 1))
    elif style < 0.8:
        blobs = noise.uniform(0, 255, (rng.choice((3, 5, 9)), rng.choice((3, 5, 9)), 3)).astype(np.float32)
        how = rng.choice((cv2.INTER_LINEAR, cv2.INTER_NEAREST, cv2.INTER_CUBIC))
        top = 0.5 * top + 0.5 * cv2.resize(blobs, (size, size), interpolation=how)
    return np.clip(top, 0, 255).astype(np.uint8)


def background(rng: random.Random, size: int) -> tuple[np.ndarray, list[TurnedBox]]:
    """One or two surfaces and any amount of clutter; and where it may be mistaken for a tile."""
    image = table_top(rng, size)
    if rng.random() < 0.4:
        other = table_top(rng, size)
        corners = np.array([[rng.uniform(-0.2, 1.2) * size, rng.uniform(-0.2, 1.2) * size] for _ in range(4)], np.int32)
        mask = np.zeros((size, size), np.uint8)
        cv2.fillConvexPoly(mask, cv2.convexHull(corners), 255)
        image[mask > 0] = other[mask > 0]
    lures: list[TurnedBox] = []
    if rng.random() < 0.35:
        lures += _books(image, rng)
    for _ in range(rng.choice((0, 0, 0, 1, 2))):
        lures += _page(image, rng)
    if rng.random() < 0.18:
        _gadget(image, rng)
    for _ in range(rng.choice((0, 0, 1, 3, 6, 14))):
        lures += _thing(image, rng)
    return image, lures


def _books(image: np.ndarray, rng: random.Random) -> list[TurnedBox]:
    """Spines with characters: the clutter most easily taken for tiles."""
    n = image.shape[0]
    w, h = int(rng.uniform(0.4, 1.2) * n), int(rng.uniform(0.2, 0.7) * n)
    shelf, x = np.zeros((h, w, 3), np.uint8), 0
    letters: list[tuple[float, float, float, int]] = []
    while x < w:
        width = int(rng.uniform(8, 60))
        white = int(rng.uniform(170, 250))
        shelf[:, x : x + width] = (white, white, white) if rng.random() < 0.4 else any_colour(rng)
        middles, size = _spine(shelf[:, x : x + width], rng)
        letters += [(x + width / 2, y, size, width) for y in middles]
        shelf[:, min(w - 1, x + width - 1)] = 20
        x += width
    centre = (rng.random() * n, rng.random() * n)
    degrees, scale = rng.choice((0, 90, 180, 270)) + rng.gauss(0, 12), rng.uniform(0.6, 1.3)
    turn = cv2.getRotationMatrix2D((w / 2, h / 2), degrees, scale)
    turn[:, 2] += [centre[0] - w / 2, centre[1] - h / 2]
    mask = cv2.warpAffine(np.full((h, w), 255, np.uint8), turn, (n, n))
    image[mask > 128] = cv2.warpAffine(shelf, turn, (n, n))[mask > 128]
    upright = math.pi / 2 - math.radians(degrees)
    lures = []
    for x, y, size, width in letters:  # one letter or two above each other, the spine's width or the letter's
        short = rng.uniform(size, max(1.1 * size, width)) * scale
        at = turn @ [x, y + rng.uniform(-0.7, 0.7) * size, 1]
        lures.append(TurnedBox(float(at[0]), float(at[1]), upright, rng.uniform(1.2, 1.5) * short, short))
    return lures


def _spine(spine: np.ndarray, rng: random.Random) -> tuple[list[float], int]:
    """Print on one spine: the heights of its letters' middles, and their size."""
    h, w = spine.shape[:2]
    ink = np.array(rng.choice(((20, 20, 20), (240, 240, 240), (30, 30, 200), (160, 60, 20), any_colour(rng))))
    chinese, size, step = rng.random() < 0.6, int(rng.uniform(0.35, 0.9) * w), rng.uniform(1.0, 1.6)
    y, stop = int(rng.uniform(2, 20)), rng.uniform(0.3, 1) * h
    middles: list[float] = []
    while y < stop and size > 4 and y + size < h:
        text = rng.choice(_SPINE_CHARACTERS if chinese else _LETTERS)
        mask = any_glyph(text, rng, CHINESE if chinese else LATIN)
        if mask is not None:
            letter = cv2.resize(mask, (min(size, w), size), interpolation=cv2.INTER_AREA)[..., None] / 255.0
            x = (w - letter.shape[1]) // 2
            part = spine[y : y + size, x : x + letter.shape[1]]
            part[:] = (part * (1 - letter) + ink * letter).astype(np.uint8)
            middles.append(y + size / 2)
        y += int(size * step) + (int(rng.uniform(0, h * 0.3)) if rng.random() < 0.08 else 0)
    return middles, size


def _page(image: np.ndarray, rng: random.Random) -> list[TurnedBox]:
    """A pale sheet, box or cover with lines of print."""
    n = image.shape[0]
    w, h = int(rng.uniform(30, 160)), int(rng.uniform(30, 200))
    white, ink = rng.uniform(190, 255), tuple(rng.random() * 130 for _ in range(3))
    page = np.full((h, w, 3), white, np.uint8)
    lines: list[tuple[int, int]] = []
    for _ in range(rng.randint(1, 7)):
        text = "".join(rng.choice(_LETTERS + "  ") for _ in range(rng.randint(2, 24)))
        at = (int(rng.uniform(0, 0.4) * w), int(rng.uniform(0.1, 1) * h))
        cv2.putText(page, text, at, rng.randrange(4), rng.uniform(0.2, 0.9), ink, rng.choice((1, 1, 2)), cv2.LINE_AA)
        lines.append(at)
    for _ in range(rng.choice((0, 0, 1, 3))):  # fine print: columns too small to be read
        x, width = int(rng.random() * w), int(rng.uniform(2, 9))
        for y in range(int(rng.uniform(0, 0.5) * h), int(rng.uniform(0.5, 1) * h), max(2, width)):
            if rng.random() < 0.85:
                cv2.rectangle(page, (x, y), (x + int(width * rng.uniform(0.4, 1)), y + max(1, width // 2)), ink, -1)
        lines.append((x, h // 2))
    centre, degrees = (rng.random() * n, rng.random() * n), rng.choice((0, 90, 270)) + rng.gauss(0, 12)
    turn = cv2.getRotationMatrix2D((w / 2, h / 2), degrees, 1)
    turn[:, 2] += [centre[0] - w / 2, centre[1] - h / 2]
    mask = cv2.warpAffine(np.full((h, w), 255, np.uint8), turn, (n, n))
    image[mask > 128] = cv2.warpAffine(page, turn, (n, n))[mask > 128]
    upright, lures = math.pi / 2 - math.radians(degrees), []
    for k in range(5):
        x, y = rng.choice(lines) if k % 2 else (rng.random() * w, rng.random() * h)  # about print, or anywhere
        short, at = rng.uniform(0.25, 1.0) * min(w, h), turn @ [x + rng.uniform(0, 0.3) * w, y, 1]
        lures.append(TurnedBox(float(at[0]), float(at[1]), upright, rng.uniform(1.2, 1.5) * short, short))
    return lures


def _gadget(image: np.ndarray, rng: random.Random) -> None:
    """Something round or square with dots, buttons and print: dice cups, remotes, trays."""
    n = image.shape[0]
    cx, cy, radius = int(rng.random() * n), int(rng.random() * n), int(rng.uniform(20, 110))
    colour = rng.choice(((40, 40, 40), (90, 90, 90), (60, 40, 30), (200, 200, 200)))
    if rng.random() < 0.6:
        cv2.circle(image, (cx, cy), radius, colour, -1, cv2.LINE_AA)
    else:
        _box(image, (cx, cy), (2 * radius, 2 * radius * rng.uniform(0.6, 1)), rng.uniform(0, 90), colour)
    for _ in range(rng.randint(2, 14)):
        angle, distance, kind = rng.uniform(0, 2 * math.pi), rng.uniform(0, 0.85) * radius, rng.random()
        x, y = int(cx + distance * math.cos(angle)), int(cy + distance * math.sin(angle))
        if kind < 0.5:
            r = int(rng.uniform(0.05, 0.35) * radius) + 2
            while r > 1:
                cv2.circle(image, (x, y), r, any_colour(rng), rng.choice((-1, 1, 2)), cv2.LINE_AA)
                r = int(r * rng.uniform(0.5, 0.85))
        elif kind < 0.8:
            size = (rng.uniform(0.05, 0.5) * radius + 2, rng.uniform(0.05, 0.3) * radius + 2)
            _box(image, (x, y), size, rng.uniform(0, 180), any_colour(rng))
        else:
            text = rng.choice(("1", "2", "START", "E", "W", "+", "88", "25"))
            cv2.putText(image, text, (x, y), rng.randrange(4), rng.uniform(0.3, 0.8), any_colour(rng), 1, cv2.LINE_AA)


def _box(image: np.ndarray, centre: tuple[float, float], size: tuple[float, float], angle: float,
         colour: tuple[float, float, float]) -> np.ndarray:  # fmt: skip
    corners = cv2.boxPoints((centre, size, angle)).astype(np.int32)
    cv2.fillConvexPoly(image, corners, colour, cv2.LINE_AA)
    return corners


def _thing(image: np.ndarray, rng: random.Random) -> list[TurnedBox]:
    n, kind, colour = image.shape[0], rng.random(), any_colour(rng)
    if rng.random() < 0.08:
        white = rng.uniform(180, 250)
        colour = (white, white, white)
    x, y = rng.random() * n, rng.random() * n
    if kind < 0.4:
        corners = _box(image, (x, y), (rng.uniform(8, 150), rng.uniform(4, 90)), rng.uniform(0, 180), colour)
        if rng.random() < 0.4:
            cv2.polylines(image, [corners], True, any_colour(rng), rng.choice((1, 2, 4)), cv2.LINE_AA)
    elif kind < 0.6:
        cv2.circle(
            image, (int(x), int(y)), int(rng.uniform(3, 60)), colour, -1 if rng.random() < 0.7 else 2, cv2.LINE_AA
        )
    elif kind < 0.75:
        end = (int(rng.random() * n), int(rng.random() * n))
        cv2.line(image, (int(x), int(y)), end, colour, rng.choice((1, 2, 3, 8, 20)), cv2.LINE_AA)
    elif kind < 0.9:
        text = "".join(rng.choice(_LETTERS[:25]) for _ in range(rng.randrange(1, 8)))
        cv2.putText(image, text, (int(x), int(y)), rng.randrange(4), rng.uniform(0.3, 2), colour, rng.choice((1, 2, 3)),
                    cv2.LINE_AA)  # fmt: skip
    else:
        return [_die(image, (x, y), rng)]
    return []


def _die(image: np.ndarray, centre: tuple[float, float], rng: random.Random) -> TurnedBox:
    side, degrees = rng.uniform(8, 30), rng.uniform(0, 90)
    _box(image, centre, (side, side), degrees, (235, 240, 240))
    for _ in range(rng.randrange(1, 6)):
        pip = (int(centre[0] + rng.uniform(-0.3, 0.3) * side), int(centre[1] + rng.uniform(-0.3, 0.3) * side))
        cv2.circle(image, pip, max(1, int(side * 0.1)), rng.choice(((20, 20, 20), (30, 30, 200))), -1)
    return TurnedBox(*centre, math.radians(degrees), side * 1.05, side)


def hand(image: np.ndarray, owner: np.ndarray, unit: float, rng: random.Random) -> None:
    """Fingers over the tiles; what they cover is marked -3 in `owner` (h, w)."""
    n = image.shape[0]
    skin = np.array(rng.choice(_SKIN)) + rng.uniform(-15, 15)
    wrist, angle = np.array([rng.random() * n, rng.random() * n]), rng.uniform(0, 2 * math.pi)
    for _ in range(rng.randint(1, 5)):
        turn = angle + rng.gauss(0, 0.35)
        tip = wrist + np.array([math.cos(turn), math.sin(turn)]) * rng.uniform(1, 4) * unit
        start = wrist + np.array([rng.gauss(0, 0.5), rng.gauss(0, 0.5)]) * unit
        colour = tuple(float(v) for v in np.clip(skin + rng.uniform(-10, 10), 0, 255))
        ends = ((int(start[0]), int(start[1])), (int(tip[0]), int(tip[1])))
        width = max(2, int(unit * rng.uniform(0.3, 0.7)))
        cv2.line(image, *ends, colour, width, cv2.LINE_AA)
        cv2.line(owner, *ends, -3, width)


def photographed(image: np.ndarray, rng: random.Random, strength: float = 1.0) -> np.ndarray:
    """The picture under some light, through some lens, out of some camera; uint8 in and out."""
    f = image.astype(np.float32)
    h, w = f.shape[:2]
    noise = np.random.default_rng(rng.getrandbits(32))
    if rng.random() < 0.5:
        angle = rng.uniform(0, 2 * math.pi)
        slope = np.linspace(-1, 1, w, dtype=np.float32)[None] * math.cos(angle)
        slope = slope + np.linspace(-1, 1, h, dtype=np.float32)[:, None] * math.sin(angle)
        f *= (1 + slope * rng.uniform(0.05, 0.4))[..., None]
    if rng.random() < 0.3:
        f *= (1 - _soft_patch(h, w, rng) * rng.uniform(0.2, 0.6))[..., None]
    if rng.random() < 0.14:
        f += _glare(h, w, rng)[..., None] * rng.uniform(60, 200)
    f *= np.exp(noise.normal(0, 0.11 * strength, 3)).astype(np.float32) * rng.uniform(0.5, 1.25)
    if rng.random() < 0.6:
        f = 255 * np.power(np.clip(f / 255, 0, 1), rng.uniform(0.65, 1.5))
    if rng.random() < 0.5:
        grey = f.mean(2, keepdims=True)
        f = grey + (f - grey) * rng.uniform(0.2, 1.5)
    if rng.random() < 0.4:
        f = (f - 128) * rng.uniform(0.6, 1.3) + 128
    out = np.clip(f, 0, 255).astype(np.uint8)
    lens = rng.random()
    if lens < 0.3:
        out = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.4, 1.5))
    elif lens < 0.4:
        out = _shaken(out, rng)
    elif lens < 0.5:
        out = cv2.addWeighted(out, 1.6, cv2.GaussianBlur(out, (0, 0), 1.2), -0.6, 0)
    if rng.random() < 0.4:
        grain = (noise.integers(-8, 9, (h, w, 1)) * rng.uniform(0.3, 2)).astype(np.int16)
        out = np.clip(out.astype(np.int16) + grain, 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        quality = int(rng.uniform(25, 92))
        out = cv2.imdecode(cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR)
    return out


def _soft_patch(h: int, w: int, rng: random.Random) -> np.ndarray:
    mask = np.zeros((h // 8 + 1, w // 8 + 1), np.float32)
    corners = [[rng.uniform(-0.3, 1.3) * w / 8, rng.uniform(-0.3, 1.3) * h / 8] for _ in range(4)]
    cv2.fillPoly(mask, [np.array(corners, np.int32)], 1.0)
    return cv2.resize(cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.4, 3)), (w, h))


def _glare(h: int, w: int, rng: random.Random) -> np.ndarray:
    mask = np.zeros((h // 8 + 1, w // 8 + 1), np.float32)
    centre = (int(rng.random() * w / 8), int(rng.random() * h / 8))
    cv2.circle(mask, centre, max(1, int(rng.uniform(1, 7))), 1.0, -1)
    return cv2.resize(cv2.GaussianBlur(mask, (0, 0), 2), (w, h))


def _shaken(image: np.ndarray, rng: random.Random) -> np.ndarray:
    k = rng.choice((3, 5, 7))
    kernel, angle, c = np.zeros((k, k), np.float32), rng.uniform(0, math.pi), k // 2
    dx, dy = round(c * math.cos(angle)), round(c * math.sin(angle))
    cv2.line(kernel, (c - dx, c - dy), (c + dx, c + dy), 1.0)
    return cv2.filter2D(image, -1, kernel / kernel.sum())
