"""Oracle for Wenzhou (sheet ``wenzhou``)."""

from __future__ import annotations

import random
from typing import Any

from referee.rules.tiles import PLAYING, WHITE, write
from tests.oracle._f2 import Golds, Table, break_record, held, is_earthly, is_heavenly, right_count
from tests.oracle.common import (
    COPIES_136,
    Dealt,
    Deck,
    Group,
    Ledger,
    Reading,
    Record,
    Spec,
    Win,
    at_least,
    dead_seats,
    is_bool,
    odd_kinds,
    one_of,
    random_options,
    read_record,
    split_winning_tile,
    turn_distance,
)
from tests.oracle.xiamen import float_hand, gold_hand

SPEC = Spec(
    "wenzhou",
    4,
    COPIES_136,
    {
        "dealer_scale": ("2468", one_of("2468", "3579")),
        "wild_bonus": (1, at_least(0)),
        "all_pungs_double": (False, is_bool),
        "hard_without_white": (False, is_bool),
        "missed_pung": (False, is_bool),
        "wall_layout": ("rows", one_of("rows", "stacked")),
    },
)
OWN_DRAW = ("wall", "kong", "deal")


class Hand:
    def __init__(self, record: Record, win: Win) -> None:
        assert record.indicator is not None
        self.record, self.win, self.options = record, win, record.options
        self.player = record.players[win.seat]
        self.golds = Golds(record.indicator)
        self.tiles = held(self.player, win)
        self.wilds = self.golds.count(self.tiles)

    def barred(self) -> bool:
        win = self.win
        return (
            win.seat in dead_seats(self.record)
            or not right_count(self.record, win, 16)
            or not all(map(self.golds.proper, self.player.melds))
            or win.source not in (*OWN_DRAW, "discard", "robbed_kong")
            or (win.source in ("discard", "robbed_kong") and win.tile == self.golds.gold)
            or (win.source == "robbed_kong" and win.robbed_kind == "concealed")
        )

    def common_levels(self) -> list[int]:
        """Levels that depend on how the hand was won only."""
        win = self.win
        levels = [1]
        if win.source in ("wall", "kong", "robbed_kong", "deal"):
            levels.append(2)
        if is_heavenly(self.record, win) or is_earthly(self.record, win):
            levels.append(4)
        if self.wilds == 3:
            levels.append(4)
        return levels

    def hard(self, reading: Reading) -> bool:
        gold = self.golds.gold
        if any(f != gold for g in reading for f, w in zip(g.faces, g.wild, strict=True) if w):
            return False
        return not (self.options["hard_without_white"] and self.uses_stand_in(reading))

    def uses_stand_in(self, reading: Reading) -> bool:
        """Is a white used as the indicator's tile? (Decision 4: not where whites alone form the pair, pung or kong.)"""
        if not self.golds.stands_in:
            return False
        if any(m.kind == "chow" and WHITE in m.tiles for m in self.player.melds):
            return True
        return any(self.mixes(group) for group in reading)

    def mixes(self, group: Group) -> bool:
        if not group.has(self.golds.gold, False):
            return False
        return group.kind == "run" or any(group.wild)

    def regular_levels(self) -> list[int]:
        if self.win.source in ("discard", "robbed_kong") and self.golds.five_sets_and_a_gold(self.player):
            return []
        levels = []
        for reading in self.golds.readings(self.tiles, 5 - len(self.player.melds)):
            level = max(self.common_levels())
            if self.hard(reading):
                level = max(level, 2)
            if len(self.player.melds) == 5:
                level = 4
            runs = any(g.kind == "run" for g in reading) or any(m.kind == "chow" for m in self.player.melds)
            if self.options["all_pungs_double"] and not runs:
                level = 4
            levels.append(level)
        return levels

    def eight_pairs_levels(self) -> list[int]:
        if self.player.melds or len(self.tiles) != 17 or odd_kinds(self.golds.faces(self.tiles)) > self.wilds + 1:
            return []
        hard = odd_kinds(map(self.golds.face, self.tiles)) == 1
        return [max([*self.common_levels(), 4 if hard else 2])]

    def best(self) -> int | None:
        if self.barred():
            return None
        levels: list[int] = []
        if len(self.tiles) + 3 * len(self.player.melds) == 17:
            levels += self.regular_levels() + self.eight_pairs_levels()
        if self.wilds == 3 and self.win.wild_win and self.win.source in OWN_DRAW:
            levels.append(2)
        return max(levels, default=None)


def figure(record: Record, winner: int, payer: int) -> int:
    if record.dealer not in (winner, payer):
        return 1
    return int(record.options["dealer_scale"][min(record.repeat, 3)])


def wild_money(record: Record, ledger: Ledger) -> None:
    for seat, player in enumerate(record.players):
        held_wilds = list(player.hand or ()).count(record.indicator or 0)
        for win in record.wins:
            if win.seat == seat and win.source in OWN_DRAW and win.tile == record.indicator:
                held_wilds += 1
        for other in range(4):
            if other != seat:
                ledger.pay(other, seat, held_wilds * record.options["wild_bonus"])


def settle(data: dict[str, Any]) -> dict[str, Any]:
    record = read_record(data, SPEC)
    ledger = Ledger(4)
    levels = [Hand(record, win).best() for win in record.wins]

    def precedence(index: int) -> tuple[bool, int]:
        win = record.wins[index]
        start = record.dealer if win.source_seat is None else win.source_seat
        return (levels[index] != 4, turn_distance(record, start, win.seat))

    legal = [i for i, level in enumerate(levels) if level is not None]
    chosen = min(legal, key=precedence, default=None)
    if chosen is not None:
        winner = record.wins[chosen].seat
        for seat in range(4):
            if seat != winner:
                ledger.pay(seat, winner, figure(record, winner, seat) * (levels[chosen] or 0))
    wild_money(record, ledger)
    for incident in record.incidents:
        if incident["kind"] == "false_win":
            ledger.false_win(incident)
    return {"legal": [i == chosen for i in range(len(record.wins))], "deltas": ledger.deltas}


# --- random records -----------------------------------------------------------------------------------------------


def random_record(rng: random.Random) -> dict[str, Any]:
    table = Table(rng, "wenzhou", COPIES_136)
    choices = {
        "dealer_scale": ["3579"],
        "wild_bonus": [0, 2, 3],
        "all_pungs_double": [True],
        "hard_without_white": [True],
        "missed_pung": [True],
        "wall_layout": ["stacked"],
    }
    options = random_options(rng, choices, rng.choice([0.0, 0.4]))
    if options:
        table.record["options"] = options
    gold = table.indicator([WHITE] if rng.random() < 0.1 else PLAYING)
    kind = rng.random()
    if kind < 0.06:
        dealt = table.complete(0, 5, (gold,))
        table.put(0, dealt.concealed[1:], dealt.melds)
        table.record["wins"] = []
    elif kind < 0.12:
        three_wilds(table, gold)
    else:
        ordinary(table, gold)
    table.fill(16, null=0.2)
    if rng.random() < 0.05:
        table.false_win(rng.randrange(4))
    if rng.random() < 0.04:
        return break_record(rng, table.record, "1q")
    return table.record


def three_wilds(table: Table, gold: int) -> None:
    rng = table.rng
    seat = rng.randrange(4)
    on_deal = rng.random() < 0.3
    size = 16 if on_deal and seat != table.dealer else 17
    count = min(table.deck.left[gold], 3 if rng.random() < 0.85 else 2)
    tiles = table.deck.take([gold] * count) + table.deck.draw(rng, size - count, [t for t in PLAYING if t != gold])
    hand, tile = (tiles, None) if on_deal else split_winning_tile(rng, tiles)
    table.put(seat, hand)
    shown = None if tile is None else write([tile])
    source = "deal" if on_deal else "wall"
    table.record["wins"] = [{"seat": seat, "tile": shown, "source": source, "wild_win": "three"}]


def eight_pairs(rng: random.Random, deck: Deck, gold: int) -> tuple[int, ...]:
    """Eight pairs and a tile, some tiles exchanged for wild ones."""
    tiles: list[int] = []
    while len(tiles) < 16:
        tile = rng.choice([t for t in PLAYING if t != gold])
        if deck.has([tile, tile]):
            tiles += deck.take([tile, tile])
    tiles += deck.draw(rng, 1)
    for _ in range(rng.choice([0, 1, 1, 2, 3])):
        if deck.has([gold]):
            index = rng.randrange(17)
            deck.give_back([tiles[index]])
            tiles[index] = deck.take([gold])[0]
    return tuple(sorted(tiles))


def ordinary(table: Table, gold: int) -> None:
    rng = table.rng
    seat = rng.randrange(4)
    shape = rng.random()
    floating = float_hand(table, seat, gold) if shape < 0.15 else None
    if floating is not None:
        dealt = floating
        hand, tile = dealt.concealed[:-1], dealt.concealed[-1]
    else:
        dealt = Dealt(eight_pairs(rng, table.deck, gold)) if shape < 0.4 else gold_hand(table, seat, gold)
        hand, tile = split_winning_tile(rng, dealt.concealed)
    source = rng.choice(["wall", "wall", "kong", "discard", "discard", "discard", "robbed_kong", "deal"])
    if source == "deal" and (dealt.melds or seat != table.dealer):
        source = "wall"
    win: dict[str, Any] = {"seat": seat, "tile": write([tile]), "source": source}
    if source == "deal":
        win["first_turn"] = True
    if source in ("discard", "robbed_kong"):
        win["from"] = table.other(seat)
        if source == "robbed_kong" and rng.random() < 0.15:
            win["robbed_kind"] = "concealed"
        if source == "discard" and seat != table.dealer and not dealt.melds and rng.random() < 0.2:
            win |= {"first_turn": True, "from": table.dealer}
    if rng.random() < 0.03:
        table.dead_hand(seat)
    if rng.random() < 0.03:
        hand = hand[1:]
    table.put(seat, hand, dealt.melds)
    table.record["wins"] = [win]
    if source == "discard" and rng.random() < 0.25:
        second_winner(table, win, gold)


def second_winner(table: Table, win: dict[str, Any], gold: int) -> None:
    rng = table.rng
    wanted = next(t for t in PLAYING if write([t]) == win["tile"])
    seat = table.other(win["seat"], win["from"])
    table.deck.give_back([wanted])
    dealt = Dealt(eight_pairs(rng, table.deck, gold)) if rng.random() < 0.4 else table.complete(seat, 5, (gold,))
    hand = list(dealt.concealed)
    if wanted in hand:
        hand.remove(wanted)
    elif not table.deck.has([wanted]):
        return
    else:
        table.deck.give_back([hand.pop(rng.randrange(len(hand)))])
        table.deck.take([wanted])
    table.put(seat, hand, dealt.melds)
    more = {k: v for k, v in win.items() if k in ("tile", "source", "from", "first_turn")}
    table.record["wins"].insert(rng.randrange(2), {"seat": seat} | more)
