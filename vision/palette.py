"""The colours of a tile set as a picture shows them: what tells a blank white dragon from a back.

A blank dragon and a back are both an even rectangle, but all backs of a set have one colour, and a dragon has that of the faces.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.classes import BACK, EDGE, FACES, INDEX
from vision.geometry import TurnedBox

_WHITE, _BACK, _EDGE = INDEX["P"], INDEX[BACK], INDEX[EDGE]
GRID = np.linspace(-0.35, 0.35, 8)  # of a box's sides, from its middle: where it is looked at
BODY_SHARE = 0.4  # of a face that shows nothing but the tile's own colour, the brightest
FEWEST_BACKS, FEWEST_FACES = 6, 3  # seen surely, from which a set's colours are believed
SURE = 0.5
NEIGHBOURS, ALONE = 2.5, 1.7  # tile lengths: faces lie that near to a dragon, backs and edges not so near
ROW, MOST = 3.2, 3  # tile lengths within which no more dragons lie than these: there are four
UNLIKE = 30.0  # from the backs, in steps of CIE L*a*b* (8 bits each),
NEARER = 0.5  # times as far: that near to the faces a back is none
OTHER_COLOUR = 15.0  # from the faces, in a* and b* alone: not their white in another light


@dataclass(frozen=True)
class Palette:
    """(3,) L*a*b* of the backs and of what surrounds the print of the faces."""

    back: np.ndarray
    body: np.ndarray

    def tells_dragon(self, colour: np.ndarray) -> bool:
        """Whether an even rectangle of that colour is a face, not a back."""
        from_back, from_body = float(np.linalg.norm(colour - self.back)), float(np.linalg.norm(colour - self.body))
        return from_back > UNLIKE and from_body < NEARER * from_back and not other_colour(colour, self.body)


def other_colour(colour: np.ndarray, body: np.ndarray) -> bool:
    """Whether two (3,) L*a*b* differ in more than brightness."""
    return float(np.linalg.norm(colour[1:] - body[1:])) > OTHER_COLOUR


def samples(image: np.ndarray, boxes: Sequence[TurnedBox]) -> np.ndarray:
    """(n, 64, 3) L*a*b* of places spread over each box of a (h, w, 3) blue-green-red picture."""
    across, down = (g.ravel() for g in np.meshgrid(GRID, GRID))
    points = np.zeros((len(boxes), len(across), 3), np.uint8)
    for i, box in enumerate(boxes):
        corners = box.corners().astype(float)
        at = corners.mean(0) + np.outer(across, corners[1] - corners[0]) + np.outer(down, corners[3] - corners[0])
        x, y = np.rint(at).astype(int).T
        points[i] = image[np.clip(y, 0, image.shape[0] - 1), np.clip(x, 0, image.shape[1] - 1)]
    if not len(boxes):
        return points.astype(np.float32)
    colours: np.ndarray = cv2.cvtColor(points, cv2.COLOR_BGR2LAB).astype(np.float32)
    return colours


def palette(colours: np.ndarray, kinds: np.ndarray) -> Palette | None:
    """The colours of the set, from `samples` and (n, classes) probabilities; None where too little of it is seen."""
    best, sure = kinds.argmax(1), kinds.max(1) > SURE
    backs, faces = sure & (best == _BACK), sure & (best < len(FACES)) & (best != _WHITE)
    if backs.sum() < FEWEST_BACKS or faces.sum() < FEWEST_FACES:
        return None
    return Palette(np.median(np.median(colours[backs], 1), 0), np.median([body(c) for c in colours[faces]], 0))


def body(colours: np.ndarray) -> np.ndarray:
    """(3,) what surrounds the print of a face, from its (n, 3) samples: the mean of the brightest."""
    brightest = np.argsort(-colours[:, 0])[: round(BODY_SHARE * len(colours))]
    mean: np.ndarray = colours[brightest].mean(0)
    return mean


def dragons_by_colour(boxes: Sequence[TurnedBox], kinds: np.ndarray, colours: np.ndarray, which: np.ndarray,
                      known: Palette) -> np.ndarray:  # fmt: skip
    """(n, classes) probabilities in which backs of the faces' colour, out of those that (n,) `which` allows, are white
    dragons where they lie among faces and apart from backs: in a wall it is the light on a back, or a tile's side."""
    blank = (kinds[:, _WHITE] + kinds[:, _BACK] > SURE) & (kinds[:, _BACK] > kinds[:, _WHITE])
    odd = np.array([b and known.tells_dragon(np.median(c, 0)) for b, c in zip(blank, colours, strict=True)], bool)
    best = kinds.argmax(1)
    faces, others = best < len(FACES), ((best == _BACK) | (best == _EDGE)) & ~odd
    middles = np.array([(b.x, b.y) for b in boxes])
    out: np.ndarray = kinds.copy()
    for i in np.where(odd & which)[0]:
        away = np.hypot(*(middles - middles[i]).T) / boxes[i].long
        among, apart = (faces & (away < NEIGHBOURS)).sum() >= 2, not (others & (away < ALONE)).any()
        if among and apart and (odd & (away < ROW)).sum() <= MOST:
            out[i, _WHITE], out[i, _BACK] = kinds[i, _BACK], kinds[i, _WHITE]
    return out
