"""Games played by bots under all 27 rule sets. The truth about fouls comes from whoever did them (referee/table/mischief.py),
never from the judgement under test; distances are checked against the rule engine's own waits."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from referee.rules import tiles as t
from referee.rules.claim import Claim
from referee.rules.record import Player, Record, Win
from referee.rules.ruleset import SET_IDS, load
from referee.table import bots
from referee.table.distance import counts_of, to_independent, to_orphans, to_pairs, to_sets
from referee.table.events import Discard, write_event
from referee.table.faults import KINDS
from referee.table.game import Game, replay

RARELY_FOUL = ("hangzhou", "xiamen", "quanzhou", "ningbo", "wenzhou", "beijing")  # for fouls few know
LEAST_WON = 0.6  # the least share of a rule set's hands that must end in a win


def played_faults(game: Game) -> Counter[tuple[int, int, str]]:
    return Counter((fault.n, fault.seat, fault.kind) for _, fault in game.faults if fault.certain)


def check_game(rules_id: str, seed: int, fouls: float = 0.0, hands: int = 1) -> tuple[Game, list[str]]:
    """Play, replay and compare; the game and the kinds of the fouls done."""
    played = bots.play(rules_id, seed, hands, fouls=fouls)
    game, refused = replay(played.events)
    assert refused == []
    done = Counter((foul.n, foul.seat, foul.kind) for foul in played.fouls)
    assert played_faults(game) == done, f"{rules_id}, seed {seed}"
    assert len(game.hands) == hands and all(hand.complete for hand in game.hands)
    return game, [foul.kind for foul in played.fouls]


@pytest.mark.parametrize("rules_id", SET_IDS)
def test_a_game_replays_without_a_fault(rules_id: str) -> None:
    game, _ = check_game(rules_id, seed=1)
    (hand,) = game.hands
    if hand.state.why == "win":
        assert hand.settlement is not None, hand.problem
        assert any(verdict.legal for verdict in hand.settlement.verdicts)
        assert sum(hand.settlement.deltas) == pytest.approx(0)
    else:
        assert hand.state.why == "exhausted"


@pytest.mark.parametrize("rules_id", SET_IDS)
def test_fouls_done_are_the_faults_found(rules_id: str) -> None:
    _, kinds = check_game(rules_id, seed=5, fouls=0.08)
    assert kinds


def test_the_same_seed_gives_the_same_game() -> None:
    first, second = (bots.play("hangzhou", 11, 2, fouls=0.05) for _ in range(2))
    assert [write_event(e) for e in first.events] == [write_event(e) for e in second.events]
    assert first.fouls == second.fouls
    other = bots.play("hangzhou", 12, 2, fouls=0.05)
    assert [write_event(e) for e in other.events] != [write_event(e) for e in first.events]


def test_hands_are_dealt_from_one_set() -> None:
    """No tile of the game is there more often than the set has it, and each discard was held."""
    played = bots.play("taiwan", 3)
    game, _ = replay(played.events)
    seen: Counter[int] = Counter()
    for seat in game.hands[0].state.seats:
        seen.update((*seat.known, *seat.bonus, *(x for meld in seat.melds for x in meld.tiles)))
        seen.update(d.tile for d in seat.discards if d.tile is not None and not d.taken)
    assert all(number <= load("taiwan").tiles[kind] for kind, number in seen.items())
    assert any(isinstance(event, Discard) for event in played.events)


def test_plans_follow_what_the_rule_set_lets_win() -> None:
    """Hong Kong asks for three faan: a flush has them, just any sets seldom do. Changsha's pair is 2, 5 or 8."""
    hongkong = {plan.name: plan for plan in bots.plans(load("hongkong"))}
    assert hongkong["flush"].worth[True, "discard"] == pytest.approx(1.0)
    assert hongkong["sets"].worth[True, "discard"] < 0.3
    plain = next(plan for plan in bots.plans(load("changsha")) if plan.name == "sets")
    assert {t.rank(kind) for kind in range(27) if plain.heads[kind]} == {2, 5, 8}
    assert "pairs" not in hongkong and "orphans" in hongkong


@pytest.mark.parametrize("seed", range(150))
def test_distance_one_is_waiting(seed: int) -> None:
    """The engine finds waits exactly where the distance is 1 (random hands made nearly complete, wild tiles among them)."""
    rng = random.Random(seed)
    rules = load("hangzhou")
    indicator = rng.choice(t.PLAYING[:31])
    hand = _nearly_complete(rng, indicator)
    record = Record("hangzhou", indicator=indicator, players=(Player(hand=hand), *(Player(hand=None),) * 3))
    claim = Claim(record, rules, Win(0, None, "wall"))
    wilds = claim.wild_count
    naturals = counts_of(claim.face(tile) for tile in hand if tile not in claim.wild_kinds)
    distance = min(to_sets(naturals, wilds, 4), to_pairs(naturals, wilds))
    assert (distance <= 1) == bool(claim.waits)


def _nearly_complete(rng: random.Random, indicator: int) -> tuple[int, ...]:
    """Three sets, a pair and two tiles that may or may not go together, perhaps one exchanged for another."""
    deck = Counter(dict.fromkeys(t.PLAYING, 4)) - Counter((indicator,))
    tiles: list[int] = []
    while len(tiles) < 9:
        low = rng.choice(t.PLAYING)
        group = (low, low + 1, low + 2) if low < 27 and low % 9 < 7 and rng.random() < 0.6 else (low,) * 3
        if not Counter(group) - deck:
            tiles += group
            deck -= Counter(group)
    pair = rng.choice([kind for kind in t.PLAYING if deck[kind] >= 2])
    tiles += [pair, pair]
    deck -= Counter((pair, pair))
    first = rng.choice(sorted(deck))
    deck -= Counter((first,))
    near = [kind for kind in sorted(deck) if abs(kind - first) < 3]
    tiles += [first, rng.choice(near or sorted(deck))]
    return tuple(sorted(tiles))


def test_distances_by_hand() -> None:
    """Counted by hand from the tiles."""
    def counts(text: str) -> list[int]:
        return counts_of(t.parse(text))

    assert to_sets(counts("1112345678999m"), 0, 4) == 1
    assert to_sets(counts("123m456p789sEESSS"), 0, 4) == 0
    assert to_sets(counts("123m456p789sEE"), 3, 4) == 0
    assert to_sets(counts("EEE"), 0, 4) == 11
    assert to_sets(counts("ESN12m"), 0, 1, honour_runs=True) == 1
    assert to_sets(counts("ESN12m"), 0, 1) == 2
    assert to_pairs(counts("1122334455667m"), 0) == 1
    assert to_pairs(counts("1111m2222m3333m4m"), 0) == 1
    assert to_orphans(counts("19m19p19sESWNCFP"), 0) == 1
    assert to_independent(counts("147m258p369sESWNC"), 0) == 0


# --- slow ----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_two_hundred_games_have_no_fault_but_the_injected_ones() -> None:
    """200 games over all rule sets, half of them with fouls; every kind of foul comes up."""
    kinds: set[str] = set()
    for number in range(200):
        rules_id = SET_IDS[number % len(SET_IDS)]
        kinds.update(check_game(rules_id, 1000 + number, fouls=0.06 * (number % 2), hands=1 + number % 2)[1])
    for seed in range(2 * len(RARELY_FOUL)):
        kinds.update(check_game(RARELY_FOUL[seed // 2], seed, 0.25, 3)[1])
        kinds.update(check_game("kawuxing", seed, 0.05, 2)[1])  # hands are opened there where not too much goes wrong
    assert kinds == set(KINDS)


@pytest.mark.slow
@pytest.mark.parametrize("rules_id", SET_IDS)
def test_most_hands_are_won(rules_id: str) -> None:
    won = 0
    for seed in range(15):
        game, _ = check_game(rules_id, 300 + seed)
        won += game.hands[0].state.why == "win"
    assert won / 15 >= LEAST_WON
