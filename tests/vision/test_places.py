"""What lies where: print on a cloth, blank tiles told by their place, indicators. Truth: the tiles laid here, and the rules."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from referee.rules import tiles as t
from referee.table import events as ev
from tests.vision.tables import STEP, WIDTH, lying, table_after
from vision.calibrate import CORNERS, from_corners
from vision.infer import Follower
from vision.story import READABLE, SETTLED, UNREAD
from vision.track import BLANK, NAMES, Track
from vision.zones import LONE, WHITES, Custom, Scene, Spot, scene_of

HALF = 400.0  # mm from the table's middle to its edge
FLAT = replace(from_corners([[x * HALF + HALF, HALF - y * HALF] for x, y in CORNERS], 800, 800, HALF), tile_width=WIDTH)
WALL = tuple((x, -260.0) for x in np.arange(-240.0, 250.0, WIDTH))  # of seat 0


def _seen(spot: Spot, sure: float) -> Spot:
    spot.track.sure = sure
    return spot


def _dealt(rules_id: str = "hongkong") -> Follower:
    table = table_after(rules_id, ev.Deal())
    table._walls = list(WALL)
    table._now = 2 * SETTLED
    return table


@pytest.mark.parametrize(("zone", "face", "sure", "believed"), [
    ("river", "4s", 0.22, False), ("river", "4s", 0.9, True),  # print is read well, but hardly seen to be a tile
    ("river", "P", 0.16, True), ("river", "P", 0.1, False),
    ("open", "7p", 0.39, True), ("open", "9s", 0.07, False),
    ("bonus", "2f", 0.14, True), ("bonus", "4s", 0.14, False),
])  # fmt: skip
def test_what_hardly_looks_like_a_tile_is_print(zone: str, face: str, sure: float, believed: bool) -> None:
    spot = _seen(lying(1, face, 0, 0.0, -100.0, zone), sure)
    assert _dealt()._believable(spot) == believed


@pytest.mark.parametrize(
    ("zone", "lain", "believed"), [("river", UNREAD, True), ("river", SETTLED, False), ("open", SETTLED, True)]
)
def test_what_surely_lies_there_is_a_tile_though_its_face_is_hardly_read(zone: str, lain: float, believed: bool) -> None:
    """It would be missed for long otherwise; in a set the others tell what it is."""
    spot = _seen(lying(1, "E", 0, 0.0, -100.0, zone), 0.96)
    spot.track.scores[NAMES.index("S")] = spot.track.scores[NAMES.index("N")] = -0.05
    assert spot.confidence < READABLE
    table = _dealt()
    table._now = lain
    assert table._believable(spot) == believed


def _track(
    number: int, face: str, x: float, y: float, sure: float = 0.9, white: float = 0.02, width: float = WIDTH
) -> Track:  # fmt: skip
    scores = np.full(len(NAMES), -12.0)
    scores[NAMES.index(face)] = 0.0
    facing = {"back": "down", "edge": "standing"}.get(face, "up")
    return Track(number, x, y, 0.0, facing, scores, 0.0, 0.0, settled=True, width=width, white=white, sure=sure)


def _told(custom: Custom, *tracks: Track) -> list[tuple[str, str]]:
    return [(s.zone, s.face) for s in scene_of(tracks, FLAT, custom).spots]


PLAYED = Custom(walls=WALL, aside=frozenset({"1f", "P"}))


def test_a_lone_back_where_only_faces_lie_is_a_white_dragon() -> None:
    """Where no wall has stood; not what is hardly seen, not where none are played with, not in line with a wall."""
    assert _told(PLAYED, _track(1, "back", 30.0, -100.0)) == [("river", "P")]
    assert _told(PLAYED, _track(1, "back", 30.0, -100.0, sure=LONE / 2)) == [("wall", "back")]
    assert _told(replace(PLAYED, whites=False), _track(1, "back", 30.0, -100.0)) == [("wall", "back")]
    assert _told(PLAYED, _track(1, "back", 290.0, -262.0)) == [("wall", "back")]


def test_a_blank_tile_in_the_middle_is_a_white_dragon_though_it_is_read_as_the_edge_of_a_standing_one() -> None:
    """Nobody stands a tile there; what has nothing white about it, or is as small as a die, is none."""
    assert _told(PLAYED, _track(1, "edge", 30.0, -100.0, white=BLANK)) == [("river", "P")]
    assert _told(PLAYED, _track(1, "edge", 30.0, -100.0)) == [("wall", "edge")]
    assert _told(PLAYED, _track(1, "edge", *WALL[4], white=BLANK)) == [("wall", "edge")]
    assert _told(PLAYED, _track(1, "back", 0.0, 10.0, white=BLANK, width=0.55 * WIDTH)) == [("wall", "back")]


def test_more_backs_than_there_are_white_dragons_are_a_wall_that_was_pushed() -> None:
    pushed = [_track(k, "back", -100.0 + 60.0 * k, -100.0) for k in range(WHITES + 1)]
    assert {zone for zone, _ in _told(PLAYED, *pushed)} == {"wall"}


def test_a_white_dragon_where_a_wall_stands_is_its_back() -> None:
    x, y = WALL[4]
    white = _track(1, "P", x + 2.0, y, white=1.0)
    assert _told(PLAYED, white) == [("wall", "back")]
    assert _told(replace(PLAYED, turned=True), white) != [("wall", "back")]  # it may be the indicator


def test_a_back_in_the_row_of_tiles_set_aside_is_a_white_dragon_too() -> None:
    """On a table where those are set aside, with nothing white about it to be seen."""
    row = [_track(1, "1f", 0.0, -310.0), _track(2, "back", STEP, -310.0, white=0.0)]
    assert _told(PLAYED, *row)[1] == ("bonus", "P")
    assert _told(replace(PLAYED, aside=frozenset({"1f"})), *row)[1] == ("wall", "back")


def _turned_up(*spots: Spot, stood: float = 0.0) -> list[ev.Event]:
    """What is told of tiles before Fuzhou's dealer has discarded; the hands have stood since then, seconds."""
    table = _dealt("fuzhou")
    table._happened, table._dealt = [], stood
    walls = [_seen(lying(100 + k, "back", 0, x, y, "wall"), 1.0) for k, (x, y) in enumerate(WALL)]
    table._see_indicator(Scene((*walls, *spots)))
    return [h.event for h in table._happened if isinstance(h.event, ev.Indicator)]


def test_an_indicator_lies_in_the_wall_not_before_it() -> None:
    """Fuzhou sets honours aside between hand and wall, which may be no further than a tile apart."""
    x, y = WALL[3]
    assert _turned_up(lying(1, "C", 0, x, y - 0.9 * WIDTH, "bonus")) == []
    (indicator,) = _turned_up(lying(1, "C", 0, x, y, "bonus"))
    assert indicator.tile == t.parse_one("C")


def test_what_seemed_a_face_before_the_hands_stood_is_no_indicator() -> None:
    """It is turned up after the deal. A back of the wall read as a bamboo, hardly seen, is none, even if nothing else is."""
    print_ = _seen(lying(1, "4s", 0, *WALL[3], "river"), 0.6)
    turned = lying(2, "9m", 0, *WALL[8], "river")
    turned.track.born = 12.0
    assert _turned_up(print_, stood=9.0) == []
    (indicator,) = _turned_up(print_, turned, stood=9.0)
    assert indicator.tile == t.parse_one("9m")
    (early,) = _turned_up(lying(3, "9m", 0, *WALL[8], "river"), stood=9.0)  # plainly seen, however early
    assert early.tile == t.parse_one("9m")


def test_what_lay_there_before_the_deal_is_none_of_the_game() -> None:
    table = _dealt()
    printed = lying(7, "4s", 3, 0.0, -387.0)
    assert table._new([printed]) == [printed]
    table._printed = {7: "4s"}
    assert table._new([printed]) == []
    assert table._new([replace(printed, read="5m")]) != []  # something else has come to lie there


def test_a_face_behind_a_standing_tile_makes_nobody_the_dealer() -> None:
    table = _dealt()
    row = [lying(k, "edge", 3, WIDTH * k, -360.0, "hand") for k in range(13)]
    behind, beside = lying(20, "4s", 3, 2 * WIDTH, -387.0), lying(21, "4s", 3, 13 * WIDTH, -360.0)
    assert table._standing_faces(Scene((*row, behind, beside)), 3) == 1


def test_tiles_set_aside_are_told_as_they_lie() -> None:
    """Of three the middle one is read last: it is waited for, as there is room for it."""
    table = _dealt()
    table.accounts.bonus[1] = 3
    row = [lying(1, "1f", 3, 0.0, -317.0, "bonus"), lying(2, "3q", 3, 2 * WIDTH, -317.0, "bonus")]
    table._waiting = {2: table._now - 0.2}
    assert table._one_between(row[1], Scene(tuple(row)))
    table._waiting = {2: table._now - 5.0}
    assert not table._one_between(row[1], Scene(tuple(row)))


@pytest.mark.parametrize(("stirs", "seat"), [
    ([1, 1, 1, 2, 2, 2, 2, 2], 1),  # he who comes next was drawing already
    ([2, 2, 2, 2], 2),  # nothing moved on the side of the player in turn
    ([1, 3, 3, 3], 3),  # another moved much more
])  # fmt: skip
def test_in_a_heap_a_discard_is_his_who_moved(stirs: list[int], seat: int) -> None:
    table = table_after("wuhan", ev.Deal(), ev.Discard(seat=0, tile=t.parse_one("9p")))
    table._stirs = [(0.0, 0), *((8.5 + 0.1 * k, who) for k, who in enumerate(stirs))]
    spot = lying(1, "1s", 0, 0.0, -50.0, "river")
    spot.track.born = 10.0
    assert table._mover(spot, 1) == seat


@pytest.mark.parametrize(("drawn", "seat"), [(1, 1), (2, 3), (0, 3)])
def test_in_a_heap_one_draw_is_his_whose_turn_it_is(monkeypatch: pytest.MonkeyPatch, drawn: int, seat: int) -> None:
    """Where two tiles were drawn since the discard before, one after him has drawn as well, and may have thrown."""
    table = table_after("wuhan", ev.Deal(), ev.Discard(seat=0, tile=t.parse_one("9p")))
    table._stirs = [(0.0, 0), (8.6, 1), *((8.7 + 0.1 * k, 3) for k in range(5))]
    monkeypatch.setattr(table, "_drawn_since", lambda spot: drawn)
    spot = lying(1, "1s", 0, 0.0, -50.0, "river")
    spot.track.born = 10.0
    assert table._mover(spot, 1) == seat


@pytest.mark.parametrize(("stirs", "told"), [([(0.0, 0)], "5m"), ([(0.0, 0), (11.0, 3)], None)])
def test_in_a_heap_the_missed_discard_comes_to_light_where_nobody_moves(stirs: list[tuple[float, int]], told: str | None) -> None:
    """Seat 1's discard was not seen; a tile that appears though nobody has moved since the next can only be that one."""
    table = table_after("wuhan", ev.Deal(), ev.Discard(seat=0, tile=t.parse_one("9p")))
    table.rows, table._happened = False, []
    table._skip_to(2, lying(2, "1p", 2, 0.0, -50.0, "river"))
    table._draw_before(2)
    table._commit(ev.Discard(seat=2, tile=t.parse_one("1p")))
    table._thrown_at, table._stirs = 10.0, stirs
    spot = lying(1, "5m", 3, 0.0, -50.0, "river")
    spot.track.born = 12.0
    filled = table._fills(spot)
    (missed,) = table.state.seats[1].discards
    assert filled == (told is not None)
    assert missed.tile == (t.parse_one(told) if told else None)


@pytest.mark.parametrize(("born", "told"), [(9.0, "P"), (12.0, None)])
def test_in_rows_a_missed_discard_that_lay_there_before_the_next_is_filled_in(born: float, told: str | None) -> None:
    """Seat 1 moved and threw a blank tile, which was taken for a back at first, then seat 2 threw. Had seat 1 thrown only after
    seat 2, nothing of his would have been missed: seat 2 was out of turn."""
    table = table_after("hongkong", ev.Deal(), ev.Discard(seat=0, tile=t.parse_one("9p")))
    table._happened = []
    next_one = lying(2, "1p", 2, 0.0, -100.0, "river")
    next_one.track.born = 10.0
    table._skip_to(2, next_one)
    table._draw_before(2)
    table._commit(ev.Discard(seat=2, tile=t.parse_one("1p")))
    table._stirs = [(0.0, 0), (born - 0.5, 1)]
    blank = lying(1, "P", 1, 0.0, -100.0, "river")
    blank.track.born = born
    assert table._fills(blank)
    assert [thrown.tile for thrown in table.state.seats[1].discards] == ([t.parse_one(told)] if told else [])


def test_an_indicator_read_late_had_been_turned_up_with_the_deal() -> None:
    """Its face was read only once the dealer had discarded. The other answer takes its place and leaves the deal."""
    table = table_after("hangzhou", ev.Deal(), ev.Discard(seat=0, tile=t.parse_one("8m")))
    table._walls, table._happened = list(WALL), []
    spot = lying(30, "5m", 0, WALL[5][0], WALL[5][1], "river")
    spot.track.scores[NAMES.index("6m")] = -1.3
    table._now = SETTLED
    table._see_indicator(Scene((spot,)))
    assert [type(told.event) for told in table.ledger.told] == [ev.Start, ev.Deal, ev.Indicator, ev.Discard]
    assert table.state.indicator == t.parse_one("5m")
    (question,) = [h.question for h in table._happened if h.question]
    assert question.answers[0] is None
    assert [type(event) for event in question.answers[1] or ()] == [ev.Deal, ev.Indicator]
    table.turned_up(2, 6, SETTLED)
    assert [type(told.event) for told in table.ledger.told] == [ev.Start, ev.Deal, ev.Indicator, ev.Discard]
    assert [told.event.wall for told in table.ledger.told if isinstance(told.event, ev.Indicator)] == [2]
