"""How fast the line is read: parser throughput, and the time from a byte to its event. `python -m hardware.bench`"""

from __future__ import annotations

import argparse
import json
import statistics
import threading
import time
from typing import Any

from hardware import protocol
from hardware.endpoint import PtyEndpoint
from hardware.link import Link, TableEvent
from hardware.protocol import Draw
from hardware.simulator import Simulator


def throughput(megabytes: float = 4.0, chunk: int = 256) -> dict[str, Any]:
    """MB (10^6 bytes) from bytes to messages in a second of processor time, of a stream of events fed in chunks."""
    lines = [protocol.encode(Draw("head", 1, seq % 137, seq % 4), seq, seq * 100) for seq in range(1, 2001)]
    stream = b"".join(lines)
    parser = protocol.Parser()
    messages = total = 0
    began = time.process_time()
    while total < megabytes * 1e6:
        for at in range(0, len(stream), chunk):
            for item in parser.feed(stream[at : at + chunk]):
                if isinstance(item, protocol.Line):
                    protocol.from_table(item)
                    messages += 1
        total += len(stream)
    took = time.process_time() - began
    wire = protocol.BAUD / 10 / 1e6
    rate = total / took / 1e6
    return {
        "parser_mb_per_s": round(rate, 2),
        "messages_per_s": round(messages / took),
        "times_wire_speed": round(rate / wire),
    }


def latency(events: int = 300) -> dict[str, Any]:
    """Milliseconds from the table writing an event to a pseudo-terminal until the link hands it out."""
    endpoint = PtyEndpoint()
    endpoint.open()
    table = Simulator(endpoint)
    stop = threading.Event()
    sent: dict[int, float] = {}
    received: dict[int, float] = {}

    def run() -> None:
        for number in range(events):
            until = time.monotonic() + 0.005
            while time.monotonic() < until or not table.listened:
                table.serve(0.002)
            sent[number] = time.monotonic()
            table.do(Draw("head", 1, number))
            table.serve(0.0)
        while not stop.is_set():
            table.serve(0.02)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    with Link(endpoint.url) as link:
        while len(received) < events:
            for event in link.events(1.0):
                if isinstance(event, TableEvent) and isinstance(event.message, Draw):
                    received[event.message.left or 0] = time.monotonic()
    stop.set()
    thread.join()
    endpoint.close()
    waits = sorted((received[number] - sent[number]) * 1000 for number in received)
    return {
        "byte_to_event_ms_median": round(statistics.median(waits), 3),
        "byte_to_event_ms_99": round(waits[int(len(waits) * 0.99)], 3),
        "byte_to_event_ms_most": round(waits[-1], 3),
    }


def main() -> None:
    """Prints the figures, as JSON with ``--json``."""
    options = argparse.ArgumentParser(prog="python -m hardware.bench", description=(__doc__ or "").splitlines()[0])
    options.add_argument("--json", action="store_true")
    given = options.parse_args()
    figures = throughput() | latency()
    if given.json:
        print(json.dumps(figures))
        return
    for name, value in figures.items():
        print(f"table line  {name:<26} {value}")


if __name__ == "__main__":
    main()
