"""Bilinear samples of pictures at scattered places."""

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
