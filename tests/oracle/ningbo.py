"""Oracle for ``ningbo``: written from the Ningbo sheet alone; section names below are the sheet's."""

from __future__ import annotations

import random
from typing import Any

from referee.rules.tiles import DRAGONS, FLOWERS, SEASONS, write
from tests.oracle._f3 import Builder, View, claims, flush, one_winner, seat_wind, self_drawn, unfit, views
from tests.oracle.common import (
    COPIES_144,
    Ledger,
    Record,
    Spec,
    Win,
    one_of,
    random_meld,
    random_options,
    random_sets,
    read_record,
)

SPEC = Spec("ningbo", 4, COPIES_144, {"dice_roles": ("break_large", one_of("break_large", "break_small"))})
MINIMUM = 4


def wild_kinds(indicator: int | None) -> tuple[int, ...]:
    """Wild and bonus tiles: the indicator's twins, or the other three of its season / flower set."""
    if indicator is None:
        return ()
    for series in (FLOWERS, SEASONS):
        if indicator in series:
            return tuple(t for t in series if t != indicator)
    return (indicator,)


def score(record: Record, win: Win) -> int | None:
    """The tai of the best legal reading; None where the win is not legal."""
    wild = wild_kinds(record.indicator)
    if unfit(record, win, wild=wild) or win.tile is None or win.source == "indicator":
        return None
    drawn = self_drawn(win)
    if win.tile in wild and not drawn:
        return None
    player = record.players[win.seat]
    concealed = [*player.hand, win.tile]
    wilds = [t for t in concealed if t in wild]
    naturals = [t for t in concealed if t not in wild]
    if any(t >= 34 for t in naturals):
        return None
    best = None
    for view in views(
        naturals, len(wilds), player.melds, win, wild_face=record.indicator, last=win.tile, last_wild=win.tile in wild
    ):
        if not drawn and view.place.kind == "pair" and view.place.wilds:
            continue  # the wild's pair wait
        tai = reading_tai(record, win, view, len(wilds))
        if tai < MINIMUM:
            continue
        tai += 3 * (len(wilds) == 3)
        best = tai if best is None else max(best, tai)
    return best


def reading_tai(record: Record, win: Win, view: View, wilds: int) -> int:
    """Scoring, all but ``sanda``."""
    player = record.players[win.seat]
    drawn = self_drawn(win)
    own, prevailing = seat_wind(record, win.seat), record.round_wind
    tai = drawn or win.source == "robbed_kong"
    heavenly = win.first_turn and drawn and win.seat == record.dealer
    tai += view.wait in ("edge", "gap", "single", "triplet") and not heavenly
    tai += sum(b.face in DRAGONS for b in view.triplets)
    tai += view.triplet_of(own) + view.triplet_of(prevailing)
    tai += len(view.runs) == 4 and view.pair.face not in (*DRAGONS, own, prevailing)
    tai += len(player.hand) == 1
    tai += win.source == "kong"
    tai += win.last_tile and drawn
    tai += view.hard
    tai += 2 * (len(view.triplets) == 4)
    tai += {"mixed": 2, "pure": 4, "honours": 4, None: 0}[flush(view.faces)]
    if win.first_turn:
        tai += 8 if heavenly else 6 if win.source == "discard" else 0
    return tai + flower_tai(player.bonus, own - 27)


def flower_tai(bonus: tuple[int, ...], place: int) -> int:
    complete = [set(series) <= set(bonus) for series in (FLOWERS, SEASONS)]
    if all(complete):
        return 6
    tai = 2 * sum(complete)
    for series, whole in zip((FLOWERS, SEASONS), complete, strict=True):
        tai += not whole and series[place] in bonus
    return tai


def settle(data: dict[str, Any]) -> dict[str, Any]:
    record = read_record(data, SPEC)
    scores = [score(record, win) for win in record.wins]
    legal = one_winner(record, [s is not None for s in scores])
    ledger = Ledger(4)
    for win, s, ok in zip(record.wins, scores, legal, strict=True):
        if ok:
            pay(record, win, s, ledger)
    for incident in record.incidents:
        if incident["kind"] == "false_win":
            ledger.false_win(incident)
    return {"legal": legal, "deltas": ledger.deltas}


def pay(record: Record, win: Win, s: int, ledger: Ledger) -> None:
    """Payments and Liability."""
    others = [seat for seat in range(4) if seat != win.seat]
    fed = claims(record.players[win.seat].melds)
    partners = [y for y in others if fed[y] >= 3 or claims(record.players[y].melds)[win.seat] >= 3]
    if win.source == "robbed_kong":
        ledger.pay(win.source_seat, win.seat, 5 * s)
    elif win.source == "discard":
        ledger.pay(win.source_seat, win.seat, 2 * s)
        for partner in partners:
            ledger.pay(partner, win.seat, 2 * s)
    elif partners:
        for partner in partners:
            ledger.pay(partner, win.seat, 5 * s)
    else:
        for payer in others:
            ledger.pay(payer, win.seat, 5 * s if win.source == "kong" and payer == win.kong_from else s)


def random_record(rng: random.Random) -> dict[str, Any]:
    b = Builder(rng, "ningbo", COPIES_144)
    (indicator,) = b.deck.draw(rng, 1)
    wild = wild_kinds(indicator)
    b.fields["indicator"] = write([indicator])
    b.fields["round_wind"] = rng.choice("ESWN")
    b.options = random_options(rng, {"dice_roles": ["break_large", "break_small"]})
    concealed = b.complete_hand(wild=wild, wild_share=rng.choice([0, 0.2, 0.5, 1]))
    if b.chance(0.95):
        b.declare(
            concealed,
            ["wall", "wall", "discard", "discard", "kong", "kong", "flower", "robbed_kong", "deal"],
            wild=wild,
        )
        b.last_tile()
        b.earthly()
        if b.chance(0.15):
            b.second_claimant()
        feed_back(b)
    b.lay_bonus([t for t in (*FLOWERS, *SEASONS) if t not in wild])
    b.irregular()
    return b.record()


def feed_back(b: Builder) -> None:
    """Now and then another player has claimed from the winner, so that the mutual liability binds from that side."""

    other = b.rng.choice([s for s in range(4) if s != b.winner])
    if b.seats[other].melds or b.seats[other].hand is not None or not b.chance(0.15):
        return
    for _ in range(b.rng.choice([2, 3, 3, 4])):
        got = random_sets(b.rng, b.deck, 1, triplets=1.0, pairs=0)
        if got:
            meld = random_meld(b.rng, b.deck, other, 4, got[0], kong=0.2, concealed=0.2)
            if meld.source is not None:
                meld = type(meld)(meld.kind, meld.tiles, meld.claimed, b.winner)
            b.seats[other].melds += (meld,)
