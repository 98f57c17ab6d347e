"""Undoes the filters of PNG rows (PNG specification, 9.2), compiled by Cython.

The pixel on the left stays in registers. So the filters that look at it are written for pixels of any number
of bytes, and compiled for three, for four and for all others. Paeth's filter takes longest, so `paeth.pxd`
undoes it in several rows at once.
"""

import cython
from cython.cimports.libc.string import memcpy
from cython.cimports.service.codec.formats.png.paeth import PAETH_ROWS, paeth_rows

LARGEST = cython.declare(cython.int, 8)  # bytes of a pixel, at most


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _nearest(left: cython.int, above: cython.int, corner: cython.int) -> cython.int:
    """Paeth's predictor, without computing its distances."""
    least: cython.int = left if left < above else above
    most: cython.int = above if left < above else left
    rest: cython.int = 3 * corner - left - above
    found: cython.int = least if most <= rest else corner
    return most if rest <= least else found


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _sub(
    row: cython.p_const_uchar, out: cython.p_uchar, size: cython.Py_ssize_t, step: cython.int
) -> cython.void:
    left: cython.int[8] = [0, 0, 0, 0, 0, 0, 0, 0]
    i: cython.Py_ssize_t = 0
    k: cython.int
    while i < size:
        for k in range(step):
            left[k] = (row[i + k] + left[k]) & 255
            out[i + k] = cython.cast(cython.uchar, left[k])
        i += step


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _average(
    row: cython.p_const_uchar,
    above: cython.p_const_uchar,
    out: cython.p_uchar,
    size: cython.Py_ssize_t,
    step: cython.int,
) -> cython.void:
    left: cython.int[8] = [0, 0, 0, 0, 0, 0, 0, 0]
    i: cython.Py_ssize_t = 0
    k: cython.int
    while i < size:
        for k in range(step):
            left[k] = (row[i + k] + ((left[k] + above[i + k]) >> 1)) & 255
            out[i + k] = cython.cast(cython.uchar, left[k])
        i += step


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _paeth(
    row: cython.p_const_uchar,
    above: cython.p_const_uchar,
    out: cython.p_uchar,
    size: cython.Py_ssize_t,
    step: cython.int,
) -> cython.void:
    left: cython.int[8] = [0, 0, 0, 0, 0, 0, 0, 0]
    corner: cython.int[8] = [0, 0, 0, 0, 0, 0, 0, 0]
    i: cython.Py_ssize_t = 0
    k: cython.int
    while i < size:
        for k in range(step):
            left[k] = (row[i + k] + _nearest(left[k], above[i + k], corner[k])) & 255
            corner[k] = above[i + k]
            out[i + k] = cython.cast(cython.uchar, left[k])
        i += step


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _row(
    row: cython.p_const_uchar,
    above: cython.p_const_uchar,
    out: cython.p_uchar,
    size: cython.Py_ssize_t,
    step: cython.int,
) -> cython.bint:
    """Undo the filter of a row, whose number is in front of it; returns whether it is known."""
    kind: cython.int = row[0]
    i: cython.Py_ssize_t
    row = row + 1
    if kind == 0:
        memcpy(out, row, size)
    elif kind == 1:
        _sub(row, out, size, step)
    elif kind == 2:
        for i in range(size):
            out[i] = cython.cast(cython.uchar, row[i] + above[i])
    elif kind == 3:
        _average(row, above, out, size, step)
    elif kind == 4:
        _paeth(row, above, out, size, step)
    else:
        return False
    return True


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _are_paeth(filtered: cython.p_const_uchar, size: cython.Py_ssize_t) -> cython.bint:
    """Whether the next `PAETH_ROWS` rows all use Paeth's filter; the number of a row's filter comes before
    its `size` bytes."""
    found: cython.bint = True
    y: cython.Py_ssize_t
    for y in range(PAETH_ROWS):
        found = found and filtered[y * (size + 1)] == 4
    return found


def unfilter(
    filtered: cython.const[cython.uchar][::1],  # type: ignore[valid-type]
    rows: cython.uchar[:, ::1],
    top: cython.Py_ssize_t,
    step: cython.int,
) -> bool:
    """Undo the filters of `filtered` into `rows`, from the row `top` on; returns whether all were known.

    `filtered` has whole rows, each behind the number of its filter. `rows` is (h, size) uint8 with a row
    before `top`, which the first filter looks at. A pixel takes `step` bytes, of which `size` is a multiple.
    Raises ValueError for anything else. Releases the interpreter's lock.
    """
    size: cython.Py_ssize_t = rows.shape[1]
    if step < 1 or step > LARGEST or size < 1 or size % step or filtered.shape[0] % (size + 1):
        raise ValueError("not whole rows of whole pixels")
    count: cython.Py_ssize_t = filtered.shape[0] // (size + 1)
    if top < 1 or top > rows.shape[0] or count > rows.shape[0] - top:
        raise ValueError("rows that do not belong here")
    known: cython.bint = True
    row: cython.p_const_uchar
    above: cython.p_const_uchar
    out: cython.p_uchar
    y: cython.Py_ssize_t = 0
    at_once: cython.bint = PAETH_ROWS > 0 and (step == 3 or step == 4)
    with cython.nogil:
        while known and y < count:
            row = cython.address(filtered[y * (size + 1)])
            above = cython.address(rows[top + y - 1, 0])
            out = cython.address(rows[top + y, 0])
            # With the number known, the compiler unrolls the loop over a pixel's bytes.
            if at_once and y + PAETH_ROWS <= count and _are_paeth(row, size):
                if step == 3:
                    paeth_rows(row + 1, above, out, size, 3)
                else:
                    paeth_rows(row + 1, above, out, size, 4)
                y += PAETH_ROWS
                continue
            if step == 3:
                known = _row(row, above, out, size, 3)
            elif step == 4:
                known = _row(row, above, out, size, 4)
            else:
                known = _row(row, above, out, size, step)
            y += 1
    return bool(known)
