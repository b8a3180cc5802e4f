"""Oracle for the three-player game of Jingzhou (sheet ``jingzhou``)."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from referee.rules.tiles import DRAGONS, EAST, NORTH, SOUTH, SUITS, WEST
from tests.oracle._wuhan import COMMON_OPTIONS, Family, random_win, settle_with
from tests.oracle.common import COPIES_136, Malformed, Record, Spec, is_bool, one_of, random_options

SPEC = Spec(
    "jingzhou",
    3,
    {t: n for t, n in COPIES_136.items() if t != EAST},
    COMMON_OPTIONS
    | {
        "removed_suit": (None, one_of(None, "m", "p", "s")),
        "fengyise_jinding": (True, is_bool),
        "jiangyise_jinding": (True, is_bool),
        "any_wait_rob": (True, is_bool),
        "dahu_sum": ("add", one_of("add", "double")),
        "one_suit_base": (10, one_of(10, 15)),
        "one_suit_liability": (False, is_bool),
    },
)
FAMILY = Family(SPEC, (SOUTH, WEST, NORTH, *DRAGONS), Fraction(2), Fraction(2), floor_for_all=False, last_tile=False)


def two_suits(record: Record) -> None:
    """One suit is not in the set: the one the option names, or any."""
    used = {record.indicator, *(w.tile for w in record.wins)}
    for player in record.players:
        used |= {*(player.hand or ()), *player.bonus, *(player.discards or ())}
        used |= {t for m in player.melds for t in m.tiles}
    suits = {t // 9 for t in used if t is not None and t < 27}
    removed = record.options["removed_suit"]
    if len(suits) == 3 or (removed is not None and SUITS.index(removed) in suits):
        raise Malformed("a tile of the suit left out")


def settle(data: dict[str, Any]) -> dict[str, Any]:
    return settle_with(FAMILY, data, two_suits)


def random_record(rng: random.Random) -> dict[str, Any]:
    choices = {
        "minimum": [8, 16, 32],
        "caps": [[400, 500, 600, 800], [100, 200, 300, 400]],
        "rate": ["yifen", "wuli"],
        "fengyise_jinding": [False],
        "jiangyise_jinding": [False],
        "any_wait_rob": [False],
        "one_suit_liability": [True],
        **rng.choice([{"dahu_sum": ["double"]}, {"one_suit_base": [15]}]),
    }
    options = random_options(rng, choices, rng.choice([0.0, 0.3]))
    left_out = rng.randrange(3)
    if rng.random() < 0.3:
        options["removed_suit"] = SUITS[left_out if rng.random() < 0.9 else (left_out + 1) % 3]
    copies = {t: n for t, n in SPEC.copies.items() if t >= 27 or t // 9 != left_out}
    return random_win(FAMILY, rng, options, copies)
