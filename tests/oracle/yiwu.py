"""Oracle for Yiwu, written from the sheet yiwu.md alone."""

from __future__ import annotations

import random
from typing import Any

from referee.rules.tiles import PLAYING, WHITE, is_honour
from tests.oracle import _f1, common
from tests.oracle.common import COPIES_136, Meld, Record, Spec, Win, decompositions, is_bool

SPEC = Spec("yiwu", 4, COPIES_136, {"discard_dealer_only": (False, is_bool), "side_stake_doubles": (False, is_bool)})


def settle(data: dict[str, Any]) -> dict[str, Any]:
    record = common.read_record(data, SPEC)
    if record.indicator is None:
        raise common.Malformed("indicator")
    ledger = common.Ledger(4)
    verdicts = _f1.judge_one_winner(record, lambda win: _factor(record, win))
    winners = set()
    for win, factor in zip(record.wins, verdicts, strict=True):
        if factor is None:
            continue
        winners.add(win.seat)
        for seat in range(4):
            if seat != win.seat:
                share = factor
                if win.source == "discard":
                    share = 2 if seat == win.source_seat else 1
                ledger.pay(seat, win.seat, _base(record, seat, win.seat) * share)
    for seat in range(4):
        if _floats(record, seat) >= 2 and seat not in winners:
            for other in range(4):
                if other != seat:
                    ledger.pay(seat, other, 4 * _base(record, seat, other))
    for incident in record.incidents:
        if incident["kind"] == "false_win":
            ledger.false_win(incident)
    return _f1.result(record, ledger, verdicts)


def _base(record: Record, payer: int, winner: int) -> int:
    """Payments: 5, or 7 with the dealer, 2 for each stake, 2 for each 子 laid against the dealer."""
    with_dealer = record.dealer in (payer, winner)
    base = 7 if with_dealer else 5
    for seat in (payer, winner):
        base += 2 * record.players[seat].stake
        if with_dealer and seat != record.dealer:
            base += 2 * record.players[seat].side_stake
    return base


def _floats(record: Record, seat: int) -> int:
    """How many wild tiles the seat floated at most in a row, by any of the four ways a float is seen."""
    seen = [w.floats for w in record.wins if w.seat == seat]
    seen += [i["floats"] for i in record.incidents if i["kind"] == "failed_float" and i["seat"] == seat]
    seen.append(int(record.float_by == seat))
    run = 0
    for tile in record.players[seat].discards or ():
        run = run + 1 if tile == record.indicator else 0
        seen.append(run)
    return max(seen)


def _face(record: Record, tile: int) -> int:
    assert record.indicator is not None
    return record.indicator if tile == WHITE else tile


def _factor(record: Record, win: Win) -> int | None:
    """The factor on each payer's base (for a discard: any number, the payment is split there); None if not allowed."""
    player, wild = record.players[win.seat], record.indicator
    if win.seat in common.dead_seats(record) or not _f1.hand_size_right(record, win, 13):
        return None
    for meld in player.melds:
        shown = Meld(meld.kind, tuple(sorted(_face(record, t) for t in meld.tiles)))
        if wild in meld.tiles or not common.proper_meld(shown):
            return None
    hand = player.hand or ()
    natural, wilds = [_face(record, t) for t in hand if t != wild], hand.count(wild)
    sets = 4 - len(player.melds)
    lone_shape = wilds > 0 and (
        bool(decompositions(natural, wilds - 1, sets, pairs=0))
        or (not player.melds and common.odd_kinds(natural) <= wilds - 1)
    )
    lone = lone_shape and _f1.is_self_drawn(win)
    if win.tile == wild:
        wilds += 1
    elif win.tile is not None:
        natural.append(_face(record, win.tile))
    floats = max(_floats(record, seat) for seat in range(4))
    if not _f1.is_self_drawn(win) and (lone_shape or win.tile == wild):
        return None
    if win.source == "robbed_kong" and win.robbed_kind != "added":
        return None
    if win.source == "discard":
        if wilds >= 2 or floats:
            return None
        if record.options["discard_dealer_only"] and record.dealer not in (win.seat, win.source_seat):
            return None
    if (wilds == 3 or floats >= 2) and not (lone or win.source == "kong"):
        return None
    shaped = (
        bool(decompositions(natural, wilds, sets))
        or (not player.melds and common.odd_kinds(natural) <= wilds)
        or (not player.melds and _f1.is_scattered(natural, wilds, is_honour))
    )
    if not shaped:
        return None
    factor = 2
    if lone:
        factor *= 2 * 2**win.floats
    if win.source == "kong":
        factor *= 2
    return factor


# --- random records -----------------------------------------------------------------------------------------------


def random_record(rng: random.Random) -> dict[str, Any]:
    scene = _f1.Scene(rng, "yiwu", COPIES_136)
    record, deck, seat = scene.record, scene.deck, scene.winner
    options = common.random_options(rng, {"discard_dealer_only": [True, False], "side_stake_doubles": [True]}, 0.15)
    wild = scene.turn_indicator([WHITE] if scene.chance(0.05) else PLAYING)
    kinds = [k for k in PLAYING if k != WHITE and (k != wild or k < 31)]

    def deal() -> tuple[tuple[int, ...], tuple[Meld, ...]]:
        shape = rng.random()
        if shape < 0.2:
            return _f1.pairs_hand(rng, deck, kinds), ()
        if shape < 0.35:
            return _f1.scattered(rng, deck, [27, 28, 29, 30, 31, 32]), ()
        dealt = common.random_hand(rng, deck, seat, 4, 4, kinds=kinds, meld=rng.choice([0.0, 0.5]), kong=0.4)
        return dealt.concealed, dealt.melds

    concealed, melds = deal() if wild == WHITE else _f1.with_stand_in(deck, wild, WHITE, deal)
    concealed = _f1.put_wilds(rng, deck, concealed, wild, rng.choice([0, 0, 1, 1, 1, 2, 3]))
    if scene.chance(0.07):
        concealed = common.spoil(rng, deck, concealed)
    scene.win_by(
        concealed,
        melds,
        ["wall", "wall", "kong", "kong", "discard", "discard", "robbed_kong"],
        won_on=[t for t in concealed if t != wild] if scene.chance(0.8) else None,
        never_claimed=[wild],
    )
    win = scene.win
    if win["source"] in ("wall", "kong") and deck.has([wild]) and scene.chance(0.5):
        floated = deck.draw(rng, rng.choice([1, 2]), [wild])
        win["floats"] = len(floated)
        if scene.chance(0.6):
            scene.players[seat]["discards"] = common.write(floated)
    if win["source"] == "robbed_kong" and scene.chance(0.1):
        win["robbed_kind"] = "concealed"
    scene.add_loser_melds(0.2, kinds=[k for k in kinds if k != wild])
    for s, player in enumerate(scene.players):
        if scene.chance(0.4):
            player["stake"] = rng.choice([0, 1])
        if s != record["dealer"] and scene.chance(0.3):
            player["side_stake"] = rng.choice([1, 2, 4, 8])
    _others_floats(scene, wild)
    dice = rng.random()
    if dice < 0.06:
        scene.incident(kind="dead_hand", seat=rng.randrange(4), why="long")
    elif dice < 0.1:
        offender = rng.randrange(4)
        scene.incident(kind="false_win", seat=offender, claimed=common.claimed_amounts(rng, offender, 4))
        scene.drawn()
    elif dice < 0.18:
        scene.drawn()
    if options:
        record["options"] = options
    return scene.finish()


def _others_floats(scene: _f1.Scene, wild: int) -> None:
    """Somebody else floated: told by float_by, by an incident, by the discards."""
    rng, deck = scene.rng, scene.deck
    if scene.chance(0.75) or not deck.has([wild]):
        return
    seat = rng.choice(scene.others())
    floats = len(deck.draw(rng, rng.choice([1, 2]), [wild]))
    deck.give_back([wild] * floats)
    told = rng.choice(["float_by", "failed_float", "discards", "both"])
    if told == "float_by":
        scene.record["float_by"] = seat
    if told in ("failed_float", "both"):
        scene.incident(kind="failed_float", seat=seat, floats=floats)
    if told in ("discards", "both"):
        plain = [t for t, n in deck.left.items() if n and t != wild]
        first = deck.take([rng.choice(plain)])
        scene.players[seat]["discards"] = common.write((*first, *deck.take([wild] * floats)))
