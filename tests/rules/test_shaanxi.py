"""Shaanxi, chapter by chapter of its sheet (docs/sheets/shaanxi.md). Amounts are worked out by hand from the sheet:
each loser pays (1, with the dealer 2, + both stakes) x 2 unless won on a discard. Seat 0 deals."""

from __future__ import annotations

from typing import Any

import pytest

from referee.rules.record import RecordError
from tests.rules.hands import Settled, declare, player, settle

RUNS = "234m567m345p99p67s"  # waits for 5s and 8s


def shaanxi(hand: str | None, tile: str | None, source: str = "wall", **more: Any) -> Settled:
    return declare("shaanxi", hand, tile, source, **{"dealer": 0} | more)


def test_discard_is_paid_by_all_three_alike() -> None:
    """Payments: the discarder pays no more than the others; the dealer 2."""
    won = shaanxi(RUNS, "8s", "discard", seat=1, giver=3)
    assert won.patterns == {"fangpao": "x1"}
    assert won.deltas == [-2, 4, -1, -1]


@pytest.mark.parametrize(
    ("source", "fields", "pattern"),
    [("wall", {}, "zimo"), ("deal", {}, "zimo"), ("robbed_kong", {"giver": 2}, "qianggang")],
)
def test_self_draw_dealt_hand_and_robbed_kong_double(source: str, fields: dict[str, Any], pattern: str) -> None:
    """Scoring, zimo and qianggang x2; decisions 2 and 5."""
    won = shaanxi(RUNS, "8s", source, **fields)
    assert won.patterns == {pattern: "x2"}
    assert won.deltas == [12, -4, -4, -4]


def test_kong_bloom_is_a_self_draw_however_long_the_chain() -> None:
    """Scoring, gangkai; Kongs: the two closed kongs are 2 from each besides."""
    won = shaanxi("345p99p67s", "8s", "kong", seat=2, declared="1111m EEEE", win={"kong_chain": 2})
    assert won.patterns == {"gangkai": "x2"}
    assert won.deltas == [-4 - 4, -2 - 4, 16 + 4, -2 - 4]


def test_stakes_of_both_are_added_before_doubling() -> None:
    """Payments: (d + stake of winner + stake of payer) x f."""
    others = {0: player(stake=4), 2: player(stake=0), 3: player(stake=1)}
    won = shaanxi(RUNS, "8s", seat=1, own={"stake": 3}, others=others)
    assert won.deltas == [-(2 + 3 + 4) * 2, 18 + 8 + 10 - 2 + 2, -(1 + 3 + 0) * 2, -(1 + 3 + 1) * 2]


def test_kongs_are_paid_at_once_and_stand_in_a_drawn_hand() -> None:
    """Kongs and other payments: closed 2 from each, added 1 from each, claimed 2 from its discarder."""
    players = [player(declared="1111m"), player(declared="EEEE+0"), player(declared="5555s<3"), player()]
    drawn = settle({"rules": "shaanxi", "players": players, "wins": []})
    assert drawn.deltas == [6 - 1, 3 - 2, 2 - 2 - 1, -2 - 1 - 2]


def test_only_added_kongs_can_be_robbed() -> None:
    """Winning shapes, decision 7."""
    assert shaanxi(RUNS, "8s", "robbed_kong", giver=1, win={"robbed_kind": "concealed"}).code == "no_robbing"


def test_the_nearest_claimant_wins() -> None:
    """Winning shapes: only the nearest in turn after the discarder."""
    players = [player(RUNS), player(), player("123m456m789p22s67s"), player()]
    wins = [{"seat": seat, "tile": "8s", "source": "discard", "from": 1} for seat in (0, 2)]
    settled = settle({"rules": "shaanxi", "players": players, "wins": wins})
    assert [w["legal"] for w in settled.data["wins"]] == [False, True]
    assert settled.deltas == [-2, -1, 4, -1]


@pytest.mark.parametrize(
    ("option", "hand", "tile"),
    [("seven_pairs", "1111m55p99pEENN2s", "2s"), ("thirteen_orphans", "19m19p19sESWNCFP", "P")],
)
def test_other_shapes_win_by_option_only(option: str, hand: str, tile: str) -> None:
    """Options seven_pairs (four alike may be two pairs) and thirteen_orphans: no extra value."""
    assert shaanxi(hand, tile).code == "no_shape"
    won = shaanxi(hand, tile, options={option: True})
    assert won.patterns == {"zimo": "x2"} and won.deltas == [12, -4, -4, -4]


def test_dead_hand_may_not_win_but_keeps_its_kongs() -> None:
    """Irregularities; Kongs: kept after a later foul of one's own."""
    dead = [{"kind": "dead_hand", "seat": 1, "why": "long"}]
    lost = shaanxi("345p99p67s234m", "8s", seat=1, declared="EEEE", incidents=dead)
    assert lost.code == "dead_hand" and lost.deltas == [-2, 6, -2, -2]


def test_false_win_pays_the_announced_amounts() -> None:
    """Irregularities."""
    record = {"rules": "shaanxi", "players": [player()] * 4, "wins": []}
    fine = settle(record | {"incidents": [{"kind": "false_win", "seat": 3, "claimed": [2, 1, 1, 0]}]})
    assert fine.deltas == [2, 1, 1, -4]


def test_a_stake_above_four_is_an_error() -> None:
    """Decision 4."""
    with pytest.raises(RecordError, match="stake"):
        shaanxi(RUNS, "8s", own={"stake": 5})
