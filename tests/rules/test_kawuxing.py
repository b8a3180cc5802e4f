"""Kawuxing, chapter by chapter of its sheet (docs/sheets/kawuxing.md). Amounts by hand: rate 1 x 2^fan, at most 8; the giver
alone on a discard. Dots and bamboo; seat 0 wins and deals unless said."""

from __future__ import annotations

from typing import Any

import pytest

from referee.rules.record import RecordError
from referee.rules.ruleset import load
from tests.rules.hands import Settled, declare, melds, player, settle

PLAIN = "123p456p789s22s34s"  # waits for 2s and 5s


def kawuxing(hand: str | None, tile: str | None, source: str = "wall", **more: Any) -> Settled:
    return declare("kawuxing", hand, tile, source, **{"dealer": 0} | more)


def fan(won: Settled) -> dict[str, str]:
    """The patterns counted, without the name of a hand that has none."""
    return {name: value.split()[0] for name, value in won.patterns.items() if name != "pinghu"}


def test_a_hand_without_a_pattern_wins_by_self_draw_only() -> None:
    """Winning shapes; option pinghu_discard."""
    won = kawuxing(PLAIN, "5s")
    assert won.patterns == {"pinghu": "0 fan"} and won.deltas == [2, -1, -1]
    assert kawuxing(PLAIN, "5s", "discard", giver=1).code == "no_pattern_discard"
    assert kawuxing(PLAIN, "5s", "discard", giver=1, options={"pinghu_discard": True}).deltas == [1, -1, 0]


@pytest.mark.parametrize(
    ("hand", "tile", "declared", "more", "patterns"),
    [
        ("111p77s99s", "9s", "333s<1 CCC<2", {}, {"pengpenghu": "1"}),
        ("46p123s789s22s99p9p", "5p", "", {}, {"kawuxing": "1"}),
        ("44566p123s789s22s", "5p", "", {}, {"kawuxing": "1"}),
        (PLAIN, "5s", "", {"win": {"last_tile": True}}, {"haidilao": "1"}),
        (PLAIN, "5s", "", {"own": {"revealed": True}}, {"liangdao": "1"}),
        (PLAIN, "5s", "", {"own": {"revealed": 2}}, {"liangdao": "1"}),
        ("123s234s66s78s", "6s", "999s<2", {}, {"qingyise": "2"}),
        ("223344p667788sC", "C", "", {}, {"qidui": "2"}),
        ("1111p33p55s77s99sC", "C", "", {}, {"longqidui": "3"}),
        ("1111p5555s77s99sC", "C", "", {}, {"shuanglongqidui": "4"}),
        ("1111p5555s7777sC", "C", "", {}, {"shuanglongqidui": "4"}),
        ("FFFPP123p78s", "9s", "CCC<1", {}, {"xiaosanyuan": "2"}),
        ("PPP12p88s", "3p", "CCC<2 FFF<1", {}, {"dasanyuan": "3"}),
        ("5s", "5s", "111p<1 333p<2 9999s CCC<1", {}, {"pengpenghu": "1", "shoubayi": "2"}),
    ],
)  # fmt: skip
def test_patterns_by_self_draw(
    hand: str, tile: str, declared: str, more: dict[str, Any], patterns: dict[str, str]
) -> None:
    """Scoring, the table's lines one by one; middle five by the reading (decision 2: 44566 + 5 counts)."""
    won = kawuxing(hand, tile, declared=declared, **more)
    assert fan(won) == patterns


def test_open_four_in_one() -> None:
    """Scoring, mingsiguiyi: the winning tile is the fourth of a ponged tile; beside 2 fan it need only be in hand."""
    opened = kawuxing("23p456s99s789s", "4p", declared="444p<1")
    assert fan(opened) == {"mingsiguiyi": "1"} and opened.deltas == [4, -2, -2]
    assert fan(kawuxing("234p456s99s78s", "9s", declared="444p<1")) == {}
    assert fan(kawuxing("234p567p99p78p", "9p", declared="444p<1")) == {"qingyise": "2", "mingsiguiyi": "1"}


def test_concealed_four_in_one() -> None:
    """Scoring, ansiguiyi: three concealed and the fourth wins; beside 2 fan any four alike; not with seven pairs."""
    won = kawuxing("44423p123s789s22s", "4p")
    assert fan(won) == {"ansiguiyi": "2"} and won.deltas == [8, -4, -4]
    assert fan(kawuxing("444423p789s22s78s", "9s")) == {}, "already held, and no other pattern"
    both = kawuxing("555567p123p99p78p", "9p")
    assert fan(both) == {"qingyise": "2", "ansiguiyi": "2"}
    assert kawuxing("555567p123p99p78p", "9p", options={"cap_fan": None}).deltas == [32, -16, -16]


def test_ways_of_winning() -> None:
    """Scoring, gangshangkaihua a fan for each kong in a row, gangshangpao, qianggang; Payments."""
    bloom = kawuxing("456p789s22s34s", "5s", "kong", declared="9999p")
    assert fan(bloom) == {"gangshangkaihua": "1"} and bloom.deltas == [2 * 2 + 2 * 2, -4, -4]
    row = kawuxing("789s22s34s", "5s", "kong", declared="9999p CCCC", win={"kong_chain": 2})
    assert fan(row) == {"gangshangkaihua": "2"}
    after = kawuxing(PLAIN, "5s", "discard", giver=2, win={"after_kong": True})
    assert fan(after) == {"gangshangpao": "1"} and after.deltas == [2, 0, -2]
    robbed = kawuxing(PLAIN, "5s", "robbed_kong", giver=2, others={2: {"melds": melds("555s<1")}})
    assert fan(robbed) == {"qianggang": "1"} and robbed.deltas == [2, 0, -2]


def test_dealing_into_an_opened_hand_pays_both_shares() -> None:
    """Payments: winner revealed, discard or robbed kong."""
    opened = {"own": {"revealed": True}}
    assert kawuxing(PLAIN, "5s", "discard", giver=1, **opened).deltas == [4, -4, 0]
    assert kawuxing(PLAIN, "5s", "robbed_kong", giver=1, **opened).deltas == [8, -8, 0]
    assert kawuxing(PLAIN, "5s", **opened).deltas == [4, -2, -2]


def test_cap_rate_and_sixteen() -> None:
    """Options rate, cap_fan, shuanglong_16."""
    double_dragon = "1111p5555s77s99sC"
    assert kawuxing(double_dragon, "C").deltas == [16, -8, -8]
    assert kawuxing(double_dragon, "C", options={"shuanglong_16": True}).deltas == [32, -16, -16]
    assert kawuxing(double_dragon, "C", options={"cap_fan": None}).deltas == [32, -16, -16]
    assert kawuxing(double_dragon, "C", options={"cap_fan": 2}).deltas == [8, -4, -4]
    assert kawuxing("789s22s34s456p", "5s", declared="FFFF<1", options={"rate": 5}).deltas == [20, -15, -5]


def test_two_winners() -> None:
    """Play and Payments: the discarder pays each, all pungs 2 x 1, the opened hand both shares."""
    players = [player(), player("111p77s99s", "CCC<0 222p<0"), player("123p888p44p56s", "FFF<0", revealed=True)]
    on_discard = {"tile": "7s", "source": "discard", "from": 0}
    record = {"rules": "kawuxing", "players": players, "wins": [{"seat": 1, **on_discard}, {"seat": 2, **on_discard}]}
    settled = settle(record)
    assert [w["legal"] for w in settled.data["wins"]] == [True, True]
    assert settled.deltas == [-2 - 2 * 2, 2, 4]


@pytest.mark.parametrize(
    ("declared", "deltas"),
    [("7777p<2", [2, 0, -2]), ("7777p+2", [2, -1, -1]), ("7777p", [4, -2, -2]), ("777p<2", [0, 0, 0])],
)
def test_kong_money(declared: str, deltas: list[int]) -> None:
    """Kongs: settled at once, won or drawn."""
    players = [player(None, declared), player(), player()]
    assert settle({"rules": "kawuxing", "players": players, "wins": []}).deltas == deltas


def test_row_of_kongs() -> None:
    """Kongs one straight after the other: the second double, the third fourfold, by its own place in the row."""
    first, second, third = (
        dict(melds(text)[0], chain=place) for text, place in (("9999s", 1), ("5555p<0", 2), ("3333s<1", 3))
    )
    players = [{"melds": [first]}, {"melds": [second]}, {"melds": [third]}]
    assert settle({"rules": "kawuxing", "players": players, "wins": []}).deltas == [4 - 4, -2 + 4 - 8, -2 + 8]


def test_drawn_hand_with_opened_hands() -> None:
    """Drawn hand: who opened first pays the others; by number, else nearest from the dealer."""

    def drawn(*revealed: bool | int, dealer: int = 0) -> list[float]:
        players = [player(revealed=flag) for flag in revealed]
        return settle({"rules": "kawuxing", "players": players, "wins": [], "dealer": dealer}).deltas

    assert drawn(False, False, True) == [1, 1, -2]
    assert drawn(2, 1, False) == [1, -2, 1]
    assert drawn(True, False, True, dealer=2) == [1, 1, -2]
    assert drawn(True, True, 3) == [1, 1, -2], "a numbered one goes before"


def test_irregular_and_malformed() -> None:
    """Irregularities: dead hands keep their kong money, a false win moves nothing; a chow is malformed; two suits only."""
    dead = [{"kind": "dead_hand", "seat": 0}, {"kind": "false_win", "seat": 1, "claimed": [5, 0, 5]}]
    won = kawuxing("456p789s22s34s", "5s", declared="9999p", incidents=dead)
    assert won.code == "dead_hand" and won.deltas == [4, -2, -2]
    assert kawuxing(PLAIN, "5s", "robbed_kong", giver=1, win={"robbed_kind": "concealed"}).code == "no_robbing"
    assert kawuxing("123p456p789s22s35s", "6s").code == "no_shape"
    with pytest.raises(RecordError, match="chow"):
        kawuxing("456p789s22s34s", "5s", declared="123p<2")
    with pytest.raises(RecordError, match="suit"):
        kawuxing("123m456p789s22s34s", "5s")
    with pytest.raises(RecordError, match="does not use E"):
        kawuxing(PLAIN, "5s", declared="EEE<1")


def test_reveal_all_is_for_the_table_only() -> None:
    """Option reveal_all."""
    assert load("kawuxing", {"reveal_all": False}).option("reveal_all") is False
    assert kawuxing(PLAIN, "5s", own={"revealed": True}, options={"reveal_all": False}).deltas == [4, -2, -2]
