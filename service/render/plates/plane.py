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

# cosine between the normal of a device's front and the camera's axis from which only the front counts; by eye
EDGE_ON = 0.3
COARSE = Halvings(2, 3)  # segments of meshes that cast shadows; by cost
ARC = 5  # straight pieces that approximate the arc of a bent slab; by cost
PHYSICAL = 0.5  # opacity of a ground at which its shadows are physical (see `GroundSpec`); by construction
FEET = 0.7  # mm; height of the rubber feet that are only drawn on a laptop's bottom; by eye
SEEN = 0.02  # sine of the least angle at which the camera has to look down on the ground; by eye


@dataclass(frozen=True, slots=True, eq=False)
class GroundPlane:
    """A ground in view space: a point `origin` (3,) of it, mm, and its unit `axes` (3, 3): across, along, up.

    `front` (3,) is the direction in which a standing device faces the camera. The length of `front` is at
    most 1, and 0 if the device is seen edge-on.
    """

    origin: F64
    axes: F64
    front: F64 = field(default_factory=lambda: np.zeros(3))

    def seen(self, camera: Camera) -> bool:
        """Whether the camera is above the ground."""
        eye = np.array([0.0, 0.0, camera.distance]) - self.origin
        return bool(eye @ self.axes[2] > SEEN * np.linalg.norm(eye))

    def flat(self, points: F64, toward: F64) -> F64:
        """The places (n, 2), mm on the ground, of the shadows of points (n, 3), view mm, in light from the
        direction `toward` (3,)."""
        local = (points - self.origin) @ self.axes.T
        light = self.axes @ toward
        return np.asarray(local[:, :2] - local[:, 2:] * (light[:2] / light[2]), np.float64)


class Piece(NamedTuple):
    """A convex piece of a slab, by its number in `pieces`, and its pose: a `turn` (3, 3) and a `shift` (3,)
    take device mm to view mm."""

    slab: Slab
    number: int
    turn: F64
    shift: F64


class Solid(NamedTuple):
    """Points (n, 3), view mm from the middle of the scene, whose convex hull is a part of a device.

    `hangs` says whether a stand holds this part in the air. If the device stands by itself, `piece` is the
    piece to which the points belong.
    """

    points: F64
    hangs: bool
    piece: Piece | None = None


def plane(stage: Stage, devices: Sequence[Device], ground: GroundSpec, transform: Transform) -> GroundPlane:
    """The ground of posed devices: a wall faces the camera, a floor is level.

    A device that stands by itself keeps its floor in any pose; below other devices, the floor tilts about the
    x axis. A laptop stands on feet, so the shaded floor shows below its edge as a thin dark line.
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
    lowest = min(
        float((solid.points @ up).min()) - (gap(device) if ground.kind == "floor" else 0)
        for device, camera, shift in _placed(stage, devices)
        for solid in posed(device, camera, shift)
    )
    normals = [camera.turn[:, 2] for camera in stage.cameras]
    front = np.mean([normal * np.clip(normal[2] / EDGE_ON, -1, 1) for normal in normals], axis=0)
    return GroundPlane(up * (lowest - ground.distance), axes, front - (front @ up) * up)


def floor(spec: PlateSpec, stage: Stage) -> Floor | None:
    """The floor that shades the devices on it, view mm from the middle of the scene.

    It is None if the spec has no floor, if the floor's shadow is off, or if the camera is not above the
    floor.
    """
    ground = spec.ground
    if ground is None or ground.kind != "floor" or ground.opacity <= 0:
        return None
    at = plane(stage, [one.device for one in spec.instances], ground, spec.transform)
    if not at.seen(stage.camera):
        return None
    # The gap below a laptop is dark, so the laptop's lower edges are shaded as if they touched the floor.
    touched = at.origin + max(gap(one.device) for one in spec.instances) * at.axes[2]
    return Floor(touched, at.axes[2], min(ground.opacity / PHYSICAL, 1.0))


def solids(stage: Stage, devices: Sequence[Device]) -> Iterator[Solid]:
    """The solids of posed devices, for their shadows."""
    for device, camera, shift in _placed(stage, devices):
        yield from posed(device, camera, shift)


def _placed(stage: Stage, devices: Sequence[Device]) -> Iterator[tuple[Device, Camera, F64]]:
    for number, (device, camera) in enumerate(zip(devices, stage.cameras, strict=True)):
        yield device, camera, stage.shift(number)


def posed(device: Device, camera: Camera, shift: F64) -> Iterator[Solid]:
    """A device as its camera sees it, shifted by `shift` (3,), view mm, without most of its raised parts."""
    stands = any(slab.role == "foot" for slab in device.slabs)
    below = {slab.name for slab in parts_below(device)}
    for slab in device.slabs:
        if slab.role not in ("part", "hinge") or slab.name in below:
            for number, points in enumerate(pieces(slab)):
                own = Piece(slab, number, camera.turn, shift) if device.category in STANDING else None
                yield Solid(camera.view(points) + shift, stands and slab.role == "body", own)


def parts_below(device: Device) -> tuple[Slab, ...]:
    """The parts below a laptop's deck, on which it stands; none for other devices."""
    if device.category != "laptop":
        return ()
    up = np.array(device.up)
    deck = min(_lowest(slab, up) for slab in device.slabs if slab.role == "deck")
    return tuple(slab for slab in device.slabs if slab.role == "part" and _lowest(slab, up) < deck)


def _lowest(slab: Slab, up: F64) -> float:
    return min(float((points @ up).min()) for points in pieces(slab))


def gap(device: Device) -> float:
    """The height, mm, of feet that are only drawn on a device's bottom, such as the round feet of laptops."""
    drawn = device.category == "laptop" and all(slab.surface != "rubber" for slab in parts_below(device))
    return FEET if drawn else 0.0


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
