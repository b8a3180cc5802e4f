"""Hands laid open of which not everything is seen. Truth: the hands laid here, and the rules of Hong Kong."""

from __future__ import annotations

from referee.rules import tiles as t
from referee.table import events as ev
from tests.vision.tables import STEP, WIDTH, lying, table_after
from vision.infer import Follower
from vision.zones import Spot, _whites, set_apart

FLUSH = ["1m", "1m", "1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "8m", "8m", "9m"]


def _table() -> Follower:
    """East has discarded, and it is the turn of seat 1."""
    return table_after("hongkong", ev.Deal(), ev.Discard(seat=0, tile=t.parse_one("E")))


def _spot(number: int, x: float, face: str, zone: str = "open", white: float = 0.0) -> Spot:
    return lying(number, face, 1, x, -300.0, zone, white)


def _row(faces: list[str], but: int | None = None, drawn: str | None = None) -> list[Spot]:
    """A hand laid in a row, one of its tiles not seen, and the drawn tile half a width apart."""
    row = [_spot(k, k * STEP, face) for k, face in enumerate(faces) if k != but]
    return row + ([_spot(99, (len(faces) + 0.5) * STEP, drawn)] if drawn else [])


def test_the_drawn_tile_lies_apart() -> None:
    row = _row(FLUSH, but=7, drawn="9m")
    assert set_apart(row) is row[-1]
    assert set_apart(_row(FLUSH)) is None


def test_a_tile_not_seen_is_what_makes_the_hand_whole() -> None:
    """111 234 5_7 888 99: the gap lies where the 6 is missing."""
    table = _table()
    laid = table._read_hand(1, _row(FLUSH, but=7, drawn="9m"), {})
    assert laid.win is not None and laid.win.tile == t.parse_one("9m")
    assert t.NAMES[laid.unseen[0][0]] == "6m"
    table._declare(laid, ())
    assert table.state.wins[-1].legal and table._happened[-1].question is not None


def test_a_whole_hand_is_not_asked_about_and_no_hand_is_made_up() -> None:
    table = _table()
    assert table._read_hand(1, _row(FLUSH, drawn="9m"), {}).unseen == ()
    mixed = ["1m", "4m", "7m", "2p", "5p", "8p", "3s", "6s", "9s", "E", "S", "W", "N"]
    assert table._read_hand(1, _row(mixed), {}).win is None


def test_blank_tiles_in_a_row_with_faces_are_white_dragons() -> None:
    """Two side by side and one apart; what stands behind the row, or lies far from it, is none."""
    faces = ["1m", "2m", "3m", "5m", "5m"]
    blank = [_spot(10 + k, x * STEP, "back", "hand", 0.3) for k, x in enumerate((5, 6, 7.5, 12))]
    solid = _spot(20, -STEP, "edge", "hand")
    told = _whites([*_row(faces), *blank, solid], WIDTH)
    assert [s.face for s in told if s.zone == "open"] == [*faces, "P", "P", "P"]


def test_a_hand_is_won_on_the_tile_turned_up() -> None:
    """Fuzhou, before the dealer's first discard: 79m waits for a wild tile, which the one turned up is."""
    table = table_after("fuzhou", ev.Deal(), ev.Indicator(tile=t.parse_one("5m")))
    hand = ["7m", "9m", "2p", "3p", "4p", "1s", "2s", "3s", "4s", "5s", "6s", "7s", "7s", "7s", "9s", "9s"]
    win = table._read_hand(3, _row(hand), {}).win
    assert win is not None and (win.source, win.tile) == ("indicator", t.parse_one("5m"))
    assert table._read_hand(3, _row(["1m", *hand[1:]]), {}).win is None


def test_a_white_dragon_too_many_in_a_hand_too_long_is_none() -> None:
    """All four lie in the river: a fifth beside a hand of thirteen is a blank thing; one that is no copy too many counts."""
    mixed = ["1m", "4m", "7m", "2p", "5p", "8p", "3s", "6s", "9s", "E", "S", "W", "N"]
    for thrown, length in ((4, 13), (3, 14)):
        dragon = ev.Discard(seat=0, tile=t.parse_one("P"))
        table = table_after("hongkong", ev.Deal(), dragon)
        for seat in range(1, thrown):
            table._commit(ev.Draw(seat=seat))
            table._commit(ev.Discard(seat=seat, tile=dragon.tile), (), 1.0)
        table._reveal(2, [*_row(mixed), _spot(99, 14 * STEP, "P")], ())
        (shown,) = [told.event for told in table.ledger.told if isinstance(told.event, ev.Reveal)]
        assert shown.hand is not None and len(shown.hand) == length
