"""Occluders: rectangles that hide shares of cones of light, and send light of their own instead."""

import cython
import numpy as np
from cython.cimports.libc.math import expf, fabsf, sqrtf

from ...arrays import F32, I32

SIDE = cython.declare(cython.int, 8)  # cells of directions along each side of a field, as in `light.field`
BLOCK = cython.declare(cython.Py_ssize_t, 64)  # points whose cones are tested at a time; by cost


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _least(a: cython.float, b: cython.float) -> cython.float:
    return a if a < b else b


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _most(a: cython.float, b: cython.float) -> cython.float:
    return a if a > b else b


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _within(value: cython.float, most: cython.float) -> cython.float:
    """The value, clamped to 0 to `most`; 0 for NaN."""
    return _least(_most(value, 0.0), most)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _between(ends: cython.p_const_float, count: cython.Py_ssize_t, value: cython.float) -> cython.float:
    """The fractional index of a value in `count` ascending numbers."""
    low: cython.Py_ssize_t = 0
    high: cython.Py_ssize_t = count - 1
    middle: cython.Py_ssize_t
    if not value > ends[0]:
        return 0.0
    if value >= ends[high]:
        return high
    while high - low > 1:
        middle = (low + high) // 2
        if ends[middle] <= value:
            low = middle
        else:
            high = middle
    return low + (value - ends[low]) / (ends[high] - ends[low])


@cython.cclass
class Rays:
    """Cones of light around rays that lead away from points.

    From each of the `points` (n, 3), k rays lead in unit directions `ways` (3, k, n); the cones have `radii`
    (k,), radians. Raises ValueError for arrays that do not fit together.
    """

    points = cython.declare(cython.const_float[:, ::1], visibility="readonly")
    ways = cython.declare(cython.const_float[:, :, ::1], visibility="readonly")
    radii: cython.const_float[::1]
    count: cython.Py_ssize_t
    rays: cython.Py_ssize_t

    def __init__(
        self,
        points: cython.const_float[:, ::1],
        ways: cython.const_float[:, :, ::1],
        radii: cython.const_float[::1],
    ):
        if points.shape[1] != 3 or ways.shape[0] != 3 or ways.shape[2] != points.shape[0]:
            raise ValueError("points are (n, 3), their rays (3, k, n)")
        if radii.shape[0] != ways.shape[1]:
            raise ValueError("each ray has a cone")
        self.points = points
        self.ways = ways
        self.radii = radii
        self.count = points.shape[0]
        self.rays = ways.shape[1]


@cython.cclass
class Field:
    """A surface light field, as in `light.field.Field`; `columns` ascend.

    `tiles` are (8 · rows, 8 · columns, 4); the fourth channel is unused. Raises ValueError for arrays that do
    not fit together.
    """

    tiles: cython.const_float[:, :, ::1]
    columns: cython.const_float[::1]
    rows: cython.const_float[::1]
    axes: cython.const_float[:, ::1]

    def __init__(
        self,
        tiles: cython.const_float[:, :, ::1],
        columns: cython.const_float[::1],
        rows: cython.const_float[::1],
        axes: cython.const_float[:, ::1],
    ):
        if columns.shape[0] < 2 or rows.shape[0] < 2 or axes.shape[0] != 3 or axes.shape[1] != 3:
            raise ValueError("a field has at least two columns and rows, and three axes")
        high: cython.Py_ssize_t = rows.shape[0] * SIDE
        if tiles.shape[0] != high or tiles.shape[1] != columns.shape[0] * SIDE or tiles.shape[2] != 4:
            raise ValueError("each direction has a tile of all columns and rows")
        self.tiles = tiles
        self.columns = columns
        self.rows = rows
        self.axes = axes

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def look(
        self,
        across: cython.float,
        up: cython.float,
        x: cython.float,
        y: cython.float,
        z: cython.float,
        out: cython.p_float,
    ) -> cython.void:
        """Write to `out` the radiance (3,) of a place, seen by a viewer who looks in the unit direction (x,
        y, z)."""
        axes: cython.p_const_float = cython.address(self.axes[0, 0])
        u: cython.float = -(x * axes[0] + y * axes[1] + z * axes[2])
        v: cython.float = -(x * axes[3] + y * axes[4] + z * axes[5])
        w: cython.float = -(x * axes[6] + y * axes[7] + z * axes[8])
        half: cython.float = 0.5
        tiny: cython.float = 1e-9
        last: cython.float = SIDE - 1
        scale: cython.float = half * SIDE / _most(fabsf(u) + fabsf(v) + _most(w, 0.0), tiny)
        place = cython.declare(cython.float[4])
        place[0] = _between(cython.address(self.columns[0]), self.columns.shape[0], across)
        place[1] = _between(cython.address(self.rows[0]), self.rows.shape[0], up)
        place[2] = _within((u + v) * scale + half * last, last)
        place[3] = _within((u - v) * scale + half * last, last)
        _tile(self.tiles, self.columns.shape[0], self.rows.shape[0], place, out)

    def received(
        self,
        place: cython.const_float[:, ::1],
        share: cython.const_float[::1],
        ray: cython.const_int[::1],
        sums: cython.float[:, ::1],
    ) -> None:
        """Add the radiance at each `place` (4, n), times `share` (n,), to row `ray` (n,) of `sums` (m, 3).

        A place is a fractional column and row within a tile, then the column and row of the tile.
        """
        if place.shape[0] != 4 or share.shape[0] != place.shape[1] or ray.shape[0] != place.shape[1]:
            raise ValueError("places are (4, n), their shares and rays (n,)")
        if sums.shape[1] != 3:
            raise ValueError("sums are (m, 3)")
        _checked(ray, sums.shape[0])
        light = cython.declare(cython.float[3])
        at = cython.declare(cython.float[4])
        c: cython.int
        wide: cython.Py_ssize_t = self.columns.shape[0]
        high: cython.Py_ssize_t = self.rows.shape[0]
        last: cython.float = SIDE - 1
        i: cython.Py_ssize_t
        with cython.nogil:
            for i in range(place.shape[1]):
                at[0] = _within(place[0, i], wide - 1)
                at[1] = _within(place[1, i], high - 1)
                at[2] = _within(place[2, i], last)
                at[3] = _within(place[3, i], last)
                _tile(self.tiles, wide, high, at, light)
                for c in range(3):
                    sums[ray[i], c] += light[c] * share[i]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _tile(
    tiles: cython.const_float[:, :, ::1],
    wide: cython.Py_ssize_t,
    high: cython.Py_ssize_t,
    place: cython.p_const_float,
    out: cython.p_float,
) -> cython.void:
    """Interpolate tiles at a `place` (4,), see `Field.received`, linearly in all four coordinates.

    It writes three channels but computes four, which the compiler processes together.
    """
    x: cython.float = place[0]
    y: cython.float = place[1]
    a: cython.float = place[2]
    b: cython.float = place[3]
    column: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, x)
    row: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, y)
    left: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, a)
    top: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, b)
    column = column if column < wide - 1 else wide - 2
    row = row if row < high - 1 else high - 2
    left = left if left < SIDE - 1 else SIDE - 2
    top = top if top < SIDE - 1 else SIDE - 2
    x -= column
    y -= row
    a -= left
    b -= top
    line: cython.Py_ssize_t = 4 * SIDE * wide
    first: cython.p_const_float = cython.address(tiles[0, 0, 0])
    light = cython.declare(cython.float[4])
    i: cython.int
    j: cython.int
    c: cython.int
    for c in range(4):
        light[c] = 0
    for j in range(2):
        down: cython.float = b if j else 1 - b
        for i in range(2):
            share: cython.float = down * (a if i else 1 - a)
            upper: cython.p_const_float = (
                first + ((top + j) * high + row) * line + 4 * ((left + i) * wide + column)
            )
            lower: cython.p_const_float = upper + line
            for c in range(4):
                above: cython.float = upper[c] + (upper[4 + c] - upper[c]) * x
                below: cython.float = lower[c] + (lower[4 + c] - lower[c]) * x
                light[c] += share * (above + (below - above) * y)
    for c in range(3):
        out[c] = light[c]


@cython.cclass
class Rectangle:
    """A rectangle in view space, mm, and how rays meet it.

    `of` (16,) has its middle (3); its unit x, y and normal axes (9); half its width and height (2); the least
    height over it, to which lower points are raised (1); and the largest distance behind it from which a
    point sees it (1). At rounded corners, its lower edge rises by `rise` (m,), at evenly spaced places from
    `start` mm beside its middle to its end; m is not 1.
    """

    of: cython.const_float[::1]
    rise: cython.const_float[::1]
    start: cython.float

    def __init__(self, of: cython.const_float[::1], rise: cython.const_float[::1], start: cython.float):
        if of.shape[0] != 16 or rise.shape[0] == 1:
            raise ValueError("a rectangle has 16 numbers, and a rise none or several")
        self.of = of
        self.rise = rise
        self.start = start

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def height(self, points: cython.p_const_float) -> cython.float:
        """The height of a point over its plane, mm."""
        of: cython.p_const_float = cython.address(self.of[0])
        return (points[0] - of[0]) * of[9] + (points[1] - of[1]) * of[10] + (points[2] - of[2]) * of[11]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def risen(self, across: cython.float) -> cython.float:
        """The rise of the rectangle's lower edge `across` mm from its middle."""
        count: cython.Py_ssize_t = self.rise.shape[0]
        if count == 0:
            return 0.0
        last: cython.float = count - 1
        of: cython.p_const_float = cython.address(self.of[0])
        place: cython.float = _within((across - self.start) / (of[12] - self.start) * last, last)
        low: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, place)
        low = low if low < count - 1 else count - 2
        return self.rise[low] + (self.rise[low + 1] - self.rise[low]) * (place - low)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def faces(
        self, point: cython.p_const_float, normal: cython.p_const_float, near: cython.float
    ) -> cython.bint:
        """Whether a point with a unit normal (3,) faces the rectangle, and the rectangle rises at least
        `near` mm above its horizon."""
        of: cython.p_const_float = cython.address(self.of[0])
        if not self.height(point) > -of[15]:
            return False
        a: cython.float = normal[0] * of[3] + normal[1] * of[4] + normal[2] * of[5]
        b: cython.float = normal[0] * of[6] + normal[1] * of[7] + normal[2] * of[8]
        rise: cython.float = fabsf(a) * of[12] + fabsf(b) * of[13]
        x: cython.float = of[0] - point[0]
        y: cython.float = of[1] - point[1]
        z: cython.float = of[2] - point[2]
        rise += x * normal[0] + y * normal[1] + z * normal[2]
        return rise > near

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def seers(
        self,
        rays: Rays,
        normals: cython.const_float[:, ::1],
        near: cython.float,
        cone: cython.p_const_float,
        at: cython.p_int,
    ) -> cython.Py_ssize_t:
        """Write the indices of the points that may see the rectangle (see `before`) to `at` (n,), and return
        their number.

        `cone` (2,) is the sine and cosine of its radius.
        """
        of: cython.p_const_float = cython.address(self.of[0])
        reach: cython.float = sqrtf(of[12] * of[12] + of[13] * of[13])
        tiny: cython.float = 1e-6
        count: cython.Py_ssize_t = 0
        i: cython.Py_ssize_t
        for i in range(rays.count):
            point: cython.p_const_float = cython.address(rays.points[i, 0])
            if not self.faces(point, cython.address(normals[i, 0]), near):
                continue
            x: cython.float = of[0] - point[0]
            y: cython.float = of[1] - point[1]
            z: cython.float = of[2] - point[2]
            away: cython.float = _most(sqrtf(x * x + y * y + z * z), tiny)
            if away >= reach:
                # The cosine of the sum of the cone's and the rectangle's radii.
                s: cython.float = reach / away
                bound: cython.float = cone[1] * sqrtf(_most(1 - s * s, 0.0)) - cone[0] * s
                met: cython.float = x * rays.ways[0, 0, i] + y * rays.ways[1, 0, i] + z * rays.ways[2, 0, i]
                if not met > bound * away:
                    continue
            at[count] = cython.cast(cython.int, i)
            count += 1
        return count

    def before(
        self,
        rays: Rays,
        normals: cython.const_float[:, ::1],
        near: cython.float,
        sine: cython.float,
        cosine: cython.float,
    ) -> I32:
        """The indices (m,) int32 of the rays' points, with unit `normals` (n, 3), that may see the rectangle.

        The rectangle must rise at least `near` mm above a point's horizon, and reach into the cone around the
        point's first ray; `sine` and `cosine` are the sine and cosine of the cone's radius.
        """
        _upright(rays, normals)
        visible_ = np.empty(rays.count, np.int32)
        if not rays.count:
            return visible_
        at: cython.int[::1] = visible_
        cone = cython.declare(cython.float[2])
        cone[0] = sine
        cone[1] = cosine
        return visible_[: self.seers(rays, normals, near, cone, cython.address(at[0]))]

    def above(
        self,
        points: cython.const_float[:, ::1],
        normals: cython.const_float[:, ::1],
        near: cython.float,
        found: cython.uchar[::1],
    ) -> None:
        """Mark in `found` (n,) the points (n, 3) with unit `normals` (n, 3) that may see the rectangle.

        The rectangle must rise at least `near` mm above a point's horizon. Raises ValueError for arrays that
        do not fit.
        """
        n: cython.Py_ssize_t = points.shape[0]
        if points.shape[1] != 3 or normals.shape[0] != n or normals.shape[1] != 3 or found.shape[0] != n:
            raise ValueError("points and normals have 3 coordinates, and each has a mark")
        i: cython.Py_ssize_t
        with cython.nogil:
            for i in range(n):
                if self.faces(cython.address(points[i, 0]), cython.address(normals[i, 0]), near):
                    found[i] = 1

    def hidden(self, rays: Rays, at: cython.const_int[::1]) -> tuple[F32, F32]:
        """The shares (k, m) of cones that the rectangle hides from the points `at` (m,), and the mean
        directions (m, 3) in which these points see it.

        A cone's light falls off linearly from its axis. In the mean, each ray is weighted by its share.
        """
        m: cython.Py_ssize_t = at.shape[0]
        _checked(at, rays.count)
        shares_ = np.empty((rays.rays, m), np.float32)
        work_ = np.empty((6, m), np.float32)
        if not m or not rays.rays:
            return shares_, np.zeros((m, 3), np.float32)
        shares: cython.float[:, ::1] = shares_
        work: cython.float[:, ::1] = work_
        self.hides(rays, cython.address(at[0]), m, cython.address(shares[0, 0]), cython.address(work[0, 0]))
        return shares_, work_[:3].reshape(m, 3)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def hides(
        self,
        rays: Rays,
        at: cython.p_const_int,
        m: cython.Py_ssize_t,
        shares: cython.p_float,
        middle: cython.p_float,
    ) -> cython.bint:
        """Write the `shares` (k, m) and mean directions of `hidden`; returns whether any share is above 0.

        `middle` (6 m,) gets the mean directions (m, 3); the rest is working memory.
        """
        place: cython.p_float = middle + 3 * m
        of: cython.p_const_float = cython.address(self.of[0])
        some: cython.bint = False
        half: cython.float = 0.5
        tiny: cython.float = 1e-6
        flat: cython.float = 1e-3
        least: cython.float = 0.01
        ways = cython.declare(cython.float[3 * 64])
        near = cython.declare(cython.int[64])
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        ray: cython.Py_ssize_t
        start: cython.Py_ssize_t
        end: cython.Py_ssize_t
        for j in range(m):
            i = at[j]
            x: cython.float = rays.points[i, 0] - of[0]
            y: cython.float = rays.points[i, 1] - of[1]
            z: cython.float = rays.points[i, 2] - of[2]
            place[j] = x * of[3] + y * of[4] + z * of[5]
            place[m + j] = x * of[6] + y * of[7] + z * of[8]
            high: cython.float = x * of[9] + y * of[10] + z * of[11]
            # Points farther than `behind` behind it do not see it.
            place[2 * m + j] = _most(high, of[14]) if high > -of[15] else -1
            middle[3 * j] = middle[3 * j + 1] = middle[3 * j + 2] = 0
        for ray in range(rays.rays):
            wide: cython.float = _most(2 * rays.radii[ray], least)
            share: cython.p_float = shares + ray * m
            end = 0
            while end < m:
                start = end
                end = start + BLOCK if start + BLOCK < m else m
                for j in range(start, end):
                    i = at[j]
                    ways[j - start] = rays.ways[0, ray, i]
                    ways[BLOCK + j - start] = rays.ways[1, ray, i]
                    ways[2 * BLOCK + j - start] = rays.ways[2, ray, i]
                # Most cones miss the rectangle by far. This test for them needs neither a division nor a
                # branch, so that the compiler tests several at once.
                for j in range(start, end):
                    x = ways[j - start]
                    y = ways[BLOCK + j - start]
                    z = ways[2 * BLOCK + j - start]
                    into: cython.float = -(x * of[9] + y * of[10] + z * of[11])
                    dx: cython.float = x * of[3] + y * of[4] + z * of[5]
                    dy: cython.float = x * of[6] + y * of[7] + z * of[8]
                    high = place[2 * m + j]
                    reach: cython.float = half * high * wide
                    beside: cython.float = fabsf(place[j] * into + high * dx) - of[12] * into
                    beyond: cython.float = fabsf(place[m + j] * into + high * dy) - of[13] * into
                    near[j - start] = (
                        (into > flat) & (not high < 0) & (not beside > reach) & (not beyond > reach)
                    )
                for j in range(start, end):
                    share[j] = 0
                    if not near[j - start]:
                        continue
                    x = ways[j - start]
                    y = ways[BLOCK + j - start]
                    z = ways[2 * BLOCK + j - start]
                    way: cython.float = place[2 * m + j] / -(x * of[9] + y * of[10] + z * of[11])
                    across: cython.float = fabsf(place[j] + way * (x * of[3] + y * of[4] + z * of[5]))
                    up: cython.float = place[m + j] + way * (x * of[6] + y * of[7] + z * of[8])
                    inside: cython.float = _least(of[12] - across, of[13] - up)
                    inside = _least(inside, of[13] + up - self.risen(across))
                    share[j] = _within(half + inside / (way * wide), 1.0)
                    some = some or share[j] > 0
                    middle[3 * j] += share[j] * x
                    middle[3 * j + 1] += share[j] * y
                    middle[3 * j + 2] += share[j] * z
        for j in range(m):
            x = middle[3 * j]
            y = middle[3 * j + 1]
            z = middle[3 * j + 2]
            length: cython.float = _most(sqrtf(x * x + y * y + z * z), tiny)
            middle[3 * j] = x / length
            middle[3 * j + 1] = y / length
            middle[3 * j + 2] = z / length
        return some

    def sent(
        self,
        field: Field,
        rays: Rays,
        at: cython.const_int[::1],
        middle: cython.const_float[:, ::1],
    ) -> F32:
        """The radiance (m, 3) that the rectangle sends to points `at` (m,), seen in directions `middle` (m,
        3)."""
        m: cython.Py_ssize_t = at.shape[0]
        if middle.shape[0] != m or middle.shape[1] != 3:
            raise ValueError("each point has a direction")
        _checked(at, rays.count)
        radiance_ = np.empty((m, 3), np.float32)
        if not m:
            return radiance_
        radiance: cython.float[:, ::1] = radiance_
        of: cython.p_const_float = cython.address(self.of[0])
        j: cython.Py_ssize_t
        with cython.nogil:
            for j in range(m):
                self.met(
                    field,
                    of,
                    cython.address(rays.points[at[j], 0]),
                    middle[j, 0],
                    middle[j, 1],
                    middle[j, 2],
                    cython.address(radiance[j, 0]),
                )
        return radiance_

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def met(
        self,
        field: Field,
        of: cython.p_const_float,
        point: cython.p_const_float,
        x: cython.float,
        y: cython.float,
        z: cython.float,
        out: cython.p_float,
    ) -> cython.void:
        """Write to `out` the radiance that the rectangle sends to a point that sees it in the direction (x,
        y, z)."""
        flat: cython.float = 1e-3
        into: cython.float = _most(-(x * of[9] + y * of[10] + z * of[11]), flat)
        way: cython.float = _most(self.height(point), of[14]) / into
        a: cython.float = point[0] - of[0] + way * x
        b: cython.float = point[1] - of[1] + way * y
        c: cython.float = point[2] - of[2] + way * z
        field.look(a * of[3] + b * of[4] + c * of[5], a * of[6] + b * of[7] + c * of[8], x, y, z, out)

    def emitted(
        self,
        field: Field,
        rays: Rays,
        at: cython.const_int[::1],
        shares: cython.const_float[:, ::1],
        weights: cython.float[:, :, ::1],
        sums: cython.float[:, :, ::1],
    ) -> None:
        """Subtract the hidden `shares` (k, m) from `weights` (w, k, n), and add the field's light to `sums`.

        Each ray looks up its own place in the field. `sums` are (w, 3, n), where w is 1 or 2.
        """
        _fit(rays, at, shares, weights, sums)
        if at.shape[0] and rays.rays:
            self.emits(
                field, rays, cython.address(at[0]), at.shape[0], cython.address(shares[0, 0]), weights, sums
            )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def emits(
        self,
        field: Field,
        rays: Rays,
        at: cython.p_const_int,
        m: cython.Py_ssize_t,
        shares: cython.p_const_float,
        weights: cython.float[:, :, ::1],
        sums: cython.float[:, :, ::1],
    ) -> cython.void:
        """As `emitted`, for m points."""
        light = cython.declare(cython.float[3])
        of: cython.p_const_float = cython.address(self.of[0])
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        ray: cython.Py_ssize_t
        w: cython.Py_ssize_t
        c: cython.int
        for ray in range(rays.rays):
            for j in range(m):
                share: cython.float = shares[ray * m + j]
                if not share > 0:
                    continue
                i = at[j]
                self.met(
                    field,
                    of,
                    cython.address(rays.points[i, 0]),
                    rays.ways[0, ray, i],
                    rays.ways[1, ray, i],
                    rays.ways[2, ray, i],
                    light,
                )
                for w in range(weights.shape[0]):
                    lost: cython.float = weights[w, ray, i] * share
                    weights[w, ray, i] -= lost
                    for c in range(3):
                        sums[w, c, i] += light[c] * lost


@cython.cfunc
@cython.exceptval(check=True)
def _upright(rays: Rays, normals: cython.const_float[:, ::1]) -> cython.void:
    """Raise ValueError unless each of the rays' points has a normal."""
    if normals.shape[0] != rays.count or normals.shape[1] != 3:
        raise ValueError("each point has a normal")


@cython.cfunc
@cython.exceptval(check=True)
def _checked(at: cython.const_int[::1], count: cython.Py_ssize_t) -> cython.void:
    """Raise ValueError for indices of points that do not exist."""
    j: cython.Py_ssize_t
    for j in range(at.shape[0]):
        if not 0 <= at[j] < count:
            raise ValueError(f"point {at[j]} of {count}")


@cython.cfunc
@cython.exceptval(check=True)
def _fit(
    rays: Rays,
    at: cython.const_int[::1],
    shares: cython.const_float[:, ::1],
    weights: cython.float[:, :, ::1],
    sums: cython.float[:, :, ::1],
) -> cython.void:
    """Raise ValueError for arrays that do not fit the rays."""
    w: cython.Py_ssize_t = weights.shape[0]
    if not 1 <= w <= 2 or weights.shape[1] != rays.rays or weights.shape[2] != rays.count:
        raise ValueError("weights are (1 or 2, k, n)")
    if sums.shape[0] != w or sums.shape[1] != 3 or sums.shape[2] != rays.count:
        raise ValueError("sums are (weights, 3, n)")
    if shares.shape[0] != rays.rays or shares.shape[1] != at.shape[0]:
        raise ValueError("shares are (k, m)")
    _checked(at, rays.count)


def lose(
    rays: Rays,
    at: cython.const_int[::1],
    shares: cython.const_float[:, ::1],
    radiance: cython.const_float[:, ::1],
    weights: cython.float[:, :, ::1],
    sums: cython.float[:, :, ::1],
    dim: cython.const_float[:, ::1],
) -> None:
    """Subtract the hidden `shares` (k, m) from `weights` (w, k, n), and add the occluder's light to `sums`.

    The occluder sends the `radiance` (m, 3), multiplied by `dim` (k, m) unless that has no rows. `sums` are
    (w, 3, n), where w is 1 or 2. Raises ValueError for arrays that do not fit.
    """
    m: cython.Py_ssize_t = at.shape[0]
    _fit(rays, at, shares, weights, sums)
    if radiance.shape[0] != m or radiance.shape[1] != 3:
        raise ValueError("each point has a radiance")
    dimmed: cython.bint = dim.shape[0] > 0
    if dimmed and (dim.shape[0] != rays.rays or dim.shape[1] != m):
        raise ValueError("`dim` is (k, m)")
    of = cython.declare(cython.p_const_float[3])
    if m and rays.rays:
        of[0] = cython.address(shares[0, 0])
        of[1] = cython.address(radiance[0, 0])
        of[2] = cython.address(dim[0, 0]) if dimmed else cython.NULL
        _lose(rays, cython.address(at[0]), m, of, weights, sums)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _lose(
    rays: Rays,
    at: cython.p_const_int,
    m: cython.Py_ssize_t,
    of: cython.pp_const_float,
    weights: cython.float[:, :, ::1],
    sums: cython.float[:, :, ::1],
) -> cython.void:
    """As `lose`, for m points; `of` has their shares, their radiance, and `dim`, which may be NULL."""
    shares: cython.p_const_float = of[0]
    radiance: cython.p_const_float = of[1]
    dim: cython.p_const_float = of[2]
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    ray: cython.Py_ssize_t
    w: cython.Py_ssize_t
    c: cython.int
    for w in range(weights.shape[0]):
        for ray in range(rays.rays):
            for j in range(m):
                share: cython.float = shares[ray * m + j]
                if not share > 0:
                    continue
                i = at[j]
                lost: cython.float = weights[w, ray, i] * share
                weights[w, ray, i] -= lost
                if dim != cython.NULL:
                    lost *= dim[ray * m + j]
                for c in range(3):
                    sums[w, c, i] += radiance[3 * j + c] * lost


def hide(
    occluders: tuple[tuple[Rectangle, Field, bool], ...],
    rays: Rays,
    normals: cython.const_float[:, ::1],
    cone: tuple[float, float, float],
    weights: cython.float[:, :, ::1],
    sums: cython.float[:, :, ::1],
) -> None:
    """Let `occluders`, rectangles that send the light of fields, nearest first, hide shares of all cones.

    `Rectangle.before` says which points with unit `normals` (n, 3) see a rectangle; `cone` has its arguments
    `near`, `sine` and `cosine`. The hidden shares are subtracted from `weights` (w, k, n), and the light that
    rectangles send is added to `sums` (w, 3, n). If a rectangle is marked, each ray looks up its own place in
    the field; otherwise, a point sees the field in its mean direction. Raises ValueError for arrays that do
    not fit.
    """
    n: cython.Py_ssize_t = rays.count
    _upright(rays, normals)
    at_ = np.empty(n, np.int32)
    work_ = np.empty((rays.rays + 9, n), np.float32)
    _fit(rays, at_[:0], np.empty((rays.rays, 0), np.float32), weights, sums)
    if not n or not rays.rays:
        return
    room: cython.int[::1] = at_
    work: cython.float[:, ::1] = work_
    at: cython.p_int = cython.address(room[0])
    shares: cython.p_float = cython.address(work[0, 0])
    middle: cython.p_float = shares + rays.rays * n
    radiance: cython.p_float = middle + 6 * n
    of = cython.declare(cython.p_const_float[3])
    of[0] = shares
    of[1] = radiance
    of[2] = cython.NULL
    near: cython.float = cone[0]
    radius = cython.declare(cython.float[2])
    radius[0] = cone[1]
    radius[1] = cone[2]
    m: cython.Py_ssize_t
    j: cython.Py_ssize_t
    for rectangle, texels, marked in occluders:
        one: Rectangle = rectangle
        field: Field = texels
        sharp: cython.bint = marked
        with cython.nogil:
            m = one.seers(rays, normals, near, radius, at)
            if not m or not one.hides(rays, at, m, shares, middle):
                continue
            if sharp:
                one.emits(field, rays, at, m, shares, weights, sums)
                continue
            for j in range(m):
                one.met(
                    field,
                    cython.address(one.of[0]),
                    cython.address(rays.points[at[j], 0]),
                    middle[3 * j],
                    middle[3 * j + 1],
                    middle[3 * j + 2],
                    radiance + 3 * j,
                )
            _lose(rays, at, m, of, weights, sums)


def tile(sent: cython.const_float[:, :, ::1], wide: cython.Py_ssize_t) -> F32:
    """The tiles (8 h, 8 w, 4) of a `Field`, from its radiance (3, 64, h · w): by channel, direction and
    place.

    There are `wide` columns of places. Raises ValueError for other shapes.
    """
    if sent.shape[0] != 3 or sent.shape[1] != SIDE * SIDE or wide < 1 or sent.shape[2] % wide:
        raise ValueError("radiance has three channels, 64 directions, and rows of places")
    high: cython.Py_ssize_t = sent.shape[2] // wide
    tiles_ = np.zeros((SIDE * high, SIDE * wide, 4), np.float32)
    tiles: cython.float[:, :, ::1] = tiles_
    across: cython.Py_ssize_t
    down: cython.Py_ssize_t
    y: cython.Py_ssize_t
    x: cython.Py_ssize_t
    c: cython.int
    with cython.nogil:
        for down in range(SIDE):
            for y in range(high):
                for across in range(SIDE):
                    for x in range(wide):
                        for c in range(3):
                            tiles[down * high + y, across * wide + x, c] = sent[
                                c, down * SIDE + across, y * wide + x
                            ]
    return tiles_


def throw(
    hits: tuple[I32, I32, F32],
    radiance: cython.const_float[:, ::1],
    weights: cython.float[:, :, ::1],
    sums: cython.float[:, :, ::1],
) -> None:
    """Subtract the hidden shares of single rays from `weights` (w, k, n), and add the light that these rays
    meet to `sums`.

    `hits` has, for h hidden cones, the indices of their rays (h,) and points (h,), and their hidden shares
    (h,); each ray meets a `radiance` (h, 3). `sums` are (w, 3, n). Raises ValueError for arrays that do not
    fit.
    """
    ray: cython.const_int[::1] = hits[0]
    at: cython.const_int[::1] = hits[1]
    share: cython.const_float[::1] = hits[2]
    count: cython.Py_ssize_t = ray.shape[0]
    if at.shape[0] != count or share.shape[0] != count:
        raise ValueError("each hit has a ray, a point and a share")
    if radiance.shape[0] != count or radiance.shape[1] != 3:
        raise ValueError("each hit has a radiance")
    if sums.shape[0] != weights.shape[0] or sums.shape[1] != 3 or sums.shape[2] != weights.shape[2]:
        raise ValueError("sums are (weights, 3, n)")
    _checked(ray, weights.shape[1])
    _checked(at, weights.shape[2])
    j: cython.Py_ssize_t
    w: cython.Py_ssize_t
    c: cython.int
    with cython.nogil:
        for w in range(weights.shape[0]):
            for j in range(count):
                lost: cython.float = weights[w, ray[j], at[j]] * share[j]
                weights[w, ray[j], at[j]] -= lost
                for c in range(3):
                    sums[w, c, at[j]] += radiance[j, c] * lost


def interpolate(
    places: cython.const_float[:, ::1],
    some: cython.const_float[:, ::1],
    values: cython.const_float[:, ::1],
    soft: cython.double,
) -> F32:
    """Values (n, c) at `places` (n, d), from the `values` (m, c) at `some` places (m, d); c is 8 at most.

    Weights are Gaussians of the distance, with the standard deviation `soft`. Raises ValueError for arrays
    that do not fit.
    """
    n: cython.Py_ssize_t = places.shape[0]
    m: cython.Py_ssize_t = some.shape[0]
    d: cython.Py_ssize_t = places.shape[1]
    channels: cython.Py_ssize_t = values.shape[1]
    if some.shape[1] != d or values.shape[0] != m or not m or not 1 <= channels <= 8:
        raise ValueError("places have as many coordinates, and some have values of 1 to 8 channels")
    if not soft > 0:
        raise ValueError(f"a sigma of {soft}")
    made_ = np.empty((n, channels), np.float32)
    # One row for each coordinate, so that the compiler computes several distances at once, and one row for
    # the distances.
    columns_ = np.empty((d + 1, m), np.float32)
    columns_[:d] = np.asarray(some).T
    made: cython.float[:, ::1] = made_
    columns: cython.float[:, ::1] = columns_
    apart: cython.p_float = cython.address(columns[d, 0])
    scale: cython.float = 1 / (2 * soft * soft)
    # Farther places have less than a millionth of the weight of the nearest.
    most: cython.float = 14 / scale
    sums = cython.declare(cython.float[8])
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    c: cython.Py_ssize_t
    with cython.nogil:
        for i in range(n):
            for j in range(m):
                apart[j] = 0
            for c in range(d):
                column: cython.p_const_float = cython.address(columns[c, 0])
                place: cython.float = places[i, c]
                for j in range(m):
                    apart[j] += (column[j] - place) * (column[j] - place)
            nearest: cython.float = apart[0]
            for j in range(1, m):
                nearest = _least(nearest, apart[j])
            total: cython.float = 0
            for c in range(channels):
                sums[c] = 0
            for j in range(m):
                if apart[j] - nearest < most:
                    weight: cython.float = expf((nearest - apart[j]) * scale)
                    total += weight
                    for c in range(channels):
                        sums[c] += weight * values[j, c]
            for c in range(channels):
                made[i, c] = sums[c] / total
    return made_
