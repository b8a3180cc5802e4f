"""What `referee see` reports of a picture."""

from functools import cache
from pathlib import Path
from typing import Any

from vision.detect import Detector, Sighting
from vision.images import load_image


@cache
def default_detector() -> Detector:
    """The shipped models, loaded once."""
    return Detector()


def see(path: str | Path, detector: Detector | None = None) -> dict[str, Any]:
    """`{"image", "width", "height", "tiles": [{"tile", "quad", "facing", "confidence"}]}` of a picture, pixels of the
    picture as it is shown (turned by its EXIF orientation). Raises ValueError with one line for a file that cannot be
    read as a picture."""
    image = load_image(path)
    height, width = image.shape[:2]
    sightings = (detector or default_detector()).read(image)
    return {"image": str(path), "width": width, "height": height, "tiles": [as_data(s) for s in sightings]}


def as_data(sighting: Sighting) -> dict[str, Any]:
    return {
        "tile": sighting.tile,
        "quad": [[round(float(x), 1), round(float(y), 1)] for x, y in sighting.quad],
        "facing": sighting.facing,
        "confidence": round(sighting.confidence, 4),
    }
