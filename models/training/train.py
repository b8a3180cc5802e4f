"""Trains localiser and classifier together from the shards of models.training.samples, on two CPU threads.

`python -m models.training.train --out NAME --minutes M` trains for M minutes in all; started again with the same
name it goes on where it stopped. `--only classifier --without GROUP` leaves a training group out (for the
leave-one-group-out evaluation), `--without photographs` all of them. `--from NAME` starts from another run's weights.
"""

import argparse
import contextlib
import copy
import math
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from models.training import bank
from models.training.augment import GREY, Faces, augmented
from models.training.bank import cache_folder
from models.training.nets import Classifier, Localiser
from models.training.samples import UNKNOWN_TURN, shard_folder
from models.training.sources import TRAIN_GROUPS

PHOTOGRAPHS = "photographs"  # all groups
CROP_BATCH, FACE_BATCH = 72, 56  # of a step: crops of shards, faces straight from the bank
#: How often a photograph's tile that looks upright is taken to be so: players turn some the wrong way up.
UPRIGHT_HABIT = 0.95
SOFT_NEGATIVE = 0.25  # score above which an unlabelled place of a photograph gets no loss: it may be a tile


class Shards:
    """Shards by lot, those not seen yet first."""

    def __init__(self, seed: int) -> None:
        self.seen: dict[str, float] = {}
        self.rng = random.Random(seed)

    def times(self) -> dict[Path, float]:
        """When each shard was written; those that vanish meanwhile left out."""
        found = {}
        for path in shard_folder().glob("[!.]*.npz"):
            with contextlib.suppress(FileNotFoundError):
                found[path] = path.stat().st_mtime
        return found

    def next(self) -> dict[str, np.ndarray]:
        while True:
            times = self.times()
            if not times:
                time.sleep(1)
                continue
            fresh = [p for p, written in times.items() if self.seen.get(p.name) != written]
            path = self.rng.choice(fresh or list(times))
            self.seen[path.name] = times[path]
            try:
                with np.load(path) as arrays:
                    return {name: arrays[name] for name in arrays.files}
            except (FileNotFoundError, ValueError, EOFError):
                continue  # just being replaced


class Average:
    """Exponential moving average of a network's weights: what is kept and exported."""

    def __init__(self, network: nn.Module) -> None:
        self.network, self.steps = copy.deepcopy(network).eval(), 0

    @torch.no_grad()
    def update(self, network: nn.Module) -> None:
        self.steps += 1
        decay = min(0.998, (1 + self.steps) / (10 + self.steps))
        for kept, new in zip(self.network.state_dict().values(), network.state_dict().values(), strict=True):
            if kept.dtype.is_floating_point:
                kept.mul_(decay).add_(new, alpha=1 - decay)
            else:
                kept.copy_(new)


def localiser_loss(out: Tensor, kinds: Tensor, shard: dict[str, Tensor]) -> dict[str, Tensor]:
    heat, regression = shard["heat"], shard["regression"]
    p = out[:, 0].sigmoid().clamp(1e-4, 1 - 1e-4)
    positive = (heat >= 0.999).float()
    unlabelled = ((p.detach() > SOFT_NEGATIVE) & (heat < 0.02)).float() * shard["real"].float().view(-1, 1, 1)
    weight = (1 - shard["ignored"]) * (1 - unlabelled)
    hit = torch.log(p) * (1 - p) ** 2 * positive
    miss = torch.log(1 - p) * p**2 * (1 - heat) ** 4 * (1 - positive) * weight
    box_weight, turn_weight = shard["box_weight"], shard["turn_weight"]
    boxes, turns = box_weight.sum().clamp(min=1), turn_weight.sum().clamp(min=1)
    size = torch.exp(out[:, 1:5].clamp(-4, 4))
    truth = regression[:, :4].clamp(min=0.05)
    shared_w = torch.minimum(size[:, 0], truth[:, 0]) + torch.minimum(size[:, 2], truth[:, 2])
    shared_h = torch.minimum(size[:, 1], truth[:, 1]) + torch.minimum(size[:, 3], truth[:, 3])
    shared = shared_w * shared_h
    both = _area(size) + _area(truth) - shared
    kind = functional.cross_entropy(
        kinds, shard["kind"].long(), ignore_index=-1, reduction="none", label_smoothing=0.03
    )
    return {
        "heat": -(hit.sum() + miss.sum()) / positive.sum().clamp(min=1),
        "box": -(torch.log((shared / both).clamp(min=1e-3)) * box_weight).sum() / boxes,
        "axes": 0.5 * ((out[:, 5:7] - regression[:, 4:6]).abs().sum(1) * turn_weight).sum() / turns,
        "sides": 1.0 * ((out[:, 7:10] - regression[:, 6:9]).abs().sum(1) * turn_weight).sum() / turns,
        "kind": 0.6 * (kind * box_weight).sum() / boxes,
    }


def _area(sides: Tensor) -> Tensor:
    return (sides[:, 0] + sides[:, 2]) * (sides[:, 1] + sides[:, 3])


def classifier_loss(kinds: Tensor, turns: Tensor, red: Tensor, batch: dict[str, Tensor]) -> Tensor:
    loss = functional.cross_entropy(kinds, batch["crop_kind"], label_smoothing=0.04)
    known = batch["crop_turn"] != UNKNOWN_TURN
    if known.any():
        p = turns[known].softmax(1)
        turn, trusted = batch["crop_turn"][known], batch["crop_trusted"][known]
        right = p.gather(1, turn[:, None])[:, 0]
        reverse = p.gather(1, ((turn + 2) % 4)[:, None])[:, 0]
        likely = torch.where(trusted, right, UPRIGHT_HABIT * right + (1 - UPRIGHT_HABIT) * reverse)
        loss = loss - 0.4 * torch.log(likely.clamp(min=1e-4)).mean()
    coloured = torch.arange(len(kinds)) % GREY > 1
    is_red = batch["crop_red"].float()[coloured]
    return loss + 0.3 * functional.binary_cross_entropy_with_logits(red[coloured, 0], is_red)


class Run:
    """One resumable training run; `progress` in 0 to 1 of its minutes drives the learning rate."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.arguments = arguments
        self.path = cache_folder() / f"{arguments.out}.pt"
        left_out = TRAIN_GROUPS if arguments.without == PHOTOGRAPHS else [arguments.without] if arguments.without else []
        self.left_out = [TRAIN_GROUPS.index(group) for group in left_out]
        self.active = [arguments.only] if arguments.only else ["localiser", "classifier"]
        self.spent = 0.0
        start = None
        if self.path.exists():
            start = torch.load(self.path)
            self.spent = start["spent"]
        elif arguments.start:
            start = torch.load(cache_folder() / f"{arguments.start}.pt")
        self.networks = {"localiser": Localiser(),
                         "classifier": Classifier.of(start["kept"]["classifier"]) if start else Classifier()}  # fmt: skip
        for network in self.networks.values():
            network.to(memory_format=torch.channels_last)
        if start:
            for name, network in self.networks.items():
                _load(network, start["raw" if self.spent else "kept"][name])
        self.averages = {name: Average(network) for name, network in self.networks.items()}
        if start:
            for name, average in self.averages.items():
                _load(average.network, start["kept"][name])
        rates = {"localiser": 0.8e-3 * arguments.rate, "classifier": 1.0e-3 * arguments.rate}
        self.optimisers = {name: torch.optim.AdamW(self.networks[name].parameters(), lr=rates[name], weight_decay=0.02)
                           for name in self.active}  # fmt: skip
        if self.path.exists() and start and "optimisers" in start:
            for name, optimiser in self.optimisers.items():
                optimiser.load_state_dict(start["optimisers"][name])
        self.rates = rates
        self.began, self.stop = time.time(), threading.Event()
        self.shown: dict[str, list[float]] = {}
        self.crop_shards: list[dict[str, Tensor]] = []

    @property
    def progress(self) -> float:
        return (self.spent + time.time() - self.began) / 60 / self.arguments.minutes

    def rate(self, name: str, step: int) -> None:
        fraction = min(1.0, self.progress)
        value = self.rates[name] * min(1, (step + 1) / 50) * (0.49 * (1 + math.cos(math.pi * fraction)) + 0.02)
        for group in self.optimisers[name].param_groups:
            group["lr"] = value

    def step(self, name: str, loss: Tensor, limit: float) -> None:
        optimiser, network = self.optimisers[name], self.networks[name]
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), limit)
        optimiser.step()
        self.averages[name].update(network)

    def show(self, **values: float) -> None:
        for name, value in values.items():
            self.shown.setdefault(name, []).append(value)

    def save(self) -> None:
        part = self.path.with_suffix(".part")
        state = {"spent": self.spent + time.time() - self.began,
                 "raw": {n: m.state_dict() for n, m in self.networks.items()},
                 "kept": {n: a.network.state_dict() for n, a in self.averages.items()},
                 "optimisers": {n: o.state_dict() for n, o in self.optimisers.items()}}  # fmt: skip
        torch.save(state, part)
        os.replace(part, self.path)

    def localise(self, shard: dict[str, np.ndarray], step: int) -> None:
        self.rate("localiser", step)
        names = ("heat", "ignored", "regression", "box_weight", "turn_weight", "kind", "real")
        tensors = {n: torch.from_numpy(shard[n]).float() for n in names}
        images = torch.from_numpy(shard["images"]).float().contiguous(memory_format=torch.channels_last)
        with _half():
            out, kinds = self.networks["localiser"](images)
        parts = localiser_loss(out.float(), kinds.float(), tensors)
        self.step("localiser", sum(parts.values()), 8.0)
        self.show(**{n: float(v.detach()) for n, v in parts.items()})

    def keep_crops(self, shard: dict[str, np.ndarray]) -> None:
        names = ("crops", "crop_kind", "crop_turn", "crop_trusted", "crop_red", "crop_group")
        crops = {n: torch.from_numpy(shard[n]) for n in names}
        for group in self.left_out:
            keep = crops["crop_group"] != group
            crops = {n: v[keep] for n, v in crops.items()}
        self.crop_shards.append(crops)
        del self.crop_shards[:-60]

    def classify(self, step: int, rng: random.Random, bank_faces: Faces) -> None:
        self.rate("classifier", step)
        chosen = [rng.choice(self.crop_shards) for _ in range(2)]
        crops = {n: torch.cat([c[n] for c in chosen]) for n in chosen[0]}
        some = torch.randperm(len(crops["crops"]))[:CROP_BATCH]
        faces = bank_faces.batch(FACE_BATCH)
        batch = {n: torch.cat([v[some], faces[n]]) for n, v in crops.items() if n != "crops"}
        x = augmented(crops["crops"][some], faces["crops"]).contiguous(memory_format=torch.channels_last)
        with _half():
            kinds, turns, red, _ = self.networks["classifier"](x)
        loss = classifier_loss(kinds.float(), turns.float(), red.float(), batch)
        self.step("classifier", loss, 5.0)
        right = (kinds.argmax(1) == batch["crop_kind"]).float()
        self.show(cls=float(loss.detach()), right=float(right[:CROP_BATCH].mean()), faces=float(right[CROP_BATCH:].mean()))

    def classifying(self) -> None:
        """The classifier's own thread."""
        torch.set_num_threads(1)
        pictures = bank.load()
        if self.arguments.also:
            pictures = bank.with_single_tiles(pictures, self.arguments.also)
        rng, step, faces = random.Random(5), 0, Faces(pictures, self.left_out)
        while not self.stop.is_set():
            if not self.crop_shards:
                time.sleep(0.2)
                continue
            self.classify(step, rng, faces)
            step += 1
        self.show(classifier_steps=step)

    def go(self) -> None:
        torch.set_num_threads(1)
        for network in self.networks.values():
            network.train()
        shards, step, saved, told = Shards(11), 0, time.time(), time.time()
        thread = threading.Thread(target=self.classifying) if "classifier" in self.active else None
        if thread:
            thread.start()
        try:
            for step in _count():
                if self.progress >= 1:
                    break
                shard = shards.next()
                self.keep_crops(shard)
                if "localiser" in self.active:
                    start = time.time()
                    self.localise(shard, step)
                    time.sleep(self.arguments.rest * (time.time() - start))
                else:
                    time.sleep(0.7)
                if time.time() - told > 30:
                    told = time.time()
                    self.tell(step)
                if time.time() - saved > 120:
                    saved = time.time()
                    self.save()
        finally:
            self.stop.set()
            if thread:
                thread.join()
            self.save()

    def tell(self, step: int) -> None:
        means = " ".join(f"{n} {np.mean(v):.3f}" for n, v in self.shown.items())
        counts = {n: a.steps for n, a in self.averages.items()}
        self.shown = {}
        print(f"{(self.spent + time.time() - self.began) / 60:.1f} min, {counts}: {means}", file=sys.stderr, flush=True)


def _load(network: nn.Module, state: dict[str, Tensor]) -> None:
    """Weights of the same shape; layers that have changed since start afresh."""
    own = network.state_dict()
    network.load_state_dict({**own, **{n: v for n, v in state.items() if n in own and own[n].shape == v.shape}})


def _half() -> torch.autocast:
    """bfloat16 where the processor has it: two to three times as fast."""
    return torch.autocast("cpu", torch.bfloat16)


def _count() -> Iterator[int]:
    n = 0
    while True:
        yield n
        n += 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", required=True, help="name of the run; NAME.pt in the cache folder")
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--only", choices=("localiser", "classifier"))
    parser.add_argument("--without", choices=(*TRAIN_GROUPS, PHOTOGRAPHS), help="pictures the classifier is not shown")
    parser.add_argument("--also", type=Path, metavar="FOLDER", help="single tiles among the faces, to measure what they "
                        "would bring; weights so made are not shipped")  # fmt: skip
    parser.add_argument("--from", dest="start", metavar="NAME")
    parser.add_argument(
        "--rate", type=float, default=1.0, help="times the usual learning rates; 0.5 to go on from a run"
    )
    parser.add_argument("--rest", type=float, default=0.0, help="the localiser's pause after a step, in steps")
    torch.manual_seed(0)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped; start again with the same name to go on"))
    Run(parser.parse_args()).go()


if __name__ == "__main__":
    main()
