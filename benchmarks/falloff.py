"""The references in the light of near lamps: traced is the environment's alone, which is infinitely far away.

The light that the device sends is brought to grow towards the lamps; that of its screenshot stays.
"""

from __future__ import annotations

import json
import math

import numpy as np

from benchmarks.cases import HEIGHT, SPAN, WIDTH, Case
from benchmarks.glare import screenshot
from service.arrays import F32
from service.shipped import FRAMES

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
    factors = np.exp(x * across - y * up[:, None])
    shine, _ = screenshot(case)
    return np.asarray(shine + (light - shine) * factors[..., None], np.float32)
