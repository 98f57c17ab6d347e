"""Watches: a rounded case with crown and buttons, on a strap."""

from __future__ import annotations

import math

from ..device import Corner, Decal, Device, Face, Layer, Pair, Slab
from .art import Art, SharedPart, detail_layers
from .buttons import AXES, accented, button_slab, guard_slab, guarded, place
from .corner import quarter, superellipse
from .panel import screen
from .pose import along, centred, vector
from .rear import BEHIND
from .sheet import Button, Crown, Disc, Watch
from .strap import straps

BLACK = "#020203"
SENSOR = "#0b0b0d"  # colour of the crystal on the back
STRAIGHT = 0.05  # mm; a wall that deviates by less counts as straight
END = 1.2  # mm; the largest radius of a crown's rounded edge


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
    """A crown with a grooved wall; a dark ring on its end separates the touch-sensitive middle."""
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
    return accented(slab, sheet.accents)


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
    slabs += [*crowns, *keys, *straps(sheet, art)]
    placed, body = centred(slabs)
    return Device(
        **sheet.shared,
        body=body,
        orientations=("portrait",),
        screens=(screen(art, sheet.screen, "dial" if sheet.dial else "body"),),
        slabs=placed,
    )
