"""Nanjing, chapter by chapter of its sheet (docs/sheets/nanjing.md). Amounts by hand: S = base 20 + 2 x (hard + soft) + patterns
in the city. Seat 1 wins and seat 0 deals unless said; ``points`` is what the win itself brings, kong money aside."""

from __future__ import annotations

from typing import Any

import pytest

from referee.rules.ruleset import load
from tests.rules.hands import Settled, declare, melds, player, settle

FOUR = "1fCFP"  # four bonus tiles: the right to win, four hard flowers
OPEN = "234m567m99p67s"  # with one declared pung: waits for 5s and 8s, all suits there
CLOSED = "234m567m222p99p67s"


def nanjing(hand: str | None, tile: str | None, source: str = "wall", **more: Any) -> Settled:
    return declare("nanjing", hand, tile, source, **{"dealer": 0, "seat": 1} | more)


@pytest.mark.parametrize(
    ("hand", "tile", "more", "patterns", "worth"),
    [
        (OPEN, "8s", {"declared": "222p<0", "bonus": FOUR}, {"yinghua": "4 hard"}, 28),
        (OPEN, "8s", {"declared": "EEE<0", "bonus": FOUR}, {"yinghua": "4 hard", "feng_ke": "1 soft"}, 30),
        (OPEN, "8s", {"declared": "EEEE+0", "bonus": FOUR}, {"yinghua": "4 hard", "feng_minggang": "2 soft"}, 32),
        (OPEN, "8s", {"declared": "2222p+0", "bonus": FOUR}, {"yinghua": "4 hard"}, 28),
        ("234m567m99p46s", "5s", {"declared": "222p<0", "bonus": FOUR}, {"yinghua": "4 hard", "yadang": "1 soft"}, 30),
        ("234m567m99p89s", "7s", {"declared": "222p<0", "bonus": FOUR}, {"yinghua": "4 hard", "bianzhi": "1 soft"}, 30),
        ("234m567m678s9p", "9p", {"declared": "222p<0", "bonus": FOUR}, {"yinghua": "4 hard", "duzhan": "1 soft"}, 30),
        ("234m567m99p33s", "3s", {"declared": "222p<0", "bonus": FOUR}, {"yinghua": "4 hard"}, 28),
        ("234m567m99m67s", "8s", {"declared": "222s<0", "bonus": FOUR}, {"yinghua": "4 hard", "qianmen": "1 soft"}, 30),
        (CLOSED, "8s", {"bonus": "C"}, {"yinghua": "1 hard", "menqing": "20 points"}, 42),
        (OPEN, "8s", {"declared": "EEEE<0", "bonus": "C"},
         {"yinghua": "1 hard", "feng_minggang": "2 soft", "menqing": "20 points"}, 46),
        (OPEN, "8s", {"declared": "EEEE", "bonus": "C"},
         {"yinghua": "1 hard", "feng_angang": "3 soft", "menqing": "20 points"}, 48),
        ("234m99m67m", "8m", {"declared": "EEE<0 555m<2", "bonus": "C"},
         {"yinghua": "1 hard", "feng_ke": "1 soft", "qianmen": "1 soft", "hunyise": "20 points"}, 46),
        ("234m99m67m", "8m", {"declared": "111m<0 555m<2", "bonus": "C"},
         {"yinghua": "1 hard", "qianmen": "1 soft", "qingyise": "40 points"}, 64),
        ("55s77m", "7m", {"declared": "333p<0 888m<2 NNN<3", "bonus": "C"},
         {"yinghua": "1 hard", "feng_ke": "1 soft", "duiduihu": "40 points"}, 64),
        ("9p", "9p", {"declared": "333p<0 888m<2 222s<3 6666s", "bonus": "C"},
         {"yinghua": "1 hard", "duzhan": "1 soft", "quanqiududiao": "60 points"}, 84),
        ("1133m5577p99sEES", "S", {"bonus": "C"}, {"yinghua": "1 hard", "duzhan": "1 soft", "qidui": "40 points"}, 64),
        ("11133m5577p99sEE", "1m", {"bonus": "C"}, {"yinghua": "1 hard", "duzhan": "1 soft", "shuangqidui": "80 points"}, 104),
        ("111133m5577p99sE", "E", {"bonus": "C"}, {"yinghua": "1 hard", "duzhan": "1 soft", "qidui": "40 points"}, 64),
        ("234m567m99p46s", "5s", {"declared": "222p<0", "bonus": "C", "others": {2: {"melds": melds("555s<3")}}},
         {"yinghua": "1 hard", "yadang": "1 soft", "yajue": "40 points"}, 64),
        (CLOSED, "8s", {}, {"menqing": "20 points", "wuhuaguo": "40 points"}, 80),
        ("1133m5577p99sEES", "S", {}, {"duzhan": "1 soft", "qidui": "40 points", "wuhuaguo": "40 points"}, 102),
        (OPEN, "8s", {"declared": "222p<0", "bonus": "C", "source": "flower"},
         {"yinghua": "1 hard", "xiaogangkaihua": "20 points"}, 42),
        (OPEN, "8s", {"declared": "2222p+0", "bonus": "C", "source": "kong"},
         {"yinghua": "1 hard", "dagangkaihua": "40 points"}, 62),
        (CLOSED, "8s", {"seat": 0, "bonus": "C", "source": "deal", "win": {"first_turn": True}},
         {"yinghua": "1 hard", "menqing": "20 points", "tianhu": "320 points"}, 362),
        ("234m567m222p99p46s", "5s", {"seat": 0, "bonus": "C", "win": {"first_turn": True}},
         {"yinghua": "1 hard", "menqing": "20 points", "tianhu": "320 points"}, 362),
        ("11133m5577p99sEE", "1m", {"seat": 0, "bonus": "C", "source": "flower", "win": {"first_turn": True}},
         {"yinghua": "1 hard", "qidui": "40 points", "xiaogangkaihua": "20 points", "tianhu": "320 points"}, 402),
        (CLOSED, "8s", {"bonus": "C", "win": {"waiting_since_deal": True}},
         {"yinghua": "1 hard", "menqing": "20 points", "dihu": "280 points"}, 322),
    ],
)  # fmt: skip
def test_every_pattern_in_the_city(
    hand: str, tile: str, more: dict[str, Any], patterns: dict[str, str], worth: int
) -> None:
    """Scoring, the tables line by line, self-drawn: three times S."""
    won = nanjing(hand, tile, **more)
    assert won.patterns == patterns and won.win["points"] == 3 * worth


@pytest.mark.parametrize(
    ("hand", "tile", "more", "pattern", "value"),
    [
        (CLOSED, "8s", {"bonus": "C"}, "menqing", 10),
        ("234m99m67m", "8m", {"declared": "EEE<0 555m<2"}, "hunyise", 30),
        ("234m99m67m", "8m", {"declared": "111m<0 555m<2"}, "qingyise", 40),
        ("55s77m", "7m", {"declared": "333p<0 888m<2 NNN<3"}, "duiduihu", 30),
        ("9p", "9p", {"declared": "333p<0 888m<2 222s<3 6666s"}, "quanqiududiao", 40),
        ("1133m5577p99sEES", "S", {"bonus": "C"}, "qidui", 50),
        ("11133m5577p99sEE", "1m", {"bonus": "C"}, "shuangqidui", 100),
        ("234m567m99p46s", "5s", {"declared": "222p<0", "others": {2: {"melds": melds("555s<3")}}}, "yajue", 30),
        (CLOSED, "8s", {}, "wuhuaguo", 40),
        (OPEN, "8s", {"declared": "222p<0", "bonus": "C", "source": "flower"}, "xiaogangkaihua", 10),
        (OPEN, "8s", {"declared": "2222p+0", "source": "kong"}, "dagangkaihua", 20),
        (CLOSED, "8s", {"seat": 0, "source": "deal", "win": {"first_turn": True}}, "tianhu", 50),
        (CLOSED, "8s", {"win": {"waiting_since_deal": True}}, "dihu", 30),
    ],
)  # fmt: skip
def test_every_pattern_in_chengbei(hand: str, tile: str, more: dict[str, Any], pattern: str, value: int) -> None:
    """Scoring, column chengbei: option area."""
    won = nanjing(hand, tile, options={"area": "chengbei"}, **more)
    assert won.patterns[pattern] == f"{value} points"
    counted = [int(v.split()[0]) * (1 if "points" in v else 2) for v in won.patterns.values()]
    assert won.win["points"] == 3 * (10 + sum(counted))


def test_payments() -> None:
    """Payments: discard S; robbed kong 3S; replacement of a claimed kong 3S by its feeder; else S from each."""
    assert nanjing(CLOSED, "8s", "discard", giver=2, bonus="C").deltas == [0, 42, -42, 0]
    robbed = nanjing(CLOSED, "8s", "robbed_kong", giver=2, bonus="C", others={2: {"melds": melds("888s<3")}})
    assert robbed.deltas == [0, 126, -126, 0]
    fed = nanjing(OPEN, "8s", "kong", declared="2222p<3", bonus="C", win={"kong_from": 3})
    assert fed.deltas == [0, 3 * 82 + 6, 0, -3 * 82 - 6]  # big bloom 40, menqing 20 kept; the open kong 6
    assert nanjing(OPEN, "8s", "kong", declared="2222p", bonus="C").deltas == [-85, 255, -85, -85]


@pytest.mark.parametrize(
    ("hand", "tile", "more", "code"),
    [
        (OPEN, "8s", {"declared": "222p<0", "bonus": "CFP"}, "no_right_to_win"),
        (OPEN, "8s", {"declared": "2222p+0", "bonus": "CFP"}, "no_right_to_win"),
        ("567m99p67s222p", "8s", {"declared": "234m<0", "bonus": FOUR}, "invalid_meld"),
        ("567m99p67sCCC", "8s", {"declared": "222p<0", "bonus": "1f"}, "bonus_in_hand"),
        ("1133m5577pES", "S", {"declared": "9999s"}, "no_shape"),
        (CLOSED, "8s", {"incidents": [{"kind": "dead_hand", "seat": 1}]}, "dead_hand"),
        (CLOSED, "8s", {"source": "robbed_kong", "giver": 2, "win": {"robbed_kind": "concealed"}}, "no_robbing"),
    ],
)
def test_refusals(hand: str, tile: str, more: dict[str, Any], code: str) -> None:
    """Winning shapes and restrictions: a big pattern, menqing or four bonus tiles; no chows; dragons are bonus tiles."""
    assert nanjing(hand, tile, **more).code == code


def test_wind_only_pairs_are_no_half_flush() -> None:
    """Decisions, 11."""
    won = nanjing("EEEESSSSWWWWN", "N", bonus="C")
    assert "hunyise" not in won.patterns and won.patterns["qianmen"] == "1 soft"


def test_readings_give_the_dearer_wait() -> None:
    """Scoring: all readings are tried: 4m into the gap of 3m5m rather than beside 5m6m."""
    won = nanjing("34556m456p222s99s", "4m", "discard", giver=2, bonus="C")
    assert won.deltas == [0, 44, -44, 0]


@pytest.mark.parametrize(
    ("special", "hand", "tile", "value"),
    [
        ("haohua", "111133m5577p99sE", "E", 80),
        ("haohua", "11133m5577p99sEE", "1m", 80),
        ("haohua", "1111m5555p7799sE", "E", 120),
        ("haohua", "1111m5555p9999sE", "E", 160),
        ("haohua", "1133m5577p99sEES", "S", 40),
    ],
)
def test_option_luxury_pairs(special: str, hand: str, tile: str, value: int) -> None:
    """Options, seven_pairs_special: one, two, three fours in the final hand, 2, 3, 4 times seven pairs."""
    won = nanjing(hand, tile, bonus="C", options={"seven_pairs_special": special})
    big = {name: worth for name, worth in won.patterns.items() if "qidui" in name}
    assert list(big.values()) == [f"{value} points"]


def test_option_qidui() -> None:
    """Options, qidui: the double follows; given it holds in chengbei too."""
    double = nanjing("11133m5577p99sEE", "1m", bonus="C", options={"qidui": 80})
    assert double.patterns["shuangqidui"] == "160 points"
    north = nanjing("1133m5577p99sEES", "S", bonus="C", options={"qidui": 40, "area": "chengbei"})
    assert north.patterns["qidui"] == "40 points"


def drawn(*players: dict[str, Any], **record: Any) -> list[float]:
    return settle({"rules": "nanjing", "players": list(players), "wins": [], "dealer": 0} | record).deltas


def test_kong_money_in_a_drawn_hand() -> None:
    """Kongs: open 6 from the feeder (of the pung too), concealed 3 from each, four alike bonus tiles 6 from each."""
    assert drawn({"melds": melds("3333s<2")}, {}, {}, {}) == [6, 0, -6, 0]
    assert drawn({"melds": melds("3333s+2")}, {}, {}, {}) == [6, 0, -6, 0]
    assert drawn({"melds": melds("3333s")}, {}, {}, {}) == [9, -3, -3, -3]
    assert drawn({"bonus": "CCCC"}, {}, {"bonus": "1234f"}, {}) == [12, -12, 12, -12]
    assert drawn({"bonus": "1234f1234q"}, {}, {}, {}) == [36, -12, -12, -12]
    options = {"open_kong_bonus": 20, "concealed_kong_bonus": 5, "flower_kong_bonus": 1}
    assert drawn({"melds": melds("3333s<2 EEEE"), "bonus": "PPPP"}, {}, {}, {}, options=options) == [38, -6, -26, -6]


def test_a_robbed_kong_is_no_kong() -> None:
    """Kongs: the robbed pung brings nothing."""
    won = nanjing(CLOSED, "8s", "robbed_kong", giver=2, bonus="C", others={2: {"melds": melds("888s<3")}})
    assert won.deltas[3] == 0


def test_listed_fines() -> None:
    """Kongs and other payments: 10 to each, listed as incidents; option penalty."""
    one = {"kind": "four_same_discards", "seat": 3, "tile": "N", "by": "one"}
    every = {"kind": "four_same_discards", "seat": 0, "tile": "S", "by": "all"}
    assert drawn({}, {}, {}, {}, incidents=[one]) == [10, 10, 10, -30]
    assert drawn({}, {}, {}, {}, incidents=[one, every]) == [-20, 20, 20, -20]
    assert drawn({}, {}, {}, {}, incidents=[one], options={"penalty": 3}) == [3, 3, 3, -9]


@pytest.mark.parametrize(
    ("rows", "more", "deltas"),
    [
        (("1m", "2m", "3m", "NENSNWN"), {}, [10, 10, 10, -30]),
        (("E1m", "E2m", "E3m", "E4m"), {}, [-30, 10, 10, 10]),
        (("1mE", "E2m", "E3m", "E4m"), {}, [10, -30, 10, 10]),  # seat 1 first, the dealer last
        (("1mE", "2mE", "3mE", "4mE"), {}, [-30, 10, 10, 10]),
        (("1mE", "2m", "3mE", "4mE"), {}, [0, 0, 0, 0]),
        (("E1m", "E2m", "E3m", "E4m"), {"incidents": [
            {"kind": "four_same_discards", "seat": 0, "tile": "E", "by": "all"}]}, [-30, 10, 10, 10]),
    ],
)  # fmt: skip
def test_fines_read_off_the_discards(rows: tuple[str, ...], more: dict[str, Any], deltas: list[int]) -> None:
    """Fines: read off the discards where no set was declared before; a listed one is not counted again."""
    assert drawn(*({"discards": row} for row in rows), **more) == deltas


def test_doubling_on_the_dealers_repeat() -> None:
    """比下胡: everything doubled once, side money too, however long the repeat; a false win is not."""
    kong = {"others": {2: {"melds": melds("9999m<3")}}}
    assert nanjing(CLOSED, "8s", "discard", giver=2, bonus="C", repeat=1, **kong).deltas == [0, 84, -84 + 12, -12]
    assert nanjing(CLOSED, "8s", "discard", giver=2, bonus="C", repeat=4, **kong).deltas == [0, 84, -84 + 12, -12]
    fine = {"kind": "false_win", "seat": 2, "claimed": [4, 4, 0, 4]}
    assert drawn({}, {}, {}, {}, repeat=1, incidents=[fine]) == [4, 4, -12, 4]


@pytest.mark.parametrize(
    ("record", "doubled"),
    [({}, False), ({"draw_streak": 1}, True), ({"double_next": True}, True), ({"double_next": True, "repeat": 2}, True)],
)
def test_option_double_after_events(record: dict[str, Any], doubled: bool) -> None:
    """Options, double_after: also after a drawn hand or one with an event, still once."""
    events = {"double_after": "repeat_and_events"}
    won = nanjing(CLOSED, "8s", "discard", giver=2, bonus="C", options=events, **record)
    assert won.deltas[1] == (84 if doubled else 42)
    if not record.get("repeat"):
        assert nanjing(CLOSED, "8s", "discard", giver=2, bonus="C", **record).deltas[1] == 42


ALL_PUNGS = "333p<0 888m<0 NNN<0"


@pytest.mark.parametrize(
    ("source", "giver", "deltas"),
    [
        ("wall", None, [-192, 192, 0, 0]),  # S = 20 + 4 + 40
        ("discard", 3, [-64, 64, 0, 0]),
        ("robbed_kong", 3, [0, 192, 0, -192]),
    ],
)
def test_fed_three_sets(source: str, giver: int | None, deltas: list[int]) -> None:
    """Liability, 1: the feeder of three sets of an all-pungs hand pays all shares; the robbed player goes before."""
    assert nanjing("55s77m", "7m", source, giver=giver, declared=ALL_PUNGS, bonus="C").deltas == deltas


def test_fed_three_sets_of_other_hands() -> None:
    """Liability, 1: not without all pungs or all single; a fed kong's bloom goes before."""
    assert nanjing("78s77m", "9s", "discard", giver=3, declared=ALL_PUNGS, bonus=FOUR).deltas == [0, 30, 0, -30]
    single = nanjing("9p", "9p", declared=ALL_PUNGS + " 6666s", bonus="C")
    assert single.deltas == [-3 * 86 - 3, 3 * 86 + 9, -3, -3]  # 20 + 2 x (1 + 1 + 1) + 60, the concealed kong apart
    bloom = nanjing("5577s", "7s", "kong", declared="333p<0 888m<0 NNNN<0", bonus="C", win={"kong_from": 3})
    assert bloom.deltas == [-6, 3 * 106 + 6, 0, -3 * 106]  # 20 + 2 x (1 + 2) + 40 + 40


def test_option_limited() -> None:
    """Options, limited: nobody pays more than his chips; side money first, then the win."""
    others = {2: {"chips": 30}, 0: {"melds": melds("9999m<2")}}
    won = nanjing(CLOSED, "8s", "discard", giver=2, bonus="C", others=others, options={"limited": True})
    assert won.deltas == [6, 24, -30, 0]


def test_dealer_stays_on_big_patterns() -> None:
    """Dealer and rounds: only a win with a big pattern keeps the deal."""
    ritual = load("nanjing", {}).ritual
    assert ritual is not None and ritual.deal.stay_patterns is not None
    assert "qidui" in ritual.deal.stay_patterns and "menqing" not in ritual.deal.stay_patterns


def test_false_win_and_kong_money() -> None:
    """Irregularities: the announced amounts; kong money stands."""
    fine = {"kind": "false_win", "seat": 2, "claimed": [20, 20, 0, 20]}
    assert drawn(player(None, "3333s"), {}, {}, {}, incidents=[fine]) == [29, 17, -63, 17]
