"""A bad cable: spoils a stream of bytes at given rates, the same way for the same seed."""

from __future__ import annotations

import random
from dataclasses import dataclass


@dataclass(slots=True)
class Spoilt:
    """What was done to a stream: bytes changed; chunks dropped, doubled, swapped with the one after."""

    changed: int = 0
    dropped: int = 0
    doubled: int = 0
    swapped: int = 0


class Chaos:
    """Cuts what passes into chunks of 1 to 32 bytes and, each at `rate`, changes single bytes to random ones, drops a
    chunk, sends it twice, or sends it after the next one."""

    def __init__(self, seed: int, rate: float = 0.01) -> None:
        self.done = Spoilt()
        self._random = random.Random(seed)
        self._rate = rate
        self._held = b""

    def __call__(self, data: bytes) -> bytes:
        """The bytes that arrive; a chunk held back for a swap may come with those of a later call."""
        out = bytearray()
        at = 0
        while at < len(data):
            size = self._random.randint(1, 32)
            self._chunk(data[at : at + size], out)
            at += size
        return bytes(out)

    def _hits(self) -> bool:
        return self._random.random() < self._rate

    def _chunk(self, chunk: bytes, out: bytearray) -> None:
        spoilt = bytearray(chunk)
        for index in range(len(spoilt)):
            if self._hits():
                spoilt[index] ^= self._random.randint(1, 255)
                self.done.changed += 1
        if self._hits():
            self.done.dropped += 1
            return
        if self._hits():
            self.done.doubled += 1
            spoilt = spoilt * 2
        if not self._held and self._hits():
            self.done.swapped += 1
            self._held = bytes(spoilt)
            return
        out += spoilt
        out += self._held
        self._held = b""
