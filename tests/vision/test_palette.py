"""Blank dragons told from backs by colour. Truth: rectangles painted in two colours, rows laid out by hand."""

import math

import numpy as np
import pytest

from vision.classes import CLASSES, INDEX
from vision.geometry import TurnedBox
from vision.palette import dragons_by_colour, palette, samples

CREAM, GREEN = (215, 230, 235), (60, 140, 40)
Tile = tuple[float, float, str, tuple[int, int, int]]


def told(*tiles: Tile) -> list[str]:
    """What tiles (x, y, as read, colour) on a dark cloth are after their colours were looked at."""
    image = np.full((600, 900, 3), 40, np.uint8)
    boxes, kinds = [], np.zeros((len(tiles), len(CLASSES)))
    for i, (x, y, name, colour) in enumerate(tiles):
        boxes.append(TurnedBox(x, y, math.pi / 2, 50, 38))
        image[int(y) - 25 : int(y) + 25, int(x) - 19 : int(x) + 19] = colour
        kinds[i, INDEX[name]] = 0.98
        kinds[i, INDEX["P"]] += 0.02
    colours = samples(image, boxes)
    known = palette(colours, kinds)
    if known is not None:
        kinds = dragons_by_colour(boxes, kinds, colours, np.ones(len(boxes), bool), known)
    return [CLASSES[k] for k in kinds.argmax(1)]


WALL: list[Tile] = [(100 + 38 * i, 100, "back", GREEN) for i in range(10)]
RIVER: list[Tile] = [(100 + 40 * i, 400, f"{i + 1}p", CREAM) for i in range(5)]


def test_a_back_of_the_faces_colour_among_faces_is_a_dragon() -> None:
    assert told(*WALL, *RIVER, (300, 400, "back", CREAM))[-1] == "P"


def test_three_dragons_beside_each_other_are_dragons() -> None:
    pung: list[Tile] = [(300 + 38 * i, 400, "back", CREAM) for i in range(3)]
    beyond: list[Tile] = [(420 + 40 * i, 400, f"{i + 1}s", CREAM) for i in range(2)]
    assert told(*WALL, *RIVER, *beyond, *pung)[-3:] == ["P"] * 3


def test_a_back_among_faces_stays_one() -> None:
    assert told(*WALL, *RIVER, (300, 400, "back", GREEN))[-1] == "back"


def test_light_on_a_back_of_the_wall_makes_no_dragon() -> None:
    shining: Tile = (480, 100, "back", CREAM)
    near: list[Tile] = [(400 + 40 * i, 170, f"{i + 1}s", CREAM) for i in range(4)]
    assert told(*WALL, *near, shining)[-1] == "back"


def test_a_row_of_pale_sides_makes_no_dragons() -> None:
    sides: list[Tile] = [(300 + 38 * i, 400, "back", CREAM) for i in range(8)]
    assert set(told(*WALL, *RIVER, *sides)[-8:-1]) == {"back"}


@pytest.mark.parametrize(("backs", "faces"), [(4, 5), (10, 2)])
def test_little_of_a_set_tells_nothing(backs: int, faces: int) -> None:
    assert told(*WALL[:backs], *RIVER[:faces], (300, 400, "back", CREAM))[-1] == "back"


def test_a_white_set_tells_nothing() -> None:
    white: list[Tile] = [(x, y, name, CREAM) for x, y, name, _ in WALL]
    assert told(*white, *RIVER, (300, 400, "back", CREAM))[-1] == "back"


def test_table_between_faces_is_no_dragon_though_it_is_pale() -> None:
    """Dark backs, cream faces, sky blue cloth: nearer to the faces, but of another colour, not in another light."""
    dark: list[Tile] = [(x, y, name, (30, 30, 30)) for x, y, name, _ in WALL]
    assert told(*dark, *RIVER, (300, 400, "back", (210, 190, 130)))[-1] == "back"
    assert told(*dark, *RIVER, (300, 400, "back", (175, 188, 195)))[-1] == "P"


def test_nothing_seen_has_no_colours() -> None:
    assert samples(np.zeros((9, 9, 3), np.uint8), []).shape == (0, 64, 3)
