"""Where in the walls the indicator lies, as a rule set counts it and as a table counts it.

A rule set counts the stacks to the indicator from the tail, from the near end of the next wall or from a wall's right end
(`referee.rules.ritual.Indicator`); an automatic table always counts a wall's stacks from its player's right. Drawing goes
on clockwise from the break, so the tail is the last of the stacks left standing at the broken wall's right end, and beyond
them comes the wall of the player to the right.
"""

from __future__ import annotations

from referee.rules.ritual import Place, Ritual


def recounted(ritual: Ritual, place: Place, broken: Place | None) -> int:
    """The indicator's stack counted the other way: from its wall's right where ``place`` counts as the rule set does, as the
    rule set does where it counts from the right (the sums are the same). ``broken``: the wall that was broken and the stacks
    left at its right end; where that is needed and not known the stack is taken as it is."""
    rule = ritual.indicator
    if rule is None or rule.origin == "right_end" or place.wall is None:
        return place.stack
    length = ritual.stacks[place.wall]
    if rule.origin == "next_wall":
        return length - place.stack + 1
    if broken is None:
        return place.stack
    last = broken.stack if place.wall == broken.wall else broken.stack + length
    return last - place.stack + 1
