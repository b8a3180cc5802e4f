"""Weights to ONNX, and the int8 versions.

`python -m models.training.export NAME [--into FOLDER]` writes tiles_localiser.onnx and tiles_classifier.onnx of a
run (default into models/), and with `--int8` the statically quantised ones, calibrated on training shards.
`--classifier OTHER` takes the classifier from another run, `--second WIDE` writes tiles_second.onnx of a third.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
import torch
from torch import Tensor, nn

from models.training.bank import cache_folder
from models.training.nets import Classifier, Localiser
from models.training.samples import shard_folder

OPSET = 17
LAYERS_IN_FLOAT = 2  # of the localiser, from the picture on


class _Boxes(nn.Module):
    """The localiser without the output that only training needs."""

    def __init__(self, localiser: Localiser) -> None:
        super().__init__()
        self.localiser = localiser

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.localiser.out(self.localiser.head(self.localiser.features(x)))
        return out


def _kept(run: str, network: str) -> dict[str, Tensor]:
    weights: dict[str, Tensor] = torch.load(cache_folder() / f"{run}.pt")["kept"][network]
    return weights


def export(name: str, into: Path, classifier_of: str | None = None, second_of: str | None = None) -> None:
    localiser = Localiser()
    localiser.load_state_dict(_kept(name, "localiser"))
    torch.onnx.export(
        _Boxes(localiser).eval(), (torch.zeros(1, 3, 320, 320),), into / "tiles_localiser.onnx", opset_version=OPSET,
        input_names=["image"], output_names=["boxes"], dynamo=False,
        dynamic_axes={"image": {2: "height", 3: "width"}, "boxes": {2: "rows", 3: "columns"}},
    )  # fmt: skip
    export_classifier(classifier_of or name, into / "tiles_classifier.onnx")
    if second_of:
        export_classifier(second_of, into / "tiles_second.onnx")


def export_classifier(name: str, file: Path) -> None:
    names = ["kind", "turn", "red", "embedding"]
    torch.onnx.export(
        Classifier.of(_kept(name, "classifier")).eval(), (torch.zeros(2, 3, 64, 48),), file, opset_version=OPSET,
        input_names=["crops"], output_names=names, dynamo=False, dynamic_axes={n: {0: "n"} for n in ["crops", *names]},
    )  # fmt: skip


def quantise(into: Path, shards: int = 8) -> None:
    """Static int8 (QDQ, per channel) beside the float models. The last layer of each output stays in float: one step of 255
    over all of the localiser's channels would be six percent of a box's side. So do the localiser's first layers, whose few
    channels are no faster in int8 and whose roundings all others inherit."""
    from onnxruntime.quantization import CalibrationMethod, QuantFormat, QuantType, quantize_static
    from onnxruntime.quantization.shape_inference import quant_pre_process

    parts = [("localiser", _pictures(shards), LAYERS_IN_FLOAT), ("classifier", _crops(shards), 0)]
    if (into / "tiles_second.onnx").exists():
        parts.append(("second", _crops(shards), 0))
    for part, feed, first in parts:
        plain, prepared = into / f"tiles_{part}.onnx", into / f"tiles_{part}_prepared.onnx"
        quant_pre_process(plain, prepared, skip_symbolic_shape=True)
        quantize_static(
            prepared, into / f"tiles_{part}_int8.onnx", _Feed(feed), quant_format=QuantFormat.QDQ,
            nodes_to_exclude=_last_layers(prepared) + _first_layers(prepared, first), per_channel=True,
            activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8, calibrate_method=CalibrationMethod.MinMax,
        )  # fmt: skip
        prepared.unlink()


def _first_layers(model: Path, count: int) -> list[str]:
    """Names of a model's first convolutions."""
    return [node.name for node in onnx.load(model).graph.node if node.op_type == "Conv"][:count]


def _last_layers(model: Path) -> list[str]:
    """Names of the nodes that give a model's outputs."""
    graph = onnx.load(model).graph
    outputs = {output.name for output in graph.output}
    return [node.name for node in graph.node if outputs & set(node.output)]


class _Feed:
    def __init__(self, samples: Iterator[dict[str, np.ndarray]]) -> None:
        self.samples = samples

    def get_next(self) -> dict[str, np.ndarray] | None:
        return next(self.samples, None)


def _arrays(count: int, name: str) -> Iterator[np.ndarray]:
    for path in sorted(p for p in shard_folder().glob("*.npz") if not p.name.startswith("."))[:count]:
        with np.load(path) as arrays:
            yield arrays[name].astype(np.float32)


def _pictures(count: int) -> Iterator[dict[str, np.ndarray]]:
    for pictures in _arrays(count, "images"):
        for picture in pictures[::3]:
            yield {"image": picture[None]}


def _crops(count: int) -> Iterator[dict[str, np.ndarray]]:
    for crops in _arrays(count, "crops"):
        yield {"crops": crops[:64]}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name")
    parser.add_argument("--into", type=Path, default=Path("models"))
    parser.add_argument("--classifier", metavar="OTHER", help="run whose classifier is taken")
    parser.add_argument("--second", metavar="WIDE", help="run whose classifier is asked about doubtful tiles")
    parser.add_argument("--int8", action="store_true")
    arguments = parser.parse_args()
    arguments.into.mkdir(parents=True, exist_ok=True)
    export(arguments.name, arguments.into, arguments.classifier, arguments.second)
    if arguments.int8:
        quantise(arguments.into)
