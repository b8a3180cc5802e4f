"""The networks. All take BGR 0 to 255, N x 3 x H x W, and normalise inside."""

from collections.abc import Mapping
from typing import Self

import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.classes import CLASSES

#: Channels of the classifier's layers from the picture on, the embedding last: of the one that reads every tile, and of
#: the one that is asked about the doubtful ones.
NARROW, WIDE = (24, 48, 72, 128, 224), (32, 64, 96, 192, 256)


def _conv(inputs: int, outputs: int, stride: int = 1, kernel: int = 3) -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False), nn.BatchNorm2d(outputs),
                         nn.ReLU(True))  # fmt: skip


class _Residual(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = _conv(width, width)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))
        nn.init.zeros_(self.second[1].weight)

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(x + self.second(self.first(x)))


def normalised(x: Tensor) -> Tensor:
    mean = torch.tensor([110.0, 115.0, 120.0], dtype=x.dtype, device=x.device).view(1, 3, 1, 1)
    return (x - mean) / 60.0


class Localiser(nn.Module):
    """Heights and widths in multiples of 32 -> (N, 10, H/8, W/8): score logit, log left, top, right, bottom (in
    strides), and the turned rectangle as vision.geometry.turn_features has it; and, for training only, class logits
    (N, classes, H/8, W/8)."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(_conv(3, 16, 2), _conv(16, 32, 2), _conv(32, 32))
        self.stage8 = nn.Sequential(_conv(32, 64, 2), _Residual(64))
        self.stage16 = nn.Sequential(_conv(64, 112, 2), _Residual(112), _Residual(112))
        self.stage32 = nn.Sequential(_conv(112, 144, 2), _Residual(144))
        self.lateral32, self.lateral16, self.lateral8 = _conv(144, 80, 1, 1), _conv(112, 80, 1, 1), _conv(64, 80, 1, 1)
        self.merge16, self.merge8 = _conv(80, 80), _conv(80, 72)
        self.head, self.out = _conv(72, 64), nn.Conv2d(64, 10, 1)
        self.kind_head, self.kind = _conv(72, 72), nn.Conv2d(72, len(CLASSES), 1)
        with torch.no_grad():
            self.out.bias.zero_()
            self.out.bias[0], self.out.bias[1:5], self.out.bias[9] = -3.5, 0.8, 1.2

    def features(self, x: Tensor) -> Tensor:
        c8 = self.stage8(self.stem(normalised(x)))
        c16 = self.stage16(c8)
        p32 = functional.interpolate(self.lateral32(self.stage32(c16)), scale_factor=2.0, mode="nearest")
        p16 = self.merge16(self.lateral16(c16) + p32)
        return self.merge8(self.lateral8(c8) + functional.interpolate(p16, scale_factor=2.0, mode="nearest"))

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        f = self.features(x)
        return self.out(self.head(f)), self.kind(self.kind_head(f))


class Classifier(nn.Module):
    """(N, 3, 64, 48) -> class logits, logits of the face's clockwise quarter turns in the crop (N, 4), logit of a red
    five (N, 1), embedding (N, last of `widths`)."""

    def __init__(self, widths: tuple[int, int, int, int, int] = NARROW) -> None:
        super().__init__()
        half, second, quarter, eighth, embedding = widths
        self.body = nn.Sequential(_conv(3, half, 2), _conv(half, second), _conv(second, quarter, 2), _Residual(quarter),
                                  _conv(quarter, eighth, 2), _Residual(eighth), _Residual(eighth),
                                  _conv(eighth, embedding, 1, 1))  # fmt: skip
        # every place has weights of its own, for crops are cut alike: where a dot lies tells 6 from 9
        self.place = nn.Conv2d(embedding, embedding, (8, 6), groups=embedding, bias=False)
        self.norm, self.drop = nn.BatchNorm1d(embedding), nn.Dropout(0.2)
        self.kind, self.turn, self.red = (
            nn.Linear(embedding, len(CLASSES)),
            nn.Linear(embedding, 4),
            nn.Linear(embedding, 1),
        )

    @classmethod
    def of(cls, weights: Mapping[str, Tensor]) -> Self:
        """A classifier with these weights, as wide as they are."""
        layers = [f"body.{i}.0.weight" for i in (0, 1, 2, 4, 7)]
        network = cls(tuple(len(weights[layer]) for layer in layers))
        network.load_state_dict(weights)
        return network

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        embedding = self.norm(self._placed(self.body(normalised(x))))
        e = self.drop(embedding)
        return self.kind(e), self.turn(e), self.red(e), embedding

    def _placed(self, features: Tensor) -> Tensor:
        if self.training:  # the same as a product: the backward pass of the convolution takes a sixth of a step
            return (features.float() * self.place.weight[:, 0]).sum((2, 3))
        return self.place(features).flatten(1)
