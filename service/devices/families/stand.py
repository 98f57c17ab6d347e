"""Stands of monitors and televisions; the glass is in the plane z = 0, around its body's middle."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ..device import Bend, Corner, Decal, Face, Hole, Layer, Side, Slab, Surface, Tone, Vector
from .art import Art, SharedPart, layers
from .corner import superellipse
from .pose import vector
from .sheet import Monitor

EDGE = 1.2  # mm; the radius of the edges of plates and struts
OVERLAP = 1.0  # mm by which a bend overlaps the plates that it joins, so that no light shows between them
APART = 0.05  # mm between a strut and the body, which it must not cut into


def stand(sheet: Monitor, art: Art, tone: Tone) -> tuple[Slab, ...]:
    """The stand of a sheet, from back to front."""
    match sheet.stand.kind:
        case "plate" if sheet.stand.bend:
            return sheet_metal(sheet, art, tone)
        case "plate":
            return plate(sheet, art, tone), foot(sheet, tone)
        case "post":
            return *joint(sheet, tone), post(sheet, art, tone), foot(sheet, tone)
        case "frames":
            return tuple(frames(sheet, tone))
        case "bars":
            return tuple(bars(sheet, tone))


def material(sheet: Monitor) -> Surface:
    """The material of feet: painted metal where the screen is plastic, otherwise the frame's."""
    return "coated" if sheet.frame == "plastic" else sheet.frame


def ground(sheet: Monitor) -> float:
    """The height of the ground below the stand."""
    return -sheet.height / 2 - sheet.stand.height


def behind(sheet: Monitor) -> float:
    """The distance of the screen's back from the glass, mm."""
    return -sheet.thickness - (sheet.bulge.depth if sheet.bulge else 0.0)


def ends(sheet: Monitor) -> tuple[Vector, Vector]:
    """The middles of the lower and upper end of a plate or post."""
    given = sheet.stand
    deep = given.deep or given.thickness
    low, high = ground(sheet) + given.thickness, given.reach - sheet.height / 2
    top = behind(sheet) - deep / 2 - APART
    if given.kind == "post":
        top -= given.joint[2] + APART if given.joint else 0.0
        return (0.0, low, top), (0.0, high, top)
    # A plate leans from the foot's end to the back, which its upper edge touches.
    bottom = given.front - given.base[1] + deep / 2 + EDGE
    lean = math.atan2(top - bottom, high - low)
    return (0.0, low, bottom), (0.0, high, behind(sheet) - APART - deep / 2 * math.cos(lean))


def plate(sheet: Monitor, art: Art, tone: Tone) -> Slab:
    """The plate behind the screen, with its front turned away from the screen."""
    given = sheet.stand
    low, high = bent_ends(sheet)[1:] if given.bend else ends(sheet)
    rise, run = high[1] - low[1], high[2] - low[2]
    length = math.hypot(rise, run)
    deep = given.deep or given.thickness
    face = Face(surface=sheet.frame, tone=tone)
    drawn: tuple[Layer, ...] = ()
    holes: tuple[Hole, ...] = ()
    if given.hole is not None:
        diameter, above = given.hole
        up = round((above - sheet.height / 2 - (low[1] + high[1]) / 2) * length / rise, 4)
        drawn = layers(art, SharedPart("cable-hole", (diameter, diameter)), (0.0, up))
        holes = (Hole(center=(0.0, up), diameter=diameter),)
    return Slab(
        name="upright",
        role="stand",
        size=(given.width, round(length, 4), deep),
        corner=Corner(extent=EDGE),
        edge=EDGE,
        surface=sheet.frame,
        tone=tone,
        center=vector((a + b) / 2 for a, b in zip(low, high, strict=True)),
        x=(-1, 0, 0),
        y=vector((0.0, rise / length, run / length)),
        joined=("bottom",) if given.bend else (),
        parent="bulge" if sheet.bulge else "body",
        front=face.model_copy(update={"layers": drawn}),
        back=face,
        holes=holes,
    )


def bent_ends(sheet: Monitor) -> tuple[Vector, Vector, Vector]:
    """The ends of a bent sheet's pieces: the foot, the bend, and the upright, which ends at the back."""
    given = sheet.stand
    radius, half = given.bend, given.thickness / 2
    level, start = ground(sheet) + half, given.front - given.base[1] + given.bend + half
    high, lean = given.reach - sheet.height / 2, 0.0
    # The upright leans from the end of the bend, whose place depends on the lean in turn.
    for _ in range(20):
        low = level + radius * (1 + math.sin(lean)), start - radius * math.cos(lean)
        top = behind(sheet) - APART - half * math.cos(lean)
        lean = math.atan2(top - low[1], high - low[0])
    return (0.0, level, start), (0.0, *low), (0.0, high, top)


def sheet_metal(sheet: Monitor, art: Art, tone: Tone) -> tuple[Slab, ...]:
    """One sheet, bent: the upright behind the screen, the foot, and the bend between them."""
    given = sheet.stand
    start, low, high = bent_ends(sheet)
    angle = math.pi / 2 + math.atan2(high[2] - low[2], high[1] - low[1])
    half = angle / 2
    face = Face(surface=sheet.frame, tone=tone)
    curve = Slab(
        name="bend",
        role="foot",
        size=(given.width, round(angle * given.bend + 2 * OVERLAP, 4), given.thickness),
        corner=Corner(extent=EDGE),
        edge=EDGE,
        surface=sheet.frame,
        tone=tone,
        center=vector(
            (0.0, start[1] + given.bend * (1 - math.cos(half)), start[2] - given.bend * math.sin(half))
        ),
        x=(1, 0, 0),
        y=vector((0.0, math.sin(half), -math.cos(half))),
        bend=Bend(angle=round(-math.degrees(angle), 6), radius=given.bend),
        joined=("top", "bottom"),
        front=face,
        back=face,
    )
    return plate(sheet, art, tone), foot(sheet, tone), curve


def joint(sheet: Monitor, tone: Tone) -> tuple[Slab, ...]:
    """The plate between post and back, if there is one, with its front turned away from the screen."""
    given = sheet.stand
    if given.joint is None:
        return ()
    high = given.reach - given.tilt - sheet.height / 2
    face = Face(surface=sheet.frame, tone=tone)
    return (
        Slab(
            name="joint",
            role="stand",
            size=given.joint,
            corner=superellipse(6.0),
            edge=EDGE,
            surface=sheet.frame,
            tone=tone,
            center=(0.0, round(high, 4), round(behind(sheet) - APART - given.joint[2] / 2, 4)),
            x=(-1, 0, 0),
            y=(0, 1, 0),
            parent="bulge" if sheet.bulge else "body",
            front=face,
            back=face,
        ),
    )


def post(sheet: Monitor, art: Art, tone: Tone) -> Slab:
    """The post behind the screen, with its upper end as its front."""
    given = sheet.stand
    low, high = ends(sheet)
    middle, holes = (low[1] + high[1]) / 2, list[Decal]()
    if given.hole is not None:
        diameter, above = given.hole
        part = SharedPart("cable-hole", (diameter, diameter), style="deep")
        up = round(above - sheet.height / 2 - middle, 4)
        if image := art.part(part):
            sides: tuple[Side, ...] = ("top", "bottom")
            holes = [Decal(side=side, at=0, across=up, size=part.extent, image=image) for side in sides]
    face = Face(surface=sheet.frame, tone=tone)
    return Slab(
        name="upright",
        role="stand",
        size=(given.width, given.deep, round(high[1] - low[1], 4)),
        corner=superellipse(given.soft),
        edge=EDGE,
        surface=sheet.frame,
        tone=tone,
        center=(0.0, middle, low[2]),
        x=(1, 0, 0),
        y=(0, 0, -1),
        parent="joint" if given.joint else "bulge" if sheet.bulge else "body",
        front=face,
        back=face,
        decals=tuple(holes),
    )


def foot(sheet: Monitor, tone: Tone) -> Slab:
    """The plate on the table; its y points to the back."""
    given = sheet.stand
    width, depth = given.base
    if given.bend:
        depth = given.front - bent_ends(sheet)[0][2]
    middle = given.front - depth / 2
    face = Face(surface=material(sheet), tone=tone)
    return Slab(
        name="foot",
        role="foot",
        size=(width, round(depth, 4), given.thickness),
        corner=superellipse(given.corner)
        if given.corner < width / 2
        else Corner(extent=given.corner - 0.001),
        edge=min(EDGE, given.thickness / 2),
        surface=material(sheet),
        tone=tone,
        center=(0.0, ground(sheet) + given.thickness / 2, middle),
        x=(1, 0, 0),
        y=(0, 0, -1),
        joined=("top",) if given.bend else (),
        front=face,
        back=face,
    )


def frames(sheet: Monitor, tone: Tone) -> Iterator[Slab]:
    """Two struts under each end of the screen, from one point to the front and to the back."""
    given = sheet.stand
    half, middle = given.thickness / 2, -sheet.thickness / 2
    low, high = ground(sheet) + half, -sheet.height / 2 - half - APART
    for side, out in (("left", -1), ("right", 1)):
        x = out * (sheet.width / 2 - given.inset)
        for end, sign in (("rear", -1), ("front", 1)):
            # The upper ends of the struts touch each other.
            bottom, top = middle + sign * (given.base[1] / 2 - half), middle + sign * (half + APART)
            rise, run = high - low, top - bottom
            length = math.hypot(rise, run)
            yield Slab(
                name=f"{side}-{end}",
                role="foot",
                size=(round(length + 2 * half, 4), given.thickness, given.width),
                corner=Corner(extent=round(half - 0.001, 4)),
                edge=EDGE,
                surface=material(sheet),
                tone=tone,
                center=(x, (low + high) / 2, (bottom + top) / 2),
                # The strut's axes run along it, and across it in the plane of the foot. Its front is turned
                # outward, so that the screen does not mirror it.
                x=vector((0.0, out * rise / length, out * run / length)),
                y=vector((0.0, -run / length, rise / length)),
                front=Face(surface=material(sheet), tone=tone),
                back=Face(surface=material(sheet), tone=tone),
            )


def bars(sheet: Monitor, tone: Tone) -> Iterator[Slab]:
    """A post on a bar under each end of the screen."""
    given = sheet.stand
    bottom, middle = ground(sheet), -sheet.thickness / 2
    face = Face(surface=material(sheet), tone=tone)
    for side, x in (("left", given.inset - sheet.width / 2), ("right", sheet.width / 2 - given.inset)):
        yield Slab(
            name=f"{side}-bar",
            role="foot",
            size=(given.width, given.base[1], given.thickness),
            corner=superellipse(min(given.corner, given.width * 0.4)),
            edge=min(2.0, given.thickness / 2),
            surface=material(sheet),
            tone=tone,
            center=(x, bottom + given.thickness / 2, middle),
            x=(1, 0, 0),
            y=(0, 0, -1),
            front=face,
            back=face,
        )
        height = given.height - given.thickness - 2 * APART
        yield Slab(
            name=f"{side}-post",
            role="foot",
            size=(round(given.width * 0.8, 4), round(height, 4), given.deep),
            corner=Corner(extent=EDGE),
            edge=EDGE,
            surface=material(sheet),
            tone=tone,
            center=(x, bottom + given.thickness + APART + height / 2, middle),
            front=face,
            back=face,
        )
