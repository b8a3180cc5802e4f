"""The live referee has the table show the game: scores on its displays, turn, fouls and questions on its lamps.

The whole way is real but the camera: the loop of ``referee watch`` over a drawn table (tests/test_live.py), the link, a
pseudo-terminal and a simulated table at its other end, which writes down what it was told to show. What is to be shown
is docs/table-line.md, sections 9 and 11; the amounts are those of the hand's own settlement.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hardware import observe as line
from hardware.endpoint import PtyEndpoint
from hardware.link import Link
from hardware.protocol import Command, Display, Light
from referee import cli_watch
from referee.rules import tiles as t
from referee.signals import shown
from referee.table import events as ev
from referee.table.ledger import Ledger
from tests.hardware.test_link import FAST, Running, running
from tests.table.telling import log
from tests.test_live import Desk, Sitting
from vision.camera import Shot
from vision.infer import Question

PURE = t.parse("1112345678999m")  # waits for every character


class Table:
    """What the simulated table shows, from the commands it was given."""

    def __init__(self, commands: list[Command]) -> None:
        self.commands = commands

    @property
    def scores(self) -> dict[int, int]:
        return {c.seat: c.value for c in self.commands if isinstance(c, Display)}

    @property
    def lamps(self) -> dict[int | None, str]:
        """The lamps that are lit; None is the centre's."""
        last = {c.seat: c.colour for c in self.commands if isinstance(c, Light)}
        return {seat: colour for seat, colour in last.items() if colour != "off"}


class Pictures:
    """A camera over the desk that never ends by itself; between two pictures the test does something."""

    def __init__(self, sitting: Sitting, script: Callable[[], Iterator[Callable[[], bool]]]) -> None:
        self.sitting, self.script = sitting, script

    def __iter__(self) -> Iterator[Shot]:
        sitting, end = self.sitting, time.monotonic() + 60.0
        for reached in self.script():
            while not reached():
                assert time.monotonic() < end, "the table does not come to show it"
                sitting.t, sitting.number = sitting.t + 0.2, sitting.number + 1
                yield Shot(sitting.number, sitting.t, sitting.desk.picture())

    def close(self) -> None: ...


def watched(sitting: Sitting, running_table: Running, url: str, script: Callable[[], Iterator[Callable[[], bool]]]) -> None:
    """The loop of ``referee watch``, from the first picture to the last word to the table."""
    watch = sitting.watch
    said = cli_watch._Live(Link(url, timing=FAST), line.Seen(tiles=144))
    try:
        cli_watch._loop(watch, Pictures(sitting, script), cli_watch._Out(watch, True, "en"), said, None, True)  # type: ignore[arg-type]
        said.show(watch)
    finally:
        said.close()
        watch.close()


def test_scores_and_lamps_follow_the_game(tmp_path: Path) -> None:
    desk = Desk()
    desk.hands()
    sitting = Sitting(tmp_path / "game.jsonl", desk)
    enter, game = sitting.watch.enter, sitting.watch.ledger.game
    endpoint = PtyEndpoint(tmp_path / "table")
    with running(endpoint) as simulated:
        table = Table(simulated.commands)

        def script() -> Iterator[Callable[[], bool]]:
            yield lambda: table.scores == {0: 0, 1: 0, 2: 0, 3: 0} and table.lamps == {0: "green"}  # dealt: the dealer's turn
            enter(ev.Discard(seat=0, tile=t.parse_one("C")))
            yield lambda: table.lamps == {1: "green"}
            enter(ev.Draw(seat=2, end="head"))
            yield lambda: table.lamps == {2: "red"}  # out of turn
            simulated.do("restart")
            yield lambda: simulated.commands.count(Light("red", 2)) == 2  # shown again
            enter(ev.Discard(seat=2, tile=t.parse_one("5m")))
            yield lambda: table.lamps == {3: "green"}
            enter(ev.Win(seat=1, tile=t.parse_one("5m"), source="discard", source_seat=2, hand=PURE))
            enter(ev.End(why="win"))  # the last thing to happen

        watched(sitting, simulated, endpoint.url, script)
    deltas = game.hands[0].deltas
    assert table.scores == dict(enumerate(deltas)) and deltas[1] > 0 > deltas[2]
    assert table.lamps == {}


def test_a_table_that_is_gone_does_not_hold_up_the_end(tmp_path: Path) -> None:
    desk = Desk()
    desk.hands()
    sitting = Sitting(tmp_path / "game.jsonl", desk)
    endpoint = PtyEndpoint(tmp_path / "table")
    with running(endpoint) as simulated:

        def script() -> Iterator[Callable[[], bool]]:
            yield lambda: Light("green", 0) in simulated.commands
            simulated.do("unplug")
            sitting.watch.enter(ev.Discard(seat=0, tile=t.parse_one("C")))

        watched(sitting, simulated, endpoint.url, script)
    assert Light("green", 1) not in simulated.commands


def test_a_question_is_asked_until_somebody_answers_it(tmp_path: Path) -> None:
    desk = Desk()
    desk.hands()
    watch = Sitting(tmp_path / "game.jsonl", desk).watch
    watch.enter(ev.Deal())
    watch.enter(ev.Discard(seat=0, tile=4))
    number = watch.ledger.told[-1].event.n
    watch.questions.append(Question("5m or 5s?", ("5m", "5s"), 1.0, number, (), (None, None)))
    assert watch.asked == {number} and shown(watch.ledger, watch.asked).asked == {0}
    watch.answer(0, 1)
    assert watch.asked == frozenset()


def told(rules: str, *lines: str | ev.Event) -> Ledger:
    ledger = Ledger()
    for event in log(rules, *lines):
        ledger.record(event)
    return ledger


def test_a_fault_shines_until_the_player_s_next_own_event() -> None:
    play = "deal ? / ? / ? / ?; 0 -1m; 3 chow 123m 1m 0"
    assert shown(told("hongkong", play)).fouls == {3}
    assert shown(told("hongkong", play, "0 count 13")).fouls == {3}
    assert shown(told("hongkong", play, "3 -9p")).fouls == frozenset()


@pytest.mark.parametrize("foul", ["1 -9p", "0 count 12", "1 +; 1 +"])
def test_what_a_bystander_may_not_say_is_not_shown(foul: str) -> None:
    """How many tiles a player holds is for the referee's screen only (`voice.announce`)."""
    ledger = told("hongkong", "deal ? / ? / ? / ?; 0 -1m", foul)
    assert ledger.game.faults and shown(ledger).fouls == frozenset()


def test_who_is_asked_and_where_nobody_is_in_turn() -> None:
    ledger = told("hongkong", "deal ? / ? / ? / ?; 0 -1m; 1 +; 1 -2m")
    assert shown(ledger, asked={5}).asked == {1} and shown(ledger, asked={99}).asked == frozenset()
    assert shown(ledger).turn == 2
    assert shown(told("hongkong", "deal ? / ? / ? / ?; 0 -1m; end stopped")).turn is None
    assert shown(Ledger()).scores == () and shown(told("hongkong")).turn is None


def test_a_correction_corrects_the_table() -> None:
    wrong = ["deal ? / ? / ? / ?; 0 -1m; 2 +"]
    assert shown(told("hongkong", *wrong)).fouls == {2}
    assert shown(told("hongkong", *wrong, ev.Correct(event=4, events=(ev.Draw(seat=1, end="head"),)))).fouls == frozenset()


def test_three_players_have_three_displays() -> None:
    assert shown(told("kawuxing", "deal ? / ? / ?")).scores == (0, 0, 0)
