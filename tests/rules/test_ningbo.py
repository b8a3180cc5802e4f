"""Ningbo, chapter by chapter of its sheet (docs/sheets/ningbo.md). Amounts by hand: S = sum of tai, on a self-draw S from each.
Seat 1 (south) wins, seat 0 deals, round wind east, indicator 1s (so 1s is wild) unless said."""

from __future__ import annotations

from typing import Any

import pytest

from referee.rules.record import RecordError
from referee.rules.ruleset import load
from tests.rules.hands import Settled, declare, melds, player, settle

RUNS = "234m567m345p99p67s"  # waits for 5s and 8s
GAP = "234m567m345p99p46s"  # waits for 5s
FLOWERS = "1234f1234q"


def ningbo(hand: str | None, tile: str | None, source: str = "wall", **more: Any) -> Settled:
    return declare("ningbo", hand, tile, source, **{"dealer": 0, "seat": 1, "indicator": "1s"} | more)


DRAWN = {"zimo": 1, "yinghu": 1}  # self-drawn without wilds


@pytest.mark.parametrize(
    ("hand", "tile", "more", "patterns"),
    [
        (RUNS, "8s", {"bonus": "2f"}, {"pinghu": 1, "weihua": 1}),
        (RUNS, "8s", {"bonus": "2f2q3q"}, {"pinghu": 1, "weihua": 2}),
        (RUNS, "8s", {"bonus": "1234f"}, {"pinghu": 1, "sihua": 2}),
        (RUNS, "8s", {"bonus": "1234f2q"}, {"pinghu": 1, "sihua": 2, "weihua": 1}),
        (RUNS, "8s", {"bonus": FLOWERS}, {"pinghu": 1, "bahua": 6}),
        (RUNS, "8s", {"win": {"last_tile": True}}, {"pinghu": 1, "haidi": 1}),
        ("234m567m345p99p89s", "7s", {}, {"pinghu": 1, "bianzhang": 1}),
        (GAP, "5s", {}, {"pinghu": 1, "kanzhang": 1}),
        ("234m567m345p678s9p", "9p", {}, {"pinghu": 1, "dandiao": 1}),
        ("234m567m99p33s", "3s", {"declared": "CCC<0"}, {"duidao": 1, "sanyuan": 1}),
        ("234m99p46s", "5s", {"declared": "CCC<0 FFFF<2"}, {"kanzhang": 1, "sanyuan": 2}),
        ("234m567m99p46s", "5s", {"declared": "SSS<0"}, {"kanzhang": 1, "menfeng": 1}),
        ("234m567m99p46s", "5s", {"declared": "EEE<0"}, {"kanzhang": 1, "quanfeng": 1}),
        ("234m567m99p46s", "5s", {"declared": "EEE<1", "seat": 0}, {"kanzhang": 1, "menfeng": 1, "quanfeng": 1}),
        ("9p", "9p", {"declared": "234m<0 567m<0 EEE<2 6666p"}, {"dandiao": 1, "dadiao": 1, "quanfeng": 1}),
        ("567m345p99p46s", "5s", {"declared": "2222p", "source": "kong"}, {"kanzhang": 1, "gangkai": 1}),
        (GAP, "5s", {"bonus": "1f", "source": "flower"}, {"pinghu": 1, "kanzhang": 1}),
        ("55p77s", "7s", {"declared": "222m<0 333p<2 888s<3"}, {"duidao": 1, "duiduihu": 2}),
        ("234p99p67p", "8p", {"declared": "NNN<0 567p<0"}, {"hunyise": 2}),
        ("999p22p67p", "8p", {"declared": "123p<0 456p<0"}, {"qingyise": 4}),
        ("SSSNNNWWPP", "W", {"declared": "FFF<0"}, {"duidao": 1, "sanyuan": 1, "menfeng": 1, "duiduihu": 2, "ziyise": 4}),
    ],
)  # fmt: skip
def test_every_pattern(hand: str, tile: str, more: dict[str, Any], patterns: dict[str, int]) -> None:
    """Scoring, the table line by line, self-drawn."""
    won = ningbo(hand, tile, **more)
    expected = DRAWN | patterns
    assert won.patterns == {name: f"{tai} tai" for name, tai in expected.items()}
    assert won.deltas[more.get("seat", 1)] == 3 * sum(expected.values())


@pytest.mark.parametrize(("pair", "flat"), [("NN", True), ("CC", False), ("SS", False), ("EE", False)])
def test_all_runs_need_a_pair_without_worth(pair: str, flat: bool) -> None:
    """Scoring, pinghu: no dragon, seat wind or round wind; other winds are fine."""
    assert ("pinghu" in ningbo(f"234m567m345p{pair}46s", "5s", bonus="2f").patterns) == flat


def test_wait_tai_go_by_the_reading() -> None:
    """Decisions, 1: 2345 won on 2 is a pair wait though 5 wins as well."""
    won = ningbo("234m567m345p2345s", "2s")
    assert won.patterns == {"zimo": "1 tai", "dandiao": "1 tai", "pinghu": "1 tai", "yinghu": "1 tai"}


def test_earthly_and_heavenly_wins() -> None:
    """Scoring, dihu 6 by discard (twice 8), tianhu 8 with zimo and no wait tai."""
    earthly = ningbo(RUNS, "8s", "discard", giver=0, win={"first_turn": True})
    assert earthly.patterns == {"pinghu": "1 tai", "yinghu": "1 tai", "dihu": "6 tai"}
    assert earthly.deltas == [-16, 16, 0, 0]
    heavenly = ningbo("234m567m345p678s9p", "9p", "deal", seat=0, win={"first_turn": True})
    assert heavenly.patterns == {"zimo": "1 tai", "pinghu": "1 tai", "yinghu": "1 tai", "tianhu": "8 tai"}
    assert heavenly.deltas == [33, -11, -11, -11]
    replaced = ningbo("234m567m345p678s9p", "9p", "flower", seat=0, bonus="2f", win={"first_turn": True})
    assert replaced.patterns == heavenly.patterns  # flowers replaced: no tile is the last one either


def test_hard_win_with_wilds_at_face_value() -> None:
    """Scoring, yinghu: every wild used as the tile it is; never with flower wilds."""
    at_face = ningbo("234m567m345p99p23s", "1s", bonus="2f")
    assert at_face.patterns == {"zimo": "1 tai", "pinghu": "1 tai", "yinghu": "1 tai", "weihua": "1 tai"}
    flower = ningbo("234m567m345p99p6s2q", "8s", indicator="1q", bonus="1234f")
    assert flower.patterns == {"zimo": "1 tai", "pinghu": "1 tai", "sihua": "2 tai"}


@pytest.mark.parametrize(("bonus", "deltas"), [("", [0, 0, 0, 0]), ("2f", [-7, 21, -7, -7])])
def test_three_wilds_do_not_count_towards_the_minimum(bonus: str, deltas: list[int]) -> None:
    """Scoring, sanda 3; restrictions. 2s w w and N w: self-draw 1, pair wait 1, a dragon 1 are three tai, with a flower 4."""
    won = ningbo("111s2s", "N", declared="123m<0 456m<0 CCC<2", bonus=bonus)
    assert won.deltas == deltas
    assert won.code == (None if bonus else "below_minimum")


def test_payments() -> None:
    """Payments: discard 2S; robbed kong 5S (with zimo); a claimed kong's feeder 5S and the others S."""
    discard = ningbo(GAP, "5s", "discard", giver=3, bonus="2f")  # gap, all runs, hard, flower
    assert discard.deltas == [0, 8, 0, -8]
    robbed = ningbo(GAP, "5s", "robbed_kong", giver=3, others={3: {"melds": melds("555s<2")}})
    assert robbed.patterns == {"zimo": "1 tai", "kanzhang": "1 tai", "pinghu": "1 tai", "yinghu": "1 tai"}
    assert robbed.deltas == [0, 20, 0, -20]
    bloom = {"declared": "2222p<3", "win": {"kong_from": 3}}
    assert ningbo("567m345p99p46s", "5s", "kong", **bloom).deltas == [-4, 28, -4, -20]
    assert ningbo("567m345p99p46s", "5s", "kong", declared="2222p+3").deltas == [-4, 12, -4, -4]


FED = "234m<0 567m<0 345p<0"  # three chows from the left neighbour


@pytest.mark.parametrize(
    ("source", "giver", "deltas"),
    [
        ("wall", None, [-20, 20, 0, 0]),
        ("discard", 3, [-8, 16, 0, -8]),
        ("discard", 0, [-16, 16, 0, 0]),
        ("robbed_kong", 3, [0, 20, 0, -20]),
    ],
)
def test_three_claims_bind(source: str, giver: int | None, deltas: list[int]) -> None:
    """Liability: S = 4 (gap, all runs, hard, and zimo or a flower)."""
    bonus = "2f" if source == "discard" else ""
    assert ningbo("99p46s", "5s", source, giver=giver, declared=FED, bonus=bonus).deltas == deltas


def test_the_bond_works_both_ways_and_with_several() -> None:
    """Liability: mutual; several partners of one winner each pay; a claimed kong's replacement: only the bao payment."""
    taker = {2: player(None, "222m<1 555p<1 888p<1")}
    assert ningbo(GAP, "5s", others=taker).deltas == [0, 20, -20, 0]
    assert ningbo("99p46s", "5s", declared=FED, others=taker).deltas == [-20, 40, -20, 0]
    kong = ningbo("99p46s", "5s", "kong", declared="222m<0 555m<0 9999m<0", win={"kong_from": 0}, bonus="2f")
    # zimo, gap, kong bloom, hard win, flower
    assert kong.deltas == [-25, 25, 0, 0]


@pytest.mark.parametrize(
    ("hand", "tile", "source", "more", "code"),
    [
        (RUNS, "8s", "wall", {}, "below_minimum"),
        (GAP, "5s", "discard", {}, "below_minimum"),
        ("1133m4477p99sEES", "S", "wall", {}, "no_shape"),
        ("234m99p678sS", "1s", "discard", {"declared": "CCC<0"}, "wild_discard"),
        ("234m567m1s", "N", "discard", {"declared": "CCC<0 FFFF<2"}, "wild_pair_wait"),
        ("234m567m1s", "9s", "robbed_kong", {"declared": "CCC<0 FFFF<2"}, "wild_pair_wait"),
        ("67p22p", "8p", "wall", {"declared": "345p<0 1s23s<0 567p<0"}, "invalid_meld"),
        (GAP, "5s", "robbed_kong", {"win": {"robbed_kind": "concealed"}}, "no_robbing"),
        (GAP, "5s", "wall", {"incidents": [{"kind": "dead_hand", "seat": 1}]}, "dead_hand"),
    ],
)  # fmt: skip
def test_refusals(hand: str, tile: str, source: str, more: dict[str, Any], code: str) -> None:
    """Winning shapes and restrictions."""
    giver = None if source == "wall" else 3
    won = ningbo(hand, tile, source, giver=giver, **more)
    assert won.code == code and won.deltas == [0, 0, 0, 0]


def test_a_set_with_wilds_may_take_a_discard() -> None:
    """Restrictions, decision 3: some reading puts the discard into a run or pung, or beside a natural pair tile."""
    won = ningbo("234m99p46s", "5s", "discard", giver=3, declared="CCC<0 FFFF<2")
    assert won.legal
    held = ningbo("234m99p4s1s", "5s", "discard", giver=3, declared="CCC<0 FFFF<2", bonus="2f")
    assert held.patterns == {"kanzhang": "1 tai", "sanyuan": "2 tai", "weihua": "1 tai"} and held.deltas[1] == 8
    lone = ningbo("567s1s", "8s", "discard", giver=3, declared="CCC<0 FFFF<2 EEE<3", bonus="2f")
    assert lone.legal, "678s with the pair 5s and a wild, though the lone wild waited on any tile"


def test_flower_indicator() -> None:
    """Wild and bonus tiles: with 1q turned the other seasons are hand tiles; they may not be shown; flowers still may."""
    with pytest.raises(RecordError, match="bonus"):
        ningbo(RUNS, "8s", indicator="1q", bonus="2q")
    with pytest.raises(RecordError, match="indicator"):
        ningbo(RUNS, "8s", indicator=None)
    assert ningbo("234m567m345p99p6s1f", "8s", bonus="2f").code == "bonus_in_hand"


def test_one_winner_and_false_wins() -> None:
    """Play: the first in turn after the discarder (`head_bump`); Irregularities: the amounts announced."""
    first, second = player(GAP) | {"bonus": "2f2q"}, player("123p456p789m22m46s") | {"bonus": "4f4q"}
    players = [{}, first, {}, second]
    wins = [{"seat": seat, "tile": "5s", "source": "discard", "from": 0} for seat in (3, 1)]
    both = settle({"rules": "ningbo", "indicator": "1s", "players": players, "wins": wins})
    assert [w["legal"] for w in both.data["wins"]] == [False, True] and both.code == "head_bump"
    fine = {"kind": "false_win", "seat": 2, "claimed": [4, 4, 0, 4]}
    record = {"rules": "ningbo", "indicator": "1s", "players": [player(None, "2222p")] + [{}] * 3, "wins": []}
    assert settle(record).deltas == [0, 0, 0, 0]
    assert settle(record | {"incidents": [fine]}).deltas == [4, 4, -12, 4]


def test_option_dice_roles() -> None:
    """Options: the ritual only."""
    ritual = load("ningbo", {"dice_roles": "break_small"}).ritual
    assert ritual is not None and ritual.opening.figure == "smaller"
    assert ritual.indicator is not None and ritual.indicator.figure == "larger"
