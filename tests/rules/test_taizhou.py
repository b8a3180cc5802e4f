"""Taizhou, chapter by chapter of its sheet (docs/sheets/taizhou.md). Amounts by hand: W = hu x 2^tai, at most 100; between
dealer and others W, else W / 2. Seat 1 (south) wins and seat 0 deals unless said, indicator 1p: 1p is wild, and a white in the
winner's concealed hand may be a 1p. The losers' hands are worth nothing unless given."""

from __future__ import annotations

from typing import Any

import pytest

from referee.rules.record import RecordError
from referee.rules.ruleset import load
from tests.rules.hands import Settled, declare, player, settle
from tests.rules.losers import against

RUNS = "234m567m345p99p67s"  # waits for 5s and 8s: 10 hu, drawn 12
DRAWN = {"hudi": "10 fu", "zimo": "2 fu"}


def taizhou(
    hand: str, tile: str | None, source: str = "wall", seat: int = 1, others: dict[int, Any] | None = None, **more: Any
) -> Settled:
    fixed = {"dealer": 0, "indicator": "1p"} | more
    return against("taizhou", hand, tile, source, seat=seat, others=others or {}, **fixed)


def paid(points: int) -> list[float]:
    """Seat 1 wins, seat 0 deals."""
    full = points >= 100
    other = points if full else points / 2
    return [-points, points + 2 * other, -other, -other]


def test_payments() -> None:
    """Payments: all three pay, discard or not; with the dealer in full, else half."""
    assert taizhou(RUNS, "8s").deltas == paid(12)
    assert taizhou(RUNS, "8s", "discard", giver=2).deltas == paid(10)
    assert taizhou(RUNS, "8s", "robbed_kong", giver=2, others={2: player("258m147p36sWN", "888s<3")}).deltas == [
        -10 - 2, 20, -5 + 2 + 1, -5 - 1,
    ]  # fmt: skip
    dealer = taizhou(RUNS, "8s", "discard", giver=2, seat=0)
    assert dealer.patterns == {"hudi": "10 fu"} and dealer.deltas == [30, -10, -10, -10]


@pytest.mark.parametrize(
    ("hand", "tile", "more", "extra", "points"),
    [
        ("234m567m345pSS67s", "8s", {}, {"zifeng_duizi": "2 fu"}, 14),
        ("234m567m345pCC67s", "8s", {}, {"sanyuan_duizi": "2 fu"}, 14),
        ("234m567m345pEE67s", "8s", {}, {}, 12),
        ("234m567m99p67s222p", "8s", {}, {"anke": "4 fu"}, 16),
        ("234m567m22p67s999p", "8s", {}, {"anke": "8 fu"}, 20),
        ("234m567m99p67s", "8s", {"declared": "222p<0"}, {"mingke": "2 fu"}, 14),
        ("234m567m99p67s", "8s", {"declared": "NNN<0"}, {"mingke": "4 fu"}, 16),
        ("234m567m99p67s", "8s", {"declared": "2222p<0"}, {"minggang": "8 fu"}, 20),
        ("234m567m99p67s", "8s", {"declared": "NNNN+0"}, {"minggang": "16 fu"}, 28),
        ("234m567m99p67s", "8s", {"declared": "2222p"}, {"angang": "16 fu"}, 28),
        ("234m567m99p67s", "8s", {"declared": "NNNN"}, {"angang": "32 fu"}, 44),
        ("234m567m99p67s", "8s", {"declared": "SSS<0"}, {"mingke": "4 fu", "zifeng": "1 tai"}, 32),
        ("234m567m99p67s", "8s", {"declared": "CCC<0"}, {"mingke": "4 fu", "sanyuan": "1 tai"}, 32),
        ("234m567m345p99p46s", "5s", {}, {"qiandang": "2 fu"}, 14),
        ("234m567m345p99p89s", "7s", {}, {}, 12),
        ("234m567m345p678s9p", "9p", {}, {}, 12),
        ("55p77s", "7s", {"declared": "222m<0 333p<2 888s<3"},
         {"mingke": "6 fu", "anke": "4 fu", "duiduihu": "4 fu"}, 26),
        ("234p99p67p", "8p", {"declared": "NNN<0 567p<0"}, {"mingke": "4 fu", "hunyise": "1 tai"}, 32),
        ("22p67p", "8p", {"declared": "234p<0 456p<0 567p<0"}, {"qingyise": "3 tai"}, 96),
    ],
)  # fmt: skip
def test_hu_and_tai(hand: str, tile: str, more: dict[str, Any], extra: dict[str, str], points: int) -> None:
    """Hu and tai tables; edge and pair waits are worth nothing, all pungs 4 hu and no tai."""
    won = taizhou(hand, tile, **more)
    assert won.patterns == DRAWN | extra and won.deltas == paid(points)


def test_honours_alone_are_a_half_flush() -> None:
    """Decisions; hu 10 + 4 + 4 + 8 + 8 + 2 + 4 (all pungs) with two dragons, own wind, half flush: far over the limit."""
    won = taizhou("SSSNNNPPCC", "C", "discard", giver=2, declared="FFF<0")
    assert won.patterns["hunyise"] == "1 tai" and won.patterns["sanyuan"] == "2 tai"
    assert won.deltas == [-100, 300, -100, -100]


def test_the_limit() -> None:
    """Payments, 1; Decisions: 96 is halved for non-dealers; exactly 100 is the limit, paid in full by all; more is cut."""
    assert taizhou("22p67p", "8p", declared="234p<0 456p<0 567p<0").deltas == paid(96)
    exact = taizhou("222p345p67pCC", "8p", declared="NNNN")  # (10 + 32 + 4 + 2 + 2) x 2
    assert exact.patterns["hunyise"] == "1 tai" and exact.deltas == [-100, 300, -100, -100]
    over = taizhou("22p68p", "7p", declared="234p<0 456p<0 567p<0")  # 14 x 8 = 112
    assert over.patterns["qiandang"] == "2 fu" and over.deltas == [-100, 300, -100, -100]


@pytest.mark.parametrize(
    ("hand", "tile", "extra", "points"),
    [
        ("234m567mSS67s1p99p", "8s", {"anke": "8 fu", "zifeng": "1 tai"}, 40),  # the wild makes SSS
        ("234m567m99p67sP23p", "8s", {}, 12),  # the white is a 1p: 123p
        ("234m567m99p67sPPP", "8s", {"anke": "8 fu", "sanyuan": "1 tai"}, 40),  # three whites as themselves
        ("234m567mPP67s345p", "8s", {"sanyuan_duizi": "2 fu"}, 14),
        ("345678p567p22pPP", "P", {"anke": "8 fu", "qingyise": "3 tai"}, 100),  # PPP is a pung of 1p: a full flush
    ],
)
def test_wilds_and_whites(hand: str, tile: str, extra: dict[str, str], points: int) -> None:
    """Wild and bonus tiles: a wild is any tile, a concealed white a white or the wild's face."""
    won = taizhou(hand, tile)
    assert won.patterns == DRAWN | extra and won.deltas == paid(points)


def test_melded_whites_stay_white() -> None:
    """Wild and bonus tiles: a melded pung of P is always white; no set may use a white as the wild's face."""
    won = taizhou("345678p22p67p", "8p", declared="PPP<0")
    assert won.patterns["hunyise"] == "1 tai" and won.patterns["sanyuan"] == "1 tai"
    assert taizhou("345678p22p67p", "8p", declared="P23p<0").code == "invalid_meld"
    assert taizhou("345678p22p67p", "8p", declared="123p<0").code == "invalid_meld"


def test_indicator_white() -> None:
    """Wild and bonus tiles: if the indicator is P the other three whites are the wilds."""
    won = taizhou("234m567m345p67s9pP", "8s", indicator="P")
    assert won.patterns == DRAWN and won.deltas == paid(12)


@pytest.mark.parametrize(
    ("hand", "tile", "source", "code"),
    [
        ("234m567m345p678s1p", "N", "discard", "wild_pair_wait"),
        ("234m567m345p678s1p", "N", "robbed_kong", "wild_pair_wait"),
        ("234m567m23p99p67s8s", "1p", "discard", "discarded_wild"),
        ("1133m4477p99sEES", "S", "wall", "no_shape"),
        ("19m19p19sESWNCFP", "1m", "wall", "no_shape"),
    ],
)
def test_refusals(hand: str, tile: str, source: str, code: str) -> None:
    """Winning shapes and restrictions."""
    giver = None if source == "wall" else 2
    assert taizhou(hand, tile, source, giver=giver, indicator="1p" if "19p" not in hand else "5s").code == code


def test_other_refusals() -> None:
    """Robbing a concealed kong; dead hand; missing indicator or hand; a discarded white may be won on as the wild's face."""
    assert taizhou(RUNS, "8s", "robbed_kong", giver=2, win={"robbed_kind": "concealed"}).code == "no_robbing"
    assert taizhou(RUNS, "8s", incidents=[{"kind": "dead_hand", "seat": 1}]).code == "dead_hand"
    assert taizhou("234m567m99p678s23p", "P", "discard", giver=2).legal
    with pytest.raises(RecordError, match="indicator"):
        taizhou(RUNS, "8s", indicator=None)
    with pytest.raises(RecordError, match="hand"):
        declare("taizhou", RUNS, "8s", indicator="1p")


def test_losers_settle_their_differences() -> None:
    """Payments, 2: the difference, half of it between non-dealers. Seat 2: CCC 8 hu and a tai, 16; seat 3: kong 8."""
    others = {2: player("CCC147m58p1369sE"), 3: player("258m369p17sES", "2222p<1")}
    assert taizhou(RUNS, "8s", others=others).deltas == [-12 - 16 - 8, 24, -6 + 16 + 4, -6 + 8 - 4]


def test_losers_wilds_count_nothing() -> None:
    """Decisions: 1p 1p with a natural pair make no pung; whites are plain: a pair of them 2 hu (seat 2)."""
    won = taizhou(RUNS, "8s", others={2: player("PP1p1pCC147m58p36s")})
    assert won.deltas == [-12 - 4, 24, -6 + 4 + 2, -6 - 2]


def test_losers_points_are_cut_too() -> None:
    """Payments, 3: three dragon pungs and the own wind are far over the limit: 100."""
    won = taizhou(RUNS, "8s", others={2: player("CCCFFFPPP147mE")})
    assert won.deltas == [-12 - 100, 24, -6 + 100 + 50, -6 - 50]


def liable(
    hand: str, tile: str, declared: str, lists: tuple[str, str, str, str], thrower: str, shown: str = "", **more: Any
) -> Settled:
    """Seat 1 wins on seat 2's discard, who has declared ``shown``; everybody's discards are known."""
    others = {
        0: player("147m258p369sEWNS") | {"discards": lists[0]},
        2: player(thrower, shown) | {"discards": lists[2]},
        3: player("258m69p47sENS159m") | {"discards": lists[3]},
    }
    return taizhou(
        hand, tile, "discard", giver=2, declared=declared, others=others, own={"discards": lists[1]}, **more
    )


READY = "234m567m234p67s55s"  # ready for 5s and 8s
RAW = ("E", "N", "3sP", "9s")
SEEN = ("EP", "N", "3sP", "9s")


@pytest.mark.parametrize(
    ("lists", "options", "alone"), [(RAW, {}, True), (SEEN, {}, False), (SEEN, {"bao_raw_only": False}, True)]
)
def test_third_dragon(lists: tuple[str, str, str, str], options: dict[str, Any], alone: bool) -> None:
    """Liability, bao_sanyuan: two dragon pungs shown, the raw third dragon discarded; option bao_raw_only."""
    won = liable("567m88sPP", "P", "CCC<0 FFF<2", lists, READY, options=options)  # (10 + 12) x 8, the limit
    assert won.deltas == ([0, 300, -300, 0] if alone else [-100, 300, -100, -100])


@pytest.mark.parametrize(
    ("declared", "alone"), [("234p<0 456p<0 567p<0", True), ("234p<0 345p<0 6666p", False)]
)
def test_full_flush_behind_three_claimed_sets(declared: str, alone: bool) -> None:
    """Liability, bao_qingyise: raw or not; a concealed kong is no claimed set. 10 x 8 = 80 and (10 + 16) x 8, the limit."""
    won = taizhou("22p78p", "9p", "discard", giver=2, declared=declared)
    assert won.patterns["qingyise"] == "3 tai"
    assert won.deltas == ([0, 160, -160, 0] if alone else [-100, 300, -100, -100])


@pytest.mark.parametrize(
    ("thrower", "alone"),
    [
        (READY, False),
        ("234m567m23p6778s9p", False),  # one tile from ready
        ("147m258p369sESWN", True),
        ("234m567m35s24p1pEW", False),  # the wild brings it one tile from ready
    ],
)
def test_raw_dragon_from_a_poor_hand(thrower: str, alone: bool) -> None:
    """Liability, bao_sheng_sanyuan: the discarder is neither ready nor one tile from it."""
    won = liable("234m567m345p88sPP", "P", "", RAW, thrower)  # (10 + 4) x 2
    assert won.deltas == ([0, 56, -56, 0] if alone else paid(28))


def test_a_wild_tile_alone_is_ready() -> None:
    """The same: four sets shown and a wild left wait on every tile."""
    won = liable("234m567m345p88sPP", "P", "", RAW, "1p", "111s<0 222s<0 555s<3 666p<3")
    assert sorted(p["amount"] for p in won.data["payments"] if p["to"] == 1) == [14, 14, 28]  # not 56 from the discarder


def test_nothing_is_raw_where_discards_are_unknown() -> None:
    """Liability: where any ``discards`` is null the two rules do not apply; self-draws never."""
    for source, giver in (("discard", 2), ("wall", None)):
        won = taizhou("567m88sPP", "P", source, giver=giver, declared="CCC<0 FFF<2")
        assert won.deltas == [-100, 300, -100, -100]


def test_option_limit() -> None:
    """Options: limit."""
    assert taizhou(RUNS, "8s", options={"limit": 12}).deltas == [-12, 36, -12, -12]
    assert taizhou("22p68p", "7p", declared="234p<0 456p<0 567p<0", options={"limit": 200}).deltas == paid_half(112)


def paid_half(points: int) -> list[float]:
    return [-points, 2 * points, -points / 2, -points / 2]


@pytest.mark.parametrize(
    ("own", "tile", "legal"), [("E", "N", False), ("E", "S", False), ("S", "S", False), ("", "N", True), (None, "N", True)]
)
def test_option_wild_pair_wait_higher(own: str | None, tile: str, legal: bool) -> None:
    """Options: a discard wins if its points exceed those of the self-draw passed by the own last discard. A drawn E makes
    12, a drawn S (own wind pair) 14; a discarded N makes 10, S 12."""
    options = {"wild_pair_wait": "higher"}
    won = taizhou("234m567m345p678s1p", tile, "discard", giver=2, own={"discards": own}, options=options)
    assert won.code == (None if legal else "wild_pair_wait")


def test_option_wild_pair_wait_higher_with_a_dearer_discard() -> None:
    """Options: the discarded 5p fills a gap in a full flush, 12 x 8; the passed E was worth 12."""
    options = {"wild_pair_wait": "higher"}
    won = taizhou("234p345p456p678p1p", "5p", "discard", giver=2, own={"discards": "E"}, options=options)
    assert won.legal and won.deltas == paid(96)


@pytest.mark.parametrize(
    ("how", "hand", "tile", "declared", "counts"),
    [
        ("none", "NN55p", "N", "EEE<0 SSS<2 WWW<3", False),
        ("big", "NN55p", "N", "EEE<0 SSS<2 WWW<3", True),
        ("big", "67sNN", "8s", "EEE<0 SSS<2 WWW<3", False),
        ("small", "67sNN", "8s", "EEE<0 SSS<2 WWW<3", True),
        ("small_own_pair", "67sNN", "8s", "EEE<0 SSS<2 WWW<3", False),
        ("small_own_pair", "67sSS", "8s", "EEE<0 NNN<2 WWW<3", True),
    ],
)
def test_option_four_winds(how: str, hand: str, tile: str, declared: str, counts: bool) -> None:
    """Options: four_winds, 13 tai."""
    won = taizhou(hand, tile, declared=declared, options={"four_winds": how})
    assert (won.patterns.get("sifeng_huiqi") == "13 tai") == counts


def test_four_winds_count_for_losers() -> None:
    """Options: four_winds counts for everybody, in whatever hand the tiles are."""
    loser = {2: player("EEESSSNN1m", "WWW<0")}
    won = taizhou(RUNS, "8s", others=loser, options={"four_winds": "small"})
    assert won.deltas == [-12 - 100, 24, -6 + 100 + 50, -6 - 50]


def test_option_round_up_tens() -> None:
    """Options: points rounded up to tens before all payments; equal rounded points pay nothing; 100 so reached is no limit."""
    won = taizhou(RUNS, "8s", others={2: player("CC147m258p369sEW")}, options={"round_up_tens": True})
    assert won.deltas == [-20 - 10, 40, -10 + 10 + 5, -10 - 5]
    rounded = taizhou("22p67p", "8p", declared="234p<0 456p<0 567p<0", options={"round_up_tens": True})
    assert rounded.deltas == [-100, 200, -50, -50]


def test_nearest_claimant_wins() -> None:
    """Play: several winners on one discard: only the nearest in turn order."""
    players = [player("147m258p369sESWN"), player(RUNS), player("258m147p369sESWN"), player("123m456m345p77p79s")]
    wins = [{"seat": seat, "tile": "8s", "source": "discard", "from": 2} for seat in (1, 3)]
    both = settle({"rules": "taizhou", "indicator": "1p", "players": players, "wins": wins})
    assert [w["legal"] for w in both.data["wins"]] == [False, True]


def test_hands_without_a_win_settle_nothing() -> None:
    """Payments, 5; Irregularities; missed_win is a rule of play."""
    fine = {"kind": "false_win", "seat": 2, "claimed": [4, 2, 0, 2]}
    record = {"rules": "taizhou", "indicator": "1p", "players": [player(None, "2222p")] + [{}] * 3, "wins": []}
    assert settle(record | {"incidents": [fine]}).deltas == [0, 0, 0, 0]
    ritual = load("taizhou", {"missed_win": "higher"}).ritual
    assert ritual is not None and ritual.claims.missed_win == "higher"
