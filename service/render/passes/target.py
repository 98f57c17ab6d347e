"""What passes paint on: a slab, or half of a folded one, and its faces, in a box of the canvas."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from service.arrays import F32, U8
from service.clock import Clock
from service.devices.device import Face
from service.render.geometry.face import Plane
from service.render.geometry.mesh import Mesh
from service.render.geometry.raster import Box, Samples
from service.render.material import Material
from service.render.paint.final_gather import FinalGather

NONE = np.zeros((0, 0, 3), np.float32)  # light that is not there yet, or no longer needed; by construction


@dataclass(slots=True, eq=False)
class Surface:
    """A face seen in a `box`, in linear light (h, w, 3) float32.

    `mirrored` is the light that its material mirrors, and `dimmed` the same with reduced glare, None if that
    makes no difference. The share `lost` (h, w) of light does not reach the layers. Where something stands
    over the face, all its light is `gathered`. `white` (3,) is the light on matt paint. `rgb` is the face
    itself, from its layers on.

    `screens` are the shares (h, w) of each pixel that show a screen, by its index in the device; they turn
    into the gains on its light. `outline` (n, 2) is the face's, px.
    """

    face: Face
    front: bool
    at: Plane
    box: Box
    outline: F32
    material: Material
    color: F32
    white: F32
    screens: dict[int, F32]
    mirrored: F32
    lost: F32
    rgb: F32
    dimmed: F32 | None = None
    gathered: FinalGather | None = None

    @property
    def coated(self) -> bool:
        """Whether mirrored light lies over a body that has its own."""
        return self.material.lit and not self.material.metal and self.gathered is None


@dataclass(slots=True, eq=False)
class Target:
    """One `side` of a slab, see `Slab.halves`, of a `shape`, that covers `cover` (h, w) of 255 of a `box`.

    Its `walls` are light (h, w, 3) premultiplied by the share of each pixel that was hit; all else is painted
    over them. `border` are the samples of a face's rounded border, and `arc` those along the arc of a fold,
    in a box of their own. The share `flat` (h, w) of 255 is that of its face, None if the face has what is
    left.
    """

    shape: Mesh
    side: int
    box: Box
    cover: U8
    clock: Clock
    walls: Samples = field(init=False)
    front: bool | None = None
    border: Samples | None = None
    arc: tuple[Samples, Box] | None = None
    flat: U8 | None = None
    surfaces: list[Surface] = field(default_factory=list)
    gains: dict[int, F32] = field(default_factory=dict)
