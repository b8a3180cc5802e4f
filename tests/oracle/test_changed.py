"""The product against the oracles on golden hands that are changed: other options, seats, sources, givers, last tiles.

Truth: ``tests/oracle/ID.py``, written from the rule sheet alone. Golden hands have the patterns, liabilities and side payments
that random hands seldom have; changed they meet options and circumstances for which nobody has written a golden hand.
"""

from __future__ import annotations

import copy
import importlib
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.rules import tiles as t
from referee.rules.record import RecordError
from referee.rules.ruleset import Bool, Int, OneOf, Option, Ruleset, base_ruleset
from referee.rules.settle import settle_record
from tests.oracle.common import Malformed
from tests.oracle.test_agreement import ORACLES, outcome

VECTORS = Path(__file__).parent.parent / "vectors"
Record = dict[str, Any]
Change = Callable[[Record, Ruleset, random.Random], None]
#: What a win says of how its tile came.
STORY = ("from", "kong_chain", "kong_from", "kong_tile", "after_kong", "dice_kong", "floats", "first_turn", "second_tile")


def option_values(option: Option) -> list[Any]:
    kind = option.type
    if isinstance(kind, Bool):
        return [True, False]
    if isinstance(kind, OneOf):
        return [value for value in kind.values if value is not None]
    if isinstance(kind, Int):
        usual = option.default if isinstance(option.default, int) else 10
        return [n for n in (1, usual, usual + 1, 2 * usual) if kind.least <= n <= (kind.most or n)]
    return []


def other_options(record: Record, rules: Ruleset, rng: random.Random) -> None:
    for option in rng.sample(rules.options, min(len(rules.options), rng.choice((1, 2, 3)))):
        values = option_values(option)
        if values:
            record["options"] = record.get("options", {}) | {option.name: rng.choice(values)}


def other_seats(record: Record, rules: Ruleset, rng: random.Random) -> None:
    record["dealer"] = rng.randrange(rules.players)
    record["repeat"] = rng.choice((0, 1, 2, 4))
    record["round_wind"] = rng.choice("ESWN")
    record["draw_streak"] = rng.choice((0, 1, 6))


def other_source(record: Record, rules: Ruleset, rng: random.Random) -> None:
    win = record["wins"][0] if len(record["wins"]) == 1 else {}
    if win.get("tile") is None or win["source"] in ("deal", "indicator") or win.get("flower_win") or win.get("wild_win"):
        return
    others = [seat for seat in range(rules.players) if seat != win["seat"]]
    for name in STORY:
        win.pop(name, None)
    held = [tile for player in record["players"] for tile in t.parse(player.get("hand") or "")]
    robbed = t.parse_one(win["tile"]) not in held  # the other three are the pung that becomes a kong
    sources = ["wall", "discard", "kong"] + ["flower"] * bool(rules.bonus) + ["robbed_kong"] * robbed
    win["source"] = rng.choice(sources)
    if win["source"] in ("discard", "robbed_kong"):
        win["from"] = rng.choice(others)
    if win["source"] == "kong":
        win["kong_chain"] = rng.choice((1, 2))
        win["kong_from"] = rng.choice((None, *others))
        win.pop("birds", None)  # the wall's last tile as a replacement leaves none to turn
    if win["source"] == "discard" and rng.random() < 0.3:
        win["after_kong"] = True
    win["last_tile"] = rng.random() < 0.3


def other_bonus_tiles(record: Record, rules: Ruleset, rng: random.Random) -> None:
    indicator = record.get("indicator")
    kinds = sorted(rules.bonus - rules.wild_kinds_under(indicator and t.parse_one(indicator)))
    if kinds and not any(player.get("bonus") for player in record["players"]):
        rng.choice(record["players"])["bonus"] = t.write(sorted(rng.sample(kinds, rng.randint(1, min(8, len(kinds))))))


def other_givers(record: Record, rules: Ruleset, rng: random.Random) -> None:
    for seat, player in enumerate(record["players"]):
        giver = rng.choice([other for other in range(rules.players) if other != seat])
        for meld in player.get("melds") or ():
            if meld.get("from") is not None and rng.random() < 0.7:
                meld["from"] = giver


def other_last_tile(record: Record, rules: Ruleset, rng: random.Random) -> None:
    for win in record["wins"]:
        winner = record["players"][win["seat"]]
        hand = list(t.parse(winner.get("hand") or ""))
        if hand and win.get("tile") is not None and len(record["wins"]) == 1:
            at = rng.randrange(len(hand))
            hand[at], win["tile"] = t.parse_one(win["tile"]), t.NAMES[hand[at]]
            winner["hand"] = t.write(sorted(hand))


def drawn_or_foul(record: Record, rules: Ruleset, rng: random.Random) -> None:
    seat = rng.randrange(rules.players)
    claimed = [0 if other == seat else rng.choice((1, 4, 10)) for other in range(rules.players)]
    foul = rng.choice(({"kind": "dead_hand", "why": "long"}, {"kind": "false_win", "claimed": claimed}, None))
    if foul is None:
        record["wins"] = []
    elif not any("chips" in player for player in record["players"]):  # the sheets do not say in which order chips run out
        record["incidents"] = [*record.get("incidents", ()), foul | {"seat": seat}]


CHANGES: tuple[Change, ...] = (
    other_options, other_options, other_seats, other_source, other_bonus_tiles, other_givers, other_last_tile, drawn_or_foul,
)  # fmt: skip


def changed(record: Record, rules: Ruleset, rng: random.Random) -> Record:
    record = copy.deepcopy(record)
    record.setdefault("wins", [])
    for change in rng.sample(CHANGES, rng.choice((1, 2, 3))):
        change(record, rules, rng)
    for win in record["wins"]:
        dealer = record.get("dealer", 0)
        if win["source"] == "deal" and not win.get("wild_win") and rules.id != "changsha":
            record["dealer"] = win["seat"]  # nobody else holds a whole hand at the deal
        elif win.get("first_turn") and not (win["source"] == "discard" and win.get("from") == dealer != win["seat"]):
            win.pop("first_turn")
        if "birds" in win and not record.get("options", {}).get("double_birds"):
            win["birds"] = win["birds"][:2]  # one tile is turned
    return record


def compare_changed(rules_id: str, times: int, seed: str) -> None:
    oracle = importlib.import_module(f"tests.oracle.{rules_id}")
    rules, rng = base_ruleset(rules_id), random.Random(f"{rules_id} {seed}")
    for vector in json.loads((VECTORS / f"{rules_id}.json").read_text()):
        if vector["expect"].get("error"):
            continue
        for _ in range(times):
            record = changed(vector["record"], rules, rng)
            expected, got = outcome(oracle.settle, Malformed, record), outcome(settle_record, RecordError, record)
            shown = f"{vector['name']}: {json.dumps(record, ensure_ascii=False)}"
            assert got.get("legal") == expected.get("legal"), shown
            assert got.get("deltas") == pytest.approx(expected.get("deltas")), shown


@pytest.mark.parametrize("rules_id", ORACLES)
def test_changed_golden_hands(rules_id: str) -> None:
    compare_changed(rules_id, 2, "quick")


@pytest.mark.slow
@pytest.mark.parametrize("rules_id", ORACLES)
def test_changed_golden_hands_many_times(rules_id: str) -> None:
    compare_changed(rules_id, 100, "slow")
