"""From the table to the hand record: what a declared win is, whether it stands, what the hand has to settle.

Everything the record says beside the declaration (chains of kongs, floats, first turn, last tile, who fed whom, the same
discards by everybody) is read off the state.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from referee.rules import tiles as t
from referee.rules.claim import SELF_DRAWN
from referee.rules.judge import Verdict, judge
from referee.rules.record import MELD_SIZES, Incident, Meld, Player, Record, RecordError, Win
from referee.rules.tiles import Tile
from referee.table import events as ev
from referee.table.hand import KONGS, Passed, Seat, minus, update
from referee.table.state import Declared, Offer, State, longest_float, shapeless, unclaimed, with_seat

# --- the win -----------------------------------------------------------------------------------------------------


def win_of(event: ev.Win, at: State, birds: tuple[Tile, ...] = ()) -> Win:
    """The win as the record has it; ``at`` is the table just before the declaration, claims on the tile undone."""
    seat = at.seats[event.seat]
    offer = at.offer
    drawn = event.source in SELF_DRAWN
    run = seat.kong_run if drawn else 0
    kong = event.source == "kong"
    robbed = event.source == "robbed_kong"
    discard = event.source == "discard" and offer is not None and not event.flower_win
    source_seat = event.source_seat
    if source_seat is None and (discard or robbed) and offer is not None:
        source_seat = offer.seat
    return Win(
        seat=event.seat,
        tile=event.tile,
        source=event.source,
        source_seat=source_seat,
        kong_chain=max(run, 1) if kong else run,
        kong_from=seat.last_kong[1] if kong else None,
        kong_tile=seat.last_kong[0] if kong else None,
        robbed_kind="concealed" if robbed and offer is not None and offer.kind == "concealed_kong" else "added",
        claimed_in_float=seat.claimed_in_float,
        indicator_drawn=drawn and _indicator_drawn(event, at),
        second_tile=_second_tile(event, seat, offer),
        floats=floats(at, seat),
        last_tile=is_last_tile(event, at),
        first_turn=is_first_turn(event, at),
        after_kong=discard and offer is not None and offer.chain > 0,
        dice_kong=bool(seat.dice_drawn) if kong else discard and offer is not None and offer.dice,
        flower_win=event.flower_win,
        wild_win=event.wild_win,
        special=event.special,
        birds=birds,
        waiting_since_deal=waited_since_deal(event, at),
    )


def floats(at: State, seat: Seat) -> int:
    """Wild tiles floated for this win: in a row straight before it, or the longest row of the hand (Yiwu)."""
    counted = at.ritual.floats.counted
    if counted == "lasting":
        return longest_float(at, seat)
    return seat.float_run if counted == "straight" else 0


def _second_tile(event: ev.Win, seat: Seat, offer: Offer | None) -> Tile | None:
    if event.source == "kong" and len(seat.dice_drawn) > 1:
        others = list(seat.dice_drawn)
        if event.tile in others:
            others.remove(event.tile)
        return others[0]
    return offer.second if event.source == "discard" and offer is not None else None


def _indicator_drawn(event: ev.Win, at: State) -> bool:
    """Whether the drawn winning tile can only be the turned-up one: the other copies of its kind lie elsewhere."""
    if not at.rules.indicator_in_play or event.tile is None or event.tile != at.indicator or event.hand is None:
        return False
    others = sum(seat.known.count(event.tile) for i, seat in enumerate(at.seats) if i != event.seat and seat.exact)
    others += sum(thrown.tile == event.tile and not thrown.taken for seat in at.seats for thrown in seat.discards)
    others += sum(meld.tiles.count(event.tile) for seat in at.seats for meld in seat.melds)
    return others + event.hand.count(event.tile) >= at.rules.tiles[event.tile] - 1


def is_last_tile(event: ev.Win, at: State) -> bool:
    """Won on the last tile that may be drawn, or on the discard after it."""
    if event.source not in ("wall", "kong", "flower", "discard") or event.flower_win or at.phase == "dealt":
        return False
    if at.refused or (at.seats[event.seat].kept and event.source != "discard"):
        return True
    return at.left <= at.reserve


def is_first_turn(event: ev.Win, at: State) -> bool:
    """Heavenly: the dealer before any discard, no kong between. Earthly: as the rule set's ritual says."""
    seat, kinds = at.seats[event.seat], at.ritual.first_turn
    if event.seat == at.dealer or event.source == "deal":
        return at.phase == "dealt" and event.source in ("deal", "wall", "flower")
    if event.flower_win:
        return not seat.discards and not seat.melds
    if event.source == "discard" and at.offer is not None:
        opening = at.offer.seat == at.dealer and len(at.line) == 1
        early = not seat.had_turn and not seat.melds and (at.offer.seat != at.dealer or opening)
        return (opening and "first_discard" in kinds) or (early and "any_discard" in kinds)
    untouched = not seat.discards and not at.melds_made and not seat.melds
    return event.source in ("wall", "flower") and untouched and "first_draw" in kinds


def waited_since_deal(event: ev.Win, at: State) -> bool:
    """The hand was ready as dealt and nobody had claimed: it wins unchanged, so every discard was the tile just drawn.

    True only where the log proves it: the winner has not had a turn before this one, or his draws were seen.
    """
    seat = at.seats[event.seat]
    if at.melds_made or at.kongs_made or event.seat == at.dealer or event.hand is None or event.flower_win:
        return False
    if not seat.discards:
        return event.source in ("wall", "flower", "discard", "robbed_kong")
    return seat.as_dealt


# --- the record --------------------------------------------------------------------------------------------------


def record_of(state: State, wins: tuple[Declared, ...] | None = None) -> Record:
    """The hand record as the table stands, with the wins that stand (or the ones given)."""
    standing = standing_wins(state) if wins is None else wins
    at = standing[0].at if standing else state
    floaters = at.floaters if at.ritual.floats.bars else ()
    players = []
    for number, seat in enumerate(state.seats):
        won = next((d.event for d in standing if d.event.seat == number), None)
        players.append(_player(state, number, seat, won))
    return Record(
        rules=state.rules.id,
        options=dict(state.options),
        dealer=state.dealer,
        repeat=state.repeat,
        round_wind=state.round_wind,
        indicator=state.indicator,
        wall_left=max(state.left, 0),
        draw_streak=state.draw_streak,
        double_next=state.double_next,
        dealer_base=state.dealer_base,
        float_by=floaters[-1] if floaters else None,
        players=tuple(players),
        wins=tuple(win_of(d.event, d.at, state.birds) for d in standing),
        incidents=incidents(state, standing),
    )


def standing_wins(state: State) -> tuple[Declared, ...]:
    """The declared wins the record carries: the legal ones with what competed for the same tile, or the last false one."""
    legal = [d for d in state.wins if d.legal]
    if legal:
        first = legal[0].at.offer
        same = [d for d in state.wins if d.legal or (first is not None and d.at.offer is not None and d.at.offer.n == first.n)]
        return tuple(same)
    last = state.wins[-1:]
    return last if state.phase == "over" and all(_unanswered(state, declared) for declared in last) else ()


def _unanswered(state: State, declared: Declared) -> bool:
    """Whether nothing has happened to the tile a false win was declared on, so that the record can still show it."""
    event, offer = declared.event, declared.at.offer
    if event.source == "discard" and not event.flower_win:
        return offer is None or (state.offer is not None and state.offer.n == offer.n and state.before_claim is None)
    seat = state.seats[event.seat]
    return event.source != "robbed_kong" and (event.source not in ("wall", "kong") or bool(seat.extra or seat.kept))


def _player(state: State, number: int, seat: Seat, won: ev.Win | None) -> Player:
    hand: tuple[Tile, ...] | None = seat.known if seat.exact else None
    if won is not None:
        hand = None if won.hand is None else tuple(sorted(won.hand))
        if hand is None and seat.exact:
            hand = minus(seat.known, () if won.tile is None or won.source not in SELF_DRAWN else (won.tile,))
    thrown = [d.tile for d in seat.discards]
    seen = tuple(tile for tile in thrown if tile is not None)
    bonus = seat.bonus
    if state.rules.kong_tiles is not None:
        bonus += tuple(d.tile for d in seat.discards if d.tile is not None and d.tile in state.aside and not d.taken)
    return Player(
        hand=hand,
        melds=seat.melds,
        bonus=bonus,
        discards=seen if len(seen) == len(thrown) else None,
        stake=seat.stake or 0,
        side_stake=seat.side_stake or 0,
        revealed=seat.opened or False,
        ready=seat.ready if seat.ready in ("ready", "first", "dealt") else None,
        chips=seat.chips,
    )


def incidents(state: State, standing: tuple[Declared, ...]) -> tuple[Incident, ...]:
    """Dead hands, false wins and same discards."""
    found = [Incident("dead_hand", at, why=why) for at, seat in enumerate(state.seats) for why in seat.dead[:1]]
    for declared in state.wins:
        event = declared.event
        if declared.legal:
            continue
        if declared in standing and not state.seats[event.seat].dead and not declared.engine:
            found.append(Incident("dead_hand", event.seat, why=declared.why.split(":")[0]))
        price = state.ritual.false_win.pays
        if price == "fixed" or (price == "claimed" and event.claimed is not None):
            found.append(Incident("false_win", event.seat, claimed=event.claimed or ()))
    return (*found, *same_discards(state))


def same_discards(state: State) -> tuple[Incident, ...]:
    """Everybody's same discards, as far as the rule set records them."""
    if state.ritual.same_discards == "opening":
        rounds = opening_rounds(state)
        return (Incident("same_discard", tile=state.line[0][1], rounds=rounds),) if rounds else ()
    return _fours(state) if state.ritual.same_discards == "four" else ()


def opening_rounds(state: State) -> int:
    """Rounds from the start in each of which all discarded the same tile in turn, with no claim between."""
    players, rounds = state.players, 0
    in_turn = [(state.dealer + step) % players for step in range(players)]
    while len(state.line) >= players * (rounds + 1):
        chunk = state.line[players * rounds : players * (rounds + 1)]
        alike = len({tile for _, tile, _ in chunk}) == 1 and chunk[0][1] is not None
        claimed = any(taken for _, _, taken in chunk[:-1])
        if [seat for seat, _, _ in chunk] != in_turn or not alike or claimed:
            break
        rounds += 1
    return rounds


def _fours(state: State) -> tuple[Incident, ...]:
    """Nanjing's fines: four alike by all four players one after the other, no claim between; all four by one player."""
    found = []
    line, players = state.line, state.players
    at = 0
    while at + players <= len(line):
        chunk = line[at : at + players]
        alike = len({tile for _, tile, _ in chunk}) == 1 and chunk[0][1] is not None
        if alike and len({seat for seat, _, _ in chunk}) == players and not any(taken for _, _, taken in chunk[:-1]):
            found.append(Incident("four_same_discards", chunk[0][0], tile=chunk[0][1], by="all"))
            at += players
        else:
            at += 1
    for number, seat in enumerate(state.seats):
        tiles = [d.tile for d in seat.discards if d.tile is not None]
        found += [Incident("four_same_discards", number, tile=k, by="one") for k in set(tiles) if tiles.count(k) == 4]
    return tuple(found)


# --- judging a declaration ---------------------------------------------------------------------------------------


def judge_win(state: State, event: ev.Win) -> Declared:
    """Whether a declared win is one. What is wrong comes as ``"code: explanation"``; being outbid by another is not wrong.

    A hand nobody has shown is taken at its word until it is.
    """
    event = with_hand(state, event)
    objection = table_objection(state, event)
    state = state if objection else unclaimed(state, event)
    if objection:
        return Declared(event, state, False, objection)
    declared = Declared(event, state)
    if event.hand is None and not shapeless(event):
        return declared
    verdict = verdict_of(state, declared)
    if verdict is None or verdict.legal:
        missed = missed_win(state, event, verdict)
        return Declared(event, state, False, missed) if missed else declared
    return Declared(event, state, False, verdict.reason or "not a win", engine=True)


def with_hand(state: State, event: ev.Win) -> ev.Win:
    """The declaration with the hand put in where the log knows it anyway."""
    seat = state.seats[event.seat]
    if event.hand is not None or shapeless(event) or not seat.exact:
        return event
    drawn = event.source in SELF_DRAWN and event.tile is not None
    return replace(event, hand=minus(seat.known, (event.tile,) if drawn and event.tile is not None else ()))


def verdict_of(state: State, declared: Declared, hand: tuple[Tile, ...] | None = None) -> Verdict | None:
    """The engine's judgement of one declaration, or None where the record allows none."""
    record = record_of(state, (declared,))
    winner = declared.event.seat
    players = [replace(player, melds=tuple(m for m in player.melds if whole(m))) for player in record.players]
    if len(players[winner].melds) < len(record.players[winner].melds):
        return Verdict(record.wins[0], False, "invalid_meld: a set of the wrong number of tiles")
    if hand is not None:
        players[winner] = replace(players[winner], hand=hand)
    try:
        return judge(replace(record, players=tuple(players)), state.rules, record.wins[0])
    except RecordError:
        return None


def whole(meld: Meld) -> bool:
    """Whether a set has the tiles its kind needs; foul sets need not, and the engine cannot read those."""
    return len(meld.tiles) == MELD_SIZES[meld.kind]


def table_objection(state: State, event: ev.Win) -> str:
    """What the table has against a declared win before its hand is looked at."""
    seat, offer = state.seats[event.seat], state.offer
    if seat.dead:
        return f"dead_hand: {seat.dead[0]}"
    if event.flower_win or event.wild_win or event.special or event.source in ("indicator", "deal"):
        return ""
    name = "?" if event.tile is None else t.NAMES[event.tile]
    if event.source in ("discard", "robbed_kong"):
        wanted = "discard" if event.source == "discard" else "kong"
        if offer is None or wanted not in offer.kind:
            return f"not_offered: no {wanted} is open to be taken"
        if offer.tile is not None and event.tile is not None and offer.tile != event.tile:
            return f"not_offered: {t.NAMES[offer.tile]} was offered, not {name}"
        if event.source_seat not in (None, offer.seat):
            return f"not_offered: the tile came from seat {offer.seat}"
        if offer.seat == event.seat:
            return "not_offered: the tile is the winner's own"
        return ""
    if not seat.extra and not seat.kept:
        return "no_tile: nothing was drawn"
    return ""


def missed_win(state: State, event: ev.Win, verdict: Verdict | None) -> str:
    """Why a win on another's tile is barred by one let go since the winner's last turn, or an empty text."""
    rule = state.ritual.claims
    if rule.missed_win == "free" or event.source not in ("discard", "robbed_kong") or event.hand is None:
        return ""
    now = _points(verdict)
    for gone in state.seats[event.seat].passed:
        if state.offer is not None and gone.n == state.offer.n and not gone.own:
            continue
        if rule.missed_win == "tile" and gone.tile != event.tile:
            continue
        if gone.own and len(event.hand) == 1:
            continue  # a lone tile may wait for what its owner has just discarded
        passed = _could_win(gone, event)
        if passed is None or (rule.missed_win == "higher" and now > passed):
            continue
        name = "?" if gone.tile is None else t.NAMES[gone.tile]
        return f"missed_win: {name} was let go at event {gone.n} and the own turn has not come since"
    return ""


def _could_win(gone: Passed, event: ev.Win) -> float | None:
    """The points of the win that was let go, with the hand shown now; None if it was none."""
    if gone.after is None or gone.tile is None or event.hand is None:
        return None
    source, source_seat = ("wall", None) if gone.own else ("discard", gone.discarder)
    then = ev.Win(seat=event.seat, tile=gone.tile, source=source, source_seat=source_seat, hand=event.hand)
    at = gone.after
    if gone.own:
        at = replace(with_seat(at, event.seat, update(at.seats[event.seat], extra=1)), offer=None)
    verdict = verdict_of(at, Declared(then, at), event.hand)
    if verdict is None or not verdict.legal:
        return float("inf") if gone.openly else None
    return _points(verdict)


def _points(verdict: Verdict | None) -> float:
    if verdict is None:
        return 0.0
    return sum(p.amount for p in verdict.payments if p.to == verdict.win.seat)


def can_win(state: State, event: ev.Win) -> bool:
    """Whether a win may be declared now; unlike ``judge_win`` it needs to be told nothing else."""
    return judge_win(state, event).legal


# --- the public form of a record -----------------------------------------------------------------------------------


def record_json(record: Record) -> dict[str, Any]:
    """The JSON value of a record (docs/formats/hand-record.md), fields at their default left out."""
    out: dict[str, Any] = {
        "rules": record.rules, "options": dict(record.options), "dealer": record.dealer, "repeat": record.repeat,
        "round_wind": t.NAMES[record.round_wind],
    }  # fmt: skip
    if record.indicator is not None:
        out["indicator"] = t.NAMES[record.indicator]
    for name in ("wall_left", "draw_streak", "double_next", "dealer_base", "float_by"):
        value = getattr(record, name)
        if value is not None and value is not False and not (name == "draw_streak" and value == 0):
            out[name] = value
    out["players"] = [_player_json(player) for player in record.players]
    out["wins"] = [_plain(win, WIN_NAMES, ("seat", "tile", "source")) for win in record.wins]
    out["incidents"] = [_plain(incident, {}, ("kind",)) for incident in record.incidents]
    return out


WIN_NAMES = {"source_seat": "from"}
MELD_NAMES = {"source": "from"}
TILE_NAMES = {"tile", "kong_tile", "second_tile", "claimed"}


def _player_json(player: Player) -> dict[str, Any]:
    out: dict[str, Any] = {"hand": None if player.hand is None else t.write(player.hand)}
    out["melds"] = [_plain(meld, MELD_NAMES, ("kind", "tiles")) for meld in player.melds]
    out["bonus"] = t.write(player.bonus)
    out["discards"] = None if player.discards is None else t.write(player.discards)
    for name in ("stake", "side_stake", "revealed", "ready", "chips"):
        value = getattr(player, name)
        if value or (name == "chips" and value is not None):
            out[name] = value
    return out


def _plain(value: Any, names: dict[str, str], always: tuple[str, ...]) -> dict[str, Any]:
    """The fields of a win, meld or incident that differ from their default."""
    out: dict[str, Any] = {}
    for name, spec in type(value).__dataclass_fields__.items():
        given = getattr(value, name)
        if name not in always and given == spec.default:
            continue
        if name in TILE_NAMES and isinstance(given, int):
            given = t.NAMES[given]
        elif name in ("birds", "tiles"):
            given = t.write(given)
        elif isinstance(given, tuple):
            given = list(given)
        out[names.get(name, name)] = given
    return out


def has_kong(state: State) -> bool:
    """Whether anybody has made a kong that stands."""
    return any(meld.kind in KONGS for seat in state.seats for meld in seat.melds)
