"""What the oracles share: reading records, brute-force readings of a hand, and dealing random hands.

Nothing here knows a rule set. The only product code used is the tile notation (``referee.rules.tiles``).
Tiles are ``int`` kinds everywhere; records are the JSON objects of the hand-record contract.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from referee.rules.tiles import DRAGONS, FLOWERS, SEASONS, SUITED, WINDS, TileError, parse, parse_one, write

Run = tuple[int, int, int]
SUIT_RUNS: tuple[Run, ...] = tuple((t, t + 1, t + 2) for t in SUITED if t % 9 < 7)
MELD_SIZE = {"chow": 3, "pung": 3, "kong": 4, "added_kong": 4, "concealed_kong": 4}
SOURCES = ("wall", "discard", "kong", "flower", "robbed_kong", "indicator", "deal")
COPIES_136 = dict.fromkeys((*SUITED, *WINDS, *DRAGONS), 4)
COPIES_144 = COPIES_136 | dict.fromkeys((*FLOWERS, *SEASONS), 1)


class Malformed(ValueError):
    """A record that must be refused (exit status 2), as opposed to a win that is merely not legal."""


# --- records ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Meld:
    kind: str
    tiles: tuple[int, ...]
    claimed: int | None = None
    source: int | None = None  # the contract's ``from``
    chain: int = 1

    @property
    def is_kong(self) -> bool:
        return self.kind in ("kong", "added_kong", "concealed_kong")

    @property
    def is_open(self) -> bool:
        return self.kind != "concealed_kong"

    @property
    def is_triplet(self) -> bool:
        """A pung or any kong."""
        return self.kind != "chow"


@dataclass(frozen=True)
class Player:
    hand: tuple[int, ...] | None = None
    melds: tuple[Meld, ...] = ()
    bonus: tuple[int, ...] = ()
    discards: tuple[int, ...] | None = None
    stake: int = 0
    side_stake: int = 0
    revealed: bool | int = False
    ready: str | None = None
    chips: int | None = None


@dataclass(frozen=True)
class Win:
    seat: int
    tile: int | None
    source: str
    source_seat: int | None = None  # the contract's ``from``
    kong_chain: int = 0
    kong_from: int | None = None
    kong_tile: int | None = None
    robbed_kind: str = "added"
    claimed_in_float: int | None = None
    indicator_drawn: bool = False
    second_tile: int | None = None
    floats: int = 0
    last_tile: bool = False
    first_turn: bool = False
    after_kong: bool = False
    dice_kong: bool = False
    flower_win: str | None = None
    wild_win: str | None = None
    special: str | None = None
    birds: tuple[int, ...] = ()
    waiting_since_deal: bool = False


@dataclass(frozen=True)
class Record:
    rules: str
    options: dict[str, Any]
    dealer: int
    repeat: int
    round_wind: int
    indicator: int | None
    wall_left: int | None
    draw_streak: int
    double_next: bool
    dealer_base: int | None
    float_by: int | None
    players: tuple[Player, ...]
    wins: tuple[Win, ...]
    incidents: tuple[dict[str, Any], ...]

    @property
    def seats(self) -> int:
        return len(self.players)


@dataclass(frozen=True)
class Spec:
    """What a rule set accepts: ``options`` maps a name to (default, is this value allowed?)."""

    rules: str
    seats: int
    copies: dict[int, int]
    options: dict[str, tuple[Any, Callable[[Any], bool]]] = field(default_factory=dict)
    meld_kinds: tuple[str, ...] = tuple(MELD_SIZE)


def one_of(*values: Any) -> Callable[[Any], bool]:
    """An option check; bool and int are kept apart."""
    return lambda value: any(type(value) is type(v) and value == v for v in values)


def is_bool(value: Any) -> bool:
    return isinstance(value, bool)


def at_least(least: int) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= least


def read_record(data: dict[str, Any], spec: Spec) -> Record:
    """Parse and check a record; every refusal the contract names for all rule sets is made here."""
    if not isinstance(data, dict) or data.get("rules") != spec.rules:
        raise Malformed(f"rules {data.get('rules') if isinstance(data, dict) else data!r}")
    players = data.get("players")
    if not isinstance(players, list) or len(players) != spec.seats:
        raise Malformed("players")
    record = Record(
        rules=spec.rules,
        options=_options(data.get("options") or {}, spec),
        dealer=_seat(data.get("dealer", 0), spec, "dealer"),
        repeat=data.get("repeat", 0),
        round_wind=_tile(data.get("round_wind", "E")),
        indicator=_maybe_tile(data.get("indicator")),
        wall_left=data.get("wall_left"),
        draw_streak=data.get("draw_streak", 0),
        double_next=data.get("double_next", False),
        dealer_base=data.get("dealer_base"),
        float_by=_maybe_seat(data.get("float_by"), spec, "float_by"),
        players=tuple(_player(p, spec) for p in players),
        wins=tuple(_win(w, spec) for w in data.get("wins", [])),
        incidents=tuple(_incident(i, spec) for i in data.get("incidents", [])),
    )
    check_copies(record, spec.copies)
    return record


def _options(given: dict[str, Any], spec: Spec) -> dict[str, Any]:
    for name, value in given.items():
        if name not in spec.options or not spec.options[name][1](value):
            raise Malformed(f"option {name} = {value!r}")
    return {name: default for name, (default, _) in spec.options.items()} | given


def _tiles(text: Any) -> tuple[int, ...]:
    try:
        return parse(text or "")
    except TileError as error:
        raise Malformed(str(error)) from None


def _tile(text: Any) -> int:
    try:
        return parse_one(text)
    except TileError as error:
        raise Malformed(str(error)) from None


def _maybe_tile(text: Any) -> int | None:
    return None if text is None else _tile(text)


def _seat(value: Any, spec: Spec, what: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < spec.seats:
        raise Malformed(f"{what} {value!r}")
    return value


def _maybe_seat(value: Any, spec: Spec, what: str) -> int | None:
    return None if value is None else _seat(value, spec, what)


def _need(data: dict[str, Any], name: str) -> Any:
    if name not in data:
        raise Malformed(f"missing field {name}")
    return data[name]


def _meld(data: dict[str, Any], spec: Spec) -> Meld:
    kind, tiles = _need(data, "kind"), _tiles(_need(data, "tiles"))
    if kind not in spec.meld_kinds or len(tiles) != MELD_SIZE[kind]:
        raise Malformed(f"meld {data}")
    source = _maybe_seat(data.get("from"), spec, "meld from")
    return Meld(kind, tuple(sorted(tiles)), _maybe_tile(data.get("claimed")), source, data.get("chain", 1))


def _player(data: dict[str, Any], spec: Spec) -> Player:
    hand, discards = data.get("hand"), data.get("discards")
    return Player(
        hand=None if hand is None else tuple(sorted(_tiles(hand))),
        melds=tuple(_meld(m, spec) for m in data.get("melds", [])),
        bonus=_tiles(data.get("bonus", "")),
        discards=None if discards is None else _tiles(discards),
        **{k: data[k] for k in ("stake", "side_stake", "revealed", "ready", "chips") if k in data},
    )


_PLAIN_WIN_FIELDS = (
    *("robbed_kind", "indicator_drawn", "floats", "last_tile", "first_turn", "after_kong", "dice_kong"),
    *("flower_win", "wild_win", "special", "waiting_since_deal"),
)


def _win(data: dict[str, Any], spec: Spec) -> Win:
    source = _need(data, "source")
    if source not in SOURCES:
        raise Malformed(f"source {source!r}")
    return Win(
        seat=_seat(_need(data, "seat"), spec, "win seat"),
        tile=_maybe_tile(_need(data, "tile")),
        source=source,
        source_seat=_maybe_seat(data.get("from"), spec, "win from"),
        kong_chain=data.get("kong_chain", 1 if source == "kong" else 0),
        kong_from=_maybe_seat(data.get("kong_from"), spec, "kong_from"),
        kong_tile=_maybe_tile(data.get("kong_tile")),
        claimed_in_float=_maybe_seat(data.get("claimed_in_float"), spec, "claimed_in_float"),
        second_tile=_maybe_tile(data.get("second_tile")),
        birds=_tiles(data.get("birds", "")),
        **{k: data[k] for k in _PLAIN_WIN_FIELDS if k in data},
    )


def _incident(data: dict[str, Any], spec: Spec) -> dict[str, Any]:
    _need(data, "kind")
    if "seat" in data:
        _seat(data["seat"], spec, "incident seat")
    return dict(data)


def check_copies(record: Record, copies: dict[int, int]) -> None:
    """No tile outside the set, no more copies of a kind than it has: hands, melds, bonus, indicator, winning tiles
    (one discard won by two is one tile), and those discards that cannot be any of these."""
    seen: Counter[int] = Counter()
    for player in record.players:
        seen.update(player.hand or ())
        seen.update(player.bonus)
        for meld in player.melds:
            seen.update(meld.tiles)
    if record.indicator is not None:
        seen[record.indicator] += 1
    shared: set[tuple[int, int | None]] = set()
    for win in record.wins:
        if win.tile is None or win.source == "indicator" and win.tile == record.indicator:
            continue
        if win.source in ("discard", "robbed_kong"):
            if (win.tile, win.source_seat) in shared:
                continue
            shared.add((win.tile, win.source_seat))
        seen[win.tile] += 1
        if win.second_tile is not None:
            seen[win.second_tile] += 1
    for seat, player in enumerate(record.players):
        if player.discards is not None:
            seen.update(_lone_discards(record, seat))
    for tile, count in seen.items():
        if count > copies.get(tile, 0):
            raise Malformed(f"{count} copies of {write([tile])}")


def _lone_discards(record: Record, seat: int) -> Counter[int]:
    """The seat's discards less those that lie elsewhere too: claimed, won on, or set aside as bonus tiles."""
    elsewhere = Counter(record.players[seat].bonus)
    for player in record.players:
        elsewhere.update(m.claimed for m in player.melds if m.source == seat and m.claimed is not None)
    won_on = {w.tile for w in record.wins if w.source == "discard" and w.source_seat == seat}
    elsewhere.update(t for t in won_on if t is not None)
    return Counter(record.players[seat].discards or ()) - elsewhere


class Ledger:
    """Sums payments between seats."""

    def __init__(self, seats: int) -> None:
        self.deltas: list[int | float] = [0] * seats

    def pay(self, payer: int, payee: int, amount: int | float) -> None:
        self.deltas[payer] -= amount
        self.deltas[payee] += amount

    def false_win(self, incident: dict[str, Any]) -> None:
        """The offender pays every other seat what it would have paid him."""
        for seat, amount in enumerate(incident["claimed"]):
            if seat != incident["seat"]:
                self.pay(incident["seat"], seat, amount)


def dead_seats(record: Record) -> set[int]:
    return {i["seat"] for i in record.incidents if i["kind"] == "dead_hand"}


def turn_distance(record: Record, start: int, seat: int) -> int:
    """How many places ``seat`` sits after ``start`` in the order of play (1 = right neighbour, 0 = itself)."""
    return (seat - start) % record.seats


def proper_meld(meld: Meld, runs: Sequence[Run] = SUIT_RUNS, barred: Iterable[int] = ()) -> bool:
    """A real set: one of the runs, or all tiles alike; without barred tiles (wild ones, say)."""
    if any(t in barred for t in meld.tiles):
        return False
    if meld.kind == "chow":
        return tuple(sorted(meld.tiles)) in {tuple(sorted(r)) for r in runs}
    return len(set(meld.tiles)) == 1


# --- readings of a hand -------------------------------------------------------------------------------------------


@dataclass(frozen=True, order=True)
class Group:
    """A run, triplet or pair: the faces it shows, and which of them are shown by a wild tile."""

    kind: str  # "run", "triplet", "pair"
    faces: tuple[int, ...]
    wild: tuple[bool, ...]

    @property
    def wilds(self) -> int:
        return sum(self.wild)

    @property
    def natural(self) -> bool:
        return not any(self.wild)

    def has(self, face: int, wild: bool) -> bool:
        """Is there a place in this group showing the face by a wild (or natural) tile?"""
        return (face, wild) in zip(self.faces, self.wild, strict=True)


Reading = tuple[Group, ...]


def decompositions(
    tiles: Iterable[int],
    wilds: int,
    sets: int,
    *,
    pairs: int = 1,
    runs: Sequence[Run] = SUIT_RUNS,
    faces: Iterable[int] = tuple(COPIES_136),
) -> list[Reading]:
    """Every way to read natural ``tiles`` (a stand-in already written as its face) and ``wilds`` wild tiles as
    ``sets`` runs or triplets and ``pairs`` pairs, each place natural or wild. ``faces`` are the kinds a wild may show.

    A wild tile used as its own kind is a wild place with that face. Readings are sorted tuples without repeats.
    """
    counts = tuple(sorted(Counter(tiles).items()))
    if sum(n for _, n in counts) + wilds != 3 * sets + 2 * pairs:
        return []
    return [*_search(counts, wilds, sets, pairs, tuple(runs), tuple(sorted(faces)))]


@lru_cache(maxsize=20000)
def _search(
    counts: tuple[tuple[int, int], ...],
    wilds: int,
    sets: int,
    pairs: int,
    runs: tuple[Run, ...],
    faces: tuple[int, ...],
) -> tuple[Reading, ...]:
    if not counts:
        return tuple(_all_wild(wilds, sets, pairs, runs, faces))
    lowest = counts[0][0]
    have = dict(counts)
    found: set[Reading] = set()
    for group in _groups_with(lowest, have, wilds, sets, pairs, runs, frozenset(faces)):
        rest = Counter(have)
        rest.subtract(f for f, w in zip(group.faces, group.wild, strict=True) if not w)
        left = tuple(sorted((t, n) for t, n in rest.items() if n))
        is_pair = group.kind == "pair"
        for tail in _search(left, wilds - group.wilds, sets - (not is_pair), pairs - is_pair, runs, faces):
            found.add(tuple(sorted((group, *tail))))
    return tuple(sorted(found))


def _groups_with(
    tile: int, have: dict[int, int], wilds: int, sets: int, pairs: int, runs: tuple[Run, ...], faces: frozenset[int]
) -> Iterator[Group]:
    """Groups that hold a natural ``tile``, the other places natural or wild as far as the tiles go."""
    kinds: list[tuple[str, tuple[int, ...]]] = []
    if pairs:
        kinds.append(("pair", (tile, tile)))
    if sets:
        kinds.append(("triplet", (tile, tile, tile)))
        kinds += [("run", run) for run in runs if tile in run]
    for kind, shown in kinds:
        for mask in range(1 << len(shown)):
            wild = tuple(bool(mask >> i & 1) for i in range(len(shown)))
            if kind != "run" and wild != tuple(sorted(wild)):
                continue  # alike faces: only how many are wild matters
            natural = Counter(f for f, w in zip(shown, wild, strict=True) if not w)
            if not natural[tile] or sum(wild) > wilds or any(have.get(f, 0) < n for f, n in natural.items()):
                continue
            if all(f in faces for f, w in zip(shown, wild, strict=True) if w):
                yield Group(kind, shown, wild)


def _all_wild(
    wilds: int, sets: int, pairs: int, runs: tuple[Run, ...], faces: tuple[int, ...], least: Group | None = None
) -> Iterator[Reading]:
    """Readings of wild tiles alone, groups in rising order so that each comes once."""
    if wilds != 3 * sets + 2 * pairs:
        return
    if not sets and not pairs:
        yield ()
        return
    choices = [Group("pair", (f, f), (True, True)) for f in faces] if pairs else []
    if sets:
        choices += [Group("triplet", (f, f, f), (True, True, True)) for f in faces]
        choices += [Group("run", r, (True, True, True)) for r in runs if all(f in faces for f in r)]
    for group in sorted(choices):
        if least is None or group >= least:
            is_pair = group.kind == "pair"
            for tail in _all_wild(wilds - len(group.faces), sets - (not is_pair), pairs - is_pair, runs, faces, group):
                yield (group, *tail)


def places_of(reading: Reading, face: int, wild: bool) -> list[int]:
    """Indexes of the groups that may hold the winning tile: a natural one of that face, or any wild tile."""
    if wild:
        return [i for i, g in enumerate(reading) if any(g.wild)]
    return [i for i, g in enumerate(reading) if g.has(face, False)]


def odd_kinds(tiles: Iterable[int]) -> int:
    """How many kinds stand an odd number of times: the wild tiles that an all-pairs hand needs at least."""
    return sum(n % 2 for n in Counter(tiles).values())


# --- random hands -------------------------------------------------------------------------------------------------


class Deck:
    """The tiles not yet dealt; every random record is taken from one deck so that no kind is dealt too often."""

    def __init__(self, copies: dict[int, int]) -> None:
        self.left: Counter[int] = Counter(copies)

    def has(self, tiles: Iterable[int]) -> bool:
        return all(self.left[t] >= n for t, n in Counter(tiles).items())

    def take(self, tiles: Iterable[int]) -> tuple[int, ...]:
        tiles = tuple(tiles)
        assert self.has(tiles), write(tiles)
        self.left.subtract(tiles)
        return tiles

    def give_back(self, tiles: Iterable[int]) -> None:
        self.left.update(tiles)

    def draw(self, rng: random.Random, count: int, among: Iterable[int] | None = None) -> tuple[int, ...]:
        """``count`` random tiles (of the kinds ``among``), fewer only when there are no more."""
        allowed = None if among is None else set(among)
        pool = [t for t, n in sorted(self.left.items()) for _ in range(n) if allowed is None or t in allowed]
        return self.take(rng.sample(pool, min(count, len(pool))))


@dataclass(frozen=True)
class Dealt:
    """A complete hand: ``concealed`` has the winning tile still in it."""

    concealed: tuple[int, ...]
    melds: tuple[Meld, ...] = ()


def random_sets(
    rng: random.Random,
    deck: Deck,
    sets: int,
    *,
    kinds: Sequence[int] = tuple(COPIES_136),
    runs: Sequence[Run] = SUIT_RUNS,
    triplets: float = 0.35,
    pairs: int = 1,
) -> list[tuple[int, ...]] | None:
    """Pairs (first) and sets of natural tiles of the ``kinds`` given, from the deck; None where it did not fit."""
    allowed = set(kinds)
    own_runs = [r for r in runs if allowed.issuperset(r)]
    out: list[tuple[int, ...]] = []
    for number in range(pairs + sets):
        for _ in range(40):
            if number < pairs:
                group: tuple[int, ...] = (rng.choice(kinds),) * 2
            elif not own_runs or rng.random() < triplets:
                group = (rng.choice(kinds),) * 3
            else:
                group = tuple(rng.choice(own_runs))
            if deck.has(group):
                out.append(deck.take(group))
                break
        else:
            for taken in out:
                deck.give_back(taken)
            return None
    return out


def random_meld(
    rng: random.Random,
    deck: Deck,
    seat: int,
    seats: int,
    group: tuple[int, ...],
    *,
    kong: float = 0.3,
    concealed: float = 0.4,
    exposed: bool = True,
) -> Meld | None:
    """The set as a meld of that seat: a chow from the left, a pung or some kong (its fourth tile from the deck).
    With ``exposed`` false only a concealed kong can come out, else None."""
    if len(set(group)) > 1:
        return Meld("chow", group, rng.choice(group), (seat - 1) % seats) if exposed else None
    source = rng.choice([s for s in range(seats) if s != seat])
    if rng.random() < kong and deck.has(group[:1]):
        if rng.random() < concealed:
            return Meld("concealed_kong", group + deck.take(group[:1]))
        if exposed:
            return Meld(rng.choice(["kong", "added_kong"]), group + deck.take(group[:1]), group[0], source)
    return Meld("pung", group, group[0], source) if exposed else None


def random_hand(
    rng: random.Random,
    deck: Deck,
    seat: int,
    seats: int,
    sets: int,
    *,
    kinds: Sequence[int] = tuple(COPIES_136),
    runs: Sequence[Run] = SUIT_RUNS,
    triplets: float = 0.35,
    meld: float = 0.3,
    kong: float = 0.3,
    claim_runs: bool = True,
    wild: Sequence[int] = (),
    wild_share: float = 0.0,
    wild_max: int = 3,
) -> Dealt:
    """A complete hand of ``sets`` sets and a pair from the deck, some sets melded, some concealed tiles replaced by
    wild tiles of the kinds ``wild`` (each of up to ``wild_max`` tries with probability ``wild_share``)."""
    natural = [k for k in kinds if k not in wild]
    groups = None
    while groups is None:
        groups = random_sets(
            rng, deck, sets, kinds=natural, runs=[r for r in runs if set(r).isdisjoint(wild)], triplets=triplets
        )
        if groups is None:
            natural, triplets = [k for k in COPIES_136 if deck.left[k] and k not in wild], 0.3
    concealed, melds = list(groups[0]), []
    for group in groups[1:]:
        made = None
        if rng.random() < meld and (claim_runs or len(set(group)) == 1):
            made = random_meld(rng, deck, seat, seats, group, kong=kong)
        if made is None:
            concealed += group
        else:
            melds.append(made)
    for _ in range(wild_max if wild else 0):
        if rng.random() < wild_share and len(concealed) > 0:
            drawn = deck.draw(rng, 1, wild)
            swap = [i for i, t in enumerate(concealed) if t not in wild]
            if drawn and swap:
                index = rng.choice(swap)
                deck.give_back([concealed[index]])
                concealed[index] = drawn[0]
            else:
                deck.give_back(drawn)
    return Dealt(tuple(sorted(concealed)), tuple(melds))


def spoil(rng: random.Random, deck: Deck, concealed: tuple[int, ...]) -> tuple[int, ...]:
    """A near miss: one tile exchanged for a random one."""
    index = rng.randrange(len(concealed))
    deck.give_back([concealed[index]])
    return tuple(sorted(concealed[:index] + deck.draw(rng, 1) + concealed[index + 1 :]))


def split_winning_tile(
    rng: random.Random, concealed: tuple[int, ...], among: Iterable[int] | None = None
) -> tuple[tuple[int, ...], int]:
    """Take a random tile (of the kinds ``among`` where there is one) out of the concealed tiles as the winning tile."""
    allowed = None if among is None else set(among)
    choices = [i for i, t in enumerate(concealed) if allowed is None or t in allowed] or range(len(concealed))
    index = rng.choice(list(choices))
    return concealed[:index] + concealed[index + 1 :], concealed[index]


def meld_json(meld: Meld) -> dict[str, Any]:
    out: dict[str, Any] = {"kind": meld.kind, "tiles": write(meld.tiles)}
    if meld.claimed is not None:
        out["claimed"] = write([meld.claimed])
    if meld.source is not None:
        out["from"] = meld.source
    if meld.chain != 1:
        out["chain"] = meld.chain
    return out


def player_json(
    hand: Iterable[int] | None = None, melds: Iterable[Meld] = (), bonus: Iterable[int] = (), **more: Any
) -> dict[str, Any]:
    """A player of a record; empty fields left out so that the defaults are exercised too."""
    out: dict[str, Any] = {"hand": None if hand is None else write(hand)}
    if made := [meld_json(m) for m in melds]:
        out["melds"] = made
    if laid := write(bonus):
        out["bonus"] = laid
    return out | {k: v for k, v in more.items() if v is not None}


def random_options(rng: random.Random, choices: dict[str, Sequence[Any]], share: float = 0.25) -> dict[str, Any]:
    """Each option with probability ``share`` set to one of its values."""
    return {name: rng.choice(list(values)) for name, values in choices.items() if rng.random() < share}


def claimed_amounts(rng: random.Random, seat: int, seats: int) -> list[int]:
    """What a false win was announced as."""
    return [0 if s == seat else rng.choice([1, 2, 4, 8, 12]) for s in range(seats)]
