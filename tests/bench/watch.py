"""How well `referee watch` follows filmed hands: ``python -m tests.bench.watch DIR...``.

Each DIR is what `referee simulate` writes (table.mp4, log.jsonl, calibration.json). Every film is watched by the command
itself in a process of its own; its log is compared with the film's. A figure is a count of what was measured, never more.
"""

from __future__ import annotations

import argparse
import difflib
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from referee.rules.ruleset import load
from referee.table import events as ev
from referee.table.game import replay
from referee.table.ledger import Ledger
from referee.table.log import read_log
from tests.vision.tabletop import as_seen, public

CUT = 1.0  # seconds: what happens so near to the end of a film that was cut short need not have been told


@dataclass
class Watched:
    """What came of one film."""

    film: str
    hands: int
    exact: int
    events: int
    right: int
    extra: int
    settled: int
    settlements: int
    questions: int
    delays: list[float]
    seconds: float
    frames: int
    megabytes: float

    def row(self) -> dict[str, Any]:
        return {
            "film": self.film, "hands": self.hands, "hands_exact": self.exact, "events": self.events,
            "events_right": self.right, "events_extra": self.extra, "settlements_right": self.settled,
            "settlements": self.settlements, "questions": self.questions, "delay_p95_s": _p95(self.delays),
            "frames_per_second": round(self.frames / max(self.seconds, 1e-9), 1), "peak_mb": round(self.megabytes),
        }  # fmt: skip


def _p95(delays: list[float]) -> float | None:
    return round(float(np.percentile(delays, 95)), 2) if delays else None


def watch(folder: Path, extra: list[str]) -> Watched:
    """Watch a film and compare."""
    truth = [json.loads(line) for line in (folder / "log.jsonl").read_text(encoding="utf-8").splitlines()]
    with tempfile.TemporaryDirectory() as scratch:
        log = Path(scratch) / "watched.jsonl"
        command = [
            sys.executable, "-m", "tests.bench.watch", "--one", str(folder / "table.mp4"), "--rules", truth[0]["rules"],
            "--calibration", str(folder / "calibration.json"), "--as-fast-as-possible", "--json", "--no-board",
            "--log", str(log), *extra,
        ]  # fmt: skip
        begun = time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        seconds = time.monotonic() - begun
        if done.returncode:
            raise SystemExit(f"{folder}: {done.stderr.strip().splitlines()[-1:]}")
        found = Ledger()
        found.add(read_log(log.read_bytes()).entries)
    questions = sum('"question"' in line[:14] for line in done.stdout.splitlines())
    peak = float(done.stderr.strip().rpartition("peak_kb=")[2] or 0) / 1024
    return compare(folder, truth, found, questions, seconds, peak)


def compare(
    folder: Path, truth: list[dict[str, Any]], found: Ledger, questions: int, seconds: float, peak: float
) -> Watched:
    rules = load(truth[0]["rules"], truth[0].get("options") or {})
    film = cv2.VideoCapture(str(folder / "table.mp4"))
    frames = int(film.get(cv2.CAP_PROP_FRAME_COUNT))
    truth = [e for e in truth if e["t"] <= frames / film.get(cv2.CAP_PROP_FPS) - CUT]
    closed = rules.ritual.customs.closed_kong if rules.ritual else (False,)
    truth = as_seen(truth, closed)
    rows = as_seen([ev.write_event(told.event) for told in found.told], closed)
    a, b = public(truth), public(rows)
    at_a = [e["t"] for e in truth if public([e])]
    at_b = [e.get("t", 0.0) for e in rows if public([e])]
    blocks = difflib.SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks()
    right = sum(block.size for block in blocks)
    delays = [at_b[m.b + k] - at_a[m.a + k] for m in blocks for k in range(m.size)]
    true_game, _ = replay(ev.read_event(e) for e in truth)
    settled = [h.deltas for h in true_game.hands if h.complete and h.settlement]
    ours = [h.deltas for h in found.game.hands]
    true_hands, our_hands = _hands(truth), _hands(rows)
    pairs = list(zip(true_hands, our_hands, strict=False))
    deltas = [h.deltas if h.settlement else None for h in true_game.hands]
    same = sum(d is not None and k < len(ours) and ours[k] == d for k, d in enumerate(deltas))
    return Watched(
        folder.name, len(true_hands), sum(public(x) == public(y) for x, y in pairs), len(a), right, len(b) - right, same,
        len(settled), questions, delays, seconds, frames, peak,
    )  # fmt: skip


def _hands(rows: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    hands: list[list[dict[str, Any]]] = []
    for row in rows:
        if row["type"] == "start" or not hands:
            hands.append([])
        hands[-1].append(row)
    return hands


def _one(arguments: list[str]) -> None:
    """The command itself, in this process, telling what memory it took."""
    import atexit
    import resource

    from referee.cli import main

    atexit.register(lambda: print(f"peak_kb={resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}", file=sys.stderr))
    main(["watch", *arguments])


def report(films: list[Watched]) -> dict[str, Any]:
    """All films together."""
    delays = [d for film in films for d in film.delays]
    hands, events = sum(f.hands for f in films), sum(f.events for f in films)
    settlements = sum(f.settlements for f in films)
    return {
        "films": len(films), "hands": hands, "hands_exact": sum(f.exact for f in films), "events": events,
        "events_right": round(sum(f.right for f in films) / max(events, 1), 4), "events_extra": sum(f.extra for f in films),
        "settlements_right": f"{sum(f.settled for f in films)}/{settlements}",
        "questions_a_hand": round(sum(f.questions for f in films) / max(hands, 1), 2), "delay_p95_s": _p95(delays),
        "frames_per_second": round(sum(f.frames for f in films) / max(sum(f.seconds for f in films), 1e-9), 1),
        "peak_mb": round(max((f.megabytes for f in films), default=0)),
    }  # fmt: skip


def run() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("films", nargs="+", type=Path)
    options, extra = parser.parse_known_args()
    films = []
    for folder in options.films:
        films.append(watch(folder, extra))
        print(json.dumps(films[-1].row()), flush=True)
    print(json.dumps(report(films)))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        _one(sys.argv[2:])
    else:
        run()
