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

    Some planes face `toward` (m,) the camera. A point lies before the body if it is above one of these, or
    if it is less than `slack` inside and its nearest plane is one of these. Raises ValueError for arrays that
    do not fit.
    """
    m: cython.Py_ssize_t = planes.shape[0]
    if points.shape[1] != 3 or planes.shape[1] != 4 or toward.shape[0] != m:
        raise ValueError("points have 3 coordinates, planes 4 and a side")
    nearer_ = np.zeros(points.shape[0], np.uint8)
    if not points.shape[0] or not m:
        return nearer_
    scales_ = np.empty(m)
    nearer: cython.uchar[::1] = nearer_
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
            nearer[i] = ahead > -slack
            if ahead > 0 or not nearer[i]:
                continue
            for j in range(m):
                if toward[j]:
                    continue
                high = x * planes[j, 0] + y * planes[j, 1] + z * planes[j, 2] - planes[j, 3]
                if not high * scales[j] < ahead:
                    nearer[i] = 0
                    break
    return nearer_


def boxes(
    low: cython.const_double[:, ::1],
    high: cython.const_double[:, ::1],
    margin: cython.double,
    own: cython.Py_ssize_t,
) -> U8:
    """Which boxes after the first `own` lie before one of those that they overlap, as uint8 (n - own,).

    `low` and `high` (n, 3) are their ends across, down and in depth. A box lies before another if it ends
    more than a `margin` before the other begins. Raises ValueError for arrays that do not fit.
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
