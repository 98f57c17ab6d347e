"""Where a slab's wall, gasket and face meet: each has exactly the share of a pixel that it covers."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from service.arrays import F32
from service.models.devices import Slab
from service.render.geometry.camera import Camera
from service.render.geometry.coverage import levels
from service.render.geometry.face import plane
from service.render.geometry.mesh import BACK, FRONT, GASKET, Mesh
from service.render.geometry.raster import Box, Samples
from service.render.paint.wall import GASKET_RADIANCE

NEAR = 3  # px from which a pixel without samples borrows colour


@dataclass(frozen=True, slots=True, eq=False)
class Rim:
    """The shares of pixels that the parts of a slab cover; together they are its outline's.

    `face` (h, w) is the flat face's. Pixels `at` (n,), flat, are not wholly within it: `wall` (n,) is their
    share of the wall, `border` (n,) that of the part of the face that bends towards it, `gasket` (n,) that of
    the gap in between; both are None without a gap. All float32.
    """

    face: F32
    at: NDArray[np.intp]
    wall: F32
    border: F32 | None = None
    gasket: F32 | None = None


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


def rim(shape: Mesh, front: bool, outer: F32, camera: Camera, box: Box) -> Rim:
    """The shares of a slab whose front or back is seen, and whose outline covers `outer` (h, w).

    The outline of what is above a plane is that of its convex hull, as long as the camera is above it too.
    """
    flat = levels([camera.project(shape.cap(front, 0)).astype(np.float32)], box)
    face = flat.astype(np.float32) * np.float32(1 / 255)
    at = np.flatnonzero((flat < 255) & (outer > 0))
    inner, whole = face.ravel()[at], outer.ravel()[at]
    if not shape.rims[not front]:
        return Rim(face, at, np.maximum(whole - inner, 0))
    hulls = [cv2.convexHull(camera.project(points).astype(np.float32)) for points in shape.rims[not front]]
    outlines = (np.asarray(hull[:, 0], np.float32) for hull in hulls)
    own, sealed = (levels([outline], box).ravel()[at] * np.float32(1 / 255) for outline in outlines)
    return Rim(face, at, *(np.maximum(part, 0) for part in (whole - sealed, own - inner, sealed - own)))


def joined(walls: Samples, border: Samples, shares: Rim) -> Samples:
    """Walls, gasket and border with their exact shares instead of those of their samples."""
    height, width = walls.hit.shape
    light, hit = np.zeros((height * width, 3), np.float32), np.zeros(height * width, np.float32)
    at = shares.at
    light[at], hit[at] = _weighed(walls, at, shares.wall)
    if shares.border is not None and shares.gasket is not None:
        color, own = _weighed(border, at, shares.border)
        light[at] += color + shares.gasket[:, None] * np.float32(GASKET_RADIANCE)
        hit[at] += own + shares.gasket
    return Samples(light.reshape(height, width, 3), hit.reshape(height, width))


def _weighed(samples: Samples, at: NDArray[np.intp], share: F32) -> tuple[F32, F32]:
    """The colours (n, 3) of samples, premultiplied by the share (n,) wanted, and the share that has any.

    Where nothing was hit, colour is borrowed from nearby.
    """
    hits = samples.hit.ravel()[at]
    lost = at[(hits <= 0) & (share > 0)]
    if len(lost):
        hits = samples.hit.copy().ravel()
        some = np.flatnonzero(hits > 0)
        light = samples.rgb.reshape(-1, 3)
        light[some] /= hits[some][:, None]
        hits[some] = 1
        borrow(samples.rgb, hits.reshape(samples.hit.shape), lost)
        hits = hits[at]
    known = np.where(hits > 0, share, np.float32(0))
    factor = known / np.maximum(hits, np.float32(1e-6))
    return np.asarray(samples.rgb.reshape(-1, 3)[at] * factor[:, None], np.float32), known


def borrow(rgb: F32, hit: F32, lost: NDArray[np.intp]) -> None:
    """Give pixels `lost` (flat) the mean colour of those around them that are `hit` (h, w), in place.

    Then they count as hit; those farther away than NEAR px stay as they are.
    """
    if not len(lost):
        return
    height, width = hit.shape
    near = cv2.dilate((hit > 0).view(np.uint8), np.ones((2 * NEAR + 1, 2 * NEAR + 1), np.uint8))
    lost, light, hits = lost[near.ravel()[lost] > 0], rgb.reshape(-1, 3), hit.ravel()
    for _ in range(NEAR):
        if not len(lost):
            return
        y, x = np.divmod(lost, width)
        total, weight = np.zeros((len(lost), 3), np.float32), np.zeros(len(lost), np.float32)
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                beside = np.clip(y + dy, 0, height - 1) * width + np.clip(x + dx, 0, width - 1)
                share = (hits[beside] > 0).astype(np.float32)
                total += light[beside] * share[:, None]
                weight += share
        found = weight > 0
        light[lost[found]] = total[found] / weight[found][:, None]
        hits[lost[found]] = 1
        lost = lost[~found]
