"""Declared sets: claims, kongs, and claims of discards that nobody saw lie or that were read as something else."""

import itertools
import math
from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import replace

from referee.rules import tiles as t
from referee.table import events as ev
from referee.table.faults import in_view, is_run
from vision.story import OUT_OF_TURN, PATIENCE, PLAIN, STEADY, Question, Quiet, Story
from vision.track import MOST_OF_IT, WHITE
from vision.zones import HARDLY, NEXT, Scene, Spot, blocks, is_sideways

RAISED = 0.12  # of a tile's width: a tile that has come this much further out than its neighbours lies on top of another
ODD = 0.005  # chance from which an odd tile in a set is taken for a misread one: of two hundred sets hardly one is none,
NO_FOUL = 0.1  # times as likely as the odd tile it is taken for misread without asking,
NO_SET = 0.002  # and from which tiles without the one on offer are taken for a set with it
HIDDEN = 1 / 34  # chance of any kind for a tile of a set that is seen only in part
LAID = 0.2  # seconds a set lies with the discard on offer in it and nothing about it is in doubt
BESIDE_HAND = 2.6  # of a tile's width: a standing tile nearer to a set than this is one of a row with it, one between them missed
HALF_SEEN = 1.2  # seconds two tiles lie with the discard lifted before they are taken for a set of which one is not seen
A_PUNG, A_KONG = 3, 4  # tiles
A_KONG_APART = 0.5  # widths by which the outer tiles of a kong may be more or less than three apart
CLAIMS = {"chow": ev.Chow, "pung": ev.Pung, "kong": ev.Kong}
UNSEEN = 2  # tiles of a hand that may be missed beside a kong
LATER = 2.0  # seconds in which a fourth tile makes a kong of a pung just claimed


class Sets(Story):
    """Tiles new in a corner."""

    def _see_melds(self, scene: Scene, present: dict[int, Spot], quiet: Quiet) -> bool:
        """Sets made with the tile on offer, and kongs of the player in turn."""
        for step in range(self.state.players):
            seat = (self.state.turn + step) % self.state.players
            self._seen_of_set(seat, scene)
            fresh = self._fresh(scene.at("open", seat))
            fresh = self._three_blanks(seat, fresh, scene) or fresh + self._blank_set(seat, scene)
            still = quiet(seat)
            if self._added_kong(seat, fresh, scene, still) or self._concealed_kong(seat, fresh, scene, still):
                return True
            for block in self._set_blocks(fresh):
                lying = still or self._waited(block) >= PATIENCE or self._plainly_claimed(seat, block, present)
                if lying and len(block) in (3, 4) and self._claim(seat, block, present):
                    return True
            thrown = self._fresh(scene.at("river", seat if self.rows else None))  # whoever took the discard throws the next
            done = still or bool(thrown)
            if done and not self._forming(scene.at("open", seat)) and self._claim_half_seen(seat, fresh, present):
                return True
        return False

    def _claim_half_seen(self, seat: int, fresh: list[Spot], present: dict[int, Spot]) -> bool:
        """A set made with the discard, which has been lifted, of which only two tiles are seen: asked about where the third
        may be several."""
        offer, offered = self.state.offer, self._offered(seat)
        if len(fresh) != 2 or offer is None or offered is None or self._hand_size(seat) < 4:
            return False
        if not self._lifted(present) or self._waited(fresh) < HALF_SEEN:
            return False
        shown = [t.parse_one(s.face) for s in fresh]
        sets = [tiles for tiles in self._sets_with(offered, 3) if not Counter(shown) - Counter(tiles)]
        left = self.state.next_seat(offer.seat) == seat
        events = [
            (ev.Pung if self._set_kind(tiles) == "pung" else ev.Chow)(seat=seat, tiles=tiles, claimed=offered, source=offer.seat)
            for tiles in sets if left or self._set_kind(tiles) == "pung"
        ]  # fmt: skip
        events = [event for event in events if not self._foul(event)]
        if not events:
            return False
        self._before_claim = (offer.n, self._ids(fresh))
        written = self._commit_meld(events[0], seat, fresh, present, 0.5)
        if len(events) > 1:
            names = tuple(t.write(event.tiles or ()) for event in events)
            text = f"seat {seat} claimed {t.NAMES[offered]}, but one tile of the set is not seen: which set is it?"
            answers = (None, *((event,) for event in events[1:]))
            self._ask(Question(text, names, self._now, written.n, self._ids(fresh), answers))
        return True

    def _plainly_claimed(self, seat: int, block: list[Spot], present: dict[int, Spot]) -> bool:
        """Whether a set lies whole with the discard that has been lifted, though its player still moves: he may have to give
        it back to one whose claim goes before."""
        tiles = tuple(sorted(t.parse_one(s.face) for s in block))
        sure = self._lifted(present) and self._offered(seat) in tiles and min(s.confidence for s in block) >= PLAIN
        return sure and self._set_kind(tiles) is not None and self._waited(block) >= LAID

    def _blank_set(self, seat: int, scene: Scene) -> list[Spot]:
        """Blank tiles that have come to lie before a player since a white dragon was discarded, and what lies beside one, or next
        but one, and looks like a back."""
        if self._offered(seat) != t.parse_one(WHITE):
            return []
        backs = [s for s in self._loose_backs(seat, scene) if s.track.born > self._offered_at]
        blank = [s for s in backs if s.track.blank]
        beside = [s for s in backs if any(self._apart(s, b) < 2 * NEXT for b in blank)]
        return [replace(s, zone="open", read=WHITE) for s in beside]

    def _three_blanks(self, seat: int, fresh: list[Spot], scene: Scene) -> list[Spot]:
        """Three blank tiles that have lain by themselves for a while before a player whose turn it is not: a set of white
        dragons, though they look like backs, for nobody lays three of those."""
        white = t.parse_one(WHITE)
        room = self.state.rules.tiles[white] - in_view(self.state, white) + (self._offered(seat) == white)
        if seat == self.state.turn or room < A_PUNG or any(s.face != WHITE for s in fresh):
            return []
        for block in blocks([*fresh, *self._loose_backs(seat, scene)], self.width):
            lain = self._now - max(s.track.born for s in block)
            shown = any(s.track.facing == "up" for s in block)
            if len(block) == A_PUNG and lain >= STEADY and (shown or self._by_itself(block, seat, scene)):
                return [s if s.face == WHITE else replace(s, zone="open", read=WHITE) for s in block]
        return []

    def _set_blocks(self, fresh: list[Spot]) -> list[list[Spot]]:
        return blocks(fresh, self.width) if 2 <= len(fresh) <= 4 else []

    def _added_kong(self, seat: int, fresh: list[Spot], scene: Scene, still: bool) -> bool:
        """A fourth tile beside an own pung, once its player is ``still``, for it may be of a set that is being laid; or on top
        of one of its tiles (which then seems to lie further out)."""
        for meld in self.state.seats[seat].melds:
            if meld.kind != "pung" or len(set(meld.tiles)) != 1:
                continue
            off = [s for s in scene.at("off", seat) if s.track.id in self.accounts.melds]  # raised, it seems beyond the edge
            like = [s for s in [*scene.at("open", seat), *off] if t.parse_one(s.face) == meld.tiles[0]]
            beside = [s for s in fresh if s in like] if len(fresh) == 1 and still else []
            raised = self._raised(seat, like) if len(like) == 3 and not fresh else []
            if beside and any(s is not beside[0] and self._apart(s, beside[0]) < 0.75 for s in like):
                continue  # seen twice
            if not (beside and len(like) == 4) and not raised:
                continue
            if beside and self._was_kong(seat, meld.tiles, like):
                return True
            if self.state.turn != seat or in_view(self.state, meld.tiles[0]) > 3:
                continue
            self._draw_before(seat)
            for spot in like:
                self.accounts.melds[spot.track.id] = seat
                spot.track.home = spot.track.x, spot.track.y
            shown = [s.track.id for s in raised or beside]
            self._commit(ev.AddedKong(seat=seat, tiles=meld.tiles + meld.tiles[:1]), shown)
            return True
        return False

    def _apart(self, a: Spot, b: Spot) -> float:
        """How far two tiles lie apart, in tile widths."""
        return math.hypot(a.x - b.x, a.y - b.y) / self.width

    def _raised(self, seat: int, like: list[Spot]) -> list[Spot]:
        """The tile of a pung that has come out further than the others of it."""
        mine = [s for s in like if self.accounts.melds.get(s.track.id) == seat]
        if len(mine) != 3:
            return []
        outward = sorted(mine, key=lambda s: s.track.outward)
        rest = (outward[0].track.outward + outward[1].track.outward) / 2
        return outward[2:] if outward[2].track.outward - rest > RAISED * self.width else []

    def _was_kong(self, seat: int, tiles: tuple[int, ...], like: list[Spot]) -> bool:
        """The fourth tile of a claimed kong was seen after the other three."""
        last = self.ledger.told[-1].event
        if not isinstance(last, ev.Pung) or last.seat != seat or self._now - (last.t or 0.0) > LATER:
            return False
        for spot in like:
            self.accounts.melds[spot.track.id] = seat
        kong = ev.Kong(seat=seat, tiles=(*tiles, tiles[0]), claimed=last.claimed, source=last.source, by="camera")
        self._correct(last.n, (kong,), [s.track.id for s in like])
        return True

    def _concealed_kong(self, seat: int, fresh: list[Spot], scene: Scene, still: bool) -> bool:
        """Four tiles side by side in the meld corner of the player in turn, as many face down as the custom has it. Where
        no face shows, nobody knows the tiles."""
        down = sum(self.state.ritual.customs.closed_kong)
        if self.state.turn != seat or not down:
            return False
        backs = self._loose_backs(seat, scene)
        for block in [*blocks([*fresh, *backs], self.width), *self._gappy(fresh, backs)]:
            up = _faces_of_kong(block, self.state.ritual.customs.closed_kong, MOST_OF_IT * self.width**2)
            if up is None:
                continue
            lain = self._waited(block)
            whole = len(block) == len(self.state.ritual.customs.closed_kong)
            if lain < STEADY and not (up and whole and still):
                continue
            if not up and not self._by_itself(block, seat, scene):
                continue
            self._draw_before(seat)
            for spot in block:
                self.accounts.melds[spot.track.id] = seat
            tiles = (t.parse_one(up[0].face),) * 4 if up else None
            self._commit(ev.ConcealedKong(seat=seat, tiles=tiles), self._ids(block))
            return True
        return False

    def _seen_of_set(self, seat: int, scene: Scene) -> None:
        """A tile of a known set that was not seen at first comes to light beside another of it."""
        melds = [[t.NAMES[tile] for tile in meld.tiles if tile is not None] for meld in self.state.seats[seat].melds]
        for spot in self._fresh(scene.at("open", seat)):
            known = [s for s in scene.at("open", seat) if s.track.id in self.accounts.melds]
            beside = {s.face for s in known if self._apart(s, spot) < NEXT}
            missing = sum(meld.count(spot.face) for meld in melds) > sum(s.face == spot.face for s in known)
            sets = [meld for meld in melds if spot.face in meld and beside & set(meld)]
            if any(missing or len(meld) == A_KONG for meld in sets):
                self.accounts.melds[spot.track.id] = seat

    def _loose_backs(self, seat: int, scene: Scene) -> list[Spot]:
        """Tiles face down before a player that belong to no set yet."""
        return [s for s in scene.at("hand", seat) if s.track.id not in self.accounts.melds and s.track.facing == "down"]

    def _gappy(self, fresh: list[Spot], backs: list[Spot]) -> list[list[Spot]]:
        """Three tiles, faces among them, of which the middle two are two widths apart: one between them is not seen."""
        row = sorted([*fresh, *backs], key=lambda s: s.x)
        threes = [row[k : k + 3] for k in range(len(row) - 2)]
        wide = [(three, (three[2].x - three[0].x) / self.width) for three in threes]
        return [three for three, apart in wide if abs(apart - 3) < A_KONG_APART and any(s in fresh for s in three)]

    def _by_itself(self, block: list[Spot], seat: int, scene: Scene) -> bool:
        """Whether tiles face down are no part of the standing hand, of which backs may be seen as well: all of it stands to
        their left, none beside them, and it is about as much as a kong leaves."""
        mine = {s.track.id for s in block} | self.accounts.melds.keys()
        reach = BESIDE_HAND * self.width
        hand = [s for s in scene.at("hand", seat) if s.track.id not in mine and s.track.sure >= HARDLY]
        if any(s.x > block[0].x - reach for s in hand):
            return False
        return scene.standing(seat, self.width, mine).likely >= max(1, self._hand_size(seat) - 3 - UNSEEN)

    def _claim(self, seat: int, block: list[Spot], present: dict[int, Spot]) -> bool:
        """A set made with the discard on offer, or a kong shown whole in the own turn."""
        offered = self._offered(seat)
        tiles, doubt = self._read_set(block, offered)
        kind = self._set_kind(tiles)
        if kind == "kong" and self.state.turn == seat and offered not in tiles:
            self._draw_before(seat)
            self._commit_meld(ev.ConcealedKong(seat=seat, tiles=tiles), seat, block, present)
            return True
        offer = self.state.offer
        if offer is None or offered is None or offered not in tiles:
            return False
        if self._last_discard in present and self._waited(block) < OUT_OF_TURN:
            return False
        thrown_since = any(s.zone == "river" for s in self._fresh(list(present.values())))
        if kind is None and self._waited(block) < OUT_OF_TURN and not thrown_since:
            return False
        if self._made_of_another(seat, block, present):
            return False  # what is on offer lies there yet: it was made of a discard that nobody saw
        make = CLAIMS[kind or ("pung" if len(set(tiles)) < 3 else "chow")]
        event = make(seat=seat, tiles=tiles, claimed=offered, source=offer.seat)
        self._before_claim = (offer.n, tuple(s.track.id for s in block))
        written = self._commit_meld(event, seat, block, present)
        if doubt:
            raw = tuple(sorted(t.parse_one(s.face) for s in block))
            text = f"seat {seat} claimed {t.write(tiles)}, but it looks like {t.write(raw)}"
            answers = (None, (replace(event, tiles=raw),))
            self._ask(Question(text, (t.write(tiles), t.write(raw)), self._now, written.n, self._ids(block), answers))
        return True

    def _made_of_another(self, seat: int, block: list[Spot], present: dict[int, Spot]) -> bool:
        """Whether the tile on offer has lain there for long since a set that may not be made with it has come to lie."""
        offer = self.state.offer
        if offer is None or self._last_discard not in present:
            return False
        if self._lies_yet(block, present):
            return True
        if self._waited(block) < OUT_OF_TURN:
            return False
        return len({s.face for s in block}) > 1 and self.state.next_seat(offer.seat) != seat

    def _read_set(self, block: list[Spot], offered: int | None) -> tuple[tuple[int, ...], bool]:
        """The tiles of a set, and whether that is doubtful: where the likeliest faces are no set, the set with the tile on
        offer that they may well be; hardly anybody lays what is no set."""
        raw = tuple(sorted(t.parse_one(s.face) for s in block))
        if self._set_kind(raw) is not None or offered is None:
            return raw, False
        whole = MOST_OF_IT * self.width**2
        best, likely, plainest = raw, ODD if offered in raw else NO_SET, _chance(block, raw, whole)
        for tiles in self._sets_with(offered, len(block)):
            chance = _chance(block, tiles, whole)
            if chance > likely:
                best, likely = tiles, chance
        return best, best != raw and likely < NO_FOUL * plainest

    def _sets_with(self, tile: int, length: int) -> list[tuple[int, ...]]:
        sets: list[tuple[int, ...]] = [(tile,) * length]
        if length == 3 and tile < 27:
            sets += [(a, a + 1, a + 2) for a in range(tile - 2, tile + 1) if a >= 0 and a // 9 == (a + 2) // 9 == tile // 9]
        return sets

    def _set_kind(self, tiles: tuple[int, ...]) -> str | None:
        faces = [self.state.face(tile) for tile in tiles]
        if len(set(faces)) == 1 or (len(set(tiles)) == 1):
            return "pung" if len(tiles) == 3 else "kong"
        return "chow" if len(tiles) == 3 and is_run(self.state, sorted(faces)) else None

    def _commit_meld(
        self, event: ev.Event, seat: int, block: list[Spot], present: Container[int], at_most: float = 1.0
    ) -> ev.Event:  # fmt: skip
        """The tile on offer is gone with the set; where it still seems to lie, because nobody could look there since, it is no
        new one."""
        for spot in block:
            self.accounts.melds[spot.track.id] = seat
        if self._last_discard is not None:
            thrower, _ = self.accounts.river.pop(self._last_discard, (seat, 0))
            self.accounts.places.pop(self._last_discard, None)
            if self._last_discard in present:
                self.accounts.river[self._last_discard] = thrower, 0
        return self._commit(event, self._ids(block), min(at_most, *(s.confidence for s in block)))

    def _see_unseen_discards(self, scene: Scene, present: dict[int, Spot], quiet: Quiet) -> bool:
        """A set that nothing on offer explains: a discard was claimed before it was seen to lie."""
        for step in range(1, self.state.players):
            seat = (self.state.turn + step) % self.state.players
            fresh = self._fresh(scene.at("open", seat))
            fresh = self._three_blanks(seat, fresh, scene) or fresh
            for block in self._set_blocks(fresh):
                lain = self._waited(block) >= PATIENCE or self._lies_yet(block, present)
                if len(block) in (3, 4) and lain and self._claim_unseen(seat, block, present):
                    return True
                if self._most_of_a_pung(seat, block, scene, present):
                    self._put_down_unseen(seat, "pung", (t.parse_one(block[0].face),) * A_PUNG, block, present)
                    return True
        return False

    def _most_of_a_pung(self, seat: int, block: list[Spot], scene: Scene, present: dict[int, Spot]) -> bool:
        """Whether two tiles alike that have lain for a while before a player whose turn it is not are a pung of which one is not
        seen, made of a discard that nobody saw: nobody lays a pair by itself. With backs beside them they are a kong."""
        if len(block) != 2 or len({s.face for s in block}) > 1 or self._waited(block) < OUT_OF_TURN or self._lifted(present):
            return False
        tile, forming = t.parse_one(block[0].face), self._forming(scene.at("open", seat))
        if forming or self._hand_size(seat) < 4 or in_view(self.state, tile) + A_PUNG > self.state.rules.tiles[tile]:
            return False
        backs = self._loose_backs(seat, scene)
        return not any(self._apart(back, s) < 2 for back in backs for s in block)

    def _to_see_again(self, scene: Scene, present: dict[int, Spot]) -> set[int]:
        """The tile on offer, while a set has come to lie that it has not been seen since: if it lies there yet the set was made
        of another, if not it has gone with the set, and neither need be waited for."""
        offer = self._on_offer(present)
        sets = [block for seat in range(self.state.players) for block in self._set_blocks(self._fresh(scene.at("open", seat)))]
        waits = any(len(block) >= A_PUNG and not self._lies_yet(block, present) for block in sets)
        return {offer.track.id} if offer is not None and waits else set()

    def _on_offer(self, present: dict[int, Spot]) -> Spot | None:
        """The discard on offer, where it is believed to lie yet."""
        return None if self.state.offer is None or self._last_discard is None else present.get(self._last_discard)

    def _lies_yet(self, block: list[Spot], present: dict[int, Spot]) -> bool:
        """Whether the tile on offer has been seen to lie where it lay since a set, plainly read, has come to lie."""
        offer = self._on_offer(present)
        if offer is None or offer.track.missed or min(s.confidence for s in block) < PLAIN:
            return False
        return offer.track.seen > max(s.track.born for s in block)

    def _as_set(self, block: list[Spot]) -> list[Spot]:
        """A block that has lain for a while and is no set as it looks, read as the likeliest that it may well be."""
        if self._set_kind(tuple(t.parse_one(s.face) for s in block)) or self._waited(block) < OUT_OF_TURN:
            return block
        options = [[(p, name) for name, p in s.probabilities.items() if name in t.NAMES and p >= ODD] for s in block]
        readings = [
            (math.prod(p for p, _ in reading), [name for _, name in reading])
            for reading in itertools.product(*options)
            if self._set_kind(tuple(t.parse_one(name) for _, name in reading))
        ]
        chance, names = max(readings, default=(0.0, []))
        if chance < ODD:
            return block
        return [s if s.face == name else replace(s, read=name) for s, name in zip(block, names, strict=True)]

    def _claim_unseen(self, seat: int, block: list[Spot], present: dict[int, Spot]) -> bool:
        block = self._as_set(block)
        offered = self._offered(seat)
        tiles = tuple(sorted(t.parse_one(s.face) for s in block))
        kind = self._set_kind(tiles)
        if kind is not None and offered is not None and offered not in tiles and self._misread(seat, kind, block, present):
            return True
        if kind is None or (offered is not None and offered in tiles and not self._made_of_another(seat, block, present)):
            return False  # no set, or one that waits for its discard to be lifted
        discard, claim, taken = self._put_down_unseen(seat, kind, tiles, block, present)
        if len(taken) > 1:
            answers: list[tuple[ev.Event, ...] | None] = [None]
            for tile in taken[1:]:
                fixed = replace(discard, tile=tile, by="person"), replace(claim, claimed=tile, by="person")
                answers.append(tuple(replace(event, n=0) for event in fixed))
            names = tuple(t.NAMES[tile] for tile in taken)
            text = f"seat {seat} claimed a tile for {t.write(tiles)} before it was seen: which?"
            self._ask(Question(text, names, self._now, discard.n, self._ids(block), tuple(answers)))
        return True

    def _put_down_unseen(
        self, seat: int, kind: str, tiles: tuple[int, ...], block: list[Spot], present: dict[int, Spot]
    ) -> tuple[ev.Event, ev.Event, list[int]]:  # fmt: skip
        """Put down a set and the discard of the player in turn that nobody saw, and what that may have been."""
        giver, taken = self.state.turn, self._taken(block)
        self._draw_before(giver)
        self._last_discard = None
        discard = self._commit(ev.Discard(seat=giver, tile=taken[0]), self._ids(block), 0.8 if len(taken) == 1 else 0.5)
        make = CLAIMS[kind]
        claim = self._commit_meld(make(seat=seat, tiles=tiles, claimed=taken[0], source=giver), seat, block, present)
        self._before_claim = (discard.n, self._ids(block))
        return discard, claim, taken

    def _misread(self, seat: int, kind: str, block: list[Spot], present: dict[int, Spot]) -> bool:
        """The discard on offer has been taken, and the set made with it does not hold what it was read as: it was another."""
        offer = self.state.offer
        assert offer is not None
        mine = kind != "chow" or seat == self.state.next_seat(offer.seat)
        claimed = self._before_claim is not None and self._before_claim[0] == offer.n
        if not mine or claimed or not self._lifted(present) or seat == offer.seat:
            return False
        taken = max(self._taken(block), key=lambda tile: self._offered_as.get(t.NAMES[tile], 0.0))
        self._correct(offer.n, (ev.Discard(seat=offer.seat, tile=taken, by="camera"),), self._ids(block))
        return self._claim(seat, block, present)

    def _taken(self, block: list[Spot]) -> list[int]:
        """Which tile of a set was claimed, the likeliest first; one where it is known: all alike, the one turned aside, the
        one glimpsed before, the one that came to lie before the others."""
        tiles = sorted({t.parse_one(s.face) for s in block})
        if len(tiles) == 1:
            return tiles
        turned = [s for s in block if is_sideways(s)]
        if len(turned) == 1:
            return [t.parse_one(turned[0].face)]
        glimpsed = [t.parse_one(k.tile) for _, k in reversed(self._fleeting) if k.facing == "up" and k.tile in t.NAMES]
        seen = next((tile for tile in glimpsed if tile in tiles), None)
        if seen is not None:
            return [seen]
        first = sorted(block, key=lambda s: s.track.born)
        if first[0].track.born < first[1].track.born - 0.05:
            return [t.parse_one(first[0].face)]
        return [t.parse_one(s.face) for s in sorted(block, key=lambda s: s.x)]


def _faces_of_kong(block: Sequence[Spot], closed: Sequence[bool], most: float) -> list[Spot] | None:
    """The tiles of a concealed kong that show their faces, given which lie face down by custom, from either end; None where it
    is none. A back may be read as a white dragon, and one of four tiles not be seen; of which no more than ``most`` mm² are
    seen, it may be any where another is seen whole (two rows of three dots are part of a nine)."""
    first, last = block[0].x, block[-1].x
    whole, seen = len(closed), len(block)
    if seen == whole - 1 and all(closed) and all(s.track.facing == "down" for s in block):
        return []
    if not whole - 1 <= seen <= whole or (seen < whole and all(closed)):
        return None
    places = [round((s.x - first) / (last - first) * (whole - 1)) for s in block]
    for custom in (closed, closed[::-1]):
        up = [s for s, place in zip(block, places, strict=True) if not custom[place]]
        down = [s for s, place in zip(block, places, strict=True) if custom[place]]
        plain = [s for s in up if s.track.area > most] or up
        alike = len({s.face for s in plain}) <= 1 and all(s.track.facing == "up" for s in up)
        if alike and len(set(places)) == seen and all(s.track.facing == "down" or s.face == WHITE for s in down):
            return plain if down else None
    return None


def _chance(block: Sequence[Spot], tiles: tuple[int, ...], whole: float) -> float:
    """How likely it is that a block shows these tiles: the best way to give each its tile, greedily. A tile of which no more
    than ``whole`` mm² are seen, its neighbour leaning over it, may be any."""
    left, chance = list(block), 1.0
    for tile in tiles:
        shows = {s: s.probabilities.get(t.NAMES[tile], 0.0) + (HIDDEN if s.track.area <= whole else 0.0) for s in left}
        best = max(left, key=shows.__getitem__)
        chance *= shows[best]
        left.remove(best)
    return chance
