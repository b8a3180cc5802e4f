"""From settled changes on the table to events: what must have happened for this to lie there now.

Each look brings a scene; what is new in it (a discard, a set in the corner, a hand laid open) is explained by the shortest run
of events from the state at hand, draws that nobody sees included. What fits the turn is committed; what does not is
committed as the likelier of a miss and a foul, and asked about. Nothing is decided about a seat's side while something
moves there. What stays unexplained is a lost thread: it is said, and ``recount`` takes the table as it lies.
"""

import math
from collections.abc import Container, Iterable, Sequence
from dataclasses import replace

from referee.rules import tiles as t
from referee.table import events as ev
from referee.table.moves import over
from referee.table.state import State
from vision.absence import Absence
from vision.showdown import Showdown
from vision.story import AGAIN, LIKELY, LOST, NEARLY, SHARP, STALE, Happening, Question, Quiet
from vision.track import Track
from vision.zones import Row, Scene, Spot

SURE = 0.90  # a face below this corrects nothing that was written
ENDS = 20.0  # seconds without anything happening after the last tile of the wall, after which the hand is drawn
PLAUSIBLE = 2  # tiles by which a hand may be long or short and the count still be believed: by more, a set was overlooked
CLEARED = 0.15  # of the tiles accounted for: fewer left means that the table was cleared
SWEPT = 6  # tiles gone within
SWEEPING = 6.0  # seconds that are no play: the table is being cleared, or is not seen as it was;
MOST_GONE = 0.5  # so much of what lay there too, however long ago
LASTING = 6.0  # seconds for which it is known who moved
SAME_PLACE = 0.8  # of a tile's width: a tile of the same face found again this near is the same tile,
SAME_TRACE = 0.5  # this near one that is read otherwise now, for no other can have come to lie there
TWICE = 0.75  # of a tile's width: nearer than this no two tiles lie


class Follower(Absence, Showdown):
    """Follows one table: see ``Story`` for what it is made with."""

    def enter(self, event: ev.Event, now: float) -> list[Happening]:
        """An event from elsewhere: a person's word, the table's line."""
        self._happened, self._now = [], now
        self._record(replace(event, t=round(now, 3)), ())
        return self._happened

    def recount(self, scene: Scene) -> None:
        """The way back into a lost thread: what lies on the table and is not explained is taken as it lies, and
        what is told of but lies there no more is looked for no longer."""
        for spot in self._fresh(scene.spots):
            if spot.zone == "river":
                self.accounts.river[spot.track.id] = (spot.seat, 0)
            elif spot.zone == "bonus":
                self.accounts.bonus[spot.track.id] = spot.seat
            elif spot.zone == "open":
                self.accounts.melds[spot.track.id] = spot.seat
        for track_id in self.accounts.all() - scene.by_id().keys():
            self.accounts.forget(track_id)
        self._waiting.clear()
        self.lost = False

    def stirred(self, now: float, quiet: Quiet) -> None:
        """Notes on whose side something moves: whoever discards moves on his own. To be told of every picture."""
        self._stirs = [stir for stir in self._stirs if now - stir[0] < LASTING]
        self._stirs += [(now, seat) for seat in range(self.state.players) if not quiet(seat)]

    def glimpsed(self, tracks: Iterable[Track], now: float) -> None:
        """Tiles that were seen but gone again before they could be believed: a discard that was claimed at once."""
        self._fleeting = [(at, track) for at, track in self._fleeting if now - at < 6.0]
        self._fleeting += [(now, track) for track in tracks]

    def _glimpse_gone(self, scene: Scene, present: dict[int, Spot]) -> None:
        """Discards that were read with doubt and are gone again before they were believed."""
        gone = [spot.track for i, spot in self._young.items() if i not in present and i not in self.accounts.all()]
        self._fleeting += [(self._now, track) for track in gone]
        self._young = {s.track.id: s for s in self._forming(scene.at("river"))}

    @property
    def waiting(self) -> bool:
        """Whether something new lies there that nothing explains yet: it is told as soon as it has lain long enough."""
        return self._now < self._waits_until

    def observe(self, scene: Scene, now: float, quiet: Quiet) -> list[Happening]:
        """Explain what is new in the scene. ``quiet(seat)``: nothing moves on that seat's side."""
        self._happened, self._now = [], now
        present = scene.by_id()
        if self._resuming and not self._resumed(scene):
            return self._happened
        self._found_again(scene, present)
        self._glimpse_gone(scene, present)
        if self._cleared(present):
            self._next_hand()
        if self.state.phase == "deal":
            self._see_deal(scene, quiet)
        if self._won_at is not None:
            self._after_win(scene, quiet)
        elif self.state.phase not in ("deal", "over") and self._why_over() != "false_win":  # then tiles are only pushed together
            if self._swept(present):
                self._wait(scene)
            else:
                self._play(scene, present, quiet)
        self.wanted = self._to_see_again(scene, present) | self._read_with_doubt(scene)
        new = [*(s.track.born for s in self._new(scene.spots)), *self._lying.values()]
        self._waits_until = max(new, default=-math.inf) + STALE
        return self._happened

    def _play(self, scene: Scene, present: dict[int, Spot], quiet: Quiet) -> None:
        self._watch_walls(scene)
        self._see_indicator(scene)
        for _ in range(0 if self._catch_up(scene, present, quiet) else 16):
            if not self._explain_one(scene, present, quiet) or self._won_at is not None:
                break
        self._wait(scene)
        if self._won_at is None:
            if not self._fresh(scene.at("river")):
                self._count(scene, quiet)
            self._see_the_end(scene)

    def _explain_one(self, scene: Scene, present: dict[int, Spot], quiet: Quiet) -> bool:
        """Explain one new thing, the surest explanations first; False where there is nothing (more) to explain."""
        looks = (
            self._see_bonus, self._see_melds, self._see_open_hands, self._see_wins_of_open_hands, self._see_unseen_discards,
            self._see_discards,
        )  # fmt: skip
        return any(look(scene, present, quiet) for look in looks)

    def _found_again(self, scene: Scene, present: dict[int, Spot]) -> None:
        """Tiles that were lost for a while and lie where they lay are the same tiles."""
        accounts = self.accounts
        accounts.doubles = set()
        missing = {i: at for i, at in accounts.places.items() if i not in present}
        off = [s for s in scene.at("off") if s.track.facing == "up" and s.track.id not in accounts.melds]
        for spot in [*self._fresh(scene.spots), *off] if missing else ():
            of_sets = {i: place for i, place in missing.items() if i in accounts.melds}
            old = self._same_tile(spot.track, of_sets if spot in off else missing)
            if old is None and spot not in off and self._laid_anew(spot, missing):
                old = self._last_discard
            if old is not None:
                self._relink(old, spot)
                del missing[old]
        lying = [present[i] for i in accounts.all() if i in present]
        for spot in sorted(self._fresh(scene.spots), key=lambda s: s.track.id):
            if _seen_twice(spot, lying):
                accounts.doubles.add(spot.track.id)
            else:
                lying.append(spot)
        for track_id in accounts.all() - accounts.doubles:
            if track_id in present:
                track = present[track_id].track
                accounts.places[track_id] = track.x, track.y, track.tile

    def _same_tile(self, track: Track, missing: dict[int, tuple[float, float, str]]) -> int | None:
        """Which of the tiles missing a track is: the nearest with such a face; one of another face only where it lay
        exactly there and was not on offer, so that nobody took it."""
        near = sorted((math.hypot(track.x - x, track.y - y), i, face) for i, (x, y, face) in missing.items())
        for distance, i, face in near:
            likely = face == track.tile or track.probabilities.get(face, 0.0) > LIKELY
            if distance < SAME_PLACE * self.width and likely:
                return i
            if distance < SAME_TRACE * self.width and i != self._last_discard:
                return i
        return None

    def _laid_anew(self, spot: Spot, missing: Container[int]) -> bool:
        """The discard on offer, put down and then pushed into its row: its player throws no other before his next turn."""
        offer = self.state.offer
        if not self.rows or offer is None or offer.tile is None or self._last_discard not in missing:
            return False
        return spot.zone == "river" and (spot.seat, spot.face) == (offer.seat, t.NAMES[offer.tile])

    def _resumed(self, scene: Scene) -> bool:
        """After a break the tiles that the log tells of are found where they lie; what is left over is new."""
        expected = [(zone, seat, tile) for zone, seat, tile in _lying(self.state)]
        found: dict[int, tuple[str, int]] = {}
        for zone, seat, tile in expected:
            own = zone != "river" or self.rows
            spots = scene.at(zone, seat if own else None)
            spot = next((s for s in spots if s.track.id not in found and s.face == t.NAMES[tile]), None)
            if spot is not None:
                found[spot.track.id] = zone, seat
                if zone == "river" and self.state.offer is not None and self.state.offer.tile == tile:
                    self._last_discard = spot.track.id
        if len(found) < 0.8 * len(expected) and self._now - self._latest < LOST:
            return False
        for track_id, (zone, seat) in found.items():
            if zone == "river":
                self.accounts.river[track_id] = seat, 0
            else:
                (self.accounts.melds if zone == "open" else self.accounts.bonus)[track_id] = seat
        self._resuming = False
        return True

    def _relink(self, old: int, spot: Spot) -> None:
        if old in self.accounts.melds and old in self.accounts.places:
            spot.track.home = self.accounts.places[old][:2]  # on top of a tile of its set another seems to lie elsewhere
        self.accounts.moved(old, spot.track.id)
        self.accounts.places[spot.track.id] = spot.track.x, spot.track.y, spot.track.tile
        if self._last_discard == old:
            self._last_discard = spot.track.id

    def _wait(self, scene: Scene) -> None:
        """What could not be explained yet, and for how long."""
        fresh = {s.track.id for s in self._fresh(scene.spots)}
        self._lying = {i: self._lying.get(i, self._now) for i in self._face_down(scene)}
        self._waiting = {i: self._waiting.get(i, self._now) for i in fresh}
        since = min(self._waiting.values(), default=self._now)
        if self._now - since > LOST and not self.lost:
            self.lost = True
            tracks = tuple(i for i, at in self._waiting.items() if self._now - at > LOST)
            tiles = " ".join(s.face for s in scene.spots if s.track.id in tracks)
            text = f"the thread is lost: nobody's move explains {tiles}"
            self._ask(Question(text, ("recount", "add the missed events"), self._now, tracks=tracks))

    def finish(self, now: float) -> list[Happening]:
        """The source ends: close a hand that is won or has used up the wall."""
        self._happened, self._now = [], now
        self._read_half_open()
        if self.state.phase == "play" and (why := self._why_over()):
            self._end(why)
        return self._happened

    def _why_over(self) -> str | None:
        if self._won_at is not None or any(win.legal for win in self.state.wins):
            return "win"
        if self.state.wins and self.state.ritual.false_win.ends:
            return "false_win"
        last = self.state.in_last or over(self.state)
        return "exhausted" if last and not self.state.seats[self.state.turn].extra else None

    def _see_the_end(self, scene: Scene) -> None:
        """The wall is used up and nothing more happens."""
        if self._now - self._latest > ENDS and not self._waiting and self._why_over() == "exhausted":
            self._end("exhausted")

    def _read_with_doubt(self, scene: Scene) -> set[int]:
        """Discards that may be read better now than when the hand that laid them was near."""
        new = (s.track for s in self._new(scene.at("river")) if not s.placed and s.confidence < SHARP)
        return {track.id for track in new if AGAIN / 2 <= self._now - track.born < STALE}

    def _swept(self, present: dict[int, Spot]) -> bool:
        """Whether many tiles that lay on the table are gone at once: they are being pushed together, and what comes to light
        meanwhile was thrown by nobody. Play takes no more than the discard, one that is not seen for a while counts once."""
        known = self.accounts.all()
        gone = (i for i in known if i not in present or present[i].track.missed)
        self._gone = {i: self._gone.get(i, self._now) for i in gone}
        lately = sum(self._now - at < SWEEPING for at in self._gone.values())
        return lately >= SWEPT or len(self._gone) >= max(SWEPT, MOST_GONE * len(known))

    def _cleared(self, present: dict[int, Spot]) -> bool:
        """Whether what lay on the table has been swept away for the next hand."""
        known = self.accounts.all()
        if len(known) < 5 or sum(i in present for i in known) > CLEARED * len(known):
            return False
        # In the dark, or when the camera was moved, the same is missing: then no walls stand, or faces lie about.
        faces = sum(s.zone in ("river", "open", "bonus") for s in present.values())
        return faces <= CLEARED * len(known) and len(present) - faces >= self.state.size

    def _next_hand(self) -> None:
        """The table has been cleared: the hand is over, the next begins."""
        self._read_half_open()
        if self.state.phase != "over":
            left = self.state.left if self.in_walls is None else min(self.state.left, self.in_walls)
            why = self._why_over() or ("exhausted" if left <= self.state.reserve + NEARLY else None)
            self._end(why or "stopped")
            if why is None:
                choices = ("it was stopped", "the wall was used up")
                number = self.ledger.told[-1].event.n
                answers = (None, (ev.End(why="exhausted"),))
                self._ask(Question("the table was cleared before the hand had ended", choices, self._now, number, (), answers))
        happened = self._happened
        self._clear()
        self._happened = happened
        self._commit(ev.Start())

    def _count(self, scene: Scene, quiet: Quiet) -> None:
        """Standing tiles counted over several settled looks: an odd number becomes a ``count`` event."""
        state = self.state
        if state.phase != "play" or state.in_last:  # of the last tiles everybody draws one and discards none
            return
        for seat, player in enumerate(state.seats):
            shown = any(s.track.id in self.accounts.open for s in scene.at("open", seat))
            if not quiet(seat) or shown or self._fresh(scene.at("open", seat)) or player.owed:
                continue
            if state.turn == seat and not player.extra:
                self.counts.seen(seat, self.standing(scene, seat).likely)
                continue  # he may have drawn or not
            row = self.standing(scene, seat)
            off = _difference(row, player.held)
            if off is not None and abs(off) > PLAUSIBLE:
                continue  # the reader's error, not the player's
            stage = len(player.discards), len(player.melds), len(player.bonus)
            certain = self.counts.look(seat, row.likely, off, stage, self._now)
            if certain is not None and not self.walls_tell:
                counted = self._commit(ev.Count(seat=seat, tiles=player.held + certain))
                self._undo.setdefault(seat, []).append((counted.n, ()))
                self.counts.settled(seat)

    def renamed(self, tracks: Sequence[Track], now: float) -> list[Happening]:
        """Faces read anew after their events were recorded: each becomes a correction of its event."""
        self._happened, self._now = [], now
        for track in tracks:
            seat, number = self.accounts.river.get(track.id, (0, 0))
            if number and track.confidence >= SURE and track.facing == "up":
                fixed = ev.Discard(seat=seat, tile=t.parse_one(track.tile), by="camera")
                self._correct(number, (fixed,), [track.id])
        return self._happened


def _seen_twice(spot: Spot, lying: Iterable[Spot]) -> bool:
    """Whether a tile is seen where one like it lies, nearer than any other could: a blank one, say, that is told by its face for
    once, or one that was found a little apart as well. What is told by its place alone is none where any lies."""
    reach = TWICE * spot.track.width
    near = (s for s in lying if math.hypot(s.track.x - spot.track.x, s.track.y - spot.track.y) < reach)
    return any(s.face == spot.face or spot.placed for s in near)


def _difference(row: Row, held: int) -> int | None:
    """By how many tiles a row differs from what a player should hold; None where it cannot be told."""
    if row.surely > held or row.likely < held:
        return (row.surely if row.surely > held else row.likely) - held
    return 0 if row.surely == held else None


def _lying(state: State) -> list[tuple[str, int, int]]:
    """The tiles that lie open by the game's account: zone, seat, tile; the latest discard last."""
    out = [("open", seat, tile) for seat, side in enumerate(state.seats) for meld in side.melds for tile in meld.tiles]
    out += [("bonus", seat, tile) for seat, side in enumerate(state.seats) for tile in side.bonus]
    river = [(k.n, seat, k.tile) for seat, side in enumerate(state.seats) for k in side.discards if not k.taken]
    return out + [("river", seat, tile) for _, seat, tile in sorted(river) if tile is not None]


__all__ = ["Follower", "Happening", "Question"]
