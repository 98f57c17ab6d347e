"""Pictures on walls that continue over rounded edges: where rays meet such a wall, and what they show there.

Arrays hold the corners of pixels: one row and one column more than there are pixels.
"""

import cython
from cython.cimports.libc.math import fabsf, sqrtf

# Least slope at which a ray approaches a wall that it meets; a guard.
SLOPE = cython.declare(cython.float, 1e-4)
# mm; the coordinate of a place far from any picture; by construction
AWAY = cython.declare(cython.float, 1e5)
CHANNELS = cython.declare(cython.int, 4)  # the most channels of a picture


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _sign(value: cython.float) -> cython.float:
    return 1 if value > 0 else -1 if value < 0 else 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _met(ray: cython.p_const_float, wall: cython.p_const_float, place: cython.p_float) -> cython.void:
    """Write the place (2,), along and above the plane of a wall, at which a ray meets the wall.

    The `ray` (6,) has its start along, above and in front of the plane, and its direction in these
    coordinates. `wall` is as in `meet`.
    """
    zero: cython.float = 0
    one: cython.float = 1
    straight: cython.float = wall[0]
    edge: cython.float = wall[1]
    along: cython.float = ray[3]
    rising: cython.float = ray[4]
    falling: cython.float = ray[5]
    seen: cython.bint = falling < -SLOPE
    ahead: cython.float = ray[2] / (-falling if -falling > SLOPE else SLOPE)
    up: cython.float = ray[1] + ahead * rising
    # A wall that faces away is seen over the edge on the camera's side.
    side: cython.float = _sign(up) if seen else -_sign(rising)
    out: cython.float = ray[2] + edge
    high: cython.float = ray[1] - side * straight
    square: cython.float = falling * falling + rising * rising
    half: cython.float = out * falling + high * rising
    root: cython.float = half * half - square * (out * out + high * high - edge * edge)
    least: cython.float = SLOPE * SLOPE
    way: cython.float = -(half + sqrtf(root if root > zero else zero)) / (square if square > least else least)
    rise: cython.float = (high + way * rising) * side
    deep: cython.float = out + way * falling
    # Reject rays that reach this wall only through another: those that meet the face past its middle, and
    # those below the edge of a wall that faces away.
    behind: cython.bint = not seen and rise < zero
    if deep < zero:
        behind = (ray[2] + wall[2]) * fabsf(rising) < (edge - side * high) * falling
        rise = edge
    else:
        far: cython.float = sqrtf(rise * rise + deep * deep)
        rise *= edge / far if far > edge else one
        rise = rise if rise > zero else zero
        rise = rise if rise < edge else edge
    if seen and fabsf(up) <= straight:
        place[0] = ray[0] + ahead * along
        place[1] = up
        return
    place[0] = AWAY if behind else ray[0] + way * along
    place[1] = side * (straight + rise)


def meet(
    rays: cython.const_double[:, ::1],
    wall: cython.const_float[::1],
    along: cython.float[:, ::1],
    above: cython.float[:, ::1],
) -> None:
    """Write where rays through corners (h, w) meet a wall: mm `along` and `above` (h, w) its plane's middle.

    `rays` (6, 3) has, for each of the six numbers of a ray (see `_met`), its change from column to column,
    its change from row to row, and its value at the first corner. `wall` (3,) has half the height of the
    wall's upright part, the radius of its edges, and its distance to the slab's middle, mm. A ray that misses
    a rounded edge is moved to the point of the edge nearest to it. Raises ValueError for arrays that do not
    fit.
    """
    if rays.shape[0] != 6 or rays.shape[1] != 3 or wall.shape[0] != 3:
        raise ValueError("rays have six values of three numbers, a wall three numbers")
    if above.shape[0] != along.shape[0] or above.shape[1] != along.shape[1]:
        raise ValueError("each corner has two places")
    ray = cython.declare(cython.float[6])
    place = cython.declare(cython.float[2])
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.int
    with cython.nogil:
        for i in range(along.shape[0]):
            for j in range(along.shape[1]):
                for k in range(6):
                    ray[k] = cython.cast(cython.float, rays[k, 0] * j + rays[k, 1] * i + rays[k, 2])
                _met(ray, cython.address(wall[0]), place)
                along[i, j] = place[0]
                above[i, j] = place[1]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add(
    picture: cython.const_ushort[:, :, ::1], column: cython.float, row: cython.float, sum: cython.p_float
) -> cython.void:
    """Add the bilinear sample of a picture at a column and row to a sum (4,); beyond its px, all is 0."""
    one: cython.float = 1
    # NaN fails this test.
    if not (column > -one and column < picture.shape[1] and row > -one and row < picture.shape[0]):
        return
    left: cython.int = cython.cast(cython.int, column + one) - 1
    top: cython.int = cython.cast(cython.int, row + one) - 1
    x: cython.float = column - left
    y: cython.float = row - top
    i: cython.int
    j: cython.int
    c: cython.int
    for i in range(2):
        if top + i < 0 or top + i >= picture.shape[0]:
            continue
        for j in range(2):
            if left + j < 0 or left + j >= picture.shape[1]:
                continue
            weight: cython.float = (y if i else one - y) * (x if j else one - x)
            for c in range(picture.shape[2]):
                sum[c] += weight * picture[top + i, left + j, c]


def wrap(
    picture: cython.const_ushort[:, :, ::1],
    placing: cython.const_double[::1],
    along: cython.const_float[:, ::1],
    above: cython.const_float[:, ::1],
    samples: cython.int,
    laid: cython.ushort[:, :, ::1],
) -> None:
    """Write the part of a picture (n, m, c) that pixels show to `laid` (h, w, c); c is 4 at most.

    Places of the corners of pixels on a wall are `along` and `above` (h + 1, w + 1), mm. `placing` (6,) has
    the place of the picture's left end and its px per mm across, the place of its upper end and its px per mm
    down, and its first and last row, to which places beyond them are clamped. A pixel is the mean of
    `samples` along each axis. Raises ValueError for arrays that do not fit.
    """
    h: cython.Py_ssize_t = laid.shape[0]
    w: cython.Py_ssize_t = laid.shape[1]
    if not 0 < picture.shape[2] <= CHANNELS or laid.shape[2] != picture.shape[2]:
        raise ValueError("a picture has up to 4 channels, as many as what pixels show")
    if not 0 < picture.shape[0] < 1 << 20 or not 0 < picture.shape[1] < 1 << 20 or samples < 1:
        raise ValueError("a picture has pixels, of which samples are taken")
    if placing.shape[0] != 6:
        raise ValueError("a picture is placed by six numbers")
    if along.shape[0] != h + 1 or along.shape[1] != w + 1:
        raise ValueError("corners surround pixels")
    if above.shape[0] != h + 1 or above.shape[1] != w + 1:
        raise ValueError("each corner has two places")
    left: cython.float = placing[0]
    wide: cython.float = placing[1]
    top: cython.float = placing[2]
    high: cython.float = placing[3]
    first: cython.float = placing[4]
    last: cython.float = placing[5]
    half: cython.float = 0.5
    one: cython.float = 1
    end: cython.float = picture.shape[1]
    scale: cython.float = one / (samples * samples)
    columns = cython.declare(cython.float[4])
    rows = cython.declare(cython.float[4])
    sum = cython.declare(cython.float[4])
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.int
    c: cython.int
    with cython.nogil:
        for i in range(h):
            for j in range(w):
                for k in range(4):
                    columns[k] = (along[i + k // 2, j + k % 2] - left) * wide - half
                    rows[k] = (top - above[i + k // 2, j + k % 2]) * high - half
                    rows[k] = rows[k] if rows[k] > first else first
                    rows[k] = rows[k] if rows[k] < last else last
                for c in range(4):
                    sum[c] = 0
                low: cython.float = columns[0]
                most: cython.float = columns[0]
                for k in range(1, 4):
                    low = columns[k] if columns[k] < low else low
                    most = columns[k] if columns[k] > most else most
                if most > -one and low < end:
                    for k in range(samples * samples):
                        x: cython.float = (k % samples + half) / samples
                        y: cython.float = (k // samples + half) / samples
                        column: cython.float = columns[0] + (columns[1] - columns[0]) * x
                        beside: cython.float = columns[2] + (columns[3] - columns[2]) * x
                        row: cython.float = rows[0] + (rows[1] - rows[0]) * x
                        below: cython.float = rows[2] + (rows[3] - rows[2]) * x
                        column += (beside - column) * y
                        row += (below - row) * y
                        _add(picture, column, row, sum)
                for c in range(picture.shape[2]):
                    laid[i, j, c] = cython.cast(cython.ushort, sum[c] * scale + half)


def shine(
    above: cython.const_float[:, ::1],
    wall: cython.const_float[::1],
    leans: cython.const_float[::1],
    light: cython.const_float[:, ::1],
    white: cython.float[:, :, ::1],
) -> None:
    """Write the light (h, w, 3) on a white matt wall, in pixels whose corners are `above` (h + 1, w + 1) mm.

    `wall` is as in `meet`. `light` (n, 3) is the light on walls whose normals lean up by an angle with the
    sine `leans` (n,), in ascending order; it is interpolated between them. Raises ValueError for arrays that
    do not fit.
    """
    h: cython.Py_ssize_t = white.shape[0]
    w: cython.Py_ssize_t = white.shape[1]
    if wall.shape[0] != 3 or white.shape[2] != 3 or light.shape[1] != 3:
        raise ValueError("a wall has three numbers, light three channels")
    if leans.shape[0] < 2 or light.shape[0] != leans.shape[0]:
        raise ValueError("light is interpolated between two leans or more")
    if above.shape[0] != h + 1 or above.shape[1] != w + 1:
        raise ValueError("corners surround pixels")
    straight: cython.float = wall[0]
    edge: cython.float = wall[1]
    zero: cython.float = 0
    one: cython.float = 1
    quarter: cython.float = 0.25
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    n: cython.Py_ssize_t
    k: cython.int
    with cython.nogil:
        for i in range(h):
            for j in range(w):
                lean: cython.float = 0
                for k in range(4):
                    place: cython.float = above[i + k // 2, j + k % 2]
                    part: cython.float = (fabsf(place) - straight) / edge
                    part = part if part > zero else zero
                    lean += (part if part < one else one) * _sign(place) * quarter
                n = 1
                while n + 1 < leans.shape[0] and leans[n] < lean:
                    n += 1
                part = (lean - leans[n - 1]) / (leans[n] - leans[n - 1])
                part = part if part > zero else zero
                part = part if part < one else one
                for k in range(3):
                    white[i, j, k] = light[n - 1, k] + (light[n, k] - light[n - 1, k]) * part
