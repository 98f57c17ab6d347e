"""Solids of devices for the path tracer: finely divided, and independent of the renderer's meshes."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from service.arrays import F64
from service.devices.device import Bend, Corner, Face, Slab

CORNER, QUARTER = 120, 28  # segments of an outline's corner and of the edge's quarter circle
ROWS, ACROSS = 320, 48  # segments along and across a bent plate
GROOVE, SLOPE = 16, 50.0  # segments of a flute, and the slope of its sides in degrees
ROOT = 2.0  # mm; how deep a part reaches into its parent
SAME = 1e-6  # mm; points whose heights differ less lie opposite each other
# rotation from a plate's axes to those of one bent about y
TURN = np.array([[0.0, 1, 0], [-1, 0, 0], [0, 0, 1]])
WALL, FRONT, BACK, GASKET = range(4)
SCREEN = 4  # added to FRONT for the screen's area


class Solid(NamedTuple):
    """A closed mesh in the slab's own millimetres: `faces` index `points`, `slots` name their material.

    `across` is the unit direction perpendicular to the normal and to the grain. The grain runs along the
    outline or, on caps, along x. `flat` has the points before the plate was bent.
    """

    points: F64
    normals: F64
    across: F64
    faces: list[tuple[int, ...]]
    slots: list[int]
    flat: F64


def outline(width: float, height: float, corner: Corner, lower: Corner | None = None) -> tuple[F64, F64]:
    """Points and outward normals (n, 2), counter-clockwise, of a rectangle with superellipse corners.

    Its two `lower` corners may differ.
    """
    corners = [_corner(width, height, one) for one in (corner, lower or corner)]
    signs = ((1, 1), (-1, 1), (-1, -1), (1, -1))
    points, normals = ([corners[y < 0][part][:: x * y] * (x, y) for x, y in signs] for part in (0, 1))
    return np.concatenate(points), np.concatenate(normals)


def _corner(width: float, height: float, corner: Corner) -> tuple[F64, F64]:
    """Points and normals (n, 2) of the upper right corner, from the right side to the upper one."""
    w, h = width / 2 - corner.offset, height / 2 - corner.offset
    e, n = min(corner.extent, h, w / corner.aspect), corner.exponent
    turn = np.linspace(0, np.pi / 2, CORNER + 1)
    # Equal steps of the normal's angle rather than of the parameter, so that points are denser in bends.
    t = np.arctan2(np.sin(turn) ** (1 / max(2 - 2 / n, 0.2)), np.cos(turn) ** (1 / max(2 - 2 / n, 0.2)))
    c, s = np.clip(np.cos(t), 0, 1), np.clip(np.sin(t), 0, 1)
    c[-1] = s[0] = 0.0
    a = e * corner.aspect
    point = np.stack([w - a + a * c ** (2 / n), h - e + e * s ** (2 / n)], axis=1)
    normal = np.stack([c ** (2 - 2 / n) / corner.aspect, s ** (2 - 2 / n)], axis=1)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    return point + corner.offset * normal, normal


def solid(slab: Slab) -> Solid:
    """The whole rounded plate, with flat caps inside the rounded edges."""
    flat, out = outline(slab.size[0], slab.size[1], slab.corner, slab.lower)
    if slab.bend:
        flat, out = _divided(flat, out, slab)
    lean = out
    if slab.flutes:
        flat, out, lean = _fluted(flat, out, slab.flutes)
    n, half, radius = len(flat), slab.size[2] / 2, slab.edge
    rows = [(z, inset, a) for z, inset, a in _profile(slab.front, radius, half)]
    rows += [(-z, inset, -a) for z, inset, a in reversed(_profile(slab.back, radius, half))]
    if slab.base is not None and slab.bend is None and slab.back is None:
        rows = _rooted(rows, slab.base - ROOT, radius, half)
    points, normals = [], []
    grains = [np.column_stack([-out[:, 1], out[:, 0], np.zeros(n)])] * len(rows)
    for z, inset, tilt in rows:
        ring = flat - inset * out
        if slab.bend and slab.base is not None:
            _square(ring, out, -slab.size[1] / 2)
        for end in slab.joined:
            # Coincident faces would shade each other, so a bend ends with its arc.
            reach = slab.bend.reach if slab.bend else slab.size[1] / 2
            _square(ring, out, reach if end == "top" else -reach)
        points.append(np.column_stack([ring, np.full(n, z)]))
        normals.append(np.column_stack([lean * np.cos(tilt), np.full(n, np.sin(tilt))]))
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
        cap, parts = _grid(points[row], slab.bend) if slab.bend else (points[row], [tuple(range(n))])
        points.append(cap)
        normals.append(np.tile([0.0, 0.0, sign], (len(cap), 1)))
        grains.append(np.tile([1.0, 0.0, 0.0], (len(cap), 1)))
        faces += [tuple(first + at for at in part[:: int(sign)]) for part in parts]
        slot = FRONT if sign > 0 else BACK if slab.back else WALL
        slots += _spine(slab, cap, parts, slot)
    place, upright, grain = np.concatenate(points), np.concatenate(normals), np.concatenate(grains)
    before = place
    if slab.bend:
        # Turn the axes so that the bend is about x.
        about = np.eye(3) if slab.bend.axis == "x" else TURN
        length = slab.size[1 if slab.bend.axis == "x" else 0]
        moved = _bent(slab.bend, length, place @ about, upright @ about, grain @ about)
        place, upright, grain = (part @ about.T for part in moved)
    return Solid(place, upright, np.cross(upright, grain), faces, slots, before)


def _rooted(
    rows: list[tuple[float, float, float]], low: float, radius: float, half: float
) -> list[tuple[float, float, float]]:
    """The rows of a profile above a height, and one at it.

    The rest of a part is inside its parent, or would come out of the other side of a thin one.
    """
    kept = [row for row in rows if row[0] > low]
    if len(kept) == len(rows):
        return rows
    up = float(np.clip((low - half) / radius + 1, 0, 1))
    out = float(np.sqrt(1 - up * up))
    return [*kept, (low, radius * (1 - out), float(np.arctan2(up, out)))]


def _spine(slab: Slab, cap: F64, parts: list[tuple[int, ...]], slot: int) -> list[int]:
    """The slots of the `parts` of a cap (n, 3): behind the arc of a folded plate, they are the wall's."""
    if slab.bend is None or slab.halves == (0,) or slot != BACK:
        return [slot] * len(parts)
    along = cap[np.array(parts), 1 if slab.bend.axis == "x" else 0].mean(axis=1)
    return [WALL if inside else slot for inside in np.abs(along) < slab.bend.reach]


def _square(ring: F64, out: F64, level: float) -> None:
    """Cut the end of a ring (n, 2) square at a `level`, above or below 0; it is inside another plate."""
    end = np.sign(level) * out[:, 1] > 1e-6
    ring[end, 1] = level
    corners = end & (np.abs(out[:, 0]) > 1e-6)
    ring[corners, 0] = np.sign(out[corners, 0]) * np.abs(ring[:, 0]).max()


def _divided(flat: F64, out: F64, slab: Slab) -> tuple[F64, F64]:
    """The outline with more points on its straight sides, for bending."""
    bend, (width, height, _) = slab.bend, slab.size
    step = height / ROWS, width / ACROSS
    if bend and bend.axis == "y":
        step = height / ACROSS, width / ROWS
    points, normals = [], []
    for a, b, n in zip(flat, np.roll(flat, -1, axis=0), out, strict=True):
        length = float(np.hypot(*(b - a)))
        upright = abs(b[1] - a[1]) > abs(b[0] - a[0])
        count = max(int(np.ceil(length / step[0 if upright else 1])), 1)
        share = np.arange(count) / count
        if bend and slab.halves != (0,):
            # A row at each end of the arc, where the material changes.
            start, end = (at[1 if bend.axis == "x" else 0] for at in (a, b))
            ends = (np.array([-bend.reach, bend.reach]) - start) / (end - start or 1e-9)
            share = np.unique(np.r_[share, ends[(ends > 0) & (ends < 1)]])
        points.append(a + share[:, None] * (b - a))
        normals.append(np.repeat(n[None], len(share), axis=0))
    return np.concatenate(points), np.concatenate(normals)


def _fluted(flat: F64, out: F64, count: int) -> tuple[F64, F64, F64]:
    """A round outline at even angles: points, normals, and the normals of its grooves' sides."""
    turn = np.arange(count * GROOVE) / (count * GROOVE) * 2 * np.pi
    radius = float(np.hypot(*flat.T).max())
    # Piecewise linear between the steepest points, as in the renderer.
    phase = turn * count / (2 * np.pi) % 1
    swing = np.interp(phase, (0, 0.25, 0.75, 1), (0, 1, -1, 0)) * np.radians(SLOPE)
    normal = np.column_stack([np.cos(turn), np.sin(turn)])
    return radius * normal, normal, np.column_stack([np.cos(turn + swing), np.sin(turn + swing)])


def _grid(ring: F64, bend: Bend) -> tuple[F64, list[tuple[int, ...]]]:
    """A cap between opposite points of its ring, as a grid of points and quads."""
    if bend.axis == "y":
        turned, parts = _grid(ring @ TURN, bend.model_copy(update={"axis": "x"}))
        return turned @ TURN.T, parts
    heights = np.unique(ring[:, 1].round(9))
    # Opposite points differ by rounding errors. Faces between them would have no area, and spoil the normals
    # of those beside them.
    heights = heights[np.diff(heights, prepend=-np.inf) > SAME]
    wide = np.array([np.abs(ring[np.abs(ring[:, 1] - y) < 2 * SAME, 0]).max() for y in heights])
    share = np.linspace(-1, 1, ACROSS + 1)
    x = wide[:, None] * share
    grid = np.stack([x, np.broadcast_to(heights[:, None], x.shape), np.full(x.shape, ring[0, 2])], axis=2)
    row = np.arange(len(heights) - 1)[:, None] * (ACROSS + 1) + np.arange(ACROSS)
    quads = np.stack([row, row + 1, row + ACROSS + 2, row + ACROSS + 1], axis=2).reshape(-1, 4)
    return grid.reshape(-1, 3), [tuple(quad) for quad in quads.tolist()]


def _bent(bend: Bend, height: float, points: F64, normals: F64, grain: F64) -> tuple[F64, F64, F64]:
    """The points, normals and grain of a flat plate after it is fitted, tapered and bent, in this order."""
    x, y, z = points.T
    if bend.mouth:
        beside, fall = zip(*bend.mouth, strict=True)
        y = y - np.interp(np.abs(x), beside, fall) * np.clip(0.5 - y / height, 0, 1)
    slope = 2 * bend.taper / height
    normals = normals.copy()
    normals[:, 0] /= 1 - slope * y
    normals[:, 1] += normals[:, 0] * x * slope
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    x = x * (1 - slope * y)
    # Go along the arc to the nearest point of the middle layer, then along the normal and the tangent.
    most = np.radians(abs(bend.angle)) / 2
    turn = np.clip(y / bend.radius, -most, most)
    tilt = turn * np.sign(bend.angle)
    tangent = np.column_stack([np.zeros_like(x), np.cos(tilt), -np.sin(tilt)])
    normal = np.column_stack([np.zeros_like(x), np.sin(tilt), np.cos(tilt)])
    arc = bend.radius * np.column_stack(
        [np.zeros_like(x), np.sin(turn), np.sign(bend.angle) * (np.cos(turn) - 1)]
    )
    beyond = (y - turn * bend.radius)[:, None]
    place = arc + z[:, None] * normal + beyond * tangent + np.column_stack([x, 0 * x, 0 * x])

    def turned(vectors: F64) -> F64:
        across = np.column_stack([vectors[:, 0], 0 * x, 0 * x])
        return np.asarray(across + vectors[:, 1:2] * tangent + vectors[:, 2:] * normal, np.float64)

    return place, turned(normals), turned(grain)


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


def half(slab: Slab, side: int) -> F64:
    """The transform (4, 4) of a half of a folded plate, from the flat plate to the slab."""
    matrix = np.eye(4)
    if slab.bend and side:
        about = np.eye(3) if slab.bend.axis == "x" else TURN
        far = np.array([0.0, side * 1e3, 0.0]) @ about.T
        places = np.concatenate([far[None], far + np.eye(3)]) @ about
        origin, *ends = _bent(slab.bend, 1.0, places, places, places)[0] @ about.T
        matrix[:3, :3] = np.column_stack([end - origin for end in ends])
        matrix[:3, 3] = origin - matrix[:3, :3] @ far
    return matrix


def frame(slab: Slab) -> F64:
    """The slab's place in the device, (4, 4): columns x, y, z and centre in mm."""
    x, y = (np.array(axis, float) / np.linalg.norm(axis) for axis in (slab.x, slab.y))
    y = y - x * (x @ y)
    y /= np.linalg.norm(y)
    matrix = np.eye(4)
    matrix[:3, :3] = np.column_stack([x, y, np.cross(x, y)])
    matrix[:3, 3] = slab.center
    return matrix
