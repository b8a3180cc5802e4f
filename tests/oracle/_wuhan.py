"""Oracle for the games with single-tile kongs: sheets ``wuhan``, ``wuhan_hongzhong`` and ``jingzhou``.

The three sheets are told one by another; ``Family`` holds what differs. Restrictions are numbered as in the sheets.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from referee.rules.tiles import GREEN, HONOURS, RED, SUITED, parse_one, write
from tests.oracle._f2 import Table, break_record
from tests.oracle.common import (
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
    one_of,
    proper_meld,
    read_record,
    split_winning_tile,
    turn_distance,
)

TWO_FIVE_EIGHT = frozenset(t for t in SUITED if t % 9 in (1, 4, 7))
NEED_SHAPE_AND_258 = ("gangshangkai", "haidilao", "qianggang", "quanqiuren")
ONE_COLOUR = ("fengyise", "jiangyise", "qingyise")


def is_caps(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 4 and all(map(at_least(0), value))


COMMON_OPTIONS: dict[str, tuple[Any, Callable[[Any], bool]]] = {
    "minimum": (None, at_least(0)),
    "caps": (None, is_caps),
    "rate": ("points", one_of("points", "yifen", "wuli")),
}


@dataclass(frozen=True)
class Family:
    """What one of the three sheets has of its own."""

    spec: Spec
    ring: tuple[int, ...]  # honours in the order in which they follow one another
    self_draw: Fraction  # what a self-draw makes of a big win's pattern
    dealt_in: Fraction  # what dealing in makes of a big win's payment
    floor_for_all: bool = True  # the floor holds for each loser, or for one at least
    last_tile: bool = True

    def kong_kinds(self, record: Record) -> frozenset[int]:
        """The kong-only kinds."""
        style = record.options.get("kong_tiles", "hongzhong")
        assert record.indicator is not None
        if style == "pizi":
            return frozenset({record.indicator, self.neighbour(record.indicator, -1)})
        return frozenset({RED, GREEN} if style == "hongzhong_facai" else {RED})

    def neighbour(self, tile: int, step: int) -> int:
        if tile < 27:
            return tile // 9 * 9 + (tile % 9 + step) % 9
        return self.ring[(self.ring.index(tile) + step) % len(self.ring)]

    def wild(self, record: Record) -> int:
        assert record.indicator is not None
        passed = set() if record.options.get("kong_tiles") == "pizi" else self.kong_kinds(record)
        tile = self.neighbour(record.indicator, 1)
        while tile in passed:
            tile = self.neighbour(tile, 1)
        return tile

    def minimum(self, options: dict[str, Any]) -> int:
        if options["minimum"] is not None:
            return int(options["minimum"])
        if options.get("opening_fan") == "each":
            return 32
        return 8 if options.get("kong_tiles", "hongzhong") == "hongzhong" else 16

    def caps(self, options: dict[str, Any]) -> Sequence[int]:
        if options["caps"] is not None:
            return tuple(options["caps"])
        if options.get("opening_fan") == "each":
            return (600, 800, 1000, 1200)
        if options.get("kong_tiles", "hongzhong") == "hongzhong":
            return (300, 400, 500, 600)
        return (400, 500, 600, 800)


# --- one win ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Way:
    """One legal reading of a hand: its patterns (empty: a small win), whether it is hard, and what each seat pays."""

    patterns: frozenset[str]
    hard: bool
    raw: tuple[Fraction, ...]
    paid: tuple[int, ...]


def openings(player: Player) -> list[Meld]:
    return [m for m in player.melds if m.is_open]


class Hand:
    def __init__(self, family: Family, record: Record, win: Win) -> None:
        self.family, self.record, self.win, self.options = family, record, win, record.options
        self.player = record.players[win.seat]
        self.kong_only = family.kong_kinds(record)
        self.wild = family.wild(record)
        self.kinds = [t for t in family.spec.copies if t not in self.kong_only]
        self.tiles = (self.player.hand or ()) + (() if win.tile is None else (win.tile,))
        self.naturals = [t for t in self.tiles if t != self.wild]
        self.wilds = len(self.tiles) - len(self.naturals)
        self.sets = 4 - len(self.player.melds)
        self.self_drawn = win.source in ("wall", "kong", "deal")

    # fan ---------------------------------------------------------------------------------------------------------

    def own_fan(self, seat: int) -> int:
        """What counts for winner and loser alike: openings and kongs of every sort."""
        player = self.record.players[seat]
        opened = len(openings(player))
        fan = opened if self.options.get("opening_fan") == "each" else min(opened, 1)
        fan += sum({"kong": 1, "added_kong": 1, "concealed_kong": 2}.get(m.kind, 0) for m in player.melds)
        return fan + sum(2 if t == self.wild else 1 for t in player.bonus)

    def raw_payment(self, payer: int, patterns: frozenset[str], hard: bool) -> Fraction:
        fan = self.own_fan(self.win.seat) + self.own_fan(payer) + hard
        dealt_in = self.win.source == "discard" and payer == self.win.source_seat
        if not patterns:
            fan += self.self_drawn + (self.record.dealer in (payer, self.win.seat)) + dealt_in
            return Fraction(2**fan)
        return self.big_base(patterns, dealt_in) * 2**fan

    def big_base(self, patterns: frozenset[str], dealt_in: bool) -> Fraction:
        undrawn = patterns & {"gangshangkai", "haidilao"}
        if self.options.get("dahu_sum") == "double":
            total = Fraction(10 * 2 ** (len(patterns) - 1))
            if self.self_drawn and not undrawn:
                total *= self.family.self_draw
            return total * self.family.dealt_in if dealt_in else total
        total = Fraction(0)
        for pattern in patterns:
            factor = Fraction(1)
            if self.self_drawn and pattern not in undrawn:
                factor = self.family.self_draw
            if dealt_in:
                factor = self.family.dealt_in
            total += self.pattern_worth(pattern, factor)
        return total

    def pattern_worth(self, pattern: str, factor: Fraction) -> Fraction:
        if pattern not in ONE_COLOUR or self.options.get("one_suit_base", 10) == 10:
            return 10 * factor
        if factor == 1:
            return Fraction(15)
        return Fraction(20) if factor == Fraction(3, 2) else 15 * factor

    # conditions --------------------------------------------------------------------------------------------------

    def complete(self) -> list[tuple[frozenset[str], bool]]:
        """(patterns, hard) of every reading that meets conditions 1 to 5."""
        tiles = set(self.tiles)
        if tiles & self.kong_only or not openings(self.player):
            return []
        if len(self.tiles) + 3 * len(self.player.melds) != 14:
            return []
        if not all(proper_meld(m, barred={self.wild, *self.kong_only}) for m in self.player.melds):
            return []
        found: set[tuple[frozenset[str], bool]] = set()
        for reading in decompositions(self.naturals, self.wilds, self.sets, faces=self.kinds):
            patterns, pair_258 = self.standard(reading)
            freed = patterns & {"pengpenghu", *ONE_COLOUR}
            if not pair_258 and not freed:
                continue
            if not patterns and self.wilds > 1:
                continue
            hard = all(f == self.wild for g in reading for f, w in zip(g.faces, g.wild, strict=True) if w)
            found.add((patterns, hard))
        for name, colour in (("fengyise", self.honours()), ("jiangyise", TWO_FIVE_EIGHT)):
            if self.all_in(colour, self.naturals):
                found.add((frozenset({name}), self.wilds == 0 or self.wild in colour))
        return sorted(found, key=lambda way: (sorted(way[0]), way[1]))

    def honours(self) -> frozenset[int]:
        return frozenset(HONOURS) - self.kong_only

    def all_in(self, colour: Iterable[int], faces: Iterable[int]) -> bool:
        return set(colour).issuperset({*faces, *(t for m in self.player.melds for t in m.tiles)})

    def standard(self, reading: Reading) -> tuple[frozenset[str], bool]:
        """Patterns of four sets and a pair, and whether the pair is a 2, 5 or 8."""
        win, faces = self.win, [f for g in reading for f in g.faces]
        (pair,) = [g for g in reading if g.kind == "pair"]
        pair_258 = pair.faces[0] in TWO_FIVE_EIGHT and (not all(pair.wild) or self.wild in TWO_FIVE_EIGHT)
        found = set()
        if all(g.kind != "run" for g in reading) and all(m.is_triplet for m in self.player.melds):
            found.add("pengpenghu")
        if self.all_in(self.honours(), faces):
            found.add("fengyise")
        if self.all_in(TWO_FIVE_EIGHT, faces):
            found.add("jiangyise")
        if any(self.all_in(range(9 * s, 9 * s + 9), faces) for s in range(3)):
            found.add("qingyise")
        if pair_258:
            if win.source == "kong":
                found.add("gangshangkai")
            if self.family.last_tile and win.last_tile and self.self_drawn:
                found.add("haidilao")
            if win.source == "robbed_kong":
                found.add("qianggang")
            if win.source == "discard" and len(openings(self.player)) == 4 and len(self.player.hand or ()) == 1:
                found.add("quanqiuren")
        return frozenset(found), pair_258

    def any_tile_wait(self) -> bool:
        """Condition 7: every kind but the kong-only ones completes the hand as a plain self-draw."""
        return all(self.with_tile(t, "wall").complete() for t in self.kinds)

    def with_tile(self, tile: int, source: str, giver: int | None = None) -> Hand:
        return Hand(self.family, self.record, Win(self.win.seat, tile, source, giver))

    def barred(self) -> bool:
        win = self.win
        if win.seat in dead_seats(self.record):
            return True
        if win.source not in ("discard", "robbed_kong"):
            return False
        if win.tile == self.wild or (win.source == "robbed_kong" and win.robbed_kind == "concealed"):
            return True
        if win.source == "robbed_kong" and self.options["any_wait_rob"]:
            return False
        return self.any_tile_wait()

    # payment -----------------------------------------------------------------------------------------------------

    def ways(self) -> list[Way]:
        """Legal readings, the best first."""
        complete = self.complete()
        if not complete or self.barred():
            return []
        ways = [self.way(patterns, hard) for patterns, hard in complete]
        return sorted((w for w in ways if self.reaches_floor(w.raw)), key=lambda w: (-sum(w.paid), -sum(w.raw), -len(w.patterns)))

    def way(self, patterns: frozenset[str], hard: bool) -> Way:
        losers = [s for s in range(self.record.seats) if s != self.win.seat]
        raw = [Fraction(0)] * self.record.seats
        for seat in losers:
            raw[seat] = self.raw_payment(seat, patterns, hard)
        cap, golden, sunlight, top = self.family.caps(self.options)
        closed = [s for s in losers if not openings(self.record.players[s])]
        amounts = [min(amount, Fraction(cap)) for amount in raw]
        always = any(p in patterns and self.options.get(f"{p}_jinding") for p in ("fengyise", "jiangyise"))
        if always or all(raw[s] >= cap for s in losers):
            for seat in losers:
                amounts[seat] = Fraction(golden if seat not in closed else sunlight)
                if len(closed) == len(losers):
                    amounts[seat] = Fraction(top)
        divisor = {"points": 1, "yifen": 10, "wuli": 20}[self.options["rate"]]
        # round() of a Fraction goes to the even number at a half
        paid = [round(a / divisor) if divisor > 1 else whole(a) for a in amounts]
        return Way(patterns, hard, tuple(raw), tuple(paid))

    def reaches_floor(self, raw: Sequence[Fraction]) -> bool:
        enough = [raw[s] >= self.family.minimum(self.options) for s in range(self.record.seats) if s != self.win.seat]
        return all(enough) if self.family.floor_for_all else any(enough)

    # liability ---------------------------------------------------------------------------------------------------

    def liable(self, way: Way) -> int | None:
        win = self.win
        if win.source == "robbed_kong":
            return win.source_seat
        if "quanqiuren" in way.patterns and win.source_seat is not None and self.unready(win.source_seat):
            return win.source_seat
        colours = set(ONE_COLOUR) if self.options.get("one_suit_liability") else {"qingyise"}
        if way.patterns & colours and len(openings(self.player)) >= 3:
            return openings(self.player)[2].source
        return None

    def unready(self, seat: int) -> bool:
        """Could no tile have made that player's hand a legal win, self-drawn or on a discard?"""
        player = self.record.players[seat]
        if player.hand is None:
            return False
        own = [*player.hand, *player.bonus, *(t for m in player.melds for t in m.tiles)]
        others = [s for s in range(self.record.seats) if s != seat]
        for tile in self.family.spec.copies:
            if own.count(tile) < 4:
                plays = [Win(seat, tile, "wall"), *(Win(seat, tile, "discard", other) for other in others)]
                if any(Hand(self.family, self.record, play).ways() for play in plays):
                    return False
        return True


def whole(amount: Fraction) -> int | float:
    return int(amount) if amount.denominator == 1 else float(amount)


# --- settlement ---------------------------------------------------------------------------------------------------


def check(family: Family, record: Record) -> None:
    if record.indicator is None:
        raise Malformed("no indicator")
    kong_only, wild = family.kong_kinds(record), family.wild(record)
    for player in record.players:
        if any(t not in kong_only and t != wild for t in player.bonus):
            raise Malformed("a tile in bonus that is no kong tile")
        if any(t in kong_only or t == wild for m in player.melds for t in m.tiles):
            raise Malformed("a kong-only or wild tile in a meld")


def settle_with(
    family: Family, data: dict[str, Any], check_more: Callable[[Record], None] | None = None
) -> dict[str, Any]:
    record = read_record(data, family.spec)
    check(family, record)
    if check_more is not None:
        check_more(record)
    ledger = Ledger(record.seats)
    hands = [Hand(family, record, win) for win in record.wins]
    ways = [hand.ways() for hand in hands]

    def nearness(index: int) -> int:
        giver = record.wins[index].source_seat
        return 0 if giver is None else turn_distance(record, giver, record.wins[index].seat)

    chosen = min((i for i, found in enumerate(ways) if found), key=nearness, default=None)
    if chosen is not None:
        best, winner = ways[chosen][0], record.wins[chosen].seat
        liable = hands[chosen].liable(best)
        for seat, amount in enumerate(best.paid):
            ledger.pay(seat if liable is None else liable, winner, amount)
    for incident in record.incidents:
        if incident["kind"] == "false_win":
            ledger.false_win(incident)
    return {"legal": [i == chosen for i in range(len(record.wins))], "deltas": ledger.deltas}


# --- random records -----------------------------------------------------------------------------------------------


def hand_kinds(rng: random.Random, kinds: Sequence[int]) -> list[int]:
    """Kinds to build a hand from: any, one suit, honours, or 2-5-8."""
    suits = sorted({t // 9 for t in kinds if t < 27})
    suit = rng.choice(suits)
    choice = rng.random()
    if choice < 0.45:
        return list(kinds)
    if choice < 0.7:
        return [t for t in kinds if t // 9 == suit and t < 27]
    if choice < 0.85:
        return [t for t in kinds if t >= 27] + [t for t in kinds if t < 27][:1]
    return [t for t in kinds if t in TWO_FIVE_EIGHT]


def random_win(family: Family, rng: random.Random, options: dict[str, Any], copies: dict[int, int]) -> dict[str, Any]:
    seats = family.spec.seats
    table = Table(rng, family.spec.rules, copies, seats)
    if options:
        table.record["options"] = options
    table.indicator(copies)
    probe = read_record(table.record | {"players": [{} for _ in range(seats)]}, family.spec)
    kong_only, wild = family.kong_kinds(probe), family.wild(probe)
    kinds = [t for t in copies if t not in kong_only]
    seat = rng.randrange(seats)
    source = rng.choice(["wall", "wall", "discard", "discard", "discard", "kong", "robbed_kong"])
    giver = table.other(seat)
    pool = hand_kinds(rng, [t for t in kinds if t != wild])
    triplets = rng.choice([0.2, 0.5, 1.0])
    lone = rng.random() < 0.2
    concealed, melds = winner_hand(table, seat, pool, triplets, lone, wild)
    if rng.random() < 0.15 and not melds:
        concealed = shapeless(table, rng, pool, concealed)
    if rng.random() < 0.7:
        concealed = good_pair(table, concealed, wild)
    hand, tile = split_winning_tile(rng, concealed, None if source == "wall" else [t for t in concealed if t != wild])
    win: dict[str, Any] = {"seat": seat, "tile": write([tile]), "source": source}
    if source in ("discard", "robbed_kong"):
        win["from"] = giver
    if source == "robbed_kong" and rng.random() < 0.15:
        win["robbed_kind"] = "concealed"
    if source in ("wall", "discard") and rng.random() < 0.15:
        win["last_tile"] = True
    if rng.random() < 0.03:
        table.dead_hand(seat)
    if rng.random() < 0.03:
        hand = hand[1:]
    table.put(seat, hand, melds, bonus=kong_tiles(table, kong_only, wild))
    table.record["wins"] = [win]
    for other in range(seats):
        if other != seat:
            loser(table, other, kinds, kong_only, wild, waiting=other == giver and lone)
    table.record["players"] = table.players
    if rng.random() < 0.06:
        table.record["wins"] = []
    elif source == "discard" and rng.random() < 0.06 and table.players[(giver + 1) % seats] is not None:
        bumped(table, win, giver)
    if rng.random() < 0.05:
        table.false_win(rng.randrange(seats))
    return spoiled(rng, table.record, kong_only, wild) if rng.random() < 0.05 else table.record


def winner_hand(
    table: Table, seat: int, pool: list[int], triplets: float, lone: bool, wild: int
) -> tuple[tuple[int, ...], tuple[Meld, ...]]:
    rng = table.rng
    share = rng.choice([0.0, 0.15, 0.5])
    meld = 1.0 if lone else rng.choice([0.3, 0.6])
    kong = 0.15 if lone else 0.3
    dealt = table.complete(seat, 4, (wild,), kinds=pool, triplets=triplets, meld=meld, kong=kong, wild_share=share)
    return dealt.concealed, dealt.melds


def shapeless(table: Table, rng: random.Random, pool: list[int], concealed: tuple[int, ...]) -> tuple[int, ...]:
    """Exchange some tiles for others of the same colours, which mostly breaks the sets."""
    tiles = list(concealed)
    for index in rng.sample(range(len(tiles)), 3):
        table.deck.give_back([tiles[index]])
        tiles[index] = (table.deck.draw(rng, 1, pool) or table.deck.draw(rng, 1))[0]
    return tuple(sorted(tiles))


def good_pair(table: Table, concealed: tuple[int, ...], wild: int) -> tuple[int, ...]:
    """Make the pair a 2, 5 or 8 where the hand allows it."""
    rng = table.rng
    pairs = [t for t in sorted(set(concealed)) if concealed.count(t) == 2 and t != wild and t not in TWO_FIVE_EIGHT]
    if not pairs:
        return concealed
    old = rng.choice(pairs)
    suit = old // 9 if old < 27 else rng.randrange(3)
    new = [t for t in TWO_FIVE_EIGHT if t // 9 == suit and t != wild and table.deck.left[t] >= 2]
    if not new:
        return concealed
    table.deck.give_back([old, old])
    chosen = rng.choice(sorted(new))
    return tuple(sorted([t for t in concealed if t != old] + list(table.deck.take([chosen, chosen]))))


def kong_tiles(table: Table, kong_only: Iterable[int], wild: int) -> tuple[int, ...]:
    rng = table.rng
    return table.deck.draw(rng, rng.choice([0, 0, 0, 1, 1, 2, 3]), [*kong_only, wild])


def loser(table: Table, seat: int, kinds: list[int], kong_only: Iterable[int], wild: int, *, waiting: bool) -> None:
    rng = table.rng
    bonus = kong_tiles(table, kong_only, wild)
    melds: tuple[Meld, ...] = ()
    hand: tuple[int, ...] | None = None
    if waiting and rng.random() < 0.8:
        dealt = table.complete(seat, 4, (wild,), kinds=[t for t in kinds if t != wild], meld=0.5, wild_share=0.2)
        concealed = good_pair(table, dealt.concealed, wild) if rng.random() < 0.8 else dealt.concealed
        index = rng.randrange(len(concealed))
        table.deck.give_back([concealed[index]])
        hand, melds = concealed[:index] + concealed[index + 1 :], dealt.melds
    elif rng.random() < 0.6:
        # only the melds matter
        dealt = table.complete(seat, 4, kinds=[t for t in kinds if t != wild], meld=rng.choice([0.3, 0.6]))
        table.deck.give_back(dealt.concealed)
        melds = tuple(m for m in dealt.melds if wild not in m.tiles)
        melds = tuple(m for m in melds if not set(m.tiles) & set(kong_only))
    table.put(seat, hand, melds, bonus=bonus)


def bumped(table: Table, win: dict[str, Any], giver: int) -> None:
    """A second declared win on the same discard: whatever that player holds."""
    seat = table.other(win["seat"], giver)
    player = table.players[seat]
    assert player is not None
    if player["hand"] is not None:
        table.record["wins"].append({"seat": seat, "tile": win["tile"], "source": "discard", "from": giver})


def spoiled(rng: random.Random, record: dict[str, Any], kong_only: Iterable[int], wild: int) -> dict[str, Any]:
    player = record["players"][rng.randrange(len(record["players"]))]
    kind = rng.randrange(4)
    if kind == 0:
        del record["indicator"]
    elif kind == 1:
        indicator = parse_one(record["indicator"])
        player["bonus"] = write([next(t for t in SUITED if t not in (indicator, wild) and t not in kong_only)])
    elif kind == 2:
        player["melds"] = [{"kind": "pung", "tiles": write([wild] * 3), "claimed": write([wild]), "from": 0}]
    else:
        return break_record(rng, record, "1q")
    return record


WUHAN_OPTIONS = {
    "opening_fan": ["each"],
    "minimum": [8, 16, 32],
    "caps": [[300, 400, 500, 600], [100, 200, 300, 400]],
    "rate": ["yifen", "wuli"],
    "fengyise_jinding": [True],
}
