"""Xiamen, chapter by chapter of its sheet (docs/sheets/xiamen.md). Amounts are worked out by hand from the sheet:
each payer (base + water) x multiplier, base 2 x 2^repeat between dealer and another, else 1. Indicator 8p throughout."""

from __future__ import annotations

from typing import Any

import pytest

from referee.rules.record import RecordError
from referee.rules.ruleset import load
from tests.rules.hands import Settled, declare, melds, player, settle

FIVE_RUNS = "123m456m789m234s67s99s"  # waits for 5s and 8s, no water
FLOAT = "123m456m789s234s567s8p"  # five sets and a gold


def xiamen(hand: str | None, tile: str | None, source: str = "wall", **more: Any) -> Settled:
    return declare("xiamen", hand, tile, source, **{"indicator": "8p", "dealer": 0} | more)


def test_common_win_is_paid_by_all_three() -> None:
    """Scoring, ping_hu; Payments."""
    won = xiamen(FIVE_RUNS, "8s", "discard", seat=2, giver=1)
    assert won.patterns == {"ping_hu": "x1"}
    assert won.deltas == [-2, -1, 4, -1]


@pytest.mark.parametrize(
    ("declared", "water"),
    [
        ("222m<1", 0), ("EEE<1", 1),
        ("2222m<1", 2), ("EEEE<1", 3),
        ("2222m+1", 2), ("EEEE+1", 3),
        ("2222m", 3), ("EEEE", 4),
        ("PPP<1", 0),
    ],
)  # fmt: skip
def test_water_of_declared_sets(declared: str, water: int) -> None:
    """Scoring, water table; whites are the indicator's 8p, a suit tile."""
    won = xiamen("456m789m234s67s99s", "8s", declared=declared)
    assert won.deltas == [3 * (2 + water) * 2] + [-(2 + water) * 2] * 3


@pytest.mark.parametrize(("triplet", "water"), [("222m", 1), ("EEE", 2)])
def test_water_of_concealed_pungs(triplet: str, water: int) -> None:
    """Scoring, water: closed pung suit 1, honour 2."""
    won = xiamen(triplet + "456m789m234s67s99s", "8s")
    assert won.patterns == {"an_ke": f"{water} water", "zi_mo": "x2"}
    assert won.deltas[1] == -(2 + water) * 2


def test_a_winning_discard_opens_its_pung() -> None:
    """Scoring, "Open: the set contains a discarded tile"; read into a run it leaves a triplet closed."""
    won = xiamen("123m456m789m234sEE99s", "E", "discard", giver=1)
    assert won.patterns == {"ming_ke": "1 water", "ping_hu": "x1"}
    assert won.deltas == [9, -3, -3, -3]
    run = xiamen("34555m123p789s456sNN", "5m", "discard", giver=1)
    assert run.patterns == {"an_ke": "1 water", "ping_hu": "x1"}


def test_robbing_a_kong_is_scored_as_a_self_draw() -> None:
    """Scoring, qiang_gang x2; all three pay."""
    won = xiamen("123m456m789m45s22p78s8p", "6s", "robbed_kong", seat=1, giver=2)
    assert won.patterns == {"jin_pai": "1 water", "qiang_gang": "x2"}
    assert won.deltas == [-(2 + 1) * 2, 14, -4, -4]


@pytest.mark.parametrize(
    ("bonus", "water"), [("1f2q", 2), ("1234q", 8), ("1234f", 8), ("123q12f", 5), ("1234q1234f", 16)]
)
def test_water_of_bonus_tiles(bonus: str, water: int) -> None:
    """Scoring, water: one each, a whole series 8 instead of 4."""
    assert xiamen(FIVE_RUNS, "8s", bonus=bonus).deltas[1] == -(2 + water) * 2


def test_repeat_doubles_the_dealers_base() -> None:
    """Scoring, base 2 x 2^repeat between dealer and another."""
    assert xiamen(FIVE_RUNS, "8s", repeat=3).deltas == [96, -32, -32, -32]
    assert xiamen(FIVE_RUNS, "8s", seat=1, repeat=2).deltas == [-16, 20, -2, -2]


def test_gold_float_and_its_doubles() -> None:
    """Scoring, you_jin x4, shuang_you x8, san_you x12; the discarded golds give no water."""
    for floats, name, times in ((0, "you_jin", 4), (1, "shuang_you", 8), (2, "san_you", 12)):
        won = xiamen(FLOAT, "N", seat=3, win={"floats": floats})
        assert won.patterns == {"jin_pai": "1 water", name: f"x{times}"}
        assert won.deltas == [-3 * times, -2 * times, -2 * times, 7 * times]


def test_a_hand_that_stood_as_float_is_scored_as_one() -> None:
    """Decision 4: 67s+gold and 99s+gold stood with 8s drawn to the third gold: x4, water 3 golds + closed 999s 1."""
    won = xiamen("123m456m789m8p8p8p67s99s", "8s")
    assert won.patterns == {"jin_pai": "3 water", "an_ke": "1 water", "you_jin": "x4"}
    assert won.deltas[1] == -(2 + 4) * 4


def test_gold_float_waits_for_the_wall_only() -> None:
    """Play and Winning shapes: never a discard nor a robbed kong; option base_factor does not change that."""
    assert xiamen(FLOAT, "N", "discard", giver=1).code == "gold_float_wait"
    assert xiamen(FLOAT, "N", "robbed_kong", giver=1).code == "gold_float_wait"


def test_three_golds_win_after_the_deal_and_on_the_last_turn_only() -> None:
    """Scoring, san_jin_dao x4 and x3; decisions 5 and 6; `three` in mid-hand is no win."""
    hand = "147m25p888pE47sEEWSC"
    dealt = xiamen(hand, None, "deal", seat=3, win={"wild_win": "three_dealt"})
    assert dealt.patterns == {"jin_pai": "3 water", "an_ke": "2 water", "san_jin_dao": "x4"}
    assert dealt.deltas == [-(2 + 5) * 4, -24, -24, 76]
    last = xiamen(hand, "9m", seat=3, win={"wild_win": "three_last", "last_tile": True})
    assert last.patterns["san_jin_dao"] == "x3"
    assert last.deltas == [-21, -18, -18, 57]
    assert xiamen(hand, "9m", seat=3, win={"wild_win": "three"}).code == "no_shape"
    for short in (hand[:-1], hand + "N"):  # a short or long hand wins in no way (Irregularities)
        assert xiamen(short, "9m", seat=3, win={"wild_win": "three_last", "last_tile": True}).code == "wrong_count"


def test_robbing_the_gold() -> None:
    """Scoring, qiang_jin x4: the indicator completes the hand as a wild tile and counts as a gold."""
    won = xiamen("123m456m789m11s345s79s", "8p", "indicator", seat=2)
    assert won.patterns == {"jin_pai": "1 water", "qiang_jin": "x4"}
    assert won.deltas == [-12, -8, 28, -8]


def test_heavenly_and_earthly_win() -> None:
    """Scoring, tian_hu and di_hu x4; option earthly_win; a dealt hand of a non-dealer is no whole hand."""
    assert xiamen(FIVE_RUNS, "8s", "deal", win={"first_turn": True}).patterns == {"tian_hu": "x4"}
    earthly = {"seat": 1, "giver": 0, "win": {"first_turn": True}}
    assert xiamen(FIVE_RUNS, "8s", "discard", **earthly).deltas == [-8, 16, -4, -4]
    assert xiamen(FIVE_RUNS, "8s", "discard", options={"earthly_win": False}, **earthly).patterns == {"ping_hu": "x1"}
    assert xiamen(FIVE_RUNS, "8s", "deal", seat=1).code == "not_dealt"


def test_who_goes_first_before_the_first_discard() -> None:
    """Decision 8: heavenly win, then three golds as dealt, then robbing, the dealer last."""
    robber = {"hand": "123m456m789m11s345s79s"}
    indicator_win = {"tile": "8p", "source": "indicator"}

    def legal(players: list[dict[str, Any]], *wins: dict[str, Any]) -> list[bool]:
        record = {"rules": "xiamen", "indicator": "8p", "dealer": 1, "players": players, "wins": list(wins)}
        return [w["legal"] for w in settle(record).data["wins"]]

    nobody = player()
    dealt = {"seat": 1, "tile": "8s", "source": "deal", "first_turn": True}
    assert legal([robber, player("456p123pFFF777m55s67s"), nobody, nobody], {"seat": 0, **indicator_win}, dealt) == [
        False,
        True,
    ]
    three = {"seat": 3, "tile": None, "source": "deal", "wild_win": "three_dealt"}
    golds = player("147m25p888pE47sEEWSC")
    assert legal([robber, nobody, nobody, golds], {"seat": 0, **indicator_win}, three) == [False, True]
    both = [{"seat": 1, **indicator_win}, {"seat": 0, **indicator_win}]
    other = player("456p123pFFF777m55s68s")
    assert legal([robber, other, nobody, nobody], *both) == [False, True]


def test_discarded_golds_are_dead() -> None:
    """Wild and bonus tiles: a discarded gold can be neither claimed nor won."""
    assert xiamen("123m456m789m234s79p99s", "8p", "discard", giver=1).code == "wild_discard"
    assert xiamen("123m456m789m67s99s", "8s", declared="888p<1").code == "invalid_meld"


def test_round_after_a_gold_discard() -> None:
    """Play: nobody wins on a discard while `float_by` stands, nor the floater in his own round; options change it."""
    on_discard = {"seat": 1, "giver": 3}
    assert xiamen(FIVE_RUNS, "8s", "discard", float_by=2, **on_discard).code == "float_round"
    allowed = {"float_round_discard_win": True}
    assert xiamen(FIVE_RUNS, "8s", "discard", float_by=2, options=allowed, **on_discard).legal
    assert xiamen(FIVE_RUNS, "8s", "discard", float_by=1, options=allowed, **on_discard).code == "float_round"
    assert xiamen(FIVE_RUNS, "8s", "discard", win={"floats": 1}, **on_discard).code == "floating"
    assert xiamen(FIVE_RUNS, "8s", float_by=2, seat=1).legal
    assert xiamen(FIVE_RUNS, "8s", "robbed_kong", float_by=2, **on_discard).legal


def test_options_of_golds_in_hand() -> None:
    """Options gold_no_discard_win, required_float, false_float_forfeit."""
    gold_run = "123m456m789m46s8p2277p"
    assert xiamen(gold_run, "7p", "discard", giver=2).legal
    assert xiamen(gold_run, "7p", "discard", giver=2, options={"gold_no_discard_win": True}).code == "gold_in_hand"
    assert xiamen(gold_run, "7p", "robbed_kong", giver=2, options={"gold_no_discard_win": True}).legal
    three = "123m456m789mEE19s8p8p8p"
    assert xiamen(three, "1s").patterns["zi_mo"] == "x2"
    assert xiamen(three, "1s", options={"required_float": True}).code == "required_float"
    threw = {"discards": "8p"}
    assert xiamen(FIVE_RUNS, "8s", own=threw).legal
    assert xiamen(FIVE_RUNS, "8s", own=threw, options={"false_float_forfeit": True}).code == "false_float"
    assert xiamen(FLOAT, "N", own=threw, win={"floats": 1}, options={"false_float_forfeit": True}).legal
    assert xiamen(FIVE_RUNS, "8s", win={"floats": 1}, options={"false_float_forfeit": True}).code == "false_float"


def test_base_factor_leaves_the_water_alone() -> None:
    """Option base_factor: 8 means bases 16 and 8."""
    won = xiamen(FIVE_RUNS, "8s", seat=1, bonus="1q", options={"base_factor": 8})
    assert won.deltas == [-(16 + 1) * 2, 34 + 18 + 18, -18, -18]


def test_ritual_options() -> None:
    """Options missed_win and gold_choice change the play, not the settlement."""
    usual, changed = load("xiamen").ritual, load("xiamen", {"missed_win": True, "gold_choice": "tail"}).ritual
    assert usual is not None and changed is not None and usual.indicator is not None and changed.indicator is not None
    assert (usual.claims.missed_win, changed.claims.missed_win, changed.claims.missed_pung) == ("free", "tile", True)
    assert (usual.indicator.origin, changed.indicator.origin) == ("tail", "replacement")


def test_illegal_and_malformed() -> None:
    """Irregularities: dead hand, false win; Play: only an added kong is robbed; decision 14: floats 0 to 2."""
    dead = [{"kind": "dead_hand", "seat": 0, "why": "long"}]
    assert xiamen(FIVE_RUNS, "8s", incidents=dead).code == "dead_hand"
    assert xiamen(FIVE_RUNS, "8s", "robbed_kong", giver=1, win={"robbed_kind": "concealed"}).code == "no_robbing"
    assert xiamen("123m456m789m234s67s9s", "8s").code == "wrong_count"
    false = [{"kind": "false_win", "seat": 0, "claimed": [0, 4, 4, 4]}]
    assert xiamen("123m456m789m234s67s1s9s", "8s", incidents=false).deltas == [-12, 4, 4, 4]
    with pytest.raises(RecordError, match="floats"):
        xiamen(FLOAT, "N", win={"floats": 3})


def test_nothing_is_paid_in_a_drawn_hand() -> None:
    """Kongs and other payments outside the win: none."""
    players = [player(), {"melds": melds("9999s"), "bonus": "1234q"}, player(), player()]
    record = {"rules": "xiamen", "indicator": "8p", "wall_left": 16, "players": players, "wins": []}
    assert settle(record).deltas == [0, 0, 0, 0]
