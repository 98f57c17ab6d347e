"""The linear colours, (3,) float32 in 0-1, of a device's parts under one tint."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ...arrays import F32
from ...devices.device import Device, Face, Slab
from ...validation.color import parse
from ..tone import linear

COLORS = 1024  # number of linear part colours that are cached: more than all devices have; by cost
PALE = 0.4  # share of white mixed into a tint for parts in the light tone, if the finish names none; by eye


@dataclass(frozen=True, slots=True, eq=False)
class Colors:
    """The colours of a finish: its `tint` (3,), linear, colours tinted parts; glass, lenses and gaskets keep
    their own colours.

    Parts in the light tone have the colour `light` (3,), by default the tint.
    """

    tint: F32
    light: F32 | None = None

    def wall(self, slab: Slab) -> F32:
        """The colour of a slab's wall, linear (3,)."""
        return self._of(slab)

    def face(self, face: Face) -> F32:
        """The colour of a face's surface, linear (3,)."""
        return self._of(face)

    def _of(self, part: Slab | Face) -> F32:
        if not part.tinted:
            return _linear(part.color)
        return self.light if part.tone == "light" and self.light is not None else self.tint


@lru_cache(COLORS)
def _linear(color: str) -> F32:
    light = linear(parse(color))
    light.flags.writeable = False
    return light


def colors(device: Device, tint: F32) -> Colors:
    """The colours of a device in a `tint` (3,); its light tone is that named by the finish, or else the tint
    mixed with white."""
    for finish in device.finishes:
        if finish.light is not None and np.array_equal(_linear(finish.hex), tint):
            return Colors(tint, _linear(finish.light))
    return Colors(tint, tint + (1 - tint) * np.float32(PALE))
