"""A slow and simple second decomposition solver, written without looking at the product's: every assignment of the wild
tiles is tried, then every way to cut the tiles into groups, then every choice of which slots the wild tiles fill."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, product

Face = tuple[str, int]
Filled = tuple[str, int, tuple[bool, ...]]


def runs_of(kind: int) -> bool:
    return kind < 27 and kind % 9 <= 6


def cuts(counts: Counter[int], sets: int, pairs: int) -> Iterator[tuple[Face, ...]]:
    """Every way to cut natural tiles into sets and pairs, as sorted tuples of (shape, lowest tile), with repeats."""
    left = [k for k in sorted(counts) if counts[k] > 0]
    if not left:
        if sets == 0 and pairs == 0:
            yield ()
        return
    low = left[0]
    for shape, tiles in (("pung", (low,) * 3), ("pair", (low,) * 2), ("chow", (low, low + 1, low + 2))):
        if shape == "chow" and not runs_of(low):
            continue
        need = Counter(tiles)
        if any(counts[k] < n for k, n in need.items()):
            continue
        if (shape == "pair" and not pairs) or (shape != "pair" and not sets):
            continue
        for rest in cuts(counts - need, sets - (shape != "pair"), pairs - (shape == "pair")):
            yield tuple(sorted(((shape, low), *rest)))


def faces_of(face: Face) -> tuple[int, ...]:
    shape, low = face
    return {"pung": (low,) * 3, "pair": (low,) * 2, "chow": (low, low + 1, low + 2)}[shape]


def fillings(groups: tuple[Face, ...], naturals: Counter[int]) -> set[tuple[Filled, ...]]:
    """Every choice of the slots that wild tiles fill, so that the other slots use up exactly the natural tiles.

    Within a pung or pair only the number of wild slots matters, so it is written with the wild slots last.
    """
    slots = [(g, s, face) for g, group in enumerate(groups) for s, face in enumerate(faces_of(group))]
    by_face: dict[int, list[tuple[int, int]]] = {}
    for g, s, face in slots:
        by_face.setdefault(face, []).append((g, s))
    choices = []
    for face, places in by_face.items():
        wild = len(places) - naturals[face]
        if wild < 0:
            return set()
        choices.append([frozenset(c) for c in combinations(places, wild)])
    out = set()
    for chosen in product(*choices):
        wild_places = frozenset().union(*chosen)
        filled = []
        for g, (shape, low) in enumerate(groups):
            mask = tuple((g, s) in wild_places for s in range(len(faces_of((shape, low)))))
            filled.append((shape, low, mask if shape == "chow" else tuple(sorted(mask))))
        out.add(tuple(sorted(filled)))
    return out


def readings(naturals: Counter[int], wilds: int, sets: int, pairs: int, kinds: list[int]) -> set[tuple[Filled, ...]]:
    """All readings where wild tiles may stand for any of ``kinds``."""
    out: set[tuple[Filled, ...]] = set()
    for stands in combinations_with_replacement(kinds, wilds):
        for groups in set(cuts(naturals + Counter(stands), sets, pairs)):
            out |= fillings(groups, naturals)
    return out
