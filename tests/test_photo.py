"""From a photograph to a score. Truth: the labels beside the photographs (tests/photos/annotations.json), settled as records."""

import json
import subprocess
import sys
from pathlib import Path

import cv2
import pytest

from referee.photo import Situation, read_hand
from referee.rules.record import RecordError, parse_record
from referee.rules.settle import settle
from referee.typed import typed_record
from vision.detect import Detector
from vision.images import load_image

PHOTOS = Path(__file__).parent / "photos"
LABELS = {entry["image"]: entry for entry in json.loads((PHOTOS / "annotations.json").read_text())}
HANDS = sorted(name for name in LABELS if name.startswith("hand_"))


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector()


def codes(name: str) -> list[str]:
    return [o["tile"] for o in LABELS[name]["objects"]]


@pytest.mark.parametrize("name", HANDS)
def test_settlement_is_that_of_the_labels(name: str, detector: Detector) -> None:
    """Shaanxi, which has neither patterns nor a minimum, and Hong Kong with its bonus tiles."""
    hand = [c for c in codes(name) if c[-1] not in "fq"]
    bonus = "".join(c for c in codes(name) if c[-1] in "fq")
    win = hand.pop()
    sightings = detector.read(load_image(PHOTOS / name))
    for rules, options, flowers in (("shaanxi", {}, ""), ("hongkong", {"minimum_faan": 0}, bonus)):
        truth = settle(parse_record(typed_record("".join(hand), rules, win=win, options=options, bonus=flowers)))
        reading = read_hand(sightings, Situation(rules, options, win_tile=win))
        assert reading.settlement is not None, reading.problem
        assert reading.settlement.deltas == truth.deltas


def test_a_picture_without_a_hand_is_told_so(detector: Detector) -> None:
    sightings = detector.read(load_image(PHOTOS / "tray_1.jpg"))
    reading = read_hand(sightings, Situation("shaanxi", {}))
    assert reading.settlement is None or not reading.settlement.verdicts[0].legal
    assert any("too many" in remark or "missing" in remark for remark in reading.remarks)


def test_a_winning_tile_that_is_not_there_is_refused(detector: Detector) -> None:
    sightings = detector.read(load_image(PHOTOS / HANDS[0]))
    with pytest.raises(RecordError, match="--win"):
        read_hand(sightings, Situation("shaanxi", {}, win_tile="4f"))


def test_wild_flowers_stay_in_the_hand() -> None:
    """Ningbo sheet, Wild and bonus tiles: with a flower turned up the other flowers are wild and may not be shown."""
    from tests.vision.test_arrange import row

    seen = row("2m 3m 4m 4p 5p 6p 7s 7s E E E 4m 4m") + row("2f", 640)
    situation = Situation("ningbo", {}, indicator="1f")
    record = read_hand(seen, situation).record
    assert "2f" in record["players"][0]["hand"] and record["players"][0]["bonus"] == ""


def test_doubtful_tiles_are_asked_about_and_the_answer_counts(detector: Detector) -> None:
    """A reading made doubtful: the person is asked, and what the person says is settled."""
    from dataclasses import replace

    sightings = detector.read(load_image(PHOTOS / "hand_wood_1.jpg"))
    first = next(i for i, s in enumerate(sightings) if s.facing == "up" and s.confidence > 0.9)
    tile = sightings[first].tile
    sightings[first] = replace(sightings[first], probabilities={tile: 0.6, "9p": 0.4}, confidence=0.6)
    asked: list[tuple[str, ...]] = []

    def choose(sighting: object, choices: tuple[str, ...]) -> str:
        asked.append(choices)
        return choices[0]

    reading = read_hand(sightings, Situation("shaanxi", {}), choose)
    assert (tile, "9p") in asked and not reading.doubts
    alone = read_hand(sightings, Situation("shaanxi", {}))
    assert any(d.sighting.tile == tile and d.consequences for d in alone.doubts)


def test_the_command_prints_sheet_line_and_picture(tmp_path: Path) -> None:
    out = tmp_path / "seen.png"
    command = [sys.executable, "-c", "from referee.cli import main; main()", "photo", str(PHOTOS / "hand_green_2.jpg")]
    command += ["--rules", "hongkong", "--out", str(out), "--no-ask"]
    done = subprocess.run(command, text=True, capture_output=True, timeout=120)
    assert done.returncode == 0, done.stderr
    for text in ("hand", "winning", "小四喜", "little winds", "receives 384", "East wins by self-draw"):
        assert text in done.stdout
    picture = cv2.imread(str(out))
    assert picture is not None and picture.shape[0] > 640, "the caption stands below the picture"


def test_json_has_record_and_settlement() -> None:
    command = [sys.executable, "-c", "from referee.cli import main; main()", "photo", str(PHOTOS / "hand_green_1.jpg")]
    done = subprocess.run([*command, "--rules", "shaanxi", "--json"], text=True, capture_output=True, timeout=120)
    seen = json.loads(done.stdout)
    assert len(seen["hand"]) == 13 and seen["settlement"]["deltas"] == [12, -4, -4, -4]
    assert settle(parse_record(seen["record"])).deltas == (12, -4, -4, -4)
