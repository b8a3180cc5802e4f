"""Short forms for writing logs in tests.

``play("changsha", "deal ...", ...)`` replays a log written as one event a line:

    deal 123m.. / ? / 456p.. / ?      hands, ? unknown         ind 5m            the indicator
    0 +5m   1 +   2 +t   3 +3s t      draws, t from the tail   0 -5m   0 -?      discards
    1 chow 345m 3m 0                  claims: tiles, claimed, from
    1 kong 5555m 5m 0                 1 akong 5555m (added)    1 ckong 5555m (concealed)
    2 f 1q                            bonus tile               1 count 14        1 ready open     1 show 123m
    2 win 5s discard 1 234m..         tile, source, from (or -), hand (or -)     1 pass 5s / 1 pass
    dice 0 3 4 wall                   end exhausted            birds 7m          0 stake 2        0 side 3
"""

from __future__ import annotations

from typing import Any

from referee.rules import tiles as t
from referee.table import events as ev
from referee.table.game import Game
from referee.table.log import corrected

CLAIMS = {"chow": ev.Chow, "pung": ev.Pung, "kong": ev.Kong}


def event(line: str) -> ev.Event:
    """One line as an event."""
    word, *rest = line.split()
    if word == "deal":
        hands = " ".join(rest).split("/")
        return ev.Deal(hands=tuple(None if h.strip() == "?" else t.parse(h) for h in hands))
    if word == "ind":
        return ev.Indicator(tile=t.parse_one(rest[0]))
    if word == "dice":
        return ev.Dice(seat=int(rest[0]), values=tuple(map(int, rest[1:-1])), purpose=rest[-1])
    if word == "end":
        return ev.End(why=rest[0])
    if word == "birds":
        return ev.Birds(tiles=t.parse(rest[0]))
    seat, what, args = int(word), rest[0], rest[1:]
    if what[0] == "+":
        tail = what.endswith("t") or args == ["t"]
        tile = what[1:].rstrip("t") or None
        return ev.Draw(seat=seat, tile=t.parse_one(tile) if tile else None, end="tail" if tail else "head")
    if what[0] == "-":
        return ev.Discard(seat=seat, tile=None if what == "-?" else t.parse_one(what[1:]))
    if what in CLAIMS:
        return CLAIMS[what](seat=seat, tiles=t.parse(args[0]), claimed=t.parse_one(args[1]), source=int(args[2]))
    return _other(seat, what, args)


def _other(seat: int, what: str, args: list[str]) -> ev.Event:
    match what:
        case "akong":
            return ev.AddedKong(seat=seat, tiles=t.parse(args[0]))
        case "ckong":
            return ev.ConcealedKong(seat=seat, tiles=t.parse(args[0]) if args else None)
        case "f":
            return ev.Bonus(seat=seat, tile=t.parse_one(args[0]))
        case "count":
            return ev.Count(seat=seat, tiles=int(args[0]))
        case "ready":
            return ev.Ready(seat=seat, kind=args[0])
        case "show":
            return ev.Reveal(seat=seat, hand=t.parse(args[0]))
        case "pass":
            return ev.Pass(seat=seat, tile=t.parse_one(args[0]) if args else None)
        case "stake":
            return ev.Stake(seat=seat, stake=int(args[0]))
        case "side":
            return ev.Stake(seat=seat, side_stake=int(args[0]))
        case "win":
            tile = None if args[0] == "-" else t.parse_one(args[0])
            source = None if args[2] == "-" else int(args[2])
            hand = None if args[3] == "-" else t.parse(args[3])
            return ev.Win(seat=seat, tile=tile, source=args[1], source_seat=source, hand=hand)
    raise ValueError(f"cannot read {seat} {what} {args}")


def log(rules: str, *lines: str | ev.Event, **start: Any) -> list[ev.Event]:
    """A numbered log that begins with a start of ``rules``; lines may hold several events separated by ``;`` or newlines."""
    events: list[ev.Event] = [ev.Start(rules=rules, **{"dealer": 0, "repeat": 0, "round_wind": t.EAST, **start})]
    for line in lines:
        if isinstance(line, ev.Event):
            events.append(line)
        else:
            events += [event(text) for text in line.replace("\n", ";").split(";") if text.strip()]
    return [ev.numbered(e, n) for n, e in enumerate(events, 1)]


def game(events: list[ev.Event]) -> Game:
    """The game a log tells."""
    told = Game()
    for item in corrected(events):
        told.play(item)
    return told


def play(rules: str, *lines: str | ev.Event, **start: Any) -> Game:
    return game(log(rules, *lines, **start))


def found(told: Game) -> list[tuple[int, int, str]]:
    """The certain faults as (event, seat, kind)."""
    return [(fault.n, fault.seat, fault.kind) for _, fault in told.faults if fault.certain]


def kinds(told: Game) -> list[tuple[int, str]]:
    """The certain faults as (seat, kind)."""
    return [(fault.seat, fault.kind) for _, fault in told.faults if fault.certain]


HIDDEN = "deal ? / ? / ? / ?"
