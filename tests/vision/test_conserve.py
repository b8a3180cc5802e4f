"""A copy too many is evidence of what was read with doubt. Truth: four tiles of a kind."""

from __future__ import annotations

import math

import pytest

from referee.rules import tiles as t
from referee.table import events as ev
from tests.vision.tables import lying, table_after
from vision.infer import Follower
from vision.track import NAMES
from vision.zones import Spot

FOUR = t.parse_one("4m")


def _table(read: dict[str, float]) -> Follower:
    """Seat 0 has discarded what was read so, the others three more of its kind."""
    table = table_after("hongkong", ev.Deal())
    first = table._commit(ev.Discard(seat=0, tile=FOUR), (), read["4m"])
    table._read_as[first.n] = lying(1, "4m", 0, 0.0, -50.0, "river")
    _read(table._read_as[first.n], read)
    for seat in (1, 2, 3):
        table._commit(ev.Draw(seat=seat))
        table._commit(ev.Discard(seat=seat, tile=FOUR), (), 1.0)
    table._commit(ev.Draw(seat=0))
    return table


def _read(spot: Spot, as_: dict[str, float]) -> None:
    """The tile is read so by now."""
    spot.track.scores[:] = -12.0
    for name, p in as_.items():
        spot.track.scores[NAMES.index(name)] = math.log(p)


def _first(table: Follower) -> str:
    return t.NAMES[table.state.seats[0].discards[0].tile]


@pytest.mark.parametrize("read", [{"4m": 0.54, "7p": 0.44}, {"4m": 0.93, "7p": 0.06}])
def test_what_was_doubtful_gives_way_to_what_is_seen(read: dict[str, float]) -> None:
    table = _table(read)
    table._commit(ev.Discard(seat=0, tile=FOUR), (), 1.0)
    assert _first(table) == "7p"
    assert [fault for _, fault in table.ledger.game.faults] == []
    asked = [h.question for h in table._happened if h.question]
    assert len(asked) == (read["4m"] >= 0.8)  # the other was asked about when it was discarded


def test_what_was_sure_stands() -> None:
    table = _table({"4m": 0.999, "7p": 0.0005})
    table._commit(ev.Discard(seat=0, tile=FOUR), (), 1.0)
    assert _first(table) == "4m"
    assert [fault.kind for _, fault in table.ledger.game.faults] == ["extra_tile"]


def test_further_looks_count() -> None:
    table = _table({"4m": 0.999, "7p": 0.0005})
    _read(table._read_as[table.state.seats[0].discards[0].n], {"4m": 0.97, "7p": 0.02})
    table._commit(ev.Discard(seat=0, tile=FOUR), (), 1.0)
    assert _first(table) == "7p"


@pytest.mark.parametrize(("read", "told"), [({"4m": 0.993, "3m": 0.003}, "3m"), ({"4m": 0.996, "3m": 0.0005}, "4m")])
def test_rather_than_a_fifth_copy_a_tile_is_what_it_also_looks_like(read: dict[str, float], told: str) -> None:
    """A reader takes one face for another once in some hundreds; not one set in a thousand holds a fifth copy."""
    table = _table({"4m": 0.999, "7p": 0.0001})
    spot = lying(9, "4m", 0, 0.0, -80.0, "river")
    _read(spot, read)
    likely = table._likely(spot, lambda tile: ev.Discard(seat=0, tile=tile))
    assert likely[0][0] == told
    assert likely[0][1] < 0.8 or told == "4m"  # asked about
