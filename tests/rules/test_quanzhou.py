"""Quanzhou, chapter by chapter of its sheet (docs/sheets/quanzhou.md); what it takes from Xiamen is in test_xiamen.
Amounts by hand: each payer (base + water) x multiplier, base 2 + repeat between dealer and another, else 1."""

from __future__ import annotations

from typing import Any

import pytest

from referee.rules.record import RecordError
from tests.rules.hands import Settled, declare

FIVE_RUNS = "123m456m789m234s67s99s"
FLOAT = "123m456m789s234s567s8p"


def quanzhou(hand: str | None, tile: str | None, source: str = "wall", **more: Any) -> Settled:
    return declare("quanzhou", hand, tile, source, **{"indicator": "8p", "dealer": 0} | more)


def test_dealers_base_grows_by_one() -> None:
    """Scoring, base 2 + repeat; ping_hu x1, zi_mo x2."""
    assert quanzhou(FIVE_RUNS, "8s", repeat=3).deltas == [30, -10, -10, -10]
    won = quanzhou(FIVE_RUNS, "8s", "discard", seat=2, giver=3, repeat=2)
    assert won.patterns == {"ping_hu": "x1"} and won.deltas == [-4, -1, 6, -1]


@pytest.mark.parametrize(
    ("declared", "water"),
    [
        ("222m<1", 0), ("EEE<1", 1),
        ("2222m+1", 1), ("EEEE+1", 2),
        ("2222m<1", 2), ("EEEE<1", 3),
        ("2222m", 3), ("EEEE", 4),
    ],
)  # fmt: skip
def test_water_of_declared_sets(declared: str, water: int) -> None:
    """Scoring, water: an added kong has a closed pung's."""
    assert quanzhou("456m789m234s67s99s", "8s", declared=declared).deltas[1] == -(2 + water) * 2


def test_water_of_pungs_in_hand_bonus_tiles_and_golds() -> None:
    """Scoring, water: closed pung 1 / 2; four of a series are just 4; golds 1 each."""
    assert quanzhou("222m456m789m234s67s99s", "8s").patterns == {"an_ke": "1 water", "zi_mo": "x2"}
    assert quanzhou("EEE456m789m234s67s99s", "8s").patterns == {"an_ke": "2 water", "zi_mo": "x2"}
    assert quanzhou(FIVE_RUNS, "8s", bonus="1234q").deltas[1] == -(2 + 4) * 2
    assert quanzhou("123m456m789m234s6s8p99s", "8s").patterns["jin_pai"] == "1 water"


def test_option_open_pung_as_closed() -> None:
    """Option open_pung_as_closed and decision 6: also the pung the winning discard completes."""
    option = {"options": {"open_pung_as_closed": True}}
    won = quanzhou("456m789m99s33p", "3p", "discard", giver=2, declared="FFF<1 777s<2", **option)
    assert won.patterns == {"ming_ke": "4 water", "ping_hu": "x1"} and won.deltas == [18, -6, -6, -6]


@pytest.mark.parametrize(("floats", "name", "times"), [(0, "you_jin", 3), (1, "shuang_you", 6), (2, "san_you", 9)])
def test_floats(floats: int, name: str, times: int) -> None:
    """Scoring, gold float x3, x6, x9."""
    won = quanzhou(FLOAT, "N", seat=3, win={"floats": floats})
    assert won.patterns == {"jin_pai": "1 water", name: f"x{times}"}
    assert won.deltas == [-3 * times, -2 * times, -2 * times, 7 * times]


def test_three_golds_are_x3_always() -> None:
    """Scoring, san_jin_dao: no upgrade after the deal."""
    hand = "147m25p888pE47sEEWSC"
    for fields, tile, source in (
        ({"wild_win": "three_dealt"}, None, "deal"),
        ({"wild_win": "three_last"}, "9m", "wall"),
    ):
        won = quanzhou(hand, tile, source, seat=3, win=fields)
        assert won.patterns == {"jin_pai": "3 water", "an_ke": "2 water", "san_jin_dao": "x3"}
        assert won.deltas == [-21, -18, -18, 57]


def test_eight_bonus_tiles_win_at_once() -> None:
    """Scoring, ba_hua x3, water 8 and the golds held; declared sets count (decision 3)."""
    won = quanzhou(
        "147m8p36p147sESW1m", None, seat=1, declared="NNN<0", bonus="1234f1234q", win={"flower_win": "eight"},
    )  # fmt: skip
    assert won.patterns == {"hua_pai": "8 water", "jin_pai": "1 water", "ming_ke": "1 water", "ba_hua": "x3"}
    assert won.deltas == [-36, 36 + 33 + 33, -33, -33]
    assert not quanzhou("147m8p36p147sESW1mNNN", None, bonus="1234f123q", win={"flower_win": "eight"}).legal


def test_robbing_a_kong_is_a_self_draw() -> None:
    """Scoring, qiang_gang x2."""
    assert quanzhou(FIVE_RUNS, "8s", "robbed_kong", giver=1).patterns == {"qiang_gang": "x2"}


def test_what_quanzhou_does_not_know() -> None:
    """Winning shapes: no robbing the gold, no heavenly, no earthly win (decision 4)."""
    assert quanzhou("123m456m789m11s345s79s", "8p", "indicator", seat=2).code == "no_robbing_the_gold"
    assert quanzhou(FIVE_RUNS, "8s", "deal", win={"first_turn": True}).patterns == {"zi_mo": "x2"}
    early = quanzhou(FIVE_RUNS, "8s", "discard", seat=1, giver=0, win={"first_turn": True})
    assert early.patterns == {"ping_hu": "x1"}


def test_dealt_hand_with_a_gold_in_the_pair_is_a_float() -> None:
    """Decision 2: any tile may count as the last."""
    assert quanzhou("123m456m789m234s678s8p", "9s", "deal").patterns == {"jin_pai": "1 water", "you_jin": "x3"}


def test_base_step_multiplier() -> None:
    """Option base_step: the dealer's base comes in the record; base_factor multiplies it; null only in the first hand."""
    grown = {"base_step": "multiplier"}
    assert quanzhou(FIVE_RUNS, "8s", options=grown, repeat=2, dealer_base=7).deltas == [42, -14, -14, -14]
    assert quanzhou(FIVE_RUNS, "8s", options=grown | {"base_factor": 5}, dealer_base=7).deltas == [210, -70, -70, -70]
    assert quanzhou(FIVE_RUNS, "8s", options=grown).deltas == [12, -4, -4, -4]
    assert quanzhou(FIVE_RUNS, "8s", repeat=1, dealer_base=9).deltas == [18, -6, -6, -6]
    with pytest.raises(RecordError, match="dealer_base"):
        quanzhou(FIVE_RUNS, "8s", options=grown, repeat=2)


def test_bars_taken_from_xiamen() -> None:
    """Play and Options "all of Xiamen's except earthly_win"."""
    assert quanzhou(FLOAT, "N", "discard", giver=1).code == "gold_float_wait"
    assert quanzhou(FIVE_RUNS, "8s", "discard", giver=3, float_by=2).code == "float_round"
    three = quanzhou("123m456m789mEE19s8p8p8p", "1s", options={"required_float": True})
    assert three.code == "required_float"
    with pytest.raises(RecordError, match="earthly_win"):
        quanzhou(FIVE_RUNS, "8s", options={"earthly_win": True})
