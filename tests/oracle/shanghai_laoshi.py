"""Oracle for ``shanghai_laoshi``: written from the old-style Shanghai sheet alone; section names are the sheet's."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from referee.rules.tiles import DRAGONS, SEASONS
from tests.oracle._f3 import (
    Block,
    Builder,
    View,
    flush,
    loser_blocks,
    one_winner,
    pung_fu,
    seat_wind,
    self_drawn,
    unfit,
    views,
)
from tests.oracle.common import (
    COPIES_136,
    Ledger,
    Malformed,
    Record,
    Spec,
    Win,
    one_of,
    random_options,
    read_record,
)

COPIES = COPIES_136 | dict.fromkeys(SEASONS, 1)
SPEC = Spec("shanghai_laoshi", 4, COPIES, {"base_fu": (10, one_of(0, 10, 20))})


def everybodys(record: Record, seat: int, blocks: Sequence[Block], pair_fu: int) -> tuple[int, int]:
    """Fu and tai that a winner and the others alike may have."""
    own, bonus = seat_wind(record, seat), record.players[seat].bonus
    fu = 4 * len(bonus)
    tai = 2 if len(bonus) == 4 else int(SEASONS[own - 27] in bonus)
    for block in blocks:
        if block.kind == "pair":
            fu += pair_fu * (block.face in (*DRAGONS, own))
        elif block.kind == "triplet":
            fu += pung_fu(block.face, block.hidden, block.kong)
            tai += block.face in (*DRAGONS, own)
    return fu, tai


def points(record: Record, win: Win, view: View) -> int:
    own = seat_wind(record, win.seat)
    fu, tai = everybodys(record, win.seat, view.blocks, 4)
    fu += record.options["base_fu"] + 2 * self_drawn(win) + 2 * (view.wait in ("edge", "gap", "single"))
    tai += len(view.runs) == 4 and view.pair.face not in (*DRAGONS, own) and view.wait in ("open", None)
    tai += len(view.triplets) == 4
    tai += win.source in ("kong", "flower", "robbed_kong")
    return fu * 2 ** (tai + {"pure": 3, "mixed": 1, "honours": 1, None: 0}[flush(view.faces)])


def score(record: Record, win: Win) -> int | None:
    if unfit(record, win) or win.tile is None or win.source == "indicator":
        return None
    player = record.players[win.seat]
    concealed = [*player.hand, win.tile]
    if any(t in SEASONS for t in concealed):
        return None
    found = views(concealed, 0, player.melds, win, last=win.tile)
    return max((points(record, win, view) for view in found), default=None)


def settle(data: dict[str, Any]) -> dict[str, Any]:
    record = read_record(data, SPEC)
    scores = [score(record, win) for win in record.wins]
    legal = one_winner(record, [s is not None for s in scores])
    ledger = Ledger(4)
    for win, s, ok in zip(record.wins, scores, legal, strict=True):
        if ok:
            pay(record, win, s, ledger)
    return {"legal": legal, "deltas": ledger.deltas}


def pay(record: Record, win: Win, worth: int, ledger: Ledger) -> None:
    losers = [s for s in range(4) if s != win.seat]
    own = {}
    for seat in losers:
        player = record.players[seat]
        if player.hand is None:
            raise Malformed(f"hand of seat {seat}")
        fu, tai = everybodys(record, seat, loser_blocks([t for t in player.hand if t < 34], player.melds), 2)
        own[seat] = fu * 2**tai
        ledger.pay(seat, win.seat, worth * (1 + (record.dealer in (seat, win.seat))))
    for low in losers:
        for high in losers:
            if own[low] < own[high]:
                ledger.pay(low, high, (own[high] - own[low]) * (1 + (record.dealer in (low, high))))


def random_record(rng: random.Random) -> dict[str, Any]:
    b = Builder(rng, "shanghai_laoshi", COPIES)
    b.options = random_options(rng, {"base_fu": [0, 10, 20]}, share=0.5)
    if b.chance(0.95):
        sources = ["wall", "wall", "discard", "discard", "discard", "kong", "flower", "robbed_kong", "deal"]
        b.declare(b.complete_hand(), sources)
        b.last_tile(0.05)
        b.earthly()
        if b.chance(0.1):
            b.second_claimant()
    b.lay_bonus(SEASONS)
    b.deal_losers()
    b.irregular()
    if b.chance(0.01):
        rng.choice(b.seats).hand = None
    return b.record()
