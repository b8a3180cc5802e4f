"""Rulings that are asked about. Truth: the rules of Hong Kong (a long hand is dead), and counts given here."""

from __future__ import annotations

import pytest

from referee.rules import tiles as t
from referee.table import events as ev
from tests.vision.tables import lying, table_after
from vision.infer import Follower
from vision.story import Question
from vision.zones import Scene


def _asked(table: Follower) -> list[Question]:
    return [h.question for h in table._happened if h.question]


def _won_after_count(tiles: int) -> Follower:
    """Seat 1's standing tiles are counted, and it wins off the wall."""
    table = table_after("hongkong", ev.Deal(), ev.Discard(seat=0, tile=t.parse_one("1m")))
    for event in (ev.Count(seat=1, tiles=tiles), ev.Draw(seat=1), ev.Win(seat=1)):
        table._commit(event)
    return table


def test_a_win_false_by_a_doubted_ruling_is_asked_about_too() -> None:
    table = _won_after_count(14)
    count, win = (h.event for h in table._happened if isinstance(h.event, (ev.Count, ev.Win)))
    assert count is not None and win is not None
    kinds = [(fault.n, fault.kind) for _, fault in table.ledger.game.faults]
    assert kinds == [(count.n, "long_hand"), (win.n, "false_win")]
    assert [question.about for question in _asked(table)] == [count.n, win.n]
    table._commit(ev.Correct(event=count.n, events=()))  # "no": it was not so
    assert table.ledger.game.faults == []


def test_a_win_of_a_hand_of_the_right_size_is_asked_about_by_nobody() -> None:
    assert _asked(_won_after_count(13)) == []


@pytest.mark.parametrize(("tiles", "told"), [(14, 0), (13, 1)])
def test_after_a_false_win_that_ends_the_hand_nothing_is_a_discard(tiles: int, told: int) -> None:
    """The tiles are pushed together; where nothing was false the same tile is what its player discarded."""
    table = table_after("hongkong", ev.Deal(), ev.Discard(seat=0, tile=t.parse_one("1m")))
    table._commit(ev.Count(seat=1, tiles=tiles))
    table._commit(ev.Draw(seat=1))
    if tiles == 14:
        table._commit(ev.Win(seat=1))
    spot = lying(5, "4s", 1, 0.0, -150.0, "river")
    for now in (5.0, 6.0, 7.0):
        table.observe(Scene((spot,)), now, lambda seat: True)
    assert sum(isinstance(item.event, ev.Discard) and item.event.seat == 1 for item in table.ledger.told) == told
