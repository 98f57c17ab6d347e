"""Meshes of slabs: the rounded wall between two flat caps, as rings of vertices with normals and materials.

The caps of a straight slab are not part of its mesh, because they are painted as faces. The mesh of a bent
slab includes its caps, as rows of vertices between opposite points of the last ring. A slab cut at its `base`
is open there.

Coordinates are float64.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...arrays import F64
from ...devices.device import Bend, Device, Face, Slab
from ..material import SURFACES
from ..memoize import MIB, memoize
from .bend import bent, half, levels, turn
from .outline import GROOVE, Outline, fluted, outline, parted, squared

STEPS = 9  # segments of the quarter circle between cap and wall
STEPS_SMOOTH = 18  # segments for smooth surfaces, such as polished metal, which have narrow highlights
SMOOTH = 0.12  # roughness up to which STEPS_SMOOTH applies
DOME, WIDE = 3, 1.5  # glass that bends over an edge wider than WIDE mm gets DOME times as many segments
THIN = 0.3  # mm; a narrower edge gets half the segments
COLUMNS = 12  # segments across the caps of bent slabs
FACETS = 25  # points along the end of a bent slab that is shaped to fit another
# distances from the case, mm, at which a strap has additional rows, for its contact shadow
ROOTS = (0.1, 0.35, 0.8)
LONG = 4.0  # mm; longer straight sides are lit by more rays
SHARP = 1e-6  # mm; an arc of a smaller radius is a fold without a face
END = 1e-6  # on a plate's lower end, the least x of the outline's unit tangent, which points to the right
FLAT = 0.01  # mm by which a point may lie in front of a triangle's plane in a mesh that counts as convex
CACHED = 32768  # distances from planes that stay in a processor's cache while they are compared
JOIN = 0.12  # mm; the flat cap starts this far inside the edge of its material

WALL, GASKET, FRONT, BACK = range(4)  # materials of vertices


class Halvings(NamedTuple):
    """The numbers of times that the segments of a slab's corners, and of its rounded edges, are halved."""

    corners: int
    edges: int


FULL, HALVED = Halvings(0, 0), Halvings(1, 1)


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """The mesh of one slab's wall, in device mm.

    Vertices: `points` and unit `normals` (n, 3); `along` (n, 3), the unit tangent of the outline; `material`
    (n,), one of WALL, GASKET, FRONT, BACK; `height` (n,), the local z, or y of a bent slab, mm; `straight`
    (n,), whether a vertex ends a side longer than `LONG`, whose light is interpolated from its two ends.

    Triangles: `triangles` (m, 3) int32, counter-clockwise from outside, and their `planes` (m, 4), outward
    normal and offset along it. In a `convex` mesh, no front side hides another, wherever the eye is.

    Outlines: `hull` (h, 3) are points with the slab's convex hull, from `base` upwards if it is raised.
    `caps` are the outlines (c, 3) of the front and the back cap, of each half if the slab is folded; empty if
    the caps are part of the mesh. `rims` has two sets of points (r, 3) for each cap: from the cap outwards to
    the end of its material, and to the end of the gasket; it is empty without a gasket.

    Folded slabs: `slices` are points of its nearly convex parts, from one row of its arc to the next, and
    `sides` (m,) the halves that triangles belong to.

    Slabs bent all along: `welded` (m, 3) are the triangles with shared vertices, `cut` (n,) says which
    vertices are where the slab comes out of another, and `flat` (n, 3) are the vertices before bending.
    """

    points: F64
    normals: F64
    along: F64
    material: NDArray[np.int8]
    height: F64
    triangles: NDArray[np.int32]
    planes: F64
    straight: NDArray[np.bool_]
    hull: F64
    caps: tuple[F64, ...]
    slices: tuple[F64, ...] = ()
    sides: NDArray[np.int8] = field(default_factory=lambda: np.zeros(0, np.int8))
    welded: NDArray[np.int32] = field(default_factory=lambda: np.zeros((0, 3), np.int32))
    cut: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, bool))
    rims: tuple[tuple[F64, ...], ...] = ()
    flat: F64 = field(default_factory=lambda: np.zeros((0, 3)))
    convex: bool = False

    def half(self, side: int) -> Mesh:
        """The mesh with only the triangles of one half of a folded slab; the whole mesh for side 0."""
        if not side:
            return self
        own = self.sides == side
        return replace(self, triangles=self.triangles[own], planes=self.planes[own])

    def without(self, vertices: NDArray[np.intp]) -> Mesh:
        """The mesh without the triangles that have a corner among these `vertices` (n,), given by index."""
        gone = np.zeros(len(self.points), bool)
        gone[vertices] = True
        left = ~gone[self.triangles].any(axis=1)
        return replace(self, triangles=self.triangles[left], planes=self.planes[left])

    def mirrored(self, points: F64) -> Mesh:
        """The mesh with mirrored `points` (n, 3); its triangles are reversed, so that their outsides stay
        outside."""
        triangles = self.triangles[:, ::-1]
        return replace(self, points=points, triangles=triangles, planes=_planes(points, triangles))

    def moved(self, points: F64, height: F64) -> Mesh:
        """The mesh with its vertices moved to new `points` (n, 3), at new heights (n,)."""
        planes = _planes(points, self.triangles)
        return replace(self, points=points, height=height, planes=planes, convex=False)

    def cap(self, front: bool, side: int) -> F64:
        """The outline (c, 3) of a face, or of its straight part on one half; empty if it is in the mesh."""
        return self.caps[_place(front, side)]

    def rim(self, front: bool, side: int = 0) -> tuple[F64, ...]:
        """The `rims` of a face, or of its straight part on one half."""
        return self.rims[_place(front, side)] if self.rims else ()

    def end(self, side: int) -> F64:
        """Points (n, 3) whose convex hull is that of the slab, or of one straight half of a folded one."""
        return self.slices[-1 if side > 0 else 0] if side else self.hull


def _place(front: bool, side: int) -> int:
    """The index of a face on one half of a slab in `Mesh.caps` and `rims`; `side` is 0 without halves."""
    return 2 * (side > 0) + (not front)


@memoize(MIB)
def pose(slab: Slab) -> tuple[F64, F64]:
    """The slab's axes as columns (3, 3) and its centre (3,), device mm."""
    x, y = np.array(slab.x, np.float64), np.array(slab.y, np.float64)
    x /= np.linalg.norm(x)
    y -= x * (x @ y)
    y /= np.linalg.norm(y)
    axes, center = np.column_stack([x, y, np.cross(x, y)]), np.array(slab.center, np.float64)
    axes.flags.writeable = center.flags.writeable = False
    return axes, center


def placed(slab: Slab, side: int) -> tuple[F64, F64]:
    """The axes as columns (3, 3) and the centre (3,), device mm, of a slab or of a half of a folded one."""
    axes, center = pose(slab)
    if slab.bend is None or not side:
        return axes, center
    turned, moved = half(slab.bend, side)
    return axes @ turned, center + axes @ moved


def corners(slab: Slab, inset: float = 0.0) -> F64:
    """The corners (8, 3) of a slab's box, each side moved inwards by `inset` mm, in device mm."""
    axes, center = pose(slab)
    signs = np.array(list(product((-1, 1), repeat=3)))
    return np.asarray(center + signs * (np.array(slab.size) / 2 - inset) @ axes.T, np.float64)


def _profile(
    slab: Slab, face: Face | None, own: int, halvings: int
) -> list[tuple[float, float, float, float, int, int]]:
    """The profile of an edge, in rows: inset and z (>= 0), mm; the normal's components outwards and upwards;
    the materials before and after.

    Rows run from the cap outwards.
    """
    radius, half = slab.edge, slab.size[2] / 2
    border = face.inset if face else 0.0
    cap = max(radius, border) + (JOIN if border else 0.0)
    marks = {cap, radius, 0.0}
    steps = STEPS_SMOOTH if SURFACES[slab.surface].level <= SMOOTH else STEPS
    if _domed(slab, face):
        steps *= DOME
    if radius < THIN:
        halvings = max(halvings, 1)
    steps = -(-steps >> halvings)
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


def _domed(slab: Slab, face: Face | None) -> bool:
    """Whether a slab has a wide edge over which smooth glass bends."""
    return face is not None and face.inset < slab.edge > WIDE and SURFACES[face.surface].level <= SMOOTH


def _surface(inset: float, border: float, lip: float, own: int) -> int:
    if not border or inset < lip:
        return WALL
    return GASKET if inset < border else own


@memoize(48 * MIB)  # room for a watch, whose polished case takes 20 MiB
def mesh(slab: Slab, *, halvings: Halvings = FULL, rows: int = 0, columns: tuple[float, ...] = ()) -> Mesh:
    """Build the wall of a slab, with the number of its segments halved as often as `halvings` says.

    The wall's upright part gets `rows` additional rows of vertices, and its outline gets additional vertices
    at the `columns`, x in mm.
    """
    axes, center = pose(slab)
    domed = _domed(slab, slab.front) or _domed(slab, slab.back)
    fineness = 0.5**halvings.corners if halvings.corners else DOME if domed else 1
    shape = outline(slab.size[0], slab.size[1], slab.corner, fineness, slab.lower)
    for end in slab.joined:
        shape = squared(shape, 1 if end == "top" else -1)
    if columns:
        shape = parted(shape, np.array(columns), axis=0)
    if slab.bend:
        shape = parted(shape, levels(slab.bend), 1 if slab.bend.axis == "x" else 0)
        if slab.base is not None:
            shape = parted(shape, slab.base + np.array(ROOTS), 1 if slab.bend.axis == "x" else 0)
        if slab.bend.mouth:
            shape = parted(shape, np.linspace(-0.5, 0.5, FACETS) * slab.size[0], axis=0)
    leaning = None
    if slab.flutes:
        shape, leaning = fluted(shape, slab.flutes, max(GROOVE >> halvings.corners, 4))
    front = _profile(slab, slab.front, FRONT, halvings.edges)
    back = _profile(slab, slab.back, BACK, halvings.edges)
    rings = [(i, z, o, u, b, a) for i, z, o, u, b, a in front]
    rings += [(i, -z, o, -u, a, b) for i, z, o, u, b, a in reversed(back)]
    if rows:
        high = slab.size[2] / 2 - slab.edge
        between = np.linspace(high, -high, rows + 2)[1:-1].tolist()
        rings[len(front) : len(front)] = [(0.0, z, 1.0, 0.0, WALL, WALL) for z in between]
    low = -slab.size[2] / 2 if slab.base is None else slab.base
    if slab.base is not None and slab.bend is None:
        rings = [r for r in rings if r[1] > low]
        # A part may be sunk so deeply that its base cuts through its rounded edge.
        up = float(np.clip((low - slab.size[2] / 2) / slab.edge + 1, 0, 1))
        out = float(np.sqrt(1 - up * up))
        rings.append((slab.edge * (1 - out), low, out, up, WALL, WALL))
    points, normals, material, strips = [], [], [], []
    made: dict[tuple[float, float], F64] = {}
    for at, (inset, z, out, up, before, after) in enumerate(rings):
        ring, normal = _ring(shape, inset, z, out, up)
        made[inset, z] = ring
        if leaning is not None:
            normal = np.column_stack([leaning * out, normal[:, 2]])
        # Where the material changes, the ring appears twice, once for each side.
        sides = {before, after} if 0 < at < len(rings) - 1 else {after if at == 0 else before}
        for side in (before, after) if len(sides) == 2 else tuple(sides):
            points.append(ring)
            normals.append(normal)
            material.append(np.full(len(ring), side, np.int8))
        strips.append((len(points) - len(sides), len(points) - 1))
    count, (nx, ny) = len(shape.points), shape.normals.T
    pairs = [(strips[i][1], strips[i + 1][0]) for i in range(len(strips) - 1)]
    triangles = [_strip(a * count, b * count, count) for a, b in pairs]
    hull = [made[inset, z] for inset, z, *_ in (rings if slab.bend else _outer(rings))]
    along = np.column_stack([-ny, nx, np.zeros(count)])
    rims = [
        tuple(_rims(shape, profile, face, sign))
        for face, profile, sign in ((slab.front, front, 1.0), (slab.back, back, -1.0))
    ]
    if slab.bend is not None:
        return _bent(slab, slab.bend, _Rings(points, normals, material, hull), triangles, along, rims)
    local = np.concatenate(points)
    world, joined = local @ axes.T + center, np.concatenate(triangles)
    edges = tuple(made[inset, z] @ axes.T + center for inset, z, *_ in (rings[0], rings[-1]))
    planes, around = _planes(world, joined), np.concatenate(hull) @ axes.T + center
    return Mesh(
        world,
        np.concatenate(normals) @ axes.T,
        np.tile(along @ axes.T, (len(points), 1)),
        np.concatenate(material),
        local[:, 2],
        joined,
        planes,
        np.tile(_straight(shape), len(points)),
        around,
        (edges[0], edges[1]),
        rims=tuple(tuple(rim @ axes.T + center for rim in own) for own in rims),
        convex=_convex(planes, around, count),
    )


def _convex(planes: F64, hull: F64, count: int) -> bool:
    """Whether all points of a mesh are behind the planes of all its triangles.

    `planes` (m, 4) come in strips of `count` columns, and the points `hull` (h, 3), whose hull is that of the
    mesh, in rings of `count` points. An outline that does not cross itself is convex if it turns the same way
    at each corner. So each triangle is compared with every ring, but only with the columns next to its own.
    Comparing all points with all triangles would take billions of tests.
    """
    walls, rings = planes.reshape(-1, count, 4), hull.reshape(-1, count, 3)
    normals = walls[..., :3].transpose(1, 0, 2)
    most = (walls[..., 3].T + FLAT * np.linalg.norm(normals, axis=-1))[..., None]
    beside = np.stack([np.roll(rings, -by, axis=1) for by in (-1, 0, 1, 2)])
    points = beside.transpose(2, 3, 0, 1).reshape(count, 3, -1)
    # As many columns at once as stay in the processor's cache.
    step = max(CACHED // (len(walls) * points.shape[2]), 1)
    blocks = (slice(at, at + step) for at in range(0, count, step))
    return all(bool((normals[block] @ points[block] <= most[block]).all()) for block in blocks)


def _outer(rings: Sequence[tuple[float, ...]]) -> list[tuple[float, ...]]:
    """Rings (inset, z, ...) without those that lie inside another ring at the same z, such as the rings of a
    flat cap."""
    least: dict[float, float] = {}
    for inset, z, *_ in rings:
        least[z] = min(inset, least.get(z, inset))
    return [ring for ring in rings if ring[0] == least[ring[1]]]


def _rims(
    shape: Outline, profile: Sequence[tuple[float, ...]], face: Face | None, sign: float
) -> Iterator[F64]:
    """The points (r, 3) of the rings from a cap to the end of its face, then to the end of the gasket."""
    if face is None or not face.inset:
        return
    for least in (face.inset, face.inset - face.gasket):
        rings = [(inset, z) for inset, z, *_ in profile if inset > least - 1e-9]
        yield np.concatenate([_ring(shape, inset, sign * z, 0, 0)[0] for inset, z in rings])


class _Rings(NamedTuple):
    """Rings (c, 3) of a flat slab's wall, their normals and materials (c,), and the rings that span its
    convex hull."""

    points: list[F64]
    normals: list[F64]
    material: list[NDArray[np.int8]]
    hull: list[F64]


def _bent(
    slab: Slab,
    bend: Bend,
    rings: _Rings,
    triangles: list[NDArray[np.int32]],
    along: F64,
    rims: Sequence[tuple[F64, ...]],
) -> Mesh:
    """The mesh of a bent slab, with its caps, from the rings and triangles of the flat slab."""
    axes, center = pose(slab)
    # From here on, the plate is turned so that it bends about x.
    about = turn(bend)
    axes, along, length = axes @ about, along @ about, slab.size[1 if bend.axis == "x" else 0]
    flat, material = (rings.points, rings.normals, rings.hull), rings.material
    points, normals, hull = ([ring @ about for ring in rows] for rows in flat)
    if slab.base is not None:
        for ring in (*points, *hull):
            _cut(ring, along, slab.base + bend.mitre * ring[0, 2])
        # The slab that this one comes out of hides the cut, so leave the end open.
        end = along[:, 0] > END
        triangles = [strip[~end[strip % len(end)].all(axis=1)] for strip in triangles]
    for last in slab.joined:
        # The slab that continues this one hides the cut as well.
        sign = 1 if last == "top" else -1
        end = sign * rings.points[0][:, 1] > slab.size[1] / 2 - 1e-9
        triangles = [strip[~end[strip % len(end)].all(axis=1)] for strip in triangles]
    grain = [along] * len(points)
    size = sum(map(len, points))
    folded, outlines = slab.halves != (0,), list[F64]()
    arc = (-bend.reach, bend.reach) if folded else (-np.inf, np.inf)
    ends = points[0], points[-1]
    rear = BACK if slab.back and not folded else WALL
    for ring, kind, up in ((ends[0], FRONT, 1.0), (ends[1], rear, -1.0)):
        if bend.radius + np.sign(bend.angle) * ring[0, 2] < SHARP:
            continue
        cap, faces = _ladder(ring[(ring[:, 1] >= arc[0] - 1e-9) & (ring[:, 1] <= arc[1] + 1e-9)])
        points.append(cap)
        normals.append(np.tile([0.0, 0.0, up], (len(cap), 1)))
        grain.append(np.tile([1.0, 0.0, 0.0], (len(cap), 1)))
        material.append(np.full(len(cap), kind, np.int8))
        triangles.append(size + (faces if up > 0 else faces[:, ::-1]))
        size += len(cap)

    def moved(flat: F64, *directions: F64) -> list[F64]:
        arrays = bent(bend, length, flat, *(directions or (flat, flat)))
        return [arrays[0] @ axes.T + center, *(part @ axes.T for part in arrays[1:])]

    local, joined, around = np.concatenate(points), np.concatenate(triangles), np.concatenate(hull)
    world, leaning, run = moved(local, np.concatenate(normals), np.concatenate(grain))
    if folded:
        # The faces of the straight halves are not part of the mesh; they end where the arc begins.
        for side in (-1, 1):
            outlines += [_ordered(ring[side * ring[:, 1] >= bend.reach - 1e-9]) for ring in ends]
    shape = Mesh(
        world,
        leaning,
        run,
        np.concatenate(material),
        local[:, 1],
        joined,
        _planes(world, joined),
        np.zeros(len(world), bool),
        moved(around)[0],
        tuple(moved(part)[0] for part in outlines),
    )
    if not folded:
        low = -np.inf if slab.base is None else slab.base
        cut = local[:, 1] < low + bend.mitre * local[:, 2] + END
        return replace(shape, welded=_welded(local, joined), flat=local @ about.T, cut=cut)
    slices = tuple(moved(part)[0] for part in _slices(bend, around))
    straight = tuple(
        tuple(
            moved(points[side * points[:, 1] >= bend.reach - 1e-9])[0]
            for points in (rim @ about for rim in own)
        )
        for side in (-1, 1)
        for own in rims
    )
    sides = np.sign(local[joined][:, :, 1].mean(axis=1)).astype(np.int8)
    return replace(shape, slices=slices, sides=sides, rims=straight)


def _cut(ring: F64, along: F64, low: float) -> None:
    """Cut a ring (c, 3) of a flat plate square at y = `low`; its rounded end below is inside another slab."""
    end = along[:, 0] > END
    ring[end, 1] = low
    ring[:, 1] = np.maximum(ring[:, 1], low)
    corners = end & (np.abs(along[:, 1]) > END)
    ring[corners, 0] = np.sign(along[corners, 1]) * np.abs(ring[:, 0]).max()


def _ordered(points: F64) -> F64:
    """The corners of a convex polygon (n, 3), in order around it."""
    away = points - points.mean(axis=0)
    return np.asarray(points[np.argsort(np.arctan2(away[:, 1], away[:, 0]))], np.float64)


def _slices(bend: Bend, points: F64) -> list[F64]:
    """The `slices`, before bending, of a flat plate with `points` (n, 3) on its outline."""
    ends = pairwise(np.unique(np.r_[points[:, 1].min(), levels(bend), points[:, 1].max()]))
    slices = [points[(points[:, 1] >= start - 1e-9) & (points[:, 1] <= end + 1e-9)] for start, end in ends]
    return [part for part in slices if len(part)]


def _welded(points: F64, triangles: NDArray[np.int32]) -> NDArray[np.int32]:
    """Triangles (m, 3) in which all vertices at the same place are replaced by the first of them."""
    x, y, z = (np.unique(one, return_inverse=True)[1] for one in points.round(6).T)
    place = (x * len(points) + y) * len(points) + z
    _, first, which = np.unique(place, return_index=True, return_inverse=True)
    return np.asarray(first[which][triangles], np.int32)


def _ladder(ring: F64) -> tuple[F64, NDArray[np.int32]]:
    """A cap (n, 3), as rows of points between opposite points of a ring, and its triangles (m, 3)."""
    heights, row = np.unique(ring[:, 1].round(9), return_inverse=True)
    wide = np.zeros(len(heights))
    np.maximum.at(wide, row, ring[:, 0])
    x = wide[:, None] * np.linspace(-1, 1, COLUMNS + 1)
    cap = np.stack([x, np.broadcast_to(heights[:, None], x.shape), np.full(x.shape, ring[0, 2])], axis=2)
    at = (np.arange(len(heights) - 1)[:, None] * (COLUMNS + 1) + np.arange(COLUMNS)).ravel()
    up = at + COLUMNS + 1
    faces = np.concatenate([np.stack([at, at + 1, up + 1], 1), np.stack([at, up + 1, up], 1)])
    return cap.reshape(-1, 3), faces.astype(np.int32)


def hull(device: Device) -> F64:
    """Points (n, 3), device mm, whose convex hull is that of the whole device."""
    return _hull(device.slabs)


@memoize(4 * MIB)
def _hull(slabs: tuple[Slab, ...]) -> F64:
    points = np.concatenate([mesh(slab).hull for slab in slabs])
    points.flags.writeable = False
    return points


def faces(device: Device) -> F64:
    """Rectangles (n, 4, 3), device mm, in the middle planes of a device's large slabs.

    Slabs with a screen are listed twice, because the picture on a screen draws the eye.
    """
    return _faces(device.slabs, frozenset(screen.slab for screen in device.screens))


@memoize(MIB)
def _faces(slabs: tuple[Slab, ...], screens: frozenset[str]) -> F64:
    found: list[F64] = []
    for slab in slabs:
        if slab.parent is not None or slab.role in ("part", "hinge", "strap"):
            continue
        for side in slab.halves:
            axes, center = placed(slab, side)
            low, high = -np.array(slab.size[:2]) / 2, np.array(slab.size[:2]) / 2
            if side and slab.bend is not None:
                (low if side > 0 else high)["yx".index(slab.bend.axis)] = 0.0
            flat = np.array([[low[0], high[1]], [high[0], high[1]], [high[0], low[1]], [low[0], low[1]]])
            found += [center + flat @ axes[:, :2].T] * (2 if slab.name in screens else 1)
    made = np.stack(found)
    made.flags.writeable = False
    return made


def _ring(shape: Outline, inset: float, z: float, out: float, up: float) -> tuple[F64, F64]:
    flat = shape.inset(inset)
    ring = np.column_stack([flat, np.full(len(flat), z)])
    normal = np.column_stack([shape.normals * out, np.full(len(flat), up)])
    return ring, normal


def _straight(shape: Outline) -> NDArray[np.bool_]:
    """Which points of an outline are at either end of a long straight side, (n,) bool."""
    long = np.hypot(*(np.roll(shape.points, -1, axis=0) - shape.points).T) > LONG
    return np.asarray(long | np.roll(long, 1), bool)


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
