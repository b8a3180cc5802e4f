"""Coverings of tables and floors, seen straight from above: what lies under the tiles."""

from __future__ import annotations

import cv2
import numpy as np

from vision.render.scene import Table

TEXELS = 1024


def _noise(rng: np.random.Generator, n: int, cells: int, aspect: float = 1.0) -> np.ndarray:
    """Smooth noise (n, n), about -1 to 1, `cells` bumps across; `aspect` stretches it along x."""
    small = rng.normal(0, 1, (max(2, cells), max(2, int(cells / aspect)))).astype(np.float32)
    return cv2.resize(small, (n, n), interpolation=cv2.INTER_CUBIC) * 0.6


def _felt(rng: np.random.Generator, img: np.ndarray) -> None:
    n = img.shape[0]
    img += (_noise(rng, n, n // 2) * 6 + _noise(rng, n, 40) * 3 + _noise(rng, n, 6) * 4)[..., None]


def _cloth(rng: np.random.Generator, img: np.ndarray) -> None:
    n = img.shape[0]
    _felt(rng, img)
    grid = np.sin(np.arange(n) * np.pi / 3).astype(np.float32) * 4
    img += (grid[:, None] + grid[None, :])[..., None]
    if rng.random() < 0.5:
        step = int(rng.integers(40, 150))
        other = rng.uniform(-50, 50, 3).astype(np.float32)
        band = (np.arange(n) // step) % 2
        img += (band[:, None] ^ band[None, :])[..., None] * other


def _wood(rng: np.random.Generator, img: np.ndarray) -> None:
    n = img.shape[0]
    rings = _noise(rng, n, 26, 8) + 0.5 * _noise(rng, n, 120, 16)
    tint = np.array([1.0, 0.85, 0.65], np.float32)
    img += (np.sin(rings * 5) * 9 + _noise(rng, n, 300, 30) * 7)[..., None] * tint
    plank = int(rng.integers(120, 400))
    for y in range(plank, n, plank):
        img[y : y + 2] *= 0.75


def _plastic(rng: np.random.Generator, img: np.ndarray) -> None:
    n = img.shape[0]
    img += (_noise(rng, n, 5) * 5)[..., None]
    if rng.random() < 0.4:
        # A pierced or knobbed mat.
        step = int(rng.integers(4, 9))
        knobs = np.sin(np.arange(n) * 2 * np.pi / step).astype(np.float32)
        img += (np.maximum(knobs[:, None] * knobs[None, :], 0) * rng.uniform(-50, 30))[..., None]


def _mat(rng: np.random.Generator, img: np.ndarray) -> None:
    n = img.shape[0]
    _felt(rng, img)
    line = tuple(float(v) for v in np.clip(img[0, 0] + 60, 0, 255))
    for k in (0.12, 0.3):
        a, b = int(n * k), int(n * (1 - k))
        cv2.rectangle(img, (a, a), (b, b), line, max(1, n // 300))
    if rng.random() < 0.5:
        cv2.circle(img, (n // 2, n // 2), int(n * 0.12), line, max(1, n // 300))


def _newspaper(rng: np.random.Generator, img: np.ndarray) -> None:
    n = img.shape[0]
    _plastic(rng, img)
    for x in range(20, n - 120, 130):
        y = int(rng.integers(10, 60))
        while y < n - 30:
            h = int(rng.choice([4, 4, 4, 4, 14, 60]))
            shade = float(rng.uniform(-110, -40))
            if h < 10:
                marks = (rng.random((1, 110)) > 0.25).astype(np.float32)
                img[y : y + h, x : x + 110] += marks[..., None] * shade
            else:
                img[y : y + h, x : x + 110] += shade * rng.uniform(0.3, 1)
            y += h + 5


_COVERS = {"felt": _felt, "cloth": _cloth, "wood": _wood, "plastic": _plastic, "mat": _mat, "newspaper": _newspaper}
COVERS = tuple(_COVERS)


def table_texture(table: Table) -> tuple[np.ndarray, float]:
    """The table from above: (TEXELS, TEXELS, 3) float32 RGB, y downwards away from +y, and texels a millimetre.

    Covers the field and rails and a little of the edge; the floor is left to the caller.
    """
    rng = np.random.default_rng([table.seed, 1])
    n = TEXELS
    outer = table.half + table.rail
    scale = n / (2 * outer)
    img = np.empty((n, n, 3), np.float32)
    img[:] = table.colour
    _COVERS[table.cover](rng, img)
    if rng.random() < 0.5:
        img *= (1 + 0.1 * _noise(rng, n, 4))[..., None]
    if table.rail > 1:
        _rail(img, table, scale, rng)
    if table.centre != "none":
        _centre(img, table, scale, rng)
    return np.clip(img, 0, 255), scale


def _rail(img: np.ndarray, table: Table, scale: float, rng: np.random.Generator) -> None:
    n = img.shape[0]
    w = int(table.rail * scale)
    rail = np.empty_like(img)
    rail[:] = table.rail_colour
    rail += (_noise(rng, n, 60, 10) * 8)[..., None]
    inner = np.zeros((n, n), np.uint8)
    cv2.rectangle(inner, (w, w), (n - w, n - w), 255, -1)
    # The field next to the rail lies in its shade; the rail's inner edge catches light.
    shade = cv2.GaussianBlur(inner.astype(np.float32), (0, 0), max(1.0, 10 * scale)) / 255
    img *= (0.62 + 0.38 * np.clip(shade * 1.6 - 0.6, 0, 1))[..., None]
    img[inner == 0] = rail[inner == 0]
    for inset, gain in ((w, 1.25), (w - max(2, int(8 * scale)), 0.8), (2, 0.7)):
        colour = tuple(float(min(255, c * gain + (20 if gain > 1 else 0))) for c in table.rail_colour)
        cv2.rectangle(img, (inset, inset), (n - inset, n - inset), colour, max(1, int(2.2 * scale)), cv2.LINE_AA)


def _centre(img: np.ndarray, table: Table, scale: float, rng: np.random.Generator) -> None:
    n = img.shape[0]
    c, r = n // 2, int(table.centre_half * scale)
    dark = tuple(float(v) for v in (rng.uniform(20, 60), rng.uniform(20, 60), rng.uniform(25, 70)))
    light = tuple(float(v) for v in rng.uniform(110, 220, 3))
    if table.centre == "plate":
        cv2.rectangle(img, (c - r, c - r), (c + r, c + r), dark, -1, cv2.LINE_AA)
        cv2.rectangle(img, (c - r, c - r), (c + r, c + r), light, max(1, r // 20), cv2.LINE_AA)
        return
    if rng.random() < 0.5:
        cv2.circle(img, (c, c), r, dark, -1, cv2.LINE_AA)
        cv2.circle(img, (c, c), r, light, max(1, r // 18), cv2.LINE_AA)
    else:
        corners = np.array([[c - r, c - r // 2], [c - r // 2, c - r], [c + r // 2, c - r], [c + r, c - r // 2],
                            [c + r, c + r // 2], [c + r // 2, c + r], [c - r // 2, c + r], [c - r, c + r // 2]])  # fmt: skip
        cv2.fillPoly(img, [corners], dark, cv2.LINE_AA)
        cv2.polylines(img, [corners], True, light, max(1, r // 18), cv2.LINE_AA)
    dome = tuple(float(v) for v in rng.uniform(60, 140, 3))
    cv2.circle(img, (c, c), int(r * 0.42), dome, -1, cv2.LINE_AA)
    cv2.circle(img, (c, c), int(r * 0.42), light, max(1, r // 30), cv2.LINE_AA)
    cv2.ellipse(img, (c - r // 8, c - r // 6), (r // 7, r // 12), 30, 0, 360, (235.0, 240.0, 245.0), -1, cv2.LINE_AA)
    for k in range(4):
        a = k * np.pi / 2
        x, y = int(c + np.cos(a) * r * 0.72), int(c + np.sin(a) * r * 0.72)
        cv2.circle(img, (x, y), max(1, r // 11), (210.0, 50.0 + 40 * (k % 2), 40.0), -1, cv2.LINE_AA)
    for dx, dy in ((-0.12, 0.1), (0.13, -0.05)):
        x, y, q = int(c + dx * r), int(c + dy * r), max(2, r // 12)
        cv2.rectangle(img, (x - q, y - q), (x + q, y + q), (240.0, 240.0, 236.0), -1)
        cv2.circle(img, (x, y), max(1, q // 3), (200.0, 30.0, 30.0), -1, cv2.LINE_AA)


def _marks(
    rng: np.random.Generator, img: np.ndarray, x: int, y: int, w: int, h: int, colour: tuple[float, ...]
) -> None:
    """What looks like a line of print or writing."""
    at = x
    while at < x + w:
        step = int(rng.integers(max(2, h // 2), 2 * h + 2))
        for _ in range(int(rng.integers(1, 4))):
            a, b = (int(v) for v in rng.integers(0, max(h, 1), 2))
            cv2.line(img, (at, y + a), (min(at + step - 1, x + w), y + b), colour, 1 + h // 9, cv2.LINE_AA)
        at += step + int(rng.integers(1, 4))


def _paint(rng: np.random.Generator, low: float = 20, high: float = 235) -> tuple[float, ...]:
    return tuple(float(v) for v in np.clip(rng.uniform(low, high) + rng.normal(0, 40, 3), 0, 255))


def _shelf(rng: np.random.Generator, img: np.ndarray) -> None:
    """Spines of books in rows."""
    n, tall = img.shape[0], int(rng.integers(90, 200))
    for top in range(0, n, tall):
        x = 0
        while x < n:
            w, drop = int(rng.integers(10, 44)), int(rng.integers(0, tall // 4))
            cv2.rectangle(img, (x, top + drop), (x + w - 2, top + tall - 8), _paint(rng), -1)
            if rng.random() < 0.8:
                spine = np.zeros((w, tall, 3), np.float32)
                spine[:] = img[min(top + tall - 10, n - 1), min(x + 1, n - 1)]
                _marks(rng, spine, 8, w // 4, tall - drop - 30, max(w // 2, 2), _paint(rng))
                upright = np.rot90(spine, -1)[: max(0, min(tall - drop - 10, n - top - drop)), : max(0, n - x)]
                img[top + drop : top + drop + len(upright), x : x + upright.shape[1]] = upright
            x += w
        cv2.rectangle(img, (0, top + tall - 8), (n, top + tall), _paint(rng, 20, 120), -1)


def _things(rng: np.random.Generator, img: np.ndarray, count: int) -> None:
    """Boxes, papers, keys, cables: corners, stripes and print of all kinds."""
    n = img.shape[0]
    for _ in range(count):
        w, h = (int(v) for v in np.exp(rng.uniform(2.2, 5.0, 2)))
        x, y = (int(v) for v in rng.integers(-20, n, 2))
        kind = rng.random()
        if kind < 0.5:
            cv2.rectangle(img, (x, y), (x + w, y + h), _paint(rng), -1)
            if rng.random() < 0.6:
                _marks(rng, img, x + 3, y + 3, w - 6, min(h - 4, 22), _paint(rng))
        elif kind < 0.7:
            cv2.ellipse(img, (x, y), (w, h), float(rng.uniform(0, 180)), 0, 360, _paint(rng), -1, cv2.LINE_AA)
        elif kind < 0.85:
            step = int(rng.integers(8, 20))
            for i in range(int(rng.integers(2, 7))):
                for k in range(int(rng.integers(2, 5))):
                    a = (x + i * step, y + k * step)
                    cv2.rectangle(img, a, (a[0] + step - 3, a[1] + step - 3), _paint(rng, 20, 60), -1)
        else:
            b = (int(x + rng.normal(0, 120)), int(y + rng.normal(0, 120)))
            cv2.line(img, (x, y), b, _paint(rng), int(rng.integers(2, 9)), cv2.LINE_AA)


def wall_texture(table: Table) -> np.ndarray:
    """What stands behind the table: a bare wall, shelves, a window or a room full of things. (512, 512, 3) float32 RGB."""
    rng = np.random.default_rng([table.seed, 3])
    img = np.empty((512, 512, 3), np.float32)
    img[:] = np.array(table.room) * rng.uniform(0.7, 1.3)
    kind = rng.random()
    if kind < 0.35:
        _shelf(rng, img)
    elif kind < 0.75:
        _things(rng, img, int(rng.integers(10, 60)))
    elif kind < 0.85:
        for x in range(0, 512, int(rng.integers(60, 140))):
            cv2.rectangle(img, (x, 60), (x + 44, 400), (245.0, 248.0, 250.0), -1)
    img += (_noise(rng, 512, 6) * 10)[..., None]
    return np.clip(cv2.GaussianBlur(img, (0, 0), rng.uniform(0.6, 3.0)), 0, 255)


def floor_texture(table: Table) -> np.ndarray:
    """The floor round the table: (256, 256, 3) float32 RGB, blurred as things far below the focus are."""
    rng = np.random.default_rng([table.seed, 2])
    n = 256
    img = np.empty((n, n, 3), np.float32)
    img[:] = table.room
    kind = rng.integers(3)
    if kind == 0:
        step = int(rng.integers(24, 48))
        img[::step] *= 0.7
        img[:, ::step] *= 0.7
    elif kind == 1:
        for y in range(0, n, 16):
            img[y : y + 16] *= rng.uniform(0.85, 1.1)
            img[y] *= 0.6
    img += (_noise(rng, n, 5) * 12 + _noise(rng, n, 40) * 4)[..., None]
    if rng.random() < 0.5:
        _things(rng, img, int(rng.integers(3, 14)))
    # Chairs and knees at the four sides.
    for k in range(4):
        if rng.random() < 0.7:
            c = (
                np.array([n / 2, n / 2])
                + n * 0.24 * np.array([(0, 1), (1, 0), (0, -1), (-1, 0)][k])
                + rng.normal(0, 8, 2)
            )
            dark = tuple(float(v) for v in rng.uniform(25, 90) + rng.normal(0, 12, 3))
            x, y = (int(v) for v in c)
            cv2.ellipse(img, (x, y), (int(rng.integers(16, 26)), int(rng.integers(16, 26))), 0, 0, 360, dark, -1)
    return np.clip(cv2.GaussianBlur(img, (0, 0), 1.6), 0, 255)
