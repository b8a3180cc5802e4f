"""Oracle for ``nanjing``: written from the Nanjing sheet alone; section names below are the sheet's."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

from referee.rules.tiles import DRAGONS, FLOWERS, SEASONS, SUITED, WINDS, parse_one, suit, write
from tests.oracle._f3 import Builder, claims, flush, one_winner, self_drawn, unfit, views
from tests.oracle.common import (
    COPIES_144,
    Ledger,
    Meld,
    Record,
    Spec,
    Win,
    at_least,
    is_bool,
    odd_kinds,
    one_of,
    random_options,
    read_record,
)

SPEC = Spec(
    "nanjing",
    4,
    COPIES_144,
    {
        "area": ("city", one_of("city", "chengbei")),
        "qidui": (None, at_least(0)),
        "seven_pairs_special": ("shuang", one_of("shuang", "haohua")),
        "open_kong_bonus": (6, at_least(0)),
        "concealed_kong_bonus": (3, at_least(0)),
        "flower_kong_bonus": (6, at_least(0)),
        "penalty": (10, at_least(0)),
        "double_after": ("repeat", one_of("repeat", "repeat_and_events")),
        "limited": (False, is_bool),
    },
)
HAND_KINDS = (*SUITED, *WINDS)
BONUS_SETS = (SEASONS, FLOWERS, *((d,) * 4 for d in DRAGONS))
VALUES = {  # city, chengbei
    "base": (20, 10),
    "menqing": (20, 10),
    "hunyise": (20, 30),
    "qingyise": (40, 40),
    "duiduihu": (40, 30),
    "quanqiududiao": (60, 40),
    "yajue": (40, 30),
    "wuhuaguo": (40, 40),
    "xiaogangkaihua": (20, 10),
    "dagangkaihua": (40, 20),
    "tianhu": (320, 50),
    "dihu": (280, 30),
}


def value(name: str, options: dict[str, Any]) -> int:
    column = 0 if options["area"] == "city" else 1
    if name == "qidui":
        return (40, 50)[column] if options["qidui"] is None else options["qidui"]
    return VALUES[name][column]


def candidates(record: Record, win: Win) -> Iterator[tuple[int, set[str]]]:
    """(S, big patterns) of every reading that gives the right to win."""
    player, options = record.players[win.seat], record.options
    hard = len(player.bonus)
    menqing = not any(m.kind in ("pung", "added_kong") for m in player.melds)
    concealed = [*player.hand, win.tile]
    everything = [*concealed, *(t for m in player.melds for t in m.tiles)]
    common = set()
    colour = flush(everything)
    if colour == "mixed":
        common.add("hunyise")
    if colour == "pure":
        common.add("qingyise")
    if hard == 0 and menqing:
        common.add("wuhuaguo")
    if win.source == "flower":
        common.add("xiaogangkaihua")
    if win.source == "kong":
        common.add("dagangkaihua")
    heavenly = win.source == "deal" or (win.first_turn and win.source in ("wall", "flower"))
    heavenly = heavenly and win.seat == record.dealer and not any(m.is_kong for m in player.melds)
    if heavenly:
        common.add("tianhu")
    if win.waiting_since_deal:
        common.add("dihu")
    missing = len({suit(t) for t in everything if t < 27}) < 3

    def total(soft: int, big: set[str], extra: int) -> int:
        return value("base", options) + 2 * (hard + soft) + sum(value(n, options) for n in big) + extra

    for view in views(concealed, 0, player.melds, win, last=win.tile):
        big = set(common)
        if len(player.hand) == 1:
            big.add("quanqiududiao")
        elif len(view.triplets) == 4:
            big.add("duiduihu")
        if view.wait == "gap" and any(
            m.kind == "pung" and m.tiles[0] == win.tile for p in record.players for m in p.melds
        ):
            big.add("yajue")
        soft = missing + (view.wait in ("gap", "edge", "single") and not heavenly)
        for block in view.triplets:
            if block.face in WINDS:
                soft += 3 if block.origin == "concealed_kong" else 2 if block.kong else 1
        if big or menqing or hard >= 4:
            yield total(soft, big, menqing * value("menqing", options)), big
    if not player.melds and odd_kinds(concealed) == 0:
        unit = value("qidui", options)
        fours = [t for t, n in Counter(concealed).items() if n == 4]
        if options["seven_pairs_special"] == "haohua":
            unit *= 1 + len(fours)
        elif not heavenly and win.source != "deal" and win.tile in fours:
            unit *= 2
        yield total(missing + (win.source != "deal" and not heavenly), common, unit), common | {"qidui"}


def score(record: Record, win: Win) -> tuple[int, set[str]] | None:
    if unfit(record, win, kinds=HAND_KINDS, chow=False) or win.tile is None or win.source == "indicator":
        return None
    if any(t not in HAND_KINDS for t in [*record.players[win.seat].hand, win.tile]):
        return None
    return max(candidates(record, win), key=lambda c: c[0], default=None)


def side_payments(record: Record) -> Iterator[tuple[int, int, int]]:
    """Kongs and other payments outside the win, single."""
    options = record.options
    for seat, player in enumerate(record.players):
        others = [s for s in range(4) if s != seat]
        for meld in player.melds:
            if meld.kind in ("kong", "added_kong"):
                yield meld.source, seat, options["open_kong_bonus"]
            elif meld.kind == "concealed_kong":
                for payer in others:
                    yield payer, seat, options["concealed_kong_bonus"]
        shown = Counter(player.bonus)
        for tiles in BONUS_SETS:
            if all(shown[t] >= n for t, n in Counter(tiles).items()):
                for payer in others:
                    yield payer, seat, options["flower_kong_bonus"]
    for seat in fined(record):
        for payee in range(4):
            if payee != seat:
                yield seat, payee, options["penalty"]


def fined(record: Record) -> list[int]:
    """Who pays the fines for four same discards, each once."""
    found = {(i["seat"], parse_one(i["tile"]), i["by"]) for i in record.incidents if i["kind"] == "four_same_discards"}
    for seat, player in enumerate(record.players):
        for tile, count in Counter(player.discards or ()).items():
            if count == 4:
                found.add((seat, tile, "one"))
    if all(p.discards is not None for p in record.players) and not any(p.melds for p in record.players):
        longest = max(len(p.discards) for p in record.players)
        row = [
            (seat, record.players[seat].discards[turn])
            for turn in range(longest)
            for seat in [(record.dealer + k) % 4 for k in range(4)]
            if turn < len(record.players[seat].discards)
        ]
        for at in range(len(row) - 3):
            if len({tile for _, tile in row[at : at + 4]}) == 1:
                found.add((row[at][0], row[at][1], "all"))
    return [seat for seat, _, _ in sorted(found)]


def settle(data: dict[str, Any]) -> dict[str, Any]:
    record = read_record(data, SPEC)
    options = record.options
    scores = [score(record, win) for win in record.wins]
    legal = one_winner(record, [s is not None for s in scores])
    factor = 1 + (record.repeat >= 1)
    if options["double_after"] == "repeat_and_events" and (record.draw_streak > 0 or record.double_next):
        factor = 2
    ledger = Ledger(4)
    left = [p.chips for p in record.players]

    def pay(payer: int, payee: int, amount: int) -> None:
        amount *= factor
        if options["limited"] and left[payer] is not None:
            amount = min(amount, left[payer])
            left[payer] -= amount
        ledger.pay(payer, payee, amount)

    for payment in side_payments(record):
        pay(*payment)
    for win, s, ok in zip(record.wins, scores, legal, strict=True):
        if ok:
            for payer, amount in win_payments(record, win, *s):
                pay(payer, win.seat, amount)
    for incident in record.incidents:
        if incident["kind"] == "false_win":
            ledger.false_win(incident)
    return {"legal": legal, "deltas": ledger.deltas}


def win_payments(record: Record, win: Win, s: int, big: set[str]) -> list[tuple[int, int]]:
    """Payments and Liability."""
    if win.source == "robbed_kong":
        return [(win.source_seat, 3 * s)]
    if win.source == "kong" and win.kong_from is not None:
        return [(win.kong_from, 3 * s)]
    feeders = [f for f, n in claims(record.players[win.seat].melds).items() if n >= 3]
    if feeders and big & {"duiduihu", "quanqiududiao"}:
        return [(feeders[0], 3 * s if self_drawn(win) else s)]
    if win.source == "discard":
        return [(win.source_seat, s)]
    return [(seat, s) for seat in range(4) if seat != win.seat]


def seven_pairs(b: Builder) -> tuple[int, ...]:
    kinds = b.rng.choice([HAND_KINDS, tuple(range(9)), (*range(9, 18), *WINDS), (*range(5), 9, 10, 11, 20, 27)])
    pool = [k for k in kinds for _ in range(2)]
    b.rng.shuffle(pool)
    return tuple(sorted(t for k in pool[:7] for t in b.deck.take([k, k])))


def random_record(rng: random.Random) -> dict[str, Any]:
    b = Builder(rng, "nanjing", COPIES_144)
    b.fields["repeat"] = rng.choice([0, 0, 1, 2])
    b.fields["draw_streak"] = rng.choice([0, 0, 0, 1])
    b.fields["double_next"] = rng.choice([False, False, True])
    b.options = random_options(
        rng,
        {
            "area": ["chengbei", "city"],
            "qidui": [40, 80],
            "seven_pairs_special": ["haohua", "shuang"],
            "open_kong_bonus": [5, 20],
            "concealed_kong_bonus": [20],
            "flower_kong_bonus": [5, 20],
            "penalty": [3],
            "double_after": ["repeat_and_events"],
            "limited": [True],
        },
    )
    limited = b.options.get("limited", False)
    if b.chance(0.9):
        pairs = b.chance(0.25)
        runs_claimed = b.chance(0.04)
        kinds = None if b.chance(0.06) else HAND_KINDS
        concealed = seven_pairs(b) if pairs else b.complete_hand(chow=runs_claimed, kinds=kinds)
        if limited and any(m.is_kong for m in b.seats[b.winner].melds):
            limited = b.options["limited"] = False
        b.declare(concealed, ["wall", "wall", "discard", "discard", "kong", "kong", "flower", "robbed_kong", "deal"])
        if not any(s.melds for s in b.seats) and b.win["source"] in ("wall", "discard") and b.chance(0.2):
            b.win["waiting_since_deal"] = True
        if b.chance(0.1):
            b.second_claimant()
        gap_for_a_pung(b)
    b.lay_bonus([*FLOWERS, *SEASONS], full=0 if limited else 0.1)
    dragons(b, limited)
    if b.chance(0.2) and not limited and not b.more_wins:
        b.deal_losers(chow=False, kinds=HAND_KINDS)
    if limited:
        for seat in b.seats:
            seat.chips = rng.choice([0, 20, 50, 100, 1000])
    else:
        fines(b)
    b.irregular(false=0 if limited else 0.05)
    return b.record()


def gap_for_a_pung(b: Builder) -> None:
    """Lay a pung of the winning tile before somebody, so that a gap may be a dead one."""
    tile = parse_one(b.win["tile"])
    other = b.rng.choice([s for s in range(4) if s != b.winner])
    free = not b.seats[other].melds and not b.win.get("waiting_since_deal") and tile in HAND_KINDS
    if b.chance(0.3) and free and b.deck.has((tile,) * 3):
        taken = b.deck.take((tile,) * 3)
        b.seats[other].melds = (Meld("pung", taken, tile, b.rng.choice([s for s in range(4) if s != other])),)


def dragons(b: Builder, limited: bool) -> None:
    for number, seat in enumerate(b.seats):
        seat.bonus += b.deck.draw(b.rng, b.rng.choice([0, 0, 0, 1, 2]), DRAGONS)
        if number == b.winner and b.chance(0.1) and not limited:
            tile = b.rng.choice(DRAGONS)
            if b.deck.has((tile,) * 4):
                seat.bonus += b.deck.take((tile,) * 4)


def fines(b: Builder) -> None:
    """Four same discards: listed, in the discards, or both."""
    kind = b.rng.choice(["none"] * 6 + ["listed", "one", "both", "all"])
    seat = b.rng.randrange(4)
    tile = b.rng.choice([t for t in HAND_KINDS if b.deck.left[t] == 4] or [None])
    if kind == "none" or tile is None:
        return
    b.deck.take((tile,) * 4)
    if kind in ("listed", "both"):
        by = "one" if kind == "both" else b.rng.choice(["one", "all"])
        b.incidents.append({"kind": "four_same_discards", "seat": seat, "tile": write([tile]), "by": by})
    if kind in ("one", "both") and (b.win is None or b.win["source"] != "discard"):
        others = b.deck.draw(b.rng, 3, HAND_KINDS)
        row = [*others, *(tile,) * 4]
        b.rng.shuffle(row)
        b.seats[seat].discards = tuple(row)
    if kind == "all" and not any(s.melds for s in b.seats) and (b.win is None or b.win["source"] in ("wall", "flower")):
        turns = b.rng.choice([0, 1, 2])
        start = b.rng.randrange(4)
        rows: list[list[int]] = [[] for _ in range(4)]
        row = [*b.deck.draw(b.rng, 4 * turns + start, HAND_KINDS), *(tile,) * 4]
        for at, t in enumerate(row):
            rows[(b.dealer + at) % 4].append(t)
        for s in range(4):
            b.seats[s].discards = tuple(rows[s])
