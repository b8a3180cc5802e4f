"""Calibration. Truth: the camera of a rendered still, whose projection of the field's corners is known exactly."""

import json
from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision import calibrate
from vision.calibrate import CORNERS, CalibrationError
from vision.render.draw import Renderer
from vision.render.film import calibration as true_calibration
from vision.render.film import random_look
from vision.render.layout import Layout
from vision.render.scene import Scene

LAYOUT = Layout()
SIZE = (1280, 720)


def _still(seed: int):
    look = random_look(np.random.default_rng(seed), LAYOUT, SIZE)
    scene = Scene(
        look.camera, look.table, LAYOUT.size, look.style, (), look.props, (), look.lights, look.ambient, look.gloss,
        look.sensor, seed,
    )  # fmt: skip
    return look, Renderer().render(scene)[0]


@pytest.fixture(scope="module", params=[1, 2])
def table(request):
    return _still(request.param)


def _corners(look) -> np.ndarray:
    return np.array(true_calibration(look, LAYOUT)["corners"])


def _outward(look) -> float:
    marker = next(p for p in look.props if p.kind == "marker")
    return abs(marker.x) - LAYOUT.half


def test_markers_find_the_field(table):
    look, picture = table
    found = calibrate.from_markers(picture, LAYOUT.half, _outward(look))
    assert np.abs(found.corner_pixels() - _corners(look)).max() < 6  # the lens's bend is not modelled by markers alone


def test_the_simulation_s_own_calibration_knows_the_lens(table, tmp_path):
    look, _ = table
    path = tmp_path / "calibration.json"
    path.write_text(json.dumps(true_calibration(look, LAYOUT)))
    found = calibrate.load(path)
    assert np.abs(found.corner_pixels() - _corners(look)).max() < 0.5
    points = np.random.default_rng(1).uniform(-LAYOUT.half, LAYOUT.half, (40, 2))
    pixels = look.camera.project(np.concatenate([points, np.zeros((40, 1))], axis=1))
    assert np.abs(found.to_table(pixels) - points).max() < 1.0  # millimetres
    calibrate.save(found, tmp_path / "stored.json")
    again = calibrate.load(tmp_path / "stored.json")
    assert np.allclose(again.to_table(pixels), found.to_table(pixels), atol=1e-3)


def test_the_simulation_s_own_calibration_tells_a_bump_by_its_markers(table, tmp_path):
    look, picture = table
    path = tmp_path / "calibration.json"
    path.write_text(json.dumps(true_calibration(look, LAYOUT)))
    own = calibrate.load(path)
    found = calibrate.find_markers(picture)
    assert own.markers.keys() == found.keys()
    for number, quad in own.markers.items():
        assert np.abs(np.array(quad) - found[number]).max() < 1.5
    assert not calibrate.drift(own, picture).bumped
    assert calibrate.drift(own, _bumped(picture, 1.5, (12.0, -8.0))[0]).bumped


def test_four_clicks_find_the_field(table):
    look, _ = table
    found = calibrate.from_corners(_corners(look).tolist(), *SIZE, LAYOUT.half)
    assert np.abs(found.corner_pixels() - _corners(look)).max() < 0.1
    assert np.allclose(found.to_table(_corners(look)), np.array(CORNERS) * LAYOUT.half, atol=0.1)


@pytest.mark.parametrize("corners", [[[0, 0], [1, 0], [1, 1], [0, 1]], [[0, 0], [900, 700], [900, 0], [0, 700]], [[0, 0]] * 3])
def test_corners_that_are_no_table_are_refused(corners):
    with pytest.raises(CalibrationError):
        calibrate.from_corners(corners, *SIZE)


def test_a_missing_marker_is_named(table):
    look, picture = table
    hidden = picture.copy()
    quad = calibrate.find_markers(picture)[2]
    cv2.fillConvexPoly(hidden, (quad + (quad - quad.mean(0)) * 1.0).astype(np.int32), (40, 40, 40))
    with pytest.raises(CalibrationError, match="marker 2"):
        calibrate.from_markers(hidden)


def test_the_felt_alone_gives_a_proposal():
    """A table of one colour with clear edges, seen a little from the side: the proposal is within half a tile."""
    corners = np.array([[300, 640], [980, 650], [900, 90], [370, 80]], np.float32)
    picture = np.full((720, 1280, 3), (40, 60, 90), np.uint8)
    cv2.fillConvexPoly(picture, corners.astype(np.int32), (60, 120, 30))
    found = calibrate.propose(picture)
    assert np.abs(found.corner_pixels() - corners).max() < 0.5 * found.tile_pixels()


def test_a_picture_of_nothing_gives_no_proposal():
    noise = np.random.default_rng(3).integers(0, 255, (720, 1280, 3)).astype(np.uint8)
    with pytest.raises(CalibrationError):
        calibrate.propose(noise)


def _bumped(picture: np.ndarray, degrees: float, shift: tuple[float, float]) -> tuple[np.ndarray, np.ndarray]:
    turn = cv2.getRotationMatrix2D((SIZE[0] / 2, SIZE[1] / 2), degrees, 1.0)
    turn[:, 2] += shift
    full = np.vstack([turn, [0, 0, 1]])
    return cv2.warpAffine(picture, turn, SIZE, borderMode=cv2.BORDER_REPLICATE), full


def test_a_still_camera_has_not_drifted(table):
    look, picture = table
    found = calibrate.from_markers(picture, LAYOUT.half, _outward(look))
    result = calibrate.drift(found, picture)
    assert result is not None
    assert not result.bumped


def test_a_bumped_camera_is_noticed_and_found_again(table):
    look, picture = table
    found = calibrate.from_markers(picture, LAYOUT.half, _outward(look))
    moved, by = _bumped(picture, 1.0, (6.0, -5.0))
    result = calibrate.drift(found, moved)
    assert result is not None and result.bumped and result.recovered is not None
    expected = cv2.perspectiveTransform(found.corner_pixels()[None].astype(np.float64), by)[0]
    assert np.abs(result.recovered.corner_pixels() - expected).max() < 2.0


def test_without_markers_nothing_is_said_of_drift(table):
    look, picture = table
    found = calibrate.from_corners(_corners(look).tolist(), *SIZE, LAYOUT.half)
    assert calibrate.drift(found, picture) is None
    blank = np.zeros_like(picture)
    marked = replace(found, markers={i: quad.tolist() for i, quad in calibrate.find_markers(picture).items()})
    assert calibrate.drift(marked, blank) is None


def test_another_size_of_the_same_picture(table):
    look, _ = table
    found = calibrate.from_corners(_corners(look).tolist(), *SIZE, LAYOUT.half)
    assert np.allclose(found.scaled(640, 360).corner_pixels(), _corners(look) / 2, atol=0.1)
