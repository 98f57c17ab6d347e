"""The canvas behind the device: a flat colour or a gradient, dithered."""

from __future__ import annotations

import numpy as np

from service.arrays import F32, U8
from service.render.dither import bank
from service.render.kernels import backdrop as kernel
from service.render.plates.shadow import LIGHT, Part
from service.settings.scene import Background

STEPS = 1024


def dithered(rows: U8, background: Background, top: int, height: int, shade: Part = LIGHT) -> None:
    """Paint rows (n, width, 4) uint8 sRGB, straight alpha, of a canvas so high, from its row `top` on.

    An opaque gradient can take its shadow here, so both are rounded only once.
    """
    if background.end is None:
        _fill(rows, background)
        return
    colors = _colors(background)
    # Noise of one code value leaves a flat strip where a slow ramp crosses a whole number; noise of one and a
    # half does not. For steep ramps, one code value is enough.
    slope = float(np.abs(colors[1]).max()) / np.hypot(rows.shape[1], height)
    wide = 1 + 0.5 * float(np.clip(1.5 - 20 * slope, 0, 1))
    kernel.gradient(rows, _places(background, rows, top, height), colors, (bank(), top, wide), shade[:])


def plain(rows: U8, background: Background, top: int, height: int) -> None:
    """As `dithered`, but without shadow or noise: 1,024 colours along the gradient."""
    if background.end is None:
        _fill(rows, background)
        return
    start, step = _colors(background).astype(np.float64)
    steps = (start + np.linspace(0, 1, STEPS)[:, None] * step + 0.5).astype(np.uint8)
    kernel.steps(rows, *_places(background, rows, top, height), steps)


def _fill(rows: U8, background: Background) -> None:
    # Fill 32-bit integers: NumPy takes more than ten times as long to fill four bytes a pixel.
    rows.view(np.uint32)[...] = np.array(background.start, np.uint8).view(np.uint32)


def _colors(background: Background) -> F32:
    """The first colour and what is added to it up to the last, (2, 4) float32."""
    start, end = np.array([background.start, background.end], np.float32)
    return np.stack([start, end - start])


def _places(background: Background, rows: U8, top: int, height: int) -> tuple[F32, F32, float]:
    """Where columns (width,) and rows (n,) are along the gradient, and its reach, for `kernel.gradient`.

    Linear as in CSS Images 3: along the line through the centre at `angle` (0 is up, clockwise), from corner
    to corner; radial: the distance from the centre over that of the corners.
    """
    count, width = rows.shape[:2]
    x = np.arange(width, dtype=np.float32) + np.float32(0.5 - width / 2)
    y = np.arange(top, top + count, dtype=np.float32) + np.float32(0.5 - height / 2)
    if background.shape == "radial":
        return x**2, y**2, float(np.hypot(width / 2, height / 2))
    angle = np.radians(background.angle)
    dx, dy = np.sin(angle), -np.cos(angle)
    length = abs(width * dx) + abs(height * dy)
    return x * np.float32(dx / length), y * np.float32(dy / length), 0.0
