"""The simulated table: right hands from a seed, and a game's log told in step. The plain ritual is Hangzhou's
(shared rule sheet: break and indicator by the dealer's dice); the log is one a person could have written."""

from __future__ import annotations

import pytest

from hardware import simulator
from hardware.protocol import Button, Deal, Dice, Draw, HandIn, Message, State, Turn, Wall
from hardware.simulator import Step, from_log, play, sides, spoil, timed


def messages(steps: list[Step]) -> list[Message]:
    return [step.what for step in steps if isinstance(step.what, Message)]


def test_the_same_seed_plays_the_same_and_another_does_not() -> None:
    assert list(play(1, 3)) == list(play(1, 3)) != list(play(2, 3))


@pytest.mark.parametrize(("tiles", "hand_size"), [(136, 13), (144, 16), (108, 13)])
def test_a_hand_keeps_the_books(tiles: int, hand_size: int) -> None:
    for seed in range(20):
        told = messages(list(play(seed, tiles=tiles, hand_size=hand_size)))
        draws = [m for m in told if isinstance(m, Draw)]
        left = tiles
        for draw in draws:
            left -= draw.count
            assert draw.left == left
        turned = next(at for at, message in enumerate(told) if isinstance(message, Turn))
        assert sum(m.count for m in told[:turned] if isinstance(m, Draw)) == hand_size * 4 + 1 and left > 15
        (dice,) = [m for m in told if isinstance(m, Dice)]
        (deal,) = [m for m in told if isinstance(m, Deal)]
        assert deal == Deal((sum(dice.values) - 1) % 4, sum(dice.values))
        assert told[-1] == HandIn(tiles) and sum(sides(tiles)) * 2 == tiles


def test_the_ritual_of_eight_breaks_the_last_players_wall_and_turns_in_the_next() -> None:
    """Hangzhou sheet: dice 3 and 5, dealer 0: the wall of seat 3 is broken after 8 stacks, the indicator is the 8th
    stack of seat 0's wall from its tail end, its left one."""
    for seed in range(500):
        told = messages(list(play(seed)))
        if Dice((3, 5), 0) in told:
            assert Deal(3, 8) in told and Turn(0, 17 - 8 + 1) in told
            return
    raise AssertionError("no throw of 3 and 5 in 500 seeds")


@pytest.mark.parametrize("fault", simulator.FAULTS)
def test_a_fault_changes_its_own_hand_only(fault: str) -> None:
    right, wrong = list(play(4, 3)), spoil(play(4, 3), {fault: 1})
    parts = [
        [i for i, step in enumerate(steps) if step.what == State("shuffling")] + [len(steps)]
        for steps in (right, wrong)
    ]
    assert parts[0] == parts[1]
    same = [right[a:b] == wrong[a:b] for a, b in zip(parts[0], parts[0][1:], strict=False)]
    assert same == [True, False, True]


def test_unknown_faults_hands_that_are_not_played_and_impossible_sets_are_refused() -> None:
    with pytest.raises(ValueError, match="nonsense"):
        spoil(play(1), {"nonsense": 0})
    with pytest.raises(ValueError, match="dice@1"):
        spoil(play(1), {"dice": 1})
    with pytest.raises(ValueError, match="turn"):
        spoil([Step(1.0, State("shuffling"))], {"turn": 0})
    with pytest.raises(ValueError, match="7 tiles"):
        list(play(1, tiles=7))


LOG = [
    {"type": "start", "rules": "hangzhou", "dealer": 0, "t": 1.0},
    {"type": "dice", "seat": 0, "values": [3, 5], "for": "wall", "t": 4.0},
    {"type": "deal", "hands": [None] * 4, "wall": 3, "stacks": 8, "t": 20.0},
    {"type": "indicator", "tile": "7m", "wall": 0, "stack": 8, "t": 21.5},
    {"type": "discard", "seat": 0, "tile": "5p", "t": 25.0},
    {"type": "pung", "seat": 2, "tiles": "555p", "t": 27.0},
    {"type": "draw", "seat": 1, "tile": "9m", "end": "head", "t": 30.0},
    {"type": "draw", "seat": 1, "tile": None, "end": "tail"},
    {"type": "draw", "seat": 1, "tile": None, "end": None, "t": 33.0},
    {"type": "win", "seat": 1, "tile": "9m", "source": "wall", "t": 40.0},
    {"type": "end", "why": "win", "t": 41.0},
]  # fmt: skip


def test_a_log_is_told_in_step() -> None:
    at = list(timed(from_log(LOG, turned_from="left")))
    assert at[:4] == [
        (1.0, State("shuffling")), (1.0, Wall((17, 17, 17, 17), 136)), (1.0, State("ready")), (1.0, State("raised")),
    ]  # fmt: skip
    assert at[4:] == [
        (4.0, Dice((3, 5), 0)),
        (20.0, Deal(3, 8)),
        (20.0, State("playing")),
        (20.0, Draw("head", 53, 83)),
        (21.5, Turn(0, 10)),
        (27.0, Button("pung", "press", 2)),
        (30.0, Draw("head", 1, 82, 1)),
        (31.0, Draw("tail", 1, 81, 1)),
        (33.0, Wall(None, 80)),
        (40.0, Button("win", "press", 1)),
        (41.0, State("handin")),
        (41.0, HandIn(136)),
    ]


def test_a_log_without_what_it_needs_is_refused_with_the_event() -> None:
    with pytest.raises(ValueError, match=r"event 2 \(dice\)"):
        list(from_log([LOG[0], {"type": "dice"}]))
