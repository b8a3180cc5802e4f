"""Whole random games of every rule set: legal play has no fault, tiles are conserved, and two ways to the record agree.

Truth: the player only makes moves the generator calls legal, so any fault is a false alarm; the settlement is compared with
that of a record written straight from the events by ``truth`` (docs/formats/hand-record.md), which shares no code with the table.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from referee.rules import tiles as t
from referee.rules.record import RecordError, parse_record
from referee.rules.ruleset import SET_IDS, load
from referee.rules.settle import as_json, settle_record
from referee.table import events as ev
from referee.table.game import Game
from referee.table.player import Player, hide
from referee.table.state import State
from referee.table.wins import record_json
from tests.table.truth import Truth

OPTIONS: dict[str, list[dict[str, Any]]] = {
    "beijing": [{"dead_wall": "7_8", "missed_win": True}, {"at_most_once": True}],
    "changsha": [{"double_kong": True}],
    "fenghua": [{"dice_roles": "break_small"}],
    "fuzhou": [{"tile_set": 128}],
    "hangzhou": [{"white_wild": True}, {"float_claims": True, "missed_win": True, "feed_limit": "nobody"}],
    "nanchang": [{"missed_pung": True, "dead_wall": "stack_or_half"}],
    "quanzhou": [{"missed_win": True, "float_round_discard_win": True}],
    "shanghai_jinshan": [{"no_swap_discard": True}],
    "taiwan": [
        {"bonus_tiles": False, "missed_win": "until_draw", "last_tile_refusal": True, "swap_discard": False},
        {"dead_wall": "per_kong", "kong_after_claim": False, "same_turn_claim": False},
    ],
    "taizhou": [{"missed_win": "higher"}],
    "wenzhou": [{"missed_pung": True}],
    "wuhan": [{"kong_tiles": "pizi"}, {"kong_tiles": "hongzhong"}],
    "wuhan_hongzhong": [{"kong_tiles": "hongzhong_facai"}],
    "xiamen": [{"gold_choice": "tail", "missed_win": True}],
    "yangzhou": [{"draw_keeps_dealer": True}],
}


def one_hand(rules_id: str, seed: int, options: dict[str, Any]) -> Player:
    """A hand with a random dealer, repeat, wind and draws before it."""
    rng = random.Random(seed)
    player = Player(load(rules_id, options), options, random.Random(seed))
    player.hand(
        dealer=rng.randrange(player.rules.players), repeat=rng.randrange(4), round_wind=rng.choice(t.WINDS),
        draw_streak=rng.randrange(3),
    )  # fmt: skip
    return player


def check_hand(rules_id: str, seed: int, options: dict[str, Any]) -> None:
    player = one_hand(rules_id, seed, options)
    hand = player.game.hands[0]
    assert hand.complete
    assert [fault for fault in hand.faults if fault.certain] == []
    assert hand.settlement is not None, hand.problem
    assert sum(hand.deltas) == 0
    check_conserved(player.wall, hand.state)
    assert parse_record(record_json(hand.record)) == hand.record
    assert settled(Truth(player.rules, player.played.events).record()) == decided(as_json(hand.settlement))
    hidden = Game()
    for event in hide(player.played.events):
        hidden.play(event)
    assert [fault for _, fault in hidden.faults if fault.certain] == []


def settled(record: dict[str, Any]) -> Any:
    try:
        return decided(settle_record(record))
    except RecordError as problem:
        return str(problem)


def decided(settlement: dict[str, Any]) -> Any:
    return [(w["seat"], w["legal"], w["points"]) for w in settlement["wins"]], settlement["deltas"], settlement["payments"]


def check_conserved(wall: list[t.Tile], state: State) -> None:
    """Every tile lies in exactly one place: the wall, a hand, a set, a river, set aside, turned up."""
    seen = Counter(wall) + Counter(state.birds)
    if state.indicator is not None:
        seen[state.indicator] += 1
    robbed = [d.event for d in state.wins if d.legal and d.event.source == "robbed_kong"][:1]
    seen.update(event.tile for event in robbed)
    for seat in state.seats:
        assert seat.exact
        seen.update(seat.known)
        seen.update(seat.bonus)
        seen.update(tile for meld in seat.melds for tile in meld.tiles)
        seen.update(thrown.tile for thrown in seat.discards if not thrown.taken)
    assert sum(seen.values()) == state.total
    assert all(number <= state.rules.tiles[kind] for kind, number in seen.items())


CASES = [(rules_id, {}) for rules_id in SET_IDS] + [(rules_id, o) for rules_id, all_ in OPTIONS.items() for o in all_]


@pytest.mark.parametrize(("rules_id", "options"), CASES)
def test_legal_hands_have_no_faults_and_settle_as_their_record_does(rules_id: str, options: dict[str, Any]) -> None:
    for seed in range(2):
        check_hand(rules_id, seed, options)


@pytest.mark.slow
@pytest.mark.parametrize("rules_id", SET_IDS)
def test_five_hundred_legal_hands(rules_id: str) -> None:
    for seed in range(500):
        check_hand(rules_id, 10_000 + seed, {})


@pytest.mark.slow
@pytest.mark.parametrize(("rules_id", "options"), [case for case in CASES if case[1]])
def test_legal_hands_under_options(rules_id: str, options: dict[str, Any]) -> None:
    for seed in range(60):
        check_hand(rules_id, 20_000 + seed, options)


@pytest.mark.parametrize("rules_id", ["hangzhou", "kawuxing", "nanjing", "yiwu"])
def test_games_carry_on_from_hand_to_hand(rules_id: str) -> None:
    """Bare starts: who deals is who the hand before says, scores are the sums of the settlements."""
    player = Player(load(rules_id, {}), {}, random.Random(7))
    for _ in range(5):
        player.hand()
    game = player.game
    for before, after in zip(game.hands, game.hands[1:], strict=False):
        following = before.following
        assert following is not None
        assert (after.state.dealer, after.state.repeat) == (following.dealer, following.repeat)
    assert game.scores == [sum(hand.deltas[at] for hand in game.hands) for at in range(game.hands[0].state.players)]


def test_a_dealt_hand_names_every_tile() -> None:
    """The player's log is complete: every draw and dealt hand carries its tiles."""
    events = one_hand("taiwan", 3, {}).played.events
    assert all(event.tile is not None for event in events if isinstance(event, (ev.Draw, ev.Discard, ev.Bonus)))
