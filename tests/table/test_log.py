"""The log: torn lines, refused lines, numbers, corrections, the appender, and logs mangled in every way.

Truth: docs/formats/event-log.md, its introduction and decision 32.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.table import events as ev
from referee.table.ledger import Ledger
from referee.table.log import Appender, corrected, read_log, write_line
from referee.table.player import play_game
from referee.table.report import report, score_sheet, told_lines
from tests.table.telling import found, game, log

LOGS = sorted((Path(__file__).parent / "logs").glob("*.jsonl"))
START = b'{"type": "start", "rules": "hongkong"}\n'


def ledger_of(data: bytes) -> Ledger:
    ledger = Ledger()
    ledger.feed(data, end=True)
    return ledger


# --- lines ---------------------------------------------------------------------------------------------------------


def test_numbers_are_filled_in() -> None:
    reader = read_log(START + b'{"n": 5, "type": "deal"}\n\n{"type": "discard", "seat": 0, "tile": "5m"}')
    assert [entry.event.n for entry in reader.entries] == [1, 5, 6]
    assert reader.problems == []


def test_a_torn_last_line_is_dropped_the_rest_kept() -> None:
    reader = read_log(START + b'{"type": "deal"}\n{"type": "discard", "se')
    assert len(reader.entries) == 2
    assert [(p.line, p.torn) for p in reader.problems] == [(3, True)]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"type": "dance"}', "there is no event 'dance'"),
        ('{"type": "discard", "seat": 4, "tile": "5m"}', "there is no seat 4"),
        ('{"type": "discard", "seat": 0, "tile": "0m"}', "tile"),
        ('{"type": "discard", "seat": 0, "tile": "55m"}', "one tile"),
        ('{"type": "draw", "seat": true}', "whole number"),
        ('{"type": "draw", "seat": 0, "end": "middle"}', "one of head, tail"),
        ('{"type": "discard", "tile": "5m"}', "seat: missing"),
        ('{"type": "chow", "seat": 0}', "tiles: missing"),
        ('{"type": "correct", "event": 77, "with": null}', "there is no event 77"),
        ('{"type": "correct", "event": 1, "with": {"type": "jump"}}', "with: type"),
        ('{"n": 1, "type": "deal"}', "there is an event 1 already"),
        ('{"n": 0, "type": "deal"}', "a number from 1"),
        ("[1, 2]", "a JSON object"),
        ('{"type": "dice", "seat": 0, "values": [NaN]}', "not JSON"),
        ("not json", "not JSON"),
        ('{"type": "dice", "seat": 0, "values": []}', "one to four dice"),
        ('{"type": "dice", "seat": 0, "values": [7, 1]}', "one to four dice"),
        ('{"type": "count", "seat": 0, "tiles": 100000}', "up to 999"),
        ('{"type": "correct", "event": 1, "with": ' * 240 + "null" + "}" * 240, "puts in no correction"),
        ('{"type": "deal", "hands": ["123m45"]}', "no suit"),
        ('{"type": "draw", "seat": 0, "n": "x"}', "a number from 1"),
    ],
)
def test_a_line_that_cannot_be_understood_is_refused_with_its_number(line: str, words: str) -> None:
    reader = read_log(START + line.encode() + b'\n{"type": "deal"}\n')
    assert [entry.event.type for entry in reader.entries] == ["start", "deal"]
    [problem] = reader.problems
    assert problem.line == 2 and words in str(problem) and "line 2" in str(problem)


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ('{"type": "discard", "seat": 0, "tile": "5m"}', "start event comes first"),
        ('{"type": "start", "rules": "atlantis"}', "no rule set"),
        ('{"type": "start"}', "rules: missing"),
        ('{"type": "start", "rules": "hongkong", "options": {"x": 1}}', "no such option"),
        ('{"type": "start", "rules": "kawuxing", "dealer": 3}', "dealer: there is no seat 3"),
        ('{"type": "start", "rules": "kawuxing"}\n{"type": "draw", "seat": 3}', "seat: there is no seat 3"),
        ('{"type": "start", "rules": "hongkong", "book": "XYZ"}', "no rule book"),
    ],
)
def test_an_event_that_cannot_be_played_is_refused_and_named(lines: str, words: str) -> None:
    ledger = ledger_of(lines.encode() + b"\n")
    [problem] = ledger.problems
    assert words in str(problem) and f"line {lines.count(chr(10)) + 1}" in str(problem)


def test_unknown_fields_are_kept() -> None:
    event = ev.read_event({"type": "draw", "seat": 0, "tile": None, "camera": 2, "t": 1.5, "evidence": ["a.jpg"]})
    assert ev.write_event(event) == {"type": "draw", "seat": 0, "tile": None, "t": 1.5, "evidence": ["a.jpg"], "camera": 2}


# --- corrections (decision 32) -----------------------------------------------------------------------------------------


def test_the_last_correction_holds_and_bears_the_number_it_replaces() -> None:
    events = log("hongkong", "deal ? / ? / ? / ?; 0 -1m")
    first = ev.Correct(n=4, event=3, events=(ev.Discard(seat=0, tile=1),))
    second = ev.Correct(n=5, event=3, events=(ev.Discard(seat=0, tile=2), ev.Draw(seat=1)))
    assert [(e.n, e.type) for e in corrected([*events, first, second])] == [
        (1, "start"), (2, "deal"), (3, "discard"), (3, "draw")
    ]  # fmt: skip


def test_a_correction_can_be_struck_out() -> None:
    events = log("hongkong", "deal ? / ? / ? / ?; 0 -1m")
    wrong = ev.Correct(n=4, event=3, events=())
    undone = ev.Correct(n=5, event=4, events=())
    assert corrected([*events, wrong, undone]) == tuple(events)


@pytest.mark.parametrize("seed", range(6))
def test_a_correction_leaves_what_a_log_without_the_mistake_leaves(seed: int) -> None:
    """A mistake anywhere in a long log, corrected later: the whole report is that of the log without it."""
    rng = random.Random(seed)
    rules = rng.choice(["hongkong", "xiamen", "wuhan", "kawuxing", "taizhou", "yiwu"])
    events = play_game(rules, seed, hands=3).events
    right = report(game(list(events)))
    at = rng.choice([i for i, e in enumerate(events) if isinstance(e, (ev.Discard, ev.Draw, ev.Claim, ev.Start, ev.Win))])
    mistaken = list(events)
    wrong = mistakes(events[at], rng)
    later = rng.randrange(at + 1, len(events) + 1)
    correction = ev.Correct(event=events[at].n, events=(events[at],))
    mistaken[at] = ev.numbered(wrong, events[at].n)
    mistaken.insert(later, correction)
    mistaken = renumbered(mistaken, at, later)
    told = game(mistaken)
    assert strip(report(told)) == strip(right)


def mistakes(event: ev.Event, rng: random.Random) -> ev.Event:
    """Something else than what happened."""
    if isinstance(event, ev.Start):
        return ev.Start(rules=event.rules, repeat=3)
    return ev.Discard(seat=rng.randrange(3), tile=rng.randrange(27))


def renumbered(events: list[ev.Event], wrong: int, correction: int) -> list[ev.Event]:
    """Numbers from 1 in order, the correction pointing at the mistake."""
    out = [ev.numbered(event, n) for n, event in enumerate(events, 1)]
    entry = out[correction]
    assert isinstance(entry, ev.Correct)
    out[correction] = ev.Correct(n=correction + 1, event=wrong + 1, events=entry.events)
    return out


def strip(value: Any) -> Any:
    """The report without event numbers, which a correction entry shifts."""
    if isinstance(value, dict):
        return {key: strip(item) for key, item in value.items() if key not in ("n", "about")}
    return [strip(item) for item in value] if isinstance(value, list) else value


def test_faults_of_a_corrected_event_bear_its_number() -> None:
    events = log("ningbo", "deal ? / ? / ? / ?; ind 4m; 0 -5s; 2 pung 555s 5s 0; 2 -9s; 3 +; 3 -E")
    fixed = ev.Correct(n=9, event=6, events=(ev.Discard(seat=2, tile=22),))
    assert found(game([*events, fixed])) == [(6, 2, "swap_discard")]


def test_a_correction_tells_the_ledger_s_story_anew() -> None:
    ledger = Ledger()
    ledger.feed(START + b'{"type": "deal"}\n{"type": "discard", "seat": 0, "tile": "5m"}\n{"type": "draw", "seat": 2}\n')
    assert found(ledger.game) == [(4, 2, "out_of_turn")]
    told = ledger.feed(b'{"type": "correct", "event": 4, "with": {"type": "draw", "seat": 1}}\n')
    assert found(ledger.game) == [] and len(told) == 4 and ledger.rebuilt == 1


# --- appending ---------------------------------------------------------------------------------------------------------


def test_what_is_appended_is_numbered_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with Appender(path) as appender:
        appender.append(ev.Start(rules="hongkong"))
        appender.append(ev.Deal(hands=(None,) * 4))
    with Appender(path) as appender:
        assert appender.append(ev.Discard(seat=0, tile=4)).n == 3
    assert [entry.event.n for entry in read_log(path.read_bytes()).entries] == [1, 2, 3]


@pytest.mark.parametrize("cut", [1, 5, 37, 38, 39, 60])
def test_a_log_killed_at_any_byte_goes_on(tmp_path: Path, cut: int) -> None:
    """A crash leaves a prefix of the file; reopened, whole lines stand and the torn one is gone."""
    path = tmp_path / "game.jsonl"
    whole = write_line(ev.Start(n=1, rules="hongkong")) + write_line(ev.Deal(n=2, hands=(None,) * 4))
    path.write_bytes(whole[: len(whole) - cut])
    with Appender(path) as appender:
        kept = [entry.event.type for entry in appender.reader.entries]
        appender.append(ev.Discard(seat=0, tile=4))
    reader = read_log(path.read_bytes())
    assert [entry.event.type for entry in reader.entries] == [*kept, "discard"] and reader.problems == []
    assert kept in (["start", "deal"], ["start"], [])


# --- mangled logs --------------------------------------------------------------------------------------------------------


def survives(data: bytes) -> Ledger:
    """Read, play and report a log whatever it is; no exception may come out."""
    ledger = ledger_of(data)
    json.dumps(report(ledger.game))
    list(told_lines(ledger.game, ledger.told))
    score_sheet(ledger.game)
    return ledger


def valid_before(data: bytes, at: int) -> int:
    """Whole lines before byte ``at``."""
    return data[:at].count(b"\n")


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(LOGS), st.data())
def test_mutated_bytes_never_lose_an_earlier_line(path: Path, data: st.DataObject) -> None:
    raw = bytearray(path.read_bytes()[:6000])
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(raw) - 1))
        raw[at] = data.draw(st.integers(0, 255))
    original = path.read_bytes()[:6000]
    first = next((i for i, (a, b) in enumerate(zip(raw, original, strict=True)) if a != b), len(raw))
    ledger = survives(bytes(raw))
    untouched = read_log(original[: original[:first].rfind(b"\n") + 1]).entries
    assert ledger.reader.entries[: len(untouched)] == untouched


VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 200), st.sampled_from(["5m", "head", "win", "", "E", "123m", "hongkong"]),
    st.lists(st.integers(0, 7), max_size=4), st.floats(allow_nan=False), st.dictionaries(st.text(max_size=3), st.integers()),
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(LOGS), st.data())
def test_mutated_fields_and_order_never_break_the_replay(path: Path, data: st.DataObject) -> None:
    lines = [json.loads(line) for line in path.read_text().splitlines()[:60]]
    for _ in range(data.draw(st.integers(1, 6))):
        line = lines[data.draw(st.integers(0, len(lines) - 1))]
        what = data.draw(st.sampled_from(["change", "drop", "swap", "copy", "retype"]))
        keys = sorted(line)
        if what == "change" and keys:
            line[data.draw(st.sampled_from(keys))] = data.draw(VALUES)
        elif what == "drop" and keys:
            line.pop(data.draw(st.sampled_from(keys)))
        elif what == "retype":
            line["type"] = data.draw(st.sampled_from(sorted(ev.FORMS)))
        elif what == "swap":
            i, j = data.draw(st.integers(0, len(lines) - 1)), data.draw(st.integers(0, len(lines) - 1))
            lines[i], lines[j] = lines[j], lines[i]
        else:
            lines.insert(data.draw(st.integers(0, len(lines))), {k: v for k, v in line.items() if k != "n"})
    survives("\n".join(json.dumps(line) for line in lines).encode())


SETS_OF_TILES = st.sampled_from(["111m", "123m", "EEE", "5555m", "9p"])
SOURCES = st.sampled_from(["wall", "discard", "kong", "robbed_kong", "flower", "deal"])
WHYS = st.sampled_from(["win", "exhausted", "false_win", "stopped"])


@st.composite
def any_event(draw: st.DrawFn) -> dict[str, Any]:
    """A well-formed event of any type with any tiles and seats."""
    kind = draw(st.sampled_from([k for k in sorted(ev.FORMS) if k not in ("start", "correct")]))
    tile = st.sampled_from(["1m", "5m", "9p", "E", "P", "C", "1f", "1q", "3s"])
    seat = st.integers(0, 2)
    values = {
        "seat": draw(seat), "tile": draw(st.one_of(st.none(), tile)), "tiles": draw(SETS_OF_TILES), "claimed": draw(tile),
        "from": draw(seat), "hand": draw(st.sampled_from(["123m456p789sEEEP", "123m", ""])), "source": draw(SOURCES),
        "end": draw(st.sampled_from(["head", "tail"])), "values": [draw(st.integers(1, 6)), 3],
        "for": draw(st.sampled_from(["wall", "indicator", "kong"])), "kind": draw(st.sampled_from(["open", "ready"])),
        "why": draw(WHYS), "points": 5,
    }  # fmt: skip
    if kind == "count":
        values["tiles"] = draw(st.integers(0, 20))
    if kind == "penalty":
        values["kind"] = "slow"
    if kind == "win":
        values.pop("claimed")
    keys = {item.key for item in ev.FORMS[kind][1]}
    return {"type": kind, **{key: value for key, value in values.items() if key in keys}}


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(["hongkong", "wuhan", "xiamen", "kawuxing", "changsha", "ningbo", "yiwu", "nanchang", "fuzhou"]),
    st.lists(any_event(), max_size=30),
)
def test_any_events_in_any_order_are_applied(rules: str, events: list[dict[str, Any]]) -> None:
    """``apply`` is total: events that make no sense at all still leave a table and a report."""
    lines = [{"type": "start", "rules": rules}, *events, {"type": "start"}, *events[:5]]
    ledger = survives("\n".join(json.dumps(line) for line in lines).encode())
    assert len(ledger.game.hands) == 2
