"""Materials: the optical properties of each surface that a device file may name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from ..devices.device import Surface


@dataclass(frozen=True, slots=True)
class Material:
    """How a surface reflects light; a metal's F0 is its colour, a dielectric's is `specular`.

    `level` is the roughness of the environment map that it mirrors (0 = sharp), `roughness` that of its
    environment BRDF. `albedo` scales the colour of a dielectric's diffuse part (0 = black). `diffuse` is the
    share of a metal that blasting has made matt. `anisotropy` (0-1) stretches the lobe across the grain (see
    `brdf.axis_roughness`); `level` is then the roughness along it. Paint, which is not `lit`, shows its exact
    colour in any light.
    """

    metal: bool = False
    roughness: float = 0.0
    level: float = 0.0
    specular: float = 0.04
    albedo: float = 0.95
    diffuse: float = 0.0
    anisotropy: float = 0.0
    lit: bool = True


SURFACES: dict[Surface, Material] = {
    "titanium": Material(metal=True, roughness=0.30, level=0.30, diffuse=0.1),
    "brushed": Material(metal=True, roughness=0.33, level=0.24, anisotropy=0.8),
    "aluminium": Material(metal=True, roughness=0.45, level=0.45, diffuse=0.35),
    "polished": Material(metal=True, roughness=0.12, level=0.12),
    "steel": Material(metal=True, roughness=0.12, level=0.12),
    "glass": Material(albedo=0.0),
    # The coating of a camera's cover lets light through instead of mirroring it.
    "lens": Material(specular=0.008, albedo=0.0),
    "frosted": Material(roughness=0.45, level=0.45),
    "gloss": Material(),
    "plastic": Material(roughness=0.35, level=0.30),
    "rubber": Material(roughness=0.45, level=0.45, specular=0.03),
    "soft": Material(roughness=0.45, level=0.45, specular=0.012, albedo=0.75),
    # Makers' colours come from photographs, where light from the side makes straps and feet look darker.
    "silicone": Material(roughness=0.45, level=0.45, specular=0.03, albedo=0.68),
    "fabric": Material(roughness=0.45, level=0.45, specular=0.012, albedo=0.70),
    "coated": Material(roughness=0.35, level=0.30, specular=0.03, albedo=0.68),
    "dark": Material(roughness=0.45, level=0.45, albedo=0.02),
    "clay": Material(roughness=0.45, level=0.45, specular=0.0, albedo=0.9),
    "paint": Material(lit=False, specular=0.0, albedo=1.0),
}


@dataclass(frozen=True, slots=True)
class SurfaceGrain:
    """Surface detail too fine to be modelled: pits of blasting, lines of brushing, moulded texture.

    `depth` is the standard deviation of the mirrored light, as a share of its mean, in a picture that is
    large enough to show all of the grain. Marks run along the surface's grain and are `stretch` times as long
    as they are wide.
    """

    depth: float
    stretch: float = 1.0


# On surfaces that mirror little light, grain varies only that light. By eye, since references have no grain.
GRAINS: Mapping[Surface, SurfaceGrain] = MappingProxyType(
    {
        "titanium": SurfaceGrain(0.018),
        "brushed": SurfaceGrain(0.09, stretch=24.0),
        "aluminium": SurfaceGrain(0.06),
        "frosted": SurfaceGrain(0.09),
        "plastic": SurfaceGrain(0.20),
        "rubber": SurfaceGrain(0.20),
        "soft": SurfaceGrain(0.35),
        "coated": SurfaceGrain(0.20),
    }
)
