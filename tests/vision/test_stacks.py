"""Walls counted in a picture. Truth: rows laid out by hand, seen aslant from one of their sides."""

import numpy as np
import pytest

from vision.detect import Sighting
from vision.stacks import walls

WIDE, LONG, THICK = 30.0, 34.0, 20.0  # pixels, as a camera over the player sees a wall across the table
SIZE = (1000, 600)


def tile(x: float, y: float, name: str = "back", wide: float = WIDE, long: float = LONG, sure: float = 0.9) -> Sighting:
    corners = np.array([[-wide, -long], [wide, -long], [wide, long], [-wide, long]], np.float32) / 2
    facing = "down" if name == "back" else "standing"
    return Sighting(corners + np.array([x, y], np.float32), {name: 1.0}, 0.0, 0.5, facing, sure)


def row(n: int, x: float = 200, y: float = 200, lean: float = 0.1) -> list[Sighting]:
    return [tile(x + WIDE * k, y + lean * WIDE * k) for k in range(n)]


def edges(which: range, x: float = 200, y: float = 200, lean: float = 0.1) -> list[Sighting]:
    """Sides of the lower tiles, beneath their backs."""
    return [tile(x + WIDE * k, y + lean * WIDE * k + LONG / 2 + 1.5 * THICK, "edge", WIDE, THICK) for k in which]


def counted(seen: list[Sighting]) -> list[tuple[int, int]]:
    return [(w.stacks, w.tiles) for w in walls(seen, SIZE)]


def test_a_row_of_backs_is_a_wall_two_tiles_high() -> None:
    assert counted(row(11)) == [(11, 22)]


@pytest.mark.parametrize("unseen", [[4], [3, 4], [2, 7], [5, 6, 7]])
def test_backs_that_were_not_seen_are_counted_by_the_gap(unseen: list[int]) -> None:
    assert counted([s for k, s in enumerate(row(12)) if k not in unseen]) == [(12, 24)]


def test_a_back_seen_twice_counts_once() -> None:
    seen = row(9)
    assert counted([*seen, tile(200 + WIDE * 4.4, 200 + 0.44 * WIDE)]) == [(9, 18)]


def test_the_lower_tile_left_at_an_end_is_one() -> None:
    assert counted([*row(8), tile(200 - WIDE, 200 - 0.1 * WIDE + THICK)]) == [(9, 17)]


def test_stacks_of_which_only_the_sides_are_seen_count() -> None:
    assert counted([*row(6), *edges(range(9))]) == [(9, 18)]


def test_sides_of_something_else_further_on_do_not() -> None:
    assert counted([*row(6), *edges(range(6)), *edges(range(9, 12))]) == [(6, 12)]


def test_a_stack_cut_by_the_border_counts() -> None:
    left = row(10, x=0.95 * WIDE)  # half a stack is left of the first whole one
    assert counted(left) == [(11, 22)]


def test_walls_that_meet_at_a_corner_are_two() -> None:
    down = [tile(200 + 12 * WIDE, 230 + WIDE * k, wide=LONG, long=WIDE) for k in range(8)]
    assert sorted(counted([*row(11), *down])) == [(8, 16), (11, 22)]


def test_a_faint_back_belongs_to_a_row_but_makes_none() -> None:
    faint = [tile(200 + WIDE * k, 200 + 0.1 * WIDE * k, sure=0.2) for k in (5, 6)]
    assert counted([*row(5), *faint]) == [(7, 14)]
    assert counted(faint) == []


def test_faces_are_no_wall() -> None:
    faces = [Sighting(s.quad, {"5p": 1.0}, 0.0, 1.0, "up", 0.9) for s in row(8)]
    assert counted(faces) == []
