"""Writing test hands briefly: one winner, melds as text, everything else by keyword.

    won = declare("xiamen", "123m456m789m234s67s99s", "8s", "discard", giver=1, indicator="8p")
    assert won.legal and won.deltas == [...] and won.patterns == {"ping_hu": "x1"}

Melds are written one after the other with a blank between them: ``123m<3`` a chow or pung claimed from seat 3,
``5555s<1`` a kong claimed from seat 1, ``5555s+1`` a kong made by adding to a pung claimed there, ``NNNN`` a concealed kong.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from referee.rules.ruleset import load
from referee.rules.settle import settle_record
from referee.rules.tiles import parse


@dataclass(frozen=True)
class Settled:
    """What a test asks of a settlement; ``win`` is the first declared win."""

    data: dict[str, Any]

    @property
    def deltas(self) -> list[float]:
        return list(self.data["deltas"])

    @property
    def win(self) -> dict[str, Any]:
        return dict(self.data["wins"][0])

    @property
    def legal(self) -> bool:
        return bool(self.win["legal"])

    @property
    def code(self) -> str | None:
        """The refusal's code, as the sheet names it."""
        return None if self.win["reason"] is None else str(self.win["reason"]).split(":")[0]

    @property
    def patterns(self) -> dict[str, str]:
        return {p["id"]: p["value"] for p in self.win["patterns"]}


def melds(text: str) -> list[dict[str, Any]]:
    return [_meld(part) for part in text.split()]


def _meld(text: str) -> dict[str, Any]:
    tiles, mark, source = text.partition("<") if "<" in text else text.partition("+")
    kinds = parse(tiles)
    if not mark:
        return {"kind": "concealed_kong", "tiles": tiles}
    kind = "added_kong" if mark == "+" else "kong" if len(kinds) == 4 else "chow" if len(set(kinds)) > 1 else "pung"
    last = tiles[-2:] if tiles[-1].islower() else tiles[-1]
    return {"kind": kind, "tiles": tiles, "claimed": last, "from": int(source)}


def player(hand: str | None = None, declared: str = "", **fields: Any) -> dict[str, Any]:
    return {"hand": hand, "melds": melds(declared)} | fields


def declare(
    rules: str,
    hand: str | None,
    tile: str | None,
    source: str = "wall",
    *,
    seat: int = 0,
    giver: int | None = None,
    declared: str = "",
    bonus: str = "",
    own: dict[str, Any] | None = None,
    others: dict[int, dict[str, Any]] | None = None,
    win: dict[str, Any] | None = None,
    options: dict[str, Any] | None = None,
    **record: Any,
) -> Settled:
    """Settle one declared win: ``own`` and ``others`` are further fields of players, ``win`` of the win, the rest of the
    record."""
    players: list[dict[str, Any]] = [{"hand": None} for _ in range(load(rules).players)]
    for number, fields in (others or {}).items():
        players[number] = fields
    players[seat] = player(hand, declared, bonus=bonus) | (own or {})
    won = {"seat": seat, "tile": tile, "source": source, "from": giver} | (win or {})
    return settle({"rules": rules, "options": options or {}, "players": players, "wins": [won]} | record)


def settle(record: dict[str, Any]) -> Settled:
    return Settled(settle_record(record))
