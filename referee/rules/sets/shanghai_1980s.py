"""1980年代末の上海 Late 1980s Shanghai: three chips and one a bonus tile, doubled once a fan, limit 40. Sheet:
docs/sheets/shanghai_1980s.md."""

from __future__ import annotations

from dataclasses import replace

from referee.rules import patterns as p
from referee.rules import shapes
from referee.rules import tiles as t
from referee.rules.claim import Case
from referee.rules.payments import bound_by_three, everyone, giver
from referee.rules.restrictions import COMMON
from referee.rules.ritual import Succession
from referee.rules.ruleset import TILES_144, Int, Option, Pattern, Payment, Ruleset, Tally, pay_nothing
from referee.rules.sets.shanghai_liuxing import SHANGHAI


def pay(case: Case, tally: Tally) -> list[Payment]:
    """P from the discarder or robbed player, or from each on a self-draw; the limit cuts P."""
    chips = case.rules.option("base_chips") + len(case.player.bonus)
    worth = min(case.rules.option("limit"), chips * 2 ** tally.total("fan"))
    return everyone(case, lambda payer: worth) if case.self_drawn else giver(case, worth)


def bao_sanzu(case: Case, tally: Tally, payments: list[Payment]) -> list[Payment]:
    """3組の包: who is bound to the winner takes over what is owed; of two, the nearest what the unbound owe."""
    bound = bound_by_three(case)
    if not bound:
        return payments
    return [q if q.payer in bound else q._replace(payer=bound[0], why="bound by three sets") for q in payments]


RULES = Ruleset(
    id="shanghai_1980s",
    native="1980年代末の上海",
    english="Shanghai, late 1980s",
    region="Shanghai",
    summary="Three chips and one a bonus tile, doubled once a fan, limit 40; three claimed sets bind two players.",
    tiles=TILES_144,
    bonus=frozenset(t.BONUS),
    ritual=replace(SHANGHAI, deal=Succession(winner="winner")),
    shapes=(shapes.standard,),
    restrictions=COMMON,
    patterns=p.in_unit("fan", (
        Pattern("hunyise", "混一色", "half flush", 2, p.half_flush, note="honours alone too"),
        Pattern("qingyise", "清一色", "full flush", 4, p.one_suit, excludes=("hunyise",)),
        Pattern("duiduihu", "対対胡", "all pungs", 2, p.all_pungs),
        Pattern("dadiaoche", "大吊車", "big single wait", 1, p.single_tile_left, note="four declared sets"),
        Pattern("gangkai", "槓開", "win on replacement", 1, p.on_replacement, note="of a kong or a bonus tile"),
    )),
    unit="fan",
    pay=pay,
    liability=(bao_sanzu,),
    false_win=pay_nothing,
    payments_text="P = (3 chips + one a bonus tile) x 2^fan, at most 40. Discard or robbed kong: the giver pays P alone. "
    "Self-draw: each pays P.",
    options=(
        Option("base_chips", Int(0), 3, "chips for a win"),
        Option("limit", Int(0), 40, "the limit of P"),
    ),
)  # fmt: skip
