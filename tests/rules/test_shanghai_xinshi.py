"""New style Shanghai, chapter by chapter of its sheet (docs/sheets/shanghai_xinshi.md). Amounts by hand: P = 2^tai, on a
self-draw 2P from each. Seat 0 wins and deals, round wind east, unless said. What it shares with the popular style is tested
there."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.hands import Settled, declare


def xinshi(hand: str | None, tile: str | None, source: str = "wall", **more: Any) -> Settled:
    return declare("shanghai_xinshi", hand, tile, source, **{"dealer": 0} | more)


OPEN = {"declared": "EEE<1"}  # east is seat and round wind: 2 tai, nothing else


@pytest.mark.parametrize(
    ("hand", "tile", "more", "patterns"),
    [
        ("234m567m66p78s", "6s", {"declared": "444p<1"}, {"duanyaojiu": 1, "wuzi_wuhua": 1}),
        ("123m999p11s78s", "9s", OPEN, {"zuofeng": 1, "quanfeng": 1, "quanyaojiu": 1}),
        ("999p11s11m", "1m", {"declared": "111p<1 999m<2"}, {"quanyaojiu": 1, "duiduihu": 2, "wuzi_wuhua": 1}),
        ("234m234m99p67s", "8s", {"declared": "CCC<1"}, {"sanyuan": 1, "yibangao": 1}),
        ("22334488m67s", "8s", {"declared": "678s<3"}, {"liangbangao": 2, "pinghu": 1, "queyimen": 1, "duanyaojiu": 1,
                                                        "wuzi_wuhua": 1}),
        ("234m234m99p23m", "4m", {"declared": "678s<3"}, {"liangbangao": 2, "pinghu": 1, "wuzi_wuhua": 1}),
        ("234m234p99p67s", "8s", {"declared": "CCC<1"}, {"sanyuan": 1, "xixiangfeng": 1}),
        ("234m567s99p67m", "5m", {"declared": "234p<3"}, {"pinghu": 1, "xixiangfeng": 2, "wuzi_wuhua": 1}),
        ("234m234p99p23s", "4s", {"declared": "CCC<1"}, {"sanyuan": 1, "shuangxiangfeng": 2}),
        ("123m456m99p78m", "9m", {"declared": "CCC<1"}, {"sanyuan": 1, "qinglong": 2}),
        ("123m456p99p78s", "9s", {"declared": "CCC<1"}, {"sanyuan": 1, "hunlong": 1}),
        ("123m678m44p78m", "6m", {"declared": "999p<1"}, {"yibangao": 1, "queyimen": 1, "wuzi_wuhua": 1}),
        ("234m567p99s67s", "8s", {"declared": "CCC<1"}, {"sanyuan": 1}),
        ("234m567p67sEE", "8s", {"declared": "CCC<1"}, {"sanyuan": 1, "wumenqi": 1}),
        ("234m567p99s46m", "5m", {"declared": "CCC<1"}, {"sanyuan": 1, "bian_kan_diao": 1, "qianzhongxin": 1}),
        ("234m345p99s57m", "6m", {"declared": "CCC<1"}, {"sanyuan": 1, "bian_kan_diao": 1}),
    ],
)  # fmt: skip
def test_patterns_of_open_hands(hand: str, tile: str, more: dict[str, Any], patterns: dict[str, int]) -> None:
    """Scoring, the table line by line; everything that holds adds up."""
    won = xinshi(hand, tile, **more)
    assert won.patterns == {name: f"{worth} tai" for name, worth in patterns.items()}
    assert won.deltas[0] == 3 * 2 * 2 ** sum(patterns.values())


@pytest.mark.parametrize(
    ("source", "declared", "pattern"),
    [("discard", "", "menqianqing"), ("wall", "", "buqiuren"), ("wall", "4444p", "buqiuren"), ("wall", "444p<1", None)],
)
def test_concealed_hands(source: str, declared: str, pattern: str | None) -> None:
    """Scoring, menqianqing 1 by discard, buqiuren 2 self-drawn; concealed kongs allowed; one excludes the other."""
    hand = "234m678m99p67s" + ("" if declared else "444p")
    won = xinshi(hand, "8s", source, giver=1 if source == "discard" else None, declared=declared)
    found = {name for name in ("menqianqing", "buqiuren") if name in won.patterns}
    assert found == ({pattern} if pattern else set())


def test_robbing_a_kong_with_a_concealed_hand() -> None:
    """Scoring, menqianqing: won by discard or robbed kong."""
    won = xinshi("234m567m99p67s444p", "8s", "robbed_kong", giver=1)
    assert won.patterns == {"menqianqing": "1 tai", "qianggang": "1 tai", "wuzi_wuhua": "1 tai"}


@pytest.mark.parametrize(
    ("hand", "tile", "source", "patterns"),
    [
        ("1133m4477p99sEES", "S", "wall", {"qiduizi": 1, "bian_kan_diao": 1, "buqiuren": 2}),
        ("1133m4477p99sEES", "S", "discard", {"qiduizi": 1, "bian_kan_diao": 1, "menqianqing": 1}),
        ("2222m4477p5588s6m", "6m", "wall", {"qiduizi": 1, "bian_kan_diao": 1, "buqiuren": 2, "duanyaojiu": 1,
                                             "wuzi_wuhua": 1}),
        ("1133557799pEES", "S", "wall", {"qiduizi": 1, "bian_kan_diao": 1, "buqiuren": 2, "hunyise": 2}),
        ("147m258p369sESWN", "C", "wall", {"shisanbuda": 1, "buqiuren": 2, "wumenqi": 1}),
        ("149m258p37sESWNC", "F", "discard", {"shisanbuda": 1, "menqianqing": 1, "wumenqi": 1}),
        ("147m258p3sESWNCF", "P", "discard", {"qixing_juhui": 2, "menqianqing": 1, "wumenqi": 1}),
    ],
)  # fmt: skip
def test_special_shapes(hand: str, tile: str, source: str, patterns: dict[str, int]) -> None:
    """Winning shapes: seven pairs (four alike are two pairs), thirteen unconnected tiles, which take no wait."""
    won = xinshi(hand, tile, source, giver=2 if source == "discard" else None)
    assert won.patterns == {name: f"{worth} tai" for name, worth in patterns.items()}
    payers = 3 * 2 if source == "wall" else 2 + 1 + 1
    assert won.deltas[0] == payers * 2 ** sum(patterns.values())


def test_no_bonus_tiles_at_all() -> None:
    """Scoring, wuzi_wuhua: nothing in ``bonus``."""
    won = xinshi("234m567m66p78s", "6s", declared="444p<1", bonus="3f")
    assert won.patterns == {"duanyaojiu": "1 tai"}


def test_the_dearer_of_two_shapes() -> None:
    """Scoring: 223344m 556677p 88s as runs (two pairs of identical runs, flat hand) beats seven pairs."""
    won = xinshi("223344m556677p8s", "8s", "discard", giver=1)
    assert "liangbangao" in won.patterns and "qiduizi" not in won.patterns
    # liangbangao 2, pinghu 1, single wait 1, concealed 1, simples 1, no honours or bonus 1 = 7 tai
    assert won.deltas[0] == 4 * 2**7


def test_full_flush_liability_holds_here_too() -> None:
    """Liability as in the popular style: the discarder pays all four shares."""
    won = xinshi("22m67m", "8m", "discard", giver=2, declared="123m<3 345m<3 567m<3")
    assert "qingyise" in won.patterns and won.deltas[1] == won.deltas[3] == 0 and won.deltas[2] == -won.deltas[0]


@pytest.mark.parametrize("hand", ["1133m4477p99sEEE", "146m258p369sESWN", "147m258p3699sESW"])
def test_near_misses(hand: str) -> None:
    """Winning shapes: pairs must all be pairs; suit neighbours at least three apart; all tiles different."""
    assert xinshi(hand, "C").code == "no_shape"


def test_melds_bar_the_special_shapes() -> None:
    """Winning shapes: no declared sets."""
    assert xinshi("1133m4477pES", "S", declared="9999s").code == "no_shape"


def test_fixed_amount() -> None:
    """Options, base_points: 2 tai self-drawn, three times 2 x 4."""
    assert xinshi("234m567p99s67s", "8s", declared="CCC<1", options={"base_points": 3}).deltas == [36, -12, -12, -12]
