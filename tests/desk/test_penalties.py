"""Tournament rule books: effects, ladders, proposals and rulings. Truth: docs/adjudication.md."""

from __future__ import annotations

import pytest

from referee.desk.penalties import BOOKS, Step, propose, table_book
from referee.table.faults import KINDS, Fault
from referee.table.game import Game, GameError
from tests.table.telling import HIDDEN, log


def played(book: str, *lines: str) -> Game:
    game = Game(book_of=table_book)
    for event in log("hongkong", HIDDEN, *lines, book=book):
        game.play(event)
    return game


def effects(game: Game) -> list[tuple[str, str]]:
    return [(fault.kind, fault.effect) for _, fault in game.faults]


@pytest.mark.parametrize(
    ("book", "effect"), [("MCR", "dead_hand"), ("WRC", "redeal"), ("EMA", "dead_hand"), ("ZJ", "dead_hand"), ("HK", "dead_hand")]
)
def test_long_hands(book: str, effect: str) -> None:
    assert effects(played(book, "0 -1m; 1 count 14")) == [("long_hand", effect)]


def test_repeated_offences_climb_the_ladder() -> None:
    """MCR: warning, 5, 10, 20, ... for out-of-turn draws; the later ones doubled."""
    rounds = "; ".join(f"{(s + 2) % 4} +; {(s + 2) % 4} -{n}p" for s, n in zip((0, 2, 0, 2), (1, 2, 3, 4), strict=True))
    game = played("MCR", "0 -1m", rounds)
    twice = [effect for kind, effect in effects(game) if kind == "out_of_turn"]
    assert twice == ["warning", "warning", "penalty", "penalty"]  # two players, each with a first and a second offence
    ladder = BOOKS["MCR"].penalty_for("out_of_turn")
    assert ladder is not None
    assert [ladder.step(times).points for times in range(1, 7)] == [0, 5, 10, 20, 40, 80]


def test_where_a_book_says_nothing_the_rule_set_or_a_person_decides() -> None:
    assert effects(played("ZJ", "0 -1m; 1 +; 1 win 5s wall - 123m"))[-1] == ("false_win", "penalty")  # Hong Kong's own
    assert effects(played("MCR", "0 -1m; 1 -9p"))[0] == ("no_draw", "ask")


def test_a_long_hand_may_not_claim_under_zung_jung() -> None:
    """ZJ: dead; a long hand may not claim or kong either."""
    assert ("barred_claim", "ask") in effects(played("ZJ", "0 -1m; 2 count 14; 1 +; 1 -9p; 2 pung 999p 9p 1"))
    assert effects(played("HK", "0 -1m; 2 count 14; 1 +; 1 -9p; 2 pung 999p 9p 1")) == [("long_hand", "dead_hand")]


def test_an_unknown_book_is_refused() -> None:
    with pytest.raises(GameError, match="no rule book 'XYZ'"):
        table_book("XYZ")


def test_every_penalty_is_whole() -> None:
    """A code of its own, words, at least one step; the faults it answers are faults of the log."""
    for book in BOOKS.values():
        codes = [penalty.code for penalty in book.penalties]
        assert len(codes) == len(set(codes))
        for penalty in book.penalties:
            assert penalty.text and penalty.steps and penalty.evidence
            assert set(penalty.faults) <= set(KINDS)
            assert all(step.points == 0 or step.to != "nobody" for step in penalty.steps)


def test_proposals_are_confirmed_changed_or_cancelled_with_a_reason() -> None:
    faults = [Fault(4, 1, "false_win", "shape"), Fault(9, 1, "false_win", "shape", certain=False)]
    [ruling] = propose(BOOKS["HK"], faults)
    assert (ruling.status, ruling.step.points, ruling.points) == ("proposed", 150, 0)
    assert ruling.confirm("head").points == 150
    assert ruling.change(Step(10, "tournament"), "head", "first time here").points == 10
    cancelled = ruling.cancel("head", "misread tile")
    assert (cancelled.points, cancelled.status, cancelled.reason) == (0, "cancelled", "misread tile")
    with pytest.raises(ValueError, match="a reason"):
        ruling.cancel("head", " ")


def test_repeated_proposals_take_the_next_step() -> None:
    faults = [Fault(n, 2, "wrong_chow", "no run") for n in (3, 8, 20)]
    assert [r.step.points for r in propose(BOOKS["HK"], faults)] == [0, 10, 10]
