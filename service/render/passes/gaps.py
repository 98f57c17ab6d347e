"""Ambient occlusion in the gaps between a face and the slabs close over it."""

from __future__ import annotations

import numpy as np

from ...devices.device import Slab
from ..geometry.coverage import weighted
from ..geometry.raster import landed
from ..light.frame import Frame
from ..paint.crevice import crevice
from ..paint.over import strip
from ..paint.standing import face_shadows
from .target import Target


def applies(frame: Frame, slab: Slab) -> bool:
    """Whether there are gaps between a slab's front and other slabs."""
    return crevice(frame.device, slab) is not None


def paint(frame: Frame, slab: Slab, target: Target) -> None:
    """Darken fronts in gaps, except where contact shadows or a final gather already do so more exactly."""
    gap = crevice(frame.device, slab)
    for surface in target.surfaces:
        if gap is None or not surface.front or not surface.material.lit:
            continue
        if face_shadows(frame, slab, True, target.side) or strip(frame, slab, True) is not None:
            continue
        across, up = ((at - side / 2, at + side / 2) for at, side in zip(gap.center, gap.size, strict=True))
        camera, homography = frame.camera, surface.at.homography(frame.camera)
        part = landed(homography, across, up, camera.width, camera.height).clipped(surface.box)
        if part.area:
            where = part.within(surface.box)
            left = 1 - gap.seen(surface.at, camera, part)
            surface.rgb[where] = weighted(np.ascontiguousarray(surface.rgb[where]), left)
