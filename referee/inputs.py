"""Reading hand records from files and standard input, one bad record never hiding the others."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from referee.rules.record import RecordError


class InputError(ValueError):
    """Something a person gave cannot be used; the message is one clear line."""


class Item(NamedTuple):
    """One record's JSON value, or why it could not be read; ``where`` names file and line for messages."""

    where: str
    value: Any = None
    problem: str | None = None


def read_text(path: str) -> str:
    """The text of a file, or of standard input for ``-``. Raises InputError."""
    try:
        raw = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as problem:
        raise InputError(f"{path}: {problem.strerror or problem}") from None
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise InputError(f"{path}: not UTF-8 text (byte {problem.start})") from None


def read_records(path: str) -> Iterator[Item]:
    """The records of a file: one JSON object, a JSON list, or JSON Lines."""
    text = read_text(path)
    whole = parse_json(text)
    if isinstance(whole, list):
        yield from (Item(f"{path} [{index}]", value) for index, value in enumerate(whole))
    elif not isinstance(whole, ValueError):
        yield Item(path, whole)
    elif not text.strip():
        yield Item(path, problem="empty")
    else:
        yield from _json_lines(path, text, whole)


def _json_lines(path: str, text: str, whole: ValueError) -> Iterator[Item]:
    values = [(number, parse_json(line)) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if all(isinstance(value, ValueError) for _, value in values):
        yield Item(path, problem=f"not JSON: {whole}")
        return
    for number, value in values:
        where = f"{path} line {number}"
        yield Item(where, problem=f"not JSON: {value}") if isinstance(value, ValueError) else Item(where, value)


def parse_json(text: str) -> Any:
    """The JSON value, or the ValueError that says why there is none (nesting without end included)."""
    try:
        return json.loads(text, parse_constant=_no_constant)
    except RecursionError:
        return ValueError("nested too deeply")
    except ValueError as problem:
        return problem


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


def parse_setting(text: str) -> tuple[str, Any]:
    """``name=value`` with a JSON value, or a bare word as text. Raises RecordError."""
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise RecordError(f"--option {text}: written as NAME=VALUE")
    parsed = parse_json(value)
    return name.strip(), value if isinstance(parsed, ValueError) else parsed
