"""Bilinear samples of pictures: at scattered places, and at all between those of a grid."""

import cython


def add(
    picture: cython.const_ushort[:, :, ::1],
    columns: cython.const_float[:, ::1],
    rows: cython.const_float[:, ::1],
    weights: cython.const_float[:, ::1],
    sums: cython.float[:, :, ::1],
) -> None:
    """Add bilinear samples of a picture (H, W, 4) at `columns` and `rows` (h, w), times `weights`, to `sums`.

    Whole numbers are the middles of px; beyond the outermost px, the picture repeats them. `sums` are
    (h, w, 4). Raises ValueError for arrays that do not fit.
    """
    high: cython.Py_ssize_t = picture.shape[0]
    wide: cython.Py_ssize_t = picture.shape[1]
    if not 0 < high < 1 << 20 or not 0 < wide < 1 << 20 or picture.shape[2] != 4:
        raise ValueError("a picture has pixels of 4 channels")
    h: cython.Py_ssize_t = columns.shape[0]
    w: cython.Py_ssize_t = columns.shape[1]
    if rows.shape[0] != h or rows.shape[1] != w or weights.shape[0] != h or weights.shape[1] != w:
        raise ValueError("columns, rows and weights are alike")
    if sums.shape[0] != h or sums.shape[1] != w or sums.shape[2] != 4:
        raise ValueError("sums are (h, w, 4)")
    right: cython.float = wide - 1
    bottom: cython.float = high - 1
    y: cython.Py_ssize_t
    x: cython.Py_ssize_t
    c: cython.int
    with cython.nogil:
        for y in range(h):
            for x in range(w):
                weight: cython.float = weights[y, x]
                if not weight > 0:
                    continue
                # In this order, NaN becomes 0.
                column: cython.float = columns[y, x]
                column = column if column > 0 else 0
                column = column if column < right else right
                row: cython.float = rows[y, x]
                row = row if row > 0 else 0
                row = row if row < bottom else bottom
                left: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, column)
                top: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, row)
                column -= left
                row -= top
                next_: cython.Py_ssize_t = left + 1 if left + 1 < wide else left
                below: cython.Py_ssize_t = top + 1 if top + 1 < high else top
                for c in range(4):
                    upper: cython.float = picture[top, left, c]
                    upper += (picture[top, next_, c] - upper) * column
                    lower: cython.float = picture[below, left, c]
                    lower += (picture[below, next_, c] - lower) * column
                    sums[y, x, c] += (upper + (lower - upper) * row) * weight


def enlarge(
    grid: cython.const_float[:, :, ::1],
    step: cython.Py_ssize_t,
    light: cython.float[:, :, ::1],
    share: cython.float[:, ::1],
) -> None:
    """Interpolate a `grid` (n, m, 4), whose points are `step` px apart from the first px on, to every px.

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
    left = cython.declare(cython.float[4])
    slope = cython.declare(cython.float[4])
    for c in range(4):
        left[c] = slope[c] = 0
    with cython.nogil:
        for y in range(h):
            row: cython.Py_ssize_t = y // step
            down: cython.float = (y - row * step) / wide
            column: cython.Py_ssize_t = 0
            past: cython.Py_ssize_t = 0
            for x in range(w):
                if past == 0:
                    for c in range(4):
                        upper: cython.float = grid[row, column, c]
                        left[c] = upper + (grid[row + 1, column, c] - upper) * down
                        upper = grid[row, column + 1, c]
                        slope[c] = upper + (grid[row + 1, column + 1, c] - upper) * down - left[c]
                across: cython.float = past / wide
                for c in range(3):
                    light[y, x, c] = left[c] + slope[c] * across
                share[y, x] = left[3] + slope[3] * across
                past += 1
                if past == step:
                    past = 0
                    column += 1
