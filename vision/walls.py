"""Draws that are seen: the stacks of the walls, and which of them have lost a tile.

The upper tile of a stack is nearer to the camera, so it seems to lie further out than the lower one: when it is taken,
the stack seems to shift, and when the lower one is taken the place is bare. A wall is drawn from its two ends alone, the head
and the tail, so a small shift there says as much as a larger one elsewhere.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from vision.zones import SIZE, Spot

SUNK = 0.065  # of a tile's width by which a stack seems to lie further in when its upper tile is taken, seen from above,
FAR = 0.2  # or elsewhere, seen aslant
PUSHED = 0.1  # of a tile's width: what has moved by more and lies at no end was pushed
NEAR = 0.85  # of a tile's width: a back found so near to a stack that was lost is that stack
COVERED = 0.7  # of a tile's width: a tile face up so near to a stack lies on it
WAITED = 0.4  # seconds a stack must be missed before it is believed to be gone
NEXT_TO_END = 2  # stacks at each end that are looked at closely
REBUILT = 5  # stacks that shift at once were pushed
NEXT = 1.6  # widths between neighbours in a wall, round a corner too
NEVER = 6.0  # seconds after which what is missed has not just been drawn
SURE = 0.5  # how surely a tile of the wall is seen
TOGETHER = 3  # stacks gone whole from which it is asked whether upper tiles are seen to go at all
LEAST = 12  # stacks of which a wall is made


@dataclass(frozen=True)
class Drawn:
    """A tile taken from the wall: when it was seen to be gone, from which end, and whether it may have gone long before."""

    t: float
    end: str
    late: bool = False


@dataclass
class Stack:
    """A stack: where it stood (mm), its tiles, the track that shows it, where it is seen now, since when it is missed;
    ``covered``: nobody can tell any more, for a tile turned up lies there, or it has been out of sight too long."""

    x: float
    y: float
    tiles: int
    track: int
    at: tuple[float, float]
    missed: float | None = None
    covered: bool = False

    @property
    def shift(self) -> float:
        """How far it seems to have shifted, mm."""
        return math.hypot(self.at[0] - self.x, self.at[1] - self.y)

    def settle(self) -> None:
        """It stands where it is seen now."""
        self.x, self.y = self.at

    def away(self, spot: Spot) -> float:
        """How far a tile lies from it, mm."""
        return math.hypot(spot.track.x - self.x, spot.track.y - self.y)


class Walls:
    """The stacks of all walls in the order of drawing. ``width``: a tile's, mm; ``deep``: tiles in a stack."""

    def __init__(self, width: float, deep: int = 2) -> None:
        self.width, self.deep = width, deep
        self.stacks: list[Stack] = []
        self.odd = False  # did the deal end within a stack?
        self.singly = self.at_once = 0  # stacks of which the upper tile was seen to go first, and whose tiles went together

    def stand(self, spots: Sequence[Spot], left: int | None) -> None:
        """Take the walls as they stand after the deal: ``left`` tiles are in them, where that is known."""
        solid = [s for s in spots if s.track.sure >= SURE and SIZE[0] < s.track.width / self.width < SIZE[1]]
        beside = [s for s in solid if any(0 < self._apart(s, o) < NEXT for o in solid)]
        stacks = [Stack(s.track.x, s.track.y, self.deep, s.track.id, (s.track.x, s.track.y)) for s in beside]
        self.stacks = self._in_order(stacks)
        self.odd = bool(self.stacks) and self.deep == 2 and left is not None and left % 2 == 1
        if self.odd:
            self.stacks[0].tiles = 1  # the deal ended within a stack

    def whole(self, end: str, drawn: int) -> bool:
        """Whether the next stack at an end has all its tiles once so many have been drawn from it."""
        return (drawn - (self.odd and end == "head")) % self.deep == 0

    def half(self, end: str) -> bool:
        """Whether all that was seen to go of the stack at an end is its upper tile."""
        return bool(self.stacks) and self.stacks[0 if end == "head" else -1].tiles < self.deep

    @property
    def trusted(self) -> bool:
        """Whether there are walls to be seen, and seen so well that it shows when the upper tile of a stack is taken: where
        most go whole, as on dark backs, the account of single draws is right only by chance."""
        blind = self.at_once >= TOGETHER and self.at_once > self.singly
        return len(self.stacks) >= LEAST and not blind

    def _apart(self, a: Spot, b: Spot) -> float:
        return math.hypot(a.track.x - b.track.x, a.track.y - b.track.y) / self.width

    def _in_order(self, stacks: list[Stack]) -> list[Stack]:
        """Clockwise from the widest gap, where the wall was broken: that is the head."""
        ring = sorted(stacks, key=lambda s: -math.atan2(s.y, s.x))
        if len(ring) < 2:
            return ring
        angles = [-math.atan2(s.y, s.x) for s in ring]
        gaps = [(angles[k] - angles[k - 1]) % (2 * math.pi) for k in range(len(ring))]
        first = max(range(len(ring)), key=gaps.__getitem__)
        return ring[first:] + ring[:first]

    def look(self, walls: Sequence[Spot], faces: Sequence[Spot], now: float) -> list[Drawn]:
        """What has been taken since the last look, given the ``walls`` and the ``faces`` that lie about now."""
        seen = {s.track.id: s for s in walls}
        mine = {stack.track for stack in self.stacks}
        strange = [s for s in walls if s.track.id not in mine]
        for stack in self.stacks:
            self._find(stack, seen, strange, faces, now)
        if sum(stack.shift > PUSHED * self.width for stack in self.stacks) >= REBUILT:
            for stack in self.stacks:
                stack.settle()
            return []
        drawn = self._taken("head", now) + self._taken("tail", now)
        for stack in self.stacks[NEXT_TO_END:-NEXT_TO_END]:
            if stack.shift > PUSHED * self.width:
                stack.settle()  # pushed, for nobody draws from the middle
        return drawn

    def _find(
        self, stack: Stack, seen: dict[int, Spot], strange: Sequence[Spot], faces: Sequence[Spot], now: float
    ) -> None:
        """Where a stack is seen now: its own track, or the back that lies where it was lost."""
        spot = seen.get(stack.track) or min(strange, key=stack.away, default=None)
        if spot is not None and (spot.track.id == stack.track or stack.away(spot) < NEAR * self.width):
            stack.track, stack.missed = spot.track.id, None
            stack.at = spot.track.x, spot.track.y
            return
        stack.covered = stack.covered or any(stack.away(s) < COVERED * self.width for s in faces)
        stack.missed = now if stack.missed is None else stack.missed

    def _taken(self, end: str, now: float) -> list[Drawn]:
        """What has been taken from one end."""
        drawn: list[Drawn] = []
        while len(self.stacks) > 1:
            stack, following = self.stacks[:2] if end == "head" else self.stacks[:-3:-1]
            if stack.missed is None and self._gone(following, now):
                self.stacks.remove(stack)  # the wall is drawn past it, so it is none
                continue
            lost = self._lost(stack, now)
            self.at_once += lost > 1
            self.singly += lost == 1 < stack.tiles
            drawn += [Drawn(now, end, late=k + 1 < lost) for k in range(lost)]
            stack.tiles -= lost
            if stack.tiles and not stack.covered:
                break
            self.stacks.remove(stack)
        return drawn

    def _lost(self, stack: Stack, now: float) -> int:
        """How many tiles the stack at an end has lost."""
        if stack.covered:
            return 0
        if stack.missed is not None:
            if now - stack.missed < WAITED:
                return 0
            stack.covered = now - stack.missed > NEVER  # it was none, or has been lost from sight
            return 0 if stack.covered else stack.tiles
        if stack.tiles < self.deep or self.deep == 1 or not self._sunk(stack):
            return 0
        stack.settle()
        return 1

    def _gone(self, stack: Stack, now: float) -> bool:
        """Whether a stack has been missed for a while."""
        return stack.missed is not None and not stack.covered and now - stack.missed >= WAITED

    def _sunk(self, stack: Stack) -> bool:
        """Whether the upper tile is gone: from above the lower one seems to lie further in; seen aslant, much further off."""
        x, y = stack.x, stack.y
        inward = (x * (x - stack.at[0]) + y * (y - stack.at[1])) / max(math.hypot(x, y), 1.0)
        return inward > SUNK * self.width or stack.shift > FAR * self.width
