"""Oracle for ``shanghai_jinshan``: written from the Jinshan sheet alone; section names below are the sheet's."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

from referee.rules.tiles import DRAGONS, FLOWERS, HONOURS, ORPHANS, SEASONS, WINDS, is_orphan, parse_one
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
    COPIES_144,
    Ledger,
    Malformed,
    Record,
    Spec,
    Win,
    at_least,
    is_bool,
    one_of,
    random_meld,
    random_options,
    read_record,
)

SPEC = Spec(
    "shanghai_jinshan",
    4,
    COPIES_144,
    {
        "base_points": (3, at_least(0)),
        "limit": (50, at_least(1)),
        "four_concealed": ("full", one_of("full", "self_drawn_pair")),
        "no_swap_discard": (False, is_bool),
    },
)
LIMIT = -1  # the points of a limit hand


def up(number: int) -> int:
    """A tenth, rounded up."""
    return -(-number // 10)


def everybodys(record: Record, seat: int, blocks: Sequence[Block]) -> tuple[int, int]:
    """Fu and tai that a winner and a loser alike may have."""
    own, bonus = seat_wind(record, seat), record.players[seat].bonus
    fu = 4 * len(bonus)
    tai = 2 if len(bonus) == 4 else int(SEASONS[own - 27] in bonus)
    for block in blocks:
        if block.kind == "pair":
            fu += 2 * (block.face in (*DRAGONS, own))
        elif block.kind == "triplet":
            fu += pung_fu(block.face, block.hidden, block.kong)
            tai += block.face in (*DRAGONS, own)
    return fu, tai


def winner_fu_tai(record: Record, win: Win, view: View, wilds: int) -> tuple[int, int]:
    fu, tai = everybodys(record, win.seat, view.blocks)
    fu += 10 + 2 * self_drawn(win) + 2 * (view.wait in ("edge", "gap"))
    if view.wait == "single":
        fu += 4 if is_orphan(view.face) else 2
    tai += (win.source in ("kong", "flower")) + (win.source == "robbed_kong")
    tai += (len(view.triplets) == 4) + (wilds == 0)
    tai += sum(view.triplet_of(d) for d in DRAGONS) == 2 and view.pair.face in DRAGONS
    return fu, tai + {"pure": 3, "mixed": 1, "honours": 0, None: 0}[flush(view.faces)]


def is_limit(record: Record, win: Win, view: View, wilds: int) -> bool:
    return (
        wilds == 4
        or win.first_turn
        or all(is_orphan(f) for f in view.faces)
        or all(view.triplet_of(w) for w in WINDS)
        or all(view.triplet_of(d) for d in DRAGONS)
        or (len(view.runs) == 3 and any(b.wilds == 3 for b in view.triplets))
        or four_concealed(record, win, view)
    )


def four_concealed(record: Record, win: Win, view: View) -> bool:
    if len(view.triplets) < 4 or not all(b.hidden for b in view.triplets):
        return False
    if win.source == "deal":
        return True
    if view.wait == "single":
        return self_drawn(win) or record.options["four_concealed"] == "full"
    return record.options["four_concealed"] == "full"  # the fourth pung was finished by an own draw, being concealed


def thirteen_orphans(naturals: Sequence[int], wilds: int) -> bool:
    counts = Counter(naturals)
    missing = sum(1 for t in ORPHANS if t not in counts)
    double = sum(n - 1 for n in counts.values())
    return len(naturals) + wilds == 14 and set(counts) <= set(ORPHANS) and double <= 1 and missing <= wilds


def score(record: Record, win: Win) -> int | None:
    """Points of the best legal reading, or LIMIT; None where the win is not legal."""
    if unfit(record, win, wild=FLOWERS) or win.tile is None or win.source == "indicator":
        return None
    if win.tile in FLOWERS and not self_drawn(win):
        return None
    player = record.players[win.seat]
    concealed = [*player.hand, win.tile]
    naturals = [t for t in concealed if t not in FLOWERS]
    wilds = len(concealed) - len(naturals)
    if any(t in SEASONS for t in naturals):
        return None
    if not player.melds and thirteen_orphans(naturals, wilds):
        return LIMIT
    best = None
    for view in views(naturals, wilds, player.melds, win, last=win.tile, last_wild=win.tile in FLOWERS):
        fu, tai = winner_fu_tai(record, win, view, wilds)
        if fu < 20:
            continue
        if is_limit(record, win, view, wilds):
            return LIMIT
        best = max(best or 0, fu * 2**tai)
    return best


def settle(data: dict[str, Any]) -> dict[str, Any]:
    record = read_record(data, SPEC)
    if any(t in FLOWERS for p in record.players for t in p.bonus):
        raise Malformed("plum, orchid, chrysanthemum and bamboo are kept in the hand")
    scores = [score(record, win) for win in record.wins]
    legal = one_winner(record, [s is not None for s in scores])
    ledger = Ledger(4)
    for win, s, ok in zip(record.wins, scores, legal, strict=True):
        if ok:
            pay(record, win, s, ledger)
    return {"legal": legal, "deltas": ledger.deltas}


def loser_points(record: Record, seat: int) -> int:
    player = record.players[seat]
    if player.hand is None:
        raise Malformed(f"hand of seat {seat}")
    fu, tai = everybodys(record, seat, loser_blocks([t for t in player.hand if t < 34], player.melds))
    return fu * 2**tai


def pay(record: Record, win: Win, points: int, ledger: Ledger) -> None:
    limit, base = record.options["limit"], record.options["base_points"]
    losers = [s for s in range(4) if s != win.seat]
    for seat in losers:
        doubled = self_drawn(win) or seat == win.source_seat
        due = limit if points == LIMIT else min(limit, up(points * (1 + doubled)) + base)
        ledger.pay(seat, win.seat, due)
    own = {seat: loser_points(record, seat) for seat in losers}
    for low in losers:
        for high in losers:
            if own[low] < own[high]:
                doubled = not self_drawn(win) and win.source_seat in (low, high)
                ledger.pay(low, high, min(limit, up((own[high] - own[low]) * (1 + doubled))))


def orphans(b: Builder) -> tuple[int, ...]:
    tiles = [*ORPHANS, b.rng.choice([*ORPHANS, b.rng.randrange(34)])]
    for _ in range(b.rng.choice([0, 1, 2, 3])):
        spare = [t for t in FLOWERS if t not in tiles]
        tiles[b.rng.randrange(len(tiles))] = b.rng.choice(spare)
    return tuple(sorted(b.deck.take(tiles)))


def dragons_hand(b: Builder, seats: Sequence[int]) -> tuple[int, ...] | None:
    """Pungs of the ``seats`` given (dragons or winds) and what completes them."""

    concealed: tuple[int, ...] = ()
    rest = [*seats]
    while len(rest) < 4:
        rest.append(b.rng.randrange(34))
    eyes = b.rng.choice([*HONOURS, b.rng.randrange(27)])
    if not b.deck.has([*(t for t in rest for _ in range(3)), eyes, eyes]):
        return None
    concealed += b.deck.take([eyes, eyes])
    for tile in rest:
        group = b.deck.take((tile,) * 3)
        meld = random_meld(b.rng, b.deck, b.winner, 4, group) if b.chance(0.4) else None
        if meld is None:
            concealed += group
        else:
            b.seats[b.winner].melds += (meld,)
    return tuple(sorted(concealed))


def random_record(rng: random.Random) -> dict[str, Any]:
    b = Builder(rng, "shanghai_jinshan", COPIES_144)
    b.options = random_options(
        rng,
        {
            "base_points": [0, 5],
            "limit": [30, 100, 500],
            "four_concealed": ["self_drawn_pair"],
            "no_swap_discard": [True],
        },
        share=0.2,
    )
    if b.chance(0.95):
        kind = rng.choice(["orphans", "dragons", "winds", "concealed", *["any"] * 8])
        concealed = {
            "orphans": lambda: orphans(b),
            "dragons": lambda: dragons_hand(b, rng.sample(DRAGONS, rng.choice([2, 3]))),
            "winds": lambda: dragons_hand(b, rng.sample(WINDS, rng.choice([3, 4]))),
            "concealed": lambda: b.complete_hand(meld=0, kinds=[t for t in range(34) if t % 3 < 2]),
            "any": lambda: None,
        }[kind]()
        share = rng.choice([0, 0, 0.2, 0.5, 1])
        concealed = concealed or b.complete_hand(wild=FLOWERS, wild_share=share, wild_max=4)
        sources = ["wall", "wall", "discard", "discard", "discard", "kong", "flower", "robbed_kong", "deal"]
        b.declare(concealed, sources, wild=FLOWERS)
        b.last_tile(0.05)
        b.earthly()
        if b.chance(0.1):
            b.second_claimant()
            b.more_wins = [w for w in b.more_wins if parse_one(w["tile"]) < 34]
    b.lay_bonus(SEASONS)
    b.deal_losers()
    b.irregular()
    if b.chance(0.01):
        rng.choice(b.seats).hand = None
    return b.record()
