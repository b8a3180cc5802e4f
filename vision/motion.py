"""Where the picture moves, so that nothing is believed about a place while a hand is over it.

The picture is compared with the one before on a coarse grid. A cell is still once nothing has moved in it, or beside
it, for a while; it is due for a look when it has moved since it was last looked at.
"""

from dataclasses import dataclass

import cv2
import numpy as np

CELL = 32  # pixels of the picture a side of a cell covers, at 1080 lines
SENSITIVITY = 14  # grey levels that a real change exceeds and noise does not
SHARE = 0.02  # share of a cell that must change
SETTLE = 0.35  # seconds without motion before a cell is believed
LOOKS = 2  # looks a place gets once it is still: one to see, one to be sure
WIDE = 0.4  # share of cells moving at once that means the light or the camera changed


@dataclass(frozen=True)
class Stillness:
    """Grid of cells: seconds since each last moved, and which are still but not yet looked at."""

    since: np.ndarray
    due: np.ndarray
    moving_share: float
    everywhere: bool


class Motion:
    """Feed every picture; ask which parts are still and due."""

    def __init__(self, settle: float = SETTLE) -> None:
        self.settle = settle
        self._before: np.ndarray | None = None
        self._moved: np.ndarray | None = None
        self._looks = np.zeros((0, 0), np.int32)
        self.cell = CELL
        self.shape = (0, 0)
        self._time = 0.0

    def update(self, picture: np.ndarray, t: float) -> Stillness:
        """Take the next picture, at ``t`` seconds."""
        height, width = picture.shape[:2]
        self._time = t
        if self._before is None or self.shape != (height, width):
            self._start(height, width, t)
        small = self._small(picture)
        assert self._moved is not None
        share = 0.0
        everywhere = False
        if self._before is not None and self._before.shape == small.shape:
            changed = self._changed(self._before, small)
            share = float(changed.mean())
            everywhere = share > WIDE
            near = cv2.dilate(changed, np.ones((3, 3), np.uint8)) > 0
            self._moved[near] = t
            self._looks[near] = 0
        self._before = small
        still = t - self._moved >= self.settle
        return Stillness(t - self._moved, still & (self._looks < LOOKS), share, everywhere)

    def _start(self, height: int, width: int, t: float) -> None:
        self.shape = (height, width)
        self.cell = max(8, round(CELL * height / 1080))
        grid = (-(-height // self.cell), -(-width // self.cell))
        self._moved = np.full(grid, t - self.settle)
        self._looks = np.zeros(grid, np.int32)
        self._before = None

    def _small(self, picture: np.ndarray) -> np.ndarray:
        rows, columns = self._grid()
        grey = cv2.cvtColor(cv2.resize(picture, (columns * 4, rows * 4), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
        return cv2.GaussianBlur(grey, (3, 3), 0)

    def _grid(self) -> tuple[int, int]:
        assert self._moved is not None
        rows, columns = self._moved.shape
        return rows, columns

    def _changed(self, before: np.ndarray, now: np.ndarray) -> np.ndarray:
        """Cells in which enough pixels differ, the overall change of brightness taken off."""
        shift = float(np.median(now.astype(np.int16) - before))
        differs = np.abs(now.astype(np.int16) - before - round(shift)) > SENSITIVITY
        rows, columns = self._grid()
        return (differs.reshape(rows, 4, columns, 4).mean(axis=(1, 3)) > SHARE).astype(np.uint8)

    def looked(self, regions: list[tuple[int, int, int, int]]) -> None:
        """These rectangles (x, y, width, height in pixels) have just been read."""
        for x, y, w, h in regions:
            c = self.cell
            self._looks[y // c : -(-(y + h) // c), x // c : -(-(x + w) // c)] += 1

    def is_still(self, x: float, y: float, reach: float = 0.0) -> bool:
        """Whether nothing has moved lately within ``reach`` pixels of a point."""
        if self._moved is None or self._before is None:
            return False
        c = self.cell
        rows, columns = self._moved.shape
        top, bottom = int(max(0, (y - reach) // c)), int(min(rows - 1, (y + reach) // c))
        left, right = int(max(0, (x - reach) // c)), int(min(columns - 1, (x + reach) // c))
        if top > bottom or left > right:
            return False
        return bool((self._time - self._moved[top : bottom + 1, left : right + 1] >= self.settle).all())

    def regions(self, due: np.ndarray, margin: int, limit: int = 6) -> list[tuple[int, int, int, int]]:
        """Rectangles (x, y, width, height) round the due cells, near ones joined, with a margin of pixels."""
        height, width = self.shape
        joined = cv2.dilate(due.astype(np.uint8), np.ones((3, 3), np.uint8))
        count, _, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
        boxes = []
        for left, top, w, h, _ in sorted(stats[1:count].tolist(), key=lambda s: -s[2] * s[3]):
            x, y = max(0, left * self.cell - margin), max(0, top * self.cell - margin)
            right = min(width, (left + w) * self.cell + margin)
            bottom = min(height, (top + h) * self.cell + margin)
            boxes.append((x, y, right - x, bottom - y))
        if len(boxes) > limit or sum(w * h for _, _, w, h in boxes) > 0.6 * width * height:
            return [(0, 0, width, height)]
        return boxes
