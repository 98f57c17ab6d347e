"""The linear colours of a device's parts under one tint, (3,) float32 in 0-1."""

from __future__ import annotations

from dataclasses import dataclass

from service.arrays import F32
from service.models.color import parse
from service.models.devices import Face, Slab
from service.render.tone import linear


@dataclass(frozen=True, slots=True, eq=False)
class Colors:
    """The finish `tint` (3,), linear, colours tinted parts; glass, lenses and gaskets keep their own."""

    tint: F32

    def wall(self, slab: Slab) -> F32:
        """The colour of a slab's wall, linear (3,)."""
        return self.tint if slab.tinted else linear(parse(slab.color))

    def face(self, face: Face) -> F32:
        """The colour of a face's surface, linear (3,)."""
        return self.tint if face.tinted else linear(parse(face.color))
