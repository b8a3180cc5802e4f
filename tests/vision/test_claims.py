"""Sets of which one tile is not seen. Truth: the rules of Hong Kong, and the tiles laid here."""

from __future__ import annotations

import pytest

from referee.rules import tiles as t
from referee.table import events as ev
from tests.vision.tables import STEP, WIDTH, lying, table_after
from vision.infer import Follower
from vision.sets import HALF_SEEN
from vision.zones import Scene, Spot


def _table(discarded: str) -> Follower:
    """East has discarded what was seen as track 1 and has been lifted since."""
    table = table_after("hongkong", ev.Deal(), ev.Discard(seat=0, tile=t.parse_one(discarded)))
    table._last_discard = 1
    return table


def _laid(seat: int, *faces: str, zone: str = "open", first: int = 10) -> list[Spot]:
    return [lying(first + k, face, seat, 200.0 + k * STEP, -380.0, zone) for k, face in enumerate(faces)]


def _claims(table: Follower, seat: int, spots: list[Spot], lain: float = HALF_SEEN) -> list[ev.Event]:
    """What is told once the tiles have lain for a while."""
    table._waiting = {s.track.id: 0.0 for s in spots}
    table._now = lain
    table._happened = []
    table._see_melds(Scene(tuple(spots)), {s.track.id: s for s in spots}, lambda seat: True)
    return [h.event for h in table._happened if h.event is not None]


def test_the_third_tile_of_a_set_may_be_either() -> None:
    """2m was discarded; 2m and 3m lie there: 123 or 234."""
    table = _table("2m")
    (chow,) = _claims(table, 1, _laid(1, "2m", "3m"))
    assert isinstance(chow, ev.Chow) and chow.claimed == t.parse_one("2m")
    (asked,) = [h.question for h in table._happened if h.question]
    assert set(asked.choices) == {"123m", "234m"}


def test_two_alike_are_a_pung_and_only_the_next_player_chows() -> None:
    (pung,) = _claims(_table("W"), 3, _laid(3, "W", "W"))
    assert isinstance(pung, ev.Pung)
    assert _claims(_table("2m"), 2, _laid(2, "2m", "3m")) == []


@pytest.mark.parametrize(("faces", "lain"), [(("5p", "9s"), 2 * HALF_SEEN), (("2m", "3m"), HALF_SEEN / 2)])
def test_what_is_no_set_or_has_hardly_lain_is_waited_for(faces: tuple[str, str], lain: float) -> None:
    assert _claims(_table("2m"), 1, _laid(1, *faces), lain) == []


def test_a_bonus_tile_seen_while_a_set_is_laid_is_not_what_was_drawn() -> None:
    table = _table("2m")
    spots = [*_laid(1, "3m"), *_laid(1, "2f", zone="bonus", first=20)]
    present = {s.track.id: s for s in spots}
    assert not table._see_bonus(Scene(tuple(spots)), present, lambda seat: True)
    assert table._see_bonus(Scene(tuple(spots[1:])), present | {1: spots[1]}, lambda seat: True)


def test_a_tile_seen_twice_is_one() -> None:
    """Of a kong's four tiles one is found six tenths of a width beside itself as well, where no other has room."""
    spots = [*_laid(1, "3p", "3p", "3p", "3p"), lying(30, "3p", 1, 200.0 + STEP + 0.6 * WIDTH, -380.0)]
    table = _table("3p")
    table._found_again(Scene(tuple(spots)), {s.track.id: s for s in spots})
    assert table.accounts.doubles == {30}
    assert [len(event.tiles or ()) for event in _claims(table, 1, spots)] == [4]
