"""Yiwu, chapter by chapter of its sheet (docs/sheets/yiwu.md). Amounts are worked out by hand from the sheet: base 5, with
the dealer 7, times the factor. Seat 0 deals; indicator 9m, so 9m is wild and white stands for 9m."""

from __future__ import annotations

from typing import Any

import pytest

from referee.rules.record import RecordError
from tests.rules.hands import Settled, declare, player, settle

RUNS = "234m567m345p99p67s"  # waits for 5s and 8s
LONE = "234m567m345p678s9m"  # four sets and a wild


def yiwu(hand: str | None, tile: str | None, source: str = "wall", **more: Any) -> Settled:
    return declare("yiwu", hand, tile, source, **{"dealer": 0, "indicator": "9m"} | more)


def test_discard_costs_the_discarder_twice() -> None:
    """Scoring, pinghu: discarder x2, others x1; Payments, base 5 and 7."""
    won = yiwu(RUNS, "8s", "discard", seat=1, giver=2)
    assert won.patterns == {"pinghu": "x2"}
    assert won.deltas == [-7, 22, -10, -5]


def test_self_draw() -> None:
    """Scoring, zimo x2; the dealer receives 7 from each (decision 1)."""
    won = yiwu(RUNS, "8s")
    assert won.patterns == {"zimo": "x2"} and won.deltas == [42, -14, -14, -14]


def test_robbed_player_pays_no_more_than_the_others() -> None:
    """Scoring, qianggang: x2 from all three."""
    won = yiwu(RUNS, "8s", "robbed_kong", seat=1, giver=2)
    assert won.patterns == {"qianggang": "x2"} and won.deltas == [-14, 34, -10, -10]
    assert yiwu(RUNS, "8s", "robbed_kong", seat=1, giver=2, win={"robbed_kind": "concealed"}).code == "no_robbing"


@pytest.mark.parametrize("hand", [LONE, "2244m55p99p6688s9m"])
def test_lone_wild_takes_any_drawn_tile(hand: str) -> None:
    """Scoring, caishentou x4 with the self-draw: four sets or six pairs and a wild over."""
    won = yiwu(hand, "N", seat=3)
    assert won.patterns == {"zimo": "x2", "caishentou": "x2"}
    assert won.deltas == [-28, -20, -20, 68]


def test_lone_wild_refuses_discards_and_robbed_kongs() -> None:
    """Restrictions: lone-wild shape wins only by self-draw, judged on the 13 tiles (decision 6)."""
    assert yiwu(LONE, "N", "discard", giver=1).code == "lone_wild_wait"
    assert yiwu(LONE, "8s", "robbed_kong", giver=1).code == "lone_wild_wait"


def test_kong_bloom_and_lone_wild_multiply() -> None:
    """Scoring, kaigang x4; with a lone wild x8 (decision 5); the kongs themselves pay nothing."""
    bloom = yiwu("234m345p99p67s", "8s", "kong", seat=1, declared="EEEE")
    assert bloom.patterns == {"zimo": "x2", "kaigang": "x2"} and bloom.deltas == [-28, 68, -20, -20]
    both = yiwu("234m345p678s9m", "N", "kong", seat=1, declared="EEEE")
    assert both.deltas == [-56, 136, -40, -40]


@pytest.mark.parametrize(("floats", "pattern", "factor"), [(1, "danpiao", 8), (2, "shuangpiao", 16)])
def test_floats(floats: int, pattern: str, factor: int) -> None:
    """Scoring, danpiao x8 and shuangpiao x16, lone wild and self-draw inside."""
    won = yiwu(LONE, "N", seat=1, win={"floats": floats}, own={"discards": "E" + "9m" * floats})
    assert pattern in won.patterns
    assert won.deltas == [-7 * factor, 17 * factor, -5 * factor, -5 * factor]


def test_floats_without_a_lone_wild_give_no_factor() -> None:
    """Decision 7."""
    assert yiwu(RUNS, "8s", win={"floats": 1}).patterns == {"zimo": "x2"}


def test_two_wilds_take_no_discard_but_rob() -> None:
    """Restrictions: two or more wilds not by a discard; decision 2."""
    hand = "23m9m56m9m345p99p67s"
    assert yiwu(hand, "8s", "discard", giver=1).code == "two_wilds"
    assert yiwu(hand, "8s", "robbed_kong", giver=1).legal
    assert yiwu(hand, "8s").legal


def test_three_wilds_need_a_lone_wild_or_a_kong_bloom() -> None:
    """Restrictions; decision 3: the third wild may be the one drawn last."""
    assert yiwu("23m9m56m9m34p9m99p67s", "8s").code == "no_bloom"
    assert yiwu("23m9m56m9m345p99p67s", "9m").code == "no_bloom"
    assert yiwu("23m9m56m9m345p678s9m", "N").legal


@pytest.mark.parametrize(
    "sign",
    [
        {"others": {2: player(discards="E9m")}},
        {"float_by": 2},
        {"incidents": [{"kind": "failed_float", "seat": 2, "floats": 1}]},
    ],
)
def test_after_anybodys_float_no_discard_wins(sign: dict[str, Any]) -> None:
    """Restrictions: a single float binds to the end of the hand; any sign of it is enough (decision 10)."""
    assert yiwu(RUNS, "8s", "discard", giver=3, **sign).code == "float_round"
    assert yiwu(RUNS, "8s", "robbed_kong", giver=3, **sign).legal


def test_after_a_double_float_only_lone_wild_or_bloom_wins() -> None:
    """Restrictions; two wilds in consecutive discards are a double float, failed if he does not win: 4 x base to each."""
    floater = {2: player(discards="E9m9m")}
    refused = yiwu(RUNS, "8s", seat=1, others=floater)
    assert refused.code == "no_bloom" and refused.deltas == [28, 20, -68, 20]
    won = yiwu("234m567m345p678s9m", "N", seat=1, others=floater)
    assert won.deltas == [-28 + 28, 68 + 20, -20 - 68, -20 + 20]


def test_failed_double_float_costs_the_lone_wild_price_once() -> None:
    """Kongs and other payments; listed or not it is charged once, a single float costs nothing; stakes included."""
    players = [player(), player(stake=1), player(discards="9m9mS"), player()]
    record = {"rules": "yiwu", "indicator": "9m", "players": players, "wins": []}
    listed = [{"kind": "failed_float", "seat": 2, "floats": 2}]
    assert settle(record).deltas == [28, 28, -76, 20]
    assert settle(record | {"incidents": listed}).deltas == [28, 28, -76, 20]
    apart = [player(), player(), player(discards="9mS9m"), player()]
    assert settle(record | {"players": apart}).deltas == [0, 0, 0, 0]


def test_fourteen_scattered_tiles() -> None:
    """Winning shapes 3; a white counts as the indicator's 9m."""
    assert yiwu("147m258p369sESW9m", "N").patterns == {"zimo": "x2"}
    assert yiwu("147m258p369sESWC", "N").patterns == {"zimo": "x2"}
    assert yiwu("148m258p369sESWP", "N").code == "no_shape"


def test_whites_are_the_indicators_tile() -> None:
    """Wild and bonus tiles: natural 9m; they may be chowed as such; wild tiles may not."""
    assert yiwu("234m345p99p67s", "8s", declared="78mP<3").legal
    assert yiwu("234m345p99p67s", "8s", declared="789m<3").code == "invalid_meld"
    assert yiwu("7m8m345p99p67s345s", "9m", "discard", giver=1).code == "wild_discard"


def test_stakes_raise_the_base() -> None:
    """Payments: + 2 for each 買子, + 2 for each 子 laid against the dealer, never between two non-dealers."""
    others = {0: player(), 2: player(side_stake=4), 3: player(stake=1)}
    won = yiwu(RUNS, "8s", seat=1, own={"stake": 1, "side_stake": 2}, others=others)
    assert won.deltas == [-(7 + 2 + 4) * 2, 26 + 14 + 18, -(5 + 2) * 2, -(5 + 2 + 2) * 2]
    dealer = yiwu(RUNS, "8s", others={2: player(side_stake=4)})
    assert dealer.deltas == [14 + 30 + 14, -14, -30, -14]


def test_discards_between_dealer_and_others_only_by_option() -> None:
    """Option discard_dealer_only."""
    option = {"discard_dealer_only": True}
    assert yiwu(RUNS, "8s", "discard", seat=1, giver=2, options=option).code == "discard_dealer_only"
    assert yiwu(RUNS, "8s", "discard", seat=1, giver=0, options=option).legal


def test_a_stake_of_two_is_an_error() -> None:
    """Stakes before the hand: 0 or 1."""
    with pytest.raises(RecordError, match="stake"):
        yiwu(RUNS, "8s", own={"stake": 2})
