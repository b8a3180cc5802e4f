"""The report object and the story told for people; ``referee replay`` from the outside.

Truth: docs/formats/event-log.md "The report", docs/formats/cli.md.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from referee.rules.settle import settle_record
from referee.table.game import Game
from referee.table.ledger import Ledger
from referee.table.log import write_line
from referee.table.player import play_game
from referee.table.report import report, score_sheet, told_lines
from tests.table.telling import HIDDEN, game, log, play

LOGS = Path(__file__).parent / "logs"
COMMAND = [sys.executable, "-c", "import sys; from referee.cli import main; sys.exit(main())", "replay"]
PLAIN = LOGS / "clean_hongkong_pung_chow_flower.jsonl"


def run(*args: str, stdin: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*COMMAND, *args], input=stdin, capture_output=True, timeout=120, check=False)


def test_the_report_has_what_the_contract_names() -> None:
    told = report(game(log("hongkong", HIDDEN, "0 -1m; 2 +; 2 -9p; end exhausted")))
    [hand] = told["hands"]
    assert set(told) >= {"hands", "faults", "scores", "next", "state"}
    assert set(hand) >= {"record", "settlement", "faults", "complete"} and hand["complete"] is True
    [fault] = told["faults"]
    assert (fault["n"], fault["hand"], fault["seat"], fault["kind"], fault["certain"]) == (4, 0, 2, "out_of_turn", True)
    assert fault["rule"] == "hongkong: irregularities" and fault["effect"] == "ask"
    assert told["next"] == {"dealer": 0, "repeat": 1, "round_wind": "E"}


@pytest.mark.parametrize("path", sorted(LOGS.glob("clean_*.jsonl")), ids=lambda p: p.stem)
def test_the_record_in_the_report_settles_as_the_report_says(path: Path) -> None:
    """The report's record is a public hand record: given to the engine it gives the report's settlement."""
    ledger = Ledger()
    ledger.feed(path.read_bytes(), end=True)
    for number, hand in enumerate(report(ledger.game)["hands"]):
        assert settle_record(hand["record"], number) == hand["settlement"]


def test_a_hand_nobody_can_settle_says_why() -> None:
    """Nanchang needs every hand for its payments (its sheet, decision 10)."""
    told = report(play("nanchang", HIDDEN, "ind 2m; 0 -1m; end exhausted"))
    assert told["hands"][0]["settlement"] is None and "hand" in told["hands"][0]["problem"]


def test_the_story_names_players_and_faults() -> None:
    told = Game()
    events = log("hongkong", HIDDEN, "0 -1m; 3 +", names=("Ann", "Ben", "Cleo", "Dan"))
    lines = list(told_lines(told, [told.play(event) for event in events]))
    assert any("Ann deals" in line for line in lines)
    assert any("!! Dan: out of turn" in line for line in lines)
    assert score_sheet(told)[0].split() == ["hand", "Ann", "Ben", "Cleo", "Dan"]


# --- the command ---------------------------------------------------------------------------------------------------------


def test_json_is_one_value_on_standard_output() -> None:
    done = run(str(PLAIN), "--json")
    assert done.returncode == 0 and done.stderr == b""
    assert json.loads(done.stdout)["scores"] == [-12, 48, -12, -24]


def test_the_story_for_people() -> None:
    done = run(str(PLAIN))
    text = done.stdout.decode()
    assert done.returncode == 0
    assert "seat 1: pung CCC from seat 0" in text and "seat 3 pays 24 to seat 1" in text and "total" in text


def test_a_log_from_standard_input() -> None:
    assert json.loads(run("-", "--json", stdin=PLAIN.read_bytes()).stdout)["scores"][1] == 48


def test_a_missing_file_is_one_line_and_status_two() -> None:
    done = run("nowhere.jsonl")
    assert done.returncode == 2 and done.stdout == b"" and len(done.stderr.splitlines()) == 1
    assert b"nowhere.jsonl" in done.stderr


def test_refused_lines_are_named_the_rest_is_told(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(PLAIN.read_bytes() + b'{"type": "dance"}\n')
    done = run(str(path), "--json")
    assert done.returncode == 2 and b"line 24: refused" in done.stderr
    assert json.loads(done.stdout)["scores"][1] == 48


def test_a_torn_last_line_is_reported_and_no_failure(tmp_path: Path) -> None:
    path = tmp_path / "torn.jsonl"
    path.write_bytes(PLAIN.read_bytes() + b'{"type": "dis')
    done = run(str(path), "--json")
    assert done.returncode == 0 and b"cut short" in done.stderr and json.loads(done.stdout)["scores"][1] == 48


def test_following_a_growing_log(tmp_path: Path) -> None:
    """Lines appended later are told, half a line waits for its rest."""
    path = tmp_path / "game.jsonl"
    lines = PLAIN.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:5]))
    command = [*COMMAND, str(path), "--follow"]
    env = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env) as process:
        try:
            assert process.stdout is not None
            wait_for(process, b"discards C")
            with path.open("ab") as log_file:
                log_file.write(lines[5][:20])
                log_file.flush()
                time.sleep(0.5)
                log_file.write(lines[5][20:] + b"".join(lines[6:]))
            wait_for(process, b"seat 3 pays 24 to seat 1")
        finally:
            process.kill()


def wait_for(process: subprocess.Popen[bytes], words: bytes) -> None:
    """Read lines until one has the words; the test's own time limit ends a process that never says them."""
    assert process.stdout is not None
    for line in process.stdout:
        if words in line:
            return
    raise AssertionError(f"never said {words!r}")


def test_a_whole_evening_is_replayed() -> None:
    """2,000 events and more, told at once: scores of all hands, no refusals."""
    events = play_game("shanghai_liuxing", 5, hands=25).events
    assert len(events) > 1500
    done = run("-", "--json", stdin=b"".join(write_line(event) for event in events))
    assert done.returncode == 0 and len(json.loads(done.stdout)["hands"]) == 25
