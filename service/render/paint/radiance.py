"""The light that the walls of slabs send to the camera, by their vertices."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from service.arrays import F32
from service.devices.device import Slab
from service.render.geometry.face import plane
from service.render.geometry.footing import below
from service.render.geometry.mesh import Mesh, joined, pose
from service.render.light.frame import Frame, per_frame
from service.render.light.gap import beside
from service.render.light.interreflection import fields
from service.render.light.occluder import Occluder, around, occluders
from service.render.paint.contact import painted
from service.render.paint.hollow import curved
from service.render.paint.order import halvings, shaped, visible
from service.render.paint.planar_reflection import shown
from service.render.paint.standing import UPRIGHT, ground, own_shadow
from service.render.paint.wall import lit


@dataclass(frozen=True, slots=True, eq=False)
class Radiance:
    """The radiance (n, 3) of a wall's vertices; `near`, whether others stand beside it and are mirrored."""

    vertices: F32
    near: bool


def radiance(frame: Frame, slab: Slab) -> Radiance:
    """The light of a visible slab's wall, found with that of walls that look alike."""
    return _lit(frame, _groups(frame)[slab.name])[slab.name]


@per_frame
def _groups(frame: Frame) -> dict[str, tuple[Slab, ...]]:
    """The visible slabs whose walls are lit at once, by the name of each."""
    found: dict[Hashable, tuple[Slab, ...]] = {}
    for slab in visible(frame):
        key = _look(frame, slab) if frame.quality.batched else slab.name
        found[key] = (*found.get(key, ()), slab)
    # In one order, whichever is painted first, so that their joined mesh is found again.
    groups = (tuple(sorted(slabs, key=lambda slab: slab.name)) for slabs in found.values())
    return {slab.name: group for group in groups for slab in group}


def _look(frame: Frame, slab: Slab) -> Hashable:
    """What makes walls of raised parts look alike; of other slabs, their name."""
    parent, own = frame.under(slab), own_shadow(frame, slab)
    if parent is None or slab.bend is not None:
        return slab.name
    shade = None if own is None else (id(own.matt), own.level)
    faces = (slab.front, slab.back) if slab.back else (slab.front,)
    paints = [(face.surface, face.tinted, face.color, face.tone) for face in faces]
    return parent.name, painted(slab), *paints, shade, halvings(frame, slab)


@per_frame
def _lit(frame: Frame, slabs: tuple[Slab, ...]) -> dict[str, Radiance]:
    """The light of walls that look alike, by the slabs' names."""
    first, parent = slabs[0], frame.under(slabs[0])
    shape = shaped(frame, first) if len(slabs) == 1 else joined(slabs, halvings(frame, first))
    base = ground(frame, first, parent) if parent else None
    if base is not None:
        bends = below(first, parent, halvings=halvings(frame, first)) if len(slabs) == 1 else None
        if bends is not None:
            base = replace(base, normal=frame.camera.view(bends).astype(np.float32))
        else:
            base = replace(base, slope=_slope(shape, _under(frame, first)))
    others: Sequence[Occluder] = beside(frame, first, partial(shown, textures=frame.textures))
    others = others or around(frame, first, fields(frame))
    hollow = _hollow(frame, first, shape)
    for own, _ in hollow:
        shape = shape.without(own)
    found = lit(frame, first, shape, base, own_shadow(frame, first), others)
    for own, sent in hollow:
        found[own] = sent
    ends = np.cumsum([len(shaped(frame, slab).points) for slab in slabs])
    walls = zip(slabs, np.split(found, ends[:-1]), strict=True)
    return {slab.name: Radiance(part, bool(others)) for slab, part in walls}


def _hollow(frame: Frame, slab: Slab, shape: Mesh) -> list[tuple[NDArray[np.intp], F32]]:
    """Vertices (n,) of the faces of a bend between metal plates, and their radiance (n, 3), if seen."""
    if slab.bend is None or not slab.joined or not frame.wall(slab)[0].metal:
        return []
    found = []
    for front in (True, False):
        over = occluders(frame, slab, plane(slab, front), fields(frame))
        if over:
            found.append(curved(frame, slab, shape, front, over))
    return found


def _under(frame: Frame, slab: Slab) -> list[Slab]:
    """The straight slabs whose faces a raised part stands over, nearest first."""
    found = []
    parent, up = frame.under(slab), pose(slab)[0][:, 2]
    while parent is not None and parent.bend is None and abs(float(pose(parent)[0][:, 2] @ up)) > UPRIGHT:
        found.append(parent)
        parent = frame.under(parent)
    return found


def _slope(shape: Mesh, under: Sequence[Slab]) -> F32 | None:
    """The height of vertices (n,) over the faces below their part, per mm to those faces' edges.

    That is the least over all slabs `under` it, whose edges light passes; None without any.
    """
    found = None
    for slab in under:
        axes, center = pose(slab)
        places, normals = (shape.points - center) @ axes, shape.normals @ axes
        high = np.maximum(np.abs(places[:, 2]) - slab.size[2] / 2, 0)
        half = np.array(slab.size[:2]) / 2
        away = (half - np.abs(places[:, :2])) / np.maximum(np.abs(normals[:, :2]), 1e-3)
        slope = high / np.maximum(away.min(axis=1), 1e-3)
        found = slope if found is None else np.minimum(found, slope)
    return None if found is None else np.asarray(found, np.float32)
