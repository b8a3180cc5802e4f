"""Readings of boxes and what a second reader makes of them. Truth: arithmetic, and a real photograph."""

from pathlib import Path

import numpy as np
import pytest

from vision.classes import CLASSES, INDEX
from vision.detect import SECOND, Detector
from vision.images import load_image
from vision.memory import Memory
from vision.reader import Readings

HAND = Path(__file__).parents[1] / "photos" / "hand_dark_1.jpg"


def _readings(rows, weights, embedding=3):
    """Of boxes whose mean probabilities are given as {class: probability}."""
    kinds = np.zeros((len(rows), len(CLASSES)))
    for kind, row in zip(kinds, rows, strict=True):
        for tile, probability in row.items():
            kind[INDEX[tile]] = probability
    count = np.array(weights, float)
    turns = np.tile([1.0, 0, 0, 0], (len(rows), 1))
    embeddings = np.tile(np.arange(embedding, dtype=float), (len(rows), 1))
    return Readings((kinds.T * count).T, (turns.T * count).T, 0 * count, (embeddings.T * count).T, count)


def test_another_reader_s_mean_counts_for_its_share_however_often_it_read():
    first = _readings([{"2s": 0.6, "none": 0.4}], [1.7])
    second = _readings([{"2s": 0.1, "none": 0.9}], [8.0], embedding=5)
    kinds, turns, _, embeddings = first.joined(second, 0.75).means()
    assert kinds[0, INDEX["2s"]] == pytest.approx(0.25 * 0.6 + 0.75 * 0.1)
    assert kinds[0, INDEX["none"]] == pytest.approx(0.25 * 0.4 + 0.75 * 0.9)
    assert turns[0].tolist() == pytest.approx([1, 0, 0, 0])
    assert embeddings[0].tolist() == pytest.approx([0, 1, 2])  # the first reader's own


def test_boxes_that_the_other_did_not_read_stay_as_they_were():
    first = _readings([{"E": 0.8}, {"W": 0.7}], [2.0, 3.0])
    joined = first.joined(_readings([{"E": 0.0}, {"W": 0.1}], [0.0, 4.0]), 0.75)
    assert joined.weights.tolist() == [2.0, 12.0]
    assert joined.kinds[0].tolist() == first.kinds[0].tolist()


def test_rows_remembered_take_the_place_of_rows_not_read():
    fresh = _readings([{"E": 0.8}, {}], [2.0, 0.0])
    row = _readings([{"W": 0.7}], [3.0])
    filled = fresh.filled([None, row])
    assert filled.best().tolist() == pytest.approx([0.8, 0.7])
    assert fresh.best().tolist() == pytest.approx([0.8, 0.0])


class _Contrary:
    """A second reader that takes everything for a red dragon, and counts what it is asked."""

    temperature = 1.0

    def __init__(self):
        self.asked = 0

    def at_all_sizes(self, image, boxes, which):
        self.asked += len(which)
        return _readings([{"C": 1.0}] * len(boxes), [4.0 * (i in which) for i in range(len(boxes))])


def test_only_what_is_in_doubt_is_asked_about():
    detector = Detector()
    detector.second = None
    alone = detector.read(load_image(HAND))
    detector.second = _Contrary()
    both = detector.read(load_image(HAND))
    sure = {(s.tile, *s.centre.round()) for s in alone if s.confidence >= 0.95}
    assert len(sure) > 5
    assert sure <= {(s.tile, *s.centre.round()) for s in both}
    taken = [s for s in both if s.tile == "C"]
    assert 0 < len(taken) <= detector.second.asked
    assert all(s.probabilities["C"] >= SECOND for s in taken)


def test_a_fixed_camera_asks_once_about_what_stays_in_doubt():
    detector, memory, picture = Detector(), Memory(), load_image(HAND)
    second = detector.second = _Contrary()
    asked = []
    for _ in range(4):
        detector.read(picture, tile_width=41.0, memory=memory)
        asked.append(second.asked)
    assert asked[0] == 0  # the first look is for what is certain at once
    assert 0 < asked[1] == asked[2] == asked[3]
