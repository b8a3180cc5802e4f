"""Wuhan's red-dragon game, chapter by chapter of its sheet (docs/sheets/wuhan_hongzhong.md); what it has in common with
``wuhan`` is tested there. Amounts by hand; seat 3 wins and seat 0 deals unless said, indicator W (wild N)."""

from __future__ import annotations

from typing import Any

import pytest

from referee.rules.record import RecordError
from tests.rules.hands import Settled, declare, melds

SMALL = "345678p46s88m"  # waits for 5s
PLAIN = "345p678p55s78m"  # waits for 6m and 9m
FOUR_MELDS = "123m<2 666p<0 789s<2 EEE<1"


def hongzhong(hand: str | None, tile: str | None, source: str = "wall", **more: Any) -> Settled:
    return declare("wuhan_hongzhong", hand, tile, source, **{"indicator": "W", "seat": 3, "dealer": 0} | more)


def shares(won: Settled) -> list[float]:
    return [-delta for delta in won.deltas[:3]]


def test_small_win_and_its_floor_of_8() -> None:
    """Scoring, xiaohu; Winning shapes 6; Payments."""
    won = hongzhong(SMALL, "5s", declared="999m<2")
    assert won.patterns == {"xiaohu": "1 points", "kaikou": "1 fan", "yinghu": "1 fan", "zimo": "1 fan"}
    assert shares(won) == [16, 8, 8]
    assert hongzhong(SMALL, "5s", "discard", giver=1, declared="999m<2").code == "below_floor"


@pytest.mark.parametrize(
    ("pattern", "hand", "declared", "tile", "more", "each"),
    [
        ("fengyise", "SSWWNNPPF2s", "FFF<1", "P", {"indicator": "1s"}, 15 * 2),
        ("jiangyise", "2255m2588p88s", "222s<1", "2p", {}, 15 * 4),
        ("qingyise", "123456p7799p", "888p<1", "9p", {}, 15 * 4),
        ("pengpenghu", "111m777p44s99m", "333s<1", "4s", {}, 15 * 4),
        ("gangshangkai", PLAIN, "9999s<1", "9m", {"source": "kong"}, 10 * 8),
        ("haidilao", PLAIN, "999s<1", "9m", {"win": {"last_tile": True}}, 10 * 4),
    ],
)
def test_big_patterns_by_self_draw(
    pattern: str, hand: str, declared: str, tile: str, more: dict[str, Any], each: int
) -> None:
    """Scoring: 10 a pattern, x1.5 by self-draw except on a replacement or the last tile; green dragons are honours."""
    won = hongzhong(hand, tile, declared=declared, **more)
    assert won.patterns[pattern] == "10 points" and shares(won) == [each] * 3


def test_robbing_and_melded_hand() -> None:
    """Scoring, qianggang and quanqiuren; Liability of the robbed player and the unready discarder."""
    robbed = hongzhong(PLAIN, "9m", "robbed_kong", giver=1, declared="999s<1", others={1: {"melds": melds("999m<0")}})
    assert robbed.patterns["qianggang"] == "10 points" and robbed.deltas == [0, -160, 0, 160]
    melded = hongzhong("8m", "8m", "discard", giver=2, declared=FOUR_MELDS)
    assert melded.patterns["quanqiuren"] == "10 points" and shares(melded) == [40, 40, 60]
    unready = {2: {"hand": "1199m147s258sEWPSS"}}
    assert hongzhong("8m", "8m", "discard", giver=2, declared=FOUR_MELDS, others=unready).deltas == [0, 0, -140, 140]
    ready = {2: {"hand": "23456p22s789m", "melds": melds("SSS<0")}}
    assert shares(hongzhong("8m", "8m", "discard", giver=2, declared=FOUR_MELDS, others=ready)) == [40, 40, 120]
    with_kong = hongzhong("8m", "8m", "discard", giver=2, declared="123m<2 666p<0 789s<2 EEEE", bonus="C")
    assert "quanqiuren" not in with_kong.patterns, "not with a concealed kong"


def test_wild_tiles() -> None:
    """Wild and bonus tiles: after north comes green, red is passed over; a lone wild pair waits for 2, 5 and 8."""
    assert hongzhong("345678p46s5mF", "5s", indicator="N", declared="999m<2", bonus="C").legal
    assert hongzhong("345678p46s5mF", "5s", indicator="C", declared="999m<2", bonus="C").legal
    for tile, legal in (("2s", True), ("5s", True), ("8s", True), ("3s", False)):
        assert hongzhong("345678p456mN", tile, declared="999m<2", bonus="C").legal == legal
    with pytest.raises(RecordError, match="bonus"):
        hongzhong(SMALL, "5s", declared="999m<2", bonus="F")
    with pytest.raises(RecordError, match="melds"):
        hongzhong(SMALL, "5s", declared="NNN<2")


def test_any_tile_wait_may_rob() -> None:
    """Winning shapes 7 and option any_wait_rob, true here."""
    wait = {"indicator": "6s", "declared": "111m<0", "giver": 1}
    assert hongzhong("333m999p444s7s", "8p", "discard", **wait).code == "any_tile_wait"
    assert hongzhong("333m999p444s7s", "8p", "robbed_kong", **wait).deltas == [0, -120, 0, 120]
    assert (
        hongzhong("333m999p444s7s", "8p", "robbed_kong", options={"any_wait_rob": False}, **wait).code
        == "any_tile_wait"
    )


def test_caps() -> None:
    """Payments: 300, golden 400, sunlight 500, three suns 600; option caps and rate."""
    big = {"indicator": "4m", "declared": "EEE<1 SSS<2", "bonus": "CC"}
    opened = {"melds": melds("123m<0")}
    assert shares(hongzhong("WWWNNPP", "P", **big)) == [600] * 3
    assert shares(hongzhong("WWWNNPP", "P", others={0: opened, 2: opened}, **big)) == [400, 500, 400]
    assert shares(hongzhong("WWWNNPP", "P", options={"caps": [1, 2, 3, 4]}, **big)) == [4] * 3
    single = hongzhong(SMALL, "5s", declared="999m<2", others={1: {"bonus": "CCNN"}})
    assert shares(single) == [16, 300, 8], "8 x 2^6 cut to the cap"
    assert shares(hongzhong("WWWNNPP", "P", options={"rate": "yifen"}, **big)) == [60] * 3


def test_option_dahu_sum_double() -> None:
    """Option dahu_sum: 10, 20, 40; x1.5 on the whole, not for a self-draw contained in a pattern."""
    double = {"options": {"dahu_sum": "double"}}
    won = hongzhong("5p", "5p", "discard", giver=1, declared="111p<0 444p<1 666p<2 999p<0", **double)
    assert shares(won) == [0, 0, 160 + 240 + 160], "pure, all pungs, melded hand: 40 x 4; seat 2 fed the third"
    drawn = hongzhong("WWWNNPP", "P", indicator="4m", declared="EEE<1 SSS<2", **double)
    assert shares(drawn) == [20 * 3 / 2 * 4] * 3
    bloom = hongzhong("777s44p88p", "4p", "kong", indicator="1m", declared="3333m+2 999p<1", **double)
    assert shares(bloom) == [20 * 8] * 3
    assert shares(hongzhong("777s44p88p", "4p", "kong", indicator="1m", declared="3333m+2 999p<1")) == [25 * 8] * 3


def test_option_one_suit_base_15() -> None:
    """Option one_suit_base: 15, and 20 with the self-draw or dealt-in factor; other patterns as usual."""
    option = {"options": {"one_suit_base": 15}}
    jiang = hongzhong("2255m2588p88s", "2p", "discard", giver=1, declared="222s<1", **option)
    assert jiang.patterns["jiangyise"] == "15 points" and shares(jiang) == [60, 80, 60]
    assert shares(hongzhong("2255m2588p88s", "2p", declared="222s<1", **option)) == [80] * 3
    pungs = hongzhong("111222p3399p", "9p", declared="555p<1", **option)
    assert shares(pungs) == [(20 + 15) * 4] * 3, "pure suit 20, all pungs 10 x 1.5"
    bloom = hongzhong("345666p2p", "2p", "kong", declared="9999p 888p<1", **option)
    assert shares(bloom) == [600] * 3, "20 + 10 with 4 fan are 480, three suns"


def test_option_one_suit_liability() -> None:
    """Option one_suit_liability: the third opening of any one-colour hand; otherwise of pure suits only."""
    hand = {"declared": "222s<1 555s<1 888m<2"}
    assert shares(hongzhong("22p55m", "2p", **hand)) == [120] * 3, "all 2-5-8 and all pungs 20 x 1.5 x 4"
    won = hongzhong("22p55m", "2p", options={"one_suit_liability": True}, **hand)
    assert won.deltas == [0, 0, -360, 360]
    pure = hongzhong("2233p", "3p", declared="123p<2 456p<2 789p<0")
    assert pure.deltas == [-180, 0, 0, 180]


def test_option_fengyise_jinding() -> None:
    """Option fengyise_jinding."""
    won = hongzhong("SSWWNNPPF2s", "P", indicator="1s", declared="FFF<1", options={"fengyise_jinding": True})
    assert shares(won) == [600] * 3


def test_option_kong_tiles() -> None:
    """Option kong_tiles: green dragons or skins as kong tiles raise floor and caps."""
    facai = {"options": {"kong_tiles": "hongzhong_facai"}}
    assert hongzhong(SMALL, "5s", declared="999m<2", **facai).code == "below_floor"
    assert shares(hongzhong(SMALL, "5s", declared="999m<2", bonus="F", **facai)) == [32, 16, 16]
    big = {"indicator": "4m", "declared": "EEE<1 SSS<2", "bonus": "FF"}
    assert shares(hongzhong("WWWNNPP", "P", **big, **facai)) == [800] * 3
    skins = {"options": {"kong_tiles": "pizi"}, "indicator": "E"}
    assert hongzhong(SMALL, "5s", declared="999m<2", bonus="EP", **skins).patterns["hongzhonggang"] == "2 fan"
    assert hongzhong(SMALL, "5s", declared="999m<2", bonus="SP", **skins).patterns["laizigang"] == "2 fan"


def test_option_opening_fan_and_minimum() -> None:
    """Options opening_fan, minimum: floor 32 with each, or what is agreed."""
    each = {"opening_fan": "each"}
    assert hongzhong(SMALL, "5s", declared="999m<2", bonus="C", options=each).code == "below_floor"
    two = hongzhong("678p46s88m", "5s", declared="999m<2 345p<2", bonus="C", options=each)
    assert shares(two) == [64, 32, 32]
    assert hongzhong(SMALL, "5s", declared="999m<2", options={"minimum": 16}).code == "below_floor"
