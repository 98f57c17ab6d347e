"""Consoles: a screen between two ends with sticks, buttons and pads, and grips behind them."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ..device import Corner, Device, Face, Pair, Slab
from .art import Art, SharedPart, detail_layers, layers, near
from .buttons import accented
from .corner import superellipse
from .handheld import BLACK, body_corner, front_layers, handheld
from .pose import vector
from .rear import BEHIND
from .sheet import DARK, Console, Control

PROUD = 0.1  # mm; the glass above the front
SUNK = 1.0  # mm by which every part reaches below the surface that it stands on
ASIDE = 2.0  # mm; between a grip and the sides of the body
SOFT = 32.0  # mm; the grips' edges
# mm; the height of a cross, the largest radii of its edges and corners, and by how much its middle plate
# overlaps the seam and rises over it, so little that its edge does not show
CROSS, SOFTENED, ROUND, SEAM, PLATE = 2.0, 1.1, 1.8, 0.04, 0.004
PAD, GAP = 0.3, 0.55  # mm; the height of a touch pad, and the width of the gap around it
SHOULDER = 1.2  # mm; the height of a bumper above the middle of its wall
# The height of a stick's cap and the width of its neck in the cap's diameters; mm by which its ring and its
# dark well are wider than the cap on each side; mm, the cap's thickness
TALL, NECK, RING, WELL, CAP = 0.36, 0.62, 1.1, 2.6, 3.0
LEGEND = 3.4  # mm; letters on buttons
POLISHED, PADDED = "#0c0d0f", "#111214"  # colours of polished controls and of touch pads


def raised(sheet: Console, name: str, at: Pair, size: Pair, radius: float, rise: float, edge: float) -> Slab:
    """A dark part of the front that rises by `rise` mm."""
    depth = rise + max(edge, SUNK)
    return Slab(
        name=name,
        role="part",
        size=(*size, round(depth, 4)),
        corner=Corner(extent=round(min(radius, min(size) / 2 - 0.001), 4)),
        edge=edge,
        surface="plastic",
        tinted=False,
        color=DARK,
        center=(*at, round(sheet.thickness / 2 + rise - depth / 2, 4)),
        parent="body",
        base=round(depth / 2 - rise, 4),
        front=Face(surface="plastic", tinted=False, color=DARK),
    )


def parts(sheet: Console, control: Control, name: str, art: Art) -> Iterator[Slab]:
    """The slabs of a control."""
    radius = min(control.size) / 2
    match control.kind:
        case "stick":
            yield from stick(sheet, control, name, art)
        case "cross":
            yield from cross(sheet, control, name)
        case "button":
            cap = raised(sheet, name, control.at, control.size, radius, 2.2, 1.2)
            yield signed(polished(cap), control, art)
        case "pad":
            yield from pad(sheet, control, name)
        case "key":
            key = raised(sheet, name, control.at, control.size, radius, 0.6, 0.4)
            yield signed(polished(key), control, art)


def polished(slab: Slab) -> Slab:
    """A part of smooth plastic, whose rounded edges mirror lights sharply."""
    front = slab.front.model_copy(update={"surface": "gloss", "color": POLISHED})
    return slab.model_copy(update={"surface": "gloss", "color": POLISHED, "front": front})


def stick(sheet: Console, control: Control, name: str, art: Art) -> Iterator[Slab]:
    """A cap with a hollow on a narrower neck, over a ring in a dark well."""
    wide, rise = control.size[0], round(TALL * control.size[0], 4)
    for label, across, height, edge, color in (
        ("well", wide + 2 * WELL, 0.2, 0.15, BLACK),
        ("ring", wide + 2 * RING, 0.5, 0.25, control.ring),
        ("neck", NECK * wide, rise - CAP / 2, 0.1, BLACK),
    ):
        disc = raised(sheet, f"{name}-{label}", control.at, (across, across), across, height, edge)
        yield disc.model_copy(
            update={"color": color, "front": disc.front.model_copy(update={"color": color})}
        )
    cap = raised(sheet, name, control.at, control.size, wide, rise, 1.2)
    inset = round(0.13 * wide, 4)
    hollow = layers(art, SharedPart("dish", near((wide - 2 * inset, wide - 2 * inset))))
    dish = Face(surface="rubber", inset=inset, gasket=0.6, tinted=False, color="#1f2022", layers=hollow)
    # The cap is cut off above the front, in the straight part of its wall.
    depth = round(CAP + cap.edge, 4)
    middle = (*cap.center[:2], round(cap.center[2] + (cap.size[2] - depth) / 2, 4))
    changed = {"size": (*control.size, depth), "center": middle, "base": round(depth / 2 - CAP, 4)}
    yield cap.model_copy(update={**changed, "front": dish, "surface": "rubber"})


def pad(sheet: Console, control: Control, name: str) -> Iterator[Slab]:
    """A touch pad in a dark gap."""
    wide = (control.size[0] + 2 * GAP, control.size[1] + 2 * GAP)
    gap = raised(sheet, f"{name}-gap", control.at, wide, 3.0 + GAP, 0.04, 0.02)
    yield gap.model_copy(update={"color": BLACK, "front": gap.front.model_copy(update={"color": BLACK})})
    touch = raised(sheet, name, control.at, control.size, 3.0, PAD, PAD)
    front = touch.front.model_copy(update={"color": PADDED})
    yield touch.model_copy(update={"color": PADDED, "front": front})


def cross(sheet: Console, control: Control, name: str) -> Iterator[Slab]:
    """An upright bar with an arm at each side, in one plane.

    Two bars that crossed would each show a wall on the other. Arms beside one bar cover its walls where they
    are nearer.
    """
    (x, y), (width, height) = control.at, control.size
    across, up = width / 3, height / 3
    soft = min(SOFTENED, across / 4)
    yield polished(raised(sheet, name, control.at, (across, height), ROUND, CROSS, soft))
    # A thin plate on the bar hides its edges between the arms.
    middle = (across + 2 * SEAM, up - 2 * soft)
    plate = polished(raised(sheet, f"{name}-middle", control.at, middle, SEAM, CROSS + PLATE, PLATE / 2))
    yield plate.model_copy(update={"parent": name, "base": round(plate.size[2] / 2 - PLATE, 4)})
    length = (width - across) / 2 + SEAM
    for side, label in ((-1.0, "left"), (1.0, "right")):
        at = (round(x + side * (width - length) / 2, 4), y)
        arm = polished(raised(sheet, f"{name}-{label}", at, (up, length), ROUND, CROSS, soft))
        # Its upper end points away from the bar.
        yield arm.model_copy(update={"x": (0.0, -side, 0.0), "y": (side, 0.0, 0.0), "joined": ("bottom",)})


def signed(key: Slab, control: Control, art: Art) -> Slab:
    """A key with its control's legend, if it has one."""
    if not control.legend:
        return key
    drawn = layers(art, SharedPart("legend", (LEGEND, LEGEND), style=control.legend))
    return key.model_copy(update={"front": key.front.model_copy(update={"layers": drawn})})


def sunk(sheet: Console, aside: float) -> float:
    """The depth, mm, by which the back has curved away from its flat part, `aside` mm inside its outline."""
    return sheet.edge - math.sqrt(sheet.edge**2 - max(sheet.edge - aside, 0.0) ** 2)


def grip(sheet: Console, size: Pair, side: int) -> Slab:
    """The grip behind the lower part of one end; `side` is 1 for the device's right."""
    width, height = size
    rise = sheet.body[2] - sheet.thickness
    deep = sunk(sheet, ASIDE)
    # The grip's edge meets the back at a slant, so the grip appears to grow out of the back.
    depth = max(rise + deep, SOFT) + SOFT
    out = sheet.body[0] / 2 - ASIDE - width / 2
    low = ASIDE + height / 2 - sheet.body[1] / 2
    return Slab(
        name="grip-right" if side > 0 else "grip-left",
        role="part",
        size=(width, height, depth),
        corner=Corner(extent=round(0.49 * height, 4), exponent=2.2, aspect=round(width / height, 4)),
        edge=SOFT,
        surface=sheet.frame,
        center=(round(side * out, 4), round(low, 4), round(-sheet.thickness / 2 - rise + depth / 2, 4)),
        x=BEHIND[0],
        y=BEHIND[1],
        parent="body",
        base=round(depth / 2 - rise - deep, 4),
        front=Face(surface=sheet.frame),
    )


def trigger(sheet: Console, control: Control, name: str) -> Slab:
    """A key behind the upper edge, parallel to it."""
    (x, y), height = control.at, control.size[1]
    rise, deep, edge = height * 0.56, sheet.edge, height * 0.4
    depth = rise + deep + edge
    slope = shoulder(sheet, x)[1]
    steep = math.hypot(1.0, slope)
    return Slab(
        name=name,
        role="part",
        size=(*control.size, round(depth, 4)),
        corner=superellipse(height * 0.48),
        edge=round(edge, 4),
        surface="plastic",
        tinted=False,
        color=DARK,
        center=(-x, y, round(-sheet.thickness / 2 - rise + depth / 2, 4)),
        x=vector((-1 / steep, slope / steep, 0.0)),
        y=vector((slope / steep, 1 / steep, 0.0)),
        parent="body",
        base=round(depth / 2 - rise - deep, 4),
        front=Face(surface="plastic", tinted=False, color=DARK),
    )


def shoulder(sheet: Console, x: float) -> tuple[float, float]:
    """The height of the upper wall at `x` mm from the middle, mm above the body's, and its slope there."""
    corner, (width, height, _) = body_corner(sheet), sheet.body
    across, up = corner.extents(width, height)
    part = min(max((abs(x) - width / 2 + across) / across, 0.0), 0.999)
    inset, slope = corner.wall(part, up, across)
    return height / 2 - inset, -math.copysign(slope, x)


def bumper(sheet: Console, control: Control, name: str) -> Slab:
    """A key on the upper wall, which follows it where the wall falls towards a corner."""
    (x, front), (length, width) = control.at, control.size
    up, slope = shoulder(sheet, x)
    steep = math.hypot(1.0, slope)
    out = (-slope / steep, 1 / steep)
    # The key's ends are farther from the curved wall than its middle.
    half = length / 2 / steep
    ends = ((end, shoulder(sheet, end)[0]) for end in (x - half, x + half))
    gap = max((x - end) * out[0] + (up - high) * out[1] for end, high in ends)
    edge = round(0.3 * width, 4)
    depth = round(SHOULDER + gap + 1.2 * edge, 4)
    lift = SHOULDER - depth / 2
    return Slab(
        name=name,
        role="part",
        size=(length, width, depth),
        corner=superellipse(0.4 * width),
        edge=edge,
        surface=sheet.frame,
        center=vector((x + lift * out[0], up + lift * out[1], front)),
        x=vector((1 / steep, slope / steep, 0.0)),
        y=(0.0, 0.0, -1.0),
        parent="body",
        base=round(depth / 2 - SHOULDER - gap, 4),
        front=Face(surface=sheet.frame),
    )


def paddle(sheet: Console, control: Control, name: str) -> Slab:
    """A key on the back of a grip."""
    rise, (x, y) = 0.9, control.at
    depth, back = rise + SUNK, -sheet.body[2] + sheet.thickness / 2
    return Slab(
        name=name,
        role="part",
        size=(*control.size, round(depth, 4)),
        corner=superellipse(min(control.size) * 0.35),
        edge=0.4,
        surface="plastic",
        tinted=False,
        color=DARK,
        center=(-x, y, round(back - rise + depth / 2, 4)),
        x=BEHIND[0],
        y=BEHIND[1],
        parent="grip-left" if x > 0 else "grip-right",
        base=round(depth / 2 - rise, 4),
        front=Face(surface="plastic", tinted=False, color=DARK),
    )


def pane(sheet: Console, art: Art) -> Slab:
    """The glass that holds the screen; its edge, too thin to mirror anything evenly, is matt."""
    return Slab(
        name="glass",
        role="part",
        size=(*sheet.glass, 2 * PROUD),
        corner=Corner(extent=sheet.glass_radius),
        edge=PROUD / 2,
        surface="plastic",
        tinted=False,
        color=BLACK,
        center=(0.0, 0.0, round(sheet.thickness / 2, 4)),
        parent="body",
        base=0.0,
        front=Face(surface="glass", tinted=False, color=BLACK, layers=front_layers(sheet, art)),
    )


def console(sheet: Console, art: Art) -> Device:
    """The console of a sheet: a body with the pane, its controls, and the grips on its back."""
    flat = sheet.model_copy(update={"body": (*sheet.body[:2], sheet.thickness)})
    device = handheld(flat, art)
    body, *others = device.slabs
    front = Face(surface=sheet.frame, layers=detail_layers(art, sheet.speakers))
    back = Face(surface=sheet.frame, layers=detail_layers(art, sheet.details))
    body = body.model_copy(update={"front": front, "back": back, "lower": sheet.lower})
    controls = [
        slab
        for place, control in enumerate(sheet.controls, 1)
        for slab in parts(sheet, control, f"{control.kind}-{place}", art)
    ]
    paddles = (paddle(sheet, control, f"paddle-{place}") for place, control in enumerate(sheet.paddles, 1))
    triggers = (trigger(sheet, control, f"trigger-{at}") for at, control in enumerate(sheet.triggers, 1))
    grips = [grip(sheet, sheet.grip, side) for side in (-1, 1)] if sheet.grip else []
    bumpers = (bumper(sheet, control, f"bumper-{place}") for place, control in enumerate(sheet.bumpers, 1))
    keys = (accented(key, sheet.accents) for key in others)
    slabs = (body, *keys, *bumpers, pane(sheet, art), *controls, *triggers, *grips, *paddles)
    changed = {
        "slabs": tuple(forward(slab, (sheet.body[2] - sheet.thickness) / 2) for slab in slabs),
        "screens": (device.screen.model_copy(update={"slab": "glass"}),),
        "body": sheet.body,
        "orientations": ("landscape",),
    }
    return device.model_copy(update=changed)


def forward(slab: Slab, by: float) -> Slab:
    """A slab moved towards the viewer, so that grips and front are equally far from the middle."""
    x, y, z = slab.center
    return slab.model_copy(update={"center": (x, y, round(z + by, 4))})
