"""Straps and their case: neither is wholly behind the other, so a strap's mesh is cut in two."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...arrays import F32
from ..kernels.hiding import before, boxes, within
from .camera import Camera
from .mesh import Mesh
from .raster import facing

SUNK = 0.8  # mm by which straps extend into the case, so that no light shows along the joint
SLACK = 0.5  # mm by which the end of a strap may lie inside the case and still count as before it
THIN = 4  # one in this many triangles of a case is tested
BEFORE = 3.0  # mm by which a piece of a strap must be nearer than another to lie before it
MARGIN = 1.0  # px around the case in which a strap is painted again


def sunk(shape: Mesh, case: Mesh) -> Mesh:
    """A strap whose open end is extended into its case, at the same width."""
    into = case.points.mean(axis=0) - shape.points
    # Extend straight: the sides must not bend where they meet the case's outline.
    into[:, 0] = 0
    into *= SUNK / np.linalg.norm(into, axis=1, keepdims=True)
    return replace(shape, points=np.where(shape.cut[:, None], shape.points + into, shape.points))


def unhidden(shape: Mesh, case: Mesh, outline: F32, camera: Camera) -> Mesh:
    """The triangles of a strap's mesh that hide a part of its convex case, whose `outline` is (n, 2) px.

    A point within the outline lies before the case if it is above any plane of the case that faces the
    camera. The end of a strap may lie a little inside the case. Its points count as before the case if the
    nearest plane faces the camera. Triangles of the strap that lie before such triangles are included:
    otherwise those would be painted over them.
    """
    front = np.zeros(len(shape.points), bool)
    front[shape.triangles[facing(shape, camera.eye)]] = True
    over = np.flatnonzero(front)
    over = over[within(camera.project(shape.points[over]), outline.astype(np.float64), MARGIN) > 0]
    toward = facing(case, camera.eye)
    ahead, behind = (np.flatnonzero(which)[::THIN] for which in (toward, ~toward))
    some = np.append(ahead, behind)
    above = before(shape.points[over], case.planes[some], toward[some].astype(np.uint8), SLACK) > 0
    front[over[~above]] = False
    hiding = np.zeros(len(shape.points), bool)
    hiding[over] = above
    whole = np.asarray(front[shape.triangles].all(axis=1))
    own = np.asarray(hiding[shape.triangles].any(axis=1) & whole)
    own[_nearer(shape, np.flatnonzero(own), np.flatnonzero(whole & ~own), camera)] = True
    return replace(shape, triangles=shape.triangles[own], planes=shape.planes[own], welded=shape.welded[own])


def _nearer(shape: Mesh, own: NDArray[np.intp], others: NDArray[np.intp], camera: Camera) -> NDArray[np.intp]:
    """Which triangles of `others` lie before any of `own`, as where a strap curls."""
    depth = camera.depth(shape.points) * camera.distance
    places = np.column_stack([camera.project(shape.points), depth])[shape.triangles[np.append(own, others)]]
    low, high = (np.ascontiguousarray(places.min(axis=1)), np.ascontiguousarray(places.max(axis=1)))
    return others[boxes(low, high, BEFORE, len(own)) > 0]
