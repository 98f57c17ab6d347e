"""The shadow of a posed device: on its ground if that is visible, otherwise the soft shadow behind it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from ...arrays import F32
from ...devices.categories import WINDOWS
from ...settings.scene import PlateSpec
from ..geometry.camera import Stage
from ..geometry.raster import Box
from ..geometry.silhouette import outlines
from ..light.environment import turned
from . import ground, plane, shadow
from .shadow import ShadowPart


class Shade(Protocol):
    """A shadow on the canvas."""

    def part(self, band: Box) -> ShadowPart:
        """The part of the shadow in a band of the canvas."""
        ...


def silhouettes(spec: PlateSpec, stage: Stage) -> Iterator[F32]:
    """The outlines (n, 2) of a plate spec's devices, canvas px."""
    for one, camera in zip(spec.instances, stage.cameras, strict=True):
        yield from outlines(one.device, camera)


def cast(spec: PlateSpec, stage: Stage, outlines: Iterable[F32]) -> Shade:
    """The shadow of a plate spec's devices, which have convex `outlines` (n, 2), canvas px, as the stage's
    camera sees it."""
    camera = stage.camera
    if spec.ground is not None:
        devices = [one.device for one in spec.instances]
        at = plane.plane(stage, devices, spec.ground, spec.transform)
        light = turned(spec.environment, spec.turn)
        shapes = list(plane.solids(stage, devices))
        fallen = ground.cast(shapes, camera, at, light, spec.ground, fast=spec.fast)
        if fallen is not None:
            return fallen
    if spec.shadow is None:
        return shadow.NONE
    windows = all(one.device.category in WINDOWS for one in spec.instances)
    lobes = shadow.WINDOW if windows else shadow.DEVICE
    return shadow.cast(outlines, Box(0, 0, camera.width, camera.height), spec.shadow, spec.fast, lobes)
