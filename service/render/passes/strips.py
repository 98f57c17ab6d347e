"""Contact: how the light of metal changes within millimetres of a hinge or a lid."""

from __future__ import annotations

from service.devices.device import Slab
from service.render.light.frame import Frame
from service.render.paint.over import strip
from service.render.passes.target import Target


def applies(frame: Frame, slab: Slab) -> bool:
    """Decks and lids."""
    return frame.quality.contact and slab.role in ("deck", "lid")


def paint(frame: Frame, slab: Slab, target: Target) -> None:
    """Change the light of faces that something is close to."""
    for surface in target.surfaces:
        found = strip(frame, slab, surface.front)
        if found is not None:
            found.show(surface.mirrored, surface.lost, surface.at, frame.camera, surface.box)
