"""Oracle for Changsha, written from the sheet changsha.md alone."""

from __future__ import annotations

import dataclasses
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

from referee.rules.tiles import SUITED, rank
from tests.oracle import _f1, common
from tests.oracle.common import Record, Spec, Win, decompositions, is_bool

SPEC = Spec(
    "changsha",
    4,
    dict.fromkeys(SUITED, 4),
    {
        "all_dahu_free_pair": (False, is_bool),
        "quanqiuren_free_pair": (False, is_bool),
        "double_kong": (False, is_bool),
        "double_birds": (False, is_bool),
        "liuqipian": (False, is_bool),
    },
)
TWO_FIVE_EIGHT = tuple(t for t in SUITED if t % 9 in (1, 4, 7))


@dataclasses.dataclass(frozen=True, order=True)
class Price:
    """How many big patterns; without any, how many small ones. ``twice`` where both tiles of a double kong win."""

    big: int
    small: int = 0
    twice: bool = False


def settle(data: dict[str, Any]) -> dict[str, Any]:
    record = common.read_record(data, SPEC)
    ledger = common.Ledger(4)
    verdicts = [_price(record, win) for win in record.wins]
    for win, price in zip(record.wins, verdicts, strict=True):
        if price is not None:
            _pay(record, win, price, ledger)
    return _f1.result(record, ledger, verdicts)


def _pay(record: Record, win: Win, price: Price, ledger: common.Ledger) -> None:
    options = record.options
    claimed = win.source in ("discard", "robbed_kong")
    payers = [win.source_seat] if claimed else [s for s in range(4) if s != win.seat]
    for payer in payers:
        assert payer is not None
        with_dealer = record.dealer in (payer, win.seat)
        if price.big:
            each = 6 if claimed or options["liuqipian"] else 3
            amount = (each + with_dealer) * (1 if options["liuqipian"] else price.big)
        else:
            amount = (1 + with_dealer) * price.small
        if price.twice:
            amount *= 2
        ledger.pay(payer, win.seat, amount * _bird_factor(record, win, payer))


def _bird_factor(record: Record, win: Win, payer: int) -> int:
    birds = list(win.birds)
    if win.last_tile and win.source in ("wall", "discard") and win.tile is not None:
        birds = [win.tile] * (2 if record.options["double_birds"] else 1)
    hit = sum((record.dealer + rank(b) - 1) % 4 in (payer, win.seat) for b in birds)
    return 1 + hit


def _price(record: Record, win: Win) -> Price | None:
    player = record.players[win.seat]
    if win.seat in common.dead_seats(record) or player.hand is None:
        return None
    if not all(common.proper_meld(m) for m in player.melds):
        return None
    if win.source == "robbed_kong" and win.robbed_kind != "added":
        return None
    candidates = list(_complete(record, win)) if _f1.hand_size_right(record, win, 13) else []
    if win.source == "deal":
        small = _dealt_patterns(record, win)
        candidates += [Price(0, small)] if small else []
    if not candidates:
        return None
    best = max(candidates)
    if record.options["double_kong"] and win.dice_kong and win.second_tile is not None:
        other = dataclasses.replace(win, tile=win.second_tile, second_tile=None)
        if _price(record, other) is not None:
            best = dataclasses.replace(best, twice=True)
    return best


def _dealt_patterns(record: Record, win: Win) -> int:
    """四喜, 板板胡, 欠一色, 六六順 on the dealt tiles (14 for the dealer, 13 for the others), one each."""
    tiles = _f1.finished(record, win)
    if len(tiles) != (14 if win.seat == record.dealer else 13) or record.players[win.seat].melds:
        return 0
    counts = Counter(tiles).values()
    found = [
        any(n == 4 for n in counts),
        not any(t in TWO_FIVE_EIGHT for t in tiles),
        len({t // 9 for t in tiles}) < 3,
        sum(n >= 3 for n in counts) >= 2,
    ]
    return sum(found)


def _complete(record: Record, win: Win) -> Iterator[Price]:
    """The readings of a complete hand that the pair rule lets win."""
    player, options = record.players[win.seat], record.options
    tiles = _f1.finished(record, win)
    everything = [*tiles, *(t for m in player.melds for t in m.tiles)]
    if win.source == "deal" and win.seat != record.dealer:
        return
    ways = _ways(record, win)
    all_258 = all(t in TWO_FIVE_EIGHT for t in everything)
    one_suit = len({t // 9 for t in everything}) == 1
    melded = len(player.melds) == 4 and all(m.is_open for m in player.melds) and win.source != "robbed_kong"
    for reading in decompositions(tiles, 0, 4 - len(player.melds)):
        pungs = all(m.is_triplet for m in player.melds) and all(g.kind != "run" for g in reading)
        big = ways + pungs + all_258 + one_suit + melded
        pair = next(g.faces[0] for g in reading if g.kind == "pair")
        free = pungs or all_258 or one_suit or (options["quanqiuren_free_pair"] and melded)
        free = free or (options["all_dahu_free_pair"] and big > 0)
        if free or pair in TWO_FIVE_EIGHT:
            yield Price(big, 0 if big else 1)
    if not player.melds and common.odd_kinds(tiles) == 0:
        luxury = any(n == 4 for n in Counter(tiles).values())
        yield Price(ways + 1 + luxury + all_258 + one_suit)
    if all_258:
        yield Price(ways + 1 + melded)


def _ways(record: Record, win: Win) -> int:
    """Big patterns of how the hand was won."""
    return sum(
        [
            win.source == "wall" and win.last_tile,
            win.source == "discard" and win.last_tile,
            win.source in ("kong", "discard") and win.dice_kong,
            win.source == "robbed_kong",
            win.source == "deal" and win.seat == record.dealer,
            win.source == "discard" and win.first_turn and win.source_seat == record.dealer,
        ]
    )


# --- random records -----------------------------------------------------------------------------------------------


def random_record(rng: random.Random) -> dict[str, Any]:
    scene = _f1.Scene(rng, "changsha", SPEC.copies)
    record, deck = scene.record, scene.deck
    options = common.random_options(rng, {name: [True] for name in SPEC.options}, 0.2)
    if scene.chance(0.15):
        return _dealt_record(scene, options)
    concealed, melds = _winning_hand(scene)
    if scene.chance(0.05):
        concealed = common.spoil(rng, deck, concealed)
    scene.win_by(concealed, melds, ["wall", "wall", "kong", "kong", "discard", "discard", "robbed_kong", "deal"])
    win = scene.win
    if win["source"] == "robbed_kong" and scene.chance(0.1):
        win["robbed_kind"] = "concealed"
    if win["source"] == "discard" and win["from"] == record["dealer"] and not melds and scene.chance(0.3):
        win["first_turn"] = True
    elif win["source"] in ("wall", "discard") and scene.chance(0.2):
        win["last_tile"], record["wall_left"] = True, 0
    elif win["source"] in ("kong", "discard") and scene.chance(0.5):
        win["dice_kong"] = True
        if win["source"] == "discard":
            win["after_kong"] = True
        if scene.chance(0.7):
            win["second_tile"] = common.write(_second_tile(scene))
            if scene.chance(0.7):
                options["double_kong"] = True
    elif win["source"] == "kong" and scene.chance(0.2):
        win["last_tile"] = True
    scene.add_loser_melds(0.3, kinds=SUITED)
    dice = rng.random()
    if dice < 0.06:
        scene.incident(kind="dead_hand", seat=rng.randrange(4), why="long")
    elif dice < 0.1:
        offender = rng.randrange(4)
        scene.incident(kind="false_win", seat=offender, claimed=common.claimed_amounts(rng, offender, 4))
        scene.drawn()
    elif dice < 0.12:
        scene.drawn()
    record_out = scene.finish()
    if scene.win and win["source"] == "discard" and "second_tile" not in win and scene.chance(0.3):
        _second_winner(scene, record_out)
    if scene.win and not win.get("last_tile") and scene.chance(0.8):
        birds = common.write(deck.draw(rng, 2 if options.get("double_birds") else 1))
        for each in record_out["wins"]:
            each["birds"] = birds
    if options:
        record_out["options"] = options
    return record_out


def _winning_hand(scene: _f1.Scene) -> tuple[tuple[int, ...], tuple[common.Meld, ...]]:
    rng, deck = scene.rng, scene.deck
    shape = rng.random()
    suit = 9 * rng.randrange(3)
    if shape < 0.2:
        kinds = rng.choice([SUITED, TWO_FIVE_EIGHT, tuple(range(suit, suit + 9))])
        return _f1.pairs_hand(rng, deck, kinds), ()
    if shape < 0.35:
        melds = []
        for _ in range(rng.randrange(3)):
            sets = common.random_sets(rng, deck, 1, kinds=TWO_FIVE_EIGHT, triplets=1.0, pairs=0)
            made = common.random_meld(rng, deck, scene.winner, 4, sets[0], kong=0.5) if sets else None
            melds += [made] if made else []
        return tuple(sorted(deck.draw(rng, 14 - 3 * len(melds), TWO_FIVE_EIGHT))), tuple(melds)
    kinds = rng.choice([SUITED, SUITED, tuple(range(suit, suit + 9))])
    triplets, claimed = rng.choice([0.3, 0.3, 1.0]), rng.choice([0.0, 0.5, 1.0])
    pair = rng.choice([k for k in TWO_FIVE_EIGHT if k in kinds]) if scene.chance(0.7) else rng.choice(kinds)
    deck.take([pair] * 2)
    groups = None
    while groups is None:
        groups = common.random_sets(rng, deck, 4, kinds=kinds, triplets=triplets, pairs=0)
        triplets = 0.5
    concealed, laid = [pair, pair], []
    for group in groups:
        made = common.random_meld(rng, deck, scene.winner, 4, group, kong=0.4) if scene.chance(claimed) else None
        laid += [made] if made else []
        concealed += () if made else group
    return tuple(sorted(concealed)), tuple(laid)


def _second_tile(scene: _f1.Scene) -> tuple[int, ...]:
    """The other tile of the stack: often one that completes the winner's hand too."""
    hand = common.parse(scene.players[scene.winner]["hand"])
    sets = 4 - len(scene.melds[scene.winner])
    useful = [t for t in SUITED if scene.deck.left[t] and decompositions((*hand, t), 0, sets)]
    if useful and scene.chance(0.7):
        return scene.deck.take([scene.rng.choice(useful)])
    return scene.deck.draw(scene.rng, 1)


def _second_winner(scene: _f1.Scene, record: dict[str, Any]) -> None:
    """Somebody else wins on the same discard."""
    rng, deck = scene.rng, scene.deck
    giver = scene.win["from"]
    seat = rng.choice([s for s in scene.others() if s != giver])
    tile = common.parse_one(scene.win["tile"])
    runs = [r for r in common.SUIT_RUNS if tile in r and deck.has(t for t in r if t != tile)]
    if scene.melds[seat] or not runs:
        return
    missing = [t for t in rng.choice(runs) if t != tile]
    deck.take(missing)
    rest = common.random_sets(rng, deck, 3, kinds=SUITED)
    if rest:
        record["players"][seat]["hand"] = common.write(sorted([*missing, *(t for g in rest for t in g)]))
        record["wins"].append(dict(scene.win, seat=seat))


def _dealt_record(scene: _f1.Scene, options: dict[str, Any]) -> dict[str, Any]:
    """Declarations on the dealt hands: small patterns, by one player or two, the dealer with fourteen tiles."""
    rng, deck = scene.rng, scene.deck
    wins = []
    for seat in rng.sample(range(4), rng.choice([1, 1, 2])):
        size = 14 if seat == scene.record["dealer"] else 13
        tiles: list[int] = []
        plan = rng.choice(["sixi", "banbanhu", "queyise", "liuliushun", "none"])
        among: tuple[int, ...] = SUITED
        if plan == "banbanhu":
            among = tuple(t for t in SUITED if t not in TWO_FIVE_EIGHT)
        if plan == "queyise":
            away = rng.randrange(3)
            among = tuple(t for t in SUITED if t // 9 != away)
        blocks = {"sixi": [4], "liuliushun": [3, 3]}.get(plan, [])
        for count in blocks:
            free = [t for t in among if deck.has([t] * count)]
            tiles += deck.take([rng.choice(free)] * count)
        tiles += deck.draw(rng, size - len(tiles), among)
        tile = None
        if size == 14 and scene.chance(0.5):
            tile = common.write([tiles.pop()])
        scene.players[seat]["hand"] = common.write(sorted(tiles))
        wins.append({"seat": seat, "tile": tile, "source": "deal"})
    birds = common.write(deck.draw(rng, 2 if options.get("double_birds") else 1)) if scene.chance(0.7) else ""
    record = scene.finish() | {"wins": [w | ({"birds": birds} if birds else {}) for w in wins]}
    if options:
        record["options"] = options
    return record
