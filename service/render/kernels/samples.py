"""Rescales the light of meshes from the share of each pixel that samples hit to its exact coverage."""

import cython
from cython.cimports.libc.stdlib import calloc, free, malloc, realloc
from cython.cimports.libc.string import memcpy

from ...arrays import F32

# pixels tested at a time, since most have neither samples nor a share; by cost
BLOCK = cython.declare(cython.Py_ssize_t, 16)
NEAR = cython.declare(cython.int, 3)  # px; a pixel without samples takes its colour from samples this near


@cython.cfunc
def _checked(rgb: cython.const_float[:, :, ::1], hit: cython.const_float[:, ::1]) -> cython.int:
    if rgb.shape[2] != 3 or hit.shape[0] != rgb.shape[0] or hit.shape[1] != rgb.shape[1]:
        raise ValueError("each pixel has three colours and a share")
    if rgb.shape[0] > 1 << 15 or rgb.shape[1] > 1 << 15:
        raise ValueError("more pixels than a row or column can have")
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _borrowed(
    rgb: cython.const_float[:, :, ::1],
    hit: cython.const_float[:, ::1],
    y: cython.Py_ssize_t,
    x: cython.Py_ssize_t,
    color: cython.p_float,
) -> cython.bint:
    """Write the mean colour (3,) of the samples around a pixel; returns whether there are any."""
    weight: cython.float = 0
    c: cython.int
    for c in range(3):
        color[c] = 0
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    for i in range(y - 1 if y else 0, y + 2 if y + 1 < hit.shape[0] else y + 1):
        for j in range(x - 1 if x else 0, x + 2 if x + 1 < hit.shape[1] else x + 1):
            if hit[i, j] > 0:
                weight += hit[i, j]
                for c in range(3):
                    color[c] += rgb[i, j, c]
    if not weight > 0:
        return False
    for c in range(3):
        color[c] /= weight
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _borrow(
    rgb: cython.float[:, :, ::1],
    hit: cython.float[:, ::1],
    lost: cython.p_int,
    count: cython.Py_ssize_t,
    colors: cython.p_float,
) -> cython.void:
    """Give `count` pixels that no sample hit, listed by row and column, the mean colour around them.

    Their share becomes 1. Each round reaches one pixel farther; pixels more than NEAR px from any sample are
    unchanged.
    """
    i: cython.Py_ssize_t
    left: cython.Py_ssize_t
    c: cython.int
    _: cython.int
    for _ in range(NEAR):
        # Pixels that get a colour in this round are moved to the front; only in the next round do they pass
        # it on.
        left = count
        i = 0
        while i < left:
            if _borrowed(rgb, hit, lost[2 * i], lost[2 * i + 1], colors + 3 * i):
                i += 1
                continue
            left -= 1
            lost[2 * i], lost[2 * left] = lost[2 * left], lost[2 * i]
            lost[2 * i + 1], lost[2 * left + 1] = lost[2 * left + 1], lost[2 * i + 1]
        if not left:
            return
        for i in range(left):
            for c in range(3):
                rgb[lost[2 * i], lost[2 * i + 1], c] = colors[3 * i + c]
            hit[lost[2 * i], lost[2 * i + 1]] = 1
        lost += 2 * left
        count -= left


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _idle(hit: cython.p_const_float, share: cython.p_const_uchar) -> cython.bint:
    """Whether none of the next BLOCK pixels has samples or a share."""
    words = cython.declare(cython.ulonglong[10])
    memcpy(words, hit, 64)
    memcpy(words + 8, share, 16)
    some: cython.ulonglong = words[0] | words[1] | words[2] | words[3] | words[4] | words[5]
    some |= words[6] | words[7] | words[8] | words[9]
    return some == 0


@cython.cfunc
def _fill(
    rgb: cython.float[:, :, ::1], hit: cython.float[:, ::1], share: cython.const_uchar[:, ::1]
) -> cython.int:
    """Give pixels that have a share, but that no sample hit, their neighbours' colour."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    w: cython.Py_ssize_t = hit.shape[1]
    count: cython.Py_ssize_t = 0
    room: cython.Py_ssize_t = 256
    lost: cython.p_int = cython.cast(cython.p_int, malloc(2 * room * cython.sizeof(cython.int)))
    more: cython.p_int
    with cython.nogil:
        for i in range(hit.shape[0]):
            j = 0
            while j < w and lost != cython.NULL:
                if j + BLOCK <= w and _idle(cython.address(hit[i, j]), cython.address(share[i, j])):
                    j += BLOCK
                    continue
                for k in range(j, j + BLOCK if j + BLOCK < w else w):
                    if share[i, k] > 0 and not hit[i, k] > 0:
                        if count == room:
                            room *= 2
                            more = cython.cast(
                                cython.p_int, realloc(lost, 2 * room * cython.sizeof(cython.int))
                            )
                            if more == cython.NULL:
                                free(lost)
                            lost = more
                            if more == cython.NULL:
                                break
                        lost[2 * count] = cython.cast(cython.int, i)
                        lost[2 * count + 1] = cython.cast(cython.int, k)
                        count += 1
                j += BLOCK
    if lost == cython.NULL:
        raise MemoryError
    colors: cython.p_float = cython.cast(
        cython.p_float, malloc((3 * count + 1) * cython.sizeof(cython.float))
    )
    if colors != cython.NULL:
        with cython.nogil:
            _borrow(rgb, hit, lost, count, colors)
    free(lost)
    free(colors)
    if colors == cython.NULL:
        raise MemoryError
    return 0


def weigh(rgb: cython.float[:, :, ::1], hit: cython.float[:, ::1], share: cython.const_uchar[:, ::1]) -> None:
    """Scale light (h, w, 3), premultiplied by `hit` (h, w), to the exact `share` (h, w), 0-255, in place.

    A pixel that has a share, but that no sample hit, takes its neighbours' colour. Raises ValueError for
    arrays that do not fit together.
    """
    _checked(rgb, hit)
    if share.shape[0] != hit.shape[0] or share.shape[1] != hit.shape[1]:
        raise ValueError("each pixel has a share")
    _fill(rgb, hit, share)
    level: cython.float = 1.0 / 255.0
    w: cython.Py_ssize_t = hit.shape[1]
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    c: cython.int
    with cython.nogil:
        for i in range(hit.shape[0]):
            j = 0
            while j < w:
                if j + BLOCK <= w and _idle(cython.address(hit[i, j]), cython.address(share[i, j])):
                    j += BLOCK
                    continue
                for k in range(j, j + BLOCK if j + BLOCK < w else w):
                    if hit[i, k] > 0:
                        own: cython.float = share[i, k] * level
                        scale: cython.float = own / hit[i, k]
                        for c in range(3):
                            rgb[i, k, c] *= scale
                        hit[i, k] = own
                j += BLOCK


def join(
    rgb: cython.float[:, :, ::1],
    hit: cython.float[:, ::1],
    border: cython.const_float[:, :, ::1],
    part: cython.const_float[:, ::1],
    gap: cython.const_uchar[:, ::1],
    light: cython.float,
) -> None:
    """Add a `border` (h, w, 3), which covers the share `part` (h, w) of each pixel, and a gap of uniform
    `light`, in place.

    The gap's share of each pixel is `gap` (h, w), 0-255. Raises ValueError for arrays that do not fit
    together.
    """
    _checked(rgb, hit)
    _checked(border, part)
    if part.shape[0] != hit.shape[0] or part.shape[1] != hit.shape[1]:
        raise ValueError("each pixel has a border")
    if gap.shape[0] != hit.shape[0] or gap.shape[1] != hit.shape[1]:
        raise ValueError("each pixel has a gap")
    level: cython.float = 1.0 / 255.0
    w: cython.Py_ssize_t = hit.shape[1]
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    c: cython.int
    with cython.nogil:
        for i in range(hit.shape[0]):
            j = 0
            while j < w:
                if j + BLOCK <= w and _idle(cython.address(part[i, j]), cython.address(gap[i, j])):
                    j += BLOCK
                    continue
                for k in range(j, j + BLOCK if j + BLOCK < w else w):
                    if part[i, k] > 0:
                        for c in range(3):
                            rgb[i, k, c] += border[i, k, c]
                        hit[i, k] += part[i, k]
                    if gap[i, k] > 0:
                        own: cython.float = gap[i, k] * level
                        for c in range(3):
                            rgb[i, k, c] += own * light
                        hit[i, k] += own
                j += BLOCK


def spread(
    rgb: cython.float[:, :, ::1],
    hit: cython.float[:, ::1],
    cover: cython.const_uchar[:, ::1],
    gains: tuple[F32, ...],
) -> None:
    """Divide light and `gains` (h, w) by the share `hit` (h, w), in place, in pixels whose `cover` (h, w) is
    not 0.

    A pixel that no sample hit takes its neighbours' colour. Raises ValueError for arrays that do not fit
    together.
    """
    _checked(rgb, hit)
    if cover.shape[0] != hit.shape[0] or cover.shape[1] != hit.shape[1]:
        raise ValueError("each pixel has a cover")
    w: cython.Py_ssize_t = hit.shape[1]
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    c: cython.int
    some: cython.int
    most: cython.float = 0.9999
    for own in gains:
        gain: cython.float[:, ::1] = own
        if gain.shape[0] != hit.shape[0] or gain.shape[1] != hit.shape[1]:
            raise ValueError("each pixel has a gain")
        with cython.nogil:
            for i in range(hit.shape[0]):
                for j in range(w):
                    if cover[i, j] > 0 and 0 < hit[i, j] < most:
                        gain[i, j] /= hit[i, j]
    with cython.nogil:
        for i in range(hit.shape[0]):
            j = 0
            while j < w:
                if j + BLOCK <= w:
                    some = 0
                    for k in range(16):
                        some |= hit[i, j + k] < most
                    if some == 0:
                        j += BLOCK
                        continue
                for k in range(j, j + BLOCK if j + BLOCK < w else w):
                    if cover[i, k] > 0 and 0 < hit[i, k] < most:
                        for c in range(3):
                            rgb[i, k, c] /= hit[i, k]
                        hit[i, k] = 1
                j += BLOCK
    _fill(rgb, hit, cover)


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _blurred(gasket: cython.const_uchar[:, ::1], y: cython.Py_ssize_t, x: cython.Py_ssize_t) -> cython.float:
    """A pixel's share, 0-255, of a gasket that is blurred into the pixels beside it."""
    h: cython.Py_ssize_t = gasket.shape[0]
    w: cython.Py_ssize_t = gasket.shape[1]
    total: cython.int = 0
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    for i in range(y - 1 if y else 0, y + 2 if y + 1 < h else h):
        for j in range(x - 1 if x else 0, x + 2 if x + 1 < w else w):
            # Thin dark lines are filtered by 1, 6, 1 along each axis; by eye.
            total += gasket[i, j] * (6 if i == y else 1) * (6 if j == x else 1)
    scale: cython.float = 1.0 / 64.0
    return total * scale


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _beside(
    rgb: cython.const_float[:, :, ::1],
    hit: cython.const_float[:, ::1],
    gasket: cython.const_uchar[:, ::1],
    y: cython.Py_ssize_t,
    x: cython.Py_ssize_t,
    radiance: cython.float,
    color: cython.p_float,
) -> cython.void:
    """Write the mean colour (3,) beside the gasket in a pixel and in the four around it, which have the
    weight of the gasket's share of the pixel."""
    level: cython.float = 1.0 / 255.0
    tiny: cython.float = 1e-6
    share: cython.float = gasket[y, x] * level
    whole: cython.float = hit[y, x]
    rest: cython.float = whole - share if whole > share else 0
    c: cython.int
    k: cython.int
    for c in range(3):
        color[c] = rgb[y, x, c] - radiance * share
    if share > 0:
        weight: cython.float = 0.25 * share / (whole if whole > share else share)
        for k in range(4):
            i: cython.Py_ssize_t = y + (-1 if k == 0 else 1 if k == 1 else 0)
            j: cython.Py_ssize_t = x + (-1 if k == 2 else 1 if k == 3 else 0)
            i = 0 if i < 0 else hit.shape[0] - 1 if i >= hit.shape[0] else i
            j = 0 if j < 0 else hit.shape[1] - 1 if j >= hit.shape[1] else j
            share = gasket[i, j] * level
            if hit[i, j] > share:
                rest += weight * (hit[i, j] - share)
            for c in range(3):
                color[c] += weight * (rgb[i, j, c] - radiance * share)
    for c in range(3):
        color[c] /= rest if rest > tiny else tiny


def even(
    rgb: cython.float[:, :, ::1],
    hit: cython.const_float[:, ::1],
    gasket: cython.const_uchar[:, ::1],
    radiance: cython.float,
) -> None:
    """Blur a gasket of uniform `radiance` and share (h, w), 0-255, into the pixels beside it, in place.

    The light (h, w, 3) is premultiplied by the share `hit` (h, w). The colour beside the gasket is the mean
    of the pixel and of the four around it, which count less the smaller the gasket's share of the pixel is.
    Raises ValueError for arrays that do not fit together.
    """
    _checked(rgb, hit)
    if gasket.shape[0] != hit.shape[0] or gasket.shape[1] != hit.shape[1]:
        raise ValueError("each pixel has a gasket")
    h: cython.Py_ssize_t = hit.shape[0]
    w: cython.Py_ssize_t = hit.shape[1]
    count: cython.Py_ssize_t = 0
    done: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    y: cython.Py_ssize_t
    x: cython.Py_ssize_t
    c: cython.int
    level: cython.float = 1.0 / 255.0
    with cython.nogil:
        for i in range(h):
            for j in range(w):
                count += gasket[i, j] > 0
    # Collect the colour beside the gasket for each of its pixels and their neighbours before any light
    # changes.
    colors: cython.p_float = cython.cast(
        cython.p_float, malloc((27 * count + 1) * cython.sizeof(cython.float))
    )
    places: cython.p_int = cython.cast(cython.p_int, malloc((18 * count + 1) * cython.sizeof(cython.int)))
    marks: cython.p_char = cython.cast(cython.p_char, calloc(h * w + 1, 1))
    if colors == cython.NULL or places == cython.NULL or marks == cython.NULL:
        free(colors)
        free(places)
        free(marks)
        raise MemoryError
    with cython.nogil:
        for i in range(h):
            for j in range(w):
                if gasket[i, j] == 0:
                    continue
                for y in range(i - 1 if i else 0, i + 2 if i + 1 < h else h):
                    for x in range(j - 1 if j else 0, j + 2 if j + 1 < w else w):
                        if marks[y * w + x]:
                            continue
                        marks[y * w + x] = 1
                        places[2 * done] = cython.cast(cython.int, y)
                        places[2 * done + 1] = cython.cast(cython.int, x)
                        _beside(rgb, hit, gasket, y, x, radiance, colors + 3 * done)
                        done += 1
        for i in range(done):
            y = places[2 * i]
            x = places[2 * i + 1]
            spread: cython.float = _blurred(gasket, y, x) * level
            spread = spread if spread < hit[y, x] else hit[y, x]
            for c in range(3):
                rgb[y, x, c] = colors[3 * i + c] * (hit[y, x] - spread) + radiance * spread
    free(colors)
    free(places)
    free(marks)
