"""Settlements a second, side by side with two public scoring packages in the same run. Not a test: prints figures.

    python -m tests.bench.settle

Ordinary hands: random complete 14-tile hands, each scored in full under Hong Kong rules by this project, by ``mahjong``
(riichi) and by ``PyMahjongGB`` (Chinese Official). Wild hands: random hands holding so many wild tiles under rule sets
that have them, readings enumerated in full.
"""

from __future__ import annotations

import random
import statistics
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from referee.rules import tiles as t
from referee.rules.record import parse_record
from referee.rules.ruleset import load
from referee.rules.settle import settle

ORDINARY = 2000
WILD = 300


def complete_hand(rng: random.Random, kinds: tuple[int, ...] = t.PLAYING, sets: int = 4) -> list[int]:
    """Random sets and a pair within the set's copies, shuffled."""
    while True:
        tiles: list[int] = []
        for _ in range(sets):
            base = rng.choice(kinds)
            run = base < 27 and base % 9 < 7 and {base + 1, base + 2} <= set(kinds) and rng.random() < 0.7
            tiles += [base, base + 1, base + 2] if run else [base] * 3
        tiles += [rng.choice(kinds)] * 2
        if max(Counter(tiles).values()) <= 4:
            rng.shuffle(tiles)
            return tiles


def record(rules: str, tiles: list[int], **extra: Any) -> dict[str, Any]:
    players: list[dict[str, Any]] = [{} for _ in range(load(rules).players)]
    players[1] = {"hand": t.write(tiles[:-1]), **extra.pop("player", {})}
    win = {"seat": 1, "tile": t.NAMES[tiles[-1]], "source": "wall"}
    return {"rules": rules, "players": players, "wins": [win], **extra}


def rate(name: str, hands: list[Any], score: Callable[[Any], Any]) -> None:
    start = time.perf_counter()
    for hand in hands:
        score(hand)
    seconds = time.perf_counter() - start
    print(f"  {name:34} {len(hands) / seconds:9.0f} hands/s   {1e6 * seconds / len(hands):8.0f} us a hand")


def ordinary() -> None:
    rng = random.Random(1)
    hands = [complete_hand(rng) for _ in range(ORDINARY)]
    print(f"ordinary hands, {ORDINARY} random complete ones")
    records = [record("hongkong", hand, options={"minimum_faan": 0}) for hand in hands]
    parsed = [parse_record(r) for r in records]
    rate("referee, record to settlement", parsed, settle)
    rate("referee, JSON value to settlement", records, lambda r: settle(parse_record(r)))
    riichi(hands)
    official(hands)


def riichi(hands: list[list[int]]) -> None:
    try:
        from mahjong.hand_calculating.hand import HandCalculator
        from mahjong.hand_calculating.hand_config import HandConfig
    except ImportError:
        print("  mahjong                            not installed")
        return
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
    rate("mahjong (riichi), full scoring", prepared, lambda ids: calculator.estimate_hand_value(ids, ids[-1], config=config))


def official(hands: list[list[int]]) -> None:
    try:
        from MahjongGB import MahjongFanCalculator
    except ImportError:
        print("  PyMahjongGB                        not installed")
        return
    names = [f"{s}{n}" for s in "WTB" for n in range(1, 10)] + ["F1", "F2", "F3", "F4", "J1", "J2", "J3"]

    def score(hand: list[int]) -> Any:
        tiles = tuple(names[k] for k in hand)
        return MahjongFanCalculator((), tiles[:-1], tiles[-1], 0, True, False, False, False, 0, 0)

    rate("PyMahjongGB (Chinese Official)", hands, score)


def wild() -> None:
    """Hands with wild tiles: milliseconds a settlement."""
    for rules, wilds, indicator in (
        ("hangzhou", 3, "5s"), ("beijing", 4, "5s"), ("wuhan_hongzhong", 4, "5s"), ("ningbo", 3, "5s"), ("fenghua", 3, "5s"),
        ("xiamen", 3, "5s"), ("wenzhou", 3, "5s"), ("taizhou", 3, "5s"), ("nanchang", 4, "5s"), ("nanchang", 7, "5s"),
    ):  # fmt: skip
        try:
            load(rules)
        except ImportError:
            continue
        times = [timed(wild_record(random.Random(seed), rules, wilds, indicator)) for seed in range(WILD)]
        times.sort()
        print(
            f"  {rules:18} {wilds} wild   median {statistics.median(times):6.2f} ms   "
            f"99th percentile {times[int(len(times) * 0.99)]:6.2f} ms"
        )


def wild_record(rng: random.Random, rules: str, wilds: int, indicator: str) -> dict[str, Any]:
    ruleset = load(rules)
    kinds = ruleset.wild.kinds(t.parse_one(indicator)) if ruleset.wild else frozenset()
    pool = [k for k in sorted(kinds) for _ in range(3 if k == t.parse_one(indicator) else 4)]
    other = tuple(k for k in range(27) if k not in kinds)
    size = ruleset.hand_size + 1
    hand = complete_hand(rng, other, size // 3)
    hand = hand[: size - wilds] + rng.sample(pool, wilds)
    rng.shuffle(hand)
    made = record(rules, hand, indicator=indicator)
    if ruleset.losers_hands:
        spare = [k for k in other for _ in range(4 - hand.count(k))]
        rng.shuffle(spare)
        for seat in (0, 2, 3):
            made["players"][seat]["hand"] = t.write(sorted(spare[13 * seat : 13 * seat + 13]))
    return made


def timed(made: dict[str, Any]) -> float:
    from referee.rules.record import RecordError

    parsed = parse_record(made)
    start = time.perf_counter()
    try:
        settle(parsed)
    except RecordError:
        return 0.0
    return 1000 * (time.perf_counter() - start)


if __name__ == "__main__":
    ordinary()
    print(f"hands with wild tiles, {WILD} random ones each, record to settlement")
    wild()
