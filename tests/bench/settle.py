"""Settlements a second, side by side with two public scoring packages in the same run. Not a test: prints figures.

    python -m tests.bench.settle [--where]

Ordinary hands: random complete 14-tile hands, each scored in full under Hong Kong rules by this project, by ``mahjong``
(riichi) and by ``PyMahjongGB`` (Chinese Official). Wild hands: random legal wins holding as many wild tiles as a rule set
has, under a random indicator, every reading enumerated and the best one paid. All times are processor time of this process.

Each hand is new. "fresh": the memo tables are as the hands before it left them, which is how a referee runs. "cold": they
are emptied before every hand, so that nothing but the hand itself can help; the first hand after a start costs that.
``--where`` says what the time goes into.
"""

from __future__ import annotations

import argparse
import cProfile
import functools
import gc
import pstats
import random
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from referee.rules import fu, readings
from referee.rules import tiles as t
from referee.rules.record import Record, parse_record
from referee.rules.ruleset import Ruleset, load, loaded
from referee.rules.settle import settle

ORDINARY = 6000
BLOCK = 200  # ordinary hands that a package scores before the next has its turn
WILD = 1000  # so that ten of them lie above the 99th percentile


@dataclass(frozen=True)
class Deal:
    """What a random winning hand of a bench row is made of."""

    rules: str
    wilds: int
    melds: int = 0  # declared pungs: Wuhan's game wants an opening
    suits: tuple[int, ...] = (0, 1, 2)  # those played with: Jingzhou leaves one out


#: As many wild tiles as can be in one hand: three where the indicator lies on the table, four, or seven with two kinds.
DEALS = (
    Deal("hangzhou", 3), Deal("yiwu", 3), Deal("ningbo", 3), Deal("fenghua", 3), Deal("taizhou", 3),
    Deal("xiamen", 3), Deal("quanzhou", 3), Deal("fuzhou", 3), Deal("wenzhou", 3),
    Deal("beijing", 4), Deal("shanghai_jinshan", 4), Deal("nanchang", 4),
    Deal("wuhan", 4, 1), Deal("wuhan_hongzhong", 4, 1), Deal("jingzhou", 4, 1, (1, 2)),
    Deal("nanchang", 7),
)  # fmt: skip


def complete_hand(
    rng: random.Random, kinds: tuple[int, ...] = t.PLAYING, sets: int = 4, runs: float = 0.7
) -> list[int]:
    """Random sets and a pair within the set's copies, shuffled; ``runs``: how often a set is a run where it can be."""
    while True:
        tiles: list[int] = []
        for _ in range(sets):
            base = rng.choice(kinds)
            run = base < 27 and base % 9 < 7 and {base + 1, base + 2} <= set(kinds) and rng.random() < runs
            tiles += [base, base + 1, base + 2] if run else [base] * 3
        tiles += [rng.choice(kinds)] * 2
        if max(Counter(tiles).values()) <= 4:
            rng.shuffle(tiles)
            return tiles


def record(rules: str, tiles: list[int], **extra: Any) -> dict[str, Any]:
    players: list[dict[str, Any]] = [{} for _ in range(load(rules).players)]
    players[1] = {"hand": t.write(tiles[:-1])}
    win = {"seat": 1, "tile": t.NAMES[tiles[-1]], "source": "wall"}
    return {"rules": rules, "players": players, "wins": [win], **extra}


# --- ordinary hands ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Contender:
    """A way to score ordinary hands: each of ``hands``, as it wants them, by ``score``."""

    name: str
    hands: list[Any]
    score: Callable[[Any], Any]


def race(contenders: list[Contender]) -> list[float]:
    """Hands a second of processor time of each, over all hands, printed. They take turns, BLOCK hands at a time, since the
    processor's own speed changes from one second to the next."""
    spent = [0.0] * len(contenders)
    count = len(contenders[0].hands)
    for at in range(0, count, BLOCK):
        for number, contender in enumerate(contenders):
            some, score = contender.hands[at : at + BLOCK], contender.score
            start = time.process_time()
            for hand in some:
                score(hand)
            spent[number] += time.process_time() - start
    rates = [count / seconds for seconds in spent]
    for contender, found in zip(contenders, rates, strict=True):
        print(f"  {contender.name:34} {found:9.0f} hands/s   {1e6 / found:8.1f} us a hand")
    return rates


def ordinary() -> None:
    rng = random.Random(1)
    hands = [complete_hand(rng) for _ in range(ORDINARY)]
    print(f"ordinary hands, {len(hands)} random complete ones")
    records = [record("hongkong", hand, options={"minimum_faan": 0}) for hand in hands]
    parsed = [parse_record(r) for r in records]
    assert all(v.legal for r in parsed[:200] for v in settle(r).verdicts)
    forget()
    contenders = [Contender("referee, record to settlement", parsed, settle), *riichi(hands), *official(hands)]
    ours, *others = race(contenders)
    if others:
        print(f"  referee / {contenders[1].name:24} {ours / others[0]:9.2f}")
    forget()
    race([Contender("referee, JSON value to settlement", records, lambda r: settle(parse_record(r)))])


def riichi(hands: list[list[int]]) -> list[Contender]:
    try:
        from mahjong.hand_calculating.hand import HandCalculator
        from mahjong.hand_calculating.hand_config import HandConfig
    except ImportError:
        print("  mahjong                            not installed")
        return []
    calculator, config = HandCalculator(), HandConfig(is_tsumo=True)
    prepared = []
    for hand in hands:
        used: Counter[int] = Counter()
        ids = []
        for kind in hand:
            kind = {31: 33, 33: 31}.get(kind, kind)
            ids.append(4 * kind + used[kind])
            used[kind] += 1
        prepared.append(ids)
    return [
        Contender(
            "mahjong (riichi), full scoring", prepared,
            lambda ids: calculator.estimate_hand_value(ids, ids[-1], config=config),
        )
    ]  # fmt: skip


def official(hands: list[list[int]]) -> list[Contender]:
    try:
        from MahjongGB import MahjongFanCalculator
    except ImportError:
        print("  PyMahjongGB                        not installed")
        return []
    names = [f"{s}{n}" for s in "WTB" for n in range(1, 10)] + ["F1", "F2", "F3", "F4", "J1", "J2", "J3"]

    def score(hand: list[int]) -> Any:
        tiles = tuple(names[k] for k in hand)
        return MahjongFanCalculator((), tiles[:-1], tiles[-1], 0, True, False, False, False, 0, 0)

    return [Contender("PyMahjongGB (Chinese Official)", hands, score)]


# --- hands with wild tiles ---------------------------------------------------------------------------------------


def legal_hands(deal: Deal, count: int) -> list[Record]:
    """So many records of legal wins, all different: random hands, of which those that the rules refuse are left out."""
    rng = random.Random(f"{deal}")
    found: list[Record] = []
    tried = 0
    while len(found) < count:
        tried += 1
        assert tried < 200 * count, f"{deal.rules}: hardly any of these hands is a legal win"
        made = parse_record(wild_record(rng, deal))
        if all(verdict.legal for verdict in settle(made).verdicts):  # a malformed record raises
            found.append(made)
    return found


def wild_record(rng: random.Random, deal: Deal) -> dict[str, Any]:
    ruleset = load(deal.rules)
    needs_indicator = ruleset.wild is not None and ruleset.wild.needs_indicator
    indicator = rng.choice([k for k in t.SUITED if ruleset.tiles[k] and t.suit(k) in deal.suits]) if needs_indicator else None
    kinds = ruleset.wild_kinds_under(indicator)
    wild = [k for k in sorted(kinds) for _ in range(ruleset.tiles[k] - (k == indicator))]
    other = natural_kinds(rng, ruleset, indicator, deal.suits)
    sets = (ruleset.hand_size - 1) // 3
    while True:
        hand = complete_hand(rng, other, sets, rng.choice((0.7, 0.7, 0.0)))
        if indicator is None or hand.count(indicator) < 4:
            break
    # The declared pungs are of kinds that the hand does not hold: natural tiles of it go, three for each.
    free = [k for k in other if not hand.count(k) and k != indicator]
    melds = rng.sample(free, deal.melds) if len(free) >= deal.melds else []
    hand = hand[: len(hand) - 3 * len(melds) - deal.wilds] + rng.sample(wild, deal.wilds)
    rng.shuffle(hand)
    made = record(deal.rules, hand)
    if indicator is not None:
        made["indicator"] = t.NAMES[indicator]
    made["players"][1]["melds"] = [
        {"kind": "pung", "tiles": t.write([kind] * 3), "claimed": t.NAMES[kind], "from": 2} for kind in melds
    ]
    # some rule sets let the losers settle among themselves, or pay for wild tiles held: everybody's hand is given
    deal_losers(rng, made, ruleset, [*hand, *(k for k in melds for _ in range(3))], indicator, deal.suits)
    return made


def natural_kinds(
    rng: random.Random, ruleset: Ruleset, indicator: int | None, suits: tuple[int, ...]
) -> tuple[int, ...]:
    """Kinds for the hand's natural tiles: one time in three those of one suit only (and honours), else any."""
    aside = ruleset.set_aside_under(indicator) | ruleset.wild_kinds_under(indicator) | ruleset.bonus
    kinds = [k for k in t.PLAYING if ruleset.tiles[k] and k not in aside and t.suit(k) in (*suits, 3)]
    if rng.random() < 2 / 3:
        return tuple(kinds)
    suit = rng.choice(suits)
    return tuple(k for k in kinds if t.suit(k) in (suit, 3))


def deal_losers(
    rng: random.Random, made: dict[str, Any], ruleset: Ruleset, used: list[int], indicator: int | None,
    suits: tuple[int, ...],
) -> None:
    """A hand of the tiles left to each other seat."""
    taken = Counter([*used, *([] if indicator is None else [indicator])])
    spare = [k for k in t.PLAYING if t.suit(k) in (*suits, 3) for _ in range(ruleset.tiles[k] - taken[k])]
    rng.shuffle(spare)
    size = ruleset.hand_size
    for number, seat in enumerate(s for s in range(ruleset.players) if s != 1):
        made["players"][seat]["hand"] = t.write(sorted(spare[size * number : size * number + size]))


def forget() -> None:
    """Empty every memo table of the solver, and the tallies kept (rule sets once loaded stay: they are data, not results)."""
    for module in (readings, fu):
        for value in vars(module).values():
            if isinstance(value, functools._lru_cache_wrapper):
                value.cache_clear()
    readings.Merge.of.cache_clear()
    for rules in loaded():
        for asking in rules.asking.values():
            asking.forget()
    gc.collect()


def milliseconds(hands: list[Record], before: Callable[[], None]) -> Iterator[float]:
    for hand in hands:
        before()
        start = time.process_time()
        settle(hand)
        yield 1000 * (time.process_time() - start)


def percentiles(times: list[float]) -> str:
    return f"median {statistics.median(times):6.2f}   99th percentile {sorted(times)[int(0.99 * len(times))]:6.2f}"


def wild() -> None:
    """Milliseconds a settlement: fresh hands on warm tables, and with the tables emptied before each."""
    print(f"hands with wild tiles, {WILD} random legal wins each, record to settlement, ms")
    for deal in DEALS:
        hands = legal_hands(deal, WILD)
        forget()
        fresh = list(milliseconds(hands, lambda: None))
        cold = list(milliseconds(hands, forget))
        print(f"  {deal.rules:18} {deal.wilds} wild   fresh: {percentiles(fresh)}   cold: {percentiles(cold)}")


# --- what the time goes into -------------------------------------------------------------------------------------

#: Functions of the engine whose own time and that of all they call make up a settlement, outermost last.
PARTS = (
    ("decompose", "reading the tiles as groups"),
    ("placements", "places of the winning tile"),
    ("counted", "asking the patterns"),
    ("outcome", "restrictions and payments"),
    ("refuse_malformed", "checking the record"),
    ("settle", "all"),
)


def where(name: str, hands: list[Record]) -> None:
    """Print how the time of these settlements is divided (under a profiler, so the shares count, not the times)."""
    forget()
    profile = cProfile.Profile()
    profile.enable()
    for hand in hands:
        settle(hand)
    profile.disable()
    spent = {key[2]: value[3] for key, value in pstats.Stats(profile).stats.items() if "rules" in key[0]}  # type: ignore[attr-defined]
    shares = ", ".join(f"{what} {100 * spent.get(part, 0) / spent['settle']:.0f} %" for part, what in PARTS[:-1])
    print(f"  {name:26} {shares}")


def main() -> None:
    parser = argparse.ArgumentParser(description="settlements a second")
    parser.add_argument("--where", action="store_true", help="say what the time goes into")
    if parser.parse_args().where:
        rng = random.Random(2)
        hands = [record("hongkong", complete_hand(rng), options={"minimum_faan": 0}) for _ in range(ORDINARY)]
        where("ordinary", [parse_record(hand) for hand in hands])
        for deal in DEALS:
            where(f"{deal.rules}, {deal.wilds} wild", legal_hands(deal, WILD))
        return
    ordinary()
    wild()


if __name__ == "__main__":
    main()
