"""Scenes with tiles whose every oriented quad is known, and random views of real photographs."""

import math
import random
from dataclasses import dataclass

import cv2
import numpy as np

from models.training import blocks as b
from models.training.bank import DRAWN, Bank
from models.training.faces import FACE_H, FACE_W, blank
from models.training.sources import TRAIN_GROUPS, Photo
from models.training.surroundings import any_colour, background, hand, photographed
from vision.classes import BACK, EDGE, FACES, INDEX
from vision.geometry import TurnedBox
from vision.render.draw import COVERED, SEEN_COSINE
from vision.render.faces import Style, draw_face
from vision.render.styles import random_style

SIZE = 320  # pixels of a training picture, each way
WHITE = INDEX["P"]
UNLABELLED = 0.7
_SUITS = tuple([INDEX[f"{n}{suit}"] for n in range(1, 10)] for suit in "mps")
_SIDES = ("face", "back", "top", "bottom", "left", "right")
_BACKS = (
    (60, 140, 40), (150, 80, 30), (40, 160, 230), (150, 40, 170), (40, 40, 170), (220, 170, 60), (90, 60, 40),
    (60, 180, 240), (130, 200, 110), (40, 40, 40), (200, 200, 120), (80, 30, 120),
)  # fmt: skip


@dataclass(frozen=True)
class Target:
    """A tile in a training picture. `quad` (4, 2) starts at its own top left, clockwise as read; `upright` is False
    where which way up it is is not known. `visible` is the share not covered, `slant_trust` (0 to 1) how far the quad's
    slant and sides may be believed."""

    quad: np.ndarray
    kind: int
    visible: float = 1.0
    red: bool = False
    group: int = DRAWN
    upright: bool = True
    ignore: bool = False
    slant_trust: float = 1.0


@dataclass(frozen=True)
class Look:
    """What the tiles of one scene share: material, back, where the faces come from (`style`: all of one tile set
    invented for the scene; else from the bank)."""

    body: np.ndarray
    back: np.ndarray
    glossy: bool
    drawn_share: float
    blank_white: bool
    style: Style | None


def _round_mask() -> np.ndarray:
    mask, r = np.zeros((FACE_H, FACE_W), np.uint8), 9
    cv2.rectangle(mask, (r, 1), (FACE_W - r - 1, FACE_H - 2), 255, -1)
    cv2.rectangle(mask, (1, r), (FACE_W - 2, FACE_H - r - 1), 255, -1)
    for x in (r, FACE_W - r - 1):
        for y in (r, FACE_H - r - 1):
            cv2.circle(mask, (x, y), r - 1, 255, -1)
    return mask


_ROUND = _round_mask()


class Scenes:
    """Draws scenes from a bank; the same seed gives the same scenes."""

    def __init__(self, bank: Bank, seed: int, without: int | None = None) -> None:
        self.rng = random.Random(seed)
        keep = np.ones(len(bank.kinds), bool) if without is None else bank.groups != without
        self.bank = bank
        self.drawn = [np.where((bank.kinds == k) & (bank.groups == DRAWN) & ~bank.red)[0] for k in range(len(FACES))]
        self.real = [np.where((bank.kinds == k) & (bank.groups != DRAWN) & keep)[0] for k in range(len(FACES))]
        self.red = [np.where((bank.kinds == k) & bank.red)[0] for k in range(len(FACES))]

    # what a tile looks like

    def _look(self) -> Look:
        rng = self.rng
        body = np.array(rng.choice(((225, 230, 232), (200, 215, 225), (180, 190, 195), (235, 238, 240))), float)
        white_backs = rng.random() < 0.06
        back = body if white_backs else np.array(rng.choice((*_BACKS, any_colour(rng))), float)
        back = np.clip(back + [rng.uniform(-25, 25) for _ in range(3)], 0, 255) if not white_backs else back
        style = random_style(np.random.default_rng(rng.getrandbits(32))) if rng.random() < 0.3 else None
        blank_white = not white_backs and rng.random() < 0.45
        return Look(
            body + rng.uniform(-15, 15), back, rng.random() < 0.4, rng.choice((0.3, 0.6, 0.9, 1)), blank_white, style
        )

    def _sprite(self, kind: int, red: bool, look: Look) -> tuple[np.ndarray, int]:
        """(face picture, group it comes from)"""
        rng = self.rng
        if look.style is not None and not (kind == WHITE and look.blank_white):
            return _invented(FACES[kind], red, look.style, look.body), DRAWN
        if red:
            return self.bank.faces[rng.choice(self.red[kind])], DRAWN
        if kind == WHITE and look.blank_white:
            return np.clip(blank(rng), 0, 255).astype(np.uint8), DRAWN
        choice = self.drawn[kind] if rng.random() < look.drawn_share or not len(self.real[kind]) else self.real[kind]
        i = rng.choice(choice)
        return self.bank.faces[i], int(self.bank.groups[i])

    def _back(self, look: Look) -> np.ndarray:
        rng = self.rng
        back = np.empty((FACE_H, FACE_W, 3), np.float32)
        back[:] = look.back + rng.uniform(-8, 8)
        back += (np.linspace(-1, 1, FACE_H)[:, None, None] * rng.uniform(-25, 25)).astype(np.float32)
        if look.glossy:
            shine = tuple(float(v) for v in np.clip(look.back + 60, 0, 255))
            centre, axes = (rng.randrange(10, 86), rng.randrange(10, 110)), (rng.randrange(5, 40), rng.randrange(3, 14))
            cv2.ellipse(back, centre, axes, rng.uniform(0, 180), 0, 360, shine, -1)
            back = cv2.GaussianBlur(back, (0, 0), 5)
        return np.clip(back, 0, 255).astype(np.uint8)

    # where tiles lie

    def _kinds(self, count: int) -> list[tuple[int, bool]]:
        """Faces of so many tiles side by side: by lot, of one suit, or as players sort their hands, so that like faces lie
        edge to edge."""
        rng, fives = self.rng, [INDEX[f] for f in ("5m", "5p", "5s")]
        order = rng.choice(("lot", "lot", "sorted", "suit"))
        pool = rng.choice(_SUITS) if order == "suit" else range(len(FACES))
        kinds = [WHITE if rng.random() < 0.04 else rng.choice(pool) for _ in range(count)]  # blank ones are hard
        if order == "sorted" or (order == "suit" and rng.random() < 0.5):
            kinds.sort()
        return [(k, k in fives and rng.random() < 0.3) for k in kinds]

    def _layout(self, shape: b.Shape, reach: float) -> list[b.Block]:
        """Blocks within about `reach` tile widths of the centre."""
        rng, layout = self.rng, b.Layout(shape, self.rng)
        main = rng.choice(("row", "row", "grid", "grid", "scatter", "scatter", "wall", "standing", "few"))
        turn = rng.gauss(0, 0.08) if rng.random() < 0.5 else rng.uniform(0, 2 * math.pi)
        for i, kind in enumerate(
            [main, *rng.choices(("row", "scatter", "wall", "standing", "meld"), k=rng.choice((0, 1, 2, 3)))]
        ):
            spread = 0.35 if i == 0 else 0.9
            at = (rng.uniform(-spread, spread) * reach, rng.uniform(-spread, spread) * reach)
            angle = turn + (rng.choice((0, 0.5, 1, 1.5)) * math.pi + rng.gauss(0, 0.1) if i else 0)
            self._group(layout, kind, at, angle, reach)
        return layout.blocks

    def _group(self, layout: b.Layout, kind: str, at: tuple[float, float], turn: float, reach: float) -> None:
        rng, length = self.rng, layout.shape.length
        gap = rng.choice((0, 0, 0.01, 0.03, 0.1))
        if kind == "row":
            n = rng.randint(3, max(4, min(18, int(reach * 2.2))))
            blocks = layout.row(at, turn, self._kinds(n), b.UP, gap, loose=rng.choice((0.01, 0.01, 0.08)))
            layout.add([self._maybe_odd(t, 0.06, 0.1) for t in blocks])
        elif kind == "grid":
            n = rng.randint(3, max(4, min(12, int(reach * 2))))
            pose = b.DOWN if rng.random() < 0.1 else b.UP
            row_gap = rng.choice((0, 0.02, 0.3, 0.8)) * length
            blocks = layout.grid(at, turn, self._kinds(n * rng.randint(2, 6)), n, pose, gap, row_gap)
            layout.add([self._maybe_odd(t, 0.05, 0.1) for t in blocks if rng.random() > 0.03])
        elif kind == "scatter":
            radius = rng.uniform(0.5, 1.2) * reach
            count = int(min(60, rng.uniform(0.3, 1) * (2 * radius / length) ** 2)) + 1
            layout.scatter(at, radius, self._kinds(count), rng.choice((0, 0, 0.1, 0.4)), rng.choice((1.0, 1.15, 1.3)),
                           None if rng.random() < 0.7 else turn)  # fmt: skip
        elif kind == "wall":
            n, layers = rng.randint(3, max(4, min(19, int(reach * 2.2)))), rng.choice((1, 2, 2))
            blocks = layout.row(at, turn, self._kinds(n * layers), b.DOWN, gap * 0.5, layers=layers)
            layout.add([t for t in blocks if t.centre[2] < layout.shape.thickness or rng.random() > 0.05])
        elif kind == "standing":
            n = rng.randint(2, max(3, min(17, int(reach * 2.2))))
            layout.add(layout.row(at, turn, self._kinds(n), b.STANDING, gap, loose=rng.choice((0.01, 0.05))))
        elif kind == "meld":
            tiles = self._kinds(rng.choice((3, 4)))
            blocks = layout.row(at, turn, tiles, b.UP, 0.02)
            sideways = rng.randrange(len(blocks))
            blocks[sideways] = _turned(blocks[sideways], rng.choice((0.5, 1.5)) * math.pi)
            step = (length - 1) / 2
            layout.add([_moved(t, turn, (-step if i < sideways else step if i > sideways else 0))
                        for i, t in enumerate(blocks)])  # fmt: skip
        else:
            for _ in range(rng.randint(1, 3)):
                place = (at[0] + rng.uniform(-1.5, 1.5), at[1] + rng.uniform(-1.5, 1.5))
                layout.add(
                    layout.row(
                        place, rng.uniform(0, 2 * math.pi), self._kinds(1), rng.choice((b.UP, b.UP, b.STANDING))
                    ),
                    1.3,
                )

    def _maybe_odd(self, block: b.Block, face_down: float, upside_down: float) -> b.Block:
        rng = self.rng
        if rng.random() < upside_down:
            block = _turned(block, math.pi)
        if rng.random() < face_down:
            block = b.Block(block.centre, block.turn, b.DOWN, block.kind)
        return block

    # drawing

    def _camera(self) -> tuple[b.Camera, float]:
        """(camera, tile width in pixels at the table's centre)"""
        rng = self.rng
        unit = math.exp(rng.uniform(math.log(14), math.log(150)))
        elevation = math.radians(90 if rng.random() < 0.2 else rng.uniform(28, 88))
        distance = rng.choice((8, 12, 18, 30)) + max(0.0, SIZE / unit / 2)
        roll = rng.choice((0, 0, 0, 0.5, 1, 1.5)) * math.pi + rng.gauss(0, 0.06)
        squeeze = math.exp(rng.uniform(-0.3, 0.3)) if rng.random() < 0.8 else rng.choice((0.5625, 0.75, 1.33, 1.78))
        scale = np.diag([math.sqrt(squeeze), 1 / math.sqrt(squeeze)])
        turn = np.array([[math.cos(roll), -math.sin(roll)], [math.sin(roll), math.cos(roll)]])
        shift = np.array([[SIZE * rng.uniform(0.3, 0.7)], [SIZE * rng.uniform(0.3, 0.7)]])
        affine = np.hstack([scale @ turn, shift])
        return b.Camera(distance, elevation, unit * distance, affine), unit

    def scene(self) -> tuple[np.ndarray, list[Target], list[TurnedBox]]:
        """A picture, its tiles, and places that only look like tiles (some of them covered by tiles)."""
        rng = self.rng
        (image, lures), look, (camera, unit) = background(rng, SIZE), self._look(), self._camera()
        shape = b.Shape(rng.uniform(1.26, 1.45), rng.uniform(0.55, 0.95), rng.choice((0, 0.2, 0.35, 0.5, 0.65)))
        placed = self._layout(shape, SIZE / unit / 2)
        owner = np.full((SIZE, SIZE), -1, np.int16)
        image = self._shadows(image, placed, shape, camera)
        eye, drawn = camera.position, []
        for i, block in sorted(enumerate(placed), key=lambda t: -float(np.linalg.norm(t[1].centre - eye))):
            found = self._draw(image, owner, i, block, shape, look, camera)
            if found is not None:
                drawn.append((i, block, *found))
        if rng.random() < 0.25:
            hand(image, owner, unit, rng)
        shown = np.bincount(owner[owner >= 0].ravel(), minlength=len(placed) * len(_SIDES))
        targets = [
            _label(block, sides, cosines, shown[i * len(_SIDES) :], group) for i, block, sides, cosines, group in drawn
        ]
        return photographed(image, rng), [t for t in targets if t is not None], lures

    def _shadows(self, image: np.ndarray, placed: list[b.Block], shape: b.Shape, camera: b.Camera) -> np.ndarray:
        rng = self.rng
        if rng.random() > 0.75 or not placed:
            return image
        mask, lean = np.zeros((SIZE // 2, SIZE // 2), np.uint8), np.array([rng.gauss(0, 0.3), rng.gauss(0, 0.3)])
        for block in placed:
            corners = np.concatenate(list(b.quads(block, shape).values()))
            ground = np.column_stack([corners[:, :2] + corners[:, 2:] * lean, np.zeros(len(corners))])
            outline = cv2.convexHull(camera.project(ground) / 2)
            cv2.fillConvexPoly(mask, np.clip(outline, -4000, 4000).astype(np.int32), 255)
        soft = cv2.resize(cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.6, 3)), (SIZE, SIZE)).astype(np.float32) / 255
        return (image * (1 - soft * rng.uniform(0.2, 0.7))[..., None]).astype(np.uint8)

    def _draw(self, image: np.ndarray, owner: np.ndarray, number: int, block: b.Block, shape: b.Shape, look: Look,
              camera: b.Camera) -> tuple[dict[str, np.ndarray], dict[str, float], int] | None:  # fmt: skip
        """Draw a block; its visible sides' quads and cosines and the group its face comes from, None where it lies
        outside the picture."""
        rng, sides = self.rng, b.quads(block, shape)
        cosines = b.seen_sides(block, shape, camera.position)
        flat = {name: camera.project(sides[name]) for name in cosines}
        everything = np.concatenate(list(flat.values()))
        low, high = everything.min(0), everything.max(0)
        if (high < 2).any() or (low > SIZE - 2).any() or (high - low).max() > 6 * SIZE:
            return None
        for side, quad in flat.items():
            light = 0.72 + 0.28 * cosines[side] * rng.uniform(0.9, 1.1)
            if side not in ("face", "back"):
                self._side(image, sides[side], shape, look, camera, light * rng.uniform(0.85, 1.0))
            cv2.fillConvexPoly(owner, quad.round().astype(np.int32), number * len(_SIDES) + _SIDES.index(side))
        group = DRAWN
        for side in ("face", "back"):
            if side in flat:
                if side == "face":
                    sprite, group = self._sprite(block.kind, block.red, look)
                else:
                    sprite = self._back(look)
                under = (look.body if side == "face" else look.back) * 0.85
                outline = flat[side].astype(np.int32)
                cv2.fillConvexPoly(image, outline, tuple(float(v) for v in under), cv2.LINE_AA)
                _paste(image, sprite, flat[side], rng.uniform(0.9, 1.05) * (0.8 + 0.2 * cosines[side]))
                if rng.random() < 0.3:
                    cv2.polylines(image, [outline], True, (120, 125, 130), 1, cv2.LINE_AA)
        return flat, cosines, group

    def _side(self, image: np.ndarray, corners: np.ndarray, shape: b.Shape, look: Look, camera: b.Camera,
              light: float) -> None:  # fmt: skip
        """A narrow side: the body's colour next to the face, the back's colour behind it."""
        split = 1 - shape.back_share
        near = corners[:2]
        middle = near + (corners[[3, 2]] - near) * split
        for quad, colour in (
            (np.concatenate([near, middle[::-1]]), look.body),
            (np.concatenate([middle, corners[2:]]), look.back),
        ):
            outline = camera.project(quad).round().astype(np.int32)
            cv2.fillConvexPoly(image, outline, tuple(float(v) for v in np.clip(colour * light, 0, 255)), cv2.LINE_AA)

    # real photographs

    def real_view(self, photo: Photo, image: np.ndarray) -> tuple[np.ndarray, list[Target], np.ndarray]:
        """A turned, scaled, squeezed part of a photograph about one of its labelled tiles: picture, targets, and the
        share (SIZE, SIZE) to which a place without a label is left out of account, for it may well be a tile."""
        rng = self.rng
        x, y, w, h = photo.boxes[rng.randrange(len(photo.boxes))]
        scale = float(np.clip(math.exp(rng.uniform(math.log(16), math.log(100))) / min(w, h), 0.35, 2.4))
        squeeze, quarter = math.exp(rng.uniform(-0.3, 0.3)), rng.randrange(4)
        angle = math.radians(90 * quarter + rng.gauss(0, 5))
        turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
        m = turn @ np.diag([scale * math.sqrt(squeeze), scale / math.sqrt(squeeze)])
        middle = np.array([x + w / 2, y + h / 2])
        shift = np.array([SIZE * rng.uniform(0.15, 0.85), SIZE * rng.uniform(0.15, 0.85)]) - m @ middle
        view = warp(image, np.hstack([m, shift[:, None]]), (SIZE, SIZE), [rng.random() * 255 for _ in range(3)])
        targets = []
        for (x, y, w, h), kind in zip(photo.boxes, photo.classes, strict=True):
            corners = np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]])
            targets.append(Target((corners @ m.T + shift).astype(np.float32), int(kind), 1.0, False,
                                  TRAIN_GROUPS.index(photo.group), False, slant_trust=_slant_trust(photo, w, h)))  # fmt: skip
        for quad, kind in zip(photo.quads, photo.quad_classes, strict=True):
            corners = _from_longer_side((quad @ m.T + shift).astype(np.float32))
            targets.append(Target(corners, int(kind), 1.0, False, TRAIN_GROUPS.index(photo.group), False))
        return photographed(view, rng, 0.6), targets, _doubt(photo, m, shift)


def _invented(face: str, red: bool, style: Style, body: np.ndarray) -> np.ndarray:
    ink = draw_face("0" + face[1] if red else face, style, (FACE_W, FACE_H)).astype(np.float32)
    cover = ink[..., 3:] / 255
    return np.clip(ink[..., 2::-1] * cover + body * (1 - cover), 0, 255).astype(np.uint8)


def _label(block: b.Block, sides: dict[str, np.ndarray], cosines: dict[str, float], shown: np.ndarray,
           group: int) -> Target | None:  # fmt: skip
    """What a tile is labelled as: its face where that can be read, else its back, else the edge that is seen best.
    `shown` is the visible area of each side. A tile whose face or back is covered (the lower one of a stack) is an
    edge, too."""
    visible = {}
    for name, quad in sides.items():
        area = abs(cv2.contourArea(quad))
        if area >= 30:
            visible[name] = min(1.0, float(shown[_SIDES.index(name)]) / area)
    for name, kind in (("face", block.kind), ("back", INDEX[BACK])):
        if cosines.get(name, 0) > SEEN_COSINE and visible.get(name, 0) > COVERED:
            red, from_group = (block.red, group) if name == "face" else (False, DRAWN)
            return Target(sides[name], kind, visible[name], red, from_group)
    edges = {
        name: visible[name] * abs(cv2.contourArea(sides[name])) for name in visible if name not in ("face", "back")
    }
    if not edges or max(edges.values()) < 30:
        return None
    name = max(edges, key=lambda n: edges[n])
    return Target(sides[name], INDEX[EDGE], visible[name], False, DRAWN, True)


def warp(image: np.ndarray, affine: np.ndarray, size: tuple[int, int], border: list[float]) -> np.ndarray:
    """Affine warp that does not alias when it shrinks."""
    shrink = math.sqrt(abs(np.linalg.det(affine[:, :2])))
    if shrink < 0.6:
        image = cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        affine = np.hstack([affine[:, :2] * 2, affine[:, 2:]])
    return cv2.warpAffine(
        image, affine, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=border
    )


def _from_longer_side(quad: np.ndarray) -> np.ndarray:
    """The same quad, clockwise, starting so that it is higher than wide: nothing says which way up a back is."""
    quad = cv2.convexHull(quad)[:, 0] if len(cv2.convexHull(quad)) == 4 else quad
    wide, high = np.hypot(*(quad[1] - quad[0])), np.hypot(*(quad[2] - quad[1]))
    return quad if high >= wide else np.roll(quad, -1, axis=0)


def _slant_trust(photo: Photo, w: float, h: float) -> float:
    """Photographs label upright bounds. Rows of a hand lie straight in them; in `other` tiles lie anyhow, and bounds
    that are nearly square may be those of a tile lying askew."""
    return 0.0 if photo.group == "other" or 0.87 < w / h < 1.15 else 0.4


def _doubt(photo: Photo, m: np.ndarray, shift: np.ndarray) -> np.ndarray:
    """1 in regions marked as not labelled, UNLABELLED elsewhere but about the labelled tiles, 0 there."""
    b = photo.boxes
    corners = np.concatenate([b[:, :2] + b[:, 2:] * at for at in ([0, 0], [1, 0], [1, 1], [0, 1])])
    hull = cv2.convexHull((corners @ m.T + shift).astype(np.float32))
    doubt = np.full((SIZE, SIZE), UNLABELLED, np.float32)
    cv2.fillConvexPoly(doubt, np.clip(hull, -9999, 9999).astype(np.int32), 0.0)
    for polygon in photo.ignore:
        cv2.fillPoly(doubt, [np.clip(polygon @ m.T + shift, -9999, 9999).astype(np.int32)], 1.0)
    return doubt


def _turned(block: b.Block, angle: float) -> b.Block:
    return b.Block(block.centre, block.turn + angle, block.pose, block.kind, block.red)


def _moved(block: b.Block, turn: float, along: float) -> b.Block:
    shift = np.array([math.cos(turn), math.sin(turn), 0]) * along
    return b.Block(block.centre + shift, block.turn, block.pose, block.kind, block.red)


def _paste(image: np.ndarray, sprite: np.ndarray, quad: np.ndarray, brightness: float) -> None:
    """Warp a face picture onto its quad, rounded corners left out."""
    low = np.maximum(np.floor(quad.min(0)).astype(int), 0)
    high = np.minimum(np.ceil(quad.max(0)).astype(int) + 1, [image.shape[1], image.shape[0]])
    if (high - low).min() < 2:
        return
    layers = np.dstack([sprite, _ROUND])
    scale = (
        max(float(np.hypot(*(quad[1] - quad[0]))), float(np.hypot(*(quad[3] - quad[0]))) * FACE_W / FACE_H)
        / FACE_W
        * 1.25
    )
    if scale < 0.8:
        size = (max(4, int(FACE_W * scale)), max(4, int(FACE_H * scale)))
        layers = cv2.resize(layers, size, interpolation=cv2.INTER_AREA)
    h, w = layers.shape[:2]
    flat = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    m = cv2.getPerspectiveTransform(flat, (quad - low).astype(np.float32))
    warped = cv2.warpPerspective(layers, m, tuple(int(v) for v in high - low), flags=cv2.INTER_LINEAR)
    cover = warped[..., 3:].astype(np.float32) / 255
    part = image[low[1] : high[1], low[0] : high[0]]
    part[:] = np.clip(part * (1 - cover) + warped[..., :3] * (cover * brightness), 0, 255).astype(np.uint8)
