"""Games played by bots, filmed and told with the truth: what ``referee simulate`` does, without the command line.

``play`` plays, ``log_lines`` tells; ``film`` renders what a camera over the table would have seen and writes everything
beside it: the log with the film's times, the automatic table's trace in time with it, the camera's calibration.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from referee.rules import tiles as t
from referee.rules.record import Meld
from referee.rules.ritual import Place, Ritual
from referee.rules.ruleset import Ruleset, load
from referee.table import events as ev
from referee.table.bots import Bots
from referee.table.events import write_event
from referee.table.player import Done
from referee.table.walls import recounted


@dataclass(frozen=True)
class Played:
    """A game: its events hand by hand, the tiles of the set and the dealer of each hand, and the fouls done on purpose."""

    rules: Ruleset
    seed: int
    options: Mapping[str, Any]
    hands: tuple[tuple[ev.Event, ...], ...]
    decks: tuple[tuple[t.Tile, ...], ...]
    dealers: tuple[int, ...]
    fouls: tuple[Done, ...] = ()

    @property
    def events(self) -> tuple[ev.Event, ...]:
        return tuple(event for hand in self.hands for event in hand)


def play(rules_id: str, seed: int, hands: int = 1, options: Mapping[str, Any] | None = None, fouls: float = 0.0) -> Played:
    """Hands in a row, played to win; ``fouls`` is the share of turns in which somebody breaks a rule.

    Raises RecordError for an unknown rule set or option.
    """
    rules = load(rules_id, options or {})
    bots = Bots(rules, options or {}, random.Random(seed), fouls=fouls)
    for _ in range(hands):
        bots.hand()
    return Played(
        rules, seed, dict(options or {}), tuple(_by_hand(bots.played.events)), tuple(bots.decks),
        tuple(hand.state.dealer for hand in bots.game.hands), tuple(bots.played.fouls),
    )  # fmt: skip


def _by_hand(events: Iterable[ev.Event]) -> Iterator[tuple[ev.Event, ...]]:
    hand: list[ev.Event] = []
    for event in events:
        if isinstance(event, ev.Start) and hand:
            yield tuple(hand)
            hand = []
        hand.append(event)
    yield tuple(hand)


# --- what is written ---------------------------------------------------------------------------------------------


def rows(game: Played, times: Sequence[float] | None = None) -> list[dict[str, Any]]:
    """The log's JSON objects, with the film's times where there is one; events after its end are left out."""
    out = [write_event(event) for event in game.events]
    if times is not None:
        out = [_timed(row, at) for row, at in zip(out, times, strict=False)]
    return out


def _timed(row: dict[str, Any], at: float) -> dict[str, Any]:
    return {"n": row["n"], "type": row["type"], "t": at} | row


def write_log(path: Path, log: Iterable[Mapping[str, Any]]) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in log)


def write_truth(path: Path, game: Played, log: Sequence[Mapping[str, Any]]) -> None:
    """How the game came about and the fouls done on purpose, as far as the log goes."""
    last = log[-1]["n"] if log else 0
    fouls = [{"n": foul.n, "seat": foul.seat, "kind": foul.kind} for foul in game.fouls if foul.n <= last]
    truth = {
        "rules": game.rules.id, "options": dict(game.options), "seed": game.seed, "hands": len(game.hands), "fouls": fouls,
    }  # fmt: skip
    path.write_text(json.dumps(truth, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


# --- the film and the table's line ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Filming:
    """How to film: the picture's size, frames a second, how many of them have their truth written, pace of play (greater
    is slower), and after how many seconds to stop."""

    size: tuple[int, int] = (1920, 1080)
    fps: float = 15.0
    every: int = 8
    pace: float = 1.0
    seconds: float | None = None
    oblique: float = 12.0


def film(game: Played, out: Path, how: Filming) -> None:
    """Writes table.mp4, annotations.jsonl, calibration.json, log.jsonl, serial.trace, truth.json and set.jpg into ``out``.

    Raises ValueError where the log cannot be played with tiles on a table, OSError where nothing can be written.
    """
    from vision.render.customs import aside_in, layout_of
    from vision.render.photo import write_set_photo
    from vision.render.session import Hand, cut, prepare, write_film

    hands = [
        Hand(tuple(_told(hand, dealer)), tuple(t.NAMES[kind] for kind in deck), aside_in(game.rules, hand))
        for hand, dealer, deck in zip(game.hands, game.dealers, game.decks, strict=True)
    ]
    session = prepare(
        hands, layout_of(game.rules), game.seed, how.fps, how.size, every=how.every, pace=how.pace, oblique=how.oblique
    )
    times: Sequence[float] = session.times
    if how.seconds is not None:
        session = cut(session, how.seconds)
        times = [at for at in times if at <= how.seconds]
    log = rows(game, times)
    out.mkdir(parents=True, exist_ok=True)
    write_log(out / "log.jsonl", log)
    write_truth(out / "truth.json", game, log)
    write_trace(out / "serial.trace", game.rules, log)
    faces = [t.NAMES[kind] for kind in sorted(set(game.decks[0]))]
    write_set_photo(out / "set.jpg", session.seed, faces, session.layout.size, session.look.style)
    write_film(session, out, how.every)


def _told(hand: Iterable[ev.Event], dealer: int) -> Iterator[dict[str, Any]]:
    """A hand's events for the film, which plays each by itself: the start names the dealer."""
    for event in hand:
        row = write_event(event)
        yield row | {"dealer": dealer} if isinstance(event, ev.Start) else row


def write_trace(path: Path, rules: Ruleset, log: Sequence[Mapping[str, Any]]) -> None:
    """What an automatic table would have told of the game, in time with the log."""
    from hardware import trace
    from hardware.protocol import Wall
    from hardware.simulator import from_log, hello, timed
    from hardware.table import Identity

    ritual = rules.ritual or Ritual()
    double = ritual.layout == "inner_outer"
    tiles = sum(rules.tiles) if double else min(sum(rules.tiles), 2 * sum(ritual.stacks))
    steps = from_log(on_the_line(rules, log), tiles, rules.hand_size, rules.players)
    told = list(timed(steps))
    if not double:  # the walls as they stand on this table, none before an empty side
        walls = (*ritual.stacks, *(0,) * (4 - rules.players))
        told = [(at, replace(m, stacks=walls) if isinstance(m, Wall) and m.stacks else m) for at, m in told]
    trace.write(path, told, hello(Identity(tiles=tiles)))


def on_the_line(rules: Ruleset, log: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """The log with the indicator's stack counted as the table's line counts: from the right end of the wall it is in.

    Rule sets count from the tail or from the near end of the next wall as well. Where the log names no wall, neither can
    the table's line.
    """
    ritual = rules.ritual or Ritual()
    broken: Place | None = None
    for row in log:
        if row["type"] == "deal":
            known = row.get("wall") is not None and row.get("stacks") is not None
            broken = Place(row["wall"], row["stacks"]) if known else None
        if row["type"] == "indicator" and row.get("wall") is not None and row.get("stack") is not None:
            row = {**row, "stack": recounted(ritual, Place(row["wall"], row["stack"]), broken)}
        yield row


# --- photographs -----------------------------------------------------------------------------------------------------


def finished_hands(game: Played) -> list[dict[str, Any]]:
    """The winners' hands as they lie on the table, for photographs: {"hand", "melds", "bonus", "win"}, the winner seat 0."""
    from referee.table.game import replay

    played, _ = replay(game.events)
    found = []
    for hand in played.hands:
        record = hand.record
        for win in record.wins:
            player = record.players[win.seat]
            if player.hand is None or win.tile is None:
                continue
            melds = [
                {"kind": meld.kind, "tiles": t.write(meld.tiles)} | _taken(meld, win.seat, game.rules.players)
                for meld in player.melds
            ]
            found.append(
                {"hand": t.write(player.hand), "melds": melds, "bonus": t.write(player.bonus), "win": t.NAMES[win.tile]}
            )
    return found


def _taken(meld: Meld, seat: int, players: int) -> dict[str, Any]:
    """The claimed tile and its giver, counted from the winner."""
    if meld.claimed is None or meld.source is None:
        return {}
    return {"claimed": t.NAMES[meld.claimed], "from": (meld.source - seat) % players}


def photograph(
    rules_id: str, seed: int, out: Path, count: int, options: Mapping[str, Any], size: tuple[int, int],
    customs: Mapping[str, Any] | None = None,
) -> int:  # fmt: skip
    """Photographs of ``count`` hands won in games from the seed on; how many were taken.

    ``customs`` say how the hands are laid out (``row``, ``melds``, ``bonus``, ``win``, ``turned``); what they leave open is
    the rule set's custom or differs from photograph to photograph. Raises ValueError for others.
    """
    from vision.render.photo import arranged, render_photos

    customs = arranged(customs or {})
    lies = (load(rules_id, options).ritual or Ritual()).customs

    hands: list[dict[str, Any]] = []
    games = 0
    while len(hands) < count and games < 4 * count + 8:
        hands += finished_hands(play(rules_id, seed + games, 1, options))
        games += 1
    hands = hands[:count]
    if hands:
        customs = {"turned": lies.giver, "closed_kong": lies.closed_kong} | dict(customs)
        render_photos(out, seed, len(hands), hands, size=size, customs=customs)
    return len(hands)
