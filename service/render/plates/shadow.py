"""The soft shadow of the posed device on the background."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np

from ...arrays import F32
from ...settings.scene import ShadowSpec
from ..geometry.coverage import fill
from ..geometry.raster import Box

FAINT = 1 / 1024  # alpha up to which a shadow is not visible
REACH = 4  # distance, in sigmas, at which OpenCV truncates a Gaussian
BESIDE = 4  # margin beyond REACH, in reduced px, for rounding and interpolation


class ShadowPart(NamedTuple):
    """The shadow in a band of the canvas: its `alpha` (h, w) in 0-1, which begins at `left` and `top` of the
    band.

    `color` (3,) float32 is sRGB 0-255.
    """

    alpha: F32
    left: int
    top: int
    color: F32


class Lobe(NamedTuple):
    """A blurred copy of the silhouette: its `share` of the shadow's opacity, and its `sigma` and `offset` as
    multiples of the shadow's; by eye."""

    share: float
    sigma: float
    offset: float


# A lobe that is narrower and nearer makes a device look close to the ground.
DEVICE = Lobe(0.7, 1.0, 1.0), Lobe(0.3, 0.35, 0.5)
# Below the long straight edge of a window, a shadow like that of a device would be a dark bar. So the shadow
# of a window is wider and fainter, with a thin line at the edge.
WINDOW = Lobe(0.6, 1.5, 1.0), Lobe(0.14, 0.25, 0.25)

NOWHERE = Box(0, 0, 0, 0)
LIGHT = ShadowPart(np.zeros((0, 0), np.float32), 0, 0, np.zeros(3, np.float32))


@dataclass(frozen=True, slots=True, eq=False)
class SoftShadow:
    """A shadow's alpha `small` (h, w) in 0-1, reduced by `step`, over the box `at`, outside which there is no
    shadow.

    The box is in reduced px of the canvas, with a `margin` around it; `mode` is OpenCV's interpolation.
    """

    small: F32
    at: Box
    step: int
    margin: int
    mode: int
    color: F32

    def part(self, band: Box) -> ShadowPart:
        """The part of the shadow in a band of the canvas."""
        step, (x, y, width, height) = self.step, self.at
        x, y = x - self.margin, y - self.margin
        seen = Box(x * step, y * step, width * step, height * step).clipped(band)
        if not seen.area:
            return LIGHT
        # Cubic interpolation reads two more cells on each side.
        more = 2 if step > 1 else 0
        left, top = seen.x // step - more, seen.y // step - more
        right, bottom = -(-(seen.x + seen.width) // step) + more, -(-(seen.y + seen.height) // step) + more
        cells = Box(left, top, right - left, bottom - top).clipped(Box(x, y, width, height))
        alpha = self.small[cells.within(Box(x, y, width, height))]
        if step > 1:
            # OpenCV enlarges by whole factors many times faster than it warps.
            size = (cells.width * step, cells.height * step)
            alpha = np.asarray(cv2.resize(alpha, size, interpolation=self.mode), np.float32)
        large = Box(cells.x * step, cells.y * step, cells.width * step, cells.height * step)
        alpha = np.clip(alpha[seen.within(large)], 0, 1)
        return (
            ShadowPart(alpha, seen.x - band.x, seen.y - band.y, self.color) if alpha.max() > FAINT else LIGHT
        )


NONE = SoftShadow(LIGHT.alpha, NOWHERE, 1, 0, cv2.INTER_LINEAR, LIGHT.color)


def cast(
    outlines: Iterable[F32],
    canvas: Box,
    shadow: ShadowSpec,
    fast: bool,
    lobes: Sequence[Lobe],
) -> SoftShadow:
    """The shadow on a background that covers the `canvas`; its alpha includes that of its colour.

    It is the sum of `lobes` of the silhouette, which has convex `outlines` (n, 2), canvas px. It is computed
    at a reduced size at which the blur leaves no detail, with a margin for the shadow of what lies beyond the
    canvas' edges.
    """
    widths = [shadow.sigma * lobe.sigma for lobe in lobes]
    tight, wide = max(min(widths), 1e-3), max(widths)
    step = int(np.clip(tight / (2.0 if not fast else 1.2), 1, 16))
    margin = int(np.ceil(3 * wide / step)) + 2
    whole = Box(0, 0, -(-canvas.width // step) + 2 * margin, -(-canvas.height // step) + 2 * margin)
    shrunk = [outline / np.float32(step) + np.float32(margin) for outline in outlines]
    across, down = shadow.x / step, -shadow.y / step
    at = _reached(shrunk, across, down, math.ceil(REACH * wide / step)).clipped(whole)
    if shadow.opacity <= 0 or not at.area:
        return NONE
    mask = fill(shrunk, at)
    total = np.zeros_like(mask)
    for lobe, width in zip(lobes, widths, strict=True):
        move = np.array([[1, 0, across * lobe.offset], [0, 1, down * lobe.offset]], np.float32)
        moved = cv2.warpAffine(mask, move, (at.width, at.height), flags=cv2.INTER_LINEAR)
        sigma = width / step
        # Reducing the mask has already blurred it by a pixel, so apply only the rest of the sigma.
        sigma = float(np.sqrt(max(sigma * sigma - 1 / 12, 0)))
        if sigma > 0.05:
            moved = cv2.GaussianBlur(moved, (0, 0), sigma, borderType=cv2.BORDER_CONSTANT)
        total += np.float32(lobe.share * shadow.opacity) * moved
    total *= np.float32(shadow.color.alpha / 255)
    np.clip(total, 0, 1, out=total)
    color = np.array(shadow.color[:3], np.float32)
    return SoftShadow(total, at, step, margin, cv2.INTER_LINEAR if fast else cv2.INTER_CUBIC, color)


def _reached(outlines: list[F32], across: float, down: float, blur: int) -> Box:
    """The box around outlines (n, 2) and their shadow, which is moved `across` and `down` and blurred."""
    if not outlines:
        return NOWHERE
    points = np.concatenate(outlines)
    low = np.floor(points.min(axis=0) + np.minimum([across, down], 0)).astype(int) - blur - BESIDE
    high = np.ceil(points.max(axis=0) + np.maximum([across, down], 0)).astype(int) + blur + BESIDE
    return Box(int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1]))
