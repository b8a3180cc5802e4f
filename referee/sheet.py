"""The settlement as a sheet for people: what was read, what it is worth, who pays whom and why."""

from __future__ import annotations

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from referee.rules import tiles as t
from referee.rules.judge import Verdict
from referee.rules.readings import Group as TileGroup
from referee.rules.settle import Settlement, group_text, value_text

HOW = {
    "wall": "self-drawn",
    "kong": "on a kong's replacement",
    "flower": "on a bonus tile's replacement",
    "discard": "on a discard",
    "robbed_kong": "robbing a kong",
    "indicator": "robbing the indicator",
    "deal": "on the dealt tiles",
}
WIND_NAMES = ("East", "South", "West", "North")


def seat_name(settlement: Settlement, seat: int) -> str:
    """``"seat 2 (West)"``, with the seat wind counted from the dealer."""
    wind = WIND_NAMES[(seat - settlement.record.dealer) % settlement.rules.players]
    return f"seat {seat} ({wind})"


def how_won(settlement: Settlement, verdict: Verdict) -> str:
    text = HOW[verdict.win.source]
    if verdict.win.source_seat is not None and verdict.win.source in ("discard", "robbed_kong"):
        text += f" of seat {verdict.win.source_seat}"
    return text if verdict.win.tile is None else f"{t.NAMES[verdict.win.tile]} {text}"


def number(amount: float) -> str:
    return f"{amount:g}"


def render(settlement: Settlement, console: Console, title: str = "") -> None:
    """Print the sheet."""
    rules = settlement.rules
    console.print(Text(title or f"{rules.native}  {rules.english}", style="bold"))
    if not settlement.verdicts:
        console.print("Drawn hand: nobody won.")
    for verdict in settlement.verdicts:
        console.print(_win(settlement, verdict))
    console.print(_payments(settlement))


def _win(settlement: Settlement, verdict: Verdict) -> RenderableType:
    head = f"{seat_name(settlement, verdict.win.seat)} wins with {how_won(settlement, verdict)}"
    if not verdict.legal:
        refusal = Text(head.replace(" wins", " declared a win", 1) + ": not legal", style="red")
        return Group(refusal, Text(f"  {verdict.reason}", style="red"), *_reading_lines(verdict))
    points = sum(p.amount for p in verdict.payments if p.to == verdict.win.seat)
    table = Table("pattern", "English", "worth", box=None, pad_edge=False, padding=(0, 2))
    for entry in verdict.tally.entries if verdict.tally else ():
        table.add_row(entry.pattern.native, entry.pattern.english, value_text(entry))
    return Group(Text(head), *_reading_lines(verdict), table, Text(f"receives {number(points)}", style="bold"))


def _reading_lines(verdict: Verdict) -> list[RenderableType]:
    if verdict.case is None or not verdict.case.groups:
        return []
    return [Text("  " + "  ".join(_shown(g, verdict, i) for i, g in enumerate(verdict.case.groups)))]


def _shown(group: TileGroup, verdict: Verdict, index: int) -> str:
    text = group_text(group, verdict.case)
    if group.meld:
        text = f"[{text}]" if group.meld != "concealed_kong" else f"[{text} concealed]"
    return text + "*" if verdict.case is not None and index == verdict.case.reading.at else text


def _payments(settlement: Settlement) -> RenderableType:
    table = Table("from", "to", "amount", "why", box=None, pad_edge=False, padding=(0, 2))
    for payment in settlement.payments:
        table.add_row(f"seat {payment.payer}", f"seat {payment.to}", number(payment.amount), payment.why)
    sums = "   ".join(f"seat {seat}: {delta:+g}" for seat, delta in enumerate(settlement.deltas))
    paid = [table] if settlement.payments else [Text("Nothing is paid.")]
    return Group(*paid, Text(sums, style="bold"))
