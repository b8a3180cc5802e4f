"""``referee watch``: the live referee in the terminal. Events as they are committed, faults, scores, questions and answers."""

from __future__ import annotations

import json
import queue
import sys
import threading
import time
from collections import deque
from pathlib import Path
from typing import Any, Protocol, TextIO

from hardware import observe as line
from hardware import trace
from hardware.adapters import Table, open_table
from hardware.host import Answer, Event, TableEvent
from hardware.link import PortError
from referee.evidence import Evidence
from referee.inputs import InputError, parse_json
from referee.live import Notice, Report, Settings, Watch
from referee.rules.settle import Settlement
from referee.signals import Signals
from referee.table import events as ev
from referee.table.report import fault_line, sentence, settlement_lines
from referee.voice.announce import announce, announce_fault
from referee.voice.speech import Speaker
from referee.voice.words import LANGUAGES
from vision import calibrate
from vision.camera import Film, Shot, Source, SourceError, open_source
from vision.detect import Detector
from vision.enrol import SetError
from vision.infer import Happening, Question

PARTING = 1.0  # seconds a table is given to show how the game ended
HELP = """answers: N K (question N, choice K) · pin X,Y TILE · undo [N] · replace N {event} · add {event} · recount · quit"""


def run(
    source: str,
    settings: Settings,
    *,
    calibration: str | None,
    table: str | None,
    log: str,
    evidence: str | None,
    set_name: str | None,
    language: str,
    fast: bool,
    as_json: bool,
    say: bool = False,
    counts: bool = False,
) -> None:
    """Watch until the source ends or the user stops. Raises InputError with one line."""
    if language not in LANGUAGES:
        raise InputError(f"--language {language}: one of {', '.join(LANGUAGES)} is expected")
    try:
        shots = open_source(source)
        found = _calibration(source, calibration, shots)
        keep = Evidence(Path(evidence)) if evidence else None
        watch = Watch(settings, found, Detector(set_name=set_name), Path(log), keep)
        said = _line(table, watch, Path(evidence) / "table.trace" if evidence else None)
    except (SourceError, calibrate.CalibrationError, SetError, PortError, trace.TraceError) as problem:
        raise InputError(str(problem)) from None
    except OSError as problem:
        raise InputError(f"{problem.filename or log}: {problem.strerror or problem}") from None
    speaker = Speaker(language) if say else None
    out = _Out(watch, as_json, language, speaker, counts)
    out.show(list(watch.follower.begun))
    words = _typed(sys.stdin) if sys.stdin.isatty() and table != "keypad:" else None
    try:
        _loop(watch, shots, out, said, words, fast)
    except KeyboardInterrupt:
        pass
    finally:
        out.show(watch.finish())
        said.show(watch)
        shots.close()
        said.close()
        watch.close()
    out.end()


def _calibration(source: str, stored: str | None, shots: Source) -> calibrate.Calibration:
    """The stored one; beside a recorded source its own; else found in the first picture."""
    if stored:
        return calibrate.load(stored)
    beside = Path(source).parent / "calibration.json"
    if Path(source).is_file() and beside.is_file():
        return calibrate.load(beside)
    picture = next((shot.picture for shot in open_source(source) if shot.picture is not None), None)
    if picture is None:
        raise SourceError(f"{source}: no picture in it can be read")
    try:
        return calibrate.from_markers(picture)
    except calibrate.CalibrationError:
        return calibrate.propose(picture)


def _loop(
    watch: Watch, shots: Source, out: _Out, said: Said, words: queue.Queue[str] | None, fast: bool
) -> None:  # fmt: skip
    paced = isinstance(shots, Film) and not fast
    begun = time.monotonic()
    lag = 0.0
    for shot in shots:
        if paced:
            lag = time.monotonic() - begun - shot.t
            if lag < 0:
                time.sleep(-lag)
            elif lag > 0.5:
                out.late(lag)
                continue  # too slow for this picture: dropped, never queued
        for observation in said(shot.t):
            out.show(watch.table(observation))
        out.show(watch.shot(_with_lag(shot, lag)))
        said.show(watch)
        while words is not None and not words.empty():
            if not obey(words.get(), watch, out):
                return


def _with_lag(shot: Shot, lag: float) -> Shot:
    return shot if not lag else Shot(shot.number, shot.t, shot.picture, lag, shot.dropped, shot.lost)


# --- the table's line ------------------------------------------------------------------------------------------------


class Said(Protocol):
    """What the table says, and what it is to show."""

    def __call__(self, t: float) -> list[line.Observation]:
        """What it has said up to a time of the pictures."""
        ...

    def show(self, watch: Watch) -> None:
        """Have it show the game: scores, turn, questions, fouls."""
        ...

    def close(self) -> None: ...


def _line(table: str | None, watch: Watch, record: Path | None) -> Said:
    """A recorded trace told in time with the pictures, or a table (`hardware.adapters`); ``record``: where to keep every
    raw line of it."""
    if table is None:
        return _Silent()
    seen = line.Seen(tiles=watch.follower.state.total, seating=line.Seating(players=watch.rules.players))
    if Path(table).is_file():
        return _Recorded(Path(table), seen)
    if record is not None:
        record.parent.mkdir(parents=True, exist_ok=True)
    return _Live(open_table(table, record=record), seen)


class _Silent:
    """No table on the line."""

    def __call__(self, t: float) -> list[line.Observation]:
        return []

    def show(self, watch: Watch) -> None: ...

    def close(self) -> None: ...


class _Recorded:
    """A recorded trace; its time is the pictures'."""

    def __init__(self, path: Path, seen: line.Seen) -> None:
        self.waiting = deque(trace.events(trace.read(path)))
        self.seen = seen

    def __call__(self, t: float) -> list[line.Observation]:
        out: list[line.Observation] = []
        while self.waiting and self.waiting[0].at <= t:
            item = self.waiting.popleft()
            event = TableEvent(item.message, item.boot, item.seq, item.ms, item.at)
            self.seen, found = line.observe(self.seen, event)
            out += found
        return out

    def show(self, watch: Watch) -> None: ...

    def close(self) -> None: ...


class _Live:
    """A table on the line."""

    def __init__(self, table: Table, seen: line.Seen) -> None:
        self.table, self.seen = table, seen
        self.signals = Signals(table, seen.seating)
        table.start()

    def __call__(self, t: float) -> list[line.Observation]:
        out: list[line.Observation] = []
        for event in self.table.events():
            self._answered(event)
            self.seen, found = line.observe(self.seen, event)
            out += found
        return out

    def show(self, watch: Watch) -> None:
        self.signals.show(watch.ledger, watch.asked)

    def close(self) -> None:
        """Let go of it when it shows how the game ended, or does not within a moment."""
        until = time.monotonic() + PARTING
        while self.signals.waiting and (left := until - time.monotonic()) > 0:
            for event in self.table.events(left):
                self._answered(event)
        self.table.close()

    def _answered(self, event: Event) -> None:
        if isinstance(event, Answer):
            self.signals.answered(event)


# --- telling -----------------------------------------------------------------------------------------------------------


class _Out:
    """Prints reports, for people or as JSON Lines."""

    def __init__(
        self, watch: Watch, as_json: bool, language: str, speaker: Speaker | None = None, counts: bool = False
    ) -> None:
        self.watch, self.as_json, self.language = watch, as_json, language
        self.speaker, self.counts = speaker, counts
        self._late_told = -60.0

    def show(self, reports: list[Report]) -> None:
        for report in reports:
            if isinstance(report, Notice):
                self._notice(report)
            elif report.question is not None:
                self._question(report.question)
            elif report.event is not None:
                self._event(report)

    def _notice(self, notice: Notice) -> None:
        if self.as_json:
            self._json({"notice": {"kind": notice.kind, "text": notice.text, "t": round(notice.t, 2)}})
        else:
            print(f"{_clock(notice.t)}  -- {notice.text}", flush=True)

    def _question(self, question: Question) -> None:
        number = self.watch.questions.index(question) if question in self.watch.questions else len(self.watch.questions)
        if self.as_json:
            self._json({"question": {"number": number, "text": question.text, "choices": list(question.choices),
                                     "t": round(question.t, 2), "about": question.about}})  # fmt: skip
            return
        choices = "  ".join(f"{k}: {choice}" for k, choice in enumerate(question.choices, 1))
        print(f"{_clock(question.t)}  ?{number} {question.text}  [{choices}]", flush=True)

    def _event(self, happening: Happening) -> None:
        assert happening.event is not None
        for said in self._aloud(happening):
            if self.speaker:
                self.speaker.say(said)
        if self.as_json:
            faults = [{"seat": f.seat, "kind": f.kind, "why": f.why} for told in happening.told for f in told.faults]
            self._json(ev.write_event(happening.event) | ({"faults": faults} if faults else {}))
        else:
            self._tell(happening)

    def _aloud(self, happening: Happening) -> list[str]:
        """What is said at the table: faults everybody can see, and what the hand came to."""
        hand = self.watch.ledger.game.hands[-1]
        lines = [
            announce_fault(f.kind, f.seat, hand.state.dealer, hand.state.players, self.language, counts=self.counts)
            for told in happening.told
            for f in told.faults
            if f.certain
        ]
        if isinstance(happening.event, ev.End) and isinstance(hand.settlement, Settlement):
            lines.append(announce(hand.settlement, self.language))
        return [text for text in lines if text]

    def _tell(self, happening: Happening) -> None:
        game = self.watch.ledger.game
        assert happening.event is not None
        if isinstance(happening.event, ev.Correct):
            self._corrected(happening.event)
        for told in happening.told:
            print(f"{_clock(happening.event.t or 0.0)}  {sentence(game, told)}", flush=True)
            for fault in told.faults:
                print(f"            !! {fault_line(game, fault)}", flush=True)
            if isinstance(told.event, ev.End):
                self._settled()

    def _corrected(self, correction: ev.Correct) -> None:
        changed = [told for told in self.watch.ledger.told if told.event.n in (correction.event, correction.n)]
        now = "; ".join(sentence(self.watch.ledger.game, told) for told in changed) or "struck out"
        print(f"{_clock(correction.t or 0.0)}  ## event {correction.event} is corrected: {now}", flush=True)

    def _settled(self) -> None:
        game = self.watch.ledger.game
        for text in settlement_lines(game, game.hands[-1]):
            print(f"            {text}", flush=True)
        settlement = game.hands[-1].settlement
        if isinstance(settlement, Settlement):
            print(f"            {announce(settlement, self.language)}", flush=True)

    def late(self, lag: float) -> None:
        now = time.monotonic()
        if now - self._late_told > 5:
            self._late_told = now
            self._notice(Notice("lag", f"{lag:.1f} s behind: pictures are dropped", lag))

    def end(self) -> None:
        if not self.as_json:
            open_questions = len(self.watch.questions)
            print(f"source ended; {len(self.watch.ledger.told)} events, {open_questions} questions", flush=True)

    def _json(self, value: dict[str, Any]) -> None:
        print(json.dumps(value, ensure_ascii=False), flush=True)


def _clock(t: float) -> str:
    return f"{int(t // 60):3}:{t % 60:04.1f}"


# --- what people type ----------------------------------------------------------------------------------------------------


def _typed(stream: TextIO) -> queue.Queue[str]:
    """Lines typed by a person, read on a thread of their own."""
    words: queue.Queue[str] = queue.Queue()

    def read() -> None:
        for text in stream:
            words.put(text.strip())

    threading.Thread(target=read, daemon=True, name="typed").start()
    return words


def obey(text: str, watch: Watch, out: _Out) -> bool:
    """Do what a person typed; False to stop. What cannot be done is said in one line."""
    try:
        return _obey(text, watch, out)
    except (ValueError, IndexError, KeyError) as problem:
        print(f"cannot do that: {problem}", file=sys.stderr)
        return True


def _obey(text: str, watch: Watch, out: _Out) -> bool:
    word, _, rest = text.partition(" ")
    if word in ("quit", "q"):
        return False
    if word.isdigit():
        out.show(watch.answer(int(word), int(rest)))
    elif word == "pin":
        place, tile = rest.split()
        x, y = (float(v) for v in place.split(","))
        if not watch.pin(x, y, tile):
            raise ValueError(f"no tile is known at {place}")
    elif word == "undo":
        last = int(rest) if rest else max(told.event.n for told in watch.ledger.told)
        out.show(watch.correct(last, ()))
    elif word == "replace":
        number, _, event = rest.partition(" ")
        out.show(watch.correct(int(number), (_event(event),)))
    elif word == "add":
        out.show(watch.enter(_event(rest)))
    elif word == "recount":
        watch.recount()
    elif text:
        print(HELP, file=sys.stderr)
    return True


def _event(text: str) -> ev.Event:
    value = parse_json(text)
    if not isinstance(value, dict):
        raise ValueError(f"not an event: {text}")
    return ev.read_event(value)
