"""Softer edges: a pixel filter wider than a pixel hides the steps where parts of a device meet.

Coverage weighs the light of a pixel's parts exactly, as a box filter does. But a pixel shared equally by a
black lens and white glass looks nearly white, so the lens has visible steps. Likewise, a rim or a gap thinner
than a pixel looks twice as strong where two pixels share it, or half as strong, so it looks dashed.
"""

from __future__ import annotations

import cv2
import numpy as np

from ...arrays import F32, U8
from ..geometry.raster import Box
from ..kernels import softening as kernel
from .canvas import Canvas

# steps in the root of light from which edges are filtered, and from which they are filtered fully; by eye
LOW, HIGH = 0.12, 0.32
SHOWS = np.float32(1e-3)  # gain from which a pixel belongs to a screen; a guard


def cross(canvas: Canvas, cover: U8, rim: U8 | None, box: Box) -> None:
    """Mark the edges of a slab that is painted next in a `box` of the canvas, in place.

    The slab covers `cover` (h, w), 0-255, of each pixel, and the edges of its faces cross the pixels where
    `rim` (h, w) is not 0. The slab hides the edges behind it.
    """
    edges = canvas.edges[box.within(canvas.box)]
    edges *= (cover != 255).view(np.uint8)
    edges |= partial(cover)
    if rim is not None:
        edges |= rim


def partial(cover: U8) -> U8:
    """A mask (h, w): 1 where a coverage (h, w), 0-255, is neither 0 nor 255, and 0 elsewhere."""
    return np.asarray((cover - np.uint8(1) < 254).view(np.uint8))


def softened(canvas: Canvas) -> None:
    """Soften the edges of a canvas inside its device, in place, but not those of its screens."""
    cover = canvas.alpha
    for gain in canvas.gains:
        cover = np.where(gain > SHOWS, np.float32(0), cover)
    soften(canvas.rgb, cover, canvas.edges)


def soften(rgb: F32, cover: F32, edges: U8) -> None:
    """Soften edges in premultiplied linear light (h, w, 3), in place, where its `cover` (h, w) is above 0.

    Edges cross the pixels where `edges` (h, w) is not 0. There, and in the pixels beside them, light is
    filtered. Hard steps are filtered anywhere.
    """
    kernel.soften(rgb, cover, cv2.dilate(edges, np.ones((3, 3), np.uint8)), LOW, HIGH)
