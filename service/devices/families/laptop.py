"""Laptops: a lid with the screen and a deck with the keyboard, opened about a hinge."""

from __future__ import annotations

import math

from ..device import Corner, Decal, Device, Face, Layer, Pair, Slab, Vector
from .art import Art, SharedPart, detail_layers, layers
from .corner import superellipse
from .panel import cutout_center, screen, upright
from .pose import along, centred, vector
from .sheet import KeyboardLayout, KeyStyle, Laptop

BLACK = "#020203"
LIFT = {"bar": 2.0, "barrel": 3.6}  # mm; the hinge's axis above the deck
BAR = -3.0, 0.6, 1.7, 0.8  # mm; a bar's front and rear behind the axis, its height, and its edge's radius
ROUND = 0.98  # the radius of a hinge's barrel's edges, in radii of the barrel
PORT = 1.2  # mm; distance of ports above the middle of the wall, if there is room
EDGE = 1.3
PAN_EDGE = 0.4  # mm; a wider edge would mirror the floor as a bright line; by eye
RIM = 1.25  # mm; width of the metal around the lid's glass
FOOT_BAR = (210.0, 7.0)  # mm
RISE = 0.5  # mm; height of a bar over the bottom
BEFORE = 26.0  # mm; distance of the middles of feet from the deck's front and rear edge
RUBBER = "#2b2b2d"
# Keys on which legends of one colour can vanish.
TINTED: frozenset[KeyStyle] = frozenset({"tonal", "lattice"})
HINGE = "#101012"
BEHIND = 0.69  # position of the power key's middle: 0 at the deck's rear edge, 1 at the keyboard
BUTTONS = 11.0  # mm; depth of the keys between pointing stick and trackpad


def lid_height(sheet: Laptop) -> float:
    """The distance from the hinge's axis to the lid's upper edge, mm."""
    return round(sheet.bezel + sheet.screen.size[1] + sheet.chin + sheet.band, 4)


def screen_center(sheet: Laptop) -> Pair:
    """The screen's middle on the lid's face."""
    return 0.0, round(sheet.band + sheet.chin + sheet.screen.size[1] / 2 - lid_height(sheet) / 2, 4)


def well_center(sheet: Laptop) -> Pair:
    """The keyboard's middle on the deck."""
    return 0.0, round(sheet.depth / 2 - sheet.well_top - sheet.keyboard[1] / 2, 4)


def pad_center(sheet: Laptop) -> Pair:
    """The trackpad's middle on the deck."""
    height = sheet.trackpad[1] if sheet.trackpad else 0.0
    return sheet.pad_shift, round(sheet.pad_bottom + height / 2 - sheet.depth / 2, 4)


def plate(sheet: Laptop) -> float:
    """The thickness of the deck above its narrower lower part."""
    return round(sheet.deck_thickness - (sheet.pan[1] if sheet.pan else 0.0), 4)


def style(layout: KeyboardLayout, keys: KeyStyle, *, signs: bool, dark: bool) -> str:
    """The style of a keyboard's part; `dark` is the one for dark colours."""
    plain = "" if (layout, keys, signs) == ("mac", "black", False) else f"{layout}-{keys}"
    return f"{plain}{'-signs' if signs else ''}{'-dark' if dark else ''}"


def lid_layers(sheet: Laptop, art: Art) -> tuple[Layer, ...]:
    """The hinge's dark band below the glass, and the camera in the notch or above the screen."""
    half = lid_height(sheet) / 2
    low = sheet.band / 2 - half
    drawn = layers(art, SharedPart("hinge-band", (sheet.width - 2.0, sheet.band)), (0.0, low))
    if sheet.screen.cutout is not None:
        (x, y), offset = cutout_center(sheet.screen, sheet.screen.cutout), screen_center(sheet)
        drawn += layers(art, SharedPart("front-camera", (3.4, 3.4)), (x + offset[0], y + offset[1]))
    elif sheet.camera:
        # The camera is between the gasket and the screen.
        high = half - (sheet.bezel + RIM) / 2
        drawn += layers(art, SharedPart("front-camera", (3.4, 3.4)), (0.0, high))
        for x in sheet.sensors:
            drawn += layers(art, SharedPart("sensor", (2.6, 2.6)), (x, high))
    return drawn


def lid(sheet: Laptop, art: Art, corner: Corner) -> Slab:
    """The upright lid, its glass in the plane z = 0 and its lower edge on the hinge's axis."""
    height = lid_height(sheet)
    return Slab(
        name="lid",
        role="lid",
        size=(sheet.width, height, sheet.lid_thickness),
        corner=corner,
        edge=0.9,
        surface=sheet.frame,
        center=(0.0, height / 2, -sheet.lid_thickness / 2),
        front=Face(
            surface="glass",
            inset=RIM,
            gasket=0.6,
            tinted=False,
            color=BLACK,
            layers=lid_layers(sheet, art),
        ),
        back=Face(surface=sheet.frame),
    )


def _barrel(sheet: Laptop, up: Vector) -> tuple[float, float, float, float]:
    """The front and rear of a round barrel below the lid, mm behind the hinge's axis, its height, and the
    radius of its edge.

    The barrel touches the deck, and the middle of the lid's lower wall, so nothing shows between them.
    """
    _, cos, sin = up
    half = sheet.lid_thickness / 2
    reach = ROUND + (1 - ROUND) * (cos + sin)
    radius = (LIFT["barrel"] - half * sin) / (1 + reach * cos)
    middle = half * cos - reach * radius * sin
    return middle - radius, middle + radius, 2 * radius, round(ROUND * radius, 4)


def hinges(sheet: Laptop, up: Vector, back: Vector) -> tuple[Slab, ...]:
    """The dark bars or barrels in the gap between deck and lid. They lie on the deck and end below the lid,
    so that depth sorting is right."""
    front, rear, high, edge = _barrel(sheet, up) if sheet.hinge == "barrel" else BAR
    usual = sheet.width - 2 * sheet.radius if sheet.hinge == "barrel" else sheet.width * 0.84
    bars = sheet.hinges or ((0.0, round(usual, 4)),)
    face = Face(surface="dark", tinted=False, color=HINGE)
    return tuple(
        Slab(
            name=f"hinge-{place}" if place else "hinge",
            role="hinge",
            size=(width, round(rear - front, 4), round(high, 4)),
            corner=Corner(extent=edge),
            edge=edge,
            surface=face.surface,
            tinted=False,
            color=face.color,
            center=vector(
                along((1, (x, 0, 0)), (high / 2 - LIFT[sheet.hinge], up), ((front + rear) / 2, back))
            ),
            x=(1, 0, 0),
            y=vector(back),
            front=face,
        )
        for place, (x, width) in enumerate(bars)
    )


def bar(sheet: Laptop) -> tuple[Slab, ...]:
    """The bar on the upper edge of some lids, which holds cameras and serves as a handle."""
    if sheet.bar is None:
        return ()
    width, rise = sheet.bar
    height = rise + 2.0
    depth = sheet.lid_thickness - 0.2
    return (
        Slab(
            name="bar",
            role="part",
            size=(width, depth, height),
            corner=Corner(extent=round(min(depth / 2, 1.2), 4)),
            edge=min(rise * 0.6, 1.0),
            surface=sheet.frame,
            center=(0.0, lid_height(sheet) + rise - height / 2, -sheet.lid_thickness / 2),
            x=(1, 0, 0),
            y=(0, 0, -1),
            parent="lid",
            base=height / 2 - rise,
            front=Face(surface=sheet.frame),
        ),
    )


def decals(sheet: Laptop, art: Art) -> tuple[Decal, ...]:
    """Ports in the sides and the scoop in the front wall."""
    ports = [
        (item.side, item.at, SharedPart(item.kind, item.size, item.count, item.pitch)) for item in sheet.ports
    ]
    flat = plate(sheet) / 2 - EDGE
    placed = [
        Decal(
            side=side,
            at=at,
            across=round(min(PORT, max(flat - part.extent[1] / 2, 0.0)), 4),
            size=part.extent,
            image=image,
        )
        for side, at, part in ports
        if (image := art.part(part))
    ]
    scoop = SharedPart("scoop-wall")
    if sheet.scoop and (image := art.part(scoop)):
        low = round(plate(sheet) / 2 - scoop.extent[1] / 2, 4)
        placed.append(Decal(side="bottom", at=0, across=low, size=scoop.extent, image=image))
    return tuple(placed)


def deck_layers(sheet: Laptop, art: Art) -> tuple[Layer, ...]:
    """Keyboard, power key, trackpad, speaker grilles and the thumb scoop."""
    center, side = well_center(sheet), (sheet.width + sheet.keyboard[0]) / 4
    keys, dark = (
        SharedPart(
            "keyboard", sheet.keyboard, style=style(sheet.layout, sheet.keys, signs=sheet.signs, dark=dark)
        )
        for dark in (False, True)
    )
    drawn = layers(art, keys, center, dark if sheet.keys in TINTED else None)
    if sheet.trackpad is not None:
        (x, y), (width, height) = pad_center(sheet), sheet.trackpad
        drawn += layers(art, SharedPart("trackpad", sheet.trackpad), (x, y))
        if sheet.layout == "stick":
            drawn += layers(
                art, SharedPart("buttons", (width, BUTTONS)), (x, y + (height + BUTTONS) / 2 + 0.6)
            )
    if sheet.power is not None:
        right, behind = (
            (sheet.keyboard[0] - sheet.power[0]) / 2 - 1.0,
            sheet.depth / 2 - BEHIND * sheet.well_top,
        )
        drawn += layers(art, SharedPart("power", sheet.power), (right, behind))
    if sheet.grille is not None:
        holes = SharedPart("grille", sheet.grille, style="lit" if sheet.keys == "grey" else "")
        for x in (-side, side):
            drawn += layers(art, holes, (x, center[1]))
    if sheet.scoop:
        scoop = SharedPart("scoop-top")
        drawn += layers(art, scoop, (0.0, scoop.extent[1] / 2 - sheet.depth / 2))
    return drawn


def bottom_layers(sheet: Laptop, art: Art) -> tuple[Layer, ...]:
    """The fine seam of the bottom cover, the details on it, and four round feet."""
    x, y = sheet.width / 2 - 30.0, sheet.depth / 2 - BEFORE
    inset = 2 * sheet.pan[0] + 4 if sheet.pan else 4
    drawn = layers(art, SharedPart("bottom-seam", (sheet.width - inset, sheet.depth - inset)))
    drawn += detail_layers(art, sheet.details)
    if sheet.feet == "bars":
        return drawn
    for spot in ((-x, -y), (-x, y), (x, -y), (x, y)):
        drawn += layers(art, SharedPart("foot"), spot)
    return drawn


def deck(sheet: Laptop, art: Art, corner: Corner) -> Slab:
    """The deck lying flat, for the caller to pose: y points towards the hinge, z up."""
    shade = art.own("deck-occlusion", sheet)
    occlusion = Layer(image=shade, size=(sheet.width, sheet.depth)) if shade else None
    return Slab(
        name="deck",
        role="deck",
        size=(sheet.width, sheet.depth, plate(sheet)),
        corner=corner,
        edge=EDGE,
        surface=sheet.frame,
        front=Face(surface=sheet.frame, layers=deck_layers(sheet, art), occlusion=occlusion),
        back=Face(surface=sheet.frame, layers=() if sheet.pan else bottom_layers(sheet, art)),
        decals=decals(sheet, art),
    )


def pan(sheet: Laptop, art: Art, up: Vector, back: Vector, top: Vector) -> tuple[Slab, ...]:
    """The narrower part under the deck.

    The middle of the deck's lower face is at `top`; the part's edge is sunk into the deck.
    """
    if sheet.pan is None:
        return ()
    inset, height = sheet.pan
    depth = height + PAN_EDGE
    return (
        Slab(
            name="pan",
            role="part",
            size=(round(sheet.width - 2 * inset, 4), round(sheet.depth - 2 * inset, 4), round(depth, 4)),
            corner=superellipse(max(sheet.radius - inset, 2 * EDGE)),
            edge=PAN_EDGE,
            surface=sheet.frame,
            center=vector(along((1, top), (PAN_EDGE - depth / 2, up))),
            x=(-1, 0, 0),
            y=vector(back),
            parent="deck",
            base=round(depth / 2 - height, 4),
            front=Face(surface=sheet.frame, layers=bottom_layers(sheet, art)),
        ),
    )


def feet(sheet: Laptop, up: Vector, back: Vector, bottom: Vector) -> tuple[Slab, ...]:
    """Two bars of rubber on the lowest face, whose middle is at `bottom`, sunk by their edge."""
    if sheet.feet != "bars":
        return ()
    edge = round(0.6 * RISE, 4)
    depth = RISE + edge
    away = sheet.depth / 2 - BEFORE
    return tuple(
        Slab(
            name=f"foot-{name}",
            role="part",
            size=(*FOOT_BAR, depth),
            corner=Corner(extent=round(FOOT_BAR[1] / 2 - 0.001, 4)),
            edge=edge,
            surface="rubber",
            tinted=False,
            color=RUBBER,
            center=vector(along((1, bottom), (edge - depth / 2, up), (place, back))),
            x=(-1, 0, 0),
            y=vector(back),
            parent="pan" if sheet.pan else "deck",
            base=round(depth / 2 - RISE, 4),
            front=Face(surface="rubber", tinted=False, color=RUBBER),
        )
        for name, place in (("front", -away), ("rear", away))
    )


def laptop(sheet: Laptop, art: Art) -> Device:
    """The laptop of a sheet: lid upright, deck forward and down by `opening`."""
    tilt = math.radians(sheet.opening - 90)
    up, back = (0.0, math.cos(tilt), math.sin(tilt)), (0.0, math.sin(tilt), -math.cos(tilt))
    corner = superellipse(sheet.radius)
    rear = sheet.overhang - sheet.depth / 2
    low = -LIFT[sheet.hinge]
    middle = along((low - plate(sheet) / 2, up), (rear, back))
    below = pan(sheet, art, up, back, along((low - plate(sheet), up), (rear, back)))
    base = deck(sheet, art, corner).model_copy(update={"center": vector(middle), "y": vector(back)})
    bottom = along((low - sheet.deck_thickness, up), (rear, back))
    bars = feet(sheet, up, back, vector(bottom))
    parts = base, *below, *bars, *hinges(sheet, up, back), lid(sheet, art, corner), *bar(sheet)
    slabs, size = centred(parts)
    return Device(
        **sheet.shared,
        body=size,
        orientations=upright(sheet.screen),
        screens=(screen(art, sheet.screen, "lid", screen_center(sheet), density=5.0),),
        slabs=slabs,
    )
