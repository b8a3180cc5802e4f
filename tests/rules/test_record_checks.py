"""Records that no table can have produced, whatever the rule set (docs/formats/hand-record.md, "Malformed or merely illegal").

``discards`` are a player's own, those claimed by others included: a claimed tile lies in its giver's list and in the set, once.
"""

from __future__ import annotations

import pytest

from referee.rules.record import RecordError
from tests.rules.hands import declare

HAND = "234m567m345p6s"  # and a pung of east claimed from seat 2: three copies of east, waiting for 6s


@pytest.mark.parametrize(
    "discards",
    [
        {},
        {2: "E"},  # the claimed one
        {2: "EE"},  # the claimed one and the fourth
        {1: "E", 2: "E"},
        {1: "E", 2: "9m"},  # the giver's list is not complete: the fourth lies before seat 1
    ],
)
def test_a_claimed_tile_in_its_giver_s_discards_counts_once(discards: dict[int, str]) -> None:
    others = {seat: {"hand": None, "discards": tiles} for seat, tiles in discards.items()}
    assert declare("shaanxi", HAND, "6s", declared="EEE<2", others=others).legal


@pytest.mark.parametrize("discards", [{1: "EE"}, {1: "EE", 2: "E"}, {1: "E", 2: "EE"}, {1: "E", 3: "E"}])
def test_discards_that_nobody_claimed_are_copies_of_their_own(discards: dict[int, str]) -> None:
    """Five copies of east: the pung's three and two that were not claimed for it."""
    others = {seat: {"hand": None, "discards": tiles} for seat, tiles in discards.items()}
    with pytest.raises(RecordError, match="5 copies of E"):
        declare("shaanxi", HAND, "6s", declared="EEE<2", others=others)


def test_a_tile_won_on_lies_in_its_giver_s_discards_too() -> None:
    """Two 6s in hand and the third won on, the one among the giver's discards: those of two others are a fourth and a fifth."""
    given = {"hand": None, "discards": "6s"}
    assert declare("shaanxi", "234m567m345p4566s", "6s", "discard", giver=1, others={1: given, 2: given}).legal
    with pytest.raises(RecordError, match="5 copies of 6s"):
        declare("shaanxi", "234m567m345p4566s", "6s", "discard", giver=1, others={1: given, 2: given, 3: given})


def test_a_bonus_tile_laid_out_was_not_discarded_too() -> None:
    """Honours are bonus tiles in Fuzhou: four laid out and one discarded are five. Kong tiles discarded in Wuhan stand in
    ``bonus`` as well, once (Wuhan, Wild and bonus tiles, Record)."""
    with pytest.raises(RecordError, match="5 copies of E"):
        laid = {1: {"hand": None, "bonus": "EEEE", "discards": "E"}}
        declare("fuzhou", "123m456m789m234s67s99s", "8s", indicator="5p", others=laid)
    thrown = {1: {"hand": None, "bonus": "CCCC", "discards": "CCCC"}}
    assert declare("wuhan", "345678p46s88m", "5s", declared="999m<1", indicator="1s", others=thrown).code != "no_shape"
