"""Sheets of described monitors, on a round foot, and televisions, on two bars."""

from __future__ import annotations

from ..device import Category, Surface
from ..families.sheet import BackDetail, Bulge, Monitor, Stand
from .description import BodyMaterial
from .handheld import ID, finish, panel
from .measures import Measured

FRAMES: dict[BodyMaterial, Surface] = {
    "aluminium": "aluminium",
    "titanium": "titanium",
    "steel": "steel",
    "glass": "gloss",
    "plastic": "plastic",
    "matte": "frosted",
}
USUAL = 361.0  # mm; the height of the generic monitor; stands of other monitors are scaled from it
SCALES = (0.35, 2.0)
TELEVISION = 705.0  # mm; the height of the generic television
VENTS = 64
CAMERA = 6.0  # mm; the least bezel above the screen that has room for a camera


def monitor(made: Measured) -> Monitor:
    """The sheet of a described monitor; its body is measured without the stand."""
    scale = _scale(made, USUAL)
    return _standing(made, "desktop", scale, _stand(made.body[1], scale))


def television(made: Measured) -> Monitor:
    """The sheet of a described television; its body is measured without the stand."""
    scale = _scale(made, TELEVISION)
    return _standing(made, "tv", scale, _bars(made.body[0], scale))


def _scale(made: Measured, usual: float) -> float:
    return max(SCALES[0], min(min(made.body[:2]) / usual, SCALES[1]))


def _standing(made: Measured, category: Category, scale: float, stand: Stand) -> Monitor:
    width, height, depth = made.body
    narrowest = min(made.bezel)
    rim = min(1.0, 0.3 * narrowest)
    # A corner that follows the screen's, or one with a small radius, so that it is not sharp.
    radius = made.radius + narrowest if made.radius else min(3.5, 1.2 * narrowest)
    return Monitor(
        id=ID,
        name=f"Custom {made.description.kind}",
        brand=None,
        category=category,
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
        camera=category == "desktop" and made.bezel.top >= CAMERA,
        bulge=_bulge(width, height, depth, scale),
        details=_vents(width, height, scale),
        stand=stand,
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


def _bars(width: float, scale: float) -> Stand:
    return Stand(
        kind="bars",
        height=round(60 * scale, 3),
        width=round(16 * scale, 3),
        base=(round(16 * scale, 3), round(240 * scale, 3)),
        thickness=round(8 * scale, 3),
        deep=round(26 * scale, 3),
        inset=round(0.17 * width, 3),
        corner=round(5 * scale, 3),
    )
