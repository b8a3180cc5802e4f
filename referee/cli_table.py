"""`referee table`: watch an automatic table's line, simulate one, test a bridge."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.live import Live
from rich.panel import Panel
from rich.table import Table as Grid

from hardware import conformance, simulator
from hardware.chaos import Chaos
from hardware.endpoint import Endpoint, PtyEndpoint, TcpEndpoint
from hardware.link import PortError
from hardware.monitor import Board, lines, monitor, tell
from hardware.simulator import Simulator, Step
from hardware.table import Identity
from hardware.trace import TraceError

table_app = typer.Typer(help="An automatic table's serial line: watch it, simulate it, test a bridge.")

_URL = typer.Argument(help="a pyserial URL: /dev/ttyUSB0, COM3, socket://host:port, rfc2217://host:port")


@contextmanager
def _plain_errors() -> Iterator[None]:
    """Bad input ends in one clear line and status 2, an interruption or a reader that has enough in peace."""
    try:
        yield
    except BrokenPipeError:
        sys.stdout = None  # nothing is left to flush to
        raise typer.Exit(0) from None
    except (PortError, TraceError, ValueError) as error:
        typer.echo(f"referee table: {error}", err=True)
        raise typer.Exit(2) from None
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        typer.echo(f"referee table: {where}{error.strerror or error}", err=True)
        raise typer.Exit(2) from None
    except KeyboardInterrupt:
        raise typer.Exit(0) from None


# monitor --------------------------------------------------------------------------------------------------------------


@table_app.command("monitor")
def watch(
    url: Annotated[str, typer.Argument(help="a pyserial URL, a trace file, or keypad:")],
    trace: Annotated[Path | None, typer.Option(help="write every raw line to this file")] = None,
    seconds: Annotated[float | None, typer.Option(min=0, help="stop after so long; else at Ctrl-C")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON Lines: one item of the line each")] = False,
) -> None:
    """Watches a table live: its state, and everything it says."""
    with _plain_errors():
        if as_json:
            for _, row in monitor(url, trace, seconds=seconds):
                print(json.dumps(row), flush=True)
        elif sys.stdout.isatty():
            _watch_live(url, trace, seconds)
        else:
            for _, row in monitor(url, trace, seconds=seconds):
                print(tell(row), flush=True)


def _watch_live(url: str, trace: Path | None, seconds: float | None) -> None:
    console = Console()
    with Live(console=console, auto_refresh=False) as live:
        for board, row in monitor(url, trace, seconds=seconds):
            live.console.print(tell(row), markup=False, highlight=False)
            live.update(_panel(board), refresh=True)


def _panel(board: Board) -> Panel:
    grid = Grid.grid(padding=(0, 2))
    for label, text in (*lines(board), *(("", doubt) for doubt in board.latest)):
        grid.add_row(label, text)
    return Panel(grid, title=board.url)


# test -----------------------------------------------------------------------------------------------------------------


@table_app.command("test")
def test(
    url: Annotated[str, _URL],
    wait: Annotated[float, typer.Option(min=0, help="seconds to listen for dice and buttons worked by hand")] = 0.0,
    only: Annotated[list[str] | None, typer.Option(help="make this check only; may be given several times")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="the report as one JSON value")] = False,
) -> None:
    """Tests a bridge for conformance with the open line; exit status 1 where it fails."""
    with _plain_errors():
        report = conformance.run(url, wait, lambda check: typer.echo(_told(check), err=as_json), only or ())
        if as_json:
            print(json.dumps(report.plain()))
        else:
            results = [check.result for check in report.checks]
            print(f"{results.count('pass')} passed, {results.count('fail')} failed, {results.count('skip')} skipped")
        raise typer.Exit(0 if report.passed else 1)


def _told(check: conformance.Check) -> str:
    where = f"section {check.section} of docs/table-line.md"
    if check.result == "fail":
        seen = "".join(f"\n        {line}" for line in check.exchange)
        return f"FAIL  {check.title} (check {check.name}, {where})\n      {check.found}\n      {check.advice}{seen}"
    if check.result == "skip":
        return f"skip  {check.title}: {check.found}"
    return f"pass  {check.title}"


# simulate -------------------------------------------------------------------------------------------------------------


@table_app.command("simulate")
def simulate(
    pty: Annotated[bool, typer.Option("--pty", help="on a pseudo-terminal")] = False,
    listen: Annotated[str | None, typer.Option(metavar="HOST:PORT", help="on a TCP port (0: any free one)")] = None,
    seed: Annotated[int, typer.Option(help="which hands are played")] = 1,
    trace: Annotated[Path | None, typer.Option(help="play what a table told in this trace")] = None,
    log: Annotated[Path | None, typer.Option(help="play what a table would tell of this event log")] = None,
    hands: Annotated[int, typer.Option(min=1, help="hands to play from the seed")] = 4,
    tiles: Annotated[int, typer.Option(min=4, help="tiles of the set")] = 136,
    fault: Annotated[list[str] | None, typer.Option(help="NAME or NAME@HAND: " + ", ".join(simulator.FAULTS))] = None,
    speed: Annotated[float, typer.Option(min=0.001, help="times faster than life")] = 1.0,
    noise: Annotated[float, typer.Option(min=0, max=0.5, help="rate of spoilt bytes and chunks, both ways")] = 0.0,
    link: Annotated[Path | None, typer.Option(help="keep this symbolic link pointing at the pseudo-terminal")] = None,
    once: Annotated[bool, typer.Option("--once", help="end when everything was played")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="print the port as JSON")] = False,
) -> None:
    """Simulates a table: prints the port to connect to, then plays as soon as a host listens."""
    with _plain_errors():
        endpoint = _endpoint(pty, listen, link)
        steps = _steps(seed, hands, tiles, trace, log, _faults(fault or []))
        endpoint.open()
        try:
            print(json.dumps({"port": endpoint.url}) if as_json else endpoint.url, flush=True)
            table = Simulator(
                endpoint,
                Identity(tiles=tiles),
                speed=speed,
                to_host=Chaos(seed, noise) if noise else None,
                to_table=Chaos(seed + 1, noise) if noise else None,
                on_command=lambda command: typer.echo(f"the host has it do: {command}", err=True),
            )
            stop = threading.Event()
            table.run(steps, stop, wait_for_host=True, once=once)
        finally:
            endpoint.close()


def _endpoint(pty: bool, listen: str | None, link: Path | None) -> Endpoint:
    if pty and listen is not None:
        raise ValueError("--pty and --listen: one of them")
    if listen is None:
        return PtyEndpoint(link)
    host, colon, port = listen.rpartition(":")
    if not (host and colon and port.isascii() and port.isdigit() and int(port) < 65536):
        raise ValueError(f"--listen {listen}: HOST:PORT expected, the port from 0 to 65535")
    return TcpEndpoint(host, int(port))


def _faults(given: list[str]) -> dict[str, int]:
    faults = {}
    for text in given:
        name, _, hand = text.partition("@")
        if hand and not (hand.isascii() and hand.isdigit()):
            raise ValueError(f"--fault {text}: NAME or NAME@HAND expected, hands counted from 0")
        faults[name] = int(hand or 0)
    return faults


def _steps(
    seed: int, hands: int, tiles: int, trace: Path | None, log: Path | None, faults: dict[str, int]
) -> list[Step]:
    if trace is not None and log is not None:
        raise ValueError("--trace and --log: one of them")
    if trace is not None:
        return simulator.spoil(simulator.from_trace(trace), faults)
    if log is not None:
        return simulator.spoil(simulator.from_log(_log(log), tiles), faults)
    return simulator.spoil(simulator.play(seed, hands, tiles), faults)


def _log(path: Path) -> list[dict[str, object]]:
    events = []
    try:
        entries = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        raise ValueError(f"{path}: not a text in UTF-8") from None
    for number, text in enumerate(entries, 1):
        if not text.strip():
            continue
        try:
            event = json.loads(text)
        except ValueError as error:
            raise ValueError(f"{path}, line {number}: {error}") from None
        if not isinstance(event, dict):
            raise ValueError(f"{path}, line {number}: an object expected")
        events.append(event)
    return events
