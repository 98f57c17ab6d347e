"""The final gather of faces near occluders, once a frame."""

from __future__ import annotations

from ...devices.device import Slab
from ..geometry.face import plane
from ..light.frame import Frame, per_frame
from ..light.hinged import foot_occluders
from ..light.interreflection import fields
from ..light.occluder import face_occluders
from .final_gather import FinalGather, final_gather
from .foot import Foot, foot


@per_frame
def over(frame: Frame, slab: Slab, front: bool, side: int) -> FinalGather | None:
    """The final gather of a face with occluders; None for other faces.

    None, too, for glossy faces with layers or a screen: the gloss lies above those, and is added in a pass
    of its own.
    """
    face, material = (None if front else slab.back) or slab.front, frame.face(slab, front)[0]
    drawn = face.layers or (front and frame.device.screens_on(slab))
    if not material.metal and (drawn or not material.roughness):
        return None
    at = plane(slab, front, side)
    # Other faces have the light close to a hinge or lid in a strip, see `strip`.
    near = slab.role == "hinge" or not frame.quality.contact
    others = (foot_occluders(frame, slab, at, hinges=False) if near else ()) or face_occluders(
        frame, slab, at, fields(frame)
    )
    return final_gather(frame, slab, front, at, others) if others else None


@per_frame
def strip(frame: Frame, slab: Slab, front: bool) -> Foot | None:
    """How a hinge and lid close to a rough face change its light; None for other faces."""
    material = frame.face(slab, front)[0]
    if slab.role not in ("deck", "lid") or not frame.quality.contact or not material.roughness:
        return None
    return foot(
        frame, slab, front, foot_occluders(frame, slab, plane(slab, front)), over(frame, slab, front, 0)
    )
