"""From an event log to who moves which tile where and when: the choreography of a hand, before any picture.

`choreograph` reads the events of one hand (objects of the event log) and gives a `Script`: where every tile starts,
all movements of tiles and hands with their times, the dice, and for each event the time at which it has happened on
the table. Unknown tiles get faces that fit. Nothing here knows a rule set: foul play is moved like any other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from referee.rules.tiles import NAMES, parse
from vision.render.faces import FACES
from vision.render.layout import (
    INNER_STACKS,
    Layout,
    bonus_place,
    centre_place,
    hand_place,
    meld_corner,
    meld_shape,
    meld_width,
    place,
    river_place,
    wall_ring,
)
from vision.render.scene import Tile

Point = tuple[float, float, float]


@dataclass(frozen=True)
class Motion:
    """A tile goes from one rest to another between two times, lifted by `lift` millimetres on the way."""

    track: int
    t0: float
    t1: float
    start: Tile
    end: Tile
    lift: float


@dataclass(frozen=True)
class Key:
    """A hand's finger tips at a time; `shut` how far the hand has closed to its grip."""

    t: float
    point: Point
    grip: str = "pinch"
    shut: float = 1.0


@dataclass(frozen=True)
class Reach:
    """A hand of a seat that comes in, does something and goes."""

    seat: int
    keys: tuple[Key, ...]
    left: bool = False


@dataclass(frozen=True)
class Throw:
    """Dice thrown: they roll from t0 and lie from t1."""

    t0: float
    t1: float
    values: tuple[int, ...]
    seat: int


@dataclass(frozen=True)
class Script:
    """A hand as it moves: `tiles` by track at the start, movements in order of time, `times` one an event."""

    tiles: tuple[Tile, ...]
    motions: tuple[Motion, ...]
    reaches: tuple[Reach, ...]
    throws: tuple[Throw, ...]
    times: tuple[float, ...]
    length: float


@dataclass
class _Claim:
    seat: int
    tracks: list[int]
    discard: int
    width: float
    before: Tile
    by: int


@dataclass
class _Table:
    """What lies where as the script goes on."""

    rest: dict[int, Tile] = field(default_factory=dict)
    faces: dict[int, str | None] = field(default_factory=dict)
    stacks: list[list[int]] = field(default_factory=list)
    hands: list[list[int]] = field(default_factory=list)
    drawn: list[int | None] = field(default_factory=list)
    melds: list[list[tuple[str, list[int]]]] = field(default_factory=list)
    meld_width: list[float] = field(default_factory=list)
    bonus: list[int] = field(default_factory=list)
    river: list[int] = field(default_factory=list)
    middle: list[tuple[float, float]] = field(default_factory=list)
    open: list[bool] = field(default_factory=list)
    discard: int | None = None
    turned_up: list[int] = field(default_factory=list)  # indicators, the last one the one that counts


def keys_from(keys: Sequence[Key], point: Point) -> tuple[Key, ...]:
    """The same way, begun at another point."""
    return (replace(keys[0], point=point), *keys[1:])


def _names(text: object) -> list[str | None]:
    """Faces of a tile string or of a list of tiles; null stands for a tile nobody saw."""
    if isinstance(text, str):
        return [NAMES[t] for t in parse(text)]
    if isinstance(text, Sequence):
        return [None if part is None else NAMES[parse(part)[0]] for part in text]
    raise ValueError(f"tiles expected, not {text!r}")


_ORDER = {face: i for i, face in enumerate(FACES)}
RESTING_STACK = 9  # an indicator taken from an end of the wall lies on this stack from the tail, safe from replacements


@dataclass(frozen=True)
class Customs:
    """How a table behaves: `pace` (1 ordinary, less is faster), `opening` "standing" (walls stand), "shuffle" (tiles are
    stirred and walls built first) or "rising" (walls come up out of an automatic table), `bustle` how often tiles are
    knocked askew or a hand idles over the table (0 to 1), `closing` what happens after the hand: "none", "gather" (all tiles
    are pushed together in the middle) or "swallow" (and into an automatic table), `heard` for how many seconds a set lies
    before who laid it gives way to a better claim."""

    pace: float = 1.0
    opening: str = "standing"
    bustle: float = 0.0
    closing: str = "none"
    heard: float = 0.0


def _rings(count: int, step: float) -> list[tuple[int, float]]:
    """Places in rings about the middle, a step apart both ways: ring number and angle."""
    spots, ring = [], 1
    while len(spots) < count:
        room = int(2 * np.pi * ring)
        spots += [(ring, 2 * np.pi * i / room) for i in range(room)]
        ring += 1
    return spots[:count]


class _Director:
    """Plays the events on the table and notes movements; the methods named like events move them."""

    def __init__(
        self,
        layout: Layout,
        seed: int,
        customs: Customs,
        deck: Sequence[str],
        known: Mapping[int, str] | None,
        aside: frozenset[str] = frozenset(),
    ) -> None:
        self.layout, self.customs, self.deck, self.aside = layout, customs, deck, aside
        self.pace = customs.pace
        self.rng = np.random.default_rng([seed, 71])
        # Unrest has a generator of its own: with it or without, the hand itself goes the same way.
        self.unrest = np.random.default_rng([seed, 72])
        self.known = dict(known or {})
        self.t = 0.8 * self.pace
        self.motions: list[Motion] = []
        self.reaches: list[Reach] = []
        self.throws: list[Throw] = []
        self.claim: _Claim | None = None
        n = layout.seats
        self.table = _Table(
            hands=[[] for _ in range(n)], drawn=[None] * n, melds=[[] for _ in range(n)], meld_width=[0.0] * n,
            bonus=[0] * n, river=[0] * n, open=[False] * n,
        )  # fmt: skip
        self.dealer = 0
        self.cut: tuple[int, int] | None = None
        self._build()

    # ------------------------------------------------------------ tools

    def _build(self) -> None:
        """Walls, two tiles a stack, in the order they are drawn from seat 0's right end."""
        track = 0
        for stack in wall_ring(self.layout):
            pile = []
            for spot in stack:
                tile = place(
                    self.layout, spot.seat, spot.x, spot.y, spot.level, track=track, face="1m", zone="wall", facing="down",
                    turn=spot.turn,
                )  # fmt: skip
                self.table.rest[track] = tile
                self.table.faces[track] = None
                pile.append(track)
                track += 1
            self.table.stacks.append(pile)
        self.ring = [list(stack) for stack in self.table.stacks]
        self.start = dict(self.table.rest)
        if self.customs.opening == "shuffle":
            self._shuffle()
        elif self.customs.opening == "rising":
            self._rise()

    def _shuffle(self) -> None:
        """Begins with all tiles face down (a few up) in rings that hands stir, then the walls are built."""
        walls = dict(self.table.rest)
        rng, size = self.unrest, self.layout.size
        step = float(np.hypot(size.width, size.height)) * 1.02
        spots = _rings(len(walls), step)
        for track, (ring, angle) in zip(rng.permutation(len(walls)), spots, strict=True):
            up = rng.random() < 0.12
            self.table.rest[int(track)] = self._stirred(walls[int(track)], ring * step, angle, up)
        self.start = dict(self.table.rest)
        at = {t: (float(np.hypot(v.x, v.y)), float(np.arctan2(v.y, v.x))) for t, v in self.table.rest.items()}
        for _ in range(4):
            length = 0.7 * self.pace * float(np.exp(rng.normal(0, 0.1)))
            turns = rng.normal(0.5, 0.25, 12) * rng.choice([-1, 1])
            for track, (r, angle) in at.items():
                angle += float(turns[int(r / step) % 12])
                at[track] = (r, angle)
                up = self.table.rest[track].pitch == 0 and rng.random() < 0.7
                self._move(track, self._stirred(walls[track], r, angle, up), self.t, self.t + length, 0.0)
            for seat in range(self.layout.seats):
                for side in (-1, 1):
                    self._stir(seat, side, self.t, self.t + length)
            self.t += length
        self.t += 0.3 * self.pace
        end = self.t
        for k, track in enumerate(sorted(walls)):
            t0 = self.t + self.pace * (0.2 + 0.045 * (k % 36))
            self._move(track, walls[track], t0, t0 + 0.5 * self.pace, 30.0)
            end = max(end, t0 + 0.5 * self.pace)
        for seat in range(self.layout.seats):
            for side in (-1, 1):
                self._stir(seat, side, self.t, end)
        self.t = end + 0.5 * self.pace

    def _rise(self) -> None:
        """Begins with the walls under an automatic table, which lifts them all at once."""
        deep = 2 * self.layout.size.depth + 8.0
        walls = dict(self.table.rest)
        self.start = {track: replace(tile, z=tile.z - deep) for track, tile in walls.items()}
        self.table.rest = dict(self.start)
        t1 = self.t + 1.6 * self.pace
        for track, tile in walls.items():
            self._move(track, tile, self.t, t1, 0.0)
        self.t = t1 + 0.6 * self.pace

    def close(self) -> None:
        """What happens after the hand."""
        if self.customs.closing == "none":
            return
        rng, rest = self.unrest, self.table.rest
        step = float(np.hypot(self.layout.size.width, self.layout.size.height)) * 1.02
        self.t += 0.6 * self.pace
        # Those nearest the middle go furthest in, each on its own side, so that few have to pass over others.
        order = sorted(rest, key=lambda track: np.hypot(rest[track].x, rest[track].y))
        begun, end = self.t, self.t + 2.4 * self.pace
        rings = Counter(ring for ring, _ in _rings(len(order), step))
        for ring, count in rings.items():
            inside, order = order[:count], order[count:]
            inside.sort(key=lambda track: float(np.arctan2(rest[track].y, rest[track].x)) % (2 * np.pi))
            for k, track in enumerate(inside):
                old = rest[track]
                up = old.pitch == 0.0 and rng.random() < 0.3
                t0 = max(begun + self.pace * float(rng.uniform(0.2, 0.9)), self._until(track))
                self._move(track, self._stirred(old, ring * step, 2 * np.pi * k / count, up), t0, end, 6.0)
        for seat in range(self.layout.seats):
            for side in (-1, 1):
                self._shove(seat, side, begun, end)
        self.t = end + 0.2 * self.pace
        if self.customs.closing == "swallow":
            self._swallow()

    def _swallow(self) -> None:
        """Ring by ring the tiles go down in the middle of the table."""
        size, rng = self.layout.size, self.unrest
        start = self.t
        far = max(float(np.hypot(tile.x, tile.y)) for tile in self.table.rest.values())
        for track, tile in list(self.table.rest.items()):
            r = float(np.hypot(tile.x, tile.y))
            t0 = start + 2.6 * self.pace * r / far
            x, y = (float(v) for v in rng.normal(0, 0.6 * size.height, 2))
            way = self.pace * (0.3 + 0.5 * r / far)
            edge = replace(tile, x=x, y=y)
            self._move(track, edge, t0, t0 + way, 0.0)
            self._move(track, replace(edge, z=-3 * size.depth), t0 + way, t0 + way + 0.2 * self.pace, 0.0)
        for seat in range(self.layout.seats):
            for side in (-1, 1):
                self._shove(seat, side, start, start + 3.2 * self.pace)
        self.t = start + 3.8 * self.pace

    def _shove(self, seat: int, side: int, t0: float, t1: float) -> None:
        """A hand that pushes what lies before it to the middle and goes home."""
        reach, home = self.layout.half, self._home(seat)
        low = self.layout.size.depth / 2
        a = self._world(seat, side * 0.4 * reach, -0.95 * reach, low)
        b = self._world(seat, side * 0.15 * reach, -0.3 * reach, low)
        ways = ((0.0, home), (0.2, a), (0.8, b), (1.0, home))
        self.reaches.append(Reach(seat, tuple(Key(t0 + k * (t1 - t0), p, "push") for k, p in ways), side < 0))

    def _stirred(self, tile: Tile, r: float, angle: float, up: bool) -> Tile:
        x, y = float(r * np.cos(angle)), float(r * np.sin(angle))
        turn = float(np.rad2deg(angle) * 3 + self.unrest.normal(0, 20))
        z = self.layout.size.depth / 2
        return replace(tile, x=x, y=y, z=z, yaw=turn, pitch=0.0 if up else 180.0, zone="centre", seat=None)

    def _stir(self, seat: int, side: int, t0: float, t1: float) -> None:
        """A hand that goes round over the tiles."""
        reach, keys = self.layout.half, []
        for k, t in enumerate(np.linspace(t0, t1, 4)):
            x = side * (0.12 + 0.3 * float(self.unrest.random())) * reach
            y = -(0.25 + 0.5 * float(self.unrest.random())) * reach
            keys.append(Key(float(t), self._world(seat, x, y, self.layout.size.depth + 8), "push" if k else "flat"))
        self.reaches.append(Reach(seat, tuple(keys), side < 0))

    def _bustle(self, seat: int) -> None:
        """Now and then tiles are knocked askew, or another player's hand comes over the table and goes again."""
        rng, table = self.unrest, self.table
        if rng.random() < self.customs.bustle:
            lying = [
                t
                for t, v in table.rest.items()
                if v.zone.startswith(("river", "centre")) and v.z < self.layout.size.depth
            ]
            for track in rng.permutation(lying)[: int(rng.integers(1, 3))]:
                old = table.rest[int(track)]
                dx, dy, turn = (float(v) for v in rng.normal(0, 1, 3) * (2.5, 2.5, 6.0))
                if (busy := self._until(int(track))) > self.t - 0.3:
                    continue
                end = replace(old, x=old.x + dx, y=old.y + dy, yaw=old.yaw + turn)
                self._move(int(track), end, max(busy, self.t - 0.2), self.t, 0.0)
        if rng.random() < self.customs.bustle:
            other = (seat + int(rng.integers(1, self.layout.seats))) % self.layout.seats
            x, y = float(rng.normal(0, 0.3)) * self.layout.half, -float(rng.uniform(0.3, 0.95)) * self.layout.half
            over = self._world(other, x, y, float(rng.uniform(60, 130)))
            stay = float(rng.uniform(0.3, 2.0)) * self.pace
            home = self._home(other)
            way = ((0.0, home), (0.5, over), (0.5 + stay, over), (1.0 + stay, home))
            if all(r.seat != other or r.keys[-1].t <= self.t for r in self.reaches):
                self._reach(other, [Key(self.t + after, point, "flat") for after, point in way])

    def _until(self, track: int) -> float:
        """When a tile came to rest."""
        return next((m.t1 for m in reversed(self.motions) if m.track == track), 0.0)

    def _beat(self, seconds: float, spread: float = 0.25) -> float:
        return float(seconds * self.pace * np.exp(self.rng.normal(0, spread)))

    def _move(self, track: int, end: Tile, t0: float, t1: float, lift: float = 70.0) -> None:
        start = self.table.rest[track]
        end = replace(end, track=track)
        self.motions.append(Motion(track, t0, t1, start, end, lift))
        self.table.rest[track] = end

    def _home(self, seat: int) -> Point:
        y = -(self.layout.half + 330.0)
        return self._world(seat, 110.0, y, 70.0)

    def _world(self, seat: int, x: float, y: float, z: float) -> Point:
        a = np.deg2rad(90.0 * seat)
        return float(x * np.cos(a) - y * np.sin(a)), float(x * np.sin(a) + y * np.cos(a)), z

    def _over(self, tile: Tile) -> Point:
        size = self.layout.size
        tall = size.height if tile.pitch == 90 else size.depth
        return tile.x, tile.y, tile.z + tall / 2 + 4

    def _reach(self, seat: int, keys: Sequence[Key]) -> None:
        """A hand goes along `keys`, first the start; one still on its way home turns round instead."""
        at = next((i for i in range(len(self.reaches) - 1, -1, -1) if self.reaches[i].seat == seat), None)
        if at is not None and self.reaches[at].keys[-1].t > keys[0].t:
            before = self.reaches[at].keys
            done = [k for k in before if k.t < keys[0].t]
            after = next(k for k in before if k.t >= keys[0].t)
            if done:
                s = (keys[0].t - done[-1].t) / max(after.t - done[-1].t, 1e-6)
                a, b = np.array(done[-1].point), np.array(after.point)
                x, y, z = (float(v) for v in a + (b - a) * s * s * (3 - 2 * s))
                self.reaches[at] = Reach(seat, (*done, *keys_from(keys, (x, y, z))))
                return
        self.reaches.append(Reach(seat, tuple(keys)))

    def _carry(self, seat: int, moves: Sequence[tuple[int, Tile]], lift: float = 70.0, grip: str = "pinch") -> None:
        """One hand reaches out, takes tiles and puts them down; time goes on until they lie."""
        reach, carry, back = self._beat(0.34), self._beat(0.5), self._beat(0.4)
        first = self.table.rest[moves[0][0]]
        a, b = self._over(first), self._over(moves[0][1])
        t0, t1, t2 = self.t, self.t + reach, self.t + reach + carry
        middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, max(a[2], b[2]) + lift)
        keys = (
            Key(t0, self._home(seat), grip, 0.1), Key(t1, a, grip), Key((t1 + t2) / 2, middle, grip), Key(t2, b, grip),
            Key(t2 + back, self._home(seat), grip, 0.1),
        )  # fmt: skip
        self._reach(seat, keys)
        for track, end in moves:
            self._move(track, end, t1, t2, lift)
        self.t = t2

    def _take(self, seat: int, face: str | None) -> int:
        """The track of a tile of this face in a hand: the one just drawn first; an unseen tile becomes it if need be."""
        hand, faces = self.table.hands[seat], self.table.faces
        latest = self.table.drawn[seat]
        order = ([latest] if latest in hand else []) + [t for t in hand if t != latest]
        if face is None:
            return order[int(self.rng.integers(len(order)))]
        for track in order:
            if faces[track] == face:
                return track
        # Among unseen tiles, one that the other pass over the log found to be this face.
        unseen = [t for t in order if faces[t] is None]
        for track in unseen:
            if self.known.get(track) == face:
                faces[track] = face
                return track
        if not unseen:
            raise ValueError(f"seat {seat} holds no {face}")
        faces[unseen[-1]] = face
        return unseen[-1]

    def _rest_in_hand(self, seat: int, index: int, count: int, track: int, apart: bool) -> Tile:
        x, y = hand_place(self.layout, index, count, apart)
        facing = "up" if self.table.open[seat] else "standing"
        return place(
            self.layout, seat, x, y, track=track, face=self.table.rest[track].face, zone="hand", facing=facing,
            turn=float(self.rng.normal(0, 0.6)),
        )  # fmt: skip

    def _sort(self, seat: int, seconds: float = 0.35, keep_drawn: bool = False) -> None:
        """Tiles of a hand close up and go where they belong; the drawn one stays apart if asked."""
        table = self.table
        latest = table.drawn[seat] if keep_drawn else None
        hand = [t for t in table.hands[seat] if t != latest]
        hand.sort(key=lambda t: _ORDER.get(table.faces[t] or self.known.get(t, ""), 60))
        if latest is not None:
            hand.append(latest)
        table.hands[seat] = hand
        t1 = self.t + self._beat(seconds, 0.1)
        for i, track in enumerate(hand):
            end = self._rest_in_hand(seat, i, len(hand), track, track == latest)
            old = table.rest[track]
            if (old.x - end.x) ** 2 + (old.y - end.y) ** 2 > 1.0 or old.pitch != end.pitch:
                self._move(track, end, self.t, t1, 12.0)

    def _pop(self, tail: bool = False) -> int:
        """The next tile of the wall from its head or tail."""
        stacks = self.table.stacks
        while stacks and not stacks[-1 if tail else 0]:
            stacks.pop(-1 if tail else 0)
        if not stacks:
            raise ValueError("the wall has no tile left")
        stack = stacks[-1 if tail else 0]
        track = stack.pop(0)
        if track in self.table.turned_up:
            return self._pop(tail)
        return track

    # ------------------------------------------------------------ events

    def play(self, event: Mapping[str, Any]) -> float:
        """Moves what an event moves; the time at which it has happened."""
        move = getattr(self, f"on_{event['type']}", None)
        if move is not None:
            move(event)
        return self.t

    def on_start(self, event: Mapping[str, Any]) -> None:
        self.dealer = int(event.get("dealer", self.dealer))

    def on_dice(self, event: Mapping[str, Any]) -> None:
        seat = int(event.get("seat", self.dealer))
        values = tuple(int(v) for v in event["values"])
        roll = self._beat(0.8, 0.15)
        a = self._world(seat, 20, -self.layout.half * 0.45, 50)
        home = self._home(seat)
        self._reach(seat, (Key(self.t, home), Key(self.t + 0.35 * self.pace, a), Key(self.t + 0.9 * self.pace, home)))
        self.throws.append(Throw(self.t + 0.3 * self.pace, self.t + 0.3 * self.pace + roll, values, seat))
        self.t += 0.3 * self.pace + roll + self._beat(0.3)
        if event.get("for") == "wall":
            self.cut = ((self.dealer + sum(values) - 1) % self.layout.seats, sum(values))

    def on_deal(self, event: Mapping[str, Any]) -> None:
        if "wall" in event and "stacks" in event:
            self.cut = (int(event["wall"]), int(event["stacks"]))
        self._break()
        hands = event["hands"]
        wanted = [[None] * self._dealt(s) if h is None else _names(h) for s, h in enumerate(hands)]
        wanted = [list(w) for w in wanted]
        for w in wanted:
            self.rng.shuffle(w)  # type: ignore[arg-type]
        seats = [(self.dealer + k) % self.layout.seats for k in range(self.layout.seats)]
        got = [0] * self.layout.seats
        while any(got[s] < len(wanted[s]) for s in seats):
            for seat in seats:
                left = len(wanted[seat]) - got[seat]
                if left <= 0:
                    continue
                count = 4 if left >= 4 else 1
                faces = wanted[seat][got[seat] : got[seat] + count]
                got[seat] += count
                self._packet(seat, faces, len(wanted[seat]))
        for seat in seats:
            self._sort(seat, 0.7)
        self.t += self._beat(0.9)

    def _dealt(self, seat: int) -> int:
        return self.layout.hand + (1 if seat == self.dealer else 0)

    def _break(self) -> None:
        """Turns the ring of stacks so that drawing begins at the break."""
        seat, stacks = self.cut or (self.dealer, 7)
        ring = self.table.stacks
        if self.layout.wall == "inner_outer":
            # The inner wall is dealt out from the dealer's right; the outer one is broken and drawn from.
            inner = INNER_STACKS * self.layout.seats
            first = self._ring_index(self.dealer, 0, INNER_STACKS)
            outer = ring[inner:]
            at = (self._ring_index(seat) + stacks) % max(len(outer), 1)
            self.table.stacks = [*ring[first:inner], *ring[:first], *outer[at:], *outer[:at]]
            return
        at = (self._ring_index(seat) + stacks) % max(len(ring), 1)
        self.table.stacks = ring[at:] + ring[:at]

    def _ring_index(self, seat: int, stack: int = 0, length: int | None = None) -> int:
        """The place in the ring of a stack counted from a seat's right end."""
        n = self.layout.seats
        before = [(-k) % n for k in range((-seat) % n)]
        return sum(length or self.layout.stacks[s] for s in before) + stack

    def _packet(self, seat: int, faces: Sequence[str | None], total: int) -> None:
        table = self.table
        moves = []
        for face in faces:
            track = self._pop()
            table.faces[track] = face
            table.hands[seat].append(track)
            index = len(table.hands[seat]) - 1
            moves.append((track, self._rest_in_hand(seat, index, total, track, False)))
        pace, self.pace = self.pace, self.pace * 0.55
        self._carry(seat, moves, 50.0)
        self.pace = pace

    def on_indicator(self, event: Mapping[str, Any]) -> None:
        face = event.get("tile")
        track = self._indicator_track(event)
        self.table.turned_up.append(track)
        if face is not None:
            self.table.faces[track] = _names(face)[0]
        old = self.table.rest[track]
        end = replace(old, pitch=0.0, zone="indicator", z=old.z)
        under = self._under_indicator(track)
        if under is not None:
            end = replace(end, x=under.x, y=under.y, yaw=under.yaw, z=under.z + self.layout.size.depth + 0.2)
        self._carry(self.dealer, [(track, end)], 60.0)
        self.t += self._beat(0.5)

    def _under_indicator(self, track: int) -> Tile | None:
        """The tile an indicator taken from an end of the wall is laid on, near the tail; None where it stays in its place."""
        if self.layout.indicator not in ("head", "replacement"):
            return None
        piles = self._stacks_left()
        resting = RESTING_STACK + len(self.table.turned_up) - 1  # beside those turned up before
        return self.table.rest[piles[-min(resting, len(piles))][0]] if piles else None

    def _stacks_left(self) -> list[list[int]]:
        """What stands in the wall, tiles turned up left out."""
        stacks = [[t for t in stack if t not in self.table.turned_up] for stack in self.table.stacks]
        return [stack for stack in stacks if stack]

    def _indicator_track(self, event: Mapping[str, Any]) -> int:
        """The tile turned up: where the event says, else at the head or somewhere near the tail."""
        wall, stack = event.get("wall"), event.get("stack")
        kind, left = self.layout.indicator, self._stacks_left()
        if kind in ("head", "replacement"):
            return left[0 if kind == "head" else -1][0]
        pile: list[int] = []
        if stack is not None and kind == "tail":
            pile = left[-min(int(stack), len(left))]
        elif stack is not None and wall is not None and self.layout.wall != "inner_outer":
            length = self.layout.stacks[int(wall)]
            count = min(int(stack), length)
            index = self._ring_index(int(wall), length - count if kind == "next_wall" else count - 1)
            pile = [t for t in self.ring[index] if any(t in s for s in left)]
        return pile[0] if pile else left[-min(int(self.rng.integers(3, 7)), len(left))][0]

    def on_draw(self, event: Mapping[str, Any]) -> None:
        seat = int(event["seat"])
        track = self._pop(event.get("end") == "tail")
        face = event.get("tile")
        self.table.faces[track] = None if face is None else _names(face)[0]
        hand = self.table.hands[seat]
        hand.append(track)
        self.table.drawn[seat] = track
        self.t += self._beat(0.15)
        self._carry(seat, [(track, self._rest_in_hand(seat, len(hand) - 1, len(hand), track, True))])
        self.t += self._beat(0.1)
        self.claim = None

    def on_discard(self, event: Mapping[str, Any]) -> None:
        seat = int(event["seat"])
        self.t += self._beat(0.6, 0.5)
        face = event.get("tile")
        track = self._take(seat, None if face is None else _names(face)[0])
        self.table.hands[seat].remove(track)
        own = (self.table.faces[track] or self.known.get(track)) in self.aside
        self._carry(seat, [(track, self._set_aside(seat, track) if own else self._river_rest(seat, track))])
        self.table.drawn[seat] = None
        self._sort(seat)
        self.table.discard = track
        self.claim = None
        if self.customs.bustle:
            self._bustle(seat)

    def _river_rest(self, seat: int, track: int) -> Tile:
        table, layout = self.table, self.layout
        face = table.rest[track].face
        if layout.river == "rows":
            x, y, turn = river_place(layout, table.river[seat], self.rng)
            table.river[seat] += 1
            return place(layout, seat, x, y, track=track, face=face, zone="river", turn=turn)
        x, y, turn = centre_place(layout, table.middle, seat, self.rng)
        table.middle.append((x, y))
        tile = place(layout, 0, x, y, track=track, face=face, zone="", turn=turn + 90.0 * seat)
        return replace(tile, seat=seat)

    def on_bonus(self, event: Mapping[str, Any]) -> None:
        seat = int(event["seat"])
        track = self._take(seat, _names(event["tile"])[0] if event.get("tile") else None)
        self.table.hands[seat].remove(track)
        self._carry(seat, [(track, self._set_aside(seat, track))])
        self._sort(seat)
        self.t += self._beat(0.15)

    def _set_aside(self, seat: int, track: int) -> Tile:
        """The next place of a player's bonus tiles and single-tile kongs."""
        x, y = bonus_place(self.layout, self.table.bonus[seat])
        self.table.bonus[seat] += 1
        turn = float(self.rng.normal(0, 2))
        return place(self.layout, seat, x, y, track=track, face="1f", zone="bonus", turn=turn)

    def on_chow(self, event: Mapping[str, Any]) -> None:
        self._claimed(event, "chow")

    def on_pung(self, event: Mapping[str, Any]) -> None:
        self._claimed(event, "pung")

    def on_kong(self, event: Mapping[str, Any]) -> None:
        self._claimed(event, "kong")

    def _claimed(self, event: Mapping[str, Any], kind: str) -> None:
        seat, table = int(event["seat"]), self.table
        if table.discard is None:
            raise ValueError(f"nothing has been discarded that seat {seat} could claim")
        self._undo_claim()
        self.t += self._beat(0.35, 0.4)
        names = _names(event["tiles"])
        claimed = _names(event["claimed"])[0] if event.get("claimed") else table.faces[table.discard]
        if claimed in names:
            names.remove(claimed)
        else:
            names.pop()
        before = table.rest[table.discard]
        own = []
        for face in names:
            track = self._take(seat, face)
            table.hands[seat].remove(track)
            own.append(track)
        giver = event.get("from")
        self._lay_meld(seat, kind, [table.discard, *own], None if giver is None else int(giver))
        self.claim = _Claim(
            seat, [table.discard, *own], table.discard, table.meld_width[seat], before, int(before.seat or 0)
        )
        self._sort(seat)

    def _lay_meld(self, seat: int, kind: str, tracks: list[int], giver: int | None) -> None:
        """Carries a meld to its corner: the claimed tile first, then the player's own."""
        table, layout = self.table, self.layout
        shape = meld_shape(layout, kind, giver, seat, len(tracks))
        wide = meld_width(layout, shape)
        right, y = meld_corner(layout, table.meld_width[seat])
        table.meld_width[seat] += wide + 4.0
        ends = [
            place(
                layout, seat, right - wide + m.x + float(self.rng.normal(0, 0.4)), y + m.y, m.level, track=track,
                face=table.rest[track].face, zone="meld", facing="down" if m.down else "up",
                turn=(90.0 if m.turned else 0.0) + float(self.rng.normal(0, 1.0)),
            )
            for track, m in zip(tracks, shape, strict=True)
        ]  # fmt: skip
        moves = list(zip(tracks, ends, strict=True))
        if kind != "concealed_kong":
            self._carry(seat, moves[:1])
            moves = moves[1:]
        self._carry(seat, moves, 40.0)
        table.melds[seat].append((kind, list(tracks)))

    def _undo_claim(self) -> None:
        """A better claim on the same discard: what was laid out goes back, once it has been heard and agreed to."""
        claim = self.claim
        if claim is None:
            return
        self.t += self.customs.heard * self.pace
        table = self.table
        table.melds[claim.seat].pop()
        table.meld_width[claim.seat] = sum(
            meld_width(self.layout, meld_shape(self.layout, k, None, claim.seat, len(t))) + 4.0
            for k, t in table.melds[claim.seat]
        )
        table.hands[claim.seat] += claim.tracks[1:]
        self._carry(claim.seat, [(claim.discard, claim.before)])
        self._sort(claim.seat, 0.6)
        self.t += self._beat(0.6)
        self.claim = None

    def on_concealed_kong(self, event: Mapping[str, Any]) -> None:
        seat = int(event["seat"])
        tracks = []
        for face in _names(event["tiles"]):
            track = self._take(seat, face)
            self.table.hands[seat].remove(track)
            tracks.append(track)
        self._lay_meld(seat, "concealed_kong", tracks, None)
        self._sort(seat)

    def on_added_kong(self, event: Mapping[str, Any]) -> None:
        seat, table = int(event["seat"]), self.table
        face = _names(event["tiles"])[0]
        for i, (kind, tracks) in enumerate(table.melds[seat]):
            if kind == "pung" and table.faces[tracks[0]] == face:
                added = self._take(seat, face)
                table.hands[seat].remove(added)
                under = table.rest[tracks[0]]
                end = replace(under, z=under.z + self.layout.size.depth + 0.2, face=table.rest[added].face)
                self._carry(seat, [(added, end)], 50.0)
                table.melds[seat][i] = ("added_kong", [*tracks, added])
                self._sort(seat)
                return
        self.on_concealed_kong(event)

    def on_reveal(self, event: Mapping[str, Any]) -> None:
        self._open(int(event["seat"]), event.get("hand"))

    def _open(self, seat: int, shown: object, keep_drawn: bool = True) -> None:
        if shown:
            left = list(self.table.hands[seat])
            for face in _names(shown):
                match = next((t for t in left if self.table.faces[t] == face), None)
                match = match if match is not None else next((t for t in left if self.table.faces[t] is None), None)
                if match is not None:
                    self.table.faces[match] = face
                    left.remove(match)
        self.table.open[seat] = True
        a = self._world(seat, -150.0, -self.layout.half + 60, 45)
        b = self._world(seat, 150.0, -self.layout.half + 110, 45)
        home = self._home(seat)
        way = ((0.0, home), (0.4, a), (1.0, b), (1.5, home))
        self._reach(seat, [Key(self.t + after * self.pace, point, "push") for after, point in way])
        self.t += 0.4 * self.pace
        self._sort(seat, 0.6, keep_drawn)
        self.t += self._beat(1.0, 0.1)

    def on_win(self, event: Mapping[str, Any]) -> None:
        seat, table = int(event["seat"]), self.table
        self.t += self._beat(0.4)
        from_discard = event.get("source") in ("discard",) and table.discard is not None
        face = _names(event["tile"])[0] if event.get("tile") else None
        if from_discard and table.discard not in table.hands[seat] and table.rest[table.discard].zone != f"hand:{seat}":
            track = table.discard
            table.hands[seat].append(track)
            table.drawn[seat] = track
            table.open[seat] = True
            index = len(table.hands[seat]) - 1
            self._carry(seat, [(track, self._rest_in_hand(seat, index, index + 1, track, True))])
            # Of several winners the later ones see it lie in the first one's hand.
            table.discard = None
        elif face is not None and event.get("source") in ("wall", "kong", "flower") and table.hands[seat]:
            table.drawn[seat] = self._take(seat, face)
        rest = None if not event.get("hand") else event["hand"]
        self._open(seat, rest)

    def on_birds(self, event: Mapping[str, Any]) -> None:
        for face in _names(event["tiles"]):
            track = self._pop()
            self.table.faces[track] = face
            old = self.table.rest[track]
            away = 2.2 * self.layout.size.height
            r = float(np.hypot(old.x, old.y)) or 1.0
            end = replace(
                old,
                x=old.x - old.x / r * away,
                y=old.y - old.y / r * away,
                z=self.layout.size.depth / 2,
                pitch=0.0,
                zone="birds",
            )
            self._carry(self.dealer, [(track, end)])

    def on_end(self, event: Mapping[str, Any]) -> None:
        self.t += self._beat(1.2, 0.05)


def _run(events: Sequence[Mapping[str, Any]], director: _Director) -> list[float]:
    times = []
    for event in events:
        try:
            times.append(director.play(event))
        except (ValueError, KeyError, IndexError) as problem:
            raise ValueError(f"event {event.get('n', len(times) + 1)} ({event.get('type')}): {problem}") from problem
    return times


def _faces_for_all(director: _Director) -> dict[int, str]:
    """Faces of all tiles: as the log tells; tiles never seen keep what the pass before gave them, or get what is left."""
    out = {t: f for t, f in director.table.faces.items() if f is not None}
    left = Counter(director.deck)
    left.subtract(out.values())
    open_ = [t for t in sorted(director.table.faces) if t not in out]
    for track in open_:
        face = director.known.get(track)
        if face is not None and left[face] > 0:
            out[track] = face
            left[face] -= 1
    rest = [f for f in sorted(left, key=lambda f: _ORDER.get(f, 99)) for _ in range(max(0, left[f]))]
    np.random.default_rng(len(rest)).shuffle(rest)
    for track in open_:
        if track not in out:
            out[track] = rest.pop() if rest else str(director.deck[track % len(director.deck)])
    return out


def choreograph(
    events: Sequence[Mapping[str, Any]], layout: Layout, seed: int, pace: float = 1.0, deck: Sequence[str] | None = None,
    customs: Customs | None = None, aside: frozenset[str] = frozenset(),
) -> Script:  # fmt: skip
    """The script of one hand. `deck` is the tiles of the set (default: 136, and the eight bonus tiles where they fit).

    `customs` (default: ordinary, at `pace`) says how the table behaves; discards of a face in `aside` go to their
    discarder's own row of bonus tiles. Raises ValueError, naming the event, where the
    log asks for what cannot be done with tiles on a table (a tile that is not in the hand, a wall that has run out).
    """
    customs = customs or Customs(pace)
    many = sum(len(stack) for stack in wall_ring(layout))
    if deck is None:
        deck = [f for f in FACES[:34] for _ in range(4)] + (list(FACES[34:]) if many > 136 else [])
    known: dict[int, str] | None = None
    for _ in range(2):
        director = _Director(layout, seed, customs, deck, known, aside)
        times = _run(events, director)
        director.close()
        known = _faces_for_all(director)
    tiles = tuple(replace(director.start[t], face=known[t]) for t in sorted(director.start))
    motions = tuple(
        replace(m, start=replace(m.start, face=known[m.track]), end=replace(m.end, face=known[m.track]))
        for m in sorted(director.motions, key=lambda m: m.t0)
    )
    reaches = tuple(sorted(director.reaches, key=lambda r: r.keys[0].t))
    return Script(tiles, motions, reaches, tuple(director.throws), tuple(times), director.t + 0.8)
