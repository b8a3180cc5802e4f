"""Oracle for Hong Kong old style, written from the sheet hongkong.md alone."""

from __future__ import annotations

import dataclasses
import random
from collections import Counter
from typing import Any

from referee.rules.tiles import (
    BONUS,
    DRAGONS,
    FLOWERS,
    HONOURS,
    ORPHANS,
    PLAYING,
    SEASONS,
    TERMINALS,
    WINDS,
    is_honour,
    is_orphan,
    is_terminal,
    rank,
)
from tests.oracle import _f1, common
from tests.oracle.common import COPIES_144, Meld, Record, Spec, Win, decompositions, is_bool, one_of

SPEC = Spec(
    "hongkong",
    4,
    COPIES_144,
    {
        "minimum_faan": (3, one_of(*range(14))),
        "bonus_counts_to_minimum": (True, is_bool),
        "discard_payment": ("half", one_of("half", "full")),
        "robbed_kong_payment": ("discard", one_of("discard", "self_draw")),
        "full_flush_faan": (7, one_of(6, 7)),
        "mixed_flush_faan": (3, one_of(2, 3)),
        "little_dragons_faan": (5, one_of(4, 5)),
        "big_dragons_faan": (8, one_of(6, 8, 13)),
        "little_winds_faan": (6, one_of(3, 5, 6, 10, 13)),
        "all_honours_faan": (13, one_of(7, 10, 13)),
        "four_concealed_faan": (8, one_of(0, 8, 13)),
        "four_concealed": ("pair_wait", one_of("pair_wait", "self_draw_only", "any")),
        "common_hand_pair": ("any", one_of("any", "no_value")),
        "concealed_hand_faan": (1, one_of(0, 1)),
        "concealed_kong_breaks": (False, is_bool),
        "nine_gates_wait": ("any", one_of("any", "nine")),
        "seven_pairs_faan": (0, one_of(0, 4, 5)),
        "no_bonus_faan": (1, one_of(0, 1)),
        "bonus_set_faan": (2, one_of(1, 2)),
        "full_set_keeps_own": (False, is_bool),
        "double_kong_faan": (8, one_of(8, 13)),
        "last_discard_faan": (1, one_of(0, 1)),
        "flower_hands": (False, is_bool),
        "human_win": (False, is_bool),
        "liability_twelve": (False, is_bool),
        "liability_big_hands": (False, is_bool),
        "false_win": ("claimed", one_of("claimed", "limit")),
    },
)
LIMIT = 13
CURVE = (1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128)
GATES = (0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8)


@dataclasses.dataclass(frozen=True)
class Hand:
    """One reading: sets as (is a run, face, is concealed), the pair's face, the patterns that liability looks at."""

    faan: int
    patterns: frozenset[str] = frozenset()


def settle(data: dict[str, Any]) -> dict[str, Any]:
    record = common.read_record(data, SPEC)
    ledger = common.Ledger(4)
    verdicts = _f1.judge_one_winner(record, lambda win: _worth(record, win))
    for win, hand in zip(record.wins, verdicts, strict=True):
        if hand is not None:
            _pay(record, win, hand, ledger)
    for incident in record.incidents:
        if incident["kind"] == "false_win":
            if record.options["false_win"] == "limit":
                incident = incident | {"claimed": [128] * 4}
            ledger.false_win(incident)
    return _f1.result(record, ledger, verdicts)


def _pay(record: Record, win: Win, hand: Hand, ledger: common.Ledger) -> None:
    price, options = CURVE[min(hand.faan, 10)], record.options
    others = [s for s in range(4) if s != win.seat]
    if win.flower_win is None and win.source == "robbed_kong" and options["robbed_kong_payment"] == "self_draw":
        ledger.pay(win.source_seat, win.seat, 3 * price)  # type: ignore[arg-type]
    elif win.flower_win is None and win.source in ("discard", "robbed_kong"):
        if options["discard_payment"] == "full":
            ledger.pay(win.source_seat, win.seat, 2 * price)  # type: ignore[arg-type]
        else:
            for seat in others:
                ledger.pay(seat, win.seat, price if seat == win.source_seat else price / 2)
    else:
        liable = None if win.flower_win else _liable(record, win, hand)
        for seat in others:
            ledger.pay(seat if liable is None else liable, win.seat, price)


def _liable(record: Record, win: Win, hand: Hand) -> int | None:
    options, melds = record.options, record.players[win.seat].melds
    claimed = [m for m in melds if m.is_open]
    if options["liability_big_hands"]:
        dragons = [m for m in claimed if m.tiles[0] in DRAGONS]
        winds = [m for m in claimed if m.tiles[0] in WINDS]
        if "daai_saam_jyun" in hand.patterns and len(dragons) == 3:
            return dragons[2].source
        if "daai_sei_hei" in hand.patterns and len(winds) == 4:
            return winds[3].source
        if hand.patterns & {"cing_jat_sik", "sap_baat_lo_hon"} and len(claimed) == 4:
            return claimed[3].source
    if options["liability_twelve"] and len(claimed) == 4:
        return claimed[3].source
    return None


def _worth(record: Record, win: Win) -> Hand | None:
    """The dearest reading that reaches the minimum."""
    player, options = record.players[win.seat], record.options
    if win.seat in common.dead_seats(record):
        return None
    if win.flower_win is not None:
        held = len(player.bonus) + (win.tile in BONUS)
        wanted = {"seven": 7, "eight": 8}.get(win.flower_win, 99)
        if not options["flower_hands"] or held < wanted:
            return None
        return Hand(3 if win.flower_win == "seven" else 8)
    if not _f1.hand_size_right(record, win, 13) or not all(common.proper_meld(m) for m in player.melds):
        return None
    if win.source == "robbed_kong" and win.robbed_kind != "added":
        return None
    bonus = _bonus(record, win.seat)
    hands = _readings(record, win)
    if not hands:
        return None
    best = max(hands, key=lambda h: h.faan)
    counted = best.faan + (bonus if options["bonus_counts_to_minimum"] else 0)
    if counted < options["minimum_faan"]:
        return None
    return Hand(best.faan + bonus, best.patterns)


def _bonus(record: Record, seat: int) -> int:
    """Bonus tiles."""
    held, options = record.players[seat].bonus, record.options
    number = (seat - record.dealer) % 4 + 1
    if not held:
        return options["no_bonus_faan"]
    faan = 0
    for series in (FLOWERS, SEASONS):
        own = [t for t in held if t in series]
        full = len(own) == 4
        faan += options["bonus_set_faan"] * full
        if not full or options["full_set_keeps_own"]:
            faan += sum(rank(t) == number for t in own)
    return faan


def _readings(record: Record, win: Win) -> list[Hand]:
    player, options = record.players[win.seat], record.options
    tiles = _f1.finished(record, win)
    hands = []
    for reading in decompositions(tiles, 0, 4 - len(player.melds)):
        places = range(len(reading)) if win.tile is None else common.places_of(reading, win.tile, False)
        for place in places:
            hands.append(_standard(record, win, reading, place))
    if not player.melds:
        ways = _ways(record, win)
        first = _first_turn(record, win)
        zi_mo = 0 if first == "tin_wu" else int(_f1.is_self_drawn(win))
        extra = ways + zi_mo + LIMIT * (first is not None)
        if set(tiles) == set(ORPHANS):
            hands.append(Hand(LIMIT + extra))
        if options["seven_pairs_faan"] and common.odd_kinds(tiles) == 0:
            faan = options["seven_pairs_faan"] + extra
            suits = {t // 9 for t in tiles if not is_honour(t)}
            if not suits:
                faan += options["all_honours_faan"]
            elif len(suits) == 1:
                mixed = any(is_honour(t) for t in tiles)
                faan += options["mixed_flush_faan"] if mixed else options["full_flush_faan"]
            hands.append(Hand(faan))
    return hands


def _ways(record: Record, win: Win) -> int:
    """Ways of winning, but for self-draw, concealed hand and the first turn."""
    options, faan = record.options, 0
    faan += win.source == "robbed_kong"
    if win.source == "kong":
        faan += options["double_kong_faan"] if win.kong_chain >= 2 else 1
    if win.last_tile:
        faan += _f1.is_self_drawn(win)
        faan += options["last_discard_faan"] * (win.source == "discard")
    return faan


def _first_turn(record: Record, win: Win) -> str | None:
    dealer = win.seat == record.dealer
    if dealer and (win.source == "deal" or (win.first_turn and win.source in ("wall", "flower"))):
        return "tin_wu"
    if not dealer and win.first_turn and win.source == "discard":
        if win.source_seat == record.dealer and not record.players[win.seat].melds:
            return "dei_wu"
        if win.source_seat != record.dealer and record.options["human_win"]:
            return "jan_wu"
    return None


def _standard(record: Record, win: Win, reading: common.Reading, place: int) -> Hand:
    player, options = record.players[win.seat], record.options
    self_drawn = _f1.is_self_drawn(win)
    sets = [(m.kind == "chow", m.tiles[0], not m.is_open) for m in player.melds]
    for index, group in enumerate(reading):
        if group.kind != "pair":
            finished = index == place and not self_drawn
            sets.append((group.kind == "run", group.faces[0], not finished))
    pair = next(g.faces[0] for g in reading if g.kind == "pair")
    tiles = [t for g in reading for t in g.faces] + [t for m in player.melds for t in m.tiles]
    triplets = [face for run, face, _ in sets if not run]
    seat_wind, found = _f1.seat_wind(record, win.seat), set()
    suits = {t // 9 for t in tiles if not is_honour(t)}
    honours = any(is_honour(t) for t in tiles)
    dragons = [d for d in DRAGONS if d in triplets]
    winds = [w for w in WINDS if w in triplets]
    concealed = sum(hidden for run, _, hidden in sets if not run)
    no_claim = all(not m.is_open for m in player.melds)
    first = _first_turn(record, win)
    all_pungs, all_runs = len(triplets) == 4, not triplets

    faan = _ways(record, win) + LIMIT * (first is not None)
    if self_drawn and first != "tin_wu":
        faan += 1
    # limit hands that stand for the whole hand
    gates = not player.melds and len(suits) == 1 and not honours and _nine_gates(record, win, tiles)
    great = {
        "daai_sei_hei": len(winds) == 4,
        "cing_jiu_gau": all_pungs and all(is_terminal(t) for t in tiles),
        "sap_baat_lo_hon": sum(m.is_kong for m in player.melds) == 4,
        "gau_zi_lin_waan": gates,
    }
    found |= {name for name, true in great.items() if true}
    faan += LIMIT * len(found)
    four_concealed = options["four_concealed_faan"] and concealed_enough(record, win, reading, place, concealed, sets)
    if four_concealed:
        faan += options["four_concealed_faan"]
    all_honours = not suits
    if all_honours:
        faan += options["all_honours_faan"]
    all_winds = "daai_sei_hei" in found
    if len(suits) == 1 and not gates:
        if not honours:
            faan += options["full_flush_faan"]
            found.add("cing_jat_sik")
        elif not all_winds:
            faan += options["mixed_flush_faan"]
    if all_pungs and not (four_concealed or found & {"daai_sei_hei", "cing_jiu_gau", "sap_baat_lo_hon"} or all_honours):
        faan += 3
    if all_pungs and not all_honours and not all_winds and honours and all(is_orphan(t) for t in tiles):
        faan += 1
    if len(dragons) == 3:
        faan += options["big_dragons_faan"]
        found.add("daai_saam_jyun")
    elif len(dragons) == 2 and pair in DRAGONS:
        faan += options["little_dragons_faan"]
    elif not all_honours:
        faan += len(dragons)
    if len(winds) == 3 and pair in WINDS:
        faan += options["little_winds_faan"]
    if not all_honours and not all_winds:
        faan += (seat_wind in winds) + (record.round_wind in winds)
    if all_runs and (options["common_hand_pair"] == "any" or pair not in (*DRAGONS, seat_wind, record.round_wind)):
        faan += 1
    bars = gates or four_concealed or first is not None and first != "jan_wu"
    if no_claim and not bars and not (options["concealed_kong_breaks"] and player.melds):
        faan += options["concealed_hand_faan"]
    return Hand(faan, frozenset(found))


def concealed_enough(
    record: Record, win: Win, reading: common.Reading, place: int, concealed: int, sets: list[tuple[bool, int, bool]]
) -> bool:
    """坎坎糊: four concealed pungs, by the option's reading of how the last tile may come."""
    how = record.options["four_concealed"]
    if how == "any":
        unclaimed = all(not m.is_open for m in record.players[win.seat].melds)
        return unclaimed and all(not run for run, _, _ in sets)
    if concealed < 4:
        return False
    return _f1.is_self_drawn(win) or (how == "pair_wait" and reading[place].kind == "pair")


def _nine_gates(record: Record, win: Win, tiles: list[int]) -> bool:
    suit = 9 * (tiles[0] // 9)
    wanted = Counter(suit + n for n in GATES)
    if Counter(tiles) - wanted == Counter() or wanted - Counter(tiles):
        return False
    if record.options["nine_gates_wait"] == "any" or win.tile is None:
        return True
    return Counter(record.players[win.seat].hand) == wanted


# --- random records -----------------------------------------------------------------------------------------------


def random_record(rng: random.Random) -> dict[str, Any]:
    scene = _f1.Scene(rng, "hongkong", COPIES_144)
    record, deck, seat = scene.record, scene.deck, scene.winner
    options = _random_options(rng)
    record["round_wind"] = rng.choice("ESWN")
    concealed, melds = _winning_hand(scene)
    if scene.chance(0.05):
        concealed = common.spoil(rng, deck, concealed)
    scene.win_by(
        concealed,
        melds,
        ["wall", "wall", "kong", "kong", "flower", "discard", "discard", "discard", "robbed_kong", "deal"],
    )
    win = scene.win
    if win["source"] == "kong" and scene.chance(0.3):
        win["kong_chain"] = rng.choice([1, 2, 3])
    if win["source"] == "robbed_kong" and scene.chance(0.1):
        win["robbed_kind"] = "concealed"
    if win["source"] == "discard" and seat != record["dealer"] and not melds and scene.chance(0.2):
        win["first_turn"] = True
    elif win["source"] in ("wall", "kong", "flower", "discard") and scene.chance(0.15):
        win["last_tile"] = True
    for player in scene.players:
        if scene.chance(0.6):
            player["bonus"] = common.write(deck.draw(rng, rng.choice([1, 1, 2, 3, 4, 5]), BONUS))
    if scene.players[seat].get("bonus", "") == "" and win["source"] == "flower":
        win["source"] = "wall"
    scene.add_loser_melds(0.2, kinds=PLAYING)
    if scene.chance(0.1):
        scene.feed(seat, (seat - 1) % 4, 4)
    _extras(scene, options)
    out = scene.finish()
    if scene.win.get("source") == "discard" and scene.chance(0.2):
        _second_winner(scene, out)
    if options:
        out["options"] = options
    return out


def _random_options(rng: random.Random) -> dict[str, Any]:
    """Few at a time; the minimum often low so that cheap hands are priced too; one liability option at most."""
    choices: dict[str, list[Any]] = {
        "bonus_counts_to_minimum": [False],
        "discard_payment": ["full", "half"],
        "robbed_kong_payment": ["self_draw", "discard"],
        "full_flush_faan": [6],
        "mixed_flush_faan": [2],
        "little_dragons_faan": [4],
        "big_dragons_faan": [6, 13],
        "little_winds_faan": [3, 5, 10, 13],
        "all_honours_faan": [7, 10],
        "four_concealed_faan": [0, 13],
        "four_concealed": ["self_draw_only", "any"],
        "common_hand_pair": ["no_value"],
        "concealed_hand_faan": [0],
        "concealed_kong_breaks": [True],
        "nine_gates_wait": ["nine"],
        "seven_pairs_faan": [4, 5],
        "no_bonus_faan": [0],
        "bonus_set_faan": [1],
        "full_set_keeps_own": [True],
        "double_kong_faan": [13],
        "last_discard_faan": [0],
        "flower_hands": [True],
        "human_win": [True],
        "false_win": ["limit", "claimed"],
    }
    options = common.random_options(rng, choices, 0.15)
    if rng.random() < 0.5:
        options["minimum_faan"] = rng.choice([0, 0, 1, 2, 4, 5, 8, 11, 13])
    if rng.random() < 0.3:
        options[rng.choice(["liability_twelve", "liability_big_hands"])] = True
    return options


def _winning_hand(scene: _f1.Scene) -> tuple[tuple[int, ...], tuple[Meld, ...]]:
    rng, deck = scene.rng, scene.deck
    suit = 9 * rng.randrange(3)
    own = tuple(range(suit, suit + 9))
    shape = rng.random()
    if shape < 0.05:
        return deck.take(sorted((*ORPHANS, rng.choice(ORPHANS)))), ()
    if shape < 0.1:
        return deck.take(sorted([*(suit + n for n in GATES), suit + rng.randrange(9)])), ()
    if shape < 0.17:
        return _f1.pairs_hand(rng, deck, rng.choice([PLAYING, own, (*own, *HONOURS)])), ()
    kinds = rng.choice(
        [
            PLAYING,
            PLAYING,
            own,
            (*own, *HONOURS),
            HONOURS,
            (*TERMINALS, *HONOURS),
            TERMINALS,
            (*DRAGONS, *DRAGONS, 0, 5),
        ]
    )
    if rng.random() < 0.12:
        kinds = (*WINDS, *WINDS, *rng.sample(own, 2))
    triplets = rng.choice([0.0, 0.4, 1.0])
    dealt = common.random_hand(
        rng,
        deck,
        scene.winner,
        4,
        4,
        kinds=kinds,
        triplets=triplets,
        meld=rng.choice([0.0, 0.5, 1.0]),
        kong=rng.choice([0.2, 0.5, 1.0]),
        claim_runs=rng.random() < 0.8,
    )
    return dealt.concealed, dealt.melds


def _extras(scene: _f1.Scene, options: dict[str, Any]) -> None:
    rng, seat = scene.rng, scene.winner
    dice = rng.random()
    if dice < 0.05:
        scene.incident(kind="dead_hand", seat=rng.randrange(4), why="long")
    elif dice < 0.1:
        offender = rng.randrange(4)
        scene.incident(kind="false_win", seat=offender, claimed=common.claimed_amounts(rng, offender, 4))
        scene.drawn()
    elif dice < 0.13:
        scene.drawn()
    elif dice < 0.18:
        options["flower_hands"] = rng.choice([True, True, False])
        which = rng.choice(["seven", "eight"])
        held = list(rng.sample(BONUS, rng.choice([6, 7, 7, 8, 8])))
        tile = common.write([held.pop()]) if rng.random() < 0.7 else None
        for player in scene.players:
            player.pop("bonus", None)
        scene.drawn()
        scene.players[seat]["bonus"] = common.write(held)
        scene.win = {"seat": seat, "tile": tile, "source": rng.choice(["wall", "flower"]), "flower_win": which}


def _second_winner(scene: _f1.Scene, record: dict[str, Any]) -> None:
    """Another player claims the same discard."""
    rng, deck, giver = scene.rng, scene.deck, scene.win["from"]
    seat = rng.choice([s for s in scene.others() if s != giver])
    tile = common.parse_one(scene.win["tile"])
    runs = [r for r in common.SUIT_RUNS if tile in r and deck.has(t for t in r if t != tile)]
    if scene.melds[seat] or not runs:
        return
    missing = [t for t in rng.choice(runs) if t != tile]
    deck.take(missing)
    rest = common.random_sets(rng, deck, 3, triplets=0.1)
    if rest:
        record["players"][seat]["hand"] = common.write(sorted([*missing, *(t for g in rest for t in g)]))
        record["wins"].append({k: v for k, v in scene.win.items() if k != "first_turn"} | {"seat": seat})
        rng.shuffle(record["wins"])
