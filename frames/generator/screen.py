"""Screen masks: the lit rectangle less its rounded corners and cut-outs."""

from __future__ import annotations

import numpy as np

from frames.generator.outline import Outline, box
from frames.generator.paint import Canvas, Folder
from frames.generator.sheet import Cutout, Panel
from service.arrays import F64
from service.models.devices import Screen

DENSITY = 16.0


def pixel_pitch(panel: Panel) -> tuple[float, float]:
    """Millimetres per screen pixel, across and up."""
    return panel.size[0] / panel.px[0], panel.size[1] / panel.px[1]


def cutout_center(panel: Panel, cutout: Cutout) -> tuple[float, float]:
    """A cut-out's middle in mm from the screen's middle, y up."""
    across, up = pixel_pitch(panel)
    return cutout.center[0] * across - panel.size[0] / 2, panel.size[1] / 2 - cutout.center[1] * up


def cutout_distance(panel: Panel, cutout: Cutout, x: F64, y: F64) -> F64:
    """Signed distance (mm) to the cut-out; a notch hangs from the screen's top edge."""
    pitch = pixel_pitch(panel)[0]
    cx, cy = cutout_center(panel, cutout)
    width, height = cutout.size[0] * pitch, cutout.size[1] * pitch
    radius = cutout.radius * pitch
    if cutout.kind != "notch":
        return box(x - cx, y - cy, width, height, radius)
    # Twice as tall about the screen's edge, so that only the lower corners are round.
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


def panel_distance(panel: Panel, x: F64, y: F64) -> F64:
    """Signed distance (mm) to the screen's rounded rectangle."""
    if panel.corners != "all":
        # As tall again beyond the square end, so that only the other end's corners are round.
        shift = panel.size[1] / 2 if panel.corners == "top" else -panel.size[1] / 2
        size = (panel.size[0], 2 * panel.size[1])
        return box(x, y + shift, *size, panel.radius_px * pixel_pitch(panel)[0])
    if panel.corner is not None:
        shape = Outline(*panel.size, panel.corner.extent, panel.corner.exponent)
        return shape.distance(x, y)
    return box(x, y, *panel.size, panel.radius_px * pixel_pitch(panel)[0])


def screen(
    folder: Folder,
    panel: Panel,
    slab: str,
    center: tuple[float, float] = (0.0, 0.0),
    density: float = DENSITY,
) -> Screen:
    """Draw the mask and describe the screen, its middle at `center` on the front face of `slab`."""
    canvas = Canvas(panel.size, density)
    # Along the straight edges the border pixels lie half a pixel inside and so come out full.
    lit = canvas.coverage(panel_distance(panel, canvas.x, canvas.y))
    if panel.cutout is not None:
        lit = lit * (1 - canvas.coverage(cutout_distance(panel, panel.cutout, canvas.x, canvas.y)))
    folder.grey("screen.png", canvas, lit)
    return Screen(slab=slab, px=panel.px, center=center, size=panel.size, mask="screen.png")
