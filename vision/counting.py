"""Standing tiles counted over time: a hand is believed to be long or short only where the counts leave hardly a doubt.

A reader misses a tile, or sees one twice, in the same way as long as the hand stands unmoved; so the looks between two
actions of a player are one observation: what was seen most often. Observations are told apart by what they can show:
more tiles surely seen than there should be (long), fewer than there should be even with those that may hide in the gaps
(short), all there should be, or nothing certain. How often an observation is wrong is learnt from all players of the game.

Against a hand that is long or short from some action on stands a row that is always read wrongly by as much: so what
was seen before counts as well as what is seen since (Bayes over where it began, and over the reader's bias).
"""

import math
from collections import Counter

APART = 0.4  # seconds between looks that count
LOOKS = 4  # looks that make an observation while the hand has not moved since,
FEW = 2  # and once it has
OFF = 0.002  # how likely a hand becomes long or short with an action of the player, before anything is counted
BIASED = 0.25  # how likely a player's row is always read wrongly by the same number, in shares of observations that are wrong,
BEGINS = 0.02  # and how likely it is so from an action of his on, in squares of that share
ALIKE = 0.6  # share of wrong observations that are wrong by the same number
WHOLE = 0.3  # share of observations in which all tiles of a hand are surely seen
BELIEVED = 0.9  # a hand is off that is so with this probability
PRIOR = (0.7, 12.0)  # wrong observations among so many, before any is made,
UNCLEAR = 0.25  # what an observation that tells nothing weighs among them,
SURPLUS = (0.2, 20.0)  # and those in which more tiles were surely seen than there are
RELIABLE = 0.05  # share of wrong observations below which a single one says something


class Counts:
    """The standing tiles of each player, as differences from what is expected (0: as it should be)."""

    def __init__(self, players: int) -> None:
        self._last: list[int | None] = [None] * players
        self._stage: list[object] = [None] * players
        self._looks: list[Counter[int | None]] = [Counter() for _ in range(players)]
        self._at = [-APART] * players
        self._run: list[tuple[int | None, int]] = [(None, 0)] * players
        self._seen: list[list[int | None]] = [[] for _ in range(players)]
        self._before: list[list[int | None]] = []  # in earlier hands
        self._told: dict[int, int] = {}

    def last(self, seat: int) -> int | None:
        """The number of tiles at the last settled look."""
        return self._last[seat]

    def wrong(self, seat: int | None = None, surplus: bool = False) -> float:
        """The share of observations that are wrong (``surplus``: by tiles too many), as learnt so far in this game, from all
        hands but that of ``seat``, which may be off."""
        mistakes, number = SURPLUS if surplus else PRIOR
        for told in [*self._before, *(seen for at, seen in enumerate(self._seen) if at != seat)]:
            number += len(told)
            mistakes += sum((d or 0) > 0 if surplus else UNCLEAR if d is None else bool(d) for d in told)
        return mistakes / number

    def next_hand(self) -> None:
        """Hands are dealt anew; what has been learnt of the reader stays."""
        self._before += [seen for seen in self._seen if seen]
        players = len(self._seen)
        self._last, self._stage = [None] * players, [None] * players
        self._looks, self._seen = [Counter() for _ in range(players)], [[] for _ in range(players)]
        self._told.clear()

    @property
    def reliable(self) -> bool:
        return self.wrong() <= RELIABLE

    def look(self, seat: int, seen: int, difference: int | None, stage: object, t: float) -> int | None:
        """Take a count: ``seen`` tiles, ``difference`` more than expected (None: nothing certain), in a ``stage`` that
        changes with every action of the player. The difference where the hand has just become certain to be off by it."""
        self._last[seat] = seen
        if stage != self._stage[seat]:
            self._close(seat)
            self._stage[seat] = stage
        if t - self._at[seat] >= APART:
            self._at[seat] = t
            self._count(seat, difference)
        return self._verdict(seat)

    def _count(self, seat: int, difference: int | None) -> None:
        """One more look; where the hand has been seen otherwise for as long before, that was an observation of its own."""
        value, run = self._run[seat]
        self._run[seat] = difference, run + 1 if difference == value else 1
        looks = self._looks[seat]
        looks[difference] += 1
        if self._run[seat][1] == LOOKS and looks.most_common(1)[0][0] != difference:
            looks[difference] = 0
            self._close(seat)
            looks[difference] = LOOKS

    def seen(self, seat: int, number: int) -> None:
        """A count that nothing can be expected of."""
        self._last[seat] = number

    def settled(self, seat: int) -> None:
        """The hand's size is known otherwise from here on: what was counted before says nothing any more."""
        self._seen[seat].clear()
        self._looks[seat].clear()
        self._run[seat] = None, 0
        self._told.pop(seat, None)

    def _close(self, seat: int) -> None:
        looks = self._looks[seat]
        if looks.total() >= FEW:
            self._seen[seat].append(looks.most_common(1)[0][0])
        looks.clear()

    def _verdict(self, seat: int) -> int | None:
        seen = list(self._seen[seat])
        if self._looks[seat].total() >= LOOKS:
            seen.append(self._looks[seat].most_common(1)[0][0])
        surplus = Counter(d for d in seen if d is not None and d > 0)
        off = surplus.most_common(1)[0][0] if surplus else next((d for d in reversed(seen) if d is not None), 0)
        if not off:
            self._told.pop(seat, None)
            return None
        if self.believed(seen, off, seat) < BELIEVED or self._told.get(seat) == off:
            return None
        self._told[seat] = off
        return off

    def believed(self, seen: list[int | None], off: int, seat: int | None = None) -> float:
        """How likely a hand is off by ``off`` from some observation on, given what was seen in order."""
        share = self.wrong(seat, off > 0)
        right, wrong = math.log(1 - share), math.log(share * ALIKE)
        seldom, mostly = math.log(WHOLE), math.log(1 - WHOLE)

        def fits(expected: int, told: list[int | None]) -> float:
            if off > 0:  # a tile more is seen only where all of them are
                if expected:
                    return sum(seldom if d == expected else mostly for d in told)
                return sum(wrong if (d or 0) > 0 else right for d in told)
            return sum(right if (d or 0) == expected else wrong for d in told)

        begun = [fits(0, seen[:k]) + fits(off, seen[k:]) for k in range(len(seen))]
        biased = [math.log(BIASED * share) + begun[0], *(math.log(BEGINS) + 2 * math.log(share) + fit for fit in begun[1:])]
        fair = math.log(1 - BIASED * share) + fits(0, seen)
        most = max(fair, *biased, *begun)
        is_off = sum(OFF * math.exp(fit - most) for fit in begun)
        return is_off / (is_off + math.exp(fair - most) + sum(math.exp(x - most) for x in biased))
