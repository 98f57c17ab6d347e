"""The light of a bend's faces, by final gather, as for the flat faces that the bend joins.

Other walls use fewer rays; on a bend, the difference would show as a line where it meets the flat face.
With fewer rays, the error of the Studio Display's metal would rise from 1.79 to 1.82 code values.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...arrays import F32, F64
from ...devices.device import Slab
from ..geometry.mesh import BACK, COLUMNS, FRONT, Mesh, pose
from ..geometry.raster import facing
from ..light.frame import Frame
from ..light.occluder import Occluder
from ..light.shading import Points
from .final_gather import gathered

ACROSS = 2  # light is gathered at every ACROSS-th column of vertices; by cost


def curved(
    frame: Frame, slab: Slab, shape: Mesh, front: bool, over: Sequence[Occluder]
) -> tuple[NDArray[np.intp], F32]:
    """The vertices (n,) of a bend's front or back, and their radiance (n, 3); none if that face is turned
    away.

    `over` are the occluders of any part of the face.
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
    # Directions are as seen from outside.
    x = pose(slab)[0][:, 0] * (1.0 if front else -1.0)
    points = _points(frame, shape, x, grid[rows][:, columns], grid[rows][:, COLUMNS // 2])
    light, _ = gathered(frame.face(slab, front), points, frame.light, over, points.normals)
    lines = light.reshape(len(rows), len(columns), 3).swapaxes(0, 1).reshape(len(columns), -1)
    across = _between(columns, COLUMNS + 1, lines).reshape(COLUMNS + 1, len(rows), 3).swapaxes(0, 1)
    whole = _between(rows, len(grid), across.reshape(len(rows), -1))
    return own, whole.reshape(-1, 3)


def _points(
    frame: Frame, shape: Mesh, x: F64, vertices: NDArray[np.intp], middles: NDArray[np.intp]
) -> Points:
    """The points of a bend's face at `vertices` (rows, columns), row by row.

    The points of a row lie on a line along `x` (3,) through the row's middle, which is a vertex of `middles`
    (rows,).
    """
    camera, origins = frame.camera, shape.points[middles][:, None]
    places = origins + ((shape.points[vertices] - origins) @ x)[..., None] * x
    points = camera.view(places.reshape(-1, 3)).astype(np.float32)
    away = frame.eye - points
    toward = (away / np.linalg.norm(away, axis=1, keepdims=True)).astype(np.float32)
    normals = camera.view(shape.normals[middles]).astype(np.float32)
    along = camera.view(x[None]).astype(np.float32)
    return Points(
        np.repeat(normals, vertices.shape[1], axis=0), np.repeat(along, len(points), axis=0), toward, points
    )


def _between(places: NDArray[np.intp], count: int, values: F32) -> F32:
    """Values (count, k) interpolated at places 0 to `count`, from `values` (m, k) at `places` in order."""
    every = np.arange(count)
    interpolated = np.stack([np.interp(every, places, one) for one in values.T], axis=1)
    return interpolated.astype(np.float32)
