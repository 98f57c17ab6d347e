"""The plane of a ground, and the convex shapes that cast shadows on it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ...arrays import F64
from ...devices.categories import STANDING
from ...devices.device import Device, Slab
from ...settings.scene import GroundSpec, PlateSpec, Transform
from ..geometry.camera import Camera, Stage
from ..geometry.mesh import Halvings, mesh
from ..geometry.rotation import rotation
from ..light.floor import Floor
from ..memoize import MIB, memoize

# cosine between a device's front and the camera's axis from which only the front counts; by eye
EDGE_ON = 0.3
COARSE = Halvings(2, 3)  # segments of meshes that cast shadows; by cost
ARC = 5  # straight pieces that approximate the arc of a bent slab; by cost
PHYSICAL = 0.5  # opacity of a ground at which its shadows are physical, see `GroundSpec`; by construction
SEEN = 0.02  # sine of the angle at which the camera must look down on the ground; by eye


@dataclass(frozen=True, slots=True, eq=False)
class GroundPlane:
    """A ground in view space: its point `origin` (3,), mm, and unit `axes` (3, 3): across, along, up.

    `front` (3,) is the direction in which a standing device faces the camera. Its length is 1 at most, and 0
    if the device is seen edge-on.
    """

    origin: F64
    axes: F64
    front: F64 = field(default_factory=lambda: np.zeros(3))

    def seen(self, camera: Camera) -> bool:
        """Whether the camera is above the ground."""
        eye = np.array([0.0, 0.0, camera.distance]) - self.origin
        return bool(eye @ self.axes[2] > SEEN * np.linalg.norm(eye))

    def flat(self, points: F64, toward: F64) -> F64:
        """Where points (n, 3), view mm, cast their shadows on the ground, mm (n, 2), in light from the
        direction `toward` (3,)."""
        local = (points - self.origin) @ self.axes.T
        light = self.axes @ toward
        return np.asarray(local[:, :2] - local[:, 2:] * (light[:2] / light[2]), np.float64)


class Piece(NamedTuple):
    """A convex piece of a slab, by its number in `pieces`, and its pose: view mm are turned device mm (3, 3),
    shifted (3,)."""

    slab: Slab
    number: int
    turn: F64
    shift: F64


class Solid(NamedTuple):
    """Points (n, 3), view mm from the middle of the scene, whose convex hull is a part of a device.

    `hangs` says whether a stand holds it in the air. If the device stands by itself, `piece` is where the
    points come from.
    """

    points: F64
    hangs: bool
    piece: Piece | None = None


def plane(stage: Stage, devices: Sequence[Device], ground: GroundSpec, transform: Transform) -> GroundPlane:
    """The ground of posed devices: a wall faces the camera, a floor is level.

    A device that stands by itself keeps its floor in any pose; below other devices, the floor tilts about x.
    """
    up = np.array([0.0, 0.0, 1.0])
    if ground.kind == "floor":
        stands = next((n for n, device in enumerate(devices) if device.category in STANDING), None)
        up = (
            rotation(transform.rx, 0, 0)[:, 1]
            if stands is None
            else stage.cameras[stands].turn @ np.array(devices[stands].up)
        )
    aside = np.array([0.0, 1.0, 0.0]) if ground.kind == "wall" else np.array([0.0, 0.0, -1.0])
    across = np.cross(aside, up)
    across /= np.linalg.norm(across)
    axes = np.stack([across, np.cross(up, across), up])
    lowest = min(float((solid.points @ up).min()) for solid in solids(stage, devices))
    normals = [camera.turn[:, 2] for camera in stage.cameras]
    front = np.mean([normal * np.clip(normal[2] / EDGE_ON, -1, 1) for normal in normals], axis=0)
    return GroundPlane(up * (lowest - ground.distance), axes, front - (front @ up) * up)


def floor(spec: PlateSpec, stage: Stage) -> Floor | None:
    """The floor that shades what stands on it, view mm from the middle of the scene.

    None is returned if the spec has no floor, the floor's shadow is off, or the camera is not above it.
    """
    ground = spec.ground
    if ground is None or ground.kind != "floor" or ground.opacity <= 0:
        return None
    at = plane(stage, [one.device for one in spec.instances], ground, spec.transform)
    if not at.seen(stage.camera):
        return None
    return Floor(at.origin, at.axes[2], min(ground.opacity / PHYSICAL, 1.0))


def solids(stage: Stage, devices: Sequence[Device]) -> Iterator[Solid]:
    """The solids of posed devices."""
    for number, (device, camera) in enumerate(zip(devices, stage.cameras, strict=True)):
        yield from posed(device, camera, stage.shift(number))


def posed(device: Device, camera: Camera, shift: F64) -> Iterator[Solid]:
    """A device as its camera sees it, shifted by `shift` (3,), view mm, without its raised parts."""
    stands = any(slab.role == "foot" for slab in device.slabs)
    for slab in device.slabs:
        if slab.role not in ("part", "hinge"):
            for number, points in enumerate(pieces(slab)):
                own = Piece(slab, number, camera.turn, shift) if device.category in STANDING else None
                yield Solid(camera.view(points) + shift, stands and slab.role == "body", own)


@memoize(MIB)
def pieces(slab: Slab) -> tuple[F64, ...]:
    """Points (n, 3), device mm, whose convex hulls make up a slab."""
    return tuple(_pieces(slab))


def _pieces(slab: Slab) -> Iterator[F64]:
    shape = mesh(slab.real or slab, halvings=COARSE)
    if not shape.slices:
        yield shape.hull
        return
    pairs = [np.concatenate(pair) for pair in pairwise(shape.slices)]
    yield pairs[0]
    for start in range(1, len(pairs) - 1, step := max(math.ceil(len(pairs) / ARC), 1)):
        yield np.concatenate(pairs[start : min(start + step, len(pairs) - 1)])
    yield pairs[-1]
