"""Shading: the linear radiance that metal, glass and paint send to the camera, in view space.

All arrays are float32; radiance is 0 or more.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...arrays import F32
from ...settings.schema import Glare
from ..kernels import lobes as kernel
from ..material import Material
from ..tone import strongest
from .brdf import dielectric, gloss, lobe, reflectance
from .environment import ROUGHNESSES, Environment, looked, lookup
from .hemisphere import Hemisphere

# Sine of the angle, around the horizon, within which metal fades from sky to ground; by eye.
BASE_SOFTNESS = 0.25
# The roughness level of the environment map for light that reaches a wall from beyond the edge of its ground;
# fitted to the references.
PAST = 0.30
SKY_MIP = 3  # mip level with texels half as wide as the cells of `hemisphere.sky`; by construction
EVEN = np.float32(0.8)  # radiance of the even light at the horizon; by eye
# Increase of the even light's radiance from the horizon to the zenith, for mirrored and for matt light; by
# eye.
GLOSSY, MATT = np.float32(0.25), np.float32(0.1)

SOFT = 0.03  # radiance by which the limit of soft glare exceeds that of reduced glare; by eye


@dataclass(frozen=True, slots=True, eq=False)
class Light:
    """An environment and its strength: 0 leaves an even, colourless light; above 1 exaggerates.

    Screens compress the light that they mirror, unless the `kind` of their glare is natural. Smooth surfaces
    mirror the environment's `mip` level: above 0 for surfaces that are themselves seen in wide cones of
    light.
    """

    environment: Environment
    strength: float
    kind: Glare = "reduced"
    mip: int = 0

    @property
    def limit(self) -> float:
        """The radiance above which screens compress the light that they mirror (see `limited`); infinite for
        natural glare."""
        if self.kind == "natural":
            return math.inf
        more = SOFT if self.kind == "soft" else 0.0
        return (self.environment.glare + more) * self.strength

    def reflected(self, directions: F32, level: float) -> F32:
        """Radiance (n, 3) that metal or gloss of a roughness level mirrors from directions (n, 3)."""
        return self._mix(self._map(level), directions, GLOSSY)

    def narrow(self, mip: int, x: F32, y: F32, z: F32) -> F32:
        """Radiance (h, w, 3) in narrow cones around directions (h, w), from a mip level."""
        square = self.environment.mips[mip]
        return self._mixed(looked(square, x, y, z), y, GLOSSY)

    def sky(self, square: F32) -> tuple[F32, float, float, float]:
        """One of the environment's maps as metal and gloss see it, for `kernels.lobes.gather`."""
        return square, self.strength, float(EVEN), float(GLOSSY)

    def cells(self, directions: F32) -> F32:
        """The radiance (n, 3) of cells of the sky around directions (n, 3) (see `hemisphere.sky`)."""
        x, y, z = directions.T[:, None]
        return np.asarray(self.narrow(SKY_MIP, x, y, z)[0], np.float32)

    def glare(self, directions: F32, level: float) -> F32:
        """The radiance (n, 3) that glass mirrors from directions (n, 3); 0 at strength 0."""
        environment = self.environment
        if level or self.mip:
            square = environment.rough[level] if level else environment.mips[self.mip]
            radiance = lookup(square, directions)
        else:
            radiance = environment.mirrored(directions)
        return radiance * np.float32(self.strength)

    def gleam(self, x: F32, y: F32, z: F32) -> F32:
        """The radiance (h, w, 3) that glass mirrors from directions (h, w), each as wide as a texel; 0 at
        strength 0."""
        return looked(self.environment.sharp, x, y, z) * np.float32(self.strength)

    def diffuse(self, normals: F32) -> F32:
        """Radiance (n, 3) of a white matt surface by its normals (n, 3)."""
        return self._mix(self.environment.diffuse, normals, MATT)

    def _map(self, level: float) -> F32:
        return self.environment.rough[level] if level else self.environment.sharp

    def _mix(self, square: F32, directions: F32, slope: np.float32) -> F32:
        return self._mixed(lookup(square, directions), directions[:, 1], slope)

    def _mixed(self, radiance: F32, up: F32, slope: np.float32) -> F32:
        """The radiance (..., 3), mixed with the even light according to the strength; `up` (...) has the y of
        the directions."""
        if self.strength == 1:
            return radiance
        even = (EVEN + slope * up)[..., None]
        return np.maximum(even + np.float32(self.strength) * (radiance - even), 0)


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """Points to shade: unit `normals`, the grain `along` and unit directions `toward` a viewer, each (n, 3).

    Their `places` (n, 3), view mm, are given if there are occluders near.
    """

    normals: F32
    along: F32
    toward: F32
    places: F32 | None = None

    def at(self, some: slice | NDArray[np.intp]) -> Points:
        """Some of the points."""
        places = None if self.places is None else self.places[some]
        return Points(self.normals[some], self.along[some], self.toward[some], places)


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """The surface under a raised part: unit `normal` in view space, material, linear `color` (3,).

    The normal is (3,), or (n, 3) if the surface bends and each of the part's n points sees a different place.
    The part also receives the light of the sky `over` the surface. The part itself shades the surface: where
    the part's n points mirror the surface, the share `left` (n, 3) of the surface's light remains. If the
    surface ends near the part, light from below passes its edge: `slope` (n,) is each point's height over the
    surface divided by its distance from that edge.
    """

    normal: F32
    material: Material
    color: F32
    light: Light
    over: Hemisphere | None = None
    left: F32 | None = None
    slope: F32 | None = None

    def at(self, points: slice | NDArray[np.intp]) -> Ground:
        """The ground as seen by some of the part's points."""
        left, slope = (None if one is None else one[points] for one in (self.left, self.slope))
        normal = self.normal if self.normal.ndim == 1 else self.normal[points]
        return replace(self, left=left, slope=slope, normal=normal)

    def cosines(self, directions: F32) -> F32:
        """The cosines (n,) between the ground's normals and unit directions (n, 3)."""
        if self.normal.ndim == 1:
            return np.asarray(directions @ self.normal, np.float32)
        return np.asarray(np.einsum("ij,ij->i", directions, self.normal), np.float32)

    def out(self, normals: F32) -> F32:
        """Unit directions (n, 3) along the ground, away from walls with unit normals (n, 3)."""
        outward: F32 = normals - self.cosines(normals)[:, None] * self.normal
        outward /= np.maximum(np.linalg.norm(outward, axis=1, keepdims=True), np.float32(1e-6))
        return outward

    def sent(self, mirrored: F32) -> F32:
        """The ground's radiance (n, 3) in directions (n, 3) below its horizon, reduced to the share
        `left`."""
        radiance = self.radiance(mirrored)
        return radiance if self.left is None else radiance * self.left

    def radiance(self, mirrored: F32) -> F32:
        """The ground's radiance (n, 3), fully lit, in directions (n, 3) below its horizon."""
        return shade(self.material, self.color, np.atleast_2d(self.normal), -mirrored, self.light)

    def mean(self) -> F32:
        """The ground's radiance (1 or n, 3), seen head-on; a matt part receives this."""
        return np.asarray(self.radiance(-np.atleast_2d(self.normal)), np.float32)


def mirror(normals: F32, toward: F32) -> tuple[F32, F32]:
    """Cosines (n,) between unit `normals` (1 or n, 3) and `toward` the camera (n, 3), and mirrored directions
    (n, 3)."""
    cosine, mirrored = kernel.mirror(normals, toward)
    return cosine, mirrored


def shade(
    material: Material,
    color: F32,
    normals: F32,
    toward: F32,
    light: Light,
    ground: Ground | None = None,
) -> F32:
    """Radiance (n, 3) of a surface of linear colour (3,), by unit `normals` (1 or n, 3).

    Unit directions `toward` a viewer are (n, 3). Metal looks up a single prefiltered, round lobe, which is
    enough where other surfaces mirror the metal; `lobes.seen` is more exact.
    """
    if not material.lit:
        return np.broadcast_to(color, toward.shape).astype(np.float32)
    cosine, mirrored = mirror(normals, toward)
    if material.metal:
        light_in = _lobe(light, normals, mirrored, cosine, material.level)
        light_in = _horizon(light_in, normals, mirrored, ground, BASE_SOFTNESS)
        reflected = light_in * reflectance(cosine, material.roughness, color)
        if not material.diffuse:
            return reflected
        matt = irradiance(light, normals, ground) * (color * np.float32(material.diffuse))
        return reflected * np.float32(1 - material.diffuse) + matt
    specular, mirrored_share = coat(material, normals, mirrored, cosine, light, ground)
    share = mirrored_share[:, None]
    body = np.zeros((1, 3), np.float32)
    if material.albedo:
        body = irradiance(light, normals, ground) * (color * np.float32(material.albedo))
    return specular + body * (1 - share)


def coat(
    material: Material,
    normals: F32,
    mirrored: F32,
    cosine: F32,
    light: Light,
    ground: Ground | None = None,
) -> tuple[F32, F32]:
    """The radiance (n, 3) that a dielectric mirrors, and the share (n,) of light that never reaches its
    body."""
    share = fresnel(material, cosine)
    reflected = _horizon(light.glare(mirrored, material.level), normals, mirrored, ground, 0.06)
    reflected *= share[:, None]
    return np.asarray(reflected, np.float32), share * np.float32(min(light.strength, 1.0))


def glass(material: Material, normal: F32, toward: F32, light: Light) -> tuple[F32, F32]:
    """The light that smooth flat glass with a unit normal (3,) mirrors `toward` a viewer (n, 3).

    Returns the light's radiance and the share of light that never reaches the layers below, together (n, 4),
    and the directions (n, 3) that the glass mirrors.
    """
    environment, packed, mirrored = (
        light.environment,
        np.empty((len(toward), 4), np.float32),
        np.empty_like(toward),
    )
    toward = np.ascontiguousarray(toward)
    kernel.glass(toward, normal, environment.sharp, environment.detail, material.specular, packed, mirrored)
    if light.strength != 1:
        packed *= np.array([*[light.strength] * 3, min(light.strength, 1.0)], np.float32)
    return packed, mirrored


def specular_share(material: Material, cosine: F32, light: Light) -> F32:
    """The share (n,) of light that a dielectric mirrors at cosines (n,), and that never reaches its body."""
    return fresnel(material, cosine) * np.float32(min(light.strength, 1.0))


def limited(mirrored: F32, limit: float) -> None:
    """Reduce the glare of mirrored radiance, the first channels of (n, 3 or more), in place.

    Radiance far below the limit stays, far above it is compressed: the strongest channel x becomes
    limit · ln(1 + x / limit) and the others keep their ratio to it. So a softbox in the mirror direction
    never turns a screenshot grey, but its shape and gradients remain.
    """
    if not 0 < limit < math.inf:
        return
    part = np.maximum(strongest(mirrored) * np.float32(1 / limit), np.float32(1e-6))
    gain = np.log1p(part) / part
    for channel in mirrored.T[:3]:
        channel *= gain


def fresnel(material: Material, cosine: F32) -> F32:
    """The share of light that a dielectric mirrors at cosines (...); float32, same shape."""
    if material.roughness == 0:
        return dielectric(cosine, material.specular)
    if not material.specular:
        return np.zeros_like(cosine)
    return gloss(cosine, material.roughness, material.specular)


def _lobe(light: Light, normals: F32, mirrored: F32, cosine: F32, level: float) -> F32:
    """The environment in a rough lobe (n, 3), corrected for the angle of view (see `brdf.lobe`)."""
    lean, share = lobe(cosine, level)
    bent = mirrored + lean[:, None] * normals
    wide = light.reflected(bent, level)
    narrower = [r for r in ROUGHNESSES if r < level]
    if not narrower or not share.any():
        return wide
    return wide + (light.reflected(bent, narrower[-1]) - wide) * share[:, None]


def irradiance(light: Light, normals: F32, ground: Ground | None) -> F32:
    """The radiance (n, 3) of a white matt surface; a raised part is lit by its ground from below."""
    if ground is None:
        return light.diffuse(normals)
    side = np.float32(0.5) - np.float32(0.5) * ground.cosines(normals)[:, None]
    sent = ground.mean() if ground.left is None else ground.mean() * ground.left
    if ground.over is None:
        return light.diffuse(normals) * (1 - side) + sent * side
    above = ground.over.diffuse(normals)
    if ground.slope is None:
        return above + sent * side
    # Add the light that passes the ground's edge, from directions between the edge and the ground's horizon.
    turn = np.arctan(ground.slope)[:, None]
    middle = ground.out(normals) * np.cos(turn / 2) - ground.normal * np.sin(turn / 2)
    facing = np.maximum(np.einsum("ij,ij->i", middle, normals), 0)[:, None]
    past = light.reflected(middle, PAST) * (np.sin(turn) / 2 * facing)
    return np.asarray(above + past + sent * side * (1 - np.sin(turn)), np.float32)


def _horizon(light: F32, normals: F32, mirrored: F32, ground: Ground | None, softness: float) -> F32:
    """The light (n, 3) that a raised part mirrors, replaced by the light of its ground below the ground's
    horizon.

    Above the line of sight past the ground's edge, the light is not replaced.
    """
    if ground is None:
        return light
    up = ground.cosines(mirrored)
    if ground.slope is not None:
        up += ground.slope * np.maximum(np.einsum("ij,ij->i", mirrored, ground.out(normals)), 0)
    below = np.clip((softness - up) / (2 * softness), 0, 1)
    at = np.flatnonzero(below)
    if not len(at):
        return light
    blended, share = np.array(light, np.float32), below[at][:, None].astype(np.float32)
    blended[at] += (ground.at(at).sent(mirrored[at]) - blended[at]) * share
    return blended
