"""Device files as solids for the path tracer: finely divided, and built without the renderer's own meshes."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from service.arrays import F64
from service.models.devices import Corner, Face, Slab

CORNER, QUARTER = 120, 28  # segments of an outline's corner and of the edge's quarter circle
WALL, FRONT, BACK, GASKET = range(4)
SCREEN = 4  # added to FRONT where the screen is


class Solid(NamedTuple):
    """A closed mesh in the slab's own millimetres: `faces` index `points`, `slots` name their material.

    `across` is the unit direction square to normal and grain, which runs along the outline or, on caps, x.
    """

    points: F64
    normals: F64
    across: F64
    faces: list[tuple[int, ...]]
    slots: list[int]


def outline(width: float, height: float, corner: Corner) -> tuple[F64, F64]:
    """Points and outward normals (n, 2), counter-clockwise, of a rectangle with superellipse corners."""
    w, h = width / 2 - corner.offset, height / 2 - corner.offset
    e, n = min(corner.extent, w, h), corner.exponent
    turn = np.linspace(0, np.pi / 2, CORNER + 1)
    # Denser where a superellipse bends: equal steps of its normal's angle rather than of the parameter.
    t = np.arctan2(np.sin(turn) ** (1 / max(2 - 2 / n, 0.2)), np.cos(turn) ** (1 / max(2 - 2 / n, 0.2)))
    c, s = np.clip(np.cos(t), 0, 1), np.clip(np.sin(t), 0, 1)
    c[-1] = s[0] = 0.0
    point = np.stack([w - e + e * c ** (2 / n), h - e + e * s ** (2 / n)], axis=1)
    normal = np.stack([c ** (2 - 2 / n), s ** (2 - 2 / n)], axis=1)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    point = point + corner.offset * normal
    signs = ((1, 1), (-1, 1), (-1, -1), (1, -1))
    points = [point[:: x * y] * (x, y) for x, y in signs]
    normals = [normal[:: x * y] * (x, y) for x, y in signs]
    return np.concatenate(points), np.concatenate(normals)


def solid(slab: Slab) -> Solid:
    """The whole rounded plate, its caps flat from where the edge ends."""
    flat, out = outline(slab.size[0], slab.size[1], slab.corner)
    n, half, radius = len(flat), slab.size[2] / 2, slab.edge
    rows = [(z, inset, a) for z, inset, a in _profile(slab.front, radius, half)]
    rows += [(-z, inset, -a) for z, inset, a in reversed(_profile(slab.back, radius, half))]
    points, normals = [], []
    grains = [np.column_stack([-out[:, 1], out[:, 0], np.zeros(n)])] * len(rows)
    for z, inset, tilt in rows:
        points.append(np.column_stack([flat - inset * out, np.full(n, z)]))
        normals.append(np.column_stack([out * np.cos(tilt), np.full(n, np.sin(tilt))]))
    faces: list[tuple[int, ...]] = []
    slots: list[int] = []
    around = np.arange(n)
    for row, ((z0, i0, _), (_, i1, _)) in enumerate(pairwise(rows)):
        a, b = row * n + around, row * n + n + around
        quads = np.stack([a, b, np.roll(b, -1), np.roll(a, -1)], axis=1)
        faces += [tuple(quad) for quad in quads.tolist()]
        slots += [_slot(slab.front if z0 > 0 else slab.back, (i0 + i1) / 2, z0 > 0)] * n
    for row, sign in ((0, 1.0), (len(rows) - 1, -1.0)):
        first = sum(len(p) for p in points)
        points.append(points[row])
        normals.append(np.tile([0.0, 0.0, sign], (n, 1)))
        grains.append(np.tile([1.0, 0.0, 0.0], (n, 1)))
        ring = tuple(range(first, first + n))
        faces.append(ring if sign > 0 else ring[::-1])
        slots.append(FRONT if sign > 0 else BACK if slab.back else WALL)
    upright = np.concatenate(normals)
    return Solid(np.concatenate(points), upright, np.cross(upright, np.concatenate(grains)), faces, slots)


def _profile(face: Face | None, radius: float, half: float) -> list[tuple[float, float, float]]:
    """Rows (z, inset, elevation of the normal) from the cap to the wall, with rings where materials meet."""
    insets = {float(radius * (1 - np.cos(a))) for a in np.linspace(0, np.pi / 2, QUARTER + 1)}
    cap = radius
    if face and face.inset:
        insets |= {face.inset, face.inset - face.gasket}
        cap = max(radius, face.inset)
    insets.add(cap)
    rows = []
    for inset in sorted(insets, reverse=True):
        out = np.clip(1 - inset / radius, 0, 1)
        up = np.sqrt(1 - out * out)
        rows.append((half - radius + radius * up, inset, float(np.arctan2(up, out))))
    return rows


def _slot(face: Face | None, inset: float, front: bool) -> int:
    if face is None or not face.inset or inset < face.inset - face.gasket:
        return WALL
    return GASKET if inset < face.inset else FRONT if front else BACK


def frame(slab: Slab) -> F64:
    """The slab's place in the device, (4, 4): columns x, y, z and centre in mm."""
    x, y = (np.array(axis, float) / np.linalg.norm(axis) for axis in (slab.x, slab.y))
    y = y - x * (x @ y)
    y /= np.linalg.norm(y)
    matrix = np.eye(4)
    matrix[:3, :3] = np.column_stack([x, y, np.cross(x, y)])
    matrix[:3, 3] = slab.center
    return matrix
