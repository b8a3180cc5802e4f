"""Fouls done on purpose are found, and nothing else is: every kind, with known and with hidden hands.

Truth: the recipes of ``foulplay`` write down what they did; they know the rule sets from the sheets' Play chapters.
"""

from __future__ import annotations

import pytest

from tests.table.foulplay import FOULS, TRIES, Tally, measure


def complaints(tally: Tally) -> list[tuple[str, int, str, str]]:
    return tally.examples


def test_every_recipe_has_its_foul() -> None:
    assert {foul.kind for foul in FOULS} == set(TRIES)


def test_fouls_are_found_without_false_alarms() -> None:
    full, hidden, played = measure(46)
    assert played == 46
    assert complaints(full) == [] and complaints(hidden) == []


@pytest.mark.slow
def test_two_thousand_fouls() -> None:
    full, hidden, _ = measure(2000, seed=100_000)
    assert complaints(full) == [] and complaints(hidden) == []
    assert len(full.rates()) >= 18
