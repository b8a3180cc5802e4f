"""Players who break the rules on purpose, and how well the referee notices: precision and recall for every kind of fault.

    python -m tests.table.foulplay --games 2000

One foul a game, done by a recipe that knows itself what it did (``Done``); the rest of the hand is legal. Each game is
replayed twice, with every tile known and as an overhead camera sees it (dealt hands and draws hidden until shown). A recipe
says whether its foul can be seen at all in the second case. Games without a foul must stay without a fault.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from referee.rules import tiles as t
from referee.rules.ruleset import SET_IDS, load
from referee.table import events as ev
from referee.table.faults import faults, in_view
from referee.table.game import Game
from referee.table.moves import legal_moves
from referee.table.player import Done, Player, hide
from referee.table.state import State, apply

Recipe = Callable[["FoulPlayer"], Iterator[list[ev.Event]]]
Expected = tuple[str, ...]


@dataclass(frozen=True)
class Foul:
    """A recipe: what to do, the faults it makes (each with the index of its event), whether a camera can tell."""

    kind: str
    expected: Expected
    seen: bool = True


class FoulPlayer(Player):
    """Plays one hand with one foul of a kind in it, if there is a chance for it after ``wait`` decisions."""

    def foul_hand(self, foul: Foul, wait: int) -> list[Done] | None:
        self.foul, self.wait, self.done = foul, wait, None
        self.sizes: dict[int, str | None] = {}
        self.hand()
        return self.done

    def turn(self) -> None:
        self.wait -= 1
        if self.done is None and self.wait < 0 and self.state.phase == "play" and not self.state.wins:
            tries = list(TRIES[self.foul.kind](self.state, self.rng))
            if tries:
                self.commit(self.pick(tries))
                return
        super().turn()

    def pick(self, tries: list[list[ev.Event]]) -> list[ev.Event]:
        """A try that is just this foul where there is one: a second foul by accident would blur the count."""
        self.rng.shuffle(tries)
        for events in tries:
            state, kinds = self.state, []
            for event in events:
                after = apply(state, event)
                kinds += [fault.kind for fault in faults(state, event, after) if fault.certain]
                state = after
            if set(kinds) <= set(self.foul.expected):
                return events
        return tries[0]

    def commit(self, events: list[ev.Event]) -> None:
        last = None
        for event in events:
            if isinstance(event, ev.Draw) and event.tile is None:
                event = replace(event, tile=self._drawn(event.end))
            last = self.do(event)
        assert last is not None
        self.done = [Done(last.n, getattr(last, "seat", 0), kind) for kind in self.foul.expected]
        if self.foul.kind == "false_win":
            self.do(ev.End(why="false_win"))
        elif self.foul.kind in ("counted_long", "counted_short", "dead_wall"):
            self.do(ev.End(why="stopped"))


def _drawer(state: State) -> int | None:
    """Whose draw it is, None where somebody has still to discard, the last tiles are drawn or a claim is open."""
    seat = state.seats[state.turn]
    free = not seat.extra and not seat.owed and not state.in_last and state.left > state.reserve and not state.claims
    return state.turn if free else None


def no_draw(state: State, rng: random.Random) -> Iterator[list[ev.Event]]:
    at = _drawer(state)
    if at is not None:
        yield from ([ev.Discard(seat=at, tile=tile)] for tile in set(state.seats[at].known))


def discard_out_of_turn(state: State, rng: random.Random) -> Iterator[list[ev.Event]]:
    if _drawer(state) is not None:
        for at in range(state.players):
            if at != state.turn and (state.offer is None or state.offer.seat != at):
                yield from ([ev.Discard(seat=at, tile=tile)] for tile in set(state.seats[at].known))


def draw_out_of_turn(state: State, rng: random.Random) -> Iterator[list[ev.Event]]:
    if _drawer(state) is not None:
        yield from ([ev.Draw(seat=at, end="head")] for at in range(state.players) if at != state.turn)


def second_draw(state: State, rng: random.Random) -> Iterator[list[ev.Event]]:
    seat = state.seats[state.turn]
    if seat.extra and not seat.owed and not state.in_last and state.left > state.reserve:
        yield [ev.Draw(seat=state.turn, end="head")]


def wrong_end(state: State, rng: random.Random) -> Iterator[list[ev.Event]]:
    at = _drawer(state)
    if at is not None:
        yield [ev.Draw(seat=at, end="tail")]


def replaced_from_head(state: State, rng: random.Random) -> Iterator[list[ev.Event]]:
    seat = state.seats[state.turn]
    if seat.owed and seat.extra and state.left > state.reserve:
        yield [ev.Draw(seat=state.turn, end="head")]


def no_replacement(state: State, rng: random.Random) -> Iterator[list[ev.Event]]:
    seat = state.seats[state.turn]
    if seat.owed and seat.extra:
        yield from ([ev.Discard(seat=state.turn, tile=tile)] for tile in set(seat.known))


def _offered(state: State) -> tuple[int, t.Tile] | None:
    offer = state.offer
    if offer is None or offer.tile is None or offer.kind != "discard" or state.claims or _drawer(state) is None:
        return None
    return offer.seat, offer.tile


def _pairs(state: State, at: int) -> Iterator[tuple[t.Tile, t.Tile]]:
    hand = state.seats[at].known
    for i, first in enumerate(hand):
        for second in hand[i + 1 :]:
            yield first, second


def _run(state: State, tiles: tuple[t.Tile, ...]) -> bool:
    low, middle, high = sorted(state.face(tile) for tile in tiles)
    return high < 27 and low // 9 == high // 9 and (middle, high) == (low + 1, low + 2)


def chow_not_left(state: State, rng: random.Random) -> Iterator[list[ev.Event]]:
    offered = _offered(state)
    if offered is None:
        return
    source, tile = offered
    plain = [tile, *(k for k in state.wild)]
    for at in range(state.players):
        if at in (source, state.next_seat(source)) or tile in state.wild or tile in state.aside:
            continue
        for pair in _pairs(state, at):
            if _run(state, (*pair, tile)) and not set(pair) & set(plain[1:]):
                yield [ev.Chow(seat=at, tiles=(*pair, tile), claimed=tile, source=source)]


def pung_of_others(state: State, rng: random.Random) -> Iterator[list[ev.Event]]:
    offered = _offered(state)
    if offered is None:
        return
    source, tile = offered
    for at in range(state.players):
        for pair in _pairs(state, at):
            alike = {state.face(x) for x in (*pair, tile)}
            if at != source and len(alike) > 1 and not set(pair) & state.wild and tile not in state.wild | state.aside:
                yield [ev.Pung(seat=at, tiles=(*pair, tile), claimed=tile, source=source)]


def wild_into_set(state: State, rng: random.Random) -> Iterator[list[ev.Event]]:
    offered = _offered(state)
    if offered is None or state.rules.wild is None or state.rules.wild.in_melds:
        return
    source, tile = offered
    for at in range(state.players):
        seat = state.seats[at]
        wilds = [x for x in seat.known if x in state.wild]
        same = [x for x in seat.known if x not in state.wild and state.face(x) == state.face(tile)]
        if at != source and wilds and same and tile not in state.wild | state.aside and not seat.bound:
            yield [ev.Pung(seat=at, tiles=(wilds[0], same[0], tile), claimed=tile, source=source)]


def claim_of_a_wild(state: State, rng: random.Random) -> Iterator[list[ev.Event]]:
    offered = _offered(state)
    if offered is None or state.rules.wild is None or state.rules.wild.claimable:
        return
    source, tile = offered
    at = state.next_seat(source)
    if tile in state.wild and state.rules.chows and not state.seats[at].bound:
        for pair in _pairs(state, at):
            if _run(state, (*pair, tile)) and not set(pair) & state.wild:
                yield [ev.Chow(seat=at, tiles=(*pair, tile), claimed=tile, source=source)]


def wild_thrown(state: State, rng: random.Random) -> Iterator[list[ev.Event]]:
    seat = state.seats[state.turn]
    if seat.extra and not seat.owed and state.ritual.discards.wild in ("barred", "last_resort", "forfeits"):
        yield from ([ev.Discard(seat=state.turn, tile=tile)] for tile in set(seat.known) & state.wild)


def barred(state: State, rng: random.Random) -> Iterator[list[ev.Event]]:
    """A pung while a float bars it, or of a tile passed before."""
    offered = _offered(state)
    if offered is None:
        return
    source, tile = offered
    for at in range(state.players):
        seat = state.seats[at]
        alike = [x for x in seat.known if state.face(x) == state.face(tile) and x not in state.wild]
        floats = [f for f in state.floaters if f != at and "pung" in state.ritual.floats.bars]
        opened = source in floats and tile in state.wild
        passed = state.ritual.claims.missed_pung and any(
            p.tile is not None and state.face(p.tile) == state.face(tile) for p in seat.passed[:-1]
        )
        usable = len(alike) > 1 and at != source and tile not in state.wild | state.aside
        if usable and not seat.bound and ((floats and not opened) or passed):
            yield [ev.Pung(seat=at, tiles=(*alike[:2], tile), claimed=tile, source=source)]


def worse_claim(state: State, rng: random.Random) -> Iterator[list[ev.Event]]:
    claims = [move.event for move in legal_moves(state, wins=False) if isinstance(move.event, ev.Claim)]
    for better in claims:
        for worse in claims:
            if better.type != "chow" and worse.type == "chow" and better.seat != worse.seat:
                yield [better, worse]


def other_tile_first(state: State, rng: random.Random) -> Iterator[list[ev.Event]]:
    """A suit tile although a single honour that somebody has discarded is held."""
    seat = state.seats[state.turn]
    if state.ritual.discards.forced == "none" or not seat.extra or seat.owed:
        return
    counts = Counter(state.face(x) for x in seat.known if x not in state.wild)
    gone = {state.face(x) for _, x, _ in state.line if x is not None}
    if any(t.is_honour(kind) and number == 1 and kind in gone for kind, number in counts.items()):
        suits = {x for x in seat.known if t.is_suited(state.face(x)) and x not in state.wild}
        yield from ([ev.Discard(seat=state.turn, tile=tile)] for tile in suits)


def swap(state: State, rng: random.Random) -> Iterator[list[ev.Event]]:
    seat = state.seats[state.turn]
    if not state.ritual.discards.swap and seat.after_claim in seat.known and len(seat.melds) < 4:
        yield [ev.Discard(seat=state.turn, tile=seat.after_claim)]


def fifth_copy(state: State, rng: random.Random) -> Iterator[list[ev.Event]]:
    at = _drawer(state)
    if at is not None:
        kinds = [k for k, copies in enumerate(state.rules.tiles) if copies and in_view(state, k) == copies]
        yield from ([ev.Draw(seat=at, tile=kind, end="head")] for kind in kinds if kind not in state.aside)


def changed(state: State, rng: random.Random) -> Iterator[list[ev.Event]]:
    seat = state.seats[state.turn]
    if seat.bound and seat.extra and not seat.owed and seat.has_drawn:
        yield from ([ev.Discard(seat=state.turn, tile=tile)] for tile in set(seat.known) - {seat.drawn})


def no_win(state: State, rng: random.Random) -> Iterator[list[ev.Event]]:
    """A win declared with two tiles of the hand that fit nothing: kinds held once, with no neighbours."""
    seat = state.seats[state.turn]
    if not seat.extra or seat.owed or seat.drawn is None or any(tile in state.wild for tile in seat.known):
        return
    counts = Counter(seat.known)
    alone = [k for k in counts if counts[k] == 1 and not any(counts[k + d] and k < 27 for d in (-2, -1, 1, 2))]
    if len(alone) > 4 and len(alone) < 9:
        rest = list(seat.known)
        rest.remove(seat.drawn)
        yield [ev.Win(seat=state.turn, tile=seat.drawn, source="wall", hand=tuple(rest))]


def past_the_end(state: State, rng: random.Random) -> Iterator[list[ev.Event]]:
    seat = state.seats[state.turn]
    if state.reserve and state.left == state.reserve and not seat.extra and not seat.owed and not state.claims:
        yield [ev.Draw(seat=state.turn, end="head")]


def counted(state: State, by: int) -> Iterator[list[ev.Event]]:
    for at, seat in enumerate(state.seats):
        if not seat.off:
            yield [ev.Count(seat=at, tiles=seat.held + by)]


def three_as_kong(state: State, rng: random.Random) -> Iterator[list[ev.Event]]:
    seat = state.seats[state.turn]
    if seat.extra and not seat.owed and state.left > state.reserve:
        counts = Counter(x for x in seat.known if x not in state.wild | state.aside)
        for kind in (k for k, n in counts.items() if n == 3):
            other = next((x for x in seat.known if state.face(x) != state.face(kind) and x not in state.wild), None)
            if other is not None:
                yield [ev.ConcealedKong(seat=state.turn, tiles=(kind, kind, kind, other))]


TRIES: dict[str, Callable[[State, random.Random], Iterator[list[ev.Event]]]] = {
    "no_draw": no_draw, "discard_out_of_turn": discard_out_of_turn, "draw_out_of_turn": draw_out_of_turn,
    "double_draw": second_draw, "wrong_end": wrong_end, "replaced_from_head": replaced_from_head,
    "missing_replacement": no_replacement, "wrong_chow": chow_not_left, "wrong_pung": pung_of_others,
    "wrong_kong": three_as_kong, "wild_in_meld": wild_into_set, "claimed_wild": claim_of_a_wild,
    "wild_discarded": wild_thrown, "barred_claim": barred, "wrong_precedence": worse_claim,
    "forced_discard": other_tile_first, "swap_discard": swap, "extra_tile": fifth_copy, "changed_after_ready": changed,
    "false_win": no_win, "dead_wall": past_the_end, "counted_long": lambda s, r: counted(s, +1),
    "counted_short": lambda s, r: counted(s, -1),
}  # fmt: skip
FOULS = (
    Foul("no_draw", ("no_draw", "short_hand")), Foul("discard_out_of_turn", ("out_of_turn", "short_hand")),
    Foul("draw_out_of_turn", ("out_of_turn",)), Foul("double_draw", ("double_draw",)), Foul("wrong_end", ("wrong_end",)),
    Foul("replaced_from_head", ("wrong_end",)), Foul("missing_replacement", ("missing_replacement", "short_hand")),
    Foul("wrong_chow", ("wrong_chow",)), Foul("wrong_pung", ("wrong_pung",)), Foul("wrong_kong", ("wrong_kong",)),
    Foul("wild_in_meld", ("wild_in_meld",)), Foul("claimed_wild", ("claimed_wild",)),
    Foul("wild_discarded", ("wild_discarded",)), Foul("barred_claim", ("barred_claim",)),
    Foul("wrong_precedence", ("wrong_precedence",)), Foul("forced_discard", ("forced_discard",), seen=False),
    Foul("swap_discard", ("swap_discard",)), Foul("extra_tile", ("extra_tile",), seen=False),
    Foul("changed_after_ready", ("changed_after_ready",), seen=False), Foul("false_win", ("false_win",)),
    Foul("dead_wall", ("dead_wall",)), Foul("counted_long", ("long_hand",)), Foul("counted_short", ("short_hand",)),
)  # fmt: skip
WILDS = (
    "hangzhou", "taizhou", "xiamen", "quanzhou", "fuzhou", "yiwu", "ningbo", "fenghua", "beijing", "wuhan", "wenzhou",
    "wuhan_hongzhong", "jingzhou",
)  # fmt: skip
WHERE = {  # rule sets that know the foul, where not all do
    "swap_discard": ("ningbo",), "changed_after_ready": ("jinan", "kawuxing"),
    "forced_discard": ("xiamen", "quanzhou", "wenzhou"), "wild_discarded": ("beijing", "shanghai_jinshan", "wenzhou"),
    "barred_claim": ("xiamen", "quanzhou", "hangzhou", "taizhou"), "claimed_wild": WILDS,
    "wild_in_meld": (*WILDS, "shanghai_jinshan"),
    "dead_wall": (
        "taiwan", "nanjing", "xiamen", "hangzhou", "taizhou", "shaanxi", "yiwu", "fuzhou", "wuhan", "beijing", "quanzhou",
        "jinan", "nanchang", "wenzhou", "jingzhou", "wuhan_hongzhong",
    ),
}  # fmt: skip
FOLLOW = {"long_hand", "short_hand"}  # named at a later own discard, where a foul has left a hand too long or too short


@dataclass
class Tally:
    """Fouls done, found, missed, and certain faults nobody had done, by kind."""

    found: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    false: Counter[str] = field(default_factory=Counter)
    examples: list[tuple[str, int, str, str]] = field(default_factory=list)

    def add(self, foul: Foul, done: list[Done], told: Game, where: tuple[str, int, str], hidden: bool = False) -> None:
        got = Counter((f.n, f.seat, f.kind) for _, f in told.faults if f.certain)
        later = hidden and not foul.seen  # only what is shown later can prove it, if anything does
        want = Counter() if later else Counter((d.n, d.seat, d.kind) for d in done)
        after = min((d.n for d in done), default=0)
        culprits = {d.seat for d in done}
        for n, seat, kind in want:
            (self.found if got[n, seat, kind] else self.missed)[kind] += 1
            if not got[n, seat, kind]:
                self.examples.append((*where, f"missed {kind} at {n}"))
        for n, seat, kind in got - want:
            if n > after and ((seat in culprits and kind in FOLLOW) or (later and kind in foul.expected)):
                continue  # the consequence of the foul, named when it could no longer be put right
            self.false[kind] += 1
            self.examples.append((*where, f"false {kind} at {n}"))

    def rates(self) -> dict[str, tuple[int, float, float]]:
        """kind -> fouls, precision, recall."""
        out = {}
        for kind in sorted({*self.found, *self.missed, *self.false}):
            found, missed, false = self.found[kind], self.missed[kind], self.false[kind]
            out[kind] = (found + missed, found / max(found + false, 1), found / max(found + missed, 1))
        return out


def play_foul(rules_id: str, foul: Foul, seed: int) -> tuple[list[ev.Event], list[Done]] | None:
    """A hand with this foul in it, None where there was no chance for one."""
    rng = random.Random(f"{rules_id} {foul.kind} {seed}")
    player = FoulPlayer(load(rules_id, {}), {}, rng)
    player.wild = 0.6 if foul.kind in ("barred_claim", "claimed_wild") else player.wild
    player.eager = 0.0 if foul.kind == "dead_wall" else 0.6
    done = player.foul_hand(foul, rng.randrange(0, 8 if foul.kind in WHERE else 40))
    return None if done is None else (player.played.events, done)


def told_by(events: list[ev.Event]) -> Game:
    game = Game()
    for event in events:
        game.play(event)
    return game


def measure(games: int, seed: int = 0) -> tuple[Tally, Tally, int]:
    """Tallies with every tile known and as a camera sees it, and how many games had a foul in them."""
    full, seen, played, number = Tally(), Tally(), 0, seed
    while played < games:
        foul = FOULS[number % len(FOULS)]
        known = WHERE.get(foul.kind, SET_IDS)
        rules_id = known[number // len(FOULS) % len(known)]
        result = play_foul(rules_id, foul, number)
        number += 1
        if result is None:
            continue
        played += 1
        events, done = result
        where = (rules_id, number - 1, foul.kind)
        full.add(foul, done, told_by(events), where)
        seen.add(foul, done, told_by(hide(events)), where, hidden=True)
    return full, seen, played



def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=2000)
    args = parser.parse_args()
    full, seen, played = measure(args.games)
    print(f"{played} games with one foul each")
    print(f"{'fault':22} {'fouls':>6} {'precision':>10} {'recall':>8}   hidden hands: {'precision':>10} {'recall':>8}")
    hidden = seen.rates()
    for kind, (fouls, precision, recall) in full.rates().items():
        _, other_precision, other_recall = hidden.get(kind, (0, 1.0, float("nan")))
        print(f"{kind:22} {fouls:6} {precision:10.3f} {recall:8.3f}   {'':13} {other_precision:10.3f} {other_recall:8.3f}")
    for example in (*full.examples, *seen.examples)[:20]:
        print(*example)


if __name__ == "__main__":
    main()
