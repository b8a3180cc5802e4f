"""What holds for every rule set, checked on the golden hands of its sheet (tests/vectors) and on options and data."""

import importlib
import json
import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from referee import describe
from referee.rules import tiles as t
from referee.rules.record import Record, RecordError, parse_record
from referee.rules.ruleset import SET_IDS, Bool, OneOf, base_ruleset, load
from referee.rules.settle import settle, settle_record

VECTORS = Path(__file__).parent.parent / "vectors"

#: Rule sets that tell the three suits apart, and where their sheets do it.
SUITS_DIFFER = {
    "beijing": "catch five (捉五魁) is a 5m",
    "jingzhou": "one suit is left out; characters by custom",
    "kawuxing": "one suit is left out",
}


def good_records(rules_id: str) -> Iterator[dict[str, Any]]:
    for vector in json.loads((VECTORS / f"{rules_id}.json").read_text()):
        if not vector["expect"].get("error"):
            yield vector["record"]


every_set = pytest.mark.parametrize("rules_id", SET_IDS)


@every_set
def test_golden_vectors(rules_id: str) -> None:
    """The sheet's golden hands: legal as said, deltas as said, malformed records refused."""
    for vector in json.loads((VECTORS / f"{rules_id}.json").read_text()):
        expect = vector["expect"]
        if expect.get("error"):
            with pytest.raises(RecordError):
                settle_record(vector["record"])
            continue
        found = settle_record(vector["record"])
        assert found["deltas"] == pytest.approx(expect["deltas"]), (vector["name"], vector.get("why"))
        if "legal" in expect:
            assert [w["legal"] for w in found["wins"]] == expect["legal"], vector["name"]


@every_set
def test_settled_twice_is_the_same_and_adds_up_to_zero(rules_id: str) -> None:
    for record in good_records(rules_id):
        once = settle_record(record)
        assert settle_record(json.loads(json.dumps(record))) == once
        assert sum(once["deltas"]) == pytest.approx(0)
        for seat, delta in enumerate(once["deltas"]):
            paid = sum(p["amount"] for p in once["payments"] if p["from"] == seat)
            received = sum(p["amount"] for p in once["payments"] if p["to"] == seat)
            assert received - paid == pytest.approx(delta)
        assert all(p["why"] and p["amount"] > 0 for p in once["payments"]), "a payment without its reason"


@every_set
def test_rotating_the_seats_rotates_the_result(rules_id: str) -> None:
    """Nothing hangs on a seat's number: winds and turns are counted from the dealer."""
    for data in good_records(rules_id):
        if data.get("options", {}).get("east_seat") is not None:
            continue  # Taiwan's option names a seat by number
        record = parse_record(data)
        for by in range(1, len(record.players)):
            turned = settle(rotated(record, by)).deltas
            assert turned[by:] + turned[:by] == pytest.approx(settle(record).deltas)


@every_set
def test_only_the_dealer_holds_a_whole_hand_at_the_deal(rules_id: str) -> None:
    """Hand record, source "deal": the dealt tiles are one more for the dealer; with as many nobody else can have won on them."""
    for record in map(parse_record, good_records(rules_id)):
        wins = [w for w in record.wins if w.source == "wall" and not (w.flower_win or w.wild_win or w.special)]
        if len(wins) != 1 or record.players[wins[0].seat].melds:
            continue
        dealt = replace(record, wins=(replace(wins[0], source="deal"),))
        of_dealer = settle(replace(dealt, dealer=wins[0].seat)).verdicts[0]
        assert of_dealer.reason is None or not of_dealer.reason.startswith("wrong_count")
        assert not settle(replace(dealt, dealer=(wins[0].seat + 1) % len(record.players))).verdicts[0].legal


def rotated(record: Record, by: int) -> Record:
    n = len(record.players)

    def seat(old: int | None) -> int | None:
        return None if old is None else (old + by) % n

    def around(values: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(values[(i - by) % n] for i in range(n)) if values else values

    players = tuple(
        replace(p, melds=tuple(replace(m, source=seat(m.source)) for m in p.melds)) for p in around(record.players)
    )
    wins = tuple(
        replace(
            w, seat=seat(w.seat), source_seat=seat(w.source_seat), kong_from=seat(w.kong_from),
            claimed_in_float=seat(w.claimed_in_float),
        )
        for w in record.wins
    )  # fmt: skip
    incidents = tuple(replace(i, seat=seat(i.seat), claimed=around(i.claimed)) for i in record.incidents)
    dealer = seat(record.dealer) or 0
    return replace(
        record, players=players, wins=wins, incidents=incidents, dealer=dealer, float_by=seat(record.float_by)
    )


@every_set
def test_exchanging_suits_changes_nothing_where_the_rules_know_no_suit(rules_id: str) -> None:
    if rules_id in SUITS_DIFFER:
        pytest.skip(SUITS_DIFFER[rules_id])
    for data in good_records(rules_id):
        record = parse_record(data)
        assert settle(resuited(record)).deltas == pytest.approx(settle(record).deltas), data


def resuited(record: Record) -> Record:
    """Characters become dots, dots bamboo, bamboo characters."""

    def tile(old: int | None) -> int | None:
        return old if old is None or old >= 27 else (old + 9) % 27

    def tiles(old: tuple[int, ...] | None) -> Any:
        return None if old is None else tuple(tile(k) for k in old)

    players = tuple(
        replace(
            p, hand=tiles(p.hand), discards=tiles(p.discards), bonus=tiles(p.bonus),
            melds=tuple(replace(m, tiles=tiles(m.tiles), claimed=tile(m.claimed)) for m in p.melds),
        )
        for p in record.players
    )  # fmt: skip
    wins = tuple(
        replace(w, tile=tile(w.tile), kong_tile=tile(w.kong_tile), second_tile=tile(w.second_tile), birds=tiles(w.birds))
        for w in record.wins
    )
    incidents = tuple(replace(i, tile=tile(i.tile)) for i in record.incidents)
    return replace(record, players=players, wins=wins, incidents=incidents, indicator=tile(record.indicator))


@every_set
def test_options_are_typed_and_documented(rules_id: str) -> None:
    rules = load(rules_id)
    assert len({o.name for o in rules.options}) == len(rules.options)
    for option in rules.options:
        assert option.help and option.type.problem(option.default) is None or option.default is None, option.name
        with pytest.raises(RecordError, match=option.name):
            load(rules_id, {option.name: {"no": "such value"}})
        assert load(rules_id, {option.name: option.default}).id == rules_id


@every_set
def test_options_stand_in_the_sheet(rules_id: str) -> None:
    """Every option of the sheet's Options table exists under its name, and no other."""
    sheet = (Path(__file__).parents[2] / "docs" / "sheets" / f"{rules_id}.md").read_text()
    table = sheet.split("## Options")[1].split("\n## ")[0]
    named = set()
    for line in table.splitlines():
        if line.startswith("| ") and not line.startswith(("| option", "| ---")):
            named |= {name.strip(" `") for name in line.split("|")[1].split(",")}
    ours = {o.name for o in load(rules_id).options}
    if rules_id == "quanzhou":  # its table adds to Xiamen's
        named |= {o.name for o in load("xiamen").options} - {"earthly_win"}
    assert ours == named


@every_set
def test_rule_set_prints_as_text_page_and_json(rules_id: str) -> None:
    rules = load(rules_id)
    page = describe.page(rules_id)
    data = json.loads(json.dumps(describe.as_json(rules_id)))
    assert len(data["patterns"]) == len(rules.patterns) and len(data["options"]) == len(rules.options)
    for pattern in rules.patterns:
        assert pattern.native in page and pattern.english in page
    for restriction in rules.restrictions:
        assert restriction.code in page
    assert rules.summary and rules.payments_text and rules.ritual is not None


@cache
def wild_pairs(rules_id: str) -> list[tuple[Record, Record]]:
    """Golden self-drawn wins, each with a copy in which one natural concealed tile has become a wild one."""
    out = []
    for data in good_records(rules_id):
        record = parse_record(data)
        rules = load(rules_id, dict(record.options))
        kinds = rules.wild_kinds(record)
        for win in record.wins[:1]:
            hand = record.players[win.seat].hand
            if not hand or win.source != "wall" or not kinds or win.flower_win or win.wild_win or win.special:
                continue
            wild = min(kinds)
            for index in range(0, len(hand), 3):
                if hand[index] not in kinds and rules.tiles[wild] > sum(_held(record, wild)):
                    changed = replace(record.players[win.seat], hand=hand[:index] + (wild,) + hand[index + 1 :])
                    players = tuple(changed if s == win.seat else p for s, p in enumerate(record.players))
                    out.append((record, replace(record, players=players)))
    return out


def _held(record: Record, tile: int) -> Iterator[int]:
    yield record.indicator == tile
    for player in record.players:
        yield (player.hand or ()).count(tile) + player.bonus.count(tile) + (player.discards or ()).count(tile)
        yield sum(m.tiles.count(tile) for m in player.melds)
    yield sum(w.tile == tile for w in record.wins)


#: Where a wild tile in place of a natural one may lower the best score, and what the sheet says of it.
WILD_MAY_COST = {
    "hangzhou": "清七対 wants no wild, 豪華 four real tiles",
    "beijing": "没混: a double for a hand without wilds; 豪華 four real tiles; four wilds pay",
    "nanchang": "德国: doubles and 5 for a hand without fine tiles",
    "yiwu": "three wilds win only by lone wild or kong bloom",
    "wuhan": "硬胡 one fan; at most one wild in a small win",
    "wuhan_hongzhong": "硬胡 one fan; at most one wild in a small win",
    "jingzhou": "硬胡 one fan; at most one wild in a small win",
    "ningbo": "硬胡 one tai",
    "fenghua": "無搭 and the dearer wild-free tiers",
    "wenzhou": "硬牌 x2",
    "shanghai_jinshan": "没百搭 one tai",
    "xiamen": "required_float: with three golds only the dearer ways win",
    "quanzhou": "required_float: with three golds only the dearer ways win",
    "fuzhou": "無花 30 and 一張花 15 for hands without flowers and golds",
    "taizhou": "",
}


@every_set
def test_a_wild_tile_in_place_of_a_natural_one_never_costs(rules_id: str) -> None:
    checked = 0
    for before, after in wild_pairs(rules_id):
        try:
            now, then = settle(after), settle(before)
        except RecordError:
            continue
        checked += 1
        seat = before.wins[0].seat
        if now.deltas[seat] < then.deltas[seat]:
            assert WILD_MAY_COST.get(rules_id), (rules_id, t.write(after.players[seat].hand or ()), now.deltas, then.deltas)
    if load(rules_id).wild and not WILD_MAY_COST.get(rules_id):
        assert checked, "no golden hand to try it on"


# --- every pattern is reached -----------------------------------------------------------------------------------------


def _seats(count: int, **players: dict[str, Any]) -> list[dict[str, Any]]:
    """``count`` players of whom nothing is known but what is given, as ``seat_2={...}``."""
    return [players.get(f"seat_{seat}", {}) for seat in range(count)]


def _claimed(kind: str, tiles: str, last: str, giver: int) -> dict[str, Any]:
    return {"kind": kind, "tiles": tiles, "claimed": last, "from": giver}


#: Winning hands with patterns that neither a golden hand nor one of the first random records has.
RARE: dict[str, list[dict[str, Any]]] = {
    "hongkong": [  # chicken hand 雞糊: none of the others, so an indifferent bonus tile too
        {
            "options": {"minimum_faan": 0},
            "players": _seats(4, seat_3={"hand": "11p444456sEE", "bonus": "4f", "melds": [_claimed("chow", "789p", "9p", 2)]}),
            "dealer": 1, "round_wind": "S", "wins": [{"seat": 3, "tile": "1p", "source": "discard", "from": 2}],
        }
    ],
    "taiwan": [  # 配牌花胡, option flower_at_deal: seven rob the eighth before the first discard
        {
            "options": {"flower_at_deal": True}, "players": _seats(4, seat_0={"bonus": "14q41f2q23f"}), "dealer": 2,
            "wins": [{"seat": 0, "source": "discard", "flower_win": "seven_rob", "tile": "3q", "from": 2, "first_turn": True}],
        }
    ],
    "xiamen": [  # 三游: the gold floated twice
        {
            "indicator": "E", "dealer": 2, "wins": [{"seat": 3, "tile": "6m", "source": "wall", "floats": 2}],
            "players": _seats(4, seat_3={
                "hand": "567789pE", "discards": "NFEE",
                "melds": [
                    _claimed("chow", "345s", "5s", 2), _claimed("chow", "567p", "5p", 2), _claimed("kong", "CCCC", "C", 2),
                ],
            }),
        }
    ],
    "fuzhou": [  # 天胡: the dealer's seventeen
        {
            "indicator": "3p", "dealer": 3, "wins": [{"seat": 3, "tile": "9p", "source": "deal", "first_turn": True}],
            "players": _seats(4, seat_3={"hand": "66m45667788p345567s"}),
        }
    ],
    "yiwu": [  # 双飄: two wilds floated in a row, the third waits alone
        {
            "indicator": "8p", "dealer": 2, "wins": [{"seat": 1, "tile": "E", "source": "wall", "floats": 2}],
            "players": _seats(4, seat_1={
                "hand": "345m8pPPP", "discards": "88p",
                "melds": [_claimed("pung", "333p", "3p", 3), _claimed("pung", "555m", "5m", 3)],
            }),
        }
    ],
    "beijing": [  # 本混龙 and 海底捞月, both options
        {
            "options": {"native_wild_flush": True}, "indicator": "5s", "players": _seats(4, seat_0={"hand": "8m235666678999s"}),
            "wins": [{"seat": 0, "tile": "6m", "source": "wall"}],
        },
        {
            "options": {"last_tile": 1}, "indicator": "4m", "players": _seats(4, seat_2={"hand": "111445777m44pPP"}),
            "wins": [{"seat": 2, "tile": "1m", "source": "wall", "last_tile": True}],
        },
    ],
    "ningbo": [  # 辺張: 3m after 12m
        {
            "indicator": "7s", "players": _seats(4, seat_0={"hand": "1111223444477m"}), "dealer": 1, "round_wind": "N",
            "wins": [{"seat": 0, "tile": "3m", "source": "discard", "from": 1}],
        }
    ],
    "fenghua": [  # 欠色: independent tiles without a suit
        {
            "options": {"min_tai": 4}, "indicator": "7p", "players": _seats(4, seat_0={"hand": "6777p159sSWNCFP"}), "dealer": 3,
            "wins": [{"seat": 0, "tile": "2m", "source": "wall"}], "round_wind": "W",
        }
    ],
    "yangzhou": [  # 混龍, 混対対, 清龍, 清板龍 of the scale "new"
        {
            "options": {"scale": "new"}, "players": _seats(4, seat_0={"hand": hand}),
            "wins": [{"seat": 0, "tile": tile, "source": "wall"}],
        }
        for hand, tile in (
            ("123456789mEEE5m", "5m"), ("111m333m555mEEES", "S"), ("123456789m111m5m", "5m"), ("123456789m123m5m", "5m"),
        )
    ],
    "nanjing": [  # 豪華七対 three times, option seven_pairs_special
        {
            "options": {"seven_pairs_special": "haohua"}, "players": _seats(4, seat_0={"hand": "1111222233334m"}),
            "wins": [{"seat": 0, "tile": "4m", "source": "wall"}],
        }
    ],
}  # fmt: skip


def winning_records(rules_id: str) -> Iterator[dict[str, Any]]:
    """Golden hands, the rare ones above, then random records of the set's oracle, which ``make check-slow`` settles too."""
    yield from good_records(rules_id)
    for rare in RARE.get(rules_id, ()):
        yield {"rules": rules_id} | rare
    oracle, rng = importlib.import_module(f"tests.oracle.{rules_id}"), random.Random(f"{rules_id} slow")
    for _ in range(150):
        yield oracle.random_record(rng)


def all_patterns(rules_id: str) -> set[str]:
    """Every pattern that some option of the rule set, or none, plays with."""
    variants = [base_ruleset(rules_id), load(rules_id)]
    for option in load(rules_id).options:
        values = option.type.values if isinstance(option.type, OneOf) else (True, False) if isinstance(option.type, Bool) else ()
        variants += [load(rules_id, {option.name: value}) for value in values]
    return {pattern.id for rules in variants for pattern in rules.patterns}


@every_set
def test_every_pattern_is_reached_by_a_winning_hand(rules_id: str) -> None:
    """No pattern of the data without a settled, legal win that has it. There are no exceptions."""
    missing = all_patterns(rules_id)
    for data in winning_records(rules_id):
        if not missing:
            break
        try:
            verdicts = settle(parse_record(data)).verdicts
        except RecordError:
            continue
        missing -= {entry.pattern.id for v in verdicts if v.legal and v.tally for entry in v.tally.entries}
    assert not missing
