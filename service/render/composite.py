"""A canvas laid over its backdrop: code values, dithered; the screen's opening in linear light."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from service.arrays import F32, U8, U16
from service.clock import Clock
from service.render.ahead import ahead
from service.render.body import Body
from service.render.canvas import Canvas
from service.render.dither import spread3
from service.render.raster import Box, extent
from service.render.tone import decode16, encode

# Pixels of a body that are painted at a time: whole frames of floats would cost more memory than the plate.
PART = 3 << 18
BAND = 128  # rows laid over the backdrop at a time
FAINT = 16  # of 65535: a gain that changes nothing
MARGIN = 4  # rows around a part from which its edges borrow


@dataclass(frozen=True, slots=True, eq=False)
class Opening:
    """Where the screen is seen: a box of the canvas, what is there without it (h, w, 3) and its gain (h, w).

    Both 16-bit linear light.
    """

    box: Box
    base: U16
    gain: U16


def composite(body: Body, backdrop: Callable[[], U8], window: Box, clock: Clock) -> Opening | None:
    """Paint the body over the backdrop (h, w, 4), in place; returns where the screen is, if it is seen.

    The backdrop is waited for when the first part is painted; `window` is a box of it that holds the screen.
    """
    window = window.clipped(body.box)
    base = np.zeros((window.height, window.width, 3), np.uint16)
    gain = np.zeros((window.height, window.width), np.uint16)
    parts = _parts(body.box)
    canvases: Iterable[Canvas] = (body.paint(grown, clock) for _, grown in parts)
    if len(parts) > 1:
        canvases = ahead(lambda part: body.paint(part[1], clock), parts, clock, most=1)
    for (part, grown), canvas in zip(parts, canvases, strict=True):
        for y in range(part.y, part.y + part.height, BAND):
            clock.check()
            rows = slice(y - grown.y, min(y + BAND, part.y + part.height) - grown.y)
            _lay(canvas.cut(rows), backdrop(), window, base, gain)
    hole = extent(gain > FAINT)
    if not hole.area:
        return None
    at = Box(window.x + hole.x, window.y + hole.y, hole.width, hole.height)
    base, gain = base[hole.slices], gain[hole.slices]
    if 2 * hole.area < window.area:
        base, gain = base.copy(), gain.copy()
    return Opening(at, base, gain)


def _parts(box: Box) -> list[tuple[Box, Box]]:
    """Parts of a box from top to bottom, all but the same height, and the same with their margins."""
    if not box.area:
        return []
    count = math.ceil(box.area / PART)
    marks = [box.y + box.height * i // count for i in range(count + 1)]
    parts = [Box(box.x, top, box.width, end - top) for top, end in pairwise(marks)]
    grown = [Box(x, y - MARGIN, width, height + 2 * MARGIN) for x, y, width, height in parts]
    return [(part, larger.clipped(box)) for part, larger in zip(parts, grown, strict=True)]


def _lay(canvas: Canvas, backdrop: U8, window: Box, base: U16, gain: U16) -> None:
    """Some rows of a canvas: colours to the backdrop, the screen's to `base` and `gain` of the window."""
    under = backdrop[canvas.box.slices]
    code, noise = _over(canvas, under)
    part = canvas.box.clipped(window)
    if part.area:
        at, there = part.within(canvas.box), part.within(window)
        # A little less noise than half a level each way: whole numbers survive the way through 16 bits.
        base[there] = decode16(code[at] + (noise[at] - np.float32(0.5)) * np.float32(0.93))
        gain[there] = np.clip(canvas.gain[at] * np.float32(65535) + np.float32(0.5), 0, 65535)
    noise += code
    # Where nothing was painted the code is the backdrop's own whole number, which the noise leaves alone.
    under[..., :3] = noise.astype(np.uint8)


def _over(canvas: Canvas, under: U8) -> tuple[F32, F32]:
    """The canvas over the backdrop `under` (h, w, 4): fractional code values and noise, both (h, w, 3).

    Sets the alpha of `under`, and scales the canvas's gain to its share of pixels not fully covered.
    """
    alpha, light = canvas.alpha, canvas.rgb
    noise = spread3(*canvas.box)
    bare = alpha <= 0
    y, x = np.nonzero((alpha < 1) & ~bare)
    cover = alpha[y, x]
    full = np.maximum(cover, np.float32(1e-4))
    light[y, x] /= full[:, None]
    code = encode(light)
    cv2.copyTo(under[..., :3].astype(np.float32), bare.view(np.uint8), code)
    below = under[y, x].astype(np.float32)
    opacity = below[:, 3] * np.float32(1 / 255)
    total = cover + opacity * (1 - cover)
    share = np.asarray(cover / np.maximum(total, np.float32(1e-6)), np.float32)
    code[y, x] = below[:, :3] + (code[y, x] - below[:, :3]) * share[:, None]
    # Edges are blended with what was rounded with noise already: round them to the nearest.
    noise[y, x] = np.float32(0.5)
    canvas.gain[y, x] *= share / full
    np.copyto(under[..., 3], 255, where=alpha >= 1)
    under[y, x, 3] = np.round(total * 255)
    return code, noise
