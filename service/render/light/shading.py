"""Shading: the linear radiance that metal, glass and paint send to the camera, in view space.

All arrays are float32; radiance is 0 or more.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from service.arrays import F32
from service.render.light.brdf import dielectric, halves, lobe, reflectance, slopes, split_sum, visible
from service.render.light.environment import ROUGHNESSES, Environment, lookup
from service.render.material import Material

BASE_SOFTNESS = 0.25


@dataclass(frozen=True, slots=True, eq=False)
class Light:
    """An environment and its strength: 0 leaves an even, colourless light; above 1 exaggerates.

    With `reduced` glare, screens mirror it up to a limit only.
    """

    environment: Environment
    strength: float
    reduced: bool = True

    @property
    def limit(self) -> float:
        """The radiance up to which screens mirror in full, see `limited`; infinite with natural glare."""
        return self.environment.glare * self.strength if self.reduced else math.inf

    def reflected(self, directions: F32, level: float) -> F32:
        """Radiance (n, 3) that metal or gloss of a roughness level mirrors from directions (n, 3)."""
        return self._mix(self._map(level), directions, np.float32(0.25))

    def cut(self, directions: F32) -> F32:
        """Radiance (n, 3) of a cut along the grain of brushed metal's lobe, from directions (n, 3)."""
        return self._mix(self.environment.cut, directions, np.float32(0.25))

    def glare(self, directions: F32, level: float) -> F32:
        """Radiance (n, 3) that glass mirrors from directions (n, 3): none at strength 0."""
        return lookup(self._map(level), directions) * np.float32(self.strength)

    def diffuse(self, normals: F32) -> F32:
        """Radiance (n, 3) of a white matt surface by its normals (n, 3)."""
        return self._mix(self.environment.diffuse, normals, np.float32(0.1))

    def _map(self, level: float) -> F32:
        return self.environment.rough[level] if level else self.environment.sharp

    def _mix(self, square: F32, directions: F32, slope: np.float32) -> F32:
        if self.strength == 1:
            return lookup(square, directions)
        even = np.float32(0.8) + slope * directions[:, 1:2]
        if self.strength == 0:
            return np.repeat(even, 3, axis=1)
        light = even + np.float32(self.strength) * (lookup(square, directions) - even)
        return np.maximum(light, 0)


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """The surface under a raised part: unit `normal` (3,) in view space, material, linear `color` (3,).

    `left` (n, 3) is the share of its light that the part leaves it where each of n points mirrors it.
    """

    normal: F32
    material: Material
    color: F32
    light: Light
    left: F32 | None = None

    def radiance(self, mirrored: F32) -> F32:
        """The ground's radiance (n, 3) that the part mirrors from directions (n, 3) below its horizon."""
        normals = np.broadcast_to(self.normal, mirrored.shape)
        return shade(self.material, self.color, normals, -mirrored, self.light)

    def mean(self) -> F32:
        """The ground's radiance (3,) seen head-on, as a matt part receives it."""
        head_on: F32 = self.radiance(-self.normal[None])[0]
        return head_on


def mirror(normals: F32, toward: F32) -> tuple[F32, F32]:
    """Cosines (n,) between unit `normals` and `toward` the camera (n, 3), and mirrored directions (n, 3)."""
    cosine = np.maximum(np.einsum("ij,ij->i", normals, toward), np.float32(1e-3))
    return cosine, 2 * cosine[:, None] * normals - toward


def shade(
    material: Material,
    color: F32,
    normals: F32,
    toward: F32,
    light: Light,
    ground: Ground | None = None,
    along: F32 | None = None,
) -> F32:
    """Radiance (n, 3) of a surface of linear colour (3,); unit `normals` and `toward` the camera (n, 3).

    `along` (n, 3) is the grain's direction on an anisotropic surface; without it the lobe is round.
    """
    if not material.lit:
        return np.broadcast_to(color, normals.shape).astype(np.float32)
    cosine, mirrored = mirror(normals, toward)
    if material.metal:
        if material.anisotropy and along is not None:
            across = np.cross(normals, along)
            light_in = _stretched(light, normals, across, toward, cosine, material, color)
            kept = _grained(across, toward, cosine, material, color)
        else:
            light_in = _lobe(light, normals, mirrored, cosine, material.level)
            kept = reflectance(cosine, material.roughness, color)
        light_in = _horizon(light_in, mirrored, ground, BASE_SOFTNESS)
        found = light_in * kept
        if not material.diffuse:
            return found
        matt = _irradiance(light, normals, ground) * (color * np.float32(material.diffuse))
        return found * np.float32(1 - material.diffuse) + matt
    specular, mirrored_share = coat(material, mirrored, cosine, light, ground)
    share = mirrored_share[:, None]
    body = np.zeros((1, 3), np.float32)
    if material.albedo:
        body = _irradiance(light, normals, ground) * (color * np.float32(material.albedo))
    return specular + body * (1 - share)


def coat(
    material: Material,
    mirrored: F32,
    cosine: F32,
    light: Light,
    ground: Ground | None = None,
) -> tuple[F32, F32]:
    """The radiance (n, 3) that a dielectric mirrors, and the share (n,) of light it keeps from below."""
    share = fresnel(material, cosine)
    found = _horizon(light.glare(mirrored, material.level), mirrored, ground, 0.06) * share[:, None]
    return np.asarray(found, np.float32), share * np.float32(min(light.strength, 1.0))


def limited(mirrored: F32, limit: float) -> F32:
    """Mirrored radiance (..., 3) with reduced glare: full up to the limit, with no kink there.

    The strongest channel approaches twice the limit as 1 - e^-x and the others keep their ratio to it, so a
    soft box in the mirror direction never greys a screenshot.
    """
    peak = mirrored.max(axis=-1, keepdims=True)
    over = np.maximum(peak, np.float32(limit))
    soft: F32 = mirrored * np.where(peak > limit, limit * (2 - np.exp(1 - over / limit)) / over, 1)
    return soft.astype(np.float32, copy=False)


def fresnel(material: Material, cosine: F32) -> F32:
    """The share of light that a dielectric mirrors at cosines (...); float32, same shape."""
    if material.roughness == 0:
        return dielectric(cosine, material.specular)
    if not material.specular:
        return np.zeros_like(cosine)
    a, b = split_sum(cosine, material.roughness)
    return np.float32(material.specular) * a + b


def _lobe(light: Light, normals: F32, mirrored: F32, cosine: F32, level: float) -> F32:
    """The environment in a rough lobe (n, 3), corrected for the slant at which it is seen."""
    lean, share = lobe(cosine, level)
    bent = mirrored + lean[:, None] * normals
    wide = light.reflected(bent, level)
    narrower = [r for r in ROUGHNESSES if r < level]
    if not narrower or not share.any():
        return wide
    return wide + (light.reflected(bent, narrower[-1]) - wide) * share[:, None]


def _stretched(
    light: Light, normals: F32, across: F32, toward: F32, cosine: F32, material: Material, color: F32
) -> F32:
    """The environment in the lobe of brushed metal (n, 3): round lobes side by side across the grain.

    Each is weighted by its contribution to the picture, Schlick's Fresnel included: dark metal shows mostly
    light that grazes its scratches.
    """
    total, weights = np.zeros_like(normals), np.zeros_like(normals)
    wider = min(r for r in ROUGHNESSES if r > material.level)
    for slope in slopes(material.roughness, material.anisotropy):
        # Along the grain the tail of the lobe is also wider.
        tail = abs(slope) > 2 * material.roughness**2
        nh = float(1 / np.sqrt(1 + slope * slope))
        half = (normals + slope * across) * np.float32(nh)
        vh = np.einsum("ij,ij->i", half, toward)
        leaving = 2 * vh[:, None] * half - toward
        nl = np.einsum("ij,ij->i", leaving, normals)
        weight = visible(nl, cosine, vh, nh, material.roughness)[:, None]
        weight = weight * (color + (1 - color) * np.power(np.clip(1 - vh, 0, 1), 5)[:, None])
        light_in = light.reflected(leaving, wider) if tail else light.cut(leaving)
        total += light_in * weight
        weights += weight
    return np.asarray(total / np.maximum(weights, np.float32(1e-6)), np.float32)


def _grained(across: F32, toward: F32, cosine: F32, material: Material, color: F32) -> F32:
    """The share of its lobe that brushed metal reflects (n, 3): as rough as the side the view tilts to."""
    aslant = np.maximum(1 - cosine * cosine, np.float32(1e-6))
    share = np.minimum(np.square(np.einsum("ij,ij->i", across, toward)) / aslant, 1)[:, None]
    rough, smooth = halves(material.roughness, material.anisotropy)
    whole: F32 = reflectance(cosine, rough, color) * share + reflectance(cosine, smooth, color) * (1 - share)
    return whole


def _irradiance(light: Light, normals: F32, ground: Ground | None) -> F32:
    """Light on a matt surface (n, 3); a raised part receives its ground's from below."""
    above = light.diffuse(normals)
    if ground is None:
        return above
    side = np.float32(0.5) - np.float32(0.5) * (normals @ ground.normal)[:, None]
    sent = ground.mean() if ground.left is None else ground.mean() * ground.left
    return above * (1 - side) + sent * side


def _horizon(light: F32, mirrored: F32, ground: Ground | None, softness: float) -> F32:
    """Mirrored light (n, 3) of a raised part: its ground's, in directions below the ground's horizon."""
    if ground is None:
        return light
    below = np.clip((softness - mirrored @ ground.normal) / (2 * softness), 0, 1)
    at = np.flatnonzero(below)
    if not len(at):
        return light
    found, share = np.array(light, np.float32), below[at][:, None].astype(np.float32)
    sent = ground.radiance(mirrored[at])
    found[at] += ((sent if ground.left is None else sent * ground.left[at]) - found[at]) * share
    return found
