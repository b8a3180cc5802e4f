"""How long reading takes: the localiser, the classifier and the whole of `see`, fp32 and
int8 as shipped, on two threads.

    python -m tests.bench.eyes [--package PYTHON]

PYTHON is the interpreter of an environment of its own with the package mahjong-detector installed; it is then timed in
the same run, on the same photograph at its own input size. Medians of repeated calls, peak memory of this process.
"""

import argparse
import resource
import statistics
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from vision.detect import Detector
from vision.images import load_image

PHOTOS = Path(__file__).parent.parent / "photos"
HAND, TABLE = PHOTOS / "hand_wood_1.jpg", PHOTOS / "tray_1.jpg"

_PACKAGE = """
import statistics, sys, time
from PIL import Image
from mahjong_detector.predict import predict
from mahjong_detector.preprocess import preprocess_image
picture = Image.open(sys.argv[1]).convert("RGB")
def once():
    start = time.perf_counter()
    prepared, padding = preprocess_image(picture)
    predict(prepared, padding)
    return (time.perf_counter() - start) * 1000
once()
print(statistics.median(once() for _ in range(9)))
"""


def median_ms(call: Callable[[], object], times: int = 9) -> float:
    call()
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        call()
        taken.append((time.perf_counter() - start) * 1000)
    return statistics.median(taken)


def whole_table() -> np.ndarray:
    """A picture of 144 tiles: four trays side by side, 1600 pixels wide."""
    tray = cv2.resize(load_image(TABLE), (800, 800), interpolation=cv2.INTER_AREA)
    return np.vstack([np.hstack([tray, tray]), np.hstack([tray, tray])])


def bench(detector: Detector) -> dict[str, float]:
    square = np.random.default_rng(0).integers(0, 255, (1, 3, 640, 640)).astype(np.float32)
    crops = np.random.default_rng(0).integers(0, 255, (28, 3, 64, 48)).astype(np.float32)
    hand, table = load_image(HAND), whole_table()
    phone = cv2.resize(hand, (3464, 3464))
    return {
        "localiser, 640 x 640": median_ms(lambda: detector.localiser.run(None, {"image": square})),
        "classifier, 14 tiles both ways up": median_ms(lambda: detector.reader.session.run(None, {"crops": crops})),
        "read, hand of 14, 640 x 640": median_ms(lambda: detector.read(hand)),
        "read, hand of 14, 12 megapixels": median_ms(lambda: detector.read(phone)),
        "read, table of 144, 1600 x 1600": median_ms(lambda: detector.read(table)),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="How long reading takes.")
    parser.add_argument("--package", metavar="PYTHON", help="interpreter with mahjong-detector installed")
    arguments = parser.parse_args()
    kinds = {
        "fp32": Detector(precise=True),
        "int8": Detector(),
    }
    for name, detector in kinds.items():
        for what, ms in bench(detector).items():
            print(f"{name:12s}{what:36s} {ms:8.1f} ms")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    if arguments.package:
        result = subprocess.run(
            [arguments.package, "-c", _PACKAGE, str(HAND)], capture_output=True, text=True, check=True
        )
        print(f"package mahjong-detector, the same hand {float(result.stdout):8.1f} ms")
