"""Resampling: each pixel of the canvas is the mean of the part of a picture that it shows."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from ...arrays import F32, F64, U8
from ...clock import Clock
from ...concurrency.ordered_map import ordered_map
from ..geometry.raster import Box
from ..paint.plane import density, warp

TILE = 256  # canvas px; side of the tiles sampled at a time, so that source px stay in the CPU's cache
NEAR = 8  # canvas px; tiles this close to a picture are warped, too, since its edges may blend into them
MAGNIFIED = 0.9  # canvas px per picture px above which one cubic sample per pixel is enough
SAMPLES = 2  # samples per pixel and axis
SAMPLES_HALVED = 4  # samples for a halved picture, whose pixels depend on which pixels were paired
# If the part of the averaged picture that a pixel shows has a variance within these bounds, px² along each
# axis of the picture (a square of 2.4 to 4.4 px), one sample is as close to the exact mean as four are,
# unless the variance changes by a factor of more than SLANTED from corner to corner.
SINGLE = 0.48, 1.6
SLANTED = 3.0
# A picture with more px than this for each sample is halved first.
HALVED, HALVED_FAST = 3.5, 5 / 3
# Tolerances of `plane.density`. The first is for choosing the sampling; the second is for deciding on
# halving, where far parts of the picture matter less.
EVEN, UNEVEN = 2.0, 50.0
NARROW = 0.1  # px²; the variance of a sample's area below which interpolation alone averages enough
WIDEST = 85.0  # px²; the variance of a box of 32 px
UNITS = 256  # OpenCV filters bytes with integer weights of this sum


@dataclass(frozen=True, slots=True)
class Sampling:
    """How a picture is sampled: with `samples` per canvas px along each axis, by OpenCV's `interpolation`.

    `picture` (h, w, 3 or 4) uint8 was shrunk by `scale` along its width and height; `matrix` (3, 3) takes its
    continuous px to canvas px; `inverse` (3, 3) takes canvas px to those. If `averaged`, the picture is first
    averaged over the area of a sample.
    """

    picture: U8
    scale: tuple[float, float]
    matrix: F64
    inverse: F64
    samples: int
    interpolation: int
    averaged: bool


def sampled(
    picture: U8, matrix: F64, box: Box, finish: Callable[[U8], U8], clock: Clock, *, fast: bool
) -> U8:
    """A picture as seen in a box of the canvas, (h, w, 3) uint8: each px is the mean of the area it shows.

    `picture` is (h, w, 3 or 4) uint8, `matrix` (3, 3) takes its continuous px to canvas px; `finish` turns
    four channels into three. The picture is averaged over the area of a sample, and a pixel is the mean of
    two by two bilinear samples of it, or a single sample if the pixel shows about three by three px of the
    picture. If the picture hardly shrinks, one cubic sample is enough; `fast` takes one bilinear sample of
    the halved picture. Pixels beyond the picture are black.
    """
    way = choose(picture, matrix, fast=fast)
    light = np.zeros((box.height, box.width, 3), np.uint8)

    def seen(place: tuple[int, int]) -> None:
        x, y = place
        part = Box(box.x + x, box.y + y, min(TILE, box.width - x), min(TILE, box.height - y))
        shown = _shown(way, part)
        if shown:
            tile = _tile(way, shown, part)
            light[y : y + part.height, x : x + part.width] = tile if tile.shape[2] == 3 else finish(tile)

    places = [(x, y) for y in range(0, box.height, TILE) for x in range(0, box.width, TILE)]
    for _ in ordered_map(seen, places, clock):
        clock.check()
    return light


def choose(picture: U8, matrix: F64, *, fast: bool) -> Sampling:
    """How a picture is sampled (see `sampled`)."""
    size = (picture.shape[1], picture.shape[0])
    dense = density(matrix, size, tolerance=EVEN)
    samples, interpolation, scale, averaged = 1, cv2.INTER_LINEAR, (1.0, 1.0), not fast
    if fast:
        picture, scale = _halved(picture, dense, HALVED_FAST)
    elif min(dense) > MAGNIFIED:
        interpolation, averaged = cv2.INTER_CUBIC, False
    elif not _single(matrix, size):
        # The nearest part decides, since far parts are averaged over more px in any case.
        x, y = density(matrix, size, tolerance=UNEVEN)
        picture, scale = _halved(picture, (x * SAMPLES, y * SAMPLES), HALVED)
        samples = SAMPLES_HALVED if max(scale) > 1 else SAMPLES
    matrix = matrix @ np.diag([*scale, 1.0])
    inverse = np.asarray(np.linalg.inv(matrix), np.float64)
    return Sampling(picture, scale, matrix, inverse, samples, interpolation, averaged)


def _single(matrix: F64, size: tuple[int, int]) -> bool:
    """Whether one sample per pixel is enough for a picture whose `size` is width and height, px."""
    w, h = size
    # A corner beyond the horizon may have any variance.
    if (matrix[2] @ np.array([[0, w, 0, w], [0, 0, h, h], [1, 1, 1, 1]])).min() <= 0:
        return False
    axes = zip(*(_spread(matrix, at) for at in ((0, 0), (w, 0), (0, h), (w, h))), strict=True)
    ends = [(min(found), max(found)) for found in axes]
    return all(SINGLE[0] <= least and most <= min(SINGLE[1], SLANTED * least) for least, most in ends)


def _halved(picture: U8, factors: tuple[float, float], most: float) -> tuple[U8, tuple[float, float]]:
    """The picture, halved as long as each sample still covers `most` of its px, and the scale that remains to
    be applied.

    `factors` are the samples per px along its width and its height. OpenCV is many times faster with factors
    of two. An odd row or column at the end is left out, which is less than half a sample.
    """
    h, w = picture.shape[:2]
    x, y = (2 if f * most <= 1 and n > 1 else 1 for f, n in zip(factors, (w, h), strict=True))
    if x * y == 1:
        return picture, (1.0, 1.0)
    even = picture[: h // y * y, : w // x * x]
    # Halfway between two px, linear interpolation gives their mean. If only one axis is halved, it is faster
    # than area averaging.
    half = np.asarray(cv2.resize(even, (w // x, h // y), interpolation=cv2.INTER_LINEAR), np.uint8)
    small, scale = _halved(half, (factors[0] * x, factors[1] * y), most)
    return small, (x * scale[0], y * scale[1])


def _shown(way: Sampling, part: Box) -> tuple[int, int, int, int] | None:
    """The smallest rectangle of a picture that holds all px shown in a part: left, top, right, bottom, px.

    It has at least one pixel. It is the whole picture if the part reaches beyond its plane's horizon, and
    None if the part does not show the picture.
    """
    h, w = way.picture.shape[:2]
    x, y = (part.x, part.x + part.width), (part.y, part.y + part.height)
    corners = np.array([(x[0], y[0], 1), (x[1], y[0], 1), (x[0], y[1], 1), (x[1], y[1], 1)])
    corners = corners @ way.inverse.T
    if corners[:, 2].min() * corners[:, 2].max() <= 0:
        return 0, 0, w, h
    flat = corners[:, :2] / corners[:, 2:]
    least, most = flat.min(axis=0), flat.max(axis=0)
    apart = (most - least) * NEAR / min(part.width, part.height)
    if (most + apart < 0).any() or (least - apart > (w, h)).any():
        return None
    left, top = np.floor(np.clip(least, 0, (w - 1, h - 1))).astype(int)
    right, bottom = np.ceil(np.clip(most, (left + 1, top + 1), (w, h))).astype(int)
    return int(left), int(top), int(right), int(bottom)


def _tile(way: Sampling, shown: tuple[int, int, int, int], part: Box) -> U8:
    """A rectangle of a picture as seen in a part of the canvas, (h, w, 3 or 4) uint8."""
    left, top, right, bottom = shown
    across, along = _averaging(way, ((left + right) / 2, (top + bottom) / 2))
    # Averaging and interpolation reach beyond the rectangle.
    x, y = len(across) // 2 + 2, len(along) // 2 + 2
    h, w = way.picture.shape[:2]
    left, top, right, bottom = max(left - x, 0), max(top - y, 0), min(right + x, w), min(bottom + y, h)
    near = way.picture[top:bottom, left:right]
    if len(across) * len(along) > 1:
        near = np.asarray(cv2.sepFilter2D(near, -1, across, along, borderType=cv2.BORDER_REPLICATE), np.uint8)
    if near.shape[2] == 3 and way.samples > 1:
        # OpenCV averages samples of four channels in half the time of three.
        near = np.asarray(cv2.cvtColor(near, cv2.COLOR_RGB2RGBA), np.uint8)
    from_near = way.matrix @ np.array([[1, 0, left], [0, 1, top], [0, 0, 1.0]])
    to_samples = np.asarray(np.diag([way.samples, way.samples, 1.0]) @ from_near, np.float64)
    fine = warp(near, to_samples, Box(*(way.samples * side for side in part)), way.interpolation)
    while fine.shape[1] > part.width:
        half = (fine.shape[1] // 2, fine.shape[0] // 2)
        fine = cv2.resize(fine, half, interpolation=cv2.INTER_AREA)
    return np.asarray(fine, np.uint8)


def _averaging(way: Sampling, at: tuple[float, float]) -> tuple[F32, F32]:
    """The weights by which a picture is averaged along its width and height around a place, px."""
    if not way.averaged:
        return box_weights(0.0), box_weights(0.0)
    wide, high = (variance / way.samples**2 for variance in _spread(way.matrix, at))
    # Halving and interpolation have blurred the picture already; subtract that variance.
    x, y = ((1 - 1 / side**2) / 4 for side in way.scale)
    return box_weights(wide - x), box_weights(high - y)


def _spread(matrix: F64, at: tuple[float, float]) -> tuple[float, float]:
    """The variances, px², along a picture's width and height of what one canvas pixel shows there.

    A square of side 1 has variance 1/12 along both axes; the Jacobian of canvas to picture stretches it.
    """
    # In plain Python, since NumPy's calls would take longer than so few sums.
    (xx, xy, x0), (yx, yy, y0), (zx, zy, z0) = matrix.tolist()
    px, py = at
    z = zx * px + zy * py + z0
    x, y = (xx * px + xy * py + x0) / z, (yx * px + yy * py + y0) / z
    a, b, c, d = (xx - x * zx) / z, (xy - x * zy) / z, (yx - y * zx) / z, (yy - y * zy) / z
    area = max((a * d - b * c) ** 2 * 12, 1e-9)
    return (b * b + d * d) / area, (a * a + c * c) / area


def box_weights(variance: float) -> F32:
    """The weights of a box filter of a given variance, px²: 2n + 1 of them, equal except at the ends.

    Rounded to the integers that OpenCV uses for bytes, they have an exact sum, so that flat colours do not
    change.
    """
    if variance < NARROW:
        return np.ones(1, np.float32)
    variance = min(variance, WIDEST)
    # The narrowest box of whole pixels that is no narrower: its variance is (width² - 1) / 12.
    reach = max(math.ceil((math.sqrt(12 * variance + 1) - 1) / 2), 1)
    inner = 2 * reach - 1
    spread = (inner**2 - 1) * inner / 12
    end = (variance * inner - spread) / (2 * (reach**2 - variance))
    # Round the running sums from the middle outwards, so that errors do not add up. In plain Python, since
    # NumPy's calls would take longer than so few sums.
    sums = [0, *(round(UNITS * (place + 0.5) / (inner + 2 * end)) for place in range(reach)), UNITS // 2]
    middle, *side = (after - before for before, after in pairwise(sums))
    return np.asarray(np.array([*reversed(side), 2 * middle, *side]) / UNITS, np.float32)
