"""The light that devices block on a wall behind them, or on a face below them.

The surface is matt, and the environment lights it. Directions are sampled in proportion to their light, and
each casts a hard shadow. The mean of these shadows is sharp where a device touches the surface, and softer
with distance.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np

from ...arrays import F32, F64, I32
from ..light.environment import Environment, lookup
from .grid import FRACTION, Grid, fill
from .plane import Plane

DIRECTIONS = 96  # directions that cast shadows; by cost
CANDIDATES = 4096  # directions from which those are drawn; by cost
LEVEL = 0.12  # roughness level of the environment that gives the light of each candidate; by cost
LOWEST = 0.5  # sine of the elevation below which light casts shadows of no visible length; by eye
BEHIND = 0.12  # share that light from behind a device keeps; by eye
ASIDE = 0.25  # cosine of the angle to a device's front above which light is not weakened; by eye
SHARPEST = 0.02  # softness of the sharpest shadow, in which directions still differ; by eye
# Blur that hides the edges of single directions, and the distance from the foot from which on all of it
# applies, both in heights of the device; by eye.
SMOOTHED = (0.009, 0.06), (0.025, 0.3), (0.06, 0.8)
SOFT = 0.8  # texels of blur that hide the texels themselves; by eye


def blocked(shapes: Sequence[F64], at: Plane, environment: Environment, softness: float, grid: Grid) -> F32:
    """The share (h, w), 0-1, of its light that posed `shapes` block on a plane, see `solids`."""
    total, mask = grid.blank(), np.empty(grid.shape, np.uint8)
    ways = directions(environment, at, DIRECTIONS, softness)
    for way in ways:
        mask[:] = 0
        for points in shapes:
            fill(mask, grid.texels(at.flat(points, way)))
        cv2.accumulate(mask, total)
    total *= np.float32(1 / 255 / len(ways))
    feet = [at.flat(points, at.axes[2]) for points in shapes]
    height = max(float(((points - at.origin) @ at.axes[2]).max()) for points in shapes)
    return _smoothed(total, [grid.texels(foot) for foot in feet], height * float(grid.scale.mean()))


def directions(environment: Environment, at: Plane, count: int, softness: float) -> F64:
    """Unit directions (count, 3) to the light of a ground, each of equal light.

    Their distances from their mean are `softness` times the physical ones.
    """
    up = at.axes[2]
    turn = np.arange(CANDIDATES) * (math.pi * (3 - math.sqrt(5)))
    # Cosine-weighted directions: a sunflower pattern on a disc, lifted to the hemisphere.
    radius = np.sqrt((np.arange(CANDIDATES) + 0.5) / CANDIDATES)
    aside = np.array([1.0, 0.0, 0.0]) if abs(up[0]) < 0.9 else np.array([0.0, 1.0, 0.0])
    across = np.cross(aside, up)
    across /= np.linalg.norm(across)
    disk = np.stack([radius * np.cos(turn), radius * np.sin(turn), np.sqrt(1 - radius**2)], axis=1)
    ways = disk @ np.stack([across, np.cross(up, across), up])
    light = lookup(environment.rough[LEVEL], ways.astype(np.float32)).mean(axis=1).astype(np.float64)
    light *= _before_it(ways, at.front)
    # Sorted so that neighbours have similar directions, equal steps of summed light spread evenly.
    order = np.lexsort((np.floor(4 * turn / math.tau % 4), np.floor(radius * 8)))
    total = np.cumsum(light[order])
    steps = (np.arange(count) + 0.5) / count * total[-1]
    chosen = ways[order[np.searchsorted(total, steps)]]
    mean = chosen.mean(axis=0)
    mean /= np.linalg.norm(mean)
    spread = mean + max(softness, SHARPEST) * (chosen - mean)
    spread /= np.linalg.norm(spread, axis=1, keepdims=True)
    rise = np.maximum(spread @ up, LOWEST)
    level = spread - (spread @ up)[:, None] * up
    level *= np.sqrt((1 - rise * rise) / np.maximum((level * level).sum(axis=1), 1e-12))[:, None]
    return np.asarray(level + rise[:, None] * up, np.float64)


def _before_it(ways: F64, front: F64) -> F64:
    """Factors (n,) for light from directions (n, 3): lower from behind a device, see `front` in `Plane`."""
    strength = float(np.linalg.norm(front))
    if strength < 1e-6:
        return np.ones(len(ways))
    before = np.clip(ways @ front / (strength * ASIDE), 0, 1)
    return np.asarray(1 - strength * (1 - BEHIND) * (1 - before), np.float64)


def _smoothed(total: F32, feet: list[I32], height: float) -> F32:
    """A shadow (h, w) without the edges of single directions, which separate with distance from its feet."""
    mask = np.full(total.shape, 255, np.uint8)
    for foot in feet:
        cv2.fillConvexPoly(mask, cv2.convexHull(foot), 0, shift=FRACTION)
    away = cv2.distanceTransform(mask, cv2.DIST_L2, 3) * np.float32(1 / max(height, 1e-6))
    smooth, last = cv2.GaussianBlur(total, (0, 0), SOFT), 0.0
    for sigma, reach in SMOOTHED:
        share = np.clip((away - last) / (reach - last), 0, 1)
        smooth = smooth + share * (cv2.GaussianBlur(total, (0, 0), sigma * height) - smooth)
        last = reach / 2
    return np.asarray(smooth, np.float32)
