"""What a tile's neighbours say about it where its own picture says nothing."""

from collections.abc import Sequence

import numpy as np

from vision.classes import BACK, EDGE, FACES, INDEX
from vision.geometry import TurnedBox

_WHITE, _BACK, _EDGE = INDEX["P"], INDEX[BACK], INDEX[EDGE]
NEAR = 2.5  # tile lengths within which a tile is a neighbour
AMONG_FACES = 6.0  # how much likelier a blank tile among faces is a white dragon than its picture alone says


def blanks_among_faces(boxes: Sequence[TurnedBox], kinds: np.ndarray) -> np.ndarray:
    """(n, classes) probabilities with those of blank tiles weighed by what lies around them.

    A blank white dragon and a white back are the same picture. Lying among faces it is a dragon, in a wall a back;
    tiles whose own picture tells (a coloured back, a frame) are left as they are.
    """
    if len(boxes) < 3:
        return kinds
    blank = kinds[:, [_WHITE, _BACK, _EDGE]].sum(1)
    open_question = (blank > 0.6) & (kinds[:, _WHITE] > 0.03) & (kinds[:, _WHITE] < 0.97)
    if not open_question.any():
        return kinds
    best = kinds.argmax(1)
    sure = kinds.max(1) > 0.5
    is_face = sure & (best < len(FACES)) & (best != _WHITE)
    is_back = sure & ((best == _BACK) | (best == _EDGE)) & ~open_question
    middles = np.array([(b.x, b.y) for b in boxes])
    out: np.ndarray = kinds.copy()
    for i in np.where(open_question)[0]:
        near = np.hypot(*(middles - middles[i]).T) < NEAR * boxes[i].long
        near[i] = False
        faces, backs = int((near & is_face).sum()), int((near & is_back).sum())
        if faces >= 2 and faces > 2 * backs:
            out[i, _WHITE] *= AMONG_FACES
            out[i] /= out[i].sum()
    return out
