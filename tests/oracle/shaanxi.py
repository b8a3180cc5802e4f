"""Oracle for Shaanxi, written from the sheet shaanxi.md alone."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from referee.rules.tiles import ORPHANS, PLAYING
from tests.oracle import _f1, common
from tests.oracle.common import COPIES_136, Record, Spec, Win, decompositions, is_bool

SPEC = Spec(
    "shaanxi",
    4,
    COPIES_136,
    {"seven_pairs": (False, is_bool), "thirteen_orphans": (False, is_bool), "missed_win": (False, is_bool)},
)


def settle(data: dict[str, Any]) -> dict[str, Any]:
    record = common.read_record(data, SPEC)
    if any(player.stake not in range(5) for player in record.players):
        raise common.Malformed("stake")
    ledger = common.Ledger(4)
    verdicts = _f1.judge_one_winner(record, lambda win: True if _allowed(record, win) else None)
    for win, verdict in zip(record.wins, verdicts, strict=True):
        if verdict:
            _pay(record, win, ledger)
    for seat, player in enumerate(record.players):
        for meld in player.melds:
            if meld.kind == "kong":
                assert meld.source is not None
                ledger.pay(meld.source, seat, 2)
            elif meld.is_kong:
                for other in range(4):
                    if other != seat:
                        ledger.pay(other, seat, 2 if meld.kind == "concealed_kong" else 1)
    for incident in record.incidents:
        if incident["kind"] == "false_win":
            ledger.false_win(incident)
    return _f1.result(record, ledger, verdicts)


def _allowed(record: Record, win: Win) -> bool:
    player, options = record.players[win.seat], record.options
    if win.seat in common.dead_seats(record) or not _f1.hand_size_right(record, win, 13):
        return False
    if not all(common.proper_meld(m) for m in player.melds):
        return False
    if win.source == "robbed_kong" and win.robbed_kind != "added":
        return False
    tiles = _f1.finished(record, win)
    if decompositions(tiles, 0, 4 - len(player.melds)):
        return True
    if player.melds:
        return False
    if options["seven_pairs"] and common.odd_kinds(tiles) == 0:
        return True
    return options["thirteen_orphans"] and set(tiles) == set(ORPHANS)


def _pay(record: Record, win: Win, ledger: common.Ledger) -> None:
    factor = 1 if win.source == "discard" else 2
    for seat in range(4):
        if seat != win.seat:
            d = 2 if record.dealer in (seat, win.seat) else 1
            stakes = record.players[seat].stake + record.players[win.seat].stake
            ledger.pay(seat, win.seat, (d + stakes) * factor)


def random_record(rng: random.Random) -> dict[str, Any]:
    scene = _f1.Scene(rng, "shaanxi", COPIES_136)
    record, deck, seat = scene.record, scene.deck, scene.winner
    choices = {"seven_pairs": [True, True, False], "thirteen_orphans": [True, True, False], "missed_win": [True]}
    options = common.random_options(rng, choices, 0.3)
    record["repeat"] = rng.choice([0, 1, 4])
    shape = rng.random()
    melds: tuple[common.Meld, ...] = ()
    if shape < 0.12:
        concealed = _f1.pairs_hand(rng, deck, PLAYING)
    elif shape < 0.22:
        concealed = deck.take(sorted((*ORPHANS, rng.choice(ORPHANS))))
    else:
        kinds = rng.choice([PLAYING, tuple(range(9)), tuple(range(9, 14))])
        dealt = common.random_hand(rng, deck, seat, 4, 4, kinds=kinds, meld=0.5, kong=0.6)
        concealed, melds = dealt.concealed, dealt.melds
    if scene.chance(0.1):
        concealed = common.spoil(rng, deck, concealed)
    once = [t for t, n in Counter(concealed).items() if n == 1]
    scene.win_by(
        concealed,
        melds,
        ["wall", "kong", "discard", "discard", "robbed_kong", "deal"],
        won_on=once if scene.chance(0.6) else None,
    )
    if scene.win["source"] == "kong" and scene.chance(0.3):
        scene.win["kong_chain"] = 2
    if scene.win["source"] == "robbed_kong" and scene.chance(0.1):
        scene.win["robbed_kind"] = "concealed"
    scene.add_loser_melds(0.5, kinds=PLAYING)
    for player in scene.players:
        if scene.chance(0.6):
            player["stake"] = rng.randrange(5)
    dice = rng.random()
    if dice < 0.06:
        scene.incident(kind="dead_hand", seat=rng.randrange(4), why="short")
    elif dice < 0.14:
        offender = rng.randrange(4)
        scene.incident(kind="false_win", seat=offender, claimed=common.claimed_amounts(rng, offender, 4))
        scene.drawn()
    elif dice < 0.22:
        scene.drawn()
    elif dice < 0.25:
        scene.players[rng.randrange(4)]["stake"] = rng.choice([5, 9, -1])
    if options:
        record["options"] = options
    return scene.finish()
