"""Turns that nobody saw. Truth: the rules of Hong Kong, in which a run is made with the discard of the player before alone, and
the tiles laid here."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.rules import tiles as t
from referee.table import events as ev
from tests.vision.tables import STEP, lying, table_after
from vision.absence import TOGETHER, Found, Laid, Orders, Turn
from vision.infer import Follower
from vision.story import AGAIN, ASK, LOST, UNREAD, Question
from vision.track import NAMES
from vision.zones import Scene, Spot

SEEN_AGAIN = 100.0  # seconds


def _table() -> Follower:
    """East has discarded, and the tile lies there."""
    table = table_after("hongkong", ev.Deal(), ev.Discard(seat=0, tile=t.parse_one("1m")))
    table._last_discard = 1
    table.accounts.river[1] = 0, 3
    return table


def _thrown(*rows: str) -> list[Spot]:
    """Rivers, one a player, the first discard of East's with him."""
    spots = [lying(1, "1m", 0, -3 * STEP, -100.0, "river")]
    for seat, row in enumerate(rows):
        first = 1 if seat == 0 else 0
        spots += [
            lying(10 * (seat + 1) + k, face, seat, (k + first - 3) * STEP, -100.0, "river")
            for k, face in enumerate(row.split())
        ]
    for spot in spots:
        spot.track.born = SEEN_AGAIN if spot.track.id > 1 else 0.0
    return spots


def _set(seat: int, faces: str, aside: int) -> list[Spot]:
    """A set with one tile turned aside."""
    spots = [lying(60 + 10 * seat + k, face, seat, 200.0 + k * STEP, -380.0) for k, face in enumerate(faces.split())]
    for spot in spots:
        spot.track.born = SEEN_AGAIN
    return [replace(s, turn=90.0) if k == aside else s for k, s in enumerate(spots)]


def _told(table: Follower, spots: list[Spot], until: float = UNREAD + 0.5) -> tuple[list[ev.Event], list[Question]]:
    """What is told and asked while the tiles lie there, draws left out."""
    events: list[ev.Event] = []
    questions: list[Question] = []
    now = SEEN_AGAIN
    while now <= SEEN_AGAIN + until:
        for happening in table.observe(Scene(tuple(spots)), now, lambda seat: True):
            events += [happening.event] if happening.event is not None and not isinstance(happening.event, ev.Draw) else []
            questions += [happening.question] if happening.question else []
        now += 0.25
    return events, questions


def _discards(events: list[ev.Event]) -> list[tuple[int, str | None]]:
    thrown = [e for e in events if isinstance(e, ev.Discard)]
    return [(e.seat, None if e.tile is None else t.NAMES[e.tile]) for e in thrown]


def test_discards_that_come_to_light_together_are_told_in_turn_with_doubt_and_one_question() -> None:
    table = _table()
    events, questions = _told(table, _thrown("5m", "2m 6m", "3m", "4m"))
    assert _discards(events) == [(1, "2m"), (2, "3m"), (3, "4m"), (0, "5m"), (1, "6m")]
    assert all((e.confidence or 0.0) < ASK for e in events)
    (question,) = questions
    assert question.about == table.ledger.told[-1].event.n - 9  # the first draw of five turns
    assert table.state.turn == 2 and not table.lost


def test_a_set_was_made_of_a_discard_that_does_not_lie_there() -> None:
    """West's set has its left tile aside: that of South, who is next. West, North and East discarded since."""
    events, questions = _told(_table(), _thrown("6m", "", "4m", "5m") + _set(2, "2m 2m 2m", 0))
    assert _discards(events) == [(1, "2m"), (2, "4m"), (3, "5m"), (0, "6m")]
    (claim,) = [e for e in events if isinstance(e, ev.Pung)]
    assert (claim.seat, claim.source) == (2, 1) and (claim.confidence or 0.0) < ASK
    assert len(questions) == 1


@pytest.mark.parametrize(("giver", "orders"), [(1, 1), (None, 1), (3, 0)])
def test_whose_a_tile_turned_aside_was_its_side_tells(giver: int | None, orders: int) -> None:
    block = tuple(_set(2, "2m 2m 2m", 0))
    tiles = tuple(t.parse_one(s.face) for s in block)
    found = Found(((), (), (), ()), (Laid(2, "pung", tiles, block, frozenset(tiles), giver),))
    assert len(Orders(found, 4).of(1)) == orders
    assert len(Orders(found, 4, plain=False).of(1)) == 1


def test_discards_seen_one_after_the_other_are_told_as_they_are_seen() -> None:
    table, spots = _table(), _thrown("", "2m", "3m", "4m")
    for k, spot in enumerate(spots[1:]):
        spot.track.born = SEEN_AGAIN - 3 * TOGETHER + k * TOGETHER
    events, questions = _told(table, spots)
    assert _discards(events) == [(1, "2m"), (2, "3m"), (3, "4m")]
    assert all((e.confidence or 0.0) >= ASK for e in events) and not questions


def test_where_nothing_adds_up_the_thread_is_lost_and_play_is_taken_up() -> None:
    """South's second discard has come round, but neither West's nor North's first lies there."""
    table, spots = _table(), _thrown("5m", "2m 6m", "", "")
    events, questions = _told(table, spots, LOST - 0.5)
    assert events == [] and questions == []
    events, questions = _told(table, spots, 2 * LOST)
    assert _discards(events) == [(1, "2m"), (2, None), (3, None), (0, "5m"), (1, "6m")]
    assert all((e.confidence or 0.0) < ASK for e in events)
    assert table.lost and table.state.turn == 2
    (question,) = questions
    assert question.text.startswith("the thread is lost") and "recount" in question.choices


def test_in_a_heap_a_tile_is_any_of_those_turns() -> None:
    table = _table()
    table.rows = False
    events, questions = _told(table, _thrown("", "2m", "3m", "4m"))
    assert sorted(_discards(events)) == [(1, "2m"), (2, "3m"), (3, "4m")]
    assert all((e.confidence or 0.0) <= 1 / 3 for e in events) and len(questions) == 1


def test_what_is_read_only_later_but_lay_there_then_is_told_with_doubt() -> None:
    """Five tiles are read at once; the sixth, West's, can be read only three seconds later."""
    table, spots = _table(), _thrown("5m", "2m 6m", "3m 7m", "4m")
    late = next(s.track for s in spots if s.face == "7m")
    late.scores[:], late.sure = 0.0, 0.5
    events, _ = _told(table, spots)
    assert _discards(events)[-1] == (1, "6m") and table.state.turn == 2
    late.scores[:] = -12.0
    late.scores[NAMES.index("7m")], late.sure = 0.0, 1.0
    events, questions = _told(table, spots)
    assert _discards(events) == [(2, "7m")] and not questions
    assert all((e.confidence or 0.0) < ASK for e in events)


def test_of_tiles_that_cannot_be_read_nothing_is_told() -> None:
    """Print on the cloth, say: three that are hardly seen to be tiles."""
    table, spots = _table(), _thrown("", "2m", "3m", "4m")
    for spot in spots[1:]:
        spot.track.sure = 0.01
    assert _told(table, spots, 2 * LOST) == ([], []) and not table.lost


def test_more_is_waited_for_until_everything_has_been_looked_at_again() -> None:
    """What was seen in one look is not all that is there."""
    table, spots = _table(), _thrown("5m", "2m 6m", "3m", "4m")
    assert _told(table, [s for s in spots if s.face != "3m"], AGAIN / 2)[0] == []
    assert _discards(_told(table, spots)[0]) == [(1, "2m"), (2, "3m"), (3, "4m"), (0, "5m"), (1, "6m")]


@pytest.mark.parametrize(("seat", "orders"), [(2, 1), (3, 0)])
def test_a_run_is_made_with_the_discard_of_the_player_before(seat: int, orders: int) -> None:
    """It is seat 1's turn, and nothing else was played."""
    block = tuple(_set(seat, "2m 3m 4m", 0))
    tiles = tuple(sorted(t.parse_one(s.face) for s in block))
    laid = Laid(seat, "chow", tiles, block, frozenset(tiles), None)
    found = Found(((), (), (), ()), (laid,))
    assert Orders(found, 4).of(1) == [[Turn(1, None, laid)]] * orders


def test_what_is_not_believed_yet_is_put_in_no_order() -> None:
    """Three marks on the cloth that might be read as faces came into view at once."""
    spots = [s for s in _thrown("1m", "2m 3m 4m") if s.track.id >= 20]
    for spot in spots:
        spot.track.sure = 0.3  # less than a tile that lies
    table = _table()
    table._now = SEEN_AGAIN + LOST
    assert table._found_at_once(Scene(tuple(spots)), {s.track.id: s for s in spots}) is None
    assert _told(_table(), spots, LOST + 1.0) == ([], [])
