"""Losers' hands for the rule sets in which everybody's tiles count: by default such as are worth nothing."""

from __future__ import annotations

from collections import Counter
from typing import Any

from referee.rules.tiles import PLAYING, parse, write
from tests.rules.hands import Settled, declare, melds, player


def worthless(left: Counter[int], start: int) -> str:
    """Thirteen different tiles of those left: no pair, no pung."""
    kinds = [k for k in PLAYING[start:] + PLAYING[:start] if left[k] > 0][:13]
    left.subtract(kinds)
    return write(sorted(kinds))


def against(
    rules: str,
    hand: str,
    tile: str | None,
    source: str = "wall",
    *,
    seat: int,
    others: dict[int, Any],
    declared: str = "",
    indicator: str | None = None,
    **more: Any,
) -> Settled:
    """``declare`` with worthless hands for those losers that ``others`` does not give."""
    left = Counter(dict.fromkeys(PLAYING, 4))
    for text in (hand, tile or "", indicator or ""):
        left.subtract(parse(text))
    sets = [*melds(declared), *(meld for given in others.values() for meld in given.get("melds", []))]
    for text in (*(meld["tiles"] for meld in sets), *(given.get("hand") or "" for given in others.values())):
        left.subtract(parse(text))
    losers = {s: others.get(s) or player(worthless(left, 9 * i)) for i, s in enumerate(set(range(4)) - {seat})}
    return declare(
        rules, hand, tile, source, seat=seat, others=losers, declared=declared, indicator=indicator, **more
    )
