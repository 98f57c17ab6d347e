"""The soft shadow of the posed device on the background."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np

from service.arrays import F32, U8
from service.render.dither import spread
from service.render.geometry.coverage import fill
from service.render.geometry.raster import Box, extent
from service.settings.scene import Shadow

TIGHT, TIGHT_SIGMA, TIGHT_OFFSET = 0.3, 0.35, 0.5  # share, sigma and offset of the tight lobe


@dataclass(frozen=True, slots=True, eq=False)
class Shade:
    """A shadow's alpha `small` (h, w) in 0-1, reduced by `step` and with a `margin` of reduced px.

    `width` is the canvas' own, `mode` OpenCV's interpolation.
    """

    small: F32
    step: int
    margin: int
    width: int
    mode: int

    def rows(self, rows: slice) -> F32:
        """The alpha of some rows of the canvas, (n, width) float32 in 0-1."""
        height = rows.stop - rows.start
        if self.step == 1:
            top = rows.start + self.margin
            return self.small[top : top + height, self.margin : self.margin + self.width]
        # Two cells more on each side are what cubic interpolation looks at.
        first, left = rows.start // self.step - 2, self.margin - 2
        last, right = (rows.stop - 1) // self.step + 3, self.margin - (-self.width // self.step) + 2
        part = self.small[first + self.margin : last + self.margin, left:right]
        # OpenCV enlarges by whole factors many times faster than it warps.
        size = (part.shape[1] * self.step, part.shape[0] * self.step)
        full = np.asarray(cv2.resize(part, size, interpolation=self.mode), np.float32)
        top, start = rows.start - first * self.step, 2 * self.step
        seen = full[top : top + height, start : start + self.width]
        return np.clip(seen, 0, 1, out=seen)


def cast(outlines: Iterable[F32], size: tuple[int, int], shadow: Shadow, fast: bool) -> Shade:
    """The shadow on a background of `size` (width, height), including its colour's alpha.

    The silhouette, of convex `outlines` (n, 2) in canvas px, moved by the offset and blurred by a Gaussian of
    sigma px, and a tighter, nearer lobe of it that grounds the device. Computed at a reduced size where the
    blur leaves no detail, with a margin for shadow from beyond the canvas' edges.
    """
    w, h = size
    tight = max(shadow.sigma * TIGHT_SIGMA, 1e-3)
    step = int(np.clip(tight / (2.0 if not fast else 1.2), 1, 16))
    margin = int(np.ceil(3 * shadow.sigma / step)) + 2
    small = Box(0, 0, -(-w // step) + 2 * margin, -(-h // step) + 2 * margin)
    shrunk = [outline / np.float32(step) + np.float32(margin) for outline in outlines]
    mask = fill(shrunk, small)
    total = np.zeros_like(mask)
    for share, width, reach in ((1 - TIGHT, 1.0, 1.0), (TIGHT, TIGHT_SIGMA, TIGHT_OFFSET)):
        move = np.array([[1, 0, shadow.x * reach / step], [0, 1, -shadow.y * reach / step]], np.float32)
        moved = cv2.warpAffine(mask, move, (small.width, small.height), flags=cv2.INTER_LINEAR)
        sigma = shadow.sigma * width / step
        # The reduced mask is already softened by its own pixels; add the rest of the sigma.
        sigma = float(np.sqrt(max(sigma * sigma - 1 / 12, 0)))
        if sigma > 0.05:
            moved = cv2.GaussianBlur(moved, (0, 0), sigma, borderType=cv2.BORDER_CONSTANT)
        total += np.float32(share * shadow.opacity) * moved
    total *= np.float32(shadow.color.alpha / 255)
    np.clip(total, 0, 1, out=total)
    return Shade(total, step, margin, w, cv2.INTER_LINEAR if fast else cv2.INTER_CUBIC)


def mix(under: U8, y: int, shade: F32, color: tuple[int, ...]) -> None:
    """Mix a shadow into rows (n, w, 4) uint8 of a canvas from `y` on, dithered, in place.

    `shade` (n, w) float32 is its alpha in 0-1, `color` sRGB 0-255. In code values, as browsers and editors
    blend.
    """
    found = extent(shade > 1 / 1024)
    if not found.area:
        return
    part, shade = under[found.slices], shade[found.slices]
    box = Box(found.x, y + found.y, found.width, found.height)
    if (part[..., 3] == 255).all():
        for channel in range(3):
            # c + shade · (color - c), with noise added before truncation.
            plane = np.ascontiguousarray(part[..., channel]).astype(np.float32)
            plane += shade * (np.float32(color[channel]) - plane)
            plane += spread(*box, channel)
            part[..., channel] = plane
        return
    below = part[..., 3].astype(np.float32) * np.float32(1 / 255)
    rest = (1 - shade) * below
    total = np.maximum(rest + shade, np.float32(1e-6))
    for channel in range(3):
        mixed = (part[..., channel] * rest + shade * np.float32(color[channel])) / total
        part[..., channel] = np.clip(mixed + spread(*box, channel), 0, 255.5)
    part[..., 3] = np.clip(total * 255 + spread(*box), 0, 255.5)


def darken(under: U8, shade: F32, color: tuple[int, ...]) -> None:
    """As `mix` for an opaque canvas: rows (n, w, 4) uint8 in place, in whole code values, without dither."""
    found = extent(shade > 1 / 1024)
    if not found.area:
        return
    at = found.slices
    opacity = cv2.convertScaleAbs(shade[at], alpha=255)
    rest = cv2.merge([255 - opacity] * 3 + [np.full_like(opacity, 255)])
    below = cv2.multiply(under[at], rest, scale=1 / 255)
    if any(color):
        own = cv2.multiply(cv2.merge([opacity] * 4), np.array([*color, 0], np.float64), scale=1 / 255)
        below = cv2.add(below, own)
    under[at] = below
