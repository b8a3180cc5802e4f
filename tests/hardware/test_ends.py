"""Both ends of the line together, without a port: nothing is lost or doubled whatever the cable does
(docs/table-line.md, sections 4 and 7). Time is a number that the tests move on."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from hardware import protocol
from hardware.chaos import Chaos
from hardware.host import Answer, Clock, Event, HostEnd, Notice, Snapshot, TableEvent, Timing
from hardware.protocol import Beep, Command, Dice, Display, Draw, Light, Shuffle, State
from hardware.table import Identity, TableEnd

NO_KEEP = tuple(cap for cap in Identity().caps if cap != "keep")


class Pair:
    """A table and a host, and a cable between them that the test may cut or spoil."""

    def __init__(
        self, seed: int = 0, rate: float = 0.0, identity: Identity | None = None, capacity: int = 256, skew: float = 1.0
    ) -> None:
        self.random = random.Random(seed)
        self.table = TableEnd(identity or Identity(), self.boot(), capacity)
        self.host = HostEnd(self.boot(), Timing())
        self.spoil = (Chaos(seed, rate), Chaos(seed + 1, rate))
        self.now = 0.0
        self.skew = skew
        self.plugged = True
        self.filter: Callable[[bytes], bytes] = lambda data: data
        self.events: list[Event] = []
        self.done: list[Command] = []
        self.host.opened(0.0)

    def boot(self) -> str:
        return f"{self.random.getrandbits(32):08X}"

    @property
    def ms(self) -> int:
        return int(self.now * 1000 * self.skew) + 5000

    def run(self, seconds: float, step: float = 0.01) -> None:
        for _ in range(round(seconds / step)):
            self.now += step
            self.table.tick(self.ms)
            self.host.tick(self.now)
            down, up = self.table.take(), self.host.take()
            if self.plugged:
                self.host.received(self.filter(self.spoil[0](down)), self.now)
                self.done += self.table.received(self.spoil[1](up), self.ms)
            self.events += self.host.events()

    def emit(self, number: int) -> None:
        self.table.emit(Draw("head", 1, number), self.ms)

    def unplug(self) -> None:
        self.plugged = False
        self.host.closed(self.now, "pulled")

    def plug(self) -> None:
        self.plugged = True
        self.host.opened(self.now)

    @property
    def got(self) -> list[int | None]:
        return [e.message.left for e in self.events if isinstance(e, TableEvent) and isinstance(e.message, Draw)]

    def notices(self, kind: str) -> list[Notice]:
        return [e for e in self.events if isinstance(e, Notice) and e.kind == kind]


def test_handshake_snapshot_and_events() -> None:
    pair = Pair()
    pair.table.emit(State("playing"), pair.ms)
    pair.emit(1)
    pair.run(0.5)
    assert pair.host.live and pair.got == [1]
    (snapshot,) = [e for e in pair.events if isinstance(e, Snapshot)]
    assert (snapshot.snap.state, snapshot.snap.left, snapshot.snap.dice, snapshot.seq) == ("playing", 1, None, 2)


@pytest.mark.parametrize("seed", range(12))
def test_nothing_is_lost_or_doubled_on_a_bad_cable_with_restarts_and_pulls(seed: int) -> None:
    pair = Pair(seed, 0.01, capacity=1024)
    pair.run(5)
    sent = 0
    for turn in range(60):
        for _ in range(5):
            pair.emit(sent)
            sent += 1
            pair.run(0.1)
        if turn % 20 == 10:
            pair.table.restart(pair.boot())
        if turn % 20 == 0:
            pair.unplug()
            pair.emit(sent)
            sent += 1
            pair.run(2)
            pair.plug()
    pair.run(60)
    assert pair.got == list(range(sent)) and not pair.notices("lost")
    assert pair.host.counts.restarts >= 1 and pair.host.counts.noise > 50


def test_a_lost_last_event_is_missed_within_a_ping() -> None:
    pair = Pair()
    pair.run(2)
    pair.filter = lambda data: b"" if b"DRAW" in data else data
    pair.emit(1)
    pair.run(0.02)
    pair.filter = lambda data: data
    pair.run(1.2)
    assert pair.got == [1] and pair.host.counts.replayed == 1


def test_a_gap_before_more_events_than_can_wait_is_filled() -> None:
    pair = Pair(capacity=4096)
    pair.run(1)
    pair.filter = lambda data: b"" if b"$DRAW,1," in data else data
    pair.emit(0)
    pair.run(0.02)
    for number in range(1, 2000):
        pair.emit(number)
        if number % 20 == 0:
            pair.run(0.01)
    assert pair.got == []
    pair.filter = lambda data: data
    pair.run(60)
    assert pair.got == list(range(2000))


def test_events_no_longer_kept_are_named_as_lost_and_the_rest_goes_on() -> None:
    pair = Pair(capacity=10)
    pair.run(1)
    pair.emit(0)
    pair.run(1)
    pair.unplug()
    for number in range(1, 31):
        pair.emit(number)
    pair.plug()
    pair.run(2)
    assert pair.got == [0, *range(21, 31)]
    assert [(n.first, n.last) for n in pair.notices("lost")] == [(2, 21)]
    assert pair.host.counts.lost == 20
    assert sum(isinstance(e, Snapshot) for e in pair.events) >= 2


def test_a_restart_that_keeps_nothing_is_told() -> None:
    pair = Pair(identity=Identity(caps=NO_KEEP))
    pair.run(1)
    pair.emit(0)
    pair.run(1)
    pair.emit(1)
    pair.table.restart(pair.boot())
    pair.emit(2)
    pair.run(5)
    assert pair.got == [0, 2]
    (notice,) = pair.notices("restarted")
    assert (notice.first, notice.last) == (2, None)


def test_two_restarts_in_a_row_keep_the_first_names_of_events() -> None:
    pair = Pair()
    pair.run(1)
    first = pair.table.boot
    pair.unplug()
    pair.emit(0)
    pair.table.restart(pair.boot())
    pair.emit(1)
    pair.table.restart(pair.boot())
    pair.plug()
    pair.run(3)
    names = [(e.boot, e.seq) for e in pair.events if isinstance(e, TableEvent)]
    assert pair.got == [0, 1] and names[0] == (first, 1) and names[1][0] not in (first, pair.table.boot)


def test_events_dropped_before_a_restart_are_named_as_lost() -> None:
    pair = Pair(capacity=10)
    pair.run(1)
    pair.unplug()
    for number in range(15):
        pair.emit(number)
    pair.table.restart(pair.boot())
    pair.plug()
    pair.run(3)
    assert pair.got == list(range(5, 15))
    assert [(n.first, n.last) for n in pair.notices("lost")] == [(1, 5)]


def test_a_silent_table_is_told_once_and_found_again() -> None:
    pair = Pair()
    pair.run(2)
    pair.filter = lambda data: b""
    pair.run(10)
    assert not pair.host.live and len(pair.notices("silent")) == 1
    pair.emit(7)
    pair.filter = lambda data: data
    pair.run(2)
    assert pair.host.live and pair.got == [7]


def test_a_table_of_another_major_version_is_refused_once() -> None:
    pair = Pair()
    pair.filter = lambda data: b"".join(
        protocol.line_bytes(line.type, line.seq, line.ms, ((k, "2.0" if k == "proto" else v) for k, v in line.fields))
        for line in protocol.Parser().feed(data)
        if isinstance(line, protocol.Line)
    )
    pair.run(5)
    assert not pair.host.live and len(pair.notices("refused")) == 1


def test_commands_are_carried_out_once_on_a_bad_cable_and_each_is_answered() -> None:
    pair = Pair(3, 0.01)
    pair.run(10)
    tickets = []
    for value in range(60):
        tickets.append(pair.host.command(Beep(value), pair.now))
        pair.run(1)
    pair.run(20)
    answers = {e.ticket: e for e in pair.events if isinstance(e, Answer)}
    assert set(answers) == set(tickets)
    beeps = [command.ms for command in pair.done if isinstance(command, Beep)]
    done = [value for value, ticket in enumerate(tickets) if answers[ticket].ok]
    assert len(beeps) == len(set(beeps)) and beeps == sorted(beeps)
    assert set(done) <= set(beeps) and len(done) > 50


def test_commands_the_table_cannot_do_or_nobody_hears_are_answered() -> None:
    pair = Pair()
    offline = pair.host.command(Beep(1), pair.now)
    pair.run(1)
    off = pair.host.command(Shuffle(), pair.now)
    wrong = pair.host.command(Light("mauve"), pair.now)
    pair.run(1)
    codes = {e.ticket: e.code for e in pair.events if isinstance(e, Answer)}
    assert codes == {offline: "offline", off: "off", wrong: "value"} and not pair.done


def test_displays_and_lamps_are_set_again_after_a_restart() -> None:
    pair = Pair()
    pair.run(1)
    for command in (Display(0, 1), Display(0, 25000), Light("red", 2), Beep(1)):
        pair.host.command(command, pair.now)
    pair.run(1)
    before = list(pair.done)
    pair.table.restart(pair.boot())
    pair.run(3)
    assert before == [Display(0, 1), Display(0, 25000), Light("red", 2), Beep(1)]
    assert pair.done[4:] == [Display(0, 25000), Light("red", 2)]


def test_event_times_are_the_hosts_although_the_tables_clock_runs_off() -> None:
    """A resonator may be off by half a per cent; sixteen pings are sixteen seconds, so 80 ms at the worst."""
    pair = Pair(skew=1.005)
    pair.run(1)
    for number in range(60):
        pair.emit(number)
        told = pair.now
        pair.run(1)
        event = next(e for e in reversed(pair.events) if isinstance(e, TableEvent))
        assert abs(event.at - told) < 0.1


def test_late_events_keep_the_time_they_happened_at() -> None:
    pair = Pair()
    pair.run(3)
    pair.unplug()
    pair.emit(1)
    happened = pair.now
    pair.run(5)
    pair.plug()
    pair.run(1)
    (event,) = [e for e in pair.events if isinstance(e, TableEvent)]
    assert abs(event.at - happened) < 0.05


def test_the_clock_follows_the_counter_when_it_wraps() -> None:
    clock = Clock()
    for second in range(20):
        clock.heard((0xFFFFFFFF - 5000 + second * 1000) & 0xFFFFFFFF, 100.0 + second, 100.0 + second)
    assert clock.at((0xFFFFFFFF - 5000 + 12000) & 0xFFFFFFFF, 1000.0) == pytest.approx(112.0)
    assert clock.at(0xFFFFFFFF - 5000, 1000.0) == pytest.approx(100.0)


def test_a_forged_number_far_ahead_does_not_stop_the_line() -> None:
    pair = Pair()
    pair.run(1)
    pair.host.received(protocol.encode(Dice((6,)), 4000000000, 1), pair.now)
    pair.emit(1)
    pair.run(2)
    pair.emit(2)
    pair.run(2)
    assert pair.got == [1, 2]
    assert not any(isinstance(e, TableEvent) and isinstance(e.message, Dice) for e in pair.events)


def test_a_table_that_draws_the_same_boot_id_again_is_noticed() -> None:
    pair = Pair(identity=Identity(caps=NO_KEEP))
    pair.run(1)
    for number in range(5):
        pair.emit(number)
    pair.run(1)
    pair.table.restart(pair.table.boot)
    pair.emit(100)
    pair.run(5)
    assert pair.got == [0, 1, 2, 3, 4, 100] and len(pair.notices("restarted")) == 1


def test_unknown_events_are_counted_and_handed_on() -> None:
    pair = Pair()
    pair.run(1)
    pair.table.emit(protocol.Unknown("XNEW", (("a", "1"),)), pair.ms)
    pair.table.emit(protocol.Unknown("DICE", (("v", "9"),)), pair.ms)
    pair.emit(3)
    pair.run(1)
    kinds = [type(e.message).__name__ for e in pair.events if isinstance(e, TableEvent)]
    assert kinds == ["Unknown", "Malformed", "Draw"] and len(pair.notices("malformed")) == 1
