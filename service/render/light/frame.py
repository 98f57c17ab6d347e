"""A frame: everything that a body's picture depends on, except the part of the canvas to paint."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from functools import cached_property, wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

import numpy as np

from ...arrays import F32, U8
from ...concurrency.single_flight import SingleFlight
from ...devices.device import Device, Slab
from ..geometry.camera import Camera
from ..material import SURFACES, Material
from ..quality import FULL, Quality
from .floor import Floor
from .shading import Light
from .tint import Colors, colors

P = ParamSpec("P")
T = TypeVar("T")


class Textures(Protocol):
    """A source of a device's textures, by the names in its record."""

    def identity(self, name: str) -> Hashable:
        """A key that no other texture of any device has; reads no pixels."""
        ...

    def read(self, name: str) -> U8:
        """The pixels of a texture, (h, w) grey or (h, w, 4) RGBA, uint8 sRGB, straight alpha; raises
        FileNotFoundError."""
        ...


@dataclass(frozen=True, eq=False)
class Frame:
    """A device before a camera, in a light and in its colours, painted in a quality.

    Walls are sampled `samples` times along each axis of a pixel, textures as often as the quality says. The
    camera's canvas has `fine` times the picture's pixels along each axis; light and textures keep the
    picture's resolution. In a scene, the other devices are its `neighbours` (see `neighbours.of`). A `floor`
    under the device shades its lower edges. `memo` caches the results of `per_frame` functions.
    """

    device: Device
    camera: Camera
    light: Light
    colors: Colors
    textures: Textures
    quality: Quality = FULL
    samples: int = FULL.samples[0]
    fine: int = 1
    neighbours: object = None
    floor: Floor | None = None
    memo: SingleFlight[Hashable, Any] = field(default_factory=SingleFlight)

    @classmethod
    def of(
        cls,
        device: Device,
        textures: Textures,
        camera: Camera,
        light: Light,
        tint: F32,
        quality: Quality = FULL,
    ) -> Frame:
        """The frame of a device in a `tint` (3,), linear, with as many samples as its size takes."""
        samples = int(np.clip(np.ceil(quality.density / camera.k), *quality.samples))
        return cls(device, camera, light, colors(device, tint), textures, quality, samples)

    def finer(self, times: int, least: int) -> Frame:
        """The frame on a canvas with `times` the pixels along each axis, and with `least` samples or more."""
        samples = max(self.samples // times, least)
        return replace(self, camera=self.camera.finer(times), samples=samples, fine=self.fine * times)

    @cached_property
    def picture_samples(self) -> int:
        """The number of samples of pictures along each axis of a pixel."""
        return max(self.quality.samples[0] // self.fine, 1)

    @cached_property
    def eye(self) -> F32:
        """The camera's position (3,) in view space, mm."""
        return self.camera.seat.astype(np.float32)

    @cached_property
    def slabs(self) -> dict[str, Slab]:
        """The device's slabs by name."""
        return {slab.name: slab for slab in self.device.slabs}

    def narrow(self, length: float) -> bool:
        """Whether something `length` mm wide is too narrow in the picture to exchange light."""
        return length * self.camera.k < self.quality.narrow * self.fine

    def wall(self, slab: Slab) -> tuple[Material, F32]:
        """The material of a slab's wall and its linear colour (3,)."""
        return SURFACES[slab.surface], self.colors.wall(slab)

    def face(self, slab: Slab, front: bool) -> tuple[Material, F32]:
        """The material of a slab's front or back and its linear colour (3,)."""
        face = (None if front else slab.back) or slab.front
        return SURFACES[face.surface], self.colors.face(face)

    def under(self, slab: Slab) -> Slab | None:
        """The slab that a raised part stands on; None for other slabs."""
        return self.slabs.get(slab.parent) if slab.parent and slab.role == "part" else None


def per_frame(work: Callable[Concatenate[Frame, P], T]) -> Callable[Concatenate[Frame, P], T]:
    """Decorate a function of a frame and other arguments to be memoized in the frame; one thread computes a
    result, and others wait for it."""

    @wraps(work)
    def memoized(frame: Frame, /, *args: P.args, **kwargs: P.kwargs) -> T:
        key = (work, args, *kwargs.items()) if kwargs else (work, args)
        made: T = frame.memo.get(key, work, frame, *args, **kwargs)
        return made

    return memoized
