"""Which points and boxes lie before others."""

import cython
import numpy as np
from cython.cimports.libc.math import sqrt

from service.arrays import U8


def before(
    points: cython.const_double[:, ::1],
    planes: cython.const_double[:, ::1],
    toward: cython.const_uchar[::1],
    slack: cython.double,
) -> U8:
    """Which points (n, 3) lie before a convex body of outward `planes` (m, 4), as uint8.

    Of these, some face `toward` (m,) the camera. A point lies before the body above one of them, or, less
    than `slack` inside, nearer to one of them than to any other. ValueError for arrays that do not fit.
    """
    m: cython.Py_ssize_t = planes.shape[0]
    if points.shape[1] != 3 or planes.shape[1] != 4 or toward.shape[0] != m:
        raise ValueError("points have 3 coordinates, planes 4 and a side")
    found_ = np.zeros(points.shape[0], np.uint8)
    if not points.shape[0] or not m:
        return found_
    scales_ = np.empty(m)
    found: cython.uchar[::1] = found_
    scales: cython.double[::1] = scales_
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    tiny: cython.double = 1e-12
    with cython.nogil:
        for j in range(m):
            length: cython.double = sqrt(
                planes[j, 0] * planes[j, 0] + planes[j, 1] * planes[j, 1] + planes[j, 2] * planes[j, 2]
            )
            scales[j] = 1 / (length if length > tiny else tiny)
        for i in range(points.shape[0]):
            x: cython.double = points[i, 0]
            y: cython.double = points[i, 1]
            z: cython.double = points[i, 2]
            ahead: cython.double = -1e300
            for j in range(m):
                if not toward[j]:
                    continue
                high: cython.double = x * planes[j, 0] + y * planes[j, 1] + z * planes[j, 2] - planes[j, 3]
                high *= scales[j]
                ahead = high if high > ahead else ahead
                if ahead > 0:
                    break
            found[i] = ahead > -slack
            if ahead > 0 or not found[i]:
                continue
            for j in range(m):
                if toward[j]:
                    continue
                high = x * planes[j, 0] + y * planes[j, 1] + z * planes[j, 2] - planes[j, 3]
                if not high * scales[j] < ahead:
                    found[i] = 0
                    break
    return found_


def boxes(
    low: cython.const_double[:, ::1],
    high: cython.const_double[:, ::1],
    margin: cython.double,
    own: cython.Py_ssize_t,
) -> U8:
    """Which boxes after the first `own` lie before one of those that they overlap, as uint8 (n - own,).

    `low` and `high` (n, 3) are their ends across, down and in depth; before it is what ends more than a
    `margin` before the other begins. ValueError for arrays that do not fit.
    """
    n: cython.Py_ssize_t = low.shape[0]
    if low.shape[1] != 3 or high.shape[1] != 3 or high.shape[0] != n or not 0 <= own <= n:
        raise ValueError("boxes have two ends of 3 coordinates")
    found_ = np.zeros(n - own, np.uint8)
    if own == n:
        return found_
    found: cython.uchar[::1] = found_
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
                    found[i - own] = 1
                    break
    return found_
