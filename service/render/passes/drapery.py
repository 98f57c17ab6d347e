"""UV textures on plates that are bent all along, such as the weave of a strap."""

from __future__ import annotations

from service.devices.device import Slab
from service.render.light.frame import Frame
from service.render.paint.draped import drape
from service.render.paint.order import shaped
from service.render.passes.target import Target


def applies(frame: Frame, slab: Slab) -> bool:
    """Slabs whose faces are part of their mesh."""
    return not shaped(frame, slab).caps


def paint(frame: Frame, slab: Slab, target: Target) -> None:
    """Lay the pictures of both faces over the wall's light."""
    drape(frame, slab, shaped(frame, slab), target.walls, target.box)
