"""Where the picture moves, so that nothing is believed about a place while a hand is over it.

The picture is compared with the one before on a coarse grid. A cell is still once nothing has moved in it, or beside
it, for a while; it is due for a look when it then shows something else than at the last look. What an arm has merely
passed over is not looked at again.
"""

from collections import deque
from dataclasses import dataclass

import cv2
import numpy as np

CELL = 32  # pixels of the picture a side of a cell covers, at 1080 lines
GREEN = 1  # of the colours kept, blue and green; motion is seen in it, and a yellow back turned to a white face in the other
FINE = 4  # points a side of a cell is compared at
SENSITIVITY = 14  # grey levels that a real change exceeds and noise does not
SHARE = 0.02  # share of a cell that must change
SETTLE = 0.35  # seconds without motion before a cell is believed: between two pictures of a fast camera an arm may hardly move
# A discard that is claimed at once lies free for a third of a second, from when the hand that laid it has left until the one
# that takes it comes: to be seen at all by a slow camera it must be looked at by then. What moves shows between pictures so
# many seconds apart, so that two that are alike suffice.
APART = 0.18
LOOKS = 2  # looks a place gets once it is still: one to see, one to be sure
# Filmed play with hands and arms moves at most 14% of the cells at once, and the picture as a whole by at most 3.5 pixels
# (of 1080 lines) by phase correlation; a camera bumped by 8 pixels moves 18% and more, and the whole by 6 to 10.
MANY = 0.12  # share of cells moving at once from which it is asked whether the camera has moved
SHIFT = 0.6  # of a point: a whole picture that has moved by more shows that it has
NEARLY_ALL = 0.6  # share of cells moving at once that means the light, or a camera thrown far
LIT = 1.3  # times as bright, or as dark, as the picture was
FADING = 1.0  # seconds before means that the light was switched, however the camera came to terms with it
GLOOM = 8  # grey levels added to both, for what is black tells nothing of the light


@dataclass(frozen=True)
class Stillness:
    """Grid of cells: seconds since each last moved, and which are still but not yet looked at."""

    since: np.ndarray
    due: np.ndarray
    moving_share: float
    everywhere: bool


class Motion:
    """Feed every picture; ask which parts are still and due."""

    def __init__(self) -> None:
        self._apart = 0.0  # seconds between the last two pictures
        self._before: np.ndarray | None = None
        self._lately: deque[tuple[float, np.ndarray]] = deque()
        self._seen: np.ndarray | None = None  # each cell as it was at its last look
        self._moved: np.ndarray | None = None
        self._touched = np.zeros((0, 0), bool)  # moved in since they were last looked at or found to be as before
        self._looks = np.zeros((0, 0), np.int32)
        self._window: np.ndarray | None = None
        self.cell = CELL
        self.shape = (0, 0)
        self._time = 0.0

    @property
    def settle(self) -> float:
        """Seconds without motion before a cell is believed, at the pace of the pictures."""
        return APART if self._apart >= APART else SETTLE

    def update(self, picture: np.ndarray, t: float) -> Stillness:
        """Take the next picture, at ``t`` seconds."""
        height, width = picture.shape[:2]
        self._apart, self._time = t - self._time if self._before is not None else 0.0, t
        if self._before is None or self.shape != (height, width):
            self._start(height, width, t)
        small = self._small(picture)
        assert self._moved is not None
        share = 0.0
        everywhere = False
        if self._before is not None and self._seen is not None:
            changed = self._changed(self._before[..., GREEN:], small[..., GREEN:])
            share = float(changed.mean())
            moved = share > MANY and self._shift(self._before[..., GREEN], small[..., GREEN]) > SHIFT
            everywhere = share > NEARLY_ALL or moved
            near = cv2.dilate(changed, np.ones((3, 3), np.uint8)) > 0
            self._moved[near] = t
            self._touched |= near
        else:
            self._seen = small.copy()
        everywhere = self._faded(small[..., GREEN], t) or everywhere
        still = t - self._moved >= self.settle
        self._settled(small, still)
        self._before = small
        return Stillness(t - self._moved, still & (self._looks < LOOKS), share, everywhere)

    def _settled(self, small: np.ndarray, still: np.ndarray) -> None:
        """Cells that have come to rest: those that show something new want looks."""
        asked = still & self._touched
        if asked.any():
            assert self._seen is not None
            other = self._changed(self._seen, small) > 0
            self._looks[asked & other] = 0
            self._touched &= ~asked

    def _start(self, height: int, width: int, t: float) -> None:
        self.shape = (height, width)
        self.cell = max(8, round(CELL * height / 1080))
        grid = (-(-height // self.cell), -(-width // self.cell))
        self._moved = np.full(grid, t - self.settle)
        self._touched = np.zeros(grid, bool)
        self._looks = np.zeros(grid, np.int32)
        self._window = cv2.createHanningWindow((grid[1] * FINE, grid[0] * FINE), cv2.CV_32F)
        self._before = self._seen = None
        self._lately.clear()

    def _faded(self, small: np.ndarray, t: float) -> bool:
        """Whether the picture as a whole is much brighter or darker than it was a moment ago."""
        self._lately.append((t, small))
        while self._lately[0][0] < t - FADING:
            self._lately.popleft()
        now, then = (picture.astype(np.float32) + GLOOM for picture in (small, self._lately[0][1]))
        by = float(np.median(now / then))
        return not 1 / LIT < by < LIT

    def _small(self, picture: np.ndarray) -> np.ndarray:
        """The picture's blue and green, a few points to a cell."""
        rows, columns = self._grid()
        size = (columns * FINE, rows * FINE)
        small = cv2.resize(np.ascontiguousarray(picture[::2, ::2, :2]), size, interpolation=cv2.INTER_AREA)
        return cv2.GaussianBlur(small, (3, 3), 0)

    def _grid(self) -> tuple[int, int]:
        assert self._moved is not None
        rows, columns = self._moved.shape
        return rows, columns

    def _changed(self, before: np.ndarray, now: np.ndarray) -> np.ndarray:
        """Cells in which enough points differ in any colour, the overall change of brightness taken off."""
        difference = now.astype(np.int16) - before
        differs = (np.abs(difference - np.round(np.median(difference, axis=(0, 1)))) > SENSITIVITY).any(axis=2)
        rows, columns = self._grid()
        return (differs.reshape(rows, FINE, columns, FINE).mean(axis=(1, 3)) > SHARE).astype(np.uint8)

    def _shift(self, before: np.ndarray, now: np.ndarray) -> float:
        """By how many points the picture as a whole has moved."""
        (x, y), _ = cv2.phaseCorrelate(before.astype(np.float32), now.astype(np.float32), self._window)
        return float(np.hypot(x, y))

    def looked(self, regions: list[tuple[int, int, int, int]]) -> None:
        """These rectangles (x, y, width, height in pixels) have just been read."""
        assert self._moved is not None and self._before is not None and self._seen is not None
        still = self._time - self._moved >= self.settle
        c = self.cell
        for x, y, w, h in regions:
            rows, columns = slice(y // c, -(-(y + h) // c)), slice(x // c, -(-(x + w) // c))
            self._looks[rows, columns] += still[rows, columns]
            kept = np.zeros_like(still)
            kept[rows, columns] = still[rows, columns]
            points = np.kron(kept, np.ones((FINE, FINE), bool))
            self._seen[points] = self._before[points]

    def is_still(self, x: float, y: float, reach: float = 0.0, seconds: float | None = None) -> bool:
        """Whether nothing has moved for some ``seconds`` (None: until it is believed) within ``reach`` pixels of a point."""
        if self._moved is None or self._before is None:
            return False
        c = self.cell
        rows, columns = self._moved.shape
        top, bottom = int(max(0, (y - reach) // c)), int(min(rows - 1, (y + reach) // c))
        left, right = int(max(0, (x - reach) // c)), int(min(columns - 1, (x + reach) // c))
        if top > bottom or left > right:
            return False
        least = self.settle if seconds is None else seconds
        return bool((self._time - self._moved[top : bottom + 1, left : right + 1] >= least).all())

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
