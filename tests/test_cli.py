"""The command line as a user meets it: run in a process of its own (docs/formats/command-line.md)."""

import json
import subprocess
import sys

import pytest

HAND = {
    "rules": "hangzhou",
    "indicator": "2s",
    "players": [{}, {"hand": "123m456p77sEEE44m"}, {}, {}],
    "wins": [{"seat": 1, "tile": "4m", "source": "wall"}],
}


def referee(*arguments: str, given: str | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from referee.cli import main; main()", *arguments]
    return subprocess.run(command, input=given, text=True, capture_output=True, timeout=120)


def one_line(text: str) -> bool:
    return text.startswith("referee: ") and text.count("\n") == 1


def test_score_reads_one_record_from_standard_input() -> None:
    """Hangzhou sheet, Payments: a plain self-draw pays 1, between dealer and others at 1 lao 2."""
    done = referee("score", "-", "--json", given=json.dumps(HAND))
    assert done.returncode == 0
    assert json.loads(done.stdout)["deltas"] == [-2, 4, -1, -1]


@pytest.mark.parametrize("form", ["list", "lines"])
def test_bad_records_are_named_and_the_others_settled(form: str) -> None:
    bad = {**HAND, "players": [{}, {"hand": "xx"}, {}, {}]}
    records = [HAND, bad, HAND]
    text = json.dumps(records) if form == "list" else "\n".join(map(json.dumps, records))
    done = referee("score", "-", "--json", given=text)
    assert done.returncode == 2
    assert [json.loads(line)["record"] for line in done.stdout.splitlines()] == [0, 2]
    assert one_line(done.stderr) and "record 1" in done.stderr and "players[1].hand" in done.stderr


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("{", "not JSON"),
        ("", "empty"),
        ("[" * 100_000, "not JSON"),
        ("3", "a record is an object"),
        (json.dumps({**HAND, "rules": "mars"}), "no rule set 'mars'"),
        (json.dumps({**HAND, "options": {"x": 1}}), "options.x"),
        (json.dumps({**HAND, "options": {"feed_limit_from": 9}}), "options.feed_limit_from"),
        (json.dumps({**HAND, "wins": [{"seat": 4, "tile": "1m", "source": "wall"}]}), "wins[0].seat"),
        (json.dumps({**HAND, "wins": [{"seat": 1, "source": "wall"}]}), "wins[0].tile"),
        (json.dumps({**HAND, "players": HAND["players"][:3]}), "4 seats"),
        (json.dumps({**HAND, "indicator": None}), "indicator"),
        (json.dumps({**HAND, "indicator": "1f"}), "does not use 1f"),
        ('{"rules": NaN}', "not JSON"),
    ],
)
def test_what_cannot_be_used_gets_one_line_and_status_2(given: str, said: str) -> None:
    done = referee("score", "-", "--json", given=given)
    assert done.returncode == 2 and done.stdout == ""
    assert one_line(done.stderr) and said in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [("nonsense",), ("score",), ("score", "/no/such/file.json"), ("hand", "1", "--rules", "hangzhou"),
     ("hand", "11m", "--rules", "mars"), ("rules", "mars"), ("hand", "123m", "--rules", "hangzhou", "--meld", "x"),
     ("photo", "/no/such.png", "--rules", "hangzhou")],
)  # fmt: skip
def test_wrong_calls_get_one_line_and_status_2(arguments: tuple[str, ...]) -> None:
    done = referee(*arguments)
    assert done.returncode == 2 and one_line(done.stderr), done


def test_hand_typed_on_the_command_line_prints_a_sheet() -> None:
    done = referee("hand", "123m456p77sEEE44m4m", "--rules", "hangzhou", "--indicator", "2s", "--seat", "1")
    assert done.returncode == 0
    for text in ("平胡", "plain", "444m*", "receives 4", "seat 0: -2"):
        assert text in done.stdout


def test_wrong_number_of_tiles_is_settled_as_no_win() -> None:
    """Hand record contract, "Malformed or merely illegal": too few tiles are a settled record, the win not legal."""
    done = referee("hand", "123m4m", "--rules", "hangzhou", "--indicator", "2s", "--json")
    assert done.returncode == 0
    (win,) = json.loads(done.stdout)["wins"]
    assert win["legal"] is False and win["reason"].startswith("wrong_count")


def test_rules_lists_all_27_and_prints_one() -> None:
    listed = json.loads(referee("rules", "--json").stdout)
    assert len(listed) == 27
    one = json.loads(referee("rules", "hongkong", "--json").stdout)
    assert {"id": "minimum_faan", "values": "whole number from 0 to 13", "default": 3}.items() <= {
        "id": one["options"][0]["name"], "values": one["options"][0]["values"], "default": one["options"][0]["default"]
    }.items()  # fmt: skip
    assert any(p["name"] == "十三么" for p in one["patterns"])


@pytest.mark.parametrize("command", [["see", "tests/photos/tray_1.jpg"], ["watch", "tests/photos", "--rules", "wuhan"]])
def test_a_tile_set_that_was_never_learned_gives_one_line(command: list[str]) -> None:
    done = referee(*command, "--set", "nobody has learned this")
    assert done.returncode == 2
    assert one_line(done.stderr) and "nobody has learned this" in done.stderr
