"""武漢麻將 紅中頼子槓, the base game of Wuhan: red dragons and wild tiles are kongs. Sheet: docs/sheets/wuhan_hongzhong.md."""

from __future__ import annotations

from dataclasses import replace

from referee.rules import tiles as t
from referee.rules.ruleset import Bool, Int, Ints, OneOf, Option
from referee.rules.sets import _single_kongs as game
from referee.rules.sets import wuhan

CAPS_HELP = "cap, golden cap, sunlight, three suns; null: by the other options"
RATE = Option("rate", OneOf(("points", "yifen", "wuli")), "points", "payments divided by 1, 10 or 20")
VARIATIONS = (
    Option("dahu_sum", OneOf(("add", "double")), "add", "double: n patterns are worth 10, 20, 40, ..."),
    Option(
        "one_suit_base", OneOf((10, 15)), 10, "15: one-colour patterns 15, and 20 with the self-draw or dealt-in factor",
        lambda r, worth: r.with_patterns(**{name: {"worth": worth} for name in game.ONE_COLOUR}),
    ),
    Option("one_suit_liability", Bool(), False, "third-opening liability also for fengyise and jiangyise"),
)  # fmt: skip

RULES = replace(
    wuhan.RULES,
    id="wuhan_hongzhong",
    native="武漢麻將 紅中頼子槓",
    english="Wuhan, red dragon kongs",
    region="Wuhan and around, Hubei",
    summary="Red dragons and wild tiles are kongs by themselves and double what their owner receives and pays.",
    wild=game.wild_after((t.RED,)),
    options=(
        Option(
            "kong_tiles", OneOf(("hongzhong", "hongzhong_facai", "pizi")), "hongzhong",
            "hongzhong_facai: green dragons too; pizi: the indicator's kind and the one before it", game.with_kong_tiles,
        ),
        Option("opening_fan", OneOf(("once", "each")), "once", "each (口口番): a fan for every opening"),
        Option("minimum", Int(auto=True), None, "floor; null: 32 with opening_fan each, 8 for hongzhong, else 16"),
        Option("caps", Ints(4), None, CAPS_HELP),
        RATE,
        *VARIATIONS,
        Option("fengyise_jinding", Bool(), False, "all honours put all losers at the golden cap"),
        Option("any_wait_rob", Bool(), True, "an any-tile wait may also rob a kong"),
    ),
)  # fmt: skip
