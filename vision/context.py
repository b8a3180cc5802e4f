"""What a tile's neighbours say about it where its own picture says nothing."""

from collections.abc import Sequence

import numpy as np

from vision.classes import BACK, EDGE, FACES, INDEX, NONE
from vision.geometry import TurnedBox
from vision.palette import body, other_colour, samples

_WHITE, _BACK, _EDGE, _NONE = INDEX["P"], INDEX[BACK], INDEX[EDGE], INDEX[NONE]
NEAR = 2.5  # tile lengths within which a tile is a neighbour
SKEW = 0.42  # cosine of the angle between an edge and the side it lies along, at most so far from a right angle
BENEATH = 1.2  # thicknesses of its white from a back's border to the middle of that white: 0.9, of the tile below 1.5 and more
COLOURED = 0.01  # probability of a white dragon below which a back is none that could be taken for one
AMONG_FACES = 6.0  # how much likelier a blank tile among faces is a white dragon than its picture alone says
IN_THEIR_COLOUR = 30.0  # the same where it is as bright and white as they are, as no coloured back is
BETWEEN_FACES = 60.0  # the same of one in a row with a face on either side: concealed kongs are turned down at their ends
LIKE = 20.0  # steps of L*a*b* (8 bits each) apart
FAINT = 0.01  # probability of a white dragon from which such a tile's neighbours are asked


def blanks_among_faces(boxes: Sequence[TurnedBox], kinds: np.ndarray, image: np.ndarray | None = None) -> np.ndarray:
    """(n, classes) probabilities with those of blank tiles weighed by what lies around them.

    A blank white dragon and a white back are the same picture. Lying among faces it is a dragon, in a wall of such backs a back;
    coloured backs say nothing, for a set has one colour of backs;
    tiles whose own picture tells (a coloured back, a frame) are left as they are. With the (h, w, 3) blue-green-red picture at
    hand, what has another colour than the faces around it is no dragon.
    """
    if len(boxes) < 3:
        return kinds
    blank = kinds[:, [_WHITE, _BACK, _EDGE]].sum(1)
    faint = (blank + kinds[:, _NONE] > 0.6) & (kinds[:, _WHITE] > FAINT) & (kinds[:, _WHITE] < 0.97)
    open_question = faint & (blank > 0.6) & (kinds[:, _WHITE] > 0.03)
    if not faint.any():
        return kinds
    best = kinds.argmax(1)
    sure = kinds.max(1) > 0.5
    is_face = sure & (best < len(FACES)) & (best != _WHITE)
    is_back = sure & ((best == _BACK) | (best == _EDGE)) & ~open_question & (kinds[:, _WHITE] > COLOURED)
    middles = np.array([(b.x, b.y) for b in boxes])
    out: np.ndarray = kinds.copy()
    for i in np.where(faint)[0]:
        near = np.hypot(*(middles - middles[i]).T) < NEAR * boxes[i].long
        near[i] = False
        faces, backs = int((near & is_face).sum()), int((near & is_back).sum())
        if faces < 2 or faces <= 2 * backs:
            continue
        beside = [boxes[j] for j in np.where(near & is_face)[0]]
        colours = None if image is None else _colours(image, boxes[i], beside)
        out[i, _WHITE] *= _likelier(colours, _between(boxes[i], middles[is_face]), bool(open_question[i]))
        out[i] /= out[i].sum()
    return out


def _likelier(colours: tuple[np.ndarray, np.ndarray] | None, between: bool, open_question: bool) -> float:
    """How much likelier a blank tile among faces is a white dragon than its picture alone says; `colours` its own and theirs."""
    if colours is not None and other_colour(*colours):
        return 0.0
    if between:
        return BETWEEN_FACES
    if not open_question:
        return 1.0
    alike = colours is not None and float(np.linalg.norm(colours[0] - colours[1])) < LIKE
    return IN_THEIR_COLOUR if alike else AMONG_FACES


def _colours(image: np.ndarray, blank: TurnedBox, faces: Sequence[TurnedBox]) -> tuple[np.ndarray, np.ndarray]:
    """(3,) L*a*b* of a blank box and of the bodies of these faces."""
    colours = np.array([body(c) for c in samples(image, [blank, *faces])])
    return colours[0], np.median(colours[1:], 0)


def _between(box: TurnedBox, middles: np.ndarray) -> bool:
    """Whether tiles with these (n, 2) middles lie close on both of a tile's long sides."""
    d = middles - [box.x, box.y]
    along, across = d @ [np.cos(box.angle), np.sin(box.angle)], d @ [-np.sin(box.angle), np.cos(box.angle)]
    beside = (np.abs(along) < 0.35 * box.long) & (np.abs(across) < 1.5 * box.short)
    return bool((beside & (across < -0.6 * box.short)).any() and (beside & (across > 0.6 * box.short)).any())


def second_sides(boxes: Sequence[TurnedBox], kinds: np.ndarray) -> np.ndarray:
    """(n,) whether a box is an edge that belongs to a tile whose face or back is seen as well.

    From aslant a tile shows two sides: a standing one its back and its top, a lying one its face and its front. One
    tile is one sighting, its face or back. Such an edge lies along a side of the face, as long as that side, its middle
    half its own thickness away; of a back, a little further, for the back's layer has a side of its own; the edge of the
    lower tile of a stack lies a whole thickness further.
    """
    best = kinds.argmax(1)
    owners = np.where((best < len(FACES)) | (best == _BACK))[0]
    turned = best[owners] == _BACK
    second = np.zeros(len(boxes), bool)
    if not len(owners):
        return second
    rows = np.array([(boxes[j].x, boxes[j].y, boxes[j].angle, boxes[j].long, boxes[j].short) for j in owners])
    x, y, angle, long, short = rows.T
    for i in np.where(best == _EDGE)[0]:
        edge = boxes[i]
        dx, dy = edge.x - x, edge.y - y
        along, across = np.abs(dx * np.cos(angle) + dy * np.sin(angle)), np.abs(dy * np.cos(angle) - dx * np.sin(angle))
        parallel = np.abs(np.cos(edge.angle - angle))
        at_end = _touches(along - long / 2, across, short, turned, edge) & (parallel < SKEW)
        at_side = _touches(across - short / 2, along, long, turned, edge) & (parallel > np.sqrt(1 - SKEW**2))
        second[i] = bool((at_end | at_side).any())
    return second


def _touches(out: np.ndarray, aside: np.ndarray, side: np.ndarray, turned: np.ndarray, edge: TurnedBox) -> np.ndarray:
    """Whether an edge whose middle is `out` pixels beyond a side of length `side`, `aside` from its middle, lies along it;
    `turned` whether that side is a back's."""
    beside_face = (np.abs(out - edge.short / 2) < 0.35 * edge.short + 0.06 * side) & (aside < 0.3 * side)
    beneath_back = turned & (out > 0) & (out < BENEATH * edge.short) & (aside < 0.5 * side)
    close: np.ndarray = beside_face | beneath_back
    return close & (edge.long > 0.65 * side) & (edge.long < 1.4 * side)
