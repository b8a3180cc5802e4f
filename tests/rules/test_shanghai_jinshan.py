"""Jinshan, chapter by chapter of its sheet (docs/sheets/shanghai_jinshan.md). Amounts by hand: points = fu x 2^tai; on a
self-draw each pays ceil(2 x points / 10) + 3, at most 50. Seat 1 (south) wins and seat 0 deals unless said; the losers' hands
are worth nothing unless given."""

from __future__ import annotations

from typing import Any

import pytest

from referee.rules.record import RecordError
from referee.rules.ruleset import load
from tests.rules.hands import Settled, declare, player, settle
from tests.rules.losers import against

RUNS = "234m567m345p99p67s"  # waits for 5s and 8s: 10 fu and what else there is
SEASONS = "134q"  # three seasons, none of them seat 1's own: 12 fu
BASE = {"di": "10 fu", "huapai": "12 fu"}
DRAWN = BASE | {"zimo": "2 fu"}


def jinshan(
    hand: str, tile: str | None, source: str = "wall", seat: int = 1, others: dict[int, Any] | None = None, **more: Any
) -> Settled:
    fixed = {"dealer": 0, "bonus": SEASONS} | more
    return against("shanghai_jinshan", hand, tile, source, seat=seat, others=others or {}, **fixed)


def shares(won: Settled, seat: int = 1) -> list[float]:
    return [-delta for s, delta in enumerate(won.deltas) if s != seat]


def test_source_example() -> None:
    """Payments: 22 fu and 2 tai are 88 points: discarder ceil(17.6) + 3 = 21, the others ceil(8.8) + 3 = 12."""
    won = jinshan("567m99p67s345p", "8s", "discard", giver=3, declared="CCC<0", bonus="13q")
    assert won.patterns == {"di": "10 fu", "huapai": "8 fu", "mingke": "4 fu", "sanyuan": "1 tai", "meibaida": "1 tai"}
    assert shares(won) == [12, 12, 21]


@pytest.mark.parametrize(
    ("hand", "tile", "more", "extra", "points"),
    [
        (RUNS, "8s", {}, {"meibaida": "1 tai"}, 48),
        ("234m567m345p67s1f9p", "8s", {}, {}, 24),
        ("234m567m345pCC67s", "8s", {}, {"duizi": "2 fu", "meibaida": "1 tai"}, 52),
        ("234m567m345pSS67s", "8s", {}, {"duizi": "2 fu", "meibaida": "1 tai"}, 52),
        ("234m567m99p67s222p", "8s", {}, {"anke": "4 fu", "meibaida": "1 tai"}, 56),
        ("234m567m99p67s", "8s", {"declared": "222p<0"}, {"mingke": "2 fu", "meibaida": "1 tai"}, 52),
        ("234m567m99p67s", "8s", {"declared": "9999s<0"}, {"minggang": "16 fu", "meibaida": "1 tai"}, 80),
        ("234m567m99p67s", "8s", {"declared": "2222s"}, {"angang": "16 fu", "meibaida": "1 tai"}, 80),
        ("234m567m99p67s", "8s", {"declared": "SSS<0"}, {"mingke": "4 fu", "zuofeng": "1 tai", "meibaida": "1 tai"}, 112),
        ("234m567m99p67s", "8s", {"declared": "EEE<0"}, {"mingke": "4 fu", "meibaida": "1 tai"}, 56),
        ("234m567m345p99p46s", "5s", {}, {"bian_kan": "2 fu", "meibaida": "1 tai"}, 52),
        ("234m567m345p678s5p", "5p", {}, {"dandiao": "2 fu", "meibaida": "1 tai"}, 52),
        ("234m567m345p678s9p", "9p", {}, {"dandiao": "4 fu", "meibaida": "1 tai"}, 56),
        ("55p77s", "7s", {"declared": "222m<0 333p<2 888s<3"},
         {"mingke": "6 fu", "anke": "4 fu", "duiduihu": "1 tai", "meibaida": "1 tai"}, 34 * 4),
        ("234p99p67p", "8p", {"declared": "NNN<0 567p<0"}, {"mingke": "4 fu", "hunyise": "1 tai", "meibaida": "1 tai"}, 112),
        ("22p67p1f34p", "8p", {"declared": "123p<0 456p<0"}, {"qingyise": "3 tai"}, 24 * 8),
        ("567m345p99p67s", "8s", {"declared": "2222p", "source": "kong"},
         {"angang": "16 fu", "meibaida": "1 tai", "gangkai": "1 tai"}, 160),
        (RUNS, "8s", {"source": "flower"}, {"meibaida": "1 tai", "gangkai": "1 tai"}, 96),
    ],
)  # fmt: skip
def test_fu_and_tai(hand: str, tile: str, more: dict[str, Any], extra: dict[str, str], points: int) -> None:
    """Fu and tai tables, self-drawn."""
    won = jinshan(hand, tile, **more)
    assert won.patterns == DRAWN | extra
    assert shares(won) == [min(50, -(-2 * points // 10) + 3)] * 3


def test_own_season_and_four_seasons() -> None:
    """Tai, everybody: zuohua 1; sihua 2, which contains it."""
    own = jinshan(RUNS, "8s", bonus="12q")
    assert own.patterns == {"di": "10 fu", "huapai": "8 fu", "zimo": "2 fu", "zuohua": "1 tai", "meibaida": "1 tai"}
    assert shares(own) == [19] * 3  # 20 x 4 = 80
    four = jinshan(RUNS, "8s", "discard", giver=0, bonus="1234q")
    assert four.patterns == {"di": "10 fu", "huapai": "16 fu", "sihua": "2 tai", "meibaida": "1 tai"}
    assert shares(four) == [45, 24, 24]  # 26 x 8 = 208


def test_small_three_dragons_besides_the_pungs() -> None:
    """Tai: xiaosanyuan 1 besides 1 for each pung; 10 + 8 + 2 + 2 fu with 4 tai: the limit."""
    won = jinshan("234p67pPP", "8p", declared="CCC<0 FFF<2", bonus="")
    assert won.patterns == {
        "di": "10 fu", "duizi": "2 fu", "mingke": "8 fu", "sanyuan": "2 tai", "zimo": "2 fu",
        "meibaida": "1 tai", "xiaosanyuan": "1 tai", "hunyise": "1 tai",
    }  # fmt: skip
    assert shares(won) == [50] * 3


def test_robbed_kong() -> None:
    """Tai: lagang 1; the robbed player pays as the discarder and keeps an exposed pung (2 fu)."""
    won = jinshan(RUNS, "8s", "robbed_kong", giver=2, others={2: player("147m258p36sWN", "888s<3")})
    assert won.patterns == BASE | {"meibaida": "1 tai", "lagang": "1 tai"}
    # 88 points: 21 from the robbed player, 12 from the others; 2 fu more than theirs brings him ceil(4 / 10) from each
    assert won.deltas == [-12 - 1, 45, -21 + 2, -12 - 1]
    assert jinshan(RUNS, "8s", "robbed_kong", giver=2, win={"robbed_kind": "concealed"}).code == "no_robbing"


@pytest.mark.parametrize(
    ("pattern", "hand", "tile", "more"),
    [
        ("quanlaotou", "99p11s", "1s", {"declared": "111m<0 CCC<2 999s<3"}),
        ("menmenjian", "222m333p888s444s9p", "9p", {"source": "discard", "giver": 2}),
        ("menmenjian", "222m333p888s44s99p", "9p", {}),
        ("menmenjian", "222m333p88s1f44s99p", "9p", {}),
        ("dasixi", "NN55p", "N", {"declared": "EEE<0 SSS<2 WWW<3"}),
        ("dasanyuan", "234p5p", "5p", {"declared": "CCC<0 FFF<2 PPP<3"}),
        ("shisanyao", "19m19p19sESWNCF1f", "1m", {"bonus": ""}),
        ("sibaida", "234m567m345p1234f", "9s", {}),
        ("sanbaida_chengkai", "234m567m345p9s123f", "9s", {"bonus": ""}),
        ("tianhu", "234m567m345p99p67s", "8s", {"source": "deal", "seat": 0, "win": {"first_turn": True}}),
        ("dihu", "234m567m345p99p67s", "8s", {"source": "discard", "giver": 0, "win": {"first_turn": True}}),
    ],
)  # fmt: skip
def test_limit_hands(pattern: str, hand: str, tile: str, more: dict[str, Any]) -> None:
    """Scoring, limit patterns; Payments: the limit from each of the three, whoever discarded."""
    won = jinshan(hand, tile, **more)
    assert won.patterns[pattern] == "limit"
    assert shares(won, more.get("seat", 1)) == [50] * 3


def test_four_concealed_pungs() -> None:
    """Scoring, menmenjian: a pung finished by a discard is not concealed; option self_drawn_pair."""
    assert "menmenjian" not in jinshan("222m333p888s44s99p", "9p", "discard", giver=2).patterns
    strict = {"four_concealed": "self_drawn_pair"}
    assert "menmenjian" not in jinshan("222m333p888s44s99p", "9p", options=strict).patterns
    assert "menmenjian" not in jinshan("222m333p888s444s9p", "9p", "discard", giver=2, options=strict).patterns
    assert "menmenjian" in jinshan("222m333p888s444s9p", "9p", options=strict).patterns


def test_three_wilds_need_twenty_fu_too() -> None:
    """Decisions: 10 + 8 + self-draw 2 are 20 fu; by a discard that ends a two-sided wait the hand has 18."""
    hand = "234m567m99s67p123f"
    drawn = jinshan(hand, "8p", bonus="")
    assert drawn.patterns["sanbaida_chengkai"] == "limit" and drawn.patterns["anke"] == "8 fu"
    claimed = jinshan(hand, "8p", "discard", giver=2, bonus="")
    assert "sanbaida_chengkai" not in claimed.patterns


def test_minimum_of_twenty_fu() -> None:
    """Winning shapes: fu before doubling; only thirteen orphans are free of it."""
    poor = jinshan(RUNS, "8s", bonus="1q")
    assert poor.code == "under_minimum" and poor.deltas == [0, 0, 0, 0]
    assert jinshan(RUNS, "8s", "discard", giver=2, bonus="13q").code == "under_minimum"
    first = jinshan(RUNS, "8s", "deal", seat=0, bonus="", win={"first_turn": True})
    assert first.code == "under_minimum", "a heavenly hand too"


def test_losers_settle_in_tenths() -> None:
    """Payments: ceil(d / 10), with the discarder ceil(2d / 10). Seat 2: CCC 8 fu and a tai, 16; seat 3: kong 8 fu."""
    others = {2: player("CCC147m58p1369sE"), 3: player("258m369p17sES", "2222p<1")}
    won = jinshan(RUNS, "8s", "discard", giver=3, others=others)  # 44 points: 12 and 8, 8
    # seat 0 pays seat 2 ceil(1.6) = 2 and seat 3 (discarder) ceil(1.6) = 2; seat 3 pays seat 2 ceil(1.6) = 2
    assert won.deltas == [-8 - 2 - 2, 28, -8 + 2 + 2, -12 + 2 - 2]


def test_losers_pairs_and_wilds() -> None:
    """Fu: every valued pair of a loser 2; Decisions: losers' wilds count nothing. Seat 2 is west: 4 fu."""
    won = jinshan(RUNS, "8s", others={2: player("CCWW147m258p36s4f")})
    assert won.deltas == [-13 - 1, 39, -13 + 2, -13 - 1]


def test_options() -> None:
    """Options: base_points, limit; no_swap_discard is a rule of play."""
    won = jinshan(RUNS, "8s", options={"base_points": 5, "limit": 12})
    assert shares(won) == [12] * 3
    assert shares(jinshan(RUNS, "8s", options={"base_points": 5})) == [15] * 3
    ritual = load("shanghai_jinshan", {"no_swap_discard": True}).ritual
    assert ritual is not None and not ritual.discards.swap


def test_refusals_and_malformed_records() -> None:
    """Wild and bonus tiles; Winning shapes; Irregularities."""
    assert jinshan("234m567m345p9p67s2f", "1f", "discard", giver=2).code == "discarded_wild"
    assert jinshan("567m345p99p67s", "8s", declared="23m1f<0").code == "invalid_meld"
    assert jinshan("1133m4477p99sEES", "S").code == "no_shape"
    assert jinshan(RUNS, "8s", incidents=[{"kind": "dead_hand", "seat": 1}]).code == "dead_hand"
    with pytest.raises(RecordError, match="bonus"):
        jinshan(RUNS, "8s", bonus="1f")
    with pytest.raises(RecordError, match="hand"):
        declare("shanghai_jinshan", RUNS, "8s", bonus=SEASONS)
    fine = {"kind": "false_win", "seat": 2, "claimed": [4, 2, 0, 2]}
    record = {"rules": "shanghai_jinshan", "players": [player(None, "2222p")] + [{}] * 3, "wins": []}
    assert settle(record | {"incidents": [fine]}).deltas == [0, 0, 0, 0]
