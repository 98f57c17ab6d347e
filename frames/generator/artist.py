"""Draws the pictures that families request: parts for all devices, and pictures for a single device."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import numpy as np

from frames.generator import deck, front, lens, screen, standing, walls
from frames.generator.keyboard import STYLES, keyboard
from frames.generator.paint import Canvas, to_bytes
from frames.generator.png import encode
from frames.generator.strap import CLOSURES, WEAVES
from service.arrays import U8
from service.devices.device import drawn
from service.devices.families.art import LENS, SharedPart, near
from service.devices.families.sheet import Laptop, ScreenPanel, Sheet

PARTS: dict[str, Callable[[SharedPart], Canvas]] = {
    "band": lambda part: walls.band(part.size),
    "bay": lambda part: standing.bay(part.size),
    "border": lambda part: standing.border(part.size, part.style),
    "bottom-seam": lambda part: deck.bottom_seam(part.size),
    "buttons": lambda part: deck.buttons(part.size),
    "cable-hole": lambda part: (standing.deep_hole if part.style else standing.cable_hole)(part.size[0]),
    "closure": lambda part: CLOSURES[part.style](part.size),
    "connector": lambda part: front.connector(),
    "control": lambda part: walls.control(part.size),
    "crease": lambda part: front.crease(part.size),
    "dish": lambda part: front.dish(part.size[0]),
    "dots": lambda part: walls.dots(part.size, part.count, part.pitch),
    "earpiece": lambda part: front.earpiece(part.size),
    "flap": lambda part: front.flap(part.size),
    "flash": lambda part: lens.flash(part.size[0], part.style),
    "foot": lambda part: deck.foot(),
    "front-camera": lambda part: lens.front(part.size[0]),
    "gap": lambda part: walls.gap(part.size),
    "grille": lambda part: deck.grille(part.size, lit=bool(part.style)),
    "hairline": lambda part: front.hairline(part.size),
    "head": lambda part: deck.head(part.size[0]),
    "hdmi": lambda part: walls.hdmi(part.size),
    "hinge-band": lambda part: deck.hinge_band(part.size),
    "holes": lambda part: walls.holes(part.size, part.count, part.pitch),
    "home": lambda part: front.home(part.size[0]),
    "keyboard": lambda part: keyboard(part.size, *STYLES[part.style]),
    "lamp": lambda part: front.lamp(part.size[0]),
    "leather": lambda part: front.leather(part.size),
    "legend": lambda part: front.legend(part.size, part.style),
    "lens-barrel": lambda part: lens.barrel(LENS * 0.97, 0.63),
    "lens-cover": lambda part: lens.cover(LENS),
    "lens-elements": lambda part: lens.elements(LENS * 0.72, lens.COATINGS[part.style]),
    "lidar": lambda part: lens.lidar(part.size[0]),
    "mains": lambda part: standing.mains(part.size),
    "matrix": lambda part: front.matrix(part.size[0]),
    "mic": lambda part: lens.hole(part.size[0]),
    "panel": lambda part: front.panel(part.size),
    "pin": lambda part: front.pin(part.size[0]),
    "port": lambda part: walls.port(part.size),
    "power": lambda part: deck.power(part.size),
    "pulse": lambda part: lens.PULSES[part.style](part.extent[0]),
    "ribs": lambda part: front.panel(part.size, ribs=True),
    "scoop-top": lambda part: deck.scoop_top(),
    "scoop-wall": lambda part: deck.scoop_wall(part.extent[1]),
    "screw": lambda part: walls.screw(part.size),
    "seam": lambda part: walls.seam(part.size),
    "sensor": lambda part: lens.dark_spot(part.size[0]),
    "slot": lambda part: walls.slot(part.size),
    "strip": lambda part: front.strip(part.size),
    "strap": lambda part: WEAVES[part.style](part.size),
    "thread": lambda part: standing.thread(part.size[0]),
    "trackpad": lambda part: deck.trackpad(part.size),
    "usb": lambda part: walls.usb(part.size),
    "vents": lambda part: standing.vents(part.size, part.count, part.pitch),
    "well": lambda part: walls.well(part.size),
}


class Artist:
    """Writes the pictures of one device under `target`; see `service.devices.families.art.Art`."""

    def __init__(self, identifier: str, target: Path) -> None:
        """`target` holds a folder for each device, and a folder of shared parts."""
        self.folder, self._target = target / identifier, target
        self.folder.mkdir(parents=True, exist_ok=True)

    def part(self, part: SharedPart) -> str:
        """Draw a part, unless it exists already."""
        file = drawn(part.image, self.folder, self._target)
        if not file.exists():
            canvas = PARTS[part.kind](part)
            assert near(canvas.size) == part.extent, part
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(encode(canvas.pixels()))
        return part.image

    def mask(self, panel: ScreenPanel, density: float) -> str:
        """Draw the screen's mask."""
        return self._write("screen.png", _grey(screen.mask(panel, density)[1]))

    def own(self, kind: Literal["deck-occlusion"], sheet: Sheet) -> str:
        """Draw a picture for this device alone; raises TypeError for families without such pictures."""
        match kind, sheet:
            case "deck-occlusion", Laptop():
                return self._write("deck-occlusion.png", _grey(deck.occlusion(sheet)[1]))
        raise TypeError(f"{sheet.id} has no {kind}")

    def _write(self, name: str, pixels: U8) -> str:
        (self.folder / name).write_bytes(encode(pixels))
        return name


def _grey(values: np.ndarray) -> U8:
    return to_bytes(values * 255)
