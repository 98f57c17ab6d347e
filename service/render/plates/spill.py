"""The colours that a plate's background spills onto the devices (see `light.spill`)."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ...settings.scene import Background, PlateSpec
from ...srgb import LINEAR
from ..light.spill import Spill
from . import background

SIDE = 16  # side, in pixels, of the painted background to whose colours the spill is fitted; by cost
BACKGROUNDS = 256  # backgrounds whose spill is cached; by cost
# Differences between a colour's strongest and weakest channels, in code values, up to which it counts as
# neutral, and from which it spills fully; by eye.
NEUTRAL, COLORED = 17, 40


def spill(spec: PlateSpec) -> Spill | None:
    """The spill of a plate spec's background; None if the background is neutral or transparent, or if spill
    is switched off."""
    return _spill(spec.background, spec.spill)


@lru_cache(maxsize=BACKGROUNDS)
def _spill(behind: Background, strength: float) -> Spill | None:
    rows = np.empty((SIDE, SIDE, 4), np.uint8)
    background.plain(rows, behind, 0, SIDE)
    pixels = rows.reshape(-1, 4)
    light, solid = LINEAR[pixels[:, :3]].astype(np.float64), pixels[:, 3] / 255
    colored = np.clip((np.ptp(pixels[:, :3], axis=1).astype(float) - NEUTRAL) / (COLORED - NEUTRAL), 0, 1)
    share = strength * float((colored * solid).mean())
    if not share:
        return None
    right, down = np.meshgrid(*[(np.arange(SIDE) + 0.5) / SIDE * 2 - 1] * 2)
    fitted = np.stack([np.ones(SIDE**2), right.ravel(), -down.ravel()], axis=1)
    colors = np.linalg.lstsq(fitted, light, rcond=None)[0]
    # No direction may have a negative colour.
    colors[1:] *= np.minimum(1, colors[0] / np.maximum(np.hypot(colors[1], colors[2]), 1e-6))
    middle, across, upwards = ((red, green, blue) for red, green, blue in colors.tolist())
    return Spill(share, (middle, across, upwards))
