"""Sources of pictures. Truth: pictures made here, each its own shade of grey, sent by a server of our own or read from disk."""

from __future__ import annotations

import itertools
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cv2
import numpy as np
import pytest

from vision.camera import SourceError, open_source

PATIENCE = 30.0  # seconds after which a stream that does not come is a failure
EACH = 0.02  # seconds from one picture to the next


def _grey(level: int) -> np.ndarray:
    return np.full((48, 64, 3), level, np.uint8)


class Stream:
    """A camera on the network: pictures one after the other, for as long as it is plugged in."""

    def __init__(self, port: int = 0, level: int = 50) -> None:
        stream = self
        self.plugged = True

        class Sender(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=picture")
                self.end_headers()
                jpeg = cv2.imencode(".jpg", _grey(level))[1].tobytes()
                head = b"--picture\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(jpeg)
                try:
                    while stream.plugged:
                        self.wfile.write(head + jpeg + b"\r\n")
                        time.sleep(EACH)
                except OSError:
                    pass

            def log_message(self, *_: object) -> None: ...

        self.server = ThreadingHTTPServer(("127.0.0.1", port), Sender)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def unplug(self) -> None:
        self.plugged = False
        self.server.shutdown()
        self.server.server_close()


def test_a_stream_that_goes_away_is_told_and_taken_up_again():
    stream = Stream(level=60)
    source = open_source(f"http://127.0.0.1:{stream.port}/table.mjpg")
    begun, seen, shots = time.monotonic(), [], iter(source)
    try:
        for shot in shots:
            assert time.monotonic() - begun < PATIENCE
            state = "lost" if shot.picture is None else round(float(shot.picture.mean()))
            assert shot.lost == (shot.picture is None)
            if state not in seen:
                seen.append(state)
                if state == 60:
                    stream.unplug()
                elif state == "lost":
                    stream = Stream(stream.port, level=180)
                else:
                    break
    finally:
        source.close()
        stream.unplug()
    assert seen == ["lost" if s == "lost" else pytest.approx(s, abs=3) for s in (60, "lost", 180)]


def test_a_slow_reader_of_a_stream_gets_the_newest_picture_and_is_told_what_it_missed():
    stream = Stream()
    source = open_source(f"http://127.0.0.1:{stream.port}/table.mjpg")
    try:
        shots = [shot for shot in itertools.islice(source, 3) if time.sleep(10 * EACH) is None]
    finally:
        source.close()
        stream.unplug()
    assert [shot.number for shot in shots] == sorted({shot.number for shot in shots})
    assert [b.dropped for a, b in itertools.pairwise(shots)] == [b.number - a.number - 1 for a, b in itertools.pairwise(shots)]
    assert shots[-1].dropped > 0


def test_a_film_has_every_picture_at_its_own_time(tmp_path):
    path = str(tmp_path / "film.avi")
    video = cv2.VideoWriter(path, cv2.VideoWriter_fourcc(*"MJPG"), 10.0, (64, 48))
    for k in range(5):
        video.write(_grey(40 * k))
    video.release()
    shots = list(open_source(path))
    assert [round(shot.t, 3) for shot in shots] == [0.0, 0.1, 0.2, 0.3, 0.4]
    assert [float(shot.picture.mean()) for shot in shots] == pytest.approx([0, 40, 80, 120, 160], abs=3)


def test_stills_come_in_the_order_of_their_names_and_one_that_cannot_be_read_is_lost(tmp_path):
    for name, level in (("b.png", 90), ("a.png", 30)):
        cv2.imwrite(str(tmp_path / name), _grey(level))
    (tmp_path / "c.png").write_bytes(b"no picture")
    (tmp_path / "notes.txt").write_text("no picture either")
    shots = list(open_source(str(tmp_path)))
    assert [None if s.picture is None else int(s.picture.mean()) for s in shots] == [30, 90, None]
    assert [s.lost for s in shots] == [False, False, True]


@pytest.mark.parametrize("name", ["nothing", "empty", "text.mp4"])
def test_what_cannot_be_opened_is_said_in_one_line(tmp_path, name):
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.mp4").write_text("no film")
    with pytest.raises(SourceError) as problem:
        open_source(str(tmp_path / name))
    assert name in str(problem.value) and "\n" not in str(problem.value)
