"""Gradients, and shadows on a background, rounded to code values."""

import cython

from ...arrays import F32

RUN = cython.declare(cython.Py_ssize_t, 64)  # pixels of a gradient written at a time; by cost


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _byte(value: cython.float) -> cython.uchar:
    """The value without its fraction, clamped to 0-255; 0 for NaN."""
    value = value if value > 0 else 0
    return cython.cast(cython.uchar, value if value < 255 else 255)


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _rounded(value: cython.float) -> cython.uchar:
    """The nearest whole number from 0 to 255, ties to even; 0 for NaN."""
    # Floats from 2^23 on have no fractions.
    whole: cython.float = 1 << 23
    value = value if value > 0 else 0
    value = value if value < 255 else 255
    return cython.cast(cython.uchar, value + whole - whole)


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _sum(
    place: cython.double, marks: cython.p_const_float, colors: cython.p_const_float, count: cython.int
) -> cython.double:
    """The integral of one channel of a ramp, from 0 to a position; see `gradient`."""
    total: cython.double = 0
    if place < 0:
        return place * colors[0]
    i: cython.int
    for i in range(count):
        most: cython.double = marks[i + 1]
        if i + 1 == count or most > place:
            most = place
        along: cython.double = most - marks[i]
        if along > 0:
            inner: cython.double = marks[i + 1] - marks[i]
            beyond: cython.double = 0
            if along > inner:
                beyond = along - inner
                along = inner
            total += along * (colors[8 * i] + along * colors[8 * i + 4] / 2)
            total += beyond * (colors[8 * i] + inner * colors[8 * i + 4])
    return total


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _around(
    place: cython.double, marks: cython.p_const_float, colors: cython.p_const_float, count: cython.int
) -> cython.double:
    """As `_sum`, for a ramp that repeats at every whole number, at positions from -1 on."""
    whole: cython.double = _sum(1, marks, colors, count)
    if place < 0:
        return _sum(place + 1, marks, colors, count) - whole
    if place > 1:
        return _sum(place - 1, marks, colors, count) + whole
    return _sum(place, marks, colors, count)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _ramp(
    pixels: cython.p_uchar,
    places: cython.p_const_float,
    count: cython.Py_ssize_t,
    speck: cython.p_const_float,
    part: cython.p_const_float,
    start: cython.float,
    grain: cython.p_const_float,
) -> cython.void:
    """Write the pixels of one `part` of a ramp, given as 8 floats, which begins at the position `start`.

    `grain` (2,) is the factor of the noise and a constant that is added to every value.
    """
    # Two simple loops, which the compiler turns into vector instructions; `codes` has room for the channels
    # of a RUN.
    codes = cython.declare(cython.float[256])
    i: cython.Py_ssize_t
    c: cython.int
    most: cython.float = 255
    whole: cython.float = 1 << 23
    for i in range(count):
        place: cython.float = places[i] - start
        for c in range(4):
            codes[4 * i + c] = place * part[4 + c] + part[c] + (speck[4 * i + c] * grain[0] + grain[1])
    for i in range(4 * count):
        code: cython.float = codes[i]
        code = code if code > 0 else 0
        code = code if code < most else most
        pixels[i] = cython.cast(cython.uchar, cython.cast(cython.int, code + whole - whole))


def gradient(
    canvas: cython.uchar[:, :, ::1],
    places: cython.const_float[:, ::1],
    spans: cython.const_float[:, :],
    ramp: tuple[F32, F32, F32],
    grain: tuple[F32, int],
    shadow: tuple[F32, int, int, F32],
) -> None:
    """Write a gradient under a shadow into rows (h, w, 4) of a canvas.

    `places` (h, w) are the pixels' positions along the ramp, 0-1. Where `spans` (h, w) is not 0, a pixel is
    the mean of the ramp over this length, and the ramp repeats.

    `ramp` has the marks (n + 1,) between the ramp's n parts, from 0 to 1; each part's first colour and its
    change per unit along the ramp (n, 2, 4), 0-255; and the amplitude of each part's noise in code values
    (n,).

    `grain` has the noise (p, q, 4), 0-1, which repeats, and the number of the canvas row with which these
    rows begin. A fully opaque gradient stays opaque.

    `shadow` has the shadow's strength (p, q), 0-1; its left and top within these rows; and its colour (3,).
    Raises ValueError for arrays that do not fit together.
    """
    marks: cython.const_float[::1] = ramp[0]
    colors: cython.const_float[:, :, ::1] = ramp[1]
    widths: cython.const_float[::1] = ramp[2]
    noise: cython.const_float[:, :, ::1] = grain[0]
    y: cython.Py_ssize_t = grain[1]
    shade: cython.const_float[:, ::1] = shadow[0]
    left: cython.Py_ssize_t = shadow[1]
    top: cython.Py_ssize_t = shadow[2]
    color: cython.const_float[::1] = shadow[3]
    h: cython.Py_ssize_t = canvas.shape[0]
    w: cython.Py_ssize_t = canvas.shape[1]
    count: cython.int = colors.shape[0]
    _checked(canvas, shade, left, top, color)
    if places.shape[0] != h or places.shape[1] != w or spans.shape[0] != h or spans.shape[1] != w:
        raise ValueError("each pixel of a canvas has a place and a span")
    if not count or marks.shape[0] != count + 1 or colors.shape[1] != 2 or colors.shape[2] != 4:
        raise ValueError("a ramp has parts of 2 colours of 4 channels, between marks")
    if widths.shape[0] != count:
        raise ValueError("each part of a ramp has a width of noise")
    if noise.shape[2] != 4 or not noise.shape[0] or not noise.shape[1] or y < 0:
        raise ValueError("noise has 4 channels, and rows are counted from 0")
    one: cython.float = 1
    half: cython.float = 0.5
    solid: cython.bint = True
    mark: cython.p_const_float = cython.address(marks[0])
    first: cython.p_const_float = cython.address(colors[0, 0, 0])
    part: cython.int = 0
    whole: cython.double = 0
    amount = cython.declare(cython.float[2])
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    c: cython.int
    for i in range(count):
        solid = solid and colors[i, 0, 3] == 255 and colors[i, 1, 3] == 0
    with cython.nogil:
        for i in range(h):
            speck: cython.p_const_float = cython.address(noise[(y + i) % noise.shape[0], 0, 0])
            column: cython.Py_ssize_t = -1
            shaded: cython.bint = top <= i < top + shade.shape[0]
            j = -1
            while j + 1 < w:
                j += 1
                column = column + 1 if column + 1 < noise.shape[1] else 0
                place: cython.float = places[i, j]
                while part + 1 < count and place >= mark[part + 1]:
                    part += 1
                while part > 0 and place < mark[part]:
                    part -= 1
                dark: cython.float = 0
                if shaded and left <= j < left + shade.shape[1]:
                    dark = shade[i - top, j - left]
                width: cython.float = widths[part]
                # To round down, reduce the value by just under 0.5 and round it, which keeps whole numbers.
                less: cython.float = (one - width) * half - cython.cast(cython.float, 0.49999)
                start: cython.p_const_float = first + 8 * part
                span: cython.float = spans[i, j]
                low: cython.float = place - half * span
                high: cython.float = place + half * span
                pixel: cython.p_uchar = cython.address(canvas[i, j, 0])
                if span <= 0 and dark == 0:
                    # Write this pixel together with the following ones that are in the same part and have no
                    # span.
                    end: cython.Py_ssize_t = j + noise.shape[1] - column
                    end = end if end < j + RUN else j + RUN
                    end = end if end < w else w
                    if shaded and j < left + shade.shape[1]:
                        # End the run where the shadow begins. Inside the shadow, write this pixel alone.
                        end = left if j < left and left < end else end
                        end = j + 1 if j >= left else end
                    run: cython.Py_ssize_t = j + 1
                    while (
                        run < end
                        and spans[i, run] <= 0
                        and (part + 1 == count or places[i, run] < mark[part + 1])
                        and (part == 0 or places[i, run] >= mark[part])
                    ):
                        run += 1
                    amount[0] = width
                    amount[1] = less
                    _ramp(
                        pixel,
                        cython.address(places[i, j]),
                        run - j,
                        speck + 4 * column,
                        start,
                        mark[part],
                        amount,
                    )
                    column += run - 1 - j
                    while solid and j < run:
                        canvas[i, j, 3] = 255
                        j += 1
                    j = run - 1
                    continue
                if span <= 0 or (low >= mark[part] and high <= mark[part + 1]):
                    place = place - mark[part]
                    for c in range(3):
                        code: cython.float = place * start[4 + c] + start[c]
                        code = code * (one - dark) + dark * color[c]
                        pixel[c] = _rounded(code + (speck[4 * column + c] * width + less))
                    if solid:
                        pixel[3] = 255
                    else:
                        code = place * start[7] + start[3]
                        pixel[3] = _rounded(code + (speck[4 * column + 3] * width + less))
                    continue
                for c in range(4):
                    if span < one:
                        whole = _around(high, mark, first + c, count) - _around(low, mark, first + c, count)
                        whole = whole / span
                    else:
                        whole = _sum(1, mark, first + c, count)
                    code = cython.cast(cython.float, whole)
                    if c < 3:
                        code = code * (one - dark) + dark * color[c]
                    pixel[c] = _rounded(code + (speck[4 * column + c] * width + less))
                if solid:
                    pixel[3] = 255


def mesh(
    canvas: cython.uchar[:, :, ::1],
    across: cython.const_float[:, ::1],
    down: cython.const_float[:, ::1],
    colors: cython.const_float[:, ::1],
    grain: tuple[F32, int, float],
    shadow: tuple[F32, int, int, F32],
) -> None:
    """Write the weighted mean of colours under a shadow into rows (h, w, 4) of a canvas.

    In each pixel, one of the `colors` (n, 4), 0-255, has the weight `across` (w, n) of the column times the
    weight `down` (h, n) of the row. A colour of alpha 0 does not tint the others. `grain` is as in
    `gradient`, followed by the amplitude of the noise in code values; `shadow` is as in `gradient`. Raises
    Raises ValueError for arrays that do not fit together.
    """
    noise: cython.const_float[:, :, ::1] = grain[0]
    y: cython.Py_ssize_t = grain[1]
    width: cython.float = grain[2]
    shade: cython.const_float[:, ::1] = shadow[0]
    left: cython.Py_ssize_t = shadow[1]
    top: cython.Py_ssize_t = shadow[2]
    color: cython.const_float[::1] = shadow[3]
    h: cython.Py_ssize_t = canvas.shape[0]
    w: cython.Py_ssize_t = canvas.shape[1]
    n: cython.Py_ssize_t = colors.shape[0]
    _checked(canvas, shade, left, top, color)
    if across.shape[0] != w or down.shape[0] != h or across.shape[1] != n or down.shape[1] != n:
        raise ValueError("each colour has a weight for each column and row of a canvas")
    if not 0 < n <= 8 or colors.shape[1] != 4:
        raise ValueError("there are up to 8 colours of 4 channels")
    if noise.shape[2] != 4 or not noise.shape[0] or not noise.shape[1] or y < 0:
        raise ValueError("noise has 4 channels, and rows are counted from 0")
    one: cython.float = 1
    tiny: cython.float = 1e-30
    # As in `gradient`.
    less: cython.float = (1.0 - width) / 2.0 - 0.49999
    row = cython.declare(cython.float[8 * 6])
    sums = cython.declare(cython.float[6])
    solid: cython.bint = True
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    c: cython.int
    for k in range(n):
        solid = solid and colors[k, 3] == 255
    with cython.nogil:
        for i in range(h):
            for k in range(n):
                # The last two sums are those of the weights of visible colours and of all colours.
                seen: cython.float = down[i, k] if colors[k, 3] > 0 else 0
                for c in range(3):
                    row[6 * k + c] = seen * colors[k, c]
                row[6 * k + 3] = down[i, k] * colors[k, 3]
                row[6 * k + 4] = seen
                row[6 * k + 5] = down[i, k]
            speck: cython.p_const_float = cython.address(noise[(y + i) % noise.shape[0], 0, 0])
            column: cython.Py_ssize_t = -1
            shaded: cython.bint = top <= i < top + shade.shape[0]
            for j in range(w):
                column = column + 1 if column + 1 < noise.shape[1] else 0
                for c in range(6):
                    sums[c] = 0
                for k in range(n):
                    weight: cython.float = across[j, k]
                    for c in range(6):
                        sums[c] += weight * row[6 * k + c]
                dark: cython.float = 0
                if shaded and left <= j < left + shade.shape[1]:
                    dark = shade[i - top, j - left]
                whole: cython.float = one / (sums[4] if sums[4] > tiny else tiny)
                pixel: cython.p_uchar = cython.address(canvas[i, j, 0])
                for c in range(3):
                    value: cython.float = sums[c] * whole * (one - dark) + dark * color[c]
                    pixel[c] = _rounded(value + (speck[4 * column + c] * width + less))
                value = sums[3] / (sums[5] if sums[5] > tiny else tiny)
                pixel[3] = 255 if solid else _rounded(value + (speck[4 * column + 3] * width + less))


def steps(
    canvas: cython.uchar[:, :, ::1],
    places: cython.const_float[:, ::1],
    colors: cython.const_uchar[:, ::1],
) -> None:
    """Write a gradient into rows (h, w, 4) of a canvas in its `colors` (n, 4), from the first to the last.

    `places` are as in `gradient`. Raises ValueError for arrays that do not fit together.
    """
    h: cython.Py_ssize_t = canvas.shape[0]
    w: cython.Py_ssize_t = canvas.shape[1]
    if canvas.shape[2] != 4 or places.shape[0] != h or places.shape[1] != w:
        raise ValueError("each pixel of a canvas of 4 channels has a place")
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
                place: cython.float = places[i, j] * last + half
                place = place if place > 0 else 0
                step: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, place if place < last else last)
                for c in range(4):
                    canvas[i, j, c] = colors[step, c]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _extent(shade: cython.const_float[:, ::1], least: cython.float, ends: cython.p_Py_ssize_t) -> cython.void:
    """Write the box, (4,), of all values above `least`: first and end row, first and end column.

    If there are none, the box is empty: its first row or column is not before its end.
    """
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

    `shadow` is as in `gradient`. Only the smallest rectangle that holds all of its pixels above `least` is
    changed. The dither `offsets` (p, q, 3) are added before values are rounded down; they repeat from the
    canvas' corner, which is `y` rows above these. Raises ValueError for arrays that do not fit.
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
    """As `mix`, for opaque rows, but with opacity in whole steps and without dither; alpha is unchanged."""
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
                    # Each product is rounded to the nearest level; none lies halfway between two.
                    code: cython.int = (2 * canvas[top + i, left + j, c] * (255 - dark) + 255) // 510
                    code += (2 * own[c] * dark + 255) // 510
                    canvas[top + i, left + j, c] = cython.cast(cython.uchar, code if code < 255 else 255)


def before(
    picture: cython.uchar[:, :, ::1],
    front: cython.const_uchar[:, :, ::1],
    behind: cython.const_uchar[:, :, ::1],
) -> None:
    """Write a `front` (h, w, 4), straight alpha, over an opaque picture `behind` it (h, w, 3), to `picture`
    (h, w, 3).

    Colours are mixed in code values. Raises ValueError for arrays that do not fit together.
    """
    h: cython.Py_ssize_t = front.shape[0]
    w: cython.Py_ssize_t = front.shape[1]
    if picture.shape[0] != h or picture.shape[1] != w or behind.shape[0] != h or behind.shape[1] != w:
        raise ValueError("the front and the picture behind it have one size")
    if front.shape[2] != 4 or behind.shape[2] != 3 or picture.shape[2] != 3:
        raise ValueError("the front has 4 channels, the other pictures have 3")
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    c: cython.int
    with cython.nogil:
        for i in range(h):
            for j in range(w):
                own: cython.int = front[i, j, 3]
                for c in range(3):
                    # The numerator and the denominator are doubled; half the denominator is added to round to
                    # the nearest.
                    code: cython.int = 2 * (front[i, j, c] * own + behind[i, j, c] * (255 - own)) + 255
                    picture[i, j, c] = cython.cast(cython.uchar, code // 510)


def rounded(
    canvas: cython.uchar[:, :, ::1],
    codes: cython.const_float[:, :, ::1],
    scale: cython.float,
    offsets: cython.const_float[:, :, ::1],
    grain: tuple[int, int, float],
) -> None:
    """Write `codes` (h, w, 3) times a scale, 0-255, into rows (h, w, 3) of a canvas.

    They are dithered by `offsets` (p, q, 3), 0-1, which repeat from the canvas' corner. `grain` has the
    canvas row and column at which these rows begin, and the amplitude of the noise in code values. Raises
    Raises ValueError for arrays that do not fit together.
    """
    y: cython.Py_ssize_t = grain[0]
    x: cython.Py_ssize_t = grain[1]
    width: cython.float = grain[2]
    h: cython.Py_ssize_t = canvas.shape[0]
    w: cython.Py_ssize_t = canvas.shape[1]
    if canvas.shape[2] != 3 or codes.shape[0] != h or codes.shape[1] != w or codes.shape[2] != 3:
        raise ValueError("each pixel of a canvas of 3 channels has a code of 3")
    if offsets.shape[2] != 3 or not offsets.shape[0] or not offsets.shape[1] or y < 0 or x < 0:
        raise ValueError("offsets have 3 channels, and rows and columns are counted from 0")
    half: cython.float = 0.5
    one: cython.float = 1
    less: cython.float = (one - width) * half
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    c: cython.int
    with cython.nogil:
        for i in range(h):
            offset: cython.p_const_float = cython.address(offsets[(y + i) % offsets.shape[0], 0, 0])
            column: cython.Py_ssize_t = x % offsets.shape[1] - 1
            for j in range(w):
                column = column + 1 if column + 1 < offsets.shape[1] else 0
                for c in range(3):
                    canvas[i, j, c] = _byte(codes[i, j, c] * scale + (offset[3 * column + c] * width + less))


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
