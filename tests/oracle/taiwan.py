"""Oracle for Taiwanese sixteen-tile mahjong, written from the sheet taiwan.md alone."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

from referee.rules.tiles import BONUS, DRAGONS, FLOWERS, HONOURS, PLAYING, SEASONS, WINDS, is_honour, rank
from tests.oracle import _f1, common
from tests.oracle.common import COPIES_144, Group, Meld, Record, Spec, Win, decompositions, is_bool, one_of

TAI = {
    "menqing": 1,
    "zimo": 1,
    "menqing_zimo": 3,
    "sanyuan": 1,
    "quanfeng": 1,
    "menfeng": 1,
    "zhenghua": 1,
    "huagang": 2,
    "qianggang": 1,
    "gangshang": 1,
    "haidi": 1,
    "hedi": 1,
    "duting": 1,
    "pinghu": 2,
    "quanqiuren": 2,
    "banqiuren": 0,
    "san_anke": 2,
    "si_anke": 5,
    "wu_anke": 8,
    "pengpenghu": 4,
    "hunyise": 4,
    "qingyise": 8,
    "xiao_sanyuan": 4,
    "da_sanyuan": 8,
    "xiao_sixi": 8,
    "da_sixi": 16,
    "ziyise": 16,
    "ligu": 8,
    "qi_qiang_yi": 8,
    "ba_xian": 8,
    "dihu": 16,
    "tianhu": 24,
    "renhu": 0,
    "tingpai": 1,
    "diting": 4,
    "tianting": 4,
    "peipai_huahu": 4,
    "si_gangzi": 0,
}


def _is_tai(value: Any) -> bool:
    return isinstance(value, dict) and all(k in TAI and common.at_least(0)(v) for k, v in value.items())


def _is_seat(value: Any) -> bool:
    return value is None or one_of(0, 1, 2, 3)(value)


SPEC = Spec(
    "taiwan",
    4,
    COPIES_144,
    {
        "base": (100, common.at_least(0)),
        "unit": (20, common.at_least(0)),
        "tai": ({}, _is_tai),
        "east_seat": (None, _is_seat),
        "declared_ready": (False, is_bool),
        "flower_at_deal": (False, is_bool),
        "seven_rob_exposed": (False, is_bool),
        "eight_self_draw": (False, is_bool),
        "flower_kong_keeps_own": (False, is_bool),
        "flower_bloom": (False, is_bool),
        "earthly_win": ("both", one_of("both", "first_discard", "first_draw")),
        "single_wait": ("possible", one_of("possible", "formal", "any_shape")),
        "all_chows_wait": ("every", one_of("every", "any", "strict", "not_single")),
        "all_chows_self_draw": (False, is_bool),
        "all_claimed_single": (True, is_bool),
        "little_winds_add": (True, is_bool),
        "all_honours_add": (False, is_bool),
        "ligu_concealed": (False, is_bool),
        "ligu_pung_values": (False, is_bool),
        "seven_pairs_pung": (True, is_bool),
        "dead_wall": ("fixed", one_of("fixed", "per_kong", "none")),
        "bonus_tiles": (True, is_bool),
        "missed_win": ("free", one_of("free", "until_draw")),
        "kong_after_claim": (True, is_bool),
        "swap_discard": (True, is_bool),
        "same_turn_claim": (True, is_bool),
        "last_tile_refusal": (False, is_bool),
    },
)


def settle(data: dict[str, Any]) -> dict[str, Any]:
    record = common.read_record(data, SPEC)
    if not record.options["bonus_tiles"]:
        drawn = any(w.tile in BONUS for w in record.wins)
        if drawn or any(t in BONUS for p in record.players for t in (*p.bonus, *(p.hand or ()))):
            raise common.Malformed("bonus tiles")
    ledger = common.Ledger(4)
    verdicts = _f1.judge_one_winner(record, lambda win: _worth(record, win))
    for win, tai in zip(record.wins, verdicts, strict=True):
        if tai is not None:
            for payer in _payers(win):
                ledger.pay(payer, win.seat, _amount(record, win, payer, tai))
    for incident in record.incidents:
        if incident["kind"] == "false_win":
            ledger.false_win(incident)
    return _f1.result(record, ledger, verdicts)


def _payers(win: Win) -> list[int]:
    alone = win.flower_win == "seven_rob" or (win.flower_win is None and not _f1.is_self_drawn(win))
    if alone:
        assert win.source_seat is not None
        return [win.source_seat]
    return [s for s in range(4) if s != win.seat]


def _amount(record: Record, win: Win, payer: int, tai: int) -> int:
    dealer = 1 + 2 * record.repeat if record.dealer in (win.seat, payer) else 0
    return record.options["base"] + record.options["unit"] * (tai + dealer)


def _tai(record: Record, *names: str) -> int:
    values = TAI | record.options["tai"]
    return sum(values[name] for name in names)


def _worth(record: Record, win: Win) -> int | None:
    player = record.players[win.seat]
    if win.seat in common.dead_seats(record) or _from_the_dead_wall(record):
        return None
    if win.flower_win is not None:
        return _flower_win(record, win)
    if not _f1.hand_size_right(record, win, 16) or not all(common.proper_meld(m) for m in player.melds):
        return None
    if win.source == "robbed_kong" and win.robbed_kind != "added":
        return None
    waits = _Waits(record, win)
    values = [*_standard(record, win, waits), *_pairs_and_pung(record, win, waits)]
    return max(values) + _for_any_shape(record, win) if values else None


def _from_the_dead_wall(record: Record) -> bool:
    how = record.options["dead_wall"]
    if record.wall_left is None or how == "none":
        return False
    kongs = sum(m.is_kong for p in record.players for m in p.melds)
    return record.wall_left < 16 + (kongs if how == "per_kong" else 0)


def _flower_win(record: Record, win: Win) -> int | None:
    bonus = record.players[win.seat].bonus
    extra = _tai(record, "peipai_huahu") if win.first_turn and record.options["flower_at_deal"] else 0
    if win.flower_win == "eight" and len(bonus) + (win.tile in BONUS) == 8:
        return _tai(record, "ba_xian") + extra + (_tai(record, "zimo") if record.options["eight_self_draw"] else 0)
    if win.flower_win == "seven_rob" and win.source_seat is not None and win.tile in BONUS:
        if win.source == "discard" and len(bonus) == 7:
            return _tai(record, "qi_qiang_yi") + extra
        exposed = len(bonus) == 6 and len(record.players[win.source_seat].bonus) == 1
        if record.options["seven_rob_exposed"] and win.source in ("wall", "flower") and exposed:
            return _tai(record, "qi_qiang_yi") + extra
    return None


def _east(record: Record) -> int:
    east = record.options["east_seat"]
    return record.dealer if east is None else east


def _first_turn(record: Record, win: Win) -> str | None:
    """tianhu, dihu, renhu (where played) or nothing."""
    how = record.options["earthly_win"]
    if win.seat == record.dealer:
        heavenly = win.source == "deal" or (win.first_turn and win.source in ("wall", "flower"))
        return "tianhu" if heavenly else None
    if not win.first_turn:
        return None
    if win.source in ("wall", "flower"):
        return "dihu" if how in ("both", "first_draw") else None
    if win.source != "discard":
        return None
    if win.source_seat == record.dealer and how in ("both", "first_discard"):
        return "dihu"
    return "renhu" if _tai(record, "renhu") else None


def _ready(record: Record, win: Win) -> str | None:
    if not record.options["declared_ready"]:
        return None
    return {"ready": "tingpai", "first": "diting", "dealt": "tianting"}.get(record.players[win.seat].ready or "")


def _for_any_shape(record: Record, win: Win) -> int:
    """Bonus tiles, last tile, kong replacement, robbing, first turn, declared ready, four kongs."""
    options, player = record.options, record.players[win.seat]
    names: list[str] = []
    number = (win.seat - _east(record)) % 4 + 1
    for series in (FLOWERS, SEASONS):
        own = [t for t in player.bonus if t in series]
        if len(own) == 4:
            names.append("huagang")
        if len(own) < 4 or options["flower_kong_keeps_own"]:
            names += ["zhenghua"] * sum(rank(t) == number for t in own)
    first, ready = _first_turn(record, win), _ready(record, win)
    if win.source == "robbed_kong":
        names.append("qianggang")
    bloom = win.source == "kong" or (win.source == "flower" and options["flower_bloom"])
    if bloom and first != "tianhu":
        names.append("gangshang")
    if win.last_tile and win.source != "deal" and win.source != "robbed_kong":
        names.append("hedi" if win.source == "discard" else "haidi")
    names += [n for n in (first, ready) if n]
    if sum(m.is_kong for m in player.melds) >= 4:
        names.append("si_gangzi")
    return _tai(record, *names)


def _concealment(record: Record, win: Win, *, ligu: bool) -> int:
    """menqing, zimo, menqing_zimo, with what the first turn and declared ready do to them."""
    self_drawn, first, ready = _f1.is_self_drawn(win), _first_turn(record, win), _ready(record, win)
    concealed = all(not m.is_open for m in record.players[win.seat].melds)
    if first in ("tianhu", "dihu"):
        return 0
    if ready in ("diting", "tianting"):
        return (_tai(record, "zimo") + concealed) * self_drawn
    if first == "renhu" or (ligu and not record.options["ligu_concealed"]):
        concealed = False
    names = {(True, True): ["menqing_zimo"], (True, False): ["menqing"], (False, True): ["zimo"]}
    return _tai(record, *names.get((concealed, self_drawn), []))


class _Waits:
    """The kinds that complete the tiles held, and every standard reading with each."""

    def __init__(self, record: Record, win: Win) -> None:
        player = record.players[win.seat]
        self.held = Counter([*(player.hand or ()), *(t for m in player.melds for t in m.tiles)])
        self.readings: dict[int, list[common.Reading]] = {}
        self.formal: set[int] = set()
        if win.tile is None:
            return
        hand, sets = player.hand or (), 5 - len(player.melds)
        for tile in PLAYING:
            self.readings[tile] = decompositions((*hand, tile), 0, sets)
            pairs = record.options["seven_pairs_pung"] and not player.melds and _is_ligu((*hand, tile))
            if self.readings[tile] or pairs:
                self.formal.add(tile)
        self.possible = {t for t in self.formal if self.held[t] < 4}


def _is_ligu(tiles: tuple[int, ...]) -> bool:
    counts = sorted(Counter(tiles).values())
    return counts.count(3) == 1 and all(n in (2, 3, 4) for n in counts)


def _shape_of_wait(group: Group, tile: int) -> str:
    """What the tile filled: "pair", "pung", "edge", "gap" or "two_sided"."""
    if group.kind == "pair":
        return "pair"
    if group.kind == "triplet":
        return "pung"
    low = group.faces[0]
    if tile == low + 1:
        return "gap"
    edge = (tile == low + 2 and low % 9 == 0) or (tile == low and low % 9 == 6)
    return "edge" if edge else "two_sided"


def _is_single(record: Record, waits: _Waits, shape: str) -> bool:
    how = record.options["single_wait"]
    count = len(waits.formal if how == "formal" else waits.possible)
    return count == 1 and (how == "any_shape" or shape in ("edge", "gap", "pair"))


def _standard(record: Record, win: Win, waits: _Waits) -> Iterator[int]:
    player = record.players[win.seat]
    for reading in decompositions(_f1.finished(record, win), 0, 5 - len(player.melds)):
        if win.tile is None:
            yield _five_sets(record, win, waits, reading, None)
        else:
            for place in common.places_of(reading, win.tile, False):
                yield _five_sets(record, win, waits, reading, place)


def _five_sets(record: Record, win: Win, waits: _Waits, reading: common.Reading, place: int | None) -> int:
    player, options = record.players[win.seat], record.options
    self_drawn, first = _f1.is_self_drawn(win), _first_turn(record, win)
    hidden = [m.tiles[0] for m in player.melds if not m.is_open]
    hidden += [g.faces[0] for i, g in enumerate(reading) if g.kind == "triplet" and (self_drawn or i != place)]
    triplets = [m.tiles[0] for m in player.melds if m.is_triplet]
    triplets += [g.faces[0] for g in reading if g.kind == "triplet"]
    pair = next(g.faces[0] for g in reading if g.kind == "pair")
    tiles = [t for g in reading for t in g.faces] + [t for m in player.melds for t in m.tiles]
    names = [n for n in [{3: "san_anke", 4: "si_anke", 5: "wu_anke"}.get(len(hidden))] if n]
    names += _suit_patterns(tiles)
    honours_only = "ziyise" in names
    if len(triplets) == 5 and not honours_only:
        names.append("pengpenghu")
    names += _dragons_and_winds(record, win, triplets, pair, honours_only)
    claimed = len(player.melds) == 5 and all(m.is_open for m in player.melds)
    if claimed and win.source == "discard":
        names.append("quanqiuren")
    if claimed and self_drawn:
        names.append("banqiuren")
    if place is not None:
        assert win.tile is not None
        shape = _shape_of_wait(reading[place], win.tile)
        if _all_chows(record, win, waits, triplets, tiles, shape):
            names.append("pinghu")
        elif _is_single(record, waits, shape) and first != "tianhu":
            all_claimed = "quanqiuren" in names or ("banqiuren" in names and _tai(record, "banqiuren") > 0)
            if options["all_claimed_single"] or not all_claimed:
                names.append("duting")
    return _tai(record, *names) + _concealment(record, win, ligu=False)


def _suit_patterns(tiles: list[int]) -> list[str]:
    suits = {t // 9 for t in tiles if not is_honour(t)}
    if not suits:
        return ["ziyise"]
    if len(suits) > 1:
        return []
    return ["hunyise" if any(is_honour(t) for t in tiles) else "qingyise"]


def _dragons_and_winds(record: Record, win: Win, triplets: list[int], pair: int, honours_only: bool) -> list[str]:
    options, names = record.options, []
    singles = not honours_only or options["all_honours_add"]
    dragons = [t for t in triplets if t in DRAGONS]
    winds = [t for t in triplets if t in WINDS]
    if len(dragons) == 3:
        names.append("da_sanyuan")
    elif len(dragons) == 2 and pair in DRAGONS:
        names.append("xiao_sanyuan")
    elif singles:
        names += ["sanyuan"] * len(dragons)
    if len(winds) == 4:
        return [*names, "da_sixi"]
    if len(winds) == 3 and pair in WINDS:
        names.append("xiao_sixi")
        singles = singles and options["little_winds_add"]
    if singles:
        names += _wind_pungs(record, win, winds)
    return names


def _wind_pungs(record: Record, win: Win, winds: list[int]) -> list[str]:
    names = ["quanfeng"] if record.round_wind in winds else []
    return [*names, "menfeng"] if _f1.seat_wind(record, win.seat, _east(record)) in winds else names


def _all_chows(record: Record, win: Win, waits: _Waits, triplets: list[int], tiles: list[int], shape: str) -> bool:
    """平胡."""
    options = record.options
    if triplets or any(is_honour(t) for t in tiles) or record.players[win.seat].bonus:
        return False
    if _f1.is_self_drawn(win) and not options["all_chows_self_draw"]:
        return False
    how = options["all_chows_wait"]
    if how == "not_single":
        return len(waits.possible) >= 2
    if shape != "two_sided":
        return False
    shapes = {
        tile: {_shape_of_wait(r[i], tile) for r in waits.readings[tile] for i in common.places_of(r, tile, False)}
        for tile in waits.possible
    }
    if how == "strict":
        return all(found == {"two_sided"} for found in shapes.values())
    return how == "any" or all("two_sided" in found for found in shapes.values())


def _pairs_and_pung(record: Record, win: Win, waits: _Waits) -> Iterator[int]:
    """嚦咕嚦咕."""
    tiles, options = _f1.finished(record, win), record.options
    if not options["seven_pairs_pung"] or record.players[win.seat].melds or not _is_ligu(tiles):
        return
    names = ["ligu", *_suit_patterns(list(tiles))]
    if options["ligu_pung_values"] and ("ziyise" not in names or options["all_honours_add"]):
        pung = [t for t, n in Counter(tiles).items() if n == 3]
        names += ["sanyuan"] * (pung[0] in DRAGONS) + _wind_pungs(record, win, pung)
    if win.tile is not None and _first_turn(record, win) != "tianhu":
        shape = "pung" if tiles.count(win.tile) == 3 else "pair"
        if _is_single(record, waits, shape):
            names.append("duting")
    yield _tai(record, *names) + _concealment(record, win, ligu=True)


# --- random records -----------------------------------------------------------------------------------------------


def random_record(rng: random.Random) -> dict[str, Any]:
    scene = _f1.Scene(rng, "taiwan", COPIES_144)
    record, deck, seat = scene.record, scene.deck, scene.winner
    options = _random_options(rng)
    record["round_wind"], record["repeat"] = rng.choice("ESWN"), rng.choice([0, 0, 1, 2, 5])
    if scene.chance(0.2):
        record["wall_left"] = rng.choice([15, 16, 17, 18, 40])
    concealed, melds, pairs = _winning_hand(scene)
    if scene.chance(0.05):
        concealed = common.spoil(rng, deck, concealed)
    sources = ["wall", "wall", "kong", "kong", "flower", "discard", "discard", "discard", "robbed_kong"]
    sources += [] if options.get("all_chows_self_draw") else ["deal"]
    scene.win_by(concealed, melds, sources)
    win = scene.win
    if win["source"] == "robbed_kong" and scene.chance(0.1):
        win["robbed_kind"] = "concealed"
    early = not melds and seat != record["dealer"] and win["source"] in ("discard", "wall", "flower")
    if early and scene.chance(0.2):
        win["first_turn"] = True
    elif win["source"] in ("wall", "kong", "flower", "discard") and scene.chance(0.12):
        win["last_tile"] = True
    if options.get("bonus_tiles", True):
        for s, player in enumerate(scene.players):
            if scene.chance(0.35 if s == seat else 0.6):
                player["bonus"] = common.write(deck.draw(rng, rng.choice([1, 1, 2, 3, 4, 5]), BONUS))
    if win["source"] == "flower" and "bonus" not in scene.players[seat]:
        win["source"] = "wall"
    calm = not win.get("first_turn") and win["source"] != "deal"
    if calm and scene.chance(0.3):
        _declare_ready(scene, options, pairs and win["source"] in ("wall", "flower"))
    scene.add_loser_melds(0.2, kinds=PLAYING)
    _extras(scene, options)
    if options:
        record["options"] = options
    return scene.finish()


def _declare_ready(scene: _f1.Scene, options: dict[str, Any], pairs_self_drawn: bool) -> None:
    """Pairs drawn by oneself after an early declaration are left out: the sheet does not say what they count."""
    kinds = ["ready"] if pairs_self_drawn else ["ready", "first"]
    if scene.winner != scene.record["dealer"] and not pairs_self_drawn:
        kinds.append("dealt")
    scene.players[scene.winner]["ready"] = scene.rng.choice(kinds)
    if scene.chance(0.8):
        options["declared_ready"] = True


def _random_options(rng: random.Random) -> dict[str, Any]:
    flags = ["declared_ready", "flower_at_deal", "seven_rob_exposed", "eight_self_draw", "flower_kong_keeps_own"]
    flags += ["flower_bloom", "all_honours_add", "ligu_concealed", "ligu_pung_values", "last_tile_refusal"]
    choices: dict[str, list[Any]] = {name: [True] for name in flags} | {
        "base": [0, 50, 200],
        "unit": [10, 50],
        "east_seat": [None, 0, 1, 2, 3],
        "earthly_win": ["first_discard", "first_draw"],
        "single_wait": ["formal", "any_shape"],
        "all_chows_wait": ["any", "strict", "not_single"],
        "all_chows_self_draw": [True],
        "all_claimed_single": [False],
        "little_winds_add": [False],
        "seven_pairs_pung": [False],
        "dead_wall": ["per_kong", "none"],
        "bonus_tiles": [False],
        "missed_win": ["until_draw"],
        "kong_after_claim": [False],
        "swap_discard": [False],
        "same_turn_claim": [False],
    }
    options = common.random_options(rng, choices, 0.12)
    tai = common.random_options(
        rng,
        {
            "san_anke": [3],
            "si_anke": [4, 6],
            "xiao_sixi": [4],
            "ziyise": [8],
            "da_sixi": [8],
            "tianhu": [16, 32],
            "huagang": [1],
            "hedi": [0],
            "ligu": [6],
            "renhu": [8, 16],
            "banqiuren": [1],
            "si_gangzi": [8],
            "tianting": [8],
            "diting": [8],
        },
        0.12,
    )
    return options | ({"tai": tai} if tai else {})


def _winning_hand(scene: _f1.Scene) -> tuple[tuple[int, ...], tuple[Meld, ...], bool]:
    rng, deck = scene.rng, scene.deck
    suit = 9 * rng.randrange(3)
    own = tuple(range(suit, suit + 9))
    shape = rng.random()
    if shape < 0.15:
        kinds = rng.choice([PLAYING, own, (*own, *HONOURS), HONOURS])
        return _seven_pairs_and_a_pung(scene, kinds), (), True
    kinds = rng.choice([PLAYING, PLAYING, own, own, (*own, *HONOURS), HONOURS, tuple(range(27))])
    if rng.random() < 0.08:
        kinds = (*WINDS, *WINDS, *DRAGONS, *rng.sample(own, 2))
    dealt = common.random_hand(
        rng,
        deck,
        scene.winner,
        4,
        5,
        kinds=kinds,
        triplets=rng.choice([0.0, 0.0, 0.3, 0.6, 1.0]),
        meld=rng.choice([0.0, 0.0, 0.5, 1.0]),
        kong=rng.choice([0.1, 0.4, 1.0]),
        claim_runs=rng.random() < 0.8,
    )
    return dealt.concealed, dealt.melds, False


def _seven_pairs_and_a_pung(scene: _f1.Scene, kinds: tuple[int, ...]) -> tuple[int, ...]:
    deck, rng = scene.deck, scene.rng
    pung = deck.take([rng.choice(kinds)] * 3)
    left = deck.left[pung[0]]
    deck.left[pung[0]] = 0
    if sum(deck.left[k] // 2 for k in set(kinds)) < 7:
        kinds = PLAYING
    pairs = _f1.pairs_hand(rng, deck, kinds)
    deck.left[pung[0]] = left
    return tuple(sorted((*pung, *pairs)))


def _extras(scene: _f1.Scene, options: dict[str, Any]) -> None:
    rng = scene.rng
    dice = rng.random()
    if dice < 0.05:
        scene.incident(kind="dead_hand", seat=rng.randrange(4), why="long")
    elif dice < 0.1:
        offender = rng.randrange(4)
        scene.incident(kind="false_win", seat=offender, claimed=common.claimed_amounts(rng, offender, 4))
        scene.drawn()
    elif dice < 0.12:
        scene.drawn()
    elif dice < 0.2:
        _flowers_alone(scene, options)
    elif dice < 0.22:
        options["bonus_tiles"] = False


def _flowers_alone(scene: _f1.Scene, options: dict[str, Any]) -> None:
    rng, seat = scene.rng, scene.winner
    scene.drawn()
    scene.melds[seat].clear()
    for player in scene.players:
        player.pop("bonus", None)
        player.pop("ready", None)
    other = rng.choice(scene.others())
    tiles = list(rng.sample(BONUS, 8))
    kind = rng.choice(["eight", "seven_rob", "exposed", "seven"])
    win = {"seat": seat, "source": rng.choice(["wall", "flower"]), "flower_win": kind}
    win["tile"] = common.write([tiles.pop()])
    if kind == "eight" and rng.random() < 0.3:
        tiles.append(common.parse_one(win["tile"]))
        win["tile"] = None
    if kind == "seven_rob":
        win |= {"source": "discard", "from": other}
    if kind == "exposed":
        win |= {"flower_win": "seven_rob", "from": other}
        scene.players[other]["bonus"] = common.write([tiles.pop()])
        options["seven_rob_exposed"] = rng.choice([True, True, False])
    if rng.random() < 0.15:
        tiles.pop()
    scene.players[seat]["bonus"] = common.write(tiles)
    if rng.random() < 0.3:
        win["first_turn"] = True
        options["flower_at_deal"] = rng.choice([True, True, False])
    scene.win = win
