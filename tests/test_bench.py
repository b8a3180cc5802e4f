"""What the benches count, on a log of a few events worked out by hand."""

from referee.table import events as ev
from referee.table.ledger import Ledger
from tests.bench.watch import Run, compare

TRUTH = [
    {"n": 1, "type": "start", "t": 0.0, "rules": "hongkong", "dealer": 0},
    {"n": 2, "type": "deal", "t": 5.0, "hands": [None] * 4},
    {"n": 3, "type": "discard", "t": 8.0, "seat": 0, "tile": "9p"},
    {"n": 4, "type": "draw", "t": 9.0, "seat": 1, "tile": None},
    {"n": 5, "type": "discard", "t": 10.0, "seat": 1, "tile": "W"},
]


def test_an_event_told_anew_is_late_by_when_it_was_told_so():
    told = [
        *TRUTH[:2],
        {"n": 3, "type": "discard", "t": 8.5, "seat": 0, "tile": "6p"},
        {"n": 4, "type": "draw", "t": 10.5, "seat": 1, "tile": None},
        {"n": 5, "type": "discard", "t": 10.5, "seat": 1, "tile": "W"},
        {"n": 6, "type": "correct", "t": 12.0, "event": 3, "with": [{"type": "discard", "seat": 0, "tile": "9p"}]},
    ]
    found = Ledger()
    for event in told:
        found.record(ev.read_event(event))
    film = compare("film", TRUTH, found, [], Run(frames=100, length=20.0, seconds=20.0, megabytes=1.0))
    assert (film.right, film.extra) == (2, 0)
    assert sorted(film.delays) == [("discard", 0.5), ("discard", 4.0)]
