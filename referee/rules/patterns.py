"""Predicates on a case that several rule sets share. They answer what is there, never what it is worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from referee.rules import tiles as t
from referee.rules.claim import Case, Claim
from referee.rules.readings import CHOW, PAIR, SINGLE, Group, Seen
from referee.rules.ruleset import Pattern
from referee.rules.tiles import Tile


def always(case: Case) -> bool:
    """Every win."""
    return True


def is_standard(case: Case) -> bool:
    return case.shape == "standard"


def all_pungs(case: Case) -> bool:
    """Every set a pung or kong."""
    return case.shape == "standard" and not case.chows


def all_chows(case: Case) -> bool:
    """Every set a chow."""
    return case.shape == "standard" and not case.pungs


def one_suit(case: Case) -> bool:
    """One suit, no honours, as read."""
    return len(case.suits) == 1 and 3 not in case.suits


def one_suit_and_honours(case: Case) -> bool:
    """One suit and honours, both present."""
    return len(case.suits) == 2 and 3 in case.suits


def honours_only(case: Case) -> bool:
    return case.suits == {3}


def orphans_only(case: Case) -> bool:
    """Terminals and honours, in whatever shape."""
    return not case.chows and all(t.is_orphan(group.tile) for group in case.groups)


def has_pung(case: Case, tile: Tile) -> bool:
    """A pung or kong of the tile."""
    return tile in case.pung_tiles


def pungs_among(case: Case, kinds: tuple[Tile, ...]) -> int:
    """How many pungs and kongs are of these kinds."""
    return sum([tile in kinds for tile in case.pung_tiles])


def dragon_pungs(case: Case) -> int:
    return pungs_among(case, t.DRAGONS)


def wind_pungs(case: Case) -> int:
    return pungs_among(case, t.WINDS)


def little_dragons(case: Case) -> bool:
    """Two dragon pungs and a pair of the third."""
    pair = case.pair
    return pair is not None and pair.tile in t.DRAGONS and dragon_pungs(case) == 2


def big_dragons(case: Case) -> bool:
    return len(case.pungs) > 2 and dragon_pungs(case) == 3


def little_winds(case: Case) -> bool:
    """Three wind pungs and a pair of the fourth."""
    pair = case.pair
    return pair is not None and pair.tile in t.WINDS and wind_pungs(case) == 3


def big_winds(case: Case) -> bool:
    return len(case.pungs) > 3 and wind_pungs(case) == 4


def own_flowers(case: Case) -> int:
    """Flowers and seasons of the winner's seat among the bonus tiles: East's are number 1, and so on."""
    bonus = case.player.bonus
    if not bonus:
        return 0
    number = t.WINDS.index(case.seat_wind) + 1
    return sum([t.is_bonus(tile) and t.rank(tile) == number for tile in bonus])


def full_series(case: Case) -> int:
    """How many of the two series (flowers, seasons) lie complete among the bonus tiles."""
    bonus = case.player.bonus
    return sum([set(series) <= set(bonus) for series in (t.FLOWERS, t.SEASONS)]) if len(bonus) > 3 else 0


def own_flowers_alone(case: Case) -> int:
    """Own flowers and seasons, without those of a series that lies complete: they are inside its worth."""
    return own_flowers(case) - full_series(case)


def plain_runs(case: Case) -> bool:
    """Every set a chow and a pair that would be worth nothing as a pung: no dragon, seat wind or round wind."""
    pair = case.pair
    return all_chows(case) and pair is not None and pair.tile not in (*t.DRAGONS, case.seat_wind, case.round_wind)


def straight(case: Case) -> bool:
    """123, 456 and 789 of one suit as three runs, declared or not."""
    bases = {g.tile for g in case.chows}
    return any({9 * s, 9 * s + 3, 9 * s + 6} <= bases for s in range(3))


def fours_in_pairs(case: Case, natural: bool = False) -> int:
    """In a hand of pairs, how many times two pairs are four alike; ``natural``: none of the four a wild tile."""
    pairs = Counter(g.tile for g in case.pairs if not (natural and g.wilds))
    return sum(n // 2 for n in pairs.values())


def single_tile_left(case: Case) -> bool:
    """All sets declared, the pair's one tile in hand before the win."""
    return case.sets_needed == 0


def two_five_eight(tile: Tile) -> bool:
    return tile < 27 and t.rank(tile) in (2, 5, 8)


def closed_wait(case: Case) -> bool:
    """The winning tile fills an edge or a gap, or makes the pair, in this reading."""
    return case.wait in ("edge", "gap", "pair")


def single_call(wait: str) -> Callable[[Case], bool]:
    """This wait in the reading, and exactly one kind of tile completes the hand."""
    return lambda case: case.wait == wait and case.waits_for_one


def chow_numbers(case: Case) -> Counter[tuple[int, int]]:
    """Suit chows by (suit, lowest number)."""
    return Counter((t.suit(g.tile), t.rank(g.tile)) for g in case.sets if g.shape == CHOW and g.tile < 27)


def lone_wild_paired(case: Case) -> bool:
    """The drawn tile pairs a wild tile that was left over beside complete sets (or pairs)."""
    pair = case.win_group
    if not case.self_drawn or pair is None or pair.shape != "pair":
        return False
    return pair.wilds == (0b11 if case.win_is_wild else 0b10)


def ladder(*patterns: Pattern) -> tuple[Pattern, ...]:
    """Patterns of which exactly one counts, the highest that applies: each excludes those before it."""
    return tuple(
        replace(pattern, excludes=(*pattern.excludes, *(lower.id for lower in patterns[:step])))
        for step, pattern in enumerate(patterns)
    )


def in_unit(unit: str, patterns: tuple[Pattern, ...]) -> tuple[Pattern, ...]:
    """The same patterns, their worth in this unit."""
    return tuple(replace(pattern, unit=unit) for pattern in patterns)


def half_flush(case: Case) -> bool:
    """One suit and honours, or honours alone."""
    return 3 in case.suits and len(case.suits) <= 2


def on_replacement(case: Case) -> bool:
    """Won on the replacement of a kong or of a bonus tile."""
    return case.win.source in ("kong", "flower")


def earthly(case: Case) -> bool:
    """地胡: a non-dealer wins on the dealer's first discard."""
    from_dealer = case.by_discard and case.win.source_seat == case.record.dealer
    return case.win.first_turn and from_dealer and not case.is_dealer


def heavenly(case: Case) -> bool:
    """天胡: the dealer wins on the dealt tiles."""
    return case.is_dealer and (case.dealt or (case.win.first_turn and case.self_drawn))


def heavenly_as_dealt(case: Case) -> bool:
    """天胡 where the dealer's first turn has no last tile: the hand is declared as dealt."""
    return case.dealt and case.is_dealer


def changed_wild(group: Group, wild: frozenset[Tile]) -> str:
    """For ``Seen.anywhere``: a mark of groups with a wild tile that stands for another."""
    return "changed wild" if group.wilds and not wild.issuperset(group.wild_faces) else ""


def alike_by_wait(group: Group, wild: frozenset[Tile]) -> Seen:
    """For ``Ruleset.alike`` with ``alike_waits``: what rule sets see that look at suits, winds, dragons whichever they are,
    terminals, waits, and at wild tiles to tell whether all are at their face.

    Which chow a set is, or which of the 2 to 8, makes no difference; nor does where its wild tiles are. Suits, and wild tiles
    that stand for another, are seen in the hand, not in this set or that.
    """
    tile: object = group.shape != CHOW and t.is_terminal(group.tile)
    if t.is_honour(group.tile):
        tile = "dragon" if group.shape != SINGLE and group.tile in t.DRAGONS else group.tile
    return Seen((group.shape, tile), (t.suit(group.tile), changed_wild(group, wild)))


def closed_or_open(wait: str) -> str:
    """For ``Ruleset.alike_waits``: an edge and a gap count the same."""
    return "closed" if wait in ("edge", "gap") else ""


def alike_but_wild_pairs(group: Group, wild: frozenset[Tile]) -> Seen:
    """The same where a pair with a wild tile is another than one without."""
    seen = alike_by_wait(group, wild)
    return seen._replace(itself=(seen.itself, group.shape == PAIR and group.wilds > 0))


def wild_kinds(claim: Claim) -> tuple[Tile, ...]:
    """For ``WildRule.lone_faces`` where all that matters is whether wild tiles are at their face."""
    return tuple(sorted(claim.wild_kinds))


def one_of_each_suit(rank: int) -> Callable[[Claim], tuple[Tile, ...]]:
    """For ``WildRule.lone_faces`` of the same rule sets: the wild kinds, honours, and the tile of this rank in each suit."""
    faces = (*t.HONOURS, *(9 * suit + rank - 1 for suit in range(3)))
    return lambda claim: tuple(sorted({*faces, *(kind for kind in claim.wild_kinds if kind in t.PLAYING)}))
