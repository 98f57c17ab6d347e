"""Sheets of described phones, tablets and foldables, with buttons, openings and cameras as usual."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from ...validation import color
from ..device import Category, Corner, Finish, Pair, Side, Surface
from ..families import sheet
from ..families.corner import EXPONENT, superellipse
from ..families.sheet import (
    Button,
    CameraPlate,
    CoverScreen,
    Foldable,
    Handheld,
    Lens,
    ScreenPanel,
    Spot,
    WallOpening,
)
from .description import BodyMaterial, CameraLayout
from .measures import Measured

# Frame and back of a phone; a tablet's back has the surface of its frame, unless the back is glass.
SURFACES: dict[BodyMaterial, tuple[Surface, Surface]] = {
    "aluminium": ("aluminium", "frosted"),
    "titanium": ("titanium", "frosted"),
    "steel": ("steel", "gloss"),
    "glass": ("polished", "gloss"),
    "plastic": ("plastic", "plastic"),
    "matte": ("frosted", "frosted"),
}
ID = "custom"
SLOPE = 1 - 2**-0.5  # offset along each axis of the 45° point of a corner of radius 1
# The places of lenses, mm from the middle of the plate on the back, and the other parts of a square plate.
LENSES: dict[CameraLayout, tuple[Pair, ...]] = {
    "single": ((0.0, 0.0),),
    "dual": ((0.0, 9.4), (0.0, -9.4)),
    "triple": ((0.0, 18.4), (0.0, 0.0), (0.0, -18.4)),
    "quad": ((0.0, 28.2), (0.0, 9.4), (0.0, -9.4), (0.0, -28.2)),
    "single-square": ((0.0, 0.0),),
    "dual-square": ((-8.8, 8.8), (8.8, -8.8)),
    "square": ((-9.3, 9.3), (-9.3, -9.3), (8.6, 0.0)),
    "quad-square": ((-9.0, 9.0), (-9.0, -9.0), (9.0, 9.0), (9.0, -9.0)),
}
SPOTS: dict[CameraLayout, tuple[tuple[Literal["flash", "lidar", "mic"], Pair, float], ...]] = {
    "single-square": (("flash", (12.2, 12.2), 4.6), ("mic", (-12.2, -12.2), 0.95)),
    "dual-square": (("flash", (9.6, 9.6), 5.8), ("mic", (-9.6, -9.6), 0.95)),
    "square": (("flash", (11.5, 13.0), 5.8), ("lidar", (11.5, -13.0), 5.8), ("mic", (0.2, 12.6), 0.95)),
    "quad-square": (("mic", (0.0, 0.0), 0.95),),
}
FLIP = 1.5  # a foldable whose body is taller than this many times its width folds across
ISLAND = {"island": "island", "notch": "notch", "hole": "punch"}


def phone(made: Measured) -> Handheld:
    """The sheet of a described phone."""
    layout = made.description.camera or "dual"
    return Handheld(**_handheld(made, "phone", SURFACES[made.description.material], _camera(made, layout)))


def tablet(made: Measured) -> Handheld:
    """The sheet of a described tablet."""
    frame, back = SURFACES[made.description.material]
    surfaces = frame, back if made.description.material == "glass" else frame
    camera = _camera(made, made.description.camera or "single")
    return Handheld(**_handheld(made, "tablet", surfaces, camera))


def foldable(made: Measured) -> Foldable:
    """The sheet of a described foldable, open flat: a long one folds across, others as a book does."""
    width, height, _ = made.body
    flip = height > FLIP * width
    # The camera is on one half of the back and the outer screen on the other, or both on the upper half.
    half = (width, height / 2) if flip else (width / 2, height)
    camera = _placed(made.description.camera or "dual", half, SURFACES[made.description.material][0])
    if camera is not None:
        x, y = camera.center
        moved = (x, y + height / 4) if flip else (x - width / 4, y)
        camera = camera.model_copy(update={"center": _near(moved)})
    spine = min(6.0, 0.05 * min(width, height))
    # The outer screen's glass: its margins at the sides and at the hinge.
    beside, aside = 1.4, spine / 2 + 0.5
    long = (height if flip else width) / 2 - beside - aside
    size = (width - 2 * beside, long) if flip else (long, height - 2 * beside)
    away = aside + long / 2
    cover = CoverScreen(
        center=_near((0.0, away) if flip else (away, 0.0)),
        size=_near(size),
        corner=Corner(extent=round(min(3.2, 0.2 * min(size)), 4)),
        punch=None if flip else _near((0.0, size[1] / 2 - 5.0)),
    )
    given = _handheld(made, "foldable", SURFACES[made.description.material], camera)
    return Foldable(**given, fold="flip" if flip else "book", spine=round(spine, 4), cover=cover)


def _handheld(
    made: Measured, category: Category, surfaces: tuple[Surface, Surface], camera: CameraPlate | None
) -> dict[str, Any]:
    """The members of the sheet of a phone or similar device."""
    width, height, depth = made.body
    narrowest = min(made.bezel)
    rim, edge = min(1.0, 0.4 * narrowest), min(1.1, 0.5 * narrowest, 0.3 * depth)
    corner, radius = _corner(made, rim, edge)
    details: dict[str, Any] = {}
    if corner is not None:
        details["corner"] = corner
    if made.screen_center != (0.0, 0.0):
        details["screen_center"] = made.screen_center
    cutout = made.description.screen.cutout.kind
    if cutout == "none" and made.bezel.top >= 6.0:
        details["front_camera"] = (0.0, height / 2 - made.bezel.top / 2)
    elif category == "phone" and made.bezel.top >= 2.0 and width >= 50:
        details["earpiece"] = (10.6, 0.5)
    return details | {
        "id": ID,
        "name": f"Custom {made.description.kind}",
        "brand": None,
        "category": category,
        "year": None,
        "screen": panel(made),
        "finishes": (finish(made),),
        "body": made.body,
        "radius": radius,
        "edge": edge,
        "rim": rim,
        "frame": surfaces[0],
        "back": surfaces[1],
        "buttons": tuple(_buttons(made, category)),
        "openings": tuple(_openings(made, category, surfaces[0])),
        "camera": camera,
    }


def finish(made: Measured) -> Finish:
    """The only finish."""
    red, green, blue, _ = color.parse(made.description.color)
    return Finish(name="Custom", hex=f"#{red:02x}{green:02x}{blue:02x}")


def panel(made: Measured) -> ScreenPanel:
    """The screen with its cut-out."""
    given, px = made.description.screen, (made.description.screen.width, made.description.screen.height)
    return ScreenPanel(
        px=px,
        size=made.screen,
        corner=superellipse(made.radius) if made.radius else None,
        cutout=_cutout(given),
    )


def _cutout(screen: Any) -> sheet.ScreenCutout | None:
    cutout = screen.cutout
    if cutout.kind == "none":
        return None
    width, height = cutout.width, cutout.height
    notch = cutout.kind == "notch"
    # An island or a hole is a little below the edge.
    usual = (
        height / 2 if notch else min(height / 2 + 0.6 * min(height, 0.05 * screen.height), screen.height / 2)
    )
    return sheet.ScreenCutout(
        kind=ISLAND[cutout.kind],
        center=(screen.width / 2 if cutout.x is None else cutout.x, usual if cutout.y is None else cutout.y),
        size=(width, height),
        radius=min(0.4 * height, width / 2) if notch else min(width, height) / 2,
        ear=0.12 * height if notch else 0.0,
    )


def _corner(made: Measured, rim: float, edge: float) -> tuple[Corner | None, float]:
    """The body's corner: the screen's, grown by an even bezel, or a radius that encloses the screen."""
    side, narrowest = min(made.body[:2]), min(made.bezel)
    inset = max(rim, edge) + 0.3
    if made.radius + narrowest >= inset and max(made.bezel) - narrowest < 0.05 and made.radius:
        screen = superellipse(made.radius)
        return Corner(extent=screen.extent, exponent=EXPONENT, offset=round(narrowest, 4)), 0.0
    most = made.radius + max(narrowest - inset * 2**-0.5, 0.1) / SLOPE
    usual = max(made.radius + narrowest, 0.1 * side if made.radius == 0 else 0.0)
    return None, round(min(max(usual, inset), most, 0.45 * side), 4)


def _buttons(made: Measured, category: Category) -> Iterator[Button]:
    """The usual buttons, shorter on small bodies."""
    width, height, depth = made.body
    size = {"width": min(2.7, 0.36 * depth), "protrusion": 0.4}

    def key(side: Side, name: str, place: float, length: float) -> Button:
        along = height if side in ("left", "right") else width
        return Button(side=side, name=name, center=place, length=round(min(length, 0.13 * along), 3), **size)

    if category == "tablet":
        yield key("top", "top-button", width - 20.0, 12.06)
        yield key("right", "volume-up", 24.4, 10.06)
        yield key("right", "volume-down", 36.4, 10.06)
    elif made.description.screen.cutout.kind in ("island", "notch"):
        yield key("left", "volume-up", 0.32 * height, 11.15)
        yield key("left", "volume-down", 0.415 * height, 11.15)
        yield key("right", "side", 0.37 * height, 17.61)
    else:
        yield key("right", "volume", 0.31 * height, 21.39)
        yield key("right", "power", 0.46 * height, 11.52)


def _openings(made: Measured, category: Category, frame: Surface) -> Iterator[WallOpening]:
    width, height, depth = made.body
    if category == "foldable":
        # There is no room in the middle: a foldable's frame is split there.
        return
    if depth >= 4.2 and width >= 30:
        yield WallOpening(kind="port", side="bottom", at=0.0, size=(8.9, 3.1))
    if width >= 60:
        for side in (-1, 1):
            yield WallOpening(
                kind="holes",
                side="bottom",
                at=side * min(14.1, 0.2 * width),
                size=(1.5, 1.5),
                count=5,
                pitch=2.5,
            )
    if frame in ("aluminium", "titanium", "steel", "polished") and height < 200:
        for at in (0.365 * height, -0.365 * height):
            for wall in ("left", "right"):
                yield WallOpening(kind="band", side=wall, at=round(at, 3), size=(0.9, depth))


def _camera(made: Measured, layout: CameraLayout) -> CameraPlate | None:
    return _placed(layout, made.body[:2], SURFACES[made.description.material][0])


def _placed(layout: CameraLayout, size: Pair, frame: Surface) -> CameraPlate | None:
    """A layout in the upper left corner of a back as seen from behind, or as a bar across it."""
    width, height = size
    if layout == "none":
        return None
    if layout == "bar":
        return _bar(width, height, frame)
    lenses = LENSES[layout]
    pill = all(x == 0 for x, _ in lenses) and layout != "single-square"
    across, up = (19.0, 19.0 * len(lenses)) if pill else (38.6, 38.6)
    if layout == "single":
        across = up = 18.0
    elif layout == "triple":
        up = 56.0
    scale = min(1.0, 0.55 * width / across, 0.55 * height / up)
    size = across * scale, up * scale
    corner = Corner(extent=size[0] / 2 - 0.001) if pill else Corner(extent=12.5 * scale, exponent=2.6)
    spots = () if pill else SPOTS[layout]
    margin = min(5.0, 0.08 * width)
    return CameraPlate(
        center=(round((size[0] - width) / 2 + margin, 4), round((height - size[1]) / 2 - margin, 4)),
        size=_near(size),
        corner=corner,
        rise=1.5 * scale,
        edge=0.7 * scale,
        lenses=tuple(
            Lens(
                at=_near((x * scale, y * scale)), diameter=round(15.0 * scale, 4), rise=1.2 * scale, rim=scale
            )
            for x, y in lenses
        ),
        spots=tuple(
            Spot(kind=kind, at=_near((at[0] * scale, at[1] * scale)), diameter=round(size * scale, 4))
            for kind, at, size in spots
        ),
    )


def _bar(width: float, height: float, frame: Surface) -> CameraPlate:
    scale = min(1.0, 0.84 * width / 60.0, 0.3 * height / 22.4)
    lenses = ((-19.3, 13.6), (-4.8, 12.6), (8.6, 12.0))
    return CameraPlate(
        center=(0.0, round(height / 2 - max(0.19 * height, 0.55 * 22.4 * scale), 4)),
        size=_near((60.0 * scale, 22.4 * scale)),
        corner=Corner(extent=round(11.2 * scale - 0.001, 4)),
        rise=2.6 * scale,
        edge=1.1 * scale,
        surface=frame,
        glass_inset=2.0 * scale,
        lenses=tuple(Lens(at=_near((x * scale, 0.0)), diameter=round(size * scale, 4)) for x, size in lenses),
        spots=(
            Spot(kind="flash", at=_near((20.3 * scale, 3.9 * scale)), diameter=round(4.8 * scale, 4)),
            Spot(kind="sensor", at=_near((20.3 * scale, -3.9 * scale)), diameter=round(4.0 * scale, 4)),
        ),
    )


def _near(pair: Pair) -> Pair:
    return round(pair[0], 4), round(pair[1], 4)
