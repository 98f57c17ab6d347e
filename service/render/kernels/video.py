"""Frames of films as planes of luma and chroma."""

import cython

# Weights are scaled by 2**16; adding half of that rounds.
BITS = cython.declare(cython.int, 16)


def planes(
    pixels: cython.const_uchar[:, :, ::1],
    box: tuple[int, int, int, int],
    weights: cython.const_int[:, ::1],
    luma: cython.uchar[:, ::1],
    blue: cython.uchar[:, ::1],
    red: cython.uchar[:, ::1],
) -> None:
    """Write a box of a frame, `pixels` (h, w, 3 or 4) uint8, into its planes of luma (h, w) and chroma.

    `box` is x, y, width and height. `weights` (3, 3) are those of red, green and blue in luma, in blue chroma
    and in red chroma, times 65536. Black has luma 16, greys have chroma 128.

    Chroma is (h, w), or half of that in both directions. If halved, a sample is centred on every second pixel
    of a row and between two rows: it is the mean of both rows, filtered along them by 1, 2, 1, with the first
    column repeated to the left. The box must then have even coordinates. Raises ValueError for arrays that do
    not fit.
    """
    left: cython.Py_ssize_t = box[0]
    top: cython.Py_ssize_t = box[1]
    wide: cython.Py_ssize_t = box[2]
    high: cython.Py_ssize_t = box[3]
    h: cython.Py_ssize_t = pixels.shape[0]
    w: cython.Py_ssize_t = pixels.shape[1]
    step: cython.Py_ssize_t = pixels.shape[2]
    full: cython.bint = blue.shape[0] == h and blue.shape[1] == w
    if step != 3 and step != 4:
        raise ValueError("a frame has 3 or 4 channels")
    if left < 0 or top < 0 or wide < 0 or high < 0 or left + wide > w or top + high > h:
        raise ValueError("a box lies within its frame")
    if weights.shape[0] != 3 or weights.shape[1] != 3:
        raise ValueError("three channels have three weights each")
    if luma.shape[0] != h or luma.shape[1] != w:
        raise ValueError("luma is as large as its frame")
    if not full and (2 * blue.shape[0] != h or 2 * blue.shape[1] != w):
        raise ValueError("chroma is as large as its frame, or half as large")
    if red.shape[0] != blue.shape[0] or red.shape[1] != blue.shape[1]:
        raise ValueError("both planes of chroma are of one size")
    if not full and (left % 2 or top % 2 or wide % 2 or high % 2):
        raise ValueError("where chroma is half as large, the sides of a box are even")
    x: cython.Py_ssize_t
    y: cython.Py_ssize_t
    c: cython.int
    half: cython.int = 1 << (BITS - 1)
    # A halved chroma sample sums eight pixels, counted by weight.
    eight: cython.int = BITS + 3
    most: cython.int = 1 << (eight - 1)
    r: cython.int
    g: cython.int
    b: cython.int
    weight = cython.declare(cython.int[9])
    for c in range(9):
        weight[c] = weights[c // 3, c % 3]
    with cython.nogil:
        for y in range(top, top + high):
            at: cython.p_const_uchar = cython.address(pixels[y, left, 0]) if wide else cython.NULL
            for x in range(left, left + wide):
                r = at[0]
                g = at[1]
                b = at[2]
                at += step
                luma[y, x] = cython.cast(
                    cython.uchar, 16 + ((weight[0] * r + weight[1] * g + weight[2] * b + half) >> BITS)
                )
                if full:
                    blue[y, x] = cython.cast(
                        cython.uchar, 128 + ((weight[3] * r + weight[4] * g + weight[5] * b + half) >> BITS)
                    )
                    red[y, x] = cython.cast(
                        cython.uchar, 128 + ((weight[6] * r + weight[7] * g + weight[8] * b + half) >> BITS)
                    )
        if not full:
            for y in range(top // 2, (top + high) // 2):
                for x in range(left // 2, (left + wide) // 2):
                    upper: cython.p_const_uchar = cython.address(pixels[2 * y, 2 * x, 0])
                    lower: cython.p_const_uchar = cython.address(pixels[2 * y + 1, 2 * x, 0])
                    before: cython.Py_ssize_t = step if x > 0 else 0
                    r = 2 * (upper[0] + lower[0])
                    g = 2 * (upper[1] + lower[1])
                    b = 2 * (upper[2] + lower[2])
                    r += upper[step] + lower[step]
                    g += upper[step + 1] + lower[step + 1]
                    b += upper[step + 2] + lower[step + 2]
                    upper -= before
                    lower -= before
                    r += upper[0] + lower[0]
                    g += upper[1] + lower[1]
                    b += upper[2] + lower[2]
                    blue[y, x] = cython.cast(
                        cython.uchar, 128 + ((weight[3] * r + weight[4] * g + weight[5] * b + most) >> eight)
                    )
                    red[y, x] = cython.cast(
                        cython.uchar, 128 + ((weight[6] * r + weight[7] * g + weight[8] * b + most) >> eight)
                    )
