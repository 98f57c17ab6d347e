"""UV textures on slabs that are bent along their whole length, such as the weave of a strap."""

from __future__ import annotations

from ...devices.device import Slab
from ..light.frame import Frame
from ..paint.draped import drape
from ..paint.order import shaped
from .target import Target


def applies(frame: Frame, slab: Slab) -> bool:
    """Whether a slab has a texture, and faces that are part of its mesh."""
    if slab.bend is None:
        return False
    faces = (slab.front, slab.back) if slab.back else (slab.front,)
    return any(face.layers for face in faces) and not shaped(frame, slab).caps


def paint(frame: Frame, slab: Slab, target: Target) -> None:
    """Lay the pictures of both faces over the wall's light."""
    assert target.places is not None
    drape(frame, slab, target.walls, target.places)
