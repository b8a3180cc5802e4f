"""How well the models read, by source.

`python -m models.training.evaluate [--models FOLDER] [--fp32] [--groups G...] [--json FILE]`

A labelled tile is located when a sighting's upright bounds overlap its box by 0.4 (intersection over union) or the
sighting's middle lies in it at a size within four times; sightings and boxes are paired one to one, best overlap first.
A false tile is a face-up sighting of confidence SHOWN or more paired with no label. Most photographs of hands do not
label the discards and walls behind: outside `tray` and `leo`, false tiles count only within the labelled tiles' hull,
grown by half a tile; tiles in the background of leo that its labels leave out are listed in labels/unlabelled.json,
and sightings in those boxes do not count. A picture is exact when every label is read right and no false tile remains.
"""

import argparse
import json
import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from models.training.sources import LABELS, TRUE_ASPECT, VALIDATION_GROUPS, Photo, photos
from vision.classes import CLASSES
from vision.detect import SHOWN, Detector, Sighting
from vision.geometry import TurnedBox

SURE = 0.9
FULLY_LABELLED = ("tray", "leo_riichi_webcam")
#: Faces taken for each other by readers and people alike; the share of one read as another is told by `--look-alikes`.
LOOK_ALIKES = {
    "4, 5, 6 dots": ("4p", "5p", "6p"), "7, 8, 9 dots": ("7p", "8p", "9p"), "4, 5, 6 bamboo": ("4s", "5s", "6s"),
    "7, 8, 9 bamboo": ("7s", "8s", "9s"), "1, 2, 3 characters": ("1m", "2m", "3m"), "4, 5 characters": ("4m", "5m"),
    "bird, green dragon": ("1s", "F"), "white dragon, nothing": ("P", "-", "back", "edge"),
}  # fmt: skip


@dataclass
class Score:
    """Counts of one group."""

    pictures: int = 0
    tiles: int = 0
    located: int = 0
    right: int = 0
    false: int = 0
    exact: int = 0
    sure: int = 0
    sure_wrong: int = 0
    confusions: Counter[tuple[str, str]] = field(default_factory=Counter)
    by_face: Counter[str] = field(default_factory=Counter)
    right_by_face: Counter[str] = field(default_factory=Counter)
    confidences: list[tuple[float, bool]] = field(default_factory=list)

    def figures(self) -> dict[str, float]:
        n = max(1, self.tiles)
        return {
            "pictures": self.pictures, "tiles": self.tiles, "located": self.located / n, "right": self.right / n,
            "false_per_picture": self.false / max(1, self.pictures), "exact": self.exact / max(1, self.pictures),
            "sure": self.sure / max(1, self.located), "wrong_when_sure": self.sure_wrong / max(1, self.sure),
        }  # fmt: skip


def bounds(sighting: Sighting) -> np.ndarray:
    """x, y, width, height of a quad's upright bounds."""
    low, high = sighting.quad.min(0), sighting.quad.max(0)
    return np.array([*low, *(high - low)])


def upright(box: np.ndarray) -> TurnedBox:
    """A label's x, y, width, height as a turned box."""
    x, y, w, h = (float(v) for v in box)
    return TurnedBox(x + w / 2, y + h / 2, math.pi / 2 if h > w else 0.0, max(w, h), min(w, h))


def paired(labels: np.ndarray, found: np.ndarray) -> dict[int, int]:
    """Label index -> sighting index for (n, 4) and (m, 4) boxes x, y, width, height."""
    if not len(labels) or not len(found):
        return {}
    a, b = labels[:, None], found[None]
    shared = np.prod(np.clip(np.minimum(a[..., :2] + a[..., 2:], b[..., :2] + b[..., 2:])
                             - np.maximum(a[..., :2], b[..., :2]), 0, None), -1)  # fmt: skip
    area_a, area_b = np.prod(a[..., 2:], -1), np.prod(b[..., 2:], -1)
    overlap = shared / (area_a + area_b - shared + 1e-6)
    middle = b[..., :2] + b[..., 2:] / 2
    inside = ((middle > a[..., :2]) & (middle < a[..., :2] + a[..., 2:])).all(-1)
    possible = (overlap >= 0.4) | (inside & (area_b > area_a / 4) & (area_b < area_a * 4))
    rank = np.where(possible, overlap + 1e-3, 0)
    pairs: dict[int, int] = {}
    for flat in np.argsort(-rank, axis=None):
        i, j = (int(v) for v in np.unravel_index(flat, rank.shape))
        if rank[i, j] <= 0:
            break
        if i not in pairs and j not in pairs.values():
            pairs[i] = j
    return pairs


def counts_as_false(sighting: Sighting, photo: Photo, unlabelled: list[list[float]]) -> bool:
    x, y = (float(v) for v in sighting.centre)
    if any(bx <= x <= bx + w and by <= y <= by + h for bx, by, w, h in unlabelled):
        return False
    if photo.group in FULLY_LABELLED:
        return True
    b = photo.boxes
    corners = np.concatenate(
        [b[:, :2], b[:, :2] + b[:, 2:], b[:, :2] + b[:, 2:] * [1, 0], b[:, :2] + b[:, 2:] * [0, 1]]
    )
    grown = 0.5 * float(np.median(b[:, 2:]))
    return cv2.pointPolygonTest(cv2.convexHull(corners.astype(np.float32)), (x, y), True) >= -grown


def add(score: Score, photo: Photo, sightings: list[Sighting], unlabelled: list[list[float]]) -> None:
    faces = [s for s in sightings if s.facing == "up"]
    pairs = paired(photo.boxes, np.array([bounds(s) for s in faces]).reshape(-1, 4))
    right = 0
    for i, kind in enumerate(photo.classes):
        name = CLASSES[kind]
        score.by_face[name] += 1
        if i not in pairs:
            score.confusions[name, "-"] += 1
            continue
        sighting = faces[pairs[i]]
        good = sighting.tile == name
        right += good
        score.right_by_face[name] += good
        score.confidences.append((sighting.confidence, good))
        score.sure += sighting.confidence >= SURE
        score.sure_wrong += sighting.confidence >= SURE and not good
        if not good:
            score.confusions[name, sighting.tile] += 1
    spare = [s for j, s in enumerate(faces) if j not in pairs.values() and s.confidence >= SHOWN]
    false = sum(counts_as_false(s, photo, unlabelled) for s in spare)
    score.pictures += 1
    score.tiles += len(photo.classes)
    score.located += len(pairs)
    score.right += right
    score.false += false
    score.exact += right == len(photo.classes) and not false


def true_aspect(photo: Photo, image: np.ndarray) -> tuple[np.ndarray, Photo]:
    """The picture and its labels stretched back to the camera's aspect, where that is known."""
    aspect = TRUE_ASPECT.get(photo.group)
    if aspect is None:
        return image, photo
    h, w = image.shape[:2]
    factor = aspect * h / w
    boxes = photo.boxes * np.array([factor, 1, factor, 1], np.float32)
    return cv2.resize(image, (round(w * factor), h)), Photo(
        photo.path, photo.set_name, photo.group, boxes, photo.classes
    )


def unlabelled_tiles() -> dict[str, list[list[float]]]:
    """Picture name -> boxes of tiles that the labels leave out (pixels of the picture as stored)."""
    path = LABELS / "unlabelled.json"
    return json.loads(path.read_text()) if path.exists() else {}


def evaluate(detector: Detector, groups: Iterable[str], every: int = 1, *, as_published: bool = False) -> dict[str, Score]:
    known, scores = unlabelled_tiles(), {}
    for group in groups:
        versions = ("", " as stored") if group in TRUE_ASPECT else ("",)
        for version in versions:
            score = Score()
            for photo in photos([group], as_published=as_published)[::every]:
                image, labels = photo.pixels(), photo
                if not version:
                    image, labels = true_aspect(photo, image)
                factor = image.shape[1] / photo.pixels().shape[1]
                left_out = [[x * factor, y, w * factor, h] for x, y, w, h in known.get(photo.name, [])]
                add(score, labels, detector.read(image), left_out)
            scores[group + version] = score
    return scores


def report(scores: dict[str, Score], confusions: int = 14) -> str:
    lines = ["group                         pictures tiles located  right  false/picture  exact  sure  wrong when sure"]
    for group, score in scores.items():
        f = score.figures()
        lines.append(f"{group:30s}{score.pictures:7d}{score.tiles:6d}{f['located']:8.2%}{f['right']:8.2%}"
                     f"{f['false_per_picture']:11.2f}{f['exact']:11.1%}{f['sure']:7.1%}{f['wrong_when_sure']:10.2%}")  # fmt: skip
        worst = ", ".join(f"{a}>{b} {n}" for (a, b), n in score.confusions.most_common(confusions))
        lines.append(f"    {worst}")
    return "\n".join(lines)


def look_alikes(score: Score) -> list[str]:
    """A line for each set of look-alikes: how many of its tiles are read as another of them."""
    lines = []
    for name, faces in LOOK_ALIKES.items():
        tiles = sum(score.by_face[f] for f in faces)
        mixed = sum(n for (a, b), n in score.confusions.items() if a in faces and b in faces)
        lines.append(f"    {name:24s}{mixed:4d} of {tiles:5d}")
    return lines


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="How well the models read, by source.")
    parser.add_argument("--models", type=Path)
    parser.add_argument("--fp32", action="store_true", help="the fp32 models (default: int8, as shipped)")
    parser.add_argument("--groups", nargs="+", default=list(VALIDATION_GROUPS))
    parser.add_argument("--every", type=int, default=1, help="only every so many pictures, for a quick look")
    parser.add_argument("--as-published", action="store_true", help="by the labels as published, plainly wrong ones too")
    parser.add_argument("--json", type=Path, help="write the figures here as well")
    parser.add_argument("--look-alikes", action="store_true", help="how often like faces are taken for each other")
    arguments = parser.parse_args()
    detector = Detector(arguments.models, precise=arguments.fp32)
    found = evaluate(detector, arguments.groups, arguments.every, as_published=arguments.as_published)
    print(report(found))
    for name, score in found.items() if arguments.look_alikes else ():
        print("\n".join([name, *look_alikes(score)]))
    if arguments.json:
        arguments.json.write_text(json.dumps({g: s.figures() for g, s in found.items()}, indent=1) + "\n")
