"""What a table is to show of a game: scores on its displays, whose turn it is and who is asked something on its lamps.

The way back from `hardware.observe`: plain data in, commands out, and only those that change something. A lamp tells
everybody at the table; what may not be said aloud (another player's long or short hand) is not to be put into `fouls`.
"""

from __future__ import annotations

from dataclasses import dataclass

from hardware.observe import Seating
from hardware.protocol import Command, Display, Light

ASKING_MS = 800
"""Period of a blinking lamp."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What is to be seen at a table; seats are the game's. `scores` in points, a seat each, None where not shown;
    `turn`: whose turn it is; `asked`: who has a question to answer; `fouls`: who has committed a foul that may be said
    aloud; `stopped`: play is to stop and the referee is called."""

    scores: tuple[int | None, ...] = ()
    turn: int | None = None
    asked: frozenset[int] = frozenset()
    fouls: frozenset[int] = frozenset()
    stopped: bool = False


def commands(shown: Shown, before: Shown | None = None, seating: Seating | None = None) -> list[Command]:
    """What to have the table do so that it shows this; `before`: what it shows already, None where nothing yet.

    Lamps: red a foul, amber blinking a question, green the turn, else off; in the centre red when play is to stop. Of
    two reasons the first counts.
    """
    seating = seating or Seating()
    out: list[Command] = []
    for seat, score in enumerate(shown.scores):
        known = before.scores[seat] if before is not None and seat < len(before.scores) else None
        if score is not None and score != known:
            out.append(Display(seating.side_of(seat), score))
    for seat in range(seating.players):
        lamp = _lamp(shown, seat)
        if before is None or lamp != _lamp(before, seat):
            colour, blink = lamp
            out.append(Light(colour, seating.side_of(seat), blink))
    if before is None or shown.stopped != before.stopped:
        out.append(Light("red" if shown.stopped else "off"))
    return out


def _lamp(shown: Shown, seat: int) -> tuple[str, int | None]:
    if seat in shown.fouls:
        return "red", None
    if seat in shown.asked:
        return "amber", ASKING_MS
    return ("green" if seat == shown.turn else "off"), None
