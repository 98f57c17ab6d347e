"""Finishes whose surface differs from the others', such as steel where most are aluminium."""

from __future__ import annotations

from functools import cache

from ..validation.color import Color, parse
from .device import Device, Slab, Surface, catalogue


def in_finish(device: Device, tint: Color) -> Device:
    """The device in the finish of the colour `tint`, with that finish's own surface if it has one."""
    own = (one for one in device.finishes if (one.surface or one.back) and parse(one.hex) == tint)
    finish = next(own, None)
    return _made(device.id, finish.surface, finish.back) if finish else device


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


def _slab(slab: Slab, usual: Surface, surface: Surface) -> Slab:
    changed: dict[str, object] = {
        name: face.model_copy(update={"surface": surface})
        for name, face in (("front", slab.front), ("back", slab.back))
        if face is not None and face.tinted and face.surface == usual
    }
    if slab.tinted and slab.surface == usual:
        changed["surface"] = surface
    return slab.model_copy(update=changed)
