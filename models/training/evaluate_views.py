"""How well views of the simulated table are read: faces, backs and edges, by the tiles' size and by the slant of the view.

`python -m models.training.evaluate_views [--models FOLDER] [--fp32] [--count N] [--seed N]`

Simulated pictures prove little about real ones; these figures say where size and slant begin to hurt, and what the live
referee may expect of films that the simulator made. The seed is one that training does not use. A tile counts where its
label is not doubtful (vision.render.views) and its short side SMALLEST pixels or more; it is found when a sighting of
the same kind (face, back, edge) overlaps it by 0.4 or has its middle in it at a like size.
"""

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from models.training.evaluate_backs import best_pairs, clockwise, same_tile
from vision.detect import Detector, Sighting
from vision.geometry import short_side
from vision.render.views import Label, View, views

SMALLEST = 12.0
SHOWN = 0.5
SIZES = (12, 16, 24, 40, 64, 200)
SLANTS = (0.3, 0.5, 0.7, 0.9, 1.0)  # cosines: 73, 60, 46, 26 and 0 degrees from straight above the side


def _kind(tile: str) -> str:
    return tile if tile in ("back", "edge") else "face"


def pairs_of(labels: list[Label], seen: list[Sighting]) -> dict[int, int]:
    """Label index -> sighting index, best overlap first; only of the same kind."""
    quads = [clockwise(s.quad) for s in seen]
    ranked = []
    for i, label in enumerate(labels):
        quad, reach = clockwise(label.quad), 2 * float(np.ptp(label.quad, axis=0).max())
        for j, s in enumerate(seen):
            near = float(np.abs(s.centre - label.quad.mean(0)).max()) < reach
            if near and _kind(s.tile) == _kind(label.kind):
                ranked.append((same_tile(quad, quads[j]), i, j))
    return best_pairs(ranked)


def count(detector: Detector, pictures: Iterable[View]) -> dict[str, Counter[str]]:
    """Row of the report -> counts of "tiles", "found", "right"; under "false KIND" those of sightings that are no tile."""
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    for view in pictures:
        seen = [s for s in detector.read(view.picture) if s.confidence >= SHOWN]
        pairs = pairs_of(view.labels, seen)
        for i, label in enumerate(view.labels):
            short = short_side(label.quad)
            if label.ignore or short < SMALLEST:
                continue
            kind = _kind(label.kind)
            size = next(f"{kind}, {a} to {b} pixels" for a, b in zip(SIZES, SIZES[1:], strict=False) if short < b)
            slant = next(f"{kind}, cosine to {b}" for b in SLANTS if label.cosine <= b + 1e-6)
            for row in (kind, size, slant):
                rows[row]["tiles"] += 1
                rows[row]["found"] += i in pairs
                rows[row]["right"] += i in pairs and seen[pairs[i]].tile == label.kind
        for j, s in enumerate(seen):
            if j not in pairs.values() and s.short >= SMALLEST:
                rows[f"false {_kind(s.tile)}"]["sightings"] += 1
    return rows


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="How well views of the simulated table are read.")
    parser.add_argument("--models", type=Path)
    parser.add_argument("--fp32", action="store_true", help="the fp32 models (default: int8, as shipped)")
    parser.add_argument("--count", type=int, default=120)
    parser.add_argument("--seed", type=int, default=90001)
    arguments = parser.parse_args()
    drawn = views(arguments.seed, arguments.count, size=(1280, 960))
    for row, n in sorted(count(Detector(arguments.models, precise=arguments.fp32), drawn).items()):
        if n["sightings"]:
            print(f"{row:28s} {n['sightings'] / arguments.count:6.2f} a picture")
        else:
            print(
                f"{row:28s} {n['tiles']:6d} tiles   found {n['found'] / n['tiles']:7.2%}   right {n['right'] / n['tiles']:7.2%}"
            )
