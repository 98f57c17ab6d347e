"""The reflectance of rough surfaces: GGX's environment BRDF with Smith's shadowing, as small tables.

The split sum of Karis, "Real Shading in Unreal Engine 4" (2013): radiance = prefiltered lobe · (F0·A + B),
with Schlick's Fresnel, for metal; dielectrics mirror a share of their own, with exact Fresnel. Single
scattering loses energy on rough metal; `reflectance` restores it as in Fdez-Agüera, "A Multiple-Scattering
Microfacet Model for Real-Time Image-based Lighting" (2019).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from ...arrays import F32, F64
from ..kernels import lobes as kernel

ENTRIES = 32  # entries of a table, by cosine; by cost
SAMPLES = 64  # half vectors along each axis that are averaged for an entry; by cost


@cache
def table(roughness: float) -> F32:
    """A and B of the split sum, (32, 2) float32, at the centres of 32 equal steps of the cosine between
    normal and view."""
    rows = []
    for weight, vh in _sampled(roughness):
        fresnel = np.clip(1 - vh, 0, 1) ** 5
        rows.append(((weight * (1 - fresnel)).mean(), (weight * fresnel).mean()))
    entries = np.array(rows, np.float32)
    entries.flags.writeable = False
    return entries


@cache
def shares(roughness: float, f0: float) -> F32:
    """The share of light that a dielectric mirrors, (32,) float32, at the same cosines as in `table`, by
    exact Fresnel."""
    rows = [(weight * dielectric(vh.astype(np.float32), f0)).mean() for weight, vh in _sampled(roughness)]
    entries = np.array(rows, np.float32)
    entries.flags.writeable = False
    return entries


def _sampled(roughness: float) -> Iterator[tuple[F64, F64]]:
    """Draw 64 × 64 stratified half vectors from GGX, alpha = roughness², for each cosine of a table.

    Yields their weights, f · nl / pdf without Fresnel, and their cosines with the view, both (64, 64).
    """
    alpha2 = max(roughness, 0.02) ** 4
    step = (np.arange(SAMPLES) + 0.5) / SAMPLES
    turn, height = np.meshgrid(2 * np.pi * step, step)
    nh = np.sqrt((1 - height) / (1 + (alpha2 - 1) * height))
    across = np.sqrt(1 - nh * nh) * np.cos(turn)
    for nv in (np.arange(ENTRIES) + 0.5) / ENTRIES:
        vh = np.maximum(np.sqrt(1 - nv * nv) * across + nv * nh, 1e-6)
        nl = 2 * vh * nh - nv
        lit = nl > 0
        nl = np.maximum(nl, 1e-6)
        # Smith's shadowing, height-correlated; the weight of a sample is f · nl / pdf = G · vh / (nh · nv).
        shadowing = 2 * nl * nv / (nl * _root(nv, alpha2) + nv * _root(nl, alpha2))
        yield np.where(lit, shadowing * vh / (nh * nv), 0), vh


def _root(cosine: F64 | float, alpha2: float) -> F64:
    return np.asarray(np.sqrt(alpha2 + (1 - alpha2) * np.square(cosine)))


def split_sum(cosine: F32, roughness: float) -> tuple[F32, F32]:
    """A and B for cosines (...) in 0-1 between normal and view, float32: reflectance = F0 · A + B."""
    a, b = kernel.tabled(table(roughness), cosine.ravel())
    return a.reshape(cosine.shape), b.reshape(cosine.shape)


def gloss(cosine: F32, roughness: float, f0: float) -> F32:
    """The share of light (...) that a rough dielectric mirrors at cosines (...) in 0-1, float32."""
    return kernel.tabled(shares(roughness, f0)[:, None], cosine.ravel()).reshape(cosine.shape)


def reflectance(cosine: F32, roughness: float, f0: F32) -> F32:
    """The share (..., 3) float32 of a lobe that metal of colour `f0` (3,) reflects at cosines (...)."""
    a, b = split_sum(cosine, roughness)
    single = f0 * a[..., None] + b[..., None]
    whole: F32 = (single * multiscatter_gain(a + b, f0)).astype(np.float32, copy=False)
    return whole


def multiscatter_gain(kept: F32, f0: F32) -> F32:
    """The gain (..., 3) of metal's light by multiple scattering, if single scattering reflects a share `kept`
    (...) from white metal."""
    gain: F32 = (1 + f0 * (1 / kept - 1)[..., None]).astype(np.float32, copy=False)
    return gain


#: By roughness, how far a lobe leans towards the normal: strength · (1 - cosine)^exponent; fitted to the
# integral.
LEAN = {0.45: (0.6, 3.0), 0.30: (0.25, 4.3)}
#: Cosines, and the share of the next narrower roughness level at each; fitted to the integral.
NARROW = ((0.0, 0.1, 0.25, 0.42, 0.55, 0.7, 0.85, 1.0), (0.0, 0.0, 0.15, 0.25, 0.3, 0.25, 0.25, 0.0))


def lobe(cosine: F32, roughness: float) -> tuple[F32, F32]:
    """The lean and share (n,) float32 that correct a prefiltered lobe for the angle of view, at cosines (n,).

    The prefiltered maps assume normal = view = mirror direction. At a grazing angle, shadowing pulls the lobe
    towards the normal and narrows it sideways. To correct this, look up mirror + lean · normal, and mix in
    the given share of the next narrower level. Below a cosine of 0.5 this removes half to four fifths of the
    error.
    """
    strength, exponent = LEAN.get(roughness, (0.0, 1.0))
    lean = np.float32(strength) * np.power(np.maximum(1 - cosine, 0), np.float32(exponent))
    share = np.zeros_like(cosine) if not strength else np.interp(cosine, *NARROW)
    return lean.astype(np.float32, copy=False), share.astype(np.float32, copy=False)


@cache
def spread(count: int) -> tuple[F64, F64]:
    """Points evenly spread over a disc: squared radii and fractions of a turn, (count,) float64 in 0-1."""
    index = np.arange(count)
    return (index + 0.5) / count, index * GOLDEN % 1


@cache
def hemisphere(count: int) -> F32:
    """Unit directions (count, 3) around z, read-only; each has an equal share of matt light."""
    height, turn = spread(count)
    flat, turn = np.sqrt(height), 2 * np.pi * turn
    ways = np.stack([flat * np.cos(turn), flat * np.sin(turn), np.sqrt(1 - height)], axis=1)
    ways = ways.astype(np.float32)
    ways.flags.writeable = False
    return ways


# The angle between successive points of a spiral, in turns, that spreads the points evenly; by construction.
GOLDEN = (np.sqrt(5) - 1) / 2


def axis_roughness(roughness: float, anisotropy: float) -> tuple[float, float]:
    """The roughness across and along the grain; Burley, "Physically Based Shading at Disney" (2012)."""
    aspect = (1 - 0.9 * anisotropy) ** 0.25
    return roughness / aspect, roughness * aspect


# Exponent that makes parts denser in a lobe's tail, so that it finds lamps far from its middle; fitted to the
# references.
TAIL = 2.5


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """A GGX lobe in n parts, from its middle outwards; arrays float32, read-only.

    Each part has a half vector `half` (n, 3), with x across the grain, y along it and z along the normal, and
    a `share` (n,) of all half vectors. Seen straight on, its light comes from a cone of `cone` (n,) radians,
    measured from its middle to its edge. `alpha` is GGX's alpha, across and along the grain.
    """

    half: F32
    share: F32
    cone: F32
    alpha: tuple[float, float]


@cache
def parts(roughness: float, anisotropy: float, count: int) -> Parts:
    """A lobe, divided into parts: points (x, y) of a disc represent the slopes alpha · (x, y) / sqrt(1 -
    r²)."""
    place, turn = spread(count)
    share = -np.diff((1 - np.arange(count + 1) / count) ** TAIL)
    left = (1 - place) ** TAIL
    slope, turn = np.sqrt(1 / left - 1), 2 * np.pi * turn
    across, along = (side * side for side in axis_roughness(roughness, anisotropy))
    half = np.stack([across * slope * np.cos(turn), along * slope * np.sin(turn), np.ones(count)], axis=1)
    half /= np.linalg.norm(half, axis=1, keepdims=True)
    # One steradian of half vectors contains left² / (pi · across · along · nh³) of all half vectors, and
    # corresponds to 4 · nh steradians of light.
    cone = 2 * np.sqrt(across * along * share) * half[:, 2] ** 2 / left
    arrays = [part.astype(np.float32) for part in (half, share, cone)]
    for part in arrays:
        part.flags.writeable = False
    return Parts(arrays[0], arrays[1], arrays[2], (across, along))


def smith_root(cosine: F32, alpha: float) -> F32:
    """The root in Smith's masking of a round lobe, sqrt(cos² + (alpha · sin)²), for cosines (...)."""
    root: F32 = np.sqrt(np.float32(alpha**2) + np.float32(1 - alpha**2) * cosine * cosine)
    return root


def smith_root_stretched(x: F32, y: F32, z: F32, alpha: tuple[float, float]) -> F32:
    """As `smith_root`, for a lobe that is stretched across the grain; x, y and z (...) are those of unit
    vectors."""
    across, along = (np.square(np.float32(part) * way) for part, way in zip(alpha, (x, y), strict=True))
    root: F32 = np.sqrt(z * z + across + along)
    return root


def masking_weight(nl: F32, nv: F32, vh: F32, nh: F32 | float, steep_l: F32, steep_v: F32) -> F32:
    """The weight (...) of half vectors drawn from GGX, G · vh / (nh · nv); 0 for light from below.

    `nl`, `nv`, `vh` and `nh` (...) are cosines between normal, light, view and half vector. `steep_l` and
    `steep_v` are the roots for light and view (see `smith_root`). All are float32.
    """
    height = np.maximum(nl * steep_v + nv * steep_l, np.float32(1e-6))
    weight: F32 = 2 * np.maximum(nl, 0) * np.maximum(vh, 0) / (height * np.asarray(nh, np.float32))
    return weight


def dielectric(cosine: F32, f0: float) -> F32:
    """Fresnel reflectance of smooth glass, exact and unpolarised, for cosines (...); float32, same shape.

    `f0` is the reflectance head-on. Schlick's approximation is a fifth too low at 50 degrees, where a turned
    screen shows glare.
    """
    root = np.sqrt(f0)
    index = (1 + root) / (1 - root)
    c = np.maximum(cosine, np.float32(0))
    g = np.sqrt(c * c + np.float32(index * index - 1))
    across = np.square((g - c) / (g + c))
    along = np.square((c * (g + c) - 1) / (c * (g - c) + 1))
    share: F32 = (np.float32(0.5) * across * (1 + along)).astype(np.float32, copy=False)
    return share
