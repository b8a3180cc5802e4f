"""The motion gate. Truth: pictures made here, in which what moves, and when, is known."""

import cv2
import numpy as np
import pytest

from vision.motion import LOOKS, SETTLE, Motion

SIZE = (540, 960)
STEP = 1 / 15


def _picture(at: tuple[int, int] | None = None, light: float = 1.0, noise: int = 0) -> np.ndarray:
    rng = np.random.default_rng(7)
    base = rng.integers(60, 120, (*SIZE, 3)).astype(np.float32)
    if at is not None:
        x, y = at
        base[y : y + 60, x : x + 40] = 230
    base = base * light + np.random.default_rng(noise).normal(0, 2.0, base.shape)
    return np.clip(base, 0, 255).astype(np.uint8)


def _run(motion: Motion, pictures: list[np.ndarray], begin: float = 0.0):
    still = None
    for k, picture in enumerate(pictures):
        still = motion.update(picture, begin + k * STEP)
    return still


@pytest.fixture
def resting() -> Motion:
    motion = Motion()
    _run(motion, [_picture(noise=k) for k in range(12)], -12 * STEP)
    motion.looked([(0, 0, SIZE[1], SIZE[0])])
    motion.looked([(0, 0, SIZE[1], SIZE[0])])
    return motion


def test_noise_is_no_motion(resting):
    still = _run(resting, [_picture(noise=20 + k) for k in range(5)])
    assert still.moving_share == 0
    assert not still.due.any()


def test_nothing_is_still_under_a_hand_and_all_is_elsewhere(resting):
    _run(resting, [_picture((100 + 20 * k, 200), noise=k) for k in range(6)])
    assert not resting.is_still(210, 230)
    assert resting.is_still(800, 400)


@pytest.mark.parametrize(("step", "alike", "still"), [(0.2, 1, True), (0.2, 0, False), (STEP, 3, False), (STEP, 6, True)])
def test_two_pictures_alike_suffice_when_they_are_far_apart(step: float, alike: int, still: bool) -> None:
    """An arm over the table hardly moves from one picture of a fast camera to the next."""
    motion = Motion()
    pictures = [_picture((100 + 20 * k, 200), noise=k) for k in range(6)]
    pictures += [_picture((200, 200), noise=30 + k) for k in range(alike)]
    for k, picture in enumerate(pictures):
        motion.update(picture, k * step)
    assert motion.is_still(210, 230) == still


def test_a_place_is_due_once_it_has_settled_and_until_it_was_looked_at_twice(resting):
    moving = [_picture((100 + 20 * k, 200), noise=k) for k in range(6)]
    still = _run(resting, moving)
    cell = resting.cell
    assert not still.due[230 // cell, 210 // cell]
    rest = [_picture((200, 200), noise=30 + k) for k in range(round(SETTLE / STEP) + 2)]
    still = _run(resting, rest, 6 * STEP)
    assert still.due[230 // cell, 210 // cell]
    regions = resting.regions(still.due, margin=20)
    assert any(x <= 200 and y <= 200 and x + w >= 240 and y + h >= 260 for x, y, w, h in regions)
    for _ in range(LOOKS):
        resting.looked(regions)
    still = resting.update(_picture((200, 200), noise=50), 20 * STEP)
    assert not still.due.any()


def test_a_light_that_changes_evenly_moves_nothing(resting):
    shifted = np.clip(_picture(noise=3).astype(np.int16) + 25, 0, 255).astype(np.uint8)
    assert resting.update(shifted, 0.0).moving_share < 0.05


@pytest.mark.parametrize("to", [0.4, 2.0])
def test_a_light_switched_is_told_however_the_camera_comes_to_terms_with_it(resting, to):
    """Over four fifths of a second; from one picture to the next nothing much changes. Once it is settled all is quiet."""
    steps = 12
    fading = [_picture(light=to ** (k / steps), noise=k) for k in range(steps + 1)]
    told = [resting.update(picture, k * STEP) for k, picture in enumerate(fading)]
    assert any(still.everywhere for still in told)
    assert max(still.moving_share for still in told) < 0.05
    quiet = [resting.update(_picture(light=to, noise=50 + k), (steps + k) * STEP) for k in range(1, 20)]
    assert not quiet[-1].everywhere


def test_what_an_arm_has_passed_over_is_not_due(resting):
    pictures = [_picture((100 + 20 * k, 200), noise=k) for k in range(6)] + [_picture(noise=40 + k) for k in range(8)]
    still = _run(resting, pictures)
    assert resting.is_still(210, 230)
    assert not still.due.any()


@pytest.mark.parametrize("pixels", [5, 12, 40])
def test_a_bumped_camera_moves_everything(resting, pixels):
    """At 540 lines: 10, 24 and 80 pixels of 1080."""
    blobs = cv2.resize(np.random.default_rng(1).integers(0, 255, (27, 48, 3)).astype(np.uint8), SIZE[::-1])
    motion = Motion()
    for k in range(4):
        motion.update(blobs, k * STEP)
    assert motion.update(np.roll(blobs, pixels, axis=1), 4 * STEP).everywhere


def test_hands_over_much_of_the_table_are_no_bump():
    blobs = cv2.resize(np.random.default_rng(1).integers(0, 255, (27, 48, 3)).astype(np.uint8), SIZE[::-1])
    motion = Motion()
    motion.update(blobs, 0.0)
    for k in range(1, 6):
        covered = blobs.copy()
        covered[:, 80 * k : 80 * k + 330] = 90
        still = motion.update(covered, k * STEP)
        assert still.moving_share > 0.12
        assert not still.everywhere


def test_a_light_that_goes_off_changes_everything(resting):
    blobs = cv2.resize(np.random.default_rng(1).integers(0, 255, (27, 48, 3)).astype(np.uint8), SIZE[::-1])
    motion = Motion()
    motion.update(blobs, 0.0)
    assert motion.update((blobs * 0.3).astype(np.uint8), STEP).everywhere


def test_a_yellow_back_turned_to_a_white_face_is_due(resting):
    """They are as bright in green: only blue tells. What uncovers the change is an arm that passes."""

    def turned(blue: int, noise: int) -> np.ndarray:
        picture = _picture(noise=noise)
        picture[200:260, 200:240] = (blue, 200, 200)
        return picture

    _run(resting, [turned(80, noise=k) for k in range(8)], STEP)
    resting.looked([(0, 0, SIZE[1], SIZE[0])])
    resting.looked([(0, 0, SIZE[1], SIZE[0])])
    arm = [_picture((200, 200), noise=50 + k) for k in range(3)]
    still = _run(resting, [*arm, *(turned(200, noise=60 + k) for k in range(8))], 10 * STEP)
    assert still.due[230 // resting.cell, 220 // resting.cell]
