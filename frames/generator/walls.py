"""What is to be seen in a device's side walls: ports, holes, seams, bands, drawn as decals."""

from __future__ import annotations

import numpy as np

from frames.generator.outline import circle, pill, ring
from frames.generator.paint import Canvas, Folder
from frames.generator.sheet import Button, Handheld, Opening
from service.models.devices import Decal

DENSITY = 20.0
INK = "#020203"


def port(size: tuple[float, float]) -> Canvas:
    """A connector: a dark mouth with a tongue in it and a soft inner bevel."""
    c = Canvas((size[0] + 0.8, size[1] + 0.8), DENSITY)
    c.fill(pill(c.x, c.y, size[0] + 0.3, size[1] + 0.3), INK, 0.45, softness=0.3)
    c.fill(pill(c.x, c.y, *size), INK, 0.97)
    c.fill(pill(c.x, c.y, size[0] - 1.9, 0.75), "#26262a", 0.9)
    return c


def holes(size: tuple[float, float], count: int, pitch: float) -> Canvas:
    """A row of round holes."""
    c = Canvas(((count - 1) * pitch + size[0] + 0.6, size[1] + 0.6), DENSITY)
    first = -(count - 1) * pitch / 2
    for index in range(count):
        d = circle(c.x - first - index * pitch, c.y, size[0] / 2)
        c.fill(d - 0.12, INK, 0.35, softness=0.2)
        c.fill(d, INK, 0.96)
    return c


def slot(size: tuple[float, float]) -> Canvas:
    """A long speaker or microphone opening."""
    c = Canvas((size[0] + 0.6, size[1] + 0.6), DENSITY)
    c.fill(pill(c.x, c.y, size[0] + 0.2, size[1] + 0.2), INK, 0.4, softness=0.2)
    c.fill(pill(c.x, c.y, *size), INK, 0.95)
    return c


def seam(size: tuple[float, float]) -> Canvas:
    """A tray flush with the wall: the hairline round it and the pin's hole."""
    c = Canvas((size[0] + 0.6, size[1] + 0.6), DENSITY)
    c.fill(ring(pill(c.x, c.y, *size), 0.11), INK, 0.75)
    c.fill(circle(c.x - size[0] / 2 + size[1] * 0.55, c.y, 0.42), INK, 0.9)
    return c


def control(size: tuple[float, float]) -> Canvas:
    """A touch-sensitive key level with the wall: hairline and a slightly different tone."""
    c = Canvas((size[0] + 1.0, size[1] + 1.0), DENSITY)
    d = pill(c.x, c.y, *size)
    c.fill(d, INK, 0.16)
    c.fill(ring(d, 0.16), INK, 0.72)
    return c


def band(size: tuple[float, float]) -> Canvas:
    """An antenna's plastic line across the metal."""
    c = Canvas(size, DENSITY)
    c.fill(np.abs(c.x) - size[0] / 2 + 0.06, INK, 0.30)
    return c


def screw(size: tuple[float, float]) -> Canvas:
    """A recessed screw head."""
    c = Canvas((size[0] + 0.2, size[1] + 0.2), DENSITY)
    c.fill(circle(c.x, c.y, size[0] / 2), INK, 0.55)
    c.fill(circle(c.x, c.y, size[0] * 0.36), INK, 0.35)
    c.fill(circle(c.x, c.y, size[0] * 0.16), INK, 0.9)
    return c


def dots(size: tuple[float, float], count: int, pitch: float) -> Canvas:
    """Flat contacts in a row."""
    c = Canvas(((count - 1) * pitch + size[0] + 0.4, size[1] + 0.4), DENSITY)
    for index in range(count):
        d = pill(c.x + (count - 1) * pitch / 2 - index * pitch, c.y, *size)
        c.fill(ring(d, 0.1), INK, 0.5)
        c.fill(d, "#c9c4b4", 0.5)
    return c


def opening(item: Opening) -> Canvas:
    """The picture of one opening."""
    match item.kind:
        case "port":
            return port(item.size)
        case "holes":
            return holes(item.size, item.count, item.pitch)
        case "slot":
            return slot(item.size)
        case "seam":
            return seam(item.size)
        case "control":
            return control(item.size)
        case "band":
            return band(item.size)
        case "screw":
            return screw(item.size)
        case "dots":
            return dots(item.size, item.count, item.pitch)


def well(length: float, width: float) -> Canvas:
    """The gap round a button and the shade it casts on the wall."""
    c = Canvas((length + 2.0, width + 1.6), DENSITY)
    d = pill(c.x, c.y, length, width)
    c.fill(np.full_like(d, -9.0), INK, 0.62 * np.exp(-np.maximum(d, 0) / 0.16) * c.coverage(d - 0.7, 0.3))
    c.fill(d - 0.07, INK, 0.92)
    return c


def along(sheet: Handheld, button: Button) -> float:
    """A button's place from the middle of its wall: upward, or rightward on the top wall."""
    if button.side in ("top", "bottom"):
        return round(button.center - sheet.body[0] / 2, 4)
    return round(sheet.body[1] / 2 - button.center, 4)


def decals(folder: Folder, sheet: Handheld) -> tuple[Decal, ...]:
    """All side decals of a device: openings first, then the wells of its buttons."""
    drawn: dict[str, tuple[float, float]] = {}
    placed = []

    def place(name: str, canvas: Canvas, side: str, at: float) -> None:
        if name not in drawn:
            folder.write(name, canvas.pixels())
            drawn[name] = (round(canvas.size[0], 4), round(canvas.size[1], 4))
        placed.append(Decal.model_validate({"side": side, "at": at, "size": drawn[name], "image": name}))

    for item in sheet.openings:
        size = "x".join(f"{side:g}" for side in item.size) + (f"x{item.count}" if item.count > 1 else "")
        place(f"{item.kind}-{size}.png", opening(item), item.side, item.at)
    for button in sheet.buttons:
        if not button.flush:
            length, width = button.length, min(button.width, sheet.body[2] - 1)
            place(f"well-{length:g}x{width:g}.png", well(length, width), button.side, along(sheet, button))
    return tuple(placed)
