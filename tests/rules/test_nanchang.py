"""Nanchang, chapter by chapter of its sheet (docs/sheets/nanchang.md). Amounts are worked out by hand from the sheet: each
loser pays 2^doubles, one more for banker and discarder. Seat 0 deals; indicator 2m: first fine 2m, second fine 3m.

Losers' hands are left empty where they hold no fine tile: then every German hand is double German too."""

from __future__ import annotations

from typing import Any

import pytest

from referee.rules.record import RecordError
from tests.rules.hands import Settled, declare, player, settle

RUNS = "567m678m789pEE23s"  # waits for 1s and 4s
LONE = "567m678m789p123s2m"  # four sets and a first fine
GERMAN = {"deguo": "x2", "dezhongde": "x2"}


def nanchang(hand: str, tile: str | None, source: str = "wall", *, seat: int = 1, **more: Any) -> Settled:
    others = {s: player("") for s in range(4) if s != seat} | more.pop("others", {})
    return declare("nanchang", hand, tile, source, seat=seat, others=others, **{"dealer": 0, "indicator": "2m"} | more)


def drawn(*players: dict[str, Any], **record: Any) -> list[float]:
    return settle({"rules": "nanchang", "indicator": "2m", "players": list(players), "wins": []} | record).deltas


def amounts(unit: int, banker: int, beside: int = 0) -> list[float]:
    """Seat 1 wins by its own tile; ``beside``: what it gets from each besides."""
    return [-banker - beside, banker + 2 * unit + 3 * beside, -unit - beside, -unit - beside]


def test_german_own_tile() -> None:
    """Scoring, zimo, deguo, dezhongde; Payments: German + 5 from all on own draw."""
    won = nanchang(RUNS, "1s")
    assert won.patterns == GERMAN | {"zimo": "x2"} and won.deltas == amounts(8 + 5, 16 + 5)
    banker = nanchang(RUNS, "1s", seat=0)
    assert banker.patterns == GERMAN | {"zimo": "x2", "zhuangjia": "x2"} and banker.deltas == [63, -21, -21, -21]


def test_discard_and_robbed_kong() -> None:
    """Scoring, dianpao on the discarder's payment, qianggang on all three; decisions 1 and 2 on the 5."""
    gave = nanchang(RUNS, "1s", "discard", giver=2)
    assert gave.patterns == GERMAN | {"dianpao": "x1"} and gave.deltas == [-8, 25, -13, -4]
    robbed = nanchang(RUNS, "1s", "robbed_kong", giver=2)
    assert robbed.patterns == GERMAN | {"qianggang": "x2"} and robbed.deltas == amounts(8 + 5, 16 + 5)
    assert nanchang(RUNS, "1s", "robbed_kong", giver=2, win={"robbed_kind": "concealed"}).code == "no_robbing"


def test_a_losers_fine_tile_spoils_double_german() -> None:
    """Scoring, dezhongde, melds included; the fine tile pays its holder, twice the only one (霸王)."""
    won = nanchang(RUNS, "1s", others={3: player("3m")})
    assert won.patterns == {"zimo": "x2", "deguo": "x2"}
    assert won.deltas == [-(8 + 5) - 2, 13 + 9 + 9 - 2, -9 - 2, -9 + 6]
    melded = nanchang(RUNS, "1s", others={3: player("", "234m<2")})
    assert "dezhongde" not in melded.patterns and melded.deltas[2] == -9 - 2 * 3


def test_fine_call() -> None:
    """Scoring, jingdiao: the drawn tile pairs a lone fine tile; one first fine, sole holder: 4 from each."""
    won = nanchang(LONE, "N")
    assert won.patterns == {"zimo": "x2", "jingdiao": "x2"} and won.deltas == amounts(4, 8, beside=4)
    pairs = nanchang("1144m77p88p55sEE2m", "N")
    assert pairs.patterns == {"zimo": "x2", "jingdiao": "x2", "xiaoqidui": "x2"}


def test_fine_call_and_german_need_the_same_fine_tile() -> None:
    """Decision 9: 2m on 2m gives both; 3m on 2m is a fine call only, 3 points and the holder alone: 6 from each."""
    both = nanchang(LONE, "2m")
    assert both.patterns == GERMAN | {"zimo": "x2", "jingdiao": "x2"}
    assert both.deltas == amounts(16 + 5, 32 + 5, beside=8)
    other = nanchang(LONE, "3m")
    assert other.patterns == {"zimo": "x2", "jingdiao": "x2"} and other.deltas == amounts(4, 8, beside=6)


def test_lone_fine_wait_takes_a_discard_only_as_german() -> None:
    """Winning shapes; decision 7; a discarded fine tile is at face value and counts for its claimer (decision 8)."""
    assert nanchang(LONE, "N", "discard", giver=2).code == "lone_fine_wait"
    won = nanchang(LONE, "2m", "discard", giver=2)
    assert won.patterns == GERMAN | {"dianpao": "x1"}
    assert won.deltas == [-8 - 8, 8 + 13 + 4 + 24, -13 - 8, -4 - 8]


def test_kong_bloom_and_kong_money() -> None:
    """Scoring, gangkai; Kongs: closed 2 from each, open 1, no banker double."""
    won = nanchang("567m678mEE23s", "1s", "kong", declared="4444p")
    assert won.patterns == GERMAN | {"zimo": "x2", "gangkai": "x2"} and won.deltas == amounts(21, 37, beside=2)
    opened = nanchang("567m678mEE23s", "1s", declared="4444p<3")
    assert opened.deltas == amounts(13, 21, beside=1)


@pytest.mark.parametrize(
    ("hand", "tile", "declared", "extra"),
    [
        ("555m99sCC", "C", "777p<0 NNN<3", {"daqidui": "x2"}),
        ("1144m77p88p55sEES", "S", "", {"xiaoqidui": "x2"}),
        ("1111m77p88p55sEES", "S", "", {"xiaoqidui": "x2"}),
        ("147m258p369sESWN", "C", "", {"shisanlan": "x2"}),
    ],
)
def test_patterns_worth_one_double(hand: str, tile: str, declared: str, extra: dict[str, str]) -> None:
    """Scoring, daqidui, xiaoqidui (nothing extra for four alike), shisanlan."""
    won = nanchang(hand, tile, declared=declared)
    assert won.patterns == GERMAN | {"zimo": "x2"} | extra and won.deltas == amounts(16 + 5, 32 + 5)


def test_seven_stars() -> None:
    """Scoring, qixing x2 more; a fine tile for a missing honour does not make it."""
    won = nanchang("58m169s7pESWNCFP", "4p")
    assert won.patterns == GERMAN | {"zimo": "x2", "shisanlan": "x2", "qixing": "x2"}
    assert won.deltas == amounts(32 + 5, 64 + 5)
    filled = nanchang("58m169s7p2mESWNCF", "4p")
    assert "qixing" not in filled.patterns and "shisanlan" in filled.patterns
    at_face = nanchang("258m169s7pESWNCF", "P", indicator="E")
    assert {"qixing", "deguo"} <= set(at_face.patterns)


def test_independent_tiles_allow_no_meld() -> None:
    """Winning shapes 3: no melds, also no honour chow; two of a suit less than three apart."""
    assert nanchang("58m169s7pNCFP", "4p", declared="ESW<0").code == "no_shape"
    assert nanchang("58m169s7pESWNCFP", "6p").code == "no_shape"


def test_runs_of_honours() -> None:
    """Play: C F P, and any three different winds."""
    assert nanchang("ESWCFP567m99s67s", "8s").legal
    assert nanchang("567m99s67s", "8s", declared="ESN<0 CFP<0").legal
    assert nanchang("567m99s67s", "8s", declared="ESC<0 CFP<0").code == "invalid_meld"


def test_heavenly_and_earthly_wins_are_flat() -> None:
    """Scoring, tianhu, dihu: 20 from each, no doubles, no + 5."""
    assert nanchang(RUNS, "1s", "deal", seat=0).deltas == [60, -20, -20, -20]
    earthly = nanchang(RUNS, "1s", "discard", giver=0, win={"first_turn": True})
    assert earthly.patterns == {"dihu": "20 points"} and earthly.deltas == [-20, 60, -20, -20]


def test_fine_tiles_pay_in_drawn_hands() -> None:
    """Kongs and other payments: 2 and 1 each; from 5 points t x (t - 3); the only holder twice."""
    none = player("")
    assert drawn(none, none, none, player("3m")) == [-2, -2, -2, 6]
    assert drawn(none, none, none, player("223m")) == [-20, -20, -20, 60]
    assert drawn(none, none, player("3m"), player("223m")) == [-11, -11, -7, 29]
    assert drawn(none, none, player("", "234m<1"), player("22m")) == [-3 - 4, -7, 9 - 4, 12 - 3]


def test_fine_kong() -> None:
    """杠精: 10 in place of the kong's points; its tiles still count: 4 second fines, holder alone 8."""
    none = player("")
    assert drawn(none, none, player("", "3333m"), none) == [-18, -18, 54, -18]
    assert drawn(none, none, player("", "3333m<0"), player("2m")) == [-14 - 2, -16, 42 - 2, 6 - 14]


def test_sacked_banker() -> None:
    """抄庄: the banker pays 5 to each at the end, won or drawn; option draw_penalty besides."""
    none, same = player(""), [{"kind": "same_discard", "tile": "N", "rounds": 1}]
    assert drawn(none, none, none, none, incidents=same) == [-15, 5, 5, 5]
    penalty = {"draw_penalty": True}
    assert drawn(none, none, none, none, options=penalty) == [-15, 5, 5, 5]
    assert drawn(none, none, none, none, options=penalty, incidents=same) == [-30, 10, 10, 10]
    same_seen = [player("", discards="N1p")] * 4
    assert drawn(*same_seen) == [-15, 5, 5, 5]


def test_refused_win_leaves_fine_payments() -> None:
    """Decision 12: a drawn fine tile is in its holder's hand, a claimed one is not."""
    assert nanchang("14m", "2m").deltas == [-4, 12, -4, -4]
    assert nanchang("14m", "2m", "discard", giver=2).deltas == [0, 0, 0, 0]


def test_drawn_indicator_is_a_fourth_first_fine_tile() -> None:
    """Option indicator_drawable; without it a fourth copy is an error."""
    option = {"indicator_drawable": True}
    won = nanchang("13m567m678m999pEE", "2m", options=option, win={"indicator_drawn": True})
    assert won.patterns == GERMAN | {"zimo": "x2"} and won.deltas == amounts(13, 21, beside=6)
    with pytest.raises(RecordError, match="copies"):
        drawn(player("222m"), player("2m"), player(""), player(""))
    assert drawn(player("222m"), player("2m"), player(""), player(""), options=option) == [54 - 2, 6 - 18, -20, -20]


def test_every_hand_must_be_given() -> None:
    """Decision 10."""
    with pytest.raises(RecordError, match="hand"):
        nanchang(RUNS, "1s", others={3: player()})
