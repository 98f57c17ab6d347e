"""Numbered PNG files in a ZIP."""

from __future__ import annotations

import zipfile
from typing import BinaryIO

from ...arrays import U8
from ...codec import encode
from ...render.geometry.raster import Box
from ...settings.scene import Output
from .encoder import Reel

NAME = "frame-{:04d}.png"
# The earliest date of a ZIP, so that its bytes depend only on the frames.
MOMENT = (1980, 1, 1, 0, 0, 0)


class Pictures:
    """A PNG file for each frame, stored as it is."""

    def __init__(self, file: BinaryIO, reel: Reel) -> None:
        """Begin a file."""
        self._archive = zipfile.ZipFile(file, "w", zipfile.ZIP_STORED)
        self._frame = 0

    def write(self, pixels: U8, changed: Box | None = None) -> None:
        """As `Encoder.write`."""
        self._frame += 1
        entry = zipfile.ZipInfo(NAME.format(self._frame), MOMENT)
        self._archive.writestr(entry, encode.encode(pixels, Output("png")))

    def finish(self) -> None:
        """As `Encoder.finish`."""
        self._archive.close()
