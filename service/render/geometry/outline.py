"""A rounded rectangle with superellipse corners, as points and outward normals, float64."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from service.arrays import F64
from service.models.devices import Corner

CORNER_STEPS, CORNER_STEPS_SMALL = 36, 18  # segments a corner, fewer up to SMALL mm
SMALL = 4.0
RUN = 9.0  # mm; longest straight segment, so light can vary along a wall


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """`points` (n, 2) in mm, counter-clockwise from the right side's lower end; unit `normals` (n, 2)."""

    points: F64
    normals: F64

    def inset(self, distance: float) -> F64:
        """The points (n, 2) moved inward along their normals by `distance` mm; corners fold inside out."""
        return self.points - distance * self.normals


def outline(width: float, height: float, corner: Corner) -> Outline:
    """The outline of a plate of `width` x `height` mm.

    A corner is |x/e|^n + |y/e|^n = 1 with extent e and exponent n, in a rectangle smaller by `offset` on
    every side, then grown by `offset` along its normals (a concentric curve).
    """
    w, h = width / 2 - corner.offset, height / 2 - corner.offset
    e, n = min(corner.extent, w, h), corner.exponent
    quarter, normal = _corner(e, n)
    quarter = quarter + [w - e, h - e] + corner.offset * normal
    points, normals = [], []
    for sx, sy, flip in ((1, 1, False), (-1, 1, True), (-1, -1, False), (1, -1, True)):
        p, q = quarter * [sx, sy], normal * [sx, sy]
        points.append(p[::-1] if flip else p)
        normals.append(q[::-1] if flip else q)
    runs = [_run(points[i][-1], points[(i + 1) % 4][0]) for i in range(4)]
    ring, ring_normals = [], []
    for i in range(4):
        ring += [points[i], runs[i]]
        ring_normals += [normals[i], np.repeat(normals[i][-1:], len(runs[i]), axis=0)]
    return Outline(np.concatenate(ring), np.concatenate(ring_normals))


def _corner(extent: float, exponent: float) -> tuple[F64, F64]:
    if extent < 1e-6:
        a = np.linspace(0, np.pi / 2, 3)
        return np.zeros((3, 2)), np.column_stack([np.cos(a), np.sin(a)])
    fine = np.linspace(0, np.pi / 2, 4001)
    c, s = np.cos(fine), np.sin(fine)
    c[-1] = s[0] = 0.0
    point = extent * np.column_stack([c ** (2 / exponent), s ** (2 / exponent)])
    normal = np.column_stack([c ** (2 - 2 / exponent), s ** (2 - 2 / exponent)])
    normal /= np.hypot(normal[:, 0], normal[:, 1])[:, None]
    # A mix of equal steps in the normal's angle and in length: dense in bends, never sparse.
    angle = np.arctan2(normal[:, 1], normal[:, 0]) / (np.pi / 2)
    length = np.r_[0, np.cumsum(np.hypot(*np.diff(point, axis=0).T))]
    measure = 0.6 * angle + 0.4 * length / length[-1]
    steps = CORNER_STEPS if extent > SMALL else CORNER_STEPS_SMALL
    pick = np.searchsorted(measure, np.linspace(0, 1, steps + 1))
    pick = np.unique(np.clip(pick, 0, len(fine) - 1))
    return point[pick], normal[pick]


def _run(start: F64, end: F64) -> F64:
    count = max(int(np.ceil(np.hypot(*(end - start)) / RUN)), 1)
    steps = np.arange(1, count) / count
    return start + steps[:, None] * (end - start)
