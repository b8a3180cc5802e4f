"""Sets of which one tile is not seen. Truth: the rules of Hong Kong, and the tiles laid here."""

from __future__ import annotations

import math

import pytest

from referee.rules import tiles as t
from referee.table import events as ev
from tests.vision.tables import STEP, WIDTH, lying, table_after
from vision.infer import Follower
from vision.sets import HALF_SEEN
from vision.track import NAMES
from vision.zones import Scene, Spot


def _table(discarded: str) -> Follower:
    """East has discarded what was seen as track 1 and has been lifted since."""
    table = table_after("hongkong", ev.Deal(), ev.Discard(seat=0, tile=t.parse_one(discarded)))
    table._last_discard = 1
    return table


def _laid(seat: int, *faces: str, zone: str = "open", first: int = 10) -> list[Spot]:
    return [lying(first + k, face, seat, 200.0 + k * STEP, -380.0, zone) for k, face in enumerate(faces)]


def _claims(table: Follower, seat: int, spots: list[Spot], lain: float = HALF_SEEN, quiet: bool = True) -> list[ev.Event]:
    """What is told once the tiles have lain for a while."""
    table._waiting = {s.track.id: 0.0 for s in spots}
    table._now = lain
    table._happened = []
    table._see_melds(Scene(tuple(spots)), {s.track.id: s for s in spots}, lambda seat: quiet)
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


def test_who_claims_the_first_discard_sets_aside_only_afterwards() -> None:
    """Before the dealer's first discard was seen, West has a pung of it and a flower before him; North has but a flower."""
    table = table_after("jingzhou", ev.Deal())
    wests, norths = _laid(1, "C", zone="bonus", first=20), _laid(2, "C", zone="bonus", first=21)
    spots = [*_laid(1, "F", "F", "F"), *wests, *norths]
    table._happened = []
    present = {s.track.id: s for s in spots}
    assert table._see_bonus(Scene(tuple(spots)), present, lambda seat: True)
    assert table.accounts.bonus == {21: 2}
    assert not table._see_bonus(Scene(tuple(spots)), present, lambda seat: True)
    assert table._see_bonus(Scene(tuple(wests)), present, lambda seat: True)


def _told_of(table: Follower, seat: int, spots: list[Spot], besides: Spot | None = None, lain: float = 3.0) -> list[ev.Event]:
    """What is told of tiles that have lain for a while, if need be as made of a discard that nobody saw."""
    shown = [*spots, besides] if besides else spots
    table._waiting = {s.track.id: 0.0 for s in spots if s.track.facing == "up"}
    table._lying = {s.track.id: 0.0 for s in spots if s.track.facing == "down"}
    table._now, table._happened = lain, []
    scene, present = Scene(tuple(shown)), {s.track.id: s for s in shown}
    _ = table._see_melds(scene, present, lambda seat: True) or table._see_unseen_discards(scene, present, lambda seat: True)
    return [h.event for h in table._happened if h.event is not None]


def test_a_set_is_not_made_of_what_lies_in_the_river_yet() -> None:
    """East's 6m lies where it was put down. West may not chow from East: South discarded the 5m (the tile that lies left in
    the set), which nobody saw."""
    table = _table("6m")
    told = _told_of(table, 2, _laid(2, "5m", "4m", "6m"), lying(1, "6m", 0, 0.0, -100.0, "river"))
    assert [type(event) for event in told] == [ev.Draw, ev.Discard, ev.Chow]
    assert (told[1].seat, told[1].tile) == (1, t.parse_one("5m"))  # type: ignore[attr-defined]


def test_a_discard_that_has_been_claimed_is_not_told_anew_for_a_later_set() -> None:
    """East's S went into West's pung; what North lays after that West discarded."""
    table = _table("S")
    assert isinstance(_told_of(table, 2, _laid(2, "S", "S", "S"))[0], ev.Pung)
    discard, pung = _told_of(table, 3, _laid(3, "E", "E", "E", first=20))
    assert isinstance(discard, ev.Discard) and (discard.seat, discard.tile) == (2, t.parse_one("E"))
    assert isinstance(pung, ev.Pung) and pung.source == 2


def test_what_is_no_set_as_it_looks_is_the_likeliest_that_it_may_be() -> None:
    """6p, 8p and a tile between them that looks like 6p rather than like 7p."""
    table, block = _table("E"), _laid(2, "6p", "6p", "8p")
    scores = block[1].track.scores
    scores[NAMES.index("7p")] = -0.8
    told = _told_of(table, 2, block)
    assert [t.write(e.tiles or ()) for e in told if isinstance(e, ev.Chow)] == ["678p"]


@pytest.mark.parametrize(("chance", "asked"), [(-1.3, False), (-3.5, True)])
def test_an_odd_tile_in_a_set_is_asked_about_where_it_is_hardly_what_it_should_be(chance: float, asked: bool) -> None:
    """4m, 5m and what looks like 2m, with the 5m claimed: 345, where the odd one may be 3m with e^chance of 2m's chance."""
    table, block = _table("5m"), _laid(1, "5m", "2m", "4m")
    block[1].track.scores[NAMES.index("3m")] = chance
    told = _told_of(table, 1, block)
    assert [t.write(e.tiles or ()) for e in told if isinstance(e, ev.Chow)] == ["345m"]
    assert any(h.question for h in table._happened) == asked


def test_a_third_tile_that_is_hardly_read_yet_is_waited_for() -> None:
    table, block = _table("2m"), _laid(1, "2m", "3m")
    young = lying(30, "1m", 1, 200.0 + 2 * STEP, -380.0)
    young.track.scores[NAMES.index("4m")] = -0.5  # read with 0.6
    young.track.born = HALF_SEEN - 0.2
    assert _claims(table, 1, [*block, young]) == []
    assert _claims(table, 1, block) != []


@pytest.mark.parametrize("offered", ["P", "9m"])
def test_three_blank_tiles_are_a_set_of_white_dragons(offered: str) -> None:
    """They look like backs; whether or not the discard was seen."""
    hand = [lying(50 + k, "edge", 2, -150.0 + 30.0 * k, -360.0, "hand") for k in range(10)]
    backs = _laid(2, "back", "back", "back", zone="hand")
    told = _told_of(_table(offered), 2, [*hand, *backs])
    assert [t.write(e.tiles or ()) for e in told if isinstance(e, ev.Pung)] == ["PPP"]


def _kong(table: Follower, *tiles: tuple[str, int]) -> list[tuple[int, ...] | None]:
    """Concealed kongs told of tiles in places 0 to 3 of one."""
    spots = [
        lying(10 + place, face, 0, 280.0 + place * STEP, -380.0, "hand" if face == "back" else "open") for face, place in tiles
    ]  # fmt: skip
    hand = [lying(50 + k, "edge", 0, -150.0 + 30.0 * k, -360.0, "hand") for k in range(10)]
    return [e.tiles for e in _told_of(table, 0, [*hand, *spots]) if isinstance(e, ev.ConcealedKong)]


def test_a_concealed_kong_of_which_a_tile_is_not_seen() -> None:
    """By Hong Kong's custom its outer tiles lie face down. A back may be read as a white dragon."""
    east = (t.parse_one("E"),) * 4
    assert _kong(table_after("hongkong", ev.Deal()), ("back", 0), ("E", 2), ("P", 3)) == [east]
    assert _kong(table_after("hongkong", ev.Deal()), ("back", 0), ("E", 1), ("E", 2), ("P", 3)) == [east]
    assert _kong(table_after("hongkong", ev.Deal()), ("E", 0), ("back", 2), ("E", 3)) == []


def test_of_a_concealed_kong_a_face_half_seen_may_be_any() -> None:
    """The upper two thirds of a nine of dots look like a six; square tile widths."""
    spots = [lying(10 + k, face, 0, 280.0 + k * STEP, -380.0) for k, face in ((1, "6p"), (2, "9p"))]
    backs = [lying(20 + k, "back", 0, 280.0 + k * STEP, -380.0, "hand") for k in (0, 3)]
    hand = [lying(50 + k, "edge", 0, -150.0 + 30.0 * k, -360.0, "hand") for k in range(10)]
    for area, told in ((1.3, []), (0.9, [(t.parse_one("9p"),) * 4])):
        spots[0].track.area = area * WIDTH**2
        table = table_after("hongkong", ev.Deal())
        events = _told_of(table, 0, [*hand, *backs, *spots])
        assert [e.tiles for e in events if isinstance(e, ev.ConcealedKong)] == told


def _with_pung(table: Follower, spots: list[Spot]) -> Scene:
    """Seat 1 has claimed a pung, seen as these tiles, and it is his turn again."""
    pung, thrown = (t.parse_one("E"),) * 3, t.parse_one("1m")
    table._commit(ev.Pung(seat=1, tiles=pung, claimed=pung[0], source=0))
    for seat in (1, 2, 3, 0):
        table._draw_before(seat)
        table._commit(ev.Discard(seat=seat, tile=thrown))
    table.accounts.melds = {s.track.id: 1 for s in spots}
    scene = Scene(tuple(spots))
    table._found_again(scene, scene.by_id())
    return scene


@pytest.mark.parametrize(("zone", "out", "kong"), [("open", 6.0, True), ("off", 18.0, True), ("open", 1.0, False)])
def test_a_tile_on_top_of_a_pung_seems_to_be_another_further_out(zone: str, out: float, kong: bool) -> None:
    """A tile's height nearer to the camera it may lie beyond where a tile is the same; mm. A tile that was found again where it
    lay is none."""
    table, spots = _table("E"), _laid(1, "E", "E", "E")
    _with_pung(table, spots)
    middle = spots[1]
    share = 1 + out / math.hypot(middle.x, middle.y)
    on_top = lying(30, "E", 1, middle.x * share, middle.y * share, zone)
    scene = Scene((spots[0], on_top, spots[2]))
    table._happened = []
    table._found_again(scene, scene.by_id())
    table._see_melds(scene, scene.by_id(), lambda seat: False)
    assert any(isinstance(h.event, ev.AddedKong) for h in table._happened) == kong


def test_a_tile_of_a_kong_that_comes_to_light_later_is_no_new_one() -> None:
    table = table_after("hongkong", ev.Deal())
    assert _kong(table, ("back", 0), ("E", 2), ("back", 3))
    assert _told_of(table, 0, [lying(12, "E", 0, 280.0 + 2 * STEP, -380.0), lying(60, "E", 0, 280.0 + STEP, -380.0)]) == []
    assert 60 in table.accounts.melds


def test_a_tile_seen_twice_is_one() -> None:
    """Of a kong's four tiles one is found six tenths of a width beside itself as well, where no other has room."""
    spots = [*_laid(1, "3p", "3p", "3p", "3p"), lying(30, "3p", 1, 200.0 + STEP + 0.6 * WIDTH, -380.0)]
    table = _table("3p")
    table._found_again(Scene(tuple(spots)), {s.track.id: s for s in spots})
    assert table.accounts.doubles == {30}
    assert [len(event.tiles or ()) for event in _claims(table, 1, spots)] == [4]


def test_two_alike_before_a_player_whose_turn_it_is_not_are_a_pung_of_a_discard_nobody_saw() -> None:
    """East's 6m lies where it was put down; South discarded the W that West claimed. The third tile comes to light later."""
    table, river = _table("6m"), lying(1, "6m", 0, 0.0, -100.0, "river")
    assert _told_of(table, 2, _laid(2, "W", "W"), river, lain=1.0) == []
    assert _told_of(table, 2, [*_laid(2, "W", "W"), *_laid(2, "back", zone="hand", first=30)], river) == []  # a kong, rather
    pair = _laid(2, "W", "W")
    told = _told_of(table, 2, pair, river)
    assert [type(event) for event in told] == [ev.Draw, ev.Discard, ev.Pung]
    assert (told[1].seat, told[1].tile) == (1, t.parse_one("W"))  # type: ignore[attr-defined]
    third = lying(40, "W", 2, 200.0 - STEP, -380.0)
    assert _told_of(table, 2, [*pair, third], river) == []
    assert table._fresh([third]) == []


@pytest.mark.parametrize(("area", "told"), [(0.9, "456s"), (1.3, "256s")])
def test_a_tile_half_hidden_by_its_neighbour_is_what_makes_the_set(area: float, told: str) -> None:
    """Of 4s only the lower half is seen, which looks like 2s; square tile widths."""
    table, block = _table("5s"), _laid(1, "5s", "2s", "6s")
    block[1].track.scores[NAMES.index("4s")] = -6.0  # less than one set in two hundred is none
    block[1].track.area = area * WIDTH**2
    (chow,) = [event for event in _told_of(table, 1, block) if isinstance(event, ev.Chow)]
    assert t.write(chow.tiles or ()) == told
    assert any(h.question for h in table._happened)


def test_a_back_beside_a_blank_tile_is_a_white_dragon_where_one_was_claimed() -> None:
    """A white dragon has been lifted; a blank tile has come to lie, and two widths on what looks like a back of the wall."""
    table = _table("P")
    table._offered_at = -1.0
    blank, back = (lying(10 + k, "back", 3, 200.0 + 2 * k * STEP, -380.0, "hand", white) for k, white in enumerate((0.3, 0.05)))
    table._lying = {10: 0.0, 11: 0.0}
    (pung,) = _claims(table, 3, [blank, back])
    assert isinstance(pung, ev.Pung) and pung.seat == 3 and pung.tiles == (t.parse_one("P"),) * 3


def test_who_has_discarded_has_laid_his_set() -> None:
    """A pair lies there with the discard lifted and its player moves yet: that is waited for, but not once he has discarded."""
    pair, thrown = _laid(3, "W", "W"), lying(30, "9m", 3, 0.0, -150.0, "river")
    assert _claims(_table("W"), 3, pair, quiet=False) == []
    (pung,) = _claims(_table("W"), 3, [*pair, thrown], quiet=False)
    assert isinstance(pung, ev.Pung)
