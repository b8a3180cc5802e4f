"""A second, slow and simple way from a log of known hands to its hand record, for legal games only.

Written from docs/formats/hand-record.md and event-log.md alone: it looks back through the list of events for every fact and
shares no code with ``referee.table.state`` or ``wins``.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from referee.rules import tiles as t
from referee.rules.ruleset import Ruleset
from referee.table import events as ev

OWN = (ev.Draw, ev.Discard, ev.Claim, ev.OwnKong, ev.Bonus)
KONG = (ev.Kong, ev.AddedKong, ev.ConcealedKong)


class Truth:
    def __init__(self, rules: Ruleset, events: list[ev.Event]) -> None:
        self.rules, self.ritual = rules, rules.ritual
        self.events = [e for i, e in enumerate(events) if not undone(events, i)]
        self.start = next(e for e in events if isinstance(e, ev.Start))
        self.indicator = None
        for event in events:
            if isinstance(event, ev.Indicator) and event.tile not in (rules.bonus if self.bonus_first else ()):
                self.indicator = event.tile
        self.wild = rules.wild.kinds(self.indicator) if rules.wild else frozenset()

    @property
    def bonus_first(self) -> bool:
        return self.ritual.indicator is not None and self.ritual.indicator.when == "after_bonus"

    @property
    def dealer(self) -> int:
        return self.start.dealer or 0

    def face(self, tile: int) -> int:
        white = self.rules.wild is not None and self.rules.wild.white == "always" and self.indicator is not None
        return self.indicator if tile == t.WHITE and white else tile

    # --- what lies where

    def record(self) -> dict[str, Any]:
        wins = [e for e in self.events if isinstance(e, ev.Win)]
        players = [self.player(at, wins) for at in range(self.rules.players)]
        out = {
            "rules": self.rules.id, "options": dict(self.start.options or {}), "dealer": self.dealer,
            "repeat": self.start.repeat or 0, "round_wind": t.NAMES[self.start.round_wind or t.EAST],
            "draw_streak": self.start.draw_streak or 0, "players": players, "wall_left": self.left(len(self.events)),
            "wins": [self.win(e) for e in wins], "incidents": self.incidents(),
        }  # fmt: skip
        if self.indicator is not None:
            out["indicator"] = t.NAMES[self.indicator]
        if self.start.dealer_base is not None:
            out["dealer_base"] = self.start.dealer_base
        floater = self.floater(self.events.index(wins[0]) if wins else len(self.events))
        if floater is not None:
            out["float_by"] = floater
        return out

    def player(self, at: int, wins: list[ev.Win]) -> dict[str, Any]:
        hand: Counter[int] = Counter()
        melds: list[dict[str, Any]] = []
        bonus: list[int] = []
        discards: list[int] = []
        stakes: dict[str, int] = {}
        revealed = 0
        opened = 0
        for i, event in enumerate(self.events):
            if isinstance(event, ev.Ready) and event.kind == "open":
                opened += 1
                revealed = opened if event.seat == at else revealed
            if at == self.dealer and self.dealers_bonus(event):
                bonus.append(event.tile)
            if isinstance(event, ev.Deal):
                hand.update(event.hands[at])
            if getattr(event, "seat", None) != at:
                continue
            if isinstance(event, ev.Stake):
                for name in ("stake", "side_stake"):
                    if getattr(event, name) is not None:
                        stakes[name] = getattr(event, name)
            elif isinstance(event, ev.Draw):
                hand[event.tile] += 1
            elif isinstance(event, ev.Discard):
                hand[event.tile] -= 1
                discards.append(event.tile)
                if self.rules.kong_tiles and event.tile in self.rules.kong_tiles(self.rules, self.indicator):
                    bonus.append(event.tile)
            elif isinstance(event, ev.Bonus):
                hand[event.tile] -= 1
                bonus.append(event.tile)
            elif isinstance(event, ev.Claim):
                own = list(event.tiles)
                own.remove(event.claimed)
                hand.subtract(own)
                meld = {"kind": event.type, "tiles": t.write(event.tiles), "claimed": t.NAMES[event.claimed]}
                melds.append(meld | {"from": event.source} | self.chained(i))
            elif isinstance(event, ev.ConcealedKong):
                hand.subtract(event.tiles)
                melds.append({"kind": "concealed_kong", "tiles": t.write(event.tiles)} | self.chained(i))
            elif isinstance(event, ev.AddedKong):
                pung = next(m for m in melds if m["kind"] == "pung" and not Counter(t.parse(m["tiles"])) - Counter(event.tiles))
                added = (Counter(event.tiles) - Counter(t.parse(pung["tiles"]))).popitem()[0]
                hand[added] -= 1
                if self.robbed(i):
                    continue
                pung |= {"kind": "added_kong", "tiles": t.write(event.tiles)} | self.chained(i)
        mine = next((w for w in wins if w.seat == at), None)
        tiles = sorted(hand.elements()) if mine is None or mine.hand is None else sorted(mine.hand)
        return {"hand": t.write(tiles), "melds": melds, "bonus": t.write(bonus), "discards": t.write(discards),
                **stakes, **({"revealed": revealed} if revealed else {})}  # fmt: skip

    def dealers_bonus(self, event: ev.Event) -> bool:
        """A bonus tile turned up where the next replacement fixes the wilds: the dealer's, another is turned."""
        turned = isinstance(event, ev.Indicator) and self.bonus_first and event.tile in self.rules.bonus
        return turned and self.ritual.indicator.origin == "replacement"

    def robbed(self, i: int) -> bool:
        following = next((e for e in self.events[i + 1 :] if isinstance(e, (*OWN, ev.Win))), None)
        return isinstance(following, ev.Win) and following.source == "robbed_kong"

    # --- kongs and floats, looking back

    def before(self, i: int, seat: int) -> int | None:
        """The player's own event before event ``i``."""
        return next((j for j in range(i - 1, -1, -1) if isinstance(self.events[j], OWN) and self.events[j].seat == seat), None)

    def kong_before(self, i: int) -> int | None:
        """The kong whose replacement was drawn just before event ``i`` by the same player, bonus tiles in between."""
        seat = self.events[i].seat
        at = self.before(i, seat)
        while at is not None and isinstance(self.events[at], (ev.Draw, ev.Bonus)):
            before = self.before(at, seat)
            if isinstance(self.events[at], ev.Bonus) and self.is_kong(at):
                return at
            if isinstance(self.events[at], ev.Draw) and self.events[at].end == "head":
                return None
            at = before
        return at if at is not None and isinstance(self.events[at], KONG) else None

    def is_kong(self, i: int) -> bool:
        event = self.events[i]
        single = isinstance(event, ev.Bonus) and self.rules.kong_tiles is not None and event.tile not in self.rules.bonus
        return isinstance(event, KONG) or single

    def chain(self, i: int) -> int:
        """The place of the kong at ``i`` in its row."""
        event = self.events[i]
        if isinstance(event, ev.Kong):
            discard = next(j for j in range(i - 1, -1, -1) if isinstance(self.events[j], ev.Discard))
            last = self.kong_before(discard)
        else:
            last = self.kong_before(i)
        return 1 if last is None else self.chain(last) + 1

    def chained(self, i: int) -> dict[str, int]:
        chain = self.chain(i) if isinstance(self.events[i], KONG) else 1
        return {"chain": chain} if chain > 1 else {}

    def run(self, i: int, seat: int) -> tuple[int, int]:
        """Kongs and floats in the unbroken run of both before the win at ``i``."""
        kongs = floats = 0
        straight = self.ritual.floats.counted == "straight"
        at = self.before(i, seat)
        while at is not None:
            event = self.events[at]
            if isinstance(event, ev.Discard):
                if not straight or event.tile not in self.wild:
                    break
                floats += 1
            elif isinstance(event, ev.Claim) and not isinstance(event, ev.Kong):
                break
            elif self.is_kong(at):
                kongs += 1
            at = self.before(at, seat)
        return kongs, floats

    def floater(self, end: int) -> int | None:
        """Whose wild discard still bars the table before event ``end``."""
        rule = self.ritual.floats
        if not rule.bars:
            return None
        for i in range(end - 1, -1, -1):
            event = self.events[i]
            if not isinstance(event, ev.Discard) or event.tile not in self.wild:
                continue
            acts = [e for e in self.events[i + 1 : end] if isinstance(e, (ev.Draw, ev.Claim, ev.Discard))]
            since = [e for e in acts if e.seat == event.seat]
            if not since and (rule.always or self.held(event.seat, i + 1) & self.wild):
                return event.seat
        return None

    def held(self, seat: int, end: int) -> set[int]:
        hand: Counter[int] = Counter()
        for event in self.events[:end]:
            if isinstance(event, ev.Deal):
                hand.update(event.hands[seat])
            if getattr(event, "seat", None) != seat:
                continue
            if isinstance(event, ev.Draw):
                hand[event.tile] += 1
            elif isinstance(event, (ev.Discard, ev.Bonus)):
                hand[event.tile] -= 1
            elif isinstance(event, (ev.Claim, ev.OwnKong)):
                hand.subtract(event.tiles)
        return {kind for kind, number in hand.items() if number > 0}

    # --- the wall

    def left(self, end: int) -> int:
        """Tiles left in the wall before event ``end``, the indicator not counted."""
        total = min(sum(self.rules.tiles), 2 * sum(self.ritual.stacks)) if self.ritual.layout != "inner_outer" else 144
        gone = 0
        for event in self.events[:end]:
            gone += isinstance(event, ev.Draw)
            gone += isinstance(event, ev.Indicator) and (
                event.tile not in self.rules.bonus or not self.bonus_first or self.ritual.indicator.origin == "replacement"
            )
            gone += sum(len(hand) for hand in event.hands) if isinstance(event, ev.Deal) else 0
        return total - gone

    # --- the win

    def win(self, event: ev.Win) -> dict[str, Any]:
        i, seat = self.events.index(event), event.seat
        tile = None if event.tile is None else t.NAMES[event.tile]
        out: dict[str, Any] = {"seat": seat, "tile": tile, "source": event.source}
        out |= {"flower_win": event.flower_win, "wild_win": event.wild_win, "special": event.special}
        if event.source_seat is not None:
            out["from"] = event.source_seat
        drawn = event.source in ("wall", "kong", "flower", "deal")
        if drawn:
            kongs, floats = self.run(i, seat)
            out |= {"kong_chain": kongs, "floats": floats}
        if self.ritual.floats.counted == "lasting":
            out["floats"] = self.longest_float(i, seat)
        if event.source == "kong":
            kong = next(j for j in range(i - 1, -1, -1) if self.is_kong(j) and self.events[j].seat == seat)
            made = self.events[kong]
            out["kong_tile"] = t.NAMES[made.tiles[0] if not isinstance(made, ev.Bonus) else made.tile]
            out["kong_from"] = made.source if isinstance(made, ev.Kong) else None
            out["dice_kong"] = any(isinstance(e, ev.Dice) and e.purpose == "kong" for e in self.events[kong:i])
        if event.source == "discard":
            discard = max(j for j in range(i) if isinstance(self.events[j], ev.Discard))
            tiles = [discard]
            while isinstance(self.events[tiles[0] - 1], ev.Discard) and self.events[tiles[0] - 1].seat == event.source_seat:
                tiles.insert(0, tiles[0] - 1)  # both tiles of a stack chosen by dice go
            kong = self.kong_before(tiles[0])
            out["after_kong"] = kong is not None
            if len(tiles) > 1:
                out["second_tile"] = t.NAMES[self.events[tiles[0]].tile]
            out["dice_kong"] = kong is not None and any(
                isinstance(e, ev.Dice) and e.purpose == "kong" for e in self.events[kong:discard]
            )
        out["birds"] = t.write(tile for e in self.events if isinstance(e, ev.Birds) for tile in e.tiles)
        out["first_turn"] = self.first_turn(i, event)
        out["last_tile"] = event.source in ("wall", "kong", "flower", "discard") and self.last_tile(i)
        out["waiting_since_deal"] = self.waiting(i, event)
        return out

    def longest_float(self, end: int, seat: int) -> int:
        best = row = 0
        for event in self.events[:end]:
            if isinstance(event, ev.Discard) and event.seat == seat:
                row = row + 1 if event.tile in self.wild else 0
                best = max(best, row)
        return best

    def first_turn(self, i: int, event: ev.Win) -> bool:
        before = [e for e in self.events[:i] if isinstance(e, OWN)]
        discards = [e for e in before if isinstance(e, ev.Discard)]
        if event.seat == self.dealer or event.source == "deal":
            return not discards and event.source in ("deal", "wall", "flower")
        kinds = self.ritual.first_turn
        own = [e for e in before if e.seat == event.seat and not isinstance(e, ev.Bonus)]
        mine = [e for e in own if not isinstance(e, ev.Draw) or e.end == "head"]
        if event.source == "discard":
            opening = len(discards) == 1
            return ("first_discard" in kinds and opening) or (
                "any_discard" in kinds and not mine and (opening or event.source_seat != self.dealer)
            )
        quiet = not any(isinstance(e, ev.Claim) for e in before)
        return "first_draw" in kinds and event.source in ("wall", "flower") and quiet and len(mine) == 1

    def last_tile(self, i: int) -> bool:
        reserve = self.ritual.dead_wall
        return self.left(i) <= self.stay(i) + (reserve.last_draws - 1 if reserve.last_draws and self.in_last(i) else 0)

    def in_last(self, i: int) -> bool:
        """Whether the winning draw was one of the last tiles, after which nobody discards."""
        drawn = max(j for j in range(i) if isinstance(self.events[j], ev.Draw))
        return isinstance(self.events[i], ev.Win) and self.events[i].source != "discard" and (
            self.left(drawn) <= self.stay(drawn) + self.ritual.dead_wall.last_draws
        )

    def stay(self, i: int) -> int:
        rule = self.ritual.dead_wall
        standing = [e for e in self.events[:i] if isinstance(e, KONG)]
        concealed = sum(isinstance(e, ev.ConcealedKong) for e in standing)
        opened = len(standing) - concealed
        base = rule.tiles
        if rule.by_kongs:
            base = rule.by_kongs[min(len(standing), len(rule.by_kongs) - 1)]
        if rule.by_floats:
            base = rule.by_floats[min(max(self.longest_float(i, s) for s in range(self.rules.players)), 2)]
        base += opened * rule.open_kong + concealed * rule.concealed_kong
        replaced = sum(isinstance(e, ev.Draw) and e.end == "tail" for e in self.events[:i])
        if rule.replacement:
            base += rule.replacement * replaced
        if rule.four_alike:
            for seat in range(self.rules.players):
                own = Counter(e.tile for e in self.events[:i] if isinstance(e, ev.Bonus) and e.seat == seat)
                if self.bonus_first and seat == self.dealer:
                    own.update(e.tile for e in self.events[:i] if isinstance(e, ev.Indicator) and e.tile in self.rules.bonus)
                fours = sum(n == 4 for n in own.values())
                fours += all(own[k] for k in t.FLOWERS) + all(own[k] for k in t.SEASONS)
                base += rule.four_alike * fours
        if rule.half_stack:
            base -= replaced % 2
        if rule.to_indicator:
            walls = [e.values for e in self.events if isinstance(e, ev.Dice) and e.purpose == "wall"]
            larger = (self.start.options or {}).get("dice_roles") == "break_small"  # Fenghua: which die counts to the indicator
            counted = (max if larger else min)(walls[0])
            behind = 2 * counted - 1 if len(walls) == 1 else 2 * sum(walls[1]) + 1
            base = max(base, behind - replaced)
        return base

    def waiting(self, i: int, event: ev.Win) -> bool:
        before = self.events[:i]
        if event.seat == self.dealer or any(isinstance(e, (ev.Claim, ev.OwnKong)) for e in before):
            return False
        last = None
        for e in before:
            if getattr(e, "seat", None) != event.seat:
                continue
            if isinstance(e, ev.Draw):
                last = e.tile
            if isinstance(e, ev.Discard) and e.tile != last:
                return False
        return event.source in ("wall", "flower", "discard", "robbed_kong")

    # --- the same discards

    def incidents(self) -> list[dict[str, Any]]:
        kind = self.ritual.same_discards
        line = [e for e in self.events if isinstance(e, (ev.Discard, ev.Claim))]
        if kind == "opening":
            rounds = 0
            players = self.rules.players
            while True:
                chunk = line[players * rounds : players * (rounds + 1)]
                seats = [(self.dealer + k) % players for k in range(players)]
                alike = len(chunk) == len(seats) and all(isinstance(e, ev.Discard) for e in chunk)
                if not alike or [e.seat for e in chunk] != seats or len({e.tile for e in chunk}) != 1:
                    break
                rounds += 1
            return [{"kind": "same_discard", "tile": t.NAMES[line[0].tile], "rounds": rounds}] if rounds else []
        if kind == "four":
            return self.fours(line)
        return []

    def fours(self, line: list[ev.Event]) -> list[dict[str, Any]]:
        found, i = [], 0
        while i + 4 <= len(line):
            chunk = line[i : i + 4]
            alike = all(isinstance(e, ev.Discard) for e in chunk) and len({e.tile for e in chunk}) == 1
            if alike and len({e.seat for e in chunk}) == 4:
                fine = {"kind": "four_same_discards", "seat": chunk[0].seat, "tile": t.NAMES[chunk[0].tile]}
                found.append(fine | {"by": "all"})
                i += 4
            else:
                i += 1
        for seat in range(self.rules.players):
            own = Counter(e.tile for e in line if isinstance(e, ev.Discard) and e.seat == seat)
            found += [
                {"kind": "four_same_discards", "seat": seat, "tile": t.NAMES[k], "by": "one"} for k, n in own.items() if n == 4
            ]
        return found


def undone(events: list[ev.Event], i: int) -> bool:
    """Whether the claim at ``i`` did not take place: another one, or a win, took the tile before anything else happened."""
    if not isinstance(events[i], ev.Claim):
        return False
    for event in events[i + 1 :]:
        if isinstance(event, ev.Claim) or (isinstance(event, ev.Win) and event.source == "discard"):
            return True
        if isinstance(event, (ev.Draw, ev.Discard, ev.OwnKong, ev.Bonus)):
            return False
    return False
