"""Styles of drawing a device: real, in clay, or in outline."""

from __future__ import annotations

from typing import Literal

from ..devices.device import Device, Face, Slab
from ..validation.color import Color

Style = Literal["real", "clay", "outline"]

CLAY = Color(240, 239, 236)
INK, PALE_INK = Color(29, 29, 31), Color(245, 245, 247)
BEHIND_LIGHT = Color(214, 218, 224)  # makes the outline of light devices visible; by eye
# Mean code value from which a finish is so light that lit faces come close to white, as silver and platinum
# metal does; by eye.
LIGHT = 200
DARK = 96  # mean code value below which a background needs light lines


def light(finish: Color) -> bool:
    """Whether the outline of a device of this colour is faint on a white background."""
    return sum(finish[:3]) / 3 >= LIGHT


def clay(device: Device) -> Device:
    """The device in clay: without seams, and with all surfaces of one matt material that takes the tint."""
    return device.model_copy(update={"slabs": tuple(map(_clay_slab, device.slabs))})


def ink(*backgrounds: Color) -> Color:
    """A colour of lines that is visible on all of the given colours; a transparent colour counts as pale."""
    values = [sum(color[:3]) / 3 if color.alpha else 255.0 for color in backgrounds]
    return PALE_INK if sum(values) / len(values) < DARK else INK


def _clay_slab(slab: Slab) -> Slab:
    faces = {"front": _clay_face(slab.front), "back": slab.back and _clay_face(slab.back)}
    return slab.model_copy(update={"surface": "clay", "tinted": True, "real": slab, **faces})


def _clay_face(face: Face) -> Face:
    return face.model_copy(update={"surface": "clay", "tinted": True, "inset": 0.0, "gasket": 0.0})
