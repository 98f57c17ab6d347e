"""Removes pictures from faces that a reference does not show: a change there leaves the reference valid."""

from __future__ import annotations

import numpy as np

from benchmarks.cases import Figure, View
from benchmarks.solid import frame
from service.arrays import F64
from service.devices.device import Device, Face, Slab


def shown(figure: Figure, view: View) -> Device:
    """A single device, with no pictures on the straight faces that turn away from the camera."""
    device = figure.device
    if any(slab.bend for slab in device.slabs):
        return device
    eye = figure.turn.T @ (np.array([0.0, 0.0, view.distance]) - figure.middle)
    return device.model_copy(update={"slabs": tuple(_shown(slab, eye) for slab in device.slabs)})


def _shown(slab: Slab, eye: F64) -> Slab:
    """A slab as seen by an `eye` (3,) in the device's space."""
    own = frame(slab)
    distance = float((eye - own[:3, 3]) @ own[:3, 2])
    changed: dict[str, Face] = {}
    if distance < slab.size[2] / 2:
        changed["front"] = _plain(slab, slab.front)
    if slab.back is not None and -distance < slab.size[2] / 2:
        changed["back"] = _plain(slab, slab.back)
    return slab.model_copy(update=changed)


def _plain(slab: Slab, face: Face) -> Face:
    """A face without its pictures, and without a definite material unless it bends towards the wall."""
    if face.inset < slab.edge:
        return face.model_copy(update={"layers": ()})
    return face.model_copy(update={"surface": "dark", "color": "#000000", "layers": ()})
