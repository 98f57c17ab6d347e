"""The canvas behind the device: a flat colour or a gradient, dithered."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ...arrays import F32, U8
from ...settings.scene import Background
from ..dither import bank
from ..kernels import backdrop as kernel
from .shadow import LIGHT, ShadowPart

STEPS = 1024
SPOT = 0.3  # sigma of a mesh's spots, in sides of the canvas; by eye
# Distances of a mesh's spots from its line, in sides of the canvas; spots alternate between both sides of the
# line. By eye.
ASIDE = (0.34, -0.34, -0.1, 0.4, -0.4, 0.12)


def dithered(rows: U8, background: Background, top: int, height: int, shade: ShadowPart = LIGHT) -> None:
    """Paint rows (n, width, 4) uint8 sRGB, straight alpha, of a canvas of that height, from row `top` on.

    An opaque gradient can mix in its shadow here, so that both are rounded together.
    """
    size = (rows.shape[1], height)
    if background.flat:
        _fill(rows, background)
    elif background.shape == "mesh":
        grain = _grain(float(np.ptp(_colors(background), axis=0).max()) / SPOT, size)
        _mesh(rows, background, top, height, grain=grain, shade=shade)
    else:
        along = _along(background, rows, top, height)
        ramp = _ramp(background, along.step)
        widths = np.array([_grain(float(np.abs(part[1]).max()), size) for part in ramp.colors], np.float32)
        kernel.gradient(
            rows, along.places, along.spans, (ramp.marks, ramp.colors, widths), (bank(), top), shade[:]
        )


def plain(rows: U8, background: Background, top: int, height: int) -> None:
    """As `dithered`, but without shadow or noise, and with only 1,024 colours along the gradient."""
    if background.flat:
        _fill(rows, background)
    elif background.shape == "mesh":
        _mesh(rows, background, top, height)
    else:
        along = _along(background, rows, top, height)
        marks, colors = _ramp(background, along.step)
        places = np.linspace(0, 1, STEPS)
        part = np.clip(np.searchsorted(marks, places, side="right") - 1, 0, len(colors) - 1)
        start, step = colors[part].astype(np.float64).transpose(1, 0, 2)
        steps = start + (places - marks[part])[:, None] * step
        kernel.steps(rows, along.places, (steps + 0.5).astype(np.uint8))


def _fill(rows: U8, background: Background) -> None:
    # Fill 32-bit integers: NumPy takes more than ten times as long to fill four bytes per pixel.
    rows.view(np.uint32)[...] = np.array(background.stops[0].color, np.uint8).view(np.uint32)


def _grain(change: float, size: tuple[int, int]) -> float:
    """The amplitude of the noise in a part of a gradient that changes by `change` code values over the
    canvas' diagonal."""
    if not change:
        return 1.0
    # Where a slow ramp crosses a whole number, noise of one code value leaves a flat strip, but noise of one
    # and a half does not. For steep ramps, one code value is enough.
    slope = change / float(np.hypot(*size))
    return 1 + 0.5 * float(np.clip(1.5 - 20 * slope, 0, 1))


class Ramp(NamedTuple):
    """The n parts of a gradient: the `marks` (n + 1,), 0-1, at their ends, and their `colors` (n, 2, 4).

    `colors` has each part's first colour and its change per unit along the gradient, 0-255, all float32.
    """

    marks: F32
    colors: F32


def _ramp(background: Background, step: float) -> Ramp:
    """The parts of a gradient. Stops at the same position are spread over `step`, the share of the gradient
    that a pixel covers."""
    stops = [(stop.at, stop.color) for stop in background.stops]
    places, colors = [at for at, _ in stops], [color for _, color in stops]
    for number in range(1, len(places)):
        if places[number] - places[number - 1] < step:
            middle = (places[number] + places[number - 1]) / 2
            places[number - 1 : number + 1] = middle - step / 2, middle + step / 2
    # Add a part of one colour before the first stop, and another after the last.
    places, colors = [min(0.0, places[0]), *places, max(1.0, places[-1])], [colors[0], *colors, colors[-1]]
    marks, parts = [places[0]], []
    for (at, color), (end, other) in pairwise(zip(places, colors, strict=True)):
        at = max(at, marks[-1])
        if end <= at:
            continue
        first, last = np.array(color, np.float32), np.array(other, np.float32)
        # A transparent stop takes on the colour of its neighbour.
        if not color.alpha:
            first[:3] = last[:3]
        elif not other.alpha:
            last[:3] = first[:3]
        marks.append(end)
        parts.append([first, (last - first) / np.float32(end - at)])
    return Ramp(np.array(marks, np.float32), np.array(parts, np.float32))


class Along(NamedTuple):
    """The positions of pixels along a gradient: `places` (h, w), 0-1.

    Each pixel covers a length of `step` along the gradient, or, if that is 0, its own length in `spans` (h,
    w).
    """

    places: F32
    spans: F32
    step: float


def _along(background: Background, rows: U8, top: int, height: int) -> Along:
    """The positions of the pixels of some rows along a gradient.

    Linear, as in CSS Images 3: the position along the line through the centre at `angle` (0 is up,
    clockwise), from corner to corner. Radial: the distance from the centre, divided by that of the corners.
    Conic: the turn about the centre, clockwise from `angle`.
    """
    count, width = rows.shape[:2]
    x = np.arange(width, dtype=np.float32) + np.float32(0.5 - width / 2)
    y = np.arange(top, top + count, dtype=np.float32) + np.float32(0.5 - height / 2)
    none = np.broadcast_to(np.float32(0), (count, width))
    if background.shape == "linear":
        angle = np.radians(background.angle)
        dx, dy = np.sin(angle), -np.cos(angle)
        length = abs(width * dx) + abs(height * dy)
        across, down = x * np.float32(dx / length), y * np.float32(dy / length)
        return Along(across + down[:, None] + np.float32(0.5), none, 1 / float(length))
    squares = x**2 + (y**2)[:, None]
    if background.shape == "radial":
        reach = np.hypot(width / 2, height / 2)
        return Along(np.sqrt(squares) / np.float32(reach), none, 1 / float(reach))
    turns = np.arctan2(x, -y[:, None]) * np.float32(1 / math.tau) - np.float32(background.angle / 360)
    spans = np.float32(1 / math.tau) / np.sqrt(np.maximum(squares, np.float32(1e-6)))
    return Along(turns - np.floor(turns), np.minimum(spans, 1), 0.0)


def _mesh(
    rows: U8, background: Background, top: int, height: int, *, grain: float = 0.0, shade: ShadowPart = LIGHT
) -> None:
    """Paint some rows of a mesh, whose spots fade into each other, with noise of the amplitude `grain`, code
    values.

    Each spot is a Gaussian; the weights of all spots are divided by their sum. Spots lie along the line of a
    linear gradient, alternately on either side of it.
    """
    count, width = rows.shape[:2]
    angle = np.radians(background.angle)
    dx, dy = np.sin(angle), -np.cos(angle)
    along = np.array([(stop.at - 0.5) * (abs(dx) + abs(dy)) for stop in background.stops])
    aside = np.array([ASIDE[number % len(ASIDE)] for number in range(len(along))])
    x = (np.arange(width)[:, None] + 0.5) / width - 0.5
    y = (np.arange(top, top + count)[:, None] + 0.5) / height - 0.5
    across = np.exp(-((x - (along * dx - aside * dy)) ** 2) / (2 * SPOT**2)).astype(np.float32)
    down = np.exp(-((y - (along * dy + aside * dx)) ** 2) / (2 * SPOT**2)).astype(np.float32)
    kernel.mesh(rows, across, down, _colors(background), (bank(), top, grain), shade[:])


def _colors(background: Background) -> F32:
    return np.array([stop.color for stop in background.stops], np.float32)
