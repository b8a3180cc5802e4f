"""The game of Wuhan and around: what ``wuhan``, ``wuhan_hongzhong`` and ``jingzhou`` share.

Kong tiles shown one at a time, the fan of winner and loser, caps and rate, the bars of a legal win, and who pays for all.
Chapters named below are those of the three sheets, which tell one game with different figures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from referee.rules import patterns as p
from referee.rules import shapes
from referee.rules import tiles as t
from referee.rules.claim import Case, Claim, Held
from referee.rules.judge import count_patterns, judge, readings
from referee.rules.payments import alone, everyone
from referee.rules.readings import CHOW, PAIR, Group, Reading, Seen
from referee.rules.record import Record, Win
from referee.rules.restrictions import COMMON, claim_bar, no_wild_discard, reading_bar
from referee.rules.ruleset import Payment, Restriction, Ruleset, Tally
from referee.rules.tiles import Tile
from referee.rules.wilds import WildRule, next_tile

FREE_PAIR = ("fengyise", "jiangyise", "qingyise", "pengpenghu")
ONE_COLOUR = ("fengyise", "jiangyise", "qingyise")
DRAWN_ALREADY = ("gangshangkai", "haidilao")  # contain their self-draw
CAPS = {"hongzhong": (300, 400, 500, 600), "each": (600, 800, 1000, 1200), "": (400, 500, 600, 800)}
RATES = {"points": 1, "yifen": 10, "wuli": 20}
HALF_FAN = Fraction(3, 2)


# --- kong tiles (chapter Wild and bonus tiles) ---------------------------------------------------------------------


def kong_only(rules: Ruleset, indicator: Tile | None) -> frozenset[Tile]:
    """The kinds that can only be shown or discarded one by one, wild tiles aside."""
    which = rules.settings.get("kong_tiles", "hongzhong")
    if which == "pizi":
        return frozenset() if indicator is None else frozenset((indicator, before(indicator)))
    return frozenset((t.RED,) if which == "hongzhong" else (t.RED, t.GREEN))


def before(tile: Tile) -> Tile:
    """The kind before this one: 1 -> 9, E -> white."""
    if t.is_suited(tile):
        return tile + 8 if t.rank(tile) == 1 else tile - 1
    return t.HONOURS[t.HONOURS.index(tile) - 1]


def kong_tiles(rules: Ruleset, indicator: Tile | None) -> frozenset[Tile]:
    return kong_only(rules, indicator) | (rules.wild.kinds(indicator) if rules.wild else frozenset())


def wild_after(skip: tuple[Tile, ...], ring: tuple[Tile, ...] = t.HONOURS) -> WildRule:
    return WildRule(
        next_tile(ring, skip),
        stands_for=frozenset((*t.SUITED, *ring)) - frozenset(skip),
        # a group of wild tiles alone: a 2/5/8 or anything else of each suit, an honour, its own face
        lone_faces=lambda claim: tuple(sorted({1, 4, 10, 13, 19, 22, *t.WINDS} | claim.wild_kinds)),
        text="the tile after the indicator (頼子), concealed only; kong tiles are passed over and not stood for",
    )


def with_kong_tiles(rules: Ruleset, which: str) -> Ruleset:
    skip = {"hongzhong_facai": (t.RED, t.GREEN), "hongzhong": (t.RED,), "pizi": ()}[which]
    # skins are other kinds in every hand, and a wild tile may not stand for them: nothing is alike then
    return replace(rules, wild=wild_after(skip), alike=None if which == "pizi" else rules.alike)


def kong_tile_in_meld(record: Record, rules: Ruleset) -> str | None:
    kinds = kong_tiles(rules, record.indicator)
    for seat, player in enumerate(record.players):
        for index, meld in enumerate(player.melds):
            if kinds.intersection(meld.tiles):
                return f"players[{seat}].melds[{index}]: kong tiles and wild tiles stand in no declared set"
    return None


# --- shapes (chapter Winning shapes) -------------------------------------------------------------------------------


TWO_FIVE_EIGHT = frozenset(filter(p.two_five_eight, t.SUITED))


def all_honours(claim: Claim, held: Held) -> Iterator[Reading]:
    """風一色: honours that are no kong tiles, in any arrangement."""
    assert claim.rules.wild is not None
    kinds = claim.rules.wild.stands_for.intersection(t.HONOURS) - kong_only(claim.rules, claim.record.indicator)
    return shapes.all_of("all_honours", kinds)(claim, held)


def all_258(claim: Claim, held: Held) -> Iterator[Reading]:
    """将一色: 2, 5 and 8, in any arrangement."""
    kinds = TWO_FIVE_EIGHT - kong_only(claim.rules, claim.record.indicator)
    return shapes.all_of("all_258", kinds)(claim, held)


def pair_258(case: Case) -> bool:
    """Four sets and a pair of 2, 5 or 8; two wild tiles are one only where their own face is."""
    if case.pair is None or not p.two_five_eight(case.pair.tile):
        return False
    return case.pair.wilds != 0b11 or all(map(p.two_five_eight, case.wild_kinds))


def alike(group: Group, wild: frozenset[Tile]) -> Seen:
    """What this game sees: runs, pungs, whether the pair is of 2, 5 or 8 and wild; of the hand the suits, other tiles than
    2, 5 and 8, and changed wilds."""
    of_258 = group.shape != CHOW and p.two_five_eight(group.tile)
    pair = group.shape == PAIR and (of_258, group.wilds == 0b11)
    return Seen((group.shape, pair), (t.suit(group.tile), "" if of_258 else "not 258", p.changed_wild(group, wild)))


# --- fan and amounts (chapter Payments) ----------------------------------------------------------------------------


def openings(claim: Claim, seat: int) -> int:
    """開口: chows, pungs and open kongs, one fan however many, or one each (口口番)."""
    count = sum(1 for m in claim.record.players[seat].melds if m.is_claimed)
    return count if claim.rules.settings.get("opening_fan") == "each" else min(count, 1)


def single_kongs(claim: Claim, seat: int) -> tuple[int, int]:
    """Kong-only tiles and wild tiles shown or discarded."""
    shown = claim.record.players[seat].bonus
    wild = sum(1 for tile in shown if claim.is_wild(tile))
    return len(shown) - wild, wild


def kongs(claim: Claim, seat: int) -> tuple[int, int]:
    """Open and concealed four-tile kongs."""
    made = [m for m in claim.record.players[seat].melds if m.is_kong]
    open_kongs = sum(1 for m in made if m.is_claimed)
    return open_kongs, len(made) - open_kongs


def own_fan(claim: Claim, seat: int) -> int:
    """What counts for winner and loser alike."""
    thrown, wild = single_kongs(claim, seat)
    open_kongs, closed = kongs(claim, seat)
    return openings(claim, seat) + thrown + 2 * wild + open_kongs + 2 * closed


def points(case: Case, tally: Tally, dealt_in: bool, factor: Fraction) -> Fraction:
    """A big win's points: ``factor`` on each pattern for a self-draw not contained in it, and for dealing in."""
    entries = [e for e in tally.entries if e.pattern.unit == "points"]
    drawn = {e.pattern.id: case.self_drawn and e.pattern.id not in DRAWN_ALREADY for e in entries}
    settings = case.rules.settings
    if settings.get("dahu_sum") == "double":
        worth = Fraction(10 * 2 ** (len(entries) - 1))
        return worth * factor if dealt_in or all(drawn.values()) else worth
    return sum(
        (raised(e.worth, factor) if dealt_in or drawn[e.pattern.id] else Fraction(e.worth) for e in entries),
        Fraction(0),
    )


def raised(worth: int, factor: Fraction) -> Fraction:
    """A pattern's points with the self-draw or dealt-in factor; half a fan makes 20 of a one-colour 15."""
    return Fraction(20) if worth == 15 and factor == HALF_FAN else worth * factor


def amounts(case: Case, tally: Tally, factor: Fraction) -> dict[int, Fraction]:
    """What each loser would pay, before caps and rate."""
    small = tally.has("xiaohu")
    out = {}
    for payer in case.losers:
        dealt_in = case.by_discard and payer == case.win.source_seat
        fan = tally.total("fan") + own_fan(case, payer)
        if small:
            fan += case.dealer_between(payer) + dealt_in
        base = Fraction(1) if small else points(case, tally, dealt_in, factor)
        out[payer] = base * 2**fan
    return out


def minimum(rules: Ruleset) -> int:
    if rules.option("minimum") is not None:
        return int(rules.option("minimum"))
    if rules.settings.get("opening_fan") == "each":
        return 32
    return 8 if rules.settings.get("kong_tiles", "hongzhong") == "hongzhong" else 16


def caps(rules: Ruleset) -> Sequence[int]:
    """Cap, golden cap, sunlight, three suns."""
    if rules.option("caps") is not None:
        return tuple(rules.option("caps"))
    if rules.settings.get("opening_fan") == "each":
        return CAPS["each"]
    return CAPS["hongzhong" if rules.settings.get("kong_tiles", "hongzhong") == "hongzhong" else ""]


def capped(case: Case, tally: Tally, due: dict[int, Fraction]) -> dict[int, Fraction]:
    """封頂; all losers at the cap 金頂, an unopened one of them 陽光頂, all unopened 三陽開泰."""
    cap, golden, sunlight, three_suns = caps(case.rules)
    settings = case.rules.settings
    forced = any(tally.has(name) and settings.get(f"{name}_jinding") for name in ("fengyise", "jiangyise"))
    if not forced and any(amount < cap for amount in due.values()):
        return {payer: min(amount, Fraction(cap)) for payer, amount in due.items()}
    unopened = {s for s in due if not any(m.is_claimed for m in case.record.players[s].melds)}
    if len(unopened) == len(due):
        return dict.fromkeys(due, Fraction(three_suns))
    return {payer: Fraction(sunlight if payer in unopened else golden) for payer in due}


def pay_with(factor: Fraction) -> Callable[[Case, Tally], list[Payment]]:
    """base x 2^(winner's fan + own fan) from each loser, capped, then divided by the rate, halves to even."""

    def pay(case: Case, tally: Tally) -> list[Payment]:
        due = capped(case, tally, amounts(case, tally, factor))
        rate = RATES[case.rules.option("rate")]
        return everyone(case, lambda payer: round(due[payer] / rate))

    return pay


# --- restrictions --------------------------------------------------------------------------------------------------


def kong_tile_held(claim: Claim) -> bool:
    kinds = kong_only(claim.rules, claim.record.indicator)
    return any(tile in kinds for tile in claim.concealed)


def stands_for_kong_tile(case: Case, tally: Tally) -> bool:
    kinds = kong_only(case.rules, case.record.indicator)
    return any(face in kinds for face in case.wild_faces)


def pair_not_258(case: Case, tally: Tally) -> bool:
    return p.is_standard(case) and not pair_258(case) and not tally.has(*FREE_PAIR)


def too_many_wilds(case: Case, tally: Tally) -> bool:
    return tally.has("xiaohu") and case.wild_count > 1


def any_tile_wait(claim: Claim) -> bool:
    """Every kind but kong-only ones would complete the 13 tiles as an ordinary self-draw (rule 7)."""
    if claim.self_drawn or not claim.waiting[0].wilds or (claim.robbed and claim.rules.option("any_wait_rob")):
        return False
    kinds = set(claim.rules_kinds) | claim.wild_kinds
    return all(completes(claim, kind) for kind in sorted(kinds - kong_only(claim.rules, claim.record.indicator)))


def completes(claim: Claim, tile: Tile) -> bool:
    """Whether the tile, drawn from the wall, makes a hand that passes rules 1 to 5 (opening is asked elsewhere)."""
    win = replace(claim.win, tile=tile, source="wall", last_tile=False, kong_chain=0, source_seat=None)
    probe = Claim(claim.record, claim.rules, win)
    for case in readings(probe):
        tally = count_patterns(case)
        if not (stands_for_kong_tile(case, tally) or pair_not_258(case, tally) or too_many_wilds(case, tally)):
            return True
    return False


def floor(factor: Fraction, enough: Callable[[Sequence[bool]], bool] = all) -> Restriction:
    """Rule 6: what each loser would pay, before caps and rate (``enough``: which of them must reach it)."""

    def short(case: Case, tally: Tally) -> str:
        due = amounts(case, tally, factor).values()
        least = minimum(case.rules)
        if enough([amount >= least for amount in due]):
            return ""
        return f"worth {', '.join(str(int(a)) for a in due)} from the payers, minimum {least}"

    return reading_bar("below_floor", "the payments do not reach the minimum", short)


BARS = (
    *COMMON,
    no_wild_discard,
    claim_bar("kong_tile_in_hand", "a kong tile cannot be part of a winning hand", kong_tile_held),
    claim_bar("not_opened", "at least one chow, pung or open kong is needed", lambda c: not c.open_sets),
    claim_bar("any_tile_wait", "a hand that any tile completes wins by self-draw only", any_tile_wait),
    reading_bar("kong_tile_in_hand", "a wild tile cannot stand for a kong tile", stands_for_kong_tile),
    reading_bar("pair_not_258", "the pair must be of 2, 5 or 8", pair_not_258),
    reading_bar("too_many_wilds", "a small win may hold one wild tile", too_many_wilds),
)


# --- liability -----------------------------------------------------------------------------------------------------


def robbed_pays(case: Case, tally: Tally, payments: list[Payment]) -> list[Payment]:
    if not case.robbed or case.win.source_seat is None:
        return payments
    return alone(case, case.win.source_seat, payments, "robbed kong")


def unready_pays(case: Case, tally: Tally, payments: list[Payment]) -> list[Payment]:
    """The discarder into 全求人 whose own tiles were not ready."""
    seat = case.win.source_seat
    if seat is None or not tally.has("quanqiuren") or case.record.players[seat].hand is None or ready(case, seat):
        return payments
    return alone(case, seat, payments, "dealt into a melded hand without being ready")


def ready(claim: Claim, seat: int) -> bool:
    """Whether some tile would make a legal win by plain self-draw or on a discard of one of the others."""
    key = ("ready", seat)
    if key not in claim.memo:
        claim.memo[key] = _ready(claim.record, claim.rules, seat)
    return bool(claim.memo[key])


def _ready(record: Record, rules: Ruleset, seat: int) -> bool:
    plain = replace(rules, liability=())
    player = record.players[seat]
    own = Counter(player.hand or ())
    for meld in player.melds:
        own.update(meld.tiles)
    givers = [s for s in range(rules.players) if s != seat]
    wins = [
        win
        for tile in range(t.KINDS)
        if rules.tiles[tile] > own[tile]
        for win in (Win(seat, tile, "wall"), *(Win(seat, tile, "discard", s) for s in givers))
    ]
    return any(judge(record, plain, win).legal for win in wins)


def third_opening(case: Case, tally: Tally, payments: list[Payment]) -> list[Payment]:
    """Who fed the third opening of a pure suit (one_suit_liability: of any one-colour hand) pays for all."""
    names = ONE_COLOUR if case.rules.settings.get("one_suit_liability") else ("qingyise",)
    if not tally.has(*names) or len(case.open_sets) < 3 or case.open_sets[2].source is None:
        return payments
    return alone(case, case.open_sets[2].source, payments, "fed the third opening")


LIABILITY = (robbed_pays, unready_pays, third_opening)  # in this order, where two meet
