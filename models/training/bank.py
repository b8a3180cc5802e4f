"""The bank of face pictures and real tiles, built once and kept in the cache folder.

`python -m models.training.bank` builds it; MAHJONG_CACHE names the folder (default `.cache/eyes`).
"""

import os
import pickle
import random
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from models.training.faces import FACE_H, FACE_W, blank, drawn_face
from models.training.sources import TRAIN_GROUPS, single_tiles, training_photos
from vision.classes import FACES, FIVES, INDEX
from vision.render.faces import BONUS, RED_FIVES, Style, draw_face
from vision.render.styles import random_style

DRAWN_PER_FACE = 110  # in fonts and free drawings
STYLES = 360  # tile sets of our own design
BONUS_STYLES = 250  # further ones for bonus tiles alone, whose pictures say nothing: character and number tell
BONUS_PICTURES = ("any", "any", "rose")
RED_PER_FIVE = 40
DRAWN = -1  # the group number of a picture that comes from no photograph


@dataclass(frozen=True)
class RealTile:
    """A real tile with some of its surroundings; `box` x, y, w, h within `pixels`."""

    pixels: np.ndarray
    box: tuple[float, float, float, float]
    kind: int
    group: int


@dataclass(frozen=True)
class Bank:
    """`faces` (n, 128, 96, 3) uint8 with `kinds`, `groups` (index into TRAIN_GROUPS or DRAWN) and `red` (n,) each."""

    faces: np.ndarray
    kinds: np.ndarray
    groups: np.ndarray
    red: np.ndarray
    tiles: list[RealTile]


def cache_folder() -> Path:
    folder = Path(os.environ.get("MAHJONG_CACHE", ".cache/eyes"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _drawn(rng: random.Random) -> tuple[list[np.ndarray], list[tuple[int, int, bool]]]:
    pictures, about = [], []
    for face in FACES:
        for _ in range(DRAWN_PER_FACE):
            pictures.append(drawn_face(face, rng))
            about.append((INDEX[face], DRAWN, False))
        for _ in range(RED_PER_FIVE if face in FIVES else 0):
            pictures.append(drawn_face(face, rng, red=True))
            about.append((INDEX[face], DRAWN, True))
    return pictures, about


def _styled(seed: int) -> tuple[list[np.ndarray], list[tuple[int, int, bool]]]:
    """Every face of many invented tile sets, as the table simulator draws them."""
    rng, chance = np.random.default_rng(seed), random.Random(seed)
    pictures, about = [], []
    for _ in range(STYLES):
        style = random_style(rng)
        for face in (*FACES, *RED_FIVES):
            pictures.append(_on_body(draw_face(face, style, (FACE_W, FACE_H)), style, chance))
            red = face in RED_FIVES
            about.append((INDEX["5" + face[1] if red else face], DRAWN, red))
    return pictures, about


def _bonus(seed: int) -> tuple[list[np.ndarray], list[tuple[int, int, bool]]]:
    """The bonus tiles of sets that print any picture on any of them."""
    rng, chance = np.random.default_rng(seed), random.Random(seed)
    pictures, about = [], []
    for _ in range(BONUS_STYLES):
        style = replace(random_style(rng), bonus_picture=chance.choice(BONUS_PICTURES))
        for face in BONUS:
            pictures.append(_on_body(draw_face(face, style, (FACE_W, FACE_H)), style, chance))
            about.append((INDEX[face], DRAWN, False))
    return pictures, about


def _on_body(ink: np.ndarray, style: Style, chance: random.Random) -> np.ndarray:
    """(h, w, 3) uint8: (h, w, 4) ink on the style's own body or another."""
    cover = ink[..., 3:].astype(np.float32) / 255
    body = np.array(style.body[::-1], np.float32) if chance.random() < 0.5 else blank(chance)
    return np.clip(ink[..., 2::-1] * cover + body * (1 - cover), 0, 255).astype(np.uint8)


def _with_surroundings(image: np.ndarray, box: np.ndarray, kind: int, group: int) -> RealTile:
    x, y, w, h = (float(v) for v in box)
    margin = 0.45 * max(w, h)
    x0, y0 = int(max(0, x - margin)), int(max(0, y - margin))
    x1, y1 = int(min(image.shape[1], x + w + margin)), int(min(image.shape[0], y + h + margin))
    part, scale = image[y0:y1, x0:x1], min(1, 110 / max(w, h))
    if scale < 1:
        part = cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return RealTile(part.copy(), ((x - x0) * scale, (y - y0) * scale, w * scale, h * scale), kind, group)


def _real() -> tuple[list[np.ndarray], list[tuple[int, int, bool]], list[RealTile]]:
    pictures, about, tiles = [], [], []
    for photo in training_photos():
        image, group = photo.pixels(), TRAIN_GROUPS.index(photo.group)
        for box, kind in zip(photo.boxes, photo.classes, strict=True):
            x, y, w, h = (float(v) for v in box)
            if min(w, h) < 14:
                continue
            tiles.append(_with_surroundings(image, box, int(kind), group))
            clearly_upright = h > 1.2 * w  # others may be foreshortened or turned: no use as a face to paste
            face = image[int(max(0, y)) : int(y + h), int(max(0, x)) : int(x + w)]
            if clearly_upright and w >= 26 and face.size:
                pictures.append(cv2.resize(face, (FACE_W, FACE_H)))
                about.append((int(kind), group, False))
    return pictures, about, tiles


def build(seed: int = 7) -> Path:
    drawn, drawn_about = _drawn(random.Random(seed))
    styled, styled_about = _styled(seed)
    bonus, bonus_about = _bonus(seed + 1)
    real, real_about, tiles = _real()
    about = np.array(drawn_about + styled_about + bonus_about + real_about)
    path = cache_folder() / "bank.pkl"
    bank = Bank(np.array(drawn + styled + bonus + real), about[:, 0], about[:, 1], about[:, 2].astype(bool), tiles)
    path.write_bytes(pickle.dumps(bank))
    return path


def load() -> Bank:
    """The bank from the cache; it is our own file, so unpickling it is safe."""
    path = cache_folder() / "bank.pkl"
    if not path.exists():
        build()
    bank: Bank = pickle.loads(path.read_bytes())
    return bank


def with_single_tiles(bank: Bank, folder: Path) -> Bank:
    """The bank with the faces of a folder of single tiles as one more group."""
    faces, kinds = [], []
    for image, box, face in single_tiles(folder):
        x, y, w, h = (max(0, round(v)) for v in box)
        faces.append(cv2.resize(image[y : y + h, x : x + w], (FACE_W, FACE_H)))
        kinds.append(INDEX[face])
    return replace(
        bank,
        faces=np.concatenate([bank.faces, np.array(faces)]),
        kinds=np.concatenate([bank.kinds, kinds]),
        groups=np.concatenate([bank.groups, np.full(len(faces), len(TRAIN_GROUPS))]),
        red=np.concatenate([bank.red, np.zeros(len(faces), bool)]),
    )


if __name__ == "__main__":
    # under its own name, so that the pickled classes can be found again
    from models.training import bank as module

    print(module.build())
