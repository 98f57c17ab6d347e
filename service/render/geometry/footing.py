"""Footings of raised parts over rounded edges: their walls reach down to the surface that curves away."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...arrays import F32, F64
from ...devices.device import Corner, Slab
from ..memoize import MIB, memoize
from .camera import Camera
from .mesh import FULL, Halvings, Mesh, mesh, pose
from .outline import beyond
from .raster import facing

LEAST = 0.02  # mm; a narrower gap is too small to see
# Additional rows of vertices of an upright wall, whose light changes towards its foot; half of them are
# visible.
ROWS = 4
STANDING = 0.9  # cosine of the tilt up to which a part stands on a face; by construction
HALVINGS = 12  # bisection steps to find where a wall meets the surface below


@memoize(16 * MIB)  # room for a watch; most results share their arrays with those of `mesh`
def rooted(slab: Slab, parent: Slab | None, *, halvings: Halvings = FULL) -> Mesh:
    """The mesh of a part whose wall is extended below its `base` until it meets its rounded `parent`.

    The slab's own mesh is returned if it has no parent, if it meets the parent already or is too far above
    it, or if either is bent.
    """
    # Called with the same arguments as for outlines, so that both share one cached mesh.
    shape = mesh(slab) if halvings == FULL else mesh(slab, halvings=halvings)
    if parent is None or slab.base is None or slab.bend is not None or parent.bend is not None:
        return shape
    deep = _depths(shape.points[_foot(slab, shape)], slab, parent)
    if deep.max() < LEAST or deep.min() > _most(slab) - LEAST:
        return shape
    shape = mesh(slab, halvings=halvings, rows=ROWS >> halvings.edges)
    foot = _foot(slab, shape)
    points, height = shape.points.copy(), shape.height.copy()
    points[foot] -= deep[:, None] * pose(slab)[0][:, 2]
    height[foot] -= deep
    return shape.moved(points, height)


@memoize(8 * MIB)
def joined(slabs: tuple[Slab, ...], parent: Slab | None, *, halvings: Halvings = FULL) -> Mesh:
    """The rooted meshes of straight parts of one parent, joined to one mesh in the order of the parts."""
    meshes = [rooted(slab, parent, halvings=halvings) for slab in slabs]
    starts = np.cumsum([0, *(len(one.points) for one in meshes[:-1])])
    return replace(
        meshes[0],
        points=np.concatenate([one.points for one in meshes]),
        normals=np.concatenate([one.normals for one in meshes]),
        along=np.concatenate([one.along for one in meshes]),
        material=np.concatenate([one.material for one in meshes]),
        height=np.concatenate([one.height for one in meshes]),
        triangles=np.concatenate(
            [one.triangles + np.int32(start) for one, start in zip(meshes, starts, strict=True)]
        ),
        planes=np.concatenate([one.planes for one in meshes]),
        straight=np.concatenate([one.straight for one in meshes]),
        convex=False,
    )


@memoize(2 * MIB)
def below(slab: Slab, parent: Slab | None, *, halvings: Halvings = FULL) -> F64 | None:
    """Unit normals (n, 3), device space, of the surface below each vertex of a part's wall.

    None for parts that stand on flat faces, and for bent slabs.
    """
    shape = rooted(slab, parent, halvings=halvings)
    if parent is None or slab.base is None or slab.bend is not None or parent.bend is not None:
        return None
    foot = _foot(slab, shape)
    axes, center = pose(parent)
    up = pose(slab)[0][:, 2]
    side = float(axes[:, 2] @ up)
    face = abs(side) > STANDING
    if not _sunk(slab, shape):
        standing = (shape.points[foot] - center) @ axes
        inset, over, _ = _edge(standing, parent)
        # The foot stands on the quarter circle of the edge.
        on_arc = np.abs(np.hypot(parent.edge - inset, over) - parent.edge) < LEAST
        if not face or not (on_arc & (inset < parent.edge) & (side * standing[:, 2] > 0)).any():
            return None
    columns = np.resize(np.arange(len(foot)), len(shape.points))
    high = shape.height - shape.height[foot][columns]
    out = np.cross(shape.along, up)
    # A vertex sees the surface mainly at a distance equal to its own height.
    places = shape.points[foot][columns] + out * high[:, None]
    bends = _normals((places - center) @ axes, parent, face=face) @ axes.T
    # Vertices that face up or down do not see the bent part of the surface.
    share = 1 - np.abs(shape.normals @ up)[:, None]
    normals = up + (bends - up) * share
    return np.asarray(normals / np.linalg.norm(normals, axis=1, keepdims=True), np.float64)


def skirt(slab: Slab, shape: Mesh, camera: Camera) -> Iterator[F32]:
    """The outlines (n, 2), px, of the visible extension of a rooted part's wall, from base to foot."""
    if not _sunk(slab, shape):
        return
    foot = _foot(slab, shape)
    count = len(foot)
    # The last strip of triangles, two for each point of its rings.
    seen = facing(shape, camera.eye)[-2 * count :].reshape(2, count).any(axis=0)
    if not seen.any():
        return
    low, high = (camera.project(shape.points[at]).astype(np.float32) for at in (foot, foot - count))
    # Start at the first visible point after an invisible one, so that no run wraps around.
    start = int(np.flatnonzero(seen & ~np.roll(seen, 1))[0]) if not seen.all() else 0
    runs = np.flatnonzero(np.diff(np.r_[False, np.roll(seen, -start), False]))
    for first, end in runs.reshape(-1, 2) + start:
        at = np.arange(first, end + 1) % count
        yield np.concatenate([high[at], low[at[::-1]]])


def _sunk(slab: Slab, shape: Mesh) -> bool:
    """Whether a straight slab's mesh extends below its base."""
    return slab.base is not None and slab.bend is None and bool(shape.height.min() < slab.base - LEAST)


def _foot(slab: Slab, shape: Mesh) -> NDArray[np.intp]:
    """The points of the last ring of a raised part's wall, in order around it."""
    count = len(shape.points) - int(np.flatnonzero(shape.height > (slab.base or 0.0) + 1e-9)[-1]) - 1
    return np.arange(len(shape.points) - count, len(shape.points))


def _most(slab: Slab) -> float:
    """How far a part's wall may be extended below its base, mm: to the slab's back."""
    return slab.size[2] / 2 + (slab.base or 0.0)


def _depths(points: F64, slab: Slab, parent: Slab) -> F64:
    """The depths (n,) below `points` (n, 3) of its foot at which a part's wall meets its parent, mm; at most
    the part's own depth."""
    axes, center = pose(parent)
    start, down = (points - center) @ axes, -pose(slab)[0][:, 2] @ axes
    low, high = np.zeros(len(points)), np.full(len(points), _most(slab))
    high[_within(start, parent)] = 0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        inside = _within(start + middle[:, None] * down, parent)
        low, high = np.where(inside, low, middle), np.where(inside, middle, high)
    return high


def _within(points: F64, slab: Slab) -> NDArray[np.bool_]:
    """Whether points (n, 3), mm from its middle, are inside a straight slab."""
    inset, over, _ = _edge(points, slab)
    bent = slab.edge - np.sqrt(np.maximum(slab.edge**2 - over**2, 0))
    return np.asarray((over <= slab.edge) & (inset >= bent), np.bool_)


def _normals(points: F64, slab: Slab, *, face: bool) -> F64:
    """The unit normals (n, 3) of a slab's rounded wall below points (n, 3) that lie over a `face` or, if that
    is False, over a side wall."""
    inset, over, out = _edge(points, slab)
    up = np.minimum(over / slab.edge, 1)
    if face:
        up = np.where(over > 0, np.sqrt(1 - np.clip(1 - inset / slab.edge, 0, 1) ** 2), 0)
    flat = out * np.sqrt(1 - up * up)[:, None]
    return np.column_stack([flat, up * np.sign(points[:, 2])])


def _edge(points: F64, slab: Slab) -> tuple[F64, F64, F64]:
    """The distances of points inside a slab's outline and over its upright wall, (n,) mm, and the outline's
    normals (n, 2) there."""
    inset, out = _inset(points, slab, slab.corner)
    if slab.lower is not None:
        low = points[:, 1] < 0
        inset[low], out[low] = _inset(points[low], slab, slab.lower)
    over = np.maximum(np.abs(points[:, 2]) - (slab.size[2] / 2 - slab.edge), 0)
    return inset, over, out


def _inset(points: F64, slab: Slab, corner: Corner) -> tuple[F64, F64]:
    """The distances (n,), mm, of points (n, 3) inside a slab's outline with four equal corners, and the
    outline's normals (n, 2) there."""
    half, extents = np.array(slab.size[:2]) / 2 - corner.offset, corner.extents(*slab.size[:2])
    x, y = np.maximum(np.abs(points[:, :2]) - (half - extents), 0).T
    away, slope = beyond(x, y, extents, corner.exponent)
    out = (slope / np.maximum(np.hypot(*slope), 1e-9)).T * np.sign(points[:, :2])
    return corner.offset - away, out
