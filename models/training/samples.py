"""Training samples from scenes: dense targets for the localiser, crops for the classifier; shards on disk.

`python -m models.training.samples --seed N` keeps writing shards into a ring of files in the cache folder, which
training reads; it may be stopped and started at any time.
"""

import argparse
import itertools
import math
import os
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from models.training import bank as bank_module
from models.training.bank import DRAWN, Bank, RealTile
from models.training.scenes import SIZE, Scenes, Target
from models.training.sources import training_photos
from models.training.surroundings import photographed
from vision.classes import BACK, EDGE, FACES, INDEX, NONE
from vision.geometry import NEARLY_SQUARE, TurnedBox, box_of, crop, turn_features
from vision.render.views import views

STRIDE = 8
GRID = SIZE // STRIDE
SMALLEST = 10  # pixels of the short side below which a tile is left out of account
SMALL = 18  # pixels of the short side: only a few crops a picture are smaller, they teach little
MIX = (4, 3, 5)  # of a shard's pictures: photographs, views of the simulated table, scenes
UNKNOWN_TURN = -1
RING, WARM_UP = 500, 60  # shards kept, shards written at full speed


@dataclass
class Dense:
    """Localiser targets of one picture on the stride-8 grid: heat (1 at centres), ignored, 9 regression maps
    (left, top, right, bottom in strides, and what vision.geometry.turn_features says of the turned rectangle), the
    weight of the box and of the turn, and the class (-1 nowhere)."""

    heat: np.ndarray
    ignored: np.ndarray
    regression: np.ndarray
    box_weight: np.ndarray
    turn_weight: np.ndarray
    kind: np.ndarray


def dense(targets: list[Target], doubt: np.ndarray | None = None) -> Dense:
    """Targets of a picture; `doubt` (SIZE, SIZE) is how far places without a target are left out of account."""
    z = lambda: np.zeros((GRID, GRID), np.float32)  # noqa: E731
    out = Dense(z(), z(), np.zeros((9, GRID, GRID), np.float32), z(), z(), np.full((GRID, GRID), -1, np.int16))
    if doubt is not None:
        out.ignored[:] = cv2.resize(doubt, (GRID, GRID), interpolation=cv2.INTER_AREA)
    best, (yy, xx) = z(), np.mgrid[0:GRID, 0:GRID].astype(np.float32) * STRIDE + STRIDE / 2
    for target in targets:
        _put(out, best, xx, yy, target)
    return out


def _put(out: Dense, best: np.ndarray, xx: np.ndarray, yy: np.ndarray, target: Target) -> None:
    quad = target.quad
    (x0, y0), (x1, y1) = quad.min(0), quad.max(0)
    box, _ = box_of(quad)
    if x1 <= 0 or y1 <= 0 or x0 >= SIZE or y0 >= SIZE:
        return
    slack_x, slack_y = 0.25 * (x1 - x0), 0.25 * (y1 - y0)
    inside = x0 > -slack_x and y0 > -slack_y and x1 < SIZE + slack_x and y1 < SIZE + slack_y
    centred = 0 <= box.x < SIZE and 0 <= box.y < SIZE
    if target.ignore or target.visible < 0.5 or not inside or not centred or box.short < SMALLEST:
        rows = slice(max(0, int(y0 // STRIDE)), int(y1 // STRIDE) + 1)
        out.ignored[rows, max(0, int(x0 // STRIDE)) : int(x1 // STRIDE) + 1] = 1
        return
    c, s = math.cos(box.angle), math.sin(box.angle)
    dx, dy = xx - box.x, yy - box.y
    along, across = dx * c + dy * s, -dx * s + dy * c
    glow = np.exp(-0.5 * ((along / max(0.17 * box.long, 4)) ** 2 + (across / max(0.17 * box.short, 4)) ** 2))
    glow[glow <= 0.02] = 0
    centre = int(box.y // STRIDE), int(box.x // STRIDE)
    closer = glow > best
    np.maximum(out.heat, glow, out=out.heat)
    out.heat[centre] = 1
    cells = (glow > 0.45) & closer
    cells[centre] = True
    np.maximum(best, glow, out=best)
    maps = ((xx - x0) / STRIDE, (yy - y0) / STRIDE, (x1 - xx) / STRIDE, (y1 - yy) / STRIDE)
    for k, values in enumerate(maps):
        out.regression[k][cells] = values[cells]
    for k, value in enumerate(turn_features(box, STRIDE), 4):
        out.regression[k][cells] = value
    out.box_weight[cells] = np.maximum(glow[cells], 0.3)
    out.turn_weight[cells] = out.box_weight[cells] * target.slant_trust
    out.kind[cells] = target.kind


@dataclass(frozen=True)
class Crop:
    """A classifier sample: `turn` clockwise quarter turns of the face in the crop, or UNKNOWN_TURN; `trusted` is False
    where the turn is only a guess from the photographs' habit of showing hands upright."""

    pixels: np.ndarray
    kind: int
    turn: int
    red: bool
    group: int
    trusted: bool = True


class Crops:
    """Cuts crops as a localiser would, a little off."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def jittered(self, box: TurnedBox) -> TurnedBox:
        rng = self.rng
        slant = rng.gauss(0, 0.07) if rng.random() < 0.85 else rng.gauss(0, 0.25)
        return TurnedBox(box.x + rng.gauss(0, 0.05) * box.short, box.y + rng.gauss(0, 0.05) * box.short,
                         box.angle + slant, box.long * math.exp(rng.gauss(0, 0.08)),
                         box.short * math.exp(rng.gauss(0, 0.08)))  # fmt: skip

    def quarter(self, box: TurnedBox) -> int:
        """A turn at which the reader may look at such a box: the long side up or down; any for nearly square ones."""
        return self.rng.randrange(4) if box.long < NEARLY_SQUARE * box.short else self.rng.choice((0, 2))

    def of_target(self, image: np.ndarray, target: Target) -> Crop:
        box, turned = box_of(target.quad)
        quarter = self.quarter(box)
        turn = (turned + quarter) % 4 if target.upright else UNKNOWN_TURN
        return Crop(crop(image, self.jittered(box), quarter), target.kind, turn, target.red, target.group)

    def of_real(self, tile: RealTile) -> Crop:
        x, y, w, h = tile.box
        sideways = w > 1.12 * h or (w > 0.9 * h and self.rng.random() < 0.35)
        long, short = (w, h) if sideways else (h, w)
        box = TurnedBox(x + w / 2, y + h / 2, 0 if sideways else math.pi / 2, long, short)
        quarter = self.rng.choice((0, 2))
        pixels = photographed(crop(tile.pixels, self.jittered(box), quarter), self.rng)
        upright = h > 1.15 * w
        return Crop(pixels, tile.kind, quarter if upright else UNKNOWN_TURN, False, tile.group, trusted=False)

    def misplaced(self, image: np.ndarray, target: Target) -> Crop:
        """Half a tile and half its neighbour: not a tile."""
        rng, (box, _) = self.rng, box_of(target.quad)
        along = rng.choice((-1, 1)) * rng.uniform(0.5, 0.7) * box.long * (rng.random() < 0.7)
        across = rng.choice((-1, 1)) * rng.uniform(0.5, 0.65) * box.short
        c, s = math.cos(box.angle), math.sin(box.angle)
        moved = TurnedBox(
            box.x + along * c - across * s, box.y + along * s + across * c, box.angle, box.long, box.short
        )
        return Crop(crop(image, moved, rng.choice((0, 2))), INDEX[NONE], UNKNOWN_TURN, False, DRAWN)

    def nothing(self, image: np.ndarray, targets: list[Target], lures: list[TurnedBox]) -> Crop | None:
        """A piece of the surroundings, one that looks like a tile where there is any; None where a tile is near."""
        rng = self.rng
        if lures and rng.random() < 0.8:
            box = self.jittered(rng.choice(lures))
        else:
            short = rng.uniform(14, 80)
            box = TurnedBox(rng.random() * SIZE, rng.random() * SIZE, rng.uniform(0, 2 * math.pi), short * 1.33, short)
        if not (0 < box.x < SIZE and 0 < box.y < SIZE and box.short >= SMALLEST):
            return None
        for target in targets:
            reach = 0.8 * float(np.hypot(*(target.quad[3] - target.quad[0])))
            if np.hypot(*(target.quad.mean(0) - [box.x, box.y])) < reach:
                return None
        return Crop(crop(image, box, rng.choice((0, 2))), INDEX[NONE], UNKNOWN_TURN, False, DRAWN)


Sample = tuple[np.ndarray, Dense, list[Crop]]


class Sampler:
    """Endless samples, synthetic and real."""

    def __init__(self, bank: Bank, seed: int, mix: tuple[int, int, int] = MIX) -> None:
        self.mix = mix
        self.scenes = Scenes(bank, seed)
        self.rng = self.scenes.rng
        self.crops = Crops(self.rng)
        self.by_kind = [[t for t in bank.tiles if t.kind == k] for k in range(len(FACES))]
        self.photos = [(p, p.pixels()) for p in training_photos() if len(p.boxes)]
        self.with_backs = [(p, image) for p, image in self.photos if len(p.quads)]
        self.views = self._view_windows(seed)

    def _view_windows(self, seed: int) -> Iterator[tuple[np.ndarray, list[Target]]]:
        """Windows of SIZE of views of the simulated table, two a view."""
        for view in views(seed, sys.maxsize, size=(2 * SIZE, 2 * SIZE)):
            middles = [t.quad.mean(0) for t in view.labels] or [np.full(2, SIZE)]
            for _ in range(2):
                about = self.rng.choice(middles) - SIZE / 2
                x, y = (int(np.clip(v + self.rng.uniform(-0.4, 0.4) * SIZE, 0, SIZE)) for v in about)
                shift = np.array([x, y], np.float32)
                targets = [Target(t.quad - shift, INDEX[t.kind], t.visible, t.red, ignore=t.ignore)
                           for t in view.labels]  # fmt: skip
                yield view.picture[y : y + SIZE, x : x + SIZE], targets

    def synthetic(self) -> Sample:
        return self._sample(*self.scenes.scene())

    def view(self) -> Sample:
        return self._sample(*next(self.views), [])

    def _sample(self, image: np.ndarray, targets: list[Target], lures: list[TurnedBox]) -> Sample:
        rng = self.rng
        whole = [t for t in targets if t.visible > 0.6 and not t.ignore
                 and t.quad.min() > -6 and t.quad.max() < SIZE + 6 and box_of(t.quad)[0].short >= SMALLEST]  # fmt: skip
        rng.shuffle(whole)
        crops, quota = [], {INDEX[BACK]: 3, INDEX[EDGE]: 3, "small": 6}
        for target in whole[:30]:
            groups = [target.kind] + ["small"] * (box_of(target.quad)[0].short < SMALL)
            for group in groups:
                quota[group] = quota.get(group, 99) - 1
            if all(quota[group] >= 0 for group in groups):
                crops.append(self.crops.of_target(image, target))
        if whole and rng.random() < 0.4:
            crops.append(self.crops.misplaced(image, rng.choice(whole)))
        tries = rng.randrange(3) + 4 * bool(lures)
        crops += [c for c in (self.crops.nothing(image, targets, lures) for _ in range(tries)) if c is not None]
        return image, dense(targets), crops

    def real(self) -> Sample:
        some = self.rng.random() < 0.3 and self.with_backs
        photo, image = self.rng.choice(self.with_backs if some else self.photos)
        view, targets, doubt = self.scenes.real_view(photo, image)
        backs = [t for t in targets if t.kind in (INDEX[BACK], INDEX[EDGE]) and t.quad.min() > -6
                 and t.quad.max() < SIZE + 6 and box_of(t.quad)[0].short >= SMALLEST]  # fmt: skip
        self.rng.shuffle(backs)
        return view, dense(targets, doubt), [self.crops.of_target(view, t) for t in backs[:5]]

    def shard(self) -> dict[str, np.ndarray]:
        """Pictures with targets, as many of each kind as the mix has, and a few hundred crops."""
        photographs, views, scenes = self.mix
        samples = [self.real() for _ in range(photographs)]
        samples += [self.view() for _ in range(views)] + [self.synthetic() for _ in range(scenes)]
        maps = [m for _, m, _ in samples]
        crops = [c for _, _, found in samples for c in found]
        crops += [self.crops.of_real(self.rng.choice(self.by_kind[self.rng.randrange(len(FACES))])) for _ in range(96)]
        half = np.float16
        return {
            "images": np.stack([image for image, _, _ in samples]).transpose(0, 3, 1, 2),
            "real": np.arange(len(samples)) < photographs,
            "heat": np.stack([m.heat for m in maps]).astype(half),
            "ignored": np.stack([m.ignored for m in maps]).astype(half),
            "regression": np.stack([m.regression for m in maps]).astype(half),
            "box_weight": np.stack([m.box_weight for m in maps]).astype(half),
            "turn_weight": np.stack([m.turn_weight for m in maps]).astype(half),
            "kind": np.stack([m.kind for m in maps]),
            "crops": np.stack([c.pixels for c in crops]).transpose(0, 3, 1, 2),
            "crop_kind": np.array([c.kind for c in crops], np.int64),
            "crop_turn": np.array([c.turn for c in crops], np.int64),
            "crop_trusted": np.array([c.trusted for c in crops]),
            "crop_red": np.array([c.red for c in crops]),
            "crop_group": np.array([c.group for c in crops], np.int64),
        }


def shard_folder() -> Path:
    folder = bank_module.cache_folder() / "shards"
    folder.mkdir(exist_ok=True)
    return folder


def write_ring(seed: int, count: int | None, pause: float, mix: tuple[int, int, int]) -> None:
    """Write shards one after the other, the oldest giving way; `pause` seconds between them leave the processor to the
    training once the ring has WARM_UP shards."""
    cv2.setNumThreads(1)
    sampler, folder = Sampler(bank_module.load(), seed, mix), shard_folder()
    for i in itertools.count() if count is None else range(count):
        half_written = folder / f".{seed}.part.npz"
        np.savez(half_written, **sampler.shard())
        os.replace(half_written, folder / f"{seed % 100}-{i % RING:04d}.npz")
        if i >= WARM_UP:
            time.sleep(pause)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=int(time.time()) % 100000)
    parser.add_argument("--count", type=int, help="shards to write (default: until stopped)")
    parser.add_argument("--pause", type=float, default=0.0)
    parser.add_argument("--mix", type=int, nargs=3, default=MIX, metavar=("PHOTOGRAPHS", "VIEWS", "SCENES"),
                        help="pictures of a shard (default: %(default)s)")  # fmt: skip
    arguments = parser.parse_args()
    write_ring(arguments.seed, arguments.count, arguments.pause, tuple(arguments.mix))
