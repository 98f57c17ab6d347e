"""Monitors, all-in-one computers and televisions: a plate with the screen, on a stand."""

from __future__ import annotations

from ..device import Device, Face, Pair, Slab, Tone, Vector
from .art import Art, SharedPart, detail_layers, layers
from .corner import superellipse
from .panel import screen, upright
from .pose import centred
from .sheet import BackDetail, Bulge, Monitor
from .stand import stand

BLACK = "#020203"
GASKET = 0.25
CAMERA = 3.6  # mm; diameter
BEHIND: tuple[Vector, Vector] = ((-1, 0, 0), (0, 1, 0))


def screen_center(sheet: Monitor) -> Pair:
    """The screen's middle on the front."""
    return 0.0, round((sheet.height - sheet.screen.size[1]) / 2 - sheet.bezel, 4) + 0.0


def tone(sheet: Monitor) -> Tone:
    """The tone of front and stand: light if any finish defines a light colour."""
    return "light" if any(finish.light for finish in sheet.finishes) else "body"


def front(sheet: Monitor, art: Art) -> Face:
    """The front: black glass, or glass printed in a colour, and below that the chin in the finish's."""
    high = sheet.height / 2
    camera = SharedPart("front-camera", (CAMERA, CAMERA))
    drawn = layers(art, camera, (0.0, high - (sheet.bezel + sheet.rim) / 2)) if sheet.camera else ()
    color = sheet.border or BLACK
    if sheet.chin:
        around = 2 * sheet.bezel + sheet.screen.size[1]
        part = SharedPart("border", (sheet.width, round(around, 4)), style=color.removeprefix("#"))
        drawn = (*layers(art, part, (0.0, high - around / 2)), *drawn)
    return Face(
        surface="gloss" if sheet.chin or sheet.border else "glass",
        inset=sheet.rim,
        gasket=GASKET,
        tinted=bool(sheet.chin),
        tone=tone(sheet),
        color=color,
        layers=drawn,
    )


def on(bulge: Bulge | None, item: BackDetail) -> bool:
    """Whether a detail of the back lies on the raised part."""
    if bulge is None:
        return False
    away = [abs(at - middle) for at, middle in zip(item.at, bulge.center, strict=True)]
    return away[0] <= bulge.size[0] / 2 and away[1] <= bulge.size[1] / 2


def raised(sheet: Monitor, bulge: Bulge, art: Art) -> Slab:
    """The raised part of the back."""
    # The raised part is sunk into the back as deep as its rounded edge, so that only its outer edge shows.
    depth = bulge.depth + bulge.edge
    own = tuple(item for item in sheet.details if on(bulge, item))
    return Slab(
        name="bulge",
        role="part",
        size=(*bulge.size, depth),
        corner=superellipse(bulge.radius),
        edge=bulge.edge,
        surface=sheet.frame,
        center=(-bulge.center[0], bulge.center[1], round(depth / 2 - bulge.depth - sheet.thickness, 4)),
        x=BEHIND[0],
        y=BEHIND[1],
        parent="body",
        base=round(depth / 2 - bulge.depth, 4),
        front=Face(surface=sheet.frame, layers=detail_layers(art, own, bulge.center)),
    )


def monitor(sheet: Monitor, art: Art) -> Device:
    """The screen of a sheet on its stand; its glass is upright."""
    body = Slab(
        name="body",
        role="body",
        size=(sheet.width, sheet.height, sheet.thickness),
        corner=superellipse(sheet.radius),
        edge=sheet.edge,
        surface=sheet.frame,
        center=(0.0, 0.0, -sheet.thickness / 2),
        front=front(sheet, art),
        back=Face(
            surface=sheet.frame,
            layers=detail_layers(art, tuple(item for item in sheet.details if not on(sheet.bulge, item))),
        ),
    )
    bulge = (raised(sheet, sheet.bulge, art),) if sheet.bulge else ()
    slabs, size = centred((body, *bulge, *stand(sheet, art, tone(sheet))))
    return Device(
        **sheet.shared,
        body=size,
        orientations=upright(sheet.screen),
        screens=(screen(art, sheet.screen, "body", screen_center(sheet), density=2.5),),
        slabs=slabs,
    )
