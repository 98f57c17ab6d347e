"""Bilinear samples of a picture at all places between those of a grid."""

import cython


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
