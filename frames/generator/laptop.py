"""Laptops: a lid with the screen and a deck with the keyboard, opened about a hinge."""

from __future__ import annotations

import numpy as np

from frames.generator import deck, lens
from frames.generator.outline import extent_of
from frames.generator.paint import Canvas, Folder
from frames.generator.pose import centred, vector
from frames.generator.screen import cutout_center, screen
from frames.generator.sheet import Laptop
from service.models.devices import Corner, Device, Face, Layer, Slab

BLACK = "#020203"
LIFT = 2.0  # mm; the hinge's axis above the deck
EXPONENT = 2.6


def lid_height(sheet: Laptop) -> float:
    """From the hinge's axis to the lid's upper edge."""
    return round(sheet.bezel + sheet.screen.size[1] + sheet.chin + sheet.band, 4)


def screen_center(sheet: Laptop) -> tuple[float, float]:
    """The screen's middle on the lid's face."""
    return 0.0, round(sheet.band + sheet.chin + sheet.screen.size[1] / 2 - lid_height(sheet) / 2, 4)


def lid_layers(folder: Folder, sheet: Laptop) -> tuple[Layer, ...]:
    """The hinge's dark band below the glass, and the camera in the notch."""
    band = Canvas((sheet.width - 2.0, sheet.band), 4)
    band.fill(np.full_like(band.x, -1.0), "#0d0d0f")
    band.fill(np.abs(band.y - sheet.band / 2 + 0.15) - 0.15, "#000000")
    band.light(np.exp(-(((band.y - sheet.band * 0.12) / 1.3) ** 2)), "#0c0c0e")
    strip = folder.layer("hinge-band.png", band)
    low = round(sheet.band / 2 - lid_height(sheet) / 2, 4)
    layers = [strip.model_copy(update={"center": (0.0, low)})]
    if sheet.screen.cutout is not None:
        x, y = cutout_center(sheet.screen, sheet.screen.cutout)
        offset = screen_center(sheet)
        hint = folder.layer("front-camera.png", lens.front(3.4))
        at = (round(x + offset[0], 4), round(y + offset[1], 4))
        layers.append(hint.model_copy(update={"center": at}))
    return tuple(layers)


def lid(folder: Folder, sheet: Laptop, corner: Corner) -> Slab:
    """The lid upright, its glass in the plane z = 0 and its lower edge on the hinge's axis."""
    height = lid_height(sheet)
    return Slab(
        name="lid",
        size=(sheet.width, height, sheet.lid_thickness),
        corner=corner,
        edge=0.9,
        surface=sheet.frame,
        center=(0.0, height / 2, -sheet.lid_thickness / 2),
        front=Face(
            surface="glass",
            inset=1.25,
            gasket=0.6,
            tinted=False,
            color=BLACK,
            layers=lid_layers(folder, sheet),
        ),
        back=Face(surface=sheet.frame),
    )


def hinge(sheet: Laptop, up: np.ndarray, back: np.ndarray) -> Slab:
    """The dark bar in the gap between deck and lid; kept clear of both, so that each hides the right part."""
    thickness = LIFT - 0.3
    center = up * (thickness / 2 - LIFT) - back * 1.2
    return Slab(
        name="hinge",
        size=(round(sheet.width * 0.84, 4), 3.6, thickness),
        corner=Corner(extent=0.8),
        edge=0.8,
        surface="dark",
        tinted=False,
        color="#101012",
        center=vector(center),
        x=(1, 0, 0),
        y=vector(back),
        front=Face(surface="dark", tinted=False, color="#101012"),
    )


def laptop(folder: Folder, sheet: Laptop) -> Device:
    """Draw a laptop's layers and describe it: lid upright, deck forward and down by `opening`."""
    tilt = np.radians(sheet.opening - 90)
    up = np.array([0, np.cos(tilt), np.sin(tilt)])
    back = np.array([0, np.sin(tilt), -np.cos(tilt)])
    corner = Corner(extent=round(extent_of(sheet.radius, EXPONENT), 4), exponent=EXPONENT)
    middle = up * (-LIFT - sheet.deck_thickness / 2) + back * (sheet.overhang - sheet.depth / 2)
    base = deck.deck(folder, sheet, corner).model_copy(update={"center": vector(middle), "y": vector(back)})
    slabs, size = centred((base, hinge(sheet, up, back), lid(folder, sheet, corner)))
    return Device(
        id=sheet.id,
        name=sheet.name,
        brand=sheet.brand,
        category=sheet.category,
        year=sheet.year,
        body=size,
        orientations=("landscape",),
        screens=(screen(folder, sheet.screen, "lid", screen_center(sheet), density=5.0),),
        finishes=sheet.finishes,
        slabs=slabs,
    )
