"""What the simulated table puts in wrong comes out as the right fault of the event log.

A hand of Hangzhou as a person wrote it down (dice 3 and 5: by the sheet the wall of seat 3 is broken after 8 stacks, the
indicator is the 8th stack of seat 0's wall from its tail end, the left one) is told by a simulated table; what the
table observed takes the place of what it can know, dice, break, indicator and ends of draws, and the referee replays the
log.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from hardware import simulator
from hardware.host import TableEvent
from hardware.observe import Doubt, Observation, Seen, TileTurned, entry, observe
from referee.table.ledger import Ledger

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


def observed(**faults: int) -> list[Observation]:
    seen, out = Seen(tiles=136), []
    steps = simulator.spoil(simulator.from_log(HAND, turned_from="left"), faults)
    for number, step in enumerate(steps, 1):
        assert not isinstance(step.what, str)
        seen, found = observe(seen, TableEvent(step.what, "00000001", number, 0, float(number)))
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
    known = ("values", "wall", "stacks", "stack", "end")
    log = []
    for event in HAND:
        table = entries[event["type"]].pop(0) if event["type"] in ("dice", "deal", "indicator", "draw") else {}
        log.append(event | {key: value for key, value in table.items() if key in known})
    return log


def faults(log: list[dict[str, Any]]) -> list[tuple[int, str]]:
    ledger = Ledger()
    told = ledger.feed("".join(json.dumps(event) + "\n" for event in log).encode(), end=True)
    assert not ledger.reader.problems
    return [(fault.n, fault.kind) for item in told for fault in item.faults if fault.certain]


def test_a_hand_told_right_is_the_hand_that_was_written() -> None:
    assert told_by(observed()) == HAND and faults(HAND) == []


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        ("dice", (3, "wrong_turned")),
        ("stack", (3, "wrong_turned")),
        ("turn", (4, "wrong_turned")),
        ("end", (8, "wrong_end")),
    ],
)
def test_what_went_wrong_at_the_table_is_the_fault_of_the_log(fault: str, expected: tuple[int, str]) -> None:
    assert expected in faults(told_by(observed(**{fault: 0})))


@pytest.mark.parametrize(("fault", "found"), [("handin", 135), ("extra", 137)])
def test_a_set_that_comes_back_incomplete_is_told(fault: str, found: int) -> None:
    """The event log has no fault for a tile that is missing from the set: nobody's, and only found after the hand."""
    observations = observed(**{fault: 0})
    assert [(d.kind, d.expected, d.found) for d in observations if isinstance(d, Doubt)] == [("set_size", 136, found)]
    assert faults(told_by(observations)) == []
