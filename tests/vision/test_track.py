"""What is taken for a tile. Truth: sides of what the reader told of in films of whole hands, in tile widths, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.tabletop import flat_calibration
from vision.detect import Sighting
from vision.render.layout import Layout
from vision.track import Changes, Tracker


def _seen(tracker: Tracker, wide: float, high: float) -> bool:
    """Whether something told for a five of dots is believed after three looks."""
    width = tracker.calibration.tile_width
    half = np.array([wide, high]) * width / 2
    corners = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * half
    quad = tracker.calibration.to_pixels(corners).astype(np.float32)
    for look in range(3):
        tracker.look([Sighting(quad, {"5p": 0.99}, 0.0, 1.0, "up", 0.99)], 0.2 * look, lambda x, y: True)
    return bool(tracker.settled())


@pytest.mark.parametrize(
    ("wide", "high", "tile"),
    [
        (1.0, 1.36, True),
        (0.55, 1.34, True),  # half behind the wall or another tile
        (1.06, 0.92, True),  # its end behind the tile before it
        (0.65, 0.69, False),  # a die
        (0.68, 0.93, False),  # two pips of a four
        (0.75, 0.81, False),  # two sticks of more
    ],
)
def test_half_a_face_is_a_tile_and_a_die_is_none(wide, high, tile):
    assert _seen(Tracker(flat_calibration(Layout())), wide, high) == tile


def _look(tracker: Tracker, t: float, face: str, left: float, wide: float, high: float) -> Changes:
    """A look that shows one face alone, ``left`` widths from the middle of the table."""
    corners = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * (wide / 2, high / 2) + (left, 0.0)
    quad = tracker.calibration.to_pixels(corners * tracker.calibration.tile_width).astype(np.float32)
    return tracker.look([Sighting(quad, {face: 0.99}, 0.0, 1.0, "up", 0.99)], t, lambda x, y: True)


def test_part_of_a_known_tile_told_for_another_is_none():
    """Two sticks of a four and six dots of an eight were told for new discards, surely and once, where nothing had moved."""
    tracker = Tracker(flat_calibration(Layout()))
    _look(tracker, 0.0, "4s", 0.0, 1.0, 1.36)
    assert not _look(tracker, 0.2, "2s", -0.28, 0.56, 1.25).born
    _look(tracker, 0.4, "4s", 0.0, 1.0, 1.36)
    assert [track.tile for track in tracker.settled()] == ["4s"]
    # A whole tile of the heap that came to light is another.
    assert [track.tile for track in _look(tracker, 0.6, "2s", 0.3, 1.0, 1.36).born] == ["2s"]


def test_a_tile_known_by_a_part_is_what_the_whole_is_read_as():
    """A six whose first look showed four of its sticks was told again as a new discard when the whole of it was read."""
    tracker = Tracker(flat_calibration(Layout()))
    _look(tracker, 0.0, "4s", 0.0, 0.82, 1.28)
    changes = _look(tracker, 0.2, "6s", 0.27, 0.91, 1.33)
    assert not changes.born
    assert [track.tile for track in changes.renamed] == ["6s"]


@pytest.mark.parametrize(("places", "outward"), [((5.0, 5.0), 5.0), ((0.0, 5.0), 0.0), ((5.0, 0.0), 0.0)])
def test_a_tile_has_come_further_out_where_two_looks_on_end_say_so(places: tuple[float, float], outward: float) -> None:
    """A pung's tile, looked at twice when it came to lie, then with another on top of it: mm."""
    tracker = Tracker(flat_calibration(Layout()))
    width = tracker.calibration.tile_width
    for k, place in enumerate((0.0, 0.0, *places)):
        _look(tracker, 0.2 * k, "5p", (300.0 + place) / width, 1.0, 1.36)
    (track,) = tracker.settled()
    assert track.outward == pytest.approx(outward, abs=0.1)
