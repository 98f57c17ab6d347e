"""Parts that stand on a slab: the contact shadows that they cast on it, and the light that the slab sends to
them."""

from __future__ import annotations

import numpy as np

from ...devices.device import Side, Slab
from ..geometry.face import Plane, plane, wall
from ..geometry.mesh import pose
from ..light.frame import Frame, per_frame
from ..light.hemisphere import Hemisphere, hemisphere
from ..light.shading import Ground
from ..material import SURFACES
from .contact import ContactShadow, contact_shadows
from .culling import left_out

UPRIGHT = 0.9  # cosine of the tilt up to which a part stands on a face; by construction


def ground(frame: Frame, slab: Slab, parent: Slab) -> Ground:
    """The face or wall under a raised part."""
    up = pose(slab)[0][:, 2]
    normal = frame.camera.view(up[None]).astype(np.float32)[0]
    material, color = frame.wall(parent)
    side = float(up @ pose(parent)[0][:, 2])
    if side > UPRIGHT or (side < -UPRIGHT and parent.back is not None):
        material, color = frame.face(parent, side > 0)
    return Ground(normal, material, color, frame.light, _sky(frame, normal.tobytes()))


@per_frame
def _sky(frame: Frame, normal: bytes) -> Hemisphere:
    return hemisphere(frame.light.cells, np.frombuffer(normal, np.float32))


def own_shadow(frame: Frame, slab: Slab) -> ContactShadow | None:
    """A raised part's contact shadow on the face it stands on.

    It is None on metal: seen from the part, metal mirrors surroundings that the part does not hide from it.
    """
    parent = frame.under(slab)
    if parent is None:
        return None
    for half in parent.halves:
        for front, face in ((True, parent.front), (False, parent.back)):
            if face is None or SURFACES[face.surface].metal or not _on(slab, plane(parent, front, half)):
                continue
            standing = face_shadows(frame, parent, front, half)
            return next((one for one in standing if one.part == slab), None)
    return None


@per_frame
def face_shadows(frame: Frame, slab: Slab, front: bool, half: int) -> list[ContactShadow]:
    """The contact shadows of parts on a face, or on one straight half of a folded slab's face."""
    at, material = plane(slab, front, half), frame.face(slab, front)[0]
    parts = _standing(frame, slab, at)
    if not parts:
        return []
    return contact_shadows(
        frame, parts, at, ground(frame, parts[0], slab), material if material.metal else None
    )


def border_shadows(frame: Frame, slab: Slab, front: bool) -> list[ContactShadow]:
    """The contact shadows of parts that reach over a face's rounded border, such as a bar across a back."""
    at = plane(slab, front)
    return [one for one in face_shadows(frame, slab, front, 0) if _crosses(one.part, slab, at)]


def _crosses(part: Slab, slab: Slab, at: Plane) -> bool:
    """Whether a part reaches over the rounded edge of a slab's face."""
    axes, center = pose(part)
    place = center - at.origin
    for axis, whole in zip((at.x, at.y), slab.size, strict=False):
        reach = abs(float(place @ axis)) + float(np.abs(axes[:, :2].T @ axis) @ part.size[:2]) / 2
        if reach > whole / 2 - slab.edge:
            return True
    return False


@per_frame
def wall_shadows(frame: Frame, slab: Slab, which: Side, half: int) -> list[ContactShadow]:
    """The contact shadows of parts on a side wall, without parts that rise too little to be seen."""
    at, material, least = wall(slab, which, half), frame.wall(slab)[0], frame.quality.shadow_rise
    parts = _standing(frame, slab, at)
    if least:
        parts = [part for part in parts if _rise(part, at) * frame.camera.k >= least]
    if not parts:
        return []
    ends = slab.size[2] / 2 - slab.edge, slab.edge
    return contact_shadows(
        frame, parts, at, ground(frame, parts[0], slab), material if material.metal else None, ends
    )


def bare(frame: Frame, slab: Slab, which: Side, half: int) -> list[tuple[float, float]]:
    """The middles of parts that are left out of a side wall, mm along it and across."""
    narrow, at = left_out(frame), wall(slab, which, half)
    parts = [child for child in frame.device.slabs if child.name in narrow and child.parent == slab.name]
    places = [pose(part)[1] - at.origin for part in parts if _on(part, at)]
    return [(float(place @ at.x), float(place @ at.y)) for place in places]


def bears(frame: Frame, slab: Slab) -> bool:
    """Whether any raised part stands on a slab."""
    return any(child.parent == slab.name for child in frame.device.slabs)


def _standing(frame: Frame, slab: Slab, at: Plane) -> list[Slab]:
    """The raised parts that are painted on a face of a slab; stands and the like are occluders instead (see
    `occluder`)."""
    narrow = left_out(frame)
    children = [
        child for child in frame.device.slabs if child.parent == slab.name and child.name not in narrow
    ]
    raised = [child for child in children if "part" in (child.role, slab.role)]
    return [child for child in raised if _on(child, at)]


def _rise(part: Slab, at: Plane) -> float:
    """The height of a part over a face that it stands on, mm."""
    return float((pose(part)[1] - at.origin) @ at.normal) + part.size[2] / 2


def _on(part: Slab, at: Plane) -> bool:
    return float(pose(part)[0][:, 2] @ at.normal) > UPRIGHT
