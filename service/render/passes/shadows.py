"""Contact shadows of raised parts on rough faces and metal."""

from __future__ import annotations

from service.devices.device import Slab
from service.render.light.frame import Frame
from service.render.paint.contact import darken
from service.render.paint.standing import bears, face_shadows
from service.render.passes.target import Target


def applies(frame: Frame, slab: Slab) -> bool:
    """Slabs with parts on them."""
    return bears(frame, slab)


def paint(frame: Frame, slab: Slab, target: Target) -> None:
    """Darken rough faces and metal around their parts; for smooth faces, the `gloss` pass does it."""
    for surface in target.surfaces:
        if surface.material.lit and (surface.material.roughness or not surface.coated):
            shadows = face_shadows(frame, slab, surface.front, target.side)
            darken(surface.rgb, surface.box, shadows, frame.camera)
