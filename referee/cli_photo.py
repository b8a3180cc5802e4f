"""``referee photo``: what the command prints, asks and draws."""

from __future__ import annotations

import json
import sys
from typing import Any

from rich.console import Console

from referee import sheet
from referee.inputs import InputError
from referee.photo import Reading, Situation, doubtful, read_hand
from referee.rules.settle import as_json as settlement_json
from referee.voice.announce import announce
from referee.voice.words import LANGUAGES
from vision.annotate import Mark, annotated, save
from vision.detect import Detector, Sighting
from vision.images import load_image


def run(
    path: str, situation: Situation, *, set_name: str | None, language: str, out: str | None, ask: bool, as_json: bool,
    say: bool = False,
) -> None:
    """Do the whole of it. Raises InputError or RecordError with one line."""
    if language not in LANGUAGES:
        raise InputError(f"--language {language}: one of {', '.join(LANGUAGES)} is expected")
    try:
        image = load_image(path)
        reading = read_hand(Detector(set_name=set_name).read(image), situation, _ask if ask else None)
    except ValueError as problem:
        raise InputError(str(problem)) from None
    said = announce(reading.settlement, language) if reading.settlement else ""
    if out:
        try:
            save(out, annotated(image, marks(reading), caption(reading)))
        except ValueError as problem:
            raise InputError(str(problem)) from None
    if say and said:
        _speak(said, language)
    if as_json:
        print(json.dumps(_json(path, reading, said), ensure_ascii=False))
    else:
        _tell(reading, said, out)


def _speak(text: str, language: str) -> None:
    from referee.voice.speech import Speaker

    speaker = Speaker(language)
    speaker.say(text)
    speaker.close()


def _ask(sighting: Sighting, choices: tuple[str, ...]) -> str:
    x, y = sighting.centre
    options = ", ".join(f"{name} ({sighting.probabilities[name]:.0%})" for name in choices)
    while True:
        print(f"The tile at {x:.0f},{y:.0f} may be {options}. Which is it? [{choices[0]}] ", end="", flush=True)
        answer = sys.stdin.readline()
        chosen = answer.strip() or choices[0]
        if chosen in choices or not answer:
            return chosen
        print(f"One of {', '.join(choices)} is expected.")


def marks(reading: Reading) -> list[Mark]:
    """What to draw: every tile by its part."""
    found = reading.arrangement
    parts: dict[int, str] = {id(s): "hand" for s in found.concealed}
    parts |= {id(s): "bonus" for s in found.bonus}
    parts |= {id(s): "meld" for meld in found.melds for s in meld.tiles}
    if found.winning:
        parts[id(found.winning)] = "winning"
    return [Mark(s, parts.get(id(s), "other"), s.tile, doubtful(s)) for s in reading.sightings]


def caption(reading: Reading) -> list[str]:
    """The picture's caption, in English whatever is announced: the drawn letters are Latin."""
    lines = [announce(reading.settlement)] if reading.settlement else [f"No settlement: {reading.problem}"]
    return lines + [f"Doubtful: {_doubt_text(reading, index)}" for index in range(len(reading.doubts))]


def _doubt_text(reading: Reading, index: int) -> str:
    doubt = reading.doubts[index]
    x, y = doubt.sighting.centre
    head = f"{doubt.sighting.tile} at {x:.0f},{y:.0f} ({doubt.sighting.confidence:.0%} sure)"
    return "; ".join([head, *doubt.consequences])


def _tell(reading: Reading, said: str, out: str | None) -> None:
    console = Console(highlight=False)
    found = reading.arrangement
    console.print("hand     " + " ".join(s.tile for s in found.concealed), markup=False)
    for meld in found.melds:
        given = f", {meld.claimed} from the {meld.giver}" if meld.giver else ""
        console.print(f"{meld.kind:8} {' '.join(meld.faces)}{given}", markup=False)
    if found.bonus:
        console.print("bonus    " + " ".join(s.tile for s in found.bonus), markup=False)
    console.print("winning  " + (found.winning.tile if found.winning else "none set apart"), markup=False)
    for remark in reading.remarks:
        console.print(f"note     {remark}", markup=False)
    for index in range(len(reading.doubts)):
        console.print(f"unsure   {_doubt_text(reading, index)}", markup=False)
    console.print()
    if reading.settlement is None:
        console.print(f"No settlement: {reading.problem}", markup=False)
    else:
        sheet.render(reading.settlement, console)
        console.print()
        console.print(said, markup=False)
    if out:
        console.print(f"picture  {out}", markup=False)


def _json(path: str, reading: Reading, said: str) -> dict[str, Any]:
    from vision.see import as_data

    found = reading.arrangement
    return {
        "image": path,
        "hand": [s.tile for s in found.concealed],
        "melds": [{"kind": m.kind, "tiles": list(m.faces), "claimed": m.claimed, "giver": m.giver} for m in found.melds],
        "bonus": [s.tile for s in found.bonus],
        "winning": found.winning.tile if found.winning else None,
        "tiles": [as_data(s) for s in reading.sightings],
        "remarks": list(reading.remarks),
        "doubts": [
            {
                **as_data(d.sighting),
                "alternatives": [{"tile": name, "probability": round(p, 4)} for name, p in d.alternatives],
                "consequences": list(d.consequences),
            }
            for d in reading.doubts
        ],
        "record": reading.record,
        "settlement": settlement_json(reading.settlement) if reading.settlement else None,
        "problem": reading.problem,
        "announcement": said,
    }
