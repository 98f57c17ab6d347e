"""Grain of surfaces: noise that is fixed to the surface, with as much detail as the picture can show."""

from __future__ import annotations

import math
from itertools import product
from typing import NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from ...arrays import F32, F64, I16, U8
from ...devices.device import Side, Slab
from ..geometry.face import Plane, plane, wall
from ..geometry.raster import Box, Samples
from ..kernels import grain as kernel
from ..light.frame import Frame
from ..material import SurfaceGrain
from ..memoize import MIB, memoize

# Texels along the side of the finest tile; by cost.
SIDE = 512
TEXEL = 0.06  # mm; finer than a pixel of any 4K picture; by cost
STEPS = 8  # tiles per doubling of the pixels' width; a step between two is too small to be seen; by eye
WIDEST = 6 * STEPS  # step from which pixels are too wide to show grain; by eye
COARSE = 1.5  # least ratio, in octaves, of the width of pixels to that of the texels of coarser tiles; by eye
# The standard deviation of the noise in full detail, in the tiles' integer units; by construction.
ONE = 2048.0
LONGEST = 1.0  # mm; longer waves of noise are weaker, so that surfaces do not look blotchy; by eye
SLOPE = 0.6  # exponent by which the amplitude of waves grows with their length; by eye
BLUR = 0.5  # standard deviation of a pixel's filter, in pixels; by eye
# Share by which the light of black surfaces varies more, since less matt light hides their glitter; by eye.
DARK = 0.6
SEED = 7  # seed of the noise; by construction
# Width of a surface's narrow side, px, up to which it has no grain, and from which it has full grain; by
# cost.
SMALL, LARGE = 16.0, 32.0
# Place on a rounded edge, in radii, that faces both adjoining planes equally; by construction.
TURN = 1 - math.sqrt(0.5)


@memoize(3 * MIB)
def _waves(stretch: float) -> NDArray[np.complex64]:
    """The spectrum (512, 257) of the noise in full detail."""
    noise = np.random.Generator(np.random.PCG64(SEED)).standard_normal((SIDE, SIDE))
    along, across = _frequencies()
    waves = np.hypot(along * stretch, across) * LONGEST
    height = np.maximum(waves, 1e-6) ** -SLOPE * (1 - np.exp(-(waves**2)))
    height[0, 0] = 0
    spectrum = np.fft.rfft2(noise) * height
    return np.asarray(spectrum * (ONE / np.fft.irfft2(spectrum, s=(SIDE, SIDE)).std()), np.complex64)


def _frequencies() -> tuple[F64, F64]:
    """The frequencies of waves along the rows (257,) and across them (512, 1), 1/mm."""
    along, across = np.fft.rfftfreq(SIDE), np.fft.fftfreq(SIDE)[:, None]
    return np.asarray(along / TEXEL, np.float64), np.asarray(across / TEXEL, np.float64)


@memoize(8 * MIB)
def tile(stretch: float, step: int) -> I16:
    """Noise (n, n) for pixels 2 ** (step / STEPS) times TEXEL wide, with its first row and column repeated.

    The noise is read-only and has mean 0; its standard deviation in full detail is `ONE`. It repeats every
    SIDE times TEXEL mm. The marks of brushing run along its rows.
    """
    width = BLUR * TEXEL * 2 ** (step / STEPS)
    along, across = (np.exp(-2 * np.pi**2 * width**2 * own**2) for own in _frequencies())
    side = SIDE >> max(int(step / STEPS - COARSE), 0)
    # A coarser tile can represent fewer waves, so leave out the shortest.
    waves, across = (
        np.concatenate([rows[: side // 2], rows[SIDE - side // 2 :]]) for rows in (_waves(stretch), across)
    )
    # Use single precision, which takes half as long.
    scale = (along[: side // 2 + 1] * (across * (side / SIDE) ** 2)).astype(np.float32)
    noise = np.rint(np.fft.irfft2(waves[:, : side // 2 + 1] * scale, s=(side, side)))
    made = np.pad(np.clip(noise, -32767, 32767).astype(np.int16), ((0, 1), (0, 1)), mode="wrap")
    made.flags.writeable = False
    return made


Laid = tuple[I16, F64, float]


def _laid(grain: SurfaceGrain, at: Plane, frame: Frame, size: tuple[float, float]) -> Laid | None:
    """As `_lay`, cached for all parts of the canvas."""
    key = _lay, grain, at, size, frame.fine
    found: Laid | None = frame.memo.get(key, lambda: _lay(grain, at, frame, size))
    return found


def _lay(grain: SurfaceGrain, at: Plane, frame: Frame, size: tuple[float, float]) -> Laid | None:
    """The tile for a face whose `size` is given in mm, the matrix (3, 3) from canvas px to the tile's texels,
    and the width of a texel, mm.

    None if pixels are too wide to show grain.
    """
    homography = at.homography(frame.camera)
    width = frame.fine * _width(homography.tolist(), size)
    step = max(round(math.log2(width / TEXEL) * STEPS), 0)
    if step >= WIDEST:
        return None
    noise = tile(grain.stretch, step)
    texel = TEXEL * SIDE / (len(noise) - 1)
    matrix = np.linalg.inv(homography)
    matrix[:2] /= texel
    return noise, np.ascontiguousarray(matrix), texel


def _scale(grain: SurfaceGrain, color: F32) -> float:
    """The variation of light for each unit of a tile, on a surface of linear colour (3,)."""
    return grain.depth / ONE * (1 + DARK * (1 - min(float(color.mean()), 1.0)))


def _share(frame: Frame, size: tuple[float, float]) -> float:
    """The share, 0-1, of its grain that a surface of `size` mm shows; small surfaces show none."""
    narrow = min(size) * frame.camera.k / frame.fine
    return float(np.clip((narrow - SMALL) / (LARGE - SMALL), 0, 1))


def _facing(at: Plane, frame: Frame) -> float:
    """The cosine between a plane's normal and the direction to the camera; 0 if the plane is seen from
    behind."""
    toward = frame.camera.eye - at.origin
    return max(float(toward @ at.normal / np.linalg.norm(toward)), 0.0)


def _width(homography: list[list[float]], size: tuple[float, float]) -> float:
    """The width, mm on the face, of the widest of the pixels in the middle and the corners of a face of
    `size` mm."""
    (a, b, c), (d, e, f), (g, h, i) = homography
    least = math.inf
    for x, y in ((0.0, 0.0), *product((-size[0] / 2, size[0] / 2), (-size[1] / 2, size[1] / 2))):
        near = g * x + h * y + i
        across, up = (a * x + b * y + c) / near, (d * x + e * y + f) / near
        jacobian = (
            (a - across * g) / near,
            (b - across * h) / near,
            (d - up * g) / near,
            (e - up * h) / near,
        )
        # The smaller singular value, from the sum of squares and the determinant.
        squares = sum(one * one for one in jacobian)
        turned = 2 * abs(jacobian[0] * jacobian[3] - jacobian[1] * jacobian[2])
        least = min(least, (math.sqrt(squares + turned) - math.sqrt(max(squares - turned, 0.0))) / 2)
    return 1 / max(least, 1e-6)


class Grained(NamedTuple):
    """A face with grain: its linear colour (3,), its plane, and its width and height, mm."""

    grain: SurfaceGrain
    color: F32
    at: Plane
    size: tuple[float, float]


def grained(face: Grained, frame: Frame, box: Box, cover: U8, light: F32) -> None:
    """Vary the light (h, w, 3) of a face seen in a box of the canvas, in place.

    The face's `cover` (h, w) is 0 where it is not visible.
    """
    part = _share(frame, face.size)
    laid = _laid(face.grain, face.at, frame, face.size) if part else None
    if laid is not None:
        noise, matrix, _ = laid
        scale = _scale(face.grain, face.color) * part
        kernel.face(noise, matrix, (box.x, box.y), scale, cover, light)


def brushed(grain: SurfaceGrain, color: F32, frame: Frame, slab: Slab, box: Box, walls: Samples) -> None:
    """Vary the light of a straight slab's wall, seen in a box of the canvas, in place.

    The four sides have planes of their own, along which grain runs. Rounded edges and corners belong to the
    plane that they face most, which may also be that of the slab's face.
    """
    width, height, depth = slab.size
    turn, half = TURN * slab.corner.extent, depth / 2 - TURN * slab.edge
    rise = depth if slab.base is None else depth / 2 - slab.base
    sides: list[tuple[Plane, tuple[float, float], tuple[float, float]]] = []
    for which in get_args(Side):
        long = height if which in ("left", "right") else width
        sides.append((wall(slab, which), (long, depth), (long / 2 - turn, half)))
    # All walls show as much grain as the wall that faces the camera most. So none has grain if all are seen
    # edge-on; grain would make their bright edges glitter.
    facing = max(_facing(at, frame) for at, *_ in sides)
    part = _share(frame, (max(width, height), rise * facing))
    if not part:
        return
    sides += [(plane(slab, front), (width, height), (math.inf, math.inf)) for front in (True, False)]
    found = [
        (laid, reach)
        for at, size, reach in sides
        if at.seen(frame.camera) and (laid := _laid(grain, at, frame, size)) is not None
    ]
    if not found:
        return
    tiles = tuple(noise for (noise, _, _), _ in found)
    matrices = np.stack([matrix for (_, matrix, _), _ in found])
    reach = np.array([(across / texel, up / texel) for (_, _, texel), (across, up) in found])
    kernel.wall(tiles, matrices, reach, (box.x, box.y), _scale(grain, color) * part, walls.hit, walls.rgb)
