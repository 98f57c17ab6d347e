"""A writer for formats whose encoders need the whole picture at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..arrays import U8


class WholeWriter:
    """Collects the bands of a picture and encodes it when complete."""

    def __init__(self, width: int, height: int, *, alpha: bool, encode: Callable[[U8], bytes]) -> None:
        """Begin a picture of `width` x `height` pixels, RGBA when `alpha`, else RGB."""
        self._pixels = np.empty((height, width, 4 if alpha else 3), np.uint8)
        self._rows = 0
        self._encode = encode

    def write(self, band: U8) -> None:
        """Add the next rows, HxWx3 or HxWx4 uint8 as announced; the band may be reused at once."""
        rows = self._pixels[self._rows : self._rows + len(band)]
        if not len(band) or rows.shape != band.shape:
            raise ValueError(f"a band of shape {band.shape} does not belong here")
        rows[:] = band
        self._rows += len(band)

    def finish(self) -> bytes:
        """The whole file; raises ValueError when rows are missing."""
        if self._rows < len(self._pixels):
            raise ValueError(f"{len(self._pixels) - self._rows} rows were not written")
        return self._encode(self._pixels)
