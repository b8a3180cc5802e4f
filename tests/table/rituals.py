"""The ritual of every rule set and what its options change, from the sheets' ritual, dealer, play and irregularity parts.

Trial values for the table's own tests until each rule set carries its ritual (``referee/rules/sets/ID.py``). To move one
there, copy ``RITUALS[id]`` into ``ritual=`` and each entry of ``OPTIONS[id]`` into the option's apply function: the
entries take and return a ``Ruleset``. What the table needs beside the ritual (tiles, wilds, claims) stands in ``TABLE``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from referee.rules import tiles as t
from referee.rules.ritual import (
    CLAIMS,
    WRONG_CLAIMS,
    WRONG_DRAWS,
    Break,
    Claims,
    DeadWall,
    Discards,
    FalseWin,
    Floats,
    Indicator,
    Ritual,
    Succession,
    effects,
    with_ritual,
)
from referee.rules.ruleset import TILES_108, TILES_136, TILES_144, Ruleset, tile_set
from referee.rules.wilds import WildRule, fixed, next_tile, next_tile_two_rings, same_tile, same_tile_or_series

TWO_THROWS = Break(two_throws=True, figure="both")
SMALLER = Break(figure="smaller")
UNSTATED = Break(stated=False)
NOTHING = FalseWin("nothing")
FOUR_ROUNDS = Succession(rounds=4)
WINDS_MOVE = Succession(round_wind=True, rounds=4)
SHANGHAI = Ritual(opening=UNSTATED, false_win=NOTHING, deal=Succession(drawn="right", round_wind=True))

XIAMEN = Ritual(
    stacks=(20, 20, 20, 20), layout="inner_outer",
    opening=Break(two_throws=True, figure="second", of="second"),
    indicator=Indicator("tail", thrower="broken", when="after_bonus"),
    bonus_order="rounds", dead_wall=DeadWall(15),
    floats=Floats("straight", bars=CLAIMS | {"discard"}, bars_floater=CLAIMS | {"discard"}, always=True),
    discards=Discards(forced="follow"), false_win=FalseWin(deal="unchanged"),
    effects=effects(WRONG_CLAIMS + WRONG_DRAWS, false_win="penalty"),
)
WUHAN = Ritual(
    stacks=(17,) * 4, opening=SMALLER, indicator=Indicator("head"),
    dead_wall=DeadWall(10, last_draws=4), deal=FOUR_ROUNDS, effects=effects(WRONG_DRAWS, false_win="penalty"),
)
RITUALS: dict[str, Ritual] = {
    "beijing": Ritual(
        stacks=(17,) * 4, indicator=Indicator("head"),
        dead_wall=DeadWall(14), discards=Discards(wild="forfeits"), same_discards="opening", deal=FOUR_ROUNDS,
        effects=effects(("wild_discarded",), false_win="penalty"),
    ),
    "changsha": Ritual(
        stacks=(14, 14, 13, 13), opening=SMALLER, dice_tiles=1, dead_wall=DeadWall(refusal=True),
        claims=Claims(missed_win="tile", missed_skip=False),
        deal=Succession(winner="winner", several="discarder", bird=True, drawn="last"), false_win=NOTHING,
    ),
    "fenghua": Ritual(
        opening=Break(figure="larger"), indicator=Indicator("tail", "smaller"),
        dead_wall=DeadWall(to_indicator=True, refusal=True),
        deal=WINDS_MOVE, effects=effects(false_win="penalty"),
    ),
    "fuzhou": Ritual(
        indicator=Indicator("replacement", when="after_bonus"),
        bonus_order="rounds",
        dead_wall=DeadWall(18, open_kong=1, concealed_kong=2, four_alike=2, last_draws=4),
        deal=Succession(drawn="right"), effects=effects(false_win="penalty"),
    ),
    "hangzhou": Ritual(
        stacks=(17,) * 4, indicator=Indicator("next_wall"), replacement="lower",
        dead_wall=DeadWall(19),
        floats=Floats(
            "straight", bars=CLAIMS | {"added_kong", "discard", "robbed_kong"},
            bars_floater=CLAIMS | {"discard", "robbed_kong"},
        ),
        deal=Succession(winner="winner"), false_win=FalseWin(deal="drawn"), effects=effects(false_win="penalty"),
    ),
    "hongkong": Ritual(
        opening=UNSTATED, first_turn=frozenset({"first_discard", "any_discard"}), deal=WINDS_MOVE,
        false_win=FalseWin(deal="drawn"), effects=effects(false_win="penalty"),
    ),
    "jinan": Ritual(
        opening=SMALLER, dead_wall=DeadWall(12, half_stack=True), ready=frozenset({"open"}),
        same_discards="opening", deal=Succession(winner="winner", drawn="right"), false_win=NOTHING,
    ),
    "jingzhou": replace(
        WUHAN, stacks=(16,) * 3, dead_wall=DeadWall(10),
    ),
    "kawuxing": Ritual(
        stacks=(14,) * 3,
        claims=Claims(
            kong_after_claim=frozenset({"added_kong"}), held_third=False,
            kong_needs_tile=True, missed_win="higher",
        ),
        ready=frozenset({"open"}), deal=Succession(winner="winner", several="discarder"), false_win=NOTHING,
    ),
    "nanchang": Ritual(
        stacks=(17,) * 4, opening=TWO_THROWS, indicator=Indicator("tail", thrower="dealer"),
        dead_wall=DeadWall(34),
        claims=Claims(missed_win="tile"),
        same_discards="opening", deal=Succession(sacked_passes=True, rounds=4), effects=effects(false_win="penalty"),
    ),
    "nanjing": Ritual(
        opening=UNSTATED, dead_wall=DeadWall(16),
        same_discards="four",
        deal=Succession(
            drawn="right",
            stay_patterns=frozenset(
                ("hunyise", "qingyise", "duiduihu", "quanqiududiao", "qidui", "shuangqidui", "haohuaqidui", "yajue",
                 "wuhuaguo", "xiaogangkaihua", "dagangkaihua", "tianhu", "dihu")
            ),
        ),
        effects=effects(false_win="penalty"),
    ),
    "ningbo": Ritual(
        opening=Break(figure="larger"), indicator=Indicator("tail", "smaller"), claims=Claims(kong_after_claim=frozenset()),
        discards=Discards(swap=False, swap_free_melds=4), deal=WINDS_MOVE, effects=effects(false_win="penalty"),
    ),
    "quanzhou": XIAMEN,
    "shaanxi": Ritual(
        stacks=(17,) * 4, opening=TWO_THROWS, replacement="by_kong", stakes="hand",
        dead_wall=DeadWall(by_kongs=(26, 14, 16, 26)), effects=effects(false_win="penalty"),
    ),
    "shanghai_1980s": replace(SHANGHAI, deal=Succession(winner="winner")),
    "shanghai_jinshan": replace(
        SHANGHAI, opening=TWO_THROWS,
        discards=Discards(wild="barred"), deal=Succession(drawn="right"),
    ),
    "shanghai_laoshi": replace(
        SHANGHAI, stacks=(18, 18, 17, 17), deal=Succession(drawn="right")
    ),
    "shanghai_liuxing": SHANGHAI,
    "shanghai_xinshi": SHANGHAI,
    "taiwan": Ritual(
        opening=Break(dice=3), dead_wall=DeadWall(16),
        first_turn=frozenset({"first_discard", "any_discard", "first_draw"}), deal=WINDS_MOVE,
        false_win=FalseWin(deal="drawn"), effects=effects(false_win="penalty"),
    ),
    "taizhou": Ritual(
        stacks=(17,) * 4, opening=TWO_THROWS, indicator=Indicator("head"),
        replacement="lower", dead_wall=DeadWall(14, replacement=1), claims=Claims(missed_win="tile", missed_pung=True),
        deal=Succession(drawn="right"), false_win=NOTHING,
    ),
    "wenzhou": Ritual(
        stacks=(17,) * 4, layout="rows", opening=TWO_THROWS, indicator=Indicator("right_end"),
        dead_wall=DeadWall(15, to_indicator=True),
        discards=Discards(wild="last_resort", forced="lone"),
        deal=Succession(drawn_repeat=False, most_wins=4, kong_passes=True), effects=effects(false_win="penalty"),
    ),
    "wuhan": WUHAN,
    "wuhan_hongzhong": WUHAN,
    "xiamen": XIAMEN,
    "yangzhou": Ritual(
        stacks=(17,) * 4, opening=SMALLER,
        claims=Claims(missed_win="any", missed_skip=False, missed_draw=True),
        deal=Succession(drawn="right", round_wind=True, rounds=4), effects=effects(false_win="penalty"),
    ),
    "yiwu": Ritual(
        stacks=(17,) * 4, opening=TWO_THROWS, indicator=Indicator("right_end", when="before_deal"),
        dead_wall=DeadWall(by_floats=(34, 14, 6)), floats=Floats("lasting"),
        stakes="run", effects=effects(false_win="penalty"),
    ),
}



# --- what the table needs beside the ritual, without shapes, patterns and payments

XIAMEN_TABLE = {
    "hand_size": 16, "tiles": TILES_144, "bonus": frozenset(t.BONUS), "wild": WildRule(same_tile, white="always"),
}
EIGHT = {"tiles": TILES_144, "bonus": frozenset(t.BONUS)}
SEASONS = {"tiles": tile_set(bonus=t.SEASONS), "bonus": frozenset(t.SEASONS)}


def _kongs(*kinds: t.Tile) -> Callable[[Ruleset, t.Tile | None], frozenset[t.Tile]]:
    """Single-tile kongs: these kinds and the wild ones."""
    return lambda rules, indicator: frozenset(kinds) | (rules.wild.kinds(indicator) if rules.wild else frozenset())


def _wuhan(*kinds: t.Tile, ring: tuple[t.Tile, ...] = t.HONOURS) -> dict[str, Any]:
    return {"wild": WildRule(next_tile(ring, kinds)), "kong_tiles": _kongs(*kinds)}


def _fine(indicator: t.Tile | None) -> frozenset[t.Tile]:
    return same_tile(indicator) | next_tile_two_rings(indicator)


TABLE: dict[str, dict[str, Any]] = {
    "beijing": {"wild": WildRule(next_tile_two_rings)},
    "changsha": {"tiles": TILES_108, "winners": "many"},
    "fenghua": EIGHT | {"wild": WildRule(same_tile_or_series)},
    "fuzhou": {
        "hand_size": 16, "tiles": TILES_144, "bonus": frozenset(t.HONOURS + t.BONUS), "wild": WildRule(same_tile),
    },
    "hangzhou": {"wild": WildRule(same_tile, white="always")},
    "hongkong": EIGHT,
    "jinan": EIGHT,
    "jingzhou": _wuhan(t.RED, ring=t.HONOURS[1:]) | {
        "players": 3, "tiles": tuple(0 if k == t.EAST else n for k, n in enumerate(TILES_136)),
    },
    "kawuxing": {"players": 3, "tiles": tile_set((*range(9, 27), *t.DRAGONS)), "chows": False, "winners": "many"},
    "nanchang": {"wild": WildRule(_fine, in_melds=True, claimable=True), "honour_chows": True},
    "nanjing": {"tiles": TILES_144, "bonus": frozenset(t.DRAGONS + t.BONUS), "chows": False},
    "ningbo": EIGHT | {"wild": WildRule(same_tile_or_series)},
    "quanzhou": XIAMEN_TABLE,
    "shaanxi": {},
    "shanghai_1980s": EIGHT,
    "shanghai_jinshan": SEASONS | {"tiles": TILES_144, "wild": WildRule(fixed(*t.FLOWERS), needs_indicator=False)},
    "shanghai_laoshi": SEASONS,
    "shanghai_liuxing": EIGHT,
    "shanghai_xinshi": EIGHT,
    "taiwan": EIGHT | {"hand_size": 16},
    "taizhou": {"wild": WildRule(same_tile, white="either")},
    "wenzhou": {"hand_size": 16, "wild": WildRule(same_tile, white="always")},
    "wuhan": _wuhan(t.RED, t.GREEN),
    "wuhan_hongzhong": _wuhan(t.RED),
    "xiamen": XIAMEN_TABLE,
    "yangzhou": {"winners": "many"},
    "yiwu": {"wild": WildRule(same_tile, white="always")},
}
TRIAL = {name: Ruleset(name, name, name, ritual=RITUALS[name], **parts) for name, parts in TABLE.items()}


# --- what options change in the ritual: rule set, option -> (rules, value) -> rules. Options not named here do not.

Change = Callable[[Ruleset, Any], Ruleset]


def when(wanted: Any, **parts: Any) -> Change:
    """The parts change where the option has this value."""
    return lambda rules, value: with_ritual(rules, **parts) if value == wanted else rules


def claims(**fields: Any) -> Change:
    return when(True, claims=fields)


BREAK_SMALL = when("break_small", opening=Break(figure="smaller"), indicator=Indicator("tail", "larger"))
XIAMEN_OPTIONS: dict[str, Change] = {
    "missed_win": claims(missed_win="tile", missed_pung=True),
    "float_round_discard_win": when(True, floats={"bars": CLAIMS}),
    "gold_choice": when("tail", indicator=Indicator("replacement", when="after_bonus")),
}
OPTIONS: dict[str, dict[str, Change]] = {
    "beijing": {
        "missed_win": claims(missed_win="tile"),
        "at_most_once": claims(most=1),
        "false_win_fixed": when(True, false_win={"pays": "fixed"}),
        "dead_wall": lambda r, v: with_ritual(
            r, dead_wall={"7": DeadWall(14), "7_8": DeadWall(by_kongs=(14, 14, 16)),
                          "14_plus": DeadWall(14, open_kong=1, concealed_kong=1)}[v]
        ),
    },
    "changsha": {"double_kong": when(True, dice_tiles=2)},
    "fenghua": {"dice_roles": BREAK_SMALL},
    "fuzhou": {"tile_set": when(128, stacks=(16,) * 4)},
    "hangzhou": {
        "white_wild": when(True, indicator=None),
        "feed_limit": lambda r, v: with_ritual(r, claims={"feed_limit": v}),
        "feed_limit_from": lambda r, v: with_ritual(r, claims={"feed_from": v}),
        "float_claims": when(True, floats={"bars_floater": frozenset({"discard", "robbed_kong"})}),
        "missed_win": claims(missed_win="tile"),
        "missed_pung": claims(missed_pung=True),
        "wild_discard_forfeits": when(
            True, discards={"wild": "forfeits_unless_float"}, effects=effects(("wild_discarded",), false_win="penalty")
        ),
        "false_win_continues": when(True, false_win={"ends": False}),
    },
    "hongkong": {"false_win": when("limit", false_win={"pays": "fixed"})},
    "nanchang": {
        "missed_pung": claims(missed_pung=True),
        "dead_wall": when("stack_or_half", dead_wall={"half_stack": True}),
    },
    "ningbo": {"dice_roles": BREAK_SMALL},
    "quanzhou": XIAMEN_OPTIONS,
    "shaanxi": {"missed_win": claims(missed_win="tile", missed_skip=False)},
    "shanghai_jinshan": {"no_swap_discard": when(True, discards={"swap": False})},
    "taiwan": {
        "bonus_tiles": when(False, stacks=(17,) * 4),
        "declared_ready": when(True, ready=frozenset({"ready", "first", "dealt"})),
        "dead_wall": lambda r, v: with_ritual(
            r, dead_wall={"fixed": {}, "per_kong": {"open_kong": 1, "concealed_kong": 1}, "none": {"tiles": 0}}[v]
        ),
        "missed_win": when("until_draw", claims={"missed_win": "any", "missed_skip": False}),
        "kong_after_claim": when(False, claims={"kong_after_claim": frozenset()}),
        "swap_discard": lambda r, v: with_ritual(r, discards={"swap": v}),
        "same_turn_claim": lambda r, v: with_ritual(r, claims={"own_discard": v}),
        "last_tile_refusal": lambda r, v: with_ritual(r, dead_wall={"refusal": v}),
    },
    "taizhou": {"missed_win": when("higher", claims={"missed_win": "higher"})},
    "wenzhou": {"missed_pung": claims(missed_pung=True), "wall_layout": lambda r, v: with_ritual(r, layout=v)},
    "xiamen": XIAMEN_OPTIONS,
    "yangzhou": {
        "draw_keeps_dealer": when(True, deal={"drawn": "stay"}),
        "rounds": lambda r, v: with_ritual(r, deal={"rounds": v}),
    },
}


def trial(rules: str, options: dict[str, Any] | None = None) -> Ruleset:
    """The trial rule set under options; its settlement knows nothing."""
    value = replace(TRIAL[rules], settings=dict(options or {}))
    for name, given in (options or {}).items():
        change = OPTIONS.get(rules, {}).get(name)
        value = change(value, given) if change else value
    return value
