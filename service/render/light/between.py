"""Rough surfaces between others: what those hide of the sky, and what they send instead."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from service.arrays import F32
from service.render.geometry.distinct import distinct, first
from service.render.light.brdf import parts, spread, steep, visible
from service.render.light.neighbour import Neighbour
from service.render.light.shading import Light, fresnel, mirror
from service.render.material import Material

SKY = 32  # rays of a matt surface
RAYS = 24  # of a lobe
LEVEL = 0.30  # of the environment that they look up: each stands for a cone
APART, TURNED, SOFT = 5.0, 0.6, 0.7  # mm and turn between points where rays are drawn; how far they reach


def shade(
    material: Material,
    color: F32,
    points: F32,
    normals: F32,
    toward: F32,
    light: Light,
    others: Sequence[Neighbour],
) -> F32:
    """Radiance (n, 3) of a rough surface without metal, of linear colour (3,), as the camera sees it.

    Its `points`, unit `normals` and directions `toward` the camera (n, 3) are in view space; `others` stand
    around it. Rays are drawn at a few of the points.
    """
    cosine, mirrored = mirror(normals, toward)
    share = fresnel(material, cosine)[:, None]
    found = light.glare(mirrored, material.level) * share
    kept = 1 - share * np.float32(min(light.strength, 1.0))
    white = light.diffuse(normals)
    near = distinct(np.concatenate([one.above(points, normals) for one in others]))
    places = np.concatenate([points[near] / np.float32(APART), normals[near] / np.float32(TURNED)], axis=1)
    few, weights = _chosen(places)
    at = near[few]
    axes = _axes(normals[at])
    seen = partial(_hidden, points[at], normals[at], light, others)
    ways = np.einsum("kj,nji->nki", hemisphere(SKY), axes)
    below = seen(ways, np.full(ways.shape[:2], 1 / SKY, np.float32), 2 * SKY**-0.5)
    above = seen(*_lobe(material, axes, toward[at], cosine[at]), material.roughness**2)
    left = weights @ np.concatenate([below, above], axis=1)
    white[near] = white[near] * left[:, :1] + left[:, 1:4]
    found[near] = found[near] * left[:, 4:5] + left[:, 5:] * share[near]
    return np.asarray(found + white * (color * np.float32(material.albedo)) * kept, np.float32)


def _chosen(places: F32) -> tuple[NDArray[np.intp], F32]:
    """A few of many places (n, d), one in each unit cube, and their weights (n, few) at all of them."""
    cubes = np.floor(places - places.min(axis=0, initial=0)).astype(np.int64)
    few = first(cubes @ (1 << 10 * np.arange(6)))
    some = places[few]
    apart = (places**2).sum(axis=1)[:, None] + (some**2).sum(axis=1) - 2 * places @ some.T
    nearest = apart.min(axis=1, keepdims=True, initial=np.inf)
    weights = np.exp((nearest - apart) / np.float32(2 * SOFT**2))
    return few, np.asarray(weights / weights.sum(axis=1, keepdims=True), np.float32)


def hemisphere(count: int) -> F32:
    """Unit directions (count, 3) around z, denser towards it as a matt surface weighs them."""
    height, turn = spread(count)
    flat, turn = np.sqrt(height), 2 * np.pi * turn
    return np.stack([flat * np.cos(turn), flat * np.sin(turn), np.sqrt(1 - height)], axis=1).astype(
        np.float32
    )


def _lobe(material: Material, axes: F32, toward: F32, cosine: F32) -> tuple[F32, F32]:
    """Directions (n, k, 3) of a rough lobe and their weights (n, k), whose sums are 1."""
    lobe = parts(material.roughness, 0.0, RAYS)
    half = np.einsum("kj,nji->nki", lobe.half, axes)
    met = np.einsum("nki,ni->nk", half, toward)
    leaving = 2 * met[:, :, None] * half - toward[:, None]
    nl, nv, alpha = np.einsum("nki,ni->nk", leaving, axes[:, 2]), cosine[:, None], lobe.alpha[0]
    weight = visible(nl, nv, met, lobe.half[:, 2], steep(nl, alpha), steep(nv, alpha)) * lobe.share
    weight /= np.maximum(weight.sum(axis=1, keepdims=True), np.float32(1e-6))
    return np.asarray(leaving, np.float32), np.asarray(weight, np.float32)


def _hidden(
    points: F32, normals: F32, light: Light, others: Sequence[Neighbour], ways: F32, weight: F32, cone: float
) -> F32:
    """The share (n, 1) of light that others leave from `ways` (n, k, 3), then the light (n, 3) they send."""
    seen = light.reflected(ways.reshape(-1, 3), LEVEL).mean(axis=1).reshape(weight.shape) * weight
    left, sent = np.ones(weight.shape, np.float32), np.zeros(points.shape, np.float32)
    for one in others:
        at = one.above(points, normals)
        if not len(at):
            continue
        hidden = one.filled(points[at], ways[at], cone) * left[at]
        left[at] -= hidden
        hidden *= weight[at]
        middle = np.einsum("nk,nkc->nc", hidden, ways[at])
        middle /= np.maximum(np.linalg.norm(middle, axis=1, keepdims=True), np.float32(1e-6))
        sent[at] += one.face.radiance(middle) * hidden.sum(axis=1)[:, None]
    share = np.einsum("nk,nk->n", left, seen) / np.maximum(seen.sum(axis=1), np.float32(1e-6))
    return np.concatenate([share[:, None], sent], axis=1)


def _axes(normals: F32) -> F32:
    """Right-angled unit axes (n, 3, 3) whose last rows are the normals (n, 3)."""
    aside = np.where(np.abs(normals[:, :1]) < 0.7, np.eye(3)[:1], np.eye(3)[1:2])
    x = np.cross(aside, normals)
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    return np.stack([x, np.cross(normals, x), normals], axis=1).astype(np.float32)
