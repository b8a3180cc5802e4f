"""荊州麻將, Wuhan's red-dragon kongs for three players, without one suit and east. Sheet: docs/sheets/jingzhou.md."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from referee.rules import tiles as t
from referee.rules.checks import two_suits_only
from referee.rules.ritual import DeadWall
from referee.rules.ruleset import Bool, Int, Ints, OneOf, Option, Ruleset, tile_set
from referee.rules.sets import _single_kongs as game
from referee.rules.sets import wuhan, wuhan_hongzhong

FULL_FAN = Fraction(2)
RING = t.HONOURS[1:]  # S W N 中 發 白
TILES = tile_set((*t.SUITED, *RING))


def without_suit(rules: Ruleset, suit: str | None) -> Ruleset:
    if suit is None:
        return rules
    left_out = t.SUITS.index(suit)
    return replace(
        rules, tiles=tuple(0 if t.is_suited(k) and t.suit(k) == left_out else n for k, n in enumerate(rules.tiles))
    )


RULES = replace(
    wuhan_hongzhong.RULES,
    id="jingzhou",
    native="荊州 紅中頼子槓 三人",
    english="Jingzhou, three-player red dragon kongs",
    region="Jingzhou, Hubei",
    summary="Wuhan's red-dragon kongs for three: 96 tiles, a full fan for self-draw and dealing in, in big wins too.",
    players=3,
    tiles=TILES,
    wild=game.wild_after((t.RED,), RING),
    ritual=replace(wuhan.RITUAL, stacks=(16,) * 3, dead_wall=DeadWall(10)),
    restrictions=(*game.BARS, game.floor(FULL_FAN, any)),
    checks=(*wuhan.RULES.checks, two_suits_only),
    patterns=tuple(pattern for pattern in wuhan.PATTERNS if pattern.id != "haidilao"),
    pay=game.pay_with(FULL_FAN),
    payments_text="Each of the two losers pays base x 2^(winner's fan + own fan). Small win: base 1, dealer, self-draw and "
    "dealing in one fan each; big win: 10 a pattern, x2 for a self-draw and for dealing in. Caps and rate at the end.",
    options=(
        Option("removed_suit", OneOf((None, "m", "p", "s")), None, "the suit left out; null: any", without_suit),
        Option("minimum", Int(), 8, "floor, for at least one loser"),
        Option("caps", Ints(4), None, "cap, golden cap, sunlight, top; null: 300, 400, 500, 600"),
        wuhan_hongzhong.RATE,
        Option("fengyise_jinding", Bool(), True, "all honours put both losers at the golden cap"),
        Option("jiangyise_jinding", Bool(), True, "all 2-5-8 put both losers at the golden cap"),
        Option("any_wait_rob", Bool(), True, "an any-tile wait may also rob a kong"),
        *wuhan_hongzhong.VARIATIONS,
    ),
)  # fmt: skip
