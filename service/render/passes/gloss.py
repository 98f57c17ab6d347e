"""Gloss: mirrored light is added over the light of the body below, which is reduced accordingly."""

from __future__ import annotations

import numpy as np

from ...devices.device import Slab
from ..kernels.compositing import coat
from ..light.falloff import falloff
from ..light.frame import Frame
from ..paint.contact import darken
from ..paint.standing import face_shadows
from ..tone import KNEE, mixed, strongest
from .target import NONE, Surface, Target


def applies(frame: Frame, slab: Slab) -> bool:
    """True, since every face may be coated."""
    return True


def paint(frame: Frame, slab: Slab, target: Target) -> None:
    """Lay each coating over its face: dim the face's light, and add the light that the coating mirrors."""
    for surface in target.surfaces:
        if not surface.coated:
            continue
        if not surface.material.roughness:
            # Contact shadows fall on the paint below; smooth glass shows mirror images of the parts instead.
            shadows = face_shadows(frame, slab, surface.front, target.side)
            darken(surface.rgb, surface.box, shadows, frame.camera)
        coat(surface.rgb, surface.mirrored, surface.lost)
        if surface.screens:
            _blend(frame, surface)
        # Later passes do not need the mirrored light, so free its memory.
        surface.mirrored = NONE


def _blend(frame: Frame, surface: Surface) -> None:
    """Correct pixels that show a bright bezel and a screen, whose light is added after the shoulder."""
    share = surface.shown.reshape(-1)
    places = np.flatnonzero((share > 0) & (share < 1))
    if not len(places):
        return
    light, under = (each.reshape(-1, 3) for each in (surface.rgb, surface.mirrored))
    fall, box = np.ones((len(places), 1), np.float32), surface.box
    if factors := falloff(frame, box):
        rows, columns = factors
        fall[:, 0] = rows[places // box.width] * columns[places % box.width]
    # The shoulder is applied after the falloff, and does not change darker pixels.
    bright = strongest(light[places]) * fall[:, 0] > (1 - share[places]) * np.float32(KNEE)
    places, fall = places[bright], fall[bright]
    light[places] = mixed(light[places] * fall, under[places] * fall, share[places]) / fall
