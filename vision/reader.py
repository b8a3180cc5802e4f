"""What turned boxes show: a classifier reads each, upright, cut from the picture as given.

A certain box is read once, others the other way up as well, nearly square ones all four ways, each time a little larger or
smaller; the less certain ones again at more sizes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import onnxruntime

from vision.classes import BACK, CLASSES, EDGE
from vision.geometry import NEARLY_SQUARE, TurnedBox
from vision.halves import Halves

BATCH = 256
SIZES = (0.95, 1.05)  # of the crops, against the box: labels and boxes differ a little on where a face ends
MORE_SIZES = (0.83, 1.16, 1.16, 0.83, 0.88, 1.1)
HEADLONG = 0.1  # weight of a reading of a face that stands on its head, against an upright one's
#: Classes whose picture is the same upside down: a second reading, the other way up, would show nothing new.
SAME_UPSIDE_DOWN = np.isin(CLASSES, ["2p", "4p", "5p", "8p", "9p", "2s", "4s", "5s", "6s", "8s", "9s", BACK, EDGE])

Look = tuple[int, int, float]  # number of a box, quarter turns, size against the box


@dataclass(frozen=True, eq=False)
class Readings:
    """Weighted sums over the readings of n boxes, and the sums of the weights, (n,) each zero where there is none.

    kinds: (n, classes) of probabilities; turns: (n, 4) of those of the face's clockwise quarter turns against the box; red: (n,)
    of that of a red five; embeddings: (n, e).
    """

    kinds: np.ndarray
    turns: np.ndarray
    red: np.ndarray
    embeddings: np.ndarray
    weights: np.ndarray

    def __add__(self, other: Readings) -> Readings:
        return Readings(*(a + b for a, b in zip(self.parts, other.parts, strict=True)))

    @property
    def parts(self) -> tuple[np.ndarray, ...]:
        return self.kinds, self.turns, self.red, self.embeddings, self.weights

    def row(self, i: int) -> Readings:
        return Readings(*(part[i : i + 1].copy() for part in self.parts))

    def filled(self, rows: Sequence[Readings | None]) -> Readings:
        """With these rows in the place of its own where there are any."""
        parts = [part.copy() for part in self.parts]
        for i, row in enumerate(rows):
            if row is not None:
                for part, value in zip(parts, row.parts, strict=True):
                    part[i] = value[0]
        return Readings(*parts)

    def means(self) -> tuple[np.ndarray, ...]:
        """Of kinds, turns, red, embeddings."""
        return tuple(_per_box(part, 1 / self.weights) for part in self.parts[:-1])

    def best(self) -> np.ndarray:
        """(n,) probability of each box's likeliest class, 0 where it was not read."""
        best: np.ndarray = self.kinds.max(1) / np.maximum(self.weights, 1e-9)
        return best

    def joined(self, other: Readings, share: float) -> Readings:
        """With another reader's mean counting `share` of the whole, where that one read. Its embedding, another space, counts for
        nothing."""
        asked = other.weights > 0
        grown = np.where(asked, 1 / (1 - share), 1.0)
        factor = np.where(asked, share * grown * self.weights / np.where(asked, other.weights, 1.0), 0.0)
        kinds, turns, red = (a + _per_box(b, factor) for a, b in zip(self.parts[:3], other.parts[:3], strict=True))
        return Readings(kinds, turns, red, _per_box(self.embeddings, grown), self.weights * grown)


class Reader:
    """A classifier's file of models/, on `threads` threads; its class logits are divided by `temperature`."""

    def __init__(self, file: Path, threads: int, temperature: float = 1.0) -> None:
        self.file, self.temperature = file, temperature
        self.session = session(file, threads)

    @cached_property
    def digest(self) -> str:
        """Which classifier this is."""
        return hashlib.sha256(self.file.read_bytes()).hexdigest()[:16]

    def once_or_more(self, image: Halves, boxes: Sequence[TurnedBox], which: Iterable[int], certain: float) -> Readings:
        """A reading of each oblong box, two where it leaves face and way up less sure than `certain`; four of a nearly
        square box."""
        looks = _looks(boxes, which, SIZES)
        first = self._read(image, boxes, [look for look in looks if look[1] == 0 or _square(boxes[look[0]])])
        sure_turn = np.where(SAME_UPSIDE_DOWN[first.kinds.argmax(1)], first.turns[:, 0] + first.turns[:, 2], first.turns.max(1))
        wanted = np.where(first.weights > 0, certain * first.weights, 0)
        enough = np.minimum(first.kinds.max(1), sure_turn) >= wanted
        seconds = [look for look in looks if look[1] and not _square(boxes[look[0]]) and not enough[look[0]]]
        return first + self._read(image, boxes, seconds)

    def at_more_sizes(self, image: Halves, boxes: Sequence[TurnedBox], which: Iterable[int]) -> Readings:
        """Of boxes that `once_or_more` leaves in doubt."""
        return self._read(image, boxes, _looks(boxes, which, MORE_SIZES))

    def at_all_sizes(self, image: Halves, boxes: Sequence[TurnedBox], which: Iterable[int]) -> Readings:
        return self._read(image, boxes, _looks(boxes, which, SIZES + MORE_SIZES))

    def logits(self, crops: Sequence[np.ndarray]) -> np.ndarray:
        """(n, classes) raw outputs for crops (64, 48, 3) as `vision.geometry.crop` cuts them."""
        return np.concatenate([self._batch(crops[at : at + BATCH])[0] for at in range(0, len(crops), BATCH)])

    def _read(self, image: Halves, boxes: Sequence[TurnedBox], looks: Sequence[Look]) -> Readings:
        """A face is read best where it stands upright in the crop, so such readings weigh more."""
        if not looks:
            widths = (len(CLASSES),), (4,), (), (self.session.get_outputs()[-1].shape[-1],), ()
            return Readings(*(np.zeros((len(boxes), *width)) for width in widths))
        crops = [image.crop(boxes[i].scaled(size), q) for i, q, size in looks]
        outputs = [self._batch(crops[at : at + BATCH]) for at in range(0, len(crops), BATCH)]
        kind, turn, red, embedding = (np.concatenate(parts) for parts in zip(*outputs, strict=True))
        kind, turn = _softmax(kind / self.temperature), _softmax(turn)
        red = 1 / (1 + np.exp(-red[:, 0]))
        weights = (HEADLONG + (1 - HEADLONG) * turn[:, 0]) * kind.max(1) ** 2
        owner, quarters = (np.array(column) for column in list(zip(*looks, strict=True))[:2])
        turn = np.take_along_axis(turn, (np.arange(4) + quarters[:, None]) % 4, 1)
        sums = [_added(_per_box(values, weights), owner, len(boxes)) for values in (kind, turn, red, embedding)]
        return Readings(*sums, np.bincount(owner, weights, minlength=len(boxes)))

    def _batch(self, crops: Iterable[np.ndarray]) -> list[np.ndarray]:
        x = np.stack(list(crops)).transpose(0, 3, 1, 2).astype(np.float32)
        outputs: list[np.ndarray] = self.session.run(["kind", "turn", "red", "embedding"], {"crops": x})
        return outputs


def session(path: Path, threads: int) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def _square(box: TurnedBox) -> bool:
    return box.long < NEARLY_SQUARE * box.short


def _looks(boxes: Sequence[TurnedBox], which: Iterable[int], sizes: Sequence[float]) -> list[Look]:
    """Looks at the boxes: one a size, both ways up in turn, nearly square boxes each size twice and in all four ways."""
    return [
        (i, quarter, size)
        for i in which
        for group in _groups(sizes)
        for quarter, size in zip((0, 1, 2, 3) if _square(boxes[i]) else (0, 2), group, strict=False)
    ]


def _groups(sizes: Sequence[float]) -> list[tuple[float, ...]]:
    """Sizes for the readings of one box: two at a time, over and over for the four of a nearly square one."""
    return [(sizes[k], sizes[k + 1]) * 2 for k in range(0, len(sizes), 2)]


def _softmax(logits: np.ndarray) -> np.ndarray:
    e = np.exp(logits - logits.max(1, keepdims=True))
    p: np.ndarray = e / e.sum(1, keepdims=True)
    return p


def _per_box(values: np.ndarray, factors: np.ndarray) -> np.ndarray:
    """Rows of values (n, ...) times a factor (n,) each."""
    product: np.ndarray = (values.T * factors).T
    return product


def _added(values: np.ndarray, owner: np.ndarray, count: int) -> np.ndarray:
    """The sums of the values of each of `count` owners, whose numbers rise."""
    total = np.zeros((count, *values.shape[1:]), np.float64)
    first = np.flatnonzero(np.diff(owner, prepend=-1))
    total[owner[first]] = np.add.reduceat(values, first, axis=0, dtype=np.float64)
    return total
