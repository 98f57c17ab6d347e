"""Pictures on walls that bend: bands that continue over the rounded edges, and vents in a watch's corners."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...arrays import F32, F64
from ...devices.device import Corner, Decal, Slab
from ..geometry.camera import Camera
from ..geometry.face import Plane
from ..geometry.mesh import pose
from ..geometry.raster import Box
from ..kernels import wrapping as kernel
from ..light.frame import Frame
from ..memoize import MIB, memoize
from .plane import shrink
from .textures import Pixels, Pyramid

# Tilts of a wall between which its light is interpolated, and their sines; by cost.
KNOTS = np.linspace(-np.pi / 2, np.pi / 2, 5)
LEANS = np.sin(KNOTS).astype(np.float32)
STEPS = 512  # places along a corner at which its depth is tabulated; by construction
ROUNDS = 4  # steps of Newton's method, which ends within a hundredth of a mm; by cost
ALMOST = 0.999  # share of a corner beyond which its wall is too steep to be seen from the side; a guard
STEEP = 1e-3  # cosine to a wall's normal below which a ray runs along the wall; a guard


class Turn(NamedTuple):
    """How a wall turns away from its plane in a corner, which is `long` mm along the wall and `deep` mm
    across it; the wall reaches `half` mm from its middle."""

    corner: Corner
    long: float
    deep: float
    half: float

    @classmethod
    def of(cls, slab: Slab, decal: Decal) -> Turn:
        """The corner at the end of a picture's wall that is nearer to the picture."""
        upright = decal.side in ("left", "right")
        low = decal.side == "bottom" or (upright and decal.at < 0)
        corner = slab.lower if slab.lower is not None and low else slab.corner
        wide, high = corner.extents(*slab.size[:2])
        long, deep = (high, wide) if upright else (wide, high)
        return cls(corner, max(long, 1e-6), deep, slab.size[upright] / 2)

    def part(self, along: float) -> float:
        """The share of the corner's length up to a place, mm along the wall; 0 before the corner."""
        return min(max((abs(along) - self.half + self.long) / self.long, 0.0), ALMOST)

    def at(self, along: float) -> tuple[float, float]:
        """The distance, mm, by which the wall lies inside its plane at a place, mm along it, and the slope at
        which it turns inward there."""
        inset, slope = self.corner.wall(self.part(along), self.deep, self.long)
        return inset, math.copysign(slope, along)

    def along(self, places: F64) -> tuple[F64, F64]:
        """As `at`, for places of any shape."""
        steps = (np.abs(places) - self.half + self.long) * (STEPS / self.long)
        inset, slope = (np.interp(steps, np.arange(STEPS), table) for table in _table(*self))
        return inset, np.copysign(slope, places)


@memoize(MIB // 4)
def _table(corner: Corner, long: float, deep: float, _: float) -> tuple[F64, F64]:
    """The distance, mm, by which a wall lies inside its plane at STEPS even places of a corner, and its slope
    there."""
    inset, slope = zip(*(corner.wall(step / STEPS, deep, long) for step in range(STEPS)), strict=True)
    return np.array(inset), np.array(slope)


def bulge(slab: Slab, decal: Decal) -> float:
    """The largest distance, mm, of a wall from the plane that touches it in a picture's middle."""
    turn, reach = Turn.of(slab, decal), decal.size[0] / 2
    if turn.corner.offset:
        return 0.0
    inset, slope = turn.at(decal.at)
    return max(turn.at(decal.at + by)[0] - inset - slope * by for by in (-reach, reach))


def wraps(slab: Slab, decal: Decal) -> bool:
    """Whether a picture reaches beyond the upright part of its wall."""
    return abs(decal.across) + decal.size[1] / 2 > slab.size[2] / 2 - slab.edge


def ends(decal: Decal, at: Plane, edge: float) -> F64:
    """The corners of a picture on the wall plane `at`, and the points `edge` mm below them: (8, 3), device
    mm."""
    wide, high = decal.size
    places = [
        (decal.at + x * wide / 2, decal.across + y * high / 2, z)
        for x in (-1, 1) for y in (-1, 1) for z in (0.0, -edge)
    ]  # fmt: skip
    return np.asarray(at.origin + np.array(places) @ at.axes, np.float64)


def met(slab: Slab, at: Plane, camera: Camera, box: Box) -> tuple[F32, F32]:
    """The places on a wall that the corners (h + 1, w + 1) of a box's pixels show: mm along and above `at`.

    A ray that misses a rounded edge is moved to the point of the edge nearest to it.
    """
    along, above = np.empty((2, box.height + 1, box.width + 1), np.float32)
    kernel.meet(_rays(at, camera, box), _wall(slab, at), along, above)
    return along, above


def met_in_corner(turn: Turn, middle: float, at: Plane, camera: Camera, box: Box) -> tuple[F32, F32]:
    """As `met`, for the upright part of a wall that turns away from its plane `at`; exact near the `middle`,
    mm along it."""
    columns, rows = np.arange(box.width + 1), np.arange(box.height + 1)[:, None]
    x, y, high, dx, dy, rise = (a * columns + b * rows + c for a, b, c in _rays(at, camera, box))
    inset, slope = turn.at(middle)
    ahead = (high + inset + slope * (x - middle)) / np.maximum(-(rise + slope * dx), STEEP)
    for _ in range(ROUNDS):
        inside, slopes = turn.along(x + ahead * dx)
        ahead += (high + ahead * rise + inside) / np.maximum(-(rise + slopes * dx), STEEP)
    return (x + ahead * dx).astype(np.float32), (y + ahead * dy).astype(np.float32)


def _rays(at: Plane, camera: Camera, box: Box) -> F64:
    """The rays through the corners of a box's pixels, in the form that kernels take (see `wrapping.meet`)."""
    origin, *axes = camera.view(np.stack([at.origin, at.x, at.y, at.normal]))
    # Rays start at the depth of the plane's middle.
    depth, turned = 1 - origin[2] / camera.distance, np.array(axes)
    first = np.array([box.x - camera.center[0], camera.center[1] - box.y]) / camera.k
    slopes = np.column_stack([turned[:, :2] * (1, -1) / camera.k, turned[:, :2] @ first])
    starts, ways = depth * slopes, slopes / camera.distance
    starts[:, 2] -= turned[:, :2] @ (origin[:2] + camera.aside)
    ways[:, 2] -= turned[:, 2]
    return np.concatenate([starts, ways])


def _wall(slab: Slab, at: Plane) -> F32:
    """A wall, in the form that kernels take (see `wrapping.meet`)."""
    across = abs(at.x @ pose(slab)[0][:, 1]) > 0.5
    return np.array([slab.size[2] / 2 - slab.edge, slab.edge, slab.size[0 if across else 1] / 2], np.float32)


def wrap(
    frame: Frame, pyramids: Sequence[Pyramid], slab: Slab, decal: Decal, at: Plane, box: Box
) -> tuple[list[Pixels], F32]:
    """Pictures of one size on the wall plane `at`, as seen in a box, and the light on a white matt wall
    there.

    Each is (h, w) or (h, w, c) uint16, the light (h, w, 3). Where a picture reaches the end of the wall, its
    last row is repeated.
    """
    camera = frame.camera
    along, above = met(slab, at, camera, box)
    views = [_seen(frame, pyramid, slab, decal, at, (along, above)) for pyramid in pyramids]
    normals = np.cos(KNOTS)[:, None] * at.normal + np.sin(KNOTS)[:, None] * at.y
    lit = frame.light.diffuse(camera.view(normals).astype(np.float32))
    white = np.empty((box.height, box.width, 3), np.float32)
    kernel.shine(above, _wall(slab, at), LEANS, lit, white)
    return views, white


def turned(
    frame: Frame, pyramids: Sequence[Pyramid], slab: Slab, decal: Decal, at: Plane, box: Box
) -> list[Pixels]:
    """Pictures of one size, each (h, w) or (h, w, c) uint16, in a corner of the wall plane `at`, as seen in a
    box."""
    turn = Turn.of(slab, decal)
    places = met_in_corner(turn, decal.at, at, frame.camera, box)
    return [_seen(frame, pyramid, slab, decal, at, places) for pyramid in pyramids]


def _seen(
    frame: Frame, pyramid: Pyramid, slab: Slab, decal: Decal, at: Plane, places: tuple[F32, F32]
) -> Pixels:
    """A picture as seen in a box of the canvas; the corners of the box's pixels show `places` (see `met`)."""
    samples, (rows, columns) = frame.quality.samples[0], places[0].shape
    picture = _fitted(pyramid, decal, at, frame.camera, samples)
    view = np.empty((rows - 1, columns - 1, *picture.shape[2:]), np.uint16)
    deep = picture if picture.ndim == 3 else picture[..., None]
    laid = view if view.ndim == 3 else view[..., None]
    kernel.wrap(np.ascontiguousarray(deep), _placing(slab, decal, picture), *places, samples, laid)
    return view


def _fitted(pyramid: Pyramid, decal: Decal, at: Plane, camera: Camera, samples: int) -> Pixels:
    """A picture, shrunk to about one of its px per sample at the place where the wall faces the viewer
    most."""
    (wide, high), fine = decal.size, camera.k * samples
    wide *= float(np.hypot(*camera.view(at.x[None])[0, :2]))
    rows, columns = pyramid[0].shape[:2]
    most = float(np.clip(fine * max(wide / columns, high / rows), 1e-6, 1))
    picture = pyramid[min(int(-np.log2(most)), len(pyramid) - 1)]
    rows, columns = picture.shape[:2]
    return shrink(picture, (fine * wide / columns, fine * high / rows))


def _placing(slab: Slab, decal: Decal, picture: Pixels) -> F64:
    """The place of a picture on its wall, in the form that kernels take (see `wrapping.wrap`)."""
    (wide, high), (rows, columns) = decal.size, picture.shape[:2]
    end, top = slab.size[2] / 2 - 1e-6, decal.across + high / 2
    first = 0.0 if top > end else -np.inf
    last = rows - 1.0 if decal.across - high / 2 < -end else np.inf
    return np.array([decal.at - wide / 2, columns / wide, top, rows / high, first, last])
