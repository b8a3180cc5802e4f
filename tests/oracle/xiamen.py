"""Oracle for Xiamen (sheet ``xiamen``), and what Quanzhou shares with it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

from referee.rules.tiles import BONUS, FLOWERS, HONOURS, PLAYING, SEASONS, WHITE, parse, write
from tests.oracle._f2 import (
    SELF_DRAWN,
    Golds,
    Table,
    break_record,
    held,
    is_earthly,
    is_heavenly,
    placements,
    right_count,
)
from tests.oracle.common import (
    COPIES_144,
    Dealt,
    Group,
    Ledger,
    Meld,
    Player,
    Reading,
    Record,
    Spec,
    Win,
    at_least,
    dead_seats,
    is_bool,
    one_of,
    random_options,
    read_record,
    split_winning_tile,
    turn_distance,
)

SHARED_OPTIONS: dict[str, tuple[Any, Callable[[Any], bool]]] = {
    "base_factor": (1, at_least(1)),
    "gold_no_discard_win": (False, is_bool),
    "missed_win": (False, is_bool),
    "required_float": (False, is_bool),
    "false_float_forfeit": (False, is_bool),
    "float_round_discard_win": (False, is_bool),
    "gold_choice": ("dice", one_of("dice", "tail")),
}
SPEC = Spec("xiamen", 4, COPIES_144, SHARED_OPTIONS | {"earthly_win": (True, is_bool)})


class Hand:
    """One declared win under Xiamen's rules: ``ways()`` lists (multiplier, water) of all it may be scored as."""

    # "Scoring" of the sheet: multipliers
    FLOAT, DOUBLE, TRIPLE, THREE_DEALT, THREE_LAST, DEALT, ROB_GOLD, EARTHLY = 4, 8, 12, 4, 3, 4, 4, 4
    GROUP_BONUS = 4  # four seasons or flowers: 8 instead of 4
    ADDED_KONG = (2, 3)

    def __init__(self, record: Record, win: Win) -> None:
        assert record.indicator is not None
        self.record, self.win = record, win
        self.player: Player = record.players[win.seat]
        self.golds = Golds(record.indicator)
        self.tiles = held(self.player, win)
        self.sets = 5 - len(self.player.melds)
        self.open_win = win.source == "discard"
        self.gold_count = self.golds.count(self.tiles)
        self.options = record.options

    # water -------------------------------------------------------------------------------------------------------

    def bonus_water(self) -> int:
        bonus = set(self.player.bonus)
        groups = sum(bonus.issuperset(four) for four in (FLOWERS, SEASONS))
        return len(self.player.bonus) + self.GROUP_BONUS * groups + self.gold_count

    def meld_water(self, meld: Meld) -> int:
        honour = self.golds.face(meld.tiles[0]) in HONOURS
        suit_honour = {
            "chow": (0, 0),
            "pung": (0, 1),
            "kong": (2, 3),
            "added_kong": self.ADDED_KONG,
            "concealed_kong": (3, 4),
        }[meld.kind]
        if meld.kind == "pung" and self.options.get("open_pung_as_closed"):
            suit_honour = (1, 2)
        return suit_honour[honour]

    def triplet_water(self, group: Group, is_open: bool) -> int:
        if group.kind != "triplet":
            return 0
        if self.options.get("open_pung_as_closed"):
            is_open = False
        return ((0, 1) if is_open else (1, 2))[group.faces[0] in HONOURS]

    def fixed_water(self) -> int:
        return self.bonus_water() + sum(map(self.meld_water, self.player.melds))

    def reading_water(self, reading: Reading) -> int:
        """The best water of a reading: a winning discard makes open the set it is put into."""
        closed = sum(self.triplet_water(g, False) for g in reading)
        if not self.open_win:
            return self.fixed_water() + closed
        assert self.win.tile is not None
        holders = placements(reading, self.golds.face(self.win.tile), False)
        return self.fixed_water() + max(
            closed - self.triplet_water(g, False) + self.triplet_water(g, True) for g in holders
        )

    def shapeless_water(self) -> int:
        """Decision 5: bonus tiles, golds, declared sets and natural concealed triplets."""
        faces = Counter(self.golds.faces(self.tiles))
        triplets = sum((1, 2)[t in HONOURS] for t, n in faces.items() if n >= 3)
        return self.fixed_water() + triplets

    # legality ----------------------------------------------------------------------------------------------------

    def barred(self) -> bool:
        win, record, options = self.win, self.record, self.options
        if win.seat in dead_seats(record) or not all(map(self.golds.proper, self.player.melds)):
            return True
        if win.source in ("discard", "robbed_kong"):
            if win.tile == self.golds.gold or self.golds.five_sets_and_a_gold(self.player):
                return True
            if win.source == "robbed_kong" and win.robbed_kind == "concealed":
                return True
        if win.source == "discard":
            if options["gold_no_discard_win"] and self.gold_count:
                return True
            if record.float_by is not None and not (options["float_round_discard_win"] and win.seat != record.float_by):
                return True
        if options["false_float_forfeit"]:
            if self.golds.count(self.player.discards or ()) > win.floats:
                return True
            if win.floats and not (win.source in SELF_DRAWN and self.golds.five_sets_and_a_gold(self.player)):
                return True
        return False

    def multiplier(self) -> int | None:
        """Of a complete hand that is no gold float; None where the way of winning is not recognised."""
        win = self.win
        if win.source == "discard":
            return self.EARTHLY if is_earthly(self.record, win) and self.options["earthly_win"] else 1
        if win.source == "deal":
            return self.DEALT if win.seat == self.record.dealer else None
        if win.source == "indicator":
            return self.ROB_GOLD
        return 2

    def complete_ways(self) -> list[tuple[int, int]]:
        drawn = self.win.source in SELF_DRAWN and self.win.tile not in BONUS  # a bonus tile ends no hand
        if drawn and (floats := self.golds.five_sets_and_a_gold(self.player)):
            times = (self.FLOAT, self.DOUBLE, self.TRIPLE)[min(self.win.floats, 2)]
            return [(times, self.reading_water(sets)) for sets in floats]
        times_or_none = self.multiplier()
        if times_or_none is None:
            return []
        return [(times_or_none, self.reading_water(r)) for r in self.golds.readings(self.tiles, self.sets)]

    def shapeless_ways(self) -> list[tuple[int, int]]:
        if self.gold_count != 3 or self.win.source in ("discard", "robbed_kong", "indicator"):
            return []
        times = {"three_dealt": self.THREE_DEALT, "three_last": self.THREE_LAST}.get(self.win.wild_win or "")
        return [(times, self.shapeless_water())] if times else []

    def count_ok(self) -> bool:
        return right_count(self.record, self.win, 16)

    def ways(self) -> list[tuple[int, int]]:
        if self.barred() or not self.count_ok():
            return []
        ways = self.complete_ways() + self.shapeless_ways()
        if self.options["required_float"] and self.gold_count >= 3:
            ways = [(times, water) for times, water in ways if times >= 3]
        return ways

    # payments ----------------------------------------------------------------------------------------------------

    def dealer_base(self) -> int:
        return 2 * 2**self.record.repeat

    def payments(self, times: int, water: int) -> list[int]:
        """What each seat pays."""
        dealer, factor = self.record.dealer, self.options["base_factor"]
        big, small = factor * self.dealer_base(), factor
        return [
            0 if seat == self.win.seat else ((big if dealer in (seat, self.win.seat) else small) + water) * times
            for seat in range(4)
        ]

    def best(self) -> list[int] | None:
        return max((self.payments(*way) for way in self.ways()), key=sum, default=None)


def precedence(record: Record, win: Win) -> tuple[int, int]:
    """Heavenly win, three golds, robbing the gold (dealer last), then the nearest after the discarder."""
    if is_heavenly(record, win) and win.wild_win is None:
        return (0, 0)
    if win.wild_win == "three_dealt":
        return (1, 0)
    if win.source == "indicator":
        return (2, turn_distance(record, record.dealer, win.seat) or 4)
    start = record.dealer if win.source_seat is None else win.source_seat
    return (3, turn_distance(record, start, win.seat))


def settle_with(record: Record, hand: type[Hand]) -> dict[str, Any]:
    ledger = Ledger(4)
    payments = [hand(record, win).best() for win in record.wins]
    order = sorted((precedence(record, w), i) for i, w in enumerate(record.wins) if payments[i] is not None)
    chosen = order[0][1] if order else None
    if chosen is not None:
        for seat, amount in enumerate(payments[chosen] or ()):
            ledger.pay(seat, record.wins[chosen].seat, amount)
    for incident in record.incidents:
        if incident["kind"] == "false_win":
            ledger.false_win(incident)
    return {"legal": [i == chosen for i in range(len(record.wins))], "deltas": ledger.deltas}


def settle(data: dict[str, Any]) -> dict[str, Any]:
    return settle_with(read_record(data, SPEC), Hand)


# --- random records -----------------------------------------------------------------------------------------------


def gold_hand(table: Table, seat: int, gold: int) -> Dealt:
    """A complete hand with golds, and with whites standing for the indicator's face where that fits."""
    kinds = [t for t in PLAYING if t not in (gold, WHITE)]
    dealt = table.complete(seat, 5, (gold,), **({} if table.rng.random() < 0.7 else {"kinds": kinds}))
    if gold == WHITE or table.rng.random() < 0.5:
        return dealt
    # a run or pung of the indicator's face, shown by whites: exchange one concealed run for it if tiles allow
    concealed = list(dealt.concealed)
    runs = [(t, t + 1, t + 2) for t in concealed if t < 27 and t % 9 < 7 and {t + 1, t + 2} <= set(concealed)]
    if not runs or gold in dealt.concealed and table.rng.random() < 0.5:
        return dealt
    old = table.rng.choice(runs)
    new: tuple[int, ...] = (WHITE, WHITE, WHITE)
    if gold < 27 and table.rng.random() < 0.8:
        start = table.rng.choice([s for s in (gold - 2, gold - 1, gold) if s // 9 == gold // 9 and 0 <= s % 9 < 7])
        new = tuple(WHITE if t == gold else t for t in (start, start + 1, start + 2))
    for tile in old:
        concealed.remove(tile)
    table.deck.give_back(old)
    if not table.deck.has(new):
        table.deck.take(old)
        return dealt
    return Dealt(tuple(sorted(concealed + list(table.deck.take(new)))), dealt.melds)


def float_hand(table: Table, seat: int, gold: int) -> Dealt | None:
    """Five sets, a gold, and any tile as the last one (marked by standing last)."""
    if not table.deck.has([gold]):
        return None
    dealt = table.complete(seat, 5, (gold,), wild_share=table.rng.choice([0.0, 0.2]))
    pair = next((t for t in dealt.concealed if dealt.concealed.count(t) >= 2 and t != gold), None)
    if pair is None or not table.deck.has([gold]):
        return None
    rest = list(dealt.concealed)
    rest.remove(pair)
    rest.remove(pair)
    table.deck.give_back([pair, pair])
    table.deck.take([gold])
    (drawn,) = table.deck.draw(table.rng, 1, PLAYING)
    return Dealt((*sorted([*rest, gold]), drawn), dealt.melds)


def base_record(rng: random.Random, rules: str, options: dict[str, Any]) -> tuple[dict[str, Any], Table]:
    table = Table(rng, rules, COPIES_144)
    if options:
        table.record["options"] = options
    gold = table.indicator(PLAYING)
    kind = rng.random()
    if kind < 0.06:
        drawn(table)
    elif kind < 0.13:
        three_golds(table, gold)
    else:
        ordinary(table, gold)
    table.fill(16, bonus=0.5, among=BONUS)
    if rng.random() < 0.05:
        table.false_win(rng.randrange(4))
    if rng.random() < 0.04:
        return break_record(rng, table.record, "6x"), table
    return table.record, table


def drawn(table: Table) -> None:
    seat = table.rng.randrange(4)
    dealt = table.complete(seat, 5)
    table.put(seat, dealt.concealed[1:], dealt.melds, bonus=table.deck.draw(table.rng, 3, BONUS))
    table.record |= {"wins": [], "wall_left": 16}


def three_golds(table: Table, gold: int) -> None:
    """Three golds and anything, or golds in a complete hand, after the deal, at the end, or in mid-hand."""
    rng = table.rng
    seat = rng.randrange(4)
    golds = table.deck.take([gold] * min(3, table.deck.left[gold]))
    when = rng.choice(["three_dealt", "three_dealt", "three_last", "three_last", "three"])
    size = 16 if when == "three_dealt" and seat != table.dealer else 17
    triplets: tuple[int, ...] = ()
    for tile in rng.sample([t for t in PLAYING if table.deck.left[t] >= 3], 2):
        if rng.random() < 0.5:
            triplets += table.deck.take([tile] * 3)
    rest = table.deck.draw(rng, size - 3 - len(triplets), PLAYING)
    tiles = golds + triplets + rest
    win: dict[str, Any] = {"seat": seat, "wild_win": when, "source": "deal" if when == "three_dealt" else "wall"}
    if when == "three_dealt":
        table.put(seat, tiles, bonus=table.deck.draw(rng, rng.randrange(3), BONUS))
        table.record["wins"] = [win | {"tile": None}]
    else:
        table.put(seat, tiles[:-1], bonus=table.deck.draw(rng, rng.randrange(6), BONUS))
        win |= {"tile": write(tiles[-1:])}
        table.record["wins"] = [win | {"last_tile": True} if when == "three_last" else win]


def ordinary(table: Table, gold: int) -> None:
    rng = table.rng
    seat = rng.randrange(4)
    dealt = float_hand(table, seat, gold) if rng.random() < 0.25 else None
    if dealt is not None:
        hand, tile = dealt.concealed[:-1], dealt.concealed[-1]
        source = rng.choice(["wall", "wall", "wall", "kong", "flower", "discard", "robbed_kong"])
    else:
        dealt = gold_hand(table, seat, gold)
        hand, tile = split_winning_tile(rng, dealt.concealed)
        source = rng.choice(["wall", "wall", "kong", "flower", "discard", "discard", "discard", "robbed_kong", "deal"])
    win: dict[str, Any] = {"seat": seat, "tile": write([tile]), "source": source}
    extra: dict[str, Any] = {}
    if source == "deal" and not dealt.melds and seat == table.dealer:
        win["first_turn"] = True
    elif source == "deal":
        win["source"] = source = "wall"
    if source in ("discard", "robbed_kong"):
        win["from"] = table.other(seat)
        if source == "robbed_kong" and rng.random() < 0.15:
            win["robbed_kind"] = "concealed"
        if source == "discard" and seat != table.dealer and not dealt.melds and rng.random() < 0.3:
            win |= {"first_turn": True, "from": table.dealer}
        elif source == "discard" and rng.random() < 0.15:
            table.record["float_by"] = rng.choice([s for s in range(4) if s != win["from"]])
    if source in ("wall", "kong", "flower") and rng.random() < 0.4:
        floats = min(rng.choice([1, 1, 2]), table.deck.left[gold])
        if floats:
            extra["discards"] = write(
                table.deck.draw(rng, 2, [t for t in HONOURS if t != gold]) + table.deck.take([gold] * floats)
            )
            win["floats"] = floats if rng.random() < 0.8 else 0
    if gold in hand and tile != gold and not dealt.melds and source == "wall" and rng.random() < 0.3:
        # robbing the gold: the indicator is the wild tile that completes the hand
        win = {"seat": seat, "tile": write([gold]), "source": "indicator"}
        rest = list(hand)
        rest.remove(gold)
        table.deck.give_back([gold])
        hand, extra = (*rest, tile), {}
    if rng.random() < 0.03:
        table.dead_hand(seat)
    if rng.random() < 0.03:
        hand = hand[1:]
    extra["bonus"] = table.deck.draw(rng, rng.choice([0, 0, 1, 2, 4, 7]), BONUS)
    table.put(seat, hand, dealt.melds, **extra)
    table.record["wins"] = [win]
    if win["source"] in ("discard", "indicator") and rng.random() < 0.2:
        second_winner(table, win, gold)


def second_winner(table: Table, win: dict[str, Any], gold: int) -> None:
    """Another hand that waits for the same tile."""
    rng = table.rng
    tile = parse(win["tile"])[0]
    seat = table.other(win["seat"], win.get("from", win["seat"]))
    if win["source"] == "indicator":
        dealt = table.complete(seat, 5, (), meld=0.0)
        hand = list(dealt.concealed)
        table.deck.give_back([hand.pop(rng.randrange(17))])
    else:
        table.deck.give_back([tile])
        dealt = table.complete(seat, 5, (gold,))
        hand = list(dealt.concealed)
        if tile in hand:
            hand.remove(tile)
        elif not table.deck.has([tile]):
            return
        else:
            table.deck.give_back([hand.pop(rng.randrange(len(hand)))])
            table.deck.take([tile])
    table.put(seat, hand, dealt.melds)
    more = {k: v for k, v in win.items() if k in ("tile", "source", "from")}
    table.record["wins"].insert(rng.randrange(2), {"seat": seat} | more)


def random_record(rng: random.Random) -> dict[str, Any]:
    choices = {
        "base_factor": [1, 2, 5, 8],
        **dict.fromkeys(["gold_no_discard_win", "required_float", "false_float_forfeit"], [True, True, False]),
        **dict.fromkeys(["float_round_discard_win", "missed_win"], [True, False]),
        "earthly_win": [False, True],
        "gold_choice": ["tail", "dice"],
    }
    return base_record(rng, "xiamen", random_options(rng, choices, rng.choice([0.0, 0.2, 0.5])))[0]
