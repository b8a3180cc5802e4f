"""The hand-made labels of backs, edges and walls are whole and well formed.

Truth: the format in models/training/labels/README.md. That the labels sit where the tiles are was checked by eye,
picture by picture.
"""

import copy
from typing import Any

import pytest

from models.training.labels.check import GROUPS, counts, load_labels, overlap, problems, short_side

SQUARE = [[0, 0], [40, 0], [40, 30], [0, 30]]


@pytest.fixture(scope="module")
def labels() -> dict[str, dict[str, Any]]:
    return load_labels()


def test_no_faults(labels: dict[str, dict[str, Any]]) -> None:
    assert list(problems(labels)) == []


def test_every_group_has_pictures_and_some_show_nothing(labels: dict[str, dict[str, Any]]) -> None:
    table = counts(labels)
    assert set(table) == set(GROUPS)
    assert sum(row["pictures"] for row in table.values()) == len(labels)
    assert all(row["without"] for row in table.values()), "each group needs pictures that show no back or edge"


def test_measures_of_a_known_quad() -> None:
    assert short_side(SQUARE) == pytest.approx(30)
    assert overlap(SQUARE, SQUARE) == pytest.approx(1)
    assert overlap(SQUARE, [[20, 0], [60, 0], [60, 30], [20, 30]]) == pytest.approx(1 / 3)


def good() -> dict[str, dict[str, Any]]:
    thing = {"label": "back", "quad": copy.deepcopy(SQUARE), "certain": True, "min_side": 30.0}
    wall = {"box": [0, 0, 60, 60], "tiles_visible": 3, "stacks": 2, "cut": False, "certain": True}
    ignore = [[[0, 0], [9, 0], [9, 9]]]
    picture = {"group": "tray", "size": [64, 64], "objects": [thing], "walls": [wall], "ignore": ignore}
    return {"leo/images/x.jpg": picture}


def test_a_good_picture_has_no_faults() -> None:
    assert list(problems(good())) == []


@pytest.mark.parametrize(
    ("part", "key", "value", "said"),
    [
        ("objects", "label", "side", "unknown label"),
        ("objects", "quad", [[0, 0], [40, 0], [40, 30]], "four corners"),
        ("objects", "quad", [[0, 0], [70, 0], [40, 30], [0, 30]], "inside the picture"),
        ("objects", "quad", [[0, 0], [40, 30], [40, 0], [0, 30]], "not convex"),
        ("objects", "min_side", 40.0, "min_side"),
        ("walls", "tiles_visible", 6, "do not fit"),
        ("walls", "box", [0, 0, 65, 60], "outside the picture"),
    ],
)
def test_faults_are_found(part: str, key: str, value: Any, said: str) -> None:
    pictures = good()
    pictures["leo/images/x.jpg"][part][0][key] = value
    assert any(said in fault for fault in problems(pictures))


def test_a_tile_labelled_twice_is_found() -> None:
    pictures = good()
    things = pictures["leo/images/x.jpg"]["objects"]
    things.append(copy.deepcopy(things[0]))
    assert any("over each other" in fault for fault in problems(pictures))
