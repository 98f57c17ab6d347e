"""Pictures on side walls."""

from __future__ import annotations

import numpy as np
import pytest

from service.arrays import F32
from service.models.devices import catalogue
from service.render.geometry.camera import Camera, rotation
from service.render.geometry.raster import Box
from service.render.light.environment import load
from service.render.light.shading import Light
from service.render.light.tint import Colors
from service.render.paint.body import _decal
from service.render.paint.textures import Files

PHONE = catalogue()["iphone-15-pro-max"]
BODY = PHONE.slabs[0]
BOX = Box(0, 0, 400, 600)


def painted(radiance: float) -> F32:
    """A left wall of one radiance (h, w, 3) with its antenna bands and nothing else."""
    camera = Camera(rotation(0, 60, 0), 3.5, 1500.0, (200.0, 300.0), BOX.width, BOX.height)
    rgb = np.full((BOX.height, BOX.width, 3), radiance, np.float32)
    hit, colors = np.ones(rgb.shape[:2], np.float32), Colors(np.full(3, 0.8, np.float32))
    for decal in BODY.decals:
        if decal.side == "left" and "band" in decal.image:
            light = Light(load("studio"), 1.0)
            _decal(rgb, hit, decal, BODY, Files(PHONE), camera, light, colors, BOX, 3, 0)
    return rgb


@pytest.mark.parametrize(("radiance", "lighter"), [(0.02, True), (0.9, False)])
def test_a_band_is_lighter_than_dark_metal_and_darker_than_bright(radiance: float, lighter: bool) -> None:
    wall = painted(radiance)
    changed = np.abs(wall - radiance).max(axis=2) > 0.01
    assert changed.sum() > 100
    assert ((wall[changed].mean(axis=1) > radiance) == lighter).all()
    assert wall.min() >= 0
