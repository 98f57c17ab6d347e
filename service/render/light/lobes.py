"""The light in a lobe of rough metal or gloss, gathered along directions drawn from the lobe.

This is filtered importance sampling (Krivanek and Colbert, "Real-time Shading with Filtered Importance
Sampling", 2008): each direction stands for a cone, which looks up the environment at a mip level with texels
of about its width.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from ...arrays import F32
from ..kernels import lobes as kernel
from ..kernels.occluders import Rays
from ..material import Material
from .brdf import Parts, multiscatter_gain, parts, split_sum
from .occluder import NONE, Occluder, Runs, hide
from .shading import Ground, Light, Points, irradiance, mirror

FEW = 24  # directions in a lobe of polished metal; by cost
NARROW = 0.12  # roughness up to which FEW directions are enough on any surface; by cost
FINE = 2.0  # texels across a cone, to match the blur of a bilinear lookup; Krivanek and Colbert (2008)
# Sine and cosine of the angle from a lobe's middle beyond which hardly any of its light lies; by cost.
WIDE = math.sin(0.8), math.cos(0.8)
LEAST = np.float32(1e-3)  # share of a lobe below which the ground in it is ignored; by cost
# Numbers of directions gathered at a time, which stay in the processor's cache: usually, and if every part is
# tested against several occluders; by cost.
AT_ONCE, AT_ONCE_NEAR = 1 << 15, 1 << 18


def seen(
    paint: tuple[Material, F32],
    points: Points,
    light: Light,
    ground: Ground | None = None,
    rays: int = FEW,
    others: Sequence[Occluder] = (),
    white: F32 | None = None,
) -> F32:
    """Radiance (n, 3) of metal, or the mirrored part of the radiance of a rough dielectric.

    `paint` is a material and its linear colour (3,). A raised part mirrors its `ground` where the ground
    hides the sky. `others` are occluders, nearest first, which hide parts of the lobe; if there are any,
    `white` (n, 3) is the radiance of a white matt surface at the points. The lobe has `rays` directions, FEW
    on polished metal.
    """
    (material, color), normals = paint, points.normals
    if not material.metal and not material.specular:
        return np.zeros(normals.shape, np.float32)
    # At a low strength, a dielectric mirrors dimmer light, as glass does, and metal mirrors an even light
    # instead.
    strength, light = (1.0, light) if material.metal else (light.strength, replace(light, strength=1.0))
    rays = FEW if material.roughness <= NARROW else rays
    lobe = parts(material.roughness, material.anisotropy, rays)
    radiance = np.empty(normals.shape, np.float32)
    step = (AT_ONCE_NEAR if others else AT_ONCE) // rays
    for start in range(0, len(normals), step):
        at = slice(start, start + step)
        below = ground.at(at) if ground is not None else None
        radiance[at] = _gathered(paint, lobe, points.at(at), light, below, others)
    if not material.metal:
        return radiance * np.float32(strength)
    cosine = np.maximum(np.einsum("ij,ij->i", normals, points.toward), np.float32(1e-3))
    a, b = split_sum(cosine, material.roughness)
    radiance *= multiscatter_gain(a + b, color)
    if not material.diffuse:
        return radiance
    # Use the unoccluded irradiance even close to a face: the excess stands for light that bounces between
    # face and metal.
    bare = ground if ground is None or ground.slope is not None else replace(ground, over=None)
    matt = irradiance(light, normals, bare) if white is None else white
    matt = matt * (color * np.float32(material.diffuse))
    return np.asarray(radiance * np.float32(1 - material.diffuse) + matt, np.float32)


def colored(material: Material, color: F32, cosine: F32) -> F32:
    """The shares (n, 3) of a metal's light, in even light, that have the metal's `color` (3,), at cosines
    (n,).

    The rest is white: the light that Fresnel's law adds at grazing angles.
    """
    a, b = (part[:, None] for part in split_sum(cosine, material.roughness))
    gain = multiscatter_gain((a + b)[:, 0], color) * np.float32(1 - material.diffuse)
    own = (gain * a + np.float32(material.diffuse)) * color
    return np.asarray(own / np.maximum(own + gain * b, np.float32(1e-6)), np.float32)


def runs(lobe: Parts, light: Light) -> Runs:
    """Runs of a lobe's parts that look up the same mip level of the environment, and the level of each
    run."""
    return _runs(lobe, light.environment.side, len(light.environment.mips) - 1)


@cache
def _runs(lobe: Parts, side: int, most: int) -> Runs:
    level = np.rint(np.log2(side * lobe.cone / (2 * FINE)))
    mip_runs, start = [], 0
    for mip, run in groupby(np.clip(level, 0, most).astype(int).tolist()):
        count = len(list(run))
        mip_runs.append((mip, slice(start, start + count)))
        start += count
    return tuple(mip_runs)


def _gathered(
    paint: tuple[Material, F32],
    lobe: Parts,
    points: Points,
    light: Light,
    ground: Ground | None,
    others: Sequence[Occluder],
) -> F32:
    """Singly scattered radiance (n, 3), summed over the parts of the lobe."""
    (material, color), normals, along, toward = paint, points.normals, points.along, points.toward
    count, rays = len(normals), len(lobe.half)
    # There is one array for each coordinate, (parts, points), because NumPy is slow where the last axis is
    # short.
    leaving = np.empty((3, rays, count), np.float32)
    weights = np.empty((2 if material.metal else 1, rays, count), np.float32)
    specular = 0.0 if material.metal else material.specular
    across, grain = lobe.alpha
    normals, along, toward = (np.ascontiguousarray(ways, np.float32) for ways in (normals, along, toward))
    kernel.weigh((lobe.half, lobe.share, across, grain), specular, (normals, along, toward), leaving, weights)
    sums, levels = np.zeros((len(weights), 3, count), np.float32), runs(lobe, light)
    if ground is not None:
        sums += _bounced(leaving, lobe, weights, normals, ground)
    if others:
        assert points.places is not None
        # A lobe's first part is its middle.
        hide(others, Rays(points.places, leaving, lobe.cone), normals, WIDE, levels, weights, sums)
    for level, run in levels:
        square = light.environment.mips[level]
        kernel.gather(light.sky(square), leaving, weights, run.start, run.stop, sums)
    if not material.metal:
        return np.asarray(sums[0].T, np.float32)
    mirrored, grazing = sums
    return np.asarray(mirrored.T * color + grazing.T * (1 - color), np.float32)


def near(points: F32, normals: F32, toward: F32, others: Sequence[Occluder]) -> NDArray[np.bool_]:
    """Which points (n, 3) with unit normals (n, 3) mirror any occluder `toward` the camera (n, 3); (n,)
    bool."""
    mirrors, mirrored = np.zeros(len(points), bool), mirror(normals, toward)[1]
    middles = Rays(points, np.ascontiguousarray(mirrored.T[:, None]), np.zeros(1, np.float32))
    for one in others:
        mirrors[one.before(middles, normals, WIDE)] = True
    return mirrors


def _bounced(leaving: F32, lobe: Parts, weights: F32, normals: F32, ground: Ground) -> F32:
    """The light (w, 3, n) of a raised part's ground in cones; the shares that the ground fills are subtracted
    from `weights` (w, k, n)."""
    middle, filled = (
        np.empty((len(normals), 4), np.float32),
        np.empty((len(weights), len(normals)), np.float32),
    )
    edge = (NONE, NONE.ravel()) if ground.slope is None else (ground.out(normals), ground.slope)
    up = np.ascontiguousarray(np.atleast_2d(ground.normal))
    kernel.bounce(leaving, lobe.cone, (up, *edge), weights, middle, filled)
    radiance = np.zeros((len(normals), 3), np.float32)
    at = np.flatnonzero(middle[:, 3] > LEAST)
    if len(at):
        way = middle[at, :3]
        way /= np.maximum(np.linalg.norm(way, axis=1, keepdims=True), np.float32(1e-6))
        radiance[at] = ground.at(at).sent(way)
    return np.asarray(radiance.T * filled[:, None], np.float32)
