"""Taiwan, chapter by chapter of its sheet (docs/sheets/taiwan.md). Tai are counted by hand from the scoring table; a payment
is 100 + 20 x (tai + 1 where the dealer wins or pays). Seat 0 deals and is East, seat 1 (South) wins, seat 3 discards."""

from __future__ import annotations

from typing import Any

import pytest

from referee.rules.record import RecordError
from tests.rules.hands import Settled, declare, player, settle

CHOWS = "234m567m345p678p34s55s"  # waits for 2s and 5s, both two-sided
TWO_SIDED = "567m99m34s"  # beside three claimed sets: waits for 2s and 5s


def taiwan(hand: str | None, tile: str | None, source: str = "discard", **more: Any) -> Settled:
    giver = {"giver": 3} if source in ("discard", "robbed_kong") else {}
    return declare("taiwan", hand, tile, source, **{"dealer": 0, "seat": 1} | giver | more)


def tai(won: Settled) -> dict[str, int]:
    """The patterns with their tai."""
    return {name: int(value.split()[0]) for name, value in won.patterns.items()}


def check(won: Settled, expected: dict[str, int]) -> None:
    """The patterns are these, and seat 1 is paid for their sum: by seat 3 alone, or by all three."""
    assert tai(won) == expected
    amount, dealer = 100 + 20 * sum(expected.values()), 120 + 20 * sum(expected.values())
    payers = {p["from"] for p in won.data["payments"]}
    assert won.deltas == (
        [0, amount, 0, -amount] if payers == {3} else [-dealer, dealer + 2 * amount, -amount, -amount]
    )


@pytest.mark.parametrize(
    ("hand", "tile", "declared", "expected"),
    [
        ("567m345p678p34s55s", "5s", "123p<0", {"pinghu": 2}),
        ("567m345p678p34s55s", "5s", "CCC<0", {"sanyuan": 1}),
        ("567m345p678p34s55s", "5s", "EEE<0", {"quanfeng": 1}),
        ("567m345p678p34s55s", "5s", "SSS<0", {"menfeng": 1}),
        ("567m345p678p34s55s", "5s", "WWW<0", {}),
        ("234m567m345p678p12s55s", "3s", "", {"menqing": 1, "duting": 1}),
        ("234m567m345p678p24s55s", "3s", "", {"menqing": 1, "duting": 1}),
        ("234m567m345p678p111s5s", "5s", "", {"menqing": 1, "duting": 1}),
        ("5s", "5s", "123p<0 999p<2 456s<0 1111m<3 EEE<2", {"quanfeng": 1, "quanqiuren": 2, "duting": 1}),
        ("222m555p888s456m34s77p", "5s", "", {"menqing": 1, "san_anke": 2}),
        ("222m555p888sCCC34s77p", "5s", "", {"menqing": 1, "sanyuan": 1, "si_anke": 5}),
        ("222m555p888s444p666m1s", "1s", "", {"menqing": 1, "wu_anke": 8, "pengpenghu": 4, "duting": 1}),
        ("888s444p66m99s", "6m", "222m<0 555p<2", {"pengpenghu": 4}),
        ("456p789pWW34p", "5p", "CCC<0 123p<0", {"hunyise": 4, "sanyuan": 1}),
        ("234p888p99p67p", "5p", "123p<0 567p<0", {"qingyise": 8}),
        ("PP234m567m34s", "5s", "CCC<0 FFF<2", {"xiao_sanyuan": 4}),
        (TWO_SIDED, "5s", "CCC<0 FFF<2 PPP<3", {"da_sanyuan": 8}),
        ("EE567m34s", "5s", "SSS<0 WWW<2 NNN<3", {"xiao_sixi": 8, "menfeng": 1}),
        ("99m34s", "5s", "SSS<0 WWW<2 NNN<3 EEE<0", {"da_sixi": 16}),
        ("FFPP", "F", "SSS<0 WWW<2 NNN<3 CCC<0", {"ziyise": 16, "xiao_sanyuan": 4}),
        ("1111m33m55m77m22p44pPP", "P", "", {"ligu": 8}),
        ("1111m33m55m77m222p44p9p", "9p", "", {"ligu": 8, "duting": 1}),
    ],
)
def test_patterns_on_a_discard(hand: str, tile: str, declared: str, expected: dict[str, int]) -> None:
    """Scoring, the table row by row; what stands inside another pattern is not counted."""
    check(taiwan(hand, tile, declared=declared), expected)


def test_all_chows_and_concealed() -> None:
    """Scoring, pinghu, menqing: any bonus tile or a self-draw spoils all chows."""
    check(taiwan(CHOWS, "5s"), {"menqing": 1, "pinghu": 2})
    check(taiwan(CHOWS, "5s", "robbed_kong"), {"menqing": 1, "pinghu": 2, "qianggang": 1})
    check(taiwan(CHOWS, "5s", bonus="3f"), {"menqing": 1})
    check(taiwan(CHOWS, "5s", "wall"), {"menqing_zimo": 3})
    check(taiwan(CHOWS, "5s", "wall", options={"all_chows_self_draw": True}), {"menqing_zimo": 3, "pinghu": 2})
    check(taiwan("567m345p678p34s55s", "5s", "wall", declared="234m<0"), {"zimo": 1})


@pytest.mark.parametrize(
    ("bonus", "expected"),
    [("2f", {"zhenghua": 1}), ("2f2q", {"zhenghua": 2}), ("134q", {}), ("1234f", {"huagang": 2}),
     ("1234f2q", {"huagang": 2, "zhenghua": 1}), ("1234f123q", {"huagang": 2, "zhenghua": 1})],
)  # fmt: skip
def test_bonus_tiles(bonus: str, expected: dict[str, int]) -> None:
    """Scoring, zhenghua (South: 2f, 2q) and huagang in place of its series' own tile."""
    check(taiwan(CHOWS, "5s", bonus=bonus), expected | {"menqing": 1})


def test_flower_kong_keeps_own_and_east_seat() -> None:
    """Options flower_kong_keeps_own and east_seat: with seat 1 as East its numbers are 1f and 1q, its wind E."""
    keeps = taiwan(CHOWS, "5s", bonus="1234f", options={"flower_kong_keeps_own": True})
    check(keeps, {"menqing": 1, "huagang": 2, "zhenghua": 1})
    east = taiwan("567m345p678p34s55s", "5s", declared="EEE<0", bonus="1q2f", options={"east_seat": 1})
    check(east, {"quanfeng": 1, "menfeng": 1, "zhenghua": 1})


def test_kong_replacement_last_tile_and_flower_bloom() -> None:
    """Scoring, gangshang, haidi, hedi; option flower_bloom."""
    kong = "567m345p678p34s55s"
    check(taiwan(kong, "5s", "kong", declared="9999m"), {"menqing_zimo": 3, "gangshang": 1})
    check(taiwan(kong, "5s", "flower", declared="9999m", bonus="3f"), {"menqing_zimo": 3})
    bloom = taiwan(kong, "5s", "flower", declared="9999m", bonus="3f", options={"flower_bloom": True})
    check(bloom, {"menqing_zimo": 3, "gangshang": 1})
    check(taiwan(kong, "5s", "wall", declared="9999m", win={"last_tile": True}), {"menqing_zimo": 3, "haidi": 1})
    check(taiwan(kong, "5s", declared="9999m", win={"last_tile": True}), {"menqing": 1, "hedi": 1})


def test_self_drawn_pungs_are_concealed_those_by_discard_not() -> None:
    """Scoring: a pung that a discard completes is not concealed; the discard goes where it pays most."""
    pungs = "222m555p88s66m345p456m"
    check(taiwan(pungs, "8s"), {"menqing": 1})
    check(taiwan(pungs, "8s", "wall"), {"menqing_zimo": 3, "san_anke": 2})


@pytest.mark.parametrize(
    ("hand", "tile", "how", "gets"),
    [
        ("567m345p678p34s55s", "5s", "every", True),
        ("678p12345s99m345m", "3s", "every", True),
        ("567m345p678p2345s", "5s", "every", False),
        ("567m345p678p3334s", "5s", "every", False),
        ("567m345p678p3334s", "5s", "any", True),
        ("567m345p678p12s55s", "3s", "any", False),
    ],
)
def test_all_chows_wait(hand: str, tile: str, how: str, gets: bool) -> None:
    """Decision 5 and option all_chows_wait; every hand beside the claimed 123p."""
    won = taiwan(hand, tile, declared="123p<0", options={"all_chows_wait": how})
    assert won.legal and ("pinghu" in won.patterns) is gets


def test_all_chows_wait_strict_and_not_single() -> None:
    """Option all_chows_wait: 12345s takes 3s also into the gap of 12.45, which `strict` refuses; 2345s waits for two pairs."""
    five = "678p12345s99m345m"
    assert "pinghu" not in taiwan(five, "3s", declared="123p<0", options={"all_chows_wait": "strict"}).patterns
    two_pairs = taiwan("567m345p678p2345s", "5s", declared="123p<0", options={"all_chows_wait": "not_single"})
    assert "pinghu" in two_pairs.patterns


def test_single_wait_options() -> None:
    """Decision 4, option single_wait: 34m with all four 2m held; 1234m with all four 4m held."""
    dead_side = "678p456s55s34m"
    check(taiwan(dead_side, "5m", declared="2222m WWW<0"), {})
    check(taiwan(dead_side, "5m", declared="2222m WWW<0", options={"single_wait": "any_shape"}), {"duting": 1})
    fifth_copy = "1234444m789p555s"
    check(taiwan(fifth_copy, "1m", declared="WWW<0"), {"duting": 1})
    check(taiwan(fifth_copy, "1m", declared="WWW<0", options={"single_wait": "formal"}), {})
    edge = "444m789p555s12m66s"
    assert "duting" in taiwan(edge, "3m", declared="WWW<0").patterns


def test_all_claimed_options() -> None:
    """Scoring, banqiuren off by default; options all_claimed_single and tai.banqiuren."""
    claimed = "123p<0 999p<2 456s<0 1111m<3 WWW<2"
    check(taiwan("5s", "5s", "wall", declared=claimed), {"zimo": 1, "duting": 1})
    half = {"tai": {"banqiuren": 1}}
    check(taiwan("5s", "5s", "wall", declared=claimed, options=half), {"zimo": 1, "duting": 1, "banqiuren": 1})
    none = {"all_claimed_single": False}
    check(taiwan("5s", "5s", declared=claimed, options=none), {"quanqiuren": 2})
    check(taiwan("5s", "5s", "wall", declared=claimed, options=none), {"zimo": 1, "duting": 1})
    check(taiwan("5s", "5s", "wall", declared=claimed, options=none | half), {"zimo": 1, "banqiuren": 1})
    kong = "123p<0 999p<2 456s<0 1111m WWW<2"
    check(taiwan("5s", "5s", declared=kong), {"duting": 1})


def test_winds_and_honours_options() -> None:
    """Options little_winds_add and all_honours_add."""
    winds = taiwan("EE567m34s", "5s", declared="SSS<0 WWW<2 NNN<3", options={"little_winds_add": False})
    check(winds, {"xiao_sixi": 8})
    honours = taiwan("FFPP", "F", declared="SSS<0 WWW<2 NNN<3 CCC<0", options={"all_honours_add": True})
    check(honours, {"ziyise": 16, "xiao_sanyuan": 4, "menfeng": 1})


def test_ligu_options() -> None:
    """Scoring, ligu; options ligu_concealed, ligu_pung_values, seven_pairs_pung; shape 2 allows no meld."""
    hand = "1111m33m55m77m22p44pPP"
    check(taiwan(hand, "P", "wall"), {"ligu": 8, "zimo": 1})
    check(taiwan(hand, "P", options={"ligu_pung_values": True}), {"ligu": 8, "sanyuan": 1})
    check(taiwan(hand, "P", options={"ligu_concealed": True}), {"ligu": 8, "menqing": 1})
    check(taiwan(hand, "P", "wall", options={"ligu_concealed": True}), {"ligu": 8, "menqing_zimo": 3})
    assert taiwan(hand, "P", options={"seven_pairs_pung": False}).code == "no_shape"
    check(taiwan("11m33m55m77m99m22m44m66m", "6m"), {"ligu": 8, "qingyise": 8})
    check(taiwan("EESSWWNNCCFFPP1m1m", "1m"), {"ligu": 8, "hunyise": 4})
    assert taiwan("33m55m77m22p44p11sS", "S", declared="9999m").code == "no_shape"


def test_seven_rob_one() -> None:
    """Scoring, qi_qiang_yi: who drew the eighth pays alone, nothing else counts; option seven_rob_exposed."""
    robbed = taiwan(None, "4f", bonus="123f1234q", win={"flower_win": "seven_rob"})
    check(robbed, {"qi_qiang_yi": 8})
    dealer = taiwan(None, "4f", bonus="123f1234q", giver=0, repeat=1, win={"flower_win": "seven_rob"})
    assert dealer.deltas == [-(100 + 20 * (8 + 3)), 320, 0, 0]
    drawn = {"bonus": "123f123q", "win": {"flower_win": "seven_rob"}, "giver": 3, "others": {3: player(bonus="4f")}}
    assert not taiwan(None, "4q", "wall", **drawn).legal
    check(taiwan(None, "4q", "wall", **drawn, options={"seven_rob_exposed": True}), {"qi_qiang_yi": 8})


def test_eight_immortals() -> None:
    """Scoring, ba_xian, from all three without zimo; options eight_self_draw and flower_at_deal with first_turn."""
    eight: dict[str, Any] = {"bonus": "1234f123q", "win": {"flower_win": "eight"}}
    check(taiwan(None, "4q", "wall", **eight), {"ba_xian": 8})
    check(taiwan(CHOWS, None, "flower", bonus="1234f1234q", win={"flower_win": "eight"}), {"ba_xian": 8})
    check(taiwan(None, "4q", "wall", **eight, options={"eight_self_draw": True}), {"ba_xian": 8, "zimo": 1})
    first = eight | {"win": {"flower_win": "eight", "first_turn": True}}
    check(taiwan(None, "4q", "wall", **first), {"ba_xian": 8})
    check(taiwan(None, "4q", "wall", **first, options={"flower_at_deal": True}), {"ba_xian": 8, "peipai_huahu": 4})
    assert not taiwan(None, "4q", "wall", bonus="1234f12q", win={"flower_win": "eight"}).legal


FIRST = {"first_turn": True}


def test_heavenly_win() -> None:
    """Scoring, tianhu: concealment, self-draw and single wait inside; dealer tai 1 counts in every payment."""
    won = taiwan("234m567m345p678p12s55s", "3s", "deal", seat=0)
    assert tai(won) == {"tianhu": 24, "zhuangjia": 1} and won.deltas == [1800, -600, -600, -600]
    drawn = taiwan("234m567m345p678p12s55s", "3s", "wall", seat=0, win=FIRST, options={"tai": {"tianhu": 16}})
    assert tai(drawn) == {"tianhu": 16, "zhuangjia": 1}


def test_earthly_and_human_wins() -> None:
    """Scoring, dihu (duting adds), renhu off by default; option earthly_win."""
    edge = "234m567m345p678p12s55s"
    dealers = taiwan(edge, "3s", giver=0, win=FIRST)
    assert tai(dealers) == {"dihu": 16, "duting": 1} and dealers.deltas == [-460, 460, 0, 0]
    check(taiwan(CHOWS, "5s", "wall", win=FIRST), {"dihu": 16})
    check(taiwan(CHOWS, "5s", "wall", win=FIRST, options={"earthly_win": "first_discard"}), {"menqing_zimo": 3})
    check(taiwan(edge, "3s", win=FIRST), {"menqing": 1, "duting": 1})
    check(taiwan(edge, "3s", win=FIRST, options={"tai": {"renhu": 8}}), {"renhu": 8, "duting": 1})
    rest = taiwan(edge, "3s", giver=0, win=FIRST, options={"tai": {"renhu": 8}, "earthly_win": "first_draw"})
    assert tai(rest) == {"renhu": 8, "duting": 1}


def test_declared_ready() -> None:
    """Scoring, tingpai, diting, tianting; decision 8; all need declared_ready."""
    on = {"declared_ready": True}
    check(taiwan(CHOWS, "5s", own={"ready": "ready"}), {"menqing": 1, "pinghu": 2})
    check(taiwan(CHOWS, "5s", own={"ready": "ready"}, options=on), {"menqing": 1, "pinghu": 2, "tingpai": 1})
    check(taiwan(CHOWS, "5s", own={"ready": "first"}, options=on), {"pinghu": 2, "diting": 4})
    check(taiwan(CHOWS, "5s", "wall", own={"ready": "first"}, options=on), {"zimo": 1, "buqiu": 1, "diting": 4})
    opened = "567m345p678p34s55s"
    check(taiwan(opened, "5s", "wall", declared="WWW<0", own={"ready": "first"}, options=on), {"zimo": 1, "diting": 4})
    dealt = on | {"tai": {"tianting": 8}}
    check(taiwan(CHOWS, "5s", own={"ready": "dealt"}, options=dealt), {"pinghu": 2, "tianting": 8})


def test_four_kongs_and_other_values() -> None:
    """Scoring, si_gangzi off by default; option tai changes any pattern."""
    kongs = "1111m<0 2222p<2 EEEE 5555s<3"
    check(taiwan("99m34s", "2s", declared=kongs), {"quanfeng": 1})
    check(taiwan("99m34s", "2s", declared=kongs, options={"tai": {"si_gangzi": 8}}), {"quanfeng": 1, "si_gangzi": 8})
    last = {"last_tile": True}
    assert taiwan(CHOWS, "5s", win=last, options={"tai": {"hedi": 0, "pinghu": 5}}).deltas == [0, 220, 0, -220]


def test_dealer_tai_and_streak() -> None:
    """Payments: D = 1 + 2 x repeat where the dealer wins or pays; options base and unit."""
    dealer = taiwan(CHOWS, "5s", seat=0, repeat=2)
    assert tai(dealer) == {"menqing": 1, "pinghu": 2, "zhuangjia": 5} and dealer.deltas == [260, 0, 0, -260]
    payer = taiwan(CHOWS, "5s", "wall", repeat=1, options={"base": 50, "unit": 10})
    assert payer.deltas == [-(50 + 10 * 6), 110 + 160, -80, -80]


@pytest.mark.parametrize(
    ("wall", "left", "legal"),
    [("fixed", 15, False), ("fixed", 16, True), ("per_kong", 16, False), ("per_kong", 17, True), ("none", 3, True)],
)
def test_dead_wall(wall: str, left: int, legal: bool) -> None:
    """Play, dead wall; option dead_wall: one kong lies on the table."""
    others = {2: player(declared="9999m")}
    won = taiwan(CHOWS, "5s", "wall", others=others, wall_left=left, options={"dead_wall": wall})
    assert won.legal is legal and (legal or won.code == "dead_wall")


def test_head_bump_robbing_and_dead_hands() -> None:
    """Play: one winner, the first in turn; concealed kongs are not robbed; Irregularities."""
    players = [player(CHOWS), player("234m567m345p678p34s99m"), player(), player()]
    wins = [{"seat": seat, "tile": "5s", "source": "discard", "from": 3} for seat in (1, 0)]
    settled = settle({"rules": "taiwan", "players": players, "wins": wins})
    assert [w["legal"] for w in settled.data["wins"]] == [False, True]
    assert taiwan(CHOWS, "5s", "robbed_kong", win={"robbed_kind": "concealed"}).code == "no_robbing"
    assert taiwan(CHOWS, "5s", incidents=[{"kind": "dead_hand", "seat": 1, "why": "long"}]).code == "dead_hand"
    wrong = [{"kind": "false_win", "seat": 2, "claimed": [120, 100, 0, 100]}]
    fined = settle({"rules": "taiwan", "players": [player()] * 4, "wins": [], "incidents": wrong})
    assert fined.deltas == [120, 100, -320, 100]


def test_played_without_bonus_tiles() -> None:
    """Option bonus_tiles: false makes a record with flowers malformed."""
    with pytest.raises(RecordError, match="1f"):
        taiwan(CHOWS, "5s", bonus="1f", options={"bonus_tiles": False})
    assert taiwan(CHOWS, "5s", options={"bonus_tiles": False}).legal
