"""From a photograph of a finished hand to its settlement: read, arrange, settle, and say what hangs on doubts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from referee.rules import tiles as t
from referee.rules.record import RecordError, parse_record
from referee.rules.ruleset import Ruleset, load
from referee.rules.settle import Settlement, settle
from referee.typed import record_with
from vision.arrange import GIVERS, Arrangement, SeenMeld, arrange, too_many_copies, with_winning
from vision.detect import Sighting

#: Readings below this confidence are shown as doubtful and their alternatives tried.
SURE = 0.90
#: Sightings below this are taken for clutter.
FAINT = 0.35
#: Alternatives less likely than this are not worth a question.
POSSIBLE = 0.02

Chooser = Callable[[Sighting, tuple[str, ...]], str]


@dataclass(frozen=True)
class Situation:
    """What a picture does not show: seats, source of the win, and the rest of the record."""

    rules_id: str
    options: Mapping[str, Any]
    seat: int = 0
    dealer: int = 0
    repeat: int = 0
    round_wind: str = "E"
    indicator: str | None = None
    source: str = "wall"
    giver: int | None = None
    win_tile: str | None = None
    win_fields: Mapping[str, Any] | None = None


@dataclass(frozen=True, eq=False)
class Doubt:
    """A tile read without certainty: what it may be instead, and what each would change."""

    sighting: Sighting
    alternatives: tuple[tuple[str, float], ...]
    consequences: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Reading:
    """What a photograph came to. ``settlement`` is None where no record could be made; ``problem`` says why."""

    sightings: tuple[Sighting, ...]
    arrangement: Arrangement
    record: dict[str, Any]
    settlement: Settlement | None
    problem: str | None
    doubts: tuple[Doubt, ...]
    remarks: tuple[str, ...]


def read_hand(sightings: list[Sighting], situation: Situation, choose: Chooser | None = None) -> Reading:
    """Arrange and settle. ``choose`` is asked about each doubtful tile (a person at a terminal), if given."""
    rules = load(situation.rules_id, dict(situation.options))
    seen = tuple(s for s in sightings if s.confidence >= FAINT)
    if choose is not None:
        seen = tuple(_asked(s, choose) for s in seen)
    arrangement = arrange(seen, rules.hand_size, kinds_aside=_aside(rules, situation))
    if situation.win_tile:
        arrangement = _named_winner(arrangement, situation.win_tile)
    record = record_of(arrangement, situation, rules)
    settlement, problem = _settled(record)
    used = {id(s) for s in _used(arrangement)}
    doubts = tuple(_doubt(s, seen, situation, rules, settlement) for s in seen if doubtful(s) and id(s) in used)
    return Reading(seen, arrangement, record, settlement, problem, doubts, _remarks(arrangement, seen, rules))


def _used(arrangement: Arrangement) -> list[Sighting]:
    """The sightings that are part of what is settled."""
    winning = [arrangement.winning] if arrangement.winning else []
    return [*arrangement.concealed, *arrangement.bonus, *winning, *(s for m in arrangement.melds for s in m.tiles)]


def doubtful(sighting: Sighting) -> bool:
    return sighting.confidence < SURE and sighting.facing == "up"


def _asked(sighting: Sighting, choose: Chooser) -> Sighting:
    if not doubtful(sighting):
        return sighting
    choices = tuple(name for name, p in sighting.probabilities.items() if p >= POSSIBLE)
    chosen = choose(sighting, choices) if choices else sighting.tile
    return replace(sighting, probabilities={chosen: 1.0}, confidence=1.0)


def _aside(rules: Ruleset, situation: Situation) -> tuple[str, ...]:
    indicator = t.parse_one(situation.indicator) if situation.indicator else None
    return tuple(t.NAMES[k] for k in rules.set_aside_under(indicator))


def _named_winner(arrangement: Arrangement, tile: str) -> Arrangement:
    try:
        return with_winning(arrangement, t.NAMES[t.parse_one(tile)])
    except ValueError as problem:
        raise RecordError(f"--win {tile}: {problem}") from None


def record_of(arrangement: Arrangement, situation: Situation, rules: Ruleset) -> dict[str, Any]:
    """The hand record's JSON value for what was seen, told of nobody else's tiles."""
    players: list[dict[str, Any]] = [{} for _ in range(rules.players)]
    if not 0 <= situation.seat < rules.players:
        raise RecordError(f"--seat {situation.seat}: seats are 0-{rules.players - 1}")
    played = [s for s in arrangement.bonus if rules.tiles[t.parse_one(s.tile)]]
    aside = _aside(rules, situation)
    wild_flowers = [s for s in played if s.tile not in aside]
    players[situation.seat] = {
        "hand": "".join(s.tile for s in (*arrangement.concealed, *wild_flowers)),
        "melds": [_meld(m, situation.seat, rules.players) for m in arrangement.melds],
        "bonus": "".join(s.tile for s in played if s not in wild_flowers),
    }
    win = {
        "seat": situation.seat,
        "tile": arrangement.winning.tile if arrangement.winning else None,
        "source": situation.source,
        "from": situation.giver,
        **(situation.win_fields or {}),
    }
    return record_with(
        situation.rules_id, situation.options, situation.dealer, situation.repeat, situation.round_wind,
        situation.indicator, players, win,
    )  # fmt: skip


def _meld(meld: SeenMeld, seat: int, players: int) -> dict[str, Any]:
    out: dict[str, Any] = {"kind": meld.kind, "tiles": "".join(meld.faces)}
    if meld.kind != "concealed_kong":
        if meld.giver:
            out["from"] = (seat + (GIVERS[meld.giver] if players == 4 else {"left": 2}.get(meld.giver, 1))) % players
        out["claimed"] = meld.claimed or meld.faces[0]
    return out


def _settled(record: dict[str, Any]) -> tuple[Settlement | None, str | None]:
    try:
        return settle(parse_record(record)), None
    except RecordError as problem:
        return None, str(problem)


def _doubt(
    sighting: Sighting, seen: tuple[Sighting, ...], situation: Situation, rules: Ruleset, now: Settlement | None
) -> Doubt:
    others = tuple((name, p) for name, p in list(sighting.probabilities.items())[1:] if p >= POSSIBLE)
    consequences = []
    for name, _ in others:
        swapped = replace(sighting, probabilities={name: 1.0})
        changed = [swapped if s is sighting else s for s in seen]
        arrangement = arrange(changed, rules.hand_size, kinds_aside=_aside(rules, situation))
        settlement, problem = _settled(record_of(arrangement, situation, rules))
        consequences.append(f"if {name}: {_consequence(settlement, problem, now)}")
    return Doubt(sighting, others, tuple(consequences))


def _consequence(settlement: Settlement | None, problem: str | None, now: Settlement | None) -> str:
    if settlement is None:
        return problem or "no record"
    if now is not None and settlement.deltas == now.deltas:
        return "the same settlement"
    refused = next((v.reason for v in settlement.verdicts if not v.legal), None)
    return f"no win ({refused})" if refused else "the winner receives " + f"{max(settlement.deltas):g}"


def _remarks(arrangement: Arrangement, seen: tuple[Sighting, ...], rules: Ruleset) -> tuple[str, ...]:
    remarks = list(arrangement.doubts)
    unused = [s.tile for s in arrangement.bonus if not rules.tiles[t.parse_one(s.tile)]]
    if unused:
        remarks.append(f"{' '.join(unused)}: {rules.id} does not use them, they are left out")
    wanted = rules.hand_size + 1
    if arrangement.count != wanted:
        few = "missing" if arrangement.count < wanted else "too many"
        remarks.append(
            f"{arrangement.count} tiles seen (sets count three), {wanted} make a finished hand: "
            f"{abs(wanted - arrangement.count)} {few}"
        )
    for face, copies in too_many_copies(seen).items():
        remarks.append(f"{copies} copies of {face} seen, more than the set has: one of them is misread")
    return tuple(remarks)
