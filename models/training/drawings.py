"""Tile drawings under free licences (SVG), as pictures with an alpha channel.

ART (environment variable MAHJONG_ART) is a folder with `fluffystuff` (CC0) and `lietxia` (M+ licence); both name
their files by label (`m5.svg`, `m5r.svg` the red five).
"""

import os
from collections import defaultdict
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from models.training.sources import code
from vision.classes import INDEX

HEIGHT = 256


@cache
def drawings() -> dict[tuple[str, bool], list[np.ndarray]]:
    """(tile code, red) -> drawings, BGRA uint8, cut to the ink."""
    import cairosvg  # a training tool only

    found: dict[tuple[str, bool], list[np.ndarray]] = defaultdict(list)
    for path in sorted(Path(os.environ.get("MAHJONG_ART", "art")).glob("*/*.svg")):
        label, red = path.stem.removesuffix("r"), path.stem.endswith("5r")
        label = path.stem if not red else label
        if len(label) != 2 or code(label) not in INDEX:
            continue
        png = np.frombuffer(cairosvg.svg2png(url=str(path), output_height=HEIGHT), np.uint8)
        picture = cv2.imdecode(png, cv2.IMREAD_UNCHANGED)
        ys, xs = np.where(picture[..., 3] > 30)
        if len(ys) == 0:
            continue
        found[code(label), red].append(picture[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1])
    return dict(found)
