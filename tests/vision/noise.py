"""How a real reader differs from the ideal one: mistakes for tables that are told without pixels.

Measured with the shipped models on frames of twelve filmed tables (1920 x 1080, no two of one rule set, tile design, light or
camera; eight to ten looks each, two of them of every moment) against what the film tells, seeds 21 to 26 and 31 to 36. Of
3932 faces none was overlooked, 21 were misread, half of them white dragons taken for backs; 3 of 100 were read with a
chance below 0.9. White dragons are blank at half of the tables and then told with doubt; flowers and seasons were
read at three tables of five. Dice are read as circles at four tables. Standing tiles fare worse, and very differently
from table to table: ``TABLES`` has one row for each.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from referee.rules import tiles as t
from vision.classes import BACK, EDGE
from vision.detect import Sighting
from vision.render.scene import Tile

ALIKE = {"E": "S", "1f": "3f", "6p": "9p", "9s": "4s", "2s": "3s", "8p": "9p", "4q": "3q", "6m": "8m", "1m": "2m"}


@dataclass(frozen=True)
class Table:
    """What was measured at one table. Shares of standing tiles: ``unseen``; ``second`` those seen from two sides, each told as
    a tile. Numbers a look: ``strip`` and ``felt``, backs seen where nothing lies, near the hands and elsewhere. ``doubtful``:
    share of faces read with a chance below 0.97. ``white``: chance with which a white dragon is told; ``pale``: share of
    backs taken for one. ``strange``: flowers of a design the reader does not know. ``dice``: chance with which they
    are read as tiles."""

    unseen: float
    second: float
    strip: float
    felt: float
    doubtful: float
    white: float = 0.99
    pale: float = 0.0
    strange: bool = False
    dice: float = 0.0


TABLES = (
    Table(0.04, 0.32, 9.0, 30.0, 0.01, pale=0.09), Table(0.03, 0.19, 4.0, 1.0, 0.06), Table(0.18, 0.08, 1.5, 1.0, 0.04),
    Table(0.19, 0.04, 8.0, 6.0, 0.03, 0.7), Table(0.03, 0.02, 0.1, 0.5, 0.07, dice=0.5), Table(0.15, 0.10, 1.0, 0.1, 0.02, 0.82),
    Table(0.13, 0.10, 8.0, 1.5, 0.16, 0.6, strange=True), Table(0.16, 0.08, 10.0, 20.0, 0.12),
    Table(0.40, 0.10, 20.0, 2.0, 0.08, 0.45, strange=True, dice=0.95), Table(0.00, 0.05, 0.1, 0.5, 0.02, 0.35),
    Table(0.09, 0.17, 4.0, 2.0, 0.06, 0.88, dice=0.8), Table(0.15, 0.05, 0.2, 0.5, 0.05, dice=0.3),
)  # fmt: skip


@dataclass(frozen=True)
class Noise:
    """Shares of tiles; one that lies unmoved is mistaken the same way as long as it lies there, but for ``fickle`` of the
    mistakes, which differ from look to look. ``times`` multiplies what was measured.

    ``missed``: faces not seen. ``wrong``: read as another face, the right one second. ``confused``: so surely that nothing
    shows it. ``doubled``: seen twice, a little apart. ``jitter``: of places, of a tile's width.
    """

    table: Table = TABLES[2]
    times: float = 1.0
    missed: float = 0.001
    wrong: float = 0.004
    confused: float = 0.001
    doubled: float = 0.002
    jitter: float = 0.03
    fickle: float = 0.5

    def sees(self, tile: Tile, sighting: Sighting, seed: int, look: int, pixels: float) -> list[Sighting]:
        """What the reader makes of a tile at its ``look``th look; ``pixels``: a tile's width."""
        lies = np.random.default_rng([seed, tile.track, round(tile.x) % 4096, round(tile.y) % 4096, int(tile.pitch)])
        now = np.random.default_rng([seed, look, tile.track])
        rng = now if lies.random() < self.fickle else lies
        quad = (sighting.quad + now.normal(0, self.jitter * pixels, 2)).astype(np.float32)
        if sighting.facing == "standing":
            return self._standing(replace(sighting, quad=quad), rng, pixels)
        if rng.random() < self.missed * self.times:
            return []
        if sighting.facing == "down" and rng.random() < self.table.pale:
            return [_blank(quad, float(rng.uniform(0.2, 0.9)))]
        seen = [replace(sighting, quad=quad)] if sighting.facing != "up" else [self._face(tile, quad, seed, rng)]
        if rng.random() < self.doubled * self.times:
            apart = (quad + rng.uniform(-0.45, 0.45, 2) * pixels).astype(np.float32)
            seen.append(replace(seen[0], quad=apart, confidence=0.6))
        return seen

    def _standing(self, sighting: Sighting, rng: np.random.Generator, pixels: float) -> list[Sighting]:
        """Its upper edge, its back as well, or nothing."""
        table = self.table
        if rng.random() < min(table.unseen * self.times, 0.9):
            return []
        sure = float(rng.choice([0.8, 0.99, 1.0, 1.0, 1.0]))
        seen = [replace(sighting, confidence=sure, probabilities={EDGE: sure, BACK: 1 - sure})]
        if rng.random() < table.second * self.times:
            down = sighting.quad[3] - sighting.quad[0]
            outward = down / max(float(np.hypot(*down)), 1e-6) * 0.75 * pixels
            seen.append(_back((sighting.quad - outward).astype(np.float32), float(rng.choice([0.1, 0.27, 0.67, 0.95]))))
        return seen

    def _face(self, tile: Tile, quad: np.ndarray, seed: int, rng: np.random.Generator) -> Sighting:
        names = [name for name in t.NAMES if name != tile.face]
        other = ALIKE.get(tile.face) or names[int(rng.integers(len(names)))]
        table = self.table
        if tile.face == "P" and table.white < 0.9:
            p = float(np.clip(table.white + rng.normal(0, 0.1), 0.1, 0.97))
            return _blank(quad, p)
        if tile.face[-1] in "fq" and table.strange:
            return self._flower(tile, quad, seed, rng)
        chance = rng.random()
        if chance < self.confused * self.times:
            return Sighting(quad, {other: 0.97, tile.face: 0.02}, 0.0, 1.0, _facing(other), 0.97)
        if chance < (self.confused + self.wrong) * self.times:
            p = float(rng.uniform(0.3, 0.9))
            return Sighting(quad, {other: p, tile.face: 0.9 * (1 - p)}, 0.0, 1.0, _facing(other), p)
        doubt = rng.random() < min(table.doubtful * self.times, 0.9)
        p = 0.97 - 0.42 * float(rng.random()) ** 4 if doubt else float(rng.uniform(0.985, 0.9995))
        return Sighting(quad, {tile.face: p, other: 0.9 * (1 - p)}, 0.0, 1.0, "up", p)

    def _flower(self, tile: Tile, quad: np.ndarray, seed: int, rng: np.random.Generator) -> Sighting:
        """A picture the reader has not seen before: at this table it takes it for the same thing again and again."""
        design = np.random.default_rng([seed, t.NAMES.index(tile.face)])
        p = float(rng.uniform(0.1, 0.9))
        other = str(design.choice(["F", "1f", "1q", "4q", "5m", "C"]))
        if design.random() < 0.5 or other == tile.face:
            return Sighting(quad, {tile.face: p, other: 0.9 * (1 - p)}, 0.0, 1.0, "up", p)
        return Sighting(quad, {other: p, tile.face: 0.3 * (1 - p)}, 0.0, 1.0, "up", p)

    def imagined(self, seed: int, look: int, half: float, at: np.ndarray) -> list[tuple[float, float, float, float]]:
        """Backs seen where nothing lies, of those near the places ``at`` (n, 2) that a look takes in: x, y (mm), confidence
        and how much larger than a tile. Half of them are seen there again and again."""
        table = self.table
        out = []
        for rng in (np.random.default_rng([seed, 5]), np.random.default_rng([seed, 5, look])):
            strip, felt = (int(rng.poisson(0.5 * number * self.times)) for number in (table.strip, table.felt))
            for k in range(strip + felt):
                x = float(rng.uniform(-0.9, 0.9)) * half
                y = (float(rng.uniform(-0.98, -0.86)) if k < strip else float(rng.uniform(-0.85, 0.85))) * half
                for _ in range(int(rng.integers(4))):
                    x, y = -y, x
                out.append((x, y, float(rng.choice([0.11, 0.18, 0.33, 0.68, 0.93])), float(rng.uniform(0.7, 1.8))))
        return [spot for spot in out if (np.hypot(*(at - spot[:2]).T) < SEEN_WITH).any()] if len(at) else []


SEEN_WITH = 80.0  # mm round a changed place in which a look may see what is not there


def _facing(name: str) -> str:
    return "down" if name == BACK else "up"


def _blank(quad: np.ndarray, white: float) -> Sighting:
    """A tile with nothing on it: a white dragon so likely, else a back."""
    p = {"P": white, BACK: 0.95 * (1 - white)} if white > 0.5 else {BACK: 1 - white, "P": 0.95 * white}
    return Sighting(quad, p, 0.0, 1.0, "up" if white > 0.5 else "down", max(p.values()))


def _back(quad: np.ndarray, sure: float) -> Sighting:
    return Sighting(quad, {BACK: sure, EDGE: 0.5 * (1 - sure)}, 0.0, 1.0, "down", sure)
