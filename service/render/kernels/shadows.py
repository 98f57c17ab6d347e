"""The outlines of the shadows that convex shapes cast."""

import cython
import numpy as np

from ...arrays import I32

FARTHEST = cython.declare(cython.int, 1 << 28)  # places farther away are moved to this distance; a guard


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _whole(value: cython.double) -> cython.int:
    """The nearest whole number, ties to even; the place farthest away for NaN."""
    # From this number to twice this number, doubles have no fractional part.
    large: cython.double = 6755399441055744.0
    value = value if value > -FARTHEST else -FARTHEST
    value = value if value < FARTHEST else FARTHEST
    return cython.cast(cython.int, value + large - large)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _sort(places: cython.p_const_int, order: cython.p_int, count: cython.Py_ssize_t) -> cython.void:
    """Sort the indices of places, which are pairs across and down: from right to left, then from top to
    bottom."""
    i: cython.Py_ssize_t
    for i in range(1, count):
        own: cython.int = order[i]
        x: cython.int = places[2 * own]
        y: cython.int = places[2 * own + 1]
        j: cython.Py_ssize_t = i
        while j > 0:
            last: cython.p_const_int = places + 2 * order[j - 1]
            if last[0] > x or (last[0] == x and last[1] <= y):
                break
            order[j] = order[j - 1]
            j -= 1
        order[j] = own


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _hull(
    places: cython.p_const_int, order: cython.p_const_int, count: cython.Py_ssize_t, corners: cython.p_int
) -> cython.Py_ssize_t:
    """Write the corners of a convex hull, pairs across and down; returns their number.

    Andrew's monotone chain, "Another efficient algorithm for convex hulls in two dimensions" (1979): to the
    left along the bottom and back along the top, through places in the `order` of their indices.
    """
    size: cython.Py_ssize_t = 0
    least: cython.Py_ssize_t = 1
    i: cython.Py_ssize_t
    for i in range(2 * count - 1):
        own: cython.p_const_int = places + 2 * order[i if i < count else 2 * count - 2 - i]
        if i == count:
            least = size
        while size > least:
            last: cython.p_int = corners + 2 * (size - 2)
            ahead: cython.longlong = cython.cast(cython.longlong, last[2] - last[0]) * (own[1] - last[1])
            if ahead > cython.cast(cython.longlong, last[3] - last[1]) * (own[0] - last[0]):
                break
            size -= 1
        corners[2 * size] = own[0]
        corners[2 * size + 1] = own[1]
        size += 1
    # The last corner is the first one again.
    return size - 1 if size > 1 else size


def outlines(
    points: cython.const_double[:, ::1], ends: cython.const_int[::1], ways: cython.const_double[:, ::1]
) -> tuple[I32, I32]:
    """The corners (c, 2) of the shadows of convex shapes in light from several directions, and their ends.

    `points` (n, 3) of all shapes, one shape after the other, are places across and down, and a height; `ends`
    (m,) are the indices at which each shape ends. A direction of light, a row of `ways` (k, 2), is the shift
    of a point's shadow for each unit of the point's height; shadows are rounded to whole numbers. The second
    array (k, m) has the indices in the first at which the shadows end. Raises ValueError for arrays that do
    not fit.
    """
    if points.shape[1] != 3 or ways.shape[1] != 2:
        raise ValueError("points have 3 coordinates, and ways 2")
    count: cython.Py_ssize_t = ends.shape[0]
    start: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    for i in range(count):
        if not start <= ends[i] <= points.shape[0]:
            raise ValueError(f"shape {i} ends at point {ends[i]} of {points.shape[0]}")
        start = ends[i]
    last_ = np.zeros((ways.shape[0], count), np.int32)
    # There is room for one more place, because a hull repeats its first corner at its end until it is
    # finished.
    corners_ = np.empty((ways.shape[0] * start + 1, 2), np.int32)
    if not start or not ways.shape[0]:
        return corners_[:0], last_
    places_ = np.empty((start, 2), np.int32)
    order_ = np.arange(start, dtype=np.int32)
    last: cython.int[:, ::1] = last_
    corners: cython.int[:, ::1] = corners_
    places: cython.int[:, ::1] = places_
    order: cython.int[::1] = order_
    size: cython.Py_ssize_t = 0
    with cython.nogil:
        for i in range(ways.shape[0]):
            start = 0
            for j in range(count):
                for k in range(start, ends[j]):
                    places[k, 0] = _whole(points[k, 0] - points[k, 2] * ways[i, 0])
                    places[k, 1] = _whole(points[k, 1] - points[k, 2] * ways[i, 1])
                if ends[j] > start:
                    # Places that are sorted for one direction are nearly sorted for the next.
                    _sort(cython.address(places[0, 0]), cython.address(order[start]), ends[j] - start)
                    size += _hull(
                        cython.address(places[0, 0]),
                        cython.address(order[start]),
                        ends[j] - start,
                        cython.address(corners[size, 0]),
                    )
                last[i, j] = cython.cast(cython.int, size)
                start = ends[j]
    return corners_[:size].copy(), last_
