"""Beijing, chapter by chapter of its sheet (docs/sheets/beijing.md). Amounts are worked out by hand from the sheet: each
loser pays 2^doubles + kong points, one double more for the banker. Seat 0 deals; indicator 4p, so 5p is wild."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.hands import Settled, declare, player, settle

RUNS = "234m567m789p99p67s"  # waits for 5s and 8s
OPEN = "567m789p99p67s"  # beside 234m claimed
LONE = "234m678m789p123s5p"  # four sets and a wild
TWO_WILDS = "23m5p67m5p789p99s67s"
D8 = {"closed": "x2", "own_tile": "x2", "straight": "x2"}


def beijing(hand: str | None, tile: str | None, source: str = "wall", **more: Any) -> Settled:
    return declare("beijing", hand, tile, source, **{"dealer": 0, "indicator": "4p", "seat": 1} | more)


def amounts(unit: int, banker: int) -> list[float]:
    """Seat 1 wins by its own tile: the banker pays ``banker``, the other two ``unit``."""
    return [-banker, banker + 2 * unit, -unit, -unit]


def test_own_tile_closed_and_straight() -> None:
    """Scoring: closed, own_tile, straight one double each; the banker pays and receives one more."""
    won = beijing(RUNS, "8s")
    assert won.patterns == D8 and won.deltas == amounts(8, 16)
    banker = beijing(RUNS, "8s", seat=0)
    assert banker.patterns == D8 | {"banker": "x2"} and banker.deltas == [48, -16, -16, -16]


def test_discard_doubles_the_discarders_payment_only() -> None:
    """Scoring, own_tile: discard and robbed kong on the giver's payment (decision 1)."""
    for source in ("discard", "robbed_kong"):
        assert beijing(RUNS, "8s", source, giver=2).deltas == [-8, 20, -8, -4]
    assert beijing(RUNS, "8s", "discard", giver=0).deltas == [-16, 24, -4, -4]


def test_open_hands_win_by_their_own_tile_only() -> None:
    """Winning shapes: no open set on a discard, a closed kong is none; own tile x2, straight x2."""
    assert beijing(OPEN, "8s", "discard", giver=2, declared="234m<0").code == "not_closed"
    assert beijing(OPEN, "8s", declared="234m<0").deltas == amounts(4, 8)
    closed_kong = beijing(OPEN, "8s", "discard", giver=2, declared="1111m")
    assert closed_kong.deltas == [-(8 + 2), 10 + 10 + 6, -(8 + 2), -(4 + 2)]


def test_two_wilds_may_take_a_discard_three_may_not() -> None:
    """Winning shapes, decision 6."""
    won = beijing(TWO_WILDS, "8s", "discard", giver=2)
    assert won.patterns == {"closed": "x2"} and won.deltas == [-4, 10, -4, -2]
    assert beijing("23m5p67m5p78p5p99s67s", "8s", "discard", giver=2).code == "not_closed"


def test_a_lone_wild_takes_no_discard() -> None:
    """Winning shapes, decision 7."""
    assert beijing(LONE, "N", "discard", giver=2).code == "lone_wild_wait"
    assert beijing("2244m88p99p1177s5p", "N", "robbed_kong", giver=2).code == "lone_wild_wait"
    assert beijing("46m789m123p789s22s", "5p", "discard", giver=2).code == "wild_discard"


def test_wild_eye_and_native_wild_flush_are_optional() -> None:
    """Scoring, wild_eye, native_wild_flush; decision 8: neither beside a real straight."""
    assert beijing(LONE, "N").deltas == amounts(4, 8)
    eye = beijing(LONE, "N", options={"wild_eye": True})
    assert eye.patterns == {"closed": "x2", "own_tile": "x2", "wild_eye": "x2"} and eye.deltas == amounts(8, 16)
    assert beijing(LONE, "5p", options={"wild_eye": True}).deltas == amounts(8, 16)
    own_suit = "235p456p789p99m67m"
    assert beijing(own_suit, "8m").deltas == amounts(8, 16)
    native = beijing(own_suit, "8m", options={"native_wild_flush": True})
    assert "native_wild_flush" in native.patterns and native.deltas == amounts(16, 32)


def test_flush_with_open_runs_and_wilds() -> None:
    """Scoring, flush: 123, 456, 789 of one suit among the four sets."""
    assert beijing("123456789s99m67m", "8m").patterns == D8 | {"flush": "x2"}
    won = beijing("123s78s5p99m67m", "8m", declared="456s<0")
    assert won.patterns == {"own_tile": "x2", "flush": "x2"} and won.deltas == amounts(4, 8)


def test_seven_pairs_and_deluxe() -> None:
    """Scoring, seven_pairs, deluxe: four alike, none of them a wild."""
    won = beijing("2222s44s66m88m11pE", "E")
    assert won.patterns == D8 | {"seven_pairs": "x2", "deluxe": "x2"} and won.deltas == amounts(32, 64)
    with_wild = beijing("222s5p44s66m88m11pE", "E")
    assert with_wild.patterns == {"closed": "x2", "own_tile": "x2", "seven_pairs": "x2"}


def test_catch_five() -> None:
    """Scoring, catch_five: a real 5m between 4m and 6m, of which wilds may play one, or pairing a real 5m."""
    assert beijing("46m789m123p789s22s", "5m").patterns == D8 | {"catch_five": "x2"}
    by_wild = beijing("46m789m123p789s22s", "5p")
    assert by_wild.patterns == {"closed": "x2", "own_tile": "x2"}
    assert "catch_five" in beijing("6m5p789m123p789s22s", "5m").patterns
    pairs = beijing("5m1122m33p77p99sEE", "5m")
    assert pairs.patterns == D8 | {"seven_pairs": "x2", "catch_five": "x2"}


def test_catch_five_where_5m_is_wild() -> None:
    """Decision 9: then the 5m must stand at its face value."""
    won = beijing("46m789m123p789s22s", "5m", indicator="4m")
    assert won.patterns == D8 | {"catch_five": "x2"}
    # seven pairs: 44 66 77 7+5 88 9s+5 and the drawn 5m with a 5m, both at face; 2 x 2 x 2 x 2, wild kong 20 from each besides
    pairs = beijing("445556677788m9s", "5m", indicator="4m")
    assert set(pairs.patterns) == {"closed", "own_tile", "seven_pairs", "catch_five"}
    assert pairs.win["points"] == 32 + 16 + 16


def test_kong_bloom_doubles_the_kong_points_too() -> None:
    """Scoring, kong_bloom; Kongs: closed 2, open 1 from each, only the winner's."""
    won = beijing(OPEN, "8s", "kong", declared="1111m")
    assert won.patterns == D8 | {"kong_bloom": "x2"} and won.deltas == amounts(16 + 4, 32 + 4)
    opened = beijing("789p99p67s", "8s", declared="6666m<3 EEEE+2")
    assert opened.deltas == amounts(4 + 2, 8 + 2)
    assert beijing(RUNS, "8s", others={3: player(declared="EEEE")}).deltas == amounts(8, 16)


def test_kong_points_banker_option() -> None:
    """Option kong_points_banker."""
    won = beijing("789p99p67s", "8s", declared="6666m<3 EEEE+2", options={"kong_points_banker": True})
    assert won.deltas == amounts(4 + 2, 8 + 4)


def test_heavenly_and_earthly_wins_replace_the_score() -> None:
    """Scoring, rare events; decision 2, 11; option rare_points."""
    heavenly = beijing(RUNS, "8s", "deal", seat=0)
    assert heavenly.patterns == {"tianhu": "20 points"} and heavenly.deltas == [60, -20, -20, -20]
    earthly = beijing(RUNS, "8s", "discard", giver=0, win={"first_turn": True}, options={"rare_points": 10})
    assert earthly.patterns == {"dihu": "10 points"} and earthly.deltas == [-10, 30, -10, -10]


def test_wild_kong_of_winner_and_loser() -> None:
    """Payments, hungang; decision 3: beside the win, the winning tile counted; also in a drawn hand."""
    loser = beijing(RUNS, "8s", others={3: player("5555p28m14s6sWNCF")})
    assert loser.deltas == [-16 - 20, 32 - 20, -8 - 20, -8 + 60]
    winner = beijing("23m5p67m5p78p5p99s67s", "5p")
    assert winner.deltas[2] <= -20
    players = [player("5555pESW"), player(), player(), player()]
    assert settle({"rules": "beijing", "indicator": "4p", "players": players, "wins": []}).deltas == [60, -20, -20, -20]


def test_who_discards_a_wild_may_not_win() -> None:
    """Wild and bonus tiles; Irregularities."""
    assert beijing(RUNS, "8s", own={"discards": "E5p"}).code == "wild_discarded"


def test_closed_kong_is_robbed_for_a_run_of_a_flush_only() -> None:
    """Winning shapes, robbing: the robbed tile in one of the flush's three runs."""
    closed = {"robbed_kind": "concealed"}
    assert beijing(RUNS, "8s", "robbed_kong", giver=2, win=closed).code == "no_robbing"
    flush = beijing("12345789s99m234p", "6s", "robbed_kong", giver=2, win=closed)
    assert flush.patterns == {"closed": "x2", "straight": "x2", "flush": "x2"}
    assert flush.deltas == [-16, 40, -16, -8]
    beside = beijing("123456789s99m23p", "4p", "robbed_kong", giver=2, win=closed)
    assert beside.code == "no_robbing"


@pytest.mark.parametrize(
    ("options", "record", "times"),
    [
        ({"upstairs": True}, {"draw_streak": 2}, 2),
        ({"upstairs": True}, {"repeat": 2}, 1),
        ({"upstairs": True, "upstairs_long_banker": True}, {"repeat": 2}, 2),
        ({"upstairs": True, "upstairs_long_banker": True}, {"repeat": 3, "draw_streak": 1}, 2),
        ({"upstairs_long_banker": True}, {"repeat": 2, "draw_streak": 1}, 1),
    ],
)
def test_upstairs(options: dict[str, bool], record: dict[str, int], times: int) -> None:
    """Options upstairs, upstairs_long_banker; decision 10: once, kong points and rare events too."""
    won = beijing("234m789p99p67s", "8s", declared="6666m", options=options, **record)
    assert won.deltas == amounts(times * (8 + 2), times * (16 + 2))


@pytest.mark.parametrize(
    ("option", "hand", "tile", "declared"),
    [
        ("pure_one_suit", "123s345s678s99s67s", "8s", ""),
        ("all_pungs", "222m888s666p99sEE", "E", ""),
        ("last_tile", RUNS, "8s", ""),
    ],
)
def test_additional_doubles(option: str, hand: str, tile: str, declared: str) -> None:
    """Options with a number of doubles, 0 by default."""
    last = {"last_tile": True}
    assert beijing(hand, tile, win=last).deltas == amounts(8, 16)
    assert beijing(hand, tile, win=last, options={option: 2}).deltas == amounts(32, 64)


def test_single_tile_hand() -> None:
    """Option single_tile_hand: four melds, one tile in hand."""
    won = beijing("9s", "9s", declared="222m<0 678p<0 888s<2 EEE<3", options={"single_tile_hand": 1})
    assert won.patterns == {"own_tile": "x2", "straight": "x2", "single_tile_hand": "x2"}


def test_void_suit_and_at_most_once() -> None:
    """Options void_suit and at_most_once: a filled kong counts as its pung, direct kongs do not count."""
    assert beijing(RUNS, "8s", options={"void_suit": True}).code == "void_suit"
    assert beijing("234m567m789m99s67s", "8s", options={"void_suit": True}).legal
    once = {"at_most_once": True}
    assert beijing("789p99p67s", "8s", declared="6666m+3 234m<0", options=once).code == "too_many_claims"
    assert beijing("789p99p67s", "8s", declared="6666m<3 234m<0", options=once).legal


def test_discarder_pays_all_option() -> None:
    """Option discarder_pays_all: 8 + 8 + 4."""
    assert beijing(RUNS, "8s", "discard", giver=2, options={"discarder_pays_all": True}).deltas == [0, 20, -20, 0]


def test_busted_banker_needs_a_winner() -> None:
    """Option busted_banker, busted_points; the same first discards are read off or listed."""
    options = {"busted_banker": True, "busted_points": 7}
    same = [{"kind": "same_discard", "tile": "E", "rounds": 1}]
    won = beijing(RUNS, "8s", options=options, incidents=same)
    assert won.deltas == [-16 - 21, 32 + 7, -8 + 7, -8 + 7]
    discards = {seat: player(discards="E9m") for seat in (0, 2, 3)}
    assert beijing(RUNS, "8s", options=options, own={"discards": "E"}, others=discards).deltas == won.deltas
    drawn = {"rules": "beijing", "indicator": "4p", "players": [player()] * 4, "wins": [], "options": options}
    assert settle(drawn | {"incidents": same}).deltas == [0, 0, 0, 0]


def test_false_win() -> None:
    """Irregularities; option false_win_fixed costs rare_points to each."""
    record = {"rules": "beijing", "indicator": "4p", "players": [player()] * 4, "wins": []}
    wrong = [{"kind": "false_win", "seat": 2, "claimed": [8, 4, 0, 4]}]
    assert settle(record | {"incidents": wrong}).deltas == [8, 4, -16, 4]
    fixed = {"options": {"false_win_fixed": True}, "incidents": wrong}
    assert settle(record | fixed).deltas == [20, 20, -60, 20]


@pytest.mark.parametrize(("indicator", "wild"), [("9p", "1p"), ("E", "S"), ("N", "E"), ("C", "F"), ("P", "C")])
def test_the_wild_is_the_next_tile(indicator: str, wild: str) -> None:
    """Wild and bonus tiles: 9 -> 1, winds and dragons each in a ring; all four are in play."""
    won = beijing("234m567m789s99s7s" + wild, "8s", indicator=indicator)
    assert won.legal and "straight" not in won.patterns
