"""Exact coverage where wall, gasket and face meet."""

from __future__ import annotations

from ...devices.device import Slab
from ..light.frame import Frame
from ..paint.contact import darken
from ..paint.rim import join, polish, rim, straight
from ..paint.softening import partial
from ..paint.standing import bears, border_shadows
from .target import Target
from .walls import mirrors_sharply


def applies(frame: Frame, slab: Slab) -> bool:
    """Whether a slab is straight or has straight halves."""
    return slab.bend is None or slab.halves != (0,)


def paint(frame: Frame, slab: Slab, target: Target) -> None:
    """Scale samples to exact coverage, except along the arc of a fold."""
    shape, side, box, front = target.shape, target.side, target.box, target.front
    if front is None:
        return
    if side:
        shares, whole = straight(slab, shape, front, side, frame.camera, box)
    else:
        shares, whole = rim(shape, front, target.cover, frame.camera, box), None
    if target.border is not None and mirrors_sharply(frame, slab, front):
        polish(frame, slab, front, target.border, shares, box, side)
    if target.border is not None and not side and bears(frame, slab):
        darken(target.border.rgb, box, border_shadows(frame, slab, front), frame.camera)
    if frame.quality.soft_edges:
        target.rim = partial(shares.wall)
        if shares.gasket is not None:
            target.rim |= shares.gasket
    join(target.walls, target.border, shares)
    target.gasket = None if target.border is None else shares.gasket
    if whole is None:
        target.flat = shares.face
    elif target.arc is not None:
        arc, near = target.arc
        at = near.within(box)
        left = ~whole[at]
        target.walls.rgb[at][left], target.walls.hit[at][left] = arc.rgb[left], arc.hit[left]
        if target.gasket is not None:
            target.gasket[at][left] = 0
    # Later passes do not need the samples of border and arc, so free their memory.
    target.border = target.arc = None
