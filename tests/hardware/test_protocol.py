"""Bytes to messages and back. The truth is docs/table-line.md, sections 2 and 3; the CRC's check value (0x4B37 of
"123456789") is the one catalogued for CRC-16/MODBUS."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware import protocol
from hardware.protocol import Dice, Display, Draw, Line, Malformed, Noise, Parser, Unknown

NUMBERS = st.integers(0, protocol.MAX_NUMBER)
SIGNED = st.integers(-protocol.MAX_SIGNED, protocol.MAX_SIGNED)
SEATS = st.integers(0, 3)
WORDS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=10)
BOOTS = st.from_regex(r"[0-9A-F]{8}", fullmatch=True)
MAYBE_SEAT = st.none() | SEATS
SIDES = st.lists(NUMBERS, min_size=1, max_size=4).map(tuple)

FROM_TABLE = st.one_of(
    st.builds(protocol.TableHello, NUMBERS, WORDS, BOOTS, st.none() | WORDS, st.none(), st.none(), st.none(), NUMBERS),
    st.builds(protocol.Ack, NUMBERS),
    st.builds(protocol.Nak, NUMBERS, WORDS, st.none() | NUMBERS, st.none() | WORDS),
    st.builds(protocol.Pong, NUMBERS, BOOTS),
    st.builds(protocol.Snap, NUMBERS, st.none() | WORDS, st.none(), st.none() | SIDES, st.none() | NUMBERS, st.none()),
    st.builds(protocol.SnapEnd, NUMBERS, NUMBERS),
    st.builds(protocol.State, WORDS),
    st.builds(Dice, st.lists(st.integers(1, 6), min_size=1, max_size=4).map(tuple), MAYBE_SEAT),
    st.builds(protocol.Wall, st.none() | SIDES, st.none() | NUMBERS),
    st.builds(protocol.Deal, SEATS, NUMBERS),
    st.builds(protocol.Turn, SEATS, NUMBERS),
    st.builds(Draw, st.sampled_from(protocol.ENDS), NUMBERS, st.none() | NUMBERS, MAYBE_SEAT),
    st.builds(protocol.HandIn, NUMBERS),
    st.builds(protocol.Button, WORDS, WORDS, MAYBE_SEAT),
    st.builds(protocol.Stick, SEATS, SIGNED),
    st.builds(protocol.Error, WORDS, st.none() | WORDS),
    st.builds(protocol.Probe, NUMBERS),
)
FROM_HOST = st.one_of(
    st.builds(protocol.HostHello, WORDS, BOOTS),
    st.builds(protocol.Subscribe, BOOTS, NUMBERS),
    st.builds(protocol.Ask),
    st.builds(protocol.Ping, st.none() | NUMBERS),
    st.builds(protocol.Replay, NUMBERS, NUMBERS),
    st.builds(Display, SEATS, SIGNED),
    st.builds(protocol.Light, WORDS, MAYBE_SEAT, st.none() | NUMBERS),
    st.builds(protocol.Beep, NUMBERS, st.none() | NUMBERS),
    st.builds(protocol.Shuffle),
    st.builds(protocol.Test, NUMBERS),
)


def only(data: bytes) -> Line:
    (item,) = Parser().feed(data)
    assert isinstance(item, Line)
    return item


def test_crc_check_value() -> None:
    assert protocol.crc16(b"123456789") == 0x4B37


@given(FROM_TABLE, NUMBERS, NUMBERS)
def test_table_messages_survive_the_wire(message: protocol.Message, seq: int, ms: int) -> None:
    line = only(protocol.encode(message, seq, ms))
    assert (line.seq, line.ms, protocol.from_table(line)) == (seq, ms, message)


@given(FROM_HOST, NUMBERS, NUMBERS)
def test_host_messages_survive_the_wire(message: protocol.Message, seq: int, ms: int) -> None:
    line = only(protocol.encode(message, seq, ms))
    assert (line.seq, line.ms, protocol.from_host(line)) == (seq, ms, message)


@given(st.text(st.characters(codec="utf-8")))
def test_escaped_text_is_printable_free_of_reserved_characters_and_comes_back(text: str) -> None:
    escaped = protocol.escape(text)
    assert escaped.isascii() and (not escaped or escaped.isprintable())
    assert not set("$*,=;") & set(escaped)
    assert protocol.unescape(escaped) == text


def test_a_percent_sign_that_begins_no_escape_stands_for_itself() -> None:
    assert protocol.unescape("100% %4g %") == "100% %4g %"
    assert protocol.unescape("%e4%b8%ad%ff") == "中\ufffd"


@given(st.lists(FROM_TABLE, max_size=6), st.binary(max_size=40), st.data())
def test_lines_do_not_depend_on_how_the_bytes_are_cut(
    messages: list[protocol.Message], junk: bytes, data: st.DataObject
) -> None:
    stream = junk.join(protocol.encode(message, 1, 2) for message in messages)
    whole = [item for item in Parser().feed(stream) if isinstance(item, Line)]
    parser, at, lines = Parser(), 0, []
    while at < len(stream):
        size = data.draw(st.integers(1, 50))
        lines += [item for item in parser.feed(stream[at : at + size]) if isinstance(item, Line)]
        at += size
    assert lines == whole


@given(FROM_TABLE, st.data())
def test_one_changed_byte_never_makes_another_message(message: protocol.Message, data: st.DataObject) -> None:
    """A CRC of 16 bits finds every burst of up to 16 bits, so every single damaged byte between `$` and the line end."""
    good = protocol.encode(message, 7, 8)
    at = data.draw(st.integers(0, len(good) - 3))
    bad = bytearray(good)
    bad[at] ^= data.draw(st.integers(1, 255))
    lines = [item for item in Parser().feed(bytes(bad)) if isinstance(item, Line)]
    assert lines in ([], [only(good)])  # the latter: a CRC digit in the other case


def test_a_line_begins_at_the_last_dollar_sign() -> None:
    good = protocol.encode(Dice((3, 5)), 1, 90117)
    items = Parser().feed(good[:9] + good)
    assert items == [Noise(good[:9], "stray"), only(good)]


def test_overlong_lines_are_noise_and_the_next_line_is_found() -> None:
    good = protocol.encode(Dice((3, 5)), 1, 1)
    items = Parser().feed(b"$PING,1,1,x=" + b"a" * 1000 + good)
    assert items[-1] == only(good)
    assert all(isinstance(item, Noise) and len(item.data) <= protocol.MAX_LINE for item in items[:-1])


def test_the_longest_line_fits_and_a_longer_one_is_refused() -> None:
    room = protocol.MAX_BODY - len("X,0,0,a=")
    data = protocol.line_bytes("X", 0, 0, (("a", "b" * room),))
    assert len(data) == protocol.MAX_LINE and only(data).get("a") == "b" * room
    with pytest.raises(ValueError, match="240"):
        protocol.line_bytes("X", 0, 0, (("a", "b" * (room + 1)),))


@pytest.mark.parametrize(
    "body",
    ["", "DICE", "DICE,1", "dice,1,2", "DICE,1,2,", "DICE,1,2,v", "DICE,1,2,V=1", "DICE,-1,2", "DICE,1,4294967296",
     "DICE,1,2,v=1=2", "DICE,1,2 ,v=1", "ABCDEFGHIJKLM,1,2", "D??,1,2", "DICE,1,2,v=1,,w=2", "DICE,x,2"],
)  # fmt: skip
def test_what_does_not_follow_the_grammar_is_noise(body: str) -> None:
    data = body.encode()
    (item,) = Parser().feed(b"$%s*%04X\r\n" % (data, protocol.crc16(data)))
    assert item == Noise(
        b"$%s*%04X" % (data, protocol.crc16(data)), "malformed" if "," in body or body else "malformed"
    )


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ((), "v is missing"),
        ((("v", "7"),), "dice"),
        ((("v", "1;2;3;4;5"),), "dice"),
        ((("v", "3"), ("seat", "4")), "seat"),
    ],
)
def test_values_that_do_not_fit_are_malformed_with_a_reason(fields: tuple[tuple[str, str], ...], why: str) -> None:
    message = protocol.from_table(Line("DICE", 1, 1, fields))
    assert isinstance(message, Malformed) and why in message.why


def test_unknown_types_and_keys_are_kept_and_ignored() -> None:
    assert protocol.from_table(Line("NEWER", 1, 1, (("a", "b"),))) == Unknown("NEWER", (("a", "b"),))
    assert protocol.from_table(Line("DICE", 1, 1, (("new", "%24"), ("v", "1"), ("v", "2")))) == Dice((1,))


def test_a_dropped_line_end_costs_its_line_only() -> None:
    first, second = protocol.encode(Dice((1,)), 1, 1), protocol.encode(Dice((2,)), 2, 2)
    assert [item for item in Parser().feed(first[:-2] + second) if isinstance(item, Line)] == [only(second)]
