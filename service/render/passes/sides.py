"""Side walls: shadows of the buttons on them, and pictures such as ports and antenna bands."""

from __future__ import annotations

from typing import get_args

from ...devices.device import Side, Slab
from ..geometry.face import wall
from ..light.frame import Frame
from ..paint.contact import darken
from ..paint.decal import apply_decal, half_of, surrounds
from ..paint.standing import bare, bears, wall_shadows
from .target import Target


def applies(frame: Frame, slab: Slab) -> bool:
    """Whether anything stands or is drawn on a slab's walls."""
    return bool(slab.decals) or bears(frame, slab)


def paint(frame: Frame, slab: Slab, target: Target) -> None:
    """Darken walls and lay pictures on them, one wall after the other."""
    side = target.side
    for walls, box in ((target.walls, target.box), *((target.arc,) if target.arc else ())):
        for which in get_args(Side):
            target.clock.check()
            if wall(slab, which, side).seen(frame.camera):
                darken(walls.rgb, box, wall_shadows(frame, slab, which, side), frame.camera)
            left_out = bare(frame, slab, which, side)
            for decal in slab.decals:
                # Without a part, the shade drawn around it would look like a hole.
                around = any(surrounds(decal, place) for place in left_out)
                if decal.side == which and half_of(slab, decal, side) and not around:
                    apply_decal(frame, slab, decal, walls, box, side)
