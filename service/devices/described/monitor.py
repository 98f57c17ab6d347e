"""Sheets of described monitors: on a round foot, with electronics behind the panel."""

from __future__ import annotations

from service.devices.described.description import Material
from service.devices.described.handheld import ID, finish, panel
from service.devices.described.measures import Measured
from service.devices.device import Surface
from service.devices.families.sheet import BackDetail, Bulge, Monitor, Stand

FRAMES: dict[Material, Surface] = {
    "aluminium": "aluminium",
    "titanium": "titanium",
    "steel": "steel",
    "glass": "gloss",
    "plastic": "plastic",
    "matte": "frosted",
}
USUAL = 361.0  # mm; the height of the generic monitor, whose stand others have larger or smaller
SCALES = (0.35, 2.0)
VENTS = 64
CAMERA = 6.0  # mm; the least bezel above the screen that has room for one


def monitor(made: Measured) -> Monitor:
    """The sheet of a described monitor; its body is measured without the stand."""
    width, height, depth = made.body
    scale = max(SCALES[0], min(min(width, height) / USUAL, SCALES[1]))
    narrowest = min(made.bezel)
    rim = min(1.0, 0.3 * narrowest)
    # Around the screen's corner, or just round enough not to be sharp.
    radius = made.radius + narrowest if made.radius else min(3.5, 1.2 * narrowest)
    return Monitor(
        id=ID,
        name="Custom monitor",
        brand=None,
        category="desktop",
        year=None,
        screen=panel(made),
        finishes=(finish(made),),
        width=width,
        height=height,
        thickness=depth,
        radius=radius,
        edge=min(1.2, radius),
        frame=FRAMES[made.description.material],
        rim=rim,
        bezel=made.bezel.top,
        camera=made.bezel.top >= CAMERA,
        bulge=_bulge(width, height, depth, scale),
        details=_vents(width, height, scale),
        stand=_stand(height, scale),
    )


def _bulge(width: float, height: float, depth: float, scale: float) -> Bulge:
    size = round(0.62 * width, 3), round(0.64 * height, 3)
    return Bulge(
        size=size,
        depth=round(20 * scale, 3),
        radius=round(min(36 * scale, 0.3 * min(size)), 3),
        edge=round(min(8 * scale, 0.5 * depth), 3),
    )


def _vents(width: float, height: float, scale: float) -> tuple[BackDetail, ...]:
    """Slits near the upper edge of the bulge, where they fit."""
    pitch = round(5.0 * scale, 3)
    if VENTS * pitch > 0.56 * width:
        return ()
    return (
        BackDetail(
            kind="vents",
            at=(0.0, round(0.27 * height, 3)),
            size=(round(2 * scale, 3), round(12 * scale, 3)),
            count=VENTS,
            pitch=pitch,
        ),
    )


def _stand(height: float, scale: float) -> Stand:
    base = round(230 * scale, 3)
    return Stand(
        kind="post",
        height=round(112 * scale, 3),
        width=round(58 * scale, 3),
        deep=round(32 * scale, 3),
        base=(base, base),
        corner=base / 2,
        thickness=round(max(8 * scale, 4.0), 3),
        front=round(112 * scale, 3),
        reach=round(0.55 * height, 3),
        hole=(round(30 * scale, 3), round(-50 * scale, 3)),
        soft=round(8 * scale, 3),
    )
