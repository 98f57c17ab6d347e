"""Straps and the case that they come out of: neither is wholly behind the other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from service.arrays import F32, F64
from service.render.geometry.camera import Camera
from service.render.geometry.mesh import Mesh
from service.render.geometry.raster import facing

SUNK = 0.8  # mm by which straps go on inside the case, so that nothing shines through along its edge
SLACK = 0.5  # mm by which the end of a strap may lie inside the case that it fits
THIN = 4  # of so many triangles of a case, next to each other, one tells what lies before it
FEW = 16  # of so many of those planes, one tells of most points that they are above it; by cost
BEFORE = 3.0  # mm from one piece of a strap to another that lies before it
MARGIN = 1.0  # px around the case in which a strap is painted again


def sunk(shape: Mesh, case: Mesh) -> Mesh:
    """A strap whose open end goes on into its case, as wide as it is."""
    into = case.points.mean(axis=0) - shape.points
    # Its sides must not turn aside just where they meet the case's outline.
    into[:, 0] = 0
    into *= SUNK / np.linalg.norm(into, axis=1, keepdims=True)
    return replace(shape, points=np.where(shape.cut[:, None], shape.points + into, shape.points))


def unhidden(shape: Mesh, case: Mesh, outline: F32, camera: Camera) -> Mesh:
    """What of a strap hides a part of its convex case, of this `outline` (n, 2) px, as a mesh.

    A point over the outline lies before the case where it is above any of the planes that face the camera.
    One a little inside the case, as the end of a strap may be, does where the nearest plane faces the camera.
    What lies before such triangles belongs to them, since they are painted over it.
    """
    front = np.zeros(len(shape.points), bool)
    front[shape.triangles[facing(shape, camera.eye)]] = True
    over = np.flatnonzero(front)
    over = over[_within(camera.project(shape.points[over]), outline)]
    toward = facing(case, camera.eye)
    above = _before(shape.points[over], case.planes[toward][::THIN], case.planes[~toward][::THIN])
    front[over[~above]] = False
    hiding = np.zeros(len(shape.points), bool)
    hiding[over] = above
    whole = np.asarray(front[shape.triangles].all(axis=1))
    own = np.asarray(hiding[shape.triangles].any(axis=1) & whole)
    own |= _nearer(shape, np.flatnonzero(own), np.flatnonzero(whole & ~own), len(own), camera)
    return replace(shape, triangles=shape.triangles[own], planes=shape.planes[own], welded=shape.welded[own])


def _nearer(
    shape: Mesh, own: NDArray[np.intp], others: NDArray[np.intp], count: int, camera: Camera
) -> NDArray[np.bool_]:
    """Which of `count` triangles are `others` that lie before `own` ones, as where a strap curls."""
    px, depth = camera.project(shape.points), camera.depth(shape.points) * camera.distance
    found = np.zeros(count, bool)
    if not len(own) or not len(others):
        return found
    (low, high, near, _), (least, most, _, far) = (
        (at.min(axis=1), at.max(axis=1), deep.min(axis=1), deep.max(axis=1))
        for at, deep in ((px[shape.triangles[some]], depth[shape.triangles[some]]) for some in (own, others))
    )
    some = (
        (far < near.max() - BEFORE)
        & (most > low.min(axis=0)).all(axis=1)
        & (least < high.max(axis=0)).all(axis=1)
    )
    for one in np.flatnonzero(some):
        met = (low < most[one]).all(axis=1) & (high > least[one]).all(axis=1)
        found[others[one]] = bool((near[met] > far[one] + BEFORE).any())
    return found


def _before(points: F64, toward: F64, away: F64) -> NDArray[np.bool_]:
    """Which points (n, 3) lie before a convex body of planes (m, 4) `toward` the camera and `away` from it."""
    ahead = _above(points, toward[::FEW])
    low = np.flatnonzero(ahead <= 0)
    ahead[low] = _above(points[low], toward)
    inside = np.flatnonzero((ahead <= 0) & (ahead > -SLACK))
    found = ahead > 0
    found[inside] = ahead[inside] > _above(points[inside], away)
    return np.asarray(found, np.bool_)


def _above(points: F64, planes: F64) -> F64:
    """How far points (n, 3) are above the plane (m, 4) that they are farthest above, mm."""
    planes = planes / np.maximum(np.linalg.norm(planes[:, :3], axis=1), 1e-12)[:, None]
    return np.asarray((points @ planes[:, :3].T - planes[:, 3]).max(axis=1, initial=-np.inf), np.float64)


def _within(points: F64, outline: F32) -> NDArray[np.bool_]:
    """Which points (n, 2) lie in a convex outline (m, 2), or MARGIN px from it."""
    step = np.roll(outline, -1, axis=0) - outline
    out = np.stack([step[:, 1], -step[:, 0]], axis=1) / np.maximum(np.hypot(*step.T), 1e-9)[:, None]
    # Outward, whichever direction the outline runs in.
    out *= np.sign(np.einsum("ij,ij", outline - outline.mean(axis=0), out))
    near = ((points > outline.min(axis=0) - MARGIN) & (points < outline.max(axis=0) + MARGIN)).all(axis=1)
    beyond = points[near] @ out.T - np.einsum("ij,ij->i", outline, out)
    near[near] = beyond.max(axis=1, initial=-np.inf) < MARGIN
    return np.asarray(near, bool)
