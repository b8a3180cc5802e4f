"""Wuhan, chapter by chapter of its sheet (docs/sheets/wuhan.md). Amounts by hand: base x 2^(winner's fan + own fan), base 1
for a small win, 10 a pattern for a big one, x1.5 for a self-draw and for dealing in. Seat 3 wins and seat 0 deals unless said;
indicator W (wild N) where no other matters."""

from __future__ import annotations

from typing import Any

import pytest

from referee.rules.record import RecordError
from tests.rules.hands import Settled, declare, melds, player, settle

SMALL = "345678p46s88m"  # waits for 5s
PLAIN = "345p678p55s78m"  # waits for 6m and 9m
FOUR_MELDS = "123m<2 666p<0 789s<2 EEE<1"


def wuhan(hand: str | None, tile: str | None, source: str = "wall", **more: Any) -> Settled:
    return declare("wuhan", hand, tile, source, **{"indicator": "W", "seat": 3, "dealer": 0} | more)


def shares(won: Settled) -> list[float]:
    """What seats 0, 1 and 2 pay."""
    return [-delta for delta in won.deltas[:3]]


def test_small_win() -> None:
    """Payments: opening, hard, kong tiles; dealer, self-draw and dealing in one fan each (`xiaohu`)."""
    won = wuhan(SMALL, "5s", "discard", giver=1, declared="999m<2", bonus="FC")
    assert won.patterns == {"xiaohu": "1 points", "kaikou": "1 fan", "hongzhonggang": "2 fan", "yinghu": "1 fan"}
    assert shares(won) == [32, 32, 16]
    drawn = wuhan(SMALL, "5s", declared="999m<2", bonus="F")
    assert drawn.patterns["zimo"] == "1 fan" and shares(drawn) == [32, 16, 16]


@pytest.mark.parametrize(
    ("pattern", "hand", "declared", "tile", "more", "each"),
    [
        ("fengyise", "SSWWNNPPE2s", "EEE<1", "P", {"indicator": "1s"}, 15 * 2),
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
    """Scoring, big wins: 10 a pattern, x1.5 by self-draw but for replacement and last tile; no dealer fan."""
    won = wuhan(hand, tile, declared=declared, **more)
    assert won.patterns[pattern] == "10 points" and "xiaohu" not in won.patterns and "zimo" not in won.patterns
    assert shares(won) == [each] * 3


def test_patterns_add_up() -> None:
    """Payments, "All pungs + replacement win = 10x1.5 + 10x1 = 25"; all honours and all 2-5-8 with all pungs."""
    won = wuhan("777m999p11s8p6s", "8p", "kong", indicator="5s", declared="333p<0", bonus="F")
    assert shares(won) == [25 * 4] * 3, "opened 1, green dragon 1, soft"
    honours = wuhan("WWWNNPP", "P", indicator="4m", declared="EEE<1 SSS<2")
    assert set(honours.patterns) >= {"fengyise", "pengpenghu"} and shares(honours) == [30 * 4] * 3
    jiang = wuhan("222555m88p88s", "8s", declared="555p<1")
    assert set(jiang.patterns) >= {"jiangyise", "pengpenghu"} and shares(jiang) == [30 * 4] * 3
    pure = wuhan("111222p3399p", "9p", declared="555p<1")
    assert set(pure.patterns) >= {"qingyise", "pengpenghu"} and shares(pure) == [30 * 4] * 3


def test_robbing_a_kong() -> None:
    """Scoring, qianggang; Liability: the robbed player pays all shares, without a dealt-in fan."""
    won = wuhan(PLAIN, "9m", "robbed_kong", giver=1, declared="999s<1", others={1: {"melds": melds("999m<0")}})
    assert won.patterns["qianggang"] == "10 points" and won.deltas == [0, -(40 + 80 + 40), 0, 160]
    assert (
        wuhan(PLAIN, "9m", "robbed_kong", giver=1, declared="999s<1", win={"robbed_kind": "concealed"}).code
        == "no_robbing"
    )


def test_melded_hand() -> None:
    """Scoring, quanqiuren; Liability: a discarder who was not ready pays for all; unknown hands are not judged."""
    unknown = wuhan("8m", "8m", "discard", giver=2, declared=FOUR_MELDS)
    assert unknown.patterns["quanqiuren"] == "10 points" and shares(unknown) == [40, 40, 60]
    unready = {2: player("1199m147s258sEWPSS")}
    assert wuhan("8m", "8m", "discard", giver=2, declared=FOUR_MELDS, others=unready).deltas == [0, 0, -140, 140]
    opened = {0: {"melds": melds("111p<2")}, 1: {"melds": melds("999p<2")}}
    ready = {2: player("23456p22s789m", "SSS<0")}
    won = wuhan("8m", "8m", "discard", giver=2, declared=FOUR_MELDS, others=opened | ready)
    assert shares(won) == [80, 80, 120], "its own self-draw would reach 16 from everybody"
    poor = wuhan("8m", "8m", "discard", giver=2, declared=FOUR_MELDS, others=ready)
    assert poor.deltas == [0, 0, -(40 + 40 + 120), 200], "it could not have reached the floor from seat 1"
    other_pair = wuhan("9p", "9p", "discard", giver=2, declared="123m<2 666m<0 777m<2 999m<1")
    assert other_pair.code == "pair_not_258"


def test_third_opening_of_a_pure_suit() -> None:
    """Liability: whoever fed the third opening pays for all, on a self-draw and on others' discards."""
    declared = "123p<2 456p<2 789p<2"
    assert wuhan("2233p", "3p", declared=declared).deltas == [0, 0, -180, 180]
    won = wuhan("2p", "2p", "discard", giver=1, declared="123p<2 9999p 456p<2 777p<0")
    assert won.deltas == [-(160 + 240 + 160), 0, 0, 560], "a concealed kong is no opening: 777p is the third"
    assert "quanqiuren" not in won.patterns


@pytest.mark.parametrize(
    ("fields", "fan"),
    [
        ({"melds": melds("111m<0")}, 1),
        ({"melds": melds("111m<0 222m<0 345m<0")}, 1),
        ({"melds": melds("1111m<0")}, 2),
        ({"melds": melds("1111m+0")}, 2),
        ({"melds": melds("1111m")}, 2),
        ({"bonus": "C"}, 1),
        ({"bonus": "FF"}, 2),
        ({"bonus": "N"}, 2),
        ({"bonus": "NNCF", "melds": melds("1111m 222m<0")}, 9),
    ],
)
def test_fan_of_a_loser(fields: dict[str, Any], fan: int) -> None:
    """Payments, items that count for winner and loser: seat 1's share is doubled once a fan."""
    won = wuhan(SMALL, "5s", declared="999m<2", bonus="F", others={1: fields})
    assert shares(won) == [32, min(16 * 2**fan, 400), 16]


@pytest.mark.parametrize(
    ("declared", "bonus", "fan"), [("9999m<2", "F", 2), ("9999m+2", "F", 2), ("999m<2", "FN", 3), ("999m<2", "FFF", 3)]
)
def test_fan_of_the_winner(declared: str, bonus: str, fan: int) -> None:
    """The same items, the winner's: an open kong is an opening and a kong, a wild kong 2."""
    won = wuhan(SMALL, "5s", declared=declared, bonus=bonus)
    assert shares(won)[1] == 2 ** (1 + 1 + 1 + fan), "opened, hard, self-draw and these"


def test_concealed_kong_is_no_opening() -> None:
    """Winning shapes 2 and Payments: 2 fan, but the hand still has to be opened."""
    assert wuhan(SMALL, "5s", declared="9999m", bonus="FC").code == "not_opened"
    assert shares(wuhan("678p46s88m", "5s", declared="999m<2 1111m", bonus="F")) == [128, 64, 64]


def test_wild_tiles_in_a_small_win() -> None:
    """Winning shapes 5: one at most, at face value or not; a big win may hold more; konged ones do not count."""
    soft = wuhan("34m9m678p55s78s", "6s", indicator="8m", declared="111s<2", bonus="9mF")
    assert "yinghu" not in soft.patterns and shares(soft)[1] == 2 ** (1 + 2 + 1 + 1)
    assert wuhan("123m456p789s5s", "5s", indicator="4s", declared="EEE<2", bonus="FF").code == "too_many_wilds"
    last = wuhan("34m9m678p55s78s", "9m", indicator="8m", declared="111s<2", win={"last_tile": True})
    assert last.patterns["haidilao"] == "10 points" and shares(last) == [20] * 3


def test_pairs() -> None:
    """Winning shapes 4: 2, 5, 8, with a wild too; two wilds only if their own face is; freed by four patterns."""
    assert wuhan("345678p46s99m", "5s", declared="111m<2", bonus="FC").code == "pair_not_258"
    assert wuhan("345678p46s5mN", "5s", declared="999m<2", bonus="FC").legal
    assert wuhan("345678p46s9mN", "5s", declared="111m<2", bonus="FC").code == "pair_not_258"
    runs = "1111m<2 345p<2 678p<2 789m<2"
    assert wuhan("9s", "9s", "kong", indicator="8s", declared=runs).code == "pair_not_258"
    assert wuhan("8s", "8s", "kong", indicator="7s", declared=runs).patterns["gangshangkai"] == "10 points"
    last = wuhan("111m777p44s99m", "4s", declared="333s<1", win={"last_tile": True})
    assert "haidilao" not in last.patterns and shares(last) == [60] * 3, "pair 99m: the self-draw half fan applies"


def test_kong_tiles_never_stand_in_a_hand() -> None:
    """Winning shapes 1; malformed: a kong tile in a declared set, another tile in bonus, no indicator."""
    assert wuhan("345p678pFF78m", "9m", declared="999s<1").code == "kong_tile_in_hand"
    assert wuhan(PLAIN, "C", declared="999s<1").code == "kong_tile_in_hand"
    for bad in ({"declared": "FFF<1"}, {"declared": "NNN<1"}, {"declared": "999s<1", "bonus": "P"}):
        with pytest.raises(RecordError):
            wuhan(PLAIN, "9m", **bad)
    with pytest.raises(RecordError, match="indicator"):
        wuhan(PLAIN, "9m", declared="999s<1", indicator=None)


def test_any_tile_wait() -> None:
    """Winning shapes 7: four pungs and a lone wild win by self-draw only; option any_wait_rob."""
    hand, declared = "333m999p444s7s", "111m<0"
    wait = {"indicator": "6s", "declared": declared}
    assert wuhan(hand, "8p", "discard", giver=1, **wait).code == "any_tile_wait"
    assert wuhan(hand, "8p", "robbed_kong", giver=1, **wait).code == "any_tile_wait"
    robbed = wuhan(hand, "8p", "robbed_kong", giver=1, options={"any_wait_rob": True}, **wait)
    assert robbed.deltas == [0, -120, 0, 120], "all pungs and robbing 20, opened 1, soft: 3 x 40"
    assert shares(wuhan(hand, "6p", **wait)) == [30] * 3
    assert wuhan("333m999p4445s", "5s", "discard", giver=1, declared=declared).legal, "a pair of 5s waits for 5s alone"


def test_discarded_wilds_and_dead_hands() -> None:
    """Winning shapes 8; Irregularities: dead hands, false wins as announced."""
    assert wuhan("345678p46s88m", "N", "discard", giver=1, declared="999m<2").code == "wild_discard"
    dead = [{"kind": "dead_hand", "seat": 3, "why": "short"}, {"kind": "false_win", "seat": 0, "claimed": [0, 9, 9, 9]}]
    won = wuhan(PLAIN, "9m", declared="999s<1", bonus="FC", incidents=dead)
    assert won.code == "dead_hand" and won.deltas == [-27, 9, 9, 9]
    assert wuhan("345p678p55s79m", "9m", declared="999s<1", bonus="FC").code == "no_shape"


def test_nearest_claimant_wins() -> None:
    """Play: one winner, the next in turn after the discarder."""
    players = [
        player("345678p46s88m", "999m<2", bonus="FC"),
        player(),
        player(),
        player("123p46s789p55m", "111s<2", bonus="FC"),
    ]
    on_discard = {"tile": "5s", "source": "discard", "from": 2}
    wins = [{"seat": 0, **on_discard}, {"seat": 3, **on_discard}]
    record = {"rules": "wuhan", "indicator": "W", "players": players, "wins": wins}
    assert [w["legal"] for w in settle(record).data["wins"]] == [False, True]
    assert settle(record).data["wins"][0]["reason"].startswith("head_bump")


def test_floor() -> None:
    """Winning shapes 6: every loser's share, before caps and rate, reaches the minimum; option minimum."""
    bare = {"declared": "999m<2", "giver": 1}
    assert wuhan(SMALL, "5s", "discard", **bare).code == "below_floor"
    assert wuhan(SMALL, "5s", "discard", options={"minimum": 4}, **bare).legal
    assert wuhan(SMALL, "5s", "discard", options={"minimum": 5}, **bare).code == "below_floor"
    rated = wuhan(SMALL, "5s", "discard", options={"rate": "wuli"}, bonus="FC", **bare)
    assert rated.legal and shares(rated) == [2, 2, 1], "32/20 = 1.6, 16/20 = 0.8"


def test_caps() -> None:
    """Payments, caps: one at the cap, all (golden), unopened ones (sunlight), all unopened (three suns); option caps."""
    big = {"indicator": "4m", "declared": "EEE<1 SSS<2", "bonus": "FF"}
    opened = {"melds": melds("123m<0")}
    assert shares(wuhan("WWWNNPP", "P", **big)) == [800] * 3
    assert shares(wuhan("WWWNNPP", "P", others={0: opened, 2: opened}, **big)) == [500, 600, 500]
    smaller = big | {"bonus": "F"}
    assert shares(wuhan("WWWNNPP", "P", others={0: opened}, **smaller)) == [400, 240, 240]
    custom = wuhan("WWWNNPP", "P", others={0: opened}, options={"caps": [200, 250, 300, 350]}, **smaller)
    assert shares(custom) == [250, 300, 300]


def test_all_honours_at_the_golden_cap() -> None:
    """Option fengyise_jinding, whatever the points."""
    won = wuhan(
        "SSWWNNPPE2s", "P", indicator="1s", declared="EEE<1", options={"fengyise_jinding": True},
        others={1: {"melds": melds("456s<0")}, 2: {"melds": melds("9999m+0")}},
    )  # fmt: skip
    assert shares(won) == [600, 500, 500]


def test_rates() -> None:
    """Payments, rate: tenths and twentieths, .4 down, .6 up, halves to the even number; each share by itself."""
    hand = {"indicator": "6s", "declared": "111m<0", "others": {1: {"melds": melds("EEE<0")}}}
    assert shares(wuhan("333m999p444s7s", "6p", options={"rate": "yifen"}, **hand)) == [3, 6, 3]
    assert shares(wuhan("333m999p444s7s", "6p", options={"rate": "wuli"}, **hand)) == [2, 3, 2], "30/20 = 1.5 -> 2"
    assert shares(wuhan(PLAIN, "9m", "discard", giver=1, declared="999s<1", bonus="FC", options={"rate": "yifen"})) == [
        3,
        3,
        2,
    ]


def test_option_pizi() -> None:
    """Option kong_tiles pizi: the indicator's kind and the one before it are kong tiles, dragons are ordinary."""
    pizi = {"options": {"kong_tiles": "pizi"}, "indicator": "5s"}
    won = wuhan(
        "FFF111m99p33m", "9p", "discard", giver=2, declared="CCC<1", bonus="4s", others={1: {"bonus": "5s"}}, **pizi
    )
    assert shares(won) == [10 * 8, 10 * 16, 15 * 8]
    assert wuhan("55s345p678p78m", "9m", declared="111m<2", **pizi).code == "kong_tile_in_hand"
    red = wuhan("345678p46s88m", "5s", indicator="N", declared="FFF<1", bonus="NW", options={"kong_tiles": "pizi"})
    assert red.patterns["hongzhonggang"] == "2 fan", "skins W and N; the wild after N is the red dragon"
    assert wuhan(SMALL, "5s", declared="999m<2", bonus="C", indicator="N", options={"kong_tiles": "pizi"}).patterns[
        "laizigang"
    ]


def test_option_hongzhong() -> None:
    """Option kong_tiles hongzhong: green dragons are ordinary; minimum 8, caps 300 400 500 600."""
    option = {"options": {"kong_tiles": "hongzhong"}}
    assert shares(wuhan(SMALL, "5s", declared="FFF<2", bonus="C", **option)) == [32, 16, 16]
    assert shares(wuhan(SMALL, "5s", declared="FFF<2", **option)) == [16, 8, 8]
    big = wuhan("WWWNNPP", "P", indicator="4m", declared="EEE<1 SSS<2", bonus="CC", **option)
    assert shares(big) == [600] * 3


def test_option_opening_fan_each() -> None:
    """Option opening_fan: a fan for every opening; floor 32, caps 600 800 1000 1200."""
    won = wuhan(
        "55p34s", "2s", "discard", seat=0, giver=2, declared="123m<3 999p<1 7777m<2", options={"opening_fan": "each"},
        others={1: {"melds": melds("EEE<0 SSS<3")}},
    )  # fmt: skip
    assert won.deltas == [448, -256, -128, -64]
    assert wuhan(SMALL, "5s", declared="999m<2", bonus="F", options={"opening_fan": "each"}).code == "below_floor"
    big = {"indicator": "4m", "declared": "EEE<1 SSS<2", "bonus": "FF", "options": {"opening_fan": "each"}}
    assert shares(wuhan("WWWNNPP", "P", **big)) == [1200] * 3


def test_drawn_hand_pays_nothing() -> None:
    """Kongs and other payments outside the win."""
    players = [{"melds": melds("9999s"), "bonus": "CF"}, player(), player(), player()]
    assert settle({"rules": "wuhan", "indicator": "W", "players": players, "wins": []}).deltas == [0, 0, 0, 0]
