"""Pictures with what was read drawn on them: every tile outlined by its part, doubtful ones marked."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.detect import Sighting

#: Outline colours (blue, green, red) by part.
COLOURS = {
    "hand": (80, 200, 60),
    "winning": (40, 120, 255),
    "meld": (220, 160, 40),
    "bonus": (200, 90, 200),
    "other": (150, 150, 150),
}
DOUBT = (40, 40, 235)
LONGEST = 1600  # longer side of an annotated picture
FONT = cv2.FONT_HERSHEY_SIMPLEX


@dataclass(frozen=True, eq=False)
class Mark:
    """One tile to draw: its sighting, its part (a key of COLOURS), the text beside it, whether it is doubtful."""

    sighting: Sighting
    part: str
    text: str
    doubtful: bool = False


def annotated(image: np.ndarray, marks: Sequence[Mark], caption: Sequence[str]) -> np.ndarray:
    """A copy of the picture, at most LONGEST pixels long, with marks and a caption in Latin letters below."""
    scale = min(1.0, LONGEST / max(image.shape[:2]))
    canvas = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image.copy()
    if min(canvas.shape[:2]) < 320:
        grow = 320 / min(canvas.shape[:2])
        canvas, scale = cv2.resize(canvas, None, fx=grow, fy=grow, interpolation=cv2.INTER_CUBIC), scale * grow
    for mark in marks:
        _draw(canvas, mark, scale)
    return np.vstack([canvas, _caption(caption, canvas.shape[1])])


def _draw(canvas: np.ndarray, mark: Mark, scale: float) -> None:
    quad = mark.sighting.quad * scale
    colour = DOUBT if mark.doubtful else COLOURS[mark.part]
    thick = max(2, round(canvas.shape[1] / 500))
    cv2.polylines(canvas, [quad.round().astype(np.int32)], True, colour, thick, cv2.LINE_AA)
    size = max(0.45, min(1.2, mark.sighting.short * scale / 55))
    text = mark.text + ("?" if mark.doubtful else "")
    (w, h), base = cv2.getTextSize(text, FONT, size, max(1, thick - 1))
    x = int(np.clip(quad[:, 0].mean() - w / 2, 0, max(0, canvas.shape[1] - w)))
    y = int(np.clip(quad[:, 1].min() - base - 2, h + 2, canvas.shape[0] - 2))
    cv2.rectangle(canvas, (x - 2, y - h - 2), (x + w + 2, y + base), colour, -1)
    cv2.putText(canvas, text, (x, y), FONT, size, (255, 255, 255), max(1, thick - 1), cv2.LINE_AA)


def _caption(lines: Sequence[str], width: int) -> np.ndarray:
    size = max(0.45, width / 1500)
    step = int(34 * size) + 6
    wrapped = [part for line in lines for part in _wrap(line, size, width - 20)]
    strip = np.full((step * len(wrapped) + 12, width, 3), 30, np.uint8)
    for row, line in enumerate(wrapped):
        cv2.putText(strip, line, (10, step * (row + 1)), FONT, size, (240, 240, 240), max(1, round(size * 1.4)), cv2.LINE_AA)
    return strip


def _wrap(line: str, size: float, width: int) -> list[str]:
    out: list[str] = []
    for word in line.encode("ascii", "replace").decode().split():
        longer = f"{out[-1]} {word}" if out else word
        if out and cv2.getTextSize(longer, FONT, size, 1)[0][0] <= width:
            out[-1] = longer
        else:
            out.append(word)
    return out


def save(path: str, image: np.ndarray) -> None:
    """Write the picture; the format follows the name. Raises ValueError with one line where that fails."""
    try:
        done = cv2.imwrite(path, image)
    except cv2.error:
        raise ValueError(f"{path}: not the name of a picture format that can be written (.png, .jpg)") from None
    if not done:
        raise ValueError(f"{path}: cannot be written")
