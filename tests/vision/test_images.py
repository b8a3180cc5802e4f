"""Loading pictures: formats, EXIF turns, modes, damage and bombs. Truth: pictures written by the tests themselves."""

import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from vision.images import load_image

RED, GREEN, BLUE = (255, 0, 0), (0, 255, 0), (0, 0, 255)


def halves(
    left: tuple[int, int, int] = RED, right: tuple[int, int, int] = BLUE, size: tuple[int, int] = (40, 20)
) -> Image.Image:
    picture = Image.new("RGB", size, left)
    picture.paste(right, (size[0] // 2, 0, *size))
    return picture


def near(pixel: np.ndarray, rgb: tuple[int, int, int], slack: int = 12) -> bool:
    return bool(np.abs(pixel[::-1].astype(int) - rgb).max() <= slack)


@pytest.mark.parametrize("suffix", [".png", ".bmp", ".tiff", ".gif", ".jpg", ".webp"])
def test_formats_give_blue_green_red(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"picture{suffix}"
    halves().save(path, quality=95)
    image = load_image(path)
    assert image.shape == (20, 40, 3)
    assert image.dtype == np.uint8
    assert near(image[10, 5], RED, 30)
    assert near(image[10, 35], BLUE, 30)


@pytest.mark.parametrize(
    ("orientation", "shape", "red_at"),
    [
        (1, (20, 40), (10, 5)),
        (2, (20, 40), (10, 35)),
        (3, (20, 40), (10, 35)),
        (6, (40, 20), (5, 10)),
        (8, (40, 20), (35, 10)),
    ],
)
def test_exif_turns_are_undone(
    tmp_path: Path, orientation: int, shape: tuple[int, int], red_at: tuple[int, int]
) -> None:
    """EXIF 2.3, tag 0x0112: 2 mirrored, 3 upside down, 6 and 8 quarter turns."""
    exif = Image.Exif()
    exif[0x0112] = orientation
    path = tmp_path / "turned.jpg"
    halves().save(path, exif=exif, quality=95)
    image = load_image(path)
    assert image.shape[:2] == shape
    assert near(image[red_at], RED, 30)


@pytest.mark.parametrize("mode", ["L", "1", "P", "LA", "RGBA", "CMYK", "YCbCr", "I", "F", "I;16"])
def test_odd_modes_become_colour(tmp_path: Path, mode: str) -> None:
    if mode == "I;16":
        values = np.zeros((20, 40), np.uint16)
        values[:, 20:] = 65535
        picture = Image.fromarray(values)
    else:
        picture = halves((0, 0, 0), (255, 255, 255)).convert(mode)
    path = tmp_path / "odd.tiff"
    picture.save(path)
    image = load_image(path)
    assert image.shape == (20, 40, 3)
    assert near(image[10, 5], (0, 0, 0), 40)
    assert near(image[10, 35], (255, 255, 255), 40)


def test_transparent_parts_are_white(tmp_path: Path) -> None:
    path = tmp_path / "hole.png"
    Image.new("RGBA", (8, 8), (0, 0, 0, 0)).save(path)
    assert (load_image(path) == 255).all()


def png_claiming(width: int, height: int) -> bytes:
    """A PNG of a few bytes that claims a size: what a decompression bomb looks like before it is opened."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")


@pytest.mark.parametrize("size", [(30_000, 30_000), (2**31 - 1, 2**31 - 1), (200_000_000, 1)])
def test_bombs_are_refused_unopened(tmp_path: Path, size: tuple[int, int]) -> None:
    path = tmp_path / "bomb.png"
    path.write_bytes(png_claiming(*size))
    with pytest.raises(ValueError, match="too large") as error:
        load_image(path)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("kept", [0, 1, 10, 60, 200, 0.5, 0.95])
@pytest.mark.parametrize("suffix", [".jpg", ".png", ".webp", ".tiff", ".gif"])
def test_broken_off_files_give_one_line(tmp_path: Path, suffix: str, kept: float) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (64, 64, 3), dtype=np.uint8)
    path = tmp_path / f"whole{suffix}"
    Image.fromarray(noise).save(path)
    data = path.read_bytes()
    path.write_bytes(data[: int(kept * len(data)) if kept < 1 else int(kept)])
    with pytest.raises(ValueError, match="whole") as error:
        load_image(path)
    assert "\n" not in str(error.value)


def test_damaged_files_never_raise_anything_else(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    for suffix in (".jpg", ".png", ".webp", ".tiff", ".gif", ".bmp"):
        path = tmp_path / f"damaged{suffix}"
        halves().save(path)
        good = bytearray(path.read_bytes())
        for _ in range(60):
            bad = bytearray(good)
            for at in rng.integers(0, len(bad), 6):
                bad[at] = rng.integers(0, 256)
            path.write_bytes(bad)
            try:
                image = load_image(path)
            except ValueError as error:
                assert "\n" not in str(error)
            else:
                assert image.ndim == 3


def test_files_that_are_no_pictures(tmp_path: Path) -> None:
    text = tmp_path / "notes.jpg"
    text.write_text("not a picture")
    with pytest.raises(ValueError, match="not a picture"):
        load_image(text)
    with pytest.raises(ValueError, match="no such file"):
        load_image(tmp_path / "missing.jpg")
    with pytest.raises(ValueError, match="not a file"):
        load_image(tmp_path)
