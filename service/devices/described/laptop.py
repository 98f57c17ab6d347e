"""Sheets of described laptops."""

from __future__ import annotations

from ..device import Side, Surface
from ..families.sheet import Laptop, WallOpening
from .description import BodyMaterial
from .handheld import ID, finish, panel
from .kinds import BAND, OVERHANG
from .measures import Measured

# Only metal and plastic: keys are drawn on the deck, and a glossy coat would reflect over them.
FRAMES: dict[BodyMaterial, Surface] = {
    "aluminium": "aluminium",
    "titanium": "titanium",
    "steel": "aluminium",
    "glass": "aluminium",
    "plastic": "plastic",
    "matte": "plastic",
}
LID = 0.27  # share of the closed body's depth
DECK = (305.0, 221.2)  # mm; narrower or shallower decks have smaller keys
CAMERA = 4.5  # mm; the least bezel above the screen that has room for a camera


def laptop(made: Measured) -> Laptop:
    """The sheet of a described laptop: one with a notch has a Mac's layout, others have a PC's."""
    width, depth, thickness = made.body
    mac = made.description.screen.cutout.kind == "notch"
    scale = min(1.0, width / DECK[0], depth / DECK[1])
    across, up = (275.2, 112.0) if mac else (281.0, 105.0)
    keyboard = round(across * scale, 3), round(up * scale, 3)
    well_top, pad_bottom = 18.0 * depth / DECK[1], 8.0 * scale
    rest = depth - well_top - keyboard[1] - pad_bottom
    lid = round(min(LID * thickness, 6.0), 3)
    grille = round(min(10.5, (width - keyboard[0]) / 2 - 4), 3), round(104.0 * scale, 3)
    return Laptop(
        id=ID,
        name="Custom laptop",
        brand=None,
        category="laptop",
        year=None,
        screen=panel(made).model_copy(update={"corners": "top" if mac else "all"}),
        finishes=(finish(made),),
        width=width,
        depth=depth,
        lid_thickness=lid,
        deck_thickness=round(thickness - lid, 3),
        radius=9.0 * scale,
        frame=FRAMES[made.description.material],
        bezel=made.bezel.top,
        chin=made.bezel.bottom,
        band=BAND,
        overhang=OVERHANG,
        camera=made.bezel.top >= CAMERA,
        keyboard=keyboard,
        layout="mac" if mac else "pc",
        keys="black" if mac else "inset",
        signs=True,
        well_top=round(well_top, 3),
        trackpad=(round(125.0 * scale, 3), round(min(rest - 7.0 * scale, 90.0), 3)),
        pad_bottom=round(pad_bottom, 3),
        grille=grille if mac and grille[0] > 4 else None,
        scoop=True,
        feet="round" if mac else "bars",
        ports=tuple(_ports(depth)),
    )


def _ports(depth: float) -> list[WallOpening]:
    places: tuple[tuple[Side, float], ...] = (("left", 0.31), ("left", 0.24), ("right", 0.31))
    return [
        WallOpening(kind="port", side=side, at=round(share * depth, 3), size=(8.9, 3.1))
        for side, share in places
    ]
