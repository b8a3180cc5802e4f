"""Blank tiles among others, tiles that show two sides. Truth: rows laid out by hand."""

import math

import numpy as np
import pytest

from vision.classes import CLASSES, INDEX
from vision.context import blanks_among_faces, second_sides
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


def test_a_faint_white_dragon_needs_a_face_on_either_side() -> None:
    """Tiles of a row lie face down only at its ends, as concealed kongs are shown."""
    faint = {"P": 0.03, "back": 0.97}
    between = blanks_among_faces(*row({"1m": 1}, faint, {"2m": 1}, {"3m": 1}))
    assert CLASSES[between[1].argmax()] == "P"
    at_the_end = blanks_among_faces(*row({"1m": 1}, {"2m": 1}, {"3m": 1}, faint))
    assert CLASSES[at_the_end[3].argmax()] == "back"


@pytest.mark.parametrize(("felt", "tile"), [((235, 240, 240), "P"), ((120, 125, 125), "P"), ((150, 130, 40), "back")])
def test_bare_table_between_faces_is_no_white_dragon(felt: tuple[int, int, int], tile: str) -> None:
    """The box between two faces in their own white, in shadow, and in the blue of the table."""
    image = np.full((200, 200, 3), 240, np.uint8)
    image[:, 22:58] = felt
    weighed = blanks_among_faces(*row({"1m": 1}, BLANK, {"2m": 1}, {"3m": 1}), image)
    assert CLASSES[weighed[1].argmax()] == tile
    assert weighed.sum(1) == pytest.approx(1)


@pytest.mark.parametrize(("colour", "tile"), [(240, "P"), (175, "back")])
def test_a_blank_tile_as_white_as_the_faces_is_likelier_a_dragon(colour: int, tile: str) -> None:
    """At the end of a row, read as a back rather than a dragon: a white set's dragon, or a back of another grey."""
    image = np.full((200, 200, 3), 240, np.uint8)
    image[:, 102:138] = colour
    weighed = blanks_among_faces(*row({"1m": 1}, {"2m": 1}, {"3m": 1}, {"P": 0.1, "back": 0.9}), image)
    assert CLASSES[weighed[3].argmax()] == tile


def test_in_a_wall_it_stays_a_back() -> None:
    boxes, kinds = row({"back": 1}, BLANK, {"back": 1}, {"back": 1})
    assert (blanks_among_faces(boxes, kinds) == kinds).all()


def test_a_coloured_back_among_faces_stays_a_back() -> None:
    """The outer tiles of a concealed kong lie face down."""
    boxes, kinds = row({"back": 1}, {"5p": 1}, {"5p": 1}, {"P": 0.001, "back": 0.999})
    assert (blanks_among_faces(boxes, kinds) == kinds).all()


@pytest.mark.parametrize(("white", "tile"), [(0.0, "P"), (0.02, "back")])
def test_coloured_backs_beside_it_make_no_wall(white: float, tile: str) -> None:
    """A set has one colour of backs: beside coloured ones a blank tile is no white back."""
    seen = {"P": white, "back": 1 - white}
    boxes, kinds = row({"1m": 1}, {"2m": 1}, BLANK, seen, seen, seen)
    weighed = blanks_among_faces(boxes, kinds)
    assert CLASSES[weighed[2].argmax()] == tile


def test_two_tiles_say_nothing_about_each_other() -> None:
    boxes, kinds = row({"1m": 1}, BLANK)
    assert (blanks_among_faces(boxes, kinds) == kinds).all()


UPRIGHT = TurnedBox(100, 100, math.pi / 2, 50, 38)


@pytest.mark.parametrize(
    ("edge", "second"),
    [
        (TurnedBox(100, 61, 0, 38, 28), True),  # the top of the standing tile whose back is seen
        (TurnedBox(133, 100, math.pi / 2, 50, 28), True),  # the long side of a tile seen from its right
        (TurnedBox(100, 167, 0, 38, 28), False),  # the lower tile of a stack: a whole thickness further
        (TurnedBox(138, 61, 0, 38, 28), False),  # the neighbour's
        (TurnedBox(100, 61, math.pi / 2, 38, 28), False),  # across
        (TurnedBox(100, 61, 0, 80, 28), False),  # too long to be this tile's
    ],
)
@pytest.mark.parametrize("kind", ["back", "5p"])
def test_a_tile_seen_aslant_is_told_once(edge: TurnedBox, second: bool, kind: str) -> None:
    kinds = np.zeros((2, len(CLASSES)))
    kinds[0, INDEX[kind]] = kinds[1, INDEX["edge"]] = 1
    assert second_sides([UPRIGHT, edge], kinds).tolist() == [False, second]


def test_edges_alone_are_all_kept() -> None:
    boxes, kinds = row({"edge": 1}, {"edge": 1})
    assert not second_sides(boxes, kinds).any()


@pytest.mark.parametrize(("layer", "wide", "second"), [(0, 36, True), (12, 36, True), (12, 20, False), (40, 36, False)])
def test_the_white_beneath_a_back_belongs_to_it(layer: float, wide: float, second: bool) -> None:
    """A stack seen from aslant: white of 26 pixels beneath the upper tile's back, `layer` pixels of its back's own side between
    them, or the tile below, a whole thickness further; a sliver is nobody's side."""
    kinds = row({"back": 1}, {"edge": 1})[1]
    back = TurnedBox(100, 100, math.pi / 2, 52, 38)
    white = TurnedBox(105, 100 + 26 + layer + 13, 0.1, wide, min(26, wide - 1))
    assert second_sides([back, white], kinds).tolist() == [False, second]
