"""The shadows that the devices of a scene cast on faces whose light is not gathered.

These faces are glossy, with a screen or layers below the gloss; `neighbours.py` handles all others. The
shadows are computed as on a wall (see `softbox.py`): each face is a plane, and the other devices stand in
front of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ...arrays import F64
from ...devices.device import Slab
from ...settings.scene import BLUR, SIGMA, GroundSpec, PlateSpec
from ..geometry.camera import Camera, Stage
from ..geometry.face import near_first, plane
from ..light.environment import turned
from ..material import SURFACES
from ..paint.over import gathers
from .ground import GroundShade, cast
from .plane import PHYSICAL, GroundPlane, Solid, posed

RISE = 0.5  # mm; devices that rise less than this in front of a face cast no shadow on it; a guard


class Shaded(NamedTuple):
    """A face's shadow, and which face of its slab it is: the front or the back, and of which half."""

    shade: GroundShade
    front: bool
    side: int


Lost = Mapping[str, Shaded]


def shades(spec: PlateSpec, stage: Stage) -> list[Lost]:
    """For each device, the shadows on the faces of its slabs, by the slabs' names; raised parts are left
    out."""
    lit = _light(spec)
    if lit is None or len(spec.instances) < 2:
        return [{} for _ in spec.instances]
    solids = [
        list(posed(one.device, camera, stage.shift(number)))
        for number, (one, camera) in enumerate(zip(spec.instances, stage.cameras, strict=True))
    ]
    found = []
    for number in range(len(solids)):
        others = [shape for other, own in enumerate(solids) if other != number for shape in own]
        found.append(_lost(spec, stage, number, others))
    return found


def strength(spec: PlateSpec) -> float:
    """The strength with which devices block each other's light; 1 is physical."""
    lit = _light(spec)
    return 0.0 if lit is None else lit.opacity / PHYSICAL


def _light(spec: PlateSpec) -> GroundSpec | None:
    """The strength and softness of the shadows; if there is a ground, those of its shadow."""
    if spec.ground is not None:
        return replace(spec.ground, kind="wall")
    if spec.shadow is None:
        return None
    blur = spec.shadow.sigma / (SIGMA * min(spec.width, spec.height))
    opacity = spec.shadow.opacity * spec.shadow.color.alpha / 255
    return GroundSpec("wall", 0.0, opacity, blur / BLUR, spec.shadow.color)


def _lost(spec: PlateSpec, stage: Stage, number: int, others: Sequence[Solid]) -> Lost:
    lit, camera = _light(spec), stage.cameras[number]
    environment = turned(spec.environment, spec.turn)
    found: dict[str, Shaded] = {}
    device = spec.instances[number].device
    for slab in device.slabs:
        face = _face(slab, camera)
        if face is None or lit is None or gathers(device, slab, face[0]):
            continue
        origin, *axes = _axes(slab, face, camera)
        at = GroundPlane(origin + stage.shift(number), np.stack(axes))
        before = [
            solid._replace(points=points, piece=None)
            for solid in others
            if (points := _before(solid.points, at)) is not None
        ]
        made = cast(before, stage.camera, at, environment, lit, fast=spec.fast) if before else None
        if made is not None:
            found[slab.name] = Shaded(made, *face)
    return found


def _face(slab: Slab, camera: Camera) -> tuple[bool, int] | None:
    """The visible face of a slab, front or back, and its half; None for raised and unlit faces."""
    if slab.parent is not None or slab.role == "strap" or not SURFACES[slab.front.surface].lit:
        return None
    side = near_first(slab, camera)[0]
    for front in (True, False):
        if plane(slab, front, side).seen(camera):
            return front, side
    return None


def _axes(slab: Slab, face: tuple[bool, int], camera: Camera) -> F64:
    """A face's middle, mm from the device's pivot, and its axes x, y and normal: (4, 3), view space."""
    at = plane(slab, *face)
    return camera.view(np.stack([at.origin, at.x, at.y, at.normal]))


def _before(points: F64, at: GroundPlane) -> F64 | None:
    """The part of a convex shape (n, 3) in front of a face; None if hardly any is."""
    height = (points - at.origin) @ at.axes[2]
    if height.max() < RISE:
        return None
    # Points behind the face are moved into its plane.
    return np.asarray(points - np.minimum(height, 0)[:, None] * at.axes[2], np.float64)
