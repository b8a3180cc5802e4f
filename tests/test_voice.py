"""Announcements: what is said of a settled hand and of faults, and that speech comes out of the offline engine."""

import wave
from pathlib import Path

import pytest

from referee.rules.record import parse_record
from referee.rules.settle import settle
from referee.voice.announce import announce, announce_fault
from referee.voice.speech import samples, spoken, write_wav
from referee.voice.words import COUNT_FAULTS, FAULTS, LANGUAGES

WIN = {
    "rules": "hangzhou",
    "indicator": "2s",
    "players": [{}, {"hand": "123m456p77sEEE44m"}, {}, {}],
    "wins": [{"seat": 1, "tile": "4m", "source": "wall"}],
}


def test_a_win_is_told_with_who_pays_what() -> None:
    """Hangzhou sheet, Payments: plain self-draw at 1 lao, 2 from the dealer, 1 from the others."""
    said = announce(settle(parse_record(WIN)), "en")
    assert said == "South wins by self-draw: plain. East pays 2, South receives 4, West pays 1, North pays 1."


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_names_winner_pattern_and_amounts(language: str) -> None:
    said = announce(settle(parse_record(WIN)), language)
    assert "4" in said and "2" in said and ("平胡" in said or "plain" in said)
    drawn = announce(settle(parse_record({**WIN, "wins": []})), language)
    assert drawn and "4" not in drawn


def test_a_refused_win_is_told_with_its_reason() -> None:
    refused = {**WIN, "wins": [{"seat": 1, "tile": "4m", "source": "discard", "from": 0}]}
    said = announce(settle(parse_record(refused)), "en")
    assert said.startswith("South: no win, 1 lao") and said.endswith("Nothing is paid.")


@pytest.mark.parametrize("language", LANGUAGES)
def test_tile_counts_are_not_spoken_of_unless_asked(language: str) -> None:
    """Adjudication: a bystander may not comment on another player's tile count."""
    for kind in COUNT_FAULTS:
        assert announce_fault(kind, 2, 0, 4, language) is None
        assert announce_fault(kind, 2, 0, 4, language, counts=True)
    for kind in FAULTS:
        assert announce_fault(kind, 2, 0, 4, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_speech_comes_out(language: str, tmp_path: Path) -> None:
    seconds = write_wav(tmp_path / "line.wav", announce(settle(parse_record(WIN)), language), language)
    with wave.open(str(tmp_path / "line.wav")) as heard:
        assert heard.getnframes() / heard.getframerate() == pytest.approx(seconds)
        data = heard.readframes(heard.getnframes())
    assert 1.0 < seconds < 15.0 and max(data[1::2]) > 8, "silence"


def test_languages_sound_different() -> None:
    assert samples("东家自摸", "zh") != samples("东家自摸", "yue")


def test_japanese_is_spoken_in_kana() -> None:
    said = spoken(announce(settle(parse_record(WIN)), "ja"), "ja")
    assert not any("\u4e00" <= c <= "\u9fff" for c in said) and "ツモアガリ" in said
