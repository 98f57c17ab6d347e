"""Screenshots of windows as desktop systems write them: with transparent corners and a shadow."""

from __future__ import annotations

import cv2
import numpy as np

from service.arrays import U8

BAR, PAGE = (225, 228, 232), (246, 244, 240)
Sides = tuple[int, int, int, int]


def window(
    size: tuple[int, int] = (400, 300),
    radius: float = 16,
    around: Sides = (60, 60, 40, 90),
    *,
    sigma: float = 16.0,
    opacity: float = 0.55,
    hairline: bool = False,
) -> U8:
    """A window of `size` px with its shadow, (h, w, 4) uint8; `around` is the shadow's margin left, right,
    top and bottom.

    The shadow is shifted towards the larger margins. A `hairline` is drawn around the window, over the
    shadow.
    """
    left, right, top, bottom = around
    width, height = size[0] + left + right, size[1] + top + bottom
    inside = rounded((width, height), (left, top, *size), radius)
    moved = (left + (right - left) // 4, top + (bottom - top) // 4, *size)
    shadow = cv2.GaussianBlur(rounded((width, height), moved, radius), (0, 0), sigma or 0.1) * opacity
    if not any(around):
        shadow[:] = 0
    if hairline:
        line = rounded((width, height), (left - 1, top - 1, size[0] + 2, size[1] + 2), radius + 1)
        shadow = np.maximum(shadow, 0.97 * line)
    color = np.empty((height, width, 3))
    color[:] = PAGE
    color[: top + 40] = BAR
    color[top + size[1] // 2 :, left + size[0] // 2 :] = (40, 90, 200)
    alpha = inside + shadow * (1 - inside)
    straight = color * (inside / np.maximum(alpha, 1e-9))[..., None]
    return np.round(np.dstack((straight, alpha * 255))).astype(np.uint8)


def rounded(canvas: tuple[int, int], box: tuple[int, int, int, int], radius: float) -> np.ndarray:
    """The coverage of a rectangle with round corners, (h, w) from 0 to 1."""
    x, y = np.meshgrid(np.arange(canvas[0]) + 0.5, np.arange(canvas[1]) + 0.5)
    half = box[2] / 2, box[3] / 2
    dx = np.abs(x - box[0] - half[0]) - half[0] + radius
    dy = np.abs(y - box[1] - half[1]) - half[1] + radius
    away = np.hypot(np.maximum(dx, 0), np.maximum(dy, 0)) + np.minimum(np.maximum(dx, dy), 0) - radius
    return np.asarray(np.clip(0.5 - away, 0, 1))


def file(pixels: U8) -> bytes:
    """A PNG of (h, w, 3 or 4) pixels."""
    code = cv2.COLOR_RGBA2BGRA if pixels.shape[2] == 4 else cv2.COLOR_RGB2BGR
    return bytes(cv2.imencode(".png", cv2.cvtColor(pixels, code))[1])
