"""What the walls lose: stacks as a camera overhead sees them, the upper tile a hair further out than the lower one.

Truth: the stacks laid here and the tiles taken from them.
"""

from __future__ import annotations

import numpy as np
import pytest

from referee.table import events as ev
from tests.vision.tables import table_after
from vision.drawing import Turn, first_step
from vision.infer import Follower
from vision.track import NAMES, Track
from vision.walls import SUNK, TOGETHER, WAITED, Drawn, Walls
from vision.zones import Spot

WIDTH = 30.0
RAISED = 1.02  # how much further out an upper tile seems to lie


def _spot(number: int, x: float, y: float, facing: str = "down") -> Spot:
    track = Track(number, x, y, 0.0, facing, np.zeros(len(NAMES)), 0.0, 0.0, settled=True, width=WIDTH)
    return Spot(track, "wall" if facing == "down" else "river", 0, x, y, 0.0)


def _ring(upper: float = RAISED) -> list[Spot]:
    """Three walls of ten stacks; the head is the right end of the wall at the bottom, the fourth wall is dealt."""
    bottom = [(150.0 - 31 * k, -270.0) for k in range(10)]
    left = [(-270.0, -150.0 + 31 * k) for k in range(10)]
    top = [(-150.0 + 31 * k, 270.0) for k in range(10)]
    return [_spot(k, x * upper, y * upper) for k, (x, y) in enumerate(bottom + left + top)]


def _standing(left: int = 60) -> tuple[Walls, list[Spot]]:
    spots, walls = _ring(), Walls(WIDTH)
    walls.stand(spots, left)
    return walls, spots


def _lowered(spot: Spot) -> Spot:
    return _spot(spot.track.id, spot.track.x / RAISED, spot.track.y / RAISED)


def test_a_stack_is_drawn_tile_by_tile():
    walls, spots = _standing()
    assert len(walls.stacks) == 30
    assert walls.look(spots, [], 1.0) == []
    spots[0] = _lowered(spots[0])
    assert walls.look(spots, [], 2.0) == [Drawn(2.0, "head")]
    assert walls.look(spots[1:], [], 3.0) == []  # it may be found again
    assert walls.look(spots[1:], [], 3.1 + WAITED) == [Drawn(3.1 + WAITED, "head")]


def test_replacements_come_from_the_tail():
    walls, spots = _standing()
    spots[-1] = _lowered(spots[-1])
    assert walls.look(spots, [], 1.0) == [Drawn(1.0, "tail")]


def test_a_stack_gone_at_once_has_lost_both_tiles_and_a_half_one_its_last():
    walls, spots = _standing()
    walls.look(spots[1:], [], 1.0)
    assert [drawn.late for drawn in walls.look(spots[1:], [], 2.0)] == [True, False]
    walls, spots = _standing(left=59)  # the deal ended within a stack
    walls.look(spots[1:], [], 1.0)
    assert walls.look(spots[1:], [], 2.0) == [Drawn(2.0, "head")]


def test_walls_of_which_stacks_go_whole_tell_nothing_of_single_draws():
    """Half of a stack gone is not seen on dark backs, where the lower tile is told at its place: then draws come in pairs."""
    walls, spots = _standing()
    for k in range(TOGETHER):
        assert walls.trusted
        walls.look(spots[k + 1 :], [], 2.0 * k)
        walls.look(spots[k + 1 :], [], 2.0 * k + 1)
    assert not walls.trusted
    walls, spots = _standing()  # where upper tiles are seen to go, a few that were covered by a hand change nothing
    for k in range(2 * TOGETHER):
        if k % 2:
            spots[k] = _lowered(spots[k])
            walls.look(spots[k:], [], 2.0 * k)
        walls.look(spots[k + 1 :], [], 2.0 * k + 0.5)
        walls.look(spots[k + 1 :], [], 2.0 * k + 1)
    assert walls.trusted


def test_what_is_pushed_or_turned_up_is_not_drawn():
    walls, spots = _standing()
    pushed = [_spot(s.track.id, s.track.x, s.track.y - 6.0) for s in spots]
    assert walls.look(pushed, [], 1.0) == []
    middle = [s for s in pushed if s.track.id != 15]
    assert walls.look(middle, [], 2.0) == [] and walls.look(middle, [], 3.0) == []  # nobody draws from the middle
    end = pushed[0].track
    assert walls.look(pushed[1:], [_spot(99, end.x, end.y, "up")], 4.0) == []  # an indicator lies there
    assert walls.look(pushed[1:], [], 5.0) == []


def test_a_little_unrest_is_no_draw():
    walls, spots = _standing()
    away = 0.8 * SUNK * WIDTH
    spots[0] = _spot(0, spots[0].track.x, spots[0].track.y + away)
    assert walls.look(spots, [], 1.0) == []


@pytest.mark.parametrize(
    ("differ", "step"),
    [
        ([(1, 0), (1, 0), (1, 0)], (1, 0)),
        ([(0, 0), (1, 0), (1, 0)], (0, 0)),  # not yet
        ([(1, 0), (0, 0), (1, 0)], (0, 0)),  # the wall was misread at one look
        ([(1, 0), (1, 0), (0, 1)], (1, 0)),  # a tile too many, then a draw from the wrong end
        ([(-1, 1), (-1, 1), (-1, 0)], (-1, 1)),  # the wrong end, then no replacement
        ([(-1, 1), (-1, 1), (-1, 1)], (-1, 1)),
    ],
)
def test_faults_close_together_are_told_apart(differ, step):
    """By how many tiles from head and tail the walls differ from the account until each of three discards."""
    assert first_step(differ) == step


def _account(drawn_at: list[float]) -> Follower:
    """A table where tiles were seen to leave the head at these times, all stacks whole before."""
    table = table_after("hongkong", ev.Deal())
    table.walls.stand(_ring(), 60)
    table._unlike = (0, 0)
    table._drawn = [Drawn(at, "head") for at in drawn_at]
    return table


def test_where_upper_tiles_go_unseen_one_more_may_have_been_drawn_from_a_whole_stack():
    """Two tiles seen to go and three told of: the third may be an upper one; with four told, two of them cannot be."""
    table = _account([1.0, 2.0])
    assert table._unexplained(9.0, (3, 0)) == (-1, 0)
    table.walls.at_once = 1
    assert table._unexplained(9.0, (3, 0)) == (0, 0)
    assert table._unexplained(9.0, (4, 0)) == (-1, 0)
    assert table._unexplained(9.0, (1, 0)) == (1, 0)
    table._drawn.append(Drawn(3.0, "head"))  # now a stack stands half: its lower tile does not go unseen
    assert table._unexplained(9.0, (4, 0)) == (-1, 0)


def _turns() -> list[Turn]:
    """Four discards, of which each but the first was drawn for."""
    return [Turn(10 + k, k, 5.0 + 5.0 * k, (1 + k, 0)) for k in range(4)]


def test_a_head_that_loses_nothing_through_several_turns_is_not_seen():
    """Then nobody is accused, and the hands are counted instead; where it goes on losing tiles, one draw less is one."""
    table = _account([1.0])
    table._compare(_turns()[1:])
    assert not any(h.question for h in table._happened) and not table.walls_tell
    table = _account([1.0, 11.0, 16.0])
    assert not table._nothing_seen(_turns()[1:])


def _three_turns() -> tuple[Follower, list[Turn]]:
    """East has discarded, the others have drawn and discarded, before walls that stand whole."""
    table = table_after("hongkong", ev.Deal(), ev.Discard(seat=0, tile=0))
    turns = []
    for seat in (1, 2, 3):
        table._commit(ev.Draw(seat=seat, end="head"))
        thrown = table._commit(ev.Discard(seat=seat, tile=seat))
        turns.append(Turn(thrown.n, seat, 5.0 + 5.0 * seat, (seat, 0)))
    table.walls.stand(_ring(), 60)
    table._happened, table._unlike = [], (0, 0)
    return table, turns


def _told_of(table: Follower) -> list[str]:
    return [h.question.text.partition(":")[0] for h in table._happened if h.question]


@pytest.mark.parametrize(("drawn", "accused"), [
    ([11.0, 16.0], ["seat 1 discarded without having drawn"]),
    ([16.0, 16.1], []),  # two behind, then one: the draws were seen late
])  # fmt: skip
def test_a_draw_that_was_not_made_is_missing_alike_at_each_turn(drawn: list[float], accused: list[str]):
    table, turns = _three_turns()
    table._drawn = [Drawn(at, "head") for at in drawn]
    table._compare(turns)
    assert _told_of(table) == accused


@pytest.mark.parametrize(("drawn", "accused"), [
    ([6.0, 7.0, 17.0, 17.5, 22.0, 26.0], "seat 1 took a tile too many from the wall"),  # the draw of seat 2 was seen late
    ([6.0, 11.0, 16.0, 17.0, 22.0, 26.0], "seat 3 took a tile too many from the wall"),
])  # fmt: skip
def test_a_tile_more_was_drawn_where_it_was_seen_first(drawn: list[float], accused: str):
    """Nobody sees a draw before it is made; of five turns the walls show a tile more at the last three alike."""
    table, turns = _three_turns()
    for seat in (0, 1):
        table._commit(ev.Draw(seat=seat, end="head"))
        thrown = table._commit(ev.Discard(seat=seat, tile=20 + seat))
        turns.append(Turn(thrown.n, seat, 25.0 + 5.0 * seat, (4 + seat, 0)))
    table._happened = []
    table._drawn = [Drawn(at, "head") for at in drawn]
    table._compare(turns)
    assert _told_of(table) == [accused]


@pytest.mark.parametrize(("tiles", "accused"), [(1, []), (2, ["seat 1 took a tile too many from the wall"])])
def test_a_tile_more_from_the_tail_is_believed_once_its_stack_is_gone(tiles: int, accused: list[str]):
    """An upper tile that seems to be gone there may have been pushed."""
    table, turns = _three_turns()
    table.walls.stacks[-1].tiles = tiles
    table._drawn = [*(Drawn(5.0 * seat + 1.0, "head") for seat in (1, 2, 3)), Drawn(6.0, "tail")]
    table._compare(turns)
    assert _told_of(table) == accused


def test_of_walls_that_were_misread_the_most_that_was_seen_is_what_is_wrong_with_them():
    """Three stacks' tiles were none of the wall; that one draw after is seen late makes nobody a thief when it is seen."""
    table = _account([1.0, 1.1, 1.2, 11.0])
    table._compare([Turn(10, 0, 5.0, (0, 0)), Turn(11, 1, 15.0, (1, 0)), Turn(12, 2, 20.0, (2, 0))])
    assert table._unlike == (3, 0)
    assert _told_of(table) == []


def test_what_was_drawn_while_the_walls_told_nothing_is_held_against_nobody():
    table = _account([1.0])
    table._turns = _turns()
    table.walls.at_once = TOGETHER
    table._turn_made(ev.Discard(n=20, seat=0, tile=0), 0, _spot(99, 0.0, -100.0, "up"))
    assert table._turns == [] and not table.walls_tell
