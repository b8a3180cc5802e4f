"""What enrolling a tile set brings, on groups the models were not trained on.

`python -m models.training.evaluate_enrolment --groups G... [--models FOLDER] [--fp32] [--draws N]`

A draw takes pictures of the group by lot until every face that the group has is shown, and enrols one tile of each face
from them, named as the labels have it (as when somebody dictates the tiles of a photograph). All other pictures of the
group are then read without and with the set. Figures: share of located tiles read right, all of them and the flowers,
seasons and birds alone, summed over the draws.
"""

import argparse
import random
from collections import Counter
from pathlib import Path

import numpy as np

from models.training.evaluate import bounds, paired, true_aspect
from models.training.sources import Photo, photos
from vision.classes import CLASSES, FACES
from vision.detect import Detector, Sighting
from vision.enrol import TileSet, unit
from vision.geometry import box_of

PICTURES = frozenset(f for f in FACES if f[-1] in "fq" or f == "1s")


def read(detector: Detector, photo: Photo) -> tuple[np.ndarray, list[Sighting], dict[int, int]]:
    """A photograph in its true aspect, the faces seen in it, and which label is which of them."""
    image, labels = true_aspect(photo, photo.pixels())
    sightings = [s for s in detector.read(image) if s.facing == "up"]
    return image, sightings, paired(labels.boxes, np.array([bounds(s) for s in sightings]).reshape(-1, 4))


def enrolled(detector: Detector, group: list[Photo], rng: random.Random) -> tuple[TileSet, set[Path]]:
    """A set learned from one tile of each face, and the pictures used up for it."""
    prototypes: dict[int, np.ndarray] = {}
    used: set[Path] = set()
    for photo in rng.sample(group, len(group)):
        missing = set(photo.classes.tolist()) - set(prototypes)
        if not missing:
            continue
        image, sightings, pairs = read(detector, photo)
        chosen = {int(photo.classes[i]): j for i, j in pairs.items() if int(photo.classes[i]) in missing}
        if chosen:
            boxes = [box_of(sightings[j].quad)[0] for j in chosen.values()]
            prototypes |= dict(zip(chosen, detector.classify(image, boxes)[3], strict=True))
            used.add(photo.path)
    kinds = sorted(prototypes)
    return TileSet("drawn", unit(np.array([prototypes[k] for k in kinds])), np.array(kinds)), used


def count(detector: Detector, pictures: list[Photo]) -> Counter[tuple[str, bool]]:
    """("all" or "pictures", read right) -> located tiles."""
    found: Counter[tuple[str, bool]] = Counter()
    for photo in pictures:
        _, sightings, pairs = read(detector, photo)
        for i, j in pairs.items():
            name = CLASSES[photo.classes[i]]
            found["all", sightings[j].tile == name] += 1
            found["pictures", sightings[j].tile == name] += name in PICTURES
    return found


def share(found: Counter[tuple[str, bool]], which: str) -> str:
    right, all_of_them = found[which, True], found[which, True] + found[which, False]
    return f"{right / max(1, all_of_them):7.2%} of {all_of_them:5d}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="What enrolling a tile set brings.")
    parser.add_argument("--models", type=Path)
    parser.add_argument("--fp32", action="store_true", help="the fp32 models (default: int8, as shipped)")
    parser.add_argument("--groups", nargs="+", required=True)
    parser.add_argument("--draws", type=int, default=2)
    arguments = parser.parse_args()
    detector = Detector(arguments.models, precise=arguments.fp32)
    for group in arguments.groups:
        members, before, after = photos([group]), Counter(), Counter()
        for draw in range(arguments.draws):
            detector.tile_set = None
            tile_set, used = enrolled(detector, members, random.Random(draw))
            rest = [p for p in members if p.path not in used]
            before += count(detector, rest)
            detector.tile_set = tile_set
            after += count(detector, rest)
            detector.tile_set = None
        for which in ("all", "pictures"):
            print(f"{group:20s} {which:8s} without {share(before, which)}   with {share(after, which)}")
