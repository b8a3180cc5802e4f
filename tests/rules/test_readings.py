"""The decomposition solver against an independent brute-force one (tests/rules/brute.py) on random hands."""

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules import readings
from referee.rules import tiles as t
from tests.rules import brute

NARROW = [*range(9), 9, 10, 27, 31]  # few kinds, so that hands with wild tiles are often complete
CHOWS = [b for b in NARROW if b < 9 and b % 9 < 7]


def solver(naturals: Counter[int], wilds: int, sets: int, pairs: int, kinds: list[int]) -> set:
    """The product's readings in the brute-force solver's form, wild tiles limited to the same kinds."""
    counts = [naturals[k] for k in range(t.KINDS)]
    out = []
    for groups in readings.decompose(counts, wilds, sets, pairs):
        for filled in readings.give_faces(groups, kinds, [k for k in kinds if brute.runs_of(k)], kinds):
            if all(face in kinds for g in filled for face in g.wild_faces) and in_kinds(filled, kinds):
                out.append(tuple(sorted(form(g) for g in filled)))
    assert len(out) == len(set(out)), "a reading comes twice"
    return set(out)


def in_kinds(groups: tuple[readings.Group, ...], kinds: list[int]) -> bool:
    return all(face in kinds for g in groups for slot, face in enumerate(g.faces) if g.wilds >> slot & 1)


def form(g: readings.Group) -> brute.Filled:
    mask = tuple(bool(g.wilds >> slot & 1) for slot in range(len(g.faces)))
    return g.shape, g.tile, mask if g.shape == "chow" else tuple(sorted(mask))


def random_hand(rng: random.Random, sets: int, pairs: int, wilds: int, kinds: list[int]) -> Counter[int]:
    """A complete hand with ``wilds`` tiles taken away for wild ones; one time in four a tile is spoilt."""
    tiles: list[int] = []
    for _ in range(sets):
        base = rng.choice(kinds)
        run = brute.runs_of(base) and {base, base + 1, base + 2} <= set(kinds) and rng.random() < 0.6
        tiles += [base, base + 1, base + 2] if run else [base] * 3
    for _ in range(pairs):
        tiles += [rng.choice(kinds)] * 2
    rng.shuffle(tiles)
    tiles = tiles[wilds:]
    if rng.random() < 0.25 and tiles:
        tiles[0] = rng.choice(kinds)
    return Counter(tiles)


def agree(seed: int, sets: int, pairs: int, wilds: int) -> int:
    rng = random.Random(seed)
    kinds = NARROW if wilds < 3 else NARROW[:9]
    naturals = random_hand(rng, sets, pairs, wilds, kinds)
    ours = solver(naturals, wilds, sets, pairs, kinds)
    assert ours == brute.readings(naturals, wilds, sets, pairs, kinds), (naturals, wilds)
    return len(ours)


@given(st.integers(0, 2**32), st.sampled_from([(4, 1), (5, 1), (2, 1), (0, 7)]), st.integers(0, 2))
@settings(max_examples=300, deadline=None)
def test_agrees_with_brute_force(seed: int, shape: tuple[int, int], wilds: int) -> None:
    agree(seed, *shape, wilds)


@pytest.mark.slow
@pytest.mark.parametrize("wilds", range(5))
def test_agrees_with_brute_force_on_thousands(wilds: int) -> None:
    """Thousands of hands with 0 to 4 wild tiles, hands of 14 and of 17."""
    rounds = (2000, 2000, 1000, 300, 100)[wilds]
    found = sum(agree(seed, 4 + seed % 2, 1, wilds) for seed in range(rounds))
    assert found > rounds / 2, "three hands in four are complete, so there must be readings"


def test_seven_wild_tiles_are_all_read() -> None:
    """Seven wild tiles (Nanchang) beside seven natural ones in pairs and parts: some reading is found for each shape."""
    counts = [0] * t.KINDS
    for tile in t.parse("1123578m"):
        counts[tile] += 1
    assert readings.decompose(counts, 7, 4, 1)
    assert readings.decompose(counts, 7, 0, 7)


def test_wrong_number_of_tiles_has_no_reading() -> None:
    counts = [0] * t.KINDS
    counts[0] = 3
    assert not readings.decompose(counts, 0, 1, 1)
