"""Neighbours: the light that devices of a scene hide from each other, and the light that they reflect
instead.

Each device is lit as if it were alone, except that the faces of the others' slabs are occluders in its view
space. Screens count as glass: the picture on a screen does not light other devices.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...arrays import F32
from ...devices.device import Slab
from ..geometry.bend import straightened
from ..geometry.camera import Stage
from ..geometry.face import Plane
from ..kernels.occluders import Rays
from .brdf import hemisphere
from .field import FACES
from .frame import Frame
from .occluder import ANYWHERE, NEAR, Occluder, rectangle

SKY = 64  # rays of the hemisphere over an occluder; by cost
# Share of the light hidden by a neighbour that its own light replaces; fitted to the references.
BOUNCED = 0.15
# Places at which the light on an occluder is sampled, as shares of half its width and height; by cost.
PLACES = (-0.6, 0.0, 0.6)
CLOSE = 12.0  # mm; an occluder that comes this near to a face has its foot on it; by eye


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours:
    """The other devices as occluders, and the `strength` of their effect; 1 is physically correct."""

    occluders: tuple[Occluder, ...]
    strength: float

    def over(self, frame: Frame, at: Plane) -> tuple[Occluder, ...]:
        """The occluders in front of a face of a frame's device, nearest first."""
        origin, normal = frame.camera.view(np.stack([at.origin, at.normal])).astype(np.float32)
        found = [one for one in self.occluders if _before(one, origin, normal)]
        return tuple(sorted(found, key=lambda one: float(np.linalg.norm(one.middle - origin))))

    def blended(self, without: F32, within: F32) -> F32:
        """A mix of the light `without` neighbours and the light `within` their reach, according to the
        strength."""
        mixed = without + np.float32(self.strength) * (within - without)
        return np.asarray(np.maximum(mixed, 0), np.float32)


def of(frame: Frame) -> Neighbours | None:
    """The neighbours of a frame's device; None if it is alone."""
    return frame.neighbours if isinstance(frame.neighbours, Neighbours) else None


def _before(one: Occluder, origin: F32, normal: F32) -> bool:
    """Whether any part of an occluder is in front of a plane, which has an `origin` (3,), view mm, and a
    `normal` (3,)."""
    reach = np.abs(one.axes[:2] @ normal) @ np.array(one.half)
    return bool((one.middle - origin) @ normal + reach > NEAR)


def foot(one: Occluder, origin: F32, axes: F32) -> F32 | None:
    """The corners (n, 2) of an occluder that are close to a face, mm along the face's x and y; None if none
    is.

    `axes` (3, 3) are the face's x, y and normal, `origin` (3,) its middle.
    """
    signs = np.array([(-1, -1), (-1, 1), (1, 1), (1, -1)], np.float32) * np.array(one.half, np.float32)
    corners = (one.middle + signs @ one.axes[:2] - origin) @ axes.T
    near = corners[np.abs(corners[:, 2]) < CLOSE, :2]
    return near if len(near) else None


def placed(frames: Sequence[Frame], stage: Stage, strength: float) -> list[Frame]:
    """The frames of a scene's devices, each with the others as its neighbours."""
    if strength <= 0 or len(frames) < 2:
        return list(frames)
    faces = [_moved(_faces(frame), stage.shift(number)) for number, frame in enumerate(frames)]
    lit = []
    for number, own in enumerate(faces):
        others = [one for other, sides in enumerate(faces) if other != number for one in sides]
        lit.append([_dimmed(one, others) for one in own])
    found = []
    for number, frame in enumerate(frames):
        others = [one for other, sides in enumerate(lit) if other != number for one in sides]
        seen = Neighbours(tuple(_moved(others, -stage.shift(number))), strength)
        found.append(replace(frame, neighbours=seen))
    return found


def _moved(occluders: Sequence[Occluder], by: np.ndarray) -> list[Occluder]:
    return [replace(one, middle=(one.middle + by).astype(np.float32)) for one in occluders]


def _faces(frame: Frame) -> list[Occluder]:
    """The fronts and backs of a device's slabs, without raised parts."""
    slabs = [slab for slab in frame.device.slabs if _plain(slab)]
    pieces = [piece for slab in slabs for piece in straightened(slab)]
    # Places just below a rounded edge lose light as well, so points up to half a thickness behind the face
    # count as in front of it.
    return [
        replace(rectangle(frame, piece, side == "front"), corner=piece.corner, behind=piece.size[2] / 2)
        for piece in pieces
        for side in FACES
    ]


def _plain(slab: Slab) -> bool:
    return slab.parent is None and slab.role != "hinge"


def _dimmed(one: Occluder, others: Sequence[Occluder]) -> Occluder:
    """An occluder dimmed by the light that others hide from it, evenly over its area."""
    places = np.array([(x, y) for x in PLACES for y in PLACES], np.float32) * np.array(one.half, np.float32)
    points = np.ascontiguousarray(one.middle + places @ one.axes[:2], np.float32)
    ways = (hemisphere(SKY) @ one.axes).astype(np.float32)
    cones = Rays(
        points,
        np.ascontiguousarray(np.broadcast_to(ways.T[:, :, None], (3, SKY, len(points)))),
        np.full(SKY, 2 * SKY**-0.5, np.float32),
    )
    left, normals = np.ones((SKY, len(points)), np.float32), np.tile(one.axes[2], (len(points), 1))
    for other in others:
        at = other.shape.before(cones, normals, 0.0, *ANYWHERE)
        left[:, at] *= 1 - other.shape.hidden(cones, at)[0]
    kept = 1 - (1 - BOUNCED) * (1 - float(left.mean()))
    light = one.face.light
    return replace(one, face=replace(one.face, light=replace(light, strength=light.strength * kept)))
