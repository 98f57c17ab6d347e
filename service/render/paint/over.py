"""The final gather of faces near occluders, computed once per frame."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...devices.device import Device, Slab
from ..geometry.face import plane
from ..light import neighbours
from ..light.frame import Frame, per_frame
from ..light.hinged import foot_occluders
from ..light.interreflection import fields
from ..light.occluder import face_occluders
from ..material import SURFACES
from .final_gather import FinalGather, final_gather
from .foot import Foot, foot


@per_frame
def over(frame: Frame, slab: Slab, front: bool, side: int) -> FinalGather | None:
    """The final gather of a face with occluders; None for other faces.

    It is also None for narrow faces, and for faces with a screen that are not metal, because their gloss lies
    over the screen.
    """
    if not gathers(frame.device, slab, front) or frame.narrow(min(slab.size[:2])):
        return None
    at = plane(slab, front, side)
    # On other faces, the light close to a hinge or lid is computed by `strip`.
    near = slab.role == "hinge" or not frame.quality.contact
    others = (foot_occluders(frame, slab, at, hinges=False) if near else ()) or face_occluders(
        frame, slab, at, fields(frame)
    )
    others_beside = neighbours.of(frame)
    beside = others_beside.over(frame, at) if others_beside else ()
    alone = final_gather(frame, slab, front, at, others) if others else None
    if others_beside is None or not beside:
        return alone
    # Gather both at the same places, so that their difference is exactly 0 where neighbours block no light.
    within, without = (
        final_gather(frame, slab, front, at, over, beside=beside) for over in ((*beside, *others), others)
    )
    before = without if alone is None else alone
    change = others_beside.strength * (within.picture - without.picture)
    picture = np.maximum(before.picture + change.astype(np.float32), 0)
    return replace(before, picture=np.asarray(picture, np.float32))


def gathers(device: Device, slab: Slab, front: bool) -> bool:
    """Whether a face with occluders gets a final gather."""
    face = (None if front else slab.back) or slab.front
    material = SURFACES[face.surface]
    return material.metal or bool(material.roughness and not (front and device.screens_on(slab)))


@per_frame
def strip(frame: Frame, slab: Slab, front: bool) -> Foot | None:
    """The change that a hinge and a lid make to the light of a rough face close to them; None for other
    faces."""
    material = frame.face(slab, front)[0]
    if slab.role not in ("deck", "lid") or not frame.quality.contact or not material.roughness:
        return None
    return foot(
        frame, slab, front, foot_occluders(frame, slab, plane(slab, front)), over(frame, slab, front, 0)
    )
