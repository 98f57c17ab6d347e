"""What is close by where a laptop's lid stands on its deck: the hinge, the lid's foot, the deck behind it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from service.arrays import F32, F64
from service.models.devices import Device, Slab
from service.render.geometry.camera import Camera
from service.render.geometry.face import Plane, plane, wall
from service.render.geometry.mesh import frame
from service.render.light.neighbour import GAP, Neighbour, facing, patch, rectangle
from service.render.light.shading import Ground, Light
from service.render.light.tint import Colors
from service.render.material import SURFACES

TOUCHING = 0.5  # mm over a face up to which a hinge stands on it
FLAT = 0.3  # of the radius of a rounded edge; a chamfer that far inside it hides as much
ENDS = 0.45  # of the extent of a lid's corners; up to there its foot is as low as in its middle
BOUNCED = 0.25  # share of the deck's light that the lid's foot sends back
RIM = 0.6  # the same of the rim of metal around its glass
DECK = 20.0  # mm; hinges are narrower


def hinged(
    device: Device,
    slab: Slab,
    at: Plane,
    camera: Camera,
    light: Light,
    colors: Colors,
    *,
    hinges: bool = True,
) -> tuple[Neighbour, ...]:
    """What is close over a face at the foot of a lid, nearest first.

    Over a deck, these are the `hinges`, if wanted, and the lid; over a lid's back, the deck.
    """
    for lid in (device.slab(screen.slab) for screen in device.screens):
        if lid is not slab and slab.parent is None and _close(lid, at):
            return tuple(_over(device, lid, slab, at, camera, light, colors, hinges=hinges))
        if lid is slab and at.normal @ plane(lid, True).normal < 0:
            return tuple(_behind(lid, deck, camera, light, colors) for deck in _decks(device, lid))
    return ()


def decked(device: Device) -> Iterator[tuple[Slab, Slab]]:
    """Lids, each with the deck that its foot is close over."""
    for lid in (device.slab(screen.slab) for screen in device.screens):
        for deck in _decks(device, lid):
            yield lid, deck


def _decks(device: Device, lid: Slab) -> Iterator[Slab]:
    """The deck that a lid's foot is close over, if there is one."""
    for deck in device.slabs:
        if deck is lid or deck.parent is not None or deck.bend is not None or deck.size[1] < DECK:
            continue
        if _close(lid, plane(deck, True)):
            yield deck


def touching(device: Device, slab: Slab, at: Plane) -> list[Slab]:
    """The hinges on a face of a slab."""
    return [one for one in device.slabs if one is not slab and _touches(one, at)]


def _close(lid: Slab, at: Plane) -> bool:
    """Whether a lid faces a face that its foot is close over."""
    return facing(plane(lid, True), at) and 0 < float((_foot(lid, front=True) - at.origin) @ at.normal) < GAP


def _over(
    device: Device, lid: Slab, deck: Slab, at: Plane, camera: Camera, light: Light, colors: Colors,
    *, hinges: bool,
) -> Iterator[Neighbour]:  # fmt: skip
    """What is close over a deck, or over the top of a hinge."""
    front, rear = (rectangle(lid, side, camera, light, colors) for side in (True, False))
    if hinges:
        yield from _hinges(device, deck, at, camera, light, colors)
    yield underside(lid, rectangle(deck, True, camera, light, colors).face, camera, colors)
    for under in _decks(device, lid):
        yield metal_rim(lid, rectangle(under, True, camera, light, colors).face, camera, colors)
    for one, side in ((rear, False), (front, True)):
        yield replace(one, corner=lid.corner, foot=_seen(camera, _foot(lid, front=side)))


def _behind(lid: Slab, deck: Slab, camera: Camera, light: Light, colors: Colors) -> Neighbour:
    """A deck as a lid's back sees it; without its rounded edges, which face elsewhere."""
    whole = rectangle(deck, True, camera, light, colors)
    half = whole.half[0] - deck.edge, whole.half[1] - deck.edge
    return replace(whole, half=half, foot=_seen(camera, _foot(lid, front=False)))


def _foot(lid: Slab, *, front: bool) -> F64:
    """The middle of the lower edge of a lid's front or back, mm."""
    at = plane(lid, front)
    return np.asarray(at.origin - lid.size[1] / 2 * at.y, np.float64)


def _seen(camera: Camera, point: F64) -> F32:
    return np.asarray(camera.view(point[None])[0], np.float32)


def _hinges(
    device: Device, slab: Slab, at: Plane, camera: Camera, light: Light, colors: Colors
) -> Iterator[Neighbour]:
    """The walls of hinges on a face: the lower halves of their rounded edges, then all of them, upright.

    First of the side that faces out of the hinge's gap, then of its ends and its back.
    """
    for hinge in touching(device, slab, at):
        axes, center = frame(hinge)
        width, depth, height = (side / 2 for side in hinge.size)
        across, up, inset = axes[:, 0], axes[:, 2], FLAT * hinge.edge
        high, sends = (hinge.edge - inset) / math.sqrt(2), (SURFACES[hinge.surface], colors.wall(hinge))
        front, back = (-axes[:, 1], depth, width), (axes[:, 1], depth, width)
        for out, away, half in (front, (-across, width, depth), (across, width, depth), back):
            along, upright = np.cross(up, out), center + (away - inset) * out
            chamfer = upright - (height - inset) * up
            for middle, way, tall in ((chamfer, (out - up) / math.sqrt(2), high), (upright, out, height)):
                strip = Plane(middle, along, np.cross(way, along), way)
                found = patch(strip, (half + inset, tall), sends, camera, light)
                foot = _seen(camera, middle) if way is front[0] else None
                # What lies under a hinge counts as just before it: pixels of its edge take colour from there.
                behind = 0.0 if out is back[0] else hinge.size[1]
                yield replace(found, behind=behind, foot=foot)


def _touches(slab: Slab, at: Plane) -> bool:
    """Whether a slab lies on a face, as a hinge does."""
    axes, center = frame(slab)
    lifted = float((center - at.origin) @ at.normal) - slab.size[2] / 2
    return slab.parent is None and float(axes[:, 2] @ at.normal) > 0.9 and abs(lifted) < TOUCHING


def standing(device: Device, slab: Slab) -> Slab | None:
    """The deck that a hinge lies on; None for other slabs."""
    decks = (one for one in device.slabs if one is not slab and one.parent is None and one.bend is None)
    return next((one for one in decks if one.size[1] >= DECK and _touches(slab, plane(one, True))), None)


def underside(lid: Slab, deck: Ground, camera: Camera, colors: Colors) -> Neighbour:
    """The lower wall of a lid, in what the deck below it sends."""
    half = lid.size[0] / 2 - ENDS * lid.corner.extent, lid.size[2] / 2
    sends = SURFACES["paint"], deck.mean() * colors.wall(lid) * np.float32(BOUNCED)
    return patch(wall(lid, "bottom"), half, sends, camera, deck.light)


def metal_rim(lid: Slab, deck: Ground, camera: Camera, colors: Colors) -> Neighbour:
    """The lower rim of a lid's front, of the metal of its wall, which mirrors the deck before it."""
    at, half = plane(lid, True), max(lid.edge, lid.front.inset) / 2
    low = Plane(at.origin - (lid.size[1] / 2 - half) * at.y, at.x, at.y, at.normal)
    sends = SURFACES["paint"], deck.mean()[0] * colors.wall(lid) * np.float32(RIM)
    return patch(low, (lid.size[0] / 2, half), sends, camera, deck.light)
