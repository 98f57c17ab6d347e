"""The rounded wall: its vertices, lit once a frame, are rasterised."""

from __future__ import annotations

import numpy as np

from ...devices.device import Slab
from ..geometry.raster import Samples, rasterise
from ..light.frame import Frame
from ..paint.draped import shown
from ..paint.radiance import radiance
from ..paint.rim import along_arc, kinds, seen
from . import drapery
from .target import Target


def applies(frame: Frame, slab: Slab) -> bool:
    """Every slab has a wall."""
    return True


def paint(frame: Frame, slab: Slab, target: Target) -> None:
    """Rasterise the wall; where a face's border mirrors sharply, its samples hold normals."""
    shape, side, box, camera = target.shape, target.side, target.box, frame.camera
    # Without exact edges, a half has the shares of its samples.
    target.front = None if side and not frame.quality.exact_edges else seen(slab, camera, side)
    own = None if target.front is None else kinds(slab, shape, target.front, side)
    colors, half = radiance(frame, slab).vertices, shape.half(side)
    of = colors
    if own is not None and mirrors_sharply(frame, slab, target.front):
        normals = camera.view(shape.normals).astype(np.float32)
        of = np.where((own == 1)[:, None], normals, colors)
    draped = drapery.applies(frame, slab)
    if draped:
        of = np.concatenate([of, shown(frame, shape)], axis=1)
    target.walls, target.border = rasterise(half, of, camera, box, frame.samples, own)
    if draped:
        light, target.places = (
            np.ascontiguousarray(part) for part in np.split(target.walls.rgb, [3], axis=2)
        )
        target.walls = Samples(light, target.walls.hit)
    if side and target.front is not None:
        near = along_arc(shape, camera).clipped(box)
        target.arc = rasterise(half, colors, camera, near, frame.samples)[0], near


def mirrors_sharply(frame: Frame, slab: Slab, front: bool | None) -> bool:
    """Whether a face's border mirrors the environment sharply, and nothing else."""
    if front is None or not frame.quality.reflections or slab.role in ("part", "stand"):
        return False
    material = frame.face(slab, front)[0]
    return material.lit and not material.roughness and not radiance(frame, slab).near
