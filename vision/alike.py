"""Tiles that look alike, told together: of each kind there are only so many.

A tile set aside is told by what it looks like and by what the others are: where two look like the same kind, of which there is
one, the other is what it looks like next. The likeliest way to give all tiles their kinds is kept up as tiles come (the
shortest way through tiles that give way to one another, Bellman and Ford).
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence

Looks = Mapping[str, float]  # kinds -> how much a tile looks like each; above zero
MOST = 12  # tiles that may have to give way one after another
LESS = 1e-9  # costs, in nats, nearer than this are the same


def told_together(looks: Sequence[Looks], room: Mapping[str, int], before: Sequence[str]) -> list[str]:
    """The likeliest kinds of tiles of which the first had those ``before``; ``room``: how many of each kind there are. Where
    there are more tiles than room, what is left looks like what it looks like."""
    names = list(before)
    for look in looks[len(names) :]:
        cost, gives_way = _chains(looks, names, room)
        kind = min(look, key=lambda kind: cost[kind] - math.log(look[kind]))
        if math.isinf(cost[kind]):
            names.append(max(look, key=look.__getitem__))
            continue
        names.append(kind)
        place = len(names) - 1
        while kind in gives_way and _full(names, kind, room):
            place, kind = gives_way[kind]
            names[place] = kind
    return names


def likely(place: int, looks: Sequence[Looks], names: Sequence[str], room: Mapping[str, int]) -> list[tuple[str, float]]:
    """What the tile at a place may be, the likeliest first: for each kind the likeliest way to tell the others besides."""
    others = [*looks[:place], *looks[place + 1 :]]
    cost, _ = _chains(others, [*names[:place], *names[place + 1 :]], room)
    weights = {kind: look * math.exp(-cost[kind]) for kind, look in looks[place].items()}
    if not any(weights.values()):
        weights = dict(looks[place])
    total = sum(weights.values())
    return sorted(((kind, weight / total) for kind, weight in weights.items()), key=lambda item: -item[1])


def _full(names: Sequence[str], kind: str, room: Mapping[str, int]) -> bool:
    return names.count(kind) > room.get(kind, 0)


def _chains(
    looks: Sequence[Looks], names: Sequence[str], room: Mapping[str, int]
) -> tuple[dict[str, float], dict[str, tuple[int, str]]]:
    """For each kind how much less likely (in nats) all becomes where one more tile is told so, and which of those told so
    gives way, to what."""
    kinds = {kind for look in looks for kind in look} | set(room)
    used = Counter(names)
    cost = {kind: 0.0 if used[kind] < room.get(kind, 0) else math.inf for kind in kinds}
    gives_way: dict[str, tuple[int, str]] = {}
    moves = [
        (place, names[place], kind, math.log(looks[place][names[place]] / value))
        for place in range(len(names))
        for kind, value in looks[place].items()
        if kind != names[place] and names[place] in looks[place]
    ]
    for _ in range(MOST):
        better = False
        for place, own, kind, by in moves:
            if cost[kind] + by < cost[own] - LESS:
                cost[own], gives_way[own], better = cost[kind] + by, (place, kind), True
        if not better:
            break
    return cost, gives_way
