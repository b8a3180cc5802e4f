"""What a game shows at its table (docs/table-line.md, sections 9 and 11)."""

from __future__ import annotations

from hardware.observe import Seating
from hardware.outputs import ASKING_MS, Shown, commands
from hardware.protocol import Display, Light


def test_at_first_everything_is_shown() -> None:
    shown = Shown((12, -4, None, -4), turn=1)
    assert commands(shown) == [
        Display(0, 12), Display(1, -4), Display(3, -4),
        Light("off", 0), Light("green", 1), Light("off", 2), Light("off", 3), Light("off"),
    ]  # fmt: skip


def test_then_only_what_changes() -> None:
    before = Shown((0, 0, 0, 0), turn=1)
    assert commands(before, before) == []
    after = Shown((0, 8, -8, 0), turn=2, asked=frozenset({1}), stopped=True)
    assert commands(after, before) == [
        Display(1, 8), Display(2, -8), Light("amber", 1, ASKING_MS), Light("green", 2), Light("red"),
    ]  # fmt: skip


def test_a_foul_goes_before_a_question_and_a_question_before_the_turn() -> None:
    shown = Shown(turn=0, asked=frozenset({0, 1}), fouls=frozenset({1}))
    assert commands(shown, Shown()) == [Light("amber", 0, ASKING_MS), Light("red", 1)]


def test_seats_are_shown_where_they_sit() -> None:
    three = Seating(side=2, players=3)
    assert commands(Shown((1, 2, 3)), Shown(), three) == [Display(2, 1), Display(3, 2), Display(0, 3)]
