"""How many tiles a hand is from a winning shape: a fast count for players, wild tiles included.

Tiles are counted by face; wild tiles are handed in as a number. Each part of the tiles (a suit, the honours) has a profile:
for every number of sets, with and without a pair, the most partial sets that can be found beside them. Profiles are cached
and joined; the distance follows from the joined one as in the usual formula (two tiles for a missing set, one less for a
partial set). It is exact for most hands and never far off; whether a finished hand may win is the engine's to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations

from referee.rules import tiles as t
from referee.rules.tiles import Tile

MOST_SETS = 5
Profile = tuple[int, ...]  # index 2 * sets + pair: the most partial sets beside them, -1 where there are none such
Runs = tuple[tuple[int, int, int], ...]

NONE: Profile = (-1,) * (2 * MOST_SETS + 2)
EMPTY: Profile = (0, *NONE[1:])
SUIT_RUNS: Runs = tuple((low, low + 1, low + 2) for low in range(7))
HONOUR_RUNS: Runs = ((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3), (4, 5, 6))
NO_RUNS: Runs = ()
FAR = 99


@lru_cache(maxsize=1 << 17)
def _part(counts: tuple[int, ...], runs: Runs, heads: tuple[bool, ...]) -> Profile:
    """The profile of one suit or the honours. ``heads``: which kinds may be the pair."""
    at = next((i for i, count in enumerate(counts) if count), None)
    if at is None:
        return EMPTY
    found = [_part(_less(counts, (at,)), runs, heads)]
    if counts[at] >= 3:
        found.append(_more_sets(_part(_less(counts, (at,) * 3), runs, heads)))
    if counts[at] >= 2:
        rest = _part(_less(counts, (at, at)), runs, heads)
        found.append(_more_partials(rest))
        if heads[at]:
            found.append(_with_pair(rest))
    for run in runs:
        if run[0] == at and counts[run[1]] and counts[run[2]]:
            found.append(_more_sets(_part(_less(counts, run), runs, heads)))
    for pair in {pair for run in runs for pair in combinations(run, 2) if pair[0] == at and counts[pair[1]]}:
        found.append(_more_partials(_part(_less(counts, pair), runs, heads)))
    return tuple(max(column) for column in zip(*found, strict=True))


def _less(counts: tuple[int, ...], kinds: Iterable[int]) -> tuple[int, ...]:
    left = list(counts)
    for kind in kinds:
        left[kind] -= 1
    return tuple(left)


def _more_sets(profile: Profile) -> Profile:
    return (-1, -1, *profile[:-2])


def _more_partials(profile: Profile) -> Profile:
    return tuple(partials + 1 if partials >= 0 else -1 for partials in profile)


def _with_pair(profile: Profile) -> Profile:
    return tuple(profile[i - 1] if i % 2 else -1 for i in range(len(profile)))


@lru_cache(maxsize=1 << 16)
def _joined(one: Profile, other: Profile) -> Profile:
    """The profile of two parts together."""
    best = list(NONE)
    for i, first in enumerate(one):
        if first < 0:
            continue
        for j, second in enumerate(other):
            if second < 0 or (i % 2 and j % 2):
                continue
            sets = i // 2 + j // 2
            if sets <= MOST_SETS:
                at = 2 * sets + (i % 2 or j % 2)
                best[at] = max(best[at], first + second)
    return tuple(best)


ANY_HEAD = (True,) * 34


def to_sets(
    counts: Sequence[int],
    wilds: int,
    sets: int,
    *,
    runs: bool = True,
    honour_runs: bool = False,
    heads: tuple[bool, ...] = ANY_HEAD,
) -> int:
    """Tiles still needed for ``sets`` sets and a pair; 0 is a complete hand. ``counts`` has 34 entries or more.

    >>> to_sets([3, 1, 1, 1, 1, 1, 1, 1, 3] + [0] * 25, 0, 4)
    1
    """
    whole = EMPTY
    for suit in range(3):
        part = tuple(counts[9 * suit : 9 * suit + 9])
        whole = _joined(whole, _part(part, SUIT_RUNS if runs else NO_RUNS, heads[9 * suit : 9 * suit + 9]))
    whole = _joined(whole, _part(tuple(counts[27:34]), HONOUR_RUNS if honour_runs else NO_RUNS, heads[27:34]))
    return max(_needed(whole, sets, sum(counts[:34])) - wilds, 0)


@lru_cache(maxsize=1 << 16)
def _needed(profile: Profile, sets: int, tiles: int) -> int:
    best = FAR
    for at, partials in enumerate(profile):
        if partials < 0:
            continue
        made, pair = min(at // 2, sets), at % 2
        begun = min(partials, sets - made)
        needed = 2 * (sets - made) - begun - pair + 1
        single = tiles - 3 * made - 2 * begun - 2 * pair
        needed += max(sets + 1 - made - begun - pair - single, 0)  # nothing at all to begin a set with
        best = min(best, needed)
    return best


def to_pairs(counts: Sequence[int], wilds: int, pairs: int = 7) -> int:
    """Tiles needed for so many pairs; four alike are two."""
    have = sum(count // 2 for count in counts)
    odd = sum(count % 2 for count in counts)
    missing = max(pairs - have, 0)
    return max(missing + max(missing - odd, 0) - wilds, 0)


def to_orphans(counts: Sequence[int], wilds: int) -> int:
    """Tiles needed for one of each terminal and honour and a second of one."""
    kinds = sum(counts[kind] > 0 for kind in t.ORPHANS)
    return max(14 - kinds - any(counts[kind] > 1 for kind in t.ORPHANS) - wilds, 0)


def to_independent(counts: Sequence[int], wilds: int) -> int:
    """Tiles needed for fourteen different ones, those of a suit at least three apart."""
    apart = sum(_spaced(tuple(count > 0 for count in counts[9 * suit : 9 * suit + 9])) for suit in range(3))
    return max(14 - apart - sum(count > 0 for count in counts[27:34]) - wilds, 0)


@lru_cache(maxsize=512)
def _spaced(held: tuple[bool, ...]) -> int:
    """The most numbers of a suit that lie three apart."""
    best = [0] * (len(held) + 3)
    for at in range(len(held) - 1, -1, -1):
        best[at] = max(best[at + 1], best[at + 3] + 1 if held[at] else 0)
    return best[0]


def counts_of(tiles: Iterable[Tile]) -> list[int]:
    """How many of each kind, 34 entries; bonus tiles are left out."""
    counts = [0] * 34
    for tile in tiles:
        if tile < 34:
            counts[tile] += 1
    return counts
