"""What the referee says at the table after a hand, in one line fit to be read aloud.

Only what everybody at the table can see is said. Languages: ``en``, ``zh`` (Mandarin, simplified wording kept short).
"""

from __future__ import annotations

from referee.rules import tiles as t
from referee.rules.judge import Verdict
from referee.rules.settle import Settlement

WINDS = {"en": ("East", "South", "West", "North"), "zh": ("东家", "南家", "西家", "北家")}
HOW = {
    "en": {
        "wall": "by self-draw", "kong": "on a kong's replacement", "flower": "on a flower's replacement",
        "discard": "on {giver}'s discard", "robbed_kong": "by robbing {giver}'s kong", "indicator": "by robbing the gold",
        "deal": "as dealt",
    },
    "zh": {
        "wall": "自摸", "kong": "杠上开花", "flower": "花上自摸", "discard": "胡{giver}的牌", "robbed_kong": "抢{giver}的杠",
        "indicator": "抢金", "deal": "起手胡",
    },
}  # fmt: skip


def announce(settlement: Settlement, language: str = "en") -> str:
    """One line: who wins how, with what, who pays how much; a refusal with its reason; a drawn hand."""
    said = [_win(settlement, verdict, language) for verdict in settlement.verdicts]
    if not said:
        said = ["Drawn hand." if language == "en" else "流局。"]
    return " ".join([*said, _sums(settlement, language)]).strip()


def _seat(settlement: Settlement, seat: int, language: str) -> str:
    return WINDS[language][(seat - settlement.record.dealer) % settlement.rules.players]


def _win(settlement: Settlement, verdict: Verdict, language: str) -> str:
    winner = _seat(settlement, verdict.win.seat, language)
    if not verdict.legal:
        reason = (verdict.reason or "").partition(": ")[2] or verdict.reason
        return f"{winner}: no win, {reason}." if language == "en" else f"{winner}不能胡：{verdict.reason}。"
    giver = "" if verdict.win.source_seat is None else _seat(settlement, verdict.win.source_seat, language)
    how = HOW[language][verdict.win.source].format(giver=giver)
    names = [
        (e.pattern.english if language == "en" else e.pattern.native) + (f" times {e.times}" if e.times > 1 else "")
        for e in (verdict.tally.entries if verdict.tally else ())
    ]
    if language == "en":
        return f"{winner} wins {how}: {', '.join(names)}." if names else f"{winner} wins {how}."
    return f"{winner}{how}，{'、'.join(names)}。" if names else f"{winner}{how}。"


def _sums(settlement: Settlement, language: str) -> str:
    if not any(settlement.deltas):
        return "Nothing is paid." if language == "en" else "不用付。"
    parts = []
    for seat, delta in enumerate(settlement.deltas):
        if delta:
            name = _seat(settlement, seat, language)
            verb = ("receives" if delta > 0 else "pays") if language == "en" else ("收" if delta > 0 else "付")
            parts.append(f"{name} {verb} {abs(delta):g}" if language == "en" else f"{name}{verb}{abs(delta):g}")
    return (", ".join(parts) + ".") if language == "en" else "，".join(parts) + "。"


def tile_words(tile: t.Tile, language: str = "en") -> str:
    """A tile as it is said aloud."""
    if language == "zh":
        return t.NATIVE[tile]
    suits = ("characters", "dots", "bamboo")
    if tile < 27:
        return f"{t.rank(tile)} of {suits[t.suit(tile)]}"
    names = ("east", "south", "west", "north", "red dragon", "green dragon", "white dragon", "plum", "orchid",
             "chrysanthemum", "bamboo flower", "spring", "summer", "autumn", "winter")  # fmt: skip
    return names[tile - 27]
