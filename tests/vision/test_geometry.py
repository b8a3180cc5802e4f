"""Turned rectangles and crops. Truth: drawn pictures whose corners have known colours, and plane geometry."""

import math

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.geometry import CROP_H, CROP_W, TurnedBox, box_of, crop, from_turn_features, turn_features

CORNER_COLOURS = ((255, 0, 0), (0, 255, 0), (0, 0, 255), (0, 255, 255))  # top left, clockwise


def face_quad(x: float, y: float, width: float, height: float, turn: float) -> np.ndarray:
    """A face of the given size turned clockwise by `turn` radians, from its own top left."""
    c, s = math.cos(turn), math.sin(turn)
    right, down = np.array([c, s]) * width / 2, np.array([-s, c]) * height / 2
    middle = np.array([x, y])
    return np.array([middle - right - down, middle + right - down, middle + right + down, middle - right + down])


@given(st.floats(-4, 4), st.floats(10, 80), st.floats(1.05, 2.5), st.booleans())
def test_box_and_corners_are_inverse(turn: float, short: float, ratio: float, tall: bool) -> None:
    width, height = (short, short * ratio) if tall else (short * ratio, short)
    quad = face_quad(100, 90, width, height, turn)
    box, quarter = box_of(quad)
    assert box.long == pytest.approx(short * ratio)
    assert box.corners(quarter) == pytest.approx(quad, abs=1e-2)


@given(st.floats(-4, 4), st.floats(8, 200), st.floats(1, 3))
def test_turn_features_are_inverse_and_without_jumps(angle: float, short: float, ratio: float) -> None:
    box = TurnedBox(0, 0, angle, short * ratio, short)
    features = np.array(turn_features(box, 8))
    back, long, narrow = (v[0] for v in from_turn_features(features[:, None], 8))
    again = TurnedBox(0, 0, float(back), float(long), float(narrow))
    distances = [np.abs(again.corners(q) - box.corners()).max() for q in range(4)]
    assert min(distances) < 1e-2 * short  # the same rectangle, whichever corner comes first
    nearly = np.array(turn_features(TurnedBox(0, 0, angle + 0.01, short * ratio, short), 8))
    assert np.abs(nearly - features).max() < 0.06


def test_a_square_has_one_description_for_both_axes() -> None:
    one, other = (turn_features(TurnedBox(0, 0, a, 30, 30), 8) for a in (0.3, 0.3 + math.pi / 2))
    assert one == pytest.approx(other)


def painted(quad: np.ndarray) -> np.ndarray:
    """A picture of a face whose four quarters have the corner colours."""
    image = np.full((200, 220, 3), 90, np.uint8)
    middle = quad.mean(0)
    for i, colour in enumerate(CORNER_COLOURS):
        part = [quad[i], (quad[i] + quad[(i + 1) % 4]) / 2, middle, (quad[i] + quad[i - 1]) / 2]
        cv2.fillConvexPoly(image, np.array(part).round().astype(np.int32), colour)
    return image


@pytest.mark.parametrize("turn_degrees", [0, 30, 90, 135, 200, 270, 340])
@pytest.mark.parametrize("tall", [True, False])
@pytest.mark.parametrize("quarter", [0, 1, 2, 3])
def test_crop_shows_the_face_turned_as_asked(turn_degrees: int, tall: bool, quarter: int) -> None:
    quad = face_quad(110, 100, *((60, 80) if tall else (80, 60)), math.radians(turn_degrees))
    box, turned = box_of(quad)
    picture = crop(painted(quad), box, quarter)
    assert picture.shape == (CROP_H, CROP_W, 3)
    seen = [picture[CROP_H // 4, CROP_W // 4], picture[CROP_H // 4, -CROP_W // 4], picture[-CROP_H // 4, -CROP_W // 4],
            picture[-CROP_H // 4, CROP_W // 4]]  # fmt: skip
    quarters_turned = (turned + quarter) % 4  # clockwise, of the face within the crop
    expected = [CORNER_COLOURS[(i - quarters_turned) % 4] for i in range(4)]
    assert [tuple(int(v) for v in colour) for colour in seen] == expected


def test_large_boxes_are_reduced_without_aliasing() -> None:
    """A fine chequered pattern, eight pixels of it to one of the crop, must come out grey."""
    chequered = np.indices((800, 800)).sum(0) % 2 * 255
    image = np.repeat(chequered[..., None], 3, 2).astype(np.uint8)
    picture = crop(image, TurnedBox(400, 400, math.pi / 2, 420, 320))
    assert np.abs(picture.astype(int) - 127).max() < 40


def test_crops_over_the_border_are_whole() -> None:
    picture = crop(np.full((50, 50, 3), 200, np.uint8), TurnedBox(2, 2, 0.3, 60, 44))
    assert picture.shape == (CROP_H, CROP_W, 3)
    assert picture.min() == 200
