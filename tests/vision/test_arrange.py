"""Tiles of one player told apart: hand, declared sets, bonus tiles, winning tile. Truth: layouts drawn up here by the table
customs of the hand record (a sideways tile marks the claimed one and, by its place, the giver; backs a concealed kong)."""

import math

import numpy as np
import pytest

from vision.arrange import arrange, blocks_of, is_run, too_many_copies, with_winning
from vision.detect import Sighting

W, H = 40.0, 54.0


def tile(name: str, x: float, y: float = 0.0, turn: float = 0.0, scale: float = 1.0) -> Sighting:
    """A tile with its middle at (x, y), its face turned clockwise by ``turn`` degrees."""
    a = math.radians(turn)
    right, down = np.array([math.cos(a), math.sin(a)]), np.array([-math.sin(a), math.cos(a)])
    middle = np.array([x, y])
    corners = [
        middle + scale * (right * sx * W / 2 + down * sy * H / 2) for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    facing = "down" if name == "back" else "up"
    return Sighting(np.array(corners, np.float32), {name: 0.99}, 0.0, 1.0, facing, 0.99)


def row(names: str, x: float = 0.0, y: float = 0.0, sideways: tuple[int, ...] = ()) -> list[Sighting]:
    """Tiles side by side from x, the ``sideways`` ones turned a quarter."""
    out = []
    for index, name in enumerate(names.split()):
        wide = H if index in sideways else W
        out.append(tile(name, x + wide / 2, y, -90.0 if index in sideways else 0.0))
        x += wide + 0.5
    return out


HAND = "1m 2m 3m 4p 5p 6p 7s 7s E E E 4m 4m"


def turned(sightings: list[Sighting], degrees: float) -> list[Sighting]:
    a = math.radians(degrees)
    by = np.array([[math.cos(a), math.sin(a)], [-math.sin(a), math.cos(a)]])
    return [Sighting((s.quad @ by).astype(np.float32), s.probabilities, 0.0, 1.0, s.facing, s.confidence) for s in sightings]


@pytest.mark.parametrize("degrees", [0, 12, 90, 180, 275])
def test_a_row_and_a_tile_apart(degrees: float) -> None:
    found = arrange(turned(row(HAND) + row("4m", 640), degrees))
    assert [s.tile for s in found.concealed] == HAND.split()
    assert found.winning is not None and found.winning.tile == "4m" and not found.melds and not found.doubts


def test_without_a_tile_apart_the_last_is_taken_and_said() -> None:
    found = arrange(row(HAND + " 4m"))
    assert found.winning is not None and found.winning.tile == "4m"
    assert any("no tile lies apart" in doubt for doubt in found.doubts)


@pytest.mark.parametrize(("place", "giver"), [(0, "left"), (1, "across"), (2, "right")])
def test_the_sideways_tile_tells_the_giver(place: int, giver: str) -> None:
    found = arrange(row("1m 2m 3m 4p 5p 6p 7s 7s 4m 4m") + row("E E E", 560, sideways=(place,)) + row("4m", -120))
    (meld,) = found.melds
    assert (meld.kind, meld.giver, meld.claimed) == ("pung", giver, "E")
    assert len(found.concealed) == 10 and found.winning is not None


def test_chow_with_the_claimed_tile_turned() -> None:
    found = arrange(row("1m 2m 3m 4p 5p 6p 7s 7s 4m 4m") + row("4s 3s 5s", 560, sideways=(0,)) + row("4m", -120))
    (meld,) = found.melds
    assert (meld.kind, meld.claimed, meld.giver, meld.faces) == ("chow", "4s", "left", ("3s", "4s", "5s"))


def test_backs_at_both_ends_are_a_concealed_kong() -> None:
    found = arrange(row("1m 2m 3m 4p 5p 6p 7s 7s 4m 4m") + row("back 9s 9s back", 560) + row("4m", -120))
    (meld,) = found.melds
    assert meld.kind == "concealed_kong" and meld.faces == ("9s",) * 4


def test_flowers_lie_apart_from_the_hand() -> None:
    found = arrange(row(HAND) + row("4m", 640) + row("1f 3q", 0, -120))
    assert sorted(s.tile for s in found.bonus) == ["1f", "3q"] and len(found.concealed) == 13


def test_discards_in_the_background_are_left_out_and_said() -> None:
    clutter = [tile("9p", 100, -300, 20), tile("W", 300, -330, 70), tile("2m", 420, -280, 130)]
    found = arrange(row(HAND) + row("4m", 640) + clutter)
    assert len(found.concealed) == 13 and found.winning is not None and found.winning.tile == "4m"
    assert any("left out" in doubt for doubt in found.doubts)


def test_an_undeclared_triplet_apart_may_be_part_of_the_hand() -> None:
    """Thirteen tiles and the winning one must come out: a block of three counts as concealed where sets would not fit."""
    found = arrange(row("1m 1m 9m 9m 1p 1p 9p 9p 1s 1s") + row("E E E", 560) + row("S", -120))
    assert found.count == 14


def test_the_winning_tile_may_be_named() -> None:
    found = with_winning(arrange(row(HAND + " 4m")), "1m")
    assert found.winning is not None and found.winning.tile == "1m" and len(found.concealed) == 13
    with pytest.raises(ValueError, match="9s"):
        with_winning(found, "9s")


def test_blocks_come_in_the_readers_order() -> None:
    blocks = blocks_of(turned(row("1m 2m 3m") + row("E E", 200), 180))
    assert [b.faces for b in blocks] == [("1m", "2m", "3m"), ("E", "E")]


def test_runs_and_copies() -> None:
    assert is_run(("3s", "1s", "2s")) and not is_run(("1s", "2s", "4s")) and not is_run(("9m", "1p", "2p"))
    assert too_many_copies(row("1m 1m 1m 1m 1m 2f 2f")) == {"1m": 5, "2f": 2}
