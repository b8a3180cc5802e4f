"""Where tiles lie on a table: hands, walls, rivers, melds and bonus tiles, by seat.

All places are worked out for seat 0 and turned to the others. A `Layout` says what a custom or rule set does; it
knows no rule set by name.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.render.scene import Tile, TileSize


@dataclass(frozen=True)
class Layout:
    """A table's customs.

    `seats` players, `stacks` of two tiles in each seat's wall (0: no wall there), `wall` "stacked", "rows" (two rows
    side by side, the inner one drawn first) or "inner_outer" (an inner wall of eight stacks and an outer one of `stacks`
    single tiles, its ends slanted towards the player), `indicator` where a tile is turned up ("tail", "head", "right_end",
    "next_wall": as the rule sets' rituals name it), `river` "rows" (laid in rows of
    `river_row` before the player) or "centre" (pushed into the middle), `turned` whether the claimed tile of a
    meld is turned towards its giver, `closed_kong` which tiles of a concealed kong lie face down, `hand` how many
    concealed tiles a full hand has.
    """

    seats: int = 4
    stacks: tuple[int, ...] = (17, 17, 17, 17)
    wall: str = "stacked"
    indicator: str = "tail"
    river: str = "rows"
    river_row: int = 6
    turned: bool = True
    closed_kong: tuple[bool, ...] = (True, False, False, True)
    hand: int = 13
    size: TileSize = TileSize()
    half: float = 400.0

    @property
    def pitch(self) -> float:
        """Room a tile takes in a row: its width and a hair."""
        return self.size.width + 0.4


def place(
    layout: Layout,
    seat: int,
    x: float,
    y: float,
    level: int = 0,
    *,
    track: int,
    face: str,
    zone: str,
    turn: float = 0.0,
    facing: str = "up",
    lean: float = 0.0,
) -> Tile:
    """A tile at (x, y) in the axes of its seat (x to the player's right, y away from the player)."""
    size = layout.size
    if facing == "standing":
        z, pitch = size.height / 2 + level * size.height, 90.0
    else:
        z, pitch = size.depth / 2 + level * (size.depth + 0.2), 0.0 if facing == "up" else 180.0
    a = np.deg2rad(90.0 * seat)
    gx, gy = x * np.cos(a) - y * np.sin(a), x * np.sin(a) + y * np.cos(a)
    yaw = 90.0 * seat + turn
    return Tile(
        track, face, float(gx), float(gy), z, yaw, pitch, 0.0, lean, f"{zone}:{seat}" if zone else "centre", seat
    )


def hand_place(layout: Layout, index: int, count: int, drawn: bool = False) -> tuple[float, float]:
    """Where the `index`th of `count` standing tiles stands; a drawn tile stands a little apart."""
    pitch = layout.pitch
    x = (index - (layout.hand - 1) / 2) * pitch - 1.1 * pitch
    return x + (0.5 * pitch if drawn else 0.0), -layout.half + 1.3 * layout.size.height


@dataclass(frozen=True)
class WallSpot:
    """Where a tile of the wall lies in its seat's axes."""

    seat: int
    x: float
    y: float
    level: int = 0
    turn: float = 0.0


INNER_STACKS = 8


def wall_ring(layout: Layout) -> list[list[WallSpot]]:
    """All stacks in the order of drawing from seat 0's right end clockwise; of a stack, the tile drawn first is first."""
    seats = [(-k) % layout.seats for k in range(layout.seats)]
    if layout.wall == "inner_outer":
        return [s for seat in seats for s in _inner_wall(layout, seat)] + [
            s for seat in seats for s in _outer_wall(layout, seat)
        ]
    ring = []
    for seat in seats:
        for stack in range(layout.stacks[seat]):
            x, y = wall_place(layout, seat, stack)
            if layout.wall == "rows":
                apart = layout.size.height / 2 + 0.3
                ring.append([WallSpot(seat, x, y + apart), WallSpot(seat, x, y - apart)])
            else:
                ring.append([WallSpot(seat, x, y, 1), WallSpot(seat, x, y, 0)])
    return ring


def _inner_wall(layout: Layout, seat: int) -> list[list[WallSpot]]:
    y = -layout.half * 0.5
    xs = [((INNER_STACKS - 1) / 2 - i) * layout.pitch for i in range(INNER_STACKS)]
    return [[WallSpot(seat, x, y, 1), WallSpot(seat, x, y, 0)] for x in xs]


def _outer_wall(layout: Layout, seat: int) -> list[list[WallSpot]]:
    """A straight middle with a wing of four at each end."""
    count = layout.stacks[seat]
    wing, pitch, slant = 4, layout.pitch, 30.0
    middle = count - 2 * wing
    y = -layout.half * 0.5 - 1.25 * layout.size.height
    half = middle / 2 * pitch
    a = np.deg2rad(slant)
    spots = []
    for i in range(count):
        k = i - wing
        if 0 <= k < middle:
            spots.append(WallSpot(seat, half - (k + 0.5) * pitch, y))
            continue
        side = 1.0 if k < 0 else -1.0
        out = (-k - 0.5 if k < 0 else k - middle + 0.5) * pitch + 0.3 * layout.size.height
        spots.append(WallSpot(seat, side * (half + out * np.cos(a)), y - out * np.sin(a), 0, -side * slant))
    return [[s] for s in spots]


def wall_place(layout: Layout, seat: int, stack: int) -> tuple[float, float]:
    """Where a stack of a seat's wall stands, counted from the player's right."""
    n = layout.stacks[seat]
    pitch = layout.pitch
    thick = layout.size.height * (1.0 if layout.wall == "rows" else 0.5)
    # Walls stand as a pinwheel: each moved to the right until its left end clears its neighbour.
    shift = max(0.0, n / 2 * pitch - (-wall_line(layout) - thick) + 1)
    return (n - 1) / 2 * pitch - stack * pitch + shift, wall_line(layout)


def wall_line(layout: Layout) -> float:
    """The y of a wall's middle line: walls form a square just within the hands."""
    longest = max(layout.stacks, default=17) or 17
    inward = layout.size.height * (0.5 if layout.wall == "rows" else 0.0)
    return -min(layout.half - 3.5 * layout.size.height, longest / 2 * layout.pitch + 0.2 * layout.size.height) + inward


def river_place(layout: Layout, index: int, rng: np.random.Generator) -> tuple[float, float, float]:
    """x, y and a small turn of the `index`th discard laid in rows; the third row runs on when it is full."""
    row = min(index // layout.river_row, 2)
    column = index - row * layout.river_row
    x = (column - (layout.river_row - 1) / 2) * layout.pitch
    y = -(layout.river_row / 2 * layout.pitch + 0.35 * layout.size.height) - row * (layout.size.height + 0.6)
    jitter = rng.normal(0, 0.5, 2)
    return x + float(jitter[0]), y + float(jitter[1]), float(rng.normal(0, 1.0))


def centre_place(
    layout: Layout, taken: list[tuple[float, float]], seat: int, rng: np.random.Generator
) -> tuple[float, float, float]:
    """x, y (table axes) and turn of a discard tossed into the middle, clear of those lying there."""
    reach = -wall_line(layout) - 1.6 * layout.size.height
    inner = 80.0 if len(taken) < 40 else 0.0
    a = np.deg2rad(90 * seat)
    home = np.array([np.sin(a), -np.cos(a)]) * reach * 0.45
    least = layout.size.height * 1.05
    best, best_gap = (0.0, 0.0), -1.0
    for attempt in range(60):
        p = home + rng.normal(0, 0.32 * reach * (1 + attempt / 40), 2)
        if np.abs(p).max() > reach or np.abs(p).max() < inner:
            continue
        gap = min((float(np.hypot(*(p - q))) for q in taken), default=1e9)
        if gap > least:
            best = (float(p[0]), float(p[1]))
            break
        if gap > best_gap:
            best, best_gap = (float(p[0]), float(p[1])), gap
    return best[0], best[1], float(rng.normal(0, 35))


@dataclass(frozen=True)
class MeldTile:
    """One tile of a meld in its corner: offset along the row, whether turned, face down, or on top of another."""

    x: float
    y: float
    turned: bool
    down: bool
    level: int


def meld_shape(layout: Layout, kind: str, giver: int | None, seat: int, length: int) -> list[MeldTile]:
    """Offsets of a meld's tiles from its left end; the claimed tile is the first of the meld's tiles.

    kind: "chow", "pung", "kong", "added_kong", "concealed_kong". The claimed tile is turned and lies at the side of
    its giver: left, middle (across) or right. An added tile lies on the turned one. The order of the returned places
    follows the tiles: claimed first, then the others.
    """
    w, h = layout.pitch, layout.size.height + 0.4
    if kind == "concealed_kong":
        return [MeldTile(w * (i + 0.5), 0.0, False, down, 0) for i, down in enumerate(layout.closed_kong)]
    base = 3 if kind == "added_kong" else length
    away = None if giver is None else (giver - seat) % layout.seats
    slot = None
    if layout.turned and away:
        slot = {1: base - 1, layout.seats - 1: 0}.get(away, 1)
    spots, x = [], 0.0
    for i in range(base):
        wide = h if i == slot else w
        sink = -(h - w) / 2 if i == slot else 0.0
        spots.append(MeldTile(x + wide / 2, sink, i == slot, False, 0))
        x += wide
    first = slot if slot is not None else 0
    ordered = [spots[first], *[s for i, s in enumerate(spots) if i != first]]
    if kind == "added_kong":
        on = ordered[0]
        ordered.append(MeldTile(on.x, on.y, on.turned, False, 1))
    return ordered


def meld_width(layout: Layout, shape: list[MeldTile]) -> float:
    """How long a meld is."""
    half = (layout.size.height if any(s.turned for s in shape) else layout.pitch) / 2
    return max(s.x for s in shape) + (half if max(shape, key=lambda s: s.x).turned else layout.pitch / 2)


def meld_corner(layout: Layout, width_so_far: float) -> tuple[float, float]:
    """The right end of the next meld in a seat's axes: melds run from the player's right corner to the left."""
    return layout.half - 0.3 * layout.size.width - width_so_far, -layout.half + 0.75 * layout.size.height


def bonus_place(layout: Layout, index: int) -> tuple[float, float]:
    """Where a bonus tile set aside lies: before the hand, from the player's left."""
    left = 0.42 if layout.wall == "inner_outer" else 0.55
    return -layout.half * left + index * layout.pitch, -layout.half + 2.3 * layout.size.height
