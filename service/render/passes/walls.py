"""The rounded wall: its vertices, which are lit once per frame, are rasterised, and its grain is laid over
them."""

from __future__ import annotations

import numpy as np

from ...devices.device import Slab
from ..geometry.raster import Projected, projected
from ..light.frame import Frame
from ..material import GRAINS
from ..paint.draped import shown
from ..paint.grain import brushed
from ..paint.radiance import radiance
from ..paint.rim import along_arc, kinds, seen
from . import drapery
from .target import Target


def applies(frame: Frame, slab: Slab) -> bool:
    """True, since every slab has a wall."""
    return True


def paint(frame: Frame, slab: Slab, target: Target) -> None:
    """Rasterise the wall; for a border that mirrors sharply, samples contain normals instead of light."""
    shape, side, box, camera = target.shape, target.side, target.box, frame.camera
    # Without exact edges, samples give the coverage of a half, too.
    target.front = None if side and not frame.quality.exact_edges else seen(slab, camera, side)
    key = _projected, shape, side, target.front, frame.fine
    seen_sides = frame.memo.get(key, lambda: _projected(frame, slab, target))
    target.walls, target.border, target.places = seen_sides.paint(box, frame.samples)
    if frame.quality.grain and slab.surface in GRAINS and slab.bend is None and not slab.flutes:
        brushed(GRAINS[slab.surface], frame.wall(slab)[1], frame, slab, box, target.walls)
    if side and target.front is not None:
        near = along_arc(shape, camera).clipped(box)
        arc = projected(shape.half(side), radiance(frame, slab).vertices, camera)
        target.arc = arc.paint(near, frame.samples).samples, near


def _projected(frame: Frame, slab: Slab, target: Target) -> Projected:
    """The wall's front sides, projected once for all boxes of the canvas."""
    shape, camera, side = target.shape, frame.camera, target.side
    own = None if target.front is None else kinds(slab, shape, target.front, side)
    of = radiance(frame, slab).vertices
    if own is not None and mirrors_sharply(frame, slab, target.front):
        normals = camera.view(shape.normals).astype(np.float32)
        of = np.where((own == 1)[:, None], normals, of)
    if drapery.applies(frame, slab):
        of = np.concatenate([of, shown(frame, slab, shape)], axis=1)
    return projected(shape.half(side), of, camera, own)


def mirrors_sharply(frame: Frame, slab: Slab, front: bool | None) -> bool:
    """Whether a face's border mirrors the environment sharply, and nothing else."""
    if front is None or not frame.quality.reflections or slab.role in ("part", "stand"):
        return False
    material = frame.face(slab, front)[0]
    return material.lit and not material.roughness and not radiance(frame, slab).near
