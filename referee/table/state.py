"""One hand as it is played: ``apply(state, event) -> state``.

``apply`` is total: legal and foul play are applied alike, as they happened. Tiles nobody saw stay unknown, and a hand that
is laid open tells what they were. What was wrong with an event is ``faults``' to say. A state is a value; nothing in it is
ever changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from referee.rules import tiles as t
from referee.rules.claim import SELF_DRAWN
from referee.rules.readings import can_form
from referee.rules.record import Meld
from referee.rules.ritual import Ritual, WallUse, behind_indicator, dead_wall_tiles
from referee.rules.ruleset import Ruleset
from referee.rules.tiles import Tile
from referee.rules.wilds import white_face
from referee.table import events as ev
from referee.table.hand import KONGS, Passed, Seat, Thrown, counted, put, shown, take, take_all, update

BEFORE_DEAL = (ev.Start, ev.Stake, ev.Dice, ev.Deal, ev.Indicator, ev.Penalty, ev.End)


@dataclass(frozen=True, slots=True)
class Offer:
    """A tile others may take: a discard, or a kong that may be robbed.

    ``chain``: the kong row the discard was made straight after (0: none); ``dice``: it was a replacement chosen by dice,
    ``second`` the other tile of that stack.
    """

    n: int
    seat: int
    tile: Tile | None
    kind: str = "discard"
    chain: int = 0
    dice: bool = False
    second: Tile | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Declared:
    """A declared win: the event, the table before it, whether it is legal, and if not why; ``engine``: the rule set's own
    judgement says so, not something that only the table knows."""

    event: ev.Win
    at: State = field(repr=False)
    legal: bool = True
    why: str = ""
    engine: bool = False


@dataclass(frozen=True, eq=False)
class State:
    """The table in one hand. ``phase``: before the ``"deal"``, ``"dealt"`` until the dealer's first discard, ``"play"``,
    ``"over"``. ``turn`` is who acts next: he discards if he has ``extra`` tiles, else he draws.
    """

    rules: Ruleset
    options: Any = field(default_factory=dict)
    dealer: int = 0
    repeat: int = 0
    round_wind: Tile = t.EAST
    draw_streak: int = 0
    dealer_base: int | None = None
    double_next: bool = False
    seats: tuple[Seat, ...] = ()
    phase: str = "deal"
    turn: int = 0
    indicator: Tile | None = None
    turned: int = 0  # tiles turned up from the wall and out of it
    turned_bonus: Tile | None = None  # a bonus tile turned up, the dealer's, not yet laid out by an event
    wild: frozenset[Tile] = frozenset()
    aside: frozenset[Tile] = frozenset()
    dealt: int = 0
    head_draws: int = 0
    tail_draws: int = 0
    other_draws: int = 0
    replacements: int = 0  # drawn for kongs
    throws: tuple[ev.Dice, ...] = ()
    offer: Offer | None = None
    before_claim: State | None = field(default=None, repr=False)
    since_claim: tuple[ev.Event, ...] = ()
    claims: tuple[tuple[int, int, bool], ...] = ()  # on the offer: precedence, seat, without fault
    melds_made: int = 0
    kongs_made: int = 0
    opened: int = 0
    floaters: tuple[int, ...] = ()  # seats in whose float round the table is, the latest last
    perhaps: tuple[int, ...] = ()  # those whose wild discard may have been a float, nobody can tell yet
    line: tuple[tuple[int, Tile | None, bool], ...] = ()  # all discards in order: seat, tile, whether a claim came after it
    refused: int = 0  # refusals of the last tile
    first_refuser: int | None = None
    last_drawer: int | None = None
    wins: tuple[Declared, ...] = ()
    birds: tuple[Tile, ...] = ()
    excess: tuple[tuple[Tile, int], ...] = ()  # copies too many that have been named
    dead_may_claim: bool = True
    why: str | None = None

    @property
    def ritual(self) -> Ritual:
        return self.rules.ritual or Ritual()

    @property
    def players(self) -> int:
        return self.rules.players

    @property
    def size(self) -> int:
        return self.rules.hand_size

    @property
    def total(self) -> int:
        """Tiles in the walls; fewer than the set's kinds allow where a suit is left out (Jingzhou, middle five)."""
        every = sum(self.rules.tiles)
        return every if self.ritual.layout == "inner_outer" else min(every, 2 * sum(self.ritual.stacks))

    @property
    def left(self) -> int:
        """Tiles left in the wall, those that must stay included, the indicator not."""
        drawn = self.head_draws + self.tail_draws + self.other_draws
        return self.total - self.dealt - self.turned - drawn

    @property
    def reserve(self) -> int:
        """Tiles that must stay, as things stand."""
        rule = self.ritual.dead_wall
        return rule.tiles if rule.is_fixed else dead_wall_tiles(self.ritual, wall_use(self))

    @property
    def in_last(self) -> bool:
        """Whether the next draw is one of the last, after which nobody discards."""
        zone = self.ritual.dead_wall.last_draws
        return bool(zone) and self.phase == "play" and self.left <= self.reserve + zone

    def face(self, tile: Tile) -> Tile:
        """What a tile counts as in claims and discards."""
        return white_face(self.rules.wild, self.indicator) if tile == t.WHITE else tile

    def next_seat(self, seat: int) -> int:
        return (seat + 1) % self.players


def wall_use(state: State) -> WallUse:
    """What the size of the dead wall depends on."""
    walls = [d.values for d in state.throws if d.purpose == "wall"]
    own = next((d.values for d in reversed(state.throws) if d.purpose == "indicator"), None)
    concealed = sum(m.kind == "concealed_kong" for seat in state.seats for m in seat.melds)
    return WallUse(
        open_kongs=sum(seat.kongs for seat in state.seats) - concealed,
        concealed_kongs=concealed,
        replacements=state.replacements,
        four_alikes=sum(four_alikes(seat.bonus) for seat in state.seats),
        floats=max((longest_float(state, seat) for seat in state.seats), default=0),
        tail_draws=state.tail_draws,
        behind_indicator=behind_indicator(state.ritual, walls, own),
    )


def four_alikes(bonus: tuple[Tile, ...]) -> int:
    """Sets of four alike among bonus tiles: four of a kind, the four flowers, the four seasons."""
    counts = Counter(bonus)
    series = sum(all(counts[kind] for kind in kinds) for kinds in (t.FLOWERS, t.SEASONS))
    return series + sum(number == 4 for number in counts.values())


def longest_float(state: State, seat: Seat) -> int:
    """The longest row of wild tiles a player discarded one after the other."""
    best = row = 0
    for thrown in seat.discards:
        row = row + 1 if thrown.tile in state.wild else 0
        best = max(best, row)
    return best


def begin(rules: Ruleset, **values: Any) -> State:
    """An empty table before the deal. Keyword arguments as in ``State``."""
    state = State(rules=rules, seats=(Seat(),) * rules.players, **values)
    return with_kinds(update(state, turn=state.dealer))


def with_kinds(state: State) -> State:
    """Wild and set-aside kinds under the indicator as it is known."""
    rules, indicator = state.rules, state.indicator
    return update(state, wild=rules.wild_kinds_under(indicator), aside=rules.set_aside_under(indicator))


def with_seat(state: State, at: int, seat: Seat) -> State:
    return update(state, seats=state.seats[:at] + (seat,) + state.seats[at + 1 :])


# --- apply -------------------------------------------------------------------------------------------------------


def apply(state: State, event: ev.Event, verdict: Declared | None = None) -> State:
    """The table after an event. Of a declared win ``verdict`` says whether it is one (see ``wins.judge_win``); without it
    the declaration is taken at its word."""
    if state.phase == "deal" and not isinstance(event, BEFORE_DEAL):
        state = _deal(state, ev.Deal())  # nobody recorded it
    if isinstance(event, ev.Win):
        return _win(state, event, verdict)
    if isinstance(event, ev.Claim):
        return _claim(uncontested(state), event)
    after = APPLY[type(event)](state, event) if type(event) in APPLY else state
    if after.before_claim is not None and after.before_claim is state.before_claim:
        after = update(after, since_claim=(*state.since_claim, event))
    return after


def uncontested(state: State) -> State:
    """The table as if the claims on the tile on offer had not been made (the last one recorded stands)."""
    if state.before_claim is None or state.offer is None or state.offer.kind != "discard":
        return state
    return rewound(state)


def rewound(state: State) -> State:
    """The table before the claim or kong that is on offer, what was learnt and ruled since kept."""
    assert state.before_claim is not None
    before = state.before_claim
    for event in state.since_claim:
        before = apply(before, event)
    seats = tuple(update(was, dead=now.dead) for was, now in zip(before.seats, state.seats, strict=True))
    return update(before, seats=seats, excess=state.excess, claims=state.claims)


def _stake(state: State, event: ev.Stake) -> State:
    seat = state.seats[event.seat]
    stake = seat.stake if event.stake is None else event.stake
    side = seat.side_stake if event.side_stake is None else event.side_stake
    return with_seat(state, event.seat, update(seat, stake=stake, side_stake=side))


def _dice(state: State, event: ev.Dice) -> State:
    state = update(state, throws=(*state.throws, event))
    seat = state.seats[event.seat]
    if event.purpose != "kong" or not state.ritual.dice_tiles or not seat.owed:
        return state
    bound = seat.known if seat.exact else None
    return with_seat(state, event.seat, update(seat, dice_left=state.ritual.dice_tiles, bound=True, bound_hand=bound))


def _deal(state: State, event: ev.Deal) -> State:
    seats = []
    for at, seat in enumerate(state.seats):
        dealt = event.hands[at] if at < len(event.hands) else None
        dealer = at == state.dealer
        nominal = state.size + dealer
        seat = update(seat, known=tuple(sorted(dealt or ())), unknown=0 if dealt is not None else nominal)
        seats.append(update(seat, extra=int(dealer and seat.held > state.size)))
    return update(
        state, seats=tuple(seats), dealt=sum(seat.held for seat in seats), phase="dealt", turn=state.dealer
    )


def _indicator(state: State, event: ev.Indicator) -> State:
    rule = state.ritual.indicator
    if event.tile is not None and event.tile in state.rules.bonus and rule is not None and rule.when == "after_bonus":
        if rule.origin != "replacement":
            return state  # turned back, another is turned
        dealer = state.seats[state.dealer]
        state = with_seat(state, state.dealer, update(dealer, bonus=(*dealer.bonus, event.tile)))
        return update(state, turned=state.turned + 1, turned_bonus=event.tile)
    again = state.indicator is not None
    return with_kinds(update(state, indicator=event.tile, turned=state.turned + (not again), turned_bonus=None))


def _bonus(state: State, event: ev.Bonus) -> State:
    seat = state.seats[event.seat]
    if event.seat == state.dealer and event.tile is not None and event.tile == state.turned_bonus:
        return update(state, turned_bonus=None)
    seat = take(seat, event.tile)
    bonus = seat.bonus if event.tile is None else (*seat.bonus, event.tile)
    seat = update(seat, bonus=bonus, owed=seat.owed + 1, owed_for="flower")
    if is_single_kong(state, event.tile):
        seat = update(
            seat, kong_run=seat.kong_run + 1, turn_kongs=seat.turn_kongs + 1, last_kong=(event.tile, None), owed_for="kong"
        )
    return with_seat(state, event.seat, seat)


def is_single_kong(state: State, tile: Tile | None) -> bool:
    """Whether a tile set aside is a kong by itself (Wuhan), not a bonus tile."""
    return state.rules.kong_tiles is not None and tile is not None and tile not in state.rules.bonus


def draw_role(state: State, event: ev.Draw) -> str:
    """What a draw is: ``"replacement"`` of a bonus tile or kong, ``"dice"`` one chosen by dice, one of the ``"last"`` tiles,
    a ``"second"`` draw, a draw ``"out_of_turn"``, or ``"own"``."""
    seat = state.seats[event.seat]
    if seat.dice_left and event.end is None:
        return "dice"
    if seat.owed and (seat.extra or seat.kept or state.phase == "dealt" or event.end == "tail"):
        return "replacement"
    if state.in_last:
        return "last" if event.seat == state.turn else "second" if seat.kept else "out_of_turn"
    if seat.extra:
        return "second"
    return "own" if event.seat == state.turn else "out_of_turn"


def _draw(state: State, event: ev.Draw) -> State:
    role, seat = draw_role(state, event), state.seats[event.seat]
    kong_replaced = role in ("replacement", "dice") and bool(seat.turn_kongs)
    source = "wall" if role not in ("replacement", "dice") else seat.owed_for
    seat = update(
        put(seat, event.tile), drawn=event.tile, has_drawn=True, had_turn=True, passed=(), after_claim=None, drawn_as=source
    )
    if role == "dice":
        first = not seat.dice_drawn
        seat = update(
            seat, dice_left=seat.dice_left - 1, dice_drawn=(*seat.dice_drawn, event.tile),
            owed=seat.owed - first, extra=seat.extra + (not first),
        )  # fmt: skip
    elif role == "replacement":
        seat = update(seat, owed=seat.owed - 1, dice_left=0)
    elif role == "last":
        seat = update(seat, kept=1)
    else:
        seat = update(seat, extra=max(seat.extra, 1), turn_kongs=0, chain=0)
    if is_bound(seat):
        seat = update(seat, bound=True)
    count = {"dice": "other_draws", "replacement": "tail_draws"}.get(role, "head_draws")
    if event.end is not None:
        count = f"{event.end}_draws"
    state = with_seat(state, event.seat, seat)
    state = update(state, **{count: getattr(state, count) + 1}, replacements=state.replacements + kong_replaced)
    if state.left <= state.reserve:
        state = update(state, last_drawer=event.seat)
    aside = event.seat != state.turn and not seat.extra  # a bonus tile of the deal, or one forgotten, replaced between
    if role == "replacement" and (state.phase == "dealt" or aside):
        return state
    if role in ("own", "last", "out_of_turn"):
        state = without_floater(state, event.seat)
    turn = state.next_seat(event.seat) if role == "last" else event.seat
    return closed(update(state, turn=turn))


def without_floater(state: State, seat: int) -> State:
    """The float round of a player is over."""
    floaters = tuple(s for s in state.floaters if s != seat)
    return update(state, floaters=floaters, perhaps=tuple(s for s in state.perhaps if s != seat))


def is_bound(seat: Seat) -> bool:
    """Whether the hand may not change from the next draw or claim on: ready was declared, its discard is made."""
    made = seat.last is not None and seat.last.n > seat.ready_n
    return seat.bound or (seat.binding and (made or seat.ready in ("open", "dealt")))


def closed(state: State) -> State:
    """Nothing is on offer any more."""
    return update(state, offer=None, before_claim=None, since_claim=(), claims=())


def _discard(state: State, event: ev.Discard) -> State:
    seat = state.seats[event.seat]
    dice = bool(seat.dice_drawn)
    second = _other_of_stack(seat, event.tile)
    chain = seat.chain if seat.turn_kongs else 0
    wild = event.tile is not None and event.tile in state.wild
    changed = changed_hand(state, event)
    drew_it = seat.has_drawn and seat.drawn is not None and seat.drawn == event.tile
    after = take(seat, event.tile)
    floats = wild and state.ritual.floats.counted == "straight"
    after = update(
        after, extra=max(after.extra - 1, 0), kept=after.kept if after.extra else 0, owed=0,
        discards=(*after.discards, Thrown(event.n, event.tile)), drawn=None,
        has_drawn=dice and after.extra > 1, after_claim=None, turn_kongs=0, chain=0, passed=(), had_turn=True, dice_left=0,
        dice_drawn=() if after.extra <= 1 else after.dice_drawn, barred_then=(),
        kong_run=after.kong_run if floats else 0, float_run=after.float_run + 1 if floats else 0,
        claimed_in_float=after.claimed_in_float if floats else None, as_dealt=after.as_dealt and drew_it,
        unjudged=None if seat.exact or state.ritual.discards.forced == "none" else state,
    )  # fmt: skip
    if changed or (after.binding and after.ready in ("ready", "first") and not after.bound):
        after = update(after, bound_hand=after.known if after.exact else None)
    after = with_size(state, after)
    offer = Offer(event.n, event.seat, event.tile, chain=chain, dice=dice, second=second)
    was_turn = state.turn
    state = closed(without_floater(with_seat(state, event.seat, after), event.seat))
    if wild and state.ritual.floats.bars:
        state = _floated(state, event.seat)
    turn = event.seat if after.extra else state.next_seat(event.seat)
    if event.seat != was_turn and seat.extra and state.seats[was_turn].extra:
        turn = was_turn  # somebody drew before this discard: play goes on from him
    line = (*state.line, (event.seat, event.tile, False))
    state = update(state, offer=offer, phase="play", turn=turn, line=line)
    if state.indicator is None and state.ritual.indicator is not None and not state.turned:
        state = update(state, turned=1)  # it must lie somewhere, nobody saw which tile
    return _let_go(state, event, seat)


def _other_of_stack(seat: Seat, tile: Tile | None) -> Tile | None:
    """The other tile of a stack chosen by dice, as far as it was seen."""
    others = list(seat.dice_drawn)
    if tile in others:
        others.remove(tile)
    return next((other for other in others if other is not None), None)


def seats_after(state: State, seat: int) -> list[int]:
    """The other seats in order of play."""
    return [(seat + step) % state.players for step in range(1, state.players)]


def with_size(state: State, seat: Seat) -> Seat:
    """The hand long or short from here on, or no longer."""
    difference = seat.held - seat.proper(state.size)
    return update(seat, off="long_hand" if difference > 0 else "short_hand" if difference < 0 else None)


def _floated(state: State, at: int) -> State:
    """A wild tile was discarded: it bars the others if it is a float, which a hidden hand does not tell."""
    float_ = True if state.ritual.floats.always else is_float(state, at)
    if float_ is None:
        return update(state, perhaps=(*state.perhaps, at))
    return update(state, floaters=(*state.floaters, at)) if float_ else state


def is_float(state: State, at: int, hand: Sequence[Tile] | None = None) -> bool | None:
    """Whether a wild tile just discarded was a float: all sets or all pairs stand complete beside a lone wild tile, so that
    any tile wins (Hangzhou). None where the hand is not known. ``hand`` is what was shown of it since."""
    seat = state.seats[at]
    if hand is None and not seat.exact:
        return None
    tiles = seat.known if hand is None else hand
    wilds = sum(tile in state.wild for tile in tiles) - 1
    naturals = [0] * t.KINDS
    for tile in tiles:
        if tile not in state.wild:
            naturals[state.face(tile)] += 1
    sets = (state.size - 1) // 3 - len(seat.melds)
    if wilds < 0:
        return False
    return can_form(naturals, wilds, sets, 0) or (not seat.melds and can_form(naturals, wilds, 0, (state.size - 1) // 2))


def changed_hand(state: State, event: ev.Discard) -> bool:
    """Whether a discard certainly changes a hand that is bound: the drawn tile is known and another one goes."""
    seat = state.seats[event.seat]
    if not seat.bound or not seat.has_drawn or event.tile is None:
        return False
    drawn = list(seat.dice_drawn or (seat.drawn,))
    if seat.extra < len(drawn) and seat.last is not None and seat.last.tile in drawn:
        drawn.remove(seat.last.tile)  # of the two tiles of a stack one has gone already
    return None not in drawn and event.tile not in drawn


def _let_go(state: State, event: ev.Discard, discarder: Seat) -> State:
    """The others have let the discard go unless they take it; by option so has the discarder his own winning tile."""
    missed = state.ritual.claims.missed_win != "free"
    gone = Passed(event.n, event.tile, event.seat, state if missed else None)
    seats = list(state.seats)
    for at in seats_after(state, event.seat):
        seats[at] = update(seats[at], passed=(*seats[at].passed, gone))
    if missed and state.ritual.claims.missed_draw and discarder.has_drawn:
        own = replace(gone, own=True)
        seats[event.seat] = update(seats[event.seat], passed=(own,))
    return update(state, seats=tuple(seats))


def _claim(state: State, event: ev.Claim) -> State:
    before = state
    claimed, source = claim_of(state, event)
    offered = state.offer is not None and state.offer.kind == "discard"
    seat = state.seats[event.seat]
    own = list(event.tiles)
    if claimed in own:
        own.remove(claimed)
    in_float = event.seat in state.floaters
    kong = event.type == "kong"
    chain = state.offer.chain + 1 if kong and state.offer is not None else 1
    third: tuple[Tile, ...] = ()
    if event.type == "pung" and seat.exact and claimed is not None and seat.known.count(claimed) >= 3:
        third = (claimed,)
    run = seat.kong_run if in_float else 0
    seat = take_all(seat, own)
    seat = update(
        seat, melds=(*seat.melds, Meld(event.type, event.tiles, claimed, source, chain if kong else 1)),
        extra=max(seat.extra, 1), owed=seat.owed + kong, has_drawn=False, drawn=None, had_turn=True, passed=(),
        after_claim=None if kong else claimed, kong_run=run + 1 if kong else run,
        float_run=seat.float_run if in_float else 0, turn_kongs=int(kong), chain=chain if kong else 0,
        claimed_in_float=source if in_float else None, held_third=seat.held_third + third,
        last_kong=(claimed, source) if kong else seat.last_kong, owed_for="kong" if kong else seat.owed_for,
        bound_hand=seat.bound_hand if kong else None,
    )  # fmt: skip
    state = with_seat(state, event.seat, seat)
    if offered and source is not None:
        state = _taken(state, source, claimed)
        if state.ritual.claims.missed_skip:
            state = _skipped(state, source, event.seat)
    return update(
        state, turn=event.seat, before_claim=before if offered else None, since_claim=(),
        melds_made=state.melds_made + 1, kongs_made=state.kongs_made + kong,
        claims=state.claims, line=(*state.line[:-1], (*state.line[-1][:2], True)) if offered and state.line else state.line,
    )  # fmt: skip


def claim_of(state: State, event: ev.Claim) -> tuple[Tile | None, int | None]:
    """The tile claimed and from whom, the tile on offer where the event leaves it out."""
    claimed = event.claimed if event.claimed is not None else state.offer.tile if state.offer else None
    source = event.source if event.source is not None else state.offer.seat if state.offer else None
    return claimed, source


def _taken(state: State, source: int, tile: Tile | None) -> State:
    """The last discard of ``source`` lies in a set now, where it can be seen."""
    seat = state.seats[source]
    if not seat.discards:
        return state
    last = replace(seat.discards[-1], taken=True, tile=tile if seat.discards[-1].tile is None else seat.discards[-1].tile)
    return with_seat(state, source, update(seat, discards=(*seat.discards[:-1], last)))


def _skipped(state: State, source: int, claimer: int) -> State:
    """The turn of the players between discarder and claimer has come and gone."""
    seats = list(state.seats)
    at = state.next_seat(source)
    while at != claimer and at != source:
        seats[at] = update(seats[at], passed=())
        at = state.next_seat(at)
    return update(state, seats=tuple(seats))


def _own_kong(state: State, event: ev.OwnKong) -> State:
    before, seat = state, state.seats[event.seat]
    tiles = event.tiles or ()
    tile = tiles[0] if tiles else None
    at = next((i for i, m in enumerate(seat.melds) if event.type == "added_kong" and _fits(state, m, tiles)), None)
    chain = seat.chain + 1 if seat.turn_kongs else 1
    if event.type == "concealed_kong":
        seat = take_all(seat, tiles or (None,) * 4)
        melds = (*seat.melds, Meld("concealed_kong", tiles, chain=chain))
    elif at is not None:
        pung = seat.melds[at]
        added = added_tile(pung, tiles)
        tile, seat = added, take(seat, added)
        melds = (*seat.melds[:at], replace(pung, kind="added_kong", tiles=tiles, chain=chain), *seat.melds[at + 1 :])
    else:  # no pung to add to: laid down all the same
        seat = take_all(seat, tiles)
        melds = (*seat.melds, Meld("added_kong", tiles, chain=chain))
    # Out of turn the hand is as it should be without a discard, and it is still the other's turn.
    in_turn = bool(seat.extra) or event.seat == state.turn
    seat = update(
        seat, melds=melds, owed=seat.owed + 1, extra=max(seat.extra, int(in_turn)), turn_kongs=seat.turn_kongs + 1,
        kong_run=seat.kong_run + 1, chain=chain, after_claim=None, last_kong=(tile, None), owed_for="kong",
    )  # fmt: skip
    turn = event.seat if in_turn else state.turn
    state = closed(with_seat(state, event.seat, seat))
    offer = Offer(event.n, event.seat, tile, event.type)
    return update(state, turn=turn, offer=offer, before_claim=before, kongs_made=state.kongs_made + 1)


def _fits(state: State, meld: Meld, tiles: tuple[Tile, ...]) -> bool:
    """Whether a pung becomes these four tiles by adding one."""
    return meld.kind == "pung" and not Counter(meld.tiles) - Counter(tiles) and len(tiles) == 4


def added_tile(pung: Meld, tiles: tuple[Tile, ...]) -> Tile:
    """The tile of the four that was not in the pung."""
    return next(iter((Counter(tiles) - Counter(pung.tiles)).elements()))


def _ready(state: State, event: ev.Ready) -> State:
    seat = state.seats[event.seat]
    opens = event.kind == "open" and not seat.opened
    hand = seat.known if seat.exact and event.kind in ("open", "dealt") and not seat.extra else None
    seat = update(
        seat, ready=event.kind, ready_n=event.n, binding=event.kind in state.ritual.ready,
        opened=state.opened + 1 if opens else seat.opened, bound_hand=hand,
    )  # fmt: skip
    return update(with_seat(state, event.seat, seat), opened=state.opened + opens)


def _pass(state: State, event: ev.Pass) -> State:
    seat = state.seats[event.seat]
    if event.tile is not None:
        passed = tuple(replace(p, openly=True) if p.tile == event.tile else p for p in seat.passed)
        return with_seat(state, event.seat, update(seat, passed=passed))
    if not state.ritual.dead_wall.refusal:
        return state  # he has to draw all the same
    first = state.first_refuser if state.first_refuser is not None else event.seat
    turn = state.next_seat(event.seat) if event.seat == state.turn else state.turn
    return closed(update(state, refused=state.refused + 1, first_refuser=first, turn=turn))


def _count(state: State, event: ev.Count) -> State:
    return with_seat(state, event.seat, with_size(state, counted(state.seats[event.seat], event.tiles)))


def _reveal(state: State, event: ev.Reveal) -> State:
    seat = shown(state.seats[event.seat], event.hand)
    if seat.ready == "open" and seat.bound_hand is None and not seat.bound:
        seat = update(seat, bound_hand=seat.known)
    elif changed_shown(seat, event.hand):
        seat = update(seat, bound_hand=None)
    if not seat.extra and not seat.kept:
        seat = with_size(state, seat)
    wins = tuple(
        replace(won, event=replace(won.event, hand=event.hand))
        if won.event.seat == event.seat and won.event.hand is None and not shapeless(won.event) else won
        for won in state.wins
    )  # fmt: skip
    return update(with_seat(state, event.seat, seat), wins=wins)


def shapeless(event: ev.Win) -> bool:
    """A win declared on bonus tiles, wild tiles or honours alone: no hand need be shown."""
    return bool(event.flower_win or event.wild_win or event.special)


def changed_shown(seat: Seat, hand: tuple[Tile, ...]) -> bool:
    """Whether a hand shown is another than was bound, tiles that went into kongs since allowed for."""
    if seat.bound_hand is None:
        return False
    laid = [tile for meld in seat.melds if meld.kind in KONGS for tile in meld.tiles]
    return bool(Counter(seat.bound_hand) - Counter(hand) - Counter(laid))


def _win(state: State, event: ev.Win, verdict: Declared | None) -> State:
    verdict = verdict or Declared(event, state)
    legal = verdict.legal
    if legal:
        state = unclaimed(state, event)
    declared = replace(verdict, at=state)
    seat = state.seats[event.seat]
    if event.hand is not None:
        drawn = event.source in SELF_DRAWN and event.tile is not None
        hand = (*event.hand, event.tile) if drawn and event.tile is not None else event.hand
        seat = shown(seat, hand)
    state = with_seat(state, event.seat, seat)
    return update(state, wins=(*state.wins, declared))


def unclaimed(state: State, event: ev.Win) -> State:
    """A win takes the tile on offer: claims on it did not take place, a robbed kong is a pung again."""
    offer = state.offer
    if state.before_claim is None or offer is None or event.source not in ("discard", "robbed_kong"):
        return state
    state = update(rewound(state), offer=offer, before_claim=None, since_claim=())
    if offer.kind == "discard":
        return state
    seat = take(state.seats[offer.seat], offer.tile)
    return with_seat(state, offer.seat, update(seat, extra=max(seat.extra - 1, 0)))


def _birds(state: State, event: ev.Birds) -> State:
    return update(state, birds=(*state.birds, *event.tiles))


def _end(state: State, event: ev.End) -> State:
    return update(state, phase="over", why=event.why)


APPLY: dict[type[ev.Event], Callable[[State, Any], State]] = {
    ev.Stake: _stake, ev.Dice: _dice, ev.Deal: _deal, ev.Indicator: _indicator, ev.Bonus: _bonus, ev.Draw: _draw,
    ev.Discard: _discard, ev.AddedKong: _own_kong, ev.ConcealedKong: _own_kong, ev.Ready: _ready, ev.Pass: _pass,
    ev.Count: _count, ev.Reveal: _reveal, ev.Birds: _birds, ev.End: _end,
}  # fmt: skip
