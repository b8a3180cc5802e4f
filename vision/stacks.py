"""Walls in a picture, counted: rows of stacks told from the backs seen from above.

The backs of a wall lie side by side at an even pitch. A back that was not seen leaves a gap of as many pitches, so a row is
counted by its length, not by what was seen of it. Walls are two tiles high; the end of a row that lies lower is a stack of one
tile. For pictures of which no calibration is known; `vision.walls` counts those of a calibrated table.
"""

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from vision.detect import SHOWN, Sighting

FAINT = 0.15  # confidence from which a back that lies in a row belongs to it
SPACING = (0.6, 1.45)  # of neighbours' middles, in widths of a tile
ASIDE = 0.5  # how far a neighbour lies ahead or behind, in lengths of a tile
SIMILAR = 1.6  # ratio of two neighbours' sizes
BEND = math.radians(25)  # between one pair of neighbours and the next
LONGEST_GAP = 4  # pitches without a back seen
OFF_PITCH = 0.3  # how far from a whole number of pitches a gap may be
FEWEST = 2  # backs seen clearly that make a row
HIGH = 2  # tiles of a stack
STEP = 0.35  # sizes that a stack of one tile lies aside of its row
END_ASIDE = 1.2  # how far the last of a row may lie ahead or behind where it is lower, in lengths of a tile
NEAREST = 0.7  # pitches between neighbours of a row, at least: one tile may have been seen twice
BENEATH = (0.3, 2.0)  # sizes that the sides of a stack lie aside of the middle of its uppermost tile
CUT = (0.1, 1.0)  # pitches from the last back's side to the picture's border, between which a stack is cut by it


@dataclass(frozen=True)
class Wall:
    """A row of stacks. `middles` (stacks, 2), pixels, of the uppermost tiles in order, those not seen put where they must be;
    `heights` of each stack, tiles."""

    middles: np.ndarray
    heights: tuple[int, ...]

    @property
    def stacks(self) -> int:
        return len(self.middles)

    @property
    def tiles(self) -> int:
        return sum(self.heights)


@dataclass(frozen=True)
class _Tile:
    """A back, or an edge, as a row is made of."""

    at: np.ndarray
    sides: tuple[np.ndarray, np.ndarray]  # vectors of the quad's two directions
    clear: bool

    @property
    def size(self) -> float:
        return math.sqrt(float(np.hypot(*self.sides[0])) * float(np.hypot(*self.sides[1])))


def walls(sightings: Iterable[Sighting], size: tuple[int, int]) -> list[Wall]:
    """The walls of a picture of that width and height, longest first."""
    sightings = list(sightings)
    backs = [_tile(s) for s in sightings if s.facing == "down" and s.confidence >= FAINT]
    edges = [_tile(s) for s in sightings if s.facing == "standing" and s.confidence >= FAINT]
    rows = _joined(_rows(backs), backs)
    kept = [r for r in rows if sum(backs[i].clear for i in r) >= FEWEST]
    kept = [_with_ends(r, backs, {i for k in kept for i in k}) for r in kept]
    return [_wall([backs[i] for i in row], edges, size) for row in sorted(kept, key=len, reverse=True)]


def _tile(s: Sighting) -> _Tile:
    q = s.quad.astype(float)
    across, down = (q[1] - q[0] + q[2] - q[3]) / 2, (q[3] - q[0] + q[2] - q[1]) / 2
    return _Tile(q.mean(0), (across, down), s.confidence >= SHOWN)


def _beside(a: _Tile, b: _Tile) -> bool:
    """Whether b lies at one of a's sides."""
    if not 1 / SIMILAR < a.size / b.size < SIMILAR:
        return False
    d = b.at - a.at
    for side, other in (a.sides, a.sides[::-1]):
        width, length = float(np.hypot(*side)), float(np.hypot(*other))
        along, ahead = abs(float(d @ side)) / width, abs(float(d @ other)) / length
        if SPACING[0] * width < along < SPACING[1] * width and ahead < ASIDE * length:
            return True
    return False


def _rows(backs: Sequence[_Tile]) -> list[list[int]]:
    """Chains of neighbours that go on in one direction, in order, longest first; a back is in one of them."""
    links = [(i, j) for i in range(len(backs)) for j in range(i)
             if _beside(backs[i], backs[j]) and _beside(backs[j], backs[i])]  # fmt: skip
    group = list(range(len(links)))

    def root(k: int) -> int:
        while group[k] != k:
            k = group[k]
        return k

    for k, one in enumerate(links):
        for m in range(k):
            if set(one) & set(links[m]) and _turn(backs, one, links[m]) < BEND:
                group[root(k)] = root(m)
    chains: dict[int, set[int]] = {}
    for k, link in enumerate(links):
        chains.setdefault(root(k), set()).update(link)
    rows: list[list[int]] = []
    taken: set[int] = set()
    for chain in sorted(chains.values(), key=len, reverse=True):
        free = sorted(chain - taken)
        if len(free) >= FEWEST:
            taken.update(free)
            rows.append(_ordered(free, backs))
    return rows


def _ahead(on: np.ndarray, d: np.ndarray) -> tuple[float, float]:
    """(steps along a row that leads on by `on`, pixels aside) of a displacement. What lies lower is seen straight below in a
    picture that was taken upright; of rows that lead away from the camera, at their side."""
    pitch = float(np.hypot(*on))
    if abs(on[0]) > 0.5 * pitch:
        return float(d[0] / on[0]), float(d[1] - d[0] / on[0] * on[1])
    return float(d @ on) / pitch**2, float(on[0] * d[1] - on[1] * d[0]) / pitch


def _with_ends(row: list[int], backs: Sequence[_Tile], taken: set[int]) -> list[int]:
    """A row with the lower tiles that are left of its first and last stack."""
    for _ in range(2):
        end, on = backs[row[-1]], backs[row[-1]].at - backs[row[-2]].at
        lower = []
        for i, b in enumerate(backs):
            along, aside = _ahead(on, b.at - end.at)
            if i not in taken and b.clear and SPACING[0] < along < SPACING[1] and abs(aside) < END_ASIDE * end.size:
                lower.append((abs(aside), i))
        row = [*row, *([min(lower)[1]] if lower else [])][::-1]
    return row


def _turn(backs: Sequence[_Tile], one: tuple[int, int], other: tuple[int, int]) -> float:
    u, v = backs[one[0]].at - backs[one[1]].at, backs[other[0]].at - backs[other[1]].at
    return math.acos(min(1.0, abs(float(u @ v)) / float(np.hypot(*u) * np.hypot(*v))))


def _ordered(row: Sequence[int], backs: Sequence[_Tile]) -> list[int]:
    at = np.array([backs[i].at for i in row])
    direction = np.linalg.svd(at - at.mean(0))[2][0]
    return [row[int(k)] for k in np.argsort(at @ direction)]


def _joined(rows: list[list[int]], backs: Sequence[_Tile]) -> list[list[int]]:
    """Rows that are parts of one, with backs between them that were not seen."""
    rows = [*rows]
    while True:
        pair = next(((a, b) for a in range(len(rows)) for b in range(a) if _one(rows[a], rows[b], backs)), None)
        if pair is None:
            return rows
        a, b = pair
        both = _ordered([*rows[a], *rows[b]], backs)
        rows = [r for k, r in enumerate(rows) if k not in pair] + [both]


def _one(a: Sequence[int], b: Sequence[int], backs: Sequence[_Tile]) -> bool:
    """Whether two rows go on in each other's direction a whole number of pitches away."""
    joint = _ordered([*a, *b], backs)
    place = {i: k for k, i in enumerate(joint)}
    first, second = sorted((a, b), key=lambda r: min(place[i] for i in r))
    if max(place[i] for i in first) > min(place[i] for i in second):
        return False
    ends = [_ordered(r, backs) for r in (first, second)]
    ends = [e if place[e[0]] < place[e[-1]] else e[::-1] for e in ends]
    last, following = backs[ends[0][-1]], backs[ends[1][0]]
    gap = following.at - last.at
    directions = [backs[e[-1]].at - backs[e[0]].at for e in ends]
    for d in directions:
        if math.acos(min(1.0, float(d @ gap) / float(np.hypot(*d) * np.hypot(*gap)))) > BEND / 2:
            return False
    pitch = math.sqrt(_pitch([backs[i].at for i in ends[0]]) * _pitch([backs[i].at for i in ends[1]]))
    steps = float(np.hypot(*gap)) / pitch
    return 1.5 <= steps <= LONGEST_GAP + 1 and abs(steps - round(steps)) < OFF_PITCH


def _pitch(at: Sequence[np.ndarray]) -> float:
    steps = np.hypot(*np.diff(np.array(at), axis=0).T)
    return float(np.median(steps))


def _wall(row: Sequence[_Tile], edges: Sequence[_Tile], size: tuple[int, int]) -> Wall:
    row = _apart(row)
    middles, heights = _filled(row)
    for _ in range(2):  # at the end, then at the beginning
        if heights[-1] == HIGH:
            more = _beyond([m for m, h in zip(middles, heights, strict=True) if h == HIGH], row, edges)
            more += _cut([*middles, *more], size)
            middles, heights = [*middles, *more], [*heights, *[HIGH] * len(more)]
        middles, heights = middles[::-1], heights[::-1]
    return Wall(np.array(middles), tuple(heights))


def _apart(row: Sequence[_Tile]) -> list[_Tile]:
    """A row without the second of two that are nearer to each other than neighbours can be."""
    pitch = _pitch([b.at for b in row])
    kept = [row[0]]
    for back in row[1:]:
        if float(np.hypot(*(back.at - kept[-1].at))) > NEAREST * pitch:
            kept.append(back)
    return kept


def _filled(row: Sequence[_Tile]) -> tuple[list[np.ndarray], list[int]]:
    """The middles of a row's stacks, with those between them that were not seen, and their heights."""
    if len(row) < 2:
        return [b.at for b in row], [HIGH] * len(row)
    steps = [b.at - a.at for a, b in itertools.pairwise(row)]
    lengths = [float(np.hypot(*step)) for step in steps]
    singles = _single(row[0], row[1], row), _single(row[-1], row[-2], row)
    for k, single in zip((0, -1), singles, strict=True):
        if single:  # the way down is no part of the pitch
            lengths[k] = abs(_ahead(_along(row[k], row), steps[k])[0]) * float(np.hypot(*_along(row[k], row)))
    pitch = float(np.median(lengths))
    middles, heights = [row[0].at], [1 if singles[0] else HIGH]
    for k, length in enumerate(lengths):
        local = float(np.median([n for n in lengths[max(0, k - 3) : k + 4] if n < SPACING[1] * pitch] or [pitch]))
        missing = max(1, round(length / local))
        middles += [row[k].at + steps[k] * m / missing for m in range(1, missing + 1)]
        heights += [HIGH] * missing
    heights[-1] = 1 if singles[1] else HIGH
    return middles, heights


def _along(back: _Tile, row: Sequence[_Tile]) -> np.ndarray:
    """The side of a back that its row follows, pointing from the row's first to its last."""
    way = row[-1].at - row[0].at
    side = max(back.sides, key=lambda v: abs(float(v @ way)) / float(np.hypot(*v)))
    return side if float(side @ way) > 0 else -side


def _single(end: _Tile, second: _Tile, row: Sequence[_Tile]) -> bool:
    """Whether the end of a row lies lower than its neighbour, which shows it nearer to the viewer than the row leads."""
    _, aside = _ahead(_along(second, row), end.at - second.at)
    return abs(aside) > STEP * end.size


def _beyond(middles: Sequence[np.ndarray], row: Sequence[_Tile], edges: Sequence[_Tile]) -> list[np.ndarray]:
    """Middles of stacks beyond the last, of which only the sides are seen."""
    if len(middles) < 2:
        return []
    few = middles[-4:]
    step = (few[-1] - few[0]) / (len(few) - 1)
    reach, last = 0.0, 0.0
    for place in sorted(_beneath(middles[-1], step, float(np.median([b.size for b in row])), edges)):
        if place > last + SPACING[1]:
            break
        if place > SPACING[0]:
            reach = place
        last = max(last, place)
    return [middles[-1] + step * k for k in range(1, round(reach) + 1)]


def _beneath(end: np.ndarray, step: np.ndarray, size: float, edges: Sequence[_Tile]) -> list[float]:
    """How many steps beyond the end of a row those edges lie that run along it and near it."""
    places = []
    for edge in edges:
        ahead, aside = _ahead(step, edge.at - end)
        long = max(edge.sides, key=lambda v: float(np.hypot(*v)))
        lean = abs(float(long @ step)) / float(np.hypot(*long) * np.hypot(*step))
        if BENEATH[0] * size < abs(aside) < BENEATH[1] * size and lean > math.cos(BEND):
            places.append(ahead)
    return places


def _cut(middles: Sequence[np.ndarray], size: tuple[int, int]) -> list[np.ndarray]:
    """The place on the picture's border where it cuts a stack beyond the last."""
    if len(middles) < 2:
        return []
    step = middles[-1] - middles[-2]
    reach = math.inf
    for k in (0, 1):
        if step[k]:
            border = size[k] if step[k] > 0 else 0.0
            reach = min(reach, float((border - middles[-1][k]) / step[k]))
    return [middles[-1] + step * reach] if CUT[0] < reach - 0.5 < CUT[1] else []
