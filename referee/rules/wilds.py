"""Wild tiles: which kinds are wild in a hand, and what stands in for what."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from referee.rules.tiles import BONUS, DRAGONS, FLOWERS, HONOURS, PLAYING, SEASONS, WHITE, Tile, following

if TYPE_CHECKING:
    from referee.rules.claim import Claim


@dataclass(frozen=True)
class WildRule:
    """Which tiles are wild and how they behave.

    ``kinds``: indicator (None where the rule set has none) -> the wild kinds.
    ``white``: ``"always"``: a white dragon is the indicator's tile in every respect, where that is no white itself;
    ``"either"``: in a winner's concealed hand it may be itself or that tile; ``"never"``.
    ``stands_for``: the kinds a wild tile may stand for, besides its own. ``in_melds``: wild tiles may stand in declared
    sets, as themselves. ``claimable``: a discarded wild tile may be claimed and won on, as the tile it is.
    ``lone_faces``: the faces worth trying for a group of wild tiles alone (None: all of ``stands_for``); narrowing it
    only saves time, where a face left out is worth no more under the rule set than one that stays.
    """

    kinds: Callable[[Tile | None], frozenset[Tile]]
    white: str = "never"
    stands_for: frozenset[Tile] = frozenset(PLAYING)
    in_melds: bool = False
    claimable: bool = False
    needs_indicator: bool = True
    lone_faces: Callable[[Claim], tuple[Tile, ...]] | None = None
    text: str = ""


def same_tile(indicator: Tile | None) -> frozenset[Tile]:
    """The other tiles like the indicator (Hangzhou and most of the south-east)."""
    return frozenset() if indicator is None else frozenset((indicator,))


def same_tile_or_series(indicator: Tile | None) -> frozenset[Tile]:
    """The tiles like the indicator, or the rest of its flower or season series (Ningbo, Fenghua)."""
    if indicator is not None and indicator in BONUS:
        return frozenset(FLOWERS if indicator in FLOWERS else SEASONS)
    return same_tile(indicator)


def next_tile(
    ring: tuple[Tile, ...] = HONOURS, skip: tuple[Tile, ...] = ()
) -> Callable[[Tile | None], frozenset[Tile]]:
    """The tile after the indicator: next number (9 -> 1), honours round ``ring`` passing over ``skip``."""

    def kinds(indicator: Tile | None) -> frozenset[Tile]:
        if indicator is None:
            return frozenset()
        tile = following(indicator, ring)
        while tile in skip:
            tile = following(tile, ring)
        return frozenset((tile,))

    return kinds


def next_tile_two_rings(indicator: Tile | None) -> frozenset[Tile]:
    """The tile after the indicator, winds E S W N and dragons C F P each in a ring of their own (Beijing, Nanchang)."""
    if indicator is None:
        return frozenset()
    return frozenset((following(indicator, DRAGONS if indicator in DRAGONS else HONOURS[:4]),))


def fixed(*kinds: Tile) -> Callable[[Tile | None], frozenset[Tile]]:
    """The same kinds in every hand."""
    return lambda indicator: frozenset(kinds)


def white_face(rule: WildRule | None, indicator: Tile | None) -> Tile:
    """The tile a white dragon stands for where it always does, else the white itself."""
    if rule is None or rule.white != "always" or indicator is None:
        return WHITE
    return indicator
