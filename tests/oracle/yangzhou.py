"""Oracle for ``yangzhou``: written from the Yangzhou sheet alone; section names below are the sheet's."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from typing import Any

from referee.rules.tiles import DRAGONS, is_honour, is_orphan, is_terminal, suit
from tests.oracle._f3 import Block, Builder, View, flush, seat_wind, self_drawn, unfit, views
from tests.oracle.common import (
    COPIES_136,
    Ledger,
    Meld,
    Record,
    Spec,
    Win,
    at_least,
    decompositions,
    is_bool,
    one_of,
    random_options,
    read_record,
)

SPEC = Spec(
    "yangzhou",
    4,
    COPIES_136,
    {
        "scale": ("common", one_of("old", "common", "new", "light")),
        "min": (None, at_least(0)),
        "fengqing_x": (None, one_of(4, 2)),
        "gangban_x": (None, one_of(8, 2)),
        "pinghu_eyes": ("any", one_of("any", "no_honours")),
        "draw_keeps_dealer": (False, is_bool),
        "rounds": (4, one_of(4, 8)),
        "yuanzi": (False, is_bool),
    },
)
TIERS = {  # T, M, D, Q, default minimum
    "old": (7, 10, 20, 40, 7),
    "common": (10, 15, 30, 60, 13),
    "new": (15, 20, 50, 80, 18),
    "light": (3, 4, 8, 16, 3),
}


def minimum(options: dict[str, Any]) -> int:
    return TIERS[options["scale"]][4] if options["min"] is None else options["min"]


def most_disjoint(runs: list[Block], fits: Any) -> int:
    """Decision 6: how many pairs of runs that fit, no run used twice."""
    if len(runs) < 2:
        return 0
    first, rest = runs[0], runs[1:]
    best = most_disjoint(rest, fits)
    for index, other in enumerate(rest):
        if fits(first.face, other.face) or fits(other.face, first.face):
            best = max(best, 1 + most_disjoint(rest[:index] + rest[index + 1 :], fits))
    return best


def side_by_side(a: int, b: int) -> bool:
    return suit(a) != suit(b) and a % 9 == b % 9


def tandem(a: int, b: int) -> bool:
    return suit(a) == suit(b) and b == a + 3


def high_low(a: int, b: int) -> bool:
    return suit(a) == suit(b) and a % 9 == 0 and b % 9 == 6


def big_patterns(view: View, everything: list[int], options: dict[str, Any]) -> dict[str, int]:
    t, m, d, q, _ = TIERS[options["scale"]]
    light = options["scale"] == "light"
    starts = Counter(b.face for b in view.runs)
    twins = [s for s, n in starts.items() if n == 2] + [s for s, n in starts.items() if n == 4 for _ in (0, 1)]
    numbers = {n: {suit(s) for s in starts if s % 9 == n} for n in range(7)}
    got: dict[str, int] = {}
    colour = flush(everything)
    if colour == "mixed":
        got["hunyise"] = m
    if colour == "pure":
        got["qingyise"] = q
    if colour == "honours":
        got["fengqing"] = q * (options["fengqing_x"] or (2 if light else 4))
    elif len(view.triplets) == 4:
        got["duiduihu"] = m
    if any(n >= 2 for n in starts.values()):
        got["yiban"] = t
    if any({s, s + 3, s + 6} <= set(starts) for s in (0, 9, 18)):
        got["yitiaolong"] = m
    if any(len(suits) == 3 for suits in numbers.values()):
        got["sanfutong"] = m
    for a, b in itertools.combinations((0, 9, 18), 2):
        if {a, a + 6, b, b + 6} <= set(starts):
            got["shuangpiao"] = m
        if any({a + n, a + n + 3, b + n, b + n + 3} <= set(starts) for n in range(4)):
            got["shuanglianshuangxi"] = m
    if any(len(suits) == 3 and sum(starts[s] for s in starts if s % 9 == n) == 4 for n, suits in numbers.items()):
        got["sifutong"] = d
    if any(n >= 3 for n in starts.values()):
        got["tieban"] = q
    if any(n == 4 for n in starts.values()):
        got["gangban"] = q * (options["gangban_x"] or (2 if light else 8))
    if len(set(twins)) == 2:
        low, high = sorted(set(twins))
        got["shuangbanban"] = d
        if side_by_side(low, high):
            got["shuangbanshuangxi"] = q
        if tandem(low, high):
            got["shuangbanshuanglian"] = q
        if high_low(low, high):
            got["shuangbanshuanglao"] = q
    return got


EXCLUDES = {
    "yitiaolong": ("lianfu", "laoshao"),
    "sanfutong": ("qixiang",),
    "shuangpiao": ("laoshao", "qixiang"),
    "shuanglianshuangxi": ("lianfu", "qixiang"),
    "shuangbanban": ("yiban",),
    "sifutong": ("sanfutong", "yiban", "qixiang"),
    "qingyise": ("queyi",),
    "tieban": ("yiban",),
    "shuangbanshuangxi": ("yiban", "shuangbanban", "qixiang"),
    "shuangbanshuanglian": ("yiban", "shuangbanban", "lianfu"),
    "shuangbanshuanglao": ("yiban", "shuangbanban", "laoshao"),
    "fengqing": ("duiduihu",),
    "gangban": ("yiban", "tieban"),
}


def minor_patterns(record: Record, win: Win, view: View, everything: list[int], sole: bool) -> dict[str, int]:
    melds = record.players[win.seat].melds
    honours = any(is_honour(f) for f in everything)
    eyes = view.pair.face
    got = {
        "menqing": all(m.kind == "concealed_kong" for m in melds),
        "pinghu": len(view.runs) == 4 and (record.options["pinghu_eyes"] == "any" or not is_honour(eyes)),
        "zimo": self_drawn(win),
        "call": sole and view.wait in ("single", "gap", "edge"),
        "queyi": not honours and len({suit(f) for f in everything}) == 2,
        "yaotou": not honours and is_terminal(eyes),
        "duanyao": not any(is_orphan(f) for f in everything),
        "qixiang": most_disjoint(view.runs, side_by_side),
        "lianfu": most_disjoint(view.runs, tandem),
        "laoshao": most_disjoint(view.runs, high_low),
        "zige": sum(b.hidden and not b.kong for b in view.triplets),
        "minggang": sum(b.origin in ("kong", "added_kong") for b in view.triplets),
        "angang": 2 * sum(b.origin == "concealed_kong" for b in view.triplets),
        "menfeng": view.triplet_of(seat_wind(record, win.seat)),
        "quanfeng": view.triplet_of(record.round_wind),
        "jian": sum(b.face in DRAGONS for b in view.triplets),
    }
    return {name: int(value) for name, value in got.items()}


def combinations_bonus(big: dict[str, int], scale: str) -> int:
    if scale != "new":
        return 0
    straight, twins, pungs = "yitiaolong" in big, "yiban" in big, "duiduihu" in big
    bonus = 15 * (straight and twins)
    if straight or pungs:
        bonus += 10 * ("hunyise" in big) + 30 * ("qingyise" in big)
    return bonus


def sole_call(record: Record, win: Win) -> bool:
    player = record.players[win.seat]
    held = Counter([*player.hand, *(t for m in player.melds for t in m.tiles)])
    calls = [t for t in COPIES_136 if held[t] < 4 and decompositions([*player.hand, t], 0, 4 - len(player.melds))]
    return len(calls) == 1


def score(record: Record, win: Win) -> int | None:
    if unfit(record, win) or win.tile is None or win.source in ("indicator", "flower"):
        return None
    player = record.players[win.seat]
    if record.options["yuanzi"] and not self_drawn(win) and record.players[win.source_seat].chips == 0:
        return None
    everything = [*player.hand, win.tile, *(t for m in player.melds for t in m.tiles)]
    chows = Counter(suit(m.tiles[0]) for m in player.melds if m.kind == "chow")
    if max(chows.values(), default=0) >= 3 and flush(everything) != "pure":
        return None
    sole = win.source != "deal" and sole_call(record, win)
    best = None
    for view in views([*player.hand, win.tile], 0, player.melds, win, last=win.tile):
        big = big_patterns(view, everything, record.options)
        got = big | minor_patterns(record, win, view, everything, sole)
        gone = {name for pattern in big for name in EXCLUDES.get(pattern, ())}
        total = sum(value for name, value in got.items() if name not in gone)
        counted = {name: value for name, value in big.items() if name not in gone}
        total += combinations_bonus(counted, record.options["scale"])
        best = total if best is None else max(best, total)
    return best if best is not None and best >= minimum(record.options) else None


def liable_seat(record: Record, win: Win) -> int | None:
    """Liability: a pure hand whose third claimed set is a chow binds the one who fed it."""
    player = record.players[win.seat]
    everything = [*player.hand, win.tile, *(t for m in player.melds for t in m.tiles)]
    claimed = [m for m in player.melds if m.kind != "concealed_kong"]
    if flush(everything) != "pure" or len(claimed) < 3 or claimed[2].kind != "chow":
        return None
    return claimed[2].source


def settle(data: dict[str, Any]) -> dict[str, Any]:
    record = read_record(data, SPEC)
    scores = [score(record, win) for win in record.wins]
    legal = [s is not None for s in scores]
    left = [p.chips for p in record.players]
    ledger = Ledger(4)

    def pay(payer: int, payee: int, amount: int) -> None:
        if record.options["yuanzi"] and left[payer] is not None:
            amount = min(amount, left[payer])
            left[payer] -= amount
        ledger.pay(payer, payee, amount)

    order = sorted(range(len(scores)), key=lambda i: (record.wins[i].seat - (record.wins[i].source_seat or 0)) % 4)
    for index in order:
        win, s = record.wins[index], scores[index]
        if s is None:
            continue
        liable = liable_seat(record, win)
        if self_drawn(win):
            payers = [liable] * 3 if liable is not None else [seat for seat in range(4) if seat != win.seat]
            for seat in payers:
                pay(seat, win.seat, s)
        else:
            pay(win.source_seat if liable is None else liable, win.seat, 2 * s)
    for incident in record.incidents:
        if incident["kind"] == "false_win":
            ledger.false_win(incident)
    return {"legal": legal, "deltas": ledger.deltas}


RUN_SHAPES = (  # four runs as (suit, number) by which the big patterns come up; suits are shuffled afterwards
    ((0, 0), (0, 3), (0, 6), (1, 2)),
    ((0, 0), (0, 3), (0, 6), (0, 3)),
    ((0, 2), (1, 2), (2, 2), (0, 5)),
    ((0, 2), (1, 2), (2, 2), (1, 2)),
    ((0, 0), (0, 6), (1, 0), (1, 6)),
    ((0, 1), (0, 4), (1, 1), (1, 4)),
    ((0, 1), (0, 1), (1, 4), (1, 4)),
    ((0, 1), (0, 1), (0, 4), (0, 4)),
    ((0, 3), (0, 3), (1, 3), (1, 3)),
    ((0, 0), (0, 0), (0, 6), (0, 6)),
    ((0, 4), (0, 4), (0, 4), (1, 0)),
    ((0, 3), (0, 3), (0, 3), (0, 3)),
    ((0, 1), (0, 2), (0, 4), (0, 5)),
    ((0, 3), (1, 3), (0, 6), (2, 2)),
    ((0, 3), (0, 3), (0, 0), (1, 5)),
)


def run_hand(b: Builder) -> tuple[int, ...] | None:
    """A hand of four runs in one of the arrangements that the big patterns ask for, some claimed."""
    suits = b.rng.sample((0, 9, 18), 3)
    runs = [tuple(suits[s] + n + i for i in range(3)) for s, n in b.rng.choice(RUN_SHAPES)]
    eyes = b.rng.choice([suits[0] + b.rng.randrange(9), b.rng.randrange(34)])
    if not b.deck.has([t for r in runs for t in r] + [eyes, eyes]):
        return None
    concealed = [*b.deck.take([eyes, eyes])]
    b.rng.shuffle(runs)
    share = b.rng.choice([0, 0.2, 0.7])

    for run in runs:
        b.deck.take(run)
        if b.chance(share):
            left = (b.winner - 1) % 4
            b.seats[b.winner].melds += (Meld("chow", run, b.rng.choice(run), left),)
        else:
            concealed += run
    return tuple(sorted(concealed))


def random_record(rng: random.Random) -> dict[str, Any]:
    b = Builder(rng, "yangzhou", COPIES_136)
    b.fields["round_wind"] = rng.choice("ESWN")
    b.fields["repeat"] = rng.choice([0, 0, 1, 3])
    b.options = random_options(
        rng,
        {
            "scale": ["old", "common", "new", "new", "light"],
            "min": [3, 7, 10, 18],
            "fengqing_x": [2, 4],
            "gangban_x": [2, 8],
            "pinghu_eyes": ["no_honours", "any"],
            "draw_keeps_dealer": [True],
            "rounds": [8],
            "yuanzi": [True],
        },
    )
    concealed = run_hand(b) if b.chance(0.5) else None
    concealed = concealed or b.complete_hand()
    if b.chance(0.95):
        b.declare(concealed, ["wall", "wall", "discard", "discard", "discard", "kong", "robbed_kong", "deal"])
        if b.chance(0.2):
            b.second_claimant()
    if b.options.get("yuanzi"):
        for seat in b.seats:
            seat.chips = rng.choice([0, 10, 25, 50, 200, 1000])
    b.irregular(false=0 if b.options.get("yuanzi") else 0.05)
    return b.record()
