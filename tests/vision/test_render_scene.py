"""The table renderer. Truth: the pinhole model (OpenCV's own projection), and faces drawn apart from any scene."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from referee.rules.ruleset import SET_IDS, load
from vision.render.customs import layout_of
from vision.render.draw import Renderer
from vision.render.faces import FACES, draw_face
from vision.render.layout import (
    Layout,
    bonus_place,
    hand_place,
    meld_corner,
    meld_shape,
    meld_width,
    place,
    wall_ring,
)
from vision.render.scene import Hand, Light, Scene, Sensor, Table, Tile, TileSize, look_at, rotation
from vision.render.scenes import random_scene
from vision.render.styles import named_styles

SIZE = TileSize()
LAYOUT = Layout()
CLEAN = Sensor(noise=0)
STYLE = named_styles()["hongkong"]
CAMERA = look_at((30.0, -420.0, 760.0), (10.0, 0.0, 0.0), 960, 720, 1.0, 4.0, distortion=(-0.1, 0.02, 0.001, 0.0, 0.0))


def _scene(*tiles: Tile, **changes) -> Scene:
    base = Scene(CAMERA, tiles=tiles, style=STYLE, sensor=CLEAN, table=Table(centre="none"), gloss=0.0)
    return replace(base, **changes)


def _flat(face: str, x: float = 0.0, y: float = 0.0, level: int = 0, facing: str = "up", turn: float = 0.0) -> Tile:
    return place(LAYOUT, 0, x, y, level, track=1 + level, face=face, zone="river", facing=facing, turn=turn)


def test_projection_agrees_with_opencv():
    points = np.random.default_rng(1).uniform(-300, 300, (50, 3))
    r = np.array(CAMERA.rotation)
    k = np.array([[CAMERA.fx, 0, CAMERA.cx], [0, CAMERA.fy, CAMERA.cy], [0, 0, 1]])
    t = -r @ np.array(CAMERA.position)
    theirs, _ = cv2.projectPoints(points, cv2.Rodrigues(r)[0], t, k, np.array(CAMERA.distortion))
    assert np.allclose(CAMERA.project(points), theirs[:, 0], atol=1e-6)


def test_plane_points_come_back():
    points = np.random.default_rng(2).uniform(-200, 200, (40, 2))
    pixels = CAMERA.project(np.concatenate([points, np.zeros((40, 1))], 1))
    assert np.allclose(CAMERA.on_plane(pixels), points, atol=0.05)


def test_a_seat_reads_its_tiles_upright():
    """Tile axes from the format: seat 1 sits on the right, so the top of its tiles points to -x, left on the table."""
    assert np.allclose(rotation(90.0) @ [0, 1, 0], [-1, 0, 0])
    assert np.allclose(rotation(0.0, 90.0) @ [0, 0, 1], [0, -1, 0])


@pytest.mark.parametrize("face", ["1m", "7p", "8s", "E", "F", "2f"])
@pytest.mark.parametrize("turn", [0.0, 90.0, 205.0])
def test_the_quad_holds_the_face_the_right_way_up(face, turn):
    picture, truths = Renderer().render(_scene(_flat(face, 20, -10, turn=turn)))
    (truth,) = truths
    assert (truth.tile, truth.facing) == (face, "up")
    assert truth.visibility > 0.97
    corners = np.array([[0, 0], [48, 0], [48, 64], [0, 64]], np.float32)
    flat = cv2.warpPerspective(picture, cv2.getPerspectiveTransform(np.float32(truth.quad), corners), (48, 64))
    seen = flat[..., ::-1].astype(float).mean(2)[6:-6, 6:-6]

    def likeness(other: str, half_turn: bool) -> float:
        ink = draw_face(other, STYLE, (48, 64)).astype(float)
        drawn = (ink[..., :3].mean(2) * ink[..., 3] + 235 * (255 - ink[..., 3])) / 255
        drawn = drawn[::-1, ::-1] if half_turn else drawn
        return float(np.corrcoef(seen.ravel(), drawn[6:-6, 6:-6].ravel())[0, 1])

    right = likeness(face, False)
    assert right > 0.7
    if face != "8s":
        assert right > likeness(face, True)
    assert right > max(likeness(other, False) for other in FACES if other != face)


def test_backs_and_edges():
    down = _flat("3p", facing="down")
    standing = place(LAYOUT, 2, 0, -100, track=9, face="4s", zone="hand", facing="standing")
    above = look_at((0.0, 0.0, 1500.0), (0.0, 0.0, 0.0), 960, 720, 1.0)
    _, truths = Renderer().render(_scene(down, replace(standing, x=0.0, y=0.0), camera=above))
    kinds = {t.track: (t.tile, t.facing, t.face) for t in truths}
    assert kinds[9] == ("edge", "standing", "4s")
    _, truths = Renderer().render(_scene(down, camera=above))
    assert [(t.tile, t.facing, t.face) for t in truths] == [("back", "down", "3p")]
    for t in truths:
        q = np.array(t.quad)
        assert cv2.contourArea(q.astype(np.float32), oriented=True) > 0


def test_a_covered_tile_is_not_visible():
    camera = look_at((0.0, -1.0, 900.0), (0.0, 0.0, 0.0), 960, 720, 1.0)
    _, truths = Renderer().render(_scene(_flat("1m"), _flat("2m", level=1), camera=camera))
    seen = {t.face: t.visibility for t in truths}
    assert seen["2m"] > 0.97
    assert seen["1m"] < 0.03
    _, truths = Renderer().render(_scene(_flat("1m"), camera=camera, hands=(Hand(0.0, 60.0, 30.0, 0.0, "flat"),)))
    assert truths[0].visibility < 0.5


def test_visibility_counts_the_pictures_border():
    camera = look_at((0.0, 0.0, 900.0), (0.0, 0.0, 0.0), 960, 720, 1.0)
    edge = camera.on_plane(np.array([0.0, 360.0]), SIZE.depth)
    _, truths = Renderer().render(_scene(_flat("1m", float(edge[0]), 0.0), camera=camera))
    assert truths[0].visibility == pytest.approx(0.5, abs=0.06)


def test_the_nearer_of_two_standing_tiles_hides_the_other():
    near = place(LAYOUT, 0, 0, -40, track=1, face="1m", zone="hand", facing="standing")
    far = place(LAYOUT, 0, 0, -14, track=2, face="2m", zone="hand", facing="standing")
    low = look_at((0.0, -700.0, 150.0), (0.0, 0.0, 0.0), 960, 720, 1.0)
    for order in ((near, far), (far, near)):
        _, truths = Renderer().render(_scene(*order, camera=low))
        seen = {t.face: t for t in truths}
        assert (seen["1m"].tile, seen["1m"].visibility > 0.95) == ("1m", True)
        # Of the far one no more than its top can be seen.
        assert seen["2m"].tile == "edge" or seen["2m"].visibility < 0.4


@pytest.mark.parametrize("seed", [3, 4, 5])
def test_rendering_is_deterministic(seed):
    scene = random_scene(np.random.default_rng(seed), (320, 240))
    first, truth = Renderer().render(scene)
    second, again = Renderer().render(random_scene(np.random.default_rng(seed), (320, 240)))
    assert np.array_equal(first, second)
    assert truth == again


def test_the_finer_drawing_shows_the_same():
    scene = random_scene(np.random.default_rng(11), (240, 180))
    scene = replace(scene, sensor=CLEAN, table=replace(scene.table, cover="plastic"))
    plain, truth = Renderer().render(scene)
    fine, again = Renderer().render(scene, fine=2)
    assert fine.shape == plain.shape
    assert np.corrcoef(fine.ravel(), plain.ravel())[0, 1] > 0.95
    assert [t.track for t in truth] == [t.track for t in again]
    # Which side is told may differ where hardly anything of a tile shows.
    told = [(a.quad, b.quad) for a, b in zip(truth, again, strict=True) if a.tile == b.tile]
    assert len(told) > 0.9 * len(truth)
    for a, b in told:
        assert np.allclose(a, b, atol=0.02)


def test_light_from_one_side_leaves_the_other_darker():
    picture, truths = Renderer().render(
        _scene(_flat("P"), lights=(Light((-900.0, 0.0, 500.0), 0.9, 50.0),), ambient=0.3)
    )
    x0, y0, x1, y1 = *np.min(truths[0].quad, 0), *np.max(truths[0].quad, 0)
    y = int((y0 + y1) / 2)
    bare, _ = Renderer().render(_scene(lights=(Light((-900.0, 0.0, 500.0), 0.9, 50.0),), ambient=0.3))
    left = picture[y, int(x0) - 14].astype(int) - bare[y, int(x0) - 14]
    right = picture[y, int(x1) + 14].astype(int) - bare[y, int(x1) + 14]
    assert right.sum() < left.sum() - 20


def _corners(tile: Tile) -> np.ndarray:
    half = np.array([SIZE.width, SIZE.height, SIZE.depth]) / 2 - 0.4
    box = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * half
    return (box @ rotation(tile.yaw, tile.pitch).T + [tile.x, tile.y, tile.z])[:, :2].astype(np.float32)


@pytest.mark.parametrize(
    "wall,half,stacks",
    [("stacked", 400.0, 17), ("stacked", 400.0, 18), ("rows", 465.0, 17), ("inner_outer", 465.0, 20)],
)
def test_walls_hands_melds_and_bonus_tiles_do_not_run_into_each_other(wall, half, stacks):
    layout = Layout(wall=wall, half=half, stacks=(stacks,) * 4)
    tiles = [
        place(layout, s.seat, s.x, s.y, track=0, face="1m", zone="wall", facing="down", turn=s.turn)
        for stack in wall_ring(layout) for s in stack if s.level == 0
    ]  # fmt: skip
    assert len(wall_ring(layout)) == 4 * (stacks + (8 if wall == "inner_outer" else 0))
    for seat in range(4):
        for i in range(11):
            x, y = hand_place(layout, i, 10)
            tiles.append(place(layout, seat, x, y, track=0, face="1m", zone="hand", facing="standing"))
        for i in range(5):
            x, y = bonus_place(layout, i)
            tiles.append(place(layout, seat, x, y, track=0, face="1f", zone="bonus"))
        shape = meld_shape(layout, "pung", (seat + 2) % 4, seat, 3)
        right, y = meld_corner(layout, 0.0)
        for m in shape:
            x = right - meld_width(layout, shape) + m.x
            tiles.append(place(layout, seat, x, y + m.y, track=0, face="1m", zone="meld", turn=90.0 * m.turned))
    quads = [cv2.convexHull(_corners(t))[:, 0] for t in tiles]
    for i, a in enumerate(quads):
        for k, b in enumerate(quads[i + 1 :], i + 1):
            if np.hypot(*(a.mean(0) - b.mean(0))) < 2 * SIZE.height:
                area, _ = cv2.intersectConvexConvex(a, b)
                assert area < 1.0, (tiles[i].zone, tiles[k].zone, area)


@pytest.mark.parametrize("giver,turned", [(1, 2), (2, 1), (3, 0)])
def test_a_claimed_tile_lies_on_its_givers_side(giver, turned):
    """From the right neighbour it is the right-hand tile, from across the middle one, from the left the left one."""
    shape = meld_shape(LAYOUT, "pung", giver, 0, 3)
    assert [m.turned for m in shape] == [True, False, False]
    order = sorted(range(3), key=lambda i: shape[i].x)
    assert order[turned] == 0
    assert meld_width(LAYOUT, shape) == pytest.approx(2 * LAYOUT.pitch + SIZE.height, abs=1)


def test_walls_of_every_rule_set_hold_its_tiles_and_clear_the_hands():
    """Stacks and layout from the rule sets' rituals; a suit may be left out of the set where two suits are played with."""
    for rules_id in SET_IDS:
        rules = load(rules_id)
        layout = layout_of(rules)
        room = sum(len(stack) for stack in wall_ring(layout))
        assert sum(rules.tiles) - room in (0, 36), rules_id
        hand = max(hand_place(layout, i, layout.hand)[1] for i in range(layout.hand)) + layout.size.depth / 2
        for stack in wall_ring(layout):
            for spot in stack:
                if not spot.turn:
                    assert spot.y - layout.size.height / 2 > hand, rules_id
                    assert spot.y - layout.size.height / 2 > bonus_place(layout, 0)[1] + layout.size.height / 2, (
                        rules_id
                    )
