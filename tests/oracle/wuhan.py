"""Oracle for Wuhan (sheet ``wuhan``)."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from referee.rules.tiles import DRAGONS, WINDS
from tests.oracle._wuhan import COMMON_OPTIONS, WUHAN_OPTIONS, Family, random_win, settle_with
from tests.oracle.common import COPIES_136, Spec, is_bool, one_of, random_options

SPEC = Spec(
    "wuhan",
    4,
    COPIES_136,
    COMMON_OPTIONS
    | {
        "kong_tiles": ("hongzhong_facai", one_of("hongzhong_facai", "pizi", "hongzhong")),
        "opening_fan": ("once", one_of("once", "each")),
        "fengyise_jinding": (False, is_bool),
        "any_wait_rob": (False, is_bool),
    },
)
FAMILY = Family(SPEC, (*WINDS, *DRAGONS), Fraction(3, 2), Fraction(3, 2))


def settle(data: dict[str, Any]) -> dict[str, Any]:
    return settle_with(FAMILY, data)


def random_record(rng: random.Random) -> dict[str, Any]:
    choices = WUHAN_OPTIONS | {"kong_tiles": ["pizi", "hongzhong", "hongzhong_facai"], "any_wait_rob": [True]}
    return random_win(FAMILY, rng, random_options(rng, choices, rng.choice([0.0, 0.3])), COPIES_136)
