"""The picture as effects see it: as a whole, and one band at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import cv2
import numpy as np

from service.arrays import F32, U8
from service.clock import Clock
from service.render.ahead import ahead
from service.render.dither import spread3
from service.render.plates.plate import ScreenLayer

BLOCK = 8  # rows; bands begin at multiples of it

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A picture without effects: `size` (width, height), its screen layers, the rows of its bands.

    `compose` returns some rows, (rows, w, 3 or 4) uint8 sRGB, straight alpha.
    """

    size: tuple[int, int]
    screens: Sequence[ScreenLayer | None]
    parts: Sequence[slice]
    compose: Callable[[slice], U8]
    clock: Clock

    def each(self, work: Callable[[U8], T]) -> Iterator[T]:
        """Yield `work` of every band (rows, w, 3 or 4), in order, for effects that need the whole picture.

        Composing bands twice costs less than keeping them.
        """
        return ahead(lambda rows: work(self.compose(rows)), self.parts, self.clock)


class Band:
    """Some `rows` of a picture of `size` (width, height) on their way through the effects.

    `code` (h, w, 3) are sRGB code values, uint8 or fractional float32; `alpha` (h, w) uint8 straight, None
    without transparency; `film` (h, w) float32 is added to all three colours when they are rounded.
    """

    def __init__(self, pixels: U8, rows: slice, size: tuple[int, int]) -> None:
        """`pixels` (h, w, 3 or 4) uint8 are not modified."""
        self.rows, self.size = rows, size
        self.code: F32 | U8 = pixels
        self.alpha: U8 | None = None
        self.film: F32 | None = None
        if pixels.shape[2] == 4:
            self.code = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGBA2RGB), np.uint8)
            self.alpha = np.asarray(cv2.extractChannel(pixels, 3), np.uint8)

    def rounded(self) -> U8:
        """The band rounded, (h, w, 3 or 4) uint8, with dither that leaves whole code values as they are."""
        offset = spread3(0, self.rows.start, self.size[0], self.rows.stop - self.rows.start)
        shift = np.float32(-0.5)
        if self.film is None:
            offset += shift
        else:
            film = self.film + shift
            cv2.add(offset, cv2.cvtColor(film, cv2.COLOR_GRAY2RGB), dst=offset)
        rgb = np.asarray(cv2.add(self.code, offset, dtype=cv2.CV_8U), np.uint8)
        return rgb if self.alpha is None else np.dstack([rgb, self.alpha])


class Step:
    """One effect, ready to be applied to bands."""

    def reaches(self, rows: slice, *, opaque: bool) -> bool:
        """Whether it may change these rows of a picture."""
        return True

    def apply(self, band: Band) -> None:
        """Change the band by replacing its arrays, which may be shared and are not written to."""
        raise NotImplementedError


def finished(pixels: U8, rows: slice, size: tuple[int, int], steps: Sequence[Step]) -> U8:
    """Some rows (h, w, 3 or 4) uint8 with the effects; the same array if none reaches them."""
    opaque = pixels.shape[2] == 3
    reaching = [step for step in steps if step.reaches(rows, opaque=opaque)]
    if not reaching:
        return pixels
    band = Band(pixels, rows, size)
    for step in reaching:
        step.apply(band)
    return band.rounded()
