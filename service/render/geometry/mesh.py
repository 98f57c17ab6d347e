"""The rounded wall between a slab's flat caps, as rings of vertices with normals and surfaces.

Coordinates are float64.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from service.arrays import F64
from service.models.devices import Device, Face, Slab
from service.render.geometry.outline import Outline, outline
from service.render.kept import MIB, kept
from service.render.material import SURFACES

STEPS = 9  # segments of the quarter circle between cap and wall
STEPS_SMOOTH = 18  # for narrow highlights, as on polished metal
SMOOTH = 0.12  # roughness up to which STEPS_SMOOTH applies
THIN = 0.3  # mm; edges below it get half the segments
JOIN = 0.15  # mm; the cap's picture starts this far inside its surface, where both are of one material

WALL, GASKET, FRONT, BACK = range(4)  # materials of a ring segment


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """Vertices of one slab's wall in device mm.

    `points`, `normals` (n, 3); `along` (n, 3), the unit direction of the outline; `material` (n,) one of
    WALL, GASKET, FRONT, BACK; `height` (n,) local z in mm; `triangles` (m, 3) int32, counter-clockwise from
    outside, and their `planes` (m, 4), outward normal and offset along it; `hull` (h, 3), points with the
    slab's convex hull (from `base` upward if it is raised); `caps`, the outlines (c, 3) of the front and the
    back cap.
    """

    points: F64
    normals: F64
    along: F64
    material: NDArray[np.int8]
    height: F64
    triangles: NDArray[np.int32]
    planes: F64
    hull: F64
    caps: tuple[F64, F64]


@kept(MIB)
def frame(slab: Slab) -> tuple[F64, F64]:
    """The slab's axes as columns (3, 3) and its centre (3,), device mm."""
    x, y = np.array(slab.x, np.float64), np.array(slab.y, np.float64)
    x /= np.linalg.norm(x)
    y -= x * (x @ y)
    y /= np.linalg.norm(y)
    axes, center = np.column_stack([x, y, np.cross(x, y)]), np.array(slab.center, np.float64)
    axes.flags.writeable = center.flags.writeable = False
    return axes, center


def _profile(
    slab: Slab, face: Face | None, own: int, coarse: bool
) -> list[tuple[float, float, float, float, int, int]]:
    """Rows (inset, z, normal out, normal up, material before, after) from the cap outwards, z >= 0."""
    radius, half = slab.edge, slab.size[2] / 2
    border = face.inset if face else 0.0
    cap = max(radius, border) + (JOIN if border else 0.0)
    marks = {cap, radius, 0.0}
    steps = STEPS_SMOOTH if SURFACES[slab.surface].level <= SMOOTH else STEPS
    if coarse or radius < THIN:
        steps = -(-steps // 2)
    marks |= {radius * (1 - np.sin(a)) for a in np.linspace(0, np.pi / 2, steps + 1)}
    lip = border - (face.gasket if face else 0.0)
    if border:
        marks |= {border, lip}
    rows = []
    for inset in sorted(marks, reverse=True):
        out = float(np.clip(1 - inset / radius, 0, 1))
        up = float(np.sqrt(1 - out * out))
        before, after = _surface(inset + 1e-9, border, lip, own), _surface(inset - 1e-9, border, lip, own)
        rows.append((inset, half - radius + radius * up, out, up, before, after))
    return rows


def _surface(inset: float, border: float, lip: float, own: int) -> int:
    if not border or inset < lip:
        return WALL
    return GASKET if inset < border else own


@kept(32 * MIB)
def mesh(slab: Slab, *, coarse: bool = False) -> Mesh:
    """Build the wall of a slab, once; a `coarse` one has half the segments."""
    axes, center = frame(slab)
    shape = outline(slab.size[0], slab.size[1], slab.corner)
    front = _profile(slab, slab.front, FRONT, coarse)
    back = _profile(slab, slab.back, BACK, coarse)
    rows = [(i, z, o, u, b, a) for i, z, o, u, b, a in front]
    rows += [(i, -z, o, -u, a, b) for i, z, o, u, b, a in reversed(back)]
    low = -slab.size[2] / 2 if slab.base is None else slab.base
    if slab.base is not None:
        rows = [r for r in rows if r[1] > low]
        rows.append((0.0, low, 1.0, 0.0, WALL, WALL))
    points, normals, material, strips = [], [], [], []
    for at, (inset, z, out, up, before, after) in enumerate(rows):
        ring, normal = _ring(shape, inset, z, out, up)
        # Where the material changes, the ring appears twice, once for each side.
        sides = {before, after} if 0 < at < len(rows) - 1 else {after if at == 0 else before}
        for side in (before, after) if len(sides) == 2 else tuple(sides):
            points.append(ring)
            normals.append(normal)
            material.append(np.full(len(ring), side, np.int8))
        strips.append((len(points) - len(sides), len(points) - 1))
    count, (nx, ny) = len(shape.points), shape.normals.T
    pairs = [(strips[i][1], strips[i + 1][0]) for i in range(len(strips) - 1)]
    local = np.concatenate(points)
    world = local @ axes.T + center
    triangles = np.concatenate([_strip(a * count, b * count, count) for a, b in pairs])
    hull = np.concatenate([_ring(shape, inset, z, 0, 0)[0] for inset, z, *_ in rows])
    edges = tuple(_ring(shape, row[0], row[1], 0, 0)[0] @ axes.T + center for row in (rows[0], rows[-1]))
    return Mesh(
        world,
        np.concatenate(normals) @ axes.T,
        np.tile(np.column_stack([-ny, nx, np.zeros(count)]) @ axes.T, (len(points), 1)),
        np.concatenate(material),
        local[:, 2],
        triangles,
        _planes(world, triangles),
        hull @ axes.T + center,
        (edges[0], edges[1]),
    )


def hull(device: Device) -> F64:
    """Points (n, 3) in device mm whose convex hull is that of the whole device."""
    return _hull(device.slabs)


@kept(4 * MIB)
def _hull(slabs: tuple[Slab, ...]) -> F64:
    points = np.concatenate([mesh(slab).hull for slab in slabs])
    points.flags.writeable = False
    return points


def _ring(shape: Outline, inset: float, z: float, out: float, up: float) -> tuple[F64, F64]:
    flat = shape.inset(inset)
    ring = np.column_stack([flat, np.full(len(flat), z)])
    normal = np.column_stack([shape.normals * out, np.full(len(flat), up)])
    return ring, normal


def _planes(points: F64, triangles: NDArray[np.int32]) -> F64:
    a, b, c = (points[triangles[:, i]] for i in range(3))
    normal = np.cross(b - a, c - a)
    return np.column_stack([normal, np.einsum("ij,ij->i", normal, a)])


def _strip(a: int, b: int, count: int) -> NDArray[np.int32]:
    """Two triangles for each quad between ring `a` (nearer the front cap) and ring `b`."""
    i = np.arange(count)
    j = (i + 1) % count
    lower, upper = np.stack([a + i, b + i, b + j], 1), np.stack([a + i, b + j, a + j], 1)
    return np.concatenate([lower, upper]).astype(np.int32)
