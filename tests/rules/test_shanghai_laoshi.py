"""Old style Shanghai, chapter by chapter of its sheet (docs/sheets/shanghai_laoshi.md). Amounts by hand: points = fu x 2^tai;
seat 1 (south) wins unless said and seat 0 deals, so seat 0 pays twice the points and the others once. The losers' hands are
worth nothing unless given."""

from __future__ import annotations

from typing import Any

import pytest

from referee.rules.record import RecordError
from tests.rules.hands import Settled, declare, player, settle
from tests.rules.losers import against

RUNS = "234m567m345p99p67s"  # waits for 5s and 8s


def laoshi(
    hand: str, tile: str | None, source: str = "wall", seat: int = 1, others: dict[int, Any] | None = None, **more: Any
) -> Settled:
    return against("shanghai_laoshi", hand, tile, source, seat=seat, others=others or {}, **{"dealer": 0} | more)


def paid(points: int) -> list[int]:
    return [-2 * points, 4 * points, -points, -points]


def test_flat_hand_by_self_draw_and_by_discard() -> None:
    """Scoring; Payments: all three pay alike, discard or not, the dealer twice."""
    drawn = laoshi(RUNS, "8s")
    assert drawn.patterns == {"di": "10 fu", "zimo": "2 fu", "pinghu": "1 tai"} and drawn.deltas == paid(24)
    claimed = laoshi(RUNS, "8s", "discard", giver=2)
    assert claimed.patterns == {"di": "10 fu", "pinghu": "1 tai"} and claimed.deltas == paid(20)
    dealer = laoshi(RUNS, "8s", "discard", giver=2, seat=0)
    assert dealer.deltas == [120, -40, -40, -40]


@pytest.mark.parametrize(
    ("declared", "concealed", "patterns"),
    [
        ("222p<0", "", {"mingke": "2 fu"}),
        ("999s<0", "", {"mingke": "4 fu"}),
        ("NNN<0", "", {"mingke": "4 fu"}),  # a wind that is not the own one: no tai
        ("EEE<0", "", {"mingke": "4 fu"}),  # no prevailing wind
        ("", "222p", {"anke": "4 fu"}),
        ("", "WWW", {"anke": "8 fu"}),
        ("2222p<0", "", {"minggang": "8 fu"}),
        ("9999s+2", "", {"minggang": "16 fu"}),
        ("2222p", "", {"angang": "16 fu"}),
        ("9999s", "", {"angang": "32 fu"}),
        ("CCC<0", "", {"mingke": "4 fu", "sanyuan": "1 tai"}),
        ("SSS<0", "", {"mingke": "4 fu", "zifeng": "1 tai"}),
    ],
)
def test_pungs_and_kongs(declared: str, concealed: str, patterns: dict[str, str]) -> None:
    """Fu and tai tables: 2-8 against 1, 9 and honours; dragons and the own wind carry a tai."""
    won = laoshi("234m567m99p67s" + concealed, "8s", declared=declared)
    assert won.patterns == {"di": "10 fu", "zimo": "2 fu"} | patterns
    fu = 12 + sum(int(v.split()[0]) for v in patterns.values() if "fu" in v)
    assert won.deltas == paid(fu * 2 ** sum("tai" in v for v in patterns.values()))


@pytest.mark.parametrize(
    ("hand", "tile", "more", "patterns", "points"),
    [
        ("234m567m345pCC67s", "8s", {}, {"duizi": "4 fu"}, 16),
        ("234m567m345pSS67s", "8s", {}, {"duizi": "4 fu"}, 16),
        ("234m567m345pNN67s", "8s", {}, {"pinghu": "1 tai"}, 24),
        ("234m567m345p99p46s", "5s", {}, {"bian_kan_diao": "2 fu"}, 14),
        ("234m567m345p99p89s", "7s", {}, {"bian_kan_diao": "2 fu"}, 14),
        ("234m567m345p678s9p", "9p", {}, {"bian_kan_diao": "2 fu"}, 14),
        (RUNS, "8s", {"bonus": "1q"}, {"huapai": "4 fu", "pinghu": "1 tai"}, 32),
        (RUNS, "8s", {"bonus": "2q"}, {"huapai": "4 fu", "zuohua": "1 tai", "pinghu": "1 tai"}, 64),
        (RUNS, "8s", {"bonus": "1234q"}, {"huapai": "16 fu", "sizhihua": "2 tai", "pinghu": "1 tai"}, 28 * 8),
        ("55p77s", "7s", {"declared": "222m<0 333p<2 888s<3"}, {"mingke": "6 fu", "anke": "4 fu", "duiduihu": "1 tai"}, 44),
        ("234p99p67p", "8p", {"declared": "NNN<0 567p<0"}, {"mingke": "4 fu", "hunyise": "1 tai"}, 32),
        ("22p67p", "8p", {"declared": "123p<0 456p<0 567p<0"}, {"qingyise": "3 tai", "pinghu": "1 tai"}, 12 * 16),
        ("567m345p99p67s", "8s", {"declared": "2222p", "source": "kong"}, {"angang": "16 fu", "gangtou_kaihua": "1 tai"}, 56),
        (RUNS, "8s", {"bonus": "1q", "source": "flower"},
         {"huapai": "4 fu", "pinghu": "1 tai", "gangtou_kaihua": "1 tai"}, 64),
    ],
)  # fmt: skip
def test_every_other_pattern(
    hand: str, tile: str, more: dict[str, Any], patterns: dict[str, str], points: int
) -> None:
    """Fu and tai tables; the flat hand needs a two-sided wait and a pair without worth."""
    won = laoshi(hand, tile, **more)
    assert won.patterns == {"di": "10 fu", "zimo": "2 fu"} | patterns
    assert won.deltas == paid(points)


def test_honours_alone_are_a_half_flush() -> None:
    """Decisions: honours alone are a half flush; the discard finishes CCC, exposed like the claimed FFF."""
    won = laoshi("SSSNNNPPCC", "C", "discard", giver=2, declared="FFF<0")
    assert won.patterns == {
        "di": "10 fu", "duizi": "4 fu", "mingke": "8 fu", "anke": "16 fu",
        "sanyuan": "2 tai", "zifeng": "1 tai", "duiduihu": "1 tai", "hunyise": "1 tai",
    }  # fmt: skip
    assert won.deltas == paid(38 * 2**5)


def test_robbed_kong() -> None:
    """Tai: qianggang 1; the robbed kong counts as an exposed pung for its owner: 2 fu for 888s."""
    robbed = {2: player("147m258p36sWN", "888s<3")}
    won = laoshi(RUNS, "8s", "robbed_kong", giver=2, others=robbed)
    assert won.patterns == {"di": "10 fu", "pinghu": "1 tai", "qianggang": "1 tai"}
    assert won.deltas == [-80 - 4, 160, -40 + 4 + 2, -40 - 2]
    assert laoshi(RUNS, "8s", "robbed_kong", giver=2, win={"robbed_kind": "concealed"}).code == "no_robbing"


def test_each_reading_is_scored_whole() -> None:
    """Decisions: 45567s with 6s is 456 567 (closed wait, 2 fu) or 567 with 456 two-sided and flat (12 x 2 = 24): the tai."""
    won = laoshi("234m567m99p45567s", "6s")
    assert won.patterns == {"di": "10 fu", "zimo": "2 fu", "pinghu": "1 tai"} and won.deltas == paid(24)


def test_dealt_hand() -> None:
    """Decisions: self-draw, no wait fu, any wait fits the flat hand."""
    won = laoshi("234m567m345p678s9p", "9p", "deal", seat=0)
    assert won.patterns == {"di": "10 fu", "zimo": "2 fu", "pinghu": "1 tai"} and won.deltas == [144, -48, -48, -48]


def test_losers_settle_their_differences() -> None:
    """Payments: the lower pays the higher, twice with the dealer. Seat 2: CCC 8 fu, a dragon tai = 16; seat 3: kong 8."""
    others = {2: player("CCC147m58p1369sE"), 3: player("258m369p17sES", "2222p<1")}
    assert laoshi(RUNS, "8s", others=others).deltas == [-48 - 32 - 16, 96, -24 + 32 + 8, -24 + 16 - 8]


def test_losers_pairs_seasons_and_winds() -> None:
    """Fu: a loser's valued pairs 2 each; tai: own season, own wind pung. Seat 2 is west."""
    pairs = {2: player("CCWW147m258p369s")}
    assert laoshi(RUNS, "8s", others=pairs).deltas == [-48 - 8, 96, -24 + 8 + 4, -24 - 4]
    season = {2: player("WWW147m258p369sE") | {"bonus": "3q"}}  # 8 + 4 fu, two tai: 48
    assert laoshi(RUNS, "8s", others=season).deltas == [-48 - 96, 96, -24 + 96 + 48, -24 - 48]


@pytest.mark.parametrize(("base", "points"), [(0, 4), (10, 24), (20, 44)])
def test_base_fu(base: int, points: int) -> None:
    """Options, base_fu: 0, 10 or 20 with 2 fu for the self-draw and the flat hand's tai."""
    assert laoshi(RUNS, "8s", options={"base_fu": base}).deltas == paid(points)


def test_malformed_and_refused() -> None:
    """Wild and bonus tiles: no flowers; every hand is needed once there is something to pay; no special shapes."""
    with pytest.raises(RecordError, match="1f"):
        laoshi(RUNS, "8s", bonus="1f")
    with pytest.raises(RecordError, match="hand"):
        declare("shanghai_laoshi", RUNS, "8s", others={1: player("147m258p369sESWN")})
    with pytest.raises(RecordError, match="base_fu"):
        laoshi(RUNS, "8s", options={"base_fu": 5})
    assert laoshi("1133m4477p99sEES", "S").code == "no_shape"
    assert laoshi(RUNS, "8s", incidents=[{"kind": "dead_hand", "seat": 1}]).deltas == [0, 0, 0, 0]


def test_drawn_hand_and_false_win_settle_nothing() -> None:
    """Payments; Irregularities."""
    record = {"rules": "shanghai_laoshi", "players": [player(None, "2222p")] + [{}] * 3, "wins": []}
    fine = {"kind": "false_win", "seat": 2, "claimed": [4, 2, 0, 2]}
    assert settle(record | {"incidents": [fine]}).deltas == [0, 0, 0, 0]
