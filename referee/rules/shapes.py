"""Winning shapes: functions from a claim's concealed tiles to readings. A rule set lists the ones it plays.

Each takes the claim and one ``Held`` (counts of concealed natural tiles, wild tiles) and yields readings without a
place for the winning tile; ``claim.placements`` adds that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from referee.rules import tiles as t
from referee.rules.claim import POSSIBLE, Claim, Held
from referee.rules.readings import (
    HONOUR_CHOW_BASES,
    PAIR,
    PUNG,
    SINGLE,
    Group,
    Merge,
    Reading,
    can_form,
    chow_faces,
    decompose,
    give_faces,
)
from referee.rules.tiles import Tile

SUIT_CHOWS = tuple(base for base in range(27) if base % 9 < 7)


def wild_faces_of(claim: Claim) -> tuple[Tile, ...]:
    """The faces to try for groups of wild tiles alone."""
    rule = claim.rules.wild
    if rule is None:
        return ()
    return rule.lone_faces(claim) if rule.lone_faces else tuple(sorted(rule.stands_for))


def merging(claim: Claim, held: Held) -> Merge | None:
    """Which readings need not be told apart under this rule set."""
    alike = claim.rules.alike
    if alike is None or not held.wilds:
        return None
    return Merge.of(alike, claim.wild_kinds, held.win_faces, held.win_wild, claim.rules.alike_waits)


def standard(claim: Claim, held: Held) -> Iterator[Reading]:
    """All sets and one pair: four sets with 13 tiles in hand, five with 16."""
    honour_chows = claim.rules.honour_chows
    declared = claim.meld_groups if claim.player.melds else ()
    if not held.wilds:
        for groups in decompose(held.naturals, 0, claim.sets_needed, with_honour_chows=honour_chows):
            yield Reading(declared + groups)
        return
    rule = claim.rules.wild
    allowed = None
    if rule is not None and not rule.stands_for.issuperset(t.PLAYING):
        allowed = rule.stands_for | claim.wild_kinds
    found = decompose(
        held.naturals, held.wilds, claim.sets_needed, 1,
        with_honour_chows=honour_chows, stands_for=allowed, merge=merging(claim, held),
    )  # fmt: skip
    faces = wild_faces_of(claim)
    bases = tuple(b for b in SUIT_CHOWS + (HONOUR_CHOW_BASES if honour_chows else ()) if chow_faces(b)[0] in faces)
    if allowed is not None:
        faces = tuple(face for face in faces if face in allowed)
        bases = tuple(base for base in bases if allowed.issuperset(chow_faces(base)))
    for groups in found:
        for filled in give_faces(groups, faces, bases, faces):
            yield Reading(declared + filled)


def pairs(count: int = 7, name: str = "seven_pairs") -> Callable[[Claim, Held], Iterator[Reading]]:
    """So many pairs, nothing declared; four alike are two pairs."""

    def shape(claim: Claim, held: Held) -> Iterator[Reading]:
        if claim.player.melds:
            return
        faces = wild_faces_of(claim)
        for groups in decompose(held.naturals, held.wilds, 0, count, merge=merging(claim, held)):
            for filled in give_faces(groups, faces, (), ()):
                yield Reading(filled, name)

    return shape


seven_pairs = pairs(7)


def _can_be_standard(claim: Claim, held: Held) -> bool:
    return can_form(held.naturals, held.wilds, claim.sets_needed, 1, with_honour_chows=claim.rules.honour_chows)


def _can_be_seven_pairs(claim: Claim, held: Held) -> bool:
    singles = sum(n % 2 for n in held.naturals)
    return not claim.player.melds and held.size == 14 and singles <= held.wilds


POSSIBLE[standard] = _can_be_standard
POSSIBLE[seven_pairs] = _can_be_seven_pairs


def seven_pairs_and_pung(claim: Claim, held: Held) -> Iterator[Reading]:
    """嚦咕嚦咕: 17 concealed tiles, seven pairs and a pung: one kind three times, all others twice or four times."""
    if claim.player.melds or sum(1 for n in held.naturals if n == 3) != 1 or any(n == 1 for n in held.naturals):
        return
    for groups in decompose(held.naturals, held.wilds, 1, 7, chows=False):
        if held.naturals[next(g.tile for g in groups if g.shape == PUNG)] == 3:
            yield Reading(groups, "seven_pairs_and_pung")


def eight_pairs_and_one(claim: Claim, held: Held) -> Iterator[Reading]:
    """Eight pairs and any one tile, nothing declared (Wenzhou); the odd tile may be like a pair, or wild."""
    if claim.player.melds or held.size != 17:
        return
    faces = wild_faces_of(claim)
    for kind in range(t.KINDS):
        if held.naturals[kind]:
            rest = list(held.naturals)
            rest[kind] -= 1
            for groups in decompose(rest, held.wilds, 0, 8):
                for filled in give_faces(groups, faces, (), ()):
                    yield Reading((*filled, Group(SINGLE, kind)), "eight_pairs")
    if held.wilds:
        at_face = sorted(claim.wild_kinds)[0]
        for groups in decompose(held.naturals, held.wilds - 1, 0, 8):
            for filled in give_faces(groups, faces, (), ()):
                yield Reading((*filled, Group(SINGLE, at_face, 1)), "eight_pairs")


def thirteen_orphans(claim: Claim, held: Held) -> Iterator[Reading]:
    """One of each terminal and honour and a second of any of them, nothing declared; wild tiles stand in."""
    naturals = held.naturals
    if any(naturals[1:8]) or any(naturals[10:17]) or any(naturals[19:26]) or any(naturals[t.BONUS[0] :]):
        return
    if claim.player.melds or held.size != 14:
        return
    doubled = [k for k in t.ORPHANS if held.naturals[k] > 1]
    if len(doubled) > 1 or any(held.naturals[k] > 2 for k in doubled):
        return
    missing = [k for k in t.ORPHANS if not held.naturals[k]]
    for pair in doubled or t.ORPHANS:
        yield Reading(tuple(_orphan_groups(held, pair, missing)), "thirteen_orphans")


def _orphan_groups(held: Held, pair: Tile, missing: list[Tile]) -> Iterator[Group]:
    for kind in t.ORPHANS:
        have = held.naturals[kind]
        if kind == pair:
            yield Group(PAIR, kind, (0b11, 0b10, 0)[have])
        else:
            yield Group(SINGLE, kind, 1 if kind in missing else 0)


def independent(claim: Claim, held: Held) -> Iterator[Reading]:
    """十三爛, 十三不搭: 14 different tiles, those of one suit at least three apart, nothing declared.

    Wild tiles stand for any tile that fits; every choice of which of them stand at their own face is a reading.
    """
    if claim.player.melds or held.size != 14 or any(n > 1 for n in held.naturals):
        return
    own = [k for k, n in enumerate(held.naturals) if n]
    if not spaced(own):
        return
    kinds = Counter(claim.wild_tiles)
    seen: set[tuple[Tile, ...]] = set()
    for at_face in _choices_at_face(sorted(kinds)):
        fixed = own + list(at_face)
        if len(set(fixed)) != len(fixed) or not spaced(fixed):
            continue
        for fill in _fills(claim, fixed, held.wilds - len(at_face)):
            faces = tuple(sorted((*at_face, *fill)))
            if faces not in seen:
                seen.add(faces)
                yield Reading((*(Group(SINGLE, k) for k in own), *(Group(SINGLE, k, 1) for k in faces)), "independent")


def spaced(kinds: list[Tile]) -> bool:
    """All different, and within a suit at least three apart."""
    ordered = sorted(kinds)
    return all(
        b > a and (t.suit(a) != t.suit(b) or a >= 27 or b - a > 2) for a, b in zip(ordered, ordered[1:], strict=False)
    )


def _choices_at_face(kinds: list[Tile]) -> Iterator[tuple[Tile, ...]]:
    usable = [k for k in kinds if k < 34]
    for bits in range(1 << len(usable)):
        yield tuple(k for i, k in enumerate(usable) if bits >> i & 1)


def _fills(claim: Claim, fixed: list[Tile], count: int) -> Iterator[tuple[Tile, ...]]:
    """Ways to fill ``count`` places: for every split over honours and the three suits one choice of tiles that fits."""
    if not count:
        yield ()
        return
    honours = [k for k in t.HONOURS if k not in fixed]
    rule = claim.rules.wild
    suits = [[k for k in range(9 * s, 9 * s + 9) if rule is None or k in rule.stands_for] for s in range(3)]
    for split in _splits(count, 3):
        from_honours = count - sum(split)
        parts = [_spaced_fill(kinds, fixed, n) for kinds, n in zip(suits, split, strict=True)]
        if from_honours <= len(honours) and all(part is not None for part in parts):
            yield (*honours[:from_honours], *(k for part in parts for k in part or ()))


def _splits(most: int, places: int) -> Iterator[tuple[int, ...]]:
    """Every way to put at most ``most`` into so many places."""
    if not places:
        yield ()
        return
    for first in range(most + 1):
        for rest in _splits(most - first, places - 1):
            yield (first, *rest)


def _spaced_fill(candidates: list[Tile], fixed: list[Tile], count: int) -> tuple[Tile, ...] | None:
    if not count:
        return ()
    for index, kind in enumerate(candidates):
        if kind not in fixed and spaced([*fixed, kind]):
            rest = _spaced_fill(candidates[index + 1 :], [*fixed, kind], count - 1)
            if rest is not None:
                return (kind, *rest)
    return None


def all_bonus_shown(claim: Claim) -> bool:
    """A win declared on all eight flowers and seasons; the last of them may be given as the winning tile."""
    return claim.win.flower_win == "eight" and {*claim.player.bonus, claim.win.tile}.issuperset(t.BONUS)


def all_of(name: str, kinds: frozenset[Tile]) -> Callable[[Claim, Held], Iterator[Reading]]:
    """Any tiles at all as long as every one, declared sets included, is one of ``kinds``; wild tiles stand for one.

    The concealed tiles are read one by one: there are no sets or pairs among them.
    """

    def shape(claim: Claim, held: Held) -> Iterator[Reading]:
        size = 3 * claim.sets_needed + 2
        if held.size != size or any(n and k not in kinds for k, n in enumerate(held.naturals)):
            return
        if any(face not in kinds for group in claim.meld_groups for face in group.faces):
            return
        own = [Group(SINGLE, k) for k, n in enumerate(held.naturals) for _ in range(n)]
        for wild in _like_faces(claim, held.wilds, kinds):
            yield Reading((*claim.meld_groups, *own, *wild), name)

    return shape


def _like_faces(claim: Claim, wilds: int, kinds: frozenset[Tile]) -> Iterator[tuple[Group, ...]]:
    """Wild tiles as singles: all at their own faces where those are of the kinds, and all changed."""
    if not wilds:
        yield ()
        return
    own = claim.wild_tiles
    if len(own) == wilds and all(tile in kinds for tile in own):
        yield tuple(Group(SINGLE, tile, 1) for tile in own)
    other = next((k for k in sorted(kinds) if k not in own), None)
    if other is not None:
        yield tuple(Group(SINGLE, other, 1) for _ in range(wilds))
