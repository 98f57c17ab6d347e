"""The canvas behind the device: a flat colour or a gradient, dithered."""

from __future__ import annotations

import cv2
import numpy as np

from service.arrays import F32, U8
from service.render.dither import noise
from service.settings.scene import Background

STEPS = 1024


def parameter(background: Background, width: int, height: int, rows: slice) -> F32:
    """Each pixel's position along the gradient, (rows, width) float32 in 0-1.

    Linear as in CSS Images 3: along the line through the centre at `angle` (0 is up, clockwise), from corner
    to corner; radial: the distance from the centre over that of the corners.
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


def dithered(
    background: Background,
    size: tuple[int, int],
    rows: slice,
    shade: F32 | None = None,
    color: tuple[int, ...] = (0, 0, 0),
) -> U8:
    """Rows of a background of `size` (width, height), (n, width, 4) uint8 sRGB, straight alpha.

    An opaque gradient can take its shadow here, so both are rounded only once: of opacity `shade` (n, width)
    in 0-1 and of sRGB `color`.
    """
    (width, height), count = size, rows.stop - rows.start
    if background.end is None:
        return _flat(background, (count, width))
    start = np.array(background.start, np.float32)
    step = np.array(background.end, np.float32) - start
    # Noise one code value wide leaves a flat strip where a slow ramp crosses a whole number; half as wide
    # again, it does not. Steep ramps need no more than rounding does.
    slope = float(np.abs(step).max()) / np.hypot(width, height)
    wide = 1 + 0.5 * float(np.clip(1.5 - 20 * slope, 0, 1))
    t = parameter(background, width, height, rows)
    rest = None if shade is None else 1 - shade
    planes: list[U8] = []
    for channel in range(4):
        if channel == 3 and background.solid:
            planes.append(np.full_like(planes[0], 255))
            continue
        plane = t * step[channel]
        plane += start[channel]
        if shade is not None and rest is not None and channel < 3:
            plane *= rest
            if color[channel]:
                plane += shade * np.float32(color[channel])
        grain = noise(0, rows.start, width, count, channel)
        # Rounded down: rounding what is just under half a level less keeps whole numbers.
        planes.append(
            np.asarray(
                cv2.addWeighted(plane, 1, grain, wide, (1 - wide) / 2 - 0.49999, dtype=cv2.CV_8U), np.uint8
            )
        )
    return np.asarray(cv2.merge(planes), np.uint8)


def _flat(background: Background, shape: tuple[int, int]) -> U8:
    """Pixels of the background's first colour, (*shape, 4) uint8."""
    # As whole numbers of four bytes: filling by fours of bytes takes NumPy more than ten times as long.
    color = np.array(background.start, np.uint8).view(np.uint32)
    return np.full(shape, color, np.uint32).view(np.uint8).reshape(*shape, 4)


def plain(background: Background, size: tuple[int, int], rows: slice) -> U8:
    """As `dithered`, but without shadow or noise: (n, width, 4) uint8, 1,024 colours along the gradient."""
    (width, height), count = size, rows.stop - rows.start
    if background.end is None:
        return _flat(background, (count, width))
    start, end = np.array(background.start, np.float64), np.array(background.end, np.float64)
    steps = (start + np.linspace(0, 1, STEPS)[:, None] * (end - start) + 0.5).astype(np.uint8)
    t = parameter(background, width, height, rows)
    t *= np.float32(STEPS - 1)
    t += np.float32(0.5)
    band = np.take(steps.view(np.uint32)[:, 0], t.astype(np.uint16), mode="clip")
    return band.view(np.uint8).reshape(count, width, 4)
