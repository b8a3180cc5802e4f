"""How the table of a rule set is laid out, from its ritual: `layout_of(rules)` and the deck of its tiles."""

from __future__ import annotations

from collections.abc import Iterable

from referee.rules.ritual import Ritual
from referee.rules.ruleset import Ruleset
from referee.rules.tiles import NAMES
from referee.table.events import Event, Indicator
from vision.render.layout import Layout
from vision.render.scene import TileSize

RIVERS = {"rows": "rows", "middle": "centre"}


def layout_of(
    rules: Ruleset, *, river: str | None = None, turned: bool | None = None, size: TileSize | None = None
) -> Layout:
    """The table of a rule set: its walls, where its indicator is turned, where discards go and how melds lie.

    `river` ("rows", "centre") and `turned` (claimed tiles turned towards their giver) stand in place of the rule set's
    own custom where given.
    """
    ritual = rules.ritual or Ritual()
    size = size or TileSize()
    # Walls two tiles deep need a larger table.
    widths = max(13.5, max(ritual.stacks) * 0.73) if ritual.layout == "stacked" else 15.5
    return Layout(
        seats=rules.players,
        stacks=ritual.stacks[: rules.players],
        wall=ritual.layout,
        indicator=ritual.indicator.origin if ritual.indicator else "tail",
        river=river or RIVERS[ritual.customs.discards],
        turned=ritual.customs.giver if turned is None else turned,
        closed_kong=ritual.customs.closed_kong,
        hand=rules.hand_size,
        size=size,
        half=size.width * widths,
    )


def aside_in(rules: Ruleset, events: Iterable[Event]) -> frozenset[str]:
    """The faces that go to the discarder's own row of set-aside tiles when discarded in this hand: kongs by themselves
    (Wuhan), which the indicator names."""
    if rules.kong_tiles is None:
        return frozenset()
    indicator = next((event.tile for event in events if isinstance(event, Indicator)), None)
    return frozenset(NAMES[kind] for kind in rules.set_aside_under(indicator) - rules.bonus)


def deck_of(rules: Ruleset) -> list[str]:
    """Every tile of a rule set's set, by name."""
    return [NAMES[kind] for kind, count in enumerate(rules.tiles) for _ in range(count)]
