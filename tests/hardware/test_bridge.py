"""The reference bridge, compiled for the host: it passes the conformance test, its protocol part agrees with
hardware/table.py byte for byte, and the whole sketch makes the right events of its pins."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware import conformance, protocol
from hardware.bridge import build
from hardware.protocol import Dice, Draw, HandIn, Message, State, Wall
from hardware.table import Identity, TableEnd
from tests.hardware.test_fuzz import inputs

pytestmark = pytest.mark.skipif(
    build.compiler() is None, reason="no C++ compiler (g++, c++ or clang++) to build the bridge"
)

CAPS = (
    "dice:2",
    "wall.count",
    "wall.head",
    "wall.tail",
    "handin",
    "btn:4+1",
    "score:4x6",
    "light",
    "beep",
    "keep",
    "test",
)
IDENTITY = Identity("open", "bridge", "1.0", "0001", 136, CAPS)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("bridge")
    build.build(out)
    return out


def test_the_bridge_passes_the_conformance_test(built: Path) -> None:
    with subprocess.Popen(
        [built / "bridge", "--pty"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as bridge:
        assert bridge.stdin is not None and bridge.stdout is not None
        try:
            report = conformance.run(bridge.stdout.readline().strip())
        finally:
            bridge.stdin.close()
    failures = [(check.name, check.found) for check in report.checks if check.result != "pass"]
    assert report.passed and failures == []


# Byte for byte --------------------------------------------------------------------------------------------------------


def script(seed: int, length: int) -> Iterator[str]:
    """What happens to a table: time, restarts, events, and bytes of a host, good and bad."""
    rng = random.Random(seed)
    noise = inputs(10**9, seed)
    ms, seq, boot = 0, 0, ""
    for number in range(length):
        if number == 0 or rng.random() < 0.01:
            boot = f"{rng.getrandbits(32):08X}"
            yield f"B {boot}"
            if rng.random() < 0.7:  # a host that does everything right at first
                seq += 2
                hello, wish = protocol.HostHello("1.0", "0A0A0A0A"), protocol.Subscribe(boot, 1)
                yield "R " + (protocol.encode(hello, seq - 1, ms) + protocol.encode(wish, seq, ms)).hex()
        ms = (ms + rng.randint(0, 400)) & protocol.MAX_NUMBER
        if rng.random() < 0.005:
            ms = protocol.MAX_NUMBER - 300
        yield f"T {ms}"
        kind = rng.random()
        if kind < 0.15:
            yield "K"
        elif kind < 0.35:
            message = rng.choice(EVENTS)
            fields = "".join(f",{key}={value}" for key, value in protocol.to_fields(message))
            yield f"E {protocol.line_type(message)}{fields}"
        elif kind < 0.75:
            if rng.random() < 0.8:
                seq += 1
            yield "R " + protocol.encode(_request(rng, boot), max(0, seq - (rng.random() < 0.1)), ms).hex()
        else:
            yield "R " + b"".join(next(noise) for _ in range(rng.randint(1, 4))).hex()


EVENTS: list[Message] = [
    State("shuffling"), State("playing"), Dice((3, 5), 1), Wall((17, 17, 17, 17), 136), Wall(None, 70), HandIn(136),
    Draw("head", 1, 82), Draw("tail", 1, 81, 2), protocol.Button("win", "press", 0), protocol.Error("jam", "lift; open"),
    protocol.Stick(1, -500), protocol.Probe(3), protocol.Unknown("XOWN", ()),
]  # fmt: skip


def _request(rng: random.Random, boot: str) -> Message:
    number = rng.choice((0, 1, 2, rng.randint(0, 40), rng.randint(0, 300), protocol.MAX_NUMBER))
    return rng.choice([
        protocol.HostHello(rng.choice(("1.0", "1.7", "1", "2.0", "10.0", "%", "1,0")), rng.choice(("0A0A0A0A", "0B0B0B0B"))),
        protocol.Subscribe(rng.choice((boot, boot, boot, "00000000")), number),
        protocol.Subscribe(boot, 1), protocol.Ask(), protocol.Ping(rng.choice((None, number))),
        protocol.Replay(number, number + rng.choice((0, 3, -1)) if 0 < number < 1000 else number),
        protocol.Display(rng.randint(0, 3), rng.choice((0, -1200, protocol.MAX_SIGNED, -protocol.MAX_SIGNED))),
        protocol.Light(rng.choice((*protocol.LIGHT_COLOURS, "mauve", "re", "reds", "tangerine")), rng.choice((None, 2)), None),
        protocol.Beep(number, rng.choice((None, 440))), protocol.Shuffle(), protocol.Test(rng.choice((0, 1, 5, 16, 17))),
    ])  # fmt: skip


def in_python(lines: list[str]) -> list[str]:
    table = TableEnd(IDENTITY, "00000000", capacity=32)
    first, ms, done, out = True, 0, 0, []
    for line in lines:
        what, _, rest = line.partition(" ")
        if what == "T":
            ms = int(rest)
        elif what == "B":
            if first:
                table.boot, first = rest, False
            else:
                table.restart(rest)
        elif what == "K":
            table.tick(ms)
        elif what == "E":
            kind, *pairs = rest.split(",")
            table.emit(protocol.Unknown(kind, tuple((k, v) for k, _, v in (pair.partition("=") for pair in pairs))), ms)
        else:
            commands = table.received(bytes.fromhex(rest), ms)
            done += sum(not isinstance(command, protocol.Test) for command in commands)
        out.append(f"{table.take().hex()} {done}")
    return out


def test_the_bridge_answers_as_python_does_byte_for_byte(built: Path) -> None:
    said = b"".join(_both(built, seed) for seed in range(6))
    for kind in (b"$HELLO", b"$ACK", b"$PONG", b"$SNAP,", b"$SNAPEND", b"$DICE", b",was=", *map(_code, USED_CODES)):
        assert kind in said, f"{kind!r} was never said: the scripts do not try everything"


def _both(built: Path, seed: int) -> bytes:
    """Has both tables live through the same, compares what they say, and gives it."""
    lines = list(script(seed, 2000))
    run = subprocess.run(
        [built / "bridge", "--script"], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True
    )
    theirs, ours = run.stdout.splitlines(), in_python(lines)
    assert len(theirs) == len(ours)
    for number, (line, their, our) in enumerate(zip(lines, theirs, ours, strict=True)):
        assert their == our, f"seed {seed}, line {number}, {line}: {_readable(their)}, in Python {_readable(our)}"
    return b"".join(bytes.fromhex(our.split(" ")[0]) for our in ours)


def _readable(output: str) -> str:
    said, _, done = output.partition(" ")
    return f"{bytes.fromhex(said)!r} and {done} commands done"


USED_CODES = ("proto", "boot", "unsub", "unknown", "value", "gone", "range", "off")


def _code(word: str) -> bytes:
    return b"code=" + word.encode()


# The sketch -----------------------------------------------------------------------------------------------------------

DICE_LAMPS = {1: "0111", 2: "1011", 3: "0011", 4: "1001", 5: "0001", 6: "1000"}
"""Levels of a die's four opto-couplers (middle, diagonal, other diagonal, sides), low when lit."""


class Sketch:
    """The whole sketch with its pins and clock in the test's hands."""

    def __init__(self, program: Path) -> None:
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.parser = protocol.Parser()
        self.now = 0
        self.boot = ""
        self.run(10)
        self.receive(protocol.HostHello("1.0", "00000001"))
        self.receive(protocol.Subscribe(self.boot, 1))

    def _say(self, line: str) -> list[Message]:
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin is not None and stdout is not None
        stdin.write(line.encode() + b"\n")
        stdin.flush()
        events: list[Message] = []
        while (text := stdout.readline()) not in (b".\n", b""):
            for item in self.parser.feed(text):
                assert isinstance(item, protocol.Line), item
                message = protocol.from_table(item)
                if isinstance(message, protocol.TableHello):
                    self.boot = message.boot
                if item.type not in protocol.ANSWER_TYPES:
                    events.append(message)
        return events

    def run(self, milliseconds: int) -> list[Message]:
        self.now += milliseconds
        return self._say(f"T {self.now}")

    def pin(self, pin: int, level: int) -> None:
        self._say(f"P {pin} {level}")

    def receive(self, message: Message) -> None:
        self._say("R " + protocol.encode(message, 1, 1).hex())

    def pulses(self, pin: int, count: int) -> list[Message]:
        events = []
        for _ in range(count):
            self.pin(pin, 1)
            events += self.run(40)
            self.pin(pin, 0)
            events += self.run(60)
        return events


@pytest.fixture
def sketch(built: Path) -> Iterator[Sketch]:
    made = Sketch(built / "sketch")
    yield made
    assert made.process.stdin is not None and made.process.stdout is not None
    made.process.stdin.close()
    made.process.stdout.close()
    assert made.process.wait() == 0


def show_dice(sketch: Sketch, *faces: int) -> None:
    for die, face in enumerate(faces):
        for lamp, level in enumerate(DICE_LAMPS[face]):
            sketch.pin(22 + 4 * die + lamp, int(level))


def test_dice_are_told_once_when_they_have_come_to_rest(sketch: Sketch) -> None:
    events = []
    for faces in ((1, 6), (2, 5), (4, 4), (3, 5)):
        show_dice(sketch, *faces)
        events += sketch.run(100)
    assert events == []
    assert sketch.run(2000) == [Dice((3, 5))]
    show_dice(sketch, 6, 1)
    assert sketch.run(1000) == [Dice((6, 1))]


def test_walls_draws_and_the_beginning_of_play(sketch: Sketch) -> None:
    events: list[Message] = []
    for side in range(4):
        events += sketch.pulses(38 + side, 17)
    events += sketch.run(3000)
    assert events == [Wall((17, 17, 17, 17), 136), State("ready")]
    sketch.pin(34, 0)
    assert sketch.run(50) == [protocol.Button("raise", "press"), State("raised")]
    sketch.pin(34, 1)
    assert sketch.run(50) == [protocol.Button("raise", "release")]
    events = sketch.pulses(35, 53) + sketch.run(500)
    assert events == [Draw("head", 53, 83), State("playing")]
    assert sketch.pulses(36, 1) + sketch.run(500) == [Draw("tail", 1, 82)]


def test_the_hand_in_is_counted_until_it_is_quiet_and_shadows_do_not_count(sketch: Sketch) -> None:
    events = sketch.pulses(37, 135)
    sketch.pin(37, 1)
    events += sketch.run(2)  # too short for a tile
    sketch.pin(37, 0)
    assert events == [State("handin")]
    assert sketch.run(5000) == [HandIn(135)]


def test_draws_without_a_counted_wall_do_not_pretend_to_know_what_is_left(sketch: Sketch) -> None:
    assert sketch.pulses(35, 1) + sketch.run(500) == [Draw("head", 1, None)]


def test_buttons_are_debounced_and_tell_a_hold(sketch: Sketch) -> None:
    for level in (0, 1, 0, 1, 0):
        sketch.pin(31, level)
        assert sketch.run(3) == []
    assert sketch.run(100) == [protocol.Button("win", "press", 1)]
    assert sketch.run(2000) == [protocol.Button("win", "hold", 1)]
    sketch.pin(31, 1)
    assert sketch.run(100) == [protocol.Button("win", "release", 1)]
