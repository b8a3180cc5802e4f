"""Oracle for middle-five mahjong (sheet ``kawuxing``)."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from typing import Any

from referee.rules.tiles import DRAGONS, SUITED, write
from tests.oracle._f2 import Table, break_record
from tests.oracle.common import (
    Deck,
    Ledger,
    Malformed,
    Meld,
    Player,
    Reading,
    Record,
    Spec,
    Win,
    at_least,
    dead_seats,
    decompositions,
    is_bool,
    one_of,
    proper_meld,
    random_options,
    read_record,
    split_winning_tile,
    spoil,
    turn_distance,
)

COPIES = dict.fromkeys((*SUITED, *DRAGONS), 4)
SPEC = Spec(
    "kawuxing",
    3,
    COPIES,
    {
        "rate": (1, at_least(1)),
        "cap_fan": (3, lambda value: value is None or at_least(0)(value)),
        "shuanglong_16": (False, is_bool),
        "pinghu_discard": (False, is_bool),
        "reveal_all": (True, one_of(True, False)),
    },
    meld_kinds=("pung", "kong", "added_kong", "concealed_kong"),
)
BIG = {"qingyise", "xiaosanyuan", "shoubayi", "dasanyuan", "qidui", "longqidui", "shuanglongqidui"}


@dataclass(frozen=True)
class Hand:
    record: Record
    win: Win

    @property
    def player(self) -> Player:
        return self.record.players[self.win.seat]

    @property
    def tiles(self) -> tuple[int, ...]:
        return (self.player.hand or ()) + (() if self.win.tile is None else (self.win.tile,))

    @property
    def self_drawn(self) -> bool:
        return self.win.source in ("wall", "kong", "deal")

    def way_fan(self) -> dict[str, int]:
        """Patterns that depend on how the hand was won."""
        win, found = self.win, {}
        if win.source == "kong":
            found["gangshangkaihua"] = win.kong_chain
        if win.source == "discard" and win.after_kong:
            found["gangshangpao"] = 1
        if win.source == "robbed_kong":
            found["qianggang"] = 1
        if self.player.revealed is not False:
            found["liangdao"] = 1
        if self.self_drawn and win.last_tile:
            found["haidilao"] = 1
        every = {*self.tiles, *(t for m in self.player.melds for t in m.tiles)}
        if len({t // 9 for t in every}) == 1 and max(every) < 27:
            found["qingyise"] = 2
        return found

    def seven_pairs(self) -> dict[str, int] | None:
        counts = Counter(self.tiles)
        if len(self.tiles) != 14 or self.player.melds or any(n % 2 for n in counts.values()):
            return None
        fours = sum(n == 4 for n in counts.values())
        name = ("qidui", "longqidui", "shuanglongqidui")[min(fours, 2)]
        return self.way_fan() | {name: 2 + min(fours, 2)}

    def standard(self, reading: Reading) -> dict[str, int]:
        found, melds = self.way_fan(), self.player.melds
        if all(g.kind != "run" for g in reading):
            found["pengpenghu"] = 1
        if self.win.tile is not None and self.win.tile % 9 == 4 and self.win.tile < 27:
            middle = (self.win.tile - 1, self.win.tile, self.win.tile + 1)
            if any(g.kind == "run" and g.faces == middle for g in reading):
                found["kawuxing"] = 1
        dragons = {m.tiles[0] for m in melds} | {g.faces[0] for g in reading if g.kind == "triplet"}
        dragons &= set(DRAGONS)
        pair = next(g.faces[0] for g in reading if g.kind == "pair")
        if len(dragons) == 3:
            found["dasanyuan"] = 3
        elif len(dragons) == 2 and pair in DRAGONS:
            found["xiaosanyuan"] = 2
        if len(melds) == 4:
            found["shoubayi"] = 2
        big = bool(BIG & set(found))
        ponged = [m.tiles[0] for m in melds if m.kind == "pung"]
        counts = Counter(self.tiles)
        if ming := sum(t in self.tiles if big else t == self.win.tile for t in ponged):
            found["mingsiguiyi"] = ming
        if dark := sum(n == 4 and (big or t == self.win.tile) for t, n in counts.items()):
            found["ansiguiyi"] = 2 * dark
        return found

    def ways(self) -> list[dict[str, int]]:
        win, player = self.win, self.player
        if win.seat in dead_seats(self.record) or len(self.tiles) + 3 * len(player.melds) != 14:
            return []
        if not all(map(proper_meld, player.melds)):
            return []
        if win.source not in ("wall", "kong", "deal", "discard", "robbed_kong"):
            return []
        if win.source == "robbed_kong" and win.robbed_kind == "concealed":
            return []
        ways = [self.standard(r) for r in decompositions(self.tiles, 0, 4 - len(player.melds))]
        pairs = self.seven_pairs()
        if pairs is not None:
            ways.append(pairs)
        if not self.self_drawn and not self.record.options["pinghu_discard"]:
            ways = [w for w in ways if w]
        return ways

    def amount(self, way: dict[str, int]) -> int:
        fan, options = sum(way.values()), self.record.options
        if options["cap_fan"] is not None:
            fan = min(fan, options["cap_fan"])
        units: int = 2**fan
        if options["shuanglong_16"] and "shuanglongqidui" in way:
            units = max(units, 16)
        return units * int(options["rate"])

    def best(self) -> int | None:
        return max(map(self.amount, self.ways()), default=None)


def kong_money(record: Record, ledger: Ledger) -> None:
    for seat, player in enumerate(record.players):
        for meld in player.melds:
            factor = 2 ** (meld.chain - 1) * record.options["rate"]
            if meld.kind == "kong" and meld.source is not None:
                ledger.pay(meld.source, seat, 2 * factor)
            elif meld.kind in ("added_kong", "concealed_kong"):
                for other in range(3):
                    if other != seat:
                        ledger.pay(other, seat, (1 if meld.kind == "added_kong" else 2) * factor)


def first_to_open(record: Record) -> int | None:
    opened = [s for s, p in enumerate(record.players) if p.revealed is not False]

    def order(seat: int) -> tuple[bool, int]:
        mark = record.players[seat].revealed
        return (True, turn_distance(record, record.dealer, seat)) if mark is True else (False, int(mark))

    return min(opened, key=order, default=None)


def settle(data: dict[str, Any]) -> dict[str, Any]:
    record = read_record(data, SPEC)
    two_suits(record)
    ledger = Ledger(3)
    amounts = [Hand(record, win).best() for win in record.wins]
    for win, amount in zip(record.wins, amounts, strict=True):
        if amount is None:
            continue
        others = [s for s in range(3) if s != win.seat]
        if win.source in ("discard", "robbed_kong"):
            shares = 2 if record.players[win.seat].revealed is not False else 1
            others = [win.source_seat if win.source_seat is not None else -1] * shares
        for payer in others:
            ledger.pay(payer, win.seat, amount)
    kong_money(record, ledger)
    opener = first_to_open(record)
    if not record.wins and opener is not None:
        for seat in range(3):
            if seat != opener:
                ledger.pay(opener, seat, record.options["rate"])
    return {"legal": [a is not None for a in amounts], "deltas": ledger.deltas}


def two_suits(record: Record) -> None:
    tiles = [t for p in record.players for t in (*(p.hand or ()), *(p.discards or ()))]
    tiles += [t for p in record.players for m in p.melds for t in m.tiles] + [w.tile for w in record.wins if w.tile]
    if len({t // 9 for t in tiles if t < 27}) == 3:
        raise Malformed("three suits")


# --- random records -----------------------------------------------------------------------------------------------


def random_pairs(rng: random.Random, deck: Deck, kinds: list[int]) -> tuple[int, ...]:
    tiles: list[int] = []
    while len(tiles) < 14:
        tile = rng.choice(tiles) if tiles and rng.random() < 0.25 else rng.choice(kinds)
        if deck.has([tile, tile]):
            tiles += deck.take([tile, tile])
    return tuple(sorted(tiles))


def random_record(rng: random.Random) -> dict[str, Any]:
    left_out = rng.randrange(3)
    copies = {t: n for t, n in COPIES.items() if t >= 27 or t // 9 != left_out}
    table = Table(rng, "kawuxing", copies, 3)
    choices = {"rate": [2, 5], "cap_fan": [None, 4, 5], "shuanglong_16": [True], "pinghu_discard": [True]}
    options = random_options(rng, choices | {"reveal_all": [False]}, rng.choice([0.0, 0.3]))
    if options.get("shuanglong_16"):
        options.pop("cap_fan", None)  # the sheet does not say what the option means under another cap
    if options:
        table.record["options"] = options
    seat = rng.randrange(3)
    suit = rng.choice([s for s in range(3) if s != left_out])
    pool = rng.choice([list(copies), list(copies), list(range(9 * suit, 9 * suit + 9)), [9 * suit + 4, *DRAGONS, 3, 4]])
    pool = [t for t in pool if t in copies] or list(copies)
    if rng.random() < 0.25 and len(pool) > 6:
        concealed: tuple[int, ...] = random_pairs(rng, table.deck, pool)
        melds: tuple[Meld, ...] = ()
    else:
        meld = rng.choice([0.0, 0.4, 0.8, 1.0])
        triplets = 1.0 if meld == 1.0 and rng.random() < 0.7 else rng.choice([0.3, 0.5])
        dealt = table.complete(seat, 4, kinds=pool, meld=meld, kong=0.4, triplets=triplets, claim_runs=False)
        concealed, melds = dealt.concealed, chains(rng, dealt.melds)
        if rng.random() < 0.3 and (fourth := fourth_tiles(concealed, melds)):
            concealed = use_fourth(table, concealed, rng.choice(fourth))
    if rng.random() < 0.06:
        concealed = spoil(rng, table.deck, concealed)
    fives = [t for t in concealed if t < 27 and t % 9 == 4] if rng.random() < 0.5 else None
    hand, tile = split_winning_tile(rng, concealed, fives)
    declare(table, seat, hand, tile, melds)
    for other in range(3):
        if other != seat:
            opponent(table, other)
    table.record["players"] = table.players
    if rng.random() < 0.12:
        table.record["wins"] = []
        for player in table.record["players"]:
            if rng.random() < 0.4:
                player["revealed"] = rng.choice([True, 1, 2, 3])
        numbers = [p["revealed"] for p in table.record["players"] if isinstance(p.get("revealed"), int)]
        if len([n for n in numbers if n is not True]) != len({n for n in numbers if n is not True}):
            for player in table.record["players"]:
                player.pop("revealed", None)
    elif rng.random() < 0.04:
        table.dead_hand(seat)
    if rng.random() < 0.04:
        return break_record(rng, table.record, "E")
    if rng.random() < 0.02:
        table.record["players"][0]["melds"] = [{"kind": "chow", "tiles": "123s", "claimed": "1s", "from": 2}]
    return table.record


def declare(table: Table, seat: int, hand: tuple[int, ...], tile: int, melds: tuple[Meld, ...]) -> None:
    rng = table.rng
    source = rng.choice(["wall", "wall", "discard", "discard", "kong", "robbed_kong"])
    win: dict[str, Any] = {"seat": seat, "tile": write([tile]), "source": source}
    if source in ("discard", "robbed_kong"):
        win["from"] = table.other(seat)
    if source == "kong" and rng.random() < 0.4:
        win["kong_chain"] = rng.randrange(1, 4)
    if source == "discard" and rng.random() < 0.3:
        win["after_kong"] = True
    if source in ("wall", "discard") and rng.random() < 0.25:
        win["last_tile"] = True
    revealed = rng.choice([True, 1, 2]) if rng.random() < 0.3 else None
    table.put(seat, hand if rng.random() > 0.03 else hand[1:], melds, revealed=revealed)
    table.record["wins"] = [win]
    if source in ("discard", "robbed_kong") and rng.random() < 0.25:
        second_winner(table, win)


def second_winner(table: Table, win: dict[str, Any]) -> None:
    rng = table.rng
    seat = table.other(win["seat"], win["from"])
    wanted = next(t for t in COPIES if write([t]) == win["tile"])
    table.deck.give_back([wanted])
    dealt = table.complete(seat, 4, kinds=list(table.copies), meld=0.3, claim_runs=False)
    hand = list(dealt.concealed)
    if wanted in hand:
        hand.remove(wanted)
    elif table.deck.has([wanted]):
        table.deck.give_back([hand.pop(rng.randrange(len(hand)))])
        table.deck.take([wanted])
    else:
        return
    table.put(seat, hand, dealt.melds)
    more = {k: v for k, v in win.items() if k in ("tile", "source", "from", "after_kong")}
    table.record["wins"].append({"seat": seat} | more)


def chains(rng: random.Random, melds: tuple[Meld, ...]) -> tuple[Meld, ...]:
    out = []
    for meld in melds:
        chain = rng.choice([1, 1, 1, 2, 3]) if meld.is_kong else 1
        out.append(Meld(meld.kind, meld.tiles, meld.claimed, meld.source, chain))
    return tuple(out)


def fourth_tiles(concealed: tuple[int, ...], melds: tuple[Meld, ...]) -> list[int]:
    """Tiles three of which are in a pung, melded or not, and which could be used in a run beside it."""
    tripled = [m.tiles[0] for m in melds if m.kind == "pung"] + [t for t in set(concealed) if concealed.count(t) == 3]
    return sorted(t for t in tripled if t < 27)


def use_fourth(table: Table, concealed: tuple[int, ...], tile: int) -> tuple[int, ...]:
    """Exchange a run for one with that tile in it, where the tiles are there."""
    runs = [(t, t + 1, t + 2) for t in concealed if t < 27 and t % 9 < 7 and {t + 1, t + 2} <= set(concealed)]
    start = table.rng.choice([s for s in (tile - 2, tile - 1, tile) if s // 9 == tile // 9 and 0 <= s % 9 < 7])
    new = (start, start + 1, start + 2)
    if not runs or not table.deck.has(new):
        return concealed
    rest = list(concealed)
    for old in (gone := table.rng.choice(runs)):
        rest.remove(old)
    table.deck.give_back(gone)
    return tuple(sorted(rest + list(table.deck.take(new))))


def opponent(table: Table, seat: int) -> None:
    if table.players[seat] is not None:
        return
    rng = table.rng
    dealt = table.complete(seat, 4, kinds=list(table.copies), meld=0.4, kong=0.5, claim_runs=False)
    table.deck.give_back(dealt.concealed)
    table.put(seat, None, chains(rng, dealt.melds), revealed=True if rng.random() < 0.1 else None)
