"""Frames of films as planes of luma and chroma."""

import cython
from cython.cimports.libc.stdlib import free, malloc

# Weights are scaled by 2**15, so that they fit 16 bits; processors multiply eight such numbers at a time.
BITS = cython.declare(cython.int, 15)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _widen(pixels: cython.p_const_uchar, count: cython.Py_ssize_t, wide: cython.p_short) -> cython.void:
    """Copy `count` bytes to 16-bit numbers."""
    x: cython.Py_ssize_t
    for x in range(count):
        wide[x] = pixels[x]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _halve(
    upper: cython.p_const_short,
    lower: cython.p_const_short,
    count: cython.Py_ssize_t,
    first: cython.short,
    halved: cython.p_short,
) -> cython.void:
    """Filter the `count` pixels of two rows by 1, 2, 1, and add them up, at every second pixel.

    `first` is the sum of the two pixels before the first ones.
    """
    x: cython.Py_ssize_t
    halved[0] = first + 2 * (upper[0] + lower[0]) + (upper[1] + lower[1])
    for x in range(1, count // 2):
        halved[x] = (
            (upper[2 * x - 1] + lower[2 * x - 1])
            + 2 * (upper[2 * x] + lower[2 * x])
            + (upper[2 * x + 1] + lower[2 * x + 1])
        )


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _mix(
    channels: cython.p_const_short,
    count: cython.Py_ssize_t,
    weights: cython.p_const_int,
    least: cython.int,
    bits: cython.int,
    plane: cython.p_uchar,
) -> cython.void:
    """Write the weighted sums of three channels, which follow each other and have `count` samples each.

    Sums are scaled by 2**-bits, rounded and raised by `least`.
    """
    r: cython.p_const_short = channels
    g: cython.p_const_short = channels + count
    b: cython.p_const_short = channels + 2 * count
    red: cython.short = cython.cast(cython.short, weights[0])
    green: cython.short = cython.cast(cython.short, weights[1])
    blue: cython.short = cython.cast(cython.short, weights[2])
    half: cython.int = 1 << (bits - 1)
    x: cython.Py_ssize_t
    for x in range(count):
        plane[x] = cython.cast(
            cython.uchar, least + ((red * r[x] + green * g[x] + blue * b[x] + half) >> bits)
        )


def planes(
    channels: cython.const_uchar[:, :, ::1],
    place: tuple[int, int],
    weights: cython.const_int[:, ::1],
    luma: cython.uchar[:, ::1],
    blue: cython.uchar[:, ::1],
    red: cython.uchar[:, ::1],
) -> None:
    """Write a part of a frame, `channels` (3, h, w) uint8, into the planes of luma (H, W) and chroma.

    The part is at `place`, the column and row of its upper left pixel. Unless that is in the frame's first
    column, the part begins with a further column from its left, which is not written. `weights` (3, 3) are
    those of red, green and blue in luma, in blue chroma and in red chroma, times 32768. Black has luma 16,
    greys have chroma 128.

    Chroma is (H, W), or half of that in both directions. If halved, a sample is centred on every second pixel
    of a row and between two rows: it is the mean of both rows, filtered along them by 1, 2, 1, with the first
    column repeated to the left. The part must then begin and end at even columns and rows. Raises ValueError
    for arrays that do not fit.
    """
    left: cython.Py_ssize_t = place[0]
    top: cython.Py_ssize_t = place[1]
    lead: cython.Py_ssize_t = 1 if left > 0 else 0
    high: cython.Py_ssize_t = channels.shape[1]
    wide: cython.Py_ssize_t = channels.shape[2] - lead
    h: cython.Py_ssize_t = luma.shape[0]
    w: cython.Py_ssize_t = luma.shape[1]
    full: cython.bint = blue.shape[0] == h and blue.shape[1] == w
    if channels.shape[0] != 3:
        raise ValueError("a frame has 3 channels")
    if left < 0 or top < 0 or wide < 0 or left + wide > w or top + high > h:
        raise ValueError("a part lies within its frame")
    if weights.shape[0] != 3 or weights.shape[1] != 3:
        raise ValueError("three channels have three weights each")
    if not full and (2 * blue.shape[0] != h or 2 * blue.shape[1] != w):
        raise ValueError("chroma is as large as its frame, or half as large")
    if red.shape[0] != blue.shape[0] or red.shape[1] != blue.shape[1]:
        raise ValueError("both planes of chroma are of one size")
    if not full and (left % 2 or top % 2 or wide % 2 or high % 2):
        raise ValueError("where chroma is half as large, the sides of a part are even")
    if not wide or not high:
        return
    # Three channels of two rows, and of one row of sums.
    row: cython.Py_ssize_t = 3 * wide
    wider: cython.p_short = cython.cast(cython.p_short, malloc(3 * row * cython.sizeof(cython.short)))
    if wider == cython.NULL:
        raise MemoryError
    sums: cython.p_short = wider + 2 * row
    # The weights of the pixels in a halved sample add up to eight.
    share: cython.Py_ssize_t = 1 if full else 2
    bits: cython.int = BITS if full else BITS + 3
    chroma = cython.declare(cython.p_uchar[2])
    chroma[0] = cython.address(blue[0, 0])
    chroma[1] = cython.address(red[0, 0])
    samples: cython.p_short
    first: cython.short
    y: cython.Py_ssize_t
    c: cython.Py_ssize_t
    with cython.nogil:
        for y in range(high):
            samples = wider + (y % 2) * row
            for c in range(3):
                _widen(cython.address(channels[c, y, lead]), wide, samples + c * wide)
            _mix(samples, wide, cython.address(weights[0, 0]), 16, BITS, cython.address(luma[top + y, left]))
            if y % 2 and not full:
                for c in range(3):
                    first = channels[c, y - 1, 0] + channels[c, y, 0]
                    _halve(wider + c * wide, samples + c * wide, wide, first, sums + c * (wide // 2))
                samples = sums
            if y % 2 or full:
                for c in range(1, 3):
                    _mix(
                        samples,
                        wide // share,
                        cython.address(weights[c, 0]),
                        128,
                        bits,
                        chroma[c - 1] + (top + y) // share * blue.shape[1] + left // share,
                    )
    free(wider)
