"""GIF, frame by frame: each frame holds only its changed pixels, with a palette of its own."""

from __future__ import annotations

import struct
from typing import Any, BinaryIO

import cv2
import numpy as np
from PIL import Image
from PIL.GifImagePlugin import getdata

from ...arrays import U8
from ...render.dither import noise
from ...render.geometry.raster import Box
from .encoder import Reel

COLORS = 255  # colours of a palette besides the transparent one
CENTISECONDS = 100
LEAST = 2  # centiseconds; browsers show shorter frames for ten centiseconds
SAMPLES = 1 << 17  # changed pixels that a palette is made of
# Largest dither, in levels to either side, which hides the steps of a palette.
DITHER = 4.0
END = b";"


class GIF:
    """An animation that repeats; transparent pixels are not kept."""

    def __init__(self, file: BinaryIO, reel: Reel) -> None:
        """Write the head of a file."""
        self._file, self._reel = file, reel
        self._frame = 0
        # The original pixels of the frame that is shown now. Frames are compared with these, so that small
        # differences do not add up.
        self._shown: U8 | None = None
        self._tolerance = max(0, round((100 - reel.quality) / 10))
        offsets = [noise(0, 0, reel.width, reel.height, channel) for channel in range(3)]
        self._offsets = ((np.stack(offsets, axis=2) - 0.5) * 2 * DITHER).astype(np.float32)
        file.write(b"GIF89a" + struct.pack("<HHBBB", reel.width, reel.height, 0x70, 0, 0))
        file.write(b"!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0")

    def write(self, pixels: U8, changed: Box | None = None) -> None:
        """As `Encoder.write`."""
        frame = self._frame
        self._frame += 1
        start, end = (self._reel.at(one, CENTISECONDS) for one in (frame, frame + 1))
        mask = self._changed(pixels)
        x, y, width, height = cv2.boundingRect(mask)
        if not width:
            # Nothing has changed, but the delay needs a frame: write a single pixel.
            x, y, width, height = 0, 0, 1, 1
        part = (slice(y, y + height), slice(x, x + width))
        drawn = self._drawn(pixels[part], mask[part] > 0, part)
        delay = max(end - start, LEAST)
        said = {"duration": delay * 10, "transparency": COLORS, "disposal": 1, "include_color_table": True}
        for block in getdata(drawn, (x, y), **said):
            self._file.write(block)
        if self._shown is None:
            self._shown = pixels.copy()
        else:
            cv2.copyTo(pixels, mask, self._shown)

    def finish(self) -> None:
        """As `Encoder.finish`."""
        self._file.write(END)

    def _changed(self, pixels: U8) -> U8:
        """The pixels in which a frame differs from the pixels shown, (h, w) 255 or 0."""
        if self._shown is None:
            return np.full(pixels.shape[:2], 255, np.uint8)
        apart = cv2.absdiff(pixels, self._shown)
        most = cv2.max(cv2.max(*cv2.split(apart)[:2]), cv2.split(apart)[2])
        return np.asarray(cv2.threshold(most, self._tolerance, 255, cv2.THRESH_BINARY)[1], np.uint8)

    def _drawn(self, pixels: U8, mask: np.ndarray[Any, Any], part: tuple[slice, slice]) -> Image.Image:
        """The changed pixels of a part with a palette of their own; the others are transparent."""
        wanted = pixels[mask]
        if not len(wanted):
            wanted = pixels.reshape(-1, 3)[:1]
        sample = np.ascontiguousarray(wanted[:: max(1, len(wanted) // SAMPLES)])
        palette = Image.fromarray(sample[None]).quantize(COLORS, Image.Quantize.MEDIANCUT, kmeans=1)
        colors = palette.getpalette() or []
        few = len(colors) // 3 < COLORS and len(np.unique(sample, axis=0)) <= len(colors) // 3
        exact = Image.new("P", (1, 1))
        entries = (colors + colors[:3] * COLORS)[: 3 * COLORS]
        exact.putpalette(entries)
        moved = pixels if few else np.asarray(cv2.add(pixels, self._offsets[part], dtype=cv2.CV_8U), np.uint8)
        found = Image.fromarray(np.ascontiguousarray(moved)).quantize(palette=exact, dither=Image.Dither.NONE)
        places = np.asarray(found).copy()
        places[places >= COLORS] = 0
        places[~mask] = COLORS
        drawn = Image.fromarray(places, "P")
        drawn.putpalette([*entries, 0, 0, 0])
        return drawn
