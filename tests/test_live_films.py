"""The live referee on filmed play, with the shipped models, while something befalls the table: arms over much of it, the light
switched, the source away, the camera bumped.

Truth: the event log that is filmed. Nothing may be told that did not happen, what was recorded stays, and what happened is
told once the table can be seen again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.live import Notice, Report, Settings, Watch
from referee.rules.ruleset import load
from referee.table import events as ev
from tests.vision.filmed import Filmed, away, changed, covered, leaning, lit, played, write
from tests.vision.tabletop import public
from vision.camera import Shot
from vision.detect import Detector
from vision.infer import Happening
from vision.render.customs import layout_of
from vision.render.film import random_look

pytestmark = pytest.mark.slow  # films are drawn and every picture of them is read

EVENTS = [
    {"type": "start", "rules": "hongkong", "dealer": 0},
    {"type": "dice", "seat": 0, "values": [3, 5], "for": "wall"},
    {"type": "deal", "hands": [None] * 4},
    {"type": "discard", "seat": 0, "tile": "9p"},
    {"type": "draw", "seat": 1, "tile": "2s", "end": "head"},
    {"type": "discard", "seat": 1, "tile": "W"},
    {"type": "pung", "seat": 3, "tiles": "WWW", "claimed": "W", "from": 1},
    {"type": "discard", "seat": 3, "tile": "1m"},
    {"type": "draw", "seat": 0, "tile": "5p", "end": "head"},
    {"type": "discard", "seat": 0, "tile": "N"},
    {"type": "draw", "seat": 1, "tile": "E", "end": "head"},
    {"type": "discard", "seat": 1, "tile": "8s"},
    {"type": "draw", "seat": 2, "tile": "3m", "end": "head"},
    {"type": "discard", "seat": 2, "tile": "4p"},
]
SEED = 5
SIZE = (1920, 1080)
REST = 3.0  # seconds of still table at the end
LEANING = 6.0, 2.6  # seconds from one leaning over the table to the next, and how long it lasts


@dataclass(frozen=True, eq=False)
class Followed:
    """What was made of a film."""

    watch: Watch
    reports: list[Report]

    @property
    def told(self) -> list[dict]:
        """The events as they stand now, corrections made."""
        return [ev.write_event(told.event) for told in self.watch.ledger.told]

    @property
    def notices(self) -> list[str]:
        return [report.kind for report in self.reports if isinstance(report, Notice)]

    @property
    def rulings(self) -> list[str]:
        """Faults ruled without a word of doubt."""
        told = [told for report in self.reports if isinstance(report, Happening) for told in report.told]
        return [fault.kind for item in told for fault in item.faults if fault.certain]


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector(threads=1)


def _film(folder: Path, arms: bool) -> Filmed:
    layout = layout_of(load("hongkong", {}))
    script = played(EVENTS, layout, SEED, pace=0.85)
    script = replace(script, length=script.length + REST)
    script = leaning(script, layout, *LEANING) if arms else script
    look = random_look(np.random.default_rng([SEED, 17]), layout, SIZE)
    return write(folder, EVENTS, script, layout, look, SEED)


@pytest.fixture(scope="module")
def film(tmp_path_factory) -> Filmed:
    return _film(tmp_path_factory.mktemp("bare"), arms=False)


@pytest.fixture
def follow(film, detector, tmp_path):
    """Have the referee watch pictures of the film's table."""

    def watching(shots: Iterable[Shot]) -> Followed:
        watch = Watch(Settings("hongkong", dealer=0), film.calibration, detector, tmp_path / "game.jsonl")
        reports = [report for shot in shots for report in watch.shot(shot)]
        watch.close()
        lines = [json.loads(line) for line in (tmp_path / "game.jsonl").read_text(encoding="utf-8").splitlines()]
        assert [line["n"] for line in lines] == [*range(1, len(lines) + 1)]  # all of it on the disk, in order
        return Followed(watch, reports)

    return watching


def test_a_table_nothing_befalls(film, follow):
    found = follow(film.shots())
    assert public(found.told) == public(film.events)
    assert not found.notices and not found.rulings


def test_arms_over_the_table_cost_no_wrong_event(film, follow, tmp_path_factory):
    hidden = _film(tmp_path_factory.mktemp("hidden"), arms=True)
    assert np.mean(np.array(covered(film, hidden)) >= 0.3) >= 1 / 3
    found = follow(hidden.shots())
    assert public(found.told) == public(film.events)
    assert not found.rulings


def test_the_light_is_switched(film, follow):
    """To two fifths of it and warmer from one picture to the next, and back over most of a second, as cameras do it."""
    off, on = film.events[6]["t"], film.events[9]["t"]

    def light(picture: np.ndarray, t: float) -> np.ndarray:
        share = float(np.interp(t, [on, on + 0.8], [1.0, 0.0])) if t >= off else 0.0
        return lit(picture, 0.4**share, 1.5**share)

    found = follow(changed(film.shots(), light))
    assert public(found.told) == public(film.events)
    assert found.notices == ["picture", "picture"]
    assert not found.rulings


def test_the_source_goes_away_in_mid_game_and_comes_back(film, follow):
    """While it is away a player draws and discards."""
    begin = film.events[7]["t"] + 1.5
    end = film.events[9]["t"] + 0.4
    found = follow(away(film.shots(), begin, end))
    assert [k for k in found.notices if k == "source"] == ["source"] * 2
    assert public(found.told) == public(film.events)
    assert not found.rulings


def test_the_camera_is_bumped_and_finds_the_table_again(film, follow):
    at = film.events[7]["t"] + 1.0
    height, width = SIZE[::-1]
    bump = cv2.getRotationMatrix2D((width / 2, height / 2), 0.6, 1.0)
    bump[:, 2] += 14, 9

    def view(picture: np.ndarray, t: float) -> np.ndarray:
        return picture if t < at else cv2.warpAffine(picture, bump, (width, height), borderMode=cv2.BORDER_REPLICATE)

    found = follow(changed(film.shots(), view))
    assert found.notices[:2] == ["picture", "camera"]
    assert public(found.told) == public(film.events)
    assert not found.rulings
