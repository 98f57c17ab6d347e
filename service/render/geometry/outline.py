"""A rounded rectangle with superellipse corners, as points and outward normals, float64."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...arrays import F64
from ...devices.device import Corner, Pair
from ..memoize import MIB, memoize

CORNER_STEPS, CORNER_STEPS_SMALL = 36, 18  # segments of a corner, and of a corner of up to SMALL mm
SMALL = 4.0
LEAN = 50.0  # degrees; the slope of a groove's sides
GROOVE = 16  # segments of a groove; with only four, the light interpolated between them would be too even
# The longest segment of a straight side, mm, since light varies along it; and the largest number of segments.
RUN, RUNS = 9.0, 70


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """`points` (n, 2) in mm, counter-clockwise from the right side's lower end; unit `normals` (n, 2)."""

    points: F64
    normals: F64

    def inset(self, distance: float) -> F64:
        """The points (n, 2) moved inward along their normals by `distance` mm; corners fold inside out."""
        return self.points - distance * self.normals


@memoize(MIB)
def outline(
    width: float, height: float, corner: Corner, fineness: float = 1, lower: Corner | None = None
) -> Outline:
    """The outline of a plate of `width` x `height` mm, its corners with `fineness` times as many segments.

    A `fineness` below 1 also reduces the segments of its sides. Its two `lower` corners may differ.

    Read-only.

    A corner is |x/a|^n + |y/b|^n = 1 with extents a and b and exponent n, in a rectangle smaller by `offset`
    on every side, then grown by `offset` along its normals (a concentric curve).
    """
    upper, below = (_quarter(width, height, one, fineness) for one in (corner, lower or corner))
    points, normals = [], []
    for sx, sy, flip in ((1, 1, False), (-1, 1, True), (-1, -1, False), (1, -1, True)):
        p, q = (part * [sx, sy] for part in (upper if sy > 0 else below))
        points.append(p[::-1] if flip else p)
        normals.append(q[::-1] if flip else q)
    longest = max(RUN, max(width, height) / RUNS) / min(fineness, 1)
    runs = [_run(points[i][-1], points[(i + 1) % 4][0], longest) for i in range(4)]
    ring, ring_normals = [], []
    for i in range(4):
        ring += [points[i], runs[i]]
        ring_normals += [normals[i], np.repeat(normals[i][-1:], len(runs[i]), axis=0)]
    shape = Outline(np.concatenate(ring), np.concatenate(ring_normals))
    shape.points.flags.writeable = shape.normals.flags.writeable = False
    return shape


def _quarter(width: float, height: float, corner: Corner, fineness: float) -> tuple[F64, F64]:
    """A corner's points (n, 2), mm from the middle of the plate, and unit normals (n, 2)."""
    extents = np.array(corner.extents(width, height))
    quarter, normal = _corner(extents, corner.exponent, fineness)
    inner = np.array([width, height]) / 2 - corner.offset
    return quarter + (inner - extents) + corner.offset * normal, normal


def _corner(extents: F64, exponent: float, fineness: float) -> tuple[F64, F64]:
    if extents.max() < 1e-6:
        a = np.linspace(0, np.pi / 2, 3)
        return np.zeros((3, 2)), np.column_stack([np.cos(a), np.sin(a)])
    fine = np.linspace(0, np.pi / 2, 4001)
    c, s = np.cos(fine), np.sin(fine)
    c[-1] = s[0] = 0.0
    point = extents * np.column_stack([c ** (2 / exponent), s ** (2 / exponent)])
    normal = extents[::-1] * np.column_stack([c ** (2 - 2 / exponent), s ** (2 - 2 / exponent)])
    normal /= np.hypot(normal[:, 0], normal[:, 1])[:, None]
    # Steps are a mix of steps of equal angle and steps of equal length, so points are dense in tight bends
    # and nowhere sparse.
    angle = np.arctan2(normal[:, 1], normal[:, 0]) / (np.pi / 2)
    length = np.r_[0, np.cumsum(np.hypot(*np.diff(point, axis=0).T))]
    measure = 0.6 * angle + 0.4 * length / length[-1]
    steps = int(fineness * (CORNER_STEPS if extents.max() > SMALL else CORNER_STEPS_SMALL))
    pick = np.searchsorted(measure, np.linspace(0, 1, steps + 1))
    pick = np.unique(np.clip(pick, 0, len(fine) - 1))
    return point[pick], normal[pick]


def fluted(shape: Outline, count: int, steps: int = GROOVE) -> tuple[Outline, F64]:
    """The outline with `count` even grooves, and the normals (n, 2) of their sides.

    Each has `steps` segments, a multiple of four: its sides are steepest a quarter of the way from its ends.
    """
    closed = np.concatenate([shape.points, shape.points[:1]])
    length = np.r_[0, np.cumsum(np.hypot(*np.diff(closed, axis=0).T))]
    number = np.arange(steps * count)
    places = length[-1] * number / len(number)
    out = np.unwrap(np.arctan2(*np.concatenate([shape.normals, shape.normals[:1]]).T[::-1]))
    angle = np.interp(places, length, out)
    points = np.stack([np.interp(places, length, closed[:, axis]) for axis in (0, 1)], axis=1)
    sides = angle + np.radians(LEAN) * np.interp(number / steps % 1, (0, 0.25, 0.75, 1), (0, 1, -1, 0))
    normals, leaning = (np.column_stack([np.cos(turn), np.sin(turn)]) for turn in (angle, sides))
    return Outline(points, normals), leaning


def squared(shape: Outline, sign: int) -> Outline:
    """The outline with a square upper end, or a square lower end if `sign` is -1; insets do not move that
    end."""
    end = np.flatnonzero(sign * shape.normals[:, 1] > 1e-9)
    before, after = shape.points[: end[0]], shape.points[end[-1] + 1 :]
    side = sign * np.array([1.0, -1.0])
    place = np.column_stack([side * shape.points[:, 0].max(), np.full(2, sign * shape.points[:, 1].max())])
    out = np.column_stack([side, np.zeros(2)])
    normals = np.concatenate([shape.normals[: end[0]], out, shape.normals[end[-1] + 1 :]])
    return Outline(np.concatenate([before, place, after]), normals)


def parted(shape: Outline, levels: F64, axis: int = 1) -> Outline:
    """The outline with additional points where its y, or its x if `axis` is 0, crosses `levels` (m,), mm.

    A side between opposite normals, which is the square end of a joined plate, gets none.
    """
    start, end = shape.points, np.roll(shape.points, -1, axis=0)
    square = (shape.normals * np.roll(shape.normals, -1, axis=0)).sum(axis=1) < -1 + 1e-9
    from_, rise = start[:, axis, None], (end - start)[:, axis, None]
    share = (levels - from_) / np.where(rise == 0, np.inf, rise)
    edge, level = np.nonzero((share > 1e-9) & (share < 1 - 1e-9) & ~square[:, None])
    order = np.lexsort([share[edge, level], edge])
    edge, share = edge[order], share[edge, level][order][:, None]
    points = start[edge] + share * (end - start)[edge]
    lean = shape.normals[edge] + share * (np.roll(shape.normals, -1, axis=0) - shape.normals)[edge]
    lean /= np.linalg.norm(lean, axis=1, keepdims=True)
    return Outline(
        np.insert(start, edge + 1, points, axis=0), np.insert(shape.normals, edge + 1, lean, axis=0)
    )


def beyond(x: F64, y: F64, extents: Pair, exponent: float) -> tuple[F64, F64]:
    """The distances (...), mm, of points of a quadrant outside a superellipse, and the gradients (2, ...)
    there.

    |x/a|^n + |y/b|^n = 1 is r = (|cx|^n + |y|^n)^(1/n) = b with c = b/a; the distance from it is
    (r - b) / |grad r|.
    """
    extent, scale = extents[1], extents[1] / max(extents[0], 1e-9)
    across = scale * x
    r = np.maximum((across**exponent + y**exponent) ** (1 / exponent), 1e-9)
    slope = np.stack([scale * (across / r) ** (exponent - 1), (y / r) ** (exponent - 1)])
    return np.asarray((r - extent) / np.maximum(np.hypot(*slope), 1e-9), np.float64), slope


def _run(start: F64, end: F64, longest: float) -> F64:
    count = max(int(np.ceil(np.hypot(*(end - start)) / longest)), 1)
    steps = np.arange(1, count) / count
    return start + steps[:, None] * (end - start)
