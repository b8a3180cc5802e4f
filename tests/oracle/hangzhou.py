"""Oracle for Hangzhou, written from the sheet hangzhou.md alone."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from referee.rules.tiles import HONOURS, PLAYING, WHITE
from tests.oracle import _f1, common
from tests.oracle.common import COPIES_136, Meld, Record, Spec, Win, decompositions, is_bool, one_of

SPEC = Spec(
    "hangzhou",
    4,
    COPIES_136,
    {
        "white_wild": (False, is_bool),
        "self_draw_only": (False, is_bool),
        "rob_from_two": (False, is_bool),
        "discard_pure_pairs": (True, is_bool),
        "bao_on_discard": (False, is_bool),
        "feed_limit": ("none", one_of("none", "dealer_only", "no_three_chows", "nobody")),
        "feed_limit_from": (1, one_of(1, 2, 3)),
        "float_claims": (False, is_bool),
        "float_round_bao": (False, is_bool),
        "missed_win": (False, is_bool),
        "missed_pung": (False, is_bool),
        "wild_discard_forfeits": (False, is_bool),
        "false_win_continues": (False, is_bool),
        "ten_honours": ("off", one_of("off", "ten_draw", "ten_baotou")),
        "instant_three_lao": ("off", lambda v: v in ("off", "doublet") or common.at_least(2)(v)),
    },
)


def settle(data: dict[str, Any]) -> dict[str, Any]:
    record = common.read_record(data, SPEC)
    ledger = common.Ledger(4)
    verdicts = _f1.judge_one_winner(record, lambda win: _factor(record, win))
    for win, factor in zip(record.wins, verdicts, strict=True):
        if factor is not None:
            _pay(record, win, factor, ledger)
    for incident in record.incidents:
        if incident["kind"] == "false_win":
            for seat, amount in enumerate(incident["claimed"]):
                if seat != incident["seat"]:
                    ledger.pay(incident["seat"], seat, _limited(record, incident["seat"], amount))
    return _f1.result(record, ledger, verdicts)


def _wild(record: Record) -> int:
    if record.options["white_wild"]:
        return WHITE
    if record.indicator is None:
        raise common.Malformed("indicator")
    return record.indicator


def _face(record: Record, tile: int) -> int:
    """A white is the indicator's tile."""
    return record.indicator if tile == WHITE and record.indicator is not None else tile


def _lao(record: Record) -> int:
    return min(record.repeat + 1, 3)


def _factor(record: Record, win: Win) -> int | None:
    """Winning shapes and restrictions; Scoring. The product of the doublings, None where the win is not allowed."""
    wild, options = _wild(record), record.options
    player = record.players[win.seat]
    dead = common.dead_seats(record)
    if options["false_win_continues"]:
        dead |= {i["seat"] for i in record.incidents if i["kind"] == "false_win"}
    if win.seat in dead:
        return None
    if options["wild_discard_forfeits"] and (player.discards or ()).count(wild) > win.floats:
        return None
    if win.special is not None:
        if options["ten_honours"] == "off":
            return None
        return 2 if win.special == "eleven_honours" or options["ten_honours"] == "ten_baotou" else 1
    if not _f1.hand_size_right(record, win, 13) or not all(_meld_allowed(record, win.seat, m) for m in player.melds):
        return None
    if _feeding_forbidden(record, win.seat):
        return None
    natural = [_face(record, t) for t in player.hand or () if t != wild]
    wilds = (player.hand or ()).count(wild)
    lone_wild = wilds > 0 and _sets_and_pairs(natural, wilds - 1, player.melds, pair=False)
    self_drawn = _f1.is_self_drawn(win)
    if not self_drawn and (lone_wild or win.tile == wild or not _claim_allowed(record, win)):
        return None
    if win.tile is not None and win.tile != wild:
        natural.append(_face(record, win.tile))
    wilds += win.tile == wild
    baotou = lone_wild and self_drawn and win.source != "deal"
    best = 0
    if _sets_and_pairs(natural, wilds, player.melds, pair=True):
        best = 2 ** (1 + win.floats) if baotou and _four_sets(record, win) else 1
    if not player.melds and common.odd_kinds(natural) <= wilds:
        best = max(best, _pairs_factor(record, win, natural, wilds, baotou))
    if not best:
        return None
    if self_drawn:
        best *= 2**win.kong_chain
    if win.source == "robbed_kong":
        best *= 2
    return best


def _four_sets(record: Record, win: Win) -> bool:
    """Before the draw: four sets and one wild tile over."""
    wild, player = _wild(record), record.players[win.seat]
    natural = [_face(record, t) for t in player.hand or () if t != wild]
    wilds = (player.hand or ()).count(wild) - 1
    return bool(decompositions(natural, wilds, 4 - len(player.melds), pairs=0))


def _pairs_factor(record: Record, win: Win, natural: list[int], wilds: int, baotou: bool) -> int:
    def fours(tiles: list[int]) -> int:
        return sum(n == 4 for n in Counter(tiles).values())

    pure = 2 if wilds == 0 and (win.source != "discard" or record.options["discard_pure_pairs"]) else 1
    plain = 2 * pure * 2 ** fours(natural)
    wild, hand = _wild(record), record.players[win.seat].hand or ()
    before = [_face(record, t) for t in hand if t != wild]
    if baotou and common.odd_kinds(before) <= hand.count(wild) - 1:
        return max(plain, 2 * 2 * 2**win.floats * 2 ** fours(before))
    return plain


def _sets_and_pairs(natural: list[int], wilds: int, melds: tuple[Meld, ...], *, pair: bool) -> bool:
    """Four sets (and a pair); without the pair also six pairs (the lone-wild shape)."""
    if decompositions(natural, wilds, 4 - len(melds), pairs=int(pair)):
        return True
    return not pair and not melds and common.odd_kinds(natural) <= wilds


def _meld_allowed(record: Record, seat: int, meld: Meld) -> bool:
    """No wild tile in a set; whites are the indicator's tile."""
    if _wild(record) in meld.tiles:
        return False
    shown = Meld(meld.kind, tuple(sorted(_face(record, t) for t in meld.tiles)))
    return common.proper_meld(shown)


def _feeding_forbidden(record: Record, seat: int) -> bool:
    """Option feed_limit: the third claim from one player that may not be made."""
    limit = record.options["feed_limit"]
    if limit == "none" or _lao(record) < record.options["feed_limit_from"]:
        return False
    for giver in range(4):
        claims = _f1.claims_from(record, seat, giver)
        if len(claims) < 3:
            continue
        if limit == "nobody":
            return True
        chows_only = all(m.kind == "chow" for m in claims[:3])
        if record.dealer not in (seat, giver) and (limit == "dealer_only" or chows_only):
            return True
    return False


def _claim_allowed(record: Record, win: Win) -> bool:
    """Discards and robbed kongs: 3 lao, dealer against non-dealer, no float round running."""
    options = record.options
    if options["self_draw_only"] or record.float_by is not None or win.floats:
        return False
    least = 2 if win.source == "robbed_kong" and options["rob_from_two"] else 3
    if win.source == "robbed_kong" and win.robbed_kind != "added":
        return False
    return _lao(record) >= least and record.dealer in (win.seat, win.source_seat)


def _limited(record: Record, payer: int, amount: int | float) -> int | float:
    chips = record.players[payer].chips
    return amount if chips is None else min(amount, chips)


def _pay(record: Record, win: Win, factor: int, ledger: common.Ledger) -> None:
    others = [s for s in range(4) if s != win.seat]
    raised = factor * 2 ** _lao(record)
    normal = {s: raised if record.dealer in (s, win.seat) else factor for s in others}
    total = sum(normal.values())
    due: dict[int, float] = dict.fromkeys(others, 0)
    fed = {s for s in others if len(_f1.claims_from(record, win.seat, s)) >= 3}
    took = {s for s in others if len(_f1.claims_from(record, s, win.seat)) >= 3}
    if win.source == "robbed_kong":
        due[win.source_seat] = total  # type: ignore[index]
    elif win.source == "discard":
        price = factor * 8
        due[win.source_seat] += price  # type: ignore[index]
        if record.options["bao_on_discard"]:
            for s in others:
                due[s] += price * (s in fed) + 2 * price * (s in took)
    elif fed | took:
        for s in others:
            due[s] = total * (s in fed) + 2 * total * (s in took)
    elif record.options["float_claims"] and record.options["float_round_bao"] and win.claimed_in_float is not None:
        due = {s: normal[s] / 2 for s in others}
        due[win.claimed_in_float] += total / 2
    else:
        due = dict(normal)
    for s in others:
        ledger.pay(s, win.seat, _limited(record, s, due[s]))


# --- random records -----------------------------------------------------------------------------------------------

_CHOICES: dict[str, list[Any]] = {
    "self_draw_only": [True],
    "rob_from_two": [True, False],
    "discard_pure_pairs": [False, True],
    "bao_on_discard": [True],
    "feed_limit": ["dealer_only", "no_three_chows", "nobody", "none"],
    "feed_limit_from": [1, 2, 3],
    "missed_win": [True],
    "missed_pung": [True],
    "wild_discard_forfeits": [True],
    "false_win_continues": [True],
    "instant_three_lao": ["doublet", "off", 10],
}


def random_record(rng: random.Random) -> dict[str, Any]:
    scene = _f1.Scene(rng, "hangzhou", COPIES_136)
    record, deck, seat = scene.record, scene.deck, scene.winner
    record["repeat"] = rng.choice([0, 0, 1, 2, 2, 2, 3, 5])
    options = common.random_options(rng, _CHOICES, 0.12)
    wild = WHITE
    if scene.chance(0.15):
        options["white_wild"] = True
    else:
        wild = scene.turn_indicator([WHITE] if scene.chance(0.05) else PLAYING)
    kinds = [k for k in PLAYING if k != WHITE and (k != wild or k < 31)]
    count = rng.choice([0, 0, 1, 1, 2, 3, 4])
    claimed = 0.0 if scene.chance(0.4) else 0.5

    def deal() -> tuple[tuple[int, ...], tuple[Meld, ...]]:
        if scene.chance(0.3):
            favoured = [wild] if wild != WHITE and scene.chance(0.5) else []
            return _f1.pairs_hand(rng, deck, [*kinds, *favoured * 6]), ()
        dealt = common.random_hand(rng, deck, seat, 4, 4, kinds=kinds, meld=claimed, kong=0.25)
        return dealt.concealed, dealt.melds

    if wild == WHITE:
        concealed, melds = deal()
    else:
        concealed, melds = _f1.with_stand_in(deck, wild, WHITE, deal)
    concealed = _f1.put_wilds(rng, deck, concealed, wild, count)
    if scene.chance(0.08):
        concealed = common.spoil(rng, deck, concealed)
    rare = [t for t in concealed if concealed.count(t) == 1 and t != wild]
    scene.win_by(
        concealed,
        melds,
        ["wall", "wall", "wall", "kong", "kong", "discard", "discard", "robbed_kong", "deal"],
        won_on=rare if scene.chance(0.3) else [t for t in concealed if t != wild] if scene.chance(0.8) else None,
        never_claimed=[wild],
    )
    win = scene.win
    if win["source"] == "kong" and scene.chance(0.4):
        win["kong_chain"] = rng.choice([1, 2, 3])
    if win["source"] == "robbed_kong" and scene.chance(0.1):
        win["robbed_kind"] = "concealed"
    if win["source"] in ("wall", "kong") and scene.chance(0.4) and deck.has([wild]):
        win["floats"] = rng.choice([1, 1, 2])
        floated = deck.draw(rng, win["floats"], [wild])
        win["floats"] = len(floated)
        scene.players[seat]["discards"] = common.write(floated)
        if win["source"] == "wall" and scene.chance(0.3):
            win["kong_chain"] = 1
        if scene.chance(0.2):
            options |= {"float_claims": True, "float_round_bao": True}
            win["claimed_in_float"] = rng.choice(scene.others())
    elif scene.chance(0.05) and deck.has([wild]):
        scene.players[seat]["discards"] = common.write(deck.take([wild]))
    if scene.chance(0.08):
        record["float_by"] = rng.choice(scene.others())
    scene.add_loser_melds(0.35, kinds=[k for k in kinds if k != wild])
    _feed(scene, seat)
    if "claimed_in_float" not in win:
        _extras(scene, options)
    if options:
        record["options"] = options
    return scene.finish()


def _feed(scene: _f1.Scene, seat: int) -> None:
    rng = scene.rng
    if scene.chance(0.5):
        scene.feed(seat, rng.choice(scene.others()), rng.choice([3, 3, 4]))
    if scene.chance(0.5):
        taker = rng.choice(scene.others())
        scene.feed(taker, seat, 3)


def _extras(scene: _f1.Scene, options: dict[str, Any]) -> None:
    """Chips, dead hands, false wins, ten honours, drawn hands."""
    rng, seat = scene.rng, scene.winner
    dice = rng.random()
    if dice < 0.15:
        for s in scene.others():
            if scene.chance(0.6):
                scene.players[s]["chips"] = rng.choice([0, 1, 3, 10, 50])
    elif dice < 0.2:
        scene.incident(kind="dead_hand", seat=rng.randrange(4), why=rng.choice(["long", "short"]))
    elif dice < 0.24:
        options["false_win_continues"] = True
        offender = rng.randrange(4)
        scene.incident(kind="false_win", seat=offender, claimed=common.claimed_amounts(rng, offender, 4))
    elif dice < 0.28:
        offender = rng.randrange(4)
        scene.incident(kind="false_win", seat=offender, claimed=common.claimed_amounts(rng, offender, 4))
        scene.drawn()
    elif dice < 0.31:
        scene.drawn()
    elif dice < 0.36:
        options["ten_honours"] = rng.choice(["off", "ten_draw", "ten_baotou"])
        special = rng.choice(["ten_honours", "eleven_honours"])
        scene.drawn()
        scene.melds[seat].clear()
        taken = scene.deck.draw(rng, 10 if special == "ten_honours" else 11, HONOURS)
        scene.players[seat] = {"hand": None, "discards": common.write(taken)}
        options.pop("wild_discard_forfeits", None)
        scene.win = {"seat": seat, "tile": None, "source": "wall", "special": special}
