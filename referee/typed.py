"""A hand record from what was typed on the command line or told to ``referee photo``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.rules import tiles as t
from referee.rules.record import RecordError
from referee.rules.ruleset import base_ruleset


def typed_record(
    tiles: str,
    rules_id: str,
    *,
    win: str | None = None,
    source: str = "wall",
    giver: int | None = None,
    seat: int = 0,
    dealer: int = 0,
    repeat: int = 0,
    round_wind: str = "E",
    indicator: str | None = None,
    melds: Sequence[str] = (),
    bonus: str = "",
    hands: Sequence[str] = (),
    win_fields: Mapping[str, Any] | None = None,
    options: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The record's JSON value. ``melds``: ``KIND:TILES[:FROM[:CLAIMED]]``; ``hands``: ``SEAT=TILES``. Raises RecordError."""
    players: list[dict[str, Any]] = [{} for _ in range(base_ruleset(rules_id).players)]
    if not 0 <= seat < len(players):
        raise RecordError(f"--seat {seat}: seats are 0-{len(players) - 1}")
    held, win = _split_win(tiles, win)
    players[seat] = {"hand": held, "melds": [_meld(text) for text in melds], "bonus": bonus}
    for text in hands:
        other, equals, other_tiles = text.partition("=")
        if not equals or not other.isdigit() or int(other) >= len(players):
            raise RecordError(f"--hand-of {text}: written as SEAT=TILES, seats are 0-{len(players) - 1}")
        players[int(other)]["hand"] = other_tiles
    declared = {"seat": seat, "tile": win, "source": source, "from": giver, **(win_fields or {})}
    return record_with(rules_id, options or {}, dealer, repeat, round_wind, indicator, players, declared)


def record_with(
    rules_id: str,
    options: Mapping[str, Any],
    dealer: int,
    repeat: int,
    round_wind: str,
    indicator: str | None,
    players: Sequence[Mapping[str, Any]],
    win: Mapping[str, Any],
) -> dict[str, Any]:
    """The JSON value of a record with one declared win."""
    return {
        "rules": rules_id,
        "options": dict(options),
        "dealer": dealer,
        "repeat": repeat,
        "round_wind": round_wind,
        "indicator": indicator,
        "players": list(players),
        "wins": [dict(win)],
    }


def _split_win(tiles: str, win: str | None) -> tuple[str, str | None]:
    if win is not None:
        return tiles, win or None
    try:
        found = t.parse(tiles)
    except t.TileError as problem:
        raise RecordError(f"TILES: {problem}") from None
    if not found:
        raise RecordError("TILES: no tiles given")
    return t.write(found[:-1]), t.NAMES[found[-1]]


def _meld(text: str) -> dict[str, Any]:
    parts = text.split(":")
    if len(parts) < 2 or len(parts) > 4 or (len(parts) > 2 and not parts[2].isdigit()):
        raise RecordError(f"--meld {text}: written as KIND:TILES[:FROM[:CLAIMED]], e.g. pung:EEE:2")
    meld: dict[str, Any] = {"kind": parts[0], "tiles": parts[1]}
    if len(parts) > 2:
        meld["from"] = int(parts[2])
    if len(parts) > 3:
        meld["claimed"] = parts[3]
    return meld
