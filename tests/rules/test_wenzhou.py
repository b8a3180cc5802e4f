"""Wenzhou, chapter by chapter of its sheet (docs/sheets/wenzhou.md). Amounts by hand: figure x level from each payer (1, or
with the dealer 2 4 6 8 by his run), and 1 from everybody for each wild tile held. Indicator 2m throughout."""

from __future__ import annotations

from typing import Any

import pytest

from referee.rules.ruleset import load
from tests.rules.hands import Settled, declare, player, settle

SOFT = "345m456p789p46s2m99s12p"  # the wild stands for 5s; waits for 3p
HARD = "345m456p789p456s99s12p"
PAIRS = "1133m5566p7788sEEC"  # seven pairs and C
FIVE_MELDS = "345m<3 FFF<1 777p<2 456s<3 999s<1"


def wenzhou(hand: str | None, tile: str | None, source: str = "wall", **more: Any) -> Settled:
    return declare("wenzhou", hand, tile, source, **{"indicator": "2m", "dealer": 0} | more)


def level(won: Settled) -> tuple[str, int]:
    """The one level counted and its factor."""
    ((name, value),) = won.patterns.items()
    return name, int(value[1:])


def taken(hand: str, tile: str, **more: Any) -> Settled:
    """A win of seat 1 on a discard of seat 2."""
    return wenzhou(hand, tile, "discard", **{"seat": 1, "giver": 2} | more)


def test_soft_win_is_paid_by_all_with_the_wild_money() -> None:
    """Scoring, ruan_pai; Payments: dealer 2, others 1, and 1 from each for the wild held."""
    won = taken(SOFT, "3p")
    assert level(won) == ("ruan_pai", 1)
    assert won.deltas == [-2 - 1, 4 + 3, -1 - 1, -1 - 1]


def test_self_draw_hard_and_robbed_kong_double() -> None:
    """Scoring, zi_mo, ying_pai, qiang_gang x2; levels do not add up (decision 6)."""
    assert level(wenzhou(SOFT, "3p")) == ("zi_mo", 2)
    assert level(taken(HARD, "3p")) == ("ying_pai", 2)
    assert level(wenzhou(SOFT, "3p", "robbed_kong", giver=1)) == ("qiang_gang", 2)
    both = wenzhou(HARD, "3p", seat=1)
    assert level(both) == ("ying_pai", 2) and both.deltas == [-4, 8, -2, -2]


@pytest.mark.parametrize(
    "hand",
    ["1333m2m456p789p123s12p", "PP2m456p789p123s99s12p", "P2m456p789p123s444s12p", "1m3mP456p789p123s99s12p"],
)
def test_wilds_at_face_and_whites_are_hard(hand: str) -> None:
    """Scoring, ying_pai: a wild in a run at its number, wild and whites as pung or pair, whites as the indicator's tile."""
    assert level(taken(hand, "3p")) == ("ying_pai", 2)


def test_option_hard_without_white() -> None:
    """Option and decision 4: a white in a run or beside a wild spoils it, a set of whites alone does not."""
    option = {"options": {"hard_without_white": True}}
    assert level(taken("1m3mP456p789p123s99s12p", "3p", **option)) == ("ruan_pai", 1)
    assert level(taken("PP2m456p789p123s99s12p", "3p", **option)) == ("ruan_pai", 1)
    assert level(taken("PPP456p789p123s99s12p", "3p", **option)) == ("ying_pai", 2)
    assert level(taken("456p789p123s99s12p", "3p", declared="PPP<0", **option)) == ("ying_pai", 2)
    assert level(taken("456p789p123s99s12p", "3p", declared="13mP<0", **option)) == ("ruan_pai", 1)


def test_eight_pairs() -> None:
    """Scoring, ruan_ba_dui x2, ying_ba_dui x4: pair of wilds, wild with white, the odd tile a wild."""
    assert level(taken(PAIRS + "2m", "S")) == ("ruan_ba_dui", 2)
    assert level(taken(PAIRS + "2m", "C")) == ("ying_ba_dui", 4)
    assert level(taken(PAIRS + "S", "C")) == ("ying_ba_dui", 4)
    assert level(taken("1133m5566p7788sEE2m2m", "S")) == ("ying_ba_dui", 4)
    assert level(taken("1133m5566p7788sEE2mS", "P")) == ("ying_ba_dui", 4)
    assert level(taken("1133m5566p7788sEECC", "N")) == ("ying_ba_dui", 4), "eight pairs win on any tile"
    assert wenzhou("33m5566p7788sEEC", "C", declared="111m<1").code == "no_shape", "nothing claimed"


def test_three_wilds() -> None:
    """Scoring, san_cai_luan x2 without shape on the own tile only, san_cai_shen x4 complete; wild money 3."""
    luan = "14m7m2m2m58p369p147sEWN"
    won = wenzhou(luan, "2m", seat=2, win={"wild_win": "three"})
    assert level(won) == ("san_cai_luan", 2) and won.deltas == [-4 - 3, -2 - 3, 8 + 9, -2 - 3]
    dealt = wenzhou(luan, "2m", "deal", win={"wild_win": "three", "first_turn": True})
    assert level(dealt) == ("san_cai_luan", 2), "never heavenly"
    assert wenzhou("14m7m2m2m2m58p369p147sEW", "N", "discard", giver=1, win={"wild_win": "three"}).code == "no_shape"
    assert level(wenzhou("345m456p789p46s9s12p2m2m", "2m")) == ("san_cai_shen", 4)
    assert level(taken("1133m5566p7788sE2m2m2m", "S")) == ("san_cai_shen", 4)


def test_heavenly_and_earthly() -> None:
    """Scoring, tian_hu and di_hu x4, with a changed wild too (decision 7)."""
    won = wenzhou(SOFT, "3p", "deal", win={"first_turn": True})
    assert level(won) == ("tian_hu", 4) and won.deltas == [27, -9, -9, -9]
    assert level(taken(SOFT, "3p", giver=0, win={"first_turn": True})) == ("di_hu", 4)
    assert level(taken(SOFT, "3p", giver=2, win={"first_turn": True})) == ("ruan_pai", 1)
    assert wenzhou(SOFT, "3p", "deal", seat=1).code == "not_dealt"


def test_naked_single() -> None:
    """Scoring, dan_diao x4, on a discard too; with a wild as the single any tile, by self-draw only."""
    assert level(taken("E", "E", declared=FIVE_MELDS)) == ("dan_diao", 4)
    assert level(taken("E", "E", declared=FIVE_MELDS.replace("999s<1", "9999s"))) == ("dan_diao", 4)
    assert level(wenzhou("2m", "N", declared=FIVE_MELDS)) == ("dan_diao", 4)
    assert taken("2m", "N", declared=FIVE_MELDS).code == "wild_single_wait"


def test_all_pungs_double() -> None:
    """Option all_pungs_double: dui_dui_hu x4, else hard only."""
    hand, declared = "999s77s44p", "FFF<2 777p<3 PPP<2"
    assert level(taken(hand, "4p", declared=declared)) == ("ying_pai", 2)
    assert level(taken(hand, "4p", declared=declared, options={"all_pungs_double": True})) == ("dui_dui_hu", 4)


def test_wild_single_wait() -> None:
    """Winning shapes: five sets and a wild take no discard and no robbed tile, unless read as eight pairs (decision 1)."""
    waiting = "345m456p789p456s999s2m"
    assert taken(waiting, "E").code == "wild_single_wait"
    assert wenzhou(waiting, "E", "robbed_kong", giver=1).code == "wild_single_wait"
    assert level(wenzhou(waiting, "E")) == ("zi_mo", 2)
    assert level(taken("334455m445566p777s2m", "N")) == ("ruan_ba_dui", 2)


def test_dealer_scale() -> None:
    """Payments and option dealer_scale: figures for repeat 0-3, more counts as 3."""
    for repeat, figure in ((0, 2), (1, 4), (2, 6), (3, 8), (5, 8)):
        assert taken(HARD, "3p", repeat=repeat).deltas == [-2 * figure, 2 * figure + 4, -2, -2]
    assert taken(HARD, "3p", repeat=1, options={"dealer_scale": "3579"}).deltas[0] == -10


def test_wild_money() -> None:
    """Payments, 財神銭: won or drawn, legal or not; option wild_bonus; a loser's unknown hand holds none."""
    two = {2: player("2m2m58p369p147sEWNCF1s")}
    assert wenzhou(HARD, "3p", others=two).deltas == [12 - 2, -4 - 2, -4 + 6, -4 - 2]
    refused = wenzhou("345m456p789p456s99s1p5p", "3p", others=two, options={"wild_bonus": 2})
    assert refused.code == "no_shape" and refused.deltas == [-4, -4, 12, -4]
    players = [player(), player(), two[2], player()]
    drawn = {"rules": "wenzhou", "indicator": "2m", "players": players, "wins": [], "options": {"wild_bonus": 0}}
    assert settle(drawn).deltas == [0, 0, 0, 0]
    assert settle(drawn | {"options": {}}).deltas == [-2, -2, 6, -2]
    assert wenzhou("345m456p789p46s99s123p", "2m").deltas == [12 + 3, -5, -5, -5], "a self-drawn winning wild counts"


def test_order_of_winners() -> None:
    """Play: double hands before others, else the nearest."""
    near, far = player("345m456p789p456s99s12p"), player("345m456s789s123s88s12p")
    on_discard = {"tile": "3p", "source": "discard", "from": 0}
    record = {
        "rules": "wenzhou", "indicator": "2m", "players": [player(), near, player(), far],
        "wins": [{"seat": 1, **on_discard}, {"seat": 3, **on_discard}],
    }  # fmt: skip
    assert [w["legal"] for w in settle(record).data["wins"]] == [True, False]
    pairs = player("1133m4466s7788sCC3pE")
    record["players"] = [player(), near, player(), pairs]
    assert [w["legal"] for w in settle(record).data["wins"]] == [False, True]


def test_ritual_options() -> None:
    """Options missed_pung and wall_layout."""
    ritual = load("wenzhou", {"missed_pung": True, "wall_layout": "stacked"}).ritual
    assert ritual is not None and ritual.claims.missed_pung and ritual.layout == "stacked"


def test_bars() -> None:
    """Irregularities and Play: dead hands, discarded wilds (decision 9), wilds in sets, concealed kongs."""
    assert taken(HARD, "3p", incidents=[{"kind": "dead_hand", "seat": 1}]).code == "dead_hand"
    assert taken("345m456p789p456s99s1m3m", "2m").code == "wild_discard"
    assert taken("456p789p456s99s12p", "3p", declared="123m<0").code == "invalid_meld"
    assert wenzhou(HARD, "3p", "robbed_kong", giver=1, win={"robbed_kind": "concealed"}).code == "no_robbing"
    false = [{"kind": "false_win", "seat": 1, "claimed": [4, 0, 2, 2]}]
    assert taken("345m456p789p456s99s1p5p", "3p", incidents=false).deltas == [4, -8, 2, 2]
