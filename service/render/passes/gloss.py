"""Gloss: mirrored light, added over the light of the body below, which is reduced accordingly."""

from __future__ import annotations

from ...devices.device import Slab
from ..kernels.compositing import coat
from ..light.frame import Frame
from ..paint.contact import darken
from ..paint.standing import face_shadows
from .target import NONE, Target


def applies(frame: Frame, slab: Slab) -> bool:
    """Every face may be coated."""
    return True


def paint(frame: Frame, slab: Slab, target: Target) -> None:
    """Add the light that coatings mirror to the light that they let through to the faces below."""
    for surface in target.surfaces:
        if not surface.coated:
            continue
        if not surface.material.roughness:
            # Contact shadows fall on the paint below; smooth glass shows mirror images of the parts instead.
            shadows = face_shadows(frame, slab, surface.front, target.side)
            darken(surface.rgb, surface.box, shadows, frame.camera)
        coat(surface.rgb, surface.mirrored, surface.lost)
        # Later passes do not need the mirrored light, so free its memory.
        surface.mirrored = NONE
