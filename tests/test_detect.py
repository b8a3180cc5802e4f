"""The reader as a whole, on shipped photographs and on pictures made here.

Truth: tests/photos/annotations.json (the photographs' own labels, checked by eye) and plane geometry.
"""

import json
import math
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.classes import CLASSES, FACES
from vision.detect import Detector, Sighting, decode, in_reading_order, squeezed, wanted_scales
from vision.geometry import TurnedBox, turn_features
from vision.images import load_image
from vision.see import see

PHOTOS = Path(__file__).parent / "photos"
ANNOTATIONS: dict[str, dict[str, Any]] = {p["image"]: p for p in json.loads((PHOTOS / "annotations.json").read_text())}
HANDS = [name for name in ANNOTATIONS if name.startswith("hand")]


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector()


def sighting_in(box: list[float], sightings: list[Sighting]) -> Sighting | None:
    x, y, w, h = box
    inside = [s for s in sightings if x < s.centre[0] < x + w and y < s.centre[1] < y + h]
    return max(inside, key=lambda s: s.confidence, default=None)


def right_faces(sightings: list[Sighting], labels: list[dict[str, Any]], factor: tuple[float, float] = (1, 1)) -> int:
    sx, sy = factor
    right = 0
    for label in labels:
        x, y, w, h = label["box"]
        found = sighting_in([x * sx, y * sy, w * sx, h * sy], sightings)
        right += found is not None and found.tile == label["tile"]
    return right


@pytest.mark.parametrize("name", list(ANNOTATIONS))
def test_photographs_are_read(detector: Detector, name: str) -> None:
    """At most one tile of a picture may be missed: far above chance, and every face is labelled."""
    labels = ANNOTATIONS[name]["objects"]
    sightings = detector.read(load_image(PHOTOS / name))
    assert right_faces(sightings, labels) >= len(labels) - 1


@pytest.mark.parametrize("turn", [cv2.ROTATE_90_CLOCKWISE, cv2.ROTATE_180, cv2.ROTATE_90_COUNTERCLOCKWISE])
def test_turned_pictures_give_turned_quads(detector: Detector, turn: int) -> None:
    """The faces of this picture read upright: after a turn of the picture each quad's first edge has turned with it."""
    name = "hand_green_3.jpg"
    image = cv2.rotate(load_image(PHOTOS / name), turn)
    lines = {cv2.ROTATE_90_CLOCKWISE: (0, 1), cv2.ROTATE_180: (-1, 0), cv2.ROTATE_90_COUNTERCLOCKWISE: (0, -1)}
    sightings = [s for s in detector.read(image) if s.facing == "up" and s.confidence > 0.5]
    assert len(sightings) == len(ANNOTATIONS[name]["objects"])
    line = np.array(lines[turn])
    along = [float((s.quad[1] - s.quad[0]) @ line / np.hypot(*(s.quad[1] - s.quad[0]))) for s in sightings]
    assert sum(a > 0.9 for a in along) >= len(along) - 1


def test_quads_run_clockwise_and_lie_on_their_tiles(detector: Detector) -> None:
    labels = ANNOTATIONS["tray_1.jpg"]["objects"]
    sightings = detector.read(load_image(PHOTOS / "tray_1.jpg"))
    for label in labels:
        x, y, w, h = label["box"]
        found = sighting_in(label["box"], sightings)
        assert found is not None
        a, b, c = found.quad[1] - found.quad[0], found.quad[2] - found.quad[1], found.quad[3] - found.quad[0]
        assert a[0] * b[1] - a[1] * b[0] > 0  # clockwise with y pointing down
        low, high = found.quad.min(0), found.quad.max(0)
        shared = np.prod(np.clip(np.minimum(high, [x + w, y + h]) - np.maximum(low, [x, y]), 0, None))
        assert shared / (np.prod(high - low) + w * h - shared) > 0.5
        assert np.hypot(*c) > 0


def test_regions_read_what_the_whole_reads(detector: Detector) -> None:
    image = load_image(PHOTOS / "tray_1.jpg")
    labels = ANNOTATIONS["tray_1.jpg"]["objects"]
    top, bottom = (0, 0, 640, 340), (0, 320, 640, 320)
    parts = detector.read(image, regions=[top, bottom])
    assert right_faces(parts, labels) >= right_faces(detector.read(image), labels) - 1
    sure = [s for s in parts if s.confidence >= 0.5 and s.facing == "up"]
    assert abs(len(sure) - len(labels)) <= 1  # no tile is told twice
    assert detector.read(image, regions=[]) == []
    assert detector.read(image, regions=[(-50, -50, 40, 40)]) == []


def test_a_known_tile_width_saves_the_first_look(detector: Detector) -> None:
    name = "tray_1.jpg"
    labels = ANNOTATIONS[name]["objects"]
    sightings = detector.read(load_image(PHOTOS / name), tile_width=float(np.median([o["box"][2] for o in labels])))
    assert right_faces(sightings, labels) >= len(labels) - 1


@pytest.mark.parametrize("scale", [0.5, 3.0, 6.0])
def test_sizes_do_not_matter(detector: Detector, scale: float) -> None:
    """From a thumbnail with tiles of 25 pixels to 15 megapixels."""
    labels = ANNOTATIONS["tray_2.jpg"]["objects"]
    image = cv2.resize(load_image(PHOTOS / "tray_2.jpg"), None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    assert right_faces(detector.read(image), labels, (scale, scale)) >= len(labels) - 2


def test_squeezed_pictures_are_read_in_their_aspect(detector: Detector) -> None:
    """The webcam's 16:9 picture was published square; squeezing it is undone before reading."""
    labels = ANNOTATIONS["webcam_1.jpg"]["objects"]
    image = load_image(PHOTOS / "webcam_1.jpg")
    restored = cv2.resize(image, (1138, 640))
    for picture, factor in ((image, (1.0, 1.0)), (restored, (1138 / 640, 1.0))):
        assert right_faces(detector.read(picture), labels, factor) >= len(labels) - 1


def test_slim_tiles_that_are_read_surely_either_way_lie_in_a_squeezed_picture(detector: Detector) -> None:
    """The same picture: most of its tiles are read surely as they are, but others only in its true aspect."""
    labels = ANNOTATIONS["webcam_1.jpg"]["objects"]
    sightings = detector.read(load_image(PHOTOS / "webcam_1.jpg"))
    assert right_faces(sightings, labels) == len(labels)
    assert sum(s.facing == "up" and s.confidence >= 0.5 for s in sightings) == len(labels)


@pytest.mark.parametrize("shape", [(1, 1), (3, 500), (700, 5), (64, 64), (2000, 1500)])
@pytest.mark.parametrize("value", [0, 128, 255])
def test_pictures_without_tiles(detector: Detector, shape: tuple[int, int], value: int) -> None:
    sightings = detector.read(np.full((*shape, 3), value, np.uint8))
    assert [s for s in sightings if s.confidence >= 0.5] == []


def test_a_sighting_is_whole(detector: Detector) -> None:
    for s in detector.read(load_image(PHOTOS / "hand_wood_2.jpg")):
        assert s.quad.shape == (4, 2)
        assert s.quad.dtype == np.float32
        assert set(s.probabilities) <= set(CLASSES[:-1])
        assert list(s.probabilities.values()) == sorted(s.probabilities.values(), reverse=True)
        assert sum(s.probabilities.values()) <= 1 + 1e-6
        assert 0 <= s.red <= 1
        assert 0.25 <= s.upright <= 1
        assert 0 <= s.confidence <= 1
        assert (s.facing == "up") == (s.tile in FACES)


def test_fp32_models_agree(detector: Detector) -> None:
    precise = Detector(precise=True)
    image = load_image(PHOTOS / "tray_2.jpg")
    labels = ANNOTATIONS["tray_2.jpg"]["objects"]
    assert abs(right_faces(precise.read(image), labels) - right_faces(detector.read(image), labels)) <= 1


def test_see_reports_as_the_contract_says() -> None:
    report = see(PHOTOS / "hand_green_2.jpg")
    assert set(report) == {"image", "width", "height", "tiles"}
    assert (report["width"], report["height"]) == (640, 640)
    assert len(report["tiles"]) >= 14
    for tile in report["tiles"]:
        assert set(tile) == {"tile", "quad", "facing", "confidence"}
        assert tile["facing"] in ("up", "down", "standing")
        assert [len(corner) for corner in tile["quad"]] == [2, 2, 2, 2]
    assert json.loads(json.dumps(report)) == report


def test_reading_order_is_by_rows() -> None:
    def at(x: float, y: float) -> Sighting:
        quad = np.array([[x, y], [x + 30, y], [x + 30, y + 40], [x, y + 40]], np.float32)
        return Sighting(quad, {"1m": 1.0}, 0, 1, "up", 1)

    tiles = [at(100, 205), at(0, 100), at(50, 104), at(0, 200), at(50, 0)]
    order = [tuple(s.quad[0]) for s in in_reading_order(tiles)]
    assert order == [(50, 0), (0, 100), (50, 104), (0, 200), (100, 205)]


def test_looks_are_chosen_by_the_tiles_size() -> None:
    assert wanted_scales([], 0.5) == []
    assert wanted_scales([80, 90, 100], 0.5) == []  # 40 to 50 pixels: read comfortably already
    (scale,) = wanted_scales([200, 210, 190], 0.5)
    assert scale * 200 == pytest.approx(45, rel=0.1)
    near_and_far = wanted_scales([20] * 5 + [200] * 5, 0.5)
    assert len(near_and_far) > 1
    assert any(28 <= 20 * s <= 64 for s in near_and_far)
    assert any(28 <= 200 * s <= 64 for s in near_and_far)


@pytest.mark.parametrize(
    ("ratio", "upright", "stretch"), [(1.35, True, (1, 1)), (2.4, True, (1.74, 1)), (2.4, False, (1, 1.74))]
)
def test_squeezed_aspect_is_told_from_the_tiles(ratio: float, upright: bool, stretch: tuple[float, float]) -> None:
    """A tile is about 1.38 times as long as wide."""
    wide, high = (30, 30 * ratio) if upright else (30 * ratio, 30)
    corners = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    quads = [corners + [100 * i, 0] for i in range(6)]
    assert squeezed(quads) == pytest.approx(stretch, rel=0.01)
    assert squeezed([quad * stretch for quad in quads]) == (1, 1)
    assert squeezed(quads[:2]) == (1, 1)  # two tiles prove nothing


def test_decode_finds_peaks_once() -> None:
    """One bright cell with the size of a 24 x 32 box around (100, 60), its neighbours a little dimmer."""
    out = np.zeros((10, 16, 20), np.float32)
    out[0] = -9
    out[0, 7, 12], out[0, 7, 13] = 4, 3
    left, top, right, bottom = (np.log(v / 8) for v in (12, 16, 12, 16))
    out[1:5, 7, 12] = left, top, right, bottom
    out[5:, 7, 12] = turn_features(TurnedBox(100, 60, math.pi / 2, 32, 24), 8)
    boxes, scores = decode(out, 0.3)
    assert len(boxes) == 1
    assert (boxes[0].x, boxes[0].y) == pytest.approx((100, 60))
    assert (boxes[0].long, boxes[0].short) == pytest.approx((32, 24))
    assert abs(boxes[0].angle) == pytest.approx(math.pi / 2)
    assert scores[0] == pytest.approx(1 / (1 + math.exp(-4)))
