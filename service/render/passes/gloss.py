"""Gloss: mirrored light, added over the light of the body below, which loses as much."""

from __future__ import annotations

from service.devices.device import Slab
from service.render.kernels.compositing import coat
from service.render.light.frame import Frame
from service.render.paint.contact import darken
from service.render.paint.standing import face_shadows
from service.render.passes.target import NONE, Target


def applies(frame: Frame, slab: Slab) -> bool:
    """Every face may be coated."""
    return True


def paint(frame: Frame, slab: Slab, target: Target) -> None:
    """Add what coated faces mirror to what light is left below."""
    for surface in target.surfaces:
        if not surface.coated:
            continue
        if not surface.material.roughness:
            # Contact shadows fall on the paint below; smooth glass shows mirror images of the parts instead.
            shadows = face_shadows(frame, slab, surface.front, target.side)
            darken(surface.rgb, surface.box, shadows, frame.camera)
        coat(surface.rgb, surface.mirrored, surface.lost)
        # No later pass needs its memory.
        surface.mirrored, surface.dimmed = NONE, None
