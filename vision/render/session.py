"""Films of several hands in a row at one table: one video, one log with times, the truth of the stills, the calibration.

Between two hands all tiles are pushed together in the middle. An automatic table swallows them there, and the next walls rise
out of it; at others the tiles are stirred and the walls built. Everything else (camera, table, tiles, players) stays as it was.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.render.draw import Renderer
from vision.render.film import Film, Frame, Look, annotation, calibration, random_look
from vision.render.layout import Layout
from vision.render.script import Customs, Script, choreograph

HEARD = 1.0  # seconds in which one who has laid out a set hears a better claim, sees it and gives way
HAND_SEED = 7919  # hands of one film are played with seeds this far apart


@dataclass(frozen=True)
class Hand:
    """One hand to film: its events (objects of the event log, the `start` naming the dealer), the tiles of the set, and the
    faces that go to their discarder's own row when discarded."""

    events: tuple[Mapping[str, Any], ...]
    deck: tuple[str, ...]
    aside: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Session:
    """Hands with their scripts, one after the other. `begins`: when each hand begins, on whole frames, seconds."""

    scripts: tuple[Script, ...]
    begins: tuple[float, ...]
    layout: Layout
    look: Look
    seed: int
    fps: float

    @property
    def times(self) -> tuple[float, ...]:
        """When each event of all hands has happened on the table, seconds since the film began."""
        return tuple(
            round(begin + t, 3) for script, begin in zip(self.scripts, self.begins, strict=True) for t in script.times
        )

    @property
    def length(self) -> float:
        return self.begins[-1] + self.scripts[-1].length

    def frames(self, every: int) -> Iterator[tuple[int, Frame]]:
        """Each hand's number and the frames of the film, numbered through; the truth of every `every`th is worked out."""
        renderer = Renderer()
        for number, (script, begin) in enumerate(zip(self.scripts, self.begins, strict=True)):
            first = round(begin * self.fps)
            seed = self.seed + HAND_SEED * number
            film = Film(script, self.layout, self.look, seed, self.fps, every=every, renderer=renderer)
            for frame in film:
                yield number, replace(frame, number=first + frame.number, t=begin + frame.t)


def prepare(
    hands: Sequence[Hand],
    layout: Layout,
    seed: int,
    fps: float,
    size: tuple[int, int],
    *,
    every: int = 1,
    pace: float = 1.0,
    look: Look | None = None,
    oblique: float = 12.0,
    bustle: float = 0.02,
) -> Session:
    """Works out who moves what when. Hands begin on frames whose truth is written. `bustle`: how often tiles are knocked
    askew or a hand comes over the table for nothing, 0 to 1. Raises ValueError, naming the event."""
    look = look or random_look(np.random.default_rng([seed, 17]), layout, size, oblique=oblique)
    closing, opening = ("swallow", "rising") if look.table.centre == "unit" else ("gather", "shuffle")
    scripts = [
        choreograph(
            hand.events, layout, seed + HAND_SEED * number, deck=hand.deck, aside=hand.aside,
            customs=Customs(
                pace, opening if number else "standing", bustle, closing if number < len(hands) - 1 else "none", HEARD
            ),
        )
        for number, hand in enumerate(hands)
    ]  # fmt: skip
    begins, at = [], 0
    for script in scripts:
        begins.append(at / fps)
        frames = int(np.ceil(script.length * fps))
        at += frames + (-frames) % every
    scripts = [
        replace(script, length=_whole(after - begin, fps))
        for script, begin, after in zip(scripts, begins, [*begins[1:], at / fps], strict=True)
    ]
    return Session(tuple(scripts), tuple(begins), layout, look, seed, fps)


def _whole(seconds: float, fps: float) -> float:
    """A length that is the nearest whole number of frames, safe from rounding up to one more."""
    return (max(round(seconds * fps), 1) - 0.25) / fps


def cut(session: Session, seconds: float) -> Session:
    """The session's first seconds."""
    kept = [(script, begin) for script, begin in zip(session.scripts, session.begins, strict=True) if begin < seconds]
    scripts = [
        replace(script, length=min(script.length, _whole(seconds - begin, session.fps))) for script, begin in kept
    ]
    return replace(session, scripts=tuple(scripts), begins=tuple(begin for _, begin in kept))


def write_film(session: Session, out_dir: Path, every: int) -> None:
    """Writes table.mp4, annotations.jsonl (the truth of every `every`th frame) and calibration.json into `out_dir`.

    Raises OSError where they cannot be written.
    """
    look = session.look
    size = (look.camera.width, look.camera.height)
    out_dir.mkdir(parents=True, exist_ok=True)
    text = json.dumps(calibration(look, session.layout), indent=1) + "\n"
    (out_dir / "calibration.json").write_text(text, encoding="utf-8")
    path = out_dir / "table.mp4"
    video = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"mp4v"), session.fps, size)
    if not video.isOpened():
        raise OSError(f"{path}: cannot be written, no MPEG-4 encoder")
    with (out_dir / "annotations.jsonl").open("w", encoding="utf-8") as lines:
        for hand, frame in session.frames(every):
            video.write(frame.picture)
            if frame.number % every == 0:
                lines.write(json.dumps({"hand": hand} | annotation(frame, look)) + "\n")
    video.release()
