"""Late 1980s Shanghai, chapter by chapter of its sheet (docs/sheets/shanghai_1980s.md). Amounts by hand:
P = min(40, (3 + bonus tiles) x 2^fan). Seat 0 wins and deals unless said."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.hands import Settled, declare, player, settle

RUNS = "234m567m345p99p67s"  # waits for 5s and 8s, no fan
FED = "234m<3 567m<3 345p<3"  # three sets claimed from seat 3


def eighties(hand: str | None, tile: str | None, source: str = "wall", **more: Any) -> Settled:
    return declare("shanghai_1980s", hand, tile, source, **{"dealer": 0} | more)


def test_payments() -> None:
    """Payments: the discarder or robbed player P alone, on a self-draw each P."""
    assert eighties(RUNS, "8s").deltas == [9, -3, -3, -3]
    assert eighties(RUNS, "8s", "discard", seat=1, giver=3).deltas == [0, 3, 0, -3]
    assert eighties(RUNS, "8s", "robbed_kong", giver=2).deltas == [3, 0, -3, 0]


@pytest.mark.parametrize(
    ("hand", "tile", "more", "patterns", "each"),
    [
        (RUNS, "8s", {"bonus": "1f3q"}, {}, 5),
        ("234567p99p67p", "8p", {"declared": "NNN<1"}, {"hunyise": 2}, 12),
        ("SSSNNNWWPP", "W", {"declared": "FFF<1"}, {"hunyise": 2, "duiduihu": 2}, 40),
        ("22m67m", "8m", {"declared": "123m<3 456m<1 567m<3"}, {"qingyise": 4}, 40),
        ("222m55p77s", "7s", {"declared": "333p<1 8888s<2"}, {"duiduihu": 2}, 12),
        ("9s", "9s", {"declared": "234m<3 567m<1 345p<2 6666s"}, {"dadiaoche": 1}, 6),
        ("567m345p99p67s", "8s", {"declared": "3333m", "source": "kong"}, {"gangkai": 1}, 6),
        (RUNS, "8s", {"bonus": "1f", "source": "flower"}, {"gangkai": 1}, 8),
    ],
)  # fmt: skip
def test_every_pattern(hand: str, tile: str, more: dict[str, Any], patterns: dict[str, int], each: int) -> None:
    """Scoring, the table line by line, with the limit of 40."""
    won = eighties(hand, tile, **more)
    assert won.patterns == {name: f"{worth} fan" for name, worth in patterns.items()}
    assert won.deltas == [3 * each, -each, -each, -each]


def test_exactly_forty_is_forty() -> None:
    """Payments: (3 + 2) x 2^3 = 40."""
    won = eighties("9s", "9s", declared="234s<3 567s<1 345s<2 EEE<1", bonus="1f2f")
    assert won.patterns == {"hunyise": "2 fan", "dadiaoche": "1 fan"} and won.deltas == [120, -40, -40, -40]


def test_options() -> None:
    """Options: base_chips and limit."""
    won = eighties("22m67m", "8m", declared="123m<3 456m<1 567m<3", options={"base_chips": 4, "limit": 60})
    assert won.deltas == [180, -60, -60, -60]


@pytest.mark.parametrize(
    ("source", "giver", "deltas"),
    [
        ("wall", None, [9, 0, 0, -9]),
        ("discard", 1, [3, 0, 0, -3]),
        ("discard", 3, [3, 0, 0, -3]),
        ("robbed_kong", 2, [3, 0, 0, -3]),
    ],
)
def test_three_claimed_sets_bind(source: str, giver: int | None, deltas: list[int]) -> None:
    """Liability, bao_sanzu: the giver of three sets takes over what is owed, whoever discarded."""
    assert eighties("99p67s", "8s", source, giver=giver, declared=FED).deltas == deltas


def test_the_bond_works_both_ways_and_for_nobody_else() -> None:
    """Liability: if the giver wins, the taker takes over; a third winner changes nothing; two sets bind nobody."""
    taker = {3: player(None, "234s<2 567s<2 111p<2")}
    assert eighties(RUNS, "8s", seat=2, others=taker).deltas == [0, 0, 9, -9]
    assert eighties(RUNS, "8s", seat=1, others=taker).deltas == [-3, 9, -3, -3]
    assert eighties("99p67s", "8s", declared="234m<3 567m<3 EEE<1").deltas == [9, -3, -3, -3]
    assert eighties("99p67s", "8s", declared="234m<3 567m<3 9999m").deltas == [9, -3, -3, -3], "no claim"


def test_bound_to_two_players() -> None:
    """Decisions: each bound player pays its own share, the nearest after the winner the rest; on the discard of one of
    them that one pays."""
    taker = {1: player(None, "234s<0 567s<0 111p<0")}
    assert eighties("99p67s", "8s", declared=FED, others=taker).deltas == [9, -6, 0, -3]
    assert eighties("99p67s", "8s", "discard", giver=2, declared=FED, others=taker).deltas == [3, -3, 0, 0]
    assert eighties("99p67s", "8s", "discard", giver=3, declared=FED, others=taker).deltas == [3, 0, 0, -3]


def test_refusals_and_hands_without_payment() -> None:
    """Winning shapes; Irregularities; Use of the record."""
    assert eighties("1133m4477p99sEES", "S").code == "no_shape"
    assert eighties(RUNS, "8s", incidents=[{"kind": "dead_hand", "seat": 0}]).code == "dead_hand"
    assert eighties(RUNS, "8s", "robbed_kong", giver=1, win={"robbed_kind": "concealed"}).code == "no_robbing"
    fine = {"kind": "false_win", "seat": 2, "claimed": [4, 2, 0, 2]}
    record = {"rules": "shanghai_1980s", "players": [{}, player(None, "3333p"), {}, {}], "wins": []}
    assert settle(record | {"incidents": [fine]}).deltas == [0, 0, 0, 0]
