"""Pictures kept for a ruling that is contested later: on disk, named in the log, bounded in size."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
from numpy.typing import NDArray

Picture = NDArray[Any]
QUALITY = 85
BEFORE = 2.0  # seconds before an event that its "before" picture shows
EVERY = 0.5  # seconds between pictures kept in memory


class Evidence:
    """Keeps crops and whole pictures under ``folder``; the oldest go when there are more than ``most_bytes``."""

    def __init__(self, folder: Path, most_bytes: int = 500 << 20) -> None:
        self.folder, self.most_bytes = folder, most_bytes
        folder.mkdir(parents=True, exist_ok=True)
        self._files: deque[tuple[Path, int]] = deque(
            (path, path.stat().st_size) for path in sorted(folder.glob("*.jpg"), key=lambda p: p.stat().st_mtime)
        )
        self._held = sum(size for _, size in self._files)
        self._lately: deque[tuple[float, bytes]] = deque(maxlen=round(BEFORE / EVERY) + 2)

    def remember(self, picture: Picture, t: float) -> None:
        """Keep a picture in memory for the "before" of what may come."""
        if not self._lately or t - self._lately[-1][0] >= EVERY or t < self._lately[-1][0]:
            done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
            if done:
                self._lately.append((t, data.tobytes()))

    def keep(self, name: str, picture: Picture, t: float, quads: Sequence[Picture]) -> tuple[str, ...]:
        """Write the picture before, the picture now and a crop of the tiles concerned; their file names."""
        names = []
        before = next((data for at, data in self._lately if at <= t - BEFORE / 2), None)
        if before is not None:
            names.append(self._write(f"{name}-before.jpg", before))
        for suffix, part in (("now", picture), ("tiles", _crop(picture, quads))):
            if part is not None and part.size:
                done, data = cv2.imencode(".jpg", part, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
                if done:
                    names.append(self._write(f"{name}-{suffix}.jpg", data.tobytes()))
        return tuple(names)

    def _write(self, name: str, data: bytes) -> str:
        path = self.folder / name
        path.write_bytes(data)
        self._files.append((path, len(data)))
        self._held += len(data)
        while self._held > self.most_bytes and len(self._files) > 1:
            oldest, size = self._files.popleft()
            oldest.unlink(missing_ok=True)
            self._held -= size
        return name


def _crop(picture: Picture, quads: Sequence[Picture], margin: float = 0.6) -> Picture | None:
    if not quads:
        return None
    xs = [float(x) for quad in quads for x in quad[:, 0]]
    ys = [float(y) for quad in quads for y in quad[:, 1]]
    around = margin * max(20.0, (max(xs) - min(xs)) / 2)
    height, width = picture.shape[:2]
    left, right = int(max(0, min(xs) - around)), int(min(width, max(xs) + around))
    top, bottom = int(max(0, min(ys) - around)), int(min(height, max(ys) + around))
    return picture[top:bottom, left:right]
