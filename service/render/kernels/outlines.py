"""Projects points and planes to the canvas, finds outlines of points, and tests what lies inside outlines."""

import cython
import numpy as np
from cython.cimports.libc.math import sqrt, sqrtf

from ...arrays import F32, F64, I32, U8


def project(
    points: cython.const_double[:, :], turn: cython.const_double[:, :], lens: cython.const_double[::1]
) -> F64:
    """Project points (n, 3), device mm, to px (n, 2) (see `geometry.camera.Camera`).

    `turn` (3, 3) takes them to view space. `lens` (6,) has the camera's `k` and `distance`, its `center`, and
    `aside`. Raises ValueError for arrays that do not fit.
    """
    n: cython.Py_ssize_t = points.shape[0]
    if points.shape[1] != 3 or turn.shape[0] != 3 or turn.shape[1] != 3 or lens.shape[0] != 6:
        raise ValueError("points have 3 coordinates, a turn 3 rows of 3, and a lens has 6 numbers")
    px_ = np.empty((n, 2))
    px: cython.double[:, ::1] = px_
    i: cython.Py_ssize_t
    one: cython.double = 1
    c: cython.int
    view = cython.declare(cython.double[3])
    with cython.nogil:
        for i in range(n):
            for c in range(3):
                view[c] = points[i, 0] * turn[c, 0] + points[i, 1] * turn[c, 1] + points[i, 2] * turn[c, 2]
            scale: cython.double = lens[0] / (one - view[2] / lens[1])
            px[i, 0] = lens[2] + (view[0] + lens[4]) * scale
            px[i, 1] = lens[3] - (view[1] + lens[5]) * scale
    return px_


def homography(
    plane: cython.const_double[:, :], turn: cython.const_double[:, :], lens: cython.const_double[::1]
) -> F64:
    """The matrix (3, 3) from mm on a plane to px, for `turn` and `lens` as in `project`.

    The rows of `plane` (3, 3) are its x and y axes and its origin, device mm. Raises ValueError for arrays
    that do not fit.
    """
    if plane.shape[0] != 3 or plane.shape[1] != 3 or turn.shape[0] != 3 or turn.shape[1] != 3:
        raise ValueError("a plane and a turn have 3 rows of 3")
    if lens.shape[0] != 6:
        raise ValueError("a lens has 6 numbers")
    matrix_ = np.empty((3, 3))
    matrix: cython.double[:, ::1] = matrix_
    view = cython.declare(cython.double[3])
    c: cython.int
    i: cython.int
    for i in range(3):
        for c in range(3):
            view[c] = turn[c, 0] * plane[i, 0] + turn[c, 1] * plane[i, 1] + turn[c, 2] * plane[i, 2]
        origin: cython.double = i == 2
        depth: cython.double = origin - view[2] / lens[1]
        matrix[0, i] = lens[0] * (view[0] + lens[4] * origin) + lens[2] * depth
        matrix[1, i] = lens[3] * depth - lens[0] * (view[1] + lens[5] * origin)
        matrix[2, i] = depth
    return matrix_


def toward(
    lens: cython.const_double[::1],
    start: tuple[float, float],
    step: cython.double,
    columns: cython.Py_ssize_t,
    rows: cython.Py_ssize_t,
) -> F32:
    """Unit directions (rows · columns, 3), view space, to the camera from a grid of places on the canvas.

    The grid begins at `start`, px, and has a place every `step` px; for `lens` see `project`. Raises
    Raises ValueError for another lens, and a grid that is too large.
    """
    if lens.shape[0] != 6:
        raise ValueError("a lens has 6 numbers")
    if not 0 <= columns < 1 << 16 or not 0 <= rows < 1 << 16:
        raise ValueError("a grid has fewer than 65536 columns and rows")
    ways_ = np.empty((rows * columns, 3), np.float32)
    ways: cython.float[:, ::1] = ways_
    left: cython.double = start[0]
    top: cython.double = start[1]
    scale: cython.double = 1 / lens[0]
    z: cython.float = lens[1]
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    with cython.nogil:
        for i in range(rows):
            y: cython.float = (top + i * step - lens[3]) * scale
            for j in range(columns):
                x: cython.float = (lens[2] - (left + j * step)) * scale
                length: cython.float = sqrtf(x * x + y * y + z * z)
                ways[i * columns + j, 0] = x / length
                ways[i * columns + j, 1] = y / length
                ways[i * columns + j, 2] = z / length
    return ways_


def bounds(points: cython.const_double[:, :]) -> tuple[float, float, float, float]:
    """The least x and y and the largest x and y of points (n, 2), of which there must be at least one.

    Raises ValueError for other shapes.
    """
    if points.shape[1] != 2 or not points.shape[0]:
        raise ValueError("points have 2 coordinates, and there is one at least")
    low_x: cython.double = points[0, 0]
    low_y: cython.double = points[0, 1]
    high_x: cython.double = low_x
    high_y: cython.double = low_y
    i: cython.Py_ssize_t
    with cython.nogil:
        for i in range(1, points.shape[0]):
            x: cython.double = points[i, 0]
            y: cython.double = points[i, 1]
            low_x = x if x < low_x else low_x
            low_y = y if y < low_y else low_y
            high_x = x if x > high_x else high_x
            high_y = y if y > high_y else high_y
    return low_x, low_y, high_x, high_y


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _left(
    points: cython.const_float[:, ::1], a: cython.Py_ssize_t, b: cython.Py_ssize_t, c: cython.Py_ssize_t
) -> cython.double:
    """Twice the area of a triangle of points, above 0 if the third is left of the line through the others.

    Differences of coordinates are rounded to double precision, so the sign may be wrong for points that
    nearly lie on the line.
    """
    ux: cython.double = cython.cast(cython.double, points[b, 0]) - points[a, 0]
    uy: cython.double = cython.cast(cython.double, points[b, 1]) - points[a, 1]
    vx: cython.double = cython.cast(cython.double, points[c, 0]) - points[a, 0]
    vy: cython.double = cython.cast(cython.double, points[c, 1]) - points[a, 1]
    return ux * vy - uy * vx


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _parted(
    points: cython.const_float[:, ::1],
    line: cython.p_const_int,
    some: cython.p_int,
    span: cython.p_int,
    rest: cython.p_int,
) -> cython.int:
    """Move those of `some` points that are left of a line to the front of their `span` (2,), and let the
    span begin behind them.

    Returns 1 if there are such points, otherwise 0. `rest` (5,) then holds their own span (2,), the line
    (2,), and the point farthest from the line.
    """
    end: cython.int = span[0]
    far: cython.int = -1
    most: cython.double = 0
    k: cython.int
    for k in range(span[0], span[1]):
        own: cython.int = some[k]
        away: cython.double = _left(points, line[0], line[1], own)
        if away > 0:
            if away > most:
                most = away
                far = own
            some[k] = some[end]
            some[end] = own
            end += 1
    if far < 0:
        return 0
    rest[0] = span[0]
    rest[1] = end
    rest[2] = line[0]
    rest[3] = line[1]
    rest[4] = far
    span[0] = end
    return 1


def corners(points: cython.const_float[:, ::1]) -> I32:
    """Ascending indices (m,) of all points (n, 2) that are corners of their convex hull, up to rounding.

    Points inside the hull are left out by quickhull: Barber, Dobkin and Huhdanpaa, "The Quickhull Algorithm
    for Convex Hulls" (1996). Points on the hull's sides may be included. Raises ValueError for other shapes.
    """
    n: cython.Py_ssize_t = points.shape[0]
    if points.shape[1] != 2 or n > 1 << 24:
        raise ValueError("points have 2 coordinates, and there are not too many")
    if not n:
        return np.zeros(0, np.int32)
    found_ = np.zeros(n, np.uint8)
    some_ = np.arange(n, dtype=np.int32)
    # Each row has a span of points left of a line between two corners, the line, and the farthest of the
    # points, which is a corner itself. A span is replaced by at most two, one on each side of that corner.
    rest_ = np.empty((n + 2, 5), np.int32)
    found: cython.uchar[::1] = found_
    some: cython.int[::1] = some_
    rest: cython.int[:, ::1] = rest_
    line = cython.declare(cython.int[2])
    span = cython.declare(cython.int[2])
    own: cython.p_int = cython.address(some[0])
    count: cython.Py_ssize_t = 0
    low: cython.int = 0
    high: cython.int = 0
    i: cython.int
    with cython.nogil:
        for i in range(1, n):
            x: cython.float = points[i, 0]
            y: cython.float = points[i, 1]
            if x < points[low, 0] or (x == points[low, 0] and y < points[low, 1]):
                low = i
            if x > points[high, 0] or (x == points[high, 0] and y > points[high, 1]):
                high = i
        found[low] = 1
        found[high] = 1
        span[0] = 0
        span[1] = cython.cast(cython.int, n)
        line[0] = low
        line[1] = high
        count = _parted(points, line, own, span, cython.address(rest[0, 0]))
        line[0] = high
        line[1] = low
        count += _parted(points, line, own, span, cython.address(rest[count, 0]))
        while count:
            count -= 1
            span[0] = rest[count, 0]
            span[1] = rest[count, 1]
            far: cython.int = rest[count, 4]
            last: cython.int = rest[count, 3]
            found[far] = 1
            line[0] = rest[count, 2]
            line[1] = far
            count += _parted(points, line, own, span, cython.address(rest[count, 0]))
            line[0] = far
            line[1] = last
            count += _parted(points, line, own, span, cython.address(rest[count, 0]))
    return np.flatnonzero(found_).astype(np.int32)


def inside(
    outline: cython.const_float[:, :], margin: cython.double, points: cython.const_float[:, :, ::1]
) -> U8:
    """Which sets of points (k, n, 2) lie at least a `margin` inside a convex outline (m, 2), as uint8 (k,).

    The outline may run in either direction. If it is not convex, some sets that are inside may be missed, but
    no set that is outside is found. Raises ValueError for arrays that do not fit.
    """
    m: cython.Py_ssize_t = outline.shape[0]
    n: cython.Py_ssize_t = points.shape[1]
    if outline.shape[1] != 2 or points.shape[2] != 2:
        raise ValueError("points and corners have 2 coordinates")
    within_ = np.zeros(points.shape[0], np.uint8)
    if not points.shape[0] or m < 3:
        return within_
    sides_ = np.empty((m, 3))
    within: cython.uchar[::1] = within_
    sides: cython.double[:, ::1] = sides_
    area: cython.double = 0
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    with cython.nogil:
        for j in range(m):
            k = j + 1 if j + 1 < m else 0
            x: cython.double = outline[j, 0]
            y: cython.double = outline[j, 1]
            across: cython.double = outline[k, 0] - x
            down: cython.double = outline[k, 1] - y
            area += x * down - y * across
            sides[j, 0] = down
            sides[j, 1] = -across
            sides[j, 2] = x * down - y * across
        sign: cython.double = 1 if area > 0 else -1
        for j in range(m):
            # The margin, times the side's length.
            length: cython.double = sqrt(sides[j, 0] * sides[j, 0] + sides[j, 1] * sides[j, 1])
            sides[j, 0] *= sign
            sides[j, 1] *= sign
            sides[j, 2] = sides[j, 2] * sign - margin * length
        # The side outside which the last point was found: the next point is often outside the same side.
        last: cython.Py_ssize_t = 0
        for k in range(points.shape[0]):
            within[k] = 1
            for i in range(n):
                x = points[k, i, 0]
                y = points[k, i, 1]
                if not sides[last, 0] * x + sides[last, 1] * y <= sides[last, 2]:
                    within[k] = 0
                    break
                for j in range(m):
                    if not sides[j, 0] * x + sides[j, 1] * y <= sides[j, 2]:
                        within[k] = 0
                        last = j
                        break
                if not within[k]:
                    break
    return within_
