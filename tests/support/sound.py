"""Invariants that every device must meet, however it was described."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from service.clock import Clock
from service.devices.device import Device, Screen, Slab
from service.render.geometry.coverage import fill
from service.render.geometry.raster import Box
from service.render.geometry.silhouette import outlines
from service.render.paint.screens import view
from service.render.plates import plate
from service.settings.scene import PlateSpec


def rounded(size: tuple[float, float], corner: Any, steps: int = 400) -> Any:
    """The points (n, 2) of a rectangle with superelliptic corners, computed from the formula alone."""
    width, height = size[0] / 2 - corner.offset, size[1] / 2 - corner.offset
    extent, n = min(corner.extent, width, height), corner.exponent
    turn = np.linspace(0, np.pi / 2, steps)
    c, s = np.maximum(np.cos(turn), 0), np.maximum(np.sin(turn), 0)
    normal = np.column_stack([c ** (2 - 2 / n), s ** (2 - 2 / n)])
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    quarter = np.column_stack(
        [width - extent + extent * c ** (2 / n), height - extent + extent * s ** (2 / n)]
    )
    quarter += corner.offset * normal
    signs = ((1, 1, 1), (-1, 1, -1), (-1, -1, 1), (1, -1, -1))
    return np.concatenate([(quarter * [x, y])[::step] for x, y, step in signs])


def hold_together(device: Device) -> None:
    """Check that screens lie on the glass, that parts lie on their parents, and that all pictures exist."""
    names = {slab.name for slab in device.slabs}
    assert len(names) == len(device.slabs)
    assert all(slab.parent in {None, *names} for slab in device.slabs)
    assert all(slab.edge <= slab.size[2] / 2 for slab in device.slabs)
    assert all(device.file(name).is_file() for name in device.textures)
    assert all(name.startswith("parts/") for name in device.textures)
    assert device.id == "custom"
    screen = device.screen
    slab = device.slab(screen.slab)
    on_the_glass(screen, slab)
    for cutout in screen.cutouts:
        assert 0 < cutout.size[0] < screen.size[0]
        # Both values are rounded to 0.1 µm, which matters if a cut-out is as small as a pixel.
        assert cutout.radius <= min(cutout.size) / 2 + 1e-4


def on_the_glass(screen: Screen, slab: Slab) -> None:
    body = rounded((slab.size[0], slab.size[1]), slab.corner).astype(np.float32)
    edge = rounded(screen.size, screen.corner) + screen.center
    inside = [cv2.pointPolygonTest(body[:, None], (float(x), float(y)), True) for x, y in edge]
    assert min(inside) >= slab.front.inset - 0.02


def whole(of: PlateSpec) -> plate.Plate:
    """The plate for a plate spec, after checking that it is opaque inside the outline and empty outside."""
    made = plate.build(of, Clock())
    without_holes(of, made)
    return made


def without_holes(of: PlateSpec, made: plate.Plate) -> None:
    """Check that the plate is opaque inside the device's outline and empty outside."""
    cover = fill(outlines(of.device, view(of).stage.camera), Box(0, 0, of.width, of.height))
    alpha = made.base[..., 3]
    assert (alpha[cover >= 1] == 255).all()
    assert (alpha[cover == 0] == 0).all()
