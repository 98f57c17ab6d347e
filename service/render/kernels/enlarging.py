"""Enlarging pictures of half the size: colours, which are laid over a backdrop, and the gains of screens."""

import cython
import numpy as np

from ...arrays import U8


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _colors(row: cython.p_const_uchar, columns: cython.Py_ssize_t, wide: cython.p_ushort) -> cython.void:
    """Write a row of colours (columns, 4) enlarged to twice its width; values are multiplied by four."""
    end: cython.Py_ssize_t = 4 * (columns - 1)
    j: cython.Py_ssize_t
    c: cython.Py_ssize_t
    for c in range(4):
        wide[c] = 4 * row[c]
        wide[2 * end + 4 + c] = 4 * row[end + c]
    for j in range(0, end, 4):
        for c in range(j, j + 4):
            wide[j + c + 4] = 3 * row[c] + row[c + 4]
            wide[j + c + 8] = row[c] + 3 * row[c + 4]


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _between(
    near: cython.p_const_ushort, far: cython.p_const_ushort, count: cython.Py_ssize_t, row: cython.p_uchar
) -> cython.void:
    """Mix two rows that `_colors` wrote, three parts of `near` to one of `far`, into a row of `count`
    values."""
    j: cython.Py_ssize_t
    for j in range(count):
        # Round as OpenCV does, so that the bytes are the same.
        sum: cython.ushort = ((3 * near[j]) >> 2) + (far[j] >> 2) + 2
        row[j] = sum >> 2


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _blend(
    near: cython.p_const_ushort,
    far: cython.p_const_ushort,
    alpha: cython.p_const_float,
    count: cython.Py_ssize_t,
    under: cython.p_uchar,
) -> cython.void:
    """Mix two rows that `_colors` wrote, and lay the opaque result over pixels `under` it (count, 4), in
    place."""
    one: cython.float = 1
    half: cython.float = 0.5
    level: cython.float = 1.0 / 255.0
    tiny: cython.float = 1e-5
    # Adding this number and subtracting it again rounds to a whole number, ties to even.
    round: cython.float = 1 << 23
    code = cython.declare(cython.uchar[4])
    j: cython.Py_ssize_t = 0
    end: cython.Py_ssize_t
    c: cython.int
    while j < count:
        share: cython.float = alpha[j]
        pixel: cython.p_uchar = under + 4 * j
        end = j + 1
        if share >= 1:
            while end < count and alpha[end] >= 1:
                end += 1
            _between(near + 4 * j, far + 4 * j, 4 * (end - j), pixel)
        elif share > 0 or 0 < pixel[3] < 255:
            _between(near + 4 * j, far + 4 * j, 4, code)
            below: cython.float = (one - share) * (pixel[3] * level)
            opacity: cython.float = share + below
            for c in range(3):
                mixed: cython.float = code[c] * share + pixel[c] * below
                pixel[c] = cython.cast(cython.uchar, mixed / (opacity + tiny) + round - round)
            pixel[3] = cython.cast(cython.uchar, opacity * 255 + half)
        elif pixel[3] == 0:
            for c in range(3):
                pixel[c] = 0
        j = end


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _pair(place: cython.Py_ssize_t, size: cython.Py_ssize_t, pair: cython.p_Py_ssize_t) -> cython.void:
    """Write the two of `size` rows between which a row of the enlarged picture lies, the nearer one first.

    The two rows differ by one, so each can keep its place in a buffer of two rows.
    """
    other: cython.Py_ssize_t = place // 2 + (1 if place % 2 else -1)
    pair[0] = place // 2
    pair[1] = 0 if other < 0 else other if other < size else size - 1


def lay(
    backdrop: cython.uchar[:, :, ::1],
    left: cython.Py_ssize_t,
    top: cython.Py_ssize_t,
    alpha: cython.const_float[:, ::1],
    paint: tuple[U8, int, int],
) -> None:
    """Lay paint of half the size over a backdrop (H, W, 4), in place, with an `alpha` (h, w) of full size.

    `alpha` begins at `left` and `top` of the backdrop. `paint` has opaque colours (n, m, 4), and the position
    x and y of `alpha` in these colours once they are enlarged to (2n, 2m, 4). Raises ValueError for arrays
    that do not fit together.
    """
    code: cython.const_uchar[:, :, ::1] = paint[0]
    x: cython.Py_ssize_t = paint[1]
    y: cython.Py_ssize_t = paint[2]
    h: cython.Py_ssize_t = alpha.shape[0]
    w: cython.Py_ssize_t = alpha.shape[1]
    size: cython.Py_ssize_t = code.shape[0]
    columns: cython.Py_ssize_t = code.shape[1]
    if backdrop.shape[2] != 4 or code.shape[2] != 4:
        raise ValueError("backdrops and opaque colours have four channels")
    if not 0 <= left <= backdrop.shape[1] - w or not 0 <= top <= backdrop.shape[0] - h:
        raise ValueError("paint lies within its backdrop")
    _inside(size, columns, x, y, h, w)
    if not h or not w:
        return
    rows_ = np.empty((2, 2 * columns, 4), np.uint16)
    rows: cython.ushort[:, :, ::1] = rows_
    wide: cython.p_ushort = cython.address(rows[0, 0, 0])
    made = cython.declare(cython.Py_ssize_t[2], (-1, -1))
    pair = cython.declare(cython.Py_ssize_t[2])
    i: cython.Py_ssize_t
    k: cython.int
    with cython.nogil:
        for i in range(h):
            _pair(y + i, size, pair)
            for k in range(2):
                if made[pair[k] & 1] != pair[k]:
                    made[pair[k] & 1] = pair[k]
                    _colors(cython.address(code[pair[k], 0, 0]), columns, wide + (pair[k] & 1) * 8 * columns)
            _blend(
                wide + (pair[0] & 1) * 8 * columns + 4 * x,
                wide + (pair[1] & 1) * 8 * columns + 4 * x,
                cython.address(alpha[i, 0]),
                w,
                cython.address(backdrop[top + i, left, 0]),
            )


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _gains(row: cython.p_const_ushort, columns: cython.Py_ssize_t, wide: cython.p_int) -> cython.void:
    """Write a row of gains (columns,) enlarged to twice its width; values are multiplied by four."""
    j: cython.Py_ssize_t
    wide[0] = 4 * row[0]
    wide[2 * columns - 1] = 4 * row[columns - 1]
    for j in range(columns - 1):
        wide[2 * j + 1] = 3 * row[j] + row[j + 1]
        wide[2 * j + 2] = row[j] + 3 * row[j + 1]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _let(
    near: cython.p_const_int,
    far: cython.p_const_int,
    screen: cython.p_const_float,
    left: cython.p_const_float,
    passed: cython.p_ushort,
    count: cython.Py_ssize_t,
) -> cython.void:
    """Mix two rows that `_gains` wrote into a row of `count` gains, multiplied by two shares; see
    `through`."""
    round: cython.float = 1 << 23
    j: cython.Py_ssize_t
    for j in range(count):
        sum: cython.int = 3 * near[j] + far[j]
        # The nearest whole number, ties to even.
        gain: cython.float = (sum + 7 + ((sum >> 4) & 1)) >> 4
        passed[j] = cython.cast(
            cython.ushort, cython.cast(cython.int, gain * screen[j] * left[j] + round - round)
        )


def through(
    gain: cython.const_ushort[:, ::1],
    x: cython.Py_ssize_t,
    y: cython.Py_ssize_t,
    screen: cython.const_float[:, ::1],
    left: cython.const_float[:, ::1],
    passed: cython.ushort[:, ::1],
) -> None:
    """Write a screen's gain `passed` (h, w), 0-65535: its `gain` at half the size (n, m), enlarged, times two
    shares of each pixel.

    Pixels begin at column `x` and row `y` of the enlarged gain (2n, 2m). The screen covers the share `screen`
    (h, w) of each pixel, of which the share `left` (h, w) is visible. Raises ValueError for arrays that do
    not fit together.
    """
    h: cython.Py_ssize_t = passed.shape[0]
    w: cython.Py_ssize_t = passed.shape[1]
    size: cython.Py_ssize_t = gain.shape[0]
    columns: cython.Py_ssize_t = gain.shape[1]
    if screen.shape[0] != h or screen.shape[1] != w or left.shape[0] != h or left.shape[1] != w:
        raise ValueError("each pixel of a gain has two shares")
    _inside(size, columns, x, y, h, w)
    if not h or not w:
        return
    rows_ = np.empty((2, 2 * columns), np.int32)
    rows: cython.int[:, ::1] = rows_
    wide: cython.p_int = cython.address(rows[0, 0])
    made = cython.declare(cython.Py_ssize_t[2], (-1, -1))
    pair = cython.declare(cython.Py_ssize_t[2])
    i: cython.Py_ssize_t
    k: cython.int
    with cython.nogil:
        for i in range(h):
            _pair(y + i, size, pair)
            for k in range(2):
                if made[pair[k] & 1] != pair[k]:
                    made[pair[k] & 1] = pair[k]
                    _gains(cython.address(gain[pair[k], 0]), columns, wide + (pair[k] & 1) * 2 * columns)
            _let(
                wide + (pair[0] & 1) * 2 * columns + x,
                wide + (pair[1] & 1) * 2 * columns + x,
                cython.address(screen[i, 0]),
                cython.address(left[i, 0]),
                cython.address(passed[i, 0]),
                w,
            )


@cython.cfunc
def _inside(
    rows: cython.Py_ssize_t,
    columns: cython.Py_ssize_t,
    x: cython.Py_ssize_t,
    y: cython.Py_ssize_t,
    h: cython.Py_ssize_t,
    w: cython.Py_ssize_t,
) -> cython.void:
    """Raise ValueError if a part of `h` rows and `w` columns that begins at `x` and `y` extends beyond the
    enlarged picture."""
    if not 0 <= x <= 2 * columns - w or not 0 <= y <= 2 * rows - h:
        raise ValueError("each pixel lies within the enlarged picture")
