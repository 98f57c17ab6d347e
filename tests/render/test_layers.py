"""Layers on flat metal faces."""

from __future__ import annotations

import numpy as np
import pytest

from service.arrays import F32
from service.clock import Clock
from service.devices.device import Corner, Face, Layer, Slab, catalogue
from service.render.body import Body
from service.render.geometry.camera import Camera
from service.render.geometry.raster import Box
from service.render.geometry.rotation import rotation
from service.render.light.environment import load
from service.render.light.shading import Light
from service.render.light.tint import Colors
from service.render.paint.textures import Memory
from service.render.tone import linear
from tests.render.posing import framed

FACE = Face(surface="aluminium")
BOX = Box(180, 130, 40, 40)
SILVER = linear((216, 200, 160))
PAINT = (40, 90, 130)


def seen(face: Face, color: F32, rx: float, store: Memory) -> F32:
    """The light (3,) in the middle of a face with a linear colour (3,), turned about x."""
    camera = Camera(rotation(rx, 0, 0), 3.0, 1500.0, (200.0, 150.0), 400, 300)
    plate = Slab(
        name="body",
        role="body",
        size=(200.0, 200.0, 0.002),
        corner=Corner(extent=0.0),
        edge=0.001,
        surface=face.surface,
        center=(0.0, 0.0, -0.001),
        front=face,
    )
    device = catalogue()["iphone-16-pro"].model_copy(update={"slabs": (plate,), "screens": ()})
    frame = framed(device, camera, Light(load("city"), 1.0), Colors(color), store)
    canvas = Body(frame).paint(BOX, Clock())
    return np.asarray(canvas.rgb.mean(axis=(0, 1)), np.float32)


def painted(store: Memory, *rgba: int) -> Face:
    """A face completely covered with one paint."""
    name = store.write("paint", np.full((64, 64, 4), rgba, np.uint8))
    return FACE.model_copy(update={"layers": (Layer(image=name, size=(200.0, 200.0)),)})


@pytest.mark.parametrize("rx", [0, -40, -75])
@pytest.mark.parametrize("alpha", [20, 128, 240])
def test_thin_paint_makes_metal_matt_in_the_mixed_colour(rx: float, alpha: int) -> None:
    share, store = alpha / 255, Memory()
    mixed = np.asarray((1 - share) * SILVER + share * linear(PAINT), np.float32)
    matt = seen(painted(store, 255, 255, 255, 255), SILVER, rx, store)
    truth = (1 - share) * seen(FACE, mixed, rx, store) + share * matt * mixed
    np.testing.assert_allclose(seen(painted(store, *PAINT, alpha), SILVER, rx, store), truth, rtol=0.03)


def test_opaque_paint_is_matt() -> None:
    store = Memory()
    white = seen(painted(store, 255, 255, 255, 255), SILVER, -30, store)
    found = seen(painted(store, *PAINT, 255), SILVER, -30, store)
    np.testing.assert_allclose(found, white * linear(PAINT), rtol=0.002)


@pytest.mark.parametrize("alpha", [90, 255])
def test_drawn_occlusion_darkens_layers_only(alpha: int) -> None:
    store = Memory()
    grey = Layer(image=store.write("shade", np.full((64, 64), 102, np.uint8)), size=(200.0, 200.0))
    bare = seen(FACE.model_copy(update={"occlusion": grey}), SILVER, -30, store)
    np.testing.assert_allclose(bare, seen(FACE, SILVER, -30, store), rtol=1e-6)
    face = painted(store, *PAINT, alpha)
    full, dim = (seen(one, SILVER, -30, store) for one in (face, face.model_copy(update={"occlusion": grey})))
    np.testing.assert_allclose(dim, 0.4 * full, rtol=0.005)


def test_metal_keeps_its_light_in_pixels_at_the_edge_of_a_well() -> None:
    store, pixels = Memory(), np.zeros((512, 512, 4), np.uint8)
    # The stripes are thinner than a pixel of the picture.
    pixels[::2] = (0, 0, 0, 255)
    well = Layer(image=store.write("stripes", pixels), size=(60.0, 60.0))
    grey = Layer(image=store.write("shade", np.full((64, 64), 102, np.uint8)), size=(200.0, 200.0))
    shaded = FACE.model_copy(update={"layers": (well,), "occlusion": grey})
    expected = seen(FACE, SILVER, -30, store) / 2
    np.testing.assert_allclose(seen(shaded, SILVER, -30, store), expected, rtol=0.02)
