"""Oracle for ``shanghai_1980s``: written from the sheet of the late 1980s alone; section names below are the sheet's."""

from __future__ import annotations

import random
from typing import Any

from referee.rules.tiles import FLOWERS, SEASONS
from tests.oracle._f3 import Builder, claims, flush, one_winner, self_drawn, unfit, views
from tests.oracle.common import COPIES_144, Ledger, Record, Spec, Win, at_least, random_options, read_record
from tests.oracle.ningbo import feed_back

SPEC = Spec("shanghai_1980s", 4, COPIES_144, {"base_chips": (3, at_least(0)), "limit": (40, at_least(1))})


def score(record: Record, win: Win) -> int | None:
    """P of the best reading."""
    if unfit(record, win) or win.tile is None or win.source == "indicator":
        return None
    player = record.players[win.seat]
    best = None
    for view in views([*player.hand, win.tile], 0, player.melds, win, last=win.tile):
        fan = {"pure": 4, "mixed": 2, "honours": 2, None: 0}[flush(view.faces)]
        fan += 2 * (len(view.triplets) == 4) + (len(player.hand) == 1) + (win.source in ("kong", "flower"))
        best = max(best or 0, fan)
    if best is None:
        return None
    chips = record.options["base_chips"] + len(player.bonus)
    return min(record.options["limit"], chips * 2**best)


def settle(data: dict[str, Any]) -> dict[str, Any]:
    record = read_record(data, SPEC)
    scores = [score(record, win) for win in record.wins]
    legal = one_winner(record, [s is not None for s in scores])
    ledger = Ledger(4)
    for win, p, ok in zip(record.wins, scores, legal, strict=True):
        if ok:
            pay(record, win, p, ledger)
    return {"legal": legal, "deltas": ledger.deltas}


def pay(record: Record, win: Win, p: int, ledger: Ledger) -> None:
    """Payments, Liability and its decision on two bound players."""
    fed = claims(record.players[win.seat].melds)
    after = [(win.seat + step) % 4 for step in (1, 2, 3)]
    bound = [y for y in after if fed[y] >= 3 or claims(record.players[y].melds)[win.seat] >= 3]
    if self_drawn(win):
        shares = dict.fromkeys(after, p)
        if bound:
            free = [s for s in after if s not in bound]
            shares[bound[0]] += p * len(free)
            for seat in free:
                shares[seat] = 0
    else:
        payer = win.source_seat if not bound or win.source_seat in bound else bound[0]
        shares = {payer: p}
    for seat, amount in shares.items():
        ledger.pay(seat, win.seat, amount)


def random_record(rng: random.Random) -> dict[str, Any]:
    b = Builder(rng, "shanghai_1980s", COPIES_144)
    b.options = random_options(rng, {"base_chips": [1, 2, 5], "limit": [20, 80, 1000]})
    concealed = b.complete_hand()
    if b.chance(0.95):
        b.declare(concealed, ["wall", "wall", "discard", "discard", "discard", "kong", "flower", "robbed_kong", "deal"])
        if b.chance(0.1):
            b.second_claimant()
        feed_back(b)
        feed_back(b)
    b.lay_bonus([*FLOWERS, *SEASONS])
    b.irregular()
    return b.record()
