"""Speech from text, offline: eSpeak NG as shipped in the Python package ``espeakng-loader`` with its voices.

The engine is called through its C library; it gives 16-bit samples that are written as WAV or handed to the machine's own
player. Speaking never holds up the table: ``Speaker`` says one line at a time on a thread of its own, drops what has grown
old, and keeps a pause between lines.
"""

from __future__ import annotations

import ctypes
import queue
import shutil
import subprocess
import tempfile
import threading
import time
import wave
from pathlib import Path
from typing import Any

import espeakng_loader

from referee.voice.words import KANA

VOICES = {"en": b"en", "zh": b"cmn", "yue": b"yue", "ja": b"ja"}
RATE = 165  # words a minute
PLAYERS = (("paplay",), ("aplay", "-q"), ("afplay",), ("play", "-q"))
OLD = 8.0  # seconds after which a line is not worth saying any more
PAUSE = 0.4  # seconds between two lines

_RETRIEVAL, _UTF8, _POSITION_CHARACTER, _RATE_PARAMETER = 1, 1, 1, 1
_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p)
_lock = threading.Lock()
_engine: tuple[Any, int] | None = None


class SpeechError(RuntimeError):
    """The engine could not be started or has no such voice."""


def _library() -> tuple[Any, int]:
    """The engine, started once: (library, samples a second)."""
    global _engine
    if _engine is None:
        library = ctypes.cdll.LoadLibrary(espeakng_loader.get_library_path())
        data = Path(espeakng_loader.get_data_path()).parent
        rate = library.espeak_Initialize(_RETRIEVAL, 200, str(data).encode(), 0)
        if rate <= 0:
            raise SpeechError("the speech engine does not start")
        library.espeak_SetParameter(_RATE_PARAMETER, RATE, 0)
        _engine = library, rate
    return _engine


def samples(text: str, language: str) -> tuple[bytes, int]:
    """16-bit mono samples of the text spoken, and samples a second. Raises SpeechError."""
    with _lock:
        library, rate = _library()
        if library.espeak_SetVoiceByName(VOICES[language]) != 0:
            raise SpeechError(f"the speech engine has no voice for {language}")
        heard = bytearray()

        def take(wav: Any, count: int, events: Any) -> int:
            if wav and count > 0:
                heard.extend(ctypes.string_at(wav, 2 * count))
            return 0

        callback = _CALLBACK(take)
        library.espeak_SetSynthCallback(callback)
        data = text.encode() + b"\0"
        if library.espeak_Synth(data, len(data), 0, _POSITION_CHARACTER, 0, _UTF8, None, None) != 0:
            raise SpeechError("the speech engine failed")
        library.espeak_Synchronize()
        return bytes(heard), rate


def spoken(text: str, language: str) -> str:
    """The text as the engine can read it: Japanese in kana, unreadable characters left out."""
    if language != "ja":
        return text
    for written in sorted(KANA, key=len, reverse=True):
        text = text.replace(written, KANA[written])
    return "".join(c for c in text if not "\u4e00" <= c <= "\u9fff")


def write_wav(path: str | Path, text: str, language: str) -> float:
    """Write the text spoken as a WAV file; how long it is in seconds."""
    data, rate = samples(spoken(text, language), language)
    with wave.open(str(path), "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(rate)
        out.writeframes(data)
    return len(data) / 2 / rate


class Speaker:
    """Says lines one after the other through the machine's player; without one it stays silent."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.player = next((command for command in PLAYERS if shutil.which(command[0])), None)
        self._lines: queue.Queue[tuple[float, str] | None] = queue.Queue()
        self._thread = threading.Thread(target=self._run, daemon=True, name="speech")
        if self.player:
            self._thread.start()

    def say(self, text: str) -> None:
        """Queue a line."""
        if self.player:
            self._lines.put((time.monotonic(), text))

    def close(self) -> None:
        """Finish what is being said and stop."""
        if self.player:
            self._lines.put(None)
            self._thread.join(timeout=OLD)

    def _run(self) -> None:
        assert self.player is not None
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "line.wav"
            while (item := self._lines.get()) is not None:
                said_at, text = item
                if time.monotonic() - said_at > OLD:
                    continue
                try:
                    write_wav(path, text, self.language)
                    subprocess.run([*self.player, str(path)], timeout=30, check=False, capture_output=True)
                except (SpeechError, OSError, subprocess.TimeoutExpired):
                    return
                time.sleep(PAUSE)
