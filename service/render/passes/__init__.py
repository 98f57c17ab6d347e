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
        """Whether the pass may paint on a slab: a quick test, which may be wrongly true but is never wrongly
        false."""
        ...

    def paint(self, frame: Frame, slab: Slab, target: Target) -> None:
        """Paint a slab on the target, in place."""
        ...


#: The wall and its decals come first, then the faces. A face gets its mirrored light, then the layers below
#: it, and then both are added.
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
