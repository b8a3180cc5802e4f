"""Oracle for Beijing, written from the sheet beijing.md alone."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from referee.rules.tiles import DRAGONS, PLAYING, WINDS, following
from tests.oracle import _f1, common
from tests.oracle.common import COPIES_136, Group, Record, Spec, Win, at_least, decompositions, is_bool, one_of

SPEC = Spec(
    "beijing",
    4,
    COPIES_136,
    {
        "rare_points": (20, at_least(0)),
        "wild_eye": (False, is_bool),
        "native_wild_flush": (False, is_bool),
        "kong_points_banker": (False, is_bool),
        "upstairs": (False, is_bool),
        "upstairs_long_banker": (False, is_bool),
        "void_suit": (False, is_bool),
        "busted_banker": (False, is_bool),
        "busted_points": (10, at_least(0)),
        "at_most_once": (False, is_bool),
        "pure_one_suit": (0, at_least(0)),
        "all_pungs": (0, at_least(0)),
        "single_tile_hand": (0, at_least(0)),
        "last_tile": (0, at_least(0)),
        "discarder_pays_all": (False, is_bool),
        "false_win_fixed": (False, is_bool),
        "dead_wall": ("7", one_of("7", "7_8", "14_plus")),
        "missed_win": (False, is_bool),
    },
)
FIVE = 4  # 5m


@dataclass(frozen=True)
class Price:
    """What the winner's reading is worth: doubles for every payer, or a rare event in place of them."""

    doubles: int
    rare: bool = False


def settle(data: dict[str, Any]) -> dict[str, Any]:
    record = common.read_record(data, SPEC)
    ledger = common.Ledger(4)
    verdicts = _f1.judge_one_winner(record, lambda win: _price(record, win))
    for win, price in zip(record.wins, verdicts, strict=True):
        if price is not None:
            _pay(record, win, price, ledger)
    _wild_kongs(record, ledger)
    options = record.options
    for incident in record.incidents:
        if incident["kind"] == "false_win":
            if options["false_win_fixed"]:
                incident = incident | {"claimed": [options["rare_points"]] * 4}
            ledger.false_win(incident)
    same = any(i["kind"] == "same_discard" for i in record.incidents)
    if options["busted_banker"] and same and any(verdicts):
        for seat in range(4):
            if seat != record.dealer:
                ledger.pay(record.dealer, seat, options["busted_points"])
    return _f1.result(record, ledger, verdicts)


def _wild(record: Record) -> int:
    if record.indicator is None:
        raise common.Malformed("indicator")
    return following(record.indicator, WINDS if record.indicator in WINDS else DRAGONS)


def _upstairs(record: Record) -> int:
    options = record.options
    if not options["upstairs"]:
        return 1
    long_banker = options["upstairs_long_banker"] and record.repeat >= 2
    return 2 if record.draw_streak >= 1 or long_banker else 1


def _wild_kongs(record: Record, ledger: common.Ledger) -> None:
    wild = _wild(record)
    drawn = {w.seat: w.tile for w in record.wins if _f1.is_self_drawn(w)}
    for seat, player in enumerate(record.players):
        held = (player.hand or ()).count(wild) + (drawn.get(seat) == wild)
        if held == 4:
            for other in range(4):
                if other != seat:
                    ledger.pay(other, seat, record.options["rare_points"] * _upstairs(record))


def _pay(record: Record, win: Win, price: Price, ledger: common.Ledger) -> None:
    options = record.options
    kongs = sum(2 if m.kind == "concealed_kong" else 1 for m in record.players[win.seat].melds if m.is_kong)
    if win.source == "kong":
        kongs *= 2
    for seat in range(4):
        if seat == win.seat:
            continue
        with_banker = record.dealer in (seat, win.seat)
        own_tile = _f1.is_self_drawn(win) or seat == win.source_seat
        amount = options["rare_points"]
        if not price.rare:
            amount = 2 ** (price.doubles + with_banker + own_tile)
            amount += kongs * (2 if options["kong_points_banker"] and with_banker else 1)
        payer = seat
        if options["discarder_pays_all"] and win.source_seat is not None:
            payer = win.source_seat
        ledger.pay(payer, win.seat, amount * _upstairs(record))


def _price(record: Record, win: Win) -> Price | None:
    """Winning shapes and restrictions; the dearest reading."""
    player, wild, options = record.players[win.seat], _wild(record), record.options
    if win.seat in common.dead_seats(record) or not _f1.hand_size_right(record, win, 13):
        return None
    if wild in (player.discards or ()) or not all(common.proper_meld(m, barred=[wild]) for m in player.melds):
        return None
    claims = sum(m.kind in ("chow", "pung", "added_kong") for m in player.melds)
    if options["at_most_once"] and claims > 1:
        return None
    hand = player.hand or ()
    if not _f1.is_self_drawn(win):
        if any(m.is_open for m in player.melds) or hand.count(wild) > 2 or win.tile == wild:
            return None
        if _lone_wild(record, win):
            return None
    scores = [s for s in _scores(record, win) if s is not None]
    if not scores:
        return None
    heavenly = win.source == "deal" and win.seat == record.dealer
    earthly = win.first_turn and win.source == "discard" and win.source_seat == record.dealer
    return Price(max(scores), rare=heavenly or earthly)


def _lone_wild(record: Record, win: Win) -> bool:
    """The 13 tiles are four sets or six pairs and a wild tile over."""
    player, wild = record.players[win.seat], _wild(record)
    hand = player.hand or ()
    natural, wilds = [t for t in hand if t != wild], hand.count(wild)
    if not wilds:
        return False
    if decompositions(natural, wilds - 1, 4 - len(player.melds), pairs=0):
        return True
    return not player.melds and common.odd_kinds(natural) <= wilds - 1


def _scores(record: Record, win: Win) -> Iterator[int | None]:
    """The doubles of every reading with every place of the winning tile, those on all payers alike."""
    player, wild = record.players[win.seat], _wild(record)
    tiles = _f1.finished(record, win)
    natural, wilds = [t for t in tiles if t != wild], tiles.count(wild)
    sets = 4 - len(player.melds)
    readings: list[tuple[common.Reading, bool]] = [(r, True) for r in decompositions(tiles, 0, sets)]
    if wilds:
        readings += [(r, False) for r in decompositions(natural, wilds, sets)]
    if not player.melds:
        readings += [(r, True) for r in decompositions(tiles, 0, 0, pairs=7)]
        if wilds:
            readings += [(r, False) for r in _pair_readings(natural, wilds, wild)]
    for reading, straight in readings:
        if win.tile is None:
            yield _doubles(record, win, reading, None, straight)
            continue
        drawn_wild = win.tile == wild and not straight
        for place in common.places_of(reading, win.tile, drawn_wild):
            yield _doubles(record, win, reading, place, straight)


def _pair_readings(natural: list[int], wilds: int, wild: int) -> list[common.Reading]:
    """Seven pairs with wild tiles; no face helps a pair of wild tiles more than one in the hand, or its own."""
    return decompositions(natural, wilds, 0, pairs=7, faces={*natural, wild})


def _doubles(record: Record, win: Win, reading: common.Reading, place: int | None, straight: bool) -> int | None:
    player, wild, options = record.players[win.seat], _wild(record), record.options
    faces = [f for g in reading for f in g.faces] + [t for m in player.melds for t in m.tiles]
    suits = {f // 9 for f in faces if f < 27}
    if options["void_suit"] and len(suits) == 3:
        return None
    flush_runs = _flush(record, win, reading)
    if win.source == "robbed_kong" and win.robbed_kind == "concealed":
        group = reading[place] if place is not None else None
        if group is None or not any(group.faces in runs for runs in flush_runs):
            return None
    pairs = len(reading) == 7
    doubles = int(not any(m.is_open for m in player.melds))
    doubles += straight + bool(flush_runs) + (win.source == "kong")
    if pairs:
        real = Counter(g.faces[0] for g in reading if g.natural and g.faces[0] != wild)
        doubles += 1 + sum(n == 2 for n in real.values())
    if place is not None:
        doubles += _catch_five(win, reading[place], pairs, wild == FIVE and not straight)
        waited = reading[place].kind == "pair" and _waiting_wild(reading[place], win, wild)
        doubles += options["wild_eye"] and not straight and waited and win.source != "deal"
    if options["native_wild_flush"] and not straight:
        own = [runs for runs in flush_runs if runs[0][0] // 9 == wild // 9 and wild < 27]
        doubles += any(
            w and f != wild
            for runs in own
            for g in reading
            if g.faces in runs
            for f, w in zip(g.faces, g.wild, strict=True)
        )
    if len(suits) == 1 and all(f < 27 for f in faces):
        doubles += options["pure_one_suit"]
    if not pairs and all(m.is_triplet for m in player.melds) and all(g.kind != "run" for g in reading):
        doubles += options["all_pungs"]
    doubles += options["single_tile_hand"] * (len(player.melds) == 4)
    doubles += options["last_tile"] * (win.last_tile and win.source in ("wall", "kong"))  # 海底捞月 is drawn
    return int(doubles)


def _flush(record: Record, win: Win, reading: common.Reading) -> list[list[tuple[int, ...]]]:
    """For each suit whose 123, 456, 789 all stand among the sets: those three runs."""
    runs = {g.faces for g in reading if g.kind == "run"}
    runs |= {tuple(sorted(m.tiles)) for m in record.players[win.seat].melds if m.kind == "chow"}
    wanted = [[tuple(range(9 * s + i, 9 * s + i + 3)) for i in (0, 3, 6)] for s in range(3)]
    return [three for three in wanted if runs.issuperset(three)]


def _catch_five(win: Win, group: Group, pairs: bool, own_wild: bool) -> bool:
    """A real 5m between 4m and 6m, or paired with a real 5m in seven pairs. Where 5m is the wild tile and the reading
    has wild places (``own_wild``), the 5m is a wild place at its face value."""
    if win.tile != FIVE or not group.has(FIVE, own_wild):
        return False
    if pairs:
        return group.wilds == 2 * own_wild
    return group.faces == (FIVE - 1, FIVE, FIVE + 1)


def _waiting_wild(pair: Group, win: Win, wild: int) -> bool:
    return pair.wilds == (2 if win.tile == wild else 1)


# --- random records -----------------------------------------------------------------------------------------------

_CHOICES: dict[str, list[Any]] = {
    "rare_points": [10, 20, 50],
    "wild_eye": [True],
    "native_wild_flush": [True],
    "kong_points_banker": [True],
    "upstairs": [True],
    "upstairs_long_banker": [True],
    "void_suit": [True],
    "busted_banker": [True],
    "busted_points": [5, 10, 25],
    "at_most_once": [True],
    "pure_one_suit": [0, 1, 2],
    "all_pungs": [0, 1, 2],
    "single_tile_hand": [1, 2],
    "last_tile": [1, 2],
    "discarder_pays_all": [True],
    "false_win_fixed": [True],
    "dead_wall": ["7", "7_8", "14_plus"],
    "missed_win": [True],
}


def random_record(rng: random.Random) -> dict[str, Any]:
    scene = _f1.Scene(rng, "beijing", COPIES_136)
    record, deck, seat = scene.record, scene.deck, scene.winner
    options = common.random_options(rng, _CHOICES, 0.15)
    record["repeat"], record["draw_streak"] = rng.choice([0, 1, 2, 3]), rng.choice([0, 0, 0, 1, 2])
    indicator = scene.turn_indicator([3] if scene.chance(0.15) else PLAYING)
    wild = following(indicator, WINDS if indicator in WINDS else DRAGONS)
    claimed = rng.choice([0.0, 0.0, 0.0, 0.5, 0.9])
    kinds = [k for k in rng.choice([PLAYING, PLAYING, tuple(range(9)), (0, 1, 2, 3, 4, 5, 18, 19, 31)]) if k != wild]
    shape, melds = rng.random(), ()
    if shape < 0.2:
        concealed = _f1.pairs_hand(rng, deck, [*PLAYING, FIVE, FIVE, FIVE])
    elif shape < 0.5:
        concealed, melds = _flush_hand(scene, 0.3 if claimed else 0.0)
    else:
        dealt = common.random_hand(
            rng, deck, seat, 4, 4, kinds=kinds, meld=claimed, kong=0.4, wild=[wild], triplets=rng.choice([0.3, 1.0])
        )
        concealed, melds = dealt.concealed, dealt.melds
    if all(wild not in m.tiles for m in melds):
        concealed = _f1.put_wilds(rng, deck, concealed, wild, rng.choice([0, 0, 0, 1, 1, 2, 3, 4]))
    if scene.chance(0.07):
        concealed = common.spoil(rng, deck, concealed)
    among = [FIVE] if FIVE in concealed and scene.chance(0.5) else None
    if not among and scene.chance(0.8):
        among = [t for t in concealed if t != wild]
    sources = ["wall", "wall", "kong", "discard", "discard", "robbed_kong", "deal"]
    scene.win_by(concealed, melds, sources, won_on=among, never_claimed=[wild])
    win = scene.win
    if win["source"] == "robbed_kong" and scene.chance(0.5):
        win["robbed_kind"] = "concealed"
        scene.melds[win["from"]].clear()
    if win["source"] in ("wall", "kong") and scene.chance(0.2):
        win["last_tile"] = True
    if win["source"] == "discard" and win["from"] == record["dealer"] and not melds and scene.chance(0.3):
        win["first_turn"] = True
    if scene.chance(0.04) and deck.has([wild]):
        scene.players[seat]["discards"] = common.write(deck.take([wild]))
    scene.add_loser_melds(0.25, kinds=[k for k in PLAYING if k != wild])
    holder = rng.choice(scene.others())
    if deck.has([wild] * 4) and len(scene.melds[holder]) < 3 and scene.chance(0.2):
        room = 13 - 3 * len(scene.melds[holder]) - 4
        held = (*deck.take([wild] * 4), *deck.draw(rng, room))
        scene.players[holder]["hand"] = common.write(sorted(held))
    dice = rng.random()
    if dice < 0.06:
        scene.incident(kind="dead_hand", seat=rng.randrange(4), why="wild_discard")
    elif dice < 0.12:
        offender = rng.randrange(4)
        scene.incident(kind="false_win", seat=offender, claimed=common.claimed_amounts(rng, offender, 4))
        scene.drawn()
    elif dice < 0.17:
        scene.drawn()
    if scene.chance(0.15):
        scene.incident(kind="same_discard", tile=common.write(deck.draw(rng, 1)), rounds=1)
    if options:
        record["options"] = options
    return scene.finish()


def _flush_hand(scene: _f1.Scene, claimed: float) -> tuple[tuple[int, ...], tuple[common.Meld, ...]]:
    """123, 456, 789 of one suit, a set and a pair."""
    suit = 9 * scene.rng.randrange(3)
    concealed: list[int] = []
    melds = []
    for i in (0, 3, 6):
        run = tuple(range(suit + i, suit + i + 3))
        if not scene.deck.has(run):
            continue
        scene.deck.take(run)
        made = common.random_meld(scene.rng, scene.deck, scene.winner, 4, run) if scene.chance(claimed) else None
        melds += [made] if made else []
        concealed += () if made else run
    sets = 4 - len(melds) - len(concealed) // 3
    rest = None
    while rest is None:
        rest = common.random_sets(scene.rng, scene.deck, sets)
    concealed += [t for group in rest for t in group]
    return tuple(sorted(concealed)), tuple(melds)
