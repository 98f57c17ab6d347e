"""The shadow of a posed device: on its ground if that is seen, otherwise the soft shadow behind it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from service.arrays import F32
from service.render.geometry.camera import Camera
from service.render.geometry.raster import Box
from service.render.light.environment import turned
from service.render.plates import ground, shadow
from service.render.plates.shadow import Part
from service.settings.scene import PlateSpec


class Shade(Protocol):
    """A shadow on the canvas."""

    def part(self, band: Box) -> Part:
        """What of a band of the canvas it reaches."""
        ...


def cast(spec: PlateSpec, camera: Camera, outlines: Iterable[F32]) -> Shade:
    """The shadow of a plate spec's device, of convex `outlines` (n, 2) in canvas px, as a camera sees it."""
    if spec.ground is not None:
        at = ground.plane(spec.device, camera, spec.ground, spec.transform)
        light = turned(spec.environment, spec.turn)
        fallen = ground.cast(spec.device, camera, at, light, spec.ground)
        if fallen is not None:
            return fallen
    if spec.shadow is None:
        return shadow.NONE
    return shadow.cast(outlines, Box(0, 0, camera.width, camera.height), spec.shadow, spec.fast)
