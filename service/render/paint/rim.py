"""Where a slab's wall, gasket and face meet: each has exactly the share of a pixel that it covers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from service.arrays import F32, U8
from service.models.devices import Slab
from service.render.geometry.camera import Camera
from service.render.geometry.coverage import layers, levels
from service.render.geometry.face import plane
from service.render.geometry.mesh import BACK, FRONT, GASKET, Mesh
from service.render.geometry.raster import Box, Samples
from service.render.paint.wall import GASKET_RADIANCE

NEAR = 3  # px from which a pixel without samples borrows colour
BAND = 1 << 16  # pixels whose samples are weighed at a time


class Rim(NamedTuple):
    """The shares 0-255 of pixels (h, w) uint8 that a slab's parts cover; together they are its outline's.

    `face` is the flat face's, `wall` the wall's, `border` that of the part of the face that bends towards the
    wall, `gasket` that of the gap in between; both are None without a gap.
    """

    face: U8
    wall: U8
    border: U8 | None = None
    gasket: U8 | None = None


def seen(slab: Slab, camera: Camera) -> bool | None:
    """Whether the front (True) or the back of a straight slab is seen; None if neither, or of a bent one."""
    if slab.bend is None:
        for front, there in ((True, True), (False, slab.back is not None and slab.base is None)):
            if there and plane(slab, front).seen(camera):
                return front
    return None


def kinds(shape: Mesh, front: bool) -> NDArray[np.int8] | None:
    """What of a mesh's vertices (n,) is wall, 0, border, 1, or gasket, 2, of the face that is seen."""
    if not shape.rims[not front]:
        return None
    found = np.zeros(len(shape.points), np.int8)
    found[shape.material == (FRONT if front else BACK)] = 1
    found[(shape.material == GASKET) & ((shape.height > 0) == front)] = 2
    return found


def rim(shape: Mesh, front: bool, outer: U8, camera: Camera, box: Box) -> Rim:
    """The shares of a slab whose front or back is seen, and whose outline covers `outer` (h, w) of 255.

    The outline of what is above a plane is that of its convex hull, as long as the camera is above it too.
    """
    flat = camera.project(shape.cap(front, 0)).astype(np.float32)
    if not shape.rims[not front]:
        face = levels([flat], box)
        return Rim(face, _less(outer, face))
    face, own, sealed = layers([flat, *(_hull(camera, points) for points in shape.rims[not front])], box)
    return Rim(face, _less(outer, sealed), _less(own, face), _less(sealed, own))


def _hull(camera: Camera, points: NDArray[np.float64]) -> F32:
    return np.asarray(cv2.convexHull(camera.project(points).astype(np.float32))[:, 0], np.float32)


def _less(whole: U8, part: U8) -> U8:
    """The difference, 0 where the part is more."""
    return np.asarray(cv2.subtract(whole, part), np.uint8)


def join(walls: Samples, border: Samples | None, shares: Rim) -> None:
    """Give walls, gasket and border their exact shares instead of those of their samples, all in `walls`."""
    _weigh(walls, shares.wall)
    if border is None or shares.border is None or shares.gasket is None:
        return
    _weigh(border, shares.border)
    light, hits = walls.rgb.reshape(-1, 3), walls.hit.ravel()
    for at in _bands(border.hit > 0):
        light[at] += border.rgb.reshape(-1, 3)[at]
        hits[at] += border.hit.ravel()[at]
    for at in _bands(shares.gasket > 0):
        gap = shares.gasket.ravel()[at] * np.float32(1 / 255)
        light[at] += gap[:, None] * np.float32(GASKET_RADIANCE)
        hits[at] += gap


def _weigh(samples: Samples, share: U8) -> None:
    """Scale samples in place to the `share` (h, w) of 255 that is wanted where there are any.

    Where none hit, colour is borrowed from nearby.
    """
    light, hits, wanted = samples.rgb.reshape(-1, 3), samples.hit.ravel(), share.ravel()
    borrow(samples.rgb, samples.hit, np.flatnonzero((share > 0) & (samples.hit <= 0)))
    for at in _bands(samples.hit > 0):
        own = wanted[at] * np.float32(1 / 255)
        light[at] *= (own / hits[at])[:, None]
        hits[at] = own


def _bands(mask: NDArray[np.bool_]) -> Iterator[NDArray[np.intp]]:
    """Where a mask is true, flat, some at a time."""
    flat = mask.ravel()
    for start in range(0, len(flat), BAND):
        at = np.flatnonzero(flat[start : start + BAND])
        if len(at):
            yield at + start


def borrow(rgb: F32, hit: F32, lost: NDArray[np.intp]) -> None:
    """Give pixels `lost` (flat) the mean colour of the samples around them, in place.

    Colours (h, w, 3) are premultiplied by the share `hit` (h, w); it becomes 1. Pixels farther than NEAR px
    from any stay as they are.
    """
    if not len(lost):
        return
    height, width = hit.shape
    near = cv2.dilate((hit > 0).view(np.uint8), np.ones((2 * NEAR + 1, 2 * NEAR + 1), np.uint8))
    lost, light, hits = lost[near.ravel()[lost] > 0], rgb.reshape(-1, 3), hit.ravel()
    steps = np.arange(-1, 2)
    for _ in range(NEAR):
        if not len(lost):
            return
        y, x = np.divmod(lost, width)
        rows = np.minimum(np.maximum(y + steps[:, None], 0), height - 1) * width
        columns = np.minimum(np.maximum(x + steps[:, None], 0), width - 1)
        beside = (rows[:, None] + columns).reshape(9, -1)
        total, weight = light[beside].sum(axis=0), hits[beside].sum(axis=0)
        found = weight > 0
        light[lost[found]] = total[found] / weight[found][:, None]
        hits[lost[found]] = 1
        lost = lost[~found]
