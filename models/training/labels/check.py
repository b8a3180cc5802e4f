"""Check the hand-made labels, or draw them over the photographs for a look.

    python -m models.training.labels.check                      says what is wrong, if anything, and counts
    python -m models.training.labels.check --data DIR --out DIR  draws every labelled picture under DIR

Format and meaning: README.md beside this file.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

LABELS = Path(__file__).with_name("labels.json")
KINDS = ("back", "edge")
GROUPS = ("green_mat", "darkgreen_table", "other", "tray", "leo_riichi_webcam")
SETS = ("cmd_clean", "cmd_aug", "leo")
COLOURS = {"back": (0, 255, 255), "edge": (0, 80, 255), "ignore": (190, 190, 190), "wall": (255, 160, 255)}  # BGR


def load_labels(path: Path = LABELS) -> dict[str, dict[str, Any]]:
    """The labels by picture name ("set/images/file"), as written."""
    pictures: dict[str, dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["pictures"]
    return pictures


def short_side(quad: list[list[float]]) -> float:
    """Short side in pixels of the smallest rectangle round a quad, the size the labels give as min_side."""
    return float(min(cv2.minAreaRect(np.float32(quad))[1]))


def overlap(a: list[list[float]], b: list[list[float]]) -> float:
    """Intersection over union of two convex quads."""
    pa, pb = np.float32(a), np.float32(b)
    both = float(cv2.intersectConvexConvex(pa, pb)[0])
    return both / max(cv2.contourArea(pa) + cv2.contourArea(pb) - both, 1e-6)


def problems(pictures: dict[str, dict[str, Any]]) -> Iterator[str]:
    """One line for each fault; nothing when all is well."""
    for name, picture in pictures.items():
        for fault in _faults(name, picture):
            yield f"{name}: {fault}"


def _faults(name: str, picture: dict[str, Any]) -> Iterator[str]:
    if name.split("/")[0] not in SETS:
        yield "is of a set that is not labelled"
    if picture["group"] not in GROUPS:
        yield f"unknown group {picture['group']}"
    width, height = picture["size"]
    for number, thing in enumerate(picture["objects"]):
        yield from (f"object {number}: {fault}" for fault in _object_faults(thing, width, height))
    quads = [thing["quad"] for thing in picture["objects"]]
    for i, quad in enumerate(quads):
        for j in range(i):
            if overlap(quad, quads[j]) > 0.3:
                yield f"objects {j} and {i} lie over each other"
    for number, wall in enumerate(picture["walls"]):
        x0, y0, x1, y1 = wall["box"]
        if not (0 <= x0 < x1 <= width and 0 <= y0 < y1 <= height):
            yield f"wall {number}: box outside the picture"
        if not wall["stacks"] <= wall["tiles_visible"] <= 2 * wall["stacks"] + 1:  # one more: a tile put on top
            yield f"wall {number}: {wall['tiles_visible']} tiles do not fit {wall['stacks']} stacks"
    for number, region in enumerate(picture["ignore"]):
        if len(region) < 3 or not _inside(region, width, height):
            yield f"ignore region {number}: fewer than three corners, or outside the picture"


def _object_faults(thing: dict[str, Any], width: int, height: int) -> Iterator[str]:
    quad = thing["quad"]
    if thing["label"] not in KINDS:
        yield f"unknown label {thing['label']}"
    if len(quad) != 4 or not _inside(quad, width, height):
        yield "quad without four corners inside the picture"
        return
    if not cv2.isContourConvex(np.float32(quad)):
        yield "quad is not convex"
    if abs(short_side(quad) - thing["min_side"]) > 0.2:
        yield "min_side is not the short side of the quad"


def _inside(points: list[list[float]], width: int, height: int) -> bool:
    return all(0 <= x <= width and 0 <= y <= height for x, y in points)


def draw(image: np.ndarray, picture: dict[str, Any], scale: int = 2) -> np.ndarray:
    """The picture enlarged, with its labels: backs yellow, edges orange (uncertain ones thin), ignore regions grey."""
    image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)

    def outline(points: list[list[float]], colour: tuple[int, int, int], width: int = 1) -> None:
        cv2.polylines(image, [np.int32(np.float32(points) * scale)], True, colour, width, cv2.LINE_AA)

    for region in picture["ignore"]:
        outline(region, COLOURS["ignore"])
    for thing in picture["objects"]:
        outline(thing["quad"], COLOURS[thing["label"]], 2 if thing["certain"] else 1)
    for wall in picture["walls"]:
        x0, y0, x1, y1 = wall["box"]
        outline([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], COLOURS["wall"])
        text = f"{wall['tiles_visible']} in {wall['stacks']}" + ("" if wall["certain"] else " ?")
        cv2.putText(image, text, (int(x0 * scale) + 4, int(y0 * scale) + 18), 0, 0.6, COLOURS["wall"], 1)
    return image


def counts(pictures: dict[str, dict[str, Any]]) -> dict[str, Counter[str]]:
    """Pictures, backs, edges and walls by group."""
    table: dict[str, Counter[str]] = {}
    for picture in pictures.values():
        row = table.setdefault(picture["group"], Counter())
        row["pictures"] += 1
        row["without"] += not picture["objects"]
        row["walls"] += len(picture["walls"])
        row.update(thing["label"] for thing in picture["objects"])
    return table


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder that holds the photographs")
    parser.add_argument("--out", type=Path, help="where the drawn pictures go")
    parser.add_argument("names", nargs="*", help="pictures to draw; all without")
    options = parser.parse_args()
    pictures = load_labels()
    faults = list(problems(pictures))
    print(*faults, sep="\n", end="\n" if faults else "")
    for group, row in sorted(counts(pictures).items()):
        print(f"{group}: {', '.join(f'{row[key]} {key}' for key in ('pictures', 'without', 'back', 'edge', 'walls'))}")
    if options.data and options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        for name in options.names or pictures:
            image = cv2.imread(str(options.data / name))
            if image is None:
                print(f"{name}: no such picture under {options.data}", file=sys.stderr)
                return 2
            cv2.imwrite(str(options.out / (name.replace("/", "_") + ".png")), draw(image, pictures[name]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
