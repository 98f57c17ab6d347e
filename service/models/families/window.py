"""Browser windows: one thin, flat slab with bars above the viewport."""

from __future__ import annotations

from service.models.devices import Corner, Device, Face, Layer, Slab
from service.models.families.art import Art
from service.models.families.panel import screen
from service.models.families.sheet import Window

MM = 0.25  # one px of the window
THICKNESS = 1.0


def window(sheet: Window, art: Art) -> Device:
    """The window of a sheet."""
    across, view = sheet.screen.px
    top = sheet.tab_strip + sheet.toolbar
    width, height = across * MM, (view + top) * MM
    image, center = art.own("bars", sheet), (0.0, round((height - top * MM) / 2, 4))
    bars = (Layer(image=image, center=center, size=(width, top * MM)),) if image else ()
    body = (width, height, THICKNESS)
    slab = Slab(
        name="window",
        size=body,
        corner=Corner(extent=sheet.radius * MM),
        edge=0.02,  # next to none: a light rim would show around dark pages
        surface="paint",
        tinted=False,
        color=sheet.colors["frame"],
        front=Face(surface="paint", tinted=False, color=sheet.colors["toolbar"], layers=bars),
        back=Face(surface="paint", tinted=False, color=sheet.colors["frame"]),
    )
    return Device(
        **sheet.shared,
        body=body,
        orientations=("landscape",),
        screens=(screen(art, sheet.screen, "window", (0.0, round(-top * MM / 2, 4)), density=8.0),),
        slabs=(slab,),
    )
