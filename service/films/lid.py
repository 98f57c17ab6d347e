"""Opens laptops to another angle: turns the lid and leaves everything else in place."""

from __future__ import annotations

import math
from functools import lru_cache

from ..devices.device import Device, Slab
from ..devices.families.pose import along, vector

LID, DECK = "lid", "deck"


def opening(device: Device) -> float | None:
    """The angle between deck and lid, degrees; None for a device without a lid."""
    names = {slab.name for slab in device.slabs}
    if not {LID, DECK} <= names:
        return None
    _, rise, run = device.slab(DECK).y
    return 90 + math.degrees(math.atan2(rise, -run))


@lru_cache(maxsize=256)
def at(device: Device, angle: float) -> Device:
    """The device with its lid at an angle in degrees, turned about the hinge."""
    own = opening(device)
    assert own is not None
    lid = device.slab(LID)
    _, height, thickness = lid.size
    # The hinge's axis runs along the lower edge of the lid's front.
    hinge = along((1, lid.center), (-height / 2, lid.y), (thickness / 2, (0.0, 0.0, 1.0)))
    turn = math.radians(own - angle)
    slabs = tuple(_turned(slab, hinge, turn) if _on_lid(slab) else slab for slab in device.slabs)
    return device.model_copy(update={"slabs": slabs})


def _on_lid(slab: Slab) -> bool:
    return slab.name == LID or slab.parent == LID


def _turned(slab: Slab, hinge: tuple[float, float, float], turn: float) -> Slab:
    """A slab turned about an axis along x; positive brings its top towards the viewer."""
    cos, sin = math.cos(turn), math.sin(turn)

    def moved(x: float, y: float, z: float) -> tuple[float, float, float]:
        return x, y * cos - z * sin, y * sin + z * cos

    away = along((1, slab.center), (-1, hinge))
    center = along((1, moved(*away)), (1, hinge))
    return slab.model_copy(
        update={"center": vector(center), "x": vector(moved(*slab.x)), "y": vector(moved(*slab.y))}
    )
