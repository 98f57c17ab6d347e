"""What the walls of a hinge and a lid have close by: each other, and the deck in the light that is left it.

Between them the deck has less light than in the open: all of the sky below rays that touch their rounded
edges is hidden.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from service.arrays import F32, F64
from service.devices.device import Slab
from service.render.geometry.face import Plane, plane, wall
from service.render.geometry.mesh import pose
from service.render.light.frame import Frame
from service.render.light.hinged import decked, metal_rim, on_deck, underside
from service.render.light.occluder import Occluder, patch, rectangle

LOBE = 0.8  # radians over which what hides a lobe of metal comes to hide all of it; fitted to the references


@dataclass(frozen=True, slots=True, eq=False)
class Brink:
    """A rounded edge over a deck: from `start` mm up the deck, its middle `rise` mm over it, of `radius` mm.

    It ends `half` mm to either side of the deck's middle.
    """

    start: float
    rise: float
    radius: float
    half: float = math.inf

    def touched(self, across: F32, up: F32) -> F64:
        """The turns (n, k), radians from the deck, of rays from places before it that touch it from above."""
        apart = np.hypot(np.maximum(self.start - up, 0), np.maximum(np.abs(across) - self.half, 0))
        away = np.hypot(apart, self.rise)
        found = np.arctan2(self.rise, apart) + np.arcsin(np.minimum(self.radius / away, 1))
        return np.asarray(np.where(away > self.radius, np.minimum(found, np.pi), np.pi), np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Shaded:
    """The light of a deck of unit `axes` (2, 3), y and normal, in view space, between a lid and hinges.

    The lid stands at a turn of `lean` from the deck behind it; its front and the hinges have `brinks`, its
    back a `rear`. The share `matt` of the deck's light comes from all the sky, and `bounced` of what the
    lid's back hides is sent back by it. `drawn` (h,) are the shares that what is drawn on it leaves, from its
    top on, on a deck `deep` mm.
    """

    axes: F32
    lean: float
    brinks: tuple[Brink, ...]
    rear: Brink
    matt: float
    bounced: float
    drawn: F32
    deep: float

    def left(self, across: F32, up: F32, leaving: F32) -> F32:
        """The shares (n, k) of their light that places have, as rays `leaving` (n, k, 3) others see them.

        Places are `across` and `up` (n, k) the deck, mm from its middle.
        """
        turn = np.arctan2(-(leaving @ self.axes[1]), -(leaving @ self.axes[0]))
        before = self._open(self._hidden(across, up), turn)
        # Behind the lid all is the other way round.
        apart, behind = up - np.float32(self.rear.start), np.float32(np.pi) - turn
        away = np.hypot(apart, self.rear.rise)
        low = np.arctan2(self.rear.rise, apart) - np.arcsin(np.minimum(self.rear.radius / away, 1))
        above = self._open(np.maximum(low, np.pi - self.lean), behind)
        behind = above + self.bounced * np.maximum(self._open(low, behind) - above, 0)
        middle = (self.rear.start + self.brinks[0].start) / 2
        row = np.clip((0.5 - up / self.deep) * len(self.drawn), 0, len(self.drawn) - 1).astype(np.intp)
        return np.asarray(np.where(up > middle, behind, before) * self.drawn[row], np.float32)

    def _hidden(self, across: F32, up: F32) -> F64:
        """The turn (n, k) up to which the sky is hidden from places before the lid."""
        found = np.full(up.shape, self.lean)
        for brink in self.brinks:
            found = np.maximum(found, brink.touched(across, up))
        return found

    def _open(self, hidden: F64, turn: F32) -> F64:
        """The share (n, k) of light left where the sky is `hidden` up to a turn, seen from another."""
        lobe = np.clip((np.pi - turn - hidden) / LOBE + 0.5, 0, 1)
        return np.asarray(self.matt * (1 + np.cos(hidden)) / 2 + (1 - self.matt) * lobe, np.float64)


def beside(frame: Frame, slab: Slab, drawn: Callable[[Slab], F32]) -> tuple[Occluder, ...]:
    """What the walls of a hinge or a lid have close by, nearest first; nothing for other slabs.

    `drawn` tells of the deck which shares (h,) of its light what is drawn on it leaves, from its top on.
    """
    if slab.role not in ("lid", "hinge"):
        return ()
    for lid, deck in decked(frame.device):
        some = on_deck(frame.device)
        if slab is not lid and slab not in some:
            continue
        ground = rectangle(frame, deck, True)
        found = shaded(lid, deck, some, ground, float(frame.colors.wall(lid).mean()), drawn(deck))
        ground = replace(ground, left=found.left)
        if slab is lid:
            return (*(face for one in some for face in _faces(frame, one)), ground)
        over = underside(frame, lid, ground.face), metal_rim(frame, lid, ground.face)
        return (*over, rectangle(frame, lid, True), ground)
    return ()


def shaded(lid: Slab, deck: Slab, some: list[Slab], ground: Occluder, sends: float, drawn: F32) -> Shaded:
    """The light left on a deck, of which `ground` is the front, by a lid and `some` hinges.

    The lid's back `sends` a share of its light back.
    """
    at, axes = plane(deck, True), pose(lid)[0]
    brinks = [_lower(lid, at, front=True)]
    for hinge in some:
        middle = float((pose(hinge)[1] - at.origin) @ at.y)
        start, half = middle - hinge.size[1] / 2 + hinge.edge, hinge.size[0] / 2 - hinge.edge
        brinks.append(Brink(start, hinge.edge, hinge.edge, half))
    # Half of what goes to and fro between the two stays there.
    bounced = sends / (1 - sends / 2)
    return Shaded(
        ground.axes[1:], math.acos(float(axes[:, 1] @ at.y)), tuple(brinks), _lower(lid, at, front=False),
        ground.face.material.diffuse, bounced, drawn, deck.size[1],
    )  # fmt: skip


def _lower(lid: Slab, at: Plane, *, front: bool) -> Brink:
    """The rounded lower edge of a lid's front or back over a face."""
    own = plane(lid, front)
    apart = own.origin - (lid.size[1] / 2 - lid.edge) * own.y - lid.edge * own.normal - at.origin
    return Brink(float(apart @ at.y), float(apart @ at.normal), lid.edge)


def _faces(frame: Frame, hinge: Slab) -> Iterator[Occluder]:
    """The top and the front of a hinge."""
    yield rectangle(frame, hinge, True)
    half = hinge.size[0] / 2, hinge.size[2] / 2
    yield patch(wall(hinge, "bottom"), half, frame.wall(hinge), frame.camera, frame.light)
