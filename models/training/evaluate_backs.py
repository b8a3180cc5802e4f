"""How well backs, edges and walls are found, on the hand-labelled photographs (labels/README.md).

`python -m models.training.evaluate_backs [--models FOLDER] [--fp32] [--groups G...]`

A labelled back or edge is found when a sighting of the same kind overlaps its quad by 0.4 (intersection over union) or
its middle lies in the quad at a size within four times. Counted are labels and sightings whose short side is at least
SMALLEST pixels, no doubtful labels, and nothing in the ignore regions. A wall is right when the stacks in its box
(`vision.stacks`) hold its visible tiles, give or take one; walls with doubtful counts are left out.
"""

import argparse
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.training.labels.check import load_labels
from models.training.sources import data_folder
from vision import stacks
from vision.detect import SHOWN, Detector, Sighting

SMALLEST = 20.0
BORDER = 5.0  # pixels about a labelled wall in which its stacks' middles may lie


@dataclass
class Count:
    labels: int = 0
    found: int = 0
    sightings: int = 0
    right: int = 0

    def __str__(self) -> str:
        recall, precision = self.found / max(1, self.labels), self.right / max(1, self.sightings)
        return f"recall {recall:7.2%} of {self.labels:5d}   precision {precision:7.2%} of {self.sightings:5d}"


def same_tile(label: np.ndarray, quad: np.ndarray) -> float:
    """How much two quads are the same tile; 0 for not at all."""
    shared = float(cv2.intersectConvexConvex(label, quad)[0])
    a, b = float(cv2.contourArea(label)), float(cv2.contourArea(quad))
    overlap = shared / max(a + b - shared, 1e-6)
    middle = tuple(float(v) for v in quad.mean(0))
    inside = cv2.pointPolygonTest(label, middle, False) >= 0 and a / 4 < b < 4 * a
    return overlap + 1e-3 if overlap >= 0.4 or inside else 0.0


def clockwise(points: list[list[float]] | np.ndarray) -> np.ndarray:
    hull: np.ndarray = cv2.convexHull(np.array(points, np.float32))[:, 0]
    return hull


def _pairs(labels: list[dict[str, Any]], seen: list[Sighting]) -> dict[int, int]:
    ranked = [(same_tile(clockwise(o["quad"]), clockwise(s.quad)) if o["label"] == s.tile else 0.0, i, j)
              for i, o in enumerate(labels) for j, s in enumerate(seen)]  # fmt: skip
    return best_pairs(ranked)


def best_pairs(ranked: list[tuple[float, int, int]]) -> dict[int, int]:
    """Label index -> sighting index one to one, best first, of (how much the same, label, sighting)."""
    pairs: dict[int, int] = {}
    for rank, i, j in sorted(ranked, reverse=True):
        if rank > 0 and i not in pairs and j not in pairs.values():
            pairs[i] = j
    return pairs


def _ignored(picture: dict[str, Any], s: Sighting) -> bool:
    middle = tuple(float(v) for v in s.centre)
    return any(cv2.pointPolygonTest(np.array(p, np.float32), middle, False) >= 0 for p in picture["ignore"])


def evaluate(detector: Detector, groups: set[str] | None) -> tuple[dict[tuple[str, str], Count], dict[str, list[int]]]:
    """((group, kind) -> Count, group -> [walls, walls counted right])."""
    counts: dict[tuple[str, str], Count] = defaultdict(Count)
    walls: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for name, picture in load_labels().items():
        group = picture["group"]
        if groups and group not in groups:
            continue
        image = cv2.imread(str(data_folder() / name))
        everything = detector.read(image)
        seen = [s for s in everything if s.facing != "up" and s.confidence >= SHOWN and not _ignored(picture, s)]
        rows = stacks.walls(everything, (image.shape[1], image.shape[0]))
        labels = picture["objects"]
        pairs = _pairs(labels, seen)
        for i, label in enumerate(labels):
            if label["certain"] and label["min_side"] >= SMALLEST:
                counts[group, label["label"]].labels += 1
                counts[group, label["label"]].found += i in pairs
        for j, s in enumerate(seen):
            if s.short >= SMALLEST:
                counts[group, s.tile].sightings += 1
                counts[group, s.tile].right += j in pairs.values()
        for wall in picture["walls"]:
            if wall["certain"]:
                walls[group][0] += 1
                walls[group][1] += abs(_tiles_within(rows, wall["box"]) - wall["tiles_visible"]) <= 1
    return dict(counts), dict(walls)


def _tiles_within(rows: list[stacks.Wall], box: list[float]) -> int:
    """Tiles of the stacks in a labelled wall's box, of rows that lie in it for the larger part or nearly."""
    total = 0
    for row in rows:
        low, high = np.array(box[:2]) - BORDER, np.array(box[2:]) + BORDER
        inside = ((row.middles >= low) & (row.middles <= high)).all(1)
        if inside.mean() >= 0.4:
            total += int(np.array(row.heights)[inside].sum())
    return total


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="How well backs, edges and walls are found.")
    parser.add_argument("--models", type=Path)
    parser.add_argument("--fp32", action="store_true", help="the fp32 models (default: int8, as shipped)")
    parser.add_argument("--groups", nargs="+")
    arguments = parser.parse_args()
    groups = set(arguments.groups) if arguments.groups else None
    found, walls = evaluate(Detector(arguments.models, precise=arguments.fp32), groups)
    for (group, kind), count in sorted(found.items()):
        print(f"{group:20s} {kind:5s} {count}")
    for group, (n, right) in sorted(walls.items()):
        print(f"{group:20s} walls {right} of {n} counted within one tile")
