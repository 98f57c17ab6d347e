"""The picture as effects see it: as a whole, and one band at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import cv2
import numpy as np

from ...arrays import F32, U8
from ...clock import Clock
from ...concurrency.ordered_map import ordered_map
from ..dither import spread
from ..plates.depth import DepthMap
from ..plates.plate import ScreenLayer

BLOCK = 8  # rows; bands begin at multiples of it

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A picture without effects: `size` (width, height), its screen layers, the rows of its bands.

    `compose` returns some rows, (rows, w, 3 or 4) uint8 sRGB, straight alpha. `depth` tells how far away its
    devices are, if an effect asks for it.
    """

    size: tuple[int, int]
    screens: Sequence[ScreenLayer | None]
    parts: Sequence[slice]
    compose: Callable[[slice], U8]
    clock: Clock
    depth: DepthMap | None = None

    def each(self, work: Callable[[U8], T]) -> Iterator[T]:
        """Yield `work` of every band (rows, w, 3 or 4), in order, for effects that need the whole picture.

        It takes less time to compose the bands twice than to store them.
        """
        return ordered_map(lambda rows: work(self.compose(rows)), self.parts, self.clock)


class Band:
    """Some `rows` of a picture of `size` (width, height) on their way through the effects.

    `code` has its red, green and blue planes (h, w) of sRGB code values, all uint8 or fractional float32.
    `alpha` (h, w) is uint8, None without transparency. `film` (h, w) float32 is added to all three colours
    when they are rounded, and `dither` says whether they are then dithered. A factor (h, w) is multiplied
    with separate planes several times faster than with interleaved colours.
    """

    def __init__(self, pixels: U8, rows: slice, size: tuple[int, int]) -> None:
        """`pixels` (h, w, 3 or 4) uint8 are not modified."""
        self.rows, self.size = rows, size
        planes = [np.asarray(plane, np.uint8) for plane in cv2.split(pixels)]
        self.code: Sequence[F32 | U8] = planes[:3]
        self.alpha: U8 | None = planes[3] if len(planes) > 3 else None
        self.film: F32 | None = None
        self.dither = True

    def fractional(self) -> list[F32]:
        """The planes of `code` as float32."""
        return [plane.astype(np.float32, copy=False) for plane in self.code]

    def rounded(self) -> U8:
        """The band rounded, (h, w, 3 or 4) uint8, with dither that leaves whole code values as they are."""
        planes = [self._rounded(plane, channel) for channel, plane in enumerate(self.fractional())]
        return np.asarray(cv2.merge(planes if self.alpha is None else [*planes, self.alpha]), np.uint8)

    def _rounded(self, plane: F32, channel: int) -> U8:
        if self.film is not None and not self.dither:
            return np.asarray(cv2.add(plane, self.film, dtype=cv2.CV_8U), np.uint8)
        if self.film is not None:
            plane = np.asarray(cv2.add(plane, self.film), np.float32)
        offset = spread(0, self.rows.start, self.size[0], self.rows.stop - self.rows.start, channel)
        return np.asarray(cv2.addWeighted(plane, 1, offset, 1, -0.5, dtype=cv2.CV_8U), np.uint8)


class Step:
    """One effect, ready to be applied to bands."""

    def reaches(self, rows: slice) -> bool:
        """Whether the effect may change these rows of a picture."""
        return True

    def apply(self, band: Band) -> None:
        """Change the band by replacing its arrays, which may be shared and are not written to."""
        raise NotImplementedError


def finished(pixels: U8, rows: slice, size: tuple[int, int], steps: Sequence[Step]) -> U8:
    """Some rows (h, w, 3 or 4) uint8 with the effects; the same array if none reaches them."""
    reaching = [step for step in steps if step.reaches(rows)]
    if not reaching:
        return pixels
    band = Band(pixels, rows, size)
    for step in reaching:
        step.apply(band)
    return band.rounded()
