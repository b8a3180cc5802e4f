"""What is told when a table is not seen for a while: ``python -m tests.bench.absence``.

Games of the bots, without fouls, are choreographed and told to tracker and follower without pixels; in the middle of each hand
the whole table is hidden for some seconds, as when somebody leans over it (``--dark``: by something that rests, so that nothing
is seen where the reader looks). Truth: the log of the players who played. An event that did not happen so is told surely
where its confidence is none or at least ``story.ASK`` and no question is about it.
"""

from __future__ import annotations

import argparse
import difflib
import json
from collections import Counter

from referee.rules.ruleset import load
from referee.simulate import play
from referee.table import events as ev
from tests.bench.follow import SETS, reader, tell
from tests.vision.noise import Noise
from tests.vision.tabletop import Followed, follow, public
from vision.render.customs import deck_of, layout_of
from vision.story import ASK

LENGTHS = (5.0, 10.0, 30.0)
AFTER = 10.0  # seconds after the table is seen again from which play is the rest of the hand


def one(rules_id: str, seed: int, length: float, begin: float, dark: bool, noise: Noise | None) -> Followed:
    """A hand followed, not seen for so many seconds from the moment ``begin`` on."""
    rules = load(rules_id)
    events = [ev.write_event(event) for event in play(rules_id, seed, 1).events]

    def hidden(now: float, x: float, y: float) -> bool:
        return begin <= now < begin + length

    return follow(events, layout_of(rules), seed, deck=deck_of(rules), hidden=hidden, dark=dark, noise=noise)


def figures(told: Followed, seen_again: float) -> Counter[str]:
    """What came of a hand, as counts; the rest of it is what was to be seen some while after the table was seen again."""
    truth, found = ([e for e in events if public([e])] for events in (told.truth, told.found))
    matcher = difflib.SequenceMatcher(None, public(truth), public(found), autojunk=False)
    blocks = matcher.get_matching_blocks()
    right = {block.b + k for block in blocks for k in range(block.size)}
    known = {block.a + k for block in blocks for k in range(block.size)}
    wrong = [event for k, event in enumerate(found) if k not in right]
    asked = {question.about for question in told.questions}
    sure = [e for e in wrong if e.get("confidence", 1.0) >= ASK and e["n"] not in asked]
    rest = [k for k, at in enumerate(told.times) if at > seen_again + AFTER]
    return Counter(
        hands=1, exact=sum(told.exact_hands), events=len(truth), right=len(right), wrong=len(wrong), wrong_surely=len(sure),
        questions=len(told.questions), lost=any("thread is lost" in question.text for question in told.questions),
        rests=bool(rest), rests_right=bool(rest) and all(k in known for k in rest),
        settlements=len(told.settled), settled=sum(told.settled),
    )  # fmt: skip


def run() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", nargs="+", default=SETS)
    parser.add_argument("--seconds", nargs="+", type=float, default=LENGTHS)
    parser.add_argument("--begin", nargs="+", type=float, default=[60.0], help="seconds after which the table is hidden")
    parser.add_argument("--games", type=int, default=1, help="games a rule set")
    parser.add_argument("--seed", type=int, default=900)
    parser.add_argument("--noise", type=float, default=0.0, help="times the measured rates of a reader's mistakes")
    parser.add_argument("--dark", action="store_true", help="what hides the table rests")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    for length in options.seconds:
        total: Counter[str] = Counter()
        for number, rules_id in enumerate(options.rules):
            for k in range(options.games * len(options.begin)):
                seed, begin = options.seed + k // len(options.begin), options.begin[k % len(options.begin)]
                told = one(rules_id, seed, length, begin, options.dark, reader(number, options.noise))
                found = figures(told, begin + length)
                total += found
                if options.verbose:
                    print(json.dumps({"rules": rules_id, "seed": seed, "begin": begin} | {k: n for k, n in found.items() if n}))
                    tell(told)
        print(json.dumps({"seconds": length} | dict(total)), flush=True)


if __name__ == "__main__":
    run()
