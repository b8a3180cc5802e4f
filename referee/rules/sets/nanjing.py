"""南京麻雀 Nanjing: twenty bonus tiles, no chows; base + flowers + patterns, and money beside the win. Sheet:
docs/sheets/nanjing.md."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from referee.rules import patterns as p
from referee.rules import shapes
from referee.rules import tiles as t
from referee.rules.claim import Case, Claim
from referee.rules.payments import alone, everyone, giver, kong_feeder
from referee.rules.record import Record
from referee.rules.restrictions import COMMON, reading_bar
from referee.rules.ritual import Break, DeadWall, Ritual, Succession, effects, with_ritual
from referee.rules.ruleset import TILES_144, Bool, Int, OneOf, Option, Pattern, Payment, Ruleset, Tally
from referee.rules.settle import Outcome
from referee.rules.tiles import Tile

BASE = {"city": 20, "chengbei": 10}
QIDUI = {"city": 40, "chengbei": 50}
FLOWER_KONGS = (t.SEASONS, t.FLOWERS, *((dragon,) * 4 for dragon in t.DRAGONS))

# --- values ----------------------------------------------------------------------------------------------------------


def by_area(city: int, chengbei: int) -> Callable[[Case], int]:
    """A value in the city and in the northern districts."""
    return lambda case: city if case.rules.option("area") == "city" else chengbei


def pairs_value(times: int) -> Callable[[Case], int]:
    """So many times the value of seven pairs, by the option or the area."""

    def value(case: Case) -> int:
        own = case.rules.option("qidui")
        return times * int(QIDUI[case.rules.option("area")] if own is None else own)

    return value


def doubled(record: Record, rules: Ruleset) -> int:
    """比下胡: 2 on the dealer's repeat; with repeat_and_events also after a drawn hand or one with an event. Once only."""
    events = rules.option("double_after") == "repeat_and_events" and (record.draw_streak > 0 or record.double_next)
    return 2 if record.repeat > 0 or events else 1


# --- conditions ------------------------------------------------------------------------------------------------------


def nothing_punged(claim: Claim) -> bool:
    """No pung made in the hand: claimed kongs on three held tiles and concealed kongs keep it, an added kong does not."""
    return all(meld.kind in ("kong", "concealed_kong") for meld in claim.player.melds)


def wind_flowers(*kinds: str) -> Callable[[Case], int]:
    """Pungs or kongs of winds of these kinds: "" a pung in hand, else as declared."""
    return lambda case: sum(g.tile in t.WINDS and g.meld in kinds for g in case.pungs)


def suit_missing(case: Case) -> bool:
    return len(case.suits & {0, 1, 2}) < 3


def dead_gap(case: Case) -> bool:
    """圧絶: a gap wait for a tile of which a pung lies on the table, anybody's."""
    tile = case.win.tile
    melds = (meld for player in case.record.players for meld in player.melds)
    return case.wait == "gap" and any(meld.kind == "pung" and meld.tiles[0] == tile for meld in melds)


def fourth_completes(case: Case) -> bool:
    """双七対: three alike held, the fourth is the winning tile."""
    held = (case.player.hand or ()).count(case.win.tile) if case.win.tile is not None else 0
    return case.shape == "seven_pairs" and case.win_group is not None and held == 3 and not p.heavenly(case)


def fours(count: int) -> Callable[[Case], bool]:
    """At least so many fours alike in the final seven pairs."""
    return lambda case: case.shape == "seven_pairs" and p.fours_in_pairs(case) >= count


BIG = (
    Pattern("hunyise", "混一色", "half flush", by_area(20, 30), p.one_suit_and_honours),
    Pattern("qingyise", "清一色", "full flush", 40, p.one_suit),
    Pattern("duiduihu", "対対胡", "all pungs", by_area(40, 30), p.all_pungs),
    Pattern(
        "quanqiududiao", "全球独釣", "all single", by_area(60, 40), p.single_tile_left, excludes=("duiduihu",),
        note="one tile in hand; concealed kongs count among the sets",
    ),
    Pattern("qidui", "七対", "seven pairs", pairs_value(1), lambda c: c.shape == "seven_pairs", excludes=("menqing",)),
    Pattern(
        "shuangqidui", "双七対", "double seven pairs", pairs_value(2), fourth_completes, excludes=("qidui",),
        note="three alike held, won by the fourth",
    ),
    Pattern("yajue", "圧絶", "dead gap", by_area(40, 30), dead_gap, note="a pung of the tile lies on the table"),
    Pattern(
        "wuhuaguo", "無花果", "flowerless", 40, lambda c: not c.player.bonus and nothing_punged(c), note="menqing is added",
    ),
    Pattern("xiaogangkaihua", "小槓開花", "small bloom", by_area(20, 10), lambda c: c.source == "flower"),
    Pattern("dagangkaihua", "大槓開花", "big bloom", by_area(40, 20), lambda c: c.source == "kong"),
    Pattern(
        "tianhu", "天胡", "heavenly", by_area(320, 50), lambda c: p.heavenly(c) and not c.kongs,
        excludes=("yadang", "bianzhi", "duzhan"), note="no tile is the last one",
    ),
    Pattern("dihu", "地胡", "earthly", by_area(280, 30), lambda c: c.win.waiting_since_deal, note="ready as dealt"),
)  # fmt: skip
# Option seven_pairs_special haohua: four alike in the final seven pairs, in place of 双七対.
HAOHUA = p.ladder(*(
    Pattern(
        f"haohuaqidui{n}" if n > 1 else "haohuaqidui", "豪華七対", "luxury seven pairs", pairs_value(n + 1),
        fours(n), excludes=("qidui",), note=f"{n} times four alike",
    )
    for n in (1, 2, 3)
))  # fmt: skip
BIG_IDS = tuple(pattern.id for pattern in (*BIG, *HAOHUA))


def no_right_to_win(case: Case, tally: Tally) -> str:
    """A big pattern, menqing or four bonus tiles shown give the right to win."""
    if tally.has(*BIG_IDS, "menqing") or len(case.player.bonus) >= 4:
        return ""
    return f"no big pattern, no menqing and only {len(case.player.bonus)} bonus tiles (four are needed)"


# --- payments --------------------------------------------------------------------------------------------------------


def pay(case: Case, tally: Tally) -> list[Payment]:
    """S from each on a self-draw, from the discarder alone; a robbed player or the kong's feeder pays for all three."""
    points = BASE[case.rules.option("area")] + 2 * (tally.total("hard") + tally.total("soft")) + tally.total("points")
    worth = points * doubled(case.record, case.rules)
    feeder = kong_feeder(case)
    if feeder is not None:
        return [Payment(feeder, case.seat, 3 * worth, "fed the kong")]
    if case.self_drawn:
        return everyone(case, lambda payer: worth)
    return giver(case, 3 * worth if case.robbed else worth)


def fed_pungs(case: Case, tally: Tally, payments: list[Payment]) -> list[Payment]:
    """包: who fed three sets of an all-pungs or all-single hand pays all shares; robbing and a fed kong go before."""
    if case.robbed or kong_feeder(case) is not None or not tally.has("duiduihu", "quanqiududiao"):
        return payments
    liable = next((seat for seat in case.losers if case.fed_by(seat) >= 3), None)
    return payments if liable is None else alone(case, liable, payments, "fed three sets")


def from_each(outcome: Outcome, to: int, amount: int, why: str) -> list[Payment]:
    return [Payment(seat, to, amount, why) for seat in range(outcome.rules.players) if seat != to]


def kong_money(outcome: Outcome) -> list[Payment]:
    """Open kongs from the feeder, concealed kongs and complete sets of bonus tiles from each; in drawn hands too."""
    rules, factor = outcome.rules, doubled(outcome.record, outcome.rules)
    out = []
    for seat, player in enumerate(outcome.record.players):
        for meld in player.melds:
            if meld.kind == "concealed_kong":
                out += from_each(outcome, seat, rules.option("concealed_kong_bonus") * factor, "concealed kong")
            elif meld.is_kong and meld.source is not None:
                out.append(Payment(meld.source, seat, rules.option("open_kong_bonus") * factor, "open kong"))
        for four in FLOWER_KONGS:
            if all(player.bonus.count(tile) >= four.count(tile) for tile in four):
                out += from_each(outcome, seat, rules.option("flower_kong_bonus") * factor, "flower kong")
    return out


def fines(outcome: Outcome) -> list[Payment]:
    """The two fines: four players one after the other discard the same tile, or one player all four of a tile."""
    record, rules = outcome.record, outcome.rules
    listed = [i for i in record.incidents if i.kind == "four_same_discards"]
    known = {(i.by, i.tile, i.seat if i.by == "one" else None) for i in listed}
    payers = [i.seat for i in listed if i.seat is not None]
    payers += [seat for seat, tile in all_four_discarded(record) if ("one", tile, seat) not in known]
    payers += [seat for seat, tile in four_in_a_row(record) if ("all", tile, None) not in known]
    amount = rules.option("penalty") * doubled(record, rules)
    return [
        Payment(payer, seat, amount, "four same discards")
        for payer in payers
        for seat in range(rules.players)
        if seat != payer
    ]


def all_four_discarded(record: Record) -> list[tuple[int, Tile]]:
    """Players who discarded all four of a tile."""
    return [
        (seat, tile)
        for seat, player in enumerate(record.players)
        for tile in sorted(set(player.discards or ()))
        if (player.discards or ()).count(tile) == 4
    ]


def four_in_a_row(record: Record) -> list[tuple[int, Tile]]:
    """Who began four same discards in a row, read off the discards while no set was declared before them.

    With no set on the table at all the discards went round from the dealer; otherwise only the first go-round is known.
    """
    n = len(record.players)
    rows = [record.players[(record.dealer + i) % n].discards or () for i in range(n)]
    declared = any(player.melds for player in record.players)
    rounds = 1 if declared else max(map(len, rows), default=0)
    order = [
        (((record.dealer + i) % n), rows[i][turn]) for turn in range(rounds) for i in range(n) if turn < len(rows[i])
    ]
    found = []
    for start in range(len(order) - 3):
        four = order[start : start + 4]
        if len({tile for _, tile in four}) == 1 and [s for s, _ in four] == [(four[0][0] + i) % n for i in range(n)]:
            found.append(four[0])
    return found


SOFT = p.in_unit("soft", (
    Pattern("feng_ke", "風刻", "wind pung", 1, wind_flowers("", "pung"), note="melded or in hand"),
    Pattern("feng_minggang", "風明槓", "open wind kong", 2, wind_flowers("kong", "added_kong")),
    Pattern("feng_angang", "風暗槓", "concealed wind kong", 3, wind_flowers("concealed_kong")),
    Pattern("yadang", "圧档", "gap wait", 1, lambda c: c.wait == "gap", note="by the reading counted"),
    Pattern("bianzhi", "辺枝", "edge wait", 1, lambda c: c.wait == "edge"),
    Pattern("duzhan", "独占", "single wait", 1, lambda c: c.wait == "pair"),
    Pattern("qianmen", "欠門", "missing suit", 1, suit_missing, note="1 in all"),
))  # fmt: skip

# What doubles the next hand with double_after "repeat_and_events": flower kongs, fines, blooms, liabilities.
DOUBLES_NEXT = frozenset(
    ("xiaogangkaihua", "dagangkaihua", "flower kong", "four same discards", "fed the kong", "fed three sets", "robbed kong")
)
RULES = Ruleset(
    id="nanjing",
    native="南京麻雀",
    english="Nanjing",
    region="Nanjing, Jiangsu",
    summary="Base, twice the flowers, and patterns are added, never multiplied; the dragons are bonus tiles, nobody chows; "
    "kongs, complete flowers and two fines pay beside the win.",
    tiles=TILES_144,
    bonus=frozenset((*t.BONUS, *t.DRAGONS)),
    chows=False,
    ritual=Ritual(
        opening=Break(stated=False), dead_wall=DeadWall(16), same_discards="four", doubles_next=DOUBLES_NEXT,
        deal=Succession(drawn="right", stay_patterns=frozenset(BIG_IDS)), effects=effects(false_win="penalty"),
    ),
    shapes=(shapes.standard, shapes.seven_pairs),
    restrictions=(*COMMON, reading_bar("no_right_to_win", "a big pattern, menqing or four bonus tiles", no_right_to_win)),
    patterns=(
        Pattern("yinghua", "硬花", "hard flower", 1, lambda c: len(c.player.bonus), "hard", note="dragons included"),
        *SOFT,
        Pattern("menqing", "門清", "nothing punged", by_area(20, 10), nothing_punged, note="not with seven pairs"),
        *BIG,
    ),
    unit="points",
    pay=pay,
    liability=(fed_pungs,),
    outside=(kong_money, fines),
    payments_text="S = base + 2 x flowers + patterns. Self-draw: each S. Discard: the discarder S. Robbed kong, or the "
    "replacement of a claimed kong: the robbed player or the feeder 3S. Everything doubles when the dealer is on a repeat.",
    options=(
        Option("area", OneOf(("city", "chengbei")), "city", "base and pattern values: the city or the northern districts"),
        Option("qidui", Int(0, auto=True), None, "value of seven pairs; null: 40 in the city, 50 in chengbei"),
        Option(
            "seven_pairs_special", OneOf(("shuang", "haohua")), "shuang",
            "haohua: luxury seven pairs (2, 3, 4 times qidui for one, two, three fours) in place of the double",
            lambda r, how: r if how == "shuang" else replace(
                r, patterns=(*(q for q in r.patterns if q.id != "shuangqidui"), *HAOHUA)
            ),
        ),
        Option("open_kong_bonus", Int(0), 6, "an open kong, from its feeder"),
        Option("concealed_kong_bonus", Int(0), 3, "a concealed kong, from each"),
        Option("flower_kong_bonus", Int(0), 6, "four of a kind of bonus tiles, from each"),
        Option("penalty", Int(0), 10, "the two fines, to each"),
        Option(
            "double_after", OneOf(("repeat", "repeat_and_events")), "repeat",
            "with events: also doubled after a drawn hand or one with a flower kong, fine, bloom or liability",
        ),
        Option(
            "limited", Bool(), False, "nobody pays more than his chips; side money first, then the win",
            lambda r, on: with_ritual(replace(r, chips=on), deal={"broke": 2 if on else None}),
        ),
    ),
)  # fmt: skip
