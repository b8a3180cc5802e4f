"""Jinan, chapter by chapter of its sheet (docs/sheets/jinan.md). Amounts are worked out by hand from the sheet: points are
(1 + flowers) x the sum of the patterns' multipliers. Nothing hangs on being dealer but the followed dealer; seat 0 deals."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.hands import Settled, declare, player, settle

RUNS = "123m456m789p22s34s"  # waits for 2s and 5s


def jinan(hand: str | None, tile: str | None, source: str = "wall", **more: Any) -> Settled:
    return declare("jinan", hand, tile, source, **{"dealer": 0, "seat": 1} | more)


def test_plain_win() -> None:
    """Scoring, pinghu; Payments: self-draw from all, discard from the discarder once, robbed kong three shares."""
    drawn = jinan(RUNS, "5s", bonus="1f2q")
    assert drawn.patterns == {"pinghu": "x1"} and drawn.deltas == [-3, 9, -3, -3]
    assert jinan(RUNS, "5s", "discard", giver=3).deltas == [0, 1, 0, -1]
    robbed = jinan(RUNS, "5s", "robbed_kong", giver=2, bonus="1f")
    assert robbed.patterns == {"pinghu": "x1"} and robbed.deltas == [0, 6, -6, 0]


@pytest.mark.parametrize(
    ("declared", "flowers"),
    [
        ("EEE<0", 1),
        ("333p<0", 0),
        ("EEEE<0", 2),
        ("EEEE+0", 2),
        ("EEEE", 3),
        ("3333p<0", 1),
        ("3333p+0", 1),
        ("3333p", 2),
    ],
)
def test_flowers_of_declared_sets(declared: str, flowers: int) -> None:
    """Scoring, flowers."""
    won = jinan("123m789p22s34s", "5s", "discard", giver=3, declared=declared)
    assert won.deltas == [0, 1 + flowers, 0, -1 - flowers]


def test_a_pung_completed_by_the_win_is_no_flower() -> None:
    """Scoring: also on self-draw; a triplet in hand counts, and the better place of the winning tile is taken."""
    assert jinan("EE22s123m456m789p", "E").deltas == [-1, 3, -1, -1]
    assert jinan("EEE22s123m456m78p", "9p").deltas == [-2, 6, -2, -2]


@pytest.mark.parametrize(
    ("hand", "tile", "source", "declared", "patterns", "points"),
    [
        ("777p33s55s", "3s", "wall", "111m<2 999p<3", {"pengpenghu": "x2"}, 2),
        ("123m789m22m34m", "5m", "wall", "EEE<2", {"hunyise": "x2"}, 2 * 2),
        ("123m456m78m55p123s", "9m", "wall", "", {"yitiaolong": "x2"}, 2),
        ("123m789p22s34s", "5s", "kong", "6666p", {"gangkai": "x2"}, (1 + 2) * 2),
        ("123m456m789p22s34s", "5s", "flower", "", {"gangkai": "x2"}, 2),
        ("123p345p55p789p67p", "8p", "wall", "", {"qingyise": "x5"}, 5),
        ("123456789s22s67s", "8s", "wall", "", {"qingyise": "x5", "yitiaolong": "x2"}, 7),
        ("SSS55s88s", "8s", "kong", "EEEE 111s<2", {"pengpenghu": "x2", "hunyise": "x2", "gangkai": "x2"}, (1 + 4) * 6),
    ],
)
def test_patterns(hand: str, tile: str, source: str, declared: str, patterns: dict[str, str], points: int) -> None:
    """Scoring: multipliers add (decision 1)."""
    won = jinan(hand, tile, source, declared=declared)
    assert won.patterns == patterns and won.deltas == [-points, 3 * points, -points, -points]


@pytest.mark.parametrize(("combine", "times"), [("add", 7), ("multiply", 10), ("highest", 5)])
def test_combine(combine: str, times: int) -> None:
    """Option combine."""
    assert jinan("123456789s22s67s", "8s", options={"combine": combine}).deltas[0] == -times


def test_the_pair_is_always_258() -> None:
    """Winning shapes: also all pungs and pure suits."""
    assert jinan("123m456m789p99s34s", "5s").code == "pair_not_258"
    assert jinan("777p33s66s", "3s", declared="111m<2 999p<3").code == "pair_not_258"


def test_opened_hands_double_and_win_by_self_draw_only() -> None:
    """Play, 明楼; Payments: x2 for the winner, x2 for the discarder or robbed player."""
    assert jinan(RUNS, "5s", own={"revealed": True}).deltas == [-2, 6, -2, -2]
    assert jinan(RUNS, "5s", "discard", giver=3, own={"revealed": True}).code == "revealed_self_draw_only"
    assert jinan(RUNS, "5s", "robbed_kong", giver=3, own={"revealed": True}).code == "revealed_self_draw_only"
    opened = {3: player(revealed=True)}
    assert jinan(RUNS, "5s", "discard", giver=3, others=opened).deltas == [0, 2, 0, -2]
    assert jinan(RUNS, "5s", "robbed_kong", giver=3, others=opened).deltas == [0, 6, 0, -6]
    assert jinan(RUNS, "5s", others=opened).deltas == [-1, 3, -1, -1]


@pytest.mark.parametrize(("streak", "times"), [(1, 2), (2, 4), (3, 8), (4, 16), (5, 32), (8, 32)])
def test_drawn_hands_before_double(streak: int, times: int) -> None:
    """Payments, draw_streak."""
    assert jinan(RUNS, "5s", "discard", giver=3, draw_streak=streak).deltas == [0, times, 0, -times]


def test_three_claims_bind_both_ways() -> None:
    """Liability, 3口: all three shares on a self-draw, the discarder's payment on another's discard."""
    claims = "123m<3 999p<3 4444s+3"
    won = jinan("67p22s", "8p", declared=claims)
    assert won.deltas == [0, 6, 0, -6]
    assert jinan("67p22s", "8p", "discard", giver=2, declared=claims).deltas == [0, 2, 0, -2]
    other_way = jinan(RUNS, "5s", others={2: player(declared="123p<1 999m<1 456s<1")})
    assert other_way.deltas == [0, 3, -3, 0]


def test_konged_discard_pays_all_shares() -> None:
    """Liability, 槓爆 goes before three claims; another kong's replacement makes nobody liable."""
    won = jinan("123m22s34s", "5s", "kong", declared="EEEE<2 7777p", win={"kong_from": 2})
    assert won.deltas == [0, 3 * (1 + 4) * 2, -30, 0]
    claims = jinan("22s34s", "5s", "kong", declared="123m<0 789p<0 7777s<0", win={"kong_from": 0})
    assert claims.deltas[0] == -claims.deltas[1]
    free = jinan("123m22s34s", "5s", "kong", declared="EEEE<2 7777p", win={"kong_tile": "7p"})
    assert free.deltas == [-10, 30, -10, -10]


def test_robbed_kong_goes_before_three_claims() -> None:
    """Decisions: precedence of liabilities."""
    won = jinan("67p22s", "8p", "robbed_kong", giver=2, declared="123m<3 999p<3 456s<3")
    assert won.deltas == [0, 3, -3, 0]


def test_followed_dealer() -> None:
    """Kongs and other payments, 跟荘: agreed amount x 2^(rounds - 1), also in drawn hands, listed or read off the discards."""
    record = {"rules": "jinan", "dealer": 1, "wins": [], "options": {"genzhuang": 5}}
    twice = [{"kind": "same_discard", "tile": "N", "rounds": 2}]
    assert settle(record | {"players": [player()] * 4, "incidents": twice}).deltas == [10, -30, 10, 10]
    seen = [player(discards=d) for d in ("N1m", "N", "N3p", "N")]
    assert settle(record | {"players": seen}).deltas == [5, -15, 5, 5]


def test_head_bump_and_multiple_winners() -> None:
    """Play; option multiple_winners."""
    players = [player(), player(RUNS), player(), player("123p678p345m88p67s")]
    wins = [{"seat": s, "tile": "5s", "source": "discard", "from": 2} for s in (1, 3)]
    record = {"rules": "jinan", "players": players, "wins": wins}
    assert settle(record).code == "head_bump" and settle(record).deltas == [0, 0, -1, 1]
    assert settle(record | {"options": {"multiple_winners": True}}).deltas == [0, 1, -2, 1]


def test_dead_hand_robbing_and_false_win() -> None:
    """Irregularities; decisions: only added kongs are robbed; a false win settles nothing."""
    assert jinan(RUNS, "5s", incidents=[{"kind": "dead_hand", "seat": 1, "why": "short"}]).code == "dead_hand"
    assert jinan(RUNS, "5s", "robbed_kong", giver=2, win={"robbed_kind": "concealed"}).code == "no_robbing"
    wrong = [{"kind": "false_win", "seat": 2, "claimed": [2, 1, 0, 1]}]
    assert settle({"rules": "jinan", "players": [player()] * 4, "wins": [], "incidents": wrong}).deltas == [0, 0, 0, 0]
