"""Gradients, and shadows on a background, rounded to code values."""

import cython
from cython.cimports.libc.math import sqrtf

from service.arrays import F32


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _byte(value: cython.float) -> cython.uchar:
    """The value without its fraction, from 0 to 255; 0 where it is no number."""
    value = value if value > 0 else 0
    return cython.cast(cython.uchar, value if value < 255 else 255)


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _rounded(value: cython.float) -> cython.uchar:
    """The nearest whole number from 0 to 255, of two as near the even one; 0 where it is no number."""
    # Above it, floats have no fractions.
    whole: cython.float = 1 << 23
    value = value if value > 0 else 0
    value = value if value < 255 else 255
    return cython.cast(cython.uchar, value + whole - whole)


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _along(place: cython.float, reach: cython.float) -> cython.float:
    """The position along a gradient, from the sum of a column's place and a row's; see `gradient`."""
    half: cython.float = 0.5
    return sqrtf(place) / reach if reach > 0 else place + half


def gradient(
    canvas: cython.uchar[:, :, ::1],
    places: tuple[F32, F32, float],
    colors: cython.const_float[:, ::1],
    grain: tuple[F32, int, float],
    shadow: tuple[F32, int, int, F32],
) -> None:
    """Write a gradient under a shadow into rows (h, w, 4) of a canvas.

    The `places` are across (w,), down (h,) and reach: with s, the sum of the first two, the position along
    the gradient, 0-1, is s + 0.5, or √s / reach if that is not 0. `colors` (2, 4) are the first colour and
    the difference to the last, 0-255. The `grain` is noise (n, m, 4) in 0-1, the rows by which it begins
    above these, from where it repeats, and its width in code values; a fully opaque gradient stays opaque.
    The `shadow` is its share (p, q) in 0-1, its left and top in the rows, and its colour (3,). Raises
    ValueError for arrays that do not fit together.
    """
    across: cython.const_float[::1] = places[0]
    down: cython.const_float[::1] = places[1]
    reach: cython.float = places[2]
    noise: cython.const_float[:, :, ::1] = grain[0]
    y: cython.Py_ssize_t = grain[1]
    width: cython.float = grain[2]
    shade: cython.const_float[:, ::1] = shadow[0]
    left: cython.Py_ssize_t = shadow[1]
    top: cython.Py_ssize_t = shadow[2]
    color: cython.const_float[::1] = shadow[3]
    h: cython.Py_ssize_t = canvas.shape[0]
    w: cython.Py_ssize_t = canvas.shape[1]
    if canvas.shape[2] != 4 or across.shape[0] != w or down.shape[0] != h:
        raise ValueError("each row and column of a canvas of 4 channels has a place")
    if colors.shape[0] != 2 or colors.shape[1] != 4 or color.shape[0] != 3:
        raise ValueError("a gradient has 2 colours of 4 channels, and a shadow one of 3")
    if noise.shape[2] != 4 or not noise.shape[0] or not noise.shape[1] or y < 0:
        raise ValueError("noise has 4 channels, and rows are counted from 0")
    if not 0 <= left <= w - shade.shape[1] or not 0 <= top <= h - shade.shape[0]:
        raise ValueError("a shadow lies within its canvas")
    one: cython.float = 1
    # Round down by rounding a value reduced by just under 0.5, which keeps whole numbers.
    less: cython.float = (1.0 - width) / 2.0 - 0.49999
    solid: cython.bint = colors[0, 3] == 255 and colors[1, 3] == 0
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    c: cython.int
    with cython.nogil:
        for i in range(h):
            speck: cython.p_const_float = cython.address(noise[(y + i) % noise.shape[0], 0, 0])
            column: cython.Py_ssize_t = -1
            shaded: cython.bint = top <= i < top + shade.shape[0]
            for j in range(w):
                column = column + 1 if column + 1 < noise.shape[1] else 0
                place: cython.float = _along(across[j] + down[i], reach)
                dark: cython.float = 0
                if shaded and left <= j < left + shade.shape[1]:
                    dark = shade[i - top, j - left]
                pixel: cython.p_uchar = cython.address(canvas[i, j, 0])
                for c in range(3):
                    code: cython.float = place * colors[1, c] + colors[0, c]
                    code = code * (one - dark) + dark * color[c]
                    pixel[c] = _rounded(code + (speck[4 * column + c] * width + less))
                code = place * colors[1, 3] + colors[0, 3]
                pixel[3] = 255 if solid else _rounded(code + (speck[4 * column + 3] * width + less))


def steps(
    canvas: cython.uchar[:, :, ::1],
    across: cython.const_float[::1],
    down: cython.const_float[::1],
    reach: cython.float,
    colors: cython.const_uchar[:, ::1],
) -> None:
    """Write a gradient into rows (h, w, 4) of a canvas in its `colors` (n, 4), from the first to the last.

    Positions are those of `gradient`. ValueError for arrays that do not fit together.
    """
    h: cython.Py_ssize_t = canvas.shape[0]
    w: cython.Py_ssize_t = canvas.shape[1]
    if canvas.shape[2] != 4 or across.shape[0] != w or down.shape[0] != h:
        raise ValueError("each row and column of a canvas of 4 channels has a place")
    if colors.shape[0] == 0 or colors.shape[1] != 4:
        raise ValueError("there are colours of 4 channels")
    half: cython.float = 0.5
    last: cython.float = colors.shape[0] - 1
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    c: cython.int
    with cython.nogil:
        for i in range(h):
            for j in range(w):
                place: cython.float = _along(across[j] + down[i], reach) * last + half
                place = place if place > 0 else 0
                step: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, place if place < last else last)
                for c in range(4):
                    canvas[i, j, c] = colors[step, c]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _extent(shade: cython.const_float[:, ::1], least: cython.float, ends: cython.p_Py_ssize_t) -> cython.void:
    """Write the first and end row and column of what is darker, (4,); they are equal if nothing is."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    ends[0] = shade.shape[0]
    ends[1] = 0
    ends[2] = shade.shape[1]
    ends[3] = 0
    for i in range(shade.shape[0]):
        j = 0
        while j < shade.shape[1] and not shade[i, j] > least:
            j += 1
        if j == shade.shape[1]:
            continue
        ends[0] = i if i < ends[0] else ends[0]
        ends[1] = i + 1
        ends[2] = j if j < ends[2] else ends[2]
        j = shade.shape[1]
        while j > ends[3] and not shade[i, j - 1] > least:
            j -= 1
        ends[3] = j if j > ends[3] else ends[3]


def mix(
    canvas: cython.uchar[:, :, ::1],
    shadow: tuple[F32, int, int, F32],
    offsets: cython.const_float[:, :, ::1],
    y: cython.Py_ssize_t,
    least: cython.float,
) -> None:
    """Mix a shadow into rows (h, w, 4) of a canvas, of straight alpha, in place.

    The `shadow` is as in `gradient`. Only the smallest rectangle that holds all of its pixels above `least`
    is changed. `offsets` (p, q, 3), which repeat from the canvas' corner, `y` rows above, are added before
    values are rounded down. Raises ValueError for arrays that do not fit.
    """
    shade: cython.const_float[:, ::1] = shadow[0]
    left: cython.Py_ssize_t = shadow[1]
    top: cython.Py_ssize_t = shadow[2]
    color: cython.const_float[::1] = shadow[3]
    _checked(canvas, shade, left, top, color)
    if offsets.shape[2] != 3 or not offsets.shape[0] or not offsets.shape[1] or y < 0:
        raise ValueError("offsets have 3 channels, and rows are counted from 0")
    one: cython.float = 1
    tiny: cython.float = 1e-6
    level: cython.float = 1.0 / 255.0
    most: cython.float = 255
    ends = cython.declare(cython.Py_ssize_t[4])
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    c: cython.int
    with cython.nogil:
        _extent(shade, least, ends)
        for i in range(ends[0], ends[1]):
            offset: cython.p_const_float = cython.address(offsets[(y + top + i) % offsets.shape[0], 0, 0])
            column: cython.Py_ssize_t = (left + ends[2] - 1) % offsets.shape[1]
            for j in range(ends[2], ends[3]):
                column = column + 1 if column + 1 < offsets.shape[1] else 0
                dark: cython.float = shade[i, j]
                pixel: cython.p_uchar = cython.address(canvas[top + i, left + j, 0])
                if pixel[3] == 255:
                    for c in range(3):
                        code: cython.float = pixel[c]
                        code += dark * (color[c] - code)
                        pixel[c] = _byte(code + offset[3 * column + c])
                    continue
                rest: cython.float = (one - dark) * (pixel[3] * level)
                total: cython.float = rest + dark
                total = total if total > tiny else tiny
                for c in range(3):
                    code = (pixel[c] * rest + dark * color[c]) / total
                    pixel[c] = _byte(code + offset[3 * column + c])
                pixel[3] = _byte(total * most + offset[3 * column])


def darken(canvas: cython.uchar[:, :, ::1], shadow: tuple[F32, int, int, F32]) -> None:
    """As `mix` of opaque rows, but in whole steps of opacity and without offsets; alpha stays."""
    shade: cython.const_float[:, ::1] = shadow[0]
    left: cython.Py_ssize_t = shadow[1]
    top: cython.Py_ssize_t = shadow[2]
    color: cython.const_float[::1] = shadow[3]
    _checked(canvas, shade, left, top, color)
    most: cython.float = 255
    own = cython.declare(cython.int[3])
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    c: cython.int
    for c in range(3):
        own[c] = _rounded(color[c])
    with cython.nogil:
        for i in range(shade.shape[0]):
            for j in range(shade.shape[1]):
                dark: cython.int = _rounded(shade[i, j] * most)
                if dark == 0:
                    continue
                for c in range(3):
                    # Each product is rounded to the nearest: none is half way between two.
                    code: cython.int = (2 * canvas[top + i, left + j, c] * (255 - dark) + 255) // 510
                    code += (2 * own[c] * dark + 255) // 510
                    canvas[top + i, left + j, c] = cython.cast(cython.uchar, code if code < 255 else 255)


@cython.cfunc
def _checked(
    canvas: cython.const_uchar[:, :, ::1],
    shade: cython.const_float[:, ::1],
    left: cython.Py_ssize_t,
    top: cython.Py_ssize_t,
    color: cython.const_float[::1],
) -> cython.void:
    if canvas.shape[2] != 4 or color.shape[0] != 3:
        raise ValueError("a canvas has 4 channels, and a shadow's colour 3")
    if not 0 <= left <= canvas.shape[1] - shade.shape[1] or not 0 <= top <= canvas.shape[0] - shade.shape[0]:
        raise ValueError("a shadow lies within its canvas")
