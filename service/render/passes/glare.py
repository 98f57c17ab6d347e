"""Reduced glare: screens mirror the environment up to a limit."""

from __future__ import annotations

import cv2
import numpy as np

from ...arrays import F32
from ...devices.device import Slab
from ..light.frame import Frame
from .target import Surface, Target


def applies(frame: Frame, slab: Slab) -> bool:
    """Slabs with a screen."""
    return any(screen.slab == slab.name for screen in frame.device.screens)


def paint(frame: Frame, slab: Slab, target: Target) -> None:
    """Dim what screens mirror."""
    for surface in target.surfaces:
        if surface.dimmed is not None and surface.screens:
            share = shown(frame, surface)
            dimmed = cv2.blendLinear(surface.mirrored, surface.dimmed, 1 - share, share)
            surface.mirrored = np.asarray(dimmed, np.float32)


def shown(frame: Frame, surface: Surface) -> F32:
    """The share of each pixel that shows a screen on a slab's front, (h, w) in 0-1."""
    shares = list(surface.screens.values())
    if frame.shares:
        shares = [frame.shares(place, surface.box) for place in surface.screens]
    return np.minimum(sum(shares), np.float32(1))
