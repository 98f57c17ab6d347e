"""The backdrop of the device: background and shadow, in bands that stay in the cache."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from service.arrays import F32, U8
from service.clock import Clock
from service.render.plates import background, shadow
from service.settings.scene import PlateSpec

BAND = 64  # rows; with dither there are many steps, which should stay in the cache
PLAIN = 1 << 19  # px a band without dither; there are few steps, and each releases the interpreter's lock


def paint(outlines: Iterable[F32], spec: PlateSpec, clock: Clock) -> U8:
    """The backdrop of a plate spec, (height, width, 4) uint8 sRGB, straight alpha; not dithered for `fast`.

    Convex `outlines` (n, 2) in canvas px cast the shadow.
    """
    ground, cast, size = spec.background, spec.shadow, (spec.width, spec.height)
    shade = shadow.cast(outlines, size, cast, spec.fast) if cast and cast.opacity > 0 else None
    color = cast.color[:3] if cast else ()
    canvas = np.empty((spec.height, spec.width, 4), np.uint8)
    count = max(BAND, PLAIN // spec.width) if spec.fast else BAND
    for y in range(0, spec.height, count):
        clock.check()
        rows = slice(y, min(y + count, spec.height))
        dark = None if shade is None else shade.rows(rows)
        if dark is not None and dark.max() <= 1 / 1024:
            dark = None
        if spec.fast:
            canvas[rows] = background.plain(ground, size, rows)
        elif ground.end is not None and ground.solid:
            canvas[rows] = background.dithered(ground, size, rows, dark, color)
            continue
        else:
            canvas[rows] = background.dithered(ground, size, rows)
        if dark is not None and spec.fast and ground.solid:
            shadow.darken(canvas[rows], dark, color)
        elif dark is not None:
            shadow.mix(canvas[rows], y, dark, color)
    return canvas
