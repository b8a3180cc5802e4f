"""武漢麻將 Wuhan: single-tile kongs double what is paid and received. Sheet: docs/sheets/wuhan.md."""

from __future__ import annotations

from dataclasses import replace

from referee.rules import patterns as p
from referee.rules import shapes
from referee.rules import tiles as t
from referee.rules.ritual import ALL_DOWN, WRONG_DRAWS, Break, Customs, DeadWall, Indicator, Ritual, Succession, effects
from referee.rules.ruleset import Bool, Int, Ints, OneOf, Option, Pattern, Ruleset
from referee.rules.sets import _single_kongs as game
from referee.rules.sets._single_kongs import HALF_FAN, kongs, openings, pair_258, single_kongs

SMALL_ONLY = ("xiaohu", "zimo")


def big(pattern: Pattern) -> Pattern:
    """A big win's pattern is none of a small win's."""
    return replace(pattern, excludes=(*pattern.excludes, *SMALL_ONLY))


BIG = tuple(map(big, (
    Pattern("fengyise", "風一色", "all honours", 10, p.honours_only, note="no shape needed"),
    Pattern(
        "jiangyise", "将一色", "all 2-5-8", 10, lambda c: all(map(p.two_five_eight, c.faces)), note="no shape needed",
    ),
    Pattern("qingyise", "清一色", "pure suit", 10, lambda c: p.is_standard(c) and p.one_suit(c), note="frees the pair"),
    Pattern("pengpenghu", "碰碰胡", "all pungs", 10, p.all_pungs, note="frees the pair"),
    Pattern("gangshangkai", "槓上開", "win on a replacement", 10, lambda c: c.source == "kong" and pair_258(c)),
    Pattern("haidilao", "海底撈", "last-tile win", 10, lambda c: c.win.last_tile and c.self_drawn and pair_258(c)),
    Pattern("qianggang", "搶槓", "robbing a kong", 10, lambda c: c.robbed and pair_258(c)),
    Pattern(
        "quanqiuren", "全求人", "melded hand", 10,
        lambda c: len(c.open_sets) == 4 and c.by_discard and pair_258(c), note="four openings, on a discard",
    ),
)))  # fmt: skip
PATTERNS = (
    Pattern("xiaohu", "小胡", "small win", 1, p.always),
    *BIG,
    *p.in_unit("fan", (
        Pattern("kaikou", "開口", "opening", 1, lambda c: openings(c, c.seat)),
        Pattern("hongzhonggang", "紅中槓", "single-tile kong", 1, lambda c: single_kongs(c, c.seat)[0]),
        Pattern("laizigang", "頼子槓", "wild kong", 2, lambda c: single_kongs(c, c.seat)[1]),
        Pattern("minggang", "明槓", "open kong", 1, lambda c: kongs(c, c.seat)[0]),
        Pattern("angang", "暗槓", "concealed kong", 2, lambda c: kongs(c, c.seat)[1]),
        Pattern("yinghu", "硬胡", "hard", 1, lambda c: c.all_at_face, note="no wild in hand, or all at face"),
        Pattern("zimo", "自摸", "self-draw", 1, lambda c: c.self_drawn, note="small win; a big win has it in its points"),
    )),
)  # fmt: skip


RITUAL = Ritual(
    stacks=(17,) * 4,
    opening=Break(figure="smaller"),
    indicator=Indicator("head"),
    dead_wall=DeadWall(10, last_draws=4),
    deal=Succession(rounds=4),
    effects=effects(WRONG_DRAWS, false_win="penalty"),
    customs=Customs("middle", giver=False, closed_kong=ALL_DOWN),
)

RULES = Ruleset(
    id="wuhan",
    native="武漢麻將 紅中發財頼子槓",
    english="Wuhan, red and green dragon kongs",
    region="Wuhan, Hubei",
    summary="Red and green dragons and wild tiles are kongs by themselves and double what their owner receives and pays.",
    wild=game.wild_after((t.RED, t.GREEN)),
    kong_tiles=game.kong_tiles,
    alike=game.alike,
    ritual=RITUAL,
    shapes=(shapes.standard, game.all_honours, game.all_258),
    restrictions=(*game.BARS, game.floor(HALF_FAN)),
    checks=(game.kong_tile_in_meld,),
    patterns=PATTERNS,
    pay=game.pay_with(HALF_FAN),
    liability=game.LIABILITY,
    payments_text="Each loser pays base x 2^(winner's fan + own fan). Small win: base 1, dealer, self-draw and dealing in one "
    "fan each; big win: 10 a pattern, x1.5 for a self-draw and for dealing in. Caps and rate at the end.",
    options=(
        Option(
            "kong_tiles", OneOf(("hongzhong_facai", "pizi", "hongzhong")), "hongzhong_facai",
            "pizi: the indicator's kind and the one before it are kong tiles; hongzhong: red dragons alone", game.with_kong_tiles,
        ),
        Option("opening_fan", OneOf(("once", "each")), "once", "each (口口番): a fan for every opening"),
        Option("minimum", Int(auto=True), None, "floor; null: 32 with opening_fan each, 8 for hongzhong, else 16"),
        Option("caps", Ints(4), None, "cap, golden cap, sunlight, three suns; null: by the other options"),
        Option("rate", OneOf(("points", "yifen", "wuli")), "points", "payments divided by 1, 10 or 20"),
        Option("fengyise_jinding", Bool(), False, "all honours put all losers at the golden cap"),
        Option("any_wait_rob", Bool(), False, "an any-tile wait may also rob a kong"),
    ),
)  # fmt: skip
