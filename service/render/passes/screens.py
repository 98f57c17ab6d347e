"""Screens: the gain of the glass on a screenshot's light."""

from __future__ import annotations

from ...devices.device import Slab
from ..geometry.coverage import weighted
from ..light.frame import Frame
from ..tone import headroom
from .target import Target


def applies(frame: Frame, slab: Slab) -> bool:
    """Whether a slab has a screen."""
    return any(screen.slab == slab.name for screen in frame.device.screens)


def paint(frame: Frame, slab: Slab, target: Target) -> None:
    """Turn the screens' shares into gains on their light."""
    for surface in target.surfaces:
        for place, share in surface.screens.items():
            if not surface.material.lit:
                # Where a screen is, an unlit face has no light of its own.
                surface.rgb = weighted(surface.rgb, 1 - share)
                continue
            surface.screens[place] = share * (1 - surface.lost)
        if surface.material.lit and surface.screens and frame.light.kind == "natural":
            mirrored = surface.rgb.mean(axis=2)
            for place, gain in surface.screens.items():
                surface.screens[place] = headroom(mirrored, gain)
