"""Fuzhou, chapter by chapter of its sheet (docs/sheets/fuzhou.md). Amounts by hand: from each payer (base + flowers) x m,
in method 1 plus the one highest bonus; base 1 unless said. Indicator 5p throughout."""

from __future__ import annotations

from typing import Any

import pytest

from referee.rules.record import RecordError
from referee.rules.ruleset import load
from tests.rules.hands import Settled, declare, melds, player, settle

FIVE_RUNS = "123m456m789m234s67s99s"
GOLD_PAIR = "123m456m789m234s78s55p"  # waits for 6s and 9s beside two golds
DRAGON = "123m456m789m234s8s555p"
THREE_GOLDS = "147m2m55p8p1p147s369s28p"  # no shape, two golds; the third is drawn
METHOD_2: dict[str, Any] = {"options": {"method": 2}}


def fuzhou(hand: str | None, tile: str | None, source: str = "wall", **more: Any) -> Settled:
    return declare("fuzhou", hand, tile, source, **{"indicator": "5p", "dealer": 0} | more)


def each(won: Settled) -> float:
    """What every loser pays."""
    (amount,) = {-delta for delta in won.deltas if delta < 0}
    return amount


def test_discard_and_self_draw() -> None:
    """Method 1: m 1 on a discard (paid by all), 2 on a self-draw; two bonus tiles carry no bonus."""
    won = fuzhou(FIVE_RUNS, "8s", "discard", giver=1, bonus="EE")
    assert won.patterns == {"hua_pai": "2 flowers", "dian_pao": "x1"} and won.deltas == [9, -3, -3, -3]
    won = fuzhou(FIVE_RUNS, "8s", bonus="EE")
    assert won.patterns == {"hua_pai": "2 flowers", "zi_mo": "x2"} and each(won) == 6
    assert each(fuzhou(FIVE_RUNS, "8s", "robbed_kong", giver=1, bonus="EE")) == 6


@pytest.mark.parametrize(
    ("bonus", "declared", "flowers"),
    [
        ("EW", "2222m<1", 2 + 1),
        ("EW", "2222m+1", 2 + 1),
        ("EW", "2222m", 2 + 2),
        ("EEEE", "111m<1", 4 + 2),
        ("CCCC1q2q3q4q1f", "111m<1", 9 + 2 + 2),
        ("1f2f3f4fS", "111m<1", 5 + 2),
    ],
)
def test_flowers(bonus: str, declared: str, flowers: int) -> None:
    """Scoring, flowers: bonus tiles, kongs, four alike (decision 3: 4 + 2)."""
    assert each(fuzhou("456m789m234s67s99s", "8s", bonus=bonus, declared=declared)) == (1 + flowers) * 2


def test_base_and_repeat() -> None:
    """Scoring, base + repeat: for all payers of the dealer, and for what the dealer pays. Option base."""
    option = {"options": {"base": 5}}
    assert fuzhou(FIVE_RUNS, "8s", bonus="EE", repeat=2, **option).deltas == [54, -18, -18, -18]
    assert fuzhou(FIVE_RUNS, "8s", seat=1, bonus="EE", repeat=3, **option).deltas == [-20, 48, -14, -14]


def test_one_flower_and_no_flower() -> None:
    """Method 1, hua_1 15 (bonus tile or gold, no kong), wu_hua 30; neither with a kong."""
    assert each(fuzhou(FIVE_RUNS, "8s", bonus="C")) == (1 + 1) * 2 + 15
    assert each(fuzhou("123m456m789m234s6s5p99s", "8s")) == (1 + 1) * 2 + 15
    assert each(fuzhou(FIVE_RUNS, "8s")) == 2 + 30
    assert each(fuzhou("456m789m234s67s99s", "8s", declared="2222m<1")) == (1 + 1) * 2


def test_robbing_the_gold() -> None:
    """Method 1, qiang_jin 30: the indicator is a wild tile and one flower; decision 5."""
    won = fuzhou("123m456m789m234s79s11p", "5p", "indicator", seat=2, bonus="EW")
    assert won.patterns == {"hua_pai": "2 flowers", "jin_pai": "1 flowers", "zi_mo": "x2", "qiang_jin": "30 points"}
    assert each(won) == (1 + 3) * 2 + 30


def test_heavenly_and_earthly() -> None:
    """Method 1, tian_hu 30 with x2, di_hu 30 with x1; a non-dealer's dealt hand is none."""
    assert each(fuzhou(FIVE_RUNS, "8s", "deal", bonus="EF", win={"first_turn": True})) == (1 + 2) * 2 + 30
    won = fuzhou(FIVE_RUNS, "8s", "discard", seat=1, giver=0, bonus="EF", win={"first_turn": True})
    assert won.patterns == {"hua_pai": "2 flowers", "dian_pao": "x1", "di_hu": "30 points"} and each(won) == 33
    assert fuzhou(FIVE_RUNS, "8s", "deal", seat=1).code == "not_dealt"


def test_three_golds() -> None:
    """Method 1, san_jin_dao 40: no shape needed, also where the hand is complete; not on a discard (decision 8)."""
    won = fuzhou(THREE_GOLDS, "5p", bonus="WW", win={"wild_win": "three"})
    assert won.patterns["san_jin_dao"] == "40 points" and each(won) == (1 + 5) * 2 + 40
    complete = "13m46m79m555p123s456s9p"
    assert each(fuzhou(complete, "9p")) == (1 + 3) * 2 + 40
    assert each(fuzhou(complete, "9p", "discard", giver=1)) == 1 + 3
    assert fuzhou("147m2m555p8p1p147s369s8p", "2p", "discard", giver=1, win={"wild_win": "three"}).code == "no_shape"


def test_gold_pair_and_gold_dragon() -> None:
    """Method 1, jin_que 60 also on a discard, jin_long 120; option gold_dragon reads its hands otherwise."""
    assert each(fuzhou(GOLD_PAIR, "9s", bonus="E")) == (1 + 3) * 2 + 60
    assert each(fuzhou(GOLD_PAIR, "9s", "discard", giver=1, bonus="E")) == (1 + 3) + 60
    assert each(fuzhou(DRAGON, "8s", bonus="S")) == (1 + 4) * 2 + 120
    assert each(fuzhou(DRAGON, "8s", bonus="S", options={"gold_dragon": False})) == (1 + 4) * 2 + 60


@pytest.mark.parametrize(
    ("hand", "tile", "source", "win", "pattern", "times", "flowers"),
    [
        (FIVE_RUNS, "8s", "discard", {}, "dian_pao", 1, 0),
        (FIVE_RUNS, "8s", "discard", {"first_turn": True}, "dian_pao", 1, 0),
        (FIVE_RUNS, "8s", "wall", {}, "zi_mo", 2, 0),
        (FIVE_RUNS, "8s", "robbed_kong", {}, "zi_mo", 2, 0),
        (THREE_GOLDS, "5p", "wall", {"wild_win": "three"}, "san_jin_dao", 3, 3),
        (GOLD_PAIR, "9s", "wall", {}, "jin_que", 4, 2),
        (GOLD_PAIR, "9s", "discard", {}, "jin_que", 4, 2),
        ("123m456m789m234s79s11p", "5p", "indicator", {}, "qiang_jin", 5, 1),
        (DRAGON, "8s", "wall", {}, "jin_long", 6, 3),
    ],
)
def test_method_2(
    hand: str, tile: str, source: str, win: dict[str, Any], pattern: str, times: int, flowers: int
) -> None:
    """Method 2: one multiplier, the highest; no bonus."""
    giver = 0 if source in ("discard", "robbed_kong") else None
    won = fuzhou(hand, tile, source, seat=1, giver=giver, win=win, **METHOD_2)
    assert won.patterns[pattern] == f"x{times}" and each(won) == (1 + flowers) * times


def test_method_2_heavenly_hand_is_a_self_draw() -> None:
    """Decision 7."""
    assert each(fuzhou(FIVE_RUNS, "8s", "deal", bonus="EF", win={"first_turn": True}, **METHOD_2)) == 6


def test_who_discarded_a_gold_draws_his_win() -> None:
    """Play: by self-draw only for the rest of the hand, a robbed kong not excepted (decision 9)."""
    threw = {"own": {"discards": "E5p"}}
    assert fuzhou(FIVE_RUNS, "8s", "discard", giver=1, **threw).code == "gold_discarded"
    assert fuzhou(FIVE_RUNS, "8s", "robbed_kong", giver=1, **threw).code == "gold_discarded"
    assert fuzhou(FIVE_RUNS, "8s", **threw).legal


def test_bonus_tiles_and_golds_where_they_do_not_belong() -> None:
    """Wild and bonus tiles: honours are no hand tiles; no gold in claims; a discarded gold is dead."""
    assert fuzhou("123m456m789m67s99sEEE", "8s").code == "bonus_in_hand"
    assert fuzhou("123m456m789m67s99s", "8s", declared="EEE<1").code == "invalid_meld"
    assert fuzhou("123m456m789m67s99s", "8s", declared="456p<3").code == "invalid_meld"
    assert fuzhou("123m456m789m234s46p99s", "5p", "discard", giver=1).code == "wild_discard"


def test_a_gold_single_wait_may_take_a_discard() -> None:
    """Winning shapes: no ban here."""
    assert fuzhou("123m456m789m234s567s5p", "9s", "discard", giver=1).legal


def test_order_of_winners() -> None:
    """Play: gold pairs first, else the nearest; decision 10: non-dealers rob before the dealer."""

    def legal(players: list[dict[str, Any]], *wins: dict[str, Any]) -> list[bool]:
        record = {"rules": "fuzhou", "indicator": "5p", "dealer": 0, "players": players, "wins": list(wins)}
        return [w["legal"] for w in settle(record).data["wins"]]

    near, far = player("456m123p789m23478s22p"), player("123m456m789m234s78s55p")
    on_discard = {"tile": "9s", "source": "discard", "from": 0}
    wins = ({"seat": 1, **on_discard}, {"seat": 3, **on_discard})
    assert legal([player(), near, player(), far], *wins) == [False, True]
    plain = player("123m456m789m666p78s44p")
    assert legal([player(), near, player(), plain], *wins) == [True, False]
    rob = {"tile": "5p", "source": "indicator"}
    dealer = player("123m456m789m234s79s11p")
    other = player("123m456m789m234s79s22p")
    assert legal([dealer, player(), player(), other], {"seat": 0, **rob}, {"seat": 3, **rob}) == [False, True]


def test_tile_set_128() -> None:
    """Option tile_set: no seasons, flowers, green and white dragons; walls of 16 columns."""
    option = {"tile_set": 128}
    assert fuzhou(FIVE_RUNS, "8s", bonus="EC", options=option).legal
    for missing in ("1q", "1f", "F", "P"):
        with pytest.raises(RecordError, match="does not use"):
            fuzhou(FIVE_RUNS, "8s", bonus="E" + missing, options=option)
    ritual = load("fuzhou", option).ritual
    assert ritual is not None and ritual.stacks == (16, 16, 16, 16)


def test_irregular_and_drawn_hands() -> None:
    """Irregularities; Kongs and other payments: nothing in a drawn hand; an indicator is a suit tile."""
    dead = [{"kind": "dead_hand", "seat": 0}, {"kind": "false_win", "seat": 0, "claimed": [0, 5, 5, 5]}]
    won = fuzhou(FIVE_RUNS, "8s", incidents=dead)
    assert won.code == "dead_hand" and won.deltas == [-15, 5, 5, 5]
    assert fuzhou(FIVE_RUNS, "8s", "robbed_kong", giver=1, win={"robbed_kind": "concealed"}).code == "no_robbing"
    players = [{"melds": melds("9999s"), "bonus": "EEEE"}, player(), player(), player()]
    assert settle({"rules": "fuzhou", "indicator": "5p", "players": players, "wins": []}).deltas == [0, 0, 0, 0]
    with pytest.raises(RecordError, match="indicator"):
        fuzhou(FIVE_RUNS, "8s", indicator="E")
