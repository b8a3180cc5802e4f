"""``referee simulate``: plays games and renders what a camera over the table would have seen, the truth beside it."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from referee.inputs import InputError, parse_setting
from referee.rules.ruleset import load
from referee.simulate import Filming, film, photograph, play, rows, write_log, write_truth

_SIZE = re.compile(r"(\d+)x(\d+)")


def simulate(
    rules_id: Annotated[str, typer.Option("--rules", help="rule set id, see `referee rules`")],
    out: Annotated[Path, typer.Option(help="folder to write to")],
    seed: Annotated[int, typer.Option(min=0, help="the same seed gives the same game and film")] = 0,
    hands: Annotated[int, typer.Option(min=1, help="hands in a row (with --photo: photographs)")] = 1,
    fouls: Annotated[float, typer.Option(min=0, max=1, help="share of turns in which somebody breaks a rule")] = 0.0,
    no_video: Annotated[bool, typer.Option("--no-video", help="play and write the log alone")] = False,
    photo: Annotated[bool, typer.Option("--photo", help="photographs of finished hands instead of a film")] = False,
    seconds: Annotated[float | None, typer.Option(min=0.1, help="stop the film after so long")] = None,
    fps: Annotated[float, typer.Option(min=1, max=120, help="frames a second")] = 15.0,
    size: Annotated[str, typer.Option(help="of the picture")] = "1920x1080",
    pace: Annotated[float, typer.Option(min=0.2, max=5, help="below 1 the players are quicker")] = 1.0,
    oblique: Annotated[float, typer.Option(min=0, max=50, help="how far the camera leans, degrees, about")] = 12.0,
    custom: Annotated[
        list[str] | None,
        typer.Option("--custom", help="with --photo: how hands lie (row, melds, bonus, win, turned), NAME=VALUE; repeatable"),
    ] = None,
    option: Annotated[list[str] | None, typer.Option("--option", help="a named variation, NAME=VALUE; repeatable")] = None,
) -> None:
    """Play hands with bots and film them: video, truth of the tiles, event log, the table's serial trace, calibration."""
    options = dict(parse_setting(text) for text in option or [])
    load(rules_id, options)
    pixels, customs = _size(size), _customs(custom or [])
    try:
        out.mkdir(parents=True, exist_ok=True)
        if photo:
            taken = photograph(rules_id, seed, out, hands, options, pixels, customs)
            print(f"{out}: {taken} photographs", file=sys.stderr)
            return
        game = play(rules_id, seed, hands, options, fouls)
        print(f"{out}: {len(game.events)} events, {len(game.fouls)} fouls", file=sys.stderr)
        if no_video:
            log = rows(game)
            write_log(out / "log.jsonl", log)
            write_truth(out / "truth.json", game, log)
        else:
            film(game, out, Filming(pixels, fps, max(1, round(fps / 2)), pace, seconds, oblique))
    except OSError as problem:
        raise InputError(f"{problem.filename or out}: {problem.strerror or problem}") from None


def _customs(texts: list[str]) -> dict[str, Any]:
    from vision.render.photo import arranged

    for text in texts:
        if "=" not in text:
            raise InputError(f"--custom {text}: written as NAME=VALUE")
    try:
        return dict(arranged(dict(parse_setting(text) for text in texts)))
    except ValueError as problem:
        raise InputError(f"--custom: {problem}") from None


def _size(text: str) -> tuple[int, int]:
    match = _SIZE.fullmatch(text)
    if match is None:
        raise InputError(f"--size: WIDTHxHEIGHT is expected, not {text!r}")
    width, height = int(match[1]), int(match[2])
    if not (64 <= width <= 7680 and 64 <= height <= 7680) or width % 2 or height % 2:
        raise InputError(f"--size: even numbers from 64 to 7680 are expected, not {text!r}")
    return width, height
