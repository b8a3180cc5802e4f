"""福州麻將 Fuzhou: suit tiles in hand, everything else is a bonus tile; two ways to score. Sheet: docs/sheets/fuzhou.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from referee.rules import patterns as p
from referee.rules import shapes
from referee.rules import tiles as t
from referee.rules.claim import Case, Claim, Held
from referee.rules.payments import everyone
from referee.rules.readings import CHOW, PAIR, Group, Reading, Seen
from referee.rules.record import Record
from referee.rules.restrictions import COMMON, claim_bar, no_wild_discard, whole_hand_dealt
from referee.rules.ritual import DeadWall, Indicator, Ritual, Succession, effects, with_ritual
from referee.rules.ruleset import TILES_144, Bool, Int, OneOf, Option, Pattern, Payment, Ruleset, Tally, tile_set
from referee.rules.wilds import WildRule, same_tile

TILES_128 = tile_set((*t.SUITED, *t.WINDS, t.RED))


def three_golds(claim: Claim, held: Held) -> Iterator[Reading]:
    """三金倒: three golds in hand win without any shape, at any time, but not on another's discard."""
    if claim.win.wild_win and holds_three_golds(claim):
        yield Reading(claim.meld_groups, "three_golds")


def holds_three_golds(claim: Claim) -> bool:
    return claim.wild_count >= 3 and (claim.self_drawn or robs_gold(claim))


def robs_gold(claim: Claim) -> bool:
    return claim.source == "indicator"


def drawn(case: Case) -> bool:
    """Self-drawn, or counted as such: robbing a kong, robbing the gold."""
    return not case.by_discard


def four_alike(case: Case) -> int:
    """Groups of four bonus tiles: four of an honour, the seasons, the flowers."""
    laid = Counter(case.player.bonus)
    return sum(1 for kind in t.HONOURS if laid[kind] == 4) + p.full_series(case)


def flowerless(case: Case, count: int) -> bool:
    """Exactly so many bonus tiles and golds, and no kong."""
    return len(case.player.bonus) + case.wild_count == count and not case.kongs


def gold_pair(case: Case) -> bool:
    return case.pair is not None and case.pair.wilds == 0b11


def gold_dragon(case: Case) -> bool:
    return p.is_standard(case) and any(group.wilds == 0b111 and group.is_pung for group in case.groups)


def heavenly(case: Case) -> bool:
    return p.is_standard(case) and case.dealt and case.is_dealer


def alike(group: Group, wild: frozenset[t.Tile]) -> Seen:
    """What this game sees of a set: whether golds alone are a pung or the pair."""
    return Seen((group.shape == PAIR, group.wilds == (0b11 if group.shape == PAIR else 0b111) and group.shape != CHOW))


def pay(case: Case, tally: Tally) -> list[Payment]:
    """(base + flowers) x m, in method 1 + the one bonus; the dealer's run adds to the base (chapter Payments)."""

    def share(payer: int) -> int:
        base = case.rules.option("base") + (case.record.repeat if case.dealer_between(payer) else 0)
        return int((base + tally.total("flowers")) * tally.factor() + tally.total("points"))

    return everyone(case, share)


def gold_discarded(claim: Claim) -> bool:
    """Who has discarded a gold wins by self-draw only for the rest of the hand (decision 9)."""
    taken = claim.win.source in ("discard", "robbed_kong")
    return taken and any(claim.is_wild(tile) for tile in claim.player.discards or ())


def no_suit_tile(record: Record, rules: Ruleset) -> str | None:
    if record.indicator is not None and not t.is_suited(record.indicator):
        return "indicator: a bonus tile turned up goes to the dealer, the gold is a suit tile"
    return None


def claim_order(case: Case, tally: Tally) -> tuple[int, ...]:
    """Heavenly win, robbing the gold by a non-dealer, by the dealer; on a discard gold pairs first; then the nearest."""
    after = case.win.source_seat
    if after is None:
        after = case.record.dealer
    near = (case.seat - after) % 4 or 4 * robs_gold(case)
    return (0 if heavenly(case) else 1, 0 if case.by_discard and tally.has("jin_que") else 1, near)


FLOWERS = p.in_unit("flowers", (
    Pattern("hua_pai", "花牌", "bonus tile", 1, lambda c: len(c.player.bonus)),
    Pattern("jin_pai", "金牌", "gold in hand", 1, lambda c: c.wild_count, note="a robbed gold too"),
    Pattern("ming_gang", "明槓", "open kong", 1, lambda c: sum(1 for m in c.kongs if m.is_claimed)),
    Pattern("an_gang", "暗槓", "concealed kong", 2, lambda c: sum(1 for m in c.kongs if not m.is_claimed)),
    Pattern("si_hua", "四張花", "four alike bonus tiles", 2, four_alike, note="besides the tiles' own 4"),
))  # fmt: skip
METHOD_1 = (
    *p.in_unit("times", p.ladder(
        Pattern("dian_pao", "放銃", "discard", 1, lambda c: c.by_discard),
        Pattern("zi_mo", "自摸", "self-draw", 2, drawn, note="robbing a kong or the gold and three golds too"),
    )),
    *p.ladder(
        Pattern("hua_1", "一張花", "one flower", 15, lambda c: flowerless(c, 1), note="no kong"),
        Pattern("wu_hua", "無花", "no flower", 30, lambda c: flowerless(c, 0), note="no gold, no kong"),
        Pattern("qiang_jin", "搶金", "robbing the gold", 30, robs_gold),
        Pattern("tian_hu", "天胡", "heavenly win", 30, heavenly),
        Pattern("di_hu", "地胡", "earthly win", 30, p.earthly),
        Pattern("san_jin_dao", "三金倒", "three golds", 40, holds_three_golds, note="no shape needed"),
        Pattern("jin_que", "金雀", "gold pair", 60, gold_pair, note="beats the order of seats"),
        Pattern("jin_long", "金龍", "gold dragon", 120, gold_dragon, note="three golds form a pung"),
    ),
)  # fmt: skip
METHOD_2 = p.in_unit("times", p.ladder(
    Pattern("dian_pao", "放銃", "discard", 1, lambda c: c.by_discard, note="earthly win included"),
    Pattern("zi_mo", "自摸", "self-draw", 2, drawn, note="robbing a kong and heavenly win too"),
    Pattern("san_jin_dao", "三金倒", "three golds", 3, holds_three_golds, note="no shape needed"),
    Pattern("jin_que", "金雀", "gold pair", 4, gold_pair, note="also on a discard"),
    Pattern("qiang_jin", "搶金", "robbing the gold", 5, robs_gold),
    Pattern("jin_long", "金龍", "gold dragon", 6, gold_dragon),
))  # fmt: skip


def with_method(rules: Ruleset, method: int) -> Ruleset:
    return replace(rules, patterns=(*FLOWERS, *(METHOD_1 if method == 1 else METHOD_2)))


def with_tiles(rules: Ruleset, count: Any) -> Ruleset:
    if count == 144:
        return rules
    return with_ritual(replace(rules, tiles=TILES_128, bonus=frozenset((*t.WINDS, t.RED))), stacks=(16,) * 4)


RULES = Ruleset(
    id="fuzhou",
    native="福州麻將",
    english="Fuzhou",
    region="Fuzhou, Fujian",
    summary="Sixteen suit tiles; honours, flowers and seasons are all bonus tiles. Base and flowers, doubled by a self-draw.",
    hand_size=16,
    tiles=TILES_144,
    bonus=frozenset((*t.HONOURS, *t.BONUS)),
    wild=WildRule(
        same_tile,
        stands_for=frozenset(t.SUITED),
        lone_faces=lambda claim: (0,),  # what a group of golds shows counts for nothing
        text="the indicator's three twins (gold, 金), any suit tile, concealed only",
    ),
    ritual=Ritual(
        indicator=Indicator("replacement", when="after_bonus"),
        bonus_order="rounds",
        dead_wall=DeadWall(18, open_kong=1, concealed_kong=2, four_alike=2, last_draws=4),
        deal=Succession(drawn="right"),
        effects=effects(false_win="penalty"),
    ),
    rank=claim_order,
    alike=alike,
    shapes=(shapes.standard, three_golds),
    restrictions=(
        *COMMON,
        no_wild_discard,
        claim_bar("gold_discarded", "who has discarded a gold wins by self-draw only", gold_discarded),
        whole_hand_dealt,
    ),
    checks=(no_suit_tile,),
    patterns=(*FLOWERS, *METHOD_1),
    pay=pay,
    payments_text="Each of the three pays (base + flowers) x m, in method 1 plus the one highest bonus; the dealer's repeat adds "
    "to the base whenever he wins or pays.",
    options=(
        Option("method", OneOf((1, 2)), 1, "1: doubling by self-draw and one bonus; 2: one multiplier", with_method),
        Option("base", Int(1), 1, "base agreed at the table (1, 3, 5)"),
        Option("tile_set", OneOf((144, 128)), 144, "128: no green and white dragons, flowers, seasons", with_tiles),
        Option(
            "gold_dragon", Bool(), True, "false: the gold dragon is not scored",
            lambda r, on: r if on else r.with_patterns(jin_long=None),
        ),
    ),
)  # fmt: skip
