"""What `referee see` reports of a picture."""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from vision import stacks
from vision.detect import Detector, Sighting
from vision.images import load_image


@cache
def default_detector() -> Detector:
    """The shipped models, loaded once."""
    return Detector()


def see(path: str | Path, detector: Detector | None = None, *, walls: bool = False) -> dict[str, Any]:
    """`{"image", "width", "height", "tiles": [{"tile", "quad", "facing", "confidence"}]}` of a picture, pixels of the
    picture as it is shown (turned by its EXIF orientation); with `walls` also `"walls": [{"stacks", "tiles", "ends"}]`, the two
    ends of each. Raises ValueError with one line for a file that cannot be read as a picture."""
    image = load_image(path)
    height, width = image.shape[:2]
    sightings = (detector or default_detector()).read(image)
    seen = {"image": str(path), "width": width, "height": height, "tiles": [as_data(s) for s in sightings]}
    if walls:
        seen["walls"] = [
            {"stacks": w.stacks, "tiles": w.tiles, "ends": [_pixels(w.middles[0]), _pixels(w.middles[-1])]}
            for w in stacks.walls(sightings, (width, height))
        ]
    return seen


def _pixels(point: np.ndarray) -> list[float]:
    return [round(float(v), 1) for v in point]


def as_data(sighting: Sighting) -> dict[str, Any]:
    return {
        "tile": sighting.tile,
        "quad": [_pixels(corner) for corner in sighting.quad],
        "facing": sighting.facing,
        "confidence": round(sighting.confidence, 4),
    }
