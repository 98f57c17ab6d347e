"""Rasterises triangles: by exact areas where no triangle hides another, otherwise by the nearest triangle at
each sample.

Colours are interpolated with perspective correction: colour / depth and 1 / depth are linear on the canvas,
and their quotient is the colour.
"""

import cython
from cython.cimports.libc.stdlib import free, malloc

from ...arrays import F32

TILE = cython.declare(cython.int, 32)  # px; side of the tiles that are sampled one at a time
# capacity for the corners of a triangle cut by four lines, of which there are at most 7
CORNERS = cython.declare(cython.int, 16)
LARGEST = cython.declare(cython.double, 1e12)  # px²; a larger triangle has infinite or NaN corners


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _least(a: cython.double, b: cython.double) -> cython.double:
    return a if a < b else b


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _most(a: cython.double, b: cython.double) -> cython.double:
    return a if a > b else b


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _floor(value: cython.double) -> cython.int:
    """The whole number at or below a value that fits an int."""
    whole: cython.int = cython.cast(cython.int, value)
    return whole - 1 if whole > value else whole


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _ceil(value: cython.double) -> cython.int:
    whole: cython.int = cython.cast(cython.int, value)
    return whole + 1 if whole < value else whole


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _clamped(value: cython.double, most: cython.int) -> cython.double:
    """`value`, limited to the range from 0 to `most`."""
    return _least(_most(value, 0.0), most)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _gradients(
    p: cython.p_double, v: cython.p_double, area: cython.double, out: cython.p_double
) -> cython.void:
    """Write to `out` (3, 4) four linear values at a triangle's first corner, then their slopes along x, then
    along y.

    `p` (3, 2) are the corners, `v` (3, 4) the values there: colour / depth and 1 / depth.
    """
    ux: cython.double = p[2] - p[0]
    uy: cython.double = p[3] - p[1]
    vx: cython.double = p[4] - p[0]
    vy: cython.double = p[5] - p[1]
    k: cython.int
    for k in range(4):
        du: cython.double = v[4 + k] - v[k]
        dv: cython.double = v[8 + k] - v[k]
        out[k] = v[k]
        out[4 + k] = (du * vy - dv * uy) / area
        out[8 + k] = (dv * ux - du * vx) / area


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add(
    g: cython.p_double,
    dx: cython.double,
    dy: cython.double,
    share: cython.double,
    rgb: cython.p_float,
    hit: cython.p_float,
) -> cython.void:
    """Add a share of a pixel, in the colour at (dx, dy) px from the first corner of its triangle."""
    scale: cython.double = share / (g[3] + g[7] * dx + g[11] * dy)
    rgb[0] += cython.cast(cython.float, scale * (g[0] + g[4] * dx + g[8] * dy))
    rgb[1] += cython.cast(cython.float, scale * (g[1] + g[5] * dx + g[9] * dy))
    rgb[2] += cython.cast(cython.float, scale * (g[2] + g[6] * dx + g[10] * dy))
    hit[0] += cython.cast(cython.float, share)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _cut(
    n: cython.int,
    q: cython.p_double,
    x: cython.double,
    left: cython.p_double,
    right: cython.p_double,
    counts: cython.p_int,
) -> cython.void:
    """Cut a convex polygon (n, 2) along a vertical line into `left` and `right`; `counts` gets their numbers
    of corners."""
    i: cython.int
    a: cython.int = 0
    b: cython.int = 0
    px: cython.double = q[2 * n - 2]
    py: cython.double = q[2 * n - 1]
    for i in range(n):
        cx: cython.double = q[2 * i]
        cy: cython.double = q[2 * i + 1]
        if a + 2 > CORNERS or b + 2 > CORNERS:
            break
        if (px < x and cx > x) or (px > x and cx < x):
            y: cython.double = py + (cy - py) * ((x - px) / (cx - px))
            left[2 * a] = x
            left[2 * a + 1] = y
            right[2 * b] = x
            right[2 * b + 1] = y
            a += 1
            b += 1
        if cx <= x:
            left[2 * a] = cx
            left[2 * a + 1] = cy
            a += 1
        if cx >= x:
            right[2 * b] = cx
            right[2 * b + 1] = cy
            b += 1
        px = cx
        py = cy
    counts[0] = a
    counts[1] = b


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _piece(
    n: cython.int,
    q: cython.p_double,
    p: cython.p_double,
    g: cython.p_double,
    rgb: cython.p_float,
    hit: cython.p_float,
) -> cython.void:
    """Add a polygon (n, 2) within one pixel: its area, in the colour at its centroid."""
    ax: cython.double = q[0]
    ay: cython.double = q[1]
    area: cython.double = 0.0
    mx: cython.double = 0.0
    my: cython.double = 0.0
    i: cython.int
    for i in range(1, n - 1):
        ux: cython.double = q[2 * i] - ax
        uy: cython.double = q[2 * i + 1] - ay
        vx: cython.double = q[2 * i + 2] - ax
        vy: cython.double = q[2 * i + 3] - ay
        twice: cython.double = ux * vy - uy * vx
        area += twice
        mx += twice * (ux + vx)
        my += twice * (uy + vy)
    if area > 1e-12 or area < -1e-12:
        share: cython.double = 0.5 * area if area > 0 else -0.5 * area
        _add(g, ax + mx / (3 * area) - p[0], ay + my / (3 * area) - p[1], share, rgb, hit)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _pieces(
    q: cython.p_double,
    spans: cython.p_int,
    high: cython.double,
    p: cython.p_double,
    g: cython.p_double,
    rgb: cython.p_float,
    hit: cython.p_float,
) -> cython.void:
    """Add a polygon (n, 2), cut into columns of pixels; it ends at `high` on the right.

    `spans` (3,) are its number of corners, the first column, and the end of the columns.
    """
    n: cython.int = spans[0]
    first: cython.int = spans[1]
    end: cython.int = spans[2]
    polygons = cython.declare(cython.double[6 * 16])
    counts = cython.declare(cython.int[2])
    rest: cython.p_double = polygons
    left: cython.p_double = rest + 32
    right: cython.p_double = rest + 64
    low: cython.double = q[0]
    i: cython.int
    for i in range(1, n):
        low = _least(low, q[2 * i])
    if low < first:
        _cut(n, q, first, left, rest, counts)
        n = counts[1]
    else:
        for i in range(2 * n):
            rest[i] = q[i]
    x: cython.int
    for x in range(first, end):
        if high <= x + 1:
            _piece(n, rest, p, g, rgb + 3 * x, hit + x)
            return
        _cut(n, rest, x + 1, left, right, counts)
        _piece(counts[0], left, p, g, rgb + 3 * x, hit + x)
        n = counts[1]
        rest, right = right, rest


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _descend(p: cython.p_const_double, order: cython.p_int) -> cython.void:
    """Write to `order` (3,) the indices of a triangle's corners `p` (3, 2) from top to bottom."""
    a: cython.int = 0
    b: cython.int = 2
    c: cython.int = 4
    if p[b + 1] < p[a + 1]:
        a, b = b, a
    if p[c + 1] < p[b + 1]:
        b, c = c, b
    if p[b + 1] < p[a + 1]:
        a, b = b, a
    order[0] = a
    order[1] = b
    order[2] = c


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _cover(
    p: cython.p_double,
    v: cython.p_double,
    width: cython.int,
    height: cython.int,
    rgb: cython.p_float,
    hit: cython.p_float,
) -> cython.void:
    """Add a triangle's exact share of each pixel, in the mean of its colour there.

    `p` are its corners (3, 2) in px of `rgb` (height, width, 3), `v` (3, 4) as for `_gradients`.
    """
    left: cython.double = _least(p[0], _least(p[2], p[4]))
    right: cython.double = _most(p[0], _most(p[2], p[4]))
    top: cython.double = _least(p[1], _least(p[3], p[5]))
    bottom: cython.double = _most(p[1], _most(p[3], p[5]))
    area: cython.double = (p[2] - p[0]) * (p[5] - p[1]) - (p[3] - p[1]) * (p[4] - p[0])
    # Infinite and NaN corners fail this test.
    if not (-LARGEST < area < LARGEST) or area == 0:
        return
    if not (left < width and right > 0 and top < height and bottom > 0):
        return
    column: cython.int = _floor(_clamped(left, width))
    row: cython.int = _floor(_clamped(top, height))
    inside: cython.bint = left >= 0 and top >= 0 and right <= width and bottom <= height
    g = cython.declare(cython.double[12])
    if inside and right <= column + 1 and bottom <= row + 1:
        # A triangle within one pixel adds the mean of its corners.
        share: cython.double = 0.5 * area if area > 0 else -0.5 * area
        scale: cython.double = share / (v[3] + v[7] + v[11])
        at: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, row) * width + column
        rgb[3 * at] += cython.cast(cython.float, scale * (v[0] + v[4] + v[8]))
        rgb[3 * at + 1] += cython.cast(cython.float, scale * (v[1] + v[5] + v[9]))
        rgb[3 * at + 2] += cython.cast(cython.float, scale * (v[2] + v[6] + v[10]))
        hit[at] += cython.cast(cython.float, share)
        return
    _gradients(p, v, area, g)
    # From top to bottom, a triangle has one long edge on one side and two short ones on the other.
    order = cython.declare(cython.int[3])
    _descend(p, order)
    a: cython.int = order[0]
    b: cython.int = order[1]
    c: cython.int = order[2]
    upper: cython.double = p[b + 1] - p[a + 1]
    lower: cython.double = p[c + 1] - p[b + 1]
    long: cython.double = (p[c] - p[a]) / (p[c + 1] - p[a + 1])
    upper = (p[b] - p[a]) / upper if upper > 0 else 0.0
    lower = (p[c] - p[b]) / lower if lower > 0 else 0.0
    q = cython.declare(cython.double[10])
    n: cython.int
    y: cython.int
    x: cython.int
    for y in range(row, _ceil(_clamped(bottom, height))):
        start: cython.double = _most(y, p[a + 1])
        end: cython.double = _least(y + 1, p[c + 1])
        q[0] = p[a] + (start - p[a + 1]) * long
        q[1] = q[3] = start
        q[2] = p[a] + (start - p[a + 1]) * upper if start < p[b + 1] else p[b] + (start - p[b + 1]) * lower
        n = 2
        if start < p[b + 1] < end:
            q[4] = p[b]
            q[5] = p[b + 1]
            n = 3
        q[2 * n] = p[a] + (end - p[a + 1]) * upper if end < p[b + 1] else p[b] + (end - p[b + 1]) * lower
        q[2 * n + 2] = p[a] + (end - p[a + 1]) * long
        q[2 * n + 1] = q[2 * n + 3] = end
        n += 2
        least: cython.double = _least(q[0], q[2])
        most: cython.double = _most(q[0], q[2])
        for x in range(2, n):
            least = _least(least, q[2 * x])
            most = _most(most, q[2 * x])
        if least >= width or most <= 0:
            continue
        spans = cython.declare(cython.int[3])
        line: cython.p_float = rgb + cython.cast(cython.Py_ssize_t, y) * width * 3
        hits: cython.p_float = hit + cython.cast(cython.Py_ssize_t, y) * width
        first: cython.int = _floor(_clamped(least, width))
        after: cython.int = _ceil(_clamped(most, width))
        # A column that is inside at the row's top and bottom is inside everywhere.
        whole: cython.int = after
        last: cython.int = after
        if end - start == 1:
            whole = _ceil(_clamped(_most(_least(q[0], q[2]), _least(q[2 * n - 4], q[2 * n - 2])), width))
            last = _floor(_clamped(_least(_most(q[0], q[2]), _most(q[2 * n - 4], q[2 * n - 2])), width))
        if whole >= last:
            spans[0], spans[1], spans[2] = n, first, after
            _pieces(q, spans, most, p, g, line, hits)
            continue
        if first < whole:
            spans[0], spans[1], spans[2] = n, first, whole
            _pieces(q, spans, most, p, g, line, hits)
        for x in range(whole, last):
            _add(g, x + 0.5 - p[0], y + 0.5 - p[1], 1.0, line + 3 * x, hits + x)
        if last < after:
            spans[0], spans[1], spans[2] = n, last, after
            _pieces(q, spans, most, p, g, line, hits)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _corners(
    points: cython.const_double[:, ::1],
    nearness: cython.const_double[::1],
    colors: cython.const_float[:, ::1],
    triangles: cython.const_int[:, ::1],
    i: cython.Py_ssize_t,
    p: cython.p_double,
    v: cython.p_double,
) -> cython.void:
    """Write a triangle's corners `p` (3, 2) and, at each corner, the values `v` (3, 4) that are linear on the
    triangle."""
    k: cython.int
    for k in range(3):
        at: cython.int = triangles[i, k]
        near: cython.double = nearness[at]
        p[2 * k] = points[at, 0]
        p[2 * k + 1] = points[at, 1]
        v[4 * k] = colors[at, 0] * near
        v[4 * k + 1] = colors[at, 1] * near
        v[4 * k + 2] = colors[at, 2] * near
        v[4 * k + 3] = near


@cython.cfunc
def _check(
    points: cython.const_double[:, ::1],
    nearness: cython.const_double[::1],
    colors: cython.const_float[:, ::1],
    triangles: cython.const_int[:, ::1],
    rgb: cython.float[:, :, ::1],
    hit: cython.float[:, ::1],
) -> cython.int:
    """Raise ValueError for arrays that do not fit together, so that loops never leave them."""
    count: cython.Py_ssize_t = points.shape[0]
    if points.shape[1] != 2 or triangles.shape[1] != 3:
        raise ValueError("points have 2 coordinates, triangles 3 corners")
    if rgb.shape[2] != 3 or colors.shape[1] < 3:
        raise ValueError("a colour has three channels")
    if nearness.shape[0] != count or colors.shape[0] != count:
        raise ValueError(f"{count} points, {nearness.shape[0]} depths, {colors.shape[0]} colours")
    if rgb.shape[0] != hit.shape[0] or rgb.shape[1] != hit.shape[1]:
        raise ValueError("colours and shares of pixels differ in size")
    if rgb.shape[0] > 1 << 20 or rgb.shape[1] > 1 << 20:
        raise ValueError("more pixels than a row or column can have")
    i: cython.Py_ssize_t
    k: cython.int
    for i in range(triangles.shape[0]):
        for k in range(3):
            if not 0 <= triangles[i, k] < count:
                raise ValueError(f"triangle {i} has the corner {triangles[i, k]} of {count}")
    return 0


def areas(
    points: cython.const_double[:, ::1],
    nearness: cython.const_double[::1],
    colors: cython.const_float[:, ::1],
    triangles: cython.const_int[:, ::1],
    rgb: cython.float[:, :, ::1],
    hit: cython.float[:, ::1],
) -> None:
    """Add the exact share of each pixel that triangles cover, and their colours multiplied by it, in place.

    Shares are summed, so no triangle may hide another. `points` (n, 2) are px, `nearness` (n,) is 1 / depth,
    above 0; `colors` are (n, 3); `triangles` (m, 3) are the indices of corners, in either direction. `rgb` is
    (h, w, 3), `hit` (h, w). Raises ValueError for arrays that do not fit together.
    """
    _check(points, nearness, colors, triangles, rgb, hit)
    if colors.shape[1] != 3:
        raise ValueError("a colour has three channels")
    height: cython.int = rgb.shape[0]
    width: cython.int = rgb.shape[1]
    p = cython.declare(cython.double[6])
    v = cython.declare(cython.double[12])
    i: cython.Py_ssize_t
    if not height or not width or not triangles.shape[0]:
        return
    with cython.nogil:
        for i in range(triangles.shape[0]):
            _corners(points, nearness, colors, triangles, i, p, v)
            _cover(p, v, width, height, cython.address(rgb[0, 0, 0]), cython.address(hit[0, 0]))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _sample(
    p: cython.p_double,
    near: cython.p_double,
    own: cython.int,
    size: cython.p_int,
    depths: cython.p_float,
    owners: cython.p_int,
) -> cython.void:
    """Write a triangle's 1 / depth, and its number `own`, to the samples at which it is nearest.

    `p` are its corners (3, 2) in samples, `near` (3,) 1 / depth there, `size` (2,) the width and height.
    """
    area: cython.double = (p[2] - p[0]) * (p[5] - p[1]) - (p[3] - p[1]) * (p[4] - p[0])
    if not (-LARGEST < area < LARGEST) or area == 0:
        return
    width: cython.int = size[0]
    height: cython.int = size[1]
    first: cython.double = near[1] - near[0]
    second: cython.double = near[2] - near[0]
    across: cython.double = (first * (p[5] - p[1]) - second * (p[3] - p[1])) / area
    down: cython.double = (second * (p[2] - p[0]) - first * (p[4] - p[0])) / area
    # From top to bottom, a triangle has one long edge on one side and two short ones on the other. All edges
    # are followed from their upper ends, so two triangles that share an edge compute the same crossing.
    order = cython.declare(cython.int[3])
    _descend(p, order)
    a: cython.int = order[0]
    b: cython.int = order[1]
    c: cython.int = order[2]
    if not p[a + 1] < p[c + 1]:
        return
    long: cython.double = (p[c] - p[a]) / (p[c + 1] - p[a + 1])
    upper: cython.double = (p[b] - p[a]) / (p[b + 1] - p[a + 1]) if p[a + 1] < p[b + 1] else 0.0
    lower: cython.double = (p[c] - p[b]) / (p[c + 1] - p[b + 1]) if p[b + 1] < p[c + 1] else 0.0
    x: cython.int
    y: cython.int
    for y in range(_ceil(_clamped(p[a + 1] - 0.5, height)), _ceil(_clamped(p[c + 1] - 0.5, height))):
        at: cython.double = y + 0.5
        one: cython.double = p[a] + (at - p[a + 1]) * long
        short: cython.int = a if at < p[b + 1] else b
        other: cython.double = p[short] + (at - p[short + 1]) * (upper if short == a else lower)
        start: cython.int = _ceil(_clamped(_least(one, other) - 0.5, width))
        end: cython.int = _ceil(_clamped(_most(one, other) - 0.5, width))
        dy: cython.double = at - p[1]
        row: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, y) * width
        for x in range(start, end):
            depth: cython.float = cython.cast(cython.float, near[0] + across * (x + 0.5 - p[0]) + down * dy)
            if depth > depths[row + x]:
                depths[row + x] = depth
                owners[row + x] = own


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _placed(
    points: cython.const_double[:, ::1],
    nearness: cython.const_double[::1],
    corners: cython.p_const_int,
    t: cython.p_double,
) -> cython.void:
    """Write to `t` (9,) a triangle's first corner, the edges from there to the second and the third corner,
    and the nearness of the three corners."""
    k: cython.int
    for k in range(2):
        t[k] = points[corners[0], k]
        t[2 + k] = points[corners[1], k] - t[k]
        t[4 + k] = points[corners[2], k] - t[k]
    for k in range(3):
        t[6 + k] = nearness[corners[k]]


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _shown(
    t: cython.p_const_double,
    colors: cython.const_float[:, ::1],
    corners: cython.p_const_int,
    place: cython.p_const_double,
    share: cython.double,
    color: cython.p_float,
    more: cython.p_float,
) -> cython.void:
    """Add a share of the colour at a `place` (2,) of a triangle `t`, and of its other channels to `more`.

    See `_placed` for `t`.
    """
    x: cython.double = place[0] - t[0]
    y: cython.double = place[1] - t[1]
    # The barycentric area opposite each corner, times the corner's nearness.
    beside: cython.double = x * t[5] - y * t[4]
    above: cython.double = t[2] * y - t[3] * x
    second: cython.double = beside * t[7]
    third: cython.double = above * t[8]
    first: cython.double = (t[2] * t[5] - t[3] * t[4] - beside - above) * t[6]
    scale: cython.double = share / (first + second + third)
    one: cython.float = first * scale
    two: cython.float = second * scale
    three: cython.float = third * scale
    a: cython.p_const_float = cython.address(colors[corners[0], 0])
    b: cython.p_const_float = cython.address(colors[corners[1], 0])
    c: cython.p_const_float = cython.address(colors[corners[2], 0])
    k: cython.Py_ssize_t
    for k in range(3):
        color[k] += one * a[k] + two * b[k] + three * c[k]
    for k in range(3, colors.shape[1]):
        more[k - 3] += one * a[k] + two * b[k] + three * c[k]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _grouped(
    owners: cython.p_const_int,
    wide: cython.int,
    samples: cython.int,
    own: cython.p_int,
    sums: cython.p_int,
) -> cython.int:
    """Group the samples of a pixel, `wide` to a row, by triangle; returns the number of triangles.

    Writes the triangles' numbers, and for each triangle `sums` (3,): its number of samples, and the sums of
    their columns and rows within the pixel. Samples that show nothing have a negative number.
    """
    first: cython.int = owners[0]
    mixed: cython.int = 0
    x: cython.int
    y: cython.int
    k: cython.int
    for y in range(samples):
        for x in range(samples):
            mixed |= owners[y * wide + x] ^ first
    # Most pixels show one triangle, or nothing at all.
    if mixed == 0:
        if first < 0:
            return 0
        own[0] = first
        sums[0] = samples * samples
        sums[1] = sums[2] = samples * (samples * (samples - 1) // 2)
        return 1
    count: cython.int = 0
    row: cython.p_const_int = owners
    for y in range(samples):
        row = owners + y * wide
        for x in range(samples):
            if row[x] < 0:
                continue
            # Search from the last triangle found, the likeliest one.
            k = count - 1
            while k >= 0 and own[k] != row[x]:
                k -= 1
            if k < 0:
                k = count
                count += 1
                own[k] = row[x]
                sums[3 * k] = sums[3 * k + 1] = sums[3 * k + 2] = 0
            sums[3 * k] += 1
            sums[3 * k + 1] += x
            sums[3 * k + 2] += y
    return count


def nearest(
    points: cython.const_double[:, ::1],
    nearness: cython.const_double[::1],
    colors: cython.const_float[:, ::1],
    triangles: cython.const_int[:, ::1],
    samples: cython.int,
    target: tuple[F32, F32, F32],
) -> None:
    """As `areas`, for triangles that may hide each other, with 1-16 `samples` along each axis of a pixel.

    In each pixel, a triangle has its colour at the mean position of its samples. Colours (n, c) may have any
    number of channels from 3. The `target` is the arrays (h, w, 3) and (h, w), as for `areas`, and (h, w, c -
    3) for further channels.
    """
    rgb: cython.float[:, :, ::1] = target[0]
    hit: cython.float[:, ::1] = target[1]
    more: cython.float[:, :, ::1] = target[2]
    _check(points, nearness, colors, triangles, rgb, hit)
    if colors.shape[1] != 3 + more.shape[2]:
        raise ValueError("colours and pixels have as many channels")
    if more.shape[0] != hit.shape[0] or more.shape[1] != hit.shape[1]:
        raise ValueError("further channels and shares of pixels differ in size")
    if not 1 <= samples <= 16:
        raise ValueError(f"{samples} samples a pixel and axis, which are 1 to 16")
    height: cython.int = rgb.shape[0]
    width: cython.int = rgb.shape[1]
    count: cython.Py_ssize_t = triangles.shape[0]
    if not height or not width or not count:
        return
    side: cython.int = TILE
    room: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, side) * side * samples * samples
    depths: cython.p_float = cython.cast(cython.p_float, malloc(room * cython.sizeof(cython.float)))
    owners: cython.p_int = cython.cast(cython.p_int, malloc(room * cython.sizeof(cython.int)))
    ends: cython.p_double = cython.cast(cython.p_double, malloc(count * 4 * cython.sizeof(cython.double)))
    # Memory for the triangles of a row of tiles, followed by the triangles of a single tile.
    own: cython.p_Py_ssize_t = cython.cast(
        cython.p_Py_ssize_t, malloc(count * 2 * cython.sizeof(cython.Py_ssize_t))
    )
    if depths == cython.NULL or owners == cython.NULL or ends == cython.NULL or own == cython.NULL:
        free(depths)
        free(owners)
        free(ends)
        free(own)
        raise MemoryError
    near: cython.p_Py_ssize_t = own + count
    p = cython.declare(cython.double[6])
    v = cython.declare(cython.double[3])
    t = cython.declare(cython.double[9])
    place = cython.declare(cython.double[2])
    size = cython.declare(cython.int[2])
    found = cython.declare(cython.int[256])
    sums = cython.declare(cython.int[3 * 256])
    share: cython.double = 1.0 / (samples * samples)
    # The mean position of all samples of a pixel, by the same operations as for a part of them.
    middle: cython.double = samples * (samples * (samples - 1) // 2) / (1.0 * samples * samples)
    middle = (middle + 0.5) / samples
    last: cython.int = 0
    _placed(points, nearness, cython.address(triangles[0, 0]), t)
    deep: cython.Py_ssize_t = more.shape[2]
    rest: cython.p_float = cython.address(more[0, 0, 0]) if deep else cython.NULL
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    row: cython.int
    column: cython.int
    k: cython.int
    with cython.nogil:
        for i in range(count):
            for k in range(3):
                p[2 * k] = points[triangles[i, k], 0]
                p[2 * k + 1] = points[triangles[i, k], 1]
            ends[4 * i] = _least(p[0], _least(p[2], p[4]))
            ends[4 * i + 1] = _most(p[0], _most(p[2], p[4]))
            ends[4 * i + 2] = _least(p[1], _least(p[3], p[5]))
            ends[4 * i + 3] = _most(p[1], _most(p[3], p[5]))
        for row in range((height + side - 1) // side):
            y: cython.int = row * side
            some: cython.Py_ssize_t = 0
            for i in range(count):
                if ends[4 * i + 2] < y + side and ends[4 * i + 3] > y:
                    own[some] = i
                    some += 1
            for column in range((width + side - 1) // side):
                x: cython.int = column * side
                few: cython.Py_ssize_t = 0
                for j in range(some):
                    i = own[j]
                    if ends[4 * i] < x + side and ends[4 * i + 1] > x:
                        near[few] = i
                        few += 1
                if not few:
                    continue
                wide: cython.int = side if x + side < width else width - x
                high: cython.int = side if y + side < height else height - y
                size[0] = wide * samples
                size[1] = high * samples
                for i in range(cython.cast(cython.Py_ssize_t, size[0]) * size[1]):
                    depths[i] = 0.0
                    owners[i] = -1
                for j in range(few):
                    for k in range(3):
                        p[2 * k] = (points[triangles[near[j], k], 0] - x) * samples
                        p[2 * k + 1] = (points[triangles[near[j], k], 1] - y) * samples
                        v[k] = nearness[triangles[near[j], k]]
                    _sample(p, v, cython.cast(cython.int, near[j]), size, depths, owners)
                for i in range(high):
                    for j in range(wide):
                        at: cython.Py_ssize_t = (i * size[0] + j) * samples
                        groups: cython.int = _grouped(owners + at, size[0], samples, found, sums)
                        color: cython.p_float = cython.address(rgb[y + i, x + j, 0])
                        others: cython.p_float = rest + ((y + i) * width + x + j) * deep
                        for k in range(groups):
                            corners: cython.p_const_int = cython.address(triangles[found[k], 0])
                            if found[k] != last:
                                last = found[k]
                                _placed(points, nearness, corners, t)
                            if sums[3 * k] == samples * samples:
                                place[0] = x + j + middle
                                place[1] = y + i + middle
                            else:
                                place[0] = x + j + (sums[3 * k + 1] / (1.0 * sums[3 * k]) + 0.5) / samples
                                place[1] = y + i + (sums[3 * k + 2] / (1.0 * sums[3 * k]) + 0.5) / samples
                            part: cython.double = sums[3 * k] * share
                            _shown(t, colors, corners, place, part, color, others)
                            hit[y + i, x + j] += cython.cast(cython.float, part)
    free(own)
    free(depths)
    free(owners)
    free(ends)
