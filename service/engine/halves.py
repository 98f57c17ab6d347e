"""Screenshots halved for `fast` pictures, which take one sample a pixel."""

from __future__ import annotations

import cv2
import numpy as np

from service.arrays import U8
from service.limits import HALVES_BYTES


class Halves:
    """Halves screenshots, and keeps the halves of the last one that may come again."""

    def __init__(self) -> None:
        """Start without any halves."""
        self._serial: int | None = None
        self._of: tuple[int, tuple[int, ...]] | None = (
            None  # serial and shape of the screenshot whose halves are kept
        )
        self._kept: dict[int, U8] = {}  # by the number of halvings

    def expect(self, serial: int | None = None) -> None:
        """Begin a picture with the screenshot of this `serial`, which is never used for another;

        None if it has none.
        """
        self._serial = serial

    def halved(self, pixels: U8, wanted: tuple[int, int]) -> U8:
        """HxWx3 pixels, halved as long as they stay no smaller than `wanted`, width and height in pixels.

        The result is the same whether halves were kept or not. HxWx4 pixels come back as they are.
        """
        if pixels.shape[2] != 3:
            return pixels
        kept: dict[int, U8] = {}
        if self._serial is not None:
            # A JPEG may be decoded to several sizes.
            of = self._serial, pixels.shape
            if of != self._of:
                self._of, self._kept = of, {}
            kept = self._kept
        height, width = pixels.shape[:2]
        spare = min(width // max(wanted[0], 1), height // max(wanted[1], 1))
        found = pixels
        for step in range(1, spare.bit_length()):
            half = kept.get(step)
            if half is None:
                half = _half(found)
                if sum(one.nbytes for one in kept.values()) + half.nbytes <= HALVES_BYTES:
                    kept[step] = half
            found = half
        return found

    def trim(self) -> None:
        """Forget all halves."""
        self._kept = {}


def _half(pixels: U8) -> U8:
    """Means of two by two pixels, which OpenCV has a fast path for; an odd row or column is left out."""
    height, width = pixels.shape[0] // 2, pixels.shape[1] // 2
    even = pixels[: 2 * height, : 2 * width]
    return np.asarray(cv2.resize(even, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
