"""Tiles over time: sightings on the table's plane become tracks that live, move and go.

Nothing is born, changed or buried where something moves: a track under a hand keeps what was known of it. "Not seen"
buries a track only where the place was looked at, still, more than once. Faces are fused over looks as sums of log
probabilities, bounded so that a change can still be learnt.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from vision.calibrate import Calibration
from vision.classes import BACK, CLASSES, EDGE, NONE
from vision.detect import Sighting

BORN = 2  # looks a new tile is seen in before it is believed,
CLEAR = 0.97  # or one look as sure as this
AT_HOME = 2  # looks that make out where it lies at first: so many a place gets once it is still
GONE = 2  # looks a tile is missed in, with nothing in the way, before it is believed gone
SAME = 0.62  # of a tile's width: a sighting nearer than this to a track is the same tile
DOUBLE = 0.68  # of a tile's width: two sightings nearer than this, one of them doubtful, are of one tile
CERTAIN = 0.9  # a face this likely is not taken for another
SHIFTED = 0.2  # of a tile's width,
TURNED = 12.0  # or degrees: a tile that lies so much otherwise is not the one that was there
DOUBTFUL = 0.05  # a face that is a back or an edge with more than this chance is not taken for one
FAINT = 0.1  # nothing is born of a look less sure than this
SMALL = 0.68  # square widths, half of a face: what is smaller is a die, or a part of a face
MOST_OF_IT = 1.1  # square widths: what is larger is no part of a face
BUT_PART = 0.35  # of a tile's width: so near to where a part of a tile was seen is its middle
WITHIN = 0.5  # of a tile's width from a known tile's middle its parts have theirs
LARGE = 1.5  # widths: the shorter side of no tile is longer
LEFT = 0.02
WHITE = "P"  # a white dragon may be as blank as a back;
AT_MOST = 0.4  # no more than so much is kept of that chance:
BLANK = 0.15  # a back that is one with this chance is blank
UNSURE = 0.5  # below this it is not held against a tile that it lay with the other side up
FLOOR = 1e-4  # least probability a single look gives to any face
MOST = 12.0  # bound on what is remembered of a face, in nats
NAMES = tuple(c for c in CLASSES if c != NONE)
INDEX = {name: i for i, name in enumerate(NAMES)}


@dataclass(eq=False)
class Track:
    """One tile: where it lies (mm on the table, yaw of the face's up direction in degrees), what it is, since when.
    ``width``: its shorter side, mm; ``area``: what was seen of it, mm²; ``sure``: how surely a tile was seen there, ``white``:
    how likely it is a white dragon, over the last looks; ``home``: where it lay at first, ``at``: where the last two looks saw
    it, mm."""

    id: int
    x: float
    y: float
    yaw: float
    facing: str
    scores: np.ndarray
    born: float
    seen: float
    looks: int = 1
    missed: int = 0
    upright: float = 0.0
    settled: bool = False
    width: float = 0.0
    area: float = math.inf
    sure: float = 1.0
    white: float = 0.0
    home: tuple[float, float] = (0.0, 0.0)
    at: tuple[tuple[float, float], ...] = ()
    quad: np.ndarray = field(default_factory=lambda: np.zeros((4, 2), np.float32))

    @property
    def probabilities(self) -> dict[str, float]:
        """Names -> probability, likeliest first."""
        e = np.exp(self.scores - self.scores.max())
        p = e / e.sum()
        return {NAMES[i]: float(p[i]) for i in np.argsort(-p)[:6]}

    @property
    def tile(self) -> str:
        return NAMES[int(self.scores.argmax())]

    @property
    def blank(self) -> bool:
        """Seen as a back, or as the edge of a standing tile, that may as well be a white dragon with nothing on it: its place
        tells."""
        return self.facing != "up" and self.white >= BLANK

    @property
    def outward(self) -> float:
        """How far it has come away from the table's middle since it was first believed, in both of the last two looks, mm: a
        tile laid on top of another like it is nearer to the camera, so it seems to lie further out."""
        return min(math.hypot(*at) for at in self.at or (self.home,)) - math.hypot(*self.home)

    @property
    def confidence(self) -> float:
        return next(iter(self.probabilities.values()))


@dataclass(frozen=True, eq=False)
class Changes:
    """What a look changed: tracks born (believed for the first time), gone, those whose face is read anew, and those that
    were gone before they were believed."""

    born: tuple[Track, ...] = ()
    gone: tuple[Track, ...] = ()
    renamed: tuple[Track, ...] = ()
    fleeting: tuple[Track, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.born or self.gone or self.renamed)


# x, y, yaw and the shorter and longer side of a sighting on the table, mm and degrees
Spotted = tuple[float, float, float, float, float]


class Tracker:
    """Keeps the tracks of one table."""

    def __init__(self, calibration: Calibration) -> None:
        self.calibration = calibration
        self.tracks: dict[int, Track] = {}
        self._next = 1

    def settled(self) -> list[Track]:
        """The tracks that are believed."""
        return [t for t in self.tracks.values() if t.settled]

    def look(
        self, sightings: Sequence[Sighting], t: float, looked: Callable[[float, float], bool]
    ) -> Changes:
        """Take what was seen at time ``t``. ``looked(x, y)`` says of a pixel whether it was looked at and is still."""
        inside = [looked(*map(float, s.centre)) for s in sightings]
        near = [s for s, within in zip(sightings, inside, strict=True) if within]
        beside = self._places([s for s, within in zip(sightings, inside, strict=True) if not within])
        sized = [(s, spot) for s, spot in zip(near, self._places(near), strict=True) if self._is_tile(s, spot)]
        placed, spots = [_as_hidden(s) for s, _ in sized], [spot for _, spot in sized]
        pairs = self._matched(placed, spots)
        born, renamed = [], []
        taken = [(spot[0], spot[1], track.tile) for _, spot, track in pairs if track is not None]
        for s, spot, track in sorted(pairs, key=lambda pair: -pair[0].confidence):
            if track is None and (s.confidence < FAINT or self._double(s, spot, taken) or self._part(s, spot)):
                continue
            taken.append((spot[0], spot[1], s.tile))
            if track is None:
                track = self._add(s, spot, t)
                if s.confidence >= CLEAR:
                    track.settled = True
                    born.append(track)
            else:
                before = track.tile if track.settled else None
                self._see(track, s, spot, t)
                if not track.settled and track.looks >= BORN:
                    track.settled = True
                    born.append(track)
                elif before is not None and track.tile != before:
                    renamed.append(track)
        seen = {id(track) for _, _, track in pairs if track is not None}
        gone = self._miss(seen, t, looked, beside)
        fleeting = tuple(track for track in gone if not track.settled)
        return Changes(tuple(born), tuple(track for track in gone if track.settled), tuple(renamed), fleeting)

    def _places(self, sightings: Sequence[Sighting]) -> list[Spotted]:
        """x, y, yaw and sides (mm, degrees) of sightings on the table."""
        if not sightings:
            return []
        quads = np.concatenate([s.quad for s in sightings])
        on_table = self.calibration.to_table(quads).reshape(-1, 4, 2)
        out = []
        for quad in on_table:
            middle = quad.mean(0)
            up = (quad[0] - quad[3] + quad[1] - quad[2]) / 2
            short, long = sorted((float(np.hypot(*(quad[1] - quad[0]))), float(np.hypot(*(quad[3] - quad[0])))))
            out.append((float(middle[0]), float(middle[1]), math.degrees(math.atan2(up[1], up[0])), short, long))
        return out

    def _is_tile(self, s: Sighting, spot: Spotted) -> bool:
        """Whether what was seen is about as large as a tile: dice are smaller, patches of felt larger."""
        short, long = (side / self.calibration.tile_width for side in spot[3:])
        return short < LARGE and (s.facing != "up" or short * long > SMALL)

    def _matched(
        self, sightings: Sequence[Sighting], spots: Sequence[Spotted]
    ) -> list[tuple[Sighting, Spotted, Track | None]]:
        """Each sighting with its track, nearest pairs first, one to one."""
        reach = SAME * self.calibration.tile_width
        options = []
        for i, spot in enumerate(spots):
            for track in self.tracks.values():
                distance = math.hypot(spot[0] - track.x, spot[1] - track.y)
                if distance >= reach:
                    continue
                same = _alike(track, sightings[i]) and not self._another(track, sightings[i], spot)
                if same:
                    options.append((distance, i, track.id))
        chosen: dict[int, Track] = {}
        taken: set[int] = set()
        for _, i, track_id in sorted(options):
            if i not in chosen and track_id not in taken:
                chosen[i] = self.tracks[track_id]
                taken.add(track_id)
        return [(s, spots[i], chosen.get(i)) for i, s in enumerate(sightings)]

    def _double(self, s: Sighting, spot: Spotted, taken: list[tuple[float, float, str]]) -> bool:
        """Whether a new sighting is of a tile that was seen in this look already: no two tiles lie side by side so near."""
        reach = DOUBLE * self.calibration.tile_width
        near = [tile for x, y, tile in taken if math.hypot(spot[0] - x, spot[1] - y) < reach]
        return s.tile in near or (bool(near) and (s.facing != "up" or s.confidence < CERTAIN))

    def _part(self, s: Sighting, spot: Spotted) -> bool:
        """Whether what was seen is but part of a known tile, told for a whole one: two sticks of four, six dots of eight."""
        width = self.calibration.tile_width
        if s.facing != "up" or spot[3] * spot[4] > MOST_OF_IT * width * width:
            return False
        faces = (k for k in self.tracks.values() if k.settled and k.facing == "up")
        return any(math.hypot(spot[0] - k.x, spot[1] - k.y) < WITHIN * width for k in faces)

    def _completes(self, track: Track, spot: Spotted) -> bool:
        """Whether of a tile known by a part of its face the whole is seen now."""
        most = MOST_OF_IT * self.calibration.tile_width**2
        near = math.hypot(spot[0] - track.x, spot[1] - track.y) < BUT_PART * self.calibration.tile_width
        return track.area <= most < spot[3] * spot[4] and near

    def _another(self, track: Track, s: Sighting, spot: Spotted) -> bool:
        """Whether a sighting so near to a track is another tile: both faces are sure and differ, and it does not lie quite
        as the track did (a tile of the heap that came to light when the one on it was taken)."""
        if not track.settled or track.confidence < CERTAIN or s.facing != "up":
            return False
        name, value = max(s.probabilities.items(), key=lambda item: item[1])
        if value < CERTAIN or name == track.tile or s.probabilities.get(track.tile, 0.0) > 0.02:
            return False
        if self._completes(track, spot):
            return False
        away = math.hypot(spot[0] - track.x, spot[1] - track.y)
        turned = abs((spot[2] - track.yaw + 90.0) % 180.0 - 90.0)
        return away > SHIFTED * self.calibration.tile_width or turned > TURNED

    def _add(self, s: Sighting, spot: Spotted, t: float) -> Track:
        track = Track(
            self._next, *spot[:3], s.facing, _evidence(s), t, t, upright=s.upright, width=spot[3],
            area=spot[3] * spot[4], sure=s.confidence, white=_white(s), home=spot[:2], at=(spot[:2],), quad=s.quad,
        )  # fmt: skip
        self.tracks[track.id] = track
        self._next += 1
        return track

    def _see(self, track: Track, s: Sighting, spot: Spotted, t: float) -> None:
        keep = 0.6
        if s.facing == "up" and not s.known and self._completes(track, spot):
            track.scores = np.zeros_like(track.scores)  # what its part was read as says nothing
        track.x += (spot[0] - track.x) * (1 - keep)
        track.y += (spot[1] - track.y) * (1 - keep)
        if s.upright >= track.upright - 0.1:
            track.yaw, track.upright = spot[2], s.upright
        track.sure += (s.confidence - track.sure) * (1 - keep)
        track.white += (_white(s) - track.white) * (1 - keep)
        track.at = (*track.at[-1:], spot[:2])
        if track.looks < AT_HOME:
            track.home = track.x, track.y
        track.width, track.area, track.quad = spot[3], spot[3] * spot[4], s.quad
        if not s.known:
            scores = track.scores + _evidence(s)
            track.scores = np.maximum(scores - scores.max(), -MOST)
        track.seen, track.missed, track.looks = t, 0, track.looks + 1
        track.facing = {BACK: "down", EDGE: "standing"}.get(track.tile, "up")

    def _miss(
        self, seen: set[int], t: float, looked: Callable[[float, float], bool], beside: Sequence[Spotted]
    ) -> list[Track]:
        """The tracks that are gone. What is seen ``beside`` the places that were looked at is missed by nobody: a tile on
        the border may lie just within at one look and just without at the next."""
        gone: list[Track] = []
        reach = SAME * self.calibration.tile_width
        unseen = [track for track in self.tracks.values() if id(track) not in seen and track.seen < t]
        if not unseen:
            return gone
        pixels = self.calibration.to_pixels(np.array([[track.x, track.y] for track in unseen]))
        for track, (x, y) in zip(unseen, pixels, strict=True):
            if not looked(float(x), float(y)) or any(math.hypot(track.x - a, track.y - b) < reach for a, b, *_ in beside):
                continue
            track.missed += 1
            if track.missed >= (GONE if track.settled else 1):
                del self.tracks[track.id]
                gone.append(track)
        return gone


def _hidden(s: Sighting) -> float:
    """How likely it is that a sighting shows no face: a back, or the edge of a standing tile."""
    return s.probabilities.get(BACK, 0.0) + s.probabilities.get(EDGE, 0.0)


def _as_hidden(s: Sighting) -> Sighting:
    """A face that may well be a blank back or edge is taken for one: there are a hundred of these on a table to a face."""
    if s.facing != "up" or (hidden := _hidden(s)) <= DOUBTFUL:
        return s
    edge = s.probabilities.get(EDGE, 0.0)
    name, facing = (EDGE, "standing") if edge > hidden / 2 else (BACK, "down")
    kept = {name: hidden / (hidden + LEFT), WHITE: min(_white(s), AT_MOST)}
    return replace(s, facing=facing, probabilities=kept, confidence=min(s.confidence, 0.6))


def _white(s: Sighting) -> float:
    return s.probabilities.get(WHITE, 0.0)


def _alike(track: Track, s: Sighting) -> bool:
    """A tile lying face up and one face down are never the same tile without having been moved, where both are sure."""
    if (track.facing == "up") == (s.facing == "up"):
        return True
    return s.confidence < UNSURE or track.confidence < UNSURE


def _evidence(s: Sighting) -> np.ndarray:
    """Log probabilities of a look, tempered by how sure the reader is that it saw a tile at all."""
    p = np.full(len(NAMES), FLOOR)
    for name, value in s.probabilities.items():
        if name in INDEX:
            p[INDEX[name]] = max(value, FLOOR)
    scores: np.ndarray = np.log(p / p.sum()) * (0.3 + 0.7 * s.confidence)
    return scores - scores.max()
