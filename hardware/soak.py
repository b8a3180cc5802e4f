"""Ten hands over a bad cable: what is lost, what is doubled, and what it took. `python -m hardware.soak`

A simulated table and a link at the two ends of a real pseudo-terminal (or TCP port) play `hands` hands while single
bytes are changed and chunks are dropped, doubled and swapped, each at `rate`, in both directions; the table is
restarted in mid-hand and the cable is pulled out and put back three times. The table's clock is sped up, and the line's
waits with it.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from hardware.chaos import Chaos
from hardware.endpoint import Endpoint, PtyEndpoint, TcpEndpoint
from hardware.link import Link, Notice, TableEvent, Timing
from hardware.protocol import Message
from hardware.simulator import Simulator, Step, play

UNPLUGS = 3
_Named = tuple[str, int, Message]


@dataclass(frozen=True, slots=True)
class Figures:
    """What came of a session. `lost`, `doubled`, `wrong`, `disordered` count events and must all be 0."""

    hands: int
    sent: int
    received: int
    lost: int
    doubled: int
    wrong: int
    disordered: int
    seconds: float
    unplugged: int
    restarts: int
    bytes_changed: int
    chunks_dropped: int
    chunks_doubled: int
    chunks_swapped: int
    lines_good: int
    pieces_bad: int
    replays: int
    replayed: int

    @property
    def clean(self) -> bool:
        """Whether every event came once, in order, as it was sent."""
        return self.lost == self.doubled == self.wrong == self.disordered == 0


def session(steps: list[Step], seconds_unplugged: float) -> Iterator[Step]:
    """The steps with three pulls of the cable spread over them and a restart halfway."""
    parts = len(steps) // (UNPLUGS + 1)
    pulled = {parts * (number + 1) for number in range(UNPLUGS)}
    for number, step in enumerate(steps):
        if number in pulled:
            yield Step(0.0, "unplug")
            yield Step(seconds_unplugged, "plug")
        if number == len(steps) // 2 + 7:
            yield Step(0.0, "restart")
        yield step


def run(
    hands: int = 10, seed: int = 1, rate: float = 0.01, speed: float = 400.0, pty: bool = True, patience: float = 60.0
) -> Figures:
    """Plays a session and counts. Gives up waiting for what is missing after `patience` seconds."""
    with tempfile.TemporaryDirectory() as folder:
        endpoint: Endpoint = PtyEndpoint(Path(folder) / "table") if pty else TcpEndpoint("127.0.0.1", 0)
        to_host, to_table = Chaos(seed, rate), Chaos(seed + 1, rate)
        simulator = Simulator(endpoint, speed=speed, to_host=to_host, to_table=to_table)
        endpoint.open()
        stop = threading.Event()
        steps = list(session(list(play(seed, hands)), 80.0))
        expected = sum(not isinstance(step.what, str) for step in steps)
        table = threading.Thread(target=simulator.run, args=(steps, stop, True), daemon=True)
        began = time.monotonic()
        link = Link(endpoint.url, timing=Timing().faster(10), backoff=(0.05, 0.2))
        got: list[_Named] = []
        unplugged = 0
        table.start()
        with link:
            while len(got) < expected and time.monotonic() - began < patience:
                unplugged += _collect(link, got, 0.1)
            _collect(link, got, 0.2)
        stop.set()
        table.join()
        endpoint.close()
        return _figures(simulator, link, got, hands, time.monotonic() - began, unplugged, (to_host, to_table))


def _collect(link: Link, got: list[_Named], wait: float) -> int:
    """Takes what has come; gives how often the cable was found pulled."""
    unplugged = 0
    for event in link.events(wait):
        match event:
            case TableEvent():
                got.append((event.boot, event.seq, event.message))
            case Notice(kind="unplugged"):
                unplugged += 1
    return unplugged


def _figures(
    simulator: Simulator,
    link: Link,
    got: list[_Named],
    hands: int,
    seconds: float,
    unplugged: int,
    cable: tuple[Chaos, Chaos],
) -> Figures:
    sent = {(boot, seq): message for boot, seq, message in simulator.sent}
    times = Counter((boot, seq) for boot, seq, _ in got)
    order = [name for name in sent if name in times]
    return Figures(
        hands=hands,
        sent=len(sent),
        received=len(got),
        lost=sum(name not in times for name in sent),
        doubled=sum(count - 1 for count in times.values()),
        wrong=sum(sent.get((boot, seq)) != message for boot, seq, message in got),
        disordered=sum(ours != (boot, seq) for ours, (boot, seq, _) in zip(order, got, strict=False)),
        seconds=round(seconds, 2),
        unplugged=unplugged,
        restarts=link.counts.restarts,
        bytes_changed=sum(chaos.done.changed for chaos in cable),
        chunks_dropped=sum(chaos.done.dropped for chaos in cable),
        chunks_doubled=sum(chaos.done.doubled for chaos in cable),
        chunks_swapped=sum(chaos.done.swapped for chaos in cable),
        lines_good=link.counts.lines,
        pieces_bad=link.counts.noise,
        replays=link.counts.replays,
        replayed=link.counts.replayed,
    )


def main() -> int:
    """Prints the figures of some sessions; 1 where one was not clean."""
    options = argparse.ArgumentParser(prog="python -m hardware.soak", description=(__doc__ or "").splitlines()[0])
    options.add_argument("--hands", type=int, default=10)
    options.add_argument("--sessions", type=int, default=3, help="each with another seed")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--rate", type=float, default=0.01)
    options.add_argument("--speed", type=float, default=400.0, help="times faster than life")
    options.add_argument("--tcp", action="store_true", help="a TCP port instead of a pseudo-terminal")
    given = options.parse_args()
    clean = True
    for seed in range(given.seed, given.seed + given.sessions):
        figures = run(given.hands, seed, given.rate, given.speed, not given.tcp)
        print(json.dumps({"seed": seed} | asdict(figures)), flush=True)
        clean = clean and figures.clean
    return 0 if clean else 1


if __name__ == "__main__":
    sys.exit(main())
