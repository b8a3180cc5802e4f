"""Photographs with their annotations, split by source.

The photographs are not part of this repository; DATA (environment variable MAHJONG_DATA) is a folder with
`SET/images/*` and `SET/annotations.json`, each a list of
`{"image", "width", "height", "group", "objects": [{"label", "box": [x, y, w, h], "polygon"?}]}`.
"""

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.training.labels.check import load_labels
from vision.classes import CLASSES, INDEX

SETS = ("cmd_clean", "cmd_aug", "leo")  # CC BY 4.0 all three; sets of doubtful licence are left out on purpose
TRAIN_GROUPS = ("green_mat", "darkgreen_table", "other")
VALIDATION_GROUPS = ("tray", "leo_riichi_webcam")
#: Groups whose hand-labelled backs and edges are trained on; those of the others are for evaluation.
BACK_GROUPS = ("darkgreen_table", "other")
#: Width over height of the camera where a set's pictures were squeezed to a square before they were published.
TRUE_ASPECT = {"leo_riichi_webcam": 16 / 9}

#: Photographs shipped as examples in tests/photos: never trained on.
SHIPPED = frozenset({
    "other_valid_hand_002_jpg.jpg", "other_valid_hand_012_jpg.jpg", "other_valid_hand_014_jpg.jpg",
    "green_mat_test_hand_015_jpg.jpg", "green_mat_test_hand_006_jpg.jpg", "green_mat_valid_hand_008_jpg.jpg",
    "darkgreen_table_test_387561687_358938869892132_7569997015932467004_n_jpg.jpg",
})  # fmt: skip

LABELS = Path(__file__).parent / "labels"
_WINDS_AND_DRAGONS = {"we": "E", "ws": "S", "ww": "W", "wn": "N", "dr": "C", "dg": "F", "dw": "P"}


def code(label: str) -> str:
    """The contract's tile code of a photograph's label: `m5` is `5m`, `dw` is `P`, `q1` is `1q`."""
    return _WINDS_AND_DRAGONS.get(label) or label[1] + label[0]


@dataclass(frozen=True)
class Photo:
    """One annotated photograph; `boxes` are (n, 4) x, y, w, h in pixels, `classes` (n,) indices into CLASSES.

    `quads` (m, 4, 2) and `quad_classes` (m,) are backs and edges labelled by hand, `ignore` polygons in which nothing is
    said about backs and edges; all three empty where nobody labelled them.
    """

    path: Path
    set_name: str
    group: str
    boxes: np.ndarray
    classes: np.ndarray
    quads: np.ndarray = field(default_factory=lambda: np.zeros((0, 4, 2), np.float32))
    quad_classes: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    ignore: tuple[np.ndarray, ...] = ()

    @property
    def name(self) -> str:
        return f"{self.set_name}/{self.path.name}"

    def pixels(self) -> np.ndarray:
        image = cv2.imread(str(self.path))
        if image is None:
            raise ValueError(f"cannot read {self.path}")
        return image


def data_folder() -> Path:
    folder = os.environ.get("MAHJONG_DATA")
    if not folder:
        raise SystemExit("set MAHJONG_DATA to the folder with the photographs (see models/training/README.md)")
    return Path(folder)


def photos(groups: Iterable[str] | None = None, *, as_published: bool = False) -> list[Photo]:
    """All photographs of the given groups (default: all), in the order of the files; labels that are plainly wrong are put
    right (labels/mislabelled.json) unless they are wanted `as_published`."""
    wanted = set(groups) if groups is not None else None
    wrong = {} if as_published else json.loads((LABELS / "mislabelled.json").read_text(encoding="utf-8"))
    found = []
    for set_name in SETS:
        folder = data_folder() / set_name
        for entry in json.loads((folder / "annotations.json").read_text()):
            if wanted is not None and entry["group"] not in wanted:
                continue
            objects = entry["objects"]
            boxes = np.array([o["box"] for o in objects], np.float32).reshape(-1, 4)
            classes = np.array([INDEX[code(o["label"])] for o in objects], np.int64)
            photo = Photo(folder / entry["image"], set_name, entry["group"], boxes, classes)
            found.append(_put_right(photo, wrong.get(photo.name, [])))
    return found


def _put_right(photo: Photo, wrong: Iterable[dict[str, Any]]) -> Photo:
    """With other classes where the published one is wrong, without boxes that hold no tile."""
    classes, kept = photo.classes.copy(), np.ones(len(photo.classes), bool)
    for label in wrong:
        away = np.abs(photo.boxes[:, :2] + photo.boxes[:, 2:] / 2 - label["at"]).max(1)
        i = int(away.argmin())
        if CLASSES[classes[i]] != label["published"]:
            raise ValueError(f"{photo.name}: no {label['published']} at {label['at']}")
        kept[i] = label["shown"] is not None
        classes[i] = INDEX[label["shown"]] if kept[i] else classes[i]
    return replace(photo, boxes=photo.boxes[kept], classes=classes[kept])


def single_tiles(folder: Path) -> Iterator[tuple[np.ndarray, np.ndarray, str]]:
    """(picture, box x, y, w, h, face) of a folder of pictures that show one tile each; its annotations.json is as for the
    photographs."""
    for entry in json.loads((folder / "annotations.json").read_text()):
        image, tile = cv2.imread(str(folder / entry["image"])), entry["objects"][0]
        if image is None:
            raise SystemExit(f"cannot read {folder / entry['image']}")
        yield image, np.array(tile["box"], float), code(tile["label"])


def training_photos() -> list[Photo]:
    """What training may see, with the backs and edges labelled by hand in BACK_GROUPS."""
    labels = load_labels()
    chosen = [p for p in photos(TRAIN_GROUPS) if p.path.name not in SHIPPED]
    return [_with_backs(p, labels.get(f"{p.set_name}/images/{p.path.name}")) for p in chosen]


def _with_backs(photo: Photo, picture: dict[str, Any] | None) -> Photo:
    if picture is None or photo.group not in BACK_GROUPS:
        return photo
    objects = [o for o in picture["objects"] if o["certain"]]
    doubtful = [o["quad"] for o in picture["objects"] if not o["certain"]]
    quads = np.array([o["quad"] for o in objects], np.float32).reshape(-1, 4, 2)
    kinds = np.array([INDEX[o["label"]] for o in objects], np.int64)
    ignore = tuple(np.array(p, np.float32) for p in (*picture["ignore"], *doubtful))
    return replace(photo, quads=quads, quad_classes=kinds, ignore=ignore)
