"""The ritual of a rule set: everything about a hand that is not its score, as data.

How the walls stand and are broken, where the indicator is turned, what may be claimed and discarded, which tiles of
the wall stay, what a foul leads to, and who deals next. A rule set states only where it differs from common practice,
which is what the defaults say:

    Ritual()        # four walls of 18, broken at the sum of two dice; nothing turned up, no dead wall
    Ritual(stacks=(17,) * 4, indicator=Indicator("next_wall"), dead_wall=DeadWall(19))

Options of a rule set change it with ``with_ritual``:

    Option("missed_pung", Bool(), False, "...", lambda r, on: with_ritual(r, claims={"missed_pung": on}))

Everything here is pure. Seats are numbered from 0 in the order of play; "the player hit" by a throw is found by
counting the thrower as 1 and going on in that order. Figures and customs come from the rule sheets (docs/rules/ID.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from referee.rules import tiles as t
from referee.rules.tiles import Tile

if TYPE_CHECKING:
    from referee.rules.ruleset import Ruleset

Figure = Literal["sum", "smaller", "larger", "both"]
Effect = Literal["none", "warning", "dead_hand", "penalty", "redeal", "ask"]

CLAIMS = frozenset({"chow", "pung", "kong"})
WRONG_CLAIMS = ("wrong_chow", "wrong_pung", "wrong_kong", "wild_in_meld", "claimed_wild", "barred_claim")
WRONG_DRAWS = ("out_of_turn", "wrong_end", "dead_wall")


# --------------------------------------------------------------------------------------------------- walls and dice

@dataclass(frozen=True)
class Break:
    """How the wall is opened.

    The dealer throws ``dice`` dice; with ``two_throws`` the player hit throws as well. ``figure`` says how many stacks
    are left standing at the right end of the broken wall: the sum of the (first) throw, one die of it, or the sum of
    ``"both"`` throws. ``of`` says whose wall it is: the player hit by the first throw or by the second. ``stated`` is
    false where the sheet describes nothing and general practice is assumed: then a deviation proves nothing.
    Beyond the end of a wall the count goes on into the next one clockwise.
    """

    dice: int = 2
    two_throws: bool = False
    figure: Figure | Literal["second"] = "sum"
    of: Literal["first", "second"] = "first"
    stated: bool = True


@dataclass(frozen=True)
class Indicator:
    """Where the tile that fixes the wild tiles is turned up.

    ``origin``: ``"head"`` the next tile of the wall; ``"tail"`` stacks counted from the tail (tail = 1);
    ``"next_wall"`` from the near end of the wall beyond the broken one, against the direction of drawing (Hangzhou);
    ``"right_end"`` from the right end of the wall of the player hit first (Wenzhou, Yiwu); ``"replacement"`` the next
    tile at the tail (Fuzhou). ``figure`` is the count, of the dealer's first throw or, with ``thrower``, of a throw
    of its own (always its sum) by the dealer or by the player whose wall was broken. ``when`` is its place among the
    events.
    """

    origin: Literal["head", "tail", "next_wall", "right_end", "replacement"] = "head"
    figure: Figure = "sum"
    thrower: Literal[None, "dealer", "broken"] = None
    when: Literal["before_deal", "after_deal", "after_bonus"] = "after_deal"


@dataclass(frozen=True)
class Place:
    """A place in the walls: whose wall (None: not known), and the stack, counted as the rule set counts it."""

    wall: int | None
    stack: int


# ------------------------------------------------------------------------------------------------------- dead wall

@dataclass(frozen=True)
class DeadWall:
    """Tiles that are never drawn, the indicator not counted.

    ``tiles`` stay, + ``open_kong`` / ``concealed_kong`` for each such kong declared, + ``replacement`` for each kong
    replacement drawn, + ``four_alike`` for each set of four alike bonus tiles of one player. ``by_kongs`` (by the
    number of kongs, the last figure for more) and ``by_floats`` (by the wild tiles one player floated in a row) take
    the place of ``tiles``. ``half_stack``: one tile less when the tail stack has lost its upper tile (Jinan counts
    stacks). ``to_indicator``: the tiles between indicator and tail stay, or ``tiles`` where these are more.
    ``last_draws``: so many tiles before the end are drawn in turn without discards or kongs.
    ``refusal``: the last tile may be refused, for the next player to take.
    """

    tiles: int = 0
    open_kong: int = 0
    concealed_kong: int = 0
    replacement: int = 0
    four_alike: int = 0
    by_kongs: tuple[int, ...] = ()
    by_floats: tuple[int, ...] = ()
    half_stack: bool = False
    to_indicator: bool = False
    last_draws: int = 0
    refusal: bool = False

    @cached_property
    def is_fixed(self) -> bool:
        """Whether nothing that happens changes ``tiles``."""
        return self == DeadWall(self.tiles, last_draws=self.last_draws, refusal=self.refusal)


@dataclass(frozen=True)
class WallUse:
    """What the dead wall depends on, as counted by the table. ``behind_indicator`` is None where nobody knows."""

    open_kongs: int = 0
    concealed_kongs: int = 0
    replacements: int = 0
    four_alikes: int = 0
    floats: int = 0
    tail_draws: int = 0
    behind_indicator: int | None = None


# ---------------------------------------------------------------------------------------------- claims and discards

@dataclass(frozen=True)
class Claims:
    """What may be claimed and declared, beside what the rule set itself says of chows, wild tiles and several winners.

    ``kong_after_claim``: kongs that may be declared between a chow or pung and its discard. ``held_third``: false where a
    pung made while holding three bars the later added kong (Kawuxing). ``kong_needs_tile``: no kong without a tile left
    to replace it. ``missed_win``: after letting a winning discard pass, until the own turn: ``"free"``; no win on the
    same ``"tile"``; no win on ``"any"`` discard; only on a ``"higher"`` hand. ``missed_skip``: being skipped by a claim
    counts as the own turn. ``missed_draw``: discarding a tile one could have won with counts as letting it pass
    (Yangzhou). ``missed_pung``: the same for a passed pung. ``own_discard``: false where a tile discarded by oneself in
    this go-round may not be claimed. ``most``: most chows and pungs a hand (Beijing's option). ``feed_limit``: whose
    third claim from one player is barred, where that is played (Hangzhou's option), from the ``feed_from``-th hand of
    the dealer's run on.
    """

    kong_after_claim: frozenset[str] = frozenset({"added_kong", "concealed_kong"})
    held_third: bool = True
    kong_needs_tile: bool = False
    missed_win: Literal["free", "tile", "any", "higher"] = "free"
    missed_skip: bool = True
    missed_draw: bool = False
    missed_pung: bool = False
    own_discard: bool = True
    most: int | None = None
    feed_limit: Literal["none", "dealer_only", "no_three_chows", "nobody"] = "none"
    feed_from: int = 1


@dataclass(frozen=True)
class Floats:
    """Wild tiles discarded as a float.

    ``counted``: ``"straight"`` the wild discards directly before a win; ``"lasting"`` the longest row of them in the
    hand (Yiwu). In the round until the floater's next turn ``bars`` forbids the others and ``bars_floater`` the
    floater himself: chow, pung, kong, added_kong, discard (a win on one), robbed_kong (a win by robbing).
    ``always``: any wild discard opens such a round; otherwise one that is known to be no float does not.
    """

    counted: Literal["none", "straight", "lasting"] = "none"
    bars: frozenset[str] = frozenset()
    bars_floater: frozenset[str] = frozenset()
    always: bool = False


@dataclass(frozen=True)
class Discards:
    """Which discards are not free.

    ``wild``: wild tiles may go ``"free"``; may never go (``"barred"``); only when the hand is all wild tiles
    (``"last_resort"``); or cost the right to win (``"forfeits"``; ``"forfeits_unless_float"``).
    ``forced``: a single honour of a kind already discarded must go first (``"follow"``, Xiamen); any single honour
    before suit tiles, those already discarded before other honours too (``"lone"``, Wenzhou).
    ``swap``: the tile just claimed may be discarded at once; ``swap_free_melds``: with so many sets down it always may.
    """

    wild: Literal["free", "barred", "last_resort", "forfeits", "forfeits_unless_float"] = "free"
    forced: Literal["none", "follow", "lone"] = "none"
    swap: bool = True
    swap_free_melds: int | None = None


# ------------------------------------------------------------------------------------ dealer and irregularities

@dataclass(frozen=True)
class Succession:
    """Who deals next, and what ``repeat`` counts.

    ``winner``: a non-dealer's win gives the deal to the ``"right"`` neighbour of the dealer or to the ``"winner"``.
    ``several``: with several winners: ``"any"`` the dealer stays if he is among them, or the ``"discarder"`` deals;
    won on dealt hands by several, the player hit by the bird (``bird``, Changsha). ``drawn``: ``"stay"``, ``"right"``
    or
    ``"last"`` (who drew or first refused the last tile). ``drawn_repeat``: a drawn hand adds to ``repeat``.
    ``most_wins``: the dealer's so-many-th win in a row passes the deal; ``kong_passes``: so does a drawn hand with a
    kong (Wenzhou). ``stay_patterns``: the dealer stays only on a win with one of these (Nanjing). ``sacked_passes``:
    all first discards alike pass the deal (Nanchang). ``round_wind``: moves when the deal comes back to seat 0.
    ``rounds``: rotations of the deal in a game, None where the sheet names no end; ``broke``: so many players without
    chips end it. ``base_grows``: the dealer's base rises by the multiplier of what he wins (Quanzhou's option).
    """

    winner: Literal["right", "winner"] = "right"
    several: Literal["any", "discarder"] = "any"
    bird: bool = False
    drawn: Literal["stay", "right", "last"] = "stay"
    drawn_repeat: bool = True
    most_wins: int | None = None
    kong_passes: bool = False
    stay_patterns: frozenset[str] | None = None
    sacked_passes: bool = False
    round_wind: bool = False
    rounds: int | None = None
    broke: int | None = None
    base_grows: bool = False


@dataclass(frozen=True)
class FalseWin:
    """A declared win that is none: what it pays (``"fixed"``: a price that needs no announced amounts), whether the
    hand ends, and who deals next: as after a drawn hand, the same dealer with ``repeat`` unchanged, or not stated."""

    pays: Literal["claimed", "fixed", "nothing"] = "claimed"
    ends: bool = True
    deal: Literal["unstated", "drawn", "unchanged"] = "unstated"


@dataclass(frozen=True)
class Customs:
    """How tiles lie on the table; nothing in the game depends on it. A sheet that says nothing leaves the defaults.

    ``discards``: in ``"rows"`` before each player, or in disorder in the ``"middle"``. ``giver``: a claimed tile is turned
    so as to show from whom it came. ``closed_kong``: which of a concealed kong's four tiles lie face down.
    """

    discards: Literal["rows", "middle"] = "rows"
    giver: bool = True
    closed_kong: tuple[bool, bool, bool, bool] = (True, False, False, True)


ONE_UP = (True, True, True, False)
ALL_DOWN = (True, True, True, True)
ALL_UP = (False, False, False, False)


def effects(dead: Iterable[str] = (), **others: Effect) -> dict[str, Effect]:
    """What fouls lead to: long and short hands are dead everywhere, ``dead`` names more such, ``others`` the rest."""
    return {"long_hand": "dead_hand", "short_hand": "dead_hand", **dict.fromkeys(dead, "dead_hand"), **others}


@dataclass(frozen=True)
class Ritual:
    """All of it. ``bonus_order``: at the deal each player replaces all his bonus tiles before the next does, or in
    rounds, a tile drawn then waiting for the player's next turn; with the indicator turned ``"after_bonus"`` they
    are replaced before it, otherwise after it. ``replacement``: which tile of a whole tail stack is taken first
    (``"by_kong"``: the lower for a concealed kong, Shaanxi). ``dice_tiles``: tiles of a stack chosen by dice in
    place of a kong's replacement (Changsha; the hand is bound afterwards). ``ready``: kinds of ready declarations
    known. ``stakes``: declared for each hand, or kept for the dealer's run (Yiwu). ``first_turn``: what counts as a
    first-turn win besides the dealt hand: the dealer's first discard, any discard before the own first draw, the
    first own draw before any claim. ``same_discards``: everybody's first discards alike are recorded
    (``"opening"``), or any four alike in a row and all four by one player (``"four"``). ``doubles_next``: patterns
    and reasons of payments that double the hand after (Nanjing, by option).
    """

    stacks: tuple[int, ...] = (18, 18, 18, 18)
    layout: Literal["stacked", "rows", "inner_outer"] = "stacked"
    opening: Break = Break()
    indicator: Indicator | None = None
    bonus_order: Literal["each", "rounds"] = "each"
    replacement: Literal["upper", "lower", "by_kong"] = "upper"
    dice_tiles: int = 0
    dead_wall: DeadWall = DeadWall()
    claims: Claims = Claims()
    floats: Floats = Floats()
    discards: Discards = Discards()
    ready: frozenset[str] = frozenset()
    stakes: Literal["none", "hand", "run"] = "none"
    first_turn: frozenset[str] = frozenset({"first_discard"})
    same_discards: Literal["none", "opening", "four"] = "none"
    doubles_next: frozenset[str] = frozenset()
    deal: Succession = Succession()
    false_win: FalseWin = FalseWin()
    effects: dict[str, Effect] = field(default_factory=effects)
    customs: Customs = Customs()


def changed(ritual: Ritual, **parts: Any) -> Ritual:
    """The ritual with parts changed: a new value, or a dict of the part's fields that differ.

    >>> changed(Ritual(), dead_wall={"refusal": True}, dice_tiles=2).dead_wall.refusal
    True
    """
    values = {
        name: replace(getattr(ritual, name), **part) if isinstance(part, dict) and name != "effects" else part
        for name, part in parts.items()
    }
    return replace(ritual, **values)


def with_ritual(rules: Ruleset, **parts: Any) -> Ruleset:
    """The rule set with parts of its ritual changed, for options."""
    return replace(rules, ritual=changed(rules.ritual or Ritual(), **parts))


# ------------------------------------------------------------------------------------------------- dice to places

def player_hit(thrower: int, total: int, players: int) -> int:
    """The seat reached counting the thrower as 1: ``player_hit(0, 7, 4) == 2``."""
    return (thrower + total - 1) % players


def figure(throw: Sequence[int], what: Figure) -> int:
    """A figure read off one throw."""
    return {"smaller": min(throw), "larger": max(throw)}.get(what, sum(throw))


def second_thrower(ritual: Ritual, dealer: int, first: Sequence[int], players: int) -> int | None:
    """Who throws again for the break, None where one throw does."""
    return player_hit(dealer, sum(first), players) if ritual.opening.two_throws else None


def break_wall(ritual: Ritual, dealer: int, throws: Sequence[Sequence[int]], players: int) -> Place | None:
    """Whose wall is broken and how many stacks (Xiamen: tiles) are left at its right end; None with too few throws.

    >>> break_wall(Ritual(opening=Break(figure="smaller")), 0, [(2, 5)], 4)
    Place(wall=2, stack=2)
    """
    opening = ritual.opening
    if len(throws) < 1 + opening.two_throws:
        return None
    hit = player_hit(dealer, sum(throws[0]), players)
    if opening.of == "second":
        hit = player_hit(hit, sum(throws[1]), players)
    if opening.figure == "both":
        return Place(hit, sum(throws[0]) + sum(throws[1]))
    if opening.figure == "second":
        return Place(hit, sum(throws[1]))
    return Place(hit, figure(throws[0], opening.figure))


def folded(ritual: Ritual, place: Place, players: int) -> Place:
    """The same break with a count beyond the end of the wall carried into the next wall clockwise."""
    length = ritual.stacks[0]
    if place.wall is None or place.stack <= length or ritual.layout == "inner_outer":
        return place
    return Place((place.wall - 1) % players, place.stack - length)


def indicator_thrower(ritual: Ritual, dealer: int, throws: Sequence[Sequence[int]], players: int) -> int | None:
    """Who throws for the indicator, None where nobody does or nobody can tell."""
    if ritual.indicator is None or ritual.indicator.thrower is None:
        return None
    if ritual.indicator.thrower == "dealer":
        return dealer
    broken = break_wall(ritual, dealer, throws, players)
    return broken.wall if broken else None


def indicator_place(
    ritual: Ritual, dealer: int, throws: Sequence[Sequence[int]], own: Sequence[int] | None, players: int
) -> Place | None:
    """Where the indicator belongs; None where the dice do not say (turned at the head, or throws not known).

    ``own`` is the throw made for the indicator, where there is one. In Xiamen replacements have moved the tail, so
    only the count is known there.

    >>> indicator_place(Ritual(indicator=Indicator("next_wall")), 0, [(3, 5)], None, 4)
    Place(wall=0, stack=8)
    """
    rule = ritual.indicator
    if rule is None or rule.origin in ("head", "replacement") or not throws:
        return None
    if rule.thrower is not None and own is None:
        return None
    count = sum(own) if own is not None and rule.thrower is not None else figure(throws[0], rule.figure)
    if rule.origin == "right_end":
        return Place(player_hit(dealer, sum(throws[0]), players), count)
    broken = break_wall(ritual, dealer, throws, players)
    if broken is None or broken.wall is None:
        return None
    if rule.origin == "next_wall":
        return Place((broken.wall + 1) % players, count)
    if ritual.layout == "inner_outer":
        return Place(None, count)
    place = folded(ritual, broken, players)
    beyond = count > place.stack
    return Place((place.wall + 1) % players if beyond and place.wall is not None else place.wall, count)


def behind_indicator(ritual: Ritual, throws: Sequence[Sequence[int]], own: Sequence[int] | None) -> int | None:
    """Tiles between the indicator and the untouched tail, its stack's lower tile included; None where not known.

    Fenghua: the smaller die counts stacks from the tail. Wenzhou: the second throw's sum lies between the two.
    """
    rule = ritual.indicator
    if rule is None or not throws:
        return None
    if rule.origin == "tail" and ritual.layout != "inner_outer":
        if rule.thrower is not None:
            return None if own is None else 2 * sum(own) - 1
        return 2 * figure(throws[0], rule.figure) - 1
    if rule.origin == "right_end" and len(throws) > 1:
        return 2 * sum(throws[1]) + 1
    return None


# ------------------------------------------------------------------------------------------------------ wall

def dead_wall_tiles(ritual: Ritual, use: WallUse) -> int:
    """How many tiles stay, the indicator not counted: a draw made when no more are left is a fault.

    >>> dead_wall_tiles(Ritual(dead_wall=DeadWall(by_kongs=(26, 14, 16, 26))), WallUse(open_kongs=2))
    16
    """
    rule = ritual.dead_wall
    kongs = use.open_kongs + use.concealed_kongs
    base = rule.tiles
    if rule.by_kongs:
        base = rule.by_kongs[min(kongs, len(rule.by_kongs) - 1)]
    elif rule.by_floats:
        base = rule.by_floats[min(use.floats, len(rule.by_floats) - 1)]
    base += rule.open_kong * use.open_kongs + rule.concealed_kong * use.concealed_kongs
    base += rule.replacement * use.replacements + rule.four_alike * use.four_alikes
    if rule.half_stack:
        base -= use.tail_draws % 2
    if rule.to_indicator and use.behind_indicator is not None:
        base = max(base, use.behind_indicator - use.tail_draws)
    return base


# ------------------------------------------------------------------------------------------------------ claims

def rank(kind: str) -> int:
    """Precedence of claims on one discard: a win before pung and kong before chow."""
    return {"win": 3, "pung": 2, "kong": 2, "chow": 1}.get(kind, 0)


# ------------------------------------------------------------------------------------------------------ the next hand

@dataclass(frozen=True)
class HandResult:
    """What the succession of dealers looks at. ``last_player`` drew or first refused the last tile."""

    why: Literal["win", "exhausted", "false_win", "stopped"]
    winners: tuple[int, ...] = ()
    patterns: frozenset[str] = frozenset()
    discarder: int | None = None
    dealt: bool = False
    bird_seat: int | None = None
    kong: bool = False
    sacked: bool = False
    last_player: int | None = None


@dataclass(frozen=True)
class Next:
    """The hand that follows. ``round_wind`` is a tile."""

    dealer: int
    repeat: int
    round_wind: Tile


def next_dealer(ritual: Ritual, dealer: int, repeat: int, wind: Tile, result: HandResult, players: int) -> Next | None:
    """Who deals the next hand; None where the sheet does not say (most false wins).

    >>> next_dealer(Ritual(), 3, 0, t.EAST, HandResult("win", winners=(1,)), 4)
    Next(dealer=0, repeat=0, round_wind=27)
    """
    rule, why = ritual.deal, result.why
    if why == "stopped" or (why == "false_win" and ritual.false_win.deal == "unchanged"):
        return Next(dealer, repeat, wind)
    if why == "false_win" and ritual.false_win.deal == "unstated":
        return None
    if why == "win" and result.winners:
        seat, count = _after_win(rule, dealer, repeat, result, players)
    else:
        seat, count = _after_draw(rule, dealer, repeat, result, players)
    if rule.sacked_passes and result.sacked:
        seat = (dealer + 1) % players
    kept = seat == dealer
    moves = rule.round_wind and not kept and seat == 0
    following = t.WINDS[(t.WINDS.index(wind) + 1) % 4] if moves and wind in t.WINDS else wind
    return Next(seat, count if kept else 0, following)


def _after_win(rule: Succession, dealer: int, repeat: int, result: HandResult, players: int) -> tuple[int, int]:
    right = (dealer + 1) % players
    if len(result.winners) > 1:
        if rule.bird and result.dealt and result.bird_seat is not None:
            return result.bird_seat, repeat + 1
        if rule.several == "discarder" and result.discarder is not None:
            return result.discarder, repeat + 1
    if dealer not in result.winners:
        return (result.winners[0] if rule.winner == "winner" else right), 0
    if rule.stay_patterns is not None and not rule.stay_patterns & result.patterns:
        return right, 0
    if rule.most_wins is not None and repeat + 1 >= rule.most_wins:
        return right, 0
    return dealer, repeat + 1


def _after_draw(rule: Succession, dealer: int, repeat: int, result: HandResult, players: int) -> tuple[int, int]:
    count = repeat + 1 if rule.drawn_repeat else repeat
    if rule.kong_passes and result.kong:
        return (dealer + 1) % players, 0
    if rule.drawn == "right":
        return (dealer + 1) % players, 0
    if rule.drawn == "last" and result.last_player is not None:
        return result.last_player, count
    return dealer, count
