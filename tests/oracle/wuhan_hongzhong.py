"""Oracle for the base game of Wuhan (sheet ``wuhan_hongzhong``)."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from referee.rules.tiles import DRAGONS, WINDS
from tests.oracle._wuhan import COMMON_OPTIONS, WUHAN_OPTIONS, Family, random_win, settle_with
from tests.oracle.common import COPIES_136, Spec, is_bool, one_of, random_options

SPEC = Spec(
    "wuhan_hongzhong",
    4,
    COPIES_136,
    COMMON_OPTIONS
    | {
        "kong_tiles": ("hongzhong", one_of("hongzhong_facai", "pizi", "hongzhong")),
        "opening_fan": ("once", one_of("once", "each")),
        "dahu_sum": ("add", one_of("add", "double")),
        "one_suit_base": (10, one_of(10, 15)),
        "one_suit_liability": (False, is_bool),
        "fengyise_jinding": (False, is_bool),
        "any_wait_rob": (True, is_bool),
    },
)
FAMILY = Family(SPEC, (*WINDS, *DRAGONS), Fraction(3, 2), Fraction(3, 2))


def settle(data: dict[str, Any]) -> dict[str, Any]:
    return settle_with(FAMILY, data)


def random_record(rng: random.Random) -> dict[str, Any]:
    choices = WUHAN_OPTIONS | {
        "kong_tiles": ["pizi", "hongzhong", "hongzhong_facai"],
        "any_wait_rob": [False],
        "one_suit_liability": [True],
        rng.choice(["dahu_sum", "one_suit_base"]): ["double"],
    }
    if "one_suit_base" in choices:
        choices["one_suit_base"] = [15]
    return random_win(FAMILY, rng, random_options(rng, choices, rng.choice([0.0, 0.3])), COPIES_136)
