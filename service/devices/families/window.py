"""Browser windows of a fixed size: one thin, flat slab with bars above the viewport."""

from __future__ import annotations

from ..device import BARS, Bars, Corner, Device, Face, Layer, Slab
from .art import Art
from .fitted import MM, OVERLAP, THICKNESS
from .look import LOOKS
from .panel import screen
from .sheet import BrowserWindow


def window(sheet: BrowserWindow, art: Art) -> Device:
    """The window of a sheet."""
    look = LOOKS[sheet.design]
    color, top = look.colors[sheet.theme]["bar"], look.height
    across, view = sheet.screen.px
    width, height, deep = across * MM, (view + top) * MM, (top + OVERLAP) * MM
    body = (width, height, THICKNESS)
    bars = Layer(image=BARS, center=(0.0, round((height - deep) / 2, 4)), size=(width, deep))
    slab = Slab(
        name="window",
        role="body",
        size=body,
        corner=Corner(extent=look.radius * MM),
        edge=0.02,  # nearly sharp: no light rim may show around dark pages
        surface="paint",
        tinted=False,
        color=color,
        front=Face(surface="paint", tinted=False, color=color, layers=(bars,)),
        back=Face(surface="paint", tinted=False, color=color),
    )
    return Device(
        **sheet.shared,
        body=body,
        orientations=("landscape",),
        screens=(screen(art, sheet.screen, "window", (0.0, round(-top * MM / 2, 4)), density=8.0),),
        slabs=(slab,),
        bars=Bars(design=sheet.design, theme=sheet.theme, width=across, url=sheet.address, title=sheet.title),
    )
