"""Buttons as small raised slabs on the side walls, some of them on a raised part."""

from __future__ import annotations

from collections.abc import Mapping

from ..device import Corner, Face, Slab, Vector
from .pose import along, vector
from .sheet import Button, CrownGuard, Handheld, Watch

DEPTH = 1.16  # mm; the depth of a button without its rounded edges

# Per side: the button's outward normal, its long axis, and their cross product.
AXES: dict[str, tuple[Vector, Vector, Vector]] = {
    "left": ((-1, 0, 0), (0, 1, 0), (0, 0, -1)),
    "right": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "top": ((0, 1, 0), (1, 0, 0), (0, 0, -1)),
    "bottom": ((0, -1, 0), (1, 0, 0), (0, 0, 1)),
}


def place(sheet: Handheld | Watch, button: Button) -> float:
    """A button's position from the middle of its wall, mm: upward, or rightward on top and bottom."""
    if button.side in ("top", "bottom"):
        return round(button.center - sheet.body[0] / 2, 4)
    return round(sheet.body[1] / 2 - button.center, 4)


def button_slab(sheet: Handheld | Watch, button: Button) -> Slab:
    """The slab of one button: local x along the wall, local z outward; `base` is the wall's plane."""
    outward, long, across = AXES[button.side]
    depth = DEPTH + 2 * button.edge  # keeps the base away from the lower edge
    half = sheet.body[0 if button.side in ("left", "right") else 1] / 2
    lift = half + button.protrusion - depth / 2
    center = vector(along((lift, outward), (place(sheet, button), long)))
    width = min(button.width, sheet.body[2] - 1)
    return Slab(
        name=button.name,
        role="part",
        size=(button.length, width, round(depth, 4)),
        corner=Corner(extent=round(width / 2 - 0.001, 4), exponent=2.2),
        edge=button.edge,
        surface=sheet.frame,
        center=center,
        x=long,
        y=across,
        parent="body",
        base=round(depth / 2 - button.protrusion, 4),
        front=Face(surface=sheet.frame),
    )


def accented(slab: Slab, accents: Mapping[str, str]) -> Slab:
    """A button in the colour that `accents` has for its name, if any."""
    if (color := accents.get(slab.name)) is None:
        return slab
    face = slab.front.model_copy(update={"tinted": False, "color": color})
    return slab.model_copy(update={"tinted": False, "color": color, "front": face})


def guard_slab(sheet: Handheld | Watch, item: CrownGuard) -> Slab:
    """The raised part of the right wall."""
    outward, long, across = AXES["right"]
    depth = item.protrusion + 1.6
    lift = sheet.body[0] / 2 + item.protrusion - depth / 2
    return Slab(
        name="guard",
        role="part",
        size=(item.length, item.width, round(depth, 4)),
        corner=Corner(extent=round(item.width / 2 - 0.001, 4), exponent=2.2),
        edge=round(min(item.protrusion, item.width / 6) / 2, 4),  # leaves a flat area for the crown
        surface=sheet.frame,
        center=vector(along((lift, outward), (sheet.body[1] / 2 - item.center, long))),
        x=long,
        y=across,
        parent="body",
        base=round(depth / 2 - item.protrusion, 4),
        front=Face(surface=sheet.frame),
    )


def guarded(slab: Slab, guard: Slab) -> Slab:
    """A crown or button moved from the wall to the raised part around it."""
    z = slab.center[0] - guard.center[0]
    return slab.model_copy(update={"parent": "guard", "base": round(guard.size[2] / 2 - z, 4)})
