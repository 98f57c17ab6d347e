"""The grain of flat faces, in the light that they mirror."""

from __future__ import annotations

import numpy as np

from ...devices.device import Slab
from ..light.frame import Frame
from ..material import GRAINS
from ..paint.grain import Grained, grained
from .target import Target


def applies(frame: Frame, slab: Slab) -> bool:
    """Whether a slab has grain on a face."""
    faces = (slab.front, slab.back) if slab.back else (slab.front,)
    return frame.quality.grain and any(face.surface in GRAINS for face in faces)


def paint(frame: Frame, slab: Slab, target: Target) -> None:
    """Vary the light that faces mirror."""
    for surface in target.surfaces:
        if surface.face.surface in GRAINS and surface.material.lit:
            box, size = surface.box, slab.size[:2]
            cover = np.ones((box.height, box.width), np.uint8)
            if target.flat is not None:
                cover = target.flat[box.within(target.box)]
            face = Grained(GRAINS[surface.face.surface], surface.color, surface.at, size)
            grained(face, frame, box, cover, surface.mirrored)
