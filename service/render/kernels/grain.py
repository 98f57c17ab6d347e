"""Grain: repeating tiles of noise that modulate the light of faces and walls."""

import cython
from cython.cimports.libc.math import fabs
from cython.cimports.libc.stdlib import llabs

from ...arrays import I16

ONE = cython.declare(cython.double, 65536)  # one texel in fixed point
RUN = cython.declare(cython.Py_ssize_t, 8)  # px from one exactly computed place to the next; by cost
# texels, a whole number of tiles; places farther away are not looked up
FAR = cython.declare(cython.double, 1048576)
SIDES = cython.declare(cython.int, 8)  # the most planes of a wall
FINE = cython.declare(
    cython.longlong, 163840
)  # texels per px, in fixed point, up to which samples are bilinear
HALF = cython.declare(cython.uint, 32768)  # half a texel


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _fixed(place: cython.double) -> cython.longlong:
    """A place in texels as a fixed-point number, of which only the low 32 bits matter; 0 for NaN and far
    places."""
    # The sum is positive, so rounding towards zero rounds down.
    return cython.cast(cython.longlong, (place + FAR) * ONE) if -FAR < place < FAR else 0


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _noise(
    tile: cython.p_const_short, mask: cython.uint, across: cython.uint, down: cython.uint
) -> cython.float:
    """The bilinear sample of a tile at a place in fixed point, 65536 times as large."""
    wide: cython.uint = mask + 2
    at: cython.uint = ((down >> 16) & mask) * wide + ((across >> 16) & mask)
    # Reduce fractions to 8 bits, so that products stay within 32 bits.
    x: cython.int = cython.cast(cython.int, (across >> 8) & 255)
    y: cython.float = cython.cast(cython.int, (down >> 8) & 255)
    upper: cython.int = tile[at] * 256 + (tile[at + 1] - tile[at]) * x
    at += wide
    lower: cython.int = tile[at] * 256 + (tile[at + 1] - tile[at]) * x
    top: cython.float = upper
    bottom: cython.float = lower
    return top * 256 + (bottom - top) * y


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _place(
    matrix: cython.p_const_double,
    column: cython.Py_ssize_t,
    row: cython.Py_ssize_t,
    out: cython.p_double,
) -> cython.void:
    """Write the place (2,), texels across and down a tile, that the middle of a px shows."""
    half: cython.double = 0.5
    tiny: cython.double = 1e-12
    x: cython.double = column + half
    y: cython.double = row + half
    deep: cython.double = matrix[6] * x + matrix[7] * y + matrix[8]
    # At the plane's horizon, nothing of the plane is visible.
    deep = 1 / deep if deep > tiny or deep < -tiny else 0
    out[0] = (matrix[0] * x + matrix[1] * y + matrix[2]) * deep - half
    out[1] = (matrix[3] * x + matrix[4] * y + matrix[5]) * deep - half


def _mask(tile: cython.const_short[:, ::1]) -> int:
    """The bit mask that wraps a place into a tile whose side is a power of two, plus one texel.

    Raises ValueError for tiles of other sizes.
    """
    side: cython.Py_ssize_t = tile.shape[0] - 1
    if not 0 < side <= 512 or side & (side - 1) or tile.shape[1] != side + 1:
        raise ValueError("a tile is a square, 1 more on a side than a power of two up to 512")
    return int(side) - 1


def face(
    tile: cython.const_short[:, ::1],
    matrix: cython.const_double[:, ::1],
    start: tuple[int, int],
    scale: float,
    cover: cython.const_uchar[:, :],
    light: cython.float[:, :, ::1],
) -> None:
    """Multiply the light (h, w, 3) of a plane by 1 + `scale` · noise, in place; the noise is the `tile` (n,
    n) as seen on the plane.

    The tile ends with a copy of its first row and column. `matrix` (3, 3) takes continuous px of the canvas
    to texels of the tile; the light begins at column and row `start` of the canvas. Pixels whose `cover` (h,
    w) is 0 may stay unchanged. Samples are bilinear, or the nearest texel where a px is many texels wide.
    Raises ValueError for arrays that do not fit.
    """
    mask: cython.uint = _mask(tile)
    if matrix.shape[0] != 3 or matrix.shape[1] != 3 or light.shape[2] != 3:
        raise ValueError("a matrix has 3 x 3 numbers, and light three channels")
    h: cython.Py_ssize_t = light.shape[0]
    w: cython.Py_ssize_t = light.shape[1]
    if cover.shape[0] != h or cover.shape[1] != w:
        raise ValueError("each pixel has a share that is covered")
    left: cython.Py_ssize_t = start[0]
    top: cython.Py_ssize_t = start[1]
    # A sample is in units of 1/256 along each axis.
    by: cython.float = scale / 65536
    near: cython.float = scale
    one: cython.float = 1
    texels: cython.p_const_short = cython.address(tile[0, 0])
    numbers: cython.p_const_double = cython.address(matrix[0, 0])
    # Runs begin at the same canvas columns in every part that is painted, so that parts agree.
    lead: cython.Py_ssize_t = (left % RUN + RUN) % RUN
    place = cython.declare(cython.double[2])
    ends = cython.declare(cython.longlong[4])
    y: cython.Py_ssize_t
    x: cython.Py_ssize_t
    k: cython.Py_ssize_t
    with cython.nogil:
        for y in range(h):
            x = -lead
            _place(numbers, left + x, top + y, place)
            ends[2] = _fixed(place[0])
            ends[3] = _fixed(place[1])
            while x < w:
                ends[0] = ends[2]
                ends[1] = ends[3]
                _place(numbers, left + x + RUN, top + y, place)
                ends[2] = _fixed(place[0])
                ends[3] = _fixed(place[1])
                across: cython.uint = cython.cast(cython.uint, (ends[2] - ends[0]) >> 3)
                down: cython.uint = cython.cast(cython.uint, (ends[3] - ends[1]) >> 3)
                first: cython.Py_ssize_t = -x if x < 0 else 0
                last: cython.Py_ssize_t = w - x if w - x < RUN else RUN
                # If the ends and the middle of a run show nothing of the plane, hardly any other pixel of the
                # run does.
                if not (cover[y, x + first] or cover[y, x + last - 1] or cover[y, x + (first + last) // 2]):
                    x += RUN
                    continue
                skipped: cython.uint = cython.cast(cython.uint, first)
                column: cython.uint = cython.cast(cython.uint, ends[0]) + across * skipped
                row: cython.uint = cython.cast(cython.uint, ends[1]) + down * skipped
                own: cython.p_float = cython.address(light[y, x + first, 0])
                gain: cython.float
                if (llabs(ends[2] - ends[0]) + llabs(ends[3] - ends[1])) >> 3 > FINE:
                    # A px that covers so many texels needs no interpolation.
                    column += HALF
                    row += HALF
                    for k in range(last - first):
                        nearest: cython.float = texels[
                            ((row >> 16) & mask) * (mask + 2) + ((column >> 16) & mask)
                        ]
                        gain = one + nearest * near
                        own[3 * k] *= gain
                        own[3 * k + 1] *= gain
                        own[3 * k + 2] *= gain
                        column += across
                        row += down
                else:
                    for k in range(last - first):
                        gain = one + by * _noise(texels, mask, column, row)
                        own[3 * k] *= gain
                        own[3 * k + 1] *= gain
                        own[3 * k + 2] *= gain
                        column += across
                        row += down
                x += RUN


def wall(
    tiles: tuple[I16, ...],
    matrices: cython.const_double[:, :, ::1],
    reach: cython.const_double[:, ::1],
    start: tuple[int, int],
    scale: float,
    hit: cython.const_float[:, ::1],
    light: cython.float[:, :, ::1],
) -> None:
    """Multiply the light (h, w, 3) of a wall by 1 + `scale` · the noise of one of its planes, in place.

    Each of the wall's m planes has one of the `tiles` and one of the `matrices` (m, 3, 3), both as in `face`,
    and extends by its `reach` (m, 2), texels across and down, to either side of its middle. A pixel with a
    share `hit` (h, w) takes the noise of the first plane whose extent it shows, and is unchanged if it shows
    none. Raises ValueError for arrays that do not fit.
    """
    count: cython.int = len(tiles)
    h: cython.Py_ssize_t = light.shape[0]
    w: cython.Py_ssize_t = light.shape[1]
    if count > SIDES or matrices.shape[0] != count or reach.shape[0] != count:
        raise ValueError(f"each of up to {SIDES} planes has a tile, a matrix and a reach")
    if matrices.shape[1] != 3 or matrices.shape[2] != 3 or reach.shape[1] != 2:
        raise ValueError("a matrix has 3 x 3 numbers, and a reach two")
    if light.shape[2] != 3 or hit.shape[0] != h or hit.shape[1] != w:
        raise ValueError("each pixel has light of 3 channels, and a share")
    texels = cython.declare(cython.p_const_short[8])
    masks = cython.declare(cython.uint[8])
    k: cython.int
    for k in range(count):
        tile: cython.const_short[:, ::1] = tiles[k]
        masks[k] = _mask(tile)
        texels[k] = cython.address(tile[0, 0])
    left: cython.Py_ssize_t = start[0]
    top: cython.Py_ssize_t = start[1]
    by: cython.float = scale / 65536
    one: cython.float = 1
    place = cython.declare(cython.double[2])
    y: cython.Py_ssize_t
    x: cython.Py_ssize_t
    with cython.nogil:
        for y in range(h):
            for x in range(w):
                if not hit[y, x] > 0:
                    continue
                for k in range(count):
                    _place(cython.address(matrices[k, 0, 0]), left + x, top + y, place)
                    if not (fabs(place[0]) <= reach[k, 0] and fabs(place[1]) <= reach[k, 1]):
                        continue
                    gain: cython.float = one + by * _noise(
                        texels[k],
                        masks[k],
                        cython.cast(cython.uint, _fixed(place[0])),
                        cython.cast(cython.uint, _fixed(place[1])),
                    )
                    light[y, x, 0] *= gain
                    light[y, x, 1] *= gain
                    light[y, x, 2] *= gain
                    break
