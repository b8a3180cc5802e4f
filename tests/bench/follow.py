"""How well games are followed from sightings that are wrong as a real reader's are: ``python -m tests.bench.follow``.

Games of the bots, fouls included, are choreographed and told to tracker and follower without pixels, with the mistakes of
``tests.vision.noise``. Truth: the log of the players who played. Hands long or short are counted where a bystander
could count: the fault stood for at least one turn of that player.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from typing import Any

import numpy as np

from referee.rules.ruleset import load
from referee.simulate import play
from referee.table import events as ev
from tests.vision.noise import TABLES, Noise
from tests.vision.tabletop import Followed, follow, public
from vision.render.customs import deck_of, layout_of

SETS = ("hongkong", "taiwan", "wuhan", "hangzhou", "changsha", "beijing", "fuzhou", "kawuxing", "nanjing", "shanghai_laoshi")
LENGTHS = ("long_hand", "short_hand")


def one(rules_id: str, seed: int, hands: int, fouls: float, noise: Noise | None) -> Followed:
    """A game followed."""
    game = play(rules_id, seed, hands, {}, fouls)
    rules = load(rules_id)
    events = [ev.write_event(event) for event in game.events]
    return follow(events, layout_of(rules), seed, deck=deck_of(rules), noise=noise)


def figures(told: Followed) -> Counter[str]:
    """What came of a game, as counts."""
    countable = Counter(told.countable)
    true, certain, doubted = Counter(told.truly), Counter(told.faults), Counter(told.doubted)
    wrong, found = certain - true, (certain + doubted) & true
    return Counter(
        hands=len(told.settled and told.exact_hands or told.exact_hands), exact=sum(told.exact_hands),
        events=len(public(told.truth)), right=told.right, extra=len(public(told.found)) - told.right,
        settlements=len(told.settled), settled=sum(told.settled), questions=len(told.questions),
        wrong_rulings=wrong.total(), doubted_wrong=(doubted - true).total(),
        fouls=true.total(), fouls_found=found.total(),
        lengths=countable.total(), lengths_found=(countable & found).total(),
        length_alarms=sum(n for (_, kind), n in wrong.items() if kind in LENGTHS),
    )  # fmt: skip


def run() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", nargs="+", default=SETS)
    parser.add_argument("--games", type=int, default=6, help="games a rule set")
    parser.add_argument("--hands", type=int, default=2, help="hands a game")
    parser.add_argument("--seed", type=int, default=900)
    parser.add_argument("--fouls", type=float, default=0.02)
    parser.add_argument("--noise", type=float, default=1.0, help="times the measured rates; 0 is an ideal reader")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    totals: dict[str, Counter[str]] = {rules_id: Counter() for rules_id in options.rules}
    delays: list[tuple[str, float]] = []
    for k in range(options.games):
        for number, rules_id in enumerate(options.rules):
            seed = options.seed + k
            told = one(rules_id, seed, options.hands, options.fouls, reader(number * options.games + k, options.noise))
            found = figures(told)
            totals[rules_id] += found
            delays += told.delays
            print(json.dumps({"rules": rules_id, "seed": seed} | {k: found[k] for k in found if found[k]}), flush=True)
            if options.verbose:
                tell(told)
    for rules_id, counts in totals.items():
        print(json.dumps({"rules": rules_id} | counts))
    print(json.dumps(sum(totals.values(), Counter())))
    print(json.dumps(late(delays)))


def late(delays: list[tuple[str, float]]) -> dict[str, tuple[float, float]]:
    """Seconds from tiles at rest to the event told, by kind of event: the median and the 95th percentile."""
    kinds = {"all": [d for _, d in delays]} | {kind: [d for k, d in delays if k == kind] for kind, _ in delays}
    return {k: (round(float(np.median(d)), 2), round(float(np.percentile(d, 95)), 2)) for k, d in kinds.items() if d}


def reader(number: int, times: float) -> Noise | None:
    """A reader's mistakes at one of the tables that were measured, so many times; None: none at all."""
    return Noise(TABLES[number % len(TABLES)], times) if times else None


def tell(told: Followed) -> None:
    """Where the account differs from the truth, and what was asked."""
    import difflib

    rows: list[Any] = [public(told.truth), public(told.found)]
    for line in difflib.unified_diff(*[[" ".join(f"{k}={v}" for k, v in e) for e in r] for r in rows], lineterm="", n=1):
        print("   ", line)
    for question in told.questions:
        print(f"    ? {question.t:.1f} {question.text} {question.choices}")
    print("    ruled", Counter(told.faults) - Counter(told.truly), "missed", Counter(told.truly) - Counter(told.faults))


if __name__ == "__main__":
    run()
