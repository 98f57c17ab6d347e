"""Bloom: parts brighter than their surroundings glow, in linear light, at an eighth of the size."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from ...arrays import F32, U8, U16
from ...settings.effects import Bloom
from ...srgb import LINEAR, LINEAR16
from ..plates.plate import ScreenLayer
from .band import BLOCK, Band, Picture, Step

FINE = 2  # px; side of the blocks averaged before the threshold; small enough for thin lines to exceed it
LOBES = ((1.0, 0.55), (2.2, 0.3), (5.0, 0.15))  # pairs: sigma in units of the reach, and share of the light
GAIN = 1.0  # glow at intensity 1, as a share of the light that glows

# A white page does not glow: the eye adapts to white surroundings, so only parts that stand out from them do.
SURROUND = 0.1  # sigma of a place's surroundings, in short sides of the picture
COARSE = 4  # side, in cells, of the blocks in which surroundings are averaged
COLORED = 0.15  # weight of a colour's strongest channel in its whiteness; its weakest has the rest
PAPER = 0.6  # linear light that counts as fully white
ADAPTED = 0.5  # share of white in the surroundings above which nothing glows

#: Tables from code values to the 16-bit light by which they differ from white, and back to fractional code
#: values. The inverse is linear between whole code values, and exact for these.
_LACK = 65535 - LINEAR16
_CODES = np.interp(np.arange(65536), LINEAR16, np.arange(256)).astype(np.float32)[::-1].copy()
#: The shares of light that each row of a block (8) takes from the cells above, beside and below it (3).
_WEIGHTS = np.maximum(1 - np.abs((np.arange(BLOCK)[:, None] + 0.5) / BLOCK + 0.5 - np.arange(3)), 0).astype(
    np.float32
)
_OPACITY = np.arange(0, 65536, 257, dtype=np.uint16)


class Glow(Step):
    """Adds the whole picture's `light` (see `glow`)."""

    def __init__(self, light: U16) -> None:
        self._light = light
        self._lit = np.asarray(light.any(axis=2), np.bool_)

    def reaches(self, rows: slice) -> bool:
        """Whether any light falls on these rows."""
        return bool(reached(self._lit, rows, self._lit.shape[1] * BLOCK).stop)

    def apply(self, band: Band) -> None:
        """Add the light, and raise alpha if there is any; `code` must still be whole numbers."""
        columns = reached(self._lit, band.rows, band.size[0])
        parts = [plane[:, columns].astype(np.uint8, copy=False) for plane in band.code]
        light = enlarged(self._light, band.rows, columns)
        if band.alpha is None:
            added = [add(part, glow) for part, glow in zip(parts, light, strict=True)]
        else:
            band.alpha = band.alpha.copy()
            added, band.alpha[:, columns] = raise_alpha(parts, band.alpha[:, columns], light)
        if columns == slice(0, band.size[0]):
            band.code = added
            return
        band.code = code = band.fractional()
        for plane, bright in zip(code, added, strict=True):
            plane[:, columns] = bright


def prepare(bloom: Bloom, picture: Picture) -> Glow | None:
    """Find the glow of the whole picture; None if there is none."""
    with picture.clock.stage("bloom"):
        share = shares(bloom)
        glowing = np.concatenate(list(picture.each(lambda band: sources(band, share))))
        light = glow(glowing, bloom, picture.size, screens(picture.screens, picture.size))
    return None if light is None else Glow(light)


def shares(bloom: Bloom) -> U16:
    """The share of a pixel's light that glows, 0-65535, by its brightest code value 0-255: (256,) uint16.

    It is the excess over the threshold divided by the whole. The knee is soft: within `knee` of the
    threshold, half the threshold's distance to white or to black, the excess is t² / (4·knee); above, it is
    linear.
    """
    threshold = bloom.threshold**2.2
    knee = max(min(1 - threshold, threshold) * 0.5, 1e-3)
    level = LINEAR.astype(np.float64)
    over = np.clip(level - threshold + knee, 0, 2 * knee)
    share = np.maximum(over * over / (4 * knee), level - threshold) / np.maximum(level, 1e-4)
    return np.asarray(np.round(np.clip(share, 0, 1) * 65535), np.uint16)


def sources(band: U8, share: U16) -> U16:
    """Rows at an eighth of the size: light over the threshold (RGB) and whiteness, 16-bit linear.

    `band` (rows, w, 3 or 4) uint8 starts at a multiple of 8 rows, `share` comes from `shares`; returns
    (rows/8, w/8, 4) uint16, rounded up, with incomplete blocks extended from their edge. Whiteness is a mix
    of the weakest channel's light and a little of the strongest's. Both are weighted by alpha.
    """
    h, w = band.shape[:2]
    below, right = -h % BLOCK, -w % BLOCK
    if below or right:
        band = np.asarray(cv2.copyMakeBorder(band, 0, below, 0, right, cv2.BORDER_REPLICATE), np.uint8)
    size = ((w + right) // BLOCK, (h + below) // BLOCK)
    fine = (size[0] * BLOCK // FINE, size[1] * BLOCK // FINE)
    red, green, blue, *alpha = cv2.split(cv2.resize(band, fine, interpolation=cv2.INTER_AREA))
    part = cv2.LUT(cv2.max(cv2.max(red, green), blue), share)
    if alpha:
        part = cv2.multiply(part, cv2.LUT(alpha[0], _OPACITY), scale=1 / 65535)
    light = [
        _shrunk(np.asarray(cv2.multiply(cv2.LUT(plane, LINEAR16), part, scale=1 / 65535), np.uint16), size)
        for plane in (red, green, blue)
    ]
    red, green, blue, *alpha = (
        _shrunk(np.asarray(plane, np.uint8), size) for plane in (red, green, blue, *alpha)
    )
    most, least = cv2.max(cv2.max(red, green), blue), cv2.min(cv2.min(red, green), blue)
    white = cv2.addWeighted(cv2.LUT(least, LINEAR16), 1 - COLORED, cv2.LUT(most, LINEAR16), COLORED, 0)
    if alpha:
        white = cv2.multiply(white, cv2.LUT(alpha[0], _OPACITY), scale=1 / 65535)
    return np.asarray(cv2.merge([*light, white]), np.uint16)


def _shrunk(plane: NDArray[Any], size: tuple[int, int]) -> NDArray[Any]:
    """The means of blocks of four by four px, as a picture of `size` (width, height)."""
    # Halve twice: OpenCV has a fast path for factors of two only.
    half = cv2.resize(plane, (2 * size[0], 2 * size[1]), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(half, size, interpolation=cv2.INTER_AREA))


def screens(layers: Iterable[ScreenLayer | None], size: tuple[int, int]) -> F32 | None:
    """A mask of the screens in a picture of `size` (width, height), 0 or 1; None if none is seen.

    (h/8, w/8) float32, rounded up.
    """
    masks = [_screen(layer, size) for layer in layers if layer]
    return reduce(np.maximum, masks) if masks else None


def _screen(screen: ScreenLayer, size: tuple[int, int]) -> F32:
    box, gain = screen.box, screen.gain
    left, top = box.x % BLOCK, box.y % BLOCK
    right, below = -(left + box.width) % BLOCK, -(top + box.height) % BLOCK
    whole = cv2.copyMakeBorder(gain, top, below, left, right, cv2.BORDER_CONSTANT)
    across, down = whole.shape[1] // BLOCK, whole.shape[0] // BLOCK
    mask = np.zeros((-(-size[1] // BLOCK), -(-size[0] // BLOCK)), np.float32)
    y, x = box.y // BLOCK, box.x // BLOCK
    cells = cv2.resize(whole, (across, down), interpolation=cv2.INTER_AREA)
    mask[y : y + down, x : x + across] = cells > 65535 // 20
    return mask


def mean(values: F32, mask: F32) -> float:
    """The mean of values (h, w) where `mask` (h, w) is 1; 0 for an empty mask."""
    return float((values * mask).sum() / max(mask.sum(), 1))


def standing_out(white: F32, mask: F32, sigma: float, least: float = 0.0) -> F32:
    """The share of each cell's light that glows, (h, w) float32 in 0-1, by its contrast with its
    surroundings.

    It is (1 - w/0.5)², where w is the largest of three shares: of white in the surroundings, of white in the
    whole mask, and `least`. Outside `mask`, it is 0. `white` and `mask` (h, w) in 0-1, `sigma` of the
    surroundings in cells. Cells outside the mask are ignored: a bezel does not make a page's edge stand out,
    and a light background does not dim a page.
    """
    h, w = white.shape
    small = max(w // COARSE, 1), max(h // COARSE, 1)
    over, under = (
        cv2.GaussianBlur(
            cv2.resize(plane, small, interpolation=cv2.INTER_AREA),
            (0, 0),
            max(sigma / COARSE, 0.3),
            borderType=cv2.BORDER_REPLICATE,
        )
        for plane in (white * mask, mask)
    )
    share = over / np.maximum(under, np.float32(1e-3))
    np.maximum(share, np.float32(max(least, mean(white, mask))), out=share)
    share = np.asarray(cv2.resize(share, (w, h), interpolation=cv2.INTER_LINEAR), np.float32)
    return np.asarray(np.square(np.maximum(1 - share * np.float32(1 / ADAPTED), 0)) * mask, np.float32)


def glow(glowing: U16, bloom: Bloom, size: tuple[int, int], lit: F32 | None) -> U16 | None:
    """The light to add, 16-bit linear (h/8, w/8, 3), spread by three Gaussians; None if nothing glows.

    `glowing` is the whole picture's `sources`, `size` its width and height, `lit` its `screens`. The contrast
    of screens is measured among screens alone; near a white screen, nothing else glows either.
    """
    bright = glowing[..., :3].astype(np.float32)
    white = np.minimum(glowing[..., 3] * np.float32(1 / (PAPER * 65535)), 1)
    sigma = SURROUND * min(size) / BLOCK
    if lit is None:
        given = standing_out(white, np.ones_like(white), sigma)
    else:
        given = standing_out(white, lit, sigma)
        given += standing_out(white, 1 - lit, sigma, mean(white, lit))
    bright *= given[..., None]
    unit = max((0.004 + 0.016 * bloom.radius) * min(size) / BLOCK, 0.3)
    rows, columns = (_around(np.flatnonzero((bright > 1).any(axis=axes)), unit) for axes in ((1, 2), (0, 2)))
    light = np.zeros(bright.shape, np.uint16)
    light[rows, columns] = _spread(bright[rows, columns], unit, bloom.intensity)
    return light if light.any() else None


def _around(cells: NDArray[np.int64], unit: float) -> slice:
    """The range of cells that glowing `cells` may light, with the widest lobe around them."""
    if not len(cells):
        return slice(0, 0)
    reach = math.ceil(4 * unit * LOBES[-1][0]) + 1
    return slice(max(int(cells[0]) - reach, 0), int(cells[-1]) + reach + 1)


def _spread(bright: F32, unit: float, intensity: float) -> F32:
    """Light (h, w, 3) spread by the lobes, rounded to whole numbers in 0-65535; `unit` is their reach."""
    total = np.zeros_like(bright)
    if not total.size:
        return total
    for spread, share in LOBES:
        blurred = cv2.GaussianBlur(bright, (0, 0), unit * spread, borderType=cv2.BORDER_REPLICATE)
        total += np.float32(share * intensity * GAIN) * blurred
    return np.asarray(np.clip(total + np.float32(0.5), 0, 65535), np.float32)


def reached(lit: NDArray[np.bool_], rows: slice, width: int) -> slice:
    """The range of columns on which glow falls in some rows, in whole blocks; `lit` (h/8, w/8) marks the
    blocks that glow."""
    blocks = np.flatnonzero(lit[max(rows.start // BLOCK - 1, 0) : (rows.stop - 1) // BLOCK + 2].any(axis=0))
    if not len(blocks):
        return slice(0, 0)
    return slice(max(int(blocks[0]) - 1, 0) * BLOCK, min((int(blocks[-1]) + 2) * BLOCK, width))


def enlarged(light: U16, rows: slice, columns: slice) -> list[U16]:
    """A part of the whole picture's glow at full size, three planes (rows, columns) uint16.

    The `columns` begin at a block and end at one, or at the picture's edge.
    """
    first, last = rows.start // BLOCK - 1, (rows.stop - 1) // BLOCK + 2
    left, right = columns.start // BLOCK - 1, (columns.stop - 1) // BLOCK + 2
    above, below = max(-first, 0), max(last - len(light), 0)
    before, after = max(-left, 0), max(right - light.shape[1], 0)
    part = light[max(first, 0) : last, max(left, 0) : right]
    part = np.asarray(cv2.copyMakeBorder(part, above, below, before, after, cv2.BORDER_REPLICATE), np.uint16)
    # Let OpenCV enlarge the width, and a matrix product the height, which takes half as long. The 0.5 is for
    # rounding.
    size, x = (part.shape[1] * BLOCK, len(part)), slice(BLOCK, BLOCK + columns.stop - columns.start)
    planes = (plane.astype(np.float32) + np.float32(0.5) for plane in cv2.split(part))
    wide = (cv2.resize(plane, size, interpolation=cv2.INTER_LINEAR)[:, x] for plane in planes)
    y = slice(rows.start % BLOCK, rows.start % BLOCK + rows.stop - rows.start)
    return [_heightened(np.asarray(plane, np.float32))[y] for plane in wide]


def _heightened(cells: F32) -> U16:
    """Interpolate cells (n, w) to rows (8·(n - 2), w), rounded down; the first and last cell are margins."""
    beside = np.stack([cells[:-2], cells[1:-1], cells[2:]], axis=1)
    return np.asarray(np.matmul(_WEIGHTS, beside), np.uint16).reshape(-1, cells.shape[1])


def add(code: U8, light: U16) -> F32:
    """A plane (h, w) of code values with its glow (h, w) added in linear light, as fractional code values.

    1 - (1 - picture)·(1 - glow): full glow on black, and hardly any on light colours, which it would wash
    out.
    """
    lack = cv2.multiply(cv2.LUT(code, _LACK), cv2.bitwise_not(light), scale=1 / 65535)
    return np.asarray(cv2.LUT(lack, _CODES), np.float32)


def raise_alpha(code: Sequence[U8], alpha: U8, light: Sequence[U16]) -> tuple[list[F32], U8]:
    """As `add` for three planes of a transparent picture: the glow adds to premultiplied light and to alpha.

    `alpha` (h, w) uint8; returns straight fractional code values and the new alpha.
    """
    cover = alpha.astype(np.float32) * np.float32(1 / 255)
    glowing = [plane.astype(np.float32) * np.float32(1 / 65535) for plane in light]
    raised = 1 - (1 - cover) * (1 - reduce(np.maximum, glowing))
    whole = np.maximum(raised, np.float32(1 / 255))
    planes = []
    for plane, glow in zip(code, glowing, strict=True):
        there = cv2.LUT(plane, LINEAR16) * (cover * np.float32(1 / 65535))
        there += glow * (1 - there)
        there /= whole
        lack = np.clip((1 - there) * np.float32(65535) + np.float32(0.5), 0, 65535).astype(np.uint16)
        # Pixels that stay transparent keep their colour, so that the result does not depend on the bands.
        planes.append(np.where(raised > 0, cv2.LUT(lack, _CODES), plane))
    return planes, np.round(raised * 255).astype(np.uint8)
