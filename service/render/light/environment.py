"""Environments: small octahedral maps of radiance around the device, prefiltered for each roughness.

View space: x right, y up, z towards the camera; environments do not turn with the device. Octahedral maps as
in Cigolle et al., "A Survey of Efficient Representations for Independent Unit Vectors" (2014): the sphere
folded into a square, +z in the middle, -z in the corners.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import Any, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from ...arrays import F32, U8
from ...shipped import FRAMES
from ..kernels import lobes as kernel

Texels = TypeVar("Texels", F32, U8)

FOLDER = FRAMES / "environments"
# Roughnesses of the maps that are filtered in advance; by construction.
ROUGHNESSES = (0.12, 0.24, 0.30, 0.45)
SMALLEST = 8  # texels along each side of the coarsest mip level; by construction
PAD = 2  # texels around a map, so that lookups need no wrapping; by construction
TURNED = 4  # turned environments that are cached, about 6 MB each; by cost
SAME = 128  # value of `detail` where radiance is exactly that of the sharp map; by construction


@dataclass(frozen=True, eq=False)
class Environment:
    """One environment's light, linear sRGB primaries; maps are (n + 4, n + 4, 3) float32, padded by 2 texels.

    `sharp` is the radiance itself. `detail`, grey uint8 with more texels, sharpens it for smooth surfaces,
    which multiply it by (`detail` / SAME)². `rough` is `sharp` filtered by a GGX lobe of each roughness in
    `ROUGHNESSES`, `diffuse` the radiance of a white Lambert surface by its normal (irradiance / pi). With
    reduced glare, screens compress radiance above `glare` (see `shading.limited`). `mips` are the mip levels
    of `sharp`, averaged by area down to `SMALLEST` texels along each side; a cone of light looks up the level
    whose texels are about as wide as the cone. `falloff` (3,) points to lamps near the device: over a radius
    of the body in this direction, light grows by a factor of e to the power of the vector's length (see
    `light.falloff`).
    """

    name: str
    sharp: F32
    detail: U8
    rough: Mapping[float, F32]
    diffuse: F32
    glare: float
    falloff: tuple[float, float, float] = (0.0, 0.0, 0.0)
    mips: tuple[F32, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Build the mip levels of `sharp`."""
        mips = [self.sharp]
        while (side := mips[-1].shape[0] // 2 - PAD) >= SMALLEST:
            square = mips[-1][PAD:-PAD, PAD:-PAD]
            mips.append(wrapped(np.asarray(cv2.resize(square, (side, side), interpolation=cv2.INTER_AREA))))
        object.__setattr__(self, "mips", tuple(mips))

    @property
    def side(self) -> int:
        """Texels along a side of `sharp`."""
        return len(self.sharp) - 2 * PAD

    def mirrored(self, vectors: F32) -> F32:
        """Radiance (..., 3) float32 that smooth glass mirrors from `vectors` (..., 3) float32."""
        factor = _grey(self.detail, vectors) * np.float32(1 / SAME)
        return np.asarray(lookup(self.sharp, vectors) * np.square(factor)[..., None], np.float32)


@cache
def load(name: str) -> Environment:
    """The environment of that name, read once; raises ValueError for a name without a folder and for a broken
    file."""
    folder = FOLDER / name
    if not name.isidentifier() or not (folder / "environment.json").is_file():
        raise ValueError(f"no environment {name!r} in {FOLDER}")
    facts = json.loads((folder / "environment.json").read_text())

    detail = cv2.imread(str(folder / "detail.webp"), cv2.IMREAD_GRAYSCALE)
    if detail is None:
        raise ValueError(f"{folder / 'detail'}.webp is no picture")

    def read(stem: str) -> F32:
        image = cv2.imread(str(folder / f"{stem}.png"), cv2.IMREAD_UNCHANGED)
        if image is None or image.dtype != np.uint16 or image.ndim != 3:
            raise ValueError(f"{folder / stem}.png is no 16-bit colour PNG")
        return wrapped(unpack(cv2.cvtColor(image, cv2.COLOR_BGR2RGB), facts["scale"][stem]))

    return Environment(
        name=name,
        sharp=read("sharp"),
        detail=wrapped(np.asarray(detail, np.uint8)),
        rough={roughness: read(stem(roughness)) for roughness in ROUGHNESSES},
        diffuse=read("diffuse"),
        glare=facts["glare"],
        falloff=tuple(facts["falloff"]),
    )


@lru_cache(maxsize=TURNED)
def turned(name: str, degrees: float) -> Environment:
    """The environment of that name, turned about the vertical axis; positive turns bring its right side to
    the front.

    Maps are resampled, which blurs their light by less than a texel. The last few environments are cached.
    """
    whole = load(name)
    if not degrees % 360:
        return whole
    angle = math.radians(degrees)
    turn = np.array(
        [[math.cos(angle), 0, math.sin(angle)], [0, 1, 0], [-math.sin(angle), 0, math.cos(angle)]], np.float32
    )
    return posed(whole, turn)


def posed(whole: Environment, turn: F32) -> Environment:
    """The environment rotated: the light in a direction d (3,) is the whole environment's in the direction
    `turn` (3, 3) · d."""

    def again(square: F32) -> F32:
        return wrapped(lookup(square, directions(len(square) - 2 * PAD) @ turn.T))

    ways = directions(len(whole.detail) - 2 * PAD) @ turn.T
    detail = _grey(whole.detail, ways)
    x, y, z = (float(v) for v in turn.T @ np.array(whole.falloff))
    return replace(
        whole,
        falloff=(x, y, z),
        sharp=again(whole.sharp),
        detail=wrapped(np.rint(detail).astype(np.uint8)),
        rough={roughness: again(square) for roughness, square in whole.rough.items()},
        diffuse=again(whole.diffuse),
    )


def stem(roughness: float) -> str:
    """The file name, without its extension, of the level for a roughness: `rough-30` for 0.30."""
    return f"rough-{round(roughness * 100):02d}"


def unpack(image: NDArray[Any], scale: float) -> F32:
    """The radiance of a stored uint16 map of values v: scale · (v / 65535)², float32, of the same shape."""
    root = image.astype(np.float32) * np.float32(np.sqrt(scale) / 65535)
    return root * root


def wrapped(square: Texels) -> Texels:
    """A map (n, n, ...) padded by `PAD` texels, which are folded over the square's edges; read-only.

    Across an edge, the octahedron continues with the same edge reversed, so bilinear lookups have no seam.
    """
    sides = np.concatenate([square[::-1, PAD - 1 :: -1], square, square[::-1, : -PAD - 1 : -1]], axis=1)
    full = np.concatenate([sides[PAD - 1 :: -1, ::-1], sides, sides[: -PAD - 1 : -1, ::-1]], axis=0)
    padded = np.ascontiguousarray(full)
    padded.flags.writeable = False
    return padded


def directions(n: int) -> F32:
    """Unit vectors (n, n, 3) float32 through the centres of an octahedral map's texels."""
    middle = (np.arange(n) + 0.5) / n * 2 - 1
    x, y = np.meshgrid(middle, middle)
    z = 1 - np.abs(x) - np.abs(y)
    fold = np.maximum(-z, 0)
    x, y = x - np.copysign(fold, x), y - np.copysign(fold, y)
    length = np.sqrt(x**2 + y**2 + z**2)
    unit = np.empty((n, n, 3), np.float32)
    # NumPy takes twice as long for vectors as for their coordinates one by one.
    for axis, part in enumerate((x, y, z)):
        np.divide(part, length, out=unit[..., axis], casting="same_kind")
    return unit


def lookup(square: F32, vectors: F32) -> F32:
    """The radiance (..., 3) float32 of a padded map in the directions `vectors` (..., 3) float32,
    interpolated bilinearly.

    The vectors can have any length but zero.
    """
    return looked(square, vectors[..., 0], vectors[..., 1], vectors[..., 2])


def looked(square: F32, x: F32, y: F32, z: F32) -> F32:
    """As `lookup`, with an array per coordinate: radiance (..., 3) in the directions x, y and z (...)."""
    light = np.empty((x.size, 3), np.float32)
    kernel.look(square, x.ravel(), y.ravel(), z.ravel(), light)
    return light.reshape(*x.shape, 3)


def _grey(square: U8, vectors: F32) -> F32:
    """As `lookup`, for a grey map: (...) in 0-255."""
    level = np.empty(vectors.size // 3, np.float32)
    x, y, z = vectors.reshape(-1, 3).T
    kernel.look_grey(square, x, y, z, level)
    return level.reshape(vectors.shape[:-1])
