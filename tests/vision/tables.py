"""A follower at a table where something has been told already, and tiles laid before it by hand."""

from __future__ import annotations

import numpy as np

from referee.table import events as ev
from referee.table.ledger import Ledger
from vision.infer import Follower
from vision.track import NAMES, Track
from vision.zones import Spot

WIDTH = 30.0  # of a tile, mm
STEP = 1.15 * WIDTH  # from tile to tile in a row


def table_after(rules_id: str, *told: ev.Event) -> Follower:
    """The table after some events; seat 0 deals."""
    ledger = Ledger()
    written: list[ev.Event] = []

    def write(event: ev.Event, tracks: object) -> ev.Event:
        written.append(ev.numbered(event, len(written) + 1))
        return written[-1]

    table = Follower(ev.Start(rules=rules_id, dealer=0), ledger, write, WIDTH)
    for event in told:
        table._commit(event)
    return table


def lying(number: int, face: str, seat: int, x: float, y: float, zone: str = "open", white: float = 0.0) -> Spot:
    """A tile as track ``number``, read surely, at x, y mm as its seat sees them."""
    scores = np.full(len(NAMES), -12.0)
    scores[NAMES.index(face)] = 0.0
    facing = {"back": "down", "edge": "standing"}.get(face, "up")
    track = Track(number, x, y, 0.0, facing, scores, 0.0, 0.0, settled=True, width=WIDTH, white=white, home=(x, y), at=((x, y),))
    return Spot(track, zone, seat, x, y, 0.0)
