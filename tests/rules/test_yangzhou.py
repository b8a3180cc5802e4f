"""Yangzhou, chapter by chapter of its sheet (docs/sheets/yangzhou.md). Amounts by hand on the common scale: S = sum of points, on
a self-draw S from each. Seat 1 (south) wins, seat 0 deals, round wind east unless said; ``FREE`` plays without a minimum so
that small patterns can be seen one by one."""

from __future__ import annotations

from typing import Any

import pytest

from referee.rules.ruleset import load
from tests.rules.hands import Settled, declare, melds, player, settle

FREE = {"min": 0}
FLAT = {"pinghu": 1, "zimo": 1}  # four runs, self-drawn, claimed sets among them


def yangzhou(hand: str | None, tile: str | None, source: str = "wall", **more: Any) -> Settled:
    return declare("yangzhou", hand, tile, source, **{"dealer": 0, "seat": 1} | more)


def values(won: Settled) -> dict[str, int]:
    return {name: int(worth.split()[0]) for name, worth in won.patterns.items()}


@pytest.mark.parametrize(
    ("hand", "tile", "declared", "patterns"),
    [
        ("234m678m456pNN34s", "5s", "", FLAT | {"menqing": 1}),
        ("678m456pNN34s", "5s", "234m<0", FLAT),
        ("678m456p345sN", "N", "234m<0", FLAT | {"dandiao": 1}),
        ("678m456pNN35s", "4s", "234m<0", FLAT | {"yazi": 1}),
        ("678m456pNN12s", "3s", "234m<0", FLAT | {"bianzhang": 1}),
        ("678m456p99p34p", "5p", "234m<0", FLAT | {"queyi": 1, "yaotou": 1}),
        ("678m456p99p34s", "5s", "234m<0", FLAT | {"yaotou": 1}),
        ("678m456p55p34s", "5s", "234m<0", FLAT | {"duanyao": 1}),
        ("678m234pNN34s", "5s", "234m<0", FLAT | {"qixiang": 1}),
        ("678m234pNN67s", "8s", "234m<0", FLAT | {"qixiang": 2}),
        ("567m456pNN34s", "5s", "234m<0", FLAT | {"lianfu": 1}),
        ("789m456pNN34s", "5s", "123m<0", FLAT | {"laoshao": 1}),
        ("678m222pNN34s", "5s", "234m<0", {"zimo": 1, "zige": 1}),
        ("678mNN34s", "5s", "234m<0 2222p<2", {"zimo": 1, "minggang": 1}),
        ("678mNN34s", "5s", "234m<0 2222p+2", {"zimo": 1, "minggang": 1}),
        ("678mNN34s", "5s", "234m<0 2222p", {"zimo": 1, "angang": 2}),
        ("678mNN34s", "5s", "234m<0 SSS<2", {"zimo": 1, "menfeng": 1}),
        ("678mNN34s", "5s", "234m<0 EEE<2", {"zimo": 1, "quanfeng": 1}),
        ("78mNN", "6m", "234s<0 CCC<2 FFF<3", {"zimo": 1, "jian": 2}),
    ],
)  # fmt: skip
def test_minor_patterns(hand: str, tile: str, declared: str, patterns: dict[str, int]) -> None:
    """Scoring, minor patterns, line by line, self-drawn."""
    won = yangzhou(hand, tile, declared=declared, options=FREE)
    assert values(won) == patterns and won.deltas[1] == 3 * sum(patterns.values())


@pytest.mark.parametrize(
    ("hand", "tile", "declared", "patterns"),
    [
        ("234m456pNN34s", "5s", "234m<0", FLAT | {"yiban": 10}),
        ("678pNN78p", "9p", "234p<0 CCC<2", {"zimo": 1, "jian": 1, "hunyise": 15}),
        ("345pNN78m", "9m", "123m<0 456m<0", FLAT | {"yitiaolong": 15}),
        ("678mNN34s", "2s", "234m<0 234p<0", FLAT | {"sanfutong": 15}),
        ("77mNN", "7m", "333p<0 888m<2 222s<3", {"zimo": 1, "zige": 1, "duiduihu": 15}),
        ("NN78p", "9p", "123m<0 789m<0 123p<0", FLAT | {"shuangpiao": 15}),
        ("NN45p", "6p", "123m<0 456m<0 123p<0", FLAT | {"shuanglianshuangxi": 15}),
        ("NN67s", "5s", "234m<0 234m<0 567s<0", FLAT | {"shuangbanban": 30}),
        ("NN34s", "2s", "234m<0 234m<0 234p<0", FLAT | {"sifutong": 30}),
        ("678p99p78p", "9p", "234p<0 222p<2", {"zimo": 1, "yaotou": 1, "qingyise": 60}),
        ("34mNN678s", "2m", "234m<0 234m<0", FLAT | {"tieban": 60}),
        ("NN34p", "2p", "234m<0 234m<0 234p<0", FLAT | {"shuangbanshuangxi": 60}),
        ("567m67mNN", "5m", "234m<0 234m<0", FLAT | {"hunyise": 15, "shuangbanshuanglian": 60}),
        ("789m78mNN", "9m", "123m<0 123m<0", FLAT | {"hunyise": 15, "shuangbanshuanglao": 60}),
        ("NNNFFPP", "P", "EEE<0 WWW<2", {"zimo": 1, "quanfeng": 1, "zige": 2, "jian": 1, "fengqing": 240}),
        ("234m34mNN", "2m", "234m<0 234m<0", FLAT | {"hunyise": 15, "gangban": 480}),
    ],
)  # fmt: skip
def test_big_patterns(hand: str, tile: str, declared: str, patterns: dict[str, int]) -> None:
    """Scoring, big patterns with what they exclude; pinghu is added to those made of four runs (decision 5)."""
    won = yangzhou(hand, tile, declared=declared, options=FREE)
    assert values(won) == patterns and won.deltas[1] == 3 * sum(patterns.values())


@pytest.mark.parametrize(
    ("scale", "tiers", "least"),
    [
        ("old", (7, 10, 20, 40, 160, 320), 7),
        ("common", (10, 15, 30, 60, 240, 480), 13),
        ("new", (15, 20, 50, 80, 320, 640), 18),
        ("light", (3, 4, 8, 16, 32, 32), 3),
    ],
)
def test_scales(scale: str, tiers: tuple[int, ...], least: int) -> None:
    """Scoring, the table of tiers; all honours 4 x Q and quadruplet runs 8 x Q, light 2 x Q."""
    hands = (
        ("yiban", "234m456pNN34s", "5s", "234m<0"),
        ("yitiaolong", "345pNN78m", "9m", "123m<0 456m<0"),
        ("shuangbanban", "NN67s", "5s", "234m<0 234m<0 567s<0"),
        ("tieban", "34mNN678s", "2m", "234m<0 234m<0"),
        ("fengqing", "NNNFFPP", "P", "EEE<0 WWW<2"),
        ("gangban", "234m34mNN", "2m", "234m<0 234m<0"),
    )
    for (pattern, hand, tile, declared), worth in zip(hands, tiers, strict=True):
        won = yangzhou(hand, tile, declared=declared, options={"scale": scale, "min": 0})
        assert values(won)[pattern] == worth
    poor = yangzhou("678m456pNN34s", "5s", declared="234m<0", options={"scale": scale})
    assert poor.code == "below_minimum" and str(least) in poor.win["reason"]


@pytest.mark.parametrize(
    ("hand", "tile", "declared", "combination", "bonus"),
    [
        ("123mNN78m", "9m", "123m<0 456m<0", "hunbanlong", 25),
        ("345m78mNN", "9m", "123m<0 456m<0", "hunlong", 10),
        ("77m99m", "7m", "333m<0 888m<2 NNN<3", "hunduidui", 10),
        ("345m78m99m", "9m", "123m<0 456m<0", "qinglong", 30),
        ("77m99m", "7m", "333m<0 888m<2 222m<3", "qingduidui", 30),
        ("123m78m99m", "9m", "123m<0 456m<0", "qingbanlong", 45),
    ],
)  # fmt: skip
def test_combinations_of_the_new_scale(hand: str, tile: str, declared: str, combination: str, bonus: int) -> None:
    """Scoring, combinations: added to their parts on scale new only."""
    new = values(yangzhou(hand, tile, declared=declared, options={"scale": "new"}))
    names = {"banlong", "hunlong", "hunduidui", "hunbanlong", "qinglong", "qingduidui", "qingbanlong"}
    assert {name: worth for name, worth in new.items() if name in names} == {combination: bonus}
    assert not names & set(values(yangzhou(hand, tile, declared=declared)))


def test_straight_with_twins() -> None:
    """Scoring, banlong: T 15 + M 20 + 15 = 50 in all, minor patterns on top."""
    won = yangzhou("123m78m99p", "9m", declared="123m<0 456m<0", options={"scale": "new"})
    assert values(won) == FLAT | {"queyi": 1, "yaotou": 1, "yiban": 15, "yitiaolong": 20, "banlong": 15}


def test_payments() -> None:
    """Payments: discard and robbed kong 2S from the giver; nothing for robbing, a kong's replacement or the last tile."""
    hand, declared = "345pNN78m", "123m<0 456m<0"
    assert yangzhou(hand, "9m", "discard", giver=3, declared=declared).deltas == [0, 32, 0, -32]
    robbed = yangzhou(hand, "9m", "robbed_kong", giver=3, declared=declared, win={"last_tile": True})
    assert robbed.deltas == [0, 32, 0, -32]
    bloom = yangzhou("NN78m", "9m", "kong", declared="123m<0 456m<0 EEEE")
    assert values(bloom) == {"zimo": 1, "angang": 2, "quanfeng": 1, "hunyise": 15, "yitiaolong": 15}


def test_pung_finished_by_a_discard_is_not_closed() -> None:
    """Scoring, zige."""
    won = yangzhou("77mNN", "7m", "discard", giver=3, declared="333p<0 888m<2 222s<3")
    assert values(won) == {"duiduihu": 15}


def test_single_calls_count_kinds() -> None:
    """Decisions, 4: a pair wait that shares the hand with another call is none; kinds held four times are no calls."""
    two = yangzhou("678m456p2345s", "2s", declared="234m<0", options=FREE)
    assert "dandiao" not in two.patterns
    one = yangzhou("678m2345s", "2s", declared="234m<0 555s<3", options=FREE)
    assert values(one) == {"zimo": 1, "dandiao": 1, "duanyao": 1, "queyi": 1}


@pytest.mark.parametrize(
    ("hand", "tile", "source", "more", "code"),
    [
        ("678m456pNN34s", "5s", "wall", {"declared": "234m<0"}, "below_minimum"),
        ("234m234m456pNN34s", "5s", "discard", {}, "below_minimum"),
        ("1133m4477p99sEES", "S", "wall", {}, "no_shape"),
        ("NN67m", "8m", "wall", {"declared": "123m<0 123m<0 456m<0"}, "must_be_pure"),
        ("345pNN78m", "9m", "robbed_kong", {"declared": "123m<0 456m<0", "win": {"robbed_kind": "concealed"}}, "no_robbing"),
        ("345pNN78m", "9m", "wall", {"declared": "123m<0 456m<0", "incidents": [
            {"kind": "dead_hand", "seat": 1, "why": "missed_win"}]}, "dead_hand"),
    ],
)  # fmt: skip
def test_refusals(hand: str, tile: str, source: str, more: dict[str, Any], code: str) -> None:
    """Winning shapes and restrictions; missed wins come as dead hands."""
    won = yangzhou(hand, tile, source, giver=None if source == "wall" else 3, **more)
    assert won.code == code and won.deltas == [0, 0, 0, 0]


def test_twin_runs_reach_thirteen_by_self_draw_only() -> None:
    """Restrictions: 10 + menqing 1 + pinghu 1 are twelve on a discard, thirteen self-drawn."""
    assert yangzhou("234m234m456pNN34s", "5s").deltas == [-13, 39, -13, -13]
    assert yangzhou("234m234m456pNN34s", "5s", "discard", giver=3, options={"min": 10}).deltas == [0, 24, 0, -24]


@pytest.mark.parametrize(
    ("declared", "source", "deltas"),
    [
        ("123m<0 123m<0 456m<0", "discard", "left"),
        ("123m<0 123m<0 456m<0", "wall", "left"),
        ("123m<0 9999m 456m<0", "discard", "giver"),
        ("123m<0 456m<0 999m<2", "discard", "giver"),
        ("999m<2 456m<0 123m<0", "discard", "left"),
    ],
)
def test_third_open_set_of_a_pure_hand(declared: str, source: str, deltas: str) -> None:
    """Liability: the third claimed set is a chow: its feeder pays everything; a pung there binds nobody."""
    won = yangzhou("22m67m", "8m", source, giver=3 if source == "discard" else None, declared=declared)
    owed = (3 if source == "wall" else 2) * sum(values(won).values())
    payer = 0 if deltas == "left" else 3
    assert won.deltas == [owed if seat == 1 else -owed if seat == payer else 0 for seat in range(4)]


def test_several_winners() -> None:
    """Play: more than one may win on the same tile, each is paid in full; yuanzi pays them in turn order."""
    players = [{}, player("234m234m456pNN34s"), {"chips": 40}, player("234p234p678mNN34s")]
    wins = [{"seat": seat, "tile": "5s", "source": "discard", "from": 2} for seat in (1, 3)]
    record = {"rules": "yangzhou", "players": players, "wins": wins, "options": {"min": 10}}
    both = settle(record)
    assert [w["legal"] for w in both.data["wins"]] == [True, True] and both.deltas == [0, 24, -48, 24]
    limited = settle(record | {"options": {"min": 10, "yuanzi": True}})
    assert limited.deltas == [0, 16, -40, 24], "seat 3 comes first after the discarder"


def test_no_win_from_a_broke_player() -> None:
    """Options, yuanzi: no discard win or robbed kong from a player without chips; self-draws pay what there is."""
    hand, declared = "345pNN78m", "123m<0 456m<0"
    options, broke = {"yuanzi": True}, {3: {"chips": 0}}
    for source in ("discard", "robbed_kong"):
        won = yangzhou(hand, "9m", source, giver=3, declared=declared, options=options, others=broke)
        assert won.code == "broke_giver"
    drawn = yangzhou(hand, "9m", declared=declared, options=options, others=broke)
    assert drawn.deltas == [-17, 34, -17, 0]


def test_options_of_value_and_ritual() -> None:
    """Options: fengqing_x, gangban_x, pinghu_eyes, draw_keeps_dealer, rounds."""
    winds = yangzhou("NNNFFPP", "P", declared="EEE<0 WWW<2", options={"fengqing_x": 2})
    assert values(winds)["fengqing"] == 120
    runs = yangzhou("234m34mNN", "2m", declared="234m<0 234m<0", options={"gangban_x": 2, "pinghu_eyes": "no_honours"})
    assert values(runs)["gangban"] == 120 and "pinghu" not in runs.patterns
    ritual = load("yangzhou", {"draw_keeps_dealer": True, "rounds": 8}).ritual
    assert ritual is not None and ritual.deal.drawn == "stay" and ritual.deal.rounds == 8


def test_hands_without_a_win() -> None:
    """Kongs pay nothing; a false win pays what was announced."""
    fine = {"kind": "false_win", "seat": 2, "claimed": [13, 13, 0, 13]}
    record = {"rules": "yangzhou", "players": [{"melds": melds("3333s")}, {}, {}, {}], "wins": []}
    assert settle(record).deltas == [0, 0, 0, 0]
    assert settle(record | {"incidents": [fine]}).deltas == [13, 13, -39, 13]
