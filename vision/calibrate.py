"""Where the table lies in the picture: pixels <-> millimetres on the table, seats, and whether the camera has moved.

Table axes: origin in the middle, x to the right of seat 0 and y away from seat 0, millimetres; the playing field is a
square with corners at (-h, -h), (h, -h), (h, h), (-h, h), in that order everywhere: seat 0's left and right corner,
then on counter-clockwise seen from above. Seat k sits on the side turned by 90 k degrees.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np

MARKERS = cv2.aruco.DICT_4X4_50
HALF = 400.0  # half the playing field's side where nobody has measured it
TILE_WIDTH = 26.0  # of a usual table set, millimetres
CORNERS = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))
MARKED = np.array([[-1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]])  # a marker's corners about its middle, as read
MOVED = 0.25  # of a tile's width: a camera that has moved by more was bumped


class CalibrationError(ValueError):
    """The table was not found; one line says why."""


@dataclass(frozen=True, eq=False)
class Calibration:
    """One camera over one table.

    plane: (3, 3), table millimetres -> undistorted pixels. lens: k1, k2, p1, p2, k3 with ``matrix`` (3, 3), or None for
    a lens taken to be straight. width, height: the picture it holds for. markers: id -> (4, 2) corner pixels when it
    was made, for the drift check. seats: names, by seat.
    """

    plane: np.ndarray
    width: int
    height: int
    half: float = HALF
    tile_width: float = TILE_WIDTH
    matrix: np.ndarray | None = None
    lens: tuple[float, ...] = ()
    markers: dict[int, list[list[float]]] = field(default_factory=dict)
    seats: tuple[str, ...] = ()
    how: str = "corners"

    @cached_property
    def _back(self) -> np.ndarray:
        back: np.ndarray = np.linalg.inv(self.plane)
        return back

    def to_table(self, pixels: np.ndarray) -> np.ndarray:
        """(n, 2) pixels -> (n, 2) millimetres on the table's plane."""
        points = np.asarray(pixels, np.float64).reshape(-1, 1, 2)
        if self.matrix is not None and self.lens:
            points = cv2.undistortPoints(points, self.matrix, np.array(self.lens), P=self.matrix)
        out: np.ndarray = cv2.perspectiveTransform(points, self._back)[:, 0]
        return out

    def to_pixels(self, millimetres: np.ndarray) -> np.ndarray:
        """(n, 2) millimetres on the table -> (n, 2) pixels of the picture as taken."""
        points = np.asarray(millimetres, np.float64).reshape(-1, 1, 2)
        flat = cv2.perspectiveTransform(points, self.plane)[:, 0]
        if self.matrix is None or not self.lens:
            return flat
        rays = (flat - self.matrix[:2, 2]) / np.diag(self.matrix)[:2]
        solid = np.concatenate([rays, np.ones((len(rays), 1))], axis=1)
        out, _ = cv2.projectPoints(solid, np.zeros(3), np.zeros(3), self.matrix, np.array(self.lens))
        result: np.ndarray = out[:, 0]
        return result

    def corner_pixels(self) -> np.ndarray:
        """(4, 2) pixels of the field's corners."""
        return self.to_pixels(np.array(CORNERS) * self.half)

    def tile_pixels(self) -> float:
        """The short side of a tile lying in the middle of the table, in pixels."""
        w = self.tile_width / 2
        a, b = self.to_pixels(np.array([[-w, 0.0], [w, 0.0]]))
        return float(np.hypot(*(a - b)))

    def scaled(self, width: int, height: int) -> "Calibration":
        """The same camera delivering another size of the same aspect."""
        if (width, height) == (self.width, self.height):
            return self
        by = np.diag([width / self.width, height / self.height, 1.0])
        matrix = None if self.matrix is None else by @ self.matrix
        markers = {
            i: [[x * width / self.width, y * height / self.height] for x, y in quad] for i, quad in self.markers.items()
        }
        return replace(self, plane=by @ self.plane, width=width, height=height, matrix=matrix, markers=markers)

    def as_data(self) -> dict[str, object]:
        data: dict[str, object] = {
            "width": self.width, "height": self.height, "half_mm": self.half, "tile_width_mm": self.tile_width,
            "plane": self.plane.tolist(), "how": self.how, "seats": list(self.seats),
            "markers": {str(k): v for k, v in self.markers.items()},
        }  # fmt: skip
        if self.matrix is not None:
            data |= {"matrix": self.matrix.tolist(), "lens": list(self.lens)}
        return data


def save(calibration: Calibration, path: str | Path) -> None:
    Path(path).write_text(json.dumps(calibration.as_data(), indent=1) + "\n", encoding="utf-8")


def load(path: str | Path) -> Calibration:
    """Read a stored calibration, or the truth a simulated table wrote. Raises CalibrationError."""
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
        if "camera" in data:
            return _of_simulation(data)
        matrix = data.get("matrix")
        return Calibration(
            np.array(data["plane"], np.float64), int(data["width"]), int(data["height"]), float(data["half_mm"]),
            float(data.get("tile_width_mm", TILE_WIDTH)), None if matrix is None else np.array(matrix, np.float64),
            tuple(data.get("lens", ())), {int(k): v for k, v in data.get("markers", {}).items()},
            tuple(data.get("seats", ())), str(data.get("how", "file")),
        )  # fmt: skip
    except OSError as problem:
        raise CalibrationError(f"{path}: {problem.strerror or problem}") from None
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        raise CalibrationError(f"{path}: not a calibration ({type(problem).__name__}: {problem})") from None


def _of_simulation(data: dict) -> Calibration:
    camera = data["camera"]
    matrix = np.array([[camera["fx"], 0, camera["cx"]], [0, camera["fy"], camera["cy"]], [0, 0, 1]], np.float64)
    lens = tuple(float(v) for v in camera["distortion"])
    corners_mm = np.array(data["corners_mm"], np.float64)
    pixels = np.array(data["corners"], np.float64).reshape(-1, 1, 2)
    flat = cv2.undistortPoints(pixels, matrix, np.array(lens), P=matrix)[:, 0]
    plane = cv2.getPerspectiveTransform(corners_mm.astype(np.float32), flat.astype(np.float32))
    found = Calibration(
        plane, int(data["width"]), int(data["height"]), float(np.abs(corners_mm).max()),
        float(data.get("tile_mm", [TILE_WIDTH])[0]), matrix, lens, how="simulation",
    )  # fmt: skip
    squares = {int(m["id"]): np.array(m["centre_mm"]) + MARKED * (m["side_mm"] / 2) for m in data.get("markers", [])}
    return replace(found, markers={i: found.to_pixels(square).tolist() for i, square in squares.items()})


# --- ways to find the table --------------------------------------------------------------------------------------


def from_corners(
    corners: Sequence[Sequence[float]], width: int, height: int, half: float = HALF, how: str = "corners"
) -> Calibration:
    """From the field's four corners in pixels: seat 0's left, seat 0's right, then on counter-clockwise."""
    pixels = np.array(corners, np.float32)
    if pixels.shape != (4, 2) or not np.isfinite(pixels).all():
        raise CalibrationError("four corners, x and y each, are needed")
    if cv2.contourArea(pixels) < 0.01 * width * height or not cv2.isContourConvex(pixels):
        raise CalibrationError("the four corners do not span a table: they are given in order round the field")
    plane = cv2.getPerspectiveTransform((np.array(CORNERS) * half).astype(np.float32), pixels)
    return Calibration(plane, width, height, half, how=how)


def find_markers(picture: np.ndarray) -> dict[int, np.ndarray]:
    """Printed corner markers in the picture: id -> (4, 2) corner pixels."""
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(MARKERS), _marker_settings())
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    quads, ids, _ = detector.detectMarkers(grey)
    if ids is None:
        return {}
    return {int(i): quad[0].astype(np.float64) for i, quad in zip(ids.ravel(), quads, strict=True)}


def _marker_settings() -> cv2.aruco.DetectorParameters:
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    settings.minMarkerPerimeterRate = 0.01
    return settings


def from_markers(picture: np.ndarray, half: float = HALF, outward: float = 0.0) -> Calibration:
    """From the four markers 0-3 on the field's corners (0 at seat 0's left, then on counter-clockwise).

    ``outward``: how far each marker's middle lies outside its corner along both sides, millimetres.
    """
    found = find_markers(picture)
    missing = [i for i in range(4) if i not in found]
    if missing:
        raise CalibrationError(f"marker {', '.join(map(str, missing))} of the corner markers 0-3 is not in sight")
    height, width = picture.shape[:2]
    middles = np.array([found[i].mean(0) for i in range(4)])
    at = half + outward
    plane = cv2.getPerspectiveTransform((np.array(CORNERS) * at).astype(np.float32), middles.astype(np.float32))
    markers = {i: quad.tolist() for i, quad in found.items() if i < 4}
    return Calibration(plane, width, height, half, markers=markers, how="markers")


def propose(picture: np.ndarray, half: float = HALF) -> Calibration:
    """From the felt's edge: the largest four-sided patch of one colour about the middle. A proposal: look at it."""
    height, width = picture.shape[:2]
    scale = 480 / max(height, width)
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    quad = _largest_quad(_felt_mask(small))
    if quad is None:
        raise CalibrationError("no four-sided field of one colour stands out: give the corners by hand or use markers")
    return from_corners(_ordered(quad / scale), width, height, half, how="felt")


def _felt_mask(small: np.ndarray) -> np.ndarray:
    """The pixels coloured like the middle of the picture, tiles and hands on it filled in."""
    lab = cv2.cvtColor(cv2.GaussianBlur(small, (5, 5), 0), cv2.COLOR_BGR2LAB).astype(np.int32)
    h, w = lab.shape[:2]
    middle = lab[h // 4 : 3 * h // 4, w // 4 : 3 * w // 4, 1:].reshape(-1, 2)
    hist, _, _ = np.histogram2d(middle[:, 0], middle[:, 1], bins=32, range=[[0, 256], [0, 256]])
    a, b = np.unravel_index(int(hist.argmax()), hist.shape)
    near = np.abs(lab[..., 1:] - np.array([a * 8 + 4, b * 8 + 4])).max(axis=2) <= 9
    mask = near.astype(np.uint8) * 255
    size = max(5, h // 24) | 1
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    return cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((size, size), np.uint8))


def _largest_quad(mask: np.ndarray) -> np.ndarray | None:
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    for contour in sorted(contours, key=cv2.contourArea, reverse=True)[:3]:
        hull = cv2.convexHull(contour)
        if cv2.contourArea(hull) < 0.12 * mask.size:
            return None
        for tolerance in np.linspace(0.02, 0.12, 11):
            quad = cv2.approxPolyDP(hull, tolerance * cv2.arcLength(hull, True), True)
            if len(quad) == 4:
                return None if _fills(quad[:, 0], mask) else quad[:, 0].astype(np.float64)
    return None


def _fills(quad: np.ndarray, mask: np.ndarray) -> bool:
    """Whether a patch runs out of the picture at three corners or more: then its edges are the picture's."""
    height, width = mask.shape
    edge = 0.02 * max(height, width)
    near = (np.minimum(quad, np.array([width - 1, height - 1]) - quad) < edge).all(axis=1)
    return int(near.sum()) >= 3


def _ordered(quad: np.ndarray) -> np.ndarray:
    """Corners from the lower left, counter-clockwise as seen: seat 0 is taken to sit at the picture's lower edge."""
    middle = quad.mean(0)
    angle = np.arctan2(-(quad[:, 1] - middle[1]), quad[:, 0] - middle[0])
    round_ = quad[np.argsort(angle)]
    first = int(np.argmin(round_[:, 0] - round_[:, 1]))
    return np.roll(round_, -first, axis=0)


# --- has the camera moved? ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Drift:
    """How far the picture has shifted since calibration, in tile widths; ``recovered`` is a calibration that fits again."""

    tiles: float
    bumped: bool
    recovered: Calibration | None = None


def drift(calibration: Calibration, picture: np.ndarray) -> Drift | None:
    """Compare the markers with where they were. None where too few markers are in sight to tell."""
    if len(calibration.markers) < 4:
        return None
    found = find_markers(picture)
    common = [i for i in calibration.markers if i in found]
    if len(common) < 2:
        return None
    before = np.concatenate([np.array(calibration.markers[i]) for i in common])
    now = np.concatenate([found[i] for i in common])
    moved = float(np.median(np.hypot(*(now - before).T))) / max(calibration.tile_pixels(), 1e-6)
    if moved <= MOVED:
        return Drift(moved, False)
    recovered = None
    if len(common) == 4:
        shift, _ = cv2.findHomography(before, now, 0)
        if shift is not None:
            recovered = replace(
                calibration, plane=shift @ calibration.plane, markers={i: found[i].tolist() for i in common}
            )
    return Drift(moved, True, recovered)


# --- printed markers ---------------------------------------------------------------------------------------------


def write_markers(path: str | Path, side_mm: float = 60.0, dpi: int = 300) -> None:
    """Write the four corner markers as a page to print (.pdf or a picture format), A4, at true size."""
    from PIL import Image, ImageDraw

    def px(mm: float) -> int:
        return round(mm / 25.4 * dpi)

    page = Image.new("L", (px(210), px(297)), 255)
    draw = ImageDraw.Draw(page)
    dictionary = cv2.aruco.getPredefinedDictionary(MARKERS)
    for number, (left, top) in enumerate(((25.0, 40.0), (125.0, 40.0), (125.0, 160.0), (25.0, 160.0))):
        image = cv2.aruco.generateImageMarker(dictionary, number, px(side_mm))
        page.paste(Image.fromarray(image), (px(left), px(top)))
        draw.rectangle([px(left - 8), px(top - 8), px(left + side_mm + 8), px(top + side_mm + 8)], outline=150)
        where = ("seat 0's left", "seat 0's right", "far right", "far left")[number]
        draw.text((px(left), px(top + side_mm + 10)), f"marker {number}: {where} corner", fill=0, font_size=px(4))
    draw.text((px(25), px(20)), f"Print at 100 %: each black square is {side_mm:g} mm wide.", fill=0, font_size=px(4.5))
    try:
        page.save(str(path), resolution=dpi)
    except (OSError, ValueError, KeyError) as problem:
        raise CalibrationError(f"{path}: cannot be written ({problem})") from None
