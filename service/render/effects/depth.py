"""Depth of field: the devices are blurred by their distance from the plane of focus, as through an aperture.

A pixel is blurred, in linear light, by a Gaussian whose sigma is proportional to the pixel's distance from
the plane. Pixels with about the same sigma are blurred together, for a few sizes of sigma, so that sharp
parts do not bleed into blurred ones. Each pixel is a mix of the two blurs nearest to its own sigma.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from ...arrays import F32, U8
from ...settings.effects import Depth
from ...srgb import LINEAR16, encode
from ..geometry.raster import Box
from ..plates.depth import DepthMap
from .band import Band, Picture, Step

APERTURE = 0.035  # mm of sigma for each mm from the plane of focus, at amount 1; by eye
WIDEST = 0.02  # largest sigma, as a share of the canvas' short side; by eye
SIGMAS = (
    0.6,
    1.2,
    2.4,
    4.8,
    9.6,
    19.2,
    38.4,
    76.8,
)  # px; a pixel's blur is a mix of two of these; by cost
FAINT = 0.3  # px; with a smaller sigma, a pixel stays as it is; by eye
REACH = 3.0  # distance that a blur reaches, in sigmas; by construction
BEYOND = 2.0  # sigmas beyond a silhouette, within which the canvas is blurred like the device; by eye
COARSE = 1.5  # px; the least sigma in a reduced picture that is still smooth once enlarged; by eye
GRID = 64  # px; bands start at multiples of this, so that all are reduced on the same grid; by construction
THIN = 4  # px between the points beyond a silhouette at which sigma is evaluated; by cost
# sigmas from which a pixel begins to contribute to a blur, and from which it contributes fully; by eye
PART, WHOLE = 0.25, 0.75

Plane = TypeVar("Plane", F32, U8)

CODES = (255 * encode(np.arange(65536) / 65535)).astype(np.float32)


class LensBlur(Step):
    """Replaces the pixels that are out of focus."""

    def __init__(self, sigma: F32, box: Box, compose: Callable[[slice], U8], height: int) -> None:
        """`sigma` (h, w), px, covers the pixels of `box`; `compose` returns any rows of the whole picture."""
        self._sigma, self._box, self._compose, self._height = sigma, box, compose, height
        self._most = float(sigma.max())

    def reaches(self, rows: slice) -> bool:
        """Whether any pixel in these rows is out of focus."""
        return bool(self._at(rows).max(initial=0) > FAINT)

    def apply(self, band: Band) -> None:
        """Blur a band, including the light that spreads into it from rows above and below."""
        rows, box = band.rows, self._box
        reach = math.ceil(REACH * self._most)
        top, left = (max(start - reach, 0) // GRID * GRID for start in (rows.start, box.x))
        end = min(rows.stop + reach, self._height)
        pixels = self._compose(slice(top, end))[:, left : box.x + box.width + reach]
        sigma = np.zeros(pixels.shape[:2], np.float32)
        inner = slice(max(box.y, top), min(box.y + box.height, end))
        sigma[inner.start - top : inner.stop - top, box.x - left :][:, : box.width] = self._at(inner)
        own = slice(rows.start - top, rows.stop - top)
        light = blurred(premultiplied(pixels), sigma, self._most)[own]
        at, soft = slice(left, left + light.shape[1]), sigma[own] > FAINT
        if band.alpha is not None:
            alpha = np.clip(light[..., 3], 0, 1)
            light = np.asarray(light[..., :3] / np.maximum(alpha, np.float32(1e-4))[..., None], np.float32)
            opacity = np.rint(255 * alpha).astype(np.uint8)
            band.alpha = np.asarray(_replaced(band.alpha, at, soft, opacity), np.uint8)
        steps = (65535 * np.clip(light, 0, 1) + np.float32(0.5)).astype(np.uint16)
        code = np.asarray(cv2.LUT(steps, CODES), np.float32)
        planes = band.fractional()
        band.code = [_replaced(plane, at, soft, code[..., of]) for of, plane in enumerate(planes)]

    def _at(self, rows: slice) -> F32:
        """The sigma of the rows that are in the box."""
        start = max(rows.start - self._box.y, 0)
        return self._sigma[start : max(rows.stop - self._box.y, start)]


def _replaced(plane: Plane, at: slice, soft: NDArray[np.bool_], by: Plane) -> Plane:
    made = plane.copy()
    made[:, at][soft] = by[soft]
    return made


def prepare(depth: Depth, picture: Picture) -> LensBlur | None:
    """The step for a picture; None if nothing is out of focus or no device is visible. The picture needs a
    depth map."""
    if picture.depth is None:
        raise ValueError("a plate without a depth map")
    sigma, box = spread(sigmas(depth, picture.depth, min(picture.size)), picture.depth.box, picture.size)
    return LensBlur(sigma, box, picture.compose, picture.size[1]) if sigma.max(initial=0) > FAINT else None


def sigmas(depth: Depth, seen: DepthMap, short: int) -> F32:
    """The sigma (h, w) of each pixel of a depth map, px; NaN where no device is. The canvas' short side is
    `short` px."""
    away = seen.away.astype(np.float32)
    there = np.isfinite(away)
    if not there.any():
        return np.full(away.shape, np.nan, np.float32)
    near, far = float(away[there].min()), float(away[there].max())
    middle = float(np.clip(seen.middle, near, far))
    plane = middle + depth.focus * (middle - near if depth.focus < 0 else far - middle)
    scale = np.float32(APERTURE * depth.amount * seen.k)
    sigma = np.minimum(scale * np.abs(away - np.float32(plane)), np.float32(WIDEST * short))
    return np.where(there, sigma, np.float32(np.nan))


def spread(sigma: F32, box: Box, size: tuple[int, int]) -> tuple[F32, Box]:
    """The sigmas and their box, extended beyond the silhouette, because blurred edges reach there."""
    most = float(np.nanmax(sigma, initial=0))
    room = math.ceil((BEYOND + 1) * most)
    wide = box.grown(room).clipped(Box(0, 0, *size))
    whole = np.full((wide.height, wide.width), np.nan, np.float32)
    whole[box.within(wide)] = sigma
    bare = np.isnan(whole)
    thin = np.ascontiguousarray(whole[::THIN, ::THIN])
    outside = np.isnan(thin)
    if outside.all() or not outside.any():
        return np.nan_to_num(whole), wide
    gap, labels = cv2.distanceTransformWithLabels(
        outside.astype(np.uint8), cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL
    )
    values = np.zeros(int(labels.max()) + 1, np.float32)
    values[labels[~outside]] = thin[~outside]
    nearest = np.maximum(values[labels], np.float32(1e-3))
    faded = nearest * np.clip(BEYOND + 1 - THIN * gap / nearest, 0, 1)
    faded = cv2.blur(faded, (5, 5))
    beyond = cv2.resize(faded, (wide.width, wide.height), interpolation=cv2.INTER_LINEAR)
    return np.where(bare, beyond, whole), wide


def premultiplied(pixels: U8) -> F32:
    """Linear light (h, w, 3 or 4) of pixels, 0-1; if they have alpha, it is premultiplied, with alpha as
    the last channel."""
    color = pixels if pixels.shape[2] == 3 else np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGBA2RGB), np.uint8)
    light = cv2.LUT(color, LINEAR16).astype(np.float32) * np.float32(1 / 65535)
    if pixels.shape[2] == 3:
        return np.asarray(light, np.float32)
    alpha = pixels[..., 3:].astype(np.float32) * np.float32(1 / 255)
    return np.concatenate([light * alpha, alpha], axis=2)


def blurred(light: F32, sigma: F32, most: float) -> F32:
    """Light (h, w, c) blurred by a Gaussian whose sigma (h, w), px, varies, up to `most`."""
    made, below = light.copy(), 0.0
    for size in (*(size for size in SIGMAS if size < most), most):
        part = np.clip((sigma * np.float32(1 / size) - PART) / (WHOLE - PART), 0, 1).astype(np.float32)
        packed = _gaussian(np.concatenate([light * part[..., None], part[..., None]], axis=2), size)
        share = np.clip((sigma - below) / (size - below), 0, 1)[..., None]
        made += (packed[..., :-1] / np.maximum(packed[..., -1:], np.float32(1e-4)) - made) * share
        below = size
    return made


def _gaussian(packed: F32, sigma: float) -> F32:
    """A Gaussian blur of a picture (h, w, c), which is reduced first if the blur is wide."""
    factor = 2 ** max(int(math.log2(sigma / COARSE)), 0)
    if factor == 1:
        whole = cv2.GaussianBlur(packed, (0, 0), sigma, borderType=cv2.BORDER_REPLICATE)
        return np.asarray(whole, np.float32)
    height, width = packed.shape[:2]
    more = (-height % factor, -width % factor)
    padded = cv2.copyMakeBorder(packed, 0, more[0], 0, more[1], cv2.BORDER_REPLICATE)
    small = cv2.resize(padded, None, fx=1 / factor, fy=1 / factor, interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small, (0, 0), sigma / factor, borderType=cv2.BORDER_REPLICATE)
    full = cv2.resize(soft, padded.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    return np.asarray(full[:height, :width], np.float32)
