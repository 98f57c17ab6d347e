"""Painter's order: the parts of a device from back to front, each a mesh and its outlines."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np

from ...arrays import F32
from ...devices.device import Slab
from ..geometry.footing import rooted, skirt
from ..geometry.mesh import Halvings, Mesh, mesh
from ..geometry.silhouette import boxed, interior, loops, silhouette, solid
from ..geometry.straps import Case, middle, sunk, unhidden
from ..light.frame import Frame, per_frame
from ..light.hinged import ends
from .culling import Cover, beyond, covers, every, ordered, uncovered

CLEAR = 0.75  # px inside a slab's outline from which a part behind the slab cannot be visible; by eye


class Part(NamedTuple):
    """A slab, the part of its mesh that is painted, the outlines of that part, (n, 2) px each, and the covers
    that are painted after it."""

    slab: Slab
    shape: Mesh
    outlines: tuple[F32, ...]
    covers: tuple[Cover, ...]

    def finer(self, times: int) -> Part:
        """The part on a canvas with `times` the pixels along each axis."""
        return self._replace(outlines=tuple(times * line for line in self.outlines))


@per_frame
def visible(frame: Frame) -> tuple[Slab, ...]:
    """The slabs from back to front, without those that are hidden by the slab on which they stand."""
    seen: dict[str, Slab] = {}
    hidden: dict[str, Callable[[Slab], bool]] = {}
    for slab in ordered(frame):
        parent = frame.slabs.get(slab.parent) if slab.parent else None
        if parent is not None and parent.name not in seen:
            if parent.name not in hidden:
                hidden[parent.name] = _behind(frame, parent)
            if hidden[parent.name](slab):
                continue
        seen[slab.name] = slab
    return tuple(seen.values())


@per_frame
def parts(frame: Frame) -> tuple[Part, ...]:
    """The parts to paint, from back to front.

    Straps that come out of their case are painted twice: once under the case, and then, where they hide a
    part of the case, once more over it. The closure of a strap is wholly in front of or behind everything
    else.
    """
    return tuple(_parts(frame))


def _parts(frame: Frame) -> Iterator[Part]:
    straps = [slab for slab in visible(frame) if slab.role == "strap"]
    closures = [slab for slab in straps if slab.base is None]
    held = [slab for slab in straps if slab.base is not None]
    deep, over = _cuts(frame) if held else (None, None)
    nearer = [slab for slab in closures if not beyond(frame, slab)]
    later = every(frame)
    yield from (_closure(frame, slab) for slab in closures if slab not in nearer)
    yield from (_cut(frame, slab, deep, later) for slab in held if deep)
    for slab in visible(frame):
        if slab.role != "strap":
            lines = (*silhouette(slab, frame.camera), *skirt(slab, shaped(frame, slab), frame.camera))
            yield Part(slab, exposed(frame, slab), lines, covers(frame)[slab.name])
    yield from (_cut(frame, slab, over, ()) for slab in held if over)
    yield from (_closure(frame, slab) for slab in nearer)


@per_frame
def shaped(frame: Frame, slab: Slab) -> Mesh:
    """The mesh of a slab, with more vertices where its light changes.

    A watch case gets more rows, because its wall darkens towards its straps. A laptop's lid gets more
    columns, because its lower edge is darker above a hinge.
    """
    if slab.role == "case" and frame.quality.case_rows:
        return mesh(slab, rows=frame.quality.case_rows)
    if slab.role == "lid":
        return mesh(slab, halvings=halvings(frame, slab), columns=ends(frame.device, slab))
    return rooted(slab, frame.under(slab), halvings=halvings(frame, slab))


@per_frame
def exposed(frame: Frame, slab: Slab) -> Mesh:
    """The mesh of a slab, without the triangles that covers hide."""
    return uncovered(frame, shaped(frame, slab), covers(frame)[slab.name])


def halvings(frame: Frame, slab: Slab) -> Halvings:
    """The number of times that a slab's segments are halved: more where corners, grooves and edges have few
    px."""
    k, quality = frame.camera.k, frame.quality
    groove = math.pi * slab.size[0] / slab.flutes if slab.flutes else math.inf
    corners = min(slab.corner.extent, groove) * k < quality.small_corner
    edges = slab.edge * k < quality.small_edge
    return Halvings(quality.halvings + corners, quality.halvings + edges)


def _cuts(frame: Frame) -> tuple[Callable[[Mesh], Mesh], Callable[[Mesh], Mesh]]:
    """Two functions that cut a strap's mesh to a part: the part painted under the case, and the part painted
    over it."""
    case = next(slab for slab in visible(frame) if slab.role == "case")
    whole, outline = solid(case), silhouette(case, frame.camera)[0]
    return partial(sunk, middle=middle(case)), partial(unhidden, case=Case.of(whole, outline, frame.camera))


def _closure(frame: Frame, slab: Slab) -> Part:
    """A closure, which is painted as a whole."""
    lines = loops(solid(slab) if frame.quality.exact_edges else shaped(frame, slab), frame.camera)
    return Part(slab, exposed(frame, slab), tuple(lines), covers(frame)[slab.name])


def _cut(frame: Frame, slab: Slab, cut: Callable[[Mesh], Mesh], some: tuple[Cover, ...]) -> Part:
    """A part of a slab's mesh, without the triangles that covers hide, and the outline of that part of the
    real slab.

    Without exact edges, the outline is that of the mesh, because cutting the real slab takes as long again.
    """
    own, real = shaped(frame, slab), solid(slab)
    part = cut(own)
    exact = frame.quality.exact_edges and own is not real
    lines = tuple(loops(cut(real) if exact else part, frame.camera))
    return Part(slab, uncovered(frame, part, some), lines, some)


def _behind(frame: Frame, parent: Slab) -> Callable[[Slab], bool]:
    """A test of whether a part is wholly behind the silhouette of the slab on which it stands."""
    cover, *more = silhouette(parent, frame.camera)
    if more:
        return lambda slab: False
    inside = interior(cover, CLEAR)
    standing = tuple(slab for slab in frame.device.slabs if slab.parent == parent.name)
    hidden = boxed(standing, frame.camera, inside)

    def wholly(slab: Slab) -> bool:
        return slab.name in hidden or bool(inside(np.concatenate(silhouette(slab, frame.camera))))

    return wholly
