"""The light of a bend's faces, by final gather, as on the flat faces that the bend joins.

Other walls use fewer rays; on a bend, the difference would show as a line where it meets the flat face.
With fewer rays, the error of the Studio Display's metal would rise from 1.79 to 1.82 code values.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...arrays import F32
from ...devices.device import Slab
from ..geometry.face import Plane
from ..geometry.mesh import BACK, COLUMNS, FRONT, Mesh, pose
from ..geometry.raster import facing
from ..light.frame import Frame
from ..light.occluder import Occluder
from .final_gather import sent

ACROSS = 2  # columns of vertices per column at which light is gathered; by cost


def curved(
    frame: Frame, slab: Slab, shape: Mesh, front: bool, over: Sequence[Occluder]
) -> tuple[NDArray[np.intp], F32]:
    """The vertices (n,) of a bend's front or back, and their radiance (n, 3); none if it is turned away.

    `over` are the occluders of any part of it.
    """
    own = np.flatnonzero(shape.material == (FRONT if front else BACK))
    drawn = np.zeros(len(shape.points), bool)
    drawn[shape.triangles[facing(shape, frame.camera.eye)]] = True
    grid = own.reshape(-1, COLUMNS + 1)
    shown = np.flatnonzero(drawn[grid].any(axis=1))
    if not len(shown):
        return own[:0], np.zeros((0, 3), np.float32)
    count = math.ceil(frame.quality.bend_rows * len(shown) / len(grid))
    rows = np.unique(np.linspace(shown[0], shown[-1], max(count, 2)).astype(np.intp))
    columns = np.arange(0, COLUMNS + 1, ACROSS)
    lines = []
    for row in grid[rows]:
        at = _tangent(slab, shape, row[COLUMNS // 2], front)
        places = (shape.points[row[columns]] - at.origin) @ at.x
        few, _ = sent(frame, frame.face(slab, front), at, over, (places, np.zeros(1)))
        lines.append(_between(columns, COLUMNS + 1, few[0, :, :3]))
    whole = _between(rows, len(grid), np.stack(lines).reshape(len(rows), -1))
    return own, whole.reshape(-1, 3)


def _tangent(slab: Slab, shape: Mesh, vertex: int, front: bool) -> Plane:
    """The tangent plane of a bend at a vertex of its front or back, with x as seen from outside."""
    x, normal = pose(slab)[0][:, 0] * (1.0 if front else -1.0), shape.normals[vertex]
    return Plane(shape.points[vertex], x, np.cross(normal, x), normal)


def _between(places: NDArray[np.intp], count: int, values: F32) -> F32:
    """Values (count, k) interpolated at places 0 to `count`, from `values` (m, k) at `places` in order."""
    every = np.arange(count)
    interpolated = np.stack([np.interp(every, places, one) for one in values.T], axis=1)
    return interpolated.astype(np.float32)
