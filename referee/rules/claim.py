"""A declared win as the rules see it: the claim (tiles, source, seats), and each reading of it as a case to judge.

``Claim`` is everything that does not hang on the reading; ``Case`` adds one reading with the winning tile put in its
place. Patterns, restrictions and payments of a rule set are functions of these two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from operator import attrgetter
from typing import Any, NamedTuple

from referee.rules import tiles as t
from referee.rules.lazy import claim_fact, lazy, reading_fact
from referee.rules.readings import (
    CHOW,
    HONOUR_CHOW_BASES,
    KONG,
    PAIR,
    PUNG,
    SINGLE,
    SUIT_OF,
    Group,
    Merge,
    Reading,
    can_form,
    chow_faces,
    chow_wait,
    win_slots,
)
from referee.rules.record import Meld, Player, Record, Win
from referee.rules.ruleset import Ruleset, Shape
from referee.rules.tiles import Tile
from referee.rules.wilds import white_face

SELF_DRAWN = ("wall", "kong", "flower", "deal")


class Held(NamedTuple):
    """Concealed tiles for the solver: natural counts by face, wild tiles, and the faces the winning tile may stand at.

    ``win_faces`` is empty where no tile is the last one; a winning tile that is wild has ``win_wild`` instead.
    """

    naturals: bytes
    wilds: int
    win_faces: tuple[Tile, ...] = ()
    win_wild: bool = False

    @property
    def size(self) -> int:
        return sum(self.naturals) + self.wilds


class Coming:
    """How the winning tile of a win came: what can be known of it beforehand."""

    def __init__(self, rules: Ruleset, source: str) -> None:
        self.rules, self.source = rules, source
        self.self_drawn = source in SELF_DRAWN  # from the wall, as a replacement, or dealt
        self.by_discard, self.robbed, self.dealt = source == "discard", source == "robbed_kong", source == "deal"


class Claim(Coming):
    """One declared win in its record. Attributes are computed when first asked for."""

    claim: Claim | None = None  # of a case

    def __init__(self, record: Record, rules: Ruleset, win: Win) -> None:
        super().__init__(rules, win.source)
        self.record, self.win, self.seat = record, win, win.seat
        self.player: Player = record.players[win.seat]
        self.wild_kinds = rules.wild_kinds_under(record.indicator)
        self.white_face = white_face(rules.wild, record.indicator)
        self.is_dealer = win.seat == record.dealer
        self.memo: dict[object, Any] = {}  # shared by the cases of this claim, for facts that hang on no reading

    # --- seats ---------------------------------------------------------------------------------------------------

    @property
    def losers(self) -> tuple[int, ...]:
        """The other seats in turn order after the winner."""
        return _after(self.seat, self.rules.players)

    def dealer_between(self, payer: int) -> bool:
        """Whether the winner or this payer is the dealer."""
        return self.record.dealer in (self.seat, payer)

    def wind_of(self, seat: int) -> Tile:
        """Seat wind: the dealer is East, then S, W, N in turn order."""
        return t.WINDS[(seat - self.record.dealer) % self.rules.players]

    @property
    def seat_wind(self) -> Tile:
        return self.wind_of(self.seat)

    @property
    def round_wind(self) -> Tile:
        return self.record.round_wind

    # --- tiles ---------------------------------------------------------------------------------------------------

    def face(self, tile: Tile) -> Tile:
        """What a natural tile is in this hand: the white dragon may stand for the indicator's face."""
        return self.white_face if tile == t.WHITE else tile

    def is_wild(self, tile: Tile) -> bool:
        return tile in self.wild_kinds

    @claim_fact
    def win_is_wild(self) -> bool:
        """The winning tile is a wild tile that may stand for others (a claimed one, where allowed, is its own face)."""
        tile = self.win.tile
        if tile is None or tile not in self.wild_kinds:
            return False
        claimable = self.rules.wild is not None and self.rules.wild.claimable
        return not (claimable and self.win.source in ("discard", "robbed_kong"))

    @claim_fact
    def concealed(self) -> tuple[Tile, ...]:
        """Concealed tiles as they are, the winning tile included."""
        hand = self.player.hand or ()
        return hand if self.win.tile is None else (*hand, self.win.tile)

    @claim_fact
    def wild_tiles(self) -> tuple[Tile, ...]:
        """The wild tiles among the concealed tiles, the winning tile included where it acts as one."""
        held = tuple(tile for tile in (self.player.hand or ()) if tile in self.wild_kinds)
        return (*held, self.win.tile) if self.win_is_wild and self.win.tile is not None else held

    @property
    def wild_count(self) -> int:
        return len(self.wild_tiles)

    @claim_fact
    def complete(self) -> tuple[Held, ...]:
        """The concealed tiles with the winning tile: one value, or several where a white may be read in two ways."""
        return self._held(self.win.tile, self.win_is_wild)

    @claim_fact
    def waiting(self) -> tuple[Held, ...]:
        """The concealed tiles without the winning tile."""
        return self._held(None)

    def _held(self, last: Tile | None, as_wild: bool = False) -> tuple[Held, ...]:
        """The hand with this tile as the last one."""
        naturals = bytearray(t.KINDS)
        for tile in self.player.hand or ():
            naturals[tile] += 1
        wilds = 0
        for kind in self.wild_kinds:
            wilds, naturals[kind] = wilds + naturals[kind], 0
        if self.white_face != t.WHITE:
            naturals[self.white_face] += naturals[t.WHITE]
            naturals[t.WHITE] = 0
        faces: tuple[Tile, ...] = ()
        if as_wild:
            wilds += 1
        elif last is not None:
            faces = (self.face(last),)
            naturals[faces[0]] += 1
        if self.dealt:
            faces, as_wild = (), False
        plain = Held(bytes(naturals), wilds, faces, as_wild)
        if self.rules.wild is None or self.rules.wild.white != "either":
            return (plain,)
        return tuple(self._white_choices(plain))

    def _white_choices(self, held: Held) -> Iterator[Held]:
        """Every number of concealed whites read as the wild tile's printed face (Taizhou)."""
        yield held
        other = self.record.indicator
        if other is None or other == t.WHITE:
            return
        whites = held.naturals[t.WHITE]
        for moved in range(1, whites + 1):
            naturals = list(held.naturals)
            naturals[t.WHITE] -= moved
            naturals[other] += moved
            faces = held.win_faces
            if faces == (t.WHITE,):
                faces = (other,) if moved == whites else (other, t.WHITE)
            yield held._replace(naturals=bytes(naturals), win_faces=faces)

    @claim_fact
    def meld_groups(self) -> tuple[Group, ...]:
        """Declared sets as groups; meaningful where ``meld_problem`` is None."""
        return tuple([self.meld_group(meld) for meld in self.player.melds])

    def meld_group(self, meld: Meld) -> Group:
        faces = sorted(self.face(tile) for tile in meld.tiles)
        if meld.kind == "chow":
            base = next((b for b in HONOUR_CHOW_BASES if list(chow_faces(b)) == faces), faces[0])
            return Group(CHOW, base, 0, "chow")
        return Group(KONG if len(faces) == 4 else PUNG, faces[0], 0, meld.kind)

    @claim_fact
    def meld_problem(self) -> str | None:
        """Why a declared set is none under this rule set, or None."""
        for meld in self.player.melds:
            problem = self._meld_problem(meld)
            if problem:
                return f"{t.write(meld.tiles)}: {problem}"
        return None

    def _meld_problem(self, meld: Meld) -> str | None:
        rule = self.rules.wild
        if any(tile in self.wild_kinds for tile in meld.tiles) and not (rule and rule.in_melds):
            return "a wild tile in a declared set"
        aside = self.rules.set_aside(self.record)
        if any(tile in aside for tile in meld.tiles):
            return "a bonus tile in a declared set"
        faces = sorted(self.face(tile) for tile in meld.tiles)
        if meld.kind != "chow":
            return None if len(set(faces)) == 1 else f"not a {meld.kind}"
        if not self.rules.chows:
            return "chows are not played"
        if self.rules.honour_chows and any(list(chow_faces(b)) == faces for b in HONOUR_CHOW_BASES):
            return None
        first = faces[0]
        run = t.is_suited(first) and faces == [first, first + 1, first + 2] and t.suit(first) == t.suit(faces[2])
        return None if run else "not a chow"

    @property
    def sets_needed(self) -> int:
        """Sets still to be found in the concealed hand."""
        return (self.rules.hand_size - 1) // 3 - len(self.player.melds)

    @claim_fact
    def open_sets(self) -> tuple[Meld, ...]:
        """Declared sets with a claimed tile: everything but concealed kongs."""
        return tuple([m for m in self.player.melds if m.is_claimed])

    @property
    def is_concealed(self) -> bool:
        """Nothing claimed; concealed kongs are allowed."""
        return not (self.player.melds and self.open_sets)

    def fed_by(self, seat: int, winner: int | None = None) -> int:
        """How many sets ``winner`` (the claim's own seat where left out) has taken from ``seat``."""
        taker = self.seat if winner is None else winner
        return sum(1 for m in self.record.players[taker].melds if m.is_claimed and m.source == seat)

    @claim_fact
    def kongs(self) -> tuple[Meld, ...]:
        return tuple([m for m in self.player.melds if m.is_kong])

    def lone_wild(self, sets: bool = True, pairs: int = 0) -> bool:
        """Whether the tiles before the winning one are complete but for a pair that a wild tile waits with.

        ``sets``: all sets stand and one wild tile is over; ``pairs``: so many pairs stand (6 for seven pairs) instead.
        """
        key = ("lone_wild", sets, pairs)
        if key not in self.memo:
            self.memo[key] = self._lone_wild(sets, pairs)
        return bool(self.memo[key])

    def _lone_wild(self, sets: bool, pairs: int) -> bool:
        for held in self.waiting:
            if not held.wilds:
                continue
            rest = held.wilds - 1
            honour_chows = self.rules.honour_chows
            if sets and can_form(held.naturals, rest, self.sets_needed, 0, with_honour_chows=honour_chows):
                return True
            if pairs and not self.player.melds and can_form(held.naturals, rest, 0, pairs):
                return True
        return False

    def with_tile(self, tile: Tile, source: str = "wall") -> Claim:
        """The same hand winning on another tile, for questions about its waits."""
        return Claim(self.record, self.rules, replace(self.win, tile=tile, source=source))

    @claim_fact
    def waits(self) -> tuple[Tile, ...]:
        """The kinds, each as itself, that complete the hand in some winning shape (restrictions are not asked).

        Kinds of which the winner holds all copies of the set, declared sets included, are left out.
        """
        return tuple(self._completing())

    @claim_fact
    def waits_for_one(self) -> bool:
        """Whether exactly one kind completes the hand (see ``waits``)."""
        found = self._completing()
        return next(found, None) is not None and next(found, None) is None

    def _completing(self) -> Iterator[Tile]:
        own = Counter(self.player.hand or ())
        for meld in self.player.melds:
            own.update(meld.tiles)
        for kind in self.rules_kinds:
            if own[kind] < self.rules.tiles[kind] and self._completes(kind):
                yield kind

    def _completes(self, kind: Tile) -> bool:
        helds = self._held(kind)  # a wild kind, too, is tried as the tile it is
        if any(shape in POSSIBLE and POSSIBLE[shape](self, held) for shape in self.rules.shapes for held in helds):
            return True
        others = [shape for shape in self.rules.shapes if shape not in POSSIBLE]
        if not others:
            return False
        probe = self.with_tile(kind)
        setattr(probe, "win_is_wild", False)  # noqa: B010 - typed as what it computes
        return any(True for shape in others for held in helds for _ in shape(probe, held))

    @property
    def rules_kinds(self) -> tuple[Tile, ...]:
        """The kinds that can be part of a hand: those in the set that are not set aside."""
        aside = self.rules.set_aside(self.record)
        return tuple(k for k in range(t.KINDS) if self.rules.tiles[k] and k not in aside)


@lru_cache(maxsize=32)
def _after(seat: int, players: int) -> tuple[int, ...]:
    return tuple((seat + i) % players for i in range(1, players))


#: Shapes for which there is a quicker way to tell whether tiles form them than to read them: ``shapes`` fills this in. It
#: hangs on nothing but the tiles held and the declared sets.
POSSIBLE: dict[Shape, Callable[[Claim, Held], bool]] = {}


class _OfClaim(Claim):
    """What looks up in its claim what that is made with: for each of hundreds this costs less than a copy of it all."""

    claim: Claim


for _name in (
    "record", "rules", "win", "seat", "player", "wild_kinds", "white_face", "source", "self_drawn", "by_discard", "robbed",
    "dealt", "is_dealer", "memo",
):  # fmt: skip
    setattr(_OfClaim, _name, property(attrgetter(f"claim.{_name}")))


class Standing(_OfClaim):
    """A claim with the group that its winning tile stands in and the slot there, the rest of the reading left open."""

    def __init__(self, claim: Claim, group: Group | None, slot: int) -> None:
        self.claim, self.win_group = claim, group
        self.win_face = None if group is None else group.faces[slot]
        self.wait = wait_in(group, slot)


def wait_in(group: Group | None, slot: int) -> str:
    """How the winning tile stands in this slot of a group: ``"pair"``, ``"gap"``, ``"edge"``, ``"open"``, ``"pung"``,
    ``"single"``; empty where no tile is the last one. A pair of seven pairs is a ``"pair"`` wait."""
    if group is None:
        return ""
    return chow_wait(group.tile, slot) if group.shape == CHOW else group.shape


class Case(_OfClaim):
    """A claim with one reading of its tiles, and as a rule with the winning tile in its place. Shares what the claim (and the
    case without a place) has already computed.

    Without a place there is no ``reading`` but only its ``shape`` and ``groups``: what looks at the place fails then with an
    AttributeError, and what does not can be asked once for all places.
    """

    unplaced: Case | None = None  # the case that this one is with the winning tile in a place
    _reading: Reading | None
    places: Callable[[], Iterator[Reading]]  # the reading with the winning tile in each place
    shape: str
    groups: tuple[Group, ...]
    chows: list[Group]
    pungs: list[Group]  # and kongs
    pairs: list[Group]
    pung_tiles: list[Tile]
    pair: Group | None  # of a standard hand

    @classmethod
    def without_place(cls, claim: Claim, reading: Reading) -> Case:
        case = cls.__new__(cls)
        groups = reading.groups
        case.claim, case.shape, case.groups = claim, reading.shape, groups
        chows, pungs, pairs = [], [], []
        for group in groups:
            shape = group.shape
            if shape == CHOW:
                chows.append(group)
            elif shape == PAIR:
                pairs.append(group)
            elif shape != SINGLE:
                pungs.append(group)
        case.chows, case.pungs, case.pairs = chows, pungs, pairs
        case.pung_tiles = [group.tile for group in pungs]
        case.pair = pairs[0] if pairs and reading.shape == "standard" else None
        return case

    def placed(self, reading: Reading) -> Case:
        """The same with the winning tile where this reading has it."""
        case = Case.__new__(Case)
        case.claim, case.unplaced, case._reading, case.shape = self.claim, self, reading, self.shape
        case.groups, case.chows, case.pungs, case.pairs = self.groups, self.chows, self.pungs, self.pairs
        case.pung_tiles, case.pair = self.pung_tiles, self.pair
        return case

    def settled(self, reading: Reading | None) -> Case:
        """This case itself with the winning tile in its place (None: the first), once nothing more is asked of it without."""
        self._reading = reading
        return self

    @property
    def reading(self) -> Reading:
        """The reading with the winning tile in its place; an AttributeError where it has none."""
        if self._reading is None:
            self._reading = next(self.places())
        return self._reading

    @classmethod
    def of(cls, claim: Claim, reading: Reading) -> Case:
        return cls.without_place(claim, reading).placed(reading)

    @reading_fact
    def sets(self) -> tuple[Group, ...]:
        """Chows, pungs and kongs, declared ones included."""
        return tuple([g for g in self.groups if g.shape in (CHOW, PUNG, KONG)])

    @reading_fact
    def singles(self) -> tuple[Group, ...]:
        return tuple(g for g in self.groups if g.shape == SINGLE)

    @property
    def win_group(self) -> Group | None:
        """The group the winning tile stands in."""
        reading = self.reading
        return reading.groups[reading.at] if reading.at >= 0 else None

    @property
    def win_face(self) -> Tile | None:
        """What the winning tile is in this reading."""
        group = self.win_group
        return None if group is None else group.faces[self.reading.slot]

    def finished(self, group_index: int) -> bool:
        """Whether the winning tile finished this group and came from another player."""
        return self.win.source in ("discard", "robbed_kong") and group_index == self.reading.at

    @lazy
    def concealed_pungs(self) -> tuple[Group, ...]:
        """Pungs held in the hand and concealed kongs; one finished by a discard or a robbed tile is not concealed."""
        return tuple(
            g
            for i, g in enumerate(self.groups)
            if g.shape in (PUNG, KONG) and not g.claimed and not self.finished(i)
        )

    @reading_fact
    def faces(self) -> tuple[Tile, ...]:
        """Every tile as read, kongs with four."""
        return tuple([face for group in self.groups for face in group.faces])

    @reading_fact
    def suits(self) -> frozenset[int]:
        """The suits among the tiles as read: 0-2, and 3 for honours."""
        return frozenset([SUIT_OF[group.tile] for group in self.groups])  # no group crosses suits

    @reading_fact
    def wild_faces(self) -> tuple[Tile, ...]:
        """What the wild tiles stand for in this reading."""
        return tuple([face for group in self.groups if group.wilds for face in group.wild_faces])

    @lazy
    def all_at_face(self) -> bool:
        """No wild tile in the hand, or every one used as the tile it is, a drawn winning one in its place too."""
        if sorted(self.wild_faces) != sorted(self.wild_tiles):
            return False
        if not self.win_is_wild or len(self.wild_kinds) == 1 or self.win.tile is None:
            return True  # wild tiles of one kind cannot have changed places with each other
        return self.win_face in (None, self.win.tile)

    @lazy
    def wait(self) -> str:
        """How the winning tile stands in this reading: see ``wait_in``."""
        return wait_in(self.win_group, self.reading.slot)


def placements(held: Held, reading: Reading, merge: Merge | None = None) -> Iterator[Reading]:
    """The reading with the winning tile in each place it can have; like groups count once, with ``merge`` those that it finds
    alike."""
    groups, shape, win_faces, win_wild = reading.groups, reading.shape, held.win_faces, held.win_wild
    if not groups or not (win_faces or win_wild):
        yield reading
    elif merge:
        for index, slot in merge.places(groups):
            yield Reading(groups, shape, index, slot)
    else:
        seen: list[Group] = []
        for index, group in enumerate(groups):
            slots = win_slots(group, win_faces, win_wild)
            if slots and group not in seen:
                seen.append(group)
                for slot in slots:
                    yield Reading(groups, shape, index, slot)
