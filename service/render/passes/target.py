"""The target on which passes paint: a slab, or half of a folded slab, and its faces, in a box of the
canvas."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ...arrays import F32, U8
from ...clock import Clock
from ...devices.device import Face
from ..geometry.face import Plane
from ..geometry.mesh import Mesh
from ..geometry.raster import Box, Samples
from ..material import Material
from ..paint.final_gather import FinalGather

# light that is not computed yet or is no longer needed; by construction
NONE = np.zeros((0, 0, 3), np.float32)


@dataclass(slots=True, eq=False)
class Surface:
    """A face seen in a `box`, in linear light (h, w, 3) float32.

    `mirrored` is the light that its material mirrors, with reduced glare where it shows a screen. The share
    `lost` (h, w) of light does not reach the layers. Near occluders, `gathered` is the face's final gather,
    which replaces `mirrored`. The layers of such a face, unless it is metal, have a `varnish`: the light that
    gloss mirrors there, and the share of light that does not reach the layers below it. `white` (3,) is the
    light on white matt paint. The `layers` pass starts the face's own light, `rgb`.

    `screens` has, by the screen's index in the device, the share (h, w) of each pixel that shows the screen;
    the `screens` pass turns these shares into gains on the screen's light. `outline` (n, 2) is the outline of
    the face, px.
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
    gathered: FinalGather | None = None
    varnish: tuple[F32, F32] | None = None

    @property
    def shown(self) -> F32:
        """The share (h, w) of each pixel that shows any screen, at most 1; valid until the `screens` pass."""
        return np.minimum(sum(self.screens.values()), np.float32(1))

    @property
    def coated(self) -> bool:
        """Whether mirrored light lies over a body that has light of its own."""
        return self.material.lit and not self.material.metal and self.gathered is None


@dataclass(slots=True, eq=False)
class Target:
    """A slab, or one `side` of a folded one (see `Slab.halves`), while passes paint it in a `box`.

    Its mesh is `shape`, and `cover` (h, w) its outline's coverage of each pixel, 0-255. `walls` is the light
    (h, w, 3) of the walls, premultiplied by the share of each pixel that samples hit; everything else is
    painted over it. `border` has the samples of a face's rounded border, `arc` those along a fold's arc, in a
    box of their own. `places` (h, w, 6) are samples of the texture coordinates of draped walls (see
    `draped.shown`). `flat` (h, w) is the coverage, 0-255, of the flat face; if it is None, the face covers
    what the walls leave. `gasket` (h, w) is the coverage, 0-255, of the gap around the face, or None without
    a gap. `rim` (h, w) is not 0 where the edge of the face, or the gap, crosses a pixel.
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
    places: F32 | None = None
    flat: U8 | None = None
    gasket: U8 | None = None
    rim: U8 | None = None
    surfaces: list[Surface] = field(default_factory=list)
    gains: dict[int, F32] = field(default_factory=dict)
