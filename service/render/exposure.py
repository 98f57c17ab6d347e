"""A plate exposed to a screenshot, in bands that stay in the processor's cache."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from service.clock import Clock
from service.render import bloom, lens
from service.render.plate import Aperture, Plate
from service.render.tone import LINEAR16, SRGB8
from service.scene import Lens

U8 = NDArray[np.uint8]

BAND_BYTES = 1 << 20


def bands(plate: Plate, light: U8 | None, optics: Lens, clock: Clock) -> Iterator[U8]:
    """The picture from top to bottom, (rows, w, 3 or 4) uint8 sRGB; a band may be a view of the plate.

    `light` is the warped screenshot in the aperture's box, see `shot.expose`; None without an aperture.
    """
    height, width, channels = plate.base.shape
    size = (width, height)
    glow, whole = None, None
    if optics.bloom:
        # The glow of any part needs the whole picture first.
        with clock.stage("bloom"):
            whole = np.concatenate([_compose(plate, light, rows) for rows in _rows(height, width * channels)])
            glow = bloom.glow(whole, optics.bloom)
    chain = lens.steps(optics, size, glow)
    for rows in _rows(height, width * channels):
        clock.check()
        band = _compose(plate, light, rows) if whole is None else whole[rows]
        for step in chain:
            band = step(band, rows.start)
        yield band


def _rows(height: int, row_bytes: int) -> list[slice]:
    count = max(BAND_BYTES // row_bytes, 8)
    return [slice(y, min(y + count, height)) for y in range(0, height, count)]


def _compose(plate: Plate, light: U8 | None, rows: slice) -> U8:
    band = plate.base[rows]
    aperture = plate.aperture
    if aperture is None or light is None:
        return band
    box = aperture.box
    top, bottom = max(rows.start, box.y), min(rows.stop, box.y + box.height)
    if top >= bottom:
        return band
    band = band.copy()
    inside = slice(top - box.y, bottom - box.y)
    at = (slice(top - rows.start, bottom - rows.start), slice(box.x, box.x + box.width))
    band[at][..., :3] = through(aperture, light, inside)
    return band


def through(aperture: Aperture, light: U8, rows: slice) -> U8:
    """base + gain · light in 16-bit linear, as nearest sRGB code values (rows, w, 3)."""
    seen = cv2.multiply(cv2.LUT(light[rows], LINEAR16), aperture.gain[rows], scale=1 / 65535)
    return np.asarray(np.take(SRGB8, np.asarray(cv2.add(seen, aperture.base[rows]))), np.uint8)
