"""Gloss over the layers of rough faces among occluders."""

from __future__ import annotations

import numpy as np

from service.clock import Clock
from service.devices.device import catalogue
from service.render.geometry.mesh import mesh
from service.render.geometry.raster import Box
from service.render.light.environment import load
from service.render.light.shading import Light
from service.render.light.tint import Colors
from service.render.passes import faces
from service.render.passes.target import Surface, Target
from tests.render.posing import framed, posed

LAPTOP = catalogue()["thinkpad-x1-carbon"]


def deck(color: float) -> Surface:
    """The front of a plastic deck below its lid, before its keys are painted."""
    camera, light = posed(35, 0, 1.5), Light(load("studio"), 1.0)
    frame = framed(LAPTOP, camera, light, Colors(np.full(3, color, np.float32)))
    slab, box = LAPTOP.slab("deck"), Box(0, 0, camera.width, camera.height)
    target = Target(mesh(slab), 0, box, np.full((box.height, box.width), 255, np.uint8), Clock())
    faces.paint(frame, slab, target)
    return target.surfaces[0]


def test_the_gloss_on_keys_is_hidden_by_the_lid_like_the_gloss_of_the_deck() -> None:
    surface = deck(0.001)
    assert surface.gathered is not None
    assert surface.varnish is not None
    gloss, below = surface.varnish
    # On a nearly black deck, all light is gloss.
    assert np.abs(gloss - surface.mirrored).max() < 0.01
    assert 0 < below.min() < below.max() < 1


def test_paint_is_no_gloss() -> None:
    dark, light = deck(0.001), deck(0.6)
    assert dark.varnish is not None
    assert light.varnish is not None
    assert light.mirrored.mean() > dark.mirrored.mean() + 0.1
    assert abs(light.varnish[0].mean() - dark.varnish[0].mean()) < 0.03
    assert (light.varnish[0] >= 0).all()
