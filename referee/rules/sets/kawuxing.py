"""卡五星 Kawuxing, middle-five mahjong for three: fan double up to eight times. Sheet: docs/sheets/kawuxing.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from referee.rules import patterns as p
from referee.rules import shapes
from referee.rules import tiles as t
from referee.rules.checks import two_suits_only
from referee.rules.claim import Case
from referee.rules.payments import everyone, giver
from referee.rules.readings import CHOW
from referee.rules.record import Record
from referee.rules.restrictions import COMMON, reading_bar
from referee.rules.ritual import Claims, Customs, FalseWin, Ritual, Succession
from referee.rules.ruleset import Bool, Int, Option, Pattern, Payment, Ruleset, Tally, pay_nothing, tile_set
from referee.rules.settle import Outcome
from referee.rules.tiles import Tile

# --- patterns ------------------------------------------------------------------------------------------------------


def pure_suit_rank(case: Case) -> bool:
    """A pattern of 2 fan or more, the two 四帰一 aside (decision 1)."""
    return any(pattern.when(case) for pattern in GREAT)


def open_four_in_one(case: Case) -> int:
    """明四帰一: the winning tile is the fourth of an own pung; beside a great pattern the fourth need only be in hand."""
    ponged = {m.tiles[0] for m in case.player.melds if m.kind == "pung"}
    return _fourths(case, ponged.__contains__, held=1)


def concealed_four_in_one(case: Case) -> int:
    """暗四帰一: the winning tile is the fourth of a kind concealed; beside a great pattern any four alike in hand."""
    return _fourths(case, lambda tile: True, held=4) if p.is_standard(case) else 0


def _fourths(case: Case, among: Callable[[Tile], bool], held: int) -> int:
    alike = [tile for tile, count in Counter(case.concealed).items() if count == held and among(tile)]
    won = case.win.tile in alike and not case.dealt
    return len(alike) if alike and pure_suit_rank(case) else int(won)


def middle_five(case: Case) -> bool:
    """卡五星: the winning 5 stands between 4 and 6 in this reading."""
    group = case.win_group
    return group is not None and group.shape == CHOW and case.reading.slot == 1 and t.rank(group.tile) == 4


def kongs_in_a_row(case: Case) -> int:
    return max(1, case.win.kong_chain) if case.source == "kong" else 0


def fours(case: Case) -> int:
    return p.fours_in_pairs(case) if case.shape == "seven_pairs" else 0


GREAT = (
    Pattern("qingyise", "清一色", "pure suit", 2, p.one_suit),
    Pattern("qidui", "七対", "seven pairs", 2, lambda c: c.shape == "seven_pairs"),
    Pattern("xiaosanyuan", "小三元", "small three dragons", 2, p.little_dragons),
    Pattern("shoubayi", "手把一", "lone tile", 2, p.single_tile_left, note="kongs of any kind"),
    Pattern("dasanyuan", "大三元", "big three dragons", 3, p.big_dragons, excludes=("xiaosanyuan",)),
    Pattern("longqidui", "龍七対", "dragon seven pairs", 3, lambda c: fours(c) == 1, excludes=("qidui",)),
    Pattern(
        "shuanglongqidui", "双龍七対", "double dragon", 4, lambda c: fours(c) >= 2, excludes=("qidui", "longqidui")
    ),
)
PATTERNS = (
    Pattern("pinghu", "平胡", "no pattern", 0, p.always, alone=True, note="self-draw only"),
    Pattern("pengpenghu", "碰碰胡", "all pungs", 1, p.all_pungs),
    Pattern("mingsiguiyi", "明四帰一", "open four in one", 1, open_four_in_one, note="each"),
    Pattern("kawuxing", "卡五星", "middle five", 1, middle_five),
    Pattern("gangshangkaihua", "槓上開花", "replacement win", 1, kongs_in_a_row, note="each kong of the row"),
    Pattern("gangshangpao", "槓上炮", "win on a kong's discard", 1, lambda c: c.by_discard and c.win.after_kong),
    Pattern("qianggang", "搶槓", "robbing a kong", 1, lambda c: c.robbed),
    Pattern("liangdao", "亮倒", "opened hand", 1, lambda c: bool(c.player.revealed)),
    Pattern("haidilao", "海底撈", "last-tile win", 1, lambda c: c.win.last_tile and c.self_drawn),
    Pattern("ansiguiyi", "暗四帰一", "concealed four in one", 2, concealed_four_in_one, note="each"),
    *GREAT,
)


# --- payments ------------------------------------------------------------------------------------------------------


def pay(case: Case, tally: Tally) -> list[Payment]:
    """rate x 2^fan, capped; the giver alone pays, twice into an opened hand."""
    cap, fan = case.rules.option("cap_fan"), tally.total("fan")
    amount = 2 ** (fan if cap is None else min(fan, cap))
    if case.rules.option("shuanglong_16") and tally.has("shuanglongqidui"):
        amount = max(amount, 16)
    amount *= case.rules.option("rate")
    if case.self_drawn:
        return everyone(case, lambda payer: amount)
    if case.player.revealed:
        return giver(case, 2 * amount, "dealt into an opened hand")
    return giver(case, amount)


def kong_money(outcome: Outcome) -> list[Payment]:
    """Settled at once and kept, won or drawn: 2 from the discarder, 1 or 2 from each, doubled along a row of kongs."""
    payments = []
    for seat, player in enumerate(outcome.record.players):
        others = [s for s in range(outcome.rules.players) if s != seat]
        for meld in player.melds:
            each = {"kong": 2, "added_kong": 1, "concealed_kong": 2}.get(meld.kind, 0)
            payers = [meld.source] if meld.kind == "kong" else others
            amount = each * 2 ** (max(meld.chain, 1) - 1) * outcome.rules.option("rate")
            payments += [Payment(payer, seat, amount, "kong") for payer in payers if amount and payer is not None]
    return payments


def opened_in_vain(outcome: Outcome) -> list[Payment]:
    """Drawn hand: who opened first pays each other player, who may have opened as well."""
    opened = [seat for seat, player in enumerate(outcome.record.players) if player.revealed]
    if outcome.record.wins or not opened:
        return []
    first = min(opened, key=lambda seat: opening_order(outcome.record, seat))
    others = [s for s in range(outcome.rules.players) if s != first]
    return [Payment(first, seat, outcome.rules.option("rate"), "opened hand, drawn") for seat in others]


def opening_order(record: Record, seat: int) -> tuple[bool, int]:
    """Numbered openings by their number, then those without one from the dealer on."""
    number = record.players[seat].revealed
    if number is True:
        return True, (seat - record.dealer) % len(record.players)
    return False, int(number)


def claimed_chow(record: Record, rules: Ruleset) -> str | None:
    for seat, player in enumerate(record.players):
        if any(meld.kind == "chow" for meld in player.melds):
            return f"players[{seat}].melds: {rules.id} knows no chow"
    return None


RULES = Ruleset(
    id="kawuxing",
    native="卡五星",
    english="Kawuxing, middle-five mahjong",
    region="North-west Hubei",
    summary="Three players, two suits and dragons, no chow; fan double the rate up to eight times; kongs are paid at once.",
    unit="fan",
    players=3,
    tiles=tile_set((*t.SUITED, *t.DRAGONS)),
    chows=False,
    winners="many",
    ritual=Ritual(
        stacks=(14,) * 3,
        claims=Claims(
            kong_after_claim=frozenset({"added_kong"}), held_third=False, kong_needs_tile=True, missed_win="higher",
        ),
        ready=frozenset({"open"}),
        deal=Succession(winner="winner", several="discarder"),
        false_win=FalseWin("nothing"),
        customs=Customs("middle"),
    ),
    shapes=(shapes.standard, shapes.seven_pairs),
    restrictions=(
        *COMMON,
        reading_bar(
            "no_pattern_discard", "a hand without a pattern wins by self-draw only",
            lambda c, tally: c.by_discard and tally.has("pinghu") and not c.rules.option("pinghu_discard"),
        ),
    ),
    checks=(two_suits_only, claimed_chow),
    patterns=p.in_unit("fan", PATTERNS),
    pay=pay,
    outside=(kong_money, opened_in_vain),
    false_win=pay_nothing,
    payments_text="rate x 2^fan, at most 8 x rate. Self-draw: from each. Discard or robbed kong: the giver alone, both shares if "
    "the winner's hand was opened. Kongs: claimed 2 from the discarder, added 1 and concealed 2 from each.",
    options=(
        Option("rate", Int(1), 1, "multiplies every payment"),
        Option("cap_fan", Int(auto=True), 3, "most fan counted; null: no cap"),
        Option("shuanglong_16", Bool(), False, "double dragon seven pairs alone pay 16 x rate"),
        Option("pinghu_discard", Bool(), False, "a hand without pattern may win on a discard"),
        Option("reveal_all", Bool(), True, "false: only the waiting part of an opened hand is shown (display only)"),
    ),
)  # fmt: skip
