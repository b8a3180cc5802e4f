"""Oracle for ``shanghai_xinshi``: written from the new-style Shanghai sheet alone; section names are the sheet's."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from referee.rules.tiles import DRAGONS, HONOURS, WINDS, is_honour, is_orphan, suit
from tests.oracle._f3 import View, self_drawn, unfit, views
from tests.oracle.common import Record, Spec, Win, odd_kinds
from tests.oracle.fenghua import independent, loose_tiles, seven_pairs
from tests.oracle.shanghai_liuxing import (
    SOURCES,
    all_tiles,
    begin,
    finish,
    settle_with,
    tai_of_tiles,
    tai_of_view,
)
from tests.oracle.shanghai_liuxing import SPEC as LIUXING
from tests.oracle.yangzhou import run_hand

SPEC = Spec("shanghai_xinshi", 4, LIUXING.copies, LIUXING.options)


def more_of_tiles(record: Record, win: Win, everything: list[int]) -> int:
    """Patterns of the tiles alone, in every shape."""
    player = record.players[win.seat]
    suits = {suit(t) for t in everything if t < 27}
    honours = any(is_honour(t) for t in everything)
    tai = not any(is_orphan(t) for t in everything)  # duanyaojiu
    tai += len(suits) == 2 and not honours  # queyimen
    tai += not honours and not player.bonus  # wuzi_wuhua
    tai += len(suits) == 3 and any(t in WINDS for t in everything) and any(t in DRAGONS for t in everything)
    if all(m.kind == "concealed_kong" for m in player.melds):
        tai += 2 if self_drawn(win) else 1  # buqiuren, menqianqing
    return tai


def more_of_view(view: View) -> int:
    """Patterns of sets and a pair."""
    starts = Counter(b.face for b in view.runs)
    tai = all(any(is_orphan(f) for f in b.faces) for b in view.blocks)  # quanyaojiu
    doubled = sum(n // 2 for n in starts.values())
    if doubled >= 2 or max(starts.values(), default=0) >= 3:
        tai += 2  # liangbangao
    elif doubled:
        tai += 1  # yibangao
    for number in range(7):
        suits = {suit(s) for s in starts if s % 9 == number}
        tai += {2: 1, 3: 2}.get(len(suits), 0)  # xixiangfeng, shuangxiangfeng
    if any({s, s + 3, s + 6} <= set(starts) for s in (0, 9, 18)):
        tai += 2  # qinglong
    if any(
        {a, b + 3, c + 6} <= set(starts)
        for a in (0, 9, 18)
        for b in (0, 9, 18)
        for c in (0, 9, 18)
        if len({a, b, c}) == 3
    ):
        tai += 1  # hunlong
    tai += view.wait == "gap" and view.face % 9 == 4  # qianzhongxin
    return tai


def score(record: Record, win: Win) -> int | None:
    if unfit(record, win) or win.tile is None or win.source == "indicator":
        return None
    player = record.players[win.seat]
    concealed = [*player.hand, win.tile]
    if any(t >= 34 for t in concealed):
        return None
    found = views(concealed, 0, player.melds, win, last=win.tile)
    shapes = [tai_of_view(record, win, view) + more_of_view(view) for view in found]
    if not player.melds and odd_kinds(concealed) == 0:
        shapes.append(1 + (win.source != "deal") + all(is_orphan(t) for t in concealed))  # qiduizi
    if not player.melds and independent(concealed):
        shapes.append(2 if set(HONOURS) <= set(concealed) else 1)  # qixing_juhui, shisanbuda
    if not shapes:
        return None
    everything = all_tiles(record, win)
    return max(shapes) + tai_of_tiles(record, win, everything) + more_of_tiles(record, win, everything)


def settle(data: dict[str, Any]) -> dict[str, Any]:
    return settle_with(data, SPEC, score)


def random_record(rng: random.Random) -> dict[str, Any]:
    b = begin(rng, "shanghai_xinshi")
    kind = rng.choice(["any"] * 4 + ["runs"] * 3 + ["pairs", "loose"])
    if kind == "pairs":
        return finish(b, seven_pairs(b, ()), SOURCES)
    if kind == "loose":
        return finish(b, loose_tiles(b, ()), SOURCES)
    concealed = run_hand(b) if kind == "runs" else None
    return finish(b, concealed or b.complete_hand(), SOURCES)
