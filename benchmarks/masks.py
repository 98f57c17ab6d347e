"""The shapes of screens as pictures: where the screenshot shows."""

from __future__ import annotations

import cv2
import numpy as np

from benchmarks.solid import outline
from service.arrays import F64, U8
from service.devices.device import Corner, Device, Screen
from service.render.paint.textures import TextureFiles

DENSITY = 8.0  # px per mm
FINE = 8  # factor by which the mask is drawn larger
EIGHTH = 3  # fractional bits of OpenCV's coordinates


def mask(device: Device, screen: Screen) -> U8:
    """The mask, grey (h, w), row 0 at the top, of exactly the screen's rectangle: its file, if any."""
    if screen.mask:
        return TextureFiles(device).read(screen.mask)
    if any(cutout.ear for cutout in screen.cutouts):
        raise ValueError(f"{device.id}: a screen with a notch needs a mask file")
    width, height = (round(side * DENSITY) for side in screen.size)
    drawn = np.zeros((height * FINE, width * FINE), np.uint8)
    _fill(drawn, screen, _shape(screen), 255)
    for cutout in screen.cutouts:
        ring = outline(*cutout.size, Corner(extent=cutout.radius))[0] + cutout.center
        _fill(drawn, screen, ring, 0)
    return np.asarray(cv2.resize(drawn, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def _shape(screen: Screen) -> F64:
    """The rectangle with its rounded corners, points (n, 2) in mm from its middle."""
    width, height = screen.size
    # The rectangle is extended beyond its square end to twice its length, so that only the corners of the
    # other end are round.
    x, y = {"all": (0, 0), "top": (0, -1), "bottom": (0, 1), "left": (1, 0), "right": (-1, 0)}[screen.corners]
    ring = outline(width * (1 + abs(x)), height * (1 + abs(y)), screen.corner)[0]
    return np.asarray(ring + np.array([x * width / 2, y * height / 2]), np.float64)


def _fill(drawn: U8, screen: Screen, points: F64, value: int) -> None:
    size = np.array(drawn.shape[::-1])
    places = (points * (1, -1) / screen.size + 0.5) * size - 0.5
    cv2.fillPoly(drawn, [np.rint(places * 2**EIGHTH).astype(np.int32)], value, shift=EIGHTH)
