"""What messages mean (docs/table-line.md, section 11), and that what the simulator puts in wrong comes out as such."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from hardware import protocol, simulator
from hardware.host import Event, Notice, Snapshot, TableEvent
from hardware.observe import (
    ButtonPressed,
    DiceThrown,
    Doubt,
    LineChanged,
    Observation,
    Seating,
    Seen,
    StateChanged,
    SticksCounted,
    TableStands,
    TableTrouble,
    TilesDrawn,
    TilesHandedIn,
    TileTurned,
    WallCounted,
    WallOpened,
    entry,
    observe,
)
from hardware.protocol import Message


def seen_after(events: Iterable[Event | Message], seen: Seen | None = None) -> list[Observation]:
    seen = seen or Seen(tiles=136)
    out: list[Observation] = []
    for number, event in enumerate(events, 1):
        if isinstance(event, Message):
            event = TableEvent(event, "00000001", number, 0, float(number))
        seen, observations = observe(seen, event)
        out += observations
    return out


def played(**faults: int) -> list[Observation]:
    steps = simulator.spoil(simulator.play(5), faults)
    return seen_after(step.what for step in steps if not isinstance(step.what, str))


MEANINGS = [
    (protocol.State("raised"), StateChanged(1.0, "raised"), {"type": "start"}),
    (protocol.State("handin"), StateChanged(1.0, "handin"), {"type": "end"}),
    (protocol.Dice((3, 5), 2), DiceThrown(1.0, (3, 5), 2), {"type": "dice", "values": [3, 5], "seat": 2}),
    (protocol.Dice((3,)), DiceThrown(1.0, (3,), None), {"type": "dice", "values": [3]}),
    (protocol.Wall((17, 17, 17, 17)), WallCounted(1.0, (17, 17, 17, 17), None), None),
    (protocol.Deal(3, 8), WallOpened(1.0, 3, 8), {"type": "deal", "wall": 3, "stacks": 8}),
    (protocol.Turn(0, 10), TileTurned(1.0, 0, 10, None), {"type": "indicator", "wall": 0, "stack": 10}),
    (protocol.Draw("tail", 1, 60, 1), TilesDrawn(1.0, "tail", 1, 60, 1), {"type": "draw", "end": "tail", "seat": 1}),
    (protocol.Draw("head", 4, 60), TilesDrawn(1.0, "head", 4, 60, None), None),
    (protocol.HandIn(136), TilesHandedIn(1.0, 136, 136), {"type": "end", "handed_in": 136}),
    (protocol.Button("win", "press", 3), ButtonPressed(1.0, "win", 3), {"type": "win", "seat": 3}),
    (protocol.Button("call", "hold", 3), ButtonPressed(1.0, "call", 3, held=True), None),
    (protocol.Button("win", "press"), ButtonPressed(1.0, "win", None), None),
    (protocol.Stick(2, -500), SticksCounted(1.0, 2, -500), None),
    (protocol.Error("jam"), TableTrouble(1.0, "jam", ""), None),
]


@pytest.mark.parametrize(("message", "observation", "fields"), MEANINGS)
def test_what_a_message_means(message: Message, observation: Observation, fields: dict[str, object] | None) -> None:
    assert seen_after([message]) == [observation]
    assert entry(observation) == (None if fields is None else fields | {"t": 1.0, "by": "table"})


def test_what_means_nothing() -> None:
    quiet = [protocol.Button("win", "release", 1), protocol.Probe(1), protocol.Unknown("XNEW", ())]
    assert seen_after(quiet) == []


def test_sides_become_the_games_seats_and_back() -> None:
    seating = Seating(side=3)
    assert [seating.seat(side) for side in (3, 0, 1, 2, None)] == [0, 1, 2, 3, None]
    assert [seating.side_of(seat) for seat in range(4)] == [3, 0, 1, 2]
    three = Seen(tiles=84, seating=Seating(side=1, players=3))
    assert seen_after([protocol.Stick(0, 5), protocol.Stick(3, 5)], three) == [SticksCounted(2.0, 2, 5)]


def test_the_indicator_is_counted_from_both_ends_where_the_wall_is_known() -> None:
    observations = seen_after([protocol.Wall((17, 18, 17, 16)), protocol.Turn(1, 8)])
    assert observations[-1] == TileTurned(2.0, 1, 8, 11)


def test_own_button_names_are_translated() -> None:
    assert seen_after([protocol.Button("b1", "press", 0)], Seen(buttons={"b1": "pung"})) == [
        ButtonPressed(1.0, "pung", 0)
    ]


def test_a_hand_played_right_raises_no_doubt() -> None:
    observations = played()
    assert not [o for o in observations if isinstance(o, Doubt)]
    assert {type(o) for o in observations} >= {
        DiceThrown,
        WallCounted,
        WallOpened,
        TileTurned,
        TilesDrawn,
        TilesHandedIn,
    }


def test_wrong_dice_do_not_fit_the_break() -> None:
    right, wrong = played(), played(dice=0)
    (thrown,) = [o for o in wrong if isinstance(o, DiceThrown)]
    (opened,) = [o for o in wrong if isinstance(o, WallOpened)]
    (truth,) = [o for o in right if isinstance(o, DiceThrown)]
    assert opened in right and thrown.values != truth.values
    assert sum(truth.values) == opened.stacks != sum(thrown.values)
    assert entry(thrown) == {"type": "dice", "values": list(thrown.values), "seat": 0, "t": thrown.at, "by": "table"}


def test_a_stack_too_many_is_in_the_entry_of_the_deal() -> None:
    (right,) = [entry(o) for o in played() if isinstance(o, WallOpened)]
    (wrong,) = [entry(o) for o in played(stack=0) if isinstance(o, WallOpened)]
    assert right is not None and wrong == right | {"stacks": right["stacks"] + 1}


def test_an_indicator_one_stack_too_far_is_in_its_entry() -> None:
    (right,) = [o for o in played() if isinstance(o, TileTurned)]
    (wrong,) = [o for o in played(turn=0) if isinstance(o, TileTurned)]
    assert (wrong.from_right, wrong.from_left) == (right.from_right - 1, (right.from_left or 0) + 1)


def test_a_draw_from_the_wrong_end_is_one_in_the_entries() -> None:
    right = [entry(o) for o in played() if isinstance(o, TilesDrawn)]
    wrong = [entry(o) for o in played(end=0) if isinstance(o, TilesDrawn)]
    different = [(a, b) for a, b in zip(right, wrong, strict=True) if a != b]
    ((a, b),) = different
    assert a is not None and a["end"] == "head" and b == a | {"end": "tail"}


@pytest.mark.parametrize(("fault", "found"), [("handin", 135), ("extra", 137)])
def test_a_tile_missing_or_too_many_after_the_hand_is_a_doubt(fault: str, found: int) -> None:
    observations = played(**{fault: 0})
    (doubt,) = [o for o in observations if isinstance(o, Doubt)]
    assert (doubt.kind, doubt.expected, doubt.found) == ("set_size", 136, found)


def test_a_wall_built_too_long_is_a_doubt() -> None:
    (doubt,) = [o for o in played(wall=0) if isinstance(o, Doubt)]
    assert (doubt.kind, doubt.expected, doubt.found) == ("wall_size", 136, 138)


def test_tiles_that_leave_the_wall_unannounced_are_a_doubt_but_not_after_a_gap() -> None:
    counted = protocol.Wall(None, 80)
    (doubt,) = [o for o in seen_after([counted, protocol.Draw("head", 1, 78)]) if isinstance(o, Doubt)]
    assert (doubt.kind, doubt.expected, doubt.found) == ("left", 79, 78)
    lost = Notice("lost", "", 2.0, 5, 6)
    observations = seen_after([counted, lost, protocol.Draw("head", 1, 78), protocol.Draw("head", 1, 77)])
    assert LineChanged(2.0, "lost", "") in observations
    assert not [o for o in observations if isinstance(o, Doubt)]


def test_a_snapshot_is_what_is_known_from_then_on() -> None:
    snap = Snapshot(protocol.Snap(1, "playing", None, (17, 17, 17, 17), 70), "00000001", 4, 1.0)
    observations = seen_after([snap, protocol.Draw("head", 1, 68)])
    assert observations[0] == TableStands(1.0, "playing", None, (17, 17, 17, 17), 70, None)
    assert isinstance(observations[-1], Doubt) and observations[-1].expected == 69
