"""`referee table` as a user types it (contract of the command line: exit statuses, one clear line, JSON)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hardware import conformance, simulator, trace
from hardware.table import Identity
from referee.cli_table import table_app

PROGRAM = [sys.executable, "-c", "from referee.cli_table import table_app; table_app()"]


def table(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*PROGRAM, *words], capture_output=True, text=True, timeout=60, check=False)


@contextmanager
def simulated(*words: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    process = subprocess.Popen(
        [*PROGRAM, "simulate", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip(), process
    finally:
        process.terminate()
        process.communicate()


def rows(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


def test_watching_a_simulated_table_tells_what_it_plays(tmp_path: Path) -> None:
    with simulated("--pty", "--seed", "3", "--hands", "1", "--speed", "300", "--once") as (port, _):
        assert os.path.exists(port)
        done = table("monitor", port, "--json", "--seconds", "4", "--trace", str(tmp_path / "t"))
    assert done.returncode == 0
    types = [row["type"] for row in rows(done.stdout) if row["kind"] == "event"]
    assert types == [step.what.TYPE for step in simulator.play(3) if not isinstance(step.what, str)]
    assert len(trace.events(trace.read(tmp_path / "t"))) == len(types)


def test_a_trace_is_watched_and_played_again(tmp_path: Path) -> None:
    path = tmp_path / "t"
    trace.write(path, simulator.timed(simulator.play(2)), simulator.hello(Identity()))
    with simulated("--listen", "127.0.0.1:0", "--trace", str(path), "--speed", "500", "--json") as (said, _):
        done = table("monitor", json.loads(said)["port"], "--seconds", "3")
    assert done.returncode == 0 and "HANDIN  count=136" in done.stdout and "connected: open simulator" in done.stdout


def test_a_log_is_played_as_the_table_would_tell_it(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text('{"type": "start", "rules": "nanchang"}\n{"type": "dice", "seat": 1, "values": [2, 6]}\n')
    with simulated("--pty", "--log", str(log), "--speed", "100") as (port, _):
        done = table("monitor", port, "--seconds", "2", "--json")
    dice = [row for row in rows(done.stdout) if row.get("type") == "DICE"]
    assert [(row["v"], row["seat"]) for row in dice] == [([2, 6], 1)]


def test_testing_a_bridge(tmp_path: Path) -> None:
    with simulated("--pty", "--link", str(tmp_path / "table")) as (port, _):
        good = table("test", port, "--json", "--only", "ping", "--only", "form")
        text = table("test", port, "--only", "ping")
    assert port == str(tmp_path / "table")
    assert good.returncode == 0 and json.loads(good.stdout)["passed"] is True
    assert [check["name"] for check in json.loads(good.stdout)["checks"]] == ["hello", "subscribe", "ping", "form"]
    assert text.returncode == 0 and "3 passed, 0 failed, 0 skipped" in text.stdout


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("monitor", "/dev/there-is-none"), "No such file"), (("monitor", "nosuch://x"), "nosuch"),
        (("monitor", "keypad:/there/is/none"), "No such file"), (("test", "socket://127.0.0.1:1"), "refused"),
        (("test", "loop://", "--only", "nonsense"), "nonsense"), (("simulate", "--listen", "7"), "HOST:PORT"),
        (("simulate", "--listen", "127.0.0.1:99999"), "HOST:PORT"), (("simulate", "--fault", "nonsense"), "nonsense"),
        (("simulate", "--fault", "dice@x"), "NAME@HAND"), (("simulate", "--pty", "--listen", "h:1"), "one of them"),
        (("simulate", "--trace", "/there/is/none"), "No such file"), (("simulate", "--log", "/there/is/none"), "No such file"),
        (("simulate", "--tiles", "10"), "10 tiles"), (("monitor", "x", "--trace", "/there/is/none"), "No such file"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_one_clear_line_and_status_2(words: tuple[str, ...], why: str) -> None:
    done = CliRunner().invoke(table_app, words)
    assert done.exit_code == 2 and done.stdout == ""
    assert done.stderr.startswith("referee table: ") and why in done.stderr and done.stderr.count("\n") == 1


def test_files_that_are_no_log_or_trace_are_refused(tmp_path: Path) -> None:
    bad = tmp_path / "bad"
    bad.write_bytes(b"\xff\xfe{}")
    for option in ("--log", "--trace"):
        done = CliRunner().invoke(table_app, ["simulate", option, str(bad)])
        assert done.exit_code == 2 and str(bad) in done.stderr and done.stderr.count("\n") == 1
    bad.write_text('{"type": "dice"}\n')
    done = CliRunner().invoke(table_app, ["simulate", "--log", str(bad)])
    assert done.exit_code == 2 and "event 1 (dice)" in done.stderr


def test_what_is_no_table_fails_with_status_1(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conformance, "_START", 1.0)
    done = CliRunner().invoke(table_app, ["test", "loop://", "--json"])
    report = json.loads(done.stdout)
    assert done.exit_code == 1 and report["passed"] is False and report["checks"][0]["advice"]
