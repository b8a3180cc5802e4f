"""Turned rectangles and the upright crops that the classifier reads."""

import math
from dataclasses import dataclass

import cv2
import numpy as np

CROP_W, CROP_H = 48, 64
#: A crop shows this much more than the tile's face, so that its border helps to tell it from its surroundings.
MARGIN = 1.22
#: Boxes less oblong than this say nothing about which way the tile lies.
NEARLY_SQUARE = 1.15


@dataclass(frozen=True)
class TurnedBox:
    """A rectangle in a picture: centre, direction of its long side in radians, long and short side in pixels."""

    x: float
    y: float
    angle: float
    long: float
    short: float

    def scaled(self, factor: float) -> "TurnedBox":
        """The same box about its middle, larger by `factor`."""
        return TurnedBox(self.x, self.y, self.angle, self.long * factor, self.short * factor)

    def corners(self, quarter: int = 0) -> np.ndarray:
        """(4, 2) corners, clockwise from the top left of a reader for whom the long side's direction points down;
        `quarter` clockwise quarter turns of what is read start the corners that much further on."""
        down = np.array([math.cos(self.angle), math.sin(self.angle)]) * self.long / 2
        right = np.array([math.sin(self.angle), -math.cos(self.angle)]) * self.short / 2
        centre = np.array([self.x, self.y])
        loop = np.array([centre - right - down, centre + right - down, centre + right + down, centre - right + down])
        return np.roll(loop, -quarter, axis=0).astype(np.float32)


def turn_features(box: TurnedBox, unit: float) -> tuple[float, float, float, float, float]:
    """A rectangle's slant and sides as numbers without a jump anywhere, squares included: cosine and sine of four times
    the angle (the axes), the log of long over short times cosine and sine of twice the angle (which axis is the long
    one, and by how much), and the log of the mean side in units of `unit`."""
    oblong = math.log(box.long / box.short)
    return (
        math.cos(4 * box.angle), math.sin(4 * box.angle), oblong * math.cos(2 * box.angle),
        oblong * math.sin(2 * box.angle), 0.5 * math.log(box.long * box.short) - math.log(unit),
    )  # fmt: skip


def from_turn_features(features: np.ndarray, unit: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(5, n) of turn_features -> angle, long and short side, (n,) each."""
    axis = np.arctan2(features[1], features[0]) / 4
    oblong = features[2] * np.cos(2 * axis) + features[3] * np.sin(2 * axis)
    angle = np.where(oblong >= 0, axis, axis + math.pi / 2)
    half, side = np.clip(np.abs(oblong), 0, 2) / 2, np.clip(features[4], -3, 5)
    return angle, np.exp(side + half) * unit, np.exp(side - half) * unit


def box_of(quad: np.ndarray) -> tuple[TurnedBox, int]:
    """The turned rectangle of a quad that starts at its face's top left, and by how many clockwise quarter turns the
    face is turned against a reader for whom the rectangle's long side points down."""
    down = ((quad[3] - quad[0]) + (quad[2] - quad[1])) / 2
    right = ((quad[1] - quad[0]) + (quad[2] - quad[3])) / 2
    high, wide = float(np.hypot(*down)), float(np.hypot(*right))
    x, y = (float(v) for v in quad.mean(0))
    if high >= wide:
        return TurnedBox(x, y, math.atan2(down[1], down[0]), high, wide), 0
    # the long side is taken to point to the face's right: the reader sees the face turned a quarter clockwise
    return TurnedBox(x, y, math.atan2(right[1], right[0]), wide, high), 1


def short_side(quad: np.ndarray) -> float:
    """The shorter of a quad's top and left sides, in its units."""
    return float(min(np.hypot(*(quad[1] - quad[0])), np.hypot(*(quad[3] - quad[0]))))


def crop(image: np.ndarray, box: TurnedBox, quarter: int = 0) -> np.ndarray:
    """The box's content, CROP_H x CROP_W x 3, its long side pointing down; with `quarter` 1 to 3 the content is seen
    turned by so many clockwise quarter turns (1 and 3 for boxes that are nearly square)."""
    angle, high, wide = box.angle, box.long, box.short
    if quarter % 2:
        high, wide = wide, high
    angle -= quarter * math.pi / 2  # what pointed down now points left: the picture has turned clockwise
    down = np.array([math.cos(angle), math.sin(angle)]) * high * MARGIN / 2
    right = np.array([math.sin(angle), -math.cos(angle)]) * wide * MARGIN / 2
    centre = np.array([box.x, box.y])
    source = np.array([centre - right - down, centre + right - down, centre - right + down], np.float32)
    shrink = wide * MARGIN / CROP_W
    if shrink > 1.6:
        image, source = _reduced(image, source, 2 * centre - source, 1.2 / shrink)
    m = cv2.getAffineTransform(source, np.array([[0, 0], [CROP_W, 0], [0, CROP_H]], np.float32))
    return cv2.warpAffine(image, m, (CROP_W, CROP_H), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def _reduced(
    image: np.ndarray, source: np.ndarray, opposite: np.ndarray, scale: float
) -> tuple[np.ndarray, np.ndarray]:
    """The part about the source points, made smaller by area averaging so that the warp does not alias."""
    around = np.concatenate([source, opposite])
    low = np.maximum(np.floor(around.min(0) - 4).astype(int), 0)
    high = np.minimum(np.ceil(around.max(0) + 4).astype(int), [image.shape[1], image.shape[0]])
    if (high - low).min() <= 4:
        return image, source
    part = image[low[1] : high[1], low[0] : high[0]]
    size = (max(2, int(part.shape[1] * scale)), max(2, int(part.shape[0] * scale)))
    factor = np.array([size[0] / part.shape[1], size[1] / part.shape[0]])
    return cv2.resize(part, size, interpolation=cv2.INTER_AREA), ((source - low) * factor).astype(np.float32)
