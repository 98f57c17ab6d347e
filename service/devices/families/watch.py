"""Watches: a rounded case with crown and buttons, and the near ends of a strap that bend away from it."""

from __future__ import annotations

import math

from ..device import Bend, Corner, Decal, Device, Face, Layer, Pair, Slab, Vector
from .art import Art, SharedPart, detail_layers, layers
from .buttons import AXES, button_slab, guard_slab, guarded, place
from .corner import quarter, superellipse
from .panel import screen
from .pose import along, bent, centred, vector
from .rear import BEHIND
from .sheet import Button, Crown, Disc, Watch, WatchStrap

BLACK = "#020203"
SENSOR = "#0b0b0d"  # colour of the crystal on the back
STRAIGHT = 0.05  # mm; a wall that deviates by less counts as straight
END = 1.2  # mm; a crown's rounded edge at most
SQUARE = 1.4  # mm; a strap with corners of a larger radius begins deeper inside the case
MOUTH = 12  # steps in which half a strap's width is fitted to its case


def case(sheet: Watch, art: Art) -> Slab:
    """The case; its front is glass inside a rim, or metal around the dial."""
    glass = sheet.dial is None
    front = Face(
        surface="glass" if glass else sheet.frame,
        inset=sheet.rim if glass else 0.0,
        gasket=sheet.gasket if glass else 0.0,
        tinted=not glass,
        color=BLACK,
    )
    return Slab(
        name="body",
        role="case",
        size=sheet.body,
        corner=sheet.corner or superellipse(sheet.radius),
        edge=sheet.edge,
        surface=sheet.frame,
        front=front,
        back=Face(surface=sheet.back, layers=detail_layers(art, sheet.details)),
        decals=decals(sheet, art),
    )


def decals(sheet: Watch, art: Art) -> tuple[Decal, ...]:
    """Pictures on the side walls: openings, then the gaps around buttons."""
    parts = [
        (item.side, item.at, SharedPart(item.kind, item.size, item.count, item.pitch))
        for item in sheet.openings
    ]
    for button in sheet.buttons:
        if straight(sheet, button) and (sheet.guard is None or button.side != "right"):
            part = SharedPart(
                "control" if button.flush else "well", (button.length, min(button.width, sheet.body[2] - 1))
            )
            parts.append((button.side, place(sheet, button), part))
    return tuple(
        Decal(side=side, at=at, size=part.extent, image=image)
        for side, at, part in parts
        if (image := art.part(part))
    )


def sensors(art: Art, item: Disc) -> tuple[Layer, ...]:
    """The windows of the sensors, drawn once for all watches that share a layout, and scaled."""
    part = SharedPart("pulse", style=item.windows)
    if (image := art.part(part)) is None:
        return ()
    side = round(item.diameter * 0.8, 4)
    return (Layer(image=image, size=(side, side)),)


def fallen(sheet: Watch, item: Disc) -> float:
    """The largest depth, mm, by which the front of the case has curved away below a round part's rim."""
    aside = max((min(sheet.body[:2]) - item.diameter) / 2, 0.0)
    return round(sheet.edge - math.sqrt(sheet.edge**2 - max(sheet.edge - aside, 0.0) ** 2), 4)


def disc(sheet: Watch, item: Disc, name: str, art: Art, *, front: bool) -> Slab:
    """A round part on the front or the back of the case, its edge rounded as far as its rise allows.

    A part on the front may reach over the rounded edge of the case. It then begins as deep as the case has
    curved away there.
    """
    sunk = fallen(sheet, item) if front else 0.0
    depth = item.rise * 2 + 0.4 + sunk
    clear = (item.diameter - sheet.screen.size[0]) / 2 if front else item.rise
    edge = round(min(item.rise, clear), 4)
    middle = sheet.body[2] / 2 + item.rise - depth / 2
    metal, color = bool(item.rim), BLACK if front else SENSOR
    windows = () if front else sensors(art, item)
    return Slab(
        name=name,
        role="part",
        size=(item.diameter, item.diameter, round(depth, 4)),
        corner=Corner(extent=round(item.diameter / 2 - 0.001, 4)),
        edge=edge,
        surface=sheet.frame if metal else "glass",
        tinted=metal,
        color=color,
        center=(0.0, 0.0, round(middle if front else -middle, 4)),
        x=(1, 0, 0) if front else BEHIND[0],
        y=BEHIND[1],
        parent="body",
        base=round(depth / 2 - item.rise - sunk, 4),
        front=Face(
            surface="glass",
            inset=item.rim,
            gasket=0.1 if metal else 0.0,
            tinted=False,
            color=color,
            layers=windows,
        ),
    )


def crown_slab(sheet: Watch, item: Crown, name: str) -> Slab:
    """A crown with a grooved wall; a dark ring on its end parts the touch-sensitive middle from its edge."""
    outward, long, across = AXES["right"]
    edge = round(min(END, item.protrusion * 0.45, item.diameter / 6), 4)
    depth = item.protrusion + item.sunk + 1.2 * edge  # keeps the base away from the lower edge
    lift = sheet.body[0] / 2 + item.protrusion - depth / 2
    ring = round(edge + item.diameter * 0.07, 4)
    return Slab(
        name=name,
        role="part",
        size=(item.diameter, item.diameter, round(depth, 4)),
        corner=Corner(extent=round(item.diameter / 2 - 0.001, 4)),
        edge=edge,
        surface=sheet.frame,
        flutes=item.flutes,
        center=vector(along((lift, outward), (sheet.body[1] / 2 - item.center, long))),
        x=long,
        y=across,
        parent="body",
        base=round(1.2 * edge - depth / 2, 4),
        front=Face(surface=sheet.frame, inset=ring, gasket=0.25),
    )


def wall(sheet: Watch, y: float) -> tuple[Pair, Pair]:
    """The point of the right wall at a height from the middle, mm, and its normal."""
    corner, (width, height, _) = sheet.corner or superellipse(sheet.radius), sheet.body
    extent = min(corner.extent, width / 2 - corner.offset, height / 2 - corner.offset)
    right, top = (side / 2 - corner.offset - extent for side in (width, height))
    if abs(y) <= top:
        return (width / 2, y), (1.0, 0.0)
    low, high = 0.0, math.pi / 2
    for _ in range(40):
        turn = (low + high) / 2
        low, high = (turn, high) if quarter(corner, extent, turn)[1] < abs(y) - top else (low, turn)
    out, up = (max(value, 0.0) ** (2 - 2 / corner.exponent) for value in (math.cos(low), math.sin(low)))
    long = math.hypot(out, up)
    return (right + quarter(corner, extent, low)[0], y), (out / long, math.copysign(up / long, y))


def straight(sheet: Watch, button: Button) -> bool:
    """Whether the wall is practically straight at the middle of a button."""
    return sheet.body[0] / 2 - wall(sheet, place(sheet, button))[0][0] < STRAIGHT


def around(sheet: Watch, button: Button, slab: Slab) -> Slab:
    """A button moved and turned to follow a wall that is curved there."""
    (across, up), (out, lean) = wall(sheet, place(sheet, button))
    side, lift = math.copysign(1.0, slab.center[0]), abs(slab.center[0]) - sheet.body[0] / 2
    # The button's ends are farther from the curved wall than its middle.
    half = button.length / 2
    gaps = [
        (across - x) * out + (up - y) * lean
        for x, y in (wall(sheet, up + sign * half * out)[0] for sign in (-1, 1))
    ]
    changed = {
        "center": vector((side * (across + lift * out), up + lift * lean, slab.center[2])),
        "x": vector((-side * lean, out, 0.0)),
        "base": round((slab.base or 0.0) - max(gaps) / 2, 4),
    }
    return slab.model_copy(update=changed)


def key_slab(sheet: Watch, button: Button) -> Slab:
    """A button, in its own colour if it has one."""
    slab = button_slab(sheet, button)
    if not straight(sheet, button):
        slab = around(sheet, button, slab)
    if (color := sheet.accents.get(button.name)) is None:
        return slab
    face = slab.front.model_copy(update={"tinted": False, "color": color})
    return slab.model_copy(update={"tinted": False, "color": color, "front": face})


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
    """The drawings on both sides of a strap; the lower strap has the holes, the upper one the pin."""
    if item.weave is None:
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
        front=face,
        back=face,
    )


def watch(sheet: Watch, art: Art) -> Device:
    """The watch of a sheet."""
    slabs = [case(sheet, art), disc(sheet, sheet.sensor, "sensor", art, front=False)]
    if sheet.dial is not None:
        slabs.append(disc(sheet, sheet.dial, "dial", art, front=True))
    crowns = [crown_slab(sheet, item, f"crown-{number}") for number, item in enumerate(sheet.crowns, 1)]
    keys = [key_slab(sheet, button) for button in sheet.buttons if not button.flush]
    if sheet.guard is not None:
        guard = guard_slab(sheet, sheet.guard)
        crowns = [guarded(crown, guard) for crown in crowns]
        keys = [guarded(key, guard) if key.center[0] > 0 else key for key in keys]
        slabs.append(guard)
    ends = (("top", 1.0), ("bottom", -1.0))
    band = rooted(sheet.band)
    slabs += [*crowns, *keys, *(strap(sheet, band, side, up, art) for side, up in ends)]
    placed, body = centred(slabs)
    return Device(
        **sheet.shared,
        body=body,
        orientations=("portrait",),
        screens=(screen(art, sheet.screen, "dial" if sheet.dial else "body"),),
        slabs=placed,
    )
