"""Texture lookup: each pixel samples a picture at the place that it shows, in the resolution at which it
shows it."""

import cython
from cython.cimports.libc.math import fabsf, sqrt, sqrtf
from cython.cimports.libc.stdlib import free, malloc

from ...arrays import U16

SIZES = cython.declare(cython.int, 24)  # the largest number of mip levels of a picture
# Share of a pixel below which a face counts as absent: where only the other face is seen, rounding leaves as
# much.
FAINT = cython.declare(cython.float, 1e-5)


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _within(value: cython.float, most: cython.float) -> cython.float:
    """The value, clamped to 0 to `most`; 0 for NaN."""
    value = value if value > 0 else 0
    return value if value < most else most


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _binary(value: cython.float, most: cython.float) -> cython.float:
    """The binary logarithm of a value of 1 or more, to 2e-5; results above `most` become `most`."""
    whole: cython.float = 0
    half: cython.float = 0.5
    while value >= 2 and whole < most:
        value *= half
        whole += 1
    if whole >= most:
        return most
    # The series of 2 artanh(t) / ln 2.
    t: cython.float = (value - 1) / (value + 1)
    square: cython.float = t * t
    scale: cython.float = 2.8853900817779268
    third: cython.float = 1.0 / 3
    fifth: cython.float = 1.0 / 5
    seventh: cython.float = 1.0 / 7
    whole += scale * t * (1 + square * (third + square * (fifth + square * seventh)))
    return whole if whole < most else most


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add(
    picture: cython.p_const_ushort,
    high: cython.Py_ssize_t,
    wide: cython.Py_ssize_t,
    place: cython.p_float,
    weight: cython.float,
    sum: cython.p_float,
) -> cython.void:
    """Add the bilinear sample of a picture (H, W, 4) at a column and row, `place` (2,), to a sum (4,)."""
    column: cython.float = _within(place[0], wide - 1)
    row: cython.float = _within(place[1], high - 1)
    left: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, column)
    top: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, row)
    column -= left
    row -= top
    next_: cython.Py_ssize_t = 4 if left + 1 < wide else 0
    below: cython.Py_ssize_t = 4 * wide if top + 1 < high else 0
    one: cython.p_const_ushort = picture + 4 * (top * wide + left)
    c: cython.int
    for c in range(4):
        upper: cython.float = one[c]
        upper += (one[next_ + c] - upper) * column
        lower: cython.float = one[below + c]
        lower += (one[below + next_ + c] - lower) * column
        sum[c] += (upper + (lower - upper) * row) * weight


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _seen(
    shown: cython.const_float[:, :, ::1], hit: cython.const_float[:, ::1], front: cython.bint
) -> cython.bint:
    """Whether any pixel shows the front, or, if `front` is 0, the back; see `drape`."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    for i in range(hit.shape[0]):
        for j in range(hit.shape[1]):
            part: cython.float = shown[i, j, 2]
            if (part if front else hit[i, j] - part) > FAINT * hit[i, j]:
                return True
    return False


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _apart(
    places: cython.p_const_float,
    hit: cython.p_const_float,
    before: cython.Py_ssize_t,
    after: cython.Py_ssize_t,
) -> cython.float:
    """The squared distance between the places (2,) that neighbouring pixels show, divided by the squared
    distance between the pixels.

    The neighbours are at the offsets `before` and `after`, in pixels; a neighbour that shows nothing does not
    count.
    """
    first: cython.Py_ssize_t = before if hit[before] > 0 else 0
    last: cython.Py_ssize_t = after if hit[after] > 0 else 0
    half: cython.float = 0.5
    one: cython.float = 1
    step: cython.float = half if first != 0 and last != 0 else one
    x: cython.float = (places[2 * last] - places[2 * first]) * step
    y: cython.float = (places[2 * last + 1] - places[2 * first + 1]) * step
    return x * x + y * y


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _span(
    matrix: cython.const_double[:, ::1],
    size: cython.p_const_double,
    along: cython.int,
    spans: cython.p_double,
) -> cython.void:
    """Write the longest and the shortest width (2,), px, of a picture on the canvas, or its heights if
    `along` is 1.

    They are extrapolated from quarters of the picture's `size` (2,), measured along its edges and through its
    middle.
    """
    place = cython.declare(cython.double[2])
    last = cython.declare(cython.double[2])
    quarter: cython.double = 0.25
    half: cython.double = 0.5
    line: cython.int
    step: cython.int
    spans[0] = 0
    spans[1] = 1e300
    for line in range(3):
        for step in range(5):
            x: cython.double = size[0] * (half * line if along else quarter * step)
            y: cython.double = size[1] * (quarter * step if along else half * line)
            deep: cython.double = matrix[2, 0] * x + matrix[2, 1] * y + matrix[2, 2]
            place[0] = (matrix[0, 0] * x + matrix[0, 1] * y + matrix[0, 2]) / deep
            place[1] = (matrix[1, 0] * x + matrix[1, 1] * y + matrix[1, 2]) / deep
            if step:
                across: cython.double = place[0] - last[0]
                down: cython.double = place[1] - last[1]
                apart: cython.double = 4 * sqrt(across * across + down * down)
                spans[0] = apart if apart > spans[0] else spans[0]
                spans[1] = apart if apart < spans[1] else spans[1]
            last[0] = place[0]
            last[1] = place[1]


def density(
    matrix: cython.const_double[:, ::1], wide: cython.double, high: cython.double, tolerance: cython.double
) -> tuple[float, float]:
    """The canvas px that a px of a picture, `wide` by `high` px, spans along the picture's width and its
    height.

    `matrix` (3, 3) takes continuous px of the picture to canvas px. Spans are measured where they are
    largest. If the smallest span is smaller by more than a factor of `tolerance`, as on a face at a grazing
    angle, the result is sqrt(largest · smallest · tolerance) instead, so that the far end does not alias.
    Raises ValueError for other matrices and sizes.
    """
    if matrix.shape[0] != 3 or matrix.shape[1] != 3 or not wide > 0 or not high > 0:
        raise ValueError("a matrix is (3, 3), and a picture has some px")
    size = cython.declare(cython.double[2])
    spans = cython.declare(cython.double[2])
    found = cython.declare(cython.double[2])
    # px; the shortest span counts as at least this long, to avoid a division by zero.
    tiny: cython.double = 1e-9
    one: cython.double = 1
    # A larger ratio of the spans counts as this ratio. However steep the view, the result is then at least
    # the largest span divided by sqrt(most / tolerance), and the near end stays sharp enough.
    most: cython.double = 50
    size[0] = wide
    size[1] = high
    along: cython.int
    with cython.nogil:
        for along in range(2):
            _span(matrix, size, along, spans)
            ratio: cython.double = spans[0] / (spans[1] if spans[1] > tiny else tiny)
            ratio = (ratio if ratio < most else most) / tolerance
            found[along] = spans[0] / size[along] / sqrt(ratio if ratio > one else one)
    return found[0], found[1]


def drape(
    pyramid: tuple[U16, ...],
    mean: cython.const_float[::1],
    placing: tuple[float, float, float, float, bool],
    shown: cython.const_float[:, :, ::1],
    hit: cython.const_float[:, ::1],
    rgb: cython.float[:, :, ::1],
) -> None:
    """Lay a picture over light (h, w, 3), premultiplied by the share `hit` (h, w) of each pixel, in place.

    `pyramid` has the picture (H, W, 4), premultiplied, at full size and at smaller sizes; below the smallest,
    `mean` (4,) is used. `placing` has the picture's middle across and up, mm; its texels per mm across
    (negative if it is seen from the back) and down; and whether it is on the front.

    `shown` (h, w, 6), premultiplied, has for each pixel the place that it shows, across and up, mm; the share
    of the front; and the light (3) on a white surface. Each pixel interpolates between the two sizes whose
    texels are about as far apart as the places that it and its neighbours show. Raises ValueError for arrays
    that do not fit.
    """
    h: cython.Py_ssize_t = rgb.shape[0]
    w: cython.Py_ssize_t = rgb.shape[1]
    count: cython.int = len(pyramid)
    if not 0 < count <= SIZES or mean.shape[0] != 4:
        raise ValueError(f"{count} sizes of a picture of 4 channels")
    if shown.shape[0] != h or shown.shape[1] != w or shown.shape[2] != 6 or rgb.shape[2] != 3:
        raise ValueError("each pixel has light of 3 channels, and shows 6 values")
    if hit.shape[0] != h or hit.shape[1] != w:
        raise ValueError("each pixel has a share")
    texels = cython.declare(cython.p_const_ushort[24])
    high = cython.declare(cython.Py_ssize_t[24])
    wide = cython.declare(cython.Py_ssize_t[24])
    k: cython.int
    for k in range(count):
        picture: cython.const_ushort[:, :, ::1] = pyramid[k]
        if not 0 < picture.shape[0] < 1 << 20 or not 0 < picture.shape[1] < 1 << 20 or picture.shape[2] != 4:
            raise ValueError("a picture has pixels of 4 channels")
        texels[k] = cython.address(picture[0, 0, 0])
        high[k] = picture.shape[0]
        wide[k] = picture.shape[1]
    middle = cython.declare(cython.float[2])
    scale = cython.declare(cython.float[2])
    middle[0] = placing[0]
    middle[1] = placing[1]
    scale[0] = placing[2]
    scale[1] = placing[3]
    front: cython.bint = placing[4]
    if not _seen(shown, hit, front):
        return
    one: cython.float = 1
    half: cython.float = 0.5
    full: cython.float = 1.0 / 65535
    last: cython.float = count - 1
    ratios = cython.declare(cython.float[2 * 24])
    for k in range(count):
        ratios[2 * k] = cython.cast(cython.float, wide[k]) / wide[0]
        ratios[2 * k + 1] = cython.cast(cython.float, high[k]) / high[0]
    places: cython.p_float = cython.cast(
        cython.p_float, malloc((2 * h * w + 1) * cython.sizeof(cython.float))
    )
    if places == cython.NULL:
        raise MemoryError
    place = cython.declare(cython.float[2])
    laid = cython.declare(cython.float[4])
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    c: cython.int
    with cython.nogil:
        for i in range(h):
            for j in range(w):
                if hit[i, j] > 0:
                    share: cython.float = one / hit[i, j]
                    places[2 * (i * w + j)] = (shown[i, j, 0] * share - middle[0]) * scale[0]
                    places[2 * (i * w + j) + 1] = (middle[1] - shown[i, j, 1] * share) * scale[1]
        for i in range(h):
            for j in range(w):
                if not hit[i, j] > 0:
                    continue
                part: cython.float = shown[i, j, 2] / hit[i, j]
                part = part if front else one - part
                if not part > FAINT:
                    continue
                part *= full
                near: cython.p_const_float = cython.address(hit[i, j])
                own: cython.p_float = places + 2 * (i * w + j)
                apart: cython.float = _apart(own, near, -1 if j else 0, 1 if j + 1 < w else 0)
                other: cython.float = _apart(own, near, -w if i else 0, w if i + 1 < h else 0)
                apart = sqrtf(apart if apart > other else other)
                apart = apart if apart > one else one
                part *= _within((wide[0] * half - fabsf(own[0])) / apart + half, 1)
                part *= _within((high[0] * half - fabsf(own[1])) / apart + half, 1)
                if not part > 0:
                    continue
                level: cython.float = _binary(apart, last + 1)
                k = cython.cast(cython.int, level if level < last else last)
                beyond: cython.float = level - k
                for c in range(4):
                    laid[c] = 0
                if beyond > 0 and k < last:
                    place[0] = own[0] * ratios[2 * k + 2] + (wide[k + 1] - 1) * half
                    place[1] = own[1] * ratios[2 * k + 3] + (high[k + 1] - 1) * half
                    _add(texels[k + 1], high[k + 1], wide[k + 1], place, beyond * part, laid)
                elif beyond > 0:
                    for c in range(4):
                        laid[c] = mean[c] * (beyond * part)
                if beyond < one:
                    place[0] = own[0] * ratios[2 * k] + (wide[k] - 1) * half
                    place[1] = own[1] * ratios[2 * k + 1] + (high[k] - 1) * half
                    _add(texels[k], high[k], wide[k], place, (one - beyond) * part, laid)
                for c in range(3):
                    rgb[i, j, c] = rgb[i, j, c] * (one - laid[3]) + laid[c] * shown[i, j, 3 + c]
    free(places)
