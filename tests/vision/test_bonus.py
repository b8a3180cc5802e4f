"""Bonus tiles that look alike. Truth: the probabilities as they were read from a simulated table, one kind of each only."""

import pytest

from referee.rules import tiles as t
from referee.table import events as ev
from tests.vision.tables import table_after
from vision.infer import Follower
from vision.story import ASK

FIRST = {"4q": 0.81, "1q": 0.15}
SECOND = {"4q": 0.81, "4f": 0.13}


def _tell(table: Follower, seat: int, read: dict[str, float]) -> str:
    """What the follower tells such a tile as, before seat."""
    table._tell_bonus(seat, read, [])
    return t.NAMES[table.ledger.told[-1].event.tile]


def _lying(table: Follower) -> list[list[str]]:
    return [[t.NAMES[tile] for tile in side.bonus] for side in table.state.seats]


def test_a_tile_told_as_a_kind_that_another_is_more_likely_is_told_anew() -> None:
    """4q twice: 0.15 x 0.81 for 1q and 4q is more than 0.81 x 0.13 for 4q and 4f."""
    table = table_after("taiwan", ev.Deal())
    assert _tell(table, 1, FIRST) == "4q"
    assert _tell(table, 2, SECOND) == "4q"
    assert _lying(table)[1:3] == [["1q"], ["4q"]]
    assert (table.ledger.told[-1].event.confidence or 1) < ASK


@pytest.mark.parametrize("first", [{"4q": 0.98, "1q": 0.01}, {"4q": 1.0}])
def test_a_tile_that_is_sure_stays_what_it_is(first: dict[str, float]) -> None:
    table = table_after("taiwan", ev.Deal())
    assert _tell(table, 1, first) == "4q"
    assert _tell(table, 2, SECOND) == "4f"
    assert _lying(table)[1:3] == [["4q"], ["4f"]]
