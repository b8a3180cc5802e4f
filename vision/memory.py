"""What was read of each tile of a fixed camera's picture, so that nothing is read again that has not changed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.geometry import TurnedBox, crop
from vision.palette import Palette
from vision.reader import Readings

SAME = 0.3  # of a tile's short side: a box nearer than this to a known one may be of the same tile,
TURN = math.radians(12)  # turned by no more than this against it
CHANGED = 6.0  # mean difference of grey levels, the light's taken off, from which a place is another picture
TIMES = 2  # a doubtful tile is read so often, then it stands
MOST = 1500  # tiles remembered


@dataclass(eq=False)
class Held:
    """A tile that was read: its box in the whole picture, what the place looked like, its readings (one row), how many times."""

    box: TurnedBox
    look: np.ndarray
    readings: Readings
    times: int = 1

    @property
    def stands(self) -> bool:
        """However doubtful it is, it is not read again."""
        return self.times >= TIMES


class Memory:
    """The tiles of one camera's picture. Positions are pixels of the whole picture; ``at`` is where a part begins."""

    def __init__(self) -> None:
        self._held: list[Held] = []
        self.palette: Palette | None = None

    def clear(self) -> None:
        self._held.clear()
        self.palette = None

    def recall(self, image: np.ndarray, boxes: Sequence[TurnedBox], at: tuple[int, int]) -> list[Held | None]:
        """For each box found in a part of the picture what is known of the tile there, where it looks as it did."""
        if not boxes or not self._held:
            return [None] * len(boxes)
        places = np.array([(h.box.x, h.box.y) for h in self._held])
        out: list[Held | None] = []
        for box in boxes:
            away = np.hypot(places[:, 0] - box.x - at[0], places[:, 1] - box.y - at[1])
            nearest = self._held[int(away.argmin())]
            same = away.min() < SAME * box.short and _turn(nearest.box.angle - box.angle) < TURN
            out.append(nearest if same and not self._changed(image, nearest, at) else None)
        return out

    def _changed(self, image: np.ndarray, held: Held, at: tuple[int, int]) -> bool:
        differs = _look(image, moved(held.box, -at[0], -at[1])) - held.look
        return float(np.abs(differs - np.median(differs)).mean()) > CHANGED

    def keep(
        self, image: np.ndarray, boxes: Sequence[TurnedBox], at: tuple[int, int], held: Sequence[Held | None],
        readings: Readings, again: Sequence[int],
    ) -> None:  # fmt: skip
        """Remember the readings of all boxes of a part of the picture; of the tiles known already those of `again` are new."""
        height, width = image.shape[:2]
        inside = [h for h in self._held if at[0] <= h.box.x < at[0] + width and at[1] <= h.box.y < at[1] + height]
        gone = {id(h) for h in inside} - {id(h) for h in held if h is not None}
        self._held = [h for h in self._held if id(h) not in gone][-MOST:]
        self._held += [Held(moved(box, *at), _look(image, box), readings.row(i))
                       for i, (box, known) in enumerate(zip(boxes, held, strict=True)) if known is None]  # fmt: skip
        for i in again:
            known = held[i]
            if known is not None:
                known.readings, known.times = readings.row(i), known.times + 1


def moved(box: TurnedBox, x: float, y: float) -> TurnedBox:
    return replace(box, x=box.x + x, y=box.y + y)


def _look(image: np.ndarray, box: TurnedBox) -> np.ndarray:
    """A small grey picture of a tile."""
    grey = cv2.cvtColor(crop(image, box), cv2.COLOR_BGR2GRAY)
    small: np.ndarray = cv2.resize(grey, (12, 16), interpolation=cv2.INTER_AREA).astype(np.float32)
    return small


def _turn(angle: float) -> float:
    """The difference of two directions of a line, radians."""
    return abs((angle + math.pi / 2) % math.pi - math.pi / 2)
