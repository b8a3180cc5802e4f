"""Changsha, chapter by chapter of its sheet (docs/sheets/changsha.md). Amounts are worked out by hand from the sheet: a small
pattern 1, a big one 3 by self-draw and 6 by discard, one more with the dealer (small: 2). Seat 0 deals."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.hands import Settled, declare, player, settle

RUNS = "123m456m789p22s34s"  # pair of 2, waits for 2s and 5s
NINES = "123m456m789p99s34s"  # the same with a pair that is not 2, 5, 8
PLAIN = "147m2589p369s36m9p"  # 13 dealt tiles without any pattern


def changsha(hand: str | None, tile: str | None, source: str = "wall", **more: Any) -> Settled:
    return declare("changsha", hand, tile, source, **{"dealer": 0, "seat": 1} | more)


def test_plain_win() -> None:
    """Scoring, pinghu; Payments: self-draw from all three, discard from the discarder alone."""
    drawn = changsha(RUNS, "5s")
    assert drawn.patterns == {"pinghu": "1 small"} and drawn.deltas == [-2, 4, -1, -1]
    assert changsha(RUNS, "5s", "discard", giver=2).deltas == [0, 1, -1, 0]
    assert changsha(RUNS, "5s", "discard", giver=0).deltas == [-2, 2, 0, 0]


def test_the_pair_must_be_258() -> None:
    """Winning shapes: unless all pungs, seven pairs, all 2-5-8 or pure suit."""
    assert changsha(NINES, "5s").code == "pair_not_258"
    assert changsha("222m456m33p789s78p", "6p").code == "pair_not_258"


@pytest.mark.parametrize(
    ("hand", "tile", "declared", "patterns"),
    [
        ("333m44m99s", "9s", "111p<0 777s<2", {"pengpenghu"}),
        ("1133m5577p2299s6s", "6s", "", {"qixiaodui"}),
        ("1111m5577p2299s6s", "6s", "", {"qixiaodui", "haohua"}),
        ("1111m5555p2299s6s", "6s", "", {"qixiaodui", "haohua"}),
        ("58m25p58s2s", "8p", "222m<0 888s<2", {"jiangjianghu"}),
        ("123345s66s789s99s", "9s", "", {"qingyise"}),
        ("222m555p888s55m22s", "2s", "", {"pengpenghu", "jiangjianghu"}),
    ],
)
def test_big_shapes(hand: str, tile: str, declared: str, patterns: set[str]) -> None:
    """Scoring, big patterns of the hand: 6 each from the discarder; luxury seven pairs counts once, on top."""
    won = changsha(hand, tile, "discard", giver=2, declared=declared)
    assert set(won.patterns) == patterns
    assert won.deltas == [0, 6 * len(patterns), -6 * len(patterns), 0]


def test_big_patterns_add() -> None:
    """Scoring: all pungs, all 2-5-8, melded hand and self-draw: 3 x 3 from each, 3 x 4 from the dealer."""
    won = changsha("8p", "8p", declared="222m<0 555m<2 888s<3 222s<2")
    assert set(won.patterns) == {"pengpenghu", "jiangjianghu", "quanqiuren"} and won.deltas == [-12, 30, -9, -9]


def test_melded_hand() -> None:
    """Scoring, quanqiuren: four chows, pungs or open kongs; its pair 2, 5, 8 unless free; a concealed kong makes none."""
    claimed = "123m<0 999p<2 456s<0 1111s<3"
    won = changsha("8p", "8p", "discard", giver=3, declared=claimed)
    assert won.patterns == {"quanqiuren": "1 big"} and won.deltas == [0, 6, 0, -6]
    assert changsha("7p", "7p", declared=claimed).code == "pair_not_258"
    assert changsha("7p", "7p", declared=claimed, options={"quanqiuren_free_pair": True}).deltas == [-4, 10, -3, -3]
    assert changsha("8p", "8p", declared="123m<0 999p<2 456s<0 1111s").patterns == {"pinghu": "1 small"}


@pytest.mark.parametrize(
    ("source", "fields", "pattern"),
    [
        ("wall", {"last_tile": True}, "haidilaoyue"),
        ("discard", {"last_tile": True}, "haidipao"),
        ("kong", {"dice_kong": True}, "gangshangkaihua"),
        ("discard", {"dice_kong": True}, "gangshangpao"),
        ("robbed_kong", {}, "qiangganghu"),
    ],
)
def test_how_the_hand_was_won(source: str, fields: dict[str, Any], pattern: str) -> None:
    """Scoring: one big pattern each; the pair must still be 2, 5 or 8, free with all_dahu_free_pair."""
    giver = 2 if source in ("discard", "robbed_kong") else None
    won = changsha(RUNS, "5s", source, giver=giver, win=fields)
    assert won.patterns == {pattern: "1 big"}
    if "last_tile" not in fields:
        assert won.deltas == ([0, 6, -6, 0] if giver else [-4, 10, -3, -3])
    assert changsha(NINES, "5s", source, giver=giver, win=fields).code == "pair_not_258"
    assert changsha(NINES, "5s", source, giver=giver, win=fields, options={"all_dahu_free_pair": True}).legal


def test_kongs_without_dice_and_a_last_replacement_are_ordinary() -> None:
    """Ritual, replacement and last tile: no pattern; a last tile drawn as replacement turns no bird."""
    assert changsha("123m456m22s34s", "5s", "kong", declared="9999p").patterns == {"pinghu": "1 small"}
    assert changsha(RUNS, "5s", "discard", giver=2, win={"after_kong": True}).patterns == {"pinghu": "1 small"}
    last = changsha("123m456m22s34s", "5s", "kong", declared="9999p", win={"last_tile": True, "birds": "2m"})
    assert last.deltas == [-2, 4, -1, -1]


def test_heavenly_and_earthly_wins() -> None:
    """Scoring, tianhu as a self-draw, dihu on the dealer's first discard; a heavenly win counts no small pattern."""
    heavenly = changsha("555s567s234m456p2p", "2p", "deal", seat=0)
    assert heavenly.patterns == {"tianhu": "1 big"} and heavenly.deltas == [12, -4, -4, -4]
    missing = changsha("555s567s234m456m2s", "2s", "deal", seat=0)
    assert missing.patterns == {"tianhu": "1 big"}
    earthly = changsha(RUNS, "5s", "discard", giver=0, win={"first_turn": True})
    assert earthly.patterns == {"dihu": "1 big"} and earthly.deltas == [-7, 7, 0, 0]


@pytest.mark.parametrize(
    ("hand", "patterns"),
    [
        ("7777m1259p258s2m1s", {"sixi"}),
        ("1346m134679p67s1s", {"banbanhu"}),
        ("1245m67m1245789p", {"queyise"}),
        ("111m444p258s178p2m", {"liuliushun"}),
        ("1111333366679m", {"sixi", "banbanhu", "queyise", "liuliushun"}),
    ],
)
def test_small_wins_on_the_dealt_hand(hand: str, patterns: set[str]) -> None:
    """Wins on the dealt hand: 13 tiles as they are, each pattern once, paid as a self-draw."""
    won = changsha(hand, None, "deal")
    assert set(won.patterns) == patterns
    assert won.deltas == [-2 * len(patterns), 4 * len(patterns), -len(patterns), -len(patterns)]


def test_dealt_hand_without_pattern() -> None:
    """Reason codes; the dealer's 14 tiles with any one of them named."""
    assert changsha(PLAIN, None, "deal").code == "no_dealt_pattern"
    assert changsha("147m258p369s36m1p8s", "9p", "deal", seat=0).code == "no_dealt_pattern"


@pytest.mark.parametrize(
    ("birds", "deltas"),
    [("1p", [-4, 6, -1, -1]), ("2m", [-4, 8, -2, -2]), ("7s", [-2, 5, -2, -1]), ("", [-2, 4, -1, -1])],
)
def test_bird(birds: str, deltas: list[int]) -> None:
    """Payments, bird: counted from the dealer as 1; every payment that player makes or receives doubles."""
    assert changsha(RUNS, "5s", win={"birds": birds}).deltas == deltas


def test_the_last_tile_is_its_own_bird() -> None:
    """Payments: on a last-tile win the winning tile itself: 5 = the dealer."""
    assert changsha(RUNS, "5s", win={"last_tile": True}).deltas == [-8, 14, -3, -3]
    both = changsha(RUNS, "5s", win={"last_tile": True}, options={"double_birds": True})
    assert both.deltas == [-12, 18, -3, -3]


@pytest.mark.parametrize(("birds", "times"), [("3m4m", 2), ("2m3p", 3), ("2m2p", 3), ("37m", 3), ("14m", 1), ("3m", 2)])
def test_double_birds(birds: str, times: int) -> None:
    """Option double_birds: one bird on payer (seat 2) or winner (seat 1) x2, two x3."""
    won = changsha(RUNS, "5s", "discard", giver=2, win={"birds": birds}, options={"double_birds": True})
    assert won.deltas == [0, times, -times, 0]


def test_double_kong() -> None:
    """Option double_kong: both tiles of the stack win: points double; otherwise second_tile has no effect."""
    hand, fields = "123p456p22s34s", {"dice_kong": True, "second_tile": "2s"}
    won = changsha(hand, "5s", "kong", declared="9999m", win=fields, options={"double_kong": True})
    assert won.deltas == [-8, 20, -6, -6]
    other = fields | {"second_tile": "9s"}
    assert changsha(hand, "5s", "kong", declared="9999m", win=other, options={"double_kong": True}).deltas == [
        -4,
        10,
        -3,
        -3,
    ]
    assert changsha(hand, "5s", "kong", declared="9999m", win=fields).deltas == [-4, 10, -3, -3]


def test_liuqipian() -> None:
    """Option liuqipian: 6/7 for a big self-draw too, and one big pattern however many."""
    won = changsha("333s55s77s", "5s", declared="111s<2 999s<3", options={"liuqipian": True})
    assert set(won.patterns) == {"pengpenghu", "qingyise"} and won.deltas == [-7, 19, -6, -6]


def test_several_winners_and_robbing() -> None:
    """Play: several may win on the same tile; a concealed kong cannot be robbed."""
    players = [player(), player(RUNS), player(), player("1133m5577p2299s5s")]
    wins = [{"seat": s, "tile": "5s", "source": "discard", "from": 2, "birds": "3p"} for s in (1, 3)]
    settled = settle({"rules": "changsha", "players": players, "wins": wins})
    assert settled.deltas == [0, 2, -14, 12]
    assert changsha(RUNS, "5s", "robbed_kong", giver=2, win={"robbed_kind": "concealed"}).code == "no_robbing"


def test_dead_hand_false_win_and_drawn_hand_pay_nothing() -> None:
    """Irregularities; Kongs: a drawn hand pays nothing."""
    assert changsha(RUNS, "5s", incidents=[{"kind": "dead_hand", "seat": 1, "why": "short"}]).code == "dead_hand"
    players = [player(), player(declared="9999m"), player(), player()]
    wrong = [{"kind": "false_win", "seat": 2, "claimed": [2, 1, 0, 1]}]
    assert settle({"rules": "changsha", "players": players, "wins": [], "incidents": wrong}).deltas == [0, 0, 0, 0]
