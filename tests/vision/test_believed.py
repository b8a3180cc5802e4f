"""When a tile that has come to lie is believed. Truth: what is said here of how well it is read and for how long it has lain."""

from __future__ import annotations

import numpy as np
import pytest

from referee.table import events as ev
from tests.vision.tables import WIDTH, lying, table_after
from vision.story import AGAIN
from vision.track import NAMES
from vision.zones import Scene


@pytest.mark.parametrize(("chance", "lain", "believed"), [(0.99, 0.0, True), (0.85, 0.0, False), (0.85, AGAIN, True)])
def test_a_discard_read_with_doubt_is_looked_at_again_before_it_is_told(chance: float, lain: float, believed: bool) -> None:
    table = table_after("hongkong", ev.Deal())
    spot = lying(1, "S", 0, 0.0, -150.0, "river")
    spot.track.scores[NAMES.index("E")] = np.log((1 - chance) / chance)
    table._now = lain
    assert table._believable(spot) is believed
    table._now = AGAIN / 2
    assert table._read_with_doubt(Scene((spot,))) == (set() if chance == 0.99 else {1})


@pytest.mark.parametrize(("wide", "believed"), [(0.6, False), (0.85, True), (1.0, True), (1.4, False)])
def test_a_discard_is_as_wide_as_the_tiles_of_its_set(wide: float, believed: bool) -> None:
    """Print on a cloth is read as bamboo, and surely; tiles that lie flat are seen alike wide, within a fifth."""
    table = table_after("hongkong", ev.Deal())
    spot = lying(1, "4s", 0, 0.0, -150.0, "river")
    spot.track.width = wide * WIDTH
    assert table._believable(spot) is believed
