"""Films of a hand. Truth: the event log that is filmed; where tiles lie at its end follows from the log alone."""

import json
from collections import Counter
from dataclasses import replace

import cv2
import numpy as np
import pytest

from referee.rules.ruleset import load
from referee.rules.tiles import NAMES, parse
from referee.table.events import Indicator
from vision.render.customs import aside_in
from vision.render.film import Film, calibration, moving_tile, random_look, render_game
from vision.render.layout import Layout
from vision.render.script import Customs, choreograph

EVENTS = [
    {"type": "start", "rules": "hongkong", "dealer": 0},
    {"type": "dice", "seat": 0, "values": [3, 5], "for": "wall"},
    {"type": "deal", "hands": ["2345678m1199pEE1q", "123m45s456p777sPP", "19m19p19sESWNCFP", None]},
    {"type": "bonus", "seat": 0, "tile": "1q"},
    {"type": "draw", "seat": 0, "tile": "P", "end": "tail"},
    {"type": "discard", "seat": 0, "tile": "P"},
    {"type": "pung", "seat": 1, "tiles": "PPP", "claimed": "P", "from": 0},
    {"type": "discard", "seat": 1, "tile": "1m"},
    {"type": "draw", "seat": 2, "tile": "E", "end": "head"},
    {"type": "discard", "seat": 2, "tile": "E"},
    {"type": "pung", "seat": 0, "tiles": "EEE", "claimed": "E", "from": 2},
    {"type": "discard", "seat": 0, "tile": "9p"},
    {"type": "draw", "seat": 1, "tile": "7s", "end": "head"},
    {"type": "concealed_kong", "seat": 1, "tiles": "7777s"},
    {"type": "draw", "seat": 1, "tile": "4s", "end": "tail"},
    {"type": "discard", "seat": 1, "tile": "2m"},
    {"type": "draw", "seat": 2, "tile": None, "end": "head"},
    {"type": "discard", "seat": 2, "tile": "9s"},
    {"type": "draw", "seat": 3, "tile": None, "end": "head"},
    {"type": "discard", "seat": 3, "tile": "9p"},
    {"type": "win", "seat": 0, "tile": "9p", "source": "discard", "from": 3, "hand": "2345678m119p"},
    {"type": "end", "why": "win"},
]
LAYOUT = Layout(stacks=(18, 18, 18, 18))
LIVE_DISCARDS = ["1m", "9p", "2m", "9s"]


def _end(script):
    rest = {t.track: t for t in script.tiles}
    for motion in script.motions:
        rest[motion.track] = motion.end
    return list(rest.values())


def _faces(text: str) -> Counter:
    return Counter(NAMES[t] for t in parse(text))


@pytest.mark.parametrize("river", ["rows", "centre"])
@pytest.mark.parametrize("seed", [1, 2])
def test_tiles_end_where_the_log_says(river, seed):
    end = _end(choreograph(EVENTS, replace(LAYOUT, river=river), seed))
    zones: dict[str, Counter] = {}
    for tile in end:
        zones.setdefault(tile.zone, Counter())[tile.face] += 1
    discards = sum((c for z, c in zones.items() if z.startswith("river") or z == "centre"), Counter())
    assert discards == Counter(LIVE_DISCARDS)
    assert zones["meld:0"] == _faces("EEE")
    assert zones["meld:1"] == _faces("PPP7777s")
    assert zones["bonus:0"] == _faces("1q")
    assert zones["hand:0"] == _faces("2345678m1199p")
    assert sum(zones["hand:1"].values()) == 7
    assert sum(zones["hand:2"].values()) == 13
    assert sum(zones["hand:3"].values()) == 13
    assert sum(sum(c.values()) for c in zones.values()) == 144
    shown = {t.zone: t.pitch for t in end}
    assert shown["hand:0"] == 0
    assert shown["hand:2"] == 90


def test_every_tile_is_one_of_the_set():
    faces = Counter(t.face for t in choreograph(EVENTS, LAYOUT, 5).tiles)
    assert set(faces.values()) == {1, 4}
    assert len(faces) == 42


def test_the_turned_tile_shows_the_giver():
    """Seat 1 took from its left neighbour (seat 0): its left tile lies across; seat 0 from across: the middle one."""
    end = _end(choreograph(EVENTS, LAYOUT, 1))
    for seat, expected in ((1, 0), (0, 1)):
        first = [t for t in end if t.zone == f"meld:{seat}" and t.face in ("P", "E")]
        a = np.deg2rad(90 * seat)
        first.sort(key=lambda t: t.x * np.cos(a) + t.y * np.sin(a))
        across = [i for i, t in enumerate(first) if abs((t.yaw - 90 * seat) % 180 - 90) < 20]
        assert across == [expected]


def test_a_concealed_kong_shows_two_backs():
    kong = [t for t in _end(choreograph(EVENTS, LAYOUT, 1)) if t.zone == "meld:1" and t.face == "7s"]
    assert sorted(t.pitch for t in kong) == [0, 0, 180, 180]


def test_motions_do_not_jump():
    """Every tile starts each way where the last one left it, and times run forwards."""
    script = choreograph(EVENTS, LAYOUT, 3)
    at = {t.track: (t, 0.0) for t in script.tiles}
    for motion in script.motions:
        before, since = at[motion.track]
        assert motion.t0 >= since - 1e-6 or (before.x, before.y) == (motion.start.x, motion.start.y)
        assert (motion.start.x, motion.start.y, motion.start.pitch) == (before.x, before.y, before.pitch)
        assert motion.t1 > motion.t0
        at[motion.track] = (motion.end, motion.t1)
        half = moving_tile(motion, (motion.t0 + motion.t1) / 2)
        assert half.z > min(motion.start.z, motion.end.z)
    assert list(script.times) == sorted(script.times)
    assert script.length > script.times[-1]


def test_a_better_claim_takes_the_discard_over():
    events = [
        *EVENTS[:6],
        {"type": "chow", "seat": 1, "tiles": "PPP", "claimed": "P", "from": 0},
        {"type": "pung", "seat": 2, "tiles": [None, None, "P"], "claimed": "P", "from": 0},
    ]
    zones = Counter(t.zone for t in _end(choreograph(events, LAYOUT, 1)))
    assert zones["meld:1"] == 0
    assert zones["meld:2"] == 3
    assert zones["hand:1"] == 13


def test_a_set_lies_until_the_better_claim_has_been_heard():
    chow = {"type": "chow", "seat": 1, "tiles": "PPP", "claimed": "P", "from": 0}
    pung = {"type": "pung", "seat": 2, "tiles": [None, None, "P"], "claimed": "P", "from": 0}
    log = [*EVENTS[:6], chow, pung]
    at_once, heard = (choreograph(log, LAYOUT, 1, customs=Customs(heard=seconds)) for seconds in (0.0, 1.0))
    assert heard.times[:-1] == at_once.times[:-1]
    assert heard.times[-1] == pytest.approx(at_once.times[-1] + 1.0)
    back = min(m.t0 for m in heard.motions if m.start.zone == "meld:1" and m.t0 >= heard.times[-2])
    assert back >= heard.times[-2] + 1.0


def test_shuffling_first_changes_nothing_of_the_hand():
    plain = choreograph(EVENTS, LAYOUT, 4)
    stirred = choreograph(EVENTS, LAYOUT, 4, customs=Customs(opening="shuffle"))
    assert {t.zone for t in stirred.tiles} == {"centre"}
    assert [(t.face, t.x, t.y, t.zone) for t in _end(stirred)] == [(t.face, t.x, t.y, t.zone) for t in _end(plain)]
    delay = stirred.times[0] - plain.times[0]
    assert delay > 3
    assert np.allclose(np.array(stirred.times) - delay, plain.times)
    gaps = [np.hypot(a.x - b.x, a.y - b.y) for i, a in enumerate(stirred.tiles) for b in stirred.tiles[i + 1 :]]
    assert min(gaps) > LAYOUT.size.height


def test_unrest_knocks_tiles_but_plays_the_same_hand():
    plain = choreograph(EVENTS, LAYOUT, 4)
    wild = choreograph(EVENTS, LAYOUT, 4, customs=Customs(bustle=1.0))
    assert len(wild.reaches) > len(plain.reaches)
    assert wild.times == plain.times
    knocked = 0
    for a, b in zip(_end(plain), _end(wild), strict=True):
        assert (a.face, a.zone, a.pitch) == (b.face, b.zone, b.pitch)
        far = float(np.hypot(a.x - b.x, a.y - b.y))
        assert far < 30
        knocked += far > 0.1
    assert knocked > 0


def test_three_players():
    layout = Layout(seats=3, stacks=(14, 14, 14))
    events = [
        {"type": "start", "rules": "kawuxing", "dealer": 1},
        {"type": "deal", "hands": [None, None, None]},
        {"type": "discard", "seat": 1, "tile": "3p"},
        {"type": "draw", "seat": 2, "tile": "4s"},
        {"type": "discard", "seat": 2, "tile": "4s"},
    ]
    zones = Counter(t.zone for t in _end(choreograph(events, layout, 1)))
    assert (zones["hand:0"], zones["hand:1"], zones["hand:2"]) == (13, 13, 13)
    assert (zones["river:1"], zones["river:2"]) == (1, 1)


def test_what_cannot_be_played_is_named():
    with pytest.raises(ValueError, match=r"event 4 \(discard\): seat 1 holds no F"):
        choreograph([*EVENTS[:3], {"type": "discard", "seat": 1, "tile": "F"}], LAYOUT, 1)


def test_calibration_tells_where_the_field_is():
    look = random_look(np.random.default_rng(4), LAYOUT, (640, 360))
    told = calibration(look, LAYOUT)
    c = told["camera"]
    points = np.array([[x, y, 0.0] for x, y in told["corners_mm"]])
    r, eye = np.array(c["rotation"]), np.array(c["position_mm"])
    k = np.array([[c["fx"], 0, c["cx"]], [0, c["fy"], c["cy"]], [0, 0, 1]])
    pixels, _ = cv2.projectPoints(points, cv2.Rodrigues(r)[0], -r @ eye, k, np.array(c["distortion"]))
    assert np.allclose(pixels[:, 0], told["corners"], atol=0.02)
    assert (np.array(told["corners"]) > 0).all()


def test_markers_can_be_found_in_the_picture():
    """OpenCV's own detector reads the four markers where the calibration puts them."""
    look = random_look(np.random.default_rng(6), LAYOUT, (1280, 720))
    look = replace(look, sensor=replace(look.sensor, noise=0.0, blur=0.0, exposure=1.0))
    frame = next(iter(Film(choreograph(EVENTS[:2], LAYOUT, 1), LAYOUT, look, 1)))
    finder = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    corners, ids, _ = finder.detectMarkers(frame.picture)
    assert sorted(int(i) for i in ids.ravel()) == [0, 1, 2, 3]
    for quad, number in zip(corners, ids.ravel(), strict=True):
        marker = next(m for m in calibration(look, LAYOUT)["markers"] if m["id"] == number)
        truth = look.camera.project(np.array([*marker["centre_mm"], 0.5]))
        assert np.hypot(*(quad[0].mean(0) - truth)) < 1.5


@pytest.mark.parametrize("table", [4, 11])
def test_a_frame_drawn_from_the_one_before_is_the_one_drawn_by_itself(table):
    """Only what changes is drawn anew. Truth: the same renderer, drawing the whole scene from nothing."""
    look = random_look(np.random.default_rng(table), LAYOUT, (960, 540))
    look = replace(look, sensor=replace(look.sensor, noise=0.0))
    script = choreograph(EVENTS, LAYOUT, table, pace=0.5)
    film = Film(replace(script, length=script.times[9]), LAYOUT, look, table, 5.0, every=10**6)
    for frame in film:
        if frame.number % 7 == 3:
            differs = cv2.absdiff(frame.picture, film.at(frame.t).picture).max(axis=2)
            # Which of two tiles that only touch is drawn last is left open; shade may be two levels off.
            assert np.percentile(differs, 99.9) <= 3
            assert (differs > 3).sum() < 300


def test_a_film_is_written_and_the_same_again(tmp_path):
    def make(name: str):
        path = render_game(EVENTS, tmp_path / name, 7, 4.0, (320, 180), layout=LAYOUT, pace=0.4, every=2, seconds=5.0)
        return path.parent

    a, b = make("a"), make("b")
    for name in ("annotations.jsonl", "log.jsonl", "calibration.json"):
        assert (a / name).read_bytes() == (b / name).read_bytes()
    film = cv2.VideoCapture(str(a / "table.mp4"))
    other = cv2.VideoCapture(str(b / "table.mp4"))
    frames = 0
    while True:
        ok, picture = film.read()
        if not ok:
            break
        frames += 1
        assert picture.shape == (180, 320, 3)
        assert np.array_equal(picture, other.read()[1])
    rows = [json.loads(line) for line in (a / "annotations.jsonl").read_text().splitlines()]
    assert frames == 20
    assert [r["frame"] for r in rows] == list(range(0, 20, 2))
    assert {"tile", "quad", "facing", "visibility", "zone", "track", "moving"} <= set(rows[0]["tiles"][0])
    log = [json.loads(line) for line in (a / "log.jsonl").read_text().splitlines()]
    assert [{k: v for k, v in e.items() if k not in ("n", "t")} for e in log] == EVENTS
    assert [e["n"] for e in log] == list(range(1, len(EVENTS) + 1))


def test_hands_cover_tiles_while_they_deal():
    look = random_look(np.random.default_rng(4), LAYOUT, (640, 360))
    script = replace(choreograph(EVENTS, LAYOUT, 1), length=8.0)
    shares = [
        np.mean([t.visibility < 0.3 for t in f.tiles if t.zone.startswith(("hand", "wall"))])
        for f in Film(script, LAYOUT, look, 1, 4.0)
    ]
    assert max(shares) > shares[0] + 0.02


def test_between_hands_tiles_are_pushed_together_and_walls_rise():
    """After the last event everything lies face up or down in the middle; an automatic table takes it down, and the next
    walls come up to where they would have stood; the hands themselves are played as without."""
    plain = choreograph(EVENTS, LAYOUT, 4)
    gathered = choreograph(EVENTS, LAYOUT, 4, customs=Customs(closing="gather"))
    assert gathered.times == plain.times
    assert all(t.pitch in (0.0, 180.0) and t.zone == "centre" for t in _end(gathered))
    assert all(np.hypot(t.x, t.y) < LAYOUT.half for t in _end(gathered))
    swallowed = choreograph(EVENTS, LAYOUT, 4, customs=Customs(closing="swallow"))
    assert all(t.z < -LAYOUT.size.depth for t in _end(swallowed))
    risen = choreograph(EVENTS, LAYOUT, 4, customs=Customs(opening="rising"))
    assert all(t.z < 0 for t in risen.tiles)
    assert [(t.face, t.x, t.y, t.z) for t in _end(risen)] == [(t.face, t.x, t.y, t.z) for t in _end(plain)]


def test_a_discarded_kong_tile_goes_to_its_owners_own_row():
    """Wuhan's sheet: red and green dragons and wild tiles discarded go to the discarder's own area, the rest to the heap."""
    layout = replace(LAYOUT, river="centre")
    zones = {(t.face, t.zone) for t in _end(choreograph(EVENTS, layout, 1, aside=frozenset({"2m"})))}
    assert ("2m", "bonus:1") in zones
    assert ("2m", "centre") not in zones
    assert ("9s", "centre") in zones


def test_which_discards_are_kong_tiles_follows_from_the_indicator():
    """docs/sheets/wuhan.md: red and green dragons and the wild kind, the one after the indicator."""
    faces = aside_in(load("wuhan"), [Indicator(n=1, tile=parse("3m")[0])])
    assert faces == {"C", "F", "4m"}
    assert aside_in(load("hongkong"), []) == set()


@pytest.mark.parametrize("where", ["tail", "head", "replacement"])
def test_a_second_tile_turned_up_lies_beside_the_first(where):
    """docs/sheets/fuzhou.md: a bonus tile turned up is no indicator, another one is turned up after it. Both stay to be seen."""
    turned = [{"type": "indicator", "tile": "3f"}, {"type": "indicator", "tile": "5s"}]
    log = [*EVENTS[:3], *turned, *EVENTS[3:]]
    lying = [t for t in _end(choreograph(log, replace(LAYOUT, indicator=where), 1)) if t.zone == "indicator"]
    assert {t.face for t in lying} == {"3f", "5s"}
    first, second = lying
    assert np.hypot(first.x - second.x, first.y - second.y) > LAYOUT.size.width / 2
