"""Near-field light on decks and lids, within millimetres of where they meet."""

from __future__ import annotations

from ...devices.device import Slab
from ..light.frame import Frame
from ..paint.over import strip
from .target import Target


def applies(frame: Frame, slab: Slab) -> bool:
    """Whether a slab is a deck or a lid."""
    return frame.quality.contact and slab.role in ("deck", "lid")


def paint(frame: Frame, slab: Slab, target: Target) -> None:
    """Add the change of light close to a hinge or lid to the faces' own."""
    for surface in target.surfaces:
        change = strip(frame, slab, surface.front)
        if change is not None:
            change.show(surface.mirrored, surface.lost, surface.at, frame, surface.box)
