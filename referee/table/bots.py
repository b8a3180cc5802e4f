"""Players that play any rule set to win: they build a hand that may win, claim what helps it, use wild tiles, declare kongs.

They know no rule set by name. What a rule set asks of a winning hand they find out by trial: of each plan (any sets, all
pungs, one suit, pairs, ...) sample hands are put to the rule set's own judgement, and a plan is worth what part of them may
win. A hand follows the plan it is nearest to for its worth; once it is ready its waits are judged one by one.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from referee.rules import shapes
from referee.rules import tiles as t
from referee.rules.judge import judge
from referee.rules.record import Meld, Record, RecordError, Win
from referee.rules.record import Player as Side
from referee.rules.ruleset import Ruleset, load
from referee.rules.tiles import Tile
from referee.table import events as ev
from referee.table.distance import ANY_HEAD, FAR, to_independent, to_orphans, to_pairs, to_sets
from referee.table.hand import Seat
from referee.table.mischief import Mischief, note
from referee.table.moves import legal_moves
from referee.table.player import Played, Player, keep_worth
from referee.table.state import State
from referee.table.wins import judge_win, record_of

SAMPLES = 10
SOURCES = ("discard", "wall")
# How much a player may dislike a plan, in tiles: so that not everybody plays alike and hands of all kinds are won.
DISLIKE = {
    "sets": 1.6, "pungs": 0.8, "flush": 0.8, "half flush": 0.8, "pairs": 0.8, "orphans": 1.5, "independent": 2.0,
}  # fmt: skip


# --- plans -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Plan:
    """A kind of hand to build. ``kinds``: the faces it may hold; ``runs``: chows are part of it; ``heads``: which kinds may
    be its pair; ``shape``: sets, pairs, orphans or independent. ``worth``: of closed and of open sample hands the part that
    may win on a discard and by an own draw."""

    name: str
    kinds: frozenset[Tile]
    shape: str = "sets"
    runs: bool = True
    heads: tuple[bool, ...] = ANY_HEAD
    worth: Mapping[tuple[bool, str], float] = field(default_factory=dict)

    def cost(self, is_open: bool) -> float:
        """What following the plan costs beside the tiles still needed: more, the smaller the part of its hands that wins."""
        shares = [self._share(True)] if is_open else [self._share(False), 0.9 * self._share(True)]
        return -0.8 * math.log2(max(*shares, 0.02, 0.0))

    def _share(self, is_open: bool) -> float:
        if not self.worth:
            return 1.0
        return 0.6 * self.worth[is_open, "discard"] + 0.4 * self.worth[is_open, "wall"]


def plans(rules: Ruleset) -> tuple[Plan, ...]:
    """The plans that make sense under a rule set, each with its worth."""
    everything = frozenset(kind for kind in range(34) if rules.tiles[kind] and kind not in rules.bonus)
    found = [Plan("sets", everything), Plan("pungs", everything, runs=False)]
    for suit in range(3):
        own = frozenset(kind for kind in everything if t.suit(kind) == suit)
        if len(own) < 9:
            continue
        found.append(Plan("flush", own))
        if len(everything - own - frozenset(t.HONOURS)) < len(everything - own):
            found.append(Plan("half flush", own | (everything & frozenset(t.HONOURS))))
    special = {
        "pairs": (shapes.seven_pairs, everything),
        "orphans": (shapes.thirteen_orphans, everything & frozenset(t.ORPHANS)),
        "independent": (shapes.independent, everything),
    }
    found += [Plan(name, kinds, name) for name, (shape, kinds) in special.items() if shape in rules.shapes]
    tried = [_tried(rules, plan) for plan in found]
    return tuple(plan for plan in tried if any(plan.worth.values())) or tuple(tried)


def _tried(rules: Ruleset, plan: Plan) -> Plan:
    """The plan with its worth and the pairs it may have, found by judging sample hands. The samples are always the same."""
    rng = random.Random(7)
    worth = {(is_open, source): 0.0 for is_open in (False, True) for source in SOURCES}
    good, bad = Counter[Tile](), Counter[Tile]()
    for number in range(SAMPLES * (1 + (plan.name == "sets"))):
        for is_open in (False, True):
            hand = _sample(rules, plan, rng, is_open, number)
            if hand is None:
                continue
            head, concealed, melds = hand
            wins = {source: _may_win(rules, concealed, melds, source) for source in SOURCES}
            for source, wins_so in wins.items():
                worth[is_open, source] += wins_so / (SAMPLES * (1 + (plan.name == "sets")))
            if head is not None:
                (good if any(wins.values()) else bad)[head] += 1
    if plan.shape == "sets" and good and _only_258(good, bad):
        plan = replace(plan, heads=tuple(kind < 27 and t.rank(kind) in (2, 5, 8) for kind in range(34)))
        worth = {key: min(3.0 * share, 1.0) for key, share in worth.items()}
    return replace(plan, worth=worth)


def _only_258(good: Counter[Tile], bad: Counter[Tile]) -> bool:
    """Whether the samples say that only 2, 5 and 8 may be the pair."""
    return all(kind < 27 and t.rank(kind) in (2, 5, 8) for kind in good) and len(bad) >= 3


def _sample(
    rules: Ruleset, plan: Plan, rng: random.Random, is_open: bool, number: int
) -> tuple[Tile | None, list[Tile], tuple[Meld, ...]] | None:
    """A finished hand of a plan: its pair, the concealed tiles with the winning one last, declared sets."""
    if plan.shape != "sets":
        return None if is_open else _shaped(plan, rng)
    left = Counter({kind: rules.tiles[kind] for kind in plan.kinds})
    sets: list[tuple[Tile, ...]] = []
    needed = (rules.hand_size - 1) // 3
    shown = needed // 2 if is_open else 0
    while len(sets) < needed:
        low = rng.choice(sorted(plan.kinds))
        run = (low, low + 1, low + 2)
        may_run = plan.runs and (rules.chows or len(sets) >= shown)
        is_run = may_run and low < 27 and low % 9 < 7 and rng.random() < 0.8 and set(run) <= plan.kinds
        group = run if is_run else (low,) * 3
        if all(left[kind] >= group.count(kind) for kind in group) and (is_run or rng.random() < 0.5 or not may_run):
            sets.append(group)
            left.subtract(group)
    heads = [kind for kind in sorted(plan.kinds) if left[kind] >= 2]
    suited = [kind for kind in heads if kind < 27 and t.rank(kind) in (2, 5, 8)]
    head = rng.choice(suited if number % 3 == 0 and suited else heads)
    melds = tuple(
        Meld("pung" if group[0] == group[1] else "chow", group, group[0], rules.players - 1) for group in sets[:shown]
    )
    concealed = [head, head, *(kind for group in sets[shown:] for kind in group)]
    concealed.append(concealed.pop(rng.randrange(len(concealed))))
    return head, concealed, melds


def _shaped(plan: Plan, rng: random.Random) -> tuple[None, list[Tile], tuple[Meld, ...]] | None:
    if plan.shape == "pairs":
        tiles = [kind for kind in rng.sample(sorted(plan.kinds), 7) for _ in range(2)]
    elif plan.shape == "orphans":
        tiles = [*t.ORPHANS, rng.choice(t.ORPHANS)]
    else:
        suits = rng.sample((0, 9, 18), 3)
        every = [suits[0] + at for at in (0, 3, 6)] + [suits[1] + at for at in (1, 4, 7)] + [suits[2] + at for at in (2, 5, 8)]
        tiles = rng.sample(every, 8) + rng.sample(t.HONOURS, 6)
    if not set(tiles) <= plan.kinds:
        return None
    rng.shuffle(tiles)
    return None, tiles, ()


def _may_win(rules: Ruleset, concealed: Sequence[Tile], melds: tuple[Meld, ...], source: str) -> bool:
    """Whether a finished hand may win, nothing else of note on the table."""
    held = {*concealed, *(tile for meld in melds for tile in meld.tiles)}
    indicator = next((kind for kind in range(26, -1, -1) if _harmless(rules, kind, held)), None)
    hand = Side(hand=tuple(concealed[:-1]), melds=melds)
    others = [Side(hand=None) for _ in range(rules.players - 1)]
    win = Win(0, concealed[-1], source, 1 if source == "discard" else None)
    players = (hand, *others)
    record = Record(rules.id, dict(rules.settings), dealer=1, indicator=indicator, players=players, wins=(win,))
    try:
        return judge(record, rules, win).legal
    except (RecordError, ValueError, TypeError):
        return False


def _harmless(rules: Ruleset, indicator: Tile, held: set[Tile]) -> bool:
    wild = rules.wild.kinds(indicator) if rules.wild else frozenset()
    aside = rules.kong_tiles(rules, indicator) if rules.kong_tiles else frozenset()
    return bool(rules.tiles[indicator]) and not held & (wild | aside | {indicator})


# --- one player's view of his hand ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class View:
    """A hand as its player weighs it: concealed natural tiles by face, wild tiles, declared sets."""

    counts: tuple[int, ...]
    wilds: int
    melds: tuple[Meld, ...]
    faces: frozenset[Tile]
    only_pungs: bool

    @property
    def is_open(self) -> bool:
        return any(meld.is_claimed for meld in self.melds)


def view(state: State, tiles: Iterable[Tile], melds: tuple[Meld, ...]) -> View:
    counts, wilds = [0] * 34, 0
    for tile in tiles:
        if tile in state.wild:
            wilds += 1
        elif tile < 34 and tile not in state.aside:
            counts[state.face(tile)] += 1
    shown = frozenset(state.face(tile) for meld in melds for tile in meld.tiles)
    return View(tuple(counts), wilds, melds, shown, all(meld.kind != "chow" for meld in melds))


def distance(state: State, plan: Plan, hand: View) -> int:
    """Tiles a hand still needs for a plan; FAR where its declared sets rule the plan out."""
    if plan.shape != "sets":
        if hand.melds:
            return FAR
        count = {"pairs": to_pairs, "orphans": to_orphans, "independent": to_independent}[plan.shape]
        return count(hand.counts, hand.wilds)
    if not hand.faces <= plan.kinds or (plan.name == "pungs" and not hand.only_pungs):
        return FAR
    counts = [count if kind in plan.kinds else 0 for kind, count in enumerate(hand.counts)]
    sets = (state.size - 1) // 3 - len(hand.melds)
    return to_sets(
        counts, hand.wilds, sets, runs=plan.runs, honour_runs=state.rules.honour_chows and plan.runs, heads=plan.heads
    )


@dataclass(frozen=True)
class Chance:
    """A hand's best plan: what it costs (tiles needed, and the plan's own cost), and the tiles needed alone."""

    cost: float
    needed: int
    plan: Plan


def best_chance(state: State, every: Sequence[Plan], hand: View, taste: Mapping[str, float] | None = None) -> Chance:
    """The plan that costs least. ``taste``: what a player dislikes about plans, in tiles, by name."""
    found = []
    for plan in every:
        needed = distance(state, plan, hand)
        if needed < FAR:
            dislike = taste.get(plan.name, 0.0) if taste else 0.0
            found.append(Chance(needed + plan.cost(hand.is_open) + dislike, needed, plan))
    return min(found, key=lambda chance: chance.cost) if found else Chance(FAR, FAR, every[0])


# --- the players ----------------------------------------------------------------------------------------------------


class Bots(Player):
    """Four (or three) players at one table. Dice, break, indicator and bookkeeping are ``Player``'s; tiles are dealt as they
    come out of the shuffled wall, and what is played is decided here."""

    def __init__(
        self,
        rules: Ruleset,
        options: Mapping[str, Any],
        rng: random.Random,
        rules_of: Callable[..., Ruleset] = load,
        fouls: float = 0.0,
    ) -> None:
        super().__init__(rules, options, rng, rules_of)
        self.mischief = Mischief(fouls, random.Random(rng.random())) if fouls else None
        self.plans = plans(rules)
        self.decks: list[tuple[Tile, ...]] = []  # the tiles played with, hand by hand
        self.calm = [rng.uniform(0.0, 0.9) for _ in range(rules.players)]  # what a claim must gain for each player
        self.tastes = [{plan.name: rng.uniform(0.0, DISLIKE[plan.name]) for plan in self.plans} for _ in range(rules.players)]

    def do(self, event: ev.Event) -> ev.Event:
        """As ``Player``'s; the wall may be opened at the wrong place."""
        if not isinstance(event, ev.Deal) or self.mischief is None:
            return super().do(event)
        opened = self.mischief.opened(self, event)
        done = super().do(opened)
        if opened is not event:
            note(self, self.state.dealer, "wrong_turned")
        return done

    def _hands(self) -> tuple[tuple[Tile, ...], ...]:
        """Hands from the head of the wall: four tiles at a time, the rest one by one, the dealer's extra tile last."""
        self.decks.append(tuple(sorted(self.wall)))
        players, size = self.rules.players, self.rules.hand_size
        hands: list[list[Tile]] = [[] for _ in range(players)]
        order = [(self.state.dealer + step) % players for step in range(players)]
        while len(hands[order[-1]]) < size:
            for at in order:
                for _ in range(min(4, size - len(hands[at]))):
                    hands[at].append(self._drawn("head"))
        hands[order[0]].append(self._drawn("head"))
        return tuple(tuple(sorted(hand)) for hand in hands)

    def turn(self) -> None:
        if self.mischief is not None and self.mischief.attempt(self):
            return
        moves = [move.event for move in legal_moves(self.state)]
        wins = [event for event in moves if isinstance(event, ev.Win)]
        wins += [event for event in unusual_wins(self.state) if judge_win(self.state, event).legal]
        if wins:
            self._win(self._first_in_turn(wins))
            return
        claims = [event for event in moves if isinstance(event, ev.Claim)]
        wanted = [event for event in claims if self._helps(event)]
        if wanted:
            self._call(wanted)
            return
        others = [event for event in moves if not isinstance(event, (ev.Win, ev.Claim))]
        if not others:
            self.do(ev.End(why="exhausted"))
            return
        self.do(self._seen(self._choice(others)))
        self._after(self.played.events[-1])

    # --- wins

    def _first_in_turn(self, wins: Sequence[ev.Win]) -> list[ev.Win]:
        """Own draws before discards, then the nearest after the discarder; all on that tile where several may win."""
        def place(event: ev.Win) -> tuple[bool, int]:
            after = event.source_seat if event.source_seat is not None else self.state.turn
            return event.source_seat is not None, (event.seat - after) % self.state.players

        ordered = sorted(wins, key=place)
        first = ordered[0]
        same = [e for e in ordered if (e.source, e.tile) == (first.source, first.tile)]
        return same if self.rules.winners == "many" and first.source_seat is not None else [first]

    # --- claims

    def _chance(self, at: int, tiles: Sequence[Tile], melds: tuple[Meld, ...]) -> Chance:
        return best_chance(self.state, self.plans, view(self.state, tiles, melds), self.tastes[at])

    def _helps(self, event: ev.Claim) -> bool:
        """Whether a claim brings the hand nearer to a win."""
        seat = self.state.seats[event.seat]
        own = list(event.tiles)
        claimed = event.claimed
        if claimed in own:
            own.remove(claimed)
        rest = _without(seat.known, own)
        now = self._chance(event.seat, seat.known, seat.melds)
        meld = Meld(event.type, event.tiles, claimed, event.source)
        then = self._chance(event.seat, rest, (*seat.melds, meld))
        if event.type == "kong":
            return then.cost <= now.cost
        return then.needed < FAR and then.cost < now.cost - 0.1 - self.calm[event.seat] * (event.type == "chow")

    def _call(self, wanted: Sequence[ev.Claim]) -> None:
        """The best claim; where two players want the tile, the worse claim is called first now and then."""
        pungs = [event for event in wanted if event.type != "chow"]
        chows = [event for event in wanted if event.type == "chow"]
        best = min(pungs or chows, key=self._after_claim)
        if pungs and chows and chows[0].seat != best.seat and self.rng.random() < 0.5:
            self.do(chows[0])
        self.do(best)

    def _after_claim(self, event: ev.Claim) -> tuple[float, int]:
        seat = self.state.seats[event.seat]
        own = list(event.tiles)
        if event.claimed in own:
            own.remove(event.claimed)
        meld = Meld(event.type, event.tiles, event.claimed, event.source)
        rest = _without(seat.known, own)
        return self._chance(event.seat, rest, (*seat.melds, meld)).cost, -len(event.tiles)

    # --- the own turn

    def _choice(self, moves: list[ev.Event]) -> ev.Event:
        kongs = [event for event in moves if isinstance(event, (ev.OwnKong, ev.Bonus))]
        discards = [event for event in moves if isinstance(event, ev.Discard)]
        if kongs and (not discards or (kong := self._good_kong(kongs)) is not None):
            return kongs[0] if not discards else kong or kongs[0]
        if discards:
            return self._discard_of(discards)
        refusals = [event for event in moves if isinstance(event, ev.Pass)]
        if refusals and len(moves) > 1 and not self._may_finish(refusals[0].seat):
            return refusals[0]
        draws = [event for event in moves if isinstance(event, ev.Draw)]
        return (draws or moves)[0]

    def _may_finish(self, at: int) -> bool:
        seat = self.state.seats[at]
        return self._chance(at, seat.known, seat.melds).needed <= 1

    def _good_kong(self, kongs: Sequence[ev.Event]) -> ev.Event | None:
        """A kong that costs the hand nothing; single-tile kongs and bonus tiles always."""
        for event in kongs:
            if isinstance(event, ev.Bonus):
                return event
            assert isinstance(event, ev.OwnKong) and event.tiles is not None
            seat = self.state.seats[event.seat]
            if seat.bound and seat.ready is not None:
                continue
            now = self._chance(event.seat, seat.known, seat.melds)
            melds, tiles = list(seat.melds), _without(seat.known, event.tiles)
            if event.type == "added_kong":
                at = next((i for i, meld in enumerate(melds) if meld.kind == "pung" and meld.tiles[0] in event.tiles), None)
                if at is None:
                    continue
                melds[at] = replace(melds[at], kind="added_kong", tiles=event.tiles)
                tiles = _without(seat.known, (Counter(event.tiles) - Counter(seat.melds[at].tiles)).elements())
            else:
                melds.append(Meld("concealed_kong", event.tiles))
            if self._chance(event.seat, tiles, tuple(melds)).cost <= now.cost + 0.2:
                return event
        return None

    def _discard_of(self, discards: list[ev.Discard]) -> ev.Discard:
        """The discard after which the hand is nearest to a win, the most tiles still to come counting then."""
        state, at = self.state, discards[0].seat
        seat = state.seats[at]
        if seat.bound and seat.drawn is not None:
            kept = [event for event in discards if event.tile == seat.drawn]
            if kept:
                return kept[0]
        rated: list[tuple[float, float, int, ev.Discard]] = []
        for event in discards:
            assert event.tile is not None
            rest = _without(seat.known, (event.tile,))
            chance = self._chance(at, rest, seat.melds)
            wild = 3.0 * (event.tile in state.wild)
            rated.append((chance.cost + wild, 0.0, keep_worth(state, seat.known, event.tile), event))
        least = min(cost for cost, *_ in rated)
        close = [row for row in rated if row[0] <= least + 0.5]
        judged = [(self._rated(at, seat, event, cost), worth, event) for cost, _, worth, event in close]
        return min(judged, key=lambda row: (row[0], row[1], row[2].tile or 0))[2]

    def _rated(self, at: int, seat: Seat, event: ev.Discard, cost: float) -> float:
        """What a discard leaves: tiles still needed, less for the more tiles that help and are still to come."""
        assert event.tile is not None
        state = self.state
        rest = _without(seat.known, (event.tile,))
        chance = self._chance(at, rest, seat.melds)
        unseen = self._unseen(at)
        if chance.needed <= 1:
            useful = self._live_waits(at, rest, unseen)
            return cost - 1.0 - min(useful, 30.0) / 30 if useful else cost + 0.8
        helping = 0
        for kind in chance.plan.kinds:
            if unseen[kind] and kind not in state.wild:
                more = view(state, (*rest, kind), seat.melds)
                helping += unseen[kind] * (distance(state, chance.plan, more) < chance.needed)
        return cost - min(helping, 60) / 100

    def _unseen(self, at: int) -> list[int]:
        """Copies of each kind that a player does not see: neither on the table nor in his own hand."""
        state = self.state
        left = list(state.rules.tiles)
        seen: list[Tile] = list(state.seats[at].known)
        for seat in state.seats:
            seen += [tile for meld in seat.melds for tile in meld.tiles]
            seen += [thrown.tile for thrown in seat.discards if thrown.tile is not None and not thrown.taken]
            seen += seat.bonus
        if state.indicator is not None:
            seen.append(state.indicator)
        for tile in seen:
            left[tile] -= 1
        return [max(count, 0) for count in left]

    def _live_waits(self, at: int, rest: tuple[Tile, ...], unseen: Sequence[int]) -> float:
        """Tiles to come on which the hand may win under the rules: those of an own draw count once, of a discard thrice."""
        state = self.state
        seat = state.seats[at]
        record = record_of(state, ())
        players = list(record.players)
        players[at] = replace(players[at], hand=rest)
        record = replace(record, players=tuple(players), wins=())
        live = 0.0
        for kind in range(34):
            if not unseen[kind] or kind in state.aside:
                continue
            hand = view(state, (*rest, kind), seat.melds)
            if all(distance(state, plan, hand) for plan in self.plans):
                continue
            for source, weight in (("wall", 0.25), ("discard", 0.75)):
                win = Win(at, kind, source, (at + 1) % state.players if source == "discard" else None)
                if _legal(record, state.rules, win):
                    live += weight * unseen[kind]
        return live


def _legal(record: Record, rules: Ruleset, win: Win) -> bool:
    try:
        return judge(record, rules, win).legal
    except RecordError:
        return False


def _without(tiles: Iterable[Tile], gone: Iterable[Tile]) -> tuple[Tile, ...]:
    return tuple(sorted((Counter(tiles) - Counter(gone)).elements()))


def unusual_wins(state: State) -> Iterator[ev.Win]:
    """Wins declared without a completing tile that could be one here: on bonus tiles, on wild tiles, on the indicator."""
    if state.phase == "over" or any(declared.legal for declared in state.wins):
        return
    fresh = state.phase == "dealt"
    for at, seat in enumerate(state.seats):
        if len(seat.bonus) >= 7:
            for kind in ("eight", "seven"):
                yield ev.Win(seat=at, tile=None, source="flower", hand=seat.known, flower_win=kind)
        if sum(tile in state.wild for tile in seat.known) >= 3 and seat.exact:
            rest = _without(seat.known, (seat.drawn,)) if seat.has_drawn and seat.drawn is not None else seat.known
            for way in ("three_dealt", "three_last", "three"):
                source = "deal" if fresh and not seat.has_drawn else "wall"
                yield ev.Win(seat=at, tile=None if source == "deal" else seat.drawn, source=source, hand=rest, wild_win=way)
        if fresh and state.indicator is not None and at != state.dealer and seat.exact:
            yield ev.Win(seat=at, tile=state.indicator, source="indicator", hand=seat.known)


def play(
    rules_id: str, seed: int, hands: int = 1, options: Mapping[str, Any] | None = None, fouls: float = 0.0
) -> Played:
    """A game of some hands from a seed, played to win; ``fouls``: how often somebody breaks a rule, 0 to 1."""
    options = options or {}
    bots = Bots(load(rules_id, options), options, random.Random(seed), fouls=fouls)
    for _ in range(hands):
        bots.hand()
    return bots.played


__all__ = ["Bots", "Chance", "Plan", "View", "best_chance", "plans", "play", "unusual_wins"]
