"""How well `referee watch` follows filmed hands: ``python -m tests.bench.watch DIR...``.

Each DIR is what `referee simulate` writes (table.mp4, log.jsonl, calibration.json). Every film is watched by the command
itself in a process of its own; its log is compared with the film's. With ``--keep FOLDER`` what the command told is kept
there, a log and its JSON Lines for each film, and is compared again, not watched again, when it is there already: films are
large. A figure is a count of what was measured, never more.

A delay is seconds of film from a tile's coming to rest (the film's log) to the picture at which its event was told as it
stands in the end, so one told anew counts from when it was. Reading takes no time of the film: where it is slower than the
film's pictures come, as ``frames_per_second`` tells, a camera's referee leaves pictures out and is later by as much.
"""

from __future__ import annotations

import argparse
import difflib
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import cv2

from referee.rules.ruleset import load
from referee.table import events as ev
from referee.table.game import Game, replay
from referee.table.ledger import Ledger
from referee.table.log import read_log
from tests.bench.follow import late
from tests.vision.tabletop import as_seen, by_hand, laid_open, public

CUT = 1.0  # seconds: what happens so near to the end of a film that was cut short need not have been told


@dataclass(frozen=True)
class Run:
    """How a film was watched: frames and seconds of film, seconds it took, peak memory."""

    frames: int
    length: float
    seconds: float
    megabytes: float


@dataclass(frozen=True)
class Watched:
    """What came of one film. Settlements are those a bystander can know; rulings those told for certain."""

    film: str
    rules: str
    hands: int
    exact: int
    events: int
    right: int
    extra: int
    settled: int
    settlements: int
    questions: int
    fouls: int
    found: int
    wrong: int
    doubted_wrong: int
    delays: list[tuple[str, float]]  # kind of event, seconds
    run: Run

    def row(self) -> dict[str, Any]:
        return {
            "film": self.film, "rules": self.rules, "hands": self.hands, "hands_exact": self.exact, "events": self.events,
            "events_right": self.right, "events_extra": self.extra, "settlements_right": self.settled,
            "settlements": self.settlements, "questions": self.questions, "fouls": self.fouls, "fouls_found": self.found,
            "wrong_rulings": self.wrong, "wrong_but_doubted": self.doubted_wrong, "delay_p95_s": _p95(self.delays),
            "minutes": round(self.run.length / 60, 1), "frames_per_second": round(self.run.frames / self.run.seconds, 1),
            "peak_mb": round(self.run.megabytes),
        }  # fmt: skip


def _p95(delays: list[tuple[str, float]]) -> float | None:
    return late(delays)["all"][1] if delays else None


def watch(folder: Path, kept: Path, extra: list[str]) -> Watched:
    """Watch a film, unless what was told of it is in the folder ``kept`` already, and compare."""
    log, told, how = (kept / f"{folder.name}.{end}" for end in ("jsonl", "told", "run"))
    if not how.exists():
        _watch(folder, log, told, how, extra)
    run = Run(**json.loads(how.read_text(encoding="utf-8")))
    found = Ledger()
    found.add(read_log(log.read_bytes()).entries)
    truth = [json.loads(line) for line in (folder / "log.jsonl").read_text(encoding="utf-8").splitlines()]
    lines = [json.loads(line) for line in told.read_text(encoding="utf-8").splitlines()]
    return compare(folder.name, truth, found, [line["question"] for line in lines if "question" in line], run)


def _watch(folder: Path, log: Path, told: Path, how: Path, extra: list[str]) -> None:
    """The command on one film; its log, what it told and how it ran are written to three files."""
    log.unlink(missing_ok=True)
    rules_id = json.loads((folder / "log.jsonl").read_text(encoding="utf-8").splitlines()[0])["rules"]
    command = [
        sys.executable, "-m", "tests.bench.watch", "--one", str(folder / "table.mp4"), "--rules", rules_id,
        "--calibration", str(folder / "calibration.json"), "--as-fast-as-possible", "--json", "--no-board",
        "--log", str(log), *extra,
    ]  # fmt: skip
    film = cv2.VideoCapture(str(folder / "table.mp4"))
    frames, fps = int(film.get(cv2.CAP_PROP_FRAME_COUNT)), film.get(cv2.CAP_PROP_FPS)
    begun = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = time.monotonic() - begun
    if done.returncode:
        raise SystemExit(f"{folder}: {done.stderr.strip().splitlines()[-1:]}")
    told.write_text(done.stdout, encoding="utf-8")
    peak = float(done.stderr.strip().rpartition("peak_kb=")[2] or 0) / 1024
    how.write_text(json.dumps(asdict(Run(frames, frames / fps, seconds, peak))), encoding="utf-8")


def compare(name: str, truth: list[dict[str, Any]], found: Ledger, questions: list[dict[str, Any]], run: Run) -> Watched:
    """What was told against what was played, as far as the film goes and a bystander can know."""
    rules = load(truth[0]["rules"], truth[0].get("options") or {})
    closed = rules.ritual.customs.closed_kong if rules.ritual else (False,)
    truth = as_seen([e for e in truth if e["t"] <= run.length - CUT], closed)
    rows = as_seen(_timed(found), closed)
    a, b = ([e for e in events if public([e])] for events in (truth, rows))
    blocks = difflib.SequenceMatcher(None, public(a), public(b), autojunk=False).get_matching_blocks()
    pairs = [(a[m.a + k], b[m.b + k]) for m in blocks for k in range(m.size)]
    delays = [(true["type"], ours["t"] - true["t"]) for true, ours in pairs]
    hands = [public(hand) for hand in by_hand(truth)]
    ours = [public(hand) for hand in by_hand(rows)]
    settled = _settled(truth, found)
    fouls, certain, doubted = _rulings(truth, found, {question.get("about") for question in questions} - {None})
    wrong = certain - fouls
    return Watched(
        name, rules.id, len(hands), sum(x == y for x, y in zip(hands, ours, strict=False)), len(a), len(delays),
        len(b) - len(delays), sum(settled), len(settled), len(questions), fouls.total(),
        ((certain + doubted) & fouls).total(), wrong.total(), (doubted - fouls).total(), delays, run,
    )  # fmt: skip


def _timed(found: Ledger) -> list[dict[str, Any]]:
    """What was told as it stands, each event with the time at which it was told so."""
    told_anew = {event.event: event.t for event in found.events if isinstance(event, ev.Correct)}
    return [{"t": told_anew.get(told.event.n)} | ev.write_event(told.event) for told in found.told]


def _settled(truth: list[dict[str, Any]], found: Ledger) -> list[bool]:
    """Of each hand that is settled by what is laid open, whether it came to the same."""
    true_game, open_game = (_replayed(events) for events in (truth, laid_open(truth)))
    ours = found.game.hands
    return [
        number < len(ours) and ours[number].deltas == hand.deltas
        for number, (hand, seen) in enumerate(zip(true_game.hands, open_game.hands, strict=False))
        if hand.complete and hand.settlement and seen.settlement and hand.deltas == seen.deltas
    ]


def _rulings(truth: list[dict[str, Any]], found: Ledger, asked: set[int]) -> tuple[Counter[Any], Counter[Any], Counter[Any]]:
    """Faults certain by what was played; those ruled for certain; those ruled that a question is about."""
    true = Counter((f.seat, f.kind) for _, f in _replayed(truth).faults if f.certain)
    ruled = [f for _, f in found.game.faults if f.certain]
    doubted = Counter((f.seat, f.kind) for f in ruled if {f.n, f.about} & asked)
    return true, Counter((f.seat, f.kind) for f in ruled) - doubted, doubted


def _replayed(events: list[dict[str, Any]]) -> Game:
    return replay(ev.read_event({k: v for k, v in event.items() if k != "t"}) for event in events)[0]


def _one(arguments: list[str]) -> None:
    """The command itself, in this process, telling what memory it took."""
    import atexit
    import resource

    from referee.cli import main

    atexit.register(lambda: print(f"peak_kb={resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}", file=sys.stderr))
    main(["watch", *arguments])


def report(films: list[Watched]) -> dict[str, Any]:
    """All films together."""
    total = {
        key: sum(film.row()[key] for film in films)
        for key in ("hands", "hands_exact", "events", "events_right", "events_extra", "settlements_right", "settlements",
                    "questions", "fouls", "fouls_found", "wrong_rulings", "wrong_but_doubted")
    }  # fmt: skip
    return {"films": len(films), "rule_sets": len({film.rules for film in films})} | total | {
        "delay_p95_s": _p95([d for film in films for d in film.delays]),
        "delay_s": late([d for film in films for d in film.delays]),
        "minutes": round(sum(film.run.length for film in films) / 60, 1),
        "frames_per_second": round(sum(f.run.frames for f in films) / max(sum(f.run.seconds for f in films), 1e-9), 1),
        "peak_mb": round(max((film.run.megabytes for film in films), default=0)),
    }  # fmt: skip


def run() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("films", nargs="+", type=Path)
    parser.add_argument("--keep", type=Path, help="folder for what was told; what is there is compared, not watched again")
    options, extra = parser.parse_known_args()
    films = []
    with tempfile.TemporaryDirectory() as scratch:
        kept = options.keep or Path(scratch)
        kept.mkdir(parents=True, exist_ok=True)
        for folder in options.films:
            films.append(watch(folder, kept, extra))
            print(json.dumps(films[-1].row()), flush=True)
    print(json.dumps(report(films)))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        _one(sys.argv[2:])
    else:
        run()
