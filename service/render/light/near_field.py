"""Near-field light on rough surfaces: occluders hide a part of the sky and send their own light instead."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from ...arrays import F32
from ..kernels.lobes import gather
from ..kernels.occluders import Rays, interpolate
from ..material import Material
from . import lobes
from .brdf import hemisphere
from .occluder import ANYWHERE, Occluder, hide
from .shading import Light, Points, mirror, specular_share

SKY = 64  # rays that gather the matt light of a point; by cost
WIDE = 4  # mip level of the environment that these rays look up, because each represents a cone; by cost
# Rays are drawn at a few points: at most one in each cell of APART mm and TURNED in the normal. Other points
# interpolate between these with Gaussian weights, whose sigma is SOFT cells; by cost.
APART, TURNED, SOFT = 5.0, 0.6, 0.7
MOST = 12  # largest number of cells along a surface; by cost


def shade(
    paint: tuple[Material, F32],
    points: Points,
    light: Light,
    others: Sequence[Occluder],
    rays: int,
    white: F32,
) -> F32:
    """The radiance (n, 3) of metal or a rough dielectric, with its colour (3,), among occluders, as seen by a
    viewer.

    The light that it mirrors is gathered from `rays` directions at every point; `white` (n, 3) is the
    radiance of a white matt surface there.
    """
    (material, color), mirrored = paint, lobes.seen(paint, points, light, None, rays, others, white)
    if material.metal:
        return mirrored
    left_below = 1 - specular_share(material, mirror(points.normals, points.toward)[0], light)[:, None]
    return np.asarray(mirrored + white * (color * np.float32(material.albedo)) * left_below, np.float32)


def received(points: F32, normals: F32, light: Light, others: Sequence[Occluder]) -> F32:
    """Radiance (n, 3) of a white matt surface at points with unit normals (n, 3), among occluders.

    It is gathered at a few of the points and interpolated between them.
    """
    others = [one for one in others if one.matt]
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
    hidden = np.concatenate(gathered(points[at], normals[at], light, others), axis=1)
    left = interpolate(places, places[few], hidden, SOFT)
    white[near] = white[near] * left[:, :3] + left[:, 3:]
    return white


def gathered(points: F32, normals: F32, light: Light, others: Sequence[Occluder]) -> tuple[F32, F32]:
    """The shares (n, 3) of a white matt surface's light that occluders leave, and the light (n, 3) they send.

    The surface is at points (n, 3) with unit normals (1 or n, 3); a single normal means that it is flat.
    """
    count = len(points)
    rays = np.einsum("kj,nji->ikn", hemisphere(SKY), _axes(normals))
    ways = np.ascontiguousarray(np.broadcast_to(rays, (3, SKY, count)))
    up = np.ascontiguousarray(np.broadcast_to(normals, points.shape))
    cones = Rays(points, ways, np.full(SKY, 2 * SKY**-0.5, np.float32))
    left, sent = np.full((1, SKY, count), 1 / SKY, np.float32), np.zeros((1, 3, count), np.float32)
    ignored = np.zeros_like(sent)
    for lights, some in groupby(others, key=_lights):
        hide(tuple(some), cones, up, ANYWHERE, ((WIDE, slice(0, SKY)),), left, sent if lights else ignored)
    # Shares are per channel, because an occluder may hide a red lamp and not a blue one.
    if len(normals) == 1:
        radiance = light.narrow(WIDE, *rays[..., 0][:, None])[0]
        whole, seen = radiance.mean(axis=0), left[0].T @ radiance
    else:
        sums = np.zeros((2, 3, count), np.float32)
        weights = np.stack([np.full_like(left[0], 1 / SKY), left[0]])
        gather(light.sky(light.environment.mips[WIDE]), ways, weights, 0, SKY, sums)
        whole, seen = sums[0].T, sums[1].T
    share = seen / np.maximum(whole, np.float32(1e-6 / SKY))
    return np.ascontiguousarray(share), np.ascontiguousarray(sent[0].T)


def _lights(one: Occluder) -> bool:
    """Whether an occluder lights a matt surface. Clear glass counts as dark: it sends only the light of lamps
    that it mirrors, which a single direction may miss."""
    return one.field is not None or bool(one.face.material.albedo)


def _chosen(places: F32) -> NDArray[np.intp]:
    """The indices of one of the `places` (n, 6) in each unit cube that contains any."""
    cubes = np.floor(places - places.min(axis=0, initial=0)).astype(np.int64)
    return np.unique(cubes @ (1 << 10 * np.arange(6)), return_index=True)[1]


def _axes(normals: F32) -> F32:
    """Right-angled unit axes (n, 3, 3) whose last rows are the normals (n, 3)."""
    x, y, z = normals.T.astype(np.float64)
    # The cross product with view space's x, or with y where the normal is close to x.
    steep = np.abs(normals[:, 0]) >= np.float32(0.7)
    across = np.where(steep, [z, 0 * z, -x], [0 * z, -z, y])
    across /= np.sqrt((across * across).sum(axis=0))
    a, b, c = across
    along = y * c - z * b, z * a - x * c, x * b - y * a
    return np.array([across, along, (x, y, z)], np.float32).transpose(2, 0, 1)
