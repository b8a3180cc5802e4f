"""Jingzhou, chapter by chapter of its sheet (docs/sheets/jingzhou.md); the game itself is tested in test_wuhan.
Three players; seat 2 wins and seat 0 deals unless said, indicator W (wild N); no characters, no east."""

from __future__ import annotations

from typing import Any

import pytest

from referee.rules.record import RecordError
from tests.rules.hands import Settled, declare, melds, settle

SMALL = "345678p46s88p"  # waits for 5s
PLAIN = "345p678p55s78s"  # waits for 6s and 9s
FOUR_MELDS = "123s<1 666p<0 789s<1 SSS<1"


def jingzhou(hand: str | None, tile: str | None, source: str = "wall", **more: Any) -> Settled:
    return declare("jingzhou", hand, tile, source, **{"indicator": "W", "seat": 2, "dealer": 0} | more)


def shares(won: Settled) -> list[float]:
    return [-delta for delta in won.deltas[:2]]


def test_small_win_and_its_floor_for_one_loser() -> None:
    """Payments; Winning shapes 6: enough if one loser would pay 8; option minimum."""
    won = jingzhou(SMALL, "5s", declared="999s<1")
    assert won.patterns == {"xiaohu": "1 points", "kaikou": "1 fan", "yinghu": "1 fan", "zimo": "1 fan"}
    assert shares(won) == [16, 8]
    assert shares(jingzhou(SMALL, "5s", "discard", giver=1, declared="999s<1")) == [8, 8]
    assert shares(jingzhou(SMALL, "5s", "discard", giver=0, declared="999s<1")) == [16, 4]
    assert jingzhou(SMALL, "5s", "discard", giver=1, declared="999s<1", options={"minimum": 9}).code == "below_floor"


@pytest.mark.parametrize(
    ("pattern", "hand", "declared", "tile", "more", "each"),
    [
        ("qingyise", "123456p7799p", "888p<1", "9p", {}, 20 * 4),
        ("pengpenghu", "111s777p44s99p", "333s<1", "4s", {}, 20 * 4),
        ("gangshangkai", PLAIN, "1111s<1", "9s", {"source": "kong"}, 10 * 8),
    ],
)
def test_big_patterns_by_self_draw(
    pattern: str, hand: str, declared: str, tile: str, more: dict[str, Any], each: int
) -> None:
    """Scoring: 10 a pattern, x2 by self-draw but for the replacement."""
    won = jingzhou(hand, tile, declared=declared, **more)
    assert won.patterns[pattern] == "10 points" and shares(won) == [each] * 2


def test_all_honours_and_all_258_stand_at_the_golden_cap() -> None:
    """Scoring, fengyise and jiangyise; Payments: 400, unopened 500, both unopened 600; options *_jinding."""
    honours = {"indicator": "3p", "declared": "SSS<0"}
    opened = {0: {"melds": melds("123s<1")}}
    assert shares(jingzhou("WWNNFFPPS4p", "P", others=opened, **honours)) == [400, 500]
    free = jingzhou("WWNNFFPPS4p", "P", others=opened, options={"fengyise_jinding": False}, **honours)
    assert free.patterns["fengyise"] == "10 points" and shares(free) == [80, 40]
    assert shares(jingzhou("225588p5588s", "2p", "discard", giver=1, declared="222s<1")) == [600, 600]
    free = jingzhou("225588p5588s", "2p", "discard", giver=1, declared="222s<1", options={"jiangyise_jinding": False})
    assert free.patterns["jiangyise"] == "10 points" and shares(free) == [40, 80]


def test_dealing_in_and_self_draw_are_full_fan_in_big_wins() -> None:
    """Payments: all pungs + replacement win = 10 x 2 + 10 = 30; dealing in x2."""
    bloom = jingzhou("777s44p88p", "4p", "kong", indicator="1s", declared="3333p+1 999p<1")
    assert shares(bloom) == [30 * 8] * 2
    assert shares(jingzhou("111s777p44s99p", "4s", "discard", giver=1, declared="333s<1")) == [40, 80]


def test_robbing_melded_hand_and_third_opening() -> None:
    """Scoring, qianggang and quanqiuren; Liability."""
    robbed = jingzhou(PLAIN, "9s", "robbed_kong", giver=0, declared="111s<1", others={0: {"melds": melds("999s<1")}})
    assert robbed.patterns["qianggang"] == "10 points" and robbed.deltas == [-(80 + 40), 0, 120]
    melded = jingzhou("8p", "8p", "discard", giver=1, declared=FOUR_MELDS)
    assert melded.patterns["quanqiuren"] == "10 points" and shares(melded) == [40, 80]
    unready = {1: {"hand": "2299p14s258sWWPPF"}}
    assert jingzhou("8p", "8p", "discard", giver=1, declared=FOUR_MELDS, others=unready).deltas == [0, -120, 120]
    pure = jingzhou("2233p", "3p", declared="123p<1 456p<1 789p<0")
    assert pure.deltas == [-160, 0, 160]


def test_last_tile_means_nothing() -> None:
    """Scoring: no last-tile pattern."""
    assert jingzhou(SMALL, "5s", declared="999s<1", win={"last_tile": True}).deltas == [-16, -8, 24]


def test_wild_tiles_run_without_east() -> None:
    """Wild and bonus tiles: after white comes south, after north green."""
    assert jingzhou("345678p46s8pS", "5s", indicator="P", declared="999s<1").legal
    assert jingzhou("345678p46s8pF", "5s", indicator="N", declared="999s<1").legal
    assert jingzhou("345678p46s8pF", "5s", indicator="C", declared="999s<1").legal


def test_tiles_not_in_the_set() -> None:
    """Option removed_suit and its null; east is refused always."""
    with pytest.raises(RecordError, match="does not use E"):
        jingzhou(SMALL, "5s", declared="EEE<1")
    with pytest.raises(RecordError, match="suit"):
        jingzhou(SMALL, "5s", declared="999m<1")
    with pytest.raises(RecordError, match="does not use 3p"):
        jingzhou(SMALL, "5s", declared="999s<1", options={"removed_suit": "p"})
    assert jingzhou(SMALL, "5s", declared="999s<1", options={"removed_suit": "m"}).legal


def test_shared_options() -> None:
    """Options caps, rate, any_wait_rob, dahu_sum, one_suit_base (30 with a full fan), one_suit_liability."""
    pungs = {"declared": "333s<1"}
    assert shares(jingzhou("111s777p44s99p", "4s", options={"caps": [50, 60, 70, 80]}, **pungs)) == [80, 80]
    assert shares(jingzhou("111s777p44s99p", "4s", options={"rate": "wuli"}, **pungs)) == [4, 4]
    wait = {"indicator": "6s", "declared": "111p<0", "giver": 1}
    assert jingzhou("333s999p444s7s", "6p", "robbed_kong", **wait).deltas == [0, -40, 40]
    assert (
        jingzhou("333s999p444s7s", "6p", "robbed_kong", options={"any_wait_rob": False}, **wait).code == "any_tile_wait"
    )
    assert jingzhou("333s999p444s7s", "6p", "discard", **wait).code == "any_tile_wait"
    pure = {"hand": "111222p3399p", "tile": "9p", "declared": "555p<1"}
    assert shares(jingzhou(options={"dahu_sum": "double"}, **pure)) == [20 * 2 * 4] * 2
    assert shares(jingzhou(options={"one_suit_base": 15}, **pure)) == [(30 + 20) * 4] * 2
    jiang = {"hand": "22p55s", "tile": "2p", "declared": "222s<1 555p<1 888s<0"}
    no_cap = {"jiangyise_jinding": False}
    assert shares(jingzhou(options=no_cap, **jiang)) == [160, 160]
    assert jingzhou(options=no_cap | {"one_suit_liability": True}, **jiang).deltas == [-320, 0, 320]


def test_bars() -> None:
    """Winning shapes 1 to 5, Irregularities."""
    assert jingzhou("CCC34p678p55s", "2p", declared="111s<1").code == "kong_tile_in_hand"
    assert jingzhou(SMALL, "5s", declared="9999s").code == "not_opened"
    assert jingzhou("345678p46s99p", "5s", declared="111s<1").code == "pair_not_258"
    assert jingzhou("34p678p55s7sNN", "9s", declared="111s<1").code == "too_many_wilds"
    dead = [{"kind": "dead_hand", "seat": 2}]
    assert jingzhou(SMALL, "5s", declared="999s<1", incidents=dead).code == "dead_hand"
    drawn = {"rules": "jingzhou", "indicator": "W", "wins": [], "players": [{"melds": melds("9999s")}, {}, {}]}
    drawn["incidents"] = [{"kind": "false_win", "seat": 1, "claimed": [8, 0, 16]}]
    assert settle(drawn).deltas == [8, -24, 16]
