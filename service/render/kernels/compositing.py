"""Compositing: paint over paint in linear light, and paint, compressed and encoded, over a backdrop."""

import cython
import numpy as np

from ...arrays import F32, U8, U16

ROWS = cython.declare(cython.Py_ssize_t, 16)  # rows composited at a time, which stay in the cache; by cost


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
@cython.inline
@cython.exceptval(check=False)
def _nearest(value: cython.float, most: cython.float, scale: cython.float) -> cython.int:
    """The product of a value, clamped to 0 to `most`, and a scale, rounded to the nearest whole number."""
    half: cython.float = 0.5
    return cython.cast(cython.int, _within(value, most) * scale + half)


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _straight(alpha: cython.float) -> cython.float:
    """The divisor that makes premultiplied light straight, for a share above 0."""
    tiny: cython.float = 1e-4
    return 1 if alpha >= 1 else alpha if alpha > tiny else tiny


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _opacity(alpha: cython.float, under: cython.p_const_uchar) -> cython.float:
    """The opacity of paint over a pixel `under` it (4,)."""
    one: cython.float = 1
    level: cython.float = 1.0 / 255.0
    return alpha + under[3] * level * (one - alpha)


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _share(alpha: cython.float, opacity: cython.float) -> cython.float:
    """The share of paint in the colour of a pixel."""
    tiny: cython.float = 1e-6
    return alpha / (opacity if opacity > tiny else tiny)


@cython.final
@cython.cclass
class Curve:
    """The tone curve between linear light and code values; it also composites canvases over a backdrop.

    Highlights are compressed above the `knee`, and turn pale as `pale` and `hue` say (see `tone.highlights`).
    `codes` (65536,) has the code values 0-255 of light 0-65535, `light` (4081,) the light 0-65535 of
    sixteenths of code values. Raises ValueError for other tables.
    """

    knee: cython.float
    square: cython.float
    shift: cython.float
    pale: cython.float
    hue: cython.float
    codes: cython.const_float[::1]
    light: cython.const_ushort[::1]

    def __init__(
        self,
        knee: cython.double,
        pale: cython.double,
        hue: cython.double,
        codes: cython.const_float[::1],
        light: cython.const_ushort[::1],
    ):
        if codes.shape[0] != 65536 or light.shape[0] != 255 * 16 + 1:
            raise ValueError("there are 65536 code values and 4081 steps of light")
        self.codes = codes
        self.light = light
        self.knee = knee
        self.square = (1 - knee) * (1 - knee)
        self.shift = 1 - 2 * knee
        self.pale = pale
        self.hue = hue

    @cython.cfunc
    @cython.nogil
    @cython.inline
    @cython.exceptval(check=False)
    def compressed(self, light: cython.float) -> cython.float:
        """Radiance, compressed above the knee."""
        one: cython.float = 1
        return one - self.square / (light + self.shift) if light > self.knee else light

    @cython.cfunc
    @cython.nogil
    @cython.inline
    @cython.exceptval(check=False)
    def compress(self, light: cython.p_float) -> cython.void:
        """Compress the highlights of a colour (3,), in place."""
        peak: cython.float = light[0]
        peak = light[1] if light[1] > peak else peak
        peak = light[2] if light[2] > peak else peak
        if not peak > self.knee:
            return
        after: cython.float = self.compressed(peak)
        # As in C, a literal next to a float would make the expression double.
        one: cython.float = 1
        kept: cython.float = one / (one + self.pale * (peak - after))
        scale: cython.float = after / peak
        c: cython.int
        for c in range(3):
            paler: cython.float = after + (light[c] * scale - after) * kept
            apart: cython.float = self.compressed(light[c])
            light[c] = apart + (paler - apart) * self.hue

    @cython.cfunc
    @cython.nogil
    @cython.inline
    @cython.exceptval(check=False)
    def coded(
        self,
        rgb: cython.p_const_float,
        alpha: cython.float,
        lit: cython.bint,
        under: cython.p_const_uchar,
        code: cython.p_float,
    ) -> cython.void:
        """Write the fractional code values (3,) of paint with an `alpha` above 0 over a pixel `under` it
        (4,)."""
        full: cython.float = _straight(alpha)
        c: cython.int
        # Where a pixel shows a part of a highlight and a part of a dark gap, the light of both is summed
        # before highlights are compressed. Otherwise, a bright rim would count for less than its share of the
        # pixel, and thin dark seams beside it would look dashed.
        if full == 1:
            for c in range(3):
                code[c] = rgb[c]
        else:
            for c in range(3):
                code[c] = rgb[c] / full
        if lit:
            self.compress(code)
        for c in range(3):
            code[c] = self.codes[_nearest(code[c], 1, 65535)]
        if alpha < 1:
            share: cython.float = _share(alpha, _opacity(alpha, under))
            for c in range(3):
                code[c] = under[c] + (code[c] - under[c]) * share

    def shoulder(self, light: cython.float[::1]) -> None:
        """Compress radiance (n,) above the knee, in place."""
        i: cython.Py_ssize_t
        with cython.nogil:
            for i in range(light.shape[0]):
                light[i] = self.compressed(light[i])

    def highlights(self, light: cython.float[:, ::1]) -> None:
        """Compress the highlights of colours (n, 3), in place; raises ValueError for other shapes."""
        if light.shape[1] != 3:
            raise ValueError("a colour has three channels")
        i: cython.Py_ssize_t
        with cython.nogil:
            for i in range(light.shape[0]):
                self.compress(cython.address(light[i, 0]))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _opened(
        self,
        row: cython.pp_const_float,
        under: cython.p_const_uchar,
        offset: cython.p_const_float,
        base: cython.p_ushort,
        through: cython.p_ushort,
        ends: cython.p_Py_ssize_t,
    ) -> cython.void:
        """Write some pixels of a row of an opening; see `lay` for openings.

        `row` has the paint's alpha, fractional code values and gain. `ends` (4,) has the first pixel, the
        end, the column of the first pixel's dither offset minus one, and the number of columns of offsets.
        """
        paint: cython.p_const_float = row[0]
        codes: cython.p_const_float = row[1]
        passed: cython.p_const_float = row[2]
        half: cython.float = 0.5
        # Dither by slightly less than half a level each way, so that whole code values are unchanged after
        # the conversion to 16 bits.
        less: cython.float = 0.93
        first: cython.Py_ssize_t = ends[0]
        column: cython.Py_ssize_t = ends[2]
        j: cython.Py_ssize_t
        c: cython.int
        for j in range(first, ends[1]):
            column = column + 1 if column + 1 < ends[3] else 0
            share: cython.float = paint[j]
            gain: cython.float = passed[j]
            if share > 0 and share < 1:
                gain *= _share(share, _opacity(share, under + 4 * j)) / _straight(share)
                for c in range(3):
                    base[3 * (j - first) + c] = self.light[_nearest(codes[3 * j + c], 255, 16)]
            else:
                for c in range(3):
                    code: cython.float = codes[3 * j + c] + (offset[3 * column + c] - half) * less
                    base[3 * (j - first) + c] = self.light[_nearest(code, 255, 16)]
            through[j - first] = _nearest(gain, 1, 65535)

    @cython.cfunc
    def _open(
        self,
        paint: tuple[F32, F32, bool, int, int, U8, F32],
        opening: tuple[F32, int, int, U16, U16],
        codes: cython.p_const_float,
        top: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
    ) -> cython.int:
        """Write rows `top` to `end` of paint, whose code values are given, to an opening; see `lay`."""
        alpha: cython.const_float[:, ::1] = paint[1]
        x: cython.Py_ssize_t = paint[3]
        y: cython.Py_ssize_t = paint[4]
        backdrop: cython.const_uchar[:, :, ::1] = paint[5]
        offsets: cython.const_float[:, :, ::1] = paint[6]
        gain: cython.const_float[:, ::1] = opening[0]
        left: cython.Py_ssize_t = opening[1]
        above: cython.Py_ssize_t = opening[2]
        base: cython.ushort[:, :, ::1] = opening[3]
        through: cython.ushort[:, ::1] = opening[4]
        width: cython.Py_ssize_t = alpha.shape[1]
        if gain.shape[0] != alpha.shape[0] or gain.shape[1] != width:
            raise ValueError("each pixel of paint has a gain")
        if base.shape[0] != through.shape[0] or base.shape[1] != through.shape[1] or base.shape[2] != 3:
            raise ValueError("each pixel of an opening has three colours and a gain")
        row = cython.declare(cython.p_const_float[3])
        ends = cython.declare(cython.Py_ssize_t[4])
        ends[0] = max(left - x, 0)
        ends[1] = min(left + base.shape[1] - x, width)
        ends[2] = (x + ends[0] - 1) % offsets.shape[1]
        ends[3] = offsets.shape[1]
        i: cython.Py_ssize_t
        if ends[0] >= ends[1]:
            return 0
        for i in range(max(above - y, top), min(above + base.shape[0] - y, end)):
            row[0] = cython.address(alpha[i, 0])
            row[1] = codes + 3 * (i - top) * width
            row[2] = cython.address(gain[i, 0])
            self._opened(
                row,
                cython.address(backdrop[y + i, x, 0]),
                cython.address(offsets[(y + i) % offsets.shape[0], 0, 0]),
                cython.address(base[y + i - above, x + ends[0] - left, 0]),
                cython.address(through[y + i - above, x + ends[0] - left]),
                ends,
            )
        return 0

    def lay(
        self,
        paint: tuple[F32, F32, bool, int, int, U8, F32],
        openings: tuple[tuple[F32, int, int, U16, U16], ...] = (),
    ) -> None:
        """Lay paint over a backdrop in place, and write the light of both where screens are seen.

        `paint` has light (h, w, 3), premultiplied; its alpha (h, w); whether to compress highlights; its
        position `x` and `y` on the backdrop; the backdrop (H, W, 4); and dither offsets (n, m, 3), which
        repeat from the backdrop's corner. Offsets are added before fully covered pixels are rounded down.
        Other pixels blend with a backdrop that is dithered already, and are rounded to the nearest.

        Each of the `openings` has a gain (h, w) on a screenshot's light, the opening's position on the
        backdrop, and two outputs, 0-65535, which are written where the opening overlaps the paint: the light
        (n, m, 3) and the total gain (n, m). Raises ValueError for arrays that do not fit together.
        """
        rgb: cython.const_float[:, :, ::1] = paint[0]
        alpha: cython.const_float[:, ::1] = paint[1]
        lit: cython.bint = paint[2]
        x: cython.Py_ssize_t = paint[3]
        y: cython.Py_ssize_t = paint[4]
        backdrop: cython.uchar[:, :, ::1] = paint[5]
        offsets: cython.const_float[:, :, ::1] = paint[6]
        _checked(rgb, alpha, x, y, backdrop, offsets)
        # Adding this number and subtracting it again rounds to a whole number, ties to even.
        round: cython.float = 1 << 23
        width: cython.Py_ssize_t = rgb.shape[1]
        rows_ = np.empty((ROWS, width, 3), np.float32)
        rows: cython.float[:, :, ::1] = rows_
        if not width:
            return
        codes: cython.p_float = cython.address(rows[0, 0, 0])
        wide: cython.Py_ssize_t = offsets.shape[1]
        column: cython.Py_ssize_t
        top: cython.Py_ssize_t
        end: cython.Py_ssize_t
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        c: cython.int
        for top in range(0, rgb.shape[0], ROWS):
            end = min(top + ROWS, rgb.shape[0])
            with cython.nogil:
                for i in range(top, end):
                    for j in range(width):
                        code: cython.p_float = codes + 3 * ((i - top) * width + j)
                        under: cython.p_uchar = cython.address(backdrop[y + i, x + j, 0])
                        if alpha[i, j] > 0:
                            self.coded(cython.address(rgb[i, j, 0]), alpha[i, j], lit, under, code)
                        else:
                            for c in range(3):
                                code[c] = under[c]
            for opening in openings:
                self._open(paint, opening, codes, top, end)
            with cython.nogil:
                for i in range(top, end):
                    offset: cython.p_const_float = cython.address(offsets[(y + i) % offsets.shape[0], 0, 0])
                    column = (x - 1) % wide
                    for j in range(width):
                        column = column + 1 if column + 1 < wide else 0
                        share: cython.float = alpha[i, j]
                        if not share > 0:
                            continue
                        code = codes + 3 * ((i - top) * width + j)
                        under = cython.address(backdrop[y + i, x + j, 0])
                        if share < 1:
                            under[3] = cython.cast(
                                cython.uchar, _within(_opacity(share, under) * 255, 255) + round - round
                            )
                            for c in range(3):
                                under[c] = cython.cast(cython.uchar, _nearest(code[c], 255, 1))
                        else:
                            under[3] = 255
                            for c in range(3):
                                under[c] = cython.cast(
                                    cython.uchar, _within(offset[3 * column + c] + code[c], 255)
                                )


@cython.cfunc
def _checked(
    rgb: cython.const_float[:, :, ::1],
    alpha: cython.const_float[:, ::1],
    x: cython.Py_ssize_t,
    y: cython.Py_ssize_t,
    backdrop: cython.const_uchar[:, :, ::1],
    offsets: cython.const_float[:, :, ::1],
) -> cython.void:
    if rgb.shape[2] != 3 or alpha.shape[0] != rgb.shape[0] or alpha.shape[1] != rgb.shape[1]:
        raise ValueError("each pixel of paint has three colours and an alpha")
    if backdrop.shape[2] != 4 or offsets.shape[2] != 3 or not offsets.shape[0] or not offsets.shape[1]:
        raise ValueError("a backdrop has four channels, and offsets have three")
    if not 0 <= x <= backdrop.shape[1] - rgb.shape[1] or not 0 <= y <= backdrop.shape[0] - rgb.shape[0]:
        raise ValueError("paint lies within its backdrop")


def over(
    rgb: cython.float[:, :, ::1],
    alpha: cython.float[:, ::1],
    left: cython.Py_ssize_t,
    top: cython.Py_ssize_t,
    light: cython.const_float[:, :, ::1],
    cover: cython.const_float[:, ::1],
) -> None:
    """Composite straight `light` (h, w, 3) with a `cover` (h, w) over premultiplied paint at `left`, `top`.

    Changes `rgb` (H, W, 3) and `alpha` (H, W) in place, by Porter and Duff's "over". Raises ValueError for
    arrays that do not fit together.
    """
    _placed(rgb, alpha, left, top, light, cover)
    one: cython.float = 1
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    c: cython.int
    with cython.nogil:
        for i in range(light.shape[0]):
            for j in range(light.shape[1]):
                share: cython.float = cover[i, j]
                if not share > 0:
                    continue
                rest: cython.float = one - share
                for c in range(3):
                    rgb[top + i, left + j, c] = light[i, j, c] * share + rgb[top + i, left + j, c] * rest
                alpha[top + i, left + j] = alpha[top + i, left + j] * rest + share


def gain(
    below: cython.float[:, ::1],
    left: cython.Py_ssize_t,
    top: cython.Py_ssize_t,
    own: cython.const_float[:, ::1],
    cover: cython.const_float[:, ::1],
) -> None:
    """As `over`, for a single channel: `own` (h, w), or (0, 0) for 0 everywhere, over `below` (H, W)."""
    h: cython.Py_ssize_t = cover.shape[0]
    w: cython.Py_ssize_t = cover.shape[1]
    dark: cython.bint = own.shape[0] == 0 and own.shape[1] == 0
    if not dark and (own.shape[0] != h or own.shape[1] != w):
        raise ValueError("each pixel has a gain and a share")
    if not 0 <= left <= below.shape[1] - w or not 0 <= top <= below.shape[0] - h:
        raise ValueError("light lies within its paint")
    one: cython.float = 1
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    with cython.nogil:
        for i in range(h):
            for j in range(w):
                share: cython.float = cover[i, j]
                if share > 0:
                    below[top + i, left + j] *= one - share
                    if not dark:
                        below[top + i, left + j] += own[i, j] * share


def join(
    rgb: cython.float[:, :, ::1],
    hit: cython.float[:, ::1],
    left: cython.Py_ssize_t,
    top: cython.Py_ssize_t,
    light: cython.const_float[:, :, ::1],
    share: cython.const_float[:, ::1],
) -> None:
    """Add straight `light` (h, w, 3), times its `share` (h, w) of each pixel, to the paint that covers the
    rest of the pixel."""
    _placed(rgb, hit, left, top, light, share)
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    c: cython.int
    with cython.nogil:
        for i in range(light.shape[0]):
            for j in range(light.shape[1]):
                part: cython.float = share[i, j]
                if part == 0:
                    continue
                for c in range(3):
                    rgb[top + i, left + j, c] += light[i, j, c] * part
                hit[top + i, left + j] += part


def cover(
    rgb: cython.float[:, :, ::1],
    left: cython.Py_ssize_t,
    top: cython.Py_ssize_t,
    picture: cython.const_ushort[:, :, ::1],
    colors: cython.const_float[:, ::1],
    shares: tuple[F32, F32, U8],
    opacity: cython.double,
) -> None:
    """Lay a `picture` (h, w, 4) of premultiplied albedo over light, in place, from `left` and `top` on.

    The rows of `colors` (4, 3) are the light on white matt paint, the colour of the metal below, the factor
    by which paint dims metal of that colour, and the hue of the lost light.

    `shares` has three arrays (h, w), any of which may be (0, 0) if absent: the share of matt light that is
    lost; the share of paint through which metal shows; and the light, 0-255, that ambient occlusion leaves to
    the picture. The last does not darken areas that the picture leaves bare. `opacity` is the picture's
    highest. Raises ValueError for arrays that do not fit.
    """
    lost: cython.const_float[:, ::1] = shares[0]
    thin: cython.const_float[:, ::1] = shares[1]
    shade: cython.const_uchar[:, ::1] = shares[2]
    h: cython.Py_ssize_t = picture.shape[0]
    w: cython.Py_ssize_t = picture.shape[1]
    if rgb.shape[2] != 3 or picture.shape[2] != 4 or colors.shape[0] != 4 or colors.shape[1] != 3:
        raise ValueError("light has 3 channels, a picture 4, and there are 4 colours")
    if not 0 <= left <= rgb.shape[1] - w or not 0 <= top <= rgb.shape[0] - h:
        raise ValueError("a picture lies within its light")
    for rows, columns in ((lost.shape[0], lost.shape[1]), (thin.shape[0], thin.shape[1]),
                          (shade.shape[0], shade.shape[1])):  # fmt: skip
        if (rows != h or columns != w) and rows:
            raise ValueError("each pixel of a picture has its shares, or none has")
    if not opacity > 0:
        raise ValueError(f"an opacity of {opacity}")
    dims: cython.bint = lost.shape[0] > 0
    mixes: cython.bint = thin.shape[0] > 0
    shades: cython.bint = shade.shape[0] > 0
    full: cython.float = 1.0 / 65535.0
    level: cython.float = 1.0 / 255.0
    least: cython.float = 1e-3
    one: cython.float = 1
    covers: cython.float = opacity
    y: cython.Py_ssize_t
    x: cython.Py_ssize_t
    c: cython.int
    with cython.nogil:
        for y in range(h):
            for x in range(w):
                amount: cython.float = picture[y, x, 3] * full
                through: cython.float = thin[y, x] if mixes else 0
                if amount == 0 and through == 0:
                    continue
                share: cython.float = 0
                if mixes:
                    share = _within(through / (amount if amount > least else least), 1)
                dark: cython.float = lost[y, x] if dims else 0
                lit: cython.float = shade[y, x] * level if shades else 1
                free: cython.float = _within(one - amount / covers, 1) * (one - lit)
                for c in range(3):
                    bare: cython.float = rgb[top + y, left + x, c]
                    paint: cython.float = picture[y, x, c] * full
                    apart: cython.float = through * colors[1, c] - paint * share
                    under: cython.float = bare * (one - amount - apart * colors[2, c])
                    under += (paint + apart) * colors[0, c] * (one - dark * colors[3, c])
                    rgb[top + y, left + x, c] = under * lit + bare * free


def stain(
    rgb: cython.float[:, :, ::1],
    hit: cython.const_float[:, ::1],
    left: cython.Py_ssize_t,
    top: cython.Py_ssize_t,
    pictures: tuple[U16, U16, F32],
    metal: F32,
    opacity: cython.double,
) -> None:
    """Lay a picture over a wall's light (H, W, 3), premultiplied by the share `hit` (H, W), in place.

    `pictures`, which begin at `left` and `top`, has the paint (h, w, 4), linear and premultiplied, 0-65535;
    the square of its alpha (h, w); and the light on white matt paint, (h, w, 3), or (1, 1, 3) if it is the
    same everywhere. If the square has the shape (0, 0), paint has the mean `opacity`, except where it covers
    a whole pixel.

    `metal` is the colour (3,) of a metal wall, above 0. Where paint covers such a wall, it is partly matt and
    partly metal, both in the mixed colour. For other walls, its shape is (0,). Raises ValueError for arrays
    that do not fit.
    """
    paint: cython.const_ushort[:, :, ::1] = pictures[0]
    square: cython.const_ushort[:, ::1] = pictures[1]
    white: cython.const_float[:, :, ::1] = pictures[2]
    color: cython.const_float[::1] = metal
    h: cython.Py_ssize_t = paint.shape[0]
    w: cython.Py_ssize_t = paint.shape[1]
    if rgb.shape[2] != 3 or hit.shape[0] != rgb.shape[0] or hit.shape[1] != rgb.shape[1]:
        raise ValueError("each pixel has three colours and a share")
    if paint.shape[2] != 4 or not 0 <= left <= rgb.shape[1] - w or not 0 <= top <= rgb.shape[0] - h:
        raise ValueError("a picture of four channels lies within its light")
    exact: cython.bint = square.shape[0] > 0
    if exact and (square.shape[0] != h or square.shape[1] != w):
        raise ValueError("each pixel of a picture has a square of its alpha")
    wide: cython.bint = white.shape[0] != 1 or white.shape[1] != 1
    if white.shape[2] != 3 or (wide and (white.shape[0] != h or white.shape[1] != w)):
        raise ValueError("each pixel of a picture has light on white paint, or all have the same")
    shiny: cython.bint = color.shape[0] > 0
    if shiny and color.shape[0] != 3:
        raise ValueError("a colour has three channels")
    full: cython.float = 1.0 / 65535.0
    least: cython.float = 1e-3
    one: cython.float = 1
    covers: cython.float = opacity
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    c: cython.int
    with cython.nogil:
        for i in range(h):
            for j in range(w):
                amount: cython.float = paint[i, j, 3] * full
                if amount == 0 and not (exact and square[i, j] > 0):
                    continue
                both: cython.float = amount * (amount if amount > covers else covers)
                if exact:
                    both = square[i, j] * full
                # The mean opacity of the paint in a pixel.
                matt: cython.float = _within(both / (amount if amount > least else least), 1)
                share: cython.float = hit[top + i, left + j]
                for c in range(3):
                    under: cython.float = rgb[top + i, left + j, c]
                    own: cython.float = paint[i, j, c] * full
                    lit: cython.float = white[i if wide else 0, j if wide else 0, c] * share
                    if not shiny:
                        rgb[top + i, left + j, c] = under + own * lit - under * amount
                        continue
                    mirrored: cython.float = under * (one - 2 * amount + both)
                    mirrored += own * (under / color[c]) * (one - matt)
                    plain: cython.float = color[c] * (amount - both if amount > both else 0) + own * matt
                    rgb[top + i, left + j, c] = mirrored + plain * lit


def coat(
    rgb: cython.float[:, :, ::1], mirrored: cython.const_float[:, :, ::1], lost: cython.const_float[:, ::1]
) -> None:
    """Add the light `mirrored` by a coat (h, w, 3) to light (h, w, 3), which loses a share `lost` (h, w), in
    place.

    Raises ValueError for arrays that do not fit together.
    """
    _placed(rgb, lost, 0, 0, mirrored, lost)
    one: cython.float = 1
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    c: cython.int
    with cython.nogil:
        for i in range(lost.shape[0]):
            for j in range(lost.shape[1]):
                left: cython.float = one - lost[i, j]
                for c in range(3):
                    rgb[i, j, c] = rgb[i, j, c] * left + mirrored[i, j, c]


def scale(
    rgb: cython.float[:, :, ::1], rows: cython.const_float[::1], columns: cython.const_float[::1]
) -> None:
    """Multiply light (h, w, 3) by a factor for each of its rows (h,) and columns (w,), in place.

    Raises ValueError for arrays that do not fit together.
    """
    if rgb.shape[2] != 3 or rows.shape[0] != rgb.shape[0] or columns.shape[0] != rgb.shape[1]:
        raise ValueError("each row and each column of light of three colours has a factor")
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    c: cython.int
    with cython.nogil:
        for i in range(rgb.shape[0]):
            for j in range(rgb.shape[1]):
                factor: cython.float = rows[i] * columns[j]
                for c in range(3):
                    rgb[i, j, c] *= factor


@cython.cfunc
def _placed(
    rgb: cython.const_float[:, :, ::1],
    alpha: cython.const_float[:, ::1],
    left: cython.Py_ssize_t,
    top: cython.Py_ssize_t,
    light: cython.const_float[:, :, ::1],
    cover: cython.const_float[:, ::1],
) -> cython.void:
    if rgb.shape[2] != 3 or alpha.shape[0] != rgb.shape[0] or alpha.shape[1] != rgb.shape[1]:
        raise ValueError("each pixel of paint has three colours and an alpha")
    if light.shape[2] != 3 or cover.shape[0] != light.shape[0] or cover.shape[1] != light.shape[1]:
        raise ValueError("each pixel of light has three colours and a share")
    if not 0 <= left <= rgb.shape[1] - light.shape[1] or not 0 <= top <= rgb.shape[0] - light.shape[0]:
        raise ValueError("light lies within its paint")
