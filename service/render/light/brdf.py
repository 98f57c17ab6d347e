"""The reflectance of rough surfaces: GGX's environment BRDF with Smith's shadowing, as small tables.

The split sum of Karis, "Real Shading in Unreal Engine 4" (2013): radiance = prefiltered lobe · (F0·A + B),
with Schlick's Fresnel. Single scattering loses energy on rough metal; `reflectance` restores it as in
Fdez-Agüera, "A Multiple-Scattering Microfacet Model for Real-Time Image-based Lighting" (2019).
"""

from __future__ import annotations

from functools import cache

import numpy as np

from service.arrays import F32, F64

ENTRIES = 32
SAMPLES = 64


@cache
def table(roughness: float) -> F32:
    """A and B at the centres of 32 equal steps of the cosine between normal and view: (32, 2) float32.

    Integrated with 64 × 64 stratified half vectors drawn from GGX; alpha = roughness².
    """
    alpha2 = max(roughness, 0.02) ** 4
    step = (np.arange(SAMPLES) + 0.5) / SAMPLES
    turn, height = np.meshgrid(2 * np.pi * step, step)
    nh = np.sqrt((1 - height) / (1 + (alpha2 - 1) * height))
    across = np.sqrt(1 - nh * nh) * np.cos(turn)

    rows = []
    for nv in (np.arange(ENTRIES) + 0.5) / ENTRIES:
        vh = np.maximum(np.sqrt(1 - nv * nv) * across + nv * nh, 1e-6)
        nl = 2 * vh * nh - nv
        lit = nl > 0
        nl = np.maximum(nl, 1e-6)
        # Smith's shadowing, height-correlated; the weight of a sample is f · nl / pdf = G · vh / (nh · nv).
        shadowing = 2 * nl * nv / (nl * _root(nv, alpha2) + nv * _root(nl, alpha2))
        weight = np.where(lit, shadowing * vh / (nh * nv), 0)
        fresnel = np.clip(1 - vh, 0, 1) ** 5
        rows.append(((weight * (1 - fresnel)).mean(), (weight * fresnel).mean()))
    found = np.array(rows, np.float32)
    found.flags.writeable = False
    return found


def _root(cosine: F64 | float, alpha2: float) -> F64:
    return np.asarray(np.sqrt(alpha2 + (1 - alpha2) * np.square(cosine)))


def split_sum(cosine: F32, roughness: float) -> tuple[F32, F32]:
    """A and B for cosines (...) in 0-1 between normal and view, float32: reflectance = F0 · A + B."""
    found = table(roughness)
    place = np.clip(cosine * np.float32(ENTRIES) - np.float32(0.5), 0, np.float32(ENTRIES - 1.001))
    index = place.astype(np.intp)
    part = place - index.astype(np.float32)
    steps = np.diff(found, axis=0)
    return (
        found[index, 0] + part * steps[index, 0],
        found[index, 1] + part * steps[index, 1],
    )


def reflectance(cosine: F32, roughness: float, f0: F32) -> F32:
    """The share of its lobe that metal of colour `f0` (3,) reflects, (..., 3) float32 for cosines (...)."""
    a, b = split_sum(cosine, roughness)
    single = f0 * a[..., None] + b[..., None]
    whole: F32 = (single * (1 + f0 * (1 / (a + b) - 1)[..., None])).astype(np.float32, copy=False)
    return whole


#: How far the lobe of a roughness leans towards the normal: strength and exponent over 1 - cosine; fitted.
LEAN = {0.45: (0.6, 3.0), 0.30: (0.25, 4.3)}
#: The share of the next narrower level by cosine, fitted with `LEAN` to the integral of the BRDF.
NARROW = ((0.0, 0.1, 0.25, 0.42, 0.55, 0.7, 0.85, 1.0), (0.0, 0.0, 0.15, 0.25, 0.3, 0.25, 0.25, 0.0))


def lobe(cosine: F32, roughness: float) -> tuple[F32, F32]:
    """Lean towards the normal, and share of the next narrower level, for cosines (n,): two (n,) float32.

    The prefiltered maps assume normal = view = mirror direction. At a slant, shadowing pulls the lobe towards
    the normal and narrows it sideways: look up mirror + lean · normal, and mix in the share of the narrower
    level. Compared with the integral, a half to a fifth of the error remains below a cosine of 0.5.
    """
    strength, exponent = LEAN.get(roughness, (0.0, 1.0))
    lean = np.float32(strength) * np.power(np.maximum(1 - cosine, 0), np.float32(exponent))
    share = np.zeros_like(cosine) if not strength else np.interp(cosine, *NARROW)
    return lean.astype(np.float32, copy=False), share.astype(np.float32, copy=False)


@cache
def spread(count: int) -> tuple[F64, F64]:
    """Evenly spread points of the unit square, Hammersley's: two (count,) float64 in 0-1."""
    index = np.arange(count)
    turned = np.zeros(count)
    for bit in range(count.bit_length()):
        turned += ((index >> bit) & 1) * 0.5 ** (bit + 1)
    return (index + 0.5) / count, turned


@cache
def half_vectors(roughness: float, count: int) -> F32:
    """Half vectors (count, 3) float32 drawn from GGX, z the normal, each for an equal share of the lobe."""
    part, turn = spread(count)
    slope = roughness**2 * np.sqrt(part / (1 - part))
    turn = 2 * np.pi * turn
    flat = np.stack([slope * np.cos(turn), slope * np.sin(turn), np.ones(count)], axis=1)
    found: F32 = (flat / np.linalg.norm(flat, axis=1, keepdims=True)).astype(np.float32)
    found.flags.writeable = False
    return found


TAPS = 11  # odd, so one is the mirror direction itself


def halves(roughness: float, anisotropy: float) -> tuple[float, float]:
    """The roughness across and along the grain; Burley, "Physically Based Shading at Disney" (2012)."""
    aspect = (1 - 0.9 * anisotropy) ** 0.25
    return roughness / aspect, roughness * aspect


@cache
def slopes(roughness: float, anisotropy: float) -> F32:
    """Tilts across the grain of an anisotropic GGX lobe's half vectors, as slopes: (TAPS,) float32.

    Each stands for an equal share of the lobe, an isotropic lobe with the roughness along the grain. Slopes
    across are distributed as 1/2 · (1 + x²/alpha²)^-3/2 / alpha (the marginal of GGX; Heitz, "Understanding
    the Masking-Shadowing Function", 2014), less the width of the isotropic lobes.
    """
    across, along = (half * half for half in halves(roughness, anisotropy))
    place = (2 * np.arange(TAPS) + 1) / TAPS - 1
    found: F32 = (np.sqrt(across**2 - along**2) * place / np.sqrt(1 - place**2)).astype(np.float32)
    found.flags.writeable = False
    return found


def visible(nl: F32, nv: F32, vh: F32, nh: F32 | float, roughness: float) -> F32:
    """The weight (...) of half vectors drawn from GGX, G · vh / (nh · nv); 0 for light from below.

    `nl`, `nv`, `vh` and `nh` (...) are cosines between normal, light, view and half vector; all float32.
    """
    alpha2 = roughness**4
    height = nl * np.sqrt(alpha2 + (1 - alpha2) * nv * nv) + nv * np.sqrt(alpha2 + (1 - alpha2) * nl * nl)
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
