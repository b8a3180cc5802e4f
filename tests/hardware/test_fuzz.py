"""Random and mutated inputs: neither end ever raises, and neither grows. What is fed in is made of good lines of both
sides, cut, joined, repeated and damaged, so that much of it gets past the checksum."""

from __future__ import annotations

import pickle
import random
from collections.abc import Iterator

import pytest

from hardware import protocol
from hardware.host import HostEnd, TableEvent
from hardware.protocol import MAX_LINE, Line, Parser
from hardware.table import Identity, TableEnd

_KEYS = ("id", "proto", "boot", "tiles", "caps", "code", "first", "state", "s", "v", "n", "left", "wall", "stacks", "end",
         "seat", "count", "act", "from", "to", "got", "c", "ms", "value", "was", "i", "zz")  # fmt: skip
_VALUES = ("", "0", "1", "3;5", "17;17;17;17", "4294967295", "4294967296", "-1", "A1B2C3D4", "00000001", "head", "tail",
           "1.0", "9.9", "%24%ff", "%", "gone", "boot", "range", "unsub", "A1B2C3D4;7", "00000001;3", "x" * 150)  # fmt: skip
_TYPES = (*protocol.FROM_TABLE, *protocol.FROM_HOST, "XNEW", "A", "SNAP??")


def inputs(count: int, seed: int) -> Iterator[bytes]:
    rng = random.Random(seed)
    for _ in range(count):
        kind = rng.random()
        if kind < 0.1:
            yield rng.randbytes(rng.randint(0, 60))
            continue
        fields = [(rng.choice(_KEYS), rng.choice(_VALUES)) for _ in range(rng.randint(0, 5))]
        seq = rng.choice((rng.randint(0, 60), rng.randint(0, protocol.MAX_NUMBER)))
        body = f"{rng.choice(_TYPES)},{seq},{rng.randint(0, protocol.MAX_NUMBER)}"
        body += "".join(f",{key}={value}" for key, value in fields)
        data = bytearray(b"$%s*%04X\r\n" % (body.encode(), protocol.crc16(body.encode())))
        if kind < 0.5:
            _mutate(rng, data)
        yield bytes(data)


def _mutate(rng: random.Random, data: bytearray) -> None:
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(data) + 1)
        match rng.randrange(4):
            case 0:
                del data[at : at + rng.randint(1, 20)]
            case 1:
                data[at:at] = rng.randbytes(rng.randint(1, 20))
            case 2:
                data[at:at] = data[: rng.randint(0, len(data))]
            case 3 if data:
                data[at % len(data)] = rng.choice(b"$*,=;%\r\n\x00\xff09AZ")


def check(count: int, seed: int) -> None:
    parser = Parser()
    host, table = HostEnd("00000001"), TableEnd(Identity(), "A1B2C3D4", capacity=32)
    host.opened(0.0)
    lines = events = 0
    sizes = []
    for number, data in enumerate(inputs(count, seed)):
        now, ms = number * 0.003, number * 3
        for item in parser.feed(data):
            if isinstance(item, Line):
                lines += 1
                protocol.plain(protocol.from_table(item))
                protocol.plain(protocol.from_host(item))
        assert parser.waiting <= MAX_LINE
        host.received(data, now)
        host.tick(now)
        table.received(data, ms)
        table.tick(ms)
        if number % 20 == 0:  # a few words undisturbed, so that both get beyond the greeting
            table.emit(protocol.Probe(number), ms)
            for _ in range(4):
                host.received(b"\n" + table.take(), now)
                table.received(b"\n" + host.take(), ms)
        if number % 2000 == 1000:
            table.restart(f"{number:08X}")
        if number % 2000 == 0:
            host.closed(now, "pulled")
            host.opened(now)
        events += sum(isinstance(event, TableEvent) for event in host.events())
        if number >= count // 2 and number % 1000 == 0:
            sizes.append(len(pickle.dumps((parser, host, table))))
    assert lines > count // 4 and events > count // 100 and host.counts.connects >= count // 1000 - 1
    assert max(sizes) < 200_000, "what both ends hold has grown"


def test_twenty_thousand_inputs() -> None:
    check(20_000, 1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 12))
def test_a_million_inputs(seed: int) -> None:
    check(100_000, seed)
