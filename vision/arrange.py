"""Sightings of one player's tiles -> what they are to the player: concealed hand, declared sets, bonus, winning tile.

The picture is of one player's tiles, however turned. Tiles that touch form a block; a block's tiles stand in a line.
What a block is, is told by its tiles: a tile lying sideways marks the claimed tile and, by its place, the giver; backs
among faces mark a concealed kong; flowers and seasons lie apart; a tile by itself is the winning tile.
"""

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from vision.classes import BACK, EDGE
from vision.detect import Sighting

#: Tiles closer than this share of a tile's width touch. (Boxes of framed white dragons may show the frame alone.)
TOUCHING = 0.42
#: A face turned this much (cosine) against its block lies sideways.
SIDEWAYS = 0.45
GIVERS = {"left": 3, "across": 2, "right": 1}


@dataclass(frozen=True, eq=False)
class Block:
    """Tiles that touch, in the reader's order from the left. ``sideways``: indices of tiles lying across."""

    tiles: tuple[Sighting, ...]
    sideways: tuple[int, ...] = ()

    @property
    def faces(self) -> tuple[str, ...]:
        return tuple(s.tile for s in self.tiles)

    @property
    def centre(self) -> np.ndarray:
        centre: np.ndarray = np.mean([s.centre for s in self.tiles], axis=0)
        return centre


@dataclass(frozen=True, eq=False)
class SeenMeld:
    """A declared set as seen: kind as in hand records, faces, who gave which tile where that is shown."""

    kind: str
    faces: tuple[str, ...]
    giver: str | None = None  # "left", "across", "right"
    claimed: str | None = None
    tiles: tuple[Sighting, ...] = ()


@dataclass(frozen=True, eq=False)
class Arrangement:
    """One player's tiles by their part. ``winning`` is None where no tile is set apart. ``doubts``: what was assumed."""

    concealed: tuple[Sighting, ...] = ()
    melds: tuple[SeenMeld, ...] = ()
    bonus: tuple[Sighting, ...] = ()
    winning: Sighting | None = None
    doubts: tuple[str, ...] = field(default=())

    @property
    def count(self) -> int:
        """Concealed tiles with the winning tile, and three for each declared set."""
        return len(self.concealed) + (self.winning is not None) + 3 * len(self.melds)


def blocks_of(sightings: Sequence[Sighting]) -> list[Block]:
    """Tiles grouped into blocks, each in the reader's order. Edges of standing tiles are left out."""
    seen = [s for s in sightings if s.tile != EDGE]
    owner = list(range(len(seen)))

    def root(i: int) -> int:
        while owner[i] != i:
            i = owner[i]
        return i

    for i, j in itertools.combinations(range(len(seen)), 2):
        if _touch(seen[i], seen[j]):
            owner[root(j)] = root(i)
    groups: dict[int, list[Sighting]] = {}
    for i, s in enumerate(seen):
        groups.setdefault(root(i), []).append(s)
    found = [_block(group) for group in groups.values()]
    right = _reader_right(seen)
    return sorted(found, key=lambda b: float(b.centre @ right))


def _touch(a: Sighting, b: Sighting) -> bool:
    """Whether two tiles lie side by side: their outlines nearly meet along a long part."""
    reach = max(a.short, b.short)
    if float(np.hypot(*(a.centre - b.centre))) > 2.2 * max(a.short, b.short):
        return False
    gap = min(_distance_to_outline(p, b.quad) for p in _outline(a.quad))
    return gap < TOUCHING * reach


def _outline(quad: np.ndarray) -> np.ndarray:
    middles = (quad + np.roll(quad, -1, axis=0)) / 2
    return np.concatenate([quad, middles])


def _distance_to_outline(point: np.ndarray, quad: np.ndarray) -> float:
    best = float("inf")
    for a, b in zip(quad, np.roll(quad, -1, axis=0), strict=True):
        edge = b - a
        t = float(np.clip(np.dot(point - a, edge) / max(float(edge @ edge), 1e-6), 0, 1))
        best = min(best, float(np.hypot(*(point - a - t * edge))))
    return best


def _reader_right(tiles: Sequence[Sighting]) -> np.ndarray:
    """The direction in which the reader reads: the faces' own left to right, as most have it."""
    if not tiles:
        return np.array([1.0, 0.0])
    directions = [_unit(s.quad[1] - s.quad[0]) * s.upright for s in tiles if s.tile != BACK]
    total = np.sum(directions, axis=0) if directions else np.array([1.0, 0.0])
    return _unit(total) if float(np.hypot(*total)) > 1e-6 else np.array([1.0, 0.0])


def _unit(vector: np.ndarray) -> np.ndarray:
    unit: np.ndarray = vector / max(float(np.hypot(*vector)), 1e-6)
    return unit


def _block(tiles: list[Sighting]) -> Block:
    right = _reader_right(tiles)
    ordered = tuple(sorted(tiles, key=lambda s: float(s.centre @ right)))
    if len(ordered) < 3:
        return Block(ordered)
    across = [abs(float(_unit(s.quad[1] - s.quad[0]) @ right)) for s in ordered]
    long_sides = [_long_side_along(s, right) for s in ordered]
    sideways = tuple(
        i for i, s in enumerate(ordered) if (across[i] < SIDEWAYS if s.tile != BACK else long_sides[i])
    )
    return Block(ordered, sideways if len(sideways) <= 2 and len(sideways) < len(ordered) - 1 else ())


def _long_side_along(s: Sighting, right: np.ndarray) -> bool:
    """Whether the tile's longer side runs along the line of reading."""
    a, b = s.quad[1] - s.quad[0], s.quad[3] - s.quad[0]
    long = a if np.hypot(*a) > np.hypot(*b) else b
    return abs(float(_unit(long) @ right)) > 0.75


# --- what a block is ---------------------------------------------------------------------------------------------


def is_run(faces: Sequence[str]) -> bool:
    """Three numbers in a row of one suit."""
    if len(faces) != 3 or any(len(f) != 2 or f[1] not in "mps" for f in faces) or len({f[1] for f in faces}) != 1:
        return False
    low, middle, high = sorted(int(f[0]) for f in faces)
    return middle == low + 1 and high == low + 2


def as_meld(block: Block) -> SeenMeld | None:
    """The block as a declared set, or None where it is none."""
    faces = block.faces
    shown = [f for f in faces if f != BACK]
    if len(faces) == 4 and BACK in faces and 1 <= len(shown) <= 3 and len(set(shown)) == 1:
        return SeenMeld("concealed_kong", (shown[0],) * 4, tiles=block.tiles)
    if BACK in faces or len(faces) not in (3, 4):
        return None
    giver = _giver(block)
    claimed = faces[block.sideways[0]] if block.sideways else None
    if len(set(faces)) == 1:
        kind = "pung" if len(faces) == 3 else "added_kong" if len(block.sideways) == 2 else "kong"
        return SeenMeld(kind, faces, giver, claimed, block.tiles)
    if is_run(faces):
        return SeenMeld("chow", tuple(sorted(faces)), "left", claimed or faces[0], block.tiles)
    return None


def _giver(block: Block) -> str | None:
    if not block.sideways:
        return None
    place = block.sideways[0]
    return "left" if place == 0 else "right" if place == len(block.tiles) - 1 else "across"


def is_bonus(face: str) -> bool:
    return face[-1] in "fq"


def arrange(sightings: Sequence[Sighting], hand_size: int = 13, *, kinds_aside: Iterable[str] = ()) -> Arrangement:
    """The arrangement that fits a finished hand best: ``hand_size`` tiles and the winning one.

    ``kinds_aside``: further faces that a rule set lays aside when they lie apart from the hand.
    """
    aside = frozenset(kinds_aside)
    wanted = hand_size + 1
    found: list[tuple[tuple[float, ...], Arrangement]] = []
    blocks = blocks_of(sightings)
    total = sum(len(b.tiles) for b in blocks)
    for main, chosen in _choices(blocks):
        left_out = total - sum(len(b.tiles) for b in chosen)
        for reading in ("all", "marked", "none"):
            arrangement = _settle_winning(_with_melds(chosen, aside, reading), wanted)
            if left_out:
                doubt = f"{left_out} tiles lying apart are left out"
                arrangement = replace(arrangement, doubts=(*arrangement.doubts, doubt))
            badness = (abs(arrangement.count - wanted), _crooked(main), left_out, len(arrangement.doubts))
            found.append((badness, arrangement))
    return min(found, key=lambda item: item[0])[1] if found else Arrangement()


#: Blocks tried as the hand itself: a pile of discards may be larger.
MAINS = 6


def _choices(blocks: list[Block]) -> Iterator[tuple[Block, list[Block]]]:
    """Which blocks may be the player's: all, or one that may be the hand with its neighbours of about its size, nearest first.

    What else lies in the picture (discards, walls, another player's tiles) is left out then.
    """
    mains = sorted(blocks, key=lambda b: (len(b.tiles), _size(b)), reverse=True)[:MAINS]
    if mains:
        yield mains[0], blocks
    for main in mains if len(blocks) > 1 else ():
        alike = [b for b in blocks if b is not main and 0.6 < _size(b) / _size(main) < 1.6]
        alike.sort(key=lambda b, main=main: min(float(np.hypot(*(b.centre - s.centre))) for s in main.tiles))
        for n in range(min(len(alike), 8) + 1):
            yield main, [b for b in blocks if b is main or b in alike[:n]]


def _crooked(block: Block) -> bool:
    """Whether the block's tiles do not stand in one or two lines, as a hand's do."""
    centres = np.array([s.centre for s in block.tiles]) - block.centre
    if len(centres) < 4:
        return False
    spread = np.linalg.svd(centres, compute_uv=False) / math.sqrt(len(centres))
    return bool(spread[1] > 0.9 * _size(block))


def _size(block: Block) -> float:
    return float(np.median([s.short for s in block.tiles]))


def _with_melds(blocks: list[Block], aside: frozenset[str], which: str) -> Arrangement:
    """Blocks told apart; ``which`` blocks of three or four become declared sets: all, only marked ones, or none."""
    largest = max((len(b.tiles) for b in blocks), default=0)
    concealed: list[Sighting] = []
    melds: list[SeenMeld] = []
    bonus: list[Sighting] = []
    lone: list[Sighting] = []
    for block in blocks:
        tiles = [s for s in block.tiles if not is_bonus(s.tile)]
        bonus += [s for s in block.tiles if is_bonus(s.tile)]
        if tiles and len(block.tiles) < largest and all(s.tile in aside for s in tiles):
            bonus += tiles
            continue
        meld = as_meld(Block(tuple(tiles), block.sideways if len(tiles) == len(block.tiles) else ()))
        marked = bool(block.sideways) or (meld is not None and meld.kind in ("concealed_kong", "kong"))
        if meld is not None and (which == "all" or (which == "marked" and marked)) and _apart(block, blocks, marked):
            melds.append(meld)
        else:
            faces = [s for s in tiles if s.tile != BACK]
            concealed += faces
            lone += faces if len(tiles) == 1 else []
    if len(lone) == 1 and (len(concealed) > 1 or melds):
        return Arrangement(tuple(s for s in concealed if s is not lone[0]), tuple(melds), tuple(bonus), lone[0])
    return Arrangement(tuple(concealed), tuple(melds), tuple(bonus))


def _apart(block: Block, blocks: list[Block], marked: bool) -> bool:
    """A set without any mark counts as declared only beside a larger block: the hand."""
    return marked or any(len(other.tiles) != len(block.tiles) for other in blocks)


def _settle_winning(found: Arrangement, wanted: int) -> Arrangement:
    """Where no tile lies apart the last of the hand is taken for the winning one, and that is a doubt."""
    if found.winning is not None or found.count != wanted or not found.concealed:
        return found
    last = found.concealed[-1]
    doubt = f"no tile lies apart: the last one, {last.tile}, is taken for the winning tile"
    return replace(found, concealed=found.concealed[:-1], winning=last, doubts=(*found.doubts, doubt))


def with_winning(found: Arrangement, tile: str) -> Arrangement:
    """The arrangement with a named winning tile, taken from the concealed ones. Raises ValueError if it is not there."""
    everything = [*found.concealed, *([found.winning] if found.winning else [])]
    match = next((s for s in reversed(everything) if s.tile == tile), None)
    if match is None:
        raise ValueError(f"no {tile} is seen in the hand")
    rest = tuple(s for s in everything if s is not match)
    return replace(found, concealed=rest, winning=match, doubts=())


def too_many_copies(sightings: Sequence[Sighting]) -> dict[str, int]:
    """Faces seen more often than a set has them."""
    counts = Counter(s.tile for s in sightings if s.facing == "up")
    return {face: n for face, n in counts.items() if n > (1 if is_bonus(face) else 4)}
