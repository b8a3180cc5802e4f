"""Tiles told together. Truth: all ways to give the tiles their kinds, tried one by one."""

from __future__ import annotations

import itertools
import math
import random

import pytest

from vision.alike import likely, told_together

ROOM = {"1f": 1, "2f": 1, "3f": 1, "C": 2}


def _best(looks: list[dict[str, float]]) -> float:
    """The chance of the likeliest way, in nats."""
    ways = itertools.product(ROOM, repeat=len(looks))
    fitting = [way for way in ways if all(way.count(kind) <= n for kind, n in ROOM.items())]
    return max(sum(math.log(look[kind]) for look, kind in zip(looks, way, strict=True)) for way in fitting)


def test_the_likeliest_way_is_kept_up_tile_by_tile() -> None:
    rng = random.Random(5)
    for _ in range(200):
        looks = [{kind: rng.uniform(0.001, 1.0) ** 3 for kind in ROOM} for _ in range(rng.randint(1, 5))]
        names: list[str] = []
        for number in range(1, len(looks) + 1):
            names = told_together(looks[:number], ROOM, names)
        assert all(names.count(kind) <= n for kind, n in ROOM.items())
        chance = sum(math.log(look[name]) for look, name in zip(looks, names, strict=True))
        assert math.isclose(chance, _best(looks), abs_tol=1e-6)


def test_what_a_tile_may_be_says_what_the_others_would_be() -> None:
    """Both look like 1f: one is 2f, and nobody knows which."""
    looks = [{"1f": 0.9, "2f": 0.1}, {"1f": 0.9, "2f": 0.1}]
    names = told_together(looks, ROOM, ["1f"])
    assert sorted(names) == ["1f", "2f"]
    assert dict(likely(0, looks, names, ROOM)) == pytest.approx({"1f": 0.5, "2f": 0.5})


def test_more_tiles_than_there_are() -> None:
    """A third of a kind of which there are two, and no room left."""
    looks = [{"C": 1.0}] * 3
    assert told_together(looks, {"C": 2}, ["C", "C"]) == ["C"] * 3
