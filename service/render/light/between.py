"""Near-field light on rough surfaces: occluders hide a part of the sky and send their own light instead."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...arrays import F32
from ..kernels.lobes import gather
from ..kernels.occluders import Rays, interpolate
from ..material import Material
from . import lobes
from .brdf import hemisphere
from .occluder import ANYWHERE, Occluder
from .shading import Light, Points, mirror, specular_share

SKY = 32  # rays of a matt surface; by cost
LEVEL = 0.30  # roughness level of the environment that a ray looks up, because it represents a cone; by cost
# Rays are drawn at a few points: at most one in each cell of APART mm and TURNED in the normal. Other points
# interpolate between these with Gaussian weights, whose sigma is SOFT cells; by cost.
APART, TURNED, SOFT = 5.0, 0.6, 0.7
MOST = 12  # cells along a surface, however large it is; by cost


def shade(
    paint: tuple[Material, F32], points: Points, light: Light, others: Sequence[Occluder], rays: int
) -> F32:
    """Radiance (n, 3) that a viewer sees of a rough dielectric in its colour (3,), among occluders.

    Its gloss is gathered from `rays` directions at every point, its matt light at a few of the points.
    """
    material, color = paint
    assert points.places is not None
    gloss = lobes.seen(paint, points, light, rays=rays, others=others)
    left_below = 1 - specular_share(material, mirror(points.normals, points.toward)[0], light)[:, None]
    matt = received(points.places, points.normals, light, others) * (color * np.float32(material.albedo))
    return np.asarray(gloss + matt * left_below, np.float32)


def received(points: F32, normals: F32, light: Light, others: Sequence[Occluder]) -> F32:
    """Radiance (n, 3) of a white matt surface at points of unit normals (n, 3), among occluders."""
    white = light.diffuse(normals)
    above = np.zeros(len(points), bool)
    for one in others:
        one.above(points, normals, above)
    near = np.flatnonzero(above)
    if not len(near):
        return white
    apart = max(APART, float(np.ptp(points[near], axis=0).max()) / MOST)
    places = np.concatenate([points[near] / np.float32(apart), normals[near] / np.float32(TURNED)], axis=1)
    few = _chosen(places)
    at = near[few]
    ways = np.einsum("kj,nji->ikn", hemisphere(SKY), _axes(normals[at]))
    hidden = _hidden(points[at], normals[at], light, others, ways)
    left = interpolate(places, places[few], hidden, SOFT)
    white[near] = white[near] * left[:, :3] + left[:, 3:]
    return white


def _chosen(places: F32) -> NDArray[np.intp]:
    """One of the `places` (n, 6) from each unit cube that contains any."""
    cubes = np.floor(places - places.min(axis=0, initial=0)).astype(np.int64)
    return np.unique(cubes @ (1 << 10 * np.arange(6)), return_index=True)[1]


def _hidden(points: F32, normals: F32, light: Light, others: Sequence[Occluder], ways: F32) -> F32:
    """The shares (n, 3) of the sky's light that occluders let through, and the light (n, 3) that they emit.

    Rays run from the points in directions `ways` (3, k, n).
    """
    count, rays = len(points), ways.shape[1]
    ways, weights = np.ascontiguousarray(ways), np.full((2, rays, count), 1 / SKY, np.float32)
    cones = Rays(points, ways, np.full(rays, 2 * SKY**-0.5, np.float32))
    left, sent = weights[1:], np.zeros((1, 3, count), np.float32)
    for one in others:
        at = one.before(cones, normals, ANYWHERE)
        if len(at):
            one.hide(cones, at, left[0], left, sent)
    seen = np.zeros((2, 3, count), np.float32)
    square = light.environment.rough[LEVEL]
    gather(light.sky(square), ways, weights, 0, rays, seen)
    # Shares are per channel, because an occluder may hide a red lamp and not a blue one.
    share = seen[1] / np.maximum(seen[0], np.float32(1e-6 / SKY))
    return np.ascontiguousarray(np.concatenate([share, sent[0]]).T)


def _axes(normals: F32) -> F32:
    """Right-angled unit axes (n, 3, 3) whose last rows are the normals (n, 3)."""
    x, y, z = normals.T.astype(np.float64)
    # The cross product with the device's x, or with y where the normal is close to x.
    steep = np.abs(normals[:, 0]) >= np.float32(0.7)
    across = np.where(steep, [z, 0 * z, -x], [0 * z, -z, y])
    across /= np.sqrt((across * across).sum(axis=0))
    a, b, c = across
    along = y * c - z * b, z * a - x * c, x * b - y * a
    return np.array([across, along, (x, y, z)], np.float32).transpose(2, 0, 1)
