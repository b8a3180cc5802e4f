"""The dragons that American sets print on their red and green dragon tiles, drawn by lot."""

import math
import random

import cv2
import numpy as np

W, H = 96, 128


def dragon_mask(rng: random.Random) -> np.ndarray:
    """(128, 96) uint8 ink of a winding beast with head, claws and tail: outlined and scaled, or filled."""
    mask = np.zeros((H, W), np.uint8)
    spine = _spine(rng)
    girth = rng.uniform(11, 22)
    widths = girth * np.clip(np.interp(np.linspace(0, 1, len(spine)), (0, 0.15, 0.6, 1), (0.7, 1, 0.9, 0.15)), 0.1, 1)
    for ink, less in ((255, 0.0), (0, rng.uniform(2.5, 5))):
        if ink == 0 and rng.random() < 0.35:
            break  # filled
        for (x0, y0), (x1, y1), width in zip(spine, spine[1:], widths, strict=False):
            if width - less >= 1:
                cv2.line(mask, (int(x0), int(y0)), (int(x1), int(y1)), ink, int(width - less), cv2.LINE_AA)
    _scales(mask, spine, widths, rng)
    for at in (0.22, 0.45, 0.68):
        if rng.random() < 0.85:
            _claw(mask, spine[int(at * (len(spine) - 1))], girth, rng)
    _head(mask, spine[0], girth, rng)
    if rng.random() < 0.5:
        mask = mask[:, ::-1].copy()
    return mask


def _spine(rng: random.Random) -> np.ndarray:
    """(60, 2) places from the head down: one to two windings."""
    t = np.linspace(0, 1, 60)
    turns, swing, phase = rng.uniform(1.0, 2.1), rng.uniform(14, 30), rng.uniform(-0.6, 0.6)
    x = W / 2 + swing * np.sin(2 * math.pi * turns * t + phase) * (0.5 + 0.5 * np.sin(math.pi * t) + 0.2 * t)
    y = 18 + (H - 34) * (t + 0.06 * np.sin(4 * math.pi * turns * t))
    return np.stack([x, y], 1)


def _scales(mask: np.ndarray, spine: np.ndarray, widths: np.ndarray, rng: random.Random) -> None:
    step, ink = rng.choice((2, 3, 4)), 255 if rng.random() < 0.7 else 0
    for (x, y), width in zip(spine[4:-6:step], widths[4:-6:step], strict=True):
        reach = max(1, int(width / 3.5))
        cv2.ellipse(mask, (int(x), int(y)), (reach, reach), rng.uniform(0, 360), 0, 200, ink, 1, cv2.LINE_AA)


def _claw(mask: np.ndarray, at: np.ndarray, girth: float, rng: random.Random) -> None:
    side = rng.choice((-1, 1))
    foot = at + [side * rng.uniform(1.2, 2.2) * girth, rng.uniform(-0.3, 1.0) * girth]
    cv2.line(mask, _point(at), _point(foot), 255, max(2, int(girth * 0.35)), cv2.LINE_AA)
    for spread in (-0.7, 0.0, 0.7):
        tip = foot + [side * rng.uniform(3, 7), spread * rng.uniform(4, 8)]
        cv2.line(mask, _point(foot), _point(tip), 255, 2, cv2.LINE_AA)


def _head(mask: np.ndarray, at: np.ndarray, girth: float, rng: random.Random) -> None:
    side = rng.choice((-1, 1))
    snout = at + [side * rng.uniform(1.0, 1.8) * girth, rng.uniform(-0.4, 0.6) * girth]
    size = (int(girth * rng.uniform(0.8, 1.1)), int(girth * rng.uniform(0.55, 0.8)))
    cv2.ellipse(mask, _point(at), size, 0, 0, 360, 255, -1 if rng.random() < 0.6 else 2, cv2.LINE_AA)
    cv2.line(mask, _point(at), _point(snout), 255, max(2, int(girth * 0.6)), cv2.LINE_AA)
    cv2.circle(mask, _point(at), 2, 0, -1)
    for lean in (0.5, 1.1):  # horns, streaming back
        tip = at + [-side * lean * girth, -rng.uniform(0.8, 1.5) * girth]
        cv2.line(mask, _point(at), _point(tip), 255, rng.choice((2, 3)), cv2.LINE_AA)
    for lift in (-0.6, 0.6):  # whiskers
        tip = snout + [side * rng.uniform(2, 8), lift * rng.uniform(6, 12)]
        cv2.line(mask, _point(snout), _point(tip), 255, rng.choice((1, 2)), cv2.LINE_AA)


def _point(at: np.ndarray) -> tuple[int, int]:
    return int(at[0]), int(at[1])
