"""Tiles in a picture: where they lie, what they show, which way up, and how sure that is.

Three networks: a localiser finds turned rectangles at the scale at which tiles are about TARGET pixels wide, a
classifier reads each rectangle upright, cut from the picture as given, and a wider one is asked about those that are in doubt.
How they are made: models/training; what they can and cannot do: models/tiles.md.
"""

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path

import cv2
import numpy as np

from vision import enrol
from vision.classes import BACK, CLASSES, EDGE, FIVES, INDEX, NONE
from vision.context import blanks_among_faces, second_sides
from vision.geometry import TurnedBox, box_of, from_turn_features, short_side
from vision.halves import Halves
from vision.memory import Held, Memory, moved
from vision.palette import FEWEST_BACKS, dragons_by_colour, palette, samples
from vision.reader import Reader, Readings, session

STRIDE = 8
COARSE = 416  # longer side of the first look
TARGET = 45.0  # short side of a tile, in pixels, that the localiser reads best
COMFORT = (28.0, 64.0)  # short sides for which one look is enough
FINE = 26.0  # short side below which a look's tiles are looked at again at a finer scale
KEEP = (18.0, 100.0)  # short sides that a look may report when there are several
WINDOW, OVERLAP = 1024, 128  # larger looks are cut into windows
MAX_LOOK = 2400  # longer side of the largest look
MAX_SCALE = 3.0  # blowing pictures up further shows nothing new
SLIM, MAX_STRETCH = 1.55, 2.4
ASPECT_SAMPLE = 6  # tiles that are read both as they are and stretched, to tell whether the picture is squeezed
CLEARLY_WORSE = 0.05  # in the mean of their probabilities: most are read surely either way
SCORE = 0.30
AXIS_LEAN = 0.2  # sine of a rectangle's angle to the picture's axes below which it lies along them
SEEN = 0.35  # score from which a first look says where to look closer
SHOWN = 0.5  # score or confidence of what is more likely a tile than not
CERTAIN = 0.99  # probability of face and way up from which one reading is enough
SURE = 0.9  # probability, and confidence, of a reading that nobody else is asked about
SECOND = 0.5  # the second reader's part in what it is asked about
ALTERNATIVES = 5

Region = tuple[int, int, int, int]
Stretch = tuple[float, float]  # factors that x and y of a picture are blown up by


@dataclass(frozen=True, eq=False)
class Sighting:
    """One tile seen.

    quad: (4, 2) float32, pixels of the picture as given; the first corner is the face's own top left, then clockwise
        as read, so that quad[1] - quad[0] points along the reader's line and quad[3] - quad[0] down the face.
    probabilities: tile codes ("5m", "E", "C", "1f", "back", "edge") -> probability, the likeliest first, a few.
    red: probability that a five is a red one (0 for other tiles).
    upright: certainty that the quad starts at the right corner, 0.25 (no idea) to 1; half for faces that look the same
        upside down.
    facing: "up" the face is seen, "down" the back, "standing" only the edge of a standing tile.
    confidence: calibrated probability that this is a tile and `tile` its right name.
    known: nothing has changed there since it was read before (see `Memory`): the same evidence, not more of it.
    """

    quad: np.ndarray
    probabilities: dict[str, float]
    red: float
    upright: float
    facing: str
    confidence: float
    known: bool = False

    @property
    def tile(self) -> str:
        return next(iter(self.probabilities))

    @property
    def centre(self) -> np.ndarray:
        centre: np.ndarray = self.quad.mean(0)
        return centre

    @property
    def short(self) -> float:
        """The shorter side in pixels."""
        return short_side(self.quad)


@dataclass(frozen=True)
class Calibration:
    """How raw outputs become probabilities: class logits are divided by `temperature`; confidence is the logistic of
    weights on the log odds of the best class and of the localiser's score, and a bias, with `standing_bias` on top of it
    for edges, which the localiser scores lower."""

    temperature: float = 1.0
    class_weight: float = 1.0
    score_weight: float = 0.0
    bias: float = 0.0
    standing_bias: float = 0.0


@dataclass(frozen=True)
class _Look:
    """What a look at a picture shrunk or blown up by `scale` found, in pixels of the picture."""

    boxes: list[TurnedBox]
    scores: list[float]
    scale: float

    def likely(self) -> list[TurnedBox]:
        return [b for b, s in zip(self.boxes, self.scores, strict=True) if s >= SHOWN]

    def shorts(self) -> list[float]:
        """Short sides of what may be tiles."""
        return [b.short for b, s in zip(self.boxes, self.scores, strict=True) if s > SEEN]


@dataclass(frozen=True, eq=False)
class _Pass:
    """What one pass over a picture, stretched by `stretch`, found; `pixels` as they were read, `readings` those of each box."""

    pixels: np.ndarray
    stretch: Stretch
    boxes: list[TurnedBox]
    scores: list[float]
    readings: Readings
    known: Sequence[bool] = ()
    memory: Memory | None = None


class Detector:
    """Reads tiles, with the int8 models unless `precise`; `models` is a folder with other models of the same shape, which may
    lack the second reader; `set_name` a tile set learned with `referee enrol`."""

    def __init__(self, models: Path | None = None, *, precise: bool = False, threads: int = 2,
                 set_name: str | None = None) -> None:  # fmt: skip
        folder = Path(models) if models else Path(str(resources.files("models")))
        suffix = "" if precise else "_int8"
        settings = folder / "tiles.json"
        self.localiser = session(folder / f"tiles_localiser{suffix}.onnx", threads)
        second = folder / f"tiles_second{suffix}.onnx"
        self.reader = Reader(folder / f"tiles_classifier{suffix}.onnx", threads)
        self.second = Reader(second, threads) if second.exists() else None
        self.calibrate(Calibration(**json.loads(settings.read_text())) if settings.exists() else Calibration())
        self.tile_set: enrol.TileSet | None = enrol.load(set_name, self.weights) if set_name else None

    def calibrate(self, calibration: Calibration) -> None:
        """Take outputs for probabilities as this one says."""
        self.calibration = calibration
        for reader in filter(None, (self.reader, self.second)):
            reader.temperature = calibration.temperature

    @property
    def weights(self) -> str:
        """Which classifier this is: only sets learned with it can be used with it."""
        return self.reader.digest

    def read(self, image: np.ndarray, regions: Sequence[Region] | None = None,
             tile_width: float | None = None, *, memory: Memory | None = None) -> list[Sighting]:  # fmt: skip
        """All tiles of a (h, w, 3) uint8 blue-green-red picture, in reading order.

        regions: rectangles (x, y, width, height) to look at instead of the whole, for tiles whose middle lies in one;
        tile_width: the tiles' short side in pixels where it is known (a fixed camera), which saves the first look;
        memory: what was read in earlier pictures of the same camera; only tiles that are new or changed are read then.
        """
        if regions is None:
            return in_reading_order(self._read(image, tile_width, memory))
        found: list[Sighting] = []
        for x, y, w, h in regions:
            margin = round(1.5 * tile_width if tile_width else 0.25 * min(w, h))  # so that no tile is seen by halves
            left, top = max(0, x - margin), max(0, y - margin)
            part = image[top : max(top, y + h + margin), left : max(left, x + w + margin)]
            if min(part.shape[:2]) < 8:
                continue
            seen = [_moved(s, left, top) for s in self._read(part, tile_width, memory, (left, top))]
            found += [s for s in seen if x <= s.centre[0] < x + w and y <= s.centre[1] < y + h]
        return in_reading_order(_without_doubles(found))

    def _read(self, image: np.ndarray, tile_width: float | None, memory: Memory | None,
              at: tuple[int, int] = (0, 0)) -> list[Sighting]:  # fmt: skip
        if memory is not None and tile_width is not None:
            return [s for s, _ in self._remembering(image, tile_width, memory, at)]
        return [s for s, _ in self.scored(image, tile_width)]

    def scored(self, image: np.ndarray, tile_width: float | None = None) -> list[tuple[Sighting, float]]:
        """All tiles of a picture with the localiser's raw scores, in no order. Pictures squeezed out of their aspect
        are stretched back."""
        stretch, places, seen = (1.0, 1.0), None, Halves(image)
        if tile_width is None:
            first = self._first_look(seen)
            stretch = self._aspect(seen, first)
            if stretch == (1.0, 1.0):
                places = self._closer_look(seen, first)
            else:
                seen = _stretched(seen, stretch)
                tile_width = one_width([_stretched_box(b, stretch).short for b in first.likely()])
        boxes, scores = places or self._located(seen, tile_width)
        readings = self._surer(seen, boxes, scores, self._first(seen, boxes, self._certain))
        return self._sightings(_Pass(seen.pixels, stretch, boxes, scores, readings))

    def _aspect(self, image: Halves, first: "_Look") -> Stretch:
        """How to stretch a squeezed picture, told from a few of the tiles that a first look found: they must be slimmer than any
        camera shows them, and not be read clearly worse once stretched."""
        likely = first.likely()
        if squeezed([b.corners() for b in likely]) == (1.0, 1.0):
            return 1.0, 1.0
        some = likely[:: max(1, len(likely) // ASPECT_SAMPLE)][:ASPECT_SAMPLE]
        plain = self._faces(image, some)
        stretch = squeezed([s.quad for s in plain if s.confidence >= SHOWN])
        if stretch == (1.0, 1.0):
            return stretch
        other = self._faces(_stretched(image, stretch), [_stretched_box(b, stretch) for b in some])
        return stretch if _likelihood(other) > _likelihood(plain) - CLEARLY_WORSE * len(some) else (1.0, 1.0)

    def _faces(self, image: Halves, boxes: Sequence[TurnedBox]) -> list[Sighting]:
        readings = self._first(image, boxes, CERTAIN)
        found = _Pass(image.pixels, (1.0, 1.0), list(boxes), [1.0] * len(boxes), readings)
        return [s for s, _ in self._sightings(found) if s.facing == "up"]

    def _remembering(self, image: np.ndarray, tile_width: float, memory: Memory,
                     at: tuple[int, int]) -> list[tuple[Sighting, float]]:  # fmt: skip
        """A pass in which only new and changed tiles are read, doubtful ones once more at more sizes."""
        halves = Halves(image)
        boxes, scores = self._located(halves, tile_width)
        held = memory.recall(image, boxes, at)
        boxes = [b if h is None else moved(h.box, -at[0], -at[1]) for b, h in zip(boxes, held, strict=True)]
        readings = self.reader.once_or_more(halves, boxes, [i for i, h in enumerate(held) if h is None], self._certain)
        readings = readings.filled([None if h is None else h.readings for h in held])
        again = [i for i in self._doubtful(readings, scores) if _may_be_read_again(held[i])]
        readings = self._asked(halves, boxes, again, readings)
        memory.keep(image, boxes, at, held, readings, again)
        known = [h is not None and i not in again for i, h in enumerate(held)]
        return self._sightings(_Pass(image, (1.0, 1.0), boxes, scores, readings, known, memory))

    def _sightings(self, found: "_Pass") -> list[tuple[Sighting, float]]:
        known = found.known or [False] * len(found.boxes)
        told = self._told(found)[2] if found.boxes else {}
        return [(replace(sighting, known=known[i]), found.scores[i]) for i, sighting in told.items()]

    def _told(self, found: "_Pass") -> tuple[np.ndarray, np.ndarray, dict[int, Sighting]]:
        """(n, classes) probabilities and (n, e) embeddings of a pass's boxes, and the sighting of each box that is a tile."""
        kinds, turns, red, embeddings = found.readings.means()
        if self.tile_set is not None:
            kinds = self.tile_set.weigh(kinds, embeddings)
        kinds = self._by_colour(found, blanks_among_faces(found.boxes, kinds, found.pixels))
        told = {}
        for i in np.where(~second_sides(found.boxes, kinds))[0]:
            sighting = self._sighting(found.boxes[i], found.scores[i], kinds[i], turns[i], red[i], found.stretch)
            if sighting is not None:
                told[int(i)] = sighting
        return kinds, embeddings, told

    def _by_colour(self, found: "_Pass", kinds: np.ndarray) -> np.ndarray:
        """Blank dragons told from backs by the set's colours, those of an earlier picture where this shows too little."""
        remembered = found.memory is not None and found.memory.palette is not None
        if (kinds.argmax(1) == INDEX[BACK]).sum() < (1 if remembered else FEWEST_BACKS):
            return kinds  # nothing to tell, or nothing to tell it by
        colours = samples(found.pixels, found.boxes)
        seen = palette(colours, kinds)
        if found.memory is not None:
            seen = found.memory.palette = seen or found.memory.palette
        if seen is None:
            return kinds
        return dragons_by_colour(found.boxes, kinds, colours, np.array(found.scores) >= SHOWN, seen)

    def features(self, image: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(n, classes) probabilities and (n, e) embeddings of the tiles in a picture, in reading order; what
        `vision.enrol.learn` learns a set from."""
        boxes, scores = self.locate(image)
        if not boxes:
            return np.zeros((0, len(CLASSES))), np.zeros((0, 1))
        found = _Pass(image, (1.0, 1.0), boxes, scores, self._readings(Halves(image), boxes, scores))
        kinds, embeddings, told = self._told(found)
        number = {id(s): i for i, s in told.items()}
        order = [number[id(s)] for s in in_reading_order([s for s in told.values() if s.facing == "up"])]
        return kinds[order], embeddings[order]

    # where

    def locate(self, image: np.ndarray, tile_width: float | None = None) -> tuple[list[TurnedBox], list[float]]:
        """Turned boxes of everything that looks like a tile, with the localiser's scores."""
        return self._located(Halves(image), tile_width)

    def _located(self, image: Halves, tile_width: float | None) -> tuple[list[TurnedBox], list[float]]:
        if tile_width:
            return self._look(image, _bounded(TARGET / tile_width, image))
        return self._closer_look(image, self._first_look(image))

    def _closer_look(self, image: Halves, first: "_Look") -> tuple[list[TurnedBox], list[float]]:
        """Further looks at the scales that suit the tiles found by a first one, or what that found where it suits."""
        scales = wanted_scales(first.shorts(), first.scale)
        if not scales:
            return first.boxes, first.scores
        looks = [self._scaled(image, scale) for scale in scales]
        if len(looks) == 1 and looks[0].likely():
            median = float(np.median([b.short for b in looks[0].likely()]))
            if median * looks[0].scale < FINE:  # few and large things led there, for small tiles escape a first look
                looks.append(self._scaled(image, TARGET / median))
        if len(looks) == 1:
            return looks[0].boxes, looks[0].scores
        fit = [(box, score) for seen in looks for box, score in zip(seen.boxes, seen.scores, strict=True)
               if KEEP[0] <= box.short * seen.scale <= KEEP[1]]  # fmt: skip
        kept = _distinct([b for b, _ in fit], [s for _, s in fit])
        return [fit[i][0] for i in kept], [fit[i][1] for i in kept]

    def _scaled(self, image: Halves, scale: float) -> "_Look":
        scale = _bounded(scale, image)
        return _Look(*self._look(image, scale), scale)

    def _first_look(self, image: Halves) -> "_Look":
        """A small look; where nothing shows, a larger one for small tiles, then a tiny one for a huge tile."""
        longer = max(image.width, image.height)
        for size in (COARSE, 2 * COARSE, COARSE // 2, COARSE // 4):
            seen = self._scaled(image, size / longer)
            if seen.shorts():
                break
        return seen

    def _look(self, image: Halves, scale: float) -> tuple[list[TurnedBox], list[float]]:
        """One look at the picture shrunk or blown up by `scale`, in windows where that is large."""
        w, h = image.width, image.height
        size = (max(1, round(w * scale)), max(1, round(h * scale)))
        resized = image.resized(size)
        boxes: list[TurnedBox] = []
        scores: list[float] = []
        for x, y in _windows(size):
            part = resized[y : y + WINDOW, x : x + WINDOW]
            for box, score in zip(*self._window(part), strict=True):
                boxes.append(TurnedBox((box.x + x) * w / size[0], (box.y + y) * h / size[1], box.angle, box.long / scale,
                                       box.short / scale))  # fmt: skip
                scores.append(score)
        kept = _distinct(boxes, scores)
        return [boxes[i] for i in kept], [scores[i] for i in kept]

    def _window(self, part: np.ndarray) -> tuple[list[TurnedBox], list[float]]:
        h, w = part.shape[:2]
        padded = np.full((math.ceil(h / 32) * 32, math.ceil(w / 32) * 32, 3), 114, np.uint8)
        padded[:h, :w] = part
        (out,) = self.localiser.run(["boxes"], {"image": padded.transpose(2, 0, 1)[None].astype(np.float32)})
        return decode(out[0], SCORE)

    # what

    def classify(self, image: np.ndarray, boxes: Sequence[TurnedBox]) -> tuple[np.ndarray, ...]:
        """(n, classes) probabilities, (n, 4) probabilities of the face's clockwise quarter turns against the box, (n,)
        probability of red, (n, e) embedding. Every box is read both ways up, nearly square ones all four, each time a
        little larger or smaller; the doubtful ones again at more sizes."""
        return self._readings(Halves(image), boxes, [1.0] * len(boxes)).means()

    def _readings(self, image: Halves, boxes: Sequence[TurnedBox], scores: Sequence[float]) -> Readings:
        return self._surer(image, boxes, scores, self._first(image, boxes, math.inf))

    @property
    def _certain(self) -> float:
        """Embeddings of a learned set are means over both ways up: one reading would not compare with them."""
        return CERTAIN if self.tile_set is None else math.inf

    def _first(self, image: Halves, boxes: Sequence[TurnedBox], certain: float) -> Readings:
        return self.reader.once_or_more(image, boxes, range(len(boxes)), certain)

    def _surer(self, image: Halves, boxes: Sequence[TurnedBox], scores: Sequence[float], first: Readings) -> Readings:
        return self._asked(image, boxes, self._doubtful(first, scores), first)

    def _asked(self, image: Halves, boxes: Sequence[TurnedBox], which: Sequence[int], first: Readings) -> Readings:
        """Readings with those of `which` done again: by the second reader, and at more sizes what its face leaves in doubt."""
        best = first.best()
        more = first + self.reader.at_more_sizes(image, boxes, [i for i in which if best[i] < SURE])
        if self.second is None:
            return more
        return more.joined(self.second.at_all_sizes(image, boxes, which), SECOND)

    def _doubtful(self, readings: Readings, scores: Sequence[float]) -> list[int]:
        """Boxes whose class is in doubt, and those that are shown as a tile without much confidence that they are one."""
        best, shown = readings.best(), readings.kinds.argmax(1) != INDEX[NONE]
        return [i for i, score in enumerate(scores)
                if best[i] < SURE or (shown[i] and self._confidence(float(best[i]), score, "up") < SURE)]  # fmt: skip

    def _sighting(self, box: TurnedBox, score: float, kind: np.ndarray, turn: np.ndarray, red: float,
                  stretch: Stretch) -> Sighting | None:  # fmt: skip
        order = np.argsort(-kind)
        if CLASSES[order[0]] == NONE:
            return None
        best = [int(i) for i in order[: ALTERNATIVES + 1] if CLASSES[i] != NONE][:ALTERNATIVES]
        probabilities = {CLASSES[i]: float(kind[i]) for i in best}
        tile = CLASSES[best[0]]
        quarter = int(turn.argmax())
        facing = {BACK: "down", EDGE: "standing"}.get(tile, "up")
        quad = box.corners(quarter) / np.array(stretch, np.float32)
        return Sighting(quad.astype(np.float32), probabilities, float(red) if tile in FIVES else 0.0,
                        float(turn[quarter]), facing, self._confidence(float(kind[best[0]]), score, facing))  # fmt: skip

    def _confidence(self, probability: float, score: float, facing: str) -> float:
        c = self.calibration
        bias = c.bias + c.standing_bias * (facing == "standing")
        odds = c.class_weight * log_odds(probability) + c.score_weight * log_odds(score) + bias
        return 1 / (1 + math.exp(-odds))


def decode(out: np.ndarray, threshold: float) -> tuple[list[TurnedBox], list[float]]:
    """Peaks of the localiser's (10, h, w) output as boxes in its input's pixels, best first."""
    score = 1 / (1 + np.exp(-out[0]))
    peaks = (score >= cv2.dilate(score, np.ones((3, 3), np.uint8))) & (score > threshold)
    ys, xs = np.where(peaks)
    order = np.argsort(-score[ys, xs], kind="stable")
    ys, xs = ys[order], xs[order]
    o = out[:, ys, xs]
    left, top, right, bottom = np.exp(np.clip(o[1:5], -4, 4)) * STRIDE
    x = xs * STRIDE + STRIDE / 2 + (right - left) / 2
    y = ys * STRIDE + STRIDE / 2 + (bottom - top) / 2
    angle, long, short = from_turn_features(o[5:10], STRIDE)
    long, short = _agreed_sides(angle, long, short, left + right, top + bottom)
    boxes = [TurnedBox(*(float(v) for v in row)) for row in zip(x, y, angle, long, short, strict=True)]
    scores = [float(v) for v in score[ys, xs]]
    kept = _distinct(boxes, scores)
    return [boxes[i] for i in kept], [scores[i] for i in kept]


def _agreed_sides(angle: np.ndarray, long: np.ndarray, short: np.ndarray, wide: np.ndarray,
                  high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Sides of rectangles that lie nearly along the picture's axes: there their upright bounds, which the localiser tells as
    well, are a second word on them. Their geometric mean."""
    c, s = np.abs(np.cos(angle)), np.abs(np.sin(angle))
    flat = c > s
    along, across = np.where(flat, wide, high), np.where(flat, high, wide)
    lean = np.minimum(c, s)  # bounds of a leaning rectangle are wider by the other side's share
    along, across = along - lean * short, across - lean * long
    aligned = (lean < AXIS_LEAN) & (along > 0) & (across > 0)
    return (np.where(aligned, np.sqrt(long * np.maximum(along, 1e-6)), long),
            np.where(aligned, np.sqrt(short * np.maximum(across, 1e-6)), short))  # fmt: skip


def _distinct(boxes: Sequence[TurnedBox], scores: Sequence[float]) -> list[int]:
    """Indices of the boxes whose middle lies in the middle of no better one, best first."""
    if not boxes:
        return []
    x, y, angle, long, short = np.array([(b.x, b.y, b.angle, b.long, b.short) for b in boxes]).T
    c, s = np.cos(angle), np.sin(angle)
    kept: list[int] = []
    free = np.ones(len(boxes), bool)
    for i in np.argsort(-np.array(scores), kind="stable"):
        if free[i]:
            kept.append(int(i))
            dx, dy = x - x[i], y - y[i]
            free &= (np.abs(dx * c[i] + dy * s[i]) >= 0.55 * long[i]) | (np.abs(dy * c[i] - dx * s[i]) >= 0.55 * short[i])
    return kept


def wanted_scales(shorts: Sequence[float], scale: float) -> list[float]:
    """Scales of further looks so that every tile's short side (pixels of the picture) is read comfortably; none where
    the look at `scale` did. Tiles of one size want one look; near and far ones in one picture two or three."""
    if not shorts:
        return []
    low, high = np.percentile(shorts, (5, 95))
    if COMFORT[0] <= low * scale and high * scale <= COMFORT[1]:
        return []
    width = one_width(shorts)
    if width is not None:
        return [TARGET / width]
    scales: list[float] = []
    at = float(low)
    while at <= high and len(scales) < 4:
        scales.append(1.2 * COMFORT[0] / at)
        at *= COMFORT[1] / COMFORT[0] / 1.2
    return scales


def squeezed(quads: Sequence[np.ndarray]) -> Stretch:
    """How much to stretch a picture (x, y) whose tiles are too slim or too flat for any camera: (1, 1) for most.

    quads: (4, 2) each, of the tiles seen from above. A tile is 1.3 to 1.45 times as long as wide. Views from the side make
    it shorter, hardly ever slimmer; so tiles that look slimmer than SLIM lie in a picture that was squeezed along their
    short side, as when a 16:9 picture is saved square.
    """
    upright, flat = [], []
    for quad in quads:
        long, short = sorted((quad[1] - quad[0], quad[3] - quad[0]), key=lambda v: -float(np.hypot(*v)))
        ratio = float(np.hypot(*long) / max(float(np.hypot(*short)), 1e-3))
        (upright if abs(long[1]) > abs(long[0]) else flat).append(ratio)
    for ratios, others, axis in ((upright, flat, 0), (flat, upright, 1)):
        if len(ratios) >= max(3, 2 * len(others)) and float(np.median(ratios)) > SLIM:
            factor = min(MAX_STRETCH, float(np.median(ratios)) / 1.38)
            return (factor, 1.0) if axis == 0 else (1.0, factor)
    return 1.0, 1.0


def one_width(shorts: Sequence[float]) -> float | None:
    """The tiles' width, of their short sides, where one look suits them all."""
    if not shorts:
        return None
    low, high = np.percentile(shorts, (5, 95))
    return float(np.median(shorts)) if high / low <= COMFORT[1] / COMFORT[0] else None


def _may_be_read_again(held: Held | None) -> bool:
    return held is not None and not held.stands


def _likelihood(sightings: Iterable[Sighting]) -> float:
    return sum(s.probabilities[s.tile] for s in sightings)


def _stretched(image: Halves, stretch: Stretch) -> Halves:
    return Halves(cv2.resize(image.pixels, None, fx=stretch[0], fy=stretch[1], interpolation=cv2.INTER_LINEAR))


def _stretched_box(box: TurnedBox, stretch: Stretch) -> TurnedBox:
    return box_of(box.corners() * np.array(stretch, np.float32))[0]


def in_reading_order(sightings: list[Sighting]) -> list[Sighting]:
    """Row by row from the top, each from the left, rows told by the tiles' own height."""
    middles = np.array([s.quad for s in sightings], np.float32).reshape(-1, 4, 2).mean(1)
    rows: list[list[int]] = []
    height = 0.0  # the mean of the last row
    for i in np.argsort(middles[:, 1], kind="stable"):
        if rows and middles[i, 1] - height < 0.6 * sightings[i].short:
            rows[-1].append(int(i))
            height += (middles[i, 1] - height) / len(rows[-1])
        else:
            rows.append([int(i)])
            height = middles[i, 1]
    return [sightings[i] for row in rows for i in sorted(row, key=lambda i: middles[i, 0])]


def _without_doubles(sightings: list[Sighting]) -> list[Sighting]:
    """Regions may overlap: the surer of two sightings of one tile."""
    if not sightings:
        return []
    middles = np.array([s.centre for s in sightings])
    reach = 0.5 * np.array([s.short for s in sightings])
    kept: list[int] = []
    for i in sorted(range(len(sightings)), key=lambda i: -sightings[i].confidence):
        if not kept or (np.hypot(*(middles[kept] - middles[i]).T) > reach[kept]).all():
            kept.append(i)
    return [sightings[i] for i in kept]


def _moved(s: Sighting, x: float, y: float) -> Sighting:
    return replace(s, quad=s.quad + np.array([x, y], np.float32))


def _windows(size: tuple[int, int]) -> list[tuple[int, int]]:
    def starts(length: int) -> list[int]:
        if length <= WINDOW:
            return [0]
        n = math.ceil((length - OVERLAP) / (WINDOW - OVERLAP))
        return [round(i * (length - WINDOW) / (n - 1)) for i in range(n)]

    return [(x, y) for y in starts(size[1]) for x in starts(size[0])]


def _bounded(scale: float, image: Halves) -> float:
    return min(scale, MAX_LOOK / max(image.width, image.height), MAX_SCALE)


def log_odds(p: float) -> float:
    p = min(max(p, 1e-6), 1 - 1e-6)
    return math.log(p / (1 - p))
