"""Straps of watches: two parts that bend back from the case, and the closure that joins them."""

from __future__ import annotations

import math

from ..device import Bend, Corner, Face, Layer, Pair, Slab, Vector
from .art import Art, SharedPart, layers
from .corner import quarter, superellipse
from .pose import along, bent, cross, vector
from .rear import BEHIND
from .sheet import Watch, WatchStrap

SQUARE = 1.4  # mm; a strap with corners of a larger radius begins deeper inside the case
MOUTH = 12  # steps in which half a strap's width is fitted to its case
OVERLAP = 2.0  # mm by which the closure overlaps both parts, so that no light shows between them


def straps(sheet: Watch, art: Art) -> tuple[Slab, ...]:
    """The slabs of a sheet's strap."""
    given = sheet.band
    item = rooted(given) if given.form == "open" else given.model_copy(update={"tip": SQUARE})
    top, bottom = (strap(sheet, item, side, up, art) for side, up in (("top", 1.0), ("bottom", -1.0)))
    return (top, bottom) if given.form == "open" else (top, bottom, closure(item, top, art))


def directions(lean: float, up: float) -> tuple[Vector, Vector, Vector]:
    """The axes of a piece of strap that leans back by `lean` radians; `up` is -1 on the lower side."""
    return (
        (up, 0.0, 0.0),
        vector((0.0, up * math.cos(lean), -math.sin(lean))),
        vector((0.0, up * math.sin(lean), math.cos(lean))),
    )


def rooted(item: WatchStrap) -> WatchStrap:
    """The strap, begun deeper in the case on the same arc, so that its rounded corners are hidden there."""
    deep = item.tip - SQUARE
    if deep <= 0:
        return item
    radius, longer = item.length / math.radians(item.angle), (item.length + deep) / item.length
    end, start = math.radians(item.lean), math.radians(item.lean) - deep / radius
    back = radius * (math.sin(end) - math.sin(start)), radius * (math.cos(end) - math.cos(start))
    changed = {
        "length": round(item.length + deep, 4),
        "root": (round(item.root[0] - back[0], 4), round(item.root[1] - back[1], 4)),
        "lean": round(math.degrees(start), 4),
        "angle": round(item.angle * longer, 4),
        "taper": round(item.taper * longer, 4),
    }
    return item.model_copy(update=changed)


def cut(sheet: Watch, item: WatchStrap, bend: Bend) -> tuple[float, float, float]:
    """The line where the upper strap leaves the case: local y at its middle layer, and the slope over z.

    The last value is how far the line is inside the case's outline, mm.
    """
    _, y, z = directions(math.radians(item.lean + item.angle / 2), 1.0)
    _, start, deep = bent(bend, (0.0, -item.length / 2, 0.0))
    half = sheet.body[2] / 2

    def depths(at: float, up: float) -> tuple[float, float]:
        _, run, rise = bent(bend, (0.0, at, up))
        _, long, height = along((1, (0.0, *item.root)), (run - start, y), (rise - deep, z))
        bevel = min(max(abs(height) - half + sheet.edge, 0.0), sheet.edge)
        return sheet.body[1] / 2 - long, sheet.edge - math.sqrt(sheet.edge**2 - bevel**2)

    def crossing(up: float) -> float:
        low, high = -item.length / 2, 0.0
        for _ in range(40):
            middle = (low + high) / 2
            inside, surface = depths(middle, up)
            low, high = (middle, high) if inside > surface else (low, middle)
        return low

    back, front = crossing(-item.thickness / 2), crossing(item.thickness / 2)
    base = (front + back) / 2
    return round(base, 4), round((front - back) / item.thickness, 4), depths(base, 0.0)[0]


def mouth(sheet: Watch, item: WatchStrap, base: float, inset: float) -> tuple[Pair, ...]:
    """Fits a strap's lower end, which leaves the case at `base`, to an outline `inset` mm inside the case."""
    corner, (width, height, _) = sheet.corner or superellipse(sheet.radius), sheet.body
    extent = min(corner.extent, width / 2 - corner.offset, height / 2 - corner.offset)
    corner = corner.model_copy(update={"offset": corner.offset - inset})
    # The strap reaches deepest at its end. Where the taper makes the strap wider, the case curves away
    # farther.
    steep = math.cos(math.radians(item.lean)) * (0.5 - base / item.length)
    wider = 1 - 2 * item.taper * base / item.length

    def fall(x: float) -> float:
        inner = x * wider - width / 2 + inset + corner.offset + extent
        if inner <= 0:
            return 0.0
        low, high = 0.0, math.pi / 2
        for _ in range(40):
            turn = (low + high) / 2
            low, high = (low, turn) if quarter(corner, extent, turn)[0] < inner else (turn, high)
        return extent + corner.offset - quarter(corner, extent, low)[1]

    places = [round(step * item.width / 2 / MOUTH, 4) for step in range(MOUTH + 1)]
    return tuple((x, round(fall(x) / steep, 4)) for x in places)


def woven(item: WatchStrap, up: float, art: Art) -> tuple[Layer, ...]:
    """The drawings on both sides of a strap.

    With `holes`, an open strap has the holes in its lower part and a pin on its upper one; a closed strap has
    both on its closure.
    """
    if item.weave is None or (item.weave == "holes" and item.form == "closed"):
        return ()
    style = "pin" if item.weave == "holes" and up > 0 else item.weave
    return layers(art, SharedPart("strap", (item.width, item.length), style=style))


def strap(sheet: Watch, item: WatchStrap, side: str, up: float, art: Art) -> Slab:
    """One end of the strap: `up` is 1 for the upper and -1 for the lower one, its mirror image."""
    bend = Bend(
        angle=item.angle,
        radius=round(item.length / math.radians(item.angle), 4),
        taper=item.taper,
    )
    x, y, z = directions(math.radians(item.lean + item.angle / 2), up)
    _, start, deep = bent(bend, (0.0, -item.length / 2, 0.0))
    root: Vector = (0.0, up * item.root[0], item.root[1])
    base, mitre, inset = cut(sheet, item, bend)
    color = item.color or "#b0b0b0"
    face = Face(surface=item.surface, tinted=item.color is None, color=color, layers=woven(item, up, art))
    return Slab(
        name=f"strap-{side}",
        role="strap",
        size=(item.width, item.length, item.thickness),
        corner=Corner(extent=item.tip),
        edge=round(item.thickness * 0.42, 4),
        surface=item.surface,
        tinted=face.tinted,
        color=color,
        center=vector(along((1, root), (-start, y), (-deep, z))),
        x=x,
        y=y,
        bend=bend.model_copy(update={"mouth": mouth(sheet, item, base, inset), "mitre": mitre}),
        base=base,
        joined=("top",) if item.form == "closed" else (),
        front=face,
        back=face,
    )


def fastened(item: WatchStrap, size: Pair, side: str, art: Art) -> tuple[Layer, ...]:
    """The drawing on one side of a closure."""
    if item.weave is None:
        return ()
    # The pattern repeats in steps of whole pixels of 0.1 mm, which keeps the file small.
    drawn = round(size[0], 1), round(size[1], 1)
    return layers(art, SharedPart("closure", drawn, style=f"{item.weave}{side}"))


def closure(item: WatchStrap, upper: Slab, art: Art) -> Slab:
    """The part behind the wrist, on an arc that continues both other parts; its front is turned outwards."""
    assert upper.bend is not None
    axes = upper.x, upper.y, cross(upper.x, upper.y)
    end = bent(upper.bend, (0.0, upper.size[1] / 2, 0.0))
    _, high, deep = along((1, upper.center), *zip(end, axes, strict=True))
    half = math.pi - math.radians(item.lean + item.angle)
    radius = high / math.sin(half)
    angle = 2 * (half + OVERLAP / radius)
    width, length = round(item.width * (1 - item.taper), 4), round(angle * radius, 4)
    outside, inside = (
        upper.front.model_copy(update={"layers": fastened(item, (width, length), side, art)})
        for side in ("", "-inside")
    )
    return upper.model_copy(
        update={
            "name": "strap-closure",
            "size": (width, length, item.thickness),
            "center": vector((0.0, 0.0, deep - radius * (1 - math.cos(half)))),
            "x": BEHIND[0],
            "y": BEHIND[1],
            "bend": Bend(angle=round(math.degrees(angle), 4), radius=round(radius, 4)),
            "base": None,
            "joined": ("top", "bottom"),
            "front": outside,
            "back": inside,
        }
    )
