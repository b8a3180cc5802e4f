"""Oracle for ``shanghai_liuxing``: written from the popular-style Shanghai sheet alone; section names are the sheet's."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from referee.rules.tiles import DRAGONS, FLOWERS, SEASONS, suit
from tests.oracle._f3 import Builder, View, flush, one_winner, seat_wind, self_drawn, unfit, views
from tests.oracle.common import COPIES_144, Ledger, Record, Spec, Win, at_least, random_options, read_record

SPEC = Spec("shanghai_liuxing", 4, COPIES_144, {"base_points": (1, at_least(0))})


def tai_of_tiles(record: Record, win: Win, everything: list[int]) -> int:
    """What does not depend on how the hand is split: flushes, bonus tiles, the way of winning."""
    tai = {"pure": 4, "mixed": 2, "honours": 2, None: 0}[flush(everything)]
    tai += win.source in ("kong", "flower", "robbed_kong")
    place, bonus = seat_wind(record, win.seat) - 27, record.players[win.seat].bonus
    for series in (SEASONS, FLOWERS):
        tai += 2 if set(series) <= set(bonus) else series[place] in bonus
    return tai


def tai_of_view(record: Record, win: Win, view: View) -> int:
    own, prevailing = seat_wind(record, win.seat), record.round_wind
    tai = sum(b.face in DRAGONS for b in view.triplets)
    tai += view.triplet_of(own) + view.triplet_of(prevailing)
    tai += len(view.runs) == 4 and view.pair.face not in (*DRAGONS, own, prevailing)
    tai += 2 * (len(view.triplets) == 4)
    return tai + (view.wait in ("edge", "gap", "single"))


def all_tiles(record: Record, win: Win) -> list[int]:
    player = record.players[win.seat]
    return [*player.hand, win.tile, *(t for m in player.melds for t in m.tiles)]


def score(record: Record, win: Win) -> int | None:
    """Tai of the best reading."""
    if unfit(record, win) or win.tile is None or win.source == "indicator":
        return None
    player = record.players[win.seat]
    found = views([*player.hand, win.tile], 0, player.melds, win, last=win.tile)
    best = max((tai_of_view(record, win, view) for view in found), default=None)
    return None if best is None else best + tai_of_tiles(record, win, all_tiles(record, win))


def liable(record: Record, win: Win) -> bool:
    """``bao_qingyise``: three claimed sets of one suit and a full flush on a discard or a robbed kong."""
    claimed = Counter(suit(m.tiles[0]) for m in record.players[win.seat].melds if m.is_open)
    return not self_drawn(win) and flush(all_tiles(record, win)) == "pure" and max(claimed.values(), default=0) >= 3


def settle_with(data: dict[str, Any], spec: Spec, scorer: Any) -> dict[str, Any]:
    record = read_record(data, spec)
    scores = [scorer(record, win) for win in record.wins]
    legal = one_winner(record, [s is not None for s in scores])
    ledger = Ledger(4)
    for win, tai, ok in zip(record.wins, scores, legal, strict=True):
        if not ok:
            continue
        p = record.options["base_points"] * 2**tai
        if liable(record, win):
            ledger.pay(win.source_seat, win.seat, 4 * p)
            continue
        for seat in range(4):
            if seat != win.seat:
                ledger.pay(seat, win.seat, 2 * p if self_drawn(win) or seat == win.source_seat else p)
    return {"legal": legal, "deltas": ledger.deltas}


def settle(data: dict[str, Any]) -> dict[str, Any]:
    return settle_with(data, SPEC, score)


def begin(rng: random.Random, rules: str) -> Builder:
    b = Builder(rng, rules, COPIES_144)
    b.fields["round_wind"] = rng.choice("ESWN")
    b.options = random_options(rng, {"base_points": [2, 5, 10]})
    return b


def finish(b: Builder, concealed: tuple[int, ...], sources: list[str]) -> dict[str, Any]:
    if b.chance(0.95):
        b.declare(concealed, sources)
        b.last_tile(0.05)
        b.earthly()
        if b.chance(0.1):
            b.second_claimant()
    b.lay_bonus([*FLOWERS, *SEASONS])
    b.irregular()
    return b.record()


SOURCES = ["wall", "wall", "discard", "discard", "discard", "kong", "flower", "robbed_kong", "deal"]


def random_record(rng: random.Random) -> dict[str, Any]:
    b = begin(rng, "shanghai_liuxing")
    return finish(b, b.complete_hand(), SOURCES)
