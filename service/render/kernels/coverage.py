"""The exact coverage of pixels by polygons."""

import cython
from cython.cimports.libc.math import fabs, floor
from cython.cimports.libc.stdlib import free, malloc
from cython.cimports.libc.string import memcpy, memset

# cells in which a change is looked for at a time, since most rows change little; by cost
BLOCK = cython.declare(cython.Py_ssize_t, 16)
BAND = cython.declare(cython.Py_ssize_t, 1 << 17)  # cells summed at a time, which stay in the cache; by cost


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _clamped(value: cython.double, least: cython.double, most: cython.double) -> cython.double:
    """The value, clamped to `least` to `most`; `least` for NaN."""
    value = value if value > least else least
    return value if value < most else most


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _left(right: cython.double, span: cython.double) -> cython.double:
    """The mean of max(0, `right` - x) over the places x of a piece of an edge, from 0 to `span`."""
    inside: cython.double = _clamped(right, 0.0, span)
    half: cython.double = 0.5
    covered: cython.double = half * inside * inside / span if span > 0 else 0.0
    return covered + right - span if right > span else covered


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _edge(
    x: cython.double,
    y: cython.double,
    across: cython.double,
    down: cython.double,
    sums: cython.p_float,
    rows: cython.p_Py_ssize_t,
) -> cython.void:
    """Add an edge from (x, y) to the `sums` of rows; `rows` (3,) has the first row, the end, and the width of
    a row."""
    top: cython.Py_ssize_t = rows[0]
    end: cython.Py_ssize_t = rows[1]
    width: cython.Py_ssize_t = rows[2]
    low: cython.double = _clamped(y if down > 0 else y + down, top, end)
    high: cython.double = _clamped(y + down if down > 0 else y, top, end)
    slope: cython.double = across / down
    least: cython.double = down if down < 0 else 0
    most: cython.double = down if down > 0 else 0
    row: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, floor(low))
    while row < high and row < end:
        one: cython.double = _clamped(row - y, least, most)
        other: cython.double = _clamped(row + 1 - y, least, most)
        rise: cython.double = other - one if down > 0 else one - other
        first: cython.double = x + one * slope
        last: cython.double = x + other * slope
        left: cython.double = first if first < last else last
        span: cython.double = fabs(last - first)
        # The sums have three more columns than the picture: one on each side for everything beyond it, and a
        # last one that receives the remainder of an edge.
        column: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, floor(_clamped(left, -1, width)))
        final: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, floor(_clamped(left + span, -1, width)))
        cells: cython.p_float = sums + (row - top) * (width + 3) + 1
        before: cython.double = _left(column - left, span)
        while column <= final:
            after: cython.double = _left(column + 1 - left, span)
            share: cython.float = rise * (after - before)
            cells[column] += share
            cells[column + 1] -= share
            before = after
            column += 1
        cells[final + 1] += rise
        row += 1


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _level(share: cython.float) -> cython.uchar:
    """A signed share as a whole number 0-255, without its sign."""
    half: cython.float = 0.5
    level: cython.float = (share if share > 0 else -share) * 255 + half
    return cython.cast(cython.uchar, level) if level < 255 else 255


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _even(cells: cython.p_const_float) -> cython.bint:
    """Whether the share stays the same along the next BLOCK cells."""
    words = cython.declare(cython.ulonglong[8])
    memcpy(words, cells, 64)
    some: cython.ulonglong = words[0] | words[1] | words[2] | words[3]
    return (some | words[4] | words[5] | words[6] | words[7]) == 0


def areas(
    points: cython.const_double[:, ::1], ends: cython.const_int[::1], covers: cython.uchar[:, :, :]
) -> None:
    """Write the share of each pixel inside polygons, 0-255, in `covers` (n, h, w).

    `points` (m, 2) are the corners of all polygons, one polygon after the other; `ends` (n,) are the indices
    at which each ends. As in font rasterisers, areas have the sign of an edge's direction: an edge adds the
    area to its right to each pixel that it crosses, and its height to all pixels further right. Raises
    Raises ValueError for arrays that do not fit.
    """
    n: cython.Py_ssize_t = covers.shape[0]
    height: cython.Py_ssize_t = covers.shape[1]
    width: cython.Py_ssize_t = covers.shape[2]
    if points.shape[1] != 2 or ends.shape[0] != n:
        raise ValueError("each polygon has corners of 2 coordinates and an end")
    if width > 1 and covers.strides[2] != 1:
        raise ValueError("pixels of a row lie side by side")
    i: cython.Py_ssize_t
    last: cython.Py_ssize_t = 0
    for i in range(n):
        if not last <= ends[i] <= points.shape[0]:
            raise ValueError(f"polygon {i} ends at corner {ends[i]} of {points.shape[0]}")
        last = ends[i]
    if not n or not height or not width:
        return
    rows: cython.Py_ssize_t = BAND // (width + 3)
    rows = rows if rows > 1 else 1
    rows = rows if rows < height else height
    size: cython.Py_ssize_t = rows * (width + 3) * cython.sizeof(cython.float)
    sums: cython.p_float = cython.cast(cython.p_float, malloc(size))
    if sums == cython.NULL:
        raise MemoryError
    start: cython.Py_ssize_t
    top: cython.Py_ssize_t
    end: cython.Py_ssize_t
    one: cython.Py_ssize_t
    other: cython.Py_ssize_t
    row: cython.Py_ssize_t
    column: cython.Py_ssize_t
    band = cython.declare(cython.Py_ssize_t[3])
    band[2] = width
    with cython.nogil:
        for i in range(n):
            start = ends[i - 1] if i else 0
            top = 0
            while top < height:
                end = top + rows if top + rows < height else height
                band[0] = top
                band[1] = end
                memset(sums, 0, size)
                for one in range(start, ends[i]):
                    other = one + 1 if one + 1 < ends[i] else start
                    across: cython.double = points[other, 0] - points[one, 0]
                    down: cython.double = points[other, 1] - points[one, 1]
                    # Edges with NaN or infinite coordinates are skipped.
                    if fabs(down) > 0 and fabs(down) < 1e15 and fabs(across) < 1e15:
                        _edge(points[one, 0], points[one, 1], across, down, sums, band)
                for row in range(top, end):
                    cells: cython.p_float = sums + (row - top) * (width + 3)
                    share: cython.float = cells[0]
                    column = 0
                    while column < width:
                        if column + BLOCK <= width and _even(cells + column + 1):
                            memset(cython.address(covers[i, row, column]), _level(share), BLOCK)
                            column += BLOCK
                            continue
                        last = column + BLOCK if column + BLOCK < width else width
                        while column < last:
                            share += cells[column + 1]
                            covers[i, row, column] = _level(share)
                            column += 1
                top = end
    free(sums)
