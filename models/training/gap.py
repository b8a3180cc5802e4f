"""How far the table simulator's pictures are from photographs, as a reader sees it.

`python -m models.training.gap SOURCE [--shards N] [--steps N] [--only PART] [--into FOLDER]` trains both networks, or one, from
nothing on one SOURCE alone, "renders" (`vision.render.views.assorted`) or "real" (the training photographs), with the same small
budget and seed, and tells how well the validation photographs are read: by each of them beside the shipped other one, for what
one network lacks hides what the other has learned, and by both. What the figures of the two sources differ by is the gap.
"""

import argparse
import json
import math
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from models.training import bank
from models.training.augment import augmented
from models.training.bank import DRAWN, cache_folder
from models.training.evaluate import evaluate, report
from models.training.export import export
from models.training.nets import Classifier, Localiser
from models.training.samples import SMALLEST, Crop, Sample, Sampler, dense
from models.training.scenes import SIZE, Target
from models.training.sources import VALIDATION_GROUPS
from models.training.train import Average, classifier_loss, localiser_loss
from vision.classes import FACES, INDEX
from vision.detect import Detector
from vision.geometry import box_of
from vision.render.views import assorted

SOURCES = ("renders", "real")
PARTS = ("localiser", "classifier")
RATES = {"localiser": 0.8e-3, "classifier": 1.0e-3}
CROPS = 64  # a step
CLIP = {"localiser": 8.0, "classifier": 5.0}


class OneSource(Sampler):
    """Shards of renders alone or of photographs alone."""

    def __init__(self, source: str, seed: int) -> None:
        super().__init__(bank.load(), seed)
        self.source, self.windows = source, self._windows(seed)

    def _windows(self, seed: int) -> Iterator[Sample]:
        """Two windows of each render for the localiser; the first brings crops of all tiles of the render along."""
        for view in assorted(seed, 1 << 30, (2 * SIZE, 2 * SIZE)):
            targets = [Target(v.quad, INDEX[v.kind], v.visible, v.red, ignore=v.ignore) for v in view.labels]
            crops = self._crops(view.picture, targets)
            for some in (crops, []):
                x, y = self.rng.randint(0, SIZE), self.rng.randint(0, SIZE)
                shift = np.array([x, y], np.float32)
                inside = dense([replace(target, quad=target.quad - shift) for target in targets])
                yield view.picture[y : y + SIZE, x : x + SIZE], inside, some

    def _crops(self, picture: np.ndarray, targets: list[Target]) -> list[Crop]:
        clear = [t for t in targets if t.visible > 0.6 and not t.ignore and box_of(t.quad)[0].short >= SMALLEST]
        self.rng.shuffle(clear)
        faces = [t for t in clear if t.kind < len(FACES)]
        others = [t for t in clear if t.kind >= len(FACES)]
        crops = [self.crops.of_target(picture, t) for t in [*faces, *others[:6]]]
        return crops + [self.crops.misplaced(picture, t) for t in clear[:1]]

    def real(self) -> Sample:
        return next(self.windows) if self.source == "renders" else super().real()

    def view(self) -> Sample:
        return self.real()

    def synthetic(self) -> Sample:
        return self.real()

    def shard(self) -> dict[str, np.ndarray]:
        shard = super().shard()
        shard["real"][:] = self.source == "real"
        keep = (shard["crop_group"] == DRAWN) == (self.source == "renders")
        return {name: values[keep] if name.startswith("crop") else values for name, values in shard.items()}


def _tensors(shard: dict[str, np.ndarray]) -> dict[str, Tensor]:
    return {name: torch.from_numpy(values) for name, values in shard.items()}


def train(shards: list[dict[str, np.ndarray]], steps: int, seed: int, parts: Sequence[str]) -> dict[str, nn.Module]:
    """The averages of the networks' weights after so many steps, each with half a shard's pictures for the localiser; those
    not in `parts` stay as they begin."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    rng = random.Random(seed)
    networks: dict[str, nn.Module] = {"localiser": Localiser(), "classifier": Classifier()}
    optimisers, averages = {}, {}
    for name, network in networks.items():
        network.to(memory_format=torch.channels_last)
        network.train()
        optimisers[name] = torch.optim.AdamW(network.parameters(), lr=RATES[name], weight_decay=0.02)
        averages[name] = Average(network)
    for step in range(steps):
        if step % len(shards) == 0:
            rng.shuffle(shards)
        losses = {}
        if "localiser" in parts:
            losses["localiser"] = _localiser_loss(networks["localiser"], _tensors(shards[step % len(shards)]))
        if "classifier" in parts:
            some = [_tensors(rng.choice(shards)) for _ in range(2)]
            losses["classifier"] = _classifier_loss(networks["classifier"], some, rng)
        factor = min(1, (step + 1) / 50) * (0.49 * (1 + math.cos(math.pi * step / steps)) + 0.02)
        for name, loss in losses.items():
            for group in optimisers[name].param_groups:
                group["lr"] = RATES[name] * factor
            optimisers[name].zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(networks[name].parameters(), CLIP[name])
            optimisers[name].step()
            averages[name].update(networks[name])
    return {name: average.network for name, average in averages.items()}


def _localiser_loss(network: nn.Module, shard: dict[str, Tensor]) -> Tensor:
    maps = ("heat", "ignored", "regression", "box_weight", "turn_weight", "kind", "real")
    some = torch.randperm(len(shard["images"]))[: len(shard["images"]) // 2]
    shard = {name: shard[name][some] for name in ("images", *maps)}
    with torch.autocast("cpu", torch.bfloat16):
        out, kinds = network(shard["images"].float().contiguous(memory_format=torch.channels_last))
    parts = localiser_loss(out.float(), kinds.float(), {name: shard[name].float() for name in maps})
    return torch.stack(list(parts.values())).sum()


def _classifier_loss(network: nn.Module, shards: list[dict[str, Tensor]], rng: random.Random) -> Tensor:
    names = [name for name in shards[0] if name.startswith("crop")]
    batch = {name: torch.cat([shard[name] for shard in shards]) for name in names}
    order = torch.randperm(len(batch["crops"]))[:CROPS]
    batch = {name: values[order] for name, values in batch.items()}
    with torch.autocast("cpu", torch.bfloat16):
        kinds, turns, red, _ = network(augmented(batch["crops"]).contiguous(memory_format=torch.channels_last))
    return classifier_loss(kinds.float(), turns.float(), red.float(), batch)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", choices=SOURCES)
    parser.add_argument("--shards", type=int, default=36)
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=PARTS, help="train this network alone")
    parser.add_argument("--every", type=int, default=2, help="only every so many validation pictures")
    parser.add_argument("--into", type=Path, help="folder for the models (default: in the cache folder)")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    name = f"gap_{arguments.source}"
    into = arguments.into or cache_folder() / name
    into.mkdir(parents=True, exist_ok=True)
    sampler, began = OneSource(arguments.source, arguments.seed), time.process_time()
    shards = [sampler.shard() for _ in range(arguments.shards)]
    sampled = time.process_time()
    parts = [arguments.only] if arguments.only else PARTS
    networks = train(shards, arguments.steps, arguments.seed, parts)
    trained = time.process_time()
    torch.save(
        {"kept": {part: network.state_dict() for part, network in networks.items()}}, cache_folder() / f"{name}.pt"
    )
    export(name, into)
    print(f"{arguments.source}: {sampled - began:.0f} s sampling, {trained - sampled:.0f} s training (processor time)")
    figures = {}
    for what, detector in _readers(into, parts):
        scores = evaluate(detector, VALIDATION_GROUPS, arguments.every)
        print(f"{what}:\n{report(scores)}")
        figures[what] = {group: score.figures() for group, score in scores.items()}
    (into / "figures.json").write_text(json.dumps(figures, indent=1) + "\n")


def _readers(folder: Path, parts: Sequence[str]) -> Iterator[tuple[str, Detector]]:
    """What was trained, each network beside the shipped other one, and all of it where that is more."""
    trained = Detector(folder, precise=True)
    for part in parts:
        reader = Detector(precise=True)
        setattr(reader, part, getattr(trained, part))
        yield f"the {part} alone", reader
    if len(parts) > 1:
        yield "both", trained


if __name__ == "__main__":
    main()
