"""The coverage of pixels by outlines, and colours weighted by such shares."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from service.arrays import F32, F64, U8
from service.render.geometry.distinct import numbered
from service.render.geometry.raster import Box, bounds

SMALL = 1 << 15  # px up to which coverage is summed over all of them


def weighted(rgb: F32, share: F32, out: F32 | None = None) -> F32:
    """Colours (h, w, 3) times a share (h, w), as a new array or in `out`, possibly `rgb` itself."""
    # NumPy takes the three channels of a broadcast one by one.
    wide = cv2.cvtColor(np.ascontiguousarray(share), cv2.COLOR_GRAY2RGB)
    return np.asarray(cv2.multiply(rgb, wide, dst=out), np.float32)


def fill(polygons: Iterable[F32], box: Box) -> F32:
    """The coverage (h, w) float32 in 0-1 of polygons (n, 2) in canvas px, the maximum where they overlap.

    Each is simple, and its part of a pixel is measured exactly, however thin, to 1/255.
    """
    return levels(polygons, box).astype(np.float32) * np.float32(1 / 255)


def levels(polygons: Iterable[F32], box: Box) -> U8:
    """As `fill`, but uint8 in 0-255."""
    cover = np.zeros((box.height, box.width), np.uint8)
    first = True
    for polygon in polygons:
        part = bounds(polygon, box.x + box.width, box.y + box.height).clipped(box)
        if not part.area:
            continue
        own = cover[part.within(box)]
        _area(polygon - np.array([part.x, part.y]), own if first else (fresh := np.zeros_like(own)))
        if not first:
            np.maximum(own, fresh, out=own)
        first = False
    return cover


def _area(polygon: F64, cover: U8) -> None:
    """Write the share of each pixel inside a polygon (n, 2), in px of `cover` (h, w), as 0-255 over zeros.

    An edge adds the area to its right to the pixels it runs through, and its height to all pixels further
    right, with the sign of its direction: the signed areas of font rasterisers, summed where edges are and
    repeated in between.
    """
    height, width = cover.shape
    start, end = _pieces(polygon, width, height)
    if not len(start):
        return
    middle, rise = (start + end) / 2, end[:, 1] - start[:, 1]
    column, row = np.floor(middle).astype(np.int64).T
    across = np.where((column < 0) | (column >= width), 0.0, middle[:, 0] - column)
    # Two columns more hold what lies to the right of the last pixel.
    stride = width + 2
    place = row * stride + np.minimum(np.maximum(column, 0), width)
    places, weights = np.concatenate([place, place + 1]), np.concatenate([rise * (1 - across), rise * across])
    if height * stride <= SMALL:
        # Every pixel summed takes less than finding those on edges.
        every = _shares(places, weights, height * stride + 1)[:-1]
        cover[...] = every.reshape(height, stride)[:, :width]
        return
    places, which = numbered(places)
    share = _shares(which, weights, len(places))
    row, column = np.divmod(places, stride)
    inside = column < width
    cover[row[inside], column[inside]] = share[inside]
    gap = np.flatnonzero((row[1:] == row[:-1]) & (column[1:] > column[:-1] + 1) & (share[:-1] > 0))
    for y, left, right, level in zip(
        row[gap].tolist(),
        (column[gap] + 1).tolist(),
        column[gap + 1].tolist(),
        share[gap].tolist(),
        strict=True,
    ):
        cover[y, left:right] = level


def _shares(places: NDArray[np.intp], weights: F64, count: int) -> U8:
    """The shares (count,) of pixels, 0-255, from what edges add at their `places` and right of them."""
    sums = np.asarray(np.bincount(places, weights, count), np.float64)
    np.cumsum(sums, out=sums)
    np.abs(sums, out=sums)
    sums *= 255
    return np.minimum(np.rint(sums, out=sums), 255).astype(np.uint8)


def _pieces(polygon: F64, width: int, height: int) -> tuple[F64, F64]:
    """Where the pieces of a polygon's edges, each within one pixel, start and end, both (n, 2) px."""
    start = polygon.astype(np.float64)
    step = np.concatenate([start[1:], start[:1]]) - start
    numbers = np.arange(len(start))
    edges, places = [numbers, numbers], [np.zeros(len(start)), np.ones(len(start))]
    for axis, size in enumerate((width, height)):
        one, along = start[:, axis], step[:, axis]
        other = one + along
        low = np.minimum(np.maximum(np.ceil(np.minimum(one, other)), 0), size + 1).astype(np.int64)
        high = np.minimum(np.maximum(np.floor(np.maximum(one, other)), -1), size).astype(np.int64)
        count = np.maximum(high + 1 - low, 0)
        edge = np.repeat(numbers, count)
        line = np.arange(len(edge)) + (low - np.cumsum(count) + count)[edge]
        run = along[edge]
        moving = run != 0
        edges.append(edge[moving])
        places.append(((line - one[edge]) / np.where(moving, run, 1))[moving])
    edge, place = np.concatenate(edges), np.minimum(np.maximum(np.concatenate(places), 0), 1)
    order = np.argsort(2 * edge + place, kind="stable")
    edge, place = edge[order], place[order]
    at = start[edge] + place[:, None] * step[edge]
    middle = (at[1:, 1] + at[:-1, 1]) / 2
    kept = (edge[1:] == edge[:-1]) & (middle > 0) & (middle < height)
    return at[:-1][kept], at[1:][kept]
