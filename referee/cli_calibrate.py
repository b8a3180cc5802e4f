"""``referee calibrate``: finds the table, stores where it lies, and shows it."""

from __future__ import annotations

import json
import sys
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.inputs import InputError
from vision import calibrate
from vision.camera import SourceError, open_source

LOOKS = 30  # pictures of a source to try the markers on


def run(
    source: str | None, out: str, markers: str | None, corners: str | None, half: float, outward: float, show: str | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Do it and say how it was found. Raises InputError with one line."""
    try:
        if markers:
            calibrate.write_markers(markers)
            print(f"{markers}: print it at 100 % and lay the four markers on the corners of the field", file=sys.stderr)
            if source is None:
                return
        if source is None:
            raise InputError("SOURCE: a camera number, stream, video file, picture or folder is needed")
        found, picture = _find(source, corners, half, outward)
        calibrate.save(found, out)
    except (calibrate.CalibrationError, SourceError) as problem:
        raise InputError(str(problem)) from None
    except OSError as problem:
        raise InputError(f"{out}: {problem.strerror or problem}") from None
    if show:
        cv2.imwrite(show, drawn(picture, found))
    if as_json:
        print(json.dumps({"calibration": out, "corners": found.corner_pixels().round(1).tolist(), **found.as_data()}))
    else:
        print(f"{out}: table found by its {found.how}, a tile is {found.tile_pixels():.0f} pixels wide")
        if found.how == "felt":
            print("This is a proposal from the felt's edge: look at it with --show before you trust it.")


def _find(source: str, corners: str | None, half: float, outward: float) -> tuple[calibrate.Calibration, NDArray[Any]]:
    """By corners if given, else by markers in any of the first pictures, else by the felt."""
    picture: NDArray[Any] | None = None
    shots = open_source(source)
    try:
        for shot in shots:
            if shot.picture is None:
                continue
            picture = shot.picture
            if corners:
                height, width = picture.shape[:2]
                return calibrate.from_corners(_parsed(corners), width, height, half), picture
            try:
                return calibrate.from_markers(picture, half, outward), picture
            except calibrate.CalibrationError:
                if shot.number >= LOOKS:
                    break
    finally:
        shots.close()
    if picture is None:
        raise InputError(f"{source}: no picture in it can be read")
    return calibrate.propose(picture, half), picture


def _parsed(text: str) -> list[list[float]]:
    try:
        points = [[float(v) for v in pair.split(",")] for pair in text.split()]
    except ValueError:
        points = []
    if len(points) != 4 or any(len(p) != 2 for p in points):
        raise InputError(f"--corners {text!r}: four pairs x,y are expected, in pixels")
    return points


def drawn(picture: NDArray[Any], found: calibrate.Calibration) -> NDArray[Any]:
    """The picture with the field, its middle and seat 0's side drawn."""
    canvas = picture.copy()
    half = found.half
    side = np.linspace(-half, half, 40)
    edge = np.full_like(side, half)
    for xs, ys, colour in (
        (side, -edge, (40, 200, 255)), (edge, side, (80, 220, 80)), (side, edge, (80, 220, 80)), (-edge, side, (80, 220, 80)),
    ):  # fmt: skip
        line = found.to_pixels(np.stack([xs, ys], axis=1)).round().astype(np.int32)
        cv2.polylines(canvas, [line], False, colour, 3, cv2.LINE_AA)
    x, y = found.to_pixels(np.array([[0.0, -half * 0.93]]))[0]
    cv2.putText(canvas, "seat 0", (int(x) - 40, int(y)), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (40, 200, 255), 2, cv2.LINE_AA)
    return canvas
