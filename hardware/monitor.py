"""Watching a table: what its line says as plain rows, told in words, and gathered into one picture of its state."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from hardware import protocol
from hardware.adapters import Table, open_table
from hardware.host import Answer, Event, Notice, Snapshot, TableEvent
from hardware.link import Timing
from hardware.observe import DiceThrown, Doubt, LineChanged, Observation, Seen, TilesDrawn, observe

_LATEST = 8


@dataclass(frozen=True, slots=True)
class Board:
    """What is known of a table at a moment; None is unknown. `head` and `tail`: tiles drawn from each end this hand."""

    url: str
    line: str = "closed"
    who: str = ""
    state: str | None = None
    dice: tuple[int, ...] | None = None
    wall: tuple[int, ...] | None = None
    left: int | None = None
    head: int | None = None
    tail: int | None = None
    handed_in: int | None = None
    events: int = 0
    doubts: int = 0
    latest: tuple[str, ...] = ()
    seen: Seen = field(default_factory=Seen)


def monitor(
    url: str, out: Path | None = None, *, seconds: float | None = None, timing: Timing | None = None
) -> Iterator[tuple[Board, dict[str, Any]]]:
    """Watches the table at a URL (see `adapters.open_table`); gives every item of its line as a JSON-able row, with the
    state of the table after it. `out`: the trace to write. Ends after so many seconds or when nothing more can come.
    `link.PortError` where the port cannot be opened, `trace.TraceError` where a file is no trace."""
    table = open_table(url, record=out, timing=timing)
    began = time.monotonic()
    board = Board(url)
    table.start()
    try:
        while not table.finished:
            left = None if seconds is None else began + seconds - time.monotonic()
            if left is not None and left <= 0:
                return
            for event in table.events(0.2 if left is None else min(0.2, left)):
                board = after(board, event, table)
                yield board, row(event, began)
    finally:
        table.close()


def row(event: Event, began: float) -> dict[str, Any]:
    """One item of a line as JSON-able data: `t` in seconds since `began`, `kind`, and what it says."""
    at = round(event.at - began, 3)
    match event:
        case TableEvent():
            names = {"boot": event.boot, "seq": event.seq, "ms": event.ms, "replayed": event.replayed}
            return {"t": at, "kind": "event"} | protocol.plain(event.message) | names
        case Snapshot():
            known = {key: value for key, value in protocol.plain(event.snap).items() if key not in ("type", "id")}
            return {"t": at, "kind": "snapshot", "boot": event.boot, "seq": event.seq} | known
        case Notice():
            gap = {} if event.first is None else {"first": event.first, "last": event.last}
            return {"t": at, "kind": event.kind, "text": event.text} | gap
        case Answer():
            return {"t": at, "kind": "answer", "ticket": event.ticket, "ok": event.ok, "code": event.code}


def tell(row: dict[str, Any]) -> str:
    """A row in one line for people."""
    if row["kind"] == "event":
        skip = ("t", "kind", "type", "boot", "seq", "ms", "replayed")
        said = " ".join(f"{key}={_short(value)}" for key, value in row.items() if key not in skip)
        return f"{row['t']:9.3f}  {row['type']:<7} {said}" + ("  (sent again)" if row["replayed"] else "")
    said = row.get("text") or " ".join(
        f"{key}={_short(value)}" for key, value in row.items() if key not in ("t", "kind", "boot")
    )
    return f"{row['t']:9.3f}  {row['kind']}: {said}"


def _short(value: object) -> str:
    return ";".join(str(item) for item in value) if isinstance(value, list) else str(value)


def after(board: Board, event: Event, table: Table) -> Board:
    """The picture after one more item of the line."""
    who = table.table
    if who is not None:
        name = " ".join(part for part in (who.vendor, who.model, who.firmware) if part)
        board = replace(board, who=name, seen=replace(board.seen, tiles=who.tiles))
    seen, observations = observe(board.seen, event)
    board = replace(board, seen=seen, events=board.events + isinstance(event, TableEvent))
    for observation in observations:
        board = _with(board, observation)
    if isinstance(event, Snapshot):
        snap = event.snap
        board = replace(board, state=snap.state, dice=snap.dice, wall=snap.wall, left=snap.left, handed_in=snap.count)
    elif isinstance(event, TableEvent):
        board = _message(board, event.message)
    return board


def _with(board: Board, observation: Observation) -> Board:
    match observation:
        case LineChanged(kind=kind):
            stale = kind in ("lost", "restarted", "unplugged", "silent")
            board = replace(board, line=kind)
            return replace(board, left=None, head=None, tail=None) if stale else board
        case DiceThrown(values=values):
            return replace(board, dice=values)
        case TilesDrawn(end="head", count=count):
            return replace(board, left=board.seen.left, head=_plus(board.head, count))
        case TilesDrawn(end="tail", count=count):
            return replace(board, left=board.seen.left, tail=_plus(board.tail, count))
        case Doubt(text=text):
            return replace(board, doubts=board.doubts + 1, latest=(*board.latest, f"doubt: {text}")[-_LATEST:])
    return board


def _plus(before: int | None, count: int) -> int | None:
    return None if before is None else before + count


def _message(board: Board, message: protocol.Message) -> Board:
    match message:
        case protocol.State(state="shuffling"):
            return replace(board, state="shuffling", dice=None, wall=None, left=None, head=0, tail=0, handed_in=None)
        case protocol.State(state=state):
            return replace(board, state=state)
        case protocol.Wall(stacks=stacks):
            return replace(board, wall=stacks or board.wall, left=board.seen.left)
        case protocol.HandIn(count=count):
            return replace(board, handed_in=count)
    return board


def lines(board: Board) -> list[tuple[str, str]]:
    """The picture as labels and texts for people; a question mark is what is not known."""

    def shown(value: object) -> str:
        return "?" if value is None else " ".join(map(str, value)) if isinstance(value, tuple) else str(value)

    tiles = board.seen.tiles
    return [
        ("line", f"{board.line}  {board.who}".rstrip()),
        ("state", shown(board.state)),
        ("dice", shown(board.dice)),
        ("wall", f"{shown(board.wall)} stacks, {shown(board.left)} tiles left"),
        ("drawn", f"{shown(board.head)} from the head, {shown(board.tail)} from the tail"),
        ("handed in", shown(board.handed_in) + (f" of {tiles}" if tiles is not None else "")),
        ("events", str(board.events) + (f", {board.doubts} doubtful" if board.doubts else "")),
    ]
