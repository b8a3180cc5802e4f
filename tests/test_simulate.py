"""``referee simulate``. Truth: the game as the bots played it (its events and the fouls they noted); rule sheets for places."""

import json
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from hardware import trace
from hardware.protocol import Dice, Draw, Turn, Wall
from referee.cli_simulate import simulate
from referee.inputs import InputError
from referee.rules import tiles as t
from referee.rules.ritual import Place
from referee.rules.ruleset import SET_IDS, load
from referee.simulate import Filming, film, finished_hands, photograph, play, rows, write_trace
from referee.table.game import replay
from referee.table.log import read_log
from referee.table.walls import recounted

SMALL = Filming(size=(320, 180), fps=4, every=2, seconds=20)

app = typer.Typer()
app.command()(simulate)


def told(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def filmed(tmp_path_factory) -> Path:
    """Two hands with fouls, the first twenty seconds of them."""
    out = tmp_path_factory.mktemp("filmed")
    film(play("hangzhou", 3, 2, fouls=0.1), out, SMALL)
    return out


def test_everything_is_written_in_one_time(filmed: Path) -> None:
    video = cv2.VideoCapture(str(filmed / "table.mp4"))
    assert video.get(cv2.CAP_PROP_FRAME_COUNT) == 20 * 4
    assert (video.get(cv2.CAP_PROP_FRAME_WIDTH), video.get(cv2.CAP_PROP_FRAME_HEIGHT)) == (320, 180)
    stills = told(filmed / "annotations.jsonl")
    assert [still["frame"] for still in stills] == list(range(0, 80, 2))
    assert all(still["t"] == pytest.approx(still["frame"] / 4, abs=1e-3) for still in stills)
    log = told(filmed / "log.jsonl")
    times = [event["t"] for event in log]
    assert times == sorted(times) and times[-1] <= 20 and len(log) >= 8
    truth = json.loads((filmed / "truth.json").read_text(encoding="utf-8"))
    assert all(foul["n"] <= log[-1]["n"] for foul in truth["fouls"])
    assert json.loads((filmed / "calibration.json").read_text())["width"] == 320
    assert (filmed / "set.jpg").exists()


def test_the_trace_is_in_time_with_the_log(filmed: Path) -> None:
    """Dice and draws come over the line at the times they have in the log."""
    log = told(filmed / "log.jsonl")
    heard = trace.events(trace.read(filmed / "serial.trace"))
    thrown = [(round(e.at, 2), e.message.values) for e in heard if isinstance(e.message, Dice)]
    assert thrown == [(round(e["t"], 2), tuple(e["values"])) for e in log if e["type"] == "dice"]
    drawn = [(round(e.at, 2), e.message.end) for e in heard if isinstance(e.message, Draw) and e.message.count == 1]
    assert drawn == [(round(e["t"], 2), e["end"]) for e in log if e["type"] == "draw"]


def test_the_same_seed_gives_the_same_film(filmed: Path, tmp_path: Path) -> None:
    short = Filming(size=(320, 180), fps=4, every=2, seconds=5)
    film(play("hangzhou", 3, 2, fouls=0.1), tmp_path, short)
    again, before = told(tmp_path / "annotations.jsonl"), told(filmed / "annotations.jsonl")
    assert again[:8] == before[:8]
    first, second = (cv2.VideoCapture(str(path / "table.mp4")) for path in (tmp_path, filmed))
    for _ in range(6):
        assert np.array_equal(first.read()[1], second.read()[1])


def test_the_second_hand_follows_in_the_same_film() -> None:
    from referee.simulate import _told
    from vision.render.customs import layout_of
    from vision.render.session import Hand, prepare

    game = play("jinan", 4, 2)
    hands = [
        Hand(tuple(_told(hand, dealer)), tuple(t.NAMES[kind] for kind in deck))
        for hand, dealer, deck in zip(game.hands, game.dealers, game.decks, strict=True)
    ]
    session = prepare(hands, layout_of(game.rules), 4, 10, (320, 180), every=5)
    assert len(session.times) == len(game.events)
    assert list(session.times) == sorted(session.times)
    assert session.begins[0] == 0 and round(session.begins[1] * 10) % 5 == 0
    assert session.begins[1] > session.times[len(game.hands[0]) - 1]
    assert session.times[len(game.hands[0])] > session.begins[1]


@pytest.mark.parametrize("rules_id", SET_IDS)
def test_every_rule_set_can_be_laid_on_a_table(rules_id: str) -> None:
    """A whole hand with fouls is moved with the tiles of the set: none appears or is lost, the winner's hand lies open."""
    from referee.simulate import _told
    from vision.render.customs import layout_of
    from vision.render.script import choreograph

    game = play(rules_id, 8, fouls=0.04)
    deck = tuple(t.NAMES[kind] for kind in game.decks[0])
    script = choreograph(tuple(_told(game.hands[0], game.dealers[0])), layout_of(game.rules), 8, 1.0, deck)
    foreign = sum(foul.kind == "extra_tile" for foul in game.fouls)
    assert len(script.tiles) == len(deck)
    assert (Counter(tile.face for tile in script.tiles) - Counter(deck)).total() <= foreign
    end = {tile.track: tile for tile in script.tiles} | {motion.track: motion.end for motion in script.motions}
    for event in game.events:
        if event.type == "win" and event.hand is not None:
            shown = Counter(tile.face for tile in end.values() if tile.zone == f"hand:{event.seat}" and tile.pitch == 0)
            assert not Counter(t.NAMES[tile] for tile in event.hand) - shown


@pytest.mark.parametrize("seed", range(4))
def test_all_four_markers_are_wholly_in_the_picture(seed: int) -> None:
    """OpenCV's own detector finds markers 0 to 3, which it cannot where one is cut off."""
    from vision.render.customs import layout_of
    from vision.render.draw import Renderer
    from vision.render.film import random_look
    from vision.render.scene import Scene

    layout = layout_of(load("hongkong"))
    look = random_look(np.random.default_rng([seed, 17]), layout, (1280, 720))
    scene = Scene(look.camera, look.table, layout.size, look.style, (), look.props, (), look.lights, look.ambient)
    picture, _ = Renderer().render(scene)
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    _, found, _ = detector.detectMarkers(picture)
    assert found is not None and sorted(found.ravel().tolist()) == [0, 1, 2, 3]


def test_the_indicator_is_counted_from_the_right_on_the_line(tmp_path: Path) -> None:
    """Sheets: Ningbo counts from the tail, which is the last of the stacks left at the broken wall's right end; Hangzhou from
    the near end of the wall to the right of the broken one; Yiwu from the right end already."""
    ningbo, hangzhou, yiwu = (load(name).ritual for name in ("ningbo", "hangzhou", "yiwu"))
    assert ningbo and hangzhou and yiwu
    counts = [
        (ningbo, Place(2, 1), Place(2, 6), 6), (ningbo, Place(2, 6), Place(2, 6), 1),
        (ningbo, Place(3, 4), Place(2, 3), 18), (hangzhou, Place(3, 1), Place(2, 7), 17), (yiwu, Place(1, 5), Place(1, 9), 5),
    ]  # fmt: skip
    for ritual, place, broken, from_right in counts:
        assert recounted(ritual, place, broken) == from_right
        assert recounted(ritual, Place(place.wall, from_right), broken) == place.stack  # and back
    game = play("ningbo", 2)
    write_trace(tmp_path / "serial.trace", game.rules, rows(game))
    heard = trace.events(trace.read(tmp_path / "serial.trace"))
    (turned,) = [event.message for event in heard if isinstance(event.message, Turn)]
    assert 1 <= turned.stack <= 18


def test_the_line_tells_the_walls_that_stand(tmp_path: Path) -> None:
    """Jingzhou sheet: three players, walls of sixteen stacks; nothing stands before the fourth side."""
    game = play("jingzhou", 1)
    write_trace(tmp_path / "serial.trace", game.rules, rows(game))
    heard = trace.events(trace.read(tmp_path / "serial.trace"))
    counted = [e.message for e in heard if isinstance(e.message, Wall) and e.message.stacks]
    assert [(wall.stacks, wall.left) for wall in counted] == [((16, 16, 16, 0), 96)]


def test_the_log_alone(tmp_path: Path) -> None:
    options = ["--rules", "kawuxing", "--seed", "4", "--hands", "2", "--fouls", "0.1", "--no-video", "--out", str(tmp_path)]
    done = CliRunner().invoke(app, options)
    assert done.exit_code == 0, done.output
    assert sorted(path.name for path in tmp_path.iterdir()) == ["log.jsonl", "truth.json"]
    log = read_log((tmp_path / "log.jsonl").read_bytes())
    assert not log.problems
    game, refused = replay(entry.event for entry in log.entries)
    truth = json.loads((tmp_path / "truth.json").read_text(encoding="utf-8"))
    assert refused == [] and len(game.hands) == truth["hands"] == 2
    assert {(f.n, f.seat, f.kind) for _, f in game.faults if f.certain} == {
        (f["n"], f["seat"], f["kind"]) for f in truth["fouls"]
    }


def test_options_reach_the_rule_set(tmp_path: Path) -> None:
    options = ["--rules", "hongkong", "--option", "minimum_faan=0", "--no-video", "--out", str(tmp_path)]
    assert CliRunner().invoke(app, options).exit_code == 0
    assert told(tmp_path / "log.jsonl")[0]["options"] == {"minimum_faan": 0}


@pytest.mark.parametrize("size", ["1920", "0x0", "1921x1080", "axb"])
def test_a_bad_size_is_refused(size: str, tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["--rules", "hongkong", "--size", size, "--out", str(tmp_path)])
    assert isinstance(done.exception, InputError) and "--size" in str(done.exception)


def test_photographs_show_hands_that_won(tmp_path: Path) -> None:
    """A finished hand has its sets and its pair: fourteen tiles and one more for each kong."""
    hands = [hand for seed in range(3) for hand in finished_hands(play("shanghai_liuxing", seed))]
    assert hands
    for hand in hands:
        kongs = sum(len(t.parse(meld["tiles"])) == 4 for meld in hand["melds"])
        size = len(t.parse(hand["hand"])) + 1 + sum(len(t.parse(meld["tiles"])) for meld in hand["melds"])
        assert size == 14 + kongs
        assert all(meld.get("from") in (None, 1, 2, 3) for meld in hand["melds"])
    assert photograph("shanghai_liuxing", 0, tmp_path, 2, {}, (320, 240)) == 2
    (first, _) = told(tmp_path / "annotations.jsonl")
    assert (tmp_path / first["image"]).exists() and first["hand"]["hand"] == hands[0]["hand"]


def test_photographs_lie_as_the_custom_asked_for_has_it(tmp_path: Path) -> None:
    asked = ["--rules", "shanghai_liuxing", "--photo", "--size", "320x240", "--out", str(tmp_path), "--custom", "row=standing"]
    assert CliRunner().invoke(app, [*asked, "--custom", "turned=false"]).exit_code == 0
    (photo,) = told(tmp_path / "annotations.jsonl")
    assert all("from" not in meld for meld in photo["hand"]["melds"])


@pytest.mark.parametrize("custom", ["row", "row=flying", "colour=red"])
def test_a_custom_that_photographs_do_not_know_is_refused(custom: str, tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["--rules", "hongkong", "--photo", "--custom", custom, "--out", str(tmp_path)])
    assert isinstance(done.exception, InputError) and "--custom" in str(done.exception)
