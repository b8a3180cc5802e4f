"""Understanding, apart from seeing: games are choreographed and told to tracker and follower as an ideal reader sees them.

Truth: the log of the game itself, written by the players who played it.
"""

from __future__ import annotations

from collections import Counter

import pytest

from referee.rules.ruleset import load
from referee.simulate import play
from referee.table import events as ev
from referee.table.player import play_game
from tests.vision.tabletop import Followed, follow, public
from vision.render.customs import deck_of, layout_of

pytestmark = pytest.mark.slow  # several hands of play each

CHOSEN = [("hongkong", 0, "centre"), ("wuhan", 0, "centre"), ("hangzhou", 0, "rows"), ("taiwan", 0, "rows")]


def _follow(rules_id: str, seed: int, river: str = "centre", hands: int = 1, **how) -> Followed:
    rules = load(rules_id)
    events = [ev.write_event(event) for event in play_game(rules_id, seed, hands).events]
    layout = layout_of(rules, river=river, turned=river == "rows")
    return follow(events, layout, seed, deck=deck_of(rules), **how)


@pytest.mark.parametrize(("rules_id", "seed", "river"), CHOSEN)
def test_the_transcript_is_exact(rules_id, seed, river):
    told = _follow(rules_id, seed, river)
    assert public(told.found) == public(told.truth)
    assert len(told.questions) <= 2


def test_a_hand_over_a_third_of_the_table_costs_no_event():
    """For two seconds of every six an arm hides the side of one player, of each in turn."""

    def hidden(now: float, x: float, y: float) -> bool:
        side = int(now / 6) % 4
        across = (-y, x, y, -x)[side]
        return now % 6 < 2 and across > 60

    told = _follow("hongkong", 0, "rows", hidden=hidden)
    assert public(told.found) == public(told.truth)


def test_hands_in_a_row_are_told_apart():
    told = _follow("hongkong", 1, hands=2)
    assert [e["type"] for e in told.found].count("start") == 2
    assert public(told.found) == public(told.truth)


def test_the_dealer_is_found_by_the_fourteenth_tile():
    told = _follow("hongkong", 1, "rows", named=False)
    assert next(e for e in told.found if e["type"] == "start").get("dealer", 0) == told.truth[0].get("dealer", 0)


@pytest.mark.parametrize(("rules_id", "seed"), [("shanghai_laoshi", 1000), ("nanjing", 1000)])
def test_long_and_short_hands_are_told_from_the_walls(rules_id, seed):
    """Somebody draws twice, or not at all; that is asked about, and nothing is ruled that was not so."""
    rules = load(rules_id)
    events = [ev.write_event(event) for event in play(rules_id, seed, 2, {}, 0.02).events]
    told = follow(events, layout_of(rules), seed, deck=deck_of(rules))
    assert {"long_hand", "short_hand"} <= {kind for _, kind in told.countable}
    assert not Counter(told.countable) - Counter(told.faults + told.doubted)
    assert not Counter(told.faults) - Counter(told.truly)
