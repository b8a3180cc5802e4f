"""What was read is not read again. Truth: a picture made here whose tiles are swapped, lit otherwise and left alone."""

from pathlib import Path

import numpy as np
import pytest

from vision.detect import Detector
from vision.images import load_image
from vision.memory import Memory

PHOTO = Path(__file__).parents[1] / "photos" / "hand_dark_1.jpg"


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector()


@pytest.fixture(scope="module")
def picture() -> np.ndarray:
    return load_image(PHOTO)


WIDTH = 41.0  # of a tile in the photograph, pixels: a fixed camera's stays the same whatever is changed in the picture


def _read(detector, picture, memory):
    height, wide = picture.shape[:2]
    return detector.read(picture, [(0, 0, wide, height)], WIDTH, memory=memory)


def test_a_second_look_knows_everything(detector, picture):
    memory = Memory()
    first = _read(detector, picture, memory)
    second = _read(detector, picture, memory)
    third = _read(detector, picture, memory)
    assert not any(s.known for s in first)
    assert all(s.known for s in third)
    assert [s.tile for s in third] == [s.tile for s in second]
    sure = [s for s in first if s.confidence > 0.95]
    assert sure
    assert {(s.tile, *s.centre.round()) for s in sure} <= {(s.tile, *s.centre.round()) for s in third}


def test_only_the_tile_that_was_changed_is_read_again(detector, picture):
    memory = Memory()
    _read(detector, picture, memory)
    seen = [s for s in _read(detector, picture, memory) if s.facing == "up"]
    changed = picture.copy()
    xs, ys = seen[0].quad[:, 0], seen[0].quad[:, 1]
    left, right, top, bottom = int(xs.min()), int(xs.max()), int(ys.min()), int(ys.max())
    part = changed[top:bottom, left:right]
    changed[top:bottom, left:right] = part[::-1, ::-1] // 2
    again = _read(detector, changed, memory)
    away = [float(np.hypot(*(s.centre - seen[0].centre))) / seen[0].short for s in again]
    assert not any(s.known for s, d in zip(again, away, strict=True) if d < 0.3)
    far = [s.known for s, d in zip(again, away, strict=True) if d > 3]
    assert far
    assert all(far)


def test_another_light_is_no_change(detector, picture):
    memory = Memory()
    _read(detector, picture, memory)
    _read(detector, picture, memory)
    darker = np.clip(picture.astype(np.int16) - 12, 0, 255).astype(np.uint8)
    again = _read(detector, darker, memory)
    assert sum(s.known for s in again) >= 0.9 * len(again)
