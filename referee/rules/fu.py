"""Fu (胡) where everybody's tiles count, winner or not: old Shanghai, Jinshan, Taizhou.

What scores in every player's hand is an ``Item``, a function of the player's ``Holding``. Of a winner it becomes a
pattern of the reading; of the others ``points`` adds it up, for the side payments between the losers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from referee.rules import tiles as t
from referee.rules.claim import Case
from referee.rules.lazy import lazy
from referee.rules.readings import KONG, PUNG
from referee.rules.record import Player, Record, RecordError
from referee.rules.ruleset import Pattern, Payment, Ruleset
from referee.rules.settle import Outcome
from referee.rules.tiles import Tile


class Pung(NamedTuple):
    """A pung or kong: concealed (a concealed kong too) or exposed."""

    tile: Tile
    concealed: bool
    kong: bool = False


class Holding:
    """One player's pungs, kongs, pairs and bonus tiles; ``wind`` is the seat wind.

    ``pungs`` and ``pairs`` are looked for when first asked for: items of bonus tiles and kongs alone need no reading of the hand.
    """

    def __init__(
        self, wind: Tile, player: Player, pungs: Callable[[], list[Pung]], pairs: Callable[[], list[Tile]]
    ) -> None:
        self.wind, self.bonus, self.melds = wind, player.bonus, player.melds
        self._pungs, self._pairs = pungs, pairs

    @lazy
    def pungs(self) -> list[Pung]:
        return self._pungs()

    @lazy
    def pairs(self) -> list[Tile]:
        return self._pairs()

    @lazy
    def worth(self) -> list[int]:
        """How often the exposed and the concealed pungs, kongs apart, count: those of 1, 9 and honours twice."""
        found = [0, 0]
        for tile, concealed, kong in self.pungs:
            if not kong:
                found[concealed] += 2 if tile in t.ORPHANS else 1
        return found

    def kong_worth(self, concealed: bool) -> int:
        """The same of the exposed or the concealed kongs."""
        if not self.melds:
            return 0
        kongs = [meld.tiles[0] for meld in self.melds if meld.is_kong and meld.is_claimed != concealed]
        return sum([2 if tile in t.ORPHANS else 1 for tile in kongs])

    @lazy
    def pung_tiles(self) -> list[Tile]:
        return [tile for tile, _, _ in self.pungs]

    def has_pung(self, tile: Tile) -> bool:
        return tile in self.pung_tiles

    @property
    def dragon_pungs(self) -> int:
        return sum([tile in t.DRAGONS for tile in self.pung_tiles])


@lru_cache(maxsize=8)
def of_winner(case: Case) -> Holding:
    """The holding of a winning reading, wild tiles as read."""

    def pungs() -> list[Pung]:
        if case.self_drawn:  # then no pung was finished by another player, wherever the winning tile stands
            return [Pung(group.tile, not group.claimed, group.shape == KONG) for group in case.pungs]
        return [
            Pung(group.tile, not group.claimed and not case.finished(index), group.shape == KONG)
            for index, group in enumerate(case.groups)
            if group.shape == PUNG or group.shape == KONG
        ]

    return Holding(case.seat_wind, case.player, pungs, lambda: [pair.tile for pair in case.pairs])


def of_loser(record: Record, rules: Ruleset, seat: int) -> Holding:
    """The holding of a hand that did not win: three or four alike are a pung, wild tiles count nothing.

    Raises RecordError where the hand is not given: without it the losers cannot settle.
    """
    player, wild = record.players[seat], rules.wild_kinds(record)
    if player.hand is None:
        raise RecordError(f"players[{seat}].hand: {rules.id} needs every hand for the payments between losers")
    counts = Counter(tile for tile in player.hand if tile not in wild)
    pungs = [Pung(tile, True) for tile, n in counts.items() if n >= 3]
    pungs += [
        Pung(meld.tiles[0], not meld.is_claimed, meld.is_kong) for meld in player.melds if meld.kind != "chow"
    ]
    wind = t.WINDS[(seat - record.dealer) % rules.players]
    return Holding(wind, player, lambda: pungs, lambda: [tile for tile, n in counts.items() if n == 2])


@dataclass(frozen=True)
class Item:
    """Something that scores in any hand: ``worth`` in ``unit`` ("fu" or "tai") for each time ``count`` finds it;
    ``loser_worth`` where it is worth something else in a hand that did not win."""

    id: str
    native: str
    english: str
    worth: int
    count: Callable[[Holding], int]
    unit: str = "fu"
    loser_worth: int | None = None
    note: str = ""

    @property
    def pattern(self) -> Pattern:
        """The item in a winner's hand."""
        count = self.count
        return Pattern(
            self.id, self.native, self.english, self.worth, lambda case: count(of_winner(case)), self.unit, note=self.note
        )


def points(items: Iterable[Item], holding: Holding) -> int:
    """Fu x 2^tai of a hand that did not win."""
    total = {"fu": 0, "tai": 0}
    for item in items:
        worth = item.worth if item.loser_worth is None else item.loser_worth
        total[item.unit] += worth * item.count(holding)
    return int(total["fu"] * 2 ** total["tai"])


def valued_pairs(holding: Holding) -> int:
    """Pairs of dragons and of the own seat wind."""
    return sum([pair in (*t.DRAGONS, holding.wind) for pair in holding.pairs])


def own_bonus(holding: Holding) -> int:
    """Bonus tiles of the own seat: East number 1, and so on."""
    return sum([t.rank(tile) == t.WINDS.index(holding.wind) + 1 for tile in holding.bonus])


def all_seasons(holding: Holding) -> bool:
    return set(t.SEASONS) <= set(holding.bonus)


PUNG_ITEMS = (
    Item("mingke", "明刻", "exposed pung", 2, lambda h: h.worth[False], note="2 to 8: 2 fu; 1, 9, honours: 4 fu"),
    Item("anke", "暗刻", "concealed pung", 4, lambda h: h.worth[True], note="2 to 8: 4 fu; 1, 9, honours: 8 fu"),
    Item("minggang", "明槓", "exposed kong", 8, lambda h: h.kong_worth(False), note="2 to 8: 8 fu; 1, 9, honours: 16 fu"),
    Item("angang", "暗槓", "concealed kong", 16, lambda h: h.kong_worth(True), note="2 to 8: 16 fu; 1, 9, honours: 32 fu"),
)
SEASON_ITEMS = (
    Item("huapai", "花牌", "seasons", 4, lambda h: len(h.bonus)),
    Item("zuohua", "坐花", "own season", 1, lambda h: 0 if all_seasons(h) else own_bonus(h), "tai"),
)
DRAGONS = Item("sanyuan", "中發白", "dragon pung", 1, lambda h: h.dragon_pungs, "tai", note="each")


def own_wind(item_id: str, native: str) -> Item:
    """A pung or kong of the seat wind; there is no prevailing wind in these rule sets."""
    return Item(item_id, native, "own wind pung", 1, lambda h: h.has_pung(h.wind), "tai")


def four_seasons(item_id: str, native: str) -> Item:
    return Item(item_id, native, "four seasons", 2, all_seasons, "tai", note="in place of the own season's tai")


def patterns(*items: Item) -> tuple[Pattern, ...]:
    return tuple(item.pattern for item in items)


def side_payments(
    outcome: Outcome, loser_points: Callable[[int], float], owed: Callable[[int, int, float], float]
) -> list[Payment]:
    """Between each two losers the lower pays the higher; ``owed(a, b, difference)`` is what the difference costs."""
    if not outcome.winners:
        return []
    winners = {verdict.win.seat for verdict in outcome.winners}
    losers = [seat for seat in range(outcome.rules.players) if seat not in winners]
    worth = {seat: loser_points(seat) for seat in losers}
    out = []
    for a, b in combinations(losers, 2):
        low, high = (a, b) if worth[a] < worth[b] else (b, a)
        out.append(Payment(low, high, owed(a, b, worth[high] - worth[low]), "difference between losers"))
    return out
