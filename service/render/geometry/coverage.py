"""The coverage of pixels by outlines, and colours weighted by such shares."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from service.arrays import F32, F64, U8
from service.render.geometry.distinct import numbered
from service.render.geometry.raster import Box, bounds

FEW = 1 << 14  # px of all up to which several polygons are measured at once
ONE = 1 << 24  # a whole pixel as shares are summed
SMALL = 1 << 20  # px up to which coverage is summed over all of them


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
    shapes = [polygon for polygon in polygons if bounds(polygon, *_ends(box)).clipped(box).area]
    cover = np.zeros((box.height, box.width), np.uint8)
    if 1 < len(shapes) <= FEW // max(box.area, 1):
        return np.asarray(layers(shapes, box).max(axis=0), np.uint8)
    for number, polygon in enumerate(shapes):
        part = bounds(polygon, *_ends(box)).clipped(box)
        own = cover[part.within(box)]
        fresh = own if not number else np.zeros_like(own)
        _areas([polygon - np.array([part.x, part.y])], fresh[None])
        if number:
            np.maximum(own, fresh, out=own)
    return cover


def layers(polygons: Sequence[F32], box: Box) -> U8:
    """The coverage 0-255 of each polygon, (n, h, w) uint8: of small ones in less time than one by one."""
    found = np.zeros((len(polygons), box.height, box.width), np.uint8)
    _areas([polygon - np.array([box.x, box.y]) for polygon in polygons], found)
    return found


def _ends(box: Box) -> tuple[int, int]:
    return box.x + box.width, box.y + box.height


def _areas(polygons: Sequence[F64], covers: U8) -> None:
    """Write the share of each pixel inside polygons (m, 2), in px of `covers` (n, h, w), as 0-255 over zeros.

    An edge adds the area to its right to the pixels it runs through, and its height to all pixels further
    right, with the sign of its direction: the signed areas of font rasterisers, summed where edges are and
    repeated in between.
    """
    _, height, width = covers.shape
    row, low, high, rise = _pieces(polygons, height)
    if not len(row):
        return
    # A column before the first and one after the last stand for all beyond; one more holds what lies right.
    stride = width + 3
    start = np.floor(np.minimum(np.maximum(low, -1), width)).astype(np.intp)
    end = np.floor(np.minimum(np.maximum(high, -1), width)).astype(np.intp)
    begin = row * stride + 1
    piece, column = _counted(start, end + 1)
    left, span = column - low[piece], high[piece] - low[piece]
    share = rise[piece] * (_beside(left + 1, span) - _beside(left, span))
    place = begin[piece] + column
    places = np.concatenate([place, place + 1, begin + end + 1])
    weights = np.concatenate([share, -share, rise])
    flat = covers.reshape(-1, width)
    if len(flat) * stride <= SMALL:
        # Every pixel summed takes less than finding those on edges.
        every = _shares(places, weights, len(flat) * stride)
        flat[...] = every.reshape(len(flat), stride)[:, 1:-2]
        return
    places, which = numbered(places)
    shares = _shares(which, weights, len(places))
    row, column = np.divmod(places, stride)
    column -= 1
    inside = (column >= 0) & (column < width)
    flat[row[inside], column[inside]] = shares[inside]
    gap = np.flatnonzero((row[1:] == row[:-1]) & (column[1:] > column[:-1] + 1) & (shares[:-1] > 0))
    for y, after, before, level in zip(
        row[gap].tolist(),
        (column[gap] + 1).tolist(),
        column[gap + 1].tolist(),
        shares[gap].tolist(),
        strict=True,
    ):
        flat[y, after:before] = level


def _shares(places: NDArray[np.intp], weights: F64, count: int) -> U8:
    """The shares (count,) of pixels, 0-255, from what edges add at their `places` and right of them."""
    # Whole numbers are summed in a fraction of the time, and to far less than a 255th.
    whole = np.bincount(places, weights * ONE, count).astype(np.int32)
    np.cumsum(whole, out=whole)
    return np.asarray(cv2.convertScaleAbs(whole, alpha=255 / ONE), np.uint8).ravel()


def _beside(right: F64, span: F64) -> F64:
    """The mean length left of places that lie so far `right` (n,) of the starts of pieces `span` px wide."""
    inside = np.minimum(np.maximum(right, 0), span)
    return np.asarray(inside * inside / np.maximum(2 * span, 1e-12) + np.maximum(right - span, 0), np.float64)


def _pieces(polygons: Sequence[F64], height: int) -> tuple[NDArray[np.intp], F64, F64, F64]:
    """The pieces of polygons' edges in rows of pixels: row, least and greatest x, and height, all (n,).

    Heights are signed; the rows of a second polygon follow the `height` ones of the first.
    """
    start = np.concatenate(polygons).astype(np.float64)
    end = np.concatenate([part for one in polygons for part in (one[1:], one[:1])]).astype(np.float64)
    (x, y), (across, down) = start.T, (end - start).T
    low, high = (
        np.minimum(np.maximum(each, 0), height)
        for each in (np.minimum(y, end[:, 1]), np.maximum(y, end[:, 1]))
    )
    edge, row = _counted(np.floor(low).astype(np.intp), np.ceil(high).astype(np.intp))
    x, y, down_, slope = x[edge], y[edge], down[edge], (across / np.where(down == 0, 1, down))[edge]
    # From where an edge starts: no height where it only touches a row.
    one = np.minimum(np.maximum(row - y, np.minimum(down_, 0)), np.maximum(down_, 0))
    other = np.minimum(np.maximum(row + 1 - y, np.minimum(down_, 0)), np.maximum(down_, 0))
    first, last = x + one * slope, x + other * slope
    rise = np.copysign(other - one, down_)
    if len(polygons) > 1:
        row += (height * np.repeat(np.arange(len(polygons)), [len(each) for each in polygons]))[edge]
    return row, np.minimum(first, last), np.maximum(first, last), rise


def _counted(first: NDArray[np.intp], end: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The whole numbers from each of `first` (m,) to before its `end`, and which of them each is from."""
    count = end - first
    which = np.repeat(np.arange(len(count)), count)
    return which, np.arange(len(which)) + (first - np.cumsum(count) + count)[which]
