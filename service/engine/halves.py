"""Screenshots halved for `fast` pictures, which take one sample per pixel."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from ..arrays import U8
from ..limits import HALVES_BYTES
from .request import ScreenshotId


class Halves:
    """Halves screenshots, and caches the results for the next picture of the same screenshots."""

    def __init__(self) -> None:
        """Start without any halves."""
        self._ids: Sequence[ScreenshotId | None] = ()
        # Keys are the id and the shape, since a JPEG may be decoded at several sizes; then the number of
        # halvings.
        self._kept: dict[tuple[ScreenshotId, tuple[int, ...]], dict[int, U8]] = {}

    def expect(self, ids: Sequence[ScreenshotId | None] = ()) -> None:
        """Begin a picture of screenshots with these `ids`; None for a screenshot without an id."""
        self._ids = ids
        self._kept = {of: kept for of, kept in self._kept.items() if of[0] in ids}

    def halved(self, pixels: U8, wanted: tuple[int, int], number: int = 0) -> U8:
        """HxWx3 pixels halved as often as possible without getting smaller than `wanted`, width and height.

        `number` is the screenshot's index in the picture. Cached halves do not change the result. HxWx4
        pixels are returned unchanged.
        """
        if pixels.shape[2] != 3:
            return pixels
        id = self._ids[number] if number < len(self._ids) else None
        kept = {} if id is None else self._kept.setdefault((id, pixels.shape), {})
        height, width = pixels.shape[:2]
        spare = min(width // max(wanted[0], 1), height // max(wanted[1], 1))
        steps = spare.bit_length() - 1
        # The first half of a large screenshot may exceed the limit, so begin with the smallest one kept.
        done = max((step for step in kept if step <= steps), default=0)
        found = kept.get(done, pixels)
        for step in range(done + 1, steps + 1):
            found = _half(found)
            if self._nbytes() + found.nbytes <= HALVES_BYTES:
                kept[step] = found
        return found

    def _nbytes(self) -> int:
        return sum(half.nbytes for kept in self._kept.values() for half in kept.values())

    def trim(self) -> None:
        """Forget all halves."""
        self._kept = {}


def _half(pixels: U8) -> U8:
    """Means of two by two pixels, a fast path of OpenCV; an odd row or column is left out."""
    height, width = pixels.shape[0] // 2, pixels.shape[1] // 2
    even = pixels[: 2 * height, : 2 * width]
    return np.asarray(cv2.resize(even, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
