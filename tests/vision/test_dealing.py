"""The beginning of a hand where bonus tiles are set aside close to a wall."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from referee.rules.ruleset import load
from referee.simulate import play
from referee.table import events as ev
from tests.vision.tabletop import PER_MM, follow
from vision.detect import Sighting
from vision.render.customs import deck_of, layout_of
from vision.render.scene import Tile


@dataclass(frozen=True)
class _Dice:
    dice: float = 0.0


@dataclass(frozen=True)
class Lifted:
    """A reader for whom the walls seem to lie ``by`` mm nearer to the edge at the bottom than they do, for they are two tiles
    high and the camera looks from beyond them."""

    by: float = 8.0
    table: _Dice = _Dice()

    def sees(self, tile: Tile, sighting: Sighting, seed: int, look: int, pixels: float) -> list[Sighting]:
        low = tile.zone.startswith("wall") and tile.y < 0
        away = np.array([0.0, self.by * PER_MM], np.float32)
        return [replace(sighting, quad=sighting.quad + away)] if low else [sighting]

    def imagined(self, seed: int, look: int, half: float, places: Any) -> list[Any]:
        return []


def test_bonus_tiles_set_aside_close_to_a_wall_are_no_indicators():
    """Fuzhou's sheet: honours and flowers are set aside before a tile is turned up. Truth: the log of the game."""
    rules = load("fuzhou")
    events = [ev.write_event(event) for event in play("fuzhou", 50000, 1).events]
    told = follow(events, layout_of(rules), 1, deck=deck_of(rules), noise=Lifted())
    found, truth = ([e["tile"] for e in log if e["type"] == "indicator"] for log in (told.found, told.truth))
    assert found == truth
