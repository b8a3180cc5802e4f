"""Hands in a row: who deals, what carries over, what the game has come to; and what the record says of a hand.

Truth: the rule sheets' chapters Dealer and rounds, Payments and Decisions; docs/formats/event-log.md, decisions 23-30.
"""

from __future__ import annotations

from typing import Any

import pytest

from referee.rules import tiles as t
from referee.rules.record import Win
from referee.table import events as ev
from referee.table.game import Game
from tests.table.telling import HIDDEN, game, log, play

THREE = "deal ? / ? / ?"
WON = {"hand": "234567m345p6788s", "tile": "5s"}


def hand(lines: str, deal: str = HIDDEN, **start: Any) -> list[ev.Event]:
    """One more hand with a bare start, unnumbered."""
    return [ev.Start(**start), *log("hongkong", deal, lines)[1:]]


def game_of(rules: str, *hands: list[ev.Event], **start: Any) -> Game:
    """A game whose first start names the rule set and the others are bare."""
    events: list[ev.Event] = []
    for index, one in enumerate(hands):
        first = ev.Start(rules=rules, **{"dealer": 0, "repeat": 0, "round_wind": t.EAST, **start})
        events += [first, *one[1:]] if index == 0 else one
    return game([ev.numbered(event, n) for n, event in enumerate(events, 1)])


def following(told: Game) -> tuple[int, int, str] | None:
    after = told.following
    return None if after is None else (after.dealer, after.repeat, t.NAMES[after.round_wind])


DRAWN = "0 -1m; end exhausted"
DEALER_WINS = "0 win 5s wall - 234567m345p6788s; end win"
SEAT_2_WINS = "0 -1m; 1 +; 1 -9p; 2 +; 2 win 5s wall - 234567m345p6788s; end win"


@pytest.mark.parametrize(
    ("rules", "lines", "start", "expected"),
    [
        # the winner deals
        ("hangzhou", f"ind 9m; {SEAT_2_WINS}", {}, (2, 0, "E")),
        ("hangzhou", f"ind 9m; {DEALER_WINS}", {"repeat": 1}, (0, 2, "E")),
        ("hangzhou", "ind 9m; 0 -1m; end exhausted", {"repeat": 1}, (0, 2, "E")),
        ("jinan", DRAWN, {"dealer": 0}, (1, 0, "E")),
        ("shanghai_1980s", DRAWN, {}, (0, 1, "E")),
        ("shanghai_1980s", SEAT_2_WINS, {}, (2, 0, "E")),
        # the dealer stays after his own win or a draw, else to the right
        ("hongkong", DRAWN, {"repeat": 2}, (0, 3, "E")),
        ("shaanxi", SEAT_2_WINS, {}, (1, 0, "E")),
        ("yiwu", f"ind 9m; {DRAWN}", {}, (0, 1, "E")),
        # a drawn hand passes the deal
        ("shanghai_laoshi", DRAWN, {}, (1, 0, "E")),
        ("fuzhou", f"ind 9m; {DRAWN}", {}, (1, 0, "E")),
        ("nanjing", DRAWN, {}, (1, 0, "E")),
        ("yangzhou", DRAWN, {}, (1, 0, "E")),
        ("yangzhou", DRAWN, {"options": {"draw_keeps_dealer": True}}, (0, 1, "E")),
        ("taizhou", f"ind 9m; {DRAWN}", {}, (1, 0, "E")),
        # Wenzhou: a draw leaves repeat as it is, a kong in it passes the deal
        ("wenzhou", f"ind 9m; {DRAWN}", {"repeat": 2}, (0, 2, "E")),
        ("wenzhou", "ind 9m; 0 ckong 1111p; 0 +t; 0 -1m; end exhausted", {"repeat": 2}, (1, 0, "E")),
        # the round wind moves when the deal comes back to seat 0, where there is one
        ("hongkong", SEAT_2_WINS.replace("0 -", "3 -").replace("1 +; 1 -9p; 2", "1 -9p; 2"), {"dealer": 3}, None),
        ("ningbo", f"ind 9m; {DRAWN.replace('0 -', '3 -')}", {"dealer": 3}, (3, 1, "E")),
        ("nanjing", DRAWN.replace("0 -", "3 -"), {"dealer": 3}, (0, 0, "E")),
        ("shanghai_xinshi", DRAWN.replace("0 -", "3 -"), {"dealer": 3}, (0, 0, "S")),
        ("yangzhou", DRAWN.replace("0 -", "3 -"), {"dealer": 3, "round_wind": t.NORTH}, (0, 0, "E")),
    ],
)
def test_who_deals_next(rules: str, lines: str, start: dict[str, Any], expected: tuple[int, int, str] | None) -> None:
    told = play(rules, HIDDEN, lines, **start)
    if expected is not None:
        assert following(told) == expected


def test_wenzhou_s_fourth_win_passes_the_deal() -> None:
    """Wenzhou: the dealer wins his fourth hand (repeat 3): right neighbour."""
    win = "0 win 5s wall - 234567m234567p6788s; end win"
    assert following(play("wenzhou", HIDDEN, f"ind 9m; {win}", repeat=2)) == (0, 3, "E")
    assert following(play("wenzhou", HIDDEN, f"ind 9m; {win}", repeat=3)) == (1, 0, "E")


def test_nanjing_dealer_stays_only_on_a_big_win() -> None:
    """Nanjing: small wins (menqing alone) pass the deal, big patterns keep it."""
    round_ = "0 f 1q; 0 +t; 0 -1m; 1 +; 1 -9p; 2 +; 2 -9p; 3 +; 3 -9s; 0 +"
    small = play("nanjing", HIDDEN, round_, "0 win 5s wall - 234567m345p6788s; end win")
    big = play("nanjing", HIDDEN, "0 win 9p wall - 1122335577889p; end win")
    assert following(big) == (0, 1, "E")
    assert small.hands[0].deltas[0] > 0 and following(small) == (1, 0, "E")


def test_nanchang_sacked_hand_passes_the_deal_even_when_drawn() -> None:
    sacked = "ind 2m; 0 -9s; 1 +; 1 -9s; 2 +; 2 -9s; 3 +; 3 -9s; end exhausted"
    assert following(play("nanchang", HIDDEN, sacked)) == (1, 0, "E")
    claimed = "ind 2m; 0 -9s; 1 +; 1 -9s; 2 +; 2 -9s; 3 +; 3 -1p; end exhausted"
    assert following(play("nanchang", HIDDEN, claimed)) == (0, 1, "E")


def test_kawuxing_two_winners_give_the_deal_to_the_discarder() -> None:
    lines = "0 -1s; 1 +; 1 -5s; 0 win 5s discard 1 123789p2344688s; 2 win 5s discard 1 22p11155777sFFF; end win"
    told = play("kawuxing", THREE, lines)
    assert following(told) == (1, 0, "E")


def test_changsha_several_dealt_hands_the_bird_deals() -> None:
    """Changsha, Dealer: several winners on dealt hands: the player hit by the bird."""
    lines = [
        "deal ? / 1111m258m258p25s9s / 2222m147m147p14s9s / ?",
        ev.Win(seat=1, source="deal", hand=t.parse("1111m258m258p25s9s")),
        ev.Win(seat=2, source="deal", hand=t.parse("2222m147m147p14s9s")),
        "birds 4p; end win",
    ]
    assert following(play("changsha", *lines)) == (3, 0, "E")


def test_a_false_win_of_an_unstated_kind_leaves_the_deal_open() -> None:
    """Decision 25: next only where the sheet says who deals."""
    assert following(play("beijing", HIDDEN, "ind 9m; 0 -1m; 1 +; 1 win 5s wall - 123m; end false_win")) is None
    assert following(play("xiamen", HIDDEN, "ind 9m; 0 -1m; 1 +; 1 win 5s wall - 123m; end false_win", repeat=2)) == (0, 2, "E")
    assert following(play("taiwan", HIDDEN, "0 -1m; 1 +; 1 win 5s wall - 123m; end false_win", repeat=2)) == (0, 3, "E")


def test_drawn_hands_double_what_follows_in_jinan() -> None:
    """Jinan, Payments: one drawn hand before, the points count twice; two, four times."""
    win = "2 -1m; 3 +; 3 win 5s wall - 234567m345p2246s; end win"
    told = game_of("jinan", hand("0 -1m; end exhausted"), hand("1 -1m; end exhausted"), hand(win))
    assert [one.state.draw_streak for one in told.hands] == [0, 1, 2]
    assert told.hands[2].state.dealer == 2 and told.hands[2].deltas == (-4, -4, -4, 12)


def test_stakes_last_through_the_dealer_s_run_in_yiwu() -> None:
    """Decision 28: without new stakes they stand until the deal passes."""
    first = hand("ind 9m; 0 stake 1; 2 stake 1; 0 -1m; end exhausted")
    second = hand("ind 9m; 1 side 2; 0 -1m; end exhausted")
    third = hand(f"ind 9m; {SEAT_2_WINS}")
    fourth = hand("ind 9m; 1 -1m; end exhausted")
    told = game_of("yiwu", first, second, third, fourth)
    stakes = [[(seat.stake, seat.side_stake) for seat in one.state.seats] for one in told.hands]
    assert stakes[1] == [(1, None), (None, 2), (1, None), (None, None)]
    assert stakes[2] == stakes[1]
    assert stakes[3] == [(None, None)] * 4


def test_shaanxi_stakes_hold_for_one_hand() -> None:
    told = game_of("shaanxi", hand("0 stake 4; 0 -1m; end exhausted"), hand("0 -1m; end exhausted"))
    assert [one.state.seats[0].stake for one in told.hands] == [4, None]


def test_the_dealer_s_base_grows_by_what_was_won_in_quanzhou() -> None:
    """Quanzhou, option base_step multiplier: + the win's multiplier after the dealer's win, + 1 after a draw, 2 when new."""
    win = "ind 9m; 0 win 5s wall - 234567m234567p6788s; end win"
    drawn = "ind 9m; 0 -1m; end exhausted"
    lost = "ind 9m; 0 -1m; 1 +; 1 win 5s wall - 234567m234567p6788s; end win"
    hands = [hand(win), hand(drawn), hand(lost), hand("ind 9m; 1 -1m; end exhausted")]
    told = game_of("quanzhou", *hands, options={"base_step": "multiplier"})
    assert [one.record.dealer_base or 2 for one in told.hands] == [2, 4, 5, 2]


@pytest.mark.parametrize(
    ("lines", "doubled"),
    [
        ("0 f 1q; 0 f 2q; 0 f 3q; 0 f 4q; 0 +t; 0 +t; 0 +t; 0 +t; 0 -1m; end exhausted", True),  # a flower kong
        ("0 -9m; 1 +; 1 -9m; 2 +; 2 -9m; 3 +; 3 -9m; end exhausted", True),  # a fine
        ("0 ckong 1111p; 0 +t; 0 -1m; end exhausted", False),
    ],
)
def test_what_doubles_the_next_hand_in_nanjing(lines: str, doubled: bool) -> None:
    """Nanjing, option double_after: flower kongs, fines, blooms and liabilities double the hand after."""
    told = game_of("nanjing", hand(lines), hand("1 -1m; end exhausted"), options={"double_after": "repeat_and_events"})
    assert told.hands[1].state.double_next is doubled


def test_chips_run_down_from_hand_to_hand() -> None:
    """Hangzhou, Payments: nobody pays more than his chips, nothing is owed."""
    lose = f"ind 9m; {SEAT_2_WINS}"
    told = game_of("hangzhou", hand(lose), hand("ind 9m; 2 win 5s wall - 234567m345p6788s; end win"), chips=(1, 40, 40, 40))
    assert told.hands[0].deltas == (-1, -1, 3, -1)
    assert [seat.chips for seat in told.hands[1].state.seats] == [0, 39, 43, 39]
    assert told.hands[1].deltas[0] == 0
    assert sum(told.scores) == 0


def test_penalties_ruled_by_a_person() -> None:
    """Penalty events move points at the table, to a player, or only in the tournament."""
    events = [
        *log("hongkong", HIDDEN, "0 -1m"),
        ev.Penalty(seat=1, kind="slow", points=10, to="table"),
        ev.Penalty(seat=2, kind="tile shown", points=5, to=0),
        ev.Penalty(seat=3, kind="late", points=20, to="tournament"),
    ]
    assert game(events).scores == [5, -10, -5, 0]


def test_a_game_of_four_rounds_ends() -> None:
    """Beijing: a game is four rotations of the deal."""
    lines = "ind 9m; {d} -1m; {n} +; {n} win 5s wall - 234567m345p6788s; end win"
    hands = [hand(lines.format(d=dealer, n=(dealer + 1) % 4)) for dealer in [0, 1, 2, 3] * 4]
    assert game_of("beijing", *hands[:15]).over == ""
    assert game_of("beijing", *hands).over == "4 rounds have been played"


def test_a_game_ends_when_two_are_broke() -> None:
    """Yangzhou, option yuanzi: when two players are broke the game ends at once."""
    win = hand("0 win 5s wall - 234567m345p6788s; end win")
    options = {"yuanzi": True, "min": 3}
    assert game_of("yangzhou", win, options=options, chips=(1, 1, 1, 90)).over == "2 players have no chips left"
    assert game_of("yangzhou", win, options=options, chips=(90, 90, 90, 90)).over == ""


def test_a_won_hand_without_its_end_is_settled_when_the_next_begins() -> None:
    first = hand(SEAT_2_WINS.replace("; end win", ""))
    told = game_of("shanghai_liuxing", first, hand("1 -1m"))
    assert told.hands[0].complete and told.hands[0].deltas[2] > 0 and told.hands[1].state.dealer == 1


def test_a_stopped_hand_settles_nothing_and_is_played_again() -> None:
    told = play("hongkong", HIDDEN, "0 -1m; end stopped", repeat=2)
    assert told.hands[0].settlement is None and following(told) == (0, 2, "E")


# --- what the record says (decision 23) ---------------------------------------------------------------------------------


def won(told: Game) -> Win:
    return told.hands[-1].record.wins[0]


def test_kongs_on_kongs_and_whose_discard_was_konged() -> None:
    told = play(
        "hongkong", HIDDEN, "0 -1m; 2 kong 1111m 1m 0; 2 +t; 2 ckong 9999p; 2 +t", "2 win 5s kong - 345p6788s; end win"
    )
    assert (won(told).kong_chain, won(told).kong_from, won(told).kong_tile) == (2, None, 17)
    single = play("ningbo", HIDDEN, "ind 9m; 0 -1m; 2 kong 1111m 1m 0; 2 +t; 2 win 5s kong - 234p345p6788s; end win")
    assert (won(single).kong_chain, won(single).kong_from, won(single).kong_tile) == (1, 0, 0)


def test_a_kong_a_float_and_a_draw() -> None:
    """Hangzhou decision 7: 槓飄, a float does not break the run; kong_chain 1, floats 1 with source wall."""
    lines = "ind 3s; 0 ckong 1111p; 0 +t; 0 -3s; 1 +; 1 -9p; 2 +; 2 -9p; 3 +; 3 -9s; 0 +; 0 win 9m wall - 3s123456m789m; end win"
    told = play("hangzhou", HIDDEN, lines)
    assert (won(told).kong_chain, won(told).floats, won(told).source) == (1, 1, "wall")


def test_an_ordinary_discard_breaks_the_run() -> None:
    lines = "ind 3s; 0 ckong 1111p; 0 +t; 0 -9s; 1 +; 1 -9p; 2 +; 2 -9p; 3 +; 3 -9s; 0 +; 0 win 9m wall - 3s123456m789m; end win"
    assert won(play("hangzhou", HIDDEN, lines)).kong_chain == 0


def test_the_floats_of_yiwu_need_not_be_straight() -> None:
    """Yiwu, Play: the win need not come on the very next draw; consecutive wild discards of one player count."""
    lines = "ind 5m; 0 -5m; 1 +; 1 -9p; 2 +; 2 -9p; 3 +; 3 -9s; 0 +; 0 -9s; 1 +; 1 -8p; 2 +; 2 -8p; 3 +; 3 -8s; 0 +"
    told = play("yiwu", HIDDEN, lines, "0 win 9m wall - 5m123m789m123p789p; end win")
    assert won(told).floats == 1


def test_last_tile_and_the_discard_after_it() -> None:
    lines = ["0 -1m"]
    seat = 1
    for _ in range(108 - 53 - 1):
        lines.append(f"{seat} +; {seat} -?")
        seat = (seat + 1) % 4
    drawn = play("changsha", HIDDEN, *lines, f"{seat} +; {seat} win 5s wall - 22288m234567p46s; end win")
    assert won(drawn).last_tile
    other = (seat + 1) % 4
    thrown = play("changsha", HIDDEN, *lines, f"{seat} +; {seat} -5s; {other} win 5s discard {seat} 22288m234567p46s; end win")
    assert won(thrown).last_tile
    early = play("changsha", HIDDEN, *lines[:-1], f"{(seat - 1) % 4} +; {(seat - 1) % 4} win 5s wall - 22288m234567p46s; end win")
    assert not won(early).last_tile


def test_first_turns() -> None:
    """Heavenly, earthly, and what Hong Kong and Taiwan count besides (their sheets, Ways of winning / Scoring)."""
    hand_ = "234567m345p6788s"
    assert won(play("hongkong", HIDDEN, f"0 win 5s wall - {hand_}; end win")).first_turn
    assert not won(play("hongkong", HIDDEN, "0 ckong 1111p; 0 +t; 0 win 5s kong - 234567m6788s; end win")).first_turn
    assert won(play("hongkong", HIDDEN, f"0 -5s; 2 win 5s discard 0 {hand_}; end win")).first_turn
    assert won(play("hongkong", HIDDEN, f"0 -1m; 1 +; 1 -5s; 2 win 5s discard 1 {hand_}; end win")).first_turn
    assert not won(play("ningbo", HIDDEN, f"ind 9m; 0 -1m; 1 +; 1 -5s; 2 win 5s discard 1 {hand_}; end win")).first_turn
    assert won(play("taiwan", HIDDEN, "0 -1m; 1 +; 1 win 5s wall - 234567m345678p6788s; end win")).first_turn
    assert not won(play("hongkong", HIDDEN, f"0 -1m; 1 +; 1 win 5s wall - {hand_}; end win")).first_turn


def test_rows_of_kongs_across_players() -> None:
    """Kawuxing: a kong claimed from the discard after a kong goes on with the row, an added or concealed one does not."""
    lines = "0 ckong 1111p; 0 +t; 0 -2p; 1 kong 2222p 2p 0; 1 +t; 1 ckong 3333p; 1 +t; 1 -9s; 2 +; 2 ckong 4444p; 2 +t; 2 -9s"
    told = play("kawuxing", THREE, lines)
    chains = [[meld.chain for meld in seat.melds] for seat in told.hands[0].state.seats]
    assert chains == [[1], [2, 3], [1]]


def test_opened_hands_are_numbered_in_order() -> None:
    lines = "0 -1p; 0 ready open; 0 show 123789p2344688s; 1 +; 1 -9p; 1 ready open; 1 show 22p11155777sFFF"
    told = play("kawuxing", THREE, lines)
    assert [player.revealed for player in told.hands[0].record.players] == [1, 2, False]


def test_kong_tiles_shown_or_discarded_lie_aside_once() -> None:
    """Wuhan, Record: all kong tiles a player has shown or discarded stand in bonus."""
    told = play("wuhan", HIDDEN, "ind 1m; 0 f C; 0 +t; 0 -F; 1 +; 1 -2m; 2 +; 2 -9p")
    assert [t.write(player.bonus) for player in told.hands[0].record.players] == ["CF", "2m", "", ""]


def test_four_in_a_row_and_all_four_by_one_player() -> None:
    """Nanjing, Kongs and other payments: both fines."""
    row = "0 -9m; 1 +; 1 -9m; 2 +; 2 -9m; 3 +; 3 -9m"
    others = ["1 +; 1 -E; 2 +; 2 -9p; 3 +; 3 -8p", "1 +; 1 -W; 2 +; 2 -8p; 3 +; 3 -7p", "1 +; 1 -2m; 2 +; 2 -3m; 3 +; 3 -4m"]
    one = "; 0 +; 0 -1s; " + "; 0 +; 0 -1s; ".join([*others, ""]).rstrip("; ")
    told = play("nanjing", HIDDEN, row + one)
    fines = [(i.seat, i.by) for i in told.hands[0].record.incidents if i.kind == "four_same_discards"]
    assert fines == [(0, "all"), (0, "one")]
    claimed = play("nanjing", HIDDEN, "0 -9m; 1 +; 1 -9m; 2 +; 2 -9m; 0 pung 999m 9m 2")
    assert not claimed.hands[0].record.incidents


def test_two_rounds_of_same_discards_are_of_two_kinds() -> None:
    """Jinan, 跟荘: it may happen in the second turn as well, with another tile, since each kind has four copies."""
    rounds = "; ".join(f"{'' if i == 0 else f'{i % 4} +; '}{i % 4} -{'9s' if i < 4 else '1p'}" for i in range(8))
    told = play("jinan", HIDDEN, rounds, "0 +; 0 -E; end exhausted")
    assert [(i.tile, i.rounds) for i in told.hands[0].record.incidents] == [(26, 2)]
    assert told.hands[0].deltas == (-6, 2, 2, 2)


def test_a_false_robbery_leaves_the_kong_standing() -> None:
    """Decision 14 applied to wins: what happened is recorded; the kong was made, the robbery was none."""
    lines = "0 -5s; 2 pung 555s 5s 0; 2 -2s; 3 +; 3 -2m; 0 +; 0 -4s; 1 +; 1 -8s; 2 +; 2 akong 5555s"
    told = play("changsha", HIDDEN, lines, "1 win 5s robbed_kong 2 345m22345p4667s9s; end false_win")
    assert [(f.n, f.kind) for _, f in told.faults] == [(14, "false_win")]
    assert told.hands[0].deltas == (0, 0, 0, 0)
    assert told.hands[0].record.players[2].melds[0].kind == "added_kong"


def test_the_discards_of_everybody_are_in_the_record_claimed_ones_too() -> None:
    told = play("taizhou", HIDDEN, "ind 9m; 0 -1m; 2 pung 111m 1m 0; 2 -9p")
    players = told.hands[0].record.players
    assert players[0].discards == (0,) and players[2].discards == (17,) and players[1].discards == ()
    unseen = play("taizhou", HIDDEN, "ind 9m; 0 -?; 1 +; 1 -9p")
    assert unseen.hands[0].record.players[0].discards is None
