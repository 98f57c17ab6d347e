"""Buttons as small raised slabs on the side walls."""

from __future__ import annotations

from service.models.devices import Corner, Face, Slab, Vector
from service.models.families.sheet import Button, Handheld, Watch

DEPTH = 1.6
EDGE = 0.22

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
    half = sheet.body[0 if button.side in ("left", "right") else 1] / 2
    lift = half + button.protrusion - DEPTH / 2
    along = place(sheet, button)
    center = tuple(round(o * lift + a * along, 4) for o, a in zip(outward, long, strict=True))
    width = min(button.width, sheet.body[2] - 1)
    return Slab(
        name=button.name,
        size=(button.length, width, DEPTH),
        corner=Corner(extent=round(width / 2 - 0.001, 4), exponent=2.2),
        edge=EDGE,
        surface=sheet.frame,
        center=(center[0], center[1], center[2]),
        x=long,
        y=across,
        parent="body",
        base=round(DEPTH / 2 - button.protrusion, 4),
        front=Face(surface=sheet.frame),
    )
