"""Every kind of fault, in logs of our own beside the golden ones.

Truth: docs/formats/event-log.md (the table of faults and its numbered decisions) and the play and ritual chapters of the
rule sheets; each test names its source.
"""

from __future__ import annotations

import pytest

from referee.rules import tiles as t
from referee.table import events as ev
from tests.table.telling import HIDDEN, found, kinds, play

THREE = "deal ? / ? / ?"


# --- hand sizes (decisions 3, 5, 6) ---------------------------------------------------------------------------------


def test_double_draw_and_the_long_hand_that_follows_are_each_named() -> None:
    """Decisions 3 and 8: the double draw at the second draw, the long hand at the discard after it, once while it lasts."""
    told = play("hongkong", HIDDEN, "0 -1m; 1 +; 1 +; 1 -9p; 2 +; 2 -9p; 3 +; 3 -9p; 0 +; 0 -8p; 1 +; 1 -7p")
    assert found(told) == [(5, 1, "double_draw"), (6, 1, "long_hand")]


def test_a_short_hand_put_right_and_short_again_is_named_again() -> None:
    """Decision 3: named once while it lasts; a double draw makes up for the missing tile."""
    rounds = "2 +; 2 -9p; 3 +; 3 -9s; 0 +; 0 -1s"
    told = play("hongkong", HIDDEN, f"0 -1m; 1 -2m; {rounds}; 1 +; 1 +; 1 -3m; {rounds}; 1 -4m")
    assert kinds(told) == [(1, "no_draw"), (1, "short_hand"), (1, "double_draw"), (1, "no_draw"), (1, "short_hand")]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("1 count 13", []),
        ("1 +; 1 count 14", []),  # the drawn tile is included
        ("1 +; 1 count 15", [(5, 1, "long_hand")]),
        ("1 count 12", [(4, 1, "short_hand")]),
        ("2 pung 111m 1m 0; 2 count 11", []),  # 10 and the tile still to be discarded
        ("2 kong 1111m 1m 0; 2 count 10", []),  # the replacement is still owed
        ("2 kong 1111m 1m 0; 2 +t; 2 count 11", []),
        ("1 +; 1 f 1q; 1 count 13", []),  # a bonus tile laid out, its replacement owed
        ("1 +; 1 f 1q; 1 +t; 1 count 14", []),
        ("0 count 12; 0 count 12", [(4, 0, "short_hand")]),  # once while it lasts
        ("0 count 12; 0 count 13; 0 count 12", [(4, 0, "short_hand"), (6, 0, "short_hand")]),
    ],
)
def test_counts(line: str, expected: list[tuple[int, int, str]]) -> None:
    """Decision 5: a count is judged against what belongs there at that moment."""
    assert found(play("hongkong", HIDDEN, "0 -1m", line)) == expected


def test_a_count_replaces_the_bookkeeping() -> None:
    """Decision 5: after a count of 14 the hand stays long at its own discard without being named again."""
    told = play("hongkong", HIDDEN, "0 -1m; 1 count 14; 1 +; 1 -9p")
    assert found(told) == [(4, 1, "long_hand")]


def test_a_revealed_hand_shows_that_it_is_long() -> None:
    """Decision 5: by a reveal of a player who owes no discard."""
    told = play("hongkong", HIDDEN, "0 -1m; 1 show 123456789m12345p")
    assert found(told) == [(4, 1, "long_hand")]


def test_a_reveal_in_turn_may_include_the_drawn_tile() -> None:
    assert found(play("hongkong", HIDDEN, "0 -1m; 1 +; 1 show 123456789m12345p")) == []


def test_sixteen_tile_hands() -> None:
    """Decision 5: 16 less three a set (Taiwan)."""
    assert found(play("taiwan", HIDDEN, "0 -1m; 1 pung 111m 1m 0; 1 count 14; 1 -9p; 1 count 13")) == []


def test_a_dead_hand_may_not_win() -> None:
    """Sheets, Irregularities: a long or short hand may not win; decision 15: that is a false win and only that."""
    told = play(
        "hongkong", HIDDEN, "0 -E; 1 count 14; 1 +; 1 win 2p wall - 345m2345p345678s; end false_win"
    )
    assert found(told) == [(4, 1, "long_hand"), (6, 1, "false_win")]
    assert told.hands[0].deltas == (0, 0, 0, 0)


# --- turns (decisions 7, 8) -----------------------------------------------------------------------------------------


def test_play_goes_on_from_who_drew_out_of_turn() -> None:
    """Decision 7: his next discard is no second fault, those passed over have none."""
    told = play("hongkong", HIDDEN, "0 -1m; 2 +; 2 -9p; 3 +; 3 -9p; 0 +; 0 -9s; 1 +; 1 -9s")
    assert found(told) == [(4, 2, "out_of_turn")]


def test_discard_out_of_turn_is_also_a_short_hand_but_no_missing_draw() -> None:
    """Decision 7."""
    told = play("hongkong", HIDDEN, "0 -1m; 2 -9p; 3 +; 3 -1p")
    assert found(told) == [(4, 2, "out_of_turn"), (4, 2, "short_hand")]


def test_drawing_before_the_left_neighbour_has_discarded() -> None:
    """Decision 7: the early draw is out of turn; the discard it overtook is none, nor is the early player's own."""
    told = play("hongkong", HIDDEN, "0 -1m; 1 +; 2 +; 1 -9p; 2 -9p; 3 +; 3 -9s")
    assert found(told) == [(5, 2, "out_of_turn")]


def test_after_a_kong_the_turn_passes_to_the_konger_s_right() -> None:
    told = play("hongkong", HIDDEN, "0 -1m; 2 kong 1111m 1m 0; 2 +t; 2 -9p; 3 +; 3 -9p; 1 +")
    assert found(told) == [(9, 1, "out_of_turn")]


def test_replacements_are_no_double_draw() -> None:
    """Decision 8: for bonus tiles, kongs and single-tile kongs."""
    assert found(play("hongkong", HIDDEN, "0 -1m; 1 +; 1 f 1q; 1 +t; 1 ckong 5555p; 1 +t; 1 -9p")) == []
    assert found(play("wuhan", HIDDEN, "ind 1m; 0 -1m; 1 +; 1 f C; 1 +t; 1 f 2m; 1 +t; 1 -9p")) == []


def test_a_bonus_tile_replaced_between_takes_nobody_s_turn() -> None:
    """A forgotten bonus tile laid out and replaced in another's turn: no draw of his own (decision 8: a draw owed is none), and
    the discard before it may still be claimed."""
    forgotten = "0 -5s; 2 f 1f; 2 +t"
    assert found(play("hongkong", HIDDEN, forgotten, "1 +; 1 -1m; 2 +; 2 -9m")) == []
    assert found(play("hongkong", HIDDEN, forgotten, "1 chow 345s 5s 0; 1 -1m; 2 +; 2 -9m")) == []


@pytest.mark.parametrize(
    ("rules", "kong"), [("hongkong", "0 -5s; 2 ckong 1111p"), ("wuhan", "ind 1m; 0 -5s; 2 f C")]
)
def test_a_kong_out_of_turn_is_that_and_takes_nobody_s_turn(rules: str, kong: str) -> None:
    """Wuhan, Play: in one's own turn. Decision 14; with its replacement the hand has as many tiles as it should."""
    told = play(rules, HIDDEN, kong, "2 +t; 1 +; 1 -1m; 2 +; 2 -9m")
    assert kinds(told) == [(2, "wrong_kong")]


def test_the_dealer_has_his_fourteenth_tile_from_the_deal() -> None:
    """Decision 4."""
    assert found(play("hongkong", HIDDEN, "0 +; 0 -1m")) == [(3, 0, "double_draw"), (4, 0, "long_hand")]
    assert found(play("hongkong", HIDDEN, "1 +")) == [(3, 1, "out_of_turn")]


# --- the wall (decisions 9-11) --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("1 +t", [(4, 1, "wrong_end")]),
        ("1 ckong 1111p", [(4, 1, "wrong_kong")]),
        ("1 +; 1 f 1q; 1 +", [(6, 1, "wrong_end")]),  # a replacement from the head
        ("2 kong 1111m 1m 0; 2 +", [(5, 2, "wrong_end")]),
        ("2 +t", [(4, 2, "out_of_turn"), (4, 2, "wrong_end")]),
    ],
)
def test_ends_of_the_wall(line: str, expected: list[tuple[int, int, str]]) -> None:
    """Decision 10: replacements come from the tail, all else from the head."""
    assert found(play("hongkong", HIDDEN, "0 -1m", line)) == expected


def test_without_an_end_nothing_is_judged() -> None:
    """Decision 10."""
    told = play("hongkong", HIDDEN, "0 -1m", ev.Draw(seat=1), ev.Bonus(seat=1, tile=34), ev.Draw(seat=1), "1 -9p")
    assert found(told) == []


def drained(rules: str, left: int, total: int, dealt: int, start: str = "0 -1m", players: int = 4) -> list[str]:
    """Draws and discards of unseen tiles in turn until ``left`` tiles are left in the wall."""
    lines, seat = [start], 1
    for _ in range(total - dealt - left):
        lines.append(f"{seat} +; {seat} -?")
        seat = (seat + 1) % players
    return lines


@pytest.mark.parametrize(
    ("rules", "reserve", "total", "dealt", "indicator"),
    [
        ("taiwan", 16, 144, 65, 0),
        ("nanjing", 16, 144, 53, 0),
        ("xiamen", 15, 144, 65, 1),
        ("quanzhou", 15, 144, 65, 1),
        ("hangzhou", 19, 136, 53, 1),
        ("taizhou", 14, 136, 53, 1),
        ("shaanxi", 26, 136, 53, 0),
        ("yiwu", 34, 136, 53, 1),
        ("nanchang", 33, 136, 53, 1),  # 17 stacks, the indicator's among them
        ("beijing", 14, 136, 53, 1),
        ("wenzhou", 15, 136, 65, 1),
    ],
)
def test_dead_walls(rules: str, reserve: int, total: int, dealt: int, indicator: int) -> None:
    """Decision 9: named at a draw made when no more than the reserve is left, not before."""
    turned = ["ind 5s"] if indicator else []
    lines = drained(rules, reserve, total, dealt + indicator)
    last = len(lines) % 4
    assert found(play(rules, HIDDEN, *turned, *lines)) == []
    assert kinds(play(rules, HIDDEN, *turned, *lines, f"{last} +")) == [(last, "dead_wall")]


@pytest.mark.parametrize(("kongs", "reserve"), [(0, 26), (1, 14), (2, 16), (3, 26), (4, 26)])
def test_shaanxi_dead_wall_by_the_number_of_kongs(kongs: int, reserve: int) -> None:
    """Shaanxi, Play: 26, 14, 16, 26 tiles for none, one, two, three and more kongs."""
    first = "; ".join(f"0 ckong {k}{k}{k}{k}p; 0 +t" for k in range(1, kongs + 1))
    told = play("shaanxi", HIDDEN, first, *drained("shaanxi", reserve, 136, 53 + kongs))
    assert found(told) == [] and told.hands[0].state.left == told.hands[0].state.reserve == reserve


def test_taizhou_reserve_grows_by_one_a_kong() -> None:
    """Taizhou, Play: every replacement drawn for a kong lets one more tile stay."""
    lines = drained("taizhou", 15, 136, 55, "0 ckong 1111p; 0 +t; 0 -1m")
    assert found(play("taizhou", HIDDEN, "ind 5s", *lines)) == []
    last = len(lines) % 4
    assert kinds(play("taizhou", HIDDEN, "ind 5s", *lines, f"{last} +")) == [(last, "dead_wall")]


def test_fuzhou_reserve_grows_with_kongs_and_four_alike() -> None:
    """Fuzhou, Play: + 1 an open kong, + 2 a concealed kong, + 2 four alike bonus tiles of one player."""
    told = play("fuzhou", HIDDEN, "0 f E; 0 f E; 0 f E; 0 f E; 0 +t; 0 +t; 0 +t; 0 +t; ind 5s; 0 ckong 1111p; 0 +t; 0 -1m")
    assert told.hands[0].state.reserve == 18 + 2 + 2
    assert found(play("fuzhou", HIDDEN, "ind 5s; 0 -1m; 2 kong 1111m 1m 0")) == []


def test_jinan_counts_stacks() -> None:
    """Jinan, Play: drawn with 6 stacks left, a lone lower tile counting as a stack: 12 tiles, 11 after one replacement."""
    assert play("jinan", HIDDEN, "0 -1m").hands[0].state.reserve == 12
    assert play("jinan", HIDDEN, "0 f 1q; 0 +t; 0 -1m").hands[0].state.reserve == 11


def test_yiwu_after_a_double_float() -> None:
    """Yiwu, Play: after a double float play goes on to 6 tiles; two wilds in consecutive discards of one player."""
    told = play("yiwu", HIDDEN, "ind 5s; 0 -5s; 1 +; 1 -?; 2 +; 2 -?; 3 +; 3 -?; 0 +; 0 -5s")
    assert told.hands[0].state.reserve == 6


@pytest.mark.parametrize(("rules", "reserve"), [("wuhan", 10), ("wuhan_hongzhong", 10), ("fuzhou", 18)])
def test_last_four_tiles_are_drawn_without_discards(rules: str, reserve: int) -> None:
    """Decision 8 and the sheets: four draws in turn, nobody discards; a fifth is a tile that must stay."""
    total, dealt = (144, 65) if rules == "fuzhou" else (136, 53)
    lines = drained(rules, reserve + 4, total, dealt + 1)
    seat = len(lines) % 4
    four = "; ".join(f"{(seat + step) % 4} +" for step in range(4))
    assert found(play(rules, HIDDEN, "ind 5m", *lines, four)) == []
    assert kinds(play(rules, HIDDEN, "ind 5m", *lines, four, f"{seat} +")) == [(seat, "dead_wall")]
    twice = f"{seat} +; {seat} +"
    assert kinds(play(rules, HIDDEN, "ind 5m", *lines, twice)) == [(seat, "double_draw")]
    assert kinds(play(rules, HIDDEN, "ind 5m", *lines, f"{seat} +; {(seat + 2) % 4} +")) == [((seat + 2) % 4, "out_of_turn")]
    kong = f"{seat} +; {seat} ckong 1111p"
    assert kinds(play(rules, HIDDEN, "ind 5m", *lines, kong)) == [(seat, "wrong_kong")]


def test_a_refused_last_tile_goes_to_the_next_player() -> None:
    """Decision 11; Changsha and Fenghua, Last tile."""
    lines = drained("changsha", 1, 108, 53)
    seat = len(lines) % 4
    right, opposite = (seat + 1) % 4, (seat + 2) % 4
    told = play("changsha", HIDDEN, *lines, f"{seat} pass; {right} +")
    assert found(told) == []
    assert kinds(play("changsha", HIDDEN, *lines, f"{seat} pass; {opposite} +")) == [(opposite, "out_of_turn")]
    told = play("changsha", HIDDEN, *lines, f"{seat} pass; {right} +; {right} -?; end exhausted")
    assert told.following is not None and told.following.dealer == right  # who drew the last tile deals


def test_a_discard_among_the_last_tiles_leaves_no_short_hand() -> None:
    """Wuhan, Play: nobody discards there; no fault is named so, and by decision 5 thirteen tiles are what should be left."""
    lines = drained("wuhan", 14, 136, 54)
    seat = len(lines) % 4
    told = play("wuhan", HIDDEN, "ind 5m", *lines, f"{seat} +; {seat} -9p; {(seat + 1) % 4} +")
    assert found(told) == [] and [(f.seat, f.kind) for _, f in told.faults] == [(seat, "out_of_turn")]


def test_the_last_tile_is_refused_only_where_that_is_played() -> None:
    """Taiwan, Options, last_tile_refusal: by default the player has to draw it, so the next one's draw is out of turn."""
    lines = drained("taiwan", 17, 144, 65)
    seat = len(lines) % 4
    right = (seat + 1) % 4
    refused = [*lines, f"{seat} pass; {right} +; {right} -?; end exhausted"]
    assert kinds(play("taiwan", HIDDEN, *refused)) == [(right, "out_of_turn")]
    assert found(play("taiwan", HIDDEN, *refused, options={"last_tile_refusal": True})) == []


# --- replacements (decision 6) ---------------------------------------------------------------------------------------


def test_missing_replacement_is_owed_no_longer_after_the_discard() -> None:
    """Decision 6: missing replacement and short hand share the discard; nothing more at the next one."""
    told = play("hongkong", HIDDEN, "0 -1m; 1 +; 1 f 1q; 1 -9p; 2 +; 2 -9p; 3 +; 3 -9s; 0 +; 0 -9s; 1 +; 1 -8p")
    assert found(told) == [(6, 1, "missing_replacement"), (6, 1, "short_hand")]


def test_a_replacement_missing_since_the_deal_is_named_at_the_own_discard() -> None:
    told = play("hongkong", HIDDEN, "2 f 1q; 2 f 2q; 2 +t; 0 -1m; 1 +; 1 -2m; 2 +; 2 -3m")
    assert kinds(told) == [(2, "missing_replacement"), (2, "short_hand")]
    assert found(play("hongkong", HIDDEN, "2 f 1q; 0 -1m; 1 +; 1 -2m; 2 +t; 2 +; 2 -3m")) == []


def test_a_kong_without_replacement_in_wuhan() -> None:
    told = play("wuhan", HIDDEN, "ind 1m; 0 -1m; 1 +; 1 f C; 1 -9p")
    assert kinds(told) == [(1, "missing_replacement"), (1, "short_hand")]


def test_a_discarded_kong_tile_needs_no_replacement() -> None:
    """Decision 18: a kong tile that is discarded has its discard only."""
    assert found(play("wuhan", HIDDEN, "ind 1m; 0 -C; 1 +; 1 -2m; 2 +; 2 -9p")) == []


# --- claims (decisions 12-15, 17) ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "lines", "kind"),
    [
        ("hongkong", "0 -1m; 1 chow 234m 1m 0", "wrong_chow"),  # the claimed tile is not in it
        ("hongkong", "0 -1m; 1 chow 134m 1m 0", "wrong_chow"),  # no run
        ("hongkong", "0 -1m; 3 chow 123m 1m 0", "wrong_chow"),  # not from the left
        ("hongkong", "0 -E; 1 chow ESW E 0", "wrong_chow"),  # no honour runs here
        ("hongkong", "0 -9m; 1 chow 891m 9m 0", "wrong_chow"),  # 9 does not wrap to 1
        ("nanjing", "0 -1m; 1 chow 123m 1m 0", "wrong_chow"),  # Nanjing: no chow
        ("nanchang", "ind 5s; 0 -E; 1 chow EES E 0", "wrong_chow"),
        ("hongkong", "0 -1m; 2 pung 112m 1m 0", "wrong_pung"),
        ("hongkong", "0 -1m; 2 pung 222m 2m 0", "wrong_pung"),  # not the last discard
        ("hongkong", "0 -1m; 1 +; 1 -9p; 2 pung 111m 1m 0", "wrong_pung"),
        ("hongkong", "0 -1m; 0 pung 111m 1m 0", "wrong_pung"),  # the own discard
        ("hongkong", "0 -1m; 1 +; 2 pung 111m 1m 0", "wrong_pung"),  # somebody has drawn
        ("hongkong", "0 -1m; 2 kong 1112m 1m 0", "wrong_kong"),
        ("wuhan", "ind 1m; 0 -F; 2 pung FFF F 0", "wrong_pung"),  # a kong tile
        ("wuhan", "ind 1m; 0 -F; 2 kong FFFF F 0", "wrong_kong"),
        ("fuzhou", "ind 5s; 0 -E; 2 pung EEE E 0", "wrong_pung"),  # honours are bonus tiles
        ("hongkong", "0 -1q; 2 pung 1q1q1q 1q 0", "wrong_pung"),
        ("fuzhou", "ind 5s; 0 -5m; 1 chow E45m 5m 0", "wrong_chow"),
    ],
)
def test_claims_that_are_none(rules: str, lines: str, kind: str) -> None:
    """Decision 14: no set, not the last discard, not from the left, unknown to the rule set: wrong, and nothing else."""
    told = play(rules, HIDDEN, lines)
    assert [k for _, k in kinds(told)][:1] == [kind] and len([k for _, k in kinds(told) if k != "extra_tile"]) == 1


@pytest.mark.parametrize(
    ("rules", "lines"),
    [
        ("hongkong", "0 -1m; 1 chow 123m 1m 0; 1 -9p"),
        ("nanchang", "ind 5s; 0 -E; 1 chow ESN E 0; 1 -9p"),  # any three different winds
        ("nanchang", "ind 5s; 0 -P; 1 chow CFP P 0; 1 -9p"),
        ("hangzhou", "ind 3s; 0 -P; 1 chow P45s P 0; 1 -9p"),  # whites are the indicator's tile
        ("xiamen", "ind 8p; 0 -7p; 1 chow 67pP 7p 0; 1 -9p"),
        ("yiwu", "ind 5m; 0 -4m; 1 chow 34mP 4m 0; 1 -9p"),
        ("taizhou", "ind 5m; 0 -P; 2 pung PPP P 0; 2 -9p"),  # whites as whites
        ("ningbo", "ind 1f; 0 -E; 2 pung EEE E 0; 2 -9p"),
        ("wuhan_hongzhong", "ind 1m; 0 -F; 2 pung FFF F 0; 2 -9p"),  # F is ordinary there
        ("hongkong", "0 -1m; 2 kong 1111m 1m 0; 2 +t; 2 -9p"),
        ("hongkong", "0 -1m; 2 pung 111m 1m 0; 2 -9p; 3 +; 3 -9p; 0 +; 0 -9s; 1 +; 1 -9s; 2 +; 2 akong 1111m; 2 +t; 2 -5p"),
    ],
)
def test_claims_that_are_right(rules: str, lines: str) -> None:
    assert found(play(rules, HIDDEN, lines)) == []


def test_no_kong_tile_stands_in_a_set_from_the_hand_either() -> None:
    """Wuhan, Kong tiles: in no declared set; with the option pizi they are suit tiles (indicator 4m: 4m and 3m)."""
    told = play("wuhan", HIDDEN, "ind 4m; 0 -1m; 1 chow 123m 1m 0", options={"kong_tiles": "pizi"})
    assert kinds(told) == [(1, "wrong_chow")]


def test_taizhou_white_never_melds_as_the_wild_s_face() -> None:
    """Taizhou, Wild tiles: no set may use a white as the wild's face."""
    assert kinds(play("taizhou", HIDDEN, "ind 5m; 0 -4m; 1 chow 34mP 4m 0")) == [(1, "wrong_chow")]


@pytest.mark.parametrize(
    ("rules", "lines", "expected"),
    [
        ("hangzhou", "ind 3s; 0 -4s; 1 chow 345s 4s 0", [(1, "wild_in_meld")]),  # at its own face
        ("hangzhou", "ind 3s; 0 -4m; 1 chow 4m5m3s 4m 0", [(1, "wild_in_meld")]),  # for another tile
        ("ningbo", "ind 4m; 0 -E; 2 pung EE4m E 0", [(2, "wild_in_meld")]),
        ("hangzhou", "ind 3s; 0 -3s; 1 chow 345s 3s 0", [(1, "claimed_wild")]),
        ("beijing", "ind 3s; 0 -4s; 2 pung 444s 4s 0", [(0, "wild_discarded"), (2, "claimed_wild"), (2, "wild_in_meld")]),
        ("beijing", "ind 3s; 0 ckong 4444s", [(0, "wild_in_meld")]),  # a concealed kong of wilds too
        ("wuhan", "ind 1m; 0 -2m; 1 chow 123m 2m 0", [(1, "claimed_wild")]),
        ("nanchang", "ind 2m; 0 -3m; 2 pung 333m 3m 0", []),  # fine tiles at face value are free
        ("nanchang", "ind 2m; 0 ckong 3333m; 0 +t", []),
    ],
)
def test_wild_tiles_in_sets(rules: str, lines: str, expected: list[tuple[int, str]]) -> None:
    """Decision 13."""
    assert kinds(play(rules, HIDDEN, lines)) == expected


FLOAT = "deal 33s123456m789p111s / ? / ? / ?"


def test_float_round_bars_claims_until_the_floater_s_next_turn() -> None:
    """Hangzhou, Play: no chow, pung, open kong; concealed kongs stay allowed. Barred until the turn has gone round."""
    start = "ind 3s; 0 -3s; 1 +; 1 -5m"  # four sets and a lone wild are left
    assert kinds(play("hangzhou", FLOAT, start, "3 pung 555m 5m 1")) == [(3, "barred_claim")]
    assert kinds(play("hangzhou", FLOAT, start, "2 chow 567m 5m 1")) == [(2, "barred_claim")]
    assert found(play("hangzhou", FLOAT, "ind 3s; 0 -3s; 1 +; 1 ckong 2222p; 1 +t; 1 -5m")) == []
    round_gone = f"{start}; 2 +; 2 -9p; 3 +; 3 -9s; 0 +8s; 0 -8s; 2 pung 888s 8s 0"
    assert found(play("hangzhou", FLOAT, round_gone)) == []


def test_a_float_only_the_win_proves() -> None:
    """Decision 1: with a hidden hand the claim is a hint; the hand shown with the win proves the float (Hangzhou)."""
    lines = "ind 3s; 0 -3s; 1 +; 1 -5m; 3 pung 555m 5m 1; 3 -9p; 0 +; 0 win 9m wall - {hand}"
    proved = play("hangzhou", HIDDEN, lines.format(hand="3s123456m789p111s"))
    assert [(f.n, f.seat, f.kind, f.certain, f.about) for _, f in proved.faults] == [
        (7, 3, "barred_claim", False, None), (10, 3, "barred_claim", True, 7)
    ]  # fmt: skip
    plain = play("hangzhou", HIDDEN, lines.format(hand="123456m78p111s99m").replace("win 9m", "win 9p"))
    assert [fault.certain for _, fault in plain.faults] == [False]


def test_added_kongs_in_a_float_round() -> None:
    """Hangzhou bars an added kong (decision 12 of its sheet), Xiamen lets it stand."""
    lines = "{deal}; ind {ind}; 0 -E; 1 pung EEE E 0; 1 -9p; 2 +; 2 -9s; 3 +; 3 -9s; 0 +; 0 -{ind}; 1 +; 1 akong EEEE"
    deal = FLOAT.replace("33s", "3sE")
    hangzhou = lines.format(deal=deal, ind="3s").replace("0 +;", "0 +3s;")
    assert kinds(play("hangzhou", hangzhou)) == [(1, "barred_claim")]
    assert kinds(play("xiamen", lines.format(deal=HIDDEN, ind="8p"))) == []


def test_xiamen_bars_the_floater_too_and_any_gold_counts() -> None:
    """Xiamen, Play: float or not, until the discarder's next turn, the discarder included."""
    assert kinds(play("xiamen", HIDDEN, "ind 8p; 0 -8p; 1 +; 1 -5m; 0 pung 555m 5m 1")) == [(0, "barred_claim")]


def test_a_barred_claim_does_not_break_the_float() -> None:
    """Decision 27: the floater wins with his float though another has claimed what was barred (Hangzhou, 爆頭 x2, 飄 x2)."""
    barred = "ind 3s; 0 -3s; 1 +; 1 -5m; 3 pung 555m 5m 1; 3 -9p; 0 +9s; 0 win 9s wall - 3s123456m789p111s; end win"
    told = play("hangzhou", FLOAT, barred)
    assert kinds(told) == [(3, "barred_claim")] and told.hands[0].record.wins[0].floats == 1


def test_a_wild_known_to_be_no_float_bars_nobody_in_hangzhou() -> None:
    """Hangzhou, Play: a wild discarded *as a float*; without another wild in hand it is none."""
    deal = "deal 3s1258m369p147sEWS / ? / ? / ?"
    assert found(play("hangzhou", deal, "ind 3s; 0 -3s; 1 +; 1 -5m; 3 pung 555m 5m 1")) == []


def test_a_passed_pung_is_barred_until_the_own_turn() -> None:
    """Taizhou, Play: the same tile may not be ponged until the own turn came or was skipped by a pung or kong."""
    passed = "ind 5m; 0 -1s; 1 +; 1 -1s"
    assert kinds(play("taizhou", HIDDEN, passed, "3 pung 111s 1s 1")) == [(3, "barred_claim")]
    turn = "ind 5m; 0 -1s; 1 +; 1 -9p; 2 +; 2 -9p; 3 +; 3 -9s; 0 +; 0 -1s; 3 pung 111s 1s 0"
    assert found(play("taizhou", HIDDEN, turn)) == []
    skipped = "ind 5m; 1 -1s; 2 +; 2 -9p; 0 pung 999p 9p 2; 0 -1s; 3 pung 111s 1s 0"
    assert found(play("taizhou", HIDDEN, skipped, dealer=1)) == []
    assert found(play("hongkong", HIDDEN, "0 -1s; 1 +; 1 -1s; 3 pung 111s 1s 1")) == []


def test_a_pung_that_could_not_be_made_was_not_passed() -> None:
    """Taizhou, Play: barred is the tile "that it could pung"; with one 1s and a wild tile nothing could be punged."""
    passed = "ind 5m; 0 -1s; 1 +; 1 -1s; 3 pung 5m11s 1s 1"
    assert kinds(play("taizhou", HIDDEN, passed)) == [(3, "wild_in_meld")]
    deal = "deal ? / ? / ? / 5m{}2468m258p369sE"
    assert kinds(play("taizhou", deal.format("19s"), passed)) == [(3, "wild_in_meld")]
    assert kinds(play("taizhou", deal.format("11s"), passed)) == [(3, "wild_in_meld"), (3, "barred_claim")]
    assert kinds(play("nanchang", HIDDEN, passed, options={"missed_pung": True})) == [(3, "barred_claim")]


def test_a_better_claim_after_a_worse_one_is_right() -> None:
    """Decision 12: the last one recorded stands, the worse claimer's tiles are back in his hand."""
    told = play("hongkong", HIDDEN, "0 -5s; 1 chow 456s 5s 0; 3 pung 555s 5s 0; 3 -9p; 0 +; 0 -9p; 1 +; 1 -9s")
    assert found(told) == []
    assert told.hands[0].state.seats[1].melds == () and told.hands[0].state.seats[1].held == 13


def test_a_kong_that_did_not_take_place_owes_nothing() -> None:
    """Decision 12."""
    told = play("hongkong", HIDDEN, "0 -5s; 2 kong 5555s 5s 0; 1 chow 456s 5s 0; 1 -9p; 2 +; 2 -9p")
    assert found(told) == [(5, 1, "wrong_precedence")]


def test_a_claim_after_a_win_on_the_tile_is_worse() -> None:
    """Decision 12."""
    lines = "0 -5s; 1 win 5s discard 0 234567m345p6788s; 2 pung 555s 5s 0"
    assert kinds(play("shanghai_liuxing", HIDDEN, lines)) == [(2, "wrong_precedence")]


@pytest.mark.parametrize(
    ("rules", "deal", "lines", "expected"),
    [
        ("ningbo", HIDDEN, "ind 4m; 0 -5s; 2 pung 555s 5s 0; 2 ckong 9999p", [(2, "wrong_kong")]),
        ("ningbo", HIDDEN, "ind 4m; 0 -5s; 2 kong 5555s 5s 0; 2 +t; 2 ckong 9999p; 2 +t; 2 -1m", []),
        ("hongkong", HIDDEN, "0 -5s; 2 pung 555s 5s 0; 2 ckong 9999p; 2 +t; 2 -1m", []),
        ("kawuxing", THREE, "0 -5s; 1 pung 555s 5s 0; 1 ckong 9999p", [(1, "wrong_kong")]),
        ("hongkong", HIDDEN, "0 -5s; 2 ckong 9999p", [(2, "wrong_kong")]),  # not in turn
        ("hongkong", HIDDEN, "0 akong 5555s", [(0, "wrong_kong")]),  # no such pung
        ("hongkong", HIDDEN, "0 ckong 5556s", [(0, "wrong_kong")]),
        ("wuhan", HIDDEN, "ind 1m; 0 ckong CCCC", [(0, "wrong_kong")]),
    ],
)
def test_kongs_in_turn(rules: str, deal: str, lines: str, expected: list[tuple[int, str]]) -> None:
    """Decision 14; Ningbo: no kong between a claim and its discard; Kawuxing: no concealed one."""
    assert kinds(play(rules, deal, lines)) == expected


def test_kawuxing_held_third_tile() -> None:
    """Kawuxing, Play: it is forbidden to pung with two of three and add the third later as a kong."""
    deal = "deal 5s123456p1467sCPP / 555s111222333p4p / ?"
    lines = "0 -5s; 1 pung 555s 5s 0; 1 -4p; 2 +; 2 -9p; 0 +9p; 0 -9p; 1 +7p; 1 akong 5555s"
    assert kinds(play("kawuxing", deal, lines)) == [(1, "wrong_kong")]
    at_once = "0 -5s; 1 pung 555s 5s 0; 1 akong 5555s"  # the hand is hidden, but nothing was drawn between
    assert kinds(play("kawuxing", THREE, at_once)) == [(1, "wrong_kong")]
    drawn = "0 -5s; 1 pung 555s 5s 0; 1 -4p; 2 +; 2 -9p; 0 +; 0 -9p; 1 +; 1 akong 5555s; 1 +t; 1 -1p"
    assert found(play("kawuxing", THREE, drawn)) == []


def test_a_robbed_kong_owes_no_replacement_and_is_a_pung_again() -> None:
    """Decision 17."""
    told = play(
        "hongkong", HIDDEN, "0 -5s; 2 pung 555s 5s 0; 2 -2s; 3 +; 3 -2m; 0 +; 0 -4s; 1 +; 1 -8s; 2 +; 2 akong 5555s",
        "1 win 5s robbed_kong 2 345m22345p46678s; end win",
    )
    assert found(told) == []
    konger = told.hands[0].record.players[2]
    assert [meld.kind for meld in konger.melds] == ["pung"] and told.hands[0].state.seats[2].owed == 0


# --- discards (decision 20) -------------------------------------------------------------------------------------------

FOLLOW = "deal 458m1244679p2559sEWF / 123456789m34456sEN / 1237799m26p122379sS / 1236m1345577p4788sC"


def test_follow_honours_is_judged_at_the_reveal_where_the_hand_was_hidden() -> None:
    """Decision 20: the hand shown is the hand after the last discard, so it and that tile were held together."""
    hidden = play("xiamen", HIDDEN, "ind 8p; 0 -E; 1 +; 1 -N; 1 show 123456789m344567sE")
    assert found(hidden) == [(7, 1, "forced_discard")]
    assert hidden.faults[0][1].about == 6
    assert found(play("xiamen", HIDDEN, "ind 8p; 0 -E; 1 +; 1 -N; 1 show 123456789m344567sS")) == []


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("0 -E; 1 +7s; 1 -E", []),  # obeyed
        ("0 -E; 1 +7s; 1 -9m", [(1, "forced_discard")]),  # a suit tile
        ("0 -W; 1 +7s; 1 -9m", []),  # W is not held; lone honours not yet discarded are free (Xiamen)
        ("0 -E; 1 +E; 1 -9m", []),  # a pair is not held singly
    ],
)
def test_follow_honours(line: str, expected: list[tuple[int, str]]) -> None:
    """Xiamen, Play: a single honour of a kind already discarded goes before other honours and suit tiles."""
    assert kinds(play("xiamen", FOLLOW, "ind 8p", line)) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("0 -W; 1 +7s; 1 -9m", [(1, "forced_discard")]),  # any lone honour before suit tiles
        ("0 -W; 1 +7s; 1 -E", []),
        ("0 -E; 1 +7s; 1 -N", [(1, "forced_discard")]),  # E has been discarded: first
    ],
)
def test_wenzhou_lone_honours(line: str, expected: list[tuple[int, str]]) -> None:
    """Wenzhou, Play, discard order."""
    deal = "deal 458m1244679p2559sEWF / 123456789m34456sEN / ? / ?"
    assert kinds(play("wenzhou", deal, "ind 8p", line)) == expected


def test_whites_follow_their_face() -> None:
    """Xiamen, Play: a white is an honour for this rule only under an honour indicator."""
    deal = "deal 458m1244679p2559sEWP / 123456789m34456sNP / ? / ?"
    assert found(play("xiamen", deal, "ind 8p; 0 -P; 1 +7s; 1 -9m")) == []
    assert kinds(play("xiamen", deal, "ind S; 0 -P; 1 +7s; 1 -9m")) == [(1, "forced_discard")]


@pytest.mark.parametrize(
    ("rules", "lines", "expected"),
    [
        ("beijing", "ind 3s; 0 -4s", [(0, "wild_discarded")]),  # forfeits the win
        ("shanghai_jinshan", "0 -1f", [(0, "wild_discarded")]),  # may not be discarded
        ("hangzhou", "ind 3s; 0 -3s", []),
        ("taizhou", "ind 3s; 0 -3s", []),
        ("fuzhou", "ind 3s; 0 -3s", []),
        ("wuhan", "ind 1m; 0 -2m", []),  # a single-tile kong
        ("wenzhou", "ind 3s; 0 -3s", [(0, "wild_discarded")]),  # the hand must hold others
    ],
)
def test_wild_discards(rules: str, lines: str, expected: list[tuple[int, str]]) -> None:
    """The sheets' Play chapters; whites that stand for the face are not wild."""
    assert kinds(play(rules, HIDDEN, lines)) == expected


def test_beijing_s_wild_discarder_may_not_win() -> None:
    """Beijing, Wild and bonus tiles: who discards a wild may not win in this hand."""
    round_ = "0 -1m; 1 +; 1 -4s; 2 +; 2 -9p; 3 +; 3 -9p; 0 +; 0 -9s; 1 +"
    told = play("beijing", HIDDEN, "ind 3s", round_, "1 win 5s wall - 234567m345p6788s")
    assert kinds(told) == [(1, "wild_discarded"), (1, "false_win")]


def test_swap_discards_are_free_where_the_sheet_says_nothing() -> None:
    assert found(play("hongkong", HIDDEN, "0 -5s; 2 pung 555s 5s 0; 2 -5s")) == []
    jinshan = {"options": {"no_swap_discard": True}}
    assert kinds(play("shanghai_jinshan", HIDDEN, "0 -5s; 1 chow 345s 5s 0; 1 -5s", **jinshan)) == [(1, "swap_discard")]


# --- ready (decision 21) -----------------------------------------------------------------------------------------------

OPENED = "deal 145669p1467sCFPP / 123789p2344688s / 11689p237899sFF"
OPEN = "0 -4p; 1 +5p; 1 -5p; 1 ready open; 1 show 123789p2344688s; 2 +6s; 2 -2s; 0 +9s; 0 -9s"


def test_an_opened_hand_may_only_throw_the_drawn_tile() -> None:
    assert found(play("kawuxing", OPENED, OPEN, "1 +7p; 1 -7p")) == []
    assert kinds(play("kawuxing", OPENED, OPEN, "1 +7p; 1 -1p")) == [(1, "changed_after_ready")]


def test_a_change_nobody_saw_is_named_when_the_hand_is_shown() -> None:
    """Decision 21: else at the reveal (or win) that shows another hand than was opened."""
    hidden = OPEN.replace("+5p", "+").replace("+6s", "+").replace("+9s", "+")
    told = play("kawuxing", THREE, hidden, "1 +; 1 -8s; 2 +; 2 -9p; 0 +; 0 -8p; 1 show 1237789p234468s")
    assert kinds(told) == [(1, "changed_after_ready")]
    assert found(play("kawuxing", THREE, hidden, "1 +; 1 -8s; 2 +; 2 -9p; 0 +; 0 -8p; 1 show 123789p2344688s")) == []


def test_a_claim_with_an_opened_hand_changes_it_and_is_named_once() -> None:
    """Kawuxing, Play: neither the wait nor the hand may change; decision 14: a claim that is none is only that."""
    claim = OPEN.replace("2 -2s", "2 -8s").split("; 0 +9s")[0]
    deal = OPENED.replace("11689p237899sFF", "?")
    told = play("kawuxing", deal, claim, "1 pung 888s 8s 2; 1 -1p; 1 show 23789p23446s")
    assert kinds(told) == [(1, "changed_after_ready")]
    wrong = play("kawuxing", OPENED, OPEN, "1 pung 889s 9s 0")
    assert kinds(wrong) == [(1, "wrong_pung")]


def test_the_discard_ready_is_declared_with_is_free() -> None:
    """Decision 21: kinds other than open stand before the discard and bind from the next draw (Taiwan, option)."""
    deal = "deal ? / 123m456m789m123p45sEE / ? / ?"
    options = {"options": {"declared_ready": True}}
    lines = "0 -9s; 1 +W; 1 ready first; 1 -W; 2 +; 2 -9p; 3 +; 3 -9p; 0 +; 0 -9m"
    assert found(play("taiwan", deal, lines, "1 +8p; 1 -8p", **options)) == []
    assert kinds(play("taiwan", deal, lines, "1 +8p; 1 -1m", **options)) == [(1, "changed_after_ready")]
    claim = play("taiwan", deal, lines.replace("0 -9m", "0 -E"), "1 pung EEE E 0", **options)
    assert kinds(claim) == [(1, "changed_after_ready")]


def test_ready_binds_nobody_where_it_is_not_played() -> None:
    """Taiwan, Options: without declared_ready a declaration is ignored."""
    deal = "deal ? / 123m456m789m123p45sEE / ? / ?"
    assert found(play("taiwan", deal, "0 -9s; 1 +W; 1 ready first; 1 -W; 2 +; 2 -9p; 3 +; 3 -9p; 0 +; 0 -9m; 1 +8p; 1 -1m")) == []


def test_a_replacement_by_dice_binds_the_hand_in_changsha() -> None:
    """Changsha, Replacement tile: having used the dice, drawn tiles go out again."""
    deal = "deal ? / 999s123456m22p46s / ? / ?"
    dice = "0 -1m; 1 +9s; 1 ckong 9999s; dice 1 3 4 kong"
    bound = [ev.Draw(seat=1, tile=8)]
    assert found(play("changsha", deal, dice, *bound, "1 -9m")) == []
    assert kinds(play("changsha", deal, dice, *bound, "1 -2p")) == [(1, "changed_after_ready")]


def test_both_tiles_of_a_stack_chosen_by_dice_go_out_again() -> None:
    """Changsha, option double_kong and Replacement tile: the hand is bound, so of the two discards neither may be another."""
    deal = "deal ? / 999s123456m22p46s / ? / ?"
    dice = ["0 -1m; 1 +9s; 1 ckong 9999s; dice 1 3 4 kong", ev.Draw(seat=1, tile=8), ev.Draw(seat=1, tile=9)]
    option = {"options": {"double_kong": True}}
    assert found(play("changsha", deal, *dice, "1 -9m; 1 -1p; 2 +", **option)) == []
    assert kinds(play("changsha", deal, *dice, "1 -9m; 1 -2p", **option)) == [(1, "changed_after_ready")]
    assert kinds(play("changsha", deal, *dice, "1 -2p; 1 -9m", **option)) == [(1, "changed_after_ready")]


def test_a_stack_of_two_alike_may_be_won_on_twice() -> None:
    """Changsha, double_kong: points double if both tiles win, for a win on the discards too; here both are 5s."""
    deal = "deal ? / 999s123456m22p46s / 234567m345p6788s / ?"
    dice = ["0 -1m; 1 +9s; 1 ckong 9999s; dice 1 3 4 kong", ev.Draw(seat=1, tile=22), ev.Draw(seat=1, tile=22)]
    won = "1 -5s; 1 -5s; 2 win 5s discard 1 234567m345p6788s; end win"
    told = play("changsha", deal, *dice, won, options={"double_kong": True})
    (win,) = told.hands[0].record.wins
    assert (win.dice_kong, win.second_tile) == (True, 22)


# --- copies (decision 22) ----------------------------------------------------------------------------------------------


def test_a_fifth_copy_belongs_to_who_brings_it_into_view() -> None:
    told = play("hongkong", HIDDEN, "0 -5s; 2 pung 555s 5s 0; 2 -9p; 3 +; 3 -5s; 0 +; 0 -5s")
    assert found(told) == [(9, 0, "extra_tile")]


def test_the_indicator_counts_and_a_claimed_tile_counts_once() -> None:
    told = play("hangzhou", HIDDEN, "ind 5s; 0 -5s; 1 +; 1 -5s; 2 +; 2 -5s; 3 +; 3 -5s")
    assert found(told) == [(10, 3, "extra_tile")]
    assert found(play("hongkong", HIDDEN, "0 -5s; 2 pung 555s 5s 0; 2 -5s")) == []


def test_a_sixth_copy_is_named_again_and_a_shown_hand_counts() -> None:
    told = play("hongkong", HIDDEN, "0 -5s; 2 pung 555s 5s 0; 2 -9p; 3 show 123456789m5555s")
    assert [k for _, k in kinds(told)] == ["extra_tile"]
    flowers = play("hongkong", HIDDEN, "0 -1m; 1 +; 1 f 1q; 1 +t; 1 -9p; 2 +; 2 f 1q")
    assert kinds(flowers) == [(2, "extra_tile")]


# --- wins (decisions 15, 16, 23, 24) ------------------------------------------------------------------------------------


def test_a_hand_that_is_no_win() -> None:
    told = play("hongkong", HIDDEN, "0 -E; 1 +; 1 win 2p wall - 345m2345p34568sE; end false_win")
    assert kinds(told) == [(1, "false_win")]
    assert told.following is not None and (told.following.dealer, told.following.repeat) == (0, 1)


def test_a_false_win_on_the_dealt_hand_leaves_the_hand_as_it_was() -> None:
    """hand-record.md, A win: with source "deal" the tile is one of the dealt ones, so nobody is short after it."""
    told = play("hongkong", HIDDEN, "0 win E deal - 345m2345p34568s9p; 0 -9p; 1 +; 1 -9s")
    assert kinds(told) == [(0, "false_win")]


def test_below_the_minimum() -> None:
    told = play("hongkong", HIDDEN, "0 -5s; 1 chow 345s 5s 0; 1 -9p; 2 +; 2 -2p; 1 win 2p discard 2 345m22p345m")
    assert kinds(told)[0] == (1, "false_win")


def test_a_win_on_a_tile_that_is_not_offered() -> None:
    told = play("shanghai_liuxing", HIDDEN, "0 -5s; 1 +; 1 -9p; 2 win 5s discard 0 234567m345p6788s")
    assert kinds(told) == [(2, "false_win")]


def test_a_self_draw_without_a_draw() -> None:
    told = play("shanghai_liuxing", HIDDEN, "0 -5s; 1 win 5s wall - 234567m345p6788s")
    assert kinds(told) == [(1, "false_win")]


def test_a_float_bars_wins_on_discards() -> None:
    """Decision 15: a barred win is a false win and only that (Xiamen, Play)."""
    hand = "123m456m789m345s66sEE"
    told = play("xiamen", HIDDEN, f"ind 8p; 0 -8p; 1 +; 1 -6s; 2 win 6s discard 1 {hand}; end false_win")
    assert kinds(told) == [(2, "false_win")]
    assert told.following is not None and (told.following.dealer, told.following.repeat) == (0, 0)


def test_the_outbid_of_two_winners_commits_no_foul() -> None:
    """Decision 16: settled as legal false."""
    told = play(
        "shanghai_liuxing", HIDDEN,
        "0 -5s; 2 win 5s discard 0 234567m345p6788s; 1 win 5s discard 0 123m11p123789s46s; end win",
    )  # fmt: skip
    assert kinds(told) == []
    settlement = told.hands[0].settlement
    assert settlement is not None and [v.legal for v in settlement.verdicts] == [False, True]


def test_a_false_win_pays_what_was_announced() -> None:
    """Decision 24; Hangzhou, Irregularities: as a drawn hand for the deal, so the dealer's run grows (decision 25)."""
    win = ev.Win(seat=1, tile=1, source="wall", hand=tuple(range(13)), claimed=(2, 0, 1, 1))
    told = play("hangzhou", HIDDEN, "ind 3s; 0 -1m; 1 +", win, "end false_win")
    assert told.hands[0].deltas == (2, -4, 1, 1)
    assert told.following is not None and (told.following.dealer, told.following.repeat) == (0, 1)
    silent = play("hangzhou", HIDDEN, "ind 3s; 0 -1m; 1 +", ev.Win(seat=1, tile=1, hand=tuple(range(13))), "end false_win")
    assert silent.hands[0].deltas == (0, 0, 0, 0)


def test_a_passed_win_may_be_won_on_again_after_the_own_turn() -> None:
    """Changsha, Play: not until one's own turn."""
    hand = "234567m345p6788s"
    turn = f"0 -5s; 1 +; 1 -9p; 2 +; 2 -9p; 3 +; 3 -5s; 2 win 5s discard 3 {hand}"
    assert found(play("changsha", HIDDEN, turn)) == []
    at_once = f"0 -5s; 1 +; 1 -5s; 2 win 5s discard 1 {hand}"
    assert kinds(play("changsha", HIDDEN, at_once)) == [(2, "false_win")]
    self_drawn = f"0 -5s; 1 +; 1 -9p; 2 +; 2 win 5s wall - {hand}"
    assert found(play("changsha", HIDDEN, self_drawn)) == []


def test_nanchang_s_own_turn_may_have_been_skipped() -> None:
    """Nanchang, Play: own turn has come or been skipped by a pung or kong."""
    hand = "234567m345p6788s"
    skipped = f"ind 9m; 0 -5s; 1 +; 1 -1p; 3 pung 111p 1p 1; 3 -5s; 2 win 5s discard 3 {hand}"
    assert found(play("nanchang", HIDDEN, skipped)) == []
    assert kinds(play("nanchang", HIDDEN, f"ind 9m; 0 -5s; 1 +; 1 -5s; 2 win 5s discard 1 {hand}")) == [(2, "false_win")]


def test_yangzhou_bars_any_win_after_a_passed_one() -> None:
    """Yangzhou, Play, Missed win: no win at all before the own turn."""
    hand = "23446789pSSSWW"  # waits for 2p, 5p
    told = play("yangzhou", HIDDEN, f"0 -5p; 1 +; 1 -2p; 2 win 2p discard 1 {hand}; end false_win")
    assert kinds(told) == [(2, "false_win")]


OPEN_JINAN = "deal ? / 123456789m2234p / ? / ?; 0 -1s; 1 +9s; 1 -9s; 1 ready open; 1 show 123456789m2234p; 2 +; 2 -2p"
GOLD_FUZHOU = "deal ? / ? / ? / ?; ind 5s; 0 -5s; 1 +; 1 -5s; 2 +; 2 -9m"


@pytest.mark.parametrize(
    ("rules", "lines", "start", "expected"),
    [
        # Jinan, Play: an opened hand wins only by self-draw
        ("jinan", f"{OPEN_JINAN}; 1 win 2p discard 2 123456789m2234p", {}, [(1, "false_win")]),
        # Fuzhou, Play: who has discarded gold wins by self-draw only; discarding it is no foul
        ("fuzhou", f"{GOLD_FUZHOU}; 1 win 9m discard 2 123m456m123p456p78s999s", {}, [(1, "false_win")]),
        # Hangzhou, Winning shapes: a discard only at three lao, between dealer and non-dealer
        ("hangzhou", "ind 3s; 0 -9m; 1 win 9m discard 0 123m456m789p11s99m", {}, [(1, "false_win")]),
        ("hangzhou", "ind 3s; 0 -9m; 1 win 9m discard 0 123m456m789p11s99m", {"repeat": 2}, []),
        # Hangzhou, Wild tiles: a discarded wild cannot be won on
        ("hangzhou", "ind 3s; 0 -3s; 1 win 3s discard 0 123m456m789p11s99p", {"repeat": 2}, [(1, "false_win")]),
        # Hong Kong, Play: a concealed kong cannot be robbed
        ("hongkong", "0 ckong 5555s; 1 win 5s robbed_kong 0 345m22345p46678s", {}, [(1, "false_win")]),
        # Xiamen, Irregularities: a wrong draw, a wrong pung: may not win this hand
        (
            "xiamen", "ind 8p; 0 -5s; 2 +; 2 win 1m wall - 123m456m789m123s44s1m", {},
            [(2, "out_of_turn"), (2, "false_win")],
        ),
        # Wuhan, Irregularities: drawing from the wrong place: cannot win this hand
        ("wuhan", "ind 8p; 0 -5s; 1 +t; 1 win 5p wall - 234m456m55678p44s", {}, [(1, "wrong_end"), (1, "false_win")]),
        # a hand laid open by a false win stays as it is
        (
            "shanghai_liuxing", "0 -5s; 1 win 5s discard 0 123m11p123789s4sE; 2 pung 555s 5s 0; 2 -9m", {},
            [(1, "false_win")],
        ),
        # the discard is gone once a kong's replacement was drawn (decision 12)
        (
            "shanghai_liuxing", "0 -5s; 1 kong 5555s 5s 0; 1 +t; 2 win 5s discard 0 234567m345p6788s", {},
            [(2, "false_win")],
        ),
    ],
)  # fmt: skip
def test_wins_the_sheets_refuse(rules: str, lines: str, start: dict[str, int], expected: list[tuple[int, str]]) -> None:
    told = play(rules, *([] if lines.startswith("deal") else [HIDDEN]), lines, **start)
    assert [fault for fault in kinds(told) if fault[1] != "extra_tile"] == expected


def test_after_a_false_win_the_hand_may_go_on_in_hangzhou() -> None:
    """Hangzhou, option false_win_continues: paid, the hand goes on, the offender may not win any more."""
    false = ev.Win(seat=1, tile=27, source="wall", hand=t.parse("123m456m789p11s9s9p"), claimed=(2, 0, 1, 1))
    option = {"options": {"false_win_continues": True}}
    rest = "1 -E; 2 +; 2 -9m; 3 +; 3 win 1p wall - 234m456m789p22s23p; end win"
    other = play("hangzhou", HIDDEN, "ind 3s; 0 -1m; 1 +", false, rest, **option)
    assert kinds(other) == [(1, "false_win")] and other.hands[0].deltas == (2 - 2, -4 - 1, 1 - 1, 1 + 4)
    again = rest.replace("3 win", "3 -9p; 0 +; 0 -9s; 1 +; 1 win")
    assert kinds(play("hangzhou", HIDDEN, "ind 3s; 0 -1m; 1 +", false, again, **option)) == [(1, "false_win")] * 2


def test_an_openly_refused_win_counts_as_passed() -> None:
    told = play("changsha", HIDDEN, "0 -5s; 2 pass 5s; 1 +; 1 -5s; 2 win 5s discard 1 234567m345p6788s")
    assert kinds(told) == [(2, "false_win")]


def test_a_hand_not_shown_is_judged_when_it_is() -> None:
    """A win taken at its word becomes a false win at the reveal that proves it (decision 1)."""
    told = play("shanghai_liuxing", HIDDEN, "0 -5s; 1 win 5s discard 0 -; 1 show 234567m345p678sE")
    assert found(told) == [(5, 1, "false_win")]
    right = play("shanghai_liuxing", HIDDEN, "0 -5s; 1 win 5s discard 0 -; 1 show 234567m345p6788s; end win")
    assert found(right) == [] and right.hands[0].deltas[1] > 0


# --- dice (decision 31) -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "dice", "wall", "stacks", "right"),
    [
        ("beijing", "dice 0 3 4 wall", 2, 7, True),
        ("beijing", "dice 0 3 4 wall", 2, 3, False),
        ("changsha", "dice 0 2 5 wall", 2, 2, True),  # the smaller die
        ("yangzhou", "dice 0 2 5 wall", 2, 5, False),
        ("ningbo", "dice 0 2 5 wall", 2, 5, True),  # the larger die
        ("fenghua", "dice 0 2 5 wall", 2, 2, False),
        ("shaanxi", "dice 0 3 4 wall; dice 2 2 2 wall", 2, 11, True),
        ("taizhou", "dice 0 6 5 wall; dice 2 6 6 wall", 1, 6, True),  # 23 stacks: goes on into the next wall
        ("taiwan", "dice 0 1 2 4 wall", 2, 7, True),
        ("wenzhou", "dice 0 3 4 wall; dice 2 2 3 wall", 2, 12, True),
        ("yiwu", "dice 0 3 4 wall; dice 2 2 3 wall", 2, 12, True),
        ("xiamen", "dice 0 3 4 wall; dice 2 2 3 wall", 2, 5, True),  # the player hit by the second throw
    ],
)
def test_breaks(rules: str, dice: str, wall: int, stacks: int, right: bool) -> None:
    """The sheets' Table ritual: whose wall is broken and how many stacks are left at its right end."""
    told = play(rules, dice, ev.Deal(hands=(None,) * 4, wall=wall, stacks=stacks))
    assert kinds(told) == ([] if right else [(0, "wrong_turned")])


@pytest.mark.parametrize(
    ("rules", "dice", "wall", "stack", "right"),
    [
        ("hangzhou", "dice 0 3 5 wall", 0, 8, True),
        ("ningbo", "dice 0 2 5 wall", 2, 2, True),  # the smaller die from the tail
        ("ningbo", "dice 0 2 5 wall", 2, 5, False),
        ("wenzhou", "dice 0 3 4 wall; dice 2 2 3 wall", 2, 7, True),  # the dealer's sum in the second thrower's wall
        ("yiwu", "dice 0 3 4 wall; dice 2 2 3 wall", 2, 5, False),
        ("nanchang", "dice 0 3 4 wall; dice 2 2 2 wall; dice 0 1 5 indicator", 2, 6, True),
        ("nanchang", "dice 0 3 4 wall; dice 2 2 2 wall; dice 0 1 5 indicator", 2, 5, False),
    ],
)
def test_places_of_the_indicator(rules: str, dice: str, wall: int, stack: int, right: bool) -> None:
    told = play(rules, dice, HIDDEN, ev.Indicator(tile=10, wall=wall, stack=stack))
    assert kinds(told) == ([] if right else [(0, "wrong_turned")])


def test_who_throws_again() -> None:
    """Decision 31: a second throw by the wrong player is seen, the thrower's fault; Xiamen's indicator by B."""
    assert kinds(play("shaanxi", "dice 0 3 4 wall; dice 3 2 2 wall")) == [(3, "wrong_turned")]
    assert found(play("shaanxi", "dice 0 3 4 wall; dice 2 2 2 wall")) == []
    xiamen = "dice 0 3 4 wall; dice 2 2 3 wall"
    assert found(play("xiamen", xiamen, HIDDEN, "dice 2 1 1 indicator")) == []
    assert kinds(play("xiamen", xiamen, HIDDEN, "dice 0 1 1 indicator")) == [(0, "wrong_turned")]


def test_a_break_the_sheet_does_not_describe_proves_nothing() -> None:
    told = play("hongkong", "dice 0 3 4 wall", ev.Deal(hands=(None,) * 4, wall=0, stacks=1))
    assert [fault.certain for _, fault in told.faults] == [False]
