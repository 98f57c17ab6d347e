"""Foldables: a phone or tablet whose screen folds, with a hinge and a second screen on its back."""

from __future__ import annotations

from service.models.devices import Corner, Decal, Device, Face, Layer, Pair, Slab
from service.models.families.art import Art, Part, layers
from service.models.families.handheld import BLACK, handheld
from service.models.families.rear import BEHIND, PROUD
from service.models.families.sheet import Cover, Foldable

CREASE = 5.0  # mm; the width of the fold's picture
GAP = 0.5  # mm; the line in the frame between the halves
PUNCH = 3.0  # mm; the outer screen's camera


def crease(sheet: Foldable, art: Art) -> tuple[Layer, ...]:
    """The fold in the screen, which catches a little light."""
    width, height = sheet.screen.size
    size = (CREASE, height) if sheet.fold == "book" else (width, CREASE)
    return layers(art, Part("crease", size))


def gaps(sheet: Foldable, art: Art) -> tuple[Decal, ...]:
    """Where the halves of the frame meet, on both walls that the fold runs into."""
    part = Part("gap", (GAP, sheet.body[2]))
    image = art.part(part)
    if image is None:
        return ()
    if sheet.fold == "book":
        return (
            Decal(side="top", at=0, size=part.extent, image=image),
            Decal(side="bottom", at=0, size=part.extent, image=image),
        )
    return (
        Decal(side="left", at=0, size=part.extent, image=image),
        Decal(side="right", at=0, size=part.extent, image=image),
    )


def pane(sheet: Foldable, name: str, center: Pair, size: Pair, corner: Corner, face: Face) -> Slab:
    """A pane in the back, proud of it by next to nothing; `center` is seen from behind."""
    return Slab(
        name=name,
        size=(*size, 2 * PROUD),
        corner=corner,
        edge=PROUD / 2,
        surface=face.surface,
        tinted=face.tinted,
        color=face.color,
        center=(-center[0], center[1], round(-sheet.body[2] / 2, 4)),
        x=BEHIND[0],
        y=BEHIND[1],
        parent="body",
        base=0.0,
        front=face,
    )


def spine(sheet: Foldable) -> Slab:
    """The hinge's bar along the back."""
    width, height, _ = sheet.body
    length = (height if sheet.fold == "book" else width) - 2 * sheet.edge
    size = (sheet.spine, length) if sheet.fold == "book" else (length, sheet.spine)
    face = Face(surface=sheet.frame, inset=0.2, gasket=0.2)
    return pane(sheet, "spine", (0.0, 0.0), size, Corner(extent=0.4), face)


def cover_slab(sheet: Foldable, cover: Cover, art: Art) -> Slab:
    """The outer screen, which is off: black glass with its camera."""
    lens = layers(art, Part("front-camera", (PUNCH, PUNCH)), cover.punch) if cover.punch else ()
    face = Face(surface="glass", inset=0.25, gasket=0.15, tinted=False, color=BLACK, layers=lens)
    return pane(sheet, "cover", cover.center, cover.size, cover.corner, face)


def foldable(sheet: Foldable, art: Art) -> Device:
    """The foldable of a sheet, open flat."""
    device = handheld(sheet, art)
    body, *parts = device.slabs
    front = body.front.model_copy(update={"layers": (*crease(sheet, art), *body.front.layers)})
    body = body.model_copy(update={"front": front, "decals": (*body.decals, *gaps(sheet, art))})
    cover = cover_slab(sheet, sheet.cover, art)
    raised = [_on_cover(part, cover) for part in parts]
    return device.model_copy(update={"slabs": (body, spine(sheet), cover, *raised)})


def _on_cover(part: Slab, cover: Slab) -> Slab:
    """A part of the camera moved to the cover's glass, if it stands there; all others as they are."""
    within = all(abs(part.center[axis] - cover.center[axis]) < cover.size[axis] / 2 for axis in (0, 1))
    behind = part.parent == "body" and part.x == BEHIND[0] and part.y == BEHIND[1]
    return part.model_copy(update={"parent": "cover"}) if within and behind else part
