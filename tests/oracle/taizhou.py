"""Oracle for ``taizhou``: written from the Taizhou (Luqiao) sheet alone; section names below are the sheet's."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from referee.rules.tiles import DRAGONS, WHITE, WINDS, is_honour, parse_one, suit, write
from tests.oracle._f3 import (
    Block,
    Builder,
    View,
    flush,
    loser_blocks,
    one_winner,
    pung_fu,
    seat_wind,
    self_drawn,
    unfit,
    views,
)
from tests.oracle.common import (
    COPIES_136,
    Ledger,
    Malformed,
    Record,
    Spec,
    Win,
    at_least,
    decompositions,
    is_bool,
    one_of,
    random_options,
    read_record,
)

SPEC = Spec(
    "taizhou",
    4,
    COPIES_136,
    {
        "limit": (100, at_least(1)),
        "missed_win": ("same_tile", one_of("same_tile", "higher")),
        "wild_pair_wait": ("self_draw_only", one_of("self_draw_only", "higher")),
        "four_winds": ("none", one_of("none", "big", "small", "small_own_pair")),
        "bao_raw_only": (True, is_bool),
        "round_up_tens": (False, is_bool),
    },
)


def as_read(record: Record, concealed: Sequence[int], win: Win) -> Iterator[tuple[list[int], int, int | None, bool]]:
    """(naturals, wilds, the winning tile's face, it is wild): each white as itself or as the wild's printed tile."""
    wild = record.indicator
    rest = [t for t in concealed if t != wild]
    wilds = len(concealed) - len(rest)
    whites = rest.count(WHITE)
    if wild == WHITE or not whites:
        yield rest, wilds, win.tile, win.tile == wild
        return
    others = [t for t in rest if t != WHITE]
    for stand_ins in range(whites + 1):
        naturals = [*others, *[wild] * stand_ins, *[WHITE] * (whites - stand_ins)]
        if win.tile != WHITE:
            yield naturals, wilds, win.tile, win.tile == wild
            continue
        if stand_ins:
            yield naturals, wilds, wild, False
        if stand_ins < whites:
            yield naturals, wilds, WHITE, False


def winner_views(record: Record, win: Win) -> Iterator[View]:
    player = record.players[win.seat]
    for naturals, wilds, last, last_wild in as_read(record, [*player.hand, win.tile], win):
        yield from views(naturals, wilds, player.melds, win, last=last, last_wild=last_wild)


def everybodys(blocks: Sequence[Block], own: int, option: str) -> tuple[int, int]:
    """Hu and tai that a winner and a loser alike may have."""
    hu = tai = 0
    for block in blocks:
        if block.kind == "pair":
            hu += 2 * ((block.face == own) + (block.face in DRAGONS))
        elif block.kind == "triplet":
            hu += pung_fu(block.face, block.hidden, block.kong)
            tai += (block.face == own) + (block.face in DRAGONS)
    pungs = {b.face for b in blocks if b.kind == "triplet" and b.face in WINDS}
    pairs = {b.face for b in blocks if b.kind == "pair" and b.face in WINDS}
    small = len(pungs) == 3 and len(pungs | pairs) == 4
    own_pair = small and own in pairs and own not in pungs
    whole = option != "none" and len(pungs) == 4
    if whole or (option == "small" and small) or (option == "small_own_pair" and own_pair):
        tai += 13
    return hu, tai


def winner_points(record: Record, win: Win, view: View) -> int:
    """Raw points of a reading, before the cut."""
    hu, tai = everybodys(view.blocks, seat_wind(record, win.seat), record.options["four_winds"])
    hu += 10 + 2 * self_drawn(win) + 4 * (len(view.triplets) == 4) + 2 * (view.wait == "gap")
    tai += {"pure": 3, "mixed": 1, "honours": 1, None: 0}[flush(view.faces)]
    return hu * 2**tai


def loser_points(record: Record, seat: int) -> int:
    """Payments 3: the hand as it lies, wild tiles aside, whites as whites."""
    player = record.players[seat]
    if player.hand is None:
        raise Malformed(f"hand of seat {seat}")
    hand = [t for t in player.hand if t != record.indicator]
    hu, tai = everybodys(loser_blocks(hand, player.melds), seat_wind(record, seat), record.options["four_winds"])
    return rounded(record, min(hu * 2**tai, record.options["limit"]))


def rounded(record: Record, points: int) -> int:
    return -(-points // 10) * 10 if record.options["round_up_tens"] else points


def wild_pair_wait(record: Record, win: Win) -> bool:
    """Play: without one of its wild tiles the hand is complete sets."""
    player = record.players[win.seat]
    hand = list(player.hand)
    if record.indicator not in hand:
        return False
    hand.remove(record.indicator)
    return any(
        decompositions(naturals, wilds, 4 - len(player.melds), pairs=0)
        for naturals, wilds, _, _ in as_read(record, hand, win)
    )


def score(record: Record, win: Win) -> tuple[int, View] | None:
    """Raw points and the reading; None where the win is not legal."""
    if unfit(record, win, wild=[record.indicator]) or win.tile is None:
        return None
    if win.source not in ("wall", "kong", "deal", "discard", "robbed_kong"):
        return None
    drawn = self_drawn(win)
    if win.tile == record.indicator and not drawn:
        return None
    best: tuple[int, View] | None = None
    for view in winner_views(record, win):
        points = winner_points(record, win, view)
        if best is None or points > best[0]:
            best = points, view
    if best is None or drawn or not wild_pair_wait(record, win):
        return best
    return best if record.options["wild_pair_wait"] == "higher" and best[0] > passed(record, win) else None


def passed(record: Record, win: Win) -> int:
    """Points of the self-draw given up with the winner's own last discard."""
    discards = record.players[win.seat].discards
    if not discards:
        return -1
    drawn = Win(win.seat, discards[-1], "wall")
    return max((winner_points(record, drawn, v) for v in winner_views(record, drawn)), default=-1)


def settle(data: dict[str, Any]) -> dict[str, Any]:
    record = read_record(data, SPEC)
    if record.indicator is None:
        raise Malformed("indicator")
    scores = [score(record, win) for win in record.wins]
    legal = one_winner(record, [s is not None for s in scores])
    ledger = Ledger(4)
    for win, s, ok in zip(record.wins, scores, legal, strict=True):
        if ok:
            pay(record, win, *s, ledger)
    return {"legal": legal, "deltas": ledger.deltas}


def pay(record: Record, win: Win, raw: int, view: View, ledger: Ledger) -> None:
    limit = record.options["limit"]
    points = rounded(record, min(raw, limit))
    losers = [s for s in range(4) if s != win.seat]
    liable = liable_seat(record, win, view)
    for seat in losers:
        full = record.dealer in (seat, win.seat) or raw >= limit
        ledger.pay(seat if liable is None else liable, win.seat, points if full else points / 2)
    own = {seat: loser_points(record, seat) for seat in losers}
    for low in losers:
        for high in losers:
            if own[low] < own[high]:
                gap = own[high] - own[low]
                ledger.pay(low, high, gap if record.dealer in (low, high) else gap / 2)


def liable_seat(record: Record, win: Win, view: View) -> int | None:
    """Liability: by discard only, the discarder."""
    if win.source != "discard":
        return None
    melds = record.players[win.seat].melds
    shown = {m.tiles[0] for m in melds if m.is_triplet and m.tiles[0] in DRAGONS}
    fresh = raw_discard(record, win) or not record.options["bao_raw_only"]
    dragon = win.tile in DRAGONS
    if dragon and fresh and len(shown) == 2 and win.tile not in shown:
        return win.source_seat
    claimed = Counter(suit(m.tiles[0]) for m in melds if m.is_open)
    if not is_honour(win.tile) and claimed[suit(win.tile)] >= 3 and flush(view.faces) == "pure":
        return win.source_seat
    if dragon and fresh and far_from_ready(record, win):
        return win.source_seat
    return None


def raw_discard(record: Record, win: Win) -> bool:
    lists = [p.discards for p in record.players]
    if any(d is None for d in lists):
        return False
    mine = list(lists[win.source_seat])
    if mine and mine[-1] == win.tile:
        mine.pop()
    return win.tile not in mine and all(win.tile not in d for s, d in enumerate(lists) if s != win.source_seat)


def far_from_ready(record: Record, win: Win) -> bool:
    """The discarder's hand is neither ready nor one tile from it: no tile can be left out so that two wild tiles
    more complete the rest."""
    player = record.players[win.source_seat]
    if player.hand is None:
        return False
    for tile in set(player.hand):
        hand = list(player.hand)
        hand.remove(tile)
        for naturals, wilds, _, _ in as_read(record, hand, Win(win.source_seat, None, "wall")):
            if fill(sorted(naturals), wilds + 2, 4 - len(player.melds), 1):
                return False
    return True


def fill(tiles: Sequence[int], wilds: int, sets: int, pairs: int) -> bool:
    """Can exactly these sets and pairs be made of sorted natural tiles and wild ones? Only that, not how: wild tiles
    abound here and the readings would be too many."""
    if not tiles:
        return wilds == 3 * sets + 2 * pairs
    first, rest = tiles[0], tiles[1:]
    shapes = [((first,), True)] * bool(pairs)
    shapes += [((first, first), False)] * bool(sets)
    if first < 27 and sets:
        low = first % 9
        shapes += [((first + 1, first + 2), False)] * (low <= 6)
        shapes += [((first + 1,), False)] * (low <= 7) + [((first + 2,), False)] * (low <= 6)
        shapes += [((), False)]
    if first >= 27 and sets:
        shapes += [((first,), False), ((), False)]
    elif sets:
        shapes += [((first,), False)]
    if pairs:
        shapes.append(((), True))
    for partners, is_pair in shapes:
        left, ok = list(rest), True
        for tile in partners:
            if tile in left:
                left.remove(tile)
            else:
                ok = False
        need = (1 if is_pair else 2) - len(partners)
        if ok and need <= wilds and fill(left, wilds - need, sets - (not is_pair), pairs - is_pair):
            return True
    return False


def random_record(rng: random.Random) -> dict[str, Any]:
    b = Builder(rng, "taizhou", COPIES_136)
    indicator = WHITE if b.chance(0.06) else b.deck.draw(rng, 1)[0]
    if indicator == WHITE:
        b.deck.take([WHITE])
    b.fields["indicator"] = write([indicator])
    b.options = random_options(
        rng,
        {
            "limit": [50, 200, 400],
            "missed_win": ["higher"],
            "wild_pair_wait": ["higher"],
            "four_winds": ["big", "small", "small_own_pair"],
            "bao_raw_only": [False],
            "round_up_tens": [True],
        },
        share=0.2,
    )
    if b.chance(0.95):
        concealed = lone_wild(b, indicator) if b.chance(0.12) else None
        if concealed is None:
            concealed = b.complete_hand(wild=[indicator], wild_share=rng.choice([0, 0.2, 0.5, 1]))
            concealed = stand_ins(b, concealed, indicator)
        b.declare(
            concealed,
            ["wall", "wall", "discard", "discard", "discard", "kong", "robbed_kong", "deal"],
            wild=[indicator],
        )
        if b.chance(0.1):
            b.second_claimant()
    b.deal_losers(kinds=list(COPIES_136))
    discards(b)
    b.irregular()
    if b.chance(0.01):
        rng.choice(b.seats).hand = None
    return b.record()


def stand_ins(b: Builder, concealed: tuple[int, ...], indicator: int) -> tuple[int, ...]:
    """Whites for tiles that would have to be the wild's printed one cannot be dealt (its twins are wild), so a wild
    place is now and then taken by a white."""
    out = list(concealed)
    for index, tile in enumerate(out):
        if tile == indicator != WHITE and b.chance(0.3) and b.deck.left[WHITE]:
            b.deck.give_back([tile])
            out[index] = b.deck.take([WHITE])[0]
    return tuple(sorted(out))


def lone_wild(b: Builder, indicator: int) -> tuple[int, ...] | None:
    """Complete sets with a wild tile left over, whatever the winning tile."""
    concealed = b.complete_hand(wild=[indicator], wild_share=0)
    pair = [t for t, n in Counter(concealed).items() if n == 2]
    if not pair or not b.deck.left[indicator]:
        return concealed
    out = list(concealed)
    out.remove(pair[0])
    b.deck.give_back([pair[0]])
    return tuple(sorted([*out, *b.deck.take([indicator])]))


def discards(b: Builder) -> None:
    """Discards of everybody, the winning one last in its discarder's, or unknown."""
    if b.chance(0.3):
        return
    unknown = b.rng.randrange(4) if b.chance(0.1) else None
    claimed = [(m.source, m.claimed) for s in b.seats for m in s.melds if m.source is not None]
    for number, seat in enumerate(b.seats):
        if number == unknown:
            continue
        row = list(b.deck.draw(b.rng, b.rng.choice([0, 1, 3, 5])))
        row += [tile for source, tile in claimed if source == number]
        b.rng.shuffle(row)
        if b.win and b.win["source"] == "discard" and b.win["from"] == number:
            row.append(parse_one(b.win["tile"]))
        seat.discards = tuple(row)
