"""Standing tiles counted over time: a hand is believed to be long or short only where the counts leave hardly a doubt.

A reader misses a tile, or sees one twice, in the same way as long as the hand stands unmoved; so the looks between two
actions of a player are one observation: the number seen most often. How often such an observation is wrong is learnt from
all players of the game. Each that agrees makes it likelier that the hand is off, each that does not less likely (Bayes).
"""

from collections import Counter

APART = 0.4  # seconds between looks that count
LOOKS = 4  # looks that make an observation while the hand has not moved since,
FEW = 2  # and once it has
OFF = 0.004  # share of hands that are long or short at a time, before anything is counted
ALIKE = 0.6  # share of wrong observations that are wrong by the same number
REPEATED = 0.75  # what a further observation of the same number weighs: a tile overlooked once is so again
BELIEVED = 0.99  # a hand is off that is so with this probability
PRIOR = (1.0, 16.0)  # wrong observations among so many, before any is made
RELIABLE = 0.04  # share of wrong observations below which a single one says something


class Counts:
    """The standing tiles of each player, as differences from what is expected (0: as it should be)."""

    def __init__(self, players: int) -> None:
        self._last: list[int | None] = [None] * players
        self._stage: list[object] = [None] * players
        self._looks: list[Counter[int]] = [Counter() for _ in range(players)]
        self._at = [-APART] * players
        self._seen: list[list[int]] = [[] for _ in range(players)]
        self._told: dict[int, int] = {}

    def last(self, seat: int) -> int | None:
        """The number of tiles at the last settled look."""
        return self._last[seat]

    @property
    def wrong(self) -> float:
        """The share of observations that are wrong, as learnt so far; those of a hand that is off agree among themselves."""
        every = [d for seen in self._seen for d in seen]
        mistakes = sum(len(seen) - max(Counter(seen).values()) for seen in self._seen if seen)
        return (PRIOR[0] + mistakes) / (PRIOR[1] + len(every))

    @property
    def reliable(self) -> bool:
        return self.wrong <= RELIABLE

    def look(self, seat: int, seen: int, difference: int, stage: object, t: float) -> int | None:
        """Take a count: ``seen`` tiles, ``difference`` more than expected, in a ``stage`` that changes with every action of the
        player. The difference where the hand has just become certain to be off by it."""
        self._last[seat] = seen
        if stage != self._stage[seat]:
            self._close(seat)
            self._stage[seat] = stage
        if t - self._at[seat] >= APART:
            self._at[seat] = t
            self._looks[seat][difference] += 1
        return self._verdict(seat)

    def seen(self, seat: int, number: int) -> None:
        """A count that nothing can be expected of."""
        self._last[seat] = number

    def settled(self, seat: int) -> None:
        """The hand's size is known otherwise from here on: what was counted before says nothing any more."""
        self._seen[seat].clear()
        self._looks[seat].clear()
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
        if not seen or not seen[-1]:
            self._told.pop(seat, None)
            return None
        off = seen[-1]
        if self.believed(seen, off) < BELIEVED or self._told.get(seat) == off:
            return None
        self._told[seat] = off
        return off

    def believed(self, seen: list[int], off: int) -> float:
        """How likely a hand is off by ``off`` from some observation on, given what was seen in order."""
        wrong = self.wrong
        best = odds = OFF / (1 - OFF)
        agreeing = (1 - wrong) / (wrong * ALIKE)
        for k, d in enumerate(reversed(seen)):
            odds *= agreeing ** (REPEATED if k else 1.0) if d == off else 1 / agreeing if d == 0 else 1.0
            best = max(best, odds)
        return best / (1 + best)
