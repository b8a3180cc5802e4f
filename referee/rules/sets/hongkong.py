"""香港麻雀 Hong Kong old style: faan on a curve with half steps, the others pay half. Sheet: docs/sheets/hongkong.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from referee.rules import patterns as p
from referee.rules import shapes
from referee.rules import tiles as t
from referee.rules.claim import Case, Claim, Held
from referee.rules.payments import alone, everyone, giver
from referee.rules.readings import Reading
from referee.rules.record import Incident
from referee.rules.restrictions import COMMON, reading_bar
from referee.rules.ritual import Break, FalseWin, Ritual, Succession, effects, with_ritual
from referee.rules.ruleset import TILES_144, Bool, Int, OneOf, Option, Pattern, Payment, Ruleset, Tally, pay_claimed
from referee.rules.settle import Outcome

LIMIT = 13
CURVE = (1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128)
FLOWER_HANDS = {"seven": 7, "eight": 8}
DRAGON_FAAN = ("zung", "faat", "baak")
WIND_FAAN = ("mun_fung", "hyun_fung")
INSIDE_LIMITS = ("deoi_deoi_wu", "faa_jiu")


def flower_hand(claim: Claim, held: Held) -> Iterator[Reading]:
    """花糊, 大花糊: seven or eight bonus tiles, the winning one counted (option flower_hands)."""
    needed = FLOWER_HANDS.get(claim.win.flower_win or "")
    shown = len(claim.player.bonus) + (claim.win.tile is not None)
    if needed and shown >= needed and claim.rules.option("flower_hands"):
        yield Reading((), f"{claim.win.flower_win}_flowers")


def hand(case: Case) -> bool:
    """A hand with a shape, as against a win on bonus tiles alone."""
    return not case.win.flower_win


def four_concealed(case: Case) -> bool:
    """坎坎糊: four concealed pungs by self-draw, or by a discard that completes the pair (option four_concealed)."""
    if case.chows or not p.all_pungs(case) or not case.rules.option("four_concealed_faan"):
        return False
    how = case.rules.option("four_concealed")
    if how == "any":
        return case.is_concealed
    if how == "self_draw_only" and not case.self_drawn:
        return False
    return len(case.concealed_pungs) == 4


def nine_gates(case: Case) -> bool:
    """九子連環: no melds, 1112345678999 and one more of the suit."""
    if len(case.suits) > 1 or case.player.melds or not p.one_suit(case) or case.shape != "standard":
        return False
    first = min(case.faces) // 9 * 9
    counts = Counter(case.faces)
    needed = {first + i: 3 if i in (0, 8) else 1 for i in range(9)}
    if case.rules.option("nine_gates_wait") == "nine" and case.win.tile is not None:
        counts[case.win.tile] -= 1
    return all(counts[kind] >= n for kind, n in needed.items())


def concealed_hand(case: Case) -> bool:
    """門前清: nothing claimed; a concealed kong is allowed unless concealed_kong_breaks."""
    kong_breaks = bool(case.kongs) and case.rules.option("concealed_kong_breaks")
    return case.is_concealed and not kong_breaks and hand(case)


def common_hand(case: Case) -> bool:
    """平糊: four chows and any pair (option common_hand_pair: not of dragons, own or round wind)."""
    return p.all_chows(case) and (case.rules.option("common_hand_pair") == "any" or p.plain_runs(case))


def heavenly(case: Case) -> bool:
    dealt = case.dealt or (case.win.first_turn and case.source in ("wall", "flower"))
    return dealt and case.is_dealer and hand(case)


def earthly(case: Case) -> bool:
    from_dealer = case.by_discard and case.win.source_seat == case.record.dealer
    return from_dealer and case.win.first_turn and not case.is_dealer and not case.player.melds and hand(case)


def human(case: Case) -> bool:
    by_other = case.by_discard and case.win.source_seat != case.record.dealer
    return by_other and case.win.first_turn and bool(case.rules.option("human_win")) and hand(case)


def own_bonus(case: Case) -> int:
    """正花 of a series that is not complete (option full_set_keeps_own: of every series)."""
    if not case.player.bonus or not hand(case):
        return 0
    return p.own_flowers(case) if case.rules.option("full_set_keeps_own") else p.own_flowers_alone(case)


def faan(tally: Tally) -> int:
    return tally.total("faan")


def price(faan_total: int) -> int:
    """P(faan): doubling to 4 faan, then half steps, 128 from 10 faan (chapter Payments)."""
    return CURVE[min(faan_total, 10)]


def pay(case: Case, tally: Tally) -> list[Payment]:
    worth = price(faan(tally))
    if case.self_drawn or case.win.flower_win:
        return everyone(case, lambda payer: worth)
    if case.robbed and case.rules.option("robbed_kong_payment") == "self_draw":
        return giver(case, 3 * worth)
    if case.rules.option("discard_payment") == "full":
        return giver(case, 2 * worth)
    return everyone(case, lambda payer: worth if payer == case.win.source_seat else worth / 2)


def _giver_of_last(case: Case, kinds: tuple[int, ...] | None, count: int) -> int | None:
    """Who gave the last of ``count`` claimed sets of these kinds (of any kind where None); None if there are fewer."""
    claimed = [m for m in case.player.melds if kinds is None or m.tiles[0] in kinds]
    if len(claimed) != count or not claimed[-1].is_claimed or any(not m.is_claimed for m in claimed):
        return None
    return claimed[-1].source


def liability(case: Case, tally: Tally, payments: list[Payment]) -> list[Payment]:
    """包自摸: the giver of the last set pays all three shares of a self-draw (chapter Liability, options)."""
    if not case.self_drawn or case.win.flower_win:
        return payments
    liable = _giver_of_last(case, None, 4) if case.rules.option("liability_twelve") else None
    if liable is None and case.rules.option("liability_big_hands"):
        if tally.has("daai_saam_jyun"):
            liable = _giver_of_last(case, t.DRAGONS, 3)
        if liable is None and tally.has("daai_sei_hei"):
            liable = _giver_of_last(case, t.WINDS, 4)
        if liable is None and tally.has("cing_jat_sik", "sap_baat_lo_hon"):
            liable = _giver_of_last(case, None, 4)
    return payments if liable is None else alone(case, liable, payments, "liable for the last set")


def below_minimum(case: Case, tally: Tally) -> str:
    least = 0 if case.win.flower_win else case.rules.option("minimum_faan")
    worth = tally.for_minimum("faan")
    return f"worth {worth} faan, minimum {least}" if worth < least else ""


def false_win(outcome: Outcome, incident: Incident) -> list[Payment]:
    if outcome.rules.option("false_win") == "claimed" or incident.seat is None:
        return pay_claimed(outcome, incident)
    return [Payment(incident.seat, seat, CURVE[-1], "false win") for seat in range(4) if seat != incident.seat]


def faan_option(name: str, pattern: str, values: tuple[int, ...], default: int, help_text: str = "") -> Option:
    return Option(
        name, OneOf(values), default, help_text or f"faan of {pattern}",
        lambda r, value: r.with_patterns(**{pattern: {"worth": value} if value else None}),
    )  # fmt: skip


PATTERNS = (
    Pattern("gai_wu", "雞糊", "chicken hand", 0, hand, alone=True, note="none of the others"),
    Pattern("ping_wu", "平糊", "common hand", 1, common_hand),
    Pattern("deoi_deoi_wu", "對對糊", "all pungs", 3, p.all_pungs),
    Pattern("wan_jat_sik", "混一色", "half flush", 3, p.one_suit_and_honours),
    Pattern("cing_jat_sik", "清一色", "full flush", 7, p.one_suit),
    Pattern("zung", "中", "red dragon", 1, lambda c: t.RED in c.pung_tiles),
    Pattern("faat", "發", "green dragon", 1, lambda c: t.GREEN in c.pung_tiles),
    Pattern("baak", "白", "white dragon", 1, lambda c: t.WHITE in c.pung_tiles),
    Pattern("mun_fung", "門風", "seat wind", 1, lambda c: c.seat_wind in c.pung_tiles),
    Pattern("hyun_fung", "圈風", "round wind", 1, lambda c: c.round_wind in c.pung_tiles),
    Pattern("siu_saam_jyun", "小三元", "little dragons", 5, p.little_dragons, excludes=DRAGON_FAAN, note="in all"),
    Pattern("daai_saam_jyun", "大三元", "big dragons", 8, p.big_dragons, excludes=DRAGON_FAAN, note="in all"),
    Pattern("siu_sei_hei", "小四喜", "little winds", 6, p.little_winds),
    Pattern(
        "faa_jiu", "花么", "mixed terminals", 1,
        lambda c: not c.chows and p.all_pungs(c) and p.orphans_only(c) and len(c.suits) > 1 and 3 in c.suits,
        note="on top of all pungs",
    ),
    Pattern(
        "ham_ham_wu", "坎坎糊", "four concealed pungs", 8, four_concealed, excludes=("deoi_deoi_wu", "mun_cin_cing"),
        note="self-drawn, or a discard that completes the pair",
    ),
    Pattern(
        "daai_sei_hei", "大四喜", "big winds", LIMIT, p.big_winds,
        excludes=(*INSIDE_LIMITS, *WIND_FAAN, "wan_jat_sik", "siu_sei_hei"),
    ),
    Pattern(
        "zi_jat_sik", "字一色", "all honours", LIMIT, p.honours_only,
        excludes=(*INSIDE_LIMITS, *DRAGON_FAAN, *WIND_FAAN, "wan_jat_sik"),
    ),
    Pattern(
        "cing_jiu_gau", "清么九", "all terminals", LIMIT,
        lambda c: not c.chows and p.all_pungs(c) and all(t.is_terminal(f) for f in c.faces), excludes=INSIDE_LIMITS,
    ),
    Pattern(
        "sap_baat_lo_hon", "十八羅漢", "all kongs", LIMIT,
        lambda c: len(c.player.melds) == 4 == len(c.kongs) and c.shape == "standard", excludes=INSIDE_LIMITS,
    ),
    Pattern("gau_zi_lin_waan", "九子連環", "nine gates", LIMIT, nine_gates, excludes=("cing_jat_sik", "mun_cin_cing")),
    Pattern(
        "sap_saam_jiu", "十三么", "thirteen orphans", LIMIT,
        lambda c: c.shape == "thirteen_orphans", excludes=("mun_cin_cing",),
    ),
    Pattern("cat_deoi_zi", "七對子", "seven pairs", 0, lambda c: c.shape == "seven_pairs", excludes=("mun_cin_cing",)),
    Pattern("zi_mo", "自摸", "self-draw", 1, lambda c: c.self_drawn and hand(c)),
    Pattern("mun_cin_cing", "門前清", "concealed hand", 1, concealed_hand),
    Pattern("coeng_gong", "搶槓", "robbing a kong", 1, lambda c: c.robbed and hand(c)),
    Pattern("gong_soeng_hoi_faa", "槓上開花", "kong replacement", 1, lambda c: c.source == "kong" and hand(c)),
    Pattern(
        "lin_gong_hoi_faa", "連槓開花", "kong on kong", 8,
        lambda c: c.source == "kong" and c.win.kong_chain >= 2 and hand(c), excludes=("gong_soeng_hoi_faa",),
    ),
    Pattern("hoi_dai_laau_jyut", "海底撈月", "last tile", 1, lambda c: c.self_drawn and c.win.last_tile and hand(c)),
    Pattern("ho_dai_laau_jyu", "河底撈魚", "last discard", 1, lambda c: c.by_discard and c.win.last_tile and hand(c)),
    Pattern("tin_wu", "天糊", "heavenly hand", LIMIT, heavenly, excludes=("zi_mo", "mun_cin_cing")),
    Pattern("dei_wu", "地糊", "earthly hand", LIMIT, earthly, excludes=("mun_cin_cing",)),
    Pattern("jan_wu", "人糊", "human hand", LIMIT, human, note="option human_win"),
    Pattern("zing_faa", "正花", "own bonus tile", 1, own_bonus),
    Pattern("jat_toi_faa", "一台花", "full set of bonus tiles", 2, lambda c: p.full_series(c) if hand(c) else 0),
    Pattern("mou_faa", "無花", "no bonus tile", 1, lambda c: not c.player.bonus and hand(c)),
    Pattern("faa_wu", "花糊", "seven bonus tiles", 3, lambda c: c.shape == "seven_flowers", note="option flower_hands"),
    Pattern("daai_faa_wu", "大花糊", "eight bonus tiles", 8, lambda c: c.shape == "eight_flowers", note="option flower_hands"),
)  # fmt: skip


def with_seven_pairs(rules: Ruleset, value: int) -> Ruleset:
    if not value:
        return rules
    return replace(rules, shapes=(*rules.shapes, shapes.seven_pairs)).with_patterns(cat_deoi_zi={"worth": value})


def without_bonus_minimum(rules: Ruleset, counts: bool) -> Ruleset:
    return rules if counts else rules.with_patterns(**{i: {"minimum": False} for i in ("zing_faa", "jat_toi_faa", "mou_faa")})


RULES = Ruleset(
    id="hongkong",
    native="香港麻雀",
    english="Hong Kong old style",
    region="Hong Kong, Guangdong",
    summary="Faan are counted and looked up on a curve; the discarder pays in full, the two others half.",
    unit="faan",
    tiles=TILES_144,
    bonus=frozenset(t.BONUS),
    ritual=Ritual(
        opening=Break(stated=False), first_turn=frozenset({"first_discard", "any_discard"}),
        deal=Succession(round_wind=True, rounds=4), false_win=FalseWin(deal="drawn"), effects=effects(false_win="penalty"),
    ),
    shapes=(shapes.standard, shapes.thirteen_orphans, flower_hand),
    restrictions=(*COMMON, reading_bar("below_minimum", "too few faan", below_minimum)),
    patterns=tuple(replace(pattern, unit="faan") for pattern in PATTERNS),
    pay=pay,
    liability=(liability,),
    false_win=false_win,
    payments_text="P by faan 0-10: 1 2 4 8 16 24 32 48 64 96 128; a limit hand counts 13 faan. Discard or robbed kong: the giver "
    "pays P, the two others P/2. Self-draw: each pays P.",
    options=(
        Option("minimum_faan", Int(0, 13), 3, "least faan of a legal win"),
        Option(
            "bonus_counts_to_minimum", Bool(), True, "false: bonus-tile faan do not count towards the minimum",
            without_bonus_minimum,
        ),
        Option("discard_payment", OneOf(("half", "full")), "half", "full (全銃): the discarder alone pays 2P"),
        Option(
            "robbed_kong_payment", OneOf(("discard", "self_draw")), "discard", "self_draw: the konger alone pays 3P",
        ),
        faan_option("full_flush_faan", "cing_jat_sik", (6, 7), 7),
        faan_option("mixed_flush_faan", "wan_jat_sik", (2, 3), 3),
        faan_option("little_dragons_faan", "siu_saam_jyun", (4, 5), 5, "total, dragon faan inside"),
        faan_option("big_dragons_faan", "daai_saam_jyun", (6, 8, 13), 8, "total, dragon faan inside"),
        faan_option("little_winds_faan", "siu_sei_hei", (3, 5, 6, 10, 13), 6, "own value; flush, pungs and winds add"),
        faan_option("all_honours_faan", "zi_jat_sik", (7, 10, 13), 13),
        faan_option("four_concealed_faan", "ham_ham_wu", (0, 8, 13), 8, "0: not played, then all pungs"),
        Option(
            "four_concealed", OneOf(("pair_wait", "self_draw_only", "any")), "pair_wait",
            "any: no set claimed is enough, however the last tile came",
        ),
        Option("common_hand_pair", OneOf(("any", "no_value")), "any", "no_value: no pair of dragons, own or round wind"),
        faan_option("concealed_hand_faan", "mun_cin_cing", (0, 1), 1),
        Option("concealed_kong_breaks", Bool(), False, "true: any kong bars mun_cin_cing"),
        Option("nine_gates_wait", OneOf(("any", "nine")), "any", "nine: the 13 tiles before must be 1112345678999"),
        Option("seven_pairs_faan", OneOf((0, 4, 5)), 0, "0: seven pairs are no shape", with_seven_pairs),
        faan_option("no_bonus_faan", "mou_faa", (0, 1), 1),
        faan_option("bonus_set_faan", "jat_toi_faa", (1, 2), 2),
        Option("full_set_keeps_own", Bool(), False, "true: zing_faa counts besides jat_toi_faa"),
        faan_option("double_kong_faan", "lin_gong_hoi_faa", (8, 13), 8),
        faan_option("last_discard_faan", "ho_dai_laau_jyu", (0, 1), 1),
        Option("flower_hands", Bool(), False, "true: faa_wu 3, daai_faa_wu 8, both free of the minimum"),
        Option("human_win", Bool(), False, "true: jan_wu is a limit hand"),
        Option("liability_twelve", Bool(), False, "the giver of the fourth claimed set pays all of a self-draw"),
        Option("liability_big_hands", Bool(), False, "the giver of the set that makes a big hand pays all of a self-draw"),
        Option(
            "false_win", OneOf(("claimed", "limit")), "claimed", "limit: a false win costs 128 to each",
            lambda r, cost: with_ritual(r, false_win={"pays": "fixed"}) if cost == "limit" else r,
        ),
    ),
)  # fmt: skip
