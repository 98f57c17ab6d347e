"""Bilinear interpolation of coarse grids to every pixel, and mirror images on such grids."""

import cython
from cython.cimports.libc.math import fabsf, sqrtf


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _cell(
    upper: cython.p_const_float,
    lower: cython.p_const_float,
    count: cython.int,
    down: cython.float,
    out: cython.p_float,
) -> cython.void:
    """Write the values of `count` channels at the height `down` (0-1) of a cell's left side, then their
    slopes across the cell."""
    c: cython.int
    for c in range(count):
        left: cython.float = upper[c] + (lower[c] - upper[c]) * down
        right: cython.float = upper[count + c] + (lower[count + c] - upper[count + c]) * down
        out[c] = left
        out[4 + c] = right - left


def enlarge(
    grid: cython.const_float[:, :, ::1],
    step: cython.Py_ssize_t,
    light: cython.float[:, :, ::1],
    share: cython.float[:, ::1],
) -> None:
    """Interpolate a `grid` (n, m, 4) to every px; its points are `step` px apart, from the first px on.

    The first three channels are written to `light` (h, w, 3), the last to `share` (h, w). Raises ValueError
    for arrays that do not fit, and a grid that ends before the last px.
    """
    h: cython.Py_ssize_t = light.shape[0]
    w: cython.Py_ssize_t = light.shape[1]
    if light.shape[2] != 3 or share.shape[0] != h or share.shape[1] != w:
        raise ValueError("each px has a light of three channels and a share")
    if grid.shape[2] != 4 or step < 1:
        raise ValueError("a grid has 4 channels, and points at least 1 px apart")
    if (grid.shape[0] - 1) * step < h or (grid.shape[1] - 1) * step < w:
        raise ValueError("a grid goes on beyond the last px")
    wide: cython.float = step
    y: cython.Py_ssize_t
    x: cython.Py_ssize_t
    c: cython.int
    cell = cython.declare(cython.float[8])
    for c in range(8):
        cell[c] = 0
    with cython.nogil:
        for y in range(h):
            row: cython.Py_ssize_t = y // step
            down: cython.float = (y - row * step) / wide
            column: cython.Py_ssize_t = 0
            past: cython.Py_ssize_t = 0
            for x in range(w):
                if past == 0:
                    _cell(
                        cython.address(grid[row, column, 0]),
                        cython.address(grid[row + 1, column, 0]),
                        4,
                        down,
                        cell,
                    )
                across: cython.float = past / wide
                for c in range(3):
                    light[y, x, c] = cell[c] + cell[4 + c] * across
                share[y, x] = cell[3] + cell[7] * across
                past += 1
                if past == step:
                    past = 0
                    column += 1


RUN = cython.declare(cython.Py_ssize_t, 8)  # distance between px whose places are computed exactly; by cost


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _place(
    matrix: cython.const_double[:, ::1],
    column: cython.Py_ssize_t,
    row: cython.Py_ssize_t,
    out: cython.p_float,
) -> cython.void:
    """Write the fractional column and row (2,) of the picture at which the middle of a canvas px lies."""
    half: cython.double = 0.5
    tiny: cython.double = 1e-12
    x: cython.double = column + half
    y: cython.double = row + half
    deep: cython.double = matrix[2, 0] * x + matrix[2, 1] * y + matrix[2, 2]
    # At the plane's horizon, nothing of it is visible.
    deep = 1 / deep if deep > tiny or deep < -tiny else 0
    out[0] = (matrix[0, 0] * x + matrix[0, 1] * y + matrix[0, 2]) * deep - half
    out[1] = (matrix[1, 0] * x + matrix[1, 1] * y + matrix[1, 2]) * deep - half


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _sample(
    picture: cython.const_float[:, :, ::1], across: cython.float, down: cython.float, out: cython.p_float
) -> cython.void:
    """Write to `out` a bilinear sample (4,) at a fractional column and row; the outermost px extend without
    limit."""
    last: cython.float = picture.shape[1] - 1
    low: cython.float = picture.shape[0] - 1
    # This order of comparisons turns NaN into 0.
    across = across if across > 0 else 0
    across = across if across < last else last
    down = down if down > 0 else 0
    down = down if down < low else low
    column: cython.int = cython.cast(cython.int, across)
    row: cython.int = cython.cast(cython.int, down)
    across -= column
    down -= row
    upper: cython.p_const_float = cython.address(picture[row, column, 0])
    right: cython.p_const_float = upper + 4 if column + 1 < picture.shape[1] else upper
    step: cython.Py_ssize_t = 4 * picture.shape[1] if row + 1 < picture.shape[0] else 0
    c: cython.int
    for c in range(4):
        above: cython.float = upper[c] + (right[c] - upper[c]) * across
        below: cython.float = upper[step + c] + (right[step + c] - upper[step + c]) * across
        out[c] = above + (below - above) * down


def project(
    picture: cython.const_float[:, :, ::1],
    matrix: cython.const_double[:, ::1],
    start: tuple[int, int],
    cover: cython.const_uchar[:, ::1],
    light: cython.float[:, :, ::1],
    share: cython.float[:, ::1],
    adds: cython.bint,
) -> None:
    """Project a `picture` (n, m, 4): its first three channels to `light` (H, W, 3), the last to `share` (H,
    W).

    `matrix` (3, 3) takes continuous px of `light` to those of the picture, whose outermost px extend without
    limit. Its `cover` (h, w), 0-255, starts at column and row `start`; px where it is 0 are unchanged. If
    `adds` is set, samples are multiplied by the cover and added, and light is clamped to 0 or more.
    Otherwise, samples replace light and share. Raises ValueError for arrays that do not fit.
    """
    left: cython.Py_ssize_t = start[0]
    top: cython.Py_ssize_t = start[1]
    h: cython.Py_ssize_t = cover.shape[0]
    w: cython.Py_ssize_t = cover.shape[1]
    if picture.shape[2] != 4 or not 0 < picture.shape[0] < 1 << 15 or not 0 < picture.shape[1] < 1 << 15:
        raise ValueError("a picture has 4 channels and some px")
    if matrix.shape[0] != 3 or matrix.shape[1] != 3:
        raise ValueError("a matrix is (3, 3)")
    if light.shape[2] != 3 or share.shape[0] != light.shape[0] or share.shape[1] != light.shape[1]:
        raise ValueError("each px has a light of three channels and a share")
    if not 0 <= left <= light.shape[1] - w or not 0 <= top <= light.shape[0] - h:
        raise ValueError("px that are covered lie within those of the light")
    level: cython.float = 1.0 / 255.0
    wide: cython.float = RUN
    out = cython.declare(cython.float[4])
    places = cython.declare(cython.float[4])
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    c: cython.int
    with cython.nogil:
        for i in range(top, top + h):
            _place(matrix, left, i, places + 2)
            j = left
            while j < left + w:
                places[0] = places[2]
                places[1] = places[3]
                # In between, places are so evenly spaced that the error is invisible.
                _place(matrix, j + RUN, i, places + 2)
                across: cython.float = (places[2] - places[0]) / wide
                down: cython.float = (places[3] - places[1]) / wide
                for k in range(RUN if j + RUN <= left + w else left + w - j):
                    amount: cython.float = cover[i - top, j + k - left] * level
                    if amount == 0:
                        continue
                    _sample(picture, places[0] + across * k, places[1] + down * k, out)
                    if not adds:
                        for c in range(3):
                            light[i, j + k, c] = out[c]
                        share[i, j + k] = out[3]
                        continue
                    for c in range(3):
                        own: cython.float = light[i, j + k, c] + out[c] * amount
                        light[i, j + k, c] = own if own > 0 else 0
                    share[i, j + k] += out[3] * amount
                j += RUN


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _slope(
    values: cython.p_const_float,
    row: cython.Py_ssize_t,
    rows: cython.Py_ssize_t,
    column: cython.Py_ssize_t,
    columns: cython.Py_ssize_t,
) -> cython.float:
    """The length of the gradient of a grid's values at one of its points, per grid step."""
    at: cython.p_const_float = values + row * columns + column
    left: cython.Py_ssize_t = 1 if column > 0 else 0
    right: cython.Py_ssize_t = 1 if column + 1 < columns else 0
    above: cython.Py_ssize_t = columns if row > 0 else 0
    below: cython.Py_ssize_t = columns if row + 1 < rows else 0
    half: cython.float = 0.5
    x: cython.float = at[right] - at[-left]
    y: cython.float = at[below] - at[-above]
    x = x * half if left and right else x
    y = y * half if above and below else y
    return sqrtf(x * x + y * y)


def meet(
    points: cython.const_float[:, ::1],
    ways: cython.const_float[:, ::1],
    slab: cython.const_float[::1],
    columns: cython.Py_ssize_t,
    spans: cython.float[:, ::1],
    met: cython.int[::1],
    found: cython.float[:, ::1],
) -> int:
    """Find which rays from `points` (n, 3) along `ways` (n, 3) meet a rectangle, and return their number m.

    `slab` (15,) has the rectangle's middle, its x, y and normal, half its width and height, and the number of
    grid steps over which shares fall from 1 to 0 at its edge. The points form a grid of `columns`.

    For each such ray, `met` (n,) gets the point's index, and `found` (n, 4) the place across and up at which
    the ray meets the rectangle, its share, and the change of the upward coordinate per grid step; the first m
    rows are written. `spans` (3, n) is working memory. Raises ValueError for arrays that do not fit.
    """
    n: cython.Py_ssize_t = points.shape[0]
    if points.shape[1] != 3 or ways.shape[0] != n or ways.shape[1] != 3 or slab.shape[0] != 15:
        raise ValueError("points and ways are (n, 3), a rectangle has 15 numbers")
    if columns < 1 or n % columns:
        raise ValueError("points form a grid of columns")
    if spans.shape[0] != 3 or spans.shape[1] != n or met.shape[0] != n or found.shape[0] != n:
        raise ValueError("each point has room for what is found")
    if found.shape[1] != 4:
        raise ValueError("each point has room for four numbers")
    rows: cython.Py_ssize_t = n // columns
    half: cython.float = 0.5
    flat: cython.float = -1e-4
    small: cython.float = 1e-3
    far: cython.float = -8 * (slab[12] + slab[13])
    count: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    c: cython.int
    place = cython.declare(cython.float[3])
    way = cython.declare(cython.float[3])
    if not n:
        return 0
    with cython.nogil:
        for i in range(n):
            for c in range(3):
                place[c] = (
                    (points[i, 0] - slab[0]) * slab[3 + 3 * c]
                    + (points[i, 1] - slab[1]) * slab[4 + 3 * c]
                    + (points[i, 2] - slab[2]) * slab[5 + 3 * c]
                )
                way[c] = (
                    ways[i, 0] * slab[3 + 3 * c] + ways[i, 1] * slab[4 + 3 * c] + ways[i, 2] * slab[5 + 3 * c]
                )
            away: cython.float = -place[2] / (way[2] if way[2] < flat else flat)
            up: cython.float = place[1] + away * way[1]
            across: cython.float = place[0] + away * way[0]
            aside: cython.float = slab[12] - fabsf(across)
            ahead: cython.float = slab[13] - fabsf(up)
            spans[0, i] = aside if aside < ahead else ahead
            spans[1, i] = up
            spans[2, i] = across
            # 1 if the ray leads towards the front.
            met[i] = way[2] < 0 and away > 0
        for i in range(n):
            inside: cython.float = spans[0, i]
            if not met[i] or inside < far:
                continue
            row: cython.Py_ssize_t = i // columns
            steps: cython.float = slab[14] * _slope(
                cython.address(spans[0, 0]), row, rows, i - row * columns, columns
            )
            share: cython.float = inside / (steps if steps > small else small) + half
            if not share > 0:
                continue
            met[count] = cython.cast(cython.int, i)
            found[count, 0] = spans[2, i]
            found[count, 1] = spans[1, i]
            found[count, 2] = share if share < 1 else 1
            found[count, 3] = _slope(cython.address(spans[1, 0]), row, rows, i - row * columns, columns)
            count += 1
    return int(count)
