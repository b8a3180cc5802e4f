"""Oracle for Jinan, written from the sheet jinan.md alone."""

from __future__ import annotations

import math
import random
from typing import Any

from referee.rules.tiles import BONUS, PLAYING, is_honour
from tests.oracle import _f1, common
from tests.oracle.common import COPIES_144, Record, Spec, Win, at_least, decompositions, is_bool, one_of

SPEC = Spec(
    "jinan",
    4,
    COPIES_144,
    {
        "multiple_winners": (False, is_bool),
        "genzhuang": (1, at_least(0)),
        "combine": ("add", one_of("add", "multiply", "highest")),
    },
)
PAIRS = tuple(9 * suit + n for suit in range(3) for n in (1, 4, 7))


def settle(data: dict[str, Any]) -> dict[str, Any]:
    record = common.read_record(data, SPEC)
    ledger = common.Ledger(4)
    if record.options["multiple_winners"]:
        verdicts = [_points(record, win) for win in record.wins]
    else:
        verdicts = _f1.judge_one_winner(record, lambda win: _points(record, win))
    for win, points in zip(record.wins, verdicts, strict=True):
        if points is not None:
            _pay(record, win, points, ledger)
    for incident in record.incidents:
        if incident["kind"] == "same_discard":
            amount = record.options["genzhuang"] * 2 ** (incident["rounds"] - 1)
            for seat in range(4):
                if seat != record.dealer:
                    ledger.pay(record.dealer, seat, amount)
    return _f1.result(record, ledger, verdicts)


def _pay(record: Record, win: Win, points: int, ledger: common.Ledger) -> None:
    others = [s for s in range(4) if s != win.seat]
    shares = dict.fromkeys(others, points)
    if win.source == "discard":
        shares = {win.source_seat: points}  # type: ignore[dict-item]
    liable = None
    if win.source == "robbed_kong":
        liable = win.source_seat
    elif win.source == "kong" and win.kong_from is not None:
        liable = win.kong_from
    else:
        for seat in others:
            fed, took = _f1.claims_from(record, win.seat, seat), _f1.claims_from(record, seat, win.seat)
            if len(fed) >= 3 or len(took) >= 3:
                liable = seat
    for seat, share in shares.items():
        ledger.pay(seat if liable is None else liable, win.seat, share)


def _points(record: Record, win: Win) -> int | None:
    """Winning shapes and restrictions, then the reading (and the place of the winning tile) that pays most."""
    player = record.players[win.seat]
    if win.seat in common.dead_seats(record) or not _f1.hand_size_right(record, win, 13):
        return None
    if not all(common.proper_meld(m) for m in player.melds):
        return None
    self_drawn = _f1.is_self_drawn(win)
    if player.revealed and not self_drawn:
        return None
    if win.source == "robbed_kong" and win.robbed_kind != "added":
        return None
    best = 0
    for reading in decompositions(_f1.finished(record, win), 0, 4 - len(player.melds)):
        pair = next(g for g in reading if g.kind == "pair")
        if pair.faces[0] not in PAIRS or win.tile is None:
            continue
        for place in common.places_of(reading, win.tile, False):
            best = max(best, (1 + _flowers(record, win, reading, place)) * _multiplier(record, win, reading))
    if not best:
        return None
    best *= 2 if player.revealed else 1
    if not self_drawn and win.source_seat is not None and record.players[win.source_seat].revealed:
        best *= 2
    return best * 2 ** min(record.draw_streak, 5)


def _flowers(record: Record, win: Win, reading: common.Reading, place: int) -> int:
    player = record.players[win.seat]
    count = len(player.bonus)
    for meld in player.melds:
        honour = is_honour(meld.tiles[0])
        if meld.kind == "concealed_kong":
            count += 3 if honour else 2
        elif meld.is_kong:
            count += 2 if honour else 1
        elif meld.kind == "pung":
            count += honour
    for index, group in enumerate(reading):
        if group.kind == "triplet" and index != place:
            count += is_honour(group.faces[0])
    return count


def _multiplier(record: Record, win: Win, reading: common.Reading) -> int:
    player = record.players[win.seat]
    faces = [f for g in reading for f in g.faces] + [t for m in player.melds for t in m.tiles]
    runs = {g.faces for g in reading if g.kind == "run"} | {m.tiles for m in player.melds if m.kind == "chow"}
    suits = {f // 9 for f in faces if not is_honour(f)}
    values = []
    if all(m.is_triplet for m in player.melds) and all(g.kind != "run" for g in reading):
        values.append(2)
    if len(suits) == 1:
        values.append(2 if any(is_honour(f) for f in faces) else 5)
    if any(runs.issuperset((s + i, s + i + 1, s + i + 2) for i in (0, 3, 6)) for s in (0, 9, 18)):
        values.append(2)
    if win.source in ("kong", "flower"):
        values.append(2)
    if not values:
        return 1
    how = record.options["combine"]
    return sum(values) if how == "add" else math.prod(values) if how == "multiply" else max(values)


# --- random records -----------------------------------------------------------------------------------------------


def random_record(rng: random.Random) -> dict[str, Any]:
    scene = _f1.Scene(rng, "jinan", COPIES_144)
    record, deck, seat = scene.record, scene.deck, scene.winner
    choices = {"combine": ["multiply", "highest", "add"], "genzhuang": [0, 2, 5]}
    options: dict[str, Any] = common.random_options(rng, choices, 0.25)
    record["draw_streak"] = rng.choice([0, 0, 0, 1, 2, 4, 5, 7])
    suit = 9 * rng.randrange(3)
    mixed = (*range(suit, suit + 9), *range(27, 34))
    kinds = rng.choice([PLAYING, PLAYING, mixed, tuple(range(suit, suit + 9))])
    pair = rng.choice([p for p in PAIRS if p in kinds]) if scene.chance(0.92) else rng.choice(kinds)
    deck.take([pair] * 2)
    groups = None
    while groups is None:
        groups = common.random_sets(rng, deck, 4, kinds=kinds, triplets=rng.choice([0.3, 0.6, 1.0]), pairs=0)
        if groups is None:
            kinds = PLAYING
    if scene.chance(0.15):
        wanted = [tuple(range(suit + i, suit + i + 3)) for i in (0, 3, 6)]
        if deck.has([t for run in wanted for t in run]):
            for run, old in zip(wanted, groups[1:], strict=True):
                deck.give_back(old)
                deck.take(run)
            groups = [groups[0], *wanted]
    concealed, melds = [pair, pair], []
    claimed = rng.choice([0.0, 0.5, 0.9])
    for group in groups:
        made = common.random_meld(rng, deck, seat, 4, group, kong=0.4) if scene.chance(claimed) else None
        melds += [made] if made else []
        concealed += () if made else group
    scene.win_by(
        tuple(sorted(concealed)), melds, ["wall", "kong", "kong", "flower", "discard", "discard", "robbed_kong"]
    )
    win = scene.win
    last = melds[-1] if melds else None
    if win["source"] == "kong":
        kongs = [m for m in melds if m.is_kong]
        chosen = rng.choice(kongs)
        win.pop("kong_from", None)
        win["kong_tile"] = common.write([chosen.tiles[0]])
        if chosen.kind == "kong":
            win["kong_from"] = chosen.source
    if win["source"] == "robbed_kong" and scene.chance(0.1):
        win["robbed_kind"] = "concealed"
    if win["source"] == "robbed_kong" or last is None or scene.chance(0.5):
        for s in scene.others():
            scene.melds[s] = scene.melds[s][:1]
    for player in scene.players:
        if scene.chance(0.5):
            player["bonus"] = common.write(deck.draw(rng, rng.choice([1, 1, 2, 4]), BONUS))
        if scene.chance(0.12):
            player["revealed"] = rng.choice([True, 1, 2])
    _liability(scene)
    dice = rng.random()
    if dice < 0.06:
        scene.incident(kind="dead_hand", seat=rng.randrange(4), why="long")
    elif dice < 0.12:
        offender = rng.randrange(4)
        scene.incident(kind="false_win", seat=offender, claimed=common.claimed_amounts(rng, offender, 4))
        scene.drawn()
    elif dice < 0.17:
        scene.drawn()
    record_out = scene.finish()
    if win and win["source"] == "discard" and scene.win and scene.chance(0.4):
        _second_winner(scene, record_out, options)
    if scene.chance(0.15):
        scene.incident(kind="same_discard", tile=common.write(deck.draw(rng, 1)), rounds=rng.choice([1, 2]))
        record_out["incidents"] = record["incidents"]
    if options:
        record_out["options"] = options
    return record_out


def _liability(scene: _f1.Scene) -> None:
    """At most one partner, either way round (who pays where there are two is not said)."""
    rng, seat = scene.rng, scene.winner
    partner = rng.choice(scene.others())
    for s in scene.others():  # spread the winner's claims first
        scene.feed(seat, s, 1)
    if scene.chance(0.4):
        scene.feed(seat, partner, 4)
    if scene.chance(0.4) and not scene.melds[partner]:
        while len(scene.melds[partner]) < 3:
            sets = common.random_sets(rng, scene.deck, 1, kinds=PLAYING, triplets=0.6, pairs=0)
            made = common.random_meld(rng, scene.deck, partner, 4, sets[0]) if sets else None
            if made is None:
                break
            scene.melds[partner].append(made)
        scene.feed(partner, seat, 3)
    fed = [m.source for m in scene.melds[seat] if m.is_open]
    over = [s for s in scene.others() if s != partner and fed.count(s) >= 3]
    if over:
        scene.melds[partner].clear()


def _second_winner(scene: _f1.Scene, record: dict[str, Any], options: dict[str, Any]) -> None:
    """Somebody else claims the same discard."""
    rng, deck = scene.rng, scene.deck
    giver = scene.win["from"]
    seat = rng.choice([s for s in scene.others() if s != giver])
    if scene.melds[seat]:
        return
    tile = common.parse_one(scene.win["tile"])
    runs = [r for r in common.SUIT_RUNS if tile in r and deck.has(t for t in r if t != tile)]
    if not runs:
        return
    missing = [t for t in rng.choice(runs) if t != tile]
    deck.take(missing)
    pair = rng.choice([p for p in PAIRS if deck.has([p] * 2)])
    deck.take([pair] * 2)
    sets = common.random_sets(rng, deck, 3, kinds=PLAYING, pairs=0)
    if sets:
        hand = sorted([*missing, pair, pair, *(t for g in sets for t in g)])
        record["players"][seat]["hand"] = common.write(hand)
        record["wins"].append({"seat": seat, "tile": scene.win["tile"], "source": "discard", "from": giver})
        rng.shuffle(record["wins"])
        if scene.chance(0.5):
            options["multiple_winners"] = True
