"""Oracle for Nanchang, written from the sheet nanchang.md alone."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator
from itertools import combinations
from typing import Any

from referee.rules.tiles import DRAGONS, HONOURS, PLAYING, WINDS, following, is_honour
from tests.oracle import _f1, common
from tests.oracle.common import COPIES_136, SUIT_RUNS, Record, Spec, Win, decompositions, is_bool, one_of

RUNS = (*SUIT_RUNS, DRAGONS, *combinations(WINDS, 3))
OPTIONS = {
    "draw_penalty": (False, is_bool),
    "indicator_drawable": (False, is_bool),
    "dead_wall": ("17_stacks", one_of("17_stacks", "34_tiles", "stack_or_half")),
    "missed_pung": (False, is_bool),
}


@dataclasses.dataclass(frozen=True)
class Price:
    """Doubles on every payment (banker and discarder aside) and the German five; or a flat twenty."""

    doubles: int = 0
    german: bool = False
    flat: bool = False


def settle(data: dict[str, Any]) -> dict[str, Any]:
    record = _read(data)
    if any(player.hand is None for player in record.players):
        raise common.Malformed("a hand is missing")
    ledger = common.Ledger(4)
    verdicts = _f1.judge_one_winner(record, lambda win: _best(record, win))
    for win, price in zip(record.wins, verdicts, strict=True):
        if price is not None:
            for payer, amount in _shares(record, win, price).items():
                ledger.pay(payer, win.seat, amount)
    _kongs_and_fine_tiles(record, verdicts, ledger)
    sacked = any(i["kind"] == "same_discard" for i in record.incidents)
    for seat in range(4):
        if seat != record.dealer:
            ledger.pay(record.dealer, seat, 5 * sacked)
            ledger.pay(record.dealer, seat, 5 * (record.options["draw_penalty"] and not record.wins))
    for incident in record.incidents:
        if incident["kind"] == "false_win":
            ledger.false_win(incident)
    return _f1.result(record, ledger, verdicts)


def _read(data: dict[str, Any]) -> Record:
    """With ``indicator_drawable`` the indicator may be seen twice: turned up, and drawn as a replacement."""
    copies = dict(COPIES_136)
    if (data.get("options") or {}).get("indicator_drawable") is True:
        turned = common.read_record(data, Spec("nanchang", 4, dict.fromkeys(copies, 99), OPTIONS)).indicator
        if turned is not None:
            copies[turned] += 1
    record = common.read_record(data, Spec("nanchang", 4, copies, OPTIONS))
    if record.indicator is None:
        raise common.Malformed("indicator")
    return record


def _fines(record: Record) -> tuple[int, int]:
    first = record.indicator
    assert first is not None
    return first, following(first, WINDS if first in WINDS else DRAGONS)


def _held(record: Record, seat: int, verdicts: list[Price | None]) -> list[int]:
    """Hand and melds, with a drawn winning tile, and a claimed one where the win stands."""
    player = record.players[seat]
    held = [*(player.hand or ()), *(t for m in player.melds for t in m.tiles)]
    for win, verdict in zip(record.wins, verdicts, strict=True):
        if win.seat == seat and win.tile is not None and (verdict is not None or _f1.is_self_drawn(win)):
            held.append(win.tile)
    return held


def _kongs_and_fine_tiles(record: Record, verdicts: list[Price | None], ledger: common.Ledger) -> None:
    first, second = _fines(record)
    points = []
    for seat in range(4):
        held = _held(record, seat, verdicts)
        total = 2 * held.count(first) + held.count(second)
        points.append(total * (total - 3) if total >= 5 else total)
    holders = [seat for seat in range(4) if points[seat]]
    if len(holders) == 1:
        points[holders[0]] *= 2
    for seat in range(4):
        due = points[seat]
        for meld in record.players[seat].melds:
            if meld.is_kong:
                fine = meld.tiles[0] in (first, second)
                due += 10 if fine else 2 if meld.kind == "concealed_kong" else 1
        for other in range(4):
            if other != seat:
                ledger.pay(other, seat, due)


def _shares(record: Record, win: Win, price: Price) -> dict[int, int]:
    shares = {}
    for seat in range(4):
        if seat == win.seat:
            continue
        if price.flat:
            shares[seat] = 20
            continue
        doubles = price.doubles + (record.dealer in (seat, win.seat))
        letting_off = win.source == "discard" and seat == win.source_seat
        shares[seat] = 2 ** (doubles + letting_off)
        if price.german and (win.source != "discard" or letting_off):
            shares[seat] += 5
    return shares


def _best(record: Record, win: Win) -> Price | None:
    player = record.players[win.seat]
    if win.seat in common.dead_seats(record) or not _f1.hand_size_right(record, win, 13):
        return None
    if not all(common.proper_meld(m, RUNS) for m in player.melds):
        return None
    if win.source == "robbed_kong" and win.robbed_kind != "added":
        return None
    prices = list(_prices(record, win))
    if not _f1.is_self_drawn(win) and _lone_fine(record, win):
        prices = [p for p in prices if p.german]
    if not prices:
        return None
    if win.first_turn or win.source == "deal":
        heavenly = win.seat == record.dealer and win.source == "deal"
        earthly = win.first_turn and win.source == "discard" and win.source_seat == record.dealer
        if heavenly or earthly:
            return Price(flat=True)
    return max(prices, key=lambda p: sum(_shares(record, win, p).values()))


def _lone_fine(record: Record, win: Win) -> bool:
    """The 13 tiles: four sets or six pairs complete, and a fine tile over (which of them does not matter)."""
    player, fines = record.players[win.seat], _fines(record)
    hand = player.hand or ()
    natural = [t for t in hand if t not in fines]
    wilds = len(hand) - len(natural)
    if not wilds:
        return False
    if decompositions(natural, wilds - 1, 4 - len(player.melds), pairs=0, runs=RUNS):
        return True
    return not player.melds and common.odd_kinds(natural) <= wilds - 1


def _prices(record: Record, win: Win) -> Iterator[Price]:
    """Every reading, first with all fine tiles at face value (German), then with all of them free to stand for
    anything, themselves included."""
    fines = _fines(record)
    ways = 0
    if _f1.is_self_drawn(win):
        ways += 1 + (win.source == "kong")
    ways += win.source == "robbed_kong"
    losers = [t for s in range(4) if s != win.seat for t in _loser_tiles(record, s)]
    german_doubles = 1 + (not any(t in fines for t in losers))
    for doubles in _shapes(record, win, list(_f1.finished(record, win)), []):
        yield Price(ways + german_doubles + doubles, german=True)
    own = list(record.players[win.seat].hand or ())
    claimed = []
    if win.tile is not None:
        (own if _f1.is_self_drawn(win) else claimed).append(win.tile)  # a claimed fine tile is an ordinary tile
    free = [t for t in own if t in fines]
    if free:
        for doubles in _shapes(record, win, [*claimed, *(t for t in own if t not in fines)], free):
            yield Price(ways + doubles)


def _loser_tiles(record: Record, seat: int) -> list[int]:
    player = record.players[seat]
    return [*(player.hand or ()), *(t for m in player.melds for t in m.tiles)]


def _shapes(record: Record, win: Win, natural: list[int], free: list[int]) -> Iterator[int]:
    """Doubles of the hand's own patterns, fine call included, for each way to read natural tiles and free fine tiles."""
    player, wilds = record.players[win.seat], len(free)
    sets = 4 - len(player.melds)
    open_triplets = all(m.is_triplet for m in player.melds)
    for reading in decompositions(natural, wilds, sets, runs=RUNS):
        yield int(open_triplets and all(g.kind != "run" for g in reading))
    call = _before_the_draw(record, win, bool(free))
    if call is not None:
        for reading in decompositions(*call, sets, pairs=0, runs=RUNS):
            yield 1 + (open_triplets and all(g.kind != "run" for g in reading))
    if player.melds:
        return
    if common.odd_kinds(natural) <= wilds:
        yield 1
        if call is not None and common.odd_kinds(call[0]) <= call[1]:
            yield 2
    if _f1.is_scattered(natural, wilds, is_honour):
        yield 1
    missing = [h for h in HONOURS if h not in natural]
    if set(missing) <= set(free) and _f1.is_scattered([*natural, *missing], wilds - len(missing), is_honour):
        yield 2


def _before_the_draw(record: Record, win: Win, free: bool) -> tuple[list[int], int] | None:
    """For a fine call: the tiles besides the waiting fine tile before the draw, naturals and fine tiles still free.

    Where fine tiles are not free (German) the drawn tile must be the waiting fine tile's twin.
    """
    if not _f1.is_self_drawn(win) or win.source == "deal":
        return None
    fines = _fines(record)
    hand = list(record.players[win.seat].hand or ())
    if not free:
        if win.tile in fines and win.tile in hand:
            hand.remove(win.tile)
            return hand, 0
        return None
    held = sum(t in fines for t in hand)
    return ([t for t in hand if t not in fines], held - 1) if held else None


# --- random records -----------------------------------------------------------------------------------------------


def random_record(rng: random.Random) -> dict[str, Any]:
    scene = _f1.Scene(rng, "nanchang", COPIES_136)
    record, deck, seat = scene.record, scene.deck, scene.winner
    choices = {"indicator_drawable": [True], "dead_wall": ["34_tiles", "stack_or_half"], "missed_pung": [True]}
    options = common.random_options(rng, choices, 0.15)
    first = scene.turn_indicator(HONOURS if scene.chance(0.3) else PLAYING)
    second = following(first, WINDS if first in WINDS else DRAGONS)
    if options.get("indicator_drawable"):
        deck.give_back([first])
    concealed, melds = _winning_hand(scene, first, second)
    if scene.chance(0.06):
        concealed = common.spoil(rng, deck, concealed)
    among = None
    if scene.chance(0.6):
        among = [t for t in concealed if t not in (first, second)]
    elif scene.chance(0.4):
        among = [first, second]
    scene.win_by(
        concealed, melds, ["wall", "wall", "wall", "kong", "discard", "discard", "robbed_kong", "deal"], won_on=among
    )
    win = scene.win
    if win["source"] == "robbed_kong" and scene.chance(0.1):
        win["robbed_kind"] = "concealed"
    if win["source"] == "discard" and win["from"] == record["dealer"] and not melds and scene.chance(0.3):
        win["first_turn"] = True
    drawable = options.get("indicator_drawable") and win["source"] == "kong"
    if drawable and win["tile"] == common.write([first]):
        win["indicator_drawn"] = True
    fines_gone = rng.choice([[], [first, second], [first, second], [first]])
    aside = [t for t in fines_gone for _ in range(deck.left[t])]
    deck.take(aside)
    scene.add_loser_melds(0.35, runs=RUNS, kinds=PLAYING)
    scene.deal_losers()
    dice = rng.random()
    if dice < 0.06:
        scene.incident(kind="dead_hand", seat=rng.randrange(4), why="long")
    elif dice < 0.2:
        hand = common.parse(scene.players[seat]["hand"])
        room = 13 - 3 * len(scene.melds[seat])
        scene.drawn()
        scene.players[seat]["hand"] = common.write(hand[:room])
        if dice < 0.1:
            offender = rng.randrange(4)
            scene.incident(kind="false_win", seat=offender, claimed=common.claimed_amounts(rng, offender, 4))
        elif scene.chance(0.5):
            options["draw_penalty"] = True
    elif dice < 0.23:
        scene.players[rng.choice(scene.others())]["hand"] = None
    if scene.chance(0.15):
        scene.incident(kind="same_discard", tile=common.write(deck.draw(rng, 1)), rounds=1)
    if options:
        record["options"] = options
    return scene.finish()


def _winning_hand(scene: _f1.Scene, first: int, second: int) -> tuple[tuple[int, ...], tuple[common.Meld, ...]]:
    rng, deck = scene.rng, scene.deck
    shape = rng.random()
    melds: tuple[common.Meld, ...] = ()
    if shape < 0.2:
        concealed = _f1.pairs_hand(rng, deck, [*PLAYING, *[first, second] * 4])
    elif shape < 0.42:
        concealed = _f1.scattered(rng, deck, HONOURS)
    elif shape < 0.6:
        near = [k for k in PLAYING if k // 9 == first // 9]
        dealt = common.random_hand(rng, deck, scene.winner, 4, 4, kinds=near, runs=RUNS, meld=rng.choice([0.0, 0.4]))
        concealed, melds = dealt.concealed, dealt.melds
    else:
        dealt = common.random_hand(
            rng,
            deck,
            scene.winner,
            4,
            4,
            runs=RUNS,
            meld=rng.choice([0.0, 0.4]),
            kong=0.4,
            triplets=rng.choice([0.3, 1.0]),
        )
        concealed, melds = dealt.concealed, dealt.melds
    for wild in (first, second):
        concealed = _f1.put_wilds(rng, deck, concealed, wild, rng.choice([0, 0, 0, 1, 1, 2]))
    return concealed, melds
