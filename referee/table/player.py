"""Plays whole hands from a seed, all tiles known: games for tests, measurements and the simulator.

The player knows the wall, so every event carries its tiles; ``hide`` makes of a log what an overhead camera sees. Hands are
dealt close to complete and discards keep what fits together, so that hands are won in every way. With ``fouls`` players
break the rules now and then; what they did is returned beside the log, written down by whoever did it and not by ``faults``.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from referee.rules import tiles as t
from referee.rules.claim import Claim as HandClaim
from referee.rules.record import Win
from referee.rules.ritual import (
    behind_indicator,
    break_wall,
    folded,
    indicator_place,
    indicator_thrower,
    second_thrower,
)
from referee.rules.ruleset import Ruleset, load
from referee.rules.tiles import Tile
from referee.table import events as ev
from referee.table.events import Event
from referee.table.game import Game
from referee.table.moves import legal_moves, over
from referee.table.state import State
from referee.table.wins import record_of

LONGEST = 600  # events in one hand: more would mean that play goes round in circles


@dataclass(frozen=True)
class Done:
    """A foul as its maker knows it."""

    n: int
    seat: int
    kind: str


@dataclass
class Played:
    """A game as it was played: the log, the fouls done on purpose, the wall order of each hand."""

    events: list[Event] = field(default_factory=list)
    fouls: list[Done] = field(default_factory=list)


class Player:
    """Plays hands of one game. ``rng`` decides everything."""

    def __init__(
        self, rules: Ruleset, options: Mapping[str, Any], rng: random.Random, rules_of: Callable[..., Ruleset] = load
    ) -> None:
        self.rules, self.options, self.rng = rules, dict(options), rng
        self.game = Game(rules_of=rules_of)
        self.played = Played()
        self.wall: list[Tile] = []
        self.eager = rng.choice((0.5, 0.9, 1.0))  # how readily claims and wins are taken
        self.wild = rng.choice((0.0, 0.05, 0.2))  # how often a discard is anything at all

    @property
    def state(self) -> State:
        return self.game.hands[-1].state

    def do(self, event: Event) -> Event:
        """Play and record an event under the next number."""
        event = ev.numbered(event, len(self.played.events) + 1)
        self.game.play(event)
        self.played.events.append(event)
        return event

    # --- a hand

    def hand(self, **start: Any) -> None:
        """Play one hand to its end."""
        first = not self.game.hands
        values = {"rules": self.rules.id, "options": self.options, "dealer": 0, "repeat": 0, "round_wind": t.EAST}
        self.do(ev.Start(**{**(values if first else {}), **start}))
        self._stakes()
        self.wall = [kind for kind, copies in enumerate(self.rules.tiles) for _ in range(copies)]
        if len(self.wall) > self.state.total:  # a suit is left out
            suit = self.rng.randrange(3)
            self.wall = [kind for kind in self.wall if t.suit(kind) != suit]
        self.rng.shuffle(self.wall)
        self._deal()
        steps = 0
        while self.state.phase != "over" and steps < LONGEST:
            self.turn()
            steps += 1

    def turn(self) -> None:
        """One decision of whoever may act."""
        moves = [move.event for move in legal_moves(self.state)]
        wins = [event for event in moves if isinstance(event, ev.Win)]
        if wins and self.rng.random() < self.eager:
            self._win(wins)
            return
        self._act([event for event in moves if not isinstance(event, ev.Win)])

    def _act(self, moves: list[Event]) -> None:
        if not moves:
            self.do(ev.End(why="exhausted"))
            return
        claims = [event for event in moves if isinstance(event, ev.Claim)]
        others = [event for event in moves if not isinstance(event, ev.Claim)]
        if claims and self.rng.random() < 0.6 * self.eager:
            self._claim(claims)
            return
        if not others:
            self.do(ev.End(why="exhausted"))
            return
        self.do(self._seen(self._choice(others)))
        self._after(self.played.events[-1])

    def _choice(self, moves: list[Event]) -> Event:
        """Kongs and bonus tiles now and then, discards by what they are worth."""
        kongs = [event for event in moves if isinstance(event, (ev.OwnKong, ev.Bonus))]
        discards = [event for event in moves if isinstance(event, ev.Discard)]
        bound = self.state.seats[self.state.turn].bound
        if kongs and not bound and (not discards or self.rng.random() < 0.8):
            return self.rng.choice(kongs)
        if discards and self.rng.random() < self.wild:
            return self.rng.choice(discards)
        if discards:
            hand = self.state.seats[discards[0].seat].known
            worst = min(keep_worth(self.state, hand, event.tile) for event in discards)
            return self.rng.choice([e for e in discards if keep_worth(self.state, hand, e.tile) <= worst + 1])
        return self.rng.choice(moves)

    def _claim(self, claims: list[ev.Claim]) -> None:
        """A claim; sometimes a worse one is called before it, which the better one then takes the tile from."""
        sets = [claim for claim in claims if claim.type != "chow"]
        chosen = self.rng.choice(sets or claims)
        worse = [c for c in claims if c.type == "chow" and c.seat != chosen.seat]
        if chosen.type != "chow" and worse and self.rng.random() < 0.3:
            self.do(self.rng.choice(worse))
        self.do(chosen)

    def _win(self, wins: Sequence[ev.Win]) -> None:
        """Everybody who may win does, or the first in turn; then birds, hands shown, the end."""
        several = self.rules.winners == "many"
        first = self.rng.choice(wins)
        for event in wins if several else [first]:
            if event.source == first.source and event.tile == first.tile:
                self.do(event)
        winners = {declared.event.seat for declared in self.state.wins}
        if self.state.ritual.deal.bird and self.wall:
            self.do(ev.Birds(tiles=(self._drawn("head"),)))
        for at, seat in enumerate(self.state.seats):
            if at not in winners and seat.exact and not seat.extra and self.rng.random() < 0.5:
                self.do(ev.Reveal(seat=at, hand=seat.known))
        self.do(ev.End(why="win"))

    # --- before the first discard

    def _stakes(self) -> None:
        kind, last = self.state.ritual.stakes, len(self.game.hands) == 1
        for at in range(self.rules.players):
            seat = self.state.seats[at]
            if kind == "hand":
                self.do(ev.Stake(seat=at, stake=self.rng.randrange(5)))
            elif kind == "run" and seat.stake is None and (last or self.state.repeat == 0):
                self.do(ev.Stake(seat=at, stake=self.rng.randrange(2)))

    def _throw(self, seat: int, purpose: str) -> tuple[int, ...]:
        values = tuple(self.rng.randint(1, 6) for _ in range(self.state.ritual.opening.dice))
        self.do(ev.Dice(seat=seat, values=values, purpose=purpose))
        return values

    def _deal(self) -> None:
        state, ritual, players = self.state, self.state.ritual, self.rules.players
        throws = [self._throw(state.dealer, "wall")]
        second = second_thrower(ritual, state.dealer, throws[0], players)
        if second is not None:
            throws.append(self._throw(second, "wall"))
        place = break_wall(ritual, state.dealer, throws, players)
        assert place is not None
        place = folded(ritual, place, players)
        hands = self._hands()
        self.do(ev.Deal(hands=hands, wall=place.wall, stacks=place.stack))

    def _hands(self) -> tuple[tuple[Tile, ...], ...]:
        """Dealt hands, some of them close to complete; what they hold is taken from the wall."""
        hands = []
        for at in range(self.rules.players):
            size = self.rules.hand_size + (at == self.state.dealer)
            good = self._almost(size) if self.rng.random() < 0.75 else []
            while len(good) < size:
                good.append(self.wall.pop(self.rng.randrange(len(self.wall))))
            hands.append(tuple(sorted(good)))
        return tuple(hands)

    def _almost(self, size: int) -> list[Tile]:
        """Sets and a pair out of the wall, a few of their tiles left out."""
        taken: list[Tile] = []
        kinds = [kind for kind in sorted(set(self.wall)) if kind < 34 and kind not in self.rules.bonus]
        while len(taken) + 3 <= size:
            kind = self.rng.choice(kinds)
            run = (kind, kind + 1, kind + 2) if kind < 27 and kind % 9 < 7 else (kind,) * 3
            group = run if self.rng.random() < 0.6 else (kind,) * 3
            if not Counter(group) - Counter(self.wall):
                for tile in group:
                    self.wall.remove(tile)
                taken += group
        for _ in range(self.rng.randrange(5)):
            self.wall.append(taken.pop(self.rng.randrange(len(taken))))
        self.rng.shuffle(self.wall)
        return taken

    # --- tiles from the wall

    def _seen(self, event: Event) -> Event:
        """The event with the tile that comes from the wall."""
        if isinstance(event, ev.Draw):
            if self.state.seats[event.seat].dice_left and event.end == "tail":
                event = replace(event, end=None)
            return replace(event, tile=self._drawn(event.end))
        return self._turned(event) if isinstance(event, ev.Indicator) else event

    def _drawn(self, end: str | None) -> Tile:
        return self.wall.pop(0) if end == "head" else self.wall.pop()

    def _turned(self, event: ev.Indicator) -> Event:
        """Turn up the indicator where the dice say."""
        state, ritual = self.state, self.state.ritual
        rule = ritual.indicator
        assert rule is not None
        walls = [d.values for d in state.throws if d.purpose == "wall"]
        thrower = indicator_thrower(ritual, state.dealer, walls, state.players)
        own = self._throw(thrower, "indicator") if thrower is not None else None
        place = indicator_place(ritual, state.dealer, walls, own, state.players)
        behind = behind_indicator(ritual, walls, own)
        if rule.origin == "replacement":
            tile = self.wall.pop()
        else:
            at = 0 if rule.origin == "head" else max(len(self.wall) - 1 - (behind or 2 * place.stack if place else 0), 0)
            back = [kind for kind in sorted(self.rules.bonus) if rule.when == "after_bonus"]
            while self.wall[at] in back:  # turned back, another is turned
                at = self.rng.randrange(len(self.wall))
            tile = self.wall.pop(at)
        return ev.Indicator(tile=tile, wall=place.wall if place else None, stack=place.stack if place else None)

    # --- now and then

    def _after(self, event: Event) -> None:
        """What may follow a discard or kong at once: declaring ready with an open hand, choosing a replacement by dice."""
        state = self.state
        if isinstance(event, ev.Discard) and "open" in state.ritual.ready and not state.seats[event.seat].ready:
            seat = state.seats[event.seat]
            if self.rng.random() < 0.15 and not seat.off and waits(state, event.seat):
                self.do(ev.Ready(seat=event.seat, kind="open"))
                self.do(ev.Reveal(seat=event.seat, hand=seat.known))
        if isinstance(event, ev.OwnKong) and state.ritual.dice_tiles and self.rng.random() < 0.5:
            needed = state.ritual.dice_tiles
            if state.left - state.reserve > needed and waits(state, event.seat):
                self.do(ev.Dice(seat=event.seat, values=(self.rng.randint(1, 6), self.rng.randint(1, 6)), purpose="kong"))
                for _ in range(needed):
                    self.do(ev.Draw(seat=event.seat, tile=self._drawn("tail")))


def keep_worth(state: State, hand: Iterable[Tile], tile: Tile | None) -> int:
    """How much a tile fits the others: copies, neighbours; wild tiles most."""
    if tile is None:
        return 0
    if tile in state.wild:
        return 9
    counts = Counter(hand)
    worth = 3 * (counts[tile] - 1)
    if tile < 27:
        near = {1: 2, 2: 1}
        worth += sum(
            value for step, value in near.items() for other in (tile - step, tile + step)
            if counts[other] and other // 9 == tile // 9 and other >= 0
        )  # fmt: skip
    return worth


def waits(state: State, at: int) -> tuple[Tile, ...]:
    """The tiles that complete a player's concealed tiles in shape."""
    record = record_of(state, ())
    claim = HandClaim(record, state.rules, Win(at, None, "wall"))
    return claim.waits


def play_game(
    rules_id: str,
    seed: int,
    hands: int = 1,
    options: Mapping[str, Any] | None = None,
    rules_of: Callable[..., Ruleset] = load,
) -> Played:
    """A legal game of some hands from a seed."""
    options = options or {}
    player = Player(rules_of(rules_id, options), options, random.Random(seed), rules_of)
    for _ in range(hands):
        player.hand()
    return player.played


def hide(events: Iterable[Event]) -> list[Event]:
    """What an overhead camera sees of a log: dealt hands and draws unknown until they are shown."""
    out: list[Event] = []
    for event in events:
        if isinstance(event, ev.Deal):
            event = replace(event, hands=(None,) * len(event.hands))
        elif isinstance(event, ev.Draw):
            event = replace(event, tile=None)
        out.append(event)
    return out


__all__ = ["Done", "Played", "Player", "hide", "over", "play_game"]
