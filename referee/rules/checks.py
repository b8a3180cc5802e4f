"""What makes a record malformed under its rule set (docs/formats/hand-record.md, "Malformed or merely illegal")."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from operator import gt

from referee.rules import tiles as t
from referee.rules.record import Record, RecordError
from referee.rules.ruleset import Ruleset
from referee.rules.tiles import Tile


def refuse_malformed(record: Record, rules: Ruleset) -> None:
    """Raise RecordError, naming field and reason, if no table could have produced the record."""
    _refuse_unused(record, rules)
    if len(record.players) != rules.players:
        raise RecordError(f"players: {rules.id} has {rules.players} seats, not {len(record.players)}")
    if rules.wild and rules.wild.needs_indicator and record.indicator is None:
        raise RecordError(f"indicator: required by {rules.id}")
    aside = rules.set_aside(record)
    for seat, player in enumerate(record.players):
        if player.bonus and not aside.issuperset(player.bonus):
            tile = next(tile for tile in player.bonus if tile not in aside)
            raise RecordError(f"players[{seat}].bonus: {t.NAMES[tile]} is no bonus tile in this hand")
        if rules.losers_hands and player.hand is None:
            raise RecordError(f"players[{seat}].hand: {rules.id} needs every hand for its payments")
    seen = _in_view(record, rules, aside)
    if any(map(gt, seen, rules.tiles)):
        tile = next(k for k, n in enumerate(seen) if n > rules.tiles[k])
        raise RecordError(f"players: {seen[tile]} copies of {t.NAMES[tile]}, the set has {rules.tiles[tile]}")
    for check in rules.checks:
        problem = check(record, rules)
        if problem:
            raise RecordError(problem)


def _refuse_unused(record: Record, rules: Ruleset) -> None:
    """Refuse a tile that the rule set does not play with, wherever it is named."""
    unused = rules.unused
    if not unused:
        return
    for where, tiles in _named_tiles(record):
        for tile in tiles:
            if tile in unused:
                raise RecordError(f"{where}: {rules.id} does not use {t.NAMES[tile]}")


def _named_tiles(record: Record) -> Iterator[tuple[str, tuple[Tile, ...]]]:
    if record.indicator is not None:
        yield "indicator", (record.indicator,)
    for seat, player in enumerate(record.players):
        yield f"players[{seat}].hand", player.hand or ()
        yield f"players[{seat}].bonus", player.bonus
        yield f"players[{seat}].discards", player.discards or ()
        for index, meld in enumerate(player.melds):
            yield f"players[{seat}].melds[{index}]", meld.tiles
    for index, win in enumerate(record.wins):
        named = (win.tile, win.second_tile, win.kong_tile, *win.birds)
        yield f"wins[{index}]", tuple(tile for tile in named if tile is not None)


def _in_view(record: Record, rules: Ruleset, aside: frozenset[Tile]) -> list[int]:
    """Copies of each kind that the record shows, a claimed or won discard counted once."""
    seen = [0] * t.KINDS
    shown, thrown = _won_tiles(record), False
    for player in record.players:
        if player.hand:
            shown += player.hand
        if player.bonus:
            shown += player.bonus
        for meld in player.melds:
            shown += meld.tiles
        thrown = thrown or bool(player.discards)
    for tile in shown:
        seen[tile] += 1
    if record.indicator is not None and not rules.indicator_in_play and not _won_indicator(record):
        seen[record.indicator] += 1
    if thrown:
        for tile, copies in _lying(record, aside - rules.bonus).items():
            seen[tile] += copies
    return seen


def _lying(record: Record, shown: frozenset[Tile]) -> Counter[Tile]:
    """Discards that still lie before their players: neither claimed from them nor won on.

    ``shown``: kinds that stand in ``bonus`` already where they were discarded (Wuhan's kong tiles).
    """
    taken = Counter(
        (meld.source, meld.claimed)
        for player in record.players
        for meld in player.melds
        if meld.is_claimed and meld.claimed is not None
    )
    taken.update((win.source_seat, win.tile) for win in record.wins[:1] if win.source == "discard" and win.tile is not None)
    lying: Counter[Tile] = Counter()
    for seat, player in enumerate(record.players):
        thrown = Counter(tile for tile in player.discards or () if tile not in shown)
        lying.update({tile: max(0, copies - taken[seat, tile]) for tile, copies in thrown.items()})
    return Counter({tile: max(0, copies - taken[None, tile]) for tile, copies in lying.items()})


def _won_tiles(record: Record) -> list[Tile]:
    """Winning tiles that lie in nobody's hand or bonus; a tile that several win on counts once."""
    shared: set[tuple[int | None, Tile]] = set()
    out: list[Tile] = []
    for win in record.wins:
        if win.tile is None:
            continue
        if win.flower_win and win.source_seat is not None and win.tile in record.players[win.source_seat].bonus:
            continue
        if win.source in ("discard", "robbed_kong", "indicator"):
            key = (win.source_seat, win.tile)
            if key in shared:
                continue
            shared.add(key)
        out.append(win.tile)
    return out


def _won_indicator(record: Record) -> bool:
    return any(win.source == "indicator" or win.indicator_drawn for win in record.wins)


def two_suits_only(record: Record, rules: Ruleset) -> str | None:
    """For sets of which a suit is left out, whichever: a record may show two suits, not three."""
    suits = {t.suit(tile) for _, tiles in _named_tiles(record) for tile in tiles if t.is_suited(tile)}
    if len(suits) < 3:
        return None
    return f"players: {rules.id} leaves a suit out, and all three are shown"
