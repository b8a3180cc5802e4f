"""A picture and its halves, so that making it smaller, whole or in parts, costs little however large it is."""

import math

import cv2
import numpy as np

from vision.geometry import CROP_W, MARGIN, TurnedBox, crop

#: Pixels of the picture for one of a crop up to which it is sampled as it is; from there a half is, lest fine lines break.
FINEST = 1.6


class Halves:
    """A (h, w, 3) uint8 picture; its half, quarter and so on are made when they are first asked for, by averaging (an odd last
    row or column is left out)."""

    def __init__(self, pixels: np.ndarray) -> None:
        self._levels = [pixels]

    @property
    def pixels(self) -> np.ndarray:
        return self._levels[0]

    @property
    def width(self) -> int:
        return int(self.pixels.shape[1])

    @property
    def height(self) -> int:
        return int(self.pixels.shape[0])

    def _level(self, halvings: int) -> np.ndarray:
        while len(self._levels) <= halvings:
            last = self._levels[-1]
            high, wide = last.shape[0] // 2, last.shape[1] // 2
            self._levels.append(cv2.resize(last[: 2 * high, : 2 * wide], (wide, high), interpolation=cv2.INTER_AREA))
        return self._levels[halvings]

    def resized(self, size: tuple[int, int]) -> np.ndarray:
        """The picture at that width and height; averaged in two steps only where it is made much smaller, for the steps
        show at the edges of tiles."""
        factor = min(self.width / size[0], self.height / size[1])
        if factor <= 1:
            return cv2.resize(self.pixels, size, interpolation=cv2.INTER_LINEAR)
        return cv2.resize(self._level(max(0, int(math.log2(factor / 2)))), size, interpolation=cv2.INTER_AREA)

    def crop(self, box: TurnedBox, quarter: int = 0) -> np.ndarray:
        """`vision.geometry.crop` of the half that suits the box's size."""
        shrink = (box.long if quarter % 2 else box.short) * MARGIN / CROP_W
        most = int(math.log2(min(self.width, self.height)))
        halvings = min(most, max(0, math.ceil(math.log2(max(shrink, 1e-6) / FINEST))))
        s = 0.5**halvings
        return crop(
            self._level(halvings), TurnedBox(box.x * s, box.y * s, box.angle, box.long * s, box.short * s), quarter
        )
