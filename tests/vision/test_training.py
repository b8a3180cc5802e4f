"""The training tools that make ground truth. Truth: solid geometry, and counting by hand."""

import math

import cv2
import numpy as np
import pytest

from models.training import blocks as b
from models.training.evaluate import paired

SHAPE = b.Shape(1.35, 0.7, 0.4)
STRAIGHT = np.array([[1.0, 0, 160], [0, 1, 160]])


def camera(elevation_degrees: float) -> b.Camera:
    return b.Camera(20, math.radians(elevation_degrees), 20 * 40, STRAIGHT)


def block(pose: str, turn: float = 0.0) -> b.Block:
    height = (SHAPE.length if pose == b.STANDING else SHAPE.thickness) / 2
    return b.Block(np.array([0.0, 0.0, height]), turn, pose, 0)


def clockwise(quad: np.ndarray) -> bool:
    return cv2.contourArea(quad.astype(np.float32), oriented=True) > 0


@pytest.mark.parametrize("pose", [b.UP, b.DOWN, b.STANDING])
@pytest.mark.parametrize("turn", [0.0, 0.8, 2.4, 4.0, 5.5])
@pytest.mark.parametrize("elevation", [35, 60, 88])
def test_visible_sides_run_clockwise(pose: str, turn: float, elevation: float) -> None:
    tile, view = block(pose, turn), camera(elevation)
    seen = b.seen_sides(tile, SHAPE, view.position)
    assert 1 <= len(seen) <= 3  # no more sides of a block can be seen at once
    for side in ("face", "back"):
        if side in seen:
            assert clockwise(view.project(b.quads(tile, SHAPE)[side]))


def test_a_face_up_tile_reads_upright_for_the_camera() -> None:
    quad = camera(90).project(b.quads(block(b.UP), SHAPE)["face"])
    top_left, top_right, bottom_right, bottom_left = quad
    assert top_left[0] < top_right[0]
    assert top_left[1] < bottom_left[1]
    width, height = np.hypot(*(top_right - top_left)), np.hypot(*(bottom_left - top_left))
    assert height / width == pytest.approx(SHAPE.length, rel=0.01)
    assert np.hypot(*(bottom_right - bottom_left)) == pytest.approx(width, rel=0.01)


def test_a_turned_tile_turns_the_way_the_camera_sees() -> None:
    """Seen from above, a turn of a quarter counterclockwise in the world is one in the picture."""
    quad = camera(90).project(b.quads(block(b.UP, math.pi / 2), SHAPE)["face"])
    assert quad[1][1] < quad[0][1]  # its top line runs up the picture
    assert quad[0][0] < quad[3][0]


def test_what_is_seen_of_each_pose() -> None:
    assert "face" in b.seen_sides(block(b.UP), SHAPE, camera(50).position)
    assert "back" in b.seen_sides(block(b.DOWN), SHAPE, camera(50).position)
    assert "face" in b.seen_sides(block(b.STANDING), SHAPE, camera(50).position)
    away = b.seen_sides(block(b.STANDING, math.pi), SHAPE, camera(50).position)
    assert "back" in away
    assert "top" in away
    assert "face" not in away


def test_labels_and_sightings_pair_one_to_one() -> None:
    labels = np.array([[0, 0, 10, 10], [20, 0, 10, 10], [100, 100, 10, 10]], float)
    found = np.array([[1, 0, 10, 10], [0, 1, 9, 9], [22, 0, 10, 10], [60, 60, 10, 10]], float)
    assert paired(labels, found) == {0: 0, 1: 2}
    assert paired(labels, np.zeros((0, 4))) == {}
