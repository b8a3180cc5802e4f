"""Oracle for Quanzhou (sheet ``quanzhou``), which differs from Xiamen in base, water and multipliers."""

from __future__ import annotations

import random
from typing import Any

from referee.rules.tiles import BONUS, PLAYING, parse
from tests.oracle.common import (
    COPIES_144,
    Deck,
    Malformed,
    Record,
    Spec,
    is_bool,
    one_of,
    player_json,
    random_options,
    read_record,
)
from tests.oracle.xiamen import SHARED_OPTIONS, Hand, base_record, settle_with

SPEC = Spec(
    "quanzhou",
    4,
    COPIES_144,
    SHARED_OPTIONS | {"base_step": ("one", one_of("one", "multiplier")), "open_pung_as_closed": (False, is_bool)},
)


class QuanzhouHand(Hand):
    FLOAT, DOUBLE, TRIPLE, THREE_DEALT, THREE_LAST = 3, 6, 9, 3, 3
    GROUP_BONUS = 0
    ADDED_KONG = (1, 2)

    def multiplier(self) -> int | None:
        win = self.win
        if win.source == "indicator" or win.source == "deal" and win.seat != self.record.dealer:
            return None
        return 1 if win.source == "discard" else 2

    def complete_ways(self) -> list[tuple[int, int]]:
        ways = super().complete_ways()
        if self.win.source == "deal" and ways:
            # decision 2: any dealt tile may count as the last one
            readings = self.golds.readings(self.tiles, self.sets)
            ways += [
                (self.FLOAT, self.reading_water(r)) for r in readings for g in r if g.kind == "pair" and any(g.wild)
            ]
        return ways

    def shapeless_ways(self) -> list[tuple[int, int]]:
        ways = super().shapeless_ways()
        if self.win.flower_win == "eight" and set(self.player.bonus) >= set(BONUS):
            ways.append((3, self.shapeless_water()))
        return ways

    def count_ok(self) -> bool:
        if self.win.flower_win == "eight":
            return len(self.tiles) + 3 * len(self.player.melds) in (16, 17)
        return super().count_ok()

    def dealer_base(self) -> int:
        if self.options["base_step"] == "multiplier":
            return 2 if self.record.dealer_base is None else self.record.dealer_base
        return 2 + self.record.repeat


def check(record: Record) -> Record:
    if record.options["base_step"] == "multiplier" and record.dealer_base is None and record.repeat > 0:
        raise Malformed("the dealer's base is not known")
    return record


def settle(data: dict[str, Any]) -> dict[str, Any]:
    return settle_with(check(read_record(data, SPEC)), QuanzhouHand)


def random_record(rng: random.Random) -> dict[str, Any]:
    choices = {
        "base_factor": [1, 2, 5, 8],
        **dict.fromkeys(["gold_no_discard_win", "required_float", "false_float_forfeit"], [True, True, False]),
        **dict.fromkeys(["float_round_discard_win", "missed_win"], [True, False]),
        "base_step": ["multiplier", "multiplier", "one"],
        "open_pung_as_closed": [True],
        "gold_choice": ["tail", "dice"],
    }
    record, table = base_record(rng, "quanzhou", random_options(rng, choices, rng.choice([0.0, 0.2, 0.5])))
    if record.get("repeat") and rng.random() < 0.9 and record.get("options", {}).get("base_step") == "multiplier":
        record["dealer_base"] = rng.randrange(2, 12)
    if rng.random() < 0.04 and len(record["players"]) == 4:
        eight_bonus_tiles(rng, record)
    return record


def eight_bonus_tiles(rng: random.Random, record: dict[str, Any]) -> None:
    """All eight bonus tiles beside sixteen tiles that need not be anything."""
    seat = rng.randrange(4)
    deck = Deck(COPIES_144)
    deck.take(parse(record["indicator"]))
    record["players"] = [{"hand": None} for _ in range(4)]
    record["players"][seat] = player_json(deck.draw(rng, 16, PLAYING), bonus=BONUS)
    record.pop("float_by", None)
    record["wins"] = [{"seat": seat, "tile": None, "source": "wall", "flower_win": "eight"}]
