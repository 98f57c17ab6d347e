"""Environments: small octahedral maps of radiance around the device, prefiltered for each roughness.

View space: x right, y up, z towards the camera; environments do not turn with the device. Octahedral maps as
in Cigolle et al., "A Survey of Efficient Representations for Independent Unit Vectors" (2014): the sphere
folded into a square, +z in the middle, -z in the corners.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from service.arrays import F32
from service.models.devices import FRAMES

FOLDER = FRAMES / "environments"
ROUGHNESSES = (0.12, 0.24, 0.30, 0.45)
SMALLEST = 8
PAD = 2


@dataclass(frozen=True, eq=False)
class Environment:
    """One environment's light, linear sRGB primaries; maps are (n + 4, n + 4, 3) float32, padded by 2 texels.

    `sharp` is the radiance itself, `rough` the same filtered by a GGX lobe of each roughness in
    `ROUGHNESSES`, `diffuse` the radiance of a white Lambert surface by its normal (irradiance / pi). `glare`
    is the radiance up to which screens mirror it in full where glare is reduced, see `shading.limited`.
    """

    name: str
    sharp: F32
    rough: Mapping[float, F32]
    diffuse: F32
    glare: float

    @property
    def side(self) -> int:
        """Texels along a side of `sharp`."""
        return len(self.sharp) - 2 * PAD

    @cached_property
    def halved(self) -> tuple[F32, ...]:
        """`sharp` and its halves by area, down to `SMALLEST` texels a side: what cones of light see."""
        found = [self.sharp]
        while (side := found[-1].shape[0] // 2 - PAD) >= SMALLEST:
            square = found[-1][PAD:-PAD, PAD:-PAD]
            found.append(wrapped(np.asarray(cv2.resize(square, (side, side), interpolation=cv2.INTER_AREA))))
        return tuple(found)


@cache
def load(name: str) -> Environment:
    """The environment of that name, read once; ValueError for a name without a folder or a broken file."""
    folder = FOLDER / name
    if not name.isidentifier() or not (folder / "environment.json").is_file():
        raise ValueError(f"no environment {name!r} in {FOLDER}")
    facts = json.loads((folder / "environment.json").read_text())

    def read(stem: str) -> F32:
        image = cv2.imread(str(folder / f"{stem}.png"), cv2.IMREAD_UNCHANGED)
        if image is None or image.dtype != np.uint16 or image.ndim != 3:
            raise ValueError(f"{folder / stem}.png is no 16-bit colour PNG")
        return wrapped(unpack(cv2.cvtColor(image, cv2.COLOR_BGR2RGB), facts["scale"][stem]))

    return Environment(
        name=name,
        sharp=read("sharp"),
        rough={roughness: read(stem(roughness)) for roughness in ROUGHNESSES},
        diffuse=read("diffuse"),
        glare=facts["glare"],
    )


def stem(roughness: float) -> str:
    """The file name, without its ending, of the level for a roughness: `rough-30` for 0.30."""
    return f"rough-{round(roughness * 100):02d}"


def unpack(image: NDArray[Any], scale: float) -> F32:
    """Radiance of a stored uint16 map (...): scale · (v / 65535)², float32, same shape."""
    root = image.astype(np.float32) * np.float32(np.sqrt(scale) / 65535)
    return root * root


def wrapped(square: F32) -> F32:
    """An (n, n, 3) map with `PAD` texels around it, folded over the square's edges; float32, read-only.

    Across an edge, the octahedron continues with the same edge reversed, so bilinear lookups have no seam.
    """
    sides = np.concatenate([square[::-1, PAD - 1 :: -1], square, square[::-1, : -PAD - 1 : -1]], axis=1)
    full = np.concatenate([sides[PAD - 1 :: -1, ::-1], sides, sides[: -PAD - 1 : -1, ::-1]], axis=0)
    padded = np.ascontiguousarray(full, np.float32)
    padded.flags.writeable = False
    return padded


def directions(n: int) -> F32:
    """Unit vectors (n, n, 3) float32 through the centres of an octahedral map's texels."""
    middle = (np.arange(n) + 0.5) / n * 2 - 1
    x, y = np.meshgrid(middle, middle)
    z = 1 - np.abs(x) - np.abs(y)
    fold = np.maximum(-z, 0)
    vector = np.stack([x - np.copysign(fold, x), y - np.copysign(fold, y), z], axis=-1)
    unit: F32 = (vector / np.linalg.norm(vector, axis=-1, keepdims=True)).astype(np.float32)
    return unit


SLAB = 1 << 16
ROW = 4096


def lookup(square: F32, vectors: F32) -> F32:
    """Radiance (..., 3) float32 of a padded map in the directions `vectors` (..., 3) float32, bilinear.

    The vectors can have any length but zero. They are processed in slabs that stay in the processor's cache.
    """
    flat = vectors.reshape(-1, 3)
    out = np.empty(flat.shape, np.float32)
    for start in range(0, len(flat), SLAB):
        part = flat[start : start + SLAB]
        x, y = folded(len(square) - 2 * PAD, *(np.ascontiguousarray(part[:, axis]) for axis in range(3)))
        rows = -(-len(part) // ROW) if len(part) > ROW else 1
        width = ROW if rows > 1 else len(part)
        if rows * width > len(part):
            x, y = (np.resize(v, rows * width) for v in (x, y))
        found = sampled(square, x.reshape(rows, width), y.reshape(rows, width))
        out[start : start + SLAB] = found.reshape(-1, 3)[: len(part)]
    return out.reshape(vectors.shape)


def sampled(square: F32, x: F32, y: F32) -> F32:
    """A padded map (..., 3) at columns and rows (h, w), neither above 32,767; bilinear."""
    found = cv2.remap(square, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(found, np.float32)


def folded(n: int, x: F32, y: F32, z: F32) -> tuple[F32, F32]:
    """Columns and rows of vectors in the padded map of n texels a side; all of one shape, float32."""
    across, down = np.abs(x), np.abs(y)
    scale = across + down
    scale += np.abs(z)
    np.maximum(scale, np.float32(1e-20), out=scale)
    np.divide(np.float32(n / 2), scale, out=scale)
    # Behind, the square is folded over: 1 - |y| / (|x| + |y| + |z|) is (|x| + |z|) / (|x| + |y| + |z|).
    behind = np.maximum(-z, 0)
    middle = np.float32(n / 2 - 0.5 + PAD)
    for way, signed in ((across, x), (down, y)):
        way += behind
        way *= scale
        np.copysign(way, signed, out=way)
        way += middle
    return across, down
