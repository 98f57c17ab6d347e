"""Adds the light of near lamps to references, which are traced with an infinitely distant environment.

The device's light, but not its screenshot's, is scaled to grow towards the lamps. On dark devices seen from
behind, it grows more steeply.
"""

from __future__ import annotations

import json
import math

import numpy as np

from benchmarks.cases import HEIGHT, WIDTH, Case, Figure, View
from benchmarks.glare import screenshot
from service.arrays import F32
from service.shipped import FRAMES
from service.srgb import decode
from service.validation.color import parse

BLACK, DARKEST = (
    2.6,
    0.1,
)  # steepness factor on black, and the luminance from which the factor is 1; linear in between
FARTHEST = 1.5  # radii of the body at which the falloff ends


def near(light: F32, case: Case) -> F32:
    """Premultiplied linear light (h, w, 3) of the whole canvas, brighter towards the environment's lamps."""
    shine, _ = screenshot(case)
    grown = factors(case.figures[0], case.view, case.environment)
    return np.asarray(shine + (light - shine) * grown[..., None], np.float32)


def factors(figure: Figure, view: View, environment: str) -> F32:
    """The factor for a device's light in each pixel (h, w)."""
    facts = json.loads((FRAMES / "environments" / environment / "environment.json").read_text())
    x, y, _ = facts["falloff"]
    # px per mm in the plane through the device's middle, around which the lamps are placed.
    scale = view.scale * view.distance / (view.distance - figure.middle[2])
    radius = scale * math.hypot(*figure.device.body) / 2
    across, up = (
        np.clip((sign * (np.arange(size) + 0.5 - size / 2) - scale * at) / radius, -FARTHEST, FARTHEST)
        for size, sign, at in ((WIDTH, 1, figure.middle[0]), (HEIGHT, -1, figure.middle[1]))
    )
    tint = parse(figure.tint)
    luminance = np.array([0.2126, 0.7152, 0.0722]) @ decode(np.array(tint[:3]) / 255)
    steep = 1 + (np.interp(luminance, (0, DARKEST), (BLACK, 1.0)) - 1) * _behind(figure)
    return np.asarray(np.exp(steep * (x * across + y * up[:, None])), np.float32)


def _behind(figure: Figure) -> float:
    """How far all screens face away from the camera, 0 to 1; 0 for folded devices."""
    model = figure.device
    slabs = [model.slab(screen.slab) for screen in model.screens]
    if any(slab.bend for slab in slabs):
        return 0.0
    normals = np.array([np.cross(slab.x, slab.y) for slab in slabs])
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    return max(float((normals @ -figure.turn[2]).min()), 0.0)
