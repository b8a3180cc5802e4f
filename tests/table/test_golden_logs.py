"""The golden event logs: whole hands, fouls, near fouls and corrections with what must come out of them.

Truth: tests/table/logs/NAME.expect.json, written by hand from the rule sheets beside each log.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from referee.rules import tiles as t
from referee.table.ledger import Ledger
from referee.table.log import write_line
from referee.table.report import report

LOGS = sorted((Path(__file__).parent / "logs").glob("*.jsonl"))


def played(path: Path) -> Ledger:
    ledger = Ledger()
    ledger.feed(path.read_bytes(), end=True)
    return ledger


@pytest.mark.parametrize("path", LOGS, ids=lambda p: p.stem)
def test_log_comes_out_as_expected(path: Path) -> None:
    expected = json.loads(path.with_suffix("").with_suffix(".expect.json").read_text())
    ledger = played(path)
    game = ledger.game
    assert not ledger.problems
    certain = Counter((f.n, f.seat, f.kind) for _, f in game.faults if f.certain)
    assert certain == Counter((f["n"], f["seat"], f["kind"]) for f in expected["faults"])
    if expected["deltas"] is not None:
        assert list(game.hands[0].deltas) == expected["deltas"]
    if expected["scores"] is not None:
        assert game.scores == expected["scores"]
    if expected["next"] is not None:
        following = game.following
        assert following is not None
        wind = t.NAMES[following.round_wind]
        assert {"dealer": following.dealer, "repeat": following.repeat, "round_wind": wind} == expected["next"]


@pytest.mark.parametrize("path", LOGS, ids=lambda p: p.stem)
def test_faults_never_depend_on_what_comes_later(path: Path) -> None:
    """Decision 1: a log cut after event m has exactly the faults with n <= m (corrections apart)."""
    if path.stem.startswith("correct_"):
        pytest.skip("a correction changes what was before it")
    whole = [(f.n, f.seat, f.kind, f.certain) for _, f in played(path).game.faults]
    lines = path.read_bytes().splitlines(keepends=True)
    for cut in range(1, len(lines), max(1, len(lines) // 12)):
        ledger = Ledger()
        ledger.feed(b"".join(lines[:cut]), end=True)
        assert [(f.n, f.seat, f.kind, f.certain) for _, f in ledger.game.faults] == [f for f in whole if f[0] <= cut]


@pytest.mark.parametrize("path", LOGS, ids=lambda p: p.stem)
def test_events_written_again_tell_the_same(path: Path) -> None:
    """Reading and writing an event are inverse, so a log written again gives the same report."""
    ledger = played(path)
    again = Ledger()
    again.feed(b"".join(write_line(entry.event) for entry in ledger.reader.entries), end=True)
    assert report(again.game) == report(ledger.game)
