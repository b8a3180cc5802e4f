"""Blank tiles among others. Truth: rows laid out by hand."""

import math

import numpy as np
import pytest

from vision.classes import CLASSES, INDEX
from vision.context import blanks_among_faces
from vision.geometry import TurnedBox


def row(*readings: dict[str, float]) -> tuple[list[TurnedBox], np.ndarray]:
    boxes = [TurnedBox(40 * i, 100, math.pi / 2, 50, 38) for i in range(len(readings))]
    kinds = np.zeros((len(readings), len(CLASSES)))
    for i, reading in enumerate(readings):
        for name, p in reading.items():
            kinds[i, INDEX[name]] = p
    return boxes, kinds


BLANK = {"P": 0.3, "back": 0.7}


def test_a_blank_tile_among_faces_is_a_white_dragon() -> None:
    weighed = blanks_among_faces(*row({"1m": 1}, BLANK, {"2m": 1}, {"3m": 1}))
    assert CLASSES[weighed[1].argmax()] == "P"
    assert weighed.sum(1) == pytest.approx(1)


def test_in_a_wall_it_stays_a_back() -> None:
    boxes, kinds = row({"back": 1}, BLANK, {"back": 1}, {"back": 1})
    assert (blanks_among_faces(boxes, kinds) == kinds).all()


def test_a_coloured_back_among_faces_stays_a_back() -> None:
    """The outer tiles of a concealed kong lie face down."""
    boxes, kinds = row({"back": 1}, {"5p": 1}, {"5p": 1}, {"P": 0.001, "back": 0.999})
    assert (blanks_among_faces(boxes, kinds) == kinds).all()


def test_two_tiles_say_nothing_about_each_other() -> None:
    boxes, kinds = row({"1m": 1}, BLANK)
    assert (blanks_among_faces(boxes, kinds) == kinds).all()
