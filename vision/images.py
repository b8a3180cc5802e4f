"""Pictures from anywhere, read safely: turned as the camera meant, 8 bits, blue-green-red, of bounded size."""

import warnings
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

MAX_PIXELS = 120_000_000  # larger than any phone's pictures but the odd 200-megapixel mode; 360 MB decoded
GROUND = 255  # what shows through where a picture is transparent


def load_image(path: str | Path) -> np.ndarray:
    """The picture as (height, width, 3) uint8, blue-green-red, turned by its EXIF orientation.

    Raises ValueError with one line that says what is wrong: no such file, not a picture, broken off, too large.
    """
    path = Path(path)
    if not path.is_file():
        raise ValueError(f"{path}: no such file" if not path.exists() else f"{path}: not a file")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Pillow's own warning at half its limit: ours is checked below
            return _decode(path)
    except UnidentifiedImageError:
        raise ValueError(f"{path}: not a picture in a format known here (JPEG, PNG, WebP, TIFF, BMP, GIF)") from None
    except Image.DecompressionBombError:
        raise ValueError(f"{path}: too large, more than {MAX_PIXELS // 1_000_000} megapixels") from None
    except PermissionError:
        raise ValueError(f"{path}: may not be read") from None
    except MemoryError:
        raise ValueError(f"{path}: too large for this machine's memory") from None
    except (OSError, SyntaxError, ValueError, EOFError, IndexError, KeyError, TypeError, OverflowError) as error:
        # Pillow's decoders let all of these through on damaged files
        if isinstance(error, ValueError) and str(error).startswith(str(path)):
            raise
        reason = " ".join(str(error).split()) or type(error).__name__
        raise ValueError(f"{path}: damaged picture ({reason})") from None


def _decode(path: Path) -> np.ndarray:
    with Image.open(path) as picture:
        width, height = picture.size
        if width < 1 or height < 1:
            raise ValueError(f"{path}: a picture without pixels")
        if width * height > MAX_PIXELS:
            limit = f"more than {MAX_PIXELS // 1_000_000} megapixels"
            raise ValueError(f"{path}: too large, {width} x {height} pixels is {limit}")
        picture.load()
        rgb = _eight_bit_colour(ImageOps.exif_transpose(picture))
    return np.ascontiguousarray(np.asarray(rgb)[:, :, ::-1])


def _eight_bit_colour(picture: Image.Image) -> Image.Image:
    if picture.mode in ("I", "F") or picture.mode.startswith("I;16"):
        return _scaled_grey(picture)
    if picture.mode in ("RGBA", "LA", "PA", "RGBa", "La") or "transparency" in picture.info:
        layers = picture.convert("RGBA")
        ground = Image.new("RGBA", layers.size, (GROUND, GROUND, GROUND, 255))
        return Image.alpha_composite(ground, layers).convert("RGB")
    return picture.convert("RGB")


def _scaled_grey(picture: Image.Image) -> Image.Image:
    """Grey values of more than 8 bits: 16-bit ones by their range, others by what occurs in the picture."""
    values = np.nan_to_num(np.asarray(picture, dtype=np.float64))
    low, high = (0.0, 65535.0) if values.min() >= 0 and 255 < values.max() <= 65535 else (values.min(), values.max())
    if low >= 0 and high <= 255:
        low, high = 0.0, 255.0
    grey = np.clip((values - low) / max(high - low, 1e-9) * 255, 0, 255).astype(np.uint8)
    return Image.fromarray(grey).convert("RGB")
