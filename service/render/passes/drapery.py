"""UV textures on plates that are bent all along, such as the weave of a strap."""

from __future__ import annotations

from service.devices.device import Slab
from service.render.light.frame import Frame
from service.render.paint.draped import drape
from service.render.paint.order import shaped
from service.render.passes.target import Target


def applies(frame: Frame, slab: Slab) -> bool:
    """Slabs whose faces are part of their mesh, and have pictures."""
    faces = (slab.front, slab.back) if slab.back else (slab.front,)
    return not shaped(frame, slab).caps and any(face.layers for face in faces)


def paint(frame: Frame, slab: Slab, target: Target) -> None:
    """Lay the pictures of both faces over the wall's light."""
    assert target.places is not None
    drape(frame, slab, target.walls, target.places)
