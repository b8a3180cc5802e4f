"""Which part of the table each settled tile belongs to: hands, melds, bonus tiles, discards, walls.

Seen from a seat, x runs to the player's right and y away from the player; the strip along the edge holds the standing
hand and, to the right, the declared sets; bonus tiles lie before it; the walls stand in a square round the discards.
Whose tile it is follows from the side of the table it lies nearest to. Distances are in heights of a tile.
"""

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from vision.calibrate import Calibration
from vision.classes import BACK, EDGE
from vision.track import Track

HEIGHT = 1.36  # of a tile, in tile widths
STRIP = 2.0  # depth of the strip along an edge
BEFORE = 1.6  # from here on tiles set aside lie before the hand: seen aslant, a tile's top is nearer to the edge than its foot
BONUS = 3.7  # as far in as bonus tiles may lie
MISSED = 3  # tiles in a row that may be hidden between two that are seen
BESIDE = 0.55  # gap between tiles of one block, in tile widths


@dataclass(frozen=True, eq=False)
class Spot:
    """A track in its place: the zone, the seat it belongs to, its coordinates seen from there (mm), how far it is turned
    against the seat's reading direction (degrees, 0 upright for the owner)."""

    track: Track
    zone: str  # "hand", "open", "bonus", "river", "wall"
    seat: int
    x: float
    y: float
    turn: float
    read: str | None = None  # taken for this, whatever it looks like

    @property
    def face(self) -> str:
        return self.read or self.track.tile


@dataclass(frozen=True, eq=False)
class Scene:
    """Every settled tile in its place."""

    spots: tuple[Spot, ...] = ()
    seats: int = 4

    def at(self, zone: str, seat: int | None = None) -> list[Spot]:
        return [s for s in self.spots if s.zone == zone and (seat is None or s.seat == seat)]

    def standing(self, seat: int) -> int:
        """Concealed tiles of a player: standing ones and backs in the strip."""
        return len(self.at("hand", seat))

    def by_id(self) -> dict[int, Spot]:
        return {s.track.id: s for s in self.spots}


@dataclass(frozen=True)
class Custom:
    """How a table is played at: ``seats``; ``river``: ``"rows"`` before each player or one heap in the ``"centre"``."""

    seats: int = 4
    river: str = "rows"
    aside: frozenset[str] = field(default=frozenset())


def seen_from(seat: int, x: float, y: float) -> tuple[float, float]:
    """Table millimetres as the seat sees them."""
    return ((x, y), (y, -x), (-x, -y), (-y, x))[seat]


def side_of(x: float, y: float, seats: int = 4, corner: float = 0.0) -> int:
    """The seat whose edge is nearest; a corner (beyond ``corner`` mm both ways) is its right-hand end for one seat, and
    that is where players keep their sets, so it is that seat's."""
    ordered = sorted(range(seats), key=lambda seat: seen_from(seat, x, y)[1])
    if corner and all(seen_from(seat, x, y)[1] < -corner for seat in ordered[:2]):
        return next(seat for seat in ordered[:2] if seen_from(seat, x, y)[0] > 0)
    return ordered[0]


def scene_of(tracks: Iterable[Track], calibration: Calibration, custom: Custom) -> Scene:
    """Put every track in its zone."""
    spots = tuple(_spot(track, calibration, custom) for track in tracks)
    return Scene(spots, custom.seats)


def _spot(track: Track, calibration: Calibration, custom: Custom) -> Spot:
    height = HEIGHT * calibration.tile_width
    seat = side_of(track.x, track.y, custom.seats, calibration.half - STRIP * height)
    x, y = seen_from(seat, track.x, track.y)
    inward = (calibration.half + y) / height
    zone = _zone(track, inward, custom)
    if zone == "river" and custom.river == "rows":
        seat = _owner_in_rows(track, custom.seats)
        x, y = seen_from(seat, track.x, track.y)
    return Spot(track, zone, seat, x, y, turn_of(track, seat))


def turn_of(track: Track, seat: int) -> float:
    """How far a tile is turned against the seat's reading direction, -180 to 180 degrees."""
    return (track.yaw - 90.0 * seat - 90.0 + 180.0) % 360.0 - 180.0


def _owner_in_rows(track: Track, seats: int) -> int:
    """Discards laid in rows lie upright for their owner, so a long row that reaches past a corner is still his; which way
    up many faces are is not told by the face alone, so of two opposite owners the nearer."""
    along = [seat for seat in range(seats) if abs(abs(turn_of(track, seat)) - 90.0) > 45.0]
    return min(along or range(seats), key=lambda seat: seen_from(seat, track.x, track.y)[1])


def _zone(track: Track, inward: float, custom: Custom) -> str:
    if track.facing != "up":
        return "hand" if inward < STRIP else "wall"
    if BEFORE <= inward < BONUS and track.tile in custom.aside:
        return "bonus"
    if inward < STRIP:
        return "open"
    return "river"


# --- blocks along an edge ----------------------------------------------------------------------------------------


def blocks(spots: Sequence[Spot], width: float) -> list[list[Spot]]:
    """Tiles of one seat's strip that stand side by side, each block from the player's left."""
    out: list[list[Spot]] = []
    for spot in sorted(spots, key=lambda s: s.x):
        if out and spot.x - out[-1][-1].x < _reach(out[-1][-1], spot, width):
            out[-1].append(spot)
        else:
            out.append([spot])
    return out


def hidden_between(spots: Sequence[Spot], width: float) -> int:
    """Tiles of a row of standing ones for which there is room in its gaps. A drawn tile may stand half a width apart."""
    row = sorted(s.x for s in spots)
    gaps = [math.floor((b - a) / width + 0.3) - 1 for a, b in itertools.pairwise(row)]
    return sum(gap for gap in gaps if 0 < gap <= MISSED)


def _reach(a: Spot, b: Spot, width: float) -> float:
    """How far apart the middles of two neighbours in a block may be."""
    halves = sum(width * (HEIGHT if is_sideways(s) else 1.0) / 2 for s in (a, b))
    return halves + BESIDE * width


def is_sideways(spot: Spot) -> bool:
    """Turned a quarter against its owner: the claimed tile, where the custom shows it."""
    if spot.track.tile in (BACK, EDGE):
        return False
    return 45.0 < abs(spot.turn) < 135.0


def set_apart(spots: Sequence[Spot], width: float) -> Spot | None:
    """The tile of an open hand that lies by itself: the drawn winning tile, shown apart."""
    found = [b for b in blocks(spots, width * 0.45) if len(b) == 1]
    return found[0][0] if len(found) == 1 and len(spots) > 1 else None
