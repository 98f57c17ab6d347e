"""Screen masks: the lit rectangle less its rounded corners and cut-outs."""

from __future__ import annotations

import numpy as np

from frames.generator.outline import Outline, box
from frames.generator.paint import Canvas
from service.arrays import F64
from service.devices.families.panel import cutout_center, pixel_pitch
from service.devices.families.sheet import ScreenCutout, ScreenPanel


def cutout_distance(panel: ScreenPanel, cutout: ScreenCutout, x: F64, y: F64) -> F64:
    """Signed distance (mm) to the cut-out; a notch hangs from the screen's top edge."""
    pitch = pixel_pitch(panel)[0]
    cx, cy = cutout_center(panel, cutout)
    width, height = cutout.size[0] * pitch, cutout.size[1] * pitch
    radius = cutout.radius * pitch
    if cutout.kind != "notch":
        return box(x - cx, y - cy, width, height, radius)
    # The notch is drawn twice as deep, centred on the screen's edge, so that only its inner corners are
    # round.
    if cutout.side == "right":
        return box(x - panel.size[0] / 2, y - cy, 2 * width, height, radius)
    top = panel.size[1] / 2
    body = box(x - cx, y - top, width, 2 * height, radius)
    ear = cutout.ear * pitch
    if not ear:
        return body
    # The concave ears: a square in each corner between notch and edge, less a circle.
    qx, qy = np.abs(x - cx) - width / 2, top - y
    square = np.maximum(np.maximum(-qx, qx - ear), qy - ear)
    hollow = ear - np.hypot(qx - ear, qy - ear)
    return np.asarray(np.minimum(body, np.maximum(square, hollow)))


def panel_distance(panel: ScreenPanel, x: F64, y: F64) -> F64:
    """Signed distance (mm) to the screen's rounded rectangle."""
    if panel.corners != "all":
        # The rectangle is extended beyond its square end to twice its height, so that only the corners of the
        # other end are round.
        shift = panel.size[1] / 2 if panel.corners == "top" else -panel.size[1] / 2
        size = (panel.size[0], 2 * panel.size[1])
        return box(x, y + shift, *size, panel.radius_px * pixel_pitch(panel)[0])
    if panel.corner is not None:
        shape = Outline(*panel.size, panel.corner.extent, panel.corner.exponent)
        return shape.distance(x, y)
    return box(x, y, *panel.size, panel.radius_px * pixel_pitch(panel)[0])


def mask(panel: ScreenPanel, density: float) -> tuple[Canvas, F64]:
    """The mask: how much of each pixel is lit, 0-1."""
    canvas = Canvas(panel.size, density)
    # Along straight edges, the middles of border pixels lie half a pixel inside, so these pixels are fully
    # lit.
    lit = canvas.coverage(panel_distance(panel, canvas.x, canvas.y))
    if panel.cutout is not None:
        lit = lit * (1 - canvas.coverage(cutout_distance(panel, panel.cutout, canvas.x, canvas.y)))
    return canvas, np.asarray(lit, np.float64)
