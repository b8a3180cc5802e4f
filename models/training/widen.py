"""A wider classifier that reads just as a narrow one does, to go on training from.

`python -m models.training.widen NAME OUT` writes OUT.pt in the cache folder, with NAME's localiser. Channels are doubled,
those that take them in share their weights out among the copies (Chen, Goodfellow and Shlens, "Net2Net", 2016), and a little
noise lets training drive the copies apart.
"""

import argparse

import torch
from torch import Tensor

from models.training.bank import cache_folder
from models.training.nets import NARROW, WIDE

NOISE = 0.02  # of a layer's deviation
#: Layers of the body in order: name, which of the widths goes in (None: the picture's colours) and which comes out.
LAYERS = (
    ("body.0", None, 0), ("body.1", 0, 1), ("body.2", 1, 2), ("body.3.first", 2, 2), ("body.3.second", 2, 2), ("body.4", 2, 3),
    ("body.5.first", 3, 3), ("body.5.second", 3, 3), ("body.6.first", 3, 3), ("body.6.second", 3, 3), ("body.7", 3, 4),
)  # fmt: skip
Weights = dict[str, Tensor]


def widened(weights: Weights, generator: torch.Generator) -> Weights:
    """The weights of a WIDE classifier out of those of a NARROW one."""
    sources = [_sources(narrow, wide, generator) for narrow, wide in zip(NARROW, WIDE, strict=True)]
    wide = {}
    for name, into, out in LAYERS:
        kernel = weights[f"{name}.0.weight"][sources[out]]
        wide[f"{name}.0.weight"] = kernel if into is None else _shared_out(kernel, sources[into], generator)
        wide |= _norm(weights, f"{name}.1", sources[out])
    wide["place.weight"] = weights["place.weight"][sources[-1]]
    wide |= _norm(weights, "norm", sources[-1])
    for head in ("kind", "turn", "red"):
        wide[f"{head}.weight"] = _shared_out(weights[f"{head}.weight"], sources[-1], generator)
        wide[f"{head}.bias"] = weights[f"{head}.bias"]
    return wide


def _sources(narrow: int, wide: int, generator: torch.Generator) -> Tensor:
    """Which channel of the narrow layer each of the wide one is: all once, some twice."""
    return torch.cat([torch.arange(narrow), torch.randperm(narrow, generator=generator)[: wide - narrow]])


def _shared_out(weights: Tensor, sources: Tensor, generator: torch.Generator) -> Tensor:
    """Weights (out, in, ...) for the doubled channels going in."""
    copies = torch.bincount(sources)[sources].to(weights.dtype)
    shared = weights[:, sources] / copies.view(1, -1, *[1] * (weights.dim() - 2))
    return shared + NOISE * weights.std() * torch.randn(shared.shape, generator=generator)


def _norm(weights: Weights, name: str, sources: Tensor) -> Weights:
    parts = {f"{name}.{part}": weights[f"{name}.{part}"][sources] for part in ("weight", "bias", "running_mean", "running_var")}
    return {**parts, f"{name}.num_batches_tracked": weights[f"{name}.num_batches_tracked"]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name")
    parser.add_argument("out")
    arguments = parser.parse_args()
    kept = torch.load(cache_folder() / f"{arguments.name}.pt")["kept"]
    wide = widened(kept["classifier"], torch.Generator().manual_seed(0))
    torch.save({"kept": {**kept, "classifier": wide}}, cache_folder() / f"{arguments.out}.pt")


if __name__ == "__main__":
    main()
