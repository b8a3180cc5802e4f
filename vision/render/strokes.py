"""Characters, numerals and letters as stroke data of our own, and the hands that write them.

A glyph is a list of strokes in a box of 100 x 100 (y down). A stroke is a kind and the points of its middle line;
the kind says how a brush is pressed along it. A `Hand` turns strokes into outlines, so that one skeleton gives
brush, printed, sans and thin letters. No font file is used.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

# Kinds: h level, v upright, u upright ending in a needle, p falling left, n falling right, d dot, t rising,
# z turning, g turning with a hook at the end, b bending with a hook, w bending, c plain curve, l plain line.
_CURVED = frozenset("pndtbwc")

_DATA = {
    "一": "h 6,53 94,47",
    "二": "h 20,27 80,24|h 5,77 95,73",
    "三": "h 16,18 84,15|h 22,50 77,47|h 5,85 95,81",
    "四": "v 11,18 16,84|z 11,20 89,17 84,84|p 38,22 37,44 23,63|w 60,20 60,50 65,57 80,57|h 15,80 85,79",
    "五": "h 18,14 82,11|v 47,14 35,86|z 22,48 74,45 68,86|h 5,88 95,86",
    "伍": "p 28,5 20,28 3,52|v 18,32 18,95|h 40,16 91,13|v 63,15 55,85|z 42,49 86,46 81,87|h 30,89 98,87",
    "六": "d 45,4 57,19|h 5,34 95,30|p 37,46 28,66 7,94|d 60,46 91,90",
    "七": "h 5,50 95,34|b 44,6 44,70 48,86 62,89 86,88 91,84 91,66",
    "八": "p 38,16 32,50 4,90|n 52,12 64,48 97,90",
    "九": "p 41,5 37,50 5,94|g 12,36 70,31 66,74|b 66,70 67,84 76,89 92,87 95,68",
    "萬": "h 6,15 94,12|v 33,3 36,25|v 67,2 63,25|v 24,32 27,57|z 24,33 77,31 73,57|h 27,44 73,43|h 27,55 73,54|"
    "v 13,64 14,97|g 13,65 88,63 86,94 76,88|v 50,32 50,82|t 29,85 60,77|d 57,70 68,85",
    "萬:run": "h 4,18 96,13|d 30,4 38,20|p 70,2 60,20|v 25,32 29,58|z 25,33 77,30 71,58|h 28,45 72,43|"
    "p 52,22 50,60 26,82|g 10,66 90,62 84,96 68,88|t 26,86 66,74|d 58,68 72,86",
    "万": "h 6,16 94,13|g 41,46 81,44 74,92 58,82|p 43,16 38,58 7,96",
    "東": "h 9,18 91,15|v 21,30 24,63|z 21,31 80,29 76,63|h 24,46 77,45|h 24,60 76,59|v 50,1 50,99|"
    "p 47,60 30,76 4,88|n 53,60 68,75 97,90",
    "东": "h 12,20 88,17|z 44,2 20,46 86,43|g 54,28 54,95 41,86|d 34,58 17,84|d 70,58 88,82",
    "南": "h 10,17 90,14|v 50,1 48,32|v 13,33 14,98|g 13,34 88,32 86,96 74,89|d 35,40 42,51|p 66,39 58,51|"
    "h 29,56 71,54|h 25,72 75,70|u 50,55 50,94",
    "西": "h 5,16 95,13|v 13,37 18,94|z 13,38 88,36 83,94|p 39,16 38,46 26,66|w 61,15 61,50 66,58 80,58|h 18,87 83,86",
    "北": "v 38,6 38,95|h 9,37 38,35|t 3,86 40,70|p 92,26 60,47|b 58,4 58,74 61,87 72,89 92,88 97,83 97,66",
    "北:run": "p 20,22 8,38|v 36,4 35,97|t 2,64 44,42|t 6,84 40,68|p 90,24 60,44|b 60,4 58,72 62,88 78,90 94,86 98,64",
    "中": "v 13,29 17,68|z 13,30 87,28 82,68|h 17,64 83,62|u 50,1 50,99",
    "中:bar": "v 13,31 17,70|z 13,32 87,30 82,70|h 17,66 83,64|v 50,1 50,99",
    "發": "p 10,11 38,9|p 39,9 30,30 3,50|d 17,22 28,34|n 50,4 66,28 98,48|p 80,3 63,19|p 93,17 72,32|"
    "z 12,54 40,53 38,67|h 14,67 39,66|g 14,67 12,80 43,78 38,98 26,92|p 60,50 58,62 47,71|z 60,51 80,50 80,62 93,63|"
    "h 52,75 86,74|p 86,74 70,90 46,99|n 56,79 72,90 98,99",
    "發:run": "h 8,14 40,10|p 40,10 28,32 2,48|d 18,24 30,34|n 48,2 64,28 99,46|p 82,2 62,20|p 95,16 72,32|"
    "z 10,54 44,52 40,66|h 14,68 42,66|g 12,68 10,80 46,77 40,99 24,90|p 62,48 60,62 50,70|w 62,50 82,48 84,64 95,64|"
    "h 50,76 88,73|p 88,73 72,90 44,100|n 54,78 74,92 99,97",
    "发": "z 26,8 17,37 91,34|p 46,3 38,58 5,96|h 38,56 78,54|p 78,54 62,80 34,98|n 42,60 64,82 97,97|d 68,7 81,23",
    "白": "p 52,1 47,12 37,22|v 17,25 20,97|z 17,26 83,24 80,97|h 20,59 80,58|h 20,93 80,92",
    "春": "h 18,14 82,11|h 22,28 78,26|h 5,43 95,40|p 47,2 42,36 3,72|n 55,41 72,58 98,69|"
    "v 30,58 31,98|z 30,59 71,57 69,98|h 31,76 69,75|h 31,94 69,93",
    "夏": "h 8,8 92,6|p 51,8 43,19|v 25,20 26,59|z 25,21 75,20 74,59|h 26,32 74,32|h 26,44 74,44|h 26,56 74,56|"
    "p 41,59 32,70 13,81|h 36,67 74,65|p 74,65 56,86 12,99|n 32,74 58,88 94,99",
    "秋": "p 42,5 28,12 12,16|h 3,33 48,30|v 27,13 27,97|p 26,34 18,56 1,73|d 30,38 47,57|d 56,28 62,50|p 92,24 80,46|"
    "p 74,4 72,56 44,97|n 73,46 82,72 99,95",
    "冬": "p 42,2 30,24 7,45|h 34,17 76,15|p 76,15 54,44 4,63|n 33,24 56,42 98,59|d 40,64 62,77|d 32,80 64,98",
    "梅": "h 2,31 43,28|v 22,3 22,98|p 21,32 14,54 0,73|d 25,40 39,55|p 57,1 52,14 42,27|h 52,16 97,13|"
    "z 56,31 50,78 95,76|g 56,32 88,31 84,95 73,89|h 40,56 99,53|d 66,39 71,48|d 63,61 69,71",
    "蘭": "h 5,12 95,9|v 34,1 36,22|v 66,1 64,22|v 11,28 11,98|z 11,29 42,28 42,52|h 11,40 42,40|h 11,51 42,51|"
    "v 58,28 58,52|g 58,29 90,28 90,97 81,91|h 58,40 90,40|h 58,51 90,51|h 23,62 78,61|v 50,54 50,97|v 34,67 34,80|"
    "z 34,67 67,66 67,80|h 34,79 67,79|p 49,80 27,95|n 51,80 75,93",
    "兰": "d 26,5 38,23|p 75,3 60,25|h 15,35 85,32|h 23,63 77,60|h 3,93 97,90",
    "菊": "h 5,16 95,13|v 34,3 36,26|v 66,3 64,26|p 34,26 26,42 6,58|g 28,37 92,35 88,96 73,89|d 35,46 42,57|"
    "p 68,44 60,56|h 21,65 77,62|v 49,42 49,97|p 48,66 20,87|n 51,66 74,83",
    "竹": "p 26,3 18,22 4,38|h 14,27 47,24|v 30,26 30,97|p 66,3 60,20 50,36|h 58,25 97,22|g 78,24 78,95 65,86",
    "漁": "d 10,8 24,20|d 4,34 18,46|t 4,92 26,60|p 52,2 46,14 34,26|h 46,14 74,13|p 74,13 66,26|v 36,28 37,66|"
    "z 36,29 90,28 88,66|v 62,28 62,64|h 37,46 89,45|h 37,64 88,63|"
    "d 36,76 30,94|d 50,77 54,92|d 66,76 72,92|d 82,75 95,94",
    "樵": "h 2,31 38,28|v 20,3 20,98|p 19,32 12,54 0,72|d 23,40 36,54|p 56,2 40,30|v 48,22 48,70|d 70,3 76,14|"
    "h 48,20 96,18|h 48,36 92,35|h 48,52 92,51|h 48,68 98,66|v 72,19 72,67|"
    "d 46,78 38,96|d 58,79 62,94|d 74,78 80,94|d 88,77 98,95",
    "耕": "h 6,18 44,16|h 8,32 42,31|h 2,47 48,45|v 25,3 25,98|p 24,48 16,64 1,80|d 29,54 44,68|h 52,32 98,30|"
    "h 48,62 99,60|p 64,6 64,60 46,97|v 84,5 84,98",
    "讀": "d 18,2 26,12|h 3,22 42,20|h 9,36 36,35|h 9,50 36,49|v 10,64 12,95|z 10,65 36,64 34,95|h 12,92 35,91|"
    "h 50,10 92,9|v 70,2 70,22|h 54,23 90,22|v 48,32 48,46|z 48,33 94,32 94,46|v 62,33 62,45|v 79,33 79,45|"
    "h 48,46 94,45|"
    "v 54,54 54,82|z 54,55 88,54 88,82|h 54,64 88,63|h 54,73 88,72|h 54,82 88,81|p 63,84 44,98|d 78,84 98,98",
    "0": "c 50,4 20,16 10,50 20,84 50,96 80,84 90,50 80,16 50,4",
    "1": "l 28,24 56,5 56,95",
    "2": "c 12,30 20,10 50,4 80,12 86,34 66,56 34,78 12,95|l 12,95 90,95",
    "3": "c 14,16 46,4 80,14 80,36 46,46|c 46,46 88,56 88,84 48,97 10,86",
    "4": "l 68,95 68,5 6,68 94,68",
    "5": "l 82,6 24,6 18,46|c 18,46 46,36 82,46 88,70 70,92 42,96 12,86",
    "6": "c 78,8 46,16 18,44 12,72 28,93 52,96 82,86 86,64 66,48 36,50 14,66",
    "7": "l 10,7 90,7 44,95",
    "8": "c 50,47 22,38 18,18 50,4 82,18 78,38 50,47 14,60 12,84 50,97 88,84 86,60 50,47",
    "9": "c 86,34 64,50 34,52 14,36 18,14 48,4 72,7 88,28 82,56 54,84 22,92",
    "E": "l 84,6 16,6 16,94 88,94|l 16,48 76,48",
    "S": "c 86,18 54,4 18,14 18,36 50,49 82,62 86,84 50,96 12,84",
    "W": "l 2,6 26,94 50,24 74,94 98,6",
    "N": "l 14,94 14,6 86,94 86,6",
    "C": "c 88,20 58,4 24,16 10,50 24,84 58,96 88,80",
    "F": "l 86,6 18,6 18,94|l 18,48 76,48",
    "P": "l 18,94 18,6|c 18,6 70,6 88,28 70,52 18,52",
    "B": "l 16,94 16,6|c 16,6 66,6 80,26 66,46 16,46|c 16,46 74,48 90,70 74,94 16,94",
    "R": "l 18,94 18,6|c 18,6 70,6 86,27 70,50 18,50|l 48,50 88,94",
}


def _parse(text: str) -> tuple[tuple[str, np.ndarray], ...]:
    strokes = []
    for part in text.split("|"):
        kind, *points = part.split()
        strokes.append((kind, np.array([[float(v) for v in p.split(",")] for p in points])))
    return tuple(strokes)


GLYPHS = {name: _parse(text) for name, text in _DATA.items()}

# Pressure along a stroke: (share of the length, width), by kind.
_PROFILES = {
    "brush": {
        "h": ((0, 1.0), (0.12, 0.82), (0.5, 0.66), (0.85, 0.8), (1, 1.1)),
        "v": ((0, 1.2), (0.15, 0.95), (0.8, 0.9), (1, 1.05)),
        "u": ((0, 1.2), (0.15, 0.95), (0.7, 0.9), (1, 0.15)),
        "p": ((0, 1.2), (0.25, 1.0), (0.6, 0.75), (1, 0.1)),
        "n": ((0, 0.35), (0.45, 0.85), (0.78, 1.4), (0.86, 1.25), (1, 0.12)),
        "d": ((0, 0.25), (0.6, 1.2), (1, 0.95)),
        "t": ((0, 1.2), (0.4, 0.8), (1, 0.1)),
        "z": ((0, 1.0), (0.2, 0.8), (0.5, 0.95), (1, 1.0)),
        "g": ((0, 0.95), (0.2, 0.8), (0.85, 1.0), (0.9, 1.0), (1, 0.12)),
        "b": ((0, 1.1), (0.2, 0.9), (0.8, 1.0), (0.88, 1.05), (1, 0.12)),
        "w": ((0, 1.0), (1, 0.9)),
    },
    "plain": {
        "p": ((0, 1.0), (1, 0.75)),
        "n": ((0, 0.85), (1, 1.0)),
        "d": ((0, 0.85), (1, 1.0)),
        "g": ((0, 1.0), (0.92, 1.0), (1, 0.7)),
        "b": ((0, 1.0), (0.92, 1.0), (1, 0.75)),
        "u": ((0, 1.0), (1, 1.0)),
    },
}
_FLAT = ((0, 1.0), (1, 1.0))


@dataclass(frozen=True)
class Hand:
    """How characters are written.

    `family` is "brush", "song" (thin level strokes with a triangle at the end), "sans" or "thin"; `weight` the width
    of a stroke in hundredths of the glyph; `nib` the flatness of the brush (1 round) and `nib_angle` its turn in
    degrees; `tilt` how far level strokes rise; `slant` the lean of uprights; `sway` and `sway_seed` a smooth
    personal deformation; `press` how strongly pressure varies; `running` prefers the semi-cursive skeletons;
    `loose` how far each stroke strays from its place, slope and length in the skeleton (1: visibly).
    """

    family: str = "brush"
    weight: float = 11.0
    nib: float = 0.6
    nib_angle: float = 45.0
    tilt: float = 0.0
    slant: float = 0.0
    sway: float = 1.5
    sway_seed: int = 0
    press: float = 1.0
    running: bool = False
    loose: float = 0.0


def curve(points: np.ndarray, per_part: int) -> np.ndarray:
    """Catmull-Rom through the points; two points give a straight line."""
    if len(points) == 2:
        return points[0] + (points[1] - points[0]) * np.linspace(0, 1, per_part + 1)[:, None]
    closed = bool(np.allclose(points[0], points[-1]))
    before = points[-2] if closed else 2 * points[0] - points[1]
    after = points[1] if closed else 2 * points[-1] - points[-2]
    ext = np.vstack([before, points, after])
    t = np.linspace(0, 1, per_part, endpoint=False)[:, None]
    parts = []
    for a, b, c, d in zip(ext[:-3], ext[1:-2], ext[2:-1], ext[3:], strict=True):
        parts.append(0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3))
    return np.vstack([*parts, points[-1:]])


def _line(points: np.ndarray, per_part: int) -> np.ndarray:
    t = np.linspace(0, 1, per_part, endpoint=False)[:, None]
    parts = [a + (b - a) * t for a, b in zip(points[:-1], points[1:], strict=True)]
    return np.vstack([*parts, points[-1:]])


def _deform(points: np.ndarray, hand: Hand) -> np.ndarray:
    rng = np.random.default_rng(hand.sway_seed)
    freq = rng.uniform(0.02, 0.055, (4, 2)) * rng.choice([-1, 1], (4, 2))
    phase = rng.uniform(0, 2 * np.pi, 4)
    move = rng.normal(0, hand.sway, (4, 2))
    out = points + np.sin(points @ freq.T + phase) @ move
    x, y = out[:, 0].copy(), out[:, 1].copy()
    out[:, 1] = y - hand.tilt * (x - 50)
    out[:, 0] = x - hand.slant * (y - 50)
    return out


def _strayed(points: np.ndarray, hand: Hand, number: int, glyph: str) -> np.ndarray:
    """A stroke moved, turned and made longer or shorter about its middle; the same one the same way each time."""
    if not hand.loose:
        return points
    rng = np.random.default_rng([hand.sway_seed, number, *glyph.encode()])
    middle = points.mean(0)
    a, grow = np.deg2rad(rng.normal(0, 5 * hand.loose)), np.exp(rng.normal(0, 0.07 * hand.loose))
    turn = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
    return (points - middle) @ turn * grow + middle + rng.normal(0, 2.2 * hand.loose, 2)


def _nib(hand: Hand) -> np.ndarray:
    angles = np.linspace(0, 2 * np.pi, 10, endpoint=False)
    shape = np.stack([np.cos(angles), np.sin(angles) * hand.nib], 1)
    a = np.deg2rad(hand.nib_angle)
    return shape @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])


def _widths(kind: str, path: np.ndarray, hand: Hand) -> np.ndarray:
    steps = np.hypot(*np.diff(path, axis=0).T)
    s = np.concatenate([[0], np.cumsum(steps)]) / max(steps.sum(), 1e-6)
    table = _PROFILES["brush" if hand.family in ("brush", "song") else "plain"]
    xs, ys = zip(*table.get(kind, _FLAT), strict=True)
    width = np.interp(s, xs, ys)
    width = 1 + (width - 1) * hand.press
    if hand.family == "song" and kind in "hvzgbw":
        d = np.gradient(path, axis=0)
        upright = np.abs(d[:, 1]) / np.maximum(np.hypot(d[:, 0], d[:, 1]), 1e-6)
        tip = np.where((kind in "gb") & (s > 0.9), np.interp(s, [0.9, 1], [1, 0.2]), 1.0)
        width = (0.38 + 0.72 * upright) * tip
    return np.maximum(width, 0.08) * hand.weight / 2


def _density(strokes: tuple[tuple[str, np.ndarray], ...]) -> float:
    """Crowded characters are written with a finer brush."""
    return float(min(1.25, (7.5 / max(len(strokes), 3)) ** 0.42))


def glyph_pieces(name: str, hand: Hand, size: tuple[float, float] = (100.0, 100.0)) -> list[np.ndarray]:
    """Convex pieces (n, 2 points about the origin) that together cover the glyph as `hand` writes it.

    The skeleton is fitted to a box of `size`; the brush keeps its shape, scaled with the mean of the two sides.
    """
    if hand.running and f"{name}:run" in GLYPHS:
        name = f"{name}:run"
    strokes = GLYPHS[name]
    factor = np.asarray(size) / 100.0
    middle = float(np.sqrt(factor.prod()))
    fine = _density(strokes) * middle
    nib = _nib(hand)
    pieces = []
    for number, (kind, skeleton) in enumerate(strokes):
        points = _strayed(skeleton, hand, number, name)
        path = curve(points, 9) if kind in _CURVED else _line(points, 6)
        path = (_deform(path, hand) - 50) * factor
        widths = _widths(kind, path, hand) * fine
        shapes = path[:, None] + nib[None] * widths[:, None, None]
        for a, b in zip(shapes[:-1], shapes[1:], strict=True):
            pieces.append(cv2.convexHull(np.vstack([a, b]).astype(np.float32))[:, 0])
        if hand.family == "song" and kind in "hz":
            pieces.append(_song_end(path if kind == "h" else path[:7], hand, fine))
    return pieces


def _song_end(path: np.ndarray, hand: Hand, fine: float) -> np.ndarray:
    end, size = path[-1], hand.weight * 0.62 * fine
    shape = np.array([[-1.5, 0.3], [-0.35, -1.15], [0.25, -0.6], [0.5, 0.3]])
    return (end + shape * size).astype(np.float32)
