"""Contact shadows of raised parts on rough faces and metal."""

from __future__ import annotations

from ...devices.device import Slab
from ..light.frame import Frame
from ..paint.contact import darken
from ..paint.standing import bears, face_shadows
from .target import Target


def applies(frame: Frame, slab: Slab) -> bool:
    """Whether a slab has parts on it."""
    return bears(frame, slab)


def paint(frame: Frame, slab: Slab, target: Target) -> None:
    """Darken rough faces and metal around their parts; the `gloss` pass does so for smooth faces."""
    for surface in target.surfaces:
        if surface.material.lit and (surface.material.roughness or not surface.coated):
            shadows = face_shadows(frame, slab, surface.front, target.side)
            darken(surface.rgb, surface.box, shadows, frame.camera)
