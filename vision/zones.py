"""Which part of the table each settled tile belongs to: hands, melds, bonus tiles, discards, walls.

Seen from a seat, x runs to the player's right and y away from the player; the strip along the edge holds the standing
hand and, to the right, the declared sets; bonus tiles lie before it; the walls stand in a square round the discards.
Whose tile it is follows from the side of the table it lies nearest to. Distances are in heights of a tile.
"""

import itertools
import math
import statistics
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field, replace

from vision.calibrate import Calibration
from vision.classes import BACK, EDGE
from vision.track import BLANK, WHITE, Track

HEIGHT = 1.36  # of a tile, in tile widths
STRIP = 2.0  # depth of the strip along an edge
BEFORE = 1.6  # from here on tiles set aside lie before the hand: seen aslant, a tile's top is nearer to the edge than its foot
BONUS = 3.7  # as far in as bonus tiles may lie,
ASIDE = 3.0  # and as far in as nothing else does, whatever it looks like
PLACED = 0.95  # how likely a tile is what its place says
OFF = -0.3  # beyond the edge nothing is in play
CLEAR = 1.2  # widths from a wall's tile within which a tile may be of the wall,
IN_PLACE = 0.5  # and within which a blank one is
LONE, TRACE = 0.4, 0.008  # a back seen so surely where only faces lie, and with so much of a white dragon, is one as blank,
A_LINE = 4  # but not in line with so many tiles of a wall;
SIZE = (0.65, 1.35)  # widths between which a tile that lies seems to be wide: dice are smaller, patches of felt larger
WHITES = 4  # if there are no more of them: else a wall was pushed
NEXT = 1.3  # widths between the middles of neighbours in a row,
HAND = 5  # and in one of so many, a hand laid open, to
ASIDE_OF_IT = 2.1  # so far that the winning tile is beside it
MISSED = 3  # tiles in a row that may be hidden between two that are seen
BESIDE = 0.55  # gap between tiles of one block, in tile widths
HARDLY = 0.1  # a standing tile seen less surely than this is none,
SURELY = 0.7  # and one from here on is one whatever stands beside it
LARGE = 1.3  # widths: what is larger both ways is no tile seen from its edge or back
LINE = 0.27  # widths by which the tiles of a row stand out of line,
SIDES = 0.8  # and by which a tile's other sides seem to
FINELY = 0.1  # widths: how finely the line of a row is sought
APART_BY = 1.25  # times as far from its neighbour as others are lies a tile shown apart
HIGHER = 1.03  # by how much upper edges seem further apart
APART = 0.58  # widths: nearer than this two sightings are of one tile of a row


@dataclass(frozen=True, eq=False)
class Spot:
    """A track in its place: the zone, the seat it belongs to, its coordinates seen from there (mm), how far it is turned
    against the seat's reading direction (degrees, 0 upright for the owner)."""

    track: Track
    zone: str  # "hand", "open", "bonus", "river", "wall", "off"
    seat: int
    x: float
    y: float
    turn: float
    read: str | None = None  # taken for this, whatever it looks like

    @property
    def face(self) -> str:
        return self.read or self.track.tile

    @property
    def probabilities(self) -> dict[str, float]:
        """Names -> probability, the likeliest first."""
        return {WHITE: PLACED} if self.placed else self.track.probabilities

    @property
    def confidence(self) -> float:
        """How likely it is what it is taken for."""
        return self.probabilities.get(self.face, 0.0)

    @property
    def placed(self) -> bool:
        """Blank, and told by its place alone."""
        return self.read == WHITE and self.track.facing != "up"


@dataclass(frozen=True)
class Row:
    """How many tiles a row of standing ones has: ``surely`` so many are seen, ``seen`` with those seen with doubt, ``likely``
    with those for which there is room between them."""

    surely: int = 0
    likely: int = 0
    seen: int = 0


@dataclass(frozen=True, eq=False)
class Scene:
    """Every settled tile in its place."""

    spots: tuple[Spot, ...] = ()
    seats: int = 4

    def at(self, zone: str, seat: int | None = None) -> list[Spot]:
        return [s for s in self.spots if s.zone == zone and (seat is None or s.seat == seat)]

    def standing(self, seat: int, width: float, but: Container[int] = ()) -> "Row":
        """A player's concealed tiles: standing ones and backs in the strip, those of some tracks left out."""
        return row_of([s for s in self.at("hand", seat) if s.track.id not in but], width)

    def by_id(self) -> dict[int, Spot]:
        return {s.track.id: s for s in self.spots}


@dataclass(frozen=True)
class Custom:
    """How a table is played at: ``seats``; ``river``: ``"rows"`` before each player or one heap in the ``"centre"``; ``aside``:
    kinds that are set aside before the hand; ``walls``: where tiles of the walls have stood (mm), once that is known;
    ``whites``: are white dragons played with? ``turned``: may one be what is turned up on a wall?"""

    seats: int = 4
    river: str = "rows"
    aside: frozenset[str] = field(default=frozenset())
    walls: tuple[tuple[float, float], ...] = ()
    whites: bool = True
    turned: bool = False


def seen_from(seat: int, x: float, y: float) -> tuple[float, float]:
    """Table millimetres as the seat sees them."""
    return ((x, y), (y, -x), (-x, -y), (-y, x))[seat]


def side_of(x: float, y: float, seats: int = 4, corner: float = 0.0) -> int:
    """The seat whose edge is nearest; a corner (beyond ``corner`` mm both ways) is its right-hand end for one seat, and
    that is where players keep their sets, so it is that seat's."""
    depths = (y, -x, -y, x)[:seats]
    nearest = min(depths)
    seat = depths.index(nearest)
    if corner and nearest < -corner:
        low = [k for k in range(seats) if depths[k] < -corner]
        if len(low) > 1:
            return next(k for k in low if seen_from(k, x, y)[0] > 0)
    return seat


def scene_of(tracks: Iterable[Track], calibration: Calibration, custom: Custom) -> Scene:
    """Put every track in its zone."""
    spots = [_spot(track, calibration, custom) for track in tracks]
    if sum(s.placed for s in spots) > WHITES:
        pushed = replace(custom, whites=False)
        spots = [_spot(s.track, calibration, pushed) if s.placed and not s.track.blank else s for s in spots]
    return Scene(tuple(_aside(_whites(spots, calibration.tile_width), custom, calibration.tile_width)), custom.seats)


def _spot(track: Track, calibration: Calibration, custom: Custom) -> Spot:
    height = HEIGHT * calibration.tile_width
    seat = side_of(track.x, track.y, custom.seats, calibration.half - STRIP * height)
    x, y = seen_from(seat, track.x, track.y)
    inward = (calibration.half + y) / height
    read = _by_place(track, custom, calibration.tile_width) if inward >= STRIP else None
    zone = _zone(track, inward, custom, read)
    if zone == "river" and custom.river == "rows":
        seat = _owner_in_rows(track, custom.seats)
        x, y = seen_from(seat, track.x, track.y)
    return Spot(track, zone, seat, x, y, turn_of(track, seat), read)


def _by_place(track: Track, custom: Custom, width: float) -> str | None:
    """What a blank tile in from the edge is, whatever it looks like: a white dragon where no wall has stood, a back where one
    has. None: what it looks like."""
    if not custom.walls or not custom.whites:
        return None
    away, in_line = _beside_walls(track, custom, width)
    lone = track.facing == "down" and track.sure >= LONE and track.white >= TRACE and not in_line
    if away >= CLEAR and (track.blank or lone) and SIZE[0] < track.width / width < SIZE[1]:
        return WHITE
    in_wall = track.tile == WHITE and track.facing == "up" and away < IN_PLACE and not custom.turned
    return BACK if in_wall else None


def _beside_walls(track: Track, custom: Custom, width: float) -> tuple[float, bool]:
    """How far (widths, along either edge) a tile is from where tiles of the walls have stood, and whether it continues one."""
    off = [(abs(track.x - x) / width, abs(track.y - y) / width) for x, y in custom.walls]
    in_line = any(sum(apart[axis] < IN_PLACE for apart in off) >= A_LINE for axis in (0, 1))
    return min(max(apart) for apart in off), in_line


def _whites(spots: list[Spot], width: float) -> list[Spot]:
    """The spots with blank tiles that lie in a row with faces, in a set or in a hand laid open, taken for white dragons; two
    of them beside each other too, and one that lies apart as the winning tile does."""
    out = list(spots)
    maybe = [k for k, s in enumerate(spots) if s.zone == "hand" and s.track.white >= BLANK]
    found = True
    while maybe and found:
        shown = [s for s in out if s.zone == "open"]
        found = False
        for k in list(maybe):
            row = [s for s in shown if s.seat == out[k].seat and abs(s.y - out[k].y) < LINE * width]
            if any(abs(s.x - out[k].x) < (NEXT if len(row) < HAND else ASIDE_OF_IT) * width for s in row):
                out[k] = replace(out[k], zone="open", read=WHITE)
                maybe.remove(k)
                found = True
    return out


def _aside(spots: list[Spot], custom: Custom, width: float) -> list[Spot]:
    """The spots with backs that lie in a row with tiles set aside, where white dragons are, taken for those."""
    if not custom.walls or WHITE not in custom.aside:
        return spots
    shown = [s for s in spots if s.zone == "bonus"]
    out = list(spots)
    for k, s in enumerate(spots):
        if s.zone != "wall" or s.track.facing != "down" or s.track.sure < SURELY or _beside_walls(s.track, custom, width)[1]:
            continue
        row = (o for o in shown if o.seat == s.seat and abs(o.y - s.y) < LINE * width and abs(o.x - s.x) < NEXT * width)
        if any(row):
            out[k] = replace(s, zone="bonus", read=WHITE)
            shown.append(out[k])
    return out


def turn_of(track: Track, seat: int) -> float:
    """How far a tile is turned against the seat's reading direction, -180 to 180 degrees."""
    return (track.yaw - 90.0 * seat - 90.0 + 180.0) % 360.0 - 180.0


def _owner_in_rows(track: Track, seats: int) -> int:
    """Discards laid in rows lie upright for their owner, so a long row that reaches past a corner is still his; which way
    up many faces are is not told by the face alone, so of two opposite owners the nearer."""
    along = [seat for seat in range(seats) if abs(abs(turn_of(track, seat)) - 90.0) > 45.0]
    return min(along or range(seats), key=lambda seat: seen_from(seat, track.x, track.y)[1])


def _zone(track: Track, inward: float, custom: Custom, read: str | None) -> str:
    if inward < OFF:
        return "off"
    if read == BACK or (track.facing != "up" and read is None):
        return "hand" if inward < STRIP else "wall"
    if BEFORE <= inward < BONUS and custom.aside and (track.tile in custom.aside or inward < ASIDE):
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


def row_of(spots: Sequence[Spot], width: float) -> Row:
    """The row that standing tiles make. A reader tells a tile by its upper edge, by its back, by both, or not at all, and at
    times takes the felt or a shadow for a back. But tiles stand in a line, a width apart: what is told in line with most
    is taken for them, what stands just out of line only where nothing in line does, and a gap in the row holds tiles."""
    seen = [s for s in spots if s.track.sure >= HARDLY and s.track.width <= LARGE * width]
    if not seen:
        return Row()
    surest = sorted(seen, key=lambda s: -s.track.sure)
    depths = {round(s.y / (FINELY * width)) * FINELY * width for s in seen}
    lines = [_in_line(surest, depth, width) for depth in sorted(depths)]
    line = max(lines, key=lambda row: sum(s.track.sure for s in row))
    depth = sum(s.y * s.track.sure for s in line) / sum(s.track.sure for s in line)
    row = list(line)
    for spot in surest:
        if abs(spot.y - depth) < SIDES * width and _clear_of(row, spot, width):
            row.append(spot)
    return Row(sum(s.track.sure >= SURELY for s in line), len(row) + hidden_between(row, width), len(row))


def _in_line(spots: Iterable[Spot], depth: float, width: float) -> list[Spot]:
    """Those at this depth, of several at one place the first."""
    row: list[Spot] = []
    for spot in spots:
        if abs(spot.y - depth) < LINE * width and _clear_of(row, spot, width):
            row.append(spot)
    return row


def _clear_of(row: Sequence[Spot], spot: Spot, width: float) -> bool:
    x, apart = spot.x, APART * width
    return all(not -apart <= other.x - x <= apart for other in row)


def hidden_between(spots: Sequence[Spot], width: float) -> int:
    """Tiles of a row of standing ones for which there is room in its gaps. A drawn tile may stand half a width apart; upper
    edges, nearer to the camera, seem to stand a little further apart than they do."""
    row = sorted(s.x for s in spots)
    gaps = [math.floor((b - a) / (HIGHER * width) + 0.3) - 1 for a, b in itertools.pairwise(row)]
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


def set_apart(spots: Sequence[Spot]) -> Spot | None:
    """The tile of an open hand that lies by itself at an end of the row: the drawn winning tile, shown apart."""
    row = sorted(spots, key=lambda s: s.x)
    if len(row) < 3:
        return None
    usual = spacing(row)
    ends = [spot for gap, spot in ((row[1].x - row[0].x, row[0]), (row[-1].x - row[-2].x, row[-1])) if gap > APART_BY * usual]
    return ends[0] if len(ends) == 1 else None


def spacing(row: Sequence[Spot]) -> float:
    """How far apart neighbours in a row lie as a rule, mm; infinite where there are none."""
    if len(row) < 2:
        return math.inf
    return statistics.median(b.x - a.x for a, b in itertools.pairwise(row))
