"""Labelled views of games. Truth: the pinhole model's cosines, worked out here; the label convention of models/training."""

import cv2
import numpy as np
import pytest

from vision.classes import FACES
from vision.render.draw import Renderer
from vision.render.layout import Layout, place
from vision.render.scene import Scene, Sensor, Table, look_at
from vision.render.views import GAME_VIEWS, LEAST_PIXELS, views


@pytest.fixture(scope="module")
def some():
    return list(views(3, 10, (320, 320)))


def test_a_view_depends_on_its_number_alone(some):
    later = list(views(3, 2, (320, 320), start=6))
    for a, b in zip(some[6:8], later, strict=True):
        assert np.array_equal(a.picture, b.picture)
        assert [(x.kind, x.track, x.quad.tolist()) for x in a.labels] == [
            (x.kind, x.track, x.quad.tolist()) for x in b.labels
        ]
    assert not np.array_equal(some[0].picture, some[1].picture)


def test_labels_keep_the_convention(some):
    """A face or back is told from a cosine of 0.30 on; quads are clockwise."""
    told = [label for view in some for label in view.labels]
    assert {"back", "edge"} < {label.kind for label in told}
    for label in told:
        assert label.kind in (*FACES, "back", "edge")
        assert label.kind in ("back", "edge") or label.kind == label.face
        area = cv2.contourArea(label.quad, oriented=True)
        assert area > 0
        assert area * label.visible >= LEAST_PIXELS - 1
        assert label.kind == "edge" or label.cosine >= 0.30
        assert label.ignore or label.visible >= 0.5


def test_pictures_are_of_the_size_asked_for_and_rule_sets_differ():
    whole = next(iter(views(4, 1, (640, 360), crop=False)))
    assert whole.picture.shape == (360, 640, 3)
    assert whole.picture.dtype == np.uint8
    games = [next(iter(views(4, 1, (64, 64), start=k * GAME_VIEWS))).rules for k in range(3)]
    assert len(set(games)) > 1


@pytest.mark.parametrize("tilt,kind", [(0.0, "edge"), (45.0, "3p"), (-45.0, "back")])
def test_a_standing_tile_from_three_sides(tilt, kind):
    """From its owner's side its face is seen, from straight above its top, from across its back. The quad of the top runs
    along the face first, which is on the owner's side: further down the picture."""
    a = np.deg2rad(tilt)
    camera = look_at((0.0, -900 * float(np.sin(a)), 900 * float(np.cos(a))), (0.0, 0.0, 0.0), 960, 720, 1.0)
    tile = place(Layout(), 0, 0, 0, track=1, face="3p", zone="hand", facing="standing")
    _, (truth,) = Renderer().render(Scene(camera, tiles=(tile,), table=Table(centre="none"), sensor=Sensor(noise=0)))
    assert truth.tile == kind
    quad = np.array(truth.quad)
    normal = {"edge": (0, 0, 1), "3p": (0, -1, 0), "back": (0, 1, 0)}[kind]
    size = Layout().size
    middle = np.array([0, 0, size.height / 2]) + np.array(normal) * [0, size.depth / 2, size.height / 2]
    sight = np.array(camera.position) - middle
    assert truth.cosine == pytest.approx(float(sight @ normal) / float(np.linalg.norm(sight)), abs=1e-6)
    if kind == "edge":
        assert quad[:2, 1].min() > quad[2:, 1].max()
