"""The backdrop of the device: background and shadow, painted in bands that fit the CPU cache."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...arrays import U8
from ...clock import Clock
from ...settings.scene import PlateSpec
from ..dither import offsets
from ..geometry.raster import Box
from ..kernels.backdrop import darken, mix
from . import background, shadow
from .shade import Shade

BAND = 64  # rows that are painted at a time


def nowhere() -> Box:
    """An empty box: the hidden part of a backdrop that nothing hides."""
    return Box(0, 0, 0, 0)


def paint(
    cast: Callable[[], Shade], spec: PlateSpec, clock: Clock, hidden: Callable[[], Box] = nowhere
) -> U8:
    """The backdrop of a plate spec, (height, width, 4) uint8 sRGB, straight alpha; not dithered for `fast`.

    The `cast` shadow is mixed in code values, as in browsers and editors. The result may lack the shadow in
    the `hidden` box.
    """
    ground, whole = spec.background, Box(0, 0, spec.width, spec.height)
    shade, gone = cast(), hidden()
    # An opaque gradient mixes in its shadow before rounding, so that both are rounded together.
    once = ground.solid and not ground.flat and not spec.fast
    canvas = np.empty((spec.height, spec.width, 4), np.uint8)
    for y in range(0, spec.height, BAND):
        clock.check()
        band = Box(0, y, spec.width, BAND).clipped(whole)
        rows = canvas[band.slices]
        if spec.fast:
            background.plain(rows, ground, y, spec.height)
        else:
            background.dithered(rows, ground, y, spec.height, shade.part(band) if once else shadow.LIGHT)
        for piece in () if once else _beside(band, gone):
            part = shade.part(piece)
            part = part._replace(left=part.left + piece.x)
            if part.alpha.size and spec.fast and ground.solid:
                darken(rows, part[:])
            elif part.alpha.size:
                mix(rows, part[:], offsets(), y, shadow.FAINT)
    return canvas


def _beside(band: Box, gone: Box) -> list[Box]:
    """The pieces of a band to the left and right of a box that covers all rows of the band; otherwise, the
    whole band."""
    right = gone.x + gone.width
    if not gone.width or band.y < gone.y or band.y + band.height > gone.y + gone.height:
        return [band]
    return [band._replace(width=gone.x), band._replace(x=right, width=band.width - right)]
