"""Crops from halves of a picture. Truth: the same crop averaged from the picture itself, and a pattern whose place is known."""

import math

import cv2
import numpy as np
import pytest

from vision.geometry import CROP_H, CROP_W, MARGIN, TurnedBox, crop
from vision.halves import Halves


def picture(width: int, height: int) -> np.ndarray:
    """Smooth blotches, from a fixed seed."""
    noise = np.random.default_rng(4).integers(0, 255, (height // 60, width // 60, 3)).astype(np.uint8)
    return cv2.resize(noise, (width, height), interpolation=cv2.INTER_CUBIC)


@pytest.mark.parametrize("short", [30, 70, 130, 333])
@pytest.mark.parametrize("quarter", [0, 2])
def test_a_crop_shows_what_a_crop_of_the_picture_shows(short: float, quarter: int) -> None:
    whole = picture(1201, 903)
    box = TurnedBox(610.3, 440.8, 0.4, 1.35 * short, short)
    difference = cv2.absdiff(Halves(whole).crop(box, quarter), crop(whole, box, quarter))
    assert difference.mean() < 4


def test_a_crop_lies_where_the_box_does() -> None:
    whole = np.zeros((1001, 1003, 3), np.uint8)
    cv2.circle(whole, (700, 300), 60, (255, 255, 255), -1)
    box = TurnedBox(700, 300, math.pi / 2, 400, 300)
    bright = np.argwhere(Halves(whole).crop(box)[..., 0] > 128)
    assert bright.mean(0) == pytest.approx([(CROP_H - 1) / 2, (CROP_W - 1) / 2], abs=0.6)
    assert np.ptp(bright[:, 1]) + 1 == pytest.approx(120 / (300 * MARGIN) * CROP_W, abs=1)


def test_fine_lines_do_not_break() -> None:
    """Lines a pixel wide in a large tile come out as an even grey, not as some black and some white ones."""
    whole = np.full((1200, 1200, 3), 255, np.uint8)
    whole[:, ::4] = 0
    shown = Halves(whole).crop(TurnedBox(600, 600, math.pi / 2, 800, 600))
    assert shown.std() < 12 and shown.mean() == pytest.approx(255 * 3 / 4, abs=6)


@pytest.mark.parametrize("size", [(300, 200), (2400, 1600), (75, 50)])
def test_the_whole_is_the_same_at_any_size(size: tuple[int, int]) -> None:
    whole = picture(1200, 800)
    there = Halves(whole).resized(size)
    assert there.shape == (size[1], size[0], 3)
    assert cv2.absdiff(cv2.resize(there, (60, 40), interpolation=cv2.INTER_AREA),
                       cv2.resize(whole, (60, 40), interpolation=cv2.INTER_AREA)).mean() < 3  # fmt: skip


def test_a_picture_of_one_pixel_has_a_crop() -> None:
    assert Halves(np.zeros((1, 1, 3), np.uint8)).crop(TurnedBox(0, 0, 0, 900, 700)).shape == (CROP_H, CROP_W, 3)
