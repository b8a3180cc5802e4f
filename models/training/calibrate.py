"""Fits models/tiles.json: the temperature of the classifier and the weights that make `confidence` a probability.

`python -m models.training.calibrate --left-out GROUP=FOLDER... [--models FOLDER]` reads each training group with the
models of FOLDER, whose classifier was trained without it; a sighting is right when it is paired with a label of its
name (as in evaluate.py), wrong when it is paired with another label or is a false tile. Groups the classifier was
trained on would teach overconfidence, and the validation groups are left alone so that their figures are nobody's fit.
"""

import argparse
import json
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np

from models.training import evaluate_backs
from models.training.evaluate import bounds, counts_as_false, paired, true_aspect, unlabelled_tiles, upright
from models.training.sources import BACK_GROUPS, photos
from vision.classes import CLASSES, EDGE
from vision.detect import Calibration, Detector, log_odds
from vision.geometry import crop

RIDGE = 1e-2
STANDING_BIASES = (0.0, 1.0, 2.0, 3.0)
TEMPERATURES = np.round(np.arange(0.4, 1.55, 0.05), 2)


def gather(detector: Detector, groups: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """(n, 2) log odds of the best class and of the localiser's score, (n,) whether the reading was right."""
    rows, right, known = [], [], unlabelled_tiles()
    for photo in photos(groups):
        image, labels = true_aspect(photo, photo.pixels())
        seen = [(s, score) for s, score in detector.scored(image) if s.facing == "up"]
        pairs = paired(labels.boxes, np.array([bounds(s) for s, _ in seen]).reshape(-1, 4))
        label_of = {j: CLASSES[labels.classes[i]] for i, j in pairs.items()}
        for j, (s, score) in enumerate(seen):
            if j in label_of or counts_as_false(s, labels, known.get(photo.name, [])):
                rows.append((log_odds(s.probabilities[s.tile]), log_odds(score)))
                right.append(label_of.get(j) == s.tile)
    return np.array(rows), np.array(right, float)


def standing_bias(models: Path, calibration: Calibration) -> float:
    """The bias for edges that finds most of the hand-labelled ones with fewest false (by F1), the groups that are trained on."""
    detector, scores = Detector(models), {}
    for bias in STANDING_BIASES:
        detector.calibrate(replace(calibration, standing_bias=bias))
        counts, _ = evaluate_backs.evaluate(detector, set(BACK_GROUPS))
        edges = [count for (_, kind), count in counts.items() if kind == EDGE]
        found, told = sum(c.found + c.right for c in edges), sum(c.labels + c.sightings for c in edges)
        scores[bias] = found / max(1, told)
    return max(scores, key=lambda bias: scores[bias])


def logistic(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Weights (features + 1) of a logistic regression with a small ridge, by Newton's method; no negative weights on
    the log odds, for more certainty must never lower a confidence."""
    x = np.column_stack([x, np.ones(len(x))])
    w = np.array([1.0] * (x.shape[1] - 1) + [0.0])
    for _ in range(60):
        p = 1 / (1 + np.exp(-x @ w))
        gradient = x.T @ (p - y) + RIDGE * w
        hessian = (x * (p * (1 - p))[:, None]).T @ x + RIDGE * np.eye(len(w))
        w = w - np.linalg.solve(hessian, gradient)
        w[:-1] = np.maximum(w[:-1], 0.0)
    return w


def temperature(left_out: dict[str, Detector]) -> float:
    """The one that makes the labels of single readings likeliest; every group weighs the same."""
    parts = [_logits(detector, group) for group, detector in left_out.items()]
    return float(min(TEMPERATURES, key=lambda t: sum(_surprise(logits / t, kinds) for logits, kinds in parts)))


def _logits(detector: Detector, group: str) -> tuple[np.ndarray, np.ndarray]:
    """(n, classes) of one reading of each labelled tile, (n,) their classes."""
    logits, kinds = [], []
    for photo in photos([group]):
        image, labels = true_aspect(photo, photo.pixels())
        crops = [crop(image, upright(box)) for box in labels.boxes]
        if crops:
            logits.append(detector.reader.logits(crops))
            kinds.append(labels.classes)
    return np.concatenate(logits), np.concatenate(kinds)


def _surprise(logits: np.ndarray, kinds: np.ndarray) -> float:
    shifted = logits - logits.max(1, keepdims=True)
    log_p = shifted - np.log(np.exp(shifted).sum(1, keepdims=True))
    return float(-log_p[np.arange(len(kinds)), kinds].mean())


def fit(left_out: dict[str, Path]) -> Calibration:
    """`left_out`: group -> folder of the models that did not see it. Every group weighs the same."""
    detectors = {group: Detector(folder) for group, folder in left_out.items()}
    warmth = temperature(detectors)
    for detector in detectors.values():
        detector.calibrate(Calibration(warmth))
    parts = [gather(detector, [group]) for group, detector in detectors.items()]
    least = min(len(y) for _, y in parts)
    chance = np.random.default_rng(0)
    chosen = [chance.choice(len(y), least, replace=False) for _, y in parts]
    x = np.concatenate([rows[at] for (rows, _), at in zip(parts, chosen, strict=True)])
    y = np.concatenate([right[at] for (_, right), at in zip(parts, chosen, strict=True)])
    a, b, bias = (round(float(v), 4) for v in logistic(x, y))
    return Calibration(warmth, a, b, bias)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Fits the calibration of the shipped models.")
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--left-out", nargs="+", required=True, metavar="GROUP=FOLDER")
    arguments = parser.parse_args()
    found = fit({group: Path(folder) for group, folder in (text.split("=", 1) for text in arguments.left_out)})
    found = replace(found, standing_bias=standing_bias(arguments.models, found))
    (arguments.models / "tiles.json").write_text(json.dumps(asdict(found)) + "\n")
    print(found)
