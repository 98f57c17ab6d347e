"""Tests of which points and boxes lie in front of others, and the loops of edges around a set of
triangles."""

import cython
import numpy as np
from cython.cimports.libc.math import sqrt

from ...arrays import I32, U8

INSIDE = cython.declare(cython.int, -2)  # stands for an edge between two triangles


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _height(
    point: cython.p_const_double, planes: cython.const_double[:, ::1], j: cython.Py_ssize_t
) -> cython.double:
    """The height of a point above a plane with a unit normal."""
    x: cython.double = point[0] * planes[j, 0]
    return x + point[1] * planes[j, 1] + point[2] * planes[j, 2] - planes[j, 3]


def before(
    points: cython.const_double[:, ::1],
    inside: cython.const_uchar[::1],
    ahead: cython.const_double[:, ::1],
    behind: cython.const_double[:, ::1],
    slack: cython.double,
) -> U8:
    """Which points (n, 3) lie in front of a convex body with outward planes, as uint8.

    The planes `ahead` (m, 4) face the camera, those `behind` (l, 4) do not; all have unit normals. A point
    lies in front of the body if it is above a plane ahead, or if it is less than `slack` inside and its
    nearest plane is ahead. But a point that is seen `inside` (n,) the body's outline, and is above a plane
    behind, lies behind the body. Raises ValueError for arrays that do not fit.
    """
    m: cython.Py_ssize_t = ahead.shape[0]
    n: cython.Py_ssize_t = behind.shape[0]
    if points.shape[1] != 3 or inside.shape[0] != points.shape[0]:
        raise ValueError("points have 3 coordinates, and are inside an outline or not")
    if ahead.shape[1] != 4 or behind.shape[1] != 4:
        raise ValueError("planes have 4 numbers")
    nearer_ = np.zeros(points.shape[0], np.uint8)
    if not points.shape[0] or not m:
        return nearer_
    nearer: cython.uchar[::1] = nearer_
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    # The planes above which the last point was found: the next point is often above the same planes.
    over: cython.Py_ssize_t = 0
    under: cython.Py_ssize_t = 0
    with cython.nogil:
        for i in range(points.shape[0]):
            point: cython.p_const_double = cython.address(points[i, 0])
            if _height(point, ahead, over) > 0:
                nearer[i] = 1
                continue
            if inside[i] and n:
                j = under
                if not _height(point, behind, j) > 0:
                    j = 0
                    while j < n and not _height(point, behind, j) > 0:
                        j += 1
                if j < n:
                    under = j
                    continue
            most: cython.double = -1e300
            for j in range(m):
                high: cython.double = _height(point, ahead, j)
                most = high if high > most else most
                if most > 0:
                    over = j
                    break
            nearer[i] = most > -slack
            if most > 0 or not nearer[i]:
                continue
            for j in range(n):
                if not _height(point, behind, j) < most:
                    nearer[i] = 0
                    break
    return nearer_


def boxes(
    low: cython.const_double[:, ::1],
    high: cython.const_double[:, ::1],
    margin: cython.double,
    own: cython.Py_ssize_t,
) -> U8:
    """Which boxes after the first `own` boxes lie in front of one of these that they overlap, as uint8 (n -
    own,).

    `low` and `high` (n, 3) are their ends across, down and in depth. A box lies in front of another if it
    ends more than a `margin` before the other begins. Raises ValueError for arrays that do not fit.
    """
    n: cython.Py_ssize_t = low.shape[0]
    if low.shape[1] != 3 or high.shape[1] != 3 or high.shape[0] != n or not 0 <= own <= n:
        raise ValueError("boxes have two ends of 3 coordinates")
    nearer_ = np.zeros(n - own, np.uint8)
    if own == n:
        return nearer_
    nearer: cython.uchar[::1] = nearer_
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    with cython.nogil:
        for i in range(own, n):
            for j in range(own):
                if (
                    low[j, 2] > high[i, 2] + margin
                    and low[j, 0] < high[i, 0]
                    and high[j, 0] > low[i, 0]
                    and low[j, 1] < high[i, 1]
                    and high[j, 1] > low[i, 1]
                ):
                    nearer[i - own] = 1
                    break
    return nearer_


def within(
    points: cython.const_double[:, ::1], outline: cython.const_double[:, ::1], margin: cython.double
) -> U8:
    """Which points (n, 2) lie in a convex outline (m, 2), or less than a `margin` from its sides, as uint8.

    The outline may run in either direction. Raises ValueError for arrays that do not fit.
    """
    m: cython.Py_ssize_t = outline.shape[0]
    if points.shape[1] != 2 or outline.shape[1] != 2:
        raise ValueError("points and corners have 2 coordinates")
    inside_ = np.zeros(points.shape[0], np.uint8)
    if not points.shape[0] or not m:
        return inside_
    planes_ = np.empty((m, 3))
    inside: cython.uchar[::1] = inside_
    planes: cython.double[:, ::1] = planes_
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    area: cython.double = 0
    low_x: cython.double = outline[0, 0]
    low_y: cython.double = outline[0, 1]
    high_x: cython.double = low_x
    high_y: cython.double = low_y
    tiny: cython.double = 1e-9
    with cython.nogil:
        for j in range(m):
            i = j + 1 if j + 1 < m else 0
            area += outline[j, 0] * outline[i, 1] - outline[i, 0] * outline[j, 1]
        for j in range(m):
            i = j + 1 if j + 1 < m else 0
            x: cython.double = outline[i, 1] - outline[j, 1]
            y: cython.double = outline[j, 0] - outline[i, 0]
            length: cython.double = sqrt(x * x + y * y)
            length = length if length > tiny else tiny
            length = -length if area < 0 else length
            planes[j, 0] = x / length
            planes[j, 1] = y / length
            planes[j, 2] = planes[j, 0] * outline[j, 0] + planes[j, 1] * outline[j, 1] + margin
            low_x = outline[j, 0] if outline[j, 0] < low_x else low_x
            low_y = outline[j, 1] if outline[j, 1] < low_y else low_y
            high_x = outline[j, 0] if outline[j, 0] > high_x else high_x
            high_y = outline[j, 1] if outline[j, 1] > high_y else high_y
        for i in range(points.shape[0]):
            x = points[i, 0]
            y = points[i, 1]
            if not (low_x - margin < x < high_x + margin and low_y - margin < y < high_y + margin):
                continue
            inside[i] = 1
            for j in range(m):
                if not x * planes[j, 0] + y * planes[j, 1] < planes[j, 2]:
                    inside[i] = 0
                    break
    return inside_


def loops(triangles: cython.const_int[:, ::1], count: cython.Py_ssize_t) -> tuple[I32, I32]:
    """The loops formed by the edges that belong to only one triangle; `triangles` (m, 3) are indices of
    `count` points.

    Returns the points along the loops, one loop after the other, and the indices at which the loops end.
    Raises ValueError for an index of a point that does not exist.
    """
    m: cython.Py_ssize_t = triangles.shape[0]
    if triangles.shape[1] != 3:
        raise ValueError("triangles have 3 corners")
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    for i in range(m):
        for j in range(3):
            if not 0 <= triangles[i, j] < count:
                raise ValueError(f"triangle {i} has the corner {triangles[i, j]} of {count}")
    # A linked list for each point has the edges that leave it: `last` is its last edge, and `before` leads
    # from each edge to the one before it.
    last_ = np.full(count, -1, np.int32)
    alone_ = np.full(count, -1, np.int32)
    before_ = np.empty(3 * m, np.int32)
    way_ = np.empty((3 * m, 2), np.int32)
    # A loop has one point more than it has edges.
    along_ = np.empty(6 * m, np.int32)
    ends_ = np.empty(3 * m, np.int32)
    last: cython.int[::1] = last_
    alone: cython.int[::1] = alone_
    before: cython.int[::1] = before_
    way: cython.int[:, ::1] = way_
    along: cython.int[::1] = along_
    ends: cython.int[::1] = ends_
    edge: cython.int
    point: cython.int
    size: cython.Py_ssize_t = 0
    number: cython.Py_ssize_t = 0
    with cython.nogil:
        for j in range(3):
            for i in range(m):
                edge = cython.cast(cython.int, j * m + i)
                way[edge, 0] = triangles[i, j]
                way[edge, 1] = triangles[i, j + 1 if j < 2 else 0]
                before[edge] = last[way[edge, 0]]
                last[way[edge, 0]] = edge
        # An edge is inside if another triangle has it the other way round.
        for i in range(3 * m):
            edge = last[way[i, 1]]
            while edge >= 0 and way[edge, 1] != way[i, 0]:
                edge = before[edge]
            along[i] = edge
        for i in range(3 * m):
            if along[i] >= 0:
                before[i] = INSIDE
                continue
            before[i] = alone[way[i, 0]]
            alone[way[i, 0]] = cython.cast(cython.int, i)
        for i in range(3 * m):
            if before[i] == INSIDE:
                continue
            point = way[i, 0]
            while alone[point] >= 0:
                along[size] = point
                size += 1
                while alone[point] >= 0:
                    edge = alone[point]
                    alone[point] = before[edge]
                    point = way[edge, 1]
                    along[size] = point
                    size += 1
                ends[number] = cython.cast(cython.int, size)
                number += 1
                point = way[i, 0]
    return along_[:size], ends_[:number]
