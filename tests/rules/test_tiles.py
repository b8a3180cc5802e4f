"""Tiles: every notation of the hand record's table (docs/formats/hand-record.md, "Tiles")."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.rules import tiles as t


@given(st.lists(st.integers(0, t.KINDS - 1)))
def test_written_tiles_are_read_back(tiles: list[int]) -> None:
    assert t.parse(t.write(tiles)) == tuple(tiles)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("一萬九萬", "19m"), ("一筒三餅", "13p"), ("二索五条", "25s"), ("東南西北", "ESWN"), ("中發白", "CFP"),
        ("1234z", "ESWN"), ("765z", "CFP"), ("梅蘭菊竹", "1234f"), ("春夏秋冬", "1234q"),
        ("\U0001f007\U0001f00f", "19m"), ("\U0001f019\U0001f021", "19p"), ("\U0001f010\U0001f018", "19s"),
        ("\U0001f000\U0001f001\U0001f002\U0001f003", "ESWN"), ("\U0001f004\U0001f005\U0001f006", "CFP"),
        ("\U0001f022\U0001f023\U0001f025\U0001f024", "1234f"), ("\U0001f026\U0001f029", "14q"),
        (" 123 m 44p\nEE ", "123m44pEE"), ("", ""),
    ],
)  # fmt: skip
def test_notations(text: str, same: str) -> None:
    assert t.parse(text) == t.parse(same)


@pytest.mark.parametrize("text", ["0m", "5f", "8z", "12", "5x", "X", "m", "1mq2"])
def test_what_is_no_tile_is_refused_by_name(text: str) -> None:
    with pytest.raises(t.TileError, match="in '|no suit"):
        t.parse(text)


def test_following_goes_round() -> None:
    assert t.following(t.parse_one("9p"), t.HONOURS) == t.parse_one("1p")
    assert t.following(t.NORTH, t.WINDS) == t.EAST
