"""Finishes whose surface differs from the others', such as steel where most are aluminium."""

from __future__ import annotations

from functools import cache

from service.devices.device import Device, Slab, Surface, catalogue
from service.validation.color import Color, parse


def in_finish(device: Device, tint: Color) -> Device:
    """The device in the finish of the colour `tint`, with that finish's own surface if it has one."""
    found = (finish.surface for finish in device.finishes if finish.surface and parse(finish.hex) == tint)
    surface = next(found, None)
    return _made(device.id, surface) if surface else device


@cache
def _made(identifier: str, surface: Surface) -> Device:
    device = catalogue()[identifier]
    usual = device.slabs[0].surface
    slabs = tuple(_slab(slab, usual, surface) for slab in device.slabs)
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
