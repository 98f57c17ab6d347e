"""A laptop's deck: keyboard, trackpad, speaker grilles, ports, the thumb's scoop and the feet."""

from __future__ import annotations

import numpy as np

from frames.generator.keyboard import keyboard
from frames.generator.outline import Outline, box, circle, ring
from frames.generator.paint import Canvas, Folder
from frames.generator.sheet import Laptop
from frames.generator.walls import opening
from service.models.devices import Corner, Decal, Face, Layer, Slab

SCOOP = 68.0  # mm across


def well_center(sheet: Laptop) -> tuple[float, float]:
    """The keyboard's middle on the deck."""
    return 0.0, round(sheet.depth / 2 - sheet.well_top - sheet.keyboard[1] / 2, 4)


def pad_center(sheet: Laptop) -> tuple[float, float]:
    """The trackpad's middle on the deck."""
    return 0.0, round(sheet.pad_bottom + sheet.trackpad[1] / 2 - sheet.depth / 2, 4)


def trackpad(size: tuple[float, float]) -> Canvas:
    """The trackpad's seam, and glass a touch smoother than the metal round it."""
    canvas = Canvas((size[0] + 1.5, size[1] + 1.5), 5)
    d = box(canvas.x, canvas.y, *size, 3.2)
    canvas.fill(d, "#000000", 0.05)
    canvas.fill(ring(d, 0.34), "#000000", 0.55, softness=0.25)
    canvas.fill(ring(d + 0.35, 0.25), "#ffffff", 0.10, softness=0.25)
    return canvas


def grille(size: tuple[float, float]) -> Canvas:
    """Speaker holes in a staggered grid, soft enough not to shimmer when they shrink."""
    canvas = Canvas(size, 6)
    pitch = 1.25
    rows = np.floor(canvas.y / (pitch * 0.866) + 0.5)
    shift = np.where(rows % 2 == 0, 0.0, pitch / 2)
    x = (canvas.x + shift + pitch / 2) % pitch - pitch / 2
    y = canvas.y - rows * pitch * 0.866
    # No hole is cut by the border: their middles lie inside a smaller rectangle.
    cx, cy = canvas.x - x, rows * pitch * 0.866
    inside = box(cx, cy, size[0] - 1.0, size[1] - 1.0, 1.2) <= 0
    canvas.cover(canvas.coverage(circle(x, y, 0.36), 0.3) * inside * 0.78, "#050506")
    return canvas


def scoop_top() -> Canvas:
    """The hollow for the thumb, seen from above: a flat crescent that darkens towards the edge."""
    canvas = Canvas((SCOOP + 2, 3.4), 5)
    d = box(canvas.x, canvas.y + 1.7, SCOOP, 5.2, 2.4)
    depth = np.clip(0.5 - canvas.y / 3.4, 0, 1)
    canvas.cover(canvas.coverage(d, 0.5) * (0.22 + 0.38 * depth), "#000000")
    return canvas


def scoop_wall(height: float) -> Canvas:
    """The same hollow in the front wall: deepest at the top, gone at its lower edge."""
    canvas = Canvas((SCOOP + 2, height), 5)
    d = box(canvas.x, canvas.y - height / 2, SCOOP, 2 * height - 1.2, min(height - 0.7, 4.0))
    depth = np.clip(0.5 + canvas.y / height, 0, 1)
    canvas.cover(canvas.coverage(d, 0.6) * (0.10 + 0.42 * depth), "#000000")
    return canvas


def occlusion(folder: Folder, sheet: Laptop) -> Layer:
    """Shade under the lid's lower edge and inside the keyboard's well."""
    canvas = Canvas((sheet.width, sheet.depth), 2.5)
    axis = sheet.depth / 2 - sheet.overhang
    behind = np.abs(canvas.y - axis)
    light = 1 - 0.55 * np.exp(-behind / 2.2) - 0.16 * np.exp(-behind / 11.0)
    x, y = well_center(sheet)
    inside = -box(canvas.x - x, canvas.y - y, *sheet.keyboard, 2.2)
    light *= np.where(inside > 0, 1 - 0.34 * np.exp(-np.maximum(inside, 0) / 1.0), 1.0)
    return folder.grey("deck-occlusion.png", canvas, light)


def bottom(folder: Folder, sheet: Laptop) -> tuple[Layer, ...]:
    """Four rubber feet and the fine seam of the bottom cover."""
    foot = Canvas((17.0, 17.0), 5)
    d = circle(foot.x, foot.y, 7.6)
    foot.fill(d - 0.5, "#000000", 0.4, softness=0.8)
    foot.fill(d, "#161618")
    foot.fill(ring(d + 0.8, 0.3), "#26262a", 0.8, softness=0.3)
    layer = folder.layer("foot.png", foot)
    reach = (sheet.width / 2 - 30.0, sheet.depth / 2 - 26.0)
    spots = [(sx * reach[0], sy * reach[1]) for sx in (-1, 1) for sy in (-1, 1)]
    seam = Canvas((sheet.width - 4, sheet.depth - 4), 3)
    edge = Outline(sheet.width - 12, sheet.depth - 12, 8.0, 2.6).distance(seam.x, seam.y)
    seam.fill(ring(edge, 0.35), "#000000", 0.35)
    cover = folder.layer("bottom-seam.png", seam)
    return cover, *(layer.model_copy(update={"center": spot}) for spot in spots)


def decals(folder: Folder, sheet: Laptop) -> tuple[Decal, ...]:
    """Ports in the sides and the scoop in the front wall."""
    placed = []
    for item in sheet.ports:
        canvas = opening(item)
        name = folder.write(f"{item.kind}-{item.size[0]:g}x{item.size[1]:g}.png", canvas.pixels())
        size = (round(canvas.size[0], 4), round(canvas.size[1], 4))
        placed.append(Decal(side=item.side, at=item.at, across=1.2, size=size, image=name))
    height = 5.4
    name = folder.write("scoop-wall.png", scoop_wall(height).pixels())
    across = round(sheet.deck_thickness / 2 - height / 2, 4)
    placed.append(Decal(side="bottom", at=0, across=across, size=(SCOOP + 2, height), image=name))
    return tuple(placed)


def deck(folder: Folder, sheet: Laptop, corner: Corner) -> Slab:
    """The deck lying flat: y towards the hinge, z towards the user. The caller poses it."""
    keys = folder.layer("keyboard.png", keyboard(sheet.keyboard))
    pad = folder.layer("trackpad.png", trackpad(sheet.trackpad))
    holes = folder.layer("grille.png", grille(sheet.grille))
    scoop = folder.layer("scoop-top.png", scoop_top())
    center = well_center(sheet)
    side = round((sheet.width + sheet.keyboard[0]) / 4, 4)
    layers = (
        keys.model_copy(update={"center": center}),
        pad.model_copy(update={"center": pad_center(sheet)}),
        holes.model_copy(update={"center": (-side, center[1])}),
        holes.model_copy(update={"center": (side, center[1])}),
        scoop.model_copy(update={"center": (0.0, round(scoop.size[1] / 2 - sheet.depth / 2, 4))}),
    )
    return Slab(
        name="deck",
        size=(sheet.width, sheet.depth, sheet.deck_thickness),
        corner=corner,
        edge=1.3,
        surface=sheet.frame,
        front=Face(surface=sheet.frame, layers=layers, occlusion=occlusion(folder, sheet)),
        back=Face(surface=sheet.frame, layers=bottom(folder, sheet)),
        decals=decals(folder, sheet),
    )
