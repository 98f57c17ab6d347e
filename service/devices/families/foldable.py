"""Foldables: a phone or tablet whose screen folds, with a hinge and a second screen on its back."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Literal

from ..device import (
    Bend,
    Corner,
    Cutout,
    Decal,
    Device,
    Face,
    Layer,
    Pair,
    Screen,
    Slab,
    Vector,
)
from .art import Art, SharedPart, layers, near
from .handheld import BLACK, handheld
from .pose import centred, folded, vector
from .rear import BEHIND, PROUD
from .sheet import CoverScreen, Foldable, ScreenPanel, Sheet

CREASE = 8.0  # mm; the width of the fold's picture
GAP = 0.5  # mm; the line in the frame between the halves
PUNCH = 3.0  # mm; the outer screen's camera


class _Unmasked:
    """A source of pictures without masks, because no mask fits a folded screen."""

    def __init__(self, art: Art) -> None:
        self._art = art

    def part(self, part: SharedPart) -> str | None:
        """As `Art.part`."""
        return self._art.part(part)

    def mask(self, panel: ScreenPanel, density: float) -> None:
        """None: no mask fits a folded screen."""

    def own(self, kind: Literal["deck-occlusion"], sheet: Sheet) -> str | None:
        """As `Art.own`."""
        return self._art.own(kind, sheet)


def crease(sheet: Foldable, art: Art) -> tuple[Layer, ...]:
    """The picture of the fold in the screen: a soft dark line beside a light one."""
    width, height = sheet.screen.size
    size = (CREASE, height) if sheet.fold == "book" else (width, CREASE)
    drawn = layers(art, SharedPart("crease", size))
    return tuple(layer.model_copy(update={"over": True}) for layer in drawn)


def gaps(sheet: Foldable, art: Art) -> tuple[Decal, ...]:
    """Decals for the gap between the halves of the frame, one at each end of the fold."""
    part = SharedPart("gap", (GAP, sheet.body[2]))
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
    """A pane in the back, raised by a negligible height; `center` is seen from behind."""
    return Slab(
        name=name,
        role="part",
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


def cover_slab(sheet: Foldable, cover: CoverScreen, art: Art, drawn: Iterable[Layer]) -> Slab:
    """The outer screen, off: black glass with its camera and those `drawn` details of the back on it."""
    lens = layers(art, SharedPart("front-camera", (PUNCH, PUNCH)), cover.punch) if cover.punch else ()
    over = tuple(
        layer.model_copy(
            update={"center": near((layer.center[0] - cover.center[0], layer.center[1] - cover.center[1]))}
        )
        for layer in drawn
        if _covered(layer, cover)
    )
    face = Face(surface="glass", tinted=False, color=BLACK, layers=(*lens, *over))
    slab = pane(sheet, "cover", cover.center, cover.size, cover.corner, face)
    return slab.model_copy(update={"surface": cover.wall})


def foldable(sheet: Foldable, art: Art) -> Device:
    """The foldable of a sheet, open flat or in part."""
    device = handheld(sheet, art if sheet.opening == 180 else _Unmasked(art))
    body, *parts = device.slabs
    drawn = body.back.layers if body.back else ()
    cover = cover_slab(sheet, sheet.cover, art, drawn)
    if body.back is not None:
        left = tuple(layer for layer in drawn if not _covered(layer, sheet.cover))
        # A dark gasket line would be too close to the outer screen's edge to be distinguished from it.
        body = body.model_copy(update={"back": body.back.model_copy(update={"gasket": 0.0, "layers": left})})
    raised = [_on_cover(part, cover) for part in parts]
    if sheet.opening < 180:
        return half_open(sheet, device, body, [cover, *raised])
    front = body.front.model_copy(update={"layers": (*crease(sheet, art), *body.front.layers)})
    body = body.model_copy(update={"front": front, "decals": (*body.decals, *gaps(sheet, art))})
    return device.model_copy(update={"slabs": (body, spine(sheet), cover, *raised)})


def half_open(sheet: Foldable, flat: Device, body: Slab, parts: Sequence[Slab]) -> Device:
    """The foldable bent so sharply that both halves of its screen meet in the fold."""
    book, depth = sheet.fold == "book", sheet.body[2]
    bend = Bend(angle=sheet.opening - 180, radius=depth / 2, axis="y" if book else "x")
    width, height = sheet.body[:2]
    size = (width + 2 * bend.reach, height) if book else (width, height + 2 * bend.reach)
    changed = {
        "size": (round(size[0], 6), round(size[1], 6), depth),
        "bend": bend,
        "front": _apart(bend, body.front),
        "back": _apart(bend, body.back) if body.back else None,
        "decals": tuple(_moved(bend, decal) for decal in body.decals),
    }
    slabs = [body.model_copy(update=changed), *(folded(bend, part) for part in parts)]
    if sheet.lean is not None:
        slabs = [_tilted(slab, abs(bend.angle) / 2 - sheet.lean) for slab in slabs]
    placed, size_ = centred(slabs)
    screens = tuple(half_screen(flat.screen, bend, side) for side in (1, -1))
    orientations = flat.orientations if book else ("portrait",)
    changes = {"slabs": placed, "body": size_, "screens": screens, "orientations": orientations}
    return flat.model_copy(update=changes)


def half_screen(whole: Screen, bend: Bend, side: Literal[-1, 1]) -> Screen:
    """The part of a screen on one half of the bent plate: the lower or left, or the upper or right one."""
    axis = 1 if bend.axis == "x" else 0
    ends: list[float] = [center - length / 2 for center, length in zip(whole.center, whole.size, strict=True)]
    length = side * (ends[axis] + (whole.size[axis] if side > 0 else 0.0))  # from the fold outwards
    size, center = list(whole.size), list(whole.center)
    size[axis], center[axis] = length, side * (length / 2 + bend.reach)
    share = length / whole.size[axis]
    part = (1 - share if side > 0 else 0.0, 0.0, share, 1.0)
    if axis:
        part = (0.0, 0.0 if side > 0 else 1 - share, 1.0, share)
    middle = [side * length / 2 if at == axis else whole.center[at] for at in (0, 1)]
    return whole.model_copy(
        update={
            "center": near((center[0], center[1])),
            "size": near((size[0], size[1])),
            "corners": {(1, 1): "top", (1, -1): "bottom", (0, 1): "right", (0, -1): "left"}[axis, side],
            "cutouts": tuple(
                _cut(cutout, whole, middle, axis, side)
                for cutout in whole.cutouts
                if side * (cutout.center[axis] + whole.center[axis]) > 0
            ),
            "part": part,
            "half": side,
            "mask": None,
        }
    )


def _cut(cutout: Cutout, whole: Screen, middle: list[float], axis: int, side: int) -> Cutout:
    """A screen's cut-out relative to a half of the screen, whose middle on the flat plate is `middle`."""
    place = [at + center - half for at, center, half in zip(cutout.center, whole.center, middle, strict=True)]
    return cutout.model_copy(update={"center": near((place[0], place[1]))})


def _apart(bend: Bend, face: Face) -> Face:
    """A face whose layers keep the distance from the fold that they have on the flat plate."""
    axis = 1 if bend.axis == "x" else 0
    moved = []
    for layer in face.layers:
        center = list(layer.center)
        center[axis] += math.copysign(bend.reach, center[axis])
        moved.append(layer.model_copy(update={"center": near((center[0], center[1]))}))
    return face.model_copy(update={"layers": tuple(moved)})


def _moved(bend: Bend, decal: Decal) -> Decal:
    """A decal that keeps its distance from the fold on the flat plate, if its wall runs across the fold."""
    if (decal.side in ("left", "right")) == (bend.axis == "y"):
        return decal
    return decal.model_copy(update={"at": round(decal.at + math.copysign(bend.reach, decal.at), 4)})


def _tilted(slab: Slab, angle: float) -> Slab:
    """A slab turned about x by an angle in degrees; positive angles tip its top backwards."""
    sine, cosine = math.sin(math.radians(angle)), math.cos(math.radians(angle))

    def turned(place: Vector) -> Vector:
        x, y, z = place
        return vector((x, y * cosine + z * sine, z * cosine - y * sine))

    return slab.model_copy(update={"center": turned(slab.center), "x": turned(slab.x), "y": turned(slab.y)})


def _covered(layer: Layer, cover: CoverScreen) -> bool:
    """Whether the middle of a detail of the back lies under the outer screen."""
    return all(abs(layer.center[axis] - cover.center[axis]) < cover.size[axis] / 2 for axis in (0, 1))


def _on_cover(part: Slab, cover: Slab) -> Slab:
    """A part of the camera, moved to the cover's glass if it stands there; other parts are unchanged."""
    within = all(abs(part.center[axis] - cover.center[axis]) < cover.size[axis] / 2 for axis in (0, 1))
    behind = part.parent == "body" and part.x == BEHIND[0] and part.y == BEHIND[1]
    return part.model_copy(update={"parent": "cover"}) if within and behind else part
