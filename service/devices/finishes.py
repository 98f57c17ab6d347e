"""Differences between finishes besides the colour, such as steel where other finishes are aluminium."""

from __future__ import annotations

from functools import cache, lru_cache

from ..validation.color import Color, parse
from .device import Device, Face, Slab, Surface, catalogue

DARK = 118.0  # the mean code value below which white has more contrast than black


def in_finish(device: Device, tint: Color) -> Device:
    """The device in the finish of the colour `tint`: with the finish's own surface, if any, and its own
    pictures."""
    own = (one for one in device.finishes if (one.surface or one.back) and parse(one.hex) == tint)
    finish = next(own, None)
    made = _made(device.id, finish.surface, finish.back) if finish else device
    if not any(layer.dark for slab in made.slabs for layer in slab.front.layers):
        return made
    return _drawn(made, dark=sum(tint[:3]) / 3 < DARK)


@cache
def _made(identifier: str, surface: Surface | None, back: Surface | None) -> Device:
    device = catalogue()[identifier]
    body, *others = device.slabs
    if back and body.back:
        bare = tuple(layer for layer in body.back.layers if not layer.grain)
        changed = body.back.model_copy(update={"surface": back, "layers": bare})
        body = body.model_copy(update={"back": changed})
    slabs = body, *others
    if surface:
        slabs = tuple(_slab(slab, body.surface, surface) for slab in slabs)
    return device.model_copy(update={"slabs": slabs})


@lru_cache(maxsize=64)
def _drawn(device: Device, *, dark: bool) -> Device:
    """The device with the pictures for dark or for other colours."""
    slabs = tuple(slab.model_copy(update={"front": _chosen(slab.front, dark=dark)}) for slab in device.slabs)
    return device.model_copy(update={"slabs": slabs})


def _chosen(face: Face, *, dark: bool) -> Face:
    layers = tuple(
        layer.model_copy(update={"image": (dark and layer.dark) or layer.image, "dark": None})
        for layer in face.layers
    )
    return face.model_copy(update={"layers": layers})


def _slab(slab: Slab, usual: Surface, surface: Surface) -> Slab:
    changed: dict[str, object] = {
        name: face.model_copy(update={"surface": surface})
        for name, face in (("front", slab.front), ("back", slab.back))
        if face is not None and face.tinted and face.surface == usual
    }
    if slab.tinted and slab.surface == usual:
        changed["surface"] = surface
    return slab.model_copy(update=changed)
