"""A table's own tile set, learned from a few photographs in seconds.

The classifier's embedding of every tile in the photographs becomes a prototype of its face. When the set is used, a
tile's reading is weighed with its likeness to the prototypes. No network is trained; a set is a small file.
"""

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vision.classes import CLASSES, FACES, INDEX

SHARPNESS = 14.0  # how steeply likeness turns into probability
TRUST = 0.65  # weight of the prototypes against the classifier, where the set knows the face
KNOWN = 0.75  # confidence from which a face is believed as read while the rest is worked out by elimination
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}")


class SetError(ValueError):
    """A tile set that cannot be used; the message is one clear line."""


@dataclass(frozen=True, eq=False)
class TileSet:
    """Prototypes of one tile set: `embeddings` (n, e) of length one and `kinds` (n,) indices into CLASSES."""

    name: str
    embeddings: np.ndarray
    kinds: np.ndarray

    def weigh(self, kinds: np.ndarray, embeddings: np.ndarray) -> np.ndarray:
        """(n, classes) probabilities and (n, e) embeddings -> (n, classes) probabilities with the set's knowledge.

        Faces without a prototype keep their probability; those with one share theirs out anew by likeness.
        """
        likeness = unit(embeddings) @ self.embeddings.T
        known = np.unique(self.kinds)
        best = np.stack([likeness[:, self.kinds == k].max(1) for k in known], 1)
        pull = np.exp(SHARPNESS * (best - best.max(1, keepdims=True)))
        pull /= pull.sum(1, keepdims=True)
        out: np.ndarray = kinds.copy()
        mass = kinds[:, known].sum(1, keepdims=True)
        mixed = (kinds[:, known] / np.maximum(mass, 1e-9)) ** (1 - TRUST) * pull**TRUST
        out[:, known] = mass * mixed / mixed.sum(1, keepdims=True)
        return out

    def save(self, path: Path, weights: str) -> None:
        """`weights`: which classifier's embeddings these are (`Detector.weights`); another's cannot be compared with them."""
        path.parent.mkdir(parents=True, exist_ok=True)
        embeddings, kinds = self.embeddings.astype(np.float16), self.kinds.astype(np.int16)
        np.savez_compressed(path, embeddings=embeddings, kinds=kinds, weights=np.array(weights))


def unit(embeddings: np.ndarray) -> np.ndarray:
    length = np.linalg.norm(embeddings, axis=1, keepdims=True)
    scaled: np.ndarray = embeddings / np.maximum(length, 1e-9)
    return scaled


def folder() -> Path:
    """Where tile sets are kept: the user's data folder (XDG base directories)."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share") / "mahjong-referee" / "sets"


def path_of(name: str) -> Path:
    """The file of a set; raises SetError for a name that would not do as a file's name."""
    if not _NAME.fullmatch(name):
        raise SetError(f"tile set name {name!r}: letters, digits, spaces, dots, dashes, at most 64, please")
    return folder() / f"{name}.npz"


def load(name: str, weights: str) -> TileSet:
    """A set learned with these weights, by name; raises SetError with one line where there is none, its file is damaged or
    it was learned with others."""
    path = path_of(name)
    if not path.exists():
        known = ", ".join(sorted(p.stem for p in folder().glob("*.npz"))) or "none yet"
        raise SetError(f"no tile set {name!r} has been learned (there is: {known})")
    try:
        with np.load(path, allow_pickle=False) as arrays:
            embeddings, kinds = arrays["embeddings"].astype(np.float32), arrays["kinds"].astype(np.int64)
            learned_with = str(arrays["weights"]) if "weights" in arrays else ""
    except (OSError, ValueError, KeyError, EOFError):
        raise SetError(f"tile set {name!r}: {path} is damaged; learn it again") from None
    if learned_with != weights:
        raise SetError(f"tile set {name!r} was learned with other models than these; learn it again from its photographs")
    return TileSet(name, unit(embeddings), kinds)


def assigned(kinds: np.ndarray, each_once: bool) -> list[int]:
    """Faces for (n, classes) probabilities, -1 for none. Faces read surely stand; with `each_once`, one photograph of
    every face laid out once, the rest go to the faces still missing, likeliest pair first."""
    faces = kinds[:, : len(FACES)]
    result = [-1] * len(faces)
    for i in range(len(faces)):
        if faces[i].max() >= KNOWN:
            result[i] = int(faces[i].argmax())
    if not each_once:
        return result
    missing = set(range(len(FACES))) - set(result)
    open_tiles = {i for i, k in enumerate(result) if k < 0 and kinds[i, len(FACES) :].max() < KNOWN}
    pairs = sorted(((float(faces[i, k]), i, k) for i in open_tiles for k in missing), reverse=True)
    for _, i, k in pairs:
        if i in open_tiles and k in missing:
            result[i] = k
            open_tiles.discard(i)
            missing.discard(k)
    return result


def learn(name: str, readings: Sequence[tuple[np.ndarray, np.ndarray]], dictated: Sequence[str] | None = None,
          each_once: bool = True) -> TileSet:  # fmt: skip
    """A tile set from the readings of its photographs: for each, (n, classes) probabilities and (n, e) embeddings, in
    reading order (Detector.features).

    dictated: the tiles' codes in reading order over all photographs, where somebody says them; raises ValueError when
    their number is not the number of tiles seen, or when no face could be learned.
    """
    if dictated is not None:
        count = sum(len(kinds) for kinds, _ in readings)
        if len(dictated) != count:
            raise ValueError(f"{len(dictated)} tiles were named, {count} are seen")
        unknown = [code for code in dictated if code not in FACES]
        if unknown:
            raise ValueError(f"no such tile: {unknown[0]}")
        faces = [INDEX[code] for code in dictated]
    else:
        faces = [k for kinds, _ in readings for k in assigned(kinds, each_once)]
    embeddings = unit(np.concatenate([e for _, e in readings])) if readings else np.zeros((0, 1))
    kept = np.array([k >= 0 for k in faces], bool)
    if not kept.any():
        raise ValueError("no tile could be learned from these photographs")
    return TileSet(name, embeddings[kept], np.array(faces)[kept])


def learned_faces(tile_set: TileSet) -> list[str]:
    return [CLASSES[k] for k in sorted({int(k) for k in tile_set.kinds})]
