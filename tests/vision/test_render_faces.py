"""Faces drawn by vision.render.faces. Truth: the public tile notation and what a set of mahjong tiles shows."""

import cv2
import numpy as np
import pytest

from vision.render.faces import FACES, RED_FIVES, draw_back, draw_face
from vision.render.styles import named_styles, random_style

STYLES = named_styles()


def _blobs(face: str, style: str) -> int:
    alpha = draw_face(face, STYLES[style], (192, 256))[..., 3]
    return cv2.connectedComponents((alpha > 128).astype(np.uint8))[0] - 1


def test_all_faces_of_the_contract():
    assert len(FACES) == 42
    assert len(set(FACES)) == 42
    assert {"1m", "9p", "9s", "E", "S", "W", "N", "C", "F", "P", "4f", "1q"} <= set(FACES)


@pytest.mark.parametrize("name", STYLES)
def test_every_face_shows_ink_inside_the_tile(name):
    for face in FACES + RED_FIVES:
        image = draw_face(face, STYLES[name], (48, 64))
        assert image.shape == (64, 48, 4)
        assert image.dtype == np.uint8
        share = (image[..., 3] > 128).mean()
        if face == "P" and STYLES[name].white == "blank":
            assert share == 0
        else:
            assert 0.02 < share < 0.7, (face, share)


def test_faces_of_a_set_differ():
    for style in STYLES.values():
        seen = [draw_face(f, style, (48, 64)).astype(int) for f in FACES]
        for i, a in enumerate(seen):
            for b in seen[i + 1 :]:
                assert np.abs(a - b).mean() > 1


@pytest.mark.parametrize("n", range(2, 10))
def test_as_many_dots_and_sticks_as_the_number_says(n):
    """A dot of the "printed" set is one ring (its hole is not ink); a stick of that set is two halves."""
    alpha = draw_face(f"{n}p", STYLES["printed"], (192, 256))[..., 3]
    outer, _ = cv2.findContours((alpha > 128).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    assert len(outer) == n
    if n != 8:
        assert _blobs(f"{n}s", "printed") == 2 * n


@pytest.mark.parametrize("face", RED_FIVES)
def test_red_fives_are_red_all_over(face):
    image = draw_face(face, STYLES["hongkong"], (96, 128)).astype(int)
    ink = image[image[..., 3] > 200]
    assert (ink[:, 0] > ink[:, 2] + 30).mean() > 0.98


def test_a_seed_gives_the_same_set_again():
    first, second = (random_style(np.random.default_rng(41)) for _ in range(2))
    assert first == second
    for face in ("3m", "1s", "2f", "P", "F"):
        assert np.array_equal(draw_face(face, first), draw_face(face, second))
    assert np.array_equal(draw_back(first), draw_back(second))
    assert random_style(np.random.default_rng(42)) != first


def test_a_back_is_opaque():
    for style in STYLES.values():
        back = draw_back(style, (40, 54))
        assert back.shape == (54, 40, 4)
        assert (back[..., 3] == 255).all()


def test_unknown_face_is_refused():
    with pytest.raises(ValueError, match="0z"):
        draw_face("0z", STYLES["hongkong"])
