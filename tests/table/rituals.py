"""The ritual of every rule set and what its options change, from the sheets' ritual, dealer, play and irregularity
parts.

Trial values for the table's own tests until each rule set carries its ritual (``referee/rules/sets/ID.py``): copy
from here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from referee.rules import tiles as t
from referee.rules.ritual import (
    CLAIMS,
    DRAGON_RING,
    ONE_RING,
    WIND_RING,
    WRONG_CLAIMS,
    WRONG_DRAWS,
    Bonus,
    Break,
    Claims,
    DeadWall,
    Discards,
    FalseWin,
    Floats,
    Indicator,
    Ritual,
    Succession,
    Wilds,
    effects,
)

TWO_THROWS = Break(two_throws=True, figure="both")
SMALLER = Break(figure="smaller")
UNSTATED = Break(stated=False)
NOTHING = FalseWin("nothing")
FOUR_ROUNDS = Succession(rounds=4)
WINDS_MOVE = Succession(round_wind=True, rounds=4)
FLOWERS = Bonus(t.BONUS)
SHANGHAI = Ritual(opening=UNSTATED, bonus=FLOWERS, false_win=NOTHING, deal=Succession(drawn="right", round_wind=True))

XIAMEN = Ritual(
    stacks=(20, 20, 20, 20), layout="inner_outer",
    opening=Break(two_throws=True, figure="second", of="second"),
    indicator=Indicator("tail", thrower="broken", when="after_bonus"),
    wilds=Wilds("same", white="face"), bonus=Bonus(t.BONUS, order="rounds"), dead_wall=DeadWall(15),
    floats=Floats("straight", bars=CLAIMS | {"discard"}, bars_floater=CLAIMS | {"discard"}, always=True),
    discards=Discards(forced="follow"), false_win=FalseWin(deal="unchanged"),
    effects=effects(WRONG_CLAIMS + WRONG_DRAWS, false_win="penalty"),
)
WUHAN = Ritual(
    stacks=(17,) * 4, opening=SMALLER, indicator=Indicator("head"),
    wilds=Wilds("next", rings=(ONE_RING,), passed_over=(t.RED, t.GREEN)),
    bonus=Bonus(single_kongs=True, kong_kinds=(t.RED, t.GREEN), before_indicator=False),
    dead_wall=DeadWall(10, last_draws=4), deal=FOUR_ROUNDS, effects=effects(WRONG_DRAWS, false_win="penalty"),
)
WUHAN_RED = replace(
    WUHAN, wilds=replace(WUHAN.wilds, passed_over=(t.RED,)), bonus=replace(WUHAN.bonus, kong_kinds=(t.RED,))
)

RITUALS: dict[str, Ritual] = {
    "beijing": Ritual(
        stacks=(17,) * 4, indicator=Indicator("head"), wilds=Wilds("next", rings=(WIND_RING, DRAGON_RING)),
        dead_wall=DeadWall(14), discards=Discards(wild="forfeits"), same_discards="opening", deal=FOUR_ROUNDS,
        effects=effects(("wild_discarded",), false_win="penalty"),
    ),
    "changsha": Ritual(
        stacks=(14, 14, 13, 13), opening=SMALLER, dice_tiles=1, dead_wall=DeadWall(refusal=True),
        claims=Claims(winners="all", missed_win="tile", missed_skip=False),
        deal=Succession(winner="winner", several="discarder", bird=True, drawn="last"), false_win=NOTHING,
    ),
    "fenghua": Ritual(
        opening=Break(figure="larger"), indicator=Indicator("tail", "smaller"), wilds=Wilds("same"),
        bonus=Bonus(t.BONUS, before_indicator=False), dead_wall=DeadWall(to_indicator=True, refusal=True),
        deal=WINDS_MOVE, effects=effects(false_win="penalty"),
    ),
    "fuzhou": Ritual(
        indicator=Indicator("replacement", when="after_bonus"), wilds=Wilds("same"),
        bonus=Bonus(t.HONOURS + t.BONUS, order="rounds"),
        dead_wall=DeadWall(18, open_kong=1, concealed_kong=2, four_alike=2, last_draws=4),
        deal=Succession(drawn="right"), effects=effects(false_win="penalty"),
    ),
    "hangzhou": Ritual(
        stacks=(17,) * 4, indicator=Indicator("next_wall"), wilds=Wilds("same", white="face"), replacement="lower",
        dead_wall=DeadWall(19),
        floats=Floats(
            "straight", bars=CLAIMS | {"added_kong", "discard", "robbed_kong"},
            bars_floater=CLAIMS | {"discard", "robbed_kong"},
        ),
        deal=Succession(winner="winner"), false_win=FalseWin(deal="drawn"), effects=effects(false_win="penalty"),
    ),
    "hongkong": Ritual(
        opening=UNSTATED, bonus=FLOWERS, first_turn=frozenset({"first_discard", "any_discard"}), deal=WINDS_MOVE,
        false_win=FalseWin(deal="drawn"), effects=effects(false_win="penalty"),
    ),
    "jinan": Ritual(
        opening=SMALLER, bonus=FLOWERS, dead_wall=DeadWall(12, half_stack=True), ready=frozenset({"open"}),
        same_discards="opening", deal=Succession(winner="winner", drawn="right"), false_win=NOTHING,
    ),
    "jingzhou": replace(
        WUHAN_RED, stacks=(16,) * 3, dead_wall=DeadWall(10),
        wilds=Wilds("next", rings=(ONE_RING[1:],), passed_over=(t.RED,)),
    ),
    "kawuxing": Ritual(
        stacks=(14,) * 3,
        claims=Claims(
            chow=False, winners="all", kong_after_claim=frozenset({"added_kong"}), held_third=False,
            kong_needs_tile=True, missed_win="higher",
        ),
        ready=frozenset({"open"}), deal=Succession(winner="winner", several="discarder"), false_win=NOTHING,
    ),
    "nanchang": Ritual(
        stacks=(17,) * 4, opening=TWO_THROWS, indicator=Indicator("tail", thrower="dealer"),
        wilds=Wilds("both", rings=(WIND_RING, DRAGON_RING)), dead_wall=DeadWall(34),
        claims=Claims(honour_chows=True, wild_in_meld=True, claimed_wild=True, missed_win="tile"),
        same_discards="opening", deal=Succession(sacked_passes=True, rounds=4), effects=effects(false_win="penalty"),
    ),
    "nanjing": Ritual(
        opening=UNSTATED, bonus=Bonus(t.DRAGONS + t.BONUS), dead_wall=DeadWall(16), claims=Claims(chow=False),
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
        opening=Break(figure="larger"), indicator=Indicator("tail", "smaller"), wilds=Wilds("same"),
        bonus=Bonus(t.BONUS, before_indicator=False), claims=Claims(kong_after_claim=frozenset()),
        discards=Discards(swap=False, swap_free_melds=4), deal=WINDS_MOVE, effects=effects(false_win="penalty"),
    ),
    "quanzhou": XIAMEN,
    "shaanxi": Ritual(
        stacks=(17,) * 4, opening=TWO_THROWS, replacement="by_kong", stakes="hand",
        dead_wall=DeadWall(by_kongs=(26, 14, 16, 26)), effects=effects(false_win="penalty"),
    ),
    "shanghai_1980s": replace(SHANGHAI, deal=Succession(winner="winner")),
    "shanghai_jinshan": replace(
        SHANGHAI, opening=TWO_THROWS, bonus=Bonus(t.SEASONS), wilds=Wilds("fixed", kinds=t.FLOWERS),
        discards=Discards(wild="barred"), deal=Succession(drawn="right"),
    ),
    "shanghai_laoshi": replace(
        SHANGHAI, stacks=(18, 18, 17, 17), bonus=Bonus(t.SEASONS), deal=Succession(drawn="right")
    ),
    "shanghai_liuxing": SHANGHAI,
    "shanghai_xinshi": SHANGHAI,
    "taiwan": Ritual(
        opening=Break(dice=3), bonus=FLOWERS, dead_wall=DeadWall(16),
        first_turn=frozenset({"first_discard", "any_discard", "first_draw"}), deal=WINDS_MOVE,
        false_win=FalseWin(deal="drawn"), effects=effects(false_win="penalty"),
    ),
    "taizhou": Ritual(
        stacks=(17,) * 4, opening=TWO_THROWS, indicator=Indicator("head"), wilds=Wilds("same", white="win"),
        replacement="lower", dead_wall=DeadWall(14, replacement=1), claims=Claims(missed_win="tile", missed_pung=True),
        deal=Succession(drawn="right"), false_win=NOTHING,
    ),
    "wenzhou": Ritual(
        stacks=(17,) * 4, layout="rows", opening=TWO_THROWS, indicator=Indicator("right_end"),
        wilds=Wilds("same", white="face"), dead_wall=DeadWall(15, to_indicator=True),
        discards=Discards(wild="last_resort", forced="lone"),
        deal=Succession(drawn_repeat=False, most_wins=4, kong_passes=True), effects=effects(false_win="penalty"),
    ),
    "wuhan": WUHAN,
    "wuhan_hongzhong": WUHAN_RED,
    "xiamen": XIAMEN,
    "yangzhou": Ritual(
        stacks=(17,) * 4, opening=SMALLER,
        claims=Claims(winners="all", missed_win="any", missed_skip=False, missed_draw=True),
        deal=Succession(drawn="right", round_wind=True, rounds=4), effects=effects(false_win="penalty"),
    ),
    "yiwu": Ritual(
        stacks=(17,) * 4, opening=TWO_THROWS, indicator=Indicator("right_end", when="before_deal"),
        wilds=Wilds("same", white="face"), dead_wall=DeadWall(by_floats=(34, 14, 6)), floats=Floats("lasting"),
        stakes="run", effects=effects(false_win="penalty"),
    ),
}


# What options change in the ritual: rule set, option -> (ritual, value) -> ritual. Options not named here do not.

def _claims(**changes: Any) -> Callable[[Ritual, Any], Ritual]:
    return lambda ritual, value: replace(ritual, claims=replace(ritual.claims, **changes)) if value else ritual


def _missed_pung(ritual: Ritual, value: bool) -> Ritual:
    return replace(ritual, claims=replace(ritual.claims, missed_pung=value))


def _dice_roles(ritual: Ritual, value: str) -> Ritual:
    if value == "break_large":
        return ritual
    return replace(ritual, opening=Break(figure="smaller"), indicator=Indicator("tail", "larger"))


def _kong_tiles(ritual: Ritual, value: str) -> Ritual:
    kinds = {"hongzhong": (t.RED,), "hongzhong_facai": (t.RED, t.GREEN), "pizi": ()}[value]
    return replace(
        ritual, wilds=replace(ritual.wilds, passed_over=kinds),
        bonus=replace(ritual.bonus, kong_kinds=kinds, skins=value == "pizi"),
    )


def _taiwan_dead_wall(ritual: Ritual, value: str) -> Ritual:
    walls = {"fixed": DeadWall(16), "per_kong": DeadWall(16, open_kong=1, concealed_kong=1), "none": DeadWall()}
    return replace(ritual, dead_wall=replace(walls[value], refusal=ritual.dead_wall.refusal))


def _swap(ritual: Ritual, swap: bool) -> Ritual:
    return replace(ritual, discards=replace(ritual.discards, swap=swap))


def _xiamen_float_wins(ritual: Ritual, value: bool) -> Ritual:
    return replace(ritual, floats=replace(ritual.floats, bars=CLAIMS)) if value else ritual


def _fixed_false_win(ritual: Ritual, value: bool) -> Ritual:
    return replace(ritual, false_win=replace(ritual.false_win, pays="fixed")) if value else ritual


XIAMEN_OPTIONS: dict[str, Callable[[Ritual, Any], Ritual]] = {
    "missed_win": _claims(missed_win="tile", missed_pung=True),
    "float_round_discard_win": _xiamen_float_wins,
    "gold_choice": lambda r, v: replace(r, indicator=Indicator("replacement", when="after_bonus")) if v == "tail" else
    r,
}
OPTIONS: dict[str, dict[str, Callable[[Ritual, Any], Ritual]]] = {
    "beijing": {
        "missed_win": _claims(missed_win="tile"),
        "at_most_once": _claims(most=1),
        "false_win_fixed": _fixed_false_win,
        "dead_wall": lambda r, v: replace(
            r, dead_wall={"7": DeadWall(14), "7_8": DeadWall(by_kongs=(14, 14, 16)),
                          "14_plus": DeadWall(14, open_kong=1, concealed_kong=1)}[v]
        ),
    },
    "changsha": {"double_kong": lambda r, v: replace(r, dice_tiles=2 if v else 1)},
    "fenghua": {"dice_roles": _dice_roles},
    "fuzhou": {
        "tile_set": lambda r, v: replace(r, stacks=(16,) * 4, bonus=replace(r.bonus, kinds=(*t.WINDS, t.RED)))
        if v == 128 else r
    },
    "hangzhou": {
        "white_wild": lambda r, v: replace(r, indicator=None, wilds=Wilds("fixed", kinds=(t.WHITE,))) if v else r,
        "feed_limit": lambda r, v: replace(r, claims=replace(r.claims, feed_limit=v)),
        "feed_limit_from": lambda r, v: replace(r, claims=replace(r.claims, feed_from=v)),
        "float_claims": lambda r, v: replace(
            r, floats=replace(r.floats, bars_floater=frozenset({"discard", "robbed_kong"}))
        ) if v else r,
        "missed_win": _claims(missed_win="tile"),
        "missed_pung": _missed_pung,
        "wild_discard_forfeits": lambda r, v: replace(
            r, discards=replace(r.discards, wild="forfeits_unless_float"),
            effects={**r.effects, "wild_discarded": "dead_hand"},
        ) if v else r,
        "false_win_continues": lambda r, v: replace(r, false_win=replace(r.false_win, ends=not v)),
    },
    "hongkong": {"false_win": lambda r, v: _fixed_false_win(r, v == "limit")},
    "jinan": {"multiple_winners": _claims(winners="all")},
    "nanchang": {
        "missed_pung": _missed_pung,
        "dead_wall": lambda r, v: replace(r, dead_wall=DeadWall(34, half_stack=v == "stack_or_half")),
    },
    "ningbo": {"dice_roles": _dice_roles},
    "quanzhou": XIAMEN_OPTIONS,
    "shaanxi": {"missed_win": _claims(missed_win="tile", missed_skip=False)},
    "shanghai_jinshan": {"no_swap_discard": lambda r, v: _swap(r, not v)},
    "taiwan": {
        "bonus_tiles": lambda r, v: r if v else replace(r, stacks=(17,) * 4, bonus=Bonus()),
        "declared_ready": lambda r, v: replace(r, ready=frozenset({"ready", "first", "dealt"}) if v else frozenset()),
        "dead_wall": _taiwan_dead_wall,
        "missed_win": lambda r, v: _claims(missed_win="any", missed_skip=False)(r, v == "until_draw"),
        "kong_after_claim": lambda r, v: _claims(kong_after_claim=frozenset())(r, not v),
        "swap_discard": _swap,
        "same_turn_claim": lambda r, v: replace(r, claims=replace(r.claims, own_discard=v)),
        "last_tile_refusal": lambda r, v: replace(r, dead_wall=replace(r.dead_wall, refusal=v)),
    },
    "taizhou": {
        "missed_win": lambda r, v: replace(r, claims=replace(r.claims, missed_win="tile" if v == "same_tile" else v))
    },
    "wenzhou": {
        "missed_pung": _missed_pung,
        "wall_layout": lambda r, v: replace(r, layout=v),
    },
    "wuhan": {"kong_tiles": _kong_tiles},
    "wuhan_hongzhong": {"kong_tiles": _kong_tiles},
    "xiamen": XIAMEN_OPTIONS,
    "yangzhou": {
        "draw_keeps_dealer": lambda r, v: replace(r, deal=replace(r.deal, drawn="stay" if v else "right")),
        "rounds": lambda r, v: replace(r, deal=replace(r.deal, rounds=v)),
    },
}


def ritual(rules: str, options: dict[str, Any] | None = None) -> Ritual:
    """The ritual of a rule set under options."""
    value = RITUALS[rules]
    for name, given in (options or {}).items():
        if name in OPTIONS.get(rules, {}):
            value = OPTIONS[rules][name](value, given)
    return value
