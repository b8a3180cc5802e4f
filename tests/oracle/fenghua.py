"""Oracle for ``fenghua``: written from the Fenghua sheet alone; section names below are the sheet's."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from referee.rules.tiles import DRAGONS, FLOWERS, HONOURS, SEASONS, suit, write
from tests.oracle._f3 import Builder, View, claims, flush, one_winner, seat_wind, self_drawn, unfit, views
from tests.oracle.common import (
    COPIES_136,
    COPIES_144,
    Ledger,
    Record,
    Spec,
    Win,
    at_least,
    decompositions,
    is_bool,
    odd_kinds,
    one_of,
    random_meld,
    random_options,
    read_record,
)
from tests.oracle.ningbo import wild_kinds

SPEC = Spec(
    "fenghua",
    4,
    COPIES_144,
    {
        "min_tai": (4, at_least(0)),
        "unit": (50, one_of(50, 30)),
        "celebrate": (False, is_bool),
        "robbed_kong_tai": (0, at_least(0)),
        "last_tile_tai": (0, at_least(0)),
        "dice_roles": ("break_large", one_of("break_large", "break_small")),
    },
)
BIG = 50  # multiples of this scale with the option ``unit``


@dataclass(frozen=True)
class Look:
    """A reading of any shape: what the shapes have in common, for the patterns that ask for nothing else."""

    shape: str  # sets, pairs, independent, honours
    faces: tuple[int, ...]  # concealed, as read
    hard: bool
    wild_pair: bool = False  # the winning tile stands beside a wild one in a pair
    call: str | None = None  # edge, gap, single, triplet
    face: int | None = None  # the winning tile, as read
    view: View | None = None


def looks(record: Record, win: Win) -> Iterator[Look]:
    """Winning shapes 1 to 4, every reading."""
    player = record.players[win.seat]
    wild = wild_kinds(record.indicator)
    concealed = [*player.hand, *([] if win.tile is None else [win.tile])]
    naturals = sorted(t for t in concealed if t not in wild)
    wilds = len(concealed) - len(naturals)
    last_wild = win.tile in wild
    if any(t >= 34 for t in naturals):
        return
    for view in views(
        naturals, wilds, player.melds, win, wild_face=record.indicator, last=win.tile, last_wild=last_wild
    ):
        beside = view.place is not None and view.place.kind == "pair" and view.place.wilds > 0
        faces = tuple(f for b in view.blocks if b.origin == "hand" for f in b.faces)
        yield Look("sets", faces, view.hard, beside, view.wait, view.face, view)
    if not player.melds:
        yield from pairs_looks(naturals, wilds, win, record.indicator, last_wild)
        yield from independent_looks(naturals, wilds, win, record.indicator, last_wild)
    everything = [*naturals, *(t for m in player.melds for t in m.tiles)]
    if all(t in HONOURS for t in everything):
        # wild tiles are any honours here; what they show matters only for whether they are tame
        shows_itself = record.indicator in HONOURS
        filler = record.indicator if shows_itself else HONOURS[0]
        yield Look("honours", (*naturals, *[filler] * wilds), shows_itself, face=win.tile)


def pairs_looks(naturals: list[int], wilds: int, win: Win, printed: int | None, last_wild: bool) -> Iterator[Look]:
    if len(naturals) + wilds != 14 or odd_kinds(naturals) > wilds:
        return
    for reading in decompositions(naturals, wilds, 0, pairs=7):
        faces = tuple(f for g in reading for f in g.faces)
        hard = all(f == printed for g in reading for f, w in zip(g.faces, g.wild, strict=True) if w)
        if win.source == "deal":
            yield Look("pairs", faces, hard)
            continue
        for group in reading:
            if any(group.wild) if last_wild else group.has(win.tile, False):
                yield Look("pairs", faces, hard, any(group.wild), "single", group.faces[0])


def independent_looks(
    naturals: list[int], wilds: int, win: Win, printed: int | None, last_wild: bool
) -> Iterator[Look]:
    if len(naturals) + wilds != 14 or not independent(naturals):
        return
    for shown in itertools.combinations([t for t in COPIES_136 if t not in naturals], wilds):
        faces = (*naturals, *shown)
        if independent(faces):
            hard = all(t == printed for t in shown)
            for face in set(shown) if last_wild else {win.tile}:
                yield Look("independent", faces, hard, face=None if win.source == "deal" else face)


def independent(faces: Any) -> bool:
    return len(set(faces)) == len(faces) and all(
        a == b or a >= 27 or b >= 27 or suit(a) != suit(b) or abs(a - b) >= 3 for a in faces for b in faces
    )


def sole_call(record: Record, win: Win) -> bool:
    """Decision 1: exactly one kind of tile, drawn as itself, completes the thirteen."""
    player = record.players[win.seat]
    wild = wild_kinds(record.indicator)
    naturals = [t for t in player.hand if t not in wild]
    wilds = len(player.hand) - len(naturals)
    held = Counter([*player.hand, *(t for m in player.melds for t in m.tiles)])
    calls = 0
    for tile in COPIES_136:
        if held[tile] < 4 and completes([*naturals, tile], wilds, record, win):
            calls += 1
    return calls == 1


def completes(naturals: list[int], wilds: int, record: Record, win: Win) -> bool:
    melds = record.players[win.seat].melds
    if any(t >= 34 for t in naturals):
        return False
    if decompositions(naturals, wilds, 4 - len(melds)):
        return True
    if all(t in HONOURS for t in [*naturals, *(t for m in melds for t in m.tiles)]):
        return True
    if melds:
        return False
    if odd_kinds(naturals) <= wilds:
        return True
    return (
        any(
            independent([*naturals, *shown])
            for shown in itertools.combinations([t for t in COPIES_136 if t not in naturals], wilds)
        )
        if independent(naturals)
        else False
    )


def group_a(record: Record, win: Win, look: Look, sole: bool) -> tuple[list[tuple[str, int]], str | None]:
    """The patterns of group A and the flush, unit 50."""
    player = record.players[win.seat]
    concealed = [*player.hand, *([] if win.tile is None else [win.tile])]
    wilds = sum(t in wild_kinds(record.indicator) for t in concealed)
    own, prevailing = seat_wind(record, win.seat), record.round_wind
    got: list[tuple[str, int]] = [("zuotai", 1)]
    pungs = {m.tiles[0] for m in player.melds if m.is_triplet}
    if look.view:
        pungs = {b.face for b in look.view.triplets}
        if len(look.view.runs) == 4:
            got.append(("penghu", 1))
    got += [("sanyuan", 1) for t in DRAGONS if t in pungs]
    if own == prevailing:
        got += [("zhengfeng", 2)] * (own in pungs)
    else:
        got += [("weifeng", 1)] * (own in pungs) + [("quanfeng", 1)] * (prevailing in pungs)
    if look.call == "triplet" or (look.call in ("edge", "gap", "single") and sole):
        got.append(("call", 1))
    if self_drawn(win) or win.source == "robbed_kong":
        got.append(("zimo", 1))
    got += {0: [("wuda", 1)], 1: [("yida", 1)], 2: [("erda", 2)]}.get(wilds, [])
    if wilds and look.hard:
        got.append(("huanda", 1))
    if look.shape == "independent":
        got.append(independence(look, win))
    if look.view and len(look.view.triplets) == 4:
        got.append(("dadadui", 50 if wilds else 100))
    if len(player.hand) == 1 and all(m.is_open for m in player.melds):
        got.append(("dadiaoche", 50 if wilds else 100))
    if look.shape == "pairs":
        got.append(("qidui", 50 if wilds else 150))
        for tile, count in Counter(concealed).items():
            if count == 4:
                got.append(("mingzha", 50) if tile == win.tile and win.source != "deal" else ("anzha", 100))
    colour = flush([*look.faces, *(t for m in player.melds for t in m.tiles)])
    got += {"mixed": [("hunyise", 70)], "pure": [("qingyise", 150)]}.get(colour or "", [])
    if colour == "honours":
        got.append(("qinglaotou", 800) if look.shape == "sets" else ("luanlaotou", 400))
    return got, colour


def independence(look: Look, win: Win) -> tuple[str, int]:
    honours = sum(t in HONOURS for t in look.faces)
    if honours < 7:
        return ("shisanbuda", 50)
    if look.face in HONOURS:
        return ("mingqixing", 100)
    return ("anqixing", 150)  # the same worth as quese


def group_b(record: Record, win: Win) -> list[tuple[str, int]]:
    player = record.players[win.seat]
    got = kongs(record, win)
    if win.source == "flower":
        got.append(("huagang", 50))
    concealed = [*player.hand, *([] if win.tile is None else [win.tile])]
    if sum(t in wild_kinds(record.indicator) for t in concealed) == 3:
        got.append(("sanbaida", 300 if record.indicator >= 34 else 150))
    whole = [set(s) <= set(player.bonus) for s in (FLOWERS, SEASONS)]
    if all(whole):
        return [*got, ("bahua", 800)]
    place = seat_wind(record, win.seat) - 27
    for series, complete in zip((FLOWERS, SEASONS), whole, strict=True):
        if complete:
            got.append(("sihua", 150))
        elif series[place] in player.bonus:
            got.append(("zhenghua", 2))
    return got


def kongs(record: Record, win: Win) -> list[tuple[str, int]]:
    """Every kong of the winner; the one whose replacement won blooms."""
    melds = [m for m in record.players[win.seat].melds if m.is_kong]
    blooming = None
    if win.source == "kong" and melds:
        named = [m for m in melds if m.tiles[0] == win.kong_tile]
        blooming = named[0] if named else melds[-1]
    worth = {"kong": (50, 100), "concealed_kong": (100, 150), "added_kong": (100, 200)}
    return [(m.kind, worth[m.kind][m is blooming]) for m in melds]


def scaled(name: str, value: int, options: dict[str, Any]) -> int:
    """The options ``unit`` and ``celebrate``."""
    if options["celebrate"] and name in ("luanlaotou", "qinglaotou", "bahua"):
        return 0
    if options["unit"] == 30:
        if name == "hunyise":
            return 40
        if value >= BIG:
            return value // 50 * 30
    return value


def score(record: Record, win: Win) -> tuple[int, set[str]] | None:
    """S and the names of what was counted; None where the win is not legal."""
    options = record.options
    wild = wild_kinds(record.indicator)
    player = record.players[win.seat]
    drawn = self_drawn(win)
    if win.flower_win == "eight":
        if not {*FLOWERS, *SEASONS} <= set(player.bonus) or any(
            i["kind"] == "dead_hand" and i["seat"] == win.seat for i in record.incidents
        ):
            return None
        total = 2 + scaled("bahua", 400, options) + sum(scaled(n, v, options) for n, v in kongs(record, win))
        return -(-total // 10) * 10, set()
    if unfit(record, win, wild=wild) or win.source == "indicator" or (win.tile in wild and not drawn):
        return None
    sole = win.source != "deal" and sole_call(record, win)
    b = group_b(record, win)
    extra = options["robbed_kong_tai"] * (win.source == "robbed_kong")
    extra += options["last_tile_tai"] * (win.last_tile and drawn)
    best: tuple[int, set[str]] | None = None
    for look in looks(record, win):
        if not drawn and look.wild_pair:
            continue
        a, _ = group_a(record, win, look, sole)
        plain = {**options, "celebrate": False}
        if win.source == "discard" and sum(scaled(n, v, plain) for n, v in a) < options["min_tai"]:
            continue
        total = sum(scaled(n, v, options) for n, v in [*a, *b]) + extra
        if best is None or total > best[0]:
            best = total, {n for n, _ in a}
    return best and (-(-best[0] // 10) * 10, best[1])


def settle(data: dict[str, Any]) -> dict[str, Any]:
    record = read_record(data, SPEC)
    scores = [score(record, win) for win in record.wins]
    legal = one_winner(record, [s is not None for s in scores])
    ledger = Ledger(4)
    for win, s, ok in zip(record.wins, scores, legal, strict=True):
        if ok:
            pay(record, win, *s, ledger)
    for incident in record.incidents:
        if incident["kind"] == "false_win":
            ledger.false_win(incident)
    return {"legal": legal, "deltas": ledger.deltas}


def pay(record: Record, win: Win, s: int, patterns: set[str], ledger: Ledger) -> None:
    """Payments and Liability."""
    drawn = self_drawn(win)
    if win.source == "robbed_kong":
        ledger.pay(win.source_seat, win.seat, 6 * s)
        return
    if win.source == "discard" and win.last_tile:
        ledger.pay(win.source_seat, win.seat, 4 * s)
        return
    fed = claims(record.players[win.seat].melds)
    flushy = patterns & {"qingyise", "hunyise", "dadadui"}
    liable = [seat for seat, count in fed.items() if count >= 4 or (count >= 3 and flushy)]
    if liable:
        ledger.pay(liable[0], win.seat, 6 * s if drawn else 4 * s)
        return
    for seat in range(4):
        if seat != win.seat:
            ledger.pay(seat, win.seat, 2 * s if drawn or seat == win.source_seat else s)


def random_record(rng: random.Random) -> dict[str, Any]:
    b = Builder(rng, "fenghua", COPIES_144)
    (indicator,) = b.deck.draw(rng, 1)
    wild = wild_kinds(indicator)
    b.fields["indicator"] = write([indicator])
    b.fields["round_wind"] = rng.choice("ESWN")
    b.options = random_options(
        rng,
        {
            "min_tai": [3, 4, 5],
            "unit": [30, 50],
            "celebrate": [True],
            "robbed_kong_tai": [1, 10, 20],
            "last_tile_tai": [1, 10],
            "dice_roles": ["break_small"],
        },
        share=0.15,
    )
    flowers = [t for t in (*FLOWERS, *SEASONS) if t not in wild]
    sources = ["wall", "wall", "discard", "discard", "discard", "kong", "kong", "flower", "robbed_kong", "deal"]
    kind = rng.choice(["sets"] * 5 + ["pairs", "pairs", "independent", "independent", "honours", "eight", "draw"])
    if kind == "sets":
        b.declare(b.complete_hand(wild=wild, wild_share=rng.choice([0, 0.2, 0.5, 1])), sources, wild=wild)
    elif kind == "eight" and len(flowers) == 8 and indicator < 34:
        b.seats[b.winner].bonus = b.deck.take(flowers)
        b.win = {"seat": b.winner, "tile": None, "source": "wall", "flower_win": "eight"}
    elif kind != "draw":
        concealed = {"pairs": seven_pairs, "independent": loose_tiles, "honours": honours}.get(kind, seven_pairs)(
            b, wild
        )
        b.declare(concealed, [s for s in sources if s != "deal"], wild=wild)
    if b.win and b.win["tile"]:
        b.last_tile()
        b.earthly()
        if b.chance(0.1):
            b.second_claimant()
    b.lay_bonus(flowers)
    b.irregular()
    return b.record()


def with_wilds(b: Builder, tiles: list[int], wild: tuple[int, ...]) -> tuple[int, ...]:
    """Now and then some of the tiles exchanged for wild ones."""
    for index in range(len(tiles)):
        if wild and b.chance(0.12):
            drawn = b.deck.draw(b.rng, 1, wild)
            if drawn:
                b.deck.give_back([tiles[index]])
                tiles[index] = drawn[0]
    return tuple(sorted(tiles))


def seven_pairs(b: Builder, wild: tuple[int, ...]) -> tuple[int, ...]:
    kinds = b.rng.choice([list(range(34)), list(range(9)), [*range(9, 18), *HONOURS], list(range(27, 34))])
    pool = [k for k in kinds if k not in wild for _ in range(b.deck.left[k] // 2)]
    while len(pool) < 7:
        pool += [k for k in range(18) if k not in wild and k not in pool]
    if b.chance(0.4):
        pool.sort(key=lambda k: (k % 7, k))
    else:
        b.rng.shuffle(pool)
    return with_wilds(b, [t for k in pool[:7] for t in b.deck.take([k, k])], wild)


def loose_tiles(b: Builder, wild: tuple[int, ...]) -> tuple[int, ...]:
    tiles: list[int] = [t for t in HONOURS if b.deck.left[t] and t not in wild]
    if b.chance(0.5):
        b.rng.shuffle(tiles)
        tiles = tiles[: b.rng.choice([5, 6])]
    order = [t for t in range(27) if t not in wild]
    b.rng.shuffle(order)
    order.sort(key=lambda t: b.rng.random() < 0.5 and t % 9 % 3)
    for tile in order:
        if len(tiles) < 14 and b.deck.left[tile] and independent([*tiles, tile]):
            tiles.append(tile)
    b.deck.take(tiles)
    spare = [t for t in wild if b.deck.left[t]]
    while len(tiles) < 14:
        tiles += b.deck.draw(b.rng, 1, spare) or b.deck.draw(b.rng, 1, range(34))
    return with_wilds(b, tiles, wild)


def honours(b: Builder, wild: tuple[int, ...]) -> tuple[int, ...]:

    b.seats[b.winner].melds = ()
    for _ in range(b.rng.choice([0, 0, 1, 2, 3, 4])):
        tile = b.rng.choice(HONOURS)
        if tile not in wild and b.deck.has((tile,) * 3):
            meld = random_meld(b.rng, b.deck, b.winner, 4, b.deck.take((tile,) * 3))
            b.seats[b.winner].melds += (meld,)
    if b.chance(0.4):
        b.feed_from((b.winner - 1) % 4)
    return tuple(sorted(b.deck.draw(b.rng, 14 - 3 * len(b.seats[b.winner].melds), [*HONOURS, *wild])))
