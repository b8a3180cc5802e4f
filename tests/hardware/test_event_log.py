"""What the simulated table puts in wrong comes out as the right fault of the event log, over the line itself.

A hand of Hangzhou as a person wrote it down (dice 3 and 5: by the sheet the wall of seat 3 is broken after 8 stacks, the
indicator is the 8th stack of seat 0's wall from its tail end, the left one) is told by a simulated table at one end of a
pseudo-terminal to a link at the other. Once what the table observed takes the place of what it can know, dice, break,
indicator and ends of draws, and the referee replays the log; once the live referee hears it beside a drawn table
(tests/test_live.py) and writes the log itself.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hardware import simulator
from hardware.endpoint import PtyEndpoint
from hardware.link import Event, Link
from hardware.observe import (
    ButtonPressed,
    DiceThrown,
    Doubt,
    Observation,
    Seen,
    TilesHandedIn,
    TileTurned,
    WallOpened,
    entry,
    observe,
)
from referee import cli_watch
from referee.live import Settings, Watch
from referee.rules import tiles as t
from referee.table import events as ev
from referee.table.ledger import Ledger
from tests.hardware.test_link import FAST
from tests.test_live import CALIBRATION, Desk
from vision.camera import Shot

HAND: list[dict[str, Any]] = [
    {"type": "start", "rules": "hangzhou", "dealer": 0, "repeat": 0, "round_wind": "E"},
    {"type": "dice", "seat": 0, "values": [3, 5], "for": "wall"},
    {"type": "deal", "hands": [None, None, None, None], "wall": 3, "stacks": 8},
    {"type": "indicator", "tile": "7m", "wall": 0, "stack": 8},
    {"type": "discard", "seat": 0, "tile": "5p"},
    {"type": "draw", "seat": 1, "tile": None, "end": "head"},
    {"type": "discard", "seat": 1, "tile": "9m"},
    {"type": "draw", "seat": 2, "tile": None, "end": "head"},
    {"type": "discard", "seat": 2, "tile": "2s"},
    {"type": "end", "why": "stopped"},
]


LAST = "HANDIN"  # the last thing the table tells


def line(tmp_path: Path, **faults: int) -> Iterator[list[Event]]:
    """What comes over a pseudo-terminal while a simulated table tells the hand with irregularities."""
    endpoint = PtyEndpoint(tmp_path / "table")
    endpoint.open()
    table, stop = simulator.Simulator(endpoint, speed=200.0), threading.Event()
    steps = simulator.spoil(simulator.from_log(HAND, turned_from="left"), faults)
    thread = threading.Thread(target=table.run, args=(steps, stop, True), daemon=True)
    thread.start()
    end = time.monotonic() + 60.0
    try:
        with Link(endpoint.url, timing=FAST) as link:
            told = False
            while not told:
                assert time.monotonic() < end
                events = link.events(0.2)
                told = any(getattr(getattr(event, "message", None), "TYPE", "") == LAST for event in events)
                yield events
    finally:
        stop.set()
        thread.join()
        endpoint.close()


def observed(tmp_path: Path, **faults: int) -> list[Observation]:
    seen, out = Seen(tiles=136), []
    for events in line(tmp_path, **faults):
        for event in events:
            seen, found = observe(seen, event)
            out += found
    return out


def told_by(observations: list[Observation]) -> list[dict[str, Any]]:
    """The log with the table's word for what it knows; Hangzhou counts the indicator's stack from the left end."""
    entries: dict[str, list[dict[str, Any]]] = {}
    for observation in observations:
        fields = entry(observation)
        if fields is not None:
            if isinstance(observation, TileTurned):
                fields["stack"] = observation.from_left
            entries.setdefault(fields["type"], []).append(fields)
    known = ("values", "wall", "stacks", "stack", "end", "handed_in")
    log = []
    for event in HAND:
        table = entries[event["type"]].pop(0) if event["type"] in ("dice", "deal", "indicator", "draw") else {}
        log.append(event | {key: value for key, value in table.items() if key in known})
    (came,) = [o.count for o in observations if isinstance(o, TilesHandedIn)]
    return [*log[:-1], log[-1] | ({"handed_in": came} if came != 136 else {})]


def found(log: list[dict[str, Any]], certain: bool = True) -> list[tuple[int, int, str]]:
    ledger = Ledger()
    told = ledger.feed("".join(json.dumps(event) + "\n" for event in log).encode(), end=True)
    assert not ledger.reader.problems
    return [(fault.n, fault.seat, fault.kind) for item in told for fault in item.faults if fault.certain == certain]


def test_a_hand_told_right_is_the_hand_that_was_written(tmp_path: Path) -> None:
    observations = observed(tmp_path)
    assert told_by(observations) == HAND and found(HAND) == found(HAND, certain=False) == []
    assert not any(isinstance(item, Doubt) for item in observations)


WRONG = [
    ("dice", (3, 0, "wrong_turned")),
    ("stack", (3, 0, "wrong_turned")),
    ("turn", (4, 0, "wrong_turned")),
    ("end", (8, 2, "wrong_end")),
]


@pytest.mark.parametrize(("fault", "expected"), WRONG)
def test_what_went_wrong_at_the_table_is_the_fault_of_the_log(
    fault: str, expected: tuple[int, int, str], tmp_path: Path
) -> None:
    assert expected in found(told_by(observed(tmp_path, **{fault: 0})))


@pytest.mark.parametrize(("fault", "came", "kind"), [("handin", 135, "short_hand"), ("extra", 137, "extra_tile")])
def test_a_set_that_comes_back_incomplete_is_a_hint(fault: str, came: int, kind: str, tmp_path: Path) -> None:
    """docs/table-line.md, section 11: nobody's for certain, so no certain fault."""
    observations = observed(tmp_path, **{fault: 0})
    assert [(d.kind, d.expected, d.found) for d in observations if isinstance(d, Doubt)] == [("set_size", 136, came)]
    log = told_by(observations)
    assert found(log) == [] and found(log, certain=False) == [(10, 0, kind)]


def test_a_missing_tile_is_put_to_the_one_player_whose_hand_nobody_saw() -> None:
    log = [event | ({"handed_in": 135} if event["type"] == "end" else {}) for event in HAND]
    shown = [{"type": "reveal", "seat": 0, "hand": "123456789m1234p"}, {"type": "reveal", "seat": 1, "hand": "123456789p1234s"},
             {"type": "reveal", "seat": 3, "hand": "123456789s5678p"}]  # fmt: skip
    assert found([*log[:-1], *shown, log[-1]], certain=False) == [(13, 2, "short_hand")]


# --- the live referee ------------------------------------------------------------------------------------------------


class Live:
    """``referee watch`` at this hand: the line over the pseudo-terminal, a drawn table for the deal, a person for faces."""

    def __init__(self, tmp_path: Path, **faults: int) -> None:
        self.desk, self.t, self.number = Desk(), 0.0, 0
        self.watch = Watch(Settings("hangzhou", dealer=0), CALIBRATION, self.desk, tmp_path / "game.jsonl")  # type: ignore[arg-type]
        endpoint = PtyEndpoint(tmp_path / "table")
        endpoint.open()
        table, stop = simulator.Simulator(endpoint, speed=1e9), threading.Event()
        steps = simulator.spoil(simulator.from_log(HAND, turned_from="left"), faults)
        self.step, self.went_on = threading.Event(), threading.Event()
        thread = threading.Thread(target=table.run, args=(self._paced(steps), stop, True), daemon=True)
        thread.start()
        self.said = cli_watch._Live(Link(endpoint.url, timing=FAST), Seen(tiles=136))
        try:
            self._play(len(steps))
        finally:
            stop.set()
            self.said.close()
            thread.join()
            endpoint.close()
            self.watch.close()

    def _paced(self, steps: list[simulator.Step]) -> Iterator[simulator.Step]:
        """A step at a time, when the players have done what belongs between them."""
        for step in steps:
            while not self.step.wait(0.01):
                yield simulator.Step(0.0, "nothing")
            self.step.clear()
            yield step

    def _play(self, steps: int) -> None:
        drawn = 0
        for _ in range(steps):
            heard = self._next()
            kinds = [type(item).__name__ for item in heard]
            if "TilesDrawn" in kinds:
                drawn += 1
            if "TilesDrawn" in kinds and drawn == 1:  # the deal, which the camera sees
                self.desk.hands()
                self._look(2.0)
                self.watch.enter(ev.Indicator(tile=t.parse_one("7m")))
            elif "TileTurned" in kinds:
                self.watch.enter(ev.Discard(seat=0, tile=t.parse_one("5p")))
            elif "TilesDrawn" in kinds:
                self.watch.enter(ev.Discard(seat=drawn - 1, tile=t.parse_one("9m" if drawn == 2 else "2s")))
            if "StateChanged" in kinds and heard[kinds.index("StateChanged")].state == "handin":  # type: ignore[union-attr]
                self.watch.enter(ev.End(why="stopped"))

    def _next(self) -> list[Observation]:
        """What the table says with its next step, taken by the referee."""
        self.step.set()
        end = time.monotonic() + 60.0
        heard: list[Observation] = []
        while not any(type(item).__name__ not in ("LineChanged", "TableStands") for item in heard):
            assert time.monotonic() < end, "the table said nothing"
            time.sleep(0.005)
            heard += self.said(self.t)
        for item in heard:
            self.watch.table(item)
        return heard

    def _look(self, seconds: float) -> None:
        picture = self.desk.picture()
        for _ in range(round(seconds / 0.2)):
            self.watch.shot(Shot(self.number, self.t, picture))
            self.t, self.number = self.t + 0.2, self.number + 1

    def faults(self, certain: bool = True) -> list[tuple[str, int, str]]:
        """The faults with the type of the event they are about."""
        types = {told.event.n: told.event.type for told in self.watch.ledger.told}
        return [(types[f.n], f.seat, f.kind) for _, f in self.watch.ledger.game.faults if f.certain == certain]


@pytest.mark.parametrize(
    ("faults", "expected", "hints"),
    [
        ({}, [], []),
        ({"dice": 0}, [("deal", 0, "wrong_turned"), ("indicator", 0, "wrong_turned")], []),
        ({"stack": 0}, [("deal", 0, "wrong_turned")], []),
        ({"turn": 0}, [("indicator", 0, "wrong_turned")], []),
        ({"end": 0}, [("draw", 2, "wrong_end")], []),
        ({"handin": 0}, [], [("end", 0, "short_hand")]),
        ({"extra": 0}, [], [("end", 0, "extra_tile")]),
    ],
)
def test_the_live_referee_names_what_went_wrong_at_the_table(
    faults: dict[str, int], expected: list[Any], hints: list[Any], tmp_path: Path
) -> None:
    live = Live(tmp_path, **faults)
    assert live.faults() == expected and live.faults(certain=False) == hints


def throws(tmp_path: Path, rules_id: str, *said: Observation) -> list[tuple[int, str]]:
    """Who threw what for, as the live referee wrote it down."""
    watch = Watch(Settings(rules_id, dealer=0), CALIBRATION, Desk(), tmp_path / "game.jsonl")  # type: ignore[arg-type]
    for item in said:
        watch.table(item)
    watch.close()
    events = [told.event for told in watch.ledger.told]
    assert not watch.ledger.game.faults
    return [(event.seat, event.purpose or "") for event in events if isinstance(event, ev.Dice)]


def test_dice_nobody_is_named_for_are_thrown_by_whoever_has_to(tmp_path: Path) -> None:
    """Shaanxi: the player hit throws again; Nanchang: the banker once more for the indicator, after the wall is opened."""
    first, second = DiceThrown(1.0, (3, 4), None), DiceThrown(2.0, (2, 2), None)
    assert throws(tmp_path, "shaanxi", first, second) == [(0, "wall"), (2, "wall")]
    own = [first, second, WallOpened(3.0, 2, 4), DiceThrown(4.0, (1, 5), None)]
    (tmp_path / "game.jsonl").unlink()
    assert throws(tmp_path, "nanchang", *own) == [(0, "wall"), (2, "wall"), (0, "indicator")]
    (tmp_path / "game.jsonl").unlink()
    assert throws(tmp_path, "shaanxi", *own) == [(0, "wall"), (2, "wall")]  # nothing is turned up there


def watching(tmp_path: Path, rules_id: str, *played: ev.Event, **options: Any) -> Watch:
    """The live referee after some events a person put in."""
    watch = Watch(Settings(rules_id, options, dealer=0), CALIBRATION, Desk(), tmp_path / "game.jsonl")  # type: ignore[arg-type]
    for event in (ev.Deal(), *played):
        watch.enter(event)
    return watch


def latest(watch: Watch) -> dict[str, Any]:
    row = ev.write_event(watch.ledger.told[-1].event)
    return {key: value for key, value in row.items() if key not in ("n", "t", "by")}


def test_buttons_that_say_everything_are_declarations(tmp_path: Path) -> None:
    """Taiwan's option declared_ready; a win's tiles are not known to a button, so it is only told."""
    watch = watching(tmp_path, "taiwan", ev.Discard(seat=0, tile=1), ev.Draw(seat=1), declared_ready=True)
    (told,) = watch.table(ButtonPressed(1.0, "win", 2))
    assert (told.kind, told.text) == ("button", "seat 2 pressed win")  # type: ignore[union-attr]
    watch.table(ButtonPressed(2.0, "ready", 1))
    assert latest(watch) == {"type": "ready", "seat": 1, "kind": "first"}
    watch.table(ButtonPressed(3.0, "ready", 1))
    watch.table(ButtonPressed(3.0, "pass", 1))  # there is no last tile yet
    watch.close()
    assert sum(isinstance(told.event, (ev.Ready, ev.Pass)) for told in watch.ledger.told) == 1


def test_the_last_tile_is_refused_by_a_button(tmp_path: Path) -> None:
    """Changsha, Last tile: 108 tiles, 53 dealt."""
    played: list[ev.Event] = [ev.Discard(seat=0, tile=1)]
    for number in range(54):
        seat = (number + 1) % 4
        played += [ev.Draw(seat=seat), ev.Discard(seat=seat, tile=None)]
    watch = watching(tmp_path, "changsha", *played)
    watch.table(ButtonPressed(1.0, "pass", 3))
    watch.close()
    assert latest(watch) == {"type": "pass", "seat": 3, "tile": None} and watch.follower.state.turn == 0


def test_tiles_handed_in_are_put_down_when_the_hand_has_ended(tmp_path: Path) -> None:
    """The camera may still be looking at the hands shown when the table has counted; nothing is written where all came."""
    won = ev.Win(seat=1, tile=4, source="discard", source_seat=0, hand=t.parse("1112345678999m"))
    for came, hints in ((143, ["short_hand"]), (144, [])):
        watch = watching(tmp_path, "hongkong", ev.Discard(seat=0, tile=4), won)
        assert watch.table(TilesHandedIn(1.0, came, 144)) == []
        watch.finish()
        watch.close()
        (hand,) = watch.ledger.game.hands
        assert hand.deltas[1] > 0 and [fault.kind for fault in hand.faults] == hints
        assert latest(watch) == {"type": "end", "why": "win"} | ({"handed_in": came} if hints else {})
        (tmp_path / "game.jsonl").unlink()


def test_tiles_handed_in_late_belong_to_the_hand_before(tmp_path: Path) -> None:
    watch = watching(tmp_path, "hongkong", ev.Discard(seat=0, tile=4), ev.End(why="stopped"), ev.Start())
    watch.table(TilesHandedIn(1.0, 143, 144))
    watch.close()
    assert [[fault.kind for fault in hand.faults] for hand in watch.ledger.game.hands] == [["short_hand"], []]
