"""The evidence on disk: complete, bounded, and readable again (docs/table-line.md, section 12)."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware import protocol, simulator, trace
from hardware.protocol import Dice, Draw
from hardware.table import Identity, TableEnd


@settings(max_examples=50)
@given(lines=st.lists(st.binary(max_size=80).map(lambda data: data.replace(b"\n", b"").rstrip(b"\r"))))
def test_raw_bytes_come_back_as_they_were(tmp_path_factory: pytest.TempPathFactory, lines: list[bytes]) -> None:
    path = tmp_path_factory.mktemp("trace") / "t"
    recorder = trace.Recorder(path, "/dev/x")
    for line in lines:
        recorder.data("<", line[:10])
        recorder.data(">", b"")
        recorder.data("<", line[10:] + b"\r\n")
    recorder.close()
    assert [record.data for record in trace.read(path)] == lines


def test_disk_use_is_bounded_and_older_files_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "t"
    recorder = trace.Recorder(path, "x", most_bytes=2000, files=3)
    for number in range(1000):
        recorder.data("<", b"line %d\r\n" % number)
    recorder.close()
    files = sorted(item.name for item in tmp_path.iterdir())
    assert files == ["t", "t.1", "t.2"]
    assert sum(item.stat().st_size for item in tmp_path.iterdir()) < 3 * 2200
    kept = [record.data for name in ("t.2", "t.1", "t") for record in trace.read(tmp_path / name)]
    assert kept == [b"line %d" % number for number in range(1000 - len(kept), 1000)] and len(kept) > 100


def test_a_trace_that_is_there_is_not_overwritten(tmp_path: Path) -> None:
    for word in (b"first\n", b"second\n"):
        recorder = trace.Recorder(tmp_path / "t", "x")
        recorder.data("<", word)
        recorder.close()
    assert [r.data for r in trace.read(tmp_path / "t.1")] == [b"first"]
    assert [r.data for r in trace.read(tmp_path / "t")] == [b"second"]


@pytest.mark.parametrize(
    ("content", "why"),
    [(b"hello\n", "line 1"), (b"", "line 1"), (b"#table-line-trace 1 x y\nnonsense\n", "line 2"),
     (b"\xff\xfe\x00", "line 1"), (b"#table-line-trace 1 x y\n1.0 < ok\n\xff\xff\n", "line 3")],
)  # fmt: skip
def test_what_is_no_trace_is_refused_with_the_line(tmp_path: Path, content: bytes, why: str) -> None:
    (tmp_path / "t").write_bytes(content)
    with pytest.raises(trace.TraceError, match=why):
        list(trace.read(tmp_path / "t"))


def test_a_torn_last_line_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "t").write_bytes(b"#table-line-trace 1 x y\n1.0 < ok\n2.0 < to")
    assert [record.data for record in trace.read(tmp_path / "t")] == [b"ok"]


def test_events_sent_again_stand_once_at_the_time_they_happened() -> None:
    table = TableEnd(Identity(), "A1B2C3D4")
    table.tick(1000)
    hello = table.take()
    lines = []
    for number in range(1, 5):
        table.emit(Dice((number,)), 1000 + number * 1000)
    for event in table._kept:
        lines.append(event.line())
    records = [
        trace.Record(1.0, "<", hello.rstrip()),
        trace.Record(2.0, "<", lines[0].rstrip()),
        trace.Record(3.0, "<", b"$DICE,2,garbled"),
        trace.Record(4.0, "<", lines[2].rstrip()),
        trace.Record(4.5, ">", protocol.encode(protocol.Replay(2, 2), 9, 1).rstrip()),
        trace.Record(4.6, "<", lines[1].rstrip()),
        trace.Record(4.7, "<", lines[2].rstrip()),
        trace.Record(5.0, "<", lines[3].rstrip()),
    ]
    events = trace.events(records)
    assert [event.message for event in events] == [Dice((1,)), Dice((2,)), Dice((3,)), Dice((4,))]
    assert [event.at for event in events] == pytest.approx([2.0, 3.0, 4.0, 5.0])


def test_events_carried_over_a_restart_stand_once() -> None:
    table = TableEnd(Identity(), "A1B2C3D4")
    table.tick(1000)
    records = [trace.Record(1.0, "<", table.take().rstrip())]
    table.emit(Dice((1,)), 2000)
    records.append(trace.Record(2.0, "<", table._kept[0].line().rstrip()))
    table.emit(Draw("head", 1), 3000)
    table.restart("00000002")
    table.tick(50)
    records.append(trace.Record(10.0, "<", table.take().rstrip()))
    records += [trace.Record(10.5, "<", event.line().rstrip()) for event in table._kept]
    events = trace.events(records)
    assert [(e.boot, e.seq, e.message) for e in events] == [
        ("A1B2C3D4", 1, Dice((1,))),
        ("A1B2C3D4", 2, Draw("head", 1)),
    ]
    assert events[1].at == pytest.approx(3.0)


def test_a_written_trace_is_what_the_table_would_have_left(tmp_path: Path) -> None:
    steps = list(simulator.play(3))
    timed = list(simulator.timed(steps))
    trace.write(tmp_path / "t", timed, simulator.hello(Identity()))
    events = trace.events(trace.read(tmp_path / "t"))
    assert [event.message for event in events] == [message for _, message in timed]
    assert [event.at for event in events] == pytest.approx([at for at, _ in timed], abs=0.002)
    assert [step.what for step in simulator.from_trace(tmp_path / "t")] == [step.what for step in steps]
