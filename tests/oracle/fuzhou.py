"""Oracle for Fuzhou (sheet ``fuzhou``)."""

from __future__ import annotations

import random
from typing import Any

from referee.rules.tiles import BONUS, FLOWERS, HONOURS, SEASONS, SUITED, write
from tests.oracle._f2 import SELF_DRAWN, Golds, Table, break_record, held, is_earthly, is_heavenly, right_count
from tests.oracle.common import (
    COPIES_144,
    Ledger,
    Malformed,
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

SPEC = Spec(
    "fuzhou",
    4,
    COPIES_144,
    {
        "method": (1, one_of(1, 2)),
        "base": (1, at_least(1)),
        "tile_set": (144, one_of(144, 128)),
        "gold_dragon": (True, is_bool),
    },
)
NOT_IN_128 = {32, 33, *BONUS}  # green and white dragons, flowers, seasons
FOURS = (*((t,) * 4 for t in HONOURS), FLOWERS, SEASONS)


class Hand:
    def __init__(self, record: Record, win: Win) -> None:
        assert record.indicator is not None
        self.record, self.win, self.options = record, win, record.options
        self.player = record.players[win.seat]
        self.golds = Golds(record.indicator, whites_stand_in=False)
        self.tiles = held(self.player, win)
        self.gold_count = self.golds.count(self.tiles)
        self.kongs = [m for m in self.player.melds if m.is_kong]

    def flowers(self) -> int:
        bonus = list(self.player.bonus)
        fours = sum(all(bonus.count(t) >= four.count(t) for t in four) for four in FOURS)
        kongs = sum(1 if m.is_open else 2 for m in self.kongs)
        return len(bonus) + self.gold_count + kongs + 2 * fours

    def barred(self) -> bool:
        win = self.win
        if win.seat in dead_seats(self.record) or not right_count(self.record, win, 16):
            return True
        if not all(self.golds.proper(m) and m.tiles[0] < 27 for m in self.player.melds):
            return True
        if win.source in ("discard", "robbed_kong"):
            gold = self.golds.gold
            return (
                win.tile == gold
                or gold in (self.player.discards or ())
                or (win.source == "robbed_kong" and win.robbed_kind == "concealed")
            )
        return win.source == "deal" and win.seat != self.record.dealer and win.wild_win is None

    def readings(self) -> list[Reading | None]:
        """Complete readings, and None for three golds without a shape."""
        found: list[Reading | None] = []
        if len(self.tiles) + 3 * len(self.player.melds) == 17:
            found += [
                r
                for r in self.golds.readings(self.tiles, 5 - len(self.player.melds))
                if all(f < 27 for g in r for f in g.faces)
            ]
        if self.win.wild_win and self.gold_count >= 3 and self.win.source in (*SELF_DRAWN, "deal"):
            found.append(None)
        return found

    def patterns(self, reading: Reading | None) -> set[str]:
        win = self.win
        out: set[str] = set()
        if win.source == "indicator":
            out.add("qiang_jin")
        if self.gold_count >= 3 and win.source not in ("discard", "robbed_kong"):
            out.add("san_jin_dao")
        if reading is None:
            return out
        if is_heavenly(self.record, win):
            out.add("tian_hu")
        if is_earthly(self.record, win):
            out.add("di_hu")
        for group in reading:
            if all(group.wild) and group.kind == "pair":
                out.add("jin_que")
            if all(group.wild) and group.kind == "triplet" and self.options["gold_dragon"]:
                out.add("jin_long")
        return out

    def value(self, reading: Reading | None) -> tuple[int, int, set[str]]:
        """(multiplier, bonus added afterwards, patterns)."""
        found = self.patterns(reading)
        self_drawn = self.win.source != "discard"
        if self.options["method"] == 2:
            worth = {"san_jin_dao": 3, "jin_que": 4, "qiang_jin": 5, "jin_long": 6}
            return max([2 if self_drawn else 1, *(worth.get(p, 0) for p in found)]), 0, found
        worth = {"qiang_jin": 30, "tian_hu": 30, "di_hu": 30, "san_jin_dao": 40, "jin_que": 60, "jin_long": 120}
        if not self.kongs and len(self.player.bonus) + self.gold_count < 2:
            few = len(self.player.bonus) + self.gold_count
            worth |= {"hua": 15 if few else 30}
            found = found | {"hua"}
        return 2 if self_drawn else 1, max((worth[p] for p in found), default=0), found

    def payments(self, reading: Reading | None) -> list[int]:
        times, extra, _ = self.value(reading)
        record, out = self.record, [0] * 4
        for seat in range(4):
            if seat != self.win.seat:
                repeat = record.repeat if record.dealer in (seat, self.win.seat) else 0
                out[seat] = (self.options["base"] + repeat + self.flowers()) * times + extra
        return out

    def best(self) -> tuple[list[int], bool] | None:
        """What each seat pays, and whether the hand takes precedence as a gold pair."""
        if self.barred():
            return None
        ways = [(self.payments(r), "jin_que" in self.patterns(r)) for r in self.readings()]
        return max(ways, key=lambda way: (sum(way[0]), way[1]), default=None)


def precedence(record: Record, win: Win, gold_pair: bool) -> tuple[int, int]:
    if is_heavenly(record, win):
        return (0, 0)
    if win.source == "indicator":
        return (1, turn_distance(record, record.dealer, win.seat) or 4)
    start = record.dealer if win.source_seat is None else win.source_seat
    return (2 if gold_pair else 3, turn_distance(record, start, win.seat))


def settle(data: dict[str, Any]) -> dict[str, Any]:
    record = read_record(data, SPEC)
    if record.options["tile_set"] == 128:
        refuse_missing_tiles(record)
    ledger = Ledger(4)
    ways = [Hand(record, win).best() for win in record.wins]
    order = sorted((precedence(record, record.wins[i], way[1]), i) for i, way in enumerate(ways) if way is not None)
    chosen = order[0][1] if order else None
    if chosen is not None:
        for seat, amount in enumerate((ways[chosen] or ([], False))[0]):
            ledger.pay(seat, record.wins[chosen].seat, amount)
    for incident in record.incidents:
        if incident["kind"] == "false_win":
            ledger.false_win(incident)
    return {"legal": [i == chosen for i in range(len(record.wins))], "deltas": ledger.deltas}


def refuse_missing_tiles(record: Record) -> None:
    for player in record.players:
        tiles = [*(player.hand or ()), *player.bonus, *(player.discards or ())]
        tiles += [t for m in player.melds for t in m.tiles]
        if NOT_IN_128.intersection(tiles):
            raise Malformed("tile not in the set of 128")
    if any(win.tile in NOT_IN_128 for win in record.wins):
        raise Malformed("winning tile not in the set of 128")


# --- random records -----------------------------------------------------------------------------------------------


def random_record(rng: random.Random) -> dict[str, Any]:
    table = Table(rng, "fuzhou", COPIES_144)
    choices = {"method": [2, 2, 1], "base": [1, 3, 5], "tile_set": [128, 144], "gold_dragon": [False]}
    options = random_options(rng, choices, rng.choice([0.1, 0.5]))
    if options:
        table.record["options"] = options
    gold = table.indicator(SUITED)
    bonus_kinds = [t for t in (*HONOURS, *BONUS) if options.get("tile_set") != 128 or t not in NOT_IN_128]
    kind = rng.random()
    if kind < 0.05:
        dealt = table.complete(0, 5, kinds=SUITED)
        table.put(0, dealt.concealed[1:], dealt.melds, bonus=laid_out(table, bonus_kinds))
        table.record["wins"] = []
    elif kind < 0.12:
        three_golds(table, gold, bonus_kinds)
    else:
        ordinary(table, gold, bonus_kinds)
    table.copies = dict.fromkeys(SUITED, 4)
    table.fill(16, bonus=0.5, among=bonus_kinds)
    if rng.random() < 0.05:
        table.false_win(rng.randrange(4))
    if rng.random() < 0.04:
        return break_record(rng, table.record, "6x")
    if options.get("tile_set") == 128 and rng.random() < 0.1:
        table.record["players"][rng.randrange(4)]["bonus"] = rng.choice(["F", "1q", "E2f"])
    return table.record


def laid_out(table: Table, kinds: list[int]) -> tuple[int, ...]:
    rng = table.rng
    laid = table.deck.draw(rng, rng.choice([0, 0, 0, 1, 1, 2, 4, 6]), kinds)
    if rng.random() < 0.15:
        four = rng.choice([f for f in FOURS if set(f) <= set(kinds)])
        if table.deck.has(four):
            laid += table.deck.take(four)
    return laid


def three_golds(table: Table, gold: int, bonus_kinds: list[int]) -> None:
    rng = table.rng
    seat = rng.randrange(4)
    on_deal = rng.random() < 0.3
    size = 16 if on_deal and seat != table.dealer else 17
    count = 3 if rng.random() < 0.85 else 2
    tiles = table.deck.take([gold] * count) + table.deck.draw(rng, size - count, [t for t in SUITED if t != gold])
    hand, tile = (tiles, None) if on_deal else split_winning_tile(rng, tiles)
    table.put(seat, hand, bonus=laid_out(table, bonus_kinds))
    source = "deal" if on_deal else rng.choice(["wall", "wall", "flower"])
    shown = None if tile is None else write([tile])
    table.record["wins"] = [{"seat": seat, "tile": shown, "source": source, "wild_win": "three"}]


def golden_groups(table: Table, seat: int, gold: int) -> tuple[int, ...]:
    """A hand whose pair, or one of whose sets, is made of golds alone."""
    count = table.rng.choice([2, 2, 3])
    dealt = table.complete(seat, 5, kinds=[t for t in SUITED if t != gold], meld=0.0)
    concealed = list(dealt.concealed)
    same = [t for t in set(concealed) if concealed.count(t) >= count]
    if same and table.deck.has([gold] * count):
        old = table.rng.choice(sorted(same))
        for _ in range(count):
            concealed.remove(old)
            table.deck.give_back([old])
        concealed += table.deck.take([gold] * count)
    return tuple(sorted(concealed))


def ordinary(table: Table, gold: int, bonus_kinds: list[int]) -> None:
    rng = table.rng
    seat = rng.randrange(4)
    melds: tuple[Any, ...] = ()
    if rng.random() < 0.25:
        concealed = golden_groups(table, seat, gold)
    else:
        pool = list(SUITED) if rng.random() < 0.6 else list(SUITED[9 * rng.randrange(3) :][:9])
        dealt = table.complete(seat, 5, (gold,), kinds=[t for t in pool if t != gold])
        concealed, melds = dealt.concealed, dealt.melds
    hand, tile = split_winning_tile(rng, concealed)
    source = rng.choice(["wall", "wall", "kong", "flower", "discard", "discard", "discard", "robbed_kong", "deal"])
    if source == "deal" and (melds or seat != table.dealer):
        source = "indicator"
    win: dict[str, Any] = {"seat": seat, "tile": write([tile]), "source": source}
    extra: dict[str, Any] = {}
    if source == "deal":
        win["first_turn"] = True
    if source == "indicator":
        if gold in hand and not melds:
            rest = list(hand)
            rest.remove(gold)
            table.deck.give_back([gold])
            hand = (*rest, tile)
        else:
            table.deck.give_back([tile])
        win["tile"] = write([gold])
    if source in ("discard", "robbed_kong"):
        win["from"] = table.other(seat)
        if source == "robbed_kong" and rng.random() < 0.15:
            win["robbed_kind"] = "concealed"
        if source == "discard" and seat != table.dealer and not melds and rng.random() < 0.3:
            win |= {"first_turn": True, "from": table.dealer}
    if source in ("discard", "robbed_kong", "wall") and rng.random() < 0.2:
        laid = table.deck.draw(rng, 3, SUITED)
        extra["discards"] = write(laid)
        if rng.random() < 0.5 and table.deck.has([gold]):
            extra["discards"] += write(table.deck.take([gold]))
    if rng.random() < 0.03:
        table.dead_hand(seat)
    if rng.random() < 0.03:
        hand = hand[1:]
    table.put(seat, hand, melds, bonus=laid_out(table, bonus_kinds), **extra)
    table.record["wins"] = [win]
    if win["source"] in ("discard", "indicator") and rng.random() < 0.25:
        second_winner(table, win, gold, bonus_kinds)


def second_winner(table: Table, win: dict[str, Any], gold: int, bonus_kinds: list[int]) -> None:
    rng = table.rng
    claimed = next((t for t in SUITED if write([t]) == win["tile"]), None)
    if win["source"] == "discard" and claimed is None:
        return  # a tile out of the set, wrong on purpose: nobody else can claim it
    seat = table.other(win["seat"], win.get("from", win["seat"]))
    dealt = table.complete(seat, 5, kinds=[t for t in SUITED if t != gold], meld=0.0, wild_share=0.0)
    hand = list(dealt.concealed)
    if win["source"] == "indicator":
        table.deck.give_back([hand.pop(rng.randrange(17))])
    else:
        assert claimed is not None
        table.deck.give_back([claimed])
        if claimed in hand:
            hand.remove(claimed)
        else:
            table.deck.give_back([hand.pop(rng.randrange(17))])
            table.deck.take([claimed])
        same = [t for t in sorted(set(hand)) if hand.count(t) == 2]
        if same and table.deck.has([gold, gold]) and rng.random() < 0.5:
            hand = [t for t in hand if t != same[0]]
            table.deck.give_back([same[0]] * 2)
            hand += table.deck.take([gold, gold])
    table.put(seat, hand, bonus=laid_out(table, bonus_kinds))
    more = {k: v for k, v in win.items() if k in ("tile", "source", "from")}
    table.record["wins"].insert(rng.randrange(2), {"seat": seat} | more)
