"""The passes in which a slab is painted, in their order."""

from __future__ import annotations

from typing import Protocol

from ...devices.device import Slab
from ..light.frame import Frame
from . import (
    drapery,
    edges,
    faces,
    gaps,
    gloss,
    grain,
    joins,
    layers,
    reflections,
    screens,
    shadows,
    sides,
    strips,
    walls,
)
from .target import Target


class Pass(Protocol):
    """One pass: a module with two functions."""

    def applies(self, frame: Frame, slab: Slab) -> bool:
        """Whether the pass may paint on a slab; fast, and never wrongly false."""
        ...

    def paint(self, frame: Frame, slab: Slab, target: Target) -> None:
        """Paint on the target, in place."""
        ...


#: First the wall and its decals, then the faces: their mirrored light, the layers below that, and both
#: together.
PASSES: tuple[Pass, ...] = (
    walls,
    sides,
    edges,
    drapery,
    faces,
    strips,
    grain,
    layers,
    reflections,
    gloss,
    shadows,
    gaps,
    screens,
    joins,
)
