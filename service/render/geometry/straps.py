"""Straps and their case: neither is wholly behind the other, so a strap's mesh is cut in two."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...arrays import F32, F64
from ...devices.device import Slab
from ..kernels.hiding import before, boxes, within
from ..memoize import MIB, memoize
from .camera import Camera
from .mesh import Mesh
from .raster import facing
from .silhouette import solid

SUNK = 0.8  # mm by which straps extend into the case, so that no light shows along the joint
SLACK = 0.5  # mm by which the end of a strap may lie inside the case and still count as in front of it
THIN = 4  # of a case's triangles, every THIN-th one is tested
BEFORE = 3.0  # mm by which a piece of a strap must be nearer than another to lie in front of it
MARGIN = 1.0  # px around the case in which a strap is painted again
CLEAR = 0.01  # px inside the case's outline beyond which a point is certainly in front or behind; a guard


def sunk(shape: Mesh, middle: F64) -> Mesh:
    """A strap whose open end is extended into its case, towards its `middle` (3,) mm, at the same width."""
    points, end = shape.points.copy(), np.flatnonzero(shape.cut)
    into = middle - points[end]
    # Extend straight: the sides must not bend where they meet the case's outline.
    into[:, 0] = 0
    points[end] += into * (SUNK / np.linalg.norm(into, axis=1, keepdims=True))
    return replace(shape, points=points)


@memoize(MIB // 4)
def middle(case: Slab) -> F64:
    """The mean (3,) of the points of a case's mesh, mm."""
    found: F64 = solid(case).points.mean(axis=0)
    found.flags.writeable = False
    return found


class Case(NamedTuple):
    """A convex case as a camera sees it: its `outline` (n, 2) px, and some planes (m, 4) with unit normals.

    The planes `ahead` face the camera, those `behind` do not.
    """

    camera: Camera
    outline: F64
    ahead: F64
    behind: F64

    @classmethod
    def of(cls, case: Mesh, outline: F32, camera: Camera) -> Case:
        """Describe a case by its mesh and its outline (n, 2)."""
        toward = facing(case, camera.eye)
        ahead, behind = (_unit(case.planes[np.flatnonzero(which)[::THIN]]) for which in (toward, ~toward))
        return cls(camera, outline.astype(np.float64), ahead, behind)


def _unit(planes: F64) -> F64:
    """Planes (m, 4) with unit normals."""
    length = np.sqrt(np.einsum("ij,ij->i", planes[:, :3], planes[:, :3]))
    return np.asarray(planes / np.maximum(length, 1e-12)[:, None], np.float64)


def unhidden(shape: Mesh, case: Case) -> Mesh:
    """The triangles of a strap's mesh that hide a part of its case.

    A point within the outline lies in front of the case if it is above any plane of the case that faces the
    camera. The end of a strap may lie a little inside the case. Its points count as in front of the case if
    the nearest plane faces the camera. Other triangles of the strap that lie in front of a hiding triangle
    are included as well, because the rest of the strap is painted earlier and would be covered.
    """
    camera, places = case.camera, case.camera.project(shape.points)
    front = np.zeros(len(shape.points), bool)
    front[shape.triangles[facing(shape, camera.eye)]] = True
    over = np.flatnonzero(front)
    over = over[within(places[over], case.outline, MARGIN) > 0]
    inside = within(places[over], case.outline, -CLEAR)
    above = before(shape.points[over], inside, case.ahead, case.behind, SLACK) > 0
    front[over[~above]] = False
    hiding = np.zeros(len(shape.points), bool)
    hiding[over] = above
    # NumPy takes many times as long to reduce an axis of three.
    first, second, third = shape.triangles.T
    whole = front[first] & front[second] & front[third]
    own = (hiding[first] | hiding[second] | hiding[third]) & whole
    others = np.flatnonzero(whole & ~own)
    deep = np.column_stack([places, camera.depth(shape.points) * camera.distance])
    own[others[_nearer(deep, shape.triangles[own], shape.triangles[others])]] = True
    return replace(shape, triangles=shape.triangles[own], planes=shape.planes[own], welded=shape.welded[own])


def _nearer(deep: F64, own: NDArray[np.int32], others: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Which `others` (m, 3) of the triangles lie in front of any of `own` (n, 3), as where a strap curls;
    (m,).

    The corners of triangles are rows of `deep`: px across, px down, and depth, mm.
    """
    first, second, third = deep[np.concatenate([own, others]).T]
    low, high = (each(each(first, second), third) for each in (np.minimum, np.maximum))
    return np.asarray(boxes(low, high, BEFORE, len(own)) > 0)
