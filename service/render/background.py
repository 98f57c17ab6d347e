"""The canvas behind the device: a flat colour or a gradient, dithered."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from service.render.dither import noise
from service.scene import Background

F32 = NDArray[np.float32]

STEPS = 1024
BAND = 64  # rows painted at a time, small enough for the cache


def parameter(background: Background, width: int, height: int, rows: slice) -> F32:
    """How far along the gradient each pixel is, (rows, width) in 0-1.

    Linear as in CSS Images 3: the line through the centre at `angle` (0 up, clockwise), corner to corner;
    radial: distance from the centre over the distance to the farthest corner.
    """
    x = np.arange(width, dtype=np.float32) + np.float32(0.5 - width / 2)
    y = np.arange(rows.start, rows.stop, dtype=np.float32) + np.float32(0.5 - height / 2)
    if background.shape == "radial":
        reach = np.float32(np.hypot(width / 2, height / 2))
        return np.asarray(np.sqrt(x[None] ** 2 + y[:, None] ** 2) / reach, np.float32)
    angle = np.radians(background.angle)
    dx, dy = np.sin(angle), -np.cos(angle)
    length = abs(width * dx) + abs(height * dy)
    along = x[None] * np.float32(dx / length) + y[:, None] * np.float32(dy / length)
    return np.asarray(along + np.float32(0.5), np.float32)


def paint(
    background: Background,
    width: int,
    height: int,
    shade: F32 | None = None,
    color: tuple[int, ...] = (0, 0, 0),
) -> NDArray[np.uint8]:
    """The background (height, width, 4) uint8, straight alpha.

    An opaque gradient takes its shadow here, of opacity `shade` (height, width) and sRGB `color`: rounded
    once, not twice.
    """
    if background.end is None:
        return np.full((height, width, 4), background.start, np.uint8)
    canvas = np.empty((height, width, 4), np.uint8)
    start = np.array(background.start, np.float32)
    step = np.array(background.end, np.float32) - start
    # Where a slow ramp passes a whole number, noise of one code value leaves a flat strip: noise half as wide
    # again has none. A steep ramp needs no more than rounding does.
    slope = float(np.abs(step).max()) / np.hypot(width, height)
    wide = 1 + 0.5 * float(np.clip(1.5 - 20 * slope, 0, 1))
    for y in range(0, height, BAND):
        rows = slice(y, min(y + BAND, height))
        t = parameter(background, width, height, rows)
        for channel in range(4):
            plane = t * step[channel]
            plane += start[channel]
            if shade is not None and channel < 3:
                plane += shade[rows] * (np.float32(color[channel]) - plane)
            grain = noise(0, y, width, rows.stop - y, channel)
            plane += grain * np.float32(wide) + np.float32((1 - wide) / 2)
            np.clip(plane, 0, 255.5, out=plane)
            canvas[rows, :, channel] = plane
    return canvas


def plain(background: Background, width: int, height: int) -> NDArray[np.uint8]:
    """As `paint` without shadow and without dither: 1,024 colours along the gradient, nearest code values."""
    if background.end is None:
        return np.full((height, width, 4), background.start, np.uint8)
    start, end = np.array(background.start, np.float64), np.array(background.end, np.float64)
    steps = (start + np.linspace(0, 1, STEPS)[:, None] * (end - start) + 0.5).astype(np.uint8)
    colors = steps.view(np.uint32)[:, 0]
    canvas = np.empty((height, width), np.uint32)
    for y in range(0, height, BAND):
        rows = slice(y, min(y + BAND, height))
        t = parameter(background, width, height, rows)
        t *= np.float32(STEPS - 1)
        t += np.float32(0.5)
        np.take(colors, t.astype(np.uint16), out=canvas[rows], mode="clip")
    return canvas.view(np.uint8).reshape(height, width, 4)
