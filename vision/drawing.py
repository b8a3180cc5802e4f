"""Draws, told from what the walls lose: who drew twice, who discarded without having drawn, who was only out of turn.

The follower takes it that everybody draws when he should. ``Walls`` tells how many tiles were really taken; where the two
differ and still do after the next discard, the turn at which they came apart is told anew and asked about. So a wall that
a hand covered for a while, or a discard seen late, changes nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from referee.table import events as ev
from referee.table.state import State, update, with_seat
from vision.story import SO, Question, Story
from vision.walls import Drawn, Walls
from vision.zones import Scene, Spot

BEFORE = 0.3  # seconds before a discard came to lie by which what belongs to it was drawn
MOST = 1  # tiles by which account and walls differ for foul play: by more, the walls were misread
IN_A_ROW = 3  # turns without a draw after which it is the wall that is not seen
AGREED = 3  # discards at which they must differ alike
LENGTHS = frozenset({"long_hand", "short_hand"})
ORIGINS = {"head": (1, 0), "replacement": (0, 1)}  # indicators that leave their stack: at which end

Ends = tuple[int, int]  # tiles from the head and from the tail
UNITS: tuple[Ends, ...] = ((1, 0), (-1, 0), (0, 1), (0, -1))
MORE: tuple[Ends, ...] = ((1, 0), (0, 1))
WRONG_END: Ends = (-1, 1)


@dataclass(frozen=True)
class Turn:
    """A discard: its event and player, when it came to lie, the draws told of until then."""

    number: int
    seat: int
    at: float
    told: Ends


class Drawing(Story):
    """The walls beside the account."""

    def _clear(self) -> None:
        super()._clear()
        self.walls = Walls(self.width)
        self._drawn: list[Drawn] = []
        self._turns: list[Turn] = []
        self._unlike: Ends | None = None  # by how many tiles the walls are known to differ from the account
        self._replaced = False  # had tiles been set aside, and maybe replaced, before the walls were looked at?
        self._given_up = False
        self._unseen_head = False  # has nothing been seen to leave the head lately?
        self._fewer: list[int] = []  # places in the row of turns where a draw less was told of than at first
        self._undo: dict[int, list[tuple[int, tuple[ev.Event, ...]]]] = {}  # by seat: what was told otherwise before

    def _watch_walls(self, scene: Scene) -> None:
        """Take the walls as they stand once the deal is done; from then on, what they lose."""
        if self.walls.stacks or self._drawn:
            faces = [s for s in scene.spots if s.track.facing == "up"]
            self._drawn += self.walls.look(scene.at("wall"), faces, self._now)
            return
        aside = len(self._fresh(scene.at("bonus")))
        left = self.state.left + self.state.tail_draws
        self.walls.stand(scene.at("wall"), left)
        most, least = (left + 1) // 2, (left - aside) // 2  # what is set aside may have been replaced from the tail already
        known = not self._fresh(scene.at("river")) and (not aside or least <= len(self.walls.stacks) <= most)
        if not known:
            self.walls.stand(scene.at("wall"), None)
        self._unlike = (0, 0) if known else None
        self._replaced = known and aside > 0

    @property
    def walls_tell(self) -> bool:
        """Whether it is seen how the walls stand and known how they stood: then they are believed before rows of hands."""
        return self.walls.trusted and self._unlike is not None and not (self._given_up or self._unseen_head)

    @property
    def in_walls(self) -> int | None:
        """Tiles that are seen to be left in the walls; None where they do not tell."""
        return sum(stack.tiles for stack in self.walls.stacks) if self.walls_tell else None

    def _seen_drawn(self, at: float) -> Ends:
        """How many tiles had been drawn, by the walls, for what came to lie at a time."""
        ends = [drawn.end for drawn in self._drawn if drawn.t < at - BEFORE]
        return ends.count("head"), ends.count("tail")

    def _told_drawn(self) -> Ends:
        """How many tiles have left the walls by the account."""
        state, rule = self.state, self.state.ritual.indicator
        head, tail = ORIGINS.get(rule.origin, (0, 0)) if rule is not None and state.turned else (0, 0)
        return state.head_draws + head, state.tail_draws + tail

    def _unexplained(self, at: float, told: Ends) -> Ends:
        """How many tiles more than told of were drawn for what came to lie at a time."""
        known, seen = self._unlike or (0, 0), self._seen_drawn(at)
        head, tail = (s - t - u for s, t, u in zip(seen, told, known, strict=True))
        if self.walls.at_once:  # upper tiles go unseen: where the next stack looks whole, one more may have been taken
            head, tail = (
                min(by + 1, 0) if by < 0 and self.walls.whole(end, n) else by
                for by, end, n in ((head, "head", seen[0]), (tail, "tail", seen[1]))
            )  # fmt: skip
        return head, tail

    def _drawn_since(self, spot: Spot) -> int | None:
        """How many tiles were drawn that nothing explains yet when a discard came to lie; None where the walls do not tell."""
        if not self.walls_tell or self._replaced:
            return None
        return sum(self._unexplained(spot.track.born, self._told_drawn()))

    def _turn_made(self, written: ev.Event, seat: int, spot: Spot) -> None:
        """A discard has been put down: were there as many draws as were told until some discards before?"""
        if self._given_up:
            return
        if not self.walls.trusted:
            self._turns.clear()  # what was drawn meanwhile is not known: from when they are trusted again it is counted anew
            self._unlike = None
            return
        turn = Turn(written.n, seat, spot.track.born, self._told_drawn())
        if self._unlike is None:  # play had begun before the walls were looked at: nobody knows how the first stack stood
            if not self._seen_drawn(turn.at)[0]:
                return
            self._unlike = self._unexplained(turn.at, turn.told)
        elif self._replaced:  # from the head nothing had been drawn but what was dealt
            self._unlike, self._replaced = (0, self._unexplained(turn.at, turn.told)[1]), False
        self._turns.append(turn)
        if len(self._turns) >= AGREED:
            self._compare(self._turns)

    def _compare(self, turns: list[Turn]) -> None:
        """Tell a turn anew where from it on, at each of the latest ones, the walls differ from the account."""
        latest = turns[-AGREED:]
        differ = [self._unexplained(turn.at, turn.told) for turn in latest]
        steps = self._firmly(first_step(differ))
        if steps == (0, 0):
            self._unseen_head = False
            return
        self._unseen_head = steps[0] < 0 and self._nothing_seen(latest)
        if steps[0] < 0 and (self._unseen_head or _seen_late(differ) or self._not_seen()):
            return
        known = self._unlike or (0, 0)
        if max(map(abs, steps)) > MOST:
            most = [max(by[end] for by in differ) for end in (0, 1)]  # what is drawn may be seen late, but never early
            self._unlike = known[0] + (most[0] if steps[0] else 0), known[1] + (most[1] if steps[1] else 0)
            return
        first = self._first_seen(turns, steps)
        head, tail = self._told_anew(turns[first], *steps)
        self._unlike = known[0] + steps[0] - head, known[1] + steps[1] - tail
        turns[first:] = [replace(t, told=(t.told[0] + head, t.told[1] + tail)) for t in turns[first:]]

    def _first_seen(self, turns: Sequence[Turn], steps: Ends) -> int:
        """At which place in the row of turns a tile more was drawn by which the last ones differ alike. A draw may be seen late,
        though by the turn after, but never early: so a turn before that differs by as much, with one between that does not,
        had that tile drawn already."""
        first = len(turns) - AGREED
        while steps in MORE and first > 0:
            before = range(first - 1, max(first - 3, -1), -1)
            had = next((k for k in before if self._unexplained(turns[k].at, turns[k].told) == steps), None)
            if had is None:
                break
            first = had
        return first

    def _firmly(self, steps: Ends) -> Ends:
        """Without a tile more from the tail of which only a shift tells, where none is missing at the head: hardly anybody takes
        one there that is not due, and a stack may have been pushed. What has really gone shows when the next is drawn there."""
        head, tail = steps
        return (head, tail - 1) if tail > 0 <= head and self.walls.half("tail") else steps

    def _nothing_seen(self, turns: list[Turn]) -> bool:
        """Whether through some turns in which there was drawn nothing was seen to leave the head of the wall: it is not seen."""
        first, last = turns[0], turns[-1]
        return last.told[0] > first.told[0] and self._seen_drawn(last.at)[0] == self._seen_drawn(first.at)[0]

    def _not_seen(self) -> bool:
        """Nobody draws, turn after turn: rather, the head of the wall is not seen as it is. Then it tells nothing more."""
        now = len(self._turns)
        self._fewer = [*(at for at in self._fewer if now - at < IN_A_ROW), now]
        if len(self._fewer) < IN_A_ROW:
            return False
        self._given_up = True
        since = self._turns[-min(now, IN_A_ROW + AGREED)].number
        for seat, undo in list(self._undo.items()):
            self._undo[seat] = [(number, events) for number, events in undo if number >= since]
            self._acquit(seat)
        return True

    def _told_anew(self, turn: Turn, head: int, tail: int) -> Ends:
        """Put down that at a turn a tile more (or less) was drawn from an end; by how many the account changed."""
        if (head, tail) == WRONG_END and self._from_the_tail(turn):
            return head, tail
        ends = [("head", head), ("tail", tail)]
        done = [self._drew_more(turn, end) if by > 0 else self._drew_less(turn, end) if by else 0 for end, by in ends]
        return done[0], done[1]

    def _from_the_tail(self, turn: Turn) -> bool:
        """The draw was made from the wrong end."""
        own = [e for e in self._before(turn.number) if isinstance(e, ev.Draw) and e.seat == turn.seat and e.end == "head"]
        if own:
            self._doubt_draw(turn, f"seat {turn.seat} drew from the wrong end", own[-1].n, (own[-1],))
            self._correct(own[-1].n, (replace(own[-1], n=0, end="tail"),), ())
        return bool(own)

    def _drew_more(self, turn: Turn, end: str) -> int:
        standing = tuple(told.event for told in self.ledger.told if told.event.n == turn.number)
        drawn = ev.Draw(seat=turn.seat, tile=None, end=end, by="camera")
        self._doubt_draw(turn, f"seat {turn.seat} took a tile too many from the wall", turn.number, standing)
        self._correct(turn.number, (drawn, *(replace(e, n=0) for e in standing)), ())
        self._undo.setdefault(turn.seat, []).append((turn.number, standing))
        return 1

    def _drew_less(self, turn: Turn, end: str) -> int:
        """Of the draws told of before a discard one was not made: of a player passed over, who then did not discard either,
        or the discarder's own."""
        before = self._before(turn.number)
        draws = [e for e in before if isinstance(e, ev.Draw) and e.end == end]
        passed = [e for e in before if isinstance(e, ev.Discard) and e.n in self._skipped.get(e.seat, ())]
        theirs = [e for e in draws if passed and e.seat == passed[-1].seat]
        if theirs:
            self._skipped[passed[-1].seat].remove(passed[-1].n)
            self._doubt_draw(turn, f"seat {turn.seat} discarded out of turn", turn.number, None)
            self._correct(passed[-1].n, (), ())
            self._correct(theirs[-1].n, (), ())
            return -1
        own = [e for e in draws if e.seat == turn.seat]
        if not own:
            return 0
        self._doubt_draw(turn, f"seat {turn.seat} discarded without having drawn", turn.number, None)
        self._correct(own[-1].n, (), ())
        self._undo.setdefault(turn.seat, []).append((own[-1].n, (own[-1],)))
        return -1

    def _before(self, number: int) -> list[ev.Event]:
        """The events before a discard, back to the last one that was seen, each with a number of its own."""
        hand = len(self.ledger.game.hands) - 1
        out: list[ev.Event] = []
        for told in reversed(self.ledger.told):
            event = told.event
            if told.hand != hand or event.n >= number:
                continue
            if isinstance(event, ev.Discard) and event.n not in self._skipped.get(event.seat, ()):
                break
            out.append(event)
        numbers = [e.n for e in out]
        return [e for e in reversed(out) if numbers.count(e.n) == 1]

    def _doubt_draw(self, turn: Turn, what: str, about: int, standing: Sequence[ev.Event] | None) -> None:
        """Ask. The answer no puts back the events that stood before."""
        before = None if standing is None else tuple(replace(e, n=0) for e in standing)
        self._ask(Question(what + SO, ("yes", "no"), self._now, about, (), (None, before)))

    def _presumed(self, state: State, seat: int) -> State:
        """The table as it is if a player's hand is neither long nor short, where that is no more than a doubt."""
        player = state.seats[seat]
        if self._undo.get(seat) and set(player.dead) <= LENGTHS:
            return with_seat(state, seat, update(player, dead=(), off=None))
        return state

    def _acquit(self, seat: int) -> None:
        """A player has as many tiles as he should have: what was told of his draws was as told at first."""
        for number, events in self._undo.pop(seat, []):
            self._correct(number, tuple(replace(e, n=0) for e in events), ())


def first_step(differ: Sequence[Ends]) -> Ends:
    """By how much more was drawn from each end at the first of some turns, given what more was drawn than told until each: what
    all of them have in common. Another fault soon after may hide that at one end: then it shows in the sum of both, or in the
    other end."""
    first = differ[0]
    steps = _lasting([head for head, _ in differ]), _lasting([tail for _, tail in differ])
    both = _lasting([head + tail for head, tail in differ])
    if both and sum(steps) != both and first in UNITS and sum(first) == both:
        return first
    if first == WRONG_END and steps[0] == WRONG_END[0]:
        return first
    return steps


def _lasting(differ: Sequence[int]) -> int:
    """By how much all of some numbers lie above zero, or below it."""
    if all(d > 0 for d in differ):
        return min(differ)
    return max(differ) if all(d < 0 for d in differ) else 0


def _seen_late(differ: Sequence[Ends]) -> bool:
    """Whether it shows in how many tiles fewer were drawn from the head than told until some turns that draws were seen late:
    one that was not made is missing alike at each of them."""
    return len({head for head, _ in differ}) > 1
