"""What is printed but is no tile: words on cards, booklets, labels and boxes, and characters on the spines of books.

Pictures of 128 x 96, like the faces of the bank, so that the classifier is shown them in the same ways.
"""

import random

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from models.training.faces import FACE_H, FACE_W
from models.training.glyphs import CHINESE, LATIN, any_glyph, fonts

_WORDS = (
    "Operating Guide", "Quick Start", "Manual", "Warranty", "B5", "Notice", "Made in China", "Open here", "Guide",
    "Model X1", "Thank you", "Fragile", "Receipt", "Total 28.50", "No. 1024", "INSTRUCTIONS", "Rules", "Score", "Vol. 3",
    "Dictionary", "HISTORY", "Learning", "www", "WELCOME", "Menu", "Battery", "On / Off", "START", "RESET", "Power",
)  # fmt: skip
#: Characters of book spines and labels that stand on no tile.
_CHARACTERS = (
    "书本说明使用户手册电子产品合格证保修卡小学语文数学历史地理"
    "物理化学科技法律经济管理音乐美术日语英语商务设计新编词典文库社出版"
)
_LETTERS = ("aeiou", "bcdfghklmnprstvw")
_COLUMNS = 0.25  # of the lures: characters below each other
_ACROSS = 0.4  # of the lures: lines along the longer side, as in the box of a tile that lies: two words are like two bamboo
PRINTED = 4.0  # mean difference from the bare paper, in levels of 255, that print makes at least, in the middle:
MIDDLE = 0.2  # without so much of each side, which a crop may lose


def lure(rng: random.Random) -> np.ndarray:
    """(128, 96, 3) uint8 blue-green-red: paper or plastic with print on it."""
    pale = rng.random() < 0.75
    paper = np.array([rng.uniform(170, 255)] * 3) + [rng.uniform(-25, 10), rng.uniform(-8, 8), rng.uniform(-10, 15)]
    if not pale:
        paper = np.array([rng.random() * 255 for _ in range(3)])
    ink = np.array([rng.uniform(0, 110)] * 3) if paper.mean() > 120 else np.array([rng.uniform(190, 255)] * 3)
    if rng.random() < 0.25:
        ink = np.array([rng.random() * 160 for _ in range(3)])
    across = rng.random() < _ACROSS
    picture = np.empty((FACE_W, FACE_H, 3) if across else (FACE_H, FACE_W, 3), np.float32)
    picture[:] = np.clip(paper, 0, 255)
    empty = picture.copy()
    y, x = (round(MIDDLE * side) for side in picture.shape[:2])
    middle = (slice(y, -y), slice(x, -x))
    while np.abs(picture - empty)[middle].mean() < PRINTED:  # a blank crop would teach that a white dragon is none
        (_column if rng.random() < _COLUMNS else _lines)(picture, ink, rng)
    if across:
        picture = np.rot90(picture, rng.choice((1, 3)))
    return np.clip(picture, 0, 255).astype(np.uint8)


def _lines(picture: np.ndarray, ink: np.ndarray, rng: random.Random) -> None:
    """One to three lines, in the middle or flush left, the first the largest more often than not."""
    high, wide = picture.shape[:2]
    y, size = rng.uniform(0.05, 0.6) * high, rng.uniform(0.35, 1.15) * wide
    left = rng.uniform(0, 0.3) * wide if rng.random() < 0.3 else None
    for _ in range(rng.choice((1, 1, 2, 2, 3))):
        mask = _words(rng)
        width = size * rng.uniform(0.15, 1) if mask.shape[1] < 3 * mask.shape[0] else size
        height = min(0.4 * high, mask.shape[0] * width / mask.shape[1])
        _stamp(picture, mask, ink, left if left is not None else (wide - width) / 2, y, width, height)
        y += height + rng.uniform(3, 30)
        if y > high:
            break


def _words(rng: random.Random) -> np.ndarray:
    """The ink of a few words or characters side by side."""
    text, names = rng.choice(_WORDS) if rng.random() < 0.5 else " ".join(_word(rng) for _ in range(rng.randint(1, 2))), LATIN
    if rng.random() < 0.35:
        text, names = "".join(rng.choice(_CHARACTERS) for _ in range(rng.randint(2, 7))), CHINESE
    font = ImageFont.truetype(rng.choice(fonts(names)), 40)
    left, top, right, bottom = (int(v) for v in font.getbbox(text))
    image = Image.new("L", (max(1, right - left), max(1, bottom - top)))
    ImageDraw.Draw(image).text((-left, -top), text, fill=255, font=font)
    return np.array(image)


def _word(rng: random.Random) -> str:
    """A word or a name that nobody knows."""
    letters = "".join(rng.choice(_LETTERS[(i + rng.randrange(4)) % 2]) for i in range(rng.randint(3, 11)))
    return rng.choice((letters, letters.upper(), letters.capitalize()))


def _column(picture: np.ndarray, ink: np.ndarray, rng: random.Random) -> None:
    """One or two characters of a spine and pieces of the next, the spine's edges beside them."""
    high, wide = picture.shape[:2]
    side = rng.uniform(0.45, 0.95) * wide
    y, step = rng.uniform(-0.5, 0.4) * side, side * rng.uniform(1.02, 1.4)
    names, letters = (CHINESE, _CHARACTERS) if rng.random() < 0.7 else (LATIN, "ADGHKMRTUVXYZ")
    while y < high:
        mask = any_glyph(rng.choice(letters), rng, names)
        if mask is not None:
            _stamp(picture, mask, ink, (wide - side) / 2, y, side, side)
        y += step
    if rng.random() < 0.5:
        edge = int(rng.uniform(0.03, 0.12) * wide)
        picture[:, :edge] = rng.uniform(0, 255)
        picture[:, wide - edge :] = rng.uniform(0, 255)


def _stamp(picture: np.ndarray, mask: np.ndarray, ink: np.ndarray, x: float, y: float, width: float,
           height: float) -> None:  # fmt: skip
    """Draw the mask, stretched to that size, at x, y; what hangs over is cut."""
    if width < mask.shape[1]:  # shrunk by area, or fine strokes are lost
        mask = cv2.resize(mask, (max(1, round(width)), max(1, round(height))), interpolation=cv2.INTER_AREA)
    to = np.array([[width / mask.shape[1], 0, x], [0, height / mask.shape[0], y]], np.float32)
    cover = cv2.warpAffine(mask, to, (picture.shape[1], picture.shape[0]))[..., None] / 255.0
    picture[:] = picture * (1 - cover) + ink * cover
