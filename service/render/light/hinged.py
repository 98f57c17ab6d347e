"""Occluders where a laptop's lid stands on its deck: the hinge, the lid's lower end, the deck behind it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, pairwise, product

import numpy as np

from ...arrays import F32, F64
from ...devices.device import Device, Slab
from ..geometry.camera import Camera
from ..geometry.face import Plane, plane, wall
from ..geometry.mesh import pose
from ..material import SURFACES
from .frame import Frame
from .occluder import GAP, Occluder, facing, patch, rectangle
from .shading import Ground

# Inset of a flat chamfer that hides as much light as a rounded edge, as a share of the edge's radius; fitted
# to the references.
FLAT = 0.3
# Shares of a lid's rounded corner, from its start, between which its lower edge counts as straight; by cost.
CHORDS = (0.0, 0.5, 0.8, 1.0)
# Distances from each end of a hinge at which a lid's wall has vertices, in radii of the hinge's rounded edge;
# by cost.
AROUND = (-2.0, -1.0, 0.0, 1.0, 2.0)
BOUNCED = 0.4  # share of the deck's light that the lid's lower wall reflects; fitted to the references
# share of the deck's light that the metal rim around the lid's glass reflects; fitted to the references
RIM = 0.6


def foot_occluders(frame: Frame, slab: Slab, at: Plane, *, hinges: bool = True) -> tuple[Occluder, ...]:
    """Occluders close to a face where a lid meets its deck, nearest first; none for other faces.

    For a deck, these are the hinges, if `hinges` is set, and the lid; for a lid's back, the deck.
    """
    for lid in _lids(frame.device):
        if slab.role in ("deck", "hinge") and _close(lid, at):
            return tuple(_over(frame, lid, slab, at, hinges=hinges))
        if lid is slab and at.normal @ plane(lid, True).normal < 0:
            return tuple(_behind(frame, lid, deck) for deck in _decks(frame.device, lid))
    return ()


def decked(device: Device) -> Iterator[tuple[Slab, Slab]]:
    """Lids, each with the deck that it stands on."""
    for lid in _lids(device):
        for deck in _decks(device, lid):
            yield lid, deck


def _lids(device: Device) -> Iterator[Slab]:
    return (slab for slab in device.slabs if slab.role == "lid")


def _decks(device: Device, lid: Slab) -> Iterator[Slab]:
    """The deck on which a lid stands, if there is one."""
    for deck in device.slabs:
        if deck.role == "deck" and _close(lid, plane(deck, True)):
            yield deck


def on_deck(device: Device) -> list[Slab]:
    """The hinges, which lie on the deck."""
    return [slab for slab in device.slabs if slab.role == "hinge"]


def ends(device: Device, lid: Slab) -> tuple[float, ...]:
    """Places around the ends of hinges along a lid's lower edge, mm from its middle."""
    axes, center = pose(lid)
    return tuple(
        float((pose(hinge)[1] - center) @ axes[:, 0] + sign * (hinge.size[0] / 2 + step * hinge.edge))
        for hinge in on_deck(device)
        for sign in (-1, 1)
        for step in AROUND
    )


def _close(lid: Slab, at: Plane) -> bool:
    """Whether a lid's front is turned towards a face, and its lower edge is less than GAP mm above it."""
    return facing(plane(lid, True), at) and 0 < float((_foot(lid, front=True) - at.origin) @ at.normal) < GAP


def _over(frame: Frame, lid: Slab, deck: Slab, at: Plane, *, hinges: bool) -> Iterator[Occluder]:
    """Occluders of a deck, or of the top of a hinge."""
    front, rear = (rectangle(frame, lid, side) for side in (True, False))
    if hinges and deck.role == "deck":
        yield from _hinges(frame, at)
    if not frame.narrow(lid.size[2]):
        low = underside(frame, lid, rectangle(frame, deck, True).face)
        # The ends of a hinge are far from the corners.
        yield from low if deck.role == "deck" else islice(low, 1)
        for under in _decks(frame.device, lid):
            yield metal_rim(frame, lid, rectangle(frame, under, True).face)
    for one, side in ((rear, False), (front, True)):
        yield replace(one, corner=lid.corner, foot=_seen(frame.camera, _foot(lid, front=side)))


def _behind(frame: Frame, lid: Slab, deck: Slab) -> Occluder:
    """A deck as an occluder of a lid's back: without its rounded edges, which curve away from the lid."""
    whole = rectangle(frame, deck, True)
    half = whole.half[0] - deck.edge, whole.half[1] - deck.edge
    return replace(whole, half=half, foot=_seen(frame.camera, _foot(lid, front=False)))


def _foot(lid: Slab, *, front: bool) -> F64:
    """The middle of the lower edge of a lid's front or back, mm."""
    at = plane(lid, front)
    return np.asarray(at.origin - lid.size[1] / 2 * at.y, np.float64)


def _seen(camera: Camera, point: F64) -> F32:
    return np.asarray(camera.view(point[None])[0], np.float32)


def _hinges(frame: Frame, at: Plane) -> Iterator[Occluder]:
    """The walls of hinges on a face, nearest first: the front, both ends, the back.

    Each is two rectangles: a chamfer in place of the lower half of its rounded edge, then the upright wall.
    """
    for hinge in on_deck(frame.device):
        axes, center = pose(hinge)
        width, depth, height = (side / 2 for side in hinge.size)
        across, up, inset = axes[:, 0], axes[:, 2], FLAT * hinge.edge
        high, sends = (hinge.edge - inset) / math.sqrt(2), frame.wall(hinge)
        front, back = (-axes[:, 1], depth, width), (axes[:, 1], depth, width)
        for out, away, half in (front, (-across, width, depth), (across, width, depth), back):
            along, upright = np.cross(up, out), center + (away - inset) * out
            chamfer = upright - (height - inset) * up
            for middle, way, tall in ((chamfer, (out - up) / math.sqrt(2), high), (upright, out, height)):
                strip = Plane(middle, along, np.cross(way, along), way)
                occluder = patch(strip, (half + inset, tall), sends, frame.camera, frame.light)
                foot = _seen(frame.camera, middle) if way is front[0] else None
                # The deck below a hinge counts as just in front of it, because pixels on the edge blend with
                # the deck's colour.
                behind = 0.0 if out is back[0] else hinge.size[1]
                yield replace(occluder, behind=behind, foot=foot)


def underside(frame: Frame, lid: Slab, deck: Ground) -> Iterator[Occluder]:
    """The lower wall of a lid, lit by the deck below it: its straight part, then chords of its corners."""
    start, half = lid.size[0] / 2 - lid.corner.extent, lid.size[2] / 2
    sends = SURFACES["paint"], deck.mean() * frame.colors.wall(lid) * np.float32(BOUNCED)
    low, exponent = wall(lid, "bottom"), lid.corner.exponent
    yield patch(low, (start, half), sends, frame.camera, deck.light)
    for way, (one, other) in product((-1, 1), pairwise(CHORDS)):
        ends = [
            (
                way * (start + share * lid.corner.extent),
                (1 - (1 - share**exponent) ** (1 / exponent)) * lid.corner.extent,
            )
            for share in (one, other)
        ]
        first, last = (low.origin + x * low.x - rise * low.normal for x, rise in ends)
        long = float(np.linalg.norm(last - first))
        along = way * (last - first) / long
        chord = Plane((first + last) / 2, along, low.y, np.cross(along, low.y))
        yield patch(chord, (long / 2, half), sends, frame.camera, deck.light)


def metal_rim(frame: Frame, lid: Slab, deck: Ground) -> Occluder:
    """The lower rim of a lid's front: metal, like the lid's wall, lit by the deck in front of it."""
    at, half = plane(lid, True), max(lid.edge, lid.front.inset) / 2
    low = Plane(at.origin - (lid.size[1] / 2 - half) * at.y, at.x, at.y, at.normal)
    sends = SURFACES["paint"], deck.mean()[0] * frame.colors.wall(lid) * np.float32(RIM)
    return patch(low, (lid.size[0] / 2, half), sends, frame.camera, deck.light)
