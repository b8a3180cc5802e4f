"""Photographs of hands. Truth: the hand handed in (notation and melds of the hand record)."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.rules.tiles import NAMES, parse
from vision.classes import FACES
from vision.detect import Detector
from vision.images import load_image
from vision.render.photo import Arrangement, photograph, random_hand, render_photos, write_set_photo
from vision.render.scenes import random_size
from vision.render.styles import random_style

HAND = {
    "hand": "234m55p",
    "melds": [
        {"kind": "chow", "tiles": "345s", "claimed": "5s", "from": 3},
        {"kind": "kong", "tiles": "EEEE", "claimed": "E", "from": 1},
        {"kind": "concealed_kong", "tiles": "9999m"},
    ],
    "bonus": "1f3q",
    "win": "5p",
}
SIZE = (400, 300)


def _tiles(text: str) -> list[str]:
    return [NAMES[t] for t in parse(text)]


@pytest.mark.parametrize("row", ["standing", "lying"])
def test_the_truth_holds_every_tile_of_the_hand(row):
    photo = photograph(np.random.default_rng(5), HAND, size=SIZE, arrangement=Arrangement(row=row))
    zones = {z: [t for t in photo.tiles if t.zone == z] for z in ("hand", "win", "meld", "bonus")}
    assert Counter(t.tile for t in zones["hand"]) == Counter(_tiles(HAND["hand"]))
    assert [t.tile for t in zones["win"]] == ["5p"]
    assert sorted(t.tile for t in zones["bonus"]) == ["1f", "3q"]
    shown = Counter(t.tile for t in zones["meld"])
    assert shown == Counter(_tiles("345sEEEE99m") + ["back", "back"])
    for tile in photo.tiles:
        quad = np.array(tile.quad)
        assert (quad > 0).all()
        assert (quad < np.array(SIZE)).all()


def test_only_claimed_tiles_lie_across():
    photo = photograph(np.random.default_rng(6), HAND, size=SIZE, arrangement=Arrangement(loose=0.01))
    row = np.array([t.quad for t in photo.tiles if t.zone == "hand"])
    along = (row[:, 1] - row[:, 0]).mean(0)
    across = []
    for t in photo.tiles:
        top = np.subtract(t.quad[1], t.quad[0])
        cosine = abs(top @ along) / np.hypot(*top) / np.hypot(*along)
        if cosine < 0.6:
            across.append(t.tile)
    assert sorted(across) == ["5s", "E"]


def test_givers_are_left_out_where_the_custom_does_not_show_them():
    photo = photograph(np.random.default_rng(7), HAND, size=SIZE, arrangement=Arrangement(turned=False))
    assert all("from" not in m and "claimed" not in m for m in photo.hand["melds"])
    assert photo.hand["win"] == "5p"


def test_clutter_is_not_of_the_hand():
    photo = photograph(np.random.default_rng(9), HAND, size=SIZE, clutter=True)
    zones = Counter(t.zone for t in photo.tiles)
    assert zones["other"] > 0
    assert (zones["hand"], zones["win"], zones["bonus"]) == (5, 1, 2)


@pytest.mark.parametrize("size", [13, 16])
def test_invented_hands_have_the_right_number_of_tiles(size):
    rng = np.random.default_rng(8)
    for _ in range(200):
        hand = random_hand(rng, size)
        count = len(_tiles(hand["hand"])) + 1 + 3 * len(hand["melds"])
        assert count == size + 1
        every = _tiles(hand["hand"]) + [hand["win"]] + [t for m in hand["melds"] for t in _tiles(m["tiles"])]
        assert max(Counter(every).values()) <= 4


def test_photos_are_written_with_their_truth_and_the_same_again(tmp_path):
    paths = render_photos(tmp_path / "a", 3, 2, [HAND], size=SIZE)
    again = render_photos(tmp_path / "b", 3, 2, [HAND], size=SIZE)
    assert [p.name for p in paths] == ["photo-0000.jpg", "photo-0001.jpg"]
    rows = [json.loads(line) for line in (tmp_path / "a" / "annotations.jsonl").read_text().splitlines()]
    for path, other, row in zip(paths, again, rows, strict=True):
        assert path.read_bytes() == other.read_bytes()
        assert cv2.imread(str(path)).shape == (300, 400, 3)
        assert row["image"] == path.name
        assert row["hand"]["hand"] == "234m55p"
        assert len(row["tiles"]) == 5 + 1 + 3 + 4 + 4 + 2


def test_a_set_is_photographed_for_enrolment(tmp_path: Path) -> None:
    """Every face once, in reading order, as the faces are then dictated; read by the shipped reader."""
    size, style = random_size(np.random.default_rng(3)), random_style(np.random.default_rng(3))
    write_set_photo(tmp_path / "set.jpg", 3, list(FACES), size, style)
    seen = [s for s in Detector().read(load_image(tmp_path / "set.jpg")) if s.facing == "up" and s.confidence >= 0.5]
    assert len(seen) == len(FACES)
    assert sum(s.tile == face for s, face in zip(seen, FACES, strict=True)) >= len(FACES) - 3
    with pytest.raises(OSError, match="set"):
        write_set_photo(tmp_path / "nowhere" / "set.jpg", 3, ["1m"], size, style)


def test_a_blank_dragon_laid_out_among_faces_is_learned_with_them(tmp_path: Path) -> None:
    """As it is read with them; by itself it would be a back, and there would be a tile less than are dictated."""
    size, style = random_size(np.random.default_rng(6)), replace(random_style(np.random.default_rng(6)), white="blank")
    write_set_photo(tmp_path / "set.jpg", 6, list(FACES), size, style)
    kinds, _ = Detector().features(load_image(tmp_path / "set.jpg"))
    assert len(kinds) == len(FACES)
    assert FACES[int(kinds[FACES.index("P")].argmax())] == "P"
