"""The radiance that the walls of slabs send to the camera, at their vertices."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ...arrays import F32
from ...devices.device import Slab
from ..geometry.face import plane
from ..geometry.footing import below, joined
from ..geometry.mesh import Mesh, pose
from ..light import neighbours
from ..light.floor import FARTHEST, Floor
from ..light.frame import Frame, per_frame
from ..light.gap import hinge_occluders
from ..light.interreflection import fields
from ..light.occluder import Occluder, face_occluders, wall_occluders
from ..light.shading import mirror
from ..memoize import MIB, memoize
from .contact import painted
from .culling import covers, uncovered
from .hollow import curved
from .order import exposed, halvings, shaped, visible
from .planar_reflection import shown
from .standing import UPRIGHT, ground, own_shadow
from .wall import lit

FACE = 2  # number of the axis normal to a slab's faces; by construction
# angle, radians, to either side of a matt wall's normal within which most of its light comes; by eye
MATT = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Radiance:
    """The radiance (n, 3) of a wall's vertices; `near` says whether the wall mirrors occluders."""

    vertices: F32
    near: bool


def radiance(frame: Frame, slab: Slab) -> Radiance:
    """The light of a visible slab's wall; walls that look alike are lit together."""
    return _lit(frame, _groups(frame)[slab.name])[slab.name]


@per_frame
def _groups(frame: Frame) -> dict[str, tuple[Slab, ...]]:
    """For each visible slab, by its name, the slabs whose walls are lit together with its own."""
    alike: dict[Hashable, tuple[Slab, ...]] = {}
    for slab in visible(frame):
        key = _look(frame, slab) if frame.quality.batched else slab.name
        alike[key] = (*alike.get(key, ()), slab)
    # Sort the group, so that its cached mesh does not depend on which slab is painted first.
    groups = (tuple(sorted(slabs, key=lambda slab: slab.name)) for slabs in alike.values())
    return {slab.name: group for group in groups for slab in group}


def _look(frame: Frame, slab: Slab) -> Hashable:
    """A key that is equal for the walls of raised parts that look alike; for other slabs, the slab's name."""
    parent, own = frame.under(slab), own_shadow(frame, slab)
    if parent is None or slab.bend is not None:
        return slab.name
    shade = None if own is None else (id(own.matt), own.level)
    faces = (slab.front, slab.back) if slab.back else (slab.front,)
    paints = [(face.surface, face.tinted, face.color, face.tone) for face in faces]
    return parent.name, painted(slab), *paints, shade, halvings(frame, slab)


@per_frame
def _lit(frame: Frame, slabs: tuple[Slab, ...]) -> dict[str, Radiance]:
    """The light of several slabs' walls that look alike, by the slabs' names."""
    first, parent = slabs[0], frame.under(slabs[0])
    fine = halvings(frame, first)
    shape = shaped(frame, first) if len(slabs) == 1 else joined(slabs, parent, halvings=fine)
    base = ground(frame, first, parent) if parent else None
    if base is not None:
        bends = below(first, parent, halvings=fine) if len(slabs) == 1 else None
        if bends is not None:
            base = replace(base, normal=frame.camera.view(bends).astype(np.float32))
        base = replace(base, slope=_kept_slope((slabs, parent, fine), _under(frame, first), shape))
    others: Sequence[Occluder] = ()
    if _exchanges(frame, first):
        others = hinge_occluders(frame, first, partial(shown, textures=frame.textures))
        others = others or wall_occluders(frame, first, fields(frame))
    hollow = _hollow(frame, first, shape)
    for own, _ in hollow:
        shape = shape.without(own)
    if hollow:
        shape = uncovered(frame, shape, covers(frame)[first.name])
    elif len(slabs) == 1:
        shape = exposed(frame, first)
    vertices = lit(frame, first, shape, base, own_shadow(frame, first), others)
    around, beside = neighbours.of(frame), _beside(frame, first)
    if around is not None and beside:
        within = lit(frame, first, shape, base, own_shadow(frame, first), (*beside, *others))
        vertices = around.blended(vertices, within)
    for own, sent in hollow:
        vertices[own] = sent
    if frame.floor is not None and parent is None:
        vertices *= _standing(frame, first, shape, frame.floor)[:, None]
    ends = np.cumsum([len(shaped(frame, slab).points) for slab in slabs])
    walls = zip(slabs, np.split(vertices, ends[:-1]), strict=True)
    return {slab.name: Radiance(part, bool(others)) for slab, part in walls}


def _exchanges(frame: Frame, slab: Slab) -> bool:
    """Whether a slab's wall exchanges light with others; a watch's case does so with its straps."""
    straps = [other.size[2] for other in frame.device.slabs if other.role == "strap"]
    return not frame.narrow(min([slab.size[2], *straps]))


def _beside(frame: Frame, slab: Slab) -> Sequence[Occluder]:
    """The neighbours that a slab's wall may mirror; for a raised part, only those in front of its parent."""
    around = neighbours.of(frame)
    if around is None or slab.role == "hinge":
        return ()
    parent = frame.slabs.get(slab.parent) if slab.parent else None
    if parent is None:
        return around.occluders
    front = bool((pose(slab)[1] - pose(parent)[1]) @ pose(parent)[0][:, 2] > 0)
    return around.over(frame, plane(parent, front))


def _standing(frame: Frame, slab: Slab, shape: Mesh, floor: Floor) -> F32:
    """The share (n,) of a wall's light that the contact shadow on the floor leaves at its vertices."""
    camera, left = frame.camera, np.ones(len(shape.points), np.float32)
    points = camera.view(shape.points)
    near = np.flatnonzero(floor.heights(points) < FARTHEST)
    if not len(near):
        return left
    points, material = points[near], frame.wall(slab)[0]
    normals = camera.view(shape.normals[near]).astype(np.float32)
    ways, width = normals, MATT
    if material.metal or not material.roughness:
        away = (frame.eye - points).astype(np.float32)
        toward = away / np.linalg.norm(away, axis=1, keepdims=True)
        ways, width = mirror(normals, toward)[1], 2 * material.level**2
    left[near] = floor.left(points, normals, ways, width, slab.edge)
    return left


def _hollow(frame: Frame, slab: Slab, shape: Mesh) -> list[tuple[NDArray[np.intp], F32]]:
    """The vertices (n,) of the faces of a bend between metal plates, and their radiance (n, 3), if they are
    seen."""
    if slab.bend is None or not slab.joined or not frame.wall(slab)[0].metal:
        return []
    bends = []
    for front in (True, False):
        over = face_occluders(frame, slab, plane(slab, front), fields(frame))
        if over:
            bends.append(curved(frame, slab, shape, front, over))
    return bends


def _under(frame: Frame, slab: Slab) -> list[tuple[Slab, int]]:
    """The straight slabs over whose faces or side walls a raised part stands, nearest first.

    Each comes with the number of the axis normal to that face or wall.
    """
    slabs = []
    parent, up = frame.under(slab), pose(slab)[0][:, 2]
    while parent is not None and parent.bend is None:
        along = np.abs(pose(parent)[0].T @ up)
        if along.max() <= UPRIGHT:
            break
        slabs.append((parent, int(along.argmax())))
        parent = frame.under(parent)
    return slabs


@memoize(2 * MIB, key=lambda of, under, shape: (of, *under))
def _kept_slope(of: Hashable, under: Sequence[tuple[Slab, int]], shape: Mesh) -> F32 | None:
    """As `_slope`, cached: `of` identifies the shape by its slabs, their parent and its halvings."""
    return _slope(shape, under)


def _slope(shape: Mesh, under: Sequence[tuple[Slab, int]]) -> F32 | None:
    """The slope (n,) at which vertices look down past the edge of a face or wall below them.

    Light from beyond an edge has to pass the edges of all slabs `under` the part, so the smallest slope
    counts. Each slab comes with the number of the axis normal to the face. Walls end in rounded edges; faces
    are treated as ending at the slab's outline. Returns None without such slabs.
    """
    least = None
    for slab, up in under:
        axes, center = pose(slab)
        along, edge = [axis for axis in range(3) if axis != up], slab.edge if up < FACE else 0.0
        places, normals = (shape.points - center) @ axes, shape.normals @ axes
        # Distances are relative to the axis of the edge's quarter circle.
        high = np.maximum(np.abs(places[:, up, None]) - slab.size[up] / 2, 0) + edge
        away = np.maximum(np.array(slab.size)[along] / 2 - edge - np.abs(places[:, along]), 1e-3)
        past = np.arctan2(high, away) - np.arcsin(edge / np.hypot(high, away))
        slope = (np.abs(normals[:, along]) * np.tan(past)).max(axis=1)
        least = slope if least is None else np.minimum(least, slope)
    if least is None:
        return None
    found = np.asarray(least, np.float32)
    found.flags.writeable = False
    return found
