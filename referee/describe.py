"""The rule book printed from the data: for the terminal, as JSON, and as a page of the documentation."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from referee.rules import tiles as t
from referee.rules.ruleset import SET_IDS, Option, Pattern, Ruleset, load

SOURCE_NAMES = {"one": "one winner on a tile", "many": "several may win on the same tile"}


def tile_counts(rules: Ruleset) -> str:
    """``"136 tiles: 1m-9m 1p-9p 1s-9s E S W N C F P"``."""
    kinds = [k for k in range(t.KINDS) if rules.tiles[k]]
    parts = []
    for suit_kinds, name in ((range(9), "1m-9m"), (range(9, 18), "1p-9p"), (range(18, 27), "1s-9s")):
        if all(k in kinds for k in suit_kinds):
            parts.append(name)
    parts += [t.NAMES[k] for k in kinds if 27 <= k < 34]
    parts += [name for series, name in ((t.FLOWERS, "1f-4f"), (t.SEASONS, "1q-4q")) if all(k in kinds for k in series)]
    return f"{sum(rules.tiles)} tiles: {' '.join(parts)}"


def worth_text(pattern: Pattern) -> str:
    if not isinstance(pattern.worth, int):
        return "varies"
    if pattern.unit == "times":
        return f"x{pattern.worth}"
    if pattern.unit == "double":
        return f"x{2**pattern.worth}"
    return pattern.unit if pattern.unit == "limit" else f"{pattern.worth} {pattern.unit}"


def facts(rules: Ruleset) -> list[tuple[str, str]]:
    """The short facts of a rule set, label and text."""
    out = [
        ("region", rules.region),
        ("players", str(rules.players)),
        ("tiles", tile_counts(rules)),
        ("hand", f"{rules.hand_size} tiles, {rules.hand_size + 1} with the winning tile"),
        ("wild tiles", (rules.wild.text if rules.wild else "none") or "yes"),
        ("bonus tiles", t.write(sorted(rules.bonus)) or "none"),
        ("chows", "not played" if not rules.chows else "suits and honours" if rules.honour_chows else "played"),
        ("winners", SOURCE_NAMES[rules.winners]),
        ("payments", rules.payments_text),
    ]
    return [(label, text) for label, text in out if text]


def ritual_facts(rules: Ruleset) -> list[tuple[str, str]]:
    """The ritual as it differs from common practice: a label for each part of the data, its settings as text."""
    if rules.ritual is None:
        return []
    plain = type(rules.ritual)()
    return [
        (f.name.replace("_", " "), _value_text(value))
        for f in fields(rules.ritual)
        if (value := getattr(rules.ritual, f.name)) != getattr(plain, f.name)
    ]


def _value_text(value: Any) -> str:
    if is_dataclass(value) and not isinstance(value, type):
        plain = _default_of(type(value))
        parts = [
            f"{f.name.replace('_', ' ')} {_value_text(getattr(value, f.name))}"
            for f in fields(value)
            if plain is None or getattr(value, f.name) != getattr(plain, f.name)
        ]
        return ", ".join(parts) or "as usual"
    if isinstance(value, (frozenset, set)):
        return ", ".join(sorted(_value_text(v) for v in value)) or "none"
    if isinstance(value, (tuple, list)):
        return " ".join(_value_text(v) for v in value) or "none"
    if isinstance(value, dict):
        return ", ".join(f"{k} {_value_text(v)}" for k, v in value.items())
    if isinstance(value, bool):
        return "yes" if value else "no"
    return getattr(value, "__name__", str(value))


def _default_of(kind: type) -> Any:
    try:
        return kind()
    except TypeError:
        return None


# --- JSON --------------------------------------------------------------------------------------------------------


def all_json() -> list[dict[str, Any]]:
    return [
        {"id": r.id, "name": r.native, "english": r.english, "region": r.region, "players": r.players, "summary": r.summary}
        for r in map(load, SET_IDS)
    ]


def as_json(rules_id: str) -> dict[str, Any]:
    rules = load(rules_id)
    return {
        "id": rules.id,
        "name": rules.native,
        "english": rules.english,
        "region": rules.region,
        "summary": rules.summary,
        "players": rules.players,
        "hand_size": rules.hand_size,
        "tiles": {t.NAMES[k]: n for k, n in enumerate(rules.tiles) if n},
        "bonus": [t.NAMES[k] for k in sorted(rules.bonus)],
        "wilds": rules.wild.text if rules.wild else None,
        "patterns": [_pattern_json(p) for p in rules.patterns],
        "restrictions": [{"code": r.code, "text": r.text} for r in rules.restrictions],
        "payments": rules.payments_text,
        "ritual": dict(ritual_facts(rules)),
        "options": [
            {"name": o.name, "values": str(o.type), "default": o.default, "help": o.help} for o in rules.options
        ],
        "notes": list(rules.notes),
    }


def _pattern_json(pattern: Pattern) -> dict[str, Any]:
    return {
        "id": pattern.id,
        "name": pattern.native,
        "english": pattern.english,
        "worth": worth_text(pattern),
        "excludes": list(pattern.excludes),
        "note": pattern.note,
    }


# --- for people --------------------------------------------------------------------------------------------------


def print_list() -> None:
    table = Table("id", "name", "English", "region", box=None, pad_edge=False, padding=(0, 2))
    for rules in map(load, SET_IDS):
        table.add_row(rules.id, rules.native, rules.english, rules.region)
    Console(highlight=False).print(table)


def print_one(rules_id: str) -> None:
    rules = load(rules_id)
    console = Console(highlight=False)
    console.print(Text(f"{rules.native}  {rules.english} ({rules.id})", style="bold"))
    console.print(rules.summary)
    for heading, rows in _tables(rules):
        console.print(Text(f"\n{heading}", style="bold"))
        table = Table(*rows[0], box=None, pad_edge=False, padding=(0, 2), show_header=any(rows[0]))
        for row in rows[1:]:
            table.add_row(*(Text(cell) for cell in row))
        console.print(table)


def _tables(rules: Ruleset) -> Iterator[tuple[str, list[tuple[str, ...]]]]:
    yield "Facts", [("", ""), *facts(rules)]
    yield "Patterns", [("id", "name", "English", "worth", "not beside it", "note"), *map(_pattern_row, rules.patterns)]
    yield "A win is refused when", [("code", "rule"), *((r.code, r.text) for r in rules.restrictions)]
    if ritual := ritual_facts(rules):
        yield "Ritual, where it differs from common practice", [("", ""), *ritual]
    if rules.options:
        yield "Options", [("option", "values", "default", "effect"), *map(_option_row, rules.options)]
    if rules.notes:
        yield "Notes", [("",), *((note,) for note in rules.notes)]


def _pattern_row(pattern: Pattern) -> tuple[str, ...]:
    excludes = ", ".join(pattern.excludes)
    return pattern.id, pattern.native, pattern.english, worth_text(pattern), excludes, pattern.note


def _option_row(option: Option) -> tuple[str, ...]:
    words = {"True": "true", "False": "false", "None": "null"}
    default = str(option.default)
    return option.name, str(option.type), words.get(default, default), option.help


def page(rules_id: str) -> str:
    """The rule set as a Markdown page."""
    rules = load(rules_id)
    lines = [f"# {rules.native} {rules.english} (`{rules.id}`)", "", rules.summary, ""]
    for heading, rows in _tables(rules):
        lines += [f"## {heading}", ""]
        header = rows[0] if any(rows[0]) else tuple(" " for _ in rows[0])
        lines += [_md_row(header), _md_row(tuple("---" for _ in header)), *(_md_row(row) for row in rows[1:]), ""]
    return "\n".join(lines)


def write_pages(folder: Path) -> None:
    """A page a rule set, and a list of them, as Markdown files."""
    folder.mkdir(parents=True, exist_ok=True)
    listed = ["# The rule sets", "", "Generated from the rule book's data with `make docs`.", ""]
    for rules in map(load, SET_IDS):
        (folder / f"{rules.id}.md").write_text(page(rules.id), encoding="utf-8")
        listed.append(f"- [{rules.native} {rules.english}]({rules.id}.md): {rules.summary}")
    (folder / "README.md").write_text("\n".join(listed) + "\n", encoding="utf-8")


def _md_row(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


if __name__ == "__main__":
    write_pages(Path(sys.argv[1]))
