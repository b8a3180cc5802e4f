"""How the classifier reads pictures of single tiles, one a picture, where the tile lies being given.

`python -m models.training.evaluate_crops FOLDER [--models FOLDER]`, FOLDER holding `annotations.json` as `sources` describes it.
Meant for collections that may be measured on but not trained on. Figures: tiles read right, the 34 faces that are no picture,
birds and the eight flowers and seasons apart, and what was taken for what.
"""

import argparse
from collections import Counter
from pathlib import Path

from models.training.evaluate import upright
from models.training.sources import single_tiles
from vision.classes import CLASSES
from vision.detect import Detector


def kind_of(face: str) -> str:
    return "flowers and seasons" if face[-1] in "fq" else "birds" if face == "1s" else "other faces"


def readings(detector: Detector, folder: Path) -> list[tuple[str, str]]:
    """(true face, read class) of the first tile of every picture."""
    found = []
    for image, box, face in single_tiles(folder):
        kinds = detector.classify(image, [upright(box)])[0]
        found.append((face, CLASSES[int(kinds[0].argmax())]))
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--models", type=Path)
    arguments = parser.parse_args()
    read = readings(Detector(arguments.models), arguments.folder)
    for kind in ("other faces", "birds", "flowers and seasons"):
        right = [face == tile for face, tile in read if kind_of(face) == kind]
        print(f"{kind:20s} {sum(right):4d} of {len(right):4d}")
    wrong = Counter((face, tile) for face, tile in read if face != tile)
    print(", ".join(f"{face}>{tile} {n}" for (face, tile), n in wrong.most_common()))
