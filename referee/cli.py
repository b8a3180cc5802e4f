"""The command line: ``referee COMMAND``. Every failure a person can cause is one line and exit status 2.

Commands only read their arguments, call the library and print; heavy imports wait until a command needs them.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from pathlib import Path
from typing import Annotated, Any

import typer

from referee.inputs import InputError
from referee.rules.record import RecordError

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Referee for mahjong tables: reads tiles, keeps the hand, settles the score under 27 regional rule sets.",
)

Json = Annotated[bool, typer.Option("--json", help="print JSON and nothing else")]
RulesId = Annotated[str, typer.Option("--rules", help="rule set id, see `referee rules`")]
Options = Annotated[list[str] | None, typer.Option("--option", help="a named variation, NAME=VALUE; may be repeated")]


def fail(message: object) -> None:
    """One line on standard error."""
    print(f"referee: {message}", file=sys.stderr)


def _unexpected(problem: Exception) -> str:
    """One line for what should not have happened; with REFEREE_TRACE set the traceback as well, for a report."""
    if os.environ.get("REFEREE_TRACE"):
        traceback.print_exception(problem)
    what = " ".join(str(problem).split())
    return f"unexpected {type(problem).__name__}: {what} (please report it; REFEREE_TRACE=1 shows where)"


def print_json(value: Any) -> None:
    print(json.dumps(value, ensure_ascii=False))


@app.command()
def rules(rules_id: Annotated[str | None, typer.Argument(metavar="[ID]")] = None, as_json: Json = False) -> None:
    """List the rule sets, or print one in full: tiles, wilds, patterns with worth, payments, options."""
    from referee import describe

    if rules_id is None:
        print_json(describe.all_json()) if as_json else describe.print_list()
    elif as_json:
        print_json(describe.as_json(rules_id))
    else:
        describe.print_one(rules_id)


@app.command()
def score(files: Annotated[list[str], typer.Argument(metavar="FILE...")], as_json: Json = False) -> None:
    """Settle hand records: JSON objects, lists or JSON Lines; ``-`` reads standard input."""
    from referee.inputs import Item, read_records

    number, bad = 0, 0
    for path in files:
        try:
            items = list(read_records(path))
        except InputError as problem:
            items = [Item(path, problem=str(problem).removeprefix(f"{path}: "))]
        for item in items:
            bad += not _score_one(item.where, item.value, item.problem, number, as_json)
            number += 1
    if bad:
        raise typer.Exit(2)


def _score_one(where: str, value: Any, problem: str | None, number: int, as_json: bool) -> bool:
    from rich.console import Console

    from referee import sheet
    from referee.rules.record import parse_record
    from referee.rules.settle import as_json as settlement_json
    from referee.rules.settle import settle

    if problem is None:
        try:
            settlement = settle(parse_record(value))
        except RecordError as refused:
            problem = str(refused)
        except Exception as unexpected:  # one record must never hide the others
            problem = _unexpected(unexpected)
    if problem is not None:
        fail(f"record {number} ({where}): {problem}")
        return False
    if as_json:
        print_json(settlement_json(settlement, number))
    else:
        title = f"record {number}: {settlement.rules.native} {settlement.rules.english}"
        sheet.render(settlement, Console(highlight=False), title)
    return True


@app.command()
def hand(
    tiles: Annotated[str, typer.Argument(help="concealed tiles; without --win the last one is the winning tile")],
    rules_id: RulesId,
    win: Annotated[str | None, typer.Option(help="the winning tile, if not the last of TILES")] = None,
    source: Annotated[str, typer.Option(help="wall, discard, kong, flower, robbed_kong, indicator, deal")] = "wall",
    giver: Annotated[int | None, typer.Option("--from", help="seat of the discarder or of the robbed player")] = None,
    seat: Annotated[int, typer.Option(help="the winner's seat")] = 0,
    dealer: Annotated[int, typer.Option(help="the dealer's seat")] = 0,
    repeat: Annotated[int, typer.Option(help="hands in a row the dealer has kept the deal")] = 0,
    round_wind: Annotated[str, typer.Option(help="prevailing wind")] = "E",
    indicator: Annotated[str | None, typer.Option(help="the tile turned up to fix the wild tiles")] = None,
    meld: Annotated[list[str] | None, typer.Option(help="KIND:TILES[:FROM[:CLAIMED]], e.g. pung:EEE:2")] = None,
    bonus: Annotated[str, typer.Option(help="bonus tiles set aside")] = "",
    hand_of: Annotated[list[str] | None, typer.Option(help="another player's hand, SEAT=TILES; repeatable")] = None,
    set_: Annotated[list[str] | None, typer.Option("--set", help="another field of the win, e.g. last_tile=true")] = None,
    option: Options = None,
    as_json: Json = False,
) -> None:
    """Settle a hand typed on the command line."""
    from referee.inputs import parse_setting
    from referee.typed import typed_record

    record = typed_record(
        tiles, rules_id, win=win, source=source, giver=giver, seat=seat, dealer=dealer, repeat=repeat, round_wind=round_wind,
        indicator=indicator, melds=meld or [], bonus=bonus, hands=hand_of or [],
        win_fields=dict(parse_setting(text) for text in set_ or []),
        options=dict(parse_setting(text) for text in option or []),
    )  # fmt: skip
    _print_settlement(record, as_json)


def _print_settlement(record: dict[str, Any], as_json: bool) -> None:
    from rich.console import Console

    from referee import sheet
    from referee.rules.record import parse_record
    from referee.rules.settle import as_json as settlement_json
    from referee.rules.settle import settle
    from referee.voice.announce import announce

    settlement = settle(parse_record(record))
    if as_json:
        print_json(settlement_json(settlement))
    else:
        sheet.render(settlement, Console(highlight=False))
        print(announce(settlement))


@app.command()
def see(
    images: Annotated[list[str], typer.Argument(metavar="IMAGE...")],
    set_name: Annotated[str | None, typer.Option("--set", help="a tile set learned with `referee enrol`")] = None,
    walls: Annotated[bool, typer.Option("--walls", help="count the walls, too")] = False,
    as_json: Json = False,
) -> None:
    """Say what tiles are in pictures; with --json one line a picture."""
    from vision.detect import Detector
    from vision.enrol import SetError
    from vision.see import see as look

    try:
        detector = Detector(set_name=set_name)
    except SetError as problem:
        raise InputError(str(problem)) from None
    bad = 0
    for path in images:
        try:
            seen = look(path, detector, walls=walls)
        except ValueError as problem:
            fail(problem)
            bad += 1
            continue
        print_json(seen) if as_json else _print_seen(seen)
    if bad:
        raise typer.Exit(2)


def _print_seen(seen: dict[str, Any]) -> None:
    print(f"{seen['image']}: {len(seen['tiles'])} tiles, {seen['width']} x {seen['height']}")
    for item in seen["tiles"]:
        (x, y), _, (x2, y2), _ = item["quad"]
        doubt = "" if item["confidence"] >= 0.9 else "  unsure"
        where = f"at {(x + x2) / 2:.0f},{(y + y2) / 2:.0f}"
        print(f"  {item['tile']:5} {item['confidence']:5.2f}  {item['facing']:8} {where}{doubt}")
    for wall in seen.get("walls", ()):
        (x, y), (x2, y2) = wall["ends"]
        print(f"  wall of {wall['stacks']} stacks, about {wall['tiles']} tiles, from {x:.0f},{y:.0f} to {x2:.0f},{y2:.0f}")


@app.command()
def photo(
    image: Annotated[str, typer.Argument(metavar="IMAGE")],
    rules_id: RulesId,
    win: Annotated[str | None, typer.Option(help="the winning tile, where it does not lie apart")] = None,
    source: Annotated[str, typer.Option(help="wall, discard, kong, flower, robbed_kong, indicator, deal")] = "wall",
    giver: Annotated[int | None, typer.Option("--from", help="seat of the discarder or of the robbed player")] = None,
    seat: Annotated[int, typer.Option(help="the winner's seat")] = 0,
    dealer: Annotated[int, typer.Option(help="the dealer's seat")] = 0,
    repeat: Annotated[int, typer.Option(help="hands in a row the dealer has kept the deal")] = 0,
    round_wind: Annotated[str, typer.Option(help="prevailing wind")] = "E",
    indicator: Annotated[str | None, typer.Option(help="the tile turned up to fix the wild tiles")] = None,
    set_field: Annotated[list[str] | None, typer.Option("--field", help="another field of the win, e.g. last_tile=true")] = None,
    option: Options = None,
    set_name: Annotated[str | None, typer.Option("--set", help="a tile set learned with `referee enrol`")] = None,
    language: Annotated[str, typer.Option(help="language of the announcement: en, zh, yue, ja")] = "en",
    say: Annotated[bool, typer.Option("--say", help="speak the announcement")] = False,
    out: Annotated[str | None, typer.Option(help="write the annotated picture here")] = None,
    ask: Annotated[bool, typer.Option("--ask/--no-ask", help="ask about doubtful tiles (at a terminal)")] = True,
    as_json: Json = False,
) -> None:
    """Read a photo of a finished hand, settle it, say it, and draw what was read on the picture."""
    from referee import cli_photo
    from referee.inputs import parse_setting
    from referee.photo import Situation

    situation = Situation(
        rules_id, dict(parse_setting(text) for text in option or []), seat, dealer, repeat, round_wind, indicator, source,
        giver, win, dict(parse_setting(text) for text in set_field or []),
    )  # fmt: skip
    interactive = ask and not as_json and sys.stdin.isatty() and sys.stdout.isatty()
    cli_photo.run(image, situation, set_name=set_name, language=language, out=out, ask=interactive, as_json=as_json, say=say)


@app.command()
def enrol(
    photos: Annotated[list[str], typer.Argument(metavar="PHOTO...", help="the set's faces laid out, in any order")],
    set_name: Annotated[str, typer.Option("--set", help="the name to keep the tile set under")],
    faces: Annotated[str | None, typer.Option(help="the tiles in reading order, if you dictate them")] = None,
    several: Annotated[bool, typer.Option("--several", help="faces may stand in the photos more than once")] = False,
    as_json: Json = False,
) -> None:
    """Learn a table's own tile set from a few photographs, in seconds; used with `--set NAME`."""
    from referee.rules.tiles import NAMES, parse
    from vision import enrol as sets
    from vision.detect import Detector
    from vision.images import load_image

    dictated = None if faces is None else [NAMES[tile] for tile in parse(faces)]
    try:
        detector = Detector()
        readings = [detector.features(load_image(path)) for path in photos]
        learned = sets.learn(set_name, readings, dictated, each_once=not several)
        path = sets.path_of(set_name)
        learned.save(path, detector.weights)
    except ValueError as problem:
        raise InputError(str(problem)) from None
    known = sets.learned_faces(learned)
    if as_json:
        print_json({"set": set_name, "file": str(path), "faces": known})
    else:
        print(f"{set_name}: {len(known)} faces learned from {len(learned.kinds)} tiles, kept in {path}")


@app.command()
def calibrate(
    source: Annotated[str | None, typer.Argument(metavar="[SOURCE]", help="camera number, stream, video or folder")] = None,
    out: Annotated[str, typer.Option(help="where to store the calibration")] = "calibration.json",
    markers: Annotated[str | None, typer.Option(help="write the corner markers to print here (.pdf) and stop")] = None,
    corners: Annotated[str | None, typer.Option(help="x,y x,y x,y x,y: seat 0's left, right, then on round the field")] = None,
    half: Annotated[float, typer.Option(help="half the playing field's side, mm")] = 400.0,
    outward: Annotated[float, typer.Option(help="how far the markers' middles lie outside the corners, mm")] = 0.0,
    show: Annotated[str | None, typer.Option(help="write a picture with the field drawn on it here")] = None,
    as_json: Json = False,
) -> None:
    """Find the table in the picture: by printed markers, by its corners, or by the felt's edge."""
    from referee import cli_calibrate

    cli_calibrate.run(source, out, markers, corners, half, outward, show, as_json)


@app.command()
def watch(
    source: Annotated[str, typer.Argument(help="camera number, stream URL, video file or folder of stills")],
    rules_id: RulesId,
    option: Options = None,
    calibration: Annotated[str | None, typer.Option(help="a stored calibration (`referee calibrate`)")] = None,
    table: Annotated[str | None, typer.Option(help="an automatic table: its port's URL, or a recorded trace")] = None,
    log: Annotated[str, typer.Option(help="the event log to write; an existing one is continued")] = "game.jsonl",
    evidence: Annotated[str | None, typer.Option(help="folder for pictures of every event")] = None,
    dealer: Annotated[int | None, typer.Option(help="the first dealer's seat")] = None,
    names: Annotated[str, typer.Option(help="players' names by seat, separated by commas")] = "",
    river: Annotated[str | None, typer.Option(help="discards lie in rows or in the centre [default: the rules' custom]")] = None,
    set_name: Annotated[str | None, typer.Option("--set", help="a tile set learned with `referee enrol`")] = None,
    language: Annotated[str, typer.Option(help="language of announcements: en, zh, yue, ja")] = "en",
    say: Annotated[bool, typer.Option("--say", help="speak rulings and scores")] = False,
    counts: Annotated[bool, typer.Option("--say-counts", help="speak of long and short hands too")] = False,
    no_board: Annotated[bool, typer.Option("--no-board", help="do not open the web board (none is built yet)")] = False,
    fast: Annotated[bool, typer.Option("--as-fast-as-possible", help="do not wait for a recording's own time")] = False,
    as_json: Json = False,
) -> None:
    """The live referee: keep the hand from a camera over the table, name faults, settle, ask when unsure."""
    from referee import cli_watch
    from referee.inputs import parse_setting
    from referee.live import Settings

    if river not in (None, "rows", "centre"):
        raise InputError(f"--river {river}: rows or centre is expected")
    rows = None if river is None else river == "rows"
    players = tuple(name.strip() for name in names.split(",")) if names else ()
    settings = Settings(rules_id, dict(parse_setting(text) for text in option or []), dealer, players, rows)
    cli_watch.run(
        source, settings, calibration=calibration, table=table, log=log, evidence=evidence, set_name=set_name,
        language=language, fast=fast, as_json=as_json, say=say, counts=counts,
    )  # fmt: skip


def _mount() -> None:
    """Commands that live in modules of their own."""
    from referee.cli_replay import replay
    from referee.cli_simulate import simulate
    from referee.cli_table import table_app

    app.command()(replay)
    app.command()(simulate)
    app.add_typer(table_app, name="table", help="Automatic tables: watch, test and simulate their serial line.")


def main(arguments: list[str] | None = None) -> None:
    """Entry point of the ``referee`` command."""
    _mount()
    command = typer.main.get_command(app)
    try:
        status = command.main(arguments, prog_name="referee", standalone_mode=False)
    except (RecordError, InputError) as problem:
        fail(problem)
        status = 2
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 0
    except KeyboardInterrupt:
        status = 130
    except Exception as problem:
        shown = getattr(problem, "format_message", None)
        usage = shown and " ".join(str(shown()).split()) + " (see `referee --help`)"
        fail(usage or _unexpected(problem))
        status = 2
    sys.exit(status if isinstance(status, int) else 0)


__all__ = ["Path", "app", "main"]
