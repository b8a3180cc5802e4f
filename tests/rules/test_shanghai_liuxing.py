"""Popular style Shanghai, chapter by chapter of its sheet (docs/sheets/shanghai_liuxing.md). Amounts by hand: P = 2^tai; the
discarder 2P and the others P, on a self-draw 2P from each. Seat 0 wins and deals, round wind east, unless said."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.hands import Settled, declare, melds, player, settle

RUNS = "234m567m345p99p67s"  # waits for 5s and 8s: a flat hand
PLAIN = "234m567m345pCC67s"  # the same with a pair of dragons: no tai at all


def liuxing(hand: str | None, tile: str | None, source: str = "wall", **more: Any) -> Settled:
    return declare("shanghai_liuxing", hand, tile, source, **{"dealer": 0} | more)


def test_a_win_without_tai() -> None:
    """Winning shapes: no minimum, 0 tai wins; Payments: 2P from each on a self-draw."""
    won = liuxing(PLAIN, "8s")
    assert won.patterns == {} and won.deltas == [6, -2, -2, -2]


def test_discard_and_robbed_kong_cost_the_giver_double() -> None:
    """Payments; the dealer has no part in doubling."""
    won = liuxing(RUNS, "8s", "discard", seat=1, giver=2)
    assert won.patterns == {"pinghu": "1 tai"} and won.deltas == [-2, 8, -4, -2]
    robbed = liuxing(RUNS, "8s", "robbed_kong", seat=1, giver=0, others={0: {"melds": melds("888s<2")}})
    assert robbed.patterns == {"pinghu": "1 tai", "qianggang": "1 tai"} and robbed.deltas == [-8, 16, -4, -4]
    assert liuxing(RUNS, "8s", "robbed_kong", giver=1, win={"robbed_kind": "concealed"}).code == "no_robbing"


@pytest.mark.parametrize(
    ("hand", "tile", "more", "patterns"),
    [
        ("234m567m99p67s", "8s", {"declared": "CCC<1"}, {"sanyuan": 1}),
        ("234m99p67s", "8s", {"declared": "CCC<1 FFFF<2"}, {"sanyuan": 2}),
        ("234m567m99p67s", "8s", {"declared": "SSS<0", "seat": 1}, {"zuofeng": 1}),
        ("234m567m99p67s", "8s", {"declared": "EEE<0", "seat": 1}, {"quanfeng": 1}),
        ("234m567m99p67s", "8s", {"declared": "EEE<1"}, {"zuofeng": 1, "quanfeng": 1}),
        ("234m567m99p67s", "8s", {"declared": "WWW<1"}, {}),
        ("222m55p77s", "7s", {"declared": "333p<1 8888s<2"}, {"duiduihu": 2}),
        ("234567p99p67p", "8p", {"declared": "NNN<1"}, {"hunyise": 2}),
        ("SSSNNNWWPP", "W", {"declared": "FFF<1"}, {"hunyise": 2, "duiduihu": 2, "sanyuan": 1}),
        ("22m67m", "8m", {"declared": "123m<3 456m<3 567m<3"}, {"qingyise": 4, "pinghu": 1}),
        ("234m567m345p99p46s", "5s", {}, {"pinghu": 1, "bian_kan_diao": 1}),
        ("234m567m345p99p12s", "3s", {}, {"pinghu": 1, "bian_kan_diao": 1}),
        ("234m567m345p678s9p", "9p", {}, {"pinghu": 1, "bian_kan_diao": 1}),
        ("234m567m345p1234s", "4s", {}, {"pinghu": 1, "bian_kan_diao": 1}),
        (PLAIN, "8s", {"bonus": "1f1q4q"}, {"zuohua": 2}),
        (PLAIN, "8s", {"bonus": "1234f1q"}, {"sizhihua": 2, "zuohua": 1}),
        (PLAIN, "8s", {"bonus": "1234f1234q"}, {"sizhihua": 4}),
        (PLAIN, "8s", {"bonus": "2f", "source": "flower"}, {"gangtou_kaihua": 1}),
        ("234m567mCC67s", "8s", {"declared": "3333p", "source": "kong"}, {"gangtou_kaihua": 1}),
    ],
)  # fmt: skip
def test_every_pattern(hand: str, tile: str, more: dict[str, Any], patterns: dict[str, int]) -> None:
    """Scoring, the table line by line; Payments: 2 x 2^tai from each on a self-draw."""
    won = liuxing(hand, tile, **more)
    assert won.patterns == {name: f"{worth} tai" for name, worth in patterns.items()}
    seat = more.get("seat", 0)
    assert won.deltas[seat] == 3 * 2 * 2 ** sum(patterns.values())


@pytest.mark.parametrize(("pair", "flat"), [("NN", True), ("CC", False), ("EE", False), ("SS", False)])
def test_flat_hand_needs_a_pair_without_worth(pair: str, flat: bool) -> None:
    """Scoring, pinghu: no pair of dragons, own wind (south at seat 1) or round wind (east)."""
    won = liuxing(f"234m567m345p{pair}67s", "8s", seat=1)
    assert ("pinghu" in won.patterns) == flat


def test_kong_chain_changes_nothing() -> None:
    """Use of the record: one tai whatever ``kong_chain`` says."""
    won = liuxing("567mCC67s", "8s", "kong", declared="3333p 9999m", win={"kong_chain": 2})
    assert won.patterns == {"gangtou_kaihua": "1 tai"}


@pytest.mark.parametrize(
    ("declared", "source", "deltas"),
    [
        ("123m<3 456m<3 567m<3", "discard", [128, 0, -128, 0]),  # 5 tai: 32, all four shares from the discarder
        ("123m<3 456m<3 567m<3", "wall", [192, -64, -64, -64]),
        ("123m<3 567m<3 9999m", "discard", [64, -16, -32, -16]),  # the concealed kong is not claimed: 4 tai
    ],
)
def test_full_flush_behind_three_claimed_sets(declared: str, source: str, deltas: list[int]) -> None:
    """Liability, bao_qingyise: the discarder pays all shares; not for self-draws, concealed kongs do not count."""
    won = liuxing("22m67m", "8m", source, giver=2 if source == "discard" else None, declared=declared)
    assert "qingyise" in won.patterns and won.deltas == deltas


def test_robbed_player_is_liable_like_a_discarder() -> None:
    """Decisions: the robbed player stands for the discarder, also for the liability: 6 tai, 4 x 64."""
    won = liuxing(
        "22m67m", "8m", "robbed_kong", giver=2, declared="123m<3 456m<3 567m<3", others={2: {"melds": melds("888m<0")}}
    )
    assert won.deltas == [256, 0, -256, 0]


def test_fixed_amount() -> None:
    """Options, base_points."""
    assert liuxing(RUNS, "8s", options={"base_points": 3}).deltas == [36, -12, -12, -12]


def test_refusals() -> None:
    """Winning shapes (no seven pairs); Irregularities: a dead hand may not win; one winner a discard, the nearest."""
    assert liuxing("1133m4477p99sEES", "S").code == "no_shape"
    dead = liuxing(RUNS, "8s", incidents=[{"kind": "dead_hand", "seat": 0, "why": "long"}])
    assert dead.code == "dead_hand" and dead.deltas == [0, 0, 0, 0]
    players = [{}, player(RUNS), {}, player("123m456m789p55p79s")]
    wins = [{"seat": seat, "tile": "8s", "source": "discard", "from": 0} for seat in (3, 1)]
    both = settle({"rules": "shanghai_liuxing", "players": players, "wins": wins})
    assert [w["legal"] for w in both.data["wins"]] == [False, True] and both.code == "head_bump"


def test_drawn_hands_and_false_wins_move_nothing() -> None:
    """Payments; Irregularities."""
    record = {"rules": "shanghai_liuxing", "players": [{"bonus": "1f"}, player(None, "3333p"), {}, {}], "wins": []}
    assert settle(record).deltas == [0, 0, 0, 0]
    fine = {"kind": "false_win", "seat": 2, "claimed": [4, 2, 0, 2]}
    assert settle(record | {"incidents": [fine]}).deltas == [0, 0, 0, 0]
