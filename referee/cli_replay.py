"""``referee replay LOG``: an event log told hand by hand, with its faults and scores, or as one JSON report."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from referee.table.game import Game
from referee.table.ledger import Ledger
from referee.table.log import Problem
from referee.table.report import report, score_sheet, told_lines

POLL = 0.2  # seconds between looks at a growing file


def replay(
    log: Annotated[Path, typer.Argument(help="the event log, - for standard input")],
    as_json: Annotated[bool, typer.Option("--json", help="print the report object")] = False,
    follow: Annotated[bool, typer.Option("--follow", help="keep reading as lines are appended")] = False,
) -> None:
    """Event log -> faults, records, scores."""
    try:
        with open_log(log) as stream:
            ledger = Ledger(new_game)
            if follow:
                follow_log(ledger, stream, as_json)
            else:
                ledger.feed(stream.read(), end=True)
                show(ledger, as_json)
    except OSError as problem:
        print(f"referee replay: {log}: {problem.strerror or problem}", file=sys.stderr)
        raise typer.Exit(2) from None
    except KeyboardInterrupt:
        return
    if any(not problem.torn for problem in ledger.problems):
        raise typer.Exit(2)


def new_game() -> Game:
    """A game that knows the tournament rule books by name."""
    from referee.desk.penalties import table_book

    return Game(book_of=table_book)


def open_log(path: Path) -> BinaryIO:
    return sys.stdin.buffer if str(path) == "-" else path.open("rb")


def show(ledger: Ledger, as_json: bool) -> None:
    """The whole report, lines refused or dropped on standard error."""
    complain(ledger.problems)
    if as_json:
        print(json.dumps(report(ledger.game), ensure_ascii=False))
        return
    for line in told_lines(ledger.game, ledger.told):
        print(line)
    print("", *score_sheet(ledger.game), sep="\n")


def complain(problems: list[Problem]) -> None:
    for problem in problems:
        print(problem, file=sys.stderr)


def follow_log(ledger: Ledger, stream: BinaryIO, as_json: bool) -> None:
    """Tell what is appended until interrupted; with ``as_json`` a report object a line whenever something came."""
    seen = 0
    for data in appended(stream):
        rebuilt = ledger.rebuilt
        told = ledger.feed(data)
        complain(ledger.problems[seen:])
        seen = len(ledger.problems)
        if as_json:
            print(json.dumps(report(ledger.game), ensure_ascii=False), flush=True)
            continue
        if ledger.rebuilt > rebuilt:
            print("\ncorrected, from the beginning:")
        for line in told_lines(ledger.game, told):
            print(line, flush=True)
        if any(hand.complete for hand in ledger.game.hands[-1:]):
            print("", *score_sheet(ledger.game), sep="\n", flush=True)


def appended(stream: BinaryIO) -> Iterator[bytes]:
    """What the file holds, then what is added to it, for ever."""
    while True:
        data = stream.read()
        if data:
            yield data
        else:
            time.sleep(POLL)
