"""Pictures in time from anywhere: webcams, streams, video files, folders of stills, all read the same way.

    for shot in open_source("table.mp4"): ...        # a file, every frame
    for shot in open_source("0", live=True): ...     # a webcam: late frames are dropped, never queued

A live source that fails is reopened until ``close`` is called; while it is away ``Shot.lost`` shots tell for how long.
"""

import re
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

PICTURES = (".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff")
RETRY = 1.0  # seconds between tries to reopen a lost live source
STILLS_FPS = 1.0  # stills of a folder are taken to lie this far apart


class SourceError(ValueError):
    """A source that cannot be opened at all; one line."""


@dataclass(frozen=True, eq=False)
class Shot:
    """One picture: (h, w, 3) uint8 blue-green-red, seconds since the source began, how far behind life it is.

    ``dropped``: pictures thrown away since the shot before because there was no time for them. ``lost`` shots have no
    picture: the source has been away for ``lag`` seconds.
    """

    number: int
    t: float
    picture: np.ndarray | None
    lag: float = 0.0
    dropped: int = 0
    lost: bool = False


def is_live(source: str) -> bool:
    """A camera number or a stream's address, as against a file or folder."""
    return source.isdigit() or bool(re.match(r"^(rtsp|rtmp|http|https|udp|tcp)://", source))


def open_source(source: str, *, live: bool | None = None, size: tuple[int, int] | None = None) -> "Source":
    """A source of shots. ``size``: width and height to ask a webcam for. Raises SourceError."""
    if live is None:
        live = is_live(source)
    if not is_live(source):
        path = Path(source)
        if not path.exists():
            raise SourceError(f"{source}: no such file or folder")
        if path.is_dir():
            return Stills(path)
    return Live(source, size) if live else Film(source)


class Source:
    """Iterate to get shots; close when done."""

    name = ""

    def __iter__(self) -> Iterator[Shot]:
        raise NotImplementedError

    def close(self) -> None:
        """Stop. Safe to call twice and from another thread."""


class Stills(Source):
    """A folder of pictures, in the order of their names."""

    def __init__(self, folder: Path) -> None:
        self.name = str(folder)
        self.files = sorted(p for p in folder.iterdir() if p.suffix.lower() in PICTURES)
        if not self.files:
            raise SourceError(f"{folder}: no pictures in it")
        self._stopped = False

    def __iter__(self) -> Iterator[Shot]:
        from vision.images import load_image

        for number, path in enumerate(self.files):
            if self._stopped:
                return
            try:
                picture = load_image(path)
            except ValueError:
                yield Shot(number, number / STILLS_FPS, None, lost=True)
                continue
            yield Shot(number, number / STILLS_FPS, picture)

    def close(self) -> None:
        self._stopped = True


class Film(Source):
    """A video file, every frame, with the file's own times."""

    def __init__(self, path: str) -> None:
        self.name = path
        self._video = cv2.VideoCapture(path)
        if not self._video.isOpened():
            raise SourceError(f"{path}: not a video that can be read")
        self.fps = self._video.get(cv2.CAP_PROP_FPS) or 25.0

    def __iter__(self) -> Iterator[Shot]:
        number = 0
        while True:
            there, picture = self._video.read()
            if not there:
                return
            yield Shot(number, number / self.fps, picture)
            number += 1

    def close(self) -> None:
        self._video.release()


class Live(Source):
    """A webcam or stream: a thread keeps only the newest picture, so nothing ever queues."""

    def __init__(self, source: str, size: tuple[int, int] | None = None) -> None:
        self.name = source
        self._address: int | str = int(source) if source.isdigit() else source
        self._size = size
        self._stop = threading.Event()
        self._news = threading.Condition()
        self._latest: tuple[int, float, np.ndarray] | None = None
        self._lost_since: float | None = None
        video = self._open()
        if video is None:
            raise SourceError(f"{source}: no picture comes from this camera or stream")
        self._begun = time.monotonic()
        self._thread = threading.Thread(target=self._keep, args=(video,), daemon=True, name=f"camera {source}")
        self._thread.start()

    def _open(self) -> cv2.VideoCapture | None:
        video = cv2.VideoCapture(self._address)
        if not video.isOpened():
            return None
        if self._size:
            video.set(cv2.CAP_PROP_FRAME_WIDTH, self._size[0])
            video.set(cv2.CAP_PROP_FRAME_HEIGHT, self._size[1])
        video.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        return video

    def _keep(self, video: cv2.VideoCapture | None) -> None:
        number = 0
        while not self._stop.is_set():
            there, picture = video.read() if video is not None else (False, None)
            now = time.monotonic()
            with self._news:
                if there and picture is not None:
                    self._latest, self._lost_since = (number, now, picture), None
                    number += 1
                elif self._lost_since is None:
                    self._lost_since = now
                self._news.notify_all()
            if not there:
                if video is not None:
                    video.release()
                self._stop.wait(RETRY)
                video = None if self._stop.is_set() else self._open()
        if video is not None:
            video.release()

    def __iter__(self) -> Iterator[Shot]:
        seen = -1
        while not self._stop.is_set():
            with self._news:
                if self._latest is None or self._latest[0] == seen:
                    self._news.wait(timeout=RETRY)
                latest, lost = self._latest, self._lost_since
            now = time.monotonic()
            if latest is not None and latest[0] != seen:
                number, taken, picture = latest
                yield Shot(number, taken - self._begun, picture, now - taken, max(0, number - seen - 1))
                seen = number
            elif lost is not None:
                yield Shot(seen + 1, now - self._begun, None, now - lost, lost=True)

    def close(self) -> None:
        self._stop.set()
        with self._news:
            self._news.notify_all()
