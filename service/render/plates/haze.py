"""Spatially varying blur, in linear light: a rough floor's effect on the picture that it mirrors.

Each point's light is divided between a few Gaussians, according to the blur at that point. Each Gaussian
blurs its share on a grid as coarse as the Gaussian's width allows, and the picture is the sum. Since light is
only moved, there is no halo where near and far parts meet.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import cv2
import numpy as np

from ...arrays import F32, F64, U8
from ...srgb import LINEAR, SRGB8
from ..geometry.raster import Box

FINE = 2  # last level that is blurred on the picture's own grid; by cost
WIDTH = (
    # standard deviation of this and later levels, in px of their grids, each of which is twice as coarse as
    # the previous one; by construction
    2.0
)
REACH = 8  # largest number of a grid's rows over which a Gaussian extends; by construction
LEAST = 1e-4  # light below which blurred light has no colour; a guard
SHARPEST = 0.5  # percentile of the levels below which light is ignored; by cost


class Share(NamedTuple):
    """The share (h, w) of light that a Gaussian blurs, on the Gaussian's grid, from the row `top` on."""

    top: int
    part: F32


def levels(sigma: F32) -> F32:
    """The levels (h, w) of blurs of `sigma` (h, w) px: 0 for no blur, 1 for 1 px, and 1 more for each
    doubling."""
    return np.asarray(np.where(sigma < 1, sigma, 1 + np.log2(np.maximum(sigma, 1))), np.float32)


def shares(level: F32, fade: F32, lit: F32) -> tuple[Share, ...]:
    """The share of each Gaussian in light with the blur `level` (h, w), times `fade` (h, w), where there is
    light, `lit` (h, w)."""
    fade = fade * (lit > 0)
    count = math.ceil(float(level[fade > 0].max(initial=0))) + 1
    level, fade = _padded(level, count), _padded(fade, count)
    made, step = [], 1
    for number in range(count):
        part = np.asarray(np.maximum(1 - np.abs(level - np.float32(number)), 0) * fade, np.float32)
        if number > FINE:
            step *= 2
            part = _less(part, step)
        rows = np.flatnonzero(part.max(axis=1))
        top, end = (max(int(rows[0]) - REACH, 0), int(rows[-1]) + REACH + 1) if len(rows) else (0, 0)
        made.append(Share(top, np.ascontiguousarray(part[top:end])))
    return tuple(made)


def hazed(light: F32, parts: Sequence[Share]) -> F32:
    """Light (h, w) or (h, w, 3), blurred by Gaussians, each of which blurs its own share; see `shares`."""
    grids = [_padded(light, len(parts))]
    for _ in range(len(parts) - 1 - FINE):
        grids.append(_less(grids[-1], 2))
    total = np.zeros_like(grids[-1])
    for number in range(len(parts) - 1, -1, -1):
        grid, (top, share) = grids[max(number - FINE, 0)], parts[number]
        if total.shape[0] != grid.shape[0]:
            size = (grid.shape[1], grid.shape[0])
            total = np.asarray(cv2.resize(total, size, interpolation=cv2.INTER_LINEAR), np.float32)
        if not share.size:
            continue
        rows = slice(top, top + len(share))
        part = cv2.multiply(grid[rows], share if light.ndim == 2 else cv2.merge([share] * 3))
        if number:
            width = WIDTH if number >= FINE else 1.0
            part = cv2.GaussianBlur(part, (0, 0), width, borderType=cv2.BORDER_REPLICATE)
        cv2.add(total[rows], part, dst=total[rows])
    return total[: light.shape[0], : light.shape[1]]


def _padded(light: F32, count: int) -> F32:
    """The array, padded by repeating rows and columns so that grids of `count` levels have whole texels."""
    return _grown(light, 1 << max(count - 1 - FINE, 0))


def _grown(light: F32, step: int) -> F32:
    down, across = (-side % step for side in light.shape[:2])
    if not down and not across:
        return light
    return np.asarray(cv2.copyMakeBorder(light, 0, down, 0, across, cv2.BORDER_REPLICATE), np.float32)


def _less(light: F32, step: int) -> F32:
    size = (light.shape[1] // step, light.shape[0] // step)
    return np.asarray(cv2.resize(light, size, interpolation=cv2.INTER_AREA), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Haze:
    """The blur of a mirrored screenshot, on a grid `step` times as coarse as the picture.

    `parts` has the share of each Gaussian; `lit` (h, w) is the gain before the blur, `rest` (h, w) the
    inverse of the blurred gain.
    """

    step: int
    parts: tuple[Share, ...]
    lit: F32
    rest: F32

    @classmethod
    def of(cls, lit: F32, level: F32, fade: F32) -> Self:
        """The haze of a screen whose gain is `lit` (h, w), given the `level` (h, w) of its blur and its
        `fade` (h, w)."""
        seen = level[lit > 0]
        sharpest = float(np.percentile(seen, SHARPEST)) if seen.size else 0.0
        coarse = max(math.floor(sharpest) - FINE, 0)
        step = 1 << coarse
        if coarse:
            lit, level, fade = (_less(_grown(field, step), step) for field in (lit, level, fade))
            level = np.maximum(level - np.float32(coarse), 0)
        parts = shares(level, fade, lit)
        total = hazed(lit, parts)
        rest = np.where(total > LEAST, 1 / np.maximum(total, np.float32(LEAST)), 0).astype(np.float32)
        return cls(step, parts, np.ascontiguousarray(lit), rest)

    @property
    def nbytes(self) -> int:
        """Memory held."""
        return self.lit.nbytes + self.rest.nbytes + sum(one.part.nbytes for one in self.parts)

    def grid(self, box: Box, matrix: F64) -> tuple[Box, F64]:
        """The box of the coarse grid that covers a box of the canvas, and a `matrix` (3, 3), changed to lead
        to the grid's px."""
        height, width = self.lit.shape
        scale = 1 / self.step
        onto = np.array([[scale, 0, -box.x * scale], [0, scale, -box.y * scale], [0, 0, 1]])
        return Box(0, 0, width, height), np.asarray(onto @ matrix, np.float64)

    def blurred(self, shot: U8, box: Box) -> U8:
        """A screenshot (h, w, 3) uint8 sRGB, warped onto the grid, as it is seen in a box of the canvas."""
        light = np.asarray(cv2.multiply(cv2.LUT(shot, LINEAR), cv2.merge([self.lit] * 3)), np.float32)
        mean = cv2.multiply(hazed(light, self.parts), cv2.merge([self.rest * np.float32(65535)] * 3))
        whole = cv2.addWeighted(mean, 1, mean, 0, 0, dtype=cv2.CV_16U)
        seen = np.asarray(cv2.LUT(whole, SRGB8), np.uint8)
        if self.step == 1:
            return seen
        size = self.step * shot.shape[1], self.step * shot.shape[0]
        large = cv2.resize(seen, size, interpolation=cv2.INTER_LINEAR)
        return np.ascontiguousarray(large[: box.height, : box.width])
