"""Light in a GGX lobe: the directions and weights of its parts, and an environment map's light in them."""

import cython
import numpy as np
from cython.cimports.libc.math import fabsf, sqrtf
from cython.cimports.libc.stdlib import free, malloc

from ...arrays import F32

PAD = cython.declare(cython.int, 2)  # texels around a map, as in `environment.PAD`
# Points computed at a time, and the size of their arrays; by cost.
BLOCK = cython.declare(cython.Py_ssize_t, 64)


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
def _dielectric(cosine: cython.float, square: cython.float) -> cython.float:
    """Fresnel's share of light that glass mirrors; `square` is its index of refraction squared, minus 1."""
    c: cython.float = _most(cosine, 0.0)
    g: cython.float = sqrtf(c * c + square)
    across: cython.float = (g - c) / (g + c)
    along: cython.float = (c * (g + c) - 1) / (c * (g - c) + 1)
    half: cython.float = 0.5
    return half * across * across * (1 + along * along)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _axes(
    normals: cython.const_float[:, ::1],
    along: cython.const_float[:, ::1],
    toward: cython.const_float[:, ::1],
    n: cython.Py_ssize_t,
    of: cython.p_float,
) -> cython.void:
    """Write five vectors for each of n points to `of` (15, n), with a row for each coordinate.

    These are the direction across the grain, the direction along it, the normal, the view direction, and the
    view direction in coordinates along the first three.
    """
    i: cython.Py_ssize_t
    c: cython.int
    for i in range(n):
        of[i] = normals[i, 1] * along[i, 2] - normals[i, 2] * along[i, 1]
        of[n + i] = normals[i, 2] * along[i, 0] - normals[i, 0] * along[i, 2]
        of[2 * n + i] = normals[i, 0] * along[i, 1] - normals[i, 1] * along[i, 0]
        for c in range(3):
            of[(3 + c) * n + i] = along[i, c]
            of[(6 + c) * n + i] = normals[i, c]
            of[(9 + c) * n + i] = toward[i, c]
        for c in range(3):
            of[(12 + c) * n + i] = (
                of[3 * c * n + i] * toward[i, 0]
                + of[(3 * c + 1) * n + i] * toward[i, 1]
                + of[(3 * c + 2) * n + i] * toward[i, 2]
            )


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _part(
    part: cython.p_const_float,
    n: cython.Py_ssize_t,
    of: cython.p_float,
    ways: cython.p_float,
    step: cython.Py_ssize_t,
    weight: cython.p_float,
    grazing: cython.p_float,
) -> cython.void:
    """Write the directions and weights of one part of the lobes of n points (see `weigh`).

    Coordinates in `ways` are `step` apart. `part` (7,) is the part's half vector and share, the squares of
    alpha across and along the grain, and the index of refraction squared, minus 1.
    """
    x: cython.float = part[0]
    y: cython.float = part[1]
    z: cython.float = part[2]
    share: cython.float = part[3]
    across: cython.float = part[4]
    along: cython.float = part[5]
    square: cython.float = part[6]
    steep: cython.p_float = of + 15 * n
    floor: cython.float = 1e-3
    small: cython.float = 1e-6
    mets = cython.declare(cython.float[64])
    owns = cython.declare(cython.float[64])
    start: cython.Py_ssize_t = 0
    end: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    # In blocks and without branches, so that the compiler computes several points at once.
    while end < n:
        start = end
        end = start + BLOCK if start + BLOCK < n else n
        for i in range(start, end):
            vx: cython.float = of[12 * n + i]
            vy: cython.float = of[13 * n + i]
            vz: cython.float = of[14 * n + i]
            met: cython.float = x * vx + y * vy + z * vz
            twice: cython.float = 2 * met
            ways[i] = twice * (x * of[i] + y * of[3 * n + i] + z * of[6 * n + i]) - of[9 * n + i]
            ways[step + i] = twice * (x * of[n + i] + y * of[4 * n + i] + z * of[7 * n + i]) - of[10 * n + i]
            ways[2 * step + i] = (
                twice * (x * of[2 * n + i] + y * of[5 * n + i] + z * of[8 * n + i]) - of[11 * n + i]
            )
            lx: cython.float = twice * x - vx
            ly: cython.float = twice * y - vy
            nl: cython.float = twice * z - vz
            root: cython.float = sqrtf(nl * nl + across * lx * lx + along * ly * ly)
            high: cython.float = _most(nl * steep[i] + _most(vz, floor) * root, small)
            mets[i - start] = met
            owns[i - start] = 2 * _most(nl, 0.0) * _most(met, 0.0) / (high * z) * share
        if grazing == cython.NULL:
            for i in range(start, end):
                weight[i] = owns[i - start] * _dielectric(mets[i - start], square)
            continue
        for i in range(start, end):
            # Schlick's Fresnel: towards grazing angles, a metal's colour turns white.
            away: cython.float = _most(1 - mets[i - start], 0.0)
            fifth: cython.float = away * away
            weight[i] = owns[i - start]
            grazing[i] = owns[i - start] * (fifth * fifth * away)


def weigh(
    lobe: tuple[F32, F32, float, float],
    specular: cython.double,
    vectors: tuple[F32, F32, F32],
    leaving: cython.float[:, :, ::1],
    weights: cython.float[:, :, ::1],
) -> None:
    """Write the directions and weights of a lobe's k parts at n points.

    `lobe` is half vectors (k, 3), shares (k,), and alpha across and along the grain, as in `brdf.Parts`.
    `vectors` are unit normals, the grain, and directions towards the viewer, each (n, 3). Directions are
    written to `leaving` (3, k, n).

    For metal, `weights` (2, k, n) gets the weights of all light, then those of the light that Fresnel's law
    adds at grazing angles. For a dielectric, which head-on mirrors the share `specular`, below 1, it is (1,
    k, n). Raises ValueError for arrays that do not fit.
    """
    half: cython.const_float[:, ::1] = lobe[0]
    share: cython.const_float[::1] = lobe[1]
    across: cython.double = lobe[2]
    grain: cython.double = lobe[3]
    normals: cython.const_float[:, ::1] = vectors[0]
    along: cython.const_float[:, ::1] = vectors[1]
    toward: cython.const_float[:, ::1] = vectors[2]
    k: cython.Py_ssize_t = half.shape[0]
    n: cython.Py_ssize_t = normals.shape[0]
    if half.shape[1] != 3 or normals.shape[1] != 3 or along.shape[1] != 3 or toward.shape[1] != 3:
        raise ValueError("vectors have 3 coordinates")
    if share.shape[0] != k or along.shape[0] != n or toward.shape[0] != n:
        raise ValueError("parts or points differ in number")
    if leaving.shape[0] != 3 or leaving.shape[1] != k or leaving.shape[2] != n:
        raise ValueError("directions are (3, parts, points)")
    metal: cython.bint = weights.shape[0] == 2
    if not 1 <= weights.shape[0] <= 2 or weights.shape[1] != k or weights.shape[2] != n:
        raise ValueError("weights are (1 or 2, parts, points)")
    if not 0 <= specular < 1:
        raise ValueError(f"{specular} of light mirrored head-on, which is 0 to 1")
    if not k or not n:
        return
    wide: cython.float = across * across
    other: cython.float = grain * grain
    index: cython.double = specular**0.5
    index = (1 + index) / (1 - index)
    square: cython.float = index * index - 1
    of: cython.p_float = cython.cast(cython.p_float, malloc(16 * n * cython.sizeof(cython.float)))
    if of == cython.NULL:
        raise MemoryError
    steep: cython.p_float = of + 15 * n
    floor: cython.float = 1e-3
    i: cython.Py_ssize_t
    part = cython.declare(cython.float[7])
    part[4] = wide
    part[5] = other
    part[6] = square
    with cython.nogil:
        _axes(normals, along, toward, n, of)
        for i in range(n):
            vx: cython.float = of[12 * n + i]
            vy: cython.float = of[13 * n + i]
            vz: cython.float = _most(of[14 * n + i], floor)
            steep[i] = sqrtf(vz * vz + wide * vx * vx + other * vy * vy)
        for i in range(k):
            part[0] = half[i, 0]
            part[1] = half[i, 1]
            part[2] = half[i, 2]
            part[3] = share[i]
            _part(
                part,
                n,
                of,
                cython.address(leaving[0, i, 0]),
                k * n,
                cython.address(weights[0, i, 0]),
                cython.address(weights[1, i, 0]) if metal else cython.NULL,
            )
    free(of)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _places(
    width: cython.int,
    count: cython.Py_ssize_t,
    ways: cython.p_const_float,
    step: cython.Py_ssize_t,
    texels: cython.p_int,
    parts: cython.p_float,
) -> cython.void:
    """Find the places of directions (count,), at most BLOCK, in an octahedral map `width` texels wide.

    Coordinates in `ways` are `step` apart. `texels` (count,) gets the upper left of the four texels around
    each direction, `parts` (2, BLOCK) the fractions of a texel from there to the right and down.
    """
    half: cython.float = 0.5
    tiny: cython.float = 1e-20
    side: cython.int = width - 2 * PAD
    most: cython.float = width - 1
    middle: cython.float = half * side - half + PAD
    j: cython.Py_ssize_t
    for j in range(count):
        x: cython.float = ways[j]
        y: cython.float = ways[step + j]
        z: cython.float = ways[2 * step + j]
        scale: cython.float = half * side / _most(fabsf(x) + fabsf(y) + fabsf(z), tiny)
        behind: cython.float = -z if z < 0 else 0
        u: cython.float = (fabsf(x) + behind) * scale
        v: cython.float = (fabsf(y) + behind) * scale
        u = middle - u if x < 0 else middle + u
        v = middle - v if y < 0 else middle + v
        # This order of comparisons turns NaN into 0.
        u = _least(_most(u, 0.0), most)
        v = _least(_most(v, 0.0), most)
        left: cython.int = cython.cast(cython.int, u)
        top: cython.int = cython.cast(cython.int, v)
        left = left if left < width - 1 else width - 2
        top = top if top < width - 1 else width - 2
        texels[j] = top * width + left
        parts[j] = u - left
        parts[BLOCK + j] = v - top


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _seen(
    upper: cython.p_const_float, width: cython.int, u: cython.float, v: cython.float, out: cython.p_float
) -> cython.void:
    """Write the bilinear sample (3,) at the fractions u and v of a texel right of and below the texel
    `upper`."""
    lower: cython.p_const_float = upper + 3 * width
    c: cython.int
    for c in range(3):
        above: cython.float = upper[c] + (upper[3 + c] - upper[c]) * u
        below: cython.float = lower[c] + (lower[3 + c] - lower[c]) * u
        out[c] = above + (below - above) * v


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _grey(upper: cython.p_const_uchar, width: cython.int, u: cython.float, v: cython.float) -> cython.float:
    """As `_seen`, for a grey map: 0-255."""
    lower: cython.p_const_uchar = upper + width
    above: cython.float = upper[0]
    above += (upper[1] - above) * u
    below: cython.float = lower[0]
    below += (lower[1] - below) * u
    return above + (below - above) * v


def bounce(
    leaving: cython.const_float[:, :, ::1],
    cone: cython.const_float[::1],
    ground: tuple[F32, F32, F32],
    weights: cython.float[:, :, ::1],
    middle: cython.float[:, ::1],
    filled: cython.float[:, ::1],
) -> None:
    """Subtract from lobes' `weights` (w, k, n) the shares that the ground below n points fills, in place.

    `ground` has three arrays: the ground's unit normals (1 or n, 3); directions along the ground, away from
    the points (n, 3); and the slopes (n,) at which the points look down on the ground's edge. The last two
    are empty if the ground has no edge. The lobes' parts, in directions `leaving` (3, k, n), are cones of
    `cone` (k,) radians.

    `filled` (w, n) gets the sums of the subtracted weights. `middle` (n, 4) gets, for the first row of
    weights, their sum times direction (3) and their sum (1). Raises ValueError for arrays that do not fit.
    """
    normals: cython.const_float[:, ::1] = ground[0]
    out: cython.const_float[:, ::1] = ground[1]
    slope: cython.const_float[::1] = ground[2]
    w: cython.Py_ssize_t = weights.shape[0]
    k: cython.Py_ssize_t = weights.shape[1]
    n: cython.Py_ssize_t = weights.shape[2]
    if leaving.shape[0] != 3 or leaving.shape[1] != k or leaving.shape[2] != n or cone.shape[0] != k:
        raise ValueError("directions are (3, parts, points), and parts have cones")
    if normals.shape[1] != 3 or normals.shape[0] not in (1, n):
        raise ValueError("a ground has one normal, or one for each point")
    edged: cython.bint = slope.shape[0] > 0
    if edged and (slope.shape[0] != n or out.shape[0] != n or out.shape[1] != 3):
        raise ValueError("each point has a slope and a direction")
    if middle.shape[0] != n or middle.shape[1] != 4 or filled.shape[0] != w or filled.shape[1] != n:
        raise ValueError("sums are (points, 4) and (weights, points)")
    step: cython.Py_ssize_t = 1 if normals.shape[0] == n else 0
    half: cython.float = 0.5
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    ray: cython.Py_ssize_t
    c: cython.int
    with cython.nogil:
        for i in range(n):
            for c in range(4):
                middle[i, c] = 0
            for j in range(w):
                filled[j, i] = 0
        for ray in range(k):
            scale: cython.float = half / cone[ray]
            for i in range(n):
                x: cython.float = leaving[0, ray, i]
                y: cython.float = leaving[1, ray, i]
                z: cython.float = leaving[2, ray, i]
                j = i * step
                up: cython.float = x * normals[j, 0] + y * normals[j, 1] + z * normals[j, 2]
                if edged:
                    up += slope[i] * _most(x * out[i, 0] + y * out[i, 1] + z * out[i, 2], 0)
                share: cython.float = half - up * scale
                if not share > 0:
                    continue
                share = _least(share, 1)
                own: cython.float = share * weights[0, ray, i]
                middle[i, 0] += x * own
                middle[i, 1] += y * own
                middle[i, 2] += z * own
                middle[i, 3] += own
                for j in range(w):
                    own = share * weights[j, ray, i]
                    filled[j, i] += own
                    weights[j, ray, i] -= own


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _block(
    x: cython.const_float[:],
    y: cython.const_float[:],
    z: cython.const_float[:],
    start: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
    ways: cython.p_float,
) -> cython.void:
    """Write `count` directions, from index `start` on, to `ways` (3, BLOCK)."""
    j: cython.Py_ssize_t
    for j in range(count):
        ways[j] = x[start + j]
        ways[BLOCK + j] = y[start + j]
        ways[2 * BLOCK + j] = z[start + j]


def look(
    square: cython.const_float[:, :, ::1],
    x: cython.const_float[:],
    y: cython.const_float[:],
    z: cython.const_float[:],
    light: cython.float[:, ::1],
) -> None:
    """Write bilinear samples of a padded octahedral map (s, s, 3) in directions (n,) to `light` (n, 3).

    Directions can have any length but zero. Raises ValueError for arrays that do not fit.
    """
    n: cython.Py_ssize_t = light.shape[0]
    if square.shape[0] != square.shape[1] or square.shape[2] != 3 or not 2 * PAD < square.shape[0] < 1 << 14:
        raise ValueError("a map is square, padded, and of 3 channels")
    if x.shape[0] != n or y.shape[0] != n or z.shape[0] != n or light.shape[1] != 3:
        raise ValueError("directions have 3 coordinates, and light 3 channels")
    if not n:
        return
    texels: cython.p_const_float = cython.address(square[0, 0, 0])
    width: cython.int = square.shape[0]
    ways = cython.declare(cython.float[3 * 64])
    at = cython.declare(cython.int[64])
    parts = cython.declare(cython.float[2 * 64])
    start: cython.Py_ssize_t = 0
    count: cython.Py_ssize_t
    j: cython.Py_ssize_t
    with cython.nogil:
        while start < n:
            count = BLOCK if start + BLOCK < n else n - start
            _block(x, y, z, start, count, ways)
            _places(width, count, ways, BLOCK, at, parts)
            for j in range(count):
                out: cython.p_float = cython.address(light[start + j, 0])
                _seen(
                    texels + 3 * cython.cast(cython.Py_ssize_t, at[j]), width, parts[j], parts[BLOCK + j], out
                )
            start += count


def look_grey(
    square: cython.const_uchar[:, ::1],
    x: cython.const_float[:],
    y: cython.const_float[:],
    z: cython.const_float[:],
    light: cython.float[::1],
) -> None:
    """As `look`, for a grey map (s, s): `light` (n,) is 0-255."""
    n: cython.Py_ssize_t = light.shape[0]
    if square.shape[0] != square.shape[1] or not 2 * PAD < square.shape[0] < 1 << 14:
        raise ValueError("a map of detail is square and padded")
    if x.shape[0] != n or y.shape[0] != n or z.shape[0] != n:
        raise ValueError("directions have 3 coordinates")
    if not n:
        return
    texels: cython.p_const_uchar = cython.address(square[0, 0])
    width: cython.int = square.shape[0]
    ways = cython.declare(cython.float[3 * 64])
    at = cython.declare(cython.int[64])
    parts = cython.declare(cython.float[2 * 64])
    start: cython.Py_ssize_t = 0
    count: cython.Py_ssize_t
    j: cython.Py_ssize_t
    with cython.nogil:
        while start < n:
            count = BLOCK if start + BLOCK < n else n - start
            _block(x, y, z, start, count, ways)
            _places(width, count, ways, BLOCK, at, parts)
            for j in range(count):
                light[start + j] = _grey(texels + at[j], width, parts[j], parts[BLOCK + j])
            start += count


def gather(
    sky: tuple[F32, float, float, float],
    leaving: cython.const_float[:, :, ::1],
    weights: cython.const_float[:, :, ::1],
    first: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    sums: cython.float[:, :, ::1],
) -> None:
    """Add the sky's light in parts `first` to `end` of lobes, times the parts' weights, to `sums`.

    `sky` has a padded octahedral map (s, s, 3), its strength, and an even light: its radiance at the horizon
    and its increase per unit upwards. The strength mixes both: 0 gives the even light, 1 the map, and more
    exaggerates the map. `leaving` (3, k, n) and `weights` (w, k, n) come from `weigh`; `sums` are (w, 3, n),
    where w is 1 or 2. Raises ValueError for arrays that do not fit.
    """
    square: cython.const_float[:, :, ::1] = sky[0]
    strength: cython.float = sky[1]
    even: cython.float = sky[2]
    slope: cython.float = sky[3]
    w: cython.Py_ssize_t = weights.shape[0]
    k: cython.Py_ssize_t = weights.shape[1]
    n: cython.Py_ssize_t = weights.shape[2]
    if square.shape[0] != square.shape[1] or square.shape[2] != 3 or not 2 * PAD < square.shape[0] < 1 << 14:
        raise ValueError("a map is square, padded, and of 3 channels")
    if not 1 <= w <= 2 or leaving.shape[0] != 3 or leaving.shape[1] != k or leaving.shape[2] != n:
        raise ValueError("directions are (3, parts, points), weights (1 or 2, parts, points)")
    if sums.shape[0] != w or sums.shape[1] != 3 or sums.shape[2] != n:
        raise ValueError("sums are (weights, 3, points)")
    if not 0 <= first <= end <= k:
        raise ValueError(f"parts {first} to {end} of {k}")
    if not n:
        return
    texels: cython.p_const_float = cython.address(square[0, 0, 0])
    width: cython.int = square.shape[0]
    at = cython.declare(cython.int[64])
    parts = cython.declare(cython.float[2 * 64])
    light = cython.declare(cython.float[3])
    ray: cython.Py_ssize_t
    start: cython.Py_ssize_t
    count: cython.Py_ssize_t
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    c: cython.int
    with cython.nogil:
        for ray in range(first, end):
            start = 0
            while start < n:
                count = BLOCK if start + BLOCK < n else n - start
                _places(width, count, cython.address(leaving[0, ray, start]), k * n, at, parts)
                for i in range(start, start + count):
                    if weights[0, ray, i] == 0:
                        continue
                    j = i - start
                    _seen(
                        texels + 3 * cython.cast(cython.Py_ssize_t, at[j]),
                        width,
                        parts[j],
                        parts[BLOCK + j],
                        light,
                    )
                    if strength != 1:
                        plain: cython.float = even + slope * leaving[1, ray, i]
                        for c in range(3):
                            light[c] = _most(plain + strength * (light[c] - plain), 0.0)
                    for j in range(w):
                        for c in range(3):
                            sums[j, c, i] += light[c] * weights[j, ray, i]
                start += count


def tabled(entries: cython.const_float[:, :], cosines: cython.const_float[::1]) -> F32:
    """Values (c, n) at `cosines` (n,), interpolated in a table.

    `entries` (m, c) belong to the centres of m equal steps of the cosine from 0 to 1; m is at least 2. Raises
    Raises ValueError for smaller tables.
    """
    m: cython.Py_ssize_t = entries.shape[0]
    n: cython.Py_ssize_t = cosines.shape[0]
    if m < 2:
        raise ValueError("a table has two entries at least")
    values_ = np.empty((entries.shape[1], n), np.float32)
    values: cython.float[:, ::1] = values_
    steps: cython.float = m
    # Slightly before the last entry, so that another entry follows. Single precision may round this up to the
    # last entry in tables of 65536 entries or more, so the index is clamped as well.
    most: cython.float = m - 1.001
    half: cython.float = 0.5
    i: cython.Py_ssize_t
    c: cython.Py_ssize_t
    with cython.nogil:
        for i in range(n):
            place: cython.float = _least(_most(cosines[i] * steps - half, 0.0), most)
            index: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, place)
            index = index if index < m - 2 else m - 2
            part: cython.float = place - index
            for c in range(entries.shape[1]):
                values[c, i] = entries[index, c] + part * (entries[index + 1, c] - entries[index, c])
    return values_


def mirror(normals: cython.const_float[:, :], toward: cython.const_float[:, :]) -> tuple[F32, F32]:
    """The cosines (n,) between unit `normals` (1 or n, 3) and unit directions `toward` a viewer (n, 3), and
    the directions (n, 3) that the viewer sees mirrored.

    Cosines are raised to 0.001. Raises ValueError for arrays that do not fit.
    """
    n: cython.Py_ssize_t = toward.shape[0]
    if normals.shape[1] != 3 or toward.shape[1] != 3 or normals.shape[0] not in (1, n):
        raise ValueError("directions have 3 coordinates, and there is one normal, or one for each")
    cosines_ = np.empty(n, np.float32)
    mirrored_ = np.empty((n, 3), np.float32)
    cosines: cython.float[::1] = cosines_
    mirrored: cython.float[:, ::1] = mirrored_
    step: cython.Py_ssize_t = 1 if normals.shape[0] == n else 0
    flat: cython.float = 1e-3
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    c: cython.int
    with cython.nogil:
        for i in range(n):
            j = i * step
            cosine: cython.float = (
                normals[j, 0] * toward[i, 0] + normals[j, 1] * toward[i, 1] + normals[j, 2] * toward[i, 2]
            )
            cosine = _most(cosine, flat)
            cosines[i] = cosine
            for c in range(3):
                mirrored[i, c] = 2 * cosine * normals[j, c] - toward[i, c]
    return cosines_, mirrored_


def glass(
    toward: cython.const_float[:, ::1],
    normal: cython.const_float[::1],
    square: cython.const_float[:, :, ::1],
    detail: cython.const_uchar[:, ::1],
    specular: cython.double,
    reflected: cython.float[:, ::1],
    mirrored: cython.float[:, ::1],
) -> None:
    """Write the light that smooth flat glass mirrors `toward` a viewer (n, 3), and its directions.

    `reflected` (n, 4) gets the radiance (3) and the mirrored share of light (1), which is `specular` head-on;
    `mirrored` (n, 3) gets the directions. `square` (s, s, 3) and `detail` (t, t) are padded octahedral maps:
    the radiance is that of `square` times (`detail` / 128)². `normal` (3,) and all directions have a length
    of 1. Raises ValueError for arrays that do not fit.
    """
    n: cython.Py_ssize_t = toward.shape[0]
    if square.shape[0] != square.shape[1] or square.shape[2] != 3 or not 2 * PAD < square.shape[0] < 1 << 14:
        raise ValueError("a map is square, padded, and of 3 channels")
    if detail.shape[0] != detail.shape[1] or not 2 * PAD < detail.shape[0] < 1 << 14:
        raise ValueError("a map of detail is square and padded")
    if toward.shape[1] != 3 or normal.shape[0] != 3 or mirrored.shape[0] != n or mirrored.shape[1] != 3:
        raise ValueError("directions have 3 coordinates")
    if reflected.shape[0] != n or reflected.shape[1] != 4:
        raise ValueError("reflected light is (n, 4)")
    if not 0 <= specular < 1:
        raise ValueError(f"{specular} of light mirrored head-on, which is 0 to 1")
    if not n:
        return
    index: cython.double = specular**0.5
    index = (1 + index) / (1 - index)
    step: cython.float = index * index - 1
    texels: cython.p_const_float = cython.address(square[0, 0, 0])
    fine: cython.p_const_uchar = cython.address(detail[0, 0])
    width: cython.int = square.shape[0]
    other: cython.int = detail.shape[0]
    ways = cython.declare(cython.float[3 * 64])
    cosines = cython.declare(cython.float[64])
    shares = cython.declare(cython.float[64])
    at = cython.declare(cython.int[64])
    parts = cython.declare(cython.float[2 * 64])
    fine_at = cython.declare(cython.int[64])
    fine_parts = cython.declare(cython.float[2 * 64])
    flat: cython.float = 1e-3
    start: cython.Py_ssize_t = 0
    count: cython.Py_ssize_t
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    c: cython.int
    with cython.nogil:
        while start < n:
            count = BLOCK if start + BLOCK < n else n - start
            for j in range(count):
                i = start + j
                cosine: cython.float = (
                    toward[i, 0] * normal[0] + toward[i, 1] * normal[1] + toward[i, 2] * normal[2]
                )
                cosines[j] = _most(cosine, flat)
                for c in range(3):
                    mirrored[i, c] = 2 * cosines[j] * normal[c] - toward[i, c]
                    ways[BLOCK * c + j] = mirrored[i, c]
            _places(width, count, ways, BLOCK, at, parts)
            _places(other, count, ways, BLOCK, fine_at, fine_parts)
            for j in range(count):
                shares[j] = _dielectric(cosines[j], step)
            for j in range(count):
                i = start + j
                out: cython.p_float = cython.address(reflected[i, 0])
                _seen(
                    texels + 3 * cython.cast(cython.Py_ssize_t, at[j]), width, parts[j], parts[BLOCK + j], out
                )
                factor: cython.float = (
                    _grey(fine + fine_at[j], other, fine_parts[j], fine_parts[BLOCK + j]) / 128
                )
                for c in range(3):
                    out[c] *= factor * factor * shares[j]
                out[3] = shares[j]
            start += count
