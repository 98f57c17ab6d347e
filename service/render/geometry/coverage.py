"""The coverage of pixels by outlines, and colours weighted by coverage."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np

from ...arrays import F32, F64, U8
from ..kernels.coverage import areas
from .raster import Box, bounds

FEW = 1 << 14  # px; polygons whose coverages have this total size or less are measured in one call


def weighted(rgb: F32, share: F32, out: F32 | None = None) -> F32:
    """Colours (h, w, 3) times a share (h, w), in a new array or in `out`, which may be `rgb` itself."""
    # If the share were broadcast, NumPy would loop over the three channels of each pixel.
    wide = cv2.cvtColor(np.ascontiguousarray(share), cv2.COLOR_GRAY2RGB)
    return np.asarray(cv2.multiply(rgb, wide, dst=out), np.float32)


def fill(polygons: Iterable[F32], box: Box) -> F32:
    """The coverage (h, w) float32 in 0-1 of polygons (n, 2) in canvas px, the maximum where they overlap.

    No polygon may cross itself. Shares of a pixel are exact to 1/255, even those of very thin polygons.
    """
    return levels(polygons, box).astype(np.float32) * np.float32(1 / 255)


def levels(polygons: Iterable[F32], box: Box) -> U8:
    """As `fill`, but uint8 in 0-255."""
    ends = box.x + box.width, box.y + box.height
    placed = [(polygon, bounds(polygon, *ends).clipped(box)) for polygon in polygons]
    shapes = [(polygon, part) for polygon, part in placed if part.area]
    cover = np.zeros((box.height, box.width), np.uint8)
    if 1 < len(shapes) <= FEW // max(box.area, 1):
        return np.asarray(layers([polygon for polygon, _ in shapes], box).max(axis=0), np.uint8)
    for number, (polygon, part) in enumerate(shapes):
        own = cover[part.within(box)]
        fresh = own if not number else np.zeros_like(own)
        _areas([polygon - np.array([part.x, part.y])], fresh[None])
        if number:
            np.maximum(own, fresh, out=own)
    return cover


def layers(polygons: Sequence[F32], box: Box) -> U8:
    """The coverage 0-255 of each polygon, (n, h, w) uint8; for small polygons, faster than a call for
    each."""
    covers = np.zeros((len(polygons), box.height, box.width), np.uint8)
    _areas([polygon - np.array([box.x, box.y]) for polygon in polygons], covers)
    return covers


def _areas(polygons: Sequence[F64], covers: U8) -> None:
    """Write the share of each pixel inside polygons (m, 2), in px of `covers` (n, h, w), as 0-255."""
    ends = np.cumsum([len(polygon) for polygon in polygons]).astype(np.int32)
    areas(np.concatenate(polygons).astype(np.float64), ends, covers)
