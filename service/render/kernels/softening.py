"""A wider pixel filter for edges inside a picture."""

import cython
from cython.cimports.libc.math import sqrtf
from cython.cimports.libc.stdlib import free, malloc

LEAST = cython.declare(cython.float, 0.5)  # coverage up to which a pixel counts as background; by eye


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _root(value: cython.float) -> cython.float:
    """The square root of light from 0 to 1: steps in it look nearly even to the eye."""
    return 0 if not value > 0 else sqrtf(value) if value < 1 else 1


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _inside(cover: cython.float) -> cython.float:
    """The degree, 0-1, to which a pixel counts as the device: 0 up to a coverage of LEAST, 1 if opaque."""
    one: cython.float = 1
    return 0 if not cover > LEAST else (cover - LEAST) / (one - LEAST) if cover < 1 else 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _hard(
    light: cython.p_const_float,
    cover: cython.p_const_float,
    place: cython.Py_ssize_t,
    size: cython.Py_ssize_t,
    stride: cython.Py_ssize_t,
    low: cython.float,
    high: cython.float,
) -> cython.float:
    """The hardness, 0-1, of a step along an axis: 0 if the roots of light change by `low` or less, 1 if by
    `high` or more.

    The change is the lesser of those between the pixels one and two px to either side. Both sides of a thin
    line are alike, so it is no step. Hardness fades towards the silhouette, since lines would look broken if
    the filter ended abruptly there. The pixel is at `place` of `size` along the axis, whose pixels are
    `stride` apart; `light` (its green) and `cover` are its own.
    """
    if place < 2 or place + 2 >= size:
        return 0
    inside: cython.float = 1
    k: cython.Py_ssize_t
    for k in range(-2, 3):
        own: cython.float = _inside(cover[k * stride])
        if not own > 0:
            return 0
        inside = own if own < inside else inside
    near: cython.float = _root(light[3 * stride] / cover[stride]) - _root(light[-3 * stride] / cover[-stride])
    far: cython.float = _root(light[6 * stride] / cover[2 * stride])
    far -= _root(light[-6 * stride] / cover[-2 * stride])
    if near < 0:
        near = -near
        far = -far
    share: cython.float = ((near if near < far else far) - low) / (high - low)
    return 0 if share < 0 else inside * (share if share < 1 else 1)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _mean(
    light: cython.const_float[:, :, ::1],
    cover: cython.const_float[:, ::1],
    i: cython.Py_ssize_t,
    j: cython.Py_ssize_t,
    color: cython.p_float,
) -> cython.void:
    """Write the mean of the light around a pixel, weighted by the cubic B-spline and scaled to the pixel's
    own coverage."""
    least: cython.float = 1e-6
    total: cython.float = 0
    c: cython.int
    y: cython.Py_ssize_t
    x: cython.Py_ssize_t
    for c in range(3):
        color[c] = 0
    for y in range(i - 1 if i else 0, i + 2 if i + 1 < light.shape[0] else light.shape[0]):
        for x in range(j - 1 if j else 0, j + 2 if j + 1 < light.shape[1] else light.shape[1]):
            there: cython.float = cover[y, x]
            if not there > 0:
                continue
            weight: cython.float = (4 if y == i else 1) * (4 if x == j else 1)
            total += weight * there
            for c in range(3):
                own: cython.float = light[y, x, c]
                own = own if own > 0 else 0
                # Limit light to white, so that brighter light does not flood the pixels beside it.
                own = own if own < there or (y == i and x == j) else there
                color[c] += weight * own
    scale: cython.float = cover[i, j] / (total if total > least else least)
    for c in range(3):
        color[c] *= scale


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _filtered(
    light: cython.const_float[:, :, ::1],
    cover: cython.const_float[:, ::1],
    i: cython.Py_ssize_t,
    j: cython.Py_ssize_t,
    share: cython.float,
    color: cython.p_float,
) -> cython.void:
    """Mix the `color` (3,) of a pixel with a `share` of the B-spline of the roots of light around it."""
    one: cython.float = 1
    scale: cython.float = 1.0 / 36.0
    whole: cython.float = cover[i, j]
    weights = cython.declare(cython.float[9])
    roots = cython.declare(cython.float[27])
    c: cython.int
    k: cython.int = 0
    y: cython.Py_ssize_t
    x: cython.Py_ssize_t
    for y in range(i - 1, i + 2):
        for x in range(j - 1, j + 2):
            weights[k] = (4 if y == i else 1) * (4 if x == j else 1)
            there: cython.bint = 0 <= y < light.shape[0] and 0 <= x < light.shape[1]
            inside: cython.float = _inside(cover[y, x]) if there else 0
            for c in range(3):
                # The pixel itself may be brighter than white.
                own: cython.float = light[i, j, c] / whole
                own = sqrtf(own) if own > 0 else 0
                # The part outside the device has the pixel's own colour.
                if k != 4 and inside > 0:
                    own += inside * (_root(light[y, x, c] / cover[y, x]) - own)
                roots[3 * k + c] = own
            k += 1
    for c in range(3):
        total: cython.float = 0
        for k in range(9):
            total += weights[k] * roots[3 * k + c]
        root: cython.float = sqrtf(color[c] / whole if color[c] > 0 else 0) * (one - share)
        root += total * scale * share
        color[c] = root * root * whole


def soften(
    light: cython.float[:, :, ::1],
    cover: cython.const_float[:, ::1],
    near: cython.const_uchar[:, ::1],
    low: cython.float,
    high: cython.float,
) -> None:
    """Filter edges in light (h, w, 3), premultiplied by its `cover` (h, w), in place, where the cover is
    above 0.

    The filter is a cubic B-spline over three pixels. Where `near` (h, w) is not 0, it filters light. On hard
    steps of opaque light, it filters the square roots instead. Steps in the root of green below `low` are
    left as they are; those above `high` are filtered fully. Raises ValueError for arrays that do not fit
    together.
    """
    h: cython.Py_ssize_t = light.shape[0]
    w: cython.Py_ssize_t = light.shape[1]
    if light.shape[2] != 3 or cover.shape[0] != h or cover.shape[1] != w:
        raise ValueError("each pixel has three colours and a cover")
    if near.shape[0] != h or near.shape[1] != w:
        raise ValueError("each pixel is near an edge or not")
    if not 0 < low < high:
        raise ValueError("the limits of steps are ascending, and above 0")
    if not h or not w:
        return
    # Roots differ by `low` only if light differs by its square.
    least: cython.float = low * low
    count: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    c: cython.int
    # Few pixels are beside hard edges, so most pages of this memory are never touched.
    places: cython.p_int = cython.cast(cython.p_int, malloc(h * w * cython.sizeof(cython.int)))
    shares: cython.p_float = cython.cast(cython.p_float, malloc(h * w * cython.sizeof(cython.float)))
    if places == cython.NULL or shares == cython.NULL:
        free(places)
        free(shares)
        raise MemoryError
    with cython.nogil:
        for i in range(h):
            row: cython.p_const_float = cython.address(light[i, 0, 1])
            above: cython.p_const_float = cython.address(light[i - 1 if i else 0, 0, 1])
            below: cython.p_const_float = cython.address(light[i + 1 if i + 1 < h else i, 0, 1])
            for j in range(w):
                across: cython.float = row[(j + 1 if j + 1 < w else j) * 3] - row[(j - 1 if j else 0) * 3]
                down: cython.float = below[j * 3] - above[j * 3]
                share: cython.float = 0
                if -least < across < least and -least < down < least:
                    if near[i, j] == 0 or not cover[i, j] > 0:
                        continue
                elif cover[i, j] > LEAST:
                    own: cython.p_const_float = cython.address(cover[i, j])
                    across = _hard(row + j * 3, own, j, w, 1, low, high)
                    down = _hard(row + j * 3, own, i, h, w, low, high)
                    share = across if across > down else down
                if share > 0 or (near[i, j] != 0 and cover[i, j] > 0):
                    places[count] = cython.cast(cython.int, i * w + j)
                    shares[count] = share
                    count += 1
    # Filter all pixels before changing any.
    colors: cython.p_float = cython.cast(
        cython.p_float, malloc((3 * count + 1) * cython.sizeof(cython.float))
    )
    if colors != cython.NULL:
        with cython.nogil:
            for k in range(count):
                i = places[k] // w
                j = places[k] % w
                if near[i, j] == 0:
                    for c in range(3):
                        colors[3 * k + c] = light[i, j, c]
                elif shares[k] < 1:
                    _mean(light, cover, i, j, colors + 3 * k)
                if shares[k] > 0:
                    _filtered(light, cover, i, j, shares[k], colors + 3 * k)
            for k in range(count):
                for c in range(3):
                    light[places[k] // w, places[k] % w, c] = colors[3 * k + c]
    free(places)
    free(shares)
    if colors == cython.NULL:
        raise MemoryError
    free(colors)
