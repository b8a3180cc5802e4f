"""Fenghua, chapter by chapter of its sheet (docs/sheets/fenghua.md). Amounts by hand: S = sum of tai rounded up to tens, 2S from
each on a self-draw. Seat 1 (south) wins, seat 0 deals, round wind east, indicator 1s (so 1s is wild) unless said."""

from __future__ import annotations

from typing import Any

import pytest

from referee.rules.record import RecordError
from referee.rules.ruleset import load
from tests.rules.hands import Settled, declare, melds, player, settle

RUNS = "234m567m345p99p67s"  # waits for 5s and 8s
GAP = "234m567m345p99p46s"  # waits for 5s
OPEN = "234m567m99p67s"  # with one declared set
FLOWERS = "1234f1234q"


def fenghua(hand: str | None, tile: str | None, source: str = "wall", **more: Any) -> Settled:
    return declare("fenghua", hand, tile, source, **{"dealer": 0, "seat": 1, "indicator": "1s"} | more)


def values(won: Settled) -> dict[str, int]:
    return {name: int(worth.split()[0]) for name, worth in won.patterns.items()}


def rounded(tai: int) -> int:
    return -(-tai // 10) * 10


DRAWN = {"zuotai": 1, "zimo": 1}
HARD = DRAWN | {"wuda": 1}


@pytest.mark.parametrize(
    ("hand", "tile", "more", "patterns"),
    [
        (RUNS, "8s", {}, HARD | {"penghu": 1}),
        (OPEN, "8s", {"declared": "CCC<0"}, HARD | {"sanyuan": 1}),
        (OPEN, "8s", {"declared": "SSS<0"}, HARD | {"weifeng": 1}),
        (OPEN, "8s", {"declared": "EEE<0"}, HARD | {"quanfeng": 1}),
        (OPEN, "8s", {"declared": "EEE<1", "seat": 0}, HARD | {"zhengfeng": 2}),
        (OPEN, "8s", {"declared": "WWW<0"}, HARD),
        ("234m567m345p99p89s", "7s", {}, HARD | {"penghu": 1, "bian": 1}),
        (GAP, "5s", {}, HARD | {"penghu": 1, "qian": 1}),
        ("234m567m345p678s9p", "9p", {}, HARD | {"penghu": 1, "dandiao": 1}),
        ("234m567m345p2345s", "2s", {}, HARD | {"penghu": 1}),  # 5s completes it too: no single call
        ("234m567m99p33s", "3s", {"declared": "CCC<0"}, HARD | {"sanyuan": 1, "duidao": 1}),
        ("234m567m345p99p6s1s", "8s", {}, DRAWN | {"penghu": 1, "yida": 1}),
        ("234m567m345p9p6s11s", "8s", {}, DRAWN | {"penghu": 1, "erda": 2}),
        ("234m345p99p123s67m", "8m", {}, DRAWN | {"penghu": 1, "yida": 1, "huanda": 1}),
        ("147m258p369sESWN", "C", {}, HARD | {"shisanbuda": 50}),
        ("147m258p3sESWNCF", "P", {}, HARD | {"mingqixing": 100}),
        ("147m25p3sESWNCFP", "8p", {}, HARD | {"anqixing": 150}),
        ("147m258pESWNCFP", "3s", {}, HARD | {"quese": 150}),
        ("55p77s", "7s", {"declared": "222m<0 333p<2 888s<3"}, HARD | {"duidao": 1, "dadadui_wuda": 100}),
        ("55p7s1s", "7s", {"declared": "222m<0 333p<2 888s<3"},
         DRAWN | {"yida": 1, "duidao": 1, "dadadui_youda": 50}),
        ("9p", "9p", {"declared": "234m<0 567m<0 EEE<2 666p<3"},
         HARD | {"quanfeng": 1, "dandiao": 1, "dadiaoche_wuda": 100}),
        ("1s", "9p", {"declared": "234m<0 567m<0 EEE<2 666p<3"},
         DRAWN | {"quanfeng": 1, "yida": 1, "dadiaoche_youda": 50}),
        ("1133m4477p99sEES", "S", {}, HARD | {"dandiao": 1, "qidui_wuda": 150}),
        ("1133m4477p99sEE1s", "S", {}, DRAWN | {"yida": 1, "qidui_youda": 50}),
        ("1111m4477p99sEES", "S", {}, HARD | {"dandiao": 1, "qidui_wuda": 150, "anzha": 100}),
        ("111m4477p99sEESS", "1m", {}, HARD | {"dandiao": 1, "qidui_wuda": 150, "mingzha": 50}),
        ("234p99p67p", "8p", {"declared": "NNN<2 567p<0"}, HARD | {"hunyise": 70}),
        ("999p22p67p", "8p", {"declared": "123p<0 456p<0"}, HARD | {"qingyise": 150}),
        ("EEWWNCPPSS", "N", {"declared": "FFF<0"}, HARD | {"sanyuan": 1, "luanlaotou": 400}),
        ("EESSWWNNCCFFP", "P", {}, HARD | {"qidui_wuda": 150, "luanlaotou": 400}),  # any honour wins
        ("NNNWWPP", "P", {"declared": "FFF<0 CCC<2"},
         HARD | {"sanyuan": 3, "duidao": 1, "dadadui_wuda": 100, "qinglaotou": 800}),
        (RUNS, "8s", {"bonus": FLOWERS}, HARD | {"penghu": 1, "bahua_cuohu": 800}),
        (OPEN, "8s", {"declared": "2222p<0"}, HARD | {"zhigang": 50}),
        (OPEN, "8s", {"declared": "2222p"}, HARD | {"angang": 100}),
        (OPEN, "8s", {"declared": "2222p+0"}, HARD | {"fengxiangang": 100}),
        (OPEN, "8s", {"declared": "2222p<0", "source": "kong"}, HARD | {"zhigang": 100}),
        (OPEN, "8s", {"declared": "2222p", "source": "kong"}, HARD | {"angang": 150}),
        (OPEN, "8s", {"declared": "2222p+0", "source": "kong"}, HARD | {"fengxiangang": 200}),
        (RUNS, "8s", {"bonus": "1f", "source": "flower"}, HARD | {"penghu": 1, "huagang": 50}),
        ("24m57m35p99p67s111s", "8s", {}, DRAWN | {"penghu": 1, "sanbaida": 150}),
        ("24m57m35p99p67s234q", "8s", {"indicator": "1q"}, DRAWN | {"penghu": 1, "sanhua_sanbaida": 300}),
        (RUNS, "8s", {"bonus": "2f2q3q"}, HARD | {"penghu": 1, "zhenghua": 4}),
        (RUNS, "8s", {"bonus": "1234f2q"}, HARD | {"penghu": 1, "sihua": 150, "zhenghua": 2}),
    ],
)  # fmt: skip
def test_every_pattern(hand: str, tile: str, more: dict[str, Any], patterns: dict[str, int]) -> None:
    """Scoring, groups A and B line by line, self-drawn; rounded up to tens, twice that from each."""
    won = fenghua(hand, tile, **more)
    assert values(won) == patterns
    assert won.deltas[more.get("seat", 1)] == 3 * 2 * rounded(sum(patterns.values()))


def test_eight_flowers_outright() -> None:
    """Winning shapes, 5; group B: 400 with base, self-draw and kongs; the hand is not read."""
    won = fenghua(None, None, "flower", bonus=FLOWERS, declared="2222p", win={"flower_win": "eight"})
    assert values(won) == DRAWN | {"bahua_zhihu": 400, "angang": 100} and won.deltas == [-1020, 3060, -1020, -1020]
    last = fenghua("147m", "4q", "wall", bonus="1234f123q", win={"flower_win": "eight"})
    assert last.deltas == [-820, 2460, -820, -820]
    assert fenghua(None, "4q", "wall", bonus="1234f12q", win={"flower_win": "eight"}).code == "no_shape"


def test_which_kong_blooms() -> None:
    """Group B: kong_tile, or the last kong; one at most, the others are budding."""
    hand, kongs = "567m99p67s", "2222p+0 EEEE"
    assert values(fenghua(hand, "8s", "kong", declared=kongs))["angang"] == 150
    named = values(fenghua(hand, "8s", "kong", declared=kongs, win={"kong_tile": "2p"}))
    assert named["angang"] == 100 and named["fengxiangang"] == 200


def test_closed_kongs_make_no_loner() -> None:
    """Decisions, 8."""
    won = fenghua("9p", "9p", declared="234m<0 567m<0 EEE<2 6666p")
    assert values(won) == HARD | {"quanfeng": 1, "dandiao": 1, "angang": 100}


def test_special_hands_with_wilds() -> None:
    """Decisions, 10: wilds count in all shapes; the drawn wild may be the missing suit's only tile."""
    lacking = fenghua("147m258pESWNCFP", "1s")
    assert values(lacking) == DRAWN | {"yida": 1, "huanda": 1, "quese": 150}
    other = fenghua("147p258sESWNCF1s", "3m")  # the wild is the seventh honour; 3m is the only character
    assert values(other) == DRAWN | {"yida": 1, "quese": 150}
    honours = fenghua("EEWWNCPPS1s", "N", declared="FFF<0")
    assert values(honours)["luanlaotou"] == 400
    stars = fenghua("147m258p3sESWNC1s", "P")
    assert values(stars)["mingqixing"] == 100


def test_wilds_as_calls() -> None:
    """Decisions, 1: calls are counted over kinds as they are; a lone wild calls everything, so no eye call."""
    won = fenghua("234m567m345p678s1s", "9p")
    assert values(won) == DRAWN | {"penghu": 1, "yida": 1}


def test_payments() -> None:
    """Payments: discard 2S and S; robbed kong 6S (self-draw counted); last tile's discard 4S alone."""
    discard = fenghua(GAP, "5s", "discard", giver=3)
    assert values(discard) == {"zuotai": 1, "penghu": 1, "qian": 1, "wuda": 1} and discard.deltas == [-10, 40, -10, -20]
    robbed = fenghua(GAP, "5s", "robbed_kong", giver=3, others={3: {"melds": melds("555s<2")}})
    assert values(robbed) == HARD | {"penghu": 1, "qian": 1} and robbed.deltas == [0, 60, 0, -60]
    last = fenghua(GAP, "5s", "discard", giver=3, win={"last_tile": True})
    assert last.deltas == [0, 40, 0, -40]
    fed = fenghua(OPEN, "8s", "kong", declared="2222p<3", win={"kong_from": 3})
    assert fed.deltas == [-220, 660, -220, -220], "the kong's feeder is not liable"


@pytest.mark.parametrize(
    ("hand", "tile", "more"),
    [
        (RUNS, "8s", {}),  # base, common win, no wild: three
        (RUNS, "8s", {"bonus": "1234f2q"}),  # flowers do not count
        (OPEN, "8s", {"declared": "2222p<0"}),  # nor kongs
        ("234m567m345p9p111s", "9p", {}),  # nor three wilds
    ],
)
def test_four_tai_for_a_discard(hand: str, tile: str, more: dict[str, Any]) -> None:
    """Restrictions: discard wins need four tai of group A; self-draws need none; option min_tai."""
    assert fenghua(hand, tile, "discard", giver=3, **more).code == "below_minimum"
    assert fenghua(hand, tile, **more).legal
    assert fenghua(hand, tile, "discard", giver=3, options={"min_tai": 2}, **more).legal


@pytest.mark.parametrize(
    ("hand", "tile", "source", "more", "code"),
    [
        ("234m567m345p678s1s", "9p", "discard", {}, "wild_pair_wait"),
        ("1133m4477p99sEE1s", "S", "discard", {}, "wild_pair_wait"),
        ("1133m4477p99sEE1s", "S", "robbed_kong", {}, "wild_pair_wait"),
        ("234m567m345p99p23s", "1s", "discard", {}, "wild_discard"),
        ("146m258p36sESWNC", "9s", "wall", {}, "no_shape"),
        ("1133m4477pES", "S", "wall", {"declared": "9999s"}, "no_shape"),
        ("99p67s345p", "8s", "wall", {"declared": "1s23s<0 567m<0"}, "invalid_meld"),
        (GAP, "5s", "robbed_kong", {"win": {"robbed_kind": "concealed"}}, "no_robbing"),
        (GAP, "5s", "wall", {"incidents": [{"kind": "dead_hand", "seat": 1}]}, "dead_hand"),
    ],
)  # fmt: skip
def test_refusals(hand: str, tile: str, source: str, more: dict[str, Any], code: str) -> None:
    """Winning shapes and restrictions."""
    assert fenghua(hand, tile, source, giver=None if source == "wall" else 3, **more).code == code


FED_FOUR = "234m<0 567m<0 345p<0 EEE<0"
FED_THREE = "123p<0 456p<0 789p<0"


@pytest.mark.parametrize(
    ("hand", "tile", "declared", "source", "giver", "deltas"),
    [
        ("9p", "9p", FED_FOUR, "wall", None, [-660, 660, 0, 0]),  # 1 + 1 + 1 + 1 + 1 + 100
        ("9p", "9p", FED_FOUR, "discard", 3, [-440, 440, 0, 0]),
        ("22p67p", "8p", FED_THREE, "wall", None, [-960, 960, 0, 0]),  # 150 + 4
        ("22p67p", "8p", FED_THREE, "discard", 3, [-640, 640, 0, 0]),
        ("22p67p", "8p", FED_THREE, "robbed_kong", 3, [0, 960, 0, -960]),
        ("99s67p", "8p", FED_THREE, "wall", None, [-20, 60, -20, -20]),  # three sets, no flush
    ],
)
def test_fed_sets(
    hand: str, tile: str, declared: str, source: str, giver: int | None, deltas: list[int]
) -> None:
    """Liability: four sets fed, or three with a flush or all pungs; the robbed player goes before."""
    assert fenghua(hand, tile, source, giver=giver, declared=declared).deltas == deltas


def test_liability_of_the_last_tile_goes_before() -> None:
    """Decisions, 14; and the liability is one-way."""
    won = fenghua("22p67p", "8p", "discard", giver=3, declared=FED_THREE, win={"last_tile": True})
    assert won.deltas == [0, 640, 0, -640]
    taker = {2: player(None, "222m<1 555p<1 888p<1")}
    assert fenghua(RUNS, "8s", others=taker).deltas == [-20, 60, -20, -20]


@pytest.mark.parametrize(
    ("hand", "tile", "more", "pattern", "worth"),
    [
        ("147m258p369sESWN", "C", {}, "shisanbuda", 30),
        ("147m258p3sESWNCF", "P", {}, "mingqixing", 60),
        ("1133m4477p99sEES", "S", {}, "qidui_wuda", 90),
        ("234p99p67p", "8p", {"declared": "NNN<2 567p<0"}, "hunyise", 40),
        ("EEWWNCPPSS", "N", {"declared": "FFF<0"}, "luanlaotou", 240),
        (RUNS, "8s", {"bonus": FLOWERS}, "bahua_cuohu", 480),
        (OPEN, "8s", {"declared": "2222p+0", "source": "kong"}, "fengxiangang", 120),
        (RUNS, "8s", {"bonus": "1234f"}, "sihua", 90),
        ("234m567m345p9p234q", "8s", {"indicator": "1q"}, "sanhua_sanbaida", 180),
        (RUNS, "8s", {}, "penghu", 1),
    ],
)  # fmt: skip
def test_option_unit_thirty(hand: str, tile: str, more: dict[str, Any], pattern: str, worth: int) -> None:
    """Options, unit 30: multiples of 50 become the same multiples of 30, the half flush 40."""
    assert values(fenghua(hand, tile, options={"unit": 30}, **more))[pattern] == worth


def test_option_celebrate() -> None:
    """Options, celebrate: all honours and eight flowers win as usual, by discard too, but bring 0 tai."""
    options = {"celebrate": True}
    honours = fenghua("EEWWNCPPSS", "N", "discard", giver=3, declared="FFF<0", options=options)
    assert values(honours) == {"zuotai": 1, "wuda": 1, "sanyuan": 1, "luanlaotou": 0}
    assert honours.deltas == [-10, 40, -10, -20]
    assert fenghua(RUNS, "8s", bonus=FLOWERS, options=options).deltas == [-20, 60, -20, -20]
    outright = fenghua(None, None, "flower", bonus=FLOWERS, win={"flower_win": "eight"}, options=options)
    assert outright.deltas == [-20, 60, -20, -20]


def test_options_of_robbing_and_the_last_tile() -> None:
    """Options, robbed_kong_tai and last_tile_tai (self-drawn)."""
    robbed = {3: {"melds": melds("555s<2")}}
    won = fenghua(GAP, "5s", "robbed_kong", giver=3, others=robbed, options={"robbed_kong_tai": 10})
    assert won.deltas == [0, 120, 0, -120]
    last = fenghua(RUNS, "8s", win={"last_tile": True}, options={"last_tile_tai": 10})
    assert last.deltas == [-40, 120, -40, -40]
    assert fenghua(RUNS, "8s", win={"last_tile": True}).deltas == [-20, 60, -20, -20]


def test_heavenly_and_earthly_wins_bring_nothing() -> None:
    """Decisions, 9: no call on a dealt hand; earthly is a discard win with the usual minimum."""
    won = fenghua("234m567m345p678s9p", "9p", "deal", seat=0, win={"first_turn": True})
    assert values(won) == HARD | {"penghu": 1} and won.deltas == [60, -20, -20, -20]
    assert fenghua(RUNS, "8s", "discard", giver=0, win={"first_turn": True}).code == "below_minimum"


def test_flower_indicator_and_other_records() -> None:
    """Wild and bonus tiles; Play (one winner); Irregularities; option dice_roles."""
    with pytest.raises(RecordError, match="bonus"):
        fenghua(RUNS, "8s", indicator="1q", bonus="2q")
    with pytest.raises(RecordError, match="indicator"):
        fenghua(RUNS, "8s", indicator=None)
    players = [{}, player(GAP), {}, player("123p456p789m22m46s")]
    wins = [{"seat": seat, "tile": "5s", "source": "discard", "from": 0} for seat in (3, 1)]
    both = settle({"rules": "fenghua", "indicator": "1s", "players": players, "wins": wins})
    assert [w["legal"] for w in both.data["wins"]] == [False, True] and both.code == "head_bump"
    fine = {"kind": "false_win", "seat": 0, "claimed": [0, 20, 10, 10]}
    record = {"rules": "fenghua", "indicator": "1s", "players": [player(None, "2222p")] + [{}] * 3, "wins": []}
    assert settle(record | {"incidents": [fine]}).deltas == [-40, 20, 10, 10]
    ritual = load("fenghua", {"dice_roles": "break_small"}).ritual
    assert ritual is not None and ritual.opening.figure == "smaller"
