"""Mirror images, in smooth glass, of the parts that stand on it."""

from __future__ import annotations

from dataclasses import replace

from ...devices.device import Slab
from ..geometry.face import plane
from ..geometry.mesh import HALVED, mesh
from ..light.frame import Frame, per_frame
from ..paint.images import Image
from ..paint.standing import bears, face_shadows, ground
from ..paint.wall import lit
from ..quality import PREVIEW
from .target import Target


def applies(frame: Frame, slab: Slab) -> bool:
    """Slabs with parts on them."""
    return frame.quality.reflections and bears(frame, slab)


def paint(frame: Frame, slab: Slab, target: Target) -> None:
    """Composite mirror images of parts over the light that smooth faces mirror."""
    for surface in target.surfaces:
        if surface.coated and not surface.material.roughness:
            for number in range(len(face_shadows(frame, slab, surface.front, target.side))):
                image = _image(frame, slab, surface.front, target.side, number)
                image.show(surface.mirrored, surface.lost, frame.camera, surface.box)


@per_frame
def _image(frame: Frame, slab: Slab, front: bool, side: int, number: int) -> Image:
    """The mirror image of one of the parts on a face, by its number among the face's contact shadows."""
    shade, at = face_shadows(frame, slab, front, side)[number], plane(slab, front, side)
    shape, eye = mesh(shade.part, halvings=HALVED), at.mirrored(frame.camera.eye)
    few = replace(frame, quality=PREVIEW)
    radiance = lit(few, shade.part, shape, ground(frame, shade.part, slab), shade, eye=eye)
    return Image(shape.mirrored(at.mirrored(shape.points)), radiance, frame.samples)
