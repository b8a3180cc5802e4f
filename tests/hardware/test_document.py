"""docs/table-line.md says what the code does: every example is a good line, every message and word is described."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hardware import conformance, protocol, table
from hardware.adapters import keypad
from hardware.protocol import Line, Malformed, Parser, Unknown

DOCUMENT = (Path(__file__).parents[2] / "docs" / "table-line.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^(?:\d+\.\d+ )?([<>]) (\$.*)$", DOCUMENT, re.MULTILINE)


@pytest.mark.parametrize(("mark", "text"), EXAMPLES)
def test_every_example_is_a_good_line_of_its_side(mark: str, text: str) -> None:
    (item,) = Parser().feed(text.encode() + b"\r\n")
    assert isinstance(item, Line)
    message = protocol.from_table(item) if mark == "<" else protocol.from_host(item)
    # The document refuses two of its own requests, an unknown one and a seat that is not there.
    assert isinstance(message, Malformed) == ("seat=7" in text)
    assert isinstance(message, Unknown) == (item.type == "XYZZY")


def test_every_message_has_an_example() -> None:
    shown = {(mark, text[1:].split(",")[0]) for mark, text in EXAMPLES}
    wanted = {("<", type) for type in protocol.FROM_TABLE} | {(">", type) for type in protocol.FROM_HOST}
    assert wanted <= shown


@pytest.mark.parametrize(
    "word", [*protocol.STATES, *protocol.BUTTON_WORDS, *protocol.LIGHT_COLOURS, *protocol.NAK_CODES]
)
def test_every_word_is_described(word: str) -> None:
    assert re.search(rf"`[^`]*\b{word}\b[^`]*`", DOCUMENT)


def test_every_capability_and_key_is_described() -> None:
    caps = {cap.split(":")[0] for cap in table.Identity().caps} | {"shuffle"}
    keys = {
        key
        for cls in (*protocol.FROM_TABLE.values(), *protocol.FROM_HOST.values())
        for _, key, _, _ in protocol._SPECS[cls]
    }
    for word in caps | keys:
        assert re.search(rf"`{re.escape(word)}[:`]", DOCUMENT) or re.search(
            rf"`[^`]*\b{re.escape(word)}[=:]", DOCUMENT
        ), word


def test_the_conformance_checks_point_at_sections_that_exist() -> None:
    sections = {int(number) for number in re.findall(r"^## (\d+)\.", DOCUMENT, re.MULTILINE)}
    assert {section for _, section, _, _ in conformance._CHECKS} <= sections


def test_the_key_pad_table_lists_what_the_key_pad_understands() -> None:
    for keys, words in re.findall(r"^\| `([^`]+)` \| `([^`]+)` \|", DOCUMENT.split("## 12")[1], re.MULTILINE):
        said = words.replace(" [SIDE]", "")
        assert keypad.understand(keys) == keypad.understand(said)
