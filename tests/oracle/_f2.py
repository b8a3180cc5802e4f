"""What the oracles of the gold-tile games of Fujian and Wenzhou share: golds, whites as stand-ins, random tables."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

from referee.rules.tiles import HONOURS, WHITE, write
from tests.oracle.common import (
    Dealt,
    Deck,
    Group,
    Meld,
    Player,
    Reading,
    Record,
    Win,
    claimed_amounts,
    decompositions,
    player_json,
    proper_meld,
    random_hand,
    spoil,
)

SELF_DRAWN = ("wall", "kong", "flower")


class Golds:
    """The tiles like the indicator are wild; whites are its face unless ``whites_stand_in`` is false."""

    def __init__(self, indicator: int, whites_stand_in: bool = True) -> None:
        self.gold = indicator
        self.stands_in = whites_stand_in and indicator != WHITE

    def face(self, tile: int) -> int:
        return self.gold if self.stands_in and tile == WHITE else tile

    def faces(self, tiles: Iterable[int]) -> list[int]:
        """Natural tiles as the faces they show, golds left out."""
        return [self.face(t) for t in tiles if t != self.gold]

    def count(self, tiles: Iterable[int]) -> int:
        return sum(t == self.gold for t in tiles)

    def meld(self, meld: Meld) -> Meld:
        return Meld(meld.kind, tuple(sorted(map(self.face, meld.tiles))), meld.claimed, meld.source, meld.chain)

    def proper(self, meld: Meld) -> bool:
        return self.gold not in meld.tiles and proper_meld(self.meld(meld))

    def readings(self, tiles: Iterable[int], sets: int, *, pairs: int = 1, spare: int = 0) -> list[Reading]:
        """Readings of the tiles with ``spare`` of their golds put aside."""
        tiles = list(tiles)
        wilds = self.count(tiles) - spare
        return [] if wilds < 0 else decompositions(self.faces(tiles), wilds, sets, pairs=pairs)

    def five_sets_and_a_gold(self, player: Player) -> list[Reading]:
        """The tiles before the winning one read as complete sets and one gold: any tile would win."""
        return self.readings(player.hand or (), 5 - len(player.melds), pairs=0, spare=1)


def held(player: Player, win: Win) -> tuple[int, ...]:
    """Concealed tiles with the winning one."""
    return (player.hand or ()) + (() if win.tile is None else (win.tile,))


def right_count(record: Record, win: Win, size: int) -> bool:
    """``size`` tiles and the winning one; on the deal a non-dealer holds but ``size`` in all."""
    player = record.players[win.seat]
    expected = size if win.source == "deal" and win.seat != record.dealer else size + 1
    return len(held(player, win)) + 3 * len(player.melds) == expected


def is_heavenly(record: Record, win: Win) -> bool:
    return win.source == "deal" and win.seat == record.dealer


def is_earthly(record: Record, win: Win) -> bool:
    """A non-dealer's win on the dealer's first discard."""
    return win.source == "discard" and win.first_turn and win.source_seat == record.dealer and win.seat != record.dealer


def placements(reading: Reading, tile: int, wild: bool) -> list[Group]:
    """The groups that the winning tile may be part of."""
    return [g for g in reading if (any(g.wild) if wild else g.has(tile, False))]


# --- random tables ------------------------------------------------------------------------------------------------


def any_pool(rng: random.Random, copies: dict[int, int]) -> list[int]:
    """Kinds to build a hand from: often all, sometimes few, so that special hands come about."""
    suit = rng.randrange(3) * 9
    suited, honours = [t for t in copies if t < 27], [t for t in copies if t in HONOURS]
    return rng.choice(
        [
            suited + honours,
            suited + honours,
            suited,
            [t for t in suited if suit <= t < suit + 9] + honours,
            [t for t in suited if suit <= t < suit + 9],
            honours + suited[:2],
        ]
    )


class Table:
    """A random record under construction; the rule set's own twists are put in by its oracle."""

    def __init__(self, rng: random.Random, rules: str, copies: dict[int, int], seats: int = 4) -> None:
        self.rng, self.seats, self.copies = rng, seats, copies
        self.deck = Deck(copies)
        self.dealer = rng.randrange(seats)
        self.record: dict[str, Any] = {"rules": rules, "dealer": self.dealer}
        if rng.random() < 0.4:
            self.record["repeat"] = rng.randrange(1, 5)
        self.players: list[dict[str, Any] | None] = [None] * seats

    def indicator(self, kinds: Iterable[int]) -> int:
        (tile,) = self.deck.draw(self.rng, 1, kinds)
        self.record["indicator"] = write([tile])
        return tile

    def complete(self, seat: int, sets: int, wild: Iterable[int] = (), **how: Any) -> Dealt:
        rng = self.rng
        how.setdefault("kinds", any_pool(rng, self.copies))
        how.setdefault("triplets", rng.choice([0.1, 0.4, 0.4, 1.0]))
        how.setdefault("meld", rng.choice([0.0, 0.2, 0.5, 1.0]))
        how.setdefault("wild_share", rng.choice([0.0, 0.2, 0.6]))
        hand = random_hand(rng, self.deck, seat, self.seats, sets, wild=tuple(wild), **how)
        if rng.random() < 0.07:
            return Dealt(spoil(rng, self.deck, hand.concealed), hand.melds)
        return hand

    def put(self, seat: int, hand: Iterable[int] | None, melds: Iterable[Meld] = (), **more: Any) -> None:
        self.players[seat] = player_json(None if hand is None else sorted(hand), melds, **more)

    def fill(self, size: int, *, null: float = 0.5, bonus: float = 0.0, among: Iterable[int] | None = None) -> None:
        """Losers: hands of random tiles or null, sometimes with a meld."""
        rng = self.rng
        for seat in range(self.seats):
            if self.players[seat] is None:
                laid = self.deck.draw(rng, rng.randrange(3), among) if among and rng.random() < bonus else ()
                hand = None if rng.random() < null else self.deck.draw(rng, size, [t for t in self.copies if t < 34])
                self.put(seat, hand, (), bonus=laid)
        self.record["players"] = self.players

    def false_win(self, seat: int) -> None:
        claimed = claimed_amounts(self.rng, seat, self.seats)
        self.record.setdefault("incidents", []).append({"kind": "false_win", "seat": seat, "claimed": claimed})

    def dead_hand(self, seat: int) -> None:
        why = self.rng.choice(["long", "short", "wrong_draw"])
        self.record.setdefault("incidents", []).append({"kind": "dead_hand", "seat": seat, "why": why})

    def other(self, *seats: int) -> int:
        return self.rng.choice([s for s in range(self.seats) if s not in seats])


def break_record(rng: random.Random, record: dict[str, Any], alien: str) -> dict[str, Any]:
    """Make a record that must be refused: a bad tile, a fifth copy, an unknown option, a seat that is not there, ..."""
    players = record["players"]
    seats = len(players)
    kind = rng.randrange(8)
    if kind == 0:
        players[rng.randrange(seats)]["discards"] = "5x"
    elif kind == 1:
        players[rng.randrange(seats)]["melds"] = [{"kind": "concealed_kong", "tiles": "3333s"}] * 2
    elif kind == 2:
        record["options"] = record.get("options", {}) | {"no_such_option": True}
    elif kind == 3:
        record["dealer"] = seats
    elif kind == 4:
        players[0]["discards"] = alien
    elif kind == 5:
        players[1]["melds"] = [{"kind": "pung", "tiles": "4444s", "claimed": "4s", "from": 0}]
    elif kind == 6 and record.get("wins"):
        del record["wins"][0][rng.choice(["seat", "tile", "source"])]
    else:
        players.pop()
    return record
