"""Phones and tablets: one plate of glass and metal with buttons, and a camera on the back."""

from __future__ import annotations

from collections.abc import Iterator

from ..device import Corner, Decal, Device, Face, Layer, Slab
from .art import Art, SharedPart, detail_layers, layers
from .buttons import button_slab, guard_slab, guarded, place
from .corner import superellipse
from .panel import cutout_center, pixel_pitch, screen
from .rear import back_layers, camera_slabs, inlay_slab
from .sheet import Handheld

BLACK = "#020203"


def body_corner(sheet: Handheld) -> Corner:
    """The corner given, or a superellipse through the 45° point of the measured radius."""
    return sheet.corner or superellipse(sheet.radius)


def front_layers(sheet: Handheld, art: Art) -> tuple[Layer, ...]:
    """Camera, earpiece and home button in the front glass; the bezel itself is the face's colour."""
    drawn: tuple[Layer, ...] = ()
    cutout = sheet.screen.cutout
    if sheet.home is not None:
        diameter, height = sheet.home
        drawn += layers(art, SharedPart("home", (diameter, diameter)), (0.0, height - sheet.body[1] / 2))
    if sheet.front_camera is not None:
        drawn += layers(art, SharedPart("front-camera", (3.6, 3.6)), sheet.front_camera)
    elif cutout is not None:
        across, up = pixel_pitch(sheet.screen)
        x, y = cutout_center(sheet.screen, cutout)
        # The camera is at the right end of an island, right of a notch's middle, and alone in a punch hole.
        shift = {"island": (cutout.size[0] - cutout.size[1]) / 2, "notch": cutout.size[0] * 0.3, "punch": 0.0}
        size = min(cutout.size[1] * up * 0.73, 4.4)
        aside = shift[cutout.kind] * across if cutout.side == "top" else 0.0
        x, y = x + sheet.screen_center[0], y + sheet.screen_center[1]
        drawn += layers(art, SharedPart("front-camera", (size, size)), (x + aside, y))
    if sheet.earpiece is not None:
        drawn += layers(art, SharedPart("earpiece", sheet.earpiece), (0.0, earpiece_height(sheet)))
    return drawn


def earpiece_height(sheet: Handheld) -> float:
    """The slit's height, mm: as given, or midway between the rim and the screen's top edge."""
    if sheet.earpiece_top is not None:
        return sheet.body[1] / 2 - sheet.earpiece_top
    return (sheet.body[1] / 2 - sheet.rim + sheet.screen_center[1] + sheet.screen.size[1] / 2) / 2


def rear_layers(sheet: Handheld, art: Art) -> tuple[Layer, ...]:
    """The drawings on the back itself: grain, seams, contacts, and the parts of a camera without a plate."""
    drawn: tuple[Layer, ...] = ()
    if sheet.grain is not None:
        width, height = (round(side - 2 * sheet.rim, 4) for side in sheet.body[:2])
        grain = layers(art, SharedPart(sheet.grain, (width, height)))
        drawn += tuple(layer.model_copy(update={"grain": True}) for layer in grain)
    for seam in sheet.seams:
        part = layers(art, SharedPart(seam.kind, seam.size), seam.center)
        drawn += tuple(layer.model_copy(update={"depth": seam.depth}) for layer in part)
    if sheet.connector:
        drawn += layers(art, SharedPart("connector"), sheet.connector)
    drawn += detail_layers(art, sheet.details)
    return (*drawn, *(back_layers(sheet.camera, sheet.brand, art) if sheet.camera else ()))


def decals(sheet: Handheld, art: Art) -> Iterator[Decal]:
    """Pictures on the side walls: openings first, then the gaps around buttons."""
    for item in sheet.openings:
        part = SharedPart(item.kind, item.size, item.count, item.pitch)
        if image := art.part(part):
            yield Decal(side=item.side, at=item.at, size=part.extent, image=image)
    for button in sheet.buttons:
        part = SharedPart("well", (button.length, min(button.width, sheet.body[2] - 1)))
        raised = sheet.guard is not None and button.side == "right"
        if not button.flush and not raised and (image := art.part(part)):
            yield Decal(side=button.side, at=place(sheet, button), size=part.extent, image=image)


def handheld(sheet: Handheld, art: Art) -> Device:
    """The phone or tablet of a sheet."""
    unibody, light = sheet.back == sheet.frame, sheet.bezel == "light"
    body = Slab(
        name="body",
        role="body",
        size=sheet.body,
        corner=body_corner(sheet),
        edge=sheet.edge,
        surface=sheet.frame,
        front=Face(
            surface="gloss" if light else "glass",
            inset=sheet.rim,
            gasket=sheet.gasket,
            tinted=light,
            tone="light" if light else "body",
            color=BLACK,
            layers=front_layers(sheet, art),
        ),
        back=Face(
            surface=sheet.back,
            inset=0.0 if unibody else sheet.rim,
            gasket=0.0 if unibody else sheet.back_gasket,
            layers=rear_layers(sheet, art),
        ),
        decals=tuple(decals(sheet, art)),
    )
    keys = tuple(button_slab(sheet, button) for button in sheet.buttons if not button.flush)
    if sheet.guard is not None:
        guard = guard_slab(sheet, sheet.guard)
        keys = (guard, *(guarded(key, guard) if key.center[0] > 0 else key for key in keys))
    return Device(
        **sheet.shared,
        body=sheet.body,
        orientations=("portrait", "landscape"),
        screens=(screen(art, sheet.screen, "body", sheet.screen_center),),
        slabs=(
            body,
            *keys,
            *((inlay_slab(sheet, sheet.inlay),) if sheet.inlay else ()),
            *(camera_slabs(sheet, sheet.camera, art) if sheet.camera else ()),
        ),
    )
