"""The legal-move generator: counted by an independent slow counter (perft), and what moves change on the table.

Golden numbers: computed by ``slow_count`` below, a plain re-statement of draw, discard, chow, pung and kong for known hands that
shares nothing with the generator; the numbers stand here so that a change of either is noticed.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

import pytest

from referee.rules import tiles as t
from referee.table import events as ev
from referee.table.moves import Change, Move, changes, foul_moves, legal_moves
from referee.table.state import State, apply
from tests.table.telling import HIDDEN, play

# --- a small game played to depth n over a fixed wall ----------------------------------------------------------------------


@dataclass(frozen=True)
class Small:
    """Hands, sets, rivers and a wall: nothing but what the next move needs."""

    hands: tuple[tuple[int, ...], ...]
    wall: tuple[int, ...]
    melds: tuple[tuple[tuple[int, ...], ...], ...]
    turn: int
    acting: bool  # the player in turn has a tile to discard
    owes: bool = False  # a kong's replacement
    offer: tuple[int, int] | None = None
    claimed: int | None = None
    chows: bool = True
    kong_after_claim: bool = True
    swap: bool = True


def without(hand: tuple[int, ...], tiles: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted((Counter(hand) - Counter(tiles)).elements()))


def moved(game: Small, at: int, hand: tuple[int, ...], **changed: object) -> Small:
    hands = (*game.hands[:at], tuple(sorted(hand)), *game.hands[at + 1 :])
    return replace(game, hands=hands, **changed)  # type: ignore[arg-type]


def slow_moves(game: Small) -> list[Small]:
    at, hand = game.turn, game.hands[game.turn]
    out: list[Small] = []
    if game.owes:
        return [moved(game, at, (*hand, game.wall[-1]), wall=game.wall[:-1], owes=False)]
    if game.acting:
        for tile in sorted(set(hand)):
            if not game.swap and tile == game.claimed:
                continue
            after = moved(game, at, without(hand, (tile,)), turn=(at + 1) % 4, acting=False, offer=(at, tile), claimed=None)
            out.append(after)
        if game.claimed is None or game.kong_after_claim:
            for tile in (k for k, n in Counter(hand).items() if n == 4):
                melds = with_meld(game, at, (tile,) * 4)
                out.append(moved(game, at, without(hand, (tile,) * 4), melds=melds, owes=True, claimed=None))
            for index, meld in enumerate(game.melds[at]):
                if len(meld) == 3 and len(set(meld)) == 1 and meld[0] in hand:
                    own = (*game.melds[at][:index], (*meld, meld[0]), *game.melds[at][index + 1 :])
                    melds = (*game.melds[:at], own, *game.melds[at + 1 :])
                    out.append(moved(game, at, without(hand, (meld[0],)), melds=melds, owes=True, claimed=None))
        return out
    if game.wall:
        out.append(moved(game, at, (*hand, game.wall[0]), wall=game.wall[1:], acting=True, offer=None))
    if game.offer is not None:
        for other in range(4):
            out += slow_claims(game, other, *game.offer)
    return out


def with_meld(game: Small, at: int, meld: tuple[int, ...]) -> tuple[tuple[tuple[int, ...], ...], ...]:
    return (*game.melds[:at], (*game.melds[at], meld), *game.melds[at + 1 :])


def slow_claims(game: Small, at: int, source: int, tile: int) -> list[Small]:
    if at == source:
        return []
    hand, out = game.hands[at], []
    number = hand.count(tile)
    taken = {"turn": at, "acting": True, "offer": None}
    if number >= 2:
        melds = with_meld(game, at, (tile,) * 3)
        out.append(moved(game, at, without(hand, (tile,) * 2), melds=melds, claimed=tile, **taken))
    if number >= 3:
        melds = with_meld(game, at, (tile,) * 4)
        out.append(moved(game, at, without(hand, (tile,) * 3), melds=melds, owes=True, claimed=None, **taken))
    if game.chows and at == (source + 1) % 4 and tile < 27:
        for low in (tile - 2, tile - 1, tile):
            run = (low, low + 1, low + 2)
            own = without(run, (tile,))
            if low >= 0 and low // 9 == (low + 2) // 9 and all(k in hand for k in own):
                melds = with_meld(game, at, run)
                out.append(moved(game, at, without(hand, own), melds=melds, claimed=tile, **taken))
    return out


def slow_count(game: Small, depth: int) -> int:
    return 1 if depth == 0 else sum(slow_count(after, depth - 1) for after in slow_moves(game))


# --- the generator over the same wall ----------------------------------------------------------------------------------------


def fast_count(state: State, wall: tuple[int, ...], depth: int) -> int:
    """Legal event sequences of ``depth`` events, draws taken from a fixed wall."""
    if depth == 0:
        return 1
    total = 0
    for move in legal_moves(state, wins=False):
        event, rest = move.event, wall
        if isinstance(event, ev.Draw):
            if not wall:
                continue
            tile, rest = (wall[-1], wall[:-1]) if event.end == "tail" else (wall[0], wall[1:])
            event = replace(event, tile=tile)
        total += fast_count(apply(state, event), rest, depth - 1)
    return total


HANDS = ("1234567m123p1479s", "222m3335678p444s", "3355m1299p888sEE", "111777m555s9sEES")
WALL = "9p5p8s9m6m4p1p1sE2p7s"
GOLDEN = [
    ("hongkong", {}, [14, 26, 167, 234, 1602]),
    ("nanjing", {"chows": False}, [14, 26, 167, 213, 1469]),
    ("ningbo", {"kong_after_claim": False, "swap": False}, [14, 26, 157, 221, 1491]),
]


@pytest.mark.parametrize(("rules", "customs", "golden"), GOLDEN)
def test_perft(rules: str, customs: dict[str, bool], golden: list[int]) -> None:
    """Sequences of 1 to 5 events from the dealer's first discard on. Nanjing: no chow; Ningbo: no swap discard and no kong
    between a claim and its discard."""
    turned = "ind 8s;" if rules == "ningbo" else ""
    state = play(rules, "deal " + " / ".join(HANDS), turned).hands[0].state
    small = Small(tuple(t.parse(h) for h in HANDS), t.parse(WALL), ((),) * 4, 0, True, **customs)
    slow = [slow_count(small, depth) for depth in range(1, 6)]
    assert [fast_count(state, t.parse(WALL), depth) for depth in range(1, 6)] == slow == golden


# --- what may happen -----------------------------------------------------------------------------------------------------------


def names(moves: list[Move]) -> set[tuple[str, object]]:
    return {(move.event.type, getattr(move.event, "seat", None)) for move in moves}


def test_with_hidden_hands_everything_that_could_be_is_offered() -> None:
    """For the camera: any unseen discard, claims by anybody whose tiles could be there."""
    state = play("hongkong", HIDDEN, "0 -5s").hands[0].state
    moves = legal_moves(state, wins=False)
    assert ("draw", 1) in names(moves) and ("pung", 3) in names(moves) and ("chow", 1) in names(moves)
    assert ("chow", 2) not in names(moves)
    turn = legal_moves(play("hongkong", HIDDEN, "0 -5s; 1 +").hands[0].state, wins=False)
    assert len([m for m in turn if isinstance(m.event, ev.Discard)]) >= 34


def test_fouls_come_apart_from_legal_moves() -> None:
    state = play("hongkong", HIDDEN, "0 -5s").hands[0].state
    fouls = foul_moves(state)
    assert all(move.fouls for move in fouls)
    assert {("draw", 2), ("draw", 3)} <= {(m.event.type, m.event.seat) for m in fouls if "out_of_turn" in m.fouls}  # type: ignore[attr-defined]
    assert not any(move.fouls for move in legal_moves(state))


def test_wins_are_found_for_known_hands() -> None:
    deal = "deal 1258m147p369sESWN / 234567m345p6788s / ? / ?"
    state = play("shanghai_liuxing", deal, "0 -E; 1 +5s").hands[0].state
    assert ("win", 1) in names(legal_moves(state))


def test_what_a_move_changes_on_the_table() -> None:
    pung = ev.Pung(seat=2, tiles=(0, 0, 0), claimed=0, source=1)
    assert list(changes(pung)) == [
        Change("river", 1, 0, -1), Change("hand", 2, 0, -1), Change("hand", 2, 0, -1),
        Change("meld", 2, 0, 1), Change("meld", 2, 0, 1), Change("meld", 2, 0, 1),
    ]  # fmt: skip
    assert Move(ev.Draw(seat=0, end="tail")).changes == (Change("tail", None, None, -1), Change("hand", 0, None, 1))


def test_the_ritual_comes_in_its_order() -> None:
    """Ningbo: the wild tiles are known before the flowers are shown; Xiamen the other way round, in rounds."""
    deal = "deal 11258m147p369sE1q1f / 123456789m123p2q / ? / ?"
    ningbo = play("ningbo", deal).hands[0].state
    assert [m.event.type for m in legal_moves(ningbo)] == ["indicator"]
    shown = legal_moves(play("ningbo", deal, "ind 2f").hands[0].state)
    assert [(m.event.type, m.event.tile) for m in shown] == [("bonus", t.parse_one("1q"))]  # type: ignore[attr-defined]
    xiamen = play("xiamen", "deal 112258m147p369sE1q1fSS / 123456789m123p2q123s / ? / ?").hands[0].state
    assert [m.event.type for m in legal_moves(xiamen)] == ["bonus"]
