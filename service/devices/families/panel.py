"""A family's screens: from a panel's pixels to a shape in millimetres."""

from __future__ import annotations

from .. import device as devices
from ..device import Corner, Orientation, Pair, Screen
from .art import Art, near
from .sheet import ScreenCutout, ScreenPanel

DENSITY = 16.0  # px per mm of a mask


def upright(panel: ScreenPanel) -> tuple[Orientation]:
    """The only orientation of a device that cannot be turned."""
    return ("landscape" if panel.px[0] > panel.px[1] else "portrait",)


def pixel_pitch(panel: ScreenPanel) -> Pair:
    """Millimetres per screen pixel, across and up."""
    return panel.size[0] / panel.px[0], panel.size[1] / panel.px[1]


def cutout_center(panel: ScreenPanel, cutout: ScreenCutout) -> Pair:
    """A cut-out's middle in mm from the screen's middle, y up."""
    across, up = pixel_pitch(panel)
    return cutout.center[0] * across - panel.size[0] / 2, panel.size[1] / 2 - cutout.center[1] * up


def cutouts(panel: ScreenPanel) -> tuple[devices.Cutout, ...]:
    """A screen's cut-outs, mm; a notch is twice as deep, centred on the edge that it hangs from."""
    given = panel.cutout
    if given is None:
        return ()
    pitch = pixel_pitch(panel)[0]
    center, size = cutout_center(panel, given), (given.size[0] * pitch, given.size[1] * pitch)
    match given.kind, given.side:
        case "notch", "top":
            center, size = (center[0], panel.size[1] / 2), (size[0], 2 * size[1])
        case "notch", "right":
            center, size = (panel.size[0] / 2, center[1]), (2 * size[0], size[1])
    radius, ear = round(given.radius * pitch, 4), round(given.ear * pitch, 4)
    return (devices.Cutout(center=near(center), size=near(size), radius=radius, ear=ear),)


def screen(
    art: Art, panel: ScreenPanel, slab: str, center: Pair = (0.0, 0.0), density: float = DENSITY
) -> Screen:
    """The screen with its middle at `center` on the front of `slab`; its mask has `density` px per mm."""
    radius = Corner(extent=round(panel.radius_px * pixel_pitch(panel)[0], 4))
    return Screen(
        slab=slab,
        px=panel.px,
        center=center,
        size=panel.size,
        corner=panel.corner or radius,
        corners=panel.corners,
        cutouts=cutouts(panel),
        mask=art.mask(panel, density),
    )
