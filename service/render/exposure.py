"""A plate exposed to a screenshot, in bands that stay in the processor's cache."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import cv2
import numpy as np

from service.arrays import U8
from service.clock import Clock
from service.models.scene import Effects
from service.render import bloom, effects
from service.render.ahead import ahead
from service.render.plate import Plate, ScreenLayer
from service.render.tone import LINEAR16, SRGB8

# Without effects a band is hardly touched, and each step on its way lets go of the interpreter's lock and has
# to get it back: few bands are best. With effects a band grows sixfold and should stay in the cache.
BAND_BYTES, LENS_BAND_BYTES = 1 << 22, 1 << 19


def bands(plate: Plate, light: U8 | None, wanted: Effects, clock: Clock) -> Iterator[U8]:
    """The picture from top to bottom, (rows, w, 3 or 4) uint8 sRGB; a band may be a view of the plate.

    `light` is the warped screenshot in the screen layer's box, see `shot.expose`; None without one.
    """
    height, width, channels = plate.base.shape
    compose = partial(_compose, plate, light)
    if not (wanted.bloom or wanted.vignette or wanted.grain):
        for rows in _rows(height, width * channels, BAND_BYTES):
            clock.check()
            yield compose(rows)
        return
    size = (width, height)
    parts = _rows(height, width * channels, LENS_BAND_BYTES)
    glow = None
    if wanted.bloom:
        # The glow of any part needs the whole picture first; composing it twice is less than keeping it.
        with clock.stage("bloom"):
            share = bloom.shares(wanted.bloom)
            cells = ahead(lambda rows: bloom.sources(compose(rows), share), parts, clock)
            found = np.concatenate(list(cells))
            lit = bloom.screen(plate.screen, size) if plate.screen else None
            glow = bloom.glow(found, wanted.bloom, size, lit)
    yield from ahead(lambda rows: effects.apply(compose(rows), rows.start, wanted, size, glow), parts, clock)


def _rows(height: int, row_bytes: int, band_bytes: int) -> list[slice]:
    """Bands of a multiple of 8 rows, the last one excepted."""
    count = max(band_bytes // row_bytes, bloom.STEP) // bloom.STEP * bloom.STEP
    return [slice(y, min(y + count, height)) for y in range(0, height, count)]


def _compose(plate: Plate, light: U8 | None, rows: slice) -> U8:
    band = plate.base[rows]
    screen = plate.screen
    if screen is None or light is None:
        return band
    box = screen.box
    top, bottom = max(rows.start, box.y), min(rows.stop, box.y + box.height)
    if top >= bottom:
        return band
    band = band.copy()
    inside = slice(top - box.y, bottom - box.y)
    at = (slice(top - rows.start, bottom - rows.start), slice(box.x, box.x + box.width))
    band[at][..., :3] = through(screen, light, inside)
    return band


def through(screen: ScreenLayer, light: U8, rows: slice) -> U8:
    """base + gain · light in 16-bit linear, as nearest sRGB code values (rows, w, 3)."""
    gain = cv2.cvtColor(screen.gain[rows], cv2.COLOR_GRAY2RGB)
    seen = cv2.multiply(cv2.LUT(light[rows], LINEAR16), gain, scale=1 / 65535)
    return np.asarray(cv2.LUT(cv2.add(seen, screen.base[rows]), SRGB8), np.uint8)
