"""Phones and tablets: one plate of glass and metal with buttons, and a camera on the back."""

from __future__ import annotations

from frames.generator import camera, lens, walls
from frames.generator.buttons import button_slab
from frames.generator.outline import extent_of, pill
from frames.generator.paint import Canvas, Folder
from frames.generator.screen import cutout_center, pixel_pitch, screen
from frames.generator.sheet import Handheld
from service.models.devices import Corner, Device, Face, Layer, Slab

BLACK = "#020203"
BODY_EXPONENT = 2.6


def body_corner(sheet: Handheld) -> Corner:
    """The corner given, else a superellipse through the 45° point of the measured radius."""
    if sheet.corner is not None:
        return sheet.corner
    return Corner(extent=round(extent_of(sheet.radius, BODY_EXPONENT), 4), exponent=BODY_EXPONENT)


def front_layers(folder: Folder, sheet: Handheld) -> tuple[Layer, ...]:
    """Camera and earpiece under the front glass; the bezel itself is the face's colour."""
    layers = []
    cutout = sheet.screen.cutout
    if sheet.front_camera is not None:
        hint = folder.layer("front-camera.png", lens.front(3.6))
        layers.append(hint.model_copy(update={"center": sheet.front_camera}))
    elif cutout is not None:
        height = cutout.size[1] * pixel_pitch(sheet.screen)[1]
        cx, cy = cutout_center(sheet.screen, cutout)
        # In an island the camera sits at the right end, in a notch right of the middle, else alone.
        shift = {"island": (cutout.size[0] - cutout.size[1]) / 2, "notch": cutout.size[0] * 0.3, "punch": 0.0}
        size = min(height * 0.73, 4.4)
        hint = folder.layer("front-camera.png", lens.front(size))
        at = (round(cx + shift[cutout.kind] * pixel_pitch(sheet.screen)[0], 4), round(cy, 4))
        layers.append(hint.model_copy(update={"center": at}))
    if sheet.earpiece is not None:
        width, height = sheet.earpiece
        slit = Canvas((width + 0.6, height + 0.6), 20)
        slit.fill(pill(slit.x, slit.y, width + 0.2, height + 0.2), "#17171a")
        slit.fill(pill(slit.x, slit.y, width, height), "#000000")
        layer = folder.layer("earpiece.png", slit)
        layers.append(layer.model_copy(update={"center": (0.0, round(earpiece_height(sheet), 4))}))
    return tuple(layers)


def earpiece_height(sheet: Handheld) -> float:
    """Where the slit lies: in the middle of the black between the rim and the screen's top edge."""
    return (sheet.body[1] / 2 - sheet.rim + sheet.screen.size[1] / 2) / 2


def phone(folder: Folder, sheet: Handheld) -> Device:
    """Draw a phone's or tablet's layers and describe it."""
    plate = sheet.camera
    glass = Face(
        surface="glass",
        inset=sheet.rim,
        gasket=sheet.gasket,
        tinted=False,
        color=BLACK,
        layers=front_layers(folder, sheet),
    )
    unibody = sheet.back == sheet.frame
    back = Face(
        surface=sheet.back,
        inset=0.0 if unibody else sheet.rim,
        gasket=0.0 if unibody else 0.12,
        layers=connector(folder, sheet),
    )
    body = Slab(
        name="body",
        size=sheet.body,
        corner=body_corner(sheet),
        edge=sheet.edge,
        surface=sheet.frame,
        front=glass,
        back=back,
        decals=walls.decals(folder, sheet),
    )
    keys = (button_slab(sheet, button) for button in sheet.buttons if not button.flush)
    return Device(
        id=sheet.id,
        name=sheet.name,
        brand=sheet.brand,
        category=sheet.category,
        year=sheet.year,
        body=sheet.body,
        orientations=("portrait", "landscape"),
        screens=(screen(folder, sheet.screen, "body"),),
        finishes=sheet.finishes,
        slabs=(body, *keys, *(camera.slabs(folder, sheet, plate) if plate else ())),
    )


def connector(folder: Folder, sheet: Handheld) -> tuple[Layer, ...]:
    """Three contacts on a tablet's back, one above the other."""
    if sheet.connector is None:
        return ()
    canvas = Canvas((3.2, 13.0), 16)
    for step in (-4.0, 0.0, 4.0):
        d = pill(canvas.x, canvas.y - step, 2.2, 2.2)
        canvas.fill(d - 0.12, "#000000", 0.35)
        canvas.fill(d, "#cfc9ba", 0.75)
    layer = folder.layer("connector.png", canvas)
    return (layer.model_copy(update={"center": sheet.connector}),)
