"""The references in the light of near lamps: traced is the environment's alone, which is infinitely far away.

The light that the device sends is brought to grow towards the lamps; that of its screenshot stays. On dark
devices that are seen from behind, it grows more steeply.
"""

from __future__ import annotations

import json
import math

import numpy as np

from benchmarks.cases import HEIGHT, SPAN, WIDTH, Case
from benchmarks.glare import screenshot
from service.arrays import F32
from service.render.geometry.rotation import rotation
from service.shipped import FRAMES
from service.srgb import decode
from service.validation.color import parse

BLACK, DARKEST = (
    2.6,
    0.1,
)  # times as steeply on black, and the luminance from which on it is not; between, linear
FARTHEST = 1.5  # radii of the body at which the falloff ends


def near(light: F32, case: Case) -> F32:
    """Premultiplied linear light (h, w, 3) of the whole canvas, brighter towards the environment's lamps."""
    facts = json.loads((FRAMES / "environments" / case.environment / "environment.json").read_text())
    x, y, _ = facts["falloff"]
    if not (x or y):
        return light
    width, height, _ = case.model.body
    radius = min(SPAN * HEIGHT / height, SPAN * WIDTH / width) * math.hypot(*case.model.body) / 2
    across, up = (
        np.clip((np.arange(size) + 0.5 - size / 2) / radius, -FARTHEST, FARTHEST) for size in (WIDTH, HEIGHT)
    )
    tint = parse(case.tint)
    luminance = np.array([0.2126, 0.7152, 0.0722]) @ decode(np.array(tint[:3]) / 255)
    steep = 1 + (np.interp(luminance, (0, DARKEST), (BLACK, 1.0)) - 1) * _behind(case)
    factors = np.exp(steep * (x * across - y * up[:, None]))
    shine, _ = screenshot(case)
    return np.asarray(shine + (light - shine) * factors[..., None], np.float32)


def _behind(case: Case) -> float:
    """How far all screens face away from the camera, 0 to 1; 0 for folded ones."""
    model = case.model
    slabs = [model.slab(screen.slab) for screen in model.screens]
    if any(slab.bend for slab in slabs):
        return 0.0
    normals = np.array([np.cross(slab.x, slab.y) for slab in slabs])
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    return max(float((normals @ -rotation(*case.angles)[2]).min()), 0.0)
