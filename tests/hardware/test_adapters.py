"""Tables of other kinds behind the same interface (docs/table-line.md, section 12)."""

from __future__ import annotations

import io
import time
from pathlib import Path

import pytest

from hardware import protocol, simulator, trace
from hardware.adapters import Table, open_table, register
from hardware.adapters.keypad import HELP, Keypad, understand
from hardware.adapters.recorded import Recorded
from hardware.host import Answer, Event, Notice, TableEvent
from hardware.link import Link, PortError
from hardware.protocol import Button, Deal, Dice, Display, Draw, HandIn, Light, State, Wall
from hardware.table import Identity


def drained(table: Table) -> list[Event]:
    events: list[Event] = []
    end = time.monotonic() + 10
    while not table.finished:
        assert time.monotonic() < end
        events += table.events(0.05)
    return events


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("*35", Dice((3, 5))), ("dice 3 5", Dice((3, 5))), ("*1234", Dice((1, 2, 3, 4))), ("DICE 6", Dice((6,))),
        ("/3.8", Deal(3, 8)), ("open 0 12", Deal(0, 12)), ("-84", Wall(None, 84)), ("left 0", Wall(None, 0)),
        ("9", Draw("tail", 1)), ("draw head 2", Draw("head", 1, None, 2)), ("+2", Button("win", "press", 2)),
        ("pung 1", Button("pung", "press", 1)), ("call 3", Button("call", "press", 3)), ("0", State("raised")),
        ("00", State("handin")), (".136", HandIn(136)), (" handin 135 ", HandIn(135)),
    ],
)  # fmt: skip
def test_what_can_be_typed(typed: str, message: protocol.Message) -> None:
    assert understand(typed) == message


@pytest.mark.parametrize("typed", ["", "*", "*7", "*12345", "/", "/4.1", "/1", "-", "+4", "+", ".", "draw", "draw up",
                                   "draw head 9", "win", "win x", "dance 1", "1", "dice 3 x", "left -1", "\x00"])  # fmt: skip
def test_what_is_not_understood_is_said(typed: str) -> None:
    with pytest.raises(ValueError, match="not understood"):
        understand(typed)


def test_a_key_pad_session() -> None:
    out = io.StringIO()
    pad = Keypad(source=io.StringIO("0\n*35\nhelp\nrubbish\n+2\n"), out=out)
    pad.start()
    ticket = pad.send(Display(1, -1200))
    pad.send(Light("red"))
    events = drained(pad)
    assert [e.message for e in events if isinstance(e, TableEvent)] == [
        State("raised"), Dice((3, 5)), Button("win", "press", 2),
    ]  # fmt: skip
    assert [e.seq for e in events if isinstance(e, TableEvent)] == [1, 2, 3]
    assert ["rubbish" in e.text for e in events if isinstance(e, Notice) and e.kind == "input"] == [True]
    assert ticket in [e.ticket for e in events if isinstance(e, Answer) and e.ok]
    assert "seat 1: -1200" in out.getvalue() and "light centre: red" in out.getvalue() and HELP in out.getvalue()


def test_a_key_pad_reads_a_file(tmp_path: Path) -> None:
    (tmp_path / "pad").write_text("*11\n")
    pad = open_table(f"keypad:{tmp_path / 'pad'}")
    pad.start()
    assert [e.message for e in drained(pad) if isinstance(e, TableEvent)] == [Dice((1, 1))]
    with pytest.raises(PortError, match="No such file"):
        open_table(f"keypad:{tmp_path / 'none'}").start()


def test_a_recorded_trace_is_a_table(tmp_path: Path) -> None:
    steps = list(simulator.play(2))
    trace.write(tmp_path / "t", simulator.timed(steps), simulator.hello(Identity(tiles=136)))
    table = open_table(str(tmp_path / "t"), speed=None)
    assert isinstance(table, Recorded) and table.table is not None and table.table.tiles == 136
    table.start()
    events = drained(table)
    assert [e.message for e in events if isinstance(e, TableEvent)] == [step.what for step in steps]
    at = [e.at for e in events if isinstance(e, TableEvent)]
    assert at == sorted(at) and at[-1] - at[0] == pytest.approx(sum(step.after for step in steps[1:]), abs=0.01)


def test_a_recorded_trace_keeps_its_pace(tmp_path: Path) -> None:
    trace.write(tmp_path / "t", [(10.0, Dice((1,))), (20.0, Dice((2,)))], simulator.hello(Identity()))
    table = Recorded(tmp_path / "t", speed=50.0)
    table.start()
    began = time.monotonic()
    drained(table)
    assert time.monotonic() - began >= 0.4


def test_what_a_url_opens(tmp_path: Path) -> None:
    assert isinstance(open_table("/dev/ttyUSB7"), Link)
    assert isinstance(open_table("socket://127.0.0.1:9"), Link)
    with pytest.raises(trace.TraceError, match="line 1"):
        (tmp_path / "x").write_text("no trace")
        open_table(str(tmp_path / "x"))


def test_a_makers_own_table_is_found_by_its_scheme() -> None:
    made = Keypad(source=io.StringIO("*66\n"), out=io.StringIO())
    asked = []

    def make(url: str) -> Table:
        asked.append(url)
        return made

    register("acme", make)
    assert open_table("acme://hall/7") is made and asked == ["acme://hall/7"]
