"""Hands settled from photographs, against their labels. Not a test: prints figures.

    MAHJONG_DATA=FOLDER python -m tests.bench.photos

The validation groups hold no finished hands (``tray`` shows 32 to 36 tiles in a box, ``leo`` 7 to 9), so two stand-ins are
drawn with a seed: (a) tray photographs in which fourteen tiles that make a hand are left and the others painted over;
(b) real photographs of finished hands from the groups whose tile sets were trained on.
A hand counts as right when its settlement under Shaanxi and under Hong Kong rules (no minimum) is that of its labels.
"""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from referee.photo import Situation, read_hand
from referee.rules import tiles as t
from referee.rules.readings import decompose
from referee.rules.record import RecordError, parse_record
from referee.rules.settle import settle
from referee.typed import typed_record
from vision.detect import Detector

RULES = (("shaanxi", {}), ("hongkong", {"minimum_faan": 0}))
LETTERS = {"we": "E", "ws": "S", "ww": "W", "wn": "N", "dr": "C", "dg": "F", "dw": "P"}


def code(label: str) -> str:
    if label in LETTERS:
        return LETTERS[label]
    return label[1] + label[0]


def complete_hand(codes: list[str], rng: random.Random) -> list[int] | None:
    """Indices of fourteen tiles that make four sets and a pair, the last one the winning tile; None if none is found."""
    for _ in range(4000):
        chosen = _try(codes, rng)
        if chosen:
            return chosen
    return None


def _try(codes: list[str], rng: random.Random) -> list[int] | None:
    left = {i: t.parse_one(c) for i, c in enumerate(codes)}
    chosen: list[int] = []
    for size in (3, 3, 3, 3, 2):
        first = rng.choice(sorted(left))
        kind = left[first]
        like = [i for i, k in left.items() if k == kind]
        group: list[int] | None = None
        if size == 2 or (rng.random() < 0.3 and len(like) >= 3):
            group = like[:size] if len(like) >= size else None
        elif kind < 27 and kind % 9 <= 6:
            run = [next((i for i, k in left.items() if k == kind + step), None) for step in range(3)]
            group = [i for i in run if i is not None] if None not in run else None
        if group is None:
            return None
        chosen += group
        for i in group:
            del left[i]
    rng.shuffle(chosen)
    return chosen


def alone(picture: np.ndarray, boxes: list[list[float]], chosen: list[int]) -> np.ndarray:
    """The picture with every tile but the chosen ones painted over in the colour of its border."""
    canvas = picture.copy()
    border = np.concatenate([picture[:12].reshape(-1, 3), picture[-12:].reshape(-1, 3)])
    ground = tuple(int(v) for v in np.median(border, axis=0))
    for index, (x, y, w, h) in enumerate(boxes):
        if index not in chosen:
            cv2.rectangle(canvas, (round(x) - 2, round(y) - 2), (round(x + w) + 2, round(y + h) + 2), ground, -1)
    for index in chosen:
        x, y, w, h = (round(v) for v in boxes[index])
        canvas[y : y + h, x : x + w] = picture[y : y + h, x : x + w]
    return canvas


def truth_deltas(hand: list[str], win: str, bonus: str, rules: str, options: dict[str, Any]) -> tuple[float, ...]:
    record = typed_record("".join(hand), rules, win=win, options=options, bonus=bonus)
    return settle(parse_record(record)).deltas


def judge(picture: np.ndarray, codes: list[str], win: str, detector: Detector, named: bool) -> str:
    """"right", or what was wrong."""
    hand = [c for c in codes if c[-1] not in "fq"]
    bonus = "".join(c for c in codes if c[-1] in "fq")
    hand.remove(win)
    sightings = detector.read(picture)
    for rules, options in RULES:
        try:
            expected = truth_deltas(hand, win, bonus if rules == "hongkong" else "", rules, options)
            reading = read_hand(sightings, Situation(rules, options, win_tile=win if named else None))
        except RecordError as problem:
            return f"{rules}: {problem}"
        if reading.settlement is None or reading.settlement.deltas != expected:
            seen = Counter(s.tile for s in reading.sightings)
            wrong = (seen - Counter(codes)) + (Counter(codes) - seen)
            return f"{rules}: {reading.problem or reading.settlement and reading.settlement.deltas}, misread {dict(wrong)}"
    return "right"


def trays(data: Path, detector: Detector, count: int = 20) -> None:
    rng = random.Random(20)
    entries = [e for e in json.loads((data / "cmd_clean/annotations.json").read_text()) if e["group"] == "tray"]
    done = right = 0
    for entry in rng.sample(entries, len(entries)):
        codes = [code(o["label"]) for o in entry["objects"]]
        chosen = complete_hand(codes, rng)
        if chosen is None:
            continue
        picture = cv2.imread(str(data / "cmd_clean" / entry["image"]))
        hand = [codes[i] for i in chosen]
        alone_there = alone(picture, [o["box"] for o in entry["objects"]], chosen)
        verdict = judge(alone_there, hand, hand[-1], detector, True)
        print(f"  {Path(entry['image']).name:52} {t.write(sorted(t.parse(''.join(hand)))):32} {verdict}")
        done, right = done + 1, right + (verdict == "right")
        if done == count:
            break
    print(f"(a) hands left in tray photographs (tile set and camera never seen): {right} of {done} settled right")


def finished(objects: list[dict[str, Any]]) -> list[str] | None:
    """The codes of a picture that shows one finished hand of fourteen and perhaps flowers."""
    codes = [code(o["label"]) for o in objects]
    hand = [c for c in codes if c[-1] not in "fq"]
    if len(hand) != 14:
        return None
    counts = [0] * t.KINDS
    for c in hand:
        counts[t.parse_one(c)] += 1
    return codes if decompose(counts, 0, 4, 1) else None


def hands(data: Path, detector: Detector, count: int = 20) -> None:
    rng = random.Random(20)
    found = []
    for name in ("cmd_clean", "cmd_aug"):
        for entry in json.loads((data / name / "annotations.json").read_text()):
            codes = finished(entry["objects"]) if entry["group"] != "tray" else None
            if codes:
                found.append((data / name / entry["image"], entry, codes))
    drawn = rng.sample(found, min(count, len(found)))
    right = 0
    for path, entry, codes in drawn:
        last = max((o for o in entry["objects"] if o["label"][0] not in "fq"), key=lambda o: o["box"][0])
        verdict = judge(cv2.imread(str(path)), codes, code(last["label"]), detector, True)
        print(f"  {entry['group']:16} {path.name:56} {verdict}")
        right += verdict == "right"
    print(f"(b) photographs of finished hands, tile sets known from training: {right} of {len(drawn)} settled right")


if __name__ == "__main__":
    folder = Path(os.environ["MAHJONG_DATA"])
    reader = Detector()
    trays(folder, reader)
    hands(folder, reader)
