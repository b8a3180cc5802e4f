"""Declared sets where a reader sees backs: of kongs that lie face down, and of tiles that stand in a hand."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest

from referee.rules.ruleset import load
from referee.simulate import play
from referee.table import events as ev
from tests.vision.tabletop import follow
from vision.classes import BACK, EDGE
from vision.detect import Sighting
from vision.render.customs import deck_of, layout_of
from vision.render.scene import Tile


@dataclass(frozen=True)
class _Dice:
    dice: float = 0.0


@dataclass(frozen=True)
class Aslant:
    """A reader that takes runs of a standing row for backs and the rest for edges, as it does where the camera looks on the
    backs of a hand from well above."""

    run: int = 4
    table: _Dice = _Dice()

    def sees(self, tile: Tile, sighting: Sighting, seed: int, look: int, pixels: float) -> list[Sighting]:
        along = tile.x if tile.seat in (0, 2) else tile.y
        if sighting.facing != "standing" or round(along / 30.0) % (self.run + 1) == 0:
            return [sighting]
        return [replace(sighting, facing="down", probabilities={BACK: 0.9, EDGE: 0.1}, confidence=0.9)]

    def imagined(self, seed: int, look: int, half: float, places: Any) -> list[Any]:
        return []


def _kongs(events: list[dict[str, Any]]) -> list[int]:
    return [event["seat"] for event in events if event["type"] == "concealed_kong"]


# Both rule sets lay concealed kongs wholly face down (docs/sheets); one is declared in each of these games.
@pytest.mark.parametrize(("rules_id", "seed"), [("hangzhou", 6), ("wuhan", 2), ("wuhan", 14)])
def test_backs_seen_of_standing_tiles_are_no_kong(rules_id, seed):
    """Truth: the log of the game that was played."""
    rules = load(rules_id)
    events = [ev.write_event(event) for event in play(rules_id, seed, 1).events]
    told = follow(events, layout_of(rules), seed, deck=deck_of(rules), noise=Aslant())
    assert _kongs(told.found) == _kongs(told.truth)
