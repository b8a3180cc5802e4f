"""Tile kinds and how they are written.

A tile is an ``int``, its kind: 0-8 characters (``1m``-``9m``), 9-17 dots (``p``), 18-26 bamboo (``s``), 27-30 winds
``E S W N``, 31-33 dragons ``C F P`` (red, green, white), 34-37 flowers (``1f``-``4f``), 38-41 seasons (``1q``-``4q``).
The notations read here are those of the hand record (docs/formats/hand-record.md, "Tiles").
"""

from __future__ import annotations

from collections.abc import Iterable

Tile = int

SUITS = "mps"
WINDS = (27, 28, 29, 30)
RED, GREEN, WHITE = DRAGONS = (31, 32, 33)
EAST, SOUTH, WEST, NORTH = WINDS
HONOURS = WINDS + DRAGONS
FLOWERS = (34, 35, 36, 37)
SEASONS = (38, 39, 40, 41)
BONUS = FLOWERS + SEASONS
SUITED = tuple(range(27))
TERMINALS = (0, 8, 9, 17, 18, 26)
ORPHANS = TERMINALS + HONOURS
PLAYING = SUITED + HONOURS
KINDS = 42

NAMES: tuple[str, ...] = (
    *(f"{number}{suit}" for suit in SUITS for number in range(1, 10)),
    *"ESWNCFP",
    *(f"{number}f" for number in range(1, 5)),
    *(f"{number}q" for number in range(1, 5)),
)
NATIVE: tuple[str, ...] = (
    *("一二三四五六七八九"[n] + suit for suit in "萬筒索" for n in range(9)),
    *"東南西北中發白梅蘭菊竹春夏秋冬",
)

_LETTERS: dict[str, Tile] = {name: kind for kind, name in enumerate(NAMES) if len(name) == 1}
_DIGITS = {str(n): n - 1 for n in range(1, 10)} | {c: n for n, c in enumerate("一二三四五六七八九")}
_SUIT_LETTERS = {"m": 0, "p": 9, "s": 18, "萬": 0, "万": 0, "筒": 9, "餅": 9, "饼": 9, "索": 18, "條": 18, "条": 18}
_Z_ORDER = (EAST, SOUTH, WEST, NORTH, WHITE, GREEN, RED)
_CHARACTERS: dict[str, Tile] = {c: kind for kind, c in enumerate(NATIVE) if len(c) == 1} | {"东": EAST, "发": GREEN, "兰": 35}
# U+1F000: E S W N red green white, characters, bamboo, dots, then plum orchid bamboo chrysanthemum, seasons.
_UNICODE: tuple[Tile, ...] = (*range(27, 34), *range(9), *range(18, 27), *range(9, 18), 34, 35, 37, 36, 38, 39, 40, 41)


class TileError(ValueError):
    """A text that cannot be read as tiles; the message names the text and the place."""


def parse(text: str) -> tuple[Tile, ...]:
    """Read tiles run together, digits before their suit letter: ``"123m44pEEC1q"``. White space is ignored.

    Raises TileError with what could not be read.
    """
    tiles: list[Tile] = []
    digits: list[str] = []
    for char in text:
        if char.isspace() or char == "\ufe0e" or char == "\ufe0f":
            continue
        if char in _DIGITS:
            digits.append(char)
        elif digits:
            tiles.extend(_suited(digit, char, text) for digit in digits)
            digits = []
        else:
            tiles.append(_single(char, text))
    if digits:
        raise TileError(f"no suit after {''.join(digits)!r} in {text!r}")
    return tuple(tiles)


def parse_one(text: str) -> Tile:
    """Read exactly one tile."""
    tiles = parse(text)
    if len(tiles) != 1:
        raise TileError(f"one tile expected, not {text!r}")
    return tiles[0]


def _suited(digit: str, letter: str, text: str) -> Tile:
    number = _DIGITS[digit]
    if letter in _SUIT_LETTERS:
        return _SUIT_LETTERS[letter] + number
    if letter == "z" and number < 7:
        return _Z_ORDER[number]
    if letter in "fq" and number < 4:
        return (34 if letter == "f" else 38) + number
    raise TileError(f"no tile {digit}{letter} in {text!r}")


def _single(char: str, text: str) -> Tile:
    if char in _LETTERS:
        return _LETTERS[char]
    if char in _CHARACTERS:
        return _CHARACTERS[char]
    index = ord(char) - 0x1F000
    if 0 <= index < len(_UNICODE):
        return _UNICODE[index]
    raise TileError(f"no tile {char!r} in {text!r}")


def write(tiles: Iterable[Tile]) -> str:
    """Write tiles in the contract's short form, in the order given: ``"123m44pEE"``."""
    out: list[str] = []
    for tile in tiles:
        name = NAMES[tile]
        if len(name) == 2 and out and len(out[-1]) > 1 and out[-1][-1] == name[1]:
            out[-1] = out[-1][:-1] + name
        else:
            out.append(name)
    return "".join(out)


_SUIT_OF = (*(k // 9 for k in range(27)), *(3 for _ in HONOURS), *(4 for _ in BONUS))


def is_suited(tile: Tile) -> bool:
    return tile < 27


def is_honour(tile: Tile) -> bool:
    return 27 <= tile < 34


def is_bonus(tile: Tile) -> bool:
    return tile >= 34


def suit(tile: Tile) -> int:
    """0 characters, 1 dots, 2 bamboo, 3 honours, 4 flowers and seasons."""
    return _SUIT_OF[tile]


def rank(tile: Tile) -> int:
    """The number 1-9 of a suit tile, 1-4 of a flower or season; 0 for honours."""
    if tile < 27:
        return tile % 9 + 1
    return 0 if tile < 34 else (tile - 34) % 4 + 1


def is_terminal(tile: Tile) -> bool:
    return tile < 27 and tile % 9 in (0, 8)


def is_orphan(tile: Tile) -> bool:
    """A 1, a 9 or an honour."""
    return is_terminal(tile) or is_honour(tile)


def following(tile: Tile, ring: tuple[Tile, ...]) -> Tile:
    """The tile after this one: the next number of its suit (9 -> 1), an honour's successor in ``ring``."""
    if tile < 27:
        return tile - 8 if tile % 9 == 8 else tile + 1
    at: int = (ring.index(tile) + 1) % len(ring)
    return ring[at]
