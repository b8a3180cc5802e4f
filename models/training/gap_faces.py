"""The gap between renders and photographs in faces alone, in a minute or two: a quick look beside models.training.gap.

`python -m models.training.gap_faces SOURCE` trains a very small reader from nothing on upright tiles of one SOURCE alone,
"renders" (rows and piles of `vision.render.scenes`) or "real" (the training photographs), all faces equally often, and tells
how many of the labelled tiles of the validation photographs it reads right. Where a tile lies is given: nothing is told of
finding it.
"""

import argparse
import math
import random
import time
from collections import Counter
from collections.abc import Iterator

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from models.training import bank
from models.training.augment import augmented
from models.training.evaluate import true_aspect, upright
from models.training.nets import normalised
from models.training.samples import Crops
from models.training.sources import TRUE_ASPECT, VALIDATION_GROUPS, photos
from models.training.surroundings import photographed
from vision.classes import FACES, INDEX
from vision.geometry import box_of, crop
from vision.render.draw import Renderer
from vision.render.scenes import random_scene

BATCH = 64


class Reader(nn.Module):
    """(N, 3, 64, 48) -> face logits; a sixteenth of the classifier's work."""

    def __init__(self) -> None:
        super().__init__()
        widths = ((3, 16, 2), (16, 32, 1), (32, 64, 2), (64, 96, 2))
        self.body = nn.Sequential(*(
            layer for a, b, stride in widths
            for layer in (nn.Conv2d(a, b, 3, stride, 1, bias=False), nn.BatchNorm2d(b), nn.ReLU(True))
        ))  # fmt: skip
        self.out = nn.Linear(96 * 4 * 3, len(FACES))

    def forward(self, x: Tensor) -> Tensor:
        return self.out(
            functional.dropout(self.body(normalised(functional.avg_pool2d(x, 2))).flatten(1), 0.3, self.training)
        )


def renders(seed: int, pictures: int) -> Iterator[tuple[np.ndarray, int]]:
    """Upright faces of tiles in rows and piles."""
    crops, renderer = Crops(random.Random(seed)), Renderer()
    for number in range(pictures):
        rng = np.random.default_rng([seed, 5, number])
        width = int(math.exp(rng.uniform(math.log(480), math.log(1000))))
        scene = random_scene(rng, (width, width * 3 // 4), str(rng.choice(["rows", "rows", "pile"])))
        picture, truths = renderer.render(scene)
        for truth in truths:
            box, turned = box_of(np.array(truth.quad))
            if truth.facing == "up" and truth.visibility > 0.9 and not turned and box.short >= 18:
                yield crop(picture, crops.jittered(box), 0), INDEX[truth.tile]


def photographed_tiles(seed: int) -> Iterator[tuple[np.ndarray, int]]:
    """Upright faces of the training photographs."""
    rng = random.Random(seed)
    crops = Crops(rng)
    for tile in bank.load().tiles:
        _, _, w, h = tile.box
        if h > 1.1 * w:
            box = upright(np.array(tile.box))
            yield photographed(crop(tile.pixels, crops.jittered(box), 0), rng), tile.kind


def validation(group: str) -> tuple[np.ndarray, np.ndarray]:
    """(n, 3, 64, 48) crops at the labelled boxes of every second photograph, and their kinds."""
    found, kinds = [], []
    for photo in photos([group])[::2]:
        image, labels = photo.pixels(), photo
        if group in TRUE_ASPECT:
            image, labels = true_aspect(photo, image)
        for box, kind in zip(labels.boxes, labels.classes, strict=True):
            if box[3] > box[2]:
                found.append(crop(image, upright(box), 0))
                kinds.append(int(kind))
    return np.stack(found).transpose(0, 3, 1, 2), np.array(kinds)


def train(crops: np.ndarray, kinds: np.ndarray, steps: int, seed: int) -> Reader:
    """A reader after so many steps, every face of the crops equally often."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    reader = Reader()
    pixels, truth = torch.from_numpy(crops), torch.from_numpy(kinds)
    weights = torch.from_numpy(1 / np.maximum(np.bincount(kinds, minlength=len(FACES)), 1))[truth]
    optimiser = torch.optim.AdamW(reader.parameters(), lr=2e-3, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 3e-3, steps)
    for _ in range(steps):
        chosen = torch.multinomial(weights, BATCH, replacement=True)
        loss = functional.cross_entropy(reader(augmented(pixels[chosen])), truth[chosen], label_smoothing=0.05)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
    return reader.eval()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", choices=("renders", "real"))
    parser.add_argument("--pictures", type=int, default=120, help="renders to cut tiles from")
    parser.add_argument("--tiles", type=int, default=3000, help="tiles trained on, at most")
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    began = time.process_time()
    source = (
        renders(arguments.seed, arguments.pictures)
        if arguments.source == "renders"
        else photographed_tiles(arguments.seed)
    )
    tiles = list(source)
    random.Random(arguments.seed).shuffle(tiles)
    tiles = tiles[: arguments.tiles]
    crops, kinds = np.stack([c for c, _ in tiles]).transpose(0, 3, 1, 2), np.array([k for _, k in tiles])
    reader = train(crops, kinds, arguments.steps, arguments.seed)
    print(
        f"{arguments.source}: {len(tiles)} tiles of {len(set(kinds))} faces, "
        f"{time.process_time() - began:.0f} s of processor time"
    )
    print(f"  trained on: {(_read(reader, crops[:1000]) == kinds[:1000]).mean():.1%} right")
    for group in VALIDATION_GROUPS:
        pixels, truth = validation(group)
        read = _read(reader, pixels)
        print(f"  {group}: {(read == truth).mean():.1%} of {len(truth)} right; {_worst(read, truth)}")


@torch.no_grad()
def _read(reader: Reader, crops: np.ndarray) -> np.ndarray:
    found = [reader(torch.from_numpy(crops[i : i + 256]).float()).argmax(1).numpy() for i in range(0, len(crops), 256)]
    return np.concatenate(found)


def _worst(read: np.ndarray, truth: np.ndarray) -> str:
    """The faces most often misread, each with what it is taken for."""
    wrong = Counter(int(k) for k in truth[read != truth])
    parts = []
    for kind, count in wrong.most_common(16):
        taken = Counter(FACES[i] for i in read[(truth == kind) & (read != kind)]).most_common(3)
        parts.append(f"{FACES[kind]} {count}/{(truth == kind).sum()} (" + " ".join(f"{f}{n}" for f, n in taken) + ")")
    return ", ".join(parts)


if __name__ == "__main__":
    main()
