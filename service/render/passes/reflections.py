"""Mirror images, in smooth glass, of the parts that stand on it and of the other half of a fold."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...devices.device import Slab
from ..geometry.face import plane
from ..geometry.mesh import HALVED, mesh
from ..light.frame import Frame, per_frame
from ..paint.images import HalfImage, PartImage
from ..paint.standing import bears, face_shadows, ground
from ..paint.wall import lit
from ..quality import PREVIEW
from .target import Target


def applies(frame: Frame, slab: Slab) -> bool:
    """Whether a slab is folded or has parts on it."""
    return frame.quality.reflections and (bears(frame, slab) or len(slab.halves) > 1)


def paint(frame: Frame, slab: Slab, target: Target) -> None:
    """Composite mirror images over the light that smooth faces mirror."""
    for surface in target.surfaces:
        if surface.coated and not surface.material.roughness:
            half = _half(frame, slab, surface.front, target) if target.side else None
            if half is not None:
                half.show(surface.mirrored, frame.camera, frame.light, surface.box)
            for number in range(len(face_shadows(frame, slab, surface.front, target.side))):
                image = _image(frame, slab, surface.front, target.side, number)
                image.show(surface.mirrored, surface.lost, frame.camera, surface.box)


@per_frame
def _image(frame: Frame, slab: Slab, front: bool, side: int, number: int) -> PartImage:
    """The mirror image of one of the parts on a face, by its number among the face's contact shadows."""
    shade, at = face_shadows(frame, slab, front, side)[number], plane(slab, front, side)
    shape, eye = mesh(shade.part, halvings=HALVED), at.mirrored(frame.camera.eye)
    few = replace(frame, quality=PREVIEW)
    radiance = lit(few, shade.part, shape, ground(frame, shade.part, slab), shade, eye=eye)
    return PartImage(shape.mirrored(at.mirrored(shape.points)), shape.hull, radiance, frame.samples)


def _half(frame: Frame, slab: Slab, front: bool, target: Target) -> HalfImage | None:
    """The other half's mirror image in a face of one half; None if it is not in front of the face."""
    at, other = (plane(slab, front, side) for side in (target.side, -target.side))
    hull = target.shape.end(-target.side)
    if float((hull.mean(axis=0) - at.origin) @ at.normal) < 0:
        return None
    normals = frame.camera.view(np.stack([at.normal, other.normal])).astype(np.float32)
    return HalfImage(at.mirrored(hull), normals, frame.face(slab, front)[0])
