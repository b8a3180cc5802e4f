"""Characters of installed fonts as ink masks."""

import random
from functools import cache
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

FONT_FOLDERS = (Path("/usr/share/fonts/truetype"), Path("/usr/share/fonts/opentype"))
#: File names of the fonts with Chinese characters (Debian packages named in README.md).
CHINESE = (
    "ukai.ttc", "uming.ttc", "bkai00mp.ttf", "gkai00mp.ttf", "gbsn00lp.ttf", "bsmi00lp.ttf", "cwkai.ttf", "cwming.ttf",
    "cwyen.ttf", "cwheib.ttf", "cwfs.ttf", "kouzan-mouhitsu.ttf", "kouzan-mouhitsu-gyosho.ttf", "AoyagiKouzanT.ttf",
    "aoyagi-soseki.ttf", "AoyagiSosekiFont2.ttf", "wqy-zenhei.ttc", "wqy-microhei.ttc", "ipam.ttf", "HanaMinA.ttf",
    "NotoSansCJK-Bold.ttc",
    "NotoSansCJK-Regular.ttc", "NotoSerifCJK-Bold.ttc", "NotoSerifCJK-Regular.ttc", "NotoSerifCJK-Black.ttc",
    "TW-Kai-98_1.ttf", "LXGWWenKai-Bold.ttf", "LXGWWenKai-Regular.ttf", "sawarabi-mincho-medium.ttf", "setofont.ttf",
    "kiloji_p.ttf", "KilojiP.ttf", "ReggaeOne-Regular.ttf", "BabelStoneHan.ttf",
)  # fmt: skip
LATIN = ("DejaVuSans-Bold.ttf", "DejaVuSerif-Bold.ttf", "DejaVuSans.ttf", "LiberationSans-Bold.ttf",
         "LiberationSerif-Bold.ttf", "LiberationSerif-Italic.ttf", "LiberationSansNarrow-Bold.ttf")  # fmt: skip


@cache
def fonts(names: tuple[str, ...]) -> tuple[str, ...]:
    """Paths of the installed fonts among `names`; raises RuntimeError when none is installed."""
    installed = {p.name: str(p) for folder in FONT_FOLDERS for p in folder.rglob("*.tt[fc]")}
    found = tuple(installed[name] for name in names if name in installed)
    if not found:
        raise RuntimeError("no font found: install the font packages named in models/training/README.md")
    return found


@cache
def glyph(text: str, font: str, bold: int = 0, size: int = 96) -> np.ndarray | None:
    """Ink mask (uint8) of a character cut to its bounds; None when the font lacks it."""
    mask = _draw(text, font, bold, size)
    lacking = _draw("\uffff", font, bold, size)
    if mask is None or (lacking is not None and lacking.shape == mask.shape and (lacking == mask).all()):
        return None
    return mask


def _draw(text: str, font: str, bold: int, size: int) -> np.ndarray | None:
    image = Image.new("L", (size * (2 + len(text)), size * 3), 0)
    face = ImageFont.truetype(font, size)
    ImageDraw.Draw(image).text((size // 2, size // 2), text, fill=255, font=face, stroke_width=bold)
    bounds = image.getbbox()
    if bounds is None or bounds[2] - bounds[0] < 3:
        return None
    return np.array(image.crop(bounds))


def any_glyph(text: str, rng: random.Random, names: tuple[str, ...] = CHINESE) -> np.ndarray | None:
    """The character in a font drawn by lot, in a weight drawn by lot; None after several fonts without it."""
    for _ in range(6):
        mask = glyph(text, rng.choice(fonts(names)), rng.choice((0, 0, 1, 2, 3)))
        if mask is not None:
            return mask
    return None
