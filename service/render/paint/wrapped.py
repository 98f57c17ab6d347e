"""Pictures on side walls that continue over the rounded edges: antenna bands, the notch of a laptop."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...arrays import F32, F64
from ...devices.device import Decal, Slab
from ..geometry.camera import Camera
from ..geometry.face import Plane
from ..geometry.mesh import pose
from ..geometry.raster import Box
from ..kernels import wrapping as kernel
from ..light.frame import Frame
from .plane import shrink
from .textures import Pixels, Pyramid

# Tilts of a wall between which its light is interpolated, and their sines; by cost.
KNOTS = np.linspace(-np.pi / 2, np.pi / 2, 5)
LEANS = np.sin(KNOTS).astype(np.float32)


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
    return np.asarray(at.origin + np.array(places) @ np.stack([at.x, at.y, at.normal]), np.float64)


def met(slab: Slab, at: Plane, camera: Camera, box: Box) -> tuple[F32, F32]:
    """The places on a wall that the corners (h + 1, w + 1) of a box's pixels show: mm along and above `at`.

    A ray that misses a rounded edge is moved to the point of the edge nearest to it.
    """
    origin, *axes = camera.view(np.stack([at.origin, at.x, at.y, at.normal]))
    # Rays start at the depth of the plane's middle.
    depth, turned = 1 - origin[2] / camera.distance, np.array(axes)
    first = np.array([box.x - camera.center[0], camera.center[1] - box.y]) / camera.k
    slopes = np.column_stack([turned[:, :2] * (1, -1) / camera.k, turned[:, :2] @ first])
    starts, ways = depth * slopes, slopes / camera.distance
    starts[:, 2] -= turned[:, :2] @ (origin[:2] + camera.aside)
    ways[:, 2] -= turned[:, 2]
    along, above = np.empty((2, box.height + 1, box.width + 1), np.float32)
    kernel.meet(np.concatenate([starts, ways]), _wall(slab, at), along, above)
    return along, above


def _wall(slab: Slab, at: Plane) -> F32:
    """A wall as kernels take it, see `wrapping.meet`."""
    across = abs(at.x @ pose(slab)[0][:, 1]) > 0.5
    return np.array([slab.size[2] / 2 - slab.edge, slab.edge, slab.size[0 if across else 1] / 2], np.float32)


def wrap(
    frame: Frame, pyramids: Sequence[Pyramid], slab: Slab, decal: Decal, at: Plane, box: Box
) -> tuple[list[Pixels], F32]:
    """Pictures of one size on the wall plane `at` as seen in a box, and the light on a white matt wall there.

    Each is (h, w) or (h, w, c) uint16, the light (h, w, 3). Where a picture reaches the end of the wall, its
    last row is repeated.
    """
    camera, samples, size = frame.camera, frame.quality.samples[0], (box.height, box.width)
    along, above = met(slab, at, camera, box)
    views = []
    for pyramid in pyramids:
        picture = _fitted(pyramid, decal, at, camera, samples)
        view = np.empty((*size, *picture.shape[2:]), np.uint16)
        deep = picture if picture.ndim == 3 else picture[..., None]
        placing = _placing(slab, decal, picture)
        laid = view if view.ndim == 3 else view[..., None]
        kernel.wrap(np.ascontiguousarray(deep), placing, along, above, samples, laid)
        views.append(view)
    normals = np.cos(KNOTS)[:, None] * at.normal + np.sin(KNOTS)[:, None] * at.y
    lit = frame.light.diffuse(camera.view(normals).astype(np.float32))
    white = np.empty((*size, 3), np.float32)
    kernel.shine(above, _wall(slab, at), LEANS, lit, white)
    return views, white


def _fitted(pyramid: Pyramid, decal: Decal, at: Plane, camera: Camera, samples: int) -> Pixels:
    """A picture shrunk to about one of its px per sample, as seen where the wall faces the viewer most."""
    (wide, high), fine = decal.size, camera.k * samples
    wide *= float(np.hypot(*camera.view(at.x[None])[0, :2]))
    rows, columns = pyramid[0].shape[:2]
    most = float(np.clip(fine * max(wide / columns, high / rows), 1e-6, 1))
    picture = pyramid[min(int(-np.log2(most)), len(pyramid) - 1)]
    rows, columns = picture.shape[:2]
    return shrink(picture, (fine * wide / columns, fine * high / rows))


def _placing(slab: Slab, decal: Decal, picture: Pixels) -> F64:
    """The place of a picture on its wall as kernels take it, see `wrapping.wrap`."""
    (wide, high), (rows, columns) = decal.size, picture.shape[:2]
    end, top = slab.size[2] / 2 - 1e-6, decal.across + high / 2
    first = 0.0 if top > end else -np.inf
    last = rows - 1.0 if decal.across - high / 2 < -end else np.inf
    return np.array([decal.at - wide / 2, columns / wide, top, rows / high, first, last])
