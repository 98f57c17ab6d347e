"""Bent plates: the mapping of points and directions of the flat plate. All arrays are float64."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ...arrays import F64
from ...devices.device import Bend, Pair, Slab
from ..memoize import MIB, memoize

PIECES = 3  # straight plates by which a bent one is approximated
ROOT = 6.5  # mm; length of an extra plate where a strap comes out of its case, close to which it lies there
END = 0.01  # mm by which an arc may end before its plate does; a guard
STEP = 2.5  # degrees of an arc between rows of vertices


def levels(bend: Bend) -> F64:
    """The heights (m,) mm of the rows of vertices along the arc, its ends and its middle included."""
    count = 2 * max(int(np.ceil(abs(bend.angle) / STEP / 2)), 1)
    return np.unique(np.linspace(-1, 1, count + 1) * bend.reach)


def turn(bend: Bend) -> F64:
    """The matrix (3, 3) for row vectors from a plate's axes to those in which it is bent about x."""
    if bend.axis == "x":
        return np.eye(3)
    return np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])


def half(bend: Bend, side: int) -> tuple[F64, F64]:
    """The rigid motion of a straight half of a plate: turn (3, 3), for column vectors, and shift (3,), mm."""
    about = turn(bend)
    far = np.array([0.0, side * 1e3, 0.0])
    places = np.concatenate([far[None], far + np.eye(3)])
    moved = bent(bend.model_copy(update={"taper": 0.0, "mouth": ()}), 1.0, places, places, places)[0]
    turned = (moved[1:] - moved[0]).T
    return about @ turned @ about.T, about @ (moved[0] - turned @ far)


def straightened(slab: Slab) -> tuple[Slab, ...]:
    """The straight plates that approximate a slab: its pieces if it is bent, otherwise itself."""
    return (slab,) if slab.bend is None else pieces(slab)


@memoize(MIB)
def pieces(slab: Slab) -> tuple[Slab, ...]:
    """Approximate a bent plate by straight ones, from its lower end, or its base in another slab, upwards."""
    bend = slab.bend
    assert bend is not None
    base = -slab.size[1] / 2 if slab.base is None else slab.base
    # At the lower end, the plate's sides reach farther down than its middle, and are hidden inside the other
    # slab.
    fall = max((down for _, down in bend.mouth), default=0.0)
    top, start = slab.size[1] / 2, base - fall
    heights = np.linspace(start, top, PIECES + 1)
    if slab.base is not None:
        root = base + min(ROOT, (top - base) / (PIECES + 1))
        heights = np.r_[start, np.linspace(root, top, PIECES + 1)]
    flat = np.column_stack([0 * heights, heights, _raised(bend, heights)])
    x, y = np.array(slab.x), np.array(slab.y)
    axes = np.column_stack([x, y, np.cross(x, y)])
    even = bend.model_copy(update={"mouth": ()})
    places = slab.center + bent(even, slab.size[1], flat, flat, flat)[0] @ axes.T
    plates = []
    for (start, end), height in zip(pairwise(places), (heights[1:] + heights[:-1]) / 2, strict=True):
        width = slab.size[0] * (1 - 2 * bend.taper * height / slab.size[1])
        length = float(np.linalg.norm(end - start))
        changed = {
            "size": (width, length, slab.size[2]),
            "center": tuple((start + end) / 2),
            "y": tuple(end - start),
            "bend": None,
        }
        plates.append(slab.model_copy(update=changed))
    return tuple(plates)


def _raised(bend: Bend, heights: F64) -> F64:
    """The distances (n,) mm above the middle of a flat plate at which straight pieces meet, at `heights` (n,)
    mm.

    A chord lies inside its arc. Where pieces meet on the arc, they are moved outward by chord² / (12 ·
    radius), so that, to the second order, their mean distance from the arc's axis is the radius. Of the two
    chords that meet, the shorter counts, because a strap's first chord lies close to its case.
    """
    squares = np.diff(heights) ** 2
    shorter = np.minimum(np.r_[squares[0], squares], np.r_[squares, squares[-1]])
    on_arc = np.abs(heights) < bend.reach + END
    return np.where(on_arc, np.copysign(shorter / (12 * bend.radius), bend.angle), 0)


def bent(bend: Bend, height: float, points: F64, normals: F64, along: F64) -> tuple[F64, F64, F64]:
    """Bend points of a flat plate `height` mm high, their unit normals and tangents `along`, each (n, 3).

    The plate is bent about x; to bend it about another axis, turn it first (see `turn`). With the arc's
    radius R, half its length l, s the sign of its angle and p = clamp(y, -l, l) / R, a point goes to Y = (R +
    s z) sin p + (y - R p) cos p and Z = s ((R + s z) cos p - R - (y - R p) sin p).
    """
    if bend.mouth:
        points = _fitted(bend.mouth, height, points)
    if bend.taper:
        points, normals = _tapered(bend.taper * 2 / height, points, normals)
    x, y, z = points.T
    radius, sign = bend.radius, np.sign(bend.angle)
    angle = np.clip(y, -bend.reach, bend.reach) / radius
    sine, cosine, rest = np.sin(angle), np.cos(angle), y - radius * angle
    away = radius + sign * z
    # At an angle of 0, s is 0 and the formula loses z.
    deep = sign * (away * cosine - radius - rest * sine) if sign else z
    moved = np.column_stack([x, away * sine + rest * cosine, deep])

    def turned(directions: F64) -> F64:
        across, up, out = directions.T
        return np.column_stack([across, up * cosine + sign * out * sine, out * cosine - sign * up * sine])

    return moved, turned(normals), turned(along)


def _tapered(slope: float, points: F64, normals: F64) -> tuple[F64, F64]:
    """Points (n, 3) with their x multiplied by 1 - slope · y, and the normals (n, 3), transformed by the
    inverse transpose."""
    x, y, z = points.T
    width = 1 - slope * y
    across, up, out = normals.T
    leaning = np.column_stack([across / width, up + across * x * slope / width, out])
    leaning /= np.linalg.norm(leaning, axis=1, keepdims=True)
    return np.column_stack([x * width, y, z]), leaning


def _fitted(mouth: tuple[Pair, ...], height: float, points: F64) -> F64:
    """Points (n, 3), moved down by the depth of the `mouth` at their x; the shift fades towards the upper
    end."""
    x, y, z = points.T
    fall = np.interp(np.abs(x), *np.array(mouth).T)
    return np.column_stack([x, y - fall * np.clip(0.5 - y / height, 0, 1), z])
