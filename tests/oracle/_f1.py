"""What the oracles of yiwu, beijing, nanchang, shaanxi, changsha, jinan, taiwan, hangzhou and hongkong share.

Seats and sources of a win, the nearest legal claimant, and the scenery of a random record: who won how, what the others
hold. No rule set is known here; each oracle says in its own words what a hand is worth.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from referee.rules.tiles import write
from tests.oracle import common
from tests.oracle.common import Deck, Meld, Record, Win

SELF_DRAWN = ("wall", "kong", "flower", "deal")
Verdict = TypeVar("Verdict")


def is_self_drawn(win: Win) -> bool:
    return win.source in SELF_DRAWN


def hand_size_right(record: Record, win: Win, size: int) -> bool:
    """``size`` tiles before the win, a meld standing for three; one more in a dealt hand without a winning tile, one less
    in one of a player who is not the dealer."""
    player = record.players[win.seat]
    if player.hand is None:
        return False
    wanted = size + (win.tile is None) - (win.source == "deal" and win.seat != record.dealer)
    return len(player.hand) + 3 * len(player.melds) == wanted


def finished(record: Record, win: Win) -> tuple[int, ...]:
    """The winner's concealed tiles with the winning tile."""
    hand = record.players[win.seat].hand or ()
    return tuple(sorted(hand if win.tile is None else (*hand, win.tile)))


def judge_one_winner(record: Record, judge: Callable[[Win], Verdict | None]) -> list[Verdict | None]:
    """Judge every declared win; of several on one tile only the legal one nearest in turn stands."""
    verdicts = [judge(win) for win in record.wins]
    taken: set[int] = set()
    order = sorted(
        range(len(record.wins)),
        key=lambda i: common.turn_distance(record, record.wins[i].source_seat or 0, record.wins[i].seat),
    )
    for index in order:
        if verdicts[index] is not None:
            if taken:
                verdicts[index] = None
            else:
                taken.add(index)
    return verdicts


def claims_from(record: Record, taker: int, giver: int) -> list[Meld]:
    """The sets (chow, pung, claimed or added kong) that ``taker`` claimed from ``giver``, in order."""
    return [m for m in record.players[taker].melds if m.is_open and m.source == giver]


def meld_groups(melds: Iterable[Meld]) -> list[tuple[str, int]]:
    """Melds as ("run" or "triplet", lowest face)."""
    return [("run" if m.kind == "chow" else "triplet", m.tiles[0]) for m in melds]


def seat_wind(record: Record, seat: int, east: int | None = None) -> int:
    return 27 + (seat - (record.dealer if east is None else east)) % record.seats


def result(record: Record, ledger: common.Ledger, verdicts: Sequence[Any]) -> dict[str, Any]:
    return {"legal": [v is not None for v in verdicts], "deltas": ledger.deltas}


# --- random records -----------------------------------------------------------------------------------------------


class Scene:
    """A random record in the making: four seats, one deck, one winner."""

    def __init__(self, rng: random.Random, rules: str, copies: dict[int, int]) -> None:
        self.rng = rng
        self.deck = Deck(copies)
        self.winner = rng.randrange(4)
        self.record: dict[str, Any] = {"rules": rules, "dealer": rng.randrange(4)}
        self.players: list[dict[str, Any]] = [{"hand": None} for _ in range(4)]
        self.melds: list[list[Meld]] = [[], [], [], []]
        self.win: dict[str, Any] = {}

    def others(self) -> list[int]:
        return [s for s in range(4) if s != self.winner]

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def turn_indicator(self, among: Sequence[int]) -> int:
        tile = self.deck.take([self.rng.choice(list(among))])[0]
        self.record["indicator"] = write([tile])
        return tile

    def win_by(
        self,
        concealed: tuple[int, ...],
        melds: Iterable[Meld],
        sources: Sequence[str],
        *,
        won_on: Iterable[int] | None = None,
        never_claimed: Iterable[int] = (),
    ) -> None:
        """Set the winner's hand down and choose how it was won; a source that does not fit becomes wall or discard."""
        rng, seat = self.rng, self.winner
        self.melds[seat] = list(melds)
        hand, tile = common.split_winning_tile(rng, concealed, won_on)
        source = rng.choice(sources)
        kongs = [m for m in self.melds[seat] if m.is_kong]
        if source == "kong" and not kongs:
            source = "wall"
        if source == "deal" and (self.melds[seat] or seat != self.record["dealer"]):
            source = "wall"
        giver = rng.choice(self.others())
        if source == "robbed_kong":
            if tile in never_claimed or not self.deck.has([tile] * 3):
                source = "discard"
            else:
                pung = self.deck.take([tile] * 3)
                frm = rng.choice([s for s in range(4) if s != giver])
                self.melds[giver].append(Meld("pung", pung, tile, frm))
        self.win = {"seat": seat, "tile": write([tile]), "source": source}
        if source in ("discard", "robbed_kong"):
            self.win["from"] = giver
        if source == "kong":
            last = kongs[-1]
            if last.kind == "kong" and rng.random() < 0.6:
                self.win["kong_from"] = last.source
        if source == "deal" and rng.random() < 0.5:
            self.win["first_turn"] = True
        if source == "deal" and rng.random() < 0.3:
            hand, self.win["tile"] = tuple(sorted((*hand, tile))), None
        self.players[seat]["hand"] = write(hand)

    def add_loser_melds(
        self, share: float, *, runs: Sequence[common.Run] = common.SUIT_RUNS, kinds: Sequence[int], chows: bool = True
    ) -> None:
        """Give the losers some sets of their own."""
        for seat in self.others():
            while len(self.melds[seat]) < 4 and self.rng.random() < share:
                triplets = 0.6 if chows else 1.0
                sets = common.random_sets(self.rng, self.deck, 1, kinds=kinds, runs=runs, triplets=triplets, pairs=0)
                if not sets:
                    break
                made = common.random_meld(self.rng, self.deck, seat, 4, sets[0])
                assert made is not None
                self.melds[seat].append(made)

    def deal_losers(self, size: int = 13) -> None:
        """Fill the losers' hands from the deck."""
        for seat in self.others():
            self.players[seat]["hand"] = write(sorted(self.deck.draw(self.rng, size - 3 * len(self.melds[seat]))))

    def feed(self, taker: int, giver: int, count: int) -> None:
        """Let ``count`` claims of ``taker`` come from ``giver`` (chows only from the left neighbour)."""
        changed = 0
        for index, meld in enumerate(self.melds[taker]):
            if not meld.is_open or (meld.kind == "chow" and giver != (taker - 1) % 4):
                continue
            if changed < count:
                self.melds[taker][index] = Meld(meld.kind, meld.tiles, meld.claimed, giver)
                changed += 1

    def incident(self, **fields: Any) -> None:
        self.record.setdefault("incidents", []).append(fields)

    def drawn(self) -> None:
        """Nobody won."""
        self.win = {}
        self.players[self.winner]["hand"] = None

    def finish(self) -> dict[str, Any]:
        for player, melds in zip(self.players, self.melds, strict=True):
            if melds:
                player["melds"] = [common.meld_json(m) for m in melds]
        return self.record | {"players": self.players, "wins": [self.win] if self.win else []}


def pairs_hand(rng: random.Random, deck: Deck, kinds: Sequence[int], pairs: int = 7) -> tuple[int, ...]:
    """Random pairs, four alike among them now and then."""
    out: list[int] = []
    while len(out) < 2 * pairs:
        tile = rng.choice(out) if out and rng.random() < 0.2 else rng.choice(list(kinds))
        if deck.has([tile] * 2):
            out += deck.take([tile] * 2)
    return tuple(sorted(out))


def put_wilds(rng: random.Random, deck: Deck, tiles: tuple[int, ...], wild: int, count: int) -> tuple[int, ...]:
    """Exchange ``count`` random tiles for wild ones, as far as there are any."""
    held = list(tiles)
    for _ in range(count):
        choices = [i for i, t in enumerate(held) if t != wild]
        if choices and deck.has([wild]):
            index = rng.choice(choices)
            deck.give_back([held[index]])
            held[index] = deck.take([wild])[0]
    return tuple(sorted(held))


def scattered(rng: random.Random, deck: Deck, honours: Sequence[int], count: int = 14) -> tuple[int, ...]:
    """All different, suit tiles three or more apart: as many honours as it takes."""
    suited: list[int] = []
    for suit in range(3):
        start = rng.randrange(3)
        numbers = [start, start + 3, start + 6] if rng.random() < 0.7 else sorted({0, rng.choice([3, 4]), 8})
        suited += [9 * suit + n for n in numbers if deck.has([9 * suit + n])]
    chosen = [h for h in honours if deck.has([h])]
    rng.shuffle(chosen)
    take = min(len(chosen), max(count - len(suited), rng.randrange(4, 8)))
    rng.shuffle(suited)
    return deck.take(sorted((chosen[:take] + suited)[:count]))


def is_scattered(tiles: Sequence[int], wilds: int, honours: Callable[[int], bool]) -> bool:
    """Fourteen tiles all different, suit tiles of one suit at least three apart; wild tiles fill any places left."""
    if any(n > 1 for n in Counter(tiles).values()):
        return False
    suits: list[list[int]] = [[], [], []]
    loose = 0
    for tile in tiles:
        if honours(tile):
            loose += 1
        else:
            suits[tile // 9].append(tile % 9)
    for numbers in suits:
        numbers.sort()
        if any(b - a < 3 for a, b in zip(numbers, numbers[1:], strict=False)):
            return False
    room = (7 - loose) + sum(_room(numbers) for numbers in suits)
    return len(tiles) + wilds == 14 and wilds <= room


def _room(numbers: list[int]) -> int:
    """How many more tiles of a suit fit three or more apart (by trying all subsets of the nine numbers)."""
    best = len(numbers)
    for mask in range(1 << 9):
        chosen = [n for n in range(9) if mask >> n & 1]
        if set(numbers) <= set(chosen) and all(b - a >= 3 for a, b in zip(chosen, chosen[1:], strict=False)):
            best = max(best, len(chosen))
    return best - len(numbers)


def with_stand_in(
    deck: Deck, shown: int, stand_in: int, make: Callable[[], tuple[tuple[int, ...], tuple[Meld, ...]]]
) -> tuple[tuple[int, ...], tuple[Meld, ...]]:
    """Deal with ``make`` while the stand-in's tiles count as ``shown``, then write them as what they are."""
    wilds, stand_ins = deck.left[shown], deck.left[stand_in]
    deck.left[shown], deck.left[stand_in] = stand_ins, 0
    concealed, melds = make()
    deck.left[shown], deck.left[stand_in] = wilds, deck.left[shown]

    def back(tiles: Iterable[int]) -> tuple[int, ...]:
        return tuple(sorted(stand_in if t == shown else t for t in tiles))

    renamed = tuple(
        Meld(m.kind, back(m.tiles), stand_in if m.claimed == shown else m.claimed, m.source, m.chain) for m in melds
    )
    return back(concealed), renamed
