"""Small pictures for an agent to look at."""

from __future__ import annotations

import io
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pillow_avif  # noqa: F401
from PIL import Image

#: Pixels of the longer side.
SIDE = 1024
#: Bytes of the file, so that its base64 stays below 300 kB.
MOST_BYTES = 220_000
_QUALITIES = (85, 70, 50)
_GAP = 8


@dataclass(frozen=True, slots=True)
class SmallPicture:
    """An encoded picture with sides of at most `SIDE` pixels and at most `MOST_BYTES` bytes."""

    data: bytes
    mime: str
    width: int
    height: int


def of(pictures: Sequence[bytes | memoryview]) -> SmallPicture:
    """One picture, or several side by side in rows: JPEG, or WebP if they are transparent."""
    opened = [Image.open(io.BytesIO(data)) for data in pictures]
    alpha = any(one.mode in ("RGBA", "LA", "PA") or "transparency" in one.info for one in opened)
    mode = "RGBA" if alpha else "RGB"
    image = _sheet([one.convert(mode) for one in opened], mode)
    side = SIDE
    while True:
        image.thumbnail((side, side), Image.Resampling.LANCZOS)
        for quality in _QUALITIES:
            file = io.BytesIO()
            image.save(file, "WEBP" if alpha else "JPEG", quality=quality)
            if file.tell() <= MOST_BYTES:
                return SmallPicture(
                    file.getvalue(), "image/webp" if alpha else "image/jpeg", image.width, image.height
                )
        side = side * 3 // 4


def _sheet(images: Sequence[Image.Image], mode: str) -> Image.Image:
    if len(images) == 1:
        return images[0]
    columns = min(len(images), 4)
    cell = SIDE // columns - _GAP
    for one in images:
        one.thumbnail((cell, cell), Image.Resampling.LANCZOS)
    rows = [images[at : at + columns] for at in range(0, len(images), columns)]
    heights = [max(one.height for one in row) + _GAP for row in rows]
    sheet = Image.new(mode, (columns * (cell + _GAP), sum(heights)), (255, 255, 255, 0)[: len(mode)])
    top = 0
    for row, height in zip(rows, heights, strict=True):
        for number, one in enumerate(row):
            sheet.paste(one, (number * (cell + _GAP), top))
        top += height
    return sheet


def frame(film: Path, at: float) -> bytes:
    """A frame of a film as PNG, `at` seconds from its start; raises OSError if `ffmpeg` cannot read it."""
    command = ["ffmpeg", "-v", "error", "-ss", f"{at:.3f}", "-i", f"file:{film}", "-frames:v", "1"]
    command += ["-f", "image2pipe", "-c:v", "png", "-"]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode or not done.stdout:
        raise OSError(0, done.stderr.decode("utf-8", "replace").strip() or "no frame", str(film))
    return done.stdout
