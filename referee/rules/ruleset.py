"""A rule set as a value: what differs between regions, as plain data and small functions.

A file under ``sets/`` builds one ``Ruleset`` from the parts below; the engine (``judge``, ``settle``) reads nothing
else and knows no rule set by name. An option is a function ``Ruleset, value -> Ruleset``, so a variation is a value too.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from referee.rules.record import Record, RecordError
from referee.rules.tiles import BONUS, KINDS, PLAYING, Tile
from referee.rules.wilds import WildRule

if TYPE_CHECKING:
    from referee.rules.asking import Asking
    from referee.rules.claim import Case, Claim, Held
    from referee.rules.readings import Alike, Reading, Waits
    from referee.rules.record import Incident
    from referee.rules.ritual import Ritual
    from referee.rules.settle import Outcome

Value = Any


class Payment(NamedTuple):
    """``payer`` pays ``amount`` (the rule set's own points) to ``to``; ``why`` is read by the scorekeeper."""

    payer: int
    to: int
    amount: float
    why: str


# --- patterns ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pattern:
    """A named pattern of the rule set's scoring table.

    ``when`` says how often a reading has it (a bool counts 0 or 1). ``worth`` is the value of one occurrence in ``unit``:
    ``"faan"``, ``"tai"``, ``"fu"``, ``"points"``, ... add up; ``"times"`` multiplies; ``"double"`` counts doublings.
    ``excludes`` names the patterns that are not counted beside this one (also where this one is itself inside a greater
    one). ``minimum``: counts towards the minimum of a legal win. ``alone``: counted only where no
    other pattern is (a plain win's name). ``note``: what else a player must know.
    """

    id: str
    native: str
    english: str
    worth: int | Callable[[Case], int]
    when: Callable[[Case], int]
    unit: str = "points"
    excludes: tuple[str, ...] = ()
    minimum: bool = True
    alone: bool = False
    note: str = ""

    def worth_in(self, case: Case) -> int:
        """The value of one occurrence in this case."""
        return self.worth if isinstance(self.worth, int) else self.worth(case)


class Entry(NamedTuple):
    """A pattern counted in a reading: how often, and what one is worth here."""

    pattern: Pattern
    times: int
    worth: int


class Tally(NamedTuple):
    """The patterns counted for one reading, exclusions applied."""

    entries: tuple[Entry, ...]

    def total(self, unit: str) -> int:
        """The sum of the patterns in a unit that adds up (doublings, too, are counted with ``"double"``)."""
        return sum([e.worth * e.times for e in self.entries if e.pattern.unit == unit])

    def factor(self, unit: str = "times") -> int:
        """The product of the patterns in a unit that multiplies."""
        product = 1
        for entry in self.entries:
            if entry.pattern.unit == unit:
                product *= entry.worth**entry.times
        return product

    def has(self, *ids: str) -> bool:
        return any(e.pattern.id in ids for e in self.entries)

    def times(self, pattern_id: str) -> int:
        return sum(e.times for e in self.entries if e.pattern.id == pattern_id)

    def for_minimum(self, unit: str) -> int:
        """As ``total``, of the patterns that count towards the minimum."""
        return sum([e.worth * e.times for e in self.entries if e.pattern.unit == unit and e.pattern.minimum])


# --- restrictions ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Restriction:
    """Something that makes a declared win illegal.

    ``forbids`` is asked once for the claim (``claim`` restrictions) or for every reading with its tally; it returns False
    or an empty text where nothing is wrong, True (``text`` is the explanation) or a text of its own.
    """

    code: str
    text: str
    forbids: Callable[..., bool | str]
    of_reading: bool = False

    def objection(self, *args: object) -> str:
        """What is wrong, as ``"code: explanation"``, or nothing."""
        found = self.forbids(*args)
        return f"{self.code}: {self.text if found is True else found}" if found else ""


# --- options -----------------------------------------------------------------------------------------------------


MOST = 10**9  # no agreed amount is larger


@dataclass(frozen=True)
class Bool:
    def problem(self, value: Value) -> str | None:
        return None if isinstance(value, bool) else "true or false is expected"

    def __str__(self) -> str:
        return "true, false"


@dataclass(frozen=True)
class Int:
    """A whole number within bounds; ``auto``: null is allowed and means that other options decide."""

    least: int = 0
    most: int | None = None
    auto: bool = False

    def problem(self, value: Value) -> str | None:
        if value is None and self.auto:
            return None
        fits = isinstance(value, int) and not isinstance(value, bool) and value >= self.least
        return None if fits and value <= (MOST if self.most is None else self.most) else f"{self} is expected"

    def __str__(self) -> str:
        span = f"whole number from {self.least}" + ("" if self.most is None else f" to {self.most}")
        return span + (" or null" if self.auto else "")


@dataclass(frozen=True)
class OneOf:
    values: tuple[Value, ...]

    def problem(self, value: Value) -> str | None:
        fits = any(value == v and isinstance(value, bool) == isinstance(v, bool) for v in self.values)
        return None if fits else f"one of {self} is expected"

    def __str__(self) -> str:
        return ", ".join("null" if v is None else str(v) for v in self.values)


@dataclass(frozen=True)
class Digits:
    """A text of ``count`` digits, one figure each."""

    count: int

    def problem(self, value: Value) -> str | None:
        fits = isinstance(value, str) and len(value) == self.count and value.isascii() and value.isdigit()
        return None if fits else f"{self} is expected"

    def __str__(self) -> str:
        return f"text of {self.count} digits"


@dataclass(frozen=True)
class Ints:
    """A list of ``count`` whole numbers from 0, or null where other options decide."""

    count: int

    def problem(self, value: Value) -> str | None:
        if value is None:
            return None
        fits = isinstance(value, (list, tuple)) and len(value) == self.count
        fits = fits and all(isinstance(v, int) and not isinstance(v, bool) and v >= 0 for v in value)
        return None if fits else f"{self} is expected"

    def __str__(self) -> str:
        return f"list of {self.count} whole numbers"


@dataclass(frozen=True)
class Worths:
    """An object pattern id -> whole number."""

    ids: tuple[str, ...]

    def problem(self, value: Value) -> str | None:
        if not isinstance(value, Mapping):
            return f"{self} is expected"
        for key, worth in value.items():
            if key not in self.ids:
                return f"there is no pattern {key!r}"
            if isinstance(worth, bool) or not isinstance(worth, int) or worth < 0:
                return f"{key}: a whole number from 0 is expected"
        return None

    def __str__(self) -> str:
        return "object pattern id -> whole number"


OptionType = Bool | Int | OneOf | Digits | Ints | Worths


@dataclass(frozen=True)
class Option:
    """A named variation. ``apply`` turns the rule set into the one that is played with this value; where it is left out
    the value is only a number or a flag that the rule set's own functions read with ``Ruleset.option``."""

    name: str
    type: OptionType
    default: Value
    help: str
    apply: Callable[[Ruleset, Value], Ruleset] | None = None


# --- the rule set ------------------------------------------------------------------------------------------------

Pay = Callable[["Case", Tally], list[Payment]]
Liability = Callable[["Case", Tally, list[Payment]], list[Payment]]
Shape = Callable[["Claim", "Held"], Iterable["Reading"]]


def tile_set(kinds: Iterable[Tile] = PLAYING, bonus: Iterable[Tile] = (), copies: int = 4) -> tuple[int, ...]:
    """Copies of each kind: four of each playing kind, one of each flower and season in ``bonus``."""
    counts = [0] * KINDS
    for kind in kinds:
        counts[kind] = copies
    for kind in bonus:
        counts[kind] = 1
    return tuple(counts)


TILES_136 = tile_set()
TILES_144 = tile_set(bonus=BONUS)
TILES_108 = tile_set(range(27))


def pay_claimed(outcome: Outcome, incident: Incident) -> list[Payment]:
    """A false win costs what it was announced as: each other seat receives its ``claimed`` amount."""
    assert incident.seat is not None
    return [
        Payment(incident.seat, seat, amount, "false win")
        for seat, amount in enumerate(incident.claimed)
        if seat != incident.seat and amount
    ]


def pay_nothing(outcome: Outcome, incident: Incident) -> list[Payment]:
    """A false win moves nothing."""
    return []


def nearest_first(case: Case, tally: Tally) -> tuple[int, ...]:
    """Order of claimants: the nearest in turn after the discarder (or robbed player); after the dealer without one."""
    after = case.win.source_seat
    if after is None:
        after = case.record.dealer
        return (0 if case.seat == after else (case.seat - after) % case.rules.players,)
    return ((case.seat - after) % case.rules.players,)


@dataclass(frozen=True)
class Ruleset:
    """Everything that is particular to one rule set. The fields come in the order of a sheet's chapters."""

    id: str
    native: str
    english: str
    region: str = ""
    # tiles, seats
    players: int = 4
    hand_size: int = 13
    tiles: tuple[int, ...] = TILES_136
    bonus: frozenset[Tile] = frozenset()
    # kinds that are set aside one by one in this hand beside ``bonus`` (Wuhan's kong tiles): indicator -> kinds
    kong_tiles: Callable[[Ruleset, Tile | None], frozenset[Tile]] | None = None
    wild: WildRule | None = None
    ritual: Ritual | None = None
    # claims
    chows: bool = True
    honour_chows: bool = False
    winners: str = "one"  # "one" or "many" on the same tile
    rank: Callable[[Case, Tally], tuple[int, ...]] = nearest_first  # among several who may win, the lowest wins
    # winning
    shapes: tuple[Shape, ...] = ()
    alike: Alike | None = None  # what the rules here see of a group: merges readings of many wild tiles, changes nothing
    alike_waits: Waits | None = None  # what they see of the wait that the winning tile makes in a chow, where not its slot
    restrictions: tuple[Restriction, ...] = ()
    checks: tuple[Callable[[Record, Ruleset], str | None], ...] = ()  # more reasons why a record is malformed
    losers_hands: bool = False  # every hand must be given
    indicator_in_play: bool = False  # the indicator itself may be drawn, so it is no copy beside the others
    # scoring and money
    patterns: tuple[Pattern, ...] = ()
    pay: Pay | None = None
    liability: tuple[Liability, ...] = ()  # in order of precedence: the first that changes the payments counts
    outside: tuple[Callable[[Outcome], list[Payment]], ...] = ()  # money beside the win, side payments, drawn hands
    false_win: Callable[[Outcome, Incident], list[Payment]] = pay_claimed
    chips: bool = False  # losses are limited to what a player holds
    # variations
    options: tuple[Option, ...] = ()
    settings: Mapping[str, Value] = field(default_factory=dict)
    # in words, for people: what the data above does not say by itself
    summary: str = ""
    unit: str = "points"
    payments_text: str = ""
    notes: tuple[str, ...] = ()

    def option(self, name: str) -> Value:
        """The value of an option in this variation."""
        return self.settings[name]

    def pattern(self, pattern_id: str) -> Pattern:
        return next(p for p in self.patterns if p.id == pattern_id)

    def with_patterns(self, **changes: Mapping[str, Any] | None) -> Ruleset:
        """The rule set with patterns changed (``zi_mo={"worth": 2}``) or taken out (``zi_mo=None``)."""
        changed = tuple(
            replace(p, **(changes.get(p.id) or {}))
            for p in self.patterns
            if not (p.id in changes and changes[p.id] is None)
        )
        return replace(self, patterns=changed)

    @cached_property
    def unused(self) -> frozenset[Tile]:
        """The kinds that are not in the set."""
        return frozenset(kind for kind, copies in enumerate(self.tiles) if not copies)

    @cached_property
    def asking(self) -> dict[str, Asking]:
        """By the source of a win what its judge found the functions above to look at."""
        return {}

    def wild_kinds(self, record: Record) -> frozenset[Tile]:
        return self.wild_kinds_under(record.indicator)

    def wild_kinds_under(self, indicator: Tile | None) -> frozenset[Tile]:
        """The wild kinds with this tile turned up."""
        found = self._wild_kinds.get(indicator)
        if found is None:
            found = self._wild_kinds[indicator] = self.wild.kinds(indicator) if self.wild else frozenset()
        return found

    @cached_property
    def _wild_kinds(self) -> dict[Tile | None, frozenset[Tile]]:
        return {}

    @cached_property
    def _set_aside(self) -> dict[Tile | None, frozenset[Tile]]:
        return {}

    def set_aside(self, record: Record) -> frozenset[Tile]:
        """The kinds that may lie in a player's ``bonus`` in this hand."""
        return self.set_aside_under(record.indicator)

    def set_aside_under(self, indicator: Tile | None) -> frozenset[Tile]:
        """The kinds that may lie in a player's ``bonus`` with this tile turned up."""
        found = self._set_aside.get(indicator)
        if found is None:
            extra = self.kong_tiles(self, indicator) if self.kong_tiles else frozenset()
            found = self._set_aside[indicator] = (self.bonus | extra) - (self.wild_kinds_under(indicator) - extra)
        return found

    def variant(self, options: Mapping[str, Value]) -> Ruleset:
        """This rule set with options set. Raises RecordError for an unknown option or value."""
        known = {o.name: o for o in self.options}
        for name, value in options.items():
            if name not in known:
                raise RecordError(f"options.{name}: {self.id} has no such option")
            problem = known[name].type.problem(value)
            if problem and value != known[name].default:
                raise RecordError(f"options.{name}: {problem}, not {value!r}")
        settings = {o.name: options.get(o.name, o.default) for o in self.options}
        result = replace(self, settings=settings)
        for option in self.options:
            if option.apply is not None:
                result = option.apply(result, settings[option.name])
        return result


SET_IDS = (
    "hongkong", "taiwan", "xiamen", "quanzhou", "fuzhou", "wenzhou", "hangzhou", "yiwu", "beijing", "nanchang",
    "shaanxi", "wuhan", "wuhan_hongzhong", "jingzhou", "kawuxing", "changsha", "jinan", "ningbo", "fenghua",
    "yangzhou", "nanjing", "taizhou", "shanghai_jinshan", "shanghai_laoshi", "shanghai_liuxing", "shanghai_xinshi",
    "shanghai_1980s",
)  # fmt: skip


@cache
def base_ruleset(rules_id: str) -> Ruleset:
    """The rule set as its file has it, options not applied. Raises RecordError for an unknown id."""
    if rules_id not in SET_IDS:
        raise RecordError(f"rules: there is no rule set {rules_id!r} (see `referee rules`)")
    module = importlib.import_module(f"referee.rules.sets.{rules_id}")
    ruleset = module.RULES
    assert isinstance(ruleset, Ruleset) and ruleset.id == rules_id
    return ruleset


_MOST_LOADED = 512
_loaded: dict[tuple[str, str], Ruleset] = {}


def load(rules_id: str, options: Mapping[str, Value] | None = None) -> Ruleset:
    """The rule set ``rules_id`` with its options. Raises RecordError for an unknown id, option or value."""
    key = (rules_id, repr(options) if options else "")  # as text, since True is not to pass for 1
    found = _loaded.get(key)
    if found is None:
        if len(_loaded) >= _MOST_LOADED:
            _loaded.clear()
        found = _loaded[key] = base_ruleset(rules_id).variant(deepcopy(dict(options or {})))
    return found


def loaded() -> list[Ruleset]:
    """The rule sets loaded so far, each with its options."""
    return list(_loaded.values())


__all__ = [
    "Bool", "Digits", "Entry", "Int", "Ints", "Liability", "OneOf", "Option", "Pattern", "Payment",
    "Restriction", "Ruleset", "SET_IDS", "TILES_108", "TILES_136", "TILES_144", "Tally", "Value", "Worths",
    "base_ruleset", "load", "loaded", "pay_claimed", "pay_nothing", "tile_set",
]  # fmt: skip
