"""A canvas laid over its backdrop in dithered code values, with the screens' openings in linear light."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import cv2
import numpy as np

from service.arrays import F32, U8, U16
from service.clock import Clock
from service.concurrency.ordered_map import ordered_map
from service.render.body import Body
from service.render.dither import spread3
from service.render.geometry.raster import Box, extent
from service.render.paint.canvas import Canvas
from service.render.tone import decode16, encode, highlights

# Pixels of a body painted at a time: whole frames of floats would take more memory than the plate.
PART = 3 << 18
BAND = 128  # rows laid over the backdrop at a time
FAINT = 16  # of 65535: a gain that changes nothing
MARGIN = 4  # rows around a part that its edges may borrow colour from


@dataclass(frozen=True, slots=True, eq=False)
class Opening:
    """Where a screen is seen: a box of the canvas, the light there without it (h, w, 3), its gain (h, w).

    Both uint16 in linear light, 0-65535.
    """

    box: Box
    base: U16
    gain: U16


def composite(
    body: Body, backdrop: Callable[[], U8], windows: Sequence[Box], clock: Clock
) -> tuple[Opening | None, ...]:
    """Paint the body over the backdrop, in place; returns each screen's opening, None if it is not seen.

    `backdrop` returns (h, w, 4) uint8 sRGB, straight alpha, and is first called once a part is painted;
    `windows` are boxes around the screens, one each, in canvas px.
    """
    openings = [blank(window.clipped(body.box)) for window in windows]
    pieces = parts(body.box)
    canvases: Iterable[Canvas] = (body.paint(grown, clock) for _, grown in pieces)
    if len(pieces) > 1:
        canvases = ordered_map(lambda piece: body.paint(piece[1], clock), pieces, clock, ahead=1)
    for (part, grown), canvas in zip(pieces, canvases, strict=True):
        top, end = part.y - grown.y, part.y + part.height - grown.y
        bands = [canvas.cut(slice(y, min(y + BAND, end))) for y in range(top, end, BAND)]
        # Two at a time, however many processors there are: they take several times a canvas' memory.
        for _ in ordered_map(partial(_lay, backdrop=backdrop(), openings=openings), bands, clock, ahead=1):
            pass
    return tuple(trimmed(opening) for opening in openings)


def blank(window: Box) -> Opening:
    """An opening without any light yet."""
    size = (window.height, window.width)
    return Opening(window, np.zeros((*size, 3), np.uint16), np.zeros(size, np.uint16))


def trimmed(opening: Opening) -> Opening | None:
    """The visible part of an opening, None if there is none."""
    window, base, gain = opening.box, opening.base, opening.gain
    hole = extent(gain > FAINT)
    if not hole.area:
        return None
    at = Box(window.x + hole.x, window.y + hole.y, hole.width, hole.height)
    base, gain = base[hole.slices], gain[hole.slices]
    if 2 * hole.area < window.area:
        base, gain = base.copy(), gain.copy()
    return Opening(at, base, gain)


def parts(box: Box) -> list[tuple[Box, Box]]:
    """Parts of a box from top to bottom, of nearly equal height, each without and with its margins."""
    if not box.area:
        return []
    count = math.ceil(box.area / PART)
    marks = [box.y + box.height * i // count for i in range(count + 1)]
    pieces = [Box(box.x, top, box.width, end - top) for top, end in pairwise(marks)]
    grown = [Box(x, y - MARGIN, width, height + 2 * MARGIN) for x, y, width, height in pieces]
    return [(piece, larger.clipped(box)) for piece, larger in zip(pieces, grown, strict=True)]


def _lay(canvas: Canvas, backdrop: U8, openings: Sequence[Opening]) -> None:
    """Lay some rows of a canvas: colours on the backdrop, light and gain in each screen's opening."""
    under = backdrop[canvas.box.slices]
    code, noise = _over(canvas, under)
    for opening, gain in zip(openings, canvas.gains, strict=True):
        part = canvas.box.clipped(opening.box)
        if not part.area:
            continue
        at, there = part.within(canvas.box), part.within(opening.box)
        # Slightly less noise than half a level each way, so whole numbers survive the trip through 16 bits.
        opening.base[there] = decode16(code[at] + (noise[at] - np.float32(0.5)) * np.float32(0.93))
        opening.gain[there] = np.clip(gain[at] * np.float32(65535) + np.float32(0.5), 0, 65535)
    noise += code
    # Where nothing was painted, the code is the backdrop's whole number, which the noise leaves alone.
    # NumPy takes ten times as long to write three channels of four.
    cv2.mixChannels([noise.astype(np.uint8)], [under], [0, 0, 1, 1, 2, 2])


def _over(canvas: Canvas, under: U8) -> tuple[F32, F32]:
    """The canvas over the backdrop `under` (h, w, 4): fractional code values and noise, both (h, w, 3).

    Sets the alpha of `under`, and scales the canvas' gains by its share of partly covered pixels.
    """
    alpha, light = canvas.alpha, canvas.rgb
    noise = spread3(*canvas.box)
    bare = alpha <= 0
    y, x = np.nonzero((alpha < 1) & ~bare)
    cover = alpha[y, x]
    full = np.maximum(cover, np.float32(1e-4))
    light[y, x] /= full[:, None]
    # A pixel that is part highlight, part gap takes the light of both before highlights are compressed: else
    # a bright rim's share would count for less than it is, and thin dark seams beside it break into dashes.
    code = encode(highlights(light) if canvas.lit else light)
    plain = np.asarray(cv2.cvtColor(under, cv2.COLOR_RGBA2RGB), np.uint8)
    cv2.copyTo(plain.astype(np.float32), bare.view(np.uint8), code)
    below = under[y, x].astype(np.float32)
    opacity = below[:, 3] * np.float32(1 / 255)
    total = cover + opacity * (1 - cover)
    share = np.asarray(cover / np.maximum(total, np.float32(1e-6)), np.float32)
    code[y, x] = below[:, :3] + (code[y, x] - below[:, :3]) * share[:, None]
    # Edges are blended with a backdrop that is dithered already, so round them to the nearest.
    noise[y, x] = np.float32(0.5)
    for gain in canvas.gains:
        gain[y, x] *= share / full
    np.copyto(under[..., 3], 255, where=alpha >= 1)
    under[y, x, 3] = np.round(total * 255)
    return code, noise
