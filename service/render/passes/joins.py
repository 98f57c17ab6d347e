"""Adds faces to their slab, each with its coverage, and blurs the gaps around them."""

from __future__ import annotations

import numpy as np

from ...devices.device import Slab
from ..geometry.coverage import fill
from ..kernels.compositing import join
from ..light.frame import Frame
from ..paint.rim import even
from .target import Target


def applies(frame: Frame, slab: Slab) -> bool:
    """True, since every slab has faces to add."""
    return True


def paint(frame: Frame, slab: Slab, target: Target) -> None:
    """Add the faces' light and gains to the wall's."""
    rgb, hit = target.walls
    for surface in target.surfaces:
        where = surface.box.within(target.box)
        if target.flat is None:
            share = np.minimum(fill([surface.outline], surface.box), 1 - hit[where])
        else:
            share = target.flat[where] * np.float32(1 / 255)
        join(rgb, hit, surface.box.x - target.box.x, surface.box.y - target.box.y, surface.rgb, share)
        for place, gain in surface.screens.items():
            whole = target.gains[place] = np.zeros(hit.shape, np.float32)
            np.multiply(gain, share if frame.quality.exact_edges else 1, out=whole[where])
    if target.gasket is not None:
        even(target.walls, target.gasket)
