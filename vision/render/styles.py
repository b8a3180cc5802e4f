"""Tile sets invented at random, and a fixed few."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.render.designs import DOTS, ONE_DOTS, STICKS
from vision.render.faces import BACKS, Style
from vision.render.pen import Colour
from vision.render.pictures import BIRDS, Inks
from vision.render.strokes import Hand


def _near(rng: np.random.Generator, colour: Colour, spread: float = 14) -> Colour:
    r, g, b = np.clip(np.asarray(colour) + rng.normal(0, spread, 3), 0, 255).astype(int)
    return int(r), int(g), int(b)


def _pick(rng: np.random.Generator, options: dict[str, float]) -> str:
    weights = np.array(list(options.values()))
    return str(rng.choice(list(options), p=weights / weights.sum()))


def random_inks(rng: np.random.Generator) -> Inks:
    """Paints as real sets have them, from fresh to faded and dark."""
    reds = [(186, 24, 34), (150, 24, 36), (210, 48, 44), (226, 66, 58), (128, 28, 40)]
    greens = [(20, 104, 50), (14, 72, 40), (52, 138, 74), (30, 60, 48), (60, 170, 96), (24, 92, 84)]
    blues = [(30, 54, 150), (24, 36, 96), (44, 92, 176), (70, 110, 190), (34, 44, 66)]
    blacks = [(24, 24, 28), (40, 40, 46), (30, 34, 56), (60, 58, 58)]
    yellows = [(214, 160, 40), (200, 130, 30)]
    inks = [_near(rng, options[int(rng.integers(len(options)))]) for options in (reds, greens, blues, blacks, yellows)]
    if rng.random() < 0.3:
        # Dark sets paint green, blue and black in nearly one colour.
        dark = _near(rng, (30, 40, 56), 10)
        inks[1], inks[2], inks[3] = _near(rng, dark, 8), _near(rng, dark, 8), _near(rng, dark, 6)
    return Inks(*inks)


def random_hand(rng: np.random.Generator) -> Hand:
    """A hand of writing: mostly brush, sometimes printed, sans or thin."""
    family = _pick(rng, {"brush": 0.64, "song": 0.1, "sans": 0.14, "thin": 0.12})
    seed = int(rng.integers(1 << 30))
    if family == "brush":
        return Hand(
            family,
            rng.uniform(9.5, 18),
            rng.uniform(0.34, 0.85),
            rng.uniform(30, 65),
            rng.uniform(0.0, 0.14),
            rng.uniform(-0.05, 0.12),
            rng.uniform(0.6, 3.2),
            seed,
            rng.uniform(0.9, 1.7),
            bool(rng.random() < 0.45),
            rng.uniform(0.0, 1.2),
        )
    if family == "song":
        return Hand(family, rng.uniform(12, 18), 1.0, 45, 0.0, 0.0, rng.uniform(0, 0.6), seed, rng.uniform(0.8, 1.2))
    if family == "sans":
        return Hand(family, rng.uniform(10, 16), 1.0, 45, rng.uniform(-0.01, 0.04), 0.0, rng.uniform(0, 1.2), seed)
    return Hand(
        family,
        rng.uniform(5, 8.5),
        rng.uniform(0.7, 1),
        45,
        rng.uniform(0, 0.07),
        rng.uniform(-0.03, 0.06),
        rng.uniform(0.3, 2),
        seed,
    )


def _random_index_hand(rng: np.random.Generator) -> Hand:
    if rng.random() < 0.7:
        return Hand("sans", rng.uniform(10, 19), rng.uniform(0.7, 1), 45, 0.0, rng.choice([0.0, 0.0, 0.12]), 0.0)
    return Hand("song", rng.uniform(14, 20), 1.0, 45, 0.0, rng.choice([0.0, 0.15]), 0.0)


BODIES = ((244, 243, 238), (238, 232, 214), (228, 228, 222), (246, 246, 248), (232, 220, 190), (224, 222, 208))
BACK_COLOURS = (
    (34, 124, 66), (30, 76, 150), (226, 164, 44), (170, 44, 150), (160, 34, 40), (64, 160, 210), (40, 60, 84),
    (240, 190, 70), (110, 200, 130), (44, 44, 46), (120, 190, 200), (120, 40, 80), (20, 84, 70), (222, 120, 150),
    (110, 74, 44), (196, 170, 120),
)  # fmt: skip


def carved(rng: np.random.Generator, style: Style) -> Style:
    """The style as the sets of heavy tiles have it: cut deep and filled with dark paint, dots and bamboo as large as the face
    allows, characters written with a full brush, no numerals, the white dragon mostly blank."""
    hand = Hand("brush", rng.uniform(11, 20), rng.uniform(0.3, 0.7), rng.uniform(35, 65), rng.uniform(0.0, 0.2),
                rng.uniform(-0.12, 0.12), rng.uniform(1.0, 4.0), int(rng.integers(1 << 30)), rng.uniform(1.1, 1.8),
                bool(rng.random() < 0.5), rng.uniform(0.2, 1.5))  # fmt: skip
    dark = _near(rng, (24, 32, 48), 10)
    black = bool(rng.random() < 0.75)
    inks = replace(style.inks, blue=_near(rng, dark, 6), black=dark)
    return replace(
        style, inks=replace(inks, green=_near(rng, dark, 6)) if black else inks, suit_hand=hand,
        honour_hand=replace(hand, weight=min(20.0, hand.weight * rng.uniform(0.9, 1.25))), number_ink="black",
        wan_ink="red", wind_ink="black", wan="萬", suit_size=(rng.uniform(54, 82), rng.uniform(36, 52)),
        wan_size=(rng.uniform(50, 76), rng.uniform(46, 62)), honour_size=(rng.uniform(50, 84), rng.uniform(54, 96)),
        suit_gap=rng.uniform(-9, 4),
        index="none", dot=_pick(rng, {"petal": 3, "cup": 3, "wheel": 2, "flower": 1, "five": 1, "bead": 1, "cross": 1}),
        one_radius=rng.uniform(32, 46), dot_fill=rng.uniform(0.3, 1.0), dot_scale=1.0,
        dot_spread=rng.uniform(0.97, 1.03),
        stick=_pick(rng, {"jointed": 3, "hollow": 3, "bone": 2, "slit": 1, "outline": 1}), stick_width=rng.uniform(14, 23),
        bird_scale=rng.uniform(0.9, 1.12), white="blank" if rng.random() < 0.7 else style.white,
        bonus_picture="own" if rng.random() < 0.7 else style.bonus_picture, margin=rng.uniform(0, 0.04),
        engraving=rng.uniform(0.4, 0.9), bleed=0.0, opacity=rng.uniform(0.92, 1.0),
    )  # fmt: skip


CARVED_SHARE = 0.4


def random_style(rng: np.random.Generator) -> Style:
    """An invented tile set, consistent in itself."""
    style = _printed_style(rng)
    return carved(rng, style) if rng.random() < CARVED_SHARE else style


def _printed_style(rng: np.random.Generator) -> Style:
    seed = int(rng.integers(1 << 30))
    hand = random_hand(rng)
    honour = hand if rng.random() < 0.6 else random_hand(rng)
    dark = _pick(rng, {"black": 0.45, "blue": 0.42, "green": 0.08, "red": 0.05})
    winds = dark if rng.random() < 0.75 and dark in ("black", "blue") else _pick(rng, {"black": 0.5, "blue": 0.5})
    series = rng.random()
    if series < 0.5:
        bonus_ink, bonus_number = (winds, "red"), ("arabic", "arabic")
    elif series < 0.75:
        bonus_ink, bonus_number = (winds, "red"), ("arabic", "chinese")
    elif series < 0.9:
        bonus_ink, bonus_number = ("red", winds), ("arabic", "arabic")
    else:
        bonus_ink, bonus_number = ("green", "red"), ("arabic", "arabic")
    index = _pick(rng, {"none": 0.55, "all": 0.3, "suits": 0.15})
    label = _pick(rng, {"both": 0.66, "number": 0.18, "character": 0.16})
    return Style(
        name=f"random-{seed}",
        seed=seed,
        inks=random_inks(rng),
        body=_near(rng, BODIES[int(rng.integers(len(BODIES)))], 4),
        back=_near(rng, BACK_COLOURS[int(rng.integers(len(BACK_COLOURS)))]),
        back_pattern=_pick(rng, dict.fromkeys(BACKS, 0.05) | {"plain": 0.62, "speckle": 0.14, "grain": 0.1}),
        suit_hand=hand,
        honour_hand=replace(honour, weight=min(honour.weight * rng.uniform(0.95, 1.3), 18.0)),
        index_hand=_random_index_hand(rng),
        number_ink=dark,
        wan_ink="red" if rng.random() < 0.93 else dark,
        wind_ink=winds,
        wan="萬" if rng.random() < 0.93 else "万",
        five="伍" if rng.random() < 0.6 else "五",
        east="東" if rng.random() < 0.95 else "东",
        green="發" if rng.random() < 0.95 else "发",
        orchid="蘭" if rng.random() < 0.6 else "兰",
        centre="中" if rng.random() < 0.6 else "中:bar",
        suit_size=(rng.uniform(52, 74), rng.uniform(36, 50)),
        wan_size=(rng.uniform(52, 74), rng.uniform(44, 56)),
        suit_gap=rng.uniform(-4, 6),
        honour_size=(rng.uniform(52, 76), rng.uniform(62, 100)),
        index=index,
        index_place=_pick(rng, {"left": 0.5, "right": 0.4, "both": 0.1}),
        index_ink=_pick(rng, {"black": 0.35, "red": 0.35, "blue": 0.2, "green": 0.1}),
        index_size=rng.uniform(13, 24),
        white_letter="P" if rng.random() < 0.6 else "B",
        dot=_pick(rng, dict.fromkeys(DOTS, 1.0) | {"rings": 3.0, "wheel": 2.0, "solid": 1.6, "plain": 0.4}),
        one_dot=_pick(rng, dict.fromkeys(ONE_DOTS, 1.0)),
        one_radius=rng.uniform(28, 44),
        dot_inks=(
            ("green", "blue"), ("green", "blue"), ("green", "black"), ("black", "black"), ("blue", "green"),
            ("green", "green"), ("blue", "blue"),
        )[int(rng.integers(7))],
        dot_reds=bool(rng.random() < 0.93),
        dot_scale=rng.uniform(0.74, 1.06),
        dot_spread=rng.uniform(0.86, 1.0),
        stick=_pick(rng, dict.fromkeys(STICKS, 1.0) | {"double": 3.0, "plain": 0.5}),
        stick_inks=(
            ("green", "green"), ("green", "green"), ("green", "blue"), ("blue", "green"), ("black", "black"), ("blue", "blue"),
        )[int(rng.integers(6))],
        stick_reds=bool(rng.random() < 0.93),
        stick_width=rng.uniform(10, 16.5),
        seven=_pick(rng, {"top": 0.65, "column": 0.35}),
        eight=_pick(rng, {"diamond": 0.55, "cross": 0.3, "level": 0.15}),
        nine=_pick(rng, {"column": 0.75, "row": 0.25}),
        bird=_pick(rng, dict.fromkeys(BIRDS, 1.0)),
        bird_scale=rng.uniform(0.78, 1.08),
        white=_pick(rng, {"blank": 0.4, "single": 0.13, "double": 0.25, "ornate": 0.16, "character": 0.03, "letter": 0.03}),
        white_ink=_pick(rng, {"blue": 0.6, "black": 0.3, "green": 0.05, "red": 0.05}),
        flowers="梅蘭菊竹" if rng.random() < 0.95 else "漁樵耕讀",
        bonus_picture=_pick(rng, {"own": 0.5, "rose": 0.2, "any": 0.22, "none": 0.08}),
        bonus_label=label,
        bonus_place=_pick(rng, {"top": 0.3, "top-swapped": 0.3, "bottom": 0.08, "bottom-swapped": 0.07, "side": 0.25}),
        bonus_ink=bonus_ink,
        bonus_number=bonus_number,
        margin=rng.uniform(0, 0.07) if index == "none" else rng.uniform(0.05, 0.11),
        engraving=rng.uniform(0.1, 0.9),
        wear=0.0 if rng.random() < 0.6 else rng.uniform(0.05, 0.5),
        bleed=0.0 if rng.random() < 0.6 else rng.uniform(0.2, 1.2),
        opacity=rng.uniform(0.82, 1.0),
    )  # fmt: skip


def named_styles() -> dict[str, Style]:
    """A fixed few, for demonstrations and tests."""
    base = Style(name="hongkong", seed=1)
    return {
        "hongkong": base,
        "riichi": replace(
            base, name="riichi", seed=2, number_ink="black", dot="wheel", dot_inks=("black", "black"), bird="peacock",
            stick="bone", stick_inks=("black", "black"), white="blank", back=(226, 164, 44), five="伍",
        ),
        "family": replace(
            base, name="family", seed=3, number_ink="blue", wind_ink="blue", index="all", index_ink="red", stick="outline",
            bird="parrot", back=(30, 76, 150), bonus_number=("arabic", "chinese"), white="ornate",
        ),
        "printed": replace(
            base, name="printed", seed=4, suit_hand=Hand("sans", 13, 1.0, sway=0.2), honour_hand=Hand("sans", 15, 1.0, sway=0.2),
            dot="solid", stick="plain", bird="stylised", white="single", wan="万", five="五", engraving=0.0,
        ),
        "old": replace(
            base, name="old", seed=5, body=(230, 214, 176), wear=0.35, dot="flower", stick="beam", bird="crane",
            suit_hand=Hand(weight=10, tilt=0.06, sway=2.2, sway_seed=4, running=True), opacity=0.9, white="double",
        ),
        "swallow": replace(
            base, name="swallow", seed=6, bird="swallow", dot="cross", stick="chain", back=(170, 44, 150),
            bonus_label="number", bonus_number=("arabic", "chinese"), eight="cross", seven="column",
        ),
    }  # fmt: skip
