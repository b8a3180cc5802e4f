"""The conductor. Truth: a table drawn here, tile by tile, with a reader that sees exactly what is drawn.

Motion, settling, looks and the log are the product's own; only the reading of faces is taken as ideal.
"""

from __future__ import annotations

import json
from dataclasses import replace

import cv2
import numpy as np
import pytest

from hardware import observe as line
from referee.cli_watch import _Out, obey
from referee.live import Notice, Settings, Watch
from referee.table import events as ev
from referee.table.log import read_log
from tests.vision.tabletop import flat_calibration, seen_tile
from vision.camera import Shot
from vision.infer import Happening
from vision.render.layout import Layout, hand_place, meld_corner, place, river_place

LAYOUT = Layout(stacks=(0, 0, 0, 0))
CALIBRATION = flat_calibration(LAYOUT)
STEP = 0.2


class Desk:
    """Tiles on a table, the picture of it, and a reader of that picture."""

    def __init__(self) -> None:
        self.tiles: dict[str, object] = {}
        self.light = 1.0
        self.bumped = (0, 0)
        self.bad: dict[str, dict[str, float]] = {}

    def hands(self, dealer: int = 0) -> None:
        for seat in range(4):
            for k in range(14 if seat == dealer else 13):
                self._put(f"h{seat}.{k}", seat, *hand_place(LAYOUT, k, 13, k == 13), "1m", "standing")

    def _put(self, name: str, seat: int, x: float, y: float, face: str, facing: str = "up", turn: float = 0.0) -> None:
        self.tiles[name] = place(LAYOUT, seat, x, y, track=len(self.tiles), face=face, zone="", facing=facing, turn=turn)

    def discard(self, seat: int, index: int, face: str) -> None:
        x, y, _ = river_place(LAYOUT, index, np.random.default_rng(index))
        self._put(f"r{seat}.{index}", seat, x, y, face)

    def take(self, seat: int, *which: int) -> None:
        for k in which:
            del self.tiles[f"h{seat}.{k}"]

    def draw_tile(self, seat: int) -> None:
        self._put(f"h{seat}.13", seat, *hand_place(LAYOUT, 13, 13, True), "1m", "standing")

    def meld(self, seat: int, faces: list[str]) -> None:
        right, y = meld_corner(LAYOUT, 0.0)
        for k, face in enumerate(faces):
            self._put(f"m{seat}.{k}", seat, right - (len(faces) - k - 0.5) * LAYOUT.pitch, y, face)

    def sightings(self):
        seen = [seen_tile(tile, CALIBRATION, LAYOUT.size) for tile in self.tiles.values()]
        return [replace(s, quad=s.quad + np.float32(self.bumped)) for s in seen]

    def picture(self) -> np.ndarray:
        image = np.full((CALIBRATION.height, CALIBRATION.width, 3), (60, 110, 40), np.uint8)
        image[:: 60, :] = image[:, :: 60] = (90, 150, 70)  # a cloth with lines, so that its picture moves with the camera
        image = np.roll(image, self.bumped[::-1], axis=(0, 1))
        for number, sighting in enumerate(self.sightings()):
            shade = 140 + (hash(sighting.tile) % 100)
            cv2.fillConvexPoly(image, sighting.quad.astype(np.int32), (shade, 255 - number % 60, shade))
        return np.clip(image * self.light, 0, 255).astype(np.uint8)

    def read(self, picture, regions=None, tile_width=None, memory=None):
        regions = regions or [(0, 0, CALIBRATION.width, CALIBRATION.height)]
        inside = lambda s: any(  # noqa: E731
            x <= s.centre[0] <= x + w and y <= s.centre[1] <= y + h for x, y, w, h in regions
        )
        return [s for s in self.sightings() if inside(s)]


class Sitting:
    """A watch over a desk, its clock, and what it reported."""

    def __init__(self, log, desk: Desk, **settings) -> None:
        self.desk, self.t, self.number = desk, 0.0, 0
        self.watch = Watch(Settings("hongkong", dealer=0, **settings), CALIBRATION, desk, log)
        self.reports = list(self.watch.follower.begun)

    def wait(self, seconds: float) -> list:
        picture, fresh = self.desk.picture(), []
        for _ in range(round(seconds / STEP)):
            fresh += self.watch.shot(Shot(self.number, self.t, picture))
            self.t, self.number = self.t + STEP, self.number + 1
        self.reports += fresh
        return fresh

    def lost(self) -> list:
        self.t, self.number = self.t + STEP, self.number + 1
        return self.watch.shot(Shot(self.number, self.t, None, lost=True))

    @property
    def told(self) -> list[str]:
        return [_short(r.event) for r in self.reports if isinstance(r, Happening) and r.event]


def _short(event: ev.Event) -> str:
    row = ev.write_event(event)
    return " ".join(str(row[k]) for k in ("type", "seat", "tile", "tiles", "from") if row.get(k) is not None)


@pytest.fixture
def sitting(tmp_path):
    desk = Desk()
    desk.hands()
    table = Sitting(tmp_path / "game.jsonl", desk)
    table.wait(2.0)
    return table


def _third_plays(sitting):
    """The third player draws and discards the tile drawn."""
    sitting.desk.draw_tile(2)
    sitting.wait(1.0)
    sitting.desk.take(2, 13)
    sitting.desk.discard(2, 0, "9p")
    sitting.wait(2.0)


def _first_round(table: Sitting) -> None:
    """The dealer discards a red dragon, seat 1 draws and discards a one of characters, seat 3 pungs it."""
    table.desk.take(0, 13)
    table.desk.discard(0, 0, "C")
    table.wait(1.6)
    table.desk.draw_tile(1)
    table.wait(1.0)
    table.desk.take(1, 13)
    table.desk.discard(1, 0, "1m")
    table.wait(1.6)


FIRST = ["start", "deal", "discard 0 C", "draw 1", "discard 1 1m"]


def test_discards_are_told_as_they_come(sitting):
    _first_round(sitting)
    assert sitting.told == FIRST


def test_a_claim_takes_the_discard(sitting):
    _first_round(sitting)
    del sitting.desk.tiles["r1.0"]
    sitting.desk.take(3, 11, 12)
    sitting.desk.meld(3, ["1m", "1m", "1m"])
    sitting.wait(2.0)
    assert sitting.told == [*FIRST, "pung 3 111m 1"]


def test_everything_is_on_the_disk_before_it_is_told(sitting, tmp_path):
    _first_round(sitting)
    read = [_short(e.event) for e in read_log((tmp_path / "game.jsonl").read_bytes()).entries]
    assert read == sitting.told


def test_a_log_is_taken_up_again_after_a_kill(sitting, tmp_path):
    _first_round(sitting)
    with (tmp_path / "game.jsonl").open("ab") as file:
        file.write(b'{"n": 6, "type": "disc')  # the line that was being written
    again = Sitting(tmp_path / "game.jsonl", sitting.desk)
    again.wait(3.0)
    assert again.told == []
    _third_plays(again)
    assert again.told == ["draw 2", "discard 2 9p"]
    state = again.watch.follower.state
    assert [len(seat.discards) for seat in state.seats] == [1, 1, 1, 0]


def test_the_light_goes_out_and_on_and_nothing_is_lost(sitting):
    _first_round(sitting)
    before = list(sitting.told)
    for light in (0.25, 1.0):
        sitting.desk.light = light
        sitting.wait(3.0)
    assert sitting.told == before
    _third_plays(sitting)
    assert sitting.told == [*before, "draw 2", "discard 2 9p"]


def test_the_camera_is_bumped_and_nothing_is_lost_or_made_up(sitting):
    _first_round(sitting)
    before = list(sitting.told)
    sitting.desk.bumped = (9, 6)
    said = sitting.wait(3.0)
    assert [r.kind for r in said if isinstance(r, Notice)] == ["picture"]
    assert sitting.told == before
    _third_plays(sitting)
    assert sitting.told == [*before, "draw 2", "discard 2 9p"]


def test_a_source_that_goes_away_is_said_once_and_taken_up_again(sitting):
    _first_round(sitting)
    said = [*sitting.lost(), *sitting.lost()]
    assert [r.kind for r in said] == ["source"]
    back = sitting.wait(1.0)
    assert [r.text for r in back if isinstance(r, Notice)] == ["the picture is back"]
    assert sitting.told == FIRST


def test_a_person_replaces_an_event_and_strikes_one_out(sitting):
    _first_round(sitting)
    number = next(r.event.n for r in sitting.reports if isinstance(r, Happening) and r.event and r.event.type == "discard")
    sitting.watch.correct(number, [ev.Discard(seat=0, tile=ev.read_event({"type": "discard", "seat": 0, "tile": "F"}).tile)])
    assert sitting.watch.follower.state.seats[0].discards[0].tile == 32
    out = _Out(sitting.watch, True, "en")
    assert obey("undo 5", sitting.watch, out)
    assert not sitting.watch.follower.state.seats[1].discards
    assert not obey("quit", sitting.watch, out)


def test_a_doubtful_face_is_asked_and_the_answer_corrects_the_event(sitting, capsys):
    read = sitting.desk.read

    def unsure(picture, regions=None, tile_width=None, memory=None):
        names = {"5m": 0.55, "E": 0.45}
        return [replace(s, probabilities=names, confidence=0.6) if s.tile == "5m" else s for s in read(picture, regions)]

    sitting.desk.read = unsure
    sitting.desk.take(0, 13)
    sitting.desk.discard(0, 0, "5m")
    sitting.wait(3.0)
    assert [q.choices for q in sitting.watch.questions] == [("5m", "E")]
    out = _Out(sitting.watch, True, "en")
    capsys.readouterr()
    assert obey("0 2", sitting.watch, out)
    assert json.loads(capsys.readouterr().out.splitlines()[0])["type"] == "correct"
    assert sitting.watch.follower.state.seats[0].discards[0].tile == 27
    assert obey("0 9", sitting.watch, out)
    assert "has answers 1 to 2" in capsys.readouterr().err
    assert obey("7 1", sitting.watch, out)
    assert "no question 7" in capsys.readouterr().err


def test_a_pinned_face_corrects_the_discard(sitting):
    _first_round(sitting)
    tile = sitting.desk.tiles["r1.0"]
    ((x, y),) = CALIBRATION.to_pixels(np.array([[tile.x, tile.y]]))
    assert sitting.watch.pin(float(x), float(y), "2m")
    assert sitting.watch.follower.state.seats[1].discards[0].tile == 1
    assert not sitting.watch.pin(5.0, 5.0, "2m")


def _round(table: Sitting, number: int, faces: str) -> None:
    """Every player draws and discards, seat 2 first."""
    for seat, face in zip((2, 3, 0, 1), faces.split(), strict=True):
        table.desk.draw_tile(seat)
        table.wait(0.8)
        table.desk.take(seat, 13)
        table.desk.discard(seat, number + (seat < 2), face)
        table.wait(1.6)


ROUNDS = ("1s 2s 3s 4s", "5s 6s 7s 8s", "1p 2p 3p 4p", "5p 6p 7p 8p", "E S W N")


def test_a_hand_one_short_is_found_over_several_turns(sitting):
    _first_round(sitting)
    sitting.desk.take(2, 12)
    for number, faces in enumerate(ROUNDS):
        _round(sitting, number, faces)
    counts = [r for r in sitting.reports if isinstance(r, Happening) and isinstance(r.event, ev.Count)]
    assert [(r.event.seat, r.event.tiles) for r in counts] == [(2, 12)]
    assert [f.kind for told in counts[0].told for f in told.faults] == ["short_hand"]


def test_a_gap_in_a_row_is_a_tile_that_is_not_seen(sitting):
    _first_round(sitting)
    sitting.desk.take(2, 4)
    for number, faces in enumerate(ROUNDS):
        _round(sitting, number, faces)
    assert not [r for r in sitting.reports if isinstance(r, Happening) and isinstance(r.event, ev.Count)]


def test_a_discard_before_others_is_taken_for_a_miss_and_asked_about(sitting):
    """Nothing shows that seat 3, whose hand is whole, did not draw in his turn."""
    _first_round(sitting)
    sitting.desk.discard(3, 0, "9p")
    sitting.wait(5.0)
    assert [e for e in sitting.told if "discard" in e][2:] == ["discard 2", "discard 3 9p"]
    assert not [f for r in sitting.reports if isinstance(r, Happening) for told in r.told for f in told.faults if f.certain]
    assert sitting.watch.questions[-1].choices == ("it was missed", "seat 3 was out of turn")
    sitting.desk.discard(2, 0, "E")
    sitting.wait(2.0)
    assert sitting.watch.follower.state.seats[2].discards[0].tile == 27


def test_missed_events_are_added_and_wrong_ones_replaced_by_typing(sitting, capsys):
    _first_round(sitting)
    out = _Out(sitting.watch, True, "en")
    number = max(r.event.n for r in sitting.reports if isinstance(r, Happening) and r.event)
    assert obey(f'replace {number} {{"type": "discard", "seat": 1, "tile": "4p"}}', sitting.watch, out)
    assert sitting.watch.follower.state.seats[1].discards[0].tile == 12
    assert obey('add {"type": "draw", "seat": 2}', sitting.watch, out)
    assert obey('add {"type": "discard", "seat": 2, "tile": "5p"}', sitting.watch, out)
    assert sitting.watch.follower.state.seats[2].discards[0].tile == 13
    assert obey("add nonsense", sitting.watch, out)
    assert "cannot do that" in capsys.readouterr().err


def test_the_table_s_line_tells_of_draws_and_where_it_disagrees(sitting):
    sitting.desk.take(0, 13)
    sitting.desk.discard(0, 0, "C")
    sitting.wait(1.6)
    left = sitting.watch.follower.state.left
    told = sitting.watch.table(line.TilesDrawn(at=1.0, count=1, left=left - 1, end="head", seat=1))
    assert [_short(r.event) for r in told] == ["draw 1"]
    said = sitting.watch.table(line.TilesDrawn(at=2.0, count=1, left=left - 5, end="head", seat=1))
    assert [r.kind for r in said] == ["disagree"]


def test_the_table_s_line_tells_where_the_wall_was_opened(tmp_path):
    desk = Desk()
    table = Sitting(tmp_path / "game.jsonl", desk)
    assert table.watch.table(line.WallOpened(at=0.1, wall=2, stacks=7)) == []
    desk.hands()
    table.wait(2.0)
    deal = next(r.event for r in table.reports if isinstance(r, Happening) and isinstance(r.event, ev.Deal))
    assert (deal.wall, deal.stacks) == (2, 7)


@pytest.mark.slow
def test_nothing_grows_while_a_tile_is_fidgeted_with(sitting):
    """Ten minutes of a player moving a tile of his to and fro: what is kept of that is what was kept after one."""
    _first_round(sitting)
    watch = sitting.watch

    def fidget(times: int) -> tuple[int, ...]:
        for _ in range(times):
            sitting.desk.take(2, 5)
            sitting.wait(1.0)
            sitting.desk._put("h2.5", 2, *hand_place(LAYOUT, 5, 13), "1m", "standing")
            sitting.wait(1.0)
        follower = watch.follower
        return len(watch.tracker.tracks), len(follower._stirs), len(follower._fleeting), len(follower._waiting)

    early, late = fidget(30), fidget(300)
    assert all(b <= a + 2 for a, b in zip(early, late, strict=True))
    assert sitting.told == FIRST


def test_an_incomplete_set_is_said_once(sitting):
    said = [*sitting.watch.table(line.TilesHandedIn(at=1.0, count=143, expected=144)),
            *sitting.watch.table(line.Doubt(1.0, "set_size", 144, 143, "143 tiles handed in, 144 expected"))]  # fmt: skip
    assert [r.text for r in said] == ["143 tiles handed in, 144 expected"]


def test_discards_lie_where_the_rules_have_them(tmp_path):
    for rules_id, where in (("hongkong", "rows"), ("wuhan", "centre")):
        watch = Watch(Settings(rules_id), CALIBRATION, Desk(), tmp_path / f"{rules_id}.jsonl")
        assert watch.custom.river == where
        watch.close()


def _to_the_third(sitting) -> None:
    """East discards a seven of bamboos, which nobody claims; seat 1 draws."""
    sitting.desk.take(0, 13)
    sitting.desk.discard(0, 0, "7s")
    sitting.wait(1.6)
    sitting.desk.draw_tile(1)
    sitting.wait(1.0)


def test_a_discard_is_seen_though_it_is_taken_up_at_once(sitting):
    """A hand leaves it, another comes for it: it lies free in two pictures of a slow camera."""
    _to_the_third(sitting)
    sitting.desk.take(1, 13)
    sitting.desk.discard(1, 0, "1m")
    sitting.wait(2 * STEP)
    assert sitting.told[-1] == "discard 1 1m"


def test_a_discard_that_is_pushed_into_its_row_is_the_same(sitting):
    _to_the_third(sitting)
    sitting.desk.take(1, 13)
    x, y, _ = river_place(LAYOUT, 0, np.random.default_rng(0))
    sitting.desk._put("r1.0", 1, x + 1.5 * LAYOUT.pitch, y, "1m")
    sitting.wait(1.0)
    del sitting.desk.tiles["r1.0"]
    sitting.wait(0.6)
    sitting.desk.discard(1, 0, "1m")
    sitting.wait(4.0)
    assert sitting.told[-1] == "discard 1 1m" and not sitting.watch.questions
    _third_plays(sitting)
    assert sitting.told[-2:] == ["draw 2", "discard 2 9p"]


def test_what_lies_on_offer_yet_is_in_no_set(sitting):
    """Seat 2 chows an eight that nobody saw lie. The set would go with the seven on offer as well, but that lies there yet,
    which one look tells: it is not waited for."""
    _to_the_third(sitting)
    sitting.desk.take(1, 13)
    sitting.desk.take(2, 11, 12)
    sitting.desk.meld(2, ["8s", "6s", "7s"])
    sitting.wait(1.0)
    assert sitting.told[-2:] == ["discard 1 8s", "chow 2 678s 1"]


def test_what_was_missed_once_is_looked_at_again_at_once(sitting):
    """A look at the whole table overlooks a discard; the next picture shows that it lies there, though nothing has moved."""
    _to_the_third(sitting)
    watch = sitting.watch
    (seven,) = [k for k in watch.tracker.tracks.values() if k.tile == "7s"]
    looks = iter([[s for s in sitting.desk.sightings() if s.tile != "7s"]])
    reads = sitting.desk.read
    sitting.desk.read = lambda *a, **k: next(looks, None) or reads(*a, **k)
    watch._whole_at = -1000.0
    sitting.wait(STEP)
    assert seven.missed == 1
    sitting.wait(STEP)
    assert seven.missed == 0 and watch.tracker.tracks[seven.id] is seven


def test_tiles_that_are_pushed_together_are_no_discards(sitting):
    """Two rounds are played, then the hand is broken off: what lies there is pushed together and comes to lie elsewhere."""
    faces = iter(["3p", "E", "8m", "2s", "9p", "W", "1m", "6s"])
    sitting.desk.take(0, 13)
    for k in range(8):
        if k:
            sitting.desk.draw_tile(k % 4)
            sitting.wait(0.6)
            sitting.desk.take(k % 4, 13)
        sitting.desk.discard(k % 4, k // 4, next(faces))
        sitting.wait(1.0)
    told = [line for line in sitting.told if line.startswith("discard")]
    assert len(told) == 8
    for number, name in enumerate([name for name in sitting.desk.tiles if name[0] == "r"]):
        moved = sitting.desk.tiles.pop(name)
        sitting.desk.tiles[f"p{number}"] = replace(moved, x=1.3 * moved.y, y=1.3 * moved.x + 40.0)
    sitting.wait(5.0)
    assert [line for line in sitting.told if line.startswith("discard")] == told
