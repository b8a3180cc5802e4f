"""What the oracles of the Ningbo, Jiangsu and Shanghai families share: a reading with its melds laid beside it and the
winning tile in its place, the usual refusals, and a builder of random records.

Nothing here knows a rule set; every condition that is one rule set's stands in its own module.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from referee.rules.tiles import WINDS, is_orphan, parse_one, suit, write
from tests.oracle.common import (
    COPIES_136,
    Deck,
    Meld,
    Reading,
    Record,
    Win,
    claimed_amounts,
    dead_seats,
    decompositions,
    player_json,
    proper_meld,
    random_hand,
    split_winning_tile,
    spoil,
)

SELF_DRAWN = ("wall", "kong", "flower", "deal")
ALL = tuple(COPIES_136)
HONOUR_KINDS = tuple(range(27, 34))


def seat_wind(record: Record, seat: int) -> int:
    return WINDS[(seat - record.dealer) % 4]


def self_drawn(win: Win) -> bool:
    return win.source in SELF_DRAWN


# --- a reading, melds included --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Block:
    """A set or the pair of a winning hand. ``origin`` is ``"hand"`` or the meld's kind; ``claimed`` says that it was
    finished by a discard or a robbed tile, from the hand."""

    kind: str  # run, triplet, pair
    face: int  # the lowest
    origin: str = "hand"
    claimed: bool = False
    wilds: int = 0

    @property
    def faces(self) -> tuple[int, ...]:
        if self.kind == "run":
            return (self.face, self.face + 1, self.face + 2)
        return (self.face,) * (2 if self.kind == "pair" else 4 if self.kong else 3)

    @property
    def kong(self) -> bool:
        return "kong" in self.origin

    @property
    def hidden(self) -> bool:
        """In the hand and finished by an own draw, or a concealed kong."""
        return (self.origin == "hand" and not self.claimed) or self.origin == "concealed_kong"


@dataclass(frozen=True)
class View:
    """One way to look at a winning hand of sets and a pair.

    ``wait``: edge, gap, open, single, triplet, or None where no tile is the last one. ``place``: the block with the
    winning tile, ``face``: what the winning tile is read as, ``hard``: every wild tile stands for its own printed face.
    """

    blocks: tuple[Block, ...]
    wait: str | None
    place: Block | None
    face: int | None
    hard: bool

    @property
    def runs(self) -> list[Block]:
        return [b for b in self.blocks if b.kind == "run"]

    @property
    def triplets(self) -> list[Block]:
        return [b for b in self.blocks if b.kind == "triplet"]

    @property
    def pair(self) -> Block:
        return next(b for b in self.blocks if b.kind == "pair")

    @property
    def faces(self) -> list[int]:
        return [f for b in self.blocks for f in b.faces]

    def triplet_of(self, kind: int) -> bool:
        return any(b.face == kind for b in self.triplets)


def wait_of(kind: str, faces: Sequence[int], slot: int) -> str:
    """The wait a winning tile answers that stands at ``slot`` of a group."""
    if kind != "run":
        return "single" if kind == "pair" else "triplet"
    if slot == 1:
        return "gap"
    low = faces[0] % 9
    return "edge" if (slot == 2 and low == 0) or (slot == 0 and low == 6) else "open"


def meld_block(meld: Meld) -> Block:
    return Block("run" if meld.kind == "chow" else "triplet", min(meld.tiles), meld.kind)


def views(
    naturals: Iterable[int],
    wilds: int,
    melds: Sequence[Meld],
    win: Win,
    *,
    wild_face: int | None = None,
    last: int | None = None,
    last_wild: bool = False,
) -> Iterator[View]:
    """Every view of concealed ``naturals`` and wild tiles (the winning tile among them) with ``melds``.

    ``last`` is the winning tile's natural face, ``last_wild`` that it is a wild tile; a dealt win has no last tile.
    """
    exposed = tuple(meld_block(m) for m in melds)
    for reading in decompositions(naturals, wilds, 4 - len(melds)):
        hard = all(f == wild_face for g in reading for f, w in zip(g.faces, g.wild, strict=True) if w)
        for at, slot in _places(reading, win, last, last_wild):
            blocks = [
                Block(g.kind, g.faces[0], "hand", i == at and not self_drawn(win), g.wilds)
                for i, g in enumerate(reading)
            ]
            if at is None:
                yield View((*blocks, *exposed), None, None, None, hard)
            else:
                group = reading[at]
                wait = wait_of(group.kind, group.faces, slot)
                yield View((*blocks, *exposed), wait, blocks[at], group.faces[slot], hard)


def _places(reading: Reading, win: Win, last: int | None, last_wild: bool) -> Iterator[tuple[int | None, int]]:
    if win.source == "deal":
        yield None, 0
        return
    for at, group in enumerate(reading):
        seen = set()
        for slot, (face, wild) in enumerate(zip(group.faces, group.wild, strict=True)):
            fits = wild if last_wild else not wild and face == last
            key = slot if group.kind == "run" else 0
            if fits and key not in seen:
                seen.add(key)
                yield at, slot


def flush(faces: Iterable[int]) -> str | None:
    """``"pure"`` one suit, ``"mixed"`` one suit and honours, ``"honours"`` honours alone, None otherwise."""
    suits = {suit(f) for f in faces}
    if suits == {3}:
        return "honours"
    if len(suits) == 1:
        return "pure"
    return "mixed" if len(suits) == 2 and 3 in suits else None


# --- legality and payments that recur ------------------------------------------------------------------------------


def unfit(record: Record, win: Win, *, wild: Iterable[int] = (), kinds: Iterable[int] = ALL, chow: bool = True) -> bool:
    """Refused whatever the hand: a dead hand, a wrong number of tiles, a meld that is none or holds a wild tile or a
    tile that belongs in no meld, a concealed kong robbed."""
    player = record.players[win.seat]
    held = len(player.hand or ()) + (win.tile is not None)
    if win.seat in dead_seats(record) or held + 3 * len(player.melds) != 14:
        return True
    kinds, wild = set(kinds), set(wild)
    for meld in player.melds:
        if not proper_meld(meld, barred=wild) or not kinds.issuperset(meld.tiles) or (meld.kind == "chow" and not chow):
            return True
    return win.source == "robbed_kong" and win.robbed_kind == "concealed"


def one_winner(record: Record, fit: Sequence[bool]) -> list[bool]:
    """Of several declared wins only the legal one nearest after the discarder stands."""
    able = [i for i, ok in enumerate(fit) if ok]
    if not able:
        return [False] * len(fit)

    def distance(index: int) -> int:
        win = record.wins[index]
        return 0 if win.source_seat is None else (win.seat - win.source_seat) % 4

    first = min(able, key=distance)
    return [i == first for i in range(len(fit))]


def claims(melds: Iterable[Meld]) -> Counter[int]:
    """How many sets were claimed from each seat; concealed kongs are nobody's."""
    return Counter(m.source for m in melds if m.kind != "concealed_kong" and m.source is not None)


def pung_fu(face: int, hidden: bool, kong: bool) -> int:
    """2 / 4 for an exposed pung of simples / of 1, 9 or an honour; twice that concealed, four times as a kong."""
    return 2 * (1 + is_orphan(face)) * (2 if hidden else 1) * (4 if kong else 1)


def loser_blocks(hand: Iterable[int], melds: Iterable[Meld]) -> list[Block]:
    """The pungs (three or four alike), pairs and melds of a hand that did not win."""
    alike = Counter(hand)
    out = [Block("pair" if n == 2 else "triplet", face) for face, n in alike.items() if n >= 2]
    return out + [meld_block(m) for m in melds]


# --- random records ------------------------------------------------------------------------------------------------

THEMES: tuple[tuple[Sequence[int], float], ...] = (
    (ALL, 0.35),
    (ALL, 0.35),
    (ALL, 0.0),
    (ALL, 1.0),
    (tuple(range(9)), 0.3),
    (tuple(range(9, 18)), 0.5),
    (tuple(range(18, 27)), 1.0),
    ((*range(9), *HONOUR_KINDS), 0.4),
    ((*range(9, 18), *HONOUR_KINDS), 0.6),
    ((*range(18, 27), *HONOUR_KINDS), 1.0),
    (tuple(t for t in range(27) if 0 < t % 9 < 8), 0.3),
    (HONOUR_KINDS, 1.0),
    ((*range(18), *HONOUR_KINDS), 0.2),
    (tuple(range(18)), 0.2),
    ((0, 1, 2, 6, 7, 8, 9, 10, 11, 15, 16, 17, 18, 19, 20, 24, 25, 26, 27, 31), 0.25),
    ((2, 3, 4, 11, 12, 13, 20, 21, 22, 23, 31, 28), 0.2),
    ((0, 8, 9, 17, 18, 26, *HONOUR_KINDS), 1.0),
    ((*range(27, 34), 4, 13, 22), 0.9),
)


@dataclass
class Seat:
    hand: tuple[int, ...] | None = None
    melds: tuple[Meld, ...] = ()
    bonus: tuple[int, ...] = ()
    discards: tuple[int, ...] | None = None
    chips: int | None = None


class Builder:
    """A random record in the making, all tiles from one deck."""

    def __init__(self, rng: random.Random, rules: str, copies: dict[int, int]) -> None:
        self.rng, self.rules, self.deck = rng, rules, Deck(copies)
        self.dealer = rng.randrange(4)
        self.winner = rng.randrange(4)
        self.seats = [Seat() for _ in range(4)]
        self.win: dict[str, Any] | None = None
        self.more_wins: list[dict[str, Any]] = []
        self.incidents: list[dict[str, Any]] = []
        self.options: dict[str, Any] = {}
        self.fields: dict[str, Any] = {}

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    # winner

    def complete_hand(
        self,
        *,
        wild: Sequence[int] = (),
        wild_share: float = 0.25,
        chow: bool = True,
        kinds: Iterable[int] | None = None,
        meld: float | None = None,
        wild_max: int = 3,
    ) -> tuple[int, ...]:
        """Give the winner melds and return its concealed tiles, the winning one among them."""
        rng = self.rng
        theme, triplets = rng.choice(THEMES)
        if kinds is not None:
            theme = [k for k in theme if k in set(kinds)]
        usable = [k for k in theme if k not in wild]
        at_face = self.chance(0.1)
        dealt = random_hand(
            rng,
            self.deck,
            self.winner,
            4,
            4,
            kinds=theme if at_face else usable or ALL,
            triplets=triplets,
            meld=rng.choice([0, 0, 0.3, 0.6, 1]) if meld is None else meld,
            kong=rng.choice([0, 0.3, 0.6]),
            claim_runs=chow,
            wild=() if at_face else wild,
            wild_share=wild_share,
            wild_max=wild_max,
        )
        self.seats[self.winner].melds = dealt.melds
        if self.chance(0.3):
            self.feed_from((self.winner - 1) % 4)
        return dealt.concealed

    def feed_from(self, feeder: int) -> None:
        """Let all the winner's pungs and kongs have been fed by one player, the one who feeds its chows."""
        seat = self.seats[self.winner]
        seat.melds = tuple(
            Meld(m.kind, m.tiles, m.claimed, feeder, m.chain) if m.source is not None else m for m in seat.melds
        )

    def declare(
        self, concealed: tuple[int, ...], sources: Sequence[str], *, wild: Sequence[int] = (), fault: float = 0.06
    ) -> None:
        """Take the winning tile out of the concealed tiles and make up how it came."""
        rng = self.rng
        seat = self.seats[self.winner]
        if self.chance(fault):
            concealed = spoil(rng, self.deck, concealed)
        source = rng.choice(list(sources))
        if source == "deal" and (self.winner != self.dealer or seat.melds):
            source = "wall"
        if source == "kong" and not any(m.is_kong for m in seat.melds):
            source = "wall"
        taken = source in ("discard", "robbed_kong")
        natural = [t for t in concealed if t not in wild]
        among = natural if taken and natural and not self.chance(0.04) else None
        seat.hand, tile = split_winning_tile(rng, concealed, among)
        win: dict[str, Any] = {"seat": self.winner, "tile": write([tile]), "source": source}
        if taken:
            win["from"] = rng.choice([s for s in range(4) if s != self.winner])
        if source == "deal":
            win["first_turn"] = True
        if source == "kong":
            kongs = [m for m in seat.melds if m.is_kong]
            kong = rng.choice(kongs)
            if kong is not kongs[-1] or self.chance(0.5):
                win["kong_tile"] = write(kong.tiles[:1])
            if kong.kind == "kong":
                win["kong_from"] = kong.source
        if source == "robbed_kong":
            if self.chance(0.06):
                win["robbed_kind"] = "concealed"
            elif self.deck.has((tile,) * 3):
                feeder = rng.choice([s for s in range(4) if s != win["from"]])
                self.seats[win["from"]].melds = (Meld("pung", self.deck.take((tile,) * 3), tile, feeder),)
        self.win = win

    def last_tile(self, share: float = 0.1) -> None:
        assert self.win is not None
        if self.win["source"] in ("wall", "discard") and self.chance(share):
            self.win["last_tile"] = True
            self.fields["wall_left"] = 0

    def earthly(self, share: float = 0.05) -> None:
        """A non-dealer wins on the dealer's first discard."""
        assert self.win is not None
        first = self.win["source"] == "discard" and self.win["from"] == self.dealer and self.chance(share * 4)
        if first and not self.seats[self.winner].melds:
            self.win["first_turn"] = True

    # the others

    def lay_bonus(self, kinds: Sequence[int], *, full: float = 0.15) -> None:
        """Bonus tiles for everybody, now and then a whole set of four for the winner."""
        for number, seat in enumerate(self.seats):
            if number == self.winner and self.chance(full):
                for low in range(0, len(kinds), 4):
                    if self.chance(0.7) and self.deck.has(kinds[low : low + 4]):
                        seat.bonus += self.deck.take(kinds[low : low + 4])
            seat.bonus += self.deck.draw(self.rng, self.rng.choice([0, 0, 0, 1, 1, 2]), kinds)

    def deal_losers(self, *, melds: bool = True, chow: bool = True, kinds: Sequence[int] = ALL) -> None:
        """Hands and melds for the others, pungs and pairs more often than by chance."""
        rng = self.rng
        for number, seat in enumerate(self.seats):
            if number == self.winner and self.win is not None:
                continue
            while melds and len(seat.melds) < 4 and self.chance(0.3):
                tile = rng.choice(kinds)
                form = rng.choice(["pung", "pung", "kong", "added_kong", "concealed_kong", "chow"])
                if form == "chow":
                    if not chow or tile > 26 or tile % 9 > 6 or not self.deck.has((tile, tile + 1, tile + 2)):
                        continue
                    taken = self.deck.take((tile, tile + 1, tile + 2))
                    seat.melds += (Meld("chow", taken, tile, (number - 1) % 4),)
                    continue
                count = 3 if form == "pung" else 4
                if not self.deck.has((tile,) * count):
                    continue
                taken = self.deck.take((tile,) * count)
                if form == "concealed_kong":
                    seat.melds += (Meld(form, taken),)
                else:
                    source = rng.choice([s for s in range(4) if s != number])
                    seat.melds += (Meld(form, taken, tile, source),)
            room = 13 - 3 * len(seat.melds)
            hand: tuple[int, ...] = ()
            while self.chance(0.6):
                tile, count = rng.choice([*kinds, *HONOUR_KINDS, *HONOUR_KINDS]), rng.choice([2, 2, 3, 3, 4])
                if tile in kinds and len(hand) + count <= room and self.deck.has((tile,) * count):
                    hand += self.deck.take((tile,) * count)
            seat.hand = hand + self.deck.draw(rng, room - len(hand), kinds)

    def second_claimant(self) -> None:
        """Another player declares a win on the same discard; its hand is the winner's kind of shape by chance only."""
        assert self.win is not None
        if self.win["source"] != "discard":
            return
        rng, tile_text = self.rng, self.win["tile"]
        others = [s for s in range(4) if s not in (self.winner, self.win["from"])]
        other = rng.choice(others)
        tile = parse_one(tile_text)
        self.deck.give_back([tile])  # the same discard finishes both hands
        low = tile - min(tile % 9, 2) if tile < 27 else tile
        group = (low, low + 1, low + 2) if tile < 27 and low % 9 < 7 and tile <= low + 2 else (tile,) * 3
        rest = [(t,) * 2 for t in rng.sample(range(34), 12)] + [(t, t + 1, t + 2) for t in (0, 3, 6, 9, 12, 15, 18, 21)]
        hand: list[int] = []
        need = list(group)
        need.remove(tile)
        ok = self.deck.has(group)
        if ok:
            self.deck.take(group)
            hand += need
            sets, pairs = 3, 1
            rng.shuffle(rest)
            for part in rest:
                if len(part) == 2 and pairs and self.deck.has(part):
                    hand += self.deck.take(part)
                    pairs = 0
                elif len(part) == 3 and sets and self.deck.has(part):
                    hand += self.deck.take(part)
                    sets -= 1
        else:
            self.deck.take([tile])
        if ok and len(hand) == 13:
            self.seats[other].hand = tuple(sorted(hand))
            self.seats[other].melds = ()
            self.more_wins.append({"seat": other, "tile": tile_text, "source": "discard", "from": self.win["from"]})

    def irregular(self, *, dead: float = 0.04, false: float = 0.05) -> None:
        rng = self.rng
        if self.chance(dead):
            why = rng.choice(["long", "short", "wrong_claim"])
            self.incidents.append({"kind": "dead_hand", "seat": rng.randrange(4), "why": why})
        if self.chance(false):
            seat = rng.randrange(4)
            self.incidents.append({"kind": "false_win", "seat": seat, "claimed": claimed_amounts(rng, seat, 4)})

    def record(self) -> dict[str, Any]:
        rng = self.rng
        wins = [*([self.win] if self.win else []), *self.more_wins]
        rng.shuffle(wins)
        out: dict[str, Any] = {
            "rules": self.rules,
            "dealer": self.dealer,
            "players": [
                player_json(s.hand, s.melds, s.bonus, chips=s.chips)
                | ({} if s.discards is None else {"discards": write(s.discards)})
                for s in self.seats
            ],
            "wins": wins,
        }
        for name, value in (("options", self.options), ("incidents", self.incidents), *self.fields.items()):
            if value:
                out[name] = value
        if self.chance(0.015):
            self.malform(out)
        return out

    def malform(self, out: dict[str, Any]) -> None:
        """Make a record that must be refused."""
        player = out["players"][self.rng.randrange(4)]
        match self.rng.randrange(6):
            case 0:
                out["options"] = {"no_such_option": True}
            case 1:
                player["hand"] = "12345m123s4x"
            case 2:
                player["hand"] = "11111m234p99s"
            case 3:
                out["dealer"] = 4
            case 4:
                player["melds"] = [{"kind": "pung", "tiles": "88p", "claimed": "8p", "from": 0}]
            case _:
                out["wins"] = [{"seat": 5, "tile": "1m", "source": "wall"}]
