"""Fits models/tiles.json: the temperature of the classifier and the weights that make `confidence` a probability.

`python -m models.training.calibrate --left-out GROUP=FOLDER... [--models FOLDER]` reads each training group with the
models of FOLDER, whose classifier was trained without it; a sighting is right when it is paired with a label of its
name (as in evaluate.py), wrong when it is paired with another label or is a false tile. Groups the classifier was
trained on would teach overconfidence, and the validation groups are left alone so that their figures are nobody's fit.
"""

import argparse
import json
from dataclasses import asdict
from pathlib import Path

import numpy as np

from models.training.evaluate import bounds, counts_as_false, paired, true_aspect, unlabelled_tiles
from models.training.sources import photos
from vision.classes import CLASSES
from vision.detect import Calibration, Detector, log_odds

RIDGE = 1e-2


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


def fit(left_out: dict[str, Path]) -> Calibration:
    """`left_out`: group -> folder of the models that did not see it. Every group weighs the same."""
    parts = [gather(Detector(folder), [group]) for group, folder in left_out.items()]
    least = min(len(y) for _, y in parts)
    chance = np.random.default_rng(0)
    chosen = [chance.choice(len(y), least, replace=False) for _, y in parts]
    x = np.concatenate([rows[at] for (rows, _), at in zip(parts, chosen, strict=True)])
    y = np.concatenate([right[at] for (_, right), at in zip(parts, chosen, strict=True)])
    a, b, bias = (round(float(v), 4) for v in logistic(x, y))
    return Calibration(1.0, a, b, bias)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Fits the calibration of the shipped models.")
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--left-out", nargs="+", required=True, metavar="GROUP=FOLDER")
    arguments = parser.parse_args()
    found = fit({group: Path(folder) for group, folder in (text.split("=", 1) for text in arguments.left_out)})
    (arguments.models / "tiles.json").write_text(json.dumps(asdict(found)) + "\n")
    print(found)
