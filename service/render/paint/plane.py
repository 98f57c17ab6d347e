"""Pictures on flat faces: area-averaged where they shrink, then warped by one homography."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from ...arrays import F64
from ..geometry.raster import Box
from ..kernels import draping as kernel
from .textures import Pixels, Pyramid

# rows of pixels sampled at a time: usually, and if a pixel has only four samples; by cost
ROWS, COARSE_ROWS = 16, 64
BAND = 1 << 12  # pixels sampled at a time if rows are short; by cost
# width, px, of the margin that is painted around a picture, since pixels at its edge mix with the background;
# by cost
BESIDE = 2
FRAMED = 4  # px; a picture with a smaller width or height on the canvas gets margins; by eye


def placement(
    homography: F64, center: tuple[float, float], size: tuple[float, float], px: tuple[int, int]
) -> F64:
    """The matrix (3, 3) from a picture's continuous px (0, 0 = its top left corner) to canvas px.

    `homography` (3, 3) takes plane mm (y up) to canvas px; the picture of `px` (width, height) covers `size`
    mm around `center` mm.
    """
    sx, sy = size[0] / px[0], size[1] / px[1]
    to_mm = np.array([[sx, 0, center[0] - size[0] / 2], [0, -sy, center[1] + size[1] / 2], [0, 0, 1.0]])
    return np.asarray(homography @ to_mm, np.float64)


def density(matrix: F64, px: tuple[int, int], tolerance: float = 1.3) -> tuple[float, float]:
    """The canvas px that a px of a picture spans along the picture's width and along its height.

    `matrix` (3, 3) takes continuous picture px to canvas px, `px` is the picture's width and height. See
    `kernels.draping.density` for the rule and its `tolerance`.
    """
    across, down = kernel.density(matrix, *px, tolerance)
    return across, down


def shrink(picture: Pixels, factors: tuple[float, float]) -> Pixels:
    """A picture (h, w) or (h, w, c), of any dtype, area-averaged by factors along its width and height.

    It is never enlarged, nor shrunk below 1 px; if neither side shrinks, the same array is returned.
    """
    h, w = picture.shape[:2]
    size = tuple(max(1, min(n, math.ceil(n * min(f, 1.0)))) for n, f in ((w, factors[0]), (h, factors[1])))
    return picture if size == (w, h) else cv2.resize(picture, size, interpolation=cv2.INTER_AREA)


def warp(
    picture: Pixels, matrix: F64, box: Box, interpolation: int, border: int = cv2.BORDER_REPLICATE
) -> Pixels:
    """A picture (h, w) or (h, w, c) as seen in a box of the canvas, (box height, box width, ...), same dtype.

    `matrix` (3, 3) takes continuous picture px to canvas px; `interpolation` and `border` are OpenCV's.
    """
    from_index = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1.0]])
    to_index = np.array([[1, 0, -box.x - 0.5], [0, 1, -box.y - 0.5], [0, 0, 1.0]])
    size = (box.width, box.height)
    return cv2.warpPerspective(
        picture, to_index @ matrix @ from_index, size, flags=interpolation, borderMode=border
    )


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """A picture shrunk to about one px per sample of the canvas, with its place on the canvas.

    `matrix` (3, 3) takes its continuous px to samples; `border` is OpenCV's.
    """

    picture: Pixels
    matrix: F64
    border: int

    def into(self, box: Box) -> F64:
        """The matrix (3, 3) from px of a box to the picture's; both are continuous."""
        return np.asarray(
            np.linalg.inv(self.matrix) @ [[1, 0, box.x], [0, 1, box.y], [0, 0, 1.0]], np.float64
        )

    def seen(self, box: Box, samples: int = 1) -> Pixels:
        """The picture in a box of the canvas, (box height, box width, ...), in the picture's dtype.

        A canvas px is the mean of `samples` along each axis. Far beyond the picture, it is 0.
        """
        shown = np.zeros((box.height, box.width, *self.picture.shape[2:]), self.picture.dtype)
        # Sample in bands, because samples take many times the memory of pixels, and because the bands of a
        # slanted picture contain fewer empty pixels.
        count = max(ROWS if samples > 2 else COARSE_ROWS, BAND // max(box.width, 1))
        reached = self._reached(samples)
        for top in range(box.y, box.y + box.height, count):
            rows = Box(box.x, top, box.width, min(count, box.y + box.height - top))
            left, right = reached(rows)
            part = Box(left, top, right - left, rows.height).clipped(rows)
            if not part.area:
                continue
            finer = Box(*(samples * side for side in part))
            fine = warp(self.picture, self.matrix, finer, cv2.INTER_LINEAR, self.border)
            if samples > 1:
                fine = cv2.resize(fine, (part.width, part.height), interpolation=cv2.INTER_AREA)
            shown[part.within(box)] = fine
        return shown

    def _reached(self, samples: int) -> Callable[[Box], tuple[int, int]]:
        """A function that returns, for a box of rows, the range of columns that the picture may cover."""
        high, wide = self.picture.shape[:2]
        corners = np.array([(-1, -1, 1), (wide + 1, -1, 1), (wide + 1, high + 1, 1), (-1, high + 1, 1.0)])
        places = corners @ (self.matrix / np.array([[samples], [samples], [1.0]])).T
        if places[:, 2].min() <= 0:
            return lambda rows: (rows.x, rows.x + rows.width)
        x, y = (places[:, :2] / places[:, 2:]).T
        sides = [(x[i], y[i], x[i - 1], y[i - 1]) for i in range(4)]

        def reached(rows: Box) -> tuple[int, int]:
            top, bottom = rows.y - BESIDE, rows.y + rows.height + BESIDE
            ends = [
                x + (x1 - x) * ((end - y) / (y1 - y) if y1 != y else 0)
                for x, y, x1, y1 in sides
                if min(y, y1) <= bottom and max(y, y1) >= top
                for end in (max(min(y, y1), top), min(max(y, y1), bottom))
            ]
            if not ends:
                return rows.x, rows.x
            return math.floor(min(ends)) - BESIDE, math.ceil(max(ends)) + BESIDE

        return reached


def fitted(
    pyramid: Pyramid, homography: F64, center: tuple[float, float], size: tuple[float, float],
    border: int = cv2.BORDER_REPLICATE,
) -> Fitted:  # fmt: skip
    """A picture of `size` mm around `center` mm on a plane, ready for any box of the canvas.

    `pyramid` has the picture's mip levels, (h, w) or (h, w, c); `homography` (3, 3) takes plane mm (y up) to
    samples of the canvas. The picture is shrunk until a sample shows about one of its px.
    """
    picture, factors = _level(pyramid, homography, center, size)
    px = (picture.shape[1], picture.shape[0])
    if border == cv2.BORDER_CONSTANT:
        factors = _softened(factors, px)
        picture, factors = _narrowed(picture, factors)
        picture, size = _framed(picture, factors, size)
    small = shrink(picture, factors)
    return Fitted(small, placement(homography, center, size, (small.shape[1], small.shape[0])), border)


def sampled(homography: F64, samples: int) -> F64:
    """A homography (3, 3) to canvas px, changed to lead to samples, of which a canvas px has `samples` along
    each axis."""
    return np.asarray(np.diag([samples, samples, 1.0]) @ homography, np.float64)


def lay(
    pyramid: Pyramid, homography: F64, center: tuple[float, float], size: tuple[float, float], box: Box,
    border: int = cv2.BORDER_REPLICATE, samples: int = 1,
) -> Pixels:  # fmt: skip
    """A picture on a plane as seen in a single box of the canvas, with `samples` along each axis of a px; see
    `fitted`."""
    return fitted(pyramid, sampled(homography, samples), center, size, border).seen(box, samples)


def _level(
    pyramid: Pyramid, homography: F64, center: tuple[float, float], size: tuple[float, float]
) -> tuple[Pixels, tuple[float, float]]:
    """The smallest of a picture's mip levels that is fine enough for the canvas, and its density there."""
    px = (pyramid[0].shape[1], pyramid[0].shape[0])
    factors = density(placement(homography, center, size, px), px)
    most = min(max(max(factors), 1e-6), 1.0)
    picture = pyramid[min(int(math.log2(1 / most)), len(pyramid) - 1)]
    return picture, (factors[0] * px[0] / picture.shape[1], factors[1] * px[1] / picture.shape[0])


def _softened(factors: tuple[float, float], px: tuple[int, int]) -> tuple[float, float]:
    """The factors, halved along sides shorter than two canvas px, so that thin lines fade instead of
    flickering."""
    return tuple(f / 2 if n * f < 2 else f for f, n in zip(factors, px, strict=True))  # type: ignore[return-value]


def _narrowed(picture: Pixels, factors: tuple[float, float]) -> tuple[Pixels, tuple[float, float]]:
    """The picture shrunk along one side, if `_framed` adds margins only along the other.

    Seen edge-on, a band becomes many times as high by its margins, and would otherwise have to be shrunk at
    its full length.
    """
    wide, high = (n * f < FRAMED for n, f in zip(picture.shape[1::-1], factors, strict=True))
    if wide == high:
        return picture, factors
    if wide:
        return shrink(picture, (1.0, factors[1])), (factors[0], max(factors[1], 1.0))
    return shrink(picture, (factors[0], 1.0)), (max(factors[0], 1.0), factors[1])


def _framed(
    picture: Pixels, factors: tuple[float, float], size: tuple[float, float]
) -> tuple[Pixels, tuple[float, float]]:
    """The picture, with empty margins if it is only a few canvas px high or wide, and its new size in mm.

    Seen edge-on, a layer can be a fraction of a canvas px high. If it were shrunk to one row, it would
    flicker between the samples of the warp. With margins, it is shrunk to rows of a whole px, which it fills
    in part.
    """
    h, w = picture.shape[:2]
    x, y = (
        min(math.ceil((FRAMED / max(f, 1e-3) - n) / 2), 4096) if n * f < FRAMED else 0
        for n, f in ((w, factors[0]), (h, factors[1]))
    )
    if x <= 0 and y <= 0:
        return picture, size
    framed = cv2.copyMakeBorder(picture, y, y, x, x, cv2.BORDER_CONSTANT, value=(0, 0, 0, 0))
    return framed, (size[0] * (w + 2 * x) / w, size[1] * (h + 2 * y) / h)
