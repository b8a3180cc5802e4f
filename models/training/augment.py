"""What befalls the classifier's crops on top of what the sampler did, whole batches at a time.

Crops are float tensors (n, 3, 64, 48), blue-green-red, 0 to 255. Faces straight from the bank come out as such crops too: bent,
turned, larger and smaller on their tiles, with and without neighbours. They cost next to nothing beside drawn scenes, and there
are as many different ones as there are steps.
"""

import random
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from models.training.bank import DRAWN, Bank
from models.training.lures import lure
from models.training.samples import UNKNOWN_TURN
from vision.classes import FACES, INDEX, NONE
from vision.geometry import CROP_H, CROP_W

LURES, LURE_SHARE = 1500, 0.08  # pictures of print that is no tile, and how many of the crops show one
#: Of the faces from the bank, beyond their share: birds, which differ from set to set like no other face, and white dragons, for
#: the shards are full of backs and edges, which look like blank ones.
MORE = {"1s": 0.04, "P": 0.06}
REAL_SHARE = 0.4  # of them: cut from photographs
TURNED_SHARE = 0.12  # of them: the face lies across the crop, as in the box of a tile seen so aslant that it is nearly square


def _uniform(n: int, low: float, high: float) -> Tensor:
    return torch.empty(n).uniform_(low, high)


def _grid(n: int, slant: float, scale: float, shift: float, bend: float) -> Tensor:
    """(n, 64, 48, 2) sampling places: turned, scaled, shifted, in perspective and bent, each by that much or so."""
    turn = torch.randn(n) * slant * torch.where(torch.rand(n) < 0.15, 3.0, 1.0)
    sx, sy = torch.exp(torch.randn(n) * scale), torch.exp(torch.randn(n) * scale)
    cos, sin, aspect = torch.cos(turn), torch.sin(turn), CROP_W / CROP_H
    rows = torch.stack([cos * sx, -sin * sx / aspect, torch.randn(n) * shift,
                        sin * sy * aspect, cos * sy, torch.randn(n) * shift], 1).view(n, 2, 3)  # fmt: skip
    grid = functional.affine_grid(rows, [n, 1, CROP_H, CROP_W], align_corners=False)
    tilt = torch.randn(n, 1, 1, 2) * 0.04
    grid = grid / (1 + (grid * tilt).sum(3, keepdim=True))
    waves = torch.randn(n, 2, 5, 4) * bend * torch.rand(n, 1, 1, 1)
    return grid + functional.interpolate(waves, (CROP_H, CROP_W), mode="bicubic").permute(0, 2, 3, 1)


def shaken(crops: Tensor) -> Tensor:
    """Two of three a little turned, scaled, shifted and bent, so that a crop shown again is another one; the third stays as
    sharp as it was cut."""
    crops, some = crops.clone(), torch.rand(len(crops)) < 0.67
    grid = _grid(int(some.sum()), 0.05, 0.04, 0.03, 0.02)
    crops[some] = functional.grid_sample(crops[some], grid, padding_mode="border", align_corners=False)
    return crops


class Faces:
    """Crops of faces straight from the bank, all faces alike often, and some of lures. `without`: the indices of training
    groups left out."""

    def __init__(self, bank: Bank, without: Sequence[int] = ()) -> None:
        keep = ~np.isin(bank.groups, without)
        real = bank.groups != DRAWN
        self.bank = bank
        self.real = [np.where((bank.kinds == k) & real & keep)[0] for k in range(len(FACES))]
        self.drawn = [np.where((bank.kinds == k) & ~real)[0] for k in range(len(FACES))]
        self.chance = np.random.default_rng(3)
        by_lot = random.Random(3)
        self.lures = np.stack([lure(by_lot) for _ in range(LURES)])

    def batch(self, n: int) -> dict[str, Tensor]:
        """n crops with what the shards tell of theirs."""
        chance = self.chance
        kinds = chance.integers(len(FACES), size=n)
        for face, share in MORE.items():
            kinds[chance.random(n) < share] = INDEX[face]
        from_photo = chance.random(n) < REAL_SHARE
        chosen = np.array(
            [chance.choice(self.real[k] if photo and len(self.real[k]) else self.drawn[k])
             for k, photo in zip(kinds, from_photo, strict=True)]
        )  # fmt: skip
        pictures, red, groups = self.bank.faces[chosen], self.bank.red[chosen], self.bank.groups[chosen]
        lures = chance.random(n) < LURE_SHARE
        pictures[lures] = self.lures[chance.integers(LURES, size=int(lures.sum()))]
        kinds[lures], red[lures], groups[lures] = INDEX[NONE], False, DRAWN
        turns = chance.choice((0, 2), n)
        across = chance.random(n) < TURNED_SHARE
        turns[across] += 1
        drawn = groups == DRAWN
        faces = torch.from_numpy(pictures).permute(0, 3, 1, 2).float()
        return {
            "crops": self._placed(functional.avg_pool2d(faces, 2), torch.from_numpy(turns)),
            "crop_kind": torch.from_numpy(kinds),
            "crop_turn": torch.from_numpy(np.where((drawn | ~across) & ~lures, turns, UNKNOWN_TURN)),
            "crop_trusted": torch.from_numpy(drawn),
            "crop_red": torch.from_numpy(red),
            "crop_group": torch.from_numpy(groups),
        }

    def _placed(self, faces: Tensor, turns: Tensor) -> Tensor:
        n = len(faces)
        grid = _grid(n, 0.07, 0.07, 0.05, 0.04)
        small = torch.rand(n) < 0.35  # a face printed small on its tile: what the bank's picture ends with goes on
        grid[small] *= _uniform(int(small.sum()), 1.05, 1.5)[:, None, None, None]
        wide = ~small & (torch.rand(n) < 0.5)  # boxes take in a tile's sides where they are seen, and more
        grid[wide] *= _uniform(int(wide.sum()), 0.95, 1.35)[:, None, None, None]
        row = torch.cat([faces.roll(1, 0), faces, faces.roll(-1, 0)], 3)
        row[..., CROP_W - 1 : CROP_W + 1] *= 0.5
        row[..., 2 * CROP_W - 1 : 2 * CROP_W + 1] *= 0.5
        alone = small | (torch.rand(n) < 0.4)
        among = grid / torch.tensor([3.0, 1.0])
        placed = torch.where(
            alone[:, None, None, None],
            functional.grid_sample(faces, grid, padding_mode="border", align_corners=False),
            functional.grid_sample(row, among, padding_mode="border", align_corners=False),
        )
        return torch.stack([_turned(face, int(turn)) for face, turn in zip(placed, turns, strict=True)])


def _turned(face: Tensor, turn: int) -> Tensor:
    face = torch.rot90(face, -turn, (1, 2))
    if turn % 2 == 0:
        return face
    return functional.interpolate(face[None], (CROP_H, CROP_W), mode="bilinear", align_corners=False)[0]


#: Of so many crops, the first is grey and the second in exchanged colours: nothing to learn red fives from.
GREY = 5
COLOURED = 16  # one of so many is seen in coloured light


def inked(x: Tensor) -> Tensor:
    """One crop of five loses its colours, another has them exchanged, for sets print the same face in other inks; strokes
    of some are wider or finer."""
    x[::GREY] = x[::GREY].mean(1, keepdim=True)
    x[1::GREY] = x[1::GREY][:, torch.randperm(3)]
    n = len(x)
    wide, fine = slice(1, n, 5), slice(2, n, 8)
    x[wide] = -functional.max_pool2d(-functional.pad(x[wide], (0, 1, 0, 1), mode="replicate"), 2, 1)
    x[fine] = functional.max_pool2d(functional.pad(x[fine], (0, 1, 0, 1), mode="replicate"), 2, 1)
    return x


def lit(x: Tensor) -> Tensor:
    """Exposure, colour and fall-off of the light, a covered part, small tiles blown up, blur, motion and noise."""
    n = len(x)
    ramp = torch.linspace(-1, 1, CROP_H).view(1, 1, CROP_H, 1) * (torch.randn(n, 1, 1, 1) * 0.08)
    ramp = ramp + torch.linspace(-1, 1, CROP_W).view(1, 1, 1, CROP_W) * (torch.randn(n, 1, 1, 1) * 0.08)
    gain = _uniform(n, 0.75, 1.15).view(n, 1, 1, 1) * torch.empty(n, 3, 1, 1).uniform_(0.9, 1.1)
    x = x * gain * (1 + ramp) + _uniform(n, -20, 20).view(n, 1, 1, 1)
    x[3::COLOURED] = x[3::COLOURED] * _uniform(len(x[3::COLOURED]) * 3, 0.25, 1.1).view(-1, 3, 1, 1)
    contrast = _uniform(n, 0.6, 1.25).view(n, 1, 1, 1)
    x = (x - x.mean((1, 2, 3), keepdim=True)) * contrast + x.mean((1, 2, 3), keepdim=True)
    for i in range(1, n, 6):
        h, w = int(torch.randint(6, 28, ())), int(torch.randint(5, 20, ()))
        top, left = int(torch.randint(0, CROP_H - h, ())), int(torch.randint(0, CROP_W - w, ()))
        x[i, :, top : top + h, left : left + w] = torch.rand(3, 1, 1) * 255
    order = torch.randperm(n)
    small, blurred, moving = order[: n // 5], order[n // 5 : n // 3], order[n // 3 : n // 3 + n // 12]
    scale = float(_uniform(1, 0.28, 0.75))
    shrunk = functional.interpolate(x[small], (round(CROP_H * scale), round(CROP_W * scale)), mode="area")
    x[small] = functional.interpolate(shrunk, (CROP_H, CROP_W), mode="bilinear", align_corners=False)
    x[blurred] = functional.avg_pool2d(functional.pad(x[blurred], (1, 1, 1, 1), mode="replicate"), 3, 1)
    length = int(torch.randint(3, 8, ()))
    shape = (1, length) if torch.rand(()) < 0.5 else (length, 1)
    around = (shape[1] // 2, (shape[1] - 1) // 2, shape[0] // 2, (shape[0] - 1) // 2)
    x[moving] = functional.avg_pool2d(functional.pad(x[moving], around, mode="replicate"), shape, 1)
    return (x + torch.randn_like(x) * _uniform(n, 0, 7).view(n, 1, 1, 1)).clamp(0, 255)


def augmented(crops: Tensor, faces: Tensor | None = None) -> Tensor:
    """Crops of shards, and faces of the bank after them, as the classifier is shown them."""
    x = shaken(crops.float())
    return lit(inked(x if faces is None else torch.cat([x, faces])))
