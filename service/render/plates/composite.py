"""Composites a canvas over its backdrop in dithered code values, and screens' openings in linear light."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Protocol

import numpy as np

from ...arrays import U8, U16
from ...clock import Clock
from ...concurrency.ordered_map import ordered_map
from ..dither import offsets
from ..geometry.raster import Box, extent
from ..paint.canvas import Canvas
from ..tone import CURVE

# Pixels of a body painted at a time: a whole canvas of floats would take more memory than the plate.
PART = 3 << 18
BAND = 128  # rows laid over the backdrop at a time
FAINT = 16  # lowest gain, of 65535, that makes a difference
MARGIN = 5  # rows around a part, from which pixels at its edges may take their colour


@dataclass(frozen=True, slots=True, eq=False)
class Opening:
    """The opening of a screen: a box of the canvas, the light (h, w, 3) without the screen, and the screen's
    gain (h, w).

    Both uint16 in linear light, 0-65535.
    """

    box: Box
    base: U16
    gain: U16


class Painter(Protocol):
    """Paints a body, or several bodies."""

    @property
    def box(self) -> Box:
        """The box of the canvas in which the body is visible."""
        ...

    def paint(self, box: Box, clock: Clock) -> Canvas:
        """Paint the body on a canvas that covers the `box`."""
        ...


def composite(
    body: Painter, backdrop: Callable[[], U8], windows: Sequence[Box], clock: Clock
) -> tuple[Opening | None, ...]:
    """Paint the body over the backdrop, in place; returns each screen's opening, None if it is not visible.

    `backdrop` returns (h, w, 4) uint8 sRGB, straight alpha, and is not called before a part has been painted;
    `windows` has a box around each screen, canvas px.
    """
    openings = [blank(window.clipped(body.box)) for window in windows]
    pieces = parts(body.box)
    canvases: Iterable[Canvas] = (body.paint(grown, clock) for _, grown in pieces)
    if len(pieces) > 1:
        canvases = ordered_map(lambda piece: body.paint(piece[1], clock), pieces, clock, ahead=1)
    for (part, grown), canvas in zip(pieces, canvases, strict=True):
        top, end = part.y - grown.y, part.y + part.height - grown.y
        bands = [canvas.cut(slice(y, min(y + BAND, end))) for y in range(top, end, BAND)]
        for _ in ordered_map(partial(_lay, backdrop=backdrop(), openings=openings), bands, clock):
            pass
    return tuple(trimmed(opening) for opening in openings)


def blank(window: Box) -> Opening:
    """An opening without any light yet."""
    size = (window.height, window.width)
    return Opening(window, np.zeros((*size, 3), np.uint16), np.zeros(size, np.uint16))


def trimmed(opening: Opening) -> Opening | None:
    """The visible part of an opening; None if there is none."""
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
    """Composite rows of a canvas: colours over the backdrop, light and gain into each screen's opening."""
    x, y, *_ = canvas.box
    paint = canvas.rgb, canvas.alpha, canvas.lit, x, y, backdrop, offsets()
    CURVE.lay(
        paint,
        tuple(
            (gain, opening.box.x, opening.box.y, opening.base, opening.gain)
            for opening, gain in zip(openings, canvas.gains, strict=True)
        ),
    )
